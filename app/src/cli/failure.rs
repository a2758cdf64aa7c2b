//! Why a command failed, and the exit status that says so.

use std::process::ExitCode;

use aplomb_sim::export::ExportError;
use aplomb_sim::reconstruction::ReconstructionError;
use aplomb_sim::scene::SceneProblem;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The input is at fault.
    #[error("{0}")]
    Input(String),
    /// The solver could not reach what was asked.
    #[error("{0}")]
    Unreached(String),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Failure {
    /// The promised exit status.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Input(_) => 1,
            Self::Unreached(_) => 3,
            Self::Interrupted => 130,
        })
    }

    /// Problems of a scene, one a line.
    pub fn problems(problems: &[SceneProblem]) -> Self {
        Self::Input(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Around { why: ReconstructionError::Cancelled(_), .. } => Self::Interrupted,
            other => Self::Input(other.to_string()),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Input(format!("{error:#}"))
    }
}
