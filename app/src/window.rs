//! The editor's window.

use std::path::{Path, PathBuf};

use eframe::{NativeOptions, Renderer};

use crate::app::{App, Options};

/// Opens the editor on `scene`, or on the gallery's creature; returns when the window is closed.
///
/// # Errors
/// There is no display, or no OpenGL on it.
pub fn open(scene: Option<PathBuf>) -> anyhow::Result<()> {
    let options = NativeOptions {
        renderer: Renderer::Glow,
        // The viewport draws into egui's frame and needs depth there.
        depth_buffer: 24,
        viewport: egui::ViewportBuilder::default()
            .with_title("Aplomb")
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([900.0, 600.0]),
        ..NativeOptions::default()
    };
    let set_up = Options { scene, state: state_folder() };
    eframe::run_native("aplomb", options, Box::new(|cc| Ok(Box::new(App::new(cc, set_up)?))))
        .map_err(|error| anyhow::anyhow!("the window cannot be opened: {error}"))
}

/// Where recent files and autosaved edits are kept, by the XDG base directory specification.
fn state_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set("XDG_STATE_HOME").or_else(|| set("HOME").map(|home| home.join(Path::new(".local/state"))))?;
    Some(base.join("aplomb"))
}
