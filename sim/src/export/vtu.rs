//! VTK XML unstructured grids of tetrahedra (`.vtu`, version 1.0), as ParaView reads them: a head in XML, then all arrays as raw
//! little-endian binary, so that every number comes back to the bit (VTK user's guide, "XML file formats").
//!
//! Read back: files of exactly this layout, which are those written here. Not read: ascii, base64 or compressed arrays, other
//! cells than tets.

use std::fmt::Write;

pub use super::data::{DataArray, Grid, Place, Values};
use super::{Format, Part};

/// What is written.
pub const FORMAT: Format = Format {
    name: "VTK unstructured grid",
    extension: "vtu",
    doc: "tets with tags and all point and cell data, raw binary, to the bit",
    part: Part::Tets,
    encode: |meshes| Ok(Grid::of(meshes).to_vtu()),
};

/// VTK's number of the 4-node tetrahedron.
const VTK_TETRA: u8 = 10;
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
        let _ = writeln!(writer.head, "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">", self.points.len(), self.tets.len());
        writer.group("PointData", self.arrays.iter().filter(|a| a.place == Place::Point));
        writer.group("CellData", self.arrays.iter().filter(|a| a.place == Place::Cell));
        let array = |name: &str, components, values| DataArray { place: Place::Field, name: name.into(), components, values };
        writer.group("Points", [&array("Points", 3, self.point_values())]);
        let offsets = Values::I32((1..=self.tets.len() as i32).map(|t| 4 * t).collect());
        let types = Values::U8(vec![VTK_TETRA; self.tets.len()]);
        let cells = [array("connectivity", 1, self.tet_values()), array("offsets", 1, offsets), array("types", 1, types)];
        writer.group("Cells", &cells);
        let _ = write!(writer.head, "</Piece>\n</UnstructuredGrid>\n{APPENDED}");
        [writer.head.as_bytes(), &writer.appended, END].concat()
    }

    /// Reads what [`Grid::to_vtu`] wrote; `Err` says in words what is wrong with `bytes`.
    pub fn from_vtu(bytes: &[u8]) -> Result<Self, String> {
        let cut = bytes.windows(APPENDED.len()).position(|w| w == APPENDED.as_bytes());
        let cut = cut.ok_or("it has no raw appended data, so it was not written here or is cut off")?;
        let head = std::str::from_utf8(&bytes[..cut]).map_err(|_| "its head is no text; the file is damaged")?;
        let appended = &bytes[cut + APPENDED.len()..];
        let piece = head.split("<Piece ").nth(1).ok_or("it has no piece")?;
        let count = |name: &str| attribute(piece, name).and_then(|n| n.parse::<usize>().ok()).ok_or(format!("{name} is missing"));
        let (points, tets) = (count("NumberOfPoints")?, count("NumberOfCells")?);
        let mut grid = Self::default();
        let mut group = "";
        for tag in head.split('<').skip(1) {
            match tag.split(|c: char| !c.is_alphanumeric()).next() {
                Some(name @ ("FieldData" | "PointData" | "CellData" | "Points" | "Cells")) => group = name,
                Some("DataArray") => {
                    let array = read_array(tag, group, appended)?;
                    let tuples = array.values.len() / array.components;
                    let expected = match (group, array.name.as_str()) {
                        ("FieldData", _) => tuples,
                        ("PointData" | "Points", _) => points,
                        (_, "connectivity") => 4 * tets,
                        _ => tets,
                    };
                    if tuples != expected {
                        return Err(format!("array {} has {tuples} tuples instead of {expected}", array.name));
                    }
                    grid.take(group, array)?;
                }
                _ => {}
            }
        }
        if grid.points.len() != points || grid.tets.len() != tets {
            return Err("its points or cells are missing".into());
        }
        Ok(grid)
    }

    /// Puts an array where it belongs.
    fn take(&mut self, group: &str, array: DataArray) -> Result<(), String> {
        match (group, array.name.as_str(), array.values) {
            ("Points", _, values) => return self.set(true, values),
            ("Cells", "connectivity", values) => return self.set(false, values),
            ("Cells", "types", Values::U8(types)) if types.iter().any(|&t| t != VTK_TETRA) => {
                return Err("it has cells that are no tets".into());
            }
            ("Cells", ..) => {}
            (_, _, values) => self.arrays.push(DataArray { values, ..array }),
        }
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

/// The value of an attribute in the text of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split(&format!(" {name}=\"")).nth(1).or_else(|| tag.strip_prefix(&format!("{name}=\"")))?.split('"').next()
}

fn read_array(tag: &str, group: &str, appended: &[u8]) -> Result<DataArray, String> {
    let name = attribute(tag, "Name").ok_or("an array has no name")?;
    let missing = |what: &str| format!("array {name}: {what} is missing or no number");
    let components: usize =
        attribute(tag, "NumberOfComponents").and_then(|n| n.parse().ok()).ok_or_else(|| missing("NumberOfComponents"))?;
    let offset: usize = attribute(tag, "offset").and_then(|n| n.parse().ok()).ok_or_else(|| missing("offset"))?;
    let cut_off = || format!("array {name} is cut off; write the file again");
    let block = appended.get(offset..).ok_or_else(cut_off)?;
    let (&length, data) = block.split_first_chunk().ok_or_else(cut_off)?;
    let length = usize::try_from(u64::from_le_bytes(length)).map_err(|_| cut_off())?;
    let data = data.get(..length).ok_or_else(cut_off)?;
    let values = attribute(tag, "type")
        .and_then(|t| Values::from_bytes(t, data))
        .ok_or_else(|| format!("array {name} has a type that is not read"))?;
    if components == 0 || !values.len().is_multiple_of(components) {
        return Err(format!("array {name} does not hold whole tuples of {components}"));
    }
    let place = match group {
        "PointData" => Place::Point,
        "CellData" => Place::Cell,
        _ => Place::Field,
    };
    Ok(DataArray { place, name: name.to_owned(), components, values })
}
