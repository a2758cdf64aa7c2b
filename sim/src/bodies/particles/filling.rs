//! A cubic lattice inside of a closed surface.

use rayon::prelude::*;

use crate::math::{Vec3, bounding_box};
use crate::mesh::tetrahedralise::soup::{Soup, is_closed};
use crate::mesh::triangle_tree::TriangleTree;
use crate::mesh::winding::Winding;
use crate::watch::{Cancelled, Watch};

/// Particles of a body at most.
pub const MOST: f64 = 1e6;
/// Places of a lattice that are looked at for each particle at most, of which most are outside of what is thin and slanting.
const MOST_OUTSIDE: f64 = 1e3;
/// Rows of a lattice between two looks at whether somebody has cancelled.
const ROWS: usize = 4096;

/// Why nothing was filled.
#[derive(Debug, Clone, PartialEq)]
pub enum Unfilled {
    /// Somebody cancelled.
    Cancelled,
    /// The surface is not closed, or encloses nothing; in words.
    Surface(String),
    /// The spacing does not suit it; in words.
    Spacing(String),
}

impl From<Cancelled> for Unfilled {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// The middles of the cubes with edges of `spacing` [m] that triangles enclose. The cubes begin at the lowest corner of the bounding box, so that a
/// box whose sides are multiples of the spacing is filled to the brim.
///
/// # Errors
/// [`Unfilled`]; the number of particles is foretold before one is made.
pub fn fill(positions: &[Vec3], triangles: &[[u32; 3]], spacing: f64, watch: &dyn Watch) -> Result<Vec<Vec3>, Unfilled> {
    let soup = Soup::new(positions, triangles, watch)?;
    if soup.triangles.is_empty() || !is_closed(&soup.triangles) {
        let open = soup.repairs.open_edges;
        let message = format!("its surface is open at {open} edges, so that nothing is inside; close the holes, or give a file of points");
        return Err(Unfilled::Surface(message));
    }
    let corners: Vec<Vec3> = soup.triangles.as_flattened().iter().map(|&v| positions[v as usize]).collect();
    let (low, high) = bounding_box(&corners);
    let sides = high - low;
    let volume =
        soup.triangles.iter().map(|t| t.map(|v| positions[v as usize] - low)).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum::<f64>();
    let foretold = volume.abs() / spacing.powi(3);
    let counts = sides.map(|side| (side / spacing).ceil());
    if foretold > MOST || counts.product() > MOST_OUTSIDE * MOST {
        let finest = spacing * (foretold / MOST).max(counts.product() / (MOST_OUTSIDE * MOST)).cbrt();
        let message = format!(
            "a spacing of {spacing} m would make about {foretold:.2e} particles, more than the {MOST:.0e} that a body may have; take at least {finest:.2e} m"
        );
        return Err(Unfilled::Spacing(message));
    }
    let larger = |what: &str| {
        let least = sides.min();
        Unfilled::Spacing(format!(
            "the spacing of {spacing} m is larger than {what}, whose smallest side is {least:.3e} m; take a smaller one"
        ))
    };
    if spacing > sides.min() {
        return Err(larger("the body"));
    }
    let tree = TriangleTree::new(positions, &soup.triangles);
    let winding = Winding::new(&tree);
    let [across, up, deep] = [counts.x as usize, counts.y as usize, counts.z as usize];
    let mut found = Vec::new();
    let rows: Vec<usize> = (0..across * up).collect();
    for some in rows.chunks(ROWS) {
        watch.check()?;
        let row = |&row: &usize| {
            let at = |k: usize| low + spacing * (Vec3::new((row / up) as f64, (row % up) as f64, k as f64) + Vec3::repeat(0.5));
            (0..deep).map(at).filter(|x| winding.around(&tree, x) > 0.5).collect::<Vec<_>>()
        };
        found.extend(some.par_iter().map(row).collect::<Vec<_>>().into_iter().flatten());
    }
    if found.is_empty() {
        return Err(larger("what is inside the surface"));
    }
    Ok(found)
}
