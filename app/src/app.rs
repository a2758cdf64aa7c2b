//! The editor: [`App::logic`] takes in what happened, [`App::ui`] draws, and what the user wants is done after that.

mod files;
mod import;
mod perform;
mod recording;
mod shadows;
mod touch;
mod trial;
mod views;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use aplomb_sim::scene::{MaterialSettings, Scene};
use egui::{CentralPanel, Frame, Margin, Panel as Side, ScrollArea, UiBuilder};

use crate::document::command;
use crate::document::{Action, Autosave, Document, FileRequest, FileWatch, MeshFile, RecentFiles, Recovered, Selection, Stroke, absolute};
use crate::panels::{self, Banner, BottomTab, Desk, Look, PANELS, Picture, Place, RightTab};
use crate::profile::{Part, Profile, worked};
use crate::session::{Activity, Clock, Track, WakeUp};
use crate::theme::{self, icons};
use crate::viewport::{DrawList, Viewport};
use crate::widgets::{Tab, tab_bar};
use import::Filling;
use trial::Trial;

/// How the editor is started.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The scene file, or a mesh to look at; the gallery's creature where there is none.
    pub scene: Option<PathBuf>,
    /// Folder of recent files and autosaved edits; `None` keeps neither.
    pub state: Option<PathBuf>,
}

/// What was asked for, while a question about it is open.
#[derive(Debug, Clone)]
enum Waiting {
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
    /// The naive session with its recording, while one view is shown.
    parked: Option<Track>,
    /// The scene for which the recording of another was kept on screen.
    kept: Option<Arc<Scene>>,
    /// Counts the documents that were at hand: nothing of how one was looked at is kept for the next.
    opened: u64,
    clock: Clock,
    desk: Desk,
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
    stroke: Option<Stroke>,
    /// A mesh for an obstacle that is being read on another thread.
    importing: Option<Receiver<Result<MeshFile, String>>>,
    /// The view is framed when the next model arrives.
    frame_next: bool,
    /// The camera is moved, when the next model arrives, to where the selected obstacle is seen.
    frame_obstacle: bool,
    title: String,
    /// What frames cost.
    profile: Profile,
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
        let mut app = Self {
            main: Track::start("simulation B", &clock, Arc::clone(&wake_up))?,
            twin: None,
            parked: None,
            kept: None,
            opened: 0,
            clock,
            desk: Desk { soft_shadows: shadows::are_wanted(shadows.as_deref()), ..Desk::default() },
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
            stroke: None,
            importing: None,
            frame_next: true,
            frame_obstacle: false,
            title: String::new(),
            profile,
            theme,
            shadows,
            wake_up,
            document,
        };
        app.opened();
        app.offer_recovered();
        app.take_files(&cc.egui_ctx, meshes);
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

    /// The naive session of the comparison.
    pub fn twin(&self) -> Option<&Track> {
        self.twin.as_ref()
    }

    /// How things are shown.
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// Whether a question or some news is shown at the top.
    pub fn banner(&self) -> Option<&Banner> {
        self.banner.as_ref()
    }

    /// What frames cost.
    pub fn profile(&self) -> &Profile {
        &self.profile
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
        self.desk.hidden.clear();
        (self.desk.slice.on, self.desk.slice_is_placed) = (false, false);
        self.desk.inspected = None;
        self.desk.side = RightTab::Object;
        self.desk.brush.on = false;
        self.desk.note = None;
        (self.stand_in, self.filling) = (None, None);
        (self.untried, self.trial) = (None, None);
        self.main.certificate = None;
        (self.twin, self.parked, self.kept) = (None, None, None);
        self.opened += 1;
        // Another scene is looked at from where every scene is looked at first.
        self.views.iter_mut().for_each(Viewport::forget);
        self.frame_next = true;
        self.load();
        if let Some(path) = &self.document.path {
            self.recent.add(path);
        }
        self.rewatch();
    }

    /// Loads the scene into the session, unless it has no bodies to load.
    fn load(&mut self) {
        if !self.document.scene().bodies.is_empty() {
            self.main.load(self.document.scene(), self.document.folder());
        }
    }

    fn look<R>(&mut self, actions: &mut Vec<Action>, draw: impl FnOnce(&mut Look<'_>) -> R) -> R {
        let (document, main, twin, desk) = (&self.document, &self.main, self.twin.as_ref(), &mut self.desk);
        draw(&mut Look { document, main, twin, desk, actions })
    }

    /// Everything that is drawn; wishes are collected in `actions`.
    fn draw(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>) {
        let strip = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(8, 4));
        let slim = strip.fill(theme::meaning(ui).base).inner_margin(Margin::symmetric(8, 1));
        let recent = self.recent.files.clone();
        Side::top("menus").frame(slim).show(ui, |ui| self.look(actions, |look| panels::menus(ui, look, &recent)));
        Side::top("tool bar").frame(strip).show(ui, |ui| self.look(actions, |look| panels::toolbar(ui, look)));
        if let Some(banner) = self.banner.clone() {
            Side::top("banner").frame(Frame::new()).show(ui, |ui| self.look(actions, |look| panels::banner(ui, look, &banner)));
        }
        let side = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::same(8));
        Side::right("right").frame(side).default_size(304.0).size_range(288.0..=440.0).show(ui, |ui| match self.desk.preview {
            Some(_) => self.look(actions, |look| panels::import_panel(ui, look)),
            None => {
                self.right(ui, actions);
            }
        });
        Side::bottom("bottom").frame(side).resizable(true).default_size(232.0).min_size(120.0).show(ui, |ui| self.bottom(ui, actions));
        Side::left("left").frame(side).default_size(244.0).size_range(200.0..=400.0).show(ui, |ui| self.column(ui, actions, Place::Left));
        let views = CentralPanel::no_frame().show(ui, |ui| self.views(ui, actions)).response.rect;
        let ctx = ui.ctx().clone();
        self.look(actions, |look| {
            panels::drop_target(&ctx);
            panels::file_card(&ctx, look, views.top());
            panels::palette(&ctx, look);
            panels::help(&ctx, look);
        });
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

    /// The transport strip, and the tabs under it.
    fn bottom(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>) {
        for panel in PANELS.iter().filter(|panel| panel.place == Place::Strip) {
            ui.push_id(panel.title, |ui| self.look(actions, |look| (panel.show)(ui, look)));
        }
        let count = self.look(actions, |look| look.problem_count());
        let tabs: Vec<Tab<BottomTab>> = PANELS
            .iter()
            .filter_map(|panel| {
                let Place::Tab(value) = panel.place else { return None };
                let (icon, count) = match value {
                    BottomTab::Plots => (icons::PLOTS, 0),
                    BottomTab::Histogram => (icons::HISTOGRAM, 0),
                    BottomTab::Probes => (icons::PROBE, 0),
                    BottomTab::Problems => (icons::PROBLEMS, count),
                };
                Some(Tab { value, icon, name: panel.title, count })
            })
            .collect();
        tab_bar(ui, &mut self.desk.tab, &tabs);
        // Whatever a tab draws, it gets the room that there is, and takes no more: the panel would grow from frame to frame.
        let room = ui.available_rect_before_wrap();
        let mut inside = ui.new_child(UiBuilder::new().max_rect(room).id_salt((self.desk.tab, self.opened)));
        inside.set_clip_rect(ui.clip_rect().intersect(room.expand(2.0)));
        let shown = Place::Tab(self.desk.tab);
        for panel in PANELS.iter().filter(|panel| panel.place == shown) {
            inside.push_id(panel.title, |ui| self.look(actions, |look| (panel.show)(ui, look)));
        }
        ui.advance_cursor_after_rect(room);
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
        }
        self.take_repainted();
        self.ask_anew();
        self.take_preview();
        self.take_filled();
        self.begin_trial();
        self.take_trial();
        self.take_import();
        if let [first, others @ ..] = std::mem::take(&mut self.main.exported).as_slice() {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            self.desk.note = Some(format!("Exported {}{more}", first.display()));
        }
        self.take_changes();
        if let Some(rest) = self.autosave.tend(&self.document) {
            ctx.request_repaint_after(rest);
        }
        if ctx.input(|input| input.viewport().close_requested()) && !self.quitting {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.perform(ctx, Action::Quit);
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
        let mut actions = Vec::new();
        actions.extend(command::pressed(&ctx));
        let dropped = ctx.input(|input| input.raw.dropped_files.iter().map(|file| absolute(file.path())).collect::<Vec<_>>());
        if !dropped.is_empty() {
            actions.push(Action::Take(dropped));
        }
        self.draw(ui, &mut actions);
        for action in actions {
            self.perform(&ctx, action);
        }
        self.observe();
        if self.desk.found {
            self.main.find_contacts(self.document.scene(), self.document.folder());
        }
        // An interaction has settled when no button is held and no text field is being typed into.
        if !ctx.input(|input| input.pointer.any_down()) && !ctx.text_edit_focused() && self.stroke.is_none() {
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
