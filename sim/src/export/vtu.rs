//! VTK XML unstructured grids of tetrahedra (`.vtu`, version 1.0), as ParaView reads them: a head in XML, then all arrays as raw
//! little-endian binary, so that every number comes back to the bit (VTK user's guide, "XML file formats").
//!
//! Read back: one piece of tets, by the reader of imported `.vtu` files.

use std::fmt::Write;

pub use super::data::{DataArray, Grid, Place, Values};
use super::{Format, Part};
use crate::import::vtk::stored::{self, Stored, StoredNumbers};

/// What is written.
pub const FORMAT: Format = Format {
    name: "VTK unstructured grid",
    extension: "vtu",
    doc: "tets and lines with tags and all point and cell data, raw binary, to the bit",
    part: Part::Tets,
    lines: true,
    points: true,
    encode: |meshes| Ok(Grid::of(meshes).to_vtu()),
};

/// VTK's number of the 4-node tetrahedron.
const VTK_TETRA: u8 = 10;
/// VTK's numbers of the lone point and of the line, by how many points they have.
const VTK_LINES: [u8; 3] = [0, 1, 3];
/// What stands between the head and the arrays.
const APPENDED: &str = "<AppendedData encoding=\"raw\">\n_";
const END: &[u8] = b"\n</AppendedData>\n</VTKFile>\n";

impl Grid {
    /// The bytes of a `.vtu` file.
    pub fn to_vtu(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        let _ = write!(
            writer.head,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
        );
        writer.group("FieldData", self.arrays.iter().filter(|a| a.place == Place::Field));
        let _ = writeln!(writer.head, "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">", self.points.len(), self.cells());
        writer.group("PointData", self.arrays.iter().filter(|a| a.place == Place::Point));
        writer.group("CellData", self.arrays.iter().filter(|a| a.place == Place::Cell));
        let array = |name: &str, components, values| DataArray { place: Place::Field, name: name.into(), components, values };
        writer.group("Points", [&array("Points", 3, self.point_values())]);
        let widths = self.tets.iter().map(|tet| tet.len()).chain(self.line_points().map(<[u32]>::len));
        let offsets = widths.scan(0, |end, width| {
            *end += width as i32;
            Some(*end)
        });
        let offsets = Values::I32(offsets.collect());
        let types = self.tets.iter().map(|_| VTK_TETRA).chain(self.line_points().map(|points| VTK_LINES[points.len()]));
        let types = Values::U8(types.collect());
        let corners = self.tets.as_flattened().iter().chain(self.line_points().flatten());
        let connectivity = Values::I32(corners.map(|&v| v as i32).collect());
        let cells = [array("connectivity", 1, connectivity), array("offsets", 1, offsets), array("types", 1, types)];
        writer.group("Cells", &cells);
        let _ = write!(writer.head, "</Piece>\n</UnstructuredGrid>\n{APPENDED}");
        [writer.head.as_bytes(), &writer.appended, END].concat()
    }

    /// Reads such a file, also as other programs write it again: arrays in text, base64 or packed; `Err` says in words what is
    /// wrong with `bytes`.
    pub fn from_vtu(bytes: &[u8]) -> Result<Self, String> {
        let mut grid = Self::default();
        for array in stored::arrays(bytes)? {
            grid.take(array)?;
        }
        let counts = |place| match place {
            Place::Field => None,
            Place::Point => Some(grid.points.len()),
            Place::Cell => Some(grid.tets.len()),
        };
        for array in &grid.arrays {
            let tuples = array.values.len() / array.components;
            if let Some(expected) = counts(array.place).filter(|&expected| expected != tuples) {
                return Err(format!("array {} has {tuples} tuples instead of {expected}", array.name));
            }
        }
        Ok(grid)
    }

    /// Puts an array where it belongs.
    fn take(&mut self, array: Stored) -> Result<(), String> {
        let values = match array.numbers {
            StoredNumbers::Floats(all) => Values::F64(all),
            StoredNumbers::Integers(all) => Values::I32(all),
            StoredNumbers::Bytes(all) => Values::U8(all),
        };
        let place = match (array.group.as_str(), array.name.as_str()) {
            ("Points", _) if array.components == 3 => return self.set(true, values),
            ("Points", _) => return Err("its points do not have 3 coordinates".into()),
            ("Cells", "connectivity") if values.len().is_multiple_of(4) => return self.set(false, values),
            ("Cells", "connectivity") => return Err("it has cells that are no tets".into()),
            ("Cells", "types") => match values {
                Values::U8(types) if types.iter().all(|&t| t == VTK_TETRA) => return Ok(()),
                _ => return Err("it has cells that are no tets".into()),
            },
            ("Cells", _) => return Ok(()),
            ("PointData", _) => Place::Point,
            ("CellData", _) => Place::Cell,
            _ => Place::Field,
        };
        self.arrays.push(DataArray { place, name: array.name, components: array.components, values });
        Ok(())
    }
}

#[derive(Default)]
struct Writer {
    head: String,
    appended: Vec<u8>,
}

impl Writer {
    fn group<'a>(&mut self, name: &str, arrays: impl IntoIterator<Item = &'a DataArray>) {
        let _ = writeln!(self.head, "<{name}>");
        for array in arrays {
            let (type_name, length) = (array.values.type_name(), array.values.len());
            let tuples = if name == "FieldData" { format!(" NumberOfTuples=\"{}\"", length / array.components) } else { String::new() };
            let _ = writeln!(
                self.head,
                "<DataArray type=\"{type_name}\" Name=\"{}\" NumberOfComponents=\"{}\"{tuples} format=\"appended\" offset=\"{}\"/>",
                array.name,
                array.components,
                self.appended.len()
            );
            let bytes = array.values.to_bytes();
            self.appended.extend((bytes.len() as u64).to_le_bytes());
            self.appended.extend(bytes);
        }
        let _ = writeln!(self.head, "</{name}>");
    }
}
