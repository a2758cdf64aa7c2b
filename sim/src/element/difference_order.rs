//! Central differences of energies and gradients approach the derivatives with the square of the step: an error of the
//! formula, however small, would not fall at all.

use super::{Element, Tet};
use crate::contact::barrier::{Barrier, BarrierKind};
use crate::material::{Frame, MATERIALS};
use crate::math::random::Random;
use crate::math::{Mat3, Vec3};

/// Steps by which the errors are compared, as shares of the element's size: far above round-off, and small for a fourth order.
const STEPS: [f64; 2] = [4e-3, 2e-3];
/// Errors below this share of the derivative are round-off: of polynomials of second degree there is no other.
const ROUND_OFF: f64 = 1e-9;

fn moved(x: &[Vec3; 4], direction: &[Vec3; 4], step: f64) -> [Vec3; 4] {
    std::array::from_fn(|i| x[i] + step * direction[i])
}

/// Errors of the slope and of the change of the gradient along `direction`, each as a share of the derivative's size.
fn errors(tet: &Tet, x: &[Vec3; 4], direction: &[Vec3; 4], step: f64) -> [f64; 2] {
    let (ahead, behind) = (moved(x, direction, step), moved(x, direction, -step));
    let gradient = tet.gradient(x);
    let slope: f64 = gradient.iter().zip(direction).map(|(g, d)| g.dot(d)).sum();
    let of_slope = (tet.energy(&ahead) - tet.energy(&behind)) / (2.0 * step) - slope;
    let hessian = tet.hessian(x, false);
    let (after, before) = (tet.gradient(&ahead), tet.gradient(&behind));
    let (mut off, mut size) = (0.0, 0.0);
    for i in 0..4 {
        let exact: Vec3 = (0..4).map(|j| hessian[i][j] * direction[j]).sum();
        off += ((after[i] - before[i]) / (2.0 * step) - exact).norm_squared();
        size += exact.norm_squared();
    }
    [of_slope.abs() / slope.abs(), (off / size).sqrt()]
}

#[test]
fn errors_of_differences_of_every_law_fall_with_the_square_of_the_step() {
    let mut random = Random::new(21);
    let rest = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    for law in MATERIALS {
        let mut tet = Tet::new((law.build)(1e4, 0.3), &rest).unwrap_or_else(|why| unreachable!("{why}"));
        let mut compared = [0, 0];
        for trial in 0..20 {
            let f = Mat3::identity() + random.matrix(-0.25, 0.25);
            let turn = if tet.material.frame() == Frame::Fixed { Mat3::identity() } else { random.rotation() };
            let x = rest.map(|p| turn * f * p);
            tet.lag(&x);
            let direction: [Vec3; 4] = std::array::from_fn(|_| random.vector(-1.0, 1.0));
            let [coarse, fine] = STEPS.map(|step| errors(&tet, &x, &direction, step));
            for kind in 0..2 {
                if coarse[kind] > ROUND_OFF {
                    let ratio = coarse[kind] / fine[kind];
                    assert!((3.8..4.2).contains(&ratio), "{} trial {trial}, derivative {}: {ratio}", law.name, kind + 1);
                    compared[kind] += 1;
                }
            }
        }
        let quadratic = compared == [0, 0];
        assert!(quadratic == (tet.material.frame() != Frame::Current) || compared.iter().all(|&c| c >= 15), "{}: {compared:?}", law.name);
    }
}

#[test]
fn errors_of_differences_of_the_barriers_fall_with_the_square_of_the_step() {
    for kind in [BarrierKind::C2, BarrierKind::Book] {
        let barrier = Barrier { distance: 2e-3, stiffness: 300.0, kind };
        for share in [0.2, 0.5, 0.8] {
            let gap = share * barrier.distance;
            let errors = STEPS.map(|step| {
                let h = step * gap;
                let slope = (barrier.energy(gap + h) - barrier.energy(gap - h)) / (2.0 * h);
                let second = -(barrier.force(gap + h) - barrier.force(gap - h)) / (2.0 * h);
                [(slope + barrier.force(gap)).abs(), (second - barrier.second_derivative(gap)).abs()]
            });
            for (coarse, fine) in errors[0].iter().zip(errors[1]) {
                assert!((3.9..4.1).contains(&(coarse / fine)), "{kind:?} at {share}: {coarse} {fine}");
            }
        }
    }
}
