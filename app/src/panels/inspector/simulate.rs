//! How time is stepped.

use aplomb_sim::scene::{SimulateSettings, SolverChoice};
use aplomb_sim::step::STEPPERS;
use egui::{RichText, Ui};

use crate::theme::meaning;
use crate::widgets::{Quantity, choice_row, count_row, heading, value_row};

const SOLVERS: &[(SolverChoice, &str, &str)] = &[
    (SolverChoice::Auto, "by size", "Factorisation for small systems, conjugate gradients for large ones"),
    (SolverChoice::Direct, "direct", "Sparse Cholesky factorisation"),
    (SolverChoice::Pcg, "iterative", "Conjugate gradients with a preconditioner"),
];

/// Draws the settings; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, simulate: &mut SimulateSettings) -> Option<&'static str> {
    let mut edited = None;
    let mut note = |changed: bool, label| {
        if changed {
            edited = Some(label);
        }
    };
    heading(ui, "Time stepping");
    let named: Vec<_> = STEPPERS.iter().map(|entry| (entry.name.to_owned(), in_words(entry.name), entry.description)).collect();
    let steppers: Vec<_> = named.iter().map(|(name, label, hint)| (name.clone(), label.as_str(), *hint)).collect();
    note(choice_row(ui, "Stepper", &mut simulate.stepper, &steppers), "Change stepper");
    if let Some((_, _, description)) = steppers.iter().find(|(name, _, _)| *name == simulate.stepper) {
        let dim = meaning(ui).dim;
        ui.label(RichText::new(*description).color(dim).small());
    }
    let step = Quantity { unit: "s", range: 1e-6..=1.0, hint: "Step size h of the simulation" };
    note(value_row(ui, "Step size", &mut simulate.step_size, &step), "Change step size");
    let tolerance = Quantity { unit: "m/s", range: 1e-12..=1.0, hint: "Newton's method stops when its last step over h is below this" };
    note(value_row(ui, "Tolerance", &mut simulate.tolerance, &tolerance), "Change tolerance");
    let most = "Newton iterations a step at most";
    note(count_row(ui, "Iterations", &mut simulate.max_iterations, 1..=10_000, most), "Change iterations");
    note(choice_row(ui, "Solver", &mut simulate.solver, SOLVERS), "Change solver");
    let halvings = "How often a step that fails may be halved before the run stops";
    note(count_row(ui, "Halvings", &mut simulate.max_substep_halvings, 0..=20, halvings), "Change halvings");
    if simulate.stepper == "quasi_static" {
        let ramp = Quantity { unit: "s", range: 0.0..=1e6, hint: "Time over which all loads are brought up; 0: all at once" };
        note(value_row(ui, "Loads grow for", &mut simulate.ramp, &ramp), "Change ramp");
    }
    edited
}

/// A name of a scene file in words.
fn in_words(name: &str) -> String {
    name.replace('_', " ").replace("bdf2", "BDF2")
}
