//! Uniform stiffening: the least factor on all stiffnesses, by bisection on the inertia of the Hessian.

use super::trial::{Trial, stiffened};
use super::{Attempt, Unstable};
use crate::watch::{Cancelled, Watch};

/// Factor beyond which stiffness is not what the body lacks.
const MOST: f64 = 4096.0;
/// Ratio of the bounds at which bisection ends.
const PRECISION: f64 = 1.01;

/// The body with the least factor, or with the largest that was tried.
pub fn find(unstable: &Unstable, watch: &dyn Watch) -> Result<Attempt, Cancelled> {
    let mut trial = Trial::new(unstable, unstable.balance, watch);
    let all = |factor: f64| {
        let factors: Vec<Vec<f64>> = unstable.families.iter().map(|family| vec![factor; family.len()]).collect();
        stiffened(unstable, &factors)
    };
    let (mut too_soft, mut stiff_enough) = (1.0, 2.0);
    while !trial.is_stable(&all(stiff_enough))? {
        if stiff_enough >= MOST {
            return Ok(unstable.attempt(all(stiff_enough)));
        }
        (too_soft, stiff_enough) = (stiff_enough, 2.0 * stiff_enough);
    }
    while stiff_enough > PRECISION * too_soft {
        let middle = (too_soft * stiff_enough).sqrt();
        if trial.is_stable(&all(middle))? {
            stiff_enough = middle;
        } else {
            too_soft = middle;
        }
    }
    Ok(unstable.attempt(all(stiff_enough)))
}
