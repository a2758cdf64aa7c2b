//! Particles: fluids by position, and material points.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod files;
mod fluid;
mod grains;
mod liquid;
mod material_points;
mod scene;
