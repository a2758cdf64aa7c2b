//! Surfaces around bodies of points, in files: of material points and of fluids by positions, one moment and whole runs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::HashSet;
use std::path::Path;

use crate::scene::{Particles, lattice};
use aplomb_sim::export::{self, ExportMesh, Moment, SEQUENCES, follow_state, scene_meshes, surfaces_of_points};
use aplomb_sim::import::{self, RawMesh};
use aplomb_sim::math::Vec3;
use aplomb_sim::reconstruction::Reconstruction;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{errors, program};
use serde_json::json;

/// The bodies of a scene at its start, and after three steps.
fn meshes(particles: &Particles) -> [Vec<ExportMesh>; 2] {
    let mut simulation = particles.build();
    let start = scene_meshes(&simulation.system, &simulation.system.positions);
    for _ in 0..3 {
        simulation.step(&Unwatched).unwrap();
    }
    let mut meshes = start.clone();
    let residual = vec![0.0; simulation.state.positions.len()];
    follow_state(&simulation.system, &simulation.state, &residual, &mut meshes);
    [start, meshes]
}

fn around(meshes: &[ExportMesh]) -> Vec<ExportMesh> {
    surfaces_of_points(meshes, Reconstruction::USUAL, &Unwatched).unwrap()
}

fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let edges: HashSet<(u32, u32)> = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    !triangles.is_empty() && edges.len() == 3 * triangles.len() && edges.iter().all(|&(a, b)| edges.contains(&(b, a)))
}

fn read(file: &Path) -> RawMesh {
    import::read(file, &Unwatched).unwrap_or_else(|why| panic!("{why}"))
}

/// Both sorts of points, by every format that has faces of its own in each frame.
#[test]
fn runs_are_written_as_surfaces_around_their_points() {
    let mut elastic = Particles::elastic(&lattice([6, 5, 6], 0.0), "neo_hookean");
    elastic.floor(0.5);
    let column = Particles::column([6, 5, 6], 0.0, json!({}));
    for particles in [&elastic, &column] {
        let [start, moved] = meshes(particles).map(|meshes| around(&meshes));
        let folder = tempfile::tempdir().unwrap();
        let changing: Vec<_> = SEQUENCES.iter().filter(|format| format.changing).collect();
        assert_eq!(changing.iter().map(|format| format.name).collect::<Vec<_>>(), ["obj", "usda", "ply", "stl"]);
        for format in changing {
            let mut writer = (format.begin)(folder.path(), &start, 0.01).unwrap();
            writer.frame(Moment { step: 0, time: 0.0 }, &start).unwrap();
            writer.frame(Moment { step: 3, time: 0.03 }, &moved).unwrap();
            writer.finish().unwrap();
        }
        for (file, mesh) in [("frame_000000", &start[0]), ("frame_000003", &moved[0])] {
            assert!(is_closed(&mesh.surface.triangles));
            for extension in ["obj", "ply"] {
                let raw = read(&folder.path().join(file).with_extension(extension));
                assert_eq!((raw.positions, raw.triangles), (mesh.surface.points.clone(), mesh.surface.triangles.clone()), "{extension}");
            }
            assert_eq!(read(&folder.path().join(file).with_extension("stl")).triangles.len(), mesh.surface.triangles.len());
        }
        let head = std::fs::read(folder.path().join("frame_000003.ply")).unwrap();
        let head = String::from_utf8_lossy(&head[..2000]).into_owned();
        assert!(head.contains("property double vx") && head.contains("property double displacement_x"), "{head}");
        let usda = std::fs::read_to_string(folder.path().join("frames.usda")).unwrap();
        for part in ["def Mesh \"body\"", "int[] faceVertexCounts.timeSamples", "int[] faceVertexIndices.timeSamples"] {
            assert!(usda.contains(part), "no {part}");
        }
        assert!(
            usda.contains("vector3f[] velocities.timeSamples") && !usda.contains("int[] faceVertexIndices = ") && !usda.contains(":rest")
        );
        // As many corners are counted in each frame as there are.
        let samples = usda.split_once("int[] faceVertexIndices.timeSamples").unwrap().1;
        let corners = |line: &str| line.split(',').filter(|number| !number.trim().is_empty()).count();
        let counted: Vec<usize> = samples.lines().skip(1).take(2).map(corners).collect();
        assert_eq!(counted, [&start[0], &moved[0]].map(|mesh| 3 * mesh.surface.triangles.len()));
    }
}

/// Velocities are those of the points: of a body that moves as one they are the same at all vertices.
#[test]
fn what_points_have_the_surface_has() {
    let [_, mut meshes] = meshes(&Particles::elastic(&lattice([5, 5, 5], 0.0), "neo_hookean"));
    let falls = meshes[0].velocities().unwrap()[0];
    assert!(falls.norm() > 1e-3, "{falls}");
    let surface = around(&meshes).remove(0);
    let velocities = surface.velocities().unwrap();
    assert_eq!(velocities.len(), surface.surface.points.len());
    assert!(velocities.iter().all(|v| (v - falls).norm() < 1e-6 * falls.norm()), "{falls}");
    // And where they differ from place to place, what is near counts.
    let at = |points: &[Vec3]| points.iter().flat_map(|p| [p.x, p.y, p.z]).collect::<Vec<f64>>();
    let places = at(&meshes[0].positions);
    let array = meshes[0].data.iter_mut().find(|array| array.key() == "velocity").unwrap();
    array.values = export::Values::F64(places);
    let surface = around(&meshes).remove(0);
    let spacing = 2.0 * meshes[0].surface.radius;
    let apart = surface.velocities().unwrap().iter().zip(&surface.positions).map(|(v, p)| (v - p).norm()).fold(0.0, f64::max);
    assert!(apart > 0.1 * spacing && apart < spacing, "{apart} of {spacing}");
}

/// What cannot be written says why, and what can.
#[test]
fn what_has_no_surface_around_it_says_so() {
    let [mut meshes, _] = meshes(&Particles::elastic(&lattice([4, 3, 4], 0.0), "neo_hookean"));
    let surfaces = around(&meshes);
    for name in ["pc2", "gltf"] {
        let format = SEQUENCES.iter().find(|format| format.name == name).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let told = (format.begin)(folder.path(), &surfaces, 0.01).err().unwrap().to_string();
        assert!(told.contains("body `body`") && told.contains("obj, usda, ply, stl"), "{told}");
    }
    let told = surfaces_of_points(&surfaces, Reconstruction::USUAL, &Unwatched).unwrap_err().to_string();
    assert!(told.contains("no body is made of points"), "{told}");
    meshes[0].positions[7].y = f64::INFINITY;
    let told = surfaces_of_points(&meshes, Reconstruction::USUAL, &Unwatched).unwrap_err().to_string();
    assert!(told.contains("body `body`: point 7 has no place"), "{told}");
}

/// The commands that take `--surface`, and what they say where it is of no use.
#[test]
fn commands_write_surfaces() {
    let mut particles = Particles::elastic(&lattice([5, 4, 5], 0.0), "neo_hookean");
    particles.floor(0.5);
    let (scene, folder) = (particles.file(), tempfile::tempdir().unwrap());
    let run =
        |arguments: &[&str]| program().arg(arguments[0]).arg(&scene).args(&arguments[1..]).current_dir(folder.path()).output().unwrap();
    for (file, resolution) in [("still.obj", "2"), ("still.ply", "2"), ("still.usda", "2"), ("fine.obj", "4")] {
        let output = run(&["export", "--surface", "--surface-resolution", resolution, "--out", file]);
        assert!(output.status.success(), "{file}: {}", errors(&output));
    }
    let counts = ["still.obj", "still.ply", "fine.obj"].map(|file| {
        let raw = read(&folder.path().join(file));
        assert!(is_closed(&raw.triangles), "{file}");
        raw.triangles.len()
    });
    assert!(counts[0] == counts[1] && counts[2] > 3 * counts[0], "{counts:?}");
    let output = run(&["simulate", "--init", "naive", "--steps", "2", "--surface", "--out", "frames", "--format", "obj"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!((0..3).all(|frame| is_closed(&read(&folder.path().join(format!("frames/frame_{frame:06}.obj"))).triangles)));
    for (arguments, words) in [
        (&["simulate", "--steps", "1", "--surface", "--out", "frames"][..], "choose --format obj, usda, ply, stl"),
        (&["export", "--surface", "--out", "still.vtu"][..], "tetrahedra"),
        (&["export", "--surface", "--surface-resolution", "0.5", "--out", "x.obj"][..], "from 1 to 8"),
        (&["export", "--surface-resolution", "2", "--out", "x.obj"][..], "--surface"),
    ] {
        let output = run(arguments);
        assert!(!output.status.success() && errors(&output).contains(words), "{arguments:?}: {}", errors(&output));
    }
    let output = program().args(["export", "hanging_beam", "--surface", "--out", "x.obj"]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.code() == Some(1) && errors(&output).contains("no body is made of points"), "{}", errors(&output));
}
