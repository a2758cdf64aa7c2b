//! Repeatable random choices.

/// Marsaglia's xorshift with a multiplication (Vigna 2016, "xorshift64*").
pub struct Random(u64);

impl Random {
    /// The choices of one execution of a run.
    pub fn new(seed: u64, execution: u64) -> Self {
        // SplitMix64, so that neighbours have nothing in common; zero is the one state that does not move.
        let z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(execution.wrapping_mul(0xd134_2543_de82_ef95));
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self((z ^ (z >> 31)).max(1))
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Below `end`; 0 if that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end.max(1)
    }

    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}
