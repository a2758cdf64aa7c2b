//! Taking hold of a body with the mouse, and pulling at it in the plane of the view.

use aplomb_sim::math::Vec3;
use egui::{CursorIcon, Pos2, Response, Ui};

use super::Viewport;
use super::brush::Sight;
use super::draw_list::DrawList;
use super::event::ViewEvent;
use super::navigate::Grab;

impl Viewport {
    /// Takes hold of what lies under the cursor where the button went down; where nothing does, the camera turns.
    pub(super) fn take_hold(&mut self, response: &Response, list: &DrawList, events: &mut Vec<ViewEvent>) {
        let Some(cursor) = response.interact_pointer_pos() else { return };
        let sight = Sight { picker: &self.picker, camera: &self.camera, rect: response.rect };
        if let Some(hit) = sight.hit(cursor).filter(|hit| hit.body < list.bodies.len()) {
            self.grab = Some(Grab::Pull);
            self.taken = Some(hit.point);
            events.push(ViewEvent::Taken(hit));
        }
    }

    /// Tells how far the cursor has gone with what is held, and when it is let go.
    pub(super) fn pull(&mut self, ui: &Ui, response: &Response, events: &mut Vec<ViewEvent>) {
        let Some(taken) = self.taken else { return };
        if self.grab != Some(Grab::Pull) {
            self.taken = None;
            events.push(ViewEvent::LetGo);
            return;
        }
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        if let Some(cursor) = response.interact_pointer_pos() {
            events.push(ViewEvent::Pulled(self.in_plane(response, cursor, taken) - taken));
        }
    }

    /// Where the ray under the cursor meets the plane across the view through a point [m].
    fn in_plane(&self, response: &Response, cursor: Pos2, point: Vec3) -> Vec3 {
        let sight = Sight { picker: &self.picker, camera: &self.camera, rect: response.rect };
        let (ray, back) = (sight.ray(cursor), self.camera.axes()[2]);
        let distance = (point - ray.origin).dot(&back) / ray.direction.dot(&back);
        if distance.is_finite() && distance > 0.0 { ray.origin + distance * ray.direction } else { point }
    }
}
