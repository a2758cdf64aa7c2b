//! A view of the scene: camera, picking, brush, legend, and the painter behind them.

mod bounds;
pub mod brush;
pub mod bvh;
pub mod camera;
pub mod color_map;
pub mod draw_list;
pub mod event;
mod force_legend;
pub mod gizmo;
pub mod handles;
mod hold;
mod interact;
pub mod legend;
pub mod marquee;
pub mod navigate;
mod obstacles;
pub mod paint;
pub mod painter;
pub mod picking;
pub mod ticks;
pub mod tone;

use std::sync::{Arc, Mutex};

use aplomb_sim::math::Vec3;
use egui::{Rect, Role, Sense, Ui, WidgetInfo};

use crate::profile::Meter;
pub use bounds::frame_all;
use brush::Brush;
pub use camera::{AxisView, Camera, Room};
pub use color_map::ColorMap;
pub use draw_list::{
    ArrowDraw, ArrowKind, BodyColor, BodyDraw, ContactDraw, DrawList, LineDraw, LineKind, ObstacleDraw, ObstacleForm, Origins, SupportDraw,
    SupportKind,
};
pub use event::{Area, Hit, ViewEvent, ViewTool};
use gizmo::Turn;
use handles::Grasp;
use marquee::Marquee;
use navigate::{Flight, Grab};
use paint::Canvas;
use picking::Picker;
pub use tone::{Extent, LegendChoice, Legends, Tone};

/// A view with a camera of its own. Two views side by side share a camera by copying [`Viewport::camera`].
pub struct Viewport {
    /// Where the view is seen from.
    pub camera: Camera,
    canvas: Option<Arc<Mutex<Canvas>>>,
    picker: Picker,
    brush: Brush,
    marquee: Option<Marquee>,
    grab: Option<Grab>,
    /// Where what is held was taken [m].
    taken: Option<Vec3>,
    grasp: Grasp,
    flight: Option<Flight>,
    /// The legend that stands in the view, or below.
    legend: Option<legend::Place>,
    /// What there was to be filled when last shown.
    room: Room,
    /// Whether the camera has been put in front of something.
    framed: bool,
    /// The camera that has everything in view, and what that was: while nobody has moved it since, it follows the size of the view.
    fitted: Option<(Camera, DrawList)>,
}

impl Viewport {
    /// A view that draws through `gl`; without one (tests of the user interface) it draws a plain background and
    /// still answers the mouse and the keys. `buffers` is told what it works on the driver's buffers.
    pub fn new(gl: Option<Arc<glow::Context>>, buffers: Meter) -> Self {
        Self {
            camera: Camera::default(),
            canvas: gl.map(|gl| Arc::new(Mutex::new(Canvas::new(gl, buffers)))),
            picker: Picker::default(),
            brush: Brush::default(),
            marquee: None,
            grab: None,
            taken: None,
            grasp: Grasp::default(),
            flight: None,
            legend: None,
            room: Room::from(1.5),
            framed: false,
            fitted: None,
        }
    }

    /// Shows `list` in all of `ui` that is left, and tells what the mouse did. `id` is also the accessible name.
    /// `revision` must change whenever the list does: the picture is drawn again only when it, the camera or the size changed.
    pub fn show(&mut self, ui: &mut Ui, id: &str, list: &DrawList, tool: &ViewTool, revision: u64) -> Vec<ViewEvent> {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, id));
        self.resize(self.room_in(rect));
        let mut events = Vec::new();
        self.fly(ui);
        self.drag_handles(ui, &response, &mut events);
        self.navigate(ui, &response, list, tool, &mut events);
        paint::show(ui, rect, self.canvas.as_ref(), list, &self.camera, revision);
        self.point(ui, &response, list, tool, revision, &mut events);
        force_legend::show(ui, rect, list);
        self.draw_handles(ui, rect);
        match gizmo::show(ui, rect, &self.camera) {
            Some(Turn::Side(side)) => self.look_from(side),
            Some(Turn::Projection) => self.toggle_orthographic(),
            None => {}
        }
        if matches!(tool, ViewTool::Navigate) {
            self.note(ui, &response, list, &events);
        }
        events
    }

    /// Says where the legend stands that belongs to the view, if there is one: what is framed keeps clear of it.
    pub fn make_room(&mut self, legend: Option<legend::Place>) {
        self.legend = legend;
    }

    /// What may be filled in `rect`.
    fn room_in(&self, rect: Rect) -> Room {
        self.legend.map_or(Room::from(navigate::aspect(rect)), |legend| legend.room(rect))
    }

    /// Moves the camera so that all of `list` is in view in `rect`: eased, or at once where nothing was framed before.
    pub fn frame_all(&mut self, list: &DrawList, rect: Rect) {
        self.room = self.room_in(rect);
        let to = self.fit(list);
        if std::mem::replace(&mut self.framed, true) {
            self.fly_to(to);
        } else {
            self.camera = to;
        }
    }

    /// Puts the camera, at once, in front of all of `list` in `rect`: it is something else than before.
    pub fn frame_anew(&mut self, list: &DrawList, rect: Rect) {
        (self.framed, self.flight) = (false, None);
        self.frame_all(list, rect);
    }

    /// The camera that has all of `list` in view.
    fn fit(&mut self, list: &DrawList) -> Camera {
        let to = frame_all(&self.camera, list, self.room);
        let seen = DrawList { bodies: list.bodies.clone(), obstacles: list.obstacles.clone(), ..DrawList::default() };
        self.fitted = Some((to, seen));
        to
    }

    /// What was framed stays in view whole when the view becomes narrower, and fills it when it becomes wider.
    fn resize(&mut self, room: Room) {
        if std::mem::replace(&mut self.room, room) == room {
            return;
        }
        let heading = self.flight.map_or(self.camera, |flight| flight.to());
        if let Some((camera, seen)) = self.fitted.take_if(|(camera, _)| *camera == heading) {
            self.flight = None;
            self.camera = frame_all(&camera, &seen, room);
            self.fitted = Some((self.camera, seen));
        }
    }

    /// Turns the camera to a side of what it looks at.
    pub fn look_from(&mut self, side: AxisView) {
        self.fly_to(self.camera.seen_from(side));
    }

    /// Makes lines that are parallel so in the picture, or smaller with distance again.
    pub fn toggle_orthographic(&mut self) {
        let orthographic = !self.camera.orthographic;
        for camera in std::iter::once(&mut self.camera).chain(self.flight.as_mut().map(Flight::to_mut)) {
            camera.orthographic = orthographic;
        }
        // What was framed fills the view no less.
        if let Some((camera, _)) = &mut self.fitted {
            camera.orthographic = orthographic;
        }
    }

    /// Forgets where it was seen from: what comes next is another scene.
    pub fn forget(&mut self) {
        (self.camera, self.framed, self.flight, self.fitted) = (Camera::default(), false, None, None);
    }

    /// Moves the camera to where an obstacle of the list is in view in `rect`, along with the bodies; not if it is in view.
    pub fn bring_in(&mut self, list: &DrawList, obstacle: usize, rect: Rect) {
        self.room = self.room_in(rect);
        if let Some(to) = bounds::bring_in(&self.camera, list, obstacle, self.room) {
            self.fly_to(to);
        }
    }

    /// Moves the camera to places [m], with `room` about them.
    pub fn frame_places(&mut self, places: &[Vec3], room: f64) {
        self.fly_to(bounds::frame_places(&self.camera, places, room, self.room));
    }

    /// Moves the camera to a body of the list; to all of them for `None`.
    fn frame(&mut self, list: &DrawList, body: Option<usize>, events: &mut Vec<ViewEvent>) {
        let to = match body.and_then(|index| list.bodies.get(index)) {
            Some(body) => bounds::frame(&self.camera, std::slice::from_ref(body), self.room),
            None => self.fit(list),
        };
        self.fly_to(to);
        events.push(ViewEvent::Framed(body));
    }

    fn fly_to(&mut self, to: Camera) {
        self.flight = Some(Flight::new(self.camera, to));
    }

    /// Goes on with the flight in hand; at once where the user wants no animation.
    fn fly(&mut self, ui: &Ui) {
        let Some(flight) = &mut self.flight else { return };
        let (camera, arrived) = if ui.style().animation_time > 0.0 { flight.at(ui.input(|input| input.time)) } else { (flight.to(), true) };
        self.camera = camera;
        if arrived {
            self.flight = None;
        }
        ui.ctx().request_repaint();
    }
}
