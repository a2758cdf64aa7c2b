//! What each action does.

use std::sync::Arc;

use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::scene::Method;

use super::twin::begin;
use super::{App, Waiting, shadows};
use crate::document::command::Seek;
use crate::document::{
    Action, Choice, Document, FileRequest, MeshFile, Overlay, RoleKind, Selection, ShapeKind, Tool, mend_label, mended, new_obstacle,
    new_region, removed,
};
use crate::layout::Arrange;
use crate::panels::{Banner, PlayedMode, Touch};
use crate::session::{Activity, Track};
use crate::theme;

impl App {
    /// Does `action`, or asks first where it would drop a recording.
    pub(super) fn perform(&mut self, ctx: &egui::Context, action: Action) {
        // News are told until the next action.
        self.desk.note = None;
        // The transport has the playhead as soon as it moves.
        if matches!(action, Action::Seek(_) | Action::TogglePlay | Action::Step | Action::Reset) {
            self.desk.playhead = None;
        }
        if let Some(why) = self.look(&mut Vec::new(), |look| look.why_not(&action)) {
            self.desk.note = Some(why.to_owned());
        } else if !self.asks(&action) {
            self.carry_out(ctx, action);
        }
    }

    /// Does `action`.
    pub(super) fn carry_out(&mut self, ctx: &egui::Context, action: Action) {
        match action {
            Action::Edit(label, scene) => self.document.edit(&label, *scene),
            Action::Undo => self.step_history(Document::undo),
            Action::Redo => self.step_history(Document::redo),
            Action::GoTo(count) => self.step_history(|document| document.go_to(count)),
            Action::Select(selection) => {
                self.document.select_these(&[selection]);
                self.selected_anew();
            }
            Action::SelectAlong(selection) => {
                self.document.select_along(selection);
                self.selected_anew();
            }
            Action::SelectUpTo(selection) => {
                self.document.select_up_to(selection);
                self.selected_anew();
            }
            Action::SetTool(tool) => self.set_tool(ctx, tool),
            Action::ToggleLocalAxes => self.desk.local_axes = !self.desk.local_axes,
            Action::Drop => self.drop_selected(),
            Action::Ask(what) => self.ask(what),
            Action::File(request) => self.guard(ctx, Waiting::File(request)),
            Action::Take(files) => self.take_files(ctx, files),
            Action::Import => self.guard(ctx, Waiting::File(FileRequest::Import)),
            Action::LeavePreview => self.next_preview(),
            Action::ClearRecent => self.recent.clear(),
            Action::NewScene => self.guard(ctx, Waiting::New),
            Action::Save => self.save(),
            Action::Reload => self.reload(),
            Action::Initialise => self.initialise(),
            Action::SetMethod(method) => self.desk.method = method,
            Action::SetTwinMethod(method) => self.set_twin_method(method),
            Action::InitialiseBy(method) => self.set_own_method(method),
            Action::Cancel => self.cancel(),
            Action::TogglePlay => self.toggle_play(),
            Action::ToggleLoop => self.toggle_loop(),
            Action::SetLive(live) => self.desk.live = Some(live),
            Action::ToggleLive => self.desk.live = Some(!self.is_live()),
            Action::Seek(seek) => self.seek(seek),
            Action::Step => self.each_ready(Track::step),
            Action::Reset => self.each(|track| track.reset()),
            Action::Kick(velocity) => self.each(|track| track.kick(velocity)),
            Action::Nudge => self.nudge(ctx),
            Action::Gust => self.gust(ctx),
            Action::ToggleProbe => self.take_touch(Touch::Probe),
            Action::ToggleHand => self.take_touch(Touch::Hand),
            Action::ToggleCompare => self.toggle_compare(),
            Action::FrameAll => self.frame_next = true,
            Action::LookFrom(side) => self.view_in_front().look_from(side),
            Action::ToggleOrthographic => self.view_in_front().toggle_orthographic(),
            Action::Show(places) => {
                self.frame_places(&places);
                self.desk.marks = places;
            }
            Action::Choose(choice) => self.desk.choice = choice,
            Action::ShowElements(choice) => self.show_elements(choice),
            Action::NudgeTest => {
                // Only an equilibrium of the scene as it is now can be nudged.
                if self.main.method != Method::Naive && self.main.holds(self.document.scene(), self.document.folder()) {
                    self.work(Track::nudge);
                }
            }
            Action::CompareCures => {
                self.desk.point_at_nothing();
                self.work(Track::compare_cures);
            }
            Action::UseCure(cure) => {
                let mut scene = (**self.document.scene()).clone();
                scene.initialise.cure = cure;
                self.document.settle();
                self.document.edit("Choose cure", scene);
                self.initialise();
            }
            Action::Mend(mend) => {
                self.document.settle();
                if let Some(scene) = mended(self.document.scene(), &mend) {
                    self.document.edit(&mend_label(&mend), scene);
                }
                self.initialise();
            }
            Action::FindRestShape(method) => self.work(|track| track.find_rest_shape(method)),
            Action::PlayMode(mode) => {
                let now = ctx.input(|input| input.time);
                self.desk.mode = mode.map(|motion| PlayedMode { motion, span: (now, now) });
            }
            Action::ToggleBrush => self.toggle_brush(),
            Action::Reshape(reshape) => self.reshape(reshape),
            Action::ColorBy(color_by) => self.desk.color_by = color_by,
            Action::RegionOfChoice => self.region_of_choice(),
            Action::SuggestContacts => self.suggest_contacts(),
            Action::TakePlace { out } => self.take_place(out),
            Action::LockRegion(b, r) => self.lock_region(b, r),
            Action::MoveRegion { later } => self.move_region(later),
            Action::NewRegion(kind) => self.new_region(kind),
            Action::NewObstacle(kind) => self.new_obstacle(kind, MeshFile::default()),
            Action::Delete => self.delete(),
            Action::Duplicate => self.duplicate(),
            Action::ToggleHidden => self.toggle_hidden(),
            Action::ShowAll => self.show_all(),
            Action::Focus => self.focus(),
            Action::BeginRename => self.begin_rename(),
            Action::Rename(what, name) => self.rename(what, &name),
            Action::SelectAll => self.select_all(),
            Action::AddKey => self.add_key(),
            Action::ToggleOverlay(overlay) => {
                let shown = match overlay {
                    Overlay::Contacts => &mut self.desk.forces,
                    Overlay::AllForces => &mut self.desk.all_forces,
                    Overlay::Found => &mut self.desk.found,
                    Overlay::Supports => &mut self.desk.supports,
                    Overlay::Loads => &mut self.desk.loads,
                    Overlay::Residual => &mut self.desk.residual,
                    Overlay::Cells => &mut self.desk.cells,
                };
                *shown = !*shown;
            }
            Action::ToggleXray => self.desk.xray = !self.desk.xray,
            Action::ToggleClearBodies => self.desk.clear_bodies = !self.desk.clear_bodies,
            Action::ToggleSlice => self.toggle_slice(),
            Action::ToggleApart => self.desk.apart = if self.desk.apart > 0.0 { 0.0 } else { 0.5 },
            Action::ToggleSurface => self.desk.surface = !self.desk.surface,
            Action::ToggleTets => self.desk.tets = !self.desk.tets,
            Action::ShowScene => self.load_edited(),
            Action::Arrange(wish) => self.arrange(wish),
            Action::ShowTab(tab) => self.desk.side = tab,
            Action::Zoom(zoom) => crate::layout::zoom(ctx, zoom),
            Action::ToggleTheme => theme::toggle(ctx, self.theme.as_deref()),
            Action::ToggleShadows => {
                self.desk.soft_shadows = !self.desk.soft_shadows;
                shadows::keep(self.shadows.as_deref(), self.desk.soft_shadows);
            }
            Action::TogglePalette => self.desk.palette = if self.desk.palette.is_some() { None } else { Some(Default::default()) },
            Action::ToggleFrameTimes => self.desk.frame_times = !self.desk.frame_times,
            Action::ToggleHelp => self.desk.help = !self.desk.help,
            Action::ToggleShortcuts => {
                self.desk.help = false;
                self.desk.shortcuts = if self.desk.shortcuts.is_some() { None } else { Some(Default::default()) };
            }
            Action::DiscardChanges => self.go_on(ctx),
            Action::SaveChanges => self.save_and_go_on(ctx),
            Action::Dismiss => self.dismiss(),
            Action::Overwrite => self.overwrite(ctx),
            Action::Recover => self.recover(),
            Action::Quit => self.guard(ctx, Waiting::Quit),
        }
    }

    /// Moves panels about.
    pub(super) fn arrange(&mut self, wish: Arrange) {
        self.layout.arrange(wish);
        self.desk.tab = self.layout.front();
    }

    fn step_history(&mut self, step: impl FnOnce(&mut Document)) {
        self.drop_stroke();
        step(&mut self.document);
        self.balance_live(true);
        self.show_geometry();
    }

    pub(super) fn each(&mut self, mut order: impl FnMut(&mut Track)) {
        order(&mut self.main);
        if let Some(twin) = &mut self.twin {
            order(twin);
        }
    }

    /// Sends an order to sessions that hold the scene as it is now; the others load it first.
    fn each_ready(&mut self, order: impl Fn(&mut Track)) {
        self.document.settle();
        let (scene, folder) = (Arc::clone(self.document.scene()), self.document.folder().to_path_buf());
        if scene.bodies.is_empty() {
            return;
        }
        // Both start anew if one must: they are on one clock.
        let mut ready = true;
        self.each(|track| ready &= track.holds(&scene, &folder));
        self.each(|track| {
            if !ready {
                track.load(&scene, &folder);
            }
            order(track);
        });
    }

    fn toggle_play(&mut self) {
        match self.main.activity {
            Activity::Running => self.each(|track| track.pause()),
            // While a scene is being loaded or balanced, Play waits behind it.
            Activity::Idle | Activity::Loading | Activity::Balancing => {
                let repeat = self.repeat();
                self.each_ready(|track| track.play(repeat));
            }
            Activity::Initialising | Activity::Working => {}
        }
    }

    /// Where playing repeats: at the end of the shorter run, so that both start again together.
    fn repeat(&self) -> Option<u64> {
        let last = std::iter::once(&self.main).chain(&self.twin).map(Track::last_frame).min();
        last.filter(|_| self.desk.looping)
    }

    fn toggle_loop(&mut self) {
        self.desk.looping = !self.desk.looping;
        let repeat = self.repeat();
        self.each(|track| track.repeat(repeat));
    }

    fn seek(&mut self, seek: Seek) {
        let (now, last) = (self.main.frame(), self.main.last_frame());
        if self.main.activity.is_busy() || last == 0 {
            return;
        }
        let frame = match seek {
            Seek::First => 0,
            Seek::Back => now.saturating_sub(1),
            Seek::Forth => now + 1,
            Seek::Last => last,
            Seek::To(frame) => frame,
        };
        self.each(|track| track.show(frame));
    }

    pub(super) fn initialise(&mut self) {
        self.document.settle();
        let scene = Arc::clone(self.document.scene());
        if scene.bodies.is_empty() || self.main.activity == Activity::Initialising {
            return;
        }
        self.desk.point_at_nothing();
        let folder = self.document.folder().to_path_buf();
        self.main.ensure(&scene, &folder);
        self.main.initialise(self.desk.method);
        self.desk.verdict_wanted = true;
        self.load_twin();
    }

    /// Gives the session something to do that takes a while, with the scene as it is now; not while it does something else.
    fn work(&mut self, order: impl FnOnce(&mut Track)) {
        self.document.settle();
        let (scene, folder) = (Arc::clone(self.document.scene()), self.document.folder().to_path_buf());
        if scene.bodies.is_empty() || self.main.activity.is_busy() {
            return;
        }
        self.each(|track| track.pause());
        self.main.ensure(&scene, &folder);
        order(&mut self.main);
    }

    /// Points elements out, with the camera on them.
    fn show_elements(&mut self, choice: Choice) {
        let Some(model) = &self.main.model else { return };
        let positions = self.main.snapshot.as_ref().map_or(&model.positions, |snapshot| &snapshot.positions);
        let places: Vec<Vec3> = choice
            .elements
            .iter()
            .filter_map(|&element| model.nodes_of(element as usize))
            .flatten()
            .filter_map(|node| positions.get(node).copied())
            .collect();
        self.frame_places(&places);
        self.desk.choice = Some(choice);
    }

    /// Moves the camera to places [m], with a sixth of the bodies' size about them.
    fn frame_places(&mut self, places: &[Vec3]) {
        let room = self.main.model.as_ref().map_or(1.0, |model| model.diagonal) / 6.0;
        self.views[1].frame_places(places, room);
    }

    /// Closes what is open over the window; else gives up the work in hand; else puts the brush down.
    fn cancel(&mut self) {
        if self.stop_pictures() {
            return;
        }
        let desk = &mut self.desk;
        if desk.renaming.take().is_some()
            || desk.palette.take().is_some()
            || desk.shortcuts.take().is_some()
            || desk.file_card.take().is_some()
            || std::mem::take(&mut desk.help)
            || desk.mode.take().is_some()
        {
            return;
        }
        if self.layout.restore() {
            return;
        }
        if self.desk.preview.is_some() {
            return self.next_preview();
        }
        match self.main.activity {
            Activity::Loading | Activity::Initialising | Activity::Working => self.main.cancel(),
            Activity::Running => self.each(|track| track.pause()),
            Activity::Balancing => self.give_balance_up(),
            Activity::Idle if self.trial.is_some() || self.untried.is_some() => self.give_trial_up(),
            Activity::Idle => {
                self.desk.brush.on = false;
                self.desk.touch = Touch::Select;
                self.desk.tool = Tool::Select;
                self.desk.point_at_nothing();
            }
        }
    }

    /// The plane comes where one looks at the section; taken up again, it lies where it lay.
    fn toggle_slice(&mut self) {
        let (Some(model), Some(snapshot)) = (&self.main.model, &self.main.snapshot) else { return };
        let slice = &mut self.desk.slice;
        slice.on = !slice.on;
        if slice.on && !std::mem::replace(&mut self.desk.slice_is_placed, true) {
            slice.face(&self.views[1].camera, snapshot.positions.get(..model.body_nodes).unwrap_or_default());
        }
    }

    fn toggle_compare(&mut self) {
        // Half the width crops what filled the whole of it.
        self.frame_next = true;
        if let Some(twin) = self.twin.take() {
            twin.pause();
            self.parked = Some(twin).filter(|twin| twin.last_frame() > 0);
            return;
        }
        let (scene, folder) = (Arc::clone(self.document.scene()), self.document.folder().to_path_buf());
        let twin = match self.parked.take().filter(|twin| twin.holds(&scene, &folder) && twin.method == self.desk.twin_method) {
            Some(twin) => Ok(twin),
            None => Track::start("simulation A", &self.clock, Arc::clone(&self.wake_up)).map(|mut twin| {
                twin.load(&scene, &folder);
                begin(&mut twin, self.desk.twin_method);
                twin
            }),
        };
        match twin {
            Ok(twin) => {
                self.twin = Some(twin);
                self.views[0].camera = self.views[1].camera;
                // Both go on from the start; what one has recorded already is played while the other steps.
                if !self.main.activity.is_busy() {
                    self.main.pause();
                    self.each(|track| {
                        if track.last_frame() > 0 {
                            track.show(0);
                        }
                    });
                }
            }
            Err(error) => self.banner = Some(Banner::Failed(format!("No second simulation could be started: {error}"))),
        }
    }

    fn new_region(&mut self, kind: RoleKind) {
        let Some(b) = self.selected_body().or((!self.document.scene().bodies.is_empty()).then_some(0)) else { return };
        let mut scene = (**self.document.scene()).clone();
        let region = new_region(&scene, b, kind);
        scene.bodies[b].regions.push(region);
        let r = scene.bodies[b].regions.len() - 1;
        self.document.settle();
        self.document.edit("New region", scene);
        self.document.settle();
        self.document.selection = Selection::Region(b, r);
        (self.desk.brush.on, self.desk.brush.field) = (true, false);
    }

    /// Adds an obstacle beside the bodies, and selects it.
    pub(super) fn new_obstacle(&mut self, kind: ShapeKind, mesh: MeshFile) {
        let mut scene = (**self.document.scene()).clone();
        let given = self.main.model.as_ref().map_or(&[][..], |model| &model.positions[..model.body_nodes]);
        let bounds = if given.is_empty() { (Vec3::zeros(), Vec3::repeat(1.0)) } else { bounding_box(given) };
        scene.obstacles.push(new_obstacle(&scene, kind, bounds, mesh));
        let selection = Selection::Obstacle(scene.obstacles.len() - 1);
        self.document.settle();
        self.document.edit("New obstacle", scene);
        self.document.settle();
        self.document.selection = selection;
        self.frame_obstacle = true;
        self.desk.brush.on = false;
    }

    fn delete(&mut self) {
        if self.is_locked() {
            return;
        }
        let Some((scene, next, label)) = removed(self.document.scene(), &self.document.selected()) else { return };
        self.desk.brush.on = false;
        self.desk.show_all();
        self.document.edit(label, scene);
        self.document.selection = next;
    }

    fn load_edited(&mut self) {
        let (scene, folder) = (Arc::clone(self.document.scene()), self.document.folder().to_path_buf());
        self.each(|track| track.load(&scene, &folder));
    }

    /// Loads the scene again if it looks different from what is on screen; other edits wait for Play or Initialise, so that
    /// taking them back leaves an initialised body as it was.
    pub(super) fn show_geometry(&mut self) {
        let (scene, folder) = (Arc::clone(self.document.scene()), self.document.folder().to_path_buf());
        self.follow(&scene, &folder);
        let outdated = !self.main.shows(&scene, &folder);
        if self.keeps_recording(outdated) {
            return;
        }
        if outdated {
            self.load_edited();
        } else if self.main.activity == Activity::Running && !self.main.holds(&scene, &folder) {
            self.each(|track| track.pause());
        }
    }
}
