//! Barriers that keep gaps open: they push below a distance d and grow without bound as the gap closes.

pub use crate::scene::BarrierKind;

/// Of the smallest distance between surfaces in the given shape, how far the barrier reaches at most: so nothing pushes there.
pub const CLEAR_SHARE: f64 = 0.9;

/// How far apart surfaces must be [m] for a barrier that reaches `distance` [m] to be clear of them.
pub fn clear_reach(distance: f64) -> f64 {
    distance / CLEAR_SHARE
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
    /// The same barrier over the share `share` of its distance: at the same share of its gap it pushes as hard.
    pub fn narrowed(&self, share: f64) -> Self {
        Self { distance: share * self.distance, stiffness: self.stiffness / share, kind: self.kind }
    }

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

    const C2: Barrier = Barrier { distance: 2e-3, stiffness: 300.0, kind: BarrierKind::C2 };
    const BOOK: Barrier = Barrier { kind: BarrierKind::Book, ..C2 };

    #[test]
    fn derivatives_match_differences() {
        let h = 1e-9;
        for barrier in [C2, BOOK] {
            for share in [0.02, 0.1, 0.3, 0.6, 0.9, 0.99] {
                let g = share * barrier.distance;
                let force = -(barrier.energy(g + h) - barrier.energy(g - h)) / (2.0 * h);
                let second = -(barrier.force(g + h) - barrier.force(g - h)) / (2.0 * h);
                assert!((barrier.force(g) - force).abs() < 1e-5 * (barrier.force(g) + 1e-3), "force at {share}");
                assert!((barrier.second_derivative(g) / second - 1.0).abs() < 1e-4, "second derivative at {share}");
                assert!(barrier.force(g) > 0.0 && barrier.second_derivative(g) > 0.0, "it pushes, the more the nearer");
            }
        }
    }

    #[test]
    fn all_derivatives_fade_to_zero_at_the_distance() {
        let g = C2.distance * (1.0 - 1e-9);
        assert!(C2.energy(g) < 1e-25 && C2.force(g) < 1e-15 && C2.second_derivative(g) < 1e-5);
        for barrier in [C2, BOOK] {
            assert_eq!((barrier.energy(1.0), barrier.force(1.0), barrier.second_derivative(1.0)), (0.0, 0.0, 0.0));
            assert_eq!((barrier.energy(0.0), barrier.energy(-1.0)), (f64::INFINITY, f64::INFINITY));
        }
    }

    /// The book's barrier times area x distance with its stiffness in Pa, and its form in squared distances with the
    /// factor 1/8, agree with ours to second order at the distance.
    #[test]
    fn the_book_barrier_has_the_stiffness_kappa_at_the_distance() {
        let (area, pressure) = (1e-4, 6e3);
        let d = C2.distance;
        let barrier = Barrier { stiffness: area * pressure / d, ..BOOK };
        let plain = |g: f64| area * d * 0.5 * pressure * (g / d - 1.0) * (g / d).ln();
        let squared = |g: f64| area * d * pressure / 8.0 * ((g / d).powi(2) - 1.0) * (g / d).powi(2).ln();
        assert!((barrier.energy(0.3 * d) / plain(0.3 * d) - 1.0).abs() < 1e-12);
        for share in [1e-2, 1e-3, 1e-4] {
            let g = d * (1.0 - share);
            let spring = 0.5 * barrier.stiffness * (d - g).powi(2);
            for energy in [barrier.energy(g), plain(g), squared(g)] {
                assert!((energy / spring - 1.0).abs() < 1.1 * share, "{share}: {energy} {spring}");
            }
            assert!((barrier.second_derivative(g) / barrier.stiffness - 1.0).abs() < 2.0 * share);
        }
    }

    #[test]
    fn the_gap_for_a_force_makes_that_force() {
        for barrier in [C2, BOOK] {
            for force in [1e-9, 1e-3, 0.1, 1.0, 50.0, 1e6] {
                let gap = barrier.gap_for_force(force);
                assert!(gap > 0.0 && gap < barrier.distance);
                assert!((barrier.force(gap) / force - 1.0).abs() < 1e-6, "{force}: {}", barrier.force(gap));
            }
            for force in [0.0, -3.0, f64::NAN] {
                assert_eq!(barrier.gap_for_force(force), barrier.distance);
            }
        }
    }

    /// Over a part of its distance a barrier pushes as hard at the same part of each gap: the energy is the work of that force on so much
    /// shorter a way.
    #[test]
    fn a_narrowed_barrier_pushes_as_hard_at_the_same_share_of_its_gap() {
        for barrier in [C2, BOOK] {
            for share in [0.05, 0.4, 1.0] {
                let narrowed = barrier.narrowed(share);
                for gap in [0.03, 0.2, 0.5, 0.97].map(|y| y * barrier.distance) {
                    let close = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-12, "{share}: {found} {expected}");
                    close(narrowed.force(share * gap), barrier.force(gap));
                    close(narrowed.energy(share * gap), share * barrier.energy(gap));
                    close(narrowed.second_derivative(share * gap), barrier.second_derivative(gap) / share);
                }
                assert_eq!(narrowed.force(share * barrier.distance), 0.0);
            }
        }
    }
}
