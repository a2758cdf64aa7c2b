//! [`Values`]: numbers of one type, as arrays in files have them.

/// Numbers of one array.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Doubles.
    F64(Vec<f64>),
    /// 32-bit integers.
    I32(Vec<i32>),
    /// Bytes.
    U8(Vec<u8>),
}

impl Values {
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::F64(_) => "Float64",
            Self::I32(_) => "Int32",
            Self::U8(_) => "UInt8",
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::U8(v) => v.len(),
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::F64(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::I32(v) => v.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::U8(v) => v.clone(),
        }
    }

    pub(crate) fn from_bytes(type_name: &str, bytes: &[u8]) -> Option<Self> {
        Some(match type_name {
            "Float64" => Self::F64(bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect()),
            "Int32" => Self::I32(bytes.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b)).collect()),
            "UInt8" => Self::U8(bytes.to_vec()),
            _ => return None,
        })
    }
}
