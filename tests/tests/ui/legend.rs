//! The legend: handles that are dragged, limits that are typed, logarithms, colour maps, and what it remembers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, initialise, is_idle, open, type_into, wait};
use aplomb::app::{App, Options};
use aplomb::document::{Action, Overlay};
use aplomb::panels::ColorBy;
use aplomb::viewport::{ColorMap, Extent, LegendChoice, Tone};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// The editor with frames as short as those of a screen: two clicks are a double click.
fn open_on_a_screen(name: &str) -> Editor {
    let options = Options { scene: Some(gallery(name)), state: None };
    let builder = Harness::builder().with_size([1280.0, 800.0]).with_step_dt(1.0 / 60.0);
    let mut editor = builder.build_eframe(move |cc| App::new(cc, options).unwrap());
    wait(&mut editor, "the scene is loaded", is_idle);
    editor
}

/// Colours the bodies by the field with this label.
fn color_by(editor: &mut Editor, label: &str) {
    let now = editor.get_by(|node| node.role() == Role::ComboBox && node.label().is_some_and(|name| name.starts_with("Colour by:")));
    now.click();
    editor.run_steps(4);
    editor.get_by_role_and_label(Role::Button, label).click();
    editor.run_steps(4);
}

/// What was chosen for the field that is seen, and its colours now.
fn legend(editor: &Editor) -> (LegendChoice, Tone) {
    let app = editor.state();
    let ColorBy::Field(name) = app.desk().color_by else { panic!("the bodies are plain") };
    let fields = &app.main().snapshot.as_ref().unwrap().fields;
    let field = fields.iter().find(|field| field.kind.name == name).unwrap();
    let choice = app.desk().legends.of(field.kind);
    (choice, choice.tone(field.kind.scale, &Extent::of(field.kind.scale, &field.values)))
}

/// Presses the left button at `from`, moves to `to` in a few frames; let go with [`release`].
fn drag(editor: &mut Editor, from: Pos2, to: Pos2) {
    editor.event(Event::PointerMoved(from));
    editor.run_steps(2);
    editor.event(button(from, true));
    editor.run_steps(2);
    for share in [0.3, 0.7, 1.0] {
        editor.event(Event::PointerMoved(from.lerp(to, share)));
        editor.run_steps(2);
    }
}

fn release(editor: &mut Editor, at: Pos2) {
    editor.event(button(at, false));
    editor.run_steps(4);
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

fn handle(editor: &Editor, name: &str) -> Pos2 {
    editor.get_by_role_and_label(Role::Slider, name).rect().center()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 2e-2 * a.abs().max(b.abs())
}

#[test]
fn a_handle_that_is_dragged_takes_its_limit_along_and_a_double_click_gives_it_back() {
    let mut editor = open_on_a_screen("hanging_beam");
    initialise(&mut editor);
    color_by(&mut editor, "von Mises");
    let (choice, auto) = legend(&editor);
    assert!(choice.is_automatic());
    let (high, low) = (handle(&editor, "High limit handle"), handle(&editor, "Low limit handle"));
    assert!((low.y - high.y - 200.0).abs() < 1.0, "the bar is 200 long: {low} {high}");
    let camera = *editor.state().camera();
    drag(&mut editor, high, high + vec2(3.0, 50.0));
    let (_, dragged) = legend(&editor);
    assert!(near(dragged.range.1, 0.75 * auto.range.1) && dragged.range.0 == auto.range.0, "{auto:?} became {dragged:?}");
    // Nothing moves under the mouse: the handle is where it is held.
    assert!((handle(&editor, "High limit handle").y - high.y - 50.0).abs() < 1.5);
    release(&mut editor, high + vec2(3.0, 50.0));
    assert!((handle(&editor, "High limit handle") - high).length() < 1.5, "afterwards the bar is as long as before");
    assert_eq!(*editor.state().camera(), camera, "the view behind it was not turned");
    // It reaches beyond the end as well.
    drag(&mut editor, high, high - vec2(0.0, 40.0));
    release(&mut editor, high - vec2(0.0, 40.0));
    assert!(near(legend(&editor).1.range.1, 1.2 * dragged.range.1));
    editor.event(Event::PointerMoved(high));
    editor.run_steps(30);
    for _ in 0..2 {
        editor.event(button(high, true));
        editor.event(button(high, false));
        editor.run_steps(1);
    }
    editor.run_steps(4);
    assert_eq!(legend(&editor).1, auto);
}

#[test]
fn limits_are_typed_with_units_and_refused_in_words() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    initialise(&mut editor);
    color_by(&mut editor, "von Mises");
    type_into(&mut editor, "High limit", "1.5 kPa");
    assert_eq!(legend(&editor).1.range, (0.0, 1500.0));
    assert!(editor.query_by_label_contains("Legend: von Mises stress 0 to 1.5 kPa").is_some());
    type_into(&mut editor, "Low limit", "2 kPa");
    assert_eq!(legend(&editor).1.range, (0.0, 1500.0));
    assert!(editor.query_by_label_contains("the low limit is below the other limit").is_some());
    type_into(&mut editor, "High limit", "2 mm");
    assert!(editor.query_by_label_contains("does not fit").is_some());
    // Another field has limits of its own, and these are there when one comes back.
    color_by(&mut editor, "Displacement");
    assert!(legend(&editor).0.is_automatic());
    color_by(&mut editor, "von Mises");
    assert_eq!(legend(&editor).1.range, (0.0, 1500.0));
    act(&mut editor, Action::File(aplomb::document::FileRequest::Open(gallery("leaning_beam"))));
    wait(&mut editor, "the other scene is there", is_idle);
    assert!(legend(&editor).0.is_automatic(), "another document: {:?} {:?}", legend(&editor), editor.state().banner());
}

#[test]
fn the_compression_ratio_stays_symmetric_about_1() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    initialise(&mut editor);
    color_by(&mut editor, "Compression");
    let low = handle(&editor, "Low limit handle");
    drag(&mut editor, low, low - vec2(0.0, 60.0));
    release(&mut editor, low - vec2(0.0, 60.0));
    let (low, high) = legend(&editor).1.range;
    assert!(low < 1.0 && near(1.0 - low, high - 1.0), "{low} to {high}");
    type_into(&mut editor, "High limit", "1.25");
    assert_eq!(legend(&editor).1.range, (0.75, 1.25));
    type_into(&mut editor, "Low limit", "1.1");
    assert_eq!(legend(&editor).1.range, (0.75, 1.25));
    assert!(editor.query_by_label_contains("the low limit is below 1").is_some());
}

#[test]
fn colours_and_logarithms_are_chosen_where_they_can_be() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    initialise(&mut editor);
    color_by(&mut editor, "von Mises");
    let options = |editor: &mut Editor| {
        editor.get_by_role_and_label(Role::Button, "Legend options").click();
        editor.run_steps(4);
    };
    options(&mut editor);
    editor.get_by_label("Inferno").click();
    editor.run_steps(4);
    assert_eq!(legend(&editor).1.map, ColorMap::Inferno);
    editor.key_press(Key::Escape);
    editor.run_steps(3);
    options(&mut editor);
    editor.get_by_role_and_label(Role::CheckBox, "Logarithmic scale").click();
    editor.run_steps(4);
    let (_, tone) = legend(&editor);
    assert!(tone.log && tone.range.0 > 0.0, "{tone:?}");
    assert!(editor.query_by_label_contains("logarithmic").is_some());
    editor.key_press(Key::Escape);
    editor.run_steps(3);
    // Of pressures, some are negative.
    color_by(&mut editor, "Pressure");
    options(&mut editor);
    let log = editor.get_by_role_and_label(Role::CheckBox, "Logarithmic scale");
    assert!(log.accesskit_node().is_disabled());
    assert_eq!(legend(&editor).1.map, ColorMap::Signed, "each field has its own");
}

#[test]
fn two_views_have_one_strip_with_its_buttons() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    initialise(&mut editor);
    color_by(&mut editor, "von Mises");
    act(&mut editor, Action::ToggleCompare);
    wait(&mut editor, "both are there", |app| is_idle(app) && app.twin().is_some_and(|twin| twin.snapshot.is_some()));
    editor.run_steps(4);
    let strip = editor.get_by_label_contains("Legend: von Mises stress").rect();
    assert_eq!(strip.height(), 44.0);
    let (low, high) = (handle(&editor, "Low limit handle"), handle(&editor, "High limit handle"));
    assert!((high.x - low.x - 264.0).abs() < 1.0 && strip.contains(low) && strip.contains(high), "{low} {high}");
    // In the middle of the strip.
    assert!((0.5 * (low.x + high.x) - strip.center().x).abs() < 60.0);
    type_into(&mut editor, "High limit", "900 Pa");
    assert_eq!(legend(&editor).0.limits[1], Some(900.0));
    editor.get_by_role_and_label(Role::Button, "Automatic limits").click();
    editor.run_steps(3);
    assert!(legend(&editor).0.is_automatic());
    editor.get_by_role_and_label(Role::Button, "Logarithmic scale").click();
    editor.run_steps(3);
    assert!(legend(&editor).0.log);
    editor.get_by(|node| node.role() == Role::ComboBox && node.label().is_some_and(|name| name.starts_with("Colour map:"))).click();
    editor.run_steps(3);
    editor.get_by_label("Cividis").click();
    editor.run_steps(3);
    assert_eq!(legend(&editor).0.map, Some(ColorMap::Cividis));
}

#[test]
fn every_field_is_offered_and_the_recording_keeps_what_its_frames_tell() {
    let mut editor = open(&gallery("jelly_on_table"), 800.0);
    initialise(&mut editor);
    let labels = |editor: &Editor| {
        let fields = &editor.state().main().snapshot.as_ref().unwrap().fields;
        fields.iter().map(|field| field.kind.label).collect::<Vec<_>>()
    };
    let all = labels(&editor);
    for label in [
        "Compression",
        "von Mises",
        "Pressure",
        "Max principal",
        "Mid principal",
        "Min principal",
        "Stiffening",
        "Displacement",
        "Speed",
        "Residual",
        "Contact pressure",
    ] {
        assert!(all.contains(&label), "{label} is not in {all:?}");
        color_by(&mut editor, label);
        let ColorBy::Field(name) = editor.state().desk().color_by else { panic!("{label} is not chosen") };
        assert!(editor.query_by_label_contains(&format!("Legend: {name} ")).is_some(), "{label} has no legend");
    }
    // The residual forces are arrows, and how large they are is told.
    let snapshot = editor.state().main().snapshot.clone().unwrap();
    assert!(!snapshot.unbalanced.is_empty() && snapshot.unbalanced.len() <= 50);
    assert!(!editor.state().desk().residual);
    act(&mut editor, Action::ToggleOverlay(Overlay::Residual));
    assert!(editor.state().desk().residual);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "steps are taken", |app| app.main().last_frame() >= 4);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it pauses", is_idle);
    act(&mut editor, Action::Kick(aplomb_sim::math::Vec3::new(0.5, 0.0, 0.0)));
    let taken = editor.state().main().last_frame();
    act(&mut editor, Action::Step);
    wait(&mut editor, "a step is taken", |app| is_idle(app) && app.main().last_frame() > taken);
    let speeds = |editor: &Editor| {
        let snapshot = editor.state().main().snapshot.clone().unwrap();
        snapshot.fields.iter().find(|field| field.kind.label == "Speed").map(|field| field.values.clone()).expect("it has a speed")
    };
    let largest = |values: &[f64]| values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    assert!(largest(&speeds(&editor)) > 0.05, "it was pushed");
    act(&mut editor, Action::Seek(aplomb::document::command::Seek::To(2)));
    wait(&mut editor, "the frame is shown", |app| app.main().snapshot.as_ref().unwrap().frame == 2);
    assert!(largest(&speeds(&editor)) < 1e-3, "it rested then");
    assert!(editor.state().main().snapshot.as_ref().unwrap().unbalanced.is_empty(), "recordings hold no forces");
    color_by(&mut editor, "Speed");
    assert!(!labels(&editor).contains(&"Residual"), "and no residual");
}
