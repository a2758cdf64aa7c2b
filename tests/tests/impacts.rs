//! Impacts without friction at default contact settings.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::{Vec3, rotation};
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::{StepStats, measure};
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, World, add_half_space};

const JELLY: BoxBody =
    BoxBody { size: Vec3::new(0.1, 0.1, 0.1), cells: [3, 3, 3], law: "neo_hookean", young: 3e4, poisson: 0.4, density: 1000.0 };

fn drop_on(height: f64, degrees: [f64; 3], mesh: bool) -> System {
    let turned = move |x: Vec3| rotation(degrees) * (x - 0.5 * JELLY.size);
    let lowest = JELLY.mesh().0.into_iter().map(|x| turned(x).y).fold(f64::INFINITY, f64::min);
    let mut world = World::on_earth().body(&JELLY, move |x| turned(x) + Vec3::new(0.0, height - lowest, 0.0));
    if mesh {
        let lines: Vec<f64> = (-8..=8).map(|k| 0.05 * f64::from(k) + 0.011).collect();
        let ground = TriangleMesh::square(&Vec3::zeros(), &Vec3::y(), &lines);
        world = world.surface(&ground.positions, &ground.triangles, None);
    }
    let mut system = world.finish(0.0);
    if !mesh {
        add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.0);
    }
    system
}

fn collide(speed: f64, degrees: [f64; 3], off: f64) -> System {
    let turned = move |x: Vec3| rotation(degrees) * (x - 0.5 * JELLY.size);
    let far = JELLY.mesh().0.into_iter().map(|x| turned(x).x).fold(f64::INFINITY, f64::min);
    let world = World::default()
        .body(&JELLY, |x| x - 0.5 * JELLY.size)
        .body(&JELLY, move |x| turned(x) + Vec3::new(0.05 - far + 0.01, off, 0.7 * off));
    let mut system = world.finish(0.0);
    system.initial_velocities = vec![Vec3::zeros(); system.positions.len()];
    for (body, sign) in system.bodies.iter().zip([0.5, -0.5]) {
        body.nodes.clone().for_each(|n| system.initial_velocities[n] = Vec3::new(sign * speed, 0.0, 0.0));
    }
    system
}

fn run(mut system: System, stepper: &str, h: f64, seconds: f64, tolerance: Option<f64>) -> String {
    system.simulate.stepper = stepper.into();
    system.simulate.step_size = h;
    if let Some(t) = tolerance {
        system.simulate.tolerance = t;
    }
    let mut simulation = Simulation::new(system);
    let start = measure::state(&simulation.system, &simulation.state.positions, &simulation.state.velocities, 0.0).total;
    let (mut top, mut kinetic, mut stats) = (f64::NEG_INFINITY, measure::kinetic_energy(&simulation.system, &simulation.state.velocities), Vec::<StepStats>::new());
    let mut worst = 0.0_f64;
    let mut failed = String::new();
    let steps = (seconds / h).round() as usize;
    for _ in 0..steps {
        match simulation.step(&Unwatched) {
            Ok(s) => {
                let before = stats.last().map_or(start, |s: &StepStats| s.total);
                worst = worst.max(s.total - before);
                top = top.max(s.total - start);
                kinetic = kinetic.max(s.kinetic);
                stats.push(s);
            }
            Err(error) => {
                failed = format!(" FAILED {error}");
                break;
            }
        }
    }
    let touching: Vec<&StepStats> = stats.iter().filter(|s| s.contacts > 0).collect();
    let n = touching.len().max(1) as f64;
    format!(
        "{stepper:15} h {h:7} excess {:9.1e} step {:9.1e} end {:6.3} | all {:5.1} touching {:4} it {:5.1} max {:3} halv {:4.1} parts {} gap {:.1e}{failed}",
        top / kinetic,
        worst / kinetic,
        (stats.last().map_or(start, |s| s.total) - start) / kinetic,
        stats.iter().map(|s| f64::from(s.iterations)).sum::<f64>() / stats.len().max(1) as f64,
        touching.len(),
        touching.iter().map(|s| f64::from(s.iterations)).sum::<f64>() / n,
        stats.iter().map(|s| s.iterations).max().unwrap_or(0),
        touching.iter().map(|s| f64::from(s.halvings)).sum::<f64>() / n,
        stats.iter().map(|s| s.substeps).max().unwrap_or(0),
        stats.iter().map(|s| s.min_effective_gap).fold(f64::INFINITY, f64::min) ,
    )
}

#[test]
#[ignore]
fn survey() {
    let sizes = [0.01, 0.005, 0.002, 0.001, 0.0005];
    let only = std::env::var("ONLY").unwrap_or_default();
    for (name, make, seconds) in [
        ("flat", (|| drop_on(0.25, [0.0; 3], false)) as fn() -> System, 0.35),
        ("tilted", || drop_on(0.25, [7.0, 0.0, 11.0], false), 0.35),
        ("mesh", || drop_on(0.25, [20.0, 10.0, 30.0], true), 0.35),
        ("cubes", || collide(1.0, [0.0; 3], 0.0), 0.1),
        ("askew", || collide(1.0, [30.0, 20.0, 40.0], 0.02), 0.1),
    ] {
        if !only.is_empty() && !only.contains(name) {
            continue;
        }
        for stepper in ["backward_euler", "bdf2", "midpoint"] {
            for h in sizes {
                println!("{name:7} {}", run(make(), stepper, h, seconds, std::env::var("TOL").ok().map(|t| t.parse().unwrap())));
            }
        }
    }
}
