//! Particles as metal: elastic by Hencky's law, up to where it flows.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hencky::{hencky, poisson_fault};
use super::substance::Substance;
use crate::material::Material;
use crate::material::yields::YieldSurface;

/// Metal, clay, dough: elastic up to a stress at which it flows, without hardening (von Mises 1913).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MetalSettings {
    /// Young's modulus [Pa].
    #[schemars(range(min = 1e-3, max = 1e13), extend("x-affects" = "physics"))]
    pub young: f64,
    /// Poisson's ratio.
    #[schemars(extend("exclusiveMinimum" = -1.0, "exclusiveMaximum" = 0.5, "x-affects" = "physics"))]
    pub poisson: f64,
    /// Stress at which it yields when it is pulled [Pa].
    #[schemars(range(min = 1e-6, max = 1e13), extend("x-affects" = "physics"))]
    pub yield_stress: f64,
}

impl Substance for MetalSettings {
    fn name(&self) -> &'static str {
        "metal"
    }

    fn material(&self, factor: f64) -> Arc<dyn Material> {
        hencky(factor * self.young, self.poisson)
    }

    fn yields(&self) -> Option<YieldSurface> {
        Some(YieldSurface::von_mises(self.yield_stress))
    }

    fn fault(&self) -> Option<(&'static str, String)> {
        poisson_fault("metal.poisson", self.poisson)
    }
}
