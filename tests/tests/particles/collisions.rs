//! Bodies of material points that meet: blocks that fly at each other, and sand that falls onto a ball.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::scene::Particles;
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use serde_json::json;

/// Edge of a cell of the grid [m], and of the particles.
const CELL: f64 = 1.0 / 128.0;
const SPACING: f64 = 0.5 * CELL;
const SPEED: f64 = 10.0;

/// Two blocks of 0.2 m, a cell thick between smooth walls, which fly at each other: 0.01 MPa and 1000 kg/m^3, so that waves run at 3.7 m/s.
fn blocks(transfer: &str) -> Simulation {
    let count = (0.2 / SPACING).round() as usize;
    let at = |k: usize, first: f64| first + SPACING * (k as f64 + 0.5);
    let left: Vec<Vec3> = (0..2 * count * count)
        .map(|n| Vec3::new(at(n / (2 * count), 0.5 - 0.1 - 26.0 * SPACING), at(n / 2 % count, 0.4), at(n % 2, 0.0)))
        .collect();
    let right: Vec<Vec3> = left.iter().map(|x| Vec3::new(1.0 - x.x, x.y, x.z)).collect();
    let mut scene = Particles::elastic(&left, "hencky");
    let body = &mut scene.scene["bodies"][0];
    body["velocity"] = json!([SPEED, 0, 0]);
    body["as"]["particles"] = json!({ "spacing": SPACING, "density": 1000, "elastic": { "law": "hencky", "young": 1e4, "poisson": 0.3 } });
    scene.beside(&right);
    scene.scene["bodies"][1]["velocity"] = json!([-SPEED, 0, 0]);
    let plane = |name: &str, z: f64, side: f64| json!({ "name": name, "shape": { "half_space": { "point": [0, 0, z], "normal": [0, 0, side] } }, "friction": 0 });
    scene.scene["obstacles"] = json!([plane("back", 0.0, 1.0), plane("front", CELL, -1.0)]);
    scene.scene["gravity"] = json!([0, 0, 0]);
    scene.scene["simulate"] = json!({ "stepper": "mpm", "step_size": 2e-4, "grid": { "spacing": CELL, "transfer": transfer } });
    scene.initialised(Method::Naive).0
}

/// No momentum comes or goes, each is the mirror image of the other, and they fly apart again.
#[test]
fn blocks_that_collide_mirror_each_other_and_part() {
    let mut simulation = blocks("pic");
    let half = simulation.state.positions.len() / 2;
    let mass = simulation.system.masses[0];
    let middle = |simulation: &Simulation| simulation.state.positions[..half].iter().map(|x| x.x).sum::<f64>() / half as f64;
    let (mut nearest, mut most, mut flattest) = (0.0_f64, 0.0_f64, 1.0_f64);
    for _ in 0..400 {
        let step = simulation.step(&Unwatched).unwrap();
        assert_eq!(step.inversions, 0);
        nearest = nearest.max(middle(&simulation));
        flattest = flattest.min(step.volume / (2.0 * half as f64 * SPACING.powi(3)));
        let momentum = simulation.state.velocities.iter().map(|v| mass * v).sum::<Vec3>();
        most = most.max(momentum.norm() / (half as f64 * mass * SPEED));
    }
    let x = &simulation.state.positions;
    let uneven = (0..half).map(|p| (Vec3::new(1.0 - x[p].x, x[p].y, x[p].z) - x[half + p]).norm()).fold(0.0, f64::max);
    let back = nearest - middle(&simulation);
    let speed = simulation.state.velocities[..half].iter().map(|v| v.x).sum::<f64>() / half as f64;
    println!("momentum {most:.1e}, mirrored to {uneven:.1e} m, {flattest:.2} of the volume, back by {back:.3} m at {speed:.2} m/s");
    assert!(most < 1e-12 && uneven < 1e-9, "{most:e} {uneven:e}");
    assert!(flattest < 0.8 && back > 0.02 && speed < -1.0, "{flattest} {back} {speed}");
}
