//! CRC-32 with the polynomial of Ethernet and zip, eight bytes at a time ("slicing by 8", Kounavis, Berry 2008).

/// The polynomial, lowest power first.
const POLYNOMIAL: u32 = 0xEDB8_8320;

/// `TABLES[k][b]`: remainder of byte `b` followed by k zero bytes.
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = if rest & 1 == 1 { (rest >> 1) ^ POLYNOMIAL } else { rest >> 1 };
            bit += 1;
        }
        tables[0][byte] = rest;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[zeros - 1][byte];
            tables[zeros][byte] = (before >> 8) ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
}

/// The checksum of `bytes`.
pub fn crc32(bytes: &[u8]) -> u32 {
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut crc = !0;
    for chunk in chunks {
        let mixed = u64::from_le_bytes(*chunk) ^ u64::from(crc);
        crc = mixed.to_le_bytes().iter().zip(TABLES.iter().rev()).fold(0, |sum, (&byte, table)| sum ^ table[byte as usize]);
    }
    for byte in rest {
        crc = (crc >> 8) ^ TABLES[0][((crc ^ u32::from(*byte)) & 0xFF) as usize];
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of the catalogue of CRCs, and others made with `zlib`.
    #[test]
    fn agrees_with_the_published_values() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
        assert_eq!(crc32(&[0; 32]), 0x190A_55AD);
    }
}
