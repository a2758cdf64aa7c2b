#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aplomb_sim::math::Vec3;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};

use crate::viewport::{Area, BodyColor, BodyDraw, Camera, ColorMap, DrawList, Tone, ViewEvent, ViewTool, Viewport};

const BRUSH: ViewTool =
    ViewTool::Brush { radius: 30.0, erase: false, through: false, color: [200, 80, 40], area: Area::Round, body: 0, soft: None };
const CENTRE: Pos2 = pos2(400.0, 300.0);
const CORNER: Pos2 = pos2(30.0, 30.0);
const SCREEN: Rect = Rect { min: Pos2::ZERO, max: pos2(800.0, 600.0) };

/// A view of one square of two triangles, driven by made-up events.
struct Desk {
    ctx: egui::Context,
    view: Viewport,
    list: DrawList,
    tool: ViewTool,
    time: f64,
    modifiers: Modifiers,
}

impl Desk {
    fn new(tool: ViewTool) -> Self {
        let positions = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]].map(Vec3::from);
        let values = [0.5, 0.5, f64::NAN, 7.0];
        let color = BodyColor::Scalar {
            values: values.into(),
            tone: Tone { range: (0.0, 1.0), map: ColorMap::Viridis, log: false },
            name: "speed".to_owned(),
            unit: "m/s".to_owned(),
            of_elements: None,
        };
        let body = BodyDraw { positions: positions.into(), triangles: [[0, 1, 2], [0, 2, 3]].into(), color, ..BodyDraw::default() };
        let mut view = Viewport::new(None, crate::profile::Meter::default());
        view.camera = Camera { yaw: 0.0, pitch: 0.0, distance: 8.0, ..Camera::default() };
        let list = DrawList { bodies: vec![body], ..DrawList::default() };
        let mut desk = Self { ctx: egui::Context::default(), view, list, tool, time: 0.0, modifiers: Modifiers::NONE };
        desk.frame(Vec::new());
        desk
    }

    fn frame(&mut self, events: Vec<Event>) -> Vec<ViewEvent> {
        self.time += 0.1;
        let screen_rect = Some(SCREEN);
        let events = std::iter::once(Event::ModifiersChanged(self.modifiers)).chain(events).collect();
        let input = RawInput { screen_rect, time: Some(self.time), events, focused: true, ..RawInput::default() };
        let mut told = Vec::new();
        let mut output = self.ctx.run_ui(input, |ui| told = self.view.show(ui, "view", &self.list, &self.tool, 1));
        output.textures_delta.clear();
        told
    }

    fn button(&mut self, pos: Pos2, button: PointerButton, pressed: bool) -> Vec<ViewEvent> {
        let modifiers = self.modifiers;
        self.frame(vec![Event::PointerMoved(pos), Event::PointerButton { pos, button, pressed, modifiers }])
    }

    /// A drag with the mouse over the view first, as a hand does it.
    fn drag(&mut self, button: PointerButton, from: Pos2, to: Pos2) -> Vec<ViewEvent> {
        let mut told = self.frame(vec![Event::PointerMoved(from)]);
        told.extend(self.button(from, button, true));
        for share in [0.5, 1.0] {
            told.extend(self.frame(vec![Event::PointerMoved(from.lerp(to, share))]));
        }
        told.extend(self.button(to, button, false));
        told.extend(self.frame(Vec::new()));
        told.retain(|event| !matches!(event, ViewEvent::Hover(_)));
        told
    }

    fn key(&mut self, key: Key) -> Vec<ViewEvent> {
        let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: self.modifiers };
        let (down, up) = (event(true), event(false));
        self.frame(vec![Event::PointerMoved(CENTRE)]);
        let mut told = self.frame(vec![down]);
        told.extend(self.frame(vec![up]));
        (0..6).for_each(|_| drop(self.frame(Vec::new())));
        told.retain(|event| !matches!(event, ViewEvent::Hover(_)));
        told
    }
}

#[test]
fn the_left_button_orbits_until_a_brush_takes_it() {
    for (tool, button, turns) in [
        (ViewTool::Navigate, PointerButton::Primary, true),
        (BRUSH, PointerButton::Primary, false),
        (ViewTool::Navigate, PointerButton::Middle, true),
        (BRUSH, PointerButton::Middle, true),
    ] {
        let mut desk = Desk::new(tool);
        desk.drag(button, CENTRE, CENTRE + vec2(80.0, 20.0));
        assert_eq!(desk.view.camera.yaw != 0.0, turns, "{tool:?} {button:?}");
        assert_eq!(desk.view.camera.target, Vec3::zeros());
    }
}

#[test]
fn the_right_button_and_shift_pan() {
    for (button, modifiers) in [(PointerButton::Secondary, Modifiers::NONE), (PointerButton::Primary, Modifiers::SHIFT)] {
        let mut desk = Desk::new(BRUSH);
        desk.modifiers = modifiers;
        let told = desk.drag(button, CENTRE, CENTRE + vec2(80.0, 0.0));
        assert!(desk.view.camera.target.x < -0.1 && desk.view.camera.yaw == 0.0, "{button:?} {:?}", desk.view.camera);
        assert_eq!(told, []);
    }
}

#[test]
fn a_stroke_is_begun_painted_and_ended_once_and_ctrl_erases() {
    for (modifiers, wanted) in [(Modifiers::NONE, false), (Modifiers::CTRL, true)] {
        let mut desk = Desk::new(BRUSH);
        desk.modifiers = modifiers;
        let told = desk.drag(PointerButton::Primary, CENTRE, CENTRE + vec2(40.0, 10.0));
        assert_eq!(told.first(), Some(&ViewEvent::StrokeBegan), "{told:?}");
        assert_eq!(told.last(), Some(&ViewEvent::StrokeEnded));
        let count = told.iter().filter(|event| matches!(event, ViewEvent::StrokeOver { body: 0, erase, .. } if *erase == wanted)).count();
        assert!(count > 0 && count + 2 == told.len(), "{told:?}");
    }
}

#[test]
fn a_click_names_the_body_or_the_background() {
    let mut desk = Desk::new(ViewTool::Navigate);
    for (at, wanted) in [(CENTRE + vec2(60.0, 30.0), Some((0, 1))), (pos2(400.0, 20.0), None)] {
        desk.time += 5.0;
        desk.frame(vec![Event::PointerMoved(at)]);
        let mut told = desk.button(at, PointerButton::Primary, true);
        told.extend(desk.button(at, PointerButton::Primary, false));
        let clicked = told.into_iter().find_map(|event| if let ViewEvent::Click(hit) = event { Some(hit) } else { None }).unwrap();
        assert_eq!(clicked.map(|hit| (hit.body, hit.vertex)), wanted);
    }
}

#[test]
fn the_wheel_zooms_to_the_cursor() {
    let mut desk = Desk::new(ViewTool::Navigate);
    desk.frame(vec![Event::PointerMoved(CORNER)]);
    let (unit, phase, modifiers) = (egui::MouseWheelUnit::Point, egui::TouchPhase::Move, Modifiers::NONE);
    let source = egui::MouseWheelSource::Wheel;
    desk.frame(vec![Event::MouseWheel { unit, delta: vec2(0.0, 90.0), phase, source, modifiers }]);
    (0..5).for_each(|_| drop(desk.frame(Vec::new())));
    let camera = desk.view.camera;
    assert!(camera.distance < 7.9 && camera.target.x < 0.0 && camera.target.y > 0.0, "{camera:?}");
}

#[test]
fn keys_frame_focus_and_size_the_brush() {
    let mut desk = Desk::new(ViewTool::Navigate);
    desk.list.selected_body = Some(0);
    assert_eq!(desk.key(Key::Home), [ViewEvent::Framed(None)]);
    assert!(desk.view.camera.distance < 7.0, "framing came nearer");
    assert_eq!(desk.key(Key::F), [ViewEvent::Framed(Some(0))]);
    desk.tool = BRUSH;
    let told = desk.key(Key::CloseBracket);
    assert!(matches!(told[..], [ViewEvent::BrushRadius(radius)] if radius > 30.0), "{told:?}");
    assert_eq!(desk.key(Key::F), [], "F sizes the brush while there is one");
}

#[test]
fn the_first_framing_is_at_once_and_the_next_is_eased() {
    let mut desk = Desk::new(ViewTool::Navigate);
    let list = desk.list.clone();
    desk.view.frame_all(&list, SCREEN);
    let framed = desk.view.camera;
    assert!(framed.distance < 7.0);
    desk.view.camera.distance = 20.0;
    desk.view.frame_all(&list, SCREEN);
    desk.frame(Vec::new());
    desk.frame(Vec::new());
    assert!(desk.view.camera.distance > framed.distance && desk.view.camera.distance < 20.0);
    (0..5).for_each(|_| drop(desk.frame(Vec::new())));
    assert_eq!(desk.view.camera, framed);
}
