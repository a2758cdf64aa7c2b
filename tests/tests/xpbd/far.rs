//! What reaches over many elements at once: attachments of what does not stretch, and coarser copies.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::spring_scene::{Springs, hanging, top};
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

const LINKS: usize = 100;
/// As many sweeps as it takes are asked for of fewer: they grow with the square.
const FEWER: usize = 50;
const FRAME: f64 = 1.0 / 60.0;

/// A metre of chain that hangs from its first node.
fn chain(stepper: &str, projection: &Value) -> Springs {
    chain_of(LINKS, stepper, projection)
}

/// The same of so many links.
fn chain_of(links: usize, stepper: &str, projection: &Value) -> Springs {
    let settings = json!({ "stiffness": 1e6, "mass": { "per_node": 1e-3 } });
    let mut springs = Springs::new(&hanging(links, 1.0), settings, top());
    springs.scene["simulate"] = json!({ "stepper": stepper, "step_size": FRAME, "projection": projection });
    springs.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    springs
}

/// By how much the end is farther from the first node than in the given shape, as a share.
fn longer(simulation: &Simulation) -> f64 {
    let x = &simulation.state.positions;
    (x[LINKS] - x[0]).norm() / (simulation.system.positions[LINKS] - simulation.system.positions[0]).norm() - 1.0
}

fn run(simulation: &mut Simulation, seconds: f64) -> f64 {
    let steps = (seconds / FRAME).round() as usize;
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

#[test]
fn attachments_hold_what_single_sweeps_let_stretch() {
    let run_of = |attachments: Option<f64>, method| {
        let mut projection = json!({ "substeps": 10, "sweeps": 1 });
        if let Some(attachments) = attachments {
            projection["attachments"] = json!(attachments);
        }
        let (mut simulation, _) = chain("xpbd", &projection).initialised(method);
        let drift = run(&mut simulation, 1.5);
        (drift, longer(&simulation), simulation)
    };
    let (_, plain, _) = run_of(None, Method::Naive);
    let (_, tied, _) = run_of(Some(1.0), Method::Naive);
    let (_, loosely, _) = run_of(Some(1.05), Method::Naive);
    println!("longer by {plain}, tied {tied:e}, loosely {loosely}");
    assert!(plain > 0.1 && tied < 1e-9 && loosely > 0.01 && loosely <= 0.05 + 1e-9);
    // A balance rests as without them; and what is let go has none.
    let (drift, _, mut simulation) = run_of(Some(1.0), Method::SagFree);
    assert!(drift < 1e-12, "{drift:e}");
    let (_, _, mut untied) = run_of(None, Method::SagFree);
    for simulation in [&mut simulation, &mut untied] {
        simulation.reset();
        simulation.system.fixed.fill(false);
        run(simulation, 0.5);
    }
    assert_eq!(simulation.state.positions, untied.state.positions);
}

/// Sweeps until no link is longer than it was by a thousandth, in one part that starts undeformed under weight.
fn sweeps_needed(levels: u32) -> u32 {
    let strain_after = |sweeps: u32| {
        let projection = json!({ "substeps": 1, "sweeps": sweeps, "levels": levels, "order": "forward" });
        let (mut simulation, _) = chain_of(FEWER, "pbd", &projection).initialised(Method::Naive);
        simulation.step(&Unwatched).unwrap();
        let x = &simulation.state.positions;
        x.windows(2).map(|pair| ((pair[1] - pair[0]).norm() * FEWER as f64 - 1.0).abs()).fold(0.0, f64::max)
    };
    let mut high = 1;
    while strain_after(high) > 1e-3 {
        high *= 2;
    }
    let mut low = high / 2;
    while low + 1 < high {
        let middle = u32::midpoint(low, high);
        if strain_after(middle) > 1e-3 { low = middle } else { high = middle }
    }
    high
}

#[test]
fn copies_save_sweeps_and_leave_a_balance_alone() {
    let needed = [0, 2, 6].map(sweeps_needed);
    println!("sweeps to a thousandth with no copy, two and six: {needed:?}");
    assert!(2 * needed[1] < needed[0] && 2 * needed[2] < needed[1], "{needed:?}");
    let (mut simulation, _) = chain("pbd", &json!({ "substeps": 10, "sweeps": 1, "levels": 6 })).initialised(Method::SagFree);
    let drift = run(&mut simulation, 1.0);
    assert!(drift < 1e-12, "{drift:e}");
}

#[test]
fn copies_are_for_shares_alone() {
    let springs = chain("xpbd", &json!({ "levels": 2 }));
    let told = springs.problems();
    assert!(told.iter().any(|problem| problem.contains("\"levels\"")), "{told:?}");
}
