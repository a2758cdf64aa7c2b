//! The editor's window.

use std::any::Any;
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
    let run = || eframe::run_native("aplomb", options, Box::new(|cc| Ok(Box::new(App::new(cc, set_up)?))));
    // A library of the desktop that is missing is an error to some of the window's libraries, and a panic to others.
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if missing_library(info.payload()).is_none() {
            before(info);
        }
    }));
    let error = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => error.to_string(),
        Err(payload) => match missing_library(&*payload) {
            Some(message) => message.to_owned(),
            None => std::panic::resume_unwind(payload),
        },
    };
    Err(anyhow::anyhow!("{}", unopened(&error, has_display())))
}

/// The message of a panic about a library that is not installed.
fn missing_library(payload: &(dyn Any + Send)) -> Option<&str> {
    let message = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied())?;
    let message = message.trim_end_matches('.');
    (message.starts_with("Library ") && message.ends_with("could not be loaded")).then_some(message)
}

/// What the window needs on Debian besides a display, as in the README.
pub const PACKAGES: &str = "libxcursor1 libxi6 libxkbcommon-x11-0 libegl1 libgl1-mesa-dri";

fn has_display() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Why there is no window, and what to do.
fn unopened(error: &str, has_display: bool) -> String {
    if !has_display {
        return "the window cannot be opened: there is no display, neither `DISPLAY` nor `WAYLAND_DISPLAY` is set; start the editor in a desktop \
                session. `aplomb help` tells what can be done without a window"
            .to_owned();
    }
    format!(
        "the window cannot be opened: {}. It needs a display with OpenGL and the libraries of a desktop; on Debian: sudo apt-get install {PACKAGES}",
        without_source_line(error)
    )
}

/// The error without the place in a library's source code that stands before it ("os error at FILE:LINE: ").
fn without_source_line(error: &str) -> &str {
    let place = |before: &str| before.rsplit_once(':').is_some_and(|(file, line)| file.ends_with(".rs") && line.parse::<u32>().is_ok());
    error.match_indices(": ").find(|(at, _)| place(&error[..*at])).map_or(error, |(at, mark)| &error[at + mark.len()..])
}

/// Where recent files and autosaved edits are kept, by the XDG base directory specification.
fn state_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set("XDG_STATE_HOME").or_else(|| set("HOME").map(|home| home.join(Path::new(".local/state"))))?;
    Some(base.join("aplomb"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn who_has_no_window_is_told_what_is_missing() {
        let winit =
            "winit error: os error at /home/x/winit-0.30.12/src/platform_impl/linux/mod.rs:765: Library libxcursor could not be loaded";
        let told = unopened(winit, true);
        assert!(told.contains("opened: Library libxcursor could not be loaded. ") && told.contains(PACKAGES), "{told}");
        assert!(!told.contains(".rs"), "{told}");
        assert_eq!(without_source_line("no OpenGL: 3.1 is needed"), "no OpenGL: 3.1 is needed");
        assert!(unopened(winit, false).contains("`DISPLAY`"));
        let panics: [Box<dyn Any + Send>; 2] =
            [Box::new("Library libxkbcommon-x11.so could not be loaded.".to_owned()), Box::new("index out of bounds")];
        assert_eq!(
            panics.each_ref().map(|payload| missing_library(&**payload)),
            [Some("Library libxkbcommon-x11.so could not be loaded"), None]
        );
    }

    #[test]
    fn the_packages_are_those_of_the_readme_and_of_the_tests() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let text = |file: &str| std::fs::read_to_string(root.join(file)).unwrap();
        assert!(text("README.md").contains(&format!("apt-get install {PACKAGES}")));
        assert!(text("tests/run.sh").contains(PACKAGES));
    }
}
