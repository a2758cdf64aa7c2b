//! Touching bodies while they run: the hand, the nudge, the gust.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, is_idle, open, wait};
use aplomb::document::Action;
use aplomb::document::command::Seek;
use aplomb::panels::Touch;
use aplomb::session::Activity;
use aplomb::viewport::navigate::{aspect, to_screen};
use aplomb_sim::math::Vec3;
use egui::{Key, Pos2, Role, vec2};
use egui_kittest::kittest::Queryable;

fn on_screen(editor: &Editor, point: Vec3) -> Pos2 {
    let rect = editor.get_by_label("3D view").rect();
    to_screen(rect, editor.state().camera().project(point, aspect(rect)).unwrap())
}

/// The place of the body at a share of its length along x, now.
fn at_share(editor: &Editor, share: f64) -> Vec3 {
    let positions = editor.state().main().snapshot.clone().unwrap().positions.clone();
    let (low, high) = aplomb_sim::math::bounding_box(&positions);
    Vec3::new(low.x + share * (high.x - low.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z))
}

/// The mean height of the outer fifth of the beam [m].
fn tip(editor: &Editor) -> f64 {
    let app = editor.state();
    let (model, now) = (app.main().model.clone().unwrap(), app.main().snapshot.clone().unwrap());
    let far = model.positions.iter().map(|p| p.x).fold(f64::MIN, f64::max);
    let outer: Vec<f64> = model.positions.iter().zip(&*now.positions).filter(|(p, _)| p.x > 0.8 * far).map(|(_, now)| now.y).collect();
    outer.iter().sum::<f64>() / outer.len() as f64
}

fn beam() -> Editor {
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    editor.get_by_label("Look from +Z").click();
    editor.run_steps(60);
    editor
}

#[test]
fn the_hand_lifts_what_it_pulls_and_lets_it_go() {
    let mut editor = beam();
    let start = tip(&editor);
    editor.hover_at(on_screen(&editor, at_share(&editor, 0.5)));
    editor.key_press(Key::D);
    editor.run_steps(3);
    assert_eq!(editor.state().desk().touch, Touch::Hand);
    let (camera, end) = (*editor.state().camera(), on_screen(&editor, at_share(&editor, 0.95)));
    editor.hover_at(end);
    editor.run_steps(2);
    editor.drag_at(end);
    editor.run_steps(2);
    for way in [20.0, 60.0, 100.0] {
        editor.hover_at(end - vec2(0.0, way));
        editor.run_steps(2);
    }
    let held = editor.state().desk().push.held.expect("the beam is held");
    assert!(held.way.y > 0.0 && held.way.z.abs() < 1e-9, "in the plane of the view: {}", held.way);
    assert_eq!(*editor.state().camera(), camera, "the view stays while something is pulled");
    assert!((tip(&editor) - start).abs() < 1e-12, "nothing moves while time stands still");
    editor.key_press(Key::Space);
    wait(&mut editor, "it is pulled for a while", |app| app.main().last_frame() >= 20);
    let pulled = tip(&editor) - start;
    let force = editor.state().main().pulled;
    assert!(pulled > 0.02 * held.way.y && force.norm() > 0.0, "{pulled} m of {}", held.way.y);
    editor.drop_at(end - vec2(0.0, 100.0));
    editor.run_steps(3);
    assert!(editor.state().desk().push.held.is_none());
    let frame = editor.state().main().last_frame();
    wait(&mut editor, "it swings back", move |app| app.main().last_frame() >= frame + 25);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it stops", is_idle);
    assert_eq!(editor.state().main().pulled, Vec3::zeros());
    assert!(tip(&editor) < start + 0.8 * pulled, "let go, it falls back");
    // What was recorded stays what happened.
    let forces: Vec<f64> = editor.state().main().series.iter().map(|step| step.hand.norm()).collect();
    assert!(forces[10] > 0.0 && forces[forces.len() - 1] == 0.0);
    act(&mut editor, Action::Seek(Seek::To(20)));
    wait(&mut editor, "the frame is there", |app| app.main().snapshot.as_ref().unwrap().frame == 20);
    assert!(tip(&editor) > start + 0.02 * held.way.y, "as it was when it was pulled");
}

#[test]
fn beside_a_body_the_hand_turns_the_view_and_escape_puts_it_down() {
    let mut editor = beam();
    act(&mut editor, Action::ToggleHand);
    let corner = editor.get_by_label("3D view").rect().left_bottom() + vec2(60.0, -60.0);
    let camera = *editor.state().camera();
    editor.hover_at(corner);
    editor.run_steps(2);
    editor.drag_at(corner);
    editor.run_steps(2);
    editor.hover_at(corner + vec2(80.0, 0.0));
    editor.run_steps(2);
    editor.drop_at(corner + vec2(80.0, 0.0));
    editor.run_steps(2);
    assert!(editor.state().camera().yaw != camera.yaw && editor.state().desk().push.held.is_none());
    act(&mut editor, Action::Cancel);
    assert_eq!(editor.state().desk().touch, Touch::Select);
}

fn momentum_after_a_step(editor: &mut Editor) -> Vec3 {
    let frame = editor.state().main().last_frame();
    act(editor, Action::Step);
    wait(editor, "a step is taken", move |app| app.main().last_frame() == frame + 1 && app.main().activity == Activity::Idle);
    editor.state().main().series.iter().last().unwrap().momentum
}

/// Types a number into a row of the menu.
fn set(editor: &mut Editor, name: &str, value: f64) {
    editor.get_by_role_and_label(Role::SpinButton, name).set_value_accesskit(value);
    editor.run_steps(3);
}

#[test]
fn a_nudge_is_as_large_as_it_says_and_is_seen() {
    let mut editor = beam();
    editor.get_by_role_and_label(Role::Button, "Push").click();
    editor.run_steps(3);
    set(&mut editor, "Nudge speed", 2.0);
    editor.get_by_role_and_label(Role::Button, "Nudge to along z").click();
    editor.run_steps(3);
    let push = editor.state().desk().push;
    assert_eq!((push.nudge, push.nudge_along), (2.0, [0.0, 0.0, 1.0]));
    editor.key_press(Key::Escape);
    editor.run_steps(3);
    act(&mut editor, Action::Nudge);
    let flash = editor.state().desk().push.flash.expect("it is shown");
    assert_eq!((flash.along, flash.amount), (Vec3::z(), (2.0, "m/s")));
    let nudged = momentum_after_a_step(&mut editor);
    let mut other = beam();
    let alone = momentum_after_a_step(&mut other);
    assert!(nudged.z > 10.0 * alone.z.abs() && nudged.z > 0.0, "{nudged} and {alone}");
    // It is shown for a moment.
    editor.run_steps(240);
    assert!(editor.state().desk().push.flash.is_none());
}

#[test]
fn a_gust_blows_when_it_is_let_loose() {
    let run = |blows: bool| {
        let mut editor = beam();
        if blows {
            act(&mut editor, Action::Gust);
        }
        act(&mut editor, Action::TogglePlay);
        wait(&mut editor, "it blows", |app| app.main().last_frame() >= 30);
        act(&mut editor, Action::TogglePlay);
        wait(&mut editor, "it stops", is_idle);
        editor.state().main().series.iter().take(30).map(|step| step.momentum).collect::<Vec<_>>()
    };
    let (still, blown) = (run(false), run(true));
    let most = still.iter().zip(&blown).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    let size = still.iter().map(|m| m.norm()).fold(0.0, f64::max);
    assert!(most > 1e-9 && most.is_finite(), "{most} beside {size}");
}
