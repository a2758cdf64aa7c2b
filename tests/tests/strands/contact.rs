//! Strands against one another, as thick as they are: with friction, at rest from a sag-free start, and through nothing, by every stepper.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::ops::Range;

use crate::spring_scene::Springs;
use crate::strand_scene::{GRAVITY, strands};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

const RADIUS: f64 = 1e-3;
const MODELS: [&str; 2] = ["cosserat", "discrete_elastic"];

fn steppers() -> [Value; 2] {
    [
        json!({ "stepper": "backward_euler", "step_size": 0.002 }),
        json!({ "stepper": "xpbd", "step_size": 1.0 / 60.0, "projection": { "substeps": 20, "sweeps": 4 } }),
    ]
}

/// An OBJ of several polylines.
fn lines(strands: &[Vec<[f64; 3]>]) -> String {
    let vertices: String = strands.iter().flatten().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    let mut next = 1;
    let chains = strands.iter().map(|strand| {
        let numbers: String = (next..next + strand.len()).map(|v| format!(" {v}")).collect();
        next += strand.len();
        format!("l{numbers}\n")
    });
    let chains: String = chains.collect();
    vertices + &chains
}

/// A straight strand from one end to the other.
fn straight(from: [f64; 3], to: [f64; 3], segments: usize) -> Vec<[f64; 3]> {
    let at = |k: usize| std::array::from_fn(|i| from[i] + (to[i] - from[i]) * k as f64 / segments as f64);
    (0..=segments).map(at).collect()
}

fn scene(parts: &[Vec<[f64; 3]>], held: &[usize], model: &str, young: f64, friction: f64, simulate: &Value) -> Springs {
    let settings = json!({ "radius": RADIUS, "density": 1200.0, "young": young, "model": model, "clamped": false });
    let mut scene = strands(&lines(parts), settings, json!({ "vertices": held }));
    scene.scene["contact"] = json!({ "friction": friction, "barrier_distance": 1e-3, "detection_distance": 1e-3 });
    scene.scene["simulate"] = simulate.clone();
    scene
}

/// The least distance between the middles of two strands, where it is below 3 radii.
fn nearest(x: &[Vec3], a: Range<usize>, b: Range<usize>) -> f64 {
    let segments = |nodes: &Range<usize>| nodes.clone().zip(nodes.start + 1..nodes.end).map(|(i, j)| [x[i], x[j]]).collect::<Vec<_>>();
    let (of_a, of_b) = (segments(&a), segments(&b));
    let reach = |[a, b]: &[Vec3; 2]| (0.5 * (a + b), 0.5 * (b - a).norm());
    let mut least = 3.0 * RADIUS;
    for one in &of_a {
        for other in &of_b {
            let ((p, r), (q, s)) = (reach(one), reach(other));
            if (p - q).norm() < r + s + least {
                least = least.min(between(*one, *other));
            }
        }
    }
    least
}

/// Distance between two segments: of the lines' nearest points, kept to both by turns, which is convex.
fn between([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> f64 {
    let (u, v) = (b - a, d - c);
    let (mut s, mut t) = (0.5, 0.5);
    for _ in 0..100 {
        s = ((c + t * v - a).dot(&u) / u.norm_squared()).clamp(0.0, 1.0);
        t = ((a + s * u - c).dot(&v) / v.norm_squared()).clamp(0.0, 1.0);
    }
    (a + s * u - c - t * v).norm()
}

/// Two rails, held, and a strand across both that slopes by so many degrees, its middle half a barrier above where they touch.
fn on_rails(degrees: f64, friction: f64, model: &str, simulate: &Value) -> Simulation {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let along = |s: f64, up: f64, z: f64| [s * cosine - up * sine, s * sine + up * cosine, z];
    let apart = 2.0 * RADIUS + 1e-4;
    let rail = |s: f64| straight(along(s, -apart, -0.03), along(s, -apart, 0.03), 3);
    let across = straight(along(-0.1, 0.0, 0.002), along(0.1, 0.0, -0.002), 23);
    let parts = [across, rail(-0.05), rail(0.05)];
    scene(&parts, &(24..32).collect::<Vec<_>>(), model, 2e10, friction, simulate).build()
}

fn drift(simulation: &mut Simulation, seconds: f64) -> f64 {
    let steps = (seconds / simulation.system.simulate.step_size).round() as usize;
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

/// Across two rails a strand rests on its friction with a force that bears its weight, and with less friction than its slope has it is refused.
#[test]
fn a_strand_rests_across_rails_as_far_as_friction_holds_it() {
    for model in MODELS {
        for simulate in steppers() {
            let degrees = 20.0_f64;
            let needed = degrees.to_radians().tan();
            let mut simulation = on_rails(degrees, 1.2 * needed, model, &simulate);
            let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
            assert!(report.residual.balanced && report.contact.pairs == 2, "{:?} {:?}", report.residual, report.contact);
            let weight = GRAVITY * simulation.system.masses[..24].iter().sum::<f64>();
            let borne: f64 =
                simulation.balance.pairs.iter().map(|pair| (pair.normal_force.powi(2) + pair.friction_force.norm_squared()).sqrt()).sum();
            let rest = drift(&mut simulation, 1.0);
            simulation.reset();
            simulation.kick(Vec3::new(0.0, 0.0, 0.01));
            let kick = drift(&mut simulation, 1.0);
            println!("{model} {}: borne {:.6}, rest {rest:.1e}, kick {kick:.1e}", simulate["stepper"], borne / weight);
            assert!((borne / weight - 1.0).abs() < 1e-3 && rest < 1e-9 && (1e-6..0.05).contains(&kick));
            let mut smooth = on_rails(degrees, 0.9 * needed, model, &simulate);
            let report = smooth.initialise(Method::SagFree, &Unwatched).unwrap();
            assert!(
                !report.residual.balanced && report.infeasible.iter().any(|found| found.message.contains("slips")),
                "{:?}",
                report.infeasible
            );
        }
    }
}

/// What friction does not hold slides as Coulomb says.
#[test]
fn a_strand_slides_on_rails_as_coulomb_says() {
    let (degrees, seconds) = (25.0_f64, 0.1);
    let (sine, cosine) = degrees.to_radians().sin_cos();
    for model in MODELS {
        for simulate in steppers() {
            for share in [0.0, 0.5, 0.9, 1.1] {
                let mut simulation = on_rails(degrees, share * sine / cosine, model, &simulate);
                simulation.initialise(Method::Naive, &Unwatched).unwrap();
                let middle = |simulation: &Simulation| simulation.state.positions[..24].iter().sum::<Vec3>() / 24.0;
                let before = middle(&simulation);
                drift(&mut simulation, seconds);
                let way = (before - middle(&simulation)).dot(&Vec3::new(cosine, sine, 0.0));
                let expected = 0.5 * GRAVITY * sine * (1.0 - share).max(0.0) * seconds.powi(2);
                println!("{model} {}, {share} of what holds: {:.3} mm, rigid {:.3} mm", simulate["stepper"], 1e3 * way, 1e3 * expected);
                assert!((way - expected).abs() < 0.1 * expected + 2e-4);
            }
        }
    }
}

/// Strands that fall on strands in any direction come to lie on them no nearer than they are thick, and pass through none; by themselves they are
/// kept apart, too.
#[test]
fn strands_pass_through_no_strands() {
    let mut random = Random::new(5);
    let mut parts: Vec<Vec<[f64; 3]>> = Vec::new();
    for k in 0..5 {
        let z = -0.04 + 0.02 * f64::from(k);
        parts.push(straight([-0.06, 0.0, z], [0.06, 0.001, z + 0.003], 6));
    }
    for k in 0..4 {
        let angle = random.uniform(0.0, 3.0);
        let (sine, cosine) = angle.sin_cos();
        let (y, tilt) = (0.012 + 0.008 * f64::from(k), random.uniform(-0.003, 0.003));
        parts.push(straight([-0.05 * cosine, y - tilt, -0.05 * sine], [0.05 * cosine, y + tilt, 0.05 * sine], 12));
    }
    let held: Vec<usize> = (0..35).collect();
    let ranges: Vec<Range<usize>> = (0..5).map(|k| 7 * k..7 * k + 7).chain((0..4).map(|k| 35 + 13 * k..35 + 13 * k + 13)).collect();
    for model in MODELS {
        for simulate in steppers() {
            let mut simulation = scene(&parts, &held, model, 1e8, 0.3, &simulate).build();
            simulation.initialise(Method::Naive, &Unwatched).unwrap();
            let steps = (0.5 / simulation.system.simulate.step_size).round() as usize;
            let (mut least, mut contacts) = (f64::INFINITY, 0);
            for _ in 0..steps {
                contacts = contacts.max(simulation.step(&Unwatched).unwrap().contacts);
                let x = &simulation.state.positions;
                for a in 0..ranges.len() {
                    for b in (a + 1).max(5)..ranges.len() {
                        least = least.min(nearest(x, ranges[a].clone(), ranges[b].clone()));
                    }
                }
            }
            let lowest = simulation.state.positions[35..87].iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
            println!("{model} {}: nearest {:.4} mm, {contacts} contacts, lowest {:.2} mm", simulate["stepper"], 1e3 * least, 1e3 * lowest);
            assert!(least > 1.95 * RADIUS && contacts >= 4 && lowest < 0.01, "{model} {simulate}");
        }
    }
}

/// Two strands that meet in free space go on with their momentum.
#[test]
fn strands_that_meet_keep_their_momentum() {
    let parts = [straight([-0.05, 0.0, 0.0], [0.05, 0.0, 0.0], 9), straight([0.01, 0.004, -0.04], [0.012, 0.005, 0.05], 12)];
    for model in MODELS {
        for simulate in steppers() {
            let mut free = scene(&parts, &[], model, 1e8, 0.4, &simulate);
            free.scene["bodies"][0]["regions"] = json!([]);
            free.scene["gravity"] = json!([0, 0, 0]);
            let mut simulation = free.build();
            simulation.initialise(Method::Naive, &Unwatched).unwrap();
            let count = parts[0].len();
            simulation.state.velocities[..count].iter_mut().for_each(|v| *v = Vec3::new(0.02, 0.2, -0.1));
            let masses = simulation.system.masses[..count + parts[1].len()].to_vec();
            let momentum = |simulation: &Simulation| masses.iter().zip(&simulation.state.velocities).map(|(m, v)| *m * v).sum::<Vec3>();
            let before = momentum(&simulation);
            let steps = (0.1 / simulation.system.simulate.step_size).round() as usize;
            let touched: u32 = (0..steps).map(|_| simulation.step(&Unwatched).unwrap().contacts).sum();
            let moved = simulation.state.velocities[count..count + parts[1].len()].iter().sum::<Vec3>();
            let lost = (momentum(&simulation) - before).norm() / before.norm();
            println!("{model} {}: {touched} contacts, lost {lost:.1e}", simulate["stepper"]);
            assert!(touched > 0 && moved.y > 0.1 && lost < 1e-11, "{lost:e}");
        }
    }
}
