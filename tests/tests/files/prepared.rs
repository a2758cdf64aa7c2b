//! A prepared asset is for the scene that it was made of: whatever key of that changes, it is refused by the key's name, but for the few
//! that have no say in rest states and contact forces.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aplomb_sim::export::PreparedAsset;
use aplomb_sim::scene::Method;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Block, Blocks};
use serde_json::{Value, json};

/// A block on the ground that is pushed, blown at and pressed later, beside things that come and go.
fn busy() -> Blocks {
    let mut block = Block::jelly([0.2, 0.1, 0.2], [2, 2, 2], [0.0, 0.05, 0.0], 2e5);
    block.material["damping"] = json!(0.01);
    let top = json!([{ "height": { "axis": "y", "from": 1.0, "to": 1.0 } }]);
    block.regions = json!([
        { "name": "pushed", "role": { "traction": { "force": [1.0, -2.0, 0.5], "ramp": 0.5 } }, "select": top },
        { "name": "pressed", "role": { "pressure": { "pressure": 20.0, "ramp": 0.25 } }, "select": top },
        { "name": "rough", "role": { "contact": { "friction": 0.7 } }, "select": [{ "height": { "axis": "y", "from": 0.0, "to": 0.0 } }] },
    ]);
    let keyframes = json!([{ "time": 0.0, "translate": [0, 0, 0] }, { "time": 1.0, "translate": [0, -0.5, 0] }]);
    let mut blocks = Blocks::new(
        &[block],
        &json!({
            "gravity": [0.1, -9.81, 0.0],
            "wind": { "velocity": [1.0, 0.0, 0.5], "density": 1.2, "drag": 1.1, "from": 0.75 },
            "obstacles": [
                { "name": "ground", "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } }, "friction": 0.6, "removed_at": 3.0 },
                { "name": "ball", "shape": { "sphere": { "center": [0.0, 1.5, 0.0], "radius": 0.2 } }, "friction": 0.5, "motion": { "keyframes": keyframes } },
            ],
            "contact": {
                "detection_distance": 2e-3, "barrier_distance": 1e-3, "friction_slip": 1e-6, "friction": 0.4, "between_bodies": true,
                "self_contact": false, "separate": false, "stiffness": 1.0, "friction_iterations": 2
            },
            "initialise": {
                "friction_fraction": 0.9, "regularization": 1e-13, "tolerance": 1e-8, "stiffen_up_to": 1.5, "tension": 0.0,
                "softest_modes": 4, "compare_cures": false
            },
            "simulate": { "step_size": 0.01, "tolerance": 1e-6, "max_iterations": 100, "max_substep_halvings": 6, "ramp": 0.0 }
        }),
    );
    let body = &mut blocks.scene["bodies"][0];
    (body["velocity"], body["spin"], body["enters_at"]) = (json!([0.0, 0.0, 0.0]), json!([0.0, 0.0, 0.0]), json!(0.0));
    blocks
}

/// Keys that may change, however they are nested.
const FREE: &[&str] =
    &["version", "velocity", "spin", "damping", "softest_modes", "compare_cures", "step_size", "max_iterations", "max_substep_halvings"];

fn is_free(pointer: &str) -> bool {
    let keys: Vec<&str> = pointer.split('/').collect();
    // The wind's velocity is another.
    !pointer.starts_with("/wind") && (keys.iter().any(|key| FREE.contains(key)) || pointer == "/simulate/tolerance")
}

fn leaves(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| leaves(value, format!("{path}/{key}"), found)),
        Value::Array(values) => values.iter().enumerate().for_each(|(i, value)| leaves(value, format!("{path}/{i}"), found)),
        Value::Number(_) | Value::Bool(_) => found.push(path),
        _ => {}
    }
}

#[test]
fn an_asset_is_refused_where_a_key_changed_that_matters() {
    let mut blocks = busy();
    let mut simulation = blocks.build().unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.outcome.holds, "{:?}", report.outcome);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("asset.npz");
    simulation.prepared_asset().write(&file).unwrap();
    let asset = PreparedAsset::read(&file).unwrap();
    blocks.build().unwrap().restore(&asset).unwrap();

    let given = blocks.scene.clone();
    let mut pointers = Vec::new();
    leaves(&given, String::new(), &mut pointers);
    let (mut refused, mut taken, mut unfit) = (Vec::new(), Vec::new(), Vec::new());
    for pointer in pointers {
        let value = blocks.scene.pointer_mut(&pointer).unwrap();
        *value = match &*value {
            Value::Bool(yes) => json!(!yes),
            number if number.is_u64() && !pointer.contains("/shape/") && !pointer.contains("/translate/") => {
                json!(number.as_u64().unwrap() + 1)
            }
            number if number.as_f64() == Some(0.0) => json!(0.01),
            number => json!(0.97 * number.as_f64().unwrap()),
        };
        match blocks.build() {
            Err(_) => unfit.push(pointer.clone()),
            Ok(mut simulation) => match simulation.restore(&asset) {
                Ok(()) => taken.push(pointer.clone()),
                Err(why) => {
                    assert!(why.contains("changed since the asset was prepared") || why.contains("friction of a contact was"), "{why}");
                    refused.push(pointer.clone());
                }
            },
        }
        blocks.scene = given.clone();
    }
    println!("refused {}, taken {taken:?}, no scene {unfit:?}", refused.len());
    assert!(taken.iter().all(|pointer| is_free(pointer)), "{taken:?}");
    assert!(refused.iter().all(|pointer| !is_free(pointer)), "{refused:?}");
    assert!(taken.len() >= 10 && refused.len() >= 50 && unfit.len() <= 15);
}

/// By the name of the key.
#[test]
fn what_changed_is_named() {
    let mut blocks = busy();
    let mut simulation = blocks.build().unwrap();
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let asset = simulation.prepared_asset();
    let edits = [
        ("/obstacles/0/removed_at", "obstacles[0].removed_at"),
        ("/obstacles/1/motion/keyframes/1/time", "obstacles[1].motion.keyframes[1].time"),
        ("/bodies/0/regions/0/role/traction/ramp", "bodies[0].regions[0].role.traction.ramp"),
        ("/contact/barrier_distance", "contact.barrier_distance"),
        ("/contact/detection_distance", "contact.detection_distance"),
        ("/wind/from", "wind.from"),
    ];
    for (pointer, named) in edits {
        let before = blocks.scene.pointer(pointer).unwrap().clone();
        *blocks.scene.pointer_mut(pointer).unwrap() = json!(1.1 * before.as_f64().unwrap());
        let why = blocks.build().unwrap().restore(&asset).unwrap_err();
        assert!(why.starts_with(&format!("`{named}` ")), "{named}: {why}");
        *blocks.scene.pointer_mut(pointer).unwrap() = before;
    }
    blocks.build().unwrap().restore(&asset).unwrap();
}
