//! Numbers against time, on pages; a line stands at the frame on screen, and a click goes to another.

use aplomb_sim::stats::chart::{Axis, Chart, Curve, Hue};
use aplomb_sim::stats::registry::statistics;
use aplomb_sim::stats::statistic::Statistic;
use aplomb_sim::step::StepStats;
use egui::{Align, Color32, Layout, ScrollArea, Sense, Ui, UiBuilder, Vec2b, vec2};
use egui_plot::{AxisHints, GridMark, Line, Plot, PlotPoints, VLine};

use super::Look;
use crate::document::Action;
use crate::document::command::Seek;
use crate::session::Track;
use crate::theme::meaning;
use crate::viewport::ticks;
use crate::widgets::significant;

/// The shades of a hue on a dark ground, and on a light one, where it is dark enough to be read.
fn shades(hue: Hue) -> [Color32; 2] {
    let [dark, light] = match hue {
        Hue::Blue => [[72, 160, 240], [7, 102, 153]],
        Hue::Orange => [[240, 150, 70], [178, 95, 0]],
        Hue::Green => [[90, 190, 130], [27, 132, 81]],
        Hue::Pink => [[226, 110, 160], [178, 58, 126]],
        Hue::Violet => [[156, 130, 230], [96, 66, 176]],
        Hue::Grey => [[150, 158, 170], [90, 99, 110]],
    };
    [dark, light].map(|[r, g, b]| Color32::from_rgb(r, g, b))
}

/// A statistic that is drawn, and how.
#[derive(Clone, Copy)]
struct Drawn {
    statistic: &'static Statistic,
    curve: Curve,
}

impl Drawn {
    /// Its number of a step, as it is drawn.
    fn of(&self, step: &StepStats) -> f64 {
        self.curve.chart.factor * self.statistic.of(step)
    }

    /// Its colour on a ground.
    fn color(&self, on_dark: bool) -> Color32 {
        let [dark, light] = shades(self.curve.hue);
        if on_dark { dark } else { light }
    }

    /// Its label in the key of a chart.
    fn key(&self, ui: &mut Ui) {
        let color = self.color(ui.visuals().dark_mode);
        ui.label(egui::RichText::new(self.curve.label).color(color).small()).on_hover_text(hint(self.statistic));
    }
}

/// What a number is, with its unit.
fn hint(statistic: &Statistic) -> String {
    if statistic.unit.is_empty() { statistic.doc.to_owned() } else { format!("{} [{}]", statistic.doc, statistic.unit) }
}

/// Curves with one axis.
struct Plotted {
    chart: &'static Chart,
    curves: Vec<Drawn>,
}

/// Every page by its name, with its charts; all in the order in which statistics name them.
fn pages() -> Vec<(&'static str, Vec<Plotted>)> {
    let mut pages: Vec<(&str, Vec<Plotted>)> = Vec::new();
    for statistic in statistics() {
        let Some(curve) = statistic.curve else { continue };
        let drawn = Drawn { statistic, curve };
        let page = match pages.iter().position(|(name, _)| *name == curve.chart.page) {
            Some(known) => known,
            None => {
                pages.push((curve.chart.page, Vec::new()));
                pages.len() - 1
            }
        };
        let charts = &mut pages[page].1;
        match charts.iter_mut().find(|plotted| plotted.chart == curve.chart) {
            Some(plotted) => plotted.curves.push(drawn),
            None => charts.push(Plotted { chart: curve.chart, curves: vec![drawn] }),
        }
    }
    pages
}

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let main = look.main;
    if main.series.is_empty() {
        ui.weak("Press Play: energies, residual and volume are drawn here, one point a step.");
        return;
    }
    let pages = pages();
    let height = ui.available_height();
    let mut sought = None;
    ui.horizontal_top(|ui| {
        ScrollArea::vertical().id_salt("pages").show(ui, |ui| {
            for (index, (name, _)) in pages.iter().enumerate() {
                ui.selectable_value(&mut look.desk.plot_page, index, *name);
            }
        });
        let charts = pages.get(look.desk.plot_page).or(pages.first()).map_or(&[][..], |(_, charts)| charts);
        // Room for the gaps, and for the half of the last time label that stands out to the right.
        let width = (ui.available_width() - 40.0) / charts.len() as f32;
        for chart in charts {
            // Each has its share of the room, however long its key is.
            let (share, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
            let layout = Layout::top_down(Align::Min);
            let mut inside = ui.new_child(UiBuilder::new().max_rect(share).layout(layout).id_salt(chart.chart.title));
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
fn most(curves: &[Drawn], track: &Track) -> f64 {
    let sizes = curves.iter().flat_map(|curve| track.series.iter().map(|step| curve.of(step).abs()));
    sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
}

impl Plotted {
    /// The curves that say something: of many, those that are zero throughout leave their room to the others.
    fn shown(&self, track: &Track) -> Vec<Drawn> {
        let some: Vec<_> = self.curves.iter().copied().filter(|curve| most(&[*curve], track) > 0.0).collect();
        if self.curves.len() < 3 || some.is_empty() { self.curves.clone() } else { some }
    }

    /// Draws it; gives the time that was pointed at with the button held.
    fn show(&self, ui: &mut Ui, track: &Track) -> Option<f64> {
        let colors = meaning(ui);
        let (title, axis) = (self.chart.title, self.chart.axis);
        let (curves, most) = (self.shown(track), most(&self.curves, track));
        let power = matches!(axis, Axis::Logarithmic { .. });
        let scale = if power { 0 } else { ticks::power(most) };
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 0.0);
            let named = ui.label(egui::RichText::new(title).color(colors.dim).small());
            if scale != 0 {
                ui.label(egui::RichText::new(format!("× 1e{scale}")).color(colors.dim).small())
                    .on_hover_text("The numbers beside the plot, times this");
            }
            match self.curves.as_slice() {
                [one] => drop(named.on_hover_text(hint(one.statistic))),
                _ => curves.iter().for_each(|curve| curve.key(ui)),
            }
        });
        // A quantity that hardly changes is drawn flat, not as its own noise.
        let [low, high] = match axis {
            Axis::Logarithmic { powers, .. } => powers,
            Axis::Linear if most == 0.0 => [0.0, 1.0],
            Axis::Linear => {
                let first = track.series.iter().next().zip(self.curves.first()).map_or(0.0, |(step, curve)| curve.of(step));
                [first * 0.999, first * 1.001]
            }
        };
        // Marks keep their labels where they stand close, as they do in a plot that is a third of the window wide.
        let seconds = AxisHints::new_x().formatter(|mark, _| format!("{} s", significant(mark.value, 4))).label_spacing(36.0..=48.0);
        let write = move |mark: GridMark, _: &std::ops::RangeInclusive<f64>| written(mark, power, scale);
        let values = AxisHints::new_y().formatter(write).label_spacing(10.0..=14.0).min_thickness(44.0);
        let plot = Plot::new(title)
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
        let dark = ui.visuals().dark_mode;
        let shown = plot.show(ui, |plot| {
            plot.vline(VLine::new("frame on screen", track.time()).color(colors.dim).width(1.0));
            for curve in curves {
                let value = |step: &StepStats| match axis {
                    Axis::Linear => curve.of(step),
                    Axis::Logarithmic { least, .. } => curve.of(step).max(least).log10(),
                };
                let points = track.series.iter().map(|step| [step.time, value(step)]).filter(|point| point[1].is_finite());
                let line = Line::new(curve.curve.label, points.collect::<PlotPoints<'_>>());
                plot.line(line.color(curve.color(dark)).width(1.5));
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
