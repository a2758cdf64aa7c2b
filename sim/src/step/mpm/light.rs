//! Nodes that hardly any mass reaches go along with a neighbour: as one node their momentum is kept, and their forces count, without the
//! accelerations that a weight of 1e-12 would make of round-off. A lattice of points gives weights of 1e-33.
//!
//! Gradients of linear weights do not fade with the weights: a point that is a hundredth of a cell within reach of a node pulls at it with all of its
//! stress, and what little mass is there swings ten times as fast as waves cross a cell. Such nodes go along, too.

use super::blocks::{Blocks, Patch, Room};
use super::bodies::Placed;
use crate::math::splines::{Kernel, Weights, with_width};

/// Nodes with a smaller share of the largest mass are light: those that points reach by some 1e-5 of a cell. Weights of cubic splines fall off by a higher power
/// there.
fn least_share(kernel: Kernel) -> f64 {
    match kernel {
        Kernel::Linear | Kernel::Quadratic => 1e-9,
        Kernel::Cubic => 1e-13,
    }
}

/// Square of the frequency with which a node swings by itself, over that with which waves cross a cell, from which on it goes along. Lattices of points make
/// up to 4 of it.
const SWINGS: f64 = 11.3;

/// Mass of points times the square of the gradient of their weights at each node [kg/m^2]: what it swings with, over the square of the speed of waves.
pub type Steepness = Room<1>;

/// Sums up the steepness of `points`, which are sorted by `blocks`, where it matters.
pub fn steepen(blocks: &Blocks, (_, point): Placed, masses: &[f64], steepness: &mut Steepness) {
    if blocks.by.kernel != Kernel::Linear {
        return;
    }
    blocks.sum(steepness, |block, patch: &mut Patch<1>| {
        for (number, x) in blocks.range(block).map(point) {
            with_width!(blocks.by.kernel, W => if let Some(weights) = Weights::<W>::of(&x, &blocks.by) {
                let first = blocks.patch_node(block, weights.base);
                weights.for_each(|[i, j, k], _, gradient, _| {
                    patch[first + i * Blocks::LAYER + j * Blocks::ROW + k][0] += masses[number] * gradient.norm_squared();
                });
            });
        }
    });
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
pub fn light(blocks: &Blocks, masses: &[f64], steepness: &[[f64; 1]]) -> Vec<Light> {
    let least = least_share(blocks.by.kernel) * masses.iter().copied().fold(0.0, f64::max);
    let steepest = SWINGS / blocks.by.spacing.powi(2);
    let goes_along =
        |node: usize| masses[node] <= least || steepness.get(node).is_some_and(|[steepness]| *steepness > steepest * masses[node]);
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
    use crate::math::Vec3;
    use crate::math::random::Random;
    use crate::math::splines::Interpolation;

    /// By linear weights no node is left that swings far faster than waves cross a cell, which single points just within reach would make; by the others
    /// there are none.
    #[test]
    fn steep_nodes_go_along() {
        let mut random = Random::new(3);
        let mut steep = 0;
        for kernel in Kernel::ALL {
            let by = Interpolation { spacing: 0.1, kernel, ..Interpolation::default() };
            let x: Vec<Vec3> = (0..300).map(|_| random.vector(0.0, 0.4)).collect();
            let blocks = Blocks::of(&x, by).unwrap();
            let (mut masses, mut slopes) = (vec![0.0; blocks.nodes()], vec![0.0; blocks.nodes()]);
            for x in &x {
                by.for_each(x, |cell, w, gradient, _| {
                    let node = blocks.node_at(cell).unwrap() as usize;
                    (masses[node], slopes[node]) = (masses[node] + 2.0 * w, slopes[node] + 2.0 * gradient.norm_squared());
                });
            }
            let mut steepness = Steepness::default();
            let order = blocks.order();
            steepen(&blocks, (x.len(), &|at| (order[at] as usize, x[order[at] as usize])), &vec![2.0; x.len()], &mut steepness);
            let swings = |node: &usize| masses[*node] > 0.0 && slopes[*node] * 0.01 > SWINGS * masses[*node];
            let all: Vec<usize> = (0..blocks.nodes()).filter(swings).collect();
            let found = light(&blocks, &masses, &steepness.sums);
            let goes = |node: usize| found.iter().any(|light| light.node as usize == node);
            assert!(all.iter().all(|&node| goes(node)) || kernel != Kernel::Linear);
            assert!(found.iter().all(|light| !goes(light.with as usize)));
            steep += all.len();
            assert!(kernel == Kernel::Linear || all.is_empty(), "{kernel:?} {}", all.len());
        }
        assert!(steep > 10, "{steep}");
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
