//! Masses that couple nodes: energy, force and curvature of inertia, and what driven nodes do to their neighbours.

use super::super::inertia::Inertia;
use super::super::scheme::Stage;
use super::*;
use crate::linear::NodeMatrix;
use crate::math::Mat3;
use crate::mesh::MassCouplings;
use crate::system::motion::Pose;
use crate::system::{DrivenNode, Motion};

/// A block with consistent masses, one end of which is driven.
fn coupled() -> System {
    let mut system = block([2, 1, 1], 0.1, Vec3::zeros(), "neo_hookean", 1e4, 0.0);
    let body = &system.bodies[0];
    system.mass_couplings = body.matter.mass_couplings(&body.mesh, &system.positions).unwrap();
    system.fixed = system.positions.iter().map(|x| x.x == 0.0).collect();
    system
}

fn wave(k: usize) -> Vec3 {
    Vec3::new((1.3 * k as f64).sin(), (2.1 * k as f64).cos(), (0.7 * k as f64 + 1.0).sin())
}

/// A stage from a moving state.
fn stage(scheme: Scheme, system: &System, is_calmed: bool) -> Stage {
    let velocities = (0..system.positions.len()).map(|n| 0.3 * wave(n + 9)).collect();
    let state = State { velocities, ..State::at_rest(system) };
    let mut stage = scheme.stage(&state, None, H);
    stage.drive(&system.fixed, &state);
    stage.calm((0..system.positions.len()).map(|_| is_calmed));
    stage
}

/// The whole energy of inertia [J], and its gradient on free nodes.
fn energy_and_force(system: &System, stage: &Stage, y: &[Vec3]) -> (f64, Vec<Vec3>) {
    let inertia = Inertia::new(system, stage);
    let free = || (0..y.len()).filter(|&n| !system.fixed[n]);
    let off_path = |n: usize| y[n] - stage.predictor[n];
    let lumped: f64 = free().map(|n| 0.5 * system.masses[n] * stage.inertia(n) * off_path(n).norm_squared()).sum();
    let mut force = vec![Vec3::zeros(); y.len()];
    inertia.add_coupled_gradient(y, &mut force);
    free().for_each(|n| force[n] += system.masses[n] * stage.inertia(n) * off_path(n));
    system.take_supported(&mut force);
    (lumped + inertia.coupled_energy(y), force)
}

#[test]
fn force_and_curvature_are_derivatives_of_the_energy() {
    let system = coupled();
    let pattern = system.pattern();
    for (scheme, is_calmed) in [(Scheme::BackwardEuler, false), (Scheme::Midpoint, false), (Scheme::Midpoint, true)] {
        let stage = stage(scheme, &system, is_calmed);
        let inertia = Inertia::new(&system, &stage);
        let y: Vec<Vec3> = system.positions.iter().enumerate().map(|(n, x)| x + 0.01 * wave(n)).collect();
        let mut way: Vec<Vec3> = (0..y.len()).map(|n| 0.01 * wave(n + 50)).collect();
        system.take_supported(&mut way);
        let at = |s: f64| -> Vec<Vec3> { y.iter().zip(&way).map(|(y, way)| y + s * way).collect() };
        let (_, force) = energy_and_force(&system, &stage, &y);
        let ends = [-1.0, 1.0].map(|s| energy_and_force(&system, &stage, &at(s)));
        // Of a quadratic the difference is exact.
        let slope: f64 = force.iter().zip(&way).map(|(f, way)| f.dot(way)).sum();
        let difference = 0.5 * (ends[1].0 - ends[0].0);
        assert!((slope - difference).abs() < 1e-10 * difference.abs(), "{scheme:?}: {slope} {difference}");

        let mut matrix = NodeMatrix::new(&pattern);
        (0..y.len()).for_each(|n| matrix.add_to_node(&pattern, n as u32, &Mat3::from_diagonal_element(inertia.diagonal(n))));
        system.mass().add_beside_diagonal(&mut matrix, &pattern, |n| stage.inertia(n), &[]);
        let mut product = way.clone();
        matrix.multiply(&pattern, &way, &mut product);
        let largest = product.iter().map(Vec3::norm).fold(0.0, f64::max);
        for n in 0..y.len() {
            let difference = 0.5 * (ends[1].1[n] - ends[0].1[n]);
            assert!((product[n] - difference).norm() < 1e-10 * largest, "{scheme:?}, node {n}: {} {difference}", product[n]);
        }

        // What driven nodes do to the others when they are moved.
        let moved: Vec<Vec3> = (0..y.len()).map(|n| if system.fixed[n] { 0.01 * wave(n + 7) } else { Vec3::zeros() }).collect();
        let beyond: Vec<Vec3> = y.iter().zip(&moved).map(|(y, moved)| y + moved).collect();
        let (_, pushed) = energy_and_force(&system, &stage, &beyond);
        let mut target = force.clone();
        inertia.subtract_driven(&moved, &mut target);
        let change = force.iter().zip(&pushed).map(|(force, pushed)| (pushed - force).norm()).fold(0.0, f64::max);
        for n in (0..y.len()).filter(|&n| !system.fixed[n]) {
            let expected = 2.0 * force[n] - pushed[n];
            assert!((target[n] - expected).norm() < 1e-10 * change, "{scheme:?}, node {n}");
        }
        assert!(change > 0.01 * largest, "{change} {largest}");
    }
}

/// Four masses that nothing but their mass matrix couples, one of them driven: M a = f by hand. Newton's method, which has the same
/// matrix, is there at once.
#[test]
fn a_driven_mass_pushes_on_those_that_it_is_coupled_to() {
    let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    for scheme in [Scheme::BackwardEuler, Scheme::Bdf2, Scheme::Midpoint, Scheme::BaraffWitkin] {
        let mut system = particles(corners.to_vec(), Vec::new(), 0.0);
        system.masses = vec![5.0; 4];
        system.mass_couplings = MassCouplings::of_cells(&[[0, 1, 2, 3]], &[20.0]);
        system.fixed[0] = true;
        let way = Vec3::new(0.3, -0.2, 0.1);
        let pose = |time: f64| Pose { time, translation: time * way, rotation: Vec3::zeros() };
        system.motions = vec![Motion { pivot: Vec3::zeros(), poses: vec![pose(0.0), pose(1.0)] }];
        system.driven = vec![DrivenNode { node: 0, motion: 0 }];
        let mut run = Run::by(scheme, system, &Balance::default());
        let stats = run.step();
        // Rows 2 dv + dv + dv + way = 5 h g.
        let fall = H * run.system.gravity;
        let expected = (5.0 * fall - way) / 4.0;
        for n in 1..4 {
            assert!((run.state.velocities[n] - expected).norm() < 1e-12, "{scheme:?}: {} {expected}", run.state.velocities[n]);
        }
        assert!(stats.iterations <= 3, "{scheme:?}: {}", stats.iterations);
        assert!((run.state.positions[0] - H * way).norm() < 1e-15);
    }
}
