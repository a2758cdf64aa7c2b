//! Isosurface stuffing: fills a signed distance field with well-shaped tets (Labelle & Shewchuk 2007).
//!
//! ```text
//! field -> sample (BCC lattice) -> warp (cuts, snapped vertices) -> stencil (tets) -> repair -> Stuffing
//!                               -> grade (larger cubes inside)   -> coarse (tets)  ->
//! ```
//!
//! The surface is the zero set, resolved to the cell size; sharp edges are rounded to it. On a uniform lattice all
//! dihedral angles lie between 9 and 165 degrees: above 10 wherever the tests looked, however rough the field;
//! [`improve`] then makes it 20 to 35.

use rayon::prelude::*;

use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

mod apart;
pub mod boundary;
mod coarse;
mod cone;
pub mod field;
pub mod fill;
mod grade;
pub mod implicit;
pub mod improve;
mod islands;
mod lattice;
mod losses;
mod parts;
pub mod quality;
pub mod repair;
mod resolve;
mod sample;
mod settle;
pub mod size;
pub mod solid;
pub mod sound;
pub mod soup;
mod stencil;
pub mod thin;
mod untangle;
mod warp;

#[cfg(test)]
mod fill_tests;
#[cfg(test)]
mod shared_surfaces;
#[cfg(test)]
mod tests;

pub use field::SignedDistanceField;
pub use repair::Repairs;
pub use resolve::MEAN_EDGE;
pub use sound::{Unsound, sound};

use stencil::CUT;

/// What [`tetrahedralise`] may choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Edge of a cube of the lattice [m]; a cube holds twelve tets.
    pub cell: f64,
    /// Most cubes that the bounding box may take, whether sampled or not.
    pub max_cells: usize,
    /// Components with fewer tets than this share of the largest one are dropped.
    pub min_part: f64,
    /// Largest cell far inside over that at the surface: 1 (or anything below 2) for a uniform lattice; of more, the next
    /// lower power of two.
    pub grading: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { cell: 0.05, max_cells: 1 << 30, min_part: 0.01, grading: 1.0 }
    }
}

/// A tetrahedralised solid.
#[derive(Debug, Clone, Default)]
pub struct Stuffing {
    /// Vertex positions [m].
    pub positions: Vec<Vec3>,
    /// Positively oriented tets.
    pub tets: Vec<[u32; 4]>,
    /// Number of face-connected components.
    pub components: usize,
    /// What had to be repaired.
    pub repairs: Repairs,
}

/// Why a solid cannot be tetrahedralised.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum StuffingError {
    /// The cell size makes no sense.
    #[error("the cell size is {cell} m; it must be a positive number")]
    Cell {
        /// As given.
        cell: f64,
    },
    /// The bounds are empty or not finite.
    #[error("the bounds of the solid, {low:?} to {high:?}, are not a box of finite, positive size")]
    Bounds {
        /// Smallest corner.
        low: Vec3,
        /// Largest corner.
        high: Vec3,
    },
    /// More cubes than allowed.
    #[error("a cell of {cell} m cuts the bounding box into {cells:.3e} cells, more than {max}; choose a larger cell")]
    TooManyCells {
        /// Cubes needed.
        cells: f64,
        /// Cubes allowed.
        max: usize,
        /// The cell size [m].
        cell: f64,
    },
    /// The solid reaches past its bounds.
    #[error("the solid reaches past its bounds, at {at:?}")]
    OutOfBounds {
        /// Where [m].
        at: Vec3,
    },
    /// NaN.
    #[error("the signed distance is not a number at {at:?}")]
    NotANumber {
        /// Where [m].
        at: Vec3,
    },
    /// Nothing is inside, at this cell size.
    #[error("no lattice vertex lies inside the solid; choose a cell smaller than {cell:.2e} m")]
    Empty {
        /// The cell size [m].
        cell: f64,
    },
    /// No triangle has an area.
    #[error("the surface has no triangle with an area; export a surface of triangles")]
    NoTriangles,
    /// A coordinate is not a number.
    #[error("vertex {vertex} of the surface has a coordinate that is not a finite number")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A corner past the vertices.
    #[error("triangle {triangle} of the surface names a vertex that does not exist; there are {count}")]
    NoSuchVertex {
        /// The triangle.
        triangle: usize,
        /// How many vertices there are.
        count: usize,
    },
    /// Nothing is inside of the triangles.
    #[error("the surface encloses no volume: it is a sheet, or too open; close it: only what has an inside can be filled")]
    Sheet,
    /// More tets than fit into memory.
    #[error("about {tets:.1e} tets are wanted, more than {most}; choose fewer, or edges of {length:.2e} m or more")]
    TooManyTets {
        /// As many as are expected.
        tets: f64,
        /// How many are allowed.
        most: usize,
        /// Length of the edges that gives about as many [m].
        length: f64,
    },
    /// Stopped from outside.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Fills the region where `field` is negative with tets.
///
/// The result is the same bit for bit whatever the number of threads.
///
/// # Errors
/// See [`StuffingError`].
pub fn tetrahedralise(field: &impl SignedDistanceField, options: &Options, watch: &impl Watch) -> Result<Stuffing, StuffingError> {
    watch.progress("sampling", 0.0);
    let samples = sample::Samples::new(field, options, watch)?;
    watch.progress("finding the surface", 0.4);
    let warped = warp::Warped::new(field, &samples, watch)?;
    watch.progress("stuffing", 0.7);
    let levels = grade::Levels::new(&samples, options.grading);
    let nodes = (0..samples.len())
        .into_par_iter()
        .map(|b| {
            watch.check()?;
            let mut tets = Vec::new();
            for centre in samples.vertices(b).filter(|c| c[0] % 2 == 1 && levels.at(*c) == 0) {
                stencil::stuff(&samples, &warped, &levels, centre, &mut tets);
                coarse::fill_cube(&levels, centre, &mut tets);
            }
            levels.leaves(b).for_each(|leaf| coarse::fill_leaf(&levels, leaf, &mut tets));
            Ok(tets)
        })
        .collect::<Result<Vec<_>, StuffingError>>()?
        .concat();
    if nodes.is_empty() {
        return Err(StuffingError::Empty { cell: options.cell });
    }
    watch.progress("repairing", 0.9);
    let mut names: Vec<u64> = nodes.iter().flatten().copied().collect();
    names.par_sort_unstable();
    names.dedup();
    let index = |node: &u64| names.binary_search(node).map_or(u32::MAX, |i| i as u32);
    let mut tets: Vec<[u32; 4]> = nodes.par_iter().map(|t| [index(&t[0]), index(&t[1]), index(&t[2]), index(&t[3])]).collect();
    let mut positions: Vec<Vec3> = names
        .iter()
        .map(|&n| if n & CUT == 0 { warped.position(&samples.frame, n) } else { warped.cuts[(n & !CUT) as usize].position })
        .collect();
    let (copies, repairs) = repair::repair(&mut tets, positions.len(), options.min_part);
    positions.extend(copies.iter().map(|&v| positions[v as usize]).collect::<Vec<_>>());
    drop_unused(&mut positions, &mut tets);
    let components = boundary::components(&tets).1;
    watch.progress("repairing", 1.0);
    Ok(Stuffing { positions, tets, components, repairs })
}

/// Drops the vertices that no tet uses and renumbers the rest in their old order.
fn drop_unused(positions: &mut Vec<Vec3>, tets: &mut [[u32; 4]]) {
    let mut renumbered = vec![u32::MAX; positions.len()];
    tets.iter().flatten().for_each(|&v| renumbered[v as usize] = 0);
    for (next, slot) in (0..).zip(renumbered.iter_mut().filter(|s| **s == 0)) {
        *slot = next;
    }
    let mut of = renumbered.iter();
    positions.retain(|_| of.next().is_some_and(|&n| n != u32::MAX));
    tets.iter_mut().flatten().for_each(|v| *v = renumbered[*v as usize]);
}
