//! Solids and membranes stepped by position: at rest where they are undeformed, whatever the split of their energy, and exact from a sag-free
//! start as long as the forces of the balance do not turn too far.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::random::Random;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::{Method, Preload, ProjectionSettings};
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::StepError;
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, Cut, Sheet, repository};
use serde_json::json;

const FRAME: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 9.81;
/// Laws that are sums of squares.
const LAWS: [&str; 6] = ["stable_neo_hookean", "stvk", "quartic", "corotated", "arap", "linear"];

fn beam(law: &'static str, young: f64) -> BoxBody {
    BoxBody { size: Vec3::new(0.3, 0.1, 0.1), cells: [6, 2, 2], law, young, poisson: 0.3, density: 1000.0 }
}

/// Stepped by position.
fn by_position(system: System, stepper: &str, substeps: u32, sweeps: u32) -> Simulation {
    let mut simulation = Simulation::new(system);
    let simulate = &mut simulation.system.simulate;
    (simulate.stepper, simulate.step_size) = (stepper.into(), FRAME);
    simulate.projection = ProjectionSettings { substeps, sweeps, ..Default::default() };
    simulation
}

/// The largest drift within so many seconds.
fn drift(simulation: &mut Simulation, seconds: f64) -> f64 {
    let steps = (seconds / FRAME).round() as usize;
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

/// Beams without weight, held at one end or not at all, with every number of parts and sweeps: nothing leaves rest without preload.
#[test]
fn an_undeformed_beam_without_gravity_stays() {
    for law in LAWS {
        for (substeps, sweeps) in [(1, 1), (5, 1), (20, 3)] {
            for (stepper, young) in [("xpbd", 2e5), ("xpbd", 2e8), ("pbd", 2e5)] {
                let mut system = beam(law, young).system(|x| x.x == 0.0);
                system.gravity = Vec3::zeros();
                let mut simulation = by_position(system, stepper, substeps, sweeps);
                simulation.system.simulate.projection.preload = Preload::None;
                simulation.initialise(Method::Naive, &Unwatched).unwrap();
                let found = drift(&mut simulation, 0.5);
                assert!(found <= 1e-10, "{law} {stepper} {substeps}x{sweeps} {young:e}: {found:e}");
            }
        }
    }
}

/// The split into J - gamma and sqrt(tr F^T F) (Macklin and Müller 2021): the same energy but for a constant, and yet its two constraints hold
/// one another at rest, so that single sweeps throw the beam about that stays above.
#[test]
fn the_split_whose_parts_pull_at_rest_does_not_stay() {
    let (body, part) = (beam("stable_neo_hookean", 2e5), FRAME / 20.0);
    let system = body.system(|x| x.x == 0.0);
    let lame = body.material().lame();
    let (modulus, gamma) = (lame.lambda + lame.mu, 1.0 + lame.mu / (lame.lambda + lame.mu));
    let (start, tets) = body.mesh();
    let edges = |x: &[Vec3], tet: &[u32; 4]| {
        let [a, b, c, d] = tet.map(|n| x[n as usize]);
        Mat3::from_columns(&[b - a, c - a, d - a])
    };
    let inverse = |n: u32| if system.fixed[n as usize] { 0.0 } else { 1.0 / system.masses[n as usize] };
    let (mut x, mut v) = (start.clone(), vec![Vec3::zeros(); start.len()]);
    let mut furthest = 0.0f64;
    for _ in 0..60 * 20 {
        let before = x.clone();
        x.iter_mut().zip(&v).for_each(|(x, v)| *x += part * v);
        for tet in &tets {
            let rest = edges(&start, tet);
            let (back, volume) = (rest.try_inverse().unwrap(), rest.determinant() / 6.0);
            for k in 0..2 {
                let f = edges(&x, tet) * back;
                let cofactor = f.determinant() * f.try_inverse().unwrap().transpose();
                let (value, slope, alpha) = if k == 0 {
                    (f.determinant() - gamma, cofactor, 1.0 / (modulus * volume))
                } else {
                    (f.norm(), f / f.norm(), 1.0 / (lame.mu * volume))
                };
                let columns = slope * back.transpose();
                let own = [0, 1, 2].map(|k| columns.column(k).into_owned());
                let gradients = [-(own[0] + own[1] + own[2]), own[0], own[1], own[2]];
                let sigma: f64 = tet.iter().zip(&gradients).map(|(&n, by)| inverse(n) * by.norm_squared()).sum();
                let change = -value / (sigma + alpha / (part * part));
                tet.iter().zip(&gradients).for_each(|(&n, by)| x[n as usize] += inverse(n) * change * by);
            }
        }
        v.iter_mut().zip(x.iter().zip(&before)).for_each(|(v, (x, before))| *v = (x - before) / part);
        furthest = x.iter().zip(&start).map(|(x, start)| (x - start).norm()).fold(furthest, f64::max);
    }
    assert!(furthest > 1e-3, "{furthest:e}");
}

/// A beam that stands out from a wall, sag-free, with so many parts of a frame.
fn cantilever(law: &'static str, young: f64, substeps: u32, preload: Preload, method: Method) -> Simulation {
    let mut simulation = by_position(beam(law, young).system(|x| x.x == 0.0), "xpbd", substeps, 1);
    simulation.system.simulate.projection.preload = preload;
    let report = simulation.initialise(method, &Unwatched).unwrap();
    assert!(method == Method::Naive || report.residual.balanced, "{:?}", report.residual);
    simulation
}

fn kick(simulation: &mut Simulation, speed: f64) {
    let mut random = Random::new(9);
    simulation.state.velocities.iter_mut().for_each(|v| *v = speed * random.vector(-1.0, 1.0));
    simulation.system.take_supported(&mut simulation.state.velocities);
}

/// h^2 mu / (rho l^2) of cubes of edge l.
fn shear_number(body: &BoxBody, substeps: u32) -> f64 {
    let part = FRAME / f64::from(substeps);
    let edge = body.size.x / body.cells[0] as f64;
    part * part * body.material().lame().mu / (body.density * edge * edge)
}

/// Roots turn the faster the less they are strained, strains with the stress alone: the one law needs so many parts that shear waves cross no
/// cell in a few of them, and is refused before anything moves, with the number that does; the other rests in far larger ones.
#[test]
fn roots_need_more_parts_than_strains() {
    let told = |law, substeps| {
        let mut simulation = cantilever(law, 4e5, substeps, Preload::Multipliers, Method::SagFree);
        let number = shear_number(&beam(law, 4e5), substeps);
        (simulation.step(&Unwatched).map(|told| (told.turn, drift(&mut simulation, 1.0))), number)
    };
    for law in ["stable_neo_hookean", "corotated"] {
        let (Err(StepError::TurnsTooFar { turn, substeps, .. }), number) = told(law, 8) else { panic!("{law}: not refused") };
        assert!((turn / number - 13.7).abs() < 0.2, "{law}: S {turn}, of waves {number}");
        let (found, number) = told(law, substeps);
        let (turn, rest) = found.unwrap();
        assert!(turn > 0.8 && turn <= 1.0 && number < 0.2 && rest <= 1e-10, "{law}: {turn} {number} {rest:e}");
    }
    for law in ["stvk", "quartic"] {
        let (found, number) = told(law, 3);
        let (turn, rest) = found.unwrap();
        assert!(turn < 0.5 && number > 1.8 && rest <= 1e-10, "{law}: {turn} {number} {rest:e}");
    }
}

#[test]
fn solids_are_held_by_what_was_solved() {
    for law in LAWS {
        let mut simulation = cantilever(law, 4e5, 12, Preload::Multipliers, Method::SagFree);
        let rest = drift(&mut simulation, 2.0);
        simulation.reset();
        kick(&mut simulation, 1e-2);
        let kicked = drift(&mut simulation, 2.0);
        let [none, paper, naive] = [(Preload::None, Method::SagFree), (Preload::Paper, Method::SagFree), (Preload::None, Method::Naive)]
            .map(|(preload, method)| drift(&mut cantilever(law, 4e5, 12, preload, method), 2.0));
        println!("{law}: rest {rest:.1e} kicked {kicked:.1e}; none {none:.1e} paper {paper:.1e} naive {naive:.1e}");
        assert!(rest <= 1e-10, "{law}: {rest:e}");
        assert!(kicked > 1e-6 && kicked < 5e-3, "{law}: {kicked:e}");
        assert!(none > 1e-5 && naive > 1e-2, "{law}: none {none:e}, paper {paper:e}, naive {naive:e}");
    }
}

/// What is let go falls with g, and turns no more than it did.
#[test]
fn a_solid_that_is_let_go_falls() {
    let mut simulation = cantilever("stable_neo_hookean", 4e5, 12, Preload::Multipliers, Method::SagFree);
    assert!(drift(&mut simulation, 0.5) < 1e-10);
    simulation.system.fixed.fill(false);
    let masses = simulation.system.masses.clone();
    let total: f64 = masses.iter().sum();
    let centre = |x: &[Vec3]| x.iter().zip(&masses).map(|(x, m)| *m * x).sum::<Vec3>() / total;
    let before = centre(&simulation.state.positions);
    let began = simulation.state.time;
    (0..30).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
    let time = simulation.state.time - began;
    let fallen = centre(&simulation.state.positions) - before;
    let expected = -0.5 * GRAVITY * time * (time + FRAME / 12.0);
    assert!((fallen - expected * Vec3::y()).norm() < 1e-10, "{fallen} in place of {expected}");
    // It has bent straight.
    assert!(simulation.step(&Unwatched).unwrap().drift > 0.1);
}

#[test]
fn solids_that_are_no_sum_of_squares_are_refused() {
    for (law, poisson) in [("neo_hookean", 0.3), ("lagged_corotated", 0.3), ("corotated", -0.2)] {
        let mut simulation = by_position(BoxBody { poisson, ..beam(law, 1e5) }.system(|x| x.x == 0.0), "xpbd", 5, 1);
        let StepError::Unsupported(told) = simulation.step(&Unwatched).unwrap_err() else { panic!("another refusal") };
        assert!(told.to_string().contains("`stable_neo_hookean`"), "{law}: {told}");
    }
}

/// A scene of the gallery, changed and initialised.
fn scene(name: &str, method: Method, change: impl FnOnce(&mut Simulation)) -> Simulation {
    let path = repository().join("scenes").join(format!("{name}.json"));
    let scene = scene_file::load(&path).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
    change(&mut simulation);
    let report = simulation.initialise(method, &Unwatched).unwrap();
    let falls = report.stability.as_ref().is_some_and(|stability| stability.negative_eigenvalues > 0);
    assert!(method == Method::Naive || report.residual.balanced && !falls, "{:?} {:?}", report.residual, report.stability);
    simulation
}

/// The bear rests and comes back from a kick with its preload; the same rest state without it sags, as do the closed forms.
#[test]
fn a_bear_is_held_by_what_was_solved() {
    let with = |preload| move |simulation: &mut Simulation| simulation.system.simulate.projection.preload = preload;
    let mut held = scene("xpbd_bear", Method::SagFree, with(Preload::Multipliers));
    let rest = drift(&mut held, 2.0);
    let turn = held.step(&Unwatched).unwrap().turn;
    held.reset();
    kick(&mut held, 1e-2);
    let kicked = drift(&mut held, 2.0);
    let end = held.step(&Unwatched).unwrap().drift;
    let [none, paper, naive] = [(Preload::None, Method::SagFree), (Preload::Paper, Method::SagFree), (Preload::None, Method::Naive)]
        .map(|(preload, method)| drift(&mut scene("xpbd_bear", method, with(preload)), 2.0));
    println!("bear: S {turn:.2} rest {rest:.1e} kicked {kicked:.1e} end {end:.1e}; none {none:.1e} paper {paper:.1e} naive {naive:.1e}");
    assert!(rest <= 1e-10, "{rest:e}");
    assert!(kicked > 1e-5 && kicked < 5e-3, "{kicked:e}");
    assert!(none > 1e-4 && naive > 5e-3, "none {none:e}, paper {paper:e}, naive {naive:e}");
}

/// Sag of an undeformed beam under its weight, its velocities taken down so that it comes to rest.
fn sag(stepper: &str, sweeps: u32) -> f64 {
    let mut simulation = by_position(beam("stvk", 4e5).system(|x| x.x == 0.0), stepper, 8, sweeps);
    simulation.system.simulate.projection.stiffness = 0.3;
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    let mut last = 0.0;
    for _ in 0..40 {
        last = simulation.step(&Unwatched).unwrap().drift;
        simulation.state.velocities.iter_mut().for_each(|v| *v *= 0.7);
    }
    last
}

/// What takes back a share of its error is the stiffer the more sweeps there are; what has a compliance ends where that says. Both are held.
#[test]
fn shares_stiffen_with_sweeps_and_compliances_do_not() {
    let ([pbd, xpbd], few, many) = (["pbd", "xpbd"], 10, 40);
    let (first, second) = (sag(pbd, few), sag(pbd, many));
    let (soft, sure) = (sag(xpbd, few), sag(xpbd, many));
    println!("pbd {first:.2e} {second:.2e}, xpbd {soft:.3e} {sure:.3e}");
    assert!(second < 0.5 * first, "{first} {second}");
    assert!((soft / sure - 1.0).abs() < 0.05, "{soft} {sure}");
    for (stepper, sweeps) in [(pbd, 1), (pbd, 5), (xpbd, 1), (xpbd, 5)] {
        let mut simulation = scene("pbd_vs_xpbd", Method::SagFree, |simulation| {
            simulation.system.simulate.stepper = stepper.into();
            simulation.system.simulate.projection.sweeps = sweeps;
        });
        let rest = drift(&mut simulation, 0.5);
        assert!(rest <= 1e-10, "{stepper} {sweeps}: {rest:e}");
    }
}

/// A curtain of triangles, by the law of its stretching and that of its bending.
fn curtain(law: &str, bending: &str, stepper: &str) -> Sheet {
    let pi = std::f64::consts::PI;
    let mut sheet = Sheet::new([10; 2], Cut::Right, |u, v| Vec3::new(u, -v, 0.05 * (4.0 * pi * u).sin() * (0.5 + 0.5 * v)));
    sheet.cloth(&json!({ "law": law, "stiffness": 500.0, "bending_stiffness": 1e-3, "bending_law": bending, "density": 0.2 }));
    sheet.hold(|_, v| v == 0.0);
    sheet.scene["simulate"] = json!({ "stepper": stepper, "step_size": FRAME, "projection": { "substeps": 5, "sweeps": 1 } });
    sheet.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    sheet
}

/// Membranes, whose strains are constraints each, with hinges of both laws that are: at rest, kicked, and beside the same without preload.
#[test]
fn a_curtain_of_membranes_rests() {
    for (law, bending, stepper) in
        [("stvk", "angle", "xpbd"), ("stvk", "isometric", "xpbd"), ("orthotropic", "isometric", "xpbd"), ("stvk", "angle", "pbd")]
    {
        let initialised = |method, preload| {
            let mut simulation = curtain(law, bending, stepper).build().unwrap();
            simulation.system.simulate.projection.preload = preload;
            simulation.initialise(method, &Unwatched).unwrap();
            simulation
        };
        let mut held = initialised(Method::SagFree, Preload::Multipliers);
        let rest = drift(&mut held, 1.0);
        held.reset();
        kick(&mut held, 1e-2);
        let kicked = drift(&mut held, 1.0);
        let [none, naive] = [(Method::SagFree, Preload::None), (Method::Naive, Preload::None)]
            .map(|(method, preload)| drift(&mut initialised(method, preload), 1.0));
        println!("{law} {bending} {stepper}: rest {rest:.1e} kicked {kicked:.1e}; none {none:.1e} naive {naive:.1e}");
        assert!(rest <= 1e-10, "{law} {bending}: {rest:e}");
        assert!(kicked > 1e-5 && kicked < 1e-2, "{law} {bending}: {kicked:e}");
        assert!(none > 1e-4 && naive > 1e-4, "{law} {bending}: none {none:e}, naive {naive:e}");
    }
}
