//! The header of a PLY file: which elements follow, and what each consists of.

use super::super::ImportError;
use super::super::cursor::{Cursor, shown};
use super::scalar::Scalar;

/// Entries of one kind.
pub struct ElementHeader<'a> {
    pub name: &'a [u8],
    pub count: usize,
    pub properties: Vec<Property<'a>>,
}

/// A number, or a list of numbers, of each entry.
pub struct Property<'a> {
    pub name: &'a [u8],
    /// Type of the length, of a list.
    pub length: Option<Scalar>,
    /// Type of the number or numbers.
    pub value: Scalar,
}

impl ElementHeader<'_> {
    /// Bytes that an entry takes at least, no less than 1.
    pub fn least_size(&self, binary: bool) -> usize {
        // In a text a number is a digit and a blank.
        let sizes = self.properties.iter().map(|p| if binary { p.length.unwrap_or(p.value).size() } else { 2 });
        sizes.fold(0, usize::saturating_add).max(1)
    }
}

impl Property<'_> {
    /// Length of the next list; 1 for a single number.
    pub fn read_length(&self, cursor: &mut Cursor) -> Result<usize, ImportError> {
        let Some(scalar) = self.length else { return Ok(1) };
        let length = scalar.read_integer(cursor, "the length of a list")?;
        usize::try_from(length).map_err(|_| cursor.error_at(cursor.at, format!("the length of a list cannot be {length}")))
    }

    /// Moves behind the next number or list.
    pub fn skip(&self, cursor: &mut Cursor) -> Result<(), ImportError> {
        let length = self.read_length(cursor)?;
        if cursor.binary {
            let size = length.checked_mul(self.value.size()).ok_or_else(|| cursor.ended("a list"))?;
            cursor.take(size, "a property")?;
            return Ok(());
        }
        (0..length).try_for_each(|_| self.value.skip(cursor, "a property"))
    }
}

/// Reads the header and leaves the cursor on the first entry, in the mode that the entries need.
pub fn read_header<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<ElementHeader<'a>>, ImportError> {
    let content = cursor.rest();
    // The data may hold any byte, so the first line tells how lines end.
    let is_old = content.get(3) == Some(&b'\r') && content.get(4) != Some(&b'\n');
    let end = if is_old { b'\r' } else { b'\n' };
    let mut elements: Vec<ElementHeader> = Vec::new();
    let mut format = None;
    loop {
        let (offset, rest) = (cursor.at, cursor.rest());
        let length = rest.iter().position(|&b| b == end).ok_or_else(|| cursor.ended("end_header"))?;
        cursor.at += length + 1;
        let mut words = rest[..length].split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
        let mut next =
            |what: &str| words.next().ok_or_else(|| cursor.error_at(offset, format!("{what} is expected before the end of the line")));
        let keyword = next("a keyword").unwrap_or_default();
        match keyword {
            b"" | b"ply" | b"comment" | b"obj_info" => {}
            b"format" => format = Some((offset, next("the format")?)),
            b"element" => {
                let name = next("the name of an element")?;
                let count = cursor.to_integer(offset, next("a count")?, "the number of entries")?;
                let count = usize::try_from(count).map_err(|_| cursor.error_at(offset, format!("{count} entries cannot be")))?;
                elements.push(ElementHeader { name, count, properties: Vec::new() });
            }
            b"property" => {
                let kind = next("a type")?;
                let scalar = |name: &[u8]| {
                    Scalar::named(name).ok_or_else(|| cursor.error_at(offset, format!("`{}` is no type of number", shown(name))))
                };
                let length = if kind == b"list" { Some(scalar(next("a type")?)?) } else { None };
                let value = if kind == b"list" { scalar(next("a type")?)? } else { scalar(kind)? };
                let property = Property { name: next("the name of a property")?, length, value };
                let element = elements.last_mut().ok_or_else(|| cursor.error_at(offset, "a property before the first element"))?;
                element.properties.push(property);
            }
            b"end_header" => break,
            _ => return Err(cursor.error_at(offset, format!("`{}` is no keyword of a PLY header", shown(keyword)))),
        }
    }
    match format {
        Some((_, b"ascii")) => {}
        Some((_, b"binary_little_endian")) => cursor.binary = true,
        Some((_, b"binary_big_endian")) => (cursor.binary, cursor.big_endian) = (true, true),
        Some((offset, other)) => {
            let message = format!("ascii, binary_little_endian or binary_big_endian is expected, not `{}`", shown(other));
            return Err(cursor.error_at(offset, message));
        }
        None => return Err(cursor.error_at(cursor.at, "the header names no format; it is damaged, write the file again")),
    }
    Ok(elements)
}
