//! What can be done about an unstable pose: each cure, what it takes, and a button that takes it.

use aplomb_sim::scene::Cure;
use aplomb_sim::stats::report::{CureReport, CureStage, Stability, Verdict};
use egui::{Button, Grid, RichText, Role, Ui, WidgetInfo};

use crate::document::Action;
use crate::panels::Look;
use crate::panels::desk::CURES;
use crate::panels::outliner::grouped;
use crate::theme::meaning;
use crate::widgets::{percent, primary_button, significant};

/// Draws the button that compares them.
pub fn button(ui: &mut Ui, look: &mut Look<'_>) {
    let idle = !look.main.activity.is_busy();
    let button = ui.add_enabled(idle, Button::new("Compare cures"));
    if button.on_hover_text("Try each cure on a copy, and list what it takes (Esc gives up)").clicked() {
        look.actions.push(Action::CompareCures);
    }
}

/// Draws the button that leads on where the pose is unstable: to the cures, or the one that changes least of them; whether it leads anywhere.
pub fn lead(ui: &mut Ui, look: &mut Look<'_>) -> bool {
    let Some(stability) = look.valid_certificate().and_then(|certificate| certificate.report.stability.as_ref()) else { return false };
    if stability.verdict != Verdict::Unstable {
        return false;
    }
    // What stiffens least of it; of those that stiffen nothing the first, and the reports come the cheapest first.
    let helping = stability.cures.iter().filter(|report| report.helps);
    let best = helping.min_by(|a, b| a.stiffened_mass.total_cmp(&b.stiffened_mass));
    let (label, action) = match best {
        Some(report) => (label(report), Action::UseCure(report.cure)),
        None if stability.cures.is_empty() => ("Look for a cure".to_owned(), Action::CompareCures),
        None => return false,
    };
    let hint = match best {
        Some(report) => details(report),
        None => "Try each cure on a copy, and list what it takes (Esc gives up)".to_owned(),
    };
    let idle = !look.main.activity.is_busy();
    if primary_button(ui, idle, &label).on_hover_text(hint).clicked() {
        look.actions.push(action);
    }
    true
}

/// What a button that takes a cure says.
fn label(report: &CureReport) -> String {
    let takes = takes(report);
    match report.cure {
        Cure::UniformStiffening => format!("Stiffen all {takes}"),
        Cure::LocalStiffening => format!("Stiffen {} elements {takes}", grouped(report.stiffened_elements)),
        Cure::TensionShift => format!("Put it under tension, {takes}"),
        Cure::LessPush => "Let it push less".to_owned(),
        Cure::InOrder => format!("All in turn, {takes}"),
        Cure::None => String::new(),
    }
}

/// Draws the table of those that were tried.
pub fn show(ui: &mut Ui, look: &mut Look<'_>, stability: &Stability) {
    if stability.cures.is_empty() {
        return;
    }
    let colors = meaning(ui);
    let idle = !look.main.activity.is_busy();
    Grid::new("cures").num_columns(4).spacing([6.0, 4.0]).show(ui, |ui| {
        for title in ["Cure", "takes", "softest then", ""] {
            ui.label(RichText::new(title).color(colors.dim).small());
        }
        ui.end_row();
        for report in &stability.cures {
            let (name, what) = CURES.iter().find(|cure| cure.0 == report.cure).map_or(("?", ""), |cure| (cure.1, cure.2));
            let used = stability.cured_by == Some(report.cure);
            let tone = if report.helps { colors.good } else { colors.dim };
            ui.label(RichText::new(name).color(tone)).on_hover_text(what);
            ui.label(RichText::new(takes(report)).small()).on_hover_text(details(report));
            let eigenvalue = format!("{} N/m", significant(report.smallest_eigenvalue, 2));
            let softest = if report.helps { eigenvalue.as_str() } else { "does not help" };
            ui.label(RichText::new(softest).color(tone).small()).on_hover_text(details(report));
            let button = ui.add_enabled(idle && report.helps && !used, Button::new(if used { "in use" } else { "Use" }).small());
            button.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Use cure: {name}")));
            if button.on_hover_text("Make it the cure of the scene, and initialise again").clicked() {
                look.actions.push(Action::UseCure(report.cure));
            }
            ui.end_row();
        }
    });
}

fn takes(report: &CureReport) -> String {
    let parts = [
        report.push_weight.map(|weight| format!("w {}", significant(weight, 3))),
        report.tension.map(|tension| format!("β {}", significant(tension, 3))),
        // Rounded up, so that what is told is enough.
        report.factor.map(|factor| format!("× {}", significant((1000.0 * factor).ceil() / 1000.0, 8))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "–".to_owned() } else { parts.join(" ") }
}

fn details(report: &CureReport) -> String {
    let pushing = match report.largest_push {
        push if push > 0.0 => format!("springs push with {} N at most; ", significant(push, 2)),
        _ => String::new(),
    };
    let stage = |stage: &CureStage| {
        let name = CURES.iter().find(|cure| cure.0 == stage.cure).map_or("?", |cure| cure.1);
        format!("{name} leaves {}{}; ", stage.negative_eigenvalues, if stage.kept { "" } else { ", left out" })
    };
    let stages: String = report.stages.iter().map(stage).collect();
    format!(
        "{stages}{pushing}{} elements stiffened, {} of the mass; {} negative eigenvalues left; out of balance {}; det F changes by {} at most; found in {} s",
        grouped(report.stiffened_elements),
        percent(report.stiffened_mass),
        report.negative_eigenvalues,
        percent(report.residual),
        significant(report.max_compression_change, 2),
        significant(report.seconds, 2)
    )
}
