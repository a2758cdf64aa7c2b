//! [`GlobalStage`]: the global stage of a system, from its elements to forces, with all contacts or, where that does not do, without those of
//! bodies with themselves.

use std::sync::Arc;
use std::time::Instant;

use super::contacts::{self, Contacts};
use super::determinate;
use super::equilibrium::{Equilibrium, Search};
use super::global::{GlobalError, GlobalMatrix, GlobalOptions, GlobalSolver};
use super::leftover;
use super::problem::{BalanceProblem, Cable};
use super::tension::Tension;
use crate::element::Family;
use crate::linear::NodeMatrixPattern;
use crate::math::Vec3;
use crate::scene::InitialiseSettings;
use crate::system::System;
use crate::watch::Watch;

/// What is in balance, and with what.
pub struct GlobalStage<'a> {
    /// The system, for its settings; its elements may be others.
    pub system: &'a System,
    /// External force on each node [N].
    pub loads: &'a [Vec3],
    /// Nodes that must be in balance.
    pub free: &'a [bool],
    /// Pattern of the global matrix, where it is not that of the system.
    pub own_pattern: Option<Arc<NodeMatrixPattern>>,
    /// Where contact can make force.
    pub contacts: &'a Contacts,
    /// Strain of the tension that the forces are to be nearest to.
    pub strain: f64,
}

/// The forces that were found.
#[derive(Clone)]
pub struct Solved {
    /// They themselves, and the contacts that take part.
    pub equilibrium: Equilibrium,
    /// Contacts of bodies with themselves that were left out, because there was a balance only without them.
    pub self_contact_dropped: usize,
    /// Wall seconds of the assembly of the matrix, and of the rest.
    pub seconds: [f64; 2],
}

impl GlobalStage<'_> {
    /// What the forces are to be nearest to.
    pub fn wish(&self, families: &[Box<dyn Family>]) -> Tension {
        Tension::new(families, &self.system.positions, self.strain)
    }

    /// The forces of `families`, nearest to the tension by the weights that they have.
    ///
    /// # Errors
    /// As of [`GlobalSolver::solve`].
    pub fn solve(&self, families: &[Box<dyn Family>], watch: &dyn Watch) -> Result<Solved, GlobalError> {
        self.solve_near(families, &self.wish(families), watch)
    }

    /// The forces of `families`, nearest to these by the weights that they have.
    ///
    /// # Errors
    /// As of [`GlobalSolver::solve`].
    pub fn solve_near(&self, families: &[Box<dyn Family>], tension: &Tension, watch: &dyn Watch) -> Result<Solved, GlobalError> {
        let started = Instant::now();
        let InitialiseSettings { regularization, tolerance, friction_fraction, .. } = self.system.initialise;
        let positions = &self.system.positions;
        let cables = tension.cables(families, positions);
        let problem = self.problem(families, &cables);
        if let Some(forces) = determinate::forces(&problem, watch)? {
            let seconds = [0.0, started.elapsed().as_secs_f64()];
            let equilibrium = Equilibrium { sites: problem.sites.to_vec(), forces, friction_used: friction_fraction };
            return Ok(Solved { equilibrium, self_contact_dropped: 0, seconds });
        }
        let pattern = &self.pattern();
        self.system.ensure_room("the factorisation of the global stage", pattern, self.system.factorisation_bytes(pattern))?;
        let matrix = GlobalMatrix::assemble(&problem, pattern);
        let assembled = started.elapsed().as_secs_f64();
        watch.check()?;

        let started = Instant::now();
        // A tension's forces may be far larger than the loads, by which residuals are measured.
        let shifted = BalanceProblem { loads: &tension.added_to(self.loads, families, positions), ..problem }.largest_load();
        let options = GlobalOptions { regularization, tolerance: tolerance * (problem.largest_load() / shifted).min(1.0) };
        let slot = self.system.kept.as_ref().map(|kept| &kept.global_stage);
        let left = leftover::take(slot, pattern, &matrix, regularization);
        let mut solver = GlobalSolver::new(pattern, &matrix, options).with(left);
        let search = Search { friction_fraction, tolerance, tension };
        let found = self.search(&search, &problem, &mut solver, watch);
        // Whether it was found or given up: an edit often gives up the balance of the one before it.
        let left = solver.leave();
        leftover::put(slot, pattern, matrix, regularization, left);
        let (equilibrium, self_contact_dropped) = found?;
        Ok(Solved { equilibrium, self_contact_dropped, seconds: [assembled, started.elapsed().as_secs_f64()] })
    }

    /// The equilibrium, and how many contacts of bodies with themselves were left out of it.
    fn search(
        &self,
        search: &Search,
        problem: &BalanceProblem,
        solver: &mut GlobalSolver,
        watch: &dyn Watch,
    ) -> Result<(Equilibrium, usize), GlobalError> {
        let found = self.contacts;
        let equilibrium = search.run(problem, &found.in_reserve, solver, watch)?;
        let others = contacts::without_self_contact(self.system, &found.sites);
        if !self.is_balanced(&equilibrium) && others.len() < found.sites.len() {
            // Contact of a body with itself holds up nothing that its elements could not, and may be badly conditioned.
            let without = search.run(&BalanceProblem { sites: &others, ..*problem }, &[], solver, watch)?;
            if self.is_balanced(&without) {
                return Ok((without, found.sites.len() - others.len()));
            }
        }
        Ok((equilibrium, 0))
    }

    /// Pattern of the global matrix.
    pub fn pattern(&self) -> Arc<NodeMatrixPattern> {
        self.own_pattern.clone().unwrap_or_else(|| self.system.pattern())
    }

    /// What has to be in balance.
    pub fn problem<'b>(&'b self, families: &'b [Box<dyn Family>], cables: &'b [Cable]) -> BalanceProblem<'b> {
        let internal = self.system.internal_nodes();
        BalanceProblem {
            positions: &self.system.positions,
            internal: [internal.start, internal.end],
            loads: self.loads,
            free: self.free,
            slides: &self.system.slides,
            families,
            sites: &self.contacts.sites,
            cables,
        }
    }

    /// Whether forces are in balance; what is not a number is not.
    pub fn is_balanced(&self, found: &Equilibrium) -> bool {
        found.forces.residual <= self.system.initialise.tolerance
    }
}
