//! The number types of VTK, by their names in legacy and in XML files.

use super::super::ImportError;
use super::super::cursor::Cursor;

/// How a number is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberType {
    Signed(usize),
    Unsigned(usize),
    Float(usize),
}

use NumberType::{Float, Signed, Unsigned};

/// By name, in lower case, with the bytes a number.
const NAMES: &[(&str, NumberType)] = &[
    ("char", Signed(1)),
    ("signed_char", Signed(1)),
    ("unsigned_char", Unsigned(1)),
    ("short", Signed(2)),
    ("unsigned_short", Unsigned(2)),
    ("int", Signed(4)),
    ("unsigned_int", Unsigned(4)),
    ("long", Signed(8)),
    ("unsigned_long", Unsigned(8)),
    ("vtkidtype", Signed(4)),
    ("vtktypeint64", Signed(8)),
    ("vtktypeuint64", Unsigned(8)),
    ("float", Float(4)),
    ("double", Float(8)),
    ("int8", Signed(1)),
    ("uint8", Unsigned(1)),
    ("int16", Signed(2)),
    ("uint16", Unsigned(2)),
    ("int32", Signed(4)),
    ("uint32", Unsigned(4)),
    ("int64", Signed(8)),
    ("uint64", Unsigned(8)),
    ("float32", Float(4)),
    ("float64", Float(8)),
];

impl NumberType {
    /// The type of a name, in either case.
    pub fn named(name: &[u8]) -> Option<Self> {
        NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes())).map(|(_, number)| *number)
    }

    /// Bytes a number.
    pub fn size(self) -> usize {
        match self {
            Signed(size) | Unsigned(size) | Float(size) => size,
        }
    }

    /// Whether numbers are whole.
    pub fn is_integer(self) -> bool {
        !matches!(self, Float(_))
    }

    /// The number in `size()` bytes; `Err` for an integer past 64 bits with a sign.
    pub fn decode(self, bytes: &[u8], big_endian: bool) -> Number {
        let mut lowest_first = [0; 8];
        let size = self.size();
        lowest_first[..size].copy_from_slice(&bytes[..size]);
        if big_endian {
            lowest_first[..size].reverse();
        }
        let unsigned = u64::from_le_bytes(lowest_first);
        match self {
            Float(4) => Number::Float(f32::from_bits(unsigned as u32).into()),
            Float(_) => Number::Float(f64::from_bits(unsigned)),
            Unsigned(_) => Number::Integer(i64::try_from(unsigned).unwrap_or(i64::MAX)),
            Signed(_) => {
                let unused = 64 - 8 * size as u32;
                Number::Integer((unsigned << unused).cast_signed() >> unused)
            }
        }
    }

    /// The next number of a file, text or binary, not checked to be finite.
    pub fn read(self, cursor: &mut Cursor, what: &str) -> Result<Number, ImportError> {
        if cursor.binary {
            let big_endian = cursor.big_endian;
            return cursor.take(self.size(), what).map(|bytes| self.decode(bytes, big_endian));
        }
        match self {
            Float(_) => cursor.float(what).map(Number::Float),
            _ => cursor.integer(what).map(Number::Integer),
        }
    }
}

/// A number that was read; integers past the largest of 64 bits with a sign are that one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    Integer(i64),
    Float(f64),
}

impl Number {
    /// As a coordinate.
    pub fn float(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// As an index or count; `None` if negative or no integer.
    pub fn index(self) -> Option<usize> {
        match self {
            Self::Integer(value) => usize::try_from(value).ok(),
            Self::Float(_) => None,
        }
    }

    /// As an integer; `None` if it is none.
    pub fn integer(self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(value),
            Self::Float(_) => None,
        }
    }

    /// As a tag, 0 for what does not fit.
    pub fn tag(self) -> i32 {
        match self {
            Self::Integer(value) => i32::try_from(value).unwrap_or(0),
            Self::Float(_) => 0,
        }
    }
}
