//! Particles as a liquid that is weakly compressible.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::substance::Substance;
use crate::material::Material;
use crate::material::liquid::Liquid;

/// A liquid of material points: pressures from volumes, p = stiffness ((V0 / V)^exponent - 1), and viscosity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LiquidSettings {
    /// Stiffness k [Pa]: times the exponent its bulk modulus, which for water is 2.2e9. Waves run at the root of that over the density, and steps are cut
    /// by them: so much as makes that ten times the fastest flow is enough.
    #[schemars(range(min = 1e-3, max = 1e12), extend("x-affects" = "physics"))]
    pub stiffness: f64,
    /// Exponent of the law.
    #[serde(default = "usual_exponent")]
    #[schemars(range(min = 1.1, max = 10.0), extend("x-affects" = "physics"))]
    pub exponent: f64,
    /// Viscosity [Pa s]: of water 1e-3, of honey 10.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e6), extend("x-affects" = "run"))]
    pub viscosity: f64,
    /// Shear up to which points keep a small deviator, found by the sag-free start, on top of their pressure: then points that lie in no lattice, and
    /// containers that cut it, are in balance, too. Each lets go of it for good once it has sheared by so much; 0: none is kept.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0), extend("x-affects" = "physics"))]
    pub kept_until: f64,
}

fn usual_exponent() -> f64 {
    7.0
}

impl Substance for LiquidSettings {
    fn name(&self) -> &'static str {
        "liquid"
    }

    fn material(&self, factor: f64) -> Arc<dyn Material> {
        Arc::new(Liquid { stiffness: factor * self.stiffness, exponent: self.exponent })
    }

    fn viscosity(&self) -> f64 {
        self.viscosity
    }

    fn kept_until(&self) -> f64 {
        self.kept_until
    }

    fn fault(&self) -> Option<(&'static str, String)> {
        None
    }
}
