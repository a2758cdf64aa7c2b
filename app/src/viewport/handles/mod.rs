//! Handles on what is selected: arrows, rings and boxes of constant size on the screen, that are dragged with the mouse.
//!
//! A view only measures how far a handle was taken, as a [`Change`] from where everything stood when the drag began; what becomes of the
//! scene is the editor's business.

pub mod drag;
mod read_out;
mod shape;
mod typed;

use aplomb_sim::math::{Mat3, Vec3};
use egui::{CursorIcon, PointerButton, Pos2, Rect, Response, Ui};

use super::event::ViewEvent;
use super::navigate::{aspect, to_ndc};
use super::{Camera, Viewport};
pub use drag::{Amount, Gaze, about};
use typed::{Typed, Wish};

/// Factor on the motion of the mouse with Shift.
const FINE: f32 = 0.1;

/// What handles do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HandleTool {
    /// Three arrows, three planes, and the middle for the plane that faces the eye.
    Move,
    /// Three rings, and one that faces the eye.
    Rotate,
    /// Three boxes, and the middle for all directions alike.
    Scale,
}

/// One of the handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Along, or about, one axis.
    Axis(usize),
    /// Across one axis.
    Plane(usize),
    /// The one that goes by the view.
    View,
}

impl Part {
    /// Whether it has to do with an axis.
    pub fn has(self, axis: usize) -> bool {
        match self {
            Self::Axis(k) => k == axis,
            Self::Plane(k) => k != axis,
            Self::View => true,
        }
    }
}

/// Where handles stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Their middle [m].
    pub pivot: Vec3,
    /// Their axes, as columns.
    pub axes: Mat3,
}

/// Handles to be shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Handles {
    /// What they do.
    pub tool: HandleTool,
    /// Where they stand.
    pub frame: Frame,
    /// Whether sizes change in all directions alike only.
    pub uniform: bool,
    /// Steps of a motion with Ctrl [m].
    pub step: f64,
}

/// How what stands in a frame is moved, turned about its middle, and scaled along its axes from there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The frame.
    pub frame: Frame,
    /// Motion [m].
    pub translate: Vec3,
    /// Unit axis of rotation times angle [rad].
    pub rotate: Vec3,
    /// Factors along the axes.
    pub scale: Vec3,
}

impl Change {
    /// None.
    pub fn still(frame: Frame) -> Self {
        Self { frame, translate: Vec3::zeros(), rotate: Vec3::zeros(), scale: Vec3::repeat(1.0) }
    }

    /// The rotation.
    pub fn rotation(&self) -> Mat3 {
        nalgebra::Rotation3::new(self.rotate).into_inner()
    }

    /// Rotation and scale in one.
    pub fn linear(&self) -> Mat3 {
        if self.scale == Vec3::repeat(1.0) {
            return self.rotation();
        }
        self.rotation() * self.frame.axes * Mat3::from_diagonal(&self.scale) * self.frame.axes.transpose()
    }

    /// Where a point gets to [m].
    pub fn place(&self, point: &Vec3) -> Vec3 {
        self.linear() * (point - self.frame.pivot) + self.frame.pivot + self.translate
    }
}

/// What happens to handles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HandleEvent {
    /// One was taken hold of: one undo step from here to the end.
    Began,
    /// It was taken so far.
    Moved(Change),
    /// It was let go.
    Ended,
    /// It is to be as it was.
    GivenUp,
}

/// A drag in hand.
#[derive(Debug, Clone)]
struct Held {
    handles: Handles,
    part: Part,
    /// Where it began, and where the mouse would be had it not been slowed down.
    from: Pos2,
    cursor: Pos2,
    /// Whether no button is held: a key began it, and a click ends it.
    by_key: bool,
    /// Whether it was told that it began.
    begun: bool,
    typed: Typed,
    /// How far the mouse has turned it, without steps [rad].
    turned: f64,
    /// What it comes to.
    amount: Amount,
    change: Change,
    /// Whether it goes by steps, and by small ones.
    stepped: Option<bool>,
}

/// The handles of a view.
#[derive(Debug, Clone, Default)]
pub(super) struct Grasp {
    handles: Option<Handles>,
    hot: Option<Part>,
    held: Option<Held>,
    /// Whether what the buttons do until they are let go belongs to a drag that is over.
    spent: bool,
}

impl Grasp {
    /// Whether the mouse belongs to the handles.
    pub fn is_busy(&self) -> bool {
        self.held.is_some() || self.spent || self.hot.is_some()
    }
}

/// A view as handles see it.
#[derive(Debug, Clone, Copy)]
struct Sight<'a> {
    camera: &'a Camera,
    rect: Rect,
}

impl Sight<'_> {
    /// Length of a point on the screen at `at` [m].
    fn point(&self, at: Vec3) -> f64 {
        let depth = (self.camera.eye() - at).dot(&self.camera.axes()[2]);
        self.camera.height_at(depth.max(1e-9 * self.camera.distance)) / f64::from(self.rect.height().max(1.0))
    }

    fn gaze(&self, at: Vec3) -> Gaze<'_> {
        Gaze { camera: self.camera, aspect: aspect(self.rect), size: f64::from(shape::REACH) * self.point(at) }
    }
}

impl Viewport {
    /// The handles that are shown from now on; a drag goes on with those that it began with, while there are any.
    pub fn set_handles(&mut self, handles: Option<Handles>) {
        self.grasp.handles = handles;
    }

    /// Whether a handle is being dragged, so that keys belong to it.
    pub fn is_dragging(&self) -> bool {
        self.grasp.held.is_some()
    }

    /// Takes hold of the middle without a button: what is selected follows the mouse until a click.
    pub fn begin_drag(&mut self, at: Pos2) -> bool {
        let Some(handles) = self.grasp.handles.filter(|_| self.grasp.held.is_none()) else { return false };
        self.grasp.held = Some(Held::new(handles, Part::View, at, true));
        true
    }

    /// Goes on with a drag, or begins one.
    pub(super) fn drag_handles(&mut self, ui: &Ui, response: &Response, events: &mut Vec<ViewEvent>) {
        let (down, released) = ui.input(|input| (input.pointer.any_down(), input.pointer.any_released()));
        self.grasp.spent &= down || released;
        let sight = Sight { camera: &self.camera, rect: response.rect };
        let Some(shown) = self.grasp.handles else {
            self.grasp.hot = None;
            if self.grasp.held.take().is_some() {
                self.grasp.spent = true;
                events.push(ViewEvent::Handle(HandleEvent::GivenUp));
            }
            return;
        };
        let Some(held) = &mut self.grasp.held else {
            let free = response.hovered() && self.grab.is_none() && !self.grasp.spent;
            let cursor = response.hover_pos().filter(|_| free);
            self.grasp.hot = cursor.and_then(|cursor| shape::under(&sight, &shown, cursor));
            let pressed = ui.input(|input| input.pointer.button_pressed(PointerButton::Primary));
            if let (Some(part), Some(cursor), true) = (self.grasp.hot, cursor, pressed) {
                self.grasp.held = Some(Held::new(shown, part, cursor, false));
            }
            if self.grasp.hot.is_some() {
                ui.ctx().set_cursor_icon(CursorIcon::Grab);
            }
            return;
        };
        if !std::mem::replace(&mut held.begun, true) {
            events.push(ViewEvent::Handle(HandleEvent::Began));
        }
        let wish = ui.input_mut(|input| held.typed.read(input));
        held.follow(ui, &sight);
        let over = ui.input(|input| match held.by_key {
            true => input.pointer.button_pressed(PointerButton::Primary),
            false => !input.pointer.button_down(PointerButton::Primary),
        });
        let given_up = wish == Some(Wish::GiveUp) || ui.input(|input| input.pointer.button_pressed(PointerButton::Secondary));
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        if given_up {
            events.push(ViewEvent::Handle(HandleEvent::GivenUp));
        } else {
            events.push(ViewEvent::Handle(HandleEvent::Moved(held.change)));
            if over || wish == Some(Wish::Take) {
                events.push(ViewEvent::Handle(HandleEvent::Ended));
            }
        }
        if given_up || over || wish.is_some() {
            (self.grasp.held, self.grasp.hot) = (None, None);
            self.grasp.spent = true;
        }
    }

    /// Draws the handles over the picture, and beside the mouse how far one was taken.
    pub(super) fn draw_handles(&self, ui: &Ui, rect: Rect) {
        let sight = Sight { camera: &self.camera, rect };
        match (&self.grasp.held, self.grasp.handles) {
            (Some(held), _) => {
                shape::draw_held(ui, &sight, held);
                let at = ui.input(|input| input.pointer.latest_pos()).unwrap_or(held.cursor);
                read_out::show(ui, rect, at, held);
            }
            (None, Some(handles)) => shape::draw(ui, &sight, &handles, self.grasp.hot),
            (None, None) => {}
        }
    }
}

impl Held {
    fn new(handles: Handles, part: Part, at: Pos2, by_key: bool) -> Self {
        Self {
            handles,
            part,
            from: at,
            cursor: at,
            by_key,
            begun: false,
            typed: Typed::default(),
            turned: 0.0,
            amount: match handles.tool {
                HandleTool::Move => Amount::Along([0.0; 3]),
                HandleTool::Rotate => Amount::About(0.0),
                HandleTool::Scale => Amount::Times([1.0; 3]),
            },
            change: Change::still(handles.frame),
            stepped: None,
        }
    }

    /// The part that is dragged: the axis that was typed goes before the one that was taken hold of.
    fn part(&self) -> Part {
        match self.typed.part(self.part) {
            Part::Axis(_) if self.handles.tool == HandleTool::Scale && self.handles.uniform => Part::View,
            part => part,
        }
    }

    /// The mouse, its keys and what was typed as a change.
    fn follow(&mut self, ui: &Ui, sight: &Sight<'_>) {
        let (motion, modifiers) = ui.input(|input| (input.pointer.delta(), input.modifiers));
        self.cursor += motion * if modifiers.shift && !modifiers.ctrl { FINE } else { 1.0 };
        let part = self.part();
        let Handles { tool, frame, step, .. } = self.handles;
        let gaze = sight.gaze(frame.pivot);
        let [from, to] = [self.from, self.cursor].map(|at| to_ndc(sight.rect, at));
        let dragged = gaze.amount(tool, part, &frame, from, to, self.turned);
        if let Amount::About(turned) = dragged {
            self.turned = turned;
        }
        self.stepped = modifiers.ctrl.then_some(modifiers.shift);
        let dragged = if modifiers.ctrl { dragged.stepped(step, modifiers.shift) } else { dragged };
        self.amount = self.typed.amount(tool, part).unwrap_or(dragged);
        self.change = self.amount.change(part, &frame, gaze.axis(part, &frame));
    }
}
