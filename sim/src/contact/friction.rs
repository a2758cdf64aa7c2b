//! Friction that sticks. A contact keeps a tangential slip s relative to an anchor; the potential
//! mu lambda f0(|s|) has the slope mu lambda f1(|s|) (Li et al. 2020, eq. 17, with the slip itself instead of
//! the slip of one step), so a force below the cone is held by a fixed slip and does not creep.

use crate::math::{Mat3, Vec3};

/// Friction of one contact within a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlipPotential {
    /// Largest friction force mu lambda [N].
    pub limit: f64,
    /// Slip over which friction builds up [m].
    pub length: f64,
}

/// The share of the largest friction force that a contact makes, as Newton's method has it, and the slip for which it has it.
///
/// Where a contact slips by a little more than the slip at which it sticks, the tangent of the force tells nothing of how it turns
/// on the way back: Newton's method with plain second derivatives runs past, and with those of a paraboloid from above it crawls. So
/// the share w is an unknown of its own, tied to the slip s by |s| w = s, and this equation is linearised with the others (Chan, Golub,
/// Mulet 1999, "A Nonlinear Primal-Dual Method for Total Variation-Based Image Restoration"). Eliminated, it leaves a curvature
/// that is positive semidefinite as long as |w| <= 1, and that of the potential once w has arrived.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForceShare {
    slip: Vec3,
    share: Vec3,
}

impl ForceShare {
    /// Follows an iteration of Newton's method to the slip `slip` [m]; begun with no force at all, where curvature is largest.
    pub fn follow(known: Option<Self>, slip: &Vec3, potential: &SlipPotential) -> Self {
        let Some(Self { slip: before, share }) = known else { return Self { slip: *slip, share: Vec3::zeros() } };
        let moved = slip - before;
        if moved == Vec3::zeros() {
            return Self { slip: before, share };
        }
        let along = before.try_normalize(0.0).map_or(0.0, |direction| direction.dot(&moved));
        let norm = before.norm();
        let next = potential.secant(norm) * (slip - potential.widening(norm) * along * share);
        Self { slip: *slip, share: next / next.norm().max(1.0) }
    }
}

impl SlipPotential {
    /// Energy at the slip `slip` [J].
    pub fn energy(&self, slip: &Vec3) -> f64 {
        let y = slip.norm() / self.length;
        let f0 = if y < 1.0 { y * y - y * y * y / 3.0 } else { y - 1.0 / 3.0 };
        self.limit * self.length * f0
    }

    /// Gradient by the slip [N]: minus the friction force.
    pub fn gradient(&self, slip: &Vec3) -> Vec3 {
        self.limit * self.secant(slip.norm()) * slip
    }

    /// Second derivatives in the plane with this unit normal [N/m]: symmetric, positive semidefinite. `above`: those of the
    /// paraboloid around no slip that touches the potential and is nowhere below it, as in iteratively reweighted least squares.
    /// A Newton step with the plain ones runs past the short slip at which a contact sticks, again and again.
    pub fn hessian(&self, slip: &Vec3, normal: &Vec3, above: bool) -> Mat3 {
        let norm = slip.norm();
        let plane = Mat3::identity() - normal * normal.transpose();
        let across = self.secant(norm);
        if above {
            return self.limit * across * plane;
        }
        let along = if norm < self.length { 2.0 / self.length * (1.0 - norm / self.length) } else { 0.0 };
        let direction = slip.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        self.limit * (across * plane + (along - across) * direction * direction.transpose())
    }

    /// What [`SlipPotential::hessian`] becomes where the share of the force is an unknown [N/m]: positive semidefinite.
    pub fn hessian_with(&self, slip: &Vec3, normal: &Vec3, force: &ForceShare) -> Mat3 {
        let norm = slip.norm();
        let plane = Mat3::identity() - normal * normal.transpose();
        let direction = slip.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let turned = force.share * direction.transpose();
        self.limit * self.secant(norm) * (plane - 0.5 * self.widening(norm) * (turned + turned.transpose()))
    }

    /// The slip at which the friction force on the node is `force` [N]; of length [`SlipPotential::length`] for a
    /// force on the cone or beyond.
    pub fn slip_for_force(&self, force: &Vec3) -> Vec3 {
        let size = force.norm();
        if size == 0.0 || self.limit <= 0.0 {
            return Vec3::zeros();
        }
        let share = (size / self.limit).min(1.0);
        // The root of 2 y - y^2 = share below one, without cancellation.
        let y = share / (1.0 + (1.0 - share).sqrt());
        force * (-self.length * y / size)
    }

    /// Derivative by |s| of |s| / f1(|s|).
    fn widening(&self, norm: f64) -> f64 {
        if norm < self.length { (2.0 - norm / self.length).powi(-2) } else { 1.0 }
    }

    /// f1(|s|) / |s| [1/m].
    fn secant(&self, norm: f64) -> f64 {
        if norm < self.length { (2.0 - norm / self.length) / self.length } else { 1.0 / norm }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const FRICTION: SlipPotential = SlipPotential { limit: 3.0, length: 1e-3 };

    #[test]
    fn derivatives_match_differences() {
        let normal = Vec3::new(1.0, 2.0, -0.5).normalize();
        let plane = Mat3::identity() - normal * normal.transpose();
        for size in [0.0, 0.2e-3, 0.9e-3, 1.1e-3, 7e-3] {
            let slip = plane * Vec3::new(0.3, -0.4, 1.0).normalize() * size;
            let h = 1e-8;
            let hessian = FRICTION.hessian(&slip, &normal, false);
            for k in 0..3 {
                let step = plane * Vec3::ith(k, h);
                let slope = (FRICTION.energy(&(slip + step)) - FRICTION.energy(&(slip - step))) / (2.0 * h);
                let along = plane.column(k);
                assert!((slope - FRICTION.gradient(&slip).dot(&along)).abs() < 1e-6 * FRICTION.limit);
                let change = (FRICTION.gradient(&(slip + step)) - FRICTION.gradient(&(slip - step))) / (2.0 * h);
                assert!((change - hessian.column(k)).norm() < 2e-5 * FRICTION.limit / FRICTION.length, "{size} {k}");
            }
            assert!((hessian - hessian.transpose()).norm() < 1e-9);
            assert!((hessian * normal).norm() < 1e-9);
            assert!(hessian.symmetric_eigenvalues().min() > -1e-9);
        }
    }

    /// Touches with the same slope, and is nowhere below.
    #[test]
    fn the_paraboloid_from_above_touches_the_potential() {
        let normal = Vec3::z();
        for size in [1e-5, 0.2e-3, 0.9e-3, 1.1e-3, 7e-3] {
            let slip = Vec3::new(0.6, -0.8, 0.0) * size;
            let above = FRICTION.hessian(&slip, &normal, true);
            assert!((above * slip - FRICTION.gradient(&slip)).norm() < 1e-12 * FRICTION.limit);
            let paraboloid = |s: &Vec3| FRICTION.energy(&slip) + 0.5 * (s.dot(&(above * s)) - slip.dot(&(above * slip)));
            for k in 0..400 {
                let angle = f64::from(k);
                let other = Vec3::new(angle.cos(), angle.sin(), 0.0) * (1e-3 * 1.02f64.powi(k - 200));
                assert!(paraboloid(&other) >= FRICTION.energy(&other) * (1.0 - 1e-12), "{size} {k}");
            }
        }
    }

    #[test]
    fn the_slip_for_a_force_makes_that_force() {
        let direction = Vec3::new(2.0, -1.0, 0.0).normalize();
        for share in [0.0, 1e-12, 0.1, 0.5, 0.97, 1.0] {
            let force = share * FRICTION.limit * direction;
            let slip = FRICTION.slip_for_force(&force);
            assert!((FRICTION.gradient(&slip) + force).norm() < 1e-14 * FRICTION.limit);
            assert!(slip.norm() <= FRICTION.length * (1.0 + 1e-15));
        }
        assert!((FRICTION.slip_for_force(&(9.0 * direction)).norm() / FRICTION.length - 1.0).abs() < 1e-15);
        let slippery = SlipPotential { limit: 0.0, length: 1e-3 };
        assert_eq!(slippery.slip_for_force(&direction), Vec3::zeros());
    }

    /// On a spring, pulled from anywhere: Newton's method with the share as an unknown finds sticking and slipping alike, downhill all the
    /// way, where the plain one runs past and the paraboloid from above crawls.
    #[test]
    fn newtons_method_that_follows_the_force_finds_stick_and_slip_at_once() {
        let normal = Vec3::z();
        let solve = |pull: Vec3, start: Vec3, follows: bool| {
            let stiffness = 10.0;
            let energy = |s: &Vec3| 0.5 * stiffness * (s - pull).norm_squared() + FRICTION.energy(s);
            let (mut slip, mut force) = (start, None);
            for iteration in 0..200 {
                force = Some(ForceShare::follow(force, &slip, &FRICTION));
                let friction = match &force {
                    Some(force) if follows => FRICTION.hessian_with(&slip, &normal, force),
                    _ => FRICTION.hessian(&slip, &normal, true),
                };
                let smallest = friction.symmetric_eigenvalues().min();
                assert!(smallest > -1e-9 * friction.norm(), "{smallest}");
                let gradient = stiffness * (slip - pull) + FRICTION.gradient(&slip);
                let hessian: Mat3 = friction + stiffness * Mat3::identity();
                let direction = -hessian.try_inverse().unwrap() * gradient;
                let mut step = 1.0;
                while energy(&(slip + step * direction)) > energy(&slip) + 1e-4 * step * gradient.dot(&direction) && step > 1e-9 {
                    step *= 0.5;
                }
                slip += step * direction;
                if direction.norm() < 1e-8 {
                    return iteration;
                }
            }
            200
        };
        let (mut most, mut most_from_above) = (0, 0);
        for size in [0.05, 0.2, 0.27, 0.299, 0.301, 0.33, 0.5, 3.0] {
            for turn in [0.0f64, 1.0, 2.0, 3.0] {
                let (pull, start) = (size * Vec3::x(), 0.02 * Vec3::new(turn.cos(), turn.sin(), 0.0));
                most = most.max(solve(pull, start, true));
                most_from_above = most_from_above.max(solve(pull, start, false));
            }
        }
        println!("{most} iterations, {most_from_above} from above");
        assert!(most <= 20 && most_from_above > 5 * most, "{most} {most_from_above}");
    }

    /// Once it has arrived the curvature is that of the potential, so that convergence is quadratic.
    #[test]
    fn the_curvature_that_follows_the_force_ends_as_that_of_the_potential() {
        let normal = Vec3::z();
        for size in [0.2e-3, 0.9e-3, 1.5e-3, 7e-3] {
            let slip = size * Vec3::new(0.6, 0.8, 0.0);
            let force = ForceShare { slip, share: FRICTION.secant(size) * slip };
            let difference = FRICTION.hessian_with(&slip, &normal, &force) - FRICTION.hessian(&slip, &normal, false);
            assert!(difference.norm() < 1e-9 * FRICTION.hessian(&slip, &normal, false).norm(), "{size}");
        }
    }
}
