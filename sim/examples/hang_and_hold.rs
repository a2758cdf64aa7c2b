//! The whole pipeline: load a scene, find the rest state in which it holds its shape, simulate a second, and see.
//!
//! ```text
//! cargo run --release -p aplomb-sim --example hang_and_hold [GALLERY SCENE]
//! ```

use std::error::Error;
use std::path::Path;

use aplomb_sim::scene::{Method, SceneProblem};
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "hanging_beam".to_owned());
    let path = gallery::find(&name).ok_or("give a name that `aplomb gallery` lists")?.path();
    let scene = scene_file::load(&path).map_err(|problems| lines(&problems))?;
    let mut simulation = Simulation::build(&scene, path.parent().unwrap_or(Path::new("")), &Unwatched)?;

    for method in [Method::Naive, Method::SagFree] {
        let report = simulation.initialise(method, &Unwatched)?;
        println!("{method:?}: {} elements, {} masses, {:.3} s", report.elements, report.masses, report.seconds.total);
        println!("  out of balance   {:.1e} -> {:.1e} of the largest load", report.residual.before, report.residual.after);
        if let Some(stability) = report.stability {
            println!("  equilibrium      {:?}, smallest eigenvalue {:.3e} N/m", stability.verdict, stability.smallest_eigenvalue);
        }
        for fault in &report.infeasible {
            println!("  {}", fault.message);
        }
        let mut drift: f64 = 0.0;
        while simulation.state.time < 1.0 {
            drift = drift.max(simulation.step(&Unwatched)?.drift);
        }
        println!("  drift in {:.2} s  {drift:.1e} of the diagonal", simulation.state.time);
    }
    Ok(())
}

fn lines(problems: &[SceneProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
