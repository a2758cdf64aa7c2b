#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value, json};

use super::*;
use crate::math::{Mat3, bounding_box};
use crate::scene_file;
use crate::system::loads::area_vector;
use crate::watch::Unwatched;

/// A cube of jelly that stands on y = 0, held, moved and loaded by `regions`.
fn cube(name: &str, at: [f64; 3], regions: Value) -> Value {
    json!({
        "name": name,
        "mesh": "../assets/jelly_box.mesh",
        "transform": { "translate": at },
        "material": { "law": "neo_hookean", "young": 15000.0, "poisson": 0.4, "density": 1000 },
        "regions": regions
    })
}

fn region(name: &str, role: Value, axis: &str, from: f64, to: f64) -> Value {
    json!({ "name": name, "role": role, "select": [{ "height": { "axis": axis, "from": from, "to": to } }] })
}

/// Builds a scene whose files lie in `folder`; problems as "path: message".
fn build_in(folder: &Path, scene: Value) -> Result<System, Vec<String>> {
    let mut scene = scene;
    scene["version"] = json!(1);
    scene["name"] = json!("test");
    let scene = scene_file::parse(&scene.to_string(), &folder.join("scene.json")).unwrap_or_else(|problems| panic!("{problems:?}"));
    let problems = |error: BuildError| error.0.iter().map(|p| format!("{}: {}", p.path, p.message)).collect();
    System::build(&scene, folder, &Unwatched).map_err(problems)
}

fn build(scene: Value) -> Result<System, Vec<String>> {
    build_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes"), scene)
}

/// Length of the cube's edges [m].
fn edge() -> f64 {
    let system = build(json!({ "bodies": [cube("jelly", [0.0; 3], json!([]))] })).unwrap();
    let (low, high) = bounding_box(&system.positions);
    (high - low).y
}

#[test]
fn a_scene_without_bodies_is_read_but_not_built() {
    let ground = json!({ "name": "ground", "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } } });
    let problems = build(json!({ "bodies": [], "obstacles": [ground] })).err().unwrap();
    assert!(matches!(&problems[..], [only] if only.starts_with("bodies: the scene has no body")), "{problems:?}");
}

#[test]
fn fixed_regions_hold_move_and_let_slide() {
    let turning = json!({ "dirichlet": { "motion": { "keyframes": [{ "time": 2, "rotate": { "axis": [0, 2, 0], "degrees": 720 } }] } } });
    let regions = json!([
        region("sole", json!({ "dirichlet": {} }), "y", 0.0, 0.0),
        region("lid", turning, "y", 1.0, 1.0),
        region("wall", json!({ "dirichlet": { "slip": [3, 0, 0] } }), "x", 0.0, 0.0),
        region("side", json!({ "dirichlet": { "slip": [0, 0, -1] } }), "z", 0.0, 0.0),
    ]);
    let system = build(json!({ "bodies": [cube("jelly", [1.0, 2.0, 3.0], regions)] })).unwrap();
    let (low, high) = bounding_box(&system.positions);
    let at = |x: f64, place: f64| (x - place).abs() < 1e-9;
    let mut slides = system.slides.iter();
    let mut driven = system.driven.iter();
    for (n, x) in system.positions.iter().enumerate() {
        let ends = at(x.y, low.y) || at(x.y, high.y);
        assert_eq!(system.fixed[n], ends);
        if at(x.y, high.y) {
            let node = driven.next().unwrap();
            assert_eq!((node.node as usize, node.motion), (n, 0));
            // A quarter of the time is half a turn about the middle of the lid.
            let half_turn = Vec3::new(low.x + high.x - x.x, x.y, low.z + high.z - x.z);
            assert!((system.target(node, 0.5) - half_turn).norm() < 1e-12);
            assert!((system.target(node, 0.0) - x).norm() < 1e-12);
        }
        if !ends && (at(x.x, low.x) || at(x.z, low.z)) {
            let free = |k: usize| if at(x[k], low[k]) { 0.0 } else { 1.0 };
            let (node, projector) = slides.next().unwrap();
            assert_eq!(*node as usize, n);
            assert!((projector - Mat3::from_diagonal(&Vec3::new(free(0), 1.0, free(2)))).norm() < 1e-12);
        }
    }
    assert!(slides.next().is_none() && driven.next().is_none());
    assert!(!system.slides.is_empty() && !system.driven.is_empty());
}

#[test]
fn tractions_and_pressures_push_whole_faces_and_the_later_region_wins() {
    let traction = |x: f64| json!({ "traction": { "force": [x, -200, 0] } });
    let regions = json!([
        region("all", traction(1e6), "y", 0.9999, 1.0),
        region("lid", traction(100.0), "y", 0.9999, 1.0),
        region("blown", json!({ "pressure": { "pressure": 50, "ramp": 2 } }), "x", 0.0, 0.0),
    ]);
    let system = build(json!({ "gravity": [0, 0, 0], "bodies": [cube("jelly", [0.0; 3], regions)] })).unwrap();
    let area = edge().powi(2);
    let total = system.loads().iter().sum::<Vec3>();
    assert!((total - area * Vec3::new(100.0, -200.0, 0.0)).norm() < 1e-9, "traction times area: {total}");
    let mut later = Vec::new();
    system.loads_at(&system.positions, &vec![Vec3::zeros(); system.positions.len()], 1.0, &mut later);
    let pushed = later.iter().sum::<Vec3>() - total;
    assert!((pushed - area * Vec3::new(25.0, 0.0, 0.0)).norm() < 1e-9, "half of the pressure times area: {pushed}");
    assert!(system.loads.pressures.iter().all(|load| area_vector(&load.face, &system.positions).x < 0.0));
    let largest = system.loads().iter().map(Vec3::norm).fold(0.0, f64::max);
    assert!(system.largest_load() >= largest);
}

#[test]
fn water_presses_by_its_depth_along_gravity() {
    let water = json!({ "pressure": { "surface": 9, "density": 800, "ramp": 4 } });
    let regions = json!([region("wet", water, "x", 0.0, 1.0)]);
    let system = build(json!({ "gravity": [-5, 0, 0], "bodies": [cube("jelly", [0.0; 3], regions)] })).unwrap();
    let mut half = Vec::new();
    system.loads_at(&system.positions, &vec![Vec3::zeros(); system.positions.len()], 2.0, &mut half);
    let lift = half.iter().sum::<Vec3>() - system.loads().iter().sum::<Vec3>();
    assert!((lift - Vec3::new(0.5 * 800.0 * 5.0 * edge().powi(3), 0.0, 0.0)).norm() < 1e-9, "{lift}");
}

#[test]
fn wind_blows_onto_one_side_of_the_bodies() {
    let wind = json!({ "velocity": [0, 0, 4], "density": 1.0, "drag": 2.0 });
    let bodies = json!([cube("a", [0.0; 3], json!([])), cube("b", [2.0, 0.0, 0.0], json!([]))]);
    let system = build(json!({ "gravity": [0, 0, 0], "wind": wind, "bodies": bodies })).unwrap();
    let total = system.loads().iter().sum::<Vec3>();
    assert!((total - Vec3::new(0.0, 0.0, 2.0 * 16.0 * edge().powi(2))).norm() < 1e-9, "{total}");
}

#[test]
fn velocity_and_spin_give_momentum_and_angular_momentum() {
    let mut body = cube("jelly", [5.0, 0.0, -1.0], json!([]));
    body["velocity"] = json!([1, 2, -3]);
    body["spin"] = json!([0.5, -1, 4]);
    let system = build(json!({ "bodies": [body, cube("calm", [0.0; 3], json!([]))] })).unwrap();
    let nodes = system.bodies[0].nodes.clone();
    let mass: f64 = system.masses[nodes.clone()].iter().sum();
    let center = nodes.clone().map(|n| system.masses[n] * system.positions[n]).sum::<Vec3>() / mass;
    let momentum: Vec3 = nodes.clone().map(|n| system.masses[n] * system.initial_velocities[n]).sum();
    assert!((momentum - mass * Vec3::new(1.0, 2.0, -3.0)).norm() < 1e-12 * mass);
    let arm = |n: usize| system.positions[n] - center;
    let angular: Vec3 = nodes.clone().map(|n| system.masses[n] * arm(n).cross(&system.initial_velocities[n])).sum();
    let inertia: Mat3 = nodes
        .map(|n| system.masses[n] * (Mat3::from_diagonal_element(arm(n).norm_squared()) - arm(n) * arm(n).transpose()))
        .fold(Mat3::zeros(), |sum, m| sum + m);
    assert!((angular - inertia * Vec3::new(0.5, -1.0, 4.0)).norm() < 1e-12 * angular.norm());
    assert!(system.bodies[1].nodes.clone().all(|n| system.initial_velocities[n] == Vec3::zeros()));
}

/// A torus that stays, a ball that moves, and the ground by its signed distance.
fn playground(bodies: Value, contact: Value) -> Result<System, Vec<String>> {
    build(json!({
        "bodies": bodies,
        "contact": contact,
        "obstacles": [
            { "name": "ground", "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } } },
            { "name": "ring", "friction": 0.1,
              "shape": { "torus": { "center": [9, 9, 9], "axis": [0, 1, 0], "ring_radius": 2, "tube_radius": 0.5, "segments": 12 } } },
            { "name": "ball", "friction": 0.2, "shape": { "sphere": { "center": [0, 30, 0], "radius": 1 } },
              "motion": { "keyframes": [{ "time": 1, "translate": [0, -20, 0] }] } }
        ]
    }))
}

#[test]
fn obstacles_of_triangles_are_nodes_that_weigh_nothing() {
    let bodies = json!([cube("jelly", [0.0, 0.01, 0.0], json!([]))]);
    let system = playground(bodies.clone(), json!({})).unwrap();
    let alone = build(json!({ "bodies": bodies })).unwrap();
    let count = alone.positions.len();
    assert_eq!(system.body_nodes(), count);
    assert_eq!(system.diagonal, alone.diagonal);
    assert_eq!(system.largest_load(), alone.largest_load());
    assert_eq!(system.masses[..count], alone.masses);
    assert!(system.masses[count..].iter().all(|m| *m == 0.0) && system.fixed[count..].iter().all(|fixed| *fixed));
    assert!(system.loads()[count..].iter().all(|f| *f == Vec3::zeros()));
    assert!(system.positions.len() == system.fixed.len() && system.positions.len() == system.initial_velocities.len());
    let [ring, ball] = system.mesh_obstacles.as_slice() else { panic!("two obstacles are surfaces") };
    assert_eq!((ring.obstacle, ring.motion, ball.obstacle, ball.motion), (1, None, 2, Some(0)));
    assert_eq!((ring.radius, ball.radius, ball.nodes.len()), (None, Some(1.0), 1));
    assert_eq!((ring.nodes.start, ball.nodes.start, ball.nodes.end), (count, ring.nodes.end, system.positions.len()));
    assert_eq!(system.driven.iter().map(|d| d.node as usize).collect::<Vec<_>>(), ball.nodes.clone().collect::<Vec<_>>());
    let low = |time: f64| system.driven.iter().map(|d| system.target(d, time).y).fold(f64::INFINITY, f64::min);
    assert!((low(0.0) - 30.0).abs() < 1e-9 && (low(0.5) - 20.0).abs() < 1e-9 && (low(7.0) - 10.0).abs() < 1e-9);
    assert!(system.pairs.iter().all(|pair| pair.obstacle == 0), "surfaces touch as surfaces");
    assert_eq!(system.surface.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["jelly", "ring", "ball"]);
    assert!(system.surface.movable.iter().zip(&system.fixed).all(|(movable, fixed)| movable != fixed));
}

#[test]
fn rules_of_touching_follow_contact_settings_and_regions() {
    let choosy = json!([region("sole", json!({ "contact": { "friction": 0.7, "obstacles": ["ring"] } }), "y", 0.0, 0.2)]);
    let bodies = json!([cube("a", [0.0, 0.01, 0.0], json!([])), cube("b", [3.0, 0.01, 0.0], choosy)]);
    let friction = |contact: Value| {
        let surface = playground(bodies.clone(), contact).unwrap().surface;
        move |a: u32, b: u32| surface.rules.friction(a, b)
    };
    let all = friction(json!({ "friction": 0.3 }));
    assert_eq!([all(0, 0), all(0, 1), all(1, 0), all(1, 1)], [Some(0.3); 4]);
    assert_eq!([all(0, 2), all(0, 3)], [Some(0.1), Some(0.2)]);
    assert_eq!([all(1, 2), all(1, 3)], [Some(0.7), None]);
    assert_eq!([all(2, 2), all(2, 3), all(3, 3)], [None; 3]);
    let few = friction(json!({ "between_bodies": false, "self_contact": false }));
    assert_eq!([few(0, 0), few(0, 1), few(1, 1)], [None; 3]);
    assert_eq!(few(0, 2), Some(0.1));
}

#[test]
fn a_half_space_that_moves_is_a_large_square_in_front_of_the_bodies() {
    let press = |height: f64| {
        build(json!({
            "bodies": [cube("jelly", [4.0, 0.0, 0.0], json!([]))],
            "obstacles": [{
                "name": "press",
                "shape": { "half_space": { "point": [-70, height, 0], "normal": [0, -2, 0] } },
                "motion": { "keyframes": [{ "time": 1, "translate": [0, -0.1, 0] }] }
            }]
        }))
    };
    let edge = edge();
    let system = press(edge + 0.01).unwrap();
    let (low, high) = bounding_box(&system.positions[system.body_nodes()..]);
    assert!((low.y - edge - 0.01).abs() < 1e-12 && (high.y - low.y).abs() < 1e-12);
    assert!(((high - low).x - 20.0 * system.diagonal).abs() < 1e-9);
    let (body_low, body_high) = bounding_box(&system.positions[..system.body_nodes()]);
    assert!((0.5 * (low + high) - 0.5 * (body_low + body_high)).xz().norm() < 1e-9, "it lies over the body");
    let problems = press(0.5 * edge).err().unwrap();
    assert!(problems.len() == 1 && problems[0].starts_with("bodies[0].transform: ") && problems[0].contains("`press`"), "{problems:?}");
}

#[test]
fn obstacles_are_read_from_mesh_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/jelly_box.mesh"), folder.path().join("box.mesh")).unwrap();
    let triangles = "MeshVersionFormatted 1\nDimension 3\nVertices\n3\n0 0 500 0\n100 0 500 0\n0 100 500 0\nTriangles\n1\n1 2 3 0\nEnd\n";
    std::fs::write(folder.path().join("flat.mesh"), triangles).unwrap();
    let with = |file: &str| {
        let mut body = cube("jelly", [0.0; 3], json!([]));
        body["mesh"] = json!("box.mesh");
        let transform = json!({ "scale": 2, "translate": [0, 0, 20] });
        let shape = json!({ "mesh": { "mesh": file, "unit": "cm", "transform": transform } });
        build_in(folder.path(), json!({ "bodies": [body], "obstacles": [{ "name": "rock", "shape": shape }] }))
    };
    let system = with("box.mesh").unwrap();
    let surface = system.bodies[0].mesh.surface.len();
    assert_eq!(system.mesh_obstacles[0].triangles.len(), surface);
    let (low, high) = bounding_box(&system.positions[system.body_nodes()..]);
    assert!(((high - low).y - 0.02 * edge()).abs() < 1e-12 && (low.y - 0.0).abs() < 1e-12);
    let system = with("flat.mesh").unwrap();
    assert_eq!(system.positions[system.body_nodes()..], [[0.0, 0.0, 30.0], [2.0, 0.0, 30.0], [0.0, 2.0, 30.0]].map(Vec3::from));
    std::fs::write(folder.path().join("flat.mesh"), triangles.replace("100 0 500 0", "0 0 500 0")).unwrap();
    let problems = with("flat.mesh").err().unwrap();
    assert!(problems.len() == 1 && problems[0].starts_with("obstacles[0].shape: ") && problems[0].contains("no area"), "{problems:?}");
}

#[test]
fn equalities_tie_vertices_of_small_systems() {
    let folder = tempfile::tempdir().unwrap();
    let tet = "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n";
    std::fs::write(folder.path().join("tet.mesh"), tet).unwrap();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
    std::fs::copy(assets.join("jelly_box.mesh"), folder.path().join("box.mesh")).unwrap();
    let with = |vertex: u32, regions: Value, mesh: &str| {
        let mut body = cube("tet", [0.0; 3], regions);
        body["mesh"] = json!(mesh);
        let terms = json!([
            { "body": "tet", "vertex": 0, "coefficients": [1, 0, 2] },
            { "body": "tet", "vertex": vertex, "coefficients": [0, -1, 0] }
        ]);
        build_in(folder.path(), json!({ "bodies": [body], "equalities": [{ "name": "tie", "terms": terms }] }))
    };
    let system = with(3, json!([]), "tet.mesh").unwrap();
    let [equality] = system.equalities.as_slice() else { panic!("one equality") };
    assert_eq!(equality.terms, [(0, Vec3::new(1.0, 0.0, 2.0)), (3, Vec3::new(0.0, -1.0, 0.0))]);
    assert_eq!(equality.residual(&system.positions), 0.0);
    let moved: Vec<Vec3> = system.positions.iter().map(|x| x + Vec3::new(1.0, 10.0, 0.5)).collect();
    assert!((equality.residual(&moved) - (1.0 + 1.0 - 10.0)).abs() < 1e-12);
    let held = json!([region("all", json!({ "dirichlet": {} }), "y", 0.0, 1.0)]);
    for (result, words) in [
        (with(4, json!([]), "tet.mesh"), "equalities[0].terms[1].vertex: the mesh has 4 vertices"),
        (with(3, held, "tet.mesh"), "equalities[0].terms: all of its vertices are held"),
        (with(3, json!([]), "box.mesh"), "equalities: bodies and obstacles of triangles have 729 vertices"),
    ] {
        let problems = result.err().unwrap();
        assert!(problems.len() == 1 && problems[0].starts_with(words), "{problems:?}");
    }
}

#[test]
fn surfaces_that_meet_at_the_start_are_named() {
    let edge = edge();
    let two = |x: f64, contact: Value| {
        build(json!({ "bodies": [cube("a", [0.0; 3], json!([])), cube("b", [x, 0.0131, 0.0077], json!([]))], "contact": contact }))
    };
    let problems = two(0.5 * edge, json!({})).err().unwrap();
    assert!(problems.len() == 1 && problems[0].starts_with("bodies[1].transform: the body passes through body `a`"), "{problems:?}");
    assert!(two(0.5 * edge, json!({ "between_bodies": false })).is_ok());
    // How deep, and moved apart on demand: the later one, sideways, until the two touch.
    assert!(problems[0].contains(&format!("up to {:.3e} m deep", 0.5 * edge)) && problems[0].contains("\"separate\""), "{problems:?}");
    for overlap in [0.01, 0.2, 0.5] {
        let system = two((1.0 - overlap) * edge, json!({ "separate": true })).unwrap();
        let corner = |body: usize| bounding_box(&system.positions[system.bodies[body].nodes.clone()]).0;
        assert!((corner(0)).norm() < 1e-12, "the first one stays");
        assert!((corner(1) - Vec3::new(edge, 0.0131, 0.0077)).norm() < 1e-3 * edge, "{overlap}: {}", corner(1) / edge);
    }
    // Bodies that touch, or slightly more, do so with points inside of their surfaces; those farther apart do not.
    for (gap, inset) in [(-1e-5, true), (0.0, true), (1e-9, true), (1e-4, true), (0.01, false)] {
        let system = two(edge + gap, json!({})).unwrap_or_else(|problems| panic!("{gap}: {problems:?}"));
        assert_eq!(!system.surface.points.are_vertices(), inset, "{gap}");
    }
    let ring = |height: f64| {
        let shape = json!({ "torus": { "center": [0.5 * edge, height, 0.5 * edge], "axis": [0, 1, 0], "ring_radius": edge, "tube_radius": 0.5 * edge } });
        build(json!({ "bodies": [cube("a", [0.0; 3], json!([]))], "obstacles": [{ "name": "ring", "shape": shape }] }))
    };
    let problems = ring(0.0).err().unwrap();
    assert!(problems.len() == 1 && problems[0].starts_with("bodies[0].transform: the body passes through obstacle `ring`"), "{problems:?}");
    assert!(ring(-0.6 * edge).is_ok());
}

/// Everything finite touches the triangles of a body, whether it goes away or not, unless a region chooses vertices.
#[test]
fn obstacles_touch_triangles() {
    let shapes = |radius: f64| {
        [
            json!({ "sphere": { "center": [0, -9, 0], "radius": radius } }),
            json!({ "capsule": { "from": [-9, -9, 0], "to": [-9, -9, 9], "radius": radius } }),
            json!({ "box": { "center": [9, -9, 0], "size": [radius, radius, radius] } }),
        ]
    };
    let surfaces = |shape: &Value, removed_at: Value, regions: Value| {
        let obstacle = json!({ "name": "thing", "shape": shape, "removed_at": removed_at });
        let system = build(json!({ "bodies": [cube("jelly", [0.0; 3], regions)], "obstacles": [obstacle] })).unwrap();
        assert_eq!(system.pairs.is_empty(), !system.mesh_obstacles.is_empty(), "touched in one way");
        system.mesh_obstacles.len()
    };
    let (always, whole) = (Value::Null, json!([]));
    let longest = 2f64.sqrt() * edge() / 8.0;
    for (radius, expected) in [(0.5 * longest, [1, 1, 1]), (4.1 * longest, [1, 1, 1])] {
        assert_eq!(shapes(radius).map(|shape| surfaces(&shape, always.clone(), whole.clone())), expected, "{radius}");
    }
    assert_eq!(shapes(4.1 * longest).map(|shape| surfaces(&shape, json!(1.0), whole.clone())), [1, 1, 1]);
    for shape in shapes(0.5 * longest) {
        assert_eq!(surfaces(&shape, json!(1.0), whole.clone()), 1);
        let sole = json!([region("sole", json!({ "contact": { "obstacles": ["thing"] } }), "y", 0.0, 0.0)]);
        assert_eq!(surfaces(&shape, always.clone(), sole), 0);
        // A region that is held chooses nothing.
        let held = json!([region("held", json!({ "dirichlet": {} }), "y", 1.0, 1.0)]);
        assert_eq!(surfaces(&shape, always.clone(), held), 1);
    }
}

/// A chain of points with a radius stands for balls and capsules, their true form; for one that turns, triangles do. A body whose vertices
/// lie on something round while its triangles dip into it touches by its vertices.
#[test]
fn round_obstacles_are_round_unless_they_turn_or_bodies_are_draped() {
    let (edge, half) = (edge(), 0.5 * edge());
    let longest = 2f64.sqrt() * edge / 8.0;
    let system = |shape: Value, motion: Value| {
        let obstacle = json!({ "name": "thing", "shape": shape, "motion": motion });
        build(json!({ "bodies": [cube("jelly", [0.0; 3], json!([]))], "obstacles": [obstacle] })).unwrap()
    };
    let ball = |radius: f64, gap: f64| json!({ "sphere": { "center": [half + edge / 16.0, -radius - gap, half + edge / 16.0], "radius": radius } });
    let slide = json!({ "keyframes": [{ "time": 1, "translate": [0, -1, 0] }] });
    let turn = json!({ "keyframes": [{ "time": 1, "rotate": { "axis": [0, 0, 1], "degrees": 90 } }] });
    for (motion, radius) in [(Value::Null, Some(0.7)), (slide, Some(0.7)), (turn, None)] {
        let system = system(ball(0.7, 0.1), motion);
        assert_eq!(system.mesh_obstacles[0].radius, radius);
        assert_eq!(system.mesh_obstacles[0].triangles.is_empty(), radius.is_some());
    }
    let rod = json!({ "capsule": { "from": [-1, -9, half], "to": [1, -9, half], "radius": 0.2 } });
    let chain = system(rod, Value::Null);
    let nodes = &chain.positions[chain.mesh_obstacles[0].nodes.clone()];
    assert!(nodes.windows(2).all(|ends| (ends[1] - ends[0]).norm() <= 0.5 * longest + 1e-12), "a face as long as an edge lies on one");
    assert!((nodes[0] - Vec3::new(-1.0, -9.0, half)).norm() < 1e-12 && (nodes[nodes.len() - 1] - nodes[0]).norm() > 2.0 - 1e-12);
    // A large ball in a face of a cube, in the middle between vertices, to which it comes no nearer than by what it falls away up to there.
    let radius = 5.0 * longest;
    let bulge = (edge / 16.0).powi(2) / radius;
    let reach = chain.contact.barrier_distance * chain.diagonal;
    assert!(bulge > 2.0 * reach, "{bulge} {reach}");
    assert!(system(ball(radius, -0.5 * reach * 0.4), Value::Null).pairs.is_empty());
    assert!(!system(ball(radius, -0.9 * reach), Value::Null).pairs.is_empty());
}

/// Faces and tets of a second body are those of its own nodes: the same loads pull at both, each where it is.
#[test]
fn loads_and_tets_of_a_second_body_are_its_own() {
    let regions = json!([
        region("lid", json!({ "traction": { "force": [100, -200, 0] } }), "y", 0.9999, 1.0),
        region("blown", json!({ "pressure": { "pressure": 50 } }), "x", 0.0, 0.0),
    ]);
    let bodies = json!([cube("jelly", [0.0; 3], regions.clone()), cube("other", [1.0, 0.0, 0.0], regions)]);
    let system = build(json!({ "gravity": [0, 0, 0], "bodies": bodies })).unwrap();
    let loads = system.loads();
    let [first, second] = [0, 1].map(|body: usize| &loads[system.bodies[body].nodes.clone()]);
    assert!(first.iter().map(Vec3::norm).sum::<f64>() > 1.0 && first.iter().zip(second).all(|(a, b)| (a - b).norm() < 1e-9));
    let volume = |tet: &[u32; 4]| {
        let [a, b, c, d] = tet.map(|n| system.positions[n as usize]);
        (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
    };
    let tets = system.tets();
    for (k, body) in system.bodies.iter().enumerate() {
        let own: Vec<&[u32; 4]> = tets.iter().filter(|tet| tet.iter().all(|&n| body.nodes.contains(&(n as usize)))).collect();
        let sum: f64 = own.iter().map(|tet| volume(tet)).sum();
        assert!(2 * own.len() == tets.len() && (sum / edge().powi(3) - 1.0).abs() < 1e-9, "{k}: {} of {}", own.len(), tets.len());
    }
}
