//! Aplomb's library: sag-free initialisation and implicit simulation of deformable bodies.
//!
//! ```text
//! import -> mesh -> scene -> system -> sag_free (global stage, local stage) -> step -> stats
//! ```

// Scenes for tests name this library as other packages do, so that those can use them as well.
#[cfg(test)]
extern crate self as aplomb_sim;

pub mod files;
pub mod geometry;
pub mod math;
pub mod memory;
pub mod watch;

pub mod import;
pub mod mesh;
pub mod reconstruction;

pub mod scene;
pub mod scene_file;

pub mod bodies;
pub mod contact;
pub mod element;
pub mod linear;
pub mod material;
pub mod system;

pub mod sag_free;
pub mod step;

pub mod rest_shape;

pub mod export;
pub mod simulation;
pub mod stats;
