//! Tension shift: the global stage again, for forces nearest to a tension. A few strains are tried, each four times the one before.

use super::trial::Trial;
use super::{Attempt, Unstable};
use crate::sag_free::global::GlobalError;
use crate::sag_free::initialise::{RestState, rest_state_near};
use crate::sag_free::tension::{Tension, Wish};
use crate::scene::Method;
use crate::watch::{Cancelled, Watch};

/// Strains of the tension.
const STRAINS: [f64; 5] = [0.002, 0.008, 0.032, 0.128, 0.5];
/// Bisections between a strain that is enough and the one before it.
const BISECTIONS: usize = 3;

/// The body with the least of these strains that is enough; where none is, with the one that leaves the least negative
/// eigenvalue.
pub fn find(unstable: &Unstable, authored: Wish, watch: &dyn Watch) -> Result<Attempt, Cancelled> {
    let system = unstable.system;
    let loads = system.loads();
    let wish = |strain: f64| Wish { strain: authored.strain + strain, ..authored };
    let shifted = |strain: f64| match rest_state_near(wish(strain), &loads, system, Method::SagFree, watch) {
        Ok(found) => Ok(Some(found)),
        Err(GlobalError::Cancelled(cancelled)) => Err(cancelled),
        Err(GlobalError::Singular(_) | GlobalError::Memory(_)) => Ok(None),
    };
    let attempt = |found: RestState, strain: f64| Attempt {
        survives: surviving(unstable, authored, &found, strain),
        families: found.families,
        balance: found.balance,
        coordinates: Some(found.coordinates),
        tension: Some(strain),
        push_weight: None,
        account: Some(found.account),
    };
    let mut too_little = 0.0;
    let mut best: Option<(f64, Attempt)> = None;
    for strain in STRAINS {
        let Some(found) = shifted(strain)?.filter(|found| found.account.unattained.is_empty()) else { break };
        let mut trial = Trial::new(unstable, &found.balance, watch);
        if trial.is_stable(&found.families)? {
            let (strain, found) = bisect(unstable, too_little, (strain, found), shifted, watch)?;
            return Ok(attempt(found, strain));
        }
        too_little = strain;
        let smallest = trial.assess(&found.families)?.stability.smallest_eigenvalue;
        if best.as_ref().is_none_or(|(so_far, _)| smallest > *so_far) {
            best = Some((smallest, attempt(found, strain)));
        }
    }
    let unchanged = || Attempt { tension: Some(0.0), ..unstable.unchanged() };
    Ok(best.map_or_else(unchanged, |(_, attempt)| attempt))
}

/// Share of the tension of this strain that is left of it in the forces that were found with it, by the weights of the elements: the rest
/// gives way to it. `None` where there is no tension.
fn surviving(unstable: &Unstable, authored: Wish, found: &RestState, strain: f64) -> Option<f64> {
    let positions = &unstable.system.positions;
    let wanted = |strain: f64| Tension::new(&found.families, positions, strain);
    let (with, without) = (wanted(authored.strain + strain), wanted(authored.strain));
    let squares = |a: &[Vec<f64>], b: &[Vec<f64>]| -> f64 {
        let between = a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>());
        found.families.iter().zip(between).flat_map(|(family, s)| family.weighed_squares(positions, &s)).sum()
    };
    let whole = squares(with.coordinates(), without.coordinates());
    (whole > 0.0).then(|| (squares(&found.coordinates, unstable.coordinates) / whole).sqrt())
}

/// Lowers a strain that is enough.
fn bisect(
    unstable: &Unstable,
    mut too_little: f64,
    mut enough: (f64, RestState),
    shifted: impl Fn(f64) -> Result<Option<RestState>, Cancelled>,
    watch: &dyn Watch,
) -> Result<(f64, RestState), Cancelled> {
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (too_little + enough.0);
        let Some(found) = shifted(middle)? else { break };
        if Trial::new(unstable, &found.balance, watch).is_stable(&found.families)? {
            enough = (middle, found);
        } else {
            too_little = middle;
        }
    }
    Ok(enough)
}
