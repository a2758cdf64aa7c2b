//! How fine the tets are that a surface is filled with.

use egui::{RichText, Ui};

use crate::preview::{GRADING, Preview, Resolution};
use crate::theme::meaning;
use crate::widgets::{Quantity, heading, value_row};

/// More tets than this take minutes.
const MANY: u32 = 300_000;

/// Draws the choices.
pub fn show(ui: &mut Ui, preview: &mut Preview) {
    heading(ui, "Fill with tets");
    let (measure, choices) = (preview.measure(), &mut preview.choices);
    choices.resolution.show(ui);
    let coarser = Quantity { unit: "×", range: GRADING, hint: "How much longer edges may be inside than at the surface; 1: all alike" };
    value_row(ui, "Longer inside by", &mut choices.grading, &coarser);
    choices.resolution.follow(measure, choices.grading);
    let many = choices.resolution.tets > MANY;
    let words = if many { "So many tets take minutes to initialise." } else { "The picture keeps the surface as it is." };
    let dim = meaning(ui).dim;
    ui.label(RichText::new(words).color(dim).small());
}

impl Resolution {
    /// Draws both numbers: the one changed last leads, the other is an estimate. True if one changed.
    pub fn show(&mut self, ui: &mut Ui) -> bool {
        let (mut tets, mut length) = (f64::from(self.tets), self.edge_length);
        let about =
            Quantity { unit: "tets", range: 12.0..=5e6, hint: "About how many tets: more of them bend more finely, and take longer" };
        let counted = value_row(ui, if self.by_length { "≈ Number" } else { "Number" }, &mut tets, &about);
        let long = Quantity { unit: "m", range: 1e-9..=1e6, hint: "Length of edges at the surface" };
        let measured = value_row(ui, if self.by_length { "Edge length" } else { "≈ Edge length" }, &mut length, &long);
        if counted {
            (self.tets, self.by_length) = (tets.round() as u32, false);
        } else if measured {
            (self.edge_length, self.by_length) = (length, true);
        }
        counted | measured
    }
}
