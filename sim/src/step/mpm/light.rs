//! Nodes that hardly any mass reaches go along with a neighbour: as one node their momentum is kept, and their forces count, without the
//! accelerations that a weight of 1e-12 would make of round-off. A lattice of points gives weights of 1e-33.
//!
//! Gradients of linear weights do not fade with the weights: a point that is a hundredth of a cell within reach of a node pulls at it with all of its
//! stress, and what little mass is there swings ten times as fast as waves cross a cell. Explicit steps are in parts that are short enough for that
//! ([`steepest`]); where it would be hundreds of times as fast, the node goes along, too.

use super::blocks::{Blocks, Placed, Room};
use crate::math::Vec3;
use crate::math::splines::Kernel;

/// Nodes with a smaller share of the largest mass are light: those that points reach by some 1e-5 of a cell. Weights of cubic splines fall off by a higher power
/// there.
fn least_share(kernel: Kernel) -> f64 {
    match kernel {
        Kernel::Linear | Kernel::Quadratic => 1e-9,
        Kernel::Cubic => 1e-13,
    }
}

/// Square of the frequency with which a node swings with those around it, over that with which waves cross a cell, from which on it goes along: that of one
/// that a point reaches by some 1e-5 of a cell. Lattices of points make up to about 30 of it.
const SWINGS: f64 = 1e5;

/// Mass of points at each node [kg], and that of all points around it times the gradient of their weights there and the sum of those at all nodes [kg/m^2]: a row of
/// the stiffness by absolute values (Gershgorin), over the square of the speed of waves. Nothing where that is little by the kernel.
pub type Steepness = Room<2>;

/// Sums up the steepness of `points`, which are sorted by `blocks`, where it matters.
pub fn steepen(blocks: &Blocks, points: Placed, masses: &[f64], steepness: &mut Steepness) {
    if blocks.by.kernel != Kernel::Linear {
        return;
    }
    let given = |number: usize, x: &Vec3| {
        let mass = masses[number];
        let slopes: f64 = blocks.by.around(x).gradients().iter().map(Vec3::norm).sum();
        Some(move |w: f64, gradient: &Vec3| [mass * w, mass * gradient.norm() * slopes])
    };
    blocks.scatter(points, steepness, |_| true, given);
}

/// A bound of the largest square of a frequency with which nodes swing that do not go along, over that with which waves cross a cell; 0 where that is no matter.
pub fn steepest(blocks: &Blocks, steepness: &Steepness) -> f64 {
    let swings = |[mass, steepness]: &[f64; 2]| if *mass > 0.0 { steepness * blocks.by.spacing.powi(2) / mass } else { 0.0 };
    steepness.sums.iter().map(swings).filter(|swings| *swings <= SWINGS).fold(0.0, f64::max)
}

/// A node that goes along with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Light {
    /// The node.
    pub node: u32,
    /// With which it goes: the heaviest around it, for its distance.
    pub with: u32,
}

/// The light nodes of a grid with these masses [kg], and steepness where it matters, in ascending order. One that has none but light ones around it moves
/// by itself.
pub fn light(blocks: &Blocks, masses: &[f64], steepness: &[[f64; 2]]) -> Vec<Light> {
    let least = least_share(blocks.by.kernel) * masses.iter().copied().fold(0.0, f64::max);
    let steepest = SWINGS / blocks.by.spacing.powi(2);
    let goes_along =
        |node: usize| masses[node] <= least || steepness.get(node).is_some_and(|[mass, steepness]| *steepness > steepest * mass);
    let around = |node: usize| {
        let cell = blocks.cell_of(node);
        let neighbours =
            (0..27).filter(|n| *n != 13).map(move |n: i32| [cell[0] + n / 9 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n % 3 - 1]);
        let away = |other: [i32; 3]| (0..3).map(|axis| f64::from((other[axis] - cell[axis]).pow(2))).sum::<f64>();
        let weighed = |other: [i32; 3]| {
            let node = blocks.node_at(other).filter(|&node| !goes_along(node as usize))?;
            Some((node, masses[node as usize] / away(other)))
        };
        // Of equals the first.
        let found = neighbours.filter_map(weighed).reduce(|best, other| if other.1 > best.1 { other } else { best });
        found.map(|(node, _)| node)
    };
    let is_light = |node: &usize| masses[*node] > 0.0 && goes_along(*node);
    (0..masses.len()).filter(is_light).filter_map(|node| Some(Light { node: node as u32, with: around(node)? })).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::splines::Interpolation;

    /// One point in a cell, so far behind one of its sides: by linear weights the node there swings as fast as the inverse of its weight says, and goes along
    /// where that is too fast; by the others nothing is steep.
    #[test]
    fn steep_nodes_swing_and_go_along() {
        let masses = [2.0];
        for (behind, goes_along) in [(0.3, false), (1e-2, false), (1e-4, false), (1e-6, true)] {
            for kernel in Kernel::ALL {
                let by = Interpolation { spacing: 0.1, kernel, ..Interpolation::default() };
                // In the middle of the sides across.
                let x = [Vec3::new(0.1 * (3.0 + behind), 0.35, 0.35)];
                let blocks = Blocks::of(&x, by).unwrap();
                let mut steepness = Steepness::default();
                steepen(&blocks, (1, &|at| (at, x[at])), &masses, &mut steepness);
                if kernel != Kernel::Linear {
                    assert_eq!((steepest(&blocks, &steepness), steepness.sums.len()), (0.0, 0));
                    continue;
                }
                let of_nodes: Vec<f64> = steepness.sums.iter().map(|[mass, _]| *mass).collect();
                assert!((of_nodes.iter().sum::<f64>() - 2.0).abs() < 1e-12);
                let found = light(&blocks, &of_nodes, &steepness.sums);
                assert_eq!(found.len(), if goes_along { 4 } else { 0 }, "{behind}");
                // A quarter of w at each of the four nodes of a side; slopes are 1/4 along, and twice w / 2 across.
                let slope = |w: f64| (0.0625 + 0.5 * w * w).sqrt();
                let expected = |w: f64| slope(w) * 4.0 * (slope(w) + slope(1.0 - w)) / (0.25 * w);
                let most = if goes_along { expected(1.0 - behind) } else { expected(behind).max(expected(1.0 - behind)) };
                let swings = steepest(&blocks, &steepness);
                assert!((swings / most - 1.0).abs() < 1e-3, "{behind}: {swings} {most}");
            }
        }
    }

    #[test]
    fn light_nodes_go_with_the_heaviest_around() {
        let blocks = Blocks::of(&[Vec3::new(0.5, 0.5, 0.5)], Interpolation { spacing: 1.0, ..Interpolation::default() }).unwrap();
        let at = |cell: [i32; 3]| blocks.node_at(cell).unwrap();
        let mut masses = vec![0.0; blocks.nodes()];
        for (cell, mass) in [([0, 0, 0], 1.0), ([1, 0, 0], 2.0), ([1, 1, 0], 1e-12), ([2, 2, 2], 1e-12)] {
            masses[at(cell) as usize] = mass;
        }
        assert_eq!(light(&blocks, &masses, &[]), [Light { node: at([1, 1, 0]), with: at([1, 0, 0]) }]);
    }
}
