//! The certificate: what the initialisation reached, part by part.

mod contact;
mod feasibility;
mod forecast;
mod stability;

use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::{Conclusion, Distribution, FieldReport, InitReport, Residual};
use egui::{Color32, RichText, Ui};

pub use feasibility::mend_button;
pub use stability::cure_button;

use crate::panels::Look;
use crate::panels::histogram;
use crate::panels::outliner::grouped;
use crate::session::Certificate;
use crate::theme::{Meaning, meaning};
use crate::widgets::{dense, fact_row, pair, percent, quantity, section, significant};

/// Draws the certificate.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, certificate: &Certificate) {
    let (report, colors) = (&certificate.report, meaning(ui));
    dense(ui);
    if report.method != Method::Naive {
        feasibility::show(ui, look, certificate);
    }
    balance(ui, report, colors);
    forecast::show(ui, certificate);
    elements(ui, look, certificate);
    contact::show(ui, report, colors);
    stability::show(ui, look, certificate);
    cost(ui, report, certificate.live_seconds);
}

/// The colour of an outcome.
pub fn tone(verdict: Conclusion, colors: Meaning) -> Color32 {
    match verdict {
        Conclusion::Holds => colors.good,
        Conclusion::Unstable | Conclusion::Undecided => colors.warning,
        Conclusion::DoesNotHold => colors.error,
    }
}

fn balance(ui: &mut Ui, report: &InitReport, colors: Meaning) {
    let Residual { before, after, balanced, .. } = report.residual;
    let after = percent(after);
    let tone = if balanced { colors.good } else { colors.warning };
    section(ui, "Balance", &after, Some(tone), !balanced, |ui| {
        let hint = match report.grid {
            // Nodes of the grid that a point hardly touches move nothing, and do not count.
            Some(_) => "Largest acceleration of a point over that of the loads, undeformed and without walls",
            None => "Largest net force over the largest load, naive and without contact",
        };
        fact_row(ui, "Out of balance, before", &percent(before), None, hint);
        fact_row(ui, "after", &after, Some(tone), "The same, recomputed from the stepper's forces at the first instant");
        if let Some(grid) = report.grid {
            let all = "Root of the mean square of the acceleration of all points, by their masses, over that of gravity";
            fact_row(ui, "of all points", &percent(grid.acceleration_rms), Some(tone), all);
            if let Some(share) = grid.kept_deviator {
                let what = "Deviators that the liquid keeps until it shears, beside its mean pressure: what pressures alone do not balance";
                fact_row(ui, "Kept deviator", &percent(share), None, what);
            }
            fact_row(ui, "Cells", &quantity(grid.spacing_m, "m"), None, "Edge of a cell of the grid on which the points move");
        }
        if let Some(one_way) = &report.one_way {
            let tone = if one_way.residual.balanced { colors.good } else { colors.warning };
            let what = format!("Largest net force on {}, by themselves, over their largest load", one_way.bodies.join(", "));
            fact_row(ui, "of the bodies", &percent(one_way.residual.after), Some(tone), &what);
            ui.label(RichText::new(format!("One way: {}.", one_way.note)).color(colors.dim).small());
        }
    });
}

/// The quantities of each sort of elements, with the histogram of the first.
fn elements(ui: &mut Ui, look: &mut Look<'_>, certificate: &Certificate) {
    // The naive rest state is undeformed: there is nothing but round-off to look at.
    if certificate.report.method == Method::Naive {
        return;
    }
    for family in &certificate.report.families {
        let of = |name: &&str| certificate.report.fields.iter().find(|field| field.kind.name == *name);
        let fields: Vec<&FieldReport> = family.fields.iter().filter_map(of).collect();
        let Some(first) = fields.first() else { continue };
        let spread = |field: &FieldReport| {
            let Distribution { mean, std, .. } = field.distribution;
            pair(mean, "±", std, field.kind.unit)
        };
        section(ui, first.kind.label, &spread(first), None, true, |ui| {
            let count = format!("{} {}", grouped(family.elements), family.name);
            fact_row(ui, "Elements", &count, None, "What the body is made of");
            for field in &fields {
                let Distribution { min, max, .. } = field.distribution;
                let range = pair(min, "to", max, field.kind.unit);
                let hint = format!("{}: smallest and largest; mean and standard deviation {}", field.kind.doc, spread(field));
                fact_row(ui, field.kind.label, &range, None, &hint);
            }
            histogram::of_field(ui, look, certificate, first, &format!("certificate histogram of {}", first.kind.label), 56.0);
            let dim = meaning(ui).dim;
            let chosen = look.desk.choice.as_ref().filter(|choice| choice.bars.is_none_or(|(of, ..)| of == first.kind.name));
            let words = chosen.map_or("Click or drag over bars to see their elements.", |choice| choice.what.as_str());
            ui.label(RichText::new(words).color(dim).small());
        });
    }
}

fn cost(ui: &mut Ui, report: &InitReport, live: Option<f64>) {
    let seconds = |value: f64| format!("{} s", significant(value, 3));
    section(ui, "Cost", &seconds(report.seconds.total), None, false, |ui| {
        fact_row(ui, "All of it", &seconds(report.seconds.total), None, "Wall time, stability and checks included");
        if let Some(live) = live {
            let hint = "Wall time from the edit to the balance, with the orders and meshes that were known; stability was judged after it";
            fact_row(ui, "From the edit", &seconds(live), None, hint);
        }
        fact_row(
            ui,
            "Global stage",
            &seconds(report.seconds.assemble + report.seconds.global),
            None,
            "Assembly, ordering, factorisation, cones",
        );
        fact_row(ui, "Local stage", &seconds(report.seconds.local), None, "The rest state of each element");
        let of = if report.grid.is_some() { "Three a node of the grid" } else { "Three a free node" };
        fact_row(ui, "Unknowns", &grouped(report.unknowns), None, of);
        fact_row(ui, "Entries of the factor", &grouped(report.nonzeros_in_factor), None, "Of the sparse Cholesky factor");
        let work = format!("{} / {}", report.iterations, report.factorisations);
        fact_row(ui, "Iterations / factorisations", &work, None, "Of the interior point, or refinements where nothing touches");
        let memory = format!("{} MB", significant(report.peak_memory_bytes as f64 / 1e6, 3));
        fact_row(ui, "Peak memory", &memory, None, "Of the whole program so far");
    });
}
