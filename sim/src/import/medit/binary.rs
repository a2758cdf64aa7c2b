//! Binary MEDIT: the integer 1 (which tells the byte order), the version, then sections `number, offset of the next section, content`.
//! Version 1 has coordinates of 32 bits; 3 and 4 have offsets of 64 bits; 4 has all counts and indices of 64 bits.

use super::super::ImportError;
use super::super::cursor::Cursor;
use super::super::elements::Elements;
use super::keyword::{self, Holds};

/// Whether a file is one: the integer 1, a version and the section of the dimension or of vertices, in one byte order.
pub fn matches(content: &[u8]) -> bool {
    let Some(head) = content.first_chunk::<12>() else { return false };
    let of = |i: usize| [head[i], head[i + 1], head[i + 2], head[i + 3]];
    [u32::from_le_bytes, u32::from_be_bytes].iter().any(|int| int(of(0)) == 1 && (1..=4).contains(&int(of(4))) && int(of(8)) < 1000)
}

/// Reads a whole file.
pub fn read(cursor: &mut Cursor, found: &mut Elements) -> Result<(), ImportError> {
    cursor.binary = true;
    cursor.big_endian = cursor.rest().starts_with(&[0]);
    cursor.binary_i32("the integer 1")?;
    let version = cursor.binary_i32("the version")?;
    cursor.single = version == 1;
    while !cursor.rest().is_empty() {
        let offset = cursor.at;
        let number = cursor.binary_i32("the number of a section")?;
        cursor.wide = version >= 3;
        let next = cursor.number("the offset of the next section")?;
        cursor.wide = version >= 4;
        let section = keyword::by_number(number);
        match section {
            Some((_, Holds::End)) => break,
            Some((name, Holds::Unused)) => found.left_out.section(name),
            None => found.left_out.section(&format!("section {number}")),
            Some((_, holds)) => super::read_section(cursor, offset, holds, found)?,
        }
        if next == 0 {
            break;
        }
        match usize::try_from(next) {
            Ok(next) if next >= cursor.at && next <= cursor.at + cursor.rest().len() => cursor.at = next,
            _ => {
                let message = format!("the next section cannot be at byte {next}; the file is cut off or damaged, write it again");
                return Err(cursor.error_at(offset, message));
            }
        }
    }
    Ok(())
}
