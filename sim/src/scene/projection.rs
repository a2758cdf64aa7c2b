//! [`ProjectionSettings`]: how position-based steppers project constraints.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Parts of a step at most.
pub const MOST_SUBSTEPS: u32 = 10_000;

/// How the steppers `xpbd` and `pbd` project.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ProjectionSettings {
    /// Parts of equal length that each step is taken in.
    #[schemars(range(min = 1, max = MOST_SUBSTEPS), extend("x-affects" = "run"))]
    pub substeps: u32,
    /// Sweeps over all constraints in each part.
    #[schemars(range(min = 1, max = 10000), extend("x-affects" = "run"))]
    pub sweeps: u32,
    /// Whether constraints see what those before them moved.
    #[schemars(extend("x-affects" = "run"))]
    pub method: ProjectionMethod,
    /// In which order constraints are projected one after the other.
    #[schemars(extend("x-affects" = "run"))]
    pub order: ProjectionOrder,
    /// Which of the shuffled orders.
    #[schemars(range(max = 1000000), extend("x-affects" = "run"))]
    pub seed: u64,
    /// Share of their corrections that constraints take which are projected all at once. Each is divided by how many constraints meet at
    /// most at one of its nodes, too.
    #[schemars(range(max = 2.0), extend("x-affects" = "run", "exclusiveMinimum" = 0.0))]
    pub relaxation: f64,
    /// What the steps are told of the balance of a sag-free start.
    #[schemars(extend("x-affects" = "run"))]
    pub preload: Preload,
    /// How `xpbd` projects strands; `pbd` always does so by pieces.
    #[schemars(extend("x-affects" = "run"))]
    pub strands: StrandProjection,
    /// Share of its error that a constraint of `pbd` takes back when it is projected: its stiffness k, which depends on substeps and sweeps.
    #[schemars(range(max = 1.0), extend("x-affects" = "run", "exclusiveMinimum" = 0.0))]
    pub stiffness: f64,
    /// Whether the stiffness of `pbd` is the share that all sweeps of a part take back together: 1 - (1 - k)^(1/N) each of N.
    #[schemars(extend("x-affects" = "run"))]
    pub per_part: bool,
    /// How far nodes may be from what holds their body, over the shortest way there in the given shape: 1 for what does not stretch. Not limited
    /// where this is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1.0, max = 100.0), extend("x-affects" = "run"))]
    pub attachments: Option<f64>,
    /// Coarser copies of the bodies that `pbd` corrects before each sweep, where they are stretched.
    #[schemars(range(max = 20), extend("x-affects" = "run"))]
    pub levels: u32,
}

/// Whether constraints see what those before them moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProjectionMethod {
    /// One after the other.
    #[default]
    GaussSeidel,
    /// All at once, relaxed.
    Jacobi,
}

/// In which order constraints are projected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProjectionOrder {
    /// By colours: constraints of one colour share no node, so that many threads project them.
    #[default]
    Colours,
    /// As they are numbered, and back in every second sweep.
    Forward,
    /// From the last to the first, and back in every second sweep.
    Reverse,
    /// By chance, the same in every sweep.
    Shuffled,
}

/// How strands are projected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StrandProjection {
    /// Each strand at once, by Newton's method: as stiff as it is, in a time that grows with its length.
    #[default]
    Whole,
    /// One constraint of one segment or joint after the other, whose frames are made heavier for it.
    Pieces,
}

/// What the steps are told of the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Preload {
    /// Every part begins with the multipliers of the balance: rest is exact for any number of sweeps.
    #[default]
    Multipliers,
    /// Nothing: rest lengths and angles alone, which are exact for infinitely many sweeps.
    None,
    /// Nothing, and rest data by the closed forms of Hsu et al. 2022 (eq. 27, 29), for comparison.
    Paper,
}

impl ProjectionSettings {
    /// Whether nothing was chosen.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for ProjectionSettings {
    fn default() -> Self {
        Self {
            substeps: 10,
            sweeps: 1,
            method: ProjectionMethod::GaussSeidel,
            order: ProjectionOrder::Colours,
            seed: 1,
            relaxation: 1.0,
            preload: Preload::Multipliers,
            strands: StrandProjection::Whole,
            stiffness: 1.0,
            per_part: false,
            attachments: None,
            levels: 0,
        }
    }
}
