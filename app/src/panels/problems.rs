//! What is wrong, where, and what to do.

use aplomb_sim::scene::SceneProblem;
use egui::{RichText, ScrollArea, Ui};

use super::Look;
use super::initialise::{mend_button, tone};
use crate::document::Action;
use crate::theme::meaning;

/// Height of a problem in words that are not too many, and of the room around all [points].
const ROW: f32 = 32.0;
const AROUND: f32 = 24.0;

/// Height that makes sense [points].
pub fn height(look: &Look<'_>) -> f32 {
    look.problem_count().clamp(1, 4) as f32 * ROW + AROUND
}

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let colors = meaning(ui);
    if look.problem_count() == 0 {
        ui.weak("No problems.");
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for trouble in look.troubles() {
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(trouble.verdict.to_string()).color(colors.dim));
                ui.label(RichText::new(&trouble.message).color(tone(trouble.verdict, colors)));
                mend_button(ui, look, trouble.mend.as_ref(), false);
                if let Some(place) = trouble.place
                    && ui.link("Show the place").on_hover_text("Mark it, and move the camera there").clicked()
                {
                    look.actions.push(Action::Show(vec![place]));
                }
            });
        }
        for problem in look.document.problems.iter().chain(&look.main.problems) {
            ui.horizontal_wrapped(|ui| {
                let place = place(problem);
                if !place.is_empty() && ui.link(RichText::new(&place).color(colors.dim)).on_hover_text("Copy the place").clicked() {
                    ui.ctx().copy_text(full_place(problem));
                }
                if !problem.path.is_empty() {
                    ui.label(RichText::new(&problem.path).color(colors.dim));
                }
                ui.label(RichText::new(&problem.message).color(colors.error));
            });
        }
    });
}

fn place(problem: &SceneProblem) -> String {
    let name = problem.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match (name.is_empty(), problem.line) {
        (true, _) => String::new(),
        (false, 0) => name,
        (false, line) => format!("{name}:{line}:{}", problem.column),
    }
}

fn full_place(problem: &SceneProblem) -> String {
    format!("{}:{}:{}", problem.file.display(), problem.line, problem.column)
}
