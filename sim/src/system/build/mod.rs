//! [`Scene`] -> [`System`]: meshes read and placed, materials by region, masses, constraints, loads, and what may touch.

mod attachments;
pub(super) mod clearance;
mod constraints;
mod crowding;
mod equalities;
mod face_loads;
mod insets;
mod overlap;
mod points_in;
mod surfaces;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod thick_tests;
mod thickness;

use std::path::Path;
use std::sync::Arc;

use self::attachments::Attached;
use self::clearance::{Meetings, meetings, touching_distance};
use self::face_loads::wind;
use super::kept::{Near, Nearness};
use super::probe;
use super::{Attachment, DrivenNode, Kept, Loads, Motion, PlacedBody, Span, System, TouchPair};
use crate::bodies::keys;
use crate::bodies::particles::ParticleMatter;
use crate::bodies::select::{check_region, fingerprint, region_cells, region_faces, region_vertices};
use crate::bodies::stiffness::check_field;
use crate::bodies::{Matter, Misplaced, PlacedMesh, body_kind, place};
use crate::contact::clear::way_out;
use crate::contact::distance::placed;
use crate::contact::obstacle::PlacedObstacle;
use crate::element::{Unattainable, join};
use crate::math::{Vec3, bounding_diagonal};
use crate::mesh::BodyMesh;
use crate::scene::{
    Body, BuildError, ContactSettings, GridBodies, Mend, Method, MotionSettings, Obstacle, RegionRole, Scene, SceneProblem, Way,
};
use crate::watch::Watch;

/// Cells without elements that are told of each body at most.
const MOST_TOLD: usize = 100;
/// Diagonals of a body that a soft-body solver can be meant for [m].
const PLAUSIBLE_SIZE: std::ops::RangeInclusive<f64> = 1e-5..=1e5;

impl System {
    /// Reads the meshes of `scene` (relative paths start at `folder`) and assembles the system in the naive rest state.
    ///
    /// # Errors
    /// Every problem found, by its path in the scene; [`crate::scene_file::locate`] adds line and column.
    pub fn build(scene: &Scene, folder: &Path, watch: &dyn Watch) -> Result<Self, BuildError> {
        Self::assemble(scene, folder, watch, &mut |body| place(body, folder, watch), None)
    }

    /// [`System::build`] with what is kept from systems before it, and is not made again where it would be the same.
    ///
    /// # Errors
    /// Those of [`System::build`].
    pub fn build_with(scene: &Scene, folder: &Path, kept: &mut Kept, watch: &dyn Watch) -> Result<Self, BuildError> {
        let Kept { meshes, near, .. } = kept;
        let system = Self::assemble(scene, folder, watch, &mut |body| meshes.place(body, folder, watch), Some(near));
        kept.meshes.forget_unused();
        Ok(Self { kept: Some(kept.common()), ..system? })
    }

    fn assemble(
        scene: &Scene,
        folder: &Path,
        watch: &dyn Watch,
        place: &mut dyn FnMut(&Body) -> Result<PlacedMesh, Misplaced>,
        near: Option<&mut Near>,
    ) -> Result<Self, BuildError> {
        if scene.bodies.is_empty() {
            return Err(BuildError(vec![SceneProblem::at(
                "bodies",
                "the scene has no body, so there is nothing to simulate; import a mesh",
            )]));
        }
        let mut assembly = Assembly { scene, system: empty(scene), problems: Vec::new(), followers: Vec::new(), near };
        for (b, body) in scene.bodies.iter().enumerate() {
            watch.progress("reading meshes", b as f64 / scene.bodies.len() as f64);
            let path = format!("bodies[{b}]");
            match place(body) {
                Ok(placed) => assembly.add(body, placed, &path),
                Err(Misplaced { key, message }) => assembly.problems.push(SceneProblem::at(format!("{path}.{key}"), message)),
            }
        }
        assembly.system.diagonal = assembly.diagonal();
        assembly.add_internal_nodes();
        assembly.add_mesh_obstacles(folder, watch);
        assembly.bind_followers();
        assembly.check_behind_squares();
        assembly.problems.extend(probe::check(scene, &assembly.system));
        assembly.finish().map_err(BuildError)
    }
}

/// What is odd about a built scene but does not stop it: regions that select nothing, meshes that were mended.
pub fn warnings(scene: &Scene, system: &System) -> Vec<SceneProblem> {
    let mut warnings = unseen_motions(scene);
    let ContactSettings { detection_distance, barrier_distance, .. } = scene.contact;
    if detection_distance > barrier_distance {
        let message =
            "what is farther apart than \"barrier_distance\" does not touch and carries nothing; raise both to let contact act farther";
        warnings.push(SceneProblem::at("contact.detection_distance", message));
    }
    if scene.initialise.method == Method::Settle && system.fluids().next().is_none() {
        let message = "nothing settles: that is for fluids of particles, and all else is balanced as by \"sag-free\"";
        warnings.push(SceneProblem::at("initialise.method", message));
    }
    if system.loads.wind.is_some() && system.loads.exposed.is_empty() {
        let message = "it blows onto nothing: particles and strands have no faces; leave it out, or give it a body of tets or cloth";
        warnings.push(SceneProblem::at("wind", message));
    }
    let are_particles = !system.bodies.is_empty() && system.bodies.iter().all(|body| body.matter.particles().is_some());
    if are_particles && scene.contact.friction != ContactSettings::default().friction {
        let message = "nothing rubs by it: it is between tets, cloth, springs and strands, and bodies of particles stick where they meet in a grid, or are one fluid; obstacles have a \"friction\" of their own";
        warnings.push(SceneProblem::at("contact.friction", message));
    }
    for (b, (body, placed)) in scene.bodies.iter().zip(&system.bodies).enumerate() {
        for problem in &placed.mesh.problems {
            warnings.push(SceneProblem::at(format!("bodies[{b}].mesh"), problem.message.clone()));
        }
        if body.painted_on.as_ref().is_some_and(|mark| *mark != fingerprint(&placed.mesh)) {
            let message = "the regions of this body were painted on another mesh, so that their indices may mean other places; paint them again, or go back to that mesh";
            warnings.push(SceneProblem::at(format!("bodies[{b}].painted_on"), message));
        }
        for (r, region) in body.regions.iter().enumerate() {
            let (empty, what) = match region.role {
                RegionRole::Material(_) | RegionRole::As(_) => (region_cells(&placed.mesh, region).is_empty(), "nothing"),
                RegionRole::Traction { .. } | RegionRole::Pressure(_) => (region_faces(&placed.mesh, region).is_empty(), "no face"),
                RegionRole::Attach(_) if !region_vertices(&placed.mesh, region).is_empty() => (
                    !system.attachments.iter().any(|a| a.body == b && a.region == region.name && !a.span.elements.is_empty()),
                    "no vertex near enough",
                ),
                _ => (region_vertices(&placed.mesh, region).is_empty(), "nothing"),
            };
            if empty {
                let message = format!("the region `{}` selects {what} of the body; change the selectors or remove it", region.name);
                warnings.push(SceneProblem::at(format!("bodies[{b}].regions[{r}].select"), message));
            }
        }
    }
    warnings
}

/// Motions that go somewhere and come back within one step, which no step sees.
fn unseen_motions(scene: &Scene) -> Vec<SceneProblem> {
    let step = scene.simulate.step_size;
    let of_obstacles =
        scene.obstacles.iter().enumerate().filter_map(|(o, obstacle)| Some((format!("obstacles[{o}]"), obstacle.motion.as_ref()?)));
    let of_regions = scene.bodies.iter().enumerate().flat_map(|(b, body)| {
        body.regions.iter().enumerate().filter_map(move |(r, region)| match &region.role {
            RegionRole::Dirichlet { motion: Some(motion), .. } => Some((format!("bodies[{b}].regions[{r}].role.dirichlet"), motion)),
            _ => None,
        })
    });
    let unseen = |(path, motion): (String, &MotionSettings)| {
        let time = Motion::new(motion, &[]).unseen_keyframe(step)?;
        let message = format!(
            "the keyframe at {time} s lies within one step of {step} s and the motion comes back in the same step, so that it is not seen; use smaller steps, or put keyframes at multiples of them"
        );
        Some(SceneProblem::at(format!("{path}.motion"), message))
    };
    of_obstacles.chain(of_regions).filter_map(unseen).collect()
}

/// A system in the making.
struct Assembly<'a> {
    scene: &'a Scene,
    system: System,
    problems: Vec<SceneProblem>,
    /// Nodes that follow obstacles, each with the obstacle's number.
    followers: Vec<(u32, u32)>,
    /// What was near what in the system before this one, where that is kept.
    near: Option<&'a mut Near>,
}

impl Assembly<'_> {
    /// [`System::diagonal`] of the bodies, which are all there.
    fn diagonal(&self) -> f64 {
        let is_one_way = self.scene.simulate.grid.bodies == GridBodies::OneWay;
        let beside = self
            .system
            .beside_points()
            .filter(|_| is_one_way)
            .flat_map(|(_, body)| self.system.positions[body.nodes.clone()].iter().copied());
        let beside: Vec<Vec3> = beside.collect();
        bounding_diagonal(if beside.is_empty() { &self.system.positions } else { &beside })
    }

    fn add(&mut self, body: &Body, placed: PlacedMesh, path: &str) {
        let PlacedMesh { mesh, rest } = placed;
        self.add_rest(rest.as_deref(), &mesh);
        for (r, region) in body.regions.iter().enumerate() {
            self.problems.extend(check_region(&mesh, region, &format!("{path}.regions[{r}]")));
        }
        self.problems.extend(body.stiffness_field.as_ref().and_then(|field| check_field(&mesh, field, &format!("{path}.stiffness_field"))));
        let size = bounding_diagonal(&mesh.positions);
        if !PLAUSIBLE_SIZE.contains(&size) {
            let is_filled_by_one = mesh.positions.len() == 1 && matches!(mesh.cells, crate::mesh::Cells::Points(_));
            let (key, message) = match is_filled_by_one {
                true => ("mesh", "it is a single point; give more, or a smaller \"spacing\" where particles fill a surface".to_owned()),
                false => {
                    ("unit", format!("the body is {size:.3e} m across, which is not plausible; check \"unit\" and \"transform.scale\""))
                }
            };
            self.problems.push(SceneProblem::at(format!("{path}.{key}"), message));
        }
        let first = self.system.positions.len();
        // A kind that is not known has no mesh.
        let Some(kind) = body_kind(body) else { return };
        let matter: Arc<dyn Matter> = (kind.matter)(body, &mesh, path, &mut self.problems);
        self.add_masses(body, matter.as_ref(), &mesh, rest.as_deref(), path);
        self.system.positions.extend(&mesh.positions);
        self.system.fixed.resize(self.system.positions.len(), false);
        self.add_constraints(body, &mesh, first);
        self.add_velocities(body, first);
        self.add_face_loads(body, &mesh, first);
        self.add_pairs(body, matter.as_ref(), &mesh);
        self.check_penetration(first, body, 0.5 * mesh.thickness, path);
        let nodes = first..self.system.positions.len();
        self.system.bodies.push(PlacedBody { name: body.name.clone(), nodes, internal: 0..0, spans: Vec::new(), mesh, matter });
    }

    /// The internal nodes of all bodies, whose vertices are all there. They turn with the spin of their body, and are held or driven with
    /// the vertices that they say.
    fn add_internal_nodes(&mut self) {
        let System { positions, masses, fixed, driven, initial_velocities, internal, bodies, rest, .. } = &mut self.system;
        let mut driven_too = Vec::new();
        for (placed, body) in bodies.iter_mut().zip(&self.scene.bodies) {
            let shape = if rest.is_empty() { &positions[placed.nodes.clone()] } else { &rest[placed.nodes.clone()] };
            let mut added = placed.matter.internal_nodes(&placed.mesh, shape);
            added.iter_mut().flat_map(|added| &mut added.vertices).for_each(|vertex| *vertex += placed.nodes.start as u32);
            placed.internal = positions.len()..positions.len() + added.len();
            for (node, added) in placed.internal.clone().zip(&added) {
                let held_with = added.vertices.iter().zip(added.held_with).filter(|(_, is_held)| *is_held).map(|(vertex, _)| *vertex);
                let is_fixed = held_with.clone().any(|vertex| fixed[vertex as usize]);
                let motion_of = |vertex| driven.binary_search_by_key(&vertex, |driven| driven.node).ok().map(|at| driven[at].motion);
                let motion = held_with.filter_map(motion_of).next();
                driven_too.extend(motion.map(|motion| DrivenNode { node: node as u32, motion }));
                fixed.push(is_fixed);
                initial_velocities.push(if is_fixed { Vec3::zeros() } else { added.arm * Vec3::from(body.spin) });
            }
            positions.resize(placed.internal.end, Vec3::zeros());
            masses.extend(added.iter().map(|added| added.mass));
            internal.extend(added);
        }
        driven.extend(driven_too);
    }

    /// The masses of the body that is about to be added.
    fn add_masses(&mut self, body: &Body, matter: &dyn Matter, mesh: &BodyMesh, rest: Option<&[Vec3]>, path: &str) {
        let System { positions, masses, mass_couplings, .. } = &mut self.system;
        let rest = rest.unwrap_or(&mesh.positions);
        masses.extend(matter.masses(mesh, rest));
        if body.mass_matrix.is_lumped() {
            return;
        }
        match matter.mass_couplings(mesh, rest) {
            Some(couplings) => mass_couplings.append(&couplings, positions.len() as u32),
            None => {
                let message = "masses of springs and the like are points at its vertices, which no element spreads; leave this out";
                self.problems.push(SceneProblem::at(format!("{path}.mass_matrix"), message));
            }
        }
    }

    /// The rest shapes of all bodies so far, from the first body on that has one of its own.
    fn add_rest(&mut self, rest: Option<&[Vec3]>, mesh: &BodyMesh) {
        let System { rest: all, positions, .. } = &mut self.system;
        if rest.is_some() || !all.is_empty() {
            all.extend_from_slice(&positions[all.len()..]);
            all.extend_from_slice(rest.unwrap_or(&mesh.positions));
        }
    }

    /// Velocities of the body's free nodes, of which the first is `first`: a translation, and a spin about the centre of mass.
    fn add_velocities(&mut self, body: &Body, first: usize) {
        let (velocity, spin) = (Vec3::from(body.velocity), Vec3::from(body.spin));
        let System { positions, masses, fixed, initial_velocities, .. } = &mut self.system;
        let weighed = positions[first..].iter().zip(&masses[first..]).map(|(x, &m)| m * x).sum::<Vec3>();
        let center = weighed / masses[first..].iter().sum::<f64>();
        let of = |(x, &fixed): (&Vec3, &bool)| if fixed { Vec3::zeros() } else { velocity + spin.cross(&(x - center)) };
        initial_velocities.extend(positions[first..].iter().zip(&fixed[first..]).map(of));
    }

    /// Free surface nodes against obstacles. Where the body has contact regions, the last one that holds a node says
    /// what it may touch and with which friction, and nodes outside all of them touch nothing.
    fn add_pairs(&mut self, body: &Body, matter: &dyn Matter, mesh: &BodyMesh) {
        let first = self.system.positions.len() - mesh.positions.len();
        let mut region_of: Vec<Option<&RegionRole>> = vec![None; mesh.positions.len()];
        let mut restricted = false;
        // The grid of material points meets obstacles by their distances, also where they move.
        let by_distance = matter.particles().is_some_and(ParticleMatter::is_of_points);
        let is_touched = |settings: &Obstacle| by_distance || !settings.is_surface();
        for region in body.regions.iter().filter(|region| matches!(region.role, RegionRole::Contact { .. })) {
            restricted = true;
            region_vertices(mesh, region).iter().for_each(|&v| region_of[v as usize] = Some(&region.role));
        }
        for vertex in mesh.surface_vertices() {
            let node = first + vertex as usize;
            let role = region_of[vertex as usize];
            if self.system.fixed[node] || (restricted && role.is_none()) {
                continue;
            }
            for (obstacle, settings) in (0..).zip(&self.scene.obstacles).filter(|(_, settings)| is_touched(settings)) {
                if let Some(friction) = friction(role, settings) {
                    self.system.pairs.push(TouchPair { node: node as u32, obstacle, friction });
                }
            }
        }
    }

    /// Nodes of the body, which reaches `radius` [m] around them, that start inside an obstacle, deeper than contact can mend: no step could
    /// begin there.
    fn check_penetration(&mut self, first: usize, body: &Body, radius: f64, path: &str) {
        let number = self.scene.bodies.iter().position(|other| std::ptr::eq(other, body));
        let diagonal = bounding_diagonal(&self.system.positions[first..]);
        let allowed = diagonal * self.scene.contact.detection_distance.max(self.scene.contact.barrier_distance);
        for (o, obstacle) in (0..).zip(&self.system.obstacles).filter(|(_, obstacle)| obstacle.is_present(body.enters_at)) {
            let shape = placed(&obstacle.shape);
            let nodes = self.system.pairs.iter().filter(|pair| pair.obstacle == o && pair.node as usize >= first);
            let points: Vec<Vec3> = nodes.map(|pair| self.system.positions[pair.node as usize]).collect();
            let depths = points.iter().map(|x| -shape.distance(x).value);
            let deep: Vec<f64> = depths.filter(|&depth| depth > allowed).collect();
            if !deep.is_empty() {
                let message = format!(
                    "{} surface vertices start inside obstacle `{}`, up to {:.3e} m deep; move the body or the obstacle",
                    deep.len(),
                    obstacle.name,
                    deep.iter().copied().fold(0.0, f64::max)
                );
                let deepest = points.iter().min_by(|a, b| shape.distance(a).value.total_cmp(&shape.distance(b).value));
                // Held vertices are in no pair and go along all the same.
                let out = way_out(&points, &*shape, radius + 0.5 * diagonal * self.scene.contact.barrier_distance);
                let mend = number.zip(out).map(|(body, by)| Mend::Move { body, by: by.into(), way: Way::OutOf(obstacle.name.clone()) });
                let problem = SceneProblem::at(format!("{path}.transform"), message);
                self.problems.push(match deepest {
                    Some(place) => problem.seen((*place).into(), mend),
                    None => problem,
                });
            }
        }
    }

    fn finish(mut self) -> Result<System, Vec<SceneProblem>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        self.system.initial_velocities.resize(self.system.positions.len(), Vec3::zeros());
        self.separate_bodies();
        self.system.surface = self.collision_surface().map_err(|message| vec![SceneProblem::at("bodies", message)])?;
        self.system.set_obstacles_at(0.0);
        self.add_equalities();
        self.tell_of_near_obstacles();
        let meetings = self.find_meetings();
        self.check_clearance(meetings);
        self.check_points_in_bodies();
        self.check_crowding();
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        for (b, body) in (0..).zip(&self.scene.bodies).filter(|(_, body)| body.enters_at > 0.0) {
            self.system.enter_later(b, body.enters_at);
        }
        if !self.system.rest.is_empty() {
            // Vertices of obstacles come last.
            let System { rest, positions, .. } = &mut self.system;
            rest.extend_from_slice(&positions[rest.len()..]);
        }
        self.add_elements();
        self.system.part_pairs();
        if self.problems.is_empty() { Ok(self.system) } else { Err(self.problems) }
    }

    /// Gives bodies that are near one another contact points inside of their surfaces, and takes from their thickness what has no room; where surfaces meet all the same.
    fn find_meetings(&mut self) -> Meetings {
        let system = &self.system;
        if let Some(known) = self.near.as_ref().and_then(|near| near.known(system)) {
            let Nearness { points, movable, thinness, tight, meetings, .. } = known;
            let (tight, meetings) = (tight.clone(), meetings.clone());
            let surface = &mut self.system.surface;
            (surface.points, surface.movable, surface.thinness) = (points.clone(), movable.clone(), thinness.clone());
            surface.count_movable();
            self.tell_of_tight(&tight);
            return meetings;
        }
        let before = self.near.as_ref().map(|_| system.surface.clone());
        self.inset_near_bodies();
        let tight = self.thin_where_tight();
        let system = &self.system;
        let is_active = system.surface.is_active();
        let meetings = if is_active { meetings(&system.surface, &system.positions, touching_distance(system)) } else { Meetings::new() };
        if let (Some(near), Some(before)) = (&mut self.near, before) {
            near.remember(before, system, tight.clone(), meetings.clone());
        }
        self.tell_of_tight(&tight);
        meetings
    }

    /// The elements of all bodies, where they are now, and the springs between bodies; those of one sort make one family.
    fn add_elements(&mut self) {
        let mut made = Vec::new();
        for (b, body) in self.system.bodies.iter().enumerate() {
            let (rest, given) = (&self.system.naive_rest()[body.nodes.clone()], &self.system.positions[body.nodes.clone()]);
            match body.matter.elements(&body.mesh, rest, given) {
                Ok(mut families) => {
                    // Where its nodes follow one another, those of the families do.
                    let mut first = body.nodes.start as u32;
                    if !body.internal.is_empty() {
                        let place = |node: u32| match (node as usize).checked_sub(body.nodes.len()) {
                            Some(internal) => (body.internal.start + internal) as u32,
                            None => body.nodes.start as u32 + node,
                        };
                        families.iter_mut().for_each(|family| family.renumber(&place));
                        first = 0;
                    }
                    made.push((first, families));
                }
                Err(degenerate) => {
                    let problem = |(cell, why): &(usize, Unattainable)| {
                        let noun = body.mesh.cells.noun().trim_end_matches('s');
                        SceneProblem::at(format!("bodies[{b}].mesh"), format!("{noun} {cell}: {why}; mend the mesh"))
                    };
                    self.problems.extend(degenerate.iter().take(MOST_TOLD).map(problem));
                }
            }
        }
        let attached = self.attached();
        if !self.problems.is_empty() {
            return;
        }
        let mut parts = made;
        let mut names = Vec::new();
        for Attached { body, region, springs } in attached {
            names.push((body, region));
            parts.push((0, vec![springs]));
        }
        let (families, places) = join(parts);
        self.system.families = families;
        let mut spans = places.into_iter().map(|places| places.into_iter().map(|(family, elements)| Span { family, elements }));
        for (body, spans) in self.system.bodies.iter_mut().zip(&mut spans) {
            body.spans = spans.collect();
        }
        let attachment = |((body, region), span)| Attachment { body, region, span };
        self.system.attachments = names.into_iter().zip(spans.flatten()).map(attachment).collect();
    }
}

/// Friction of a node with this contact region against an obstacle; `None` where they may not touch.
fn friction(region: Option<&RegionRole>, obstacle: &Obstacle) -> Option<f64> {
    match region {
        Some(RegionRole::Contact { obstacles: Some(names), .. }) if !names.contains(&obstacle.name) => None,
        Some(RegionRole::Contact { friction, .. }) => Some(friction.unwrap_or(obstacle.friction)),
        _ => Some(obstacle.friction),
    }
}

fn empty(scene: &Scene) -> System {
    System {
        gravity: Vec3::from(scene.gravity),
        loads: Loads { wind: scene.wind.as_ref().map(wind), ..Loads::default() },
        obstacles: scene.obstacles.iter().map(placed_obstacle).collect(),
        contact: scene.contact,
        initialise: scene.initialise,
        simulate: scene.simulate.clone(),
        scene_keys: keys::with_effect(scene),
        ..System::default()
    }
}

fn placed_obstacle(obstacle: &Obstacle) -> PlacedObstacle {
    PlacedObstacle {
        removed_at: obstacle.removed_at.unwrap_or(f64::INFINITY),
        wall: obstacle.wall,
        ..PlacedObstacle::new(&obstacle.name, obstacle.shape.clone())
    }
}
