//! The file in the state folder that keeps a layout for the next window.

use std::path::Path;

use aplomb_sim::files;
use serde::{Deserialize, Serialize};

use super::SCALES;
use super::node::Node;

/// What is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Kept {
    /// Scale of everything in the window.
    pub scale: f32,
    /// Whether the outliner and the right column are collapsed.
    pub collapsed: [bool; 2],
    /// Width of the right column, if it was changed [points].
    pub right_width: Option<f32>,
    /// Whether docks are shown, if the user said so.
    pub docks: Option<bool>,
    /// Names of panels that are closed.
    pub closed: Vec<String>,
    /// Where panels stand.
    pub panels: Node,
}

impl Default for Kept {
    fn default() -> Self {
        Self { scale: 1.0, collapsed: [false; 2], right_width: None, docks: None, closed: Vec::new(), panels: Node::default() }
    }
}

impl Kept {
    /// Reads it; `None` where there is none, or what there is makes no sense.
    pub fn read(file: &Path) -> Option<Self> {
        let kept: Self = serde_json::from_slice(&files::read(file).ok()?).ok()?;
        let width = kept.right_width.filter(|width| (120.0..=4000.0).contains(width));
        SCALES.contains(&kept.scale).then_some(Self { right_width: width, ..kept })
    }

    /// Writes it. A convenience: a disk that cannot keep it is no reason to disturb anybody.
    pub fn write(&self, file: &Path) {
        let folder = file.parent().unwrap_or(Path::new("."));
        let _ = serde_json::to_vec_pretty(self)
            .map_err(std::io::Error::other)
            .and_then(|text| std::fs::create_dir_all(folder).and_then(|()| files::write_atomically(file, &text)));
    }
}
