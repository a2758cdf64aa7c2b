//! Files held over the window, and what letting go will do with them.

use egui::{Align2, Context, FontId, Id, LayerId, Order, Shape, Stroke, pos2, vec2};

use crate::preview::name;
use crate::theme;

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
    let colors = theme::of(ctx.theme() == egui::Theme::Dark);
    let strong = ctx.global_style().visuals.strong_text_color();
    painter.rect_filled(rect, 0.0, colors.base.gamma_multiply(0.7));
    let inner = rect.shrink(INSET);
    let corners = [inner.left_top(), inner.right_top(), inner.right_bottom(), inner.left_bottom(), inner.left_top()];
    painter.extend(Shape::dashed_line(&corners, Stroke::new(2.0, colors.accent), 10.0, 6.0));
    let line = painter.layout_no_wrap(words.join("\n"), FontId::proportional(13.0), strong);
    let card = Align2::CENTER_CENTER.anchor_size(rect.center(), line.size() + vec2(48.0, 52.0));
    painter.rect(card, 6.0, colors.card, Stroke::new(1.0, colors.accent), egui::StrokeKind::Inside);
    painter.galley(card.min + vec2(24.0, 16.0), line, strong);
    let hint = "Nothing is changed before you say so";
    painter.text(pos2(card.center().x, card.bottom() - 16.0), Align2::CENTER_CENTER, hint, FontId::proportional(11.0), colors.dim);
}
