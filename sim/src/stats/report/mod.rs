//! The reports of `import`, `init`, `nudge` and `simulate`, key by key as the command line promises them. SI units; seconds of work are
//! wall seconds.

mod import;
mod init;
mod outcome;
mod simulate;
mod stability;

pub use import::{GuessReport, ImportReport, Tetrahedralised};
pub use init::{
    Compression, ContactReport, Histogram, Infeasibility, InfeasibilityCode, InitReport, InitSeconds, Residual, RestVolume, Stiffened,
    Unattainable,
};
pub use outcome::{Balanced, Conclusion, Outcome};
pub use simulate::{Drift, FramesReport, PhaseSeries, RecordingReport, Series, SimulateReport, SimulateSeconds};
pub use stability::{Compliance, CureReport, KickDirection, KickReport, NudgeReport, NudgeVerdict, SoftMode, Stability, Verdict};
