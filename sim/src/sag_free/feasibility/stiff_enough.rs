//! How stiff against bending cloth must be: found by solving anew, since what is stiffer carries more.

use super::stiffness_factor;
use crate::element::{Family, Unattainable};
use crate::sag_free::global::GlobalError;
use crate::sag_free::local::{self, Unattained};
use crate::sag_free::stage::GlobalStage;
use crate::watch::Watch;

/// Rounds at most.
const ROUNDS: usize = 12;
/// Largest factor that is told.
const MOST: f64 = 1e6;
/// What is added in each round: rest angles at their very bound need a little more.
const MORE: f64 = 1.01;

/// The factor on the stiffness of all elements that resist bending with which each of them can make its force, where `unattained` names no
/// others. `None` if there is none.
///
/// # Errors
/// As of [`GlobalStage::solve`].
pub fn stiff_enough_to_bend(
    stage: &GlobalStage,
    families: &[Box<dyn Family>],
    unattained: &[Unattained],
    watch: &dyn Watch,
) -> Result<Option<f64>, GlobalError> {
    let bends = |u: &Unattained| matches!(u.why, Unattainable::RestAngle { .. } | Unattainable::RestBend { .. });
    if unattained.is_empty() || !unattained.iter().all(bends) {
        return Ok(None);
    }
    let is_bending = |f: usize| unattained.iter().any(|u| u.family == f);
    let mut factor = stiffness_factor(unattained).unwrap_or(1.0);
    for _ in 0..ROUNDS {
        let mut stiffer: Vec<Box<dyn Family>> = families.iter().map(|family| family.boxed_clone()).collect();
        let bending = || (0..families.len()).filter(|&f| is_bending(f));
        bending().for_each(|f| stiffer[f].set_weights(vec![1.0 / factor; families[f].len()]));
        let solved = stage.solve(&stiffer, watch)?;
        if !stage.is_balanced(&solved.equilibrium) {
            return Ok(None);
        }
        for f in bending() {
            stiffer[f].set_weights(Vec::new());
            stiffer[f].set_stiffening(&vec![factor; families[f].len()]);
        }
        let left = local::fit(&mut stiffer, &stage.system.positions, &solved.equilibrium.forces, 1.0);
        match left.iter().all(bends).then(|| stiffness_factor(&left)) {
            Some(None) if left.is_empty() => return Ok(Some(factor)),
            Some(Some(more)) if factor * more <= MOST => factor *= more * MORE,
            _ => return Ok(None),
        }
    }
    Ok(None)
}
