//! [`Reach`]: how far the barrier between surfaces reaches around each contact point.

use super::ContactSpace;
use super::active::Distances;
use super::barrier::{CLEAR_SHARE, clear_reach};
use super::broad_phase::{CandidateCache, Candidates};
use super::stencil::NO_NODE;
use super::surface::CollisionSurface;
use crate::math::Vec3;

/// The barrier reaches this far at least, as a share of the diagonal: less than the distance up to which surfaces count as touching, so that
/// it pushes between none in the given shape.
const LEAST_DISTANCE: f64 = 1e-9;

/// How far the barrier reaches, for each node: less where surfaces are near one another from the start, so that nothing pushes
/// there in the given shape, and a narrow fold of one body leaves all others as they are.
///
/// A pair has the least reach of its nodes, whatever of them is nearest: so its energy is as smooth as that of the barrier.
#[derive(Debug, Clone)]
pub struct Reach {
    /// The largest [m].
    distance: f64,
    /// That of each node, as a share of it; empty where it is 1 for all.
    shares: Vec<f64>,
}

impl Reach {
    /// The same distance [m] for all.
    pub fn far(distance: f64) -> Self {
        Self { distance, shares: Vec::new() }
    }

    /// At most `distance` [m], and at least `least` [m], so that no pair of `candidates` pushes at the positions `x` [m].
    pub fn clear_of(surface: &CollisionSurface, candidates: &Candidates, x: &[Vec3], distance: f64, least: f64) -> Self {
        let mut distances = Distances::default();
        distances.measure(surface, candidates, x);
        let mut shares = vec![1.0; x.len()];
        for (pair, apart) in candidates.pairs().zip(distances.kinds().flat_map(|(_, distances)| distances)) {
            let share = (CLEAR_SHARE * apart).max(least) / distance;
            // What cannot move is touched by what can, which has the reach of its own.
            for node in pair.nodes(surface).into_iter().filter(|&node| node != NO_NODE && surface.movable[node as usize]) {
                shares[node as usize] = share.min(shares[node as usize]);
            }
        }
        Self { distance, shares }
    }

    /// As far as the settings of `space` say, so that no pair pushes in the given shape, where contact points are at `x` [m]. `cache` finds the
    /// pairs.
    pub fn of_given<'a>(space: impl Into<ContactSpace<'a>>, cache: &mut CandidateCache, x: &[Vec3]) -> Self {
        let space = space.into();
        let distance = space.settings.barrier_distance * space.diagonal;
        let candidates = cache.ensure(space.surface, x, clear_reach(distance));
        Self::clear_of(space.surface, candidates, x, distance, LEAST_DISTANCE * space.diagonal)
    }

    /// With these shares of `distance` [m] for the nodes.
    #[cfg(test)]
    pub fn of_shares(distance: f64, shares: Vec<f64>) -> Self {
        Self { distance, shares }
    }

    /// The largest [m].
    pub fn distance(&self) -> f64 {
        self.distance
    }

    /// That of a pair with these nodes, as a share of the largest.
    #[inline]
    pub fn share(&self, nodes: &[u32]) -> f64 {
        nodes.iter().filter_map(|&node| self.shares.get(node as usize)).fold(1.0, |least, &share| share.min(least))
    }
}
