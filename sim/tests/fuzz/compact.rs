//! Large files that say as much as they can in few bytes, for the bound on memory.

/// Names and contents, each of some megabytes.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    const COUNT: usize = 150_000;
    let lines = |line: &str| line.repeat(COUNT);
    let medit = |section: &str, body: String| {
        format!("MeshVersionFormatted 2\nDimension 3\nVertices 4\n{}{section} {COUNT}\n{body}End\n", "0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n")
    };
    let gmsh = |body: String| {
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n{COUNT}\n{body}$EndElements\n"
        )
    };
    let points = "POINTS 9 float\n0 0 0 1 0 0 1 1 0 0 1 0 2 0 0 2 1 0 3 0 0 3 1 0 3 2 0\n";
    let polydata = |body: String| format!("# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\n{points}{body}");
    let grid = |kind: usize, cell: &str, size: usize| {
        let (cells, types) = (lines(&format!("{cell}\n")), lines(&format!("{kind}\n")));
        let tags: String = (0..COUNT).map(|i| format!("{i} ")).collect();
        format!(
            "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\n{points}CELLS {COUNT} {}\n{cells}CELL_TYPES {COUNT}\n{types}CELL_DATA {COUNT}\nSCALARS tag int\nLOOKUP_TABLE d\n{tags}",
            size * COUNT
        )
    };
    let strip: String = (0..COUNT).map(|i| format!("{} ", i % 9)).collect();
    let vtu = |kind: usize, corners: &str, count: usize| {
        let array = |name: &str, body: String| format!("<DataArray type=\"Int32\" Name=\"{name}\" format=\"ascii\">{body}</DataArray>\n");
        let offsets: String = (1..=COUNT).map(|i| format!("{} ", i * count)).collect();
        format!(
            "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"{COUNT}\">\n<CellData>{}</CellData><Points>{}</Points><Cells>{}{}{}</Cells></Piece></UnstructuredGrid></VTKFile>",
            array("tag", (0..COUNT).map(|i| format!("{i} ")).collect()),
            "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray>",
            array("connectivity", lines(corners)),
            array("offsets", offsets),
            array("types", lines(&format!("{kind} ")))
        )
    };
    let numbered = |line: &str| (0..COUNT).map(|i| format!("{line} {i}\n")).collect::<String>();
    let mut files = vec![
        ("triangles.mesh", medit("Triangles", lines("1 2 3 1\n"))),
        ("groups.mesh", medit("Triangles", numbered("1 2 3"))),
        ("quads.mesh", medit("Quadrilaterals", numbered("1 2 3 4"))),
        ("tets.mesh", medit("Tetrahedra", lines("1 2 3 4 0\n"))),
        ("sections.mesh", "MeshVersionFormatted 1\n".to_owned() + &(0..COUNT).map(|i| format!("A{i} 0 ")).collect::<String>()),
        ("triangles.msh", gmsh(lines("1 2 0 1 2 3\n"))),
        ("quads.msh", gmsh((0..COUNT).map(|i| format!("1 3 1 {i} 1 2 3 2\n")).collect())),
        ("tets.msh", gmsh(lines("1 4 0 1 2 3 3\n"))),
        ("nodes.msh", format!("$NOD\n{COUNT}\n{}$ENDNOD\n", (0..COUNT).rev().map(|i| format!("{i} 0 0 0\n")).collect::<String>())),
        (
            "sections.msh",
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n".to_owned() + &(0..COUNT).map(|i| format!("$A{i}\n$EndA{i}\n")).collect::<String>(),
        ),
        (
            "names.msh",
            format!("$PhysicalNames\n{COUNT}\n{}$EndPhysicalNames\n", (0..COUNT).map(|i| format!("3 {i} a\n")).collect::<String>()),
        ),
        ("entities.msh", entities()),
        (
            "named_again.msh",
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n".to_owned() + &lines("$PhysicalNames\n1\n3 1 \"a\"\n$EndPhysicalNames\n"),
        ),
        ("nodes.tetgen", format!("{COUNT} 3\n{}%1 4\n1 1 2 3 4\n", (0..COUNT).rev().map(|i| format!("{i} 0 0 0\n")).collect::<String>())),
        ("row.tetgen", format!("{}\n%1", lines("1 "))),
        ("triangles.vtk", grid(5, "3 0 1 2", 4)),
        ("quads.vtk", grid(9, "4 0 1 2 3", 5)),
        ("tets.vtk", grid(10, "4 0 1 2 3", 5)),
        ("points.vtk", grid(1, "1 0", 2)),
        ("pairs.vtk", grid(4, "2 0 1", 3)),
        ("polygons.vtk", polydata(format!("POLYGONS {} {}\n{}", COUNT / 10, COUNT / 10 * 10, "9 0 1 2 3 4 5 6 7 8\n".repeat(COUNT / 10)))),
        ("strip.vtk", polydata(format!("TRIANGLE_STRIPS 1 {}\n{COUNT} {strip}", COUNT + 1))),
        ("triangles.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned() + &lines("f 1 2 3\n")),
        ("groups.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned() + &(0..COUNT).map(|i| format!("g {i}\nf 1 2 3\n")).collect::<String>()),
        ("long_name.obj", long_name()),
        ("many_names.obj", many_names()),
        ("texture.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\n".to_owned() + &lines("f 1/1 2/1 3/1\n")),
        ("vertices.obj", lines("v 0 0 0\n")),
        ("texture_points.obj", lines("vt 0\n")),
        ("lines.obj", "v 0 0 0\nv 1 0 0\n".to_owned() + &lines("l 1 2\n")),
        (
            "facets.stl",
            format!(
                "solid\n{}endsolid\n",
                lines("facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n")
            ),
        ),
        (
            "faces.ply",
            format!(
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face {COUNT}\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n{}",
                lines("3 0 1 2\n")
            ),
        ),
        (
            "solids.stl",
            (0..COUNT / 10).map(|i| format!("solid {i}\nfacet vertex 0 0 0 vertex 1 0 0 vertex 0 1 {i} endfacet endsolid\n")).collect(),
        ),
        ("instances.gltf", gltf()),
        ("triangles.vtu", vtu(5, "0 1 2 ", 3)),
        ("quads.vtu", vtu(9, "0 1 2 3 ", 4)),
        ("tets.vtu", vtu(10, "0 1 2 3 ", 4)),
        ("tags.vtu", "<VTKFile type=\"PolyData\"><Piece>".to_owned() + &lines("<DataArray/>")),
        ("pieces.vtu", "<VTKFile type=\"PolyData\">".to_owned() + &lines("<Piece/>")),
    ];
    // With what is missing at the end, all that was read is still held.
    let cut: Vec<_> = files.iter().map(|(name, text)| (*name, text[..text.len() - 40].to_owned())).collect();
    files.extend(cut);
    files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect()
}

/// An object with a name of 100 kB and thousands of groups.
fn long_name() -> String {
    let groups: String = (0..2_000).map(|i| format!("g {i}\nf 1 2 3\n")).collect();
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\no {}\n{groups}o b\nf 1 2 3\n", "n".repeat(100_000))
}

/// A name as long as is kept, in each of as many groups as fit into a file.
fn many_names() -> String {
    let groups: String = (0..100_000).map(|i| format!("g {i}\nf 1 2 3\n")).collect();
    let name = "\u{1f9f1}".repeat(100);
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\no {name}\nusemtl {name}\n{groups}o b\nusemtl c\nf 1 2 3\n")
}

/// A section for each entity.
fn entities() -> String {
    let sections: String = (0..30_000).map(|i| format!("$Entities\n0 0 0 1\n{i} 0 0 0 0 0 0 1 7 0\n$EndEntities\n")).collect();
    format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n{sections}")
}

/// One mesh of many triangles in many places.
fn gltf() -> String {
    let nodes = vec!["{\"mesh\":0}"; 3_000].join(",");
    let list = (0..3_000).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let buffer = "AAAAAAAAAAAAAAAA".repeat(3_000);
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[{list}]}}],\"nodes\":[{nodes}],\"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":3000,\"type\":\"VEC3\"}}],\"bufferViews\":[{{\"buffer\":0,\"byteLength\":36000}}],\"buffers\":[{{\"byteLength\":36000,\"uri\":\"data:application/octet-stream;base64,{buffer}\"}}]}}"
    )
}
