//! Probes: pinned with the mouse, kept in the scene, told over the view, recorded over a run; and all numbers of a place.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use aplomb::document::command::Seek;
use aplomb::document::{Action, FileRequest, Selection};
use aplomb::panels::{BottomTab, ColorBy, Touch};
use aplomb::viewport::navigate::{aspect, to_screen};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::ProbePlace;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Role};
use egui_kittest::kittest::Queryable;

fn on_screen(editor: &Editor, point: Vec3) -> Pos2 {
    let rect = editor.get_by_label("3D view").rect();
    to_screen(rect, editor.state().camera().project(point, aspect(rect)).unwrap())
}

fn middle(editor: &Editor, share: f64) -> Vec3 {
    let positions = editor.state().main().snapshot.clone().unwrap().positions.clone();
    let (low, high) = aplomb_sim::math::bounding_box(&positions);
    Vec3::new(low.x + share * (high.x - low.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z))
}

fn click(editor: &mut Editor, at: Pos2, modifiers: Modifiers) {
    editor.hover_at(at);
    editor.run_steps(2);
    let button = |pressed| Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers };
    editor.event(Event::ModifiersChanged(modifiers));
    editor.event(button(true));
    editor.step();
    editor.event(button(false));
    editor.step();
    editor.event(Event::ModifiersChanged(Modifiers::NONE));
    editor.run_steps(3);
}

fn beam() -> Editor {
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    editor.get_by_label("Look from +Z").click();
    editor.run_steps(60);
    editor
}

/// The beam with a probe near its end, pinned by a click.
fn probed() -> Editor {
    let mut editor = beam();
    editor.hover_at(on_screen(&editor, middle(&editor, 0.5)));
    editor.key_press(Key::P);
    editor.run_steps(3);
    assert_eq!(editor.state().desk().touch, Touch::Probe);
    let at = on_screen(&editor, middle(&editor, 0.9));
    click(&mut editor, at, Modifiers::NONE);
    editor
}

fn play(editor: &mut Editor, frames: u64) {
    act(editor, Action::TogglePlay);
    wait(editor, "it has run", move |app| app.main().last_frame() >= frames);
    act(editor, Action::TogglePlay);
    wait(editor, "it stops", is_idle);
}

#[test]
fn a_click_pins_a_probe_where_it_is_and_one_step_back_takes_it_away() {
    let mut editor = probed();
    let probes = scene(&editor).probes;
    let [probe] = probes.as_slice() else { panic!("{probes:?}") };
    let ProbePlace::Vertex(vertex) = probe.at else { panic!("{probe:?}") };
    assert_eq!((probe.name.as_str(), probe.body.as_str()), ("probe", "beam"));
    assert_eq!(editor.state().document().selection, Selection::Probe(0));
    let model = editor.state().main().model.clone().unwrap();
    let clicked = on_screen(&editor, middle(&editor, 0.9));
    let pinned = on_screen(&editor, model.positions[vertex as usize]);
    assert!((pinned - clicked).length() < 40.0, "{pinned} and {clicked}");
    // A card in the view, a row in the outliner, and the numbers in the inspector.
    editor.get_by_role_and_label(Role::Button, "Probe probe");
    editor.get_by_role_and_label(Role::Button, "probe");
    assert!(editor.query_all_by_label(&format!("vertex {vertex} of beam")).next().is_some());
    act(&mut editor, Action::Undo);
    assert!(scene(&editor).probes.is_empty() && editor.query_by_label("Probe probe").is_none());
    act(&mut editor, Action::Redo);
    assert_eq!(scene(&editor).probes, probes);
    // Nothing of a run depends on it.
    assert!(editor.state().main().holds(editor.state().document().scene(), editor.state().document().folder()));
}

#[test]
fn with_ctrl_it_is_the_element_and_on_a_section_the_one_that_is_seen() {
    let mut editor = probed();
    let at = on_screen(&editor, middle(&editor, 0.4));
    click(&mut editor, at, Modifiers { ctrl: true, command: true, ..Modifiers::NONE });
    let ProbePlace::Element(cell) = scene(&editor).probes[1].at else { panic!("{:?}", scene(&editor).probes) };
    let model = editor.state().main().model.clone().unwrap();
    let nodes = model.bodies[0].mesh.cells.get(cell as usize).unwrap();
    let near = nodes.iter().any(|&node| (on_screen(&editor, model.positions[node as usize]) - at).length() < 40.0);
    assert!(near, "{nodes:?}");
    act(&mut editor, Action::ToggleSlice);
    let at = on_screen(&editor, middle(&editor, 0.6));
    click(&mut editor, at, Modifiers::NONE);
    let ProbePlace::Element(cell) = scene(&editor).probes[2].at else { panic!("{:?}", scene(&editor).probes) };
    let plane = editor.state().desk().slice.plane();
    let sides = model.bodies[0].mesh.cells.get(cell as usize).unwrap().iter().map(|&node| plane.takes(&model.positions[node as usize]));
    let gone = { sides }.filter(|gone| *gone).count();
    assert!((1..=3).contains(&gone), "an element that the plane goes through: {gone}");
}

#[test]
fn a_probe_records_what_frames_have() {
    let mut editor = probed();
    play(&mut editor, 12);
    wait(&mut editor, "all frames are known", |app| app.main().samples.len() as u64 == app.main().last_frame() + 1);
    let ProbePlace::Vertex(vertex) = scene(&editor).probes[0].at else { panic!() };
    for frame in [0, 1, 7, 12] {
        act(&mut editor, Action::Seek(Seek::To(frame)));
        wait(&mut editor, "the frame is there", move |app| app.main().snapshot.as_ref().unwrap().frame == frame);
        let (track, snapshot) = (editor.state().main(), editor.state().main().snapshot.clone().unwrap());
        let sample = track.samples.at(frame, 0).unwrap();
        assert_eq!((sample.position, sample.time), (snapshot.positions[vertex as usize], snapshot.time), "frame {frame}");
        for name in ["compression ratio", "von Mises stress", "displacement from the target"] {
            let field = snapshot.fields.iter().find(|field| field.kind.name == name).unwrap();
            let recorded = sample.values.iter().find(|(known, _)| *known == name).unwrap().1;
            assert_eq!(recorded, field.values[vertex as usize], "{name} at frame {frame}");
        }
    }
    let speeds = editor.state().main().samples.speed(0);
    let (first, second) = (editor.state().main().samples.at(6, 0).unwrap(), editor.state().main().samples.at(7, 0).unwrap());
    assert_eq!(speeds[6], [second.time, (second.position - first.position).norm() / (second.time - first.time)]);
    // A probe that comes later knows the recording too.
    let at = on_screen(&editor, middle(&editor, 0.5));
    click(&mut editor, at, Modifiers::NONE);
    wait(&mut editor, "it has caught up", |app| app.main().samples.at(5, 1).is_some() && app.main().samples.at(0, 1).is_some());
    editor.get_by_role_and_label(Role::Tab, "Probes").click();
    editor.run_steps(4);
    assert_eq!(editor.state().desk().tab, BottomTab::Probes);
    for title in ["Height [m]", "Displacement [m]", "Speed [m/s]"] {
        editor.get_by_label(title);
    }
    act(&mut editor, Action::Reset);
    act(&mut editor, Action::Reset);
    wait(&mut editor, "it is at the start", |app| is_idle(app) && app.main().last_frame() == 0);
    assert!(editor.state().main().samples.len() <= 1, "what was recorded is gone with the run");
}

#[test]
fn probes_are_renamed_hidden_saved_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = probed();
    let name = editor.get_by_role_and_label(Role::TextInput, "Name");
    name.focus();
    editor.run_steps(2);
    editor.get_by_role_and_label(Role::TextInput, "Name").type_text(" of the tip");
    editor.run_steps(3);
    let renamed = scene(&editor).probes[0].name.clone();
    assert!(renamed.contains("of the tip"), "{renamed}");
    act(&mut editor, Action::Select(Selection::Scene));
    editor.get_by_role_and_label(Role::Button, &format!("Probe {renamed}"));
    editor.get_by_role_and_label(Role::CheckBox, &format!("show {renamed}")).click();
    editor.run_steps(3);
    assert!(editor.query_by_role_and_label(Role::Button, &format!("Probe {renamed}")).is_none());
    let path: PathBuf = folder.path().join("probed.json");
    act(&mut editor, Action::File(FileRequest::SaveAs(path.clone())));
    let saved = aplomb_sim::scene_file::load(&path).unwrap();
    assert_eq!(saved.probes, scene(&editor).probes);
    act(&mut editor, Action::Select(Selection::Probe(0)));
    act(&mut editor, Action::Delete);
    assert!(scene(&editor).probes.is_empty());
}

/// What is wrong with a copy of the beam whose probes are these, as text of the file.
fn problems(folder: &Path, probes: &str) -> Vec<String> {
    let text = std::fs::read_to_string(gallery("hanging_beam")).unwrap();
    let mesh = gallery("hanging_beam").parent().unwrap().join("../assets/beam.mesh").canonicalize().unwrap();
    let text = text.replace("../assets/beam.mesh", &mesh.to_string_lossy());
    let text = text.replacen("\"expect\"", &format!("\"probes\": {probes},\n  \"expect\""), 1);
    let path = folder.join("probes.json");
    std::fs::write(&path, text).unwrap();
    match aplomb_sim::scene_file::load(&path) {
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
        Ok(scene) => match aplomb_sim::simulation::Simulation::build(&scene, folder, &aplomb_sim::watch::Unwatched) {
            Err(error) => error.0.iter().map(ToString::to_string).collect(),
            Ok(_) => Vec::new(),
        },
    }
}

#[test]
fn probes_of_nothing_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let of = |probes: &str| problems(folder.path(), probes).join("\n");
    assert_eq!(of(r#"[{ "name": "a", "body": "beam", "at": { "vertex": 3 } }]"#), "");
    assert!(of(r#"[{ "name": "a", "body": "beem", "at": { "vertex": 3 } }]"#).contains("there is no body `beem`; did you mean `beam`?"));
    assert!(of(r#"[{ "name": "a", "body": "beam", "at": { "element": 99999999 } }]"#).contains("there is no element 99999999"));
    assert!(of(r#"[{ "name": "a", "body": "beam", "at": { "vertex": 99999999 } }]"#).contains("probes[0].at.vertex"));
    let twice = r#"[{ "name": "a", "body": "beam", "at": { "vertex": 3 } }, { "name": "a", "body": "beam", "at": { "vertex": 4 } }]"#;
    assert!(of(twice).contains("is the name of probes[0] as well"));
    assert!(of(r#"[{ "name": "a", "body": "beam", "at": { "edge": 3 } }]"#).contains("edge"));
}

#[test]
fn a_click_with_alt_shows_all_numbers_of_a_place() {
    let mut editor = beam();
    let at = on_screen(&editor, middle(&editor, 0.3));
    click(&mut editor, at, Modifiers { alt: true, ctrl: true, command: true, ..Modifiers::NONE });
    let Selection::Place(0, ProbePlace::Element(cell)) = editor.state().document().selection else {
        panic!("{:?}", editor.state().document().selection)
    };
    let told = |app: &aplomb::app::App| app.main().snapshot.as_ref().and_then(|snapshot| snapshot.place.clone());
    wait(&mut editor, "its numbers are there", |app| told(app).is_some());
    play(&mut editor, 5);
    let (facts, snapshot) = (told(editor.state()).unwrap(), editor.state().main().snapshot.clone().unwrap());
    let model = editor.state().main().model.clone().unwrap();
    assert_eq!(facts.number, Some(model.bodies[0].elements.start + cell as usize));
    assert_eq!((facts.nodes.as_slice(), facts.family), (model.bodies[0].mesh.cells.get(cell as usize).unwrap(), Some("tetrahedra")));
    let fact = |name: &str| facts.facts.iter().find(|fact| fact.name == name).unwrap_or_else(|| panic!("{name}")).values.clone();
    for name in ["compression ratio", "von Mises stress", "pressure", "largest principal stress", "stiffening factor"] {
        let field = snapshot.fields.iter().find(|field| field.kind.name == name).unwrap();
        assert_eq!(fact(name), [field.elements[facts.number.unwrap()]], "{name}");
    }
    let stretches = fact("principal stretches");
    assert!((stretches.iter().product::<f64>() - fact("compression ratio")[0]).abs() < 1e-9, "{stretches:?}");
    assert_eq!(fact("principal stresses")[0], fact("largest principal stress")[0]);
    assert!((fact("volume")[0] / fact("rest volume")[0] - fact("compression ratio")[0]).abs() < 1e-9);
    assert!((fact("Young's modulus")[0] / 2e7 - 1.0).abs() < 1e-9 && (fact("Poisson's ratio")[0] - 0.4).abs() < 1e-9);
    assert!(fact("strain energy")[0] > 0.0);
    editor.get_by_label("neo_hookean");
    // A vertex has others, and is pinned from here. Long after the last click, so that it is no double click.
    editor.run_steps(30);
    let at = on_screen(&editor, middle(&editor, 0.3));
    click(&mut editor, at, Modifiers { alt: true, ..Modifiers::NONE });
    let Selection::Place(0, ProbePlace::Vertex(vertex)) = editor.state().document().selection else { panic!() };
    wait(&mut editor, "its numbers are there", |app| told(app).is_some_and(|facts| facts.place.at == ProbePlace::Vertex(vertex)));
    let facts = told(editor.state()).unwrap();
    let fact = |name: &str| facts.facts.iter().find(|fact| fact.name == name).unwrap_or_else(|| panic!("{name}")).values.clone();
    let snapshot = editor.state().main().snapshot.clone().unwrap();
    assert_eq!(Vec3::from_column_slice(&fact("position")), snapshot.positions[vertex as usize]);
    assert!(fact("mass")[0] > 0.0 && fact("velocity").len() == 3 && fact("net force").len() == 3);
    let residual = snapshot.fields.iter().find(|field| field.kind.name == "residual").unwrap();
    assert!((fact("residual")[0] - residual.values[vertex as usize]).abs() < 1e-12);
    editor.get_by_label("Pin a probe here").click();
    editor.run_steps(4);
    assert_eq!(scene(&editor).probes[0].at, ProbePlace::Vertex(vertex));
    assert_eq!(editor.state().document().selection, Selection::Probe(0));
}

#[test]
fn cards_tell_the_field_in_hand() {
    let mut editor = probed();
    assert_eq!(editor.state().desk().color_by, ColorBy::Plain);
    editor.get_by_role_and_label(Role::Button, "Probe probe").click();
    editor.run_steps(3);
    assert_eq!(editor.state().document().selection, Selection::Probe(0));
}
