//! [`Assembled`]: the matrix of a balance, in the order of its factorisation.

use super::yields::Tangent;
use super::{Seen, Space};
use crate::linear::{NodeMatrix, NodeMatrixPattern, StencilPlaces};
use crate::math::{Mat3, Vec3};
use crate::memory::TooLarge;
use crate::step::mpm::stencils;

/// Cells whose gradients are there at the same time.
const CELLS: usize = 256;

/// A point while its cell is added.
struct Coupling {
    volume: f64,
    tangent: Tangent,
    /// Where its gradients begin, and what those are more by which it shares changes of volume.
    gradients: usize,
    beside: Option<usize>,
}

/// K of the points of a space, and where its blocks are.
pub(super) struct Assembled {
    pub pattern: NodeMatrixPattern,
    /// Where in the matrix the blocks of each cell are.
    places: StencilPlaces,
    /// K of what is elastic, in scaled unknowns, times the scale of the space.
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
            point.elastic().map(|lame| (volume, Tangent::elastic(lame)))
        };
        assembled.add_stiffness(space, elastic, &mut stiffness);
        for (node, free) in space.bound() {
            stiffness.add_to_node(&assembled.pattern, node as u32, &(Mat3::identity() - free));
        }
        assembled.stiffness = stiffness;
        Ok(assembled)
    }

    /// Adds K of the points that have a tangent to `matrix`, cell by cell: for each by its place in their order, a volume and moduli.
    pub fn add_stiffness(&self, space: &Space, of: impl Fn(usize, &Seen) -> Option<(f64, Tangent)>, matrix: &mut NodeMatrix) {
        for first in (0..space.stencils.len()).step_by(CELLS) {
            let cells = first..(first + CELLS).min(space.stencils.len());
            let places = space.starts[cells.start]..space.starts[cells.end];
            // Of each point, and what those are more by which it shares changes of volume.
            let (mut gradients, mut beside): (Vec<Vec3>, Vec<Vec3>) = (Vec::new(), Vec::new());
            let mut seen = |place: usize| {
                let point = &space.points[place];
                let (volume, tangent) = of(place, point)?;
                let first = gradients.len();
                gradients.extend(space.scaled_gradients(point));
                let means = space.shared_gradients(point);
                beside.extend(means.iter().zip(&gradients[first..]).map(|(mean, own)| mean - own));
                let beside = (!means.is_empty()).then(|| beside.len() - means.len());
                Some(Coupling { volume, tangent, gradients: first, beside })
            };
            let points: Vec<Option<Coupling>> = places.clone().map(&mut seen).collect();
            let block = |cell: usize, i: usize, j: usize| {
                let own = &points[space.starts[cell] - places.start..space.starts[cell + 1] - places.start];
                let between = |point: &Coupling| {
                    let [a, b] = [i, j].map(|node| &gradients[point.gradients + node]);
                    let mut block = point.tangent.block(a, b);
                    if let Some(first) = point.beside {
                        block += point.tangent.block_beside([a, b], [i, j].map(|node| &beside[first + node]));
                    }
                    point.volume * block
                };
                let sum: Mat3 = own.iter().flatten().map(between).sum();
                let [free_i, free_j] = [i, j].map(|node| space.free_of(space.stencils[cell][node] as usize));
                match (free_i, free_j) {
                    (None, None) => sum,
                    (i, j) => i.unwrap_or(&Mat3::identity()) * sum * j.unwrap_or(&Mat3::identity()),
                }
            };
            self.places.add_some(&self.pattern, &space.stencils, cells, block, matrix);
        }
    }
}
