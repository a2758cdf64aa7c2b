//! The whole search on boxes: closed forms, every law, supports of all kinds, and what does not exist.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::bodies::solid::Solid;
use crate::contact::obstacle::PlacedObstacle;
use crate::element::Batch;
use crate::element::batch::Potential;
use crate::material::{self, MATERIALS};
use crate::math::{Mat3, bounding_diagonal};
use crate::mesh::TetMesh;
use crate::mesh::structured::{CubeCut, box_mesh};
use crate::sag_free::problem::{Between, ContactSite};
use crate::scene::{MaterialSettings, Shape};
use crate::system::{PlacedBody, Span, TouchPair};
use crate::watch::{Flagged, Unwatched};
use std::sync::Arc;

const DENSITY: f64 = 1000.0;
const GRAVITY: f64 = 9.81;

/// A box of `size` [m] with a corner at the origin, under gravity along -y, held where `fixed` says.
fn block(size: [f64; 3], cells: [usize; 3], law: &str, young: f64, poisson: f64, fixed: impl Fn(&Vec3) -> bool) -> System {
    let (positions, tets) = box_mesh(Vec3::from(size), cells, CubeCut::Five);
    let mesh = TetMesh::from_tets(positions.clone(), tets.clone()).unwrap();
    let count = tets.len();
    let settings = MaterialSettings { law: law.into(), young, poisson, density: DENSITY, damping: 0.0 };
    let materials = vec![(material::law(law).unwrap().build)(young, poisson); count];
    System {
        masses: mesh.lumped_masses(&vec![DENSITY; count]),
        fixed: positions.iter().map(fixed).collect(),
        gravity: Vec3::new(0.0, -GRAVITY, 0.0),
        families: vec![Box::new(Batch::at_rest(&positions, &tets, &materials).unwrap())],
        bodies: vec![PlacedBody {
            name: "block".into(),
            nodes: 0..positions.len(),
            internal: 0..0,
            spans: vec![Span { family: 0, elements: 0..count }],
            mesh: mesh.into(),
            matter: Arc::new(Solid::uniform(settings, count)),
        }],
        diagonal: bounding_diagonal(&positions),
        positions,
        ..System::default()
    }
}

/// A beam held at one end, bent by its weight by about a fifth of its length if it starts straight.
fn cantilever(law: &str) -> System {
    block([0.5, 0.1, 0.1], [10, 2, 2], law, 3e5, 0.3, |p| p.x == 0.0)
}

fn inverse(system: &System) -> RestShape {
    find(system, RestMethod::Inverse, &Unwatched).unwrap()
}

/// Mean height at rest of the nodes that are `height` high in the given shape [m].
fn rest_height(system: &System, rest: &[Vec3], height: f64) -> f64 {
    let there: Vec<f64> = system.positions.iter().zip(rest).filter(|(p, _)| (p.y - height).abs() < 1e-9).map(|(_, rest)| rest.y).collect();
    there.iter().sum::<f64>() / there.len() as f64
}

/// Without lateral contraction a bar of rest length L that hangs is rho g L^2 / (2 E) longer, exactly so for this law: the stretch
/// is 1 + rho g X / E at X above its lower end.
#[test]
fn a_hanging_bar_is_shorter_at_rest_by_the_closed_form() {
    let young = DENSITY * GRAVITY / 0.2;
    let system = block([0.2, 1.0, 0.2], [2, 20, 2], "arap", young, 0.0, |p| p.y == 1.0);
    let found = inverse(&system);
    assert!(found.report.exists, "{:?}", found.report);
    // L + 0.1 L^2 = 1.
    let length = (1.4_f64.sqrt() - 1.0) / 0.2;
    let rest = 1.0 - rest_height(&system, &found.positions, 0.0);
    assert!((rest / length - 1.0).abs() < 2e-3, "{rest} instead of {length}");
    let elongation = (1.0 - rest) / (0.1 * length * length);
    assert!((elongation - 1.0).abs() < 2e-2, "{elongation}");
}

/// A standing bar of rest length L is L - rho g L^2 / (2 E) high, never more than E / (2 rho g): under half of this load it is.
#[test]
fn a_bar_that_is_too_soft_to_stand_so_high_has_no_rest_mesh() {
    let young = DENSITY * GRAVITY;
    let system = block([0.2, 1.0, 0.2], [2, 20, 2], "arap", young, 0.0, |p| p.y == 0.0);
    let RestShape { report, positions, .. } = inverse(&system);
    assert!(!report.exists);
    assert!((0.45..=0.52).contains(&report.load_share), "{report:?}");
    let force =
        |rest: &[Vec3]| imbalance(&system, &system.positions, rest, &Held::default()).iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
    assert!(force(&positions) < force(&system.positions) && report.residual > 0.1, "the best is better than nothing: {report:?}");
    assert!(report.min_rest_volume_ratio > 0.0);
    assert!(report.message.is_some_and(|message| message.contains("`block`") && message.contains("% of the load")));
    assert_eq!(positions.len(), system.positions.len());
}

#[test]
fn a_beam_of_any_law_has_a_rest_mesh_that_holds_the_given_shape() {
    for law in MATERIALS {
        let system = cantilever(law.name);
        let found = inverse(&system);
        assert!(found.report.exists && found.report.residual < 1e-9, "{}: {:?}", law.name, found.report);
        assert!(found.report.max_displacement > 0.05, "{}: {:?}", law.name, found.report);
        for (n, fixed) in system.fixed.iter().enumerate().filter(|(_, fixed)| **fixed) {
            assert!(!fixed || found.positions[n] == system.positions[n], "{}: a held node moved", law.name);
        }
    }
}

/// Rounded to 32 bits, positions of a metre are wrong by up to 3e-8 m: a thousand times stiffer, and a thousand times as much of the
/// load is out of balance. The figure is that of elements which are made anew from rounded positions.
#[test]
fn in_32_bits_the_balance_of_stiff_bodies_is_lost() {
    let of = |young: f64| {
        let system = block([1.0, 0.1, 0.1], [10, 2, 2], "corotated", young, 0.3, |p| p.x == 0.0);
        let found = inverse(&system);
        let round = |x: &[Vec3]| -> Vec<Vec3> { x.iter().map(|p| Vec3::from_iterator(p.iter().map(|&c| f64::from(c as f32)))).collect() };
        let material = (material::law("corotated").unwrap().build)(young, 0.3);
        let tets = &system.bodies[0].mesh.tets();
        let elements = Batch::at_rest(&round(&found.positions), tets, &vec![material; tets.len()]).unwrap();
        let mut forces = vec![Vec3::zeros(); system.positions.len()];
        elements.add_gradient(&round(&system.positions), &mut forces);
        let masses = system.masses_at(&found.positions);
        let free = (0..forces.len()).filter(|&n| !system.fixed[n]);
        let worst = free.map(|n| (forces[n] - masses[n] * system.gravity).norm()).fold(0.0, f64::max) / system.largest_load();
        assert!((found.report.residual_in_32_bits / worst - 1.0).abs() < 1e-3, "{worst} {:?}", found.report);
        // 64 bits lose 2^29 times less.
        assert!(found.report.residual < 1e-8 * (1.0 + found.report.residual_in_32_bits), "{:?}", found.report);
        found.report.residual_in_32_bits
    };
    let (soft, stiff) = (of(1e7), of(1e10));
    assert!((300.0..3000.0).contains(&(stiff / soft)) && stiff > 0.1, "{soft:e} {stiff:e}");
}

/// The derivative is the right one: near the solution the residual is squared.
#[test]
fn newton_converges_quadratically() {
    for law in ["neo_hookean", "corotated", "stvk"] {
        let residuals = inverse(&cantilever(law)).report.residuals;
        let orders = residuals.windows(3).filter(|w| w[0] > w[1] && w[1] > w[2] && w[2] > 1e-9);
        let best = orders.map(|w| (w[2] / w[1]).ln() / (w[1] / w[0]).ln()).fold(0.0, f64::max);
        assert!(best > 1.8, "{law}: {best} of {residuals:?}");
    }
}

/// A table with rollers: whatever slides keeps its height and holds the weight of the rest mesh.
#[test]
fn sliding_nodes_keep_the_directions_in_which_they_are_held() {
    let mut system = block([0.2, 0.3, 0.2], [4, 6, 4], "neo_hookean", 4e4, 0.4, |_| false);
    let across = Mat3::from_diagonal(&Vec3::new(1.0, 0.0, 1.0));
    system.slides = (0..).zip(&system.positions).filter(|(_, p)| p.y == 0.0).map(|(n, _)| (n, across)).collect();
    let found = inverse(&system);
    assert!(found.report.exists && found.report.residual < 1e-9, "{:?}", found.report);
    assert!(system.slides.iter().all(|(n, _)| found.positions[*n as usize].y == 0.0));
    assert!(rest_height(&system, &found.positions, 0.3) > 0.3001, "it is higher without weight");
}

/// On the ground without any support the contact carries the rest mesh, which is heavier than the given shape.
#[test]
fn contact_alone_carries_the_weight_of_the_rest_mesh() {
    for friction in [0.0, 0.5] {
        let mut system = block([0.2, 0.2, 0.2], [4, 4, 4], "neo_hookean", 2e4, 0.3, |_| false);
        let ground = Shape::HalfSpace { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };
        system.obstacles.push(PlacedObstacle::new("ground", ground));
        system.pairs = (0..system.positions.len() as u32).map(|node| TouchPair { node, obstacle: 0, friction }).collect();
        let found = inverse(&system);
        assert!(found.report.exists && found.report.contacts == 25, "{friction}: {:?}", found.report);
        let weight = GRAVITY * system.masses_at(&found.positions).iter().sum::<f64>();
        let carried: f64 = found.balance.contacts.iter().map(|contact| contact.normal_force).sum();
        let given = GRAVITY * system.masses.iter().sum::<f64>();
        assert!((carried / weight - 1.0).abs() < 1e-8 && weight > 1.01 * given, "{carried} {weight} {given}");
        let cone = |contact: &crate::contact::BalancedContact| contact.friction_force.norm() - friction * contact.normal_force;
        assert!(found.balance.contacts.iter().all(|contact| cone(contact) <= 1e-9 * weight));
    }
}

#[test]
fn what_nothing_holds_has_no_rest_mesh() {
    let system = block([0.2, 0.2, 0.2], [2, 2, 2], "corotated", 1e5, 0.3, |_| false);
    let RestShape { report, .. } = inverse(&system);
    assert!(!report.exists && report.message.is_some(), "{report:?}");
}

/// The paper's estimate: nearer than the given shape itself, but no equilibrium; with a linear law it would be one.
#[test]
fn the_estimate_is_near_the_inverse_and_no_equilibrium() {
    for law in ["neo_hookean", "corotated", "lagged_corotated"] {
        let system = cantilever(law);
        let (exact, estimate) = (inverse(&system), find(&system, RestMethod::Estimate, &Unwatched).unwrap());
        let distance = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        let (off, moved) = (distance(&exact.positions, &estimate.positions), distance(&exact.positions, &system.positions));
        assert!(off < 0.1 * moved && !estimate.report.exists, "{law}: {off} of {moved}, {:?}", estimate.report);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_mesh() {
    let system = cantilever("neo_hookean");
    let meshes = Mutex::new(Vec::new());
    for threads in [1, 2, 3, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        meshes.lock().unwrap().push(pool.install(|| inverse(&system).positions));
    }
    let meshes = meshes.into_inner().unwrap();
    assert!(meshes.iter().all(|mesh| *mesh == meshes[0]));
}

/// What it needs is said before anything is solved.
#[test]
fn without_memory_for_the_factorisation_it_says_what_it_needs() {
    let mut system = cantilever("corotated");
    system.memory_limit = Some(100_000);
    let Err(RestShapeError::Memory(too_large)) = find(&system, RestMethod::Inverse, &Unwatched) else { panic!("it fits") };
    assert!(too_large.needed > 100_000 && too_large.available == 100_000, "{too_large}");
    let Err(RestShapeError::Memory(_)) = find(&system, RestMethod::Estimate, &Unwatched) else { panic!("it fits") };
    system.memory_limit = Some(100_000_000);
    assert!(inverse(&system).report.exists);
}

#[test]
fn a_cancelled_estimate_is_cancelled_and_has_not_failed() {
    let cancel = AtomicBool::new(false);
    let watch =
        Flagged { cancel: &cancel, report: |stage: &str, _| _ = cancel.fetch_or(stage == "relaxing without loads", Ordering::Relaxed) };
    let outcome = find(&cantilever("neo_hookean"), RestMethod::Estimate, &watch);
    assert_eq!(outcome.map(|found| found.report.exists), Err(RestShapeError::Cancelled(Cancelled)));
}

/// A contact cannot pull, with friction or without.
#[test]
fn a_force_that_pulls_is_outside_its_cone() {
    let held = |friction: f64, force: Vec3| {
        let site = ContactSite {
            between: Between::Obstacle(0),
            shares: vec![(0, Mat3::identity())],
            point: Vec3::zeros(),
            normal: Vec3::y(),
            friction,
            distance: 0.0,
        };
        Held { sites: vec![site], forces: vec![force], infeasible: Vec::new() }.cone_violation()
    };
    for friction in [0.0, 0.5] {
        assert_eq!(held(friction, 2.0 * Vec3::y()), 0.0);
        assert!(held(friction, -2.0 * Vec3::y()) >= 1.0);
    }
    assert!((held(0.5, Vec3::new(0.6, 1.0, 0.0)) * 1.36_f64.sqrt() - 0.1).abs() < 1e-12);
}
