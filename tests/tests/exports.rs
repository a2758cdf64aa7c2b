//! What is exported, read by the programs of others: numpy on prepared assets, as the documentation says, and Python modules on every
//! format (`tests/oracles`). `tests/run.sh` makes the Python environment; without it these tests say `SKIPPED:`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;

use aplomb_sim::export::{DataArray, ExportMesh, FORMATS, Moment, Place, SEQUENCES, Surface, Values};
use aplomb_sim::import::{Lists, Texture};
use aplomb_sim::math::Vec3;
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
    ExportMesh { name: name.into(), positions, tets, tags, surface, data: Vec::new() }
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
    let surface = Surface { points: (0..8).map(corner).collect(), triangles, polygons, texture };
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
