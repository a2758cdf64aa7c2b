//! Colour maps: from a value to the display colour that the painter and the legend share.

/// A map from [0, 1] to colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorMap {
    /// Perceptually uniform, dark blue over green to yellow.
    #[default]
    Viridis,
    /// Perceptually uniform for normal and colour-blind sight alike, blue over grey to yellow.
    Cividis,
    /// Cyan over white to red: for values on both sides of the middle, such as a compression ratio about 1.
    Diverging,
}
