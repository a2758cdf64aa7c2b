//! Widgets without a window: what egui draws, drawn over a sheet.

use std::sync::Arc;

use eframe::egui_glow;
use egui::{RawInput, Rect, Theme, UiBuilder, ViewportId, pos2, vec2};

use super::OffscreenError;
use crate::theme;
use crate::viewport::painter::Sheet;

/// An interface that nobody touches.
pub(super) struct Words {
    ctx: egui::Context,
    painter: egui_glow::Painter,
}

impl Words {
    /// # Errors
    /// The driver does not compile what egui draws with.
    pub fn new(gl: &Arc<glow::Context>) -> Result<Self, OffscreenError> {
        let ctx = egui::Context::default();
        theme::install(&ctx, None);
        let painter = egui_glow::Painter::new(Arc::clone(gl), "", None, false).map_err(|error| OffscreenError::Words(error.to_string()))?;
        Ok(Self { ctx, painter })
    }

    /// Draws over all of `sheet`, at `scale` pixels a point.
    pub fn write(&mut self, sheet: &Sheet, scale: f32, dark: bool, mut draw: impl FnMut(&mut egui::Ui)) {
        let (width, height) = sheet.size();
        let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(width as f32, height as f32) / scale);
        self.ctx.set_theme(if dark { Theme::Dark } else { Theme::Light });
        // Fonts and sizes that are set in a frame are those of the next.
        for is_last in [false, true] {
            let mut input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
            input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(scale);
            let mut output = self.ctx.run_ui(input, |ui| {
                ui.scope_builder(UiBuilder::new().max_rect(screen), |ui| draw(ui));
            });
            let shapes = self.ctx.tessellate(output.shapes, output.pixels_per_point);
            let seen = if is_last { &shapes[..] } else { &[] };
            sheet.draw_over(|| self.painter.paint_and_update_textures([width, height], scale, seen, &mut output.textures_delta));
        }
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        self.painter.destroy();
    }
}
