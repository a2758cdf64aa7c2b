//! Is the verdict on an equilibrium true? Kicked simulations, Greenhill's column, and cures that must cure.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::atomic::{AtomicBool, Ordering};

use aplomb_sim::math::random::Random;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::mesh::topology::Faces;
use aplomb_sim::sag_free::stability::compliance;
use aplomb_sim::sag_free::stability::nudge::{Nudge, NudgeError};
use aplomb_sim::scene::{Cure, Method};
use aplomb_sim::scene_file::gallery;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{Conclusion, CureReport, NudgeVerdict, Stability, Verdict};
use aplomb_sim::system::System;
use aplomb_sim::system::loads::{Traction, Wind};
use aplomb_sim::watch::{Flagged, Unwatched};
use aplomb_tests::{BoxBody, World, add_half_space};

const G: f64 = 9.81;

fn initialised(system: System) -> (Simulation, Stability) {
    let mut simulation = Simulation::new(system);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after < 1e-8, "{}", report.residual.after);
    assert_eq!(report.unattainable.elements, 0);
    (simulation, report.stability.unwrap())
}

/// Young's modulus at which the smallest eigenvalue changes its sign, to that relative precision: doubling from `guess`, then regula falsi
/// (Illinois), because the eigenvalue is nearly linear in the modulus.
fn critical_young(system: impl Fn(f64) -> System, guess: f64, precision: f64) -> f64 {
    let smallest = |young: f64| {
        let stability = initialised(system(young)).1;
        assert_eq!(stability.negative_eigenvalues > 0, stability.smallest_eigenvalue < 0.0);
        stability.smallest_eigenvalue
    };
    let (mut low, mut high) = (guess, guess);
    let (mut below, mut above) = (smallest(low), 0.0);
    if below < 0.0 {
        above = below;
        while above < 0.0 {
            (low, below) = (high, above);
            high *= 1.5;
            above = smallest(high);
        }
    } else {
        while below >= 0.0 {
            (high, above) = (low, below);
            low /= 1.5;
            below = smallest(low);
        }
    }
    while high - low > precision * low {
        let middle = (low + (high - low) * below / (below - above)).clamp(low + 0.25 * precision * low, high - 0.25 * precision * low);
        let value = smallest(middle);
        if value < 0.0 {
            (low, below, above) = (middle, value, 0.5 * above);
        } else {
            (high, above, below) = (middle, value, 0.5 * below);
        }
    }
    0.5 * (low + high)
}

/// A body of the generated ones.
struct Sample {
    name: String,
    body: BoxBody,
    /// Where a point of the box is put.
    place: fn(&Vec3, &Vec3) -> Vec3,
    /// Which points of the box, at the end that is clamped or at both.
    fixed: fn(&Vec3, &Vec3) -> bool,
}

impl Sample {
    fn system(&self, young: f64) -> System {
        let body = BoxBody { young, ..self.body };
        let fixed: Vec<bool> = body.mesh().0.iter().map(|x| (self.fixed)(x, &body.size)).collect();
        let mut system = World::on_earth().body(&body, |x| (self.place)(&x, &body.size)).finish(0.0);
        system.fixed = fixed;
        system
    }
}

/// Along y, on a half circle over the x axis: the box's middle line becomes the arc.
fn onto_arc(x: &Vec3, size: &Vec3) -> Vec3 {
    let radius = size.y / std::f64::consts::PI;
    let angle = std::f64::consts::PI * x.y / size.y;
    let reach = radius + x.x - 0.5 * size.x;
    Vec3::new(reach * angle.cos(), reach * angle.sin(), x.z)
}

fn at_foot(x: &Vec3, _: &Vec3) -> bool {
    x.y < 1e-9
}

fn at_both_ends(x: &Vec3, size: &Vec3) -> bool {
    x.y < 1e-9 || x.y > size.y - 1e-9
}

/// Columns clamped at the foot, arches clamped at both feet, slabs that stand on an edge and lean: ten of each, of several laws,
/// slendernesses and meshes.
fn samples() -> Vec<Sample> {
    let laws = ["neo_hookean", "stable_neo_hookean", "corotated", "stvk", "arap"];
    let mut samples = Vec::new();
    for i in 0..10 {
        let share = f64::from(i) / 9.0;
        let law = laws[i as usize % laws.len()];
        let body = |law, size: Vec3, cells: [usize; 3]| BoxBody {
            size,
            cells,
            law,
            young: 0.0,
            poisson: 0.1 + 0.3 * share,
            density: 300.0 + 100.0 * f64::from(i),
        };
        let width = 0.06 + 0.05 * share;
        samples.push(Sample {
            name: format!("column {i} ({law})"),
            body: body(law, Vec3::new(width, 1.0, width * (1.0 + 0.3 * share)), [2, 14 + i as usize, 2]),
            place: |x, _| *x,
            fixed: at_foot,
        });
        // At the feet of an arch the stress is more than this law can make.
        let arch_law = if law == "stvk" { "neo_hookean" } else { law };
        samples.push(Sample {
            name: format!("arch {i} ({arch_law})"),
            body: body(arch_law, Vec3::new(0.8 * width, 1.5, 1.6 * width), [2, 30 + i as usize, 2]),
            place: onto_arc,
            fixed: at_both_ends,
        });
        samples.push(Sample {
            name: format!("slab {i} ({law})"),
            body: body(law, Vec3::new(0.5 * width, 0.5, 0.3 + 0.3 * share), [2, 10 + i as usize / 2, 3]),
            // It leans a little more from one to the next by its thickness over its height.
            place: |x, size| Vec3::new(x.x + size.x * x.y / size.y, x.y, x.z),
            fixed: at_foot,
        });
    }
    samples
}

/// 30 bodies around their critical stiffness: those a little softer than that leave when they are kicked, the stiffer ones
/// come back.
#[test]
fn kicked_columns_arches_and_slabs_do_what_the_eigenvalues_say() {
    /// Of the critical modulus.
    const PRECISION: f64 = 1e-3;
    let samples = samples();
    assert!(samples.len() >= 30);
    let mut kicked = 0;
    for (i, sample) in samples.iter().enumerate() {
        let critical = critical_young(|young| sample.system(young), 2e6, PRECISION);
        let factors = if i % 2 == 0 { [0.9, 1.1] } else { [0.8, 1.25] };
        for factor in factors {
            let (mut simulation, stability) = initialised(sample.system(factor * critical));
            let report = simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
            let what = format!("{}, {factor} times {critical:.3e} Pa: {report:?}", sample.name);
            let stable = factor > 1.0;
            assert_eq!(stability.verdict == Verdict::Stable, stable, "{what}");
            assert!(report.agrees == Some(true), "{what}");
            let expected = if stable { NudgeVerdict::Returns } else { NudgeVerdict::Leaves };
            assert!(report.verdict == expected && report.kicks[0].verdict == expected, "{what}");
            // A push along the mode that fails first moves a beam f / (f - 1) times as far as one without load (Timoshenko and Gere).
            if let Some(compliance) = report.compliance.filter(|_| sample.name.starts_with("column")) {
                let expected = factor / (factor - 1.0);
                // The factor is known to the precision of the critical modulus; as much again for the modes that fail later.
                let bound = 2.0 * PRECISION / (factor - 1.0);
                assert!((compliance.ratio / expected - 1.0).abs() < bound, "{} for {expected}: {what}", compliance.ratio);
            }
            kicked += 1;
        }
    }
    assert_eq!(kicked, 2 * samples.len());
}

/// Greenhill (1881): a column clamped at its foot stands up to L^3 = 7.8373 E I / (rho g A). A strip that may only move in its plane,
/// without lateral contraction, so that elements lock in bending by shear alone, of cubes cut into five, symmetrically: the critical
/// modulus converges with the square of their size.
#[test]
fn critical_height_of_a_column_under_its_own_weight() {
    let (length, width, density) = (1.2, 0.1, 1000.0);
    let theory = 12.0 * density * G * length * length * length / (7.8373 * width * width);
    let modulus = |across: usize| {
        let size = Vec3::new(width, length, width / across as f64);
        let strip = |young: f64| {
            let body = BoxBody { size, cells: [across, 12 * across, 1], law: "neo_hookean", young, poisson: 0.0, density };
            let mut system = body.system(|x| x.y < 1e-9);
            let in_plane = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0));
            system.slides = (0..system.positions.len() as u32).filter(|&n| !system.fixed[n as usize]).map(|n| (n, in_plane)).collect();
            system
        };
        critical_young(strip, 0.8 * theory, 1e-4)
    };
    let moduli = [2, 4, 8, 16].map(modulus);
    let heights = moduli.map(|young| (theory / young).cbrt());
    println!("theory {theory:.4e} Pa; moduli {moduli:?}; critical heights over theory's {heights:?}");
    let order = ((moduli[2] - moduli[1]) / (moduli[3] - moduli[2])).log2();
    println!("order {order:.2}");
    assert!((1.5..2.5).contains(&order), "{order}");
    assert!(heights.windows(2).all(|h| h[1] - 1.0 < 0.5 * (h[0] - 1.0) && h[1] > 1.0), "{heights:?}");
    assert!(heights[3] - 1.0 < 0.01, "{heights:?}");
    let extrapolated = moduli[3] + (moduli[3] - moduli[2]) / 3.0;
    println!("extrapolated: {:.4} of theory", extrapolated / theory);
    assert!((extrapolated / theory - 1.0).abs() < 0.02, "{}", extrapolated / theory);
}

const COLUMN: BoxBody =
    BoxBody { size: Vec3::new(0.1, 1.0, 0.12), cells: [2, 12, 2], law: "neo_hookean", young: 1.0, poisson: 0.3, density: 1000.0 };

fn column(young: f64, both_ends: bool) -> System {
    BoxBody { young, ..COLUMN }.system(|x| x.y < 1e-9 || both_ends && x.y > COLUMN.size.y - 1e-9)
}

fn rest_numbers(simulation: &Simulation) -> Vec<f64> {
    simulation.system.families.iter().flat_map(|family| family.rest_numbers()).collect()
}

/// Stiffening cures a column that buckles, by the factor that it lacks or in few of its elements; a tension has nothing to pull
/// against at its free end. Comparing changes nothing; applied, a cure does what the comparison said.
#[test]
fn stiffening_cures_a_buckling_column_and_tension_does_not() {
    let critical = critical_young(|young| column(young, false), 1e6, 1e-3);
    let soft = || column(0.7 * critical, false);
    let (plain, before) = initialised(soft());
    assert_eq!(before.verdict, Verdict::Unstable);
    let mut compared = Simulation::new(System { initialise: compare(&soft()), ..soft() });
    let report = compared.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(rest_numbers(&plain) == rest_numbers(&compared));
    let cures = report.stability.unwrap().cures;
    println!("{cures:#?}");
    let [tension, local, uniform] = &cures[..] else { panic!("{cures:?}") };
    let lacking = 1.0 / 0.7;
    assert!(uniform.helps && (1.0..1.08).contains(&(uniform.factor.unwrap() / lacking)), "{uniform:?}");
    assert!(local.helps && local.stiffened_mass < 0.35 && local.stiffened_elements > 0, "{local:?}");
    assert!(!tension.helps && tension.factor.is_none(), "{tension:?}");
    for expected in [uniform, local] {
        let mut system = soft();
        system.initialise.cure = expected.cure;
        let (mut simulation, stability) = initialised(system);
        assert_eq!((stability.verdict, stability.cured_by), (Verdict::Stable, Some(expected.cure)));
        let stiff = simulation.system.families[0].stiffening().iter().filter(|factor| **factor > 1.0).count();
        assert_eq!(stiff, expected.stiffened_elements);
        assert!((stability.smallest_eigenvalue / expected.smallest_eigenvalue - 1.0).abs() < 1e-9);
        let nudge = simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
        assert!(nudge.agrees == Some(true) && nudge.verdict == NudgeVerdict::Returns, "{nudge:?}");
    }
}

/// The factor on all stiffnesses that is advised, followed to the digit, in the scene and not by the cure: the body is stable.
#[test]
fn a_factor_that_is_advised_against_buckling_is_enough() {
    let mut random = Random::new(41);
    for case in 0..20 {
        let side = random.uniform(0.02, 0.3);
        let (slender, wide) = (random.uniform(5.0, 10.0), random.uniform(1.0, 1.5));
        let height = slender * side;
        // Greenhill's modulus; a mesh of two cubes is up to three times too stiff.
        let critical = 12.0 * 1000.0 * 9.81 * height.powi(3) / (7.837 * side * side);
        let law = ["neo_hookean", "corotated", "stable_neo_hookean"][case % 3];
        let body = BoxBody {
            size: Vec3::new(side, height, wide * side),
            cells: [2, 2 * slender as usize, 2],
            law,
            young: critical / random.uniform(3.5, 6.0),
            poisson: 0.3,
            density: 1000.0,
        };
        let on_ground = case % 2 == 1;
        let system = |young: f64| {
            let mut system = BoxBody { young, ..body }.system(|x| !on_ground && x.y < 1e-9);
            if on_ground {
                add_half_space(&mut system, [0.0, -1e-6 * height, 0.0], [0.0, 1.0, 0.0], 0.8);
            }
            system.initialise.compare_cures = true;
            system
        };
        let report = Simulation::new(system(body.young)).initialise(Method::SagFree, &Unwatched).unwrap();
        assert_eq!(report.outcome.verdict, Conclusion::Unstable, "case {case}: {:?}", report.outcome);
        let uniform = report.stability.unwrap().cures.into_iter().find(|report| report.cure == Cure::UniformStiffening).unwrap();
        let factor = uniform.factor.unwrap();
        println!("case {case}: {law}, on the ground {on_ground}: {factor:.4}, helps {}", uniform.helps);
        assert!(uniform.helps, "case {case}: {uniform:?}");
        let followed = Simulation::new(system(factor * body.young)).initialise(Method::SagFree, &Unwatched).unwrap();
        assert_eq!(followed.outcome.verdict, Conclusion::Holds, "case {case}, {factor}: {:?}", followed.outcome);
    }
}

fn compare(system: &System) -> aplomb_sim::scene::InitialiseSettings {
    aplomb_sim::scene::InitialiseSettings { compare_cures: true, ..system.initialise }
}

/// Held at both ends, a column that buckles in its lower half is cured by a tension, and stands in balance with it.
#[test]
fn tension_cures_a_column_that_is_held_at_both_ends() {
    let critical = critical_young(|young| column(young, true), 1e5, 1e-2);
    let mut system = column(0.8 * critical, true);
    system.initialise.cure = Cure::TensionShift;
    let (mut simulation, stability) = initialised(system);
    let CureReport { helps, tension, residual, .. } = &stability.cures[0];
    assert!(*helps && tension.unwrap() > 0.0 && *residual < 1e-8, "{:?}", stability.cures);
    assert_eq!((stability.verdict, stability.cured_by), (Verdict::Stable, Some(Cure::TensionShift)));
    let nudge = simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
    assert!(nudge.agrees == Some(true) && nudge.verdict == NudgeVerdict::Returns, "{nudge:?}");
}

/// With a bar between two walls along which its ends are free to slide, a contraction beta makes the axial stress E beta times the
/// square of the elements' quality: positive beta pulls, unlike eq. 33 as printed.
#[test]
fn a_tension_pulls() {
    let (young, beta) = (1e5, 0.01);
    let bar = BoxBody { size: Vec3::new(0.1, 1.0, 0.1), cells: [2, 20, 2], young, ..COLUMN };
    let mut system = bar.system(|x| x.norm() < 1e-9);
    for (n, x) in system.positions.iter().enumerate().filter(|(_, x)| at_both_ends(x, &bar.size) && x.norm() > 1e-9) {
        // One corner stays, and another keeps the bar from turning about its axis.
        let turns = x.y < 1e-9 && x.z < 1e-9;
        system.slides.push((n as u32, Mat3::from_diagonal(&Vec3::new(1.0, 0.0, if turns { 0.0 } else { 1.0 }))));
    }
    system.gravity = Vec3::new(0.0, -1e-2, 0.0);
    system.initialise.tension = beta;
    let (simulation, _) = initialised(system);
    let x = &simulation.system.positions;
    let mut force = vec![Vec3::zeros(); x.len()];
    simulation.system.families[0].add_gradient(x, &mut force);
    let at = |height: f64| -> f64 { x.iter().zip(&force).filter(|(x, _)| (x.y - height).abs() < 1e-9).map(|(_, f)| f.y).sum() };
    // The weight pulls at the top as much more as it pulls less below.
    let pull = 0.5 * (at(bar.size.y) - at(0.0));
    // 6 sqrt2 V / l_rms^3 of the six tetrahedra of a cube.
    let quality = 2f64.sqrt() / (10f64 / 6.0).powf(1.5);
    let expected = young * beta * quality * quality * 0.01;
    assert!((pull / expected - 1.0).abs() < 1e-3, "{pull} for {expected}");
}

#[test]
fn cancelled_while_looking_for_a_cure_nothing_has_changed() {
    let mut simulation = Simulation::new(column(1e5, false));
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    let before = rest_numbers(&simulation);
    simulation.system.initialise = compare(&simulation.system);
    let cancel = AtomicBool::new(false);
    let watch = Flagged { cancel: &cancel, report: |stage: &str, _| _ = cancel.fetch_or(stage == "looking for a cure", Ordering::Relaxed) };
    simulation.initialise(Method::SagFree, &watch).unwrap_err();
    assert!(before == rest_numbers(&simulation));
    assert!(simulation.modes().is_empty());
}

/// A nudge is an experiment: it changes neither state nor rest states, and can be cancelled.
#[test]
fn a_nudge_leaves_no_trace() {
    let (mut simulation, _) = initialised(column(1e7, false));
    simulation.kick(Vec3::new(0.01, 0.0, 0.0));
    simulation.step(&Unwatched).unwrap();
    let (state, rest) = (simulation.state.clone(), rest_numbers(&simulation));
    simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
    let cancel = AtomicBool::new(false);
    let watch = Flagged { cancel: &cancel, report: |stage: &str, _| _ = cancel.fetch_or(stage == "nudging", Ordering::Relaxed) };
    simulation.nudge(&Nudge::default(), &watch).unwrap_err();
    assert!(state.positions == simulation.state.positions && state.velocities == simulation.state.velocities);
    assert!(rest == rest_numbers(&simulation));
}

/// A block on the ground comes back, with its contacts; a body that never was in equilibrium cannot be nudged.
#[test]
fn a_nudged_block_keeps_its_contacts() {
    let block = BoxBody { size: Vec3::new(0.3, 0.2, 0.3), cells: [3, 2, 3], law: "corotated", young: 1e5, poisson: 0.3, density: 1000.0 };
    let mut system = block.system(|_| false);
    add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.5);
    let mut simulation = Simulation::new(system);
    assert!(simulation.nudge(&Nudge::default(), &Unwatched).is_err());
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let report = simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
    assert!(report.agrees == Some(true) && report.verdict == NudgeVerdict::Returns, "{report:?}");
    assert!(report.kicks.iter().all(|kick| kick.contact_kept && kick.contacts_before > 0), "{report:?}");
}

/// What nothing resists is no part of the nudge: on ice, a block turns and slides; in space, it goes anywhere.
#[test]
fn a_nudge_leaves_alone_what_nothing_resists() {
    let block = BoxBody { size: Vec3::new(0.3, 0.2, 0.3), cells: [3, 2, 3], law: "neo_hookean", young: 1e5, poisson: 0.3, density: 1000.0 };
    let mut on_ice = block.system(|_| false);
    add_half_space(&mut on_ice, [0.0; 3], [0.0, 1.0, 0.0], 0.0);
    let mut in_space = block.system(|_| false);
    in_space.gravity = Vec3::zeros();
    for (system, neutral, kicks) in [(on_ice, 3, 2), (in_space, 6, 1)] {
        let (mut simulation, stability) = initialised(system);
        assert_eq!((stability.verdict, stability.neutral_motions), (Verdict::Stable, neutral));
        let report = simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
        assert!(report.agrees == Some(true) && report.verdict == NudgeVerdict::Returns, "{report:?}");
        assert_eq!(report.kicks.len(), kicks, "{report:?}");
    }
}

/// The nudged body is under the loads of time zero, however long the steps: ground that goes, wind that rises and a traction that
/// grows later change nothing.
#[test]
fn while_a_body_is_nudged_nothing_else_changes() {
    let block = BoxBody { size: Vec3::new(0.3, 0.2, 0.3), cells: [3, 2, 3], law: "neo_hookean", young: 1e5, poisson: 0.3, density: 1000.0 };
    let nudged = |changes: bool| {
        let mut system = block.system(|_| false);
        add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.5);
        let tets = system.tets();
        let faces = Faces::of(&tets).boundary(&tets).0;
        let velocity = if changes { Vec3::new(80.0, 0.0, 0.0) } else { Vec3::zeros() };
        system.loads.wind = Some(Wind { velocity, density: 1.2, drag: 1.0, from: 1e-4, gust_amplitude: 0.5, gust_period: 1.0 });
        if changes {
            system.obstacles[0].removed_at = 1e-4;
            system.loads.tractions = faces.iter().map(|&face| Traction { face, force: Vec3::x(), ramp: 1e-3 }).collect();
        }
        system.loads.exposed = faces;
        let weight = 9.81 * system.masses.iter().copied().fold(0.0, f64::max);
        assert_eq!(system.largest_load(), weight, "what is yet to come does not measure the residual");
        let (mut simulation, _) = initialised(system);
        let loads = simulation.system.loads.clone();
        let report = simulation.nudge(&Nudge { seconds: Some(4.0), ..Nudge::default() }, &Unwatched).unwrap();
        assert!(simulation.system.loads == loads && (simulation.system.obstacles[0].removed_at == 1e-4) == changes);
        assert!(report.agrees == Some(true) && report.verdict == NudgeVerdict::Returns, "{report:?}");
        report.kicks.iter().map(|kick| (kick.peak, kick.end, kick.contacts_after)).collect::<Vec<_>>()
    };
    assert_eq!(nudged(true), nudged(false));
}

#[test]
fn a_nudge_without_speed_or_time_is_refused() {
    let (mut simulation, _) = initialised(column(1e7, false));
    for number in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for nudge in [Nudge { seconds: Some(number), velocity: None }, Nudge { seconds: None, velocity: Some(number) }] {
            assert_eq!(simulation.nudge(&nudge, &Unwatched).unwrap_err(), NudgeError::NotPositive);
        }
    }
    simulation.system.fixed.fill(true);
    assert_eq!(simulation.nudge(&Nudge::default(), &Unwatched).unwrap_err(), NudgeError::AllHeld);
}

/// A column that only stands on the ground, held by contact and friction, buckles like a clamped one; what the eigenvalues of the
/// Hessian with its contacts say is what a kick shows.
#[test]
fn a_kicked_column_on_the_ground_does_what_the_eigenvalues_say() {
    let standing = |young: f64| {
        let mut system = column(young, false);
        system.fixed.fill(false);
        add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.6);
        system
    };
    let critical = critical_young(standing, 1e6, 0.01);
    for (factor, expected) in [(0.8, NudgeVerdict::Leaves), (1.25, NudgeVerdict::Returns)] {
        let (mut simulation, _) = initialised(standing(factor * critical));
        let report = simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
        assert!(report.agrees == Some(true) && report.verdict == expected, "{factor} times {critical:.3e} Pa: {report:?}");
        assert!(report.verdict == NudgeVerdict::Leaves || report.kicks.iter().all(|kick| kick.contact_kept), "{report:?}");
    }
}

/// What bears loads far below those at which it buckles bends under a push as easily as it does naively, but for a share that falls
/// at least in proportion to the load.
#[test]
fn initialised_beams_have_not_turned_stiff() {
    let off = |young: f64| {
        let beam = BoxBody { size: Vec3::new(1.0, 0.1, 0.1), cells: [12, 2, 2], law: "neo_hookean", young, poisson: 0.3, density: 1000.0 };
        let (mut simulation, _) = initialised(beam.system(|x| x.x < 1e-9));
        simulation.nudge(&Nudge::default(), &Unwatched).unwrap().compliance.unwrap().ratio - 1.0
    };
    let (heavy, light) = (off(1e6), off(8e6));
    assert!(light.abs() < heavy.abs() / 8.0 + 1e-3, "{heavy} {light}");
}

/// Under pressure a body is softer than it is naively, by f / (f - 1) at an f-th of the load at which it buckles; never is it stiffer.
#[test]
fn bodies_of_the_gallery_have_not_turned_stiff() {
    for (name, softest) in
        [("hanging_beam", 1.2), ("leaning_beam", 1.2), ("jelly_on_table", 2.0), ("fig14_inverse", 2.0), ("creature", 5.0)]
    {
        let path = gallery::find(name).unwrap().path();
        let scene = aplomb_sim::scene_file::load(&path).unwrap_or_else(|problems| panic!("{problems:?}"));
        let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        let found = compliance::compare(&simulation.system, &simulation.balance, simulation.modes(), &Unwatched).unwrap().unwrap();
        println!("{name}: {found:?}");
        assert!((0.8..=softest).contains(&found.ratio), "{name}: {found:?}");
    }
}
