//! Stories: what a person does from the beginning to the end, by clicks alone.
//!
//! - *Engineer*: a scene with a fault is opened and initialised; what is wrong is read, its place shown, and one button mends it, as one step
//!   that can be taken back: a body that floats, one that slips, one that is too soft, one that is sunk into the ground, two that overlap, and
//!   a pose that is unstable, whose cure is found and taken.
//! - *Newcomer*: from the start card to a creature that holds on a painted foot, played, and kept as a picture.
//!
//! Others have files of their own: the painter in `ui_painting`, a crash in `killed`, an external edit in `ui_files`, two windows in `killed`,
//! mouse and keyboard in the real window in `window`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use aplomb::app::{App, Options};
use aplomb::document::{Action, RoleKind, Selection};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::Conclusion;
use aplomb_tests::{Block, Blocks, Cut, Sheet};
use egui::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use serde_json::json;

/// Clicks a button by its words, the first if there are several.
fn click(editor: &mut Editor, label: &str) {
    editor.get_all_by_role_and_label(Role::Button, label).next().unwrap().click();
    editor.run_steps(3);
}

/// The button that the right column leads on with: its words begin like this.
fn leading(editor: &Editor, begins: &str) -> String {
    let buttons = editor.query_all_by_role(Role::Button);
    let labels = buttons.filter_map(|node| node.accesskit_node().label());
    labels.into_iter().find(|label| label.starts_with(begins)).unwrap_or_else(|| panic!("no button begins with `{begins}`"))
}

fn verdict(app: &App) -> Option<Conclusion> {
    let certificate = app.main().certificate.as_ref()?;
    (is_idle(app) && certificate.is_judged && !certificate.is_stale(app.document().scene())).then_some(certificate.report.outcome.verdict)
}

/// Initialise, see the place, press the one button, and it holds; one step back, and the scene is as it was.
fn mended_by_one_button(editor: &mut Editor, name: &str, button: &str) {
    let before = scene(editor);
    if editor.state().main().problems.is_empty() {
        click(editor, "Initialise");
        wait(editor, "there is a verdict", |app| verdict(app).is_some());
        assert_eq!(verdict(editor.state()), Some(Conclusion::DoesNotHold), "{name}");
    }
    if editor.query_all_by_role_and_label(Role::Button, "Show the place").next().is_some() {
        click(editor, "Show the place");
        assert!(!editor.state().desk().marks.is_empty(), "{name}: the place is marked");
    } else {
        click(editor, "Show these elements");
        assert!(editor.state().desk().choice.is_some(), "{name}: the elements are pointed out");
    }
    let label = leading(editor, button);
    println!("{name}: {label}");
    click(editor, &label);
    wait(editor, "it is mended", |app| verdict(app) == Some(Conclusion::Holds));
    assert!(scene(editor) != before && editor.state().main().problems.is_empty());
    act(editor, Action::Undo);
    assert!(scene(editor) == before, "{name}: it is one step");
}

#[test]
fn an_engineer_mends_each_fault_by_one_button() {
    for (name, button) in [("floating", "Drop onto ground"), ("too_slippery", "Set friction to"), ("too_soft", "Stiffen what gives way")] {
        mended_by_one_button(&mut open(&gallery(name), 900.0), name, button);
    }
}

/// Opens a scene that cannot be built.
fn open_broken(blocks: &Blocks) -> Editor {
    let options = Options { scene: Some(blocks.write()), state: None };
    let mut editor = Harness::builder().with_size([1280.0, 900.0]).build_eframe(move |cc| App::new(cc, options).unwrap());
    wait(&mut editor, "the problem is told", |app| !app.main().problems.is_empty());
    act(&mut editor, Action::SetLive(false));
    // What is wrong can be looked at, and nothing else can be done with it.
    let app = editor.state();
    assert_eq!(app.main().model.as_ref().unwrap().bodies.len(), app.document().scene().bodies.len());
    let _ = editor.get_by_label("Cannot be simulated");
    let method = editor.state().desk().method;
    act(&mut editor, Action::SetMethod(Method::Naive));
    let stage = editor.get_by_role_and_label(Role::Button, "Stage Initialise").accesskit_node().description();
    assert!(stage.as_ref().is_some_and(|needs| needs.starts_with("to do")), "nothing is there to be played: {stage:?}");
    act(&mut editor, Action::SetMethod(method));
    editor
}

#[test]
fn a_body_that_is_moved_into_another_is_seen_there() {
    let [lower, upper] = [0.0501, 0.3].map(|y| Block::jelly([0.2, 0.1, 0.2], [3, 2, 3], [0.0, y, 0.0], 1e5));
    let blocks = Blocks::new(&[lower, upper], &json!({}));
    let mut editor = open(&blocks.write(), 800.0);
    let lowest = |editor: &Editor| {
        let app = editor.state();
        let (model, snapshot) = (app.main().model.clone().unwrap(), app.main().snapshot.clone().unwrap());
        snapshot.positions[model.bodies[1].nodes.clone()].iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
    };
    assert!((lowest(&editor) - 0.25).abs() < 1e-9);
    let mut sunk = scene(&editor);
    sunk.bodies[1].transform.translate[1] = 0.1;
    act(&mut editor, Action::Edit("Move".to_owned(), Box::new(sunk)));
    wait(&mut editor, "the problem is told", |app| !app.main().problems.is_empty());
    assert!((lowest(&editor) - 0.05).abs() < 1e-9, "it is where it was put: {}", lowest(&editor));
    act(&mut editor, Action::Undo);
    wait(&mut editor, "it is built again", |app| is_idle(app) && app.main().problems.is_empty());
    assert!((lowest(&editor) - 0.25).abs() < 1e-9);
    click(&mut editor, "Initialise");
    wait(&mut editor, "there is a verdict", |app| verdict(app).is_some());
}

#[test]
fn an_engineer_separates_what_overlaps_or_is_sunk() {
    let floor = json!([{ "name": "floor", "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } }, "friction": 0.6 }]);
    let lower = Block::jelly([0.2, 0.1, 0.2], [3, 2, 3], [0.0, 0.0501, 0.0], 1e5);
    let upper = Block { at: [0.01, 0.13, 0.0], ..lower.clone() };
    let sunk = Block { at: [0.0, 0.03, 0.0], ..lower.clone() };
    let rest = json!({ "obstacles": floor, "contact": { "friction": 0.6 } });
    mended_by_one_button(&mut open_broken(&Blocks::new(&[lower, upper], &rest)), "two that overlap", "Separate by");
    mended_by_one_button(&mut open_broken(&Blocks::new(&[sunk], &rest)), "sunk", "Move out of floor by");
}

/// What a stepper refuses is told as a whole sentence, and mended by the number in it.
#[test]
fn an_engineer_takes_the_substeps_that_are_told() {
    let pi = std::f64::consts::PI;
    let mut curtain = Sheet::new([12; 2], Cut::Right, |u, v| Vec3::new(u, -v, 0.05 * (4.0 * pi * u).sin() * (0.5 + 0.5 * v)));
    curtain.cloth(&json!({ "law": "springs", "stiffness": 1e8, "bending_stiffness": 1e-3, "bending_law": "angle", "density": 0.2 }));
    curtain.hold(|_, v| v == 0.0);
    curtain.scene["simulate"] = json!({ "stepper": "xpbd", "step_size": 1.0 / 60.0, "projection": { "substeps": 2, "sweeps": 1 } });
    curtain.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    let mut editor = open(&curtain.write(), 900.0);
    let before = scene(&editor);
    click(&mut editor, "Initialise");
    wait(&mut editor, "there is a verdict", |app| verdict(app).is_some());
    act(&mut editor, Action::Step);
    wait(&mut editor, "it is refused", |app| is_idle(app) && !app.main().problems.is_empty());
    let message = editor.state().main().problems[0].message.clone();
    assert!(message.contains("would give way"), "{message}");
    assert!(editor.query_all_by_label(&message).next().is_some(), "the whole sentence is there");
    let label = leading(&editor, "Take ");
    let number: u32 = label.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(message.contains(&format!("\"substeps\" to {number}")), "{label}: {message}");
    click(&mut editor, &label);
    wait(&mut editor, "there is a verdict again", |app| verdict(app).is_some());
    assert_eq!(scene(&editor).simulate.projection.substeps, number);
    act(&mut editor, Action::Step);
    wait(&mut editor, "a step is taken", |app| is_idle(app) && app.main().last_frame() == 1);
    assert!(editor.state().main().problems.is_empty());
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before);
}

#[test]
fn an_engineer_is_led_to_a_cure_of_what_is_unstable() {
    // A clamped column at many times its critical load.
    let side = 0.05;
    let mut column = Block::jelly([side, 10.0 * side, side], [2, 16, 2], [0.0; 3], 3e3);
    column.regions =
        json!([{ "name": "held", "role": { "dirichlet": {} }, "select": [{ "height": { "axis": "y", "from": 0, "to": 0 } }] }]);
    let blocks = Blocks::new(&[column], &json!({}));
    let mut editor = open(&blocks.write(), 900.0);
    click(&mut editor, "Initialise");
    wait(&mut editor, "there is a verdict", |app| verdict(app).is_some());
    assert_eq!(verdict(editor.state()), Some(Conclusion::Unstable));
    let before = scene(&editor);
    click(&mut editor, "Look for a cure");
    wait(&mut editor, "cures are known", |app| {
        let stability = app.main().certificate.as_ref().and_then(|certificate| certificate.report.stability.as_ref());
        is_idle(app) && stability.is_some_and(|stability| !stability.cures.is_empty())
    });
    let label = leading(&editor, "Stiffen ");
    click(&mut editor, &label);
    wait(&mut editor, "it is cured", |app| verdict(app) == Some(Conclusion::Holds));
    act(&mut editor, Action::Undo);
    assert!(scene(&editor) == before);
}

#[test]
fn an_engineer_sees_an_inverted_element_and_import_turns_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("turned.mesh");
    // Two tets on a face; the second has its corners the wrong way round.
    let vertices = "0 0 0 0\n0.1 0 0 0\n0 0.1 0 0\n0 0 0.1 0\n0.1 0.1 0.1 0";
    let inverted =
        aplomb_sim::mesh::quality::signed_volume(&[[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1], [0.1, 0.1, 0.1]].map(Vec3::from));
    let second = if inverted < 0.0 { "2 3 4 5 0" } else { "2 4 3 5 0" };
    let text = format!("MeshVersionFormatted 2\nDimension 3\nVertices\n5\n{vertices}\nTetrahedra\n2\n1 2 3 4 0\n{second}\nEnd\n");
    std::fs::write(&file, text).unwrap();
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    act(&mut editor, Action::Take(vec![file]));
    wait(&mut editor, "the mesh is looked at", |app| app.desk().preview.as_ref().is_some_and(|preview| preview.report.is_some()));
    editor.run_steps(4);
    let show = leading(&editor, "Show 1 tets have a negative volume");
    click(&mut editor, &show);
    assert!(!editor.state().desk().preview.as_ref().unwrap().pointed_places().is_empty(), "the place is pointed at");
    click(&mut editor, "Import");
    wait(&mut editor, "it is imported", |app| {
        app.desk().preview.is_none() && is_idle(app) && app.main().model.as_ref().unwrap().bodies[0].mesh.tets().len() == 2
    });
    let model = editor.state().main().model.clone().unwrap();
    let mesh = &model.bodies[0].mesh;
    let volumes = mesh.tets().iter().map(|tet| aplomb_sim::mesh::quality::signed_volume(&tet.map(|v| mesh.positions[v as usize])));
    assert!(volumes.into_iter().all(|volume| volume > 0.0), "both are the right way round");
}

#[test]
fn a_newcomer_makes_a_creature_hold_on_a_painted_foot() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { scene: None, state: Some(folder.path().to_path_buf()) };
    let mut editor = Harness::builder().with_size([1280.0, 800.0]).build_eframe(move |cc| App::new(cc, options).unwrap());
    editor.run_steps(4);
    act(&mut editor, Action::SetLive(false));
    if editor.state().document().scene().bodies.is_empty() {
        let card = leading(&editor, "Open Creature");
        click(&mut editor, &card);
    }
    wait(&mut editor, "the creature is there", is_idle);
    assert_eq!(scene(&editor).bodies[0].name, "creature");
    // Its foot goes, and another one is painted.
    act(&mut editor, Action::Select(Selection::Region(0, 0)));
    act(&mut editor, Action::Delete);
    click(&mut editor, "New region of creature");
    let fixed = RoleKind::Fixed.label();
    click(&mut editor, fixed);
    assert!(editor.state().desk().brush.on, "the brush is in hand");
    let view = editor.get_by_label("3D view").rect();
    let at = view.center() + egui::vec2(0.0, 0.12 * view.height());
    editor.drag_at(at);
    editor.run_steps(2);
    editor.hover_at(at + egui::vec2(20.0, 4.0));
    editor.run_steps(2);
    editor.drop_at(at + egui::vec2(20.0, 4.0));
    editor.run_steps(4);
    assert!(
        scene(&editor).bodies[0]
            .regions
            .iter()
            .any(|region| matches!(&region.select[..], [aplomb_sim::scene::Selector::Vertices(v)] if v.len() > 2))
    );
    wait(&mut editor, "the stroke is taken in", is_idle);
    click(&mut editor, "Initialise");
    wait(&mut editor, "there is a verdict", |app| verdict(app).is_some());
    println!("{:?}", editor.state().main().certificate.as_ref().unwrap().report.outcome);
    click(&mut editor, "Play");
    wait(&mut editor, "it is played", |app| app.main().last_frame() > 3);
    click(&mut editor, "Pause");
    wait(&mut editor, "it stands", is_idle);
    let outcome = editor.state().main().certificate.as_ref().unwrap().report.outcome.clone();
    if outcome.holds {
        let model = editor.state().main().model.clone().unwrap();
        let now = editor.state().main().snapshot.clone().unwrap();
        let moved = model.positions.iter().zip(now.positions.iter()).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(moved < 1e-6 * model.diagonal, "it moved by {moved} m");
    }
}
