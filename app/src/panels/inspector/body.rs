//! A body: what it is made of, its mesh, where it stands, how it sets out.

use aplomb_sim::scene::{Body, Scene, Unit, UpAxis};
use egui::{Button, Label, RichText, Role, Ui, WidgetInfo};

use super::{fill, kind, material};
use crate::document::{Action, FileAction, follow_body, step_particles};
use crate::panels::{Look, brush};
use crate::theme::{icons, meaning};
use crate::widgets::{Quantity, card, choice_row, heading, limits_of, name_row, other_rows, path_label, row, value_row, vector_row};

/// Keys of a body with rows of their own, in cards of their own, or kept by the brush (`regions`, `stiffness_field`, `painted_on`).
pub const BY_HAND: &[&str] = &[
    "name",
    "mesh",
    "tetrahedralise",
    "rest_mesh",
    "unit",
    "up",
    "transform",
    "velocity",
    "spin",
    "enters_at",
    "as",
    "material",
    "stiffness_field",
    "painted_on",
    "regions",
];

/// Units of a mesh file.
pub const UNITS: &[(Unit, &str, &str)] = &[
    (Unit::Metre, "metres", "Coordinates are metres"),
    (Unit::Centimetre, "centimetres", "Coordinates are centimetres"),
    (Unit::Millimetre, "millimetres", "Coordinates are millimetres"),
];

/// Up axes of a mesh file.
pub const UP_AXES: &[(UpAxis, &str, &str)] =
    &[(UpAxis::Y, "y up", "The scene's own axis"), (UpAxis::Z, "z up", "(x, y, z) becomes (x, z, -y)")];

/// Draws the properties; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, scene: &mut Scene, index: usize) -> Option<&'static str> {
    let before = scene.bodies.get(index)?.name.clone();
    let body = scene.bodies.get_mut(index)?;
    let mut edited = match (&mut body.kind, &mut body.material) {
        (Some(settings), _) => card(ui, |ui| kind::show(ui, settings)),
        (None, Some(material)) => card(ui, |ui| material::show(ui, material)),
        (None, None) => None,
    };
    if body.tetrahedralise.is_some() {
        let model = look.main.model.as_ref().filter(|_| look.main.is_up_to_date()).and_then(|model| model.bodies.get(index));
        edited = card(ui, |ui| fill::show(ui, body, model, look.actions)).or(edited);
    }
    let actions = &mut *look.actions;
    let mut note = |changed: bool, label| {
        if changed {
            edited = Some(label);
        }
    };
    card(ui, |ui| {
        heading(ui, "Body");
        note(name_row(ui, "Name", &mut body.name), "Rename body");
        row(ui, "Mesh", |ui, _| path_label(ui, &body.mesh, ""));
        row(ui, "Rest mesh", |ui, _| {
            let hint = "The mesh that the naive method takes as undeformed, if it is not the shape itself";
            let clear = ui.add_enabled(body.rest_mesh.is_some(), Button::new("×").small()).on_hover_text("Undeformed is the shape itself");
            clear.widget_info(|| WidgetInfo::labeled(Role::Button, true, "No rest mesh"));
            if clear.clicked() {
                body.rest_mesh = None;
                note(true, "Remove rest mesh");
            }
            let choose = ui.add(Button::new("…").small()).on_hover_text(hint);
            choose.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Choose rest mesh"));
            if choose.clicked() {
                actions.push(Action::Ask(FileAction::BodyRestMesh));
            }
            let name = body.rest_mesh.as_deref().unwrap_or("the shape itself");
            path_label(ui, name, hint);
        });
        note(stiffness_row(ui, body, look.desk.brush.on, actions), "Remove stiffness field");
        note(choice_row(ui, "Unit", &mut body.unit, UNITS), "Change unit");
        note(choice_row(ui, "Up axis", &mut body.up, UP_AXES), "Change up axis");
        let scale = Quantity { unit: "×", range: limits_of("bodies[].transform.scale"), hint: "Uniform scale" };
        note(value_row(ui, "Scale", &mut body.transform.scale, &scale), "Scale body");
        let rotate =
            Quantity { unit: "°", range: limits_of("bodies[].transform.rotate_degrees"), hint: "rotations about x, then y, then z" };
        note(vector_row(ui, "Rotate", &mut body.transform.rotate_degrees, &rotate), "Rotate body");
        let translate = Quantity { unit: "m", range: limits_of("bodies[].transform.translate"), hint: "translation" };
        note(vector_row(ui, "Move", &mut body.transform.translate, &translate), "Move body");
    });
    card(ui, |ui| {
        let mut late = body.enters_at > 0.0;
        heading(ui, if late { "When it comes in" } else { "At time zero" });
        if ui.checkbox(&mut late, "Comes in later").on_hover_text("Until then it is not there; then it is, undeformed").changed() {
            body.enters_at = if late { 1.0 } else { 0.0 };
            note(true, "Change entrance");
        }
        if late {
            let latest = *limits_of("bodies[].enters_at").end();
            let time = Quantity { unit: "s", range: 1e-6..=latest, hint: "Time at which it comes in, with its velocity" };
            note(value_row(ui, "Comes in at", &mut body.enters_at, &time), "Change entrance");
        }
        let velocity = Quantity { unit: "m/s", range: limits_of("bodies[].velocity"), hint: "velocity of the centre of mass" };
        note(vector_row(ui, "Velocity", &mut body.velocity, &velocity), "Change initial velocity");
        let spin = Quantity { unit: "rad/s", range: limits_of("bodies[].spin"), hint: "angular velocity about the centre of mass" };
        note(vector_row(ui, "Spin", &mut body.spin, &spin), "Change initial spin");
        note(other_rows(ui, body, "bodies[]", BY_HAND), "Change body");
    });
    let name = body.name.clone();
    if edited == Some(kind::OTHER_MATTER) {
        step_particles(scene);
    }
    if name != before {
        follow_body(scene, &before, &name);
    }
    edited
}

/// The stiffness field: what it reaches to, and how it is painted; whether it was removed.
fn stiffness_row(ui: &mut Ui, body: &mut Body, is_painting: bool, actions: &mut Vec<Action>) -> bool {
    row(ui, "Stiffness field", |ui, _| {
        let there = body.stiffness_field.is_some();
        let clear = ui.add_enabled(there, Button::new("×").small()).on_hover_text("As stiff as its material everywhere");
        clear.widget_info(|| WidgetInfo::labeled(Role::Button, there, "No stiffness field"));
        let paint = ui.add(Button::new(icons::BRUSH).small().selected(is_painting));
        paint.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Paint stiffness"));
        let hint = "Paint how many times as stiff as its material the body is, from place to place (B)";
        if paint.on_hover_text(hint).clicked() {
            actions.push(Action::ToggleBrush);
        }
        let spread = if there { brush::field_summary(body) } else { "none".to_owned() };
        let dim = meaning(ui).dim;
        ui.add(Label::new(RichText::new(spread).color(dim)).truncate());
        let removed = there && clear.clicked();
        if removed {
            body.stiffness_field = None;
        }
        removed
    })
}
