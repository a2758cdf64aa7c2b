//! VTK legacy files of tets, binary (VTK user's guide, "simple legacy formats"): version 3.0, big-endian.

use super::{DataArray, Format, Grid, Part, Place, Values};

/// What is written.
pub const FORMAT: Format = Format {
    name: "VTK legacy",
    extension: "vtk",
    doc: "tets with tags and all point and cell data, binary, double precision",
    part: Part::Tets,
    lines: true,
    points: true,
    encode: |meshes| Ok(to_vtk(&Grid::of(meshes), Coding::Binary)),
};

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Big-endian bytes.
    Binary,
    /// Text that is read back to the bit.
    Text,
}

const TETRA: i32 = 10;
/// VTK's numbers of the lone point and of the line, by how many points they have.
const LINES: [i32; 3] = [0, 1, 3];

/// The bytes of a legacy file of `grid`.
pub fn to_vtk(grid: &Grid, coding: Coding) -> Vec<u8> {
    let name = if coding == Coding::Binary { "BINARY" } else { "ASCII" };
    let mut out = Out { coding, bytes: Vec::new() };
    out.line(&format!("# vtk DataFile Version 3.0\nmetres, y up\n{name}\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double", grid.points.len()));
    out.values(&grid.point_values(), 3);
    let (tets, count) = (grid.tets.len(), grid.cells());
    let of_lines: Vec<i32> =
        grid.line_points().flat_map(|points| std::iter::once(points.len() as i32).chain(points.iter().map(|&v| v as i32))).collect();
    let of_tets = grid.tets.iter().flat_map(|[a, b, c, d]| [4, *a as i32, *b as i32, *c as i32, *d as i32]);
    out.line(&format!("CELLS {count} {}", 5 * tets + of_lines.len()));
    let in_rows = if grid.lines.is_empty() { 5 } else { 3 };
    out.values(&Values::I32(of_tets.chain(of_lines).collect()), in_rows);
    out.line(&format!("CELL_TYPES {count}"));
    let types = grid.tets.iter().map(|_| TETRA).chain(grid.line_points().map(|points| LINES[points.len()]));
    out.values(&Values::I32(types.collect()), 1);
    for (place, title, tuples) in [(Place::Point, "POINT_DATA", grid.points.len()), (Place::Cell, "CELL_DATA", count)] {
        let arrays: Vec<&DataArray> = grid.arrays.iter().filter(|array| array.place == place).collect();
        if !arrays.is_empty() {
            out.line(&format!("{title} {tuples}\nFIELD FieldData {}", arrays.len()));
        }
        for array in arrays {
            let of = match array.values {
                Values::F64(_) => "double",
                Values::I32(_) => "int",
                Values::U8(_) => "unsigned_char",
            };
            out.line(&format!("{} {} {tuples} {of}", word(&array.name), array.components));
            out.values(&array.values, array.components);
        }
    }
    out.bytes
}

/// A name as one word: what would end it is written as VTK does.
fn word(name: &str) -> String {
    let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '%' | '"');
    let mut text = String::new();
    for c in name.chars() {
        match plain(c) {
            true => text.push(c),
            false => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| text += &format!("%{byte:02X}")),
        }
    }
    text
}

struct Out {
    coding: Coding,
    bytes: Vec<u8>,
}

impl Out {
    fn line(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }

    /// An array, in text `columns` numbers a line.
    fn values(&mut self, values: &Values, columns: usize) {
        if self.coding == Coding::Text {
            let words: Vec<String> = match values {
                Values::F64(v) => v.iter().map(ToString::to_string).collect(),
                Values::I32(v) => v.iter().map(ToString::to_string).collect(),
                Values::U8(v) => v.iter().map(ToString::to_string).collect(),
            };
            words.chunks(columns).for_each(|row| self.line(&row.join(" ")));
            return;
        }
        match values {
            Values::F64(v) => v.iter().for_each(|x| self.bytes.extend(x.to_be_bytes())),
            Values::I32(v) => v.iter().for_each(|x| self.bytes.extend(x.to_be_bytes())),
            Values::U8(v) => self.bytes.extend_from_slice(v),
        }
        self.bytes.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::ExportMesh;
    use super::super::tests::two_bodies;
    use super::*;

    fn with_data() -> Vec<ExportMesh> {
        let mut mesh = two_bodies().remove(0);
        mesh.data = vec![
            DataArray {
                place: Place::Point,
                name: "velocity [m/s]".into(),
                components: 3,
                values: Values::F64((0..12).map(f64::from).collect()),
            },
            DataArray { place: Place::Cell, name: "µ%".into(), components: 1, values: Values::U8(vec![9]) },
        ];
        vec![mesh]
    }

    #[test]
    fn text_is_what_the_guide_says() {
        let text = String::from_utf8(to_vtk(&Grid::of(&with_data()), Coding::Text)).unwrap();
        let expected = "# vtk DataFile Version 3.0
metres, y up
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 double
0 0 0
0.3333333333333333 0 0
0 1 0
0 0 1
CELLS 1 5
4 0 1 2 3
CELL_TYPES 1
10
POINT_DATA 4
FIELD FieldData 1
velocity%20[m/s] 3 4 double
0 1 2
3 4 5
6 7 8
9 10 11
CELL_DATA 1
FIELD FieldData 2
tag 1 1 int
7
%C2%B5%25 1 1 unsigned_char
9
";
        assert_eq!(text, expected);
    }

    #[test]
    fn binary_numbers_are_big_endian() {
        let bytes = FORMAT.bytes(&with_data()).unwrap();
        let after = |text: &str| bytes.windows(text.len()).position(|w| w == text.as_bytes()).unwrap() + text.len();
        let points = after("POINTS 4 double\n");
        assert_eq!(bytes[points + 24..][..8], (1.0_f64 / 3.0).to_be_bytes());
        let cells = after("CELLS 1 5\n");
        assert_eq!(bytes[cells..][..8], [0, 0, 0, 4, 0, 0, 0, 0]);
        assert_eq!(after("tag 1 1 int\n") + 4, after("tag 1 1 int\n\0\0\0\x07"));
    }
}
