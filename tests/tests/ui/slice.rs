//! Bodies cut by a plane, moved apart, and seen through: what is cut away is neither seen nor clicked.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, open};
use aplomb::document::{Action, Selection};
use aplomb::panels::SliceAxis;
use aplomb::viewport::navigate::{aspect, to_screen};
use aplomb_sim::math::Vec3;
use egui::{Key, Modifiers, Pos2, Role, vec2};
use egui_kittest::kittest::Queryable;

/// Where a point of the scene [m] is on the screen.
fn on_screen(editor: &Editor, point: Vec3) -> Pos2 {
    let rect = editor.get_by_label("3D view").rect();
    to_screen(rect, editor.state().camera().project(point, aspect(rect)).unwrap())
}

/// The middle of what a body has at a share of its length along x.
fn at_share(editor: &Editor, share: f64) -> Vec3 {
    let model = editor.state().main().model.clone().unwrap();
    let (low, high) = aplomb_sim::math::bounding_box(&model.positions);
    Vec3::new(low.x + share * (high.x - low.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z))
}

fn press(editor: &mut Editor, at: Pos2) {
    editor.hover_at(at);
    editor.run_steps(2);
    editor.drag_at(at);
    editor.step();
    editor.drop_at(at);
    editor.run_steps(3);
}

/// Whether a click there selects the body.
fn hits(editor: &mut Editor, at: Pos2) -> bool {
    act(editor, Action::Select(Selection::Scene));
    press(editor, at);
    editor.state().document().selection == Selection::Body(0)
}

/// The beam, seen from the side.
fn beam() -> Editor {
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    editor.get_by_label("Look from +Z").click();
    editor.run_steps(60);
    editor
}

fn click(editor: &mut Editor, role: Role, name: &str) {
    editor.get_by_role_and_label(role, name).click();
    editor.run_steps(4);
}

#[test]
fn what_is_cut_away_is_not_there_to_be_clicked() {
    let mut editor = beam();
    let ends = [0.2, 0.8].map(|share| on_screen(&editor, at_share(&editor, share)));
    assert_eq!(ends.map(|end| hits(&mut editor, end)), [true, true]);
    click(&mut editor, Role::Button, "Slice");
    click(&mut editor, Role::RadioButton, "Slice across X");
    let slice = editor.state().desk().slice;
    assert!(slice.on && slice.axis == SliceAxis::X && (slice.offset - at_share(&editor, 0.5).x).abs() < 1e-9, "{slice:?}");
    let cut = ends.map(|end| hits(&mut editor, end));
    assert!(cut[0] != cut[1], "one half is gone: {cut:?}");
    click(&mut editor, Role::Button, "Flip");
    assert_eq!(ends.map(|end| hits(&mut editor, end)), [cut[1], cut[0]]);
    // Whole elements go or stay; at this distance from the plane they do as they did.
    click(&mut editor, Role::CheckBox, "Whole elements");
    assert!(editor.state().desk().slice.whole);
    assert_eq!(ends.map(|end| hits(&mut editor, end)), [cut[1], cut[0]]);
    click(&mut editor, Role::Button, "Close slice");
    assert!(editor.query_by_label("Slice across X").is_none());
    assert_eq!(ends.map(|end| hits(&mut editor, end)), [true, true]);
}

#[test]
fn the_plane_is_moved_by_its_handle_and_by_a_number() {
    let mut editor = beam();
    editor.key_press(Key::V);
    editor.run_steps(3);
    click(&mut editor, Role::RadioButton, "Slice across X");
    let before = editor.state().desk().slice.offset;
    let handle = editor.get_by_role_and_label(Role::Slider, "Slice handle").rect().center();
    editor.hover_at(handle);
    editor.run_steps(2);
    editor.drag_at(handle);
    editor.run_steps(2);
    for way in [20.0, 60.0] {
        editor.hover_at(handle + vec2(way, 0.0));
        editor.run_steps(2);
    }
    let camera = *editor.state().camera();
    editor.drop_at(handle + vec2(60.0, 0.0));
    editor.run_steps(3);
    let moved = editor.state().desk().slice.offset - before;
    let at = |x: f64| on_screen(&editor, Vec3::new(x, at_share(&editor, 0.5).y, at_share(&editor, 0.5).z)).x;
    // Seen from +Z, x runs to the right; the plane follows the mouse.
    let pixels = at(before + moved) - at(before);
    assert!((pixels - 60.0).abs() < 6.0, "{moved} m are {pixels} points");
    assert_eq!(*editor.state().camera(), camera, "the camera stays where it is");
    editor.get_by_role_and_label(Role::SpinButton, "At in numbers").set_value_accesskit(before + 0.25 * moved);
    editor.run_steps(3);
    assert!((editor.state().desk().slice.offset - before - 0.25 * moved).abs() < 1e-6);
}

#[test]
fn a_slice_faces_the_eye_and_is_gone_with_its_scene() {
    let mut editor = beam();
    act(&mut editor, Action::ToggleSlice);
    let slice = editor.state().desk().slice;
    assert_eq!(slice.axis, SliceAxis::Z, "looked at along z");
    assert!(slice.plane().normal.z > 0.99, "what is nearer is cut away");
    act(&mut editor, Action::ToggleBrush);
    act(&mut editor, Action::File(aplomb::document::FileRequest::Open(gallery("hanging_net"))));
    crate::editor::wait(&mut editor, "the other scene is there", |app| {
        app.document().title() == "hanging_net.json" && crate::editor::is_idle(app)
    });
    assert!(!editor.state().desk().slice.on);
}

#[test]
fn painting_is_done_on_the_whole_body() {
    let mut editor = beam();
    act(&mut editor, Action::ToggleSlice);
    assert!(!editor.state().desk().dissection().is_nothing());
    act(&mut editor, Action::Select(Selection::Region(0, 0)));
    act(&mut editor, Action::ToggleBrush);
    assert!(editor.state().desk().brush.on && editor.state().desk().dissection().is_nothing());
    act(&mut editor, Action::ToggleBrush);
    assert!(!editor.state().desk().dissection().is_nothing());
}

#[test]
fn elements_part_and_bodies_are_seen_through() {
    let mut editor = beam();
    let end = on_screen(&editor, at_share(&editor, 0.97));
    assert!(hits(&mut editor, end));
    act(&mut editor, Action::ToggleApart);
    assert_eq!(editor.state().desk().apart, 0.5);
    act(&mut editor, Action::FrameAll);
    editor.run_steps(60);
    // The whole is half as large again: what was at the end is where there was nothing.
    let beyond = on_screen(&editor, at_share(&editor, 1.15));
    let places = (0..24).map(|k| beyond + vec2(5.0 * (k % 8) as f32, 8.0 * (k / 8) as f32 - 8.0));
    let found = { places }.any(|at| {
        // Not so soon after the last click that it is a double click.
        editor.run_steps(40);
        hits(&mut editor, at)
    });
    assert!(found, "elements are moved outward");
    act(&mut editor, Action::ToggleApart);
    editor.run_steps(40);
    assert!(!hits(&mut editor, beyond));
    editor.hover_at(beyond);
    editor.key_press_modifiers(Modifiers::SHIFT, Key::X);
    editor.run_steps(3);
    assert!(editor.state().desk().clear_bodies && !editor.state().desk().xray);
}

#[test]
fn what_is_cut_or_apart_is_played_on() {
    let mut editor = beam();
    act(&mut editor, Action::ToggleSlice);
    act(&mut editor, Action::Step);
    crate::editor::wait(&mut editor, "a step is taken", |app| crate::editor::is_idle(app) && app.main().last_frame() == 1);
    act(&mut editor, Action::ToggleApart);
    act(&mut editor, Action::Step);
    crate::editor::wait(&mut editor, "a step is taken", |app| crate::editor::is_idle(app) && app.main().last_frame() == 2);
}
