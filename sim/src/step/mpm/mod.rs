//! [`Mpm`]: the material point method, explicit, for solids, sand, metal and liquids (Jiang et al. 2016; Hu et al. 2018). Material points carry mass, velocity
//! and deformation; in each part of a step a grid takes them over, moves by symplectic Euler, meets the walls, and hands back.
//!
//! ```text
//! substeps from the speed of waves -> each part: points to grid -> forces and gravity -> walls -> grid to points
//! ```

pub mod blocks;
mod laws;
pub mod light;
pub mod points;
mod refusal;
#[cfg(test)]
mod tests;
pub mod walls;

use std::time::Instant;

pub use refusal::needs;

use self::blocks::Blocks;
use self::points::{Cloud, Node, Points};
use self::walls::{Touch, Wall};
use super::{Dissipation, Phases, State, StepError, StepStats, Stepper, measure};
use crate::contact::{Balance, ContactForce, ContactMemory};
use crate::element::{self, ElementField, Family};
use crate::math::{Mat3, Vec3, largest_norm};
use crate::system::{PlacedBody, System};
use crate::watch::Watch;

/// How often a step whose parts were chosen is begun anew with twice as many, where points are lost on the way.
const DOUBLINGS: u32 = 4;

/// The stepper.
#[derive(Default)]
pub struct Mpm {
    memory: Option<ContactMemory>,
    walls: Option<Vec<Wall>>,
    grid: Kept,
    dissipated: Dissipation,
}

/// What is kept from one part to the next as long as points stay in their blocks.
#[derive(Default)]
struct Kept {
    blocks: Blocks,
    /// The walls that are there, and the nodes that touch them.
    present: Vec<bool>,
    touches: Vec<Touch>,
}

/// What a whole step came to.
struct Taken {
    cloud: Cloud,
    /// Energy that friction took [J].
    rubbed: f64,
    hand: Vec3,
    contacts: u32,
}

/// A point that is nowhere any more, or inside out: by its number.
struct Lost(usize);

/// Edge of a cell of the grid of `system` [m].
pub fn grid_spacing(system: &System) -> f64 {
    let of_body = system.particles().filter(|(_, matter)| matter.is_of_points()).map(|(_, matter)| matter.settings.spacing);
    system.simulate.grid.spacing.unwrap_or_else(|| 2.0 * of_body.fold(0.0, f64::max))
}

/// The spin of a body's initial velocities about its centre of mass [rad/s]: its angular momentum by its moments of inertia.
pub fn spin(system: &System, body: &PlacedBody) -> Vec3 {
    let of = || body.nodes.clone().map(|n| (system.masses[n], system.positions[n], system.initial_velocities[n]));
    let mass: f64 = of().map(|(m, ..)| m).sum();
    let middle = of().map(|(m, x, _)| m * x).sum::<Vec3>() / mass;
    let momentum: Vec3 = of().map(|(m, x, v)| m * (x - middle).cross(&v)).sum();
    let inertia: Mat3 = of().map(|(m, x, _)| -m * (x - middle).cross_matrix().pow(2)).sum();
    inertia.try_inverse().map_or_else(Vec3::zeros, |inverse| inverse * momentum)
}

/// The grid that the points of a state make.
struct Look<'a> {
    points: Points<'a>,
    cloud: Cloud,
    blocks: Blocks,
    nodes: Vec<Node>,
    /// Length of the part [s].
    part: f64,
}

impl<'a> Look<'a> {
    /// One part of a step from `state`; `None` without material points, or where one is nowhere.
    fn at(system: &'a System, state: &State) -> Option<Self> {
        let points = Points::of(system)?;
        let cloud = points.cloud(state);
        let spacing = grid_spacing(system);
        let mut kept = Kept::default();
        kept.renew(system, &walls::walls(system), &cloud, spacing, state.time).ok()?;
        let speed = laws::speed(points.elements, &points.masses, &cloud, spacing);
        let step_size = system.simulate.step_size;
        let part = step_size / f64::from(laws::substeps(None, step_size, speed, spacing).ok()?);
        let nodes = points.grid(&cloud, &kept.blocks, &kept.touches, part, &[]);
        Some(Self { points, cloud, blocks: kept.blocks, nodes, part })
    }

    /// What `of_node` [m/s] comes to, as forces on the nodes of `system` [N].
    fn forces(&self, forces: &mut [Vec3], of_node: impl Fn(&Node) -> Vec3 + Sync) {
        let found = self.points.forces(&self.cloud, &self.blocks, &self.nodes, self.part, of_node);
        self.points.nodes.iter().zip(found).for_each(|([node], force)| forces[*node as usize] = force);
    }
}

/// Puts the net force [N] on each material point of `state` in place of what `forces` says of it: its mass times the change of velocity that
/// one part of a step would give it, over the length of the part; walls are in it. At rest it does not depend on that length.
pub fn set_net_forces(system: &System, state: &State, forces: &mut [Vec3]) {
    match Look::at(system, state) {
        Some(look) => look.forces(forces, |node| node.after - node.before),
        None => {
            let of_points = system.points().into_iter().flat_map(|points| points.connectivity());
            of_points.for_each(|[node]| forces[*node as usize] = Vec3::repeat(f64::NAN));
        }
    }
}

/// The fields of all elements of `system` in `state`, as [`element::fields`] tells them of positions alone: of material points, what the state
/// knows of their deformations.
pub fn fields(system: &System, state: &State) -> Vec<ElementField> {
    let mut fields = element::fields(&system.families, &state.positions);
    let family = system.families.iter().position(|family| family.points().is_some_and(|points| !points.elements.is_empty()));
    let Some((family, points)) = family.zip(system.points()) else { return fields };
    let first = system.element_number(family, 0);
    for (k, kind) in points.kind().fields.iter().enumerate() {
        let Some(field) = fields.iter_mut().find(|field| field.kind == kind) else { continue };
        let own = field.values[first..].iter_mut().zip(&points.elements).zip(&state.points.deformations);
        own.for_each(|((value, point), g)| *value = point.fields_of(g)[k]);
    }
    fields
}

/// Force of the walls on each node of `system` in `state` [N]: what they change of the grid's momentum, as far as it comes from each point.
fn wall_forces(system: &System, state: &State) -> Vec<Vec3> {
    let mut forces = vec![Vec3::zeros(); state.positions.len()];
    if let Some(look) = Look::at(system, state) {
        look.forces(&mut forces, |node| node.pushed);
    }
    forces
}

impl Kept {
    /// Takes over where the points of `cloud` are, and which walls are there at `time` [s].
    fn renew(&mut self, system: &System, walls: &[Wall], cloud: &Cloud, spacing: f64, time: f64) -> Result<(), Lost> {
        let holds = self.blocks.hold(&cloud.positions, spacing).map_err(Lost)?;
        if !holds {
            self.blocks = Blocks::of(&cloud.positions, spacing).map_err(Lost)?;
        }
        let present = walls::present(system, walls, time);
        if !holds || present != self.present {
            let nodes = (0..self.blocks.nodes()).map(|node| (node as u32, self.blocks.place_of(node)));
            self.touches = walls::touches(walls, &present, nodes, spacing);
            self.present = present;
        }
        Ok(())
    }
}

impl Mpm {
    /// All parts of a step, each of `part` [s].
    fn take(
        &mut self,
        system: &System,
        state: &State,
        points: &Points,
        (parts, part): (u32, f64),
        watch: &dyn Watch,
    ) -> Result<Result<Taken, Lost>, StepError> {
        let spacing = grid_spacing(system);
        let walls = self.walls.get_or_insert_with(|| walls::walls(system));
        let mut taken = Taken { cloud: points.cloud(state), rubbed: 0.0, hand: Vec3::zeros(), contacts: 0 };
        let (mut positions, mut velocities) = (state.positions.clone(), state.velocities.clone());
        for number in 0..parts {
            watch.check()?;
            let time = state.time + (f64::from(number) + 0.5) * part;
            if let Err(lost) = self.grid.renew(system, walls, &taken.cloud, spacing, time) {
                return Ok(Err(lost));
            }
            let mut extra = Vec::new();
            if let Some(hand) = &system.hand {
                points.put(&taken.cloud, &mut positions, &mut velocities);
                let mut pulled = vec![Vec3::zeros(); positions.len()];
                taken.hand += hand.add_explicit(&positions, &velocities, &system.masses, part, &mut pulled) / f64::from(parts);
                extra = points.nodes.iter().map(|[node]| pulled[*node as usize]).collect();
            }
            let Kept { blocks, touches, .. } = &self.grid;
            let nodes = points.grid(&taken.cloud, blocks, touches, part, &extra);
            taken.contacts = 0;
            for touch in touches.chunk_by(|a, b| a.node == b.node).filter_map(<[Touch]>::first) {
                let node = &nodes[touch.node as usize];
                if node.pushed != Vec3::zeros() {
                    taken.contacts += 1;
                    let along = |v: Vec3| (v - touch.normal.dot(&v) * touch.normal).norm_squared();
                    taken.rubbed += 0.5 * node.mass * (along(node.after - node.pushed) - along(node.after));
                }
            }
            taken.cloud = points.moved(&taken.cloud, blocks, &nodes, part);
            if let Some(lost) = taken.cloud.lost() {
                return Ok(Err(Lost(lost)));
            }
        }
        Ok(Ok(taken))
    }
}

impl Stepper for Mpm {
    fn warm_start(&mut self, system: &System, balance: &Balance) {
        *self = Self { memory: Some(ContactMemory::new(system, balance)), ..Self::default() };
    }

    fn adapt(&mut self, _: &System) {
        self.walls = None;
        self.grid = Kept::default();
        self.memory.iter_mut().for_each(ContactMemory::adapt);
    }

    fn step(&mut self, system: &mut System, state: &mut State, step_size: f64, watch: &dyn Watch) -> Result<StepStats, StepError> {
        watch.check()?;
        needs("mpm", system)?;
        let system = &*system;
        let clock = Instant::now();
        let Some(points) = Points::of(system) else { return Ok(StepStats { time: state.time + step_size, ..StepStats::default() }) };
        let spacing = grid_spacing(system);
        let start = points.cloud(state);
        let given = system.simulate.grid.substeps;
        let mut parts = laws::substeps(given, step_size, laws::speed(points.elements, &points.masses, &start, spacing), spacing)?;
        let mut doublings = 0;
        let taken = loop {
            match self.take(system, state, &points, (parts, step_size / f64::from(parts)), watch)? {
                Ok(taken) => break taken,
                Err(Lost(p)) if given.is_some() || doublings == DOUBLINGS => {
                    let what =
                        "a material point is turned inside out or lost; take more \"substeps\" of the grid, smaller steps or a stiffer law";
                    let node = points.nodes.get(p).map_or(0, |[node]| *node as usize);
                    return Err(StepError::Singular { time: state.time, node, what: what.to_owned() });
                }
                Err(_) => (parts, doublings) = (2 * parts, doublings + 1),
            }
        };
        self.dissipated.friction += taken.rubbed;
        state.time += step_size;
        points.put(&taken.cloud, &mut state.positions, &mut state.velocities);
        points.remember(&taken.cloud, &mut state.points);
        let mut force = vec![Vec3::zeros(); state.positions.len()];
        set_net_forces(system, state, &mut force);
        let seconds = clock.elapsed().as_secs_f64();
        let measured = measure::state(system, &state.positions, &state.velocities, 0.0, 0.0);
        let elastic = laws::energy(points.elements, &taken.cloud);
        Ok(StepStats {
            time: state.time,
            elastic,
            total: measured.kinetic + measured.gravity + elastic,
            friction: self.dissipated.friction,
            angular_momentum: measured.angular_momentum + points.spin(&taken.cloud, spacing),
            residual: largest_norm(&force) / system.largest_load(),
            substeps: parts,
            inversions: laws::inversions(&taken.cloud),
            volume: laws::volume(points.elements, &taken.cloud),
            hand: taken.hand,
            contacts: taken.contacts,
            min_gap: f64::INFINITY,
            min_effective_gap: f64::INFINITY,
            seconds,
            phases: Phases { total: seconds, ..Phases::default() },
            ..measured
        })
    }

    fn contacts(&mut self, system: &System) -> &mut ContactMemory {
        self.memory.get_or_insert_with(|| ContactMemory::new(system, &Balance::default()))
    }

    fn contact_force_on_nodes(&mut self, system: &System, state: &State) -> Vec<Vec3> {
        wall_forces(system, state)
    }

    fn contact_force_on_vertices(&mut self, system: &System, state: &State) -> Vec<Vec3> {
        wall_forces(system, state)
    }

    /// None that one could point at: walls act on the nodes of the grid.
    fn contact_forces(&mut self, _: &System, _: &State) -> Vec<ContactForce> {
        Vec::new()
    }
}
