//! How a quantity is spread over the elements; its bars point out their elements.

use std::sync::Arc;

use aplomb_sim::element::{FieldKind, Scale};
use aplomb_sim::stats::report::FieldReport;
use egui::{Align2, Color32, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};

use super::Look;
use super::desk::ColorBy;
use super::outliner::grouped;
use crate::document::{Action, Choice};
use crate::session::Certificate;
use crate::theme::meaning;
use crate::viewport::ColorMap;
use crate::widgets::significant;

/// Room of a limit beneath the bars [points].
const LIMIT: f32 = 44.0;

/// The quantity that is shown: the one that was chosen, or that bodies are coloured by, or else the first that there is.
fn shown<'a>(look: &Look<'a>) -> Option<&'a FieldReport> {
    let fields = &look.main.certificate.as_ref()?.report.fields;
    let chosen = fields.iter().find(|field| look.desk.histogram_of == Some(field.kind.name));
    chosen.or_else(|| fields.iter().find(|field| look.desk.color_by == ColorBy::Field(field.kind.name))).or(fields.first())
}

/// What stands at the right end of the bar of tabs, from the right: which quantity is shown.
pub fn bar(ui: &mut Ui, look: &mut Look<'_>) {
    let Some(field) = shown(look) else { return };
    let main = look.main;
    let fields = main.certificate.as_ref().map_or(&[][..], |certificate| &certificate.report.fields);
    let list = egui::ComboBox::from_id_salt("quantity of the histogram").width(120.0).selected_text(field.kind.label);
    let list = list.show_ui(ui, |ui| {
        for other in fields {
            if ui.selectable_label(other.kind == field.kind, other.kind.label).on_hover_text(other.kind.doc).clicked() {
                look.desk.histogram_of = Some(other.kind.name);
            }
        }
    });
    let name = format!("Quantity: {}", field.kind.label);
    list.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &name));
    let mut log = look.desk.histogram_log;
    let hint = "Heights by the logarithm of the count: single elements are seen beside thousands";
    let button = ui.selectable_label(log, "Log").on_hover_text(hint);
    button.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, log, "Heights of the histogram: log"));
    if button.clicked() {
        log = !log;
    }
    look.desk.histogram_log = log;
}

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let main = look.main;
    match (&main.certificate, shown(look)) {
        (Some(certificate), Some(field)) => {
            let FieldKind { label, doc, .. } = field.kind;
            let hint =
                format!("{label} of the elements when initialised: {doc}. Click a bar, or drag over several, to see their elements.");
            ui.horizontal(|ui| {
                chosen(ui, look);
                let dim = meaning(ui).dim;
                ui.add(egui::Label::new(egui::RichText::new(&hint).color(dim).small()).truncate()).on_hover_text(&hint);
            });
            // The limits stand in a line below.
            let line = ui.spacing().interact_size.y + ui.spacing().item_spacing.y;
            of_field(ui, look, certificate, field, &format!("histogram of {label}"), ui.available_height() - line);
        }
        _ => {
            ui.weak("Initialise to see how hard each element works to hold the pose.");
        }
    }
}

/// The elements that were chosen by their bars, and how to choose none.
fn chosen(ui: &mut Ui, look: &mut Look<'_>) {
    let Some(choice) = look.desk.choice.as_ref().filter(|choice| choice.bars.is_some()) else { return };
    ui.label(egui::RichText::new(&choice.what).strong());
    let why_not = look.why_not(&Action::RegionOfChoice);
    let hint = "Give these elements a material of their own, as a region of each body that has some";
    let make = ui.add_enabled(why_not.is_none(), egui::Button::new("Make a region")).on_hover_text(hint);
    if make.on_disabled_hover_text(why_not.unwrap_or_default()).clicked() {
        look.actions.push(Action::RegionOfChoice);
    }
    if ui.button("Clear").on_hover_text("Point out no elements (Esc)").clicked() {
        look.actions.push(Action::Choose(None));
    }
}

/// The histogram of one of a certificate's quantities.
pub fn of_field(ui: &mut Ui, look: &mut Look<'_>, certificate: &Certificate, field: &FieldReport, name: &str, height: f32) {
    let (kind, histogram) = (field.kind, &field.distribution.histogram);
    let chosen = look.desk.choice.as_ref().and_then(|choice| choice.bars);
    let chosen = chosen.filter(|(of, ..)| *of == kind.name).map(|(_, first, last)| (first, last));
    let map = look.desk.legends.of(kind).map.unwrap_or(ColorMap::of(kind.scale));
    let Some(bars) = bars(ui, name, field, (height, map, look.desk.histogram_log), chosen) else { return };
    if chosen == bars {
        return;
    }
    let choice = bars.map(|(first, last)| {
        let of_kind = certificate.findings.fields.iter().find(|(known, _)| *known == kind);
        let values = of_kind.map_or(&[][..], |(_, values)| values).iter().enumerate();
        let elements: Arc<[u32]> = values
            .filter(|(_, value)| value.is_finite() && (first..=last).contains(&histogram.bin(**value)))
            .map(|(element, _)| element as u32)
            .collect();
        let (low, high) = (significant(histogram.edges[first], 4), significant(histogram.edges[last + 1], 4));
        let what = format!("{} elements, {} {low} to {high}", grouped(elements.len()), in_words(kind));
        Choice { what: format!("{what} {}", kind.unit).trim_end().to_owned(), elements, bars: Some((kind.name, first, last)) }
    });
    look.actions.push(Action::Choose(choice));
}

/// What a quantity is called in a sentence.
fn in_words(kind: &FieldKind) -> String {
    if kind.scale == Scale::About1 { "det F".to_owned() } else { kind.label.to_lowercase() }
}

/// Bars coloured like the body, with the limits beneath. What a click or a drag chose, if there was one: bars, or none where
/// the only chosen bar was clicked again.
fn bars(
    ui: &mut Ui,
    name: &str,
    field: &FieldReport,
    (height, map, log): (f32, ColorMap, bool),
    chosen: Option<(usize, usize)>,
) -> Option<Option<(usize, usize)>> {
    let histogram = &field.distribution.histogram;
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
        ui.painter().rect_filled(span, 2.0, colors.accent.gamma_multiply(0.18));
        ui.painter().rect_stroke(span, 2.0, Stroke::new(1.0, colors.accent), StrokeKind::Outside);
    }
    let most = histogram.counts.iter().copied().max().unwrap_or(1).max(1) as f32;
    let (start, end) = field.kind.scale.limits(&[low, high]);
    for (bin, (edges, &count)) in histogram.edges.windows(2).zip(&histogram.counts).enumerate() {
        // A bin with few elements still shows: those are the ones that one looks for.
        let tall = if count == 0 { 0.0 } else { (share_of_height(count as f32, most, log) * rect.height()).max(2.0) };
        let middle = 0.5 * (edges[0] + edges[1]);
        let bar = full(bin);
        let [r, g, b] = map.color((middle - start) / (end - start));
        ui.painter().rect_filled(bar.with_min_y(rect.bottom() - tall), 1.0, on_ground(Color32::from_rgb(r, g, b), ui.visuals().dark_mode));
    }
    ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, colors.dim.gamma_multiply(0.5)));
    let limits = ui.horizontal(|ui| {
        ui.small(significant(low, 4));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| ui.small(significant(high, 4)));
    });
    // Where elements are undeformed, unless a limit stands there.
    let middle = match field.kind.scale {
        Scale::About0 => Some((0.0, "0")),
        Scale::About1 => Some((1.0, "1")),
        Scale::From0 | Scale::From1 => None,
    };
    let undeformed = middle.map(|(value, shown)| (rect.left() + rect.width() * ((value - low) / (high - low)) as f32, shown));
    if let Some((x, shown)) = undeformed.filter(|(x, _)| rect.x_range().shrink(LIMIT).contains(*x)) {
        let below = limits.response.rect.center().y;
        ui.painter().vline(x, rect.bottom()..=rect.bottom() + 4.0, Stroke::new(1.0, colors.dim));
        let font = TextStyle::Small.resolve(ui.style());
        ui.painter().text(pos2(x, below), Align2::CENTER_CENTER, shown, font, ui.visuals().text_color());
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

/// How high a bar is, of the highest: by the root of its count, or by the logarithm.
fn share_of_height(count: f32, most: f32, log: bool) -> f32 {
    if log { (1.0 + count).ln() / (1.0 + most).ln() } else { (count / most).sqrt() }
}

/// A colour of a map; the pale middle of two colours stands out from a light ground as grey.
fn on_ground(color: Color32, dark: bool) -> Color32 {
    let palest = color.r().min(color.g()).min(color.b());
    if dark || palest < 150 { color } else { color.lerp_to_gamma(Color32::from_gray(148), f32::from(palest - 150) / 105.0) }
}
