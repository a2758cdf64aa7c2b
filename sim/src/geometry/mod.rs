//! Which boxes around features meet: a tree over them, and the pairs of two trees. Of what the features are it knows nothing.

mod boxes;
mod pairs;
mod tree;

pub use pairs::{Criterion, PairFinder};
pub use tree::{Path, Tree};

use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// What is asked about features, each of a part, before their boxes are.
pub trait MeetingRules: Sync {
    /// Whether features of these parts may be a pair.
    fn may_meet(&self, a: u32, b: u32) -> bool;
    /// How far the features of a part reach around themselves [m].
    fn radius(&self, part: u32) -> f64;
    /// Whether one of the nodes can move; of features that cannot there is no pair.
    fn any_movable(&self, nodes: &[u32]) -> bool;
}

/// Everything may meet.
struct Everything;

impl MeetingRules for Everything {
    fn may_meet(&self, _: u32, _: u32) -> bool {
        true
    }
    fn radius(&self, _: u32) -> f64 {
        0.0
    }
    fn any_movable(&self, _: &[u32]) -> bool {
        true
    }
}

/// Calls `see` with every pair of `triangles` whose bounding boxes at `x` [m] meet, once and in no order; they may share corners, or
/// be flat. Nothing is kept of the pairs. Returns false where there are more than `most`: then some were not seen.
///
/// # Errors
/// If the watch cancels.
pub fn see_triangle_pairs(
    triangles: &[[u32; 3]],
    x: &[Vec3],
    most: usize,
    watch: &dyn Watch,
    see: impl Fn(u32, u32) + Sync,
) -> Result<bool, Cancelled> {
    let mut tree = Tree::default();
    tree.fit(&Everything, triangles, &vec![0; triangles.len()], Path { start: x, step: None });
    let fits = |a: u32, b: u32| {
        see(a.min(b), a.max(b));
        true
    };
    pairs::visit(&tree, &Criterion { rules: &Everything, reach: 0.0, fits }, most, watch)
}
