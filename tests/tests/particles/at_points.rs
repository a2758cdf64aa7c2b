//! Material points that meet obstacles by themselves: at rest to round-off, at their gaps, on slopes, around what is round, pushed, and what is
//! refused.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::scene::{GRAVITY, Particles, SPACING, lattice, run};
use aplomb_sim::contact::distance::placed;
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::scene::{Method, Shape};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{Conclusion, InfeasibilityCode};
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

/// A lattice of these counts that meets obstacles by its points, in steps of this length [s].
fn block(counts: [usize; 3], jitter: f64, step_size: f64) -> Particles {
    let mut block = Particles::elastic(&lattice(counts, jitter), "neo_hookean");
    block.scene["simulate"] = json!({ "stepper": "mpm_implicit", "step_size": step_size, "grid": { "contact": "points" } });
    block
}

/// Distance at which the barrier begins to push [m].
fn reach(simulation: &Simulation) -> f64 {
    simulation.system.contact.barrier_distance * simulation.system.diagonal
}

fn mean(of: &[Vec3]) -> Vec3 {
    of.iter().sum::<Vec3>() / of.len() as f64
}

/// Least distance of the balls around points from `shape` [m].
fn clearance(simulation: &Simulation, shape: &Shape) -> f64 {
    let shape = placed(shape);
    let points = &simulation.state.positions[..simulation.system.body_nodes()];
    points.iter().map(|x| shape.distance(x).value).fold(f64::INFINITY, f64::min) - 0.5 * SPACING
}

/// Points that begin nearer to a mesh, or to what moves, than half their spacing are told of, and built.
#[test]
fn what_begins_too_near_is_told() {
    let mut random = Random::new(13);
    for trial in 0..6 {
        let near = random.uniform(0.001, 0.02);
        let mut block = block([4, 3, 4], 0.0, 0.01);
        let (center, size) = ([0.1, -0.2 + near, 0.1], [1.0, 0.4, 1.0]);
        let still = json!({ "keyframes": [{ "time": 0.0, "translate": [0, 0, 0] }, { "time": 9.0, "translate": [0, 0, 0] }] });
        block.scene["obstacles"] = match trial % 2 {
            0 => json!([{ "name": "table", "shape": { "box": { "center": center, "size": size } }, "motion": still }]),
            _ => {
                let mesh = TriangleMesh::cuboid(&Vec3::from(center), &Vec3::from(size), [0.0; 3]);
                let triangles: String = mesh.triangles.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1)).collect();
                std::fs::write(block.folder.path().join("table.obj"), crate::scene::obj(&mesh.positions) + &triangles).unwrap();
                json!([{ "name": "table", "shape": { "mesh": { "mesh": "table.obj" } } }])
            }
        };
        let simulation = block.build();
        let told: Vec<&str> = simulation.system.bodies[0].mesh.problems.iter().map(|problem| problem.message.as_str()).collect();
        println!("{near:.3}: {told:?}");
        assert!(told.iter().any(|told| told.contains("`table` than half its thickness of 50.000 mm")), "{told:?}");
    }
}

/// Balanced, a block rests on its points to round-off, in a lattice and out of order, on a plane and on the triangles of a box; undeformed it sinks by
/// most of a centimetre. Its contacts are as the report says, and bear its weight.
#[test]
fn what_is_balanced_rests_on_its_points() {
    for (jitter, triangles) in [(0.0, false), (0.2, false), (0.0, true)] {
        let mut block = block([8, 6, 8], jitter, 0.02);
        block.floor(0.6);
        if triangles {
            let shape = json!({ "box": { "center": [0.2, -0.1, 0.2], "size": [1.0, 0.2, 1.0] } });
            let motion = json!({ "keyframes": [{ "time": 0.0, "translate": [0, 0, 0] }, { "time": 9.0, "translate": [0, 0, 0] }] });
            block.scene["obstacles"] = json!([{ "name": "box", "shape": shape, "friction": 0.6, "motion": motion }]);
        }
        let (mut simulation, report) = block.initialised(Method::SagFree);
        let weight = GRAVITY * simulation.system.masses.iter().sum::<f64>();
        println!(
            "jitter {jitter}: residual {:.1e}, rms {:.1e}, {} contacts of {}, {} iterations",
            report.residual.after,
            report.grid.as_ref().unwrap().acceleration_rms,
            report.contact.active,
            report.contacts,
            report.iterations
        );
        assert!(report.residual.balanced && report.residual.after < 1e-11, "{:?} {:?}", report.residual, report.infeasible);
        assert!((report.contact.total_normal_force / weight - 1.0).abs() < 1e-9 && report.contact.max_cone_violation < 1e-9);
        let (mut iterations, mut drift) = (0, 0.0_f64);
        for _ in 0..50 {
            let step = simulation.step(&Unwatched).unwrap();
            (iterations, drift) = (iterations + step.iterations, drift.max(step.drift));
            assert!((step.wall_force.y / weight - 1.0).abs() < 1e-9, "{}", step.wall_force);
        }
        let (sag, _) = run(&mut block.initialised(Method::Naive).0, 0.5);
        println!("drift {drift:.1e} m in a second, {iterations} iterations; naive {sag:.1e} m");
        assert!(drift < 1e-10 && sag > 5e-3, "{drift:e} {sag:e}");
        simulation.kick(Vec3::new(1e-3, 0.0, 1e-3));
        let (kicked, _) = run(&mut simulation, 0.2);
        let (later, _) = run(&mut simulation, 0.4);
        println!("kicked: {kicked:.1e}, then {later:.1e}");
        assert!(kicked > 1e-7 && kicked < 1e-3 && later < 1.5 * kicked, "{kicked:e} {later:e}");
    }
}

/// Let fall, a block comes to rest with a gap that the barrier reaches over, where one that walls hold off at the nodes stays most of a cell above.
#[test]
fn what_falls_rests_within_the_reach_of_the_barrier() {
    let fallen = |contact: &str| {
        let mut block = block([6, 6, 6], 0.0, 0.01);
        block.floor(0.5);
        block.scene["simulate"]["grid"]["contact"] = json!(contact);
        block.scene["bodies"][0]["transform"] = json!({ "translate": [0.0, 0.12, 0.0] });
        let mut simulation = block.initialised(Method::Naive).0;
        let floor = Shape::HalfSpace { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };
        let energy = simulation.system.masses.iter().zip(&simulation.state.positions).map(|(m, x)| m * GRAVITY * x.y).sum::<f64>();
        let (mut least, mut last) = (f64::INFINITY, aplomb_sim::step::StepStats::default());
        for _ in 0..200 {
            last = simulation.step(&Unwatched).unwrap();
            least = least.min(clearance(&simulation, &floor));
            assert!(last.total.is_finite() && last.total < energy * (1.0 + 1e-6), "{} of {energy}", last.total);
        }
        (reach(&simulation), least, clearance(&simulation, &floor), last)
    };
    let (reach, least, gap, last) = fallen("points");
    let (_, _, at_nodes, _) = fallen("grid");
    println!("gap {gap:.2e} m of {reach:.2e}, least {least:.2e}; at nodes {at_nodes:.2e}; {:.1e} J left", last.kinetic);
    assert!(least > 0.0 && gap > 0.0 && gap <= reach, "{least:e} {gap:e} {reach:e}");
    assert!((last.min_gap - gap).abs() < 1e-9 && last.contacts >= 36 && last.kinetic < 1e-6, "{} {}", last.min_gap, last.kinetic);
    assert!(at_nodes > 10.0 * reach, "{at_nodes:e}");
}

/// On a slope a block sticks with 2 % more friction than its tangent, and stays to round-off; with 2 % less it slides, by as much as is missing, and
/// the report said so.
#[test]
fn slopes_are_coulombs_within_two_percent() {
    let slope = 20f64.to_radians();
    let placed = |friction: f64, method: Method| {
        let mut block = block([8, 4, 8], 0.0, 0.01);
        block.floor(friction);
        block.scene["gravity"] = json!([GRAVITY * slope.sin(), -GRAVITY * slope.cos(), 0.0]);
        block.initialised(method)
    };
    let (mut simulation, report) = placed(1.02 * slope.tan(), Method::SagFree);
    let (drift, _) = run(&mut simulation, 0.5);
    println!("sticks: {drift:.1e}, residual {:.1e}", report.residual.after);
    assert!(report.residual.balanced && drift < 1e-10, "{drift:e}");
    let (_, report) = placed(0.98 * slope.tan(), Method::SagFree);
    assert_eq!(report.outcome.verdict, Conclusion::DoesNotHold);
    assert_eq!(report.infeasible[0].code, InfeasibilityCode::TooLittleFriction, "{:?}", report.infeasible);
    for share in [0.98, 0.5, 0.0] {
        let mut simulation = placed(share * slope.tan(), Method::SagFree).0;
        let speed = |simulation: &Simulation| mean(&simulation.state.velocities[..256]).x;
        run(&mut simulation, 0.3);
        let early = speed(&simulation);
        run(&mut simulation, 0.5);
        let acceleration = (speed(&simulation) - early) / 0.5;
        let expected = (1.0 - share) * GRAVITY * slope.sin();
        println!("share {share}: {acceleration:.4} of {expected:.4} m/s^2");
        assert!((acceleration / expected - 1.0).abs() < 0.02, "{share}: {acceleration} {expected}");
    }
}

/// Whatever is in its way, round or not, the balls around points stay out of it, while a body at whose nodes walls are comes in.
#[test]
fn points_stay_out_of_what_is_round() {
    let mut random = Random::new(5);
    let mut deepest = f64::INFINITY;
    for case in 0..4 {
        let mut at = || [random.uniform(0.05, 0.25), -0.13 - random.uniform(0.0, 0.02), random.uniform(0.05, 0.25)];
        let shape = match case {
            0 => Shape::Sphere { center: at(), radius: 0.11 },
            1 => Shape::Capsule { from: at(), to: [0.4, -0.2, 0.1], radius: 0.09 },
            2 => Shape::Box { center: at(), size: [0.2, 0.1, 0.15], rotate_degrees: [0.0, 30.0, 0.0] },
            _ => Shape::Sphere { center: at(), radius: 0.03 },
        };
        let fall = |contact: &str| {
            let mut block = block([6, 6, 6], 0.2, 0.01);
            block.scene["simulate"]["grid"]["contact"] = json!(contact);
            block.scene["obstacles"] = json!([{ "name": "shape", "shape": shape, "friction": 0.3 }]);
            let mut simulation = block.initialised(Method::Naive).0;
            let (mut least, mut contacts) = (f64::INFINITY, 0);
            for _ in 0..60 {
                let step = simulation.step(&Unwatched).unwrap();
                contacts += step.contacts;
                least = least.min(clearance(&simulation, &shape));
                assert!(simulation.state.positions.iter().all(|x| x.iter().all(|c| c.is_finite())));
            }
            (least, contacts)
        };
        let (least, contacts) = fall("points");
        println!("{shape:?}: at least {least:.2e} m, {contacts} contacts");
        assert!(least > 0.0 && contacts > 20, "{shape:?} {least:e} {contacts}");
        if case == 0 {
            deepest = fall("grid").0;
        }
    }
    println!("at nodes {deepest:.2e} m");
    assert!(deepest < -0.2 * SPACING, "{deepest:e}");
}

/// What moves pushes: a ball that a block hangs in the way of without weight, and plates of triangles, one so thin that a step takes it three times as far; none
/// comes through.
#[test]
fn what_moves_pushes_and_does_not_come_through() {
    let keyframes = json!([{ "time": 0.0, "translate": [0, 0, 0] }, { "time": 0.5, "translate": [0.3, 0.0, 0.0] }]);
    let ball = json!({ "sphere": { "center": [-0.15, 0.16, 0.14], "radius": 0.1 } });
    let plate = json!({ "box": { "center": [-0.07, 0.15, 0.15], "size": [0.1, 0.5, 0.5] } });
    let sheet = json!({ "box": { "center": [-0.021, 0.15, 0.15], "size": [0.002, 0.5, 0.5] } });
    for (name, shape) in [("ball", ball), ("plate", plate), ("sheet", sheet)] {
        let mut block = block([6, 6, 6], 0.2, 0.01);
        block.scene["gravity"] = json!([0.0, 0.0, 0.0]);
        block.scene["simulate"]["tolerance"] = json!(1e-9);
        block.scene["obstacles"] = json!([{ "name": name, "shape": shape, "friction": 0.3, "motion": { "keyframes": keyframes } }]);
        let mut simulation = block.initialised(Method::Naive).0;
        let given: Shape = serde_json::from_value(shape.clone()).unwrap();
        let (mut least, mut impulse, mut lost) = (f64::INFINITY, Vec3::zeros(), 0.0_f64);
        for _ in 0..50 {
            let step = simulation.step(&Unwatched).unwrap();
            impulse += 0.01 * step.wall_force;
            let moved = match &given {
                Shape::Sphere { center, radius } => {
                    Shape::Sphere { center: [center[0] + 0.6 * step.time, center[1], center[2]], radius: *radius }
                }
                Shape::Box { center, size, rotate_degrees } => {
                    Shape::Box { center: [center[0] + 0.6 * step.time, center[1], center[2]], size: *size, rotate_degrees: *rotate_degrees }
                }
                other => panic!("{other:?}"),
            };
            least = least.min(clearance(&simulation, &moved));
            // What walls give is all that the body has.
            lost = lost.max((step.momentum - impulse).norm());
        }
        let speed = mean(&simulation.state.velocities[..216]);
        println!("{name}: at least {least:.2e} m, at {speed:?}; of {impulse:?} N s {lost:.1e} are lost");
        assert!(least > -1e-9 && speed.x > 0.3, "{name}: {least:e} {speed}");
        assert!(lost < 1e-6 * impulse.norm(), "{name}: {lost:e} of {impulse}");
    }
}

/// Statistics, positions and deformations are the same to the bit for any number of threads, and of a state that was prepared.
#[test]
fn runs_on_points_repeat_to_the_bit() {
    let mut points = block([6, 5, 6], 0.2, 0.01);
    points.floor(0.3);
    points.scene["bodies"][0]["velocity"] = json!([0.3, 0.0, 0.1]);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut simulation, report) = points.initialised(Method::SagFree);
            let mut again = points.build();
            again.restore(&simulation.prepared_asset()).unwrap();
            let stats: Vec<_> = (0..8).map(|_| simulation.step(&Unwatched).unwrap().without_times()).collect();
            let other: Vec<_> = (0..8).map(|_| again.step(&Unwatched).unwrap().without_times()).collect();
            assert!(stats == other && stats.iter().any(|step| step.iterations > 0), "{threads}");
            (format!("{:?} {stats:?}", report.residual), simulation.state.positions, simulation.state.points)
        })
    };
    let first = run(1);
    for threads in [2, 4] {
        assert!(run(threads) == first, "{threads} threads");
    }
}

/// Which steppers and what matter do not touch by points is said, and what to do; so is that nothing is near enough to carry a body.
#[test]
fn what_cannot_touch_by_its_points_is_refused() {
    let refused = |mut points: Particles, stepper: &str, words: &[&str]| {
        points.floor(0.3);
        points.scene["simulate"] = json!({ "stepper": stepper, "step_size": 0.01, "grid": { "contact": "points" } });
        let problems = points.problems().join("\n");
        assert!(words.iter().all(|word| problems.contains(word)), "{problems:?} without {words:?}");
    };
    let few = lattice([4, 4, 4], 0.0);
    refused(Particles::elastic(&few, "neo_hookean"), "mpm", &["simulate.stepper", "at the points", "mpm_implicit", "\"grid\""]);
    for points in [Particles::sand(&few, 30.0), Particles::metal(&few, 1e3), Particles::liquid(&few, json!({ "stiffness": 4e4 }))] {
        refused(points, "mpm_implicit", &["yield or flow", "\"grid\""]);
    }
    let mut block = block([4, 4, 4], 0.0, 0.01);
    block.floor(0.3);
    block.scene["simulate"]["grid"]["contact"] = json!("nodes");
    assert!(block.problems().join("\n").contains("grid"), "{:?}", block.problems());
    block.scene["simulate"]["grid"]["contact"] = json!("points");
    block.scene["bodies"][0]["transform"] = json!({ "translate": [0.0, 0.01, 0.0] });
    let (_, report) = block.initialised(Method::SagFree);
    let why = &report.infeasible[0];
    assert!(why.code == InfeasibilityCode::Unsupported && why.message.contains("detection_distance"), "{}", why.message);
    // Into an obstacle nothing is put.
    let torus: Value = json!({ "torus": { "center": [0.1, 0.1, 0.1], "axis": [0.0, 1.0, 0.0], "ring_radius": 0.05, "tube_radius": 0.04, "segments": 24 } });
    block.scene["obstacles"] = json!([{ "name": "ring", "shape": torus }]);
    let problems = block.problems().join("\n");
    assert!(problems.contains("inside"), "{problems}");
}
