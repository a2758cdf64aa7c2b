//! Questions and news that do not stop anybody from working.

use egui::{Frame, Margin, RichText, Ui};

use super::Look;
use crate::document::{Action, FileAction};
use crate::theme::meaning;

/// What the banner is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Banner {
    /// Something would drop unsaved changes.
    Unsaved,
    /// The file changed on disk while there are unsaved edits.
    ChangedOnDisk,
    /// A file is to be written where there is one already.
    Overwrite(std::path::PathBuf),
    /// An earlier run left edits behind.
    Recovered(String),
    /// Something would drop the recording: what, in words.
    Recording(String),
    /// The scene would be left, and with it a recording of so many frames that took long to make.
    Leaving(u64),
    /// Something did not work.
    Failed(String),
}

/// Draws the banner.
pub fn banner(ui: &mut Ui, look: &mut Look<'_>, banner: &Banner) {
    let colors = meaning(ui);
    let (text, choices): (String, &[(&str, Action)]) = match banner {
        Banner::Unsaved => (
            format!("{} has unsaved changes.", look.document.title()),
            &[("Save", Action::SaveChanges), ("Discard", Action::DiscardChanges), ("Go back", Action::Dismiss)],
        ),
        Banner::ChangedOnDisk => (
            format!("{} changed on disk, and has unsaved edits here.", look.document.title()),
            &[("Reload", Action::Reload), ("Keep mine", Action::Dismiss)],
        ),
        Banner::Overwrite(file) => (
            format!("{} is there already, and would be lost.", file.display()),
            &[("Overwrite it", Action::Overwrite), ("Go back", Action::Dismiss)],
        ),
        Banner::Recovered(name) => (
            format!("Unsaved edits of {name} were kept when the last run ended."),
            &[("Recover", Action::Recover), ("Drop them", Action::Dismiss)],
        ),
        Banner::Recording(what) => (
            what.clone(),
            &[("Drop it", Action::DiscardChanges), ("Export it…", Action::Ask(FileAction::Run)), ("Keep it", Action::Dismiss)],
        ),
        Banner::Leaving(frames) => (
            format!("The recording of {frames} frames goes with the scene."),
            &[("Drop it", Action::DiscardChanges), ("Export it…", Action::Ask(FileAction::Run)), ("Go back", Action::Dismiss)],
        ),
        Banner::Failed(what) => (what.clone(), &[("Close", Action::Dismiss)]),
    };
    let failed = matches!(banner, Banner::Failed(_));
    let (tone, ground) = if failed { (colors.error, colors.error_ground) } else { (colors.warning, colors.warning_ground) };
    Frame::new().fill(ground).inner_margin(Margin::symmetric(12, 6)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                for (label, action) in choices.iter().rev() {
                    if ui.button(*label).clicked() {
                        look.actions.push(action.clone());
                    }
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(text).color(tone)).wrap());
                });
            });
        });
    });
}
