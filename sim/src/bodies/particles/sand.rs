//! Particles as grains: elastic by Hencky's law, within what friction between them bears.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hencky::{hencky, poisson_fault};
use super::settings::is_default;
use super::substance::Substance;
use crate::material::Material;
use crate::material::yields::{Matched, YieldSurface};

/// Sand, soil, snow: grains that bear so much shear as the pressure between them rubs (Drucker, Prager 1952; Klar et al. 2016).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SandSettings {
    /// Young's modulus [Pa].
    #[schemars(range(min = 1e-3, max = 1e13), extend("x-affects" = "physics"))]
    pub young: f64,
    /// Poisson's ratio.
    #[schemars(extend("exclusiveMinimum" = -1.0, "exclusiveMaximum" = 0.5, "x-affects" = "physics"))]
    pub poisson: f64,
    /// Angle of inner friction [degrees], of sand about 34.
    #[schemars(range(min = 0.0, max = 80.0), extend("x-affects" = "physics"))]
    pub friction_angle: f64,
    /// What grains cling to one another with [Pa].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e12), extend("x-affects" = "physics"))]
    pub cohesion: f64,
    /// Where the cone of Drucker and Prager bears what that angle and cohesion say: by `plane` less where it is pressed from above alone, by `compression` more in a plane.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("x-affects" = "physics"))]
    pub matched: Matched,
}

impl Substance for SandSettings {
    fn name(&self) -> &'static str {
        "sand"
    }

    fn material(&self, factor: f64) -> Arc<dyn Material> {
        hencky(factor * self.young, self.poisson)
    }

    fn yields(&self) -> Option<YieldSurface> {
        Some(YieldSurface::drucker_prager(self.friction_angle, self.cohesion, self.matched))
    }

    fn fault(&self) -> Option<(&'static str, String)> {
        if self.friction_angle == 0.0 && self.cohesion == 0.0 {
            return Some((
                "sand.friction_angle",
                "grains without friction and without \"cohesion\" bear no shape at all; give one of them".into(),
            ));
        }
        poisson_fault("sand.poisson", self.poisson)
    }
}
