//! What happens when, in the editor: rows over time, dragged and typed; the playhead; keyframes by the handles in the view.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use crate::mouse::{drag, handle, one_step};
use aplomb::document::{Action, Selection, ShapeKind, Tool};
use aplomb::layout::Arrange;
use aplomb::panels::BottomTab;
use aplomb_sim::scene::{Keyframe, MotionSettings, Scene};
use egui::{Key, Modifiers, Role, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

const NONE: Modifiers = Modifiers::NONE;

/// The hanging beam with a ball that moves, and the timeline in sight.
fn with_motion() -> Editor {
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    act(&mut editor, Action::NewObstacle(ShapeKind::Ball));
    let mut moving = scene(&editor);
    let ball = moving.obstacles.last_mut().unwrap();
    let key = |time, x| Keyframe { time, translate: [x, 0.0, 0.0], rotate: None };
    ball.motion = Some(MotionSettings { pivot: None, keyframes: vec![key(1.0, 0.5), key(2.0, 1.0)] });
    ball.removed_at = Some(3.0);
    act(&mut editor, Action::Edit("Motion".into(), Box::new(moving)));
    wait(&mut editor, "it is loaded", is_idle);
    act(&mut editor, Action::Arrange(Arrange::Front(BottomTab::Timeline)));
    editor
}

fn keys(scene: &Scene) -> Vec<Keyframe> {
    scene.obstacles.last().unwrap().motion.as_ref().unwrap().keyframes.clone()
}

/// Points on the screen for a second.
fn second(editor: &Editor) -> f32 {
    let x = |name: &str| editor.get_by_label(name).rect().center().x;
    x("Key 2 of ball at 2 s") - x("Key 1 of ball at 1 s")
}

fn seek(editor: &mut Editor, time: f32) {
    let ruler = editor.get_by_role_and_label(Role::Slider, "Timeline ruler").rect();
    let x = editor.get_by_label("Key 1 of ball at 1 s").rect().center().x + (time - 1.0) * second(editor);
    crate::mouse::click(editor, pos2(x, ruler.center().y), egui::PointerButton::Primary, NONE);
}

#[test]
fn keys_are_dragged_in_time_in_one_step_and_stay_in_order() {
    let mut editor = with_motion();
    let (second, from) = (second(&editor), handle(&editor, "Key 1 of ball at 1 s"));
    let after = one_step(&mut editor, "a drag", |editor| drag(editor, from, from + vec2(0.5 * second, 0.0), NONE));
    assert!((keys(&after)[0].time - 1.5).abs() < 0.02, "{:?}", keys(&after));
    let time = keys(&after)[0].time;
    assert_eq!(keys(&after)[0].translate, [0.5, 0.0, 0.0]);
    let name = format!("Key 1 of ball at {time} s");
    let from = handle(&editor, &name);
    drag(&mut editor, from, from + vec2(3.0 * second, 0.0), NONE);
    let times: Vec<f64> = keys(&scene(&editor)).iter().map(|key| key.time).collect();
    assert!(times[0] < times[1] && times[0] > 1.99, "{times:?}");
}

#[test]
fn what_is_taken_away_is_dragged_too() {
    let mut editor = with_motion();
    let second = second(&editor);
    let from = handle(&editor, "ball taken away at 3 s");
    let after = one_step(&mut editor, "a drag", |editor| drag(editor, from, from - vec2(second, 0.0), NONE));
    assert!((after.obstacles.last().unwrap().removed_at.unwrap() - 2.0).abs() < 0.02);
}

#[test]
fn a_click_in_the_ruler_chooses_a_time_at_which_a_key_is_added_copied_and_deleted() {
    let mut editor = with_motion();
    assert_eq!(editor.state().desk().tab, BottomTab::Timeline);
    seek(&mut editor, 1.5);
    let time = editor.state().desk().playhead.unwrap();
    assert!((time - 1.5).abs() < 0.02, "{time}");
    let after = one_step(&mut editor, "a key", |editor| {
        editor.get_by_role_and_label(Role::Button, "Key").click();
        editor.run_steps(3);
    });
    assert_eq!(keys(&after).len(), 3);
    assert!((keys(&after)[1].translate[0] - 0.5 * time).abs() < 1e-9, "where it has got to by then: {:?}", keys(&after)[1]);
    // The new one is chosen: its time is typed, and it goes.
    let after = one_step(&mut editor, "a time", |editor| {
        editor.get_by_role_and_label(Role::SpinButton, "Time of the mark").set_value_accesskit(1.25);
        editor.run_steps(3);
    });
    assert_eq!(keys(&after)[1].time, 1.25);
    let after = one_step(&mut editor, "deleting", |editor| {
        editor.get_by_role_and_label(Role::Button, "Delete key").click();
        editor.run_steps(3);
    });
    assert_eq!(keys(&after).iter().map(|key| key.time).collect::<Vec<_>>(), [1.0, 2.0]);
    seek(&mut editor, 2.6);
    let at = handle(&editor, "Key 1 of ball at 1 s");
    crate::mouse::click(&mut editor, at, egui::PointerButton::Primary, NONE);
    seek(&mut editor, 2.6);
    let after = one_step(&mut editor, "a copy", |editor| {
        editor.get_by_role_and_label(Role::Button, "Copy key").click();
        editor.run_steps(3);
    });
    let copy = keys(&after)[2];
    assert!((copy.time - 2.6).abs() < 0.02 && copy.translate == [0.5, 0.0, 0.0], "{copy:?}");
}

/// At a time of one's own, the handles of what moves are those of its keyframe there.
#[test]
fn the_handles_at_a_time_make_and_move_the_keyframe_there() {
    let mut editor = with_motion();
    let last = scene(&editor).obstacles.len() - 1;
    act(&mut editor, Action::Select(Selection::Obstacle(last)));
    act(&mut editor, Action::LookFrom(aplomb::viewport::AxisView::Front));
    editor.run_steps(30);
    crate::mouse::step_back(&mut editor);
    let still = scene(&editor).obstacles[last].shape.clone();
    let at = handle(&editor, "Key 2 of ball at 2 s");
    crate::mouse::click(&mut editor, at, egui::PointerButton::Primary, NONE);
    assert_eq!(editor.state().desk().playhead, Some(2.0), "its time is looked at");
    act(&mut editor, Action::FrameAll);
    editor.run_steps(30);
    act(&mut editor, Action::SetTool(Tool::Move));
    editor.run_steps(2);
    let from = handle(&editor, "Move along y");
    let after = one_step(&mut editor, "a drag", |editor| drag(editor, from, from - vec2(0.0, 40.0), NONE));
    assert_eq!(keys(&after).len(), 2);
    assert!(keys(&after)[1].translate[1] > 0.0 && keys(&after)[1].translate[0] == 1.0, "{:?}", keys(&after));
    assert_eq!(after.obstacles[last].shape, still, "it begins where it began");
    // Where there is none, a keyframe is made.
    seek(&mut editor, 1.5);
    let from = handle(&editor, "Move along y");
    let after = one_step(&mut editor, "a new key", |editor| drag(editor, from, from + vec2(0.0, 40.0), NONE));
    assert_eq!(keys(&after).len(), 3);
}

#[test]
fn what_does_not_move_yet_gets_its_first_key() {
    let mut editor = with_motion();
    act(&mut editor, Action::NewObstacle(ShapeKind::Box));
    wait(&mut editor, "it is loaded", is_idle);
    assert!(editor.get_by_role_and_label(Role::Button, "Key").accesskit_node().is_disabled(), "nothing has moved at time zero");
    seek(&mut editor, 1.5);
    let after = one_step(&mut editor, "a key", |editor| {
        editor.key_press(Key::K);
        editor.run_steps(3);
    });
    let motion = after.obstacles.last().unwrap().motion.clone().unwrap();
    assert_eq!((motion.keyframes.len(), motion.keyframes[0].translate), (1, [0.0; 3]));
}

/// One playhead: where something is recorded, the timeline shows its frame, and the transport takes it back.
#[test]
fn the_playhead_is_that_of_the_transport() {
    let mut editor = with_motion();
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "ten steps are taken", |app| app.main().last_frame() >= 10);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it pauses", is_idle);
    let end = editor.state().main().series.iter().last().unwrap().time;
    let half = editor.state().main().series.frame_at(0.5 * end);
    editor.get_by_role_and_label(Role::SpinButton, "Time looked at").set_value_accesskit(0.5 * end);
    editor.run_steps(3);
    wait(&mut editor, "the frame is shown", |app| app.main().frame() == half && app.main().snapshot.as_ref().unwrap().frame == half);
    assert_eq!(editor.state().desk().playhead, None, "it is recorded");
    seek(&mut editor, 2.5);
    assert!(editor.state().desk().playhead.is_some(), "beyond the recording");
    act(&mut editor, Action::Step);
    assert_eq!(editor.state().desk().playhead, None);
}
