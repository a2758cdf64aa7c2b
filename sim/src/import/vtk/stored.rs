//! All arrays of an XML file as they are stored, for files that hold more than a mesh.

use std::path::Path;

use super::super::ImportError;
use super::super::cursor::{Cursor, shown};
use super::array::{Array, Numbers};
use super::budget::Budget;
use super::number::NumberType;
use super::tag::{Tag, TagKind};
use super::xml::read_head;
use crate::watch::Unwatched;

/// An array of a file.
#[derive(Debug)]
pub struct Stored {
    /// The element that it stands in: `PointData`, `Cells`, ...
    pub group: String,
    /// Its name.
    pub name: String,
    /// Numbers a tuple, 1 or more.
    pub components: usize,
    /// The numbers, tuple by tuple; whole tuples.
    pub numbers: StoredNumbers,
}

/// The numbers of an array, by what holds them without loss.
#[derive(Debug)]
pub enum StoredNumbers {
    Floats(Vec<f64>),
    Integers(Vec<i32>),
    Bytes(Vec<u8>),
}

/// The arrays of a file of one unstructured grid, in its order.
///
/// # Errors
/// In words, with the line: damaged or cut off, no VTK XML, several pieces, integers of more than 32 bits.
pub fn arrays(content: &[u8]) -> Result<Vec<Stored>, String> {
    read(content).map_err(|error| match error {
        ImportError::Unreadable(why) => why.place.map_or(why.message.clone(), |place| format!("{place}: {}", why.message)),
        ImportError::Cancelled(_) => error.to_string(),
    })
}

fn read(content: &[u8]) -> Result<Vec<Stored>, ImportError> {
    let mut cursor = Cursor::new(Path::new(""), content, &Unwatched);
    cursor.comments = false;
    let mut budget = Budget::new(content.len());
    let mut head = None;
    let mut pieces = 0;
    let mut group: &[u8] = b"";
    let mut arrays = Vec::new();
    while let Some(tag) = Tag::next(&mut cursor)? {
        match (tag.name, tag.kind) {
            (b"VTKFile", TagKind::Start) => head = Some(read_head(&cursor, &tag)?),
            (b"AppendedData", _) => break,
            (b"Piece", TagKind::Start) if pieces > 0 => return Err(cursor.error_at(tag.offset, "it has several pieces")),
            (b"Piece", TagKind::Start) => pieces += 1,
            (b"DataArray", TagKind::Start | TagKind::Whole) => {
                let Some(head) = &mut head else { return Err(cursor.error_at(tag.offset, "it is no VTK file")) };
                let array = Array::new(tag, &cursor);
                let components = tag.count(&cursor, "NumberOfComponents", 1)?;
                let numbers = take(&array, array.numbers(&cursor, head)?, &cursor, &mut budget)?;
                let (length, name) = (numbers.len(), shown(array.name()));
                if components == 0 || !length.is_multiple_of(components) {
                    return Err(cursor.error_at(tag.offset, format!("array {name} does not hold whole tuples of {components}")));
                }
                arrays.push(Stored { group: shown(group), name, components, numbers });
            }
            (_, TagKind::Start) => group = tag.name,
            _ => {}
        }
    }
    Ok(arrays)
}

fn take(array: &Array, mut numbers: Numbers, cursor: &Cursor, budget: &mut Budget) -> Result<StoredNumbers, ImportError> {
    let number = array.number(cursor)?;
    let mut taken = match number {
        NumberType::Float(_) => StoredNumbers::Floats(Vec::new()),
        NumberType::Unsigned(1) => StoredNumbers::Bytes(Vec::new()),
        _ => StoredNumbers::Integers(Vec::new()),
    };
    while !numbers.is_empty() {
        budget.charge(cursor, 1, number.size())?;
        let next = numbers.next("its length")?;
        let unfit = || numbers.error(format!("{next:?} does not fit"));
        let integer = || next.integer().ok_or_else(unfit);
        match &mut taken {
            StoredNumbers::Floats(all) => all.push(next.float()),
            StoredNumbers::Bytes(all) => all.push(u8::try_from(integer()?).map_err(|_| unfit())?),
            StoredNumbers::Integers(all) => all.push(i32::try_from(integer()?).map_err(|_| unfit())?),
        }
    }
    Ok(taken)
}

impl StoredNumbers {
    fn len(&self) -> usize {
        match self {
            Self::Floats(all) => all.len(),
            Self::Integers(all) => all.len(),
            Self::Bytes(all) => all.len(),
        }
    }
}
