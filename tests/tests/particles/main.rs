//! Particles: fluids by position, and material points.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod advice;
mod at_points;
mod beside;
mod binding_walls;
mod collisions;
mod conic;
mod edges;
mod files;
mod fluid;
mod grains;
mod heaps;
mod implicit;
mod kept;
mod liquid;
mod material_points;
mod moving_walls;
mod nudged;
mod pushed;
mod scene;
mod sloshing;
mod spectrum;
mod surfaces;
mod told;
mod walls_of_triangles;
