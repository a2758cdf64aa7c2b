//! Pictures without a window, on machines with or without a graphics card.

mod press;
mod studio;
mod words;

pub use press::Press;
pub use studio::{LegendDraw, Shot, Studio};

use std::ffi::CString;
use std::sync::Arc;

use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::{device::Device, display::Display};
use glutin::config::ConfigSurfaceTypes;
use glutin::config::ConfigTemplateBuilder;
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Version};
use glutin::error::{Error, ErrorKind};
use glutin::prelude::*;

use crate::viewport::painter::PainterError;
use crate::viewport::{Camera, DrawList};

/// Why no picture can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum OffscreenError {
    /// No way to OpenGL without a window.
    #[error("OpenGL without a window is not available ({0}); on Debian and Ubuntu, install the packages libegl1 and libgl1-mesa-dri")]
    Context(String),
    /// The driver fails.
    #[error(transparent)]
    Painter(#[from] PainterError),
    /// The driver cannot draw words.
    #[error("the graphics driver cannot draw the legend: {0}")]
    Words(String),
}

/// A context that is current on the thread that made it.
struct Offscreen {
    gl: Arc<glow::Context>,
    // Dropped after `gl`, which calls through it.
    _context: PossiblyCurrentContext,
}

impl Offscreen {
    /// The first device of EGL that has OpenGL 3.3 or OpenGL ES 3.
    fn new() -> Result<Self, OffscreenError> {
        let none = |error: Error| OffscreenError::Context(error.to_string());
        let mut failure = OffscreenError::Context("EGL names no device".into());
        for device in Device::query_devices().map_err(none)? {
            match Self::on(&device) {
                Ok(offscreen) => return Ok(offscreen),
                Err(error) => failure = none(error),
            }
        }
        Err(failure)
    }

    fn on(device: &Device) -> Result<Self, Error> {
        let template = ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
        let versions = [ContextApi::OpenGl(Some(Version::new(3, 3))), ContextApi::Gles(Some(Version::new(3, 0)))];
        // SAFETY: the device is one that EGL named, and no native display is passed.
        let display = unsafe { Display::with_device(device, None)? };
        // SAFETY: the template names no native window.
        let mut configs = unsafe { display.find_configs(template)? };
        let config = configs.next().ok_or(ErrorKind::BadConfig)?;
        let make = |api| {
            let attributes = ContextAttributesBuilder::new().with_context_api(api).with_profile(GlProfile::Core).build(None);
            // SAFETY: the attributes name no native window.
            unsafe { display.create_context(&config, &attributes) }
        };
        let context = versions.map(make).into_iter().reduce(Result::or);
        let context = context.unwrap_or(Err(ErrorKind::BadContext.into()))?.make_current_surfaceless()?;
        let load = |name: &str| CString::new(name).map_or(std::ptr::null(), |name| display.get_proc_address(&name));
        // SAFETY: the context is current, and the addresses are its own.
        let gl = unsafe { glow::Context::from_loader_function(load) };
        Ok(Self { gl: Arc::new(gl), _context: context })
    }
}

/// Pixels a point: in larger pictures lines and discs are as much larger.
pub fn scale(size: (u32, u32)) -> f32 {
    (size.1 as f32 / 900.0).max(1.0)
}

/// Draws `list` from `camera` at `size` (width, height) [pixels].
///
/// # Errors
/// There is no EGL, or the driver cannot draw a picture of this size.
pub fn render(list: &DrawList, camera: &Camera, size: (u32, u32)) -> Result<image::RgbaImage, OffscreenError> {
    let panes = vec![(list.clone(), *camera)];
    Studio::new()?.shoot(&Shot { panes, size, scale: scale(size), transparent: false, legend: None, revision: 0 })
}
