//! The compression ratios that a report tells, against what statics says of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::material::{Lame, MATERIALS, MaterialLaw};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::Distribution;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::BoxBody;

/// Gravity of the heaviest case [m/s^2].
const GRAVITY: f64 = 9.81;

/// Young's modulus [Pa] and Poisson's ratio of the linear law that `law` is at small strains.
fn linearised(law: &MaterialLaw, young: f64, poisson: f64) -> (f64, f64) {
    if law.energy.contains("lambda") { (young, poisson) } else { (2.0 * Lame::from_young_poisson(young, poisson).mu, 0.0) }
}

/// A box clamped at its top that hangs in `share` of gravity: the ratios told, and the mean trace of stress [Pa] that the forces at
/// its nodes make. Whatever the stresses are, the sum of V tr(stress) is that of x . f (Clausius 1870, for bodies at rest).
fn hung(body: &BoxBody, share: f64) -> (Distribution, f64) {
    let top = body.size.y;
    let mut system = body.system(|x| x.y > top - 1e-9);
    system.gravity = share * GRAVITY * Vec3::new(0.3, -1.0, 0.2);
    let mut simulation = Simulation::new(system);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after <= 1e-8, "{report:?}");
    let system = &simulation.system;
    let mut gradient = vec![Vec3::zeros(); system.masses.len()];
    system.families.iter().for_each(|family| family.add_gradient(&system.positions, &mut gradient));
    let virial: f64 = gradient.iter().zip(&system.positions).map(|(f, x)| f.dot(x)).sum();
    (report.compression.unwrap(), virial / body.size.product())
}

/// Of every law: the mean differs from what the forces ask for, tr(stress) (1 - 2 nu) / E, by a share that halves with the load, and so
/// does the deviation from that of the linear law.
#[test]
fn ratios_are_those_of_the_forces() {
    let mut random = Random::new(77);
    for case in 0..4 {
        let size = Vec3::new(random.uniform(0.1, 0.3), random.uniform(0.2, 0.6), random.uniform(0.1, 0.3));
        let (young, poisson, cells) = (1e5, random.uniform(0.0, 0.42), [2, 4 + case, 2]);
        for law in MATERIALS {
            let (linear_young, linear_poisson) = linearised(law, young, poisson);
            let off = |share: f64| {
                let (told, stress) = hung(&BoxBody { size, cells, law: law.name, young, poisson, density: 1000.0 }, share);
                assert!(stress > 100.0 * share && told.min < told.mean && told.mean < told.max, "{stress} {told:?}");
                let linear = BoxBody { size, cells, law: "linear", young: linear_young, poisson: linear_poisson, density: 1000.0 };
                let growth = stress * (1.0 - 2.0 * linear_poisson) / linear_young;
                [((told.mean - 1.0) / growth - 1.0).abs(), (told.std / hung(&linear, share).0.std - 1.0).abs()]
            };
            for (whole, half) in off(0.1).into_iter().zip(off(0.05)) {
                assert!(whole < 0.05 && half <= 0.52 * whole + 1e-8, "{case} {}: {whole:e} {half:e}", law.name);
            }
        }
    }
}

/// A bar that hangs from its top without lateral contraction: stress grows evenly towards the clamp, so that with the stretch
/// s = rho g L / E there the ratios have the mean 1 + s / 2 and the deviation s / sqrt(12), at least up to the square of the layers' thickness.
#[test]
fn a_hanging_bar_has_the_spread_of_a_linear_stress() {
    for law in MATERIALS {
        let excess = |layers: usize| {
            let (size, cells) = (Vec3::new(0.1, 1.0, 0.1), [2, layers, 2]);
            let body = BoxBody { size, cells, law: law.name, young: 1e9, poisson: 0.0, density: 1000.0 };
            let mut system = body.system(|x| x.y > 1.0 - 1e-9);
            system.gravity = Vec3::new(0.0, -GRAVITY, 0.0);
            let report = Simulation::new(system).initialise(Method::SagFree, &Unwatched).unwrap();
            let (told, s) = (report.compression.unwrap(), body.density * GRAVITY * size.y / body.young);
            assert!(((told.mean - 1.0) / s - 0.5).abs() < (layers as f64).powi(-2), "{}: {told:?}", law.name);
            (told.std / s).powi(2) * 12.0 - 1.0
        };
        let (coarse, fine) = (excess(12), excess(24));
        assert!(fine.abs() < 0.02 && coarse.abs() > 3.8 * fine.abs(), "{}: {coarse} {fine}", law.name);
    }
}
