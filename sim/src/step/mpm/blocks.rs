//! [`Blocks`]: points sorted by blocks of cells, and the nodes that they reach, as pages of as many.
//!
//! Each block adds up what its points give to the nodes in a patch of its own, and each page adds up the patches that reach into it, block by
//! block, so that sums are the same to the bit for any number of threads.

use rayon::prelude::*;

use crate::math::Vec3;
use crate::math::splines::{WIDE, Weights};

/// Cells of a block along an axis.
const SIDE: usize = 4;
/// Nodes of a page.
pub const PAGE: usize = SIDE * SIDE * SIDE;
/// Nodes of a patch along an axis.
const REACH: usize = SIDE + WIDE - 1;
/// Nodes of a patch: all that the points of a block reach.
pub const PATCH: usize = REACH * REACH * REACH;
/// No block, no page.
const NONE: u32 = u32::MAX;
/// Pages or blocks that a block or page meets: itself, and its neighbours on one side along each axis.
const MEETS: usize = 8;

/// Points by blocks, and the pages of nodes around them.
#[derive(Debug, Clone, Default)]
pub struct Blocks {
    /// Edge of a cell [m].
    pub spacing: f64,
    /// Points, block by block, in ascending order within each.
    order: Vec<u32>,
    /// Where each block begins in the order; one more than there are blocks.
    starts: Vec<usize>,
    /// Place of each block, ascending.
    keys: Vec<[i32; 3]>,
    /// Place of each page, ascending: its first node is `SIDE` times that.
    pages: Vec<[i32; 3]>,
    /// The pages that each block reaches.
    reached: Vec<[u32; MEETS]>,
    /// The blocks that reach each page.
    reaching: Vec<[u32; MEETS]>,
}

/// The block of a cell.
fn block_of(base: [i32; 3]) -> [i32; 3] {
    base.map(|cell| cell.div_euclid(SIDE as i32))
}

/// Number of a node of a patch.
#[inline]
fn in_patch([i, j, k]: [usize; 3]) -> usize {
    (i * REACH + j) * REACH + k
}

impl Blocks {
    /// The blocks of points at `x` [m] in a grid with cells of `spacing` [m].
    ///
    /// # Errors
    /// A point that is nowhere, or too far out for its cell to be numbered.
    pub fn of(x: &[Vec3], spacing: f64) -> Result<Self, usize> {
        let mut placed = Vec::with_capacity(x.len());
        for (p, x) in (0u32..).zip(x) {
            placed.push((block_of(Weights::of(x, spacing).ok_or(p as usize)?.base), p));
        }
        placed.par_sort_unstable();
        let (mut keys, mut starts) = (Vec::new(), Vec::new());
        for (at, (key, _)) in placed.iter().enumerate() {
            if keys.last() != Some(key) {
                keys.push(*key);
                starts.push(at);
            }
        }
        starts.push(placed.len());
        let shifted = |[x, y, z]: [i32; 3], n: usize, sign: i32| {
            let by = |bit: usize| sign * ((n >> bit) & 1) as i32;
            [x + by(2), y + by(1), z + by(0)]
        };
        let mut pages: Vec<[i32; 3]> = keys.iter().flat_map(|&key| (0..MEETS).map(move |n| shifted(key, n, 1))).collect();
        pages.par_sort_unstable();
        pages.dedup();
        let find = |among: &[[i32; 3]], key: [i32; 3]| among.binary_search(&key).map_or(NONE, |at| at as u32);
        let reached = keys.iter().map(|&key| std::array::from_fn(|n| find(&pages, shifted(key, n, 1)))).collect();
        let reaching = pages.iter().map(|&page| std::array::from_fn(|n| find(&keys, shifted(page, n, -1)))).collect();
        Ok(Self { spacing, order: placed.into_iter().map(|(_, p)| p).collect(), starts, keys, pages, reached, reaching })
    }

    /// Whether all points at `x` [m] are still in their blocks.
    ///
    /// # Errors
    /// As for [`Blocks::of`].
    pub fn hold(&self, x: &[Vec3], spacing: f64) -> Result<bool, usize> {
        if self.spacing != spacing || self.order.len() != x.len() {
            return Ok(false);
        }
        let of_block = |b: usize| {
            for &p in self.points(b) {
                let weights = Weights::of(&x[p as usize], spacing).ok_or(p as usize)?;
                if block_of(weights.base) != self.keys[b] {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let each: Vec<Result<bool, usize>> = (0..self.keys.len()).into_par_iter().map(of_block).collect();
        each.into_iter().try_fold(true, |all, own| Ok(all && own?))
    }

    /// How many blocks there are.
    pub fn count(&self) -> usize {
        self.keys.len()
    }

    /// How many nodes the pages have, those that nothing reaches among them.
    pub fn nodes(&self) -> usize {
        PAGE * self.pages.len()
    }

    /// The points in their order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The points of a block.
    pub fn points(&self, block: usize) -> &[u32] {
        &self.order[self.starts[block]..self.starts[block + 1]]
    }

    /// Number in the patch of a block of the node that is `at` behind the base of one of its points.
    #[inline]
    pub fn patch_node(&self, block: usize, base: [i32; 3], at: [usize; 3]) -> usize {
        let key = &self.keys[block];
        in_patch([0, 1, 2].map(|axis| (base[axis] - SIDE as i32 * key[axis]) as usize + at[axis]))
    }

    /// Place of a node in cells from the origin.
    pub fn cell_of(&self, node: usize) -> [i32; 3] {
        let (page, at) = (&self.pages[node / PAGE], node % PAGE);
        let at = [at / (SIDE * SIDE), at / SIDE % SIDE, at % SIDE];
        [0, 1, 2].map(|axis| SIDE as i32 * page[axis] + at[axis] as i32)
    }

    /// The node at a place in cells from the origin; `None` where no page has it.
    pub fn node_at(&self, cell: [i32; 3]) -> Option<u32> {
        let page = self.pages.binary_search(&block_of(cell)).ok()?;
        let [i, j, k] = cell.map(|cell| cell.rem_euclid(SIDE as i32) as usize);
        Some((PAGE * page + (i * SIDE + j) * SIDE + k) as u32)
    }

    /// Place of a node [m].
    pub fn place_of(&self, node: usize) -> Vec3 {
        self.spacing * Vec3::from(self.cell_of(node).map(f64::from))
    }

    /// Of each node of a page of a block, in the order of the page: its number there, and in the patch of the block.
    fn shared(n: usize) -> impl Iterator<Item = (usize, usize)> {
        let from = [n >> 2 & 1, n >> 1 & 1, n & 1].map(|side| SIDE * side);
        let nodes = (0..SIDE).flat_map(|i| (0..SIDE).flat_map(move |j| (0..SIDE).map(move |k| [i, j, k])));
        nodes.enumerate().filter_map(move |(at, node)| {
            let own = [0, 1, 2].map(|axis| from[axis] + node[axis]);
            own.iter().all(|own| *own < REACH).then(|| (at, in_patch(own)))
        })
    }

    /// What points give to their nodes, added up: `of_block` makes the patch of each block. One sum a node.
    pub fn sum<T: Copy + Default + Send + Sync + std::ops::AddAssign>(&self, of_block: impl Fn(usize, &mut [T; PATCH]) + Sync) -> Vec<T> {
        let patch = |block: usize| {
            let mut patch = Box::new([T::default(); PATCH]);
            of_block(block, &mut patch);
            patch
        };
        let patches: Vec<Box<[T; PATCH]>> = (0..self.count()).into_par_iter().map(patch).collect();
        let mut sums = vec![T::default(); self.nodes()];
        sums.par_chunks_mut(PAGE).zip(&self.reaching).for_each(|(page, reaching)| {
            for (n, &block) in reaching.iter().enumerate().filter(|(_, block)| **block != NONE) {
                for (at, own) in Self::shared(n) {
                    page[at] += patches[block as usize][own];
                }
            }
        });
        sums
    }

    /// What each point makes of the values at its nodes, block by block in the order of the points: `of_block` makes those of a block of the
    /// values in its patch.
    pub fn spread<T: Copy + Default + Sync, R: Send>(
        &self,
        values: &[T],
        of_block: impl Fn(usize, &[T; PATCH]) -> Vec<R> + Sync,
    ) -> Vec<R> {
        let make = |block: usize| {
            let mut patch = Box::new([T::default(); PATCH]);
            for (n, &page) in self.reached[block].iter().enumerate() {
                for (at, own) in Self::shared(n) {
                    patch[own] = values[PAGE * page as usize + at];
                }
            }
            of_block(block, &patch)
        };
        let made: Vec<Vec<R>> = (0..self.count()).into_par_iter().map(make).collect();
        made.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;

    /// Sums at the nodes are those that each point by itself makes, and points find the values of their own nodes, across all borders.
    #[test]
    fn points_find_their_nodes() {
        let mut random = Random::new(2);
        let x: Vec<Vec3> = (0..500).map(|_| random.vector(-1.0, 1.0)).collect();
        let blocks = Blocks::of(&x, 0.11).unwrap();
        assert!(blocks.count() > 50 && blocks.hold(&x, 0.11).unwrap());
        let sums: Vec<f64> = blocks.sum(|block, patch: &mut [f64; PATCH]| {
            for &p in blocks.points(block) {
                let weights = Weights::of(&x[p as usize], 0.11).unwrap();
                weights.for_each(|at, w, _| patch[blocks.patch_node(block, weights.base, at)] += w);
            }
        });
        let mut expected = std::collections::BTreeMap::new();
        for x in &x {
            let weights = Weights::of(x, 0.11).unwrap();
            weights.for_each(|at, w, _| {
                *expected.entry([0, 1, 2].map(|axis| weights.base[axis] + at[axis] as i32)).or_insert(0.0) += w;
            });
        }
        for (node, sum) in sums.iter().enumerate() {
            assert_eq!(blocks.node_at(blocks.cell_of(node)), Some(node as u32));
            let expected = expected.remove(&blocks.cell_of(node)).unwrap_or(0.0);
            assert!((sum - expected).abs() < 1e-13, "{node}: {sum} {expected}");
        }
        assert!(expected.is_empty());
        // A linear field is what its points see of it.
        let field: Vec<f64> = (0..blocks.nodes()).map(|node| blocks.place_of(node).dot(&Vec3::new(1.0, -2.0, 0.5))).collect();
        let seen: Vec<f64> = blocks.spread(&field, |block, patch| {
            let of = |&p: &u32| {
                let (weights, mut sum) = (Weights::of(&x[p as usize], 0.11).unwrap(), 0.0);
                weights.for_each(|at, w, _| sum += w * patch[blocks.patch_node(block, weights.base, at)]);
                sum
            };
            blocks.points(block).iter().map(of).collect()
        });
        for (seen, &p) in seen.iter().zip(blocks.order()) {
            assert!((seen - x[p as usize].dot(&Vec3::new(1.0, -2.0, 0.5))).abs() < 1e-13);
        }
    }

    #[test]
    fn what_leaves_its_block_is_seen() {
        let x = vec![Vec3::new(0.3, 0.3, 0.3), Vec3::new(0.31, 0.3, 0.3)];
        let blocks = Blocks::of(&x, 0.1).unwrap();
        let mut moved = x.clone();
        moved[1].x += 1e-3;
        assert!(blocks.hold(&moved, 0.1).unwrap());
        moved[1].x += 0.4;
        assert!(!blocks.hold(&moved, 0.1).unwrap() && !blocks.hold(&x, 0.2).unwrap());
        moved[1].y = f64::NAN;
        assert_eq!((blocks.hold(&moved, 0.1).unwrap_err(), Blocks::of(&moved, 0.1).unwrap_err()), (1, 1));
    }
}
