//! The global stage on the nodes. The least-norm forces s of elements with subspace maps B and weights W,
//!
//! ```text
//! min 1/2 s^T W s   with   B s + f = 0      (Hsu et al. 2022, eq. 7, weighed)
//! ```
//!
//! are s = W^-1 B^T y with (B W^-1 B^T + rho I) y = -f: for tetrahedra a linear elasticity solve on the given shape.
//! Iterated Tikhonov removes what rho leaves; where no balance exists, the residual stays on a plateau.

use super::interior_point;
use super::problem::{BalanceProblem, Forces};
use crate::linear::{CholeskyFactor, NodeMatrix, NodeMatrixPattern, NotPositive};
use crate::math::Mat3;
use crate::watch::{Cancelled, Watch};

/// How the global stage is solved.
#[derive(Debug, Clone, Copy)]
pub struct GlobalOptions {
    /// Regularisation rho over the median diagonal of the matrix.
    pub regularization: f64,
    /// Residual to reach, as a share of the largest load.
    pub tolerance: f64,
}

/// The global stage failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GlobalError {
    /// Somebody cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The matrix is not positive definite however much it is regularised: something in it is not finite.
    #[error(transparent)]
    Singular(#[from] NotPositive),
}

/// The assembled global matrix, scaled so that its median diagonal is 1.
pub struct GlobalMatrix {
    /// Element blocks, kept so that contact terms can be added on the diagonal.
    pub(super) blocks: Vec<Vec<Mat3>>,
    /// The matrix without regularisation or contact.
    pub(super) stiffness: NodeMatrix,
    /// Scale by which it was multiplied [m/N].
    pub(super) scale: f64,
    /// 1 - P on each sliding node, zero on the others: it keeps the matrix definite in directions that planes hold.
    pub(super) held: Vec<Mat3>,
}

impl GlobalMatrix {
    /// Assembles B W^-1 B^T of all families.
    pub fn assemble(problem: &BalanceProblem, pattern: &NodeMatrixPattern) -> Self {
        let blocks = problem.compliance_blocks();
        let mut stiffness = NodeMatrix::new(pattern);
        let mut held = vec![Mat3::zeros(); problem.positions.len()];
        stiffness.assemble(pattern, &blocks, 1.0, &held);
        let median = stiffness.median_diagonal(pattern);
        let scale = if median > 0.0 { 1.0 / median } else { 1.0 };
        for (node, projector) in problem.slides {
            held[*node as usize] = Mat3::identity() - projector;
        }
        stiffness.assemble(pattern, &blocks, scale, &held);
        Self { blocks, stiffness, scale, held }
    }
}

/// Solves for the forces; a problem without balance gives the forces that come nearest, and their residual says so.
///
/// # Errors
/// Cancelled, or a matrix with entries that are not finite.
pub fn solve(
    problem: &BalanceProblem,
    pattern: &NodeMatrixPattern,
    matrix: &GlobalMatrix,
    options: &GlobalOptions,
    watch: &dyn Watch,
) -> Result<Forces, GlobalError> {
    if problem.sites.is_empty() {
        iterated_tikhonov(problem, pattern, matrix, options, watch)
    } else {
        interior_point::solve(problem, pattern, matrix, options, watch)
    }
}

/// Solves problems that differ in loads, in friction and in which contacts there are.
pub struct GlobalSolver<'a> {
    pattern: &'a NodeMatrixPattern,
    matrix: &'a GlobalMatrix,
    options: GlobalOptions,
}

impl<'a> GlobalSolver<'a> {
    /// A solver for problems with this matrix.
    pub fn new(pattern: &'a NodeMatrixPattern, matrix: &'a GlobalMatrix, options: GlobalOptions) -> Self {
        Self { pattern, matrix, options }
    }

    /// As the function [`solve`].
    ///
    /// # Errors
    /// As of the function.
    pub fn solve(&mut self, problem: &BalanceProblem, watch: &dyn Watch) -> Result<Forces, GlobalError> {
        solve(problem, self.pattern, self.matrix, &self.options, watch)
    }
}

/// Back-substitutions at most.
const REFINEMENTS: usize = 6;

fn iterated_tikhonov(
    problem: &BalanceProblem,
    pattern: &NodeMatrixPattern,
    matrix: &GlobalMatrix,
    options: &GlobalOptions,
    watch: &dyn Watch,
) -> Result<Forces, GlobalError> {
    let mut factor = CholeskyFactor::new(pattern);
    let factorisations = factorize_regularised(pattern, matrix, options.regularization, &mut factor)?;
    watch.progress("global stage", 0.8);
    let mut best = problem.without_stress(Vec::new());
    let mut iterations = 0;
    while iterations < REFINEMENTS {
        watch.check()?;
        iterations += 1;
        // The elements' forces for a dual displacement y are -K y: they pull back.
        let mut dual = best.net.clone();
        factor.solve(pattern, &mut dual);
        dual.iter_mut().for_each(|y| *y *= -matrix.scale);
        let mut forces = best.clone();
        problem.add_dual(&mut forces, &dual);
        let improved = forces.residual < 0.5 * best.residual;
        if forces.residual < best.residual {
            best = forces;
        }
        if !improved || best.residual < 1e-4 * options.tolerance {
            break;
        }
    }
    Ok(Forces { iterations, factorisations, ..best })
}

/// Factorises K + rho I, with rho raised until it is positive definite (an unsupported body leaves K singular).
fn factorize_regularised(
    pattern: &NodeMatrixPattern,
    matrix: &GlobalMatrix,
    regularization: f64,
    factor: &mut CholeskyFactor,
) -> Result<usize, NotPositive> {
    let mut rho = regularization;
    let mut factorisations = 0;
    loop {
        let mut regularised = matrix.stiffness.clone();
        regularised.shift(pattern, rho);
        factorisations += 1;
        match factor.factorize(pattern, &regularised) {
            Ok(()) => return Ok(factorisations),
            Err(failure) if rho >= 1e-3 => return Err(failure),
            Err(_) => rho = (rho * 100.0).max(1e-13),
        }
    }
}
