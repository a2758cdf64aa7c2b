//! [`Weights`]: the nodes of a grid around a point, by quadratic B-splines.

use crate::math::Vec3;

/// Nodes along an axis that a point has.
pub const WIDE: usize = 3;
/// Nodes that a point has.
pub const NODES: usize = WIDE * WIDE * WIDE;

/// Quadratic B-splines around a point (Jiang, Schroeder, Teran, Stomakhin, Selle 2016, "The Material Point Method for Simulating Continuum
/// Materials", eq. 123): 3/4 - r^2 and (3/2 - |r|)^2 / 2 over distances r in cells. They add up to 1, and to the point's place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// The first of its nodes, in cells from the origin.
    pub base: [i32; 3],
    /// Along each axis.
    pub along: [[f64; WIDE]; 3],
    /// From the point to the nodes, along each axis [m].
    pub away: [[f64; WIDE]; 3],
}

/// Cells from the origin that can be counted.
const FARTHEST: f64 = 1e9;

/// The first node of a point at `x` [m] in a grid with cells of `spacing` [m], in cells from the origin; `None` where it is too far out for its cell to be
/// numbered, or nowhere.
#[inline(always)]
pub fn base(x: &Vec3, spacing: f64) -> Option<[i32; 3]> {
    let cells = x / spacing;
    let floor = |axis: usize| {
        let cell = cells[axis] - 0.5;
        let whole = cell as i32;
        whole - i32::from(f64::from(whole) > cell)
    };
    cells.iter().all(|c| c.abs() < FARTHEST).then(|| [floor(0), floor(1), floor(2)])
}

impl Weights {
    /// Of a point at `x` [m] in a grid with cells of `spacing` [m]; `None` where it has no [`base`].
    #[inline(always)]
    pub fn of(x: &Vec3, spacing: f64) -> Option<Self> {
        let mut own = Self { base: base(x, spacing)?, along: [[0.0; WIDE]; 3], away: [[0.0; WIDE]; 3] };
        for axis in 0..3 {
            let from = x[axis] / spacing - f64::from(own.base[axis]);
            own.along[axis] = [0.5 * (1.5 - from).powi(2), 0.75 - (from - 1.0).powi(2), 0.5 * (from - 0.5).powi(2)];
            own.away[axis] = [0.0, 1.0, 2.0].map(|node| spacing * (node - from));
        }
        Some(own)
    }

    /// All of them, in the order of [`Weights::for_each`].
    #[inline]
    pub fn all(&self) -> [f64; NODES] {
        let [wx, wy, wz] = &self.along;
        std::array::from_fn(|n| wx[n / (WIDE * WIDE)] * wy[n / WIDE % WIDE] * wz[n % WIDE])
    }

    /// Calls `visit` with the place of each node behind the base along the axes, its weight, and the way from the point to it [m]; always in
    /// the same order.
    #[inline]
    pub fn for_each(&self, mut visit: impl FnMut([usize; 3], f64, &Vec3)) {
        let ([wx, wy, wz], [dx, dy, dz]) = (&self.along, &self.away);
        for i in 0..WIDE {
            for j in 0..WIDE {
                let across = wx[i] * wy[j];
                for k in 0..WIDE {
                    visit([i, j, k], across * wz[k], &Vec3::new(dx[i], dy[j], dz[k]));
                }
            }
        }
    }
}

/// c = 4 / spacing^2: the inverse of the second moment of the weights (Jiang et al. 2015, 5.3) [1/m^2].
pub fn inverse_moment(spacing: f64) -> f64 {
    4.0 / (spacing * spacing)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::Mat3;
    use crate::math::random::Random;

    /// Sums of weights, of ways and of their squares, wherever the point is.
    #[test]
    fn weights_reproduce_quadratic_polynomials() {
        let mut random = Random::new(3);
        for spacing in [1e-3, 0.05, 7.0] {
            for _ in 0..300 {
                let x = spacing * random.vector(-20.0, 20.0);
                let weights = Weights::of(&x, spacing).unwrap();
                let (mut sum, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
                weights.for_each(|at, w, away| {
                    assert!(w >= 0.0);
                    let node = Vec3::from_fn(|axis, _| spacing * (f64::from(weights.base[axis]) + at[axis] as f64));
                    assert!((x + away - node).amax() < 1e-14 * 25.0 * spacing);
                    sum += w;
                    first += w * away;
                    second += w * away * away.transpose();
                });
                assert!((sum - 1.0).abs() < 1e-15 && first.amax() < 1e-15 * spacing, "{sum} {first}");
                let moment = Mat3::from_diagonal_element(1.0 / inverse_moment(spacing));
                assert!((second - moment).amax() < 1e-15 * spacing * spacing, "{second}");
            }
        }
        for nowhere in [f64::NAN, f64::INFINITY, 1e30] {
            assert_eq!(Weights::of(&Vec3::new(0.0, nowhere, 0.0), 0.1), None);
        }
    }
}
