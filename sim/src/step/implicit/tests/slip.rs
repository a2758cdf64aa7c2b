//! Nodes that slip along a plane of the axes keep one coordinate to the last bit.

use serde_json::json;

use super::*;
use crate::step::{STEPPERS, stepper};

/// A cube whose sole may slip on the plane y = 3 alone (Li et al. 2024, 6.1), drawn along and out of the plane.
fn cube_on_a_plane() -> System {
    let scene = json!({
        "version": 1,
        "name": "slip",
        "gravity": [3.0, 9.81, -1.0],
        "bodies": [{
            "name": "cube",
            "mesh": "../assets/cube.mesh",
            "transform": { "translate": [0.3, 3.0, -0.2] },
            "material": { "law": "neo_hookean", "young": 20000.0, "poisson": 0.4, "density": 1000 },
            "regions": [{
                "name": "sole",
                "role": { "dirichlet": { "slip": [0, 1, 0] } },
                "select": [{ "height": { "axis": "y", "from": 0, "to": 0 } }]
            }]
        }]
    });
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/slip.json");
    let scene = crate::scene_file::parse(&scene.to_string(), &file).unwrap();
    System::build(&scene, file.parent().unwrap(), &Unwatched).unwrap()
}

#[test]
fn the_coordinate_across_a_plane_of_slip_is_constant_for_every_stepper() {
    let mut system = cube_on_a_plane();
    let sole: Vec<usize> = system.slides.iter().map(|(node, _)| *node as usize).collect();
    assert_eq!(sole.len(), 36);
    for entry in STEPPERS.iter().filter(|entry| entry.name != "quasi_static") {
        if (entry.needs)(&system).is_err() {
            continue;
        }
        let explicit = entry.name.ends_with("_euler") && entry.name != "backward_euler";
        let (step_size, steps) = if explicit { (2e-4, 20) } else { (H, 10) };
        system.simulate.stepper = entry.name.into();
        let mut stepper = (stepper(entry.name).unwrap().make)();
        stepper.warm_start(&system, &Balance::default());
        let mut state = State::at_rest(&system);
        for _ in 0..steps {
            stepper.step(&mut system, &mut state, step_size, &Unwatched).unwrap();
        }
        for &n in &sole {
            assert_eq!((state.positions[n].y, state.velocities[n].y), (3.0, 0.0), "{}: node {n}", entry.name);
        }
        let moved: Vec3 = sole.iter().map(|&n| state.positions[n] - system.positions[n]).sum();
        assert!(moved.x > 0.0 && moved.z < 0.0, "{}: the sole is held: {moved}", entry.name);
        let rest = (0..system.positions.len()).filter(|n| !sole.contains(n));
        assert!(rest.map(|n| state.positions[n].y - system.positions[n].y).sum::<f64>() > 0.0, "{}: nothing is drawn up", entry.name);
    }
}
