//! How the rest state is solved for: settings of the scene, in plain words.

use aplomb_sim::sag_free::Touching;
use egui::Ui;

use crate::panels::Look;
use crate::panels::desk::CURES;
use crate::panels::outliner::grouped;
use crate::widgets::{Quantity, choice_row, count_limits_of, count_row, limits_of, other_rows, row, section, value_row};

/// Keys of `initialise` with rows of their own; the method is chosen beside the button.
pub const BY_HAND: &[&str] = &[
    "method",
    "friction_fraction",
    "regularization",
    "tolerance",
    "stiffen_up_to",
    "softest_modes",
    "tension",
    "push_weight",
    "cure",
    "compare_cures",
];

/// Draws the options; an edit is proposed as every other is.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let mut scene = (**look.document.scene()).clone();
    let mut edited = None;
    // Walls hold off the nodes of a grid, which are no contacts of a body.
    let is_on_grid = look.main.model.as_ref().is_some_and(|model| model.cells.is_some());
    let found = if is_on_grid { "walls on the grid".to_owned() } else { format!("{} contacts found", grouped(look.main.found.len())) };
    section(ui, "Options", &found, None, false, |ui| {
        let mut note = |changed: bool, label| {
            if changed {
                edited = Some(label);
            }
        };
        let detection = Quantity {
            unit: "of diag.",
            range: limits_of("contact.detection_distance"),
            hint: "Contact is looked for within this distance, a share of the diagonal of the bounding box",
        };
        note(value_row(ui, "Detection distance", &mut scene.contact.detection_distance, &detection), "Change detection distance");
        row(ui, "Contacts", |ui, _| {
            let hint = "Orange discs where contact may carry load, before anything is solved";
            ui.checkbox(&mut look.desk.found, "show").on_hover_text(hint);
            let between =
                look.main.found.iter().filter(|contact| contact.between.iter().all(|one| matches!(one, Touching::Body(_)))).count();
            let more = if between > 0 { format!(", {} of bodies", grouped(between)) } else { String::new() };
            ui.label(format!("{}{more}", grouped(look.main.found.len())))
                .on_hover_text("Those of bodies are with one another or with themselves");
        });
        let settings = &mut scene.initialise;
        let fraction = Quantity {
            unit: "of µ",
            range: limits_of("initialise.friction_fraction"),
            hint: "Share of the friction coefficient µ that the balance may use; the rest is kept in hand against pushes",
        };
        note(value_row(ui, "Friction used", &mut settings.friction_fraction, &fraction), "Change friction in use");
        let stiffen = Quantity {
            unit: "×",
            range: limits_of("initialise.stiffen_up_to"),
            hint: "Elements that are too soft for their force may be stiffened by themselves, by this factor at most; 1: never",
        };
        note(value_row(ui, "Stiffen up to", &mut settings.stiffen_up_to, &stiffen), "Change stiffening");
        note(choice_row(ui, "If it is unstable", &mut settings.cure, CURES), "Choose cure");
        let compare = ui.checkbox(&mut settings.compare_cures, "Compare all cures then");
        note(
            compare.on_hover_text("Try every cure where the pose is unstable, and list what each takes").changed(),
            "Change comparison of cures",
        );
        let tension = Quantity {
            unit: "strain",
            range: limits_of("initialise.tension"),
            hint: "Tension β: forces are chosen nearest to those of elements that want to be shorter by this strain; 0: the least forces",
        };
        note(value_row(ui, "Tension β", &mut settings.tension, &tension), "Change tension");
        if look.main.model.as_ref().is_some_and(|model| model.tells_pushes) {
            let push = Quantity {
                unit: "×",
                range: limits_of("initialise.push_weight"),
                hint: "How many times as much a spring that pushes counts as one that pulls, where forces are chosen: the larger, the less they push",
            };
            note(value_row(ui, "Push weight", &mut settings.push_weight, &push), "Change push weight");
        }
        let rho = Quantity {
            unit: "of diag.",
            range: limits_of("initialise.regularization"),
            hint: "Regularisation ρ: keeps the solve steady where hardly anything resists; share of the matrix' median diagonal",
        };
        note(value_row(ui, "Regularisation ρ", &mut settings.regularization, &rho), "Change regularisation");
        let tolerance = Quantity {
            unit: "of load",
            range: limits_of("initialise.tolerance"),
            hint: "Net force, as a share of the largest load, that counts as balance",
        };
        note(value_row(ui, "Balanced below", &mut settings.tolerance, &tolerance), "Change tolerance of balance");
        let modes = "How many of the softest ways out of the pose are found, to be played";
        note(
            count_row(ui, "Softest modes", &mut settings.softest_modes, count_limits_of("initialise.softest_modes"), modes),
            "Change number of modes",
        );
        note(other_rows(ui, settings, "initialise", BY_HAND), "Change options");
    });
    if let Some(label) = edited {
        look.edit(label, scene);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_key_has_a_row() {
        crate::widgets::assert_rows("initialise", super::BY_HAND);
    }
}
