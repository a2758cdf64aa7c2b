//! Rest meshes as another program would use them: through files, as an ordinary mesh of a naive scene.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;

use aplomb_sim::contact::Balance;
use aplomb_sim::export::PreparedAsset;
use aplomb_sim::export::prepared;
use aplomb_sim::math::Vec3;
use aplomb_sim::rest_shape::{self, RestMethod};
use aplomb_sim::scene::{Method, Scene, Selector};
use aplomb_sim::scene_file::gallery;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;

/// The scene of that name with absolute paths, to be started naively.
fn naive(name: &str) -> Scene {
    let path = gallery::find(name).unwrap().path();
    let mut scene = aplomb_sim::scene_file::load(&path).unwrap_or_else(|problems| panic!("{problems:?}"));
    for mesh in scene.mesh_files_mut() {
        *mesh = path.parent().unwrap().join(&mesh).canonicalize().unwrap().to_str().unwrap().to_owned();
    }
    scene.initialise.method = Method::Naive;
    scene
}

fn built(scene: &Scene) -> Simulation {
    let mut simulation = Simulation::build(scene, Path::new(""), &Unwatched).unwrap();
    simulation.initialise(scene.initialise.method, &Unwatched).unwrap();
    simulation
}

/// Finds the rest shape of `scene`, writes it to a file in `folder`, and names it in the scene.
fn with_rest_mesh(scene: &Scene, method: RestMethod, folder: &Path) -> Scene {
    with_rest_mesh_and_forces(scene, method, folder).0
}

/// The same, and the contact forces that the rest shape counts on.
fn with_rest_mesh_and_forces(scene: &Scene, method: RestMethod, folder: &Path) -> (Scene, Balance) {
    let system = System::build(scene, Path::new(""), &Unwatched).unwrap();
    let found = rest_shape::find(&system, method, &Unwatched).unwrap();
    println!("{}: {:?}", scene.name, found.report);
    assert_eq!(found.report.exists, method == RestMethod::Inverse);
    let mut scene = scene.clone();
    let target = folder.join("rest.mesh");
    let files = rest_shape::write_meshes((&scene, Path::new("")), &system, &found.positions, &target, &Unwatched).unwrap();
    for (body, file) in scene.bodies.iter_mut().zip(&files) {
        body.rest_mesh = Some(file.to_str().unwrap().to_owned());
    }
    (scene, found.balance)
}

/// Largest drift from the given shape in `seconds`, over the diagonal, of a naive run that solves once a step at least.
fn drift(scene: &Scene, seconds: f64) -> f64 {
    drift_of(&mut built(scene), seconds)
}

fn drift_of(simulation: &mut Simulation, seconds: f64) -> f64 {
    let steps = (seconds / simulation.system.simulate.step_size).round() as usize;
    (0..steps)
        .map(|_| simulation.step(&Unwatched).unwrap())
        .inspect(|stats| assert!(stats.iterations > 0))
        .map(|stats| stats.drift)
        .fold(0.0, f64::max)
}

/// Where the rest mesh comes to rest when it starts there, an ordinary mesh like any other: distance from `pose` over the diagonal.
/// Without friction, which would hold it on the way, and with a ground that pushes nothing that does not touch it.
fn settles(scene: &Scene, pose: &[Vec3]) -> f64 {
    let fixed = System::build(scene, Path::new(""), &Unwatched).unwrap().fixed;
    let mut scene = scene.clone();
    let [body] = scene.bodies.as_mut_slice() else { panic!("one body") };
    body.mesh = body.rest_mesh.take().unwrap();
    // A height is a share of the extent, which the rest mesh has another of: the same vertices are to be held.
    body.regions[0].select = vec![Selector::Vertices((0..).zip(&fixed).filter(|(_, fixed)| **fixed).map(|(n, _)| n).collect())];
    scene.obstacles.iter_mut().for_each(|obstacle| obstacle.friction = 0.0);
    scene.contact.friction = 0.0;
    scene.contact.barrier_distance = 1e-7;
    scene.simulate.stepper = "quasi_static".into();
    scene.simulate.step_size = 0.1;
    scene.simulate.ramp = 1.0;
    let mut simulation = built(&scene);
    let start = simulation.state.positions.clone();
    for _ in 0..12 {
        simulation.step(&Unwatched).unwrap();
    }
    let distance = |a: &[Vec3]| a.iter().zip(pose).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max) / simulation.system.diagonal;
    assert!(distance(&start) > 1e-2, "it starts somewhere else");
    distance(&simulation.state.positions)
}

/// What the inverse promises, and beside it the paper's estimate.
fn check(name: &str, seconds: f64) {
    let folder = tempfile::tempdir().unwrap();
    let scene = naive(name);
    let pose = System::build(&scene, Path::new(""), &Unwatched).unwrap().positions;
    let inverse = with_rest_mesh(&scene, RestMethod::Inverse, folder.path());
    let (held, settled) = (drift(&inverse, seconds), settles(&inverse, &pose));
    let estimated = drift(&with_rest_mesh(&scene, RestMethod::Estimate, folder.path()), seconds);
    println!("{name}: drift in {seconds} s {held:.1e}, settles {settled:.1e} away; the estimate drifts {estimated:.1e}");
    assert!(held <= 1e-6, "{name} drifts {held:e}");
    assert!(settled <= 1e-6, "{name} settles {settled:e} away");
    assert!(estimated > 100.0 * held, "{name}: the estimate drifts {estimated:e}");
}

#[test]
fn hanging_beam_holds_and_settles_in_the_given_shape() {
    check("hanging_beam", 2.0);
}

#[test]
fn creature_holds_and_settles_in_the_given_shape() {
    check("creature", 2.0);
}

/// 100 000 tets, with arms that bend by a fifth of the diagonal: without continuation in the load.
#[test]
fn octopus_has_a_rest_mesh_after_a_few_iterations() {
    let system = System::build(&naive("octopus"), Path::new(""), &Unwatched).unwrap();
    let report = rest_shape::find(&system, RestMethod::Inverse, &Unwatched).unwrap().report;
    println!("octopus: {report:?}");
    assert!(report.exists && report.residual <= 1e-8 && report.iterations <= 10, "{report:?}");
}

/// Hsu et al. 2022, fig. 14.
#[test]
fn fig14_inverse_holds_and_settles_in_the_given_shape() {
    check("fig14_inverse", 2.0);
}

/// A body that only contact holds. Elastic forces and friction are in balance with it from the start; a naive ground pushes only after
/// the body has sunk into its barrier's distance, unless the contact forces come along in a prepared asset.
#[test]
fn jelly_on_table_holds_with_its_contact_forces() {
    let folder = tempfile::tempdir().unwrap();
    let scene = naive("jelly_on_table");
    let (inverse, balance) = with_rest_mesh_and_forces(&scene, RestMethod::Inverse, folder.path());
    let mut simulation = Simulation::build(&inverse, Path::new(""), &Unwatched).unwrap();
    let file = folder.path().join("rest.vtu");
    prepared::to_asset(&simulation.system, &balance).write(&file).unwrap();
    simulation.restore(&PreparedAsset::read(&file).unwrap()).unwrap();
    let held = drift_of(&mut simulation, 2.0);
    let (sunk, sagged) = (drift(&inverse, 0.5), drift(&scene, 0.5));
    println!("jelly_on_table: drift {held:.1e} with its contact forces, {sunk:.1e} without, {sagged:.1e} without a rest mesh");
    assert!(held <= 1e-6, "{held:e}");
    let barrier = simulation.system.contact.barrier_distance;
    assert!(sunk < 2.0 * barrier && sunk < 0.1 * sagged, "{sunk:e}, of {sagged:e}; the barrier begins at {barrier:e}");
}

/// A file in centimetres with z up, turned and scaled: the rest mesh speaks the file's language.
#[test]
fn unit_up_axis_and_transform_apply_to_the_rest_mesh_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = naive("hanging_beam");
    let body = &mut scene.bodies[0];
    (body.unit, body.up) = (aplomb_sim::scene::Unit::Centimetre, aplomb_sim::scene::UpAxis::Z);
    body.transform.scale = 100.0;
    body.transform.rotate_degrees = [50.0, 0.0, 0.0];
    body.transform.translate = [1.0, 2.0, -3.0];
    let inverse = with_rest_mesh(&scene, RestMethod::Inverse, folder.path());
    let mut simulation = Simulation::build(&inverse, Path::new(""), &Unwatched).unwrap();
    let init = simulation.initialise(Method::Naive, &Unwatched).unwrap();
    assert!(init.residual.after < 1e-7, "{:?}", init.residual);
    assert_eq!(init.residual.before, init.residual.after);

    // And as a prepared asset, which starts without the rest mesh's file.
    let asset = simulation.prepared_asset();
    let file = folder.path().join("asset.vtu");
    asset.write(&file).unwrap();
    simulation.restore(&PreparedAsset::read(&file).unwrap()).unwrap();
    let largest = (0..10).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
    assert!(largest < 1e-6, "{largest:e}");
}

/// The sag-free method chooses rest states of its own for the masses of the rest mesh.
#[test]
fn a_rest_mesh_does_not_hinder_the_sag_free_method() {
    let folder = tempfile::tempdir().unwrap();
    let scene = with_rest_mesh(&naive("hanging_beam"), RestMethod::Inverse, folder.path());
    let mut simulation = Simulation::build(&scene, Path::new(""), &Unwatched).unwrap();
    let init = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(init.residual.after < 1e-8, "{:?}", init.residual);
}

#[test]
fn a_rest_mesh_that_does_not_fit_is_an_error_with_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene = naive("hanging_beam");
    let text = std::fs::read_to_string(&scene.bodies[0].mesh).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let tets = lines.iter().position(|line| *line == "Tetrahedra").unwrap();
    let refused = |name: &str, edit: &dyn Fn(&mut Vec<String>)| {
        let mut edited: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        edit(&mut edited);
        let file = folder.path().join(name);
        std::fs::write(&file, edited.join("\n")).unwrap();
        let mut scene = scene.clone();
        scene.bodies[0].rest_mesh = Some(file.to_str().unwrap().to_owned());
        let problem = System::build(&scene, Path::new(""), &Unwatched).err().unwrap().to_string();
        assert!(problem.contains("bodies[0].rest_mesh") && problem.contains(name), "{problem}");
        problem
    };
    let few = refused("few.mesh", &|lines| {
        lines.remove(tets + 2);
        lines[tets + 1] = (lines[tets + 1].parse::<usize>().unwrap() - 1).to_string();
    });
    assert!(few.contains("tets, but"), "{few}");
    let other = refused("other.mesh", &|lines| lines.swap(tets + 2, tets + 3));
    assert!(other.contains("its tet 0 has other corners"), "{other}");
    let flat = refused("flat.mesh", &|lines| {
        let first = lines.iter().position(|line| line == "Vertices").unwrap() + 2;
        lines.swap(first, first + 500);
    });
    assert!(flat.contains("no volume or are inverted"), "{flat}");
    let missing = {
        let mut scene = scene.clone();
        scene.bodies[0].rest_mesh = Some("nowhere.mesh".into());
        System::build(&scene, Path::new(""), &Unwatched).err().unwrap().to_string()
    };
    assert!(missing.contains("bodies[0].rest_mesh") && missing.contains("nowhere.mesh"), "{missing}");
}
