//! Import proposes a material that holds: the softest of those with names.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::editor::{Editor, act, gallery, is_idle, open, wait};
use aplomb::document::{Action, ImportOptions, PRESETS, Proposal, propose, scene_of_mesh};
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::scene::{MaterialSettings, Scene, Unit, UpAxis};
use aplomb_sim::scene_file;
use aplomb_sim::watch::{Cancelled, Watch};
use aplomb_tests::{errors, run_in};

/// A column with a foot of a third of its height, with so many cubes along that, as a MEDIT file.
fn column_of(file: &Path, height: f64, cubes: usize) {
    let (positions, tets) = box_mesh(Vec3::new(height / 3.0, height, height / 3.0), [cubes, 3 * cubes, cubes], CubeCut::Five);
    let points: String = positions.iter().map(|p| format!("{} {} {} 0\n", p.x, p.y, p.z)).collect();
    let rows: String = tets.iter().map(|t| t.map(|v| (v + 1).to_string()).join(" ") + " 0\n").collect();
    let text =
        format!("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n{points}Tetrahedra\n{}\n{rows}End\n", positions.len(), tets.len());
    std::fs::write(file, text).unwrap();
}

fn column(file: &Path, height: f64) {
    column_of(file, height, 2);
}

#[test]
fn the_softest_that_holds_is_proposed() {
    let folder = tempfile::tempdir().unwrap();
    let mut proposed = Vec::new();
    for height in [0.02, 0.2, 2.0, 60.0, 2000.0] {
        column(&folder.path().join("column.mesh"), height);
        let made = run_in(folder.path(), &["import", "column.mesh", "--ground", "--out", "scene.json", "--report", "report.json"]);
        assert_eq!(made.status.code(), Some(0), "{}", errors(&made));
        assert!(errors(&made).contains("`aplomb init` makes it keep its shape"), "{}", errors(&made));
        assert_eq!(run_in(folder.path(), &["init", "scene.json"]).status.code(), Some(0), "{height} m: what is proposed holds");
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.path().join("report.json")).unwrap()).unwrap();
        assert_eq!(report["material"]["holds"], true);
        let scene = scene_file::load(&folder.path().join("scene.json")).unwrap();
        let found = PRESETS.iter().position(|preset| report["material"]["name"] == preset.key).unwrap();
        let MaterialSettings { young, poisson, density, damping, .. } = scene.bodies[0].material.clone().unwrap();
        let preset = &PRESETS[found];
        assert_eq!([young, poisson, density, damping], [preset.young, preset.poisson, preset.density, preset.damping]);
        proposed.push(found);
        // With the one before it, there is no stable equilibrium.
        if let Some(softer) = found.checked_sub(1) {
            let mut scene = scene;
            PRESETS[softer].apply(scene.bodies[0].material.as_mut().unwrap());
            scene_file::save(&folder.path().join("softer.json"), &scene).unwrap();
            let softer = run_in(folder.path(), &["init", "softer.json"]);
            assert!(softer.status.code() == Some(3) || errors(&softer).contains("unstable"), "{height} m: {}", errors(&softer));
        }
    }
    assert!(proposed.is_sorted() && proposed[0] < proposed[2], "larger bodies weigh more on themselves: {proposed:?}");
    assert!(proposed[0] == 0 && proposed[4] == PRESETS.len() - 1, "the softest, and the stiffest: {proposed:?}");
}

#[test]
fn a_given_material_is_kept_and_what_does_not_hold_is_said() {
    let folder = tempfile::tempdir().unwrap();
    column(&folder.path().join("column.mesh"), 2.0);
    let given = run_in(folder.path(), &["import", "column.mesh", "--ground", "--out", "scene.json", "--material", "jelly"]);
    assert_eq!(given.status.code(), Some(0), "{}", errors(&given));
    assert!(!errors(&given).contains("makes it keep its shape"), "{}", errors(&given));
    assert_eq!(scene_file::load(&folder.path().join("scene.json")).unwrap().bodies[0].material.as_ref().unwrap().young, PRESETS[0].young);

    // Nothing under it: no material helps, and none is tried in vain.
    let floating = run_in(folder.path(), &["import", "column.mesh", "--out", "scene.json"]);
    assert_eq!(floating.status.code(), Some(0), "{}", errors(&floating));
    assert!(errors(&floating).contains("no material makes it keep its shape yet: "), "{}", errors(&floating));
    // Larger than anything that holds.
    column(&folder.path().join("column.mesh"), 8e4);
    let tower = run_in(folder.path(), &["import", "column.mesh", "--ground", "--out", "scene.json"]);
    assert!(errors(&tower).contains("with none of the materials tried, up to Plastic: "), "{}", errors(&tower));
    assert_eq!(run_in(folder.path(), &["check", "scene.json"]).status.code(), Some(0));
    let unknown = run_in(folder.path(), &["import", "column.mesh", "--material", "cheese"]);
    assert_eq!(unknown.status.code(), Some(2));
}

/// The editor with a column that was imported, on a ground, and is being tried.
fn imported(folder: &Path, cubes: usize) -> Editor {
    let file = folder.join("column.mesh");
    column_of(&file, 0.2, cubes);
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    act(&mut editor, Action::Take(vec![file]));
    wait(&mut editor, "it is examined", |app| {
        app.desk().preview.as_ref().is_some_and(|preview| preview.report.is_some() && !preview.outdated)
    });
    assert!(editor.state().desk().preview.as_ref().unwrap().choices.ground, "it stands on a ground unless told otherwise");
    act(&mut editor, Action::Import);
    editor
}

fn note(editor: &Editor) -> String {
    editor.state().desk().note.clone().unwrap_or_default()
}

fn young(editor: &Editor) -> f64 {
    editor.state().document().scene().bodies[0].material.as_ref().unwrap().young
}

#[test]
fn the_editor_proposes_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = imported(folder.path(), 2);
    wait(&mut editor, "a material is found", |app| app.desk().note.as_ref().is_some_and(|note| note.contains("the softest material")));
    let found = PRESETS.iter().find(|preset| note(&editor).contains(&format!("is of {}:", preset.name))).expect("it is named");
    assert_eq!(young(&editor), found.young);
    let made = run_in(folder.path(), &["import", "column.mesh", "--ground", "--out", "scene.json"]);
    assert!(errors(&made).contains(&format!("written; {},", found.name)), "{}", errors(&made));
    wait(&mut editor, "it is loaded with it", is_idle);
}

/// Cancels from one of its checks on.
struct Impatient {
    checks: AtomicUsize,
    last: usize,
}

impl Watch for Impatient {
    fn progress(&self, _: &str, _: f64) {}

    fn check(&self) -> Result<(), Cancelled> {
        if self.checks.fetch_add(1, Ordering::Relaxed) < self.last { Ok(()) } else { Err(Cancelled) }
    }
}

#[test]
fn a_trial_that_is_cancelled_says_so_wherever_it_is() {
    // Neither holds of the first that is tried, and one of the last only.
    for (height, preset) in [(2.0, 1), (2000.0, PRESETS.len() - 1)] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("column.mesh");
        column(&file, height);
        let bounds = [Vec3::zeros(), Vec3::new(height / 3.0, height, height / 3.0)];
        let options = ImportOptions { file, unit: Unit::Metre, up: UpAxis::Y, ground: true, add: false, kind: None, fill: None, bounds };
        let (scene, folder) = scene_of_mesh(&options);
        let run = |last: usize| {
            let watch = Impatient { checks: AtomicUsize::new(0), last };
            let found = propose(&scene, &[0], &folder, &watch).unwrap_or_else(|problems| panic!("at check {last}: {problems:?}"));
            (found, watch.checks.into_inner())
        };
        let (found, checks) = run(usize::MAX);
        assert_eq!(found, Proposal::Softest(&PRESETS[preset]));
        assert!(checks > 20, "{checks}");
        for last in (0..40).map(|share| share * checks / 40) {
            assert_eq!(run(last).0, Proposal::Cancelled, "at check {last} of {checks}");
        }
    }
}

/// Goes on for so long.
fn pass(editor: &mut Editor, time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::thread::sleep(Duration::from_millis(10));
        editor.step();
    }
}

/// Steps until the imported column is loaded: its trial begins.
fn tried(folder: &Path) -> Editor {
    let mut editor = imported(folder, 8);
    wait(&mut editor, "it is loaded", |app| is_idle(app) && app.main().is_up_to_date());
    editor
}

fn make_of(editor: &mut Editor, young: f64) {
    let mut scene: Scene = (**editor.state().document().scene()).clone();
    scene.bodies[0].material.as_mut().unwrap().young = young;
    act(editor, Action::Edit("Change Young's modulus".to_owned(), Box::new(scene)));
}

#[test]
fn a_material_given_in_the_editor_is_kept_and_the_trial_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = tried(folder.path());
    let (before, start) = (young(&editor), Instant::now());
    wait(&mut editor, "a material is found", |app| app.desk().note.as_ref().is_some_and(|note| note.contains("the softest material")));
    assert_ne!(young(&editor), before, "else nothing below tells a trial that goes on");
    // Longer than a trial takes.
    let long = 2 * start.elapsed() + Duration::from_millis(500);

    // Given while the body is loaded, and looked at once it is.
    let mut editor = imported(folder.path(), 2);
    make_of(&mut editor, 123_456.0);
    act(&mut editor, Action::Initialise);
    wait(&mut editor, "it is initialised", |app| is_idle(app) && app.main().certificate.is_some());
    pass(&mut editor, long);
    assert_eq!(young(&editor), 123_456.0);
    assert!(!note(&editor).contains("softest"), "{}", note(&editor));

    // Given while others are tried.
    let mut editor = tried(folder.path());
    make_of(&mut editor, 123_456.0);
    pass(&mut editor, long);
    assert_eq!(young(&editor), 123_456.0);

    let mut editor = tried(folder.path());
    let before = young(&editor);
    act(&mut editor, Action::Cancel);
    assert!(note(&editor).contains("given up"), "{}", note(&editor));
    pass(&mut editor, long);
    assert_eq!(young(&editor), before);
}

#[test]
fn a_trial_that_ends_after_the_body_was_initialised_names_the_material_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = tried(folder.path());
    let before = young(&editor);
    act(&mut editor, Action::Initialise);
    wait(&mut editor, "a material is found", |app| app.desk().note.as_ref().is_some_and(|note| note.contains("choose it under Material")));
    wait(&mut editor, "the certificate is there", |app| is_idle(app) && app.main().certificate.is_some());
    assert_eq!(young(&editor), before);
}
