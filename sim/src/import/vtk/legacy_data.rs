//! The data of points and cells in legacy files: tags are taken, everything else is passed over.

use super::super::ImportError;
use super::super::cursor::{Cursor, shown};
use super::cells::tag_rank;
use super::legacy::{Found, enter, read_type};
use super::number::NumberType;

/// What the data belong to, and how many of them there are.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Points(usize),
    Cells(usize),
}

/// Reads to the end of the file, from the first section of data on.
pub fn read(cursor: &mut Cursor, binary: bool, found: &mut Found) -> Result<(), ImportError> {
    let mut of = Of::Points(0);
    loop {
        cursor.binary = false;
        let Some((offset, word)) = cursor.word() else { return Ok(()) };
        let (Of::Points(count) | Of::Cells(count)) = of;
        match word.to_ascii_uppercase().as_slice() {
            b"POINT_DATA" => of = Of::Points(cursor.count("the number of points")?),
            b"CELL_DATA" => of = Of::Cells(cursor.count("the number of cells")?),
            b"METADATA" => skip_metadata(cursor),
            b"FIELD" if of == Of::Cells(found.cells.points.len()) => read_field(cursor, binary, Some(found))?,
            b"FIELD" => skip_field(cursor, binary)?,
            b"SCALARS" => {
                let name = cursor.word().map_or(&b""[..], |(_, name)| name);
                let number = read_type(cursor)?;
                let components = cursor.line().trim_ascii();
                let components =
                    if components.is_empty() { 1 } else { cursor.to_integer(offset, components, "the number of components")? };
                if cursor.rest().trim_ascii_start().starts_with(b"LOOKUP_TABLE") {
                    cursor.word();
                    cursor.skip_line();
                }
                cursor.binary = binary;
                let wanted = (of == Of::Cells(found.cells.points.len())).then_some(&mut *found);
                let components = usize::try_from(components).unwrap_or(0);
                read_array(cursor, name, (number, components, count), wanted)?;
            }
            b"COLOR_SCALARS" => {
                cursor.word();
                let components = cursor.count("the number of components")?;
                enter(cursor, binary);
                skip(cursor, if binary { NumberType::Unsigned(1) } else { NumberType::Float(4) }, components.saturating_mul(count))?;
            }
            b"LOOKUP_TABLE" => {
                cursor.word();
                let size = cursor.count("the size of a table of colours")?;
                enter(cursor, binary);
                skip(cursor, if binary { NumberType::Unsigned(1) } else { NumberType::Float(4) }, size.saturating_mul(4))?;
            }
            name @ (b"VECTORS"
            | b"NORMALS"
            | b"TENSORS"
            | b"TENSORS6"
            | b"GLOBAL_IDS"
            | b"PEDIGREE_IDS"
            | b"EDGE_FLAGS"
            | b"TEXTURE_COORDINATES") => {
                cursor.word();
                let components = match name {
                    b"VECTORS" | b"NORMALS" => 3,
                    b"TENSORS" => 9,
                    b"TENSORS6" => 6,
                    b"TEXTURE_COORDINATES" => cursor.count("the number of texture coordinates")?,
                    _ => 1,
                };
                let number = read_type(cursor)?;
                enter(cursor, binary);
                skip(cursor, number, components.saturating_mul(count))?;
            }
            _ => return Err(cursor.error_at(offset, format!("`{}` is no kind of data that is known", shown(word)))),
        }
    }
}

/// `FIELD name count`, then arrays.
pub fn skip_field(cursor: &mut Cursor, binary: bool) -> Result<(), ImportError> {
    read_field(cursor, binary, None)
}

fn read_field(cursor: &mut Cursor, binary: bool, mut found: Option<&mut Found>) -> Result<(), ImportError> {
    cursor.word();
    for _ in 0..cursor.count("the number of arrays")? {
        cursor.binary = false;
        let (_, mut name) = cursor.word().ok_or_else(|| cursor.ended("the name of an array"))?;
        if name == b"METADATA" {
            skip_metadata(cursor);
            (_, name) = cursor.word().ok_or_else(|| cursor.ended("the name of an array"))?;
        }
        let components = cursor.count("the number of components")?;
        let tuples = cursor.count("the number of tuples")?;
        let number = read_type(cursor)?;
        enter(cursor, binary);
        read_array(cursor, name, (number, components, tuples), found.as_deref_mut())?;
    }
    cursor.binary = false;
    Ok(())
}

/// Reads an array as the tags of the cells in `wanted`, if it is such, and passes over it otherwise.
fn read_array(
    cursor: &mut Cursor,
    name: &[u8],
    (number, components, tuples): (NumberType, usize, usize),
    wanted: Option<&mut Found>,
) -> Result<(), ImportError> {
    let rank = tag_rank(&unescaped(name)).filter(|_| components == 1 && number.is_integer());
    match (rank, wanted) {
        (Some(rank), Some(found)) if tuples == found.cells.points.len() && found.rank.is_none_or(|best| rank < best) => {
            let mut tags = Vec::with_capacity(cursor.capacity(tuples, 1));
            for _ in 0..tuples {
                cursor.tick()?;
                tags.push(number.read(cursor, "a tag")?.tag());
            }
            (found.cells.tags, found.rank) = (tags, Some(rank));
            found.builder.left_out.note(format!("the tags are the cell data `{}`", shown(&unescaped(name))));
            Ok(())
        }
        _ => skip(cursor, number, tuples.saturating_mul(components)),
    }
}

/// A name without the `%3A` that stand for special characters.
fn unescaped(name: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.first_chunk::<2>().filter(|_| byte == b'%').and_then(|c| std::str::from_utf8(c).ok());
        match code.and_then(|c| u8::from_str_radix(c, 16).ok()) {
            Some(code) => (plain.push(code), rest = &after[2..]).1,
            None => (plain.push(byte), rest = after).1,
        }
    }
    plain
}

/// Passes over `count` numbers.
fn skip(cursor: &mut Cursor, number: NumberType, count: usize) -> Result<(), ImportError> {
    if cursor.binary {
        return cursor.take(count.saturating_mul(number.size()), "data").map(drop);
    }
    for _ in 0..count {
        cursor.tick()?;
        cursor.word().ok_or_else(|| cursor.ended("data"))?;
    }
    Ok(())
}

/// Passes over what a writer tells of the array before, up to an empty line.
pub fn skip_metadata(cursor: &mut Cursor) {
    cursor.skip_line();
    while !cursor.rest().is_empty() && !cursor.line().trim_ascii().is_empty() {}
}
