//! Initialise: the method, progress with Cancel, and the certificate.

use aplomb_sim::scene::Method;
use egui::{Align, ComboBox, Layout, ProgressBar, Rect, RichText, Ui, vec2};

use super::Look;
use super::desk::method_words;
use crate::document::Action;
use crate::theme::meaning;
use crate::widgets::{card, heading, primary_button};

mod certificate;
mod options;

pub use certificate::tone;

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    if std::mem::take(&mut look.desk.verdict_wanted) {
        // How far it is, Cancel, and then the verdict are seen, wherever the column was scrolled to, and whatever was just selected.
        look.desk.inspected = Some(look.document.selection);
        ui.scroll_to_rect(Rect::from_min_size(ui.cursor().min, vec2(1.0, 1.0)), None);
    }
    card(ui, |ui| {
        heading(ui, "Initialise");
        let busy = look.main.activity.is_busy();
        ui.horizontal(|ui| {
            let button = primary_button(ui, !busy && !look.document.scene().bodies.is_empty(), "Initialise");
            if button.on_hover_text("Find the rest state in which the body holds its shape (Ctrl+Enter)").clicked() {
                look.actions.push(Action::Initialise);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| method_choice(ui, look));
        });
        if let Some(progress) = look.main.progress.as_ref().filter(|_| busy) {
            ui.horizontal(|ui| {
                let seconds = progress.since.elapsed().as_secs_f64();
                ui.label(RichText::new(&progress.stage).small());
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.button("Cancel").on_hover_text("Give it up; nothing is changed (Esc)").clicked() {
                        look.actions.push(Action::Cancel);
                    }
                    let dim = meaning(ui).dim;
                    ui.label(RichText::new(format!("{seconds:.1} s")).color(dim).small());
                });
            });
            ui.add(ProgressBar::new(progress.done as f32).desired_height(6.0));
        }
        if !busy && look.main.certificate.is_none() {
            let dim = meaning(ui).dim;
            let what = match look.desk.method {
                Method::Naive => "Takes the pose that you see as undeformed: under gravity it will sag.",
                _ => "Makes the pose that you see the one that gravity and contact leave in peace.",
            };
            ui.label(RichText::new(what).color(dim).small());
        }
        options::show(ui, look);
    });
    let main = look.main;
    if let Some(certificate) = &main.certificate {
        let stale = certificate.is_stale(look.document.scene()) || !look.is_current();
        card(ui, |ui| certificate::show(ui, look, certificate, stale));
    }
}

fn method_choice(ui: &mut Ui, look: &mut Look<'_>) {
    let combo = ComboBox::from_id_salt("method").width(116.0).selected_text(method_words(look.desk.method).0);
    let response = combo.show_ui(ui, |ui| {
        for method in [Method::SagFree, Method::Naive, Method::NoContact, Method::PinnedContacts] {
            let (label, hint) = method_words(method);
            if ui.selectable_label(look.desk.method == method, label).on_hover_text(hint).clicked() {
                look.actions.push(Action::SetMethod(method));
            }
        }
    });
    let info = || egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Method of initialisation");
    response.response.widget_info(info);
}
