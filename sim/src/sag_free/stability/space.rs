//! [`Space`]: the motions among which eigenvectors are looked for.

use rayon::prelude::*;

use crate::math::Vec3;

/// Nodes that one thread looks at, at least.
const MANY: usize = 4096;

/// Displacements of some nodes, with the inner product a . M b.
pub trait Space {
    /// Number of nodes.
    fn nodes(&self) -> usize;
    /// Scalar unknowns.
    fn unknowns(&self) -> usize;
    /// a . M b.
    fn dot(&self, a: &[Vec3], b: &[Vec3]) -> f64;
    /// Leaves of `vector` what the supports allow and is no neutral motion.
    fn confine(&self, vector: &mut [Vec3]);

    /// Takes the components along `basis`, which is orthonormal by M, out of `vector`: twice, for the digits that the first
    /// pass leaves (Giraud et al. 2005). Returns the components.
    fn take_out(&self, basis: &[Vec<Vec3>], vector: &mut [Vec3]) -> Vec<f64> {
        let mut shares = vec![0.0; basis.len()];
        for _ in 0..2 {
            for (basis, sum) in basis.iter().zip(&mut shares) {
                let share = self.dot(basis, vector);
                *sum += share;
                vector.par_iter_mut().zip(basis).with_min_len(MANY).for_each(|(v, b)| *v -= share * b);
            }
        }
        shares
    }

    /// Makes |vector|_M one; its length before.
    fn normalise(&self, vector: &mut [Vec3]) -> f64 {
        let length = self.dot(vector, vector).sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|v| *v /= length);
        }
        length
    }
}
