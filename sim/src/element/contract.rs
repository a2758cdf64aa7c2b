//! What every force element must satisfy, tested once for all: [`check`] takes any element and a shape.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use super::Element;
use crate::math::{Mat3, Vec3};

/// Sizes of the element under test, against which round-off is judged.
pub(super) struct Scale {
    /// Length [m].
    pub length: f64,
    /// Stiffness [N/m].
    pub stiffness: f64,
}

/// The constraints of an element: its energy is the sum of C^2 / (2 alpha), the multipliers -C / alpha make its force, the gradients are those of
/// each C, and they turn no faster than is told.
pub(super) fn check_constraint<E: Element<N, K>, const N: usize, const K: usize>(element: &E, x: &[Vec3; N], scale: &Scale, what: &str) {
    let step = 1e-5 * scale.length;
    let (mut energy, mut force) = (0.0, [Vec3::zeros(); N]);
    for k in 0..E::constraints() {
        let (alpha, what) = (element.compliance(k).expect("a constraint"), format!("{what}, constraint {k}"));
        if alpha.is_infinite() {
            continue;
        }
        let found = element.constraint(k, x);
        energy += 0.5 * found.value * found.value / alpha;
        for n in 0..N {
            force[n] -= found.value / alpha * found.gradients[n];
            let curvature = element.curvatures(k, x)[n];
            for axis in 0..3 {
                let at = |by: f64| {
                    let mut moved = *x;
                    moved[n][axis] += by;
                    element.constraint(k, &moved)
                };
                let (ahead, behind) = (at(step), at(-step));
                let slope = (ahead.value - behind.value) / (2.0 * step);
                let size = found.gradients.iter().map(Vec3::amax).fold(0.0, f64::max);
                assert!((slope - found.gradients[n][axis]).abs() <= 1e-6 * size, "{what}: slope {slope} {}", found.gradients[n]);
                let turn = (ahead.gradients[n] - behind.gradients[n]).norm() / (2.0 * step);
                // Beside what round-off of the gradients makes over the step.
                assert!(turn <= (1.0 + 1e-6) * curvature + 1e-9 + 1e-14 * size / step, "{what}: turns by {turn}, told {curvature}");
            }
        }
    }
    assert!((energy - element.energy(x)).abs() <= 1e-11 * energy.max(1e-6 * scale.stiffness * scale.length.powi(2)), "{what}: {energy}");
    for (force, gradient) in force.iter().zip(element.gradient(x)) {
        let error = (force + gradient).amax();
        assert!(error <= 1e-12 * force.amax().max(1e-3 * scale.stiffness * scale.length), "{what}: force {error:e}");
    }
}

/// Everything that holds at any admissible shape.
pub(super) fn check<E: Element<N, K>, const N: usize, const K: usize>(element: &E, x: &[Vec3; N], scale: &Scale, what: &str) {
    check_potential(element, x, scale, what);
    coordinates_reproduce_the_force(element, x, scale, what);
    basis_is_free_of_net_force_and_torque(element, x, what);
    weight_is_positive_definite(element, x, what);
}

/// Of an element with a rest shape of its author's: its naive rest state comes back to it from any other, whatever the shape `x`, and makes
/// the forces that are told of it. Rest states are fitted as of any other.
pub(super) fn check_authored_rest<E: Element<N, K>, const N: usize, const K: usize>(element: &E, x: &[Vec3; N], scale: &Scale, what: &str) {
    let size = scale.stiffness * scale.length;
    let (naive, expected) = (element.at_rest(x).unwrap(), element.authored_coordinates(x).unwrap());
    let back = element.with_rest_for(x, &[1e-4 * size; K]).unwrap().at_rest(x).unwrap();
    for (name, found) in [("naive", &naive), ("naive again", &back)] {
        for (found, expected) in found.force_coordinates(x).iter().zip(&expected) {
            let unit = element.force_basis(x).iter().flatten().map(Vec3::amax).fold(0.0, f64::max);
            assert!((found - expected).abs() * unit <= 1e-12 * size, "{what}: {name} makes {found} and tells {expected}");
        }
    }
    assert_eq!(naive.authored_coordinates(x), element.authored_coordinates(x), "{what}");
    let fitted = element.with_rest_for(x, &naive.force_coordinates(x)).unwrap();
    for (expected, found) in naive.gradient(x).iter().zip(fitted.gradient(x)) {
        assert!((expected - found).amax() <= 1e-12 * size, "{what}: {expected} {found}");
    }
    assert_eq!((fitted.force_basis(x), fitted.inverse_weight(x)), (element.force_basis(x), element.inverse_weight(x)), "{what}");
    stiffening_multiplies_all_but_the_subspace(&fitted, x, scale, what).unwrap();
}

/// What holds even where nodes are no points, so that forces on them need not add up to nothing.
pub(super) fn check_derivatives<E: Element<N, K>, const N: usize, const K: usize>(element: &E, x: &[Vec3; N], scale: &Scale, what: &str) {
    derivatives_match_differences(element, x, scale, what);
    hessian_is_symmetric_and_projects_to_psd(element, x, scale, what);
}

/// The same of the forces that it can make.
pub(super) fn check_coordinates<E: Element<N, K>, const N: usize, const K: usize>(element: &E, x: &[Vec3; N], scale: &Scale, what: &str) {
    coordinates_reproduce_the_force(element, x, scale, what);
    weight_is_positive_definite(element, x, what);
}

/// What holds even where the forces of an element are of its space only in the given shape.
pub(super) fn check_potential<E: Element<N, K>, const N: usize, const K: usize>(element: &E, x: &[Vec3; N], scale: &Scale, what: &str) {
    check_derivatives(element, x, scale, what);
    let gradient = element.gradient(x);
    let size = gradient.iter().map(Vec3::amax).fold(scale.stiffness * scale.length, f64::max);
    let force: Vec3 = gradient.iter().sum();
    let torque: Vec3 = gradient.iter().zip(x).map(|(g, p)| (p - x[0]).cross(g)).sum();
    assert!(E::is_anchored() || force.amax() <= 1e-13 * size, "{what}: net force {force}");
    assert!(E::is_anchored() || torque.amax() <= 1e-13 * size * scale.length.max((x[N - 1] - x[0]).norm()), "{what}: net torque {torque}");
}

/// The weight is the stiffness of an element that is undeformed at `x`: its Hessian is B W^-1 B^T, so that a solution of the dual is the
/// displacement of the naive rest state.
pub(super) fn weight_is_the_stiffness_at_rest<E: Element<N, K>, const N: usize, const K: usize>(element: &E, x: &[Vec3; N], scale: &Scale) {
    let rested = element.at_rest(x).expect("a sound shape");
    let (hessian, basis, weight) = (rested.hessian(x, false), element.force_basis(x), element.inverse_weight(x));
    for i in 0..N {
        for j in 0..N {
            let mut expected = Mat3::zeros();
            for (row, first) in weight.iter().zip(&basis) {
                for (weight, second) in row.iter().zip(&basis) {
                    expected += *weight * first[i] * second[j].transpose();
                }
            }
            assert!((hessian[i][j] - expected).amax() < 1e-11 * scale.stiffness, "{i} {j}: {} {expected}", hessian[i][j]);
        }
    }
}

/// Rest states refitted to forces: the force, then the same force from `other`'s rest state at the same shape.
pub(super) fn check_rest_fit<E: Element<N, K>, const N: usize, const K: usize>(
    element: &E,
    x: &[Vec3; N],
    scale: &Scale,
    what: &str,
) -> Result<(), super::Unattainable> {
    let s = element.force_coordinates(x);
    let rested = element.at_rest(x)?;
    let force = rested.gradient(x);
    assert!(force.iter().all(|f| f.amax() <= 1e-13 * scale.stiffness * scale.length), "{what}: force at rest {force:?}");
    let fitted = rested.with_rest_for(x, &s)?;
    assert_eq!(fitted.force_basis(x), element.force_basis(x), "{what}: the basis depends on the rest state");
    assert_eq!(fitted.inverse_weight(x), element.inverse_weight(x), "{what}: the weight depends on the rest state");
    for (expected, found) in element.gradient(x).iter().zip(fitted.gradient(x)) {
        assert!((expected - found).amax() <= 1e-12 * scale.stiffness * scale.length, "{what}: {expected} {found}");
    }
    stiffening_multiplies_all_but_the_subspace(element, x, scale, what)
}

/// A stiffened element makes the same force from a rest state nearer to `x`.
fn stiffening_multiplies_all_but_the_subspace<E: Element<N, K>, const N: usize, const K: usize>(
    element: &E,
    x: &[Vec3; N],
    scale: &Scale,
    what: &str,
) -> Result<(), super::Unattainable> {
    let (factor, slack) = (2.5, 1e-14 * scale.stiffness * scale.length);
    let stiff = element.stiffened(factor);
    assert_eq!((element.stiffening(), stiff.stiffening()), (1.0, factor), "{what}");
    assert_eq!(stiff.force_basis(x), element.force_basis(x), "{what}: the basis depends on the stiffness factor");
    assert_eq!(stiff.inverse_weight(x), element.inverse_weight(x), "{what}: the weight depends on the stiffness factor");
    assert!((stiff.energy(x) - factor * element.energy(x)).abs() <= slack * scale.length, "{what}: energy");
    let fitted = stiff.at_rest(x)?.with_rest_for(x, &element.force_coordinates(x))?;
    assert_eq!(fitted.stiffening(), factor, "{what}: a fitted element lost its stiffness factor");
    let (gradient, stiffer, fitted) = (element.gradient(x), stiff.gradient(x), fitted.gradient(x));
    let (hessian, stiff_hessian) = (element.hessian(x, false), stiff.hessian(x, false));
    for i in 0..N {
        assert!((stiffer[i] - factor * gradient[i]).amax() <= slack, "{what}: force");
        assert!((fitted[i] - gradient[i]).amax() <= 1e2 * slack, "{what}: fitted force {} {}", fitted[i], gradient[i]);
        for (hessian, stiffer) in hessian[i].iter().zip(&stiff_hessian[i]) {
            assert!((stiffer - factor * hessian).amax() <= 1e-14 * hessian.amax().max(scale.stiffness), "{what}: hessian");
        }
    }
    Ok(())
}

fn derivatives_match_differences<E: Element<N, K>, const N: usize, const K: usize>(element: &E, x: &[Vec3; N], scale: &Scale, what: &str) {
    let step = 1e-5 * scale.length;
    let (gradient, hessian) = (element.gradient(x), element.hessian(x, false));
    for j in 0..N {
        for axis in 0..3 {
            let moved = |sign: f64| {
                let mut y = *x;
                y[j][axis] += sign * step;
                y
            };
            let (forward, backward) = (moved(1.0), moved(-1.0));
            let slope = (element.energy(&forward) - element.energy(&backward)) / (2.0 * step);
            let error = (slope - gradient[j][axis]).abs();
            assert!(error < 1e-6 * scale.stiffness * scale.length, "{what}: gradient {slope} {}", gradient[j][axis]);
            let (forward, backward) = (element.gradient(&forward), element.gradient(&backward));
            for i in 0..N {
                let slope = (forward[i] - backward[i]) / (2.0 * step);
                let error = (slope - hessian[i][j].column(axis)).amax();
                assert!(error < 1e-6 * scale.stiffness, "{what}: hessian {i} {j}: {slope} {}", hessian[i][j]);
            }
        }
    }
}

fn hessian_is_symmetric_and_projects_to_psd<E: Element<N, K>, const N: usize, const K: usize>(
    element: &E,
    x: &[Vec3; N],
    scale: &Scale,
    what: &str,
) {
    for projected in [false, true] {
        let hessian = element.hessian(x, projected);
        for i in 0..N {
            for j in 0..N {
                assert_eq!(hessian[i][j], hessian[j][i].transpose(), "{what}: hessian is not symmetric to the last bit");
            }
        }
    }
    let projected = eigenvalues(&element.hessian(x, true));
    assert!(projected.min() > -1e-12 * scale.stiffness.max(projected.max()), "{what}: projected, yet {projected}");
    // Where there is nothing to clamp, projection changes nothing.
    let exact = eigenvalues(&element.hessian(x, false));
    if exact.min() > -1e-12 * exact.max() {
        assert!((exact - projected).amax() < 1e-9 * scale.stiffness, "{what}");
    }
}

/// Ascending.
fn eigenvalues<const N: usize>(blocks: &[[Mat3; N]; N]) -> nalgebra::DVector<f64> {
    let dense = nalgebra::DMatrix::from_fn(3 * N, 3 * N, |r, c| blocks[r / 3][c / 3][(r % 3, c % 3)]);
    let mut values = dense.symmetric_eigenvalues();
    values.as_mut_slice().sort_by(f64::total_cmp);
    values
}

fn coordinates_reproduce_the_force<E: Element<N, K>, const N: usize, const K: usize>(
    element: &E,
    x: &[Vec3; N],
    scale: &Scale,
    what: &str,
) {
    let (basis, s, gradient) = (element.force_basis(x), element.force_coordinates(x), element.gradient(x));
    for i in 0..N {
        let force: Vec3 = basis.iter().zip(&s).map(|(column, s)| *s * column[i]).sum();
        let error = (force + gradient[i]).amax();
        assert!(error <= 1e-12 * (scale.stiffness * scale.length).max(gradient[i].amax()), "{what}: force {i} off by {error:e}");
    }
}

fn basis_is_free_of_net_force_and_torque<E: Element<N, K>, const N: usize, const K: usize>(element: &E, x: &[Vec3; N], what: &str) {
    for (k, column) in element.force_basis(x).iter().enumerate() {
        let size: f64 = column.iter().map(Vec3::amax).fold(0.0, f64::max);
        let arm = x.iter().map(|p| (p - x[0]).amax()).fold(0.0, f64::max);
        let force: Vec3 = column.iter().sum();
        let torque: Vec3 = column.iter().zip(x).map(|(f, p)| (p - x[0]).cross(f)).sum();
        assert!(size > 0.0 && force.amax() <= 1e-15 * size, "{what}: coordinate {k} has net force {force}");
        assert!(torque.amax() <= 4e-15 * size * arm, "{what}: coordinate {k} has net torque {torque}");
    }
}

fn weight_is_positive_definite<E: Element<N, K>, const N: usize, const K: usize>(element: &E, x: &[Vec3; N], what: &str) {
    let weight = element.inverse_weight(x);
    let dense = nalgebra::DMatrix::from_fn(K, K, |r, c| weight[r][c]);
    assert_eq!(dense, dense.transpose(), "{what}");
    assert!(dense.clone().cholesky().is_some(), "{what}: weight {dense}");
}
