//! [`UnsymmetricFactor`]: P A Q = L U of a matrix that has the pattern of the nodes' couplings, but no symmetry.

use super::fronts::FrontalLu;
use super::pattern::{FIXED, NodeMatrixPattern};
use crate::math::{Mat3, Vec3};

/// Corrections of a solution at most.
const CORRECTIONS: usize = 5;
/// A residual of this share of the right side is as small as need be.
const SMALL: f64 = 1e-13;
/// With more than this left the pivots were of no use.
const LARGEST_RESIDUAL: f64 = 1e-6;

/// A matrix without an inverse: a pivot is zero, a number is not finite, or nothing is right that it gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is singular")]
pub struct Singular;

/// Factorises matrices of 3x3 blocks that are summed from element blocks; symbolic work is done once.
pub struct UnsymmetricFactor {
    /// The matrix by scalar columns.
    column_starts: Vec<usize>,
    row_indices: Vec<u32>,
    values: Vec<f64>,
    /// Where each number goes in the factor.
    places: Vec<usize>,
    /// Of each column of blocks, from top to bottom: row block, block of the pattern's lower triangle, whether it lies above the diagonal.
    blocks: Vec<(u32, u32, bool)>,
    starts: Vec<usize>,
    factor: FrontalLu,
    factorized: bool,
}

impl UnsymmetricFactor {
    /// For factors of matrices in `pattern`; memory for their numbers is taken with the first.
    pub fn new(pattern: &NodeMatrixPattern) -> Self {
        let (starts, blocks) = whole_columns(pattern);
        let (column_starts, row_indices) = scalar_columns(&starts, &blocks);
        let factor = FrontalLu::new(&pattern.scalars().supernodes);
        let rows = |column: usize| row_indices[column_starts[column]..column_starts[column + 1]].iter();
        let places = (0..pattern.unknowns()).flat_map(|column| rows(column).map(move |&row| (row as usize, column)));
        let places = places.map(|(row, column)| factor.place(row, column)).collect();
        Self { column_starts, row_indices, values: Vec::new(), places, blocks, starts, factor, factorized: false }
    }

    /// Memory that the numbers take, once there are any [bytes].
    pub fn bytes(&self) -> u64 {
        let waiting = self.factor.waiting_entries(rayon::current_num_threads());
        (size_of::<f64>() * (self.factor.entries() + waiting + self.places.len())) as u64
    }

    /// Factorises the sum of the element blocks (one vector a family, N x N blocks an element, row by row), P_i B P_j + (1 - P_i)
    /// on nodes that move only as their projector `slides` lets them. The numbers do not depend on how many threads there are.
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
        let matrix = self.places.iter().zip(&self.values);
        self.factorized = self.factor.factorize(|numbers| matrix.for_each(|(&place, value)| numbers[place] = *value));
        if self.factorized { Ok(()) } else { Err(Singular) }
    }

    /// Solves A x = b in place; entries of fixed nodes become zero. What the choice of pivots spoils is put right with A itself.
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
        let mut b = vec![0.0; pattern.unknowns()];
        pattern.gather_column(right_side, &mut b);
        let (mut x, mut left, size) = (vec![0.0; b.len()], b.clone(), norm(&b));
        let mut before = size;
        for _ in 0..=CORRECTIONS {
            if before <= SMALL * size {
                break;
            }
            let mut correction = left.clone();
            self.factor.solve(&mut correction);
            let corrected: Vec<f64> = x.iter().zip(&correction).map(|(x, correction)| x + correction).collect();
            left = self.residual(&b, &corrected);
            let now = norm(&left);
            if now.is_nan() || now >= before {
                break;
            }
            let was = std::mem::replace(&mut before, now);
            x = corrected;
            if now > 0.1 * was {
                break;
            }
        }
        pattern.scatter_column(&x, right_side);
        if before <= LARGEST_RESIDUAL * size { Ok(()) } else { Err(Singular) }
    }

    /// b - A x
    fn residual(&self, b: &[f64], x: &[f64]) -> Vec<f64> {
        let mut left = b.to_vec();
        for (range, x) in self.column_starts.windows(2).zip(x) {
            let range = range[0]..range[1];
            for (&row, value) in self.row_indices[range.clone()].iter().zip(&self.values[range]) {
                left[row as usize] -= value * x;
            }
        }
        left
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

/// Euclidean.
fn norm(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>().sqrt()
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
fn scalar_columns(starts: &[usize], blocks: &[(u32, u32, bool)]) -> (Vec<usize>, Vec<u32>) {
    let mut column_starts = vec![0];
    let mut row_indices = Vec::with_capacity(9 * blocks.len());
    for range in starts.windows(2) {
        for _ in 0..3 {
            row_indices.extend(blocks[range[0]..range[1]].iter().flat_map(|&(row, ..)| (0..3).map(move |r| 3 * row + r)));
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

    /// Stiffnesses of a body whose nodes' frames are turned by up to a radian: large enough for fronts that are shared out, and the same
    /// to the bit by any number of threads.
    #[test]
    fn turned_stiffnesses_are_solved_alike_by_any_number_of_threads() {
        let (x, tets) = box_mesh(Vec3::new(3.0, 1.0, 1.0), [24, 8, 8], CubeCut::Five);
        let law = (material::law("neo_hookean").unwrap().build)(1.0, 0.45);
        let families: Vec<Box<dyn Family>> = vec![Box::new(Batch::at_rest(&x, &tets, &vec![law; tets.len()]).unwrap())];
        let free: Vec<bool> = x.iter().map(|p| p.x > 0.0).collect();
        let pattern = NodeMatrixPattern::new(&free, &families);
        let mut blocks = vec![Mat3::zeros(); 16 * tets.len()];
        families[0].hessian_blocks(&x, false, &mut blocks);
        let mut random = Random::new(5);
        let turns: Vec<Mat3> = x.iter().map(|_| nalgebra::Rotation3::new(random.vector(-0.6, 0.6)).into_inner()).collect();
        for (tet, blocks) in tets.iter().zip(blocks.chunks_exact_mut(16)) {
            (0..16).for_each(|k| blocks[k] *= turns[tet[k % 4] as usize]);
        }
        let load: Vec<Vec3> = x.iter().map(|_| random.vector(-1.0, 1.0)).collect();
        let solve = |threads: usize| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
                let mut factor = UnsymmetricFactor::new(&pattern);
                factor.factorize(&pattern, std::slice::from_ref(&blocks), &[]).unwrap();
                let mut found = load.clone();
                factor.solve(&pattern, &mut found).unwrap();
                (found, factor.factor.subtrees.len())
            })
        };
        // Besides the numbers of the factor there are fronts that wait.
        let factor = UnsymmetricFactor::new(&pattern);
        assert!(factor.bytes() > 8 * (factor.factor.entries() + factor.places.len()) as u64);
        let (found, subtrees) = solve(1);
        assert!(subtrees > 8, "{subtrees}");
        assert!([2, 3].into_iter().all(|threads| solve(threads).0 == found));
        let mut left = load.clone();
        for (tet, blocks) in tets.iter().zip(blocks.chunks_exact(16)) {
            (0..16).for_each(|k| left[tet[k / 4] as usize] -= blocks[k] * found[tet[k % 4] as usize]);
        }
        let left = left.iter().zip(&free).filter(|(_, free)| **free).map(|(left, _)| left.norm()).fold(0.0, f64::max);
        assert!(left < 1e-10, "{left:e}");
    }

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
        let mut factor = UnsymmetricFactor::new(&pattern);
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
