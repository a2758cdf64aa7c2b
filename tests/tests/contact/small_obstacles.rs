//! Obstacles that are smaller than the triangles that meet them: they are kept out of bodies by the triangles, and not by vertices alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;

use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

/// A jelly cube of 0.2 m, with vertices every 0.04 m, that is thrown down onto an obstacle between four of them.
fn thrown_onto(shape: &Value, speed: f64, stepper: &str) -> Simulation {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes"));
    let scene = json!({
        "version": 1, "name": "small obstacle",
        "bodies": [{
            "name": "cube", "mesh": "../assets/cube.mesh", "velocity": [0, -speed, 0], "transform": { "translate": [0, 0.005, 0] },
            "material": { "law": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000 },
        }],
        "obstacles": [{ "name": "small", "shape": shape }],
        "simulate": { "stepper": stepper, "step_size": 0.005, "tolerance": 1e-4 },
    });
    let scene = scene_file::parse(&scene.to_string(), &folder.join("small.json")).unwrap_or_else(|problems| panic!("{problems:?}"));
    Simulation::build(&scene, folder, &Unwatched).unwrap()
}

/// Whether a tetrahedron of the body holds the point.
fn is_swallowed(simulation: &Simulation, point: &Vec3) -> bool {
    let x = &simulation.state.positions;
    simulation.system.tets().iter().any(|tet| {
        let [a, b, c, d] = tet.map(|n| x[n as usize]);
        let weights = Mat3::from_columns(&[b - a, c - a, d - a]).try_inverse().unwrap() * (point - a);
        weights.min() >= 0.0 && weights.sum() <= 1.0
    })
}

#[test]
fn no_body_swallows_an_obstacle_smaller_than_its_triangles() {
    let (x, z) = (0.093, 0.107);
    let shapes = [
        (json!({ "sphere": { "center": [x, -0.006, z], "radius": 0.005 } }), [x, -0.006, z]),
        (json!({ "capsule": { "from": [x, -0.006, z], "to": [x, -0.1, z], "radius": 0.005 } }), [x, -0.006, z]),
        (json!({ "box": { "center": [x, -0.051, z], "size": [0.008, 0.1, 0.008] } }), [x, -0.002, z]),
    ];
    for (shape, inside) in &shapes {
        for (speed, stepper) in [(0.2, "backward_euler"), (0.5, "midpoint"), (1.0, "bdf2"), (3.0, "backward_euler")] {
            let mut simulation = thrown_onto(shape, speed, stepper);
            let mut touched = false;
            for _ in 0..14 {
                touched |= simulation.step(&Unwatched).unwrap().contacts > 0;
                assert!(!is_swallowed(&simulation, &Vec3::from(*inside)), "{shape} at {speed} m/s, {stepper}");
            }
            assert!(touched, "{shape} at {speed} m/s, {stepper}");
        }
    }
}
