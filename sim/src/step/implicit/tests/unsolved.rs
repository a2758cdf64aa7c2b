//! Linear systems that conjugate gradients do not solve: a factorisation does, or the step says so and goes down all the same.

use super::super::solve::lead_down;
use super::super::workspace::Workspace;
use super::*;
use crate::linear::{IterationOptions, SolverChoice};

/// A block that hangs from one end and swings; conjugate gradients give up after `iterations`.
fn hanging(choice: SolverChoice, iterations: u32, most_entries: usize) -> Run {
    let mut system = block([5, 2, 2], 0.05, Vec3::zeros(), "neo_hookean", 1e5, 0.0);
    system.fixed = system.positions.iter().map(|x| x.x < 1e-9).collect();
    system.simulate.solver = choice;
    let mut workspace = Workspace::new(&system);
    workspace.buffers.linear.set_options(IterationOptions { max_iterations: iterations, ..IterationOptions::default() });
    workspace.buffers.linear.set_most_entries(most_entries);
    let mut run = Run::new(system, &Balance::default());
    run.stepper.workspace = Some(workspace);
    run
}

#[test]
fn a_factorisation_solves_what_conjugate_gradients_leave() {
    let (mut direct, mut given_up) = (hanging(SolverChoice::Direct, 1, usize::MAX), hanging(SolverChoice::Pcg, 2, usize::MAX));
    for _ in 0..5 {
        let (expected, found) = (direct.step(), given_up.step());
        assert_eq!((found.unsolved, found.iterations), (0, expected.iterations));
    }
    assert_eq!(direct.state.positions, given_up.state.positions);
}

/// Without memory for a factor, directions are used as they are, which is told; each leads down, and the step ends where it should.
#[test]
fn directions_that_solve_nothing_are_told() {
    let (mut direct, mut given_up) = (hanging(SolverChoice::Direct, 1, usize::MAX), hanging(SolverChoice::Pcg, 12, 0));
    for run in [&mut direct, &mut given_up] {
        run.system.simulate.tolerance = 1e-6;
        run.system.simulate.max_iterations = 2000;
    }
    for _ in 0..3 {
        let (expected, found) = (direct.step(), given_up.step());
        println!("{} of {} directions, residual {:.1e}, {:.1e}", found.unsolved, found.iterations, found.residual, expected.residual);
        assert!(found.unsolved > 0 && expected.unsolved == 0);
    }
    let off = direct.state.positions.iter().zip(&given_up.state.positions).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(off < 1e-5 * direct.system.diagonal, "{off:e}");
}

/// What leads up is replaced by the steepest way down, to where a quadratic is least along it; what leads down is left.
#[test]
fn a_direction_that_leads_up_is_replaced() {
    let mut run = hanging(SolverChoice::Direct, 1, usize::MAX);
    run.step();
    let linear = &run.stepper.workspace.as_ref().unwrap().buffers.linear;
    let mut gradient: Vec<Vec3> = (0..run.system.masses.len()).map(|n| Vec3::new(1.0, (n as f64).sin(), 0.3)).collect();
    run.system.take_supported(&mut gradient);
    let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    let model = |direction: &[Vec3]| {
        let mut curved = vec![Vec3::zeros(); direction.len()];
        linear.matrix().multiply(linear.pattern(), direction, &mut curved);
        dot(&gradient, direction) + 0.5 * dot(direction, &curved)
    };
    let mut up = gradient.clone();
    lead_down(&gradient, linear, &mut up);
    let least = model(&up);
    assert!(least < 0.0);
    for share in [0.99, 1.01] {
        let other: Vec<Vec3> = up.iter().map(|d| share * d).collect();
        assert!(model(&other) > least, "{share}");
    }
    for useless in [f64::NAN, 0.0] {
        let mut direction = vec![Vec3::repeat(useless); gradient.len()];
        lead_down(&gradient, linear, &mut direction);
        assert_eq!(direction, up);
    }
    let down: Vec<Vec3> = gradient.iter().map(|g| Vec3::new(-2.0 * g.x, 0.0, 0.0)).collect();
    let mut kept = down.clone();
    lead_down(&gradient, linear, &mut kept);
    assert_eq!(kept, down);
}
