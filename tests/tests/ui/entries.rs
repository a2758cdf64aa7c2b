//! Numbers that are typed: with units, refused where these do not fit, and never changed by being looked at.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, open, scene, type_into};
use aplomb::document::{Action, Selection};
use aplomb_sim::scene::{Scene, Shape};
use egui::{Event, Key, Role};
use egui_kittest::kittest::Queryable;

fn on_a_ball() -> Editor {
    let mut editor = open(&gallery("jelly_on_table"), 1900.0);
    let mut edited = scene(&editor);
    let shape = Shape::Sphere { center: [0.0, -3.0, 0.0], radius: 0.5 };
    edited.obstacles[0].shape = shape;
    act(&mut editor, Action::Edit("Ball".to_owned(), Box::new(edited)));
    editor
}

/// The selection, the field, what is typed, and what the scene says then.
type Entry = (Selection, &'static str, &'static str, fn(&Scene) -> f64, f64);

#[test]
fn what_is_typed_is_in_the_unit_that_is_typed() {
    let mut editor = on_a_ball();
    let radius = |scene: &Scene| if let Shape::Sphere { radius, .. } = scene.obstacles[0].shape { radius } else { f64::NAN };
    let body = Selection::Body(0);
    let entries: &[Entry] = &[
        (body, "Young's modulus", "2 MPa", |s| s.bodies[0].material.as_ref().unwrap().young, 2e6),
        (body, "Young's modulus", "35 kPa", |s| s.bodies[0].material.as_ref().unwrap().young, 3.5e4),
        (body, "Young's modulus", "2000", |s| s.bodies[0].material.as_ref().unwrap().young, 2e6), // in kPa, which stands beside it
        (body, "Density", "1.1 g/cm3", |s| s.bodies[0].material.as_ref().unwrap().density, 1100.0),
        (body, "Damping", "5 ms", |s| s.bodies[0].material.as_ref().unwrap().damping, 5e-3),
        (body, "Poisson's ratio", "40 %", |s| s.bodies[0].material.as_ref().unwrap().poisson, 0.4),
        (body, "Velocity x", "36 km/h", |s| s.bodies[0].velocity[0], 10.0),
        (body, "Rotate z", "1.5707963267948966 rad", |s| s.bodies[0].transform.rotate_degrees[2], 90.0),
        (Selection::Obstacle(0), "Radius", "12 mm", radius, 0.012),
        (Selection::Obstacle(0), "Radius", "3", radius, 0.03), // in cm
        (Selection::Scene, "Gravity y", "-1 g", |s| s.gravity[1], -9.80665),
        (Selection::Scene, "Step size", "4 ms", |s| s.simulate.step_size, 4e-3),
        (Selection::Scene, "Iterations", "50", |s| s.simulate.max_iterations.into(), 50.0),
    ];
    for (selection, field, text, of, expected) in entries {
        act(&mut editor, Action::Select(*selection));
        crate::editor::wait(&mut editor, "it is loaded", crate::editor::is_idle);
        type_into(&mut editor, field, text);
        let found = of(&scene(&editor));
        assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{text} in {field}: {found}");
    }
}

#[test]
fn what_does_not_fit_is_refused_with_its_reason_and_changes_nothing() {
    let mut editor = on_a_ball();
    for (selection, field, text, why) in [
        (Selection::Body(0), "Young's modulus", "2 kg", "use Pa"),
        (Selection::Body(0), "Young's modulus", "2 m", "use Pa"),
        (Selection::Body(0), "Young's modulus", "soft", "no number"),
        (Selection::Body(0), "Young's modulus", "1,5", "behind a point"),
        (Selection::Body(0), "Young's modulus", "-3 Pa", "it lies from"),
        (Selection::Body(0), "Poisson's ratio", "0.7", "it lies from"),
        (Selection::Body(0), "Poisson's ratio", "0.3 Pa", "plain number"),
        (Selection::Body(0), "Rotate x", "2 m", "use °"),
        (Selection::Obstacle(0), "Radius", "3 Pa", "use m"),
        (Selection::Obstacle(0), "Centre y", "3 kg", "use m"),
        (Selection::Scene, "Step size", "3 m", "use s"),
        (Selection::Scene, "Iterations", "2.5", "whole number"),
    ] {
        act(&mut editor, Action::Select(selection));
        let before = scene(&editor);
        type_into(&mut editor, field, text);
        assert_eq!(scene(&editor), before, "{text} in {field}");
        assert!(editor.query_by_label_contains(why).is_some(), "{text} in {field} is refused without a word");
        // The next entry that fits takes the words away.
        let fits = if field == "Poisson's ratio" { "0.3" } else { "2" };
        type_into(&mut editor, field, fits);
        assert!(editor.query_by_label_contains(why).is_none(), "{field}: the reason stays");
    }
}

#[test]
fn a_field_that_is_left_by_escape_or_only_looked_at_keeps_all_digits() {
    let mut editor = open(&gallery("hanging_beam"), 1900.0);
    let mut edited = scene(&editor);
    edited.bodies[0].material.as_mut().unwrap().young = 123_456.789_012_345;
    edited.bodies[0].transform.translate = [0.123_456_789_012, -7.1e-5, 0.0];
    act(&mut editor, Action::Edit("Digits".to_owned(), Box::new(edited)));
    crate::editor::wait(&mut editor, "it is loaded", crate::editor::is_idle);
    let before = scene(&editor);
    for field in ["Young's modulus", "Move x", "Move y"] {
        for text in [None, Some("5")] {
            editor.get_by_role_and_label(Role::SpinButton, field).click();
            editor.run_steps(3);
            if let Some(text) = text {
                editor.event(Event::Text(text.to_owned()));
                editor.run_steps(2);
            }
            editor.key_press(if text.is_some() { Key::Escape } else { Key::Enter });
            editor.run_steps(4);
            assert_eq!(scene(&editor), before, "{field}");
        }
    }
}

#[test]
fn a_scene_that_says_more_than_a_slider_would_is_not_edited_by_being_looked_at() {
    let mut editor = open(&gallery("hanging_beam"), 1900.0);
    let mut edited = scene(&editor);
    edited.bodies[0].material.as_mut().unwrap().young = 5e13;
    edited.simulate.step_size = 2.0;
    act(&mut editor, Action::Edit("Beyond".to_owned(), Box::new(edited)));
    let before = scene(&editor);
    for selection in [Selection::Body(0), Selection::Scene] {
        act(&mut editor, Action::Select(selection));
        editor.run_steps(3);
    }
    assert_eq!(scene(&editor), before);
    assert_eq!(editor.state().document().history.undo_label(), Some("Beyond"));
}

#[test]
fn a_label_is_never_under_its_numbers() {
    let mut editor = on_a_ball();
    let mut edited = scene(&editor);
    edited.bodies[0].transform.translate = [-0.123_456, -12.345_678, 1.234_567e-9];
    edited.bodies[0].velocity = [-123.456_7, 0.000_123_4, 9999.9];
    act(&mut editor, Action::Edit("Long".to_owned(), Box::new(edited)));
    for (selection, rows) in [
        (Selection::Body(0), &["Rotate", "Move", "Velocity", "Spin"][..]),
        (Selection::Obstacle(0), &["Centre"][..]),
        (Selection::Scene, &["Gravity"][..]),
    ] {
        act(&mut editor, Action::Select(selection));
        crate::editor::wait(&mut editor, "it is loaded", crate::editor::is_idle);
        for row in rows {
            let label = editor.get_by_role_and_label(Role::Label, row).rect();
            let first = editor.get_by_role_and_label(Role::SpinButton, &format!("{row} x")).rect();
            assert!(label.right() <= first.left(), "{row}: {label} and {first}");
        }
    }
}
