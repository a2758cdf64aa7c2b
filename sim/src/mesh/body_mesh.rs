//! [`BodyMesh`]: the mesh of a body of any kind, cells of one sort over its nodes.

use std::sync::Arc;

use super::clusters::Clusters;
use super::hairs::Hairs;
use super::problem::MeshProblem;
use super::sewing::{Pattern, Seam};
use super::skin::Skin;
use super::surface::vertices_of;
use super::tet_mesh::TetMesh;
use crate::math::Vec3;

/// Cells: what a body's elements are made on, and what regions select by index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cells {
    /// Lone points.
    Points(Vec<[u32; 1]>),
    /// Straight lines between two vertices.
    Lines(Vec<[u32; 2]>),
    /// Triangles.
    Triangles(Vec<[u32; 3]>),
    /// Tetrahedra, positively oriented.
    Tets(Vec<[u32; 4]>),
}

impl Default for Cells {
    fn default() -> Self {
        Self::Tets(Vec::new())
    }
}

impl Cells {
    /// The vertices of all cells, one cell after the other.
    pub fn vertices(&self) -> &[u32] {
        match self {
            Self::Points(cells) => cells.as_flattened(),
            Self::Lines(cells) => cells.as_flattened(),
            Self::Triangles(cells) => cells.as_flattened(),
            Self::Tets(cells) => cells.as_flattened(),
        }
    }

    /// Vertices a cell.
    pub fn width(&self) -> usize {
        match self {
            Self::Points(_) => 1,
            Self::Lines(_) => 2,
            Self::Triangles(_) => 3,
            Self::Tets(_) => 4,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.vertices().len() / self.width()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.vertices().is_empty()
    }

    /// The vertices of each cell.
    pub fn iter(&self) -> std::slice::ChunksExact<'_, u32> {
        self.vertices().chunks_exact(self.width())
    }

    /// The vertices of cell `c`.
    pub fn get(&self, c: usize) -> Option<&[u32]> {
        self.vertices().get(self.width() * c..self.width() * (c + 1))
    }

    /// What they are called, in the plural.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Points(_) => "points",
            Self::Lines(_) => "lines",
            Self::Triangles(_) => "triangles",
            Self::Tets(_) => "tets",
        }
    }
}

/// The mesh of a body as placed: every index is valid, every coordinate finite.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BodyMesh {
    /// Vertex positions in the given shape [m], one a node of the body.
    pub positions: Vec<Vec3>,
    /// Its cells.
    pub cells: Cells,
    /// Physical tag of each cell as the file gave it; 0 where it gave none.
    pub tags: Vec<i32>,
    /// Component of each cell: of tets those joined through faces have the same number, of other cells those that share a vertex;
    /// numbered from 0 by their first cell.
    pub components: Vec<u32>,
    /// Triangles of its surface as vertices, outward oriented where they enclose it; none of what has no surface.
    pub surface: Vec<[u32; 3]>,
    /// Edges that may touch without being sides of triangles that enclose the body.
    pub free_edges: Vec<[u32; 2]>,
    /// Tets that other cells run along the edges of, by which they have a volume.
    pub spanned_tets: Vec<[u32; 4]>,
    /// Index in the source of each vertex; of those that were made for the body, which come last, none.
    pub source_vertices: Vec<u32>,
    /// Index in the source of each cell, where its cells are those of the source.
    pub source_cells: Vec<u32>,
    /// Radius with which its lines and points are drawn [m]; 0 for as thin as can be seen.
    pub radius: f64,
    /// How thick it is where its cells are triangles or lines [m]; these lie in its middle. 0 where that is not told.
    pub thickness: f64,
    /// The flat pattern that its triangles rest in; `None` where they rest in space.
    pub pattern: Option<Pattern>,
    /// Vertices that are sewn to triangles.
    pub seams: Vec<Seam>,
    /// Sets of vertices that its elements are made on, where these are no cells.
    pub clusters: Clusters,
    /// The surface that it was made of, where it was filled with tets.
    pub skin: Option<Skin>,
    /// What is seen between its lines, where these guide it.
    pub hairs: Option<Arc<Hairs>>,
    /// What was found in the source, fixed or not.
    pub problems: Vec<MeshProblem>,
}

impl From<TetMesh> for BodyMesh {
    fn from(mesh: TetMesh) -> Self {
        Self {
            positions: mesh.positions,
            cells: Cells::Tets(mesh.tets),
            tags: mesh.tags,
            components: mesh.components,
            surface: mesh.surface,
            free_edges: Vec::new(),
            spanned_tets: Vec::new(),
            source_vertices: mesh.source_vertices,
            source_cells: mesh.source_tets,
            radius: 0.0,
            thickness: 0.0,
            pattern: None,
            seams: Vec::new(),
            clusters: Clusters::default(),
            skin: mesh.skin,
            hairs: None,
            problems: mesh.problems,
        }
    }
}

impl BodyMesh {
    /// Its tets; none where its cells are others.
    pub fn tets(&self) -> &[[u32; 4]] {
        match &self.cells {
            Cells::Tets(tets) => tets,
            _ => &[],
        }
    }

    /// The tets that fill it: its cells, or those that its cells run along the edges of.
    pub fn enclosed_tets(&self) -> &[[u32; 4]] {
        if self.is_open() { &self.spanned_tets } else { self.tets() }
    }

    /// Its lines; none where its cells are others.
    pub fn lines(&self) -> &[[u32; 2]] {
        match &self.cells {
            Cells::Lines(lines) => lines,
            _ => &[],
        }
    }

    /// Whether cells of its own are seen and touched from all sides: they enclose nothing.
    pub fn is_open(&self) -> bool {
        !matches!(self.cells, Cells::Tets(_))
    }

    /// The triangles that enclose it; none of what has an open surface or none.
    pub fn enclosure(&self) -> &[[u32; 3]] {
        let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
        let mut edges: Vec<[u32; 2]> = if self.is_open() { self.surface.iter().flat_map(sides).collect() } else { Vec::new() };
        edges.sort_unstable();
        let is_closed = edges.iter().all(|&[a, b]| edges.binary_search(&[b, a]).is_ok());
        if is_closed { &self.surface } else { &[] }
    }

    /// The faces that air blows onto, outward oriented: of what encloses nothing both sides.
    pub fn exposed(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let backs = if self.enclosure().is_empty() { &self.surface[..] } else { &[] };
        self.surface.iter().copied().chain(backs.iter().map(|&[a, b, c]| [a, c, b]))
    }

    /// The triangles that touch: those that enclose it, and cells of its own, open or not.
    pub fn touching_triangles(&self) -> &[[u32; 3]] {
        if matches!(self.cells, Cells::Triangles(_)) { &self.surface } else { self.enclosure() }
    }

    /// The vertices that touch as points: those of a body that is made of points.
    pub fn lone_points(&self) -> &[u32] {
        match &self.cells {
            Cells::Points(points) => points.as_flattened(),
            _ => &[],
        }
    }

    /// Middle of each cell [m]: the mean of its vertices.
    pub fn centroids(&self) -> Vec<Vec3> {
        let width = self.cells.width() as f64;
        self.cells.iter().map(|cell| cell.iter().map(|&v| self.positions[v as usize]).sum::<Vec3>() / width).collect()
    }

    /// The vertices that can be touched, ascending: those of the surface of tets, of other cells all.
    pub fn surface_vertices(&self) -> Vec<u32> {
        if self.is_open() { (0..self.positions.len() as u32).collect() } else { vertices_of(&self.surface, self.positions.len()) }
    }

    /// For each cell, the vertex nearest to its middle of those that can be touched: how what is painted reaches inside.
    pub fn nearest_surface_vertices(&self) -> Vec<u32> {
        super::surface::nearest_of(&self.surface_vertices(), &self.positions, &self.centroids())
    }

    /// How many components it has.
    pub fn component_count(&self) -> usize {
        self.components.iter().max().map_or(0, |&last| last as usize + 1)
    }
}
