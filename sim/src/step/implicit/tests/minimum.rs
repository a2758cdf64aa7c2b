//! A step is the minimum of its incremental potential, and Newton's method goes down all the way to it.

use super::super::line_search::Landscape;
use super::super::objective::Objective;
use super::super::scheme::History;
use super::super::solve::{self, Beginning, Task};
use super::super::workspace::{Buffers, Workspace};
use super::*;
use crate::contact::ContactMemory;
use crate::math::random::Random;
use crate::math::{Mat3, largest_norm};
use crate::scene::SolverChoice;
use crate::step::StepError;

const EDGE: f64 = 0.05;

/// The state in which a system is stretched by `stretch` along the axes and shaken.
fn shaken(system: &System, random: &mut Random, stretch: &Vec3, velocity: &Vec3) -> State {
    let mut state = State::at_rest(system);
    for (n, x) in state.positions.iter_mut().enumerate().filter(|(n, _)| !system.fixed[*n]) {
        *x = x.component_mul(stretch) + random.vector(-0.1, 0.1) * EDGE;
        state.velocities[n] = velocity + random.vector(-1.0, 1.0);
    }
    state
}

/// Gives `work` the objective of a step of backward Euler from `state`, and the memory for Newton's method.
fn with_objective<T>(system: &System, state: &State, step_size: f64, work: impl FnOnce(&mut Objective, &mut Buffers) -> T) -> T {
    let mut memory = ContactMemory::new(system, &Balance::default());
    let mut workspace = Workspace::new(system);
    let stage = Scheme::BackwardEuler.stage(state, None, step_size);
    let mut loads = Vec::new();
    system.steady_loads_at(&state.positions, &state.velocities, state.time, &mut loads);
    workspace.pressing.set(system, &state.positions, state.time + step_size, 1.0);
    let mut objective = Objective {
        system,
        stage,
        contact: memory.freeze(system, &state.positions, state.time),
        damping: None,
        ties: None,
        pressing: &mut workspace.pressing,
        origin: &state.positions,
        loads: &loads,
        hand: None,
        step_size,
        contact_seconds: [0.0; 2],
        inside: Default::default(),
    };
    work(&mut objective, &mut workspace.buffers)
}

/// Nothing driven, and nothing known.
fn alone(state: &State) -> Task<'_> {
    Task { state, targets: &[], blocks_known: false, watch: &Unwatched }
}

/// m (x+ - x~) = h^2 f(x+), with the forces of elements and gravity put together here (Li et al. 2024, 2.1).
#[test]
fn inertia_at_the_end_of_a_step_balances_the_forces_there() {
    let mut random = Random::new(31);
    for law in MATERIALS {
        let mut system = block([3, 1, 1], EDGE, Vec3::zeros(), law.name, 5e4, 0.0);
        for n in 0..system.positions.len() {
            system.fixed[n] = system.positions[n].x < 1e-9;
        }
        let start = shaken(&system, &mut random, &Vec3::new(1.3, 0.9, 1.1), &Vec3::zeros());
        let mut run = Run::new(system, &Balance::default());
        run.state = start;
        for _ in 0..5 {
            let before = run.state.clone();
            let stats = run.step();
            assert_eq!(stats.substeps, 1);
            let Run { system, state, .. } = &run;
            let free = || (0..system.masses.len()).filter(|&n| !system.fixed[n]);
            let inertia = |n: usize| system.masses[n] * (state.positions[n] - (before.positions[n] + H * before.velocities[n]));
            let unbalanced = |x: &[Vec3]| {
                let mut gradient = vec![Vec3::zeros(); x.len()];
                system.families[0].add_gradient(x, &mut gradient);
                let force = |n: usize| system.masses[n] * system.gravity - gradient[n];
                free().map(|n| (inertia(n) - H * H * force(n)).norm()).fold(0.0, f64::max)
            };
            let largest = free().map(|n| inertia(n).norm()).fold(0.0, f64::max);
            let (at_end, at_start) = (unbalanced(&state.positions), unbalanced(&before.positions));
            assert!(at_end < 1e-7 * largest, "{}: {at_end:e} of {largest:e}", law.name);
            assert!(at_start > 1e-2 * largest, "{}: any shape would do: {at_start:e} of {largest:e}", law.name);
            let reported = at_end / (H * H) / system.largest_load();
            assert!((stats.residual - reported).abs() < 1e-9, "{}: {:e} for {reported:e}", law.name, stats.residual);
            for n in free() {
                assert!(((state.positions[n] - before.positions[n]) / H - state.velocities[n]).norm() < 1e-12);
            }
        }
    }
}

/// Energies at the start and after 1, 2, 3, ... iterations [J], from minimisations that are cut short after so many.
fn energies_downhill(system: &mut System, state: &State) -> Vec<f64> {
    let mut energies = vec![with_objective(system, state, H, |objective, _| objective.energy(&state.positions))];
    for most in 1..=100 {
        system.simulate.max_iterations = most;
        let mut y = state.positions.clone();
        let outcome = with_objective(system, state, H, |objective, buffers| {
            let outcome = solve::minimise(objective, buffers, &alone(state), &mut y, Beginning::default());
            energies.push(objective.energy(&y));
            outcome
        });
        match outcome {
            Ok(_) => return energies,
            Err(StepError::NotConverged { iterations, .. }) => assert_eq!(iterations, most, "the line search gave up"),
            Err(error) => panic!("{error}"),
        }
    }
    panic!("not converged in a hundred iterations: {energies:?}")
}

#[test]
fn energy_falls_in_every_iteration_from_any_start() {
    let mut random = Random::new(32);
    let mut longest = 0;
    for law in MATERIALS {
        for trial in 0..3 {
            let above = block([2, 1, 1], EDGE, Vec3::new(0.0, EDGE, 0.0), law.name, 5e4, 0.0);
            let mut system = onto(above, vec![ground(Vec3::new(0.1, 1.0, 0.0))], 0.3);
            system.simulate.tolerance = 1e-4;
            let stretch = random.vector(0.6, 1.8);
            let state = shaken(&system, &mut random, &stretch, &Vec3::new(0.5, -4.0, 0.0));
            let energies = energies_downhill(&mut system, &state);
            let start = energies[0];
            assert!(start.is_finite(), "{} {trial}: the start is no start", law.name);
            for (iteration, pair) in energies.windows(2).enumerate() {
                let round_off = 1e-12 * start.abs();
                assert!(pair[1] <= pair[0] + round_off, "{} {trial}, iteration {iteration}: {energies:?}", law.name);
            }
            // In the air, the energy of laws without rotation is quadratic: one iteration finds its minimum, and one sees it.
            assert!(energies[1] < start && energies.len() > 2, "{} {trial}: {energies:?}", law.name);
            longest = longest.max(energies.len() - 1);
        }
    }
    println!("at most {longest} iterations");
    assert!(longest > 5);
}

/// Whether the Hessian at `y` has a Cholesky factor.
fn factorises(objective: &Objective, buffers: &mut Buffers, y: &[Vec3], projected: bool) -> bool {
    let Buffers { linear, blocks, diagonal, .. } = buffers;
    objective.system.fill_blocks(y, projected, blocks);
    objective.diagonal(y, projected, diagonal);
    linear.prepare(&[]);
    linear.assemble(blocks, diagonal, &[], &[], &[]);
    linear.factorize().is_ok()
}

/// Compressed to half, elements have negative curvatures that inertia does not outweigh in a step of 0.02 s: Newton's method with
/// the exact Hessian has no direction to begin with, and with the projected one it arrives (Li et al. 2024, remark 4.5.1).
#[test]
fn a_start_of_strong_compression_needs_the_projection() {
    const STEP: f64 = 0.02;
    let mut random = Random::new(33);
    for law in MATERIALS.iter().filter(|law| !["linear", "lagged_corotated"].contains(&law.name)) {
        let mut system = block([3, 1, 1], EDGE, Vec3::zeros(), law.name, 2e5, 0.0);
        system.simulate.solver = SolverChoice::Direct;
        let state = shaken(&system, &mut random, &Vec3::new(0.5, 1.0, 1.0), &Vec3::zeros());
        let mut y = state.positions.clone();
        with_objective(&system, &state, STEP, |objective, buffers| {
            assert!(!factorises(objective, buffers, &y, false), "{}: the exact Hessian is positive definite", law.name);
            assert!(factorises(objective, buffers, &y, true), "{}", law.name);
            let start = objective.energy(&y);
            let iterations = solve::minimise(objective, buffers, &alone(&state), &mut y, Beginning::default()).unwrap().iterations;
            let mut gradient = vec![Vec3::zeros(); y.len()];
            objective.gradient(&y, &mut gradient);
            println!("{}: {iterations} iterations", law.name);
            assert!(objective.energy(&y) < start && largest_norm(&gradient) < 1e-5 * system.largest_load(), "{}", law.name);
        });
    }
}

/// Near a ball of one centimetre the barrier's force outweighs inertia across the normal: the projected matrix keeps a share of each node's
/// inertia in every direction, so that it has a factor even where nothing else is stiff.
#[test]
fn curved_obstacles_leave_nodes_a_share_of_their_inertia() {
    let mut random = Random::new(34);
    for _ in 0..20 {
        let away = random.vector(-1.0, 1.0).normalize();
        let ball = obstacle(Shape::Sphere { center: [0.0; 3], radius: 0.01 });
        let system = particles(vec![(0.01 + 0.02) * away], vec![ball], 0.0);
        let distance = system.contact.barrier_distance;
        let y = [(0.01 + random.uniform(1e-3, 3e-3) * distance) * away];
        with_objective(&system, &State::at_rest(&system), H, |objective, buffers| {
            let inertia = system.masses[0] / (H * H);
            let least = |objective: &Objective, projected: bool| {
                let mut diagonal = [Mat3::zeros()];
                objective.diagonal(&y, projected, &mut diagonal);
                diagonal[0].symmetric_eigenvalues().min() / inertia
            };
            assert!(least(objective, false) < -1.0 && !factorises(objective, buffers, &y, false));
            assert!(least(objective, true) > 0.01 && factorises(objective, buffers, &y, true), "{}", least(objective, true));
        });
    }
}

/// Newton's method ends with the first direction that is no faster than the tolerance, and with no earlier one.
#[test]
fn iterations_go_on_until_directions_are_as_slow_as_the_tolerance() {
    let above = block([2, 1, 1], EDGE, Vec3::new(0.0, EDGE, 0.0), "neo_hookean", 5e4, 0.0);
    let mut system = onto(above, vec![ground(Vec3::new(0.1, 1.0, 0.0))], 0.3);
    let state = shaken(&system, &mut Random::new(35), &Vec3::new(0.7, 1.2, 1.0), &Vec3::new(0.5, -4.0, 0.0));
    let outcome = |system: &mut System, tolerance: f64, most: u32| {
        (system.simulate.tolerance, system.simulate.max_iterations) = (tolerance, most);
        let mut y = state.positions.clone();
        with_objective(system, &state, H, |objective, buffers| {
            solve::minimise(objective, buffers, &alone(&state), &mut y, Beginning::default())
        })
    };
    let speeds: Vec<f64> = (1..100)
        .map_while(|most| match outcome(&mut system, 0.0, most) {
            Err(StepError::NotConverged { speed, iterations, .. }) if iterations == most => Some(speed),
            _ => None,
        })
        .collect();
    let mut tried = 0;
    for k in 1..speeds.len() {
        let (next, least) = (speeds[k], speeds[..k].iter().copied().fold(f64::INFINITY, f64::min));
        if next < 0.9 * least && next > 1e-9 {
            let found = outcome(&mut system, (next * least).sqrt(), 100).unwrap();
            assert_eq!(found.iterations as usize, k + 1, "{speeds:?}");
            tried += 1;
        }
    }
    assert!(tried > 3, "{speeds:?}");
}

/// A direction that would turn elements inside out is followed as far as none is, whatever their law.
#[test]
fn no_step_is_tried_that_inverts_an_element() {
    let mut random = Random::new(36);
    for law in MATERIALS {
        let system = block([2, 1, 1], EDGE, Vec3::zeros(), law.name, 5e4, 0.0);
        let state = shaken(&system, &mut random, &Vec3::repeat(1.0), &Vec3::zeros());
        let y = &state.positions;
        with_objective(&system, &state, H, |objective, buffers| {
            let through = random.vector(-1.0, 1.0).normalize();
            buffers.direction = y.iter().map(|p| -2.0 * through * through.dot(p)).collect();
            let step = solve::filter(objective, buffers, y);
            assert!(step > 0.0 && step < 0.5, "{}: {step}", law.name);
            let there: Vec<Vec3> = y.iter().zip(&buffers.direction).map(|(y, d)| y + step * d).collect();
            assert_eq!(crate::step::measure::inversions(&system, &there), 0);
            buffers.direction.fill(through);
            assert_eq!(solve::filter(objective, buffers, y), 1.0);
        });
    }
}

/// Of two masses on their way down, the one that is about to touch is stopped and the other goes on; where all are to go as far, neither
/// goes farther than the first may.
#[test]
fn what_touches_holds_up_nothing_else() {
    let system = particles(vec![Vec3::new(0.0, 2e-3, 0.0), Vec3::new(0.5, 0.3, 0.0)], vec![ground(Vec3::y())], 0.0);
    let state = State::at_rest(&system);
    for own in [true, false] {
        with_objective(&system, &state, H, |objective, buffers| {
            let down = -0.05 * Vec3::y();
            buffers.direction = vec![down; 2];
            objective.gradient(&state.positions, &mut buffers.gradient);
            let gradient = buffers.gradient.clone();
            let kept = solve::keep_gaps_open(objective, buffers, &state.positions, own);
            let [first, second] = &buffers.direction[..] else { unreachable!() };
            assert!(kept.kept < 0.1 && (first - kept.kept * down).norm() < 1e-15);
            assert_eq!(*second, if own { down } else { *first });
            let slope: f64 = gradient.iter().zip(&buffers.direction).map(|(g, d)| g.dot(d)).sum();
            assert!((kept.slope / slope - 1.0).abs() < 1e-12 && slope < 0.0);
        });
    }
}

/// What BDF2 takes from a motion closes its identity of energies: m v2 . (3 v2 - 4 v1 + v0) / 2 is the change of the G-norm of two
/// velocities and that (Hairer and Wanner 1996, V.6).
#[test]
fn what_bdf2_takes_from_a_motion_closes_its_identity() {
    let mut random = Random::new(37);
    for _ in 0..20 {
        let system = particles(vec![random.vector(-1.0, 1.0)], vec![], 0.0);
        let [v0, v1, v2] = [(); 3].map(|()| random.vector(-1.0, 1.0));
        let before = State { velocities: vec![v0], ..State::at_rest(&system) };
        let positions = vec![before.positions[0] + H * v1];
        let after = State { time: H, positions, velocities: vec![v1], points: Default::default() };
        let stage = Scheme::Bdf2.stage(&after, Some(&History::new(before, after.clone(), H)), H);
        let norm = |b: Vec3, a: Vec3| 0.25 * (b.norm_squared() + (2.0 * b - a).norm_squared());
        let work = 0.5 * v2.dot(&(3.0 * v2 - 4.0 * v1 + v0));
        let expected = system.masses[0] * (work - norm(v2, v1) + norm(v1, v0));
        assert!((stage.dissipation(&system, &[v1], &[v2]) - expected).abs() < 1e-12, "{expected}");
    }
}

/// BDF2 goes on only where nobody changed anything: from any other state the step is the one of a stepper that has just begun.
#[test]
fn bdf2_goes_on_only_from_where_it_was() {
    let change: [fn(&mut State, &mut f64); 5] = [
        |_, _| {},
        |state, _| state.time += 1.0,
        |state, _| state.positions[0].x += 1e-3,
        |state, _| state.velocities[0].x += 1e-3,
        |_, step| *step *= 0.5,
    ];
    for (k, change) in change.into_iter().enumerate() {
        let mut system = particles(vec![Vec3::zeros()], vec![], 0.0);
        let begin = |system: &System| {
            let mut stepper = Implicit::new(Scheme::Bdf2);
            stepper.warm_start(system, &Balance::default());
            stepper
        };
        let (mut going, mut state, mut step) = (begin(&system), State::at_rest(&system), H);
        for _ in 0..3 {
            going.step(&mut system, &mut state, H, &Unwatched).unwrap();
        }
        change(&mut state, &mut step);
        let mut fresh = state.clone();
        begin(&system).step(&mut system, &mut fresh, step, &Unwatched).unwrap();
        going.step(&mut system, &mut state, step, &Unwatched).unwrap();
        let apart = (state.positions[0] - fresh.positions[0]).norm();
        assert!(if k == 0 { apart > 1e-6 } else { apart < 1e-14 }, "{k}: {apart}");
    }
}
