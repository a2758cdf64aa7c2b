//! Rows that come from the schema, and what the inspector leaves out or greys out by what registries say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use aplomb::document::{Action, Selection};
use aplomb::widgets::{keys_of, rows_without, schema_of};
use aplomb_sim::scene::{ContactSettings, EqualitySettings, EqualityTerm};
use aplomb_sim::step::STEPPERS;
use egui::{Event, Key, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use serde_json::json;

/// Rows of `contact` for all keys but these, by the schema with a key more.
fn rows(by_hand: &'static [&'static str]) -> Harness<'static, ContactSettings> {
    let mut schema = schema_of("contact");
    schema["properties"]["new_distance"] =
        json!({ "type": "number", "default": 0.25, "minimum": 0.0, "maximum": 1.0, "description": "Distance of a kind that is new [m]." });
    schema["properties"]["new_direction"] = json!({
        "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3, "default": [1.0, 2.0, 3.0], "description": "Where to.",
    });
    let mut harness = Harness::new_ui_state(
        move |ui, contact: &mut ContactSettings| {
            rows_without(ui, contact, &schema, by_hand);
        },
        ContactSettings::default(),
    );
    harness.run_steps(3);
    harness
}

#[test]
fn a_key_that_is_new_to_the_schema_has_a_row() {
    let harness = rows(&[]);
    for key in ["New distance", "Friction", "Barrier distance"] {
        harness.get_by_role_and_label(Role::SpinButton, key);
    }
    harness.get_by_role_and_label(Role::SpinButton, "New direction y");
    harness.get_by_role_and_label(Role::CheckBox, "Self contact");
    harness.get_by_role_and_label(Role::ComboBox, "Barrier");
    assert!(keys_of("contact").count() >= 10);

    let harness = rows(&["friction"]);
    harness.get_by_role_and_label(Role::SpinButton, "New distance");
    assert!(harness.query_by_role_and_label(Role::SpinButton, "Friction").is_none());
}

#[test]
fn a_row_from_the_schema_changes_what_it_stands_for_within_its_limits() {
    let mut harness = rows(&["new_distance", "new_direction"]);
    harness.get_by_role_and_label(Role::CheckBox, "Self contact").click();
    harness.run_steps(3);
    assert_eq!(*harness.state(), ContactSettings { self_contact: false, ..ContactSettings::default() });
    for (text, friction) in [("0.75", 0.75), ("11", 0.75)] {
        harness.get_by_role_and_label(Role::SpinButton, "Friction").click();
        harness.run_steps(3);
        harness.event(Event::Text(text.to_owned()));
        harness.run_steps(2);
        harness.key_press(Key::Enter);
        harness.run_steps(4);
        assert_eq!(harness.state().friction, friction, "after {text}");
    }
}

/// What a file leaves out because it is none is shown as none, and looking at it says nothing.
#[test]
fn an_amount_that_is_left_out_is_none() {
    let mut editor = open(&gallery("hanging_chain"), 1900.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    let before = scene(&editor);
    let shown = editor.get_by_role_and_label(Role::SpinButton, "Damping").value();
    assert_eq!(shown.as_deref(), Some("0"), "{shown:?}");
    assert_eq!(scene(&editor), before);
}

/// An object that says something by being there is not shown as if it were.
#[test]
fn an_object_that_is_left_out_is_given_by_hand() {
    let mut editor = open(&gallery("xpbd_cloth"), 2400.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    let before = scene(&editor);
    assert!(editor.query_by_role_and_label(Role::SpinButton, "Bulk modulus").is_none());
    editor.get_by_role_and_label(Role::CheckBox, "Filling").click();
    editor.run_steps(6);
    let filling = |editor: &Editor| scene(editor).bodies[0].kind.as_ref().unwrap().settings["filling"].clone();
    assert_eq!(filling(&editor), json!({}));
    let shown = editor.get_by_role_and_label(Role::SpinButton, "Volume at rest").value();
    assert_eq!(shown.as_deref(), Some("1"));
    editor.get_by_role_and_label(Role::CheckBox, "give filling").click();
    editor.run_steps(6);
    assert_eq!(scene(&editor), before);
    // What says nothing where all of it is left out needs no such box.
    editor.get_by_role_and_label(Role::CheckBox, "Sew as the file says");
}

/// What strands leave out is shown as it is: ends are clamped, and there are no hairs until they are given, with all that they must have.
#[test]
fn what_strands_leave_out_is_shown_as_it_is() {
    let mut editor = open(&gallery("hair_curls_discrete"), 2400.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    let before = scene(&editor);
    let clamped = editor.get_by_role_and_label(Role::CheckBox, "Held ends are clamped");
    assert_eq!(clamped.accesskit_node().toggled(), Some(egui::accesskit::Toggled::True));
    assert!(editor.query_by_role_and_label(Role::SpinButton, "Per guide").is_none());
    editor.get_by_role_and_label(Role::CheckBox, "Hairs").click();
    editor.run_steps(6);
    let settings = |editor: &Editor| scene(editor).bodies[0].kind.as_ref().unwrap().settings.clone();
    assert_eq!(settings(&editor)["hairs"], json!({ "per_guide": 1 }));
    let shown = editor.get_by_role_and_label(Role::SpinButton, "Seed").value();
    assert_eq!(shown.as_deref(), Some("1"));
    editor.get_by_role_and_label(Role::CheckBox, "give hairs").click();
    editor.run_steps(6);
    assert_eq!(scene(&editor), before);
    editor.get_by_role_and_label(Role::CheckBox, "Held ends are clamped").click();
    editor.run_steps(6);
    assert_eq!(settings(&editor)["clamped"], json!(false));
}

#[test]
fn a_change_by_a_form_is_one_step_back() {
    let mut editor = open(&gallery("hanging_net"), 1900.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    let before = scene(&editor);
    editor.get_by_role_and_label(Role::CheckBox, "Diagonals").click();
    editor.run_steps(6);
    let after = scene(&editor);
    assert_ne!(before.bodies[0].kind, after.bodies[0].kind);
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before);
    act(&mut editor, Action::Redo);
    assert_eq!(scene(&editor), after);
}

/// Cloth and springs have presets of their own, and no other kind has them; each is one step back, and tells its source where the pointer is on it.
#[test]
fn a_preset_of_a_kind_is_one_step_back() {
    for (name, preset, other, source) in
        [("fig11_blanket", "Denim", "Steel wire", "Ramamoorthi 2011"), ("hanging_net", "Steel wire", "Denim", "Gosline et al. 1999")]
    {
        let mut editor = open(&gallery(name), 1900.0);
        act(&mut editor, Action::Select(Selection::Body(0)));
        let before = scene(&editor);
        assert!(editor.query_by_role_and_label(Role::Button, other).is_none(), "{name}");
        editor.get_by_role_and_label(Role::Button, preset).hover();
        wait_for_words(&mut editor, source);
        editor.get_by_role_and_label(Role::Button, preset).click();
        editor.run_steps(6);
        let after = scene(&editor);
        let settings = &after.bodies[0].kind.as_ref().unwrap().settings;
        match preset {
            "Denim" => {
                assert_eq!((settings["law"].as_str(), settings["density"].as_f64()), (Some("orthotropic"), Some(0.324)), "{settings}");
                assert!(settings["weft_stiffness"].as_f64() < settings["stiffness"].as_f64() && settings["shear_stiffness"].is_number());
            }
            _ => assert!((settings["stiffness_per_length"].as_f64().unwrap() / 157_080.0 - 1.0).abs() < 1e-4, "{settings}"),
        }
        act(&mut editor, Action::Undo);
        assert_eq!(scene(&editor), before);
        act(&mut editor, Action::Redo);
        assert_eq!(scene(&editor), after);
    }
}

fn with(editor: &mut Editor, change: impl FnOnce(&mut aplomb_sim::scene::Scene)) {
    let mut changed = scene(editor);
    change(&mut changed);
    act(editor, Action::Edit("change".to_owned(), Box::new(changed)));
}

#[test]
fn what_does_not_iterate_has_no_tolerance() {
    let mut editor = open(&gallery("hanging_net"), 1900.0);
    act(&mut editor, Action::Select(Selection::Scene));
    for stepper in STEPPERS {
        with(&mut editor, |scene| scene.simulate.stepper = stepper.name.into());
        for row in ["Tolerance", "Iterations"] {
            assert_eq!(editor.query_by_role_and_label(Role::SpinButton, row).is_some(), stepper.converges, "{}: {row}", stepper.name);
        }
        editor.get_by_role_and_label(Role::SpinButton, "Step size");
    }
    assert!(STEPPERS.iter().any(|stepper| stepper.converges) && STEPPERS.iter().any(|stepper| !stepper.converges));
}

/// Steps until a text with these words is there, such as what is told of what the pointer is on.
fn wait_for_words(editor: &mut Editor, words: &str) {
    for _ in 0..200 {
        if editor.query_by_label_contains(words).is_some() {
            return;
        }
        editor.step();
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("nobody says {words:?}");
}

#[test]
fn steppers_that_cannot_take_the_scene_are_greyed_out() {
    let mut editor = open(&gallery("hanging_chain"), 1900.0);
    act(&mut editor, Action::Select(Selection::Scene));
    // Whether each stepper can be chosen, by its name for people.
    let choices = |editor: &mut Editor| {
        editor.get_by_role_and_label(Role::ComboBox, "Stepper").click();
        editor.run_steps(3);
        let of = |name: &str| !editor.get_by_role_and_label(Role::Button, name).accesskit_node().is_disabled();
        let found = ["backward euler", "symplectic euler"].map(of);
        editor.key_press(Key::Escape);
        editor.run_steps(3);
        found
    };
    assert_eq!(choices(&mut editor), [true, true]);
    with(&mut editor, |scene| {
        let term = |vertex, y| EqualityTerm { body: scene.bodies[0].name.clone(), vertex, coefficients: [0.0, y, 0.0] };
        scene.equalities = vec![EqualitySettings { name: "level".into(), terms: vec![term(3, 1.0), term(5, -1.0)] }];
        scene.simulate.stepper = "backward_euler".into();
    });
    act(&mut editor, Action::Step);
    wait(&mut editor, "a step is taken", |app| is_idle(app) && app.main().last_frame() >= 1);
    assert_eq!(choices(&mut editor), [true, false]);
    editor.get_by_role_and_label(Role::ComboBox, "Stepper").click();
    editor.run_steps(3);
    editor.get_by_role_and_label(Role::Button, "symplectic euler").hover();
    wait_for_words(&mut editor, "it solves no equations");
}

/// The words of a form are those of people, and stand whole in a window of 1280 points.
#[test]
fn choices_of_cloth_are_told_in_words() {
    let mut editor = open(&gallery("garment"), 900.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    editor.run_steps(3);
    let shown = |editor: &Editor, list: &str| {
        let list = editor.get_by_role_and_label(Role::ComboBox, list);
        list.accesskit_node().value().unwrap_or_default()
    };
    assert_eq!(shown(&editor, "Law"), "Saint Venant-Kirchhoff");
    assert_eq!(shown(&editor, "Rest"), "sewing pattern (uv)");
    editor.get_by_role_and_label(Role::CheckBox, "Sew as the file says");
    let number = editor.get_by_role_and_label(Role::SpinButton, "Bending stiffness").rect();
    let label = editor.get_all_by_role(Role::Label).find(|node| node.accesskit_node().value().as_deref() == Some("Bending stiffness"));
    let label = label.unwrap().rect();
    assert!(label.right() < number.left(), "{label:?} lies on {number:?}");
}
