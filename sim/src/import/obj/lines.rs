//! The lines of an OBJ file and their words.

/// Lines with their offsets, joined where `\` continues them; empty ones and comments are passed over.
pub struct Lines<'a> {
    content: &'a [u8],
    at: usize,
    end: u8,
}

impl<'a> Lines<'a> {
    /// Lines end in LF or CR LF, or in CR alone if there is no LF. Zeros at the end belong to no line.
    pub fn new(content: &'a [u8]) -> Self {
        let end = if content.contains(&b'\n') { b'\n' } else { b'\r' };
        let length = content.iter().rposition(|&b| b != 0 && b != 0x1a).map_or(0, |last| last + 1);
        Self { content: &content[..length], at: 0, end }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        while self.at < self.content.len() {
            let start = self.at;
            let line = loop {
                let rest = &self.content[self.at..];
                self.at += rest.iter().position(|&b| b == self.end).map_or(rest.len(), |n| n + 1);
                let line = self.content[start..self.at].trim_ascii_end();
                if line.last() != Some(&b'\\') || line.trim_ascii_start().first() == Some(&b'#') || self.at == self.content.len() {
                    break line;
                }
            };
            let blank = line.len() - line.trim_ascii_start().len();
            if blank < line.len() && line[blank] != b'#' {
                return Some((start + blank, &line[blank..]));
            }
        }
        None
    }
}

/// The first word of a line, and what follows.
pub fn keyword(line: &[u8]) -> (&[u8], &[u8]) {
    let length = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    line.split_at(length)
}

/// The words of a statement up to a comment.
pub fn words(rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = rest.split(|&b| b.is_ascii_whitespace() || b == b'\\' || b == 0).filter(|word| !word.is_empty());
    words.take_while(|word| word[0] != b'#')
}
