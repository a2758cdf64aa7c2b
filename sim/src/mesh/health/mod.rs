//! What is right and wrong with a mesh that somebody brings: told, shown, and nothing changed.

mod boundary;
mod directions;
mod edges;
mod examine;
mod faces;
mod guess;
mod intersect;
mod manifold;
mod nesting;
mod orientation;
mod polygons;
mod surface;
mod tets;
mod unit;
mod up;
mod weld;

#[cfg(test)]
mod shared_files;
#[cfg(test)]
mod tests;

pub use boundary::{Hole, holes};
pub use edges::{Mate, Mates, ends as side_ends};
pub use examine::examine;
pub use faces::{duplicates as duplicate_triangles, has_no_area, is_degenerate};
pub use guess::{Certainty, Guess};
pub use intersect::{Intersecting, intersecting_groups, self_intersections};
pub use nesting::{inside_out, is_bulky};
pub use orientation::{Shell, Sides, sides};
pub use unit::{name as unit_name, shown_length, stated as stated_unit};
pub use weld::equal_vertices;

use super::MeshProblem;
use super::mend::in_order;
use crate::import::{Unit, UpAxis};
use crate::math::Vec3;
use crate::mesh::mend::SurfaceRepair;

/// The report on a mesh file.
#[derive(Debug, Clone, PartialEq)]
pub struct Health {
    /// Name of the file's format.
    pub format: &'static str,
    /// Vertices in the file.
    pub vertices: usize,
    /// Triangles, those that larger faces are cut into included.
    pub triangles: usize,
    /// Tets.
    pub tets: usize,
    /// Polylines.
    pub strands: usize,
    /// Elements of other kinds, which are not used: name and count.
    pub other_elements: Vec<(String, usize)>,
    /// Parts without a common vertex; vertices at exactly the same point are one.
    pub components: usize,
    /// Smallest and largest coordinates of the vertices in use [m], in the scene's axes; zeros without any.
    pub bounding_box: [Vec3; 2],
    /// Volume [m^3]: of the tets, or inside the closed parts of the surface; none where a part is open. It is the sum of the parts:
    /// where these pass through one another (see the findings), what is in two of them counts twice.
    pub volume: Option<f64>,
    /// Whether faces were looked at with equal vertices joined, because the file gives most faces vertices of their own.
    pub joined: bool,
    /// The unit of the file's coordinates.
    pub unit: Guess<Unit>,
    /// The file's axis that points up.
    pub up: Guess<UpAxis>,
    /// What was found, each kind once, what matters most first.
    pub findings: Vec<Finding>,
}

impl Health {
    /// The repairs that are offered, in an order in which each helps the next.
    pub fn safe_repairs(&self) -> Vec<SurfaceRepair> {
        let mut repairs: Vec<SurfaceRepair> = self.findings.iter().filter_map(|finding| finding.fix).collect();
        in_order(&mut repairs);
        repairs.dedup();
        repairs
    }
}

/// One kind of finding, where it is, and what would mend it.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What, how many, and in words.
    pub problem: MeshProblem,
    /// All places.
    pub place: Highlight,
    /// A repair that is safe: it changes nothing else.
    pub fix: Option<SurfaceRepair>,
}

/// Parts of a mesh to be shown; indices in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Highlight {
    /// Vertices.
    pub vertices: Vec<u32>,
    /// Edges by their ends.
    pub edges: Vec<[u32; 2]>,
    /// Triangles.
    pub triangles: Vec<u32>,
    /// Tets.
    pub tets: Vec<u32>,
}

impl Highlight {
    /// These vertices.
    pub fn vertices(vertices: Vec<u32>) -> Self {
        Self { vertices, ..Self::default() }
    }

    /// These edges.
    pub fn edges(edges: Vec<[u32; 2]>) -> Self {
        Self { edges, ..Self::default() }
    }

    /// These triangles.
    pub fn triangles(triangles: Vec<u32>) -> Self {
        Self { triangles, ..Self::default() }
    }

    /// These tets.
    pub fn tets(tets: Vec<u32>) -> Self {
        Self { tets, ..Self::default() }
    }
}
