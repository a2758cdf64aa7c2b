//! The editor loses no file: what is there is asked about, what was read is kept, and each window keeps its own unsaved edits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use aplomb::app::{App, Options};
use aplomb::document::{Action, FileRequest};
use aplomb::panels::Banner;
use aplomb::session::Export;
use aplomb_sim::bodies::select::fingerprint;
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{Region, RegionRole, Scene, Selector};
use aplomb_sim::scene_file;
use aplomb_tests::{Block, Blocks};
use egui::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use serde_json::json;

/// A copy of a gallery scene and its mesh in a folder of its own.
fn copy_of(name: &str, folder: &Path) -> PathBuf {
    let mut scene = scene_file::load(&gallery(name)).unwrap();
    for body in &mut scene.bodies {
        let mesh = gallery(name).parent().unwrap().join(&body.mesh);
        let file = mesh.file_name().unwrap();
        std::fs::copy(&mesh, folder.join(file)).unwrap();
        body.mesh = file.to_string_lossy().into_owned();
    }
    let path = folder.join(format!("{name}.json"));
    scene_file::save(&path, &scene).unwrap();
    path
}

fn rename(editor: &mut Editor, name: &str) {
    let scene = Scene { name: name.to_owned(), ..(**editor.state().document().scene()).clone() };
    act(editor, Action::Edit("Rename".to_owned(), Box::new(scene)));
}

fn save_as(editor: &mut Editor, path: &Path) {
    act(editor, Action::File(FileRequest::SaveAs(path.to_path_buf())));
}

fn press(editor: &mut Editor, button: &str) {
    editor.get_by_role_and_label(Role::Button, button).click();
    editor.run_steps(3);
}

fn refusal(editor: &Editor) -> String {
    match editor.state().banner() {
        Some(Banner::Failed(why)) => why.clone(),
        other => panic!("not refused, but {other:?}"),
    }
}

#[test]
fn a_file_that_is_there_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = open(&copy_of("hanging_beam", folder.path()), 800.0);
    let other = folder.path().join("other.json");
    std::fs::write(&other, "precious").unwrap();
    // With and without its extension.
    for name in ["other.json", "other"] {
        save_as(&mut editor, &folder.path().join(name));
        assert_eq!(std::fs::read(&other).unwrap(), b"precious", "{name}");
        editor.get_by_label(&format!("{} is there already, and would be lost.", other.display()));
        press(&mut editor, "Go back");
        assert!(editor.state().banner().is_none() && std::fs::read(&other).unwrap() == b"precious");
    }
    let picture = folder.path().join("bodies.obj");
    std::fs::write(&picture, "precious").unwrap();
    act(&mut editor, Action::File(FileRequest::Export(Export::Bodies(picture.clone()))));
    assert_eq!(std::fs::read(&picture).unwrap(), b"precious");
    press(&mut editor, "Go back");

    save_as(&mut editor, &other);
    press(&mut editor, "Overwrite it");
    assert_eq!(scene_file::load(&other).unwrap(), **editor.state().document().scene());
    // Its own file from now on: no question.
    rename(&mut editor, "renamed");
    save_as(&mut editor, &other);
    assert!(editor.state().banner().is_none());
    assert_eq!(scene_file::load(&other).unwrap().name, "renamed");
}

#[test]
fn its_own_file_is_asked_about_when_somebody_else_changed_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy_of("hanging_beam", folder.path());
    let mut editor = open(&path, 800.0);
    let text = std::fs::read_to_string(&path).unwrap();
    let theirs = text.replacen("hanging", "HANGING", 1);
    rename(&mut editor, "mine");
    std::fs::write(&path, &theirs).unwrap();
    act(&mut editor, Action::Save);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), theirs);
    if !matches!(editor.state().banner(), Some(Banner::Overwrite(_))) {
        // The watching of files was quicker: the user keeps to the edits, and has seen the change.
        press(&mut editor, "Keep mine");
        act(&mut editor, Action::Save);
    } else {
        press(&mut editor, "Overwrite it");
    }
    assert_eq!(scene_file::load(&path).unwrap().name, "mine");
}

#[test]
fn nothing_is_written_over_what_the_scene_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy_of("hanging_beam", folder.path());
    let mesh = folder.path().join(&scene_file::load(&path).unwrap().bodies[0].mesh);
    let link = folder.path().join("link.obj");
    std::fs::hard_link(&mesh, &link).unwrap();
    let before = [&path, &mesh].map(|file| std::fs::read(file).unwrap());
    let mut editor = open(&path, 800.0);
    let write = |path: &Path| {
        let path = path.to_path_buf();
        [
            FileRequest::Export(Export::Bodies(path.clone())),
            FileRequest::Export(Export::PreparedAsset(path.clone())),
            FileRequest::Export(Export::RestMesh(path)),
        ]
    };
    let onto_mesh = [&mesh, &link].map(|file| FileRequest::SaveAs(file.clone()));
    let requests = [&path, &mesh, &link].into_iter().flat_map(|file| write(file)).chain(onto_mesh);
    for request in requests {
        act(&mut editor, Action::File(request.clone()));
        assert!(refusal(&editor).contains("was read"), "{request:?}: {}", refusal(&editor));
        act(&mut editor, Action::Dismiss);
    }
    save_as(&mut editor, &folder.path().join("no/such/file.json"));
    assert!(refusal(&editor).contains("there is no folder"), "{}", refusal(&editor));
    assert_eq!([&path, &mesh].map(|file| std::fs::read(file).unwrap()), before);
}

#[test]
fn no_frame_is_written_over_what_the_scene_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy_of("hanging_beam", folder.path());
    let mut scene = scene_file::load(&path).unwrap();
    let frame = folder.path().join("frame_000000.obj");
    std::fs::rename(folder.path().join(&scene.bodies[0].mesh), &frame).unwrap();
    scene.bodies[0].mesh = "frame_000000.obj".to_owned();
    scene_file::save(&path, &scene).unwrap();
    let before = std::fs::read(&frame).unwrap();
    let mut editor = open(&path, 800.0);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "steps are taken", |app| app.main().last_frame() >= 3);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it pauses", is_idle);
    let export = |folder: &Path, format| Action::File(FileRequest::Export(Export::Run(folder.to_path_buf(), format)));
    act(&mut editor, export(folder.path(), "obj"));
    assert!(refusal(&editor).contains("was read"), "{}", refusal(&editor));
    act(&mut editor, Action::Dismiss);
    let other = folder.path().join("run");
    act(&mut editor, export(&other, "obj"));
    wait(&mut editor, "the run is written beside it", |app| is_idle(app) && other.join("frame_000003.obj").is_file());
    assert!(std::fs::read(&frame).unwrap() == before);
}

#[test]
fn a_scene_of_the_gallery_is_saved_elsewhere() {
    let path = gallery("hanging_beam");
    let before = std::fs::read(&path).unwrap();
    let mut editor = open(&path, 800.0);
    rename(&mut editor, "mine");
    for action in [Action::Save, Action::Ask(aplomb::document::FileAction::SaveAs)] {
        act(&mut editor, action);
        let offered = PathBuf::from(&editor.state().desk().file_card.as_ref().expect("a path is asked for").text);
        assert!(!offered.exists(), "{} is there already", offered.display());
        assert_ne!(offered.parent().unwrap().canonicalize().unwrap(), path.parent().unwrap().canonicalize().unwrap());
        press(&mut editor, "Cancel");
    }
    save_as(&mut editor, &path);
    assert!(matches!(editor.state().banner(), Some(Banner::Overwrite(_))));
    press(&mut editor, "Go back");
    assert_eq!(std::fs::read(&path).unwrap(), before);

    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("mine.json");
    save_as(&mut editor, &target);
    let saved = scene_file::load(&target).unwrap();
    let schema = folder.path().join(saved.schema.expect("the gallery's scenes name their schema"));
    assert!(schema.is_file(), "{} is not there", schema.display());
}

/// A window that keeps unsaved edits in `state`.
fn window(state: &Path, scene: &Path) -> Editor {
    let options = Options { scene: Some(scene.to_path_buf()), state: Some(state.to_path_buf()) };
    Harness::builder().with_size([1280.0, 800.0]).build_eframe(move |cc| App::new(cc, options).unwrap())
}

fn recovered(editor: &Editor) -> Option<String> {
    match editor.state().banner() {
        Some(Banner::Recovered(name)) => Some(name.clone()),
        _ => None,
    }
}

#[test]
fn two_windows_keep_their_edits_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy_of("hanging_beam", folder.path());
    let state = folder.path().join("state");
    let mut first = window(&state, &path);
    rename(&mut first, "of the first");
    first.state_mut().keep_unsaved();
    let mut second = window(&state, &path);
    assert_eq!(recovered(&second), None, "the first lives");
    rename(&mut second, "of the second");
    second.state_mut().keep_unsaved();
    // Both are killed.
    drop((first, second));
    let mut third = window(&state, &path);
    assert_eq!(recovered(&third).as_deref(), Some("of the first"));
    press(&mut third, "Drop them");
    assert_eq!(recovered(&third).as_deref(), Some("of the second"));
    press(&mut third, "Recover");
    assert_eq!(third.state().document().scene().name, "of the second");
    drop(third);
    assert_eq!(recovered(&window(&state, &path)).as_deref(), Some("of the second"), "not saved yet");
}

/// A mesh is exported anew, and edited are meanwhile the scene and what is painted: regions follow, and nothing of the edits is lost.
#[test]
fn edits_while_regions_follow_a_changed_mesh_are_kept() {
    let blocks = |cells: usize| {
        let block = |at: f64| Block::jelly([1.0, 0.5, 0.5], [2 * cells, cells, cells], [at, 0.0, 0.0], 1e5);
        Blocks::new(&[block(0.0), block(2.0)], &json!({}))
    };
    for live in [false, true] {
        let (coarse, fine) = (blocks(2), blocks(4));
        let [(path, file), (_, finer)] = [&coarse, &fine].map(|blocks| (blocks.write(), blocks.write().parent().unwrap().to_path_buf()));
        let mut editor = open(&path, 800.0);
        let mesh = |editor: &Editor, b: usize| editor.state().main().model.as_ref().unwrap().bodies[b].mesh.clone();
        let mark = |editor: &Editor, b: usize| fingerprint(&mesh(editor, b));
        // One end of each, and of that a side.
        let end = |editor: &Editor, b: usize, side: f64| -> Vec<u32> {
            let mesh = mesh(editor, b);
            let is_there = |x: &Vec3| x.x < mesh.positions.iter().map(|x| x.x).fold(f64::INFINITY, f64::min) + 1e-9 && x.y < side;
            (0..).zip(&mesh.positions).filter(|(_, x)| is_there(x)).map(|(v, _)| v).collect()
        };
        let mut painted = scene(&editor);
        for (b, body) in painted.bodies.iter_mut().enumerate() {
            body.painted_on = Some(mark(&editor, b));
            let select = vec![Selector::Vertices(end(&editor, b, 1.0))];
            body.regions = vec![Region { name: "held".into(), color: None, locked: false, role: RegionRole::FIXED, select }];
        }
        let old: Vec<_> = painted.bodies.iter().map(|body| body.painted_on.clone()).collect();
        act(&mut editor, Action::Edit("Paint".to_owned(), Box::new(painted.clone())));
        act(&mut editor, Action::Save);
        wait(&mut editor, "it is saved", |app| is_idle(app) && !app.document().is_dirty());
        act(&mut editor, Action::SetLive(live));
        act(&mut editor, Action::Initialise);
        wait(&mut editor, "it is initialised", |app| is_idle(app) && app.main().certificate.is_some());
        let mut edited = painted;
        edited.gravity[1] = -2.0;
        edited.bodies[1].regions[0].select = vec![Selector::Vertices(end(&editor, 1, -0.2))];
        for number in 0..2 {
            let name = format!("block_{number}.mesh");
            std::fs::copy(finer.join(&name), file.join(&name)).unwrap();
        }
        let ctx = editor.ctx.clone();
        let app = editor.state_mut();
        app.request(&ctx, Action::Reload);
        app.request(&ctx, Action::Edit("Meanwhile".to_owned(), Box::new(edited)));
        let is_moved = |app: &App| app.document().scene().bodies.iter().zip(&old).all(|(body, old)| body.painted_on != *old);
        wait(&mut editor, "regions have followed", |app| is_idle(app) && is_moved(app));
        let now = scene(&editor);
        assert_eq!(now.gravity[1], -2.0, "the edit is kept");
        act(&mut editor, Action::Initialise);
        wait(&mut editor, "it is built of the mesh", |app| is_idle(app) && app.main().certificate.is_some());
        for (b, side, count) in [(0, 1.0, 25), (1, -0.2, 5)] {
            assert_eq!(now.bodies[b].painted_on, Some(mark(&editor, b)));
            let (expected, mesh) = (end(&editor, b, side), mesh(&editor, b));
            assert_eq!(expected.len(), count);
            let [Selector::Vertices(found)] = &now.bodies[b].regions[0].select[..] else { panic!("live: {live}") };
            assert!(expected.iter().all(|v| found.contains(v)), "live: {live}: {found:?}");
            // Inside, what is nearest to one that was held may be half of an old edge away.
            let [near, far] = [b as f64 * 2.0 - 0.5, side].map(|at| at + 0.126);
            assert!(found.iter().all(|&v| mesh.positions[v as usize].x < near && mesh.positions[v as usize].y < far), "{found:?}");
        }
        assert!(editor.state().main().problems.is_empty());
    }
}
