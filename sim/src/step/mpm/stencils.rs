//! [`Stencils`]: material points cell by cell, and those block by block, with the nodes around each: what is coupled where forces are asked of nodes at once.

use super::blocks::Blocks;
use super::light::{Light, light};
use crate::linear::{Couplings, NodeMatrixPattern};
use crate::math::Vec3;
use crate::math::splines::{NODES, Weights};

/// Points and the nodes around them. A light node is the one with which it goes, and then a cell may have that twice.
pub struct Stencils {
    /// The nodes of the grid.
    pub blocks: Blocks,
    /// The nodes around each cell that has points.
    pub cells: Vec<[u32; NODES]>,
    /// Where the points of each cell begin in their order; one more than there are cells.
    pub starts: Vec<usize>,
    /// The numbers of the points, cell by cell, and their weights.
    pub order: Vec<u32>,
    /// The weights of the nodes around each, in that order.
    pub weights: Vec<Weights>,
    /// The node that each goes along with: itself, but of light ones.
    pub along: Vec<u32>,
    /// Mass of each node [kg]; 0 of light ones.
    pub masses: Vec<f64>,
}

/// The nodes around cells, as what is coupled.
struct Cells(Vec<[u32; NODES]>);

impl Couplings for Cells {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn nodes_per_element(&self) -> usize {
        NODES
    }
    fn nodes(&self, e: usize) -> &[u32] {
        &self.0[e]
    }
}

impl Stencils {
    /// Of points at `x` [m] with these masses [kg] in a grid with cells of `spacing` [m]; `None` where there are none, or one is nowhere.
    pub fn of(x: &[Vec3], masses: &[f64], spacing: f64) -> Option<Self> {
        let blocks = Blocks::of(x, spacing).ok()?;
        let placed = x.iter().map(|x| Weights::of(x, spacing)).collect::<Option<Vec<Weights>>>().filter(|placed| !placed.is_empty())?;
        let mut order: Vec<u32> = (0..x.len() as u32).collect();
        order.sort_by_key(|&p| (blocks.block_of_cell(placed[p as usize].base), placed[p as usize].base, p));
        let (mut cells, mut starts) = (Vec::new(), Vec::new());
        let mut node_masses = vec![0.0; blocks.nodes()];
        let mut last = None;
        for (at, &number) in order.iter().enumerate() {
            let own = &placed[number as usize];
            if last != Some(own.base) {
                last = Some(own.base);
                let mut nodes = [0; NODES];
                let mut n = 0;
                own.for_each(|at, _, _| {
                    nodes[n] = blocks.node_at([0, 1, 2].map(|axis| own.base[axis] + at[axis] as i32)).unwrap_or(0);
                    n += 1;
                });
                cells.push(nodes);
                starts.push(at);
            }
            let nodes = &cells[cells.len() - 1];
            let mut n = 0;
            own.for_each(|_, w, _| {
                node_masses[nodes[n] as usize] += w * masses[number as usize];
                n += 1;
            });
        }
        starts.push(order.len());
        let mut along: Vec<u32> = (0..blocks.nodes() as u32).collect();
        for Light { node, with } in light(&blocks, &node_masses) {
            along[node as usize] = with;
            node_masses[with as usize] += std::mem::take(&mut node_masses[node as usize]);
        }
        cells.iter_mut().flatten().for_each(|node| *node = along[*node as usize]);
        let weights = order.iter().map(|&p| placed[p as usize]).collect();
        Some(Self { blocks, cells, starts, order, weights, along, masses: node_masses })
    }

    /// The matrix over the nodes that are `free`, ordered for its factorisation.
    pub fn pattern(&self, free: &[bool]) -> NodeMatrixPattern {
        pattern(&self.cells, free)
    }

    /// The cell of each point, in their order.
    pub fn cell_of_points(&self) -> impl Iterator<Item = usize> + '_ {
        self.starts.windows(2).enumerate().flat_map(|(cell, range)| std::iter::repeat_n(cell, range[1] - range[0]))
    }
}

/// The matrix over the nodes that are `free` of those around `cells`, ordered for its factorisation.
pub fn pattern(cells: &[[u32; NODES]], free: &[bool]) -> NodeMatrixPattern {
    NodeMatrixPattern::new(free, &[Box::new(Cells(cells.to_vec()))])
}
