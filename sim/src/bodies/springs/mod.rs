//! Springs: a network of them along the edges of tets, faces and lines, with masses at its vertices.

mod network;
mod placing;
mod settings;

use std::sync::Arc;

pub use network::{DIAGONAL, EDGE, Network, OPPOSITE, SKIP_ONE};
pub use settings::{RegionSprings, SpringMass, SpringSettings};

use super::select::region_cells;
use super::stiffness::cell_factors;
use super::unfilled::{self, Words};
use super::{BodyKind, Degenerate, Families, Matter};
use crate::element::spring::{Clamp, SPRING_LAWS, Spring, SpringLaw, Stiffness, spring_law};
use crate::element::{Batch, Element};
use crate::import::RawMesh;
use crate::math::Vec3;
use crate::mesh::{BodyMesh, lumped};
use crate::scene::{Body, RegionRole, SceneProblem};

/// Name of the kind.
pub const NAME: &str = "springs";

const WORDS: Words = Words { name: NAME, has_its: "springs have their", has: "springs have" };

/// Bodies of springs.
pub(super) const KIND: BodyKind = BodyKind {
    name: NAME,
    label: "Springs",
    doc: "a network of springs along the edges of tets, of a surface or of lines, with masses at its vertices",
    settings: Some(SpringSettings::schema),
    region_settings: Some(RegionSprings::schema),
    check,
    imported: |raw, unit| serde_json::to_value(imported(raw, unit)).ok(),
    accepts,
    place: placing::place,
    matter,
};

/// What a spring of the network is, but for its length.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Authored {
    stiffness: Stiffness,
    /// Stiffness-proportional damping [s].
    damping: f64,
}

/// What the springs of a body are made of.
#[derive(Debug)]
pub struct Springs {
    law: &'static SpringLaw,
    clamp: Clamp,
    only_pull: bool,
    mass: SpringMass,
    of_springs: Vec<Authored>,
    /// Factor on the stiffness of each; empty: 1 for all.
    factors: Vec<f64>,
}

impl Matter for Springs {
    fn masses(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Vec<f64> {
        match self.mass {
            SpringMass::PerNode(mass) => vec![mass; rest.len()],
            SpringMass::PerLength(mass) => {
                let edges: Vec<[u32; 2]> =
                    mesh.lines().iter().zip(&mesh.tags).filter(|(_, tag)| **tag == EDGE).map(|(line, _)| *line).collect();
                lumped::of_lines(&edges, rest, mass)
            }
            SpringMass::PerArea(mass) => lumped::of_triangles(&mesh.surface, rest, &vec![mass; mesh.surface.len()]),
            SpringMass::PerVolume(density) => lumped::of_tets(&mesh.spanned_tets, rest, &vec![density; mesh.spanned_tets.len()]),
        }
    }

    fn elements(&self, mesh: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate> {
        let (mut springs, mut degenerate) = (Vec::with_capacity(mesh.lines().len()), Vec::new());
        for (s, (ends, authored)) in mesh.lines().iter().zip(&self.of_springs).enumerate() {
            let mut stiffness = authored.stiffness;
            stiffness.value *= self.factors.get(s).copied().unwrap_or(1.0);
            let at = |x: &[Vec3]| ends.map(|v| x[v as usize]);
            let [a, b] = at(rest);
            match Spring::new(self.law, stiffness.modulus(self.law, (b - a).norm()), self.clamp, &[a, b]) {
                Ok(spring) => {
                    let mut spring = spring.only_pulling(self.only_pull);
                    spring.given_at(&at(given));
                    spring.set_damping(authored.damping);
                    springs.push(spring);
                }
                Err(why) => degenerate.push((s, why)),
            }
        }
        if !degenerate.is_empty() {
            return Err(degenerate);
        }
        Ok(vec![Box::new(Batch::new(springs, mesh.lines().to_vec()))])
    }

    fn stiffness_factors(&self) -> &[f64] {
        &self.factors
    }
}

/// The settings of a body of springs.
///
/// # Errors
/// In words, what does not fit.
pub fn settings_of(body: &Body) -> Result<SpringSettings, String> {
    body.kind.as_ref().filter(|kind| kind.kind == NAME).ok_or("the body is not of springs")?.parse()
}

fn accepts(raw: &RawMesh) -> Result<(), String> {
    if raw.tets.is_empty() && raw.triangles.is_empty() && raw.strands.is_empty() {
        return Err("springs run along the edges of tets, faces or lines, and the file has none of them".into());
    }
    Ok(())
}

/// Density of tets [kg/m^3], mass of faces [kg/m^2] and of lines [kg/m] where a file is imported.
const IMPORTED: [f64; 3] = [1000.0, 0.2, 0.05];
/// Stiffness of a metre over the weight of all where a file is imported: one spring that bears it all is a hundredth longer.
const STIFF: f64 = 100.0;

/// Settings that suit the size of what is in a file, whose coordinates are in this unit [m].
fn imported(raw: &RawMesh, unit: f64) -> SpringSettings {
    let [density, per_area, per_length] = IMPORTED;
    let x: Vec<Vec3> = raw.positions.iter().map(|p| unit * p).collect();
    let (mass, masses) = match (raw.tets.is_empty(), raw.triangles.is_empty()) {
        (false, _) => (SpringMass::PerVolume(density), lumped::of_tets(&raw.tets, &x, &vec![density; raw.tets.len()])),
        (true, false) => (SpringMass::PerArea(per_area), lumped::of_triangles(&raw.triangles, &x, &vec![per_area; raw.triangles.len()])),
        (true, true) => {
            let plain = SpringSettings::new(1.0, SpringMass::PerLength(per_length));
            (plain.mass, lumped::of_lines(&Network::of(raw, &plain).lines, &x, per_length))
        }
    };
    let weight = 9.81 * masses.iter().map(|mass| mass.abs()).sum::<f64>();
    let one_digit = |x: f64| {
        let unit = 10f64.powf(x.log10().floor());
        (x / unit).round() * unit
    };
    let stiffness = if weight > 0.0 && weight.is_finite() { one_digit(STIFF * weight).clamp(1e-6, 1e12) } else { 100.0 };
    SpringSettings { stiffness: None, stiffness_per_length: Some(stiffness), ..SpringSettings::new(1.0, mass) }
}

fn check(body: &Body, path: &str) -> Vec<SceneProblem> {
    let one_of = |stiffness, per_length| Stiffness::one_of(stiffness, per_length).map_err(|(key, message)| (Some(key), message.to_owned()));
    let fault = match settings_of(body) {
        Err(message) => Some((None, message)),
        Ok(settings) => match one_of(settings.stiffness, settings.stiffness_per_length) {
            Err(fault) => Some(fault),
            Ok(None) => Some((Some("stiffness"), "missing; add \"stiffness\" [N/m] or \"stiffness_per_length\" [N]".into())),
            Ok(Some(_)) => None,
        },
    };
    unfilled::problems(&WORDS, body, path, fault, |kind| match kind.parse::<RegionSprings>() {
        Err(message) => Some((None, message)),
        Ok(settings) => one_of(settings.stiffness, settings.stiffness_per_length).err(),
    })
}

/// The springs of the body, but where a region of the role `as` says otherwise; of two such regions the later.
fn matter(body: &Body, mesh: &BodyMesh, path: &str, problems: &mut Vec<SceneProblem>) -> Arc<dyn Matter> {
    problems.extend(check(body, path));
    let settings = settings_of(body).unwrap_or_else(|_| SpringSettings::new(1.0, SpringMass::PerNode(1.0)));
    let plain = Stiffness { value: 1.0, is_per_length: false };
    let own = Stiffness::one_of(settings.stiffness, settings.stiffness_per_length).ok().flatten().unwrap_or(plain);
    let mut of_springs = vec![Authored { stiffness: own, damping: settings.damping }; mesh.lines().len()];
    for region in &body.regions {
        let RegionRole::As(kind) = &region.role else { continue };
        let Ok(given) = kind.parse::<RegionSprings>() else { continue };
        let other = Stiffness::one_of(given.stiffness, given.stiffness_per_length).ok().flatten();
        for s in region_cells(mesh, region) {
            let authored = &mut of_springs[s as usize];
            authored.stiffness = other.unwrap_or(authored.stiffness);
            authored.damping = given.damping.unwrap_or(authored.damping);
        }
    }
    let factors = body.stiffness_field.as_ref().map_or_else(Vec::new, |field| cell_factors(field, mesh));
    let law = spring_law(&settings.law).unwrap_or(&SPRING_LAWS[0]);
    let springs = Springs { law, clamp: settings.clamp, only_pull: settings.only_pull, mass: settings.mass, of_springs, factors };
    let without = springs.masses(mesh, &mesh.positions).iter().filter(|mass| **mass <= 0.0).count();
    if without > 0 {
        let message = format!(
            "{without} of {} vertices get no mass this way, for nothing that it goes by holds them; use another, such as \"per_node\"",
            mesh.positions.len()
        );
        problems.push(SceneProblem::at(format!("{path}.as.{NAME}.mass"), message));
    }
    Arc::new(springs)
}
