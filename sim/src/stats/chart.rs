//! [`Chart`]: where a viewer draws a number of a step against time.

/// Curves with one axis.
#[derive(Debug, PartialEq)]
pub struct Chart {
    /// Page on which it stands.
    pub page: &'static str,
    /// Title, with the unit of the axis.
    pub title: &'static str,
    /// What is drawn is the number in its own unit times this.
    pub factor: f64,
    /// Its axis.
    pub axis: Axis,
}

/// How numbers become heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Axis {
    /// As they are.
    Linear,
    /// By their logarithms.
    Logarithmic {
        /// Powers of ten that the axis reaches over at least.
        powers: [f64; 2],
        /// What is smaller is drawn at it: zero has no logarithm.
        least: f64,
    },
}

impl Chart {
    /// A chart of numbers in the unit that they have.
    pub const fn new(page: &'static str, title: &'static str, axis: Axis) -> Self {
        Self { page, title, factor: 1.0, axis }
    }
}

/// The curve of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// Chart in which it is drawn.
    pub chart: &'static Chart,
    /// Short name, as in the chart's key.
    pub label: &'static str,
    /// Its colour.
    pub hue: Hue,
}

/// Colours that are told apart on any ground; the viewer has their shades.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hue {
    /// Blue.
    Blue,
    /// Orange.
    Orange,
    /// Green.
    Green,
    /// Pink.
    Pink,
    /// Violet.
    Violet,
    /// Grey.
    Grey,
}
