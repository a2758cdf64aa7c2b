//! Arrays as numpy saves them (NEP 1, *A Simple File Format for NumPy Arrays*), version 1.0, little-endian, rows first.

use super::Values;

const MAGIC: &[u8] = b"\x93NUMPY";

/// The bytes of an `.npy` file of `values` in this shape.
pub fn to_npy(values: &Values, shape: &[usize]) -> Vec<u8> {
    // A tuple of one has a comma.
    let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let shape = if shape.matches(',').count() > 1 { shape.trim_end_matches(", ") } else { shape.trim_end() };
    let mut head = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", type_name(values));
    // The numbers begin at a multiple of 64, after 10 bytes, the head and a line end.
    head += &" ".repeat((64 - (11 + head.len()) % 64) % 64);
    head.push('\n');
    [MAGIC, &[1, 0], &(head.len() as u16).to_le_bytes(), head.as_bytes(), &values.to_bytes()].concat()
}

fn type_name(values: &Values) -> &'static str {
    match values {
        Values::F64(_) => "<f8",
        Values::I32(_) => "<i4",
        Values::U8(_) => "|u1",
    }
}

/// The numbers and the shape of an `.npy` file.
///
/// # Errors
/// In words: damaged, of another type, or columns first.
pub fn from_npy(bytes: &[u8]) -> Result<(Values, Vec<usize>), String> {
    let damaged = || "it is no array of numpy, or is cut off".to_owned();
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
    let (length, start) = match rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([*a, *b])), 4),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 6),
        _ => return Err(damaged()),
    };
    let head = rest.get(start..).and_then(|rest| rest.get(..length)).ok_or_else(damaged)?;
    let head = std::str::from_utf8(head).map_err(|_| damaged())?;
    let value = |key: &str| head.split_once(&format!("'{key}':")).map(|(_, after)| after.trim_start());
    if !value("fortran_order").is_some_and(|v| v.starts_with("False")) {
        return Err("it is stored columns first; save numpy.ascontiguousarray of it".into());
    }
    let kind = value("descr").and_then(|v| v.split('\'').nth(1)).ok_or_else(damaged)?;
    let inside = value("shape").and_then(|v| v.strip_prefix('(')?.split(')').next()).ok_or_else(damaged)?;
    let shape: Vec<usize> =
        inside.split(',').map(str::trim).filter(|n| !n.is_empty()).map(str::parse).collect::<Result<_, _>>().map_err(|_| damaged())?;
    let numbers = &rest[start + length..];
    let values = match kind {
        "<f8" => Values::from_bytes("Float64", numbers),
        "<f4" => Some(Values::F64(numbers.as_chunks().0.iter().map(|&b| f64::from(f32::from_le_bytes(b))).collect())),
        "<i4" => Values::from_bytes("Int32", numbers),
        "|u1" => Values::from_bytes("UInt8", numbers),
        other => {
            return Err(format!(
                "its numbers are of type {other}; doubles (<f8), single precision (<f4), 32-bit integers (<i4) and bytes (|u1) are read"
            ));
        }
    };
    let values = values.ok_or_else(damaged)?;
    let count = shape.iter().try_fold(1_usize, |product, n| product.checked_mul(*n));
    let size = kind[2..].parse::<usize>().ok().and_then(|size| count?.checked_mul(size));
    if count != Some(values.len()) || size != Some(numbers.len()) {
        return Err(damaged());
    }
    Ok((values, shape))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_head_is_that_of_numpy() {
        let bytes = to_npy(&Values::I32(vec![1, -2]), &[2]);
        let head = b"\x93NUMPY\x01\0\x76\0{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
        assert_eq!(&bytes[..head.len()], head);
        assert_eq!(&bytes[127..], [b"\n", &1_i32.to_le_bytes()[..], &(-2_i32).to_le_bytes()].concat());
    }

    #[test]
    fn single_precision_becomes_double() {
        let head = to_npy(&Values::I32(vec![0; 2]), &[2]);
        let mut bytes = head.iter().map(|b| if *b == b'i' { b'f' } else { *b }).collect::<Vec<u8>>();
        let end = bytes.len();
        bytes[end - 8..].copy_from_slice(&[0.1_f32.to_le_bytes(), (-3.0_f32).to_le_bytes()].concat());
        // The `i` of `fortran_order` is none; only the type has one.
        assert_eq!(from_npy(&bytes).unwrap(), (Values::F64(vec![f64::from(0.1_f32), -3.0]), vec![2]));
        assert!(from_npy(&bytes[..end - 1]).is_err());
    }

    #[test]
    fn comes_back_to_the_bit() {
        for (values, shape) in [
            (Values::F64(vec![-0.0, 1.0 / 3.0, 5e-324, 2.0]), vec![2, 2]),
            (Values::U8(vec![1, 2, 255]), vec![3]),
            (Values::F64(vec![0.5; 18]), vec![2, 3, 3]),
            (Values::I32(Vec::new()), vec![0, 4]),
        ] {
            let bytes = to_npy(&values, &shape);
            assert_eq!(from_npy(&bytes).unwrap(), (values, shape));
            for length in 0..bytes.len() {
                assert!(from_npy(&bytes[..length]).is_err(), "{length}");
            }
        }
    }
}
