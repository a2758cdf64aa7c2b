//! How one starts: an empty scene, its card, the gallery and recent files; what an empty scene cannot do says so.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use crate::editor::{Editor, act, gallery, initialise, is_idle, open, scene, wait};
use aplomb::app::{App, Options};
use aplomb::document::{Action, FileAction, FileRequest, RoleKind, Selection, ShapeKind};
use aplomb::panels::Banner;
use aplomb::session::Activity;
use aplomb_sim::scene::{Scene, Shape};
use aplomb_sim::scene_file;
use egui::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets");

/// A copy of the beam's mesh in a folder of its own.
fn mesh(folder: &Path) -> PathBuf {
    let file = folder.join("jelly.mesh");
    std::fs::copy(Path::new(ASSETS).join("jelly_box.mesh"), &file).unwrap();
    file
}

fn press(editor: &mut Editor, button: &str) {
    editor.get_by_role_and_label(Role::Button, button).click();
    editor.run_steps(3);
}

/// An empty scene in the place of a beam that was initialised and played.
fn emptied() -> Editor {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    initialise(&mut editor);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "steps are taken", |app| app.main().last_frame() >= 2);
    act(&mut editor, Action::NewScene);
    wait(&mut editor, "nothing goes on", |app| app.main().activity == Activity::Idle);
    editor
}

fn take(editor: &mut Editor, mesh: &Path) {
    act(editor, Action::Take(vec![mesh.to_path_buf()]));
    wait(editor, "the mesh is examined", |app| {
        app.desk().preview.as_ref().is_some_and(|preview| preview.report.is_some() && !preview.outdated)
    });
    act(editor, Action::Import);
}

#[test]
fn a_new_scene_is_empty_and_nothing_of_the_one_before_is_left() {
    let editor = emptied();
    let app = editor.state();
    assert_eq!(*scene(&editor).name, *"Untitled");
    assert!(scene(&editor).bodies.is_empty() && !app.document().is_dirty() && app.document().title() == "Untitled");
    let main = app.main();
    assert!(main.model.is_none() && main.snapshot.is_none() && main.certificate.is_none() && main.last_frame() == 0);
    assert!(main.problems.is_empty() && app.banner().is_none());
    editor.get_by_role_and_label(Role::Group, "Start");
    editor.get_by_role_and_label(Role::Button, "Drop a mesh or a scene");
}

#[test]
fn what_an_empty_scene_cannot_do_says_why_and_does_nothing() {
    let mut editor = emptied();
    let impossible = [
        Action::Initialise,
        Action::TogglePlay,
        Action::Step,
        Action::Reset,
        Action::Kick(aplomb_sim::math::Vec3::new(1.0, 0.0, 0.0)),
        Action::ToggleCompare,
        Action::NudgeTest,
        Action::CompareCures,
        Action::FindRestShape(aplomb_sim::rest_shape::RestMethod::Inverse),
        Action::NewRegion(RoleKind::Fixed),
        Action::ToggleBrush,
        Action::Ask(FileAction::Bodies),
        Action::Ask(FileAction::PreparedAsset),
        Action::Ask(FileAction::RestMesh),
    ];
    for action in impossible {
        act(&mut editor, action.clone());
        let app = editor.state();
        assert_eq!(app.desk().note.as_deref(), Some("there is no body yet: import a mesh first"), "{action:?}");
        assert!(app.twin().is_none() && app.main().problems.is_empty() && app.desk().file_card.is_none(), "{action:?}");
        assert!(scene(&editor).bodies.is_empty() && app.main().activity == Activity::Idle, "{action:?}");
    }
    editor.get_by_role_and_label(Role::Button, "Simulate").click();
    editor.run_steps(3);
    let play = editor.get_by_label_contains("Play / pause");
    assert!(play.accesskit_node().is_disabled(), "and so does the menu");
}

#[test]
fn unsaved_changes_are_asked_about_before_a_new_scene() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beam.json");
    let mut beam = scene_file::load(&gallery("hanging_beam")).unwrap();
    beam.mesh_files_mut().for_each(|mesh| *mesh = gallery("hanging_beam").parent().unwrap().join(&*mesh).display().to_string());
    scene_file::save(&path, &beam).unwrap();
    let mut editor = open(&path, 800.0);
    let renamed = Scene { name: "mine".to_owned(), ..scene(&editor) };
    act(&mut editor, Action::Edit("Rename".to_owned(), Box::new(renamed)));
    editor.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::N);
    editor.run_steps(3);
    assert_eq!(editor.state().banner(), Some(&Banner::Unsaved));
    press(&mut editor, "Go back");
    assert_eq!(scene(&editor).name, "mine");
    act(&mut editor, Action::NewScene);
    press(&mut editor, "Save");
    assert_eq!((scene_file::load(&path).unwrap().name.as_str(), scene(&editor).name.as_str()), ("mine", "Untitled"));
    // An obstacle is something to lose.
    act(&mut editor, Action::NewObstacle(ShapeKind::Ball));
    act(&mut editor, Action::NewScene);
    assert_eq!(editor.state().banner(), Some(&Banner::Unsaved));
    press(&mut editor, "Discard");
    assert!(scene(&editor).obstacles.is_empty());
}

#[test]
fn a_mesh_becomes_the_first_body_and_its_path_is_relative_once_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = emptied();
    act(&mut editor, Action::NewObstacle(ShapeKind::Ball));
    let ball = scene(&editor).obstacles[0].clone();
    take(&mut editor, &mesh(folder.path()));
    wait(&mut editor, "it is loaded", is_idle);
    let made = scene(&editor);
    assert_eq!((made.name.as_str(), made.bodies.len(), made.bodies[0].name.as_str()), ("jelly", 1, "jelly"));
    assert_eq!(made.obstacles[0], ball, "what was there stays");
    assert!(matches!(made.obstacles[1].shape, Shape::HalfSpace { .. }), "it stands on a ground");
    assert_eq!(editor.state().document().selection, Selection::Body(0));

    // A step back there is no body, and no picture of one.
    act(&mut editor, Action::Undo);
    wait(&mut editor, "the body is gone", |app| app.main().model.is_none() && app.main().activity == Activity::Idle);
    assert!(scene(&editor).bodies.is_empty() && editor.state().main().snapshot.is_none());
    act(&mut editor, Action::Redo);
    wait(&mut editor, "it is loaded again", is_idle);
    assert_eq!(scene(&editor), made);
    editor.state_mut().keep_unsaved();

    act(&mut editor, Action::Save);
    let offered = PathBuf::from(&editor.state().desk().file_card.as_ref().expect("Save asks for a name").text);
    assert_eq!(offered, folder.path().join("jelly.json"), "beside the mesh");
    act(&mut editor, Action::File(FileRequest::SaveAs(offered.clone())));
    let saved = scene_file::load(&offered).unwrap();
    assert_eq!(saved.bodies[0].mesh, "jelly.mesh");
    assert!(!editor.state().document().is_dirty());
    initialise(&mut editor);
}

#[test]
fn an_empty_scene_is_saved_under_a_name_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = emptied();
    act(&mut editor, Action::NewObstacle(ShapeKind::Ground));
    act(&mut editor, Action::Save);
    assert_eq!(editor.state().desk().file_card.as_ref().map(|card| card.action), Some(FileAction::SaveAs));
    let path = folder.path().join("floor.json");
    act(&mut editor, Action::File(FileRequest::SaveAs(path.clone())));
    assert_eq!(editor.state().document().title(), "floor.json");
    assert_eq!(scene_file::load(&path).unwrap().name, "floor", "a scene that nobody named is called like its file");
    act(&mut editor, Action::File(FileRequest::Open(gallery("slope"))));
    wait(&mut editor, "the slope is loaded", is_idle);
    act(&mut editor, Action::File(FileRequest::Open(path)));
    editor.run_steps(3);
    assert!(editor.state().main().model.is_none() && editor.state().banner().is_none());
    assert_eq!(scene(&editor).obstacles.len(), 1);
}

#[test]
fn the_last_body_may_go_and_comes_back() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    let before = scene(&editor);
    act(&mut editor, Action::Select(Selection::Body(0)));
    act(&mut editor, Action::Delete);
    wait(&mut editor, "it is gone", |app| app.main().model.is_none());
    assert!(scene(&editor).bodies.is_empty());
    act(&mut editor, Action::Undo);
    wait(&mut editor, "it is back", is_idle);
    assert_eq!(scene(&editor), before);
}

#[test]
fn the_comparison_ends_with_the_bodies() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    act(&mut editor, Action::ToggleCompare);
    wait(&mut editor, "A is loaded", |app| app.twin().is_some_and(|twin| twin.model.is_some() && twin.activity == Activity::Idle));
    act(&mut editor, Action::Select(Selection::Body(0)));
    act(&mut editor, Action::Delete);
    editor.run_steps(3);
    let app = editor.state();
    assert!(app.twin().is_none_or(|twin| twin.model.is_none()) && app.main().problems.is_empty());
}

/// A window whose state is kept in `state`.
fn window(state: &Path, size: [f32; 2]) -> Editor {
    let options = Options { scene: Some(gallery("hanging_beam")), state: Some(state.to_path_buf()) };
    let mut editor = Harness::builder().with_size(size).build_eframe(move |cc| App::new(cc, options).unwrap());
    wait(&mut editor, "the scene is loaded", is_idle);
    editor
}

#[test]
fn the_card_lists_recent_scenes_and_forgets_them_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let mut editor = window(&state, [1280.0, 800.0]);
    act(&mut editor, Action::NewScene);
    editor.get_by_label("Scenes that you open or save are listed here.");
    act(&mut editor, Action::NewObstacle(ShapeKind::Ball));
    let path = folder.path().join("ball.json");
    act(&mut editor, Action::File(FileRequest::SaveAs(path)));
    act(&mut editor, Action::NewScene);
    editor.get_by_role_and_label(Role::Button, "Open ball.json").click();
    editor.run_steps(3);
    assert_eq!(editor.state().document().title(), "ball.json");

    // In the next window too; scenes of the gallery have their own place.
    let mut next = window(&state, [1280.0, 800.0]);
    act(&mut next, Action::NewScene);
    next.get_by_role_and_label(Role::Button, "Open ball.json");
    assert!(next.query_by_label("Open hanging_beam.json").is_none());
    press(&mut next, "Clear recent files");
    assert!(next.query_by_label("Open ball.json").is_none() && folder.path().join("ball.json").is_file());
}

#[test]
fn the_gallery_opens_scenes_and_shows_all_of_them() {
    for size in [[1280.0, 800.0], [900.0, 600.0]] {
        let folder = tempfile::tempdir().unwrap();
        let mut editor = window(folder.path(), size);
        act(&mut editor, Action::NewScene);
        let card = editor.get_by_role_and_label(Role::Group, "Start").rect();
        assert!(card.left() >= 0.0 && card.right() <= size[0] && card.bottom() <= size[1], "{card}");
        for name in ["New scene", "Open…", "Open Creature", "Open Octopus"] {
            let at = editor.get_all_by_role_and_label(Role::Button, name).map(|node| node.rect());
            assert!(at.into_iter().all(|at| card.contains_rect(at)), "{name} at {size:?}");
        }
        press(&mut editor, "Show all scenes of the gallery");
        // Rows that are not in sight are not drawn; the first is.
        editor.get_by_role_and_label(Role::Button, "Open Creature stvk").click();
        editor.run_steps(3);
        assert_eq!(editor.state().document().title(), "creature_stvk.json");
    }
}

#[test]
fn a_scene_that_cannot_be_read_is_no_new_scene() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.json");
    std::fs::write(&broken, "{").unwrap();
    let options = Options { scene: Some(broken.clone()), state: None };
    let mut editor = Harness::builder().with_size([1280.0, 800.0]).build_eframe(move |cc| App::new(cc, options).unwrap());
    editor.run_steps(4);
    assert!(editor.query_by_label("Drop a mesh or a scene").is_none());
    assert!(!editor.state().document().problems.is_empty());
    take(&mut editor, &mesh(folder.path()));
    wait(&mut editor, "it is loaded", is_idle);
    assert_eq!(std::fs::read_to_string(&broken).unwrap(), "{", "the file is somebody's work");
    assert_eq!(editor.state().document().path, None);
}
