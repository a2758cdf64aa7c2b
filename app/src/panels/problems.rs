//! What is wrong, where, and what to do.

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{Mend, SceneProblem};
use egui::{Align, Color32, FontId, Frame, Layout, Margin, RichText, ScrollArea, Ui, vec2};

use super::fault::show_the_place;
use super::initialise::{mend_button, tone};
use super::{Look, Trouble};
use crate::theme::{self, icons, meaning};

/// Height before it was measured, and most that is asked for [points].
const HEIGHT: f32 = 40.0;
const MOST: f32 = 200.0;
/// Room around all problems, and for the buttons beside one [points].
const AROUND: f32 = 16.0;
const BUTTONS: f32 = 280.0;

/// Height that makes sense [points]: that of all words.
pub fn height(look: &Look<'_>) -> f32 {
    look.desk.problems_height.unwrap_or(HEIGHT).min(MOST) + AROUND
}

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    if look.problem_count() == 0 {
        ui.weak("No problems.");
        look.desk.problems_height = None;
        return;
    }
    let problems: Vec<SceneProblem> = look.document.problems.iter().chain(&look.main.problems).cloned().collect();
    let area = ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        for trouble in look.troubles() {
            trouble_row(ui, look, &trouble);
        }
        for problem in &problems {
            problem_row(ui, look, problem);
        }
    });
    look.desk.problems_height = Some(area.content_size.y);
}

/// A problem on a ground of its own: its words at the left, what can be done at the right, where there is room for both.
fn card(ui: &mut Ui, (icon, tone): (&str, Color32), words: impl FnOnce(&mut Ui), buttons: Option<&mut dyn FnMut(&mut Ui)>) {
    Frame::new().fill(meaning(ui).card).corner_radius(4).inner_margin(Margin::symmetric(8, 4)).show(ui, |ui| {
        let wide = ui.available_width() > 2.0 * BUTTONS;
        let mut buttons = buttons;
        ui.horizontal(|ui| {
            ui.set_min_height(24.0);
            ui.label(RichText::new(icon).font(FontId::new(14.0, theme::filled())).color(tone));
            let room = ui.available_width() - if wide && buttons.is_some() { BUTTONS } else { 0.0 };
            let inside = Layout::left_to_right(Align::Center).with_main_wrap(true);
            ui.allocate_ui_with_layout(vec2(room, 24.0), inside, words);
            if let Some(buttons) = buttons.take_if(|_| wide) {
                ui.with_layout(Layout::right_to_left(Align::Center), buttons);
            }
        });
        if let Some(buttons) = buttons {
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.horizontal(buttons));
        }
        ui.allocate_space(vec2(ui.available_width(), 0.0));
    });
}

fn trouble_row(ui: &mut Ui, look: &mut Look<'_>, trouble: &Trouble) {
    let color = tone(trouble.verdict, meaning(ui));
    let words = |ui: &mut Ui| {
        ui.label(RichText::new(trouble.verdict.to_string()).color(meaning(ui).dim));
        ui.label(RichText::new(&trouble.message).color(color));
    };
    let mut buttons = |ui: &mut Ui| what_to_do(ui, look, trouble.place, trouble.mend.as_ref());
    card(ui, (icons::ERROR, color), words, Some(&mut buttons));
}

/// The buttons beside a problem.
fn what_to_do(ui: &mut Ui, look: &mut Look<'_>, place: Option<Vec3>, mend: Option<&Mend>) {
    show_the_place(ui, look, place);
    mend_button(ui, look, mend, false);
}

fn problem_row(ui: &mut Ui, look: &mut Look<'_>, problem: &SceneProblem) {
    let colors = meaning(ui);
    let words = |ui: &mut Ui| {
        let place = place(problem);
        if !place.is_empty() && ui.link(RichText::new(&place).color(colors.dim)).on_hover_text("Copy the place").clicked() {
            ui.ctx().copy_text(full_place(problem));
        }
        if !problem.path.is_empty() {
            ui.label(RichText::new(&problem.path).color(colors.dim));
        }
        ui.label(RichText::new(&problem.message).color(colors.error));
    };
    let Some(spot) = &problem.spot else {
        card(ui, (icons::ERROR, colors.error), words, None);
        return;
    };
    let mut buttons = |ui: &mut Ui| what_to_do(ui, look, spot.place.map(Vec3::from), spot.mend.as_ref());
    card(ui, (icons::ERROR, colors.error), words, Some(&mut buttons));
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
