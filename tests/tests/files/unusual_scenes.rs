//! Scenes at the edge of what makes sense: they must give an answer in words or numbers, never a panic, a hang or NaN.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::atomic::{AtomicUsize, Ordering};

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InfeasibilityCode;
use aplomb_sim::step::StepError;
use aplomb_sim::watch::{Cancelled, Unwatched, Watch};
use serde_json::{Value, json};

const METHODS: [Method; 4] = [Method::SagFree, Method::NoContact, Method::PinnedContacts, Method::Naive];

/// A cube of jelly whose lowest vertices are at this height [m].
fn cube(name: &str, at: [f64; 3]) -> Value {
    json!({
        "name": name,
        "mesh": "../assets/jelly_box.mesh",
        "transform": { "translate": at },
        "material": { "law": "neo_hookean", "young": 15000.0, "poisson": 0.4, "density": 1000 }
    })
}

fn ground(friction: f64) -> Value {
    json!({ "name": "ground", "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } }, "friction": friction })
}

fn build(scene: &Value) -> Simulation {
    let file = aplomb_tests::repository().join("scenes/unusual.json");
    let mut scene = scene.clone();
    scene["version"] = json!(1);
    scene["name"] = json!("unusual");
    let scene = scene_file::parse(&scene.to_string(), &file).unwrap_or_else(|problems| panic!("{problems:?}"));
    Simulation::build(&scene, file.parent().unwrap(), &Unwatched).unwrap()
}

fn assert_finite(simulation: &Simulation) {
    assert!(simulation.state.positions.iter().chain(&simulation.state.velocities).all(|x| x.iter().all(|c| c.is_finite())));
}

#[test]
fn a_body_that_is_fixed_everywhere_stays() {
    let mut body = cube("statue", [0.0; 3]);
    body["regions"] = json!([{ "name": "all", "role": { "dirichlet": {} }, "select": [{ "all": {} }] }]);
    let mut simulation = build(&json!({ "bodies": [body], "obstacles": [ground(0.5)] }));
    for method in METHODS {
        let report = simulation.initialise(method, &Unwatched).unwrap();
        assert_eq!(report.residual.after, 0.0, "{method:?}");
        assert!(report.infeasible.is_empty());
        assert_eq!(simulation.step(&Unwatched).unwrap().drift, 0.0);
    }
}

#[test]
fn without_gravity_nothing_is_asked_and_nothing_moves() {
    for obstacles in [json!([]), json!([ground(0.5)])] {
        let mut simulation = build(&json!({ "gravity": [0, 0, 0], "bodies": [cube("jelly", [0.0; 3])], "obstacles": obstacles }));
        for method in METHODS {
            let report = simulation.initialise(method, &Unwatched).unwrap();
            assert!(report.residual.after <= 1e-8, "{method:?}: {}", report.residual.after);
            assert!(report.infeasible.is_empty(), "{:?}", report.infeasible);
            for _ in 0..3 {
                let stats = simulation.step(&Unwatched).unwrap();
                assert!(stats.drift < 1e-12 && stats.residual.is_finite(), "{method:?}: {stats:?}");
            }
        }
        // Thrown at the ground it bounces or stops, but does not go through.
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        simulation.kick(Vec3::new(0.0, -0.5, 0.0));
        for _ in 0..10 {
            simulation.step(&Unwatched).unwrap();
        }
        assert_finite(&simulation);
    }
}

/// Only the body that is at fault is named, and the other one is in balance all the same.
#[test]
fn of_several_bodies_only_the_one_at_fault_is_named() {
    let scene = json!({ "bodies": [cube("floating", [0.0, 0.3, 0.0]), cube("standing", [1.0, 0.0, 0.0])], "obstacles": [ground(0.5)] });
    let report = build(&scene).initialise(Method::SagFree, &Unwatched).unwrap();
    let found: Vec<_> = report.infeasible.iter().map(|i| (i.code, i.body.as_str())).collect();
    assert_eq!(found, [(InfeasibilityCode::Unsupported, "floating")], "{:?}", report.infeasible);

    // One floats, one slips: each gets its own reason.
    let slope = json!({ "name": "slope", "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } }, "friction": 0.2 });
    let scene = json!({
        "gravity": [3.36, -9.22, 0],
        "bodies": [cube("floating", [0.0, 0.3, 0.0]), cube("slipping", [1.0, 0.0, 0.0])],
        "obstacles": [slope]
    });
    let report = build(&scene).initialise(Method::SagFree, &Unwatched).unwrap();
    let found: Vec<_> = report.infeasible.iter().map(|i| (i.code, i.body.as_str())).collect();
    let expected = [(InfeasibilityCode::Unsupported, "floating"), (InfeasibilityCode::TooLittleFriction, "slipping")];
    assert_eq!(found, expected, "{:?}", report.infeasible);
}

#[test]
fn an_obstacle_that_is_gone_from_the_start_holds_nothing() {
    let mut gone = ground(0.5);
    gone["removed_at"] = json!(0.0);
    let mut simulation = build(&json!({ "bodies": [cube("jelly", [0.0; 3])], "obstacles": [gone] }));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert_eq!(report.infeasible[0].code, InfeasibilityCode::Unsupported);
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    for _ in 0..10 {
        simulation.step(&Unwatched).unwrap();
    }
    // Backward Euler falls by g t (t + h) / 2.
    let fallen = simulation.system.positions[0].y - simulation.state.positions[0].y;
    assert!((fallen - 0.5 * 9.81 * 0.1 * 0.11).abs() < 1e-6, "{fallen}");
}

#[test]
fn without_friction_a_box_on_the_level_stands() {
    let mut simulation = build(&json!({ "bodies": [cube("jelly", [0.0; 3])], "obstacles": [ground(0.0)] }));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.infeasible.is_empty(), "{:?}", report.infeasible);
    assert!(report.residual.after <= 1e-8, "{}", report.residual.after);
    assert!(report.contact.max_cone_violation <= 1e-9, "{}", report.contact.max_cone_violation);
    let drift = (0..50).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
    assert!(drift <= 1e-7, "{drift}");
}

/// Cancels when it is asked for the n-th time.
struct Impatient {
    patience: usize,
    asked: AtomicUsize,
}

impl Watch for Impatient {
    fn progress(&self, _stage: &str, _done: f64) {}
    fn check(&self) -> Result<(), Cancelled> {
        if self.asked.fetch_add(1, Ordering::Relaxed) >= self.patience { Err(Cancelled) } else { Ok(()) }
    }
}

/// Wherever an initialisation or a step is cancelled, the simulation goes on as if nobody had started it.
#[test]
fn a_cancelled_call_changes_nothing() {
    let scene = json!({ "bodies": [cube("jelly", [0.0; 3])], "obstacles": [ground(0.5)] });
    let rest = |simulation: &Simulation| simulation.system.families[0].rest_numbers();
    let mut untouched = build(&scene);
    let mut disturbed = build(&scene);
    for simulation in [&mut untouched, &mut disturbed] {
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        simulation.kick(Vec3::new(0.01, 0.0, 0.02));
        simulation.step(&Unwatched).unwrap();
    }
    let mut cancelled = 0;
    for patience in 0.. {
        let watch = Impatient { patience, asked: AtomicUsize::new(0) };
        if disturbed.initialise(Method::SagFree, &watch).is_ok() {
            break;
        }
        cancelled += 1;
        let watch = Impatient { patience: patience.min(1), asked: AtomicUsize::new(0) };
        assert!(patience > 0 || disturbed.step(&watch).is_err());
        assert_eq!(rest(&disturbed), rest(&untouched));
        assert_eq!(disturbed.balance.contacts, untouched.balance.contacts);
        if patience == 0 {
            assert_eq!(disturbed.state.positions, untouched.state.positions);
        }
        let (a, b) = (untouched.step(&Unwatched), disturbed.step(&Unwatched));
        assert_eq!(a.unwrap().residual, b.unwrap().residual, "cancelled after {patience}");
        assert_eq!(disturbed.state.positions, untouched.state.positions, "cancelled after {patience}");
    }
    assert!(cancelled > 5, "{cancelled}");
}

fn slip(name: &str, normal: [f64; 3], axis: &str, to: f64) -> Value {
    json!({ "name": name, "role": { "dirichlet": { "slip": normal } }, "select": [{ "height": { "axis": axis, "from": 0, "to": to } }] })
}

/// A cube whose sole slides on a plane stands on it, however oblique, when its load points straight at the plane.
#[test]
fn a_body_may_stand_on_a_plane_along_which_it_slides() {
    for gravity in [[0.0, -9.81, 0.0], [0.0, -9.81, 3.0]] {
        let mut body = cube("jelly", [0.0; 3]);
        body["regions"] = json!([slip("sole", [0.0, 2.0, 0.0], "y", 0.0), slip("side", [1.0, 0.0, 0.0], "x", 0.0)]);
        let mut simulation = build(&json!({ "gravity": gravity, "bodies": [body] }));
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        if gravity[2] == 0.0 {
            assert!(report.residual.after < 1e-10, "{}", report.residual.after);
            assert!(report.infeasible.is_empty(), "{:?}", report.infeasible);
            for _ in 0..5 {
                assert!(simulation.step(&Unwatched).unwrap().drift < 1e-9);
            }
        } else {
            // Nothing holds it along z.
            assert_eq!(report.infeasible[0].code, InfeasibilityCode::Unsupported, "{:?}", report.infeasible);
            assert!(report.infeasible[0].message.contains("slides"), "{}", report.infeasible[0].message);
        }
        let moved = simulation.system.slides.iter().map(|(node, projector)| {
            let n = *node as usize;
            let step = simulation.state.positions[n] - simulation.system.positions[n];
            (step - projector * step).norm()
        });
        assert!(moved.fold(0.0, f64::max) < 1e-15);
    }
}

/// Half of a cube, cut along a plane of symmetry, stands on the ground as the whole one does.
#[test]
fn a_plane_of_symmetry_goes_together_with_contact() {
    let mut body = cube("jelly", [0.0; 3]);
    body["regions"] = json!([slip("cut", [1.0, 0.0, 0.0], "x", 0.0)]);
    let mut simulation = build(&json!({ "bodies": [body], "obstacles": [ground(0.3)] }));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.infeasible.is_empty(), "{:?}", report.infeasible);
    assert!(report.residual.after <= 1e-8, "{}", report.residual.after);
    assert!(report.contact.max_cone_violation <= 1e-9, "{}", report.contact.max_cone_violation);
    let drift = (0..10).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
    assert!(drift <= 1e-7, "{drift}");
}

/// Tractions, pressure and wind at time zero are part of what the given shape carries.
#[test]
fn the_given_shape_carries_loads_on_faces() {
    let mut body = cube("jelly", [0.0; 3]);
    let lid = json!([{ "height": { "axis": "y", "from": 1, "to": 1 } }]);
    body["regions"] = json!([
        { "name": "foot", "role": { "dirichlet": {} }, "select": [{ "height": { "axis": "y", "from": 0, "to": 0 } }] },
        { "name": "pulled", "role": { "traction": { "force": [50, 200, 0] } }, "select": lid },
        { "name": "blown", "role": { "pressure": { "pressure": 100 } }, "select": [{ "height": { "axis": "x", "from": 0, "to": 0 } }] }
    ]);
    let mut simulation = build(&json!({ "bodies": [body], "wind": { "velocity": [0, 0, 3] } }));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after < 1e-9, "{}", report.residual.after);
    let drift = (0..10).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
    assert!(drift <= 1e-7, "{drift}");
}

/// A program may ask for what no scene file can: it is told so, and nothing else is done instead.
#[test]
fn a_stepper_that_there_is_not_takes_no_step() {
    let mut simulation = build(&json!({ "bodies": [cube("jelly", [0.0; 3])], "obstacles": [ground(0.5)] }));
    simulation.system.simulate.stepper = "magic".into();
    let error = simulation.step(&Unwatched).unwrap_err();
    assert!(matches!(&error, StepError::UnknownStepper { name } if name == "magic"), "{error}");
    assert!(error.to_string().contains("backward_euler"), "{error}");
}
