//! What is in a folder: read on a thread of its own, for disks may be slow, far away, or asleep.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, TryRecvError};

use super::day;

/// Entries that are listed of one folder at most.
const MOST: usize = 20_000;

/// Something in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name.
    pub name: String,
    /// Whether it is a folder itself, or leads to one.
    pub is_folder: bool,
    /// Its size [bytes].
    pub size: u64,
    /// When it was changed [s since 1970, UTC], if the system tells.
    pub modified: Option<i64>,
}

impl FolderEntry {
    /// Whether it is kept out of sight by its name.
    pub fn is_hidden(&self) -> bool {
        self.name.starts_with('.')
    }

    /// Whether its name ends in one of these, without the dot; none is every name.
    pub fn has_extension(&self, extensions: &[String]) -> bool {
        let lower = self.name.to_lowercase();
        extensions.is_empty() || extensions.iter().any(|end| lower.strip_suffix(end.as_str()).is_some_and(|stem| stem.ends_with('.')))
    }
}

/// The contents of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Folders first, then by name, as people sort: case makes no difference, and 9 comes before 10.
    pub entries: Vec<FolderEntry>,
    /// Why nothing is listed, or not all of it.
    pub error: Option<String>,
}

/// A folder that is being read.
#[derive(Debug)]
pub struct FolderReader(Receiver<Listing>);

impl FolderReader {
    /// Reads `folder`; with `make`, the folder of that name in it is made first.
    pub fn start(folder: &Path, make: Option<&str>, wake_up: impl Fn() + Send + 'static) -> Self {
        let (sender, answer) = mpsc::channel();
        let (folder, make) = (folder.to_path_buf(), make.map(|name| folder.join(name)));
        let started = std::thread::Builder::new().name("folder".to_owned()).spawn(move || {
            let made = make.map_or(Ok(()), |new| std::fs::create_dir(&new).map_err(|why| in_words(&new, "made", &why)));
            let mut listing = list(&folder);
            if let Err(why) = made {
                listing.error = Some(why);
            }
            // Nobody receives once another folder is looked at.
            let _ = sender.send(listing);
            wake_up();
        });
        drop(started);
        Self(answer)
    }

    /// The contents, once they are read.
    pub fn poll(&self) -> Option<Listing> {
        match self.0.try_recv() {
            Ok(listing) => Some(listing),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Listing { error: Some("the folder could not be read: the system gave no thread".to_owned()), ..Listing::default() })
            }
        }
    }
}

fn in_words(path: &Path, what: &str, why: &std::io::Error) -> String {
    let why = match why.kind() {
        std::io::ErrorKind::NotFound => "it is not there".to_owned(),
        std::io::ErrorKind::PermissionDenied => "you may not look into it".to_owned(),
        std::io::ErrorKind::NotADirectory => "it is no folder".to_owned(),
        std::io::ErrorKind::AlreadyExists => "there is something of that name".to_owned(),
        _ => why.to_string(),
    };
    format!("{} cannot be {what}: {why}", path.display())
}

/// Reads a folder.
fn list(folder: &Path) -> Listing {
    let read = match std::fs::read_dir(folder) {
        Ok(read) => read,
        Err(why) => return Listing { error: Some(in_words(folder, "read", &why)), ..Listing::default() },
    };
    let mut listing = Listing::default();
    for entry in read.flatten() {
        if listing.entries.len() == MOST {
            listing.error = Some(format!("only {MOST} entries are listed: type the name"));
            break;
        }
        // By what a link leads to; one that leads nowhere is a file that cannot be opened.
        let of = std::fs::metadata(entry.path());
        let (is_folder, size) = of.as_ref().map_or((false, 0), |of| (of.is_dir(), of.len()));
        let modified = of.ok().and_then(|of| of.modified().ok()).map(day::seconds);
        listing.entries.push(FolderEntry { name: entry.file_name().to_string_lossy().into_owned(), is_folder, size, modified });
    }
    listing.entries.sort_by(|a, b| b.is_folder.cmp(&a.is_folder).then_with(|| by_name(&a.name, &b.name)));
    listing
}

/// The order of names: runs of digits by their value, letters without regard to case, and equal ones as they are.
fn by_name(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    loop {
        match (left.peek().copied(), right.peek().copied()) {
            (None, None) => return a.cmp(b),
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let number = |letters: &mut std::iter::Peekable<std::str::Chars<'_>>| {
                    let digits: String = std::iter::from_fn(|| letters.next_if(char::is_ascii_digit)).collect();
                    let value = digits.trim_start_matches('0').to_owned();
                    (value.len(), value)
                };
                match number(&mut left).cmp(&number(&mut right)) {
                    Ordering::Equal => {}
                    other => return other,
                }
            }
            (Some(x), Some(y)) => match x.to_lowercase().cmp(y.to_lowercase()) {
                Ordering::Equal => {
                    left.next();
                    right.next();
                }
                other => return other,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_are_sorted_as_people_do() {
        let mut names = ["scene 10", "Scene 9", "b", "A", "scene 9b", "scene 09", "scene"];
        names.sort_by(|a, b| by_name(a, b));
        assert_eq!(names, ["A", "b", "scene", "Scene 9", "scene 09", "scene 9b", "scene 10"]);
    }

    #[test]
    fn a_folder_is_listed_and_one_that_is_none_says_why() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("zoo")).unwrap();
        std::fs::write(folder.path().join("b.JSON"), "12345").unwrap();
        std::fs::write(folder.path().join(".hidden.json"), "").unwrap();
        let listing = list(folder.path());
        let told: Vec<_> = listing.entries.iter().map(|entry| (entry.name.as_str(), entry.is_folder, entry.is_hidden())).collect();
        assert_eq!(told, [("zoo", true, false), (".hidden.json", false, true), ("b.JSON", false, false)]);
        assert_eq!((listing.entries[2].size, listing.error), (5, None));
        assert!(listing.entries[2].has_extension(&["json".to_owned()]) && !listing.entries[2].has_extension(&["son".to_owned()]));
        let why = |path: &Path| list(path).error.unwrap();
        assert!(why(&folder.path().join("no")).ends_with("it is not there"), "{}", why(&folder.path().join("no")));
        assert!(why(&folder.path().join("b.JSON")).ends_with("it is no folder"));
    }

    #[test]
    fn a_folder_is_made_before_it_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let wait = |make: &str| {
            let reader = FolderReader::start(folder.path(), Some(make), || {});
            reader.0.recv_timeout(std::time::Duration::from_secs(60)).unwrap()
        };
        assert_eq!(wait("new").entries.len(), 1);
        let again = wait("new");
        assert!(again.entries.len() == 1 && again.error.unwrap().contains("there is something of that name"));
    }
}
