//! Contact between surfaces by position: pairs of features that are kept apart one after the other, with friction.
//!
//! Contacts of the balance begin with their solved forces, and are measured from the given gap. All others keep the distance from where on the
//! barrier of other steppers pushes. What passes through within a part of a step is pushed back to where it was when the part began.

mod facing;
mod near;
mod pull;
mod touching;

use self::facing::Facing;
use self::near::{Near, NearPair, PairState};
use self::touching::{On, Touching};
use super::contact::Gaps;
use crate::contact::reach::Reach;
use crate::contact::stencil::NO_NODE;
use crate::contact::surfaces::{AnchorKey, Fans, PairPreload, PairSlot};
use crate::contact::{Balance, CandidateCache, CollisionSurface, ContactForce};
use crate::element::Mobility;
use crate::math::Vec3;
use crate::system::System;

/// Everything between surfaces that touches, or may in a part of a step.
#[derive(Debug, Default)]
pub struct Surfaces {
    /// How far features are kept apart, and what is around each.
    around: Option<(Reach, Fans)>,
    held: Vec<Held>,
    /// Pairs that may come to touch.
    near: Near,
    /// Those of them that came near enough in this part of a step, behind what has `passed`.
    found: Vec<Touching>,
    /// Those of them that the last part left passed through, by their nodes.
    passed: Vec<Touching>,
    /// How far what held by friction in the last part, none of them of the balance, had slid where that ended [m]; ascending by key.
    anchors: Vec<(AnchorKey, Vec3)>,
    /// Contact points where the part begins [m].
    start: Vec<Vec3>,
    /// How far they are led in it by what moves all at once [m].
    way: Vec<Vec3>,
}

/// A contact of the balance.
#[derive(Debug)]
struct Held {
    /// What it faces.
    slot: PairSlot,
    touching: Touching,
    /// Force along the normal [N].
    along: f64,
    /// Friction on the first feature [N].
    across: Vec3,
    is_present: bool,
    /// Whether it pushed at the end of the last part.
    pushed: bool,
}

impl Surfaces {
    /// Those of the given shape, with the forces of `balance`.
    pub fn new(system: &System, balance: &Balance) -> Self {
        let surface = &system.surface;
        let mut all = Self::default();
        if !surface.is_active() {
            return all;
        }
        let x = surface.points.of(&system.positions);
        let reach = Reach::of_given(system, &mut CandidateCache::default(), &x);
        let fans = Fans::new(surface);
        let held = |preload: &PairPreload| {
            let slot = PairSlot::new(surface, &fans, &reach, &preload.touch, &x)?;
            let facing = Facing::Feature(slot.feature, slot.side);
            let friction = surface.friction(slot.parts[0], slot.parts[1]);
            let mut touching = Touching::new(slot.feature.nodes, facing, [0.0, slot.radius], friction);
            touching.reach = touching.apart(surface, &system.positions)?.distance;
            Some(Held { slot, touching, along: preload.normal_force, across: preload.friction_force, is_present: true, pushed: true })
        };
        all.held = balance.pairs.iter().filter(|preload| preload.normal_force > 0.0).filter_map(held).collect();
        all.around = Some((reach, fans));
        all
    }

    /// Looks for near pairs anew: other parts may touch than before.
    pub fn forget_near(&mut self) {
        self.near.forget();
    }

    /// Adds the forces of the balance [N].
    pub fn add_given_forces(&mut self, system: &System, mobility: &Mobility, forces: &mut [Vec3]) {
        let Self { around: Some((_, fans)), held, .. } = self else { return };
        let start = system.surface.points.of(&system.positions);
        let on = On { surface: &system.surface, fans, mobility, start: &start };
        for held in held {
            held.touching.carry(held.along, &held.across, &on);
            held.touching.add_force(on.surface, 1.0, forces);
        }
    }

    /// Forgets the forces of the balance between nodes that it does not hold for.
    pub fn keep(&mut self, holds: impl Fn(u32) -> bool) {
        for held in &mut self.held {
            if !held.slot.feature.nodes.iter().all(|&node| node == NO_NODE || holds(node)) {
                (held.along, held.across) = (0.0, Vec3::zeros());
            }
        }
    }

    /// Nodes that contacts of the balance join, by the first of each of both features.
    pub fn joined(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.held.iter().map(|held| [held.touching.nodes[0], held.touching.nodes[held.touching.facing.first()]])
    }

    /// Begins a part of a step of `part` [s] from `start` to `x` [m], as far as that is known: multipliers are those of the balance, the `share`
    /// of a node of them, where the contact pushed at the end of the part before, and nodes are moved by them.
    pub fn begin(&mut self, system: &System, mobility: &Mobility, start: &[Vec3], x: &mut [Vec3], part: f64, share: impl Fn(u32) -> f64) {
        let surface = &system.surface;
        let Self { around: Some((reach, fans)), held, near, found, passed, anchors, start: from, way } = self else { return };
        put(surface, start, from);
        let on = On { surface, fans, mobility, start: from };
        for held in held.iter_mut() {
            held.is_present = surface.may_touch(held.slot.parts[0], held.slot.parts[1]);
            held.slot.repick(surface, fans, from, f64::INFINITY);
            let (feature, slip, carrier) = (held.slot.feature, held.touching.slip, held.touching.carrier);
            let (facing, before) = (Facing::Feature(feature, held.slot.side), &held.touching);
            held.touching = Touching::new(feature.nodes, facing, [before.reach, before.radius], before.friction);
            (held.touching.slip, held.touching.carrier) = (slip, carrier);
            if held.pushed && held.is_present {
                // Either may be of an obstacle, which has no share of its own.
                let nodes = feature.nodes.iter().filter(|&&node| node != NO_NODE);
                let of_part = nodes.map(|&node| share(node)).fold(0.0, f64::max) * part * part;
                held.touching.begin(of_part * held.along, &(of_part * held.across), &on, x);
            }
        }
        put(surface, x, way);
        way.iter_mut().zip(from.iter()).for_each(|(way, from)| *way -= from);
        // What has passed through is led back the way it came.
        passed.clear();
        passed.extend(found.drain(..).filter(|touching| touching.has_passed).map(Touching::again));
        passed.sort_unstable_by_key(|touching| touching.nodes);
        found.extend_from_slice(passed);
        found.iter_mut().for_each(|touching| touching.slip = slip_of(anchors, touching, surface));
        let is_known = |nodes: &[u32; 4]| passed.binary_search_by_key(nodes, |touching| touching.nodes).is_ok();
        near.begin(surface, reach, [from, way], is_known);
    }

    /// Projects every contact once.
    pub fn project(&mut self, surface: &CollisionSurface, mobility: &Mobility, x: &mut [Vec3]) {
        let Self { around: Some((_, fans)), held, near, found, passed, anchors, start, .. } = self else { return };
        let on = On { surface, fans, mobility, start };
        let held = held.iter_mut().filter(|held| held.is_present).map(|held| &mut held.touching);
        held.chain(&mut found[..passed.len()]).for_each(|touching| touching.project(&on, x));
        let measured = &near.measured;
        for pair in &mut near.pairs {
            if let Some(number) = find(pair, found, anchors, measured, &on, x) {
                found[number].project(&on, x);
            }
        }
    }

    /// Ends a part of a step of `part` [s] at `x`: what slid is held where it is. What friction took [J].
    pub fn end(&mut self, surface: &CollisionSurface, mobility: &Mobility, x: &[Vec3], part: f64) -> f64 {
        let Self { around: Some((_, fans)), held, near, found, anchors, start, .. } = self else { return 0.0 };
        let on = On { surface, fans, mobility, start };
        let mut taken = 0.0;
        for held in held.iter_mut() {
            let touching = &mut held.touching;
            held.pushed = touching.along > 0.0;
            let slip = if held.pushed { touching.slip(&on, x) } else { Vec3::zeros() };
            if touching.slides {
                taken -= touching.across.dot(&(slip - touching.slip)) / (part * part);
            }
            touching.slip = if touching.slides { Vec3::zeros() } else { slip };
        }
        for pair in &mut near.pairs {
            find(pair, found, anchors, &near.measured, &on, x);
        }
        anchors.clear();
        for touching in found.iter_mut() {
            touching.look_back(&on, x);
            if touching.along > 0.0 && touching.friction > 0.0 {
                let slip = touching.slip(&on, x);
                if touching.slides {
                    taken -= touching.across.dot(&(slip - touching.slip)) / (part * part);
                }
                anchors.push((touching.key(surface), if touching.slides { Vec3::zeros() } else { slip }));
            }
        }
        // Of several features that one touches each knows the same slip; the first of them is as good as another.
        anchors.sort_by_key(|(key, _)| *key);
        anchors.dedup_by_key(|(key, _)| *key);
        taken
    }

    /// How near what touches is at `x` [m].
    pub fn gaps(&self, surface: &CollisionSurface, x: &[Vec3]) -> Gaps {
        let mut gaps = Gaps::default();
        for touching in self.pushing() {
            let distance = touching.apart(surface, x).map_or(0.0, |apart| apart.distance);
            gaps.add(distance - touching.radius, distance - touching.reach);
        }
        gaps
    }

    /// Adds the forces of the last part of a step, of `part` [s], to those of all nodes [N].
    pub fn add_forces(&self, surface: &CollisionSurface, part: f64, forces: &mut [Vec3]) {
        self.pushing().for_each(|touching| touching.add_force(surface, part, forces));
    }

    /// The forces of the last part of a step, of `part` [s], with the nodes at `x` [m].
    pub fn forces<'a>(&'a self, surface: &'a CollisionSurface, x: &'a [Vec3], part: f64) -> impl Iterator<Item = ContactForce> + 'a {
        self.pushing().filter_map(move |touching| touching.force(surface, x, part))
    }

    fn pushing(&self) -> impl Iterator<Item = &Touching> {
        self.held.iter().map(|held| &held.touching).chain(&self.found).filter(|touching| touching.along > 0.0)
    }
}

/// The number among `found` of the contact of a pair, if it has come near enough to be one with the nodes at `x` [m].
fn find(
    pair: &mut NearPair,
    found: &mut Vec<Touching>,
    anchors: &[(AnchorKey, Vec3)],
    measured: &[Vec3],
    on: &On,
    x: &[Vec3],
) -> Option<usize> {
    match pair.state {
        PairState::Found(number) => Some(number),
        PairState::Elsewhere => None,
        PairState::Apart if pair.is_away(measured, on.surface, x) => None,
        PairState::Apart => {
            let mut touching = pair.touching(on);
            touching.slip = slip_of(anchors, &touching, on.surface);
            found.push(touching);
            pair.state = PairState::Found(found.len() - 1);
            Some(found.len() - 1)
        }
    }
}

/// How far it had slid where the last part ended [m].
fn slip_of(anchors: &[(AnchorKey, Vec3)], touching: &Touching, surface: &CollisionSurface) -> Vec3 {
    let known = anchors.binary_search_by_key(&touching.key(surface), |(key, _)| *key);
    known.map_or(Vec3::zeros(), |place| anchors[place].1)
}

/// Writes where contact points are.
fn put(surface: &CollisionSurface, x: &[Vec3], points: &mut Vec<Vec3>) {
    let found = surface.points.put(x, points);
    if std::ptr::eq(found, x) {
        points.clear();
        points.extend_from_slice(x);
    }
}
