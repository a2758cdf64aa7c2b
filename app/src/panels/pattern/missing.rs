//! What is told where a body has no sewing pattern, and what gives it one.

use aplomb_sim::bodies::cloth::RestShape;
use aplomb_sim::bodies::{body_kind, cloth};
use egui::{Button, Ui};

use crate::panels::Look;

/// Tells why the body has none; a button lets cloth rest in that of its file.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, b: usize) {
    let scene = look.document.scene();
    let body = &scene.bodies[b];
    let (name, kind) = (&body.name, body_kind(body).map_or("body", |kind| kind.label));
    let Ok(settings) = cloth::settings_of(body) else {
        ui.weak(format!(
            "{name} has no sewing pattern: it is of the kind {kind}. Only cloth is cut flat and sewn: import a surface with texture \
             coordinates, as OBJ files have, and make it cloth."
        ));
        return;
    };
    if settings.rest == RestShape::Uv {
        let waits = look.main.activity.is_busy();
        ui.weak(match waits {
            true => format!("The sewing pattern of {name} is being read."),
            false => format!("{name} is to rest in its sewing pattern, and could not be built: Problems tell why."),
        });
        return;
    }
    ui.weak(format!(
        "{name} has no sewing pattern: it rests in its given shape. If its file has texture coordinates (vt) that are panels cut to size, it \
         can rest in them; what they lack is told in Problems."
    ));
    let hint = "Rest: sewing pattern (uv). Its panels are flat and unstretched at rest, and seams are sewn as the settings of the body say";
    if ui.add(Button::new("Rest in the sewing pattern of the file")).on_hover_text(hint).clicked() {
        let mut edited = (**scene).clone();
        let body = &mut edited.bodies[b];
        // It is the one rest shape or the other.
        body.rest_mesh = None;
        if let Some(kind) = &mut body.kind {
            kind.settings["rest"] = "uv".into();
        }
        look.edit("Rest in the sewing pattern", edited);
    }
}
