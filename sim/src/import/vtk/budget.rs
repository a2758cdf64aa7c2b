//! [`Budget`]: a bound on the memory that a file may ask for.

use super::super::ImportError;
use super::super::cursor::Cursor;

/// Bytes that may still be taken. Arrays that are not compressed never come near the bound; compressed ones may hold a thousand
/// times what they take in the file.
pub struct Budget {
    left: usize,
}

impl Budget {
    /// Of a file of `length` bytes.
    pub fn new(length: usize) -> Self {
        Self { left: length.saturating_mul(18).saturating_add(300_000) }
    }

    /// Takes `count` times `bytes`.
    pub fn charge(&mut self, cursor: &Cursor, count: usize, bytes: usize) -> Result<(), ImportError> {
        match count.checked_mul(bytes).and_then(|all| self.left.checked_sub(all)) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                let message = "what the file holds, unpacked, takes over 18 times its size; if it is not damaged, save it uncompressed";
                Err(cursor.error_at(cursor.at, message))
            }
        }
    }
}
