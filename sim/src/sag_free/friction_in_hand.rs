//! Friction left in hand: a contact exactly on its cone has no tangential stiffness left, so that a kick leaves a slip that
//! stays. The solved forces therefore use no more than a share of each friction coefficient, and more only where they must.

use super::global::{GlobalError, GlobalSolver};
use super::parts::Parts;
use super::problem::{BalanceProblem, ContactSite, Forces};
use super::rigid::{Rigid, Verdict};
use crate::watch::Watch;

/// Steps from the usual share to the whole.
const STEPS: u32 = 64;
/// Steps beyond the least share that are tried where the forces are not found with it.
const MORE: [u32; 2] = [1, 2];

/// Solves `problem` with the share `usual` of its friction coefficients; if there is no balance with that, with the least
/// share (to 1/64 of what is left) with which rigid bodies would be held; and if these would not be held at all, for the least motion
/// with all of the friction. Gives the share that was used as well.
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
    let (mut balanced, mut best) = attempt(usual)?;
    let mut share = usual;
    let slips = problem.sites.iter().any(|site| site.friction > 0.0) && usual < 1.0;
    if !balanced && slips {
        let parts = Parts::of(problem);
        let least = least_step(&Rigid::new(problem, &parts), usual, watch)?;
        for step in least.into_iter().chain(MORE.iter().filter_map(|more| Some(least? + more))).filter(|&step| step < STEPS).chain([STEPS])
        {
            if balanced || least.is_none() {
                break;
            }
            share = usual + (1.0 - usual) * f64::from(step) / f64::from(STEPS);
            (balanced, best) = attempt(share)?;
        }
    }
    if !balanced {
        best = solver.least_motion(problem, best, watch)?;
        (iterations, factorisations, share) = (iterations + best.iterations, factorisations + best.factorisations, 1.0);
    }
    Ok((Forces { iterations, factorisations, ..best }, share))
}

/// The least step at which no group falls, found by halving; `None` if one falls with all of the friction.
fn least_step(rigid: &Rigid, usual: f64, watch: &dyn Watch) -> Result<Option<u32>, GlobalError> {
    let mut least = 0;
    for group in rigid.held_groups().into_iter().filter_map(|group| rigid.group(group)) {
        let falls = |step: u32| {
            let share = usual + (1.0 - usual) * f64::from(step) / f64::from(STEPS);
            Ok::<_, GlobalError>(!matches!(group.decide(|index| share * group.friction(index), watch)?, Verdict::Held))
        };
        if !falls(least)? {
            continue;
        }
        if matches!(group.decide(|index| group.friction(index), watch)?, Verdict::Falls(_)) {
            return Ok(None);
        }
        let (mut low, mut high) = (least, STEPS);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if falls(middle)? { low = middle } else { high = middle }
        }
        least = high;
    }
    Ok(Some(least))
}
