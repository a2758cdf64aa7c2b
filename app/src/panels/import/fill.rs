//! How fine the tets are that a surface is filled with.

use egui::{RichText, Ui};

use crate::preview::{Preview, Resolution};
use crate::theme::meaning;
use crate::widgets::{Quantity, heading, limits_of, value_row};

/// More tets than this take minutes.
const MANY: u32 = 300_000;

/// Draws the choices.
pub fn show(ui: &mut Ui, preview: &mut Preview) {
    heading(ui, "Fill with tets");
    let (measure, choices) = (preview.measure(), &mut preview.choices);
    choices.resolution.show(ui);
    grading_row(ui, &mut choices.grading);
    choices.resolution.follow(measure, choices.grading);
    let many = choices.resolution.tets > MANY;
    let words = if many { "So many tets take minutes to initialise." } else { "The picture keeps the surface as it is." };
    let dim = meaning(ui).dim;
    ui.label(RichText::new(words).color(dim).small());
}

/// How coarse the tets become inwards; true if it changed.
pub fn grading_row(ui: &mut Ui, grading: &mut f64) -> bool {
    let range = limits_of("bodies[].tetrahedralise.grading");
    let how = Quantity { unit: "×", range, hint: "How much longer edges may be inside than at the surface; 1: all alike" };
    value_row(ui, "Longer inside by", grading, &how)
}

impl Resolution {
    /// Draws both numbers: the one changed last leads, the other is an estimate. True if one changed.
    pub fn show(&mut self, ui: &mut Ui) -> bool {
        let (mut tets, mut length) = (f64::from(self.tets), self.edge_length);
        let range = limits_of("bodies[].tetrahedralise.tets");
        let about = Quantity { unit: "tets", range, hint: "About how many tets: more of them bend more finely, and take longer" };
        let counted = value_row(ui, if self.by_length { "≈ Number" } else { "Number" }, &mut tets, &about);
        let range = limits_of("bodies[].tetrahedralise.edge_length");
        let long = Quantity { unit: "m", range, hint: "Length of edges at the surface" };
        let measured = value_row(ui, if self.by_length { "Edge length" } else { "≈ Edge length" }, &mut length, &long);
        if counted {
            (self.tets, self.by_length) = (tets.round() as u32, false);
        } else if measured {
            (self.edge_length, self.by_length) = (length, true);
        }
        counted | measured
    }
}
