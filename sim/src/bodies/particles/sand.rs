//! Particles as grains: elastic by Hencky's law, within what friction between them bears.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hencky::{hencky, poisson_fault};
use super::substance::Substance;
use crate::material::Material;
use crate::material::yields::YieldSurface;

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
    /// Angle of inner friction under triaxial compression [degrees], of sand about 34. A round heap stands up to about that slope; a long one, a slice of which is
    /// held in its plane, stands steeper, as the cone of Drucker and Prager that fits compression bears more there.
    #[schemars(range(min = 0.0, max = 80.0), extend("x-affects" = "physics"))]
    pub friction_angle: f64,
    /// What grains cling to one another with [Pa].
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e12), extend("x-affects" = "physics"))]
    pub cohesion: f64,
}

impl Substance for SandSettings {
    fn name(&self) -> &'static str {
        "sand"
    }

    fn material(&self, factor: f64) -> Arc<dyn Material> {
        hencky(factor * self.young, self.poisson)
    }

    fn yields(&self) -> Option<YieldSurface> {
        Some(YieldSurface::drucker_prager(self.friction_angle, self.cohesion))
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
