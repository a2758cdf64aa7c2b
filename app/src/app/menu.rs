//! The menu of a click with the right button in a view.

use egui::containers::menu::menu_style;
use egui::{Align, Id, Layout, Popup, PopupKind, Pos2, Ui};

use super::App;
use crate::document::{Action, Selection};
use crate::panels::context_menu;

impl App {
    /// Opens the menu of what was clicked, which is selected unless it is one of those that are; the background leaves what is selected.
    pub(super) fn open_menu(&mut self, at: Pos2, of: Selection) {
        if of != Selection::Scene && !self.document.is_selected(of) {
            self.document.selection = of;
            self.selected_anew();
        }
        self.menu = Some((at, of));
        self.menu_opens = true;
    }

    /// Draws it while it is open.
    pub(super) fn show_menu(&mut self, ui: &Ui, actions: &mut Vec<Action>) {
        let Some((at, of)) = self.menu else { return };
        let id = Id::unique("menu of a view");
        let ctx = ui.ctx().clone();
        if std::mem::take(&mut self.menu_opens) {
            Popup::open_id(&ctx, id);
        }
        let popup = Popup::new(id, ctx.clone(), at, ui.layer_id()).kind(PopupKind::Menu).open_memory(None);
        let popup = popup.layout(Layout::top_down_justified(Align::Min)).style(menu_style).gap(0.0);
        if !popup.is_open() {
            self.menu = None;
            return;
        }
        self.look(actions, |look| popup.show(|ui| context_menu(ui, look, of)));
    }
}
