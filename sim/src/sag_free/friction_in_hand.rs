//! Friction left in hand: a contact exactly on its cone has no tangential stiffness left, so that a kick leaves a slip that
//! stays. The solved forces therefore use no more than a share of each friction coefficient, and more only where they must.

use super::global::{GlobalError, GlobalSolver};
use super::problem::{BalanceProblem, ContactSite, Forces};
use crate::watch::Watch;

/// Halvings of what lies between the usual share and the whole.
const HALVINGS: usize = 6;

/// Solves `problem` with the share `usual` of its friction coefficients; if there is no balance with that, with the least
/// share (to 1/64 of what is left) with which there is one; and if there is none at all, for the least motion with all of
/// the friction. Gives the share that was used as well.
///
/// # Errors
/// As for [`GlobalSolver::solve`].
pub fn solve_with_friction_in_hand(
    solver: &mut GlobalSolver,
    problem: &BalanceProblem,
    usual: f64,
    watch: &dyn Watch,
) -> Result<(Forces, f64), GlobalError> {
    let (mut iterations, mut factorisations) = (0, 0);
    let mut attempt = |share: f64| {
        let scaled = |site: &ContactSite| ContactSite { friction: share * site.friction, ..site.clone() };
        let sites: Vec<ContactSite> = problem.sites.iter().map(scaled).collect();
        let found = solver.attempt(&BalanceProblem { sites: &sites, ..*problem }, watch)?;
        iterations += found.iterations;
        factorisations += found.factorisations;
        Ok::<_, GlobalError>((solver.is_balanced(&found), found))
    };
    let (balanced, mut best) = attempt(usual)?;
    let mut share = usual;
    let slips = problem.sites.iter().any(|site| site.friction > 0.0) && usual < 1.0;
    let mut hopeless = !balanced;
    if hopeless && slips {
        let (balanced, all) = attempt(1.0)?;
        (best, share, hopeless) = (all, 1.0, !balanced);
        let (mut too_little, halvings) = (usual, if hopeless { 0 } else { HALVINGS });
        for _ in 0..halvings {
            let middle = 0.5 * (too_little + share);
            match attempt(middle)? {
                (true, found) => (best, share) = (found, middle),
                (false, _) => too_little = middle,
            }
        }
    }
    if hopeless {
        best = solver.least_motion(problem, best, watch)?;
        (iterations, factorisations, share) = (iterations + best.iterations, factorisations + best.factorisations, 1.0);
    }
    Ok((Forces { iterations, factorisations, ..best }, share))
}
