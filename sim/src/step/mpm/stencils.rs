//! [`Stencils`]: material points cell by cell, and those block by block, with the nodes around each: what is coupled where forces are asked of nodes at once.

use super::blocks::Blocks;
use super::light::{Light, Steepness, light, steepen};
use crate::linear::{Couplings, NodeMatrixPattern};
use crate::math::Vec3;
use crate::math::splines::{Around, Interpolation};

/// Points and the nodes around them. A light node is the one with which it goes, and then a cell may have that twice.
pub struct Stencils {
    /// The nodes of the grid.
    pub blocks: Blocks,
    /// The nodes around each cell that has points.
    pub cells: Vec<Box<[u32]>>,
    /// Where the points of each cell begin in their order; one more than there are cells.
    pub starts: Vec<usize>,
    /// The numbers of the points, cell by cell.
    pub order: Vec<u32>,
    /// The place of each, in that order [m].
    pub places: Vec<Vec3>,
    /// The node that each goes along with: itself, but of light ones.
    pub along: Vec<u32>,
    /// Mass of each node [kg]; 0 of light ones.
    pub masses: Vec<f64>,
}

/// The nodes around cells, as what is coupled.
struct Cells(Vec<Box<[u32]>>);

impl Couplings for Cells {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn nodes_per_element(&self) -> usize {
        self.0.first().map_or(0, |nodes| nodes.len())
    }
    fn nodes(&self, e: usize) -> &[u32] {
        &self.0[e]
    }
}

impl Stencils {
    /// Of points at `x` [m] with these masses [kg] in such a grid; `None` where there are none, or one is nowhere.
    pub fn of(x: &[Vec3], masses: &[f64], by: Interpolation) -> Option<Self> {
        let blocks = Blocks::of(x, by).ok()?;
        let placed = x.iter().map(|x| by.base(x)).collect::<Option<Vec<[i32; 3]>>>().filter(|placed| !placed.is_empty())?;
        let mut order: Vec<u32> = (0..x.len() as u32).collect();
        order.sort_by_key(|&p| (blocks.block_of_cell(placed[p as usize]), placed[p as usize], p));
        let (mut cells, mut starts) = (Vec::new(), Vec::new());
        let mut node_masses = vec![0.0; blocks.nodes()];
        let mut steepness = Steepness::default();
        let sorted = blocks.order();
        steepen(&blocks, (x.len(), &|at| (sorted[at] as usize, x[sorted[at] as usize])), masses, &mut steepness);
        let mut last = None;
        for (at, &number) in order.iter().enumerate() {
            let (own, x) = (placed[number as usize], &x[number as usize]);
            if last != Some(own) {
                last = Some(own);
                let mut nodes = Vec::with_capacity(by.kernel.nodes());
                by.for_each(x, |cell, _, _, _| nodes.push(blocks.node_at(cell).unwrap_or(0)));
                cells.push(nodes.into_boxed_slice());
                starts.push(at);
            }
            let mut nodes = cells[cells.len() - 1].iter();
            by.for_each(x, |_, w, _, _| nodes.by_ref().take(1).for_each(|&node| node_masses[node as usize] += w * masses[number as usize]));
        }
        starts.push(order.len());
        let mut along: Vec<u32> = (0..blocks.nodes() as u32).collect();
        for Light { node, with } in light(&blocks, &node_masses, &steepness.sums) {
            along[node as usize] = with;
            node_masses[with as usize] += std::mem::take(&mut node_masses[node as usize]);
        }
        cells.iter_mut().flatten().for_each(|node| *node = along[*node as usize]);
        let places = order.iter().map(|&p| x[p as usize]).collect();
        Some(Self { blocks, cells, starts, order, places, along, masses: node_masses })
    }

    /// The matrix over the nodes that are `free`, ordered for its factorisation.
    pub fn pattern(&self, free: &[bool]) -> NodeMatrixPattern {
        pattern(&self.cells, free)
    }

    /// Weights and gradients of a point by its place in the order.
    pub fn around(&self, at: usize) -> Around {
        self.blocks.by.around(&self.places[at])
    }

    /// The cell of each point, in their order.
    pub fn cell_of_points(&self) -> impl Iterator<Item = usize> + '_ {
        self.starts.windows(2).enumerate().flat_map(|(cell, range)| std::iter::repeat_n(cell, range[1] - range[0]))
    }
}

/// The matrix over the nodes that are `free` of those around `cells`, ordered for its factorisation.
pub fn pattern(cells: &[Box<[u32]>], free: &[bool]) -> NodeMatrixPattern {
    NodeMatrixPattern::new(free, &[Box::new(Cells(cells.to_vec()))])
}
