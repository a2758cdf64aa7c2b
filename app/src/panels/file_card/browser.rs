//! Where the browser of the card stands: a folder, what is in it, and the line at hand. Drawing is another file's.

use std::path::{Path, PathBuf};

use crate::document::{FileAction, FolderEntry, FolderReader, Listing, absolute};
use crate::session::WakeUp;

/// Typed letters belong together within this time [s].
const TOGETHER: f64 = 1.0;

/// A folder that is looked into.
pub struct Browser {
    /// The folder.
    pub folder: PathBuf,
    /// What is in it; of the folder before while this one is read.
    pub listing: Listing,
    /// Whether it is being read.
    pub reading: Option<FolderReader>,
    /// The line at hand, among those that are shown.
    pub line: Option<usize>,
    /// Whether the line at hand is to be brought into sight.
    pub follow: bool,
    /// Whether files are listed whose names begin with a dot.
    pub hidden: bool,
    /// Whether files of other formats are listed too.
    pub all: bool,
    /// Name of a folder to make, while it is typed.
    pub new_folder: Option<String>,
    /// Extensions of the files that fit; none is all of them.
    pub extensions: Vec<String>,
    /// Names of places, and where they are.
    pub places: Vec<(String, PathBuf)>,
    /// Letters that were typed to find a name, and when the last one was.
    typed: (String, f64),
    wake_up: WakeUp,
}

impl std::fmt::Debug for Browser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Browser").field("folder", &self.folder).field("line", &self.line).finish_non_exhaustive()
    }
}

impl Browser {
    /// Looks into `folder`.
    pub fn new(folder: &Path, extensions: Vec<String>, places: Vec<(String, PathBuf)>, wake_up: WakeUp) -> Self {
        let mut browser = Self {
            folder: PathBuf::new(),
            listing: Listing::default(),
            reading: None,
            line: None,
            follow: false,
            hidden: false,
            all: false,
            new_folder: None,
            extensions,
            places,
            typed: Default::default(),
            wake_up,
        };
        browser.go(folder);
        browser
    }

    /// Looks into another folder.
    pub fn go(&mut self, folder: &Path) {
        self.folder = absolute(folder);
        (self.line, self.new_folder, self.follow) = (None, None, false);
        self.listing = Listing::default();
        self.read(None);
    }

    /// Goes to what holds the folder, with the folder at hand.
    pub fn go_up(&mut self) {
        if let Some(parent) = self.folder.parent().map(Path::to_path_buf) {
            self.go(&parent);
        }
    }

    /// Makes a folder in this one.
    pub fn make(&mut self, name: &str) {
        self.read(Some(name));
    }

    fn read(&mut self, make: Option<&str>) {
        let wake_up = std::sync::Arc::clone(&self.wake_up);
        self.reading = Some(FolderReader::start(&self.folder, make, move || wake_up()));
    }

    /// Takes in what was read.
    pub fn poll(&mut self) {
        if let Some(listing) = self.reading.as_ref().and_then(FolderReader::poll) {
            self.reading = None;
            self.listing = listing;
        }
    }

    /// What is listed: folders, and files that fit.
    pub fn shown(&self) -> Vec<&FolderEntry> {
        let fits = |entry: &FolderEntry| entry.is_folder || self.all || entry.has_extension(&self.extensions);
        self.listing.entries.iter().filter(|entry| (self.hidden || !entry.is_hidden()) && fits(entry)).collect()
    }

    /// The entry at hand.
    pub fn at_hand(&self) -> Option<&FolderEntry> {
        self.shown().get(self.line?).copied()
    }

    /// Where something in the folder lies; a folder with a slash behind it.
    pub fn path_of(&self, entry: &FolderEntry) -> String {
        let path = self.folder.join(&entry.name).display().to_string();
        if entry.is_folder { path + "/" } else { path }
    }

    /// Moves the line at hand by so many; from none, to the first or the last.
    pub fn step(&mut self, by: isize) {
        let Some(last) = self.shown().len().checked_sub(1) else { return };
        let to = match self.line {
            None if by > 0 => (by as usize - 1).min(last),
            None => last.saturating_add_signed(by + 1),
            Some(line) => line.saturating_add_signed(by).min(last),
        };
        (self.line, self.follow) = (Some(to), true);
    }

    /// Takes letters that were typed at `now` [s]: the first name that begins with them is at hand.
    pub fn jump(&mut self, letters: &str, now: f64) {
        if now - self.typed.1 > TOGETHER {
            self.typed.0.clear();
        }
        self.typed = (std::mem::take(&mut self.typed.0) + &letters.to_lowercase(), now);
        if let Some(line) = self.first(&self.typed.0) {
            (self.line, self.follow) = (Some(line), true);
        }
    }

    /// The first line whose name begins with `start`, in either case.
    fn first(&self, start: &str) -> Option<usize> {
        let start = start.to_lowercase();
        self.shown().iter().position(|entry| entry.name.to_lowercase().starts_with(&start))
    }

    /// Follows a path as it is typed: into the folder that it names, to the entry that its end begins.
    pub fn follow_text(&mut self, text: &str) {
        let (folder, start) = text.rsplit_once('/').map_or(("", text), |(folder, start)| (folder, start));
        if text.contains('/') {
            let folder = self.resolve(if folder.is_empty() { "/" } else { folder });
            // Asked of the system for every letter; it is the thread that reads.
            if folder != self.folder {
                self.go(&folder);
            }
        }
        self.line = if start.is_empty() { None } else { self.first(start) };
        self.follow = true;
    }

    /// What completes a path that is typed: as far as all names agree that begin so, with a slash behind a folder.
    pub fn complete(&self, text: &str) -> Option<String> {
        let (before, start) = text.rsplit_once('/').map_or(("", text), |(before, start)| (before, start));
        let shown = self.shown();
        let names: Vec<&&FolderEntry> = shown.iter().filter(|entry| entry.name.starts_with(start)).collect();
        let first = names.first()?;
        let mut common = first.name.as_str();
        for other in &names {
            let same = common.char_indices().zip(other.name.chars()).take_while(|((_, a), b)| a == b);
            let end = same.last().map_or(0, |((at, letter), _)| at + letter.len_utf8());
            common = &common[..end];
        }
        let slash = if names.len() == 1 && first.is_folder { "/" } else { "" };
        let begin = if text.contains('/') { format!("{before}/") } else { String::new() };
        let completed = format!("{begin}{common}{slash}");
        (completed != text).then_some(completed)
    }

    /// A typed path from the root: `~` is the user's own folder, and what is relative starts at the folder that is looked into.
    pub fn resolve(&self, text: &str) -> PathBuf {
        let text = text.trim();
        let home = || std::env::var_os("HOME").map(PathBuf::from);
        let from_home = match text.strip_prefix('~') {
            Some("") => home(),
            Some(rest) => rest.strip_prefix('/').and_then(|rest| Some(home()?.join(rest))),
            None => None,
        };
        absolute(&from_home.unwrap_or_else(|| self.folder.join(text)))
    }
}

/// Extensions of the files that fit what is asked for; none is all of them.
pub fn extensions(action: FileAction, format: &str) -> Vec<String> {
    match action {
        FileAction::Open | FileAction::SaveAs => vec!["json".to_owned()],
        FileAction::Import | FileAction::Obstacle | FileAction::BodyRestMesh => {
            aplomb_sim::import::FORMATS.iter().flat_map(|format| format.extensions).map(|extension| (*extension).to_owned()).collect()
        }
        // They are called as anybody likes.
        FileAction::Recording => Vec::new(),
        // The frames of a run have a folder.
        folder if folder.is_folder() => vec!["/".to_owned()],
        _ => vec![format.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::sync::Arc;

    fn browser(folder: &Path) -> Browser {
        let mut browser = Browser::new(folder, vec!["json".to_owned()], Vec::new(), Arc::new(|| {}));
        wait(&mut browser);
        browser
    }

    fn wait(browser: &mut Browser) {
        while browser.reading.is_some() {
            std::thread::sleep(std::time::Duration::from_millis(1));
            browser.poll();
        }
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("scenes/deep")).unwrap();
        for name in ["scarf.json", "scarf_long.json", "mesh.obj", ".secret.json"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        folder
    }

    fn names(browser: &Browser) -> Vec<String> {
        browser.shown().iter().map(|entry| entry.name.clone()).collect()
    }

    #[test]
    fn only_what_fits_is_listed_unless_more_is_asked_for() {
        let folder = folder();
        let mut browser = browser(folder.path());
        assert_eq!(names(&browser), ["scenes", "scarf.json", "scarf_long.json"]);
        browser.all = true;
        assert_eq!(names(&browser), ["scenes", "mesh.obj", "scarf.json", "scarf_long.json"]);
        browser.hidden = true;
        assert_eq!(names(&browser).len(), 5);
    }

    #[test]
    fn a_typed_path_is_followed_and_completed() {
        let folder = folder();
        let mut browser = browser(folder.path());
        let root = folder.path().display().to_string();
        assert_eq!(browser.complete(&format!("{root}/s")), Some(format!("{root}/sc")), "as far as all that begin so agree");
        assert_eq!(browser.complete(&format!("{root}/sca")), Some(format!("{root}/scarf")));
        assert_eq!(browser.complete("sce"), Some("scenes/".to_owned()));
        browser.follow_text(&format!("{root}/scarf_"));
        assert_eq!(browser.at_hand().map(|entry| entry.name.as_str()), Some("scarf_long.json"));
        browser.follow_text(&format!("{root}/scenes/d"));
        wait(&mut browser);
        assert_eq!((browser.folder.clone(), names(&browser)), (folder.path().join("scenes"), vec!["deep".to_owned()]));
        browser.go_up();
        wait(&mut browser);
        assert_eq!(browser.resolve("scarf.json"), folder.path().join("scarf.json"));
        assert_eq!(browser.resolve("../x.json"), folder.path().parent().unwrap().join("x.json"));
        if let Some(home) = std::env::var_os("HOME") {
            assert_eq!(browser.resolve("~/x.json"), absolute(&PathBuf::from(home).join("x.json")));
        }
    }

    #[test]
    fn letters_find_names_and_lines_stay_inside() {
        let folder = folder();
        let mut browser = browser(folder.path());
        let name = |browser: &Browser| browser.at_hand().map(|entry| entry.name.clone()).unwrap();
        browser.jump("S", 10.0);
        assert_eq!(name(&browser), "scenes");
        browser.jump("carf_", 10.5);
        assert_eq!(name(&browser), "scarf_long.json");
        browser.jump("sca", 12.0);
        assert_eq!(name(&browser), "scarf.json", "after a while, a new word");
        browser.step(-9);
        assert_eq!(name(&browser), "scenes");
        browser.step(9);
        assert_eq!(name(&browser), "scarf_long.json");
    }
}
