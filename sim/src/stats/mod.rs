//! Numbers with names and units: what a run measured.

pub mod cache;
pub mod memory;
pub mod numbers;
pub mod recorder;
pub mod report;
pub mod summary;
