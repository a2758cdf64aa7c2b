//! What is tetrahedralised: a solid described by a signed distance.

use crate::math::Vec3;

/// A solid as the region where a function is negative.
pub trait SignedDistanceField: Sync {
    /// Signed distance [m] from `p` [m] to the surface, negative inside. It need not be exact, but it should change no faster
    /// than [`Self::lipschitz`] allows. It may jump over zero, as where a surface with holes is closed by its winding number;
    /// such a lid is found if it hangs on a part of the surface that is found by the bound.
    fn distance(&self, p: &Vec3) -> f64;

    /// The distances [m] of neighbouring points, which may be had for less together.
    fn distances(&self, points: &[Vec3], values: &mut [f64]) {
        values.iter_mut().zip(points).for_each(|(value, p)| *value = self.distance(p));
    }

    /// Corners (smallest, largest) [m] of a box that encloses the solid.
    fn bounds(&self) -> (Vec3, Vec3);

    /// Bound on |f(p) - f(q)| / |p - q|. Blocks of the lattice farther from the surface than this proves are never sampled.
    fn lipschitz(&self) -> f64 {
        1.0
    }
}
