//! The strip of stages that leads a newcomer: what is done, and what comes next.

use aplomb_sim::scene::{Method, RegionRole};
use aplomb_sim::stats::report::Conclusion;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, FontFamily, FontId, RichText, Ui};

use super::Look;
use super::initialise::tone;
use crate::session::Activity;
use crate::theme::{self, icons, meaning};

/// What pressing Initialise leads to.
fn promise(method: Method) -> &'static str {
    match method {
        Method::SagFree => "press Initialise, and the pose will hold",
        Method::Naive => "press Play to see it sag, or choose sag-free to hold the pose",
        Method::PinnedContacts => "press Initialise: contacts are taken as pins, a baseline to compare with",
        Method::NoContact => "press Initialise: contacts are left out, a baseline to compare with",
    }
}

/// Draws the strip.
pub fn stages(ui: &mut Ui, look: &Look<'_>) {
    let scene = look.document.scene();
    let holds = |role: &RegionRole| match role {
        RegionRole::Dirichlet { .. } => true,
        RegionRole::Pressure(pressure) => pressure.surface.is_some(),
        _ => false,
    };
    let held = scene.bodies.iter().flat_map(|body| &body.regions).any(|region| holds(&region.role));
    let supported = held || !scene.obstacles.is_empty() || scene.gravity == [0.0; 3];
    let chosen = look.main.method != Method::Naive || look.desk.method == Method::Naive;
    let current = look.is_current() && chosen;
    let played = !look.main.series.is_empty();
    let colors = meaning(ui);
    let outcome = look.outcome().filter(|_| chosen);
    let verdict = outcome.map_or(Conclusion::Holds, |outcome| outcome.verdict);
    let amiss = verdict != Conclusion::Holds;
    let play = match outcome {
        Some(outcome) if amiss => {
            let reason = outcome.reason.as_deref().and_then(|reason| reason.lines().next()).unwrap_or_default();
            format!("{verdict}: {reason}")
        }
        _ => "press Play".to_owned(),
    };
    let import = match (scene.bodies.is_empty(), look.document.problems.is_empty()) {
        (true, true) => "bring a mesh: File, Import",
        (true, false) => "the file was not opened: Problems says why",
        (false, _) => "reading the mesh",
    };
    let stages = [
        ("Import", look.main.model.is_some(), import),
        ("Regions", supported, "paint what is fixed, or add an obstacle to stand on"),
        ("Initialise", current, promise(look.desk.method)),
        ("Simulate", played, play.as_str()),
    ];
    let next = if look.desk.preview.is_some() { Some(0) } else { stages.iter().position(|stage| !stage.1) };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.add_space(8.0);
        for (i, (name, done, _)) in stages.iter().enumerate() {
            if i > 0 {
                ui.label(RichText::new(icons::NEXT).color(colors.off).small());
            }
            let is_next = Some(i) == next;
            let (icon, color) = match (*done, is_next) {
                // What does not hold does not lead on.
                (_, true) if *name == "Simulate" && amiss => (icons::TO_DO, colors.dim),
                (_, true) => (icons::HALF, colors.accent),
                (true, false) if *name == "Initialise" && amiss => (icons::FAILED, tone(verdict, colors)),
                (true, false) => (icons::DONE, colors.good),
                (false, false) => (icons::TO_DO, colors.dim),
            };
            let mut job = LayoutJob::default();
            let format = |font, color| TextFormat { valign: Align::Center, ..TextFormat::simple(font, color) };
            let family = if icon == icons::TO_DO { FontFamily::Proportional } else { theme::filled() };
            job.append(icon, 0.0, format(FontId::new(13.0, family), color));
            let text = if *done || is_next { ui.visuals().text_color() } else { colors.dim };
            job.append(name, 4.0, format(FontId::new(13.0, if is_next { theme::strong() } else { FontFamily::Proportional }), text));
            let label = ui.add(egui::Label::new(job).selectable(false));
            label.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, *name));
        }
        ui.add_space(4.0);
        let looking = look.desk.preview.as_ref().map(|preview| match preview.error {
            None => format!("looking at {}: Import makes it a body", preview.name()),
            Some(_) => format!("{} cannot be used", preview.name()),
        });
        if let Some(words) = looking {
            ui.add(egui::Label::new(RichText::new(&words).color(colors.dim)).truncate()).on_hover_text(&words);
            return;
        }
        let words = match (look.main.activity, &look.desk.note, next) {
            (Activity::Loading | Activity::Initialising | Activity::Working, ..) => {
                look.main.progress.as_ref().map_or("", |progress| progress.stage.as_str())
            }
            (_, Some(note), _) => note.as_str(),
            (_, None, Some(next)) => stages[next].2,
            (_, None, None) if amiss => play.as_str(),
            (_, None, None) => "",
        };
        let color = if amiss && words == play { tone(verdict, colors) } else { colors.dim };
        let count = look.problem_count();
        if count == 0 {
            ui.add(egui::Label::new(RichText::new(words).color(color)).truncate()).on_hover_text(words);
        } else {
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                let text = format!("{count} problem{}", if count == 1 { "" } else { "s" });
                ui.label(RichText::new(text).color(colors.error).strong());
                ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(words).color(color)).truncate()).on_hover_text(words);
                });
            });
        }
    });
}
