//! How fine the cells of each solid part must be for the wanted number of tets, and the stuffings that they give.

use super::fill::{FillOptions, Size};
use super::islands::drop_crumbs;
use super::size::{Measure, cell_for, expected, expected_of_all};
use super::solid::Solid;
use super::{Options, Stuffing, StuffingError, tetrahedralise};
use crate::watch::{Span, Watch};

/// Edges at the surface over the edge of the lattice's cubes, on average.
pub const MEAN_EDGE: f64 = 0.8;
/// Tets of a part, at least: a small one gets smaller cells than the others.
const FEWEST: f64 = 150.0;
/// Tets of all, at most: some ten gigabytes while they are made.
const MOST: usize = 5_000_000;
/// Parts in which no lattice vertex lies may together get so many times as many tets as all were meant to have, each by its area.
const THIN: f64 = 8.0;
/// In cells larger than so many mean thicknesses (twice volume over area) of a part, a lattice vertex lies inside by chance only.
const COARSEST: f64 = 4.0;
/// How far the number of tets may be off after each stuffing, of which each knows better how many to expect; of all, the nearest
/// counts. Bodies with straight sides gain or lose whole layers of cubes at a time, so that some numbers cannot be met.
const CLOSE: [f64; 4] = [0.05, 0.1, 0.1, 0.1];

/// How many times as many tets, or as few, are tried next, at most: where hardly any came, as of what is as thin as its cells, their
/// number tells little of what smaller cells give.
const LEAP: f64 = 4.0;

/// A part to be filled.
pub struct Body {
    /// What it encloses.
    pub solid: Solid,
    /// Its volume and area.
    pub measure: Measure,
}

/// A part that was filled, and the edge of its cells [m]; none where it is too thin.
pub type StuffedBody = Option<(f64, Stuffing)>;

/// Fills every body. At least one is filled.
///
/// # Errors
/// [`StuffingError::TooManyTets`], and those of [`tetrahedralise`].
pub fn stuff(bodies: &[Body], options: &FillOptions, watch: &dyn Watch) -> Result<Vec<StuffedBody>, StuffingError> {
    let measures: Vec<Measure> = bodies.iter().map(|body| body.measure).collect();
    let grading = options.grading;
    let target = match options.size {
        Size::Tets(target) => target as f64,
        Size::EdgeLength(length) => expected_of_all(&measures, length / MEAN_EDGE, FEWEST, grading),
    };
    if target.is_nan() || target > MOST as f64 {
        let length = MEAN_EDGE * cell_for(MOST, &measures, 0.0, grading, 1.0);
        return Err(StuffingError::TooManyTets { tets: target, most: MOST, length });
    }
    let least = FEWEST.min(0.5 * target / bodies.len() as f64);
    let area = measures.iter().map(|measure| measure.1).sum();
    let mut all = Bodies { bodies, grading, least, most: (THIN * target).min(MOST as f64), area, known: Vec::new() };
    let wanted = match options.size {
        Size::EdgeLength(length) => return all.at(length / MEAN_EDGE, watch),
        Size::Tets(wanted) => wanted,
    };
    let (mut factor, mut from) = (1.0, 0.0);
    let mut best: Option<(f64, Vec<StuffedBody>)> = None;
    for close in CLOSE {
        let to = 0.5 * (from + 1.0);
        let made = all.at(cell_for(wanted, &measures, least, grading, factor), &Span { watch, from, to })?;
        let off = made.iter().flatten().map(|(_, mesh)| mesh.tets.len()).sum::<usize>() as f64 / target;
        let miss = off.ln().abs();
        if best.as_ref().is_none_or(|(least, _)| miss < *least) {
            best = Some((miss, made));
        }
        if miss < close {
            break;
        }
        factor *= off.clamp(1.0 / LEAP, LEAP);
        from = to;
    }
    Ok(best.map(|(_, made)| made).unwrap_or_default())
}

struct Bodies<'a> {
    bodies: &'a [Body],
    grading: f64,
    least: f64,
    /// Most tets of all that are too thin.
    most: f64,
    /// Area of all [m^2].
    area: f64,
    /// For each body the cells that it was last tried with [m], and what came of it.
    known: Vec<(f64, Outcome)>,
}

/// What came of cells that were tried.
#[derive(Clone)]
enum Outcome {
    /// This.
    Stuffed(f64, Stuffing),
    /// Nothing, down to the smallest cells that a part may have.
    TooThin,
}

impl Bodies<'_> {
    /// Fills every body with cells of the edge `cell` [m], or smaller ones where a body is small or thin.
    fn at(&mut self, cell: f64, watch: &dyn Watch) -> Result<Vec<StuffedBody>, StuffingError> {
        let measures: Vec<Measure> = self.bodies.iter().map(|body| body.measure).collect();
        let total = expected_of_all(&measures, cell, self.least, self.grading);
        let mut done = 0.0;
        let mut made = Vec::new();
        for (b, body) in self.bodies.iter().enumerate() {
            let count = expected(body.measure, cell, self.grading);
            let own = if count < self.least { cell_for(1, &[body.measure], 0.0, self.grading, 1.0 / self.least) } else { cell };
            let span = Span { watch, from: done / total, to: (done + count.max(self.least)) / total };
            done += count.max(self.least);
            let outcome = match self.known.get(b) {
                // A small part has cells of its own, whatever the others have; and what is too thin for the smallest stays so.
                Some((tried, outcome)) if *tried == own || matches!(outcome, Outcome::TooThin) => outcome.clone(),
                _ => self.stuff_one(body, own, &span)?,
            };
            made.push((own, outcome));
        }
        self.known = made;
        if self.known.iter().all(|(_, outcome)| matches!(outcome, Outcome::TooThin)) {
            // Where an open surface has no room for a lattice vertex, it is too open.
            let is_open = self.bodies.iter().any(|body| !body.solid.is_closed());
            return Err(if is_open { StuffingError::Sheet } else { StuffingError::Empty { cell } });
        }
        let stuffed = |(_, outcome): &(f64, Outcome)| match outcome {
            Outcome::Stuffed(cell, mesh) => Some((*cell, mesh.clone())),
            Outcome::TooThin => None,
        };
        Ok(self.known.iter().map(stuffed).collect())
    }

    fn stuff_one(&self, body: &Body, mut cell: f64, watch: &Span) -> Result<Outcome, StuffingError> {
        let (low, high) = (watch.from, watch.to);
        let (volume, area) = body.measure;
        let most = self.most * area / self.area;
        let mut from = low;
        while from == low || expected(body.measure, cell, self.grading) < most {
            let to = 0.5 * (from + high);
            let options = Options { cell, grading: self.grading, min_part: 0.0, ..Options::default() };
            match tetrahedralise(&body.solid, &options, &Span { watch: watch.watch, from, to }) {
                Ok(mut mesh) => {
                    drop_crumbs(&mut mesh, &body.solid, cell, watch)?;
                    return Ok(Outcome::Stuffed(cell, mesh));
                }
                Err(StuffingError::Empty { .. }) => cell = (0.5 * cell).min(COARSEST * 2.0 * volume / area),
                Err(error) => return Err(error),
            }
            from = to;
        }
        Ok(Outcome::TooThin)
    }
}
