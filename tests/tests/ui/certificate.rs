//! What an initialisation found, and how it is looked at in the editor: bars, contacts, modes, faults, exports.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use crate::editor::{Editor, act, gallery, initialise, open, scene, wait};
use aplomb::document::{Action, FileRequest, Overlay, Selection};
use aplomb::session::{Export, Motion};
use aplomb_sim::math::Vec3;
use aplomb_sim::rest_shape::RestMethod;
use aplomb_sim::sag_free::Touching;
use aplomb_sim::scene::{Axis, Cure, Method, Selector};
use aplomb_sim::stats::report::{NudgeVerdict, Verdict};
use egui::{Role, pos2};
use egui_kittest::kittest::{NodeT, Queryable};

/// Opens or closes a part of the certificate or the options.
fn toggle(editor: &mut Editor, part: &str) {
    editor.get_by_role_and_label(Role::DisclosureTriangle, part).click();
    editor.run_steps(8);
}

/// A click, quicker than what counts as a drag.
fn click(editor: &mut Editor, at: egui::Pos2) {
    editor.hover_at(at);
    editor.run_steps(2);
    editor.drag_at(at);
    editor.step();
    editor.drop_at(at);
    editor.run_steps(3);
}

/// Presses at one place and lets go at another.
fn drag(editor: &mut Editor, from: egui::Pos2, to: egui::Pos2) {
    editor.hover_at(from);
    editor.run_steps(2);
    editor.drag_at(from);
    editor.run_steps(2);
    for share in [0.5, 1.0] {
        editor.hover_at(from.lerp(to, share));
        editor.run_steps(2);
    }
    editor.drop_at(to);
    editor.run_steps(3);
}

fn set(editor: &mut Editor, name: &str, value: f64) {
    editor.get_by_role_and_label(Role::SpinButton, name).set_value_accesskit(value);
    editor.run_steps(3);
}

#[test]
fn bars_of_the_histogram_point_out_the_elements_that_they_count() {
    for (entry, label, name) in [("hanging_beam", "Compression", "compression ratio"), ("hanging_net", "Tension", "tension")] {
        bars_point_out_elements(entry, label, name);
    }
}

fn bars_point_out_elements(entry: &str, label: &str, name: &'static str) {
    let mut editor = open(&gallery(entry), 1400.0);
    initialise(&mut editor);
    let bars = editor.get_by_label(&format!("certificate histogram of {label}")).rect();
    let app = editor.state();
    let certificate = app.main().certificate.as_ref().unwrap();
    let histogram = certificate.report.fields.iter().find(|field| field.kind.name == name).unwrap().distribution.histogram.clone();
    let values = Arc::clone(&certificate.findings.fields.iter().find(|(kind, _)| kind.name == name).unwrap().1);
    assert_eq!(values.len(), certificate.report.elements);
    let count = histogram.counts.len();
    let at = |bar: usize| pos2(bars.left() + bars.width() * (bar as f32 + 0.5) / count as f32, bars.center().y);
    let fullest = (0..count).max_by_key(|&bar| histogram.counts[bar]).unwrap();
    click(&mut editor, at(fullest));
    let choice = editor.state().desk().choice.clone().unwrap();
    assert_eq!((choice.bars, choice.elements.len()), (Some((name, fullest, fullest)), histogram.counts[fullest]));
    for &element in choice.elements.iter() {
        let value = values[element as usize];
        assert!((histogram.edges[fullest]..=histogram.edges[fullest + 1]).contains(&value), "element {element}: {value}");
    }
    click(&mut editor, at(fullest));
    assert!(editor.state().desk().choice.is_none(), "clicked again, it lets go");

    drag(&mut editor, at(7), at(3));
    let choice = editor.state().desk().choice.clone().unwrap();
    assert_eq!((choice.bars, choice.elements.len()), (Some((name, 3, 7)), histogram.counts[3..=7].iter().sum()));
    editor.key_press(egui::Key::Escape);
    editor.run_steps(3);
    assert!(editor.state().desk().choice.is_none());
}

#[test]
fn contacts_are_found_before_solving_and_counted_while_the_distance_is_edited() {
    let mut editor = open(&gallery("jelly_on_table"), 1400.0);
    wait(&mut editor, "contacts are found", |app| !app.main().found.is_empty());
    let sole = editor.state().main().found.len();
    let model = editor.state().main().model.clone().unwrap();
    let lowest = model.positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    assert!(editor.state().main().found.iter().all(|contact| contact.point.y < lowest + 1e-6 && contact.between[0] == Touching::Body(0)));
    // What lies beyond the barrier cannot carry, however far one looks: the barrier has to reach as far.
    let mut wide = scene(&editor);
    wide.contact.barrier_distance = 0.3;
    act(&mut editor, Action::Edit("Wider barrier".to_owned(), Box::new(wide)));
    wait(&mut editor, "as many with a wider barrier", |app| app.main().found.len() == sole);
    let before = scene(&editor);
    toggle(&mut editor, "Options");
    set(&mut editor, "Detection distance", 0.2);
    wait(&mut editor, "more are found", |app| app.main().found.len() > sole);
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before, "one step back");
    wait(&mut editor, "as many as before", |app| app.main().found.len() == sole);
    // An obstacle that moves away takes its contacts along.
    let mut lower = scene(&editor);
    let aplomb_sim::scene::Shape::HalfSpace { point, .. } = &mut lower.obstacles[0].shape else { panic!("a ground") };
    point[1] -= 1.0;
    act(&mut editor, Action::Edit("Lower".to_owned(), Box::new(lower)));
    wait(&mut editor, "none is left", |app| app.main().found.is_empty());
    assert!(editor.state().desk().found);
    act(&mut editor, Action::ToggleOverlay(Overlay::Found));
    assert!(!editor.state().desk().found);
}

#[test]
fn every_option_is_one_step_back() {
    let mut editor = open(&gallery("jelly_on_table"), 1400.0);
    toggle(&mut editor, "Options");
    for (name, value) in [("Friction used", 0.5), ("Regularisation ρ", 1e-9), ("Balanced below", 1e-6), ("Softest modes", 7.0)] {
        let before = scene(&editor);
        set(&mut editor, name, value);
        let after = scene(&editor);
        assert_ne!(before, after, "{name}: nothing changed");
        act(&mut editor, Action::Undo);
        assert_eq!(scene(&editor), before, "{name} is more than one step");
        act(&mut editor, Action::Redo);
        assert_eq!(scene(&editor), after);
    }
    let settings = scene(&editor).initialise;
    assert_eq!((settings.friction_fraction, settings.regularization, settings.tolerance, settings.softest_modes), (0.5, 1e-9, 1e-6, 7));
}

#[test]
fn a_mode_is_played_and_stopped() {
    let mut editor = open(&gallery("hanging_beam"), 1400.0);
    initialise(&mut editor);
    let modes = editor.state().main().certificate.as_ref().unwrap().findings.modes.clone();
    assert_eq!(modes.len(), scene(&editor).initialise.softest_modes as usize);
    assert!(modes.windows(2).all(|pair| pair[0].eigenvalue <= pair[1].eigenvalue), "the softest first");
    toggle(&mut editor, "Stability");
    editor.get_by_label("Play mode 2").click();
    editor.run_steps(3);
    assert_eq!(editor.state().desk().mode.unwrap().motion, Motion::Mode(1));
    let then = editor.state().desk().mode.unwrap().span.1;
    editor.run_steps(3);
    assert!(editor.state().desk().mode.unwrap().span.1 > then, "it goes on by itself");
    editor.key_press(egui::Key::Escape);
    editor.run_steps(2);
    assert_eq!(editor.state().desk().mode, None);
    editor.get_by_label("Play mode 1").click();
    editor.run_steps(3);
    editor.get_by_label("Stop mode 1").click();
    editor.run_steps(3);
    assert_eq!(editor.state().desk().mode, None);
}

/// Points that nothing carries fall, which is how they are seen to give way.
#[test]
fn how_points_give_way_is_played_and_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let mut floating = aplomb_sim::scene_file::load(&gallery("mpm_creature")).unwrap();
    floating.obstacles.clear();
    let mesh = gallery("mpm_creature").with_file_name("../assets/little_creature.mesh");
    floating.bodies[0].mesh = mesh.display().to_string();
    let file = folder.path().join("floating.json");
    aplomb_sim::scene_file::save(&file, &floating).unwrap();
    let mut editor = open(&file, 1400.0);
    initialise(&mut editor);
    let along = editor.state().main().certificate.as_ref().unwrap().findings.gives_way.clone();
    assert!(!along.is_empty() && along.iter().all(|a| (a - Vec3::new(0.0, -9.81, 0.0)).norm() < 1e-9));
    editor.get_by_label("Play how it gives way").click();
    editor.run_steps(3);
    assert_eq!(editor.state().desk().mode.unwrap().motion, Motion::GivesWay);
    editor.key_press(egui::Key::Escape);
    editor.run_steps(2);
    assert_eq!(editor.state().desk().mode, None);
}

#[test]
fn elements_that_are_too_soft_are_shown() {
    let mut editor = open(&gallery("too_soft"), 1400.0);
    initialise(&mut editor);
    editor.get_by_label("Does not hold");
    editor.get_by_label("Show these elements").click();
    editor.run_steps(3);
    let unattainable = editor.state().main().certificate.as_ref().unwrap().report.unattainable.clone();
    let chosen = editor.state().desk().choice.clone().unwrap().elements;
    assert_eq!(chosen.len(), unattainable.elements, "all of them");
    // The report lists the first ones.
    assert!(!unattainable.indices.is_empty() && chosen.iter().zip(unattainable.indices).all(|(&chosen, listed)| chosen as usize == listed));
}

#[test]
fn what_slips_is_marked_at_its_place() {
    let mut editor = open(&gallery("too_slippery"), 1400.0);
    initialise(&mut editor);
    let place = editor.state().main().certificate.as_ref().unwrap().report.infeasible[0].place;
    editor.get_all_by_label("Show the place").next().unwrap().click();
    editor.run_steps(3);
    assert_eq!(editor.state().desk().marks, [Vec3::from(place)]);
}

#[test]
fn contact_forces_at_the_start_are_there_again_after_scrubbing_back() {
    let mut editor = open(&gallery("jelly_on_table"), 800.0);
    initialise(&mut editor);
    let contacts = |editor: &Editor| editor.state().main().snapshot.as_ref().unwrap().contacts.clone();
    let forces: Vec<Vec3> = contacts(&editor).iter().map(|contact| contact.force).collect();
    let report = editor.state().main().certificate.as_ref().unwrap().report.clone();
    let sum: Vec3 = contacts(&editor).iter().map(|contact| contact.force.dot(&contact.normal) * contact.normal).sum();
    assert!((sum.norm() - report.contact.total_normal_force).abs() < 1e-6 * sum.norm(), "{sum}");
    // While a step is in hand, no other is begun.
    for step in 1..=2 {
        act(&mut editor, Action::Step);
        wait(&mut editor, "a step is taken", |app| app.main().last_frame() == step && crate::editor::is_idle(app));
    }
    act(&mut editor, Action::Seek(aplomb::document::command::Seek::First));
    wait(&mut editor, "the start is on screen", |app| app.main().snapshot.as_ref().unwrap().frame == 0);
    assert!(contacts(&editor).iter().map(|contact| contact.force).eq(forces));
}

#[test]
fn a_click_selects_an_obstacle_and_the_strip_says_what_a_method_does() {
    let mut editor = open(&gallery("jelly_on_table"), 800.0);
    let view = editor.get_by_label("3D view").rect();
    let ground = pos2(view.center().x, view.bottom() - 12.0);
    click(&mut editor, ground);
    assert_eq!(editor.state().document().selection, Selection::Obstacle(0));
    click(&mut editor, view.center());
    assert_eq!(editor.state().document().selection, Selection::Body(0));
    editor.get_by_label("press Initialise, and the pose will hold");
    act(&mut editor, Action::SetMethod(Method::Naive));
    assert!(editor.query_by_label("press Initialise, and the pose will hold").is_none());
}

#[test]
fn a_prepared_asset_is_exported_once_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = open(&gallery("jelly_on_table"), 800.0);
    initialise(&mut editor);
    let file = folder.path().join("jelly");
    act(&mut editor, Action::File(FileRequest::Export(Export::PreparedAsset(file.clone()))));
    let file = file.with_extension("vtu");
    wait(&mut editor, "the file is written", |app| crate::editor::is_idle(app) && file.is_file());
    let asset = aplomb_sim::export::PreparedAsset::read(&file).unwrap();
    let path = gallery("jelly_on_table");
    let unwatched = &aplomb_sim::watch::Unwatched;
    let mut again = aplomb_sim::simulation::Simulation::build(&scene(&editor), path.parent().unwrap(), unwatched).unwrap();
    again.restore(&asset).unwrap();
    again.step(unwatched).unwrap();
    let moved = again.state.positions.iter().zip(&again.system.positions).map(|(now, given)| (now - given).norm()).fold(0.0, f64::max);
    assert!(moved < 1e-7 * again.system.diagonal, "it holds what the editor prepared: {moved}");

    let mut stiffer = scene(&editor);
    stiffer.bodies[0].material.as_mut().unwrap().young *= 2.0;
    act(&mut editor, Action::Edit("Stiffen".to_owned(), Box::new(stiffer)));
    act(&mut editor, Action::File(FileRequest::Export(Export::PreparedAsset(folder.path().join("other.vtu")))));
    assert!(editor.state().banner().is_some(), "there is none of the scene as it is now");
    assert!(!editor.get_by_label("Stale").accesskit_node().is_disabled());
}

/// A column twice as high as can stand, of a beam set on its end.
fn column(folder: &std::path::Path) -> std::path::PathBuf {
    let mut scene = aplomb_sim::scene_file::load(&gallery("hanging_beam")).unwrap();
    let body = &mut scene.bodies[0];
    let mesh = gallery("hanging_beam").parent().unwrap().join(&body.mesh);
    body.mesh = mesh.canonicalize().unwrap().to_string_lossy().into_owned();
    body.transform.rotate_degrees = [0.0, 0.0, 90.0];
    // Greenhill: a square column of height l and width b stands from E = 12 rho g l^3 / (7.837 b^2) = 1.5 MPa on.
    body.material.as_mut().unwrap().young = 8e5;
    body.regions[0].select = vec![Selector::Height { axis: Axis::Y, from: 0.0, to: 0.0 }];
    scene.expect.clear();
    let path = folder.join("column.json");
    aplomb_sim::scene_file::save(&path, &scene).unwrap();
    path
}

#[test]
fn an_unstable_column_is_nudged_and_cured_from_the_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = open(&column(folder.path()), 1400.0);
    initialise(&mut editor);
    editor.get_by_label("Unstable");
    editor.get_by_label("Nudge test").click();
    wait(&mut editor, "it is nudged", |app| crate::editor::is_idle(app) && app.main().certificate.as_ref().unwrap().nudge.is_some());
    let nudge = editor.state().main().certificate.as_ref().unwrap().nudge.clone().unwrap();
    assert_eq!((nudge.verdict, nudge.agrees), (NudgeVerdict::Leaves, Some(true)));
    assert_eq!(editor.state().main().time(), 0.0, "the run is left alone");

    editor.get_by_label("Compare cures").click();
    let cures = |app: &aplomb::app::App| app.main().certificate.as_ref().unwrap().report.stability.as_ref().unwrap().cures.clone();
    wait(&mut editor, "cures are compared", |app| crate::editor::is_idle(app) && !cures(app).is_empty());
    let reports = cures(editor.state());
    assert_eq!(reports.len(), 3);
    assert!(reports.iter().any(|report| report.cure == Cure::UniformStiffening && report.helps), "{reports:?}");
    assert_eq!(scene(&editor).initialise.cure, Cure::None, "comparing changes nothing");
    let before = scene(&editor);
    editor.get_by_label("Use cure: stiffen all").click();
    editor.run_steps(2);
    wait(&mut editor, "it is cured", |app| {
        let certificate = app.main().certificate.as_ref().unwrap();
        crate::editor::is_idle(app) && certificate.report.stability.as_ref().is_some_and(|stability| stability.verdict == Verdict::Stable)
    });
    editor.get_by_label("Holds");
    assert_eq!(scene(&editor).initialise.cure, Cure::UniformStiffening);
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before, "one step back");
}

#[test]
fn a_rest_mesh_is_found_shown_and_exported_and_holds_naively() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = open(&gallery("hanging_beam"), 1400.0);
    editor.get_by_role_and_label(Role::Tab, "Certificate").click();
    editor.run_steps(3);
    toggle(&mut editor, "Rest mesh");
    editor.get_by_label("Rest mesh (inverse)").click();
    editor.run_steps(2);
    wait(&mut editor, "a rest mesh is found", |app| crate::editor::is_idle(app) && app.main().rest_shape.is_some());
    let report = editor.state().main().rest_shape.as_ref().unwrap().report.clone();
    assert!(report.exists && report.method == RestMethod::Inverse, "{report:?}");
    editor.get_by_label("holds the pose");
    assert!(editor.state().desk().rest_ghost);
    editor.get_by_label("Show as a ghost").click();
    editor.run_steps(2);
    assert!(!editor.state().desk().rest_ghost);

    let file = folder.path().join("beam_rest");
    act(&mut editor, Action::File(FileRequest::Export(Export::RestMesh(file.clone()))));
    let file = file.with_extension("mesh");
    wait(&mut editor, "the mesh is written", |app| crate::editor::is_idle(app) && file.is_file());
    // Taken as the body's rest mesh, the naive method holds the pose.
    act(&mut editor, Action::Select(Selection::Body(0)));
    act(&mut editor, Action::File(FileRequest::BodyRestMesh(file)));
    assert!(scene(&editor).bodies[0].rest_mesh.is_some());
    act(&mut editor, Action::Step);
    wait(&mut editor, "a step is taken", |app| app.main().last_frame() == 1 && crate::editor::is_idle(app));
    assert!(editor.state().main().drift().unwrap() < 1e-6, "{:?}", editor.state().main().drift());
    assert!(editor.state().main().rest_shape.is_none(), "it was of the scene before");
    editor.get_by_label("No rest mesh").click();
    editor.run_steps(2);
    assert!(scene(&editor).bodies[0].rest_mesh.is_none());
}

#[test]
fn a_body_that_comes_in_later_is_authored() {
    let mut editor = open(&gallery("hanging_beam"), 1400.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    editor.get_by_role_and_label(Role::CheckBox, "Comes in later").click();
    editor.run_steps(3);
    set(&mut editor, "Comes in at", 0.25);
    assert_eq!(scene(&editor).bodies[0].enters_at, 0.25);
    act(&mut editor, Action::Undo);
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor).bodies[0].enters_at, 0.0);
}

#[test]
fn elements_too_soft_are_stiffened_by_a_button() {
    let mut editor = open(&gallery("too_soft"), 1400.0);
    initialise(&mut editor);
    let needed = editor.state().main().certificate.as_ref().unwrap().report.unattainable.stiffness_factor.unwrap();
    editor.get_all_by_label_contains("Stiffen what gives way").next().unwrap().click();
    editor.run_steps(2);
    wait(&mut editor, "they are stiffened", |app| {
        crate::editor::is_idle(app) && app.main().certificate.as_ref().unwrap().report.stiffened.elements > 0
    });
    assert!(scene(&editor).initialise.stiffen_up_to >= needed);
    let report = editor.state().main().certificate.as_ref().unwrap().report.clone();
    editor.get_by_label("Show stiffened elements").click();
    editor.run_steps(3);
    assert_eq!(editor.state().desk().choice.as_ref().unwrap().elements.len(), report.stiffened.elements);
}
