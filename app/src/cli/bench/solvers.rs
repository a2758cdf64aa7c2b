//! The linear solvers on the system of one step of a net that was pushed: iterations from decade to decade of the residual.

use aplomb_sim::linear::{SOLVERS, SolverEntry};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene_file::gallery;
use aplomb_sim::simulation::Simulation;
use serde_json::{Value, json};

use super::Request;
use super::report::Row;
use crate::cli::failure::Failure;
use crate::cli::init::initialise;
use crate::cli::output;
use crate::cli::targets::Targets;

/// Decades of the residual that are gone down.
const DECADES: i32 = 10;
/// Iterations at most.
const MOST: u32 = 200_000;
/// Velocity of every free mass [m/s]: what the step has to solve for.
const PUSH: Vec3 = Vec3::new(0.1, -0.2, 0.05);

/// One row a solver.
pub fn run(request: &Request) -> Result<Vec<Row>, Failure> {
    let Some(scene) = gallery::find("solvers") else {
        return Err(Failure::Input("the gallery has no scene `solvers`".into()));
    };
    let (_, mut simulation) = output::load(&scene.path(), &Targets::default(), request.watch)?;
    let method = simulation.system.initialise.method;
    initialise(&mut simulation, method, request.watch)?;
    // `auto` is one of the others.
    SOLVERS.iter().skip(1).map(|solver| measured(solver, &mut simulation, request)).collect()
}

/// The curve of one solver: iterations, and the residual that is left of the right side, for each tolerance.
fn measured(solver: &SolverEntry, simulation: &mut Simulation, request: &Request) -> Result<Row, Failure> {
    let mut row = Row {
        name: format!("solvers.{}", solver.name),
        system: format!("{}: one step of a net", solver.label),
        elements: simulation.system.families.iter().map(|family| family.len()).sum(),
        masses: simulation.system.masses.len(),
        ..Row::default()
    };
    let mut curve: Vec<Value> = Vec::new();
    for decade in 1..=DECADES {
        let settings = &mut simulation.system.simulate;
        (settings.solver, settings.linear_tolerance, settings.linear_iterations) = (solver.choice, 10f64.powi(-decade), MOST);
        simulation.reset();
        simulation.kick(PUSH);
        let stats = simulation.step(request.watch).map_err(|error| Failure::Unreached(error.to_string()))?;
        if decade == 6 {
            row.time("step", stats.seconds);
            row.count("iterations_to_1e-6", stats.linear_iterations);
        }
        row.residual = Some(stats.linear_residual);
        curve.push(json!([stats.linear_iterations, stats.linear_residual]));
    }
    row.count("iterations_and_residuals", curve);
    Ok(row)
}
