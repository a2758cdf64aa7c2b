//! Zip archives without compression (PKWARE, *.ZIP File Format Specification* 6.3), as numpy packs arrays.

use super::crc32;

/// 1980-01-01: the same content gives the same bytes.
const DATE: u32 = 0x0021_0000;
const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END_LENGTH: usize = 22;

/// An archive of these files, by name; `None` beyond 4 GiB: the 64-bit extension is not written.
pub fn pack(files: &[(String, Vec<u8>)]) -> Option<Vec<u8>> {
    let size = |length: usize| u32::try_from(length).ok();
    let (mut bytes, mut central) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let (start, length, crc) = (size(bytes.len())?, size(content.len())?, crc32(content));
        // Version needed 2.0, no flags, stored.
        let words = [DATE, crc, length, length, name.len() as u32];
        bytes.extend(LOCAL.to_le_bytes());
        bytes.extend([20, 0, 0, 0, 0, 0]);
        words.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend(name.as_bytes());
        bytes.extend(content);
        central.extend(CENTRAL.to_le_bytes());
        central.extend([20, 0, 20, 0, 0, 0, 0, 0]);
        words.iter().for_each(|word| central.extend(word.to_le_bytes()));
        // No comment, first disk, no attributes.
        central.extend([0; 10]);
        central.extend(start.to_le_bytes());
        central.extend(name.as_bytes());
    }
    let start = size(bytes.len())?;
    size(bytes.len() + central.len() + END_LENGTH)?;
    bytes.extend(&central);
    bytes.extend(END.to_le_bytes());
    bytes.extend([0; 4]);
    let count = u16::try_from(files.len()).ok()?;
    bytes.extend([count.to_le_bytes(); 2].concat());
    [central.len() as u32, start].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    bytes.extend([0; 2]);
    Some(bytes)
}

/// Whether a file begins as an archive whose first file has a name with this end.
pub fn begins_with_one(bytes: &[u8], end: &str) -> bool {
    let length = bytes.get(26..).and_then(<[u8]>::first_chunk).map_or(0, |&length| usize::from(u16::from_le_bytes(length)));
    bytes.starts_with(&LOCAL.to_le_bytes())
        && bytes.get(30..).and_then(|rest| rest.get(..length)).is_some_and(|name| name.ends_with(end.as_bytes()))
}

/// The files of an archive: names and contents.
///
/// # Errors
/// In words: damaged, compressed, or with 64-bit sizes.
pub fn unpack(bytes: &[u8]) -> Result<Vec<(String, &[u8])>, String> {
    let cut_off = || "the archive is cut off or damaged; write it again".to_owned();
    let end_mark = END.to_le_bytes();
    // A comment of up to 64 KiB may follow the end.
    let earliest = bytes.len().saturating_sub(END_LENGTH + usize::from(u16::MAX));
    let end = (earliest..=bytes.len().saturating_sub(END_LENGTH)).rev().find(|&at| bytes[at..].starts_with(&end_mark));
    let end = end.ok_or_else(cut_off)?;
    let short = |at: usize| Some(usize::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    let long = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
    let (count, mut at) = (short(end + 10).ok_or_else(cut_off)?, long(end + 16).ok_or_else(cut_off)?);
    let mut files = Vec::new();
    for _ in 0..count {
        let entry = || {
            (long(at)? == CENTRAL as usize).then_some(())?;
            let (method, crc, packed, length) = (short(at + 10)?, long(at + 16)?, long(at + 20)?, long(at + 24)?);
            let after = short(at + 30)?.checked_add(short(at + 32)?)?;
            let name = std::str::from_utf8(bytes.get(at + 46..)?.get(..short(at + 28)?)?).ok()?;
            let local = long(at + 42)?;
            let start = local + 30 + short(local + 26)? + short(local + 28)?;
            let content = bytes.get(start..)?.get(..packed);
            Some((name, method, crc, length, content, at + 46 + name.len() + after))
        };
        let (name, method, crc, length, content, next) = entry().ok_or_else(cut_off)?;
        if method != 0 {
            return Err(format!("{name} is compressed; save it without compression (numpy.savez, not savez_compressed)"));
        }
        let content = content.filter(|content| content.len() == length).ok_or_else(cut_off)?;
        if crc32(content) as usize != crc {
            return Err(format!("{name} is damaged (its checksum differs); write the file again"));
        }
        files.push((name.to_owned(), content));
        at = next;
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn comes_back_and_damage_is_seen() {
        let files = [("a.npy".to_owned(), b"some bytes".to_vec()), ("b".to_owned(), Vec::new())];
        let bytes = pack(&files).unwrap();
        let again: Vec<(String, Vec<u8>)> = unpack(&bytes).unwrap().into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect();
        assert_eq!(again, files);
        for length in 0..bytes.len() {
            assert!(unpack(&bytes[..length]).is_err(), "{length}");
        }
        let mut damaged = bytes.clone();
        damaged[36] ^= 1;
        assert!(unpack(&damaged).unwrap_err().contains("a.npy is damaged"));
        for place in 0..bytes.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] = byte;
                // An error or the files, never a panic.
                let _ = unpack(&damaged);
            }
        }
    }
}
