//! What stays the same while a scene is simulated: names, topology, the given shape.

use std::ops::Range;
use std::sync::Arc;

use aplomb_sim::element;
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::{BodyMesh, Cells};
use aplomb_sim::scene::Obstacle;
use aplomb_sim::step::{STEPPERS, Unsupported, mpm};
use aplomb_sim::system::{PlacedBody, Span, System};
use rayon::prelude::*;

use super::node_fields::{Forces, Moment, NODE_FIELDS, largest};
use super::{ContactPoint, Field, ModelSkin, RunId, Snapshot};
use aplomb_sim::simulation::Simulation;

/// How many of the forces that nothing balances are shown.
const UNBALANCED: usize = 50;

/// The parts of a loaded scene that the editor draws and counts.
#[derive(Debug)]
pub struct Model {
    /// The load that it belongs to.
    pub run: RunId,
    /// Bodies, as in the scene.
    pub bodies: Vec<ModelBody>,
    /// Springs between bodies.
    pub attachments: Vec<ModelAttachment>,
    /// Obstacles that are surfaces of triangles.
    pub surfaces: Vec<ModelSurface>,
    /// Positions of all nodes in the given shape [m]: those of bodies, then those of surfaces.
    pub positions: Arc<[Vec3]>,
    /// Nodes of bodies.
    pub body_nodes: usize,
    /// Diagonal of the bounding box of the given shape [m].
    pub diagonal: f64,
    /// Whether some elements can be asked to push less.
    pub tells_pushes: bool,
    /// Why some steppers cannot step it.
    pub refused: Vec<Unsupported>,
    /// Edge of a cell of the grid on which material points move [m], where there are some.
    pub cells: Option<f64>,
}

/// A body of a [`Model`].
#[derive(Debug)]
pub struct ModelBody {
    /// Name in the scene.
    pub name: String,
    /// Its nodes.
    pub nodes: Range<usize>,
    /// The elements of its cells.
    pub elements: Range<usize>,
    /// Its other elements, such as those across an edge.
    pub further: Vec<FurtherElements>,
    /// Its mesh, as placed.
    pub mesh: Arc<BodyMesh>,
    /// The triangles that are seen of it, counted from its first node.
    pub triangles: Arc<[[u32; 3]]>,
    /// The lines that are seen of it, counted from its first node; of points, both ends are the same.
    pub lines: Arc<[[u32; 2]]>,
    /// The surface that it was made of, if it was made of one.
    pub skin: Option<ModelSkin>,
}

impl ModelBody {
    /// What is seen and painted of it: the artist's surface, or with `tets` the outside of its tets, when the nodes of the model
    /// are at `positions` [m].
    pub fn surface(&self, positions: &Arc<[Vec3]>, tets: bool) -> Arc<[Vec3]> {
        match self.skin.as_ref().filter(|_| !tets) {
            Some(_) => super::follow(&self.mesh, &positions[self.nodes.clone()]),
            None if self.nodes.len() == positions.len() => Arc::clone(positions),
            None => positions[self.nodes.clone()].into(),
        }
    }

    /// The triangles of what is seen.
    pub fn surface_triangles(&self, tets: bool) -> &Arc<[[u32; 3]]> {
        self.skin.as_ref().filter(|_| !tets).map_or(&self.triangles, |skin| &skin.triangles)
    }

    /// Number of vertices of what is seen.
    pub fn surface_vertices(&self, tets: bool) -> usize {
        self.skin.as_ref().filter(|_| !tets).map_or(self.mesh.positions.len(), |skin| skin.positions.len())
    }

    /// The node of the body, counted from its first, that a vertex of what is seen is, or hangs by most.
    pub fn node_of(&self, vertex: u32, tets: bool) -> u32 {
        let Some(skin) = self.mesh.skin.as_ref().filter(|_| !tets) else { return vertex };
        let place = vertex as usize;
        let (Some(tet), Some(weights)) = (skin.tets.get(place), skin.weights.get(place)) else { return 0 };
        let corner = (0..4).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap_or(0);
        self.mesh.tets().get(*tet as usize).map_or(0, |tet| tet[corner])
    }

    /// A field of the model on what is seen.
    pub fn on_surface(&self, values: &Arc<[f64]>, tets: bool) -> Arc<[f64]> {
        match self.skin.as_ref().filter(|_| !tets) {
            Some(_) => super::on_skin(&self.mesh, &values[self.nodes.clone()]),
            None if self.nodes.len() == values.len() => Arc::clone(values),
            None => values[self.nodes.clone()].into(),
        }
    }
}

impl ModelBody {
    /// `body` of `system`; of the body `before` what is the same.
    fn after(before: Option<&Self>, system: &System, body: &PlacedBody) -> Self {
        let same = before.filter(|before| *before.mesh == body.mesh);
        let skin = || ModelSkin::of(&body.mesh);
        Self {
            name: body.name.clone(),
            nodes: body.nodes.clone(),
            elements: body.cell_span().map_or(0..0, |span| system.element_numbers(span)),
            further: body.further_spans().iter().map(|span| FurtherElements::of(system, span)).collect(),
            triangles: same.map_or_else(|| seen_triangles(&body.mesh).into(), |same| Arc::clone(&same.triangles)),
            lines: same.map_or_else(|| seen_lines(&body.mesh).into(), |same| Arc::clone(&same.lines)),
            skin: same.map_or_else(skin, |same| same.skin.clone()),
            mesh: same.map_or_else(|| Arc::new(body.mesh.clone()), |same| Arc::clone(&same.mesh)),
        }
    }
}

/// Elements of a body beside those of its cells.
#[derive(Debug)]
pub struct FurtherElements {
    /// They themselves.
    pub elements: Range<usize>,
    /// The nodes of all, one element after the other.
    pub nodes: Vec<u32>,
}

/// Springs between bodies of a [`Model`].
#[derive(Debug)]
pub struct ModelAttachment {
    /// They themselves, as elements.
    pub elements: Range<usize>,
    /// The nodes of each.
    pub ends: Vec<[u32; 2]>,
}

/// An obstacle of a [`Model`] that is a surface.
#[derive(Debug)]
pub struct ModelSurface {
    /// Its place among the obstacles of the scene.
    pub obstacle: usize,
    /// What the scene said of it.
    pub authored: Obstacle,
    /// Its nodes.
    pub nodes: Range<usize>,
    /// Its triangles, counted from its first node; none of something round.
    pub triangles: Arc<[[u32; 3]]>,
    /// Of something round: how far it reaches around the chain of its nodes [m].
    pub radius: Option<f64>,
    /// Whether one looks into it.
    pub open: bool,
}

/// Of a body of lines or points the surface that they may lie on is not seen.
fn seen_triangles(mesh: &BodyMesh) -> Vec<[u32; 3]> {
    match mesh.cells {
        Cells::Tets(_) | Cells::Triangles(_) => mesh.surface.clone(),
        Cells::Lines(_) | Cells::Points(_) => Vec::new(),
    }
}

fn seen_lines(mesh: &BodyMesh) -> Vec<[u32; 2]> {
    match &mesh.cells {
        Cells::Tets(_) | Cells::Triangles(_) => Vec::new(),
        Cells::Lines(lines) => lines.clone(),
        Cells::Points(points) => points.iter().map(|[point]| [*point; 2]).collect(),
    }
}

/// Whether some edge has a triangle on one side only.
pub fn is_open(triangles: &[[u32; 3]]) -> bool {
    let mut edges: Vec<(u32, u32)> = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    edges.sort_unstable();
    edges.iter().any(|&(a, b)| edges.binary_search(&(b, a)).is_err())
}

impl FurtherElements {
    fn of(system: &System, span: &Span) -> Self {
        let nodes = |e: usize| system.families[span.family].nodes(e).iter().copied();
        Self { elements: system.element_numbers(span), nodes: span.elements.clone().flat_map(nodes).collect() }
    }

    fn nodes_of(&self, element: usize) -> Option<&[u32]> {
        let width = self.nodes.len().checked_div(self.elements.len())?;
        let place = element.checked_sub(self.elements.start)?;
        self.nodes.get(width * place..width * (place + 1))
    }
}

impl ModelAttachment {
    fn of(system: &System, span: &Span) -> Self {
        let nodes = |e: usize| system.families[span.family].nodes(e).try_into().ok();
        Self { elements: system.element_numbers(span), ends: span.elements.clone().filter_map(nodes).collect() }
    }
}

impl Model {
    /// The bodies that have some of these elements (ascending) as cells, and those by their place in the body.
    pub fn cells_among(&self, elements: &[u32]) -> impl Iterator<Item = (usize, Vec<u32>)> {
        let cells = move |body: &ModelBody| {
            let from = elements.partition_point(|&e| (e as usize) < body.elements.start);
            let to = elements.partition_point(|&e| (e as usize) < body.elements.end);
            elements[from..to].iter().map(|&e| e - body.elements.start as u32).collect::<Vec<u32>>()
        };
        self.bodies.iter().map(cells).enumerate().filter(|(_, cells)| !cells.is_empty())
    }

    /// The unchanging parts of `system`, which was made of a scene with these obstacles.
    pub fn of(system: &System, obstacles: &[Obstacle], run: RunId) -> Self {
        Self::after(None, system, obstacles, run)
    }

    /// [`Model::of`], with what is the same in the model before it, so that what was made for that need not be made again.
    pub fn after(before: Option<&Self>, system: &System, obstacles: &[Obstacle], run: RunId) -> Self {
        let known = |b: usize| before.and_then(|before| before.bodies.get(b));
        let surfaces = system.mesh_obstacles.iter().filter_map(|surface| {
            let first = surface.nodes.start as u32;
            Some(ModelSurface {
                obstacle: surface.obstacle as usize,
                authored: obstacles.get(surface.obstacle as usize)?.clone(),
                nodes: surface.nodes.clone(),
                triangles: surface.triangles.iter().map(|triangle| triangle.map(|node| node - first)).collect(),
                radius: surface.radius,
                open: is_open(&surface.triangles),
            })
        });
        let positions = before.map(|before| &before.positions).filter(|positions| positions[..] == system.positions[..]);
        Self {
            run,
            bodies: system.bodies.iter().enumerate().map(|(b, body)| ModelBody::after(known(b), system, body)).collect(),
            attachments: system.attachments.iter().map(|attachment| ModelAttachment::of(system, &attachment.span)).collect(),
            surfaces: surfaces.collect(),
            positions: positions.map_or_else(|| system.positions.clone().into(), Arc::clone),
            body_nodes: system.body_nodes(),
            diagonal: system.diagonal,
            tells_pushes: system.families.iter().any(|family| family.tells_pushes() && family.len() > 0),
            cells: system.points().map(|_| mpm::grid_spacing(system)),
            refused: STEPPERS.iter().filter_map(|stepper| (stepper.needs)(system).err()).collect(),
        }
    }

    /// How many elements there are.
    pub fn elements(&self) -> usize {
        let of_bodies =
            self.bodies.iter().map(|body| body.elements.len() + body.further.iter().map(|more| more.elements.len()).sum::<usize>());
        of_bodies.sum::<usize>() + self.attachments.iter().map(|attachment| attachment.elements.len()).sum::<usize>()
    }

    /// The nodes of an element.
    pub fn nodes_of(&self, element: usize) -> Option<Vec<usize>> {
        if let Some(attachment) = self.attachments.iter().find(|attachment| attachment.elements.contains(&element)) {
            return Some(attachment.ends[element - attachment.elements.start].map(|node| node as usize).into());
        }
        if let Some(nodes) = self.bodies.iter().flat_map(|body| &body.further).find_map(|further| further.nodes_of(element)) {
            return Some(nodes.iter().map(|&node| node as usize).collect());
        }
        let body = self.bodies.iter().find(|body| body.elements.contains(&element))?;
        let cell = body.mesh.cells.get(element - body.elements.start)?;
        Some(cell.iter().map(|&vertex| body.nodes.start + vertex as usize).collect())
    }

    /// Everything that can be drawn of `simulation` now, which is at `frame`.
    pub fn snapshot(&self, simulation: &mut Simulation, frame: u64) -> Snapshot {
        let (net, pressure) = (simulation.net_forces(), simulation.contact_pressure());
        let contacts = simulation.contact_forces();
        let forces = Forces { net: &net, largest_load: simulation.system.largest_load(), pressure };
        let state = &simulation.state;
        let mut snapshot = self.moment(simulation, frame, state.time, state.positions.clone(), Some(&state.velocities), Some(forces));
        snapshot.contacts = contacts.iter().map(|c| ContactPoint { point: c.point, normal: c.normal, force: c.force }).collect();
        snapshot
    }

    /// What can be drawn of a recorded frame of `simulation`: all that its positions tell, and its `velocities` where they are known.
    pub fn recorded(&self, simulation: &Simulation, frame: u64, time: f64, positions: Vec<Vec3>, velocities: Option<&[Vec3]>) -> Snapshot {
        self.moment(simulation, frame, time, positions, velocities, None)
    }

    fn moment(
        &self,
        simulation: &Simulation,
        frame: u64,
        time: f64,
        positions: Vec<Vec3>,
        velocities: Option<&[Vec3]>,
        forces: Option<Forces<'_>>,
    ) -> Snapshot {
        let given = simulation.given_fields();
        let is_given = !given.is_empty() && positions == simulation.system.positions;
        let elements = if is_given {
            given.to_vec()
        } else if positions == simulation.state.positions {
            simulation.fields()
        } else {
            element::fields(&simulation.system.families, &positions)
        };
        let system = &simulation.system;
        let mut fields: Vec<Field> = { elements }
            .into_par_iter()
            .map(|field| {
                let finite = || field.values.iter().copied().filter(|value| value.is_finite());
                let ends = finite().reduce(f64::min).zip(finite().reduce(f64::max));
                let values = system.on_nodes(&field.values).into();
                Field { kind: field.kind, values, elements: field.values.into(), of_elements: ends }
            })
            .collect();
        let at = Moment { given: &self.positions, positions: &positions, velocities, forces, body_nodes: self.body_nodes };
        let of_nodes = NODE_FIELDS.iter().filter_map(|field| Some((&field.kind, field.values(&at)?)));
        fields.extend(of_nodes.map(|(kind, values)| Field { kind, values: values.into(), elements: Arc::new([]), of_elements: None }));
        let unbalanced = largest(&at, UNBALANCED).into();
        Snapshot { run: self.run, frame, time, positions: positions.into(), fields, contacts: Arc::new([]), unbalanced, place: None }
    }
}
