//! Parts by place: by height and by the way that the surface faces, looked at in the view before they are taken.

use egui::Ui;

use super::{field_row, note};
use crate::document::{Action, ByPlace};
use crate::panels::Look;
use crate::panels::outliner::grouped;
use crate::theme::icons;
use crate::widgets::unit::Shown;
use crate::widgets::{Quantity, Segment, direction_row, icon_button, segments, slider_row, value_row};

/// Draws the buttons that open them.
pub fn buttons(ui: &mut Ui, look: &mut Look<'_>) {
    let height = matches!(look.desk.brush.place, Some(ByPlace::Height { .. }));
    let normal = matches!(look.desk.brush.place, Some(ByPlace::Normal { .. }));
    let of = [
        (height, icons::HEIGHT, "By height", "By height: what lies between two shares of the extent along an axis", ByPlace::HEIGHT),
        (normal, icons::FACING, "By normal angle", "By normal angle: what faces one way", ByPlace::NORMAL),
    ];
    for (open, icon, name, hint, first) in of {
        if icon_button(ui, true, open, icon, name, hint).clicked() {
            look.desk.brush.place = (!open).then_some(first);
        }
    }
}

/// Draws what is set of the one that is open.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let Some(place) = &mut look.desk.brush.place else { return };
    ui.add_space(4.0);
    let percent = Shown { name: "%", size: 0.01 };
    match place {
        ByPlace::Height { axis, between } => {
            field_row(ui, "Height along", |ui| {
                let of = ["X", "Y", "Z"].map(|word| Segment::new(word, false, "The axis of the scene along which heights are told"));
                let of: Vec<_> = of.into_iter().enumerate().map(|(i, segment)| Segment { chosen: i == *axis, ..segment }).collect();
                *axis = segments(ui, "Height along", &of).unwrap_or(*axis);
            });
            for (label, share) in ["From", "To"].into_iter().zip(between) {
                let how = Quantity { unit: "%", range: 0.0..=1.0, hint: "Share of the extent of the given shape, from its lower end" };
                slider_row(ui, label, share, &how, percent, false);
            }
        }
        ByPlace::Near { within } => {
            let hint = "Distance from an obstacle, another body, or a part of the body that faces it, up to which a vertex is marked";
            let diagonal = look.main.model.as_ref().map_or(1.0, |model| model.diagonal);
            value_row(ui, "Near, within", within, &Quantity { unit: "m", range: 0.0..=0.5 * diagonal, hint });
        }
        ByPlace::Normal { towards, within } => {
            direction_row(ui, "Faces", towards, "the way that it faces");
            let how = Quantity { unit: "°", range: 0.0..=180.0, hint: "Largest angle between the normal and this direction" };
            slider_row(ui, "Within", within, &how, Shown { name: "°", size: 1.0 }, false);
        }
    }
    let count = look.desk.brush.looked_at;
    ui.horizontal(|ui| {
        for (text, out, hint) in [("Add them", false, "Take them into the region"), ("Take out", true, "Take them out of the region")] {
            if ui.add_enabled(count > 0, egui::Button::new(text)).on_hover_text(hint).on_disabled_hover_text("There are none").clicked() {
                look.actions.push(Action::TakePlace { out });
            }
        }
        let told = if look.desk.brush.looking { "looking…".to_owned() } else { format!("{} vertices", grouped(count)) };
        note(ui, &told, false);
    });
}
