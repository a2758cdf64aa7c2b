//! Where bodies that lie on one another touch: inside of their surfaces, as deep everywhere on flat faces, on the fewest nodes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;

use aplomb_sim::math::Vec3;
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use serde_json::json;

/// Cubes of 0.2 m on one another, turned alike: a vertex inside of a face hangs on two nodes, along an edge on three at most, at a corner on
/// four, and every point is as deep behind each face of its vertex as all others are.
#[test]
fn points_of_boxes_are_equally_deep_and_hang_on_few_nodes() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../scenes"));
    for turn in [[0.0, 0.0, 0.0], [20.0, 35.0, -50.0]] {
        let up = aplomb_sim::math::rotation(turn) * Vec3::new(0.0, 0.2, 0.0);
        let cube = |name: &str, corner: Vec3| {
            json!({
                "name": name, "mesh": "../assets/cube.mesh",
                "transform": { "translate": [corner.x, corner.y, corner.z], "rotate_degrees": turn },
                "material": { "law": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000 },
            })
        };
        let scene = json!({ "version": 1, "name": "two cubes", "bodies": [cube("low", Vec3::zeros()), cube("high", up)] });
        let scene = scene_file::parse(&scene.to_string(), &folder.join("cubes.json")).unwrap_or_else(|problems| panic!("{problems:?}"));
        let system = Simulation::build(&scene, folder, &Unwatched).unwrap().system;
        let (points, x) = (&system.surface.points, &system.positions);
        let at = points.of(x);
        let depth = points.depth;
        assert!((depth / (0.5 * system.contact.barrier_distance * system.diagonal) - 1.0).abs() < 1e-12);
        let mut counts = [0; 5];
        for body in &system.bodies {
            let first = x[body.nodes.start];
            for n in body.nodes.clone() {
                // In the cube's own frame its faces are at 0 and 0.2 m along each axis.
                let own = |p: &Vec3| aplomb_sim::math::rotation(turn).transpose() * (p - first);
                let (vertex, point) = (own(&x[n]), own(&at[n]));
                let faces: Vec<f64> = (0..3)
                    .flat_map(|k| [(vertex[k], point[k]), (0.2 - vertex[k], 0.2 - point[k])])
                    .filter(|(v, _)| v.abs() < 1e-9)
                    .map(|(_, p)| p)
                    .collect();
                assert_eq!(faces.is_empty(), !points.is_inset(n as u32));
                assert!(faces.iter().all(|behind| (behind / depth - 1.0).abs() < 2e-3), "{vertex} {point}");
                let shares: Vec<(u32, f64)> = points.shares(n as u32).collect();
                assert!((shares.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-14);
                assert!(shares.iter().all(|(node, weight)| body.nodes.contains(&(*node as usize)) && (0.0..=1.0).contains(weight)));
                assert!(shares.len() <= faces.len() + 1, "{vertex}: {shares:?}");
                counts[shares.len()] += 1;
            }
        }
        println!("{counts:?}");
        assert!(counts[2] >= 2 * 6 * 16);
    }
}
