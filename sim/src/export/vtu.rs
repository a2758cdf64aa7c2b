//! VTK unstructured grids (`.vtu`, ascii): positions, tets and fields, for ParaView and the like. Numbers are written
//! so that they read back exactly.

use std::io::{self, Write};

use crate::math::Vec3;

/// What stands in one file.
#[derive(Debug, Clone, Copy)]
pub struct Grid<'a> {
    /// Positions of the nodes [m].
    pub positions: &'a [Vec3],
    /// Four nodes a tet.
    pub tets: &'a [[u32; 4]],
    /// Vectors on the nodes: name, one vector a node.
    pub point_vectors: &'a [(&'a str, &'a [Vec3])],
    /// Numbers on the nodes.
    pub point_scalars: &'a [(&'a str, &'a [f64])],
    /// Numbers on the tets.
    pub cell_scalars: &'a [(&'a str, &'a [f64])],
}

/// Cell type of a linear tetrahedron in VTK.
const VTK_TETRA: u8 = 10;

/// Writes the file's text.
///
/// # Errors
/// Those of `out`.
pub fn write(out: &mut dyn Write, grid: &Grid) -> io::Result<()> {
    let (nodes, cells) = (grid.positions.len(), grid.tets.len());
    writeln!(out, r#"<?xml version="1.0"?>"#)?;
    writeln!(out, r#"<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian">"#)?;
    writeln!(out, "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{nodes}\" NumberOfCells=\"{cells}\">")?;
    writeln!(out, "<Points>")?;
    vectors(out, "Points", grid.positions)?;
    writeln!(out, "</Points>\n<Cells>")?;
    array(out, "Int32", "connectivity", 1, grid.tets.iter().map(|[a, b, c, d]| format!("{a} {b} {c} {d}")))?;
    array(out, "Int32", "offsets", 1, (1..=cells).map(|e| 4 * e))?;
    array(out, "UInt8", "types", 1, std::iter::repeat_n(VTK_TETRA, cells))?;
    writeln!(out, "</Cells>\n<PointData>")?;
    for (name, values) in grid.point_vectors {
        vectors(out, name, values)?;
    }
    for (name, values) in grid.point_scalars {
        array(out, "Float64", name, 1, values.iter())?;
    }
    writeln!(out, "</PointData>\n<CellData>")?;
    for (name, values) in grid.cell_scalars {
        array(out, "Float64", name, 1, values.iter())?;
    }
    writeln!(out, "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>")
}

/// Writes a ParaView collection (`.pvd`): the files of a run and the time of each [s].
///
/// # Errors
/// Those of `out`.
pub fn write_collection(out: &mut dyn Write, frames: &[(f64, String)]) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>")?;
    for (time, file) in frames {
        writeln!(out, r#"<DataSet timestep="{time}" file="{file}"/>"#)?;
    }
    writeln!(out, "</Collection>\n</VTKFile>")
}

fn vectors(out: &mut dyn Write, name: &str, values: &[Vec3]) -> io::Result<()> {
    array(out, "Float64", name, 3, values.iter().map(|v| format!("{} {} {}", v.x, v.y, v.z)))
}

fn array(
    out: &mut dyn Write,
    kind: &str,
    name: &str,
    components: usize,
    rows: impl Iterator<Item = impl std::fmt::Display>,
) -> io::Result<()> {
    writeln!(out, r#"<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="ascii">"#)?;
    for row in rows {
        writeln!(out, "{row}")?;
    }
    writeln!(out, "</DataArray>")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_array_has_its_entries_and_numbers_read_back_exactly() {
        let positions = [[0.1, 0.2, 1.0 / 3.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1e-300]].map(Vec3::from);
        let grid = Grid {
            positions: &positions,
            tets: &[[0, 1, 2, 3]],
            point_vectors: &[("displacement", &positions)],
            point_scalars: &[],
            cell_scalars: &[("von Mises stress [Pa]", &[2.5e7])],
        };
        let mut text = Vec::new();
        write(&mut text, &grid).unwrap();
        let text = String::from_utf8(text).unwrap();
        let points = text.split("Name=\"Points\"").nth(1).unwrap().split('>').nth(1).unwrap();
        let read: Vec<f64> = points.split('<').next().unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect();
        assert_eq!(read, positions.iter().flat_map(|p| p.iter().copied()).collect::<Vec<_>>());
        assert_eq!(text.matches("<DataArray").count(), text.matches("</DataArray>").count());
        assert!(text.contains("\n0 1 2 3\n") && text.contains("\n25000000\n"));
    }
}
