//! Pressures that end at a free rim are no gradient of an energy: their stiffness has a part without symmetry, of which the inertia of
//! the symmetric part knows nothing (Bolotin 1963, *Nonconservative Problems of the Theory of Elastic Stability*).
//!
//! Where the symmetric part resists every motion, no eigenvalue of the whole is zero or negative, so that the pose does not buckle. Two modes of
//! nearly one frequency may still feed each other (flutter): then the whole has complex eigenvalues, looked for among the softest modes.
//! Where the symmetric part fails to resist, the whole may hold all the same.

use nalgebra::DMatrix;

use super::lanczos::Pair;
use super::pencil::Pencil;
use crate::math::Vec3;
use crate::stats::report::Verdict;
use crate::system::pressure::Pressing;

/// Growth of a flutter in the time of a vibration that is none to be seen.
const SLOW: f64 = 1e-6;

/// The verdict and its reason, where pressure has no energy; `verdict` is that of the symmetric part, whose softest modes are `pairs`.
pub fn judge(pencil: &Pencil, pairs: &[Pair], verdict: Verdict) -> Option<(Verdict, String)> {
    let (system, x) = (pencil.system, &pencil.system.positions);
    let pressing = Pressing::at(system, x, 0.0, 1.0);
    if pressing.is_empty() || pressing.has_energy(system, x) {
        return None;
    }
    let why = "the pressed faces end at a rim that moves, so that the pressure has no energy";
    if verdict != Verdict::Stable {
        return Some((
            Verdict::Undecided,
            format!("{why}; the symmetric part of the stiffness does not resist every motion, which decides nothing"),
        ));
    }
    let vectors: Vec<&[Vec3]> = pairs.iter().map(|pair| pair.vector.as_slice()).collect();
    let products: Vec<Vec<Vec3>> = vectors
        .iter()
        .map(|vector| {
            let mut product = vec![Vec3::zeros(); x.len()];
            pressing.add_skew(x, vector, &mut product);
            product
        })
        .collect();
    let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    let among = DMatrix::from_fn(pairs.len(), pairs.len(), |i, j| {
        let lengths = (pencil.dot(vectors[i], vectors[i]) * pencil.dot(vectors[j], vectors[j])).sqrt();
        dot(vectors[i], &products[j]) / lengths + if i == j { pairs[i].eigenvalue } else { 0.0 }
    });
    let flutters = !pairs.is_empty() && among.complex_eigenvalues().iter().any(|value| value.im.abs() > SLOW * value.re.abs());
    Some(if flutters {
        (Verdict::Undecided, format!("{why}; two of the softest modes feed each other, and whether they grow depends on the damping"))
    } else {
        (Verdict::Stable, format!("{why}; judged by the symmetric part of the stiffness, and by whether the softest modes feed each other"))
    })
}
