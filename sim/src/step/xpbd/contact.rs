//! Contact of nodes with obstacles that are signed distances, by position: a multiplier along the normal, which may not pull, and one across
//! it, within Coulomb's cone of the first, that holds the node to an anchor.
//!
//! A contact of the balance begins with its solved force, and its gap is measured from the given one: a penetration of the given shape is kept,
//! and not resolved.

use super::mobility::Mobility;
use crate::contact::distance::{SignedDistance, placed};
use crate::contact::{Balance, ContactForce};
use crate::math::Vec3;
use crate::system::{System, TouchPair};

/// Everything that may touch.
#[derive(Debug, Default)]
pub struct Contacts {
    shapes: Vec<Box<dyn SignedDistance>>,
    slots: Vec<Slot>,
}

/// One node and one obstacle.
#[derive(Debug)]
struct Slot {
    node: u32,
    obstacle: usize,
    /// Coulomb's coefficient.
    friction: f64,
    /// Distance of the node from the obstacle at which it touches [m]: its radius, or the given one where that is less or carries.
    reach: f64,
    /// Force on the node in the balance [N].
    force: Vec3,
    is_present: bool,
    /// Whether it pushed at the end of the last part.
    pushed: bool,
    /// Where the node is held by friction [m].
    anchor: Vec3,
    normal: Vec3,
    /// Multiplier along the normal.
    along: f64,
    /// Multiplier across it.
    across: Vec3,
    slides: bool,
}

/// What touches, and how nearly.
#[derive(Debug, Clone, Copy)]
pub struct Gaps {
    /// Contacts that push.
    pub count: u32,
    /// Smallest distance of one [m]; infinite without contact.
    pub least: f64,
    /// Smallest distance from where it touches [m]; infinite without contact.
    pub least_effective: f64,
}

impl Default for Gaps {
    fn default() -> Self {
        Self { count: 0, least: f64::INFINITY, least_effective: f64::INFINITY }
    }
}

impl Gaps {
    /// Adds a contact at a distance [m], and that from where it touches [m].
    pub fn add(&mut self, distance: f64, effective: f64) {
        self.count += 1;
        (self.least, self.least_effective) = (self.least.min(distance), self.least_effective.min(effective));
    }

    /// Both together.
    pub fn and(self, other: Self) -> Self {
        let least_effective = self.least_effective.min(other.least_effective);
        Self { count: self.count + other.count, least: self.least.min(other.least), least_effective }
    }
}

impl Contacts {
    /// The contacts of the given shape, each with the force that `balance` holds for it.
    pub fn new(system: &System, balance: &Balance) -> Self {
        let shapes: Vec<_> = system.obstacles.iter().map(|obstacle| placed(&obstacle.shape)).collect();
        let slot = |pair: &TouchPair| {
            let given = shapes[pair.obstacle as usize].distance(&system.positions[pair.node as usize]);
            Slot {
                node: pair.node,
                obstacle: pair.obstacle as usize,
                friction: pair.friction,
                reach: system.surface.radius_at(pair.node).min(given.value),
                force: Vec3::zeros(),
                is_present: true,
                pushed: false,
                anchor: system.positions[pair.node as usize],
                normal: given.normal,
                along: 0.0,
                across: Vec3::zeros(),
                slides: false,
            }
        };
        let mut slots: Vec<Slot> = system.pairs.iter().map(slot).collect();
        // What is said to pull, as in the baseline of pins, does not here.
        for contact in balance.contacts.iter().filter(|contact| contact.normal_force > 0.0) {
            let slot = &mut slots[contact.pair as usize];
            slot.force = contact.force();
            slot.reach = shapes[slot.obstacle].distance(&system.positions[slot.node as usize]).value;
            slot.pushed = true;
        }
        Self { shapes, slots }
    }

    /// Adds the forces of the balance [N].
    pub fn add_given_forces(&self, forces: &mut [Vec3]) {
        self.slots.iter().for_each(|slot| forces[slot.node as usize] += slot.force);
    }

    /// Forgets the forces of the balance on nodes that it does not hold for.
    pub fn keep(&mut self, holds: impl Fn(u32) -> bool) {
        self.slots.iter_mut().filter(|slot| !holds(slot.node)).for_each(|slot| slot.force = Vec3::zeros());
    }

    /// Which obstacles are there at `time` [s]; calls `lose` with the node of each contact of the balance whose obstacle has gone.
    pub fn look(&mut self, system: &System, time: f64, mut lose: impl FnMut(u32)) {
        for slot in &mut self.slots {
            slot.is_present = system.obstacles[slot.obstacle].is_present(time);
            if !slot.is_present && slot.force != Vec3::zeros() {
                slot.force = Vec3::zeros();
                lose(slot.node);
            }
        }
    }

    /// Begins a part of a step of `part` [s]: multipliers are those of the balance, the `share` of a node of them, where the contact pushed at
    /// the end of the part before (a guess that pulls would fire a body off), and nodes are moved by them.
    pub fn begin(&mut self, x: &mut [Vec3], mobility: &Mobility, part: f64, share: impl Fn(u32) -> f64) {
        for slot in &mut self.slots {
            let share = if slot.pushed && slot.is_present { share(slot.node) } else { 0.0 };
            let multiplier = share * part * part * slot.force;
            slot.along = multiplier.dot(&slot.normal).max(0.0);
            slot.across = multiplier - slot.along * slot.normal;
            slot.slides = false;
            x[slot.node as usize] += mobility.moved(slot.node, &multiplier);
        }
    }

    /// Projects every contact once.
    pub fn project(&mut self, x: &mut [Vec3], mobility: &Mobility) {
        for slot in self.slots.iter_mut().filter(|slot| slot.is_present) {
            let node = &mut x[slot.node as usize];
            let distance = self.shapes[slot.obstacle].distance(node);
            let mobile = distance.normal.dot(&mobility.moved(slot.node, &distance.normal));
            if mobile <= 0.0 || !distance.value.is_finite() {
                continue;
            }
            let along = (slot.along - (distance.value - slot.reach) / mobile).max(0.0);
            *node += mobility.moved(slot.node, &(along * distance.normal - slot.along * slot.normal));
            (slot.along, slot.normal) = (along, distance.normal);
            let tangential = |v: Vec3| v - v.dot(&distance.normal) * distance.normal;
            let wanted = tangential(slot.across - (*node - slot.anchor) / mobility.inverse(slot.node));
            let most = slot.friction * along;
            slot.slides = wanted.norm() > most;
            let across = if slot.slides { wanted.try_normalize(0.0).map_or(Vec3::zeros(), |unit| most * unit) } else { wanted };
            *node += mobility.moved(slot.node, &(across - slot.across));
            slot.across = across;
        }
    }

    /// Ends a part of a step of `part` [s] that brought nodes from `start` to `x`: what slid has a new anchor. What friction took [J].
    pub fn end(&mut self, start: &[Vec3], x: &[Vec3], part: f64) -> f64 {
        let mut taken = 0.0;
        for slot in &mut self.slots {
            let n = slot.node as usize;
            slot.pushed = slot.along > 0.0;
            if slot.slides {
                taken -= slot.across.dot(&(x[n] - start[n])) / (part * part);
            }
            if slot.slides || !slot.pushed {
                slot.anchor = x[n];
            }
        }
        taken
    }

    /// How near what touches is at `x` [m].
    pub fn gaps(&self, x: &[Vec3]) -> Gaps {
        let mut gaps = Gaps::default();
        for slot in self.slots.iter().filter(|slot| slot.along > 0.0) {
            let value = self.shapes[slot.obstacle].distance(&x[slot.node as usize]).value;
            gaps.add(value, value - slot.reach);
        }
        gaps
    }

    /// The forces that contacts made in the last part of a step, of `part` [s], on nodes that are at `x`.
    pub fn forces(&self, x: &[Vec3], part: f64) -> Vec<ContactForce> {
        let force = |slot: &Slot| ContactForce {
            point: x[slot.node as usize],
            normal: slot.normal,
            force: (slot.along * slot.normal + slot.across) / (part * part),
            node: slot.node,
        };
        self.slots.iter().filter(|slot| slot.along > 0.0).map(force).collect()
    }
}
