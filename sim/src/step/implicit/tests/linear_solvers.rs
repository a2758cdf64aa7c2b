//! Every linear solver under Newton's method: the same motion, what it took, and failures that are told.

use super::*;
use crate::linear::{SOLVERS, SolverChoice};
use crate::math::{Mat3, largest_norm};
use crate::step::StepError;
use crate::system::{DrivenNode, Equality, Motion};

/// A block with a driven end and a node that slides on a slope, which falls onto the ground.
fn scene(choice: SolverChoice) -> Run {
    let mut system = block([3, 2, 1], 0.05, Vec3::new(0.0, 2e-3, 0.0), "neo_hookean", 5e4, 0.005);
    let end = system.positions.iter().map(|x| x.x).fold(0.0, f64::max);
    let mut system = onto(std::mem::take(&mut system), vec![ground(Vec3::y())], 0.3);
    system.motions = vec![Motion {
        pivot: Vec3::zeros(),
        poses: vec![
            crate::system::motion::Pose { time: 0.0, translation: Vec3::zeros(), rotation: Vec3::zeros() },
            crate::system::motion::Pose { time: 0.1, translation: Vec3::new(0.0, 0.0, 0.01), rotation: Vec3::zeros() },
        ],
    }];
    for n in (0..system.positions.len()).filter(|&n| system.positions[n].x < 1e-9) {
        system.fixed[n] = true;
        system.driven.push(DrivenNode { node: n as u32, motion: 0 });
    }
    let normal = Vec3::new(0.6, 0.0, 0.8);
    let sliding = (0..system.positions.len()).find(|&n| system.positions[n].x == end).unwrap();
    system.slides = vec![(sliding as u32, Mat3::identity() - normal * normal.transpose())];
    system.simulate.solver = choice;
    system.simulate.linear_tolerance = 1e-11;
    system.simulate.linear_iterations = 20_000;
    system.simulate.tolerance = 1e-9;
    Run::new(system, &Balance::default())
}

#[test]
fn every_solver_gives_the_same_motion() {
    let reference = {
        let mut run = scene(SolverChoice::Direct);
        let stats = run.steps(12);
        assert!(stats[11].contacts > 0, "nothing touches");
        run
    };
    for entry in SOLVERS {
        let mut run = scene(entry.choice);
        let stats = run.steps(12);
        let apart: Vec<Vec3> = run.state.positions.iter().zip(&reference.state.positions).map(|(a, b)| a - b).collect();
        let apart = largest_norm(&apart) / run.system.diagonal;
        let (iterations, residual) =
            (stats.iter().map(|s| s.linear_iterations).sum::<u32>(), stats.iter().map(|s| s.linear_residual).fold(0.0, f64::max));
        println!("{}: {apart:.1e} apart, {iterations} iterations, residual {residual:.1e}", entry.name);
        assert!(apart < 1e-8, "{}: {apart:e}", entry.name);
        assert!(residual > 0.0 && residual < 1.1e-11, "{}: {residual:e}", entry.name);
        assert!(stats.iter().all(|s| s.unsolved == 0), "{}", entry.name);
        let iterates = entry.is_alone || entry.choice == SolverChoice::Pcg;
        assert!(stats.iter().all(|s| (s.linear_iterations > 0) == iterates), "{}", entry.name);
    }
}

/// y0 - 2 y1 = const for two equal masses that fall (1.2 g and 0.6 g), and an elastic body whose ends are tied across.
#[test]
fn every_solver_keeps_ties() {
    let mut reference = None;
    for entry in SOLVERS {
        let mut lever = particles(vec![Vec3::new(0.0, 1.0, 0.0), Vec3::new(1.0, 0.5, 0.0)], vec![], 0.0);
        let terms = vec![(0, Vec3::new(0.0, 1.0, 0.0)), (1, Vec3::new(0.0, -2.0, 0.0))];
        lever.equalities = vec![Equality::new("lever".into(), terms, &lever.positions)];
        lever.simulate.solver = entry.choice;
        let mut run = Run::new(lever, &Balance::default());
        run.steps(20);
        let fallen = 0.5 * G * run.state.time * (run.state.time + H);
        for (node, share) in [(0, 1.2), (1, 0.6)] {
            let moved = run.system.positions[node].y - run.state.positions[node].y;
            assert!((moved / (share * fallen) - 1.0).abs() < 1e-7, "{}, {node}: {moved}", entry.name);
        }
        let mut tied = block([3, 1, 1], 0.05, Vec3::zeros(), "neo_hookean", 2e4, 0.0);
        tied.fixed = tied.positions.iter().map(|x| x.x < 1e-9).collect();
        let ends: Vec<u32> = (0..tied.positions.len() as u32).rev().take(2).collect();
        let terms = vec![(ends[0], Vec3::new(0.3, 1.0, 0.0)), (ends[1], Vec3::new(0.0, -1.0, 0.5))];
        tied.equalities = vec![Equality::new("tie".into(), terms, &tied.positions)];
        tied.simulate.solver = entry.choice;
        (tied.simulate.linear_tolerance, tied.simulate.linear_iterations) = (1e-11, 20_000);
        let mut run = Run::new(tied, &Balance::default());
        let stats = run.steps(10);
        assert!(run.system.equalities[0].residual(&run.state.positions).abs() < 1e-12, "{}", entry.name);
        assert!(stats.iter().all(|s| s.unsolved == 0 && s.linear_residual < 1.1e-11 && (s.linear_iterations > 0) == entry.is_alone));
        let reference = reference.get_or_insert_with(|| run.state.positions.clone());
        let apart: Vec<Vec3> = run.state.positions.iter().zip(&*reference).map(|(a, b)| a - b).collect();
        assert!(largest_norm(&apart) < 1e-8 * run.system.diagonal, "{}: {:e}", entry.name, largest_norm(&apart));
    }
}

/// A block that hangs from one end.
fn hanging(choice: SolverChoice, linear_iterations: u32) -> System {
    let mut system = block([4, 2, 2], 0.05, Vec3::zeros(), "neo_hookean", 1e5, 0.0);
    system.fixed = system.positions.iter().map(|x| x.x < 1e-9).collect();
    system.simulate.solver = choice;
    system.simulate.linear_iterations = linear_iterations;
    system
}

/// A solver that runs away is named, with what helps, and nothing has moved; the step is not taken in halves until it no longer does.
#[test]
fn a_solver_that_diverges_is_told_and_not_used() {
    let relaxed = |choice, relaxation, radius| {
        let mut system = hanging(choice, 5000);
        (system.simulate.linear_relaxation, system.simulate.spectral_radius) = (relaxation, radius);
        Run::new(system, &Balance::default())
    };
    for (mut run, name, remedy) in [
        (relaxed(SolverChoice::Jacobi, Some(1.0), None), "jacobi", "linear_relaxation"),
        (relaxed(SolverChoice::Chebyshev, None, Some(1.1)), "chebyshev", "spectral_radius"),
        (relaxed(SolverChoice::Chebyshev, Some(1.0), None), "chebyshev", "linear_relaxation"),
    ] {
        let before = run.state.clone();
        let error = run.stepper.step(&mut run.system, &mut run.state, H, &Unwatched).unwrap_err();
        let words = error.to_string();
        let StepError::Diverged { solver, iterations, residual, time, .. } = error else { panic!("{words}") };
        assert!(solver == name && iterations > 0 && residual > 1.0 && time == 0.0, "{words}");
        assert!([name, remedy, &iterations.to_string(), "direct"].iter().all(|part| words.contains(part)), "{words}");
        assert_eq!((before.positions, before.velocities), (run.state.positions, run.state.velocities));
    }
    for choice in [SolverChoice::Jacobi, SolverChoice::Chebyshev] {
        assert!(relaxed(choice, None, None).step().linear_iterations > 0, "{choice:?}");
    }
}

/// Out of iterations, a direction is used as far as it is solved, which is counted, and Newton's method needs more of them.
#[test]
fn a_solver_that_does_not_get_there_is_told_and_used() {
    let run = |choice, most| {
        let mut system = hanging(choice, most);
        system.simulate.tolerance = 1e-7;
        system.simulate.max_iterations = 5000;
        let mut run = Run::new(system, &Balance::default());
        let stats = run.steps(2);
        (run.state.positions, stats)
    };
    let (expected, exact) = run(SolverChoice::Direct, 1);
    assert!(exact.iter().all(|s| s.unsolved == 0 && s.linear_iterations == 0 && s.linear_residual < 1e-11 && s.linear_residual > 0.0));
    for choice in SOLVERS.iter().filter(|entry| entry.is_alone).map(|entry| entry.choice) {
        let (found, stats) = run(choice, 25);
        for s in &stats {
            println!(
                "{choice:?}: {} of {} directions, {} iterations, {:.1e}",
                s.unsolved, s.iterations, s.linear_iterations, s.linear_residual
            );
            assert!(s.unsolved > 0 && s.linear_residual > 1e-8 && s.linear_residual <= 1.0, "{choice:?}");
        }
        assert!(stats[0].iterations > exact[0].iterations, "{choice:?}");
        let apart: Vec<Vec3> = found.iter().zip(&expected).map(|(a, b)| a - b).collect();
        assert!(largest_norm(&apart) < 1e-4, "{choice:?}: {:e}", largest_norm(&apart));
    }
}
