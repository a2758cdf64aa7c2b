//! How near each vertex of a body is to what it may touch, in the given shape.

use aplomb_sim::contact::distance::placed;
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::closest::nearest;
use aplomb_sim::mesh::triangle_tree::TriangleTree;
use aplomb_sim::scene::{Obstacle, Scene, Shape};
use rayon::prelude::*;

use super::painted::Painted;
use crate::session::{Model, ModelBody};
use crate::viewport::bvh::Bvh;
use crate::viewport::camera::Ray;

/// What is looked for, as shares of the diagonal of all bodies: nothing is nearer to itself than the first, nor is it asked for farther away
/// than the second.
const OWN: f64 = 1e-7;
const FAR: f64 = 0.5;
/// Cosine of the angle between a normal and what faces it, from which a body is near itself: 45 degrees.
const FACING: f64 = 0.7;

/// The distance of each vertex of what is painted of a body from the nearest obstacle, other body, or part of itself that faces it [m];
/// infinite where there is none, and of vertices inside.
pub fn nearness(scene: &Scene, model: &Model, body: usize) -> Vec<f64> {
    let Some(own) = model.bodies.get(body) else { return Vec::new() };
    let painted = Painted::of(own);
    let reach = FAR * model.diagonal;
    let obstacles: Vec<Target> =
        scene.obstacles.iter().enumerate().filter_map(|(o, obstacle)| Target::obstacle(model, o, obstacle)).collect();
    let others: Vec<Target> = model.bodies.iter().enumerate().filter(|(b, _)| *b != body).map(|(_, other)| Target::body(other)).collect();
    let itself = Itself::of(&painted, model.diagonal);
    let radius = if painted.triangles.is_empty() { own.mesh.radius } else { 0.0 };
    let seen = painted.seen();
    let distance = |(v, x): (usize, &Vec3)| {
        if !seen[v] {
            return f64::INFINITY;
        }
        let to_others = obstacles.iter().chain(&others).map(|target| target.distance(x, reach) - radius).fold(f64::INFINITY, f64::min);
        to_others.min(itself.distance(v, x)).max(0.0)
    };
    painted.positions.par_iter().enumerate().with_min_len(64).map(distance).collect()
}

/// Something that may be touched.
enum Target {
    Formula(Box<dyn aplomb_sim::contact::distance::SignedDistance>),
    /// Triangles, and how far they reach around.
    Triangles(TriangleTree, f64),
}

impl Target {
    fn obstacle(model: &Model, index: usize, obstacle: &Obstacle) -> Option<Self> {
        if matches!(obstacle.shape, Shape::HalfSpace { .. } | Shape::Sphere { .. } | Shape::Box { .. } | Shape::Capsule { .. }) {
            return Some(Self::Formula(placed(&obstacle.shape)));
        }
        let surface = model.surfaces.iter().find(|surface| surface.obstacle == index)?;
        let nodes = model.positions.get(surface.nodes.clone())?;
        Some(Self::Triangles(TriangleTree::new(nodes, &surface.triangles), 0.0))
    }

    fn body(other: &ModelBody) -> Self {
        let painted = Painted::of(other);
        let flat = painted.lines.iter().map(|&[a, b]| [a, b, b]);
        let triangles: Vec<_> = painted.triangles.iter().copied().chain(flat).collect();
        let radius = if painted.triangles.is_empty() { other.mesh.radius } else { 0.0 };
        Self::Triangles(TriangleTree::new(painted.positions, &triangles), radius)
    }

    fn distance(&self, x: &Vec3, reach: f64) -> f64 {
        match self {
            Self::Formula(shape) => shape.distance(x).value,
            Self::Triangles(tree, _) if tree.is_empty() => f64::INFINITY,
            Self::Triangles(tree, radius) => nearest(tree, x, reach).map_or(f64::INFINITY, |hit| hit.distance - radius),
        }
    }
}

/// A surface that may face itself.
struct Itself<'a> {
    painted: &'a Painted<'a>,
    normals: Vec<Vec3>,
    rays: Bvh,
    least: f64,
}

impl<'a> Itself<'a> {
    fn of(painted: &'a Painted<'a>, diagonal: f64) -> Self {
        let rays = Bvh::new(painted.positions, painted.triangles);
        Self { painted, normals: painted.normals(), rays, least: OWN * diagonal }
    }

    /// Along the normal of vertex `v` at `x`, to what faces it.
    fn distance(&self, v: usize, x: &Vec3) -> f64 {
        let normal = self.normals[v];
        if normal == Vec3::zeros() {
            return f64::INFINITY;
        }
        let ray = Ray { origin: x + self.least * normal, direction: normal };
        match self.rays.hit(self.painted.positions, self.painted.triangles, &ray) {
            Some((triangle, away)) if -self.painted.normal(self.painted.triangles[triangle]).dot(&normal) >= FACING => away + self.least,
            _ => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use aplomb_sim::scene_file::{gallery, load};

    use super::super::symmetry::tests::{halves, surface};
    use super::*;
    use crate::session::RunId;

    fn model(bodies: Vec<ModelBody>) -> Model {
        let positions: Vec<Vec3> = bodies.iter().flat_map(|body| body.mesh.positions.iter().copied()).collect();
        Model {
            run: RunId::default(),
            bodies,
            attachments: Vec::new(),
            surfaces: Vec::new(),
            body_nodes: positions.len(),
            positions: Arc::from(positions),
            diagonal: 4.0,
            tells_pushes: false,
            refused: Vec::new(),
            cells: None,
        }
    }

    /// A sheet over a half-space, under another body, and folded over itself.
    #[test]
    fn distances_are_those_of_obstacles_other_bodies_and_facing_parts() {
        let mut scene = load(&gallery::find("hanging_beam").unwrap().path()).unwrap();
        let (flat, triangles) = halves(6, 6, 0.0, 1);
        let flat: Vec<Vec3> = flat.into_iter().map(|p| Vec3::new(p.x, p.y, 0.0)).collect();
        let moved = |by: Vec3| flat.iter().map(|p| p + by).collect::<Vec<_>>();
        let alone = model(vec![surface(flat.clone(), triangles.clone(), Vec::new())]);
        assert!(nearness(&scene, &alone, 0).iter().all(|distance| *distance == f64::INFINITY));
        // Below, by 0.3 and more.
        let shape = Shape::HalfSpace { point: [0.0, -1.3, 0.0], normal: [0.0, 1.0, 0.0] };
        scene.obstacles.push(Obstacle {
            name: "below".into(),
            shape,
            friction: 0.5,
            removed_at: None,
            wall: aplomb_sim::scene::WallCondition::default(),
            motion: None,
        });
        let found = nearness(&scene, &alone, 0);
        assert!(flat.iter().zip(&found).all(|(p, distance)| (distance - (p.y + 1.3)).abs() < 1e-12));
        scene.obstacles.clear();
        let two = [flat.clone(), moved(Vec3::new(0.1, 0.0, 0.25))].map(|positions| surface(positions, triangles.clone(), Vec::new()));
        let found = nearness(&scene, &model(two.into()), 1);
        assert!(found.iter().filter(|distance| (**distance - 0.25).abs() < 1e-9).count() > 40, "{found:?}");
        // One body of two sheets: what faces the other at 0.25 is near itself, what faces away is not.
        for (facing, expected) in [(true, 0.25), (false, f64::INFINITY)] {
            let count = flat.len() as u32;
            let positions: Vec<Vec3> = flat.iter().copied().chain(moved(Vec3::new(0.0, 0.0, 0.25))).collect();
            let upper = triangles
                .iter()
                .map(|&[a, b, c]| if facing { [a + count, c + count, b + count] } else { [a + count, b + count, c + count] });
            let both = triangles.iter().copied().chain(upper).collect();
            let found = nearness(&scene, &model(vec![surface(positions, both, Vec::new())]), 0);
            // The lower one faces up.
            assert!(
                (found[count as usize / 3] - expected).abs() < 1e-6 || found[count as usize / 3] == expected,
                "{}",
                found[count as usize / 3]
            );
        }
    }
}
