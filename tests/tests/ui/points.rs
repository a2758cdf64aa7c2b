//! Material points in the editor: the rows of what particles are made of, their certificate, and the grid on which they move.

use crate::editor::{Editor, act, initialise, is_idle, open, scene, wait};
use aplomb::document::{Action, FileRequest, Overlay, Selection};
use aplomb::session::Export;
use aplomb::viewport::navigate::{aspect, to_screen};
use aplomb::widgets::significant;
use aplomb_sim::scene::{ProbePlace, Scene};
use aplomb_sim::stats::report::Verdict;
use egui::{Key, Role};
use egui_kittest::kittest::Queryable;
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;

/// A block of points on a floor; the folder of its scene, and the scene.
fn block() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let at = |n: usize| 0.05 * (n as f64 + 0.5);
    let obj: String = (0..6 * 4 * 6).map(|k| format!("v {} {} {}\n", at(k % 6), at(k / 6 % 4), at(k / 24))).collect();
    std::fs::write(folder.path().join("points.obj"), obj).unwrap();
    let matter = json!({ "spacing": 0.05, "elastic": { "law": "neo_hookean", "young": 1e5, "poisson": 0.3 } });
    let scene = json!({
        "version": 1, "name": "block",
        "bodies": [{ "name": "block", "mesh": "points.obj", "as": { "particles": matter } }],
        "obstacles": [{ "name": "floor", "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } }, "friction": 0.5 }],
        "simulate": { "stepper": "mpm", "step_size": 0.01 },
    });
    let path = folder.path().join("scene.json");
    std::fs::write(&path, scene.to_string()).unwrap();
    (folder, path)
}

fn has_row(editor: &Editor, label: &str) -> bool {
    [Role::SpinButton, Role::ComboBox, Role::CheckBox].iter().any(|role| editor.query_by_role_and_label(*role, label).is_some())
}

/// What is in the list is chosen.
fn choose(editor: &mut Editor, list: &str, entry: &str) {
    editor.get_by_role_and_label(Role::ComboBox, list).click();
    editor.run_steps(4);
    editor.get_by_label(entry).click();
    editor.run_steps(6);
}

fn matter(scene: &Scene) -> Value {
    scene.bodies[0].kind.as_ref().unwrap().settings.clone()
}

/// Particles are a fluid or elastic: each has its own rows and none of the other's, and the stepper that moves it; back again it is what it was.
#[test]
fn particles_have_the_rows_of_what_they_are() {
    const FLUID: [&str; 9] = ["Radius", "Kernel", "Compliance", "Mirror", "Strength", "Power", "Distance", "Xsph", "Vorticity"];
    const ELASTIC: [&str; 3] = ["Law", "Young", "Poisson"];
    let (_folder, path) = block();
    let mut editor = open(&path, 2400.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    let before = scene(&editor);
    let assert_rows = |editor: &Editor, shown: &[&str], hidden: &[&str]| {
        for (labels, is_there) in [(shown, true), (hidden, false), (&["Spacing", "Density"][..], true)] {
            labels.iter().for_each(|label| assert_eq!(has_row(editor, label), is_there, "{label}"));
        }
    };
    assert_rows(&editor, &ELASTIC, &FLUID);

    choose(&mut editor, "Matter", "Fluid");
    wait(&mut editor, "it is a fluid", |app| !app.main().activity.is_busy() && app.main().problems.is_empty());
    assert_rows(&editor, &FLUID, &ELASTIC);
    let fluid = scene(&editor);
    assert_eq!(matter(&fluid), json!({ "spacing": 0.05 }));
    assert_eq!((fluid.simulate.stepper.as_str(), fluid.simulate.projection.sweeps), ("xpbd", 4));

    choose(&mut editor, "Matter", "Elastic solid");
    wait(&mut editor, "it is elastic", |app| !app.main().activity.is_busy() && app.main().problems.is_empty());
    assert_rows(&editor, &ELASTIC, &FLUID);
    assert_eq!((matter(&scene(&editor)), scene(&editor).simulate.stepper), (matter(&before), "mpm".to_owned()));

    // Each was one step back.
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), fluid);
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before);
}

/// The certificate tells of points, of their grid and of no contacts; cells are drawn where there are some.
#[test]
fn the_certificate_is_that_of_points_on_a_grid() {
    let (_folder, path) = block();
    let mut editor = open(&path, 2400.0);
    initialise(&mut editor);
    let report = editor.state().main().certificate.as_ref().unwrap().report.clone();
    let grid = report.grid.unwrap();
    assert!(report.outcome.holds && grid.acceleration_max < 1e-10, "{:?}", report.outcome);
    let _ = editor.get_by_label_contains("walls on the grid");
    assert!(editor.query_by_label_contains("contacts found").is_none());
    editor.get_by_role_and_label(Role::DisclosureTriangle, "Balance").click();
    editor.run_steps(8);
    for told in ["of all points", "Cells", &format!("{} cm", significant(100.0 * grid.spacing_m, 3)), "144 material points"] {
        assert!(editor.query_by_label_contains(told).is_some(), "{told}");
    }
    // Whether it is stable is told by kicks, and has no other numbers.
    assert!(editor.query_all_by_label_contains("told by kicks alone").next().is_some());
    assert!(editor.query_by_label("Negative eigenvalues").is_none() && editor.query_by_label("Holds, not nudged").is_some());
    editor.get_by_role_and_label(Role::Button, "Nudge test").click();
    wait(&mut editor, "it is nudged", |app| app.main().certificate.as_ref().is_some_and(|certificate| certificate.nudge.is_some()));
    let verdict = editor.state().main().certificate.as_ref().unwrap().report.stability.as_ref().unwrap().verdict;
    assert!(verdict == Verdict::Stable && editor.query_by_label("Holds").is_some());
    assert!(editor.query_by_label_contains("Kick, in waves").is_some() && editor.query_by_label("Negative eigenvalues").is_none());
    let cells = |editor: &Editor| (editor.state().main().model.as_ref().unwrap().cells, editor.state().desk().cells);
    assert_eq!(cells(&editor), (Some(0.1), false));
    act(&mut editor, Action::ToggleOverlay(Overlay::Cells));
    assert_eq!(cells(&editor), (Some(0.1), true));
}

/// A surface around points is made beside the window while these run; what is clicked on it is the point there.
#[test]
fn points_are_seen_as_a_surface() {
    let (_folder, path) = block();
    let mut editor = open(&path, 900.0);
    editor.get_by_label("Look from +Z").click();
    editor.run_steps(60);
    assert_eq!(editor.state().surfaces(), 0, "nobody asked for one");
    editor.get_by_role_and_label(Role::Button, "Show").click();
    editor.run_steps(4);
    editor.get_by_role_and_label(Role::CheckBox, "Points as a surface").click();
    editor.run_steps(4);
    editor.key_press(Key::Escape);
    wait(&mut editor, "the surface is made", |app| app.desk().surface && app.surfaces() == 1);
    editor.run_steps(8);
    assert_eq!(editor.state().surfaces(), 1, "nothing is made twice");

    act(&mut editor, Action::ToggleProbe);
    let rect = editor.get_by_label("3D view").rect();
    let positions = editor.state().main().snapshot.clone().unwrap().positions.clone();
    let (low, high) = aplomb_sim::math::bounding_box(&positions);
    let middle = to_screen(rect, editor.state().camera().project(0.5 * (low + high), aspect(rect)).unwrap());
    editor.hover_at(middle);
    editor.run_steps(2);
    editor.drag_at(middle);
    editor.step();
    editor.drop_at(middle);
    editor.run_steps(3);
    let probes = scene(&editor).probes;
    let [ProbePlace::Vertex(point)] = probes.iter().map(|probe| probe.at).collect::<Vec<_>>()[..] else { panic!("{probes:?}") };
    let place = positions[point as usize];
    assert!(place.z > high.z - 1e-9 && (place - 0.5 * (low + high)).xy().norm() < 0.1, "{place}");

    let before = editor.state().surfaces();
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "surfaces follow the run", move |app| app.surfaces() > before + 2);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it pauses", is_idle);
    // What is seen is written.
    let run = path.with_file_name("run");
    act(&mut editor, Action::File(FileRequest::Export(Export::Run(run.clone(), "obj"))));
    wait(&mut editor, "the run is written", |app| is_idle(app) && app.desk().exported);
    let frame = std::fs::read_to_string(run.join("frame_000001.obj")).unwrap();
    assert!(frame.contains("\nf ") && !frame.contains("\np "));
    act(&mut editor, Action::ToggleSurface);
    assert!(!editor.state().desk().surface);
}
