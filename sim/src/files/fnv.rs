//! FNV-1a (Fowler, Noll, Vo): a hash that is the same on every machine and in every version, for what files keep. Not for what somebody
//! might forge.

const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0100_0000_01B3;

/// The hash of numbers, byte by byte, little-endian.
pub fn of_bytes(numbers: impl IntoIterator<Item = u32>) -> u64 {
    numbers.into_iter().flat_map(u32::to_le_bytes).fold(BASIS, |hash, byte| step(hash, byte.into()))
}

/// The hash of numbers as a whole each: quicker, and not the same.
pub fn of_words(numbers: impl IntoIterator<Item = u32>) -> u64 {
    numbers.into_iter().fold(BASIS, |hash, number| step(hash, number.into()))
}

fn step(hash: u64, part: u64) -> u64 {
    (hash ^ part).wrapping_mul(PRIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scenes and recordings keep these: they may not change.
    #[test]
    fn hashes_are_those_that_files_have() {
        assert_eq!(of_bytes([]), 0xCBF2_9CE4_8422_2325);
        // "foobarxx" by the reference implementation's rule, written out.
        let text = *b"foobarxx";
        let words = [u32::from_le_bytes([text[0], text[1], text[2], text[3]]), u32::from_le_bytes([text[4], text[5], text[6], text[7]])];
        let by_hand = text.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211));
        assert_eq!(of_bytes(words), by_hand);
        // The published hash of "a" begins from the same basis.
        assert_eq!(step(BASIS, u64::from(b'a')), 0xAF63_DC4C_8601_EC8C);
        assert_ne!(of_words(words), of_bytes(words));
        assert_eq!(of_words([5, 70_000]), step(step(BASIS, 5), 70_000));
        // Reckoned elsewhere.
        let numbers = [0, 5, 70_000, u32::MAX];
        assert_eq!([of_bytes(numbers), of_words(numbers)], [0x6106_8451_F2E3_662E, 0x2056_3AC6_337A_797F]);
    }
}
