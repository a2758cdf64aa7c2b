//! Helpers shared by the integration tests: small bodies made of cubes cut into tetrahedra.

mod above;
mod blocks;
mod crossings;
mod garment;
pub mod hostile;
mod moved;
mod program;
mod sheet;
mod world;

use std::path::PathBuf;
use std::sync::Arc;

use aplomb_sim::bodies::solid::Solid;
use aplomb_sim::contact::obstacle::PlacedObstacle;
use aplomb_sim::element::Batch;
use aplomb_sim::element::tet::Tet;
use aplomb_sim::material::{self, Material};
use aplomb_sim::math::{Vec3, bounding_diagonal};
use aplomb_sim::mesh::TetMesh;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::scene::{MaterialSettings, Shape};
use aplomb_sim::system::{PlacedBody, Span, System, TouchPair};

pub use above::above_ground;
pub use blocks::{Block, Blocks, Form};
pub use crossings::crossings;
pub use garment::Garment;
pub use moved::Moved;
pub use program::{errors, program, run_in};
pub use sheet::{Cut, Sheet};
pub use world::{World, fitted_order};

/// A box of one material.
pub struct BoxBody {
    /// Edge lengths [m].
    pub size: Vec3,
    /// Cubes along each axis.
    pub cells: [usize; 3],
    /// Name of the law.
    pub law: &'static str,
    /// Young's modulus [Pa].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density [kg/m^3].
    pub density: f64,
}

impl BoxBody {
    /// Positions and tets.
    pub fn mesh(&self) -> (Vec<Vec3>, Vec<[u32; 4]>) {
        box_mesh(self.size, self.cells, CubeCut::Kuhn)
    }

    /// The law with its moduli.
    ///
    /// # Panics
    /// If the law is not in the registry.
    pub fn material(&self) -> Arc<dyn Material> {
        #[allow(clippy::expect_used, reason = "a test with a wrong name is to fail")]
        let law = material::law(self.law).expect("a registered law");
        (law.build)(self.young, self.poisson)
    }

    /// The material as a scene says it.
    pub fn settings(&self) -> MaterialSettings {
        let Self { law, young, poisson, density, .. } = *self;
        MaterialSettings { law: law.to_owned(), young, poisson, density, damping: 0.0 }
    }

    /// Undeformed elements.
    pub fn elements(&self) -> Batch<Tet, 4, 6> {
        let (positions, tets) = self.mesh();
        let materials = vec![self.material(); tets.len()];
        #[allow(clippy::expect_used, reason = "cubes are not degenerate")]
        Batch::at_rest(&positions, &tets, &materials).expect("elements with volume")
    }

    /// A system of this body alone under gravity along -y, held where `fixed` says, with no obstacle.
    pub fn system(&self, fixed: impl Fn(&Vec3) -> bool) -> System {
        let (positions, tets) = self.mesh();
        let elements = self.elements();
        let mut masses = vec![0.0; positions.len()];
        for (tet, element) in tets.iter().zip(&elements.elements) {
            tet.iter().for_each(|&n| masses[n as usize] += self.density * element.rest_volume / 4.0);
        }
        let count = tets.len();
        let mesh = TetMesh { positions: positions.clone(), components: vec![0; count], tags: vec![0; count], tets, ..TetMesh::default() };
        System {
            masses,
            fixed: positions.iter().map(fixed).collect(),
            gravity: Vec3::new(0.0, -9.81, 0.0),
            families: vec![Box::new(elements)],
            bodies: vec![PlacedBody {
                name: "box".into(),
                nodes: 0..positions.len(),
                internal: 0..0,
                spans: vec![Span { family: 0, elements: 0..count }],
                mesh: mesh.into(),
                matter: Arc::new(Solid::uniform(self.settings(), count)),
            }],
            diagonal: bounding_diagonal(&positions),
            positions,
            ..System::default()
        }
    }
}

/// The folder of the repository.
pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A file of the meshes that are kept beside the repository; says loudly when it is not there.
pub fn shared_mesh(name: &str) -> Option<PathBuf> {
    let path = repository().join("../shared/meshes").join(name);
    if path.is_file() {
        return Some(path);
    }
    println!("SKIPPED: {} is missing", path.display());
    None
}

/// Adds a half-space through `point` with outward `normal` that every node may touch.
pub fn add_half_space(system: &mut System, point: [f64; 3], normal: [f64; 3], friction: f64) {
    let obstacle = system.obstacles.len() as u32;
    system.obstacles.push(PlacedObstacle::new(&format!("plane {obstacle}"), Shape::HalfSpace { point, normal }));
    system.pairs.extend((0..system.positions.len() as u32).map(|node| TouchPair { node, obstacle, friction }));
    system.pairs.sort_by_key(|pair| (pair.node, pair.obstacle));
}
