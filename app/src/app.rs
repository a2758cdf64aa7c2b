//! The editor: [`App::logic`] takes in what happened, [`App::ui`] draws, and what the user wants is done after that.

mod by_hand;
mod docks;
mod files;
mod flat;
mod import;
mod live;
mod menu;
mod painting;
mod perform;
mod pictures;
mod plotted;
mod recording;
mod regions;
mod selected;
mod shadows;
mod touch;
mod trial;
mod twin;
mod views;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use aplomb_sim::scene::{MaterialSettings, Scene};
use egui::{CentralPanel, Frame, Margin, Panel, ScrollArea};

use crate::document::command;
use crate::document::{Action, Autosave, Document, FileRequest, FileWatch, Keymap, MeshFile, RecentFiles, Recovered, Selection, absolute};
use crate::layout::{Layout, RAIL, RIGHT, Side};
use crate::panels::{self, Banner, BottomTab, Desk, Look, PANELS, Picture, Place, RightTab};
use crate::profile::{Part, Profile, worked};
use crate::session::{Activity, Clock, Track, WakeUp};
use crate::theme::{self, icons};
use crate::thumbnails::Thumbnails;
use crate::viewport::{DrawList, Legends, Viewport};
use crate::widgets::{Tab, tab_bar};
use by_hand::Grip;
use import::Filling;
use pictures::{OnScreen, Shooting};
use plotted::Plotting;
use trial::Trial;

/// How the editor is started.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The scene file, or a mesh to look at; the gallery's creature where there is none.
    pub scene: Option<PathBuf>,
    /// Folder of recent files and autosaved edits; `None` keeps neither.
    pub state: Option<PathBuf>,
}

/// Height of the menu bar, and of the tool bar [points].
const MENUS: f32 = 28.0;
const TOOLS: f32 = 40.0;

/// What was asked for, while a question about it is open.
#[derive(Debug, Clone)]
enum Waiting {
    /// A scene with nothing in it.
    New,
    File(FileRequest),
    Quit,
    /// Something that drops a recording.
    Action(Box<Action>),
}

/// The editor.
pub struct App {
    document: Document,
    main: Track,
    twin: Option<Track>,
    /// The session of A with its recording, while one view is shown.
    parked: Option<Track>,
    /// The scene for which the recording of another was kept on screen.
    kept: Option<Arc<Scene>>,
    /// The scene whose balance was given up: it is not balanced again by itself.
    given_up: Option<Arc<Scene>>,
    /// Counts the documents that were at hand: nothing of how one was looked at is kept for the next.
    opened: u64,
    clock: Clock,
    desk: Desk,
    layout: Layout,
    views: [Viewport; 2],
    pictures: [Picture; 2],
    /// The view of a mesh that is looked at before it is taken in.
    preview_view: Viewport,
    /// The picture of a mesh that was taken in, until its body is loaded.
    stand_in: Option<(DrawList, u64)>,
    /// What waits until an import is filled.
    filling: Option<Filling>,
    /// A body that was imported, whose material is to be looked for, and the one that it has until then.
    untried: Option<(usize, MaterialSettings)>,
    /// The trial of materials that goes on.
    trial: Option<Trial>,
    watch: FileWatch,
    autosave: Autosave,
    recovered: Option<Recovered>,
    recent: RecentFiles,
    banner: Option<Banner>,
    waiting: Option<Waiting>,
    quitting: bool,
    painting: painting::Painting,
    /// What is being dragged by its handles.
    grip: Option<Grip>,
    /// The menu that is open in a view: where, and of what; and whether it is to be opened.
    menu: Option<(egui::Pos2, Selection)>,
    menu_opens: bool,
    /// A mesh for an obstacle that is being read on another thread.
    importing: Option<Receiver<Result<MeshFile, String>>>,
    /// Plots that are being written on another thread.
    plotting: Option<Plotting>,
    /// Pictures that are being drawn and written.
    shooting: Option<Shooting>,
    /// How the views are on screen.
    on_screen: OnScreen,
    /// The view is framed when the next model arrives.
    frame_next: bool,
    /// The camera is moved, when the next model arrives, to where the selected obstacle is seen.
    frame_obstacle: bool,
    title: String,
    /// What frames cost.
    profile: Profile,
    /// Whether the theme is dark.
    dark: bool,
    /// The file in which the theme is kept.
    theme: Option<PathBuf>,
    /// The file in which is kept whether shadows fall.
    shadows: Option<PathBuf>,
    wake_up: WakeUp,
}

impl App {
    /// Builds the editor on `cc`; without a GL context the views stay plain and everything else works.
    ///
    /// # Errors
    /// The system gave no thread.
    pub fn new(cc: &eframe::CreationContext<'_>, options: Options) -> std::io::Result<Self> {
        let theme = options.state.as_ref().map(|folder| folder.join("theme.txt"));
        theme::install(&cc.egui_ctx, theme.as_deref());
        let shadows = options.state.as_ref().map(|folder| folder.join("shadows.txt"));
        let (layout, scale) = Layout::read(options.state.as_deref());
        cc.egui_ctx.set_zoom_factor(scale);
        let ctx = cc.egui_ctx.clone();
        let wake_up: WakeUp = Arc::new(move || ctx.request_repaint());
        let clock = Clock::default();
        let autosave = Autosave::new(options.state.as_deref());
        // A mesh is looked at, over the scene that is shown where none is named.
        let (path, meshes) = match options.scene {
            Some(path) if panels::is_scene(&path) => (path, Vec::new()),
            Some(path) => (default_scene(), vec![path]),
            None => (default_scene(), Vec::new()),
        };
        let (document, problems) = match Document::open(&path) {
            Ok(document) => (document, Vec::new()),
            Err(problems) => (files::empty(&path), problems),
        };
        let notify = Arc::clone(&wake_up);
        let profile = Profile::default();
        let view = || Viewport::new(cc.gl.clone(), profile.buffers());
        let thumbnails = match &cc.gl {
            Some(_) => Thumbnails::new(options.state.as_deref(), Arc::clone(&wake_up)),
            None => Thumbnails::default(),
        };
        let mut app = Self {
            main: Track::start("simulation B", &clock, Arc::clone(&wake_up))?,
            twin: None,
            parked: None,
            kept: None,
            given_up: None,
            opened: 0,
            clock,
            desk: Desk {
                soft_shadows: shadows::are_wanted(shadows.as_deref()),
                keymap: Keymap::read(options.state.as_deref()),
                thumbnails,
                ..Desk::default()
            },
            layout,
            views: [view(), view()],
            pictures: Default::default(),
            preview_view: view(),
            stand_in: None,
            filling: None,
            untried: None,
            trial: None,
            watch: FileWatch::new(move || notify()),
            banner: None,
            recovered: None,
            autosave,
            recent: RecentFiles::read(options.state.as_deref()),
            waiting: None,
            quitting: false,
            painting: painting::Painting::default(),
            grip: None,
            menu: None,
            menu_opens: false,
            importing: None,
            plotting: None,
            shooting: None,
            on_screen: OnScreen::default(),
            frame_next: true,
            frame_obstacle: false,
            title: String::new(),
            profile,
            dark: true,
            theme,
            shadows,
            wake_up,
            document,
        };
        app.opened();
        app.offer_recovered();
        app.take_files(&cc.egui_ctx, meshes);
        if app.banner.is_none() {
            app.banner = app.desk.keymap.problem.clone().map(Banner::Failed);
        }
        if !problems.is_empty() {
            app.document.problems = problems;
            app.desk.tab = BottomTab::Problems;
        }
        Ok(app)
    }

    /// The document.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The session at hand.
    pub fn main(&self) -> &Track {
        &self.main
    }

    /// The session of A in the comparison.
    pub fn twin(&self) -> Option<&Track> {
        self.twin.as_ref()
    }

    /// How things are shown.
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// Where panels stand.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether a question or some news is shown at the top.
    pub fn banner(&self) -> Option<&Banner> {
        self.banner.as_ref()
    }

    /// What frames cost.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// How often surfaces around points were made for the one view, or B.
    pub fn surfaces(&self) -> u64 {
        self.pictures[1].surfaces()
    }

    /// Where the one view, or B, is seen from.
    pub fn camera(&self) -> &crate::viewport::Camera {
        &self.views[1].camera
    }

    /// Does `action` as if a button for it had been pressed.
    pub fn request(&mut self, ctx: &egui::Context, action: Action) {
        self.perform(ctx, action);
    }

    /// Copies unsaved edits aside now, and not only when it is time.
    pub fn keep_unsaved(&mut self) {
        self.autosave.keep(&self.document);
    }

    /// A document has taken the place of another.
    fn opened(&mut self) {
        self.desk.method = self.document.scene().initialise.method;
        self.desk.point_at_nothing();
        (self.desk.slice.on, self.desk.slice_is_placed) = (false, false);
        self.desk.show_all();
        self.desk.plots.forget();
        self.desk.legends = Legends::default();
        self.desk.renaming = None;
        (self.grip, self.desk.dragging, self.desk.playhead) = (None, false, None);
        self.desk.timeline = Default::default();
        self.desk.inspected = None;
        self.desk.side = RightTab::Object;
        self.desk.brush.on = false;
        (self.desk.note, self.desk.exported) = (None, false);
        (self.stand_in, self.filling) = (None, None);
        (self.shooting, self.desk.shooting) = (None, None);
        (self.untried, self.trial) = (None, None);
        self.main.certificate = None;
        (self.twin, self.parked, self.kept) = (None, None, None);
        self.opened += 1;
        // Another scene is looked at from where every scene is looked at first.
        self.views.iter_mut().for_each(Viewport::forget);
        self.frame_next = true;
        self.load();
        if let Some(path) = self.document.path.as_ref().filter(|_| !self.document.is_of_gallery()) {
            self.recent.add(path);
        }
        self.desk.thumbnails.want_nothing();
        self.desk.whole_gallery = false;
        self.rewatch();
    }

    /// Loads the scene into the session.
    fn load(&mut self) {
        self.main.load(self.document.scene(), self.document.folder());
    }

    fn look<R>(&mut self, actions: &mut Vec<Action>, draw: impl FnOnce(&mut Look<'_>) -> R) -> R {
        let (document, main, twin, recent, desk) = (&self.document, &self.main, self.twin.as_ref(), &self.recent, &mut self.desk);
        draw(&mut Look { document, main, twin, recent, desk, actions })
    }

    /// The layout, and what it follows from.
    fn look_at_layout<R>(&mut self, arrange: impl FnOnce(&mut Layout, &Look<'_>) -> R) -> R {
        let (document, main, twin, desk) = (&self.document, &self.main, self.twin.as_ref(), &mut self.desk);
        arrange(&mut self.layout, &Look { document, main, twin, recent: &self.recent, desk, actions: &mut Vec::new() })
    }

    /// Everything that is drawn; wishes are collected in `actions`.
    fn draw(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>) {
        let width = ui.available_width();
        self.look_at_layout(|layout, look| layout.follow(width, look));
        let bar = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(8, 0));
        let menus = bar.fill(theme::meaning(ui).base);
        let recent: Vec<_> = self.recent.files.iter().map(|file| file.path.clone()).collect();
        Panel::top("menus").frame(menus).exact_size(MENUS).show(ui, |ui| self.menus(ui, actions, &recent));
        Panel::top("tool bar").frame(bar).exact_size(TOOLS).show(ui, |ui| self.look(actions, |look| panels::toolbar(ui, look)));
        if let Some(banner) = self.banner.clone() {
            Panel::top("banner").frame(Frame::new()).show(ui, |ui| self.look(actions, |look| panels::banner(ui, look, &banner)));
        }
        // In an empty scene there is nothing yet that panels could tell of.
        if self.shows_start() {
            let views = CentralPanel::no_frame().show(ui, |ui| self.views(ui, actions)).response.rect;
            return self.cards(&ui.ctx().clone(), actions, views.top());
        }
        let rail = Frame::new().fill(ui.visuals().panel_fill);
        // A mesh that is looked at has its card there.
        if self.layout.shows(Side::Right) || self.desk.preview.is_some() {
            self.right_column(ui, actions);
        } else {
            Panel::right("right rail").frame(rail).exact_size(RAIL).show(ui, |ui| docks::rail(ui, Side::Right, actions));
        }
        if !self.layout.shows(Side::Left) {
            Panel::left("left rail").frame(rail).exact_size(RAIL).show(ui, |ui| docks::rail(ui, Side::Left, actions));
        }
        let views = CentralPanel::no_frame().show(ui, |ui| self.middle(ui, actions)).inner;
        self.cards(&ui.ctx().clone(), actions, views.top());
    }

    /// What stands over the views, from `top` on.
    fn cards(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>, top: f32) {
        self.look(actions, |look| {
            panels::drop_target(ctx);
            panels::file_card(ctx, look, top);
            panels::shooting(ctx, look, top);
            panels::palette(ctx, look);
            panels::help(ctx, look);
            panels::shortcuts(ctx, look);
        });
    }

    /// Whether there is nothing to see but ways to begin.
    fn shows_start(&self) -> bool {
        self.document.is_blank() && self.desk.preview.is_none()
    }

    /// The menus, with what of the window is shown.
    fn menus(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>, recent: &[PathBuf]) {
        let (document, main, twin, desk) = (&self.document, &self.main, self.twin.as_ref(), &mut self.desk);
        panels::menus(ui, &mut Look { document, main, twin, recent: &self.recent, desk, actions }, &self.layout, recent);
    }

    fn right_column(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>) {
        let frame = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(12, 8));
        let usual = RIGHT[self.layout.wide()];
        let width = self.layout.right_width.unwrap_or(usual);
        let id = ("right", self.layout.wide(), self.layout.resets);
        let column = Panel::right(id).frame(frame).default_size(width).size_range(288.0..=440.0).show(ui, |ui| match self.desk.preview {
            Some(_) => self.look(actions, |look| panels::import_panel(ui, look)),
            None => self.right(ui, actions),
        });
        let now = column.response.rect.width();
        if (now - width).abs() > 1.0 {
            self.layout.right_width = Some(now).filter(|now| (now - usual).abs() > 1.0);
        }
    }

    /// The right side: the verdict, and tabs under it.
    fn right(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>) {
        for panel in PANELS.iter().filter(|panel| panel.place == Place::Lead) {
            ui.push_id(panel.title, |ui| self.look(actions, |look| (panel.show)(ui, look)));
        }
        // In sight however far the column is scrolled.
        if self.desk.brush.on {
            self.look(actions, |look| panels::brush(ui, look));
        }
        ui.add_space(4.0);
        // What is newly selected is looked at.
        if self.desk.inspected.is_some_and(|before| before != self.document.selection) {
            self.desk.side = RightTab::Object;
        }
        let tab = |value, icon, name| Tab { value, icon, name, count: 0 };
        let tabs = [tab(RightTab::Object, icons::BODY, "Object"), tab(RightTab::Certificate, icons::CERTIFICATE, "Certificate")];
        tab_bar(ui, &mut self.desk.side, &tabs);
        ui.add_space(4.0);
        self.column(ui, actions, Place::Right(self.desk.side));
    }

    /// The panels of one side, one above the other.
    fn column(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>, place: Place) {
        // Where something else is asked for while a column still moves, it would go on to what was asked for before.
        ScrollArea::vertical().animated(false).id_salt(self.opened).auto_shrink(false).show(ui, |ui| {
            for panel in PANELS.iter().filter(|panel| panel.place == place) {
                ui.push_id(panel.title, |ui| self.look(actions, |look| (panel.show)(ui, look)));
                ui.add_space(2.0);
            }
        });
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.profile.next();
        let start = worked();
        self.main.drain();
        for twin in self.twin.iter_mut().chain(&mut self.parked) {
            twin.drain();
        }
        if std::mem::take(&mut self.main.has_news) {
            let problems = std::mem::take(&mut self.main.problems);
            self.main.problems = self.placed(problems);
            self.desk.tab = BottomTab::Problems;
            self.layout.bring_up(BottomTab::Problems, false);
        }
        self.take_repainted();
        self.ask_anew();
        self.take_preview();
        self.take_filled();
        self.begin_trial();
        self.take_trial();
        self.take_import();
        self.take_plotted();
        self.take_pictures();
        if let [first, others @ ..] = std::mem::take(&mut self.main.exported).as_slice() {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            self.desk.exported = true;
            self.desk.note = Some(format!("Exported {}{more}", first.display()));
        }
        if std::mem::take(&mut self.main.has_opened_replay) {
            self.desk.note = Some("Recording opened: stresses are told against the rest state at hand".to_owned());
        }
        self.take_changes();
        if let Some(rest) = self.autosave.tend(&self.document) {
            ctx.request_repaint_after(rest);
        }
        if ctx.input(|input| input.viewport().close_requested()) && !self.quitting {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.perform(ctx, Action::Quit);
        }
        // Not while something is still being dragged.
        if !ctx.input(|input| input.pointer.any_down()) {
            self.layout.keep(ctx.zoom_factor());
        }
        if self.main.activity != Activity::Idle {
            // Elapsed time is shown while work is in hand.
            ctx.request_repaint_after(std::time::Duration::from_millis(100));
        }
        let title = format!("{}{} – Aplomb", if self.document.is_dirty() { "• " } else { "" }, self.document.title());
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
        self.profile.add(Part::News, start);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        let start = worked();
        let ctx = ui.ctx().clone();
        if let Some(mode) = &mut self.desk.mode {
            mode.span.1 = ctx.input(|input| input.time);
            ctx.request_repaint();
        }
        self.dark = ui.visuals().dark_mode;
        let mut actions = Vec::new();
        // While something is dragged, keys are numbers and axes.
        if !self.desk.awaits_key() && !self.views.iter().any(Viewport::is_dragging) {
            actions.extend(command::pressed(&ctx, &self.desk.keymap, self.desk.file_card.is_some()));
        }
        let dropped = ctx.input(|input| input.raw.dropped_files.iter().map(|file| absolute(file.path())).collect::<Vec<_>>());
        if !dropped.is_empty() {
            actions.push(Action::Take(dropped));
        }
        self.tell_pattern();
        self.draw(ui, &mut actions);
        self.take_pattern(&mut actions);
        for action in actions {
            self.perform(&ctx, action);
        }
        self.observe();
        self.prepare_brush();
        self.look_at_place();
        if self.desk.found && self.grip.is_none() {
            self.main.find_contacts(self.document.scene(), self.document.folder());
        }
        // An interaction has settled when no button is held and no text field is being typed into.
        let is_typing = ctx.text_edit_focused();
        let settled = !ctx.input(|input| input.pointer.any_down()) && !is_typing && !self.is_painting() && self.grip.is_none();
        if !is_typing {
            self.balance_live(settled);
        }
        if settled {
            self.document.settle();
            self.show_geometry();
        }
        self.profile.add(Part::Panels, start);
        // Views are drawn between panels.
        self.profile.without(Part::Panels, self.profile.of(Part::Views));
    }

    fn on_exit(&mut self, _gl: Option<&glow::Context>) {
        self.autosave.discard();
    }
}

fn default_scene() -> PathBuf {
    aplomb_sim::scene_file::gallery::find("creature")
        .map(|entry| entry.path())
        .unwrap_or_else(|| Path::new("scenes/creature.json").to_path_buf())
}

impl App {
    /// The selected body or region's body, if any.
    fn selected_body(&self) -> Option<usize> {
        match self.document.selection {
            Selection::Body(body) | Selection::Region(body, _) => Some(body),
            _ => None,
        }
    }
}
