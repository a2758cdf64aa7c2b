//! Bodies that come in later: what they do then, and that nothing knows of them before.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;

use aplomb_sim::rest_shape::RestMethod;
use aplomb_sim::sag_free::stability::nudge::Nudge;
use aplomb_sim::scene::BuildError;
use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::NudgeVerdict;
use aplomb_sim::step::StepError;
use aplomb_sim::watch::{Cancelled, Unwatched, Watch};
use serde_json::{Value, json};

/// A jelly cube of 0.2 m with its lower corner at `corner`, which comes in at `enters_at`.
fn cube(name: &str, corner: [f64; 3], enters_at: f64) -> Value {
    json!({
        "name": name, "mesh": "../assets/cube.mesh", "enters_at": enters_at, "transform": { "translate": corner },
        "material": { "law": "neo_hookean", "young": 3e4, "poisson": 0.4, "density": 1000, "damping": 0.002 },
    })
}

fn ground() -> Value {
    json!({ "name": "ground", "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } } })
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes"))
}

fn scene_of(bodies: Vec<Value>, obstacles: Vec<Value>, stepper: &str) -> Scene {
    let simulate = json!({ "stepper": stepper, "tolerance": 1e-4 });
    let scene = json!({ "version": 1, "name": "entrance", "bodies": bodies, "obstacles": obstacles, "simulate": simulate });
    scene_file::parse(&scene.to_string(), &folder().join("entrance.json")).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn built(bodies: Vec<Value>, obstacles: Vec<Value>, stepper: &str) -> Result<Simulation, BuildError> {
    Simulation::build(&scene_of(bodies, obstacles, stepper), folder(), &Unwatched)
}

fn steps(simulation: &mut Simulation, count: usize) {
    for _ in 0..count {
        simulation.step(&Unwatched).unwrap();
    }
}

/// Falling, landing and all: ten steps later, to the bit.
#[test]
fn a_body_that_comes_in_at_a_time_does_what_it_would_have_done_from_the_start() {
    // The midpoint rule, which damps nothing, in the air only.
    for (stepper, count) in [("backward_euler", 30), ("bdf2", 30), ("midpoint", 6)] {
        let start = [0.0, 0.03, 0.0];
        let mut moving = cube("cube", start, 0.0);
        moving["velocity"] = json!([0.3, 0, 0]);
        let mut early = built(vec![moving.clone()], vec![ground()], stepper).unwrap();
        moving["enters_at"] = json!(0.1);
        let mut late = built(vec![moving], vec![ground()], stepper).unwrap();
        steps(&mut late, 10);
        assert_eq!(late.state.positions, late.system.positions, "{stepper}: it is not there yet");
        assert!(late.state.velocities.iter().all(|v| v.norm() < 1e-12), "{stepper}");
        for step in 0..count {
            let (a, b) = (early.step(&Unwatched).unwrap(), late.step(&Unwatched).unwrap());
            assert_eq!(early.state.positions, late.state.positions, "{stepper}, step {step}");
            assert_eq!((a.kinetic, a.elastic, a.gravity, a.contacts, a.drift), (b.kinetic, b.elastic, b.gravity, b.contacts, b.drift));
        }
        let landed = early.step(&Unwatched).unwrap().contacts > 0;
        assert_eq!(landed, count == 30, "{stepper}");
    }
}

/// Before it comes in, the report counts it nowhere, and the balance of the other stays when it lands on it elsewhere.
#[test]
fn nobody_knows_of_a_body_that_is_not_there() {
    let bodies = vec![cube("below", [0.0, 1e-4, 0.0], 0.0), cube("above", [0.05, 0.25, 0.05], 0.2)];
    let mut simulation = built(bodies, vec![ground()], "backward_euler").unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert_eq!((report.bodies, report.elements, report.masses), (1, 625, 216));
    assert!(report.infeasible.is_empty() && report.residual.after < 1e-8, "{:?} {:?}", report.infeasible, report.residual);
    assert_eq!(report.compression.unwrap().histogram.counts.iter().sum::<usize>(), 625);
    let run = |simulation: &mut Simulation| -> Vec<_> { (0..60).map(|_| simulation.step(&Unwatched).unwrap().without_times()).collect() };
    let first = run(&mut simulation);
    assert!(first[19].drift < 1e-7 && first[19].gravity.abs() < 1e-6, "{:?}", first[19]);
    assert!(first[20].drift > 1e-5, "it falls from the step at 0.2 s on: {:?}", first[20]);
    assert!(first[20..].iter().any(|step| step.contacts > first[19].contacts), "it lands on the other");

    simulation.reset();
    assert_eq!(run(&mut simulation), first, "after going back to the start");
    let again = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert_eq!((again.bodies, again.residual.after), (1, report.residual.after), "from the end of a run");
    assert_eq!(run(&mut simulation), first, "after finding the rest state anew");

    let asset = simulation.prepared_asset();
    simulation.reset();
    simulation.restore(&asset).unwrap();
    assert_eq!(run(&mut simulation), first, "from the asset, which does not know when it was made");
}

/// Where something has moved into its place, the step is refused, and nothing has changed.
#[test]
fn a_body_does_not_come_in_where_there_is_another() {
    let hand = json!({
        "name": "hand", "shape": { "box": { "center": [1.0, 0.6, 0.1], "size": [0.1, 0.1, 0.1] } },
        "motion": { "keyframes": [{ "time": 0.15, "translate": [-1, 0, 0] }, { "time": 0.3, "translate": [-1, 0, 0.5] }] },
    });
    let mut simulation = built(vec![cube("late", [0.0, 0.5, 0.0], 0.15)], vec![hand], "backward_euler").unwrap();
    steps(&mut simulation, 15);
    let before = simulation.state.clone();
    let refused = simulation.step(&Unwatched).unwrap_err();
    assert!(matches!(&refused, StepError::Blocked { body, other, .. } if body == "late" && other == "hand"), "{refused}");
    assert!(refused.to_string().contains("`hand` is in its place near"), "{refused}");
    assert_eq!((simulation.state.time, &simulation.state.positions), (before.time, &before.positions));
    assert_eq!(simulation.system.entered, 0);
}

/// One after the other through the same place, once it is free again; at the same time, or where somebody is already, is refused.
#[test]
fn a_place_belongs_to_one_body_at_a_time() {
    let same = |second: f64| vec![cube("first", [0.0, 0.5, 0.0], 0.05), cube("second", [0.0, 0.5, 0.0], second)];
    let refused = built(same(0.05), vec![], "backward_euler").err().unwrap().to_string();
    assert!(refused.contains("bodies[1].transform") && refused.contains("body `first`"), "{refused}");
    let there = vec![cube("first", [0.0, 0.5, 0.0], 0.0), cube("second", [0.1, 0.55, 0.0], 0.4)];
    assert!(built(there, vec![], "backward_euler").is_err());

    let mut simulation = built(same(0.4), vec![], "backward_euler").unwrap();
    steps(&mut simulation, 45);
    let fallen = |body: usize| {
        let node = simulation.system.bodies[body].nodes.start;
        simulation.system.positions[node].y - simulation.state.positions[node].y
    };
    // Backward Euler falls g t (t + h) / 2.
    assert!((fallen(0) - 0.5 * 9.81 * 0.4 * 0.41).abs() < 1e-9, "{}", fallen(0));
    assert!((fallen(1) - 0.5 * 9.81 * 0.05 * 0.06).abs() < 1e-9, "{}", fallen(1));
}

/// What is asked of the given shape has the same answer when others have come in since, and the run goes on as if nobody had asked.
#[test]
fn nudge_rest_mesh_and_contacts_are_those_of_the_start_whoever_has_come_in() {
    let bodies = || vec![cube("below", [0.0, 1e-4, 0.0], 0.0), cube("above", [0.05, 0.25, 0.05], 0.1)];
    let mut simulation = built(bodies(), vec![ground()], "backward_euler").unwrap();
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let mut undisturbed = built(bodies(), vec![ground()], "backward_euler").unwrap();
    undisturbed.initialise(Method::SagFree, &Unwatched).unwrap();
    let ask = |simulation: &mut Simulation| {
        let nudge = simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
        let rest = simulation.rest_shape(RestMethod::Inverse, &Unwatched).unwrap();
        assert!(nudge.agrees == Some(true) && nudge.verdict == NudgeVerdict::Returns, "{nudge:?}");
        assert!(rest.report.exists, "{:?}", rest.report);
        let kicks: Vec<_> = nudge.kicks.iter().map(|kick| (kick.peak, kick.end, kick.contacts_after)).collect();
        (kicks, rest.positions, simulation.find_contacts(1e-3))
    };
    let first = ask(&mut simulation);
    steps(&mut simulation, 15);
    assert_eq!(simulation.system.entered, 1);
    assert_eq!(ask(&mut simulation), first);
    assert_eq!(simulation.system.entered, 1);
    steps(&mut simulation, 5);
    steps(&mut undisturbed, 20);
    assert_eq!(simulation.state.positions, undisturbed.state.positions);
}

struct Stop;

impl Watch for Stop {
    fn progress(&self, _stage: &str, _done: f64) {}
    fn check(&self) -> Result<(), Cancelled> {
        Err(Cancelled)
    }
}

/// Whoever cancels a step and takes it again gets what he would have got at once, also when a body comes in during it.
#[test]
fn a_cancelled_entrance_leaves_no_trace() {
    for stepper in ["backward_euler", "bdf2", "midpoint"] {
        let bodies = || vec![cube("early", [1.0, 0.5, 0.0], 0.0), cube("late", [0.0, 0.5, 0.0], 0.05)];
        let mut simulation = built(bodies(), vec![], stepper).unwrap();
        let mut cancelled = built(bodies(), vec![], stepper).unwrap();
        for step in 0..10 {
            assert!(matches!(cancelled.step(&Stop), Err(StepError::Cancelled(_))));
            steps(&mut cancelled, 1);
            steps(&mut simulation, 1);
            assert_eq!(simulation.state.positions, cancelled.state.positions, "{stepper}, step {step}");
        }
        assert_eq!(simulation.system.entered, 1);
    }
}
