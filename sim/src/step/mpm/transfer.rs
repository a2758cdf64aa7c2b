//! The two loops over the nodes of a point, which nearly all of a step's time is spent in. What a point gives to a node is linear in the way to it, and
//! so are sums over a row of nodes: each is taken along one axis after the other.

use super::blocks::{Blocks, Lanes, Patch};
use crate::math::splines::{WIDE, Weights};

/// A function that is linear in the way from a point to a node: its value at the point, and its slopes along the axes.
pub struct Linear<const N: usize> {
    /// At the point.
    pub value: Lanes<N>,
    /// Along each axis.
    pub slopes: [Lanes<N>; 3],
}

#[inline(always)]
fn sum<const N: usize>(a: &Lanes<N>, factor: f64, b: &Lanes<N>) -> Lanes<N> {
    std::array::from_fn(|n| a[n] + factor * b[n])
}

/// Adds to each node of a point, times its weight, what it is given. `first`: number of the first node in the patch.
#[inline(always)]
pub fn scatter<const N: usize>(weights: &Weights, first: usize, given: &Linear<N>, patch: &mut Patch<N>) {
    let ([wx, wy, wz], [dx, dy, dz]) = (&weights.along, &weights.away);
    for i in 0..WIDE {
        let layer = sum(&given.value, dx[i], &given.slopes[0]);
        for j in 0..WIDE {
            let (row, across) = (sum(&layer, dy[j], &given.slopes[1]), wx[i] * wy[j]);
            let at = first + i * Blocks::LAYER + j * Blocks::ROW;
            for (k, node) in patch[at..at + WIDE].iter_mut().enumerate() {
                *node = sum(node, across * wz[k], &sum(&row, dz[k], &given.slopes[2]));
            }
        }
    }
}

/// The sum over the nodes of a point of what they have times their weights, and the same times the way to each along the axes [m].
#[inline(always)]
pub fn gather<const N: usize>(weights: &Weights, first: usize, patch: &Patch<N>) -> Linear<N> {
    let ([wx, wy, wz], [dx, dy, dz]) = (&weights.along, &weights.away);
    let mut all = Linear { value: [0.0; N], slopes: [[0.0; N]; 3] };
    for i in 0..WIDE {
        let mut layer = ([0.0; N], [0.0; N], [0.0; N]);
        for j in 0..WIDE {
            let at = first + i * Blocks::LAYER + j * Blocks::ROW;
            let (mut row, mut along) = ([0.0; N], [0.0; N]);
            for (k, node) in patch[at..at + WIDE].iter().enumerate() {
                row = sum(&row, wz[k], node);
                along = sum(&along, wz[k] * dz[k], node);
            }
            layer.0 = sum(&layer.0, wy[j], &row);
            layer.1 = sum(&layer.1, wy[j] * dy[j], &row);
            layer.2 = sum(&layer.2, wy[j], &along);
        }
        all.value = sum(&all.value, wx[i], &layer.0);
        all.slopes[0] = sum(&all.slopes[0], wx[i] * dx[i], &layer.0);
        all.slopes[1] = sum(&all.slopes[1], wx[i], &layer.1);
        all.slopes[2] = sum(&all.slopes[2], wx[i], &layer.2);
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::Vec3;
    use crate::math::random::Random;

    /// Both are the sums over the nodes one by one.
    #[test]
    fn sums_by_rows_are_sums_over_nodes() {
        let mut random = Random::new(7);
        for _ in 0..100 {
            let weights = Weights::of(&random.vector(-3.0, 3.0), 0.7).unwrap();
            let mut number = || random.uniform(-1.0, 1.0);
            let given = Linear { value: std::array::from_fn(|_| number()), slopes: [0; 3].map(|_| std::array::from_fn(|_| number())) };
            let values: Patch<4> = std::array::from_fn(|_| std::array::from_fn(|_| number()));
            let mut patch = values.map(|_| [0.0; 4]);
            let first = Blocks::LAYER * 2 + Blocks::ROW * 5 + 3;
            scatter(&weights, first, &given, &mut patch);
            let found = gather(&weights, first, &values);
            let mut sums = [[0.0; 4]; 4];
            weights.for_each(|at, w, away: &Vec3| {
                let node = first + at[0] * Blocks::LAYER + at[1] * Blocks::ROW + at[2];
                for lane in 0..4 {
                    let expected = w * (given.value[lane] + (0..3).map(|axis| given.slopes[axis][lane] * away[axis]).sum::<f64>());
                    assert!((patch[node][lane] - expected).abs() < 1e-15);
                    patch[node][lane] = 0.0;
                    sums[0][lane] += w * values[node][lane];
                    (0..3).for_each(|axis| sums[1 + axis][lane] += w * away[axis] * values[node][lane]);
                }
            });
            assert!(patch.iter().flatten().all(|left| *left == 0.0));
            let close = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
            assert!(close(&found.value, &sums[0]) && (0..3).all(|axis| close(&found.slopes[axis], &sums[1 + axis])));
        }
    }
}
