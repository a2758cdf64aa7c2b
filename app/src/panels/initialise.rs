//! Initialise: the method, progress with Cancel, and the certificate.

use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::Conclusion;
use egui::{Align, ComboBox, Layout, ProgressBar, RichText, Ui};

use super::desk::{METHODS, RightTab, method_words};
use super::{Look, fault, live, verdict};
use crate::document::Action;
use crate::theme::{icons, meaning};
use crate::widgets::{card, lead_button};

mod certificate;
mod options;

pub use certificate::{cure_button, mend_button, tone};

/// Draws the panel: the verdict, and what asks for another.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    if std::mem::take(&mut look.desk.verdict_wanted) {
        // What comes of it is seen, whatever was just selected.
        look.desk.inspected = Some(look.document.selection);
        look.desk.side = RightTab::Certificate;
    }
    ui.scope(|ui| {
        verdict::line(ui, look);
        // What mends it comes first.
        let leads = fault::card(ui, look);
        let busy = look.main.activity.is_busy();
        ui.horizontal(|ui| {
            let enabled = !busy && !look.document.scene().bodies.is_empty();
            // Where the pose holds, Play is next.
            let holds = look.outcome().is_some_and(|outcome| outcome.verdict == Conclusion::Holds) || look.held_before();
            let is_next = !leads && !holds;
            let text = if look.main.certificate.is_some() { "Initialise again" } else { "Initialise" };
            let button = lead_button(ui, enabled, is_next, icons::INITIALISE, text);
            button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, "Initialise"));
            if button.on_hover_text("Find the rest state in which the body holds its shape (Ctrl+Enter)").clicked() {
                look.actions.push(Action::Initialise);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| method_choice(ui, look));
        });
        live::show(ui, look);
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
}

/// Draws the certificate.
pub fn certificate(ui: &mut Ui, look: &mut Look<'_>) {
    let main = look.main;
    match &main.certificate {
        Some(certificate) => card(ui, |ui| certificate::show(ui, look, certificate)),
        None => {
            ui.weak(
                "Initialise, and it is told here how far the pose is in balance, how hard its elements work, and whether it is stable.",
            );
        }
    }
}

fn method_choice(ui: &mut Ui, look: &mut Look<'_>) {
    let combo = ComboBox::from_id_salt("method").width(116.0).selected_text(method_words(look.desk.method).0);
    let response = combo.show_ui(ui, |ui| {
        for method in METHODS {
            let (label, hint) = method_words(method);
            if ui.selectable_label(look.desk.method == method, label).on_hover_text(hint).clicked() {
                look.actions.push(Action::SetMethod(method));
            }
        }
    });
    let info = || egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Method of initialisation");
    response.response.widget_info(info);
}
