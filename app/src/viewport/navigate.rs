//! The camera follows the mouse and the keys.

use egui::{Modifiers, PointerButton, Rect, Vec2};

use super::camera::Camera;
use super::event::ViewTool;

/// Turn by a drag across the height of the view [radians].
const TURN: f64 = 3.6;
/// Logarithm of the zoom by a drag across the height of the view.
const ZOOM: f64 = 3.0;
/// Logarithm of the zoom by one point of scrolling.
const SCROLL: f64 = 1.0 / 400.0;
/// How long the camera takes to a framed view [s].
const EASE: f64 = 0.28;

/// What a held button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grab {
    /// Turns about the target.
    Orbit,
    /// Shifts the picture.
    Pan,
    /// Nearer or farther.
    Zoom,
    /// Paints.
    Stroke,
    /// Pulls at a body.
    Pull,
}

impl Grab {
    /// What `button` does, pressed with `modifiers` down.
    pub fn of(button: PointerButton, modifiers: Modifiers, tool: &ViewTool) -> Option<Self> {
        match button {
            PointerButton::Primary if modifiers.alt => Some(Self::Orbit),
            PointerButton::Primary | PointerButton::Middle if modifiers.shift => Some(Self::Pan),
            PointerButton::Primary if matches!(tool, ViewTool::Brush { .. }) => Some(Self::Stroke),
            PointerButton::Middle if modifiers.ctrl => Some(Self::Zoom),
            PointerButton::Primary | PointerButton::Middle => Some(Self::Orbit),
            PointerButton::Secondary => Some(Self::Pan),
            PointerButton::Extra1 | PointerButton::Extra2 => None,
        }
    }

    /// Moves the camera by a motion of the mouse [points] in a view that is `height` points tall.
    pub fn drag(self, camera: &mut Camera, motion: Vec2, height: f32) {
        let [right, down] = [motion.x, motion.y].map(|x| f64::from(x / height.max(1.0)));
        match self {
            Self::Orbit => camera.orbit(-TURN * right, TURN * down),
            Self::Pan => camera.pan(right, -down),
            Self::Zoom => camera.zoom((ZOOM * down).exp(), camera.target),
            Self::Stroke | Self::Pull => {}
        }
    }
}

/// Factor on the distance for a scroll of the wheel [points] and a pinch.
pub fn wheel(scroll: f32, pinch: f32) -> f64 {
    (-SCROLL * f64::from(scroll)).exp() / f64::from(pinch.max(1e-3))
}

/// A way from one camera to another.
#[derive(Debug, Clone, Copy)]
pub struct Flight {
    from: Camera,
    to: Camera,
    /// When it was first looked at [s].
    start: Option<f64>,
}

impl Flight {
    /// Leaves at the next look.
    pub fn new(from: Camera, to: Camera) -> Self {
        Self { from, to, start: None }
    }

    /// Where it leads.
    pub fn to(&self) -> Camera {
        self.to
    }

    /// The same, to be changed.
    pub fn to_mut(&mut self) -> &mut Camera {
        &mut self.to
    }

    /// The camera at `time` [s], and whether it has arrived.
    pub fn at(&mut self, time: f64) -> (Camera, bool) {
        let t = ((time - *self.start.get_or_insert(time)) / EASE).clamp(0.0, 1.0);
        if t >= 1.0 { (self.to, true) } else { (self.from.between(&self.to, t * t * (3.0 - 2.0 * t)), false) }
    }
}

/// Position within `rect` as in [`Camera::ray`].
pub fn to_ndc(rect: Rect, at: egui::Pos2) -> [f64; 2] {
    let offset = at - rect.center();
    [f64::from(2.0 * offset.x / rect.width()), f64::from(-2.0 * offset.y / rect.height())]
}

/// Position on the screen of a point of the picture, as from [`Camera::project`].
pub fn to_screen(rect: Rect, ndc: [f64; 2]) -> egui::Pos2 {
    rect.center() + 0.5 * egui::vec2(ndc[0] as f32 * rect.width(), -ndc[1] as f32 * rect.height())
}

/// Width over height, of a view of any size.
pub fn aspect(rect: Rect) -> f64 {
    f64::from(rect.width().max(1.0) / rect.height().max(1.0))
}

#[cfg(test)]
mod tests {
    use egui::{pos2, vec2};

    use super::*;
    use crate::viewport::event::Area;

    #[test]
    fn buttons_do_what_the_table_says() {
        let brush = ViewTool::Brush { radius: 20.0, erase: false, through: false, color: [0; 3], area: Area::Round, body: 0, soft: None };
        let free = ViewTool::Navigate;
        use PointerButton::{Extra1, Middle, Primary, Secondary};
        for (button, modifiers, navigating, painting) in [
            (Primary, Modifiers::NONE, Some(Grab::Orbit), Some(Grab::Stroke)),
            (Primary, Modifiers::CTRL, Some(Grab::Orbit), Some(Grab::Stroke)),
            (Primary, Modifiers::ALT, Some(Grab::Orbit), Some(Grab::Orbit)),
            (Primary, Modifiers::SHIFT, Some(Grab::Pan), Some(Grab::Pan)),
            (Middle, Modifiers::NONE, Some(Grab::Orbit), Some(Grab::Orbit)),
            (Middle, Modifiers::SHIFT, Some(Grab::Pan), Some(Grab::Pan)),
            (Middle, Modifiers::CTRL, Some(Grab::Zoom), Some(Grab::Zoom)),
            (Secondary, Modifiers::NONE, Some(Grab::Pan), Some(Grab::Pan)),
            (Extra1, Modifiers::NONE, None, None),
        ] {
            assert_eq!(Grab::of(button, modifiers, &free), navigating, "{button:?} {modifiers:?}");
            assert_eq!(Grab::of(button, modifiers, &brush), painting, "{button:?} {modifiers:?}");
        }
    }

    #[test]
    fn a_drag_to_the_right_turns_the_body_to_the_right() {
        let mut camera = Camera { yaw: 0.0, pitch: 0.0, ..Camera::default() };
        let front = camera.target + camera.axes()[2];
        Grab::Orbit.drag(&mut camera, vec2(40.0, 0.0), 400.0);
        assert!(camera.project(front, 1.0).is_some_and(|[x, _]| x > 0.0));
        Grab::Orbit.drag(&mut camera, vec2(0.0, 40.0), 400.0);
        assert!(camera.pitch > 0.0, "a drag down looks from above");
    }

    #[test]
    fn scrolling_up_and_spreading_two_fingers_come_nearer() {
        assert!(wheel(50.0, 1.0) < 1.0 && wheel(-50.0, 1.0) > 1.0);
        assert!(wheel(0.0, 1.5) < 1.0 && wheel(0.0, 0.0).is_finite());
    }

    #[test]
    fn a_flight_leaves_at_the_first_look_and_arrives() {
        let to = Camera { distance: 9.0, ..Camera::default() };
        let mut flight = Flight::new(Camera::default(), to);
        assert_eq!(flight.at(100.0), (Camera::default().between(&to, 0.0), false));
        let (half, arrived) = flight.at(100.0 + 0.5 * EASE);
        assert!(!arrived && (half.distance - 6.0).abs() < 1e-9);
        assert_eq!(flight.at(101.0), (to, true));
    }

    #[test]
    fn screen_and_picture_agree() {
        let rect = Rect::from_min_max(pos2(100.0, 50.0), pos2(500.0, 350.0));
        assert_eq!(to_ndc(rect, pos2(500.0, 50.0)), [1.0, 1.0]);
        let at = pos2(180.0, 90.0);
        assert!((to_screen(rect, to_ndc(rect, at)) - at).length() < 1e-4);
    }
}
