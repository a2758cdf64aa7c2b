//! Scene -> [`System`]: masses, loads, constraints and families of elements over one node space.

pub mod build;
pub mod prepared;
pub mod select;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::contact::obstacle::PlacedObstacle;
use crate::element::Family;
use crate::linear::NodeMatrixPattern;
use crate::math::Vec3;
use crate::mesh::TetMesh;
use crate::scene::{ContactSettings, InitialiseSettings, MaterialSettings, SimulateSettings};

/// Everything that is balanced and stepped.
pub struct System {
    /// The shape that the artist gave: the positions to be held [m].
    pub positions: Vec<Vec3>,
    /// Lumped masses [kg], computed from the given shape; no rest state changes them.
    pub masses: Vec<f64>,
    /// Nodes held in place.
    pub fixed: Vec<bool>,
    /// Acceleration of gravity [m/s^2].
    pub gravity: Vec3,
    /// Families of elements.
    pub families: Vec<Box<dyn Family>>,
    /// Where each body lies in the node and element numbering.
    pub bodies: Vec<PlacedBody>,
    /// Rigid obstacles.
    pub obstacles: Vec<PlacedObstacle>,
    /// Every (surface node, obstacle) pair that may touch, ordered by node, then obstacle.
    pub pairs: Vec<TouchPair>,
    /// Diagonal of the bounding box of the given shape [m].
    pub diagonal: f64,
    /// Contact settings of the scene.
    pub contact: ContactSettings,
    /// Initialisation settings of the scene.
    pub initialise: InitialiseSettings,
    /// Time stepping settings of the scene.
    pub simulate: SimulateSettings,
    /// Pattern of node matrices, made when first asked for.
    pub pattern: OnceLock<Arc<NodeMatrixPattern>>,
}

/// A body inside a [`System`].
#[derive(Debug, Clone)]
pub struct PlacedBody {
    /// Name in the scene.
    pub name: String,
    /// Its nodes.
    pub nodes: Range<usize>,
    /// Its elements, in the family of tetrahedra.
    pub elements: Range<usize>,
    /// Its mesh as placed in the scene; indices count from the body's first node.
    pub mesh: TetMesh,
    /// Stiffness-proportional damping of each element [s].
    pub damping: Vec<f64>,
    /// The materials of its elements, and which of them each element has.
    pub materials: Vec<MaterialSettings>,
    /// Index into `materials` of each element.
    pub material_of: Vec<u32>,
}

/// A surface node that may touch an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchPair {
    /// The node.
    pub node: u32,
    /// The obstacle.
    pub obstacle: u32,
    /// Friction coefficient of the pair.
    pub friction: f64,
}

impl System {
    /// Nodes of all tets of all bodies.
    pub fn tets(&self) -> Vec<[u32; 4]> {
        let placed = |body: &PlacedBody| {
            let first = body.nodes.start as u32;
            body.mesh.tets.iter().map(move |tet| tet.map(|vertex| vertex + first)).collect::<Vec<_>>()
        };
        self.bodies.iter().flat_map(placed).collect()
    }

    /// Pattern of matrices on the free nodes: its order and symbolic factorisation are found once, and shared.
    pub fn pattern(&self) -> Arc<NodeMatrixPattern> {
        let free = || self.fixed.iter().map(|fixed| !fixed).collect::<Vec<bool>>();
        Arc::clone(self.pattern.get_or_init(|| Arc::new(NodeMatrixPattern::new(&free(), &self.families))))
    }

    /// Largest load on a node [N], by which residuals are measured; 1 where there is none.
    pub fn largest_load(&self) -> f64 {
        let largest = self.gravity.norm() * self.masses.iter().copied().fold(0.0, f64::max);
        if largest > 0.0 { largest } else { 1.0 }
    }

    /// External force on each node [N]: gravity on its mass.
    pub fn loads(&self) -> Vec<Vec3> {
        self.masses.iter().map(|&m| m * self.gravity).collect()
    }
}
