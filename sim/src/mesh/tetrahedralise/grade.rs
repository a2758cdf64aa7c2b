//! The lattice graded: cubes far inside are merged by eights, again and again, into larger ones (an octree whose smallest
//! leaves are the cubes along the surface; Labelle & Shewchuk 2007, Sec. 3).

use rayon::prelude::*;

use super::sample::{SIDE, Samples};

/// Cells of two cubes a side in a block: each is one leaf, a part of a larger one, or eight cubes.
const CELLS: usize = (SIDE / 2) * (SIDE / 2) * (SIDE / 2);
/// A cell and this many doubled coordinates around it must lie inside to be merged: its own vertices and the centres of the
/// cubes beside it, so that no tet that touches it is cut. A vertex of such a tet may be moved to the surface, which costs
/// no angle that the stencils have not cost already.
const MARGIN: usize = 1;
/// Levels that a grading may ask for: larger leaves than these hold no tets worth counting.
const MOST_LEVELS: u8 = 12;

/// The level of the leaf at each place: its cube is 2^level cubes of the lattice wide.
pub struct Levels {
    blocks: [usize; 3],
    /// By block; empty if every leaf is a cube of the lattice.
    cells: Vec<[u8; CELLS]>,
}

/// A leaf of the octree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// Doubled coordinates of its least corner.
    pub corner: [usize; 3],
    /// Its width in doubled coordinates.
    pub width: usize,
}

impl Levels {
    /// Leaves as large as `grading` (over the cubes at the surface) and the room inside allow. Of leaves that touch, in a corner
    /// even, none is more than twice as wide as the other.
    pub fn new(samples: &Samples, grading: f64) -> Self {
        let most = if grading >= 2.0 { (grading.log2() as u8).min(MOST_LEVELS) } else { 0 };
        let mut levels = Self { blocks: samples.blocks, cells: Vec::new() };
        if most > 0 {
            levels.cells = (0..samples.len())
                .into_par_iter()
                .map(|b| std::array::from_fn(|c| u8::from(samples.lie_inside(cell_corner(samples.blocks, b, c), 4, MARGIN))))
                .collect();
            (2..=most).for_each(|level| levels.merge(level));
            while levels.split_unbalanced() {}
        }
        levels
    }

    /// Level of the leaf that holds the cube of the lattice with this least corner or centre.
    pub fn at(&self, c: [usize; 3]) -> u8 {
        let block = c.map(|x| x / (2 * SIDE));
        if self.cells.is_empty() || (0..3).any(|d| block[d] >= self.blocks[d]) {
            return 0;
        }
        let cell = c.map(|x| x % (2 * SIDE) / 4);
        self.cells[self.number(block)][cell[0] + 2 * cell[1] + 4 * cell[2]]
    }

    /// The leaves of more than one cube whose least corner lies in block `b`.
    pub fn leaves(&self, b: usize) -> impl Iterator<Item = Leaf> {
        let levels = self.cells.get(b).copied().unwrap_or_default();
        let blocks = self.blocks;
        (0..CELLS).filter(move |&c| levels[c] > 0).filter_map(move |c| {
            let leaf = Leaf { corner: cell_corner(blocks, b, c), width: 2 << levels[c] };
            leaf.corner.iter().all(|x| x % leaf.width == 0).then_some(leaf)
        })
    }

    fn number(&self, block: [usize; 3]) -> usize {
        block[0] + self.blocks[0] * (block[1] + self.blocks[1] * block[2])
    }

    /// Makes one leaf of `level` out of eight of the level below, wherever they are there.
    fn merge(&mut self, level: u8) {
        let width = 2 << level;
        let grown: Vec<Leaf> = (0..self.cells.len())
            .into_par_iter()
            .flat_map_iter(|b| {
                self.leaves(b).filter(|l| l.corner.iter().all(|x| x % width == 0)).map(|l| Leaf { width, ..l }).collect::<Vec<_>>()
            })
            .filter(|leaf| cells_of(*leaf).all(|c| self.at(c) == level - 1))
            .collect();
        grown.into_iter().for_each(|leaf| self.set(leaf, level));
    }

    /// Takes a level off the leaves beside which there is one less than half as wide; whether there were any.
    fn split_unbalanced(&mut self) -> bool {
        let wrong: Vec<(Leaf, u8)> = (0..self.cells.len())
            .into_par_iter()
            .flat_map_iter(|b| {
                self.leaves(b).map(|l| (l, self.at(l.corner))).filter(|l| l.1 > 1 && self.has_small_neighbour(l.0, l.1)).collect::<Vec<_>>()
            })
            .collect();
        wrong.iter().for_each(|&(leaf, level)| self.set(leaf, level - 1));
        !wrong.is_empty()
    }

    fn has_small_neighbour(&self, leaf: Leaf, level: u8) -> bool {
        // Around a merged leaf there is always room: it lies inside, and the rim of the lattice does not.
        let around = Leaf { corner: leaf.corner.map(|x| x - 4), width: leaf.width + 8 };
        cells_of(around).any(|c| self.at(c) + 1 < level)
    }

    fn set(&mut self, leaf: Leaf, level: u8) {
        for c in cells_of(leaf) {
            let block = self.number(c.map(|x| x / (2 * SIDE)));
            let cell = c.map(|x| x % (2 * SIDE) / 4);
            self.cells[block][cell[0] + 2 * cell[1] + 4 * cell[2]] = level;
        }
    }
}

/// Least corner of cell `c` of block `b`.
fn cell_corner(blocks: [usize; 3], b: usize, c: usize) -> [usize; 3] {
    let block = [b % blocks[0], b / blocks[0] % blocks[1], b / (blocks[0] * blocks[1])];
    std::array::from_fn(|d| 2 * SIDE * block[d] + 4 * (c >> d & 1))
}

/// Least corners of the cells that a leaf consists of.
fn cells_of(leaf: Leaf) -> impl Iterator<Item = [usize; 3]> {
    let n = leaf.width / 4;
    (0..n * n * n).map(move |i| [i % n, i / n % n, i / (n * n)]).map(move |i| std::array::from_fn(|d| leaf.corner[d] + 4 * i[d]))
}
