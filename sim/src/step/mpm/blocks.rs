//! Points sorted by blocks of cells, and the nodes that they reach, as pages of as many.
//!
//! Each block adds up what its points give to the nodes in a patch of its own, and each page adds up the patches that reach into it, block by
//! block, so that sums are the same to the bit for any number of threads. A patch is eight whole pages: pages begin a node before their blocks, so that
//! a point that has left its block by less than a cell still finds its nodes there, as far as the kernel leaves room for it (a cubic one does not above), and
//! points need not be sorted in every part of a step.

use rayon::prelude::*;

use crate::math::Vec3;
use crate::math::splines::{Interpolation, Weights, with_width};

/// Cells of a block, and nodes of a page, along an axis.
const SIDE: usize = 4;
/// Nodes of a page.
pub const PAGE: usize = SIDE * SIDE * SIDE;
/// Cells by which a point may have left its block on the lower side.
const SLACK: i32 = 1;
/// Nodes of a patch along an axis: those that the points of a block reach, and as far as they may have left it.
const REACH: usize = 2 * SIDE;
/// Nodes of a patch.
pub const PATCH: usize = REACH * REACH * REACH;
/// No block, no page.
const NONE: u32 = u32::MAX;
/// Pages or blocks that a block or page meets: itself, and its neighbours on one side along each axis.
const MEETS: usize = 8;

/// Points in some order: how many, and the number of each with its place [m].
pub type Placed<'a> = (usize, &'a (dyn Fn(usize) -> (usize, Vec3) + Sync));

/// Numbers of which a node has several.
pub type Lanes<const N: usize> = [f64; N];
/// Those of the nodes of a patch.
pub type Patch<const N: usize> = [Lanes<N>; PATCH];

/// Points by blocks, and the pages of nodes around them.
#[derive(Debug, Clone, Default)]
pub struct Blocks {
    /// How points are between nodes.
    pub by: Interpolation,
    /// Points, block by block, in ascending order within each.
    order: Vec<u32>,
    /// Where each block begins in the order; one more than there are blocks.
    starts: Vec<usize>,
    /// Place of each block, ascending.
    keys: Vec<[i32; 3]>,
    /// Place of each page, ascending: its first node is `SLACK` before `SIDE` times that.
    pages: Vec<[i32; 3]>,
    /// The pages that each block reaches.
    reached: Vec<[u32; MEETS]>,
    /// The blocks that reach each page.
    reaching: Vec<[u32; MEETS]>,
}

/// Room for what points give to nodes, kept from one part of a step to the next.
#[derive(Debug)]
pub struct Room<const N: usize> {
    /// The patch of each block.
    patches: Vec<Patch<N>>,
    /// The sum of each node.
    pub sums: Vec<Lanes<N>>,
}

impl<const N: usize> Default for Room<N> {
    fn default() -> Self {
        Self { patches: Vec::new(), sums: Vec::new() }
    }
}

/// The block of a cell.
fn block_of(base: [i32; 3]) -> [i32; 3] {
    base.map(|cell| cell.div_euclid(SIDE as i32))
}

/// The rows of a page of a patch: where each begins in the page, and in the patch.
fn rows(n: usize) -> impl Iterator<Item = (usize, usize)> {
    let [x, y, z] = [n >> 2 & 1, n >> 1 & 1, n & 1].map(|side| SIDE * side);
    let of_row = move |row: usize| (row * SIDE, ((x + row / SIDE) * REACH + y + row % SIDE) * REACH + z);
    (0..SIDE * SIDE).map(of_row)
}

impl Blocks {
    /// The blocks of points at `x` [m] in such a grid.
    ///
    /// # Errors
    /// A point that is nowhere, or too far out for its cell to be numbered.
    pub fn of(x: &[Vec3], by: Interpolation) -> Result<Self, usize> {
        let mut placed = Vec::with_capacity(x.len());
        for (p, x) in (0u32..).zip(x) {
            placed.push((block_of(by.base(x).ok_or(p as usize)?), p));
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
        Ok(Self { by, order: placed.into_iter().map(|(_, p)| p).collect(), starts, keys, pages, reached, reaching })
    }

    /// Whether a block still reaches the nodes of a point whose first node is `base`.
    #[inline]
    pub fn holds(&self, block: usize, base: [i32; 3]) -> bool {
        let (key, end) = (&self.keys[block], (REACH - self.by.kernel.wide()) as i32 + 1 - SLACK);
        (0..3).all(|axis| (-SLACK..end).contains(&(base[axis] - SIDE as i32 * key[axis])))
    }

    /// Place of the block that a cell is in: points in ascending order of it are in the order of the blocks.
    pub fn block_of_cell(&self, base: [i32; 3]) -> [i32; 3] {
        block_of(base)
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

    /// The middle of the nodes that the points of a block reach [m], and how far from it they are at most [m].
    pub fn reach_of(&self, block: usize) -> (Vec3, f64) {
        let half = 0.5 * REACH as f64;
        let first = Vec3::from(self.keys[block].map(|key| f64::from(SIDE as i32 * key - SLACK)));
        (self.by.spacing * first.add_scalar(half), self.by.spacing * half * 3.0_f64.sqrt())
    }

    /// Which of the points in their order are those of a block.
    pub fn range(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// Number in the patch of a block of the first node, `base`, of one of the points that it holds. The others follow in rows of [`Blocks::ROW`] and
    /// layers of [`Blocks::LAYER`].
    #[inline]
    pub fn patch_node(&self, block: usize, base: [i32; 3]) -> usize {
        let key = &self.keys[block];
        let [i, j, k] = [0, 1, 2].map(|axis| (base[axis] - SIDE as i32 * key[axis] + SLACK) as usize);
        (i * REACH + j) * REACH + k
    }

    /// From a node of a patch to the next along the second axis.
    pub const ROW: usize = REACH;
    /// From a node of a patch to the next along the first axis.
    pub const LAYER: usize = REACH * REACH;

    /// Place of a node in cells from the origin.
    pub fn cell_of(&self, node: usize) -> [i32; 3] {
        let (page, at) = (&self.pages[node / PAGE], node % PAGE);
        let at = [at / (SIDE * SIDE), at / SIDE % SIDE, at % SIDE];
        [0, 1, 2].map(|axis| SIDE as i32 * page[axis] + at[axis] as i32 - SLACK)
    }

    /// The node at a place in cells from the origin; `None` where no page has it.
    pub fn node_at(&self, cell: [i32; 3]) -> Option<u32> {
        let cell = cell.map(|cell| cell + SLACK);
        let page = self.pages.binary_search(&block_of(cell)).ok()?;
        let [i, j, k] = cell.map(|cell| cell.rem_euclid(SIDE as i32) as usize);
        Some((PAGE * page + (i * SIDE + j) * SIDE + k) as u32)
    }

    /// Place of a node [m].
    pub fn place_of(&self, node: usize) -> Vec3 {
        self.by.spacing * Vec3::from(self.cell_of(node).map(f64::from))
    }

    /// What points give to their nodes, added up in `room`: `of_block` adds what those of each block give to its patch.
    pub fn sum<const N: usize>(&self, room: &mut Room<N>, of_block: impl Fn(usize, &mut Patch<N>) + Sync) {
        room.patches.resize(self.count(), [[0.0; N]; PATCH]);
        room.patches.par_iter_mut().enumerate().for_each(|(block, patch)| {
            patch.fill([0.0; N]);
            of_block(block, patch);
        });
        let Room { patches, sums } = room;
        sums.clear();
        sums.resize(self.nodes(), [0.0; N]);
        sums.par_chunks_mut(PAGE).zip(&self.reaching).for_each(|(page, reaching)| {
            for (n, &block) in reaching.iter().enumerate().filter(|(_, block)| **block != NONE) {
                for (at, own) in rows(n) {
                    let given = &patches[block as usize][own..own + SIDE];
                    for (sum, given) in page[at..at + SIDE].iter_mut().zip(given) {
                        (0..N).for_each(|lane| sum[lane] += given[lane]);
                    }
                }
            }
        });
    }

    /// [`Blocks::sum`] of what each of these points, which are in the blocks' order, gives by itself: to a node by its weight and the gradient of that [1/m], as
    /// `given` says of its number and its place [m]; nothing where that says so. Blocks that are not `wanted` give nothing.
    pub fn scatter<const N: usize, G: Fn(f64, &Vec3) -> Lanes<N>>(
        &self,
        (_, point): Placed,
        room: &mut Room<N>,
        wanted: impl Fn(usize) -> bool + Sync,
        given: impl Fn(usize, &Vec3) -> Option<G> + Sync,
    ) {
        self.sum(room, |block, patch: &mut Patch<N>| {
            if !wanted(block) {
                return;
            }
            for (number, x) in self.range(block).map(point) {
                let Some(given) = given(number, &x) else { continue };
                with_width!(self.by.kernel, W => if let Some(weights) = Weights::<W>::of(&x, &self.by) {
                    let first = self.patch_node(block, weights.base);
                    weights.for_each(|[i, j, k], w, gradient, _| {
                        let sums = &mut patch[first + i * Self::LAYER + j * Self::ROW + k];
                        sums.iter_mut().zip(given(w, gradient)).for_each(|(sum, given)| *sum += given);
                    });
                });
            }
        });
    }

    /// Lets each block have its share of `points`, which are in the blocks' order, and what `value` says of the nodes in its patch. What `of_block`
    /// returns, by blocks.
    pub fn spread<N: Sync, T: Copy + Default + Send, P: Send, R: Send>(
        &self,
        nodes: &[N],
        value: impl Fn(&N) -> T + Sync,
        points: &mut [P],
        of_block: impl Fn(usize, &[T; PATCH], &mut [P]) -> R + Sync,
    ) -> Vec<R> {
        let mut rest = points;
        let shares: Vec<&mut [P]> = (0..self.count())
            .map(|block| {
                let (own, others) = std::mem::take(&mut rest).split_at_mut(self.range(block).len());
                rest = others;
                own
            })
            .collect();
        let patch = || Box::new([T::default(); PATCH]);
        let of_share = |patch: &mut Box<[T; PATCH]>, (block, own): (usize, &mut [P])| {
            for (n, &page) in self.reached[block].iter().enumerate() {
                for (at, own) in rows(n) {
                    let first = PAGE * page as usize + at;
                    patch[own..own + SIDE].iter_mut().zip(&nodes[first..first + SIDE]).for_each(|(own, node)| *own = value(node));
                }
            }
            of_block(block, patch, own)
        };
        shares.into_par_iter().enumerate().map_init(patch, of_share).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;
    use crate::math::splines::Kernel;

    const SPACING: f64 = 0.11;

    /// Number in a patch of the node that is `at` behind the first of a point.
    fn patch_node(first: usize, at: [usize; 3]) -> usize {
        first + at[0] * Blocks::LAYER + at[1] * Blocks::ROW + at[2]
    }

    /// Sums at the nodes are those that each point by itself makes, and points find the values of their own nodes, across all borders; also where
    /// they have left their blocks by so much that these hold them just yet.
    #[test]
    fn points_find_their_nodes() {
        for kernel in Kernel::ALL {
            with_width!(kernel, W => find_their_nodes::<W>(Interpolation { spacing: SPACING, kernel, ..Interpolation::default() }));
        }
    }

    fn find_their_nodes<const W: usize>(by: Interpolation) {
        let mut random = Random::new(2);
        let x: Vec<Vec3> = (0..500).map(|_| random.vector(-1.0, 1.0)).collect();
        let blocks = Blocks::of(&x, by).unwrap();
        assert!(blocks.count() > 50);
        let mut block_of = vec![0; x.len()];
        (0..blocks.count()).for_each(|block| blocks.order()[blocks.range(block)].iter().for_each(|&p| block_of[p as usize] = block));
        let mut farthest = 0;
        let mut away = |(p, x): (usize, &Vec3)| {
            let moved = x + SPACING * random.vector(-3.0, 3.0);
            let is_held = blocks.holds(block_of[p], by.base(&moved).unwrap());
            farthest += usize::from(is_held);
            if is_held { moved } else { *x }
        };
        let moved: Vec<Vec3> = x.iter().enumerate().map(&mut away).collect();
        assert!(farthest > 30, "{farthest}");
        let mut room = Room::default();
        for x in [&x, &moved] {
            blocks.sum(&mut room, |block, patch: &mut Patch<1>| {
                for &p in &blocks.order()[blocks.range(block)] {
                    let weights = Weights::<W>::of(&x[p as usize], &by).unwrap();
                    assert!(blocks.holds(block, weights.base));
                    let first = blocks.patch_node(block, weights.base);
                    weights.for_each(|at, w, _, _| patch[patch_node(first, at)][0] += w);
                }
            });
            let mut expected = std::collections::BTreeMap::new();
            for x in x {
                by.for_each(x, |node, w, _, _| *expected.entry(node).or_insert(0.0) += w);
            }
            for (node, [sum]) in room.sums.iter().enumerate() {
                assert_eq!(blocks.node_at(blocks.cell_of(node)), Some(node as u32));
                let expected = expected.remove(&blocks.cell_of(node)).unwrap_or(0.0);
                assert!((sum - expected).abs() < 1e-13, "{node}: {sum} {expected}");
            }
            assert!(expected.is_empty());
            // A linear field is what its points see of it.
            let slope = Vec3::new(1.0, -2.0, 0.5);
            let nodes: Vec<usize> = (0..blocks.nodes()).collect();
            let mut seen: Vec<(u32, f64)> = blocks.order().iter().map(|&p| (p, 0.0)).collect();
            let counts = blocks.spread(
                &nodes,
                |node| blocks.place_of(*node).dot(&slope),
                &mut seen,
                |block, patch, seen| {
                    for (p, sum) in seen.iter_mut() {
                        let weights = Weights::<W>::of(&x[*p as usize], &by).unwrap();
                        let first = blocks.patch_node(block, weights.base);
                        weights.for_each(|at, w, _, _| *sum += w * patch[patch_node(first, at)]);
                    }
                    seen.len()
                },
            );
            assert_eq!(counts.iter().sum::<usize>(), x.len());
            assert!(seen.iter().all(|(p, seen)| (seen - x[*p as usize].dot(&slope)).abs() < 1e-13));
        }
    }

    #[test]
    fn what_leaves_its_block_is_seen() {
        // Cells 0 to 3 begin at the nodes, half a cell or a whole one behind them; as far as the eight nodes of a patch go, points may be outside.
        for (kernel, low, high) in [(Kernel::Linear, -0.1, 0.6), (Kernel::Quadratic, -0.05, 0.55), (Kernel::Cubic, 0.0, 0.5)] {
            let by = Interpolation { spacing: 0.1, kernel, ..Interpolation::default() };
            let x = vec![Vec3::new(0.3, 0.3, 0.3), Vec3::new(0.31, 0.3, 0.3)];
            let blocks = Blocks::of(&x, by).unwrap();
            let holds = |x: f64| blocks.holds(0, by.base(&Vec3::new(x, 0.3, 0.3)).unwrap());
            assert!(holds(0.31) && holds(low + 1e-3) && holds(high - 1e-3) && !holds(high + 1e-3) && !holds(low - 1e-3), "{kernel:?}");
            assert_eq!(Blocks::of(&[x[0], Vec3::new(0.3, f64::NAN, 0.3)], by).unwrap_err(), 1);
        }
    }
}
