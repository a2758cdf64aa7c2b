//! Cloth.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod closed_forms;
mod enclosed;
mod falls;
mod garment;
mod laws;
mod pressure;
mod reach;
mod scenes;
mod stability;
