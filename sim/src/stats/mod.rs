//! Numbers with names and units: what a run measured.

pub mod memory;
pub mod recorder;
pub mod report;
pub mod summary;
