//! What is wrong with a file, in plain words: each with its place and, where that is safe, its repair.

use aplomb_sim::mesh::health::{Finding, Highlight};
use aplomb_sim::scene::SurfaceRepair;
use egui::{Align, Button, Layout, ProgressBar, RichText, Role, Ui, WidgetInfo};

use crate::preview::Preview;
use crate::theme::meaning;
use crate::widgets::{dense, heading, significant};

/// What was asked for by a click.
enum Wish {
    Point(Option<usize>),
    Toggle(SurfaceRepair),
}

/// Draws the report, as far as it is ready.
pub fn show(ui: &mut Ui, preview: &mut Preview) {
    let colors = meaning(ui);
    heading(ui, "Health");
    if let Some((stage, done)) = preview.stage.as_ref().filter(|_| preview.outdated) {
        ui.label(RichText::new(stage).color(colors.dim).small());
        ui.add(ProgressBar::new(*done as f32).desired_height(6.0));
    }
    let mut wish = None;
    if let Some(report) = &preview.report {
        for repair in &preview.choices.repair {
            let mut on = true;
            let done = done(preview, *repair);
            if ui.checkbox(&mut on, RichText::new(name(*repair)).color(colors.good)).on_hover_text(hint(*repair)).changed() {
                wish = Some(Wish::Toggle(*repair));
            }
            for words in done {
                ui.label(RichText::new(words).color(colors.dim).small());
            }
        }
        let findings = &report.health.findings;
        if findings.is_empty() && !preview.outdated {
            ui.label(RichText::new("Nothing is wrong with it.").color(colors.good));
        }
        for (index, finding) in findings.iter().enumerate() {
            wish = entry(ui, preview, index, finding).or(wish);
        }
        if !findings.is_empty() {
            ui.label(RichText::new("What is mended is mended in the scene: the file stays as it is.").color(colors.dim).small());
        }
    }
    match wish {
        Some(Wish::Point(finding)) => preview.point_at(finding),
        Some(Wish::Toggle(repair)) => preview.toggle(repair),
        None => {}
    }
}

/// One finding: its words, Show and Fix.
fn entry(ui: &mut Ui, preview: &Preview, index: usize, finding: &Finding) -> Option<Wish> {
    let colors = meaning(ui);
    let mut wish = None;
    ui.push_id(index, |ui| {
        ui.separator();
        dense(ui);
        ui.label(RichText::new(&finding.problem.message).color(if finding.problem.fixed { colors.dim } else { colors.warning }));
        ui.horizontal(|ui| {
            let shown = preview.pointed == Some(index);
            if finding.place != Highlight::default() {
                let button = Button::selectable(shown, RichText::new("Show").small()).frame_when_inactive(true);
                let show = ui.add_enabled(!preview.outdated, button).on_hover_text("Point it out, and move the camera there");
                let label = format!("Show {}", first_words(&finding.problem.message));
                show.widget_info(|| WidgetInfo::selected(Role::Button, true, shown, &label));
                if show.clicked() {
                    wish = Some(Wish::Point((!shown).then_some(index)));
                }
            }
            if let Some(fix) = finding.fix.filter(|fix| !preview.choices.repair.contains(fix)) {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let button = ui.add_enabled(!preview.outdated, Button::new(RichText::new(name(fix)).small()));
                    let label = format!("Fix: {}", name(fix));
                    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
                    if button.on_hover_text(hint(fix)).clicked() {
                        wish = Some(Wish::Toggle(fix));
                    }
                });
            }
        });
    });
    wish
}

/// What a repair that is chosen did, in words.
fn done(preview: &Preview, repair: SurfaceRepair) -> Vec<String> {
    let alone = preview.choices.repair.len() == 1;
    let last = preview.choices.repair.last() == Some(&repair);
    let Some(report) = preview.report.as_ref().filter(|_| (alone || last) && !preview.outdated) else { return Vec::new() };
    report.done.iter().map(|problem| problem.message.clone()).collect()
}

/// The beginning of a message, for the name of its button.
fn first_words(message: &str) -> String {
    message.split([':', ';', '.', '(']).next().unwrap_or(message).trim().to_owned()
}

/// A repair as an order.
pub fn name(repair: SurfaceRepair) -> String {
    match repair {
        SurfaceRepair::Weld(0.0) => "Join equal vertices".to_owned(),
        SurfaceRepair::Weld(share) => format!("Join vertices within {} %", significant(100.0 * share, 2)),
        SurfaceRepair::DropBad => "Drop bad triangles".to_owned(),
        SurfaceRepair::DropLoose => "Drop loose vertices".to_owned(),
        SurfaceRepair::Orient => "Turn faces outward".to_owned(),
        SurfaceRepair::FillHoles(edges) => format!("Close holes up to {edges} edges"),
    }
}

fn hint(repair: SurfaceRepair) -> &'static str {
    match repair {
        SurfaceRepair::Weld(_) => {
            "Join vertices that are nearer than this share of the diagonal, where no edge gets more than two triangles by it"
        }
        SurfaceRepair::DropBad => "Leave out triangles that are given twice or have no area",
        SurfaceRepair::DropLoose => "Leave out vertices that no triangle uses",
        SurfaceRepair::Orient => "Turn triangles so that neighbours agree and closed parts face outward",
        SurfaceRepair::FillHoles(_) => "Close holes whose border has at most so many edges",
    }
}
