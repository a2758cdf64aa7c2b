//! Position-based steppers: exact at rest from a sag-free start for any number of parts and sweeps in any order, and not frozen there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod spring_scene;

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{Method, Preload, ProjectionOrder, ProjectionSettings};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet};
use serde_json::json;
use spring_scene::{Springs, hanging, line, top};

const FRAME: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 9.81;
const LINKS: usize = 100;
/// Mass of each node of a chain [kg].
const MASS: f64 = 1e-3;
const ORDERS: [ProjectionOrder; 4] =
    [ProjectionOrder::Forward, ProjectionOrder::Reverse, ProjectionOrder::Shuffled, ProjectionOrder::Colours];

/// A way to step, and a compliance [m/N]; of `pbd` none at all.
#[derive(Debug, Clone, Copy)]
struct Way {
    compliance: f64,
    substeps: u32,
    sweeps: u32,
    order: ProjectionOrder,
    preload: Preload,
}

impl Way {
    fn settings(&self) -> ProjectionSettings {
        ProjectionSettings { substeps: self.substeps, sweeps: self.sweeps, order: self.order, preload: self.preload, ..Default::default() }
    }

    /// Steps as it says, with as much weight as leaves S at a half, and all of it where that is less.
    fn take(&self, simulation: &mut Simulation, turn_of_weight: f64) {
        let part = FRAME / f64::from(self.substeps);
        let share = (0.5 / (part * part * turn_of_weight)).min(1.0);
        let simulate = &mut simulation.system.simulate;
        simulate.stepper = if self.compliance == 0.0 { "pbd" } else { "xpbd" }.into();
        (simulate.step_size, simulate.projection) = (FRAME, self.settings());
        simulation.system.gravity = -share * GRAVITY * Vec3::y();
    }
}

/// A metre of chain that hangs from its first node, or from both ends with a sag.
fn chain(compliance: f64, sags: bool, stepper: &str) -> Springs {
    let stiffness = if compliance > 0.0 { 1.0 / compliance } else { 1e4 };
    let settings = json!({ "stiffness": stiffness, "mass": { "per_node": MASS } });
    let mut springs = if sags {
        let points: Vec<[f64; 3]> = (0..=LINKS)
            .map(|k| {
                let u = 2.0 * k as f64 / LINKS as f64 - 1.0;
                [0.4 * u, 0.5 * u.cosh(), 0.0]
            })
            .collect();
        Springs::new(&line(&points), settings, json!({ "vertices": [0, LINKS] }))
    } else {
        Springs::new(&hanging(LINKS, 1.0), settings, top())
    };
    springs.scene["simulate"] = json!({ "stepper": stepper, "step_size": FRAME });
    springs
}

/// S of a chain's uppermost link over h^2 [1/s^2] under its whole weight.
fn turn_of_chain() -> f64 {
    LINKS as f64 * GRAVITY * 2.0 / (1.0 / LINKS as f64)
}

fn chain_by(way: &Way, method: Method) -> Simulation {
    let stepper = if way.compliance == 0.0 { "pbd" } else { "xpbd" };
    let mut simulation = chain(way.compliance, false, stepper).build();
    way.take(&mut simulation, turn_of_chain());
    let report = simulation.initialise(method, &Unwatched).unwrap();
    assert!(method == Method::Naive || report.residual.balanced, "{:?}", report.residual);
    simulation
}

/// A wavy curtain of n x n cells that hangs from its upper edge: springs along edges and hinges.
fn curtain(cells: usize, compliance: f64, stepper: &str) -> Sheet {
    let pi = std::f64::consts::PI;
    let mut sheet = Sheet::new([cells; 2], Cut::Right, |u, v| Vec3::new(u, -v, 0.05 * (4.0 * pi * u).sin() * (0.5 + 0.5 * v)));
    let stiffness = if compliance > 0.0 { 1.0 / compliance } else { 500.0 };
    sheet.cloth(&json!({ "law": "springs", "stiffness": stiffness, "bending_stiffness": 1e-3, "bending_law": "angle", "density": 0.2 }));
    sheet.hold(|_, v| v == 0.0);
    sheet.scene["simulate"] = json!({ "stepper": stepper, "step_size": FRAME });
    sheet.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    sheet
}

/// The largest drift within so many seconds.
fn drift(simulation: &mut Simulation, seconds: f64) -> f64 {
    let steps = (seconds / FRAME).round() as usize;
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

#[test]
fn look() {
    for compliance in [0.0, 1e-8, 1e-4, 1e-2] {
        for (substeps, sweeps) in [(1, 1), (5, 1), (20, 1), (5, 5), (1, 50)] {
            for order in [ProjectionOrder::Shuffled] {
                let way = Way { compliance, substeps, sweeps, order, preload: Preload::Multipliers };
                let mut simulation = chain_by(&way, Method::SagFree);
                let rest = drift(&mut simulation, 10.0);
                let turn = simulation.step(&Unwatched).unwrap().turn;
                simulation.reset();
                simulation.kick(Vec3::new(1e-2, 0.0, 0.0));
                let kicked = drift(&mut simulation, 5.0);
                let end = simulation.step(&Unwatched).unwrap().drift;
                let other = |preload, method| drift(&mut chain_by(&Way { preload, ..way }, method), 10.0);
                let (none, paper, naive) = (
                    other(Preload::None, Method::SagFree),
                    other(Preload::Paper, Method::SagFree),
                    other(Preload::None, Method::Naive),
                );
                println!(
                    "{compliance:e} {substeps}x{sweeps} {order:?}: S {turn:.2} rest {rest:.1e} kick {kicked:.1e} end {end:.1e}; none {none:.1e} paper {paper:.1e} naive {naive:.1e}"
                );
            }
        }
    }
}
