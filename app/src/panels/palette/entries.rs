//! What the palette offers: commands, what colours can tell, panels, scenes of the gallery, files that were opened lately.

use aplomb_sim::scene_file::gallery::GALLERY;

use super::rank::{Fit, fit};
use crate::document::command::COMMANDS;
use crate::document::{Action, FileRequest};
use crate::layout::{Arrange, Pane, docks};
use crate::panels::{BottomTab, ColorBy, Look, gallery_title};

/// Something to choose.
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// How it fits what was typed.
    pub fit: Fit,
    /// The menu that it is in, or what sort of thing it is.
    pub of: &'static str,
    /// Its key; empty for none.
    pub keys: String,
    /// More of it, for a tooltip.
    pub hint: String,
    /// What it does.
    pub action: Action,
    /// Why not now.
    pub why_not: Option<&'static str>,
}

/// What fits `typed`, the best first; with nothing typed, every command, those that were used last at the head.
pub fn entries(look: &Look<'_>, typed: &str) -> Vec<Entry> {
    let used = |name: &str| look.desk.used.iter().position(|used| used == name);
    let mut entries = commands(look, typed);
    if typed.trim().is_empty() {
        // Stable: the rest stays in the order of the menus.
        entries.sort_by_key(|entry| used(&entry.name).unwrap_or(usize::MAX));
        return entries;
    }
    entries.extend(colors(look, typed));
    entries.extend(panels(typed));
    entries.extend(scenes(look, typed));
    let by_use = |entry: &Entry| std::cmp::Reverse(used(&entry.name).unwrap_or(usize::MAX));
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.fit.rank.0, by_use(entry), entry.fit.rank.1)));
    entries
}

fn commands(look: &Look<'_>, typed: &str) -> Vec<Entry> {
    let entry = |command: &'static crate::document::Command| {
        // A menu's name finds what is in it, after what has the word in its own name.
        let fit = fit(command.label, typed).or_else(|| {
            let menu = fit(&format!("{} {}", command.menu, command.label), typed)?;
            Some(Fit { rank: (0, menu.rank.1), letters: Vec::new() })
        })?;
        let action = (command.action)();
        let why_not = look.why_not(&action);
        let keys = look.desk.keymap.words(command);
        Some(Entry { name: command.label.to_owned(), fit, of: command.menu, keys, hint: String::new(), action, why_not })
    };
    COMMANDS.iter().filter_map(entry).collect()
}

fn colors(look: &Look<'_>, typed: &str) -> Vec<Entry> {
    let entry = |(color_by, label, hint): (ColorBy, &'static str, String)| {
        let name = format!("Colour by {label}");
        let fit = fit(&name, typed)?;
        Some(Entry { name, fit, of: "View", keys: String::new(), hint, action: Action::ColorBy(color_by), why_not: None })
    };
    look.color_choices().into_iter().filter_map(entry).collect()
}

fn panels(typed: &str) -> Vec<Entry> {
    let entry = |tab: BottomTab| {
        let name = Pane::Dock(tab).name().to_owned();
        let (fit, action) = (fit(&name, typed)?, Action::Arrange(Arrange::Front(tab)));
        Some(Entry { name, fit, of: "Panel", keys: String::new(), hint: "Bring it to the front".to_owned(), action, why_not: None })
    };
    docks().filter_map(entry).collect()
}

fn scenes(look: &Look<'_>, typed: &str) -> Vec<Entry> {
    let open = |name: String, fit: Fit, of: &'static str, path: std::path::PathBuf| {
        let hint = path.display().to_string();
        Entry { name, fit, of, keys: String::new(), hint, action: Action::File(FileRequest::Open(path)), why_not: None }
    };
    let gallery = GALLERY.iter().filter_map(|scene| {
        let title = gallery_title(scene.name);
        let by_file = || fit(scene.name, typed).map(|fit| Fit { letters: Vec::new(), ..fit });
        let fit = fit(&title, typed).or_else(by_file)?;
        Some(open(title, fit, "Gallery", scene.path()))
    });
    let recent = look.recent.files.iter().filter_map(|file| {
        let name = crate::preview::name(&file.path);
        Some(open(name.clone(), fit(&name, typed)?, "Recent", file.path.clone()))
    });
    recent.chain(gallery).collect()
}
