//! Solids of tetrahedra, and what is true of every body.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod boundary;
mod compression;
mod convergence;
mod dynamics;
mod forecast;
mod hand;
mod live;
mod local_stage;
mod mass_matrix;
mod paper_scenes;
mod references;
mod rest_shape;
mod robustness;
mod sag_free;
mod stability;
mod stiffness_field;
mod verdicts;
mod violent;
mod wind;
