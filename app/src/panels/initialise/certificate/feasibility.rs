//! What cannot be balanced, and where: parts that nothing holds, elements that are too soft.

use aplomb_sim::math::Vec3;
use egui::{RichText, Ui};

use crate::document::{Action, Choice};
use crate::panels::Look;
use crate::panels::outliner::grouped;
use crate::session::Certificate;
use crate::theme::meaning;
use crate::widgets::{fact_row, section, significant};

/// Draws the part; open where something is amiss.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, certificate: &Certificate) {
    let (report, colors) = (&certificate.report, meaning(ui));
    let (parts, soft) = (report.infeasible.len(), report.unattainable.elements);
    let amiss = parts + soft > 0;
    let summary = match (parts, soft) {
        (0, 0) => "possible".to_owned(),
        (_, 0) => format!("{parts} problem{}", if parts == 1 { "" } else { "s" }),
        _ => format!("{} too soft", grouped(soft)),
    };
    let tone = if amiss { colors.error } else { colors.good };
    section(ui, "Feasibility", &summary, Some(tone), amiss, |ui| {
        if !amiss {
            ui.label(RichText::new("Every part is held, and every element can make its force.").color(colors.dim).small());
        }
        for fault in &report.infeasible {
            ui.label(RichText::new(&fault.message).color(colors.error).small());
            if ui.button("Show the place").on_hover_text("Mark it, and move the camera there").clicked() {
                look.actions.push(Action::Show(vec![Vec3::from(fault.place)]));
            }
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
                let factor = format!("× {}", significant(factor, 3));
                fact_row(ui, "Stiffness needed", &factor, None, "Least factor with which all of them could");
            }
            let indices = &report.unattainable.indices;
            show_button(ui, look, "Show these elements", "too soft for their force", indices);
        }
    });
}

/// A button that points elements out.
pub fn show_button(ui: &mut Ui, look: &mut Look<'_>, label: &str, what: &str, indices: &[usize]) {
    if ui.button(label).on_hover_text("Point them out, and move the camera there").clicked() {
        let what = format!("{} elements {what}", grouped(indices.len()));
        let elements = indices.iter().map(|&element| element as u32).collect();
        look.actions.push(Action::ShowElements(Choice { what, elements, bars: None }));
    }
}
