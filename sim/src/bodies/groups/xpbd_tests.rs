//! Bodies of groups stepped by position: at rest where they are undeformed, exact from a sag-free start, and what moves keeps its momentum.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use serde_json::json;

use crate::math::Vec3;
use crate::math::random::Random;
use crate::scene::{Method, Preload, Scene};
use crate::simulation::Simulation;
use crate::watch::Unwatched;

/// A bar of 0.4 x 0.1 x 0.1 m, cut into cells, held at one end if it is to be.
fn bar(law: &str, young: f64, cell: f64, held: bool, gravity: f64) -> Simulation {
    let mesh = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../assets/bar_surface.obj");
    let mut body = json!({
        "name": "bar",
        "mesh": mesh.to_string_lossy(),
        "transform": { "scale": 0.5 },
        "as": { "groups": {
            "material": { "law": law, "young": young, "poisson": 0.3, "density": 1000.0 },
            "of": "cells",
            "size": cell,
        } },
    });
    if held {
        let select = json!([{ "height": { "axis": "x", "from": 0.0, "to": 0.01 } }]);
        body["regions"] = json!([{ "name": "wall", "color": [1, 2, 3], "role": { "dirichlet": {} }, "select": select }]);
    }
    let scene: Scene = serde_json::from_value(json!({
        "version": 1,
        "name": "bar",
        "gravity": [0.0, -gravity, 0.0],
        "bodies": [body],
        "contact": { "between_bodies": false, "self_contact": false },
        "simulate": { "stepper": "xpbd", "step_size": FRAME, "projection": { "substeps": 20, "sweeps": 1 } },
    }))
    .unwrap();
    Simulation::build(&scene, &PathBuf::from("."), &Unwatched).unwrap()
}

const FRAME: f64 = 1.0 / 60.0;

/// The largest drift within so many seconds.
fn drift(simulation: &mut Simulation, seconds: f64) -> f64 {
    let steps = (seconds / FRAME).round() as usize;
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

#[test]
fn an_undeformed_bar_without_gravity_stays() {
    for law in ["stable_neo_hookean", "stvk", "arap"] {
        for held in [true, false] {
            let mut simulation = bar(law, 2e5, 0.05, held, 0.0);
            simulation.system.simulate.projection.preload = Preload::None;
            simulation.initialise(Method::Naive, &Unwatched).unwrap();
            let found = drift(&mut simulation, 1.0);
            println!("{law} {held}: {found:e}");
            assert!(found <= 1e-10, "{law} {held}: {found:e}");
        }
    }
}

/// The balance of multipliers and of what the filter carries is exact; without either it sags. A kick stays small and falls.
#[test]
fn a_bar_that_hangs_stays_where_it_was_given() {
    let run = |method: Method, preload: Preload| {
        let mut simulation = bar("stable_neo_hookean", 4e5, 0.05, true, 9.81);
        simulation.system.simulate.projection.substeps = 50;
        simulation.system.simulate.projection.preload = preload;
        let report = simulation.initialise(method, &Unwatched).unwrap();
        (drift(&mut simulation, 2.0), report.residual.after, simulation)
    };
    let (still, residual, mut simulation) = run(Method::SagFree, Preload::Multipliers);
    assert!(residual < 1e-10, "{residual:e}");
    let (plain, _, _) = run(Method::SagFree, Preload::None);
    let (naive, _, _) = run(Method::Naive, Preload::None);
    println!("preload {still:e}, without {plain:e}, naive {naive:e}");
    assert!(still < 1e-10 && plain > 1e3 * still && naive > 1e-2, "{still:e} {plain:e} {naive:e}");
    simulation.kick(Vec3::new(0.0, 0.0, 0.02));
    let kicked = drift(&mut simulation, 1.0);
    let later = drift(&mut simulation, 1.0);
    println!("kicked: {kicked:e}, then {later:e}");
    assert!(kicked > 1e-5 && kicked < 2e-2 && later < kicked, "{kicked:e} {later:e}");
}

/// What moves freely keeps its momentum and, but for what shrinks with the substeps, its angular momentum; and falls as everything falls.
#[test]
fn free_bars_keep_their_momentum() {
    let mut simulation = bar("stable_neo_hookean", 1e5, 0.05, false, 0.0);
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    let mut random = Random::new(3);
    let (x, masses) = (simulation.state.positions.clone(), simulation.system.masses.clone());
    let spin = Vec3::new(1.0, 2.0, -0.5);
    for (v, x) in simulation.state.velocities.iter_mut().zip(&x) {
        *v = Vec3::new(0.3, -0.2, 0.1) + spin.cross(x) + random.vector(-0.05, 0.05);
    }
    let momenta = |simulation: &Simulation| {
        let all = simulation.state.positions.iter().zip(&simulation.state.velocities).zip(&masses);
        all.fold((Vec3::zeros(), Vec3::zeros()), |(p, l), ((x, v), m)| (p + *m * v, l + *m * x.cross(v)))
    };
    let before = momenta(&simulation);
    for _ in 0..20 {
        simulation.step(&Unwatched).unwrap();
    }
    let after = momenta(&simulation);
    println!("{before:?} {after:?}");
    assert!((before.0 - after.0).norm() < 1e-11 * before.0.norm(), "{before:?} {after:?}");
    assert!((before.1 - after.1).norm() < 2e-2 * before.1.norm(), "{before:?} {after:?}");
}
