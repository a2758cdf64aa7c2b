//! What mends a fault, as a change of the scene: numbers and places, not yet made.

use serde::Serialize;

/// A change of the scene that mends a fault.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mend {
    /// More friction.
    Friction {
        /// Obstacles that are touched, by their places in the scene.
        obstacles: Vec<usize>,
        /// Bodies that touch, by their places in the scene.
        bodies: Vec<usize>,
        /// Whether bodies touch one another or themselves.
        among_bodies: bool,
        /// The coefficient that is enough.
        coefficient: f64,
    },
    /// `initialise.stiffen_up_to`.
    StiffenUpTo(f64),
    /// Another place of a body.
    Move {
        /// The body, by its place in the scene.
        body: usize,
        /// How far, and which way [m].
        by: [f64; 3],
        /// To what end.
        way: Way,
    },
    /// A half-space under a body, to stand on.
    Ground {
        /// The body, by its place in the scene.
        body: usize,
        /// A point of it [m].
        point: [f64; 3],
        /// Upwards.
        normal: [f64; 3],
    },
    /// `trim` of a body of material points.
    Trim {
        /// The body, by its place in the scene.
        body: usize,
        /// Edge of the cells [m].
        cells: f64,
        /// How many points are left out.
        points: usize,
    },
    /// `kept_until` of a body that is a liquid.
    Keep {
        /// The body, by its place in the scene.
        body: usize,
        /// Shear up to which a deviator is kept.
        until: f64,
    },
    /// More parts of a step.
    Substeps {
        /// Which parts.
        of: Parts,
        /// How many are enough.
        number: u32,
    },
}

/// Which parts of a step there are more of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Parts {
    /// Those in which constraints are swept: `simulate.projection.substeps`.
    Projection,
    /// Those in which material points move on their grid: `simulate.grid.substeps`.
    Grid,
}

/// To what end a body is moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Down, onto the obstacle of this name.
    Onto(String),
    /// Out of the obstacle of this name.
    OutOf(String),
    /// Apart from another body.
    Apart,
}
