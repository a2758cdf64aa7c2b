//! Numbers with names and units: what a run measured.

pub mod report;
