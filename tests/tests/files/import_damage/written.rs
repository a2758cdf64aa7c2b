//! Files of every format, written here by its specification: what is in them is known.

use std::fmt::Write;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};

/// What a file holds.
pub enum Content {
    Text(String),
    Binary(Vec<u8>),
}

/// One mesh: a file, or a pair.
pub struct Sample {
    /// Name of the format, as the importer has it.
    pub format: &'static str,
    /// Names and contents; the first is opened.
    pub files: Vec<(String, Content)>,
    /// Coordinates of the corners of each element.
    pub elements: Vec<Vec<[f64; 3]>>,
}

/// Points and their lists: tets, triangles or strands.
struct Mesh {
    points: Vec<[f64; 3]>,
    lists: Vec<Vec<u32>>,
}

impl Sample {
    /// Whether all of it is text.
    pub fn is_text(&self) -> bool {
        self.files.iter().all(|(_, content)| matches!(content, Content::Text(_)))
    }
}

/// Ten files of a format; where some are texts, ten are.
pub fn samples(format: &'static str) -> Vec<Sample> {
    let mut samples: Vec<Sample> = (0..10).map(|seed| sample(format, seed)).collect();
    while (1..10).contains(&samples.iter().filter(|sample| sample.is_text()).count()) {
        samples.push(sample(format, samples.len()));
    }
    samples
}

fn sample(format: &'static str, seed: usize) -> Sample {
    let is_odd = seed % 2 == 1;
    let mesh = match format {
        "MEDIT" | "Gmsh" | "TetGen" | "VTK legacy" | "VTK XML" => tets(seed),
        "TressFX" => strands(seed),
        "NumPy archive" => lone_points(seed),
        _ => surface(seed),
    };
    let text = |extension: &str, text: String| vec![(format!("mesh.{extension}"), Content::Text(text))];
    let binary = |extension: &str, bytes: Vec<u8>| vec![(format!("mesh.{extension}"), Content::Binary(bytes))];
    let files = match (format, seed % 3) {
        ("MEDIT", 0) => binary("meshb", medit_binary(&mesh)),
        ("MEDIT", _) => text("mesh", medit(&mesh)),
        ("Gmsh", 0) => text("msh", gmsh_2(&mesh)),
        ("Gmsh", 1) => binary("msh", gmsh_2_binary(&mesh)),
        ("Gmsh", _) => text("msh", gmsh_4(&mesh)),
        ("TetGen", _) => {
            let (node, ele) = tetgen(&mesh, seed % 2);
            let files = [("mesh.node".to_owned(), Content::Text(node)), ("mesh.ele".to_owned(), Content::Text(ele))];
            if is_odd { files.into_iter().rev().collect() } else { files.into() }
        }
        ("VTK legacy", _) if is_odd => binary("vtk", vtk_binary(&mesh)),
        ("VTK legacy", _) => text("vtk", vtk(&mesh)),
        ("VTK XML", _) => text("vtu", vtu(&mesh)),
        ("Wavefront OBJ", _) => text("obj", obj(&mesh, is_odd)),
        ("STL", _) if is_odd => binary("stl", stl_binary(&mesh)),
        ("STL", _) => text("stl", stl(&mesh)),
        ("PLY", 0) => binary("ply", ply_binary(&mesh, is_odd)),
        ("PLY", _) => text("ply", ply(&mesh)),
        ("glTF", 0) => binary("glb", glb(&mesh)),
        ("glTF", _) => text("gltf", gltf(&mesh)),
        ("TressFX", _) => binary("tfx", tressfx(&mesh)),
        ("NumPy archive", _) => binary("npz", npz(&mesh, seed)),
        (other, _) => panic!("{other} is not written here yet"),
    };
    let elements = mesh.lists.iter().map(|list| list.iter().map(|&v| mesh.points[v as usize]).collect()).collect();
    Sample { format, files, elements }
}

/// A number of single precision, in a form that needs its exponent.
fn rounded(number: f64) -> f64 {
    f64::from(number as f32)
}

fn points(positions: &[Vec3], seed: usize) -> Vec<[f64; 3]> {
    let scale = [1.0, 1e-3, 250.0][seed % 3];
    positions.iter().map(|p| [p.x, p.y, p.z].map(|c| rounded(scale * (c + 0.013 * seed as f64 + 0.1)))).collect()
}

fn tets(seed: usize) -> Mesh {
    let (positions, tets) = box_mesh(Vec3::new(1.0, 2.0, 1.5), [1 + seed % 3, 2, 1 + seed / 4], CubeCut::Five);
    Mesh { points: points(&positions, seed), lists: tets.iter().map(|t| t.to_vec()).collect() }
}

fn surface(seed: usize) -> Mesh {
    let TriangleMesh { positions, triangles } = match seed % 3 {
        0 => TriangleMesh::torus(&Vec3::zeros(), &Vec3::y(), 1.0, 0.4, 8 + seed as u32),
        1 => TriangleMesh::capsule(&Vec3::zeros(), &Vec3::y(), 0.7, 8 + seed as u32),
        _ => TriangleMesh::cuboid(&Vec3::zeros(), &Vec3::new(1.0, 2.0, 3.0), [10.0, 20.0 * seed as f64, 0.0]),
    };
    Mesh { points: points(&positions, seed), lists: triangles.iter().map(|t| t.to_vec()).collect() }
}

fn lone_points(seed: usize) -> Mesh {
    let Mesh { points, .. } = surface(seed);
    Mesh { lists: (0..points.len() as u32).map(|v| vec![v]).collect(), points }
}

fn strands(seed: usize) -> Mesh {
    let (count, length) = (3 + seed as u32, 4 + seed as u32 % 3);
    let place = |v: u32| Vec3::new(f64::from(v / length), -0.1 * f64::from(v % length), 0.01 * f64::from(v));
    let positions: Vec<Vec3> = (0..count * length).map(place).collect();
    Mesh { points: points(&positions, seed), lists: (0..count).map(|s| (s * length..(s + 1) * length).collect()).collect() }
}

/// Rows of words with single blanks.
fn rows<T: std::fmt::Display>(lists: impl Iterator<Item = Vec<T>>) -> String {
    lists.fold(String::new(), |mut text, list| {
        let words: Vec<String> = list.iter().map(ToString::to_string).collect();
        writeln!(text, "{}", words.join(" ")).unwrap();
        text
    })
}

/// Coordinates with exponents.
fn numbers(point: &[f64; 3]) -> Vec<String> {
    point.iter().map(|c| format!("{c:e}")).collect()
}

fn medit(mesh: &Mesh) -> String {
    let points = rows(mesh.points.iter().map(|p| [numbers(p), vec!["0".to_owned()]].concat()));
    let tets = rows(mesh.lists.iter().map(|t| [t.iter().map(|v| v + 1).collect(), vec![7]].concat()));
    let (n, t) = (mesh.points.len(), mesh.lists.len());
    format!("MeshVersionFormatted 2\nDimension 3\nVertices\n{n}\n{points}Tetrahedra\n{t}\n{tets}End\n")
}

fn ints(bytes: &mut Vec<u8>, values: impl IntoIterator<Item = u32>) {
    values.into_iter().for_each(|value| bytes.extend(value.to_le_bytes()));
}

fn medit_binary(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Mark, version 2; each section: its number, the place of the next one, its content.
    ints(&mut bytes, [1, 2, 3, 20, 3]);
    let end = 20 + 12 + 28 * mesh.points.len() as u32;
    ints(&mut bytes, [4, end, mesh.points.len() as u32]);
    for point in &mesh.points {
        point.iter().for_each(|c| bytes.extend(c.to_le_bytes()));
        ints(&mut bytes, [0]);
    }
    ints(&mut bytes, [8, end + 12 + 20 * mesh.lists.len() as u32, mesh.lists.len() as u32]);
    for tet in &mesh.lists {
        ints(&mut bytes, tet.iter().map(|v| v + 1).chain([7]));
    }
    ints(&mut bytes, [54, 0]);
    bytes
}

fn gmsh_2(mesh: &Mesh) -> String {
    let points = rows(mesh.points.iter().enumerate().map(|(i, p)| [vec![(i + 1).to_string()], numbers(p)].concat()));
    let tets = rows((1..).zip(&mesh.lists).map(|(i, t)| [vec![i, 4, 2, 7, 7], t.iter().map(|v| v + 1).collect()].concat()));
    let (n, t) = (mesh.points.len(), mesh.lists.len());
    format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{n}\n{points}$EndNodes\n$Elements\n{t}\n{tets}$EndElements\n")
}

fn gmsh_2_binary(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = b"$MeshFormat\n2.2 1 8\n".to_vec();
    ints(&mut bytes, [1]);
    bytes.extend(format!("\n$EndMeshFormat\n$Nodes\n{}\n", mesh.points.len()).into_bytes());
    for (i, point) in (1..).zip(&mesh.points) {
        ints(&mut bytes, [i]);
        point.iter().for_each(|c| bytes.extend(c.to_le_bytes()));
    }
    bytes.extend(format!("\n$EndNodes\n$Elements\n{}\n", mesh.lists.len()).into_bytes());
    ints(&mut bytes, [4, mesh.lists.len() as u32, 2]);
    for (i, tet) in (1..).zip(&mesh.lists) {
        ints(&mut bytes, [i, 7, 7].into_iter().chain(tet.iter().map(|v| v + 1)));
    }
    bytes.extend(b"\n$EndElements\n");
    bytes
}

fn gmsh_4(mesh: &Mesh) -> String {
    let (n, t) = (mesh.points.len(), mesh.lists.len());
    let names = rows((1..=n).map(|i| vec![i]));
    let points = rows(mesh.points.iter().map(numbers));
    let tets = rows((1..).zip(&mesh.lists).map(|(i, t)| [vec![i], t.iter().map(|v| v + 1).collect()].concat()));
    format!(
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {n} 1 {n}\n3 1 0 {n}\n{names}{points}$EndNodes\n$Elements\n1 {t} 1 {t}\n3 1 4 {t}\n{tets}$EndElements\n"
    )
}

fn tetgen(mesh: &Mesh, first: usize) -> (String, String) {
    let points = rows(mesh.points.iter().enumerate().map(|(i, p)| [vec![(i + first).to_string()], numbers(p)].concat()));
    let tets =
        rows(mesh.lists.iter().enumerate().map(|(i, t)| [vec![i + first], t.iter().map(|v| *v as usize + first).collect()].concat()));
    (format!("{} 3 0 0\n{points}", mesh.points.len()), format!("{} 4 0\n{tets}", mesh.lists.len()))
}

fn vtk_head(mesh: &Mesh, kind: &str) -> String {
    format!("# vtk DataFile Version 3.0\na mesh\n{kind}\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n", mesh.points.len())
}

fn vtk(mesh: &Mesh) -> String {
    let t = mesh.lists.len();
    let points = rows(mesh.points.iter().map(numbers));
    let tets = rows(mesh.lists.iter().map(|t| [vec![4], t.clone()].concat()));
    let types = rows(mesh.lists.iter().map(|_| vec![10]));
    format!("{}{points}CELLS {t} {}\n{tets}CELL_TYPES {t}\n{types}", vtk_head(mesh, "ASCII"), 5 * t)
}

fn vtk_binary(mesh: &Mesh) -> Vec<u8> {
    let t = mesh.lists.len();
    let mut bytes = vtk_head(mesh, "BINARY").into_bytes();
    mesh.points.as_flattened().iter().for_each(|c| bytes.extend(c.to_be_bytes()));
    bytes.extend(format!("\nCELLS {t} {}\n", 5 * t).into_bytes());
    mesh.lists.iter().for_each(|tet| [4].iter().chain(tet).for_each(|v| bytes.extend(v.to_be_bytes())));
    bytes.extend(format!("\nCELL_TYPES {t}\n").into_bytes());
    mesh.lists.iter().for_each(|_| bytes.extend(10_u32.to_be_bytes()));
    bytes.push(b'\n');
    bytes
}

fn vtu(mesh: &Mesh) -> String {
    let (n, t) = (mesh.points.len(), mesh.lists.len());
    let points = rows(mesh.points.iter().map(numbers));
    let tets = rows(mesh.lists.iter().cloned());
    let offsets = rows((1..=t).map(|i| vec![4 * i]));
    let types = rows((0..t).map(|_| vec![10]));
    format!(
        r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
<UnstructuredGrid>
<Piece NumberOfPoints="{n}" NumberOfCells="{t}">
<Points>
<DataArray type="Float64" NumberOfComponents="3" format="ascii">
{points}</DataArray>
</Points>
<Cells>
<DataArray type="Int64" Name="connectivity" format="ascii">
{tets}</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">
{offsets}</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">
{types}</DataArray>
</Cells>
</Piece>
</UnstructuredGrid>
</VTKFile>
"#
    )
}

fn obj(mesh: &Mesh, backwards: bool) -> String {
    let n = mesh.points.len() as i64;
    let points = mesh.points.iter().fold(String::new(), |text, p| text + "v " + &numbers(p).join(" ") + "\n");
    let corner = |v: &u32| if backwards { i64::from(*v) - n } else { i64::from(*v) + 1 }.to_string();
    let faces = mesh.lists.iter().fold(String::new(), |text, t| text + "f " + &t.iter().map(corner).collect::<Vec<_>>().join(" ") + "\n");
    format!("# a mesh\no body\n{points}{faces}")
}

fn stl(mesh: &Mesh) -> String {
    let mut text = "solid body\n".to_owned();
    for triangle in &mesh.lists {
        text += "facet normal 0e0 0e0 1e0\nouter loop\n";
        triangle.iter().for_each(|&v| writeln!(text, "vertex {}", numbers(&mesh.points[v as usize]).join(" ")).unwrap());
        text += "endloop\nendfacet\n";
    }
    text + "endsolid body\n"
}

fn floats(bytes: &mut Vec<u8>, values: &[f64]) {
    values.iter().for_each(|value| bytes.extend((*value as f32).to_le_bytes()));
}

fn stl_binary(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = format!("{:80}", "written by a test").into_bytes();
    ints(&mut bytes, [mesh.lists.len() as u32]);
    for triangle in &mesh.lists {
        floats(&mut bytes, &[0.0; 3]);
        triangle.iter().for_each(|&v| floats(&mut bytes, &mesh.points[v as usize]));
        bytes.extend([0; 2]);
    }
    bytes
}

fn ply_head(mesh: &Mesh, format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
        mesh.points.len(),
        mesh.lists.len()
    )
}

fn ply(mesh: &Mesh) -> String {
    let faces = rows(mesh.lists.iter().map(|t| [vec![3], t.clone()].concat()));
    ply_head(mesh, "ascii") + &rows(mesh.points.iter().map(numbers)) + &faces
}

fn ply_binary(mesh: &Mesh, big: bool) -> Vec<u8> {
    let mut bytes = ply_head(mesh, if big { "binary_big_endian" } else { "binary_little_endian" }).into_bytes();
    for c in mesh.points.as_flattened() {
        bytes.extend(if big { c.to_be_bytes() } else { c.to_le_bytes() });
    }
    for triangle in &mesh.lists {
        bytes.push(3);
        triangle.iter().for_each(|v| bytes.extend(if big { v.to_be_bytes() } else { v.to_le_bytes() }));
    }
    bytes
}

/// Positions and indices as a buffer, and what describes it; `uri` names the buffer.
fn gltf_parts(mesh: &Mesh, uri: impl Fn(&[u8]) -> String) -> (String, Vec<u8>) {
    let mut buffer = Vec::new();
    floats(&mut buffer, mesh.points.as_flattened());
    let indices = buffer.len();
    ints(&mut buffer, mesh.lists.concat());
    let (n, t, length) = (mesh.points.len(), 3 * mesh.lists.len(), buffer.len());
    let views = format!(
        "{{\"buffer\": 0, \"byteLength\": {indices}}}, {{\"buffer\": 0, \"byteOffset\": {indices}, \"byteLength\": {}}}",
        length - indices
    );
    let accessors = format!(
        "{{\"bufferView\": 0, \"componentType\": 5126, \"count\": {n}, \"type\": \"VEC3\"}}, {{\"bufferView\": 1, \"componentType\": 5125, \"count\": {t}, \"type\": \"SCALAR\"}}"
    );
    let json = format!(
        "{{\"asset\": {{\"version\": \"2.0\"}}, \"scene\": 0, \"scenes\": [{{\"nodes\": [0]}}],\n\"nodes\": [{{\"mesh\": 0, \"scale\": [1e0, 1e0, 1e0]}}],\n\"meshes\": [{{\"primitives\": [{{\"attributes\": {{\"POSITION\": 0}}, \"indices\": 1}}]}}],\n\"accessors\": [{accessors}],\n\"bufferViews\": [{views}],\n\"buffers\": [{{{}\"byteLength\": {length}}}]}}\n",
        uri(&buffer)
    );
    (json, buffer)
}

fn gltf(mesh: &Mesh) -> String {
    gltf_parts(mesh, |buffer| format!("\"uri\": \"data:application/octet-stream;base64,{}\", ", base64(buffer))).0
}

fn glb(mesh: &Mesh) -> Vec<u8> {
    let (mut json, buffer) = gltf_parts(mesh, |_| String::new());
    json += &" ".repeat((4 - json.len() % 4) % 4);
    let mut bytes = b"glTF".to_vec();
    ints(&mut bytes, [2, (12 + 8 + json.len() + 8 + buffer.len()) as u32, json.len() as u32]);
    bytes.extend(b"JSON");
    bytes.extend(json.into_bytes());
    ints(&mut bytes, [buffer.len() as u32]);
    bytes.extend(b"BIN\0");
    bytes.extend(buffer);
    bytes
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = (0..3).fold(0_u32, |number, i| number << 8 | u32::from(three.get(i).copied().unwrap_or(0)));
        (0..4).for_each(|i| text.push(if i <= three.len() { LETTERS[(number >> (18 - 6 * i) & 63) as usize] as char } else { '=' }));
    }
    text
}

fn tressfx(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = 4_f32.to_le_bytes().to_vec();
    ints(&mut bytes, [mesh.lists.len() as u32, mesh.lists[0].len() as u32, 160]);
    bytes.resize(160, 0);
    for strand in &mesh.lists {
        for (i, &v) in strand.iter().enumerate() {
            floats(&mut bytes, &mesh.points[v as usize]);
            floats(&mut bytes, &[if i < 2 { 0.0 } else { 1.0 }]);
        }
    }
    bytes
}

/// Points in double or in single precision, before or behind an array that is left out, as `numpy.savez` stores them: no compression.
fn npz(mesh: &Mesh, seed: usize) -> Vec<u8> {
    let array = |kind: &str, shape: &str, numbers: Vec<u8>| {
        let mut head = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
        head += &" ".repeat((64 - (11 + head.len()) % 64) % 64);
        head.push('\n');
        [&b"\x93NUMPY\x01\0"[..], &(head.len() as u16).to_le_bytes(), head.as_bytes(), &numbers].concat()
    };
    let coordinates = mesh.points.as_flattened().iter();
    let shape = format!("{}, 3", mesh.points.len());
    let points = match seed % 2 {
        0 => array("<f8", &shape, coordinates.flat_map(|c| c.to_le_bytes()).collect()),
        _ => array("<f4", &shape, coordinates.flat_map(|c| (*c as f32).to_le_bytes()).collect()),
    };
    let mut files = vec![(["positions.npy", "points.npy"][seed / 2 % 2], points), ("id.npy", array("|u1", "3,", vec![1, 2, 3]))];
    if seed.is_multiple_of(3) {
        files.reverse();
    }
    let (mut bytes, mut central) = (Vec::new(), Vec::new());
    for (name, content) in &files {
        let start = bytes.len() as u32;
        // Stored, without flags or date.
        let crc = aplomb_sim::files::crc32(content);
        let words = [0, crc, content.len() as u32, content.len() as u32, name.len() as u32];
        bytes.extend(b"PK\x03\x04\x14\0\0\0\0\0");
        ints(&mut bytes, words);
        bytes.extend([name.as_bytes(), content].concat());
        central.extend(b"PK\x01\x02\x14\0\x14\0\0\0\0\0");
        ints(&mut central, words);
        central.extend([0; 10]);
        ints(&mut central, [start]);
        central.extend(name.as_bytes());
    }
    let start = bytes.len() as u32;
    bytes.extend(&central);
    bytes.extend(b"PK\x05\x06\0\0\0\0\x02\0\x02\0");
    ints(&mut bytes, [central.len() as u32, start]);
    bytes.extend([0; 2]);
    bytes
}
