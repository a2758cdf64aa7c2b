//! Damage done to files.

use super::random::Random;

/// Files are not made longer than this [bytes].
const LONGEST: usize = 256 << 10;

/// What stands in place of a number in text.
const NUMBERS: [&str; 26] = [
    "0",
    "-1",
    "1",
    "2",
    "3",
    "9",
    "-0",
    "255",
    "256",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "99999999999999999999",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "-1e308",
    "1e-320",
    "0x10",
];

/// What stands in place of a binary count, index or coordinate.
const INTEGERS: [u64; 16] = [
    0,
    1,
    2,
    3,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    u64::MAX,
];

/// Damages `content` in one to six places; `others` lend their parts.
pub fn mutate(content: &mut Vec<u8>, others: &[&[u8]], random: &mut Random) {
    for _ in 0..=random.below(6) {
        damage(content, others, random);
        content.truncate(LONGEST);
    }
    // Seldom, for it takes long: a part many times over, so that the file's own size matters.
    if random.below(400) == 0 {
        let (start, end) = part(content, 400, random);
        let copies = random.below(LONGEST / (end - start).max(1)) / 2;
        let repeated = content[start..end].repeat(copies);
        content.splice(end..end, repeated);
        content.truncate(LONGEST);
    }
}

fn damage(content: &mut Vec<u8>, others: &[&[u8]], random: &mut Random) {
    let at = random.below(content.len());
    match random.below(16) {
        0 if at < content.len() => content[at] ^= 1 << random.below(8),
        1 if at < content.len() => content[at] = random.next() as u8,
        2 if at < content.len() => content[at] = *random.pick(&[&0, &0xff, &b' ', &b'\n', &b'-', &b'"', &b'<', &b'#', &b'$', &b'/']),
        3 | 4 => {
            let integer = INTEGERS[random.below(INTEGERS.len())];
            let size = *random.pick(&[&1_usize, &2, &4, &8]);
            let mut bytes = integer.to_le_bytes();
            bytes[..size].rotate_left(0);
            if random.below(2) == 0 {
                bytes[..size].reverse();
            }
            let end = (at + size).min(content.len());
            content[at..end].copy_from_slice(&bytes[..end - at]);
        }
        5 => {
            let (start, end) = part(content, 40, random);
            content.drain(start..end);
        }
        6 => {
            let bytes: Vec<u8> = (0..random.below(12)).map(|_| random.next() as u8).collect();
            content.splice(at..at, bytes);
        }
        7 | 8 => {
            let (start, end) = part(content, 60, random);
            let repeated = content[start..end].repeat(1 + random.below(8));
            content.splice(at..at, repeated);
        }
        9..=12 => {
            let (start, end) = token(content, at);
            let number = if random.below(8) == 0 { random.next().to_string() } else { NUMBERS[random.below(NUMBERS.len())].to_owned() };
            content.splice(start..end, number.into_bytes());
        }
        13 => {
            let other = random.pick(others);
            let (start, end) = part(other, 200, random);
            content.splice(at..at, other[start..end].iter().copied());
        }
        14 => {
            let other = random.pick(others);
            content.truncate(at);
            content.extend_from_slice(&other[random.below(other.len())..]);
        }
        _ if random.below(4) == 0 => content.truncate(at),
        _ => {
            let (start, end) = token(content, at);
            let (from, to) = token(content, random.below(content.len()));
            let word = content[from..to].to_vec();
            content.splice(start..end, word);
        }
    }
}

/// A part of at most `longest` bytes.
fn part(content: &[u8], longest: usize, random: &mut Random) -> (usize, usize) {
    let start = random.below(content.len());
    (start, (start + random.below(longest)).min(content.len()))
}

/// The word or number around a place.
fn token(content: &[u8], at: usize) -> (usize, usize) {
    let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+' | b'_');
    let start = content[..at].iter().rposition(|b| !is_inside(b)).map_or(0, |p| p + 1);
    let end = content[at..].iter().position(|b| !is_inside(b)).map_or(content.len(), |p| at + p);
    (start.max(at.saturating_sub(30)), end.min(at + 30))
}
