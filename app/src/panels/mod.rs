//! The panels: each is one file with one function; this list places them in the window.

mod banner;
mod caption;
mod compare;
mod desk;
mod drop;
mod file_card;
mod help;
mod histogram;
mod import;
mod initialise;
mod inspector;
mod outliner;
mod palette;
mod picture;
mod plots;
mod problems;
mod rest_mesh;
mod stages;
mod toolbar;
mod transport;

use egui::Ui;

use crate::document::{Action, Document};
use crate::session::Track;

pub use banner::{Banner, banner};
pub use caption::caption;
pub use compare::view_label;
pub use desk::{BottomTab, BrushState, ColorBy, Desk, FileCard, PlayedMode};
pub use drop::{drop_target, is_scene};
pub use file_card::file_card;
pub use help::help;
pub use import::show as import_panel;
pub use palette::palette;
pub use picture::Picture;
pub use stages::stages;
pub use toolbar::toolbar;

/// What a panel sees; what it wants done goes into `actions`.
pub struct Look<'a> {
    /// The scene being edited.
    pub document: &'a Document,
    /// The session at hand (B in the comparison).
    pub main: &'a Track,
    /// The naive session of the comparison (A).
    pub twin: Option<&'a Track>,
    /// How things are shown.
    pub desk: &'a mut Desk,
    /// What is to be done after the frame.
    pub actions: &'a mut Vec<Action>,
}

/// Where a panel stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// At the left side.
    Left,
    /// At the right side, one above the other.
    Right,
    /// A strip along the bottom.
    Strip,
    /// One of the tabs at the bottom.
    Tab(BottomTab),
}

/// A panel of the window.
pub struct Panel {
    /// Its name.
    pub title: &'static str,
    /// Where it stands.
    pub place: Place,
    /// Draws it.
    pub show: fn(&mut Ui, &mut Look<'_>),
}

/// Every panel.
pub const PANELS: &[Panel] = &[
    Panel { title: "Outliner", place: Place::Left, show: outliner::show },
    Panel { title: "Initialise", place: Place::Right, show: initialise::show },
    Panel { title: "Rest mesh", place: Place::Right, show: rest_mesh::show },
    Panel { title: "Inspector", place: Place::Right, show: inspector::show },
    Panel { title: "Transport", place: Place::Strip, show: transport::show },
    Panel { title: "Plots", place: Place::Tab(BottomTab::Plots), show: plots::show },
    Panel { title: "Histogram", place: Place::Tab(BottomTab::Histogram), show: histogram::show },
    Panel { title: "Problems", place: Place::Tab(BottomTab::Problems), show: problems::show },
];

impl Look<'_> {
    /// Everything wrong now: with the file, then with the scene as it was built.
    pub fn problem_count(&self) -> usize {
        self.document.problems.len() + self.main.problems.len()
    }

    /// Whether Play would start from what the session holds, rather than from a scene that was edited since.
    pub fn is_current(&self) -> bool {
        self.main.holds(self.document.scene(), self.document.folder())
    }

    /// Proposes `scene` as the result of an edit.
    pub fn edit(&mut self, label: impl Into<String>, scene: aplomb_sim::scene::Scene) {
        self.actions.push(Action::Edit(label.into(), Box::new(scene)));
    }
}
