//! The reports of `import`, `init`, `nudge` and `simulate`, key by key as the command line promises them. SI units; seconds of work are
//! wall seconds.

mod import;
mod init;
mod series;
mod simulate;

pub use crate::sag_free::InitSeconds;
pub use crate::sag_free::verdict::*;
pub use crate::step::Residual;
pub use import::{GuessReport, ImportReport, Tetrahedralised};
pub use init::{
    ContactReport, Distribution, FamilyReport, FieldReport, FieldSpread, GridReport, Histogram, InitReport, OneWayReport, PatternReport,
    RestVolume, Settled, Stiffened, Unattainable,
};
pub use series::Series;
pub use simulate::{Drift, FramesReport, LinearSolves, RecordingReport, SimulateReport, SimulateSeconds};
