//! Kinds of obstacles, and where a new one is put.

use std::path::Path;

use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::scene::{Obstacle, Scene, Shape, Transform, Unit, UpAxis, WallCondition};
use aplomb_sim::watch::Unwatched;

use super::{absolute, free_name, relative};

/// Kinds of obstacles, without their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeKind {
    /// Everything below a plane.
    Ground,
    /// A ball.
    Ball,
    /// A box.
    Box,
    /// A rod with round ends.
    Capsule,
    /// A torus.
    Ring,
    /// A line turned around an axis.
    Funnel,
    /// The triangles of a file.
    Mesh,
}

impl ShapeKind {
    /// Those that need no file.
    pub const PLAIN: [Self; 6] = [Self::Ground, Self::Ball, Self::Box, Self::Capsule, Self::Ring, Self::Funnel];

    /// The kind of a shape.
    pub fn of(shape: &Shape) -> Self {
        match shape {
            Shape::HalfSpace { .. } => Self::Ground,
            Shape::Sphere { .. } => Self::Ball,
            Shape::Box { .. } => Self::Box,
            Shape::Capsule { .. } => Self::Capsule,
            Shape::Torus { .. } => Self::Ring,
            Shape::Revolution { .. } => Self::Funnel,
            Shape::Mesh { .. } => Self::Mesh,
        }
    }

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Ground => "Ground",
            Self::Ball => "Ball",
            Self::Box => "Box",
            Self::Capsule => "Capsule",
            Self::Ring => "Ring",
            Self::Funnel => "Funnel",
            Self::Mesh => "Mesh",
        }
    }

    /// What it is, in a sentence.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Ground => "Everything below a plane (half-space)",
            Self::Ball => "A ball (sphere)",
            Self::Box => "A box, turned as you like",
            Self::Capsule => "A rod with round ends",
            Self::Ring => "A ring with a round section (torus)",
            Self::Funnel => "A line turned around an axis: a funnel, a bowl, a bottle (surface of revolution)",
            Self::Mesh => "The triangles of a mesh file",
        }
    }

    /// A shape in proportion to bodies between the corners `low` and `high` [m]: below them, or above them where there is a
    /// ground. A mesh keeps its size.
    fn shape(self, (low, high): (Vec3, Vec3), grounded: bool, gap: f64, mesh: MeshFile) -> Shape {
        let size = (high - low).norm();
        let middle = 0.5 * (low + high);
        let beside = |half_height: f64| -> [f64; 3] {
            let y = if grounded { high.y + 0.1 * size + half_height } else { low.y - gap - half_height };
            [middle.x, y, middle.z].map(|x| round(x, size))
        };
        let part = |share: f64| round(share * size, size);
        match self {
            Self::Ground => Shape::HalfSpace { point: [0.0, low.y - gap, 0.0], normal: [0.0, 1.0, 0.0] },
            Self::Ball => Shape::Sphere { center: beside(part(0.2)), radius: part(0.2) },
            Self::Box => Shape::Box { center: beside(0.5 * part(0.1)), size: [part(0.5), part(0.1), part(0.5)], rotate_degrees: [0.0; 3] },
            Self::Capsule => {
                let [x, y, z] = beside(part(0.06));
                Shape::Capsule { from: [x - part(0.3), y, z], to: [x + part(0.3), y, z], radius: part(0.06) }
            }
            Self::Ring => Shape::Torus {
                center: beside(part(0.08)),
                axis: [0.0, 1.0, 0.0],
                ring_radius: part(0.3),
                tube_radius: part(0.08),
                segments: 48,
            },
            Self::Funnel => {
                let profile = vec![[part(0.12), part(-0.25)], [part(0.12), part(-0.1)], [part(0.5), part(0.25)]];
                Shape::Revolution { center: beside(part(0.25)), axis: [0.0, 1.0, 0.0], profile, segments: 48 }
            }
            Self::Mesh => {
                let (lowest, highest) = mesh.bounds;
                let to = Vec3::from(beside(0.5 * (highest.y - lowest.y) + gap)) - 0.5 * (lowest + highest);
                let transform = Transform { translate: to.map(|x| round(x, size)).into(), ..Transform::default() };
                Shape::Mesh { mesh: mesh.path, unit: Unit::default(), up: UpAxis::default(), transform }
            }
        }
    }
}

/// A mesh file for an obstacle; of no meaning for other shapes.
#[derive(Debug, Clone)]
pub struct MeshFile {
    /// Its path in the scene.
    pub path: String,
    /// Smallest and largest coordinates in it [m].
    pub bounds: (Vec3, Vec3),
}

impl Default for MeshFile {
    fn default() -> Self {
        Self { path: String::new(), bounds: (Vec3::zeros(), Vec3::zeros()) }
    }
}

impl MeshFile {
    /// Reads how large the mesh is that `file` holds; scenes in `folder` will name it.
    ///
    /// # Errors
    /// What is wrong with the file, in words.
    pub fn read(file: &Path, folder: &Path) -> Result<Self, String> {
        let file = absolute(file);
        let raw = aplomb_sim::import::read(&file, &Unwatched).map_err(|error| error.to_string())?;
        let surface = TriangleMesh::from_raw(&raw, 1.0, UpAxis::default())?;
        Ok(Self { path: relative(&file, folder), bounds: bounding_box(&surface.positions) })
    }
}

/// An obstacle for `scene`, whose bodies lie between the corners `bounds` [m].
pub fn new_obstacle(scene: &Scene, kind: ShapeKind, bounds: (Vec3, Vec3), mesh: MeshFile) -> Obstacle {
    let grounded = scene.obstacles.iter().any(|obstacle| matches!(obstacle.shape, Shape::HalfSpace { .. }));
    let gap = 0.5 * scene.contact.barrier_distance * (bounds.1 - bounds.0).norm();
    Obstacle {
        name: free_name(&kind.label().to_lowercase(), scene.obstacles.iter().map(|obstacle| obstacle.name.as_str())),
        shape: kind.shape(bounds, grounded, gap, mesh),
        friction: 0.5,
        removed_at: None,
        wall: WallCondition::default(),
        motion: None,
    }
}

/// `value` to a thousandth of the largest power of ten in `size`: numbers that people can read.
fn round(value: f64, size: f64) -> f64 {
    // Divided by a whole number, so that 0.12 is 0.12 and not 0.12000000000000001.
    let steps = 10.0_f64.powf(3.0 - size.max(1e-9).log10().floor());
    (value * steps).round() / steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_obstacle_stands_clear_of_the_bodies_and_has_a_name_of_its_own() {
        let bounds = (Vec3::new(-0.1, 0.0, -0.2), Vec3::new(0.3, 0.5, 0.2));
        let mut scene = Scene::empty("test");
        for kind in ShapeKind::PLAIN {
            let obstacle = new_obstacle(&scene, kind, bounds, MeshFile::default());
            assert_eq!(ShapeKind::of(&obstacle.shape), kind);
            assert!(scene.obstacles.iter().all(|other| other.name != obstacle.name));
            if let Shape::Sphere { center, radius } = obstacle.shape {
                // The ground is there by now.
                assert!(center[1] - radius > bounds.1.y);
            }
            scene.obstacles.push(obstacle);
        }
        assert_eq!(new_obstacle(&scene, ShapeKind::Ring, bounds, MeshFile::default()).name, "ring 2");
    }
}
