//! Does the initialised body answer a push as softly as the naive one? A rest state could hold the shape by being rigid;
//! this one must not.

use super::space::Space;
use super::{Mode, Pencil};
use crate::contact::Balance;
use crate::element::Family;
use crate::linear::InertiaFactor;
use crate::math::Vec3;
use crate::sag_free::local;
use crate::sag_free::verdict::Compliance;
use crate::step::instant::Curvature;
use crate::step::{Implicit, Scheme, State, Stepper};
use crate::system::System;
use crate::watch::{Cancelled, Watch};

/// Compliance of the system against a small static force f = M v along its softest mode v: f . K^-1 f / f . f, with the
/// Hessian K in the given shape, once with the rest states that the system has and once with undeformed ones.
/// Nothing without a mode, or where one of the two is unstable.
///
/// # Errors
/// Cancelled.
pub fn compare(system: &System, balance: &Balance, modes: &[Mode], watch: &dyn Watch) -> Result<Option<Compliance>, Cancelled> {
    let Some(mode) = modes.first() else { return Ok(None) };
    let mut naive: Vec<Box<dyn Family>> = system.families.iter().map(|family| family.boxed_clone()).collect();
    local::reset(&mut naive, system);
    let mut contacts = Implicit::new(Scheme::BackwardEuler);
    contacts.warm_start(system, balance);
    let mut curvature = Curvature::default();
    let mut answer = |families: &[Box<dyn Family>]| -> Result<Option<f64>, Cancelled> {
        watch.check()?;
        let state = State::at_rest(system);
        let (pattern, hessian) = curvature.hessian(system, families, contacts.contacts(system), &state, false);
        let pencil = Pencil::new(system, pattern, hessian).without_neutral_motions(watch)?;
        let Ok(mut shifted) = pencil.shifted(InertiaFactor::new(pattern), -super::ROUND_OFF * pencil.typical) else {
            return Ok(None);
        };
        if shifted.below > 0 {
            return Ok(None);
        }
        let mut force = pencil.mass.product(&mode.shape);
        system.take_supported(&mut force);
        let mut answer = vec![force.clone()];
        shifted.factor.solve(pattern, &mut answer);
        pencil.confine(&mut answer[0]);
        let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        Ok(Some(dot(&force, &answer[0]) / dot(&force, &force)))
    };
    let (Some(sag_free), Some(naive)) = (answer(&system.families)?, answer(&naive)?) else { return Ok(None) };
    Ok(Some(Compliance { sag_free, naive, ratio: sag_free / naive }))
}
