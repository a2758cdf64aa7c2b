//! Dihedral angles by their cosines: what no step may make worse.

use crate::math::Vec3;

/// The extreme dihedral angles of one or more tets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Angles {
    /// Cosine of the smallest angle: the less the better.
    pub small: f64,
    /// Minus the cosine of the largest angle: the less the better.
    pub large: f64,
}

impl Angles {
    /// Those of no tets.
    pub const NONE: Self = Self { small: f64::NEG_INFINITY, large: f64::NEG_INFINITY };

    /// What the worse of the two ends amounts to.
    pub fn worst(&self) -> f64 {
        self.small.max(self.large)
    }

    /// Those of both.
    pub fn and(self, other: Self) -> Self {
        Self { small: self.small.max(other.small), large: self.large.max(other.large) }
    }
}

/// Angles that a step may give although the tets around were better before: past these only betterment is allowed.
#[derive(Debug, Clone, Copy)]
pub struct Bounds(Angles);

impl Bounds {
    /// A mesh with these extreme dihedral angles [degrees] keeps them; a bad one gets no angle below 30 or past 150.
    pub fn new((smallest, largest): (f64, f64)) -> Self {
        Self(Angles { small: smallest.max(30.0).to_radians().cos(), large: -largest.min(150.0).to_radians().cos() })
    }

    /// Whether going from `old` to `new` is allowed.
    pub fn allow(&self, old: Angles, new: Angles) -> bool {
        new.small <= old.small.max(self.0.small) && new.large <= old.large.max(self.0.large)
    }
}

/// The extreme angles of a tet with positive volume; infinitely bad if it has none.
pub fn of_corners([a, b, c, d]: [Vec3; 4]) -> Angles {
    let (ab, ac, ad) = (b - a, c - a, d - a);
    let (bc, bd) = (c - b, d - b);
    // Outward: opposite to a, b, c, d.
    let n = [bc.cross(&bd), ad.cross(&ac), ab.cross(&ad), ac.cross(&ab)];
    if ab.dot(&n[0]) <= 0.0 {
        return Angles { small: f64::INFINITY, large: f64::INFINITY };
    }
    let n = n.map(|n| n / n.norm());
    let mut angles = Angles::NONE;
    for i in 0..4 {
        for j in i + 1..4 {
            let dot = n[i].dot(&n[j]);
            angles = angles.and(Angles { small: -dot, large: dot });
        }
    }
    // NaN of a degenerate face compares as no worse than anything, so it is named here.
    if angles.small.is_finite() { angles } else { Angles { small: f64::INFINITY, large: f64::INFINITY } }
}

/// The extreme angles of a tet.
pub fn of(positions: &[Vec3], tet: &[u32; 4]) -> Angles {
    of_corners(tet.map(|v| positions[v as usize]))
}
