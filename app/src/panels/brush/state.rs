//! How the brush is set.

use crate::document::ByPlace;
use crate::viewport::Area;

/// The brush.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BrushState {
    /// Whether the left button paints.
    pub on: bool,
    /// Radius [points on the screen].
    pub radius: f32,
    /// Takes away instead of adding.
    pub erase: bool,
    /// Paints what is hidden behind other parts too.
    pub through: bool,
    /// What it takes in.
    pub area: Area,
    /// Whether it paints the stiffness field of the body, and not the set that a region is.
    pub field: bool,
    /// Whether it evens the field out.
    pub smooth: bool,
    /// The factor that it leads the field to.
    pub factor: f64,
    /// How strongly it paints the field in its middle, from 0 to 1.
    pub strength: f32,
    /// Axes of the body across which strokes are mirrored.
    pub symmetry: [bool; 3],
    /// Whether some of the last stroke had nothing on the other side.
    pub missed: bool,
    /// The part by place that is looked at before it is taken in.
    pub place: Option<ByPlace>,
    /// How many vertices that has.
    pub looked_at: usize,
    /// Whether it is still being looked for.
    pub looking: bool,
}

impl Default for BrushState {
    /// Put down.
    fn default() -> Self {
        Self {
            on: false,
            radius: 28.0,
            erase: false,
            through: false,
            area: Area::Round,
            field: false,
            smooth: false,
            factor: 4.0,
            strength: 0.6,
            symmetry: [false; 3],
            missed: false,
            place: None,
            looked_at: 0,
            looking: false,
        }
    }
}
