//! From a surface of triangles, in any state, to tets that fill what it encloses.
//!
//! ```text
//! triangles -> soup (clean) -> solid (signed distance) -> size (of the cells) -> tetrahedralise -> improve -> settle -> Filled
//! ```

use std::time::Instant;

use super::improve::{self, improve};
use super::settle::settle;
use super::size::{self, cell_for};
use super::solid::Solid;
use super::soup::{Soup, SoupRepairs};
use super::thin::{Thin, thin};
use super::{Options, Repairs, SignedDistanceField, Stuffing, StuffingError, quality, tetrahedralise};
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// How fine the tets are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// About so many tets.
    Tets(usize),
    /// Mean length of the edges at the surface [m].
    EdgeLength(f64),
}

/// What [`fill`] may choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FillOptions {
    /// How fine.
    pub size: Size,
    /// How much longer edges may be inside than at the surface; 1: all alike.
    pub grading: f64,
}

impl Default for FillOptions {
    fn default() -> Self {
        Self { size: Size::Tets(20_000), grading: 2.0 }
    }
}

/// A filled surface.
#[derive(Debug, Clone, Default)]
pub struct Filled {
    /// Vertex positions [m].
    pub positions: Vec<Vec3>,
    /// Positively oriented tets.
    pub tets: Vec<[u32; 4]>,
    /// How it went.
    pub report: FillReport,
}

/// How filling went.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct FillReport {
    /// Number of tets.
    pub tets: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Smallest dihedral angle of all tets [degrees].
    pub min_dihedral_degrees: f64,
    /// Volume of the tets over that of the surface, minus 1; none where the surface is open.
    pub volume_error: Option<f64>,
    /// Parts joined through faces.
    pub components: usize,
    /// Time taken [s].
    pub seconds: f64,
    /// Edge of the lattice's cubes [m].
    pub cell: f64,
    /// Where the solid is thinner than that.
    pub thin: Thin,
    /// What was done to the triangles before.
    pub surface: SoupRepairs,
    /// What was done to the tets after.
    pub repairs: Repairs,
}

/// Fills what a surface encloses with tets. Triangles may be given twice, face the wrong way, cross each other or leave holes;
/// a point counts as inside where they wrap around it by more than half. The result depends on nothing but the arguments.
///
/// # Errors
/// Positions that are not finite, corners that do not exist, a surface that encloses nothing, and those of [`tetrahedralise`].
pub fn fill(positions: &[Vec3], triangles: &[[u32; 3]], options: &FillOptions, watch: &dyn Watch) -> Result<Filled, StuffingError> {
    let start = Instant::now();
    check(positions, triangles)?;
    watch.progress("reading the surface", 0.0);
    watch.check()?;
    let soup = Soup::new(positions, triangles);
    if soup.triangles.is_empty() {
        return Err(StuffingError::NoTriangles);
    }
    let solid = Solid::new(positions, &soup.triangles, soup.closed);
    watch.check()?;
    watch.progress("measuring", 0.1);
    let measure = if soup.closed { solid.measure() } else { size::measure(&solid) };
    let (cell, mut mesh) = stuffed(&solid, measure, options, watch)?;
    improve(&mut mesh.positions, &mesh.tets, &|p| solid.nearest(p), &improve::Options::default(), &Part { watch, from: 0.7, to: 0.9 })?;
    watch.progress("settling", 0.9);
    watch.check()?;
    settle(&mut mesh.positions, &mesh.tets, &solid);
    watch.progress("checking", 0.95);
    watch.check()?;
    let Stuffing { positions, tets, components, repairs } = mesh;
    let volume: f64 = tets.iter().map(|t| quality::volume(&positions, t)).sum();
    let report = FillReport {
        tets: tets.len(),
        vertices: positions.len(),
        min_dihedral_degrees: quality::dihedral_extremes(&positions, &tets).0,
        volume_error: soup.closed.then(|| volume / measure.0 - 1.0),
        components,
        cell,
        thin: thin(&solid, cell, &positions, &tets),
        surface: soup.repairs,
        repairs,
        seconds: start.elapsed().as_secs_f64(),
    };
    watch.progress("checking", 1.0);
    Ok(Filled { positions, tets, report })
}

fn check(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), StuffingError> {
    if let Some(vertex) = positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(StuffingError::NotFinite { vertex });
    }
    let count = positions.len();
    match triangles.iter().position(|t| t.iter().any(|&v| v as usize >= count)) {
        Some(triangle) => Err(StuffingError::NoSuchVertex { triangle, count }),
        None => Ok(()),
    }
}

/// Edges at the surface over the edge of the lattice's cubes, on average.
pub const MEAN_EDGE: f64 = 0.8;
/// A number of tets is met if it is missed by no more than this.
const CLOSE: f64 = 0.05;
/// Stuffings at most, of which each knows better how many tets to expect; the best counts. Bodies with straight sides gain or lose
/// whole layers of cubes at a time, so that some numbers cannot be met.
const ATTEMPTS: u32 = 4;

/// The stuffing that is as fine as wanted, and the size of its cells [m]; `measure`: volume and area of the solid.
fn stuffed(solid: &Solid, measure: (f64, f64), options: &FillOptions, watch: &dyn Watch) -> Result<(f64, Stuffing), StuffingError> {
    let run = |cell: f64, from: f64, to: f64| {
        tetrahedralise(solid, &Options { cell, grading: options.grading, ..Options::default() }, &Part { watch, from, to })
    };
    let target = match options.size {
        Size::EdgeLength(length) => return Ok((length / MEAN_EDGE, run(length / MEAN_EDGE, 0.2, 0.7)?)),
        Size::Tets(target) => target,
    };
    let (low, high) = solid.bounds();
    if measure.0.is_nan() || measure.0 <= 1e-9 * (high - low).max().powi(3) {
        return Err(StuffingError::Sheet);
    }
    let mut factor = 1.0;
    let mut from = 0.2;
    let mut best: Option<(f64, f64, Stuffing)> = None;
    for _ in 0..ATTEMPTS {
        let cell = cell_for(target, measure, options.grading, factor);
        let to = 0.5 * (from + 0.7);
        match run(cell, from, to) {
            Ok(mesh) => {
                let off = mesh.tets.len() as f64 / target as f64;
                let miss = off.ln().abs();
                if best.as_ref().is_none_or(|best| miss < best.0) {
                    best = Some((miss, cell, mesh));
                }
                if miss < CLOSE {
                    break;
                }
                factor *= off;
            }
            // The solid is thinner than the cells everywhere.
            Err(StuffingError::Empty { .. }) => factor *= 0.125,
            Err(error) => return Err(error),
        }
        from = to;
    }
    let empty = StuffingError::Empty { cell: cell_for(target, measure, options.grading, factor) };
    best.map(|(_, cell, mesh)| (cell, mesh)).ok_or(empty)
}

/// A part of the way of a [`Watch`].
struct Part<'a> {
    watch: &'a dyn Watch,
    from: f64,
    to: f64,
}

impl Watch for Part<'_> {
    fn progress(&self, stage: &str, done: f64) {
        self.watch.progress(stage, self.from + (self.to - self.from) * done);
    }

    fn check(&self) -> Result<(), Cancelled> {
        self.watch.check()
    }
}
