//! Bodies of material points that meet: blocks that fly at each other, and sand that falls onto a ball.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::scene::{Particles, run};
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

/// Sand falls on a ball (drawn out to a rod, in a slice between smooth walls), parts and settles: its bed is as dense as it began, and none is deeper in the
/// ball than a cell, which is why it is made larger by one.
#[test]
fn sand_on_a_ball_settles_as_dense_as_it_began() {
    const CELL: f64 = 1.0 / 48.0;
    const DENSITY: f64 = 400.0;
    let (radius, middle) = (0.05 + CELL, Vec3::new(0.5, 0.5, 0.0));
    let [across, up] = [19, 38];
    let at = |k: usize| 0.5 * CELL * Vec3::new((k % across) as f64 + 0.5, (k / across % up) as f64 + 0.5, (k / (across * up)) as f64 + 0.5);
    let points: Vec<Vec3> = (0..across * up * 4).map(|k| Vec3::new(0.4, 0.58, 0.0) + at(k)).collect();
    let mut sand = Particles::sand(&points, 25.0);
    sand.walls([1.0, 2.0 * CELL]);
    let matter = &mut sand.scene["bodies"][0]["as"]["particles"];
    (matter["spacing"], matter["density"], matter["sand"]["young"]) = (json!(0.5 * CELL), json!(DENSITY), json!(3.537e5));
    let walls = sand.scene["obstacles"].as_array_mut().unwrap();
    walls[0]["friction"] = json!(0.5);
    let [from, to] = [-1.0, 1.0].map(|z| [middle.x, middle.y, z]);
    walls.push(json!({ "name": "ball", "shape": { "capsule": { "from": from, "to": to, "radius": radius } }, "friction": 0.5 }));
    let mut simulation = sand.build();
    let (_, last) = run(&mut simulation, 1.2);
    let state = &simulation.state;
    let nearest = state.positions.iter().map(|x| (x - middle).xy().norm()).fold(f64::INFINITY, f64::min);
    let sides = [-1.0, 1.0].map(|sign| state.positions.iter().filter(|x| sign * (x.x - middle.x) > 0.0).count());
    // Mass by cells of the plane, and those that lie in the bed: with sand in all eight around them.
    let mut mass = std::collections::BTreeMap::new();
    for (x, m) in state.positions.iter().zip(&simulation.system.masses) {
        *mass.entry([x.x, x.y].map(|c| (c / CELL).floor() as i64)).or_insert(0.0) += m;
    }
    let full = DENSITY * 2.0 * CELL * CELL * CELL;
    let is_inside = |[i, j]: [i64; 2]| {
        j > 0 && (-1..=1).all(|a| (-1..=1).all(|b| j + b < 0 || mass.get(&[i + a, j + b]).is_some_and(|m| *m > 0.5 * full)))
    };
    let inside: Vec<f64> = mass.iter().filter(|(cell, _)| is_inside(**cell)).map(|(_, m)| m / full).collect();
    let density = inside.iter().sum::<f64>() / inside.len() as f64;
    println!(
        "{} cells inside, {density:.4} of the density, nearest {nearest:.4} of {radius:.4}, {sides:?}, {:.1e} J",
        inside.len(),
        last.kinetic
    );
    assert!(inside.len() > 10 && (density - 1.0).abs() < 0.03, "{density}");
    assert!(nearest > radius - CELL, "{nearest}");
    assert!(sides.iter().all(|count| *count > points.len() * 4 / 10), "{sides:?}");
}
