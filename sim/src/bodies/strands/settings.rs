//! What a scene says of a body of strands.

use std::f64::consts::PI;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::scene::inline_schema;

/// Round strands along the lines of a mesh file: hair, rods, cables. They resist stretching, bending and twist; Cosserat rods resist shear, too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrandSettings {
    /// Radius of the cross-section [m]: they are drawn with it, and keep apart by it where they touch.
    #[schemars(range(min = 1e-7, max = 10.0), extend("x-affects" = "geometry"))]
    pub radius: f64,
    /// Density [kg/m^3].
    #[schemars(range(min = 1e-3, max = 1e6), extend("x-affects" = "physics"))]
    pub density: f64,
    /// Young's modulus E [Pa]: they resist stretching by E A and bending by E I, of a round section of that radius.
    #[schemars(range(min = 1e-3, max = 1e15), extend("x-affects" = "physics", "x-label" = "Young's modulus"))]
    pub young: f64,
    /// Shear modulus G [Pa]: they resist twist by G J. That of Poisson's ratio 0.3 where this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-3, max = 1e15), extend("x-affects" = "physics", "x-label" = "Shear modulus"))]
    pub shear: Option<f64>,
    /// Bending stiffness E I [N m^2] in place of that of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-18, max = 1e15), extend("x-affects" = "physics"))]
    pub bending_stiffness: Option<f64>,
    /// Twisting stiffness G J [N m^2] in place of that of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-18, max = 1e15), extend("x-affects" = "physics"))]
    pub twisting_stiffness: Option<f64>,
    /// What they are modelled as.
    #[serde(default, skip_serializing_if = "is_cosserat")]
    #[schemars(extend("x-affects" = "physics"))]
    pub model: StrandModel,
    /// Whether an end that is held or driven cannot turn about its vertex, as if it were set in something; otherwise it is jointed there.
    #[serde(default = "is_clamped", skip_serializing_if = "is_true")]
    #[schemars(extend("default" = true, "x-affects" = "physics", "x-label" = "Held ends are clamped"))]
    pub clamped: bool,
    /// Stiffness-proportional damping: ratio of damping to stiffness [s].
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 0.0, max = 10.0), extend("x-affects" = "run"))]
    pub damping: f64,
    /// Hairs that are drawn between them: then they are guides, and each hair is a mean of one and its nearest two, which it goes with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-affects" = "geometry"))]
    pub hairs: Option<HairSettings>,
}

/// Theories of rods.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StrandModel {
    /// Cosserat rods: each segment has a frame, which it shears against, and joints are between frames.
    #[default]
    Cosserat,
    /// Discrete elastic rods: frames follow the segments, which bend by the angles between them, and the twist of each is the one unknown beside
    /// its ends. There is no shear.
    DiscreteElastic,
}

/// Hairs between guides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HairSettings {
    /// Hairs for each strand.
    #[schemars(range(min = 1, max = 10000), extend("x-affects" = "geometry"))]
    pub per_guide: u32,
    /// Where among the guides they are, by chance; the same for the same number.
    #[serde(default = "first_seed", skip_serializing_if = "is_first_seed")]
    #[schemars(range(max = 1000000), extend("default" = 1, "x-affects" = "geometry"))]
    pub seed: u64,
}

/// Poisson's ratio where no shear modulus is given.
const POISSON: f64 = 0.3;

impl StrandSettings {
    /// Strands with a radius [m], density [kg/m^3] and Young's modulus [Pa].
    pub fn new(radius: f64, density: f64, young: f64) -> Self {
        let (shear, bending_stiffness, twisting_stiffness, model) = (None, None, None, StrandModel::Cosserat);
        Self { radius, density, young, shear, bending_stiffness, twisting_stiffness, model, clamped: true, damping: 0.0, hairs: None }
    }

    /// Area of the cross-section [m^2].
    pub fn area(&self) -> f64 {
        PI * self.radius.powi(2)
    }

    /// E A [N].
    pub fn stretching(&self) -> f64 {
        self.young * self.area()
    }

    /// E I [N m^2], with I = pi r^4 / 4 about any diameter.
    pub fn bending(&self) -> f64 {
        self.bending_stiffness.unwrap_or(0.25 * PI * self.young * self.radius.powi(4))
    }

    /// G J [N m^2], with J = pi r^4 / 2.
    pub fn twisting(&self) -> f64 {
        let shear = self.shear.unwrap_or(0.5 * self.young / (1.0 + POISSON));
        self.twisting_stiffness.unwrap_or(0.5 * PI * shear * self.radius.powi(4))
    }

    /// Schema of the settings of a body.
    pub(super) fn schema() -> Schema {
        inline_schema::<Self>()
    }
}

fn first_seed() -> u64 {
    1
}

fn is_first_seed(seed: &u64) -> bool {
    *seed == first_seed()
}

fn is_cosserat(model: &StrandModel) -> bool {
    *model == StrandModel::Cosserat
}

fn is_clamped() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
