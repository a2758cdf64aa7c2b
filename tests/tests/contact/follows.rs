//! Regions that go along with an obstacle, as if they were sewn to it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet};
use serde_json::{Value, json};

/// A cape that hangs from its upper edge behind a ball; the edge goes along with what is called `follows`.
fn cape(follows: &Value, obstacle: &Value) -> Sheet {
    let mut sheet = Sheet::new([6, 6], Cut::Cross, |u, v| Vec3::new(0.3 * u - 0.15, 0.2 - 0.4 * v, -0.15));
    sheet.cloth(&json!({ "stiffness": 500.0, "bending_stiffness": 1e-3, "density": 0.2, "thickness": 0.001 }));
    sheet.hold(|_, v| v == 0.0);
    sheet.scene["bodies"][0]["regions"][0]["role"] = json!({ "dirichlet": follows });
    sheet.scene["obstacles"] = json!([obstacle]);
    sheet.scene["simulate"] = json!({ "step_size": 0.01 });
    sheet
}

fn ball(motion: &Value) -> Value {
    let mut ball = json!({ "name": "head", "shape": { "sphere": { "center": [0, 0.25, 0], "radius": 0.1 } } });
    if !motion.is_null() {
        ball["motion"] = motion.clone();
    }
    ball
}

/// What is in the upper edge, now and as given.
fn edge(simulation: &Simulation) -> Vec<(Vec3, Vec3)> {
    let (given, now) = (&simulation.system.positions, &simulation.state.positions);
    given
        .iter()
        .zip(now)
        .take(simulation.system.body_nodes())
        .filter(|(given, _)| given.y == 0.2)
        .map(|(given, now)| (*given, *now))
        .collect()
}

#[test]
fn pins_go_where_the_obstacle_goes_and_the_rest_hangs_still_until_then() {
    let keyframes = json!([{ "time": 0.2 }, { "time": 0.4, "translate": [0.1, 0, 0.2], "rotate": { "axis": [0, 1, 0], "degrees": 60 } }]);
    let sheet = cape(&json!({ "follows": "head" }), &ball(&json!({ "keyframes": keyframes })));
    let mut simulation = sheet.build().unwrap();
    assert!(simulation.system.driven.is_sorted_by_key(|driven| driven.node));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.outcome.holds && report.residual.after < 1e-10, "{:?}", report.residual);
    for _ in 0..20 {
        assert!(simulation.step(&Unwatched).unwrap().drift < 1e-10);
    }
    for _ in 0..20 {
        simulation.step(&Unwatched).unwrap();
    }
    // About the middle of the ball, and along with it.
    let (middle, turn) = (Vec3::new(0.0, 0.25, 0.0), 60_f64.to_radians());
    let edge = edge(&simulation);
    assert_eq!(edge.len(), 7);
    for (given, now) in edge {
        let from = given - middle;
        let turned = Vec3::new(turn.cos() * from.x + turn.sin() * from.z, from.y, turn.cos() * from.z - turn.sin() * from.x);
        assert!((now - (middle + turned + Vec3::new(0.1, 0.0, 0.2))).norm() < 1e-12, "{given:?} is at {now:?}");
    }
}

#[test]
fn pins_stay_where_the_obstacle_stays() {
    let mut simulation = cape(&json!({ "follows": "head" }), &ball(&Value::Null)).build().unwrap();
    assert!(simulation.system.driven.is_empty());
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    for _ in 0..10 {
        simulation.step(&Unwatched).unwrap();
    }
    assert!(edge(&simulation).iter().all(|(given, now)| given == now));
}

#[test]
fn what_cannot_follow_is_told_where_it_stands() {
    let moving = ball(&json!({ "keyframes": [{ "time": 1.0, "translate": [1, 0, 0] }] }));
    let slip = json!({ "follows": "head", "slip": [0, 1, 0] });
    for (role, words) in [
        (json!({ "follows": "heat" }), &["role.dirichlet.follows", "there is no obstacle `heat`", "head"][..]),
        (slip, &["role.dirichlet.slip", "follow an obstacle"]),
        (json!({ "follows": "head", "motion": { "keyframes": [{ "time": 1.0 }] } }), &["role.dirichlet.motion", "follow an obstacle"]),
    ] {
        let told = cape(&role, &moving).build().err().unwrap();
        assert!(words.iter().all(|word| told.contains(word)), "{told}");
    }
    let mut late = cape(&json!({ "follows": "head" }), &moving);
    late.scene["bodies"][0]["enters_at"] = json!(0.5);
    let told = late.build().err().unwrap();
    assert!(told.contains("role.dirichlet.follows") && told.contains("enters_at"), "{told}");
}
