//! Pressure as an energy: verdicts against kicks, free motions, energy budgets, and bodies that float.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::topology::Faces;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{Stability, Verdict};
use aplomb_sim::step::StepStats;
use aplomb_sim::system::System;
use aplomb_sim::system::loads::Pressure;
use aplomb_sim::system::pressure::{Push, Water};
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, World};

/// Presses the faces whose corners are all chosen.
fn press(system: &mut System, push: Push, chosen: impl Fn(&Vec3) -> bool) {
    let faces = Faces::of(&system.tets()).boundary(&system.tets()).0;
    let x = &system.positions;
    let pressed: Vec<_> = faces.into_iter().filter(|face| face.iter().all(|&n| chosen(&x[n as usize]))).collect();
    assert!(!pressed.is_empty());
    system.loads.pressures.extend(pressed.into_iter().map(|face| Pressure { face, push, ramp: 0.0 }));
}

fn column(young: f64) -> BoxBody {
    BoxBody { size: Vec3::new(0.08, 1.0, 0.08), cells: [2, 12, 2], law: "neo_hookean", young, poisson: 0.3, density: 1000.0 }
}

fn cube(cells: usize, young: f64, density: f64) -> BoxBody {
    BoxBody { size: Vec3::repeat(0.2), cells: [cells; 3], law: "stable_neo_hookean", young, poisson: 0.3, density }
}

fn initialised(system: System) -> (Simulation, Stability) {
    let mut simulation = Simulation::new(system);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.infeasible.is_empty() && report.residual.after < 1e-7, "{:?}", report.residual);
    let stability = report.stability.unwrap();
    (simulation, stability)
}

/// Whether the body leaves when it is kicked along its softest mode by what would move it by a 1e-5th of its diagonal: it is watched
/// for 30 times the mode's time, and has left ten times as far from the pose, or stays within three times.
fn leaves(simulation: &mut Simulation) -> bool {
    let mode = simulation.modes()[0].clone();
    let amplitude = 1e-5 * simulation.system.diagonal;
    let velocity = amplitude * mode.rate;
    simulation.system.simulate.step_size = 0.1 / mode.rate;
    simulation.system.simulate.tolerance = 1e-5 * velocity;
    simulation.reset();
    simulation.state.velocities = mode.shape.iter().map(|u| velocity * u).collect();
    let mut farthest = 0.0f64;
    for _ in 0..300 {
        farthest = farthest.max(simulation.step(&Unwatched).unwrap().drift * simulation.system.diagonal / amplitude);
        if farthest > 10.0 {
            return true;
        }
    }
    assert!(farthest <= 3.0, "neither returns nor leaves: {farthest}");
    false
}

/// A clamped column in air that is thinner or denser than the weight would have it: suction and pressure all round, the clamped
/// foot apart, whose rim is held.
fn loaded_column(young: f64, gravity: f64, pressure: f64) -> System {
    let mut system = column(young).system(|x| x.y < 1e-9);
    system.gravity = Vec3::new(0.0, -gravity, 0.0);
    press(&mut system, Push::Uniform(pressure), |_| true);
    let foot = |load: &Pressure| load.face.iter().all(|&n| system.positions[n as usize].y < 1e-9);
    let pressures: Vec<Pressure> = system.loads.pressures.iter().filter(|load| !foot(load)).copied().collect();
    system.loads.pressures = pressures;
    system
}

/// Least stiffness at which a column is stable, by verdicts.
fn critical(of: impl Fn(f64) -> System) -> f64 {
    let (mut soft, mut stiff) = (1e3f64, 1e7f64);
    while stiff > 1.02 * soft {
        let middle = (soft * stiff).sqrt();
        let mut simulation = Simulation::new(of(middle));
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        if report.stability.is_some_and(|stability| stability.verdict == Verdict::Stable) { stiff = middle } else { soft = middle }
    }
    stiff
}

/// Equal pressure all round does no work in bending: a column buckles under its weight at the same stiffness with or without it, and kicks
/// say what the verdict says.
#[test]
fn verdicts_on_columns_under_pressure_and_suction_are_those_of_kicks() {
    let alone = critical(|young| loaded_column(young, 9.81, 0.0));
    for pressure in [-3000.0, 2000.0] {
        let with = critical(|young| loaded_column(young, 9.81, pressure));
        println!("{pressure} Pa: critical {with:.4e} Pa, {alone:.4e} Pa without");
        for factor in [0.9, 1.1] {
            let (mut simulation, stability) = initialised(loaded_column(factor * with, 9.81, pressure));
            assert_eq!((stability.verdict == Verdict::Unstable, stability.reason), (factor < 1.0, None));
            assert_eq!(leaves(&mut simulation), factor < 1.0, "{pressure} Pa, {factor}");
        }
    }
}

/// With pressure and no gravity, nothing bends a column.
#[test]
fn pressure_alone_does_not_buckle_a_column() {
    for pressure in [3000.0, -3000.0] {
        let (mut simulation, stability) = initialised(loaded_column(1e5, 0.0, pressure));
        assert_eq!((stability.verdict, stability.reason.is_some()), (Verdict::Stable, false), "{stability:?}");
        assert!(!leaves(&mut simulation));
    }
}

/// Weightless in equal pressure all round: it may move and turn as it likes.
#[test]
fn a_free_cube_under_pressure_is_stable_has_six_neutral_motions_and_spins_on() {
    for pressure in [2000.0, -2000.0] {
        let mut system = cube(3, 1e5, 1000.0).system(|_| false);
        system.gravity = Vec3::zeros();
        press(&mut system, Push::Uniform(pressure), |_| true);
        system.simulate.stepper = "midpoint".into();
        system.simulate.tolerance = 1e-10;
        let middle = Vec3::repeat(0.1);
        let spin = Vec3::new(0.4, 1.0, -0.6);
        system.initial_velocities = system.positions.iter().map(|x| spin.cross(&(x - middle))).collect();
        let (mut simulation, stability) = initialised(system);
        assert_eq!((stability.verdict, stability.neutral_motions), (Verdict::Stable, 6), "{stability:?}");
        let steps: Vec<StepStats> = (0..200).map(|_| simulation.step(&Unwatched).unwrap()).collect();
        let [first, last] = [&steps[0], &steps[199]].map(|stats| stats.angular_momentum);
        println!("{pressure}: spin changes by {:.1e}", (last - first).norm() / first.norm());
        assert!((last - first).norm() < 1e-9 * first.norm());
        let totals: Vec<f64> = steps.iter().map(|stats| stats.total).collect();
        let (low, high) = totals.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), t| (low.min(*t), high.max(*t)));
        println!("energy {low:.9e} .. {high:.9e}, kinetic {:.3e}", steps[0].kinetic);
        assert!(high - low < 1e-3 * steps[0].kinetic);
    }
}

/// A body that swings under a pressure, which it feels from the start at once: the work of the pressure is in the budget, to the
/// second order that the midpoint rule has.
#[test]
fn the_work_of_pressure_closes_the_energy_budget() {
    for push in [Push::Uniform(1000.0), Push::Water(Water { up: Vec3::y(), level: 0.11, weight: 9810.0 })] {
        let off = |h: f64| {
            let mut system = cube(2, 1e4, 1000.0).system(|x| x.x < 1e-9);
            press(&mut system, push, |_| true);
            system.simulate.stepper = "midpoint".into();
            system.simulate.step_size = h;
            system.simulate.tolerance = 1e-10;
            let mut simulation = Simulation::new(system);
            let (mut worst, mut work) = (0.0f64, 0.0f64);
            for _ in 0..(0.06 / h) as u32 {
                let stats = simulation.step(&Unwatched).unwrap();
                worst = worst.max(stats.total.abs());
                work = work.max(stats.pressure.abs());
            }
            worst / work
        };
        let (coarse, fine) = (off(6e-4), off(6e-5));
        println!("{push:?}: {coarse:.2e}, {fine:.2e} of the work");
        assert!(fine < 1e-6 && coarse > 30.0 * fine);
    }
}

/// Damping takes no more than the pressure puts in.
#[test]
fn pressure_feeds_no_damping_for_ever() {
    for stepper in ["backward_euler", "bdf2", "midpoint"] {
        let mut system = cube(2, 2e4, 1000.0).system(|x| x.x < 1e-9);
        system.gravity = Vec3::zeros();
        system.set_damping(0.02);
        press(&mut system, Push::Uniform(3000.0), |_| true);
        system.simulate.stepper = stepper.into();
        system.simulate.tolerance = 1e-9;
        let mut simulation = Simulation::new(system);
        let steps: Vec<StepStats> = (0..300).map(|_| simulation.step(&Unwatched).unwrap()).collect();
        let last = &steps[299];
        println!("{stepper}: pressure {:.4e} J, damped {:.4e} J, total {:.2e} J", last.pressure, last.damping, last.total);
        assert!(last.damping > 0.0 && last.damping <= -last.pressure && last.total + last.damping < 1e-6 * last.damping, "{last:?}");
        assert!((steps[299].damping - steps[250].damping).abs() < 1e-6 * last.damping);
    }
}

/// A cube of half the density of water.
fn floating(level: f64) -> System {
    let mut system = cube(3, 5e4, 500.0).system(|_| false);
    press(&mut system, Push::Water(Water { up: Vec3::y(), level, weight: 9810.0 }), |_| true);
    system
}

/// Upright a cube is stable as long as its metacentre lies above its centre of mass: 1 / (12 s) > (1 - s) / 2 for a share s of the
/// water's density, below 0.2113 and above 0.7887 (Gilbert 1991, *How things float*).
#[test]
fn a_cube_floats_where_the_metacentre_says() {
    for (share, verdict) in
        [(0.1, Verdict::Stable), (0.19, Verdict::Stable), (0.24, Verdict::Unstable), (0.5, Verdict::Unstable), (0.85, Verdict::Stable)]
    {
        let mut system = cube(3, 5e6, 1000.0 * share).system(|_| false);
        press(&mut system, Push::Water(Water { up: Vec3::y(), level: 0.2 * share, weight: 9810.0 }), |_| true);
        let (_, stability) = initialised(system);
        println!("{share}: {:?}, smallest {:.3e}, neutral {}", stability.verdict, stability.smallest_eigenvalue, stability.neutral_motions);
        assert_eq!((stability.verdict, stability.neutral_motions), (verdict, 3), "{share}: {stability:?}");
    }
}

/// At half the density, a cube floats on a corner: its metacentre then lies 0.27 edges above the centre of buoyancy, and its centre of
/// mass 0.23. Tilted it rights itself; upright it does not stay.
#[test]
fn a_cube_of_half_the_density_rights_itself_on_its_corner() {
    let middle = Vec3::repeat(0.1);
    let onto_corner = nalgebra::Rotation3::rotation_between(&Vec3::repeat(1.0), &Vec3::y()).unwrap();
    let floating = |on_corner: bool| {
        let place = |x: Vec3| if on_corner { middle + onto_corner * (x - middle) } else { x };
        let mut system = World::on_earth().body(&cube(3, 5e5, 500.0), place).finish(0.0);
        press(&mut system, Push::Water(Water { up: Vec3::y(), level: 0.1, weight: 9810.0 }), |_| true);
        system.simulate.tolerance = 1e-7;
        // Implicit Euler calms what nothing else does.
        system.simulate.step_size = 0.05;
        system
    };
    let (_, upright) = initialised(floating(false));
    assert_eq!((upright.verdict, upright.negative_eigenvalues, upright.neutral_motions), (Verdict::Unstable, 2, 3));
    let (mut simulation, stability) = initialised(floating(true));
    assert_eq!((stability.verdict, stability.neutral_motions), (Verdict::Stable, 3), "{stability:?}");
    let top = simulation.system.positions.iter().position(|x| (x - middle - Vec3::new(0.0, 0.03f64.sqrt(), 0.0)).norm() < 1e-9).unwrap();
    for degrees in [3.0, 12.0] {
        simulation.reset();
        let tilt = aplomb_sim::math::rotation([0.0, 0.0, degrees]);
        simulation.state.positions.iter_mut().for_each(|x| *x = middle + tilt * (*x - middle));
        let tilts: Vec<f64> = (0..800)
            .map(|_| {
                simulation.step(&Unwatched).unwrap();
                let (x, masses) = (&simulation.state.positions, &simulation.system.masses);
                let center = x.iter().zip(masses).map(|(x, m)| *m * x).sum::<Vec3>() / masses.iter().sum::<f64>();
                (x[top] - center).angle(&Vec3::y()).to_degrees()
            })
            .collect();
        let largest = |tilts: &[f64]| tilts.iter().copied().fold(0.0, f64::max);
        println!(
            "tilted by {degrees} degrees: at most {:.2}, and {:.4} in the last ten of forty seconds",
            largest(&tilts),
            largest(&tilts[600..])
        );
        assert!(largest(&tilts) < 1.5 * degrees && largest(&tilts[600..]) < 0.01 * degrees);
    }
}

/// Out of balance with the water, nothing holds it.
#[test]
fn a_cube_too_deep_in_water_is_refused() {
    let (_, stability) = initialised(floating(0.1));
    assert_eq!(stability.neutral_motions, 3);
    let mut simulation = Simulation::new(floating(0.12));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let codes: Vec<_> = report.infeasible.iter().map(|one| one.code).collect();
    assert_eq!(codes, [aplomb_sim::stats::report::InfeasibilityCode::Unsupported]);
}

/// A pressure on an end that is free has no energy: steps still end where the forces are in balance, and the verdict says by what
/// it was judged.
#[test]
fn a_pressure_with_a_free_rim_is_iterated_and_told() {
    let beam = |pressure: f64| {
        let mut system = column(1e5).system(|x| x.y < 1e-9);
        system.gravity = Vec3::zeros();
        press(&mut system, Push::Uniform(pressure), |x| x.x < 1e-9);
        system
    };
    let (_, stability) = initialised(beam(20.0));
    assert!(stability.reason.is_some() && matches!(stability.verdict, Verdict::Stable | Verdict::Undecided), "{stability:?}");
    // A column that falls under its weight does so too when a breeze presses one side, and one that stands stands.
    for (young, verdict) in [(6e5, Verdict::Unstable), (2e6, Verdict::Stable)] {
        let mut system = column(young).system(|x| x.y < 1e-9);
        press(&mut system, Push::Uniform(20.0), |x| x.x < 1e-9);
        let (mut simulation, stability) = initialised(system);
        assert_eq!((stability.verdict, stability.reason.is_some()), (verdict, true));
        assert_eq!(leaves(&mut simulation), verdict == Verdict::Unstable);
    }
    // A push that follows a free end does not buckle a column (Beck 1952), but makes it flutter: the symmetric part alone fails,
    // and decides nothing.
    for (push, verdict) in [(2e3, Verdict::Stable), (4e3, Verdict::Undecided)] {
        let mut system = column(2e5).system(|x| x.y < 1e-9);
        system.gravity = Vec3::zeros();
        press(&mut system, Push::Uniform(push), |x| x.y > 1.0 - 1e-9);
        let (_, stability) = initialised(system);
        assert_eq!((stability.verdict, stability.reason.is_some()), (verdict, true), "{push}: {stability:?}");
    }
    let mut system = beam(20.0);
    system.simulate.stepper = "quasi_static".into();
    system.simulate.tolerance = 1e-8;
    system.simulate.ramp = 0.05;
    let mut simulation = Simulation::new(system);
    for _ in 0..10 {
        let stats = simulation.step(&Unwatched).unwrap();
        println!("residual {:.1e} in {} iterations, drift {:.3}", stats.residual, stats.iterations, stats.drift);
        assert!(stats.residual < 1e-6);
    }
}
