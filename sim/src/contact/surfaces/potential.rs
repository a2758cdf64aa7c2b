//! [`SurfacePotential`]: barrier, friction and preloaded contacts of all meshes as an energy for one time step.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::SurfaceContacts;
use super::anchors::{AnchorKey, in_plane, owner};
use super::common_point::{CommonPoint, MOST_NODES};
use super::friction::LaggedFriction;
use super::slots::PairSlot;
use super::term::{self, Pose, Term};
use crate::contact::ContactSpace;
use crate::contact::friction::{ForceShare, SlipPotential};
use crate::contact::potential::{ContactSummary, share_of};
use crate::contact::stencil::{NO_NODE, Stencil, StencilKind};
use crate::contact::surface::CollisionSurface;
use crate::math::{Mat3, Vec3, larger};

/// Change of a gap, as a share of the barrier's distance, that asks for another solve.
const GAP_TOLERANCE: f64 = 1e-4;

/// So often a step is solved again because features changed.
const MOST_REPICKS: u32 = 4;

/// Contact energy of one time step. Friction keeps its normal forces and tangent planes until
/// [`SurfacePotential::relag`], preloaded contacts their features until [`SurfacePotential::repick`]. The memory of the
/// contacts stays as it is: [`SurfacePotential::finish`] gives the new one, so that a step can be given up.
pub struct SurfacePotential<'a> {
    pub(super) space: ContactSpace<'a>,
    pub(super) contacts: &'a mut SurfaceContacts,
    /// Positions at the step's start: slip is measured from here.
    pub(super) origin: Cow<'a, [Vec3]>,
    /// The preloaded contacts as this step has them.
    pub(super) slots: Vec<PairSlot>,
    pub(super) friction: Vec<LaggedFriction>,
    /// Where the slip of each friction is remembered.
    pub(super) memories: Vec<Memory>,
    repicks: u32,
}

/// Where a slip is remembered.
#[derive(Debug, Clone, Copy)]
pub(super) enum Memory {
    /// That of the stencil with this number.
    Anchor { key: AnchorKey, stencil: usize },
    /// Index of a slot.
    Slot(usize),
}

/// The force between two primitives that push.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairForce {
    /// Nodes of the first primitive, then of the second; [`crate::contact::stencil::NO_NODE`] where there are fewer than four.
    pub nodes: [u32; 4],
    /// Each node's share of the force: those of the first primitive sum to 1, those of the second to -1.
    pub weights: [f64; 4],
    /// Unit normal towards the first primitive.
    pub normal: Vec3,
    /// Force on the first primitive, friction included [N].
    pub force: Vec3,
    /// Where it acts: the nearest point of the first surface [m].
    pub point: Vec3,
}

impl SurfaceContacts {
    /// The potential of the step that starts at the positions `origin` of the contact points. Everything here is about contact points,
    /// by the numbers of their nodes: whoever has nodes goes by [`crate::contact::ContactPoints`].
    pub fn begin<'a>(&'a mut self, space: impl Into<ContactSpace<'a>>, origin: impl Into<Cow<'a, [Vec3]>>) -> SurfacePotential<'a> {
        let space = space.into();
        let origin = origin.into();
        let mut slots = self.memory.slots.clone();
        slots.retain(|slot| space.surface.may_touch(slot.parts[0], slot.parts[1]));
        for slot in &mut slots {
            slot.repick(space.surface, &self.fans, &origin, f64::INFINITY);
        }
        let mut potential = SurfacePotential {
            space,
            contacts: self,
            origin: Cow::Borrowed(&[]),
            slots,
            friction: Vec::new(),
            memories: Vec::new(),
            repicks: 0,
        };
        potential.look(&origin);
        // The force of a preloaded contact is the one before its offset faded.
        let forces: Vec<f64> = potential.slots.iter().map(|slot| slot.force).collect();
        potential.lag(&origin, &forces);
        potential.origin = origin;
        potential
    }
}

impl SurfacePotential<'_> {
    /// The first contact that is closed at the step's start, from where no step can be taken: nodes of the pair.
    pub fn jammed(&self) -> Option<[u32; 4]> {
        let is_closed = |gap: f64| gap.is_nan() || gap <= 0.0;
        let slot = self.slots.iter().find(|slot| is_closed(slot.gap(&self.origin))).map(Term::nodes);
        slot.or_else(|| self.contacts.near.active.stencils().iter().find(|s| is_closed(s.distance(&self.origin))).map(|s| s.nodes))
    }

    /// Energy of barrier and friction [J]; infinite where a gap is closed.
    pub fn energy(&mut self, x: &[Vec3]) -> f64 {
        self.look(x);
        let pose = self.pose(x);
        let barrier = barrier_energy(self.stencils(), &pose) + term::energy(&self.slots, &pose);
        barrier + term::energy(&self.friction, &pose)
    }

    /// Adds the gradient of the energy [N].
    pub fn add_gradient(&mut self, x: &[Vec3], gradient: &mut [Vec3]) {
        self.look(x);
        let SurfaceContacts { near, local, local_of_friction, barrier, .. } = &mut *self.contacts;
        let pose = Pose { x, origin: &self.origin, barrier: *barrier };
        add_barrier_gradient(near.active.stencils(), &pose, local, gradient);
        term::add_gradient(&self.slots, &pose, local, gradient);
        term::add_gradient(&self.friction, &pose, local_of_friction, gradient);
    }

    /// Second derivatives of the energy [N/m] on the nodes of each term (`u32::MAX` for none); `projected`: each clamped to
    /// positive semidefinite.
    pub fn hessian(&mut self, x: &[Vec3], projected: bool) -> (&[[u32; 4]], &[[[Mat3; 4]; 4]]) {
        self.look(x);
        let SurfaceContacts { near, nodes, blocks, blocks_of_friction, barrier, .. } = &mut *self.contacts;
        let pose = Pose { x, origin: &self.origin, barrier: *barrier };
        let stencils = near.active.stencils();
        nodes.clear();
        nodes.extend(stencils.iter().map(Term::nodes));
        nodes.extend(self.slots.iter().map(Term::nodes));
        blocks.resize(nodes.len(), [[Mat3::zeros(); 4]; 4]);
        let (of_stencils, of_slots) = blocks.split_at_mut(stencils.len());
        fill_barrier_hessians(stencils, &pose, projected, of_stencils);
        term::fill_hessians(&self.slots, &pose, projected, of_slots);
        blocks_of_friction.resize(self.friction.len(), [[Mat3::zeros(); MOST_NODES]; MOST_NODES]);
        term::fill_hessians(&self.friction, &pose, projected, blocks_of_friction);
        for (friction, wide) in self.friction.iter().zip(&*blocks_of_friction) {
            push_by_fours(&friction.at.nodes, wide, nodes, blocks);
        }
        (nodes, blocks)
    }

    /// Takes normal forces, tangent planes and nearest points of friction from the positions `x`, new contacts included
    /// (Li et al. 2020, section 5.4). Gives the sum of the changes of the nodes' friction forces over the sum of
    /// the largest friction forces: small when another solve would change nothing.
    pub fn relag(&mut self, x: &[Vec3]) -> f64 {
        self.look(x);
        if self.stencils().is_empty() && self.friction.is_empty() {
            return 0.0;
        }
        let before = self.friction_forces(x);
        let barrier = self.contacts.barrier;
        let forces: Vec<f64> = self.slots.iter().map(|slot| slot.normal_force(&barrier, x)).collect();
        self.lag(x, &forces);
        let after = self.friction_forces(x);
        let change: f64 = before.iter().zip(&after).map(|(before, after)| (after - before).norm()).sum();
        share_of(change, self.friction.iter().map(|friction| friction.potential.limit))
    }

    /// What [`SurfacePotential::relag`] would change of the friction force on each point [N].
    pub fn friction_lag(&mut self, x: &[Vec3]) -> Vec<Vec3> {
        let frozen = (self.slots.clone(), self.friction.clone(), self.memories.clone());
        let before = self.friction_forces(x);
        self.relag(x);
        let mut change = self.friction_forces(x);
        change.iter_mut().zip(before).for_each(|(change, before)| *change -= before);
        (self.slots, self.friction, self.memories) = frozen;
        change
    }

    /// Looks after convergence at `x` whether preloaded contacts face other features now. True if a gap has changed by it so
    /// that the step should be solved again, which is asked for a few times at most.
    pub fn repick(&mut self, x: &[Vec3]) -> bool {
        let tolerance = GAP_TOLERANCE * self.contacts.barrier.distance;
        let mut changed = false;
        for slot in &mut self.slots {
            changed |= slot.repick(self.space.surface, &self.contacts.fans, x, tolerance);
        }
        self.repicks += u32::from(changed);
        changed && !self.is_unsettled()
    }

    /// Whether features changed once more after the last solve that [`SurfacePotential::repick`] asks for.
    pub fn is_unsettled(&self) -> bool {
        self.repicks > MOST_REPICKS
    }

    /// Follows an iteration of Newton's method to `x`: from now on second derivatives of friction are those of
    /// [`SlipPotential::hessian_with`].
    pub fn follow(&mut self, x: &[Vec3]) {
        let pose = Pose { x, origin: &self.origin, barrier: self.contacts.barrier };
        for friction in &mut self.friction {
            friction.known = Some(ForceShare::follow(friction.known, &friction.slip_after(&pose), &friction.potential));
        }
    }

    /// Work done against friction on the way from the step's start to `x` [J].
    pub fn friction_work(&self, x: &[Vec3]) -> f64 {
        let pose = self.pose(x);
        -self.friction.iter().map(|friction| friction.force(&pose).dot(&friction.moved(&pose))).sum::<f64>()
    }

    /// What the contacts do at `x`: the smallest true distance is that of any pair within reach of the barrier.
    pub fn summary(&mut self, x: &[Vec3]) -> ContactSummary {
        self.look(x);
        let pose = self.pose(x);
        let energy = barrier_energy(self.stencils(), &pose) + term::energy(&self.slots, &pose);
        let pairs = self.contacts.near.candidates.candidates().len() as u32;
        let mut summary = ContactSummary { pairs, energy, ..ContactSummary::default() };
        let of_stencils = self.stencils().iter().map(|stencil| (stencil.distance(x), 0.0, stencil.reach));
        for (distance, offset, reach) in of_stencils.chain(self.slots.iter().map(|slot| (slot.distance(x), slot.offset, slot.reach))) {
            summary.note(distance, distance + offset, reach * pose.barrier.distance);
        }
        summary
    }

    /// The forces of all contacts that push at `x`, for drawing and reports.
    pub fn forces(&mut self, x: &[Vec3]) -> Vec<PairForce> {
        self.look(x);
        let pose = self.pose(x);
        let (mut of_stencils, mut of_slots) = (BTreeMap::new(), BTreeMap::new());
        for (friction, memory) in self.friction.iter().zip(&self.memories) {
            match *memory {
                Memory::Anchor { stencil, .. } => of_stencils.insert(stencil, friction.force(&pose)),
                Memory::Slot(index) => of_slots.insert(index, friction.force(&pose)),
            };
        }
        let force = |nodes: [u32; 4], weights: [f64; 4], radius: f64, normal: Vec3, force: Vec3| {
            let first = nodes.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0);
            let core: Vec3 = first.map(|(&node, &weight)| weight * x[node as usize]).sum();
            let last = nodes.into_iter().rfind(|node| *node != NO_NODE).unwrap_or(nodes[0]);
            let radius = self.space.surface.radius_on_first([nodes[0], last], radius);
            PairForce { nodes, weights, normal, force, point: core - radius * normal }
        };
        let stencils = self.stencils().iter().enumerate().map(|(index, stencil)| {
            let closest = stencil.closest(x);
            let friction = of_stencils.get(&index).copied().unwrap_or_else(Vec3::zeros);
            force(
                stencil.nodes,
                closest.weights,
                stencil.radius,
                closest.normal,
                stencil.normal_force(&pose.barrier, x) * closest.normal + friction,
            )
        });
        let slots = self.slots.iter().enumerate().map(|(index, slot)| {
            let nearest = slot.feature.nearest(x);
            let friction = of_slots.get(&index).copied().unwrap_or_else(Vec3::zeros);
            let normal = nearest.offset / nearest.distance();
            force(slot.feature.nodes, nearest.weights, slot.radius, normal, slot.normal_force(&pose.barrier, x) * normal + friction)
        });
        stencils.chain(slots).collect()
    }

    /// Largest net torque [N m] of the forces between two parts that can both move, at `x`: none, but for round-off, where friction
    /// was frozen, unless it acts across parallel lines or on points.
    pub fn couple(&mut self, x: &[Vec3]) -> f64 {
        self.look(x);
        let pose = self.pose(x);
        let mut couples = Couples { surface: self.space.surface, x, between: BTreeMap::new() };
        self.stencils().iter().for_each(|stencil| couples.add(&stencil.nodes, &Term::gradient(stencil, &pose)));
        self.slots.iter().for_each(|slot| couples.add(&slot.nodes(), &slot.gradient(&pose)));
        self.friction.iter().for_each(|friction| couples.add(&friction.nodes(), &friction.gradient(&pose)));
        couples.between.values().map(Vec3::norm).fold(0.0, larger)
    }

    pub(super) fn look(&mut self, x: &[Vec3]) {
        let SurfaceContacts { near, reach, .. } = &mut *self.contacts;
        near.look(self.space.surface, x, reach);
    }

    pub(super) fn pose<'x>(&'x self, x: &'x [Vec3]) -> Pose<'x> {
        Pose { x, origin: &self.origin, barrier: self.contacts.barrier }
    }

    pub(super) fn stencils(&self) -> &[Stencil] {
        self.contacts.near.active.stencils()
    }

    /// Freezes friction at `x`, with the normal forces `slot_forces` for the preloaded contacts [N].
    fn lag(&mut self, x: &[Vec3], slot_forces: &[f64]) {
        let known: BTreeMap<[u32; MOST_NODES], ForceShare> = self.friction.drain(..).filter_map(|f| Some((f.at.nodes, f.known?))).collect();
        self.memories.clear();
        let surface = self.space.surface;
        let contacts = &*self.contacts;
        let length = contacts.slip_length;
        for (index, stencil) in contacts.near.active.stencils().iter().enumerate() {
            let key = owner(stencil, surface);
            let mu = surface.part_of_node(stencil.nodes[0]).map_or(0.0, |part| surface.friction(part, key.1));
            let limit = mu * stencil.normal_force(&contacts.barrier, x);
            if limit > 0.0 {
                let closest = stencil.closest(x);
                let slip = contacts.memory.anchors.slip(key, &closest.normal);
                let potential = SlipPotential { limit, length };
                let first = if stencil.kind == StencilKind::EdgeEdge { 2 } else { 1 };
                let at = CommonPoint::new((surface, &contacts.fans), (&stencil.nodes, &closest.weights), first, None, x);
                self.friction.push(LaggedFriction { at, normal: closest.normal, slip, potential, known: known.get(&at.nodes).copied() });
                self.memories.push(Memory::Anchor { key, stencil: index });
            }
        }
        for (index, (slot, force)) in self.slots.iter_mut().zip(slot_forces).enumerate() {
            let mu = surface.friction(slot.parts[0], slot.parts[1]);
            let nearest = slot.feature.nearest(x);
            let normal = nearest.offset / nearest.distance();
            // Without friction too: sliding makes an offset fade.
            let potential = SlipPotential { limit: mu * force, length };
            let slip = in_plane(&slot.slip, &normal);
            let at = slot.feature.common_point((surface, &contacts.fans), &nearest, slot.carrier, x);
            slot.carrier = at.carrier();
            self.friction.push(LaggedFriction { at, normal, slip, potential, known: known.get(&at.nodes).copied() });
            self.memories.push(Memory::Slot(index));
        }
    }

    /// Friction force on each node [N].
    fn friction_forces(&mut self, x: &[Vec3]) -> Vec<Vec3> {
        let mut gradient = vec![Vec3::zeros(); x.len()];
        let pose = Pose { x, origin: &self.origin, barrier: self.contacts.barrier };
        term::add_gradient(&self.friction, &pose, &mut self.contacts.local_of_friction, &mut gradient);
        gradient
    }
}

/// Net torques of the forces between parts [N m].
struct Couples<'a> {
    surface: &'a CollisionSurface,
    x: &'a [Vec3],
    between: BTreeMap<[u32; 2], Vec3>,
}

impl Couples<'_> {
    /// Adds that of forces on a few nodes, whose sum is none, unless one of the two sides cannot move.
    fn add(&mut self, nodes: &[u32], gradient: &[Vec3]) {
        let nodes = &nodes[..nodes.iter().take_while(|node| **node != NO_NODE).count()];
        let (Some(&first), Some(&last)) = (nodes.first(), nodes.last()) else { return };
        let part = |node: u32| self.surface.part_of_node(node).unwrap_or(u32::MAX);
        let (a, b) = (part(first), part(last));
        let moves = |of: u32| self.surface.any_movable(&nodes.iter().copied().filter(|&node| part(node) == of).collect::<Vec<_>>());
        if !moves(a) || !moves(b) {
            return;
        }
        let arm = |node: u32| self.x[node as usize] - self.x[first as usize];
        let torque: Vec3 = nodes.iter().zip(gradient).map(|(&node, slope)| slope.cross(&arm(node))).sum();
        *self.between.entry([a.min(b), a.max(b)]).or_default() += torque;
    }
}

/// Appends the blocks between up to five nodes as stencils of four: the first four, then the fifth with two of them each time.
fn push_by_fours(
    of: &[u32; MOST_NODES],
    wide: &[[Mat3; MOST_NODES]; MOST_NODES],
    nodes: &mut Vec<[u32; 4]>,
    blocks: &mut Vec<[[Mat3; 4]; 4]>,
) {
    nodes.push([of[0], of[1], of[2], of[3]]);
    blocks.push(std::array::from_fn(|i| std::array::from_fn(|j| wide[i][j])));
    if of[4] == NO_NODE {
        return;
    }
    for (a, b, own) in [(0, 1, wide[4][4]), (2, 3, Mat3::zeros())] {
        let mut block = [[Mat3::zeros(); 4]; 4];
        block[0] = [own, wide[4][a], wide[4][b], Mat3::zeros()];
        (block[1][0], block[2][0]) = (wide[a][4], wide[b][4]);
        nodes.push([of[4], of[a], of[b], NO_NODE]);
        blocks.push(block);
    }
}

/// Barrier energy of all stencils [J].
pub fn barrier_energy(stencils: &[Stencil], pose: &Pose) -> f64 {
    term::energy(stencils, pose)
}

/// Adds its gradient [N]; `local` is memory.
pub fn add_barrier_gradient(stencils: &[Stencil], pose: &Pose, local: &mut Vec<[Vec3; 4]>, gradient: &mut [Vec3]) {
    term::add_gradient(stencils, pose, local, gradient);
}

/// Fills `blocks` with the second derivatives of each stencil [N/m]; `projected`: clamped to positive semidefinite.
pub fn fill_barrier_hessians(stencils: &[Stencil], pose: &Pose, projected: bool, blocks: &mut [[[Mat3; 4]; 4]]) {
    term::fill_hessians(stencils, pose, projected, blocks);
}

impl Term<4> for Stencil {
    fn nodes(&self) -> [u32; 4] {
        self.nodes
    }

    fn energy(&self, pose: &Pose) -> f64 {
        self.energy(&pose.barrier, pose.x)
    }

    fn gradient(&self, pose: &Pose) -> [Vec3; 4] {
        self.gradient(&pose.barrier, pose.x)
    }

    fn hessian(&self, pose: &Pose, projected: bool) -> [[Mat3; 4]; 4] {
        self.hessian(&pose.barrier, pose.x, projected)
    }
}
