//! Round trips, and a slow oracle for the branch.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::branch::MAX_LOG_STRETCH;
use super::*;
use crate::material::{MATERIALS, law};
use crate::math::{random::Random, symmetric_eigen};
use std::sync::Arc;

pub(super) fn material(name: &str, poisson: f64) -> Arc<dyn Material> {
    (law(name).unwrap().build)(1.0, poisson)
}

pub(super) fn stress_of(material: &dyn Material, stretch: &Vec3) -> Vec3 {
    material.gradient(&stretch.add_scalar(-1.0)).component_mul(stretch) / stretch.product()
}

pub(super) fn stretches_from_cauchy(material: &dyn Material, stress: &Vec3) -> Result<Vec3, Unattainable> {
    strains_from_cauchy(material, stress).map(|strain| strain.add_scalar(1.0))
}

/// The share of `stress` that the law can make.
fn attainable_share(material: &dyn Material, stress: &Vec3) -> f64 {
    match stretches_from_cauchy(material, stress) {
        Err(Unattainable::TooSoft { attainable_share }) => attainable_share,
        other => panic!("{other:?}"),
    }
}

/// Whether more stretch means more Cauchy stress all the way from rest: d sigma / dx positive definite.
fn stable_up_to(material: &dyn Material, stretch: &Vec3) -> bool {
    (1..=20).all(|k| {
        let x = stretch.map(f64::ln) * (f64::from(k) / 20.0);
        let (_, derivative) = residual(material, &x, &stress_of(material, &x.map(f64::exp)));
        symmetric_eigen(&(derivative + derivative.transpose())).values.min() > 0.0
    })
}

#[test]
fn stress_round_trips() {
    let mut random = Random::new(9);
    for law in MATERIALS {
        for poisson in [0.0, 0.3, 0.45, 0.49] {
            let material = (law.build)(1.0, poisson);
            let mut tried = 0;
            for trial in 0..300 {
                let spread = [0.02, 0.1, 0.2][trial % 3];
                let stretch = random.vector(1.0 - spread, 1.0 + spread);
                if !stable_up_to(&*material, &stretch) {
                    continue;
                }
                tried += 1;
                let stress = stress_of(&*material, &stretch);
                let found = stretches_from_cauchy(&*material, &stress);
                let Ok(found) = found else { panic!("{} {poisson} {stretch}: {found:?}", law.name) };
                let error = (stress_of(&*material, &found) - stress).amax();
                assert!(error <= 1e-12 * stress.amax(), "{} {poisson} {stretch}: {error:e}", law.name);
                assert!((found - stretch).amax() < 1e-9, "{} {poisson}: {stretch} {found}", law.name);
            }
            assert!(tried > 150, "{} {poisson}: only {tried} stable", law.name);
        }
    }
}

/// Stiff bodies are strained by next to nothing: the stress comes back to round-off of itself.
#[test]
fn stresses_far_below_the_modulus_round_trip_relative_to_themselves() {
    let mut random = Random::new(17);
    for law in MATERIALS {
        for poisson in [0.0, 0.3, 0.49] {
            let material = (law.build)(1.0, poisson);
            for exponent in [-3, -6, -9, -12, -16, -30] {
                let stress = random.vector(-1.0, 1.0) * 10f64.powi(exponent);
                let strain = strains_from_cauchy(&*material, &stress).unwrap();
                let volume = strain.map(f64::ln_1p).sum().exp();
                let found = material.gradient(&strain).component_mul(&strain.add_scalar(1.0)) / volume;
                // Of little compressible laws pressure is a difference of strains.
                let bound = 4.0 * f64::EPSILON * (1.0 + material.lame().lambda) * stress.amax();
                assert!((found - stress).amax() <= bound, "{} {poisson} 1e{exponent}: {found} {stress}", law.name);
            }
        }
    }
}

#[test]
fn no_stress_is_rest() {
    for law in MATERIALS {
        assert_eq!(stretches_from_cauchy(&*(law.build)(1e6, 0.3), &Vec3::zeros()), Ok(Vec3::repeat(1.0)));
    }
}

/// Largest of a function of one variable by a fine scan: an oracle that knows nothing of branches.
pub(super) fn scanned_maximum(from: f64, to: f64, value: impl Fn(f64) -> f64) -> f64 {
    (0..=1_000_000).map(|k| value(from + (to - from) * f64::from(k) / 1e6)).fold(f64::NEG_INFINITY, f64::max)
}

/// The fold found by continuation is the limit, and targets just inside are attained.
pub(super) fn check_limit(material: &dyn Material, direction: &Vec3, limit: f64) {
    for excess in [1.001, 1.5, 10.0, 1e4] {
        let share = attainable_share(material, &(direction * (limit * excess)));
        assert!((share * excess - 1.0).abs() < 1e-3, "{material:?}: {} of the limit", share * excess);
    }
    for inside in [0.5, 0.9, 0.99, 0.999, 0.999_99] {
        let stress = direction * (limit * inside);
        let found = stretches_from_cauchy(material, &stress).unwrap();
        let error = (stress_of(material, &found) - stress).amax() / stress.amax();
        assert!(error < 1e-12, "{material:?}: {error:e} at {inside} of the limit");
    }
}

#[test]
fn neo_hookean_bears_any_uniaxial_load() {
    let material = material("neo_hookean", 0.45);
    for load in [-5.0, -0.5, 0.5, 5.0] {
        let stress = Vec3::new(0.0, load, 0.0);
        let found = stretches_from_cauchy(&*material, &stress).unwrap();
        assert!((stress_of(&*material, &found) - stress).amax() < 1e-12 * load.abs());
    }
}

/// Tiny steps in the load with plain Newton, which cannot leave the branch: a slow oracle. `None` past a fold.
fn crept(material: &dyn Material, stress: &Vec3) -> Option<Vec3> {
    let mut x = Vec3::zeros();
    let steps = 4000;
    for k in 1..=steps {
        let load = stress * (f64::from(k) / f64::from(steps));
        let before = x;
        for _ in 0..6 {
            let (r, derivative) = residual(material, &x, &load);
            x -= solve(&derivative, &r)?;
        }
        let (r, derivative) = residual(material, &x, &load);
        if (x - before).amax() > 0.05 || x.amax() > MAX_LOG_STRETCH || !regular(&derivative) || r.amax() > 1e-9 * load.amax() {
            return None;
        }
    }
    Some(x)
}

#[test]
fn any_stress_gets_the_branch_from_rest_or_its_limit() {
    let mut random = Random::new(16);
    let (mut attained, mut refused) = (0, 0);
    for law in MATERIALS {
        for poisson in [law.poisson.start.max(-0.5), 0.2, 0.45] {
            let material = (law.build)(1.0, poisson);
            for trial in 0..60 {
                let direction = match trial % 6 {
                    0 => Vec3::new(1.0, 1.0, 1.0),
                    1 => Vec3::new(-1.0, -1.0, 0.0),
                    2 => Vec3::new(-1.0, -1.0, -1.0) + random.vector(-1e-3, 1e-3),
                    _ => random.vector(-1.0, 1.0),
                };
                let stress = direction * 10f64.powf(random.uniform(-2.0, 1.5));
                let what = format!("{} {poisson} {:?}", law.name, stress.as_slice());
                match stretches_from_cauchy(&*material, &stress) {
                    Ok(stretch) => {
                        attained += 1;
                        let error = (stress_of(&*material, &stretch) - stress).amax();
                        assert!(error <= 1e-11 * stress.amax(), "{what}: {error:e}");
                        if let Some(x) = crept(&*material, &stress) {
                            assert!((x.map(f64::exp) - stretch).amax() < 1e-7, "{what}: another branch, {stretch}");
                        }
                    }
                    Err(Unattainable::TooSoft { attainable_share }) => {
                        refused += 1;
                        assert!((0.0..1.0).contains(&attainable_share), "{what}");
                        assert!(crept(&*material, &stress).is_none(), "{what}: the oracle attains it");
                        let inside = stretches_from_cauchy(&*material, &(stress * (0.998 * attainable_share)));
                        assert!(inside.is_ok(), "{what}: {attainable_share} is not attainable either");
                    }
                    Err(other) => panic!("{what}: {other}"),
                }
            }
        }
    }
    assert!(attained > 200 && refused > 100);
}

#[test]
fn a_stress_that_is_not_finite_is_refused() {
    for value in [f64::NAN, f64::INFINITY] {
        assert_eq!(attainable_share(&*material("stvk", 0.3), &Vec3::new(value, 0.0, 0.0)), 0.0);
    }
}
