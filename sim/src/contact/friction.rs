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

    /// f1(|s|) / |s| [1/m].
    fn secant(&self, norm: f64) -> f64 {
        if norm < self.length { (2.0 - norm / self.length) / self.length } else { 1.0 / norm }
    }
}

#[cfg(test)]
mod tests {
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
}
