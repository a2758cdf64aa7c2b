//! Bodies in the rest state that the initialiser found: they stay, and a kick dies away.

use super::*;
use crate::sag_free::initialise::rest_state;
use crate::scene::Method;

fn held(system: System) -> Run {
    held_by(Scheme::BackwardEuler, system)
}

pub fn held_by(scheme: Scheme, mut system: System) -> Run {
    let found = rest_state(&system, Method::SagFree, &Unwatched).unwrap();
    assert!(found.account.infeasible.is_empty() && found.account.unattained.is_empty());
    system.families = found.families;
    Run::by(scheme, system, &found.balance)
}

/// Holds for a second, then shows a kick that goes away.
fn check(name: &str, mut run: Run) {
    let balance = run.net_force();
    let load = run.system.loads().iter().map(Vec3::norm).fold(0.0, f64::max);
    let out = balance.iter().map(Vec3::norm).fold(0.0, f64::max) / load;
    assert!(out < 1e-8, "{name}: residual {out}");
    let rest = run.steps(100);
    let drift = rest.iter().map(|s| s.drift).fold(0.0, f64::max);
    let iterations = rest.iter().map(|s| s.iterations).max().unwrap();
    println!("{name}: drift {drift:.1e}, at most {iterations} iterations a step");
    assert!(drift < 1e-8, "{name}: drift {drift}");
    assert!(rest.iter().all(|s| s.iterations >= 1));
    for n in (0..run.system.fixed.len()).filter(|&n| !run.system.fixed[n]) {
        run.state.velocities[n] += Vec3::new(1e-3, 0.0, 0.0);
    }
    let kicked = run.steps(500);
    let peak = kicked.iter().map(|s| s.drift).fold(0.0, f64::max);
    println!("{name}: kick {peak:.1e}, then {:.1e}", kicked[499].drift);
    assert!(peak > 1e-7 && kicked[499].drift < 1e-7, "{name}: kick {peak}, at the end {}", kicked[499].drift);
}

pub fn jelly(law: &str) -> System {
    block([3, 3, 3], 0.05, Vec3::zeros(), law, 3e4, 0.02)
}

#[test]
fn a_hanging_beam_stays() {
    for law in MATERIALS {
        let mut system = block([5, 2, 2], 0.05, Vec3::zeros(), law.name, 2e5, 0.02);
        for n in 0..system.positions.len() {
            system.fixed[n] = system.positions[n].x < 1e-9;
        }
        check(law.name, held(system));
    }
}

#[test]
fn a_block_stays_on_the_ground() {
    check("ground", held(onto(jelly("neo_hookean"), vec![ground(Vec3::y())], 0.5)));
}

#[test]
fn a_block_stays_on_a_slope() {
    let (sin, cos) = 20.0f64.to_radians().sin_cos();
    let mut system = jelly("stable_neo_hookean");
    system.gravity = G * Vec3::new(-sin, -cos, 0.0);
    check("slope", held(onto(system, vec![ground(Vec3::y())], 0.40)));
}

#[test]
fn a_block_stays_between_curved_obstacles() {
    let ball = |x: f64, z: f64| obstacle(Shape::Sphere { center: [x, -1.0, z], radius: 1.0 });
    let corner = 0.15;
    let balls = vec![ball(0.0, 0.0), ball(corner, 0.0), ball(0.0, corner), ball(corner, corner)];
    check("balls", held(onto(jelly("neo_hookean"), balls, 0.5)));
}

#[test]
fn a_beam_on_a_block_stays_until_the_block_goes() {
    let mut system = block([16, 2, 2], 0.05, Vec3::zeros(), "stable_neo_hookean", 5e4, 0.01);
    for n in 0..system.positions.len() {
        system.fixed[n] = system.positions[n].x > 0.8 - 1e-9;
    }
    let mut support = obstacle(Shape::Box { center: [0.05, -0.1, 0.05], size: [0.14, 0.2, 0.2], rotate_degrees: [0.0; 3] });
    support.removed_at = 0.5;
    let mut run = held(onto(system, vec![support], 0.5));
    assert!(run.steps(50).iter().all(|s| s.drift < 1e-9 && s.contacts > 0));
    let falling = run.steps(100);
    assert!(falling[0].contacts == 0 && falling[99].drift > 0.1, "{}", falling[99].drift);
}
