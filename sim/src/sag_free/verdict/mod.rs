//! What an initialisation says of a body: in balance or not and why, stable or not, and what came of it all.

mod infeasibility;
mod outcome;
mod stability;

pub use infeasibility::{Infeasibility, InfeasibilityCode};
pub use outcome::{Balanced, Conclusion, Outcome};
pub use stability::{
    Compliance, CureReport, CureStage, KickDirection, KickReport, NudgeReport, NudgeVerdict, SoftMode, Stability, Verdict,
};
