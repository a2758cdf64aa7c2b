//! Distribution of the compression ratio over the elements.

use aplomb_sim::stats::report::Histogram;
use egui::{Color32, Sense, Ui, vec2};

use super::Look;
use crate::theme::meaning;
use crate::widgets::significant;

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    match look.main.certificate.as_ref().and_then(|certificate| certificate.report.compression.as_ref()) {
        Some(compression) => {
            let text = "Compression ratio det F of the elements when initialised: volume over rest volume; 1 is undeformed.";
            ui.label(text);
            bars(ui, "histogram of det F", &compression.histogram, ui.available_height() - 24.0);
        }
        None => {
            ui.weak("Initialise to see how hard each element works to hold the pose.");
        }
    }
}

/// Bars coloured like the body, with the limits beneath.
pub fn bars(ui: &mut Ui, name: &str, histogram: &Histogram, height: f32) {
    let dim = meaning(ui).dim;
    let (Some(&low), Some(&high)) = (histogram.edges.first(), histogram.edges.last()) else { return };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height.max(24.0)), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, name));
    let most = histogram.counts.iter().copied().max().unwrap_or(1).max(1) as f32;
    let reach = (high - 1.0).abs().max((low - 1.0).abs()).max(1e-12);
    let x = |value: f64| rect.left() + rect.width() * ((value - low) / (high - low).max(1e-300)) as f32;
    let mut told = None;
    for (edges, &count) in histogram.edges.windows(2).zip(&histogram.counts) {
        let (left, right) = (x(edges[0]), x(edges[1]));
        let full = egui::Rect::from_x_y_ranges(left..=(right - 1.0).max(left + 1.0), rect.y_range());
        // A bin with few elements still shows: those are the ones that one looks for.
        let tall = if count == 0 { 0.0 } else { (count as f32 / most * rect.height()).max(2.0) };
        let middle = 0.5 * (edges[0] + edges[1]);
        ui.painter().rect_filled(full.with_min_y(rect.bottom() - tall), 1.0, color(((middle - 1.0) / reach) as f32));
        if response.hover_pos().is_some_and(|at| full.x_range().contains(at.x)) {
            told = Some(format!("{} to {}: {count} elements", significant(edges[0], 4), significant(edges[1], 4)));
        }
    }
    ui.painter().hline(rect.x_range(), rect.bottom(), egui::Stroke::new(1.0, dim.gamma_multiply(0.5)));
    if let Some(text) = told {
        response.on_hover_text_at_pointer(text);
    }
    ui.horizontal(|ui| {
        ui.small(significant(low, 3));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| ui.small(significant(high, 3)));
    });
}

/// Cyan over white to red: compressed, undeformed, stretched (-1 to 1).
fn color(stretch: f32) -> Color32 {
    let end = if stretch < 0.0 { Color32::from_rgb(20, 160, 200) } else { Color32::from_rgb(214, 60, 50) };
    Color32::from_gray(232).lerp_to_gamma(end, stretch.abs().min(1.0))
}
