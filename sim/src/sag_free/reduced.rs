//! [`ReducedNewton`]: the interior point over the nodes of the contacts alone. All others are eliminated once; what remains
//! is the dense Schur complement S, which depends neither on friction nor on loads.

use faer::{Mat, MatMut};

use super::cone::Scaling;
use super::global::GlobalMatrix;
use super::interior_point::Quadratic;
use super::newton::{LARGEST_RHO, Left, Newton, raised};
use super::row::Row;
use crate::linear::{DenseFactor, NodeMatrixPattern, NotPositive, SchurFactor};
use crate::math::Vec3;

/// Dense matrices of the kept nodes that are there at the same time.
const DENSE: usize = 3;

/// What an elimination would cost.
pub(super) struct Plan {
    order: NodeMatrixPattern,
    kept: Vec<u32>,
}

/// The nodes of contacts between those of `stencils` that can move.
pub(super) fn kept_nodes(pattern: &NodeMatrixPattern, stencils: &[Vec<u32>]) -> Vec<u32> {
    let mut kept: Vec<u32> = stencils.iter().flatten().copied().filter(|&node| pattern.has_row(node)).collect();
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// Floating point operations of the complement of `kept` nodes and of as many dense factorisations.
pub(super) fn dense_operations(kept: usize, factorisations: usize) -> f64 {
    (1 + factorisations) as f64 * (3.0 * kept as f64).powi(3) / 3.0
}

impl Plan {
    /// The elimination of all nodes but `kept`.
    pub fn new(pattern: &NodeMatrixPattern, kept: Vec<u32>) -> Self {
        Self { order: SchurFactor::order(pattern, &kept), kept }
    }

    /// Unknowns of the nodes that are kept.
    fn unknowns(&self) -> usize {
        3 * self.kept.len()
    }

    /// Whether there is room for the elimination, for the complement and for its factor.
    pub fn fits(&self) -> bool {
        let dense = (DENSE * size_of::<f64>() * self.unknowns().pow(2)) as u64;
        self.order.ensure_room("the elimination of all but contacts", self.order.factor_bytes() + dense, None).is_ok()
    }

    /// Floating point operations of the elimination and of as many dense factorisations.
    pub fn operations(&self, factorisations: usize) -> f64 {
        self.order.factor_operations() + dense_operations(self.kept.len(), factorisations)
    }

    /// Memory for the elimination, and for factors of what is kept.
    pub fn memory(self) -> (SchurFactor, DenseFactor) {
        let kept = self.kept.len();
        (SchurFactor::new(self.order, kept), DenseFactor::new(kept))
    }
}

/// Product of a symmetric matrix: columns are read, where memory is in order.
pub(super) fn multiply_dense(matrix: &Mat<f64>, u: &[Vec3], product: &mut [Vec3]) {
    for (place, product) in product.iter_mut().enumerate() {
        let dot = |k: usize| {
            let column = matrix.col_as_slice(3 * place + k);
            column.chunks_exact(3).zip(u).map(|(s, u)| s[0] * u.x + s[1] * u.y + s[2] * u.z).sum()
        };
        *product = Vec3::new(dot(0), dot(1), dot(2));
    }
}

/// Over the nodes of the contacts: one sparse factorisation, then dense ones.
pub(super) struct ReducedNewton<'a> {
    base: (&'a NodeMatrixPattern, &'a GlobalMatrix),
    schur: SchurFactor,
    /// S, of the matrix with rho I.
    complement: Mat<f64>,
    factor: DenseFactor,
    /// Of the elimination, where no other is asked for.
    usual: f64,
    /// Added to the diagonal of the dense Newton matrices.
    rho: f64,
    factorisations: usize,
    eliminated: Option<Elimination>,
}

/// What S was made with.
#[derive(Clone, Copy)]
struct Elimination {
    /// The regularisation that was asked for.
    rho: f64,
    /// Factorisations that it took, as rho was raised where it had to be.
    factorisations: usize,
}

/// The elimination, with S where it is of the matrix at hand.
pub(super) struct ReducedLeft {
    schur: SchurFactor,
    complement: Mat<f64>,
    factor: DenseFactor,
    eliminated: Option<Elimination>,
}

impl ReducedLeft {
    /// The elimination without its numbers.
    pub fn outdated(self) -> Self {
        Self { eliminated: None, ..self }
    }

    /// Whether S is there.
    #[cfg(test)]
    pub fn is_made(&self) -> bool {
        self.eliminated.is_some()
    }

    /// Memory that it takes [bytes], about.
    pub fn bytes(&self) -> u64 {
        self.schur.bytes() + (DENSE * size_of::<f64>() * (3 * self.schur.len()).pow(2)) as u64
    }
}

impl<'a> ReducedNewton<'a> {
    /// Eliminates.
    ///
    /// # Errors
    /// The matrix is not finite.
    pub fn new(pattern: &'a NodeMatrixPattern, matrix: &'a GlobalMatrix, rho: f64, plan: Plan) -> Result<Self, NotPositive> {
        let (schur, factor) = plan.memory();
        Self::again(pattern, matrix, rho, ReducedLeft { schur, complement: Mat::new(), factor, eliminated: None })
    }

    /// Eliminates, unless S is there. It counts as many factorisations as S takes all the same: what is told of a solution does not depend on
    /// what was solved before.
    ///
    /// # Errors
    /// The matrix is not finite.
    pub fn again(pattern: &'a NodeMatrixPattern, matrix: &'a GlobalMatrix, rho: f64, left: ReducedLeft) -> Result<Self, NotPositive> {
        let ReducedLeft { schur, complement, factor, eliminated } = left;
        let mut newton = Self { base: (pattern, matrix), schur, complement, factor, usual: rho, rho, factorisations: 0, eliminated };
        match eliminated.filter(|eliminated| eliminated.rho == rho) {
            Some(eliminated) => newton.factorisations = eliminated.factorisations,
            None => newton.eliminate(rho)?,
        }
        Ok(newton)
    }

    fn eliminate(&mut self, asked: f64) -> Result<(), NotPositive> {
        let (mut rho, before) = (asked, self.factorisations);
        self.eliminated = None;
        loop {
            self.factorisations += 1;
            match self.schur.factorize(self.base.0, &self.base.1.stiffness, rho) {
                Ok(complement) => {
                    self.complement = complement;
                    self.eliminated = Some(Elimination { rho: asked, factorisations: self.factorisations - before });
                    return Ok(());
                }
                Err(failure) if rho >= LARGEST_RHO => return Err(failure),
                Err(_) => rho = raised(rho),
            }
        }
    }
}

impl Quadratic<Row> for ReducedNewton<'_> {
    fn multiply(&self, u: &[Vec3], product: &mut [Vec3]) {
        multiply_dense(&self.complement, u, product);
    }

    fn factorize(&mut self, rows: &[Row], scalings: &[Scaling]) -> Result<(), NotPositive> {
        loop {
            let rho = self.rho;
            let add = |mut matrix: MatMut<f64>| {
                (0..matrix.nrows()).for_each(|i| matrix[(i, i)] += rho);
                for (row, scaling) in rows.iter().zip(scalings) {
                    add_blocks(row, scaling, &mut matrix);
                }
            };
            match self.factor.factorize(&self.complement, add) {
                Ok(()) => return Ok(()),
                Err(failure) if self.rho >= LARGEST_RHO => return Err(NotPositive { node: self.schur.node(failure.node) }),
                Err(_) => self.rho = raised(self.rho),
            }
        }
    }

    fn solve(&mut self, right_side: &mut [Vec3]) {
        self.factor.solve(right_side);
    }
}

impl Newton for ReducedNewton<'_> {
    fn place(&self, node: u32) -> Option<u32> {
        self.schur.place(node)
    }

    fn reduce(&mut self, nodes: &mut [Vec3]) -> Vec<Vec3> {
        self.schur.reduce(nodes)
    }

    fn extend(&mut self, space: &[Vec3], nodes: &mut [Vec3]) {
        self.schur.extend(space, nodes);
    }

    fn regularize(&mut self, rho: f64) -> Result<(), NotPositive> {
        self.eliminate(rho.max(self.usual))
    }

    fn take_factorisations(&mut self) -> usize {
        std::mem::take(&mut self.factorisations)
    }

    fn leave(self: Box<Self>) -> Left {
        let Self { schur, complement, factor, eliminated, .. } = *self;
        Left::Reduced(Box::new(ReducedLeft { schur, complement, factor, eliminated }))
    }
}

/// G^T W^-2 G of one contact, in the lower triangle.
fn add_blocks(row: &Row, scaling: &Scaling, matrix: &mut MatMut<f64>) {
    let scaled = row.scaled(scaling);
    for (&at, of_row) in row.nodes.iter().zip(&scaled) {
        for (&other, of_column) in row.nodes.iter().zip(&scaled).filter(|(node, _)| **node <= at) {
            let block = of_row.tr_mul(of_column);
            for c in 0..3 {
                for r in 0..3 {
                    matrix[(3 * at as usize + r, 3 * other as usize + c)] += block[(r, c)];
                }
            }
        }
    }
}
