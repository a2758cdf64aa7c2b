//! What pictures are to be like, and how far they are written.

use egui::{Align2, ProgressBar, Ui, vec2};

use super::{ColorBy, Look};
use crate::document::picture::{LARGEST, MOST_TURNS};
use crate::document::{Action, PictureKind, PictureOptions, PictureSize};
use crate::session::Track;
use crate::theme::meaning;
use crate::widgets::{choice_row, count_row, heading};

/// Sizes to choose from: the same number of times as the view, or given in pixels.
const SIZES: [(u32, &str, &str); 4] = [
    (1, "as the view", "As many pixels as the view has on the screen"),
    (2, "twice the view", "Twice as many pixels each way"),
    (4, "four times the view", "Four times as many pixels each way: for print"),
    (0, "in pixels", "Width and height of your own"),
];

/// The rows of the card that asks for a path.
pub(super) fn options(ui: &mut Ui, kind: PictureKind, options: &mut PictureOptions, view: (u32, u32), main: &Track, color_by: ColorBy) {
    let (width, height) = options.pixels(view);
    let mut factor = if let PictureSize::View(factor) = options.size { factor } else { 0 };
    if choice_row(ui, "Size", &mut factor, &SIZES) {
        options.size = if factor == 0 { PictureSize::Pixels(width, height) } else { PictureSize::View(factor) };
    }
    if let PictureSize::Pixels(width, height) = &mut options.size {
        count_row(ui, "Width", width, 16..=LARGEST, "Pixels from left to right");
        count_row(
            ui,
            "Height",
            height,
            16..=LARGEST,
            "Pixels from top to bottom; a picture of another shape shows more or less at its sides",
        );
    }
    if kind == PictureKind::Turntable {
        count_row(ui, "Pictures", &mut options.turns, 2..=MOST_TURNS, "Pictures of one turn around the vertical axis");
    }
    ui.checkbox(&mut options.transparent, "Transparent background")
        .on_hover_text("Without backdrop and ground: what nothing covers is seen through");
    let colored = color_by != ColorBy::Plain;
    let mut shown = options.legend && colored;
    let legend = ui.add_enabled(colored, egui::Checkbox::new(&mut shown, "Legend"));
    if legend
        .on_hover_text("The colours and their limits, as in the view")
        .on_disabled_hover_text("The bodies are plain: choose what colours tell first")
        .changed()
    {
        options.legend = shown;
    }
    let count = match kind {
        PictureKind::Still => "One picture".to_owned(),
        PictureKind::Run => format!("{} pictures, one a frame; colours keep the limits that the legend has now", main.last_frame() + 1),
        PictureKind::Turntable => format!("{} pictures, one turn from where the view is seen now", options.turns),
    };
    let (width, height) = options.pixels(view);
    ui.label(egui::RichText::new(format!("{count}, {width} × {height} pixels")).color(meaning(ui).dim).small());
}

/// How far pictures are written, and a way to stop that; from `top` on.
pub fn shooting(ctx: &egui::Context, look: &mut Look<'_>, top: f32) {
    let Some((done, all)) = look.desk.shooting else { return };
    let window = egui::Window::new("Pictures").title_bar(false).resizable(false).anchor(Align2::CENTER_TOP, vec2(0.0, top + 6.0));
    window.show(ctx, |ui| {
        ui.set_width(320.0);
        heading(ui, "Saving pictures");
        let text = format!("{done} of {all}");
        let bar = ui.add(ProgressBar::new(done as f32 / all.max(1) as f32).text(text.as_str()));
        bar.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ProgressIndicator, true, format!("Pictures saved: {text}")));
        if ui.button("Cancel").on_hover_text("What is saved stays (Esc)").clicked() {
            look.actions.push(Action::Cancel);
        }
    });
}
