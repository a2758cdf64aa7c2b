//! Numbers of a glTF file: typed, strided, normalised, sparse.

use super::super::ImportError;
use super::Document;
use super::json::Accessor;

/// A type of number.
#[derive(Clone, Copy, PartialEq)]
enum ComponentType {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl ComponentType {
    fn numbered(number: u32) -> Option<Self> {
        Some(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number in the first bytes; if normalised, integers stand for -1 to 1 or 0 to 1.
    fn read(self, bytes: &[u8], is_normalised: bool) -> f64 {
        let (value, largest): (f64, f64) = match (self, bytes) {
            (Self::I8, &[a, ..]) => ((a as i8).into(), i8::MAX.into()),
            (Self::U8, &[a, ..]) => (a.into(), u8::MAX.into()),
            (Self::I16, &[a, b, ..]) => (i16::from_le_bytes([a, b]).into(), i16::MAX.into()),
            (Self::U16, &[a, b, ..]) => (u16::from_le_bytes([a, b]).into(), u16::MAX.into()),
            (Self::U32, &[a, b, c, d, ..]) => (u32::from_le_bytes([a, b, c, d]).into(), u32::MAX.into()),
            (Self::F32, &[a, b, c, d, ..]) => return f32::from_le_bytes([a, b, c, d]).into(),
            // The views were measured before.
            _ => return 0.0,
        };
        if is_normalised { (value / largest).max(-1.0) } else { value }
    }
}

/// Entries of `N` numbers at equal distances.
struct Array<'a, const N: usize> {
    bytes: &'a [u8],
    stride: usize,
    component: ComponentType,
    is_normalised: bool,
}

impl<const N: usize> Array<'_, N> {
    fn get(&self, index: usize) -> [f64; N] {
        let entry = &self.bytes[index * self.stride..];
        std::array::from_fn(|i| self.component.read(&entry[i * self.component.size()..], self.is_normalised))
    }
}

/// The entries of an accessor, each of `N` numbers.
pub struct Numbers<'a, const N: usize> {
    pub count: usize,
    /// Without, all entries are zero.
    dense: Option<Array<'a, N>>,
    /// Indices of entries that differ, and what they are.
    sparse: Option<(Array<'a, 1>, Array<'a, N>, usize)>,
}

/// What an accessor is used for.
#[derive(Clone, Copy, PartialEq)]
pub enum Use {
    Indices,
    Vectors,
}

/// The entry `index` of the list of accessors.
pub fn numbers<'a, const N: usize>(document: &'a Document, index: usize, purpose: Use) -> Result<Numbers<'a, N>, ImportError> {
    let accessor: Accessor = document.root.accessors.get(document.path, "accessor", index)?;
    let component = ComponentType::numbered(accessor.component_type)
        .filter(|&c| (c != ComponentType::F32) | (purpose == Use::Vectors))
        .ok_or_else(|| document.error(format!("accessor {index} has numbers of type {}, which cannot be", accessor.component_type)))?;
    let shape = ["SCALAR", "VEC2", "VEC3"][N - 1];
    if accessor.shape != shape {
        let found: String = accessor.shape.chars().filter(|c| !c.is_control()).take(10).collect();
        return Err(document.error(format!("accessor {index} holds {found} where {shape} is needed")));
    }
    let what = format!("accessor {index}");
    let is_normalised = accessor.normalized;
    let dense = match accessor.buffer_view {
        Some(view) => Some(array(document, &what, (view, accessor.byte_offset), accessor.count, component, is_normalised)?),
        None => None,
    };
    let sparse = match &accessor.sparse {
        None => None,
        Some(sparse) => {
            let kind = ComponentType::numbered(sparse.indices.component_type).filter(|&c| c != ComponentType::F32);
            let kind = kind.ok_or_else(|| document.error(format!("the sparse indices of accessor {index} are of no integer type")))?;
            let indices = array(document, &what, (sparse.indices.buffer_view, sparse.indices.byte_offset), sparse.count, kind, false)?;
            let values = (sparse.values.buffer_view, sparse.values.byte_offset);
            Some((indices, array(document, &what, values, sparse.count, component, is_normalised)?, sparse.count))
        }
    };
    Ok(Numbers { count: accessor.count, dense, sparse })
}

/// `count` entries from a byte of a view on, which must hold them all.
fn array<'a, const N: usize>(
    document: &'a Document,
    what: &str,
    (view, offset): (usize, usize),
    count: usize,
    component: ComponentType,
    is_normalised: bool,
) -> Result<Array<'a, N>, ImportError> {
    let (bytes, stride) = document.buffers.view(document.path, &document.root, view)?;
    let size = N * component.size();
    let stride = stride.unwrap_or(size);
    let length = count.checked_sub(1).map_or(Some(0), |last| last.checked_mul(stride)?.checked_add(size));
    let end = length.and_then(|length| offset.checked_add(length));
    let bytes = end.and_then(|end| bytes.get(offset..end)).filter(|_| stride >= size).ok_or_else(|| {
        document.error(format!("{what} reaches beyond its {} bytes (buffer view {view}); the file is damaged or cut off", bytes.len()))
    })?;
    Ok(Array { bytes, stride, component, is_normalised })
}

impl<const N: usize> Numbers<'_, N> {
    /// Calls `with` for entry after entry, and then again for those that differ.
    pub fn each(&self, mut with: impl FnMut(usize, [f64; N])) {
        for index in 0..self.count {
            with(index, self.dense.as_ref().map_or([0.0; N], |dense| dense.get(index)));
        }
        if let Some((indices, values, count)) = &self.sparse {
            for entry in 0..*count {
                let [index] = indices.get(entry);
                // An index beyond the end changes nothing.
                if index < self.count as f64 {
                    with(index as usize, values.get(entry));
                }
            }
        }
    }
}
