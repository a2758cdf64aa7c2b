//! The mouse in a view of the editor, for tests.
#![allow(dead_code, reason = "each test uses some of it")]

use aplomb::document::Action;
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Scene;
use egui::{Event, Modifiers, PointerButton, Pos2, Rect, Role, pos2};
use egui_kittest::kittest::Queryable;

use super::editor::{Editor, act, scene};

pub const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

/// Where a view is on the screen.
pub fn view(editor: &Editor) -> Rect {
    editor.get_by_role_and_label(Role::Canvas, "3D view").rect()
}

/// Where a point of the scene is on the screen.
pub fn on_screen(editor: &Editor, point: Vec3) -> Pos2 {
    let rect = view(editor);
    let [x, y] = editor.state().camera().project(point, f64::from(rect.width() / rect.height())).unwrap();
    pos2(rect.center().x + 0.5 * x as f32 * rect.width(), rect.center().y - 0.5 * y as f32 * rect.height())
}

/// Goes away from the bodies, so that what stands beside them is in view.
pub fn step_back(editor: &mut Editor) {
    editor.hover_at(view(editor).center());
    editor.run_steps(2);
    let (unit, delta) = (egui::MouseWheelUnit::Point, egui::vec2(0.0, -400.0));
    let (phase, source) = (egui::TouchPhase::Move, egui::MouseWheelSource::Wheel);
    editor.event(Event::MouseWheel { unit, delta, phase, source, modifiers: Modifiers::NONE });
    editor.run_steps(12);
}

/// The middle of a handle, by its name.
pub fn handle(editor: &Editor, name: &str) -> Pos2 {
    editor.get_by_label(name).rect().center()
}

pub fn button(editor: &mut Editor, at: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
    editor.event(Event::ModifiersChanged(modifiers));
    editor.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    editor.step();
}

pub fn point(editor: &mut Editor, at: Pos2, modifiers: Modifiers) {
    editor.event(Event::ModifiersChanged(modifiers));
    editor.event(Event::PointerMoved(at));
    editor.step();
}

/// Presses a button and moves, without letting go.
pub fn take(editor: &mut Editor, from: Pos2, to: Pos2, modifiers: Modifiers) {
    point(editor, from, modifiers);
    point(editor, from, modifiers);
    button(editor, from, PointerButton::Primary, true, modifiers);
    for share in [0.25, 0.5, 0.75, 1.0] {
        point(editor, from.lerp(to, share), modifiers);
    }
}

/// A drag with the left button.
pub fn drag(editor: &mut Editor, from: Pos2, to: Pos2, modifiers: Modifiers) {
    take(editor, from, to, modifiers);
    button(editor, to, PointerButton::Primary, false, modifiers);
    editor.event(Event::ModifiersChanged(Modifiers::NONE));
    editor.run_steps(3);
}

/// A click.
pub fn click(editor: &mut Editor, at: Pos2, which: PointerButton, modifiers: Modifiers) {
    // Long after the last one, so that it is no double click.
    editor.run_steps(4);
    point(editor, at, modifiers);
    button(editor, at, which, true, modifiers);
    button(editor, at, which, false, modifiers);
    editor.event(Event::ModifiersChanged(Modifiers::NONE));
    editor.run_steps(3);
}

/// Types letters, as text and not as keys.
pub fn type_text(editor: &mut Editor, text: &str) {
    for letter in text.chars() {
        editor.event(Event::Text(letter.to_string()));
        editor.step();
    }
}

/// Does an edit, and checks that one step back undoes it and one step forth does it again.
pub fn one_step(editor: &mut Editor, what: &str, edit: impl FnOnce(&mut Editor)) -> Scene {
    let before = scene(editor);
    edit(editor);
    let after = scene(editor);
    assert_ne!(before, after, "{what}: nothing changed");
    act(editor, Action::Undo);
    assert_eq!(scene(editor), before, "{what} is more than one step");
    act(editor, Action::Redo);
    assert_eq!(scene(editor), after, "{what} is not done again");
    after
}
