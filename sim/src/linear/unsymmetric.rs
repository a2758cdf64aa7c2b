//! [`UnsymmetricFactor`]: P A Q = L U of a matrix that has the pattern of the nodes' couplings, but no symmetry.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, Mat, Par, Spec};

use super::pattern::{FIXED, NodeMatrixPattern};
use crate::math::{Mat3, Vec3};

/// A matrix without an inverse: a pivot is zero, a number is not finite, or memory is exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is singular")]
pub struct Singular;

/// Factorises matrices of 3x3 blocks that are summed from element blocks; symbolic work is done once.
pub struct UnsymmetricFactor {
    column_starts: Vec<usize>,
    row_indices: Vec<usize>,
    /// Of each column of blocks, from top to bottom: row block, block of the pattern's lower triangle, whether it lies above the diagonal.
    blocks: Vec<(u32, u32, bool)>,
    starts: Vec<usize>,
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, f64>,
    memory: MemBuffer,
    values: Vec<f64>,
    column: Mat<f64>,
    factorized: bool,
}

impl UnsymmetricFactor {
    /// Memory for factors of matrices in `pattern`.
    ///
    /// # Errors
    /// [`Singular`] if memory for the symbolic factorisation cannot be had.
    pub fn new(pattern: &NodeMatrixPattern) -> Result<Self, Singular> {
        let (starts, blocks) = whole_columns(pattern);
        let (column_starts, row_indices) = scalar_columns(&starts, &blocks);
        let dimension = pattern.unknowns();
        let symbolic = {
            let columns = SymbolicSparseColMatRef::new_checked(dimension, dimension, &column_starts, None, &row_indices);
            factorize_symbolic_lu(columns, LuSymbolicParams::default()).map_err(|_| Singular)?
        };
        let scratch = symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Spec::default());
        let memory = MemBuffer::new(scratch.or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq)));
        Ok(Self {
            column_starts,
            row_indices,
            blocks,
            starts,
            symbolic,
            numeric: NumericLu::new(),
            memory,
            values: Vec::new(),
            column: Mat::zeros(dimension, 1),
            factorized: false,
        })
    }

    /// Factorises the sum of the element blocks (one vector a family, N x N blocks an element, row by row), P_i B P_j + (1 - P_i)
    /// on nodes that move only as their projector `slides` lets them. One thread, so that the numbers never depend on how many there are.
    ///
    /// # Errors
    /// [`Singular`]; a matrix that is so may also be noticed only when it is solved for.
    pub fn factorize(&mut self, pattern: &NodeMatrixPattern, blocks: &[Vec<Mat3>], slides: &[(u32, Mat3)]) -> Result<(), Singular> {
        self.factorized = false;
        if pattern.unknowns() == 0 {
            return Ok(());
        }
        self.fill(pattern, blocks, slides);
        if !self.values.iter().all(|value| value.is_finite()) {
            return Err(Singular);
        }
        let dimension = pattern.unknowns();
        let symbolic = SymbolicSparseColMatRef::new_checked(dimension, dimension, &self.column_starts, None, &self.row_indices);
        let matrix = SparseColMatRef::new(symbolic, &self.values);
        let stack = MemStack::new(&mut self.memory);
        self.symbolic.factorize_numeric_lu(&mut self.numeric, matrix, Par::Seq, stack, Spec::default()).map_err(|_| Singular)?;
        self.factorized = true;
        Ok(())
    }

    /// Solves A x = b in place; entries of fixed nodes become zero.
    ///
    /// # Errors
    /// [`Singular`], also where nothing was factorised; then the right side is lost.
    pub fn solve(&mut self, pattern: &NodeMatrixPattern, right_side: &mut [Vec3]) -> Result<(), Singular> {
        if pattern.unknowns() == 0 {
            right_side.fill(Vec3::zeros());
            return Ok(());
        }
        if !self.factorized {
            return Err(Singular);
        }
        pattern.gather_column(right_side, self.column.col_as_slice_mut(0));
        let stack = MemStack::new(&mut self.memory);
        LuRef::new_unchecked(&self.symbolic, &self.numeric).solve_in_place_with_conj(Conj::No, self.column.as_mut(), Par::Seq, stack);
        pattern.scatter_column(self.column.col_as_slice(0), right_side);
        if self.column.col_as_slice(0).iter().all(|value| value.is_finite()) { Ok(()) } else { Err(Singular) }
    }

    fn fill(&mut self, pattern: &NodeMatrixPattern, blocks: &[Vec<Mat3>], slides: &[(u32, Mat3)]) {
        let mut projectors = vec![None; pattern.order.len()];
        for (node, projector) in slides.iter().filter(|(node, _)| pattern.position[*node as usize] != FIXED) {
            projectors[pattern.position[*node as usize] as usize] = Some(projector);
        }
        self.values.clear();
        let mut whole = Vec::new();
        for (column, range) in self.starts.windows(2).enumerate() {
            whole.clear();
            for &(row, lower, above) in &self.blocks[range[0]..range[1]] {
                let mut block = pattern.sum(lower as usize, above, blocks);
                if let Some(projector) = projectors[row as usize] {
                    block = projector * block;
                }
                if let Some(projector) = projectors[column] {
                    block *= projector;
                    if row as usize == column {
                        block += Mat3::identity() - projector;
                    }
                }
                whole.push(block);
            }
            for c in 0..3 {
                whole.iter().for_each(|block| self.values.extend_from_slice(block.column(c).as_slice()));
            }
        }
    }
}

/// Of each column of blocks, the blocks above the diagonal, on it and below it.
fn whole_columns(pattern: &NodeMatrixPattern) -> (Vec<usize>, Vec<(u32, u32, bool)>) {
    let count = pattern.order.len();
    let mut columns: Vec<Vec<(u32, u32, bool)>> = vec![Vec::new(); count];
    for column in 0..count {
        for block in pattern.starts[column]..pattern.starts[column + 1] {
            let row = pattern.rows[block];
            columns[column].push((row, block as u32, false));
            if row as usize != column {
                columns[row as usize].push((column as u32, block as u32, true));
            }
        }
    }
    columns.iter_mut().for_each(|column| column.sort_unstable());
    let mut starts = vec![0];
    starts.extend(columns.iter().scan(0, |end, column| {
        *end += column.len();
        Some(*end)
    }));
    (starts, columns.concat())
}

/// The same by scalars.
fn scalar_columns(starts: &[usize], blocks: &[(u32, u32, bool)]) -> (Vec<usize>, Vec<usize>) {
    let mut column_starts = vec![0];
    let mut row_indices = Vec::with_capacity(9 * blocks.len());
    for range in starts.windows(2) {
        for _ in 0..3 {
            row_indices.extend(blocks[range[0]..range[1]].iter().flat_map(|&(row, ..)| (0..3).map(move |r| 3 * row as usize + r)));
            column_starts.push(row_indices.len());
        }
    }
    (column_starts, row_indices)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::element::{Batch, Family};
    use crate::material;
    use crate::math::random::Random;
    use crate::mesh::structured::{CubeCut, box_mesh};

    /// Random blocks without symmetry, multiplied element by element and solved for again, with held and sliding nodes.
    #[test]
    fn solves_what_element_blocks_multiply_to() {
        let (x, tets) = box_mesh(Vec3::new(3.0, 2.0, 2.0), [3, 2, 2], CubeCut::Kuhn);
        let law = (material::law("corotated").unwrap().build)(1.0, 0.3);
        let families: Vec<Box<dyn Family>> = vec![Box::new(Batch::at_rest(&x, &tets, &vec![law; tets.len()]).unwrap())];
        let free: Vec<bool> = x.iter().map(|p| p.x > 0.0).collect();
        let pattern = NodeMatrixPattern::new(&free, &families);
        let mut random = Random::new(3);
        let mut element = |k: usize| random.matrix(-1.0, 1.0) + Mat3::from_diagonal_element(if k.is_multiple_of(5) { 4.0 } else { 0.0 });
        let blocks: Vec<Mat3> = (0..16 * tets.len()).map(|k| element(k % 16)).collect();
        let across = Vec3::new(0.6, 0.0, 0.8);
        let slides = [(x.len() as u32 - 1, Mat3::identity() - across * across.transpose()), (x.len() as u32 - 2, Mat3::zeros())];
        let allow = |v: &mut [Vec3]| {
            v.iter_mut().zip(&free).filter(|(_, free)| !**free).for_each(|(v, _)| *v = Vec3::zeros());
            slides[..1].iter().chain(&slides[1..]).for_each(|(n, p)| v[*n as usize] = p * v[*n as usize]);
        };
        let mut expected: Vec<Vec3> = x.iter().map(|_| random.vector(-1.0, 1.0)).collect();
        allow(&mut expected);
        let mut product = vec![Vec3::zeros(); x.len()];
        for (tet, blocks) in tets.iter().zip(blocks.chunks_exact(16)) {
            for (i, j) in (0..16).map(|k| (k / 4, k % 4)) {
                product[tet[i] as usize] += blocks[4 * i + j] * expected[tet[j] as usize];
            }
        }
        allow(&mut product);
        let mut factor = UnsymmetricFactor::new(&pattern).unwrap();
        // Twice, so that used memory is seen.
        for _ in 0..2 {
            factor.factorize(&pattern, std::slice::from_ref(&blocks), &slides).unwrap();
            let mut found = product.clone();
            factor.solve(&pattern, &mut found).unwrap();
            let error = found.iter().zip(&expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(error < 1e-10, "{error:e}");
        }
        let none = vec![Mat3::zeros(); blocks.len()];
        let outcome = factor.factorize(&pattern, &[none], &[]).and_then(|()| factor.solve(&pattern, &mut product));
        assert_eq!(outcome, Err(Singular));
    }
}
