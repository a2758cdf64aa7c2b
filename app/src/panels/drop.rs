//! Files held over the window, and what letting go will do with them.

use egui::{Align2, Color32, Context, FontId, Id, LayerId, Order, Shape, Stroke, pos2, vec2};

use crate::preview::name;

/// How far inside the window the border is [points].
const INSET: f32 = 12.0;
/// Names that are listed at most.
const LISTED: usize = 4;

/// Whether a file is a scene, by its name.
pub fn is_scene(file: &std::path::Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Draws over everything while files are held over the window.
pub fn drop_target(ctx: &Context) {
    let hovered = ctx.input(|input| input.raw.hovered_files.clone());
    if hovered.is_empty() {
        return;
    }
    let words = hovered.iter().take(LISTED).map(|file| match &file.path {
        Some(path) if is_scene(path) => format!("Open the scene {}", name(path)),
        Some(path) => format!("Look at the mesh {}", name(path)),
        None => "Look at the file".to_owned(),
    });
    let more = hovered.len().saturating_sub(LISTED);
    let words: Vec<_> = words.chain((more > 0).then(|| format!("and {more} more"))).collect();
    let painter = ctx.layer_painter(LayerId::new(Order::Foreground, Id::unique("drop target")));
    let rect = ctx.content_rect();
    let accent = Color32::from_rgb(46, 190, 232);
    painter.rect_filled(rect, 0.0, Color32::from_black_alpha(150));
    let inner = rect.shrink(INSET);
    let corners = [inner.left_top(), inner.right_top(), inner.right_bottom(), inner.left_bottom(), inner.left_top()];
    painter.extend(Shape::dashed_line(&corners, Stroke::new(2.0, accent), 10.0, 6.0));
    let line = painter.layout_no_wrap(words.join("\n"), FontId::proportional(20.0), Color32::WHITE);
    let card = Align2::CENTER_CENTER.anchor_size(rect.center(), line.size() + vec2(48.0, 56.0));
    painter.rect_filled(card, 8.0, Color32::from_rgb(28, 31, 37));
    painter.galley(card.min + vec2(24.0, 16.0), line, Color32::WHITE);
    let hint = "Nothing is changed before you say so";
    painter.text(pos2(card.center().x, card.bottom() - 14.0), Align2::CENTER_CENTER, hint, FontId::proportional(12.0), accent);
}
