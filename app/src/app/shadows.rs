//! Whether shadows fall, kept from window to window.

use std::path::Path;

/// What is kept where they do not.
const OFF: &str = "off";

/// What is `kept` in a file; they fall where nothing is.
pub fn are_wanted(kept: Option<&Path>) -> bool {
    kept.and_then(|file| std::fs::read_to_string(file).ok()).is_none_or(|text| text.trim() != OFF)
}

/// Keeps it in a file for the next window.
pub fn keep(kept: Option<&Path>, on: bool) {
    let Some(file) = kept else { return };
    // A convenience: a disk that cannot keep it is no reason to disturb anybody.
    let _ =
        std::fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).and_then(|()| std::fs::write(file, if on { "on" } else { OFF }));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_was_switched_off_stays_off() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state/shadows.txt");
        assert!(are_wanted(Some(&file)) && are_wanted(None));
        keep(Some(&file), false);
        assert!(!are_wanted(Some(&file)));
        keep(Some(&file), true);
        assert!(are_wanted(Some(&file)));
    }
}
