//! Particles of either kind from files of points, and frames of them for other programs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::scene::{Particles, lattice};
use aplomb_sim::export::{self, ExportMesh, Moment, SEQUENCES, follow_state, scene_meshes};
use aplomb_sim::files::{Values, npy, zip};
use aplomb_sim::import;
use aplomb_sim::math::Vec3;
use aplomb_sim::watch::Unwatched;
use serde_json::json;

fn numbers(points: &[Vec3]) -> Vec<f64> {
    points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
}

fn words(points: &[Vec3]) -> String {
    points.iter().map(|p| format!("{} {} {}\n", p.x, p.y, p.z)).collect()
}

/// Points by each format that has them, as cells of their own or as nothing but points.
fn files_of(points: &[Vec3]) -> Vec<(&'static str, Vec<u8>)> {
    let (count, rows) = (points.len(), words(points));
    let vertices: String = (0..count).map(|v| format!("1 {v}\n")).collect();
    let each = |number: &dyn Fn(usize) -> usize| (0..count).map(|v| format!("{} ", number(v))).collect::<String>();
    let array =
        |kind: &str, name: &str, body: String| format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"ascii\">{body}</DataArray>\n");
    let vtu = |cells: usize| {
        let lists = array("Int32", "connectivity", each(&|v| v).split_inclusive(' ').take(cells).collect())
            + &array("Int32", "offsets", each(&|v| v + 1).split_inclusive(' ').take(cells).collect())
            + &array("UInt8", "types", each(&|_| 1).split_inclusive(' ').take(cells).collect());
        let points = format!("<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">{rows}</DataArray>");
        format!(
            "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><UnstructuredGrid><Piece NumberOfPoints=\"{count}\" NumberOfCells=\"{cells}\"><Points>{points}</Points><Cells>{lists}</Cells></Piece></UnstructuredGrid></VTKFile>"
        )
    };
    let vtk =
        |kind: &str, rest: String| format!("# vtk DataFile Version 3.0\n\nASCII\nDATASET {kind}\nPOINTS {count} double\n{rows}{rest}");
    let archive = |name: &str| {
        let velocities = npy::to_npy(&Values::F64(vec![1.0; 3 * count]), &[count, 3]);
        let positions = npy::to_npy(&Values::F64(numbers(points)), &[count, 3]);
        zip::pack(&[("velocities.npy".into(), velocities), (format!("{name}.npy"), positions)]).unwrap()
    };
    let ply = format!(
        "ply\nformat ascii 1.0\nelement vertex {count}\nproperty double x\nproperty double y\nproperty double z\nend_header\n{rows}"
    );
    vec![
        ("points.ply", ply.into_bytes()),
        (
            "vertices.vtk",
            vtk("UNSTRUCTURED_GRID", format!("CELLS {count} {}\n{vertices}CELL_TYPES {count}\n{}\n", 2 * count, each(&|_| 1))).into_bytes(),
        ),
        ("polydata.vtk", vtk("POLYDATA", format!("VERTICES {count} {}\n{vertices}", 2 * count)).into_bytes()),
        ("vertices.vtu", vtu(count).into_bytes()),
        ("alone.vtu", vtu(0).into_bytes()),
        ("positions.npz", archive("positions")),
        ("points.npz", archive("points")),
    ]
}

/// A body of particles has the points of whatever file, in their order and to the bit.
#[test]
fn points_of_every_format_become_particles() {
    let points = lattice([4, 3, 4], 0.2);
    let mut particles = Particles::elastic(&points, "neo_hookean");
    particles.floor(0.5);
    let expected = particles.build().system.positions;
    for (name, bytes) in files_of(&points) {
        std::fs::write(particles.folder.path().join(name), bytes).unwrap();
        particles.scene["bodies"][0]["mesh"] = json!(name);
        assert_eq!(particles.problems(), Vec::<String>::new(), "{name}");
        assert_eq!(particles.build().system.positions, expected, "{name}");
    }
    let raw = import::read(&particles.folder.path().join("points.npz"), &Unwatched).unwrap();
    assert!(raw.notes.iter().any(|note| note.contains("`velocities` was left out")), "{:?}", raw.notes);
}

/// A scene that runs for three steps, and the body as it is exported then.
fn moved(particles: &Particles) -> ExportMesh {
    let mut simulation = particles.build();
    for _ in 0..3 {
        simulation.step(&Unwatched).unwrap();
    }
    let mut meshes = scene_meshes(&simulation.system, &simulation.system.positions);
    let residual = vec![0.0; simulation.state.positions.len()];
    follow_state(&simulation.system, &simulation.state, &residual, &mut meshes);
    meshes.remove(0)
}

/// Frames of a fluid and of an elastic solid have places and velocities to the bit, and the fields of the elastic one.
#[test]
fn frames_of_points_have_velocities_and_fields() {
    let mut elastic = Particles::elastic(&lattice([4, 3, 4], 0.0), "neo_hookean");
    elastic.floor(0.5);
    let column = Particles::column([4, 3, 4], 0.0, json!({}));
    for (particles, fields) in [(&elastic, &["von_Mises_stress", "compression_ratio"][..]), (&column, &[])] {
        let mesh = moved(particles);
        let velocities = mesh.velocities().unwrap();
        assert!(velocities.iter().any(|v| v.norm() > 1e-6), "it moves");
        let folder = tempfile::tempdir().unwrap();
        for format in SEQUENCES.iter().filter(|format| ["npz", "ply", "usda", "vtu", "obj"].contains(&format.name)) {
            let given = [ExportMesh { data: Vec::new(), ..mesh.clone() }];
            let mut writer = (format.begin)(folder.path(), &given, 0.01).unwrap();
            writer.frame(Moment { step: 3, time: 0.03 }, std::slice::from_ref(&mesh)).unwrap();
            writer.finish().unwrap();
        }
        let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
        // Numbers as NumPy has them.
        let archive = read("frame_000003.npz");
        let arrays = zip::unpack(&archive).unwrap();
        let array = |name: &str| {
            let (_, bytes) = arrays.iter().find(|(file, _)| file == &format!("{name}.npy")).unwrap_or_else(|| panic!("no {name}"));
            npy::from_npy(bytes).unwrap()
        };
        let count = mesh.positions.len();
        assert_eq!(array("positions"), (Values::F64(numbers(&mesh.positions)), vec![count, 3]));
        assert_eq!(array("velocity"), (Values::F64(numbers(&velocities)), vec![count, 3]));
        fields.iter().for_each(|field| assert_eq!(array(field).1, [count], "{field}"));
        // PLY, row by row.
        let ply = read("frame_000003.ply");
        let head = ply.windows(11).position(|window| window == b"end_header\n").unwrap() + 11;
        let properties: Vec<(String, String)> = String::from_utf8_lossy(&ply[..head])
            .lines()
            .filter_map(|line| line.strip_prefix("property ")?.split_once(' ').map(|(kind, name)| (kind.to_owned(), name.to_owned())))
            .filter(|(kind, _)| !kind.starts_with("list"))
            .collect();
        let size = |kind: &str| if kind == "double" { 8 } else { 4 };
        let row: usize = properties.iter().map(|(kind, _)| size(kind)).sum();
        assert_eq!(ply.len(), head + count * row);
        let column = |wanted: &str| {
            let place = properties.iter().position(|(_, name)| name == wanted).unwrap_or_else(|| panic!("no {wanted} in {properties:?}"));
            let start: usize = properties[..place].iter().map(|(kind, _)| size(kind)).sum();
            let at = |point: usize| f64::from_le_bytes(*ply[head + point * row + start..].first_chunk().unwrap());
            (0..count).map(at).collect::<Vec<f64>>()
        };
        for (axis, [place, speed]) in [["x", "vx"], ["y", "vy"], ["z", "vz"]].into_iter().enumerate() {
            assert!((0..count).all(|p| column(place)[p] == mesh.positions[p][axis] && column(speed)[p] == velocities[p][axis]), "{axis}");
        }
        fields.iter().for_each(|field| assert!(column(field).iter().all(|value| value.is_finite()), "{field}"));
        // What is written here is read here.
        for name in ["frame_000003.npz", "frame_000003.ply", "frame_000003.vtu", "frame_000003.obj"] {
            let raw = import::read(&folder.path().join(name), &Unwatched).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(raw.positions, mesh.positions, "{name}");
        }
        let usda = String::from_utf8(read("frames.usda")).unwrap();
        for part in ["def Points \"body\"", "point3f[] points.timeSamples", "vector3f[] velocities.timeSamples", "float[] widths"] {
            assert!(usda.contains(part), "no {part}");
        }
        assert!(!usda.contains("BasisCurves"));
    }
}

/// Formats of surfaces say which have points, and what they lack is no lines.
#[test]
fn formats_without_points_say_which_have_them() {
    let mesh = moved(&Particles::elastic(&lattice([4, 3, 4], 0.0), "neo_hookean"));
    for format in export::FORMATS {
        match format.bytes(std::slice::from_ref(&mesh)) {
            Ok(bytes) => assert!(format.points && !bytes.is_empty(), "{}", format.name),
            Err(why) => {
                let told = why.to_string();
                assert!(!format.points && told.contains("holds no points alone") && told.contains("ply"), "{told}");
            }
        }
    }
}

/// Several bodies of points share one file, in their order.
#[test]
fn bodies_of_points_follow_one_another_in_a_file() {
    let mesh = moved(&Particles::elastic(&lattice([4, 3, 4], 0.0), "neo_hookean"));
    let both = [mesh.clone(), ExportMesh { name: "other".into(), ..mesh.clone() }];
    for extension in ["ply", "npz"] {
        let format = export::FORMATS.iter().find(|format| format.extension == extension).unwrap();
        let raw = import::read_bytes(std::path::Path::new("points"), &format.bytes(&both).unwrap(), &Unwatched).unwrap();
        assert_eq!(raw.positions, [mesh.positions.clone(), mesh.positions.clone()].concat(), "{extension}");
    }
}
