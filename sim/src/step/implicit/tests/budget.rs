//! The energy identity of a step by backward Euler, over whole runs: with P all energies of the step, convex or not,
//!
//! ```text
//! dT + dP + damping + friction + |v1 - v0|_M^2 / 2 + [P(x0) - P(x1) - grad P(x1) . (x0 - x1)] = work of motions
//! ```
//!
//! and between two steps P changes by what offsets, features, rotations that laws lag and stiffer barriers add. Kinetic, elastic,
//! gravity's and contact's energy and what was dissipated are the program's meters; the rest is taken from positions and velocities here.

use super::*;
use crate::contact::BalancedContact;
use crate::contact::ContactMemory;
use crate::math::largest_norm;
use crate::step::measure::elastic_energy;
use crate::system::motion::Pose;
use crate::system::{DrivenNode, Motion};

/// What a run adds up to [J].
#[derive(Debug, Default)]
struct Budget {
    /// Change of all energies, by the meters.
    gained: f64,
    damping: f64,
    friction: f64,
    /// |v1 - v0|_M^2 / 2.
    jumps: f64,
    /// P(x0) - P(x1) - grad P(x1) . (x0 - x1).
    convexity: f64,
    /// What was added between steps.
    changed: f64,
    /// Sum of the sizes of these.
    changes: f64,
    /// Work of driven nodes.
    work: f64,
    /// The largest energy that there was.
    largest: f64,
}

impl Budget {
    fn error(&self) -> f64 {
        let spent = self.gained + self.damping + self.friction + self.jumps + self.convexity;
        (spent - self.changed - self.work) / self.largest
    }
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

fn elastic_gradient(system: &System, x: &[Vec3]) -> Vec<Vec3> {
    let mut gradient = vec![Vec3::zeros(); x.len()];
    system.families.iter().for_each(|family| family.add_gradient(x, &mut gradient));
    gradient
}

/// Energy of contact at `x` in the step from `origin`, beyond what the shadow remembers: friction left out [J].
fn contact_energy(shadow: &mut ContactMemory, run: &Run, origin: &[Vec3], x: &[Vec3]) -> f64 {
    shadow.freeze(&run.system, origin, run.state.time).summary(x).energy
}

fn watched(mut run: Run, balance: &Balance, steps: usize) -> Budget {
    run.system.simulate.tolerance = 1e-10;
    let mut budget = Budget::default();
    let mut shadow = ContactMemory::new(&run.system, balance);
    let mut last: Option<StepStats> = None;
    for _ in 0..steps {
        run.system.lag(&run.state.positions);
        shadow.remember(run.stepper.contacts(&run.system).remembered());
        let (x0, v0) = (run.state.positions.clone(), run.state.velocities.clone());
        let elastic = elastic_energy(&run.system, &x0);
        let contact = contact_energy(&mut shadow, &run, &x0, &x0);
        let stats = run.step();
        assert_eq!((stats.substeps, stats.unsolved, stats.unsettled), (1, 0, 0), "one step is one minimum");
        let (x1, v1) = (run.state.positions.clone(), &run.state.velocities);
        let way: Vec<Vec3> = x1.iter().zip(&x0).map(|(b, a)| b - a).collect();
        let beside = |s: f64| -> Vec<Vec3> { x1.iter().zip(&way).map(|(x, d)| x + s * d).collect() };
        let speed = largest_norm(&way) / run.system.diagonal;
        let s = (1e-7 / speed.max(1e-12)).min(1e-3);
        let pushed = (contact_energy(&mut shadow, &run, &x0, &beside(s)) - contact_energy(&mut shadow, &run, &x0, &beside(-s))) / (2.0 * s);
        let slope = elastic_gradient(&run.system, &x1);

        let kinetic = |v: &[Vec3]| 0.5 * v.iter().zip(&run.system.masses).map(|(v, m)| m * v.norm_squared()).sum::<f64>();
        let jump: Vec<Vec3> = v1.iter().zip(&v0).map(|(b, a)| b - a).collect();
        let before = last.unwrap_or(StepStats { kinetic: kinetic(&v0), elastic, contact, ..StepStats::default() });
        budget.gained += stats.total - (before.kinetic + before.elastic + before.gravity + before.contact);
        budget.jumps += kinetic(&jump);
        budget.convexity += elastic - stats.elastic + dot(&slope, &way) + contact - stats.contact + pushed;
        let added = elastic + contact - before.elastic - before.contact;
        budget.changed += added;
        budget.changes += added.abs();
        for driven in &run.system.driven {
            let n = driven.node as usize;
            let carried = run.system.masses[n] * (jump[n] / H - run.system.gravity) + slope[n];
            budget.work += carried.dot(&way[n]);
        }
        (budget.damping, budget.friction) = (stats.damping, stats.friction);
        budget.largest = [stats.kinetic, stats.elastic, stats.gravity.abs()].into_iter().fold(budget.largest, f64::max);
        last = Some(stats);
    }
    println!("{budget:?}");
    budget
}

#[test]
fn swings_of_all_laws_and_their_damping_add_up() {
    for law in MATERIALS {
        let budget = watched(solid::hanging(law.name, 0.02), &Balance::default(), 30);
        assert!(budget.error().abs() < 1e-6, "{}: {:e}", law.name, budget.error());
        assert!(budget.damping > 0.05 * budget.largest && budget.jumps > 1e-2 * budget.largest, "{}", law.name);
    }
}

/// A block that falls onto a slope with one corner first, turning, and slides.
#[test]
fn impacts_and_friction_on_an_obstacle_add_up() {
    let falling = block([2, 1, 2], 0.05, Vec3::new(0.0, 0.02, 0.0), "neo_hookean", 3e4, 0.003);
    let system = onto(falling, vec![ground(Vec3::new(0.3, 1.0, 0.1))], 0.4);
    let mut run = Run::new(system, &Balance::default());
    for (v, x) in run.state.velocities.iter_mut().zip(&run.system.positions) {
        *v = Vec3::new(1.0, 0.0, 0.3) + Vec3::new(3.0, 1.0, -4.0).cross(x);
    }
    let budget = watched(run, &Balance::default(), 60);
    assert!(budget.error().abs() < 1e-6, "{:e}", budget.error());
    assert!(budget.friction > 0.05 * budget.largest && budget.damping > 1e-3 * budget.largest);
}

/// A block with solved contact forces that is pushed along: what its offsets hold fades on the way.
#[test]
fn offsets_that_fade_add_up() {
    let standing = block([2, 1, 2], 0.05, Vec3::new(0.0, 2e-4, 0.0), "neo_hookean", 3e4, 0.0);
    let system = onto(standing, vec![ground(Vec3::y())], 0.3);
    let under: Vec<u32> = (0..system.pairs.len() as u32).filter(|&n| system.positions[n as usize].y < 0.01).collect();
    let share = system.masses.iter().sum::<f64>() * G / under.len() as f64;
    let touch =
        |&pair: &u32| BalancedContact { pair, normal: Vec3::y(), normal_force: share, friction_force: Vec3::zeros(), distance: 2e-4 };
    let balance = Balance { contacts: under.iter().map(touch).collect(), pairs: Vec::new() };
    let mut run = Run::new(system, &balance);
    run.state.velocities.fill(Vec3::new(0.4, 0.0, 0.1));
    let budget = watched(run, &balance, 40);
    assert!(budget.error().abs() < 1e-6, "{:e}", budget.error());
    assert!(budget.friction > 0.1 * budget.largest && budget.changes > 1e-4 * budget.largest, "{budget:?}");
}

/// A block that lands and slides on two triangles.
#[test]
fn impacts_and_friction_on_a_mesh_add_up() {
    let above = block([2, 1, 2], 0.05, Vec3::new(0.0, 0.01, 0.0), "neo_hookean", 3e4, 0.003);
    let mut run = Run::new(touching::with_sheet(above, 0.0, true, None, 0.4), &Balance::default());
    for n in (0..run.system.masses.len()).filter(|&n| !run.system.fixed[n]) {
        run.state.velocities[n] = Vec3::new(0.7, -0.3, 0.2);
    }
    let budget = watched(run, &Balance::default(), 40);
    assert!(budget.error().abs() < 1e-6, "{:e}", budget.error());
    assert!(budget.friction > 0.05 * budget.largest);
}

/// A bar whose end is carried to and fro.
#[test]
fn the_work_of_motions_adds_up() {
    let mut system = block([4, 2, 2], 0.05, Vec3::zeros(), "stable_neo_hookean", 5e4, 0.0);
    let pose = |time: f64, along: f64| Pose { time, translation: Vec3::new(0.0, along, 0.3 * along), rotation: Vec3::zeros() };
    system.motions.push(Motion { pivot: Vec3::zeros(), poses: vec![pose(0.0, 0.0), pose(0.1, 0.05), pose(0.2, -0.02)] });
    for n in 0..system.positions.len() {
        if system.positions[n].x < 1e-9 {
            system.fixed[n] = true;
            system.driven.push(DrivenNode { node: n as u32, motion: 0 });
        }
    }
    let budget = watched(Run::new(system, &Balance::default()), &Balance::default(), 30);
    assert!(budget.error().abs() < 1e-6, "{:e}", budget.error());
    assert!(budget.work.abs() > 0.1 * budget.largest);
}
