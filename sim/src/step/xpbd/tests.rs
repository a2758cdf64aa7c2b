#![allow(clippy::unwrap_used)]
//! Projections and preload keep momenta, and speed is told.

use std::sync::Arc;
use std::time::Instant;

use super::constraints::{Constraints, projections};
use super::contact::Contacts;
use super::gate::Gate;
use super::mobility::Mobility;
use super::surfaces::Surfaces;
use super::sweep::{Sweep, Visits};
use super::{Strength, predict};
use crate::element::hinge::HINGE_LAWS;
use crate::element::spring::{Clamp, SPRING_LAWS};
use crate::element::{Batch, Family, Hinge, IsometricHinge, Membrane, MembraneMaterial, Spring, Tet};
use crate::material::membrane::{Moduli, membrane_law};
use crate::math::Vec3;
use crate::math::random::Random;
use crate::mesh::structured::{CubeCut, box_mesh};
use crate::scene::{ProjectionMethod, ProjectionOrder, ProjectionSettings};
use crate::system::System;

/// A free, uneven sheet of n x n cells with springs and hinges, undeformed.
pub(super) fn sheet(n: u32) -> System {
    let mut random = Random::new(5);
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let positions: Vec<Vec3> =
        (0..(n + 1) * (n + 1)).map(|v| Vec3::new(f64::from(v / (n + 1)), f64::from(v % (n + 1)), 0.0) + random.vector(-0.2, 0.2)).collect();
    let (mut edges, mut wings) = (Vec::new(), Vec::new());
    for i in 0..=n {
        for j in 0..=n {
            edges.extend([(i < n).then(|| [at(i, j), at(i + 1, j)]), (j < n).then(|| [at(i, j), at(i, j + 1)])].into_iter().flatten());
            if i < n && j < n {
                edges.push([at(i, j), at(i + 1, j + 1)]);
                wings.push([at(i, j), at(i + 1, j + 1), at(i, j + 1), at(i + 1, j)]);
                if i > 0 {
                    wings.push([at(i, j), at(i, j + 1), at(i - 1, j), at(i + 1, j + 1)]);
                }
                if j > 0 {
                    wings.push([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j - 1)]);
                }
            }
        }
    }
    let x = |n: u32| positions[n as usize];
    let springs: Vec<Spring> =
        edges.iter().map(|edge| Spring::new(&SPRING_LAWS[0], 30.0, Clamp::Eigenvalues, &edge.map(x)).unwrap()).collect();
    let hinges: Vec<Hinge> = wings.iter().map(|nodes| Hinge::new(&HINGE_LAWS[0], 0.1, &nodes.map(x)).unwrap()).collect();
    let families: Vec<Box<dyn Family>> = vec![Box::new(Batch::new(springs, edges)), Box::new(Batch::new(hinges, wings))];
    let masses: Vec<f64> = positions.iter().map(|_| random.uniform(0.1, 1.0)).collect();
    System { fixed: vec![false; positions.len()], masses, families, diagonal: 1.0, positions, ..System::default() }
}

/// Sums of m dx and of place x m dx, where the gradients were taken at `at`.
pub(super) fn impulses(system: &System, at: &[Vec3], after: &[Vec3], before: &[Vec3]) -> [Vec3; 2] {
    let mut sums = [Vec3::zeros(); 2];
    for n in 0..at.len() {
        let impulse = system.masses[n] * (after[n] - before[n]);
        sums[0] += impulse;
        sums[1] += at[n].cross(&impulse);
    }
    sums
}

/// A free block of tets of this law, or the sheet with membranes and isometric hinges, undeformed.
fn free_body(law: &str) -> System {
    if law == "membranes" {
        let mut system = sheet(4);
        let nodes = |e: usize| [0, 1, 2].map(|k| system.families[1].nodes(e)[k]);
        let triangles: Vec<[u32; 3]> = (0..system.families[1].len()).map(nodes).collect();
        let wings: Vec<[u32; 4]> = (0..system.families[1].len()).map(|e| [0, 1, 2, 3].map(|k| system.families[1].nodes(e)[k])).collect();
        let x = |n: u32| system.positions[n as usize];
        let material = Arc::new(MembraneMaterial { law: membrane_law("orthotropic").unwrap(), moduli: Moduli::isotropic(30.0, 0.3) });
        let membrane = |nodes: &[u32; 3]| Membrane::new(Arc::clone(&material), &Vec3::x(), &nodes.map(x)).unwrap();
        let membranes: Vec<Membrane> = triangles.iter().map(membrane).collect();
        let hinges: Vec<IsometricHinge> = wings.iter().map(|nodes| IsometricHinge::new(0.1, &nodes.map(x)).unwrap()).collect();
        system.families = vec![Box::new(Batch::new(membranes, triangles)), Box::new(Batch::new(hinges, wings))];
        return system;
    }
    let mut random = Random::new(8);
    let (mut positions, tets) = box_mesh(Vec3::new(3.0, 2.0, 2.0), [3, 2, 2], CubeCut::Kuhn);
    positions.iter_mut().for_each(|x| *x += random.vector(-0.1, 0.1));
    let materials = vec![(crate::material::law(law).unwrap().build)(20.0, 0.3); tets.len()];
    let elements: Batch<Tet, 4, 6> = Batch::at_rest(&positions, &tets, &materials).unwrap();
    let masses: Vec<f64> = positions.iter().map(|_| random.uniform(0.1, 1.0)).collect();
    System {
        fixed: vec![false; positions.len()],
        masses,
        families: vec![Box::new(elements)],
        diagonal: 1.0,
        positions,
        ..System::default()
    }
}

/// Each projection of one constraint, all at once of all, and the preload of forces that nothing balances any more.
#[test]
fn projections_and_preload_keep_momenta() {
    keeps_momenta(&sheet(4), "springs and hinges");
    // `linear` sees rotations, and turns what turns.
    for law in ["stable_neo_hookean", "stvk", "quartic", "corotated", "membranes"] {
        keeps_momenta(&free_body(law), law);
    }
}

fn keeps_momenta(system: &System, what: &str) {
    let families = projections(system);
    let mobility = Mobility::of(system);
    let mut random = Random::new(6);
    let moved: Vec<Vec3> = system.positions.iter().map(|x| x + random.vector(-0.1, 0.1)).collect();
    let zero = vec![Vec3::zeros(); moved.len()];
    let mut constraints = Constraints::of(system);
    let gate = Gate::new(system, &mut constraints, (&mut Contacts::default(), &mut Surfaces::default()), &mobility, false);
    for (strength, method) in [(Strength::Compliance, ProjectionMethod::Jacobi), (Strength::Share, ProjectionMethod::Jacobi)] {
        let settings = ProjectionSettings { method, ..Default::default() };
        constraints.rows.iter_mut().for_each(|row| row.damping = 0.03);
        let sweep = Sweep { families: &families, mobility: &mobility, start: &system.positions, strength, part: 0.1, settings: &settings };
        let mut x = moved.clone();
        let mut visits = Visits::of(&constraints, &families, &settings, x.len());
        sweep.run(&mut visits, &mut x);
        let way = x.iter().zip(&moved).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        let sums = impulses(system, &moved, &x, &moved);
        assert!(way > 1e-3 && sums.iter().all(|sum| sum.amax() < 1e-12), "{what} {strength:?}: {way} {sums:?}");
    }
    constraints.carried.iter_mut().for_each(|carried| *carried = random.uniform(-1.0, 1.0));
    let mut way = Vec::new();
    predict::moves(&families, &mut constraints, &mobility, None, &moved, &zero, &zero, 0.1, &mut way);
    assert!(way.iter().all(|way| *way == Vec3::zeros()));
    predict::moves(&families, &mut constraints, &mobility, Some(&gate.opened()), &moved, &zero, &zero, 0.1, &mut way);
    let sums = impulses(system, &moved, &way, &zero);
    assert!(way.iter().any(|way| way.norm() > 1e-3) && sums.iter().all(|sum| sum.amax() < 1e-12), "{what}: {sums:?}");
}

/// The same to the bit with any number of threads: colours that many threads share, and all at once.
#[test]
fn sweeps_repeat_with_any_number_of_threads() {
    let system = sheet(80);
    let families = projections(&system);
    let mobility = Mobility::of(&system);
    let mut random = Random::new(7);
    let moved: Vec<Vec3> = system.positions.iter().map(|x| x + random.vector(-0.1, 0.1)).collect();
    for method in [ProjectionMethod::GaussSeidel, ProjectionMethod::Jacobi] {
        let settings = ProjectionSettings { method, ..Default::default() };
        let swept = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (constraints, mut x) = (Constraints::of(&system), moved.clone());
            let mut visits = Visits::of(&constraints, &families, &settings, x.len());
            assert!(visits.is_shared(), "{method:?}: no colour is large enough");
            let (families, mobility) = (&families, &mobility);
            let sweep = Sweep { families, mobility, start: &moved, strength: Strength::Compliance, part: 0.1, settings: &settings };
            pool.install(|| (0..3).for_each(|_| sweep.run(&mut visits, &mut x)));
            x
        };
        let alone = swept(1);
        assert!(alone != moved && [2, 3, 8].into_iter().all(|threads| swept(threads) == alone), "{method:?}");
    }
}

/// Colours are runs without a common node, and every order visits each constraint once.
#[test]
fn orders_visit_all_and_colours_share_no_node() {
    let system = sheet(6);
    let constraints = Constraints::of(&system);
    for order in [ProjectionOrder::Colours, ProjectionOrder::Forward, ProjectionOrder::Reverse, ProjectionOrder::Shuffled] {
        let settings = ProjectionSettings { order, ..Default::default() };
        let (visits, ends) = super::colours::order(&constraints, &settings, system.positions.len());
        let mut sorted = visits.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..constraints.len() as u32) && ends.last() == Some(&visits.len()), "{order:?}");
        let mut first = 0;
        for end in ends {
            let mut nodes: Vec<u32> = visits[first..end].iter().flat_map(|&c| constraints.nodes(c as usize).iter().copied()).collect();
            let count = nodes.len();
            nodes.sort_unstable();
            nodes.dedup();
            assert_eq!(nodes.len(), count, "{order:?}");
            first = end;
        }
    }
}

/// Prints how long a sweep over cloth of 32 x 32 cells takes.
#[test]
#[ignore = "a time, not a claim"]
fn time_of_a_sweep() {
    let system = sheet(32);
    let families = projections(&system);
    let (mobility, settings) = (Mobility::of(&system), ProjectionSettings::default());
    let constraints = Constraints::of(&system);
    let mut visits = Visits::of(&constraints, &families, &settings, system.positions.len());
    let sweep = Sweep {
        families: &families,
        mobility: &mobility,
        start: &system.positions,
        strength: Strength::Compliance,
        part: 0.01,
        settings: &settings,
    };
    let mut x = system.positions.clone();
    let clock = Instant::now();
    (0..1000).for_each(|_| sweep.run(&mut visits, &mut x));
    println!("{} constraints: {:.3} ms a sweep", constraints.len(), clock.elapsed().as_secs_f64());
}
