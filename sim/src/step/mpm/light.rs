//! Nodes that hardly any mass reaches go along with a neighbour: as one node their momentum is kept, and their forces count, without the
//! accelerations that a weight of 1e-12 would make of round-off. A lattice of points gives weights of 1e-33.

use super::blocks::Blocks;
use crate::math::splines::Kernel;

/// Nodes with a smaller share of the largest mass are light: those that points reach by some 1e-5 of a cell. Weights of cubic splines fall off by a higher power
/// there.
fn least_share(kernel: Kernel) -> f64 {
    match kernel {
        Kernel::Linear | Kernel::Quadratic => 1e-9,
        Kernel::Cubic => 1e-13,
    }
}

/// A node that goes along with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Light {
    /// The node.
    pub node: u32,
    /// With which it goes: the heaviest around it.
    pub with: u32,
}

/// The light nodes of a grid with these masses [kg], in ascending order. One that has none but light ones around it moves by itself.
pub fn light(blocks: &Blocks, masses: &[f64]) -> Vec<Light> {
    let least = least_share(blocks.by.kernel) * masses.iter().copied().fold(0.0, f64::max);
    let around = |node: usize| {
        let cell = blocks.cell_of(node);
        let neighbours =
            (0..27).filter(|n| *n != 13).map(move |n: i32| [cell[0] + n / 9 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n % 3 - 1]);
        let found = neighbours.filter_map(|cell| blocks.node_at(cell)).filter(|&other| masses[other as usize] > least);
        // Of equals the first.
        found.reduce(|best, other| if masses[other as usize] > masses[best as usize] { other } else { best })
    };
    let is_light = |node: &usize| masses[*node] > 0.0 && masses[*node] <= least;
    (0..masses.len()).filter(is_light).filter_map(|node| Some(Light { node: node as u32, with: around(node)? })).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::Vec3;
    use crate::math::splines::Interpolation;

    #[test]
    fn light_nodes_go_with_the_heaviest_around() {
        let blocks = Blocks::of(&[Vec3::new(0.5, 0.5, 0.5)], Interpolation { spacing: 1.0, ..Interpolation::default() }).unwrap();
        let at = |cell: [i32; 3]| blocks.node_at(cell).unwrap();
        let mut masses = vec![0.0; blocks.nodes()];
        for (cell, mass) in [([0, 0, 0], 1.0), ([1, 0, 0], 2.0), ([1, 1, 0], 1e-12), ([2, 2, 2], 1e-12)] {
            masses[at(cell) as usize] = mass;
        }
        assert_eq!(light(&blocks, &masses), [Light { node: at([1, 1, 0]), with: at([1, 0, 0]) }]);
    }
}
