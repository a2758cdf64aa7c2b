//! The picture behind everything else in a view.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use eframe::egui_glow::CallbackFn;
use egui::{Color32, PaintCallback, Rect, Ui};

use super::camera::Camera;
use super::draw_list::DrawList;
use super::legend::gradient;
use super::painter::{Painter, PainterError};
use crate::profile::{Meter, metered};
use crate::theme::meaning;
use crate::widgets::quantity;

/// Space around what is written [points].
const MARGIN: f32 = 12.0;

/// A picture that was the same for so long is drawn with smooth edges.
const REST: Duration = Duration::from_millis(150);

/// The painter of one view, made when it is first needed: the context is current only while egui draws.
pub struct Canvas {
    gl: Arc<glow::Context>,
    painter: Option<Result<Painter, PainterError>>,
    /// Why the last picture failed.
    failure: Option<String>,
    buffers: Meter,
    /// What the last picture shows, and since when.
    shown: Option<(u64, Camera, [i32; 4])>,
    since: Instant,
}

impl Canvas {
    /// A canvas that draws through `gl`, and tells `buffers` what it works on the driver's buffers.
    pub fn new(gl: Arc<glow::Context>, buffers: Meter) -> Self {
        Self { gl, painter: None, failure: None, buffers, shown: None, since: Instant::now() }
    }

    /// Distance between the fine lines of the grid in the last picture [m]; none before the first.
    fn spacing(&self) -> Option<f64> {
        Some(self.painter.as_ref()?.as_ref().ok()?.spacing())
    }

    /// How long until the picture, if it stays as it is, is drawn once more with smooth edges; `None` where it has them.
    fn unrest(&self) -> Option<Duration> {
        let Some(Ok(painter)) = &self.painter else { return None };
        painter.is_rough().then(|| REST.saturating_sub(self.since.elapsed()))
    }

    fn draw(
        &mut self,
        list: &DrawList,
        camera: &Camera,
        (revision, scale): (u64, f32),
        rectangle: [i32; 4],
        to: Option<glow::Framebuffer>,
    ) {
        let shown = Some((revision, *camera, rectangle));
        if self.shown != shown {
            (self.shown, self.since) = (shown, Instant::now());
        }
        let rests = self.since.elapsed() >= REST;
        let painter = self.painter.get_or_insert_with(|| Painter::new(Arc::clone(&self.gl)));
        let size = (rectangle[2].max(1) as u32, rectangle[3].max(1) as u32);
        let drawn = match painter {
            Ok(painter) => {
                metered(&self.buffers, || painter.upload(list, revision));
                let mut drawn = painter.draw(list, camera, size, scale, revision);
                if drawn.is_ok() && rests {
                    drawn = painter.smooth_out();
                }
                drawn.map(|()| painter.blit(to, rectangle)).map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        self.failure = drawn.err();
    }
}

/// Puts the picture of `list` into `rect`; a plain background where there is no canvas, and what went wrong where
/// the graphics driver failed.
pub fn show(ui: &Ui, rect: Rect, canvas: Option<&Arc<Mutex<Canvas>>>, list: &DrawList, camera: &Camera, revision: u64) {
    background(ui, rect);
    let Some(canvas) = canvas else { return };
    if let Some(failure) = &canvas.lock().unwrap_or_else(PoisonError::into_inner).failure {
        let text = format!("The 3D view cannot be drawn: {failure}");
        let color = ui.visuals().error_fg_color;
        let line = ui.painter().layout(text, egui::FontId::proportional(13.0), color, 0.8 * rect.width());
        ui.painter().galley(rect.center() - 0.5 * line.size(), line, color);
    }
    let (canvas, list, camera) = (Arc::clone(canvas), list.clone(), *camera);
    if let Some(rest) = canvas.lock().unwrap_or_else(PoisonError::into_inner).unrest() {
        ui.ctx().request_repaint_after(rest);
    }
    let spacing = canvas.lock().unwrap_or_else(PoisonError::into_inner).spacing().filter(|_| !list.bodies.is_empty());
    let callback = CallbackFn::new(move |info, egui_painter| {
        let place = info.viewport_in_pixels();
        let rectangle = [place.left_px, place.from_bottom_px, place.width_px, place.height_px];
        let mut canvas = canvas.lock().unwrap_or_else(PoisonError::into_inner);
        canvas.draw(&list, &camera, (revision, info.pixels_per_point), rectangle, egui_painter.intermediate_fbo());
    });
    ui.painter().add(PaintCallback { rect, callback: Arc::new(callback) });
    if let Some(spacing) = spacing {
        let (text, font) = (format!("grid {}", quantity(spacing, "m")), egui::FontId::proportional(11.0));
        let line = ui.painter().layout_no_wrap(text, font, meaning(ui).dim);
        ui.painter().galley(rect.left_bottom() + egui::vec2(MARGIN, -MARGIN - line.size().y), line, meaning(ui).dim);
    }
}

fn background(ui: &Ui, rect: Rect) {
    let (bottom, top) = if ui.visuals().dark_mode {
        (Color32::from_rgb(0x1e, 0x21, 0x26), Color32::from_rgb(0x3a, 0x40, 0x49))
    } else {
        (Color32::from_rgb(0xb9, 0xc1, 0xca), Color32::from_rgb(0xdd, 0xe2, 0xe8))
    };
    let [from, to] = [[rect.left_bottom(), rect.right_bottom()], [rect.left_top(), rect.right_top()]];
    ui.painter().add(gradient(from, to, 8, |share| bottom.lerp_to_gamma(top, share as f32)));
}
