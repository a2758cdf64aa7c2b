//! The certificate: what the initialisation reached, number by number.

use aplomb_sim::math::Vec3;
use aplomb_sim::stats::report::{InitReport, Verdict};
use egui::{Align, Color32, Layout, RichText, Ui};

use crate::document::Action;
use crate::panels::desk::method_words;
use crate::panels::histogram;
use crate::panels::outliner::grouped;
use crate::theme::{Meaning, meaning};
use crate::widgets::{heading, percent, quantity, significant};

/// Largest residual that is called balanced.
const BALANCED: f64 = 1e-8;

/// Draws the certificate.
pub fn show(ui: &mut Ui, report: &InitReport, stale: bool, actions: &mut Vec<Action>) {
    let colors = meaning(ui);
    ui.spacing_mut().interact_size.y = 18.0;
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.horizontal(|ui| {
        heading(ui, "Certificate");
        ui.label(RichText::new(method_words(report.method).0).color(colors.dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (word, color) = if stale { ("STALE", colors.warning) } else { verdict(report, colors) };
            let hint = if stale { "The scene was edited since: initialise again" } else { "" };
            let label = ui.label(RichText::new(word).strong().color(color));
            if stale {
                label.on_hover_text(hint);
            }
        });
    });
    for fault in &report.infeasible {
        ui.colored_label(colors.error, &fault.message);
        let place = Vec3::from(fault.place);
        if ui.button("Show the place").clicked() {
            actions.push(Action::Show(vec![place]));
        }
    }
    line(
        ui,
        "Out of balance, before",
        &percent(report.residual.before),
        None,
        "Largest net force over the largest load, naive and without contact",
    );
    let balanced = report.residual.after <= BALANCED;
    let tone = if balanced { colors.good } else { colors.warning };
    line(ui, "after", &percent(report.residual.after), Some(tone), "The same, recomputed from the stepper's forces at the first instant");
    compression(ui, report);
    contact(ui, report, colors);
    stability(ui, report, colors);
    if report.stiffened.elements > 0 {
        let (count, factor) = (grouped(report.stiffened.elements), significant(report.stiffened.max_factor, 3));
        let text = format!("{count} elements, up to × {factor}");
        line(
            ui,
            "Stiffened",
            &text,
            Some(colors.warning),
            "Elements that were too soft for their force; colour by \"stiffening factor\" to see them",
        );
    }
    if report.unattainable.elements > 0 {
        let text = format!("{} elements", grouped(report.unattainable.elements));
        line(ui, "Beyond the material", &text, Some(colors.error), "Elements whose law cannot make the force asked of them");
        if let Some(factor) = report.unattainable.stiffness_factor {
            line(ui, "Stiffness needed", &format!("× {}", significant(factor, 3)), None, "Least factor with which all of them could");
        }
    }
    let unknowns = format!("{} s, {} unknowns", significant(report.seconds.total, 3), grouped(report.unknowns));
    line(ui, "Took", &unknowns, None, "Wall time of everything, checks included");
}

fn verdict(report: &InitReport, colors: Meaning) -> (&'static str, Color32) {
    let stable = report.stability.as_ref().is_none_or(|stability| stability.verdict != Verdict::Unstable);
    if !report.infeasible.is_empty() {
        ("INFEASIBLE", colors.error)
    } else if report.residual.after > BALANCED {
        ("NOT IN BALANCE", colors.warning)
    } else if stable {
        ("HOLDS", colors.good)
    } else {
        ("UNSTABLE", colors.warning)
    }
}

fn compression(ui: &mut Ui, report: &InitReport) {
    let Some(compression) = &report.compression else { return };
    let spread = format!("{} ± {}", significant(compression.mean, 4), significant(compression.std, 2));
    line(ui, "Compression det F", &spread, None, "Volume over rest volume: mean and standard deviation");
    let range = format!("{} to {}", significant(compression.min, 3), significant(compression.max, 3));
    line(ui, "from, to", &range, None, "Most compressed and most stretched element");
    histogram::bars(ui, "certificate histogram", &compression.histogram, 64.0);
}

fn contact(ui: &mut Ui, report: &InitReport, colors: Meaning) {
    let contact = &report.contact;
    if report.contacts == 0 {
        return;
    }
    line(ui, "Contacts in use", &format!("{} of {}", contact.active, report.contacts), None, "Contacts that carry force, of those offered");
    line(ui, "Sum of normal forces", &quantity(contact.total_normal_force, "N"), None, "On level ground, the weight");
    if let Some(least) = contact.min_normal_force {
        let tone = (least < 0.0).then_some(colors.error);
        line(ui, "Smallest normal force", &quantity(least, "N"), tone, "Below zero a contact would have to pull");
    }
    let tone = (contact.max_cone_violation > 1e-9).then_some(colors.warning);
    line(ui, "Cone violation", &percent(contact.max_cone_violation), tone, "Friction beyond µ times the normal force");
}

fn stability(ui: &mut Ui, report: &InitReport, colors: Meaning) {
    let Some(stability) = &report.stability else { return };
    let count = stability.negative_eigenvalues;
    let (text, tone) = match stability.verdict {
        Verdict::Stable => ("stable".to_owned(), colors.good),
        Verdict::Unstable => (format!("unstable, {count} direction{}", if count == 1 { "" } else { "s" }), colors.warning),
        Verdict::NotInBalance => ("not in balance".to_owned(), colors.warning),
    };
    let hint = "Negative eigenvalues of the energy's Hessian: directions in which the pose falls away";
    line(ui, "Stability", &text, Some(tone), hint);
}

fn line(ui: &mut Ui, label: &str, value: &str, tone: Option<Color32>, hint: &str) {
    ui.horizontal(|ui| {
        let dim = meaning(ui).dim;
        ui.label(RichText::new(label).color(dim)).on_hover_text(hint);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let text = RichText::new(value);
            ui.label(tone.map_or(text.clone(), |tone| text.color(tone))).on_hover_text(hint);
        });
    });
}
