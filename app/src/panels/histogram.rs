//! Distribution of the compression ratio over the elements; its bars point out their elements.

use std::sync::Arc;

use aplomb_sim::stats::report::Histogram;
use egui::{Align2, Color32, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};

use super::Look;
use super::outliner::grouped;
use crate::document::{Action, Choice};
use crate::session::Certificate;
use crate::theme::meaning;
use crate::widgets::significant;

/// Room of a limit beneath the bars [points].
const LIMIT: f32 = 44.0;

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let main = look.main;
    match &main.certificate {
        Some(certificate) => {
            ui.label("Compression ratio det F of the elements when initialised: volume over rest volume; 1 is undeformed. Click a bar, or drag over several, to see their elements.");
            // The limits stand in a line below.
            let line = ui.spacing().interact_size.y + ui.spacing().item_spacing.y;
            of_compression(ui, look, certificate, "histogram of det F", ui.available_height() - line);
        }
        None => {
            ui.weak("Initialise to see how hard each element works to hold the pose.");
        }
    }
}

/// The histogram of a certificate's compression ratios.
pub fn of_compression(ui: &mut Ui, look: &mut Look<'_>, certificate: &Certificate, name: &str, height: f32) {
    let Some(compression) = &certificate.report.compression else { return };
    let chosen = look.desk.choice.as_ref().and_then(|choice| choice.bars);
    let Some(bars) = bars(ui, name, &compression.histogram, height, chosen) else { return };
    if chosen == bars {
        return;
    }
    let choice = bars.map(|(first, last)| {
        let histogram = &compression.histogram;
        let values = certificate.findings.compression.iter().enumerate();
        let elements: Arc<[u32]> = values
            .filter(|(_, value)| value.is_finite() && (first..=last).contains(&histogram.bin(**value)))
            .map(|(element, _)| element as u32)
            .collect();
        let (low, high) = (significant(histogram.edges[first], 4), significant(histogram.edges[last + 1], 4));
        Choice { what: format!("{} elements, det F {low} to {high}", grouped(elements.len())), elements, bars }
    });
    look.actions.push(Action::Choose(choice));
}

/// Bars coloured like the body, with the limits beneath. What a click or a drag chose, if there was one: bars, or none where
/// the only chosen bar was clicked again.
fn bars(ui: &mut Ui, name: &str, histogram: &Histogram, height: f32, chosen: Option<(usize, usize)>) -> Option<Option<(usize, usize)>> {
    let (&low, &high) = (histogram.edges.first()?, histogram.edges.last()?);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height.max(24.0)), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
    let bins = histogram.counts.len();
    let bin_at = |x: f32| (((x - rect.left()) / rect.width() * bins as f32).max(0.0) as usize).min(bins - 1);
    let full = |bin: usize| {
        let x = |edge: usize| rect.left() + rect.width() * edge as f32 / bins as f32;
        Rect::from_x_y_ranges(x(bin)..=(x(bin + 1) - 1.0).max(x(bin) + 1.0), rect.y_range())
    };
    let colors = meaning(ui);
    if let Some((first, last)) = chosen {
        let span = full(first).union(full(last)).expand2(vec2(1.0, 2.0));
        ui.painter().rect_filled(span, 2.0, colors.accent.gamma_multiply(0.16));
        ui.painter().rect_stroke(span, 2.0, Stroke::new(1.0, colors.accent), StrokeKind::Outside);
    }
    let most = histogram.counts.iter().copied().max().unwrap_or(1).max(1) as f32;
    let reach = (high - 1.0).abs().max((low - 1.0).abs()).max(1e-12);
    for (bin, (edges, &count)) in histogram.edges.windows(2).zip(&histogram.counts).enumerate() {
        // A bin with few elements still shows: those are the ones that one looks for.
        let tall = if count == 0 { 0.0 } else { (count as f32 / most * rect.height()).max(2.0) };
        let middle = 0.5 * (edges[0] + edges[1]);
        let bar = full(bin);
        ui.painter().rect_filled(bar.with_min_y(rect.bottom() - tall), 1.0, color(((middle - 1.0) / reach) as f32, ui.visuals().dark_mode));
    }
    ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, colors.dim.gamma_multiply(0.5)));
    let limits = ui.horizontal(|ui| {
        ui.small(significant(low, 4));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| ui.small(significant(high, 4)));
    });
    // Where elements are undeformed, unless a limit stands there.
    let undeformed = rect.left() + rect.width() * ((1.0 - low) / (high - low)) as f32;
    if rect.x_range().shrink(LIMIT).contains(undeformed) {
        let below = limits.response.rect.center().y;
        ui.painter().vline(undeformed, rect.bottom()..=rect.bottom() + 4.0, Stroke::new(1.0, colors.dim));
        let font = TextStyle::Small.resolve(ui.style());
        ui.painter().text(pos2(undeformed, below), Align2::CENTER_CENTER, "1", font, ui.visuals().text_color());
    }
    let (pressed_at, at) = ui.input(|input| (input.pointer.press_origin(), input.pointer.interact_pos()));
    let over = at.map(|at| bin_at(at.x));
    let picked = match (pressed_at, over) {
        (Some(from), Some(to)) if response.dragged() => Some((bin_at(from.x).min(to), bin_at(from.x).max(to))),
        (_, Some(bin)) if response.clicked() => Some((bin, bin)),
        _ => None,
    };
    let again = response.clicked() && picked == chosen;
    if let Some(bin) = over.filter(|_| response.hovered()) {
        let (from, to) = (significant(histogram.edges[bin], 4), significant(histogram.edges[bin + 1], 4));
        response.on_hover_text_at_pointer(format!("{from} to {to}: {} elements", grouped(histogram.counts[bin])));
    }
    picked.map(|bars| (!again).then_some(bars))
}

/// Cyan over a neutral grey to red: compressed, undeformed, stretched (-1 to 1). The grey stands out from the ground.
fn color(stretch: f32, dark: bool) -> Color32 {
    let end = if stretch < 0.0 { Color32::from_rgb(20, 160, 200) } else { Color32::from_rgb(214, 60, 50) };
    Color32::from_gray(if dark { 232 } else { 148 }).lerp_to_gamma(end, stretch.abs().min(1.0))
}
