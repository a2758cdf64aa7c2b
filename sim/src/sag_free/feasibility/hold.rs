//! Whether contacts hold a group of parts, and if not, which of them would with how much friction: questions about rigid bodies.

use super::super::contacts::{Touching, between};
use super::super::global::GlobalError;
use super::super::problem::BalanceProblem;
use super::super::rigid::{Group, Proof, Verdict};
use crate::system::System;
use crate::watch::Watch;

/// The friction coefficient that stands for unlimited friction: it turns a force by 89.4 degrees.
const MOST_FRICTION: f64 = 100.0;

/// Friction coefficient below which none is looked for.
const LEAST_FRICTION: f64 = 1e-4;

/// Ratio of the bounds at which bisection ends.
const PRECISION: f64 = 1.001;

/// Whether the contacts of a problem can hold it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Hold {
    AsItIs,
    WithFriction(Friction),
    Never,
    /// Too close to call: this share of a part's loads is out of balance.
    Open(f64),
    /// The group has more pieces than are looked at.
    TooLarge,
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

/// A group whose friction coefficients are tried.
pub(super) struct FrictionSearch<'a> {
    pub system: &'a System,
    pub problem: &'a BalanceProblem<'a>,
    pub group: &'a Group,
    pub watch: &'a dyn Watch,
}

impl FrictionSearch<'_> {
    /// Whether the contacts hold the group; if not, the least friction coefficient with which they would: between one pair of
    /// bodies, that which needs least, the others left as they are, or else of all contacts.
    pub fn hold(&self) -> Result<Hold, GlobalError> {
        let first = match self.group.decide(|index| self.group.friction(index), self.watch)? {
            Verdict::Held => return Ok(Hold::AsItIs),
            Verdict::Open(share) => return Ok(Hold::Open(share)),
            Verdict::Falls(proof) => proof,
        };
        match self.with_at_least(MOST_FRICTION, |_| true)? {
            Verdict::Falls(_) => return Ok(Hold::Never),
            Verdict::Open(share) => return Ok(Hold::Open(share)),
            Verdict::Held => {}
        }
        let of_site: Vec<[Touching; 2]> =
            self.group.sites.iter().map(|&site| sorted(between(self.system, &self.problem.sites[site]))).collect();
        let mut pairs = of_site.clone();
        pairs.sort_unstable();
        pairs.dedup();
        // Most pairs have no part in a motion that was found before, which then proves that their friction is no help.
        let mut proofs: Vec<Proof> = vec![first];
        let mut best: Option<Friction> = None;
        for pair in pairs {
            let is_theirs = |index: usize| of_site[index] == pair;
            let most = best.as_ref().map_or(MOST_FRICTION, |best| best.needed);
            if proofs.iter().any(|proof| self.group.is_proven_by(proof, self.at_least(most, is_theirs))) {
                continue;
            }
            match self.with_at_least(most, is_theirs)? {
                Verdict::Falls(proof) => proofs.push(proof),
                Verdict::Open(_) => {}
                Verdict::Held => best = Some(Friction { slipping: Some(pair), ..self.needed(is_theirs, most)? }),
            }
        }
        match best {
            Some(friction) => Ok(Hold::WithFriction(friction)),
            None => Ok(Hold::WithFriction(self.needed(|_| true, MOST_FRICTION)?)),
        }
    }

    /// The least friction of the contacts that `chosen` names with which the group is held, as it is with `most`.
    fn needed(&self, chosen: impl Fn(usize) -> bool, most: f64) -> Result<Friction, GlobalError> {
        let theirs = (0..self.group.sites.len()).filter(|&index| chosen(index)).map(|index| self.group.friction(index));
        let now = theirs.fold(0.0, f64::max);
        let (mut low, mut high) = (LEAST_FRICTION, most);
        while high / low > PRECISION {
            let middle = f64::sqrt(low * high);
            if matches!(self.with_at_least(middle, &chosen)?, Verdict::Held) { high = middle } else { low = middle }
        }
        Ok(Friction { slipping: None, now, needed: high })
    }

    fn with_at_least(&self, least: f64, chosen: impl Fn(usize) -> bool) -> Result<Verdict, GlobalError> {
        self.group.decide(self.at_least(least, chosen), self.watch)
    }

    /// The friction coefficients, those that `chosen` names raised to `least` where they are smaller.
    fn at_least(&self, least: f64, chosen: impl Fn(usize) -> bool) -> impl Fn(usize) -> f64 {
        move |index| {
            let own = self.group.friction(index);
            if chosen(index) { own.max(least) } else { own }
        }
    }
}

fn sorted([a, b]: [Touching; 2]) -> [Touching; 2] {
    [a.min(b), a.max(b)]
}
