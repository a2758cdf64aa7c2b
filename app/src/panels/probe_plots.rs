//! What probes have recorded, against time: the field in hand, how far they went, and how fast.

use aplomb_sim::scene::Probe;
use egui::{Align, Color32, Layout, RichText, Sense, Ui, UiBuilder, Vec2b, vec2};
use egui_plot::{AxisHints, GridMark, Line, Plot, PlotPoints, VLine};

use super::{ColorBy, Look};
use crate::document::Action;
use crate::document::command::Seek;
use crate::document::probe_color;
use crate::session::{DISPLACEMENT, Samples, Track};
use crate::theme::meaning;
use crate::widgets::significant;

/// A chart: title with its unit, and the curve of each probe.
struct Chart {
    title: String,
    curves: Vec<Vec<[f64; 2]>>,
}

impl Chart {
    fn of(title: String, probes: usize, curve: impl Fn(usize) -> Vec<[f64; 2]>) -> Self {
        Self { title, curves: (0..probes).map(curve).collect() }
    }
}

/// The charts of so many probes.
fn charts(samples: &Samples, probes: usize, track: &Track, color_by: ColorBy) -> Vec<Chart> {
    let titled = |label: &str, unit: &str| if unit.is_empty() { label.to_owned() } else { format!("{label} [{unit}]") };
    let kinds = track.snapshot.iter().flat_map(|snapshot| &snapshot.fields).map(|field| field.kind);
    let in_hand = match color_by {
        ColorBy::Field(name) => { kinds }.find(|kind| kind.name == name && kind.name != DISPLACEMENT.name),
        ColorBy::Plain => None,
    };
    let field = in_hand.map(|kind| Chart::of(titled(kind.label, kind.unit), probes, |probe| samples.field(probe, kind.name)));
    let heights = || Chart::of(titled("Height", "m"), probes, |probe| samples.coordinate(probe, 1));
    let moved = Chart::of(titled(DISPLACEMENT.label, DISPLACEMENT.unit), probes, |probe| samples.field(probe, DISPLACEMENT.name));
    let speed = Chart::of(titled("Speed", "m/s"), probes, |probe| samples.speed(probe));
    vec![field.unwrap_or_else(heights), moved, speed]
}

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let scene = look.document.scene().clone();
    if scene.probes.is_empty() {
        ui.weak("No probes yet: take the probe tool (P), and click on a body.");
        return;
    }
    let track = look.main;
    if track.samples.len() < 2 {
        ui.weak("Press Play: what happens at the probes is drawn here.");
        return;
    }
    let shown: Vec<usize> = (0..scene.probes.len()).filter(|&p| !look.desk.hidden_probes.contains(&scene.probes[p].name)).collect();
    let charts = charts(&track.samples, scene.probes.len(), track, look.desk.color_by);
    let mut sought = None;
    ui.horizontal_top(|ui| {
        let (width, height) = ((ui.available_width() - 24.0) / charts.len() as f32, ui.available_height());
        for chart in &charts {
            let (share, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
            let layout = Layout::top_down(Align::Min);
            let mut inside = ui.new_child(UiBuilder::new().max_rect(share).layout(layout).id_salt(&chart.title));
            inside.set_clip_rect(ui.clip_rect().intersect(share.expand2(vec2(16.0, 0.0))));
            sought = plot(&mut inside, chart, &scene.probes, &shown, track).or(sought);
        }
    });
    if let Some(time) = sought {
        look.actions.push(Action::Seek(Seek::To(track.series.frame_at(time))));
    }
}

/// A number beside an axis, with the digits that tell it from the next one.
fn written(mark: GridMark) -> String {
    if mark.step_size < 1e-4 || mark.value.abs() >= 1e5 {
        return significant(mark.value, 3);
    }
    let decimals = (-mark.step_size.log10() - 1e-9).ceil().clamp(0.0, 6.0) as usize;
    // Nothing is not less than nothing.
    format!("{:.decimals$}", mark.value + 0.0)
}

fn plot(ui: &mut Ui, chart: &Chart, probes: &[Probe], shown: &[usize], track: &Track) -> Option<f64> {
    let color = |probe: usize| {
        let [r, g, b] = probe_color(&probes[probe], probe);
        let color = Color32::from_rgb(r, g, b);
        if ui.visuals().dark_mode { color } else { color.lerp_to_gamma(Color32::BLACK, 0.3) }
    };
    let colors: Vec<Color32> = (0..probes.len()).map(color).collect();
    ui.horizontal(|ui| {
        ui.label(RichText::new(&chart.title).small());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for &probe in shown.iter().rev() {
                ui.label(RichText::new(&probes[probe].name).color(colors[probe]).small());
            }
        });
    });
    let seconds = AxisHints::new_x().formatter(|mark, _| format!("{} s", significant(mark.value, 4))).label_spacing(36.0..=48.0);
    let values = AxisHints::new_y().formatter(|mark, _| written(mark)).label_spacing(10.0..=14.0).min_thickness(44.0);
    let plot = Plot::new(&chart.title)
        .height(ui.available_height())
        .allow_scroll(false)
        .allow_drag(false)
        .auto_bounds(Vec2b::TRUE)
        .set_margin_fraction(vec2(0.02, 0.08))
        .custom_x_axes(vec![seconds])
        .custom_y_axes(vec![values])
        .link_cursor(egui::Id::unique("plots"), Vec2b::new(true, false));
    let (dim, warning) = (meaning(ui).dim, meaning(ui).warning);
    let changed: Vec<f64> = track.changes.iter().filter_map(|(frame, _)| Some(track.samples.at(*frame, 0)?.time)).collect();
    let drawn = plot.show(ui, |plot| {
        plot.vline(VLine::new("frame on screen", track.time()).color(dim).width(1.0));
        // Where something was changed while the run went on.
        for time in changed.iter().copied() {
            plot.vline(VLine::new("changed", time).color(warning).width(1.0).style(egui_plot::LineStyle::dashed_dense()));
        }
        for &probe in shown {
            let points = chart.curves[probe].iter().copied().filter(|point| point[1].is_finite());
            plot.line(Line::new(&probes[probe].name, points.collect::<PlotPoints<'_>>()).color(colors[probe]).width(1.5));
        }
        plot.pointer_coordinate().map(|pointer| pointer.x)
    });
    let pointed = drawn.response.clicked() || drawn.response.dragged_by(egui::PointerButton::Primary);
    drawn.inner.filter(|_| pointed)
}
