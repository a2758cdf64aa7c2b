//! Scene -> [`System`]: masses, loads, constraints and families of elements over one node space.

mod beside;
pub mod build;
mod contact_space;
pub mod describe;
pub mod entrance;
pub mod equality;
pub mod gust;
pub mod hand;
pub mod kept;
pub mod loads;
pub mod mass;
pub mod motion;
pub mod pressure;
pub mod probe;

pub use entrance::Entrance;
pub use equality::Equality;
pub use gust::Gust;
pub use hand::Hand;
pub use kept::Kept;
pub use loads::Loads;
pub use mass::Mass;
pub use motion::{DrivenNode, Motion};

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::bodies::particles::ParticleMatter;
use crate::bodies::{InternalNode, Matter};
pub use crate::contact::TouchPair;
use crate::contact::obstacle::PlacedObstacle;
use crate::contact::surface::CollisionSurface;
use crate::element::{Batch, Family, MaterialPoint};
use crate::linear::NodeMatrixPattern;
use crate::math::{Mat3, Vec3};
use crate::memory::TooLarge;
use crate::mesh::inside::Inside;
use crate::mesh::{BodyMesh, MassCouplings};
use crate::scene::{ContactSettings, GridContact, InitialiseSettings, SimulateSettings};

/// Everything that is balanced and stepped. Its nodes are the vertices of all bodies, then their internal nodes, then the vertices of the
/// obstacles that are meshes.
#[derive(Default)]
pub struct System {
    /// The shape that the artist gave: the positions to be held [m].
    pub positions: Vec<Vec3>,
    /// The naive rest shape where it is not the given one: one position for each node [m], or none at all.
    pub rest: Vec<Vec3>,
    /// Lumped masses [kg], computed from the naive rest shape; no rest state changes them. Vertices of obstacles have none.
    pub masses: Vec<f64>,
    /// What internal nodes are, in the order of the nodes ([`System::internal_nodes`]): they have no place, so that gravity, contact and
    /// measures of places pass over them.
    pub internal: Vec<InternalNode>,
    /// What couples nodes in the mass matrix of bodies whose mass is consistent.
    pub mass_couplings: MassCouplings,
    /// Nodes without an equation of balance: held, driven, of an obstacle, or of a body that has not come in yet.
    pub fixed: Vec<bool>,
    /// Nodes that may move along a plane or a line only, ascending, each with the projector onto its directions.
    pub slides: Vec<(u32, Mat3)>,
    /// Nodes whose motion is prescribed, ascending; they are `fixed` too.
    pub driven: Vec<DrivenNode>,
    /// The motions of the driven nodes.
    pub motions: Vec<Motion>,
    /// Bodies that come in later, in order of time.
    pub entrances: Vec<Entrance>,
    /// How many of them have come in.
    pub entered: usize,
    /// The time [s] as of which obstacles that are surfaces are there or taken away.
    pub obstacles_at: f64,
    /// Equalities between nodes that hold at all times; small systems only.
    pub equalities: Vec<Equality>,
    /// Velocities at time zero [m/s]; empty, or one for each node.
    pub initial_velocities: Vec<Vec3>,
    /// Acceleration of gravity [m/s^2].
    pub gravity: Vec3,
    /// Loads besides gravity.
    pub loads: Loads,
    /// A gust that somebody let loose while time goes on; it counts in steps alone.
    pub gust: Option<Gust>,
    /// A hand that pulls while time goes on; it counts in steps alone.
    pub hand: Option<Hand>,
    /// What each particle carries in the balance: pressure times volume [J], by nodes; empty where none was solved.
    pub carried: Vec<f64>,
    /// Families of elements.
    pub families: Vec<Box<dyn Family>>,
    /// Where each body lies in the node and element numbering.
    pub bodies: Vec<PlacedBody>,
    /// Springs between bodies; they are elements of none.
    pub attachments: Vec<Attachment>,
    /// Obstacles that are surfaces of triangles: their vertices are the last of the nodes.
    pub mesh_obstacles: Vec<MeshObstacle>,
    /// Rigid obstacles, in the order of the scene. Those that are surfaces of triangles have no pairs.
    pub obstacles: Vec<PlacedObstacle>,
    /// The surfaces of all bodies, in order, then of all obstacles that are surfaces of triangles, and what may touch what.
    pub surface: CollisionSurface,
    /// Every (surface node, obstacle) pair that may touch by signed distance, ordered by node, then obstacle.
    pub pairs: Vec<TouchPair>,
    /// Those of material points beside bodies that they meet one way, whose contacts must not depend on them.
    pub point_pairs: Vec<TouchPair>,
    /// Diagonal of the bounding box of the bodies in the given shape [m]; where material points meet bodies one way, of these alone, for contact distances are
    /// shares of it.
    pub diagonal: f64,
    /// Contact settings of the scene.
    pub contact: ContactSettings,
    /// Initialisation settings of the scene.
    pub initialise: InitialiseSettings,
    /// Time stepping settings of the scene.
    pub simulate: SimulateSettings,
    /// The keys of the scene on which a prepared state depends ([`crate::bodies::keys::with_effect`]); empty without a scene.
    pub scene_keys: String,
    /// Memory that solvers may take beyond what is taken already [bytes]; where none is given, what the machine has.
    pub memory_limit: Option<u64>,
    /// Pattern of node matrices, made when first asked for.
    pub pattern: OnceLock<Arc<NodeMatrixPattern>>,
    /// The same without material points.
    pub pattern_without_points: OnceLock<Arc<NodeMatrixPattern>>,
    /// What this system has in common with those that were built before it, and since.
    pub kept: Option<Arc<kept::Common>>,
}

/// A body inside a [`System`].
#[derive(Debug, Clone)]
pub struct PlacedBody {
    /// Name in the scene.
    pub name: String,
    /// Its vertices, as nodes of the system.
    pub nodes: Range<usize>,
    /// Its internal nodes.
    pub internal: Range<usize>,
    /// Its elements; those of its cells come first, if it [has such](Matter::has_cell_elements).
    pub spans: Vec<Span>,
    /// Its mesh as placed in the scene; indices count from the body's first node.
    pub mesh: BodyMesh,
    /// What its cells are made of.
    pub matter: Arc<dyn Matter>,
}

/// Elements that follow one another in a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Index into [`System::families`].
    pub family: usize,
    /// Elements of the family.
    pub elements: Range<usize>,
}

/// Springs from a region to another body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// The body of the region, as an index into [`System::bodies`].
    pub body: usize,
    /// Name of the region.
    pub region: String,
    /// The springs.
    pub span: Span,
}

/// An obstacle that touches as a surface.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshObstacle {
    /// Index into [`System::obstacles`].
    pub obstacle: u32,
    /// Its vertices, as nodes of the system.
    pub nodes: Range<usize>,
    /// Its triangles, by nodes of the system; none of something round.
    pub triangles: Vec<[u32; 3]>,
    /// Of something round: how far it reaches around the chain of its nodes [m].
    pub radius: Option<f64>,
    /// What material points meet by its distance where the shape has none of its own: of closed triangles, as they were given.
    pub inside: Option<Arc<Inside>>,
    /// How thick that is [m], as [`Inside::thickness`] has it; infinite without an inside.
    pub thickness: f64,
    /// The motion that it follows, if it moves.
    pub motion: Option<u32>,
}

impl PlacedBody {
    /// The elements that its cells are; none where no cell is one.
    pub fn cell_span(&self) -> Option<&Span> {
        self.spans.first().filter(|_| self.matter.has_cell_elements())
    }

    /// The elements that are none of its cells.
    pub fn further_spans(&self) -> &[Span] {
        &self.spans[usize::from(self.cell_span().is_some())..]
    }

    /// The elements of its cells, in their family.
    pub fn cells(&self) -> Range<usize> {
        self.cell_span().map_or(0..0, |span| span.elements.clone())
    }

    /// The place of an element among those of the body; `None` if it is none of them.
    pub fn place_of(&self, family: usize, element: usize) -> Option<usize> {
        let mut before = 0;
        for span in &self.spans {
            if span.family == family && span.elements.contains(&element) {
                return Some(before + element - span.elements.start);
            }
            before += span.elements.len();
        }
        None
    }
}

impl System {
    /// The bodies of particles.
    pub fn particles(&self) -> impl Iterator<Item = (&PlacedBody, &ParticleMatter)> {
        self.bodies.iter().filter_map(|body| Some((body, body.matter.particles()?)))
    }

    /// Those of them that are a fluid.
    pub fn fluids(&self) -> impl Iterator<Item = (&PlacedBody, &ParticleMatter)> {
        self.particles().filter(|(_, matter)| !matter.is_of_points())
    }

    /// The material points of all bodies, as the one family that they are; `None` where there are none.
    pub fn points(&self) -> Option<&Batch<MaterialPoint, 1, 6>> {
        self.families.iter().find_map(|family| family.points()).filter(|points| !points.elements.is_empty())
    }

    /// The number of an element where all are counted, one family after the other.
    pub fn element_number(&self, family: usize, element: usize) -> usize {
        self.families[..family].iter().map(|family| family.len()).sum::<usize>() + element
    }

    /// The numbers of a span's elements, as [`System::element_number`] counts.
    pub fn element_numbers(&self, span: &Span) -> Range<usize> {
        let first = self.element_number(span.family, span.elements.start);
        first..first + span.elements.len()
    }

    /// Values of elements, counted as by [`System::element_number`], as the mean at each node over the elements of its body that meet there
    /// and have one; NaN where none has.
    pub fn on_nodes(&self, values: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.positions.len()];
        let mut count = vec![0.0; self.positions.len()];
        for span in self.bodies.iter().flat_map(|body| &body.spans) {
            let family = &self.families[span.family];
            let numbered = span.elements.clone().zip(&values[self.element_numbers(span)]);
            for (element, value) in numbered.filter(|(_, value)| !value.is_nan()) {
                for &node in family.nodes(element) {
                    sum[node as usize] += value;
                    count[node as usize] += 1.0;
                }
            }
        }
        self.spread_from_internal(&mut sum, &mut count);
        sum.iter().zip(&count).map(|(sum, count)| sum / count).collect()
    }

    /// Adds sums and counts of internal nodes to those of their vertices, where only internal nodes have any.
    fn spread_from_internal(&self, sum: &mut [f64], count: &mut [f64]) {
        let is_theirs = self.internal.iter().all(|internal| internal.vertices.iter().all(|&vertex| count[vertex as usize] == 0.0));
        for (node, internal) in self.internal_nodes().zip(&self.internal).filter(|_| is_theirs) {
            for &vertex in &internal.vertices {
                sum[vertex as usize] += sum[node];
                count[vertex as usize] += count[node];
            }
        }
    }

    /// Where a node is in the given shape: of an internal one, between its vertices [m].
    pub fn place_of(&self, node: u32) -> Vec3 {
        let at = |node: u32| self.positions[node as usize];
        let internal = (node as usize).checked_sub(self.body_nodes()).and_then(|index| self.internal.get(index));
        internal.map_or_else(|| at(node), |internal| 0.5 * (at(internal.vertices[0]) + at(internal.vertices[1])))
    }

    /// Gives every element this stiffness-proportional damping [s].
    pub fn set_damping(&mut self, damping: f64) {
        self.families.iter_mut().for_each(|family| family.set_damping(damping));
    }

    /// Whether material points meet obstacles by themselves, and not by the nodes of their grid.
    pub fn touches_at_points(&self) -> bool {
        self.simulate.grid.contact == GridContact::Points
    }

    /// Number of vertices of bodies, which are the first nodes.
    pub fn body_nodes(&self) -> usize {
        self.internal_nodes().start
    }

    /// The internal nodes of all bodies, which come after their vertices; the vertices of obstacles come last.
    pub fn internal_nodes(&self) -> Range<usize> {
        let end = self.mesh_obstacles.first().map_or(self.positions.len(), |obstacle| obstacle.nodes.start);
        end - self.internal.len()..end
    }

    /// Whether some body has a naive rest shape that is not its given one: a rest mesh, or a sewing pattern.
    pub fn has_own_rest(&self) -> bool {
        !self.rest.is_empty() || self.bodies.iter().any(|body| body.mesh.pattern.is_some())
    }

    /// The rest shape of a naive initialisation: of the rest meshes of bodies that have one, else the given shape [m].
    pub fn naive_rest(&self) -> &[Vec3] {
        if self.rest.is_empty() { &self.positions } else { &self.rest }
    }

    /// Lumped masses of all nodes [kg] with the rest shape `rest` [m].
    pub fn masses_at(&self, rest: &[Vec3]) -> Vec<f64> {
        let mut masses = vec![0.0; rest.len()];
        for body in &self.bodies {
            let of = body.matter.masses(&body.mesh, &rest[body.nodes.clone()]);
            masses[body.nodes.clone()].copy_from_slice(&of);
            let internal = body.matter.internal_nodes(&body.mesh, &rest[body.nodes.clone()]);
            masses[body.internal.clone()].iter_mut().zip(&internal).for_each(|(mass, node)| *mass = node.mass);
        }
        masses
    }

    /// Nodes of all tets of all bodies.
    pub fn tets(&self) -> Vec<[u32; 4]> {
        let placed = |body: &PlacedBody| {
            let first = body.nodes.start as u32;
            body.mesh.tets().iter().map(move |tet| tet.map(|vertex| vertex + first)).collect::<Vec<_>>()
        };
        self.bodies.iter().flat_map(placed).collect()
    }

    /// Pattern of matrices on the free nodes: its order and symbolic factorisation are found once, and shared.
    pub fn pattern(&self) -> Arc<NodeMatrixPattern> {
        Arc::clone(self.pattern.get_or_init(|| {
            let free: Vec<bool> = self.fixed.iter().map(|fixed| !fixed).collect();
            let of_elements = match &self.kept {
                Some(kept) => kept.patterns.of(&free, &self.families),
                None => Arc::new(NodeMatrixPattern::new(&free, &self.families)),
            };
            // Elements couple what cells do, unless a program has cells without elements.
            of_elements.holding(self.mass_couplings.pairs()).map_or(of_elements, Arc::new)
        }))
    }

    /// An error if `what` takes more than there is, with what is kept of other systems let go where it must be.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn ensure_room(&self, what: &'static str, pattern: &NodeMatrixPattern, bytes: u64) -> Result<(), TooLarge> {
        let ensure = || pattern.ensure_room(what, bytes, self.memory_limit);
        let is_let_go = || self.kept.as_ref().is_some_and(|kept| kept.global_stage.clear());
        ensure().or_else(|too_large| if is_let_go() { ensure() } else { Err(too_large) })
    }

    /// Memory that one symmetric factorisation in `pattern` takes, with the blocks and matrices that it is made from [bytes].
    pub fn factorisation_bytes(&self, pattern: &NodeMatrixPattern) -> u64 {
        pattern.factor_bytes() + self.block_bytes()
    }

    /// Memory of the blocks of all elements [bytes].
    pub fn block_bytes(&self) -> u64 {
        let blocks: usize = self.families.iter().map(|family| family.len() * family.nodes_per_element().pow(2)).sum();
        (blocks * size_of::<Mat3>()) as u64
    }

    /// Where a driven node is to be at `time` [s].
    pub fn target(&self, driven: &DrivenNode, time: f64) -> Vec3 {
        let motion = &self.motions[driven.motion as usize];
        let node = driven.node as usize;
        match node.checked_sub(self.body_nodes()).and_then(|index| self.internal.get(index)) {
            Some(internal) => 4.0 * internal.arm * motion.turn(time),
            None => motion.displaced(&self.positions[node], time),
        }
    }

    /// Takes out of nodal vectors what supports hold: all of it on fixed nodes, the part across on nodes that slide.
    pub fn take_supported(&self, vectors: &mut [Vec3]) {
        for (vector, _) in vectors.iter_mut().zip(&self.fixed).filter(|(_, fixed)| **fixed) {
            *vector = Vec3::zeros();
        }
        for (node, allowed) in &self.slides {
            vectors[*node as usize] = allowed * vectors[*node as usize];
        }
    }

    /// Largest load on a free node [N], by which residuals are measured: in the given shape at rest at time zero, or its weight if that
    /// is more; where nothing loads it then, when all loads have grown to their full size; 1 where there is none.
    /// Bodies that are not there have none. What supports carry is no measure: a heavy base would hide what is out of balance on it.
    pub fn largest_load(&self) -> f64 {
        let away: Vec<&Range<usize>> = self.away().map(|body| &body.nodes).collect();
        let is_there = |n: &usize| !self.fixed[*n] && !away.iter().any(|nodes| nodes.contains(n));
        let largest = |loads: &[Vec3]| (0..loads.len()).filter(is_there).map(|n| loads[n].norm()).fold(0.0, f64::max);
        let weight = self.gravity.norm() * (0..self.body_nodes()).filter(is_there).map(|n| self.masses[n]).fold(0.0, f64::max);
        if self.loads.is_empty() {
            return if weight > 0.0 { weight } else { 1.0 };
        }
        let sizes = [weight.max(largest(&self.loads())), largest(&self.settled_loads())];
        sizes.into_iter().find(|size| *size > 0.0).unwrap_or(1.0)
    }

    /// Sum of the sizes of all loads times the diagonal [N m], by which net torques are measured; with no load the largest load's unit.
    pub fn torque_unit(&self) -> f64 {
        let loads: f64 = self.settled_loads().iter().map(Vec3::norm).sum();
        self.diagonal * if loads > 0.0 { loads } else { self.largest_load() }
    }

    /// External force on each node [N] in the given shape at rest, when all loads have grown to their full size.
    pub fn settled_loads(&self) -> Vec<Vec3> {
        self.loads_at_rest(self.loads.settled())
    }

    /// Memory for the element Hessians of all families, laid out as by [`crate::element::Potential::hessian_blocks`].
    pub fn block_memory(&self) -> Vec<Vec<Mat3>> {
        // The system hands memory out as it is first written: by all threads.
        let zeros = |count: usize| (0..count).into_par_iter().with_min_len(4096).map(|_| Mat3::zeros()).collect();
        self.families.iter().map(|family| zeros(family.len() * family.nodes_per_element().pow(2))).collect()
    }

    /// Tells lagged laws that a step starts at `x`, or that a state is put there.
    pub fn lag(&mut self, x: &[Vec3]) {
        self.families.iter_mut().for_each(|family| family.lag(x));
    }

    /// Fills the element Hessians of all families at `x` [N/m].
    pub fn fill_blocks(&self, x: &[Vec3], projected: bool, blocks: &mut [Vec<Mat3>]) {
        for (family, blocks) in self.families.iter().zip(blocks) {
            family.hessian_blocks(x, projected, blocks);
        }
    }

    /// External force on each node [N] in the given shape at rest, at time zero.
    pub fn loads(&self) -> Vec<Vec3> {
        self.loads_at_rest(0.0)
    }

    /// Writes the external force on each node [N] at positions `x` [m], velocities `v` [m/s] and `time` [s]: gravity,
    /// tractions, pressures and wind.
    pub fn loads_at(&self, x: &[Vec3], v: &[Vec3], time: f64, out: &mut Vec<Vec3>) {
        self.weights(out);
        self.loads.add_forces(x, v, time, out);
        self.add_gust(x, v, time, out);
    }

    /// [`System::loads_at`] without pressures: implicit steppers ask at the start of a step and keep the forces throughout it.
    pub fn steady_loads_at(&self, x: &[Vec3], v: &[Vec3], time: f64, out: &mut Vec<Vec3>) {
        self.weights(out);
        self.loads.add_forces_without_pressure(x, v, time, out);
        self.add_gust(x, v, time, out);
    }

    fn weights(&self, out: &mut Vec<Vec3>) {
        out.clear();
        out.extend(self.masses.iter().map(|&m| m * self.gravity));
        // They have no place that gravity could lower.
        self.internal_nodes().filter(|&n| n < self.masses.len()).for_each(|n| out[n] = Vec3::zeros());
    }

    fn loads_at_rest(&self, time: f64) -> Vec<Vec3> {
        let mut loads = Vec::new();
        let still = if self.loads.is_empty() { Vec::new() } else { vec![Vec3::zeros(); self.positions.len()] };
        self.weights(&mut loads);
        self.loads.add_forces(&self.positions, &still, time, &mut loads);
        loads
    }
}
