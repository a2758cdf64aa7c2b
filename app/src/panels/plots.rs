//! Numbers against time, on pages; a line stands at the frame on screen, and a click goes to another.

use aplomb_sim::step::StepStats;
use egui::{Align, Color32, Layout, Sense, Ui, UiBuilder, Vec2b, vec2};
use egui_plot::{AxisHints, GridMark, Line, Plot, PlotPoints, VLine};

use super::Look;
use crate::document::Action;
use crate::document::command::Seek;
use crate::session::Track;
use crate::theme::meaning;
use crate::viewport::ticks;
use crate::widgets::significant;

/// A curve: name, colour, value of a step.
type Curve = (&'static str, Color32, fn(&StepStats) -> f64);

const BLUE: Color32 = Color32::from_rgb(72, 160, 240);
const ORANGE: Color32 = Color32::from_rgb(240, 150, 70);
const GREEN: Color32 = Color32::from_rgb(90, 190, 130);
const PINK: Color32 = Color32::from_rgb(226, 110, 160);
const VIOLET: Color32 = Color32::from_rgb(156, 130, 230);
const GREY: Color32 = Color32::from_rgb(150, 158, 170);

/// The same colours on a light ground, dark enough to be read.
const ON_LIGHT: [(Color32, Color32); 6] = [
    (BLUE, Color32::from_rgb(7, 102, 153)),
    (ORANGE, Color32::from_rgb(178, 95, 0)),
    (GREEN, Color32::from_rgb(27, 132, 81)),
    (PINK, Color32::from_rgb(178, 58, 126)),
    (VIOLET, Color32::from_rgb(96, 66, 176)),
    (GREY, Color32::from_rgb(90, 99, 110)),
];

/// A curve's colour on the ground of `ui`.
fn on_ground(ui: &Ui, color: Color32) -> Color32 {
    let light = ON_LIGHT.iter().find(|(dark, _)| *dark == color).filter(|_| !ui.visuals().dark_mode);
    light.map_or(color, |(_, light)| *light)
}

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
            logarithmic("Shares", [-12.0, -8.0], &[("residual", BLUE, |s| s.residual), ("drift", ORANGE, |s| s.drift)]),
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
            logarithmic("Linear residual", [-16.0, -8.0], &[("residual", BLUE, |s| s.linear_residual)]),
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
            // Each has its share of the room, however long its key is.
            let (share, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
            let layout = Layout::top_down(Align::Min);
            let mut inside = ui.new_child(UiBuilder::new().max_rect(share).layout(layout).id_salt(chart.title));
            inside.set_clip_rect(ui.clip_rect().intersect(share.expand2(vec2(16.0, 0.0))));
            sought = chart.show(&mut inside, main).or(sought);
        }
    });
    if let Some(time) = sought {
        look.actions.push(Action::Seek(Seek::To(main.series.frame_at(time))));
    }
}

/// Marks of a vertical axis: at 1, 2, 5 times a power of ten, and at whole powers where it is logarithmic.
fn marks((low, high): (f64, f64), logarithmic: bool) -> Vec<GridMark> {
    let rough = (high - low) / 4.0;
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let unit = 10.0_f64.powf(rough.log10().floor());
    let step = unit * [1.0, 2.0, 5.0].into_iter().find(|factor| factor * unit >= 0.7 * rough).unwrap_or(10.0);
    let step_size = if logarithmic { step.round().max(1.0) } else { step };
    let (first, last) = ((low / step_size).ceil(), (high / step_size).floor());
    (0..=(last - first).max(-1.0) as i64).map(|k| GridMark { value: (first + k as f64) * step_size, step_size }).collect()
}

/// The label of a mark: with the digits that tell it from the next one, after division by ten to `scale`.
fn written(mark: GridMark, logarithmic: bool, scale: i32) -> String {
    if logarithmic {
        return format!("1e{:.0}", mark.value);
    }
    let scale = 10.0_f64.powi(scale);
    let decimals = (-(mark.step_size / scale).log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize;
    // Nothing is not less than nothing.
    format!("{:.decimals$}", mark.value / scale + 0.0)
}

/// The largest size of the numbers of `curves`.
fn most<'a>(curves: impl IntoIterator<Item = &'a Curve>, track: &Track) -> f64 {
    let sizes = curves.into_iter().flat_map(|(.., of)| track.series.iter().map(move |step| of(step).abs()));
    sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
}

impl Chart {
    /// The curves that say something: of many, those that are zero throughout leave their room to the others.
    fn shown(&self, track: &Track) -> Vec<Curve> {
        let all = || self.curves.iter().copied();
        let some: Vec<_> = all().filter(|curve| most([curve], track) > 0.0).collect();
        if self.curves.len() < 3 || some.is_empty() { all().collect() } else { some }
    }

    /// Draws it; gives the time that was pointed at with the button held.
    fn show(&self, ui: &mut Ui, track: &Track) -> Option<f64> {
        let colors = meaning(ui);
        let (power, curves, most) = (self.powers.is_some(), self.shown(track), most(self.curves, track));
        let scale = if power { 0 } else { ticks::power(most) };
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 0.0);
            ui.label(egui::RichText::new(self.title).color(colors.dim).small());
            if scale != 0 {
                ui.label(egui::RichText::new(format!("× 1e{scale}")).color(colors.dim).small())
                    .on_hover_text("The numbers beside the plot, times this");
            }
            for (name, color, _) in curves.iter().filter(|_| self.curves.len() > 1) {
                ui.label(egui::RichText::new(*name).color(on_ground(ui, *color)).small());
            }
        });
        // A quantity that hardly changes is drawn flat, not as its own noise.
        let first = track.series.iter().next().map_or(0.0, |step| self.curves[0].2(step));
        let [low, high] = self.powers.unwrap_or(if most == 0.0 { [0.0, 1.0] } else { [first * 0.999, first * 1.001] });
        // Marks keep their labels where they stand close, as they do in a plot that is a third of the window wide.
        let seconds = AxisHints::new_x().formatter(|mark, _| format!("{} s", significant(mark.value, 4))).label_spacing(36.0..=48.0);
        let write = move |mark: GridMark, _: &std::ops::RangeInclusive<f64>| written(mark, power, scale);
        let values = AxisHints::new_y().formatter(write).label_spacing(10.0..=14.0).min_thickness(44.0);
        let plot = Plot::new(self.title)
            .height(ui.available_height())
            .show_axes(true)
            .show_background(true)
            .allow_scroll(false)
            // Dragging moves through time.
            .allow_drag(false)
            .auto_bounds(Vec2b::TRUE)
            .set_margin_fraction(vec2(0.02, 0.08))
            .include_y(low)
            .include_y(high)
            .y_grid_spacer(move |input| marks(input.bounds, power))
            .custom_x_axes(vec![seconds])
            .custom_y_axes(vec![values])
            .link_cursor(egui::Id::unique("plots"), Vec2b::new(true, false));
        let tones = curves.iter().map(|(_, color, _)| on_ground(ui, *color)).collect::<Vec<_>>();
        let shown = plot.show(ui, |plot| {
            plot.vline(VLine::new("frame on screen", track.time()).color(colors.dim).width(1.0));
            for ((name, _, of), tone) in curves.iter().zip(tones) {
                let value = |step: &StepStats| if power { of(step).max(SMALLEST).log10() } else { of(step) };
                let points = track.series.iter().map(|step| [step.time, value(step)]).filter(|point| point[1].is_finite());
                plot.line(Line::new(*name, points.collect::<PlotPoints<'_>>()).color(tone).width(1.5));
            }
            plot.pointer_coordinate().map(|pointer| pointer.x)
        });
        let pointed = shown.response.clicked() || shown.response.dragged_by(egui::PointerButton::Primary);
        shown.inner.filter(|_| pointed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(bounds: (f64, f64), logarithmic: bool, scale: i32) -> Vec<String> {
        marks(bounds, logarithmic).into_iter().map(|mark| written(mark, logarithmic, scale)).collect()
    }

    #[test]
    fn every_axis_has_clean_numbers() {
        assert_eq!(labels((-12.3, -7.8), true, 0), ["1e-12", "1e-11", "1e-10", "1e-9", "1e-8"]);
        assert_eq!(labels((-4.31, -3.92), true, 0), ["1e-4"], "whole powers only");
        assert_eq!(labels((-18.2, 2.1), true, 0), ["1e-15", "1e-10", "1e-5", "1e0"]);
        assert_eq!(labels((-0.02, 1.02), false, 0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels((-3e-17, 4e-17), false, -18), ["-20", "0", "20", "40"]);
        assert_eq!(labels((-2.5e-5, 3.1e-5), false, -6), ["-20", "-10", "0", "10", "20", "30"]);
        for bounds in [(f64::NAN, 1.0), (1.0, 1.0), (f64::NEG_INFINITY, 0.0)] {
            assert_eq!(labels(bounds, false, 0), [""; 0]);
        }
    }
}
