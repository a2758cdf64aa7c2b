//! [`Near`]: pairs of features that may come to touch, each with how far its points may go before it does.

use rayon::prelude::*;

use super::facing::Facing;
use super::touching::{On, Touching, point};
use crate::contact::reach::Reach;
use crate::contact::stencil::NO_NODE;
use crate::contact::{CandidateCache, CollisionSurface, Pair, StencilKind, at};
use crate::math::{Vec3, largest_norm};

/// Pairs are looked at that are farther apart than they are kept, beside what they are led by, by this share of the larger of both.
const SLACK: f64 = 0.5;
/// Pairs are measured anew when a point has gone half of this share of the slack.
const SPARE: f64 = 0.5;
/// Pairs that one thread measures alone.
const FEW: usize = 256;

/// The pairs, as they were measured last: where little moves, a part of a step measures none of them.
#[derive(Debug, Default)]
pub struct Near {
    candidates: CandidateCache,
    /// Contact points where the pairs were measured [m].
    pub measured: Vec<Vec3>,
    /// No other pair comes to touch while no point is farther from there than half of this [m].
    spare: f64,
    /// In the order in which they are projected.
    pub pairs: Vec<NearPair>,
    looked_at: Vec<Pair>,
    /// Of each pair that is looked at [m].
    apart: Vec<f64>,
}

/// One of them.
#[derive(Debug)]
pub struct NearPair {
    /// Contact points of both features, as in [`Touching`].
    pub nodes: [u32; 4],
    kind: StencilKind,
    /// How far they are kept apart, with their radii; the radii [m].
    reach: [f64; 2],
    friction: f64,
    /// How far its points may go altogether before they can touch [m], from where they were measured.
    free: f64,
    /// What came of it in this part of a step.
    pub state: PairState,
}

/// What came of a pair in a part of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairState {
    /// Nothing yet.
    Apart,
    /// It has come so near that it is looked at, as the contact of this number.
    Found(usize),
    /// It had passed through before the part began, and is looked after elsewhere.
    Elsewhere,
}

impl Near {
    /// Looks for pairs anew: other parts may touch than before.
    pub fn forget(&mut self) {
        (self.candidates, self.spare) = (CandidateCache::default(), 0.0);
        self.measured.clear();
    }

    /// Begins a part of a step that leads the contact points from `start` on a `way` [m]. Pairs that `passed` names are looked after elsewhere.
    pub fn begin(&mut self, surface: &CollisionSurface, reach: &Reach, [start, way]: [&[Vec3]; 2], passed: impl Fn(&[u32; 4]) -> bool) {
        if !self.holds_for(start, way) {
            self.measure(surface, reach, start, way);
        }
        for pair in &mut self.pairs {
            pair.state = if passed(&pair.nodes) { PairState::Elsewhere } else { PairState::Apart };
        }
    }

    fn holds_for(&self, start: &[Vec3], way: &[Vec3]) -> bool {
        let is_near = |x: &Vec3, measured: &Vec3| 2.0 * (x - measured).norm() <= self.spare;
        let mut points = self.measured.iter().zip(start).zip(way);
        self.measured.len() == start.len() && points.all(|((from, x), way)| is_near(x, from) && is_near(&(x + way), from))
    }

    fn measure(&mut self, surface: &CollisionSurface, reach: &Reach, start: &[Vec3], way: &[Vec3]) {
        let slack = SLACK * reach.distance().max(largest_norm(way));
        self.spare = SPARE * slack;
        self.measured.clear();
        self.measured.extend_from_slice(start);
        let (_, near) = self.candidates.ensure_swept(surface, start, way, reach.distance() + slack + self.spare);
        self.looked_at.clear();
        self.looked_at.extend(near.pairs());
        self.looked_at.par_iter().with_min_len(FEW).map(|pair| pair.distance(surface, start)).collect_into_vec(&mut self.apart);
        let longest = |nodes: &[u32]| nodes.iter().filter_map(|node| way.get(*node as usize)).map(Vec3::norm).fold(0.0, f64::max);
        let found = self.looked_at.iter().zip(&self.apart).filter_map(|(pair, apart)| {
            let nodes = pair.nodes(surface);
            let (first, second) = nodes.split_at(pair.kind.first());
            let kept = reach.share(&nodes) * reach.distance();
            if *apart > kept + slack + self.spare.max(longest(first) + longest(second)) {
                return None;
            }
            let ([a, b], radius) = (pair.parts(surface), pair.radius(surface));
            let friction = surface.friction(a, b);
            Some(NearPair { nodes, kind: pair.kind, reach: [kept + radius, radius], friction, free: apart - kept, state: PairState::Apart })
        });
        self.pairs.clear();
        self.pairs.extend(found);
    }
}

impl NearPair {
    /// Whether its points, the nodes being at `x` [m], have not gone far enough from where they were `measured` [m] to touch: the two come nearer by
    /// no more than each of them moves.
    pub fn is_away(&self, measured: &[Vec3], surface: &CollisionSurface, x: &[Vec3]) -> bool {
        let moved = |node: &u32| if *node == NO_NODE { 0.0 } else { (point(surface, *node, x) - measured[*node as usize]).norm() };
        let longest = |nodes: &[u32]| nodes.iter().map(moved).fold(0.0, f64::max);
        let (first, second) = self.nodes.split_at(self.kind.first());
        self.free > 0.0 && longest(first) + longest(second) < self.free
    }

    /// The contact that it comes to.
    pub fn touching(&self, on: &On) -> Touching {
        Touching::new(self.nodes, Facing::of_pair(self.kind, &at(&self.nodes, on.start)), self.reach, self.friction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Candidates;
    use crate::contact::active::tests::{mixed, sheets};
    use crate::math::random::Random;

    /// Over many parts, slow and fast: a pair that is led to where it would be pushed is known, with room for what projections add; what is said
    /// to be away is; and what moves little is not measured anew.
    #[test]
    fn no_pair_is_missed_however_little_is_measured() {
        for seed in 0..6 {
            let (surface, _, mut x) = sheets(seed);
            let (reach, mut random) = (mixed(x.len()), Random::new(seed));
            let (mut near, mut met) = (Near::default(), 0);
            let mut drift = random.vector(-0.015, 0.015);
            for part in 0..90 {
                let speed = if part % 45 == 44 { 0.4 } else { 0.01 };
                // One sheet slides along the other, there and back.
                drift *= if part % 15 == 0 { -1.0 } else { 1.0 };
                let way: Vec<Vec3> = (0..x.len()).map(|n| random.vector(-speed, speed) + if n < 16 { drift } else { -drift }).collect();
                near.begin(&surface, &reach, [&x, &way], |nodes| nodes[0] == 3);
                let to: Vec<Vec3> = x.iter().zip(&way).map(|(x, way)| x + way).collect();
                let mut all = Candidates::default();
                crate::contact::broad_phase::BroadPhase::default().find(&surface, &to, 2.0 * reach.distance(), &mut all);
                let kept = |nodes: &[u32; 4]| reach.share(nodes) * reach.distance();
                for pair in all.pairs() {
                    let nodes = pair.nodes(&surface);
                    let is_known = near.pairs.iter().any(|known| known.nodes == nodes && known.kind == pair.kind);
                    let distance = pair.distance(&surface, &to);
                    assert!(is_known || distance > kept(&nodes) + 0.999 * SLACK * reach.distance(), "{nodes:?} at {distance}");
                }
                let stirred: Vec<Vec3> = to.iter().map(|x| x + random.vector(-0.05, 0.05)).collect();
                for pair in &near.pairs {
                    assert_eq!(pair.state == PairState::Elsewhere, pair.nodes[0] == 3);
                    let distance = pair.kind.nearest(&at(&pair.nodes, &stirred)).distance();
                    let is_away = pair.is_away(&near.measured, &surface, &stirred);
                    assert!(!is_away || distance > pair.reach[0], "{distance} {}", pair.reach[0]);
                    met += usize::from(!is_away);
                }
                x = to;
            }
            assert!(met > 100, "{met} met");
            let rests = vec![Vec3::zeros(); x.len()];
            near.begin(&surface, &reach, [&x, &rests], |_| false);
            let measured = near.measured.clone();
            x.iter_mut().for_each(|x| *x += random.vector(-0.01, 0.01));
            near.begin(&surface, &reach, [&x, &rests], |_| false);
            assert!(near.measured == measured && measured != x);
        }
    }
}
