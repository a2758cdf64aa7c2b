//! Less compression in springs: the global stage again, where what pushes counts more than what pulls.

use super::trial::Trial;
use super::{Attempt, Unstable};
use crate::sag_free::global::GlobalError;
use crate::sag_free::initialise::rest_state_near;
use crate::sag_free::tension::Wish;
use crate::scene::Method;
use crate::watch::{Cancelled, Watch};

/// Weights tried, over that of the scene.
const WEIGHTS: [f64; 3] = [10.0, 100.0, 1e4];

/// The body with the least of these weights, over that of the wish, that is enough; where none is, with the one that leaves the least negative eigenvalue.
pub fn find(unstable: &Unstable, authored: Wish, watch: &dyn Watch) -> Result<Attempt, Cancelled> {
    let system = unstable.system;
    let mut best: Option<(f64, Attempt)> = None;
    for factor in WEIGHTS {
        let wish = Wish { push_weight: factor * authored.push_weight, ..authored };
        let found = match rest_state_near(wish, &system.loads(), system, Method::SagFree, watch) {
            Ok(found) if found.account.unattained.is_empty() => found,
            Err(GlobalError::Cancelled(cancelled)) => return Err(cancelled),
            Ok(_) | Err(GlobalError::Singular(_) | GlobalError::Memory(_)) => continue,
        };
        let mut trial = Trial::new(unstable, &found.balance, watch);
        let is_enough = trial.is_stable(&found.families)?;
        let smallest = trial.assess(&found.families)?.stability.smallest_eigenvalue;
        if is_enough || best.as_ref().is_none_or(|(so_far, _)| smallest > *so_far) {
            let account = Some(found.account);
            let attempt = Attempt {
                families: found.families,
                balance: found.balance,
                coordinates: Some(found.coordinates),
                push_weight: Some(wish.push_weight),
                account,
                tension: None,
                survives: None,
            };
            best = Some((smallest, attempt));
        }
        if is_enough {
            break;
        }
    }
    let unchanged = || Attempt { push_weight: Some(authored.push_weight), ..unstable.unchanged() };
    Ok(best.map_or_else(unchanged, |(_, attempt)| attempt))
}
