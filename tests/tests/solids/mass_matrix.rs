//! Consistent mass matrices beside lumped ones: Newton's law with the integrals of the elements, what motion keeps, frequencies in closed
//! form, and the same balance and stability.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod dense;

use std::path::{Path, PathBuf};

use aplomb_sim::export::prepared::PreparedAsset;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::Method;
use aplomb_sim::scene::{MassMatrix, Scene};
use aplomb_sim::scene_file::{gallery, load};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::{StepStats, measure};
use aplomb_sim::system::motion::Pose;
use aplomb_sim::system::{DrivenNode, Motion, System};
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, World, add_half_space, fitted_order};
use dense::{consistent, eigenvalues, mass_times, softest, stiffness};

const JELLY: BoxBody =
    BoxBody { size: Vec3::new(0.1, 0.12, 0.08), cells: [2, 3, 2], law: "neo_hookean", young: 2e4, poisson: 0.3, density: 1000.0 };

fn simulation(mut system: System, stepper: &str, step_size: f64) -> Simulation {
    system.simulate.stepper = stepper.into();
    system.simulate.step_size = step_size;
    system.simulate.tolerance = 1e-12;
    Simulation::new(system)
}

fn elastic_force(system: &System, x: &[Vec3]) -> Vec<Vec3> {
    let mut gradient = vec![Vec3::zeros(); x.len()];
    system.families.iter().for_each(|family| family.add_gradient(x, &mut gradient));
    gradient.iter().map(|g| -g).collect()
}

/// A jelly that hangs from what is shaken with more and more acceleration, the free part let fall at first.
fn shaken(h: f64) -> System {
    let mut system = consistent(JELLY.system(|x| x.y > 0.119));
    let pose = |k: i32| Pose {
        time: h * f64::from(k),
        translation: Vec3::new(0.4, 0.1, -0.2) * (h * f64::from(k)).powi(3) * 300.0,
        rotation: Vec3::zeros(),
    };
    system.motions = vec![Motion { pivot: Vec3::zeros(), poses: (0..40).map(pose).collect() }];
    system.driven =
        (0..system.positions.len() as u32).filter(|&n| system.fixed[n as usize]).map(|node| DrivenNode { node, motion: 0 }).collect();
    system
}

/// The rows of free nodes of M a = f, with M from quadrature of rho N_i N_j, for each stepper's own a and f; the neighbours of what is
/// shaken feel its acceleration.
#[test]
fn each_step_is_newtons_law_with_the_integrals_of_the_elements() {
    let h = 0.004;
    for stepper in ["backward_euler", "bdf2", "midpoint", "symplectic_euler", "forward_euler"] {
        let is_explicit = stepper.ends_with("_euler") && stepper != "backward_euler";
        let h = if is_explicit { 0.05 * h } else { h };
        let mut simulation = simulation(shaken(h), stepper, h);
        let mut before = simulation.state.clone();
        let (mut worst, mut by_support) = (0.0f64, 0.0f64);
        for step in 0..12 {
            let start = simulation.state.clone();
            simulation.step(&Unwatched).unwrap();
            let (system, end) = (&simulation.system, &simulation.state);
            let acceleration = |n: usize| {
                let change = (end.velocities[n] - start.velocities[n]) / h;
                if stepper == "bdf2" && step > 0 && !system.fixed[n] {
                    (end.velocities[n] - (4.0 * start.velocities[n] - before.velocities[n]) / 3.0) / (2.0 / 3.0 * h)
                } else {
                    change
                }
            };
            let acceleration: Vec<Vec3> = (0..end.positions.len()).map(acceleration).collect();
            let middle: Vec<Vec3> = start.positions.iter().zip(&end.positions).map(|(a, b)| 0.5 * (a + b)).collect();
            let at = match stepper {
                "midpoint" => &middle,
                _ if is_explicit => &start.positions,
                _ => &end.positions,
            };
            let force = elastic_force(system, at);
            let inertia = mass_times(system, JELLY.density, &acceleration);
            let largest = system.largest_load();
            for n in (0..acceleration.len()).filter(|&n| !system.fixed[n]) {
                worst = worst.max((inertia[n] - force[n] - system.masses[n] * system.gravity).norm() / largest);
            }
            let of_support: Vec<Vec3> =
                (0..acceleration.len()).map(|n| if system.fixed[n] { acceleration[n] } else { Vec3::zeros() }).collect();
            let given = mass_times(system, JELLY.density, &of_support);
            by_support = (0..given.len()).filter(|&n| !system.fixed[n]).map(|n| given[n].norm() / largest).fold(by_support, f64::max);
            before = start;
        }
        println!("{stepper}: out of balance by {worst:.1e} of the largest load, the support gives {by_support:.1e}");
        assert!(worst < 1e-8, "{stepper}: {worst}");
        assert!(by_support > if is_explicit { 1e-3 } else { 1e-2 }, "{stepper}: {by_support}");
    }
}

/// Velocities of a spin with a stretch, so that nodes of an element move against one another.
fn spun(system: &mut System) {
    let spin = Vec3::new(3.0, -5.0, 7.0);
    let stretch = Mat3::from_diagonal(&Vec3::new(1.5, -0.7, -0.5));
    system.initial_velocities = system.positions.iter().map(|x| spin.cross(x) + stretch * x + Vec3::new(0.3, 0.1, -0.2)).collect();
    system.gravity = Vec3::zeros();
}

#[test]
fn free_flight_keeps_momentum_in_every_stepper_and_spin_under_the_midpoint_rule() {
    for stepper in ["backward_euler", "bdf2", "midpoint", "symplectic_euler"] {
        let mut system = consistent(JELLY.system(|_| false));
        spun(&mut system);
        let h = if stepper == "symplectic_euler" { 1e-4 } else { 0.005 };
        let mut simulation = simulation(system, stepper, h);
        let (system, v) = (&simulation.system, &simulation.state.velocities);
        let (linear, spin) = (measure::momentum(system, v), measure::angular_momentum(system, &simulation.state.positions, v));
        let stats: Vec<StepStats> = (0..60).map(|_| simulation.step(&Unwatched).unwrap()).collect();
        let lost = stats.iter().map(|s| (s.momentum - linear).norm()).fold(0.0, f64::max) / linear.norm();
        let spin_lost = stats.iter().map(|s| (s.angular_momentum - spin).norm()).fold(0.0, f64::max) / spin.norm();
        println!("{stepper}: momentum lost {lost:.1e}, spin {spin_lost:.1e}");
        assert!(lost < 1e-11, "{stepper}: {lost}");
        assert!(stepper != "midpoint" || spin_lost < 1e-11, "{stepper}: {spin_lost}");
    }
}

/// Of forces that are linear the midpoint rule keeps energy, and backward Euler loses |dv|^2_M / 2 and what convexity takes: no more than
/// is there.
#[test]
fn the_midpoint_rule_keeps_the_energy_of_linear_forces() {
    let linear = BoxBody { law: "linear", ..JELLY };
    let mut energies = Vec::new();
    for stepper in ["midpoint", "backward_euler"] {
        let mut system = consistent(linear.system(|x| x.y > 0.119));
        spun(&mut system);
        system.gravity = Vec3::new(0.0, -9.81, 0.0);
        let mut simulation = simulation(system, stepper, 0.004);
        let start = {
            let (system, state) = (&simulation.system, &simulation.state);
            measure::state(system, &state.positions, &state.velocities, 0.0, 0.0).total
        };
        let stats: Vec<StepStats> = (0..50).map(|_| simulation.step(&Unwatched).unwrap()).collect();
        let scale = stats.iter().map(|s| s.kinetic).fold(0.0, f64::max);
        energies.push(stats.iter().map(|s| (s.total - start) / scale).collect::<Vec<f64>>());
    }
    let worst = energies[0].iter().map(|e| e.abs()).fold(0.0, f64::max);
    println!("midpoint: {worst:.1e}; backward Euler: {:.1e}", energies[1][49]);
    assert!(worst < 1e-9, "{worst}");
    assert!(energies[1].is_sorted_by(|a, b| a >= b) && energies[1][49] < -1e-2, "{:?}", energies[1]);
}

/// A jelly that is thrown on the ground and bounces under the midpoint rule: what touches is calmed with all that its mass is coupled to,
/// and no step gains energy.
#[test]
fn no_step_of_a_bounce_gains_energy() {
    // Of forces that are linear the rule gains nothing by itself.
    let linear = BoxBody { law: "linear", ..JELLY };
    for degrees in [0.0, 25.0] {
        let turned = aplomb_sim::math::rotation([degrees, 10.0, degrees]);
        let mut system = World::on_earth().body(&linear, |x| turned * (x - 0.5 * JELLY.size) + Vec3::new(0.0, 0.12, 0.0)).finish(0.0);
        add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.0);
        let mut system = consistent(system);
        system.initial_velocities = vec![Vec3::new(0.2, -1.5, 0.0); system.positions.len()];
        let mut simulation = simulation(system, "midpoint", 0.005);
        let mut stats: Vec<StepStats> = Vec::new();
        for _ in 0..120 {
            stats.push(simulation.step(&Unwatched).unwrap());
        }
        let touching = stats.iter().filter(|s| s.contacts > 0).count();
        let gained = stats.windows(2).map(|pair| pair[1].total - pair[0].total).fold(f64::NEG_INFINITY, f64::max) / stats[0].total;
        println!("{degrees} degrees: {touching} steps in contact, most gained in one {gained:.1e} of the energy");
        assert!(touching > 5 && touching < 115 && stats.iter().all(|s| s.by_backward_euler == 0), "{touching}");
        assert!(gained < 1e-12, "{gained}");
    }
}

/// Symplectic Euler with many steps is what the implicit steppers tend to, at their order.
#[test]
fn explicit_and_implicit_steppers_agree_under_refinement() {
    let end = 0.06;
    let run = |stepper: &str, steps: usize| {
        let mut simulation = simulation(consistent(JELLY.system(|x| x.y > 0.119)), stepper, end / steps as f64);
        (0..steps).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
        simulation.state.positions
    };
    let apart = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    // Two of first order, extrapolated.
    let [coarse, fine] = [3000, 6000].map(|steps| run("symplectic_euler", steps));
    let exact: Vec<Vec3> = coarse.iter().zip(&fine).map(|(coarse, fine)| 2.0 * fine - coarse).collect();
    let lumped = {
        let mut simulation = simulation(JELLY.system(|x| x.y > 0.119), "midpoint", end / 320.0);
        (0..320).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
        apart(&simulation.state.positions, &exact)
    };
    for (stepper, order) in [("backward_euler", 1.0), ("bdf2", 2.0), ("midpoint", 2.0)] {
        let counts = [80, 160, 320];
        let errors = counts.map(|steps| apart(&run(stepper, steps), &exact));
        let found = fitted_order(&counts.map(|steps| end / steps as f64), &errors);
        println!("{stepper}: order {found:.2}, {errors:?}; the lumped one is off by {lumped:.1e}");
        assert!((found - order).abs() < 0.15, "{stepper}: {found}");
        assert!(order == 1.0 || errors[2] < 0.1 * lumped, "{stepper}: {errors:?} {lumped}");
    }
}

/// A bar that is held at one end and moves along itself only, with a Poisson's ratio of zero: omega = pi / (2 L) sqrt(E / rho). The
/// consistent masses are those of a Ritz method, whose frequencies are too high; the lumped ones' are too low. Both errors fall with the
/// square of the cells.
#[test]
fn the_frequency_of_a_bar_lies_between_those_of_both_mass_matrices() {
    let (length, young, density) = (1.0, 1e6, 1000.0);
    let exact = std::f64::consts::FRAC_PI_2 / length * f64::sqrt(young / density);
    let counts = [4, 8, 16];
    let frequency = |cells: usize, is_consistent: bool| {
        let bar = BoxBody { size: Vec3::new(length, 0.1, 0.1), cells: [cells, 1, 1], law: "linear", young, poisson: 0.0, density };
        let mut system = bar.system(|x| x.x == 0.0);
        let along = Mat3::from_diagonal(&Vec3::x());
        system.slides = (0..system.positions.len() as u32).filter(|&n| !system.fixed[n as usize]).map(|n| (n, along)).collect();
        system.gravity = Vec3::zeros();
        let system = if is_consistent { consistent(system) } else { system };
        softest(&system, 1).modes[0].rate
    };
    let errors = |is_consistent: bool| counts.map(|cells| frequency(cells, is_consistent) / exact - 1.0);
    let (above, below) = (errors(true), errors(false));
    println!("consistent {above:?}, lumped {below:?}");
    assert!(above.iter().all(|e| *e > 0.0) && below.iter().all(|e| *e < 0.0));
    for errors in [above, below] {
        let order = fitted_order(&counts.map(|cells| 1.0 / cells as f64), &errors.map(f64::abs));
        assert!((order - 2.0).abs() < 0.1, "{order}: {errors:?}");
    }
}

/// The softest modes against a dense generalised eigenproblem: held, free, and on a plane.
#[test]
fn modes_are_those_of_the_dense_pencil() {
    let plane = Mat3::identity() - Vec3::new(0.6, 0.8, 0.0) * Vec3::new(0.6, 0.8, 0.0).transpose();
    for (name, hold, slide) in [("held", true, false), ("free", false, false), ("sliding", false, true)] {
        let mut lumped = JELLY.system(|x| hold && x.y > 0.119);
        if slide {
            lumped.slides = (0..).zip(&lumped.positions).filter(|(_, x)| x.x == 0.0).map(|(n, _)| (n, plane)).collect();
        }
        let of_lumped = softest(&lumped, 1).modes[0].eigenvalue;
        let system = consistent(lumped);
        let expected = eigenvalues(&system, &stiffness(&system), JELLY.density);
        let found = softest(&system, 6);
        let zeros = expected.iter().filter(|value| value.abs() < 1e-9 * expected[expected.len() - 1]).count();
        assert_eq!(found.stability.neutral_motions, zeros, "{name}");
        assert_eq!(
            zeros,
            if hold {
                0
            } else if slide {
                3
            } else {
                6
            },
            "{name}"
        );
        for (mode, expected) in found.modes.iter().zip(&expected[zeros..]) {
            assert!(mode.residual < 1e-4, "{name}: {}", mode.residual);
            assert!((mode.eigenvalue / expected - 1.0).abs() < 1e-5, "{name}: {} for {expected}", mode.eigenvalue);
        }
        println!("{name}: {:.6e} consistent, {of_lumped:.6e} lumped", found.modes[0].eigenvalue);
        assert!(found.modes[0].eigenvalue > 1.01 * of_lumped, "{name}");
    }
}

/// A column that buckles under its weight does so in as many directions, whatever its mass matrix (Sylvester's law of inertia).
#[test]
fn as_many_directions_are_unstable_with_either() {
    let column =
        BoxBody { size: Vec3::new(0.04, 0.6, 0.05), cells: [1, 10, 1], law: "neo_hookean", young: 6e3, poisson: 0.3, density: 1000.0 };
    let judged = [false, true].map(|is_consistent| {
        let mut system = column.system(|x| x.y == 0.0);
        system.initialise.softest_modes = 4;
        let mut simulation = Simulation::new(if is_consistent { consistent(system) } else { system });
        simulation.initialise(Method::SagFree, &Unwatched).unwrap().stability.unwrap()
    });
    let [lumped, other] = &judged;
    println!("{} {}: {:?} {:?}", lumped.negative_eigenvalues, other.negative_eigenvalues, lumped.softest, other.softest);
    assert!(lumped.negative_eigenvalues > 1);
    assert_eq!(lumped.negative_eigenvalues, other.negative_eigenvalues);
    assert!(other.smallest_eigenvalue < lumped.smallest_eigenvalue);
}

/// A scene of the gallery, whose bodies all have consistent masses.
fn scene(name: &str) -> (Scene, PathBuf) {
    let path = gallery::find(name).unwrap().path();
    let mut scene = load(&path).unwrap();
    scene.bodies.iter_mut().for_each(|body| body.mass_matrix = MassMatrix::Consistent);
    (scene, path.parent().unwrap().to_path_buf())
}

fn build(scene: &Scene, folder: &Path) -> Simulation {
    Simulation::build(scene, folder, &Unwatched).unwrap()
}

#[test]
fn a_pose_is_kept() {
    for name in ["hanging_beam", "jelly_on_table", "garment"] {
        let (scene, folder) = scene(name);
        let mut simulation = build(&scene, &folder);
        assert!(!simulation.system.mass_couplings.is_empty());
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        let drift = (0..20).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
        println!("{name}: drift {drift:.1e}");
        assert!(drift < 1e-10, "{name}: {drift}");
    }
}

#[test]
fn springs_are_points_and_say_so() {
    let (scene, folder) = scene("hanging_net");
    let Err(error) = Simulation::build(&scene, &folder, &Unwatched) else { panic!("points have been spread") };
    let problem = &error.0[0];
    assert_eq!(problem.path, "bodies[0].mass_matrix");
    assert!(problem.message.contains("points") && problem.message.contains("leave this out"), "{}", problem.message);
}

/// Another program has M from the arrays of an asset, and an asset is not taken for one of other masses.
#[test]
fn an_asset_holds_the_mass_matrix() {
    let (mut scene, folder) = scene("hanging_beam");
    let mut simulation = build(&scene, &folder);
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let file = tempfile::tempdir().unwrap();
    for extension in ["npz", "vtu"] {
        let path = file.path().join("asset").with_extension(extension);
        simulation.prepared_asset().write(&path).unwrap();
        let asset = PreparedAsset::read(&path).unwrap();
        let v: Vec<Vec3> = asset.positions.iter().map(|x| Vec3::new(x.y * x.y, x.x, x.z * x.x)).collect();
        let mut product: Vec<Vec3> = asset.masses.iter().zip(&v).map(|(m, v)| *m * v).collect();
        for ([i, j], entry) in asset.mass_pairs.iter().map(|pair| pair.map(|n| n as usize)).zip(&asset.mass_couplings) {
            product[i] += *entry * (v[j] - v[i]);
            product[j] += *entry * (v[i] - v[j]);
        }
        let density = scene.bodies[0].material.as_ref().unwrap().density;
        let expected = mass_times(&simulation.system, density, &v);
        let scale = expected.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!(product.iter().zip(&expected).all(|(a, b)| (a - b).norm() < 1e-12 * scale), "{extension}");
        let mut again = build(&scene, &folder);
        again.restore(&asset).unwrap();
        scene.bodies[0].mass_matrix = MassMatrix::Lumped;
        assert!(build(&scene, &folder).restore(&asset).unwrap_err().contains("masses"));
        scene.bodies[0].mass_matrix = MassMatrix::Consistent;
    }
}
