//! Whether what balances stands stably: told by kicks, and by nothing else.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::scene::{DENSITY, GRAVITY, Particles, SPACING, lattice, run};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::sag_free::stability::nudge::{Nudge, NudgeError};
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{Conclusion, InitReport, NudgeReport, NudgeVerdict, Verdict};
use aplomb_sim::watch::{Cancelled, Unwatched, Watch};
use serde_json::json;

/// Points across columns, and how high they may be before they buckle under their weight, at a modulus of 1 Pa per N/m^3 and 1 m of radius of gyration
/// (Greenhill 1881): H^3 = 7.8373 E r^2 / (rho g).
const ACROSS: usize = 6;
const GREENHILL: f64 = 7.8373;

/// A column that sticks to a floor, so soft that it buckles where it is `high` times the height that it has.
fn column(layers: usize, high: f64, stepper: &str) -> Particles {
    let (side, height) = (ACROSS as f64 * SPACING, layers as f64 * SPACING);
    let mut column = Particles::elastic(&lattice([ACROSS, layers, ACROSS], 0.0), "neo_hookean");
    let young = (high * height).powi(3) * DENSITY * GRAVITY / (GREENHILL * side * side / 12.0);
    column.scene["bodies"][0]["as"]["particles"]["elastic"]["young"] = json!(young);
    column.floor(2.0);
    column.scene["simulate"]["stepper"] = json!(stepper);
    column
}

/// What is in balance, and what a nudge test says of it.
fn nudged(particles: &Particles) -> (Simulation, InitReport, NudgeReport) {
    let (mut simulation, mut report) = particles.initialised(Method::SagFree);
    assert_eq!((report.outcome.verdict, report.stability.as_ref().unwrap().verdict), (Conclusion::Holds, Verdict::NotTried));
    let before = simulation.state.clone();
    let nudge = simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
    assert_eq!((&simulation.state.positions, &simulation.state.velocities), (&before.positions, &before.velocities));
    assert_eq!((nudge.agrees, nudge.kicks.len()), (None, 2));
    report.take_nudge(&nudge);
    println!("{:?}", nudge.kicks.iter().map(|kick| (kick.verdict, kick.steps, kick.peak, kick.end)).collect::<Vec<_>>());
    (simulation, report, nudge)
}

/// Columns of material points buckle under their own weight where Euler's do, with either stepper; one that stands far enough below that stands, and comes back.
#[test]
fn columns_buckle_where_those_of_euler_do() {
    for stepper in ["mpm", "mpm_implicit"] {
        for (high, verdict, conclusion) in
            [(1.2, NudgeVerdict::Returns, Conclusion::Holds), (0.9, NudgeVerdict::Leaves, Conclusion::Unstable)]
        {
            let (_, report, nudge) = nudged(&column(16, high, stepper));
            println!("{stepper} {high}: {:?}", report.outcome);
            assert_eq!((nudge.verdict, report.outcome.verdict), (verdict, conclusion), "{stepper} {high}");
            assert!(report.outcome.holds && report.residual.after < 1e-11);
        }
    }
}

/// How fast a column falls over is its own affair: the rate is the same with parts of a step of other lengths.
#[test]
fn what_buckles_does_so_at_one_rate() {
    let rates = [1, 3].map(|finer| {
        let mut column = column(16, 0.8, "mpm");
        let (mut first, _) = column.initialised(Method::SagFree);
        let substeps = first.step(&Unwatched).unwrap().substeps;
        column.scene["simulate"]["grid"] = json!({ "substeps": finer * substeps });
        let (mut simulation, _) = column.initialised(Method::SagFree);
        let points = simulation.system.body_nodes();
        simulation.state.velocities[..points].iter_mut().for_each(|v| v.x += 1e-6);
        let mut aside = |seconds| {
            run(&mut simulation, seconds);
            (0..points).map(|n| simulation.state.positions[n].x - simulation.system.positions[n].x).fold(0.0, f64::max)
        };
        let (early, late) = (aside(2.0), aside(1.0));
        println!("{substeps} x {finer}: {early:.2e} m, {late:.2e} m");
        assert!(early > 1e-7 && late < 1e-2);
        (late / early).ln()
    });
    println!("{rates:?} /s");
    assert!(rates[0] > 0.5 && (rates[1] / rates[0] - 1.0).abs() < 0.05, "{rates:?}");
}

/// What grows is told by its growth, before it has gone anywhere; what stands is not.
#[test]
fn growth_is_seen_early() {
    for (high, verdict) in [(1.2, NudgeVerdict::Returns), (0.9, NudgeVerdict::Leaves)] {
        let (mut simulation, _) = column(16, high, "mpm").initialised(Method::SagFree);
        let early = Nudge { seconds: Some(0.6), velocity: None };
        let nudge = simulation.nudge(&early, &Unwatched).unwrap();
        println!("{high}: {:?}", nudge.kicks.iter().map(|kick| (kick.verdict, kick.steps, kick.peak, kick.end)).collect::<Vec<_>>());
        assert_eq!(nudge.verdict, verdict, "{high}");
        assert!(nudge.kicks.iter().all(|kick| kick.peak < 1e-3));
    }
}

/// What buckles and is caught nearby, where it comes to rest, has left all the same.
#[test]
fn what_is_caught_has_left() {
    let mut column = column(16, 0.9, "mpm_implicit");
    let (side, gap) = (ACROSS as f64 * SPACING, 3.6 * SPACING);
    for (name, point, normal) in [
        ("left", [-gap, 0.0, 0.0], [1, 0, 0]),
        ("right", [side + gap, 0.0, 0.0], [-1, 0, 0]),
        ("back", [0.0, 0.0, -gap], [0, 0, 1]),
        ("front", [0.0, 0.0, side + gap], [0, 0, -1]),
    ] {
        let wall = json!({ "name": name, "shape": { "half_space": { "point": point, "normal": normal } }, "friction": 0 });
        column.scene["obstacles"].as_array_mut().unwrap().push(wall);
    }
    let (_, report, nudge) = nudged(&column);
    assert_eq!((nudge.verdict, report.outcome.verdict), (NudgeVerdict::Leaves, Conclusion::Unstable));
}

/// A nudge is of the loads and obstacles that there are at first: a floor that goes within the first step is there to its end.
#[test]
fn what_goes_later_is_there() {
    for stepper in ["mpm", "mpm_implicit"] {
        let mut block = Particles::elastic(&lattice([6, 5, 7], 0.1), "neo_hookean");
        block.floor(0.5);
        block.scene["simulate"] = json!({ "stepper": stepper, "step_size": 0.02 });
        block.scene["obstacles"][0]["removed_at"] = json!(1e-3);
        let (_, report, nudge) = nudged(&block);
        assert_eq!((nudge.verdict, report.outcome.verdict), (NudgeVerdict::Returns, Conclusion::Holds), "{stepper}");
    }
}

/// Blocks of all laws, water and sand that stand between walls come back.
#[test]
fn what_stands_comes_back() {
    let mut random = Random::new(5);
    let mut scenes: Vec<(String, Particles)> = ["neo_hookean", "hencky", "stvk", "corotated"]
        .into_iter()
        .map(|law| {
            let mut block = Particles::elastic(&lattice([6, 5, 7], random.uniform(0.0, 0.2)), law);
            block.floor(random.uniform(0.3, 1.0));
            (law.to_owned(), block)
        })
        .collect();
    let mut tank = Particles::liquid(&lattice([8, 6, 8], 0.0), json!({ "stiffness": 4e4, "exponent": 7.0 }));
    tank.walls([8.0 * SPACING; 2]);
    scenes.push(("water".to_owned(), tank));
    for (name, scene) in scenes {
        let (_, report, nudge) = nudged(&scene);
        println!("{name}: {:?}", report.stability.as_ref().unwrap().reason);
        assert_eq!((nudge.verdict, report.outcome.verdict), (NudgeVerdict::Returns, Conclusion::Holds), "{name}");
    }
}

/// Nothing is nudged that was not found to be in balance, or that nothing says how to kick; a nudge is cancelled at once.
#[test]
fn what_cannot_be_nudged_is_told() {
    let still = column(6, 2.0, "mpm");
    let mut simulation = still.build();
    assert_eq!(simulation.nudge(&Nudge::default(), &Unwatched).unwrap_err(), NudgeError::NoEquilibrium);
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    assert_eq!(simulation.nudge(&Nudge::default(), &Unwatched).unwrap_err(), NudgeError::NoEquilibrium);
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    struct Impatient;
    impl Watch for Impatient {
        fn progress(&self, _: &str, _: f64) {}

        fn check(&self) -> Result<(), Cancelled> {
            Err(Cancelled)
        }
    }
    assert_eq!(simulation.nudge(&Nudge::default(), &Impatient).unwrap_err(), NudgeError::Cancelled(Cancelled));
    let (negative, seconds) = (Nudge { velocity: Some(-1.0), seconds: None }, Nudge { velocity: None, seconds: Some(0.1) });
    assert_eq!(simulation.nudge(&negative, &Unwatched).unwrap_err(), NudgeError::NotPositive);
    let found = simulation.nudge(&seconds, &Unwatched).unwrap();
    assert!(found.kicks.iter().all(|kick| (kick.steps as f64 * kick.step_size - 0.1).abs() < kick.step_size));

    // What slides away by itself, as the tolerance takes it for balanced.
    let mut slides = column(6, 2.0, "mpm");
    slides.scene["obstacles"][0]["friction"] = json!(0.0);
    slides.scene["gravity"] = json!([2.0, -GRAVITY, 0.0]);
    slides.scene["initialise"] = json!({ "tolerance": 0.9 });
    let (mut slides, report) = slides.initialised(Method::SagFree);
    assert!(report.residual.balanced);
    let told = slides.nudge(&seconds, &Unwatched).unwrap_err();
    assert!(matches!(told, NudgeError::MovesByItself { moved, left } if moved > 5e-3 && left < moved), "{told}");

    let mut weightless = still;
    weightless.scene["gravity"] = json!([0.0, 0.0, 0.0]);
    let (mut simulation, _) = weightless.initialised(Method::SagFree);
    assert_eq!(simulation.nudge(&Nudge::default(), &Unwatched).unwrap_err(), NudgeError::NoScale);
    let given = Nudge { velocity: Some(1e-3), seconds: Some(0.2) };
    assert_eq!(simulation.nudge(&given, &Unwatched).unwrap().verdict, NudgeVerdict::Returns);
    assert!(simulation.state.velocities.iter().all(|v| *v == Vec3::zeros()));
}
