//! Blocks of tetrahedra.

use super::*;
use crate::math::random::Random;
use crate::step::damping::Damping;

/// A block that hangs from its left end.
pub fn hanging(law: &str, damping: f64) -> Run {
    let mut system = block([4, 2, 2], 0.05, Vec3::zeros(), law, 5e4, damping);
    for n in 0..system.positions.len() {
        system.fixed[n] = system.positions[n].x < 1e-9;
    }
    Run::new(system, &Balance::default())
}

#[test]
fn a_naive_beam_sags_and_its_fixed_nodes_stay() {
    for law in MATERIALS {
        let mut run = hanging(law.name, 0.02);
        let last = run.steps(150)[149];
        assert!(last.drift > 1e-2, "{}: {}", law.name, last.drift);
        assert!(last.residual < 1e-4, "{}: residual {}", law.name, last.residual);
        for n in (0..run.system.positions.len()).filter(|&n| run.system.fixed[n]) {
            assert_eq!(run.state.positions[n], run.system.positions[n]);
        }
    }
}

#[test]
fn energy_never_grows() {
    for damping in [0.0, 0.01] {
        let mut run = hanging("stable_neo_hookean", damping);
        let total = |s: &StepStats| s.kinetic + s.elastic + s.gravity;
        let stats = run.steps(60);
        for pair in stats.windows(2) {
            assert!(total(&pair[1]) <= total(&pair[0]) + 1e-9, "{pair:?}");
        }
    }
}

#[test]
fn damping_takes_the_swing_away_sooner() {
    let swing = |damping: f64| {
        let mut run = hanging("neo_hookean", damping);
        run.steps(100).iter().skip(60).map(|s| s.kinetic).fold(0.0, f64::max)
    };
    assert!(swing(0.03) < 0.05 * swing(0.0));
}

#[test]
fn damping_takes_no_part_in_uniform_motion() {
    let mut system = block([1, 1, 1], 0.1, Vec3::zeros(), "neo_hookean", 1e4, 0.1);
    system.gravity = Vec3::zeros();
    let mut run = Run::new(system, &Balance::default());
    run.state.velocities.fill(Vec3::new(0.3, -0.2, 0.1));
    let stats = run.steps(20);
    assert!((stats[19].kinetic / stats[0].kinetic - 1.0).abs() < 1e-9);
    assert!((stats[19].volume / 1e-3 - 1.0).abs() < 1e-9);
}

#[test]
fn a_dropped_block_rests_on_the_ground_with_its_weight() {
    let block = block([3, 2, 3], 0.05, Vec3::new(0.0, 0.02, 0.0), "neo_hookean", 3e4, 0.02);
    let mut run = Run::new(onto(block, vec![ground(Vec3::y())], 0.5), &Balance::default());
    let last = run.steps(250)[249];
    let carried: f64 = run.slots().iter().map(|s| s.force).sum();
    let weight: f64 = run.system.masses.iter().sum::<f64>() * G;
    assert!((carried / weight - 1.0).abs() < 1e-3, "{carried} of {weight}");
    assert!(last.contacts >= 16 && last.min_gap > 0.0 && last.min_gap == last.min_effective_gap);
    assert!(last.kinetic < 1e-7 * weight);
}

#[test]
fn runs_repeat_bit_for_bit() {
    let run = || {
        let block = block([2, 2, 2], 0.05, Vec3::new(0.0, 0.01, 0.0), "corotated", 2e4, 0.01);
        let mut run = Run::new(onto(block, vec![ground(Vec3::new(0.2, 1.0, 0.0))], 0.1), &Balance::default());
        run.steps(30);
        run.state.positions
    };
    let first = run();
    assert_eq!(first, run());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(first, pool.install(run), "the number of threads must not show");
}

#[test]
fn a_warm_start_goes_back_to_the_beginning() {
    let mut run = hanging("neo_hookean", 0.0);
    let first = run.steps(10)[9];
    run.stepper.warm_start(&run.system, &Balance::default());
    run.state = State::at_rest(&run.system);
    let again = run.steps(10)[9];
    assert_eq!(first.without_times(), again.without_times());
}

#[test]
fn a_hard_landing_on_curved_obstacles_closes_no_gap() {
    let rod = obstacle(Shape::Capsule { from: [-0.2, 0.0, 0.05], to: [0.3, 0.0, 0.05], radius: 0.03 });
    let mut system = block([3, 3, 3], 0.05, Vec3::new(0.0, 0.05, 0.0), "neo_hookean", 2e4, 0.0);
    system.simulate = SimulateSettings { tolerance: 1e-5, max_iterations: 200, ..SimulateSettings::default() };
    let mut run = Run::new(onto(system, vec![ground(Vec3::y()), rod], 0.3), &Balance::default());
    run.state.velocities.fill(Vec3::new(0.5, -2.0, 0.2));
    let mut touched = false;
    for stats in run.steps(40) {
        touched |= stats.contacts > 0;
        assert!(stats.min_effective_gap > 0.0 && stats.volume > 0.0);
    }
    assert!(touched);
}

#[test]
fn explicit_steps_are_damped_too() {
    let swing = |damping: f64| {
        let mut system = block([3, 1, 1], 0.05, Vec3::zeros(), "neo_hookean", 5e4, damping);
        for n in 0..system.positions.len() {
            system.fixed[n] = system.positions[n].x < 1e-9;
        }
        let mut stepper = (crate::step::stepper("symplectic_euler").unwrap().make)();
        stepper.warm_start(&system, &Balance::default());
        let mut state = State::at_rest(&system);
        let stats: Vec<StepStats> = (0..4000).map(|_| stepper.step(&mut system, &mut state, 1e-4, &Unwatched).unwrap()).collect();
        (stats[3000..].iter().map(|s| s.kinetic).fold(0.0, f64::max), stats[3999].damping)
    };
    let ((free, none), (damped, taken)) = (swing(0.0), swing(5e-3));
    assert!(damped < 0.5 * free && none == 0.0 && taken > 0.0, "{free} {damped} {taken}");
}

/// What grows over four static steps is a quarter of it in the first: the elements carry that share of the weight, and all of it from the
/// fourth on.
#[test]
fn loads_that_grow_are_there_in_equal_parts() {
    let Run { mut system, .. } = hanging("stable_neo_hookean", 0.0);
    (system.simulate.ramp, system.simulate.tolerance) = (4.0 * H, 1e-10);
    let mut stepper = Implicit::new(Scheme::QuasiStatic);
    stepper.warm_start(&system, &Balance::default());
    let mut state = State::at_rest(&system);
    for share in [0.25, 0.5, 0.75, 1.0, 1.0] {
        stepper.step(&mut system, &mut state, H, &Unwatched).unwrap();
        let mut unbalanced = vec![Vec3::zeros(); state.positions.len()];
        system.families.iter().for_each(|family| family.add_gradient(&state.positions, &mut unbalanced));
        for n in (0..unbalanced.len()).filter(|&n| !system.fixed[n]) {
            let left = unbalanced[n] - share * system.masses[n] * system.gravity;
            assert!(left.norm() < 1e-6 * system.masses[n] * G, "{share}: {left}");
        }
    }
}

/// Damping resists a velocity as beta times the stiffness resists a displacement: in the given shape that is what elastic forces change by.
#[test]
fn damping_is_beta_times_the_stiffness() {
    const BETA: f64 = 0.03;
    let mut random = Random::new(61);
    for law in MATERIALS {
        let system = block([2, 1, 1], 0.05, Vec3::zeros(), law.name, 5e4, BETA);
        let x = &system.positions;
        let mut blocks = system.block_memory();
        system.fill_blocks(x, true, &mut blocks);
        let mut damping = Damping::new(&system, &blocks).unwrap();
        damping.update(&system, &blocks);
        let way: Vec<Vec3> = x.iter().map(|_| random.vector(-1e-6, 1e-6)).collect();
        let moved = |share: f64| -> Vec<Vec3> { x.iter().zip(&way).map(|(x, w)| x + share * w).collect() };
        let mut resisting = vec![Vec3::zeros(); x.len()];
        damping.add_gradient(&system, &moved(1.0), x, H, &mut resisting);
        let elastic = |x: &[Vec3]| {
            let mut gradient = vec![Vec3::zeros(); x.len()];
            system.families.iter().for_each(|family| family.add_gradient(x, &mut gradient));
            gradient
        };
        let (after, before) = (elastic(&moved(1.0)), elastic(&moved(-1.0)));
        let expected: Vec<Vec3> = after.iter().zip(before).map(|(b, a)| BETA / H * 0.5 * (b - a)).collect();
        let size = expected.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!(resisting.iter().zip(&expected).all(|(a, b)| (a - b).norm() < 1e-6 * size), "{}", law.name);
        let work: f64 = resisting.iter().zip(&way).map(|(f, w)| 0.5 * f.dot(w)).sum();
        assert!(work > 0.0 && (damping.energy(&system, &moved(1.0), x, H) / work - 1.0).abs() < 1e-9);
    }
}
