//! A `<DataArray>`: what its tag says, and its numbers one by one.

use std::io::Read;

use super::super::ImportError;
use super::super::cursor::{Cursor, shown};
use super::bytes::{Content, Encoded, SizeType};
use super::number::{Number, NumberType};
use super::tag::Tag;

/// What the head of the file says about all arrays.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    pub sizes: SizeType,
    /// What packs binary arrays; empty for nothing.
    pub compressor: &'a [u8],
    /// Where the appended arrays begin, and whether they are in base64; looked up when the first is read.
    pub appended: Option<(usize, bool)>,
}

impl Head<'_> {
    /// Finds the appended arrays behind the place of `cursor`.
    fn find_appended(&mut self, cursor: &Cursor) -> Result<(usize, bool), ImportError> {
        if let Some(found) = self.appended {
            return Ok(found);
        }
        let name = b"<AppendedData";
        let start = cursor.rest().windows(name.len()).position(|w| w == name);
        let mut ahead = cursor.part(cursor.at + start.ok_or_else(|| cursor.ended("<AppendedData>"))?, cursor.len());
        let tag = Tag::next(&mut ahead)?.ok_or_else(|| cursor.ended("<AppendedData>"))?;
        let underscore = ahead.rest().iter().position(|&b| b == b'_').ok_or_else(|| cursor.ended("_ before the appended data"))?;
        let found = (ahead.at + underscore + 1, tag.attribute(b"encoding") == Some(b"base64"));
        self.appended = Some(found);
        Ok(found)
    }
}

/// An array that may be read.
#[derive(Debug, Clone, Copy)]
pub struct Array<'a> {
    pub tag: Tag<'a>,
    /// Where the text behind the tag begins.
    start: usize,
}

impl<'a> Array<'a> {
    /// The array whose tag was read last.
    pub fn new(tag: Tag<'a>, cursor: &Cursor) -> Self {
        Self { tag, start: cursor.at }
    }

    /// Its name.
    pub fn name(&self) -> &'a [u8] {
        self.tag.attribute(b"Name").unwrap_or_default()
    }

    /// The type of its numbers.
    pub fn number(&self, cursor: &Cursor) -> Result<NumberType, ImportError> {
        let name = self.tag.attribute(b"type").unwrap_or_default();
        let unknown = || cursor.error_at(self.tag.offset, format!("numbers of the type `{}` are not read", shown(name)));
        NumberType::named(name).ok_or_else(unknown)
    }

    /// Starts reading its numbers.
    pub fn numbers(&self, cursor: &Cursor<'a>, head: &mut Head) -> Result<Numbers<'a>, ImportError> {
        let number = self.number(cursor)?;
        let mut content = cursor.part(self.start, cursor.len());
        let (start, base64) = match self.tag.attribute(b"format") {
            None | Some(b"ascii") => {
                let end = content.rest().iter().position(|&b| b == b'<').unwrap_or(content.rest().len());
                content = cursor.part(self.start, self.start + end);
                return Ok(Numbers { array: *self, number, left: 0, source: Source::Text, content, big_endian: false });
            }
            Some(b"binary") => (self.start, true),
            Some(b"appended") => {
                let (start, base64) = head.find_appended(cursor)?;
                (start.saturating_add(self.tag.count(cursor, "offset", 0)?), base64)
            }
            Some(other) => {
                return Err(cursor.error_at(self.tag.offset, format!("arrays in the format `{}` are not read", shown(other))));
            }
        };
        let is_packed = match head.compressor {
            b"" => false,
            b"vtkZLibDataCompressor" => true,
            other => {
                let message = format!("arrays packed by `{}` are not read; save the file packed by zlib, or unpacked", shown(other));
                return Err(cursor.error_at(self.tag.offset, message));
            }
        };
        let bytes = cursor.all().get(start..).ok_or_else(|| self.damaged(cursor))?;
        let (source, length) = Content::new(Encoded::new(bytes, base64), head.sizes, is_packed).map_err(|_| self.damaged(cursor))?;
        let left = usize::try_from(length).map_err(|_| self.damaged(cursor))?;
        Ok(Numbers { array: *self, number, left, source: Source::Bytes(source), content, big_endian: head.sizes.big_endian })
    }

    fn damaged(&self, cursor: &Cursor) -> ImportError {
        let message = format!("the array `{}` is cut off or damaged; write the file again", shown(self.name()));
        cursor.error_at(self.tag.offset, message)
    }
}

enum Source<'a> {
    Text,
    Bytes(Content<'a>),
}

/// The numbers of an array.
pub struct Numbers<'a> {
    array: Array<'a>,
    number: NumberType,
    source: Source<'a>,
    /// The text of the array, if it is text.
    content: Cursor<'a>,
    /// Bytes still to come, if it is not.
    left: usize,
    big_endian: bool,
}

impl Numbers<'_> {
    /// A safe capacity for `count` numbers: no more than the array can hold.
    pub fn capacity(&self, count: usize) -> usize {
        match &self.source {
            Source::Text => self.content.capacity(count, 1),
            Source::Bytes(_) => count.min(self.left / self.number.size()),
        }
    }

    /// The next number; `announced` tells in an error what says that there is one.
    pub fn next(&mut self, announced: &str) -> Result<Number, ImportError> {
        self.content.tick()?;
        let too_few = |cursor: &Cursor, offset| {
            let name = shown(self.array.name());
            cursor.error_at(offset, format!("the array `{name}` ends here, but {announced} announces more; the file is damaged"))
        };
        match &mut self.source {
            Source::Text => {
                if is_blank(&self.content) {
                    return Err(too_few(&self.content, self.content.at));
                }
                self.number.read(&mut self.content, "a number")
            }
            Source::Bytes(source) => {
                let size = self.number.size();
                self.left = self.left.checked_sub(size).ok_or_else(|| too_few(&self.content, self.array.tag.offset))?;
                let mut bytes = [0; 8];
                source.read_exact(&mut bytes[..size]).map_err(|_| self.array.damaged(&self.content))?;
                Ok(self.number.decode(&bytes[..size], self.big_endian))
            }
        }
    }

    /// Whether all numbers were read.
    pub fn is_empty(&self) -> bool {
        match self.source {
            Source::Text => is_blank(&self.content),
            Source::Bytes(_) => self.left == 0,
        }
    }

    /// An error about the number read last.
    pub fn error(&self, message: String) -> ImportError {
        let offset = if matches!(self.source, Source::Text) { self.content.at } else { self.array.tag.offset };
        self.content.error_at(offset, format!("array `{}`: {message}", shown(self.array.name())))
    }

    /// Checks that all numbers were read; `announced` tells in an error what says so.
    pub fn finish(mut self, announced: &str) -> Result<(), ImportError> {
        let surplus = match self.source {
            Source::Text => self.content.word().map(|(offset, _)| offset),
            Source::Bytes(_) => (self.left > 0).then_some(self.array.tag.offset),
        };
        match surplus {
            None => Ok(()),
            Some(offset) => {
                let name = shown(self.array.name());
                Err(self.content.error_at(offset, format!("the array `{name}` holds more than {announced} announces; the file is damaged")))
            }
        }
    }
}

fn is_blank(content: &Cursor) -> bool {
    content.rest().iter().all(u8::is_ascii_whitespace)
}
