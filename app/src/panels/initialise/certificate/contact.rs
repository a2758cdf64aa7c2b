//! Contact: how many carry load, how much, and whether all of it is possible.

use aplomb_sim::stats::report::InitReport;
use egui::Ui;

use crate::panels::outliner::grouped;
use crate::theme::Meaning;
use crate::widgets::{fact_row, percent, quantity, section};

/// Draws the part, where there is contact.
pub fn show(ui: &mut Ui, report: &InitReport, colors: Meaning) {
    let contact = &report.contact;
    if report.contacts == 0 {
        return;
    }
    // What is no number is not well either.
    let pulls = contact.min_normal_force.is_some_and(|least| least.is_nan() || least < 0.0);
    let slips = contact.max_cone_violation.is_nan() || contact.max_cone_violation > 1e-9;
    let tone = match report.outcome.holds {
        _ if pulls || slips => colors.warning,
        true => colors.good,
        // Of a pose that does not hold, no part is praised.
        false => colors.dim,
    };
    let count = format!("{} of {} push", grouped(contact.active), grouped(report.contacts));
    section(ui, "Contact", &count, Some(tone), pulls || slips, |ui| {
        fact_row(ui, "In use, of those found", &count, None, "Contacts that carry force, of those offered");
        if contact.pairs > 0 {
            fact_row(
                ui,
                "Between surfaces",
                &grouped(contact.pairs),
                None,
                "Of all contacts, those of bodies with each other, themselves, or meshes",
            );
        }
        if let Some(in_hand) = contact.friction_in_hand {
            let tone = (in_hand.is_nan() || in_hand <= 0.0).then_some(colors.warning);
            fact_row(
                ui,
                "Friction in hand",
                &format!("{} of µ", percent(in_hand)),
                tone,
                "What the balance leaves of the friction for pushes",
            );
        }
        fact_row(ui, "Sum of normal forces", &quantity(contact.total_normal_force, "N"), None, "On level ground, the weight");
        if let Some(least) = contact.min_normal_force {
            let tone = pulls.then_some(colors.error);
            fact_row(ui, "Smallest normal force", &quantity(least, "N"), tone, "Below zero a contact would have to pull");
        }
        if let Some(gap) = report.gap {
            let tone = (!report.gap_reached).then_some(colors.warning);
            fact_row(ui, "Accuracy", &percent(gap.max(0.0).sqrt()), tone, "Of the contact forces: the square root of the duality gap");
        }
        if report.reserve_contacts > 0 {
            let hint = "Crossings of edges taken in as contacts, because there was no balance without";
            fact_row(ui, "Taken in", &grouped(report.reserve_contacts), Some(colors.warning), hint);
        }
        if report.self_contact_dropped > 0 {
            let hint = "Contacts of bodies with themselves left out, because there was no balance with them";
            fact_row(ui, "Left out", &grouped(report.self_contact_dropped), Some(colors.warning), hint);
        }
        let tone = slips.then_some(colors.warning);
        fact_row(ui, "Cone violation", &percent(contact.max_cone_violation), tone, "Friction beyond µ times the normal force");
    });
}
