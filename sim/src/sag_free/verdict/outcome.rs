//! [`Outcome`]: what came of an initialisation. It is decided here, once, from the state that the initialisation left; report, exit
//! status, console and editor repeat it.

use std::fmt;

use serde::Serialize;

use super::{Infeasibility, InfeasibilityCode, Stability, Verdict};
use crate::sag_free::feasibility::out_of_balance;
use crate::scene::Method;
use crate::step::Residual;

/// What came of an initialisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Whether the given shape is an equilibrium, stable or not: every element makes its force, and what is left is in balance.
    pub holds: bool,
    /// In a word.
    pub verdict: Conclusion,
    /// Why; `None` where it holds.
    pub reason: Option<String>,
}

/// What an initialisation comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// The given shape is an equilibrium, and nothing says that it is not a stable one.
    Holds,
    /// It is an equilibrium from which the least push leads away.
    Unstable,
    /// It is none, and the reason is known.
    DoesNotHold,
    /// Whether it is one, or a stable one, was not decided.
    Undecided,
}

impl fmt::Display for Conclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::Unstable => "unstable",
            Self::DoesNotHold => "does not hold",
            Self::Undecided => "undecided",
        })
    }
}

/// What is known of the forces of an initialised state.
#[derive(Debug, Clone, Copy)]
pub struct Balanced<'a> {
    /// How the rest state was chosen.
    pub method: Method,
    /// What is out of balance.
    pub residual: &'a Residual,
    /// Elements that cannot make their force.
    pub unattained: usize,
    /// What was found to be wrong.
    pub infeasible: &'a [Infeasibility],
}

impl Outcome {
    /// The outcome as far as forces go; whether an equilibrium is stable is [`Outcome::with`] to say.
    pub fn of(state: Balanced) -> Self {
        let Balanced { method, residual, unattained, infeasible } = state;
        let messages: Vec<&str> = infeasible.iter().map(|found| found.message.as_str()).collect();
        let (verdict, reason) = if infeasible.iter().any(|found| found.code != InfeasibilityCode::Undecided) {
            (Conclusion::DoesNotHold, messages.join("\n"))
        } else if !infeasible.is_empty() {
            // What cannot be made of forces that are none of a balance, or that the material would not keep, need not be made of others.
            (Conclusion::Undecided, messages.join("\n"))
        } else if unattained > 0 {
            (Conclusion::DoesNotHold, format!("{unattained} elements cannot make the force asked of them; use a stiffer material"))
        } else if !residual.after.is_finite() {
            (Conclusion::Undecided, "a number is not finite, so that the residual says nothing".to_owned())
        } else if !residual.balanced {
            let Residual { after, round_off, tolerance, .. } = residual;
            let out = format!("{}, above the tolerance {tolerance:.1e}", out_of_balance(*after));
            match method {
                Method::SagFree => (
                    Conclusion::Undecided,
                    format!("{out} and above round-off, which is {round_off:.1e}: the forces were found no more accurately"),
                ),
                // These do not look for all the forces that there are.
                Method::Naive | Method::PinnedContacts | Method::NoContact => (Conclusion::DoesNotHold, out),
                // No balance was looked for: what is left is taken up in the first steps.
                Method::Settle => {
                    (Conclusion::Undecided, format!("the particles were settled, not balanced: {out}, and the first steps take that up"))
                }
            }
        } else {
            return Self::of_equilibrium();
        };
        Self { holds: false, verdict, reason: Some(reason) }
    }

    /// That the given shape is an equilibrium.
    pub fn of_equilibrium() -> Self {
        Self { holds: true, verdict: Conclusion::Holds, reason: None }
    }

    /// The outcome where the equilibrium was found to be stable, or not; what is none stays as it is.
    pub fn with(self, stability: Option<&Stability>) -> Self {
        let Some(stability) = stability.filter(|_| self.holds) else { return self };
        let (verdict, reason) = match stability.verdict {
            Verdict::Stable | Verdict::NotTried => return self,
            Verdict::Unstable => {
                let by = match stability.negative_eigenvalues {
                    0 => String::new(),
                    1 => " (1 negative eigenvalue)".to_owned(),
                    count => format!(" ({count} negative eigenvalues)"),
                };
                let how = stability.reason.as_ref().map_or(String::new(), |reason| format!("; {reason}"));
                (Conclusion::Unstable, format!("the equilibrium is unstable{by}: the least push makes it buckle{how}"))
            }
            Verdict::Undecided | Verdict::NotInBalance => {
                let why = stability.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
                (Conclusion::Undecided, format!("whether the equilibrium is stable was not decided{why}"))
            }
        };
        Self { holds: true, verdict, reason: Some(reason) }
    }

    /// Why `method` did not do what it promises: an equilibrium, of the sag-free method; the baselines promise nothing. It makes
    /// the exit status.
    pub fn broken_promise(&self, method: Method) -> Option<&str> {
        self.reason.as_deref().filter(|_| method == Method::SagFree && !self.holds)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn of(method: Method, after: f64, round_off: f64, unattained: usize, codes: &[InfeasibilityCode]) -> Outcome {
        let residual = Residual::of(1.0, after, round_off, 1e-8);
        let found = |code: &InfeasibilityCode| Infeasibility {
            code: *code,
            body: String::new(),
            component: 0,
            indices: Vec::new(),
            place: [0.0; 3],
            message: format!("{code:?}"),
            mend: None,
        };
        let infeasible: Vec<Infeasibility> = codes.iter().map(found).collect();
        Outcome::of(Balanced { method, residual: &residual, unattained, infeasible: &infeasible })
    }

    fn stability(verdict: Verdict) -> Stability {
        Stability { verdict, negative_eigenvalues: 2, reason: Some("so".to_owned()), ..Stability::not_in_balance() }
    }

    #[test]
    fn only_numbers_within_the_tolerance_or_round_off_hold() {
        use Conclusion::{Holds, Undecided};
        let verdict = |after, round_off| of(Method::SagFree, after, round_off, 0, &[]).verdict;
        assert_eq!([verdict(1e-8, 0.0), verdict(1.1e-8, 0.0), verdict(1.1e-8, 2e-8)], [Holds, Undecided, Holds]);
        // Round-off does not excuse what could be seen, nor does a number that is none.
        assert_eq!([verdict(2e-6, 1.0), verdict(1e-7, f64::NAN)], [Undecided; 2]);
        assert_eq!([verdict(f64::NAN, 0.0), verdict(f64::NAN, f64::NAN), verdict(f64::INFINITY, f64::INFINITY)], [Undecided; 3]);
    }

    /// No method makes an equilibrium of what is no number, and each is told that it is none.
    #[test]
    fn what_is_no_number_is_in_balance_with_no_method() {
        for after in [f64::NAN, f64::INFINITY] {
            for round_off in [0.0, 1.0, f64::NAN, f64::INFINITY] {
                for tolerance in [0.0, 1e-8, 1.0] {
                    assert!(!Residual::of(1.0, after, round_off, tolerance).balanced, "{after} {round_off} {tolerance}");
                }
                for method in [Method::SagFree, Method::Naive, Method::PinnedContacts, Method::NoContact] {
                    let outcome = of(method, after, round_off, 0, &[]);
                    assert_eq!((outcome.holds, outcome.verdict), (false, Conclusion::Undecided));
                    assert!(outcome.reason.unwrap().contains("not finite"));
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_outweighs_what_is_not_known() {
        use InfeasibilityCode::{TooLittleFriction, TooSoft};
        let sag_free = |unattained, codes: &[InfeasibilityCode]| of(Method::SagFree, 1e-12, 0.0, unattained, codes);
        let slips = sag_free(0, &[InfeasibilityCode::Undecided, TooLittleFriction]);
        assert_eq!((slips.holds, slips.verdict), (false, Conclusion::DoesNotHold));
        assert_eq!(slips.reason.as_deref(), Some("Undecided\nTooLittleFriction"));
        assert_eq!(sag_free(1, &[TooSoft]).verdict, Conclusion::DoesNotHold);
        assert_eq!(sag_free(1, &[]).verdict, Conclusion::DoesNotHold, "without a message of its own");
        for unattained in [0, 1] {
            assert_eq!(sag_free(unattained, &[InfeasibilityCode::Undecided]).verdict, Conclusion::Undecided);
        }
        // Whatever is said of its stability.
        assert_eq!(slips.clone().with(Some(&stability(Verdict::Stable))), slips);
    }

    #[test]
    fn an_equilibrium_is_what_its_stability_says() {
        let with = |verdict| of(Method::SagFree, 0.0, 0.0, 0, &[]).with(Some(&stability(verdict)));
        let all = [Verdict::Stable, Verdict::Unstable, Verdict::Undecided, Verdict::NotInBalance, Verdict::NotTried].map(with);
        assert!(all.iter().all(|outcome| outcome.holds && outcome.broken_promise(Method::SagFree).is_none()));
        let expected = [Conclusion::Holds, Conclusion::Unstable, Conclusion::Undecided, Conclusion::Undecided, Conclusion::Holds];
        assert_eq!(all.each_ref().map(|outcome| outcome.verdict), expected);
        assert!(all[1].reason.as_ref().unwrap().ends_with("buckle; so") && all[2].reason.as_ref().unwrap().ends_with(": so"));
    }

    #[test]
    fn baselines_promise_nothing() {
        for method in [Method::Naive, Method::PinnedContacts, Method::NoContact] {
            let outcome = of(method, 0.5, 0.0, 0, &[]);
            assert_eq!((outcome.verdict, outcome.broken_promise(method)), (Conclusion::DoesNotHold, None));
        }
        assert!(of(Method::SagFree, 0.5, 0.0, 0, &[]).broken_promise(Method::SagFree).is_some());
    }
}
