//! The editor without a window: drawn by a test harness, driven through its accessible names and its actions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use crate::editor::{Editor, act, gallery, is_idle as loaded, wait};
use aplomb::app::App;
use aplomb::document::command::Seek;
use aplomb::document::{Action, FileRequest, RESHAPES, Reshape, RoleKind, Selection, Stroke};
use aplomb::session::Activity;
use aplomb_sim::scene::{Method, Scene};
use egui::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

/// A copy of a gallery scene in a folder of its own; its mesh path stays good.
fn copy_of(name: &str, folder: &Path) -> PathBuf {
    let mut scene = aplomb_sim::scene_file::load(&gallery(name)).unwrap();
    for body in &mut scene.bodies {
        let mesh = gallery(name).parent().unwrap().join(&body.mesh).canonicalize().unwrap();
        body.mesh = mesh.to_string_lossy().into_owned();
    }
    let path = folder.join(format!("{name}.json"));
    aplomb_sim::scene_file::save(&path, &scene).unwrap();
    path
}

fn open(scene: &Path) -> Editor {
    crate::editor::open(scene, 800.0)
}

fn edited(harness: &Harness<'_, App>, change: impl FnOnce(&mut Scene)) -> Action {
    let mut scene = (**harness.state().document().scene()).clone();
    change(&mut scene);
    Action::Edit("edit".to_owned(), Box::new(scene))
}

fn initialised(app: &App) -> bool {
    app.main().certificate.is_some() && app.main().activity == Activity::Idle
}

fn is_stale(app: &App) -> bool {
    app.main().certificate.as_ref().is_some_and(|certificate| certificate.is_stale(app.document().scene()))
}

#[test]
fn initialise_then_play_holds_the_pose_and_an_edit_makes_the_certificate_stale() {
    let mut harness = open(&gallery("hanging_beam"));
    wait(&mut harness, "the scene is loaded", loaded);
    harness.get_by_label("naive");
    harness.get_by_role_and_label(Role::Button, "Initialise").click();
    wait(&mut harness, "the certificate is there", initialised);
    harness.get_by_label("Holds");
    assert_eq!(harness.state().main().method, Method::SagFree);

    act(&mut harness, Action::TogglePlay);
    wait(&mut harness, "five steps are taken", |app| app.main().series.len() >= 5);
    act(&mut harness, Action::TogglePlay);
    wait(&mut harness, "it pauses", |app| app.main().activity == Activity::Idle);
    assert!(harness.state().main().drift().unwrap() < 1e-7, "it moved");

    let young = harness.state().document().scene().bodies[0].material.as_ref().unwrap().young;
    let action = edited(&harness, |scene| scene.bodies[0].material.as_mut().unwrap().young *= 2.0);
    act(&mut harness, action);
    assert!(is_stale(harness.state()));
    harness.get_by_label("Stale");
    act(&mut harness, Action::Undo);
    assert_eq!(harness.state().document().scene().bodies[0].material.as_ref().unwrap().young, young);
    assert!(!is_stale(harness.state()), "what was certified is back");
    act(&mut harness, Action::Redo);
    assert_eq!(harness.state().document().scene().bodies[0].material.as_ref().unwrap().young, 2.0 * young);
}

#[test]
fn naive_and_sag_free_run_on_one_clock() {
    let mut harness = open(&gallery("hanging_beam"));
    wait(&mut harness, "the scene is loaded", loaded);
    act(&mut harness, Action::Initialise);
    wait(&mut harness, "the certificate is there", initialised);
    act(&mut harness, Action::ToggleCompare);
    wait(&mut harness, "A is loaded", |app| app.twin().is_some_and(loaded_track));
    act(&mut harness, Action::TogglePlay);
    wait(&mut harness, "ten steps are taken", |app| app.twin().is_some_and(|twin| twin.series.len() >= 10));
    act(&mut harness, Action::TogglePlay);
    wait(&mut harness, "both pause", |app| app.main().activity == Activity::Idle && app.twin().is_some_and(loaded_track));
    let app = harness.state();
    let (a, b) = (app.twin().unwrap(), app.main());
    assert!(a.series.len().abs_diff(b.series.len()) <= 1, "{} and {} steps", a.series.len(), b.series.len());
    assert!(b.drift().unwrap() < 1e-7 && a.drift().unwrap() > 1e-5, "A sags, B does not");
}

fn loaded_track(track: &aplomb::session::Track) -> bool {
    track.model.is_some() && track.activity == Activity::Idle
}

/// Each button of the brush's card changes the selected region, as one undo step of its own name.
#[test]
fn whole_regions_are_reshaped_by_buttons() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(&copy_of("hanging_beam", folder.path()));
    wait(&mut harness, "the scene is loaded", loaded);
    act(&mut harness, Action::NewRegion(RoleKind::Fixed));
    let Selection::Region(body, region) = harness.state().document().selection else { panic!("the new region is selected") };
    let model = harness.state().main().model.clone().unwrap();
    let mut stroke = Stroke::begin(harness.state().document().scene(), body, region, &model.bodies[body], Vec::new()).unwrap();
    let corner = model.bodies[body].triangles[0][0];
    stroke.over(&[corner], false);
    let one = stroke.written(harness.state().document().scene());
    act(&mut harness, Action::Edit("Paint".to_owned(), Box::new(one.clone())));
    let chosen = |harness: &Harness<'_, App>| match &harness.state().document().scene().bodies[body].regions[region].select[..] {
        [aplomb_sim::scene::Selector::Vertices(vertices)] => vertices.clone(),
        other => panic!("{other:?}"),
    };
    let surface: std::collections::BTreeSet<u32> = model.bodies[body].triangles.iter().flatten().copied().collect();
    for entry in RESHAPES {
        harness.get_by_label(entry.label).click();
        harness.run_steps(3);
        let now = chosen(&harness);
        match entry.reshape {
            Reshape::Grow => assert!(now.contains(&corner) && now.len() > 3 && now.len() < surface.len() / 2, "{now:?}"),
            Reshape::Shrink => assert!(now.is_empty(), "{now:?}"),
            Reshape::Extend => assert!(now.contains(&corner) && now.len() < surface.len(), "{now:?}"),
            Reshape::Fill => assert_eq!(now.len(), surface.len()),
            Reshape::Invert => assert!(now.len() + 1 == surface.len() && !now.contains(&corner), "{now:?}"),
        }
        act(&mut harness, Action::Undo);
        assert_eq!(**harness.state().document().scene(), one, "{} is one step", entry.label);
        wait(&mut harness, "the scene is loaded", loaded);
    }
}

#[test]
fn a_painted_region_is_one_undo_step_and_survives_saving() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(&copy_of("hanging_beam", folder.path()));
    wait(&mut harness, "the scene is loaded", loaded);
    let before = (**harness.state().document().scene()).clone();
    act(&mut harness, Action::NewRegion(RoleKind::Material));
    let Selection::Region(body, region) = harness.state().document().selection else { panic!("the new region is selected") };
    let model = harness.state().main().model.clone().unwrap();
    let begin = |scene: &Scene| Stroke::begin(scene, body, region, &model.bodies[body], Vec::new()).unwrap();
    let mut scene = (**harness.state().document().scene()).clone();
    let mut stroke = begin(&scene);
    for vertices in [[0, 1, 2], [2, 3, 4]] {
        stroke.over(&vertices, false);
        scene = stroke.written(&scene);
        let ctx = harness.ctx.clone();
        harness.state_mut().request(&ctx, Action::Edit("Paint".to_owned(), Box::new(scene.clone())));
    }
    harness.run_steps(2);
    let mut stroke = begin(&scene);
    stroke.over(&[3], true);
    let painted = stroke.written(&scene);
    act(&mut harness, Action::Edit("Paint".to_owned(), Box::new(painted.clone())));
    assert_eq!(painted.bodies[body].regions[region].select, [aplomb_sim::scene::Selector::Vertices(vec![0, 1, 2, 4])]);

    act(&mut harness, Action::Undo);
    assert_eq!(**harness.state().document().scene(), scene, "the second stroke alone is taken back");
    act(&mut harness, Action::Undo);
    act(&mut harness, Action::Undo);
    assert_eq!(**harness.state().document().scene(), before);
    for _ in 0..3 {
        act(&mut harness, Action::Redo);
    }
    std::fs::create_dir(folder.path().join("elsewhere")).unwrap();
    let target = folder.path().join("elsewhere/painted.json");
    act(&mut harness, Action::File(FileRequest::SaveAs(target.clone())));
    assert!(!harness.state().document().is_dirty());
    // Its schema lies where it lay.
    let moved = Scene { schema: Some("../scene.schema.json".to_owned()), ..painted };
    assert_eq!(aplomb_sim::scene_file::load(&target).unwrap(), moved);
    assert_eq!(**harness.state().document().scene(), moved, "reopened equal");
}

#[test]
fn a_file_that_changes_on_disk_is_taken_in_and_initialised_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy_of("hanging_beam", folder.path());
    let mut harness = open(&path);
    wait(&mut harness, "the scene is loaded", loaded);
    act(&mut harness, Action::Initialise);
    wait(&mut harness, "the certificate is there", initialised);
    let mut scene = (**harness.state().document().scene()).clone();
    let selection = harness.state().document().selection;

    scene.bodies[0].material.as_mut().unwrap().young *= 1.5;
    let text = aplomb_sim::scene_file::to_text(&scene).unwrap();
    std::fs::write(&path, &text).unwrap();
    let young = scene.bodies[0].material.as_ref().unwrap().young;
    let taken =
        move |app: &App| app.document().scene().bodies[0].material.as_ref().unwrap().young == young && initialised(app) && !is_stale(app);
    wait(&mut harness, "a write in place is taken in", taken);
    assert_eq!(harness.state().main().time(), 0.0);

    scene.bodies[0].material.as_mut().unwrap().young *= 1.5;
    let beside = folder.path().join("beside.tmp");
    std::fs::write(&beside, aplomb_sim::scene_file::to_text(&scene).unwrap()).unwrap();
    std::fs::rename(&beside, &path).unwrap();
    let young = scene.bodies[0].material.as_ref().unwrap().young;
    let taken =
        move |app: &App| app.document().scene().bodies[0].material.as_ref().unwrap().young == young && initialised(app) && !is_stale(app);
    wait(&mut harness, "a rename over it is taken in", taken);
    assert_eq!(harness.state().document().selection, selection);

    std::fs::write(&path, text.replace("\"young\"", "\"yung\"")).unwrap();
    wait(&mut harness, "the error is told", |app| !app.document().problems.is_empty());
    assert!(harness.state().document().problems[0].line > 1, "with its place");
    assert_eq!(harness.state().document().scene().bodies[0].material.as_ref().unwrap().young, young, "the last good scene stays");

    std::fs::write(&path, aplomb_sim::scene_file::to_text(&scene).unwrap()).unwrap();
    wait(&mut harness, "the mended file is taken in", |app| app.document().problems.is_empty());
    let action = edited(&harness, |scene| scene.bodies[0].material.as_mut().unwrap().density *= 2.0);
    act(&mut harness, action);
    let density = harness.state().document().scene().bodies[0].material.as_ref().unwrap().density;
    std::fs::write(&path, text).unwrap();
    wait(&mut harness, "unsaved edits are asked about", |app| app.banner().is_some());
    harness.get_by_label("Keep mine").click();
    harness.run_steps(3);
    assert_eq!(harness.state().document().scene().bodies[0].material.as_ref().unwrap().density, density);
}

#[test]
fn an_imported_mesh_becomes_a_scene_that_stands_on_a_ground() {
    let mesh = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/jelly_box.mesh");
    let mut harness = open(&gallery("hanging_beam"));
    wait(&mut harness, "the scene is loaded", loaded);
    act(&mut harness, Action::Take(vec![mesh]));
    wait(&mut harness, "the mesh is read", |app| app.desk().preview.as_ref().is_some_and(|preview| preview.is_ready()));
    act(&mut harness, Action::Import);
    wait(&mut harness, "the import is loaded", |app| app.document().scene().bodies[0].name == "jelly_box" && loaded(app));
    assert_eq!(harness.state().document().scene().bodies[0].name, "jelly_box");
    act(&mut harness, Action::Initialise);
    wait(&mut harness, "the certificate is there", initialised);
    let report = &harness.state().main().certificate.as_ref().unwrap().report;
    assert!(report.contact.active >= 3, "{} contacts", report.contact.active);
}

#[test]
fn a_mesh_that_cannot_be_read_leaves_the_scene_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.mesh");
    std::fs::write(&broken, "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n").unwrap();
    let mut harness = open(&gallery("hanging_beam"));
    wait(&mut harness, "the scene is loaded", loaded);
    let before = (**harness.state().document().scene()).clone();
    act(&mut harness, Action::Take(vec![broken]));
    wait(&mut harness, "the error is told", |app| app.desk().preview.as_ref().is_some_and(|preview| preview.error.is_some()));
    harness.get_by_label_contains("broken.mesh:6");
    act(&mut harness, Action::Import);
    assert_eq!(**harness.state().document().scene(), before);
}

#[test]
fn every_menu_opens_and_keys_work() {
    let mut harness = open(&gallery("hanging_beam"));
    wait(&mut harness, "the scene is loaded", loaded);
    for menu in ["File", "Edit", "Regions", "Simulate", "View"] {
        harness.get_by_role_and_label(Role::Button, menu).click();
        harness.run_steps(3);
        harness.key_press(egui::Key::Escape);
        harness.run_steps(2);
    }
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::P);
    harness.run_steps(2);
    harness.get_by_label_contains("Import mesh");
    harness.key_press(egui::Key::Escape);
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("Import mesh").is_none(), "the palette closes");
    harness.key_press(egui::Key::Space);
    wait(&mut harness, "Space plays", |app| app.main().series.len() > 1);
    harness.key_press(egui::Key::Space);
    wait(&mut harness, "Space pauses", |app| app.main().activity == Activity::Idle);
    // The recording goes with it, so it is asked for twice.
    for _ in 0..2 {
        harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Home);
        harness.run_steps(2);
    }
    wait(&mut harness, "Ctrl+Home goes back to time zero", |app| app.main().time() == 0.0);
}

/// Plays until `steps` are taken, and pauses.
fn play_to(harness: &mut Harness<'_, App>, steps: u64) {
    act(harness, Action::TogglePlay);
    wait(harness, "the steps are taken", |app| app.main().last_frame() >= steps);
    act(harness, Action::TogglePlay);
    let rests = |app: &App| app.main().activity == Activity::Idle && app.twin().is_none_or(loaded_track);
    wait(harness, "it pauses", rests);
}

/// Frame, time and positions on screen.
fn on_screen(app: &App) -> (u64, f64, Vec<aplomb_sim::math::Vec3>) {
    let snapshot = app.main().snapshot.as_ref().unwrap();
    (snapshot.frame, snapshot.time, snapshot.positions.to_vec())
}

fn wait_for_frame(harness: &mut Harness<'_, App>, frame: u64) {
    wait(harness, "the frame is on screen", |app| on_screen(app).0 == frame && app.main().frame() == frame);
}

#[test]
fn scrubbing_shows_what_was_computed_and_play_goes_on_from_there() {
    let mut harness = open(&gallery("hanging_beam"));
    wait(&mut harness, "the scene is loaded", loaded);
    let step_size = harness.state().document().scene().simulate.step_size;
    play_to(&mut harness, 8);
    let last = harness.state().main().last_frame();
    let end = on_screen(harness.state());
    assert_eq!(end.0, last);

    let ctrl = egui::Modifiers::COMMAND;
    harness.key_press(egui::Key::ArrowLeft);
    wait_for_frame(&mut harness, last - 1);
    assert_ne!(on_screen(harness.state()).2, end.2);
    harness.key_press_modifiers(ctrl, egui::Key::ArrowLeft);
    wait_for_frame(&mut harness, 0);
    assert_eq!(on_screen(harness.state()).2, harness.state().main().model.as_ref().unwrap().positions.to_vec(), "frame 0 is the start");
    assert_eq!(harness.state().main().drift(), Some(0.0));
    harness.key_press(egui::Key::ArrowRight);
    wait_for_frame(&mut harness, 1);
    harness.key_press_modifiers(ctrl, egui::Key::ArrowRight);
    wait_for_frame(&mut harness, last);
    assert_eq!(on_screen(harness.state()), end, "the end, to the bit");
    harness.key_press(egui::Key::ArrowRight);
    harness.run_steps(3);
    assert_eq!((harness.state().main().frame(), harness.state().main().last_frame()), (last, last), "there is no frame after it");

    harness.get_by_role_and_label(Role::Slider, "Timeline").set_value_accesskit(3.0);
    wait_for_frame(&mut harness, 3);
    let (_, time, third) = on_screen(harness.state());
    assert!((time - 3.0 * step_size).abs() < 1e-12);
    harness.get_by_label_contains(&format!("3 / {last}"));

    play_to(&mut harness, last + 2);
    let scrubbed = on_screen(harness.state());
    let mut undisturbed = simulation("hanging_beam");
    for step in 1..=scrubbed.0 {
        undisturbed.step(&aplomb_sim::watch::Unwatched).unwrap();
        if step == 3 {
            assert_eq!(undisturbed.state.positions, third, "what is recorded is what was computed");
        }
    }
    assert_eq!(undisturbed.state.positions, scrubbed.2, "scrubbing left the simulation alone");
    let times: Vec<f64> = harness.state().main().series.iter().map(|step| step.time).collect();
    assert!(times.windows(2).all(|pair| (pair[1] - pair[0] - step_size).abs() < 1e-9), "no step twice, none left out");

    for _ in 0..2 {
        act(&mut harness, Action::Reset);
    }
    wait(&mut harness, "the run starts anew", |app| app.main().last_frame() == 0 && app.main().frame() == 0 && app.main().time() == 0.0);
}

fn simulation(scene: &str) -> aplomb_sim::simulation::Simulation {
    let path = gallery(scene);
    let scene = aplomb_sim::scene_file::load(&path).unwrap();
    aplomb_sim::simulation::Simulation::build(&scene, path.parent().unwrap(), &aplomb_sim::watch::Unwatched).unwrap()
}

#[test]
fn a_loop_plays_the_recording_and_takes_no_step() {
    let mut harness = open(&gallery("hanging_beam"));
    wait(&mut harness, "the scene is loaded", loaded);
    play_to(&mut harness, 6);
    let last = harness.state().main().last_frame();
    harness.get_by_label("Loop").click();
    harness.run_steps(2);
    act(&mut harness, Action::TogglePlay);
    wait(&mut harness, "it starts again", |app| on_screen(app).0 < last);
    wait(&mut harness, "it comes to the end", |app| on_screen(app).0 == last);
    wait(&mut harness, "it starts once more", |app| on_screen(app).0 < last);
    assert_eq!(harness.state().main().last_frame(), last);
    act(&mut harness, Action::ToggleLoop);
    wait(&mut harness, "without the loop, it goes on simulating", |app| app.main().last_frame() > last);
    act(&mut harness, Action::TogglePlay);
    wait(&mut harness, "it pauses", |app| app.main().activity == Activity::Idle);
}

#[test]
fn both_sides_of_the_comparison_scrub_together() {
    let mut harness = open(&gallery("hanging_beam"));
    wait(&mut harness, "the scene is loaded", loaded);
    act(&mut harness, Action::ToggleCompare);
    wait(&mut harness, "A is loaded", |app| app.twin().is_some_and(loaded_track));
    play_to(&mut harness, 6);
    let frames = |app: &App| (app.twin().unwrap().snapshot.as_ref().unwrap().frame, on_screen(app).0);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::ArrowLeft);
    wait(&mut harness, "both are at the start", |app| frames(app) == (0, 0));
    act(&mut harness, Action::Seek(Seek::To(4)));
    wait(&mut harness, "both are at frame 4", |app| frames(app) == (4, 4));
}

#[test]
fn scrubbing_stops_a_run_and_a_click_into_a_plot_scrubs() {
    let mut harness = open(&gallery("hanging_beam"));
    wait(&mut harness, "the scene is loaded", loaded);
    act(&mut harness, Action::TogglePlay);
    wait(&mut harness, "the steps are taken", |app| app.main().last_frame() >= 12);
    act(&mut harness, Action::Seek(Seek::To(2)));
    wait(&mut harness, "it stops", |app| app.main().activity == Activity::Idle && on_screen(app).0 == 2);
    let last = harness.state().main().last_frame();
    // Right of the middle of the first plot.
    let title = harness.get_by_label("Energy [J]").rect();
    let place = title.left_bottom() + egui::vec2(200.0, 40.0);
    harness.hover_at(place);
    harness.run_steps(2);
    harness.drag_at(place);
    harness.run_steps(2);
    harness.drop_at(place);
    wait(&mut harness, "the click is followed", |app| on_screen(app).0 > 2 && app.main().frame() == on_screen(app).0);
    let frame = harness.state().main().frame();
    assert!(frame > last / 3 && frame < last, "frame {frame} of {last}");
    for page in ["Motion", "Solver", "Contact", "Overview"] {
        crate::editor::turn_to(&mut harness, page);
    }
    harness.get_by_label("Energy [J]");
}
