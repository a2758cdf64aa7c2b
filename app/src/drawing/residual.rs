//! Forces that nothing balances, as arrows.

use aplomb_sim::math::Vec3;

use crate::session::Snapshot;
use crate::viewport::{ArrowDraw, ArrowKind};

/// The arrows of a snapshot, the largest force as long as `length` [m], and how large that is [N].
pub fn residual(snapshot: &Snapshot, length: f64) -> (Vec<ArrowDraw>, f64) {
    let largest = snapshot.unbalanced.first().map_or(0.0, |(_, force)| force.norm());
    let arrow = |(place, force): &(Vec3, Vec3)| {
        let along = force * (length / largest);
        ArrowDraw { points: vec![*place, place + along], kind: ArrowKind::Residual, head: true }
    };
    (snapshot.unbalanced.iter().map(arrow).collect(), largest)
}
