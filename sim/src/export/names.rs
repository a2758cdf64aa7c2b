//! Names of bodies as names of files and prims.

use std::collections::BTreeSet;

/// Each of `names` with `_` in the place of characters that are not `allowed`; those that are then the same are numbered. Upper and
/// lower case count as the same: some file systems take them so.
pub fn unique<'a>(names: impl IntoIterator<Item = &'a str>, allowed: fn(char) -> bool) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut free = |name: &str| {
        let plain: String = name.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        std::iter::once(plain.clone()).chain(numbered).find(|name| taken.insert(name.to_lowercase())).unwrap_or_default()
    };
    names.into_iter().map(&mut free).collect()
}

/// The same for files: what every file system takes.
pub fn of_files<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    unique(names, |c| c.is_alphanumeric() || c == '-')
}
