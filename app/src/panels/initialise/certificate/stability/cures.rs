//! What can be done about an unstable pose: each cure, what it takes, and a button that takes it.

use aplomb_sim::stats::report::{CureReport, Stability};
use egui::{Button, Grid, RichText, Role, Ui, WidgetInfo};

use crate::document::Action;
use crate::panels::Look;
use crate::panels::desk::CURES;
use crate::panels::outliner::grouped;
use crate::theme::meaning;
use crate::widgets::{percent, significant};

/// Draws the button that compares them.
pub fn button(ui: &mut Ui, look: &mut Look<'_>) {
    let idle = !look.main.activity.is_busy();
    let button = ui.add_enabled(idle, Button::new("Compare cures"));
    if button.on_hover_text("Try each cure on a copy, and list what it takes (Esc gives up)").clicked() {
        look.actions.push(Action::CompareCures);
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
    match (report.factor, report.tension, report.push_weight) {
        // Rounded up, so that what is told is enough.
        (Some(factor), ..) => format!("× {}", significant((1000.0 * factor).ceil() / 1000.0, 8)),
        (None, Some(tension), _) => format!("β {}", significant(tension, 3)),
        (None, None, Some(weight)) => format!("w {}", significant(weight, 3)),
        (None, None, None) => "–".to_owned(),
    }
}

fn details(report: &CureReport) -> String {
    let pushing = match report.largest_push {
        push if push > 0.0 => format!("springs push with {} N at most; ", significant(push, 2)),
        _ => String::new(),
    };
    format!(
        "{pushing}{} elements stiffened, {} of the mass; {} negative eigenvalues left; out of balance {}; det F changes by {} at most; found in {} s",
        grouped(report.stiffened_elements),
        percent(report.stiffened_mass),
        report.negative_eigenvalues,
        percent(report.residual),
        significant(report.max_compression_change, 2),
        significant(report.seconds, 2)
    )
}
