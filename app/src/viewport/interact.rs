//! What the mouse and the keys do in a view.

use egui::{CursorIcon, Key, PointerButton, Response, Ui};

use super::brush::{Reach, Sight, ring};
use super::draw_list::{BodyColor, DrawList};
use super::event::{Area, Hit, ViewEvent, ViewTool};
use super::marquee::{Marquee, crosshair};
use super::navigate::{Grab, wheel};
use super::{Viewport, bounds, legend, obstacles};
use crate::widgets::quantity;

/// How far away an obstacle can be clicked, so that the ground near the horizon is background [distances of the camera].
const FAR: f64 = 2.5;
const BUTTONS: [PointerButton; 3] = [PointerButton::Primary, PointerButton::Middle, PointerButton::Secondary];

impl Viewport {
    /// Moves the camera: drags, wheel, keys.
    pub(super) fn navigate(&mut self, ui: &Ui, response: &Response, list: &DrawList, tool: &ViewTool, events: &mut Vec<ViewEvent>) {
        if response.is_pointer_button_down_on() && self.grab.is_none() && !self.grasp.is_busy() {
            let pressed = ui.input(|input| {
                BUTTONS.into_iter().find(|&button| input.pointer.button_down(button)).map(|button| (button, input.modifiers))
            });
            self.grab = pressed.and_then(|(button, modifiers)| Grab::of(button, modifiers, tool));
            if *tool == ViewTool::Hand && pressed.is_some_and(|(button, modifiers)| button == PointerButton::Primary && modifiers.is_none())
            {
                self.take_hold(response, list, events);
            }
        } else if !response.is_pointer_button_down_on() {
            self.grab = None;
        }
        self.pull(ui, response, events);
        if let Some(grab) = self.grab.filter(|grab| !matches!(grab, Grab::Stroke | Grab::Pull) && response.dragged()) {
            self.flight = None;
            grab.drag(&mut self.camera, response.drag_delta(), response.rect.height());
            ui.ctx().set_cursor_icon(if grab == Grab::Zoom { CursorIcon::ResizeVertical } else { CursorIcon::Grabbing });
        }
        self.scroll(ui, response);
        // Keys belong to the view under the mouse, unless something is being typed.
        if (response.contains_pointer() || response.has_focus()) && !ui.ctx().text_edit_focused() {
            self.keys(ui, list, tool, events);
        }
    }

    /// Zooms to the place under the cursor.
    fn scroll(&mut self, ui: &Ui, response: &Response) {
        let Some(cursor) = response.hover_pos() else { return };
        let factor = ui.input(|input| wheel(input.smooth_scroll_delta().y, input.zoom_delta()));
        if factor == 1.0 {
            return;
        }
        self.flight = None;
        let sight = Sight { picker: &self.picker, camera: &self.camera, rect: response.rect };
        let anchor = sight.hit(cursor).map_or_else(|| self.camera.on_target_plane(&sight.ray(cursor)), |hit| hit.point);
        self.camera.zoom(factor, anchor);
    }

    fn keys(&mut self, ui: &Ui, list: &DrawList, tool: &ViewTool, events: &mut Vec<ViewEvent>) {
        let (home, focus) = ui.input(|input| {
            let plain = input.modifiers.is_none();
            (plain && input.key_pressed(Key::Home), plain && input.key_pressed(Key::F))
        });
        if home {
            self.frame(list, None, events);
        }
        if focus && !matches!(tool, ViewTool::Brush { .. }) {
            match list.selected_obstacle.and_then(|index| Some((index, bounds::frame_obstacle(&self.camera, list, index, self.room)?))) {
                Some((index, to)) => {
                    self.fly_to(to);
                    events.push(ViewEvent::FramedObstacle(index));
                }
                None => self.frame(list, list.selected_body, events),
            }
        }
    }

    /// Clicks, hovering and strokes.
    pub(super) fn point(
        &mut self,
        ui: &Ui,
        response: &Response,
        list: &DrawList,
        tool: &ViewTool,
        revision: u64,
        events: &mut Vec<ViewEvent>,
    ) {
        let Some(cursor) = response.hover_pos().or_else(|| response.interact_pointer_pos()) else {
            self.brush.end(events);
            self.marquee = None;
            return;
        };
        if self.grasp.is_busy() {
            return;
        }
        self.picker.follow(list, revision);
        let sight = Sight { picker: &self.picker, camera: &self.camera, rect: response.rect };
        if self.grab != Some(Grab::Stroke) {
            self.brush.end(events);
        }
        if let ViewTool::Brush { radius, erase, through, color, area, body, soft } = *tool {
            let typing = ui.ctx().text_edit_focused();
            let reach = Reach { radius, through, body, soft };
            let anchor = if typing || self.grab.is_some() { None } else { self.brush.resize(ui, cursor, reach, events) };
            let erase = erase != ui.input(|input| input.modifiers.ctrl);
            let painting = self.grab == Some(Grab::Stroke);
            if area != Area::Round {
                match &mut self.marquee {
                    Some(marquee) if painting => marquee.extend(cursor),
                    None if painting => self.marquee = Some(Marquee::new(area, cursor, erase)),
                    _ => self.marquee.take().into_iter().for_each(|marquee| marquee.finish(&sight, reach, events)),
                }
                self.marquee.iter().for_each(|marquee| marquee.show(ui, response.rect, color));
            } else if painting {
                if !self.brush.is_painting() {
                    self.brush.begin(cursor, erase, events);
                }
                self.brush.paint(&sight, cursor, reach, events);
            }
            if matches!(self.grab, None | Some(Grab::Stroke)) {
                ui.ctx().set_cursor_icon(CursorIcon::None);
                match area {
                    Area::Round => ring(ui, &sight, anchor.unwrap_or(cursor), reach, erase),
                    Area::Box | Area::Lasso => crosshair(ui, response.rect, cursor),
                }
            }
        } else {
            self.marquee = None;
            let hit = || sight.hit(cursor);
            if response.double_clicked() {
                let body = hit().map(|hit| hit.body);
                self.frame(list, body, events);
                return;
            }
            let under = |hit: Option<Hit>| {
                let ray = sight.ray(cursor);
                let before = hit.map(|hit| (hit.point - ray.origin).norm());
                let reach = FAR * self.camera.distance;
                let far = reach - self.camera.distance + self.camera.depth();
                obstacles::under(list, &ray, before, far, 1e-6 * reach)
            };
            if response.clicked_by(PointerButton::Primary) && *tool != ViewTool::Hand {
                let hit = hit();
                events.push(match under(hit) {
                    Some(obstacle) => ViewEvent::ClickObstacle(obstacle),
                    None => ViewEvent::Click(hit),
                });
            }
            if response.secondary_clicked() {
                let hit = hit();
                events.push(ViewEvent::Menu(cursor, under(hit), hit));
            }
        }
        if self.grab.is_none() {
            let sight = Sight { picker: &self.picker, camera: &self.camera, rect: response.rect };
            events.extend(sight.hit(cursor).map(ViewEvent::Hover));
        }
    }

    /// The value of the field under the cursor.
    pub(super) fn note(&self, ui: &Ui, response: &Response, list: &DrawList, events: &[ViewEvent]) {
        let hovered = events.iter().find_map(|event| if let ViewEvent::Hover(hit) = event { Some(hit) } else { None });
        let (Some(hit), Some(cursor)) = (hovered, response.hover_pos()) else { return };
        let Some(BodyColor::Scalar { values, name, unit, .. }) = list.bodies.get(hit.body).map(|body| &body.color) else { return };
        if let Some(&value) = values.get(hit.vertex as usize) {
            legend::note(ui, response.rect, cursor, format!("{name}: {}", quantity(value, unit)).trim_end());
        }
    }
}

#[cfg(test)]
#[path = "interact_tests.rs"]
mod tests;
