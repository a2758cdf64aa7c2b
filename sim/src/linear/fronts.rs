//! [`FrontalLu`]: L U of a matrix whose pattern is symmetric though its numbers are not, by dense fronts (Liu 1992) on the
//! supernodes of the Cholesky factor, in its order.
//!
//! Pivots are sought within the diagonal block of a supernode only (static pivoting; Li and Demmel 1998). With any row for a
//! pivot, room is needed for whatever row might come: for compact bodies of 100 000 tets twenty times as much, and hundreds of times the work.

use std::ops::Range;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_unit_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::prelude::{Reborrow, ReborrowMut};
use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;
use faer::{Accum, Mat, MatMut, MatRef, Par, Spec};
use rayon::prelude::*;

use super::aligned::Numbers;
use super::cholesky::parallelism;

/// The work is shared out in subtrees of at most this part of it; what is above them is done front by front, by all threads.
const GRAIN: f64 = 1.0 / 32.0;

/// Columns that are eliminated together, and the later rows that they reach.
struct Supernode {
    columns: Range<usize>,
    /// In [`FrontalLu::rows`].
    pattern: Range<usize>,
    /// In [`FrontalLu::values`]: rows of the front by own columns, then own rows by the columns of the pattern.
    values: Range<usize>,
    children: Vec<usize>,
    operations: f64,
}

/// The factor, and where its numbers are.
pub(super) struct FrontalLu {
    supernodes: Vec<Supernode>,
    /// Rows below the diagonal block of each supernode, ascending.
    rows: Vec<u32>,
    /// Supernode of each row.
    supernode_of: Vec<u32>,
    /// Subtrees that are eliminated side by side, ascending.
    pub(super) subtrees: Vec<Range<usize>>,
    values: Numbers,
    /// Of each supernode the order of its own rows.
    pivots: Vec<usize>,
}

/// What a front leaves for those above it: rows and columns are those of the supernode's pattern.
type Update = Mat<f64>;

impl FrontalLu {
    /// Without numbers yet.
    pub fn new(symbolic: &SymbolicSupernodalCholesky<u32>) -> Self {
        let count = symbolic.n_supernodes();
        let mut supernodes: Vec<Supernode> = Vec::with_capacity(count);
        let (mut rows, mut supernode_of) = (Vec::new(), vec![0; symbolic.nrows()]);
        let mut end = 0;
        for s in 0..count {
            let columns = symbolic.supernode_begin()[s] as usize..symbolic.supernode_end()[s] as usize;
            supernode_of[columns.clone()].fill(s as u32);
            let first = rows.len();
            rows.extend_from_slice(symbolic.supernode(s).pattern());
            rows[first..].sort_unstable();
            let (own, reached) = (columns.len() as f64, (rows.len() - first) as f64);
            let numbers = columns.len() * (columns.len() + 2 * (rows.len() - first));
            let operations = own * own * own / 1.5 + 2.0 * own * own * reached + 2.0 * own * reached * reached;
            let values = end..end + numbers;
            end = values.end;
            supernodes.push(Supernode { columns, pattern: first..rows.len(), values, children: Vec::new(), operations });
        }
        for s in 0..count {
            if let Some(&first) = rows[supernodes[s].pattern.clone()].first() {
                supernodes[supernode_of[first as usize] as usize].children.push(s);
            }
        }
        let subtrees = subtrees(&supernodes);
        Self { supernodes, rows, supernode_of, subtrees, values: Numbers::default(), pivots: vec![0; symbolic.nrows()] }
    }

    /// Where an entry of the matrix goes among the numbers.
    pub fn place(&self, row: usize, column: usize) -> usize {
        let supernode = &self.supernodes[self.supernode_of[row.min(column)] as usize];
        let (own, height) = (supernode.columns.len(), supernode.columns.len() + supernode.pattern.len());
        let local = |index: usize| match index.checked_sub(supernode.columns.end) {
            None => index - supernode.columns.start,
            Some(_) => own + self.rows[supernode.pattern.clone()].partition_point(|&r| (r as usize) < index),
        };
        let (row, column) = (local(row), local(column));
        supernode.values.start + if column < own { column * height + row } else { height * own + (column - own) * own + row }
    }

    /// Numbers of the factor.
    pub fn entries(&self) -> usize {
        self.supernodes.last().map_or(0, |last| last.values.end)
    }

    /// Numbers of the fronts that wait for those above them, at most, with so many threads.
    pub fn waiting_entries(&self, threads: usize) -> usize {
        let (mut largest, mut roots) = (0, 0);
        for subtree in &self.subtrees {
            largest = largest.max(self.most_waiting(subtree.clone(), 0));
            roots += self.update_entries(subtree.end - 1);
        }
        (threads * largest + roots).max(self.most_waiting(0..0, roots))
    }

    /// Eliminates. `fill` writes the matrix, entry by entry at its place, among zeros. False if a pivot is zero or not finite.
    pub fn factorize(&mut self, fill: impl FnOnce(&mut [f64])) -> bool {
        if self.values.len() < self.entries() {
            self.values = Numbers::zeros(self.entries());
        } else {
            self.values.par_chunks_mut(1 << 16).for_each(|chunk| chunk.fill(0.0));
        }
        fill(&mut self.values);
        let mut updates: Vec<Option<Update>> = Vec::new();
        updates.resize_with(self.supernodes.len(), || None);

        let (shared, above) = (Fronts { supernodes: &self.supernodes, rows: &self.rows }, &self.subtrees);
        let (mut values, mut pivots) = (&mut *self.values, self.pivots.as_mut_slice());
        let (mut value, mut pivot) = (0, 0);
        let mut tasks = Vec::with_capacity(above.len());
        for subtree in above {
            let (first, last) = (&self.supernodes[subtree.start], &self.supernodes[subtree.end - 1]);
            let own_values = values.split_off_mut(first.values.start - value..);
            let own_pivots = pivots.split_off_mut(first.columns.start - pivot..);
            let (Some(own_values), Some(own_pivots)) = (own_values, own_pivots) else { return false };
            let (own_values, rest) = own_values.split_at_mut(last.values.end - first.values.start);
            let (own_pivots, others) = own_pivots.split_at_mut(last.columns.end - first.columns.start);
            (values, pivots, value, pivot) = (rest, others, last.values.end, last.columns.end);
            tasks.push((subtree.clone(), own_values, own_pivots));
        }
        let found: Option<Vec<Update>> = tasks
            .into_par_iter()
            .with_max_len(1)
            .map(|(subtree, values, pivots)| {
                let mut updates: Vec<Option<Update>> = Vec::new();
                updates.resize_with(subtree.len(), || None);
                let root = subtree.end - 1;
                shared.eliminate(subtree.clone(), subtree.start, values, pivots, &mut updates, |_| Par::Seq)?;
                updates[root - subtree.start].take()
            })
            .collect();
        let Some(found) = found else { return false };
        for (subtree, update) in above.iter().zip(found) {
            updates[subtree.end - 1] = Some(update);
        }
        let (mut next, end) = (0, self.supernodes.len());
        for subtree in above.iter().cloned().chain(std::iter::once(end..end)) {
            let between = next..subtree.start;
            next = subtree.end;
            if between.is_empty() {
                continue;
            }
            let (first, last) = (&self.supernodes[between.start], &self.supernodes[between.end - 1]);
            let values = &mut self.values[first.values.start..last.values.end];
            let pivots = &mut self.pivots[first.columns.start..last.columns.end];
            if shared.eliminate(between, 0, values, pivots, &mut updates, parallelism).is_none() {
                return false;
            }
        }
        true
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        let mut own = Vec::new();
        for (s, supernode) in self.supernodes.iter().enumerate() {
            let (diagonal, below, _) = self.panels(s);
            own.clear();
            own.extend(self.pivots[supernode.columns.clone()].iter().map(|&row| x[supernode.columns.start + row]));
            let mut column = MatMut::from_column_major_slice_mut(&mut own, supernode.columns.len(), 1);
            solve_unit_lower_triangular_in_place(diagonal, column.rb_mut(), Par::Seq);
            let (early, later) = x.split_at_mut(supernode.columns.end);
            early[supernode.columns.start..].copy_from_slice(&own);
            for (c, value) in own.iter().enumerate() {
                let numbers = below.col(c).iter();
                for (&row, number) in self.rows[supernode.pattern.clone()].iter().zip(numbers) {
                    later[row as usize - supernode.columns.end] -= number * value;
                }
            }
        }
        for (s, supernode) in self.supernodes.iter().enumerate().rev() {
            let (diagonal, _, right) = self.panels(s);
            let (early, later) = x.split_at_mut(supernode.columns.end);
            let own = &mut early[supernode.columns.start..];
            for (c, &row) in self.rows[supernode.pattern.clone()].iter().enumerate() {
                let value = later[row as usize - supernode.columns.end];
                right.col(c).iter().zip(&mut *own).for_each(|(number, own)| *own -= number * value);
            }
            let count = own.len();
            solve_upper_triangular_in_place(diagonal, MatMut::from_column_major_slice_mut(own, count, 1), Par::Seq);
        }
    }

    /// Diagonal block, what is below it, and what is right of it.
    fn panels(&self, s: usize) -> (MatRef<'_, f64>, MatRef<'_, f64>, MatRef<'_, f64>) {
        let supernode = &self.supernodes[s];
        let (own, reached) = (supernode.columns.len(), supernode.pattern.len());
        let (left, right) = self.values[supernode.values.clone()].split_at(own * (own + reached));
        let (diagonal, below) = MatRef::from_column_major_slice(left, own + reached, own).split_at_row(own);
        (diagonal, below, MatRef::from_column_major_slice(right, own, reached))
    }

    fn update_entries(&self, s: usize) -> usize {
        self.supernodes[s].pattern.len().pow(2)
    }

    /// Most numbers of waiting fronts while those of a subtree are eliminated; of an empty one, while those above all subtrees are,
    /// with `waiting` at first.
    fn most_waiting(&self, subtree: Range<usize>, waiting: usize) -> usize {
        let above = |s: &usize| !self.subtrees.iter().any(|subtree| subtree.contains(s));
        let all: Vec<usize> = if subtree.is_empty() { (0..self.supernodes.len()).filter(above).collect() } else { subtree.collect() };
        let (mut waiting, mut most) = (waiting, waiting);
        for s in all {
            waiting += self.update_entries(s);
            most = most.max(waiting);
            waiting -= self.supernodes[s].children.iter().map(|&child| self.update_entries(child)).sum::<usize>();
        }
        most
    }
}

/// The largest subtrees with no more than [`GRAIN`] of the work, each a range in postorder.
fn subtrees(supernodes: &[Supernode]) -> Vec<Range<usize>> {
    let mut work: Vec<f64> = Vec::with_capacity(supernodes.len());
    let mut first: Vec<usize> = Vec::with_capacity(supernodes.len());
    for (s, supernode) in supernodes.iter().enumerate() {
        work.push(supernode.operations + supernode.children.iter().map(|&child| work[child]).sum::<f64>());
        first.push(supernode.children.first().map_or(s, |&child| first[child]));
    }
    let limit = GRAIN * supernodes.iter().map(|supernode| supernode.operations).sum::<f64>();
    let mut found = Vec::new();
    let mut last = supernodes.len();
    while let Some(s) = last.checked_sub(1) {
        if work[s] <= limit {
            found.push(first[s]..last);
            last = first[s];
        } else {
            last = s;
        }
    }
    found.reverse();
    found
}

/// What all threads read.
#[derive(Clone, Copy)]
struct Fronts<'a> {
    supernodes: &'a [Supernode],
    rows: &'a [u32],
}

impl Fronts<'_> {
    /// Eliminates some supernodes in turn, with their numbers and pivots; `updates` are those of `base` and its followers. `None` if a
    /// pivot is zero or not finite.
    fn eliminate(
        &self,
        range: Range<usize>,
        base: usize,
        values: &mut [f64],
        pivots: &mut [usize],
        updates: &mut [Option<Update>],
        threads: impl Fn(f64) -> Par,
    ) -> Option<()> {
        let (value, pivot) = (self.supernodes[range.start].values.start, self.supernodes[range.start].columns.start);
        for s in range {
            let supernode = &self.supernodes[s];
            let numbers = &mut values[supernode.values.start - value..supernode.values.end - value];
            let order = &mut pivots[supernode.columns.start - pivot..supernode.columns.end - pivot];
            let mut update = Mat::zeros(supernode.pattern.len(), supernode.pattern.len());
            for &child in &supernode.children {
                if let Some(theirs) = updates[child - base].take() {
                    self.add(&theirs, child, s, numbers, &mut update);
                }
            }
            front(supernode, numbers, order, update.as_mut(), threads(supernode.operations))?;
            updates[s - base] = Some(update);
        }
        Some(())
    }

    /// Adds what the front of `child` left to that of supernode `s`.
    fn add(&self, theirs: &Update, child: usize, s: usize, numbers: &mut [f64], update: &mut Update) {
        let supernode = &self.supernodes[s];
        let (own, height) = (supernode.columns.len(), supernode.columns.len() + supernode.pattern.len());
        let pattern = &self.rows[supernode.pattern.clone()];
        // Both ascend: one pass finds the places.
        let mut at = 0;
        let places: Vec<usize> = self.rows[self.supernodes[child].pattern.clone()]
            .iter()
            .map(|&row| match (row as usize).checked_sub(supernode.columns.end) {
                None => row as usize - supernode.columns.start,
                Some(_) => {
                    at += pattern[at..].partition_point(|&r| r < row);
                    own + at
                }
            })
            .collect();
        let inner = places.partition_point(|&place| place < own);
        let (left, right) = numbers.split_at_mut(own * height);
        for (c, &column) in places.iter().enumerate() {
            let theirs = theirs.col_as_slice(c);
            if column < own {
                let to = &mut left[column * height..(column + 1) * height];
                places.iter().zip(theirs).for_each(|(&row, value)| to[row] += value);
            } else {
                let to = &mut right[(column - own) * own..(column - own + 1) * own];
                places[..inner].iter().zip(theirs).for_each(|(&row, value)| to[row] += value);
                let to = update.col_as_slice_mut(column - own);
                places[inner..].iter().zip(&theirs[inner..]).for_each(|(&row, value)| to[row - own] += value);
            }
        }
    }
}

/// Eliminates the supernode's own columns of its front: P A = L U of the diagonal block, and what it takes off the rest.
fn front(supernode: &Supernode, numbers: &mut [f64], order: &mut [usize], mut update: MatMut<f64>, threads: Par) -> Option<()> {
    let (own, reached) = (supernode.columns.len(), supernode.pattern.len());
    let (left, right) = numbers.split_at_mut(own * (own + reached));
    let (mut diagonal, below) = MatMut::from_column_major_slice_mut(left, own + reached, own).split_at_row_mut(own);
    let mut inverse = vec![0; own];
    let mut memory = MemBuffer::new(lu_in_place_scratch::<usize, f64>(own, own, threads, Spec::default()));
    lu_in_place(diagonal.rb_mut(), order, &mut inverse, threads, MemStack::new(&mut memory), Spec::default());
    let is_pivot = |pivot: f64| pivot.is_finite() && pivot != 0.0;
    if !(0..own).all(|i| is_pivot(diagonal[(i, i)])) {
        return None;
    }
    if reached == 0 {
        return Some(());
    }
    let mut column = vec![0.0; own];
    for values in right.chunks_exact_mut(own) {
        column.copy_from_slice(values);
        values.iter_mut().zip(&*order).for_each(|(value, &row)| *value = column[row]);
    }
    let mut right = MatMut::from_column_major_slice_mut(right, own, reached);
    solve_unit_lower_triangular_in_place(diagonal.rb(), right.rb_mut(), threads);
    let mut below = below;
    solve_lower_triangular_in_place(diagonal.rb().transpose(), below.rb_mut().transpose_mut(), threads);
    matmul(update.rb_mut(), Accum::Add, below.rb(), right.rb(), -1.0, threads);
    Some(())
}
