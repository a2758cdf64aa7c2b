//! A second family of elements beside the tets, before them or after them: nothing takes one for the other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use super::Batch;
use super::spring::{Clamp, Spring, spring_law};
use crate::export::PreparedAsset;
use crate::linear::Couplings;
use crate::material::Unattainable;
use crate::math::random::Random;
use crate::sag_free::feasibility::{Enough, too_soft};
use crate::sag_free::local::Unattained;
use crate::sag_free::stability::cures::element_masses;
use crate::scene::{Cure, Method, Scene};
use crate::scene_file::{gallery, load};
use crate::simulation::Simulation;
use crate::stats::report::Verdict;
use crate::system::{Span, System};
use crate::watch::Unwatched;

fn authored(name: &str) -> (Scene, PathBuf) {
    let path = gallery::find(name).unwrap().path();
    (load(&path).unwrap(), path.parent().unwrap().to_path_buf())
}

/// The scene's system with springs between nodes of its first body that are not far from one another: as elements of the body or of none,
/// after the tets or before them.
fn with_springs(scene: &Scene, folder: &std::path::Path, first: bool, owned: bool) -> System {
    let mut system = System::build(scene, folder, &Unwatched).unwrap();
    let (mut random, x) = (Random::new(7), &system.positions);
    let mut nodes: Vec<[u32; 2]> = Vec::new();
    while nodes.len() < 150 {
        let [a, b] = [(); 2].map(|()| random.uniform(0.0, system.bodies[0].nodes.len() as f64) as usize);
        if a != b && (x[a] - x[b]).norm() < 0.4 * system.diagonal {
            nodes.push([a as u32, b as u32]);
        }
    }
    let law = spring_law("quadratic").unwrap();
    let spring = |ends: &[u32; 2]| Spring::new(law, 0.05, Clamp::default(), &ends.map(|n| x[n as usize])).unwrap();
    let springs = Batch::new(nodes.iter().map(spring).collect(), nodes);
    let count = springs.len();
    let (family, tets) = if first { (0, 1) } else { (1, 0) };
    system.families.insert(family, Box::new(springs));
    for body in &mut system.bodies {
        body.spans[0].family = tets;
    }
    if owned {
        system.bodies[0].spans.push(Span { family, elements: 0..count });
    }
    system
}

#[test]
fn both_are_initialised_reported_stepped_and_restarted() {
    let (scene, folder) = authored("hanging_beam");
    let plain = Simulation::build(&scene, &folder, &Unwatched).unwrap().initialise(Method::SagFree, &Unwatched).unwrap();
    for (first, owned) in [(false, true), (true, true), (true, false)] {
        let build = || Simulation::new(with_springs(&scene, &folder, first, owned));
        let mut simulation = build();
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.outcome.holds && report.residual.after < 1e-9, "{:?} {:?}", report.outcome, report.residual);
        assert_eq!(report.elements, plain.elements + 150);
        assert_eq!(report.rest_volume.unwrap().given, plain.rest_volume.unwrap().given, "springs have none");
        let families: Vec<(&str, usize)> = report.families.iter().map(|family| (family.name, family.elements)).collect();
        assert!(families.contains(&("springs", 150)) && families.contains(&("tetrahedra", plain.elements)), "{families:?}");
        let told = |name: &str| report.fields.iter().find(|field| field.kind.name == name).unwrap().elements;
        assert_eq!([told("tension"), told("compression ratio")], [150, plain.elements]);
        let counted: usize = report.compression.unwrap().histogram.counts.iter().sum();
        assert_eq!(counted, plain.elements, "springs have none");

        let fields = simulation.fields();
        let of = |name: &str| fields.iter().find(|field| field.kind.name == name).map(|field| &field.values).unwrap();
        let tets = simulation.system.element_numbers(&simulation.system.bodies[0].spans[0]);
        let (tension, ratio) = (of("tension"), of("compression ratio"));
        assert!((0..report.elements).all(|e| tension[e].is_nan() == tets.contains(&e) && ratio[e].is_nan() != tets.contains(&e)));
        assert!(of("stiffening factor").iter().all(|factor| *factor == 1.0));
        let carried = tension.iter().filter(|tension| !tension.is_nan()).map(|tension| tension.abs()).fold(0.0, f64::max);
        assert!(carried > 1e-4, "no spring carries anything: {carried}");

        // Restarted from a file, it takes the same steps to the bit.
        let folder = tempfile::tempdir().unwrap();
        for extension in ["vtu", "npz"] {
            let file = folder.path().join(format!("asset.{extension}"));
            simulation.prepared_asset().write(&file).unwrap();
            let mut again = build();
            again.restore(&PreparedAsset::read(&file).unwrap()).unwrap();
            let mut other = Simulation::build(&scene, &authored("hanging_beam").1, &Unwatched).unwrap();
            assert!(other.restore(&PreparedAsset::read(&file).unwrap()).unwrap_err().contains("elements of the scene"));
            let mut whole = build();
            whole.initialise(Method::SagFree, &Unwatched).unwrap();
            for _ in 0..3 {
                let (a, b) = (whole.step(&Unwatched).unwrap(), again.step(&Unwatched).unwrap());
                assert!(a.drift < 1e-9 && a.without_times() == b.without_times(), "{a:?} {b:?}");
            }
            assert_eq!(whole.state.positions, again.state.positions);
        }
    }
}

#[test]
fn an_unstable_pose_is_stiffened_with_the_springs_in_it() {
    let (mut scene, folder) = authored("hanging_beam");
    let mut initialised = |along: f64, cure: Cure| {
        scene.gravity = [along, 0.0, 0.0];
        scene.initialise.cure = cure;
        let mut simulation = Simulation::new(with_springs(&scene, &folder, true, true));
        simulation.initialise(Method::SagFree, &Unwatched).unwrap()
    };
    // Pressed against its support, harder and harder, a beam buckles before anything is too soft.
    let buckles = |along: &f64| {
        let report = initialised(*along, Cure::None);
        report.residual.balanced && report.stability.is_some_and(|found| found.verdict == Verdict::Unstable)
    };
    let along = (0..5).map(|step| -80.0 * 2f64.powi(step)).find(buckles).expect("no load buckles it");
    for cure in [Cure::UniformStiffening, Cure::LocalStiffening] {
        let report = initialised(along, cure);
        let stability = report.stability.unwrap();
        assert_eq!(stability.verdict, Verdict::Stable, "{cure:?}: {stability:?}");
        assert!(report.stiffened.elements > 0);
    }
}

/// Damping is that of the elements that have it, whatever their family, and explicit steps feel it too.
#[test]
fn what_damps_is_the_family_that_is_damped() {
    let (mut scene, folder) = authored("hanging_beam");
    scene.bodies[0].material.as_mut().unwrap().damping = 0.0;
    for (stepper, step_size) in [("backward_euler", 1e-2), ("symplectic_euler", 1e-6)] {
        scene.simulate.stepper = stepper.into();
        scene.simulate.step_size = step_size;
        for first in [false, true] {
            let mut system = with_springs(&scene, &folder, first, true);
            let springs = usize::from(!first);
            let dissipated = [false, true].map(|damped| {
                system.families[springs].set_damping(if damped { 0.05 } else { 0.0 });
                let mut simulation = Simulation::new(std::mem::take(&mut system));
                simulation.kick(nalgebra::Vector3::new(0.0, 0.1, 0.0));
                let damping = simulation.step(&Unwatched).unwrap().damping;
                system = std::mem::take(&mut simulation.system);
                damping
            });
            assert_eq!(dissipated[0], 0.0);
            assert!(dissipated[1] > 0.0, "{stepper}: nothing is damped");
        }
    }
}

/// What is in each element is the whole of the body.
#[test]
fn masses_of_elements_are_those_of_the_nodes() {
    let (scene, folder) = authored("hanging_beam");
    for first in [false, true] {
        let system = with_springs(&scene, &folder, first, true);
        let masses = element_masses(&system);
        let (elements, nodes): (f64, f64) = (masses.iter().flatten().sum(), system.masses.iter().sum());
        assert!((elements / nodes - 1.0).abs() < 1e-12, "{elements} {nodes}");
        assert!(masses.iter().flatten().all(|mass| *mass > 0.0));
    }
}

#[test]
fn too_soft_elements_of_any_family_are_named() {
    let (scene, folder) = authored("hanging_beam");
    for (first, owned) in [(false, true), (true, true), (true, false)] {
        let system = with_springs(&scene, &folder, first, owned);
        let springs = usize::from(!first);
        let why = Unattainable::TooSoft { attainable_share: 0.5 };
        let unattained =
            [(springs, 3), (1 - springs, 5), (springs, 9)].map(|(family, element)| Unattained { family, element, why: why.clone() });
        let found = too_soft(&system, &unattained, Enough { all: Some(2.1), ..Enough::default() });
        let tets = system.bodies[0].cells().len();
        let indices: Vec<Vec<usize>> = found.iter().map(|one| one.indices.clone()).collect();
        let expected = if owned { vec![vec![tets + 3, 5, tets + 9]] } else { vec![vec![5], vec![3, 9]] };
        assert_eq!(indices, expected);
        let ends = system.families[springs].nodes(3);
        let middle = 0.5 * (system.positions[ends[0] as usize] + system.positions[ends[1] as usize]);
        let alone = too_soft(&system, &unattained[..1], Enough::default());
        assert!((middle - nalgebra::Vector3::from(alone[0].place)).norm() < 1e-12);
        assert_eq!(alone[0].body.is_empty(), !owned);
    }
}
