//! Particles: the points of a file, or those that fill what a surface or tets enclose. Each stands for a cube of the spacing, and none is
//! joined to another. They are a fluid by positions, or the material points of a solid, of sand, metal or a liquid.

mod elastic;
mod filling;
mod hencky;
mod liquid;
mod metal;
mod placing;
mod sand;
mod scattering;
mod settings;
mod substance;
#[cfg(test)]
mod tests;
pub mod trim;

use std::sync::Arc;

pub use crate::material::yields::Matched;
pub use elastic::ElasticSettings;
pub use filling::MOST;
pub use liquid::LiquidSettings;
pub use metal::MetalSettings;
pub use sand::SandSettings;
pub use settings::{FluidSettings, Kernels, ParticleSettings, Sampling, Tensile, VolumeBy};
pub use substance::Substance;

use super::stiffness::cell_factors;
use super::unfilled::{self, Words};
use super::{BodyKind, Degenerate, Families, Matter};
use crate::import::RawMesh;
use crate::math::{Vec3, bounding_box};
use crate::mesh::BodyMesh;
use crate::scene::{Body, SceneProblem};

/// Name of the kind.
pub const NAME: &str = "particles";

const WORDS: Words = Words { name: NAME, has_its: "particles have their", has: "particles have" };

/// Bodies of particles.
pub(super) const KIND: BodyKind = BodyKind {
    name: NAME,
    label: "Particles",
    doc: "a fluid of particles, or an elastic solid, sand, metal or liquid of material points: the points of a file, or those that fill a closed surface or tets",
    settings: Some(ParticleSettings::schema),
    region_settings: None,
    check,
    imported: |raw, unit| serde_json::to_value(imported(raw, unit)).ok(),
    accepts,
    place: placing::place,
    matter,
};

/// What the particles of a body are.
#[derive(Debug)]
pub struct ParticleMatter {
    /// What the scene says of them.
    pub settings: ParticleSettings,
    /// Factor on the stiffness of each material point; empty: 1 for all.
    pub factors: Vec<f64>,
}

impl Matter for ParticleMatter {
    fn masses(&self, _: &BodyMesh, rest: &[Vec3]) -> Vec<f64> {
        vec![self.settings.density * self.settings.spacing.powi(3); rest.len()]
    }

    /// None of a fluid: what acts between its particles depends on which are near one another, and is found anew in each step. Material points
    /// are elements.
    fn elements(&self, _: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate> {
        let points = |substance| substance::points(substance, (self.settings.spacing, self.settings.volume_by), &self.factors, rest, given);
        self.settings.substances().next().map_or(Ok(Vec::new()), points)
    }

    fn has_cell_elements(&self) -> bool {
        self.is_of_points()
    }

    fn stiffness_factors(&self) -> &[f64] {
        &self.factors
    }
}

impl ParticleMatter {
    /// Whether they are material points, and no fluid by positions.
    pub fn is_of_points(&self) -> bool {
        self.settings.substances().next().is_some()
    }
}

/// The settings of a body of particles.
///
/// # Errors
/// In words, what does not fit.
pub fn settings_of(body: &Body) -> Result<ParticleSettings, String> {
    body.kind.as_ref().filter(|kind| kind.kind == NAME).ok_or("the body is not of particles")?.parse()
}

fn accepts(raw: &RawMesh) -> Result<(), String> {
    if raw.positions.is_empty() {
        return Err("the file has no points, and nothing that could be filled with particles".into());
    }
    Ok(())
}

/// Particles along the longest side of what is imported.
const IMPORTED: f64 = 20.0;

/// Settings that suit what is in a file, whose coordinates are in this unit [m]: of points their mean spacing, were they a lattice.
fn imported(raw: &RawMesh, unit: f64) -> ParticleSettings {
    let (low, high) = bounding_box(&raw.positions);
    let sides = unit * (high - low);
    let points = raw.tets.is_empty() && raw.triangles.is_empty();
    let wanted = if points && sides.min() > 0.0 { (sides.product() / raw.positions.len() as f64).cbrt() } else { sides.max() / IMPORTED };
    let wanted = if wanted.is_finite() && wanted > 0.0 { wanted.clamp(1e-6, 1e3) } else { 0.01 };
    // To two digits, as one writes them.
    ParticleSettings::new(format!("{wanted:.1e}").parse().unwrap_or(wanted))
}

fn check(body: &Body, path: &str) -> Vec<SceneProblem> {
    let fault = match settings_of(body) {
        Ok(settings) => substance::fault_of(&settings),
        Err(message) => Some((None, message)),
    };
    unfilled::problems(&WORDS, body, path, fault, |_| Some((None, "particles are the same everywhere; leave this role out".into())))
}

fn matter(body: &Body, mesh: &BodyMesh, path: &str, problems: &mut Vec<SceneProblem>) -> Arc<dyn Matter> {
    problems.extend(check(body, path));
    let settings = settings_of(body).unwrap_or_else(|_| ParticleSettings::new(1.0));
    // A fluid has no stiffness that a field could be of.
    let field = body.stiffness_field.as_ref().filter(|_| settings.substances().next().is_some());
    let factors = field.map_or_else(Vec::new, |field| cell_factors(field, mesh));
    Arc::new(ParticleMatter { settings, factors })
}
