//! Contact between surfaces by position: exact at rest from a sag-free start, with friction, and nothing passes through.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::{Method, Preload};
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Block, Blocks, Cut, Sheet, crossings};
use serde_json::{Value, json};

const G: f64 = 9.81;
const FRAME: f64 = 1.0 / 60.0;

fn by_position(substeps: u32, sweeps: u32) -> Value {
    json!({ "stepper": "xpbd", "step_size": FRAME, "projection": { "substeps": substeps, "sweeps": sweeps } })
}

fn jelly(size: [f64; 3], cells: [usize; 3], at: [f64; 3]) -> Block {
    let material = json!({ "law": "stable_neo_hookean", "young": 3e4, "poisson": 0.4, "density": 1000 });
    Block { material, ..Block::jelly(size, cells, at, 3e4) }
}

/// Boxes with grids that do not match, `gap` over one another, on a floor.
fn stack(gap: f64, friction: f64, simulate: &Value) -> Blocks {
    let boxes = [
        jelly([0.1; 3], [3, 3, 3], [0.0, 0.05 + gap, 0.0]),
        jelly([0.09, 0.08, 0.085], [4, 3, 2], [0.006, 0.14 + 2.0 * gap, 0.004]),
        jelly([0.07, 0.06, 0.07], [2, 2, 3], [0.001, 0.21 + 3.0 * gap, -0.003]),
    ];
    let floor = json!([{ "name": "floor", "friction": friction, "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } } }]);
    Blocks::new(&boxes, &json!({ "obstacles": floor, "contact": { "friction": friction }, "simulate": simulate }))
}

/// The largest drift in so many seconds.
fn drift(simulation: &mut Simulation, seconds: f64) -> f64 {
    let steps = (seconds / simulation.system.simulate.step_size).round() as usize;
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

#[test]
fn stacks_rest() {
    for (gap, sweeps) in [(2e-5, 1), (0.0, 2)] {
        let start = |preload: Preload, method: Method| {
            let mut simulation = stack(gap, 0.5, &by_position(20, sweeps)).build().unwrap();
            simulation.system.simulate.projection.preload = preload;
            let report = simulation.initialise(method, &Unwatched).unwrap();
            assert!(method == Method::Naive || report.residual.balanced && report.contact.pairs >= 18, "{:?}", report.contact);
            simulation
        };
        let rest = drift(&mut start(Preload::Multipliers, Method::SagFree), 2.0);
        let mut kicked = start(Preload::Multipliers, Method::SagFree);
        kicked.kick(Vec3::new(0.0, 0.01, 0.0));
        let kick = drift(&mut kicked, 2.0);
        let none = drift(&mut start(Preload::None, Method::SagFree), 2.0);
        let naive = drift(&mut start(Preload::Multipliers, Method::Naive), 2.0);
        println!("gap {gap:e}, {sweeps} sweeps: rest {rest:.1e}, kick {kick:.1e}, none {none:.1e}, naive {naive:.1e}");
        assert!(rest < 1e-10 && (1e-6..2e-3).contains(&kick) && none > 3e-4 && naive > 1e-2);
    }
}

/// What is told of forces is what the steps made: under each box of a stack the pressure carries what stands on it, and from a balance no net
/// force is left, before the first step and after some; where nothing was solved, once it has settled.
#[test]
fn pressures_carry_what_stands_on_them() {
    for (method, before) in [(Method::SagFree, true), (Method::Naive, false)] {
        let mut scene = stack(2e-5, 0.5, &by_position(20, 4));
        scene.scene["bodies"].as_array_mut().unwrap().iter_mut().for_each(|body| body["material"]["damping"] = json!(0.02));
        let mut simulation = scene.build().unwrap();
        simulation.initialise(method, &Unwatched).unwrap();
        let looks = if before { vec![0.0, 0.5] } else { vec![3.0] };
        for seconds in looks {
            drift(&mut simulation, seconds);
            let (pressure, forces) = (simulation.contact_pressure(), simulation.contact_forces());
            let net = simulation.net_forces().iter().map(Vec3::norm).fold(0.0, f64::max) / simulation.system.largest_load();
            let x = &simulation.state.positions;
            let weights: Vec<f64> =
                simulation.system.bodies.iter().map(|body| G * simulation.system.masses[body.nodes.clone()].iter().sum::<f64>()).collect();
            for (b, body) in simulation.system.bodies.iter().enumerate() {
                let mut carried = 0.0;
                for triangle in body.mesh.surface.iter().map(|triangle| triangle.map(|v| body.nodes.start + v as usize)) {
                    let [p, q, r] = triangle.map(|node| x[node]);
                    let area = 0.5 * (q - p).cross(&(r - p));
                    if -area.y > 0.9 * area.norm() {
                        carried -= triangle.iter().map(|&node| pressure[node]).sum::<f64>() * area.y / 3.0;
                    }
                }
                let stands: f64 = weights[b..].iter().sum();
                println!("{method:?} at {seconds} s, box {b}: carries {:.4} of {stands:.3} N, net {net:.1e}", carried / stands);
                assert!((carried / stands - 1.0).abs() < 0.02, "{method:?} at {seconds} s, box {b}");
            }
            assert!(!forces.is_empty() && (net < 1e-8 || !before), "{net:e}");
        }
    }
}

/// Hats on balls, which touch with their triangles: a ball, too, bears what was solved, though it is an obstacle and the first of the two.
/// Scenes that other steppers hold: hats on balls, and stacks on the ground and squeezed between plates, full of edges along one another.
#[test]
fn hats_and_squeezed_stacks_rest() {
    for (name, substeps) in [("fig12_hats", 20), ("fig4_stack", 20), ("fig6_tilted_stack", 20), ("fig6_tilted_stack", 60)] {
        let path = gallery::find(name).unwrap().path();
        let mut scene = scene_file::load(&path).unwrap();
        scene.simulate = serde_json::from_value(by_position(substeps, 1)).unwrap();
        scene.bodies.iter_mut().filter_map(|body| body.material.as_mut()).for_each(|material| material.law = "stvk".into());
        let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        let rest = drift(&mut simulation, 0.2);
        println!("{name} in {substeps} parts: {} pairs, rest {rest:.1e}", report.contact.pairs);
        assert!(report.contact.pairs >= 2 && rest < 1e-10, "{name}: {rest:e}");
    }
}

/// A block on a held one, with the seam between them tilted.
fn on_slope(degrees: f64, friction: f64, simulate: &Value) -> Simulation {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let mut base = jelly([0.3, 0.04, 0.1], [9, 1, 3], [0.0; 3]);
    base.regions = json!([{ "name": "held", "role": { "dirichlet": {} }, "select": [{ "all": {} }] }]);
    let height = 0.5 * (0.04 + 0.06) + 1e-4;
    let mut block = jelly([0.06, 0.06, 0.06], [2, 2, 2], [-height * sine, height * cosine, 0.0]);
    (base.rotate_degrees, block.rotate_degrees) = ([0.0, 0.0, degrees], [0.0, 0.0, degrees]);
    let mut simulation =
        Blocks::new(&[base, block], &json!({ "contact": { "friction": friction }, "simulate": simulate })).build().unwrap();
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    simulation
}

/// Without a balance: what friction holds stays, and what it does not hold comes down as by an implicit stepper, and but for how the jelly shears
/// as Coulomb says.
#[test]
fn a_block_slides_as_coulomb_says() {
    let (degrees, seconds) = (20.0_f64, 0.4);
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let slid = |friction: f64, simulate: &Value| {
        let mut simulation = on_slope(degrees, friction * sine / cosine, simulate);
        let nodes = simulation.system.bodies[1].nodes.clone();
        let along = |simulation: &Simulation| {
            -simulation.state.positions[nodes.clone()].iter().sum::<Vec3>().dot(&Vec3::new(cosine, sine, 0.0)) / nodes.len() as f64
        };
        let before = along(&simulation);
        drift(&mut simulation, seconds);
        let then = along(&simulation);
        drift(&mut simulation, if friction > 1.0 { seconds } else { 0.0 });
        [then - before, along(&simulation) - then]
    };
    let implicit = json!({ "stepper": "backward_euler", "step_size": 0.002 });
    for share in [0.0, 0.5, 0.8] {
        let ([way, _], [other, _]) = (slid(share, &by_position(20, 5)), slid(share, &implicit));
        let expected = 0.5 * G * sine * (1.0 - share) * seconds.powi(2);
        println!("friction {share} of what holds: {way:.4} m, implicit {other:.4} m, rigid {expected:.4} m");
        assert!((way / other - 1.0).abs() < 0.02 && (way - expected).abs() < 0.012);
    }
    let [sheared, later] = slid(1.1, &by_position(20, 5));
    println!("held: sheared by {sheared:.1e} m, later {later:.1e} m");
    assert!(sheared < 6e-3 && later.abs() < 2e-4);
}

/// Two blocks that meet in free space go on with their momentum and their spin.
#[test]
fn what_meets_keeps_its_momentum() {
    let boxes = [jelly([0.1; 3], [3, 3, 3], [0.0; 3]), jelly([0.08; 3], [2, 3, 2], [0.11, 0.03, 0.02])];
    let mut losses = Vec::new();
    for substeps in [20, 80] {
        let blocks =
            Blocks::new(&boxes, &json!({ "gravity": [0, 0, 0], "contact": { "friction": 0.4 }, "simulate": by_position(substeps, 2) }));
        let mut simulation = blocks.build().unwrap();
        simulation.initialise(Method::Naive, &Unwatched).unwrap();
        let first = simulation.system.bodies[0].nodes.clone();
        simulation.state.velocities[first].iter_mut().for_each(|v| *v = Vec3::new(1.0, 0.0, 0.0));
        let momenta = |simulation: &Simulation| {
            let state = &simulation.state;
            let each = simulation.system.masses.iter().zip(&state.positions).zip(&state.velocities);
            each.fold((Vec3::zeros(), Vec3::zeros()), |(p, l), ((m, x), v)| (p + *m * v, l + *m * x.cross(v)))
        };
        let (p, l) = momenta(&simulation);
        let spin = 0.1 * p.norm();
        let mut touched = 0;
        for _ in 0..20 {
            touched += simulation.step(&Unwatched).unwrap().contacts;
        }
        let (after_p, after_l) = momenta(&simulation);
        println!(
            "{substeps}: momentum {:.1e}, spin {:.1e} of {:.1e}",
            (after_p - p).norm() / p.norm(),
            (after_l - l).norm() / l.norm(),
            l.norm()
        );
        assert!(touched > 0 && (after_p - p).norm() < 1e-11 * p.norm());
        losses.push((after_l - l).norm() / spin);
    }
    assert!(losses[1] < 0.8 * losses[0] && losses[0] < 5e-3, "{losses:?}");
}

/// A sheet that falls on a held block, and one that falls in folds: nothing passes through anything.
#[test]
fn cloth_falls_and_nothing_passes_through() {
    for seed in 0..3 {
        let mut random = Random::new(seed);
        let lean = random.vector(-0.1, 0.1);
        // Hangs in folds over its own lower half, and comes down on it.
        let mut sheet = Sheet::new([12, 24], Cut::Cross, |u, v| {
            let fold = 0.05 * (8.0 * std::f64::consts::PI * v).sin();
            // Uneven, for what lies in one plane is cut by rounding.
            Vec3::new(0.4 * u + fold * lean.x, 0.9 * v, fold + 0.01 * (7.0 * u + 3.0 * v * v).sin())
        });
        sheet.cloth(&json!({ "law": "stvk", "stiffness": 500.0, "density": 0.2, "bending_stiffness": 1e-6, "thickness": 2e-3 }));
        sheet.scene["obstacles"] = json!([{ "name": "floor", "friction": 0.3, "shape": { "half_space": { "point": [0, -0.05, 0], "normal": [lean.x, 1, lean.z] } } }]);
        sheet.scene["contact"] = json!({ "friction": 0.3 });
        sheet.scene["simulate"] = by_position(20, 2);
        let mut simulation = sheet.build().unwrap();
        simulation.initialise(Method::Naive, &Unwatched).unwrap();
        let (mut most, mut touched) = (0, 0);
        for _ in 0..90 {
            let stats = simulation.step(&Unwatched).unwrap();
            touched = touched.max(stats.contacts);
            let now = crossings(&simulation.state.positions, &sheet.triangles).len();
            most = most.max(now);
        }
        println!("seed {seed}: {touched} contacts at most, {most} crossings");
        assert!(touched > 200 && most == 0);
    }
}
