//! Distances between the pieces of triangle meshes: which points are nearest, and how their distance changes.
//!
//! ```text
//! points, edges -> nearest (weights of the vertices) -> frame (gradient and second derivatives of the distance)
//! ```

mod edges;
mod frame;
mod matrix;
mod mollifier;
mod nearest;
mod points;
#[cfg(test)]
pub(super) mod sample;

pub use edges::edge_edge;
pub use frame::DistanceFrame;
pub use matrix::{Mat12, Vec12, add_product, add_square, clamped};
pub use mollifier::{Mollifier, mollifier_width};
pub use nearest::Nearest;
pub use points::{point_edge, point_plane, point_point, point_triangle};
