//! What frames cost the editor itself, over a view.

use egui::{FontId, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::profile::{Part, Profile};
use crate::theme::meaning;

/// Size of the card, of what is written above the bars and of a line [points].
const SIZE: egui::Vec2 = vec2(252.0, 126.0);
const HEAD: f32 = 58.0;
const LINE: f32 = 16.0;
/// Work of a frame that the bars reach up to, and what none is to exceed [s].
const REACH: f64 = 50e-3;
const LIMIT: f64 = 33e-3;

/// Draws the card at the lower left of `rect`.
pub fn frame_times(ui: &Ui, rect: Rect, profile: &Profile) {
    let card = Rect::from_min_size(pos2(rect.left() + 12.0, rect.bottom() - SIZE.y - 36.0), SIZE);
    let (colors, painter) = (meaning(ui), ui.painter());
    let of_part = [colors.dim, colors.accent, colors.good, colors.warning];
    let ((mean, most), milliseconds) = (profile.total(), |work: f64| format!("{:.1}", 1e3 * work));
    let title = format!("Own work {} ms a frame, at most {}", milliseconds(mean), milliseconds(most));
    let response = ui.interact(card, ui.scope_id().with("frame times"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &title));
    painter.rect_filled(card, 6.0, colors.card.gamma_multiply(0.92));
    let write = |at: egui::Pos2, text: String, color| painter.text(at, egui::Align2::LEFT_TOP, text, FontId::proportional(11.0), color);
    let corner = card.min + vec2(12.0, 8.0);
    write(corner, title, ui.visuals().strong_text_color());
    for (i, (part, name)) in Part::ALL.into_iter().enumerate() {
        let at = corner + vec2(114.0 * (i % 2) as f32, LINE * (1 + i / 2) as f32);
        let (mean, most) = profile.part(part);
        write(at, format!("{name} {}, {}", milliseconds(mean), milliseconds(most)), of_part[i]);
    }
    let bars = Rect::from_min_max(pos2(card.left() + 12.0, card.top() + HEAD), card.max - vec2(12.0, 8.0));
    let height = |work: f64| bars.height() * (work / REACH).min(1.0) as f32;
    let limit = bars.bottom() - height(LIMIT);
    for (k, frame) in profile.frames().rev().enumerate().take(bars.width() as usize) {
        let x = bars.right() - k as f32;
        let mut below = 0.0;
        for (i, work) in frame.into_iter().enumerate() {
            let [low, high] = [below, below + work].map(|work| bars.bottom() - height(work));
            painter.vline(x, high..=low, (1.0, of_part[i]));
            below += work;
        }
    }
    painter.hline(bars.x_range(), limit, (1.0, colors.error));
}
