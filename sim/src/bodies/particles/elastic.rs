//! Particles as the material points of an elastic solid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FluidSettings, ParticleSettings};
use crate::bodies::unfilled::Fault;
use crate::bodies::{Degenerate, Families};
use crate::element::{Batch, Element, MaterialPoint};
use crate::material::{self, Frame};
use crate::math::Vec3;
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

impl ElasticSettings {
    /// Points at `rest` [m], undeformed, each with the cube of the spacing [m] as its volume, whose given places are `given` [m]; `factors` on
    /// the stiffness of each, or none.
    pub(super) fn points(&self, spacing: f64, factors: &[f64], rest: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate> {
        let law = material::law(&self.law).unwrap_or(&material::MATERIALS[0]);
        let material = (law.build)(self.young, self.poisson);
        let (mut points, mut degenerate) = (Vec::with_capacity(rest.len()), Vec::new());
        for (p, x) in rest.iter().enumerate() {
            let factor = factors.get(p).copied().unwrap_or(1.0);
            let material = if factor == 1.0 { material.clone() } else { (law.build)(factor * self.young, self.poisson) };
            match MaterialPoint::new(material, spacing.powi(3), *x) {
                Ok(mut point) => {
                    point.given_at(&[given[p]]);
                    points.push(point);
                }
                Err(why) => degenerate.push((p, why)),
            }
        }
        if !degenerate.is_empty() {
            return Err(degenerate);
        }
        let nodes = (0..rest.len() as u32).map(|node| [node]).collect();
        Ok(vec![Box::new(Batch::new(points, nodes))])
    }
}

/// What is wrong with elastic settings beside their types and limits.
pub(super) fn fault_of(settings: &ParticleSettings) -> Option<Fault> {
    let ElasticSettings { law: name, poisson, .. } = settings.elastic.as_ref()?;
    if settings.fluid != FluidSettings::default() {
        return Some((Some("fluid"), "particles with \"elastic\" are no fluid; leave one of the two out".into()));
    }
    let Some(law) = material::law(name) else { return Some((Some("elastic.law"), format!("there is no law `{name}`"))) };
    if (law.build)(1.0, 0.0).frame() != Frame::Current {
        let message = format!(
            "`{name}` does not follow the rotations of material points, which have no shape to take them from; choose `corotated`, or another law of F itself"
        );
        return Some((Some("elastic.law"), message));
    }
    let (least, most) = (law.poisson.start, law.poisson.end);
    (!law.poisson.contains(poisson)).then(|| {
        (Some("elastic.poisson"), format!("{poisson} lies outside what {} allows; choose from {least} to below {most}", law.label))
    })
}
