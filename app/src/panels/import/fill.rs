//! How fine the tets are that a surface is filled with.

use egui::{RichText, Ui};

use crate::preview::{GRADING, Preview};
use crate::theme::meaning;
use crate::widgets::{Quantity, heading, value_row};

/// Draws the choices; of the number of tets and the length of edges, the one changed last leads.
pub fn show(ui: &mut Ui, preview: &mut Preview) {
    heading(ui, "Fill with tets");
    let (volume, choices) = (preview.volume(), &mut preview.choices);
    let resolution = &mut choices.resolution;
    let mut tets = f64::from(resolution.tets);
    let about = Quantity { unit: "tets", range: 12.0..=5e6, hint: "About how many tets; more of them bend more finely, and take longer" };
    if value_row(ui, if resolution.by_length { "≈ Number" } else { "Number" }, &mut tets, &about) {
        (resolution.tets, resolution.by_length) = (tets.round() as u32, false);
    }
    let length = Quantity { unit: "m", range: 1e-9..=1e6, hint: "Length of edges at the surface" };
    if value_row(ui, if resolution.by_length { "Edge length" } else { "≈ Edge length" }, &mut resolution.edge_length, &length) {
        resolution.by_length = true;
    }
    let coarser = Quantity { unit: "×", range: GRADING, hint: "How much longer edges may be inside than at the surface; 1: all alike" };
    value_row(ui, "Longer inside by", &mut choices.grading, &coarser);
    resolution.follow(volume, choices.grading);
    let words = if resolution.tets > 300_000 { "So many tets take minutes to initialise." } else { "The picture keeps the surface as it is." };
    let dim = meaning(ui).dim;
    ui.label(RichText::new(words).color(dim).small());
}
