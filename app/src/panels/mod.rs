//! The panels: each is one file with one function; this list places them in the window.

mod available;
mod banner;
mod brush;
mod caption;
mod compare;
mod context;
mod desk;
mod drop;
mod fault;
mod file_card;
mod frame_times;
mod help;
mod histogram;
mod history;
mod import;
mod initialise;
mod inspector;
mod live;
mod outliner;
mod palette;
mod pattern;
mod picture;
mod pictures;
pub mod plots;
mod probe_plots;
mod probes;
mod problems;
mod push;
mod region_map;
mod rename;
mod rest_mesh;
mod shortcuts;
mod slice;
mod stages;
mod start;
pub mod timeline;
mod toolbar;
mod transport;
mod verdict;

use aplomb_sim::element::FieldKind;
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{Mend, Method, RegionRole};
use aplomb_sim::stats::report::{Conclusion, Infeasibility, Outcome};
use egui::Ui;

use crate::document::{Action, Document, RecentFiles, Selection};
use crate::session::{Activity, Certificate, Track};

pub use banner::{Banner, banner};
pub use brush::{BrushState, brush};
pub use caption::caption;
pub use compare::view_label;
pub use context::context_menu;
pub use desk::{BottomTab, ColorBy, Desk, FileCard, METHODS, PlayedMode, RightTab, Touch, method_words};
pub use drop::{drop_target, is_scene};
pub use fault::{show_the_place, strip, title as fault_title};
pub use file_card::{Browser, extensions, file_card};
pub use frame_times::frame_times;
pub use help::help;
pub use import::show as import_panel;
pub use palette::palette;
pub use pattern::{PatternState, draw as draw_pattern_point};
pub use picture::Picture;
pub use pictures::shooting;
pub use probes::{draw as draw_probes, places as probe_places};
pub use push::{Flash, Held, Push, draw_flash, draw_hand};
pub use region_map::MapState;
pub use shortcuts::{ShortcutsState, shortcuts};
pub use slice::{Slice, SliceAxis, handle as slice_handle, slice_card};
pub use stages::stages;
pub use start::{gallery_title, start};
pub use toolbar::{menus, toolbar};
pub use verdict::badge;

/// What a panel sees; what it wants done goes into `actions`.
pub struct Look<'a> {
    /// The scene being edited.
    pub document: &'a Document,
    /// The session at hand (B in the comparison).
    pub main: &'a Track,
    /// The session of A in the comparison.
    pub twin: Option<&'a Track>,
    /// Scenes that were opened lately.
    pub recent: &'a RecentFiles,
    /// How things are shown.
    pub desk: &'a mut Desk,
    /// What is to be done after the frame.
    pub actions: &'a mut Vec<Action>,
}

/// Why a pose does not hold, or may not.
pub struct Trouble {
    /// In a few words.
    pub title: String,
    /// What the pose comes to by it.
    pub verdict: Conclusion,
    /// The reason.
    pub message: String,
    /// Where [m], if it has a place.
    pub place: Option<Vec3>,
    /// What mends it, if a number of the scene does.
    pub mend: Option<Mend>,
}

/// Where a panel stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At the left side.
    Left,
    /// At the right side, above the tabs.
    Lead,
    /// One of the tabs at the right side, one above the other.
    Right(RightTab),
    /// A strip along the bottom.
    Strip,
    /// One of the tabs at the bottom.
    Tab(BottomTab),
}

/// Draws a panel, or a part of one.
pub type Show = fn(&mut Ui, &mut Look<'_>);

/// A panel of the window.
pub struct Panel {
    /// Its name.
    pub title: &'static str,
    /// Where it stands.
    pub place: Place,
    /// Draws it.
    pub show: Show,
}

/// Every panel.
pub const PANELS: &[Panel] = &[
    Panel { title: "Outliner", place: Place::Left, show: outliner::show },
    Panel { title: "Initialise", place: Place::Lead, show: initialise::show },
    Panel { title: "Inspector", place: Place::Right(RightTab::Object), show: inspector::show },
    Panel { title: "Certificate", place: Place::Right(RightTab::Certificate), show: initialise::certificate },
    Panel { title: "Rest mesh", place: Place::Right(RightTab::Certificate), show: rest_mesh::show },
    Panel { title: "Transport", place: Place::Strip, show: transport::show },
    Panel { title: "Plots", place: Place::Tab(BottomTab::Plots), show: plots::show },
    Panel { title: "Histogram", place: Place::Tab(BottomTab::Histogram), show: histogram::show },
    Panel { title: "Probes", place: Place::Tab(BottomTab::Probes), show: probe_plots::show },
    Panel { title: "Timeline", place: Place::Tab(BottomTab::Timeline), show: timeline::show },
    Panel { title: "Region map", place: Place::Tab(BottomTab::RegionMap), show: region_map::show },
    Panel { title: "Pattern", place: Place::Tab(BottomTab::Pattern), show: pattern::show },
    Panel { title: "History", place: Place::Tab(BottomTab::History), show: history::show },
    Panel { title: "Problems", place: Place::Tab(BottomTab::Problems), show: problems::show },
];

/// What some panels have at the right end of their bar of tabs, from the right.
pub const BARS: &[(BottomTab, Show)] = &[
    (BottomTab::Plots, plots::bar),
    (BottomTab::Histogram, histogram::bar),
    (BottomTab::RegionMap, region_map::bar),
    (BottomTab::Pattern, pattern::bar),
];

/// The height that a panel makes use of [points]; `None` where it is as much as there is.
pub fn height_of(tab: BottomTab, look: &Look<'_>) -> Option<f32> {
    match tab {
        BottomTab::Problems => Some(problems::height(look)),
        _ => None,
    }
}

impl Look<'_> {
    /// The time that is looked at [s].
    pub fn time_shown(&self) -> f64 {
        self.desk.playhead.unwrap_or_else(|| self.main.time())
    }

    /// Whether what is selected has keyframes, or can have.
    pub fn can_have_keys(&self) -> bool {
        let scene = self.document.scene();
        match self.document.selection {
            Selection::Obstacle(o) => o < scene.obstacles.len(),
            Selection::Region(b, r) => {
                let role = scene.bodies.get(b).and_then(|body| body.regions.get(r)).map(|region| &region.role);
                matches!(
                    role,
                    Some(RegionRole::Dirichlet { slip: None, follows: None, .. } | RegionRole::Dirichlet { motion: Some(_), .. })
                )
            }
            Selection::Scene | Selection::Body(_) | Selection::Probe(_) | Selection::Place(..) => false,
        }
    }

    /// The body that panels tell of: the one that is selected, or whose region is, or else the first.
    pub fn body_at_hand(&self) -> Option<usize> {
        let selected = match self.document.selection {
            Selection::Body(b) | Selection::Region(b, _) => Some(b),
            _ => None,
        };
        selected.or(Some(0)).filter(|b| *b < self.document.scene().bodies.len())
    }

    /// Everything wrong now: with the file, with the scene as it was built, with the pose that was to hold.
    pub fn problem_count(&self) -> usize {
        self.document.problems.len() + self.main.problems.len() + self.troubles().len()
    }

    /// The certificate of what Play would start from; none of a scene that was edited since.
    pub fn valid_certificate(&self) -> Option<&Certificate> {
        let current = self.is_current() && !self.main.activity.is_busy();
        let certificate = self.main.certificate.as_ref().filter(|_| current)?;
        // What does not hold needs no more judging.
        if !certificate.is_judged && certificate.report.outcome.holds {
            return None;
        }
        (certificate.report.method == self.main.method && !certificate.is_stale(self.document.scene())).then_some(certificate)
    }

    /// What became of the pose that Play would start from; `None` where nothing was initialised.
    pub fn outcome(&self) -> Option<&Outcome> {
        Some(&self.valid_certificate()?.report.outcome)
    }

    /// Whether the pose held before the edit that is being balanced: what leads on then goes on to do so meanwhile.
    pub fn held_before(&self) -> bool {
        let held = |certificate: &Certificate| certificate.report.outcome.verdict == Conclusion::Holds;
        self.main.activity == Activity::Balancing && self.main.certificate.as_ref().is_some_and(held)
    }

    /// Why the pose does not hold, or may not, although the sag-free method was to see to it: each reason, and its place.
    pub fn troubles(&self) -> Vec<Trouble> {
        let Some(report) = self.valid_certificate().map(|certificate| &certificate.report) else { return Vec::new() };
        let outcome = &report.outcome;
        if report.method != Method::SagFree || outcome.verdict == Conclusion::Holds {
            return Vec::new();
        }
        if report.infeasible.is_empty() {
            let message = outcome.reason.clone().unwrap_or_else(|| outcome.verdict.to_string());
            let title = match outcome.verdict {
                Conclusion::Unstable => "It holds, and falls away when touched",
                Conclusion::Undecided => "Whether it holds is not decided",
                Conclusion::DoesNotHold | Conclusion::Holds => "It does not hold",
            };
            return vec![Trouble { title: title.to_owned(), verdict: outcome.verdict, message, place: None, mend: None }];
        }
        let trouble = |fault: &Infeasibility| Trouble {
            title: fault::title(fault),
            verdict: outcome.verdict,
            message: fault.message.clone(),
            place: Some(fault.place.into()),
            mend: fault.mend.clone(),
        };
        report.infeasible.iter().map(trouble).collect()
    }

    /// What the pose that Play would start from lacks.
    pub fn faults(&self) -> &[Infeasibility] {
        self.valid_certificate().map_or(&[], |certificate| &certificate.report.infeasible)
    }

    /// Whether Play would start from what the session holds, rather than from a scene that was edited since.
    pub fn is_current(&self) -> bool {
        self.main.holds(self.document.scene(), self.document.folder()) && !self.main.is_unbuilt
    }

    /// What colours can tell of the bodies at hand: each by its label, and what it says.
    pub fn color_choices(&self) -> Vec<(ColorBy, &'static str, String)> {
        let fields = self.main.snapshot.iter().flat_map(|snapshot| &snapshot.fields).map(|field| field.kind);
        let of_field = |kind: &'static FieldKind| {
            let unit = if kind.unit.is_empty() { String::new() } else { format!(" [{}]", kind.unit) };
            (ColorBy::Field(kind.name), kind.label, format!("{}{unit}", kind.doc))
        };
        std::iter::once((ColorBy::Plain, desk::PLAIN.0, desk::PLAIN.1.to_owned())).chain(fields.map(of_field)).collect()
    }

    /// The key of the command with this label, for people; empty where it has none.
    pub fn keys_of(&self, label: &str) -> String {
        self.desk.keymap.words_of(label)
    }

    /// What something does, with the key of the command with this label behind it.
    pub fn hint(&self, text: &str, label: &str) -> String {
        let keys = self.keys_of(label);
        if keys.is_empty() { text.to_owned() } else { format!("{text} ({keys})") }
    }

    /// Proposes `scene` as the result of an edit.
    pub fn edit(&mut self, label: impl Into<String>, scene: aplomb_sim::scene::Scene) {
        self.actions.push(Action::Edit(label.into(), Box::new(scene)));
    }
}
