//! [`Equilibrium`]: the forces of the rest state, as many as there are: with friction in hand where that is enough, with all
//! contacts where some are not, and each group of bodies by itself where one has no balance.

use super::friction_in_hand::solve_with_friction_in_hand;
use super::global::{GlobalError, GlobalSolver};
use super::parts::Parts;
use super::problem::{BalanceProblem, ContactSite, Forces};
use super::tension::Tension;
use crate::math::Vec3;
use crate::watch::Watch;

/// The forces found, and what they use.
#[derive(Clone)]
pub struct Equilibrium {
    /// The contacts that take part.
    pub sites: Vec<ContactSite>,
    /// Forces of elements and of each contact.
    pub forces: Forces,
    /// Share of each friction coefficient that the forces were allowed to use.
    pub friction_used: f64,
}

/// How to look for it.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// Share of each friction coefficient to begin with.
    pub friction_fraction: f64,
    /// Largest residual that counts as balance.
    pub tolerance: f64,
    /// The forces are to be nearest to this.
    pub tension: &'a Tension,
}

impl Search<'_> {
    /// Forces for `problem`, whose contacts are those to begin with; `in_reserve` are taken in where these do not do.
    ///
    /// # Errors
    /// As of [`GlobalSolver::solve`].
    pub fn run(
        &self,
        problem: &BalanceProblem,
        in_reserve: &[ContactSite],
        solver: &mut GlobalSolver,
        watch: &dyn Watch,
    ) -> Result<Equilibrium, GlobalError> {
        let first = self.with_sites(problem, problem.sites.to_vec(), solver, watch)?;
        if first.forces.residual <= self.tolerance || in_reserve.is_empty() {
            return self.each_by_itself(problem, first, solver, watch);
        }
        let more = problem.sites.iter().chain(in_reserve).cloned().collect();
        let second = self.with_sites(problem, more, solver, watch)?;
        let better = if second.forces.residual < 0.5 * first.forces.residual { second } else { first };
        self.each_by_itself(problem, better, solver, watch)
    }

    fn with_sites(
        &self,
        problem: &BalanceProblem,
        sites: Vec<ContactSite>,
        solver: &mut GlobalSolver,
        watch: &dyn Watch,
    ) -> Result<Equilibrium, GlobalError> {
        let whole = BalanceProblem { sites: &sites, ..*problem };
        // A group that nothing holds has no solution; left in, it would keep the others from theirs.
        let parts = Parts::of(&whole);
        let loads = parts.loads_where(problem.loads, |group| parts.is_held(group));
        let shifted = self.tension.added_to(&loads, problem.families, problem.positions);
        let shifted = BalanceProblem { loads: &shifted, ..whole };
        let (mut forces, friction_used) = solve_with_friction_in_hand(solver, &shifted, self.friction_fraction, watch)?;
        self.tension.shift(&BalanceProblem { loads: &loads, ..whole }, &mut forces);
        Ok(Equilibrium { sites, forces, friction_used })
    }

    /// Where one group has no balance, the joint solution may go astray everywhere: then those in need are solved for alone.
    fn each_by_itself(
        &self,
        problem: &BalanceProblem,
        found: Equilibrium,
        solver: &mut GlobalSolver,
        watch: &dyn Watch,
    ) -> Result<Equilibrium, GlobalError> {
        let Equilibrium { sites, forces: mut joint, friction_used } = found;
        let whole = BalanceProblem { sites: &sites, ..*problem };
        let parts = Parts::of(&whole);
        let held = parts.loads_where(problem.loads, |group| parts.is_held(group));
        // Measured was what is left of the loads on what is held.
        if held != problem.loads {
            whole.measure(&mut joint);
        }
        let limit = self.tolerance * problem.largest_load();
        let mut failed = parts.out_of_balance(&joint, limit);
        failed.retain(|&group| parts.is_held(group));
        let others = |group: u32| failed.binary_search(&group).is_err();
        let is_held = |node: usize| problem.free[node] && parts.is_held(parts.group_of(node));
        let any_other = (0..problem.positions.len()).any(|node| is_held(node) && others(parts.group_of(node)));
        if failed.is_empty() || (failed.len() == 1 && !any_other) {
            return Ok(Equilibrium { sites, forces: joint, friction_used });
        }
        let shifted = self.tension.added_to(&held, problem.families, problem.positions);
        let mut sum = whole.without_stress(vec![Vec3::zeros(); sites.len()]);
        // Of those that are in balance; what has none uses all there is.
        let mut share: Option<f64> = None;
        (sum.iterations, sum.factorisations) = (joint.iterations, joint.factorisations);
        let mut add = |keep: &dyn Fn(u32) -> bool| -> Result<(), GlobalError> {
            let chosen = parts.sites_where(&whole, keep);
            let theirs: Vec<ContactSite> = chosen.iter().map(|&index| sites[index].clone()).collect();
            let loads = parts.loads_where(&shifted, keep);
            let alone = BalanceProblem { loads: &loads, sites: &theirs, ..*problem };
            let (forces, used) = solve_with_friction_in_hand(solver, &alone, self.friction_fraction, watch)?;
            if forces.residual <= self.tolerance {
                share = Some(share.map_or(used, |share| share.max(used)));
            }
            sum.add(&forces, &chosen);
            Ok(())
        };
        // Tension is to be balanced also in what nothing holds.
        if (0..shifted.len()).any(|node| problem.free[node] && shifted[node] != Vec3::zeros() && others(parts.group_of(node))) {
            add(&others)?;
        }
        for &group in &failed {
            add(&|other| other == group)?;
        }
        self.tension.shift(&whole, &mut sum);
        Ok(Equilibrium { sites, forces: sum, friction_used: share.unwrap_or(friction_used) })
    }
}
