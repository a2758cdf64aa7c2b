//! [`Newton`]: the linear algebra of the interior point, over all nodes or over those of the contacts alone.

use super::cone::Scaling;
use super::global::{GlobalError, GlobalMatrix};
use super::interior_point::Quadratic;
use super::reduced::{Plan, ReducedLeft, ReducedNewton, dense_operations, kept_nodes};
use super::row::Row;
use crate::linear::{CholeskyFactor, NodeMatrix, NodeMatrixPattern, NotPositive, StencilPlaces};
use crate::math::{Mat3, Vec3};

/// Factorisations that a contact problem takes, about.
pub(super) const FACTORISATIONS: usize = 12;

/// Stiffness of the nodes: a [`Quadratic`] over those that can move, or over some of them, the others eliminated.
pub(super) trait Newton: Quadratic<Row> {
    /// Place of a node in the space; `None` if it cannot move or was eliminated.
    fn place(&self, node: u32) -> Option<u32>;
    /// Forces on all nodes as forces in the space; what [`Newton::extend`] needs of them stays in `nodes`.
    fn reduce(&mut self, nodes: &mut [Vec3]) -> Vec<Vec3>;
    /// Displacements in the space as those of all nodes; `nodes` as [`Newton::reduce`] left them.
    fn extend(&mut self, space: &[Vec3], nodes: &mut [Vec3]);
    /// From now on K stands for K + rho I in products as well; with 0 it no longer does.
    ///
    /// # Errors
    /// The matrix is not finite.
    fn regularize(&mut self, rho: f64) -> Result<(), NotPositive>;
    /// Sparse numerical factorisations since this was last asked, the elimination that made the space included.
    fn take_factorisations(&mut self) -> usize;
    /// What of it can be used [`again`].
    fn leave(self: Box<Self>) -> Left;
}

/// What is left of the algebra for contacts between the nodes of some stencils, once the problems at hand are solved.
pub(super) enum Left {
    Sparse(Box<SparseLeft>),
    Reduced(Box<ReducedLeft>),
}

impl Left {
    /// Another matrix takes the place of the one that it was made of: orders and memory serve on, numbers do not.
    pub fn outdated(self) -> Self {
        match self {
            Self::Sparse(left) => Self::Sparse(left),
            Self::Reduced(left) => Self::Reduced(Box::new(left.outdated())),
        }
    }

    /// Memory that it takes [bytes], about.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Sparse(left) => left.bytes,
            Self::Reduced(left) => left.bytes(),
        }
    }
}

/// What [`newton`] would make for the stencils and the pattern that `left` was made for, to the bit.
///
/// # Errors
/// The matrix is not finite.
pub(super) fn again<'a>(
    pattern: &'a NodeMatrixPattern,
    matrix: &'a GlobalMatrix,
    rho: f64,
    left: Left,
) -> Result<Box<dyn Newton + 'a>, NotPositive> {
    Ok(match left {
        Left::Sparse(left) => Box::new(SparseNewton::again(pattern, matrix, rho, *left)),
        Left::Reduced(left) => Box::new(ReducedNewton::again(pattern, matrix, rho, *left)?),
    })
}

/// The cheaper of both spaces for contacts between the nodes of `stencils`, by the operations of the factorisations; that of all nodes
/// where there is no room for the other.
///
/// # Errors
/// The matrix is not finite, or there is no room for its factor.
pub(super) fn newton<'a>(
    pattern: &'a NodeMatrixPattern,
    matrix: &'a GlobalMatrix,
    rho: f64,
    stencils: &[Vec<u32>],
) -> Result<Box<dyn Newton + 'a>, GlobalError> {
    let kept = kept_nodes(pattern, stencils);
    let sparse = |pattern: &NodeMatrixPattern| FACTORISATIONS as f64 * pattern.factor_operations();
    let mut plan = None;
    // What a plan costs is known before it is made to be more than its dense factorisations.
    let is_cheaper_than = |limit: f64, plan: &mut Option<Plan>| {
        dense_operations(kept.len(), FACTORISATIONS) < limit && {
            let plan = plan.get_or_insert_with(|| Plan::new(pattern, kept.clone()));
            plan.operations(FACTORISATIONS) < limit && plan.fits()
        }
    };
    // Couplings only add to what the pattern costs without them.
    let mut reduces = is_cheaper_than(sparse(pattern), &mut plan);
    let coupled = if reduces { None } else { pattern.coupled(stencils, FACTORISATIONS) };
    reduces = reduces || is_cheaper_than(sparse(coupled.as_ref().unwrap_or(pattern)), &mut plan);
    if let Some(plan) = plan.filter(|_| reduces) {
        return Ok(Box::new(ReducedNewton::new(pattern, matrix, rho, plan)?));
    }
    let used = coupled.as_ref().unwrap_or(pattern);
    used.ensure_room("the factorisation with contacts", used.factor_bytes(), None)?;
    Ok(Box::new(SparseNewton::new(pattern, matrix, rho, coupled)))
}

/// Over all nodes: each factorisation is sparse.
pub(super) struct SparseNewton<'a> {
    base: (&'a NodeMatrixPattern, &'a NodeMatrix),
    /// Where contacts couple nodes that no element does: the pattern that holds these blocks too, and K in it.
    coupled: Option<(NodeMatrixPattern, NodeMatrix)>,
    matrix: NodeMatrix,
    factor: CholeskyFactor,
    /// The nodes of each row, and where their blocks are.
    stencils: Vec<Vec<u32>>,
    places: StencilPlaces,
    /// Added to the diagonal of Newton matrices.
    rho: f64,
    /// Added to that of K.
    shift: f64,
    factorisations: usize,
    bytes: u64,
}

/// The pattern with the couplings of contacts, and memory for matrix and factor: no number outlives a problem.
pub(super) struct SparseLeft {
    coupled: Option<NodeMatrixPattern>,
    matrix: NodeMatrix,
    factor: CholeskyFactor,
    bytes: u64,
}

impl<'a> SparseNewton<'a> {
    /// For contacts that `coupled` holds, where the matrix' own pattern lacks a block of theirs.
    pub fn new(pattern: &'a NodeMatrixPattern, matrix: &'a GlobalMatrix, rho: f64, coupled: Option<NodeMatrixPattern>) -> Self {
        let used = coupled.as_ref().unwrap_or(pattern);
        let (bytes, memory, factor) = (used.factor_bytes(), NodeMatrix::new(used), CholeskyFactor::new(used));
        Self::again(pattern, matrix, rho, SparseLeft { coupled, matrix: memory, factor, bytes })
    }

    fn again(pattern: &'a NodeMatrixPattern, matrix: &'a GlobalMatrix, rho: f64, left: SparseLeft) -> Self {
        let SparseLeft { coupled, matrix: memory, factor, bytes } = left;
        let coupled = coupled.map(|coupled| {
            let stiffness = matrix.stiffness.in_pattern(pattern, &coupled);
            (coupled, stiffness)
        });
        Self {
            base: (pattern, &matrix.stiffness),
            matrix: memory,
            factor,
            stencils: Vec::new(),
            places: StencilPlaces::default(),
            rho,
            shift: 0.0,
            factorisations: 0,
            coupled,
            bytes,
        }
    }

    fn space(&self) -> (&NodeMatrixPattern, &NodeMatrix) {
        self.coupled.as_ref().map_or(self.base, |(pattern, stiffness)| (pattern, stiffness))
    }
}

impl Quadratic<Row> for SparseNewton<'_> {
    fn multiply(&self, u: &[Vec3], product: &mut [Vec3]) {
        let (pattern, stiffness) = self.space();
        stiffness.multiply(pattern, u, product);
        product.iter_mut().zip(u).for_each(|(product, u)| *product += self.shift * u);
    }

    fn factorize(&mut self, rows: &[Row], scalings: &[Scaling]) -> Result<(), NotPositive> {
        let (pattern, stiffness) = self.coupled.as_ref().map_or(self.base, |(pattern, stiffness)| (pattern, stiffness));
        let stencils: Vec<Vec<u32>> = rows.iter().map(|row| row.nodes.clone()).collect();
        let scaled: Vec<Vec<Mat3>> = rows.iter().zip(scalings).map(|(row, scaling)| row.scaled(scaling)).collect();
        if self.stencils != stencils {
            let found = self.places.find(pattern, &stencils);
            debug_assert!(found, "the pattern holds every coupling of contacts");
            self.stencils = stencils;
        }
        loop {
            self.matrix.copy_from(stiffness);
            self.matrix.shift(pattern, self.rho.max(self.shift));
            self.places.add(pattern, &self.stencils, |s, i, j| scaled[s][i].tr_mul(&scaled[s][j]), &mut self.matrix);
            self.factorisations += 1;
            match self.factor.factorize(pattern, &self.matrix) {
                Ok(()) => return Ok(()),
                Err(failure) if self.rho >= LARGEST_RHO => return Err(failure),
                Err(_) => self.rho = raised(self.rho),
            }
        }
    }

    fn solve(&mut self, right_side: &mut [Vec3]) {
        let pattern = self.coupled.as_ref().map_or(self.base.0, |(pattern, _)| pattern);
        self.factor.solve(pattern, right_side);
    }
}

impl Newton for SparseNewton<'_> {
    fn place(&self, node: u32) -> Option<u32> {
        self.base.0.has_row(node).then_some(node)
    }

    fn reduce(&mut self, nodes: &mut [Vec3]) -> Vec<Vec3> {
        nodes.to_vec()
    }

    fn extend(&mut self, space: &[Vec3], nodes: &mut [Vec3]) {
        nodes.copy_from_slice(space);
    }

    fn regularize(&mut self, rho: f64) -> Result<(), NotPositive> {
        self.shift = rho;
        Ok(())
    }

    fn take_factorisations(&mut self) -> usize {
        std::mem::take(&mut self.factorisations)
    }

    fn leave(self: Box<Self>) -> Left {
        let Self { coupled, matrix, factor, bytes, .. } = *self;
        Left::Sparse(Box::new(SparseLeft { coupled: coupled.map(|(pattern, _)| pattern), matrix, factor, bytes }))
    }
}

/// With this much regularisation a matrix is positive definite unless it is not finite.
pub(super) const LARGEST_RHO: f64 = 1e-3;

/// The regularisation to try after `rho` was too little.
pub(super) fn raised(rho: f64) -> f64 {
    (rho * 100.0).max(1e-13)
}
