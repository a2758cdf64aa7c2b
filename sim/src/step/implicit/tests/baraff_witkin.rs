//! One linear solve a step: what it solves, that it is stable, what it holds, and where it refuses.

use std::ops::AddAssign;

use nalgebra::{DMatrix, DVector};

use super::held::{held_by, jelly};
use super::*;
use crate::math::random::Random;
use crate::math::{Mat3, largest_norm};
use crate::step::StepError;
use crate::system::{DrivenNode, Motion};

/// A damped block that hangs from one end, with a node that slides, out of shape and moving.
fn swinging(law: &str, seed: u64) -> (System, State) {
    let mut system = block([3, 1, 1], 0.05, Vec3::zeros(), law, 2e4, 0.01);
    system.fixed = system.positions.iter().map(|x| x.x < 1e-9).collect();
    let normal = Vec3::new(0.6, 0.0, 0.8);
    let last = system.positions.len() - 1;
    system.slides = vec![(last as u32, Mat3::identity() - normal * normal.transpose())];
    let mut state = State::at_rest(&system);
    let mut random = Random::new(seed);
    for n in (0..last).filter(|&n| !system.fixed[n]) {
        state.positions[n] += random.vector(-4e-3, 4e-3);
        state.velocities[n] = random.vector(-0.5, 0.5);
    }
    state.velocities[last] = system.slides[0].1 * random.vector(-0.5, 0.5);
    (system, state)
}

fn run_from((system, state): (System, State), scheme: Scheme) -> Run {
    let mut run = Run::by(scheme, system, &Balance::default());
    run.state = state;
    run
}

/// Puts the blocks of the only family, between all nodes, together.
fn whole(system: &System, blocks: &[Mat3]) -> DMatrix<f64> {
    let n = 3 * system.masses.len();
    let (mut matrix, family) = (DMatrix::zeros(n, n), &system.families[0]);
    for e in 0..family.len() {
        for (k, block) in blocks[16 * e..][..16].iter().enumerate() {
            let [row, column] = [k / 4, k % 4].map(|corner| 3 * family.nodes(e)[corner] as usize);
            matrix.fixed_view_mut::<3, 3>(row, column).add_assign(block);
        }
    }
    matrix
}

fn flat(nodes: &[Vec3]) -> DVector<f64> {
    DVector::from_iterator(3 * nodes.len(), nodes.iter().flat_map(|v| [v.x, v.y, v.z]))
}

/// (M + h D + h^2 K) dv = h (f - D v - h K v) on what is free, put together here from the elements, for every law.
#[test]
fn the_change_of_velocity_solves_the_equation_of_baraff_and_witkin() {
    for law in MATERIALS {
        let mut run = run_from(swinging(law.name, 5), Scheme::BaraffWitkin);
        let Run { system, state, .. } = &mut run;
        system.lag(&state.positions);
        let mut blocks = system.block_memory();
        system.fill_blocks(&state.positions, true, &mut blocks);
        let stiffness = whole(system, &blocks[0]);
        let damping = 0.01 * &stiffness;
        let mut gradient = vec![Vec3::zeros(); system.masses.len()];
        system.families[0].add_gradient(&state.positions, &mut gradient);
        let of_node = |n: usize| system.masses[n] * system.gravity - gradient[n];
        let force = flat(&(0..gradient.len()).map(of_node).collect::<Vec<_>>());
        let velocity = flat(&state.velocities);
        let masses = DMatrix::from_diagonal(&DVector::from_fn(velocity.len(), |k, _| system.masses[k / 3]));
        let matrix = masses + H * &damping + H * H * &stiffness;
        let right = H * (force - &damping * &velocity - H * (&stiffness * &velocity));
        // Columns that span what may move.
        let mut columns: Vec<DVector<f64>> = Vec::new();
        for n in (0..gradient.len()).filter(|&n| !system.fixed[n]) {
            let allowed = system.slides.iter().find(|(node, _)| *node as usize == n).map_or(Mat3::identity(), |(_, p)| *p);
            let eigen = crate::math::symmetric_eigen(&allowed);
            for k in (0..3).filter(|&k| eigen.values[k] > 0.5) {
                let mut column = DVector::zeros(velocity.len());
                column.fixed_rows_mut::<3>(3 * n).copy_from(&eigen.vectors.column(k));
                columns.push(column);
            }
        }
        let basis = DMatrix::from_columns(&columns);
        let factor = basis.tr_mul(&(&matrix * &basis)).cholesky().unwrap();
        let expected = &velocity + &basis * factor.solve(&basis.tr_mul(&right));
        let stats = run.step();
        let found = flat(&run.state.velocities);
        let change = (&expected - &velocity).norm();
        assert!((&found - &expected).norm() < 1e-9 * change, "{}: {:e} of {change:e}", law.name, (&found - &expected).norm());
        assert_eq!((stats.iterations, stats.substeps, stats.halvings), (1, 1, 0), "{}", law.name);
    }
}

/// Newton's method stopped after its first whole direction is the same step to the bit; converged it is another unless forces are linear.
#[test]
fn a_step_is_the_first_iterate_of_backward_euler() {
    for law in MATERIALS {
        let mut once = run_from(swinging(law.name, 6), Scheme::BaraffWitkin);
        let mut first = run_from(swinging(law.name, 6), Scheme::BackwardEuler);
        first.system.simulate.tolerance = f64::INFINITY;
        let (of_once, of_first) = (once.step(), first.step());
        assert_eq!((of_first.iterations, of_first.halvings), (1, 0), "{}: the line search took another step", law.name);
        assert_eq!(once.state.positions, first.state.positions, "{}", law.name);
        assert_eq!((once.state.velocities.clone(), of_once.residual), (first.state.velocities, of_first.residual));
        let mut converged = run_from(swinging(law.name, 6), Scheme::BackwardEuler);
        converged.system.simulate.tolerance = 1e-10;
        let residual = converged.step().residual;
        let apart: Vec<Vec3> = once.state.positions.iter().zip(&converged.state.positions).map(|(a, b)| a - b).collect();
        println!("{}: residual {:.1e} for {residual:.1e}, {:.1e} m apart", law.name, of_once.residual, largest_norm(&apart));
        if ["linear", "lagged_corotated"].contains(&law.name) {
            assert!(of_once.residual < 1e-9 && largest_norm(&apart) < 1e-12);
        } else {
            assert!(of_once.residual > 1e3 * residual && largest_norm(&apart) > 1e-7, "{}", law.name);
        }
    }
}

/// At a step ten times the one at which symplectic Euler is thrown apart the body comes to rest.
#[test]
fn long_steps_are_stable() {
    let (system, state) = swinging("stable_neo_hookean", 7);
    let mut explicit = (crate::step::stepper("symplectic_euler").unwrap().make)();
    let (mut exploding, mut system) = (state.clone(), system);
    explicit.warm_start(&system, &Balance::default());
    let outcomes: Vec<bool> = (0..200).map(|_| explicit.step(&mut system, &mut exploding, H, &Unwatched).is_ok()).collect();
    let speed = largest_norm(&exploding.velocities);
    assert!(outcomes.contains(&false) || speed.is_nan() || speed > 1e3, "symplectic Euler is stable: {speed}");
    let mut run = run_from((system, state), Scheme::BaraffWitkin);
    let stats: Vec<StepStats> =
        (0..200).map(|_| run.stepper.step(&mut run.system, &mut run.state, 10.0 * H, &Unwatched).unwrap()).collect();
    assert!(stats[199].kinetic < 1e-12 * stats[0].kinetic.max(1e-3), "{:e}", stats[199].kinetic);
    assert!(stats[199].residual < 1e-8, "{:e}", stats[199].residual);
}

/// A body that the sag-free rest state holds, free or in contact with friction, is a fixed point: one solve a step finds nothing to do.
#[test]
fn poses_that_are_held_stay() {
    let mut hanging = block([5, 2, 2], 0.05, Vec3::zeros(), "neo_hookean", 2e5, 0.0);
    hanging.fixed = hanging.positions.iter().map(|x| x.x < 1e-9).collect();
    let (sin, cos) = 20.0f64.to_radians().sin_cos();
    let mut sloping = onto(jelly("stable_neo_hookean"), vec![ground(Vec3::y())], 0.40);
    sloping.gravity = G * Vec3::new(-sin, -cos, 0.0);
    for (name, system) in [("hanging", hanging), ("slope", sloping)] {
        let mut run = held_by(Scheme::BaraffWitkin, system);
        let rest = run.steps(100);
        let drift = rest.iter().map(|s| s.drift).fold(0.0, f64::max);
        println!("{name}: drift {drift:.1e}");
        assert!(drift < 1e-9, "{name}: drift {drift:e}");
        assert!(rest.iter().all(|s| (s.iterations, s.substeps) == (1, 1)));
        for n in (0..run.system.fixed.len()).filter(|&n| !run.system.fixed[n]) {
            run.state.velocities[n] += Vec3::new(1e-3, 0.0, 0.0);
        }
        let kicked = run.steps(500);
        let peak = kicked.iter().map(|s| s.drift).fold(0.0, f64::max);
        println!("{name}: kick {peak:.1e}, then {:.1e}", kicked[499].drift);
        assert!(peak > 1e-7 && kicked[499].drift < 1e-2 * peak, "{name}: kick {peak:e}, at the end {:e}", kicked[499].drift);
    }
}

/// Linearised contact promises no gap: a step that would go through is taken in halves, and these in halves, and refused where it still
/// would; nothing ever goes through, and what was dropped comes to rest on the barrier.
#[test]
fn nothing_goes_through_an_obstacle() {
    let falling = |halvings: u32| {
        let mut system = onto(block([1, 1, 1], 0.1, Vec3::new(0.0, 0.03, 0.0), "neo_hookean", 1e5, 0.01), vec![ground(Vec3::y())], 0.3);
        system.simulate.max_substep_halvings = halvings;
        system.contact.barrier_distance = 0.02;
        Run::by(Scheme::BaraffWitkin, system, &Balance::default())
    };
    let mut run = falling(12);
    let stats = run.steps(400);
    let parts = stats.iter().map(|step| step.substeps).max().unwrap();
    println!("{parts} parts at most, gap {:.1e}", stats.iter().map(|step| step.min_gap).fold(f64::INFINITY, f64::min));
    assert!(stats.iter().all(|step| step.min_gap > 0.0 && step.iterations == step.substeps));
    assert!(parts > 1 && stats[399].substeps == 1 && stats[399].contacts > 0);
    // It settles as slowly as damping and friction let it.
    assert!(stats[399].kinetic < 1e-12 && stats[399].residual < 1e-3, "{:e} {:e}", stats[399].kinetic, stats[399].residual);
    assert!(stats[399].residual < 0.5 * stats[299].residual && stats[299].residual < 0.5 * stats[199].residual);
    let mut refused = falling(0);
    let error = (0..100).find_map(|_| {
        let before = refused.state.clone();
        let outcome = refused.stepper.step(&mut refused.system, &mut refused.state, H, &Unwatched);
        assert!(outcome.is_ok() || refused.state.positions == before.positions);
        outcome.err()
    });
    assert!(matches!(&error, Some(StepError::Singular { what, .. }) if what.contains("one linear solve")), "{error:?}");
}

/// Driven nodes arrive exactly, and draw the body along as the linear system says: of a linear body as backward Euler does.
#[test]
fn driven_nodes_arrive() {
    let by = |scheme| {
        let mut system = block([3, 1, 1], 0.05, Vec3::zeros(), "linear", 2e4, 0.01);
        system.gravity = Vec3::zeros();
        let still = system.positions[0];
        system.motions = vec![Motion {
            pivot: still,
            poses: vec![
                crate::system::motion::Pose { time: 0.0, translation: Vec3::zeros(), rotation: Vec3::zeros() },
                crate::system::motion::Pose { time: 0.1, translation: Vec3::new(0.01, 0.02, 0.0), rotation: Vec3::new(0.0, 0.3, 0.0) },
            ],
        }];
        for n in (0..system.positions.len()).filter(|&n| system.positions[n].x < 1e-9) {
            system.fixed[n] = true;
            system.driven.push(DrivenNode { node: n as u32, motion: 0 });
        }
        system.simulate.tolerance = 1e-12;
        let mut run = Run::by(scheme, system, &Balance::default());
        run.steps(12);
        for driven in &run.system.driven {
            assert_eq!(run.state.positions[driven.node as usize], run.system.target(driven, run.state.time));
        }
        run.state.positions
    };
    let (once, converged) = (by(Scheme::BaraffWitkin), by(Scheme::BackwardEuler));
    let apart: Vec<Vec3> = once.iter().zip(&converged).map(|(a, b)| a - b).collect();
    assert!(largest_norm(&apart) < 1e-12, "{:e}", largest_norm(&apart));
}
