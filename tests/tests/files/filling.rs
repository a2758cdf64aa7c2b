//! Bodies that name a surface: what fills it, what is painted on it, and what becomes of both when the file changes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write as _;
use std::path::Path;

use aplomb_sim::bodies::transfer::transfer_regions;
use aplomb_sim::export::sequence::{Moment, SEQUENCES};
use aplomb_sim::export::{self, scene_meshes};
use aplomb_sim::import::{self, RawMesh};
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::quality::signed_volume;
use aplomb_sim::scene::{Method, Scene, Selector};
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::system::{System, build};
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

/// A cube of edge 2 about the origin, each face of n x n quads with vertices of its own, or shared ones for n = 1; one vertex is
/// used by nothing.
fn cube_obj(n: usize) -> String {
    let mut obj = String::from("v 9 9 9\n");
    if n == 1 {
        for c in 0..8 {
            let at = |bit: usize| if c >> bit & 1 == 1 { 1 } else { -1 };
            writeln!(obj, "v {} {} {}", at(0), at(1), at(2)).unwrap();
        }
        for [a, b, c, d] in [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] {
            writeln!(obj, "f {} {} {} {}", a + 2, b + 2, c + 2, d + 2).unwrap();
        }
        return obj;
    }
    let mut first = 2;
    for (axis, side) in (0..3).flat_map(|axis| [(axis, -1.0), (axis, 1.0)]) {
        for (i, j) in (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))) {
            let [u, v] = [i, j].map(|k| 2.0 * k as f64 / n as f64 - 1.0);
            let mut p = [0.0; 3];
            p[axis] = side;
            p[(axis + 1) % 3] = u;
            p[(axis + 2) % 3] = v;
            writeln!(obj, "v {} {} {}", p[0], p[1], p[2]).unwrap();
        }
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let at = |i: usize, j: usize| first + i * (n + 1) + j;
            let quad = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            let quad = if side > 0.0 { quad } else { [quad[3], quad[2], quad[1], quad[0]] };
            writeln!(obj, "f {} {} {} {}", quad[0], quad[1], quad[2], quad[3]).unwrap();
        }
        first += (n + 1) * (n + 1);
    }
    obj
}

fn scene_of(body: &Value, folder: &Path) -> Scene {
    let mut body = body.clone();
    body["name"] = json!("cube");
    body["mesh"] = json!("cube.obj");
    body["material"] = json!({ "law": "stable_neo_hookean", "young": 1e6, "poisson": 0.4, "density": 1000 });
    let text = json!({ "version": 1, "name": "test", "bodies": [body] }).to_string();
    scene_file::parse(&text, &folder.join("scene.json")).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn folder_with(obj: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cube.obj"), obj).unwrap();
    folder
}

fn painted(vertices: &[u32]) -> Value {
    json!([{ "name": "top", "role": { "dirichlet": {} }, "select": [{ "vertices": vertices }] }])
}

#[test]
fn the_artists_surface_is_kept_to_the_last_digit_and_follows_the_body() {
    let folder = folder_with(&cube_obj(1));
    let placed = json!({
        "tetrahedralise": { "tets": 3000 }, "unit": "cm", "up": "z",
        "transform": { "scale": 3, "rotate_degrees": [10, 20, 30], "translate": [1, 2, 3] }
    });
    let scene = scene_of(&placed, folder.path());
    let system = System::build(&scene, folder.path(), &Unwatched).unwrap();
    let mesh = &system.bodies[0].mesh;
    let skin = mesh.skin.as_ref().unwrap();
    assert_eq!((skin.positions.len(), skin.triangles.len()), (9, 12));
    let mut at = Vec::new();
    skin.follow(mesh.tets(), &mesh.positions, &mut at);
    // (1, 1, 1) in the file: z becomes y.
    let mut corner = vec![0.01 * Vec3::new(1.0, 1.0, -1.0)];
    scene.bodies[0].transform.apply(&mut corner);
    assert!((at[8] - corner[0]).norm() < 1e-12, "{} {}", at[8], corner[0]);
    for (at, given) in at[1..].iter().zip(&skin.positions[1..]) {
        assert!((at - given).norm() < 1e-12);
    }
    let volume: f64 = mesh.tets().iter().map(|tet| signed_volume(&tet.map(|v| mesh.positions[v as usize]))).sum();
    assert!((volume / 0.06_f64.powi(3) - 1.0).abs() < 0.03, "{volume}");
    // It turns with the body.
    let turn = |x: &Vec3| Vec3::new(-x.y, x.x, x.z);
    let turned: Vec<Vec3> = mesh.positions.iter().map(turn).collect();
    skin.follow(mesh.tets(), &turned, &mut at);
    assert!(at[1..].iter().zip(&skin.positions[1..]).all(|(at, given)| (at - turn(given)).norm() < 1e-12));
}

/// For each corner of each triangle where it lies, and its point in the texture.
fn corners(mesh: &RawMesh) -> Vec<(Vec3, [f64; 2])> {
    let pairs = mesh.triangles.as_flattened().iter().zip(mesh.texture.triangles.as_flattened());
    pairs.map(|(&v, &t)| (mesh.positions[v as usize], mesh.texture.points[t as usize])).collect()
}

/// In every format of surfaces the file's vertices come back in their order, with their polygons and texture; the prepared asset is
/// read as a mesh.
#[test]
fn a_filled_body_leaves_as_the_artist_drew_it() {
    let textured = |line: &str| match line.strip_prefix("f ") {
        Some(face) => "f".to_owned() + &face.split(' ').zip(1..).map(|(v, t)| format!(" {v}/{t}")).collect::<String>() + "\n",
        None => line.to_owned() + "\n",
    };
    let obj = "vt 0 0\nvt 1 0\nvt 0.75 0.5\nvt 0 1\n".to_owned() + &cube_obj(1).lines().map(textured).collect::<String>();
    let folder = folder_with(&obj);
    let file = |name: &str| folder.path().join(name);
    let read = |name: &str| import::read(&file(name), &Unwatched).unwrap();
    let given = read("cube.obj");
    assert_eq!((given.positions.len(), given.polygons.len(), given.texture.triangles.len()), (9, 6, 12));
    let body = json!({ "tetrahedralise": { "tets": 500 }, "regions": painted(&[3, 4, 7, 8]) });
    let mut simulation = Simulation::build(&scene_of(&body, folder.path()), folder.path(), &Unwatched).unwrap();
    let meshes = scene_meshes(&simulation.system, &simulation.system.positions);
    // The first vertex belongs to no face.
    let is_close = |a: &Vec3, b: &Vec3| (a - b).norm() < 1e-6 * 2.0;
    let assert_points = |points: &[Vec3], what: &str| {
        assert_eq!(points.len(), 9, "{what}");
        assert!(points.iter().zip(&given.positions).skip(1).all(|(a, b)| is_close(a, b)), "{what}: {points:?}");
    };
    let sequence = SEQUENCES.iter().find(|format| format.name == "pc2").unwrap();
    // The cache's own OBJ of the body takes the place of the artist's.
    let mut frames = (sequence.begin)(folder.path(), &meshes, 0.01).unwrap();
    for name in ["out.obj", "out.glb", "out.usda"] {
        export::format_of(&file(name)).unwrap().write(&meshes, &file(name)).unwrap();
    }
    frames.frame(Moment { step: 0, time: 0.0 }, &meshes).unwrap();
    frames.finish().unwrap();
    for name in ["out.obj", "cube.obj", "out.glb"] {
        let back = read(name);
        if !name.ends_with("glb") {
            assert_points(&back.positions, name);
            assert_eq!((&back.polygons, &back.triangles), (&given.polygons, &given.triangles), "{name}");
        }
        let (back, given) = (corners(&back), corners(&given));
        assert_eq!(back.len(), given.len(), "{name}");
        for ((x, s), (y, t)) in back.iter().zip(&given) {
            assert!(is_close(x, y) && (0..2).all(|k| (s[k] - t[k]).abs() < 1e-6), "{name}: {x} {s:?}, not {y} {t:?}");
        }
    }
    let cache = std::fs::read(file("cube.pc2")).unwrap();
    let numbers: Vec<f64> = cache[32..].as_chunks::<4>().0.iter().map(|b| f64::from(f32::from_le_bytes(*b))).collect();
    assert_points(&numbers.as_chunks::<3>().0.iter().map(|p| Vec3::from(*p)).collect::<Vec<_>>(), "cube.pc2");
    let text = std::fs::read_to_string(file("out.usda")).unwrap();
    let list = |attribute: &str| -> Vec<f64> {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(attribute)?.strip_prefix(" = [")).unwrap();
        line.split(']').next().unwrap().split(|c| "(), ".contains(c)).filter(|w| !w.is_empty()).map(|w| w.parse().unwrap()).collect()
    };
    assert_points(&list("point3f[] points").as_chunks::<3>().0.iter().map(|p| Vec3::from(*p)).collect::<Vec<_>>(), "out.usda");
    assert_eq!(list("int[] faceVertexIndices"), given.polygons.vertices.iter().map(|&v| f64::from(v)).collect::<Vec<_>>());
    assert_eq!(list("int[] primvars:st:indices"), [0.0, 1.0, 2.0, 3.0].repeat(6));

    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    simulation.prepared_asset().write(&file("prepared.vtu")).unwrap();
    let prepared = read("prepared.vtu");
    assert_eq!((&prepared.tets[..], &prepared.positions), (simulation.system.bodies[0].mesh.tets(), &simulation.system.positions));
}

/// Share of the cube's top that is held, by the fixed vertices' heights: all of them must lie there.
fn held_top(system: &System) -> f64 {
    let top = system.positions.iter().map(|x| x.y).fold(f64::MIN, f64::max);
    let near = |x: &Vec3| x.y > top - 1e-6;
    let held = system.positions.iter().zip(&system.fixed).filter(|(_, fixed)| **fixed);
    assert!(held.clone().all(|(x, _)| x.y > top - 0.2), "something below the top is held");
    held.filter(|(x, _)| near(x)).count() as f64 / system.positions.iter().filter(|x| near(x)).count() as f64
}

#[test]
fn painted_regions_survive_another_resolution() {
    let folder = folder_with(&cube_obj(1));
    // The file's vertices with y = 1.
    let top = [3, 4, 7, 8];
    for filling in [json!({ "tets": 800 }), json!({ "tets": 6000 }), json!({ "edge_length": 0.3, "grading": 1 })] {
        let body = json!({ "tetrahedralise": filling, "regions": painted(&top) });
        let system = System::build(&scene_of(&body, folder.path()), folder.path(), &Unwatched).unwrap();
        let held = held_top(&system);
        assert!(held > 0.9, "{filling}: {held}");
    }
    // Too little to hold a triangle still holds something, where it was painted.
    let body = json!({ "tetrahedralise": { "tets": 800 }, "regions": painted(&[8]) });
    let system = System::build(&scene_of(&body, folder.path()), folder.path(), &Unwatched).unwrap();
    let held: Vec<Vec3> = system.positions.iter().zip(&system.fixed).filter(|(_, fixed)| **fixed).map(|(x, _)| *x).collect();
    assert_eq!(held.len(), 1);
    assert!((held[0] - Vec3::new(1.0, 1.0, 1.0)).norm() < 0.4, "{}", held[0]);
}

#[test]
fn painted_regions_follow_a_new_export_of_the_file() {
    let folder = folder_with(&cube_obj(1));
    let body = json!({ "tetrahedralise": { "tets": 800 }, "regions": painted(&[3, 4, 7, 8]) });
    let scene = scene_of(&body, folder.path());
    let system = System::build(&scene, folder.path(), &Unwatched).unwrap();
    let old = [("cube", &system.bodies[0].mesh)];
    let transfer = |scene: &Scene| transfer_regions(scene, folder.path(), &old, &Unwatched).unwrap();
    assert!(transfer(&scene).is_none(), "nothing has changed");

    // Another resolution of the same file keeps what was painted.
    let mut finer = scene.clone();
    finer.bodies[0].tetrahedralise.as_mut().unwrap().tets = Some(1500);
    assert!(transfer(&finer).is_none());

    std::fs::write(folder.path().join("cube.obj"), cube_obj(8)).unwrap();
    let followed = transfer(&scene).unwrap();
    assert!(transfer(&followed).is_none(), "once moved, indices are those of the new mesh");
    let system = System::build(&followed, folder.path(), &Unwatched).unwrap();
    let Selector::Vertices(vertices) = &followed.bodies[0].regions[0].select[0] else { panic!("no vertices") };
    let skin = system.bodies[0].mesh.skin.as_ref().unwrap();
    // Those of the top, and of the side faces those of the edge that they share with it, as they have vertices of their own.
    assert!(vertices.iter().all(|&v| skin.positions[v as usize].y == 1.0));
    assert_eq!(vertices.len(), 9 * 9 + 4 * 9);
    assert!(held_top_is_whole(&system));

    // Whoever has no old mesh to look at is told.
    assert_eq!(build::warnings(&followed, &system), []);
    let mut unmoved = followed.clone();
    unmoved.bodies[0].painted_on = Some("0123456789abcdef".into());
    let warnings = build::warnings(&unmoved, &system);
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].path, "bodies[0].painted_on");
}

fn held_top_is_whole(system: &System) -> bool {
    let top = |x: &Vec3| x.y > 1.0 - 1e-6;
    system.positions.iter().zip(&system.fixed).all(|(x, fixed)| !top(x) || *fixed)
}

#[test]
fn what_cannot_be_filled_is_said_with_its_place() {
    let fail = |obj: &str, body: Value| {
        let folder = folder_with(obj);
        let problems = System::build(&scene_of(&body, folder.path()), folder.path(), &Unwatched).map(|_| ()).unwrap_err().0;
        assert_eq!(problems.len(), 1, "{problems:?}");
        (problems[0].path.clone(), problems[0].message.clone())
    };
    let (path, message) = fail("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", json!({ "tetrahedralise": {} }));
    assert_eq!(path, "bodies[0].tetrahedralise");
    assert!(message.starts_with("cube.obj: "), "{message}");
    let (path, message) = fail(&cube_obj(1), json!({}));
    assert_eq!(path, "bodies[0].mesh");
    assert!(message.contains("\"tetrahedralise\""), "{message}");

    let both = json!({ "version": 1, "name": "test", "bodies": [{
        "name": "cube", "mesh": "cube.obj", "rest_mesh": "rest.mesh", "tetrahedralise": { "tets": 100, "edge_length": 0.1 },
        "material": { "law": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000 }
    }] });
    let folder = folder_with("");
    std::fs::write(folder.path().join("rest.mesh"), "").unwrap();
    let problems = scene_file::parse(&both.to_string(), &folder.path().join("scene.json")).unwrap_err();
    let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["bodies[0].rest_mesh", "bodies[0].tetrahedralise.edge_length"]);
}
