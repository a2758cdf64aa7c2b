//! What is exported, read by the programs of others: numpy on prepared assets, as the documentation says, and Python modules on every
//! format (`tests/oracles`). `tests/run.sh` makes the Python environment; without it these tests say `SKIPPED:`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;

use aplomb_sim::bodies::cloth::{BENDING_LAWS, Stretching};
use aplomb_sim::element::spring::SPRING_LAWS;
use aplomb_sim::export::{
    DataArray, ExportMesh, FORMATS, Grid, Moment, PREPARED_FORMATS, Part, Place, PreparedAsset, SEQUENCES, Surface, Values,
};
use aplomb_sim::import::{self, Lists, Texture};
use aplomb_sim::material::MATERIALS;
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{MassMatrix, Method};
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet, program};
use serde_json::json;

/// The Python that has these modules: of the environment that `tests/run.sh` makes, else the system's; none if neither has.
fn python(modules: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let has = |python: &PathBuf| Command::new(python).args(["-c", modules]).output().is_ok_and(|output| output.status.success());
    [root.join("target/oracles/bin/python"), PathBuf::from("python3")].into_iter().find(has)
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("oracles").join(name)
}

/// Runs a script; its output, and what it skipped as this test's own words.
fn run(python: &Path, name: &str, arguments: &[&Path]) {
    let output = Command::new(python).arg(script(name)).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    println!("{text}");
}

/// A bar of cubes along x, each of six tets around its diagonal.
fn bar(name: &str, cubes: u32, from: Vec3) -> ExportMesh {
    let node = |x: u32, y: u32, z: u32| (x * 2 + y) * 2 + z;
    let positions: Vec<Vec3> = (0..=cubes)
        .flat_map(|x| [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(y, z)| from + Vec3::new(f64::from(x), f64::from(y), f64::from(z)) / 3.0))
        .collect();
    let mut tets = Vec::new();
    for x in 0..cubes {
        for axes in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let mut at = [0; 3];
            let mut corners = [node(x, 0, 0); 4];
            for (k, axis) in axes.into_iter().enumerate() {
                at[axis] = 1;
                corners[k + 1] = node(x + at[0], at[1], at[2]);
            }
            // Odd orders of the axes turn the tet inside out.
            if [[0, 2, 1], [2, 1, 0], [1, 0, 2]].contains(&axes) {
                corners.swap(2, 3);
            }
            tets.push(corners);
        }
    }
    let (triangles, _) = aplomb_sim::mesh::topology::Faces::of(&tets).boundary(&tets);
    let tags = (0..tets.len()).map(|t| [0, 5, 5, 12][t / 2 % 4]).collect();
    let surface = Surface { points: positions.clone(), triangles, ..Surface::default() };
    ExportMesh { name: name.into(), positions, tets, lines: Vec::new(), tags, surface, data: Vec::new() }
}

/// A surface of quads without tets of its own, as an artist draws it: with texture points, cut open along an edge.
fn cushion() -> ExportMesh {
    let corner = |k: u32| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * 0.7 + Vec3::new(0.1, 3.0, -0.2);
    let quads: [[u32; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let mut polygons = Lists::default();
    quads.iter().for_each(|quad| polygons.push(quad));
    let texture = Texture {
        points: (0..24).map(|k| [f64::from(k) / 32.0, 1.0 - f64::from(k) / 64.0]).collect(),
        triangles: (0..6).flat_map(|q| [[4 * q, 4 * q + 1, 4 * q + 2], [4 * q, 4 * q + 2, 4 * q + 3]]).collect(),
    };
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let surface = Surface { points: (0..8).map(corner).collect(), triangles, polygons, texture, ..Surface::default() };
    ExportMesh { name: "cushion".into(), surface, ..ExportMesh::default() }
}

/// Turned about x, the more the larger x, and the first body's left end stays where it is.
fn moved(meshes: &[ExportMesh], time: f64) -> Vec<ExportMesh> {
    let turn = |p: &Vec3| {
        let (sine, cosine) = (time * p.x.max(0.0)).sin_cos();
        Vec3::new(p.x, cosine * p.y - sine * p.z, sine * p.y + cosine * p.z)
    };
    let mut meshes = meshes.to_vec();
    for mesh in &mut meshes {
        mesh.positions.iter_mut().for_each(|p| *p = turn(p));
        mesh.surface.points.iter_mut().for_each(|p| *p = turn(p));
    }
    meshes
}

fn numbers(points: &[Vec3]) -> Vec<[f64; 3]> {
    points.iter().map(|p| [p.x, p.y, p.z]).collect()
}

fn truth(mesh: &ExportMesh) -> serde_json::Value {
    let surface = &mesh.surface;
    let faces: Vec<&[u32]> = surface.faces().collect();
    let quads: Vec<[u32; 4]> = (0..6).map(|q| [0, 1, 2, 3].map(|k| 4 * q + k)).collect();
    json!({
        "name": mesh.name, "positions": numbers(&mesh.positions), "tets": mesh.tets, "tags": mesh.tags,
        "points": numbers(&surface.points), "triangles": surface.triangles, "faces": faces,
        "texture": surface.texture.points, "texture_triangles": surface.texture.triangles, "face_texture": quads,
    })
}

/// Every format, one moment and a run, compared number by number.
#[test]
fn other_programs_read_what_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    let mut meshes = vec![bar("bar", 3, Vec3::new(-0.5, 0.25, 1e-3)), bar("block", 1, Vec3::new(0.0, 10.0, 0.1)), cushion()];
    let mut first = 0;
    for mesh in &mut meshes {
        let data = |place, name: &str, components, values| DataArray { place, name: name.into(), components, values: Values::F64(values) };
        let energies = (first..first + mesh.tets.len()).map(|t| t as f64 / 3.0).collect();
        first += mesh.tets.len();
        let velocities = numbers(&mesh.positions).as_flattened().iter().map(|x| 2.0 * x).collect();
        mesh.data = vec![data(Place::Point, "velocity [m/s]", 3, velocities), data(Place::Cell, "energy", 1, energies)];
    }
    for format in FORMATS {
        format.write(&meshes, &folder.path().join(format!("still.{}", format.extension))).unwrap();
    }
    let mut plain = meshes.clone();
    plain[2].surface.texture = Texture::default();
    FORMATS.iter().find(|format| format.extension == "obj").unwrap().write(&plain, &folder.path().join("plain.obj")).unwrap();
    let frames: Vec<(Moment, Vec<ExportMesh>)> =
        (0..5_u32).map(|k| (Moment { step: u64::from(k) * 4, time: f64::from(k) * 0.04 }, moved(&meshes, f64::from(k) * 0.04))).collect();
    for (ended, suffix) in [(true, ""), (false, "_killed")] {
        for format in SEQUENCES {
            let folder = folder.path().join(format!("{}{suffix}", format.name));
            std::fs::create_dir(&folder).unwrap();
            let mut writer = (format.begin)(&folder, &meshes, 0.04).unwrap();
            frames.iter().for_each(|(moment, meshes)| writer.frame(*moment, meshes).unwrap());
            if ended {
                writer.finish().unwrap();
            }
        }
    }
    let frame = |(moment, meshes): &(Moment, Vec<ExportMesh>)| {
        let points: Vec<_> = meshes.iter().map(|mesh| numbers(&mesh.surface.points)).collect();
        let positions: Vec<_> = meshes.iter().map(|mesh| numbers(&mesh.positions)).collect();
        json!({ "time": moment.time, "points": points, "positions": positions })
    };
    let truth = json!({
        "bodies": meshes.iter().map(truth).collect::<Vec<_>>(), "frames": frames.iter().map(frame).collect::<Vec<_>>(),
    });
    std::fs::write(folder.path().join("truth.json"), truth.to_string()).unwrap();
    if let Some(kept) = std::env::var_os("APLOMB_KEEP_EXPORTS") {
        Command::new("cp").arg("-r").arg(folder.path()).arg(kept).status().unwrap();
    }
    match python("import numpy") {
        Some(python) => run(&python, "exports.py", &[folder.path()]),
        None => println!("SKIPPED: Python with numpy is missing"),
    }
}

/// The formats that are read here as well, on both tet meshes and surfaces.
#[test]
fn what_is_exported_is_read_here_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let solids = [bar("bar", 3, Vec3::new(-0.5, 0.25, 1e-3)), bar("block", 1, Vec3::new(0.0, 10.0, 0.1))];
    let mut read = Vec::new();
    for format in FORMATS.iter().filter(|format| import::FORMATS.iter().any(|known| known.extensions.contains(&format.extension))) {
        read.push(format.extension);
        let path = folder.path().join(format!("mesh.{}", format.extension));
        let meshes = if format.part == Part::Tets || format.extension == "npz" { solids.to_vec() } else { vec![cushion()] };
        format.write(&meshes, &path).unwrap();
        let raw = import::read(&path, &Unwatched).unwrap();
        if format.part == Part::Tets {
            let grid = Grid::of(&meshes);
            assert_eq!(raw.positions, grid.points, "{}", format.name);
            // Gmsh's elements stand together that have the same body and tag.
            let sorted = |tets: &[[u32; 4]], tags: &[i32]| {
                let mut pairs: Vec<_> = tets.iter().copied().zip(tags.iter().copied()).collect();
                pairs.sort_unstable();
                pairs
            };
            assert_eq!(sorted(&raw.tets, &raw.tags), sorted(&grid.tets, grid.tags()), "{}", format.name);
            continue;
        }
        if format.extension == "npz" {
            // Points alone are read, whatever is made of them.
            assert_eq!(raw.positions, Grid::of(&meshes).points, "{}", format.name);
            continue;
        }
        let surface = &meshes[0].surface;
        let corners = |points: &[Vec3], triangles: &[[u32; 3]]| -> Vec<[Vec3; 3]> {
            triangles.iter().map(|t| t.map(|v| points[v as usize].map(|x| f64::from(x as f32)))).collect()
        };
        if matches!(format.extension, "obj" | "ply") {
            assert_eq!(raw.positions, surface.points, "{}", format.name);
            assert_eq!(raw.polygons, surface.polygons, "{}", format.name);
        } else {
            assert_eq!(corners(&raw.positions, &raw.triangles), corners(&surface.points, &surface.triangles), "{}", format.name);
        }
        if format.extension == "obj" {
            let at = |texture: &Texture| -> Vec<[f64; 2]> {
                texture.triangles.as_flattened().iter().map(|&v| texture.points[v as usize]).collect()
            };
            assert_eq!((raw.triangles, at(&raw.texture)), (surface.triangles.clone(), at(&surface.texture)));
        }
    }
    assert!(["vtu", "vtk", "msh", "mesh", "obj", "ply", "stl"].iter().all(|extension| read.contains(extension)), "{read:?}");
}

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("docs").join(name)
}

/// Scenes held by a clamp, by an obstacle, and by one another, and the first of them in each law.
fn prepared(folder: &Path) -> Vec<(PathBuf, Grid)> {
    let mut scenes: Vec<_> = MATERIALS.iter().map(|law| ("hanging_beam", Some(law.name))).collect();
    scenes.extend(["hanging_beam", "jelly_on_table", "fig4_stack"].map(|name| (name, None)));
    let mut files = Vec::new();
    for (name, law) in scenes {
        let path = gallery::find(name).unwrap().path();
        let mut scene = scene_file::load(&path).unwrap();
        if let Some(law) = law {
            scene.bodies[0].material.as_mut().unwrap().law = law.to_owned();
        }
        let name = format!("{name}_{}", law.unwrap_or("as_it_is"));
        let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        for format in PREPARED_FORMATS {
            let file = folder.join(format!("{name}.{}", format.extension));
            simulation.prepared_asset().write(&file).unwrap();
            files.push((file, simulation.prepared_asset().to_grid()));
        }
    }
    files
}

/// Every array of the file is in the documentation with its type, shape and place, and every one there is in the file.
#[test]
fn the_prepared_asset_is_what_its_documentation_says() {
    let text = std::fs::read_to_string(document("prepared_asset.md")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let documented: Vec<(String, String)> =
        rows.map(|(name, rest)| (name.to_owned(), rest.split(" | ").take(3).collect::<Vec<_>>().join(" | "))).collect();
    let folder = tempfile::tempdir().unwrap();
    let (_, grid) = prepared(folder.path()).pop().unwrap();
    let mut expected =
        vec![("positions".to_owned(), "f8 | n, 3 | Points".to_owned()), ("tets".to_owned(), "i4 | t, 4 | connectivity".to_owned())];
    let letter = |name: &str, place: Place| match (place, name.split_once('_').map_or(name, |(kind, _)| kind)) {
        (Place::Point, _) => "n",
        (Place::Cell, _) => "t",
        (_, "slide") => "s",
        (_, "contact") => "c",
        (_, "pair") => "p",
        (_, "skin") if name == "skin_triangles" => "f",
        (_, "skin") => "k",
        _ => "b",
    };
    for array in &grid.arrays {
        let kind = match array.values {
            Values::F64(_) => "f8",
            Values::I32(_) => "i4",
            Values::U8(_) => "u1",
        };
        let shape: String = array.shape()[1..].iter().map(|n| format!(", {n}")).collect();
        let place = match array.place {
            Place::Point => "point",
            Place::Cell => "cell",
            Place::Field => "field",
        };
        expected.push((array.name.clone(), format!("{kind} | {}{shape} | {place}", letter(&array.name, array.place))));
    }
    // What consistent masses and elements other than tets add.
    let path = gallery::find("hanging_chain").unwrap().path();
    let mut scene = scene_file::load(&path).unwrap();
    let mut beam = scene_file::load(&gallery::find("hanging_beam").unwrap().path()).unwrap();
    beam.bodies[0].mass_matrix = MassMatrix::Consistent;
    scene.bodies.append(&mut beam.bodies);
    let mut both = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
    both.initialise(Method::SagFree, &Unwatched).unwrap();
    let known: Vec<String> = expected.iter().map(|(name, _)| name.clone()).collect();
    for array in both.prepared_asset().to_grid().arrays.iter().filter(|array| !known.contains(&array.name)) {
        let kind = match array.values {
            Values::F64(_) => "f8",
            Values::I32(_) => "i4",
            Values::U8(_) => "u1",
        };
        let name = array.name.replace("springs_", "{name}_");
        let shape = match name.as_str() {
            "{name}_nodes" => "elements, nodes",
            "{name}_rest" => "elements, numbers",
            "mass_pairs" => "m, 2",
            "mass_couplings" => "m",
            _ => "b",
        };
        expected.push((name, format!("{kind} | {shape} | field")));
    }
    let (mut documented, mut expected) = (documented, expected);
    documented.sort();
    expected.sort();
    assert_eq!(documented, expected);
}

/// The documentation's scikit-fem finds the residual that the report of the rest mesh tells.
#[test]
fn scikit_fem_holds_the_given_shape_with_the_rest_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let scene = gallery::find("hanging_beam").unwrap().path();
    let report = program()
        .arg("rest")
        .arg(&scene)
        .arg("--out")
        .arg(file("rest.mesh"))
        .arg("--scene")
        .arg(file("rest.json"))
        .arg("--prepared")
        .arg(file("rest.npz"))
        .args(["--report", "-"])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    let residual = report["rest_shape"]["residual"].as_f64().unwrap();
    // A beam of 20 MPa, 20 cm long.
    assert!((0.1..10.0).contains(&report["rest_shape"]["residual_in_32_bits"].as_f64().unwrap()), "{report}");
    let given = scene.with_file_name("../assets/beam.mesh");
    let mut arguments = ["laws.md", "prepared_asset.md", "recipes.md"].map(document).to_vec();
    arguments.extend([file("rest.npz"), file("rest.mesh"), given, PathBuf::from(residual.to_string())]);
    match python("import skfem, meshio") {
        Some(python) => run(&python, "recipes.py", &arguments.iter().map(PathBuf::as_path).collect::<Vec<_>>()),
        None => println!("SKIPPED: Python with scikit-fem is missing"),
    }
}

/// The energies that are documented are those of the registry, law by law.
#[test]
fn every_law_is_documented() {
    let text = std::fs::read_to_string(document("laws.md")).unwrap();
    let row = |line: &str| {
        let (name, rest) = line.strip_prefix("| `")?.split_once("` | `")?;
        Some((name.to_owned(), rest.split_once("` |")?.0.replace("\\|", "|")))
    };
    let documented: Vec<_> = text.lines().filter_map(row).collect();
    let materials = MATERIALS.iter().map(|law| (law.name.to_owned(), law.energy.to_owned()));
    let springs = SPRING_LAWS.iter().map(|law| (law.name.to_owned(), law.formula.to_owned()));
    let stretching = Stretching::all().map(|law| (law.name().to_owned(), law.formula().to_owned()));
    let bending = BENDING_LAWS.iter().map(|law| (law.name().to_owned(), law.formula().to_owned()));
    assert_eq!(documented, materials.chain(springs).chain(stretching).chain(bending).collect::<Vec<_>>());
}

/// The documentation's Python has the stresses of its energies, reads both formats and finds every node in balance under each law.
#[test]
fn the_documented_python_finds_balance() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = prepared(folder.path()).into_iter().map(|(file, _)| file).collect();
    let documents = ["laws.md", "prepared_asset.md"].map(document);
    let arguments: Vec<&Path> = documents.iter().chain(&files).map(PathBuf::as_path).collect();
    match python("import numpy") {
        Some(python) => run(&python, "prepared.py", &arguments),
        None => println!("SKIPPED: Python with numpy is missing"),
    }
}

/// Rest edges, strains, rest angles and balance of cloth, recomputed by numpy from the asset alone; and what starts from it goes on to the bit.
#[test]
fn assets_of_cloth_are_read_by_numpy_and_restarted_to_the_bit() {
    let moduli = json!({ "stiffness": 600.0, "poisson": 0.25, "bending_stiffness": 2e-4 });
    let wavy = |u: f64, v: f64| Vec3::new(u, -v, 0.05 * (12.0 * u).sin() * (0.5 + 0.5 * v));
    let mut sheet = Sheet::new([9, 11], Cut::Cross, wavy);
    sheet.cloth(&moduli).cloth(&json!({ "law": "stvk", "density": 0.2 })).hold(|_, v| v == 0.0);
    let mut simulation = sheet.build().unwrap();
    assert!(simulation.initialise(Method::SagFree, &Unwatched).unwrap().infeasible.is_empty());
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let asset = simulation.prepared_asset();
    let mut ways = vec![simulation];
    let mut files = vec![document("prepared_asset.md"), file("moduli.json")];
    std::fs::write(&files[1], moduli.to_string()).unwrap();
    for format in PREPARED_FORMATS {
        files.push(file(&format!("cloth.{}", format.extension)));
        asset.write(&files[files.len() - 1]).unwrap();
        let mut restored = sheet.build().unwrap();
        restored.restore(&PreparedAsset::read(&files[files.len() - 1]).unwrap()).unwrap();
        ways.push(restored);
    }
    for simulation in &mut ways {
        simulation.kick(Vec3::new(0.01, 0.0, 0.02));
        for _ in 0..20 {
            simulation.step(&Unwatched).unwrap();
        }
    }
    assert!(ways.len() > 2 && ways.iter().all(|other| other.state.positions == ways[0].state.positions));
    let arguments: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    match python("import numpy") {
        Some(python) => run(&python, "cloth_asset.py", &arguments),
        None => println!("SKIPPED: Python with numpy is missing"),
    }
}
