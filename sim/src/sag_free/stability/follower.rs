//! Pressures that end at a free rim are no gradient of an energy: their stiffness K has a part N without symmetry, of which the inertia of
//! the symmetric part S knows nothing (Bolotin 1963, *Nonconservative Problems of the Theory of Elastic Stability*).
//!
//! Where S resists every motion, K has no eigenvalue that is zero or negative, so that the pose does not buckle. Two modes of
//! nearly one frequency may still feed each other (flutter): then K has complex eigenvalues, looked for among the softest modes of S.
//! Where S does not resist, a real negative eigenvalue of K among these modes decides, if what they leave out changes it little.

use nalgebra::DMatrix;

use super::lanczos::Pair;
use super::pencil::{Pencil, Shifted};
use super::space::Space;
use crate::math::Vec3;
use crate::sag_free::verdict::Verdict;
use crate::system::System;
use crate::system::pressure::Pressing;

/// Growth of a flutter in the time of a vibration that is none to be seen.
const SLOW: f64 = 1e-6;
/// Share of an eigenvalue that other modes may make of it.
const LITTLE: f64 = 0.1;

/// Whether pressure without energy takes part in the given shape.
pub fn presses(system: &System) -> bool {
    let pressing = Pressing::at(system, &system.positions, 0.0, 1.0);
    !pressing.is_empty() && !pressing.has_energy(system, &system.positions)
}

/// The verdict and its reason, where pressure has no energy; `verdict` is that of S, whose softest modes are `pairs`, found with
/// the factors of S - shift M.
pub fn judge(pencil: &Pencil, shifted: Option<&mut Shifted>, pairs: &[Pair], verdict: Verdict) -> Option<(Verdict, String)> {
    let (system, x) = (pencil.system, &pencil.system.positions);
    if !presses(system) {
        return None;
    }
    let pressing = Pressing::at(system, x, 0.0, 1.0);
    let why = "the pressed faces end at a rim that moves, so that the pressure has no energy";
    if !pairs.iter().all(Pair::is_found) {
        return Some((Verdict::Undecided, format!("{why}; the softest modes, by which it would be judged, were not all found")));
    }
    let forces: Vec<Vec<Vec3>> = pairs
        .iter()
        .map(|pair| {
            let mut force = vec![Vec3::zeros(); x.len()];
            pressing.add_skew(x, &pair.vector, &mut force);
            system.take_supported(&mut force);
            force
        })
        .collect();
    let among = DMatrix::from_fn(pairs.len(), pairs.len(), |i, j| {
        dot(&pairs[i].vector, &forces[j]) + if i == j { pairs[i].eigenvalue } else { 0.0 }
    });
    let values: Vec<_> = if pairs.is_empty() { Vec::new() } else { among.complex_eigenvalues().iter().copied().collect() };
    let is_real = |value: &nalgebra::Complex<f64>| value.im.abs() <= SLOW * value.re.abs();
    if verdict == Verdict::Stable {
        return Some(if values.iter().all(is_real) {
            (
                Verdict::Stable,
                format!("{why}; judged by the symmetric part of the stiffness, and by whether the softest modes feed each other"),
            )
        } else {
            (Verdict::Undecided, format!("{why}; two of the softest modes feed each other, and whether they grow depends on the damping"))
        });
    }
    let lowest = values.iter().filter(|value| is_real(value)).map(|value| value.re).fold(0.0, f64::min);
    let change = shifted.filter(|_| lowest < 0.0).and_then(|shifted| change_by_others(pencil, shifted, pairs, &forces, &among, lowest));
    Some(if change.is_some_and(|change| change <= LITTLE * lowest.abs()) {
        (Verdict::Unstable, format!("{why}; judged by the softest modes"))
    } else {
        (Verdict::Undecided, format!("{why}; the symmetric part of the stiffness does not resist every motion, which decides nothing"))
    })
}

/// How much the modes beside `pairs` change an eigenvalue of K among them, to second order: r . (S - shift M)^-1 r, where r is what
/// N makes of its mode beyond `pairs`.
fn change_by_others(
    pencil: &Pencil,
    shifted: &mut Shifted,
    pairs: &[Pair],
    forces: &[Vec<Vec3>],
    among: &DMatrix<f64>,
    eigenvalue: f64,
) -> Option<f64> {
    let svd = (among - DMatrix::identity(pairs.len(), pairs.len()) * eigenvalue).svd(false, true);
    let shares = svd.v_t?.row(svd.singular_values.imin()).transpose();
    let mut rest = vec![Vec3::zeros(); pencil.mass.nodes()];
    for (force, share) in forces.iter().zip(shares.iter()) {
        rest.iter_mut().zip(force).for_each(|(rest, force)| *rest += *share * force);
    }
    for pair in pairs {
        let part = dot(&pair.vector, &rest);
        rest.iter_mut().zip(pencil.mass.product(&pair.vector)).for_each(|(rest, weighed)| *rest -= part * weighed);
    }
    let mut answer = vec![rest.clone()];
    shifted.factor.solve(pencil.pattern, &mut answer);
    pencil.confine(&mut answer[0]);
    Some(dot(&rest, &answer[0]).abs())
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}
