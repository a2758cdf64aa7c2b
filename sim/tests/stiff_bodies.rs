//! Ordinary bodies of ordinary materials, from jelly to steel, of 1 mm to 10 m, here and 1 km away: they are in balance to round-off
//! of their loads, and stay where they are.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fmt::Write;
use std::path::Path;

use aplomb_sim::material::MATERIALS;
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::scene::Method;
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

/// Name, Young's modulus [Pa], Poisson's ratio, density [kg/m^3].
const SUBSTANCES: [(&str, f64, f64, f64); 6] = [
    ("steel", 2e11, 0.29, 7850.0),
    ("aluminium", 7e10, 0.33, 2700.0),
    ("concrete", 3e10, 0.2, 2400.0),
    ("wood", 1e10, 0.35, 600.0),
    ("rubber", 1e7, 0.49, 1100.0),
    ("jelly", 1e4, 0.45, 1000.0),
];
/// Lengths [m].
const SIZES: [f64; 4] = [1e-3, 1e-2, 1.0, 10.0];
const HELD: [&str; 3] = ["ground", "clamped", "hung"];
/// Under more of its own weight than this share of E a body may be too soft or unstable.
const STIFF_ENOUGH: f64 = 0.05;
/// Residual, and drift in a second.
const BALANCED: f64 = 1e-8;
const STILL: f64 = 1e-9;

/// A box as a MEDIT file.
fn write_box(file: &Path, size: Vec3, cells: [usize; 3]) {
    let (positions, tets) = box_mesh(size, cells, CubeCut::Kuhn);
    let mut text = format!("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", positions.len());
    positions.iter().for_each(|p| writeln!(text, "{:?} {:?} {:?} 0", p.x, p.y, p.z).unwrap());
    writeln!(text, "Tetrahedra\n{}", tets.len()).unwrap();
    tets.iter().for_each(|t| writeln!(text, "{} {} {} {} 0", t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1).unwrap());
    std::fs::write(file, text + "End\n").unwrap();
}

fn simulation(folder: &Path, scene: Value) -> Simulation {
    let scene = scene_file::parse(&scene.to_string(), &folder.join("scene.json")).unwrap_or_else(|problems| panic!("{problems:?}"));
    Simulation::new(System::build(&scene, folder, &Unwatched).unwrap_or_else(|_| panic!("not built")))
}

fn body(name: &str, mesh: &str, at: [f64; 3], (law, young, poisson, density): (&str, f64, f64, f64), held: &str) -> Value {
    let end = |axis: &str, share: f64| json!([{ "height": { "axis": axis, "from": share, "to": share } }]);
    let regions = match held {
        "clamped" => json!([{ "name": "held", "role": { "dirichlet": {} }, "select": end("x", 0.0) }]),
        "hung" => json!([{ "name": "held", "role": { "dirichlet": {} }, "select": end("y", 1.0) }]),
        _ => json!([]),
    };
    json!({
        "name": name, "mesh": mesh, "transform": { "translate": at }, "regions": regions,
        "material": { "law": law, "young": young, "poisson": poisson, "density": density }
    })
}

/// What is wrong with a scene that must be in balance and stay so for `steps`; nothing if it does.
fn check(simulation: &mut Simulation, steps: usize, what: &str) -> Option<String> {
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let residual = report.residual.after;
    let refused: Vec<&str> = report.infeasible.iter().map(|why| why.message.as_str()).collect();
    if residual.is_nan() || residual > BALANCED || !refused.is_empty() {
        return Some(format!("{what}: residual {residual:e} {refused:?}"));
    }
    let mut largest: f64 = 0.0;
    for step in 0..steps {
        match simulation.step(&Unwatched) {
            Ok(stats) => largest = largest.max(stats.drift),
            Err(error) => return Some(format!("{what}: step {step}: {error}")),
        }
    }
    (largest.is_nan() || largest > STILL).then(|| format!("{what}: drift {largest:e}, residual {residual:e}"))
}

/// Every `stride`th of the table from the `first` on.
fn table(first: usize, stride: usize, steps: usize) {
    let folder = tempfile::tempdir().unwrap();
    let (mut cases, mut failed) = (0, Vec::new());
    let mut number = 0;
    for (substance, young, poisson, density) in SUBSTANCES {
        for size in SIZES.into_iter().filter(|size| density * 9.81 * size <= STIFF_ENOUGH * young) {
            write_box(&folder.path().join("box.mesh"), Vec3::new(size, 0.5 * size, 0.4 * size), [4, 2, 2]);
            for (held, (law, away)) in
                HELD.into_iter().flat_map(|held| MATERIALS.iter().flat_map(move |law| [(held, (law, 0.0)), (held, (law, 1e3))]))
            {
                number += 1;
                if number % stride != first {
                    continue;
                }
                let poisson = poisson.min(law.poisson.end);
                let at = [away, 0.3 * away, -away];
                let point = [at[0], at[1] - 1e-5 * size, at[2]];
                let mut scene = json!({
                    "version": 1, "name": "test", "simulate": { "step_size": 0.01 },
                    "bodies": [body("box", "box.mesh", at, (law.name, young, poisson, density), held)]
                });
                if held == "ground" {
                    let ground = json!({ "half_space": { "point": point, "normal": [0, 1, 0] } });
                    scene["obstacles"] = json!([{ "name": "ground", "shape": ground, "friction": 0.5 }]);
                }
                let what = format!("{substance} {size} m {held} {} at {away} m", law.name);
                cases += 1;
                failed.extend(check(&mut simulation(folder.path(), scene), steps, &what));
            }
        }
    }
    println!("{cases} cases, {} failed", failed.len());
    assert!(cases > 0 && failed.is_empty(), "{} of {cases}:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn bodies_of_any_stiffness_and_size_are_in_balance_and_stay() {
    table(5, 29, 20);
}

/// Thin plates, a soft body on a hard one, next to no density and next to no gravity: what else makes loads small beside stiffness.
#[test]
fn thin_light_and_unequal_bodies_are_in_balance_and_stay() {
    let folder = tempfile::tempdir().unwrap();
    let run = |what: &str, scene: Value| check(&mut simulation(folder.path(), scene), 20, what);
    let mut failed = Vec::new();
    write_box(&folder.path().join("plate.mesh"), Vec3::new(1.0, 0.008, 0.5), [24, 1, 12]);
    write_box(&folder.path().join("foil.mesh"), Vec3::new(1.0, 0.0005, 0.5), [24, 1, 12]);
    write_box(&folder.path().join("box.mesh"), Vec3::new(1.0, 0.5, 0.4), [4, 2, 2]);
    let scene = |gravity: f64, bodies: Value| json!({ "version": 1, "name": "test", "gravity": [0, -gravity, 0], "simulate": { "step_size": 0.01 }, "bodies": bodies });
    for (law, mesh, young) in
        [("neo_hookean", "plate", 1e9), ("corotated", "plate", 1e9), ("stvk", "plate", 2e11), ("quartic", "foil", 2e11)]
    {
        let plate = body("plate", &format!("{mesh}.mesh"), [0.0; 3], (law, young, 0.3, 1000.0), "clamped");
        failed.extend(run(&format!("{mesh} of {law}, {young:e} Pa"), scene(9.81, json!([plate]))));
    }
    for (what, gravity, density) in [("no density", 9.81, 0.01), ("no gravity", 1e-6, 1000.0)] {
        for held in HELD {
            let light = body("box", "box.mesh", [0.0; 3], ("neo_hookean", 1e7, 0.4, density), held);
            let mut scene = scene(gravity, json!([light]));
            if held == "ground" {
                let ground = json!({ "half_space": { "point": [0, -1e-5, 0], "normal": [0, 1, 0] } });
                scene["obstacles"] = json!([{ "name": "ground", "shape": ground, "friction": 0.5 }]);
            }
            failed.extend(run(&format!("{what}, {held}"), scene));
        }
    }
    for (below, above) in [(1e11, 1e5), (1e6, 1e12)] {
        let of = |young: f64| ("neo_hookean", young, 0.3, 1000.0);
        let stack =
            json!([body("a", "box.mesh", [0.0; 3], of(below), "ground"), body("b", "box.mesh", [0.0, 0.5001, 0.0], of(above), "ground")]);
        let mut scene = scene(9.81, stack);
        let ground = json!({ "half_space": { "point": [0, -1e-4, 0], "normal": [0, 1, 0] } });
        scene["obstacles"] = json!([{ "name": "ground", "shape": ground, "friction": 0.5 }]);
        failed.extend(run(&format!("{above:e} Pa on {below:e} Pa"), scene));
    }
    assert!(failed.is_empty(), "{}:\n{}", failed.len(), failed.join("\n"));
}

#[test]
#[ignore = "the whole table: about a thousand runs of a second"]
fn the_whole_table_of_substances_sizes_supports_and_laws() {
    table(0, 1, 100);
}
