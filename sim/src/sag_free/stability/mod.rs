//! Is the equilibrium stable, and which motions is it softest against? A balanced body may still buckle: the signs of the
//! Hessian's eigenvalues say, and its lowest eigenvectors show how.

mod by_parts;
pub mod compliance;
pub mod cures;
mod follower;
pub mod forecast;
mod lanczos;
mod neutral;
pub mod nudge;
mod pencil;
mod space;
#[cfg(test)]
mod tests;

use lanczos::Near;
use pencil::{Pencil, Shifted};

use crate::linear::{InertiaFactor, NodeMatrix, NodeMatrixPattern};
use crate::math::{Vec3, largest_norm};
use crate::sag_free::verdict::{SoftMode, Stability, Verdict};
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// A small motion about the equilibrium: an eigenvector of the Hessian against the masses over their mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// Its stiffness [N/m]; negative where the pose falls away along it.
    pub eigenvalue: f64,
    /// Angular frequency of its vibration, or the rate of its exponential growth where the eigenvalue is negative [1/s].
    pub rate: f64,
    /// Share of the vector that is not yet the eigenvector.
    pub residual: f64,
    /// Displacement of each node; the largest has length 1.
    pub shape: Vec<Vec3>,
}

/// The verdict and the softest modes, ascending.
#[derive(Debug, Clone)]
pub struct Assessment {
    /// For the report.
    pub stability: Stability,
    /// Those that were asked for.
    pub modes: Vec<Mode>,
}

/// Eigenvalues this near to zero, as a share of the median diagonal, have no reliable sign: those of free rigid motions.
const ROUND_OFF: f64 = 1e-12;
/// Eigenvalues below the shift that Lanczos is asked to find in full.
const FEW: usize = 12;
/// The lowest shift as a share of the median diagonal.
const FARTHEST: f64 = 1e3;

impl Stability {
    pub(super) fn without_modes(verdict: Verdict, smallest_eigenvalue: f64) -> Self {
        Self {
            negative_eigenvalues: 0,
            smallest_eigenvalue,
            verdict,
            reason: None,
            neutral_motions: 0,
            softest: Vec::new(),
            cures: Vec::new(),
            cured_by: None,
        }
    }

    /// The question was not decided, and why.
    pub fn undecided(reason: String) -> Self {
        Self { reason: Some(reason), ..Self::without_modes(Verdict::Undecided, 0.0) }
    }

    /// Kicks alone could tell, and there were none.
    pub fn not_tried() -> Self {
        let reason = "whether it is stable is told by kicks alone: a nudge test does".to_owned();
        Self { reason: Some(reason), ..Self::without_modes(Verdict::NotTried, 0.0) }
    }

    /// Of a state that is not in balance, one cannot ask whether it is stable.
    pub fn not_in_balance() -> Self {
        Self::without_modes(Verdict::NotInBalance, 0.0)
    }
}

/// Number of negative eigenvalues of `hessian`, and its `count` softest modes that are no rigid motion without
/// resistance. Where more than a few are negative, the lowest are among them.
///
/// # Errors
/// Cancelled.
pub fn assess(
    system: &System,
    pattern: &NodeMatrixPattern,
    hessian: &NodeMatrix,
    count: usize,
    watch: &dyn Watch,
) -> Result<Assessment, Cancelled> {
    let without_modes = |verdict, smallest| Assessment { stability: Stability::without_modes(verdict, smallest), modes: Vec::new() };
    if pattern.unknowns() == 0 {
        return Ok(without_modes(Verdict::Stable, 0.0));
    }
    let pencil = Pencil::new(system, pattern, hessian).without_neutral_motions(watch)?;
    let Ok(mut near_zero) = pencil.shifted(InertiaFactor::new(pattern), -ROUND_OFF * pencil.typical) else {
        // Not even close to zero does it factorise.
        let mut undecided = without_modes(Verdict::Undecided, 0.0);
        undecided.stability.reason = Some("a number of the stiffness is not finite".to_owned());
        return Ok(undecided);
    };
    let negative_eigenvalues = pencil.resisted_below(&mut near_zero);
    // Modes are looked for across the neutral motions, where theirs are not to be found.
    near_zero.below = negative_eigenvalues;
    let is_apart = pattern.parts().is_some() && pencil.mass.is_lumped() && !follower::presses(system);
    let (mut shifted, (pairs, bound)) = if is_apart {
        let found = by_parts::eigenpairs(&pencil, near_zero, count.max(1), watch)?;
        (None, found.map_or_else(|bound| (Vec::new(), bound), |pairs| (pairs, 0.0)))
    } else {
        match with_few_below(&pencil, near_zero, watch)? {
            Ok(mut shifted) => {
                let near = Near { shift: shifted.shift, below: shifted.below };
                let pairs = lanczos::eigenpairs(&pencil, near, count.max(1), |block| pencil.invert(&mut shifted, block), watch)?;
                (Some(shifted), (pairs, 0.0))
            }
            Err(bound) => (None, (Vec::new(), bound)),
        }
    };
    let smallest_eigenvalue = pairs.first().map_or(bound, |pair| pair.eigenvalue);
    let verdict = if negative_eigenvalues == 0 { Verdict::Stable } else { Verdict::Unstable };
    let (verdict, reason) =
        follower::judge(&pencil, shifted.as_mut(), &pairs, verdict).map_or((verdict, None), |(verdict, reason)| (verdict, Some(reason)));
    let (verdict, reason) = beyond_neutral(&pencil, negative_eigenvalues).unwrap_or((verdict, reason));
    let modes: Vec<Mode> = pairs.into_iter().take(count).map(|pair| mode(pair, &pencil)).collect();
    let softest = modes.iter().map(|m| SoftMode { eigenvalue: m.eigenvalue, rate: m.rate, residual: m.residual }).collect();
    let stability = Stability {
        negative_eigenvalues,
        neutral_motions: pencil.neutral.count(),
        reason,
        softest,
        ..Stability::without_modes(verdict, smallest_eigenvalue)
    };
    Ok(Assessment { stability, modes })
}

/// Where the neutral motions of some parts are not known, as many directions as they have say nothing.
fn beyond_neutral(pencil: &Pencil, negative_eigenvalues: usize) -> Option<(Verdict, Option<String>)> {
    let parts = pencil.neutral.left_out;
    (parts > 0 && negative_eigenvalues <= 6 * parts).then(|| {
        let most = neutral::MOST_PARTS;
        let why = format!(
            "{parts} parts that only touch one another have no support of their own, more than the {most} whose rigid motions are told from their softest"
        );
        (Verdict::Undecided, Some(why))
    })
}

/// Moves the shift down until few eigenvalues are below it. Where it does not get there: the lowest shift, which some
/// eigenvalues are below.
fn with_few_below(pencil: &Pencil, near_zero: Shifted, watch: &dyn Watch) -> Result<Result<Shifted, f64>, Cancelled> {
    let mut shifted = near_zero;
    for distance in distances(pencil.typical) {
        if shifted.below <= FEW {
            return Ok(Ok(shifted));
        }
        watch.check()?;
        let reached = shifted.shift;
        match pencil.shifted(shifted.factor, -distance) {
            Ok(next) => shifted = next,
            Err(_) => return Ok(Err(reached)),
        }
    }
    Ok(if shifted.below <= FEW { Ok(shifted) } else { Err(shifted.shift) })
}

/// How far the shift is moved down in turn [N/m].
fn distances(typical: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(1e-9 * typical), |distance| Some(8.0 * distance)).take_while(move |distance| *distance < FARTHEST * typical)
}

fn mode(pair: lanczos::Pair, pencil: &Pencil) -> Mode {
    let mut shape = pair.vector;
    let largest = largest_norm(&shape);
    if largest > 0.0 {
        shape.iter_mut().for_each(|u| *u /= largest);
    }
    Mode { eigenvalue: pair.eigenvalue, rate: (pair.eigenvalue.abs() / pencil.mean_mass).sqrt(), residual: pair.residual, shape }
}
