//! A scene of the gallery as a picture with two lines under it.

use egui::{Align2, Color32, FontId, Image, Rect, Response, Role, StrokeKind, Ui, WidgetInfo, vec2};

use super::Look;
use crate::theme::{icons, meaning};
use crate::widgets::elided;

/// Height of the picture over its width.
const SHAPE: f32 = 140.0 / 184.0;

/// Draws the tile of a scene: its name in the gallery, what it is called, and what it shows.
pub(super) fn tile(ui: &mut Ui, look: &mut Look<'_>, rect: Rect, response: &Response, (name, title, words): (&'static str, &str, &str)) {
    let colors = meaning(ui);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Open {title}")));
    let at = Rect::from_min_size(rect.min, vec2(rect.width(), (rect.width() * SHAPE).round()));
    picture(ui, look, at, name);
    if response.hovered() || response.has_focus() {
        ui.painter().rect_stroke(at, 6.0, (1.0, colors.accent), StrokeKind::Inside);
    }
    let strong = ui.visuals().strong_text_color();
    let title = elided(ui, title, FontId::proportional(13.0), strong, rect.width());
    ui.painter().galley(at.left_bottom() + vec2(0.0, 6.0), title, strong);
    let words = elided(ui, words, FontId::proportional(11.0), colors.dim, rect.width());
    ui.painter().galley(at.left_bottom() + vec2(0.0, 23.0), words, colors.dim);
}

/// The picture of a scene, or what stands for it until it is there.
pub(super) fn picture(ui: &mut Ui, look: &mut Look<'_>, at: Rect, name: &'static str) {
    let dark = ui.visuals().dark_mode;
    let texture = ui.is_rect_visible(at).then(|| look.desk.thumbnails.get(ui.ctx(), name, dark).map(|texture| texture.id())).flatten();
    let line = ui.visuals().window_stroke;
    match texture {
        Some(texture) => Image::from_texture((texture, at.size())).corner_radius(6).tint(Color32::WHITE).paint_at(ui, at),
        None => {
            ui.painter().rect_filled(at, 6.0, meaning(ui).card);
            let off = meaning(ui).off;
            ui.painter().text(at.center(), Align2::CENTER_CENTER, icons::BODY, FontId::proportional(0.22 * at.height()), off);
        }
    }
    ui.painter().rect_stroke(at, 6.0, line, StrokeKind::Inside);
}
