//! Everything that the user can do, as data: the menus, the keys, the command palette and the tests walk this list.

use std::path::PathBuf;
use std::sync::Arc;

use aplomb_sim::export::{self, prepared::PREPARED_FORMATS, sequence::SEQUENCES};
use aplomb_sim::math::Vec3;
use aplomb_sim::rest_shape::RestMethod;
use aplomb_sim::scene::{Cure, Mend, Method, Scene};
use egui::{Event, Key, KeyboardShortcut, Modifiers};

use super::{Keymap, NetOptions, PictureKind, PictureRequest, Reshape, RoleKind, Selection, ShapeKind};
use crate::layout::{Arrange, Side, Zoom};
use crate::panels::{ColorBy, RightTab};
use crate::session::{Export, Motion};
use crate::viewport::AxisView;

/// A file that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAction {
    /// A scene to open.
    Open,
    /// A name to save under.
    SaveAs,
    /// A mesh to make a scene of.
    Import,
    /// A name for the mesh of a new net.
    Net,
    /// A mesh to touch.
    Obstacle,
    /// A name for the bodies as they are on screen.
    Bodies,
    /// A name for the recorded run.
    Run,
    /// A name for the rest state and the contact forces.
    PreparedAsset,
    /// A name for the rest mesh.
    RestMesh,
    /// A name for what is plotted.
    Plot,
    /// A mesh that the selected body takes as undeformed.
    BodyRestMesh,
    /// A recording to play.
    Recording,
    /// A name for pictures: a file, or a folder for many.
    Picture(PictureKind),
}

impl FileAction {
    /// Extension or format of what is written, unless another is chosen; `None` where a file is read.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::SaveAs => Some("json"),
            Self::Net => Some("obj"),
            Self::Picture(_) => Some("png"),
            Self::Open | Self::Import | Self::Obstacle | Self::BodyRestMesh | Self::Recording => None,
            _ => self.formats().first().map(|format| format.0),
        }
    }

    /// What is exported, and what to call its file: nothing where something else is done.
    pub const EXPORTS: [(Self, &'static str, &'static str); 5] = [
        (Self::Bodies, "Bodies", "The bodies as they are on screen"),
        (Self::Run, "Recorded run", "Every recorded frame, into a folder"),
        (Self::PreparedAsset, "Prepared asset", "All that another simulator needs to start at rest"),
        (Self::RestMesh, "Rest mesh", "The mesh that holds the shape in other programs, once it is found"),
        (Self::Plot, "Plots", "The page of plots that is shown"),
    ];

    /// Name of the file, or of the folder for the frames of a run, for a scene called `stem`.
    pub fn file_name(self, stem: &str, extension: &str) -> String {
        let suffix = self.suffix();
        if self.is_folder() { format!("{stem}{suffix}") } else { format!("{stem}{suffix}.{extension}") }
    }

    /// Whether a folder is written.
    pub fn is_folder(self) -> bool {
        matches!(self, Self::Run | Self::Picture(PictureKind::Run | PictureKind::Turntable))
    }

    /// Formats of what is exported: extension or name, name for people, and what they hold.
    pub fn formats(self) -> Vec<(&'static str, &'static str, &'static str)> {
        match self {
            Self::Run => SEQUENCES.iter().map(|format| (format.name, format.name, format.doc)).collect(),
            Self::Bodies => export::FORMATS.iter().map(|format| (format.extension, format.name, format.doc)).collect(),
            Self::PreparedAsset => {
                let what = "Positions, rest matrices, materials, supports and contact forces; docs/prepared_asset.md names every field";
                PREPARED_FORMATS.iter().map(|format| (format.extension, format.name, what)).collect()
            }
            Self::RestMesh => vec![("mesh", "MEDIT", "Tets")],
            Self::Plot => vec![
                ("csv", "CSV", "A line a step: its time, and every number that is drawn, in its own unit and to the last digit"),
                ("png", "PNG", "As they are drawn, twice as large as on screen"),
            ],
            _ => Vec::new(),
        }
    }

    /// What is put behind the name of the scene.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Run => "_run",
            Self::Net => "_net",
            Self::PreparedAsset => "_prepared",
            Self::RestMesh => "_rest",
            Self::Plot => "_plots",
            Self::Picture(PictureKind::Run) => "_pictures",
            Self::Picture(PictureKind::Turntable) => "_turntable",
            _ => "",
        }
    }

    /// Title of the dialog and of the card.
    pub fn title(self) -> &'static str {
        match self {
            Self::Open => "Open scene",
            Self::SaveAs => "Save scene as",
            Self::Import => "Import mesh",
            Self::Net => "New net of springs",
            Self::Obstacle => "New obstacle from a mesh",
            Self::Bodies | Self::Run | Self::PreparedAsset | Self::RestMesh | Self::Plot => "Export",
            Self::BodyRestMesh => "Rest mesh of the body",
            Self::Recording => "Open recording",
            Self::Picture(PictureKind::Still) => "Save picture",
            Self::Picture(PictureKind::Run) => "Save image sequence",
            Self::Picture(PictureKind::Turntable) => "Save turntable",
        }
    }
}

/// What to do with a path, once it is known.
#[derive(Debug, Clone, PartialEq)]
pub enum FileRequest {
    /// Open this scene.
    Open(PathBuf),
    /// Save under this name.
    SaveAs(PathBuf),
    /// Make a scene of the mesh that is looked at, or add it to the one at hand.
    Import,
    /// Write the mesh of a net into this file, and add the net.
    Net(PathBuf, NetOptions),
    /// Add an obstacle with the triangles of this file.
    Obstacle(PathBuf),
    /// Make this mesh the one that the selected body takes as undeformed.
    BodyRestMesh(PathBuf),
    /// Play this recording.
    Recording(PathBuf),
    /// Write the page of plots that is shown: a picture if the file's name says so, else a table.
    Plot(PathBuf),
    /// Write what was found.
    Export(Export),
    /// Draw pictures.
    Pictures(PictureRequest),
}

/// Elements that are pointed out.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What they are, for people.
    pub what: String,
    /// Their numbers in the system, ascending.
    pub elements: Arc<[u32]>,
    /// Name of the quantity and first and last bar of its histogram, if they were chosen by that.
    pub bars: Option<(&'static str, usize, usize)>,
}

/// What the left button does to what is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tool {
    /// Nothing: it selects and orbits.
    #[default]
    Select,
    /// Drags it along axes and planes.
    Move,
    /// Turns it about axes.
    Rotate,
    /// Makes it larger or smaller.
    Scale,
}

/// What is drawn over the bodies, if wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlay {
    /// Contacts and their forces.
    Contacts,
    /// The forces of all contacts, as opposed to the largest ones.
    AllForces,
    /// Contacts that are found, before they carry force.
    Found,
    /// Vertices that are held, slide or are moved, and where to.
    Supports,
    /// Tractions, pressures, wind and initial velocities.
    Loads,
    /// Forces that nothing balances.
    Residual,
    /// Cells of the grid that hold material points.
    Cells,
}

/// A frame of the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seek {
    /// The start.
    First,
    /// The one before the present one.
    Back,
    /// The one after it.
    Forth,
    /// The end.
    Last,
    /// This one.
    To(u64),
}

/// Something to be done after the frame is drawn.
#[derive(Debug, Clone)]
pub enum Action {
    /// Put this scene in place of the present one; edits with one label merge while the interaction lasts.
    Edit(String, Box<Scene>),
    /// Take back the last edit.
    Undo,
    /// Do again what was taken back.
    Redo,
    /// Take steps back or do them again until so many are done.
    GoTo(usize),
    /// Select.
    Select(Selection),
    /// Select along with the rest, or no more.
    SelectAlong(Selection),
    /// Select along with all that is between in the outliner.
    SelectUpTo(Selection),
    /// Take a tool; the one that is in hand begins a drag.
    SetTool(Tool),
    /// Move and turn along the axes of what is selected, or those of the scene.
    ToggleLocalAxes,
    /// Let what is selected down onto what is below it.
    Drop,
    /// Ask for a file.
    Ask(FileAction),
    /// Write over the file that the banner asks about.
    Overwrite,
    /// Do something with a file; unsaved changes are asked about first.
    File(FileRequest),
    /// Take files that were dropped on the window, or named: a scene is opened, meshes are looked at.
    Take(Vec<PathBuf>),
    /// Make the mesh that is looked at part of a scene; unsaved changes are asked about first.
    Import,
    /// Look at the mesh no longer.
    LeavePreview,
    /// A scene with nothing in it; unsaved changes are asked about first.
    NewScene,
    /// Forget which files were opened lately.
    ClearRecent,
    /// Write the scene to its file.
    Save,
    /// Read the file again, dropping unsaved edits.
    Reload,
    /// Choose the rest state by the method at hand.
    Initialise,
    /// Set the method at hand.
    SetMethod(Method),
    /// Give up the work in hand.
    Cancel,
    /// Play or pause.
    TogglePlay,
    /// Play the recording again and again, or go on stepping at its end.
    ToggleLoop,
    /// Choose the method of A in the comparison.
    SetTwinMethod(Method),
    /// Choose the method of B, and initialise by it.
    InitialiseBy(Method),
    /// Balance edits as they are made, or wait for Initialise.
    SetLive(bool),
    /// The other of the two.
    ToggleLive,
    /// Show a recorded frame.
    Seek(Seek),
    /// One frame on: a recorded one, or a step.
    Step,
    /// Back to time zero.
    Reset,
    /// Push every free mass [m/s].
    Kick(Vec3),
    /// Push every free mass as the desk says.
    Nudge,
    /// Let a gust blow as the desk says.
    Gust,
    /// Pull at bodies with the left button, or no longer.
    ToggleHand,
    /// Put probes on bodies with the left button, or no longer.
    ToggleProbe,
    /// Naive and sag-free side by side, or one view.
    ToggleCompare,
    /// Frame everything.
    FrameAll,
    /// Look from a side.
    LookFrom(AxisView),
    /// Draw what is parallel so, or what is far smaller.
    ToggleOrthographic,
    /// Point at places of the body [m], and move the camera there.
    Show(Vec<Vec3>),
    /// Let colours tell this.
    ColorBy(ColorBy),
    /// Point out elements, or none.
    Choose(Option<Choice>),
    /// Point out elements, and move the camera there.
    ShowElements(Choice),
    /// Kick the body in its equilibrium, and watch whether it comes back.
    NudgeTest,
    /// Initialise, and try and compare all cures if the equilibrium is unstable.
    CompareCures,
    /// Make a cure that of the scene, and initialise.
    UseCure(Cure),
    /// Mend a fault that a report or a problem names, and initialise.
    Mend(Mend),
    /// Look for a mesh that holds the shape in other programs.
    FindRestShape(RestMethod),
    /// Play a mode of the equilibrium, or how it gives way, or stop.
    PlayMode(Option<Motion>),
    /// Paint the selected region, or stop painting.
    ToggleBrush,
    /// Change the whole of the selected region.
    Reshape(Reshape),
    /// Add what the brush looks at by place to the selected region, or take it out.
    TakePlace {
        /// Whether it is taken out.
        out: bool,
    },
    /// Look at what of the body is near enough to something to touch it, for the selected region.
    SuggestContacts,
    /// Lock a region of a body, or open its lock.
    LockRegion(usize, usize),
    /// Move the selected region over the next one, or under the one before.
    MoveRegion {
        /// Whether it goes over the next one.
        later: bool,
    },
    /// Make a region of the selected body, select it and take the brush.
    NewRegion(RoleKind),
    /// Make regions of material of the elements that are pointed out, one in each body that has some.
    RegionOfChoice,
    /// Make an obstacle beside the bodies and select it.
    NewObstacle(ShapeKind),
    /// Remove what is selected.
    Delete,
    /// Add copies of what is selected, and select those.
    Duplicate,
    /// Hide what is selected, or show it again where all of it is hidden.
    ToggleHidden,
    /// Show everything that is hidden.
    ShowAll,
    /// Move the camera to all that is selected.
    Focus,
    /// Ask for another name of what is selected, in its row of the outliner.
    BeginRename,
    /// Give something another name; nothing is renamed to nothing.
    Rename(Selection, String),
    /// Select everything.
    SelectAll,
    /// A keyframe of what is selected, at the time that is looked at.
    AddKey,
    /// Show or hide what is drawn over the bodies.
    ToggleOverlay(Overlay),
    /// See through obstacles, or not.
    ToggleXray,
    /// See through bodies, or not.
    ToggleClearBodies,
    /// Cut bodies by a plane, or leave them whole.
    ToggleSlice,
    /// Move elements apart, or put them together.
    ToggleApart,
    /// See bodies of points as these, or as the surfaces around them.
    ToggleSurface,
    /// See the tets of bodies, or the surfaces that they fill.
    ToggleTets,
    /// Load the bodies as they were edited, in place of those of the recording.
    ShowScene,
    /// Move, close, maximise or hide panels.
    Arrange(Arrange),
    /// Show this tab at the right side.
    ShowTab(RightTab),
    /// How large everything in the window is.
    Zoom(Zoom),
    /// Dark or light.
    ToggleTheme,
    /// Let shadows fall, or not.
    ToggleShadows,
    /// Show or hide the list of commands.
    TogglePalette,
    /// Show or hide help.
    ToggleHelp,
    /// Show or hide what frames cost.
    ToggleFrameTimes,
    /// Show or hide the card of all keys.
    ToggleShortcuts,
    /// Drop unsaved changes and go on with what was asked.
    DiscardChanges,
    /// Save and go on with what was asked.
    SaveChanges,
    /// Close the banner at the top and do nothing.
    Dismiss,
    /// Take the autosaved edits of an earlier run.
    Recover,
    /// Close the window.
    Quit,
}

/// A command of the menus and the palette.
pub struct Command {
    /// The menu that it is in.
    pub menu: &'static str,
    /// Its name.
    pub label: &'static str,
    /// Its key, unless the user has given it another: [`Keymap::of`].
    pub shortcut: Option<KeyboardShortcut>,
    /// What it does.
    pub action: fn() -> Action,
}

const fn key(modifiers: Modifiers, key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(modifiers, key))
}

const fn command(menu: &'static str, label: &'static str, shortcut: Option<KeyboardShortcut>, action: fn() -> Action) -> Command {
    Command { menu, label, shortcut, action }
}

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const PLAIN: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;

/// Names of the menus, in order.
pub const MENUS: &[&str] = &["File", "Edit", "Regions", "Obstacles", "Simulate", "View", "Window"];

/// Every command.
pub const COMMANDS: &[Command] = &[
    command("File", "New scene", key(CTRL, Key::N), || Action::NewScene),
    command("File", "Open…", key(CTRL, Key::O), || Action::Ask(FileAction::Open)),
    command("File", "Open recording…", None, || Action::Ask(FileAction::Recording)),
    command("File", "Import mesh…", key(CTRL, Key::I), || Action::Ask(FileAction::Import)),
    command("File", "New net…", None, || Action::Ask(FileAction::Net)),
    command("File", "Save", key(CTRL, Key::S), || Action::Save),
    command("File", "Save as…", key(CTRL_SHIFT, Key::S), || Action::Ask(FileAction::SaveAs)),
    command("File", "Reload from disk", key(CTRL, Key::R), || Action::Reload),
    command("File", "Export…", key(CTRL, Key::E), || Action::Ask(FileAction::Bodies)),
    command("File", "Export prepared asset…", None, || Action::Ask(FileAction::PreparedAsset)),
    command("File", "Export rest mesh…", None, || Action::Ask(FileAction::RestMesh)),
    command("File", "Save picture…", None, || Action::Ask(FileAction::Picture(PictureKind::Still))),
    command("File", "Save image sequence…", None, || Action::Ask(FileAction::Picture(PictureKind::Run))),
    command("File", "Turntable…", None, || Action::Ask(FileAction::Picture(PictureKind::Turntable))),
    command("File", "Quit", key(CTRL, Key::Q), || Action::Quit),
    command("Edit", "Undo", key(CTRL, Key::Z), || Action::Undo),
    command("Edit", "Redo", key(CTRL_SHIFT, Key::Z), || Action::Redo),
    command("Edit", "Select tool", key(PLAIN, Key::Q), || Action::SetTool(Tool::Select)),
    command("Edit", "Move tool", key(PLAIN, Key::G), || Action::SetTool(Tool::Move)),
    command("Edit", "Rotate tool", key(PLAIN, Key::R), || Action::SetTool(Tool::Rotate)),
    command("Edit", "Scale tool", key(PLAIN, Key::S), || Action::SetTool(Tool::Scale)),
    command("Edit", "Local axes", None, || Action::ToggleLocalAxes),
    command("Edit", "Drop onto the ground", key(PLAIN, Key::End), || Action::Drop),
    command("Edit", "Duplicate", key(CTRL, Key::D), || Action::Duplicate),
    command("Edit", "Rename", key(PLAIN, Key::F2), || Action::BeginRename),
    command("Edit", "Select all", key(CTRL, Key::A), || Action::SelectAll),
    command("Edit", "Keyboard shortcuts…", None, || Action::ToggleShortcuts),
    command("Edit", "Delete selected", key(PLAIN, Key::Delete), || Action::Delete),
    command("Regions", "New fixed region", None, || Action::NewRegion(RoleKind::Fixed)),
    command("Regions", "New sliding region", None, || Action::NewRegion(RoleKind::Sliding)),
    command("Regions", "New moved region", None, || Action::NewRegion(RoleKind::Moved)),
    command("Regions", "New following region", None, || Action::NewRegion(RoleKind::Following)),
    command("Regions", "New traction region", None, || Action::NewRegion(RoleKind::Traction)),
    command("Regions", "New pressure region", None, || Action::NewRegion(RoleKind::Pressure)),
    command("Regions", "New water region", None, || Action::NewRegion(RoleKind::Water)),
    command("Regions", "New contact region", None, || Action::NewRegion(RoleKind::Contact)),
    command("Regions", "New material region", None, || Action::NewRegion(RoleKind::Material)),
    command("Regions", "New attached region", None, || Action::NewRegion(RoleKind::Attached)),
    command("Regions", "New named region", None, || Action::NewRegion(RoleKind::Named)),
    command("Regions", "Brush", key(PLAIN, Key::B), || Action::ToggleBrush),
    command("Regions", "Grow region", None, || Action::Reshape(Reshape::Grow)),
    command("Regions", "Shrink region", None, || Action::Reshape(Reshape::Shrink)),
    command("Regions", "Extend region to creases", None, || Action::Reshape(Reshape::Extend)),
    command("Regions", "Fill connected pieces", None, || Action::Reshape(Reshape::Fill)),
    command("Regions", "Invert region", None, || Action::Reshape(Reshape::Invert)),
    command("Regions", "Suggest contacts", None, || Action::SuggestContacts),
    command("Regions", "Region of chosen elements", None, || Action::RegionOfChoice),
    command("Regions", "Region over the next", None, || Action::MoveRegion { later: true }),
    command("Regions", "Region under the one before", None, || Action::MoveRegion { later: false }),
    command("Obstacles", "New ground", None, || Action::NewObstacle(ShapeKind::Ground)),
    command("Obstacles", "New ball", None, || Action::NewObstacle(ShapeKind::Ball)),
    command("Obstacles", "New box", None, || Action::NewObstacle(ShapeKind::Box)),
    command("Obstacles", "New capsule", None, || Action::NewObstacle(ShapeKind::Capsule)),
    command("Obstacles", "New ring", None, || Action::NewObstacle(ShapeKind::Ring)),
    command("Obstacles", "New funnel", None, || Action::NewObstacle(ShapeKind::Funnel)),
    command("Obstacles", "New mesh…", None, || Action::Ask(FileAction::Obstacle)),
    command("Simulate", "Initialise", key(CTRL, Key::Enter), || Action::Initialise),
    command("Simulate", "Live balance", None, || Action::ToggleLive),
    command("Simulate", "Nudge test", key(CTRL_SHIFT, Key::N), || Action::NudgeTest),
    command("Simulate", "Compare cures", None, || Action::CompareCures),
    command("Simulate", "Rest mesh (inverse)", None, || Action::FindRestShape(RestMethod::Inverse)),
    command("Simulate", "Rest mesh (estimate)", None, || Action::FindRestShape(RestMethod::Estimate)),
    command("Simulate", "Cancel", key(PLAIN, Key::Escape), || Action::Cancel),
    command("Simulate", "Play / pause", key(PLAIN, Key::Space), || Action::TogglePlay),
    command("Simulate", "One step", key(PLAIN, Key::Period), || Action::Step),
    command("Simulate", "Frame back", key(PLAIN, Key::ArrowLeft), || Action::Seek(Seek::Back)),
    command("Simulate", "Frame forth", key(PLAIN, Key::ArrowRight), || Action::Seek(Seek::Forth)),
    command("Simulate", "First frame", key(CTRL, Key::ArrowLeft), || Action::Seek(Seek::First)),
    command("Simulate", "Last frame", key(CTRL, Key::ArrowRight), || Action::Seek(Seek::Last)),
    command("Simulate", "Loop", key(PLAIN, Key::L), || Action::ToggleLoop),
    command("Simulate", "Reset to time zero", key(CTRL, Key::Home), || Action::Reset),
    command("Simulate", "Key at this time", key(PLAIN, Key::K), || Action::AddKey),
    command("Simulate", "Nudge", key(PLAIN, Key::N), || Action::Nudge),
    command("Simulate", "Gust of wind", key(PLAIN, Key::W), || Action::Gust),
    command("Simulate", "Pull with the hand", key(PLAIN, Key::D), || Action::ToggleHand),
    command("View", "Compare A | B", key(PLAIN, Key::C), || Action::ToggleCompare),
    command("View", "Frame all", None, || Action::FrameAll),
    command("View", "Focus on what is selected", None, || Action::Focus),
    command("View", "Hide or show what is selected", key(PLAIN, Key::H), || Action::ToggleHidden),
    command("View", "Show all that is hidden", key(Modifiers::ALT, Key::H), || Action::ShowAll),
    command("View", "Orthographic", key(PLAIN, Key::Num5), || Action::ToggleOrthographic),
    command("View", "Look from the front", key(PLAIN, Key::Num1), || Action::LookFrom(AxisView::Front)),
    command("View", "Look from the back", key(CTRL, Key::Num1), || Action::LookFrom(AxisView::Back)),
    command("View", "Look from the right", key(PLAIN, Key::Num3), || Action::LookFrom(AxisView::Right)),
    command("View", "Look from the left", key(CTRL, Key::Num3), || Action::LookFrom(AxisView::Left)),
    command("View", "Look from above", key(PLAIN, Key::Num7), || Action::LookFrom(AxisView::Top)),
    command("View", "Look from below", key(CTRL, Key::Num7), || Action::LookFrom(AxisView::Bottom)),
    command("View", "Contacts and forces", None, || Action::ToggleOverlay(Overlay::Contacts)),
    command("View", "Forces of all contacts", None, || Action::ToggleOverlay(Overlay::AllForces)),
    command("View", "Contacts that are found", None, || Action::ToggleOverlay(Overlay::Found)),
    command("View", "See through obstacles", key(PLAIN, Key::X), || Action::ToggleXray),
    command("View", "Probe tool", key(PLAIN, Key::P), || Action::ToggleProbe),
    command("View", "See through bodies", key(SHIFT, Key::X), || Action::ToggleClearBodies),
    command("View", "Slice plane", key(PLAIN, Key::V), || Action::ToggleSlice),
    command("View", "Elements apart", None, || Action::ToggleApart),
    command("View", "Tets in place of the surface", key(PLAIN, Key::T), || Action::ToggleTets),
    command("View", "Points as a surface", None, || Action::ToggleSurface),
    command("View", "Supports and motions", None, || Action::ToggleOverlay(Overlay::Supports)),
    command("View", "Loads and velocities", None, || Action::ToggleOverlay(Overlay::Loads)),
    command("View", "Residual forces", None, || Action::ToggleOverlay(Overlay::Residual)),
    command("View", "Cells of the grid", None, || Action::ToggleOverlay(Overlay::Cells)),
    command("View", "Soft shadows", None, || Action::ToggleShadows),
    command("Window", "Outliner", key(Modifiers::ALT, Key::Num1), || Action::Arrange(Arrange::Column(Side::Left))),
    command("Window", "Docks", key(Modifiers::ALT, Key::Num2), || Action::Arrange(Arrange::Docks)),
    command("Window", "Right column", key(Modifiers::ALT, Key::Num3), || Action::Arrange(Arrange::Column(Side::Right))),
    command("Window", "All the room for a dock", key(CTRL, Key::Space), || Action::Arrange(Arrange::Maximise(None))),
    command("Window", "Reset layout", None, || Action::Arrange(Arrange::Reset)),
    command("Window", "Larger", key(CTRL, Key::Plus), || Action::Zoom(Zoom::In)),
    command("Window", "Smaller", key(CTRL, Key::Minus), || Action::Zoom(Zoom::Out)),
    command("Window", "Actual size", key(CTRL, Key::Num0), || Action::Zoom(Zoom::Actual)),
    command("Window", "Dark / light", None, || Action::ToggleTheme),
    command("Window", "Command palette", key(CTRL, Key::P), || Action::TogglePalette),
    command("Window", "Frame times", None, || Action::ToggleFrameTimes),
    command("Window", "Help", key(PLAIN, Key::F1), || Action::ToggleHelp),
];

impl Command {
    /// Its usual key, for people; empty where it has none.
    pub fn keys(&self) -> String {
        Keymap::default().words(self)
    }
}

/// The commands whose keys were pressed, in the order in which they were: a slow frame holds several. Keys without a modifier but Shift belong
/// to a text field while one has the focus, and to a card that takes letters (`lettered`).
pub fn pressed(ctx: &egui::Context, keymap: &Keymap, lettered: bool) -> Vec<Action> {
    let typing = ctx.text_edit_focused() || lettered;
    // Escape leaves a text field before anything here is asked: it belonged to the field all the same.
    let typed = ctx.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<bool>(egui::Id::unique("typing")), typing));
    // An open menu is closed before anything else is given up.
    let in_menu = egui::Popup::is_any_open(ctx);
    let is_free = |shortcut: &KeyboardShortcut| {
        // Words of a text are stepped over with Ctrl and an arrow, and all of it is chosen with Ctrl+A.
        let moves_caret = matches!(shortcut.logical_key, Key::ArrowLeft | Key::ArrowRight | Key::A);
        // A letter with Shift alone is a capital.
        let is_command = shortcut.modifiers.command || shortcut.modifiers.ctrl || shortcut.modifiers.alt;
        let free = !typing || is_command && !moves_caret || shortcut.logical_key == Key::F1;
        free && !((in_menu || typed) && shortcut.logical_key == Key::Escape)
    };
    // Ctrl+Shift+Z before Ctrl+Z: egui lets a shortcut match with more Shift held than it names.
    let mut keys: Vec<_> = COMMANDS.iter().filter_map(|command| Some((keymap.of(command).filter(is_free)?, command.action))).collect();
    keys.sort_by_key(|(shortcut, _)| !shortcut.modifiers.shift);
    let mut actions = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key { key, modifiers, pressed: true, .. } = event else { return true };
            let meant = |shortcut: &KeyboardShortcut| shortcut.logical_key == *key && modifiers.matches_logically(shortcut.modifiers);
            let found = keys.iter().find(|(shortcut, _)| meant(shortcut));
            actions.extend(found.map(|(_, action)| action()));
            found.is_none()
        });
    });
    actions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::RESHAPES;

    #[test]
    fn keys_of_one_frame_count_each_and_in_their_order() {
        let press = |key, modifiers| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        let command = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
        let redo = command | Modifiers::SHIFT;
        let events = vec![press(Key::Z, command), press(Key::Z, command), press(Key::Z, redo), press(Key::S, command)];
        let ctx = egui::Context::default();
        let mut actions = Vec::new();
        let mut output =
            ctx.run_ui(egui::RawInput { events, ..Default::default() }, |ui| actions.extend(pressed(ui.ctx(), &Keymap::default(), false)));
        // Nothing is drawn.
        output.textures_delta.clear();
        assert!(matches!(actions[..], [Action::Undo, Action::Undo, Action::Redo, Action::Save]), "{}", actions.len());
    }

    #[test]
    fn capitals_that_are_typed_are_no_commands() {
        let press = |key, modifiers| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        let command = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
        for (typing, expected) in [(true, 1), (false, 3)] {
            let events = vec![press(Key::X, Modifiers::SHIFT), press(Key::X, Modifiers::NONE), press(Key::S, command)];
            let ctx = egui::Context::default();
            let mut actions = Vec::new();
            let mut output = ctx.run_ui(egui::RawInput { events, ..Default::default() }, |ui| {
                actions.extend(pressed(ui.ctx(), &Keymap::default(), typing))
            });
            output.textures_delta.clear();
            assert!(actions.len() == expected && matches!(actions.last(), Some(Action::Save)), "{typing}: {}", actions.len());
        }
    }

    #[test]
    fn every_change_of_a_region_is_a_command_of_its_name() {
        for entry in RESHAPES {
            let command = COMMANDS.iter().find(|command| command.label == entry.label);
            let action = command.map(|command| (command.action)());
            assert!(matches!(action, Some(Action::Reshape(reshape)) if reshape == entry.reshape), "{}", entry.label);
        }
    }

    #[test]
    fn every_command_is_in_a_menu_and_has_a_name_and_a_key_of_its_own() {
        for (i, command) in COMMANDS.iter().enumerate() {
            assert!(MENUS.contains(&command.menu), "{}", command.label);
            for other in &COMMANDS[i + 1..] {
                assert_ne!(command.label, other.label);
                assert!(command.shortcut.is_none() || command.shortcut != other.shortcut, "{} and {}", command.label, other.label);
            }
        }
    }
}
