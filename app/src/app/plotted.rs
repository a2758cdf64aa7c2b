//! Plots into files: what is shown is taken as it is, and written on another thread.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, TryRecvError};

use aplomb_sim::files;

use super::App;
use crate::panels::plots::{csv, picture, shown};

/// What comes of plots that are being written.
pub(super) type Plotting = Receiver<Result<PathBuf, String>>;

impl App {
    /// Writes the page of plots that is shown.
    pub(super) fn write_plots(&mut self, path: &Path) -> Result<(), String> {
        if self.main.series.is_empty() {
            return Err("nothing is plotted yet: press Play first".to_owned());
        }
        let extension = path.extension().map_or_else(String::new, |extension| extension.to_string_lossy().to_lowercase());
        let theme = if self.dark { egui::Theme::Dark } else { egui::Theme::Light };
        let mut actions = Vec::new();
        let (charts, text) = self.look(&mut actions, |look| match extension.as_str() {
            "png" => (shown(look), None),
            _ => (Vec::new(), Some(csv(look))),
        });
        let (sender, receiver) = mpsc::channel();
        let wake_up = std::sync::Arc::clone(&self.wake_up);
        let path = path.to_path_buf();
        let write = move || {
            let written = match text {
                Some(text) => files::write_atomically(&path, text.as_bytes())
                    .map_err(|error| format!("{} cannot be written: {error}", path.display())),
                None => picture::write(&charts, theme, &path),
            };
            // Nobody receives once the editor has closed.
            let _ = sender.send(written.map(|()| path));
            wake_up();
        };
        std::thread::Builder::new().name("plots".to_owned()).spawn(write).map_err(|error| error.to_string())?;
        self.plotting = Some(receiver);
        Ok(())
    }

    /// Tells what came of it.
    pub(super) fn take_plotted(&mut self) {
        let written = match self.plotting.as_ref().map(Receiver::try_recv) {
            None | Some(Err(TryRecvError::Empty)) => return,
            Some(Err(TryRecvError::Disconnected)) => Err("the plots could not be written: an internal error".to_owned()),
            Some(Ok(written)) => written,
        };
        self.plotting = None;
        match written {
            Ok(path) => self.desk.note = Some(format!("Exported {}", path.display())),
            Err(what) => self.refuse(what),
        }
    }
}
