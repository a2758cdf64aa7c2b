//! The local stage on whole bodies: which elements are stiffened, by how much, and what is left alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::element::{STIFFENING_MARGIN, Unattainable};
use aplomb_sim::math::Vec3;
use aplomb_sim::sag_free::initialise::rest_state;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InfeasibilityCode;
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::BoxBody;

/// Stands on its base, of a law that bears 0.16 E in compression; at the base there are 2.5 kPa.
fn standing(stiffen_up_to: f64) -> System {
    let size = Vec3::new(0.2, 0.25, 0.2);
    let body = BoxBody { size, cells: [3, 4, 3], law: "stvk", young: 8e3, poisson: 0.3, density: 1000.0 };
    let mut system = body.system(|x| x.y < 1e-9);
    system.initialise.stiffen_up_to = stiffen_up_to;
    system
}

/// The factors that would do, by element.
fn cures(system: &System) -> Vec<(usize, f64)> {
    let found = rest_state(system, Method::SagFree, &Unwatched).unwrap();
    let cure = |u: &aplomb_sim::sag_free::local::Unattained| {
        let Unattainable::TooSoft { attainable_share } = u.why else { panic!("{:?}", u.why) };
        assert_eq!(u.why.cure(), Some(STIFFENING_MARGIN / attainable_share));
        (u.element, STIFFENING_MARGIN / attainable_share)
    };
    found.account.unattained.iter().map(cure).collect()
}

#[test]
fn only_what_is_too_soft_is_stiffened_and_only_as_much_as_it_takes() {
    let (soft, cured) = (standing(1.0), standing(100.0));
    let cures = cures(&soft);
    assert!(!cures.is_empty() && cures.len() < soft.families[0].len() / 2, "{}", cures.len());

    let mut simulation = Simulation::new(cured);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after < 1e-9, "{:e}", report.residual.after);
    assert!(report.infeasible.is_empty() && report.unattainable.elements == 0);
    assert_eq!(report.stiffened.indices, cures.iter().map(|cure| cure.0).take(100).collect::<Vec<_>>());
    assert_eq!(report.stiffened.elements, cures.len());
    assert_eq!(report.stiffened.max_factor, cures.iter().map(|cure| cure.1).fold(1.0, f64::max));

    let mut expected = vec![1.0; soft.families[0].len()];
    cures.iter().for_each(|&(e, factor)| expected[e] = factor);
    let fields = simulation.fields();
    assert_eq!(fields.iter().find(|field| field.kind.name == "stiffening factor").unwrap().values, expected);

    // What was not too soft has the rest state that it has anyway.
    let without = rest_state(&soft, Method::SagFree, &Unwatched).unwrap().families[0].rest_numbers();
    let with = simulation.system.families[0].rest_numbers();
    for (e, (without, with)) in without.chunks(20).zip(with.chunks(20)).enumerate() {
        assert_eq!(without == with, expected[e] == 1.0, "element {e}");
    }
    for _ in 0..20 {
        let drift = simulation.step(&Unwatched).unwrap().drift;
        assert!(drift < 1e-8, "{drift:e}");
    }
}

#[test]
fn what_would_need_more_than_the_cap_is_named_and_the_rest_is_stiffened() {
    let cures = cures(&standing(1.0));
    let mut factors: Vec<f64> = cures.iter().map(|cure| cure.1).collect();
    factors.sort_by(f64::total_cmp);
    let cap = factors[factors.len() / 2];
    let mut simulation = Simulation::new(standing(cap));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let beyond: Vec<usize> = cures.iter().filter(|cure| cure.1 > cap).map(|cure| cure.0).collect();
    assert_eq!(report.unattainable.indices, beyond);
    assert_eq!(report.stiffened.elements, cures.len() - beyond.len());
    assert_eq!(report.stiffened.max_factor, cap);
    // What is advised has the margin of what is stiffened, and is rounded up.
    let (advised, needed) = (report.unattainable.stiffness_factor.unwrap(), factors.last().unwrap());
    assert!((0.0..=0.01).contains(&(advised - needed)), "{advised} for {needed}");
    let why = &report.infeasible[0];
    assert_eq!(why.code, InfeasibilityCode::TooSoft);
    assert!(why.message.contains("`initialise.stiffen_up_to`"), "{}", why.message);

    // The factor that the message names is enough.
    let (_, rest) = why.message.split_once("stiffen_up_to` of ").unwrap();
    let named: f64 = rest.split_once(',').unwrap().0.parse().unwrap();
    assert_eq!(named, advised);
    let report = Simulation::new(standing(named)).initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.infeasible.is_empty() && report.unattainable.elements == 0);
}

/// A baseline starts from the authored scene; a prepared asset brings the factors back.
#[test]
fn a_naive_start_is_as_stiff_as_authored() {
    let mut simulation = Simulation::new(standing(100.0));
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let asset = simulation.prepared_asset();
    assert!(asset.stiffening.iter().any(|factor| *factor > 1.0));
    let report = simulation.initialise(Method::Naive, &Unwatched).unwrap();
    assert_eq!((report.stiffened.elements, report.stiffened.max_factor), (0, 1.0));
    assert!(simulation.system.families[0].stiffening().iter().all(|factor| *factor == 1.0));
    simulation.restore(&asset).unwrap();
    assert_eq!(simulation.system.families[0].stiffening(), asset.stiffening);
    assert!(simulation.step(&Unwatched).unwrap().drift < 1e-8);
}
