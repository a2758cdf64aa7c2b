//! The views in the middle: one, or naive and sag-free side by side with one camera.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use egui::{UiBuilder, vec2};

use super::App;
use super::pictures::OnScreen;
use crate::document::{Action, Selection, region_color};
use crate::layout::Side;
use crate::panels::{
    BrushState, ColorBy, Look, Picture, Touch, badge, caption, draw_flash, draw_hand, draw_pattern_point, draw_probes, frame_times,
    method_words, slice_card, slice_handle, start, strip, view_label,
};
use crate::profile::{Part, worked};
use crate::session::Activity;
use crate::viewport::{DrawList, Tone, ViewEvent, ViewTool, legend};

/// Gap between two views [points].
const GAP: f32 = 4.0;
/// Why a frame of the recording has no values of a field.
const UNRECORDED: &str = "Not recorded: the last frame has it";

impl App {
    /// Draws the views, and takes in what the mouse did there.
    pub(super) fn views(&mut self, ui: &mut egui::Ui, actions: &mut Vec<Action>) {
        let room = ui.available_rect_before_wrap();
        ui.advance_cursor_after_rect(room);
        let start = worked();
        self.views_in(ui, room, actions);
        self.profile.add(Part::Views, start);
        if self.desk.frame_times {
            frame_times(ui, room, &self.profile);
        }
    }

    fn views_in(&mut self, ui: &mut egui::Ui, room: egui::Rect, actions: &mut Vec<Action>) {
        self.desk.pattern.over = None;
        if self.preview(ui, room) {
            return;
        }
        let hidden = !self.layout.shows(Side::Right);
        let room = self.look(actions, |look| strip(ui, look, room, hidden));
        // There is one legend, of both views if there are two; what is painted has its own.
        let place = (self.desk.color_by != ColorBy::Plain && !self.paints_field()).then(|| legend::Place::of(room, self.twin.is_some()));
        let (whole, beside) = place.map_or((room, room), |place| place.split(room));
        self.views.iter_mut().for_each(|view| view.make_room(place));
        let scale = ui.ctx().pixels_per_point();
        self.on_screen = OnScreen { height: room.height(), scale, dark: ui.visuals().dark_mode, place };
        self.desk.view_pixels = ((room.width() * scale).round() as u32, (room.height() * scale).round() as u32);
        let tracks: Vec<_> = std::iter::once(&self.main).chain(&self.twin).collect();
        let subject = Picture::legend(&tracks, self.desk.color_by, &self.desk.legends);
        let tone = subject.map(|subject| subject.tone);
        let (left, right) = if self.twin.is_some() {
            let width = 0.5 * (whole.width() - GAP);
            let size = vec2(width, whole.height());
            (Some(egui::Rect::from_min_size(whole.min, size)), egui::Rect::from_min_size(whole.min + vec2(width + GAP, 0.0), size))
        } else {
            (None, whole)
        };
        let mut seen = Vec::new();
        if let Some(rect) = left {
            ui.painter().rect_filled(whole, 0.0, ui.visuals().panel_fill);
            seen.push(self.view(ui, 0, rect, tone, actions));
        }
        seen.push(self.view(ui, 1, right, tone, actions));
        match (place, &subject) {
            (Some(place), Some(subject)) => {
                let choice = self.desk.legends.entry(subject.kind);
                legend::show(ui, place, beside, Ok(subject), &seen, Some(choice));
            }
            (Some(place), None) => {
                let why = if self.main.frame() < self.main.last_frame() { UNRECORDED } else { "No values of this kind yet" };
                legend::show(ui, place, beside, Err(why), &seen, None);
            }
            (None, _) => {}
        }
        if self.shows_start() {
            self.look(actions, |look| start(ui, look, room));
        }
    }

    /// Draws the mesh that is looked at, or what stands in for a body that is being loaded; false where there is neither.
    fn preview(&mut self, ui: &mut egui::Ui, rect: egui::Rect) -> bool {
        let dark = ui.visuals().dark_mode;
        // The scene stays in view until there is something else to see.
        let seen = self.desk.preview.as_mut().filter(|preview| preview.bounds().is_some());
        let (list, revision, name) = match seen {
            Some(preview) => {
                let list = preview.draw_list(dark);
                if !preview.framed {
                    self.preview_view.frame_anew(&list, rect);
                    preview.framed = true;
                }
                if std::mem::take(&mut preview.look_there) {
                    let size = preview.bounds().map_or(1.0, |[low, high]| (high - low).norm());
                    self.preview_view.frame_places(&preview.pointed_places(), size / 12.0);
                }
                (list, preview.revision(), format!("View of {}", preview.name()))
            }
            None => match self.standing_in() {
                Some((list, revision)) => (DrawList { dark, ..list }, revision, "View of the mesh that is being filled".to_owned()),
                None => return false,
            },
        };
        let soft_shadows = self.desk.soft_shadows;
        let list = DrawList { soft_shadows, ..list };
        let revision = 4 * revision + 2 * u64::from(soft_shadows) + u64::from(dark);
        ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt("preview"), |ui| {
            self.preview_view.show(ui, &name, &list, &ViewTool::Navigate, revision);
        });
        // The body appears where its surface was.
        self.views[1].camera = self.preview_view.camera;
        true
    }

    /// View 0 is A, the naive one; view 1 is B, or the only one. What is seen in it.
    fn view(&mut self, ui: &mut egui::Ui, index: usize, rect: egui::Rect, tone: Option<Tone>, actions: &mut Vec<Action>) -> DrawList {
        let compared = self.twin.is_some();
        let track = if index == 0 { self.twin.as_ref().unwrap_or(&self.main) } else { &self.main };
        let dark = ui.visuals().dark_mode;
        self.pictures[index].wake(&self.wake_up);
        let mut list = self.pictures[index].draw_list(&self.document, track, &self.desk, tone, dark, compared);
        let (drawn, method) = (track.revision, track.method);
        self.color_field(&mut list);
        self.tint_painted(&mut list);
        let tool = self.tool();
        let revision = self.revision(index, drawn, tone, dark);
        // While a load is in hand the view still shows the body before.
        if self.frame_next && index == 1 && !list.bodies.is_empty() && self.main.activity != Activity::Loading {
            self.views[1].frame_all(&list, rect);
            self.views[0].camera = self.views[1].camera;
            self.frame_next = false;
        }
        if let Some(obstacle) = list.selected_obstacle.filter(|_| self.frame_obstacle && index == 1) {
            self.frame_obstacle = false;
            self.views[1].bring_in(&list, obstacle, rect);
        }
        let before = self.views[index].camera;
        let handles = if self.desk.brush.on || index == 0 { None } else { self.handles(&list) };
        self.views[index].set_handles(handles);
        let id = match (index, compared) {
            (0, _) => format!("View A, {}", method_words(method).0),
            (_, true) => "View B".to_owned(),
            (_, false) => "3D view".to_owned(),
        };
        let mut events = Vec::new();
        ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt(["A", "B"][index]), |ui| {
            events = self.views[index].show(ui, &id, &list, &tool, revision);
            caption(ui, rect, &self.desk, if index == 0 { None } else { self.main.certificate.as_ref() });
            if compared {
                let track = if index == 0 { self.twin.as_ref().unwrap_or(&self.main) } else { &self.main };
                actions.extend(view_label(ui, rect, index == 0, track));
            }
        });
        if !compared {
            self.look(actions, |look| badge(ui, look, rect));
        }
        let camera = self.views[index].camera;
        let track = if index == 0 { self.twin.as_ref().unwrap_or(&self.main) } else { &self.main };
        let (document, main, twin, recent, desk) = (&self.document, &self.main, self.twin.as_ref(), &self.recent, &mut self.desk);
        draw_probes(ui, rect, &camera, &mut Look { document, main, twin, recent, desk, actions: &mut *actions }, track);
        draw_pattern_point(ui, rect, &camera, &self.desk.pattern, track.model.as_deref(), track.snapshot.as_deref());
        if index == 1 && self.desk.slice.on {
            let (camera, model) = (self.views[1].camera, self.main.model.clone());
            if let Some((model, snapshot)) = model.zip(self.main.snapshot.clone()) {
                let points = snapshot.positions.get(..model.body_nodes).unwrap_or_default();
                slice_handle(ui, rect, &mut self.desk.slice, &camera, points);
                slice_card(ui, rect, &mut self.desk.slice, &camera, points);
            }
        }
        if index == 1 {
            self.show_menu(ui, actions);
        }
        if self.views[index].camera != before {
            self.views[1 - index].camera = self.views[index].camera;
            ui.ctx().request_repaint();
        }
        draw_hand(
            ui,
            rect,
            &self.views[index].camera,
            &self.desk.push,
            &list,
            if index == 0 { self.twin.as_ref() } else { Some(&self.main) },
        );
        draw_flash(ui, rect, &self.views[index].camera, &mut self.desk.push, &list);
        let along = ui.input(|input| input.modifiers.ctrl || input.modifiers.shift);
        for event in events {
            self.take_touch_event(&event, &list);
            if !self.take_place_click(ui, &event, &list) {
                self.take_view_event(event, along, actions);
            }
        }
        list
    }

    pub(super) fn tool(&self) -> ViewTool {
        let Some(body) = self.selected_body().filter(|_| self.desk.brush.on) else {
            return match self.desk.touch {
                Touch::Select => ViewTool::Navigate,
                Touch::Hand => ViewTool::Hand,
                Touch::Probe => ViewTool::Probe,
            };
        };
        let BrushState { radius, erase, through, area, strength, .. } = self.desk.brush;
        let color = match self.document.selection {
            Selection::Region(b, r) => self.document.scene().bodies.get(b).and_then(|body| Some(region_color(body.regions.get(r)?, r))),
            _ => None,
        };
        let (color, soft) = (color.unwrap_or([255; 3]), self.paints_field().then_some(strength));
        ViewTool::Brush { radius, erase, through, color, area, body, soft }
    }

    /// Changes when anything in the picture does.
    fn revision(&self, index: usize, track: u64, tone: Option<Tone>, dark: bool) -> u64 {
        let mut hasher = DefaultHasher::new();
        let color = match self.desk.color_by {
            ColorBy::Plain => "",
            ColorBy::Field(name) => name,
        };
        let tone = tone.map(|tone| (tone.range.0.to_bits(), tone.range.1.to_bits(), tone.map as u8, tone.log));
        let selection = format!("{:?}", self.document.selection);
        let places = self.desk.marks.len();
        let painted = (self.painting.revision, self.paints_field(), self.desk.brush.factor.to_bits());
        (track, self.pictures[index].revision(), painted, color, tone, dark, self.twin.is_some(), selection, places).hash(&mut hasher);
        let desk = &self.desk;
        (&desk.hidden_bodies, &desk.hidden_obstacles, desk.residual).hash(&mut hasher);
        (desk.forces, desk.force_scale.to_bits(), desk.supports, desk.loads, desk.found, desk.xray, desk.shows_tets(), desk.rest_ghost)
            .hash(&mut hasher);
        (desk.soft_shadows, desk.all_forces, desk.cells, desk.shows_surface()).hash(&mut hasher);
        (desk.clear_bodies, format!("{:?}", desk.dissection()), desk.slice.obstacles).hash(&mut hasher);
        desk.playhead.map(f64::to_bits).hash(&mut hasher);
        format!("{:?}", self.document.selected()).hash(&mut hasher);
        desk.choice.as_ref().map(|choice| Arc::as_ptr(&choice.elements).cast::<u32>() as usize).hash(&mut hasher);
        desk.mode.map(|mode| (mode.motion, mode.span.1.to_bits(), desk.swing.to_bits())).hash(&mut hasher);
        hasher.finish()
    }

    pub(super) fn take_view_event(&mut self, event: ViewEvent, along: bool, actions: &mut Vec<Action>) {
        // While another scene is being loaded, what is in view is still of the one before.
        let is_of_scene = self.is_of_scene();
        match event {
            ViewEvent::Hover(hit) => self.desk.pattern.over = Some(hit),
            ViewEvent::Framed(_) | ViewEvent::FramedObstacle(_) => {}
            ViewEvent::Taken(_) | ViewEvent::Pulled(_) | ViewEvent::LetGo => {}
            ViewEvent::Click(_) | ViewEvent::ClickObstacle(_) | ViewEvent::StrokeBegan if !is_of_scene => {}
            ViewEvent::Click(hit) if !self.desk.brush.on => {
                let body = hit.map(|hit| Selection::Body(hit.body));
                actions.push(match body {
                    Some(body) if along => Action::SelectAlong(body),
                    None if along => return,
                    body => Action::Select(body.unwrap_or_default()),
                });
            }
            ViewEvent::ClickObstacle(obstacle) if !self.desk.brush.on => {
                let obstacle = Selection::Obstacle(obstacle);
                actions.push(if along { Action::SelectAlong(obstacle) } else { Action::Select(obstacle) });
            }
            ViewEvent::Click(_) | ViewEvent::ClickObstacle(_) => {}
            ViewEvent::StrokeBegan => self.begin_stroke(),
            ViewEvent::StrokeOver { body, vertices, strengths, erase } => self.stroke_over(body, &vertices, &strengths, erase),
            ViewEvent::StrokeEnded => self.end_stroke(),
            ViewEvent::BrushStrength(strength) => self.desk.brush.strength = strength,
            ViewEvent::BrushRadius(radius) => self.desk.brush.radius = radius,
            ViewEvent::Handle(event) => self.take_handle(event),
            ViewEvent::Menu(..) if !is_of_scene => {}
            ViewEvent::Menu(at, obstacle, hit) => {
                let body = hit.map(|hit| Selection::Body(hit.body));
                self.open_menu(at, obstacle.map(Selection::Obstacle).or(body).unwrap_or_default());
            }
        }
    }
}
