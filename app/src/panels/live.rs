//! Live: the option to balance the scene after every edit, and why it does not do so just now.

use egui::{RichText, Ui};

use super::Look;
use crate::document::Action;
use crate::session::Activity;
use crate::theme::meaning;

impl Look<'_> {
    /// Why edits wait although they would be balanced; `None` where nothing holds them up.
    pub fn live_waits(&self) -> Option<String> {
        let frames = std::iter::once(self.main).chain(self.twin).map(|track| track.last_frame()).max().unwrap_or(0);
        match (self.main.activity, frames) {
            (Activity::Running, _) => Some("waits while it plays".to_owned()),
            (_, 0) => None,
            (_, 1) => Some("waits: it would drop the recorded frame".to_owned()),
            (_, frames) => Some(format!("waits: it would drop {frames} recorded frames")),
        }
    }
}

/// Draws the row.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let Some(model) = &look.main.model else { return };
    let colors = meaning(ui);
    let mut is_live = look.desk.is_live(model.elements());
    let waits = look.live_waits().filter(|_| is_live);
    ui.horizontal(|ui| {
        let hint = "Each edit is put into balance as soon as it is made: strokes at their end, numbers while they are dragged. \
                    By itself on below 20 000 elements";
        let check = ui.checkbox(&mut is_live, "Live");
        check.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, is_live, "Live"));
        if check.on_hover_text(hint).changed() {
            look.actions.push(Action::SetLive(is_live));
        }
        let (words, color) = match &waits {
            Some(waits) => (waits.as_str(), colors.warning),
            None => ("balance after every stroke", colors.dim),
        };
        let label = ui.add(egui::Label::new(RichText::new(words).color(color)).truncate());
        if waits.is_some() {
            label.on_hover_text("Initialise balances the scene as it is now, and asks before it drops the recording");
        }
    });
}
