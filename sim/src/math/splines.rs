//! [`Weights`]: the nodes of a grid around a point, by B-splines of a [`Kernel`], and the gradient of what the nodes have at the point.
//!
//! Whatever is moved, deformed, balanced or solved for on a grid takes weights and gradients from here, so that there is but one gradient: what is in
//! balance by it stays by it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::math::{Mat3, Vec3};

/// By which B-splines a point is between the nodes of a grid (Jiang, Schroeder, Teran, Stomakhin, Selle 2016, "The Material Point Method for Simulating
/// Continuum Materials", eq. 122 to 124).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kernel {
    /// Two nodes along an axis: the least work, and gradients that jump from cell to cell. With every transfer but `mls`.
    Linear,
    /// Three nodes along an axis.
    #[default]
    Quadratic,
    /// Four nodes along an axis: the smoothest, and the most work.
    Cubic,
}

/// Evaluates an expression in which a name is the constant number of nodes along an axis of a [`Kernel`]: loops over nodes are made for each.
macro_rules! with_width {
    ($kernel:expr, $wide:ident => $body:expr) => {
        match $kernel {
            $crate::math::splines::Kernel::Linear => {
                const $wide: usize = 2;
                $body
            }
            $crate::math::splines::Kernel::Quadratic => {
                const $wide: usize = 3;
                $body
            }
            $crate::math::splines::Kernel::Cubic => {
                const $wide: usize = 4;
                $body
            }
        }
    };
}
pub(crate) use with_width;

impl Kernel {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Linear, Self::Quadratic, Self::Cubic];
    /// Nodes along an axis that a point has at most.
    pub const WIDEST: usize = 4;

    /// Nodes along an axis that a point has.
    pub fn wide(self) -> usize {
        with_width!(self, W => W)
    }

    /// Nodes that a point has.
    pub fn nodes(self) -> usize {
        self.wide().pow(3)
    }

    /// How far from a node a point may be that has it, along an axis, in cells.
    pub fn reach(self) -> f64 {
        0.5 * self.wide() as f64
    }

    /// Whether it is the one that scenes need not name.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// What the gradient at a point is of values at its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gradient {
    /// D^-1 sum_i w_ip u_i d_ip^T, that of the linear function that comes nearest to the values (Hu et al. 2018): where the moment D = sum_i w_ip d_ip d_ip^T is the
    /// same at all places.
    #[default]
    LeastSquares,
    /// sum_i u_i grad w_ip^T, that of the function between the nodes. Of [`Kernel::Linear`] both are the same, where there is a D^-1.
    OfWeights,
}

/// How values at the nodes of a grid make values and gradients at points.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Interpolation {
    /// Edge of a cell [m].
    pub spacing: f64,
    /// The splines.
    pub kernel: Kernel,
    /// The gradient.
    pub gradient: Gradient,
}

/// The nodes of a point, with a kernel that has `W` along each axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights<const W: usize> {
    /// The first of its nodes, in cells from the origin.
    pub base: [i32; 3],
    /// Along each axis.
    pub along: [[f64; W]; 3],
    /// From the point to the nodes, along each axis [m].
    pub away: [[f64; W]; 3],
    /// What stands for a weight along an axis in the component of the gradient along it [1/m].
    pub slopes: [[f64; W]; 3],
}

/// The nodes of a point one by one, of any kernel.
pub struct Around {
    count: usize,
    weights: [f64; Around::MOST],
    gradients: [Vec3; Around::MOST],
}

/// The least that a linear weight is, so that a node has mass, and with it a velocity, where its weight vanishes and its gradient does not.
const LEAST: f64 = 1e-60;
/// Cells from the origin that can be counted.
const FARTHEST: f64 = 1e9;

/// The first of `wide` nodes along each axis of a point at `x` [m] in a grid with cells of `spacing` [m], in cells from the origin; `None` where it is too
/// far out for its cell to be numbered, or nowhere.
#[inline(always)]
pub fn base(x: &Vec3, spacing: f64, wide: usize) -> Option<[i32; 3]> {
    let cells = x / spacing;
    let floor = |axis: usize| {
        let cell = cells[axis] - (0.5 * wide as f64 - 1.0);
        let whole = cell as i32;
        whole - i32::from(f64::from(whole) > cell)
    };
    cells.iter().all(|c| c.abs() < FARTHEST).then(|| [floor(0), floor(1), floor(2)])
}

/// The second moment of the weights over the square of a cell, sum_i w_ip d_ip^2 along each axis, where it is the same at all places (Jiang et al. 2016, 5.3.1 in
/// the article of 2015 on affine velocities): none of linear ones.
fn moment(wide: usize) -> Option<f64> {
    match wide {
        3 => Some(0.25),
        4 => Some(1.0 / 3.0),
        _ => None,
    }
}

/// Weights along an axis of a point that is `from` cells behind its first node, and how they change with that.
#[inline(always)]
fn along<const W: usize>(from: f64) -> ([f64; W], [f64; W]) {
    #[inline(always)]
    fn taken<const W: usize, const N: usize>(values: [f64; N], slopes: [f64; N]) -> ([f64; W], [f64; W]) {
        let take = |from: [f64; N]| std::array::from_fn(|node| if node < N { from[node] } else { 0.0 });
        (take(values), take(slopes))
    }
    match W {
        2 => taken([(1.0 - from).max(LEAST), from.max(LEAST)], [-1.0, 1.0]),
        3 => taken(
            [0.5 * (1.5 - from).powi(2), 0.75 - (from - 1.0).powi(2), 0.5 * (from - 0.5).powi(2)],
            [from - 1.5, -2.0 * (from - 1.0), from - 0.5],
        ),
        _ => {
            let (after, before) = (from - 1.0, 2.0 - from);
            let near = |r: f64| 0.5 * r.powi(3) - r * r + 2.0 / 3.0;
            let steep = |r: f64| 1.5 * r * r - 2.0 * r;
            taken(
                [before.powi(3) / 6.0, near(after), near(before), after.powi(3) / 6.0],
                [-0.5 * before * before, steep(after), -steep(before), 0.5 * after * after],
            )
        }
    }
}

impl<const W: usize> Weights<W> {
    /// Of a point at `x` [m]; `None` where it has no [`base`]. The kernel is the one that has `W` nodes along an axis, whichever `by` names.
    #[inline(always)]
    pub fn of(x: &Vec3, by: &Interpolation) -> Option<Self> {
        let none = [[0.0; W]; 3];
        let spacing = by.spacing;
        let mut own = Self { base: base(x, spacing, W)?, along: none, away: none, slopes: none };
        for axis in 0..3 {
            let from = x[axis] / spacing - f64::from(own.base[axis]);
            let (values, slopes) = along(from);
            own.along[axis] = values;
            own.away[axis] = std::array::from_fn(|node| spacing * (node as f64 - from));
            own.slopes[axis] = match (by.gradient, moment(W)) {
                (Gradient::LeastSquares, Some(moment)) => {
                    let inverse = 1.0 / (moment * spacing * spacing);
                    std::array::from_fn(|node| inverse * (values[node] * own.away[axis][node]))
                }
                _ => slopes.map(|slope| slope / spacing),
            };
        }
        Some(own)
    }

    /// D_ip along each axis [m^2] where D times the gradient of a weight is the weight times the way to the node; otherwise none.
    #[inline(always)]
    pub fn moments(&self, by: &Interpolation) -> Option<[f64; 3]> {
        match (moment(W), by.gradient) {
            (None, _) => Some(self.spread()),
            (Some(moment), Gradient::LeastSquares) => Some([moment * by.spacing * by.spacing; 3]),
            (Some(_), Gradient::OfWeights) => None,
        }
    }

    /// D along each axis: the sum of the weights times the squares of the ways to the nodes [m^2].
    #[inline(always)]
    pub fn spread(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| (0..W).map(|node| self.along[axis][node] * self.away[axis][node].powi(2)).sum())
    }

    /// The gradient of each weight over the weight, along each axis [1/m].
    #[inline(always)]
    pub fn steepness(&self, by: &Interpolation) -> [[f64; W]; 3] {
        match (by.gradient, moment(W)) {
            (Gradient::LeastSquares, Some(moment)) => {
                let inverse = 1.0 / (moment * by.spacing * by.spacing);
                self.away.map(|away| away.map(|away| inverse * away))
            }
            // Where a weight vanishes, so does its slope, but of linear ones, which do not.
            _ => [0, 1, 2].map(|axis| {
                std::array::from_fn(|node| match self.along[axis][node] {
                    weight if weight > 0.0 => self.slopes[axis][node] / weight,
                    _ => 0.0,
                })
            }),
        }
    }

    /// Weights times ways to the nodes, along each axis [m].
    #[inline(always)]
    pub fn arms(&self) -> [[f64; W]; 3] {
        [0, 1, 2].map(|axis| std::array::from_fn(|node| self.along[axis][node] * self.away[axis][node]))
    }

    /// Calls `visit` with the place of each node behind the base along the axes, its weight, its gradient [1/m], and the way from the point to it [m]; always
    /// in the same order.
    #[inline(always)]
    pub fn for_each(&self, mut visit: impl FnMut([usize; 3], f64, &Vec3, &Vec3)) {
        let ([wx, wy, wz], [sx, sy, sz], [dx, dy, dz]) = (&self.along, &self.slopes, &self.away);
        for i in 0..W {
            for j in 0..W {
                let across = wx[i] * wy[j];
                for k in 0..W {
                    let gradient = Vec3::new(sx[i] * wy[j] * wz[k], wx[i] * sy[j] * wz[k], across * sz[k]);
                    visit([i, j, k], across * wz[k], &gradient, &Vec3::new(dx[i], dy[j], dz[k]));
                }
            }
        }
    }
}

impl Interpolation {
    /// [`Weights::for_each`] of a point at `x` [m], with the place of each node in cells from the origin; of one that is nowhere nothing.
    #[inline]
    pub fn for_each(&self, x: &Vec3, mut visit: impl FnMut([i32; 3], f64, &Vec3, &Vec3)) {
        with_width!(self.kernel, W => if let Some(weights) = Weights::<W>::of(x, self) {
            weights.for_each(|at, w, gradient, away| visit([0, 1, 2].map(|axis| weights.base[axis] + at[axis] as i32), w, gradient, away));
        })
    }

    /// The first node of a point at `x` [m]: its [`base`].
    pub fn base(&self, x: &Vec3) -> Option<[i32; 3]> {
        base(x, self.spacing, self.kernel.wide())
    }

    /// The nodes of a point at `x` [m], in the order of [`Weights::for_each`]; none of one that is nowhere.
    #[inline]
    pub fn around(&self, x: &Vec3) -> Around {
        let mut around = Around { count: 0, weights: [0.0; Around::MOST], gradients: [Vec3::zeros(); Around::MOST] };
        self.for_each(x, |_, w, gradient, _| {
            (around.weights[around.count], around.gradients[around.count]) = (w, *gradient);
            around.count += 1;
        });
        around
    }

    /// D_p: the sum of the weights of a point at `x` [m] times the squares of the ways to its nodes [m^2], along each axis; nothing where it is nowhere.
    pub fn spread(&self, x: &Vec3) -> Mat3 {
        with_width!(self.kernel, W => Weights::<W>::of(x, self).map_or_else(Mat3::zeros, |weights| Mat3::from_diagonal(&weights.spread().into())))
    }
}

impl Around {
    /// Nodes that a point has at most.
    pub const MOST: usize = Kernel::WIDEST.pow(3);

    /// The weights.
    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.count]
    }

    /// Their gradients [1/m].
    pub fn gradients(&self) -> &[Vec3] {
        &self.gradients[..self.count]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;

    /// Every kernel with both gradients.
    fn each(spacing: f64) -> impl Iterator<Item = Interpolation> {
        let with = move |kernel| [Gradient::LeastSquares, Gradient::OfWeights].map(|gradient| Interpolation { spacing, kernel, gradient });
        Kernel::ALL.into_iter().flat_map(with)
    }

    /// Sums of weights, of ways and of their squares, wherever the point is; gradients add up to none, and are those of linear fields.
    #[test]
    fn weights_and_gradients_reproduce_polynomials() {
        let mut random = Random::new(3);
        for by in [1e-3, 0.05, 7.0].into_iter().flat_map(each) {
            for _ in 0..300 {
                let (spacing, x) = (by.spacing, by.spacing * random.vector(-20.0, 20.0));
                let (mut sum, mut first, mut second, mut steep, mut slopes) =
                    (0.0, Vec3::zeros(), Mat3::zeros(), Vec3::zeros(), Mat3::zeros());
                let mut count = 0;
                by.for_each(&x, |node, w, gradient, away| {
                    assert!((0.0..=1.0).contains(&w));
                    assert!((x + away - spacing * Vec3::from(node.map(f64::from))).amax() < 1e-14 * 25.0 * spacing);
                    assert!(away.amax() <= by.kernel.reach() * spacing * (1.0 + 1e-14));
                    sum += w;
                    first += w * away;
                    second += w * away * away.transpose();
                    steep += gradient;
                    slopes += away * gradient.transpose();
                    count += 1;
                });
                let told = format!("{by:?} at {x}");
                assert!(count == by.kernel.nodes() && count == by.kernel.wide().pow(3));
                assert!((sum - 1.0).abs() < 2e-15 && first.amax() < 2e-15 * spacing, "{told}: {sum} {first}");
                assert!((second - by.spread(&x)).amax() < 2e-15 * spacing * spacing, "{told}: {second}");
                let expected = match by.kernel {
                    Kernel::Linear => None,
                    Kernel::Quadratic => Some(0.25),
                    Kernel::Cubic => Some(1.0 / 3.0),
                };
                if let Some(moment) = expected {
                    let moment = Mat3::from_diagonal_element(moment * spacing * spacing);
                    assert!((second - moment).amax() < 2e-15 * spacing * spacing, "{told}: {second}");
                }
                assert!(steep.amax() < 2e-14 / spacing && (slopes - Mat3::identity()).amax() < 2e-14, "{told}: {steep} {slopes}");
            }
        }
        // At a node the others have no weight, and of linear splines a gradient still.
        for by in each(0.5).filter(|by| by.kernel == Kernel::Linear) {
            let around = by.around(&Vec3::new(1.0, 0.0, -0.5));
            assert!(around.weights().iter().all(|w| *w > 0.0) && around.gradients().iter().any(|g| g.amax() > 1.0 && g.amin() < 1e-50));
        }
        for (by, nowhere) in each(0.1).flat_map(|by| [f64::NAN, f64::INFINITY, 1e30].map(|nowhere| (by, nowhere))) {
            let x = Vec3::new(0.0, nowhere, 0.0);
            assert!(by.base(&x).is_none() && by.around(&x).weights().is_empty());
        }
    }

    /// The gradients of weights are what differences say of them, and where D times the gradient is to be the weight times the way, it is.
    #[test]
    fn gradients_are_those_of_the_weights() {
        let mut random = Random::new(4);
        for by in each(0.2) {
            for _ in 0..100 {
                // Not so near to where a cell ends that differences reach across.
                let x = random.vector(-1.0, 1.0);
                let cells = x.map(|x| (2.0 * x / by.spacing).rem_euclid(1.0));
                if cells.iter().any(|at| !(0.01..0.99).contains(at)) {
                    continue;
                }
                let (h, middle) = (1e-6, by.around(&x));
                for axis in 0..3 {
                    let step = Vec3::from_fn(|k, _| if k == axis { h } else { 0.0 });
                    let [plus, minus] = [step, -step].map(|step: Vec3| by.around(&(x + step)));
                    for ((gradient, plus), minus) in middle.gradients().iter().zip(plus.weights()).zip(minus.weights()) {
                        let error = ((plus - minus) / (2.0 * h) - gradient[axis]).abs();
                        assert!(by.gradient == Gradient::LeastSquares && by.kernel != Kernel::Linear || error < 1e-8, "{by:?}: {error:e}");
                    }
                }
                with_width!(by.kernel, W => {
                    let weights = Weights::<W>::of(&x, &by).unwrap();
                    let is_told = by.kernel == Kernel::Linear || by.gradient == Gradient::LeastSquares;
                    assert_eq!(weights.moments(&by).is_some(), is_told);
                    if let Some(moments) = weights.moments(&by) {
                        weights.for_each(|_, w, gradient, away| {
                            let arm = gradient.component_mul(&Vec3::from(moments)) - w * away;
                            assert!(arm.amax() < 1e-15 * by.spacing, "{by:?}: {arm}");
                        });
                    }
                });
            }
        }
    }

    /// By how much weights change across a node or a cell's end: by nothing, and neither do gradients but of linear ones.
    #[test]
    fn weights_do_not_jump() {
        for by in each(1.0) {
            for at in [0.0, 0.5] {
                let [left, right] = [-1e-9, 1e-9].map(|by_so_much| {
                    let mut sums = std::collections::BTreeMap::new();
                    let x = Vec3::new(at + by_so_much, 0.3, -0.2);
                    by.for_each(&x, |node, w, gradient, _| _ = sums.insert(node, (w, *gradient)));
                    sums
                });
                for node in left.keys().chain(right.keys()) {
                    let none = (0.0, Vec3::zeros());
                    let ((a, g), (b, h)) = (left.get(node).unwrap_or(&none), right.get(node).unwrap_or(&none));
                    assert!((a - b).abs() < 1e-8, "{by:?}");
                    assert!(by.kernel == Kernel::Linear || (g - h).amax() < 1e-7, "{by:?}: {g} {h}");
                }
            }
        }
    }
}
