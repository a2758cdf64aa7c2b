//! [`ContactPotential`]: barrier and friction of all contacts as an energy for one time step.

use super::distance::SignedDistance;
use super::friction::{ForceShare, SlipPotential};
use super::obstacle::Distance;
use super::slots::{ObstacleContacts, Slot};
use super::step_contact::ContactForce;
use super::{ContactSpace, TouchPair};
use crate::math::{Mat3, Vec3};

/// Share of its gap that a contact keeps in one Newton step.
const KEPT_SHARE: f64 = 0.1;

/// How deep into a curved obstacle a step may aim, as a share of its radius there.
const DEEPEST_SHARE: f64 = 0.1;

/// Contact energy with everything frozen that changes only between steps: offsets, tangent planes, friction limits.
pub struct ContactPotential<'a> {
    space: ContactSpace<'a>,
    contacts: &'a ObstacleContacts,
    /// Positions at the step's start: slip is measured from here.
    origin: &'a [Vec3],
    /// Effective gap of each pair at the step's start; infinite where the obstacle is gone.
    start_gaps: Vec<f64>,
    /// Friction, ordered by pair.
    anchors: Vec<Anchor>,
}

/// Friction of one pair within the step.
#[derive(Clone)]
struct Anchor {
    pair: usize,
    normal: Vec3,
    /// Slip at the step's start, in the tangent plane.
    slip: Vec3,
    potential: SlipPotential,
    /// What Newton's method knows of the force.
    force: Option<ForceShare>,
}

/// What all contacts do at some positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSummary {
    /// Contacts that push.
    pub count: u32,
    /// Pairs that were near enough to be looked at.
    pub pairs: u32,
    /// Barrier energy [J].
    pub energy: f64,
    /// Smallest true distance of those [m]; infinite for none.
    pub min_gap: f64,
    /// Smallest effective gap [m]; infinite for none.
    pub min_effective_gap: f64,
    /// Smallest effective gap over the distance at which its barrier begins to push; infinite for none.
    pub min_open_share: f64,
}

impl Default for ContactSummary {
    fn default() -> Self {
        let none = f64::INFINITY;
        Self { count: 0, pairs: 0, energy: 0.0, min_gap: none, min_effective_gap: none, min_open_share: none }
    }
}

impl ContactSummary {
    /// Takes in a contact at this true distance [m], with this effective gap [m], if that is below `reach` [m].
    pub(super) fn note(&mut self, distance: f64, gap: f64, reach: f64) {
        if gap < reach {
            self.count += 1;
            self.min_gap = self.min_gap.min(distance);
            self.min_effective_gap = self.min_effective_gap.min(gap);
            self.min_open_share = self.min_open_share.min(gap / reach);
        }
    }
}

impl ObstacleContacts {
    /// The potential of the step that starts at the positions `origin`; `time` tells which obstacles are there [s].
    pub fn freeze<'a>(&'a self, space: impl Into<ContactSpace<'a>>, origin: &'a [Vec3], time: f64) -> ContactPotential<'a> {
        let space = space.into();
        let mut start_gaps = vec![f64::INFINITY; space.pairs.len()];
        let mut anchors = Vec::new();
        for (index, (pair, slot)) in space.pairs.iter().zip(&self.slots).enumerate() {
            if space.fixed[pair.node as usize] || !space.obstacles[pair.obstacle as usize].is_present(time) {
                continue;
            }
            let distance = self.distance(index, pair, &origin[pair.node as usize]);
            start_gaps[index] = distance.value + slot.offset;
            if slot.force > 0.0 && pair.friction > 0.0 {
                anchors.push(Anchor::new(index, pair, slot, distance.normal, slot.force, self.slip_length));
            }
        }
        ContactPotential { space, contacts: self, origin, start_gaps, anchors }
    }
}

impl Anchor {
    fn new(index: usize, pair: &TouchPair, slot: &Slot, normal: Vec3, force: f64, slip_length: f64) -> Self {
        let slip = slot.slip - normal * normal.dot(&slot.slip);
        let potential = SlipPotential { limit: pair.friction * force, length: slip_length };
        Self { pair: index, normal, slip, potential, force: None }
    }

    fn slip_after(&self, moved: &Vec3) -> Vec3 {
        self.slip + moved - self.normal * self.normal.dot(moved)
    }
}

impl ContactPotential<'_> {
    /// The first pair whose effective gap is closed at the step's start, from where no step can be taken: the node, and the
    /// name of the obstacle.
    pub fn jammed(&self) -> Option<(usize, &str)> {
        let index = self.start_gaps.iter().position(|gap| gap.is_nan() || *gap <= 0.0)?;
        let pair = self.space.pairs[index];
        Some((pair.node as usize, &self.space.obstacles[pair.obstacle as usize].name))
    }

    /// A node that in a step which without contact would end at `predictor` would go deep into a curved obstacle. The energy of such a step is
    /// least beside the obstacle or behind it, whatever it hits in front.
    pub fn led_around(&self, predictor: &[Vec3]) -> Option<usize> {
        let is_led = |index: &usize| {
            let (node, pair) = (self.node(*index), &self.space.pairs[*index]);
            let way = predictor[node] - self.origin[node];
            // Finite where the obstacle is there.
            way.norm() > self.start_gaps[*index] && {
                let shape = self.contacts.shapes[pair.obstacle as usize].as_ref();
                let time = first_hit(shape, &self.origin[node], &way, self.contacts.radii[*index], 1.0);
                let hit = shape.distance(&(self.origin[node] + time * way));
                time < 1.0 && -deepest(shape, &self.origin[node], &way) * hit.curvature.amax() > DEEPEST_SHARE
            }
        };
        (0..self.start_gaps.len()).find(is_led).map(|index| self.node(index))
    }

    /// Energy of barrier and friction [J]; infinite if a gap is closed.
    pub fn energy(&self, x: &[Vec3]) -> f64 {
        let barrier: f64 = self.touching(x).map(|touch| self.contacts.barrier.energy(touch.gap)).sum();
        let friction: f64 = self.anchors.iter().map(|a| a.potential.energy(&a.slip_after(&self.moved(a.pair, x)))).sum();
        barrier + friction
    }

    /// Adds the gradient of the energy [N].
    pub fn add_gradient(&self, x: &[Vec3], gradient: &mut [Vec3]) {
        for touch in self.touching(x) {
            gradient[touch.node] -= self.contacts.barrier.force(touch.gap) * touch.distance.normal;
        }
        self.add_friction(x, 1.0, gradient);
    }

    /// Follows an iteration of Newton's method to `x`: from now on second derivatives are those of [`SlipPotential::hessian_with`].
    pub fn follow(&mut self, x: &[Vec3]) {
        for anchor in &mut self.anchors {
            let node = self.space.pairs[anchor.pair].node as usize;
            let slip = anchor.slip_after(&(x[node] - self.origin[node]));
            anchor.force = Some(ForceShare::follow(anchor.force, &slip, &anchor.potential));
        }
    }

    /// Work done against friction on the way from the step's start to `x` [J].
    pub fn friction_work(&self, x: &[Vec3]) -> f64 {
        let work = |a: &Anchor| a.potential.gradient(&a.slip_after(&self.moved(a.pair, x))).dot(&self.moved(a.pair, x));
        self.anchors.iter().map(work).sum()
    }

    /// Contacts that push at `x`.
    pub fn forces(&self, x: &[Vec3]) -> Vec<ContactForce> {
        let force = |touch: Touch| {
            let pair = self.space.pairs[touch.index];
            let friction = self.anchors.binary_search_by_key(&touch.index, |a| a.pair).map_or(Vec3::zeros(), |known| {
                let anchor = &self.anchors[known];
                -anchor.potential.gradient(&anchor.slip_after(&self.moved(anchor.pair, x)))
            });
            let force = self.contacts.barrier.force(touch.gap) * touch.distance.normal + friction;
            let point = x[touch.node] - self.contacts.radii[touch.index] * touch.distance.normal;
            ContactForce { point, normal: touch.distance.normal, force, node: pair.node }
        };
        self.touching(x).map(force).collect()
    }

    /// Adds the second derivatives [N/m] to the diagonal block of each node; `projected` takes friction from above. Not `curved`
    /// leaves out the curvature of the obstacle, whose part is never positive.
    pub fn add_hessian(&self, x: &[Vec3], projected: bool, curved: bool, diagonal: &mut [Mat3]) {
        let barrier = &self.contacts.barrier;
        for Touch { node, distance, gap, .. } in self.touching(x) {
            diagonal[node] += barrier.second_derivative(gap) * distance.normal * distance.normal.transpose();
            if curved {
                diagonal[node] -= barrier.force(gap) * distance.curvature;
            }
        }
        for anchor in &self.anchors {
            let slip = anchor.slip_after(&self.moved(anchor.pair, x));
            diagonal[self.node(anchor.pair)] += match &anchor.force {
                Some(force) => anchor.potential.hessian_with(&slip, &anchor.normal, force),
                None => anchor.potential.hessian(&slip, &anchor.normal, projected),
            };
        }
    }

    /// Lowers the step of each node, in [0, 1] along `dx`, to what keeps its gaps open.
    pub fn limit_steps(&self, x: &[Vec3], dx: &[Vec3], steps: &mut [f64]) {
        for (index, (pair, slot)) in self.space.pairs.iter().zip(&self.contacts.slots).enumerate() {
            let node = pair.node as usize;
            let travelled = (x[node] - self.origin[node]).norm() + dx[node].norm();
            if self.start_gaps[index] - travelled >= self.contacts.barrier.distance {
                continue;
            }
            let shape = self.contacts.shapes[pair.obstacle as usize].as_ref();
            let (gap, radius) = (self.distance(index, x).value + slot.offset, self.contacts.radii[index]);
            let kept = KEPT_SHARE * gap.min(self.contacts.barrier.distance);
            steps[node] = first_hit(shape, &x[node], &dx[node], kept - slot.offset + radius, steps[node]);
        }
    }

    /// Takes normal forces and tangent planes of friction from the positions `x`, new contacts included. Gives the sum of the
    /// changes of the friction forces over the sum of the largest friction forces.
    pub fn relag(&mut self, x: &[Vec3]) -> f64 {
        let mut new_anchors = Vec::new();
        for Touch { index, distance, gap, .. } in self.touching(x) {
            let (pair, slot) = (&self.space.pairs[index], &self.contacts.slots[index]);
            if pair.friction > 0.0 {
                let force = self.contacts.barrier.force(gap);
                let known = self.anchors.binary_search_by_key(&index, |a| a.pair).ok().and_then(|known| self.anchors[known].force);
                let anchor = Anchor::new(index, pair, slot, distance.normal, force, self.contacts.slip_length);
                new_anchors.push(Anchor { force: known, ..anchor });
            }
        }
        let before = std::mem::replace(&mut self.anchors, new_anchors);
        let force = |anchors: &[Anchor], pair: usize| {
            anchors.binary_search_by_key(&pair, |a| a.pair).map_or(Vec3::zeros(), |known| {
                let anchor = &anchors[known];
                anchor.potential.gradient(&anchor.slip_after(&self.moved(anchor.pair, x)))
            })
        };
        let gone = before.iter().filter(|a| self.anchors.binary_search_by_key(&a.pair, |b| b.pair).is_err());
        let pairs = self.anchors.iter().chain(gone).map(|a| a.pair);
        let change: f64 = pairs.map(|pair| (force(&self.anchors, pair) - force(&before, pair)).norm()).sum();
        share_of(change, self.anchors.iter().map(|a| a.potential.limit))
    }

    /// Adds what [`ContactPotential::relag`] would change of the friction force on each node [N].
    pub fn add_friction_lag(&mut self, x: &[Vec3], change: &mut [Vec3]) {
        let frozen = self.anchors.clone();
        self.add_friction(x, -1.0, change);
        self.relag(x);
        self.add_friction(x, 1.0, change);
        self.anchors = frozen;
    }

    /// Adds the gradient of friction's energy, times `share` [N].
    fn add_friction(&self, x: &[Vec3], share: f64, gradient: &mut [Vec3]) {
        for anchor in &self.anchors {
            gradient[self.node(anchor.pair)] += share * anchor.potential.gradient(&anchor.slip_after(&self.moved(anchor.pair, x)));
        }
    }

    /// What the contacts do at `x`.
    pub fn summary(&self, x: &[Vec3]) -> ContactSummary {
        let mut summary = ContactSummary::default();
        for touch in self.touching(x) {
            summary.pairs += 1;
            summary.energy += self.contacts.barrier.energy(touch.gap);
            summary.note(touch.distance.value, touch.gap, self.contacts.barrier.distance);
        }
        summary
    }

    /// The slots after the step ended at `x`. The order matters: slip first, then the force with the old offset,
    /// then the offset itself; a force taken after the offset faded makes a sliding body too fast or too slow.
    pub fn finish(&self, x: &[Vec3]) -> Vec<Slot> {
        let (contacts, barrier) = (self.contacts, &self.contacts.barrier);
        let mut slots = contacts.slots.clone();
        for (index, slot) in slots.iter_mut().enumerate() {
            // Of a body that has not come in yet: its contacts begin when it does.
            if self.space.fixed[self.node(index)] {
                continue;
            }
            let remembers = slot.offset != 0.0 || slot.force != 0.0 || slot.slip != Vec3::zeros();
            if !self.start_gaps[index].is_finite() {
                *slot = Slot::default();
                continue;
            }
            if !remembers && !self.may_touch(index, x) {
                continue;
            }
            let distance = self.distance(index, x);
            let gap = distance.value + slot.offset;
            let normal = self.anchors.binary_search_by_key(&index, |a| a.pair).map_or(distance.normal, |known| self.anchors[known].normal);
            let moved = slot.slip + self.moved(index, x);
            let slip = moved - normal * normal.dot(&moved);
            let excess = slip.norm() - contacts.slip_length;
            slot.slip = if excess > 0.0 { slip * (contacts.slip_length / slip.norm()) } else { slip };
            slot.path += excess.max(0.0);
            slot.force = barrier.force(gap);
            // A body that hops and comes down where it was finds its balance again; nothing else has one to come back to.
            let is_solved = slot.floor.is_none() && slot.initial_offset != 0.0;
            let kept = if is_solved { contacts.fade_length } else { 0.0 };
            if gap >= barrier.distance && distance.value >= barrier.distance.max(kept) {
                *slot = Slot::default();
            } else {
                slot.fade(gap, contacts.fade_length);
                slot.settle(distance.value, gap);
            }
        }
        slots
    }

    fn node(&self, index: usize) -> usize {
        self.space.pairs[index].node as usize
    }

    fn moved(&self, index: usize, x: &[Vec3]) -> Vec3 {
        let node = self.node(index);
        x[node] - self.origin[node]
    }

    fn distance(&self, index: usize, x: &[Vec3]) -> Distance {
        let pair = &self.space.pairs[index];
        self.contacts.distance(index, pair, &x[pair.node as usize])
    }

    /// Whether the gap can be below the barrier's distance: no distance grows or falls faster than the node moves.
    fn may_touch(&self, index: usize, x: &[Vec3]) -> bool {
        let slack = self.start_gaps[index] - self.contacts.barrier.distance;
        slack < 0.0 || slack * slack <= self.moved(index, x).norm_squared()
    }

    /// The pairs whose effective gap is below the barrier's distance, in order.
    fn touching<'s>(&'s self, x: &'s [Vec3]) -> impl Iterator<Item = Touch> + 's {
        (0..self.start_gaps.len()).filter(|&index| self.may_touch(index, x)).filter_map(|index| {
            let distance = self.distance(index, x);
            let gap = distance.value + self.contacts.slots[index].offset;
            (gap < self.contacts.barrier.distance).then(|| Touch { index, node: self.node(index), distance, gap })
        })
    }
}

/// A change of friction forces over the sum of the largest ones [N]; infinite where there are none any more. (An empty sum is -0, and what is over
/// that would count as less than nothing.)
pub(super) fn share_of(change: f64, limits: impl Iterator<Item = f64>) -> f64 {
    let largest: f64 = limits.sum();
    match change == 0.0 {
        true => 0.0,
        false if largest > 0.0 => change / largest,
        false => f64::INFINITY,
    }
}

/// A pair within reach of the barrier.
struct Touch {
    index: usize,
    node: usize,
    distance: Distance,
    gap: f64,
}

/// The least signed distance [m] on the way from `point` by `way`, found by golden sections: it is convex.
fn deepest(shape: &dyn SignedDistance, point: &Vec3, way: &Vec3) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let at = |t: f64| shape.distance(&(point + t * way)).value;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..30 {
        let (a, b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if at(a) < at(b) { high = b } else { low = a }
    }
    at(0.5 * (low + high)).min(at(1.0))
}

/// The first time in [0, limit] at which `point + t direction` is as near to the shape as `nearest`, never past it.
/// The distance is convex along the line, so each tangent is zero before the distance is (and at once for a plane).
fn first_hit(shape: &dyn SignedDistance, point: &Vec3, direction: &Vec3, nearest: f64, limit: f64) -> f64 {
    let mut time = 0.0;
    loop {
        let distance = shape.distance(&(point + time * direction));
        let approach = -distance.normal.dot(direction);
        let advance = (distance.value - nearest) / approach;
        if approach <= 0.0 || time + advance >= limit {
            return limit;
        }
        time += advance;
        if advance.is_nan() || advance <= 1e-3 * time {
            return time;
        }
    }
}
