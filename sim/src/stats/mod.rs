//! Numbers with names and units: what a run measured.

pub mod cache;
pub mod chart;
pub mod memory;
pub mod recorder;
pub mod registry;
pub mod report;
pub mod statistic;
pub mod summary;
pub mod table;
