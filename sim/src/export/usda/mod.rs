//! OpenUSD as text, `.usda` (Pixar, *UsdGeom*): an Xform a body with its surface as a Mesh and its tets as a TetMesh.
//! Metres, y up.

mod prim;
pub(super) mod sequence;

use super::{ExportMesh, Format, Part};
use prim::Text;

/// One moment.
pub const FORMAT: Format = Format {
    name: "USD text",
    extension: "usda",
    doc: "an Xform a body: its surface (polygons, texture points) or its lines and, for simulators, its tets; single precision",
    part: Part::Both,
    lines: true,
    points: true,
    encode: |meshes| Ok(still(meshes).into_bytes()),
};

fn still(meshes: &[ExportMesh]) -> String {
    let mut text = Text::default();
    text.begin_stage(&[]);
    for (mesh, name) in meshes.iter().zip(prim::names(meshes)) {
        text.open(&format!("def Xform \"{name}\""));
        text.seen(&mesh.surface, &name, true);
        text.tets(mesh);
        text.close();
    }
    text.close();
    text.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::{cube, two_bodies};
    use super::*;

    #[test]
    fn the_stage_is_in_metres_with_y_up() {
        let text = String::from_utf8(FORMAT.bytes(&[cube()]).unwrap()).unwrap();
        let expected = "#usda 1.0
(
    defaultPrim = \"World\"
    metersPerUnit = 1
    upAxis = \"Y\"
)

def Xform \"World\"
{
    def Xform \"cube\"
    {
        def Mesh \"cube\"
        {
            uniform token subdivisionScheme = \"none\"
            int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]
            int[] faceVertexIndices = [0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7]
            float3[] extent = [(0, 0, 0), (1, 1, 1)]
            point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
        }
    }
}
";
        assert_eq!(text, expected);
    }

    #[test]
    fn bodies_have_names_that_usd_takes() {
        let mut meshes = [two_bodies(), two_bodies()].concat();
        meshes[3].name = "7 Körper".into();
        let text = String::from_utf8(FORMAT.bytes(&meshes).unwrap()).unwrap();
        let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("    def Xform ")).collect();
        assert_eq!(names, ["\"one\"", "\"two_\"", "\"one_2\"", "\"_7_K_rper\""]);
        assert!(text.contains("int4[] tetVertexIndices = [(0, 1, 2, 3), (1, 2, 3, 4)]"));
        assert!(text.contains("int3[] surfaceFaceVertexIndices = [(0, 3, 2), (0, 1, 3), (0, 2, 1), (2, 3, 4), (1, 4, 3), (1, 2, 4)]"));
    }
}
