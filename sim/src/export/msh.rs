//! Gmsh MSH 4.1, text (Gmsh reference manual, "MSH file format"): a volume for each body and
//! tag, which is its physical tag.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use super::mesh::bounds;
use super::{DataArray, ExportMesh, Format, Grid, Part, Place, Values};

/// What is written.
pub const FORMAT: Format = Format {
    name: "Gmsh",
    extension: "msh",
    doc: "MSH 4.1, text: tets grouped by body and physical tag, all point and cell data, to the bit",
    part: Part::Tets,
    lines: false,
    points: false,
    encode: |meshes| Ok(to_msh(&filled(meshes)).into_bytes()),
};

/// Gmsh's number of the 4-node tetrahedron.
const TETRAHEDRON: u8 = 4;

/// Tets of one body with one tag.
struct Volume {
    body: usize,
    tag: i32,
    /// The tets, counted through all bodies.
    tets: Vec<usize>,
}

/// The bodies that have tets: nodes of others would belong to no volume.
fn filled(meshes: &[ExportMesh]) -> Cow<'_, [ExportMesh]> {
    let is_filled = |mesh: &&ExportMesh| !mesh.tets.is_empty();
    if meshes.iter().all(|mesh| is_filled(&mesh)) { Cow::Borrowed(meshes) } else { meshes.iter().filter(is_filled).cloned().collect() }
}

fn to_msh(meshes: &[ExportMesh]) -> String {
    let grid = Grid::of(meshes);
    let volumes = volumes(meshes);
    let mut text = String::from("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    entities(&mut text, meshes, &volumes);
    nodes(&mut text, meshes, &volumes);
    // Writing to a string cannot fail.
    let count = grid.tets.len();
    let _ = writeln!(text, "$Elements\n{} {count} 1 {count}", volumes.len());
    for (volume, number) in volumes.iter().zip(1..) {
        let _ = writeln!(text, "3 {number} {TETRAHEDRON} {}", volume.tets.len());
        for &t in &volume.tets {
            let [a, b, c, d] = grid.tets[t].map(|v| v + 1);
            let _ = writeln!(text, "{} {a} {b} {c} {d}", t + 1);
        }
    }
    text += "$EndElements\n";
    // Tags and bodies are the volumes.
    for array in grid.arrays.iter().filter(|array| !matches!(array.name.as_str(), "tag" | "body")) {
        match array.place {
            Place::Point => data(&mut text, "NodeData", array, 0..grid.points.len()),
            // In the order of the elements in the file, which is all that some readers go by.
            Place::Cell => data(&mut text, "ElementData", array, volumes.iter().flat_map(|volume| volume.tets.iter().copied())),
            Place::Field => {}
        }
    }
    text
}

/// In the order in which they come first.
fn volumes(meshes: &[ExportMesh]) -> Vec<Volume> {
    let mut volumes: Vec<Volume> = Vec::new();
    let mut known = BTreeMap::new();
    let mut first = 0;
    for (body, mesh) in meshes.iter().enumerate() {
        for t in 0..mesh.tets.len() {
            let tag = mesh.tags.get(t).copied().unwrap_or(0);
            let volume = *known.entry((body, tag)).or_insert(volumes.len());
            if volume == volumes.len() {
                volumes.push(Volume { body, tag, tets: Vec::new() });
            }
            volumes[volume].tets.push(first + t);
        }
        first += mesh.tets.len();
    }
    volumes
}

fn entities(text: &mut String, meshes: &[ExportMesh], volumes: &[Volume]) {
    let _ = writeln!(text, "$Entities\n0 0 0 {}", volumes.len());
    // Either all volumes have a physical tag or none has one: some readers (meshio 5) take nothing else.
    let is_tagged = volumes.iter().any(|volume| volume.tag != 0);
    for (volume, number) in volumes.iter().zip(1..) {
        let [least, largest] = bounds(&meshes[volume.body].positions);
        let physical = if is_tagged { format!("1 {}", volume.tag) } else { "0".into() };
        let _ = writeln!(text, "{number} {} {} {} {} {} {} {physical} 0", least.x, least.y, least.z, largest.x, largest.y, largest.z);
    }
    text.push_str("$EndEntities\n");
}

/// Nodes belong to the first volume of their body, so that each is listed once.
fn nodes(text: &mut String, meshes: &[ExportMesh], volumes: &[Volume]) {
    let count: usize = meshes.iter().map(|mesh| mesh.positions.len()).sum();
    let _ = writeln!(text, "$Nodes\n{} {count} 1 {count}", meshes.len());
    let mut first = 1;
    for (body, mesh) in meshes.iter().enumerate() {
        let Some(volume) = volumes.iter().position(|volume| volume.body == body) else { continue };
        let _ = writeln!(text, "3 {} 0 {}", volume + 1, mesh.positions.len());
        for node in first..first + mesh.positions.len() {
            let _ = writeln!(text, "{node}");
        }
        for p in &mesh.positions {
            let _ = writeln!(text, "{} {} {}", p.x, p.y, p.z);
        }
        first += mesh.positions.len();
    }
    text.push_str("$EndNodes\n");
}

/// Gmsh knows scalars, vectors and tensors.
fn data(text: &mut String, title: &str, array: &DataArray, order: impl Iterator<Item = usize>) {
    if !matches!(array.components, 1 | 3 | 9) {
        return;
    }
    let values: Vec<f64> = match &array.values {
        Values::F64(v) => v.clone(),
        Values::I32(v) => v.iter().map(|x| f64::from(*x)).collect(),
        Values::U8(v) => v.iter().map(|x| f64::from(*x)).collect(),
    };
    let name: String = array.name.chars().map(|c| if c == '"' || c.is_control() { '_' } else { c }).collect();
    // One string, its name; one real, the time; three integers: the step, numbers an entry, entries.
    let _ = writeln!(text, "${title}\n1\n\"{name}\"\n1\n0\n3\n0\n{}\n{}", array.components, values.len() / array.components);
    for k in order {
        let _ = write!(text, "{}", k + 1);
        values[k * array.components..][..array.components].iter().for_each(|x| {
            let _ = write!(text, " {x}");
        });
        text.push('\n');
    }
    let _ = writeln!(text, "$End{title}");
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::two_bodies;
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn bodies_and_tags_are_volumes() {
        let mut meshes = two_bodies();
        let load = |n| DataArray { place: Place::Point, name: "load [N]".into(), components: 1, values: Values::F64(vec![0.1; n]) };
        meshes[0].data = vec![load(4)];
        meshes[1].data = vec![load(5)];
        meshes[1].tags = vec![7, 0];
        let text = String::from_utf8(FORMAT.bytes(&meshes).unwrap()).unwrap();
        let expected = "$MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
0 0 0 3
1 0 0 0 0.3333333333333333 1 1 1 7 0
2 2 0 0 3 1 1 1 7 0
3 2 0 0 3 1 1 1 0 0
$EndEntities
$Nodes
2 9 1 9
3 1 0 4
1
2
3
4
0 0 0
0.3333333333333333 0 0
0 1 0
0 0 1
3 2 0 5
5
6
7
8
9
2 0 0
2.3333333333333335 0 0
2 1 0
2 0 1
3 1 1
$EndNodes
$Elements
3 3 1 3
3 1 4 1
1 1 2 3 4
3 2 4 1
2 5 6 7 8
3 3 4 1
3 6 7 8 9
$EndElements
$NodeData
1
\"load [N]\"
1
0
3
0
1
9
1 0.1
";
        assert_eq!(text[..expected.len()], *expected);
        assert!(text.ends_with("9 0.1\n$EndNodeData\n"));
        meshes.iter_mut().for_each(|mesh| mesh.tags.clear());
        let text = String::from_utf8(FORMAT.bytes(&meshes).unwrap()).unwrap();
        assert!(text.contains("0 0 0 2\n1 0 0 0 0.3333333333333333 1 1 0 0\n"), "{text}");
    }

    #[test]
    fn bodies_without_tets_leave_no_gap() {
        let meshes = two_bodies();
        let empty = ExportMesh { positions: vec![Vec3::zeros(); 3], ..ExportMesh::default() };
        let between = [meshes[0].clone(), empty, meshes[1].clone()];
        assert_eq!(FORMAT.bytes(&between).unwrap(), FORMAT.bytes(&meshes).unwrap());
    }

    #[test]
    fn every_tet_may_have_a_tag_of_its_own() {
        let mut mesh = two_bodies().remove(0);
        mesh.tets = vec![[0, 1, 2, 3]; 20_000];
        mesh.tags = (0..20_000).map(|t| t / 2 * 7 % 10_000).collect();
        let volumes = volumes(&[mesh]);
        assert_eq!(volumes.len(), 10_000);
        assert!(
            volumes
                .iter()
                .zip(0..)
                .all(|(volume, k)| (volume.tag, &volume.tets[..]) == (k * 7 % 10_000, &[2 * k as usize, 2 * k as usize + 1]))
        );
    }
}
