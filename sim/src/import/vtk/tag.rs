//! The tags of an XML file, one after the other: as much of XML as VTK writes, and nothing is kept.

use super::super::ImportError;
use super::super::cursor::Cursor;

/// A tag.
#[derive(Debug, Clone, Copy)]
pub struct Tag<'a> {
    pub name: &'a [u8],
    /// What stands between the name and the end.
    attributes: &'a [u8],
    /// Where it begins in the file.
    pub offset: usize,
    pub kind: TagKind,
}

/// Which end of an element a tag is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagKind {
    Start,
    End,
    /// Both: `<name/>`.
    Whole,
}

impl<'a> Tag<'a> {
    /// The next tag; comments, instructions and text before it are passed over. `None` at the end of the file.
    pub fn next(cursor: &mut Cursor<'a>) -> Result<Option<Self>, ImportError> {
        loop {
            cursor.tick()?;
            let rest = cursor.rest();
            let Some(start) = rest.iter().position(|&b| b == b'<') else {
                cursor.at += rest.len();
                return Ok(None);
            };
            let offset = cursor.at + start;
            let rest = &rest[start + 1..];
            let passed_over: &[u8] = match rest {
                [b'!', b'-', b'-', ..] => b"-->",
                [b'!' | b'?', ..] => b">",
                _ => b"",
            };
            if !passed_over.is_empty() {
                let end = rest.windows(passed_over.len()).position(|w| w == passed_over);
                let end = end.ok_or_else(|| cursor.error_at(offset, "this comment or instruction does not end; the file is cut off"))?;
                cursor.at = offset + 1 + end + passed_over.len();
                continue;
            }
            let mut quote = None;
            let end = rest.iter().position(|&b| match quote {
                Some(q) if q == b => (quote = None, false).1,
                Some(_) => false,
                None if b == b'"' || b == b'\'' => (quote = Some(b), false).1,
                None => b == b'>',
            });
            let end = end.ok_or_else(|| cursor.error_at(offset, "this tag does not end; the file is cut off, write it again"))?;
            cursor.at = offset + 1 + end + 1;
            return Ok(Some(Self::of(&rest[..end], offset)));
        }
    }

    fn of(inside: &'a [u8], offset: usize) -> Self {
        let (kind, inside) = match (inside.strip_prefix(b"/"), inside.strip_suffix(b"/")) {
            (Some(inside), _) => (TagKind::End, inside),
            (None, Some(inside)) => (TagKind::Whole, inside),
            (None, None) => (TagKind::Start, inside),
        };
        let (name, attributes) = inside.split_at(inside.iter().position(u8::is_ascii_whitespace).unwrap_or(inside.len()));
        Self { name, attributes, offset, kind }
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &[u8]) -> Option<&'a [u8]> {
        let mut rest = self.attributes;
        loop {
            let equals = rest.iter().position(|&b| b == b'=')?;
            let (key, after) = (rest[..equals].trim_ascii(), rest[equals + 1..].trim_ascii_start());
            let (&quote, after) = after.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
            let end = after.iter().position(|&b| b == quote)?;
            if key == name {
                return Some(&after[..end]);
            }
            rest = &after[end + 1..];
        }
    }

    /// The value of an attribute that is a number of things; `otherwise` if it is missing.
    pub fn count(&self, cursor: &Cursor, name: &str, otherwise: usize) -> Result<usize, ImportError> {
        let Some(text) = self.attribute(name.as_bytes()) else { return Ok(otherwise) };
        let value = cursor.to_integer(self.offset, text.trim_ascii(), name)?;
        usize::try_from(value).map_err(|_| cursor.error_at(self.offset, format!("{name} cannot be {value}")))
    }
}
