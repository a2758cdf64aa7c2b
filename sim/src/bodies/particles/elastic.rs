//! Particles as the material points of an elastic solid.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::substance::Substance;
use crate::material::{self, Frame, Material};
use crate::scene::list_laws;

/// An elastic solid of material points (Sulsky, Chen, Schreyer 1994, "A particle method for history-dependent materials").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElasticSettings {
    /// Name of the law. The letters of the energy densities are those of `docs/laws.md`.
    #[schemars(transform = list_laws, extend("x-affects" = "physics"))]
    pub law: String,
    /// Young's modulus [Pa].
    #[schemars(range(min = 1e-3, max = 1e13), extend("x-affects" = "physics"))]
    pub young: f64,
    /// Poisson's ratio.
    #[schemars(extend("exclusiveMinimum" = -1.0, "exclusiveMaximum" = 0.5, "x-affects" = "physics"))]
    pub poisson: f64,
}

impl Substance for ElasticSettings {
    fn name(&self) -> &'static str {
        "elastic"
    }

    fn material(&self, factor: f64) -> Arc<dyn Material> {
        let law = material::law(&self.law).unwrap_or(&material::MATERIALS[0]);
        (law.build)(factor * self.young, self.poisson)
    }

    fn fault(&self) -> Option<(&'static str, String)> {
        let Some(law) = material::law(&self.law) else { return Some(("elastic.law", format!("there is no law `{}`", self.law))) };
        if (law.build)(1.0, 0.0).frame() != Frame::Current {
            let message = format!(
                "`{}` does not follow the rotations of material points, which have no shape to take them from; choose `corotated`, or another law of F itself",
                self.law
            );
            return Some(("elastic.law", message));
        }
        let (least, most) = (law.poisson.start, law.poisson.end);
        (!law.poisson.contains(&self.poisson)).then(|| {
            ("elastic.poisson", format!("{} lies outside what {} allows; choose from {least} to below {most}", self.poisson, law.label))
        })
    }
}
