//! The two loops over the nodes of a point, which nearly all of a step's time is spent in, for any number of nodes along an axis. What a point gives to a node is the
//! node's weight times what adds up along the axes, and what it sees of its nodes are sums of sums over rows: each is taken along one axis after the other.

use super::blocks::{Blocks, Lanes, Patch};
use crate::math::splines::Weights;

/// A value at a point, and slopes along the axes.
#[derive(Debug, Clone, Copy)]
pub struct Linear<const N: usize> {
    /// At the point.
    pub value: Lanes<N>,
    /// Along each axis.
    pub slopes: [Lanes<N>; 3],
}

/// What a point gives to its nodes, over their weights: a value, and what is more at each node along each axis.
pub struct Given<const W: usize, const N: usize> {
    value: Lanes<N>,
    along: [[Lanes<N>; W]; 3],
}

/// One rounding, and one instruction where the processor is asked for it ([`pulp`]).
#[inline(always)]
fn sum<const N: usize>(a: &Lanes<N>, factor: f64, b: &Lanes<N>) -> Lanes<N> {
    std::array::from_fn(|n| factor.mul_add(b[n], a[n]))
}

impl<const W: usize, const N: usize> Given<W, N> {
    /// The value, and the slopes times the steepness of the weights along each axis.
    #[inline(always)]
    pub fn new(given: &Linear<N>, steepness: &[[f64; W]; 3]) -> Self {
        let times = |axis: usize| std::array::from_fn(|node| given.slopes[axis].map(|slope| steepness[axis][node] * slope));
        Self { value: given.value, along: [times(0), times(1), times(2)] }
    }

    /// With other slopes times something else more.
    #[inline(always)]
    pub fn and(mut self, slopes: &[Lanes<N>; 3], along: &[[f64; W]; 3]) -> Self {
        for axis in 0..3 {
            for node in 0..W {
                self.along[axis][node] = sum(&self.along[axis][node], along[axis][node], &slopes[axis]);
            }
        }
        self
    }
}

/// Adds to each node of a point its weight times what it is given. `first`: number of the first node in the patch.
#[inline(always)]
pub fn scatter<const W: usize, const N: usize>(weights: &Weights<W>, first: usize, given: &Given<W, N>, patch: &mut Patch<N>) {
    let ([wx, wy, wz], [gx, gy, gz]) = (&weights.along, &given.along);
    for i in 0..W {
        let layer = sum(&given.value, 1.0, &gx[i]);
        for j in 0..W {
            let (row, across) = (sum(&layer, 1.0, &gy[j]), wx[i] * wy[j]);
            let at = first + i * Blocks::LAYER + j * Blocks::ROW;
            for (k, node) in patch[at..at + W].iter_mut().enumerate() {
                *node = sum(node, across * wz[k], &sum(&row, 1.0, &gz[k]));
            }
        }
    }
}

/// The sum over the nodes of a point of what they have times their weights, and the same with `slopes` in place of the weights along each axis in turn: with
/// those of the weights, the value and its gradient at the point.
#[inline(always)]
pub fn gather<const W: usize, const N: usize>(weights: &Weights<W>, slopes: &[[f64; W]; 3], first: usize, patch: &Patch<N>) -> Linear<N> {
    let ([wx, wy, wz], [sx, sy, sz]) = (&weights.along, slopes);
    let mut all = Linear { value: [0.0; N], slopes: [[0.0; N]; 3] };
    for i in 0..W {
        let mut layer = ([0.0; N], [0.0; N], [0.0; N]);
        for j in 0..W {
            let at = first + i * Blocks::LAYER + j * Blocks::ROW;
            let (mut row, mut along) = ([0.0; N], [0.0; N]);
            for (k, node) in patch[at..at + W].iter().enumerate() {
                row = sum(&row, wz[k], node);
                along = sum(&along, sz[k], node);
            }
            layer.0 = sum(&layer.0, wy[j], &row);
            layer.1 = sum(&layer.1, sy[j], &row);
            layer.2 = sum(&layer.2, wy[j], &along);
        }
        all.value = sum(&all.value, wx[i], &layer.0);
        all.slopes[0] = sum(&all.slopes[0], sx[i], &layer.0);
        all.slopes[1] = sum(&all.slopes[1], wx[i], &layer.1);
        all.slopes[2] = sum(&all.slopes[2], wx[i], &layer.2);
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;
    use crate::math::splines::{Gradient, Interpolation, Kernel, with_width};

    /// Both are the sums over the nodes one by one, by every kernel and both gradients.
    #[test]
    fn sums_by_rows_are_sums_over_nodes() {
        let mut random = Random::new(7);
        for kernel in Kernel::ALL {
            for gradient in [Gradient::LeastSquares, Gradient::OfWeights] {
                (0..50).for_each(|_| with_width!(kernel, W => sums::<W>(&mut random, Interpolation { spacing: 0.7, kernel, gradient })));
            }
        }
    }

    fn sums<const W: usize>(random: &mut Random, by: Interpolation) {
        let x = random.vector(-3.0, 3.0);
        let weights = Weights::<W>::of(&x, &by).unwrap();
        let mut number = || random.uniform(-1.0, 1.0);
        let mut linear = || Linear { value: std::array::from_fn(|_| number()), slopes: [0; 3].map(|_| std::array::from_fn(|_| number())) };
        let [given, other] = [linear(), linear()];
        let values: Patch<4> = std::array::from_fn(|_| std::array::from_fn(|_| number()));
        let mut patch = values.map(|_| [0.0; 4]);
        let first = Blocks::LAYER * 2 + Blocks::ROW * 4 + 3;
        scatter(&weights, first, &Given::new(&given, &weights.steepness(&by)).and(&other.slopes, &weights.away), &mut patch);
        let found = gather(&weights, &weights.slopes, first, &values);
        let mut sums = [[0.0; 4]; 4];
        weights.for_each(|at, w, gradient, away| {
            let node = first + at[0] * Blocks::LAYER + at[1] * Blocks::ROW + at[2];
            for lane in 0..4 {
                let of = |axis: usize| given.slopes[axis][lane] * gradient[axis] + other.slopes[axis][lane] * w * away[axis];
                let expected = w * given.value[lane] + (0..3).map(of).sum::<f64>();
                assert!((patch[node][lane] - expected).abs() < 1e-14, "{by:?}");
                patch[node][lane] = 0.0;
                sums[0][lane] += w * values[node][lane];
                (0..3).for_each(|axis| sums[1 + axis][lane] += gradient[axis] * values[node][lane]);
            }
        });
        assert!(patch.iter().flatten().all(|left| *left == 0.0));
        let close = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
        assert!(close(&found.value, &sums[0]) && (0..3).all(|axis| close(&found.slopes[axis], &sums[1 + axis])), "{by:?}");
    }
}
