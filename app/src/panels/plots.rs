//! Numbers against time, on pages; a line stands at the frame on screen, and a click goes to another.

use aplomb_sim::step::StepStats;
use egui::{Color32, Ui, Vec2b};
use egui_plot::{AxisHints, Line, Plot, PlotPoints, VLine};

use super::Look;
use crate::document::Action;
use crate::document::command::Seek;
use crate::session::Track;
use crate::theme::meaning;
use crate::widgets::significant;

/// A curve: name, colour, value of a step.
type Curve = (&'static str, Color32, fn(&StepStats) -> f64);

const BLUE: Color32 = Color32::from_rgb(72, 160, 240);
const ORANGE: Color32 = Color32::from_rgb(240, 150, 70);
const GREEN: Color32 = Color32::from_rgb(90, 190, 130);
const PINK: Color32 = Color32::from_rgb(226, 110, 160);
const VIOLET: Color32 = Color32::from_rgb(156, 130, 230);
const GREY: Color32 = Color32::from_rgb(150, 158, 170);

/// Curves with one axis.
struct Chart {
    title: &'static str,
    curves: &'static [Curve],
    /// Powers of ten that the axis reaches over at least; `None` for an axis that is not logarithmic.
    powers: Option<[f64; 2]>,
}

const fn linear(title: &'static str, curves: &'static [Curve]) -> Chart {
    Chart { title, curves, powers: None }
}

const fn logarithmic(title: &'static str, powers: [f64; 2], curves: &'static [Curve]) -> Chart {
    Chart { title, curves, powers: Some(powers) }
}

/// Pages: name and charts.
const PAGES: &[(&str, &[Chart])] = &[
    (
        "Overview",
        &[
            linear(
                "Energy [J]",
                &[
                    ("kinetic", BLUE, |s| s.kinetic),
                    ("elastic", GREEN, |s| s.elastic),
                    ("gravity", ORANGE, |s| s.gravity),
                    ("contact", PINK, |s| s.contact),
                    ("pressure", VIOLET, |s| s.pressure),
                    ("total", GREY, |s| s.total),
                ],
            ),
            logarithmic("Residual, drift [share]", [-12.0, -8.0], &[("residual", BLUE, |s| s.residual), ("drift", ORANGE, |s| s.drift)]),
            linear("Volume [m³]", &[("volume", GREEN, |s| s.volume)]),
        ],
    ),
    (
        "Motion",
        &[
            linear("Dissipated energy [J]", &[("friction", ORANGE, |s| s.friction), ("damping", VIOLET, |s| s.damping)]),
            linear("Momentum [kg m/s]", &[("x", PINK, |s| s.momentum.x), ("y", GREEN, |s| s.momentum.y), ("z", BLUE, |s| s.momentum.z)]),
            linear(
                "Angular momentum [kg m²/s]",
                &[("x", PINK, |s| s.angular_momentum.x), ("y", GREEN, |s| s.angular_momentum.y), ("z", BLUE, |s| s.angular_momentum.z)],
            ),
        ],
    ),
    (
        "Solver",
        &[
            linear(
                "Newton's method",
                &[
                    ("iterations", BLUE, |s| s.iterations.into()),
                    ("halvings", ORANGE, |s| s.halvings.into()),
                    ("parts", GREY, |s| s.substeps.into()),
                ],
            ),
            linear(
                "Wall time [ms]",
                &[
                    ("step", GREY, |s| 1e3 * s.seconds),
                    ("elements", GREEN, |s| 1e3 * s.phases.elements),
                    ("contact", PINK, |s| 1e3 * s.phases.contact),
                    ("ccd", ORANGE, |s| 1e3 * s.phases.ccd),
                    ("linear", BLUE, |s| 1e3 * s.phases.linear),
                    ("line search", VIOLET, |s| 1e3 * s.phases.line_search),
                ],
            ),
        ],
    ),
    (
        "Contact",
        &[
            logarithmic(
                "Smallest gap [m]",
                [-5.0, -4.0],
                &[("true", BLUE, |s| s.min_gap.max(NO_GAP)), ("effective", ORANGE, |s| s.min_effective_gap.max(NO_GAP))],
            ),
            linear("Contacts", &[("pushing", PINK, |s| s.contacts.into()), ("looked at", GREY, |s| s.contact_pairs.into())]),
        ],
    ),
];

/// A body that is given in touch has no gap at all; it is drawn as this [m].
const NO_GAP: f64 = 1e-9;
/// Powers of ten below this are drawn at it: a residual of exactly zero has no logarithm.
const SMALLEST: f64 = 1e-18;

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let main = look.main;
    if main.series.is_empty() {
        ui.weak("Press Play: energies, residual and volume are drawn here, one point a step.");
        return;
    }
    let height = ui.available_height();
    let mut sought = None;
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            for (index, (name, _)) in PAGES.iter().enumerate() {
                ui.selectable_value(&mut look.desk.plot_page, index, *name);
            }
        });
        let charts = PAGES[look.desk.plot_page.min(PAGES.len() - 1)].1;
        // Room for the gaps, and for the half of the last time label that stands out to the right.
        let width = (ui.available_width() - 40.0) / charts.len() as f32;
        for chart in charts {
            ui.allocate_ui(egui::vec2(width, height), |ui| {
                ui.vertical(|ui| sought = chart.show(ui, main).or(sought));
            });
        }
    });
    if let Some(time) = sought {
        look.actions.push(Action::Seek(Seek::To(main.series.frame_at(time))));
    }
}

impl Chart {
    /// Draws it; gives the time that was pointed at with the button held.
    fn show(&self, ui: &mut Ui, track: &Track) -> Option<f64> {
        let colors = meaning(ui);
        ui.horizontal(|ui| {
            ui.label(egui::RichText::new(self.title).color(colors.dim).small());
            for (name, color, _) in self.curves.iter().filter(|_| self.curves.len() > 1) {
                ui.label(egui::RichText::new(*name).color(*color).small());
            }
        });
        let power = self.powers.is_some();
        let value = move |number: f64| if power { format!("1e{}", significant(number, 2)) } else { significant(number, 5) };
        // A quantity that hardly changes is drawn flat, not as its own noise.
        let first = track.series.iter().next().map_or(0.0, |step| self.curves[0].2(step));
        let [low, high] = self.powers.unwrap_or([first * 0.999, first * 1.001]);
        // Marks keep their labels where they stand close, as they do in a plot that is a third of the window wide.
        let seconds = AxisHints::new_x().formatter(|mark, _| format!("{} s", significant(mark.value, 4))).label_spacing(36.0..=48.0);
        let values = AxisHints::new_y().formatter(move |mark, _| value(mark.value)).label_spacing(14.0..=18.0).min_thickness(52.0);
        let plot = Plot::new(self.title)
            .height(ui.available_height())
            .show_axes(true)
            .show_background(true)
            .allow_scroll(false)
            // Dragging moves through time.
            .allow_drag(false)
            .auto_bounds(Vec2b::TRUE)
            .set_margin_fraction(egui::vec2(0.02, 0.08))
            .include_y(low)
            .include_y(high)
            .custom_x_axes(vec![seconds])
            .custom_y_axes(vec![values])
            .link_cursor(egui::Id::unique("plots"), Vec2b::new(true, false));
        let shown = plot.show(ui, |plot| {
            plot.vline(VLine::new("frame on screen", track.time()).color(colors.dim).width(1.0));
            for (name, color, of) in self.curves {
                let value = |step: &StepStats| if power { of(step).max(SMALLEST).log10() } else { of(step) };
                let points = track.series.iter().map(|step| [step.time, value(step)]).filter(|point| point[1].is_finite());
                plot.line(Line::new(*name, points.collect::<PlotPoints<'_>>()).color(*color).width(1.5));
            }
            plot.pointer_coordinate().map(|pointer| pointer.x)
        });
        let pointed = shown.response.clicked() || shown.response.dragged_by(egui::PointerButton::Primary);
        shown.inner.filter(|_| pointed)
    }
}
