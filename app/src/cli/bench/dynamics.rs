//! Rows that step a scene.

use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::{Phases, StepError, StepStats};
use serde_json::json;

use super::Request;
use super::reference::Peer;
use super::report::Row;
use super::scenes::{self, Folder};
use crate::cli::failure::Failure;
use crate::cli::init::initialise;

/// The same box with the formulation of IPC, put together from Python packages; and a flexible box of MuJoCo, which does
/// not iterate to convergence.
const BOX_PEERS: &[Peer] = &[
    Peer {
        phase: "step",
        what: "ipctk + NumPy + CHOLMOD",
        record: &[("script", "ipctk_fem.py"), ("tets", "5000")],
        figure: "ms_per_step_mean",
        unit: 1e-3,
    },
    Peer {
        phase: "step",
        what: "MuJoCo flex, not converged",
        record: &[("script", "mujoco_flex.py"), ("dt", "0.01")],
        figure: "ms_per_frame_min",
        unit: 1e-3,
    },
];

/// 100 steps of 0.01 s.
pub fn box_drop(request: &Request) -> Result<Vec<Row>, Failure> {
    let folder = Folder::new()?;
    folder.write_floor("floor.mesh")?;
    let floors = [
        ("half_space", json!({ "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } })),
        ("mesh_floor", json!({ "mesh": { "mesh": "floor.mesh" } })),
    ];
    let mut rows = Vec::new();
    for (name, floor) in floors {
        let mut simulation = scenes::build(&scenes::box_drop(&folder, floor)?, &folder, request.watch)?;
        let row = stepped(&mut simulation, request.steps.unwrap_or(100), request)?;
        rows.push(Row {
            name: format!("box_drop_5k.{name}"),
            system: "a soft box dropped 2 cm, steps of 0.01 s, Newton to 1 cm/s".into(),
            peers: BOX_PEERS,
            ..row
        });
    }
    Ok(rows)
}

/// 30 steps of 0.01 s, which end with the creature squeezed onto the torus.
pub fn creature_on_torus(request: &Request) -> Result<Vec<Row>, Failure> {
    let mut simulation = scenes::creature_on_torus(request.watch)?;
    let row = stepped(&mut simulation, request.steps.unwrap_or(30), request)?;
    let system = "a damped creature falling onto a torus at 1 m/s, steps of 0.01 s, Newton to 1 um/s, friction".into();
    Ok(vec![Row { name: "creature_on_torus".into(), system, ..row }])
}

/// The sag-free initialisation and 10 steps at rest; then 10 steps of the same body sagging from its naive rest state.
pub fn hanging(request: &Request) -> Result<Vec<Row>, Failure> {
    let folder = Folder::new()?;
    let mut simulation = scenes::hanging(&folder, request.watch)?;
    let mut rows = Vec::new();
    for (name, method) in [("sag_free", Method::SagFree), ("naive", Method::Naive)] {
        let init = initialise(&mut simulation, method, request.watch)?;
        let mut row = stepped(&mut simulation, request.steps.unwrap_or(10), request)?;
        row.time("initialise", init.seconds.total);
        row.time("initialise.assemble", init.seconds.assemble);
        row.time("initialise.global", init.seconds.global);
        row.time("initialise.local", init.seconds.local);
        row.count("initial_residual", init.residual.after);
        let system = "a block held at its upper side, steps of 0.01 s, Newton to 1 um/s".into();
        rows.push(Row { name: format!("hanging_100k.{name}"), system, ..row });
    }
    Ok(rows)
}

/// Takes so many steps; the seconds are those of a mean step.
pub fn stepped(simulation: &mut Simulation, steps: u64, request: &Request) -> Result<Row, Failure> {
    let mut row = Row {
        elements: simulation.system.families.iter().map(|family| family.len()).sum(),
        masses: simulation.system.masses.len(),
        ..Row::default()
    };
    let mut all: Vec<StepStats> = Vec::new();
    for _ in 0..steps {
        all.push(simulation.step(request.watch).map_err(|error| match error {
            StepError::Cancelled(_) => Failure::Interrupted,
            other => Failure::Unreached(other.to_string()),
        })?);
    }
    let mean = |value: fn(&Phases) -> f64| all.iter().map(|step| value(&step.phases)).sum::<f64>() / steps as f64;
    let largest = |value: fn(&StepStats) -> f64| all.iter().map(value).fold(0.0, f64::max);
    row.time("step", mean(|phases| phases.total));
    row.time("step.elements", mean(|phases| phases.elements));
    row.time("step.contact", mean(|phases| phases.contact));
    row.time("step.ccd", mean(|phases| phases.ccd));
    row.time("step.linear", mean(|phases| phases.linear));
    row.time("step.line_search", mean(|phases| phases.line_search));
    row.time("longest_step", largest(|step| step.seconds));
    row.count("steps", steps);
    row.count("iterations", all.iter().map(|step| step.iterations).sum::<u32>());
    row.count("most_iterations", all.iter().map(|step| step.iterations).max());
    row.count("halvings", all.iter().map(|step| step.halvings).sum::<u32>());
    row.count("substeps", all.iter().map(|step| step.substeps).sum::<u32>());
    row.count("inversions", all.iter().map(|step| step.inversions).sum::<u32>());
    row.count("min_gap", Some(all.iter().map(|step| step.min_gap).fold(f64::INFINITY, f64::min)).filter(|gap| gap.is_finite()));
    row.contacts = all.iter().map(|step| step.contacts as usize).max().unwrap_or(0);
    row.residual = Some(largest(|step| step.residual));
    row.drift = Some(largest(|step| step.drift));
    Ok(row)
}
