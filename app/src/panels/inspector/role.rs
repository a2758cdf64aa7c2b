//! What a region is for, with the numbers of each kind.

use aplomb_sim::bodies::select::region_vertices;
use aplomb_sim::scene::{PressureSettings, Region, RegionRole, Scene};
use egui::{RichText, Ui};

use super::{attach, kind, material, motion};
use crate::document::{RoleKind, first_motion};
use crate::session::ModelBody;
use crate::theme::meaning;
use crate::widgets::{Quantity, card, choice_row, direction_row, heading, limits_of, value_row, vector_row};

/// What the vertices of a Dirichlet region may do.
const SUPPORTS: &[(RoleKind, &str, &str)] = &[
    (RoleKind::Fixed, "held", "They stay where they are"),
    (RoleKind::Sliding, "slide along a plane", "They move within a plane and never leave it (slip)"),
    (RoleKind::Moved, "follow keyframes", "They are moved and turned as the keyframes say"),
    (RoleKind::Following, "follow an obstacle", "They go along with an obstacle, as if they were sewn to it"),
];

/// What a role may call by name.
pub struct Names {
    /// All obstacles.
    pub obstacles: Vec<String>,
    /// The bodies besides its own, each with its regions.
    pub bodies: Vec<(String, Vec<String>)>,
}

impl Names {
    /// Those for regions of a body of `scene`.
    pub fn of(scene: &Scene, body: usize) -> Self {
        let others = scene.bodies.iter().enumerate().filter(|(other, _)| *other != body);
        let regions = |regions: &[Region]| regions.iter().map(|region| region.name.clone()).collect();
        Self {
            obstacles: scene.obstacles.iter().map(|obstacle| obstacle.name.clone()).collect(),
            bodies: others.map(|(_, body)| (body.name.clone(), regions(&body.regions))).collect(),
        }
    }
}

/// Draws the role; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, region: &mut Region, model: Option<&ModelBody>, names: &Names) -> Option<&'static str> {
    let title = RoleKind::of(&region.role).label();
    let middle = {
        let painted = region.clone();
        move || {
            let places = |model: &ModelBody| -> Vec<_> {
                region_vertices(&model.mesh, &painted).iter().map(|&vertex| model.mesh.positions[vertex as usize]).collect()
            };
            motion::middle(&model.map_or_else(Vec::new, places))
        }
    };
    match &mut region.role {
        role @ RegionRole::Dirichlet { .. } => card(ui, |ui| support(ui, title, role, &names.obstacles, middle)),
        RegionRole::Traction { force, ramp } => card(ui, |ui| {
            heading(ui, title);
            let how = quantity("Pa", "traction.force", "force per area of the given shape, in a constant direction");
            let pushed = vector_row(ui, "Traction", force, &how).then_some("Change traction");
            grows(ui, ramp).or(pushed)
        }),
        RegionRole::Pressure(settings) => card(ui, |ui| {
            heading(ui, title);
            let pressed = pushes(ui, settings);
            grows(ui, &mut settings.ramp).or(pressed)
        }),
        RegionRole::Contact { friction, obstacles: chosen } => card(ui, |ui| {
            heading(ui, title);
            let touched = touches(ui, chosen, &names.obstacles);
            own_friction(ui, friction).or(touched)
        }),
        RegionRole::Material(settings) => card(ui, |ui| material::show(ui, settings)),
        RegionRole::As(settings) => card(ui, |ui| kind::show_region(ui, title, settings)),
        RegionRole::Attach(settings) => card(ui, |ui| attach::show(ui, title, settings, &names.bodies)),
        RegionRole::Named {} => None,
    }
}

/// A number of a role, at a key of it.
fn quantity(unit: &'static str, key: &str, hint: &'static str) -> Quantity<'static> {
    Quantity { unit, range: limits_of(&format!("bodies[].regions[].role.{key}")), hint }
}

fn support(
    ui: &mut Ui,
    title: &str,
    role: &mut RegionRole,
    obstacles: &[String],
    middle: impl FnOnce() -> [f64; 3],
) -> Option<&'static str> {
    heading(ui, title);
    let mut edited = None;
    let mut kind = RoleKind::of(role);
    let RegionRole::Dirichlet { slip, motion, follows } = role else { return None };
    if choice_row(ui, "Vertices", &mut kind, SUPPORTS) {
        *slip = (kind == RoleKind::Sliding).then_some([0.0, 1.0, 0.0]);
        *motion = (kind == RoleKind::Moved).then(first_motion);
        *follows = (kind == RoleKind::Following).then(|| obstacles.first().cloned().unwrap_or_default());
        edited = Some("Change support");
    }
    if let Some(obstacle) = follows {
        let choices: Vec<(String, &str, &str)> = obstacles.iter().map(|name| (name.clone(), name.as_str(), "")).collect();
        if choices.is_empty() {
            let dim = meaning(ui).dim;
            ui.label(RichText::new("There is no obstacle to follow.").color(dim).small());
        } else if choice_row(ui, "Obstacle", obstacle, &choices) {
            edited = Some("Change obstacle followed");
        }
    }
    if let Some(normal) = slip
        && direction_row(ui, "Normal", normal, "normal of the plane in which each vertex slides")
    {
        edited = Some("Change plane");
    }
    if let Some(motion) = motion {
        edited = motion::show(ui, motion, middle).or(edited);
    }
    edited
}

/// How hard a pressure pushes, or the water that does.
fn pushes(ui: &mut Ui, settings: &mut PressureSettings) -> Option<&'static str> {
    if let Some(surface) = &mut settings.surface {
        let how = quantity("m", "pressure.surface", "Height of the water's surface over the origin, against gravity");
        let moved = value_row(ui, "Water level", surface, &how).then_some("Change water level");
        let how = quantity("kg/m³", "pressure.density", "Density of the water");
        let mut density = settings.density.unwrap_or(PressureSettings::WATER);
        let changed = value_row(ui, "Water density", &mut density, &how).then(|| {
            settings.density = Some(density);
            "Change water density"
        });
        return changed.or(moved);
    }
    let how = quantity("Pa", "pressure.pressure", "Pressure; positive pushes inward, and follows the surface");
    value_row(ui, "Pressure", settings.pressure.get_or_insert_default(), &how).then_some("Change pressure")
}

/// Time over which a load grows.
fn grows(ui: &mut Ui, ramp: &mut f64) -> Option<&'static str> {
    let how = quantity("s", "traction.ramp", "Time over which it grows from zero; 0: there from the start");
    value_row(ui, "Grows for", ramp, &how).then_some("Change ramp")
}

fn own_friction(ui: &mut Ui, friction: &mut Option<f64>) -> Option<&'static str> {
    let mut edited = None;
    let mut own = friction.is_some();
    if ui.checkbox(&mut own, "Its own friction coefficient").changed() {
        *friction = own.then_some(0.5);
        edited = Some("Change friction");
    }
    if let Some(value) = friction {
        let how = quantity("", "contact.friction", "Coulomb friction coefficient µ, in place of the obstacle's");
        if value_row(ui, "Friction µ", value, &how) {
            edited = Some("Change friction");
        }
    }
    edited
}

/// Which obstacles may be touched.
fn touches(ui: &mut Ui, chosen: &mut Option<Vec<String>>, obstacles: &[String]) -> Option<&'static str> {
    let mut edited = None;
    let mut all = chosen.is_none();
    if ui.checkbox(&mut all, "May touch every obstacle").changed() {
        *chosen = (!all).then(|| obstacles.to_vec());
        edited = Some("Change obstacles touched");
    }
    let Some(names) = chosen else { return edited };
    for obstacle in obstacles {
        let mut may = names.contains(obstacle);
        if ui.checkbox(&mut may, obstacle).changed() {
            // In the order of the scene, whatever the order of the clicks.
            *names = obstacles.iter().filter(|name| if *name == obstacle { may } else { names.contains(name) }).cloned().collect();
            edited = Some("Change obstacles touched");
        }
    }
    if names.is_empty() {
        let dim = meaning(ui).dim;
        ui.label(RichText::new("It touches no obstacle.").color(dim).small());
    }
    edited
}
