//! Cubes of material points that fall at 1 m/s, beside MLS-MPM in Taichi: a part of a step of as many points in as fine a grid, sorting included.

use aplomb_sim::scene::{Method, Scene};
use nalgebra::Vector3;
use serde_json::{Value, json};

use super::Request;
use super::dynamics::stepped;
use super::reference::Peer;
use super::report::Row;
use super::scenes::{self, Folder};
use crate::cli::failure::Failure;
use crate::cli::init::initialise;

/// Edge of a cube [m].
const SIDE: f64 = 0.5;
/// Parts of a step, and steps.
const PARTS: u32 = 20;
const STEPS: u64 = 10;

/// A cube: its name, cells of the grid a metre, points along an edge, its law, and the record of Taichi's.
struct Cube {
    name: &'static str,
    cells: u32,
    edge: u32,
    law: &'static str,
    peers: &'static [Peer],
}

static CUBES: &[Cube] = &[
    Cube { name: "neo_hookean_100k", cells: 64, edge: 46, law: "neo_hookean", peers: &[taichi(&[("name", NEO), ("grid", "64")])] },
    Cube { name: "neo_hookean_500k", cells: 128, edge: 79, law: "neo_hookean", peers: &[taichi(&[("name", NEO), ("grid", "128")])] },
    Cube { name: "hencky_100k", cells: 64, edge: 46, law: "hencky", peers: &[taichi(&[("name", SINGULAR), ("grid", "64")])] },
];
const NEO: &str = "taichi mls-mpm neo";
const SINGULAR: &str = "taichi mls-mpm corotated";

const fn taichi(record: &'static [(&'static str, &'static str)]) -> Peer {
    Peer { phase: "part", what: "MLS-MPM in Taichi, f32", record, figure: "ms_per_substep_min", unit: 1e-3 }
}

/// Steps every cube.
pub fn run(request: &Request) -> Result<Vec<Row>, Failure> {
    CUBES.iter().map(|cube| Ok(Row { peers: cube.peers, ..measured(cube, request)? })).collect()
}

fn measured(cube: &Cube, request: &Request) -> Result<Row, Failure> {
    let folder = Folder::new()?;
    let mut simulation = scenes::build(&falling(&folder, cube)?, &folder, request.watch)?;
    initialise(&mut simulation, Method::Naive, request.watch)?;
    // The first sorts the points.
    stepped(&mut simulation, 1, request)?;
    let mut row = stepped(&mut simulation, request.steps.unwrap_or(STEPS), request)?;
    let part = row.seconds.get("step").and_then(Value::as_f64).unwrap_or(f64::NAN) / f64::from(PARTS);
    row.seconds.retain(|phase, _| ["step", "longest_step"].contains(&phase.as_str()));
    row.time("part", part);
    row.count("particle_steps_per_second", row.elements as f64 / part);
    let system = format!("a cube of {} points that falls in a grid of {} cells a metre, {PARTS} parts a step", row.elements, cube.cells);
    Ok(Row { name: format!("mpm.{}", cube.name), system, ..row })
}

/// Taichi's cube: 0.1 MPa, 1000 kg/m^3, in parts of a tenth of the time in which a wave in a rod crosses a cell.
fn falling(folder: &Folder, cube: &Cube) -> Result<Scene, Failure> {
    let (young, density, spacing) = (1e5, 1e3, 1.0 / f64::from(cube.cells));
    folder.write_surface("cube.obj", Vector3::repeat(SIDE))?;
    let mut scene = Scene::empty("falling");
    scene.bodies.push(scenes::body(json!({
        "name": "cube", "mesh": "cube.obj", "transform": { "translate": [0.25, 0.12, 0.25] }, "velocity": [0, -1, 0],
        "as": { "particles": {
            "spacing": SIDE / f64::from(cube.edge), "density": density, "elastic": { "law": cube.law, "young": young, "poisson": 0.3 }
        } }
    }))?);
    let ground = json!({ "half_space": { "point": [0, 3.0 * spacing, 0], "normal": [0, 1, 0] } });
    scene.obstacles.push(scenes::obstacle(json!({ "name": "ground", "shape": ground, "friction": 0 }))?);
    scene.simulate.stepper = "mpm".into();
    scene.simulate.step_size = f64::from(PARTS) * 0.1 * spacing / f64::sqrt(young / density);
    (scene.simulate.grid.spacing, scene.simulate.grid.substeps) = (Some(spacing), Some(PARTS));
    Ok(scene)
}
