//! Tabs: an icon and a word each, the one at hand underlined.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Align2, Color32, FontId, Galley, Id, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};

use crate::theme::{self, meaning};

/// Height of a bar of tabs, and of the line under the one at hand [points].
const HEIGHT: f32 = 32.0;
const LINE: f32 = 2.0;
/// Room beside the words of a tab, and between them and a count [points].
const MARGIN: f32 = 12.0;
const GAP: f32 = 8.0;
/// Height of a count's ground [points].
const BADGE: f32 = 16.0;

/// A tab: what it stands for, its icon, its name, and how many things in it call for attention.
pub struct Tab<T> {
    /// What it stands for.
    pub value: T,
    /// Its icon.
    pub icon: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What calls for attention in it; 0 for nothing.
    pub count: usize,
}

/// Draws the bar; a click chooses.
pub fn tab_bar<T: Copy + PartialEq + std::hash::Hash>(ui: &mut Ui, chosen: &mut T, tabs: &[Tab<T>]) {
    let across = ui.available_rect_before_wrap().x_range();
    let bar = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for tab in tabs {
            let id = ui.make_persistent_id(tab.name);
            if tab_button(ui, id, Sense::click(), *chosen == tab.value, tab, false).clicked() {
                *chosen = tab.value;
            }
        }
    });
    let line = meaning(ui).line;
    ui.painter().hline(across, bar.response.rect.bottom() - 0.5, egui::Stroke::new(1.0, line));
}

/// Draws one tab; a slim one that is not at hand is its icon alone.
pub fn tab_button<T>(ui: &mut Ui, id: Id, sense: Sense, is_chosen: bool, tab: &Tab<T>, slim: bool) -> Response {
    let colors = meaning(ui);
    let is_icon = slim && !is_chosen && !tab.icon.is_empty();
    let words = words(ui, is_chosen, tab, is_icon);
    let count = (tab.count > 0).then(|| {
        let font = FontId::new(11.0, theme::strong());
        ui.painter().layout_no_wrap(tab.count.to_string(), font, colors.error)
    });
    let badge = count.as_ref().map_or(0.0, |count| (count.size().x + 8.0).max(BADGE) + GAP);
    let (_, rect) = ui.allocate_space(vec2(words.size().x + badge + 2.0 * MARGIN, HEIGHT));
    let response = ui.interact(rect, id, sense);
    let name = if tab.count > 0 { format!("{} ({})", tab.name, tab.count) } else { tab.name.to_owned() };
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_chosen, &name));
    if response.hovered() && !is_chosen {
        ui.painter().rect_filled(rect.shrink2(vec2(4.0, 4.0)), 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect.shrink(3.0), 4.0, egui::Stroke::new(1.5, colors.accent), egui::StrokeKind::Inside);
    }
    let at = rect.left_center() + vec2(MARGIN, -0.5 * words.size().y);
    let right = at.x + words.size().x;
    ui.painter().galley(at, words, colors.dim);
    if let Some(count) = count {
        let ground = Rect::from_min_size(egui::pos2(right + GAP, rect.center().y - 0.5 * BADGE), vec2(badge - GAP, BADGE));
        ui.painter().rect_filled(ground, 4.0, colors.error_ground);
        let at = Align2::CENTER_CENTER.align_size_within_rect(count.size(), ground).min;
        ui.painter().galley(at, count, colors.error);
    }
    if is_chosen {
        ui.painter().rect_filled(rect.with_min_y(rect.bottom() - LINE), 0.0, colors.accent);
    }
    if is_icon { response.on_hover_text(&name) } else { response }
}

/// Icon and name of a tab, or the icon alone.
fn words<T>(ui: &Ui, is_chosen: bool, tab: &Tab<T>, is_icon: bool) -> Arc<Galley> {
    let colors = meaning(ui);
    let text: Color32 = if is_chosen { ui.visuals().strong_text_color() } else { colors.dim };
    let format = |size, color| TextFormat { valign: Align::Center, ..TextFormat::simple(FontId::proportional(size), color) };
    let mut job = LayoutJob::default();
    if !tab.icon.is_empty() {
        job.append(tab.icon, 0.0, format(14.0, text));
    }
    if is_icon {
        return ui.painter().layout_job(job);
    }
    job.append(tab.name, if tab.icon.is_empty() { 0.0 } else { 6.0 }, format(13.0, text));
    ui.painter().layout_job(job)
}
