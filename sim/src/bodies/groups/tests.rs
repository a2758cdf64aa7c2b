//! Bodies of groups: their masses and volumes, and those of four particles against tets, through whole runs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::mesh::TetMesh;
use crate::mesh::structured::{CubeCut, box_mesh};
use crate::scene::{KindSettings, Method, Scene};
use crate::scene_file::{gallery, load};
use crate::simulation::Simulation;
use crate::watch::Unwatched;

fn matter_of(settings: &Value) -> GroupMatter {
    let body: Body = serde_json::from_value(json!({ "name": "b", "mesh": "b.mesh", "as": { "groups": settings } })).unwrap();
    GroupMatter { settings: settings_of(&body).unwrap(), factors: Vec::new() }
}

fn material() -> Value {
    json!({ "law": "stable_neo_hookean", "young": 2e5, "poisson": 0.4, "density": 1000.0 })
}

fn bar() -> BodyMesh {
    let (positions, tets) = box_mesh(Vec3::new(0.6, 0.2, 0.2), [6, 2, 2], CubeCut::Five);
    TetMesh::from_tets(positions, tets).unwrap().into()
}

/// Volumes add up to the body's, masses to its mass, whatever the groups are.
#[test]
fn volumes_and_masses_add_up() {
    let mut mesh = bar();
    for (of, count) in [("tets", 24 * 5), ("rings", 7 * 9), ("spheres", 7 * 9)] {
        let size = (of == "spheres").then_some(0.15);
        let mut settings = json!({ "material": material(), "of": of });
        if let Some(size) = size {
            settings["size"] = json!(size);
        }
        let matter = matter_of(&settings);
        mesh.clusters = match of {
            "rings" => rings::rings(&mesh),
            "spheres" => rings::spheres(&mesh, 0.15).unwrap(),
            _ => crate::mesh::Clusters::default(),
        };
        let volume: f64 = matter.groups(&mesh, &mesh.positions).iter().map(|(_, volume)| volume).sum();
        assert!((volume - 0.024).abs() < 1e-15, "{of}: {volume}");
        let mass: f64 = matter.masses(&mesh, &mesh.positions).iter().sum();
        assert!((mass - 24.0).abs() < 1e-12, "{of}: {mass}");
        let families = matter.elements(&mesh, &mesh.positions, &mesh.positions).unwrap();
        assert_eq!(families.iter().map(|family| family.len()).sum::<usize>(), count, "{of}");
        let rest: f64 = families.iter().flat_map(|family| family.rest_volumes()).sum();
        assert!((rest - 0.024).abs() < 1e-15);
    }
}

fn hanging_beam(groups: bool, of: &str) -> (Scene, std::path::PathBuf) {
    let path = gallery::find("hanging_beam").unwrap().path();
    let mut scene = load(&path).unwrap();
    let body = &mut scene.bodies[0];
    if groups {
        let material = body.material.take().unwrap();
        body.kind = Some(KindSettings::new(NAME, &json!({ "material": material, "of": of })));
    }
    (scene, path.parent().map(Path::to_path_buf).unwrap())
}

/// Groups of the corners of tets are those tets: balance, verdict and path are the same to round-off.
#[test]
fn a_body_of_groups_of_tets_is_the_solid() {
    let run = |groups: bool, method: Method| {
        let (scene, folder) = hanging_beam(groups, "tets");
        let mut simulation = Simulation::build(&scene, &folder, &Unwatched).unwrap();
        let report = simulation.initialise(method, &Unwatched).unwrap();
        for _ in 0..5 {
            simulation.step(&Unwatched).unwrap();
        }
        (report, simulation.state.positions.clone(), simulation.system.diagonal)
    };
    for method in [Method::SagFree, Method::Naive] {
        let (solid, expected, size) = run(false, method);
        let (groups, found, _) = run(true, method);
        assert_eq!(solid.elements, groups.elements);
        assert!((solid.residual.after - groups.residual.after).abs() < 1e-9);
        assert_eq!(solid.outcome.holds, groups.outcome.holds);
        let furthest = expected.iter().zip(&found).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(furthest < 1e-8 * size, "{method:?}: {furthest}");
    }
}

/// Rings see less than the nodes can do; what is left carries forces of its own, and with them there is a balance that holds.
#[test]
fn rings_hold_their_shape_sag_free() {
    let (scene, folder) = hanging_beam(true, "rings");
    let mut simulation = Simulation::build(&scene, &folder, &Unwatched).unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after < 1e-9, "{:?}", report.residual);
    assert!(report.outcome.holds, "{:?}", report.outcome);
}

#[test]
fn what_does_not_fit_is_said_with_its_path() {
    let problems = |settings: Value| {
        let body: Body = serde_json::from_value(json!({ "name": "b", "mesh": "b.mesh", "as": { "groups": settings } })).unwrap();
        check(&body, "bodies[0]").into_iter().map(|problem| (problem.path, problem.message)).collect::<Vec<_>>()
    };
    assert_eq!(problems(json!({ "material": material(), "of": "tets" })), []);
    let path = |settings: Value| problems(settings).into_iter().map(|(path, _)| path).collect::<Vec<_>>();
    assert_eq!(path(json!({ "material": material(), "of": "cells" })), ["bodies[0].as.groups.size"]);
    assert_eq!(path(json!({ "material": material(), "of": "rings", "size": 1.0 })), ["bodies[0].as.groups.size"]);
    let mut other = material();
    other["law"] = json!("jelly");
    assert_eq!(path(json!({ "material": other, "of": "tets" })), ["bodies[0].as.groups.material.law"]);
    other["law"] = json!("stable_neo_hookean");
    other["poisson"] = json!(-0.2);
    assert_eq!(path(json!({ "material": other, "of": "tets" })), ["bodies[0].as.groups.material.poisson"]);
    assert!(rings::spheres(&bar(), 0.05).unwrap_err().contains("larger"));
    // The bar has few vertices, so that a sphere may hold all of them; of more it may not.
    assert_eq!(rings::spheres(&bar(), 3.0).unwrap().len(), bar().positions.len());
    let (positions, tets) = box_mesh(Vec3::repeat(0.1), [6; 3], CubeCut::Five);
    let fine: BodyMesh = TetMesh::from_tets(positions, tets).unwrap().into();
    assert!(rings::spheres(&fine, 3.0).unwrap_err().contains("smaller"));
}
