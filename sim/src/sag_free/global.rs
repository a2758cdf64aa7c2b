//! The global stage on the nodes. The least-norm forces s of elements with subspace maps B and weights W,
//!
//! ```text
//! min 1/2 s^T W s   with   B s + f = 0      (Hsu et al. 2022, eq. 7, weighed)
//! ```
//!
//! are s = W^-1 B^T y with (B W^-1 B^T + rho I) y = -f: for tetrahedra a linear elasticity solve on the given shape.
//! Iterated Tikhonov removes what rho leaves; where no balance exists, the residual stays on a plateau.

use super::contact_forces;
use super::leftover::{Leftover, Whole};
use super::newton::{self, LARGEST_RHO, Newton, raised};
use super::problem::{BalanceProblem, ContactSite, Forces};
use crate::linear::{CholeskyFactor, NodeMatrix, NodeMatrixPattern, NotPositive};
use crate::math::{Mat3, Vec3};
use crate::memory::TooLarge;
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
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GlobalError {
    /// Somebody cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Memory for the factorisation cannot be had.
    #[error(transparent)]
    Memory(#[from] TooLarge),
    /// The matrix is not positive definite however much it is regularised: something in it is not finite.
    #[error(transparent)]
    Singular(#[from] NotPositive),
}

/// The assembled global matrix, scaled so that its median diagonal is 1.
pub struct GlobalMatrix {
    /// The matrix without regularisation or contact; definite in directions that planes hold.
    pub(super) stiffness: NodeMatrix,
    /// Scale by which it was multiplied [m/N].
    pub(super) scale: f64,
}

impl GlobalMatrix {
    /// Whether another matrix in the same pattern has the same numbers, to the bit.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.scale.to_bits() == other.scale.to_bits() && self.stiffness.is_same(&other.stiffness)
    }

    /// Assembles B W^-1 B^T of all families.
    pub fn assemble(problem: &BalanceProblem, pattern: &NodeMatrixPattern) -> Self {
        let mut stiffness = NodeMatrix::new(pattern);
        stiffness.assemble(pattern, &problem.elastic_blocks(), 1.0, &vec![Mat3::zeros(); problem.positions.len()]);
        let median = stiffness.median_diagonal(pattern);
        let cables = problem.cables.iter().map(|cable| cable.element.stiffness).fold(0.0, f64::max);
        let scale = if median > 0.0 {
            1.0 / median
        } else if cables > 0.0 {
            1.0 / cables
        } else {
            1.0
        };
        stiffness.scale(scale);
        for (node, projector) in problem.slides {
            stiffness.add_to_node(pattern, *node, &(Mat3::identity() - projector));
        }
        Self { stiffness, scale }
    }
}

/// Stencils of contacts, and the linear algebra for them.
type Known<'a> = (Vec<Vec<u32>>, Box<dyn Newton + 'a>);

/// Solves problems that differ in loads, in friction and in which contacts there are, and does what they share once.
pub struct GlobalSolver<'a> {
    pattern: &'a NodeMatrixPattern,
    matrix: &'a GlobalMatrix,
    options: GlobalOptions,
    /// For contacts between the nodes of these stencils, ascending.
    newton: Option<Known<'a>>,
    /// What solvers before it left.
    left: Leftover,
}

impl<'a> GlobalSolver<'a> {
    /// A solver for problems with this matrix.
    pub fn new(pattern: &'a NodeMatrixPattern, matrix: &'a GlobalMatrix, options: GlobalOptions) -> Self {
        Self { pattern, matrix, options, newton: None, left: Leftover::default() }
    }

    /// The solver with what another one left, of the same pattern: it saves what would be made anew.
    pub(super) fn with(self, left: Leftover) -> Self {
        Self { left, ..self }
    }

    /// What the next solver can use.
    pub(super) fn leave(self) -> Leftover {
        let newton = self.newton.map(|(stencils, newton)| (stencils, newton.leave()));
        Leftover { newton: newton.or(self.left.newton), ..self.left }
    }

    /// Solves for the forces; a problem without balance gives the forces that come nearest, and their residual says so.
    ///
    /// # Errors
    /// Cancelled, a matrix with entries that are not finite, or no room for its factor.
    pub fn solve(&mut self, problem: &BalanceProblem, watch: &dyn Watch) -> Result<Forces, GlobalError> {
        let found = self.attempt(problem, watch)?;
        if self.is_balanced(&found) { Ok(found) } else { self.least_motion(problem, found, watch) }
    }

    /// The forces if there is a balance; otherwise just any in the cones, of which the residual is too large.
    ///
    /// # Errors
    /// As of [`GlobalSolver::solve`].
    pub fn attempt(&mut self, problem: &BalanceProblem, watch: &dyn Watch) -> Result<Forces, GlobalError> {
        let (scale, tolerance) = (self.matrix.scale, self.options.tolerance);
        match self.newton(problem)? {
            Some(newton) => contact_forces::solve(problem, newton, scale, tolerance, watch),
            None => {
                let whole = self.left.whole.get_or_insert_with(|| Whole::new(self.pattern));
                iterated_tikhonov(problem, self.pattern, self.matrix, &self.options, whole, watch)
            }
        }
    }

    /// Of a problem without balance, for which [`GlobalSolver::attempt`] gave `found`: the forces that come nearest.
    ///
    /// # Errors
    /// As of [`GlobalSolver::solve`].
    pub fn least_motion(&mut self, problem: &BalanceProblem, found: Forces, watch: &dyn Watch) -> Result<Forces, GlobalError> {
        let (scale, tolerance) = (self.matrix.scale, self.options.tolerance);
        let Some(newton) = self.newton(problem)? else { return Ok(found) };
        let nearest = contact_forces::least_motion(problem, newton, scale, tolerance, watch)?;
        // Where a balance was missed by little, it is the better answer.
        Ok(if found.residual < 0.5 * nearest.residual { found } else { nearest })
    }

    /// Whether the forces are in balance up to the tolerance.
    pub fn is_balanced(&self, forces: &Forces) -> bool {
        forces.residual <= self.options.tolerance
    }

    /// What solves for the contacts of `problem`; `None` if there is none on a node that can move.
    fn newton(&mut self, problem: &BalanceProblem) -> Result<Option<&mut (dyn Newton + 'a)>, GlobalError> {
        let acts = |site: &ContactSite| site.nodes().any(|node| self.pattern.has_row(node));
        if !problem.sites.iter().any(acts) && problem.cables.is_empty() {
            return Ok(None);
        }
        let cables = problem.cables.iter().map(|cable| cable.element.forces.iter().map(|(node, _)| *node).collect());
        let mut stencils: Vec<Vec<u32>> = problem.sites.iter().map(|site| site.nodes().collect()).chain(cables).collect();
        stencils.sort_unstable();
        stencils.dedup();
        let known = |(known, _): &(Vec<Vec<u32>>, _)| stencils.iter().all(|nodes| known.binary_search(nodes).is_ok());
        let (_, newton) = match self.newton.take().filter(known) {
            Some(newton) => self.newton.insert(newton),
            None => {
                // Of the very stencils: in a larger space, rounding would differ.
                let left = self.left.newton.take().filter(|(of, _)| *of == stencils);
                let rho = self.options.regularization;
                let newton = match left {
                    Some((_, left)) => newton::again(self.pattern, self.matrix, rho, left)?,
                    None => newton::newton(self.pattern, self.matrix, rho, &stencils)?,
                };
                self.newton.insert((stencils, newton))
            }
        };
        Ok(Some(newton.as_mut()))
    }
}

/// Back-substitutions at most.
const REFINEMENTS: usize = 6;

fn iterated_tikhonov(
    problem: &BalanceProblem,
    pattern: &NodeMatrixPattern,
    matrix: &GlobalMatrix,
    options: &GlobalOptions,
    Whole { factor, factorisations: known }: &mut Whole,
    watch: &dyn Watch,
) -> Result<Forces, GlobalError> {
    let factorisations = match *known {
        Some(factorisations) => factorisations,
        None => *known.insert(factorize_regularised(pattern, matrix, options.regularization, factor)?),
    };
    watch.progress("global stage", 0.8);
    let mut best = problem.without_stress(vec![Vec3::zeros(); problem.sites.len()]);
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
            Err(failure) if rho >= LARGEST_RHO => return Err(failure),
            Err(_) => rho = raised(rho),
        }
    }
}
