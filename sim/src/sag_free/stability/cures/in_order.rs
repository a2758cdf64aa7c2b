//! All cures in turn, the cheapest first: forces that push less, then a tension where most of it survives, and of both what leaves fewer
//! directions to fall away in; then stiffer elements where it still buckles, as few as will do, or all.

use super::trial::Trial;
use super::{Attempt, Unstable, less_push, local, tension, uniform};
use crate::sag_free::stability::Assessment;
use crate::sag_free::tension::Wish;
use crate::sag_free::verdict::CureStage;
use crate::scene::Cure;
use crate::step::Residual;
use crate::watch::{Cancelled, Watch};

/// Share of a tension that must be left of it in the forces in balance: where a free end gives way to more, it helps nothing and may harm.
const LEAST_SURVIVING: f64 = 0.5;

/// The attempt that is left, and what each cure on the way to it came to.
pub fn find(unstable: &Unstable, watch: &dyn Watch) -> Result<(Attempt, Vec<CureStage>), Cancelled> {
    let mut wish = Wish::from(&unstable.system.initialise);
    let mut kept = Kept::unchanged(unstable);
    let mut stages = Vec::new();
    if unstable.tells_pushes() {
        let tried = less_push::find(unstable, wish, watch)?;
        if kept.take_if_better(unstable, Cure::LessPush, tried, &mut stages, watch)? {
            wish.push_weight = kept.attempt.push_weight.unwrap_or(wish.push_weight);
        }
    }
    if kept.falls() {
        // What survives of it is told against the forces that were kept.
        let tried = tension::find(&kept.as_unstable(unstable), wish, watch)?;
        if tried.survives.is_some_and(|share| share > LEAST_SURVIVING) {
            let push_weight = kept.attempt.push_weight;
            if kept.take_if_better(unstable, Cure::TensionShift, tried, &mut stages, watch)? {
                kept.attempt.push_weight = push_weight;
            }
        }
    }
    for (cure, find) in [(Cure::LocalStiffening, local::find as Stiffening), (Cure::UniformStiffening, uniform::find)] {
        if !kept.falls() {
            break;
        }
        let stiffer = find(&kept.as_unstable(unstable), watch)?.families;
        let tried = kept.attempt.with_elements(stiffer);
        // The last of them is told as it is, enough or not.
        kept.take_if_better(unstable, cure, tried, &mut stages, watch)?;
    }
    Ok((kept.attempt, stages))
}

type Stiffening = fn(&Unstable, &dyn Watch) -> Result<Attempt, Cancelled>;

/// What the cures so far came to.
struct Kept {
    attempt: Attempt,
    assessment: Assessment,
    residual: Residual,
}

impl Kept {
    fn unchanged(unstable: &Unstable) -> Self {
        Self { attempt: unstable.unchanged(), assessment: unstable.assessment.clone(), residual: *unstable.residual }
    }

    /// What is left to be cured.
    fn as_unstable<'a>(&'a self, unstable: &Unstable<'a>) -> Unstable<'a> {
        let Attempt { families, balance, coordinates, .. } = &self.attempt;
        let coordinates = coordinates.as_deref().unwrap_or(unstable.coordinates);
        Unstable { system: unstable.system, families, balance, coordinates, assessment: &self.assessment, residual: &self.residual }
    }

    /// Whether it is still unstable.
    fn falls(&self) -> bool {
        self.assessment.stability.negative_eigenvalues > 0
    }

    /// Takes an attempt over if fewer directions fall away with it; whether it did.
    fn take_if_better(
        &mut self,
        unstable: &Unstable,
        cure: Cure,
        tried: Attempt,
        stages: &mut Vec<CureStage>,
        watch: &dyn Watch,
    ) -> Result<bool, Cancelled> {
        let mut trial = Trial::new(unstable, &tried.balance, watch);
        let assessment = trial.assess(&tried.families)?;
        let negative_eigenvalues = assessment.stability.negative_eigenvalues;
        let kept = negative_eigenvalues < self.assessment.stability.negative_eigenvalues;
        stages.push(CureStage { cure, negative_eigenvalues, kept });
        if kept {
            self.residual = trial.residual(&tried.families, unstable.residual.before);
            (self.attempt, self.assessment) = (tried, assessment);
        }
        Ok(kept)
    }
}
