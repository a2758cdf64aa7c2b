//! Numbers against time: energies, residual, volume.

use aplomb_sim::step::StepStats;
use egui::{Color32, Ui, Vec2b};
use egui_plot::{AxisHints, Line, Plot, PlotPoints};

use super::Look;
use crate::theme::meaning;
use crate::widgets::significant;

/// A curve: name, colour, value of a step.
type Curve = (&'static str, Color32, fn(&StepStats) -> f64);

const BLUE: Color32 = Color32::from_rgb(72, 160, 240);
const ORANGE: Color32 = Color32::from_rgb(240, 150, 70);
const GREEN: Color32 = Color32::from_rgb(90, 190, 130);
const PINK: Color32 = Color32::from_rgb(226, 110, 160);
const GREY: Color32 = Color32::from_rgb(150, 158, 170);

const ENERGIES: &[Curve] = &[
    ("kinetic", BLUE, |s| s.kinetic),
    ("elastic", GREEN, |s| s.elastic),
    ("gravity", ORANGE, |s| s.gravity),
    ("contact", PINK, |s| s.contact),
    ("total", GREY, |s| s.kinetic + s.elastic + s.gravity + s.contact),
];
const RESIDUAL: &[Curve] = &[("residual", BLUE, |s| logarithm(s.residual)), ("drift", ORANGE, |s| logarithm(s.drift))];
const VOLUME: &[Curve] = &[("volume", GREEN, |s| s.volume)];

/// Powers of ten below this are drawn at it: a residual of exactly zero has no logarithm.
const SMALLEST: f64 = 1e-18;

fn logarithm(value: f64) -> f64 {
    value.max(SMALLEST).log10()
}

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let series = &look.main.series;
    if series.is_empty() {
        ui.weak("Press Play: energies, residual and volume are drawn here, one point a step.");
        return;
    }
    // Room for the gaps, and for the half of the last time label that stands out to the right.
    let width = (ui.available_width() - 40.0) / 3.0;
    let height = ui.available_height();
    ui.horizontal_top(|ui| {
        for (title, curves, power) in
            [("Energy [J]", ENERGIES, false), ("Residual, drift [share]", RESIDUAL, true), ("Volume [m³]", VOLUME, false)]
        {
            ui.allocate_ui(egui::vec2(width, height), |ui| {
                ui.vertical(|ui| plot(ui, title, curves, power, series));
            });
        }
    });
}

fn plot(ui: &mut Ui, title: &str, curves: &[Curve], power: bool, series: &[StepStats]) {
    let dim = meaning(ui).dim;
    ui.horizontal(|ui| {
        ui.label(egui::RichText::new(title).color(dim).small());
        for (name, color, _) in curves.iter().filter(|_| curves.len() > 1) {
            ui.label(egui::RichText::new(*name).color(*color).small());
        }
    });
    let value = move |number: f64| if power { format!("1e{}", significant(number, 2)) } else { significant(number, 5) };
    // A quantity that hardly changes is drawn flat, not as its own noise.
    let first = series.first().map_or(0.0, |step| curves[0].2(step));
    // Marks keep their labels where they stand close, as they do in a plot that is a third of the window wide.
    let seconds = AxisHints::new_x().formatter(|mark, _| format!("{} s", significant(mark.value, 4))).label_spacing(36.0..=48.0);
    let values = AxisHints::new_y().formatter(move |mark, _| value(mark.value)).label_spacing(14.0..=18.0).min_thickness(52.0);
    let plot = Plot::new(title.to_owned())
        .height(ui.available_height())
        .show_axes(true)
        .show_background(true)
        .allow_scroll(false)
        .auto_bounds(Vec2b::TRUE)
        .set_margin_fraction(egui::vec2(0.02, 0.08))
        .include_y(if power { -8.0 } else { first * 1.001 })
        .include_y(if power { -12.0 } else { first * 0.999 })
        .custom_x_axes(vec![seconds])
        .custom_y_axes(vec![values])
        .link_cursor(egui::Id::unique("plots"), Vec2b::new(true, false));
    plot.show(ui, |plot| {
        for (name, color, of) in curves {
            let points: PlotPoints<'_> = series.iter().map(|step| [step.time, of(step)]).collect();
            plot.line(Line::new(*name, points).color(*color).width(1.5));
        }
    });
}
