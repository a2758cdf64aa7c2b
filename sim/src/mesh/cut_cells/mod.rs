//! Cut cells: a closed surface cut by a regular grid of cells (Muller et al. 2022, "Physically Based Shape Matching", 3.4). Each connected
//! piece of a cell's solid is a polyhedron over vertices of the surface, where the grid cuts it, and corners of the grid inside.
//!
//! ```text
//! slice: triangles by planes -> polygons, each in one cell
//! lines: where grid lines pierce the surface -> which parts of them are inside
//! pieces: polygons, and the caps between them on the sides of a cell -> connected pieces, with their volumes
//! ```
//!
//! Sides of planes are decided once a vertex, so that whatever rounding does, neighbours agree. Caps are never made: their areas follow from
//! their borders, by Green's theorem.

mod grid;
mod lines;
mod pieces;
mod slice;
#[cfg(test)]
mod tests;

use self::grid::Grid;
use super::clusters::Clusters;
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// A surface that was cut.
#[derive(Debug, Clone)]
pub struct CutCells {
    /// The vertices of the surface, in their order and where they were, then those that cutting made, then corners of the grid [m].
    pub positions: Vec<Vec3>,
    /// The same surface, as triangles that no plane of the grid crosses.
    pub surface: Vec<[u32; 3]>,
    /// The pieces.
    pub pieces: Clusters,
    /// How many pieces were too thin for one of their own, and are parts of a neighbour.
    pub merged: usize,
}

/// Why a surface cannot be cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Uncut {
    /// The user has had enough.
    Cancelled,
    /// In words, what is wrong.
    Fault(String),
}

impl From<Cancelled> for Uncut {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Cells a body at most.
const MOST_CELLS: f64 = 2e6;

/// Cuts a closed surface of outward oriented triangles by cells with edges of `size` [m].
///
/// # Errors
/// [`Uncut`]: a surface that is open or encloses no volume, cells that are too many, and one that was cancelled.
pub fn cut(positions: &[Vec3], triangles: &[[u32; 3]], size: f64, watch: &dyn Watch) -> Result<CutCells, Uncut> {
    let fault = |message: String| Err(Uncut::Fault(message));
    if let Some([a, b]) = open_edge(triangles) {
        return fault(format!(
            "its surface is not closed or not oriented at the edge of vertices {a} and {b}; mend it first (`aplomb import --repair`)"
        ));
    }
    if !encloses(positions, triangles) {
        return fault("its surface encloses no volume; turn its triangles round (`aplomb import --repair`)".into());
    }
    let grid = Grid::over(positions, triangles, size);
    let count = grid.count();
    if count.is_nan() || count > MOST_CELLS {
        return fault(format!("cells of {size} m would be {count:.1e}, and {MOST_CELLS:.0e} are the most; take a larger size"));
    }
    let sliced = slice::slice(positions, triangles, &grid, watch)?;
    let lines = lines::inside(&sliced, &grid)?;
    watch.check()?;
    let (pieces, merged) = pieces::pieces(&sliced, &lines, &grid);
    let surface = sliced.polygons.iter().flat_map(|polygon| slice::triangulated(&polygon.vertices, &sliced.positions)).collect();
    Ok(CutCells { positions: lines.positions, surface, pieces, merged })
}

/// Whether triangles enclose a volume, and do not leave one out.
fn encloses(positions: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    let Some(origin) = triangles.first().map(|t| positions[t[0] as usize]) else { return false };
    let cone = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| positions[v as usize] - origin);
        a.dot(&b.cross(&c))
    };
    triangles.iter().map(cone).sum::<f64>() > 0.0
}

/// An edge that has not one triangle on each side.
fn open_edge(triangles: &[[u32; 3]]) -> Option<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    edges.sort_unstable();
    let is_twice = edges.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    is_twice.or_else(|| edges.iter().copied().find(|&[a, b]| edges.binary_search(&[b, a]).is_err()))
}
