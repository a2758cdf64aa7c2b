//! The types of numbers in a PLY file.

use super::super::ImportError;
use super::super::cursor::Cursor;

/// A type of number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// The type of this name: those of the paper, and those with their sizes that most writers use today.
    pub fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"long" | b"int64" => Self::I64,
            b"ulong" | b"uint64" => Self::U64,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes in a binary file.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// The next number, finite or not. Integers beyond 2^53 are rounded, which no count or index reaches.
    pub fn read(self, cursor: &mut Cursor, what: &str) -> Result<f64, ImportError> {
        if !cursor.binary {
            let (offset, word) = cursor.word().ok_or_else(|| cursor.ended(what))?;
            return cursor.to_number(offset, word, what);
        }
        Ok(match self {
            Self::I8 => i8::from_le_bytes(cursor.array(what)?).into(),
            Self::U8 => u8::from_le_bytes(cursor.array(what)?).into(),
            Self::I16 => i16::from_le_bytes(cursor.array(what)?).into(),
            Self::U16 => u16::from_le_bytes(cursor.array(what)?).into(),
            Self::I32 => i32::from_le_bytes(cursor.array(what)?).into(),
            Self::U32 => u32::from_le_bytes(cursor.array(what)?).into(),
            Self::I64 => i64::from_le_bytes(cursor.array(what)?) as f64,
            Self::U64 => u64::from_le_bytes(cursor.array(what)?) as f64,
            Self::F32 => f32::from_le_bytes(cursor.array(what)?).into(),
            Self::F64 => f64::from_le_bytes(cursor.array(what)?),
        })
    }

    /// The next number as a finite one.
    pub fn read_finite(self, cursor: &mut Cursor, what: &str) -> Result<f64, ImportError> {
        let before = cursor.at;
        let value = self.read(cursor, what)?;
        // In a text the place is behind the blanks, where the number itself stands.
        cursor.finite(if cursor.binary { before } else { cursor.at }, value, what)
    }

    /// The next number as an integer.
    pub fn read_integer(self, cursor: &mut Cursor, what: &str) -> Result<i64, ImportError> {
        let value = self.read_finite(cursor, what)?;
        if value.fract() != 0.0 {
            return Err(cursor.error_at(cursor.at, format!("{what} cannot be {value}")));
        }
        Ok(value as i64)
    }

    /// Moves behind the next number.
    pub fn skip(self, cursor: &mut Cursor, what: &str) -> Result<(), ImportError> {
        if cursor.binary {
            cursor.take(self.size(), what)?;
        } else {
            cursor.word().ok_or_else(|| cursor.ended(what))?;
        }
        Ok(())
    }
}
