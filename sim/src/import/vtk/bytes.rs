//! The bytes of an array in an XML file, decoded while they are read: raw or base64, plain or in blocks packed by zlib.

use std::io::{self, Read, Take};

use flate2::read::ZlibDecoder;

/// Raw bytes, or base64 (RFC 4648), of which each part that was encoded on its own may end in padding.
pub struct Encoded<'a> {
    rest: &'a [u8],
    base64: bool,
    decoded: [u8; 3],
    /// How many of `decoded` were taken, and how many there are.
    taken: usize,
    ready: usize,
}

impl<'a> Encoded<'a> {
    pub fn new(bytes: &'a [u8], base64: bool) -> Self {
        Self { rest: bytes, base64, decoded: [0; 3], taken: 0, ready: 0 }
    }

    /// Decodes the next four characters; what is no character of base64 ends the text.
    fn decode(&mut self) -> io::Result<()> {
        let (mut word, mut count, mut padding) = (0, 0, 0);
        while count < 4 {
            let Some((&byte, rest)) = self.rest.split_first() else { break };
            let value = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                b'=' => (padding += 1, 0).1,
                _ if byte.is_ascii_whitespace() => {
                    self.rest = rest;
                    continue;
                }
                _ => break,
            };
            self.rest = rest;
            word = word << 6 | u32::from(value);
            count += 1;
        }
        let [_, bytes @ ..] = word.to_be_bytes();
        self.decoded = bytes;
        self.taken = 0;
        self.ready = match (count, padding) {
            (0, _) => 0,
            (4, 0..=2) => 3 - padding,
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        Ok(())
    }
}

impl Read for Encoded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.base64 {
            return self.rest.read(buffer);
        }
        let mut filled = 0;
        while filled < buffer.len() {
            if self.taken == self.ready {
                self.decode()?;
                if self.ready == 0 {
                    break;
                }
            }
            let count = (self.ready - self.taken).min(buffer.len() - filled);
            buffer[filled..filled + count].copy_from_slice(&self.decoded[self.taken..self.taken + count]);
            self.taken += count;
            filled += count;
        }
        Ok(filled)
    }
}

/// How the sizes before an array are written.
#[derive(Debug, Clone, Copy)]
pub struct SizeType {
    pub wide: bool,
    pub big_endian: bool,
}

impl SizeType {
    fn read(self, source: &mut impl Read) -> io::Result<u64> {
        let mut bytes = [0; 8];
        let bytes = if self.wide { &mut bytes[..] } else { &mut bytes[..4] };
        source.read_exact(bytes)?;
        if self.big_endian {
            bytes.reverse();
        }
        Ok(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }
}

/// The content of an array.
pub enum Content<'a> {
    Plain(Take<Encoded<'a>>),
    /// Blocks, each packed on its own; the sizes of those that are still to come.
    Packed(Box<ZlibDecoder<Take<Encoded<'a>>>>, std::vec::IntoIter<u64>),
}

impl<'a> Content<'a> {
    /// Reads the sizes before the content; also gives the length of the content [bytes], as announced.
    pub fn new(mut source: Encoded<'a>, sizes: SizeType, is_packed: bool) -> io::Result<(Self, u64)> {
        if !is_packed {
            let length = sizes.read(&mut source)?;
            return Ok((Self::Plain(source.take(length)), length));
        }
        let (blocks, size, last) = (sizes.read(&mut source)?, sizes.read(&mut source)?, sizes.read(&mut source)?);
        let room = blocks.min(source.rest.len() as u64 / 4) as usize;
        let mut packed = Vec::with_capacity(room);
        for _ in 0..blocks {
            packed.push(sizes.read(&mut source)?);
        }
        let whole = if last > 0 { blocks.saturating_sub(1) } else { blocks };
        let length = whole.saturating_mul(size).saturating_add(if blocks > 0 { last } else { 0 });
        let mut packed = packed.into_iter();
        let first = source.take(packed.next().unwrap_or(0));
        Ok((Self::Packed(Box::new(ZlibDecoder::new(first)), packed), length))
    }
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(source) => source.read(buffer),
            Self::Packed(decoder, sizes) => loop {
                let count = decoder.read(buffer)?;
                if count > 0 || buffer.is_empty() {
                    return Ok(count);
                }
                let Some(size) = sizes.next() else { return Ok(0) };
                // The block is at its end; where it took less than it says, the rest of it is passed over.
                io::copy(decoder.get_mut(), &mut io::sink())?;
                let empty = Encoded::new(&[], false).take(0);
                let source = std::mem::replace(decoder.get_mut(), empty).into_inner();
                decoder.reset(source.take(size));
            },
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn decoded(text: &str) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Encoded::new(text.as_bytes(), true).read_to_end(&mut bytes).map(|_| bytes)
    }

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba")] {
            assert_eq!(decoded(text).unwrap(), bytes.as_bytes(), "{text}");
        }
        // Parts encoded each on its own, spread over lines, with a tag behind.
        assert_eq!(decoded(" Zg==\n Zm8=\tZm9v</DataArray>").unwrap(), b"ffofoo");
        assert_eq!(decoded("+/8=").unwrap(), [0xfb, 0xff]);
        for damaged in ["Z", "Zg=", "Z===", "Zm9vYg"] {
            assert!(decoded(damaged).is_err(), "{damaged}");
        }
    }
}
