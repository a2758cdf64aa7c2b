//! What touches as a surface, of triangles or round: obstacles become vertices of the node space, and with the bodies' surfaces
//! they make the collision surface.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::{Assembly, friction};
use crate::contact::distance::{has_distance, placed};
use crate::contact::primitive::{edge_edge, point_edge, point_triangle};
use crate::contact::surface::{CollisionSurface, PairRules, PartForm, PartInput, Sewn};
use crate::import;
use crate::math::{Vec3, bounding_box};
use crate::mesh::TriangleMesh;
use crate::mesh::inside::{Inside, NotClosed};
use crate::scene::{Body, GridBodies, Obstacle, RegionRole, SceneProblem, Shape};
use crate::system::{DrivenNode, MeshObstacle, Motion, PlacedBody};
use crate::watch::Watch;

/// Straight pieces around a ball or capsule that turns.
const SEGMENTS: u32 = 48;
/// Radius over the longest edge from which on a ball or capsule is flat enough for vertices to keep it out: but for a thirtieth of the edge.
const FLAT: f64 = 4.0;
/// How deep bodies may lie in something round, over the barrier's distance: their contact points are [`super::insets`] deep.
const DIPS: f64 = 0.4;
/// Longest piece of a capsule's axis over the longest edge that may lie on it, and most pieces.
const PIECE: f64 = 0.5;
const MOST_PIECES: f64 = 256.0;
/// Lines of the square that stands for a half-space which moves, on each side of the scene's middle [diagonals of the
/// bodies]: close where the bodies are, and far enough that none leaves it.
const SQUARE: [f64; 8] = [0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0, 10.0];

/// By what an obstacle touches surfaces.
enum Touches {
    /// Its triangles.
    Triangles,
    /// Everything within a radius [m] of a chain of points.
    Round { chain: Vec<Vec3>, radius: f64 },
}

impl Assembly<'_> {
    /// Adds the vertices of the obstacles that are surfaces, after those of all bodies.
    pub(super) fn add_mesh_obstacles(&mut self, folder: &Path, watch: &dyn Watch) {
        let longest = self.longest_surface_edge();
        let of_points = self.system.particles().filter(|(_, matter)| matter.is_of_points()).map(|(body, _)| body.nodes.clone());
        let of_points: Vec<_> = of_points.collect();
        // Nodes of a grid meet triangles by signed distances; points that meet them by themselves do so as surfaces do.
        let at_nodes = !self.system.touches_at_points();
        let by_distance = |node: u32| at_nodes && of_points.iter().any(|nodes| nodes.contains(&(node as usize)));
        for (o, obstacle) in self.scene.obstacles.iter().enumerate() {
            let Some(touches) = self.touches_by(obstacle, longest) else { continue };
            let met = self.met_by_points(o, &of_points);
            self.system.pairs.retain(|pair| pair.obstacle as usize != o || by_distance(pair.node));
            let (mesh, radius) = match touches {
                Touches::Round { chain, radius } => (TriangleMesh { positions: chain, triangles: Vec::new() }, Some(radius)),
                Touches::Triangles => match self.surface_of(obstacle, folder, watch) {
                    Ok(mesh) => (mesh, None),
                    Err(message) => {
                        self.problems.push(SceneProblem::at(format!("obstacles[{o}].shape"), message));
                        continue;
                    }
                },
            };
            let system = &mut self.system;
            let first = system.positions.len() as u32;
            let motion = obstacle.motion.as_ref().map(|settings| {
                system.motions.push(Motion::new(settings, &mesh.positions));
                system.motions.len() as u32 - 1
            });
            system.positions.extend(&mesh.positions);
            let nodes = first as usize..system.positions.len();
            system.masses.resize(nodes.end, 0.0);
            system.fixed.resize(nodes.end, true);
            let driven = nodes.clone().filter_map(|node| Some(DrivenNode { node: node as u32, motion: motion? }));
            system.driven.extend(driven);
            let inside = if has_distance(&obstacle.shape) { None } else { self.inside_of(o, (&mesh, &met), watch) };
            let thickness = inside.as_ref().map_or(f64::INFINITY, |inside| inside.thickness());
            let triangles = mesh.triangles.iter().map(|triangle| triangle.map(|v| v + first)).collect();
            self.system.mesh_obstacles.push(MeshObstacle { obstacle: o as u32, nodes, triangles, radius, inside, thickness, motion });
        }
    }

    /// The material points, of bodies with these nodes, that may touch an obstacle.
    fn met_by_points(&self, obstacle: usize, of_points: &[Range<usize>]) -> Vec<usize> {
        let of_obstacle = self.system.pairs.iter().filter(|pair| pair.obstacle as usize == obstacle).map(|pair| pair.node as usize);
        of_obstacle.filter(|node| of_points.iter().any(|nodes| nodes.contains(node))).collect()
    }

    /// What is inside of the triangles of an obstacle that these material points may touch. A surface around points is a problem, and an open
    /// one where nodes of a grid are to be told what is inside.
    fn inside_of(&mut self, obstacle: usize, (mesh, touching): (&TriangleMesh, &[usize]), watch: &dyn Watch) -> Option<Arc<Inside>> {
        if touching.is_empty() {
            return None;
        }
        let message = match Inside::of_soup(&mesh.positions, &mesh.triangles, watch) {
            Ok((inside, _)) => {
                let allowed = self.system.diagonal * self.scene.contact.detection_distance;
                let of_node = |&node: &usize| inside.distance(&self.system.positions[node], 0.0).map(|(value, _)| -value);
                let deep: Vec<f64> = touching.iter().filter_map(of_node).filter(|depth| *depth > allowed).collect();
                if deep.is_empty() || !self.system.obstacles[obstacle].is_present(0.0) {
                    return Some(Arc::new(inside));
                }
                let deepest = deep.iter().copied().fold(0.0, f64::max);
                format!("{} material points start inside of it, up to {deepest:.3e} m deep; move the body or the obstacle", deep.len())
            }
            // The build ends as cancelled.
            Err(NotClosed::Cancelled) => return None,
            Err(NotClosed::Open(_)) if self.system.touches_at_points() => return None,
            Err(NotClosed::Open(edges)) => {
                format!("its surface is open at {edges} edges, so that it has no inside to keep material points out of; close the holes")
            }
        };
        self.problems.push(SceneProblem::at(format!("obstacles[{obstacle}].shape"), message));
        None
    }

    /// How an obstacle touches the bodies' triangles, whose longest edge is `longest` [m]; none where it touches vertices only, by signed
    /// distances. Those are enough for a half-space. They have to be where a region chooses the vertices that touch, and where a
    /// body is draped so that its vertices lie on something round and its triangles cut the corners.
    fn touches_by(&self, obstacle: &Obstacle, longest: f64) -> Option<Touches> {
        let chosen = |role: &RegionRole| matches!(role, RegionRole::Contact { .. }) && friction(Some(role), obstacle).is_some();
        // Bodies that material points meet one way touch as they do without these.
        let is_one_way = self.scene.simulate.grid.bodies == GridBodies::OneWay && self.system.beside_points().next().is_some();
        let has_particles = if is_one_way { self.system.fluids().next().is_some() } else { self.system.particles().next().is_some() };
        let by_vertices = has_particles || self.scene.bodies.iter().flat_map(|body| &body.regions).any(|region| chosen(&region.role));
        let (chain, radius) = match &obstacle.shape {
            Shape::Sphere { center, radius } => (vec![Vec3::from(*center)], *radius),
            Shape::Capsule { from, to, radius } => (pieces(&Vec3::from(*from), &Vec3::from(*to), PIECE * longest), *radius),
            Shape::Box { .. } => return (obstacle.is_surface() || !by_vertices).then_some(Touches::Triangles),
            Shape::HalfSpace { .. } | Shape::Torus { .. } | Shape::Revolution { .. } | Shape::Mesh { .. } => {
                return obstacle.is_surface().then_some(Touches::Triangles);
            }
        };
        // What is round all around an axis looks the same when it turns, but it rubs.
        if obstacle.motion.as_ref().is_some_and(|motion| motion.keyframes.iter().any(|keyframe| keyframe.rotate.is_some())) {
            return Some(Touches::Triangles);
        }
        let is_draped = || radius >= FLAT * longest && self.is_draped_on(&chain, radius);
        (obstacle.is_surface() || !by_vertices && !is_draped()).then_some(Touches::Round { chain, radius })
    }

    /// Whether triangles of some body, with its thickness, dip into what lies within `radius` [m] of a chain, though their vertices do not.
    fn is_draped_on(&self, chain: &[Vec3], radius: f64) -> bool {
        let allowed = DIPS * self.scene.contact.barrier_distance * self.system.diagonal;
        let axis = [chain[0], chain[chain.len() - 1]];
        let dips = |corners: &[Vec3; 3], deep: f64| {
            let [a, b, c] = corners;
            let sides = [[a, b], [b, c], [c, a]].map(|[from, to]| edge_edge(&axis[0], &axis[1], from, to).distance());
            let ends = axis.map(|end| point_triangle(&end, a, b, c).distance());
            let corners = corners.map(|corner| point_edge(&corner, &axis[0], &axis[1]).distance());
            let least = |distances: &[f64]| distances.iter().copied().fold(f64::INFINITY, f64::min);
            least(&sides).min(least(&ends)) < deep && least(&corners) >= deep
        };
        let of_body = |body: &PlacedBody| {
            let x = &body.mesh.positions;
            let deep = radius + 0.5 * body.mesh.thickness - allowed;
            body.mesh.touching_triangles().iter().any(|corners| dips(&corners.map(|v| x[v as usize]), deep))
        };
        self.system.bodies.iter().any(of_body)
    }

    /// Longest edge of the bodies' surfaces [m].
    fn longest_surface_edge(&self) -> f64 {
        let of_body = |body: &PlacedBody| {
            let x = &body.mesh.positions;
            let sides = body.mesh.touching_triangles().iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
            let edges = sides.chain(body.mesh.free_edges.iter().copied());
            edges.map(|[a, b]| (x[a as usize] - x[b as usize]).norm()).fold(0.0, f64::max)
        };
        self.system.bodies.iter().map(of_body).fold(0.0, f64::max)
    }

    /// The triangles of an obstacle, where the scene puts it.
    fn surface_of(&self, obstacle: &Obstacle, folder: &Path, watch: &dyn Watch) -> Result<TriangleMesh, String> {
        Ok(match &obstacle.shape {
            Shape::HalfSpace { point, normal } => {
                let normal = Vec3::from(*normal);
                let (all, internal) = (&self.system.positions, self.system.internal_nodes());
                let (low, high) = bounding_box(&[&all[..internal.start], &all[internal.end..]].concat());
                let middle = 0.5 * (low + high);
                let center = middle - normal * normal.dot(&(middle - Vec3::from(*point))) / normal.norm_squared();
                let half = SQUARE.map(|offset| offset * (high - low).norm());
                let lines: Vec<f64> = half.iter().rev().map(|x| -x).chain([0.0]).chain(half).collect();
                TriangleMesh::square(&center, &normal, &lines)
            }
            Shape::Sphere { center, radius } => TriangleMesh::capsule(&Vec3::from(*center), &Vec3::from(*center), *radius, SEGMENTS),
            Shape::Capsule { from, to, radius } => TriangleMesh::capsule(&Vec3::from(*from), &Vec3::from(*to), *radius, SEGMENTS),
            Shape::Box { center, size, rotate_degrees } => TriangleMesh::cuboid(&Vec3::from(*center), &Vec3::from(*size), *rotate_degrees),
            Shape::Torus { center, axis, ring_radius, tube_radius, segments } => {
                TriangleMesh::torus(&Vec3::from(*center), &Vec3::from(*axis), *ring_radius, *tube_radius, *segments)
            }
            Shape::Revolution { center, axis, profile, segments } => {
                TriangleMesh::revolution(&Vec3::from(*center), &Vec3::from(*axis), profile, false, *segments)
            }
            Shape::Mesh { mesh, unit, up, transform } => {
                let raw = import::read(&folder.join(mesh), watch).map_err(|error| error.to_string())?;
                let mut surface = TriangleMesh::from_raw(&raw, unit.metres(), *up).map_err(|error| format!("{mesh}: {error}"))?;
                transform.apply(&mut surface.positions);
                surface
            }
        })
    }

    /// Everything that may touch, and with which friction.
    pub(super) fn collision_surface(&self) -> Result<CollisionSurface, String> {
        let (system, scene) = (&self.system, self.scene);
        let of_body = |body: &PlacedBody| {
            let first = body.nodes.start as u32;
            // Particles press on one another by their density or their grid, and on walls by signed distances; material points that meet walls
            // by themselves are balls.
            let are_balls = body.matter.particles().is_some_and(|matter| matter.is_of_points() && system.touches_at_points());
            let points = if body.matter.particles().is_some() && !are_balls { &[] } else { body.mesh.lone_points() };
            let (points, edges) = (points.iter(), body.mesh.free_edges.iter());
            PartInput {
                name: body.name.clone(),
                form: PartForm::Features {
                    points: points.map(|v| v + first).collect(),
                    edges: edges.map(|edge| edge.map(|v| v + first)).collect(),
                    triangles: body.mesh.touching_triangles().iter().map(|face| face.map(|v| v + first)).collect(),
                    radius: if are_balls { body.mesh.radius } else { 0.5 * body.mesh.thickness },
                },
            }
        };
        let of_obstacle = |obstacle: &MeshObstacle| {
            let name = &scene.obstacles[obstacle.obstacle as usize].name;
            match obstacle.radius {
                Some(radius) => PartInput::round(name, obstacle.nodes.clone().map(|node| node as u32).collect(), radius),
                None => PartInput::triangles(name, obstacle.triangles.clone()),
            }
        };
        let parts: Vec<PartInput> = system.bodies.iter().map(of_body).chain(system.mesh_obstacles.iter().map(of_obstacle)).collect();
        let mut rules = PairRules::none_touch(parts.len());
        let is_of_particles = |b: u32| system.bodies.get(b as usize).is_some_and(|body| body.matter.particles().is_some());
        for (b, body) in (0..).zip(&scene.bodies) {
            if scene.contact.between_bodies && !is_of_particles(b) {
                let others = (0..b).filter(|other| !is_of_particles(*other));
                others.for_each(|other| rules.set(other, b, Some(scene.contact.friction)));
            }
            if scene.contact.self_contact && !is_of_particles(b) {
                rules.set(b, b, Some(scene.contact.friction));
            }
            for (part, obstacle) in (scene.bodies.len() as u32..).zip(&system.mesh_obstacles) {
                rules.set(b, part, body_friction(body, &scene.obstacles[obstacle.obstacle as usize]));
            }
        }
        let movable = system.fixed.iter().map(|fixed| !fixed).collect();
        let surface = CollisionSurface::new(&system.positions, parts, rules, movable).map_err(|error| error.to_string())?;
        Ok(surface.sewn(system.bodies.iter().flat_map(|body| sewn(body, &system.positions)).collect(), &system.positions))
    }

    /// Bodies that start behind a half-space which moves: the square that stands for it is thin and would not say so.
    pub(super) fn check_behind_squares(&mut self) {
        for obstacle in self.scene.obstacles.iter().filter(|obstacle| obstacle.is_surface()) {
            let Shape::HalfSpace { .. } = obstacle.shape else { continue };
            let plane = placed(&obstacle.shape);
            for (b, body) in self.system.bodies.iter().enumerate() {
                if body_friction(&self.scene.bodies[b], obstacle).is_none() {
                    continue;
                }
                let gaps = self.system.positions[body.nodes.clone()].iter().map(|x| plane.distance(x).value);
                let deepest = gaps.fold(f64::INFINITY, f64::min);
                if deepest <= 0.0 {
                    let message = format!(
                        "the body starts {:.3e} m inside obstacle `{}`, which moves; leave a gap between the two",
                        -deepest, obstacle.name
                    );
                    self.problems.push(SceneProblem::at(format!("bodies[{b}].transform"), message));
                }
            }
        }
    }
}

/// What is sewn together of a body; nodes are at `x` [m].
fn sewn<'a>(body: &'a PlacedBody, x: &'a [Vec3]) -> impl Iterator<Item = Sewn> + 'a {
    let first = body.nodes.start as u32;
    body.mesh.seams.iter().flat_map(move |seam| {
        let corners = body.mesh.cells.get(seam.cell as usize).unwrap_or_default();
        let shares = move || corners.iter().map(move |v| v + first).zip(seam.weights).filter(|(_, weight)| *weight > 0.0);
        let point: Vec3 = shares().map(|(node, weight)| weight * x[node as usize]).sum();
        shares().map(move |(node, _)| Sewn { nodes: [seam.vertex + first, node], apart: (x[node as usize] - point).norm() })
    })
}

/// The ends of equal pieces of a straight line, none longer than `longest` [m] unless there were too many; one point where it has no
/// length.
fn pieces(from: &Vec3, to: &Vec3, longest: f64) -> Vec<Vec3> {
    let count = ((to - from).norm() / longest).ceil().clamp(1.0, MOST_PIECES) as usize;
    if from == to { vec![*from] } else { (0..=count).map(|k| from.lerp(to, k as f64 / count as f64)).collect() }
}

/// Friction of a body as a whole against an obstacle; none where its contact regions leave that obstacle out.
fn body_friction(body: &Body, obstacle: &Obstacle) -> Option<f64> {
    let regions = || body.regions.iter().map(|region| &region.role).filter(|role| matches!(role, RegionRole::Contact { .. }));
    if regions().next().is_none() {
        return friction(None, obstacle);
    }
    regions().filter_map(|role| friction(Some(role), obstacle)).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many equal pieces as it takes, and one of what has next to no length.
    #[test]
    fn a_line_is_cut_into_equal_pieces() {
        let (from, to) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 6.0, 3.0));
        for (longest, count) in [(10.0, 1), (5.0, 1), (4.9, 2), (1.3, 4)] {
            let ends = pieces(&from, &to, longest);
            assert_eq!(ends.len(), count + 1);
            assert!(ends[0] == from && ends[count] == to);
            assert!(ends.windows(2).all(|ends| ((ends[1] - ends[0]).norm() * count as f64 / 5.0 - 1.0).abs() < 1e-12));
        }
        assert_eq!(pieces(&from, &from, 1.0), [from]);
        let tiny = Vec3::new(1e-170, 0.0, 0.0);
        assert_eq!(pieces(&Vec3::zeros(), &tiny, 1.0), [Vec3::zeros(), tiny]);
    }
}
