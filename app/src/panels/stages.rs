//! The strip of stages that leads a newcomer: what is done, what comes next, and what each still needs.

use aplomb_sim::scene::{Method, RegionRole};
use aplomb_sim::stats::report::Conclusion;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Color32, FontFamily, FontId, Label, Layout, Rect, Response, RichText, Role, Sense, Ui, WidgetInfo, vec2};

use super::Look;
use super::desk::{BottomTab, RightTab};
use super::initialise::tone;
use crate::document::{Action, FileAction, Selection};
use crate::layout::Arrange;
use crate::session::Activity;
use crate::theme::{self, icons, meaning};

/// Height of a stage, room beside its words, and between two of them [points].
const HEIGHT: f32 = 24.0;
const MARGIN: f32 = 6.0;
const BETWEEN: f32 = 20.0;

/// How a stage stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    ToDo,
    AtWork,
    Done,
    /// What it came to is not of the scene as it is now.
    Stale,
    /// What it came to does not hold, or may not.
    Amiss(Conclusion),
}

impl State {
    fn words(self) -> &'static str {
        match self {
            Self::ToDo => "to do",
            Self::AtWork => "at work",
            Self::Done => "done",
            Self::Stale => "of an earlier state",
            Self::Amiss(_) => "failed",
        }
    }
}

/// A stage of the way from a mesh to an asset.
struct Stage {
    name: &'static str,
    state: State,
    /// What it needs, or what can be done there.
    needs: String,
    /// What a click does; none where nothing can be done yet.
    action: Option<Action>,
}

/// What pressing Initialise leads to.
fn promise(method: Method) -> &'static str {
    match method {
        Method::SagFree => "press Initialise, and the pose will hold",
        Method::Naive => "press Play to see it sag, or choose sag-free to hold the pose",
        Method::PinnedContacts => "press Initialise: contacts are taken as pins, a baseline to compare with",
        Method::NoContact => "press Initialise: contacts are left out, a baseline to compare with",
        Method::Settle => "press Initialise: particles run until they rest, and are frozen there",
    }
}

/// The verdict on what was initialised, if it is not that it holds, and why.
fn fault(look: &Look<'_>) -> Option<(Conclusion, String)> {
    let chosen = look.main.method != Method::Naive || look.desk.method == Method::Naive;
    let outcome = look.outcome().filter(|outcome| chosen && outcome.verdict != Conclusion::Holds)?;
    let reason = outcome.reason.as_deref().and_then(|reason| reason.lines().next()).unwrap_or_default();
    Some((outcome.verdict, format!("{}: {reason}", outcome.verdict)))
}

/// The stages, and the one at hand.
fn all(look: &Look<'_>) -> (Vec<Stage>, Option<usize>) {
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
    let (loaded, empty, busy) = (look.main.model.is_some(), scene.bodies.is_empty(), look.main.activity.is_busy());
    let fault = fault(look);
    let done = |is: bool| if is { State::Done } else { State::ToDo };
    let stale = look.main.certificate.as_ref().is_some_and(|certificate| certificate.is_stale(scene) || !look.is_current());
    let initialise = match (&fault, look.main.activity) {
        (_, Activity::Initialising) => State::AtWork,
        (Some((verdict, _)), _) => State::Amiss(*verdict),
        (None, _) if stale => State::Stale,
        (None, _) => done(current),
    };
    let imported = if look.main.is_unbuilt { State::Amiss(Conclusion::DoesNotHold) } else { done(loaded) };
    let import = match (empty, look.document.problems.is_empty()) {
        (true, true) => "bring a mesh: File, Import",
        (true, false) => "the file was not opened: Problems says why",
        (false, _) if look.main.is_unbuilt => "it cannot be simulated: Problems says why",
        (false, _) if loaded => "bring another mesh",
        (false, _) => "reading the mesh",
    };
    let region =
        scene.bodies.iter().position(|body| !body.regions.is_empty()).map_or(Selection::Body(0), |body| Selection::Region(body, 0));
    let idle = !busy && !empty;
    let play = match &fault {
        Some((_, words)) => words.clone(),
        None if played => "shows what was recorded".to_owned(),
        None => "press Play".to_owned(),
    };
    let simulate = if played { Action::Arrange(Arrange::Front(BottomTab::Plots)) } else { Action::TogglePlay };
    let playing = played && (look.main.activity == Activity::Running || look.main.frame() < look.main.last_frame());
    let simulated = if playing { State::AtWork } else { done(played) };
    let stages = vec![
        Stage { name: "Import", state: imported, needs: import.to_owned(), action: Some(Action::Ask(FileAction::Import)) },
        Stage {
            name: "Regions",
            state: done(supported),
            needs: "paint what is fixed, or add an obstacle to stand on".to_owned(),
            action: (!empty).then_some(Action::Select(region)),
        },
        Stage {
            name: "Initialise",
            state: initialise,
            needs: match &fault {
                Some((_, words)) => words.clone(),
                None if current && !stale => "shows the certificate".to_owned(),
                None => promise(look.desk.method).to_owned(),
            },
            action: match current && !stale {
                true => Some(Action::ShowTab(RightTab::Certificate)),
                false => idle.then_some(Action::Initialise),
            },
        },
        Stage { name: "Simulate", state: simulated, needs: play, action: idle.then_some(simulate) },
        Stage {
            name: "Export",
            state: done(look.desk.exported),
            needs: if loaded {
                "write bodies, the run, or a prepared asset".to_owned()
            } else {
                "there is nothing to write yet".to_owned()
            },
            action: (loaded && !empty).then_some(Action::Ask(FileAction::Bodies)),
        },
    ];
    let next = match &fault {
        _ if look.desk.preview.is_some() => Some(0),
        _ if look.desk.brush.on => Some(1),
        Some(_) => Some(2),
        // Nobody has to export.
        None => stages.iter().take(4).position(|stage| stage.state != State::Done).or(played.then_some(3)),
    };
    (stages, next)
}

/// Draws the strip about the middle of `bar`, between `from` and `to`; without the names of what is not at hand where they have no room.
pub fn stages(ui: &mut Ui, look: &mut Look<'_>, bar: Rect, (from, to): (f32, f32)) {
    let (stages, at_hand) = all(look);
    let words = |named: &dyn Fn(usize) -> bool| -> Vec<_> {
        stages.iter().enumerate().map(|(index, stage)| words_of(ui, stage, at_hand == Some(index), named(index))).collect()
    };
    let width = |words: &[std::sync::Arc<egui::Galley>]| {
        words.iter().map(|words| words.size().x + 2.0 * MARGIN).sum::<f32>() + BETWEEN * (words.len() - 1) as f32
    };
    let tries: [&dyn Fn(usize) -> bool; 3] = [&|_| true, &|index| Some(index) == at_hand, &|_| false];
    let Some(words) = tries.into_iter().map(words).find(|words| width(words) <= to - from) else { return };
    let width = width(&words);
    let start = (bar.center().x - 0.5 * width).clamp(from, to - width);
    let mut x = start;
    let colors = meaning(ui);
    for (index, (stage, words)) in stages.iter().zip(words).enumerate() {
        if index > 0 {
            let at = egui::pos2(x + 0.5 * BETWEEN, bar.center().y);
            ui.painter().text(at, egui::Align2::CENTER_CENTER, icons::NEXT, FontId::proportional(11.0), colors.off);
            x += BETWEEN;
        }
        let rect = Rect::from_min_size(egui::pos2(x, bar.center().y - 0.5 * HEIGHT), vec2(words.size().x + 2.0 * MARGIN, HEIGHT));
        x = rect.right();
        if stage_button(ui, stage, rect, words, at_hand == Some(index)).clicked() {
            look.actions.extend(stage.action.clone());
        }
    }
}

/// The icon and the name of a stage.
fn words_of(ui: &Ui, stage: &Stage, at_hand: bool, named: bool) -> std::sync::Arc<egui::Galley> {
    let colors = meaning(ui);
    let (icon, color) = match stage.state {
        State::Done => (icons::DONE, colors.good),
        State::Stale => (icons::STALE, colors.warning),
        State::Amiss(verdict) => (if verdict == Conclusion::DoesNotHold { icons::FAILED } else { icons::HALF }, tone(verdict, colors)),
        State::AtWork => (icons::HALF, colors.accent),
        State::ToDo if at_hand => (icons::HALF, colors.accent),
        State::ToDo => (icons::TO_DO, colors.dim),
    };
    let text: Color32 = match (at_hand, stage.state) {
        (true, _) => ui.visuals().strong_text_color(),
        (false, State::ToDo) => colors.dim,
        (false, _) => ui.visuals().text_color(),
    };
    let mut job = LayoutJob::default();
    let format = |font, color| TextFormat { valign: Align::Center, ..TextFormat::simple(font, color) };
    let family = if icon == icons::TO_DO { FontFamily::Proportional } else { theme::filled() };
    job.append(icon, 0.0, format(FontId::new(13.0, family), color));
    if named {
        job.append(stage.name, 5.0, format(FontId::proportional(13.0), text));
    }
    ui.painter().layout_job(job)
}

fn stage_button(ui: &mut Ui, stage: &Stage, rect: Rect, words: std::sync::Arc<egui::Galley>, at_hand: bool) -> Response {
    let colors = meaning(ui);
    let enabled = stage.action.is_some();
    let response = ui.interact(rect, ui.make_persistent_id(("stage", stage.name)), if enabled { Sense::click() } else { Sense::hover() });
    response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, at_hand, format!("Stage {}", stage.name)));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(format!("{}: {}", stage.state.words(), stage.needs)));
    if at_hand {
        ui.painter().rect_filled(rect, 4.0, colors.selected[0]);
    } else if enabled && response.hovered() {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.inactive.weak_bg_fill);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 4.0, egui::Stroke::new(1.5, colors.accent), egui::StrokeKind::Outside);
    }
    let at = rect.left_center() + vec2(MARGIN, -0.5 * words.size().y);
    ui.painter().galley(at, words, colors.dim);
    response.on_hover_text(format!("{}, {}: {}", stage.name, stage.state.words(), stage.needs))
}

/// Draws what comes next, or what is going on, from the right.
pub fn words(ui: &mut Ui, look: &Look<'_>) {
    let colors = meaning(ui);
    let looking = look.desk.preview.as_ref().map(|preview| match preview.error {
        None => format!("looking at {}: Import makes it a body", preview.name()),
        Some(_) => format!("{} cannot be used", preview.name()),
    });
    let (stages, next) = all(look);
    let fault = fault(look);
    let words = match (looking, look.main.activity, &look.desk.note, next) {
        (Some(words), ..) => words,
        (None, Activity::Loading | Activity::Initialising | Activity::Working, ..) => {
            look.main.progress.as_ref().map_or_else(String::new, |progress| progress.stage.clone())
        }
        (None, _, Some(note), _) => note.clone(),
        // What is wrong stands in the strip over the views.
        (None, _, None, _) if look.document.problems.is_empty() && super::fault::has_strip(look) => String::new(),
        (None, _, None, Some(next)) if !matches!(stages[next].state, State::Done | State::AtWork) => stages[next].needs.clone(),
        (None, ..) => String::new(),
    };
    let color = fault.filter(|fault| fault.1 == words).map_or(colors.dim, |(verdict, _)| tone(verdict, colors));
    let count = look.problem_count();
    if count > 0 && look.desk.preview.is_none() {
        let text = format!("{count} problem{}", if count == 1 { "" } else { "s" });
        ui.label(RichText::new(text).color(colors.error).family(theme::strong()));
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.add(Label::new(RichText::new(&words).color(color)).truncate()).on_hover_text(&words);
    });
}
