//! How contact is found and simulated.

use aplomb_sim::scene::{BarrierKind, ContactSettings};
use egui::Ui;

use crate::widgets::{Quantity, choice_row, count_limits_of, count_row, heading, limits_of, other_rows, value_row};

/// Keys of `contact` with rows of their own; the detection distance is among the options of Initialise.
pub const BY_HAND: &[&str] = &[
    "detection_distance",
    "barrier_distance",
    "friction_slip",
    "friction",
    "between_bodies",
    "self_contact",
    "separate",
    "barrier",
    "stiffness",
    "friction_iterations",
];

const BARRIERS: &[(BarrierKind, &str, &str)] = &[
    (BarrierKind::C2, "smooth (C2)", "Twice continuously differentiable (Li et al. 2020)"),
    (BarrierKind::Book, "stiff (C1)", "Its stiffness jumps where contact begins (Li, Jiang, Luo)"),
];

/// Draws the settings; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, contact: &mut ContactSettings) -> Option<&'static str> {
    let mut edited = None;
    let mut note = |changed: bool, label| {
        if changed {
            edited = Some(label);
        }
    };
    heading(ui, "Contact");
    note(
        ui.checkbox(&mut contact.between_bodies, "Bodies touch each other")
            .on_hover_text("If not, they pass through one another")
            .changed(),
        "Change contact between bodies",
    );
    note(ui.checkbox(&mut contact.self_contact, "Bodies touch themselves").changed(), "Change self-contact");
    note(
        ui.checkbox(&mut contact.separate, "Move overlapping bodies apart")
            .on_hover_text("Where bodies overlap more than contact can mend: the later one of two, the shortest way, until they touch")
            .changed(),
        "Change separation",
    );
    let friction = Quantity {
        unit: "",
        range: limits_of("contact.friction"),
        hint: "Friction coefficient µ of bodies against each other and themselves",
    };
    note(value_row(ui, "Friction µ", &mut contact.friction, &friction), "Change friction of bodies");
    let rounds = "How often a step brings the normal forces and directions of friction up to date";
    note(
        count_row(ui, "Friction rounds", &mut contact.friction_iterations, count_limits_of("contact.friction_iterations"), rounds),
        "Change friction rounds",
    );
    let share = |key, hint| Quantity { unit: "of diag.", range: limits_of(key), hint };
    note(choice_row(ui, "Barrier", &mut contact.barrier, BARRIERS), "Change barrier");
    let barrier = share("contact.barrier_distance", "Distance at which contact begins to push; share of the bounding box diagonal");
    note(value_row(ui, "Barrier distance", &mut contact.barrier_distance, &barrier), "Change barrier distance");
    let factor =
        Quantity { unit: "×", range: limits_of("contact.stiffness"), hint: "Factor on the contact stiffness that is found by itself" };
    note(value_row(ui, "Stiffness", &mut contact.stiffness, &factor), "Change contact stiffness");
    let slip = share("contact.friction_slip", "Slip over which static friction builds up; share of the bounding box diagonal");
    note(value_row(ui, "Friction slip", &mut contact.friction_slip, &slip), "Change friction slip");
    note(other_rows(ui, contact, "contact", BY_HAND), "Change contact");
    edited
}
