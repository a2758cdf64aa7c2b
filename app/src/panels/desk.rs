//! How things are shown: nothing here is part of the scene.

use std::collections::BTreeSet;

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{Cure, Method};

use super::BrushState;
use super::file_card::Browser;
use super::palette::PaletteState;
use super::pattern::PatternState;
use super::plots::PlotState;
use super::push::Push;
use super::region_map::MapState;
use super::shortcuts::ShortcutsState;
use super::slice::Slice;
use super::timeline::TimelineState;
use crate::document::{Choice, Dialog, FileAction, Keymap, NetOptions, PictureOptions, Selection, Tool};
use crate::drawing::dissect::Dissection;
use crate::preview::Preview;
use crate::session::Motion;
use crate::theme::icons;
use crate::thumbnails::Thumbnails;
use crate::viewport::Legends;

/// What the body's colour tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorBy {
    /// Plain clay, tinted by regions.
    #[default]
    Plain,
    /// A field by its name.
    Field(&'static str),
}

/// The plain colouring for people: label, what it says.
pub const PLAIN: (&str, &str) = ("Plain", "Clay, tinted by regions");

/// Panels with a tab; at first they stand at the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum BottomTab {
    /// Energies, residual, volume against time.
    #[default]
    Plots,
    /// Distribution of det F.
    Histogram,
    /// What happens at the probes.
    Probes,
    /// Keyframes and everything else that has a time of its own.
    Timeline,
    /// What regions are of a body.
    RegionMap,
    /// The panels that cloth is sewn of.
    Pattern,
    /// Steps that can be taken back.
    History,
    /// What is wrong, and where.
    Problems,
}

impl BottomTab {
    /// Its icon.
    pub fn icon(self) -> &'static str {
        match self {
            Self::Plots => icons::PLOTS,
            Self::Histogram => icons::HISTOGRAM,
            Self::Probes => icons::PROBE,
            Self::Timeline => icons::TIMELINE,
            Self::RegionMap => icons::MAP,
            Self::Pattern => icons::PATTERN,
            Self::History => icons::HISTORY,
            Self::Problems => icons::PROBLEMS,
        }
    }
}

/// Tabs at the right side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RightTab {
    /// What is selected.
    #[default]
    Object,
    /// What an initialisation reached.
    Certificate,
}

/// What the left button does to a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Touch {
    /// Selects it.
    #[default]
    Select,
    /// Pulls at it.
    Hand,
    /// Puts probes on it.
    Probe,
}
/// With fewer elements, edits are balanced as they are made unless that is switched off.
const LIVE_BELOW: usize = 20_000;

/// A motion that is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayedMode {
    /// Which.
    pub motion: Motion,
    /// When it began, and now [s].
    pub span: (f64, f64),
}

/// The card that asks for a path.
#[derive(Debug)]
pub struct FileCard {
    /// What for.
    pub action: FileAction,
    /// The path as typed.
    pub text: String,
    /// The format that is written, where there is a choice.
    pub format: &'static str,
    /// What a new net is like.
    pub net: NetOptions,
    /// What pictures are like.
    pub picture: PictureOptions,
    /// The system's dialog, while it is open.
    pub dialog: Option<Dialog>,
    /// Why the last try did not work.
    pub error: Option<String>,
    /// Whether the field has had the focus.
    pub focused: bool,
    /// Whether another window had the keys while the system's dialog was asked for: it is there, then.
    pub saw_dialog: bool,
    /// Folders and files to choose from.
    pub browser: Browser,
}

/// How the window is set up.
#[derive(Debug)]
pub struct Desk {
    /// Method of initialisation at hand.
    pub method: Method,
    /// Method of A in the comparison.
    pub twin_method: Method,
    /// What colours tell.
    pub color_by: ColorBy,
    /// Limits, scales and colour maps that were chosen for fields.
    pub legends: Legends,
    /// The panel that was brought to the front last.
    pub tab: BottomTab,
    /// The tab at the right side.
    pub side: RightTab,
    /// Height of all problems as they were drawn last [points].
    pub problems_height: Option<f32>,
    /// The quantity of the histogram, by its name; that of the colours where none was chosen.
    pub histogram_of: Option<&'static str>,
    /// The region map.
    pub region_map: MapState,
    /// The sewing pattern.
    pub pattern: PatternState,
    /// Whether the heights of the histogram are on a logarithmic scale.
    pub histogram_log: bool,
    /// How plots are looked at.
    pub plots: PlotState,
    /// The tool in hand, while no brush is.
    pub tool: Tool,
    /// Whether things are moved and turned along axes of their own.
    pub local_axes: bool,
    /// Whether something is being dragged by its handles.
    pub dragging: bool,
    /// The time that is looked at where nothing is recorded [s].
    pub playhead: Option<f64>,
    /// What of the timeline is seen and chosen.
    pub timeline: TimelineState,
    /// The brush.
    pub brush: BrushState,
    /// What the left button does to bodies, besides selecting them.
    pub touch: Touch,
    /// How they are pushed.
    pub push: Push,
    /// Places pointed at [m].
    pub marks: Vec<Vec3>,
    /// Elements pointed out.
    pub choice: Option<Choice>,
    /// The mode that is played.
    pub mode: Option<PlayedMode>,
    /// How far a played mode swings, as a share of the diagonal.
    pub swing: f64,
    /// Whether the panel that tells how far an initialisation is, and what came of it, is to be brought into sight.
    pub verdict_wanted: bool,
    /// What the inspector showed last; nothing of a document that was just opened.
    pub inspected: Option<Selection>,
    /// What is being renamed, and the name as typed.
    pub renaming: Option<(Selection, String)>,
    /// Regions that are not tinted, as (body, region).
    pub hidden: BTreeSet<(usize, usize)>,
    /// Probes that are not drawn, by their names.
    pub hidden_probes: BTreeSet<String>,
    /// Bodies and obstacles that are not drawn, by their places in the scene.
    pub hidden_bodies: BTreeSet<usize>,
    /// As [`Self::hidden_bodies`].
    pub hidden_obstacles: BTreeSet<usize>,
    /// Bodies whose regions are folded away in the outliner.
    pub folded: BTreeSet<usize>,
    /// What is searched for in the outliner.
    pub searched: Option<String>,
    /// The card that asks for a path.
    pub file_card: Option<FileCard>,
    /// What pictures were like that were asked for last.
    pub picture: PictureOptions,
    /// The views on screen: width and height [pixels].
    pub view_pixels: (u32, u32),
    /// Pictures that are being written: how many are, and of how many.
    pub shooting: Option<(usize, usize)>,
    /// The mesh file that is looked at before it is taken in.
    pub preview: Option<Preview>,
    /// The command palette while it is open.
    pub palette: Option<PaletteState>,
    /// Names of what was chosen in it, the last first.
    pub used: Vec<String>,
    /// Whether help is open.
    pub help: bool,
    /// Whether what frames cost is shown.
    pub frame_times: bool,
    /// The card of all keys while it is open.
    pub shortcuts: Option<ShortcutsState>,
    /// Which key does what.
    pub keymap: Keymap,
    /// Whether the start card lists the whole gallery.
    pub whole_gallery: bool,
    /// Small pictures of the gallery's scenes.
    pub thumbnails: Thumbnails,
    /// Whether contacts and their forces are drawn.
    pub forces: bool,
    /// Whether the contacts that are found are drawn before they carry force.
    pub found: bool,
    /// Whether shadows fall.
    pub soft_shadows: bool,
    /// Whether obstacles are seen through.
    pub xray: bool,
    /// Whether bodies are seen through.
    pub clear_bodies: bool,
    /// The plane that bodies are cut by.
    pub slice: Slice,
    /// Whether that plane has a place already; in a scene that was just opened it has none.
    pub slice_is_placed: bool,
    /// How far elements are moved apart, as a share of their distance from the middle of their body.
    pub apart: f64,
    /// Whether the tets of a body are seen in place of the surface that they fill.
    pub tets: bool,
    /// Whether bodies of points are seen as the surfaces around them.
    pub surface: bool,
    /// Whether the rest mesh is drawn over the bodies, as a ghost.
    pub rest_ghost: bool,
    /// Whether the forces of all contacts are drawn, as opposed to the largest ones.
    pub all_forces: bool,
    /// Factor on the length of contact forces.
    pub force_scale: f64,
    /// Whether supports and their motions are drawn.
    pub supports: bool,
    /// Whether loads and initial velocities are drawn.
    pub loads: bool,
    /// Whether forces that nothing balances are drawn.
    pub residual: bool,
    /// Whether the cells of the grid that hold material points are drawn.
    pub cells: bool,
    /// Whether playing starts again at the end of the recording.
    pub looping: bool,
    /// Whether something of this scene was exported.
    pub exported: bool,
    /// Whether edits are balanced as they are made, where that was chosen.
    pub live: Option<bool>,
    /// What the strip over the views said when it was closed.
    pub closed_strip: Option<String>,
    /// Something to tell until the next action.
    pub note: Option<String>,
}

impl Default for Desk {
    fn default() -> Self {
        Self {
            method: Method::SagFree,
            twin_method: Method::Naive,
            color_by: ColorBy::Plain,
            legends: Legends::default(),
            tab: BottomTab::Plots,
            side: RightTab::Object,
            problems_height: None,
            histogram_of: None,
            region_map: MapState::default(),
            pattern: PatternState::default(),
            histogram_log: false,
            plots: PlotState::default(),
            tool: Tool::Select,
            local_axes: false,
            dragging: false,
            playhead: None,
            timeline: TimelineState::default(),
            brush: BrushState::default(),
            touch: Touch::Select,
            push: Push::default(),
            marks: Vec::new(),
            choice: None,
            mode: None,
            swing: 0.15,
            verdict_wanted: false,
            inspected: None,
            renaming: None,
            hidden: BTreeSet::new(),
            hidden_probes: BTreeSet::new(),
            hidden_bodies: BTreeSet::new(),
            hidden_obstacles: BTreeSet::new(),
            folded: BTreeSet::new(),
            searched: None,
            file_card: None,
            picture: PictureOptions::default(),
            view_pixels: (1, 1),
            shooting: None,
            preview: None,
            palette: None,
            used: Vec::new(),
            help: false,
            frame_times: false,
            shortcuts: None,
            keymap: Keymap::default(),
            whole_gallery: false,
            thumbnails: Thumbnails::default(),
            forces: true,
            found: true,
            soft_shadows: true,
            xray: false,
            clear_bodies: false,
            slice: Slice::default(),
            slice_is_placed: false,
            apart: 0.0,
            tets: false,
            surface: false,
            rest_ghost: true,
            all_forces: false,
            force_scale: 1.0,
            supports: true,
            loads: true,
            residual: false,
            cells: false,
            looping: false,
            exported: false,
            live: None,
            closed_strip: None,
            note: None,
        }
    }
}

impl Desk {
    /// Whether tets are seen: not while painting, which is done on the artist's surface.
    pub fn shows_tets(&self) -> bool {
        (self.tets || !self.dissection().is_nothing()) && !self.brush.on
    }

    /// Whether surfaces are seen around points: not while these are painted, nor where bodies are taken apart.
    pub fn shows_surface(&self) -> bool {
        self.surface && !self.brush.on && self.dissection().is_nothing()
    }

    /// How bodies are taken apart: not while painting, which is done on all of their surface.
    pub fn dissection(&self) -> Dissection {
        if self.brush.on {
            return Dissection::default();
        }
        Dissection { cut: self.slice.on.then(|| (self.slice.plane(), self.slice.whole)), apart: self.apart }
    }

    /// Everything is seen again.
    pub fn show_all(&mut self) {
        self.hidden.clear();
        self.hidden_probes.clear();
        self.hidden_bodies.clear();
        self.hidden_obstacles.clear();
        self.folded.clear();
        self.searched = None;
    }

    /// Whether something is hidden in the view; the scene is not.
    pub fn is_hidden(&self, what: Selection) -> bool {
        match what {
            Selection::Scene | Selection::Probe(_) | Selection::Place(..) => false,
            Selection::Body(b) => self.hidden_bodies.contains(&b),
            Selection::Region(b, r) => self.hidden.contains(&(b, r)),
            Selection::Obstacle(o) => self.hidden_obstacles.contains(&o),
        }
    }

    /// Hides something in the view, or shows it.
    pub fn set_hidden(&mut self, what: Selection, hidden: bool) {
        match (what, hidden) {
            (Selection::Scene | Selection::Probe(_) | Selection::Place(..), _) => false,
            (Selection::Body(b), true) => self.hidden_bodies.insert(b),
            (Selection::Body(b), false) => self.hidden_bodies.remove(&b),
            (Selection::Region(b, r), true) => self.hidden.insert((b, r)),
            (Selection::Region(b, r), false) => self.hidden.remove(&(b, r)),
            (Selection::Obstacle(o), true) => self.hidden_obstacles.insert(o),
            (Selection::Obstacle(o), false) => self.hidden_obstacles.remove(&o),
        };
    }

    /// Whether the next key is awaited by a card, and does nothing else.
    pub fn awaits_key(&self) -> bool {
        self.shortcuts.as_ref().is_some_and(|card| card.awaited.is_some())
    }

    /// Whether edits of a scene of so many elements are balanced as they are made.
    pub fn is_live(&self, elements: usize) -> bool {
        self.live.unwrap_or(elements < LIVE_BELOW)
    }

    /// No places, no elements, no mode.
    pub fn point_at_nothing(&mut self) {
        self.marks.clear();
        (self.choice, self.mode) = (None, None);
    }
}

/// A method of initialisation in words: label and what it does.
pub fn method_words(method: Method) -> (&'static str, &'static str) {
    match method {
        Method::SagFree => ("sag-free", "The given shape becomes the equilibrium, contact and friction included"),
        Method::Naive => ("naive", "The given shape becomes the rest shape: it will sag"),
        Method::PinnedContacts => ("pinned contacts", "Baseline: contacts are treated as pins, which may also pull"),
        Method::NoContact => ("no contact", "Baseline: contacts are left out of the balance"),
        Method::Settle => ("settle, then freeze", "Particles run until they rest, and are frozen where they have come to"),
    }
}

/// The methods, the one that holds poses first.
pub const METHODS: [Method; 5] = [Method::SagFree, Method::Naive, Method::NoContact, Method::PinnedContacts, Method::Settle];

/// What is done about an unstable equilibrium, in words: value, label and what it does.
pub const CURES: &[(Cure, &str, &str)] = &[
    (Cure::None, "nothing", "An unstable pose stays as it is"),
    (Cure::UniformStiffening, "stiffen all", "The least factor on the stiffness of all elements that makes the pose stable"),
    (Cure::LocalStiffening, "stiffen locally", "Stiffen the elements that bend where the body buckles, as few as will do"),
    (Cure::TensionShift, "tension", "Forces nearest to a tension β in place of the least ones; helps what is held at both ends"),
    (Cure::LessPush, "push less", "Of springs and cloth, forces that push as little as can be; leaves solids as they are"),
    (
        Cure::InOrder,
        "all in turn",
        "Push less, then tension, then stiffen locally, then all: each is kept if it leaves fewer directions to fall in",
    ),
];
