//! Materials with names that people know, and which of them a new body is to be of.

use std::path::Path;

use aplomb_sim::sag_free::initialise::InitialiseError;
use aplomb_sim::scene::{MaterialSettings, Method, Scene, SceneProblem};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{Conclusion, InfeasibilityCode, InitReport};
use aplomb_sim::watch::Watch;

/// A material with a name.
#[derive(Debug, PartialEq)]
pub struct Preset {
    /// Name, for people.
    pub name: &'static str,
    /// Name on the command line.
    pub key: &'static str,
    /// Young's modulus [Pa].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density [kg/m^3].
    pub density: f64,
    /// Stiffness-proportional damping [s].
    pub damping: f64,
}

/// All of them, the softest first.
pub const PRESETS: &[Preset] = &[
    Preset { name: "Jelly", key: "jelly", young: 5e3, poisson: 0.45, density: 1000.0, damping: 0.0 },
    Preset { name: "Foam", key: "foam", young: 2e4, poisson: 0.3, density: 60.0, damping: 0.01 },
    Preset { name: "Soft rubber", key: "soft-rubber", young: 1e5, poisson: 0.47, density: 1100.0, damping: 0.0 },
    Preset { name: "Rubber", key: "rubber", young: 1e6, poisson: 0.48, density: 1100.0, damping: 0.0 },
    Preset { name: "Hard rubber", key: "hard-rubber", young: 1e7, poisson: 0.48, density: 1150.0, damping: 0.0 },
    Preset { name: "Plastic", key: "plastic", young: 1e9, poisson: 0.4, density: 950.0, damping: 0.0 },
];

impl Preset {
    /// Makes a material one of this name; its law stays.
    pub fn apply(&self, material: &mut MaterialSettings) {
        (material.young, material.poisson) = (self.young, self.poisson);
        (material.density, material.damping) = (self.density, self.damping);
    }
}

/// What the trial of the materials came to.
#[derive(Debug, PartialEq)]
pub enum Proposal {
    /// The softest with which the bodies hold their shape, and stably.
    Softest(&'static Preset),
    /// None does; this is what was said of the stiffest.
    NoneHolds(String),
    /// Supports, contacts or friction do not hold the bodies, whatever they are made of.
    NotHeld(String),
    /// It was given up.
    Cancelled,
}

/// Tries the materials on the `bodies` of `scene`, all of one, the softest first. Relative paths start at `folder`.
///
/// # Errors
/// The problems of a scene that cannot be built.
pub fn propose(scene: &Scene, bodies: &[usize], folder: &Path, watch: &dyn Watch) -> Result<Proposal, Vec<SceneProblem>> {
    let mut last = String::new();
    for preset in PRESETS {
        let mut tried = scene.clone();
        for &body in bodies {
            if let Some(body) = tried.bodies.get_mut(body) {
                body.material.iter_mut().for_each(|material| preset.apply(material));
            }
        }
        if watch.check().is_err() {
            return Ok(Proposal::Cancelled);
        }
        let mut simulation = match Simulation::build(&tried, folder, watch) {
            Ok(simulation) => simulation,
            Err(_) if watch.check().is_err() => return Ok(Proposal::Cancelled),
            Err(error) => return Err(error.0),
        };
        last = match simulation.initialise(Method::SagFree, watch) {
            Err(InitialiseError::Cancelled(_)) => return Ok(Proposal::Cancelled),
            Err(error) => error.to_string(),
            Ok(report) if report.outcome.verdict == Conclusion::Holds => return Ok(Proposal::Softest(preset)),
            Ok(report) => {
                let reason = report.outcome.reason.clone().unwrap_or_else(|| report.outcome.verdict.to_string());
                if !depends_on_the_material(&report) {
                    return Ok(Proposal::NotHeld(reason));
                }
                reason
            }
        };
    }
    Ok(Proposal::NoneHolds(last))
}

fn depends_on_the_material(report: &InitReport) -> bool {
    use InfeasibilityCode::{Hinged, TooLittleFriction, Unsupported};
    !report.infeasible.iter().any(|why| matches!(why.code, Unsupported | Hinged | TooLittleFriction))
}
