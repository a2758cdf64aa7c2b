//! A mesh for programs that take it as undeformed: looked for, shown as a ghost, exported.

use aplomb_sim::math::Vec3;
use aplomb_sim::rest_shape::{RestMethod, RestShapeReport};
use egui::{RichText, Ui};

use super::Look;
use super::outliner::grouped;
use crate::document::{Action, FileAction};
use crate::session::Activity;
use crate::theme::{Meaning, meaning};
use crate::widgets::{card, dense, fact_row, percent, section, significant};

/// Draws the panel.
pub fn show(ui: &mut Ui, look: &mut Look<'_>) {
    let colors = meaning(ui);
    let main = look.main;
    let found = main.rest_shape.as_ref().map(|found| &found.report);
    let (summary, tone) = found.map_or(("for other programs", None), |report| {
        let (words, tone) = verdict(report, colors);
        (words, Some(tone))
    });
    card(ui, |ui| {
        dense(ui);
        section(ui, "Rest mesh", summary, tone, found.is_some(), |ui| {
            let words = "A mesh that ordinary simulations, which take it as undeformed, hold in this pose.";
            ui.label(RichText::new(words).color(colors.dim).small());
            ui.horizontal(|ui| {
                let idle = !main.activity.is_busy();
                let ways = [
                    ("Rest mesh (inverse)", RestMethod::Inverse, "Solve for the mesh whose equilibrium is this pose"),
                    ("(estimate)", RestMethod::Estimate, "Relax the sag-free body without loads (Hsu et al. 2022): quick, and only near"),
                ];
                for (label, method, hint) in ways {
                    if ui.add_enabled(idle, egui::Button::new(label)).on_hover_text(hint).clicked() {
                        look.actions.push(Action::FindRestShape(method));
                    }
                }
            });
            if let Some(report) = found {
                result(ui, look, report);
            }
            ui.horizontal(|ui| {
                let idle = main.activity == Activity::Idle;
                let small = |label: &str| egui::Button::new(RichText::new(label).small());
                let mesh = ui.add_enabled(idle && found.is_some(), small("Export mesh…"));
                if mesh.on_hover_text("The rest mesh as a MEDIT file").clicked() {
                    look.actions.push(Action::Ask(FileAction::RestMesh));
                }
                let asset = ui.add_enabled(idle && look.is_current(), small("Export prepared asset…"));
                if asset.on_hover_text("Rest matrices of the elements and contact forces as they are now (Ctrl+E)").clicked() {
                    look.actions.push(Action::Ask(FileAction::PreparedAsset));
                }
            });
        });
    });
}

fn verdict(report: &RestShapeReport, colors: Meaning) -> (&'static str, egui::Color32) {
    match (report.exists, report.method) {
        (true, _) => ("holds the pose", colors.good),
        (false, RestMethod::Inverse) => ("none exists", colors.warning),
        (false, RestMethod::Estimate) => ("near the pose", colors.warning),
    }
}

fn result(ui: &mut Ui, look: &mut Look<'_>, report: &RestShapeReport) {
    let colors = meaning(ui);
    let tone = Some(verdict(report, colors).1);
    let residual = "Net force over the largest load when other programs start with it in the given pose";
    fact_row(ui, "Out of balance", &percent(report.residual), tone, residual);
    if report.method == RestMethod::Inverse {
        fact_row(ui, "Share of the load", &percent(report.load_share), None, "How far the load could be brought up");
    }
    fact_row(ui, "Largest displacement", &percent(report.max_displacement), None, "From the given shape, as a share of its diagonal");
    fact_row(ui, "Smallest volume ratio", &significant(report.min_rest_volume_ratio, 3), None, "Rest volume over given volume; above 0");
    if report.contacts > 0 {
        fact_row(ui, "Contacts counted on", &grouped(report.contacts), None, "The other program's contact must make their forces");
    }
    fact_row(ui, "Took", &format!("{} s", significant(report.seconds, 3)), None, "Wall time");
    if let Some(message) = &report.message {
        ui.label(RichText::new(message).color(colors.warning).small());
    }
    ui.horizontal(|ui| {
        ui.checkbox(&mut look.desk.rest_ghost, "Show as a ghost").on_hover_text("The rest mesh, translucent, over the pose");
        if let Some(place) = report.place
            && ui.button("Show the place").on_hover_text("Mark where it is most out of balance").clicked()
        {
            look.actions.push(Action::Show(vec![Vec3::from(place)]));
        }
    });
}
