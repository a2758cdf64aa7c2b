//! Files that are recognised and refused: what they are, and what to do.

/// A format that holds no tetrahedra that this library reads.
struct Foreign {
    extensions: &'static [&'static str],
    matches: fn(&[u8]) -> bool,
    /// What it is, and what to do.
    advice: &'static str,
}

const SURFACE: &str = "this is a surface mesh; a solid needs tetrahedra: fill it with fTetWild, TetGen or Gmsh and import the result as MEDIT, Gmsh or TetGen";

/// In the order in which contents are tried: the sure signs first.
const FOREIGN: &[Foreign] = &[
    Foreign { extensions: &["ply"], matches: |c| c.starts_with(b"ply\n") || c.starts_with(b"ply\r"), advice: SURFACE },
    Foreign { extensions: &["glb", "gltf"], matches: |c| c.starts_with(b"glTF"), advice: SURFACE },
    Foreign { extensions: &["off"], matches: |c| c.starts_with(b"OFF"), advice: SURFACE },
    Foreign { extensions: &["fbx"], matches: |c| c.starts_with(b"Kaydara FBX"), advice: SURFACE },
    Foreign {
        extensions: &["vtk"],
        matches: |c| c.starts_with(b"# vtk DataFile"),
        advice: "this is a legacy VTK file, which is not read; convert it with Gmsh or meshio to Gmsh 4.1 .msh or MEDIT .mesh",
    },
    Foreign {
        extensions: &["vtu", "vtp"],
        matches: |c| contains(c, b"<VTKFile"),
        advice: "this is a VTK XML file from elsewhere, which is not read as a mesh; convert it with meshio to Gmsh 4.1 .msh or MEDIT .mesh",
    },
    Foreign { extensions: &["obj"], matches: is_obj, advice: SURFACE },
    Foreign { extensions: &["stl"], matches: is_stl, advice: SURFACE },
    Foreign {
        extensions: &["tfx"],
        matches: |_| false,
        advice: "these are hair strands (TressFX); a solid needs tetrahedra: import a MEDIT, Gmsh or TetGen file",
    },
    Foreign { extensions: &["json"], matches: |_| false, advice: "this is no mesh; a scene is opened, not imported" },
    Foreign {
        extensions: &["poly", "smesh", "face", "edge"],
        matches: |_| false,
        advice: "this file of TetGen holds no tetrahedra; choose the .ele or .node file beside it",
    },
];

/// The advice for a file that is recognised by its content.
pub fn advice_by_content(content: &[u8]) -> Option<String> {
    FOREIGN.iter().find(|f| (f.matches)(content)).map(|f| f.advice.to_owned())
}

/// The advice for a file that is recognised by its extension.
pub fn advice_by_extension(extension: &str) -> Option<String> {
    FOREIGN.iter().find(|f| f.extensions.contains(&extension)).map(|f| f.advice.to_owned())
}

fn contains(content: &[u8], word: &[u8]) -> bool {
    content[..content.len().min(1024)].windows(word.len()).any(|w| w == word)
}

/// Three lines in the first 64 KiB that define vertices in the words of Wavefront OBJ.
fn is_obj(content: &[u8]) -> bool {
    let head = &content[..content.len().min(1 << 16)];
    head.split(|&b| b == b'\n').filter(|line| line.starts_with(b"v ")).take(3).count() == 3
}

/// Ascii by its first word, binary by its length: 80 bytes, a count, and 50 bytes a triangle.
fn is_stl(content: &[u8]) -> bool {
    let count = content.get(80..84).map(|b| b.iter().rev().fold(0_usize, |n, &byte| n << 8 | usize::from(byte)));
    (content.starts_with(b"solid") && contains(content, b"facet")) || count.is_some_and(|n| content.len() == 84 + 50 * n)
}
