//! What cannot be balanced, and where: parts that nothing holds, elements that are too soft.

use aplomb_sim::scene::Mend;
use egui::{RichText, Ui};

use super::stability::swing;
use crate::document::{Action, Choice, mend_hint, mend_label, mended};
use crate::panels::outliner::grouped;
use crate::panels::{Look, show_the_place};
use crate::session::{Certificate, Motion};
use crate::theme::meaning;
use crate::widgets::{fact_row, primary_button, section, significant};

/// Draws the part; open where something is amiss.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, certificate: &Certificate) {
    let (report, colors) = (&certificate.report, meaning(ui));
    let (parts, soft, stiffened) = (report.infeasible.len(), report.unattainable.elements, report.stiffened.elements);
    let outcome = &report.outcome;
    let amiss = !outcome.holds;
    let summary = match (parts, soft) {
        (0, 0) if amiss => outcome.verdict.to_string(),
        (0, 0) if stiffened > 0 => format!("{} stiffened", grouped(stiffened)),
        (0, 0) => "possible".to_owned(),
        (_, 0) => format!("{parts} problem{}", if parts == 1 { "" } else { "s" }),
        _ => format!("{} too soft", grouped(soft)),
    };
    let tone = match (amiss, stiffened) {
        (true, _) => super::tone(outcome.verdict, colors),
        (false, 0) => colors.good,
        (false, _) => colors.warning,
    };
    section(ui, "Feasibility", &summary, Some(tone), amiss || stiffened > 0, |ui| {
        if !amiss && stiffened == 0 {
            ui.label(RichText::new("Every part is held, and every element can make its force.").color(colors.dim).small());
        }
        if let Some(reason) = outcome.reason.as_ref().filter(|_| amiss && parts == 0) {
            ui.label(RichText::new(reason).color(tone).small());
        }
        if let (Some(fault), true) = (report.infeasible.first(), look.valid_certificate().is_some()) {
            // What it is stands with its remedy under the verdict.
            ui.label(RichText::new(crate::panels::fault_title(fault)).color(tone).small());
        }
        gives_way(ui, look, certificate);
        let told = usize::from(look.valid_certificate().is_some());
        for fault in report.infeasible.iter().skip(told) {
            ui.label(RichText::new(&fault.message).color(tone).small());
            ui.horizontal_wrapped(|ui| {
                mend_button(ui, look, fault.mend.as_ref(), false);
                show_the_place(ui, look, Some(fault.place.into()));
            });
        }
        if soft > 0 {
            fact_row(
                ui,
                "Beyond the material",
                &grouped(soft),
                Some(colors.error),
                "Elements whose law cannot make the force asked of them",
            );
            if let Some(factor) = report.unattainable.stiffness_factor {
                let factor = format!("× {}", significant(factor, 8));
                fact_row(ui, "Stiffness needed", &factor, None, "Factor with which all of them can, and a little more");
            }
            show_button(ui, look, "Show these elements", "too soft for their force", certificate.findings.too_soft.to_vec());
        }
        if stiffened > 0 {
            fact_row(ui, "Stiffened", &grouped(stiffened), None, "Elements made stiffer than authored, so that they can make their force");
            let most = format!("× {}", significant(report.stiffened.max_factor, 3));
            fact_row(ui, "by at most", &most, None, "Largest factor on a stiffness");
            let factors = certificate.findings.stiffening.iter().enumerate();
            let elements = factors.filter(|(_, factor)| **factor != 1.0).map(|(element, _)| element as u32).collect();
            show_button(ui, look, "Show stiffened elements", "stiffened", elements);
        }
    });
}

/// The button that plays how what has no balance begins to move, and how far.
fn gives_way(ui: &mut Ui, look: &mut Look<'_>, certificate: &Certificate) {
    if certificate.findings.gives_way.is_empty() {
        return;
    }
    let playing = look.desk.mode.is_some_and(|played| played.motion == Motion::GivesWay);
    let (word, hint) = match playing {
        true => ("Stop", "Back to the pose (Esc)"),
        false => ("Play how it gives way", "Move the points as the forces that nothing balances begin to"),
    };
    if ui.button(word).on_hover_text(hint).clicked() {
        look.actions.push(Action::PlayMode((!playing).then_some(Motion::GivesWay)));
    }
    swing(ui, look);
}

/// The button that mends a fault, where it can be mended so: the one that the user is led to, or one among others.
pub fn mend_button(ui: &mut Ui, look: &mut Look<'_>, mend: Option<&Mend>, leads: bool) {
    let Some(mend) = mend.filter(|mend| mended(look.document.scene(), mend).is_some()) else { return };
    let (label, idle) = (mend_label(mend), !look.main.activity.is_busy());
    let button = if leads { primary_button(ui, idle, &label) } else { ui.add_enabled(idle, egui::Button::new(label)) };
    if button.on_hover_text(mend_hint(mend)).clicked() {
        look.actions.push(Action::Mend(mend.clone()));
    }
}

/// A button that points elements out.
pub fn show_button(ui: &mut Ui, look: &mut Look<'_>, label: &str, what: &str, elements: Vec<u32>) {
    if ui.button(label).on_hover_text("Point them out, and move the camera there").clicked() {
        let what = format!("{} elements {what}", grouped(elements.len()));
        look.actions.push(Action::ShowElements(Choice { what, elements: elements.into(), bars: None }));
    }
}
