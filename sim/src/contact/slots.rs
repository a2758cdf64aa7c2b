//! [`ObstacleContacts`]: what each contact remembers from one step to the next.
//!
//! A barrier's force at the gap of the given shape is not the force that balance needs, and smoothed friction at
//! rest is none at all. So each contact carries a preload: an offset of its gap, at which the barrier's force is
//! the solved one, and a slip from an anchor, at which friction is the solved one.

use super::barrier::Barrier;
use super::distance::{SignedDistance, placed};
use super::friction::SlipPotential;
use super::obstacle::Distance;
use super::{Balance, ContactSpace, TouchPair};
use crate::math::Vec3;

/// Path over which a sliding contact loses its gap offset, as a share of the diagonal. Under a hundredth, the
/// change of the gap disturbs the sliding.
pub(super) const FADE_PATH: f64 = 0.05;

/// Of the surface nodes of a body that touches nothing yet, the share that will carry it: a side of a box.
pub(super) const CARRYING_SHARE: f64 = 1.0 / 6.0;

/// Of the force that a typical contact would carry, the share that the barrier is made for at least.
pub(super) const LEAST_SHARE: f64 = 1e-3;

/// Part of what a contact has sunk that it is lifted by in a step: slow enough to be no kick.
const SETTLING: f64 = 0.1;

/// Memory of one pair of node and obstacle.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Slot {
    /// Added to the true distance to give the effective gap [m].
    pub offset: f64,
    /// The offset before sliding faded it [m].
    pub initial_offset: f64,
    /// Largest offset that it may have [m]: what lets the barrier end at the given shape, and none for a contact farther away.
    pub most_offset: f64,
    /// True distance [m] to which what was not balanced may sink: the given one, or none where that was a gap. A force solved for
    /// holds its node where it is.
    pub floor: Option<f64>,
    /// Length slid since the offset was set [m].
    pub path: f64,
    /// Tangential slip from the anchor [m].
    pub slip: Vec3,
    /// Normal force at the end of the last step [N].
    pub force: f64,
}

/// All contacts with obstacles: one slot for each of [`ContactSpace::pairs`].
#[derive(Debug)]
pub struct ObstacleContacts {
    pub(super) shapes: Vec<Box<dyn SignedDistance>>,
    /// How far the part of each pair's node reaches around it [m].
    pub(super) radii: Vec<f64>,
    /// One slot a pair.
    pub slots: Vec<Slot>,
    /// Normal barrier, the same for all contacts.
    pub barrier: Barrier,
    /// Slip over which friction builds up [m].
    pub slip_length: f64,
    /// Path over which sliding fades an offset [m].
    pub fade_length: f64,
}

impl ObstacleContacts {
    /// The contacts of the given shape, each with the force that `balance` holds for it, or none.
    pub fn new<'a>(space: impl Into<ContactSpace<'a>>, balance: &Balance) -> Self {
        let space = space.into();
        let distance = space.settings.barrier_distance * space.diagonal;
        let slip_length = space.settings.friction_slip * space.diagonal;
        let shapes: Vec<_> = space.obstacles.iter().map(|o| placed(&o.shape)).collect();
        let radii: Vec<f64> = space.pairs.iter().map(|pair| space.surface.radius_at(pair.node)).collect();
        let gap = |(pair, radius): (&TouchPair, &f64)| {
            shapes[pair.obstacle as usize].distance(&space.positions[pair.node as usize]).value - radius
        };
        let gaps: Vec<f64> = space.pairs.iter().zip(&radii).map(gap).collect();
        let stiffness = space.settings.stiffness * reference_force(&space, balance, &gaps, distance) / distance;
        let barrier = Barrier { distance, stiffness, kind: space.settings.barrier };

        // Nothing pushes where no force was solved: nearer contacts begin at the barrier's edge.
        let mut slots: Vec<Slot> = gaps.iter().map(|&gap| Slot::clear(gap, distance)).collect();
        for contact in &balance.contacts {
            let pair = contact.pair as usize;
            let gap = barrier.gap_for_force(contact.normal_force);
            let slot = &mut slots[pair];
            (slot.offset, slot.initial_offset, slot.floor) = (gap - gaps[pair], gap - gaps[pair], None);
            slot.force = barrier.force(gaps[pair] + slot.offset);
            let friction = SlipPotential { limit: space.pairs[pair].friction * slot.force, length: slip_length };
            slot.slip = friction.slip_for_force(&contact.friction_force);
        }
        Self { shapes, radii, slots, barrier, slip_length, fade_length: FADE_PATH * space.diagonal }
    }
}

impl ObstacleContacts {
    /// Signed distance of the pair with this number between its obstacle and the surface around its node, which is at `point` [m].
    pub(super) fn distance(&self, index: usize, pair: &TouchPair, point: &Vec3) -> Distance {
        let distance = self.shapes[pair.obstacle as usize].distance(point);
        Distance { value: distance.value - self.radii[index], ..distance }
    }

    /// Makes the barrier stiffer or softer [N/m]; offsets move so that contacts keep their force, as far as they may.
    pub(super) fn set_stiffness(&mut self, stiffness: f64) {
        let old = std::mem::replace(&mut self.barrier.stiffness, stiffness);
        let before = Barrier { stiffness: old, ..self.barrier };
        for slot in self.slots.iter_mut().filter(|slot| slot.force > 0.0) {
            let moved = slot.offset + self.barrier.gap_for_force(slot.force) - before.gap_for_force(slot.force);
            // An offset that grew each time would let nodes through the obstacle bit by bit.
            let change = moved.min(slot.most_offset.max(slot.offset)) - slot.offset;
            slot.offset += change;
            slot.initial_offset += change;
        }
    }
}

impl Slot {
    /// A contact that does not push yet at the true distance `gap`, at the barrier's edge or beyond [m].
    fn clear(gap: f64, distance: f64) -> Self {
        let offset = (distance - gap).max(0.0);
        Self { offset, initial_offset: offset, most_offset: offset, floor: (offset > 0.0).then_some(gap.min(0.0)), ..Self::default() }
    }

    /// Lifts what has sunk below its floor: the offset gives way to a part of it, by at most half the effective gap.
    pub(super) fn settle(&mut self, distance: f64, gap: f64) {
        let sunk = self.floor.map_or(0.0, |floor| floor - distance);
        if sunk > 0.0 {
            let change = (SETTLING * sunk).min(0.5 * gap.max(0.0));
            self.offset -= change;
            self.initial_offset -= change;
        }
    }

    /// Moves the offset towards what is left of it after sliding `path` of `length`, by at most half the gap.
    pub(super) fn fade(&mut self, gap: f64, length: f64) {
        let t = (self.path / length).min(1.0);
        let left = 1.0 - t * t * (3.0 - 2.0 * t);
        let change = left * self.initial_offset - self.offset;
        let room = (0.5 * gap).max(0.0);
        self.offset += change.clamp(-room, room);
    }
}

/// The force of a typical contact [N]: the mean of those solved; where nothing was solved, the weight over the
/// contacts that there are or may be; without weight, what stops a mass within a step inside the barrier.
fn reference_force(space: &ContactSpace, balance: &Balance, gaps: &[f64], distance: f64) -> f64 {
    let burden = space.burden.burden();
    let near = distance.max(space.settings.detection_distance * space.diagonal);
    let touching = gaps.iter().filter(|&&gap| gap < near).count();
    let mut surface: Vec<u32> = space.pairs.iter().map(|p| p.node).collect();
    surface.dedup();
    let carrying = if touching > 0 { touching as f64 } else { (CARRYING_SHARE * surface.len() as f64).max(1.0) };
    let weight = burden.loads / carrying;
    let solved: Vec<f64> = balance.contacts.iter().map(|c| c.normal_force).filter(|&f| f > 0.0).collect();
    if !solved.is_empty() {
        // Contacts that are idle now may have to carry the body later.
        (solved.iter().sum::<f64>() / solved.len() as f64).max(LEAST_SHARE * weight)
    } else if weight > 0.0 {
        weight
    } else {
        (burden.mass * distance / burden.step_size.powi(2)).max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::contact::BalancedContact;
    use crate::contact::PlacedObstacle;
    use crate::scene::Shape;
    use crate::system::System;

    /// Another stiffness moves offsets and leaves forces, whatever the gap: an offset may grow to what lets the barrier end there.
    #[test]
    fn another_stiffness_leaves_forces_as_they_are() {
        let shape = Shape::HalfSpace { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };
        for share in [0.0, 0.5, 1.5] {
            let mut system = System {
                masses: vec![1.0],
                fixed: vec![false],
                pairs: vec![TouchPair { node: 0, obstacle: 0, friction: 0.0 }],
                obstacles: vec![PlacedObstacle::new("ground", shape.clone())],
                diagonal: 1.0,
                ..System::default()
            };
            let distance = share * system.contact.barrier_distance;
            system.positions = vec![Vec3::new(0.3, distance, 0.2)];
            let touch = BalancedContact { pair: 0, normal: Vec3::y(), normal_force: 7.0, friction_force: Vec3::zeros(), distance };
            let mut contacts = ObstacleContacts::new(&system, &Balance { contacts: vec![touch], pairs: Vec::new() });
            for factor in [0.25, 2.0, 30.0] {
                contacts.set_stiffness(factor * contacts.barrier.stiffness);
                let forces = contacts.freeze(&system, &system.positions, 0.0).forces(&system.positions);
                assert!((forces[0].force - 7.0 * Vec3::y()).norm() < 1e-9, "{share} {factor}: {forces:?}");
            }
        }
    }

    /// Friction of a contact that ends within a step is gone, and the step is to be solved without it.
    #[test]
    fn friction_that_ends_asks_for_another_round() {
        let shape = Shape::HalfSpace { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };
        let mut system = System {
            masses: vec![1.0],
            fixed: vec![false],
            pairs: vec![TouchPair { node: 0, obstacle: 0, friction: 0.5 }],
            obstacles: vec![PlacedObstacle::new("ground", shape)],
            diagonal: 1.0,
            ..System::default()
        };
        system.positions = vec![Vec3::new(0.3, 1e-4, 0.2)];
        let friction_force = Vec3::new(2.0, 0.0, 0.0);
        let touch = BalancedContact { pair: 0, normal: Vec3::y(), normal_force: 7.0, friction_force, distance: 1e-4 };
        let contacts = ObstacleContacts::new(&system, &Balance { contacts: vec![touch], pairs: Vec::new() });
        let mut potential = contacts.freeze(&system, &system.positions, 0.0);
        assert_eq!(potential.relag(&system.positions), 0.0);
        assert!(potential.relag(&[Vec3::new(0.3, 1.0, 0.2)]) > 1.0);
    }

    /// What has sunk is lifted for good: the offset that a contact gave up does not come back as it slides.
    #[test]
    fn an_offset_that_gave_way_does_not_come_back() {
        let mut slot = Slot { offset: 1e-3, initial_offset: 1e-3, floor: Some(0.0), ..Slot::default() };
        slot.settle(-2e-4, 5e-4);
        let settled = slot.offset;
        assert!(settled < 1e-3 && settled > 0.9e-3);
        slot.fade(5e-4, 1.0);
        assert_eq!(slot.offset, settled);
        slot.settle(1e-4, 5e-4);
        assert_eq!(slot.offset, settled, "nothing has sunk");
    }
}
