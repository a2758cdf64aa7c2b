//! [`Mpm`]: the material point method for solids, sand, metal and liquids (Jiang et al. 2016; Hu et al. 2018). Material points carry mass, velocity
//! and deformation; in each part of a step a grid takes them over, moves by symplectic Euler or to the least of an incremental potential, meets the walls,
//! and hands back.
//!
//! ```text
//! substeps from the speed of waves -> each part: points to grid -> forces and gravity -> walls -> grid to points
//! substeps from that of points     -> each part: points to grid -> implicit, with the walls    -> grid to points
//! bodies beside the points         -> first their whole step, as if there were no points       -> walls that go their way
//! ```

pub mod blocks;
pub mod bodies;
mod corners;
mod facing;
pub mod implicit;
mod laws;
pub mod light;
pub mod points;
mod refusal;
pub mod shared_volume;
pub mod stencils;
#[cfg(test)]
mod tests;
pub mod transfer;
pub mod walls;

use std::time::Instant;

pub use refusal::{IMPLICIT, needs};

use self::blocks::Blocks;
use self::bodies::{Bodies, Moved, Sides, Surface};
use self::facing::Matter;
use self::implicit::{Limits, Minimiser, Minimum, NotFound, Obstacles, Start};
use self::points::{Cloud, Grid, Node, Points, Whereabouts};
use self::walls::{Touch, Wall};
use super::{Dissipation, State, StepError, StepStats, Stepper, measure};
use crate::contact::{Balance, ContactForce, ContactMemory, ContactSummary};
use crate::element::{self, ElementField, Family};
use crate::math::rigid::RigidMotion;
use crate::math::splines::Interpolation;
use crate::math::{Mat3, Vec3, larger, largest_norm};
use crate::system::{PlacedBody, System};
use crate::watch::Watch;

/// How often a step whose parts were chosen is begun anew with twice as many, where points are lost on the way.
const DOUBLINGS: u32 = 4;
/// Share of a part that is round-off, and the shortest that it is cut into.
const ROUNDED: f64 = 1e-9;
const SHORTEST: f64 = 1e-4;
/// Of the energy that an implicit part takes out of the motion, the share that barriers may be made stiffer with.
const STIFFENING_SHARE: f64 = 0.5;

/// The stepper.
#[derive(Default)]
pub struct Mpm {
    /// What solves for the velocities of the grid, where these are not those of symplectic Euler.
    minimiser: Option<Minimiser>,
    memory: Option<ContactMemory>,
    /// What moves the bodies beside the points.
    bodies: Option<Bodies>,
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
    /// The surfaces of bodies; none before they are asked for.
    surfaces: Option<Vec<Surface>>,
    /// Nodes in the walls, by the ways out that are the nearest to them.
    inside: Vec<Touch>,
    /// What is around them, and how that meets the walls.
    matter: Matter,
    touches: Vec<Touch>,
    grid: Grid,
}

/// When a part of a step is, and where bodies beside the points go in it.
#[derive(Clone, Copy)]
struct Part<'a> {
    /// Its start, and its length [s].
    time: f64,
    length: f64,
    moved: Moved<'a>,
}

/// The parts that a step is taken in.
#[derive(Clone, Copy)]
struct Parts {
    count: u32,
    /// Of each [s].
    length: f64,
    /// Whether shorter ones are tried where that fails.
    may_split: bool,
    /// How fast something crosses the grid [m/s], where each part is cut as nodes that swing ask for.
    speed: Option<f64>,
}

/// What a whole step came to.
#[derive(Default)]
struct Taken {
    cloud: Cloud,
    /// Parts that it was taken in.
    parts: u32,
    /// The sides that points are on, of each sheet.
    sides: Vec<Sides>,
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
    Interpolation { spacing: grid_spacing(system), kernel: settings.kernel, gradient: settings.transfer.gradient() }
}

/// The spin of a body's initial velocities about its centre of mass [rad/s]: its angular momentum by its moments of inertia.
pub fn spin(system: &System, body: &PlacedBody) -> Vec3 {
    RigidMotion::of(|| body.nodes.clone().map(|n| (system.masses[n], system.positions[n], system.initial_velocities[n]))).spin
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
    /// points, or where one is nowhere. `at_rest`: as if nothing moved, points and walls.
    fn at(system: &'a System, state: &State, extra: &[Vec3], at_rest: bool) -> Option<Self> {
        let points = Points::of(system)?;
        let mut cloud = points.cloud(state);
        if at_rest {
            cloud.iter_mut().for_each(|point| (point.velocity, point.affine) = (Vec3::zeros(), Mat3::zeros()));
        }
        let spacing = grid_spacing(system);
        let speed = laws::speeds(&points, &cloud, spacing).iter().sum();
        let step_size = system.simulate.step_size;
        let part = step_size / f64::from(laws::substeps(None, step_size, (speed, 0.0), spacing).ok()?);
        let (mut kept, mut sides) = (Kept::default(), state.points.sides.clone());
        // Bodies and walls as they go on, or as they stand.
        let going = if at_rest { 0.0 } else { part };
        let ahead: Vec<Vec3> = state.positions.iter().zip(&state.velocities).map(|(x, v)| x + going * v).collect();
        kept.find_sides(system, &points, (&cloud, &state.positions), &mut sides);
        let at = Part { time: state.time, length: going, moved: Moved::between(&state.positions, &ahead) };
        kept.renew((system, &points), &walls::walls(system), (&mut cloud, &sides), at, true).ok()?;
        if at_rest {
            kept.touches.iter_mut().for_each(|touch| touch.velocity = Vec3::zeros());
        }
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
/// one part of a step from rest would give it, over the length of the part; walls are in it, as if they stood. `touching`: forces of the
/// contacts on all nodes [N], which count where points meet obstacles by themselves.
pub fn set_net_forces(system: &System, state: &State, touching: &[Vec3], forces: &mut [Vec3]) {
    match Look::at(system, state, &of_contacts(system, touching), true) {
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
        let own = field.values[first..].iter_mut().zip(&points.elements).zip(state.points.deformations.iter().zip(&state.points.memory));
        own.for_each(|((value, point), (g, memory))| *value = point.fields_of(g, *memory)[k]);
    }
    fields
}

/// Sets the force of the walls on each material point of `system` in `state` [N]: what they change of the grid's momentum, as far as it comes from each point.
fn set_wall_forces(system: &System, state: &State, forces: &mut [Vec3]) {
    if let Some(look) = Look::at(system, state, &[], false) {
        look.forces(forces, |node| node.pushed);
    }
}

/// Number and place [m] of each point of a cloud.
fn in_cloud(cloud: &Cloud) -> impl Fn(usize) -> (usize, Vec3) + Sync {
    |at| (cloud[at].number as usize, cloud[at].position)
}

impl Kept {
    /// Takes over where walls are in a part of a step, and sorts the points of `cloud` where they are `unsorted`; `sides`: those that they are on.
    fn renew(
        &mut self,
        (system, points): (&System, &Points),
        walls: &[Wall],
        (cloud, sides): (&mut Cloud, &[Sides]),
        part: Part,
        unsorted: bool,
    ) -> Result<(), Lost> {
        let by = interpolation(system);
        if unsorted {
            self.blocks = points::sort(cloud, by).map_err(Lost)?;
        }
        let blocks = &self.blocks;
        let places = walls::places(system, walls, part.time, part.length);
        let mut changes = unsorted || places != self.walls;
        let surfaces = self.surfaces.get_or_insert_with(|| Surface::all(system));
        for surface in &mut *surfaces {
            changes |= surface.follow(&part.moved, part.length);
        }
        for (sheet, sides) in surfaces.iter_mut().filter(|surface| surface.is_sheet()).zip(sides) {
            sheet.weigh(blocks, (cloud.len(), &in_cloud(cloud)), &points.masses, sides);
            changes = true;
        }
        if changes {
            let node = |node: usize| (node as u32, blocks.place_of(node));
            self.inside = walls::touches(walls, (&places, surfaces), (blocks.nodes(), node), &by);
            self.touches.clone_from(&self.inside);
            self.walls = places;
        }
        if walls.iter().any(Wall::has_edges) {
            let all = (walls, self.walls.as_slice(), surfaces.as_slice());
            facing::weigh(all, blocks, (cloud.len(), &in_cloud(cloud)), &points.masses, &mut self.matter);
            facing::faced(all, blocks, &self.inside, &self.matter, &mut self.touches);
        }
        Ok(())
    }

    /// Finds the sides of sheets that the points of `cloud` are on, the nodes of `system` being at `x` [m], where they are not known.
    fn find_sides(&mut self, system: &System, points: &Points, (cloud, x): (&Cloud, &[Vec3]), sides: &mut Vec<Sides>) {
        let surfaces = self.surfaces.get_or_insert_with(|| Surface::all(system));
        let sheets: Vec<&mut Surface> = surfaces.iter_mut().filter(|surface| surface.is_sheet()).collect();
        if sides.len() == sheets.len() && sides.iter().all(|sides| sides.len() == points.nodes.len()) {
            return;
        }
        sides.clear();
        for sheet in sheets {
            sheet.follow(&Moved::between(x, x), 0.0);
            let mut found = Vec::new();
            sheet.side((cloud.len(), &in_cloud(cloud)), &interpolation(system), &mut found);
            sides.push(found);
        }
    }

    /// Finds them anew, where surfaces are at the end of the last part.
    fn follow_sides(&self, cloud: &Cloud, by: &Interpolation, sides: &mut [Sides]) {
        let sheets = self.surfaces.iter().flatten().filter(|surface| surface.is_sheet());
        sheets.zip(sides).for_each(|(sheet, sides)| sheet.side((cloud.len(), &in_cloud(cloud)), by, sides));
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

    /// All parts of a step.
    fn take(
        &mut self,
        system: &System,
        (state, moved): (&State, Moved),
        points: &Points,
        parts: Parts,
        watch: &dyn Watch,
    ) -> Result<Result<Taken, Failed>, StepError> {
        let Parts { count, may_split, .. } = parts;
        let walls = self.walls.get_or_insert_with(|| walls::walls(system));
        // Anew in each step, so that what it does is a matter of its state alone.
        let mut taken = Taken { cloud: points.cloud(state), unsorted: true, gaps: [f64::INFINITY; 2], ..Taken::default() };
        taken.sides.clone_from(&state.points.sides);
        self.kept.find_sides(system, points, (&taken.cloud, &state.positions), &mut taken.sides);
        let hand = system.hand.as_ref().filter(|hand| hand.grip.iter().any(|(node, _)| points.nodes.binary_search(&[*node]).is_ok()));
        let asks_places = hand.is_some() || system.touches_at_points();
        let (mut positions, mut velocities) =
            if asks_places { (state.positions.clone(), state.velocities.clone()) } else { Default::default() };
        // Parts that are behind, and what of the next one is.
        let (mut number, mut begun) = (0, 0.0);
        while number < count {
            watch.check()?;
            taken.parts += 1;
            let time = state.time + f64::from(number) * parts.length + begun;
            let rest = parts.length - begun;
            let most = match (parts.speed, &self.minimiser) {
                (Some(speed), None) => {
                    laws::longest(laws::swings(points, &taken.cloud, interpolation(system)), speed, grid_spacing(system))
                }
                _ => rest,
            };
            // What is not a number is no shorter.
            let is_cut = most < rest * (1.0 - ROUNDED);
            let part = if is_cut { most.max(SHORTEST * parts.length).min(rest) } else { rest };
            let shares = [begun / parts.length, if is_cut { (begun + part) / parts.length } else { 1.0 }];
            let kept = &mut self.kept;
            let at = Part { time, length: part, moved: moved.part(number, count).within(shares) };
            if let Err(Lost(point)) = kept.renew((system, points), walls, (&mut taken.cloud, &taken.sides), at, taken.unsorted) {
                return Ok(Err(Failed::Lost(point)));
            }
            let mut extra = Vec::new();
            if asks_places {
                points.put(&taken.cloud, &mut positions, &mut velocities);
            }
            if let Some(hand) = hand {
                let mut pulled = vec![Vec3::zeros(); positions.len()];
                let gives = hand.add_explicit(&positions, &velocities, &system.masses, part, &mut pulled);
                taken.hand += part / (parts.length * f64::from(count)) * gives;
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
            taken.unsorted = match points.give_back(&mut taken.cloud, &kept.blocks, &mut kept.grid, part) {
                Whereabouts::Held => self.minimiser.is_some(),
                Whereabouts::Left => true,
                Whereabouts::Lost(point) => return Ok(Err(Failed::Lost(point))),
            };
            kept.follow_sides(&taken.cloud, &interpolation(system), &mut taken.sides);
            (number, begun) = if is_cut { (number, begun + part) } else { (number + 1, 0.0) };
        }
        Ok(Ok(taken))
    }

    /// A step of the points, beside bodies that `went` through theirs.
    fn step_points(
        &mut self,
        system: &System,
        state: &mut State,
        went: Option<&(State, StepStats)>,
        step_size: f64,
        watch: &dyn Watch,
    ) -> Result<StepStats, StepError> {
        let Some(points) = Points::of(system) else { return Ok(StepStats { time: state.time + step_size, ..StepStats::default() }) };
        let spacing = grid_spacing(system);
        let given = system.simulate.grid.substeps;
        let start = state.positions.clone();
        let moved = Moved::between(&start, went.map_or(&start, |(alone, _)| &alone.positions));
        let fastest = moved.fastest(system, step_size);
        let mut speed = 0.0;
        let mut parts = {
            let cloud = points.cloud(state);
            match &self.minimiser {
                None => {
                    let speeds = laws::speeds(&points, &cloud, spacing);
                    speed = larger(speeds.iter().sum(), fastest);
                    // Those that are chosen are cut again on the way, as points move on.
                    let swings = if given.is_some() { laws::swings(&points, &cloud, interpolation(system)) } else { 0.0 };
                    laws::substeps(given, step_size, (speed, swings), spacing)?
                }
                Some(_) => given.unwrap_or_else(|| laws::crossings(step_size, &cloud, fastest, spacing)),
            }
        };
        let mut doublings = 0;
        let before = self.memory.as_ref().filter(|_| system.touches_at_points()).map(ContactMemory::remembered);
        let mut taken = loop {
            let may_split = given.is_none() && doublings < DOUBLINGS;
            let at = Parts { count: parts, length: step_size / f64::from(parts), may_split, speed: given.is_none().then_some(speed) };
            let outcome = self.take(system, (state, moved), &points, at, watch);
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
        match went {
            Some((alone, _)) => bodies::put(system, alone, state),
            None => {
                for driven in &system.driven {
                    let (node, target) = (driven.node as usize, system.target(driven, state.time));
                    state.velocities[node] = (target - state.positions[node]) / step_size;
                    state.positions[node] = target;
                }
            }
        }
        points.remember(&taken.cloud, &mut state.points);
        state.points.sides.clone_from(&taken.sides);
        let force = self.net_forces(system, &points, &mut taken, step_size / f64::from(parts), state);
        // Of the bodies: what their own step says.
        let beside = went.map_or_else(StepStats::default, |(_, stats)| *stats);
        let contact = taken.touching.energy + beside.contact;
        let measured = measure::state(system, &state.positions, &state.velocities, contact, beside.pressure);
        let deformations = &state.points.deformations;
        let elastic = laws::energy(points.elements, deformations) + beside.elastic;
        let least = |gap: f64, of_bodies: f64| if went.is_some() { gap.min(of_bodies) } else { gap };
        Ok(StepStats {
            time: state.time,
            elastic,
            total: measured.kinetic + measured.gravity + measured.contact + measured.pressure + elastic,
            friction: self.dissipated.friction + beside.friction,
            damping: beside.damping,
            angular_momentum: measured.angular_momentum
                + points.spin(&state.points.affine, |p| state.positions[points.nodes[p][0] as usize], &interpolation(system)),
            residual: larger(largest_norm(&force) / system.largest_load(), beside.residual),
            substeps: taken.parts,
            iterations: taken.iterations + beside.iterations,
            halvings: taken.halvings + beside.halvings,
            unsettled: taken.unsettled + beside.unsettled,
            unsolved: beside.unsolved,
            linear_iterations: beside.linear_iterations,
            linear_residual: beside.linear_residual,
            inversions: laws::inversions(deformations) + beside.inversions,
            volume: laws::volume(points.elements, deformations) + beside.volume,
            couple: beside.couple,
            hand: taken.hand + beside.hand,
            wall_force: taken.pushed / step_size,
            contacts: taken.contacts + beside.contacts,
            contact_pairs: taken.touching.pairs + beside.contact_pairs,
            min_gap: least(taken.gaps[0], beside.min_gap),
            min_effective_gap: least(taken.gaps[1], beside.min_effective_gap),
            friction_lag: larger(taken.lag / system.largest_load(), beside.friction_lag),
            phases: beside.phases,
            ..measured
        })
    }

    /// [`set_net_forces`] in `state`, at the end of the parts that were `taken`, each of `part` [s], by the numbers of the points [N].
    fn net_forces(&mut self, system: &System, points: &Points, taken: &mut Taken, part: f64, state: &State) -> Vec<Vec3> {
        let time = state.time;
        let touching = match system.touches_at_points() {
            true => self.contacts(system).freeze(system, &state.positions, time).forces_on_nodes(&state.positions),
            false => Vec::new(),
        };
        let walls = self.walls.get_or_insert_with(|| walls::walls(system));
        let ahead: Vec<Vec3> = state.positions.iter().zip(&state.velocities).map(|(x, v)| x + part * v).collect();
        let at = Part { time, length: part, moved: Moved::between(&state.positions, &ahead) };
        if self.kept.renew((system, points), walls, (&mut taken.cloud, &taken.sides), at, taken.unsorted).is_err() {
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
        let bodies = Bodies::of(system, balance);
        let memory = bodies.is_none().then(|| ContactMemory::new(system, balance));
        *self = Self { memory, bodies, minimiser, ..Self::default() };
    }

    fn adapt(&mut self, _: &System) {
        self.walls = None;
        self.kept = Kept::default();
        self.memory.iter_mut().for_each(ContactMemory::adapt);
        self.bodies.iter_mut().for_each(Bodies::adapt);
    }

    fn step(&mut self, system: &mut System, state: &mut State, step_size: f64, watch: &dyn Watch) -> Result<StepStats, StepError> {
        watch.check()?;
        needs(self.name(), system)?;
        let clock = Instant::now();
        let mut bodies = self.bodies.take().or_else(|| Bodies::of(system, &Balance::default()));
        let carried = bodies.as_ref().map(Bodies::carried);
        let went = bodies.as_mut().map(|bodies| bodies.step(system, state, step_size, watch)).transpose();
        self.bodies = bodies;
        let went = went?;
        let stats = self.step_points(system, state, went.as_ref(), step_size, watch);
        if let (Err(_), Some(bodies), Some(carried)) = (&stats, &mut self.bodies, carried) {
            bodies.go_back(carried);
        }
        let seconds = clock.elapsed().as_secs_f64();
        let mut stats = stats?;
        stats.seconds = seconds;
        stats.phases.total = seconds;
        Ok(stats)
    }

    fn contacts(&mut self, system: &System) -> &mut ContactMemory {
        if self.bodies.is_none() && self.memory.is_none() {
            self.bodies = Bodies::of(system, &Balance::default());
        }
        match &mut self.bodies {
            Some(bodies) => bodies.contacts(system),
            None => self.memory.get_or_insert_with(|| ContactMemory::new(system, &Balance::default())),
        }
    }

    fn contact_force_on_nodes(&mut self, system: &System, state: &State) -> Vec<Vec3> {
        let is_at_nodes = !system.touches_at_points();
        let mut forces = match is_at_nodes && !system.goes_one_way() {
            true => vec![Vec3::zeros(); state.positions.len()],
            false => self.contacts(system).freeze(system, &state.positions, state.time).forces_on_nodes(&state.positions),
        };
        if is_at_nodes {
            set_wall_forces(system, state, &mut forces);
        }
        forces
    }

    fn contact_force_on_vertices(&mut self, system: &System, state: &State) -> Vec<Vec3> {
        self.contact_force_on_nodes(system, state)
    }

    /// None that one could point at where walls act on the nodes of the grid: those of the bodies beside the points then.
    fn contact_forces(&mut self, system: &System, state: &State) -> Vec<ContactForce> {
        match (system.touches_at_points(), &mut self.bodies) {
            (true, _) => self.contacts(system).freeze(system, &state.positions, state.time).forces(&state.positions),
            (false, Some(bodies)) => bodies.contact_forces(system, state),
            (false, None) => Vec::new(),
        }
    }
}
