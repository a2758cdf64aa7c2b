//! What the mouse does in a chart: scrubs, points, zooms, and shows or hides curves.

use egui::{PointerButton, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::PlotState;
use super::lines::Chart;
use super::paint::{self, Look, Places};
use crate::theme::meaning;

/// Distance of a drag below which only the other axis is zoomed [points].
const THIN: f32 = 12.0;
/// A notch of the wheel zooms by this.
const NOTCH: f64 = 1.2;

/// Draws a chart, and takes in what is done there; gives the time that was asked for [s]. `pointed`: the time that is pointed at, and
/// the chart.
pub fn chart(ui: &mut Ui, state: &mut PlotState, chart: &Chart, rect: Rect, pointed: Option<(f64, &'static str)>) -> Option<f64> {
    let look = Look::of(ui.visuals());
    let places = Places::of(rect);
    let pointed = pointed.filter(|(_, title)| state.linked || *title == chart.name).map(|(time, _)| time);
    paint::chart(ui.painter(), chart, rect, &look, pointed);
    head(ui, state, chart, rect, &look);
    let id = ui.make_persistent_id(("plot", chart.name));
    let response = ui.interact(places.ground, id, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Plot of {}", chart.title)));
    if let Some(at) = response.hover_pos() {
        state.pointed = Some((places.time(chart, at.x), chart.name));
        ui.ctx().request_repaint();
    }
    zoom_by_wheel(ui, state, chart, &places);
    zoom_by_drag(ui, state, chart, &places, &response);
    if response.double_clicked() {
        state.look_at_all(chart.name);
        return None;
    }
    let asks = response.clicked() || response.dragged_by(PointerButton::Primary);
    response.interact_pointer_pos().filter(|_| asks).map(|at| places.time(chart, at.x).max(0.0))
}

/// Title, the toggle of its axis, and keys.
fn head(ui: &mut Ui, state: &mut PlotState, chart: &Chart, rect: Rect, look: &Look) {
    let title = paint::title(ui.painter(), chart, rect, look);
    let id = ui.make_persistent_id(("title", chart.name));
    let named = ui.interact(title, id, Sense::hover());
    named.widget_info(|| WidgetInfo::labeled(Role::Label, true, chart.name));
    if !chart.hint.is_empty() {
        named.on_hover_text(&chart.hint);
    }
    let toggle = Rect::from_min_size(pos2(title.right() + 6.0, rect.top() + 4.0), vec2(26.0, 18.0));
    let turned = ui.interact(toggle, id.with("log"), Sense::click());
    turned.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, chart.logarithmic, format!("Logarithms of {}", chart.title)));
    // Seen where it is on, and where somebody looks.
    if chart.logarithmic || turned.hovered() || turned.has_focus() || ui.rect_contains_pointer(rect) {
        let color = if chart.logarithmic || turned.hovered() { look.text[0] } else { look.meaning.dim };
        if turned.hovered() || turned.has_focus() {
            ui.painter().rect_filled(toggle, 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
        }
        ui.painter().text(toggle.center(), egui::Align2::CENTER_CENTER, "log", egui::FontId::proportional(11.0), color);
    }
    if turned.on_hover_text("Sizes by their logarithms").clicked() {
        if !state.turned.remove(chart.name) {
            state.turned.insert(chart.name);
        }
        state.ranges.remove(chart.name);
    }
    let from = toggle.right() + 8.0;
    let mut shown = paint::key_places(ui.painter(), chart, rect, from);
    if shown.len() < chart.keys.len() {
        shown = paint::key_places(ui.painter(), chart, rect.with_max_x(rect.right() - 24.0), from);
    }
    for (key, place) in chart.keys.iter().zip(&shown) {
        paint::key(ui.painter(), key, *place, look);
        let response = ui.interact(place.expand2(vec2(4.0, 0.0)), id.with(("key", &key.label)), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, key.on, format!("{} {}", chart.title, key.label)));
        let hint = if key.name.is_some() { format!("{}. A click hides or shows it", key.hint) } else { key.hint.clone() };
        if response.on_hover_text(hint).clicked() {
            toggle_curve(state, key.name);
        }
    }
    let others = &chart.keys[shown.len()..];
    if others.is_empty() {
        return;
    }
    let place = Rect::from_min_size(pos2(rect.right() - 26.0, rect.top() + 3.0), vec2(20.0, 20.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
        ui.spacing_mut().button_padding = vec2(3.0, 0.0);
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        let menu = ui.menu_button(egui::RichText::new(format!("+{}", others.len())).small(), |ui| {
            for key in others {
                let mut on = key.on;
                if ui.checkbox(&mut on, &key.label).on_hover_text(&key.hint).clicked() {
                    toggle_curve(state, key.name);
                }
            }
        });
        menu.response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Other curves of {}", chart.title)));
    });
}

fn toggle_curve(state: &mut PlotState, name: Option<&'static str>) {
    if let Some(name) = name
        && !state.hidden.remove(name)
    {
        state.hidden.insert(name);
    }
}

/// A turn of the wheel over an axis zooms along it, about what is under the pointer.
fn zoom_by_wheel(ui: &Ui, state: &mut PlotState, chart: &Chart, places: &Places) {
    let Some(at) = ui.ctx().pointer_hover_pos().filter(|at| ui.clip_rect().contains(*at)) else { return };
    let (over_time, over_values) = (places.below.contains(at), places.left.contains(at));
    if !(over_time || over_values) {
        return;
    }
    let turned = ui.input_mut(|input| std::mem::take(&mut input.smooth_scroll_delta).y);
    if turned == 0.0 {
        return;
    }
    let factor = NOTCH.powf(-f64::from(turned) / 40.0);
    let about = |[low, high]: [f64; 2], middle: f64| [middle + factor * (low - middle), middle + factor * (high - middle)];
    if over_time {
        let span = about(chart.span, places.time(chart, at.x));
        state.look_at(chart.name, Some([span[0].max(0.0), span[1]]), None);
    } else {
        state.look_at(chart.name, None, Some(about(chart.range, places.value(chart, at.y))));
    }
}

/// A drag with the right button zooms to what it goes over.
fn zoom_by_drag(ui: &Ui, state: &mut PlotState, chart: &Chart, places: &Places, response: &egui::Response) {
    if response.drag_started_by(PointerButton::Secondary) {
        state.dragged_from = ui.input(|input| input.pointer.press_origin());
    }
    let over = response.interact_pointer_pos().or_else(|| ui.ctx().pointer_latest_pos());
    let (Some(from), Some(to)) = (state.dragged_from.filter(|_| is_dragged(response)), over) else { return };
    let ground = places.ground;
    let (a, b) = (ground.clamp(from), ground.clamp(to));
    let mut over = Rect::from_two_pos(a, b);
    let (wide, high) = (over.width() > THIN, over.height() > THIN);
    if response.dragged_by(PointerButton::Secondary) && (wide || high) {
        if !high {
            over = Rect::from_x_y_ranges(over.x_range(), ground.y_range());
        } else if !wide {
            over = Rect::from_x_y_ranges(ground.x_range(), over.y_range());
        }
        let accent = meaning(ui).accent;
        ui.painter().rect(over, 2.0, accent.gamma_multiply(0.18), Stroke::new(1.0, accent), StrokeKind::Inside);
    }
    if response.drag_stopped_by(PointerButton::Secondary) && (wide || high) {
        let span = wide.then(|| [places.time(chart, over.left()), places.time(chart, over.right())]);
        let range = high.then(|| [places.value(chart, over.bottom()), places.value(chart, over.top())]);
        state.look_at(chart.name, span, range);
    }
    if response.drag_stopped_by(PointerButton::Secondary) {
        state.dragged_from = None;
    }
}

fn is_dragged(response: &egui::Response) -> bool {
    response.dragged_by(PointerButton::Secondary) || response.drag_stopped_by(PointerButton::Secondary)
}
