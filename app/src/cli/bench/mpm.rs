//! Cubes of material points that fall at 1 m/s, beside MLS-MPM in Taichi: a part of a step of as many points in as fine a grid, sorting included. And tanks of
//! water that are balanced.

use aplomb_sim::element::{Element, MaterialPoint};
use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::simulation::{Simulation, grid_report};
use aplomb_sim::stats::memory::peak_bytes;
use aplomb_sim::step::State;
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

/// Steps every cube, and balances the tanks.
pub fn run(request: &Request) -> Result<Vec<Row>, Failure> {
    let cubes = CUBES.iter().map(|cube| Ok(Row { peers: cube.peers, ..measured(cube, request)? }));
    cubes.chain([false, true].map(|step| balanced(step, request))).collect()
}

/// Points along an edge of a tank, and their spacing [m].
const TANK: u32 = 88;
const SPACING: f64 = 0.0125;

/// The balance of a tank of 680 thousand points, or of one with a box on its floor that takes a cell in eight of it.
fn balanced(step: bool, request: &Request) -> Result<Row, Failure> {
    let folder = Folder::new()?;
    let side = f64::from(TANK) * SPACING;
    let (width, height) = if step { (0.5 * side, 0.25 * side) } else { (0.0, 0.0) };
    folder.write_step("water.obj", Vector3::repeat(side), [width, height])?;
    let mut scene = Scene::empty("tank");
    let liquid = json!({ "stiffness": 4e5, "viscosity": 0 });
    let matter = json!({ "particles": { "spacing": SPACING, "density": 1000, "liquid": liquid } });
    scene.bodies.push(scenes::body(json!({ "name": "water", "mesh": "water.obj", "as": matter }))?);
    for (name, point, normal) in [
        ("floor", [0.0; 3], [0, 1, 0]),
        ("left", [0.0; 3], [1, 0, 0]),
        ("right", [side; 3], [-1, 0, 0]),
        ("back", [0.0; 3], [0, 0, 1]),
        ("front", [side; 3], [0, 0, -1]),
    ] {
        let shape = json!({ "half_space": { "point": point, "normal": normal } });
        scene.obstacles.push(scenes::obstacle(json!({ "name": name, "shape": shape, "friction": 0 }))?);
    }
    if step {
        let (center, size) = ([side, 0.0, 0.5 * side], [2.0 * width, 2.0 * height, 2.0 * side]);
        let shape = json!({ "box": { "center": center, "size": size } });
        scene.obstacles.push(scenes::obstacle(json!({ "name": "step", "shape": shape, "friction": 0 }))?);
    }
    scene.simulate.stepper = "mpm".into();
    let mut simulation = scenes::build(&scene, &folder, request.watch)?;
    let elements = simulation.system.families.iter().map(|family| family.len()).sum();
    let built = peak_bytes();
    let report = initialise(&mut simulation, Method::SagFree, request.watch)?;
    let mut row = Row { elements, masses: simulation.system.masses.len(), contacts: report.contacts, ..Row::default() };
    row.time("initialise", report.seconds.total);
    row.time("initialise.assemble", report.seconds.assemble);
    row.time("initialise.global", report.seconds.global);
    row.time("initialise.local", report.seconds.local);
    row.count("nodes", report.unknowns / 3);
    row.count("iterations", report.iterations);
    // Where a row before this one took more, nothing is known.
    if let Some(more) = peak_bytes().checked_sub(built).filter(|more| *more > 0) {
        row.count("bytes_a_point", more / (elements as u64).max(1));
    }
    if let Some(grid) = report.grid {
        row.count("acceleration_rms", grid.acceleration_rms);
        row.count("acceleration_max", grid.acceleration_max);
    }
    row.residual = Some(report.residual.after);
    if let Some(rms) = by_depth(&mut simulation, side) {
        row.count("acceleration_rms_by_depth", rms);
    }
    let (name, what) =
        if step { ("mpm.tank_with_step", "a tank of water with a box on its floor") } else { ("mpm.tank", "a tank of water") };
    let system = format!("the balance of {what}, of {elements} points, accelerations over gravity, and memory beyond that of the scene");
    Ok(Row { name: name.into(), system, ..row })
}

/// What pressures by the depth below this height [m] alone leave, without a solver: the root of the mean square acceleration of the points over gravity.
fn by_depth(simulation: &mut Simulation, height: f64) -> Option<f64> {
    let system = &mut simulation.system;
    let family = system.families.iter().position(|family| family.points().is_some())?;
    let points = system.families[family].points()?;
    let of_point = |(point, [node]): (&MaterialPoint, &[u32; 1])| {
        let x = system.positions[*node as usize];
        let pressure = system.masses[*node as usize] / point.volume * system.gravity.norm() * (height - x.y);
        let fitted = point.with_rest_for(&[x], &[-pressure, -pressure, -pressure, 0.0, 0.0, 0.0]).ok()?;
        let mut numbers = vec![0.0; MaterialPoint::kind().rest_numbers];
        fitted.rest_numbers(&mut numbers);
        Some(numbers)
    };
    let numbers: Vec<Vec<f64>> = points.elements.iter().zip(points.connectivity()).map(of_point).collect::<Option<_>>()?;
    system.families[family].set_rest_numbers(&numbers.concat());
    grid_report(system, &State::at_rest(system), &[]).map(|grid| grid.acceleration_rms)
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
