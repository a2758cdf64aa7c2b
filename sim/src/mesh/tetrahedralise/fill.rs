//! From a surface of triangles, in any state, to tets that fill what it encloses.
//!
//! ```text
//! triangles -> soup (clean) -> solid (signed distance) -> cell size -> tetrahedralise -> Filled
//! ```

use std::time::Instant;

use super::solid::Solid;
use super::soup::{Soup, SoupRepairs};
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
    /// Share of the surface that lies where the solid is thinner than the tets, so that they may miss it.
    pub thin: f64,
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
    let volume = solid.volume();
    let mesh = sized(&solid, volume, options, watch)?;
    let Stuffing { positions, tets, components, repairs } = mesh;
    let report = FillReport {
        tets: tets.len(),
        vertices: positions.len(),
        min_dihedral_degrees: quality::dihedral_extremes(&positions, &tets).0,
        volume_error: (soup.closed && volume > 0.0)
            .then(|| tets.iter().map(|t| quality::volume(&positions, t)).sum::<f64>() / volume - 1.0),
        components,
        seconds: start.elapsed().as_secs_f64(),
        thin: 0.0,
        surface: soup.repairs,
        repairs,
    };
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

/// Edges of the lattice over the edge of its cubes, on average: three of one cell and four of half a cube's diagonal a vertex.
const MEAN_EDGE: f64 = 0.923;

fn sized(solid: &Solid, volume: f64, options: &FillOptions, watch: &dyn Watch) -> Result<Stuffing, StuffingError> {
    let run = |cell: f64, from: f64, to: f64| {
        let part = Part { watch, from, to };
        tetrahedralise(solid, &Options { cell, ..Options::default() }, &part)
    };
    let target = match options.size {
        Size::EdgeLength(length) => return run(length / MEAN_EDGE, 0.0, 1.0),
        Size::Tets(target) => target.max(1) as f64,
    };
    let (low, high) = solid.bounds();
    let least = 1e-3 * (high - low).product();
    if least <= 0.0 {
        return Err(StuffingError::Sheet);
    }
    let mut cell = (12.0 * volume.max(least) / target).cbrt();
    for k in 0..6 {
        let mesh = match run(cell, f64::from(k) / 6.0, f64::from(k + 1) / 6.0) {
            Err(StuffingError::Empty { .. }) if k < 5 => {
                cell *= 0.5;
                continue;
            }
            mesh => mesh?,
        };
        let miss = mesh.tets.len() as f64 / target;
        if miss.ln().abs() < 0.03 || k == 5 {
            return Ok(mesh);
        }
        cell *= miss.cbrt();
    }
    Err(StuffingError::Sheet)
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
