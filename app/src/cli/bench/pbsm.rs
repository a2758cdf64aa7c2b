//! The timings of Muller et al. 2022, "Physically Based Shape Matching", section 4, and as many groups here: frames of 1/60 s in ten parts on one
//! thread, with filter and damping.

use anyhow::Context;
use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::scene_file::gallery;
use aplomb_sim::simulation::Simulation;
use nalgebra::Vector3;
use serde_json::{Value, json};

use super::Request;
use super::dynamics::stepped;
use super::report::{Reference, Row};
use super::scenes::{self, Folder};
use crate::cli::failure::Failure;
use crate::cli::init::initialise;

/// Parts of a frame.
const PARTS: u64 = 10;
/// Stiffness-proportional damping [s].
const DAMPING: f64 = 1e-3;

/// What the paper tells of a scene.
struct Published {
    name: &'static str,
    what: &'static str,
    /// Wall seconds a frame, for all bodies.
    frame: f64,
    /// Groups of all bodies.
    groups: f64,
    scene: fn(&Folder) -> Result<Scene, Failure>,
}

static PUBLISHED: &[Published] = &[
    Published { name: "fish", what: "a fish of 20,000 triangles in 840 cells", frame: 0.082, groups: 840.0, scene: |_| fish(0.0232) },
    Published {
        name: "stretched",
        what: "four bars of 1700 groups and 2300 particles are stretched",
        frame: 0.170,
        groups: 4.0 * 1700.0,
        scene: |folder| bars(folder, Vector3::new(0.94, 0.1, 0.1), |sign| json!({ "time": 1, "translate": [0.25 * sign, 0, 0] })),
    },
    Published {
        name: "twisted",
        what: "four bars of 1400 groups and 1800 particles are twisted by 270 degrees",
        frame: 0.140,
        groups: 4.0 * 1400.0,
        scene: |folder| {
            let turn = |sign: f64| json!({ "time": 1, "rotate": { "axis": [1, 0, 0], "degrees": -135.0 * sign } });
            bars(folder, Vector3::new(0.77, 0.1, 0.1), turn)
        },
    },
    Published {
        name: "layers",
        what: "three layers of 1060 groups and 2300 particles lie on one another",
        frame: 0.1,
        groups: 1060.0,
        scene: layers,
    },
    Published {
        name: "fish_coarse",
        what: "the same fish in 195 cells, which the paper times alike",
        frame: 0.082,
        groups: 195.0,
        scene: |_| fish(0.043),
    },
];

/// Steps every scene.
pub fn run(request: &Request) -> Result<Vec<Row>, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().context("a thread cannot be started")?;
    pool.install(|| PUBLISHED.iter().map(|entry| measured(entry, request)).collect())
}

fn measured(entry: &Published, request: &Request) -> Result<Row, Failure> {
    let folder = Folder::new()?;
    let mut simulation = scenes::build(&(entry.scene)(&folder)?, &folder, request.watch)?;
    initialise(&mut simulation, Method::Naive, request.watch)?;
    let mut row = stepped(&mut simulation, request.steps.unwrap_or(20), request)?;
    let frame = row.seconds.get("step").and_then(Value::as_f64).unwrap_or(f64::NAN);
    row.seconds.retain(|phase, _| ["step", "longest_step"].contains(&phase.as_str()));
    let each = |frame: f64, groups: f64| 1e6 * frame / (groups * PARTS as f64);
    let groups = groups(&simulation);
    row.count("us_per_group_and_part", each(frame, groups));
    row.count("paper_us_per_group_and_part", each(entry.frame, entry.groups));
    let what = "Muller et al. 2022, Core i7-9700K, one thread".into();
    row.references = vec![Reference { what, phase: "step".into(), seconds: entry.frame, ratio: entry.frame / frame }];
    Ok(Row { name: format!("pbsm.{}", entry.name), system: format!("{}, {PARTS} parts of 1/60 s", entry.what), ..row })
}

fn groups(simulation: &Simulation) -> f64 {
    simulation.system.families.iter().map(|family| family.len()).sum::<usize>() as f64
}

/// A scene that is stepped by position.
fn scene(name: &str, bodies: Vec<Value>) -> Result<Scene, Failure> {
    let mut scene = Scene::empty(name);
    scene.bodies = bodies.into_iter().map(scenes::body).collect::<Result<_, _>>()?;
    scene.simulate.stepper = "xpbd".into();
    scene.simulate.step_size = 1.0 / 60.0;
    scene.simulate.projection.substeps = PARTS as u32;
    scene.simulate.projection.sweeps = 1;
    (scene.contact.between_bodies, scene.contact.self_contact) = (false, false);
    Ok(scene)
}

fn groups_of(size: f64, law: &str, poisson: f64, young: f64) -> Value {
    let material = json!({ "law": law, "young": young, "poisson": poisson, "density": 1000, "damping": DAMPING });
    json!({ "groups": { "material": material, "of": "cells", "size": size } })
}

/// The gallery's fish, held by its head.
fn fish(size: f64) -> Result<Scene, Failure> {
    let entry = gallery::find("pbsm_fish").ok_or_else(|| Failure::Input("the scene `pbsm_fish` is missing".into()))?;
    let mesh = entry.path().with_file_name("../assets/fish.obj");
    let head = json!([{ "height": { "axis": "x", "from": 0, "to": 0.15 } }]);
    scene(
        "fish",
        vec![json!({
            "name": "fish", "mesh": mesh, "as": groups_of(size, "stable_neo_hookean", 0.4, 3e5),
            "regions": [{ "name": "head", "role": { "dirichlet": {} }, "select": head }]
        })],
    )
}

/// Four bars of cells of 2 cm, whose ends move as `motion` says of their signs.
fn bars(folder: &Folder, size: Vector3<f64>, motion: impl Fn(f64) -> Value) -> Result<Scene, Failure> {
    folder.write_surface("bar.obj", size)?;
    let laws = [("arap", 0.0), ("stable_neo_hookean", 0.49), ("stvk", 0.49), ("stvk", 0.0)];
    let bar = |(number, (law, poisson)): (usize, (&str, f64))| {
        let end = |name: &str, sign: f64, [from, to]: [f64; 2]| {
            json!({
                "name": name, "role": { "dirichlet": { "motion": { "keyframes": [motion(sign)] } } },
                "select": [{ "height": { "axis": "x", "from": from, "to": to } }]
            })
        };
        json!({
            "name": format!("bar {number}"), "mesh": "bar.obj", "transform": { "translate": [0, 0, 0.3 * number as f64] },
            "as": groups_of(0.02, law, poisson, 1e5),
            "regions": [end("left", -1.0, [0.0, 0.01]), end("right", 1.0, [0.99, 1.0])]
        })
    };
    let mut scene = scene("bars", laws.into_iter().enumerate().map(bar).collect())?;
    scene.gravity = [0.0; 3];
    Ok(scene)
}

/// Three layers of cells as thick as they are, which lie on one another and across a gap, with contact.
fn layers(folder: &Folder) -> Result<Scene, Failure> {
    folder.write_surface("layer.obj", Vector3::new(1.0, 0.03, 1.0))?;
    let layer = |number: usize| {
        let height = 0.0002 + 0.0304 * number as f64;
        json!({
            "name": format!("layer {number}"), "mesh": "layer.obj", "transform": { "translate": [0, height, 0] },
            "as": groups_of(1.0 / 18.0, "stable_neo_hookean", 0.4, 1e6)
        })
    };
    let mut scene = scene("layers", (0..3).map(layer).collect())?;
    scene.contact.between_bodies = true;
    scene.contact.friction = 0.5;
    for (name, x) in [("left", 0.1), ("right", 0.9)] {
        let table = json!({ "box": { "center": [x, -0.1, 0.5], "size": [0.4, 0.2, 1.2] } });
        scene.obstacles.push(scenes::obstacle(json!({ "name": name, "shape": table, "friction": 0.5 }))?);
    }
    Ok(scene)
}
