//! How much work goes into light and shadow: what a graphics card does in a millisecond, a processor does in fifty.

/// Sizes and counts of the passes that soften light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Effort {
    /// How many times smaller than the picture the light is that arrives.
    pub smaller: u32,
    /// Side of the depths that the key light sees [pixels].
    pub map: u32,
    /// Side of the shadows on a plane [pixels].
    pub mask: u32,
    /// Directions in which light of the sky is looked for.
    pub samples: i32,
    /// Places at which the key light is looked for.
    pub taps: i32,
}

/// On graphics cards, and for single pictures.
pub(super) const FULL: Effort = Effort { smaller: 2, map: 2048, mask: 512, samples: 28, taps: 16 };
/// Drawing in software.
pub(super) const QUICK: Effort = Effort { smaller: 3, map: 1024, mask: 160, samples: 9, taps: 4 };
