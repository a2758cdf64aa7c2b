//! [`ContactMemory`] and [`StepContact`]: contact with obstacles and between surfaces, as the stepper sees them.

use super::expanded::{Expanded, SurfaceHessian};
use super::points::ContactPoints;
use super::potential::{ContactPotential, ContactSummary};
use super::slots::{ObstacleContacts, Slot};
use super::surfaces::{SurfaceContacts, SurfaceMemory, SurfacePotential};
use super::{Balance, ContactSpace};
use crate::math::{Mat3, Vec3};

/// What all contacts remember from one step to the next.
pub struct ContactMemory {
    /// Contacts of nodes with obstacles that are signed distances.
    pub obstacles: ObstacleContacts,
    /// Contacts of surfaces with one another and with mesh obstacles.
    pub surfaces: SurfaceContacts,
    buffers: Buffers,
}

/// Share of a barrier's distance below which a gap counts as pressed.
const PRESSED_SHARE: f64 = 0.01;

/// What of a [`ContactMemory`] changes from step to step.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// Stiffness of the barriers of obstacles and of surfaces [N/m].
    stiffness: (f64, f64),
    obstacles: Vec<Slot>,
    surfaces: SurfaceMemory,
}

/// All contact energy of one step.
pub struct StepContact<'a> {
    space: ContactSpace<'a>,
    stiffness: (f64, f64),
    obstacles: ContactPotential<'a>,
    surfaces: SurfacePotential<'a>,
    buffers: &'a mut Buffers,
}

/// Memory that is used again: positions and displacements of contact points, forces on them, and blocks between their nodes.
#[derive(Default)]
struct Buffers {
    points: Vec<Vec3>,
    moved: Vec<Vec3>,
    forces: Vec<Vec3>,
    pulled: Vec<Vec3>,
    expanded: Expanded,
}

/// How far the contacts of each kind are pressed: of obstacles, then of surfaces.
#[derive(Debug, Clone, Copy)]
pub struct Pressed {
    /// Smallest effective gaps, as shares of the distance at which their barriers begin to push; infinite for none.
    gaps: [f64; 2],
    /// Barrier energies [J].
    energies: [f64; 2],
}

/// Force that a contact makes now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Where [m].
    pub point: Vec3,
    /// Unit normal towards that node or surface.
    pub normal: Vec3,
    /// Force on the node or surface that `node` belongs to, of two the first that can move [N].
    pub force: Vec3,
    /// The node; for a contact between edges, the first of the edge.
    pub node: u32,
}

impl ContactMemory {
    /// The contacts of the given shape, each with the force that `balance` holds for it, or none.
    pub fn new<'a>(space: impl Into<ContactSpace<'a>>, balance: &Balance) -> Self {
        let space = space.into();
        let obstacles = ObstacleContacts::new(space, balance);
        let surfaces = SurfaceContacts::new(space, &balance.pairs, &obstacles.barrier);
        Self { obstacles, surfaces, buffers: Buffers::default() }
    }

    /// The potential of the step that starts at the positions `origin`; `time` tells which obstacles are there [s].
    pub fn freeze<'a>(&'a mut self, space: impl Into<ContactSpace<'a>>, origin: &'a [Vec3], time: f64) -> StepContact<'a> {
        let space = space.into();
        let stiffness = self.stiffness();
        StepContact {
            space,
            stiffness,
            obstacles: self.obstacles.freeze(space, origin, time),
            surfaces: self.surfaces.begin(space, space.surface.points.of(origin)),
            buffers: &mut self.buffers,
        }
    }

    /// Force on each node of contacts between surfaces in the given shape [N].
    pub fn forces_of_surfaces<'a>(&mut self, space: impl Into<ContactSpace<'a>>) -> Vec<Vec3> {
        let space = space.into();
        let points = space.surface.points.of(space.positions);
        let mut forces = vec![Vec3::zeros(); points.len()];
        self.surfaces.begin(space, &*points).add_gradient(&points, &mut forces);
        space.surface.points.pull_back(&mut forces, &mut Vec::new());
        forces.iter_mut().for_each(|force| *force = -*force);
        forces
    }

    /// Goes on after bodies came in or were taken away: other parts may touch, and what contacts remember stays.
    pub fn adapt(&mut self) {
        self.surfaces.forget_near();
    }

    /// What changes from step to step, to go back to.
    pub fn remembered(&self) -> Remembered {
        Remembered { stiffness: self.stiffness(), obstacles: self.obstacles.slots.clone(), surfaces: self.surfaces.memory.clone() }
    }

    /// Goes back to, or on with, what is to be remembered.
    pub fn remember(&mut self, remembered: Remembered) {
        (self.obstacles.barrier.stiffness, self.surfaces.barrier.stiffness) = remembered.stiffness;
        self.obstacles.slots = remembered.obstacles;
        self.surfaces.memory = remembered.surfaces;
    }

    /// Makes a barrier twice as stiff where its contacts are pressed to a hundredth of its distance: gaps as small as that
    /// make systems badly conditioned (Li et al. 2020, supplement, section 4). Contacts with a preload keep their force at `x`. The
    /// energy of the barrier doubles with it at most; that comes out of the `spare` energy [J], and where there is not as much the
    /// barrier stays as it is.
    pub fn stiffen_if_pressed(&mut self, pressed: &Pressed, points: &ContactPoints, x: &[Vec3], mut spare: f64) {
        let (obstacles, surfaces) = self.stiffness();
        let [of_obstacles, of_surfaces] = [0, 1].map(|kind| {
            let stiffens = pressed.gaps[kind] < PRESSED_SHARE && pressed.energies[kind] <= spare;
            spare -= if stiffens { pressed.energies[kind] } else { 0.0 };
            stiffens
        });
        if of_obstacles {
            self.obstacles.set_stiffness(2.0 * obstacles);
        }
        if of_surfaces {
            self.surfaces.set_stiffness(2.0 * surfaces, &points.of(x));
        }
    }

    /// Makes the barrier between surfaces stiffer by `factor`, as far as that adds no more than the energy `spare` [J] at the positions `x`.
    /// Gaps that an impact would press to nothing leave no room to turn in. Whether it did.
    pub fn stiffen_surfaces<'a>(&mut self, space: impl Into<ContactSpace<'a>>, factor: f64, x: &[Vec3], spare: f64) -> bool {
        let space = space.into();
        let points = space.surface.points.of(x);
        let energy = if space.surface.is_active() { self.surfaces.begin(space, &*points).summary(&points).energy } else { f64::INFINITY };
        let affordable = (factor - 1.0) * energy <= spare;
        if affordable {
            let (_, stiffness) = self.stiffness();
            self.surfaces.set_stiffness(factor * stiffness, &points);
        }
        affordable
    }

    fn stiffness(&self) -> (f64, f64) {
        (self.obstacles.barrier.stiffness, self.surfaces.barrier.stiffness)
    }
}

/// Share of all friction that a round of lagging must change to be worth another.
const WORTH_ANOTHER_ROUND: f64 = 1e-6;

impl StepContact<'_> {
    /// A node from where no step can be taken, and why.
    pub fn jammed(&self) -> Option<(usize, String)> {
        if let Some((node, obstacle)) = self.obstacles.jammed() {
            return Some((node, format!("it is inside the obstacle `{obstacle}`; move one of them")));
        }
        let [first, second, ..] = self.surfaces.jammed()?;
        let name = |node: u32| {
            let surface = self.space.surface;
            surface.part_of_node(node).map_or("?", |part| surface.parts[part as usize].name.as_str())
        };
        Some((first as usize, format!("the surfaces of `{}` and `{}` touch; move them apart", name(first), name(second))))
    }

    /// Energy of barriers and friction [J]; infinite if a gap is closed.
    pub fn energy(&mut self, x: &[Vec3]) -> f64 {
        self.obstacles.energy(x) + self.surfaces.energy(self.space.surface.points.put(x, &mut self.buffers.points))
    }

    /// Adds the gradient of the energy [N].
    pub fn add_gradient(&mut self, x: &[Vec3], gradient: &mut [Vec3]) {
        self.obstacles.add_gradient(x, gradient);
        let (points, Buffers { points: at, forces, pulled, .. }) = (&self.space.surface.points, &mut *self.buffers);
        if points.are_vertices() {
            self.surfaces.add_gradient(x, gradient);
            return;
        }
        forces.clear();
        forces.resize(x.len(), Vec3::zeros());
        self.surfaces.add_gradient(points.put(x, at), forces);
        points.pull_back(forces, pulled);
        gradient.iter_mut().zip(forces).for_each(|(gradient, force)| *gradient += *force);
    }

    /// Force of the contacts on each node [N].
    pub fn forces_on_nodes(&mut self, x: &[Vec3]) -> Vec<Vec3> {
        let mut forces = vec![Vec3::zeros(); x.len()];
        self.add_gradient(x, &mut forces);
        forces.iter_mut().for_each(|force| *force = -*force);
        forces
    }

    /// Force of the contacts on each vertex [N], where it touches by a point of its own too.
    pub fn forces_on_vertices(&mut self, x: &[Vec3]) -> Vec<Vec3> {
        let mut forces = vec![Vec3::zeros(); x.len()];
        self.obstacles.add_gradient(x, &mut forces);
        let points = &self.space.surface.points;
        self.surfaces.add_gradient(points.put(x, &mut self.buffers.points), &mut forces);
        forces.iter_mut().for_each(|force| *force = -*force);
        forces
    }

    /// Adds the second derivatives of the contacts with obstacles [N/m] to the diagonal block of each node.
    pub fn add_obstacle_hessian(&self, x: &[Vec3], projected: bool, curved: bool, diagonal: &mut [Mat3]) {
        self.obstacles.add_hessian(x, projected, curved, diagonal);
    }

    /// The second derivatives of contacts between surfaces [N/m].
    pub fn surface_hessian(&mut self, x: &[Vec3], projected: bool) -> SurfaceHessian<'_> {
        let (points, Buffers { points: at, expanded, .. }) = (&self.space.surface.points, &mut *self.buffers);
        let (stencils, blocks) = self.surfaces.hessian(points.put(x, at), projected);
        if points.are_vertices() {
            return SurfaceHessian::Contacts(stencils, blocks);
        }
        expanded.expand(points, stencils, blocks);
        expanded.hessian()
    }

    /// Lowers the step of each node, in [0, 1] along `dx`, to what keeps its gaps to obstacles open.
    pub fn limit_node_steps(&self, x: &[Vec3], dx: &[Vec3], steps: &mut [f64]) {
        self.obstacles.limit_steps(x, dx, steps);
    }

    /// The largest step in [0, `limit`] along `dx` on which no surfaces touch.
    pub fn max_step(&mut self, x: &[Vec3], dx: &[Vec3], limit: f64) -> f64 {
        let (points, Buffers { points: at, moved, .. }) = (&self.space.surface.points, &mut *self.buffers);
        self.surfaces.max_step(points.put(x, at), points.put(dx, moved), limit)
    }

    /// A node that would be led around an obstacle by a step that aims at `predictor`.
    pub fn led_around(&mut self, predictor: &[Vec3]) -> Option<usize> {
        let points = self.space.surface.points.put(predictor, &mut self.buffers.points);
        self.obstacles.led_around(predictor).or_else(|| self.surfaces.led_around(points).map(|node| node as usize))
    }

    /// Takes normal forces, tangent planes and facing features from `x`; false if that changes next to nothing.
    pub fn relag(&mut self, x: &[Vec3]) -> bool {
        let moved = self.repick(x);
        let changed = self.obstacles.relag(x);
        self.surfaces.relag(self.space.surface.points.put(x, &mut self.buffers.points)) > WORTH_ANOTHER_ROUND
            || changed > WORTH_ANOTHER_ROUND
            || moved
    }

    /// Takes the facing features from `x`; false if that changes next to nothing.
    pub fn repick(&mut self, x: &[Vec3]) -> bool {
        self.surfaces.repick(self.space.surface.points.put(x, &mut self.buffers.points))
    }

    /// Whether facing features changed so often that [`StepContact::repick`] no longer asks for another solve.
    pub fn is_unsettled(&self) -> bool {
        self.surfaces.is_unsettled()
    }

    /// Takes normal forces and tangent planes of friction from `x`, an iterate on the way; false if that changes nothing.
    pub fn renew_friction(&mut self, x: &[Vec3]) -> bool {
        let changed = self.obstacles.relag(x);
        self.surfaces.relag(self.space.surface.points.put(x, &mut self.buffers.points)) > 0.0 || changed > 0.0
    }

    /// What another round of [`StepContact::relag`] would change of friction at `x`: the force on each node [N]. Friction stays as it is.
    pub fn friction_lag(&mut self, x: &[Vec3]) -> Vec<Vec3> {
        let points = &self.space.surface.points;
        let at = points.put(x, &mut self.buffers.points);
        let mut change = self.surfaces.friction_lag(at);
        points.pull_back(&mut change, &mut self.buffers.pulled);
        self.obstacles.add_friction_lag(x, &mut change);
        change
    }

    /// Follows an iteration of Newton's method to `x`: friction's second derivatives are made for it from now on.
    pub fn follow(&mut self, x: &[Vec3]) {
        self.obstacles.follow(x);
        self.surfaces.follow(self.space.surface.points.put(x, &mut self.buffers.points));
    }

    /// Work done against friction on the way from the step's start to `x` [J].
    pub fn friction_work(&self, x: &[Vec3]) -> f64 {
        self.obstacles.friction_work(x) + self.surfaces.friction_work(&self.space.surface.points.of(x))
    }

    /// Largest net torque [N m] of the forces between two parts that can both move, at `x`.
    pub fn couple(&mut self, x: &[Vec3]) -> f64 {
        self.surfaces.couple(self.space.surface.points.put(x, &mut self.buffers.points))
    }

    /// What the contacts do at `x`.
    pub fn summary(&mut self, x: &[Vec3]) -> ContactSummary {
        let (obstacles, surfaces) = self.summaries(x);
        ContactSummary {
            count: obstacles.count + surfaces.count,
            pairs: obstacles.pairs + surfaces.pairs,
            energy: obstacles.energy + surfaces.energy,
            min_gap: obstacles.min_gap.min(surfaces.min_gap),
            min_effective_gap: obstacles.min_effective_gap.min(surfaces.min_effective_gap),
            min_open_share: obstacles.min_open_share.min(surfaces.min_open_share),
        }
    }

    /// How far the contacts are pressed at `x`.
    pub fn pressed(&mut self, x: &[Vec3]) -> Pressed {
        let (obstacles, surfaces) = self.summaries(x);
        let kinds = [obstacles, surfaces];
        Pressed { gaps: kinds.map(|kind| kind.min_open_share), energies: kinds.map(|kind| kind.energy) }
    }

    /// Forces of the contacts that push at `x`.
    pub fn forces(&mut self, x: &[Vec3]) -> Vec<ContactForce> {
        let mut forces = self.obstacles.forces(x);
        let surface = self.space.surface;
        let of_pair = |pair: super::surfaces::PairForce| {
            // Forces on bodies are told, and not what an obstacle bears.
            let of_side = |sign: f64| pair.nodes.iter().zip(pair.weights).filter(move |(_, w)| sign * w > 0.0).map(|(&node, _)| node);
            let sign = if of_side(1.0).any(|node| surface.movable[node as usize]) { 1.0 } else { -1.0 };
            let node = of_side(sign).next().unwrap_or(pair.nodes[0]);
            ContactForce { point: pair.point, normal: sign * pair.normal, force: sign * pair.force, node }
        };
        forces.extend(self.surfaces.forces(&self.space.surface.points.of(x)).into_iter().map(of_pair));
        forces
    }

    /// What is to be remembered after the step ended at `x`.
    pub fn finish(&mut self, x: &[Vec3]) -> Remembered {
        let surfaces = self.surfaces.finish(self.space.surface.points.put(x, &mut self.buffers.points));
        Remembered { stiffness: self.stiffness, obstacles: self.obstacles.finish(x), surfaces }
    }

    fn summaries(&mut self, x: &[Vec3]) -> (ContactSummary, ContactSummary) {
        let at = self.space.surface.points.put(x, &mut self.buffers.points);
        (self.obstacles.summary(x), self.surfaces.summary(at))
    }
}
