//! Meshes from outside: they hold, as the made ones do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;

use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InitReport;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::shared_mesh;
use serde_json::json;

fn build(scene: serde_json::Value) -> Simulation {
    let scene: Scene = serde_json::from_value(scene).unwrap();
    Simulation::build(&scene, Path::new("/"), &Unwatched).unwrap()
}

/// Report of the sag-free start, and the largest drift over `steps` steps after it.
fn held(simulation: &mut Simulation, steps: usize) -> (InitReport, f64) {
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    (report, drift(simulation, steps))
}

fn drift(simulation: &mut Simulation, steps: usize) -> f64 {
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

/// It stands on the tip of one arm, a tenth of its height: a slender support under all of its weight.
#[test]
fn octopus_on_the_tip_of_an_arm_holds() {
    let Some(mesh) = shared_mesh("tet/octopus.mesh") else { return };
    let mut simulation = build(json!({
        "version": 1, "name": "octopus",
        "bodies": [{
            "name": "octopus", "mesh": mesh.canonicalize().unwrap(),
            "material": { "law": "neo_hookean", "young": 2e9, "poisson": 0.4, "density": 1000 },
            "regions": [{ "name": "tip", "role": { "dirichlet": {} }, "select": [{ "height": { "axis": "y", "from": 0, "to": 0.1 } }] }]
        }]
    }));
    let (report, drift) = held(&mut simulation, 20);
    assert_eq!(report.unattainable.elements, 0);
    assert!(report.residual.after <= 1e-8, "{}", report.residual.after);
    assert!(drift <= 1e-6, "{drift}");
}

#[test]
fn spot_stands_on_its_feet_by_contact_alone() {
    let Some(mesh) = shared_mesh("tet/spot.mesh") else { return };
    let mut simulation = build(json!({
        "version": 1, "name": "spot",
        "bodies": [{
            "name": "spot", "mesh": mesh.canonicalize().unwrap(),
            "material": { "law": "neo_hookean", "young": 1e6, "poisson": 0.4, "density": 1000 }
        }],
        "contact": { "detection_distance": 5e-3, "barrier_distance": 5e-3 },
        "obstacles": [{ "name": "ground", "shape": { "half_space": { "point": [0, -0.7369, 0], "normal": [0, 1, 0] } }, "friction": 0.6 }]
    }));
    let (report, drift) = held(&mut simulation, 30);
    assert!(report.residual.after <= 1e-8, "{}", report.residual.after);
    assert!(report.contact.min_normal_force.unwrap() >= 0.0 && report.contact.max_cone_violation <= 1e-9);
    assert!(drift <= 1e-6, "{drift}");
}
