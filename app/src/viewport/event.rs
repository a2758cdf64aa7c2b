//! What the mouse does in a viewport, and what it did.

use aplomb_sim::math::Vec3;
use egui::Pos2;

use super::handles::HandleEvent;

/// What the left mouse button does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ViewTool {
    /// Orbits.
    #[default]
    Navigate,
    /// Takes hold of bodies and pulls; elsewhere it orbits.
    Hand,
    /// Puts probes on bodies; a drag orbits.
    Probe,
    /// Paints vertices; the middle button and Alt+left still orbit.
    Brush {
        /// Radius of the ring under the cursor [points on the screen].
        radius: f32,
        /// Takes away instead of adding; Ctrl turns it around for a stroke.
        erase: bool,
        /// Paints what is hidden too.
        through: bool,
        /// Colour of what is painted, sRGB.
        color: [u8; 3],
        /// What is taken in.
        area: Area,
        /// The body that is painted, as an index into the draw list.
        body: usize,
        /// How strongly it paints in its middle, from 0 to 1, and less towards its rim; none: all alike.
        soft: Option<f32>,
    },
}

/// What a brush takes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Area {
    /// What a round brush passes over.
    #[default]
    Round,
    /// What lies in a rectangle on the screen.
    Box,
    /// What a free line on the screen goes around.
    Lasso,
}

/// What happened in a viewport during a frame.
#[derive(Debug, Clone, PartialEq)]
pub enum ViewEvent {
    /// The cursor is over a body.
    Hover(Hit),
    /// A click without a drag; `None` hit the background.
    Click(Option<Hit>),
    /// A click on an obstacle, by its place in the draw list.
    ClickObstacle(usize),
    /// A double-click on a body, or F: the camera moved to it. `None`: everything was framed.
    Framed(Option<usize>),
    /// F with an obstacle selected: the camera moved to it.
    FramedObstacle(usize),
    /// A stroke began: one undo step from here to [`ViewEvent::StrokeEnded`].
    StrokeBegan,
    /// The brush passed over vertices, each named once a frame, in increasing order.
    StrokeOver {
        /// The body, as an index into the draw list.
        body: usize,
        /// Its vertices.
        vertices: Vec<u32>,
        /// How strongly each is reached, from 0 to 1; empty: all fully.
        strengths: Vec<f32>,
        /// Whether they are taken away.
        erase: bool,
    },
    /// The button was let go.
    StrokeEnded,
    /// A body was taken hold of.
    Taken(Hit),
    /// What is held is pulled so far from where it was taken [m], in the plane of the view.
    Pulled(Vec3),
    /// It was let go.
    LetGo,
    /// The brush was resized [points on the screen].
    BrushRadius(f32),
    /// The brush was made stronger or weaker, from 0 to 1.
    BrushStrength(f32),
    /// Something happened to the handles of what is selected.
    Handle(HandleEvent),
    /// A click with the right button, here on the screen: on an obstacle of the list, or on a body or the background.
    Menu(Pos2, Option<usize>, Option<Hit>),
}

/// A point of what is seen of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The body, as an index into the draw list.
    pub body: usize,
    /// The triangle of the body; none of a line.
    pub triangle: Option<usize>,
    /// The nearest corner of the triangle or end of the line: a vertex of the body.
    pub vertex: u32,
    /// The point [m].
    pub point: Vec3,
}
