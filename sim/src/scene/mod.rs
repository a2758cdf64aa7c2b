//! What the user authored: bodies, regions, obstacles, loads and settings, in SI units, as versioned JSON.

pub mod model;

pub use model::*;

/// One thing wrong with a scene file, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneProblem {
    /// The scene file.
    pub file: std::path::PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// Path in the JSON, such as `bodies[0].material.young`.
    pub path: String,
    /// What is wrong, and what to do.
    pub message: String,
}

impl std::fmt::Display for SceneProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: ", self.file.display(), self.line, self.column)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}
