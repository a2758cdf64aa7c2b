//! What the user authored: bodies, regions, obstacles, loads and settings, in SI units. [`crate::scene_file`] reads and writes it.

pub mod attach;
pub mod field;
pub mod grid;
pub mod keys;
pub mod kind;
pub mod mend;
pub mod model;
pub mod motion;
pub mod obstacle;
pub mod probe;
pub mod projection;
pub mod region;
pub mod settings;
pub mod transform;
pub mod wind;

use std::path::PathBuf;

pub use attach::*;
pub use field::*;
pub use grid::*;
pub use kind::*;
pub use mend::*;
pub use model::*;
pub use motion::*;
pub use obstacle::*;
pub use probe::*;
pub use projection::*;
pub use region::*;
pub use settings::*;
pub use transform::*;
pub use wind::*;

/// One thing wrong with a scene, where, and what to do about it.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneProblem {
    /// The scene file; empty for a scene that is not in a file.
    pub file: PathBuf,
    /// Line, from 1; 0 where the scene is not text.
    pub line: usize,
    /// Column in characters, from 1; 0 where the scene is not text.
    pub column: usize,
    /// Path in the JSON, such as `bodies[0].material.young`; empty for the whole file.
    pub path: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// Where in space, and what mends it, where it has either.
    pub spot: Option<Box<Spot>>,
}

/// Where in space a problem is, and what mends it.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// The place [m]; `None` where it is of the whole scene.
    pub place: Option<[f64; 3]>,
    /// What mends it, if a number or a place of the scene does.
    pub mend: Option<Mend>,
}

impl SceneProblem {
    /// A problem known by its path alone; [`crate::scene_file::locate`] adds the place in the text.
    pub fn at(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: PathBuf::new(), line: 0, column: 0, path: path.into(), message: message.into(), spot: None }
    }

    /// The same, seen at a place [m], with what mends it.
    pub fn seen(self, place: [f64; 3], mend: Option<Mend>) -> Self {
        Self { spot: Some(Box::new(Spot { place: Some(place), mend })), ..self }
    }

    /// The same, with what mends it at no place in particular.
    pub fn mended_by(self, mend: Option<Mend>) -> Self {
        Self { spot: mend.map(|mend| Box::new(Spot { place: None, mend: Some(mend) })), ..self }
    }

    /// What mends it, if a number or a place of the scene does.
    pub fn mend(&self) -> Option<&Mend> {
        self.spot.as_ref()?.mend.as_ref()
    }
}

impl std::fmt::Display for SceneProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.file.as_os_str().is_empty() {
            write!(f, "{}:", self.file.display())?;
        }
        if self.line > 0 {
            write!(f, "{}:{}:", self.line, self.column)?;
        }
        if self.line > 0 || !self.file.as_os_str().is_empty() {
            f.write_str(" ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

/// Why a scene could not be made into a system: every problem found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct BuildError(pub Vec<SceneProblem>);
