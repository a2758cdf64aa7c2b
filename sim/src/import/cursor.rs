//! [`Cursor`]: a place in a mesh file that moves forward over words, rows and binary numbers, and knows how to
//! name itself in an error.

use std::path::Path;

use super::{ImportError, Place, Unreadable};
use crate::math::Vec3;
use crate::watch::Watch;

/// Items read between two questions to the watch.
const ITEMS_PER_CHECK: usize = 1 << 14;

/// Words of a row that are kept: more than any format needs.
const MOST_WORDS: usize = 32;

/// A reading position in the bytes of one file.
pub struct Cursor<'a> {
    file: &'a Path,
    bytes: &'a [u8],
    /// Offset of the next byte.
    pub at: usize,
    /// Whether places are named as byte offsets (binary sections) or as lines.
    pub binary: bool,
    /// Whether binary numbers have their highest byte first.
    pub big_endian: bool,
    /// Last byte of a line: LF, or CR in files that have no LF.
    line_end: u8,
    /// Whether binary integers and counts are 64 bits long instead of 32.
    pub wide: bool,
    /// Whether binary coordinates are 32 bits long instead of 64.
    pub single: bool,
    /// Whether text from `#` to the end of the line is a comment.
    pub comments: bool,
    /// Who may ask to stop.
    pub watch: &'a dyn Watch,
    items: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(file: &'a Path, bytes: &'a [u8], watch: &'a dyn Watch) -> Self {
        let line_end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
        Self { file, bytes, at: 0, binary: false, big_endian: false, wide: false, single: false, comments: true, line_end, watch, items: 0 }
    }

    /// Counts one item read, and asks from time to time whether to go on.
    pub fn tick(&mut self) -> Result<(), ImportError> {
        self.items += 1;
        if self.items.is_multiple_of(ITEMS_PER_CHECK) {
            self.watch.check()?;
            self.watch.progress("reading", self.at as f64 / self.bytes.len().max(1) as f64);
        }
        Ok(())
    }

    /// An error at the byte `offset`.
    pub fn error_at(&self, offset: usize, message: impl Into<String>) -> ImportError {
        Unreadable { file: self.file.to_owned(), place: Some(self.place(offset)), message: message.into() }.into()
    }

    /// The place of the byte `offset`, for people.
    pub fn place(&self, offset: usize) -> Place {
        if self.binary {
            return Place::Byte(offset);
        }
        let before = &self.bytes[..offset.min(self.bytes.len())];
        Place::Line(1 + before.iter().filter(|&&b| b == self.line_end).count())
    }

    /// The error of a file that stops while `expected` is due.
    pub fn ended(&self, expected: &str) -> ImportError {
        self.error_at(self.bytes.len(), format!("the file ends where {expected} is expected; it is cut off, write it again"))
    }

    /// Length of the whole file [bytes].
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The whole file.
    pub fn all(&self) -> &'a [u8] {
        self.bytes
    }

    /// A cursor of its own at `start`, for which the file ends at `end`.
    pub fn part(&self, start: usize, end: usize) -> Self {
        Self { bytes: &self.bytes[..end], at: start, items: 0, ..*self }
    }

    /// What is left of the file.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// A safe capacity for `count` items of at least `least_bytes` each: what a header promises is not believed
    /// beyond what the file can hold.
    pub fn capacity(&self, count: usize, least_bytes: usize) -> usize {
        count.min(self.rest().len() / least_bytes)
    }

    /// Skips white space and comments.
    fn skip_blank(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.starts_comment(byte) {
                self.skip_line();
            } else if is_blank(byte) {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    fn starts_comment(&self, byte: u8) -> bool {
        byte == b'#' && self.comments
    }

    /// Moves past the end of the current line.
    pub fn skip_line(&mut self) {
        self.line();
    }

    /// What is left of the current line, as it is; moves past its end.
    pub fn line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&b| b == self.line_end).map_or(rest.len(), |n| n + 1);
        self.at += length;
        &rest[..length]
    }

    /// The next word and its offset; `None` at the end of the file.
    pub fn word(&mut self) -> Option<(usize, &'a [u8])> {
        self.skip_blank();
        let rest = self.rest();
        let length = rest.iter().position(|&b| is_blank(b) || self.starts_comment(b)).unwrap_or(rest.len());
        let offset = self.at;
        self.at += length;
        (length > 0).then(|| (offset, &rest[..length]))
    }

    /// The first [`MOST_WORDS`] words of the next line that has any, and the offset of the first; `None` at the end of the file.
    pub fn row(&mut self, words: &mut Vec<&'a [u8]>) -> Option<usize> {
        words.clear();
        self.skip_blank();
        let (offset, line) = (self.at, self.line());
        let line = &line[..line.iter().position(|&b| self.starts_comment(b)).unwrap_or(line.len())];
        words.extend(line.split(|&b| is_blank(b)).filter(|w| !w.is_empty()).take(MOST_WORDS));
        (!words.is_empty()).then_some(offset)
    }

    /// Reads `word`, found at `offset`, as a finite number.
    pub fn to_float(&self, offset: usize, word: &[u8], what: &str) -> Result<f64, ImportError> {
        let value = self.to_number(offset, word, what)?;
        self.finite(offset, value, what)
    }

    /// Reads `word`, found at `offset`, as a number, finite or not.
    pub fn to_number(&self, offset: usize, word: &[u8], what: &str) -> Result<f64, ImportError> {
        decimal(word).ok_or_else(|| self.error_at(offset, format!("{what} is expected, not `{}`", shown(word))))
    }

    /// Reads `word`, found at `offset`, as an integer.
    pub fn to_integer(&self, offset: usize, word: &[u8], what: &str) -> Result<i64, ImportError> {
        let value = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
        value.ok_or_else(|| self.error_at(offset, format!("{what} is expected, not `{}`", shown(word))))
    }

    /// `value`, read at `offset`, unless it is infinite or no number.
    pub fn finite(&self, offset: usize, value: f64, what: &str) -> Result<f64, ImportError> {
        if value.is_finite() {
            Ok(value)
        } else {
            Err(self.error_at(offset, format!("{what} is {value}; every coordinate must be a finite number")))
        }
    }

    /// The next word as a finite number.
    pub fn float(&mut self, what: &str) -> Result<f64, ImportError> {
        let (offset, word) = self.word().ok_or_else(|| self.ended(what))?;
        self.to_float(offset, word, what)
    }

    /// The next word as an integer.
    pub fn integer(&mut self, what: &str) -> Result<i64, ImportError> {
        let (offset, word) = self.word().ok_or_else(|| self.ended(what))?;
        self.to_integer(offset, word, what)
    }

    /// The next integer, text or binary.
    pub fn number(&mut self, what: &str) -> Result<i64, ImportError> {
        match (self.binary, self.wide) {
            (false, _) => self.integer(what),
            (true, false) => self.binary_i32(what).map(i64::from),
            (true, true) => self.binary_i64(what),
        }
    }

    /// The next number of things, text or binary.
    pub fn count(&mut self, what: &str) -> Result<usize, ImportError> {
        let value = self.number(what)?;
        usize::try_from(value).map_err(|_| self.error_at(self.at.saturating_sub(1), format!("{what} cannot be {value}")))
    }

    /// The next integer of 32 bits, text or binary.
    pub fn int(&mut self, what: &str) -> Result<i32, ImportError> {
        if self.binary {
            return self.binary_i32(what);
        }
        let value = self.integer(what)?;
        i32::try_from(value).map_err(|_| self.error_at(self.at.saturating_sub(1), format!("{what} does not fit 32 bits: {value}")))
    }

    /// The next number, text or binary, as a coordinate.
    pub fn coordinate(&mut self) -> Result<f64, ImportError> {
        let what = "a coordinate";
        match (self.binary, self.single) {
            (false, _) => self.float(what),
            (true, false) => self.binary_f64(what),
            (true, true) => self.binary_f32(what).map(f64::from),
        }
    }

    /// Moves behind a coordinate that is not used, and may be anything.
    pub fn skip_coordinate(&mut self) -> Result<(), ImportError> {
        let what = "a coordinate";
        if self.binary { self.take(8, what).map(drop) } else { self.word().map(drop).ok_or_else(|| self.ended(what)) }
    }

    /// The next three coordinates.
    pub fn point(&mut self) -> Result<Vec3, ImportError> {
        Ok(Vec3::new(self.coordinate()?, self.coordinate()?, self.coordinate()?))
    }

    /// The next bytes as they are.
    pub fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], ImportError> {
        let taken = self.rest().get(..length).ok_or_else(|| self.ended(what))?;
        self.at += length;
        Ok(taken)
    }

    /// The next `N` bytes, lowest first.
    pub fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], ImportError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N, what)?);
        if self.big_endian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// A binary 32-bit integer.
    pub fn binary_i32(&mut self, what: &str) -> Result<i32, ImportError> {
        Ok(i32::from_le_bytes(self.array(what)?))
    }

    /// A binary 64-bit integer.
    pub fn binary_i64(&mut self, what: &str) -> Result<i64, ImportError> {
        Ok(i64::from_le_bytes(self.array(what)?))
    }

    /// A binary finite number of single precision.
    pub fn binary_f32(&mut self, what: &str) -> Result<f32, ImportError> {
        let offset = self.at;
        let value = f32::from_le_bytes(self.array(what)?);
        self.finite(offset, value.into(), what)?;
        Ok(value)
    }

    /// A binary finite double.
    pub fn binary_f64(&mut self, what: &str) -> Result<f64, ImportError> {
        let offset = self.at;
        let value = f64::from_le_bytes(self.array(what)?);
        self.finite(offset, value, what)
    }
}

/// White space of a text; zeros too, with which some programs fill a file up.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0
}

/// The number that a word says, finite or not; Fortran writes the exponent of a double as `1d5`.
pub fn decimal(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    let fortran = || text.replacen(['d', 'D'], "e", 1).parse().ok();
    text.parse().ok().or_else(|| word.first().is_some_and(|b| !b.is_ascii_alphabetic()).then(fortran).flatten())
}

/// A word for an error message: short, and free of control characters.
pub fn shown(word: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(&word[..word.len().min(40)]).chars().filter(|c| !c.is_control()).collect();
    if word.len() > 40 { text + "…" } else { text }
}

/// Letters of a name that are kept.
pub const MOST_LETTERS: usize = 100;

/// The first `letters` of a name; what is no UTF-8 becomes U+FFFD.
pub fn name(bytes: &[u8], letters: usize) -> String {
    // A letter takes at most four bytes.
    String::from_utf8_lossy(&bytes[..bytes.len().min(4 * letters)]).chars().take(letters).collect()
}
