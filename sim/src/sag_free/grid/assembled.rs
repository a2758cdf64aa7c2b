//! [`Assembled`]: the matrix of a balance, in the order of its factorisation.

use super::yields::Tangent;
use super::{Seen, Space};
use crate::linear::{NodeMatrix, NodeMatrixPattern, StencilPlaces};
use crate::math::Vec3;
use crate::memory::TooLarge;
use crate::step::mpm::stencils;

/// Cells whose gradients are there at the same time.
const CELLS: usize = 256;

/// K of the points of a space, and where its blocks are.
pub(super) struct Assembled {
    pub pattern: NodeMatrixPattern,
    /// Where in the matrix the blocks of each cell are.
    places: StencilPlaces,
    /// K of the points that do not yield, in scaled unknowns, times the scale of the space.
    pub stiffness: NodeMatrix,
}

impl Assembled {
    /// That of `space`.
    ///
    /// # Errors
    /// No room for the factor.
    pub fn new(space: &Space) -> Result<Self, TooLarge> {
        let free: Vec<bool> = space.roots.iter().map(|root| *root > 0.0).collect();
        let pattern = stencils::pattern(&space.stencils, &free);
        pattern.ensure_room("the factorisation of the grid", pattern.factor_bytes(), None)?;
        let mut places = StencilPlaces::default();
        places.find(&pattern, &space.stencils);
        let stiffness = NodeMatrix::new(&pattern);
        let mut assembled = Self { pattern, places, stiffness };
        let mut stiffness = NodeMatrix::new(&assembled.pattern);
        let elastic = |_, point: &Seen| {
            let volume = space.scale * point.volume;
            point.yields.is_none().then(|| (volume, Tangent::elastic(point.lame)))
        };
        assembled.add_stiffness(space, elastic, &mut stiffness);
        assembled.stiffness = stiffness;
        Ok(assembled)
    }

    /// Adds K of the points that have a tangent to `matrix`, cell by cell: for each by its place in their order, a volume and moduli.
    pub fn add_stiffness(&self, space: &Space, of: impl Fn(usize, &Seen) -> Option<(f64, Tangent)>, matrix: &mut NodeMatrix) {
        for first in (0..space.stencils.len()).step_by(CELLS) {
            let cells = first..(first + CELLS).min(space.stencils.len());
            let places = space.starts[cells.start]..space.starts[cells.end];
            let mut gradients: Vec<Vec3> = Vec::new();
            let mut seen = |place: usize| {
                let point = &space.points[place];
                let (volume, tangent) = of(place, point)?;
                let first = gradients.len();
                gradients.extend(space.scaled_gradients(point));
                Some((volume, tangent, first))
            };
            let points: Vec<Option<(f64, Tangent, usize)>> = places.clone().map(&mut seen).collect();
            let block = |cell: usize, i: usize, j: usize| {
                let own = &points[space.starts[cell] - places.start..space.starts[cell + 1] - places.start];
                let between = |(volume, tangent, first): &(f64, Tangent, usize)| {
                    *volume * tangent.block(&gradients[first + i], &gradients[first + j])
                };
                own.iter().flatten().map(between).sum()
            };
            self.places.add_some(&self.pattern, &space.stencils, cells, block, matrix);
        }
    }
}
