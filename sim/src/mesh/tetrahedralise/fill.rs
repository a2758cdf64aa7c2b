//! From a surface of triangles, in any state, to tets that fill what it encloses.
//!
//! ```text
//! triangles -> soup (clean) -> parts (that do not touch), for each:
//!     solid (signed distance) -> resolve (size of the cells) -> tetrahedralise -> islands -> improve -> settle -> Filled
//! ```

use std::time::Instant;

use super::apart::draw_apart;
use super::improve::{self, improve};
use super::parts::parts;
use super::resolve::{Body, StuffedBody, stuff};
use super::settle::settle;
use super::size::{self, Measure};
use super::solid::Solid;
use super::soup::{Soup, SoupRepairs};
use super::thin::{Seen, Thin};
use super::untangle::untangle;
use super::{Repairs, SignedDistanceField, StuffingError, quality};
use crate::math::Vec3;
use crate::watch::{Cancelled, Span, Watch};

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
    /// Solid parts of the surface: those that touch, cross or enclose each other count as one.
    pub parts: usize,
    /// Of these, those too thin for any tet.
    pub missed: usize,
    /// Parts of the surface that enclose nothing; they get no tets either.
    pub sheets: usize,
    /// Time taken [s].
    pub seconds: f64,
    /// Edge of the lattice's cubes [m]; small parts have smaller ones.
    pub cell: f64,
    /// Where the solid is thinner than that.
    pub thin: Thin,
    /// What was done to the triangles before.
    pub surface: SoupRepairs,
    /// What was done to the tets after.
    pub repairs: Repairs,
}

/// Fills what a surface encloses with tets. Triangles may be given twice, face the wrong way, cross each other or leave holes;
/// a point counts as inside where they wrap around it by more than half. Parts that do not touch get lattices of their own, finer
/// ones where they are small. The result depends on nothing but the arguments.
///
/// # Errors
/// Positions that are not finite, corners that do not exist, a surface that encloses nothing, more tets than fit into memory, and
/// those of [`super::tetrahedralise`].
pub fn fill(positions: &[Vec3], triangles: &[[u32; 3]], options: &FillOptions, watch: &dyn Watch) -> Result<Filled, StuffingError> {
    let start = Instant::now();
    check(positions, triangles, options)?;
    watch.progress("reading the surface", 0.0);
    let soup = Soup::new(positions, triangles, watch)?;
    if soup.triangles.is_empty() {
        return Err(StuffingError::NoTriangles);
    }
    let parts = parts(positions, &soup.triangles, watch)?;
    watch.progress("measuring", 0.1);
    let mut bodies = Vec::new();
    for part in &parts {
        let solid = Solid::new(positions, &part.triangles, part.closed, watch)?;
        if let Some(measure) = measured(&solid, parts.len(), watch)? {
            bodies.push(Body { solid, measure });
        }
    }
    if bodies.is_empty() {
        return Err(StuffingError::Sheet);
    }
    let stuffed = stuff(&bodies, options, &Span { watch, from: 0.2, to: 0.7 })?;
    let volume: f64 = bodies.iter().map(|body| body.measure.0).sum();
    let mut made = Filled::default();
    let report = &mut made.report;
    (report.surface, report.parts, report.sheets) = (soup.repairs, bodies.len(), parts.len() - bodies.len());
    made.finish(&bodies, stuffed, watch)?;
    let Filled { positions, tets, report } = &mut made;
    let filled: f64 = tets.iter().map(|t| quality::volume(positions, t)).sum();
    (report.tets, report.vertices) = (tets.len(), positions.len());
    report.min_dihedral_degrees = quality::dihedral_extremes(positions, tets).0;
    report.volume_error = parts.iter().all(|part| part.closed).then(|| filled / volume - 1.0);
    report.seconds = start.elapsed().as_secs_f64();
    watch.progress("checking", 1.0);
    Ok(made)
}

impl Filled {
    /// Improves the tets of each body, moves their boundary to the surface, and adds them to the others.
    fn finish(&mut self, bodies: &[Body], stuffed: Vec<StuffedBody>, watch: &dyn Watch) -> Result<(), StuffingError> {
        let mut seen = Seen::default();
        let total: usize = stuffed.iter().flatten().map(|(_, mesh)| mesh.tets.len()).sum();
        for (Body { solid, .. }, mesh) in bodies.iter().zip(stuffed) {
            let done = |tets: usize| 0.7 + 0.3 * tets as f64 / total as f64;
            let Some((cell, mut mesh)) = mesh else {
                seen.add(solid, bodies.len(), 0.0, &[], &[], watch)?;
                self.report.missed += 1;
                continue;
            };
            let span = Span { watch, from: done(self.tets.len()), to: done(self.tets.len() + mesh.tets.len()) };
            let project = |p: &Vec3| solid.nearest(p);
            let options = improve::Options::default();
            draw_apart(&mut mesh.positions, &mesh.tets);
            let before = mesh.positions.clone();
            improve(&mut mesh.positions, &mesh.tets, &project, &options, &Span { watch: &span, from: 0.0, to: 0.7 })?;
            span.progress("settling", 0.7);
            settle(&mut mesh.positions, &mesh.tets, solid, watch)?;
            untangle(&mut mesh.positions, &before, &mesh.tets, watch)?;
            span.progress("checking", 0.85);
            seen.add(solid, bodies.len(), cell, &mesh.positions, &mesh.tets, watch)?;
            let first = self.positions.len() as u32;
            self.positions.append(&mut mesh.positions);
            self.tets.extend(mesh.tets.iter().map(|t| t.map(|v| v + first)));
            self.report.cell = self.report.cell.max(cell);
            self.report.components += mesh.components;
            self.report.repairs += mesh.repairs;
        }
        self.report.thin = seen.shares();
        Ok(())
    }
}

/// Pieces of surface, and boxes, by which all solids are measured, and those of any one at least.
const PIECES: (usize, usize) = (20_000, 100);
const BOXES: (usize, usize) = (8192, 256);
/// Pieces of all solids that are looked under for an inside; no more than so many of one, and no fewer.
const FEW: (usize, usize, usize) = (20_000, 500, 50);

/// Volume and area of a solid, one of `parts`; none where it is but a sheet.
fn measured(solid: &Solid, parts: usize, watch: &dyn Watch) -> Result<Option<Measure>, Cancelled> {
    let (low, high) = solid.bounds();
    let few = (FEW.0 / parts).clamp(FEW.2, FEW.1);
    if !solid.has_inside(few as f64, watch)? {
        return Ok(None);
    }
    let each = |(all, least): (usize, usize)| least.max(all / parts);
    let measure = match solid.is_closed() {
        true => solid.measure(each(PIECES) as f64, watch)?,
        false => size::measure(solid, each(BOXES), watch)?,
    };
    Ok((measure.0 > 1e-9 * (high - low).max().powi(3)).then_some(measure))
}

fn check(positions: &[Vec3], triangles: &[[u32; 3]], options: &FillOptions) -> Result<(), StuffingError> {
    if let Size::EdgeLength(length) = options.size
        && !(length > 0.0 && length.is_finite())
    {
        return Err(StuffingError::Cell { cell: length });
    }
    if let Some(vertex) = positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(StuffingError::NotFinite { vertex });
    }
    let count = positions.len();
    match triangles.iter().position(|t| t.iter().any(|&v| v as usize >= count)) {
        Some(triangle) => Err(StuffingError::NoSuchVertex { triangle, count }),
        None => Ok(()),
    }
}
