//! [`Growing`]: a text that is added to at its end, in front of what closes it, and is whole at any moment.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::export::{ExportError, save};

/// A text between a head and a tail. What is added takes the place of the tail in one write that ends with the tail anew, so
/// that a program that is killed leaves a whole file, and n additions cost n, not n^2.
#[derive(Debug)]
pub struct Growing {
    file: File,
    path: PathBuf,
    tail: &'static str,
    /// Where the head ends.
    start: u64,
    /// Where the tail begins.
    end: u64,
}

impl Growing {
    /// Makes a file without content between its head and tail.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn create(path: &Path, head: &str, tail: &'static str) -> Result<Self, ExportError> {
        save(path, format!("{head}{tail}").as_bytes())?;
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(ExportError::at(path))?;
        let start = head.len() as u64;
        Ok(Self { file, path: path.to_path_buf(), tail, start, end: start })
    }

    /// Adds to the content.
    ///
    /// # Errors
    /// Those of the file system; the file is then as before.
    pub fn append(&mut self, text: &str) -> Result<(), ExportError> {
        let whole = format!("{text}{}", self.tail);
        if let Err(error) = self.write_at_end(whole.as_bytes()) {
            // The tail fits where it was. If even that fails, the first error is the one to tell.
            let length = self.end + self.tail.len() as u64;
            let _ = self.write_at_end(self.tail.as_bytes()).and_then(|()| self.file.set_len(length));
            return Err(ExportError::at(&self.path)(error));
        }
        self.end += text.len() as u64;
        Ok(())
    }

    fn write_at_end(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(bytes)
    }

    /// Copies the content without head and tail.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn copy_to(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.start))?;
        io::copy(&mut (&self.file).take(self.end - self.start), out).map(|_| ())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
