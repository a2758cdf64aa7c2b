//! Legacy `.vtk`, versions 1 to 5.1, ascii and binary (highest byte first).
//!
//! Read: `UNSTRUCTURED_GRID` and `POLYDATA`: tets, triangles, quadrangles and polygons, those of higher order straightened to their
//! corners, strips cut into triangles, poly-lines as strands; cell data of whole numbers under a name like `gmsh:physical` as tags.
//! Cells of other kinds are counted and left out; all other data are skipped. Not read: structured and rectilinear grids.

use std::path::Path;

use super::super::cursor::{Cursor, shown};
use super::super::{Format, ImportError, RawMesh, none_beside};
use super::budget::Budget;
use super::cell_type::POLYDATA;
use super::cells::{Builder, Cells};
use super::legacy_data;
use super::number::NumberType;
use crate::math::Vec3;
use crate::watch::Watch;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "VTK legacy",
    extensions: &["vtk"],
    doc: "VTK legacy .vtk 1 to 5.1, ascii and binary: unstructured grids and polygonal data, a tag a cell; not structured grids",
    matches: |content| content.trim_ascii_start().starts_with(b"# vtk DataFile"),
    beside: none_beside,
    read,
};

/// What has been read so far.
#[derive(Default)]
pub(super) struct Found {
    pub cells: Cells,
    pub builder: Builder,
    /// Rank of the cell data that the tags are from.
    pub rank: Option<usize>,
    is_polydata: bool,
    place: usize,
}

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    cursor.comments = false;
    cursor.big_endian = true;
    let mut found = Found::default();
    let binary = read_head(&mut cursor)?;
    loop {
        cursor.binary = false;
        let Some((offset, word)) = cursor.word() else { break };
        match word.to_ascii_uppercase().as_slice() {
            b"DATASET" => found.is_polydata = read_dataset(&mut cursor)?,
            b"POINTS" => read_points(&mut cursor, binary, &mut found)?,
            b"CELLS" => {
                found.place = offset;
                read_cells(&mut cursor, binary, &mut found)?;
            }
            b"CELL_TYPES" => {
                let count = cursor.count("the number of cell types")?;
                enter(&mut cursor, binary);
                found.cells.types.reserve_exact(cursor.capacity(count, 2));
                for _ in 0..count {
                    cursor.tick()?;
                    let number = cursor.int("a cell type")?;
                    found.cells.types.push(u8::try_from(number).unwrap_or(u8::MAX));
                }
            }
            b"POINT_DATA" | b"CELL_DATA" => {
                cursor.at = offset;
                match legacy_data::read(&mut cursor, binary, &mut found) {
                    Err(ImportError::Unreadable(why)) => found.builder.left_out.note(format!("the rest of the data is left out: {why}")),
                    other => other?,
                }
                break;
            }
            b"FIELD" => legacy_data::skip_field(&mut cursor, binary)?,
            b"METADATA" => legacy_data::skip_metadata(&mut cursor),
            name => match POLYDATA.iter().find(|list| list.0.as_bytes() == name) {
                Some(&(_, number)) if found.is_polydata => {
                    found.place = offset;
                    read_cells(&mut cursor, binary, &mut found)?;
                    found.cells.types.resize(found.cells.points.len(), number);
                }
                _ => return Err(cursor.error_at(offset, format!("a section (POINTS, CELLS …) is expected, not `{}`", shown(word)))),
            },
        }
    }
    finish(&mut cursor, found)
}

fn finish(cursor: &mut Cursor, mut found: Found) -> Result<RawMesh, ImportError> {
    let (cells, types) = (found.cells.points.len(), found.cells.types.len());
    if cells != types {
        return Err(
            cursor.error_at(found.place, format!("there are {cells} cells, but {types} cell types; the file is damaged or cut off"))
        );
    }
    let mut budget = Budget::new(cursor.len());
    found.builder.add(cursor, found.place, &found.cells, &mut budget)?;
    drop(found.cells);
    found.builder.finish(FORMAT.name, cursor)
}

/// The first three lines: version, title, kind. `true`: binary.
fn read_head(cursor: &mut Cursor) -> Result<bool, ImportError> {
    cursor.word();
    cursor.skip_line();
    cursor.skip_line();
    match cursor.word() {
        Some((_, word)) if word.eq_ignore_ascii_case(b"ASCII") => Ok(false),
        Some((_, word)) if word.eq_ignore_ascii_case(b"BINARY") => Ok(true),
        Some((offset, word)) => Err(cursor.error_at(offset, format!("ASCII or BINARY is expected, not `{}`", shown(word)))),
        None => Err(cursor.ended("ASCII or BINARY")),
    }
}

/// The kind of data set; `true`: polygonal.
fn read_dataset(cursor: &mut Cursor) -> Result<bool, ImportError> {
    match cursor.word() {
        Some((_, word)) if word.eq_ignore_ascii_case(b"UNSTRUCTURED_GRID") => Ok(false),
        Some((_, word)) if word.eq_ignore_ascii_case(b"POLYDATA") => Ok(true),
        Some(_) if cursor.rest().is_empty() => Err(cursor.ended("the rest of the kind of data set")),
        Some((offset, word)) => {
            let message =
                format!("data sets of the kind `{}` are not read; save an unstructured grid of tetrahedra, or a surface", shown(word));
            Err(cursor.error_at(offset, message))
        }
        None => Err(cursor.ended("the kind of data set")),
    }
}

/// Moves to the first number of a section.
pub(super) fn enter(cursor: &mut Cursor, binary: bool) {
    if binary {
        cursor.skip_line();
        cursor.binary = true;
    }
}

/// The next word as the name of a type of number.
pub(super) fn read_type(cursor: &mut Cursor) -> Result<NumberType, ImportError> {
    let (offset, word) = cursor.word().ok_or_else(|| cursor.ended("the type of numbers"))?;
    NumberType::named(word).ok_or_else(|| cursor.error_at(offset, format!("numbers of the type `{}` are not read", shown(word))))
}

fn read_points(cursor: &mut Cursor, binary: bool, found: &mut Found) -> Result<(), ImportError> {
    let count = cursor.count("the number of points")?;
    let number = read_type(cursor)?;
    enter(cursor, binary);
    let positions = &mut found.builder.raw.positions;
    positions.reserve_exact(cursor.capacity(count, if binary { 3 * number.size() } else { 6 }));
    for _ in 0..count {
        cursor.tick()?;
        let mut point = Vec3::zeros();
        for coordinate in &mut point {
            let offset = cursor.at;
            let value = number.read(cursor, "a coordinate")?.float();
            *coordinate = cursor.finite(offset, value, "a coordinate")?;
        }
        positions.push(point);
    }
    Ok(())
}

/// Lists of points, in either of the two ways: each with its length before it, or (since 5.1) `OFFSETS` and `CONNECTIVITY`.
fn read_cells(cursor: &mut Cursor, binary: bool, found: &mut Found) -> Result<(), ImportError> {
    let offset = cursor.at;
    let count = cursor.count("the number of cells")?;
    let size = cursor.count("the number of numbers in the list of cells")?;
    if cursor.rest().trim_ascii_start().starts_with(b"OFFSETS") {
        return read_offsets_and_connectivity(cursor, binary, (count, size), found);
    }
    enter(cursor, binary);
    let points = found.builder.raw.positions.len();
    let lists = &mut found.cells.points;
    lists.ends.reserve_exact(cursor.capacity(count, 2));
    lists.vertices.reserve_exact(cursor.capacity(size.saturating_sub(count), 2));
    let before = lists.vertices.len();
    for cell in 0..count {
        cursor.tick()?;
        let length = cursor.count("the number of points of a cell")?;
        for _ in 0..length {
            cursor.tick()?;
            let place = cursor.at;
            let point = cursor.number("a point of a cell")?;
            lists.vertices.push(checked_point(cursor, place, cell, point, points)?);
        }
        lists.ends.push(lists.vertices.len() as u32);
    }
    let taken = count + lists.vertices.len() - before;
    if taken != size {
        return Err(
            cursor.error_at(offset, format!("the list of cells has {taken} numbers, but {size} are announced; the file is damaged"))
        );
    }
    Ok(())
}

fn checked_point(cursor: &Cursor, place: usize, cell: usize, point: i64, points: usize) -> Result<u32, ImportError> {
    let valid = u32::try_from(point).ok().filter(|&p| (p as usize) < points);
    valid.ok_or_else(|| cursor.error_at(place + 1, format!("cell {cell} refers to point {point}, but there are {points} points (from 0)")))
}

fn read_offsets_and_connectivity(
    cursor: &mut Cursor,
    binary: bool,
    (offsets, size): (usize, usize),
    found: &mut Found,
) -> Result<(), ImportError> {
    let points = found.builder.raw.positions.len();
    let lists = &mut found.cells.points;
    let start = lists.vertices.len();
    for name in [&b"OFFSETS"[..], b"CONNECTIVITY"] {
        cursor.binary = false;
        match cursor.word() {
            Some((_, word)) if word == name => {}
            Some((at, word)) => return Err(cursor.error_at(at, format!("{} is expected, not `{}`", shown(name), shown(word)))),
            None => return Err(cursor.ended(&shown(name))),
        }
        let number = read_type(cursor)?;
        enter(cursor, binary);
        let least = if binary { number.size() } else { 2 };
        if name == b"OFFSETS" {
            lists.ends.reserve_exact(cursor.capacity(offsets, least));
            let mut before = 0;
            for i in 0..offsets {
                cursor.tick()?;
                let place = cursor.at;
                let offset = number.read(cursor, "an offset")?.index();
                let valid = offset.filter(|&o| o >= before && o <= size && (i > 0 || o == 0) && (i + 1 < offsets || o == size));
                before =
                    valid.ok_or_else(|| cursor.error_at(place + 1, format!("offset {i} is not between its neighbours, 0 and {size}")))?;
                if i > 0 {
                    lists.ends.push((start + before) as u32);
                }
            }
        } else {
            lists.vertices.reserve_exact(cursor.capacity(size, least));
            for i in 0..size {
                cursor.tick()?;
                let place = cursor.at;
                let point = number.read(cursor, "a point of a cell")?.index().and_then(|p| u32::try_from(p).ok());
                let point = point.filter(|&p| (p as usize) < points);
                lists
                    .vertices
                    .push(point.ok_or_else(|| cursor.error_at(place + 1, format!("entry {i} is none of the {points} points (from 0)")))?);
            }
        }
    }
    Ok(())
}
