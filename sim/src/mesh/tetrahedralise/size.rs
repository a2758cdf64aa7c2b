//! The cell size that gives a wanted number of tets.

use super::{Options, SignedDistanceField, StuffingError, tetrahedralise};
use crate::watch::Watch;

/// Finds the cell size [m] at which [`tetrahedralise`] gives `target` tets within a few percent (as near as it comes in a
/// few tries); the other options are taken from `options`.
///
/// # Errors
/// Those of [`tetrahedralise`].
pub fn cell_for(field: &impl SignedDistanceField, target: usize, options: &Options, watch: &impl Watch) -> Result<f64, StuffingError> {
    let (low, high) = field.bounds();
    let target = target.max(1) as f64;
    // Twelve tets a cube, and at first a guess that a tenth of the box is solid and that coarse meshes are cheap.
    let mut cell = ((high - low).product() * 0.1 * 12.0 / (0.1 * target)).cbrt();
    let mut best = (f64::INFINITY, cell);
    for _ in 0..8 {
        let got = match tetrahedralise(field, &Options { cell, ..*options }, watch) {
            Ok(mesh) => mesh.tets.len() as f64,
            // The solid is thinner than the cells everywhere: look closer.
            Err(StuffingError::Empty { .. }) => {
                cell *= 0.5;
                continue;
            }
            Err(error) => return Err(error),
        };
        let miss = (got / target).ln().abs();
        if miss < best.0 {
            best = (miss, cell);
        }
        if miss < 0.02 {
            break;
        }
        cell *= (got / target).cbrt();
    }
    Ok(best.1)
}
