//! The stiffness field of a body: what it does to solids and springs, that it is nothing where it is 1, and where it goes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aplomb_sim::bodies::select::fingerprint;
use aplomb_sim::bodies::transfer::transfer_regions;
use aplomb_sim::export::PreparedAsset;
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Block, Blocks};
use serde_json::{Value, json};

/// A block that hangs from its top.
fn hanging(cells: [usize; 3]) -> Blocks {
    let mut block = Block::jelly([0.2, 0.3, 0.2], cells, [0.0, 0.5, 0.0], 5e4);
    block.regions =
        json!([{ "name": "top", "role": { "dirichlet": {} }, "select": [{ "height": { "axis": "y", "from": 1.0, "to": 1.0 } }] }]);
    Blocks::new(&[block], &json!({}))
}

/// A factor for each vertex, smooth in space.
fn factor(x: &Vec3) -> f64 {
    (8.0 * (x.y - 0.5) + 3.0 * x.x).exp()
}

fn field(system: &System, factor: impl Fn(&Vec3) -> f64) -> Value {
    let positions = &system.bodies[0].mesh.positions;
    json!({ "vertices": (0..positions.len()).collect::<Vec<_>>(), "factors": positions.iter().map(factor).collect::<Vec<_>>() })
}

/// Energy of each element where the vertices are pushed about by up to so much [m].
fn energies(system: &System, push: f64, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let x: Vec<Vec3> = system.positions.iter().map(|p| p + push * random.vector(-1.0, 1.0)).collect();
    system.families.iter().map(|family| family.energy(&x)).collect()
}

#[test]
fn a_field_of_ones_is_no_field_to_the_bit_and_one_of_fours_is_a_stiffness_of_four() {
    let mut blocks = hanging([3, 4, 3]);
    let plain = blocks.build().unwrap();
    let given = blocks.scene.clone();
    blocks.scene["bodies"][0]["stiffness_field"] = field(&plain.system, |_| 1.0);
    let ones = blocks.build().unwrap();
    blocks.scene["bodies"][0]["stiffness_field"] = field(&plain.system, |_| 4.0);
    let fours = blocks.build().unwrap();
    blocks.scene = given;
    blocks.scene["bodies"][0]["material"]["young"] = json!(2e5);
    let stiff = blocks.build().unwrap();
    for seed in 0..4 {
        let of = |simulation: &Simulation| energies(&simulation.system, 1e-3, seed);
        assert_eq!(of(&plain), of(&ones));
        for (a, b) in of(&fours).iter().zip(of(&stiff)) {
            assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
        }
        assert!(of(&fours)[0] > 3.9 * of(&plain)[0]);
    }
    assert_eq!(plain.system.masses, fours.system.masses, "it weighs what it did");
}

/// Springs by their ends, in any network: the energy of a spring grows by the geometric mean of the factors there.
#[test]
fn springs_have_the_geometric_mean_of_their_ends() {
    let mut blocks = hanging([2, 2, 2]);
    let body = &mut blocks.scene["bodies"][0];
    body.as_object_mut().unwrap().remove("material");
    body["as"] = json!({ "springs": { "stiffness": 100.0, "mass": { "per_node": 0.01 } } });
    let plain = blocks.build().unwrap();
    blocks.scene["bodies"][0]["stiffness_field"] = field(&plain.system, factor);
    let painted = blocks.build().unwrap();
    let positions = &plain.system.bodies[0].mesh.positions;
    let mut random = Random::new(3);
    let x: Vec<Vec3> = plain.system.positions.iter().map(|p| p + 0.01 * random.vector(-1.0, 1.0)).collect();
    let forces = |simulation: &Simulation| {
        let mut gradient = vec![Vec3::zeros(); x.len()];
        simulation.system.families[0].add_gradient(&x, &mut gradient);
        gradient
    };
    // What a spring pulls is what it pulled, times its factor.
    let mut expected = vec![Vec3::zeros(); x.len()];
    for &[a, b] in plain.system.bodies[0].mesh.lines() {
        let [a, b] = [a, b].map(|v| v as usize);
        let (edge, rest) = (x[b] - x[a], (positions[b] - positions[a]).norm());
        let mean = (factor(&positions[a]) * factor(&positions[b])).sqrt();
        let pull = mean * 100.0 * (edge.norm() - rest) * edge.normalize();
        expected[a] -= pull;
        expected[b] += pull;
    }
    for (found, expected) in forces(&painted).iter().zip(&expected) {
        assert!((found - expected).norm() < 1e-9, "{found:?} {expected:?}");
    }
    assert!(forces(&plain).iter().zip(&expected).any(|(a, b)| (a - b).norm() > 1e-3));
}

#[test]
fn it_holds_its_shape_is_told_and_restarts_to_the_bit() {
    let mut blocks = hanging([3, 4, 3]);
    let plain = blocks.build().unwrap();
    blocks.scene["bodies"][0]["stiffness_field"] = field(&plain.system, factor);
    let mut simulation = blocks.build().unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.outcome.holds && report.residual.after < 1e-8, "{:?}", report.outcome);
    let told = report.stiffness_field.unwrap();
    let all: Vec<f64> = plain.system.bodies[0].mesh.positions.iter().map(factor).collect();
    let (least, most) = all.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &f| (low.min(f), high.max(f)));
    assert!(least < told.min && told.min < told.mean && told.mean < told.max && told.max < most, "{told:?} within {least} {most}");
    let asset = simulation.prepared_asset();
    let young: Vec<f64> = asset.young.clone();
    assert!((young.iter().copied().fold(0.0, f64::max) / (5e4 * told.max) - 1.0).abs() < 1e-12, "the asset has the moduli as they are");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("asset.npz");
    asset.write(&file).unwrap();
    let mut restarted = blocks.build().unwrap();
    restarted.restore(&PreparedAsset::read(&file).unwrap()).unwrap();
    for seed in 0..3 {
        assert_eq!(energies(&restarted.system, 1e-3, seed), energies(&simulation.system, 1e-3, seed));
    }
    // Another field is another scene, and none is one as well.
    blocks.scene["bodies"][0]["stiffness_field"]["factors"][5] = json!(3.0);
    let refused = blocks.build().unwrap().restore(&PreparedAsset::read(&file).unwrap()).unwrap_err().to_string();
    assert!(refused.contains("materials") || refused.contains("stiffness_field"), "{refused}");
    blocks.scene["bodies"][0].as_object_mut().unwrap().remove("stiffness_field");
    assert!(blocks.build().unwrap().restore(&PreparedAsset::read(&file).unwrap()).is_err());
}

#[test]
fn it_is_found_again_on_another_mesh() {
    let (coarse, fine) = (hanging([4, 6, 4]), hanging([7, 9, 6]));
    let old = coarse.build().unwrap();
    let mut scene = aplomb_sim::scene_file::load(&coarse.write()).unwrap();
    let given = &old.system.bodies[0].mesh;
    let factors: Vec<f64> = given.positions.iter().map(factor).collect();
    scene.bodies[0].stiffness_field = aplomb_sim::scene::StiffnessField::of(&factors);
    scene.bodies[0].painted_on = Some(fingerprint(given));
    let file = fine.write();
    let moved = transfer_regions(&scene, file.parent().unwrap(), &[("block 0", given)], &Unwatched).unwrap().expect("it changes");
    let now = fine.build().unwrap();
    let mesh = &now.system.bodies[0].mesh;
    assert_eq!(moved.bodies[0].painted_on, Some(fingerprint(mesh)));
    let found = moved.bodies[0].stiffness_field.as_ref().unwrap().factors(mesh.positions.len());
    // The logarithm is linear in space, so that interpolation is exact on the surface.
    for &v in &mesh.surface_vertices() {
        let (found, expected) = (found[v as usize], factor(&mesh.positions[v as usize]));
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected} at {:?}", mesh.positions[v as usize]);
    }
}

#[test]
fn what_does_not_fit_is_said() {
    let mut blocks = hanging([2, 2, 2]);
    for (field, path) in [
        (json!({ "vertices": [0, 1], "factors": [2.0] }), "stiffness_field.factors"),
        (json!({ "vertices": [0, 4000], "factors": [2.0, 2.0] }), "stiffness_field.vertices[1]"),
        (json!({ "vertices": [0], "factors": [0.0] }), "stiffness_field.factors[0]"),
    ] {
        blocks.scene["bodies"][0]["stiffness_field"] = field;
        let file = blocks.write();
        let problems = match aplomb_sim::scene_file::load(&file) {
            Err(problems) => problems,
            Ok(scene) => Simulation::build(&scene, file.parent().unwrap(), &Unwatched).err().expect("it is refused").0,
        };
        assert!(problems.iter().any(|problem| problem.path.ends_with(path)), "{path}: {problems:?}");
    }
}
