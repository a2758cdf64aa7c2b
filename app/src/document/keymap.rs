//! Which key does what: the usual keys of the commands, and those that the user has put in their place, kept as readable JSON.
//!
//! ```json
//! { "Compare A | B": "Shift+C", "Loop": null }
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use egui::{Key, KeyboardShortcut, ModifierNames, Modifiers};
use serde_json::Value;

use super::command::{COMMANDS, Command};

/// Name of the file in the folder of the editor's state.
const FILE: &str = "keys.json";

/// The keys of all commands.
#[derive(Debug, Clone, Default)]
pub struct Keymap {
    /// By the label of the command: what differs from the usual key; `None` for no key.
    changed: BTreeMap<&'static str, Option<KeyboardShortcut>>,
    store: Option<PathBuf>,
    /// What is wrong with the file, in words.
    pub problem: Option<String>,
}

impl Keymap {
    /// Reads what is kept in `folder`. What cannot be understood is told, and the usual keys are in force in its place.
    pub fn read(folder: Option<&Path>) -> Self {
        let store = folder.map(|folder| folder.join(FILE));
        let mut map = Self { store, ..Self::default() };
        let Some(file) = map.store.clone().filter(|file| file.exists()) else { return map };
        let read = aplomb_sim::files::read(&file).map_err(|error| error.to_string());
        let parsed = read.and_then(|bytes| serde_json::from_slice::<BTreeMap<String, Value>>(&bytes).map_err(|error| error.to_string()));
        match parsed {
            Ok(entries) => map.take(&entries, &file),
            Err(why) => {
                map.problem = Some(format!("The keys in {} cannot be read ({why}): the usual ones are in force.", file.display()));
            }
        }
        map
    }

    fn take(&mut self, entries: &BTreeMap<String, Value>, file: &Path) {
        let mut odd = Vec::new();
        for (label, value) in entries {
            let key = match value {
                Value::Null => Some(None),
                Value::String(text) => parse(text).map(Some),
                _ => None,
            };
            match (COMMANDS.iter().find(|command| command.label == *label), key) {
                (Some(command), Some(key)) => self.put(command, key),
                (None, _) => odd.push(format!("there is no command \"{label}\"")),
                (_, None) => odd.push(format!("{value} is no key for \"{label}\"")),
            }
        }
        if !odd.is_empty() {
            self.problem = Some(format!("Some keys in {} are passed over: {}.", file.display(), odd.join(", ")));
        }
    }

    /// The key of a command.
    pub fn of(&self, command: &Command) -> Option<KeyboardShortcut> {
        self.changed.get(command.label).copied().unwrap_or(command.shortcut)
    }

    /// The key of a command, for people; empty where it has none.
    pub fn words(&self, command: &Command) -> String {
        self.of(command).map_or_else(String::new, |key| key.format(&ModifierNames::NAMES, false))
    }

    /// The same of the command with this label.
    pub fn words_of(&self, label: &str) -> String {
        COMMANDS.iter().find(|command| command.label == label).map_or_else(String::new, |command| self.words(command))
    }

    /// Whether a command has another key than the usual one.
    pub fn is_changed(&self, command: &Command) -> bool {
        self.changed.contains_key(command.label)
    }

    /// Whether any command has.
    pub fn has_changes(&self) -> bool {
        !self.changed.is_empty()
    }

    /// The other command that has this key.
    pub fn owner(&self, key: KeyboardShortcut, but: &Command) -> Option<&'static Command> {
        COMMANDS.iter().find(|other| other.label != but.label && self.of(other) == Some(key))
    }

    /// Gives a command a key, or none, and takes it from the command that had it; kept for the next window.
    pub fn set(&mut self, command: &'static Command, key: Option<KeyboardShortcut>) {
        if let Some(owner) = key.and_then(|key| self.owner(key, command)) {
            self.put(owner, None);
        }
        self.put(command, key);
        self.keep();
    }

    /// Gives a command its usual key again, and takes it from the command that has it now.
    pub fn reset(&mut self, command: &'static Command) {
        self.set(command, command.shortcut);
    }

    /// Gives all commands their usual keys again.
    pub fn reset_all(&mut self) {
        self.changed.clear();
        self.keep();
    }

    fn put(&mut self, command: &'static Command, key: Option<KeyboardShortcut>) {
        if key == command.shortcut {
            self.changed.remove(command.label);
        } else {
            self.changed.insert(command.label, key);
        }
    }

    fn keep(&mut self) {
        let Some(file) = &self.store else { return };
        let text = |key: &Option<KeyboardShortcut>| key.map_or(Value::Null, |key| Value::String(write(key)));
        let entries: serde_json::Map<String, Value> = self.changed.iter().map(|(label, key)| ((*label).to_owned(), text(key))).collect();
        let text = format!("{:#}\n", Value::Object(entries));
        // What could not be read is somebody's work all the same.
        if self.problem.take().is_some() {
            let _ = std::fs::rename(file, file.with_extension("damaged.json"));
        }
        let kept = std::fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))
            .and_then(|()| aplomb_sim::files::write_atomically(file, text.as_bytes()));
        if let Err(why) = kept {
            self.problem = Some(format!("The keys cannot be kept in {} ({why}): they last as long as this window.", file.display()));
        }
    }
}

/// A key as it stands in the file.
fn write(key: KeyboardShortcut) -> String {
    let Modifiers { alt, shift, ctrl, command, .. } = key.modifiers;
    let held = [(ctrl || command, "Ctrl+"), (alt, "Alt+"), (shift, "Shift+")];
    let held: String = held.into_iter().filter_map(|(held, name)| held.then_some(name)).collect();
    format!("{held}{}", key.logical_key.name())
}

/// The same read back.
fn parse(text: &str) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut rest = text.trim();
    loop {
        let lower = rest.to_ascii_lowercase();
        let (held, name) = if lower.starts_with("ctrl+") {
            (Modifiers::COMMAND, "ctrl+")
        } else if lower.starts_with("alt+") {
            (Modifiers::ALT, "alt+")
        } else if lower.starts_with("shift+") {
            (Modifiers::SHIFT, "shift+")
        } else {
            return Some(KeyboardShortcut::new(modifiers, Key::from_name(rest)?));
        };
        modifiers = modifiers.plus(held);
        rest = &rest[name.len()..];
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn command(label: &str) -> &'static Command {
        COMMANDS.iter().find(|command| command.label == label).unwrap()
    }

    #[test]
    fn every_usual_key_is_read_as_it_was_written() {
        for command in COMMANDS {
            if let Some(key) = command.shortcut {
                assert_eq!(parse(&write(key)), Some(key), "{}", command.label);
            }
        }
        assert_eq!(parse(" shift+ctrl+a "), Some(KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::A)));
        assert!(["", "Ctrl+", "Ctrl+Nonsense", "A+B"].iter().all(|text| parse(text).is_none()));
    }

    #[test]
    fn a_key_has_one_command_and_changes_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut map = Keymap::read(Some(folder.path()));
        let (save, quit) = (command("Save"), command("Quit"));
        let key = save.shortcut.unwrap();
        assert_eq!(map.owner(key, quit).map(|owner| owner.label), Some("Save"));
        map.set(quit, Some(key));
        assert_eq!((map.of(quit), map.of(save)), (Some(key), None));
        let text = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert_eq!(text, "{\n  \"Quit\": \"Ctrl+S\",\n  \"Save\": null\n}\n");
        let mut next = Keymap::read(Some(folder.path()));
        assert_eq!((next.of(quit), next.of(save), next.problem.as_deref()), (Some(key), None, None));
        next.reset(save);
        assert_eq!((next.of(save), next.of(quit)), (Some(key), None), "two commands never have one key");
        next.reset_all();
        assert!(!Keymap::read(Some(folder.path())).has_changes());
    }

    #[test]
    fn a_damaged_file_is_told_and_put_aside_by_the_next_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        std::fs::write(&file, "{ \"Save\": ").unwrap();
        let mut map = Keymap::read(Some(folder.path()));
        assert!(map.problem.as_ref().is_some_and(|why| why.contains("cannot be read")) && map.of(command("Save")).is_some());
        map.set(command("Loop"), None);
        assert_eq!(map.problem, None);
        assert_eq!(std::fs::read_to_string(folder.path().join("keys.damaged.json")).unwrap(), "{ \"Save\": ");
        std::fs::write(&file, r#"{ "Loop": "J", "Fly": "F2", "Save": 7, "Quit": "Hyper+Q" }"#).unwrap();
        let map = Keymap::read(Some(folder.path()));
        assert_eq!(map.words(command("Loop")), "J", "the rest counts");
        let why = map.problem.unwrap();
        assert!(["\"Fly\"", "7 is no key for \"Save\"", "\"Quit\""].iter().all(|part| why.contains(part)), "{why}");
    }
}
