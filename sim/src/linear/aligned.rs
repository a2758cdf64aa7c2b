//! [`Numbers`]: a large zeroed array, made by all threads.

use std::ops::{Deref, DerefMut};

use rayon::prelude::*;

/// Where it begins [bytes]: on a page, so that vectorised sums split the same way in every run.
const ALIGNMENT: usize = 4096;
/// Numbers that one task writes first.
const CHUNK: usize = 1 << 17;

/// Numbers at an aligned address.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    memory: Vec<f64>,
    first: usize,
}

impl Numbers {
    /// So many zeros. The system hands out memory page by page as it is first written, which for a large factor takes longer
    /// than reading its matrix: the threads share that out.
    pub fn zeros(count: usize) -> Self {
        let mut memory = vec![0.0; count + ALIGNMENT / size_of::<f64>()];
        memory.par_chunks_mut(CHUNK).for_each(|chunk| chunk.fill(0.0));
        let first = memory.as_ptr().align_offset(ALIGNMENT);
        memory.truncate(first + count);
        Self { memory, first }
    }
}

impl Deref for Numbers {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.memory[self.first..]
    }
}

impl DerefMut for Numbers {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.memory[self.first..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_zero_and_aligned() {
        for count in [0, 1, 1000, 3 * CHUNK + 5] {
            let numbers = Numbers::zeros(count);
            assert_eq!(numbers.len(), count);
            assert!(numbers.iter().all(|x| *x == 0.0));
            assert_eq!(numbers.as_ptr().addr() % ALIGNMENT, 0);
        }
    }
}
