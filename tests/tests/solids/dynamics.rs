//! Bodies that fall, land, rest, and press on each other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::contact::Balance;
use aplomb_sim::contact::surfaces::{PairPreload, Touch};
use aplomb_sim::math::{Mat3, Vec3, rotation};
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::{StepStats, measure};
use aplomb_sim::system::System;
use aplomb_sim::system::loads::Traction;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, World, add_half_space};

const G: f64 = 9.81;
const JELLY: BoxBody =
    BoxBody { size: Vec3::new(0.1, 0.1, 0.1), cells: [3, 3, 3], law: "neo_hookean", young: 3e4, poisson: 0.4, density: 1000.0 };

fn run(simulation: &mut Simulation, steps: usize) -> Vec<StepStats> {
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap()).collect()
}

/// A square ground of triangles through the origin.
fn ground() -> TriangleMesh {
    let lines: Vec<f64> = (-8..=8).map(|k| 0.05 * f64::from(k) + 0.011).collect();
    TriangleMesh::square(&Vec3::zeros(), &Vec3::y(), &lines)
}

/// Height after n steps of free fall by each integrator's own difference equation.
#[test]
fn free_fall_is_the_closed_form_of_each_integrator() {
    const H: f64 = 0.01;
    let third = |n: f64| 3.0_f64.powf(-n);
    type Fallen = fn(f64, f64) -> f64;
    let forms: [(&str, Fallen); 6] = [
        ("backward_euler", |t, _| 0.5 * G * t * (t + H)),
        ("baraff_witkin", |t, _| 0.5 * G * t * (t + H)),
        ("symplectic_euler", |t, _| 0.5 * G * t * (t + H)),
        ("forward_euler", |t, _| 0.5 * G * t * (t - H)),
        ("midpoint", |t, _| 0.5 * G * t * t),
        // Begun with a step of backward Euler, whose error of g h^2 / 2 the roots 1 and 1/3 of the recurrence share.
        ("bdf2", |t, third| 0.5 * G * t * t + 0.75 * G * H * H * (1.0 - third)),
    ];
    for (stepper, fallen) in forms {
        // Soft, so that explicit steps are stable too.
        let mut system = BoxBody { young: 100.0, ..JELLY }.system(|_| false);
        system.simulate.stepper = stepper.into();
        system.simulate.step_size = H;
        let mut simulation = Simulation::new(system);
        for n in 1..=30 {
            let stats = run(&mut simulation, 1)[0];
            let t = f64::from(n) * H;
            let wanted = -fallen(t, third(f64::from(n)));
            for (x, given) in simulation.state.positions.iter().zip(&simulation.system.positions) {
                assert!((x - given - Vec3::new(0.0, wanted, 0.0)).norm() < 1e-12, "{stepper} at step {n}: {} for {wanted}", x.y - given.y);
            }
            assert!((stats.momentum.y + G * t).abs() < 1e-11, "{stepper}: {}", stats.momentum.y);
        }
    }
}

/// A box that is dropped askew, with friction: no step adds energy, and it comes to rest with its weight carried.
#[test]
fn energy_never_grows_while_a_box_lands_and_comes_to_rest() {
    for on_mesh in [false, true] {
        let place = |x: Vec3| rotation([7.0, 0.0, 11.0]) * x + Vec3::new(0.0, 0.05, 0.0);
        let mut world = World::on_earth().body(&JELLY, place);
        if on_mesh {
            let ground = ground();
            world = world.surface(&ground.positions, &ground.triangles, None);
        }
        let mut system = world.finish(0.5);
        if !on_mesh {
            add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.5);
        }
        system.initial_velocities = vec![Vec3::new(0.3, 0.0, 0.1); system.positions.len()];
        let weight = G * system.masses.iter().sum::<f64>();
        let mut simulation = Simulation::new(system);
        let stats = run(&mut simulation, 400);
        let scale = stats[0].kinetic + weight * 0.05;
        let growth = stats.windows(2).map(|pair| pair[1].total - pair[0].total).fold(f64::NEG_INFINITY, f64::max) / scale;
        let last = stats[399];
        // A contact that belongs to a vertex of the ground tells the force on the ground.
        let body = simulation.system.bodies[0].nodes.clone();
        let sign = |node: u32| if body.contains(&(node as usize)) { 1.0 } else { -1.0 };
        let carried: f64 = simulation.contact_forces().iter().map(|contact| sign(contact.node) * contact.force.y).sum();
        println!(
            "mesh {on_mesh}: largest growth {growth:.1e}, at the end {:.1e} J of motion, carried {:.1e} off the weight, friction took {:.2e} J",
            last.kinetic,
            carried / weight - 1.0,
            last.friction
        );
        assert!(growth <= 1e-9, "mesh {on_mesh}: {growth}");
        assert!(last.kinetic < 1e-9 * scale && last.friction > 0.0 && last.min_gap > 0.0);
        assert!((carried / weight - 1.0).abs() < 1e-4, "{carried} of {weight}");
    }
}

/// A thin plate across the way of a body that passes it a hundred times over in one step.
#[test]
fn nothing_passes_a_thin_plate_in_one_step() {
    let pebble = BoxBody { size: Vec3::repeat(1e-3), cells: [1, 1, 1], young: 1e6, ..JELLY };
    let plate = TriangleMesh::square(&Vec3::new(0.005, 0.0, 0.0), &-Vec3::x(), &[-0.02, -0.007, 0.003, 0.02]);
    let end = |touching: bool, speed: f64| {
        let mut system = World::default()
            .body(&pebble, |x| rotation([20.0, 30.0, 40.0]) * (x - 0.5 * pebble.size))
            .surface(&plate.positions, &plate.triangles, None)
            .finish(0.0);
        system.initial_velocities = vec![Vec3::new(speed, 0.0, 0.0); system.positions.len()];
        system.contact.barrier_distance = 1e-4 / system.diagonal;
        if !touching {
            system.surface.rules.set(0, 1, None);
        }
        let nodes = system.bodies[0].nodes.clone();
        let mut simulation = Simulation::new(system);
        let mut farthest = f64::NEG_INFINITY;
        for stats in run(&mut simulation, 5) {
            assert!(stats.inversions == 0);
            farthest = simulation.state.positions[nodes.clone()].iter().map(|x| x.x).fold(farthest, f64::max);
        }
        farthest
    };
    for speed in [1.0, 100.0] {
        let (with, without) = (end(true, speed), end(false, speed));
        println!("at {speed} m/s: {with} with contact, {without} without");
        assert!(with < 0.005 && without > 0.01, "{with}, {without}");
    }
}

/// Barycentric coordinates of the point of a triangle straight above or below `p`, if there is one.
fn straight_below(p: &Vec3, [a, b, c]: [Vec3; 3]) -> Option<[f64; 3]> {
    let edges = Mat3::from_columns(&[a, b, c]);
    let flat = |x: &Vec3| Vec3::new(x.x, x.z, 1.0);
    let matrix = Mat3::from_columns(&[flat(&edges.column(0).into()), flat(&edges.column(1).into()), flat(&edges.column(2).into())]);
    let weights = matrix.try_inverse()? * flat(p);
    weights.iter().all(|&w| w >= -1e-12).then_some(weights.into())
}

/// One box on another that is held at its bottom, sag-free under the weight and the forces between them, which are prescribed.
fn preloaded_stack() -> (Simulation, Vec<PairPreload>) {
    let top = BoxBody { size: Vec3::new(0.07, 0.08, 0.06), ..JELLY };
    let place = |x: Vec3| x + Vec3::new(0.013, 0.1 + 1.5e-4, 0.021);
    let mut world = World::on_earth().body(&JELLY, |x| x).body(&top, place);
    for n in world.system.bodies[0].nodes.clone() {
        world.system.fixed[n] = world.system.positions[n].y == 0.0;
    }
    let mut system: System = world.finish(0.5);

    let bottom: Vec<u32> = system.bodies[1].nodes.clone().filter(|&n| system.positions[n].y < 0.1002).map(|n| n as u32).collect();
    let forces = balanced_forces(&system, &bottom);
    let mut preloads = Vec::new();
    for (&vertex, &normal_force) in bottom.iter().zip(&forces) {
        let p = system.positions[vertex as usize];
        let found = system.surface.triangles.iter().find_map(|&triangle| {
            let corners = triangle.map(|n| system.positions[n as usize]);
            let on_top = corners.iter().all(|c| (c.y - 0.1).abs() < 1e-9);
            Some((triangle, straight_below(&p, corners).filter(|_| on_top)?))
        });
        let (triangle, weights) = found.unwrap();
        assert!(normal_force > 0.0);
        let (touch, distance) = (Touch::VertexTriangle { vertex, triangle }, 1.5e-4);
        preloads.push(PairPreload { touch, normal: Vec3::y(), normal_force, friction_force: Vec3::zeros(), distance });
        let mut push = |node: u32, force: f64| {
            system.loads.tractions.push(Traction { face: [node; 3], force: Vec3::new(0.0, force, 0.0), ramp: 0.0 });
        };
        push(vertex, normal_force);
        triangle.iter().zip(weights).for_each(|(&n, w)| push(n, -w * normal_force));
    }
    // The rest state is found with the forces as loads, and three corners of the upper box held in six directions, which carry
    // nothing; then the contacts take their place.
    system.surface.rules.set(0, 1, None);
    let [corner, along_x, along_z] = [bottom[0], bottom[3], bottom[12]];
    system.fixed[corner as usize] = true;
    let diagonal = |x, y, z| Mat3::from_diagonal(&Vec3::new(x, y, z));
    system.slides = vec![(along_x, diagonal(1.0, 0.0, 0.0)), (along_z, diagonal(1.0, 0.0, 1.0))];
    let mut simulation = Simulation::new(system);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after < 1e-8, "{}, {:?}, {:?}", report.residual.after, report.unattainable, report.infeasible);
    simulation.system.fixed[corner as usize] = false;
    simulation.system.slides.clear();
    simulation.system.pattern = Default::default();
    simulation.system.loads.tractions.clear();
    simulation.system.surface.rules.set(0, 1, Some(0.5));
    simulation.balance = Balance { pairs: preloads.clone(), ..Balance::default() };
    simulation.reset();
    (simulation, preloads)
}

/// Upward forces on `nodes`, as even as can be, that carry the second body's weight without a moment.
fn balanced_forces(system: &System, nodes: &[u32]) -> Vec<f64> {
    let basis = |x: &Vec3| Vec3::new(1.0, x.x, x.z);
    let moments: Mat3 = nodes.iter().map(|&n| basis(&system.positions[n as usize])).map(|b| b * b.transpose()).sum();
    let weight: Vec3 = system.bodies[1].nodes.clone().map(|n| G * system.masses[n] * basis(&system.positions[n])).sum();
    let share = moments.try_inverse().unwrap() * weight;
    nodes.iter().map(|&n| share.dot(&basis(&system.positions[n as usize]))).collect()
}

#[test]
fn prescribed_forces_between_bodies_are_there_at_once_and_keep_a_stack_still() {
    let (mut simulation, preloads) = preloaded_stack();
    let mut pushed = vec![Vec3::zeros(); simulation.system.positions.len()];
    simulation.contact_forces().iter().for_each(|contact| pushed[contact.node as usize] += contact.force);
    for preload in &preloads {
        let off = (pushed[preload.touch.nodes()[0] as usize] - Vec3::new(0.0, preload.normal_force, 0.0)).norm();
        assert!(off < 1e-10 * preload.normal_force, "{off}");
    }
    let residual = simulation.residual_field().into_iter().fold(0.0, f64::max);
    let stats = run(&mut simulation, 300);
    let drift = stats.iter().map(|s| s.drift).fold(0.0, f64::max);
    println!("residual {residual:.1e}, drift in three seconds {drift:.1e} of the diagonal, {} contacts", stats[299].contacts);
    assert!(residual < 1e-8 && drift < 1e-8, "{residual}, {drift}");

    // It is held by contacts, and not by chance: the same without forces falls onto the lower box.
    simulation.balance = Balance::default();
    simulation.reset();
    let falling = run(&mut simulation, 100).iter().map(|s| s.drift).fold(0.0, f64::max);
    assert!(falling > 1e-4, "{falling}");
}

#[test]
fn a_preloaded_stack_that_is_pushed_swings_and_comes_back() {
    let (mut simulation, _) = preloaded_stack();
    simulation.system.set_damping(0.02);
    simulation.reset();
    let top = simulation.system.bodies[1].nodes.clone();
    top.for_each(|n| simulation.state.velocities[n] = Vec3::new(2e-4, 0.0, 1e-4));
    let stats = run(&mut simulation, 400);
    let peak = stats.iter().map(|s| s.drift).fold(0.0, f64::max);
    println!("pushed: drift up to {peak:.1e}, then {:.1e}", stats[399].drift);
    assert!(peak > 1e-6 && stats[399].drift < 0.05 * peak, "{peak}, {}", stats[399].drift);
    assert!(measure::inversions(&simulation.system, &simulation.state.positions) == 0);
}
