//! [`Sweeps`]: triangular solves with a supernodal factor L, by all threads. Subtrees of the elimination tree know nothing of one another:
//! each is swept by one thread, and what it subtracts from rows above it is put off until its turn comes in the order of the supernodes. So
//! every row is what it is with one thread, to the bit.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::prelude::{Reborrow, ReborrowMut};
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLltRef, SymbolicSupernodalCholesky};
use faer::{Accum, Mat, MatMut, Par};
use rayon::prelude::*;

/// A factor of fewer entries is swept before other threads have come to help.
const WORTH_SHARING: usize = 1 << 17;
/// Share of the entries below which a subtree is swept as a whole.
const PIECES: usize = 24;

/// In which pieces a factor is swept.
#[derive(Debug, Default)]
pub(super) struct Sweeps {
    /// Supernodes in order, those of a subtree together.
    pieces: Vec<Range<usize>>,
    /// Of each piece the scalar rows, and whether it is a subtree.
    rows: Vec<(Range<usize>, bool)>,
}

/// Supernodes of a factor that are swept one after the other, over the rows `first..first + own.len()`.
struct Piece<'a> {
    factor: SupernodalLltRef<'a, u32, f64>,
    supernodes: Range<usize>,
    /// Scalar rows from here on are not eliminated.
    limit: usize,
    first: usize,
    own: &'a mut [f64],
}

impl Sweeps {
    /// One supernode after the other.
    fn in_one(symbolic: &SymbolicSupernodalCholesky<u32>) -> Self {
        Self { pieces: std::iter::once(0..symbolic.n_supernodes()).collect(), rows: vec![(0..symbolic.nrows(), false)] }
    }

    /// Of the factor with these supernodes.
    pub fn new(symbolic: &SymbolicSupernodalCholesky<u32>) -> Self {
        let count = symbolic.n_supernodes();
        let (begin, end) = (symbolic.supernode_begin(), symbolic.supernode_end());
        let in_one = Self::in_one(symbolic);
        if symbolic.len_val() < WORTH_SHARING {
            return in_one;
        }
        // Of each supernode: the entries and the first supernode of its subtree, and its children.
        let mut entries: Vec<usize> = symbolic.col_ptr_for_val().windows(2).map(|ends| (ends[1] - ends[0]) as usize).collect();
        let mut first: Vec<usize> = (0..count).collect();
        let mut children = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for s in 0..count {
            let Some(above) = symbolic.supernode(s).pattern().iter().min() else {
                roots.push(s);
                continue;
            };
            let parent = begin.partition_point(|start| start <= above) - 1;
            children[parent].push(s);
            entries[parent] += entries[s];
            first[parent] = first[parent].min(first[s]);
        }
        let least = entries.iter().max().map_or(0, |all| all / PIECES);
        let (mut pieces, mut is_whole) = (Vec::new(), Vec::new());
        let mut open = roots;
        while let Some(s) = open.pop() {
            let is_small = entries[s] <= least;
            pieces.push(if is_small { first[s]..s + 1 } else { s..s + 1 });
            is_whole.push(is_small);
            if !is_small {
                open.append(&mut children[s]);
            }
        }
        let mut order: Vec<usize> = (0..pieces.len()).collect();
        order.sort_unstable_by_key(|&piece| pieces[piece].start);
        let pieces: Vec<Range<usize>> = order.iter().map(|&piece| pieces[piece].clone()).collect();
        // In a postorder subtrees are contiguous.
        let is_contiguous = pieces.windows(2).all(|two| two[0].end == two[1].start);
        if !is_contiguous || pieces.first().is_none_or(|piece| piece.start != 0) || pieces.last().is_none_or(|piece| piece.end != count) {
            return in_one;
        }
        let rows = |piece: &Range<usize>| begin[piece.start] as usize..end[piece.end - 1] as usize;
        let rows = pieces.iter().zip(order).map(|(piece, at)| (rows(piece), is_whole[at])).collect();
        Self { pieces, rows }
    }

    /// Solves L x = b in place for the rows before `limit`, and subtracts what x leaves of the others.
    pub fn forward(&self, factor: SupernodalLltRef<u32, f64>, limit: usize, column: &mut [f64]) {
        let subtrees = self.subtrees(factor, limit, column);
        let mut put_off = subtrees.into_par_iter().map(Piece::forward).collect::<Vec<_>>().into_iter();
        for (supernodes, (rows, is_subtree)) in self.pieces.iter().zip(&self.rows) {
            if *is_subtree {
                let differences = put_off.next().unwrap_or_default();
                let above = supernodes.clone().flat_map(|s| rows_below(factor, s, limit)).filter(|row| *row >= rows.end);
                above.zip(differences).for_each(|(row, difference)| column[row] -= difference);
            } else {
                Piece { factor, supernodes: supernodes.clone(), limit, first: 0, own: &mut *column }.forward();
            }
        }
    }

    /// Solves L^T x = b in place for the rows before `limit`, where x is known for the others.
    pub fn backward(&self, factor: SupernodalLltRef<u32, f64>, limit: usize, column: &mut [f64]) {
        let pieces = self.pieces.iter().zip(&self.rows).rev();
        for (supernodes, _) in pieces.filter(|(_, (_, is_subtree))| !is_subtree) {
            Piece { factor, supernodes: supernodes.clone(), limit, first: 0, own: &mut *column }.backward(&[]);
        }
        if self.rows.iter().any(|(_, is_subtree)| *is_subtree) {
            let above = column.to_vec();
            self.subtrees(factor, limit, column).into_par_iter().for_each(|piece| piece.backward(&above));
        }
    }

    /// The subtrees, each with its own rows of the column.
    fn subtrees<'a>(&self, factor: SupernodalLltRef<'a, u32, f64>, limit: usize, column: &'a mut [f64]) -> Vec<Piece<'a>> {
        let (mut rest, mut passed) = (column, 0);
        let mut subtrees = Vec::new();
        for (supernodes, (rows, _)) in self.pieces.iter().zip(&self.rows).filter(|(_, (_, is_subtree))| *is_subtree) {
            let (own, tail) = rest.split_at_mut(rows.start - passed).1.split_at_mut(rows.len());
            subtrees.push(Piece { factor, supernodes: supernodes.clone(), limit, first: rows.start, own });
            (rest, passed) = (tail, rows.end);
        }
        subtrees
    }
}

/// The rows below what a supernode eliminates, in the order of its block.
fn rows_below(factor: SupernodalLltRef<u32, f64>, s: usize, limit: usize) -> impl Iterator<Item = usize> {
    let supernode = factor.supernode(s);
    let (start, columns) = (supernode.start(), supernode.val().ncols());
    let own = start + columns.min(limit.saturating_sub(start))..start + columns;
    own.chain(supernode.pattern().iter().map(|&row| row as usize))
}

impl Piece<'_> {
    /// Memory for a product with any of its blocks. A matrix, not a vector: its memory is aligned.
    fn scratch(&self) -> Mat<f64> {
        let rows = self.supernodes.clone().map(|s| self.factor.supernode(s).val().nrows());
        Mat::zeros(rows.max().unwrap_or(0), 1)
    }

    /// What it subtracts from rows above its own.
    fn forward(self) -> Vec<f64> {
        let mut product = self.scratch();
        let mut put_off = Vec::new();
        for s in self.supernodes.clone() {
            let supernode = self.factor.supernode(s);
            let (start, block) = (supernode.start(), supernode.val());
            let eliminated = block.ncols().min(self.limit.saturating_sub(start));
            let (top, below) = block.subcols(0, eliminated).split_at_row(eliminated);
            let x = &mut self.own[start - self.first..][..eliminated];
            let mut x = MatMut::from_column_major_slice_mut(x, eliminated, 1);
            solve_lower_triangular_in_place(top, x.rb_mut(), Par::Seq);
            let mut product = product.as_mut().subrows_mut(0, below.nrows());
            matmul(product.rb_mut(), Accum::Replace, below, x.rb(), 1.0, Par::Seq);
            for (row, product) in rows_below(self.factor, s, self.limit).zip(product.col(0).iter()) {
                match self.own.get_mut(row - self.first) {
                    Some(own) => *own -= product,
                    None => put_off.push(*product),
                }
            }
        }
        put_off
    }

    /// `above`: the whole column, for the rows that are not its own.
    fn backward(self, above: &[f64]) {
        let mut gathered = self.scratch();
        for s in self.supernodes.clone().rev() {
            let supernode = self.factor.supernode(s);
            let (start, block) = (supernode.start(), supernode.val());
            let eliminated = block.ncols().min(self.limit.saturating_sub(start));
            let (top, below) = block.subcols(0, eliminated).split_at_row(eliminated);
            let known = &mut gathered.col_as_slice_mut(0)[..below.nrows()];
            for (known, row) in known.iter_mut().zip(rows_below(self.factor, s, self.limit)) {
                *known = self.own.get(row - self.first).copied().unwrap_or_else(|| above[row]);
            }
            let known = gathered.as_ref().subrows(0, below.nrows());
            let x = &mut self.own[start - self.first..][..eliminated];
            let mut x = MatMut::from_column_major_slice_mut(x, eliminated, 1);
            matmul(x.rb_mut(), Accum::Add, below.transpose(), known, -1.0, Par::Seq);
            solve_upper_triangular_in_place(top.transpose(), x, Par::Seq);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use faer::Conj;
    use faer::dyn_stack::{MemBuffer, MemStack};

    use super::*;
    use crate::linear::tests::Clamped;
    use crate::linear::{CholeskyFactor, NodeMatrix};

    /// By subtrees, in one piece and by `faer`: the same numbers to the bit, also where the last rows are not eliminated.
    #[test]
    fn subtrees_that_are_swept_side_by_side_change_no_bit() {
        let clamped = Clamped::new([11, 10, 9], 1e5, 0.01);
        let pattern = &clamped.pattern;
        let mut matrix = NodeMatrix::new(pattern);
        matrix.assemble(pattern, &clamped.blocks, 1.0, &clamped.diagonal);
        let mut factor = CholeskyFactor::new(pattern);
        factor.factorize(pattern, &matrix).unwrap();
        let numbers = factor.numbers(pattern);
        let (symbolic, sweeps) = (numbers.symbolic(), &pattern.scalars().sweeps);
        let subtrees = sweeps.rows.iter().filter(|(_, is_subtree)| *is_subtree);
        let swept: usize = subtrees.clone().map(|(rows, _)| rows.len()).sum();
        assert!(subtrees.count() > 4 && 2 * swept > pattern.unknowns(), "{sweeps:?}");
        let in_one = Sweeps::in_one(symbolic);

        let mut start = Mat::<f64>::zeros(pattern.unknowns(), 1);
        pattern.gather_column(&clamped.load(), start.col_as_slice_mut(0));
        let bits = |column: &Mat<f64>| column.col_as_slice(0).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let mut expected = start.clone();
        let mut memory = MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        numbers.solve_in_place_with_conj(Conj::No, expected.as_mut(), Par::Seq, MemStack::new(&mut memory));
        for limit in [pattern.unknowns(), pattern.unknowns() - 300] {
            let swept = |sweeps: &Sweeps| {
                let mut column = start.clone();
                sweeps.forward(numbers, limit, column.col_as_slice_mut(0));
                let half = bits(&column);
                sweeps.backward(numbers, limit, column.col_as_slice_mut(0));
                (half, bits(&column))
            };
            assert!(swept(sweeps) == swept(&in_one), "{limit}");
            if limit == pattern.unknowns() {
                assert!(swept(sweeps).1 == bits(&expected));
            }
        }
    }
}
