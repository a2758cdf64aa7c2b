//! Closed cloth that is filled: its volume, its pressure, its balance, and what cannot be filled.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::Method;
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::repository;
use serde_json::{Value, json};

/// Radius [m] of the balloon of the gallery.
const RADIUS: f64 = 0.3;
const STIFFNESS: f64 = 500.0;
const POISSON: f64 = 0.3;

/// The balloon of the gallery with this filling, held by its top, or not at all and without weight.
fn scene(filling: &Value, is_held: bool, simulate: &Value) -> Value {
    let cloth =
        json!({ "law": "stvk", "stiffness": STIFFNESS, "poisson": POISSON, "bending_stiffness": 1e-4, "density": 0.2, "filling": filling });
    let mut body = json!({ "name": "balloon", "mesh": repository().join("assets/balloon.obj"), "as": { "cloth": cloth } });
    if is_held {
        let select = json!([{ "height": { "axis": "y", "from": 0.97, "to": 1 } }]);
        body["regions"] = json!([{ "name": "knot", "role": { "dirichlet": {} }, "select": select }]);
    }
    let gravity = if is_held { -9.81 } else { 0.0 };
    json!({
        "version": 1, "name": "balloon", "bodies": [body], "gravity": [0.0, gravity, 0.0],
        "contact": { "between_bodies": false, "self_contact": false }, "simulate": simulate,
    })
}

fn build(scene: &Value) -> Result<Simulation, String> {
    let folder = repository().join("scenes");
    let problems = |problems: Vec<_>| format!("{problems:?}");
    let scene = scene_file::parse(&scene.to_string(), &folder.join("_.json")).map_err(problems)?;
    Simulation::build(&scene, &folder, &Unwatched).map_err(|problems| format!("{problems:?}"))
}

fn by_position(substeps: u32, sweeps: u32) -> Value {
    json!({ "stepper": "xpbd", "step_size": 1.0 / 60.0, "projection": { "substeps": substeps, "sweeps": sweeps } })
}

/// What the triangles enclose [m^3], by the divergence theorem.
fn volume(simulation: &Simulation) -> f64 {
    let x = &simulation.state.positions;
    let tets = simulation.system.surface.triangles.iter().map(|corners| {
        let [a, b, c] = corners.map(|v| x[v as usize]);
        a.dot(&b.cross(&c)) / 6.0
    });
    tets.sum::<f64>().abs()
}

fn drift(simulation: &Simulation) -> f64 {
    let both = simulation.state.positions.iter().zip(&simulation.system.positions);
    both.map(|(x, given)| (x - given).norm()).fold(0.0, f64::max) / simulation.system.diagonal
}

fn run(simulation: &mut Simulation, seconds: f64) {
    while simulation.state.time < seconds - 1e-9 {
        simulation.step(&Unwatched).unwrap();
    }
}

/// Stretch of a thin round balloon (St. Venant-Kirchhoff: tension Y / (1 - nu) (s^2 - 1) / 2, pressure 2 T / R) in balance with K (1 - s^3 / f).
fn stretch(bulk: f64, filling: f64) -> f64 {
    let excess = |s: f64| bulk * (1.0 - s.powi(3) / filling) - STIFFNESS / (1.0 - POISSON) * (s * s - 1.0) / (RADIUS * s);
    let (mut low, mut high) = (0.5, 2.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

#[test]
fn a_stiff_filling_has_its_volume_and_a_soft_one_that_of_the_balance() {
    for (bulk, filling) in [(1e7, 1.5), (1e7, 0.8), (3e3, 1.5)] {
        let mut ends = Vec::new();
        // Of the soft one by another stepper, too, whose matrix couples all vertices.
        for simulate in [by_position(20, 5), json!({ "stepper": "backward_euler", "step_size": 1.0 / 30.0 })].iter().take(if bulk < 1e7 {
            2
        } else {
            1
        }) {
            let mut simulation = build(&scene(&json!({ "bulk_modulus": bulk, "volume": filling }), false, simulate)).unwrap();
            let given = volume(&simulation);
            simulation.initialise(Method::Naive, &Unwatched).unwrap();
            run(&mut simulation, 2.0);
            ends.push(volume(&simulation) / given);
            let momentum: Vec3 = simulation.state.velocities.iter().zip(&simulation.system.masses).map(|(v, m)| *m * v).sum();
            println!("{bulk} {filling}: {} of its volume, momentum {:e}", ends[ends.len() - 1], momentum.norm());
            assert!(momentum.norm() < 1e-10, "{momentum}");
        }
        let expected = stretch(bulk, filling).powi(3);
        println!("closed form {expected}");
        for end in ends {
            assert!((end - expected).abs() < if filling > 1.0 { 1e-2 } else { 1e-3 }, "{end} {expected}");
            assert!(bulk < 1e7 || (end / filling - 1.0).abs() < 1e-3, "{end} {filling}");
        }
    }
}

#[test]
fn a_filled_balloon_keeps_its_shape_and_answers_a_kick() {
    let filling = json!({ "bulk_modulus": 1e6, "volume": 1.5 });
    let implicit = json!({ "stepper": "backward_euler", "step_size": 1.0 / 60.0 });
    for (simulate, seconds) in [(by_position(20, 1), 0.5), (by_position(10, 5), 0.5), (implicit, 0.05)] {
        let mut simulation = build(&scene(&filling, true, &simulate)).unwrap();
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.infeasible.is_empty() && report.residual.after < 1e-9, "{:?} {:?}", report.residual, report.infeasible);
        assert_eq!(report.stability.map(|found| found.negative_eigenvalues), Some(0));
        run(&mut simulation, seconds);
        let rest = drift(&simulation);
        let mut random = Random::new(3);
        let fixed = simulation.system.fixed.clone();
        let kicked = simulation.state.velocities.iter_mut().zip(&fixed).filter(|(_, fixed)| !**fixed);
        kicked.for_each(|(v, _)| *v += 1e-2 * random.vector(-1.0, 1.0));
        let mut most = 0.0_f64;
        while simulation.state.time < 2.0 * seconds {
            simulation.step(&Unwatched).unwrap();
            most = most.max(drift(&simulation));
        }
        println!("{simulate}: rest {rest:e}, kicked {most:e}");
        assert!(rest < 1e-10, "{rest:e}");
        assert!(most > 1e-7 && most < 5e-3, "{most:e}");
    }
}

/// What is advised for cloth that is too soft works: the filling is part of it.
#[test]
fn what_is_too_soft_is_told_what_would_do() {
    let mut scene = scene(&json!({ "bulk_modulus": 20.0, "volume": 1.6 }), true, &by_position(20, 1));
    let soften = |scene: &mut Value, factor: f64| {
        let cloth = &mut scene["bodies"][0]["as"]["cloth"];
        (cloth["stiffness"], cloth["bending_stiffness"]) = (json!(5.0 * factor), json!(1e-4 * factor));
        (cloth["density"], cloth["filling"]["bulk_modulus"]) = (json!(5.0), json!(20.0 * factor));
    };
    soften(&mut scene, 1.0);
    let mut simulation = build(&scene).unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let message = report.infeasible.first().map_or("", |reason| &reason.message);
    let told = message.split("bulk modulus of the filling ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<f64>().ok());
    let factor = told.unwrap_or_else(|| panic!("{message}"));
    soften(&mut scene, factor);
    let mut simulation = build(&scene).unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    println!("{factor} times: {:?}", report.residual);
    assert!(factor > 1.5 && report.residual.balanced && report.infeasible.is_empty(), "{factor}: {:?}", report.infeasible);
}

#[test]
fn what_cannot_be_filled_is_told() {
    let refused = |mesh: &str, filling: &Value| {
        let mut scene = scene(filling, false, &by_position(10, 1));
        scene["bodies"][0]["mesh"] = json!(repository().join("assets").join(mesh));
        build(&scene).err().unwrap()
    };
    let open = refused("hat.obj", &json!({}));
    assert!(open.contains("close the holes") && open.contains("triangle"), "{open}");
    let many = refused("fish.obj", &json!({}));
    assert!(many.contains("1500 are the most"), "{many}");
    for bad in [json!({ "volume": 0.0 }), json!({ "bulk_modulus": -1.0 }), json!({ "pressure": 3.0 })] {
        let told = refused("balloon.obj", &bad);
        assert!(told.contains("bodies[0].as.cloth.filling"), "{told}");
    }
}
