//! Whether contacts hold a group of parts, and if not, which of them would with how much friction.

use super::super::contacts::{Touching, between};
use super::super::global::{GlobalError, GlobalSolver};
use super::super::problem::{BalanceProblem, ContactSite};
use crate::system::System;
use crate::watch::Watch;

/// Largest friction coefficient that is tried for one pair of bodies, and largest factor on those of all: the cones of
/// larger ones are too wide to be solved for accurately.
const MOST_FRICTION: f64 = 8.0;
const LARGEST_FACTOR: f64 = 1000.0;

/// Friction coefficient that is scaled where there is none.
const LEAST_FRICTION: f64 = 0.01;

/// Pairs of bodies that are looked at one by one, at most.
const MOST_PAIRS: usize = 8;

/// Whether the contacts of a problem can hold it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Hold {
    AsItIs,
    WithFriction(Friction),
    Never,
}

/// Too little friction.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Friction {
    /// The two that slip, if it is one pair that does.
    pub slipping: Option<[Touching; 2]>,
    /// The largest friction coefficient that there is.
    pub now: f64,
    /// The one that it takes.
    pub needed: f64,
}

/// A problem whose friction coefficients can be scaled.
pub(super) struct FrictionSearch<'a, 's, 'm> {
    pub problem: BalanceProblem<'a>,
    pub solver: &'s mut GlobalSolver<'m>,
    pub watch: &'a dyn Watch,
}

impl FrictionSearch<'_, '_, '_> {
    /// Whether the contacts hold the problem; if not, the least friction (to 2 %) with which they would: of one pair of bodies,
    /// the others left as they are, or of all.
    pub fn hold(&mut self, system: &System) -> Result<Hold, GlobalError> {
        if self.is_feasible(|_| false, 1.0)? {
            return Ok(Hold::AsItIs);
        }
        let mut pairs: Vec<[Touching; 2]> = self.problem.sites.iter().map(|site| sorted(between(system, site))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        for pair in pairs.iter().take(MOST_PAIRS) {
            let is_theirs = |site: &ContactSite| sorted(between(system, site)) == *pair;
            let now = self.most_friction(is_theirs);
            let friction = self.needed(is_theirs, MOST_FRICTION / if now > 0.0 { now } else { LEAST_FRICTION })?;
            if let Some((now, needed)) = friction {
                return Ok(Hold::WithFriction(Friction { slipping: Some(*pair), now, needed }));
            }
        }
        let friction = self.needed(|_| true, LARGEST_FACTOR)?;
        Ok(friction.map_or(Hold::Never, |(now, needed)| Hold::WithFriction(Friction { slipping: None, now, needed })))
    }

    fn most_friction(&self, chosen: impl Fn(&ContactSite) -> bool) -> f64 {
        self.problem.sites.iter().filter(|site| chosen(site)).map(|site| site.friction).fold(0.0, f64::max)
    }

    /// The largest friction of the sites that `chosen` names, and the least with which the problem is feasible, if a factor of
    /// up to `most` is enough.
    fn needed(&mut self, chosen: impl Fn(&ContactSite) -> bool, most: f64) -> Result<Option<(f64, f64)>, GlobalError> {
        let now = self.most_friction(&chosen);
        let (mut low, mut high) = (1.0, 2.0);
        while !self.is_feasible(&chosen, high)? {
            (low, high) = (high, high * 4.0);
            if high > most {
                return Ok(None);
            }
        }
        while high / low > 1.02 {
            let middle = f64::sqrt(low * high);
            if self.is_feasible(&chosen, middle)? { high = middle } else { low = middle }
        }
        let unit = if now > 0.0 { now } else { LEAST_FRICTION };
        Ok(Some((now, high * unit)))
    }

    fn is_feasible(&mut self, chosen: impl Fn(&ContactSite) -> bool, factor: f64) -> Result<bool, GlobalError> {
        // Without any friction there is nothing to scale: ask about hundredths.
        let slippery = !self.problem.sites.iter().any(|site| chosen(site) && site.friction > 0.0);
        let scaled = |site: &ContactSite| match chosen(site) {
            true => ContactSite { friction: factor * if slippery { LEAST_FRICTION } else { site.friction }, ..site.clone() },
            false => site.clone(),
        };
        let sites: Vec<ContactSite> = self.problem.sites.iter().map(scaled).collect();
        let problem = BalanceProblem { sites: &sites, ..self.problem };
        let found = self.solver.attempt(&problem, self.watch)?;
        Ok(self.solver.is_balanced(&found))
    }
}

fn sorted([a, b]: [Touching; 2]) -> [Touching; 2] {
    [a.min(b), a.max(b)]
}
