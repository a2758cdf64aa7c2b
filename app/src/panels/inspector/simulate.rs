//! How time is stepped.

use aplomb_sim::linear::SOLVERS;
use aplomb_sim::scene::{SimulateSettings, SolverChoice};
use aplomb_sim::step::{STEPPERS, Unsupported, stepper};
use egui::{RichText, Ui};

use crate::theme::meaning;
use crate::widgets::{Quantity, choice_row, choice_row_but, count_limits_of, count_row, heading, limits_of, other_rows, value_row};

/// Keys of `simulate` with rows of their own, seen where they matter.
pub const BY_HAND: &[&str] = &[
    "stepper",
    "step_size",
    "tolerance",
    "max_iterations",
    "solver",
    "linear_tolerance",
    "linear_iterations",
    "linear_relaxation",
    "spectral_radius",
    "max_substep_halvings",
    "ramp",
];

/// Draws the settings, with those steppers greyed out that the scene is `refused` by; the label of the edit, if one was made.
pub fn show(ui: &mut Ui, simulate: &mut SimulateSettings, refused: &[Unsupported]) -> Option<&'static str> {
    let mut edited = None;
    let mut note = |changed: bool, label| {
        if changed {
            edited = Some(label);
        }
    };
    heading(ui, "Time stepping");
    let named: Vec<_> = STEPPERS.iter().map(|entry| (entry.name.to_owned(), in_words(entry.name), entry.description)).collect();
    let steppers: Vec<_> = named.iter().map(|(name, label, hint)| (name.clone(), label.as_str(), *hint)).collect();
    let why_not = |name: &String| refused.iter().find(|why| why.stepper == name).map(ToString::to_string);
    note(choice_row_but(ui, "Stepper", &mut simulate.stepper, &steppers, why_not), "Change stepper");
    if let Some((_, _, description)) = steppers.iter().find(|(name, _, _)| *name == simulate.stepper) {
        let dim = meaning(ui).dim;
        ui.label(RichText::new(*description).color(dim).small());
    }
    let step = Quantity { unit: "s", range: limits_of("simulate.step_size"), hint: "Step size h of the simulation" };
    note(value_row(ui, "Step size", &mut simulate.step_size, &step), "Change step size");
    if stepper(&simulate.stepper).is_none_or(|entry| entry.converges) {
        let tolerance = Quantity {
            unit: "m/s",
            range: limits_of("simulate.tolerance"),
            hint: "Newton's method stops when its last step over h is below this",
        };
        note(value_row(ui, "Tolerance", &mut simulate.tolerance, &tolerance), "Change tolerance");
        let most = "Newton iterations a step at most";
        note(
            count_row(ui, "Iterations", &mut simulate.max_iterations, count_limits_of("simulate.max_iterations"), most),
            "Change iterations",
        );
    }
    if stepper(&simulate.stepper).is_none_or(|entry| entry.solves) {
        solving(ui, simulate, &mut note);
    }
    if simulate.stepper == "quasi_static" {
        let ramp =
            Quantity { unit: "s", range: limits_of("simulate.ramp"), hint: "Time over which all loads are brought up; 0: all at once" };
        note(value_row(ui, "Loads grow for", &mut simulate.ramp, &ramp), "Change ramp");
    }
    // How constraints are projected matters to what projects them, and a grid to what moves on one.
    let others: &[&str] = match simulate.stepper.as_str() {
        "xpbd" | "pbd" => &["grid"],
        "mpm" | "mpm_implicit" => &["projection"],
        _ => &["projection", "grid"],
    };
    let hidden = [BY_HAND, others].concat();
    note(other_rows(ui, simulate, "simulate", &hidden), "Change time stepping");
    edited
}

/// How linear systems are solved, and what becomes of steps that fail.
fn solving(ui: &mut Ui, simulate: &mut SimulateSettings, note: &mut impl FnMut(bool, &'static str)) {
    let solvers: Vec<_> = SOLVERS.iter().map(|entry| (entry.choice, entry.label, entry.description)).collect();
    note(choice_row(ui, "Solver", &mut simulate.solver, &solvers), "Change solver");
    if simulate.solver != SolverChoice::Direct {
        let share = Quantity {
            unit: "",
            range: limits_of("simulate.linear_tolerance"),
            hint: "Iterative solvers stop at this residual |b - A x| over |b|",
        };
        note(value_row(ui, "Linear tolerance", &mut simulate.linear_tolerance, &share), "Change linear tolerance");
        let most = "Iterations of a linear system at most";
        note(
            count_row(ui, "Linear iterations", &mut simulate.linear_iterations, count_limits_of("simulate.linear_iterations"), most),
            "Change linear iterations",
        );
    }
    let is_chebyshev = simulate.solver == SolverChoice::Chebyshev;
    if is_chebyshev || simulate.solver == SolverChoice::Jacobi {
        let alpha = "Share α of each correction that is taken; 1 is the method of the textbooks, which diverges for most elastic bodies";
        note(
            own_row(ui, "Own relaxation", ("Relaxation", "simulate.linear_relaxation"), &mut simulate.linear_relaxation, 0.5, alpha),
            "Change relaxation",
        );
    }
    if is_chebyshev {
        let rho = "Spectral radius ρ of Jacobi's iteration: slower where it is too small, and without convergence from 1 on";
        note(
            own_row(ui, "Own spectral radius", ("Spectral radius", "simulate.spectral_radius"), &mut simulate.spectral_radius, 0.99, rho),
            "Change spectral radius",
        );
    }
    let halvings = "How often a step that fails may be halved before the run stops";
    note(
        count_row(ui, "Halvings", &mut simulate.max_substep_halvings, count_limits_of("simulate.max_substep_halvings"), halvings),
        "Change halvings",
    );
}

/// The number at a key, which is estimated unless one is given, `usual` at first; true if it changed.
fn own_row(ui: &mut Ui, ask: &str, (label, key): (&str, &str), value: &mut Option<f64>, usual: f64, hint: &str) -> bool {
    let mut own = value.is_some();
    let toggled = ui.checkbox(&mut own, ask).on_hover_text("If not, the best one is estimated").changed();
    if toggled {
        *value = own.then_some(usual);
    }
    let edited = value.as_mut().is_some_and(|value| value_row(ui, label, value, &Quantity { unit: "", range: limits_of(key), hint }));
    toggled || edited
}

/// A name of a scene file in words.
fn in_words(name: &str) -> String {
    name.replace('_', " ").replace("bdf2", "BDF2").replace("baraff witkin", "Baraff-Witkin")
}
