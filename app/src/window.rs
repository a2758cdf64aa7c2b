//! The editor's window.

use std::path::PathBuf;

/// Opens the editor.
pub fn open(_scene: Option<PathBuf>) -> anyhow::Result<()> {
    anyhow::bail!("this build has no window")
}
