//! [`World`]: several boxes and surfaces that touch each other, put together by hand.

use std::sync::Arc;

use aplomb_sim::bodies::solid::Solid;
use aplomb_sim::contact::obstacle::PlacedObstacle;
use aplomb_sim::contact::surface::{CollisionSurface, PairRules, PartInput};
use aplomb_sim::element::Batch;
use aplomb_sim::element::tet::Tet;
use aplomb_sim::material::Material;
use aplomb_sim::math::{Vec3, bounding_diagonal};
use aplomb_sim::mesh::TetMesh;
use aplomb_sim::mesh::topology::Faces;
use aplomb_sim::scene::{Shape, Transform, Unit, UpAxis};
use aplomb_sim::system::{DrivenNode, MeshObstacle, Motion, PlacedBody, Span, System};

use crate::BoxBody;

/// A system in the making: bodies first, then surfaces that are obstacles.
#[derive(Default)]
pub struct World {
    /// Everything but elements and contact surface, free to be changed before [`World::finish`].
    pub system: System,
    tets: Vec<[u32; 4]>,
    materials: Vec<Arc<dyn Material>>,
    parts: Vec<PartInput>,
}

impl World {
    /// Nothing yet, under gravity along -y.
    pub fn on_earth() -> Self {
        let system = System { gravity: Vec3::new(0.0, -9.81, 0.0), ..System::default() };
        Self { system, ..Self::default() }
    }

    /// Adds a box, each vertex of which is put where `place` says; a motion without mirroring.
    pub fn body(mut self, body: &BoxBody, place: impl Fn(Vec3) -> Vec3) -> Self {
        let (positions, tets) = body.mesh();
        let positions: Vec<Vec3> = positions.into_iter().map(place).collect();
        let (first, first_element, count) = (self.system.positions.len(), self.tets.len(), tets.len());
        let mesh = TetMesh {
            surface: Faces::of(&tets).boundary(&tets).0,
            components: vec![0; count],
            tags: vec![0; count],
            positions,
            tets,
            ..TetMesh::default()
        };
        self.system.positions.extend(&mesh.positions);
        self.system.masses.extend(mesh.lumped_masses(&vec![body.density; count]));
        self.system.fixed.resize(self.system.positions.len(), false);
        self.tets.extend(mesh.tets.iter().map(|tet| tet.map(|n| n + first as u32)));
        self.materials.extend(vec![body.material(); count]);
        let name = format!("body {}", self.parts.len());
        let triangles = mesh.surface.iter().map(|face| face.map(|n| n + first as u32)).collect();
        self.parts.push(PartInput::triangles(name.clone(), triangles));
        self.system.bodies.push(PlacedBody {
            name,
            nodes: first..self.system.positions.len(),
            internal: 0..0,
            spans: vec![Span { family: 0, elements: first_element..first_element + count }],
            mesh: mesh.into(),
            matter: Arc::new(Solid::uniform(body.settings(), count)),
        });
        self
    }

    /// Adds an obstacle that is a surface of triangles; it follows `motion`, if there is one.
    pub fn surface(mut self, positions: &[Vec3], triangles: &[[u32; 3]], motion: Option<Motion>) -> Self {
        let system = &mut self.system;
        let first = system.positions.len();
        system.positions.extend(positions);
        let nodes = first..system.positions.len();
        system.masses.resize(nodes.end, 0.0);
        system.fixed.resize(nodes.end, true);
        let motion = motion.map(|motion| {
            system.motions.push(motion);
            system.motions.len() as u32 - 1
        });
        system.driven.extend(nodes.clone().filter_map(|node| Some(DrivenNode { node: node as u32, motion: motion? })));
        let triangles: Vec<_> = triangles.iter().map(|t| t.map(|n| n + first as u32)).collect();
        let obstacle = system.obstacles.len() as u32;
        let name = format!("surface {obstacle}");
        let shape = Shape::Mesh { mesh: String::new(), unit: Unit::Metre, up: UpAxis::Y, transform: Transform::default() };
        system.obstacles.push(PlacedObstacle::new(&name, shape));
        system.mesh_obstacles.push(MeshObstacle {
            obstacle,
            nodes,
            triangles: triangles.clone(),
            radius: None,
            inside: None,
            thickness: f64::INFINITY,
            motion,
        });
        self.parts.push(PartInput::triangles(name, triangles));
        self
    }

    /// The system: undeformed elements, and surfaces that touch each other with that friction, but not themselves.
    ///
    /// # Panics
    /// If an element or a surface cannot be used.
    pub fn finish(self, friction: f64) -> System {
        let Self { mut system, tets, materials, parts } = self;
        #[allow(clippy::expect_used, reason = "boxes are not degenerate")]
        let elements: Batch<Tet, 4, 6> = Batch::at_rest(&system.positions, &tets, &materials).expect("elements with volume");
        system.families = vec![Box::new(elements)];
        system.diagonal = bounding_diagonal(&system.positions[..system.body_nodes()]);
        let mut rules = PairRules::all_touch(parts.len(), friction);
        (0..parts.len() as u32).for_each(|part| rules.set(part, part, None));
        let movable = system.fixed.iter().map(|fixed| !fixed).collect();
        #[allow(clippy::expect_used, reason = "surfaces of boxes are sound")]
        let surface = CollisionSurface::new(&system.positions, parts, rules, movable).expect("sound surfaces");
        system.surface = surface;
        system
    }
}

/// Least-squares slope of log(errors) over log(sizes).
pub fn fitted_order(sizes: &[f64], errors: &[f64]) -> f64 {
    let logs: Vec<(f64, f64)> = sizes.iter().zip(errors).map(|(h, e)| (h.ln(), e.ln())).collect();
    let count = logs.len() as f64;
    let (mean_h, mean_e) = logs.iter().fold((0.0, 0.0), |(a, b), (h, e)| (a + h / count, b + e / count));
    let across: f64 = logs.iter().map(|(h, e)| (h - mean_h) * (e - mean_e)).sum();
    across / logs.iter().map(|(h, _)| (h - mean_h).powi(2)).sum::<f64>()
}
