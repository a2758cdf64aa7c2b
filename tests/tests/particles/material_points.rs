//! Material points through scene files: blocks that rest, slide, fly and are pushed, and what is refused.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::scene::{self, GRAVITY, GRIDS, Particles, SPACING, lattice};
use aplomb_sim::math::random::Random;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::{Mend, Method};
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{Conclusion, InfeasibilityCode};
use aplomb_sim::step::{StepError, StepStats};
use aplomb_sim::system::build;
use aplomb_sim::watch::Unwatched;
use serde_json::json;

const LAWS: [&str; 3] = ["neo_hookean", "corotated", "stvk"];

const COUNTS: [usize; 3] = [8, 10, 8];

/// A block on a floor of this friction coefficient.
fn on_floor(jitter: f64, law: &str, friction: f64) -> Particles {
    let mut points = Particles::elastic(&lattice(COUNTS, jitter), law);
    points.floor(friction);
    points
}

/// Steps for so long [s]; the largest distance from the given shape on the way [m], and the last statistics.
fn run(simulation: &mut Simulation, seconds: f64) -> (f64, StepStats) {
    let (drift, last) = scene::run(simulation, seconds);
    (drift * simulation.system.diagonal, last)
}

/// Balanced, a block on a rough floor stays where it is to round-off, by every law, and by every kernel with every transfer; undeformed it sinks by centimetres.
#[test]
fn a_block_rests_on_a_floor() {
    let others = LAWS.map(|law| (law, ("quadratic", "mls")));
    for (law, grid) in GRIDS.map(|grid| (LAWS[0], grid)).into_iter().chain(others) {
        for jitter in [0.0, 0.3] {
            let told = format!("{law} {grid:?} jitter {jitter}");
            let mut points = on_floor(jitter, law, 0.5);
            points.on_grid(grid);
            let (mut simulation, report) = points.initialised(Method::SagFree);
            let residual = report.residual.after;
            let (drift, last) = run(&mut simulation, 0.5);
            let (mut naive, naively) = points.initialised(Method::Naive);
            let (sag, _) = run(&mut naive, 0.5);
            println!(
                "{told}: residual {residual:.1e}, drift {drift:.1e} m, naive {sag:.2e} m, {} parts, {} iterations",
                last.substeps, report.iterations
            );
            assert!(report.residual.balanced && residual < 1e-12, "{told}: {residual:e} {:?}", report.outcome);
            assert!(drift < 1e-12 && last.kinetic < 1e-20, "{told}: {drift:e}");
            assert!(sag > 1.5e-2 && !naively.residual.balanced, "{told}: {sag:e}");
            // The floor carries the weight, and the bottom is compressed by it.
            let weight = GRAVITY * simulation.system.masses.iter().sum::<f64>();
            let last = simulation.step(&Unwatched).unwrap();
            assert!(last.contacts > 0 && last.inversions == 0);
            let carried: Vec3 = simulation.net_forces().iter().sum();
            assert!(carried.norm() < 1e-10 * weight);
            let compression = report.compression.unwrap();
            assert!(compression.min > 0.9 && compression.min < 0.99, "{told}: {compression:?}");
            assert_eq!(report.outcome.verdict, Conclusion::Holds);
        }
    }
}

/// A balance is that of a kernel and a gradient, which all transfers but `mls` share: what is balanced by another is not by this one.
#[test]
fn a_balance_is_that_of_its_gradient() {
    let balanced = |grid| {
        let mut points = on_floor(0.3, "neo_hookean", 0.5);
        points.on_grid(grid);
        points.initialised(Method::SagFree).0.state.points.deformations
    };
    let apart = |a: &[Mat3], b: &[Mat3]| a.iter().zip(b).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
    let alike = ["apic", "flip", "pic"].map(|transfer| balanced(("quadratic", transfer)));
    assert!(alike[0] == alike[1] && alike[0] == alike[2]);
    let [linear, least_squares, cubic] = [("linear", "apic"), ("quadratic", "mls"), ("cubic", "apic")].map(balanced);
    for (name, other) in [("linear", linear), ("mls", least_squares), ("cubic", cubic)] {
        let apart = apart(&alike[0], &other);
        println!("{name}: {apart:.1e}");
        assert!(apart > 1e-4, "{name}: {apart:e}");
    }
}

/// On a slope a block is held as long as Coulomb holds it; a little less friction is said to be too little, and it slides as it should.
#[test]
fn a_slope_holds_what_friction_holds() {
    let angle = 15.0_f64.to_radians();
    let turned = |share: f64| {
        let mut points = on_floor(0.0, "neo_hookean", share * angle.tan());
        points.scene["gravity"] = json!([GRAVITY * angle.sin(), -GRAVITY * angle.cos(), 0.0]);
        points
    };
    let (mut held, report) = turned(1.02).initialised(Method::SagFree);
    assert!(report.residual.balanced && report.residual.after < 1e-11, "{:?} {:?}", report.residual, report.outcome);
    let (drift, last) = run(&mut held, 0.5);
    println!("held: residual {:.1e}, drift {drift:.1e} m, friction used {:?}", report.residual.after, report.contact.friction_used);
    assert!(drift < 1e-11 && last.friction.abs() < 1e-12, "{drift:e} {:e} J", last.friction);

    let (mut slides, report) = turned(0.98).initialised(Method::SagFree);
    let first = &report.infeasible[0];
    assert_eq!((first.code, report.outcome.verdict), (InfeasibilityCode::TooLittleFriction, Conclusion::DoesNotHold), "{}", first.message);
    let start = slides.state.positions.clone();
    let (_, last) = run(&mut slides, 0.5);
    let moved = slides.state.positions.iter().zip(&start).map(|(x, s)| (x - s).x).sum::<f64>() / start.len() as f64;
    let expected = 0.5 * 0.25 * 0.02 * GRAVITY * angle.sin();
    println!("slides by {moved:.2e} m, rigid {expected:.2e} m; {}", first.message);
    assert!((0.6..1.3).contains(&(moved / expected)), "{moved:e} {expected:e}");
    // Coulomb's force along the way.
    let work = 0.98 * angle.tan() * GRAVITY * angle.cos() * slides.system.masses.iter().sum::<f64>() * moved;
    assert!((last.friction / work - 1.0).abs() < 0.1, "{:e} of {work:e} J", last.friction);
}

/// Blocks by chance on slopes that are too smooth: with the coefficient that is told they are held.
#[test]
fn friction_that_is_told_is_enough() {
    let mut random = Random::new(17);
    let mut followed = 0;
    for trial in 0..8 {
        let (angle, share) = (random.uniform(3.0, 50.0_f64).to_radians(), random.uniform(0.0, 0.95));
        // No friction at all is too little as well.
        let share = if trial % 4 == 1 { 0.0 } else { share };
        let counts = [4, 2, 5].map(|most| 3 + random.uniform(0.0, f64::from(most)) as usize);
        let mut points = Particles::elastic(&lattice(counts, [0.0, 0.2][trial % 2]), LAWS[trial % 3]);
        points.scene["gravity"] = json!([GRAVITY * angle.sin(), -GRAVITY * angle.cos(), 0.0]);
        points.scene["bodies"][0]["as"]["particles"]["elastic"]["young"] = json!(1e6);
        points.floor(share * angle.tan());
        let told = points.initialised(Method::SagFree).1.infeasible;
        assert!(share > 0.0 || told.iter().any(|why| why.code == InfeasibilityCode::TooLittleFriction), "{told:?}");
        // A tall one topples, whatever the friction.
        let Some(why) = told.iter().find(|why| why.code == InfeasibilityCode::TooLittleFriction) else { continue };
        let Some(Mend::Friction { coefficient, obstacles, .. }) = &why.mend else { panic!("{why:?}") };
        println!("{counts:?}, {:.3} of a tangent of {:.3}: {}", share * angle.tan(), angle.tan(), why.message);
        assert!(why.message.contains(&format!("about {coefficient} would do")) && *obstacles == [0]);
        assert!((0.97..1.2).contains(&(coefficient / angle.tan())), "{coefficient} {}", angle.tan());
        points.floor(*coefficient);
        let after = points.initialised(Method::SagFree).1;
        let single = after.infeasible.iter().all(|why| why.code == InfeasibilityCode::Undecided);
        assert!(after.residual.balanced || single && after.grid.unwrap().acceleration_rms < 1e-3, "{:?}", after.infeasible);
        followed += 1;
    }
    assert!(followed >= 4, "{followed}");
}

/// Points that have nodes to themselves keep what no stress can hold. That is told, and leaving them out, as it says, leaves less.
#[test]
fn points_that_stick_out_can_be_left_out() {
    let mut random = Random::new(5);
    let mut followed = 0;
    for trial in 0..60 {
        if followed == 3 {
            break;
        }
        let (middle, radius) = (random.vector(0.3, 0.4), random.uniform(0.25, 0.35));
        // Half a ball on its flat side.
        let all = lattice([14, 8, 14], [0.0, 0.5][trial % 2]).into_iter();
        let points: Vec<Vec3> = all.filter(|x| (x - Vec3::new(middle.x, 0.0, middle.z)).norm() < radius).collect();
        let mut half = Particles::elastic(&points, LAWS[trial % 3]);
        half.scene["bodies"][0]["as"]["particles"]["elastic"]["young"] = json!(1e6);
        half.scene["simulate"]["grid"] = json!({ "spacing": 0.08 });
        half.floor(0.8);
        let before = half.initialised(Method::SagFree).1;
        let Some(why) = before.infeasible.iter().find(|why| why.mend.is_some()) else { continue };
        println!("{}", why.message);
        let Some(Mend::Trim { body: 0, cells, points: left_out }) = why.mend else { panic!("{why:?}") };
        assert!(why.code == InfeasibilityCode::Undecided && cells == 0.08 && left_out > 0);
        half.scene["bodies"][0]["as"]["particles"]["trim"] = json!(cells);
        let after = half.initialised(Method::SagFree).1;
        assert_eq!(after.masses, points.len() - left_out);
        let [before, after] = [before, after].map(|report| report.grid.unwrap());
        println!("{before:?} -> {after:?}");
        assert!(after.acceleration_rms < 0.5 * before.acceleration_rms && after.acceleration_max < 0.5 * before.acceleration_max);
        followed += 1;
    }
    assert_eq!(followed, 3);
}

/// Nothing but gravity: the fall is that of symplectic Euler to round-off, by every kernel with every transfer. By linear weights parts are cut as points move, none
/// alike; there all points fall together, no farther than in whole steps.
#[test]
fn a_block_falls_freely() {
    for grid in GRIDS {
        let mut points = Particles::elastic(&lattice(COUNTS, 0.0), "neo_hookean");
        points.on_grid(grid);
        let mut simulation = points.build();
        let start = simulation.state.positions.clone();
        let (mut speed, mut fallen) = (0.0, 0.0);
        for _ in 0..30 {
            let parts = simulation.step(&Unwatched).unwrap().substeps;
            for _ in 0..parts {
                speed += 0.01 / f64::from(parts) * GRAVITY;
                fallen += 0.01 / f64::from(parts) * speed;
            }
        }
        if grid.0 == "linear" {
            let ways = simulation.state.positions.iter().zip(&start).map(|(x, start)| start.y - x.y);
            let (mean, exact) = (ways.sum::<f64>() / start.len() as f64, 0.5 * GRAVITY * 0.3 * 0.3);
            // Of so many parts equal ones lead the least far beyond that.
            assert!((fallen..exact + 0.5 * GRAVITY * 0.3 * 0.01).contains(&mean), "{mean} {fallen}");
            fallen = mean;
        }
        let error = |(x, start): (&Vec3, &Vec3)| (x - start + fallen * Vec3::y()).norm();
        let worst = simulation.state.positions.iter().zip(&start).map(error).fold(0.0, f64::max);
        let faster = simulation.state.velocities.iter().map(|v| (v + 0.3 * GRAVITY * Vec3::y()).norm()).fold(0.0, f64::max);
        println!("{grid:?}: {worst:.1e} m, {faster:.1e} m/s");
        assert!(worst < 1e-13 && faster < 1e-12, "{grid:?}: {worst:e} m, {faster:e} m/s");
    }
}

/// In space, turning and pressed together: linear momentum stays by every kernel with every transfer, angular momentum by those with affine velocities alone; of
/// linear kernels not exactly, as how far their nodes spread around a point changes where it goes.
#[test]
fn momenta_stay_in_space() {
    let mut lost = std::collections::BTreeMap::new();
    for grid in GRIDS {
        let mut points = Particles::elastic(&lattice(COUNTS, 0.2), "neo_hookean");
        points.scene["gravity"] = json!([0.0, 0.0, 0.0]);
        points.scene["bodies"][0]["velocity"] = json!([0.3, -0.2, 0.1]);
        points.scene["bodies"][0]["spin"] = json!([1.0, 2.0, -3.0]);
        points.on_grid(grid);
        let mut simulation = points.build();
        for (g, x) in simulation.state.points.deformations.iter_mut().zip(&simulation.system.positions) {
            *g = -0.03 * (1.0 + x.x) * Mat3::identity();
        }
        let mass: f64 = simulation.system.masses.iter().sum();
        // The first step makes affine velocities of the spin: from then on they are kept.
        let first = simulation.step(&Unwatched).unwrap();
        let (_, last) = run(&mut simulation, 0.3);
        let linear = (last.momentum - mass * Vec3::new(0.3, -0.2, 0.1)).norm() / last.momentum.norm();
        let angular = (last.angular_momentum - first.angular_momentum).norm() / first.angular_momentum.norm();
        println!("{grid:?}: linear {linear:.1e}, angular {angular:.1e}");
        assert!(linear < 1e-13, "{grid:?}: {linear:e}");
        lost.insert(grid, angular);
    }
    for ((kernel, transfer), angular) in &lost {
        let is_as_told = match (*kernel, *transfer) {
            ("linear", "apic") => *angular < 0.3 * lost[&("linear", "flip")],
            // Nodes that hardly any mass reaches go along with a neighbour, a cell away: 1e-9 of the mass.
            (_, "mls" | "apic") => *angular < 1e-8,
            (_, "flip") => *angular > 1e-2,
            (kernel, _) => *angular > lost[&(kernel, "flip")],
        };
        assert!(is_as_told, "{kernel} {transfer}: {lost:?}");
    }
}

/// A block that turns in space by more than half a radian stays undeformed, but for what the parts of a step are long.
#[test]
fn a_turning_block_keeps_its_shape() {
    let mut points = Particles::elastic(&lattice(COUNTS, 0.0), "neo_hookean");
    points.scene["gravity"] = json!([0.0, 0.0, 0.0]);
    points.scene["bodies"][0]["spin"] = json!([0.0, 0.0, 3.0]);
    let mut simulation = points.build();
    let (_, last) = run(&mut simulation, 0.2);
    let gradients = &simulation.state.points.deformations;
    let strain = |g: &Mat3| (g + g.transpose() + g.transpose() * g).amax();
    let worst = gradients.iter().map(strain).fold(0.0, f64::max);
    let turned = gradients.iter().map(|g| g[(1, 0)].atan2(1.0 + g[(0, 0)])).sum::<f64>() / gradients.len() as f64;
    println!("turned by {turned:.4} rad, strain {worst:.1e}, {:.1e} J", last.elastic);
    assert!((turned - 0.6).abs() < 0.02 && worst < 0.02, "{turned} {worst:e}");
}

/// A push at random stays what it is: it dies down, and nothing wanders off.
#[test]
fn a_kicked_block_comes_back() {
    for grid in GRIDS.into_iter().filter(|(_, transfer)| *transfer != "pic") {
        let mut points = on_floor(0.3, "neo_hookean", 0.5);
        points.on_grid(grid);
        let (mut simulation, _) = points.initialised(Method::SagFree);
        let mut random = Random::new(3);
        simulation.state.velocities.iter_mut().for_each(|v| *v += random.vector(-1e-3, 1e-3));
        let (most, _) = run(&mut simulation, 0.5);
        let (later, last) = run(&mut simulation, 1.0);
        println!("{grid:?}: {most:.1e} m in 0.5 s, {later:.1e} m later, {:.1e} J", last.kinetic);
        // What points can be looked at for follows them.
        let fields = simulation.fields();
        let ratio = fields.iter().find(|field| field.kind.name == "compression ratio").unwrap();
        let expected = simulation.state.points.deformations.iter().map(|g| (g + Mat3::identity()).determinant());
        assert!(ratio.values.iter().zip(expected).all(|(told, expected)| (told - expected).abs() < 1e-12));
        assert!(fields.iter().all(|field| field.values.iter().all(|value| value.is_finite())));
        assert!(most > 1e-7 && later < 1e-4 && later < 1.5 * most.max(1e-5), "{grid:?}: {most:e} {later:e}");
    }
}

/// What a law cannot make is told with the factor that would do, and points that may be stiffened by themselves are, and stay.
#[test]
fn what_is_too_soft_is_told_and_stiffened() {
    let mut points = on_floor(0.0, "stvk", 0.5);
    points.scene["bodies"][0]["as"]["particles"]["elastic"]["young"] = json!(1e4);
    let (_, report) = points.initialised(Method::SagFree);
    let factor = report.unattainable.stiffness_factor.unwrap();
    assert!(report.unattainable.elements > 0 && (1.5..4.0).contains(&factor), "{factor}");
    assert!(report.infeasible.iter().any(|found| found.code == InfeasibilityCode::TooSoft), "{:?}", report.outcome);
    points.scene["initialise"] = json!({ "stiffen_up_to": 5.0 });
    let (mut simulation, report) = points.initialised(Method::SagFree);
    let (drift, _) = run(&mut simulation, 0.3);
    println!("factor {factor:.2}: residual {:.1e}, drift {drift:.1e} m, {:?}", report.residual.after, report.stiffened);
    assert!(report.residual.after < 1e-12 && drift < 1e-11 && report.unattainable.elements == 0, "{:?}", report.outcome);
}

/// Baselines promise nothing, and say so: without walls all of the weight is left, and walls as pins hold what none could.
#[test]
fn baselines_leave_walls_out_or_pin_them() {
    let points = on_floor(0.0, "neo_hookean", 0.5);
    let (_, alone) = points.initialised(Method::NoContact);
    assert!((alone.residual.after > 0.1) && !alone.outcome.holds, "{:?}", alone.residual);
    let mut hung = on_floor(0.0, "neo_hookean", 0.5);
    hung.scene["gravity"] = json!([0.0, GRAVITY, 0.0]);
    let (_, pulled) = hung.initialised(Method::SagFree);
    assert_eq!(pulled.infeasible[0].code, InfeasibilityCode::Unsupported, "{}", pulled.infeasible[0].message);
    let (_, pinned) = hung.initialised(Method::PinnedContacts);
    assert!(pinned.infeasible.is_empty() && pinned.residual.after > 0.1, "{:?}", pinned.residual);
}

/// A painted stiffness is that of the points: twice as stiff all over, a naive block sinks half as far.
#[test]
fn a_stiffness_field_makes_points_stiffer() {
    let sag = |factor: Option<f64>| {
        let mut points = on_floor(0.0, "neo_hookean", 0.5);
        if let Some(factor) = factor {
            let vertices: Vec<usize> = (0..COUNTS.iter().product()).collect();
            let factors = vec![factor; vertices.len()];
            points.scene["bodies"][0]["stiffness_field"] = json!({ "vertices": vertices, "factors": factors });
        }
        run(&mut points.initialised(Method::Naive).0, 0.3).0
    };
    let (plain, stiff) = (sag(None), sag(Some(2.0)));
    assert!((0.4..0.6).contains(&(stiff / plain)), "{plain:e} {stiff:e}");
}

/// Statistics, positions and deformations are the same to the bit for any number of threads.
#[test]
fn runs_repeat_to_the_bit() {
    let mut points = on_floor(0.3, "corotated", 0.3);
    points.scene["bodies"][0]["velocity"] = json!([0.3, 0.0, 0.1]);
    let grids = [("linear", "apic"), ("quadratic", "mls"), ("quadratic", "apic"), ("cubic", "flip")];
    for (stepper, grid) in ["mpm", "mpm_implicit"].into_iter().flat_map(|stepper| grids.map(|grid| (stepper, grid))) {
        points.scene["simulate"]["stepper"] = json!(stepper);
        points.on_grid(grid);
        // Threads of several pools that wait for one another on few processors are slow.
        let steps = if stepper == "mpm" { 10 } else { 2 };
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (mut simulation, report) = points.initialised(Method::SagFree);
                let stats: Vec<_> = (0..steps).map(|_| simulation.step(&Unwatched).unwrap().without_times()).collect();
                (format!("{:?} {stats:?}", report.residual), simulation.state.positions, simulation.state.points)
            })
        };
        let first = run(1);
        for threads in [2, 4] {
            assert!(run(threads) == first, "{stepper}, {grid:?}, {threads} threads");
        }
    }
}

/// A prepared state begins to the bit as the one that it was made of.
#[test]
fn prepared_states_begin_again() {
    let points = on_floor(0.3, "neo_hookean", 0.5);
    let (mut simulation, _) = points.initialised(Method::SagFree);
    let asset = simulation.prepared_asset();
    let mut again = points.build();
    again.restore(&asset).unwrap();
    for _ in 0..5 {
        let [a, b] = [&mut simulation, &mut again].map(|one| one.step(&Unwatched).unwrap().without_times());
        assert_eq!(a, b);
    }
    assert!(simulation.state.positions == again.state.positions && simulation.state.points == again.state.points);
    // Volume at rest and factor on the stiffness stand behind the deformation of each point.
    for (number, value) in [(9, 0.0), (9, -1e-4), (9, 100.0 * asset.families[0].rest[9]), (10, 0.0), (10, -1.0), (0, 0.5)] {
        let mut damaged = asset.clone();
        damaged.families[0].rest[17 * 5 + number] = value;
        let told = points.build().restore(&damaged).unwrap_err();
        assert!(told.contains("the rest state of a material point"), "{told}");
    }
}

/// Waves must not cross too much of a cell: the number that is enough is told, and is enough.
#[test]
fn too_few_substeps_are_refused() {
    let mut points = on_floor(0.0, "neo_hookean", 0.5);
    points.scene["simulate"]["grid"] = json!({ "substeps": 1 });
    let (mut simulation, _) = points.initialised(Method::SagFree);
    let before = simulation.state.positions.clone();
    let error = simulation.step(&Unwatched).unwrap_err();
    let StepError::OutrunByWaves { needed, substeps: 1, .. } = error else { panic!("{error}") };
    assert!(error.to_string().contains(&format!("at least {needed}")) && simulation.state.positions == before);
    points.scene["simulate"]["grid"] = json!({ "substeps": needed });
    let (mut simulation, _) = points.initialised(Method::SagFree);
    let mut random = Random::new(3);
    simulation.state.velocities.iter_mut().for_each(|v| *v += random.vector(-1e-3, 1e-3));
    let (drift, last) = run(&mut simulation, 1.0);
    assert!(last.substeps == needed && drift < 1e-3, "{needed} {drift:e}");
}

/// Settings that change nothing about material points are told of.
#[test]
fn what_has_no_effect_is_told() {
    let warned = |change: &dyn Fn(&mut Particles)| {
        let mut points = on_floor(0.0, "neo_hookean", 0.5);
        change(&mut points);
        let scene = scene_file::load(&points.file()).unwrap();
        let warnings = build::warnings(&scene, &points.build().system);
        warnings.iter().map(|warning| format!("{}: {}", warning.path, warning.message)).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(warned(&|_| {}), "");
    let wind = warned(&|points| points.scene["wind"] = json!({ "velocity": [20.0, 0.0, 0.0] }));
    assert!(wind.starts_with("wind: it blows onto nothing"), "{wind}");
    let settle = warned(&|points| points.scene["initialise"] = json!({ "method": "settle" }));
    assert!(settle.starts_with("initialise.method: nothing settles"), "{settle}");
    let friction = warned(&|points| points.scene["contact"] = json!({ "friction": 0.1 }));
    assert!(friction.starts_with("contact.friction: nothing rubs by it"), "{friction}");
}

/// Bodies that touch, or overlap by less than the spacing, are in two places, however their points lie: in lattices, and by chance.
#[test]
fn what_touches_is_not_in_one_place() {
    let mut random = Random::new(31);
    let by_chance = |random: &mut Random, low: Vec3| -> Vec<Vec3> {
        let mut point = || low + Vec3::from_fn(|_, _| random.uniform(0.0, 8.0 * SPACING));
        (0..512).map(|_| point()).collect()
    };
    for trial in 0..20 {
        // Lattices begin half a spacing behind their sides.
        let overlap = if trial % 2 == 0 { 0.99 } else { random.uniform(0.0, 0.4) } * SPACING;
        let side = Vec3::new(8.0 * SPACING - overlap, random.uniform(0.0, 0.1), random.uniform(0.0, 0.1));
        let (first, second) = match trial % 2 {
            0 => (lattice([8, 8, 8], 0.0), lattice([8, 8, 8], 0.0).iter().map(|x| x + side).collect()),
            _ => (by_chance(&mut random, Vec3::zeros()), by_chance(&mut random, side)),
        };
        let mut points = Particles::elastic(&first, "neo_hookean");
        points.beside(&second);
        assert!(points.problems().is_empty(), "{:?}", points.problems());
    }
}

/// By linear weights points pull at nodes that have next to no mass; wherever they lie, what is balanced rests, and kicked it calms down.
#[test]
fn what_is_balanced_by_linear_weights_rests() {
    let mut random = Random::new(41);
    for trial in 0..8 {
        let counts = [4, 4, 5].map(|least| least + random.uniform(0.0, 3.0) as usize);
        let moved = random.vector(0.0, 2.0 * SPACING);
        let jitter = if trial % 2 == 0 { 0.0 } else { 0.25 };
        let x: Vec<Vec3> = lattice(counts, jitter).iter().map(|x| x + Vec3::new(moved.x, 0.0, moved.z)).collect();
        let mut block = Particles::elastic(&x, LAWS[trial % 3]);
        block.scene["bodies"][0]["as"]["particles"]["elastic"]["young"] = json!(random.uniform(1e5, 1e6));
        block.on_grid(("linear", ["apic", "flip", "pic"][trial % 3]));
        block.floor(0.5);
        let (mut simulation, report) = block.initialised(Method::SagFree);
        let substeps = simulation.step(&Unwatched).unwrap().substeps;
        let (drift, last) = run(&mut simulation, 0.5);
        println!(
            "{counts:?}, jitter {jitter}: residual {:.1e}, {substeps} parts, drift {drift:.1e} m, {:.1e} J",
            report.residual.after, last.kinetic
        );
        let allowed = if report.residual.balanced { 1e-10 } else { 2e-3 };
        assert!(drift < allowed, "{drift:e} {:?}", report.infeasible);
        simulation.kick(Vec3::new(0.01, 0.02, -0.01));
        let (_, last) = run(&mut simulation, 1.0);
        let mass: f64 = simulation.system.masses.iter().sum();
        assert!(last.kinetic < 0.5 * mass * 6e-4, "{:e} J of {:e}", last.kinetic, 0.5 * mass * 6e-4);
    }
}

/// A body that is on its way from the start is balanced as one that stands: with what it is given it goes on, and is not out of balance.
#[test]
fn what_begins_with_a_velocity_is_balanced() {
    for velocity in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, -0.2, 0.5]] {
        let mut points = on_floor(0.0, "neo_hookean", 0.5);
        let residual = points.initialised(Method::SagFree).1.residual.after;
        points.scene["bodies"][0]["velocity"] = json!(velocity);
        let report = points.initialised(Method::SagFree).1;
        assert!(report.outcome.holds && report.residual.after == residual, "{:?} {residual:e}", report.outcome);
    }
}

/// What it cannot do it says before anything moves.
#[test]
fn what_cannot_be_stepped_is_refused() {
    let told = |change: &dyn Fn(&mut Particles), words: &[&str]| {
        let mut points = on_floor(0.0, "neo_hookean", 0.5);
        change(&mut points);
        let problems = points.problems().join("\n");
        assert!(words.iter().all(|word| problems.contains(word)), "{problems:?} without {words:?}");
    };
    for stepper in ["backward_euler", "symplectic_euler", "xpbd", "pbd"] {
        told(&|points| points.scene["simulate"]["stepper"] = json!(stepper), &["simulate.stepper", "material points", "mpm"]);
    }
    let elastic = |key: &'static str, value: serde_json::Value| {
        move |points: &mut Particles| points.scene["bodies"][0]["as"]["particles"]["elastic"][key] = value.clone()
    };
    let trimmed = |points: &mut Particles| {
        let matter = &mut points.scene["bodies"][0]["as"]["particles"];
        matter.as_object_mut().unwrap().remove("elastic");
        matter["trim"] = json!(0.1);
    };
    told(&trimmed, &["as.particles.trim", "no grid"]);
    told(&|points| points.scene["bodies"][0]["as"]["particles"]["trim"] = json!(0.01), &["as", "no point would be left"]);
    told(&elastic("poisson", json!(0.5)), &["as.particles.elastic.poisson", "below 0.5"]);
    told(&elastic("poisson", json!(-0.3)), &["as.particles.elastic.poisson", "choose"]);
    told(&elastic("law", json!("jelly")), &["as.particles.elastic.law"]);
    told(&elastic("law", json!("linear")), &["rotations", "corotated"]);
    told(&|points| points.scene["simulate"]["grid"] = json!({ "spacing": 0.5 }), &["smallest side is 4.000e-1 m", "simulate.grid.spacing"]);
    told(&|points| points.scene["bodies"][0]["as"]["particles"]["fluid"] = json!({ "radius": 3.0 }), &["as.particles.fluid", "no fluid"]);
    told(&|points| points.on_grid(("linear", "mls")), &["`linear` with the transfer `mls`", "simulate.grid.transfer", "apic"]);
    let held = json!([{ "name": "held", "role": { "dirichlet": {} }, "select": [{ "vertices": [0, 1] }] }]);
    told(&|points| points.scene["bodies"][0]["regions"] = held.clone(), &["`body` in their places", "obstacle"]);
    let some = json!([{ "name": "some", "role": { "contact": {} }, "select": [{ "vertices": [0, 1] }] }]);
    told(&|points| points.scene["bodies"][0]["regions"] = some.clone(), &["touch `floor` differently"]);
    told(&|points| points.scene["bodies"][0]["enters_at"] = json!(1.0), &["come in later"]);
    let water = |points: &mut Particles| {
        let mut water = points.scene["bodies"][0].clone();
        water["name"] = json!("water");
        water["transform"] = json!({ "translate": [1.0, 0.0, 0.0] });
        water["as"] = json!({ "particles": { "spacing": SPACING } });
        points.scene["bodies"].as_array_mut().unwrap().push(water);
    };
    told(&water, &["`water`", "no other body"]);
    let through = |points: &mut Particles| {
        points.beside(&lattice([4, 4, 4], 0.0).iter().map(|x| x + Vec3::x()).collect::<Vec<_>>());
        points.scene["contact"] = json!({ "between_bodies": false });
    };
    told(&through, &["go through one another", "contact.between_bodies"]);
    let in_one_place =
        |points: &mut Particles| points.beside(&lattice([4, 4, 4], 0.0).iter().map(|x| x.add_scalar(0.02)).collect::<Vec<_>>());
    told(&in_one_place, &["bodies[1].transform", "in body `body`", "times as much matter as room"]);
    for spacing in [0.4, 0.004] {
        let spaced = move |points: &mut Particles| points.scene["bodies"][0]["as"]["particles"]["spacing"] = json!(spacing);
        told(&spaced, &["bodies[0].as", "about 5.000e-2 m apart"]);
    }
    told(&|points| points.scene["bodies"][0]["as"] = json!({ "particles": { "spacing": SPACING } }), &["`body`", "elastic"]);
    let none = |points: &mut Particles| std::fs::write(points.folder.path().join("mesh.obj"), "# nothing\n").unwrap();
    told(&none, &["bodies[0].mesh"]);
}
