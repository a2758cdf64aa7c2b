//! Barriers that keep gaps open: they push below a distance d and grow without bound as the gap closes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The shape of the barrier, over the share y = g / d of the gap g.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BarrierKind {
    /// -kappa d^2 (y - 1)^2 ln y: twice continuously differentiable (Li et al. 2020, "Incremental Potential
    /// Contact", eq. 6).
    #[default]
    C2,
    /// kappa d^2 / 2 (y - 1) ln y: once continuously differentiable, its stiffness jumps to kappa at y = 1 (Li, Jiang,
    /// Luo, "Physics-Based Simulation", section 7.2).
    Book,
}

/// Barrier energy of one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Barrier {
    /// Distance at which it begins to push [m].
    pub distance: f64,
    /// Stiffness kappa [N/m].
    pub stiffness: f64,
    /// Its shape.
    pub kind: BarrierKind,
}

impl Barrier {
    /// Energy at the gap `gap` [J]; infinite for a closed one.
    pub fn energy(&self, gap: f64) -> f64 {
        if gap >= self.distance {
            return 0.0;
        }
        if gap <= 0.0 {
            return f64::INFINITY;
        }
        let (closing, log) = (gap - self.distance, (gap / self.distance).ln());
        match self.kind {
            BarrierKind::C2 => -self.stiffness * closing.powi(2) * log,
            BarrierKind::Book => 0.5 * self.stiffness * self.distance * closing * log,
        }
    }

    /// Force that opens the gap [N]: minus the derivative of the energy.
    pub fn force(&self, gap: f64) -> f64 {
        if gap >= self.distance {
            return 0.0;
        }
        self.stiffness * self.distance * self.kind.relative_force(gap / self.distance)
    }

    /// Second derivative of the energy [N/m], never negative.
    pub fn second_derivative(&self, gap: f64) -> f64 {
        if gap >= self.distance {
            return 0.0;
        }
        let y = gap / self.distance;
        let closing = (gap - self.distance) / gap;
        self.stiffness
            * match self.kind {
                BarrierKind::C2 => closing * closing - 4.0 * closing - 2.0 * y.ln(),
                BarrierKind::Book => 0.5 * (1.0 + y) / (y * y),
            }
    }

    /// The gap at which the force is `force` [N]; the barrier distance for a force that is not positive.
    pub fn gap_for_force(&self, force: f64) -> f64 {
        let target = force / (self.stiffness * self.distance);
        if target.is_nan() || target <= 0.0 {
            return self.distance;
        }
        // The relative force falls from infinity at 0 to zero at 1: bisect down to neighbouring numbers.
        let (mut low, mut high) = (0.0, 1.0);
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return high * self.distance;
            }
            if self.kind.relative_force(middle) > target {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
}

impl BarrierKind {
    /// The force over kappa d at the gap y d, 0 < y <= 1.
    fn relative_force(self, y: f64) -> f64 {
        match self {
            Self::C2 => (1.0 - y) * ((1.0 - y) / y - 2.0 * y.ln()),
            Self::Book => 0.5 * ((1.0 - y) / y - y.ln()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARRIER: Barrier = Barrier { distance: 2e-3, stiffness: 300.0, kind: BarrierKind::C2 };

    #[test]
    fn derivatives_match_differences() {
        let h = 1e-9;
        for share in [0.02, 0.1, 0.3, 0.6, 0.9, 0.99] {
            let g = share * BARRIER.distance;
            let force = -(BARRIER.energy(g + h) - BARRIER.energy(g - h)) / (2.0 * h);
            let second = -(BARRIER.force(g + h) - BARRIER.force(g - h)) / (2.0 * h);
            assert!((BARRIER.force(g) - force).abs() < 1e-5 * (BARRIER.force(g) + 1e-3), "force at {share}");
            assert!((BARRIER.second_derivative(g) / second - 1.0).abs() < 1e-4, "second derivative at {share}");
        }
    }

    #[test]
    fn all_derivatives_fade_to_zero_at_the_distance() {
        let g = BARRIER.distance * (1.0 - 1e-9);
        assert!(BARRIER.energy(g) < 1e-25 && BARRIER.force(g) < 1e-15 && BARRIER.second_derivative(g) < 1e-5);
        assert_eq!((BARRIER.energy(1.0), BARRIER.force(1.0), BARRIER.second_derivative(1.0)), (0.0, 0.0, 0.0));
        assert_eq!(BARRIER.energy(0.0), f64::INFINITY);
    }

    #[test]
    fn the_gap_for_a_force_makes_that_force() {
        for force in [1e-9, 1e-3, 0.1, 1.0, 50.0, 1e6] {
            let gap = BARRIER.gap_for_force(force);
            assert!(gap > 0.0 && gap < BARRIER.distance);
            assert!((BARRIER.force(gap) / force - 1.0).abs() < 1e-8, "{force}: {}", BARRIER.force(gap));
        }
        for force in [0.0, -3.0, f64::NAN] {
            assert_eq!(BARRIER.gap_for_force(force), BARRIER.distance);
        }
    }
}
