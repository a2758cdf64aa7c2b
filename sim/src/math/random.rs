//! Repeatable random numbers (SplitMix64, Steele et al. 2014).

use super::{Mat3, Vec3, svd};

/// A sequence of numbers that depends on its seed alone.
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
    /// Uniform in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
    /// Each component uniform in [low, high).
    pub fn vector(&mut self, low: f64, high: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.uniform(low, high))
    }
    /// Each entry uniform in [low, high).
    pub fn matrix(&mut self, low: f64, high: f64) -> Mat3 {
        Mat3::from_fn(|_, _| self.uniform(low, high))
    }
    /// Any rotation.
    pub fn rotation(&mut self) -> Mat3 {
        svd(&self.matrix(-1.0, 1.0)).rotation()
    }
}
