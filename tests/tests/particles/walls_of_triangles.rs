//! Material points and obstacles of triangles, which stand and which are driven.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::scene::{Particles, SPACING, lattice, run};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::scene::Method;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

const CENTER: [f64; 3] = [0.2, -0.25, 0.2];
const SIZE: [f64; 3] = [1.4, 0.5, 1.4];

/// The text of an OBJ file.
fn obj(mesh: &TriangleMesh) -> String {
    let faces: String = mesh.triangles.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1)).collect();
    crate::scene::obj(&mesh.positions) + &faces
}

/// A floor with these keyframes: a box, or the triangles around one.
fn floor(points: &Particles, of_triangles: bool, keyframes: Value) -> Value {
    let shape = if of_triangles {
        let mesh = TriangleMesh::cuboid(&Vec3::from(CENTER), &Vec3::from(SIZE), [0.0; 3]);
        std::fs::write(points.folder.path().join("floor.obj"), obj(&mesh)).unwrap();
        json!({ "mesh": { "mesh": "floor.obj" } })
    } else {
        json!({ "box": { "center": CENTER, "size": SIZE } })
    };
    json!({ "name": "floor", "shape": shape, "friction": 0.5, "motion": { "keyframes": keyframes } })
}

/// What stands on the triangles around a box rests as on a box, and moves as there when it moves and turns.
#[test]
fn a_box_of_triangles_is_met_as_a_box() {
    let keyframes = json!([{ "time": 0.1 }, { "time": 0.6, "translate": [0.1, 0.05, 0], "rotate": { "axis": [0, 0, 1], "degrees": 20 } }]);
    let [a, b] = [false, true].map(|of_triangles| {
        let mut block = Particles::elastic(&lattice([8, 6, 8], 0.0), "neo_hookean");
        block.scene["obstacles"] = json!([floor(&block, of_triangles, keyframes.clone())]);
        let (mut simulation, report) = block.initialised(Method::SagFree);
        assert!(report.residual.balanced);
        let weight: f64 = simulation.system.masses.iter().sum::<f64>() * crate::scene::GRAVITY;
        let (drift, last) = run(&mut simulation, 0.1);
        assert!(drift < 1e-12 && (last.wall_force - weight * Vec3::y()).norm() < 1e-9 * weight, "{drift:e} {}", last.wall_force);
        run(&mut simulation, 0.3);
        simulation.state.positions[..384].to_vec()
    });
    let apart = a.iter().zip(&b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    println!("{apart:.1e} m apart");
    assert!(apart < 1e-9, "{apart:e}");
}

/// A ball of triangles is drawn through sand: what the sand gains of momentum is what gravity and walls give it, part of a step for part of a step, and the
/// ball is resisted.
#[test]
fn what_is_driven_through_sand_gives_what_the_sand_gains() {
    let mut sand = Particles::sand(&lattice([14, 6, 8], 0.0), 30.0);
    let ball = TriangleMesh::capsule(&Vec3::new(-0.3, 0.2, 0.2), &Vec3::new(-0.3, 0.2, 0.2), 0.12, 24);
    std::fs::write(sand.folder.path().join("ball.obj"), obj(&ball)).unwrap();
    sand.walls([0.7, 0.4]);
    let motion =
        json!({ "keyframes": [{ "time": 0 }, { "time": 0.5, "translate": [0.9, 0, 0], "rotate": { "axis": [0, 1, 0], "degrees": 90 } }] });
    let walls = sand.scene["obstacles"].as_array_mut().unwrap();
    walls.remove(1);
    walls.push(json!({ "name": "ball", "shape": { "mesh": { "mesh": "ball.obj" } }, "friction": 0.4, "motion": motion }));
    let mut simulation = sand.initialised(Method::Naive).0;
    let mass: f64 = simulation.system.masses.iter().sum();
    let (mut before, mut largest, mut error) = (Vec3::zeros(), Vec3::zeros(), 0.0_f64);
    for _ in 0..50 {
        let step = simulation.step(&Unwatched).unwrap();
        let given = 0.01 * (step.wall_force - mass * crate::scene::GRAVITY * Vec3::y());
        error = error.max((step.momentum - before - given).norm());
        largest = largest.sup(&step.wall_force);
        before = step.momentum;
    }
    println!("{error:.1e} N s untold, at most {largest:?} N");
    assert!(error < 1e-12 * mass * crate::scene::GRAVITY, "{error:e}");
    assert!(largest.x > 0.05 * mass * crate::scene::GRAVITY, "{largest}");
}

/// What has no inside, and what points are in, is told with its place.
#[test]
fn what_keeps_no_points_out_is_refused() {
    let told = |change: &dyn Fn(&mut TriangleMesh), words: &[&str]| {
        let mut block = Particles::elastic(&lattice([8, 6, 8], 0.0), "neo_hookean");
        block.scene["obstacles"] = json!([floor(&block, true, json!([{ "time": 0.0 }]))]);
        let mut mesh = TriangleMesh::cuboid(&Vec3::from(CENTER), &Vec3::from(SIZE), [0.0; 3]);
        change(&mut mesh);
        std::fs::write(block.folder.path().join("floor.obj"), obj(&mesh)).unwrap();
        let problems = block.problems();
        assert!(problems.len() == 1 && problems[0].starts_with("obstacles[0].shape"), "{problems:?}");
        assert!(words.iter().all(|word| problems[0].contains(word)), "{problems:?}");
    };
    told(&|mesh| _ = mesh.triangles.pop(), &["open at 3 edges", "close the holes"]);
    told(&|mesh| mesh.positions.iter_mut().for_each(|x| x.y += 0.1), &["128 material points start inside", "move the body"]);
}

/// Plates as thick as two cells, of every kind, wherever the nodes are in them: what falls on one is caught. Thinner ones are refused by name, as points
/// would pass through (and through one and a half cells they do).
#[test]
fn plates_catch_what_falls_on_them_or_are_refused() {
    let cell = 2.0 * SPACING;
    let plate = |kind: usize, thick: f64, top: f64| {
        let mut block = Particles::elastic(&lattice([6, 4, 6], 0.0), "neo_hookean");
        let (center, size) = ([0.2, top - 0.5 * thick, 0.2], [1.4, thick, 1.4]);
        let shape = if kind == 1 {
            let mesh = TriangleMesh::cuboid(&Vec3::from(center), &Vec3::from(size), [0.0; 3]);
            std::fs::write(block.folder.path().join("plate.obj"), obj(&mesh)).unwrap();
            json!({ "mesh": { "mesh": "plate.obj" } })
        } else {
            json!({ "box": { "center": center, "size": size } })
        };
        block.scene["obstacles"] = json!([{ "name": "plate", "shape": shape, "friction": 0.5 }]);
        block.scene["bodies"][0]["velocity"] = json!([0.0, -2.0, 0.0]);
        block
    };
    let mut random = Random::new(8);
    for kind in [0, 1] {
        for _ in 0..3 {
            let top = -random.uniform(1.0, 2.0) * cell;
            let mut simulation = plate(kind, 2.0 * cell, top).initialised(Method::Naive).0;
            run(&mut simulation, 0.6);
            let low = simulation.state.positions[..144].iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
            assert!(low > top - cell, "{low} below {top}");
        }
        let problems = plate(kind, 1.9 * cell, -cell).problems().join("\n");
        let words =
            ["simulate.stepper", "the obstacle `plate`, 1.900e-1 m thick", "less than 2 cells of 1.000e-1 m", "simulate.grid.spacing"];
        assert!(words.iter().all(|word| problems.contains(word)), "{problems}");
    }
    let ball = |radius: f64| {
        let mut block = plate(0, 0.5, 0.0);
        block.scene["obstacles"][0]["shape"] = json!({ "sphere": { "center": [0.2, -0.3, 0.2], "radius": radius } });
        block.problems().join("\n")
    };
    assert_eq!(ball(1.1 * cell), "");
    assert!(ball(0.9 * cell).contains("1.800e-1 m thick"));
}
