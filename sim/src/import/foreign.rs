//! Files that are recognised and refused: what they are, and what to do.

/// A format that is not read.
struct Foreign {
    extensions: &'static [&'static str],
    matches: fn(&[u8]) -> bool,
    /// What it is, and what to do.
    advice: &'static str,
}

/// In the order in which contents are tried: the sure signs first.
const FOREIGN: &[Foreign] = &[
    Foreign {
        extensions: &["fbx"],
        matches: |c| c.starts_with(b"Kaydara FBX") || c.starts_with(b"; FBX"),
        advice: "this is an FBX file, which is not read; open it in Blender or the program that wrote it, and export OBJ or glTF (.glb)",
    },
    Foreign {
        extensions: &["usdc", "usda", "usd", "usdz"],
        matches: |c| c.starts_with(b"PXR-USDC") || c.starts_with(b"#usda"),
        advice: "this is a USD scene, which is written but not read; export the mesh as OBJ or glTF (.glb), for instance with Blender",
    },
    Foreign {
        extensions: &["abc"],
        matches: |c| c.starts_with(b"Ogawa") || c.starts_with(b"\x89HDF\r\n"),
        advice: "this is an Alembic cache (or another HDF5 file), which is not read; export one frame as OBJ or PLY",
    },
    Foreign {
        extensions: &["blend"],
        matches: |c| c.starts_with(b"BLENDER"),
        advice: "this is a Blender file; in Blender choose File, Export and OBJ, PLY or glTF (.glb)",
    },
    Foreign {
        extensions: &["off"],
        matches: |c| {
            let word = c.split(u8::is_ascii_whitespace).next().unwrap_or_default();
            [&b"OFF"[..], b"COFF", b"NOFF", b"CNOFF", b"STOFF", b"4OFF"].contains(&word)
        },
        advice: "this is an OFF surface, which is not read; convert it with MeshLab or meshio to PLY or OBJ",
    },
    Foreign {
        extensions: &["dae"],
        matches: |c| contains(c, b"<COLLADA"),
        advice: "this is a COLLADA scene, which is not read; open it in Blender and export OBJ or glTF (.glb)",
    },
    Foreign {
        extensions: &["stp", "step", "p21"],
        matches: |c| c.starts_with(b"ISO-10303-21"),
        advice: "this is a STEP model: exact surfaces, no mesh; mesh it with Gmsh (gmsh -3 model.step) and import the .msh, or export STL from the CAD program",
    },
    Foreign {
        extensions: &["igs", "iges"],
        matches: |c| c.len() > 80 && c[72] == b'S' && c[73..80].iter().all(|b| b.is_ascii_digit() || *b == b' '),
        advice: "this is an IGES model: exact surfaces, no mesh; mesh it with Gmsh (gmsh -3 model.igs) and import the .msh, or export STL from the CAD program",
    },
    Foreign {
        extensions: &["brep", "sldprt", "3dm", "x_t", "sat"],
        matches: |c| c.starts_with(b"DBRep_DrawableShape") || c.starts_with(b"3D Geometry File Format"),
        advice: "this is a CAD model: exact surfaces, no mesh; export STL from the CAD program",
    },
    Foreign {
        extensions: &["3mf", "zip", "gz", "7z"],
        matches: |c| c.starts_with(b"PK\x03\x04") || c.starts_with(&[0x1f, 0x8b]) || c.starts_with(b"7z\xbc\xaf"),
        advice: "this is a compressed file (3MF, USDZ, zip, gzip); unpack it, or export the mesh as OBJ, PLY or STL",
    },
    Foreign {
        extensions: &["3ds", "lwo", "lxo", "ma", "mb", "max", "c4d", "hip", "hipnc", "ztl", "x", "x3d", "wrl", "vrml"],
        matches: |c| c.starts_with(b"#VRML") || c.starts_with(b"//Maya ASCII") || contains(c, b"<X3D"),
        advice: "this is a scene of a modelling program, which is not read; export the mesh from there as OBJ, PLY or glTF (.glb)",
    },
    Foreign { extensions: &["json"], matches: |_| false, advice: "this is no mesh; a scene is opened, not imported" },
    Foreign { extensions: &["mtl"], matches: |_| false, advice: "these are the materials of an OBJ file; choose the .obj beside it" },
    Foreign { extensions: &["bin"], matches: |_| false, advice: "this is a buffer of a glTF file; choose the .gltf beside it" },
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
