//! [`Mpm`]: the material point method for solids, sand, metal and liquids (Jiang et al. 2016; Hu et al. 2018). Material points carry mass, velocity
//! and deformation; in each part of a step a grid takes them over, moves by symplectic Euler or to the least of an incremental potential, meets the walls,
//! and hands back.
//!
//! ```text
//! substeps from the speed of waves -> each part: points to grid -> forces and gravity -> walls -> grid to points
//! substeps from that of points     -> each part: points to grid -> implicit, with the walls    -> grid to points
//! ```

pub mod blocks;
pub mod implicit;
mod laws;
pub mod light;
pub mod points;
mod refusal;
pub mod stencils;
#[cfg(test)]
mod tests;
pub mod transfer;
pub mod walls;

use std::time::Instant;

pub use refusal::{IMPLICIT, needs};

use self::blocks::Blocks;
use self::implicit::{Limits, Minimiser, Minimum, NotFound, Obstacles, Start};
use self::points::{Cloud, Grid, Node, Points, Whereabouts};
use self::walls::{Touch, Wall};
use super::{Dissipation, Phases, State, StepError, StepStats, Stepper, measure};
use crate::contact::{Balance, ContactForce, ContactMemory, ContactSummary};
use crate::element::{self, ElementField, Family};
use crate::math::splines::Interpolation;
use crate::math::{Mat3, Vec3, larger, largest_norm};
use crate::system::{PlacedBody, System};
use crate::watch::Watch;

/// How often a step whose parts were chosen is begun anew with twice as many, where points are lost on the way.
const DOUBLINGS: u32 = 4;
/// Of the energy that an implicit part takes out of the motion, the share that barriers may be made stiffer with.
const STIFFENING_SHARE: f64 = 0.5;

/// The stepper.
#[derive(Default)]
pub struct Mpm {
    /// What solves for the velocities of the grid, where these are not those of symplectic Euler.
    minimiser: Option<Minimiser>,
    memory: Option<ContactMemory>,
    walls: Option<Vec<Wall>>,
    kept: Kept,
    dissipated: Dissipation,
}

/// What is kept from one part to the next as long as points stay near their blocks.
#[derive(Default)]
struct Kept {
    blocks: Blocks,
    /// Where the walls are, and the nodes that touch them.
    walls: Vec<walls::Place>,
    touches: Vec<Touch>,
    grid: Grid,
}

/// What a whole step came to.
#[derive(Default)]
struct Taken {
    cloud: Cloud,
    /// Whether points have left their blocks.
    unsorted: bool,
    /// Energy that friction took [J].
    rubbed: f64,
    /// What walls gave [N s].
    pushed: Vec3,
    hand: Vec3,
    contacts: u32,
    /// Of contacts of the points themselves: what they do at the end, the smallest gaps on the way [m], and the most that friction lags behind [N].
    touching: ContactSummary,
    gaps: [f64; 2],
    lag: f64,
    /// Of Newton's method: iterations, halvings, and parts in which walls had not settled.
    iterations: u32,
    halvings: u32,
    unsettled: u32,
}

/// A point that is nowhere any more, or inside out: by its number.
struct Lost(usize);

/// Why a step was not taken in so many parts, and more may do.
enum Failed {
    Lost(usize),
    Newton,
}

/// Edge of a cell of the grid of `system` [m].
pub fn grid_spacing(system: &System) -> f64 {
    let of_body = system.particles().filter(|(_, matter)| matter.is_of_points()).map(|(_, matter)| matter.settings.spacing);
    system.simulate.grid.spacing.unwrap_or_else(|| 2.0 * of_body.fold(0.0, f64::max))
}

/// How values at the nodes of the grid of `system` make values and gradients at its material points.
pub fn interpolation(system: &System) -> Interpolation {
    let settings = &system.simulate.grid;
    Interpolation { spacing: grid_spacing(system), kernel: settings.kernel, gradient: if crate::math::splines::mutant(13) { Default::default() } else { settings.transfer.gradient() } }
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
    kept: Kept,
    /// Length of the part [s].
    part: f64,
}

impl<'a> Look<'a> {
    /// One part of a step from `state`, with these forces on the points beside gravity and walls at nodes [N], by their numbers; `None` without material
    /// points, or where one is nowhere.
    fn at(system: &'a System, state: &State, extra: &[Vec3]) -> Option<Self> {
        let points = Points::of(system)?;
        let mut cloud = points.cloud(state);
        let spacing = grid_spacing(system);
        let speed = laws::speed(&points, &cloud, spacing);
        let step_size = system.simulate.step_size;
        let part = step_size / f64::from(laws::substeps(None, step_size, speed, spacing).ok()?);
        let mut kept = Kept::default();
        kept.renew(system, &walls::walls(system), &mut cloud, (state.time, part), true).ok()?;
        points.take(&cloud, &kept.blocks, &kept.touches, part, (extra, true), &mut kept.grid);
        Some(Self { points, cloud, kept, part })
    }

    /// What `of_node` [m/s] comes to, as forces on the nodes of `system` [N].
    fn forces(&self, forces: &mut [Vec3], of_node: impl Fn(&Node) -> Vec3 + Sync) {
        let found = self.points.forces(&self.cloud, &self.kept.blocks, &self.kept.grid, self.part, of_node);
        self.points.nodes.iter().zip(found).for_each(|([node], force)| forces[*node as usize] = force);
    }
}

/// Puts the net force [N] on each material point of `state` in place of what `forces` says of it: its mass times the change of velocity that
/// one part of a step would give it, over the length of the part; walls are in it. At rest it does not depend on that length. `touching`: forces of the
/// contacts on all nodes [N], which count where points meet obstacles by themselves.
pub fn set_net_forces(system: &System, state: &State, touching: &[Vec3], forces: &mut [Vec3]) {
    match Look::at(system, state, &of_contacts(system, touching)) {
        Some(look) => look.forces(forces, |node| node.after - node.before),
        None => {
            let of_points = system.points().into_iter().flat_map(|points| points.connectivity());
            of_points.for_each(|[node]| forces[*node as usize] = Vec3::repeat(f64::NAN));
        }
    }
}

/// What contacts that make these forces on all nodes [N] push points with that meet obstacles by themselves, by the numbers of the points; none where nodes of
/// the grid do.
fn of_contacts(system: &System, on_nodes: &[Vec3]) -> Vec<Vec3> {
    let points = system.points().filter(|_| system.touches_at_points());
    points.map_or_else(Vec::new, |points| points.connectivity().iter().map(|[node]| on_nodes[*node as usize]).collect())
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
    if let Some(look) = Look::at(system, state, &[]) {
        look.forces(&mut forces, |node| node.pushed);
    }
    forces
}

impl Kept {
    /// Takes over where walls are in the part of a step from `time` on, of so long [s], and sorts the points of `cloud` where they are `unsorted`.
    fn renew(&mut self, system: &System, walls: &[Wall], cloud: &mut Cloud, (time, part): (f64, f64), unsorted: bool) -> Result<(), Lost> {
        let spacing = grid_spacing(system);
        if unsorted {
            self.blocks = points::sort(cloud, interpolation(system)).map_err(Lost)?;
        }
        let places = walls::places(system, walls, time, part);
        if unsorted || places != self.walls {
            let nodes = (0..self.blocks.nodes()).map(|node| (node as u32, self.blocks.place_of(node)));
            self.touches = walls::touches(walls, &places, nodes, spacing);
            self.walls = places;
        }
        Ok(())
    }
}

impl Failed {
    fn told(self, points: &Points, time: f64) -> StepError {
        let (point, what) = match self {
            Self::Lost(point) => {
                (point, "a material point is turned inside out or lost; take more \"substeps\" of the grid, smaller steps or a stiffer law")
            }
            Self::Newton => (
                0,
                "Newton's method on the grid did not converge; take more \"substeps\" of the grid, smaller steps or a larger \"tolerance\"",
            ),
        };
        let node = points.nodes.get(point).map_or(0, |[node]| *node as usize);
        StepError::Singular { time, node, what: what.to_owned() }
    }
}

impl Mpm {
    /// The implicit one.
    pub fn implicit() -> Self {
        Self { minimiser: Some(Minimiser::default()), ..Self::default() }
    }

    /// Its name in scenes.
    fn name(&self) -> &'static str {
        if self.minimiser.is_some() { IMPLICIT } else { "mpm" }
    }

    /// All parts of a step, each of `part` [s]; `may_split`: where that fails, shorter ones are tried.
    fn take(
        &mut self,
        system: &System,
        state: &State,
        points: &Points,
        (parts, part, may_split): (u32, f64, bool),
        watch: &dyn Watch,
    ) -> Result<Result<Taken, Failed>, StepError> {
        let walls = self.walls.get_or_insert_with(|| walls::walls(system));
        // Anew in each step, so that what it does is a matter of its state alone.
        let mut taken = Taken { cloud: points.cloud(state), unsorted: true, gaps: [f64::INFINITY; 2], ..Taken::default() };
        let (mut positions, mut velocities) = (state.positions.clone(), state.velocities.clone());
        for number in 0..parts {
            watch.check()?;
            let time = state.time + f64::from(number) * part;
            let kept = &mut self.kept;
            if let Err(Lost(point)) = kept.renew(system, walls, &mut taken.cloud, (time, part), taken.unsorted) {
                return Ok(Err(Failed::Lost(point)));
            }
            let mut extra = Vec::new();
            points.put(&taken.cloud, &mut positions, &mut velocities);
            if let Some(hand) = &system.hand {
                let mut pulled = vec![Vec3::zeros(); positions.len()];
                taken.hand += hand.add_explicit(&positions, &velocities, &system.masses, part, &mut pulled) / f64::from(parts);
                extra = points.nodes.iter().map(|[node]| pulled[*node as usize]).collect();
            }
            match &mut self.minimiser {
                None => points.take(&taken.cloud, &kept.blocks, &kept.touches, part, (&extra, false), &mut kept.grid),
                Some(minimiser) => {
                    let simulate = &system.simulate;
                    let limits = Limits {
                        tolerance: simulate.tolerance,
                        iterations: simulate.max_iterations,
                        friction_rounds: system.contact.friction_iterations,
                    };
                    let memory = self.memory.get_or_insert_with(|| ContactMemory::new(system, &Balance::default()));
                    let obstacles = match system.touches_at_points() {
                        true => Obstacles::Points(Start { memory: &mut *memory, system, origin: &positions, time, part, may_split }),
                        false => Obstacles::Walls(&kept.touches),
                    };
                    match minimiser.take(points, (&taken.cloud, interpolation(system)), obstacles, (part, &extra), limits, watch) {
                        Ok(found) => {
                            let Minimum { nodes, iterations, halvings, unsettled, met, .. } = found;
                            kept.grid.nodes = nodes;
                            taken.iterations += iterations;
                            taken.halvings += halvings;
                            taken.unsettled += u32::from(unsettled);
                            if let Some(met) = met {
                                let lost = |node: &Node| 0.5 * node.mass * (node.after - node.before).norm_squared();
                                let spare = STIFFENING_SHARE * kept.grid.nodes.iter().map(lost).sum::<f64>();
                                memory.remember(met.remembered);
                                memory.stiffen_if_pressed(&met.pressed, &system.surface.points, &met.positions, spare);
                                taken.pushed += part * met.forces.iter().sum::<Vec3>();
                                taken.rubbed += met.rubbed;
                                taken.lag = larger(taken.lag, met.lag);
                                let [gap, effective] = taken.gaps;
                                taken.gaps = [gap.min(met.summary.min_gap), effective.min(met.summary.min_effective_gap)];
                                taken.touching = met.summary;
                                positions = met.positions;
                            }
                        }
                        Err(NotFound::Error(error)) => return Err(error),
                        Err(NotFound::Diverged) => return Ok(Err(Failed::Newton)),
                    }
                }
            }
            taken.contacts = taken.touching.count;
            for touch in kept.touches.chunk_by(|a, b| a.node == b.node).filter_map(<[Touch]>::first) {
                let node = &kept.grid.nodes[touch.node as usize];
                if node.mass > 0.0 && node.pushed != Vec3::zeros() {
                    taken.contacts += 1;
                    taken.pushed += node.mass * node.pushed;
                    // What slides is slowed down; what sticks takes no work, though every part begins with what the other forces give it.
                    let slides = node.after - touch.velocity;
                    let along = slides - touch.normal.dot(&slides) * touch.normal;
                    taken.rubbed -= node.mass * node.pushed.dot(&along);
                }
            }
            taken.unsorted = match points.give_back(&mut taken.cloud, &kept.blocks, &kept.grid, part) {
                Whereabouts::Held => self.minimiser.is_some(),
                Whereabouts::Left => true,
                Whereabouts::Lost(point) => return Ok(Err(Failed::Lost(point))),
            };
        }
        Ok(Ok(taken))
    }

    /// [`set_net_forces`] in `state`, at the end of the parts that were `taken`, each of `part` [s], by the numbers of the points [N].
    fn net_forces(&mut self, system: &System, points: &Points, taken: &mut Taken, part: f64, state: &State) -> Vec<Vec3> {
        let time = state.time;
        let touching = match system.touches_at_points() {
            true => self.contacts(system).freeze(system, &state.positions, time).forces_on_nodes(&state.positions),
            false => Vec::new(),
        };
        let walls = self.walls.get_or_insert_with(|| walls::walls(system));
        if self.kept.renew(system, walls, &mut taken.cloud, (time, part), taken.unsorted).is_err() {
            return vec![Vec3::repeat(f64::NAN); points.nodes.len()];
        }
        let Kept { blocks, touches, grid, .. } = &mut self.kept;
        points.take(&taken.cloud, blocks, touches, part, (&of_contacts(system, &touching), true), grid);
        points.forces(&taken.cloud, blocks, grid, part, |node| node.after - node.before)
    }
}

impl Stepper for Mpm {
    fn warm_start(&mut self, system: &System, balance: &Balance) {
        let minimiser = self.minimiser.take();
        *self = Self { memory: Some(ContactMemory::new(system, balance)), minimiser, ..Self::default() };
    }

    fn adapt(&mut self, _: &System) {
        self.walls = None;
        self.kept = Kept::default();
        self.memory.iter_mut().for_each(ContactMemory::adapt);
    }

    fn step(&mut self, system: &mut System, state: &mut State, step_size: f64, watch: &dyn Watch) -> Result<StepStats, StepError> {
        watch.check()?;
        needs(self.name(), system)?;
        let system = &*system;
        let clock = Instant::now();
        let Some(points) = Points::of(system) else { return Ok(StepStats { time: state.time + step_size, ..StepStats::default() }) };
        let spacing = grid_spacing(system);
        let given = system.simulate.grid.substeps;
        let cloud = points.cloud(state);
        let mut parts = match &self.minimiser {
            None => laws::substeps(given, step_size, laws::speed(&points, &cloud, spacing), spacing)?,
            Some(_) => given.unwrap_or_else(|| laws::crossings(step_size, &cloud, spacing)),
        };
        let mut doublings = 0;
        let before = self.memory.as_ref().filter(|_| system.touches_at_points()).map(ContactMemory::remembered);
        let mut taken = loop {
            let may_split = given.is_none() && doublings < DOUBLINGS;
            let outcome = self.take(system, state, &points, (parts, step_size / f64::from(parts), may_split), watch);
            if !matches!(outcome, Ok(Ok(_))) {
                match (&mut self.memory, &before) {
                    (Some(memory), Some(before)) => memory.remember(before.clone()),
                    (memory, None) if system.touches_at_points() => *memory = None,
                    _ => {}
                }
            }
            match outcome? {
                Ok(taken) => break taken,
                Err(failed) if !may_split => return Err(failed.told(&points, state.time)),
                Err(_) => (parts, doublings) = (2 * parts, doublings + 1),
            }
        };
        self.dissipated.friction += taken.rubbed;
        state.time += step_size;
        points.put(&taken.cloud, &mut state.positions, &mut state.velocities);
        for driven in &system.driven {
            let (node, target) = (driven.node as usize, system.target(driven, state.time));
            state.velocities[node] = (target - state.positions[node]) / step_size;
            state.positions[node] = target;
        }
        points.remember(&taken.cloud, &mut state.points);
        let force = self.net_forces(system, &points, &mut taken, step_size / f64::from(parts), state);
        let seconds = clock.elapsed().as_secs_f64();
        let measured = measure::state(system, &state.positions, &state.velocities, taken.touching.energy, 0.0);
        let deformations = &state.points.deformations;
        let elastic = laws::energy(points.elements, deformations);
        Ok(StepStats {
            time: state.time,
            elastic,
            total: measured.kinetic + measured.gravity + measured.contact + elastic,
            friction: self.dissipated.friction,
            angular_momentum: measured.angular_momentum
                + points.spin(&state.points.affine, |p| state.positions[points.nodes[p][0] as usize], &interpolation(system)),
            residual: largest_norm(&force) / system.largest_load(),
            substeps: parts,
            iterations: taken.iterations,
            halvings: taken.halvings,
            unsettled: taken.unsettled,
            inversions: laws::inversions(deformations),
            volume: laws::volume(points.elements, deformations),
            hand: taken.hand,
            wall_force: taken.pushed / step_size,
            contacts: taken.contacts,
            contact_pairs: taken.touching.pairs,
            min_gap: taken.gaps[0],
            min_effective_gap: taken.gaps[1],
            friction_lag: taken.lag / system.largest_load(),
            seconds,
            phases: Phases { total: seconds, ..Phases::default() },
            ..measured
        })
    }

    fn contacts(&mut self, system: &System) -> &mut ContactMemory {
        self.memory.get_or_insert_with(|| ContactMemory::new(system, &Balance::default()))
    }

    fn contact_force_on_nodes(&mut self, system: &System, state: &State) -> Vec<Vec3> {
        match system.touches_at_points() {
            true => self.contacts(system).freeze(system, &state.positions, state.time).forces_on_nodes(&state.positions),
            false => wall_forces(system, state),
        }
    }

    fn contact_force_on_vertices(&mut self, system: &System, state: &State) -> Vec<Vec3> {
        self.contact_force_on_nodes(system, state)
    }

    /// None that one could point at where walls act on the nodes of the grid.
    fn contact_forces(&mut self, system: &System, state: &State) -> Vec<ContactForce> {
        match system.touches_at_points() {
            true => self.contacts(system).freeze(system, &state.positions, state.time).forces(&state.positions),
            false => Vec::new(),
        }
    }
}
