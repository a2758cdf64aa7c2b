//! The system's file dialogs, on a thread of their own. Where there is no portal they answer "cancelled" at once, so the
//! editor shows a field for a typed path beside them.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, TryRecvError};

use super::PictureKind;
use super::command::FileAction;

/// Extensions of every format that is read.
fn extensions() -> Vec<&'static str> {
    aplomb_sim::import::FORMATS.iter().flat_map(|format| format.extensions).copied().collect()
}

/// A dialog that is open.
#[derive(Debug)]
pub struct Dialog {
    answer: Receiver<Option<PathBuf>>,
}

impl Dialog {
    /// Opens the dialog for `action`, starting at `folder`.
    pub fn open(action: FileAction, folder: &Path, file_name: &str, wake_up: impl Fn() + Send + 'static) -> Self {
        let (sender, answer) = mpsc::channel();
        let (folder, file_name) = (folder.to_path_buf(), file_name.to_owned());
        let asked = std::thread::Builder::new().name("file dialog".to_owned()).spawn(move || {
            let dialog = rfd::FileDialog::new().set_directory(folder).set_title(action.title());
            let path = match action {
                FileAction::Open => dialog.add_filter("Aplomb scene", &["json"]).pick_file(),
                FileAction::SaveAs => dialog.add_filter("Aplomb scene", &["json"]).set_file_name(file_name).save_file(),
                FileAction::Import => dialog.add_filter("Mesh", &extensions()).pick_file(),
                FileAction::Bodies | FileAction::Run | FileAction::Plot => dialog.set_file_name(file_name).save_file(),
                FileAction::Picture(PictureKind::Still) => dialog.add_filter("PNG", &["png"]).set_file_name(file_name).save_file(),
                FileAction::Picture(_) => dialog.set_file_name(file_name).save_file(),
                FileAction::Net => dialog.add_filter("Wavefront OBJ", &["obj"]).set_file_name(file_name).save_file(),
                FileAction::PreparedAsset => dialog.add_filter("VTK unstructured grid", &["vtu"]).set_file_name(file_name).save_file(),
                FileAction::RestMesh => dialog.add_filter("MEDIT mesh", &["mesh"]).set_file_name(file_name).save_file(),
                FileAction::Recording => dialog.pick_file(),
                FileAction::Obstacle | FileAction::BodyRestMesh => dialog.add_filter("Mesh", &extensions()).pick_file(),
            };
            // The editor has closed the card when nobody receives.
            let _ = sender.send(path);
            wake_up();
        });
        drop(asked);
        Self { answer }
    }

    /// The answer once there is one: `Some(None)` is "cancelled".
    pub fn poll(&self) -> Option<Option<PathBuf>> {
        match self.answer.try_recv() {
            Ok(answer) => Some(answer),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(None),
        }
    }
}
