//! What is shown is true and can be seen: panels that stay as large as they are, scenes that come and go, failures that look like failures.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use crate::editor::{Editor, act, gallery, initialise, is_idle, open, scene, wait};
use aplomb::app::App;
use aplomb::document::{Action, FileAction, FileRequest, RoleKind, Selection, ShapeKind};
use aplomb::layout::Arrange;
use aplomb::panels::BottomTab;
use aplomb::session::Export;
use aplomb_sim::scene::Shape;
use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, Role, TouchPhase, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

fn view(editor: &Editor) -> egui::Rect {
    editor.get_by_label("3D view").rect()
}

/// Opens another scene in the same window.
fn change_to(editor: &mut Editor, name: &str) {
    act(editor, Action::File(FileRequest::Open(gallery(name))));
    let title = format!("{name}.json");
    wait(editor, "the other scene is loaded", |app| app.document().title() == title && is_idle(app) && app.main().is_up_to_date());
}

fn copy_of(name: &str, folder: &Path) -> PathBuf {
    let mut scene = aplomb_sim::scene_file::load(&gallery(name)).unwrap();
    for body in &mut scene.bodies {
        body.mesh = gallery(name).parent().unwrap().join(&body.mesh).canonicalize().unwrap().to_string_lossy().into_owned();
    }
    let path = folder.join(format!("{name}.json"));
    aplomb_sim::scene_file::save(&path, &scene).unwrap();
    path
}

#[test]
fn no_panel_grows_from_frame_to_frame() {
    for (scene, height) in [("hanging_beam", 800.0), ("too_soft", 600.0)] {
        let mut editor = open(&gallery(scene), height);
        initialise(&mut editor);
        act(&mut editor, Action::Step);
        wait(&mut editor, "a step is taken", |app| is_idle(app) && app.main().last_frame() == 1);
        for tab in ["Plots", "Histogram", "Problems"] {
            editor.get_by_label_contains(tab).click();
            editor.run_steps(4);
            let before = view(&editor);
            editor.run_steps(40);
            assert_eq!(view(&editor), before, "{tab} of {scene}");
            assert!(before.height() > 120.0, "{tab} of {scene}: {before}");
        }
        for selection in [Selection::Scene, Selection::Body(0), Selection::Region(0, 0)] {
            act(&mut editor, Action::Select(selection));
            let before = view(&editor);
            editor.run_steps(20);
            assert_eq!(view(&editor), before, "{selection:?} of {scene}");
        }
    }
}

#[test]
fn a_pose_that_does_not_hold_looks_so_everywhere() {
    for name in ["too_soft", "too_slippery", "floating"] {
        let mut editor = open(&gallery(name), 800.0);
        initialise(&mut editor);
        let report = editor.state().main().certificate.as_ref().unwrap().report.clone();
        assert!(!report.outcome.holds);
        editor.get_by_label("Does not hold");
        // Beside Play, in the strip, and in Problems, which is in front.
        editor.get_by_label("sag-free, does not hold");
        assert!(editor.query_by_label("press Play").is_none(), "{name}");
        let count = report.infeasible.len().max(1);
        assert_eq!(editor.state().desk().tab, BottomTab::Problems, "{name}");
        editor.get_by_label(&format!("Problems ({count})"));
        assert!(editor.query_by_label("No problems.").is_none());
        for fault in &report.infeasible {
            assert!(editor.query_all_by_label(&fault.message).count() >= 2, "{name}: in the certificate and in Problems");
        }
        assert!(editor.query_all_by_label_contains("does not hold: ").count() >= 1, "{name}: the strip says why");
        // An edit makes all of it a matter of the past.
        let mut edited = scene(&editor);
        edited.bodies[0].material.as_mut().unwrap().density *= 0.9;
        act(&mut editor, Action::Edit("Lighter".to_owned(), Box::new(edited)));
        assert!(editor.query_by_label("sag-free, does not hold").is_none());
        editor.get_by_label("Stale");
    }
}

/// What is offered beside a fault mends it: pressed, the forces are there, and one step back undoes it.
#[test]
fn what_is_offered_mends_the_pose() {
    for (name, offer) in [("too_slippery", "Set friction to "), ("too_soft", "Stiffen what gives way"), ("floating", "Drop onto ground")] {
        let mut editor = open(&gallery(name), 800.0);
        let before = scene(&editor);
        initialise(&mut editor);
        assert!(editor.query_all_by_label_contains(offer).count() >= 2, "{name}: under the verdict and beside the problem");
        editor.get_all_by_label_contains(offer).next().unwrap().click();
        editor.run_steps(2);
        wait(&mut editor, "it is initialised again", |app| {
            is_idle(app) && app.main().certificate.as_ref().is_some_and(|c| c.report.outcome.holds)
        });
        editor.run_steps(3);
        editor.get_by_label("Holds");
        assert!(editor.query_all_by_label_contains(offer).next().is_none(), "{name}: nothing is left to mend");
        assert_ne!(scene(&editor), before);
        act(&mut editor, Action::Undo);
        assert_eq!(scene(&editor), before, "{name}");
    }
}

#[test]
fn a_pose_that_holds_has_no_problem() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    initialise(&mut editor);
    editor.get_by_label("Holds");
    editor.get_by_label("sag-free");
    editor.get_by_label("press Play");
    act(&mut editor, Action::Arrange(Arrange::Front(BottomTab::Problems)));
    editor.run_steps(3);
    editor.get_by_label("No problems.");
}

#[test]
fn every_element_that_is_too_soft_is_marked() {
    let mut editor = open(&gallery("too_soft"), 1400.0);
    initialise(&mut editor);
    let report = editor.state().main().certificate.as_ref().unwrap().report.clone();
    assert!(report.unattainable.elements > report.unattainable.indices.len(), "more than the report lists");
    editor.get_by_label("Show these elements").click();
    editor.run_steps(3);
    assert_eq!(editor.state().desk().choice.as_ref().unwrap().elements.len(), report.unattainable.elements);
}

#[test]
fn while_a_scene_loads_the_body_before_wears_its_own() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    let before = editor.state().document().scene().clone();
    let ctx = editor.ctx.clone();
    editor.state_mut().request(&ctx, Action::File(FileRequest::Open(gallery("creature"))));
    let app = editor.state();
    let seen = |app: &App| app.main().seen(app.document().scene(), app.document().folder()).clone();
    assert!(!app.main().is_up_to_date(), "it is being loaded");
    assert_eq!(seen(app), before, "what is on screen is still the beam");
    wait(&mut editor, "the creature is loaded", |app| app.main().is_up_to_date() && is_idle(app));
    assert_eq!(seen(editor.state()).name, "creature");
    // What is painted on a body that is there is seen at once.
    act(&mut editor, Action::NewRegion(RoleKind::Material));
    assert_eq!(seen(editor.state()).bodies[0].regions.len(), scene(&editor).bodies[0].regions.len());
}

#[test]
fn news_of_a_reload_go_when_the_file_breaks_and_with_the_next_action() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy_of("hanging_beam", folder.path());
    let mut editor = open(&path, 800.0);
    let mut changed = scene(&editor);
    changed.bodies[0].material.as_mut().unwrap().young *= 1.5;
    let text = aplomb_sim::scene_file::to_text(&changed).unwrap();
    std::fs::write(&path, &text).unwrap();
    wait(&mut editor, "it is reloaded", |app| app.desk().note.as_deref() == Some("Reloaded from disk"));
    std::fs::write(&path, text.replace("\"young\"", "\"yung\"")).unwrap();
    wait(&mut editor, "the error is told", |app| !app.document().problems.is_empty());
    assert_eq!(editor.state().desk().note, None);
    std::fs::write(&path, &text).unwrap();
    wait(&mut editor, "the mended file is taken in", |app| app.document().problems.is_empty());
    wait(&mut editor, "and it is loaded", is_idle);
    act(&mut editor, Action::Save);
    assert!(editor.state().desk().note.is_some());
    act(&mut editor, Action::ToggleXray);
    assert_eq!(editor.state().desk().note, None, "until the next action");
}

#[test]
fn escape_closes_an_open_list_before_the_card() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    act(&mut editor, Action::Ask(FileAction::Bodies));
    let lists = |editor: &Editor| editor.query_all_by_role_and_label(Role::ComboBox, "Format").count();
    assert_eq!(lists(&editor), 1);
    editor.get_by_role_and_label(Role::ComboBox, "Format").click();
    editor.run_steps(4);
    assert!(egui::Popup::is_any_open(&editor.ctx));
    editor.key_press(Key::Escape);
    editor.run_steps(4);
    assert!(!egui::Popup::is_any_open(&editor.ctx));
    assert!(editor.state().desk().file_card.is_some(), "the card stays");
    editor.key_press(Key::Escape);
    editor.run_steps(4);
    assert!(editor.state().desk().file_card.is_none());
}

#[test]
fn a_file_that_cannot_be_written_has_no_place_in_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    // A folder has the file's name.
    let away = folder.path().join("beam.obj");
    std::fs::create_dir(&away).unwrap();
    act(&mut editor, Action::File(FileRequest::Export(Export::Bodies(away))));
    wait(&mut editor, "it fails", |app| is_idle(app) && !app.main().problems.is_empty());
    for problem in &editor.state().main().problems {
        assert_eq!((problem.line, problem.file.as_os_str().len()), (0, 0), "{problem}");
    }
    assert!(editor.query_by_label_contains("hanging_beam.json:1").is_none());
}

#[test]
fn a_new_scene_is_looked_at_from_the_front_and_its_panels_begin_at_the_top() {
    let mut editor = open(&gallery("hanging_beam"), 600.0);
    let top = |editor: &Editor| editor.get_by_role_and_label(Role::TextInput, "Name").rect();
    let first = top(&editor);
    let camera = |editor: &Editor| {
        let camera = editor.state().camera();
        (camera.yaw, camera.pitch)
    };
    let given = camera(&editor);
    let middle = view(&editor).center();
    editor.hover_at(middle);
    editor.run_steps(2);
    editor.drag_at(middle);
    editor.run_steps(2);
    editor.hover_at(middle + vec2(120.0, 40.0));
    editor.run_steps(2);
    editor.drop_at(middle + vec2(120.0, 40.0));
    editor.run_steps(3);
    assert_ne!(camera(&editor), given, "it was turned");
    editor.hover_at(pos2(first.center().x, 400.0));
    editor.run_steps(2);
    let delta = vec2(0.0, -400.0);
    let (unit, source) = (MouseWheelUnit::Point, MouseWheelSource::Wheel);
    editor.event(Event::MouseWheel { unit, source, delta, phase: TouchPhase::Move, modifiers: Modifiers::NONE });
    editor.run_steps(12);
    assert!(top(&editor).top() < first.top() - 20.0, "the column is scrolled");
    change_to(&mut editor, "jelly_on_table");
    editor.run_steps(6);
    assert_eq!(camera(&editor), given);
    assert_eq!(top(&editor).top(), first.top());
}

#[test]
fn an_obstacle_that_is_added_is_in_view_and_f_looks_at_it() {
    for kind in ShapeKind::PLAIN {
        let mut editor = open(&gallery("creature"), 800.0);
        editor.run_steps(10);
        act(&mut editor, Action::NewObstacle(kind));
        wait(&mut editor, "it is loaded", is_idle);
        // Flights take time.
        editor.run_steps(40);
        let obstacle = scene(&editor).obstacles.last().unwrap().clone();
        let place = match obstacle.shape {
            Shape::Sphere { center, .. } | Shape::Box { center, .. } | Shape::Torus { center, .. } | Shape::Revolution { center, .. } => {
                center
            }
            Shape::Capsule { from, to, .. } => [0, 1, 2].map(|axis| 0.5 * (from[axis] + to[axis])),
            Shape::HalfSpace { .. } | Shape::Mesh { .. } => continue,
        };
        let camera = *editor.state().camera();
        let rect = view(&editor);
        let seen = camera.project(place.into(), f64::from(rect.width() / rect.height())).unwrap();
        assert!(seen.iter().all(|x| x.abs() < 0.95), "{kind:?} is at {seen:?}");
        editor.hover_at(rect.center());
        editor.run_steps(2);
        editor.key_press(Key::F);
        editor.run_steps(40);
        let nearer = editor.state().camera();
        let off = (nearer.target - aplomb_sim::math::Vec3::from(place)).norm();
        assert!(off < 0.3 * nearer.distance && nearer.distance < camera.distance, "{kind:?}: {off} of {}", nearer.distance);
    }
}

#[test]
fn the_brush_is_in_sight_while_it_is_held() {
    let mut editor = open(&gallery("too_soft"), 600.0);
    initialise(&mut editor);
    act(&mut editor, Action::NewRegion(RoleKind::Fixed));
    editor.run_steps(3);
    assert!(editor.state().desk().brush.on);
    let radius = editor.get_by_role_and_label(Role::Slider, "Radius").rect();
    assert!(radius.bottom() < 300.0, "{radius}");
    act(&mut editor, Action::ToggleBrush);
    editor.run_steps(3);
    assert!(editor.query_by_label("Painting").is_none());
}

#[test]
fn help_fits_into_a_small_window() {
    for (width, height) in [(900.0, 600.0), (1280.0, 800.0)] {
        let mut editor = open(&gallery("hanging_beam"), height);
        editor.set_size(vec2(width, height));
        act(&mut editor, Action::ToggleHelp);
        editor.run_steps(8);
        let help = editor.get_by_role_and_label(Role::Window, "Help").rect();
        assert!(help.top() >= 0.0 && help.bottom() <= height && help.right() <= width, "{help} in {width} x {height}");
    }
}

/// Chooses what colours tell.
fn color_by(editor: &mut Editor, label: &str) {
    editor.get_by_role_and_label(Role::ComboBox, "Colour by: Plain").click();
    editor.run_steps(4);
    editor.get_by_label(label).click();
    editor.run_steps(4);
}

/// Farthest that a vertex of the given shape stands from the middle of the view: 1 is its edge.
fn farthest(editor: &Editor) -> f64 {
    let (app, rect) = (editor.state(), view(editor));
    let aspect = f64::from(rect.width() / rect.height());
    let positions = &app.main().model.as_ref().unwrap().positions;
    let places = positions.iter().map(|point| app.camera().project(*point, aspect).unwrap());
    places.flatten().map(f64::abs).fold(0.0, f64::max)
}

#[test]
fn one_legend_stands_beside_the_body_or_below_two_views_and_covers_none() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    let whole = view(&editor);
    color_by(&mut editor, "von Mises");
    let one = view(&editor);
    let legend = editor.get_by_label_contains("Legend: von Mises stress").rect();
    assert!(one == whole && one.contains_rect(legend), "{legend} in {one}");
    let (app, aspect) = (editor.state(), f64::from(one.width() / one.height()));
    let places = app.main().model.as_ref().unwrap().positions.iter().map(|p| app.camera().project(*p, aspect).unwrap()[0]);
    let right = one.center().x + 0.5 * one.width() * places.fold(-1.0, f64::max) as f32;
    assert!(right < legend.left(), "the body ends at {right}, beside {legend}");
    // In a small window the strip takes less away.
    editor.set_size(vec2(900.0, 600.0));
    editor.run_steps(4);
    let one = view(&editor);
    let legend = editor.get_by_label_contains("Legend: von Mises stress").rect();
    let is_below = legend.top() >= one.bottom() && legend.height() < 50.0;
    assert!(is_below || one.contains_rect(legend), "{legend} below {one}, or in it");
    assert!(one.height() > 120.0 && farthest(&editor) < 1.0, "{one}");
    act(&mut editor, Action::ToggleCompare);
    wait(&mut editor, "both are there", |app| is_idle(app) && app.twin().is_some_and(|twin| twin.snapshot.is_some()));
    editor.run_steps(4);
    let [a, b] = ["View A, naive", "View B"].map(|name| editor.get_by_label(name).rect());
    let legend = editor.get_by_label_contains("Legend: von Mises stress").rect();
    assert!(legend.top() >= a.bottom().max(b.bottom()) && legend.left() <= a.left() && legend.right() >= b.right(), "{legend}");
}

#[test]
fn what_was_framed_stays_in_view_when_the_window_becomes_narrower_until_the_camera_is_moved() {
    let mut editor = open(&gallery("leaning_beam"), 800.0);
    editor.run_steps(10);
    let given = *editor.state().camera();
    assert!(farthest(&editor) < 1.0);
    editor.set_size(vec2(900.0, 600.0));
    editor.run_steps(4);
    assert!(farthest(&editor) < 1.0, "{}", farthest(&editor));
    editor.set_size(vec2(1280.0, 800.0));
    editor.run_steps(4);
    assert!((editor.state().camera().distance / given.distance - 1.0).abs() < 1e-9, "it fills the view again");
    let middle = view(&editor).center();
    editor.hover_at(middle);
    editor.run_steps(2);
    editor.drag_at(middle);
    editor.run_steps(2);
    editor.hover_at(middle + vec2(60.0, 0.0));
    editor.run_steps(2);
    editor.drop_at(middle + vec2(60.0, 0.0));
    editor.run_steps(3);
    let turned = *editor.state().camera();
    assert_ne!(turned, given);
    editor.set_size(vec2(900.0, 600.0));
    editor.run_steps(4);
    assert_eq!(*editor.state().camera(), turned, "it is where it was put");
}

#[test]
fn long_names_leave_panels_as_wide_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join(format!("{}.obj", "a_scan_with_many_words_in_its_name_".repeat(4)));
    std::fs::write(&mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n").unwrap();
    let mut editor = open(&gallery("hanging_beam"), 600.0);
    editor.set_size(vec2(900.0, 600.0));
    editor.run_steps(4);
    let before = view(&editor);
    act(&mut editor, Action::Take(vec![mesh]));
    wait(&mut editor, "it is looked at", |app| app.desk().preview.as_ref().is_some_and(|preview| preview.report.is_some()));
    editor.run_steps(6);
    for name in ["New scene", "Import", "Cancel", "Health", "Fill with tets"] {
        let found = editor.query_all_by_label(name).map(|node| node.rect()).find(|rect| rect.left() > before.right());
        let rect = found.unwrap_or_else(|| panic!("{name} is cut at the left"));
        assert!(rect.right() <= 900.0, "{name}: {rect}");
    }
    assert!(editor.get_by_label_contains("looking at a_scan").rect().right() <= 900.0);
}

#[test]
fn a_menu_is_as_wide_as_what_it_shows() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    editor.get_by_label("Show").click();
    editor.run_steps(6);
    let [first, last] = ["Contacts and forces", "Loads and velocities"].map(|name| editor.get_by_label(name).rect());
    let length = editor.get_by_role_and_label(Role::SpinButton, "Length in numbers").rect();
    // The slider, its number and its name, and not all of the window, which is three times as wide.
    assert!(length.right() - first.left() < 320.0 && last.top() > first.top(), "{first} {length}");
}

#[test]
fn a_file_that_was_not_opened_leaves_nothing_to_play() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.json");
    std::fs::write(&path, "{ \"gravity\": [0, 1] }").unwrap();
    let options = aplomb::app::Options { scene: Some(path), state: None };
    let mut editor = egui_kittest::Harness::builder().with_size([1280.0, 800.0]).build_eframe(move |cc| App::new(cc, options).unwrap());
    editor.run_steps(4);
    editor.get_by_label("the file was not opened: Problems says why");
    assert!(editor.query_by_label_contains("Play starts").is_none());
    for name in ["Play", "Step", "Reset"] {
        assert!(editor.get_by_role_and_label(Role::Button, name).accesskit_node().is_disabled(), "{name}");
    }
    // In the menu bar stands no button of this name: this is the panel's.
    assert!(editor.get_by_role_and_label(Role::Button, "Initialise").accesskit_node().is_disabled());
}

#[test]
fn what_a_nudge_found_is_seen_although_its_part_was_closed() {
    let mut editor = open(&gallery("hanging_beam"), 1400.0);
    initialise(&mut editor);
    assert!(editor.query_by_label("Nudge test").is_none(), "closed while all is well");
    act(&mut editor, Action::NudgeTest);
    wait(&mut editor, "it is nudged", |app| is_idle(app) && app.main().certificate.as_ref().unwrap().nudge.is_some());
    editor.run_steps(20);
    let kicks: Vec<_> = editor.query_all_by_label_contains("returns, ").filter_map(|node| node.accesskit_node().value()).collect();
    assert!(!kicks.is_empty());
    // With a unit in which it reads well, and no power of ten of metres.
    assert!(kicks.iter().all(|words| words.ends_with("m") && !words.contains("e-")), "{kicks:?}");
}

#[test]
fn what_is_selected_is_seen_under_a_long_certificate() {
    let mut editor = open(&gallery("hanging_beam"), 600.0);
    initialise(&mut editor);
    let column = editor.get_by_role_and_label(Role::Button, "Initialise").rect();
    for (selection, title, last) in
        [(Selection::Region(0, 0), "Region", "Colour"), (Selection::Body(0), "Material", "Damping"), (Selection::Scene, "World", "Gravity")]
    {
        act(&mut editor, Action::Select(selection));
        editor.run_steps(30);
        let below = |name: &str| {
            let found = editor.query_all_by_label(name).map(|node| node.rect()).find(|rect| rect.left() >= column.left() - 1.0);
            found.unwrap_or_else(|| panic!("{name} of {selection:?}"))
        };
        assert!(below(title).top() > 60.0 && below(last).bottom() < 600.0, "{selection:?}: {} to {}", below(title), below(last));
    }
    let is_certified = |editor: &Editor| editor.query_by_label("certificate histogram of Compression").is_some();
    assert!(!is_certified(&editor));
    initialise(&mut editor);
    editor.run_steps(30);
    assert!(is_certified(&editor), "what came of it is seen");
    // However soon after something was selected, in one frame with it too.
    for (between, selection) in
        [Selection::Body(0), Selection::Region(0, 0), Selection::Body(0), Selection::Region(0, 0)].into_iter().enumerate()
    {
        let ctx = editor.ctx.clone();
        editor.state_mut().request(&ctx, Action::Select(selection));
        editor.run_steps(between);
        initialise(&mut editor);
        editor.run_steps(30);
        assert!(is_certified(&editor), "{between} frames after {selection:?} was selected");
    }
    act(&mut editor, Action::Select(Selection::Body(0)));
    editor.run_steps(30);
    assert!(!is_certified(&editor) && editor.query_by_role_and_label(Role::TextInput, "Name").is_some());
    initialise(&mut editor);
    change_to(&mut editor, "creature");
    editor.run_steps(6);
    assert!(!is_certified(&editor), "of a new scene, the object is seen first");
    assert_eq!(editor.get_by_role_and_label(Role::Button, "Initialise").rect().top(), column.top());
}

#[test]
fn a_question_about_a_file_is_read_above_the_card_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy_of("hanging_beam", folder.path());
    std::fs::write(folder.path().join("other.json"), "{}").unwrap();
    let mut editor = open(&path, 600.0);
    editor.set_size(vec2(900.0, 600.0));
    act(&mut editor, Action::Ask(FileAction::SaveAs));
    act(&mut editor, Action::File(FileRequest::SaveAs(folder.path().join("other.json"))));
    editor.run_steps(4);
    let question = editor.get_by_label_contains("is there already").rect();
    let card = editor.get_by_role_and_label(Role::Label, "Save scene as").rect();
    assert!(card.top() > question.bottom(), "{card} below {question}");
}
