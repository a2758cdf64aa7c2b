//! Cloth of springs and hinges by position, beside the position-based cloth of Newton on a processor: frames of 1/60 s in ten parts of one sweep.

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::simulation::Simulation;
use serde_json::{Value, json};

use super::Request;
use super::dynamics::stepped;
use super::reference::Peer;
use super::report::Row;
use super::scenes::{self, Folder};
use crate::cli::failure::Failure;
use crate::cli::init::initialise;

/// Parts of a frame.
const PARTS: u32 = 10;
/// By how many sweeps a part is longer from which the time of one sweep is told.
const MORE: u32 = 10;

/// Cells along a side, and the record of Newton's cloth of as many.
static CLOTHS: &[(usize, &[Peer])] = &[
    (32, &[]),
    (64, &[newton(&[SCRIPT, ("cells", "64"), PER_FRAME, ONE_SWEEP])]),
    (128, &[newton(&[SCRIPT, ("cells", "128"), PER_FRAME, ONE_SWEEP])]),
];
const SCRIPT: (&str, &str) = ("name", "newton xpbd");
const PER_FRAME: (&str, &str) = ("substeps", "10");
const ONE_SWEEP: (&str, &str) = ("iterations", "1");

const fn newton(record: &'static [(&'static str, &'static str)]) -> Peer {
    Peer { phase: "step", what: "Newton's XPBD, one thread", record, figure: "ms_per_frame_min", unit: 1e-3 }
}

/// Steps every cloth.
pub fn run(request: &Request) -> Result<Vec<Row>, Failure> {
    CLOTHS.iter().map(|&(cells, peers)| Ok(Row { peers, ..measured(cells, request)? })).collect()
}

fn measured(cells: usize, request: &Request) -> Result<Row, Failure> {
    let folder = Folder::new()?;
    let steps = request.steps.unwrap_or(20);
    let frames = |sweeps: u32| {
        let mut simulation = scenes::build(&cloth(&folder, cells, sweeps)?, &folder, request.watch)?;
        initialise(&mut simulation, Method::Naive, request.watch)?;
        // The first makes the order of the constraints.
        stepped(&mut simulation, 1, request)?;
        let row = stepped(&mut simulation, steps, request)?;
        Ok::<_, Failure>((row, simulation))
    };
    let (mut row, simulation) = frames(1)?;
    let (longer, _) = frames(1 + MORE)?;
    let step = |row: &Row| row.seconds.get("step").and_then(Value::as_f64).unwrap_or(f64::NAN);
    let sweep = (step(&longer) - step(&row)) / f64::from(PARTS * MORE);
    row.seconds.retain(|phase, _| ["step", "longest_step"].contains(&phase.as_str()));
    row.time("sweep", sweep);
    row.count("constraints", constraints(&simulation));
    let system =
        format!("cloth of {cells} x {cells} cells that hangs from one side, springs and hinges, {PARTS} parts of 1/60 s of one sweep");
    Ok(Row { name: format!("xpbd.cloth_{cells}"), system, ..row })
}

fn constraints(simulation: &Simulation) -> usize {
    simulation.system.families.iter().map(|family| family.len()).sum()
}

/// Two metres of cloth, 0.1 kg a vertex, held along one side.
fn cloth(folder: &Folder, cells: usize, sweeps: u32) -> Result<Scene, Failure> {
    let side = 2.0;
    let place = |i: usize, j: usize| side / cells as f64 * Vec3::new(i as f64, 0.0, j as f64);
    folder.write_grid("cloth.obj", cells, place)?;
    let density = 0.1 * ((cells + 1) as f64 / side).powi(2);
    let mut scene = Scene::empty("cloth");
    scene.bodies.push(scenes::body(json!({
        "name": "cloth", "mesh": "cloth.obj",
        "as": { "cloth": {
            "law": "springs", "stiffness": 1e3, "bending_stiffness": 1e-3, "bending_law": "angle", "thickness": 0, "density": density
        } },
        "regions": [{ "name": "side", "role": { "dirichlet": {} }, "select": [{ "height": { "axis": "x", "from": 0, "to": 0 } }] }]
    }))?);
    scene.simulate.stepper = "xpbd".into();
    scene.simulate.step_size = 1.0 / 60.0;
    (scene.simulate.projection.substeps, scene.simulate.projection.sweeps) = (PARTS, sweeps);
    (scene.contact.between_bodies, scene.contact.self_contact) = (false, false);
    Ok(scene)
}
