//! What dynamics needs, authored in the editor: supports, motions, loads, obstacles, steppers. Every edit is one step back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use crate::editor::{Editor, act, is_idle as loaded, scene, wait};
use aplomb::app::App;
use aplomb::document::{Action, COMMANDS, FileRequest, RoleKind, Selection, ShapeKind};
use aplomb::session::Activity;
use aplomb_sim::scene::{PressureSettings, RegionRole, Scene, Selector, Shape};
use egui::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// A copy of the hanging beam in a folder of its own.
fn beam(folder: &Path) -> PathBuf {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let mut scene = aplomb_sim::scene_file::load(&scenes.join("hanging_beam.json")).unwrap();
    scene.bodies[0].mesh = scenes.join(&scene.bodies[0].mesh).canonicalize().unwrap().to_string_lossy().into_owned();
    let path = folder.join("beam.json");
    aplomb_sim::scene_file::save(&path, &scene).unwrap();
    path
}

/// The editor on the beam; tall, so that the whole inspector is in sight.
fn open(folder: &Path) -> Editor {
    crate::editor::open(&beam(folder), 1400.0)
}

/// Sets a number by its accessible name.
fn set(harness: &mut Harness<'_, App>, name: &str, value: f64) {
    harness.get_by_role_and_label(Role::SpinButton, name).set_value_accesskit(value);
    harness.run_steps(3);
}

/// Sets a number of a named group.
fn set_in(harness: &mut Harness<'_, App>, group: &str, name: &str, value: f64) {
    harness.get_by_role_and_label(Role::Group, group).get_by_role_and_label(Role::SpinButton, name).set_value_accesskit(value);
    harness.run_steps(3);
}

fn click(harness: &mut Harness<'_, App>, role: Role, name: &str) {
    harness.get_by_role_and_label(role, name).click();
    harness.run_steps(3);
}

/// Opens a list and takes one of its entries.
fn choose(harness: &mut Harness<'_, App>, list: &str, entry: &str) {
    click(harness, Role::ComboBox, list);
    // The open list comes first; the outliner has names of its own.
    harness.get_all_by_role_and_label(Role::Button, entry).next().unwrap().click();
    harness.run_steps(3);
}

/// Does an edit, and checks that one step back undoes it and one step forth does it again.
fn one_step(harness: &mut Harness<'_, App>, what: &str, edit: impl FnOnce(&mut Harness<'_, App>)) -> Scene {
    let before = scene(harness);
    edit(harness);
    let after = scene(harness);
    assert_ne!(before, after, "{what}: nothing changed");
    act(harness, Action::Undo);
    assert_eq!(scene(harness), before, "{what} is more than one step");
    act(harness, Action::Redo);
    assert_eq!(scene(harness), after, "{what} is not done again");
    after
}

/// Saves under another name; what is read from there is what was authored.
fn survives_saving(harness: &mut Harness<'_, App>, folder: &Path) {
    let target = folder.join("saved.json");
    act(harness, Action::File(FileRequest::SaveAs(target.clone())));
    assert!(!harness.state().document().is_dirty(), "it was saved");
    assert_eq!(aplomb_sim::scene_file::load(&target).unwrap(), scene(harness));
}

/// The role of the region that is selected.
fn role(scene: &Scene) -> &RegionRole {
    &scene.bodies[0].regions.last().unwrap().role
}

/// A new region of the beam's end at x = 1.
fn end_of_beam(harness: &mut Harness<'_, App>, kind: RoleKind) {
    act(harness, Action::Select(Selection::Body(0)));
    act(harness, Action::NewRegion(kind));
    let mut scene = scene(harness);
    let select = Selector::Height { axis: aplomb_sim::scene::Axis::X, from: 0.95, to: 1.0 };
    scene.bodies[0].regions.last_mut().unwrap().select = vec![select];
    act(harness, Action::Edit("Select".to_owned(), Box::new(scene)));
}

#[test]
fn a_region_slides_in_a_plane_that_is_chosen_by_axis() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(folder.path());
    end_of_beam(&mut harness, RoleKind::Sliding);
    assert_eq!(*role(&scene(&harness)), RegionRole::Dirichlet { slip: Some([0.0, 1.0, 0.0]), motion: None, follows: None });
    let after = one_step(&mut harness, "an axis button", |harness| click(harness, Role::Button, "Normal along z"));
    assert_eq!(*role(&after), RegionRole::Dirichlet { slip: Some([0.0, 0.0, 1.0]), motion: None, follows: None });
    let after = one_step(&mut harness, "pressed again", |harness| click(harness, Role::Button, "Normal along z"));
    assert_eq!(*role(&after), RegionRole::Dirichlet { slip: Some([0.0, 0.0, -1.0]), motion: None, follows: None });
    let after = one_step(&mut harness, "a number", |harness| set(harness, "Normal x", 0.5));
    assert_eq!(*role(&after), RegionRole::Dirichlet { slip: Some([0.5, 0.0, -1.0]), motion: None, follows: None });
    survives_saving(&mut harness, folder.path());
    let after = one_step(&mut harness, "another kind of support", |harness| choose(harness, "Vertices", "held"));
    assert_eq!(*role(&after), RegionRole::FIXED);
}

#[test]
fn a_region_follows_keyframes_and_is_driven_where_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(folder.path());
    end_of_beam(&mut harness, RoleKind::Moved);
    one_step(&mut harness, "a translation", |harness| set_in(harness, "Keyframe 1", "Translate y", 0.05));
    one_step(&mut harness, "a time", |harness| set_in(harness, "Keyframe 1", "Time", 0.02));
    one_step(&mut harness, "a turn", |harness| set_in(harness, "Keyframe 1", "Turn", 90.0));
    one_step(&mut harness, "an axis", |harness| {
        harness.get_by_role_and_label(Role::Group, "Keyframe 1").get_by_label("Axis along x").click();
        harness.run_steps(3);
    });
    one_step(&mut harness, "a keyframe", |harness| click(harness, Role::Button, "Add keyframe"));
    one_step(&mut harness, "a pivot", |harness| click(harness, Role::CheckBox, "Pivot of its own"));
    let after = one_step(&mut harness, "a pivot's height", |harness| set(harness, "Pivot y", 0.25));
    let RegionRole::Dirichlet { slip: None, motion: Some(motion), .. } = role(&after) else { panic!("{:?}", role(&after)) };
    let [first, second] = motion.keyframes.as_slice() else { panic!("{motion:?}") };
    assert_eq!((first.time, first.translate), (0.02, [0.0, 0.05, 0.0]));
    assert_eq!(first.rotate.unwrap(), aplomb_sim::scene::AxisAngle { axis: [1.0, 0.0, 0.0], degrees: 90.0 });
    assert_eq!((second.time, second.translate, second.rotate), (1.02, first.translate, first.rotate), "it goes on from the first");
    assert_eq!(motion.pivot.unwrap()[1], 0.25);
    assert!(motion.pivot.unwrap()[0] > 0.3, "the pivot begins in the middle of the region: {:?}", motion.pivot);
    survives_saving(&mut harness, folder.path());

    let after = one_step(&mut harness, "one keyframe less", |harness| {
        harness.get_by_role_and_label(Role::Group, "Keyframe 2").get_by_label("Remove").click();
        harness.run_steps(3);
    });
    assert!(matches!(role(&after), RegionRole::Dirichlet { motion: Some(motion), .. } if motion.keyframes.len() == 1));
    assert!(
        harness.get_by_role_and_label(Role::Group, "Keyframe 1").get_by_label("Remove").accesskit_node().is_disabled(),
        "the last one stays"
    );
    // Without a turn, the region goes up by what was authored.
    set_in(&mut harness, "Keyframe 1", "Turn", 0.0);
    act(&mut harness, Action::TogglePlay);
    wait(&mut harness, "the keyframe is passed", |app| app.main().last_frame() >= 4);
    act(&mut harness, Action::TogglePlay);
    wait(&mut harness, "it pauses", |app| app.main().activity == Activity::Idle);
    let (model, snapshot) = (harness.state().main().model.clone().unwrap(), harness.state().main().snapshot.clone().unwrap());
    let end = (0..model.positions.len()).max_by(|&a, &b| model.positions[a].x.total_cmp(&model.positions[b].x)).unwrap();
    let moved = snapshot.positions[end] - model.positions[end];
    assert!((moved - aplomb_sim::math::Vec3::new(0.0, 0.05, 0.0)).norm() < 1e-6, "{moved}");
}

#[test]
fn loads_on_faces_wind_and_initial_velocities_are_authored() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(folder.path());
    end_of_beam(&mut harness, RoleKind::Traction);
    one_step(&mut harness, "a traction", |harness| set(harness, "Traction x", 250.0));
    let after = one_step(&mut harness, "its ramp", |harness| set(harness, "Grows for", 0.5));
    assert_eq!(*role(&after), RegionRole::Traction { force: [250.0, -1000.0, 0.0], ramp: 0.5 });
    end_of_beam(&mut harness, RoleKind::Pressure);
    let after = one_step(&mut harness, "a pressure", |harness| set(harness, "Pressure", -300.0));
    assert_eq!(*role(&after), RegionRole::Pressure(PressureSettings::uniform(-300.0)));
    act(&mut harness, Action::Select(Selection::Body(0)));
    one_step(&mut harness, "a velocity", |harness| set(harness, "Velocity z", 2.0));
    let after = one_step(&mut harness, "a spin", |harness| set(harness, "Spin y", -3.0));
    assert_eq!((after.bodies[0].velocity, after.bodies[0].spin), ([0.0, 0.0, 2.0], [0.0, -3.0, 0.0]));
    act(&mut harness, Action::Select(Selection::Scene));
    one_step(&mut harness, "wind", |harness| click(harness, Role::CheckBox, "Wind"));
    one_step(&mut harness, "its velocity", |harness| set(harness, "Velocity z", -4.0));
    one_step(&mut harness, "gusts", |harness| click(harness, Role::CheckBox, "Gusts"));
    let after = one_step(&mut harness, "their period", |harness| set(harness, "Period", 0.4));
    let wind = after.wind.unwrap();
    assert_eq!((wind.velocity, wind.gust.unwrap().period), ([5.0, 0.0, -4.0], 0.4));
    survives_saving(&mut harness, folder.path());
}

#[test]
fn an_obstacle_of_each_shape_is_made_and_one_is_moved() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(folder.path());
    for kind in ShapeKind::PLAIN {
        let after = one_step(&mut harness, kind.label(), |harness| {
            act(harness, Action::NewObstacle(kind));
            let newest = scene(harness).obstacles.len() - 1;
            assert_eq!(harness.state().document().selection, Selection::Obstacle(newest), "the new one is selected");
        });
        assert_eq!(ShapeKind::of(&after.obstacles.last().unwrap().shape), kind);
    }
    let count = scene(&harness).obstacles.len();
    act(&mut harness, Action::Select(Selection::Obstacle(count - 1)));
    one_step(&mut harness, "a point of the funnel", |harness| set_in(harness, "Profile", "Point 2 radius", 0.07));
    let after = one_step(&mut harness, "one point more", |harness| click(harness, Role::Button, "Add point"));
    let Shape::Revolution { profile, .. } = &after.obstacles[count - 1].shape else { panic!() };
    assert!(profile.len() == 4 && profile[1][0] == 0.07, "{profile:?}");

    let ball = after.obstacles.iter().position(|obstacle| matches!(obstacle.shape, Shape::Sphere { .. })).unwrap();
    act(&mut harness, Action::Select(Selection::Obstacle(ball)));
    one_step(&mut harness, "a removal", |harness| click(harness, Role::CheckBox, "Taken away during the simulation"));
    let after = one_step(&mut harness, "a motion", |harness| click(harness, Role::CheckBox, "Moves"));
    assert_eq!(after.obstacles[ball].removed_at, Some(1.0), "it moves until it is taken away");
    one_step(&mut harness, "its way", |harness| set_in(harness, "Keyframe 1", "Translate x", 0.3));
    one_step(&mut harness, "its time", |harness| set_in(harness, "Keyframe 1", "Time", 0.02));
    survives_saving(&mut harness, folder.path());

    // It is on its way while the scene is simulated.
    act(&mut harness, Action::TogglePlay);
    wait(&mut harness, "it has got there", |app| app.main().last_frame() >= 4 || !app.main().problems.is_empty());
    act(&mut harness, Action::TogglePlay);
    let app = harness.state();
    assert!(app.main().problems.is_empty(), "{:?}", app.main().problems);
    let (model, snapshot) = (app.main().model.clone().unwrap(), app.main().snapshot.clone().unwrap());
    let surface = model.surfaces.iter().find(|surface| surface.obstacle == ball).unwrap();
    let moved = snapshot.positions[surface.nodes.start] - model.positions[surface.nodes.start];
    assert!((moved - aplomb_sim::math::Vec3::new(0.3, 0.0, 0.0)).norm() < 1e-9, "{moved}");
    assert!(app.main().drift().unwrap() < 0.1, "an obstacle that moves is no drift of the body");
}

#[test]
fn a_contact_region_names_obstacles_and_follows_when_one_is_renamed_or_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(folder.path());
    act(&mut harness, Action::NewObstacle(ShapeKind::Ground));
    act(&mut harness, Action::NewObstacle(ShapeKind::Ball));
    end_of_beam(&mut harness, RoleKind::Contact);
    let names = |scene: &Scene| match role(scene) {
        RegionRole::Contact { obstacles, .. } => obstacles.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(names(&scene(&harness)), None, "all of them");
    let after = one_step(&mut harness, "a choice", |harness| click(harness, Role::CheckBox, "May touch every obstacle"));
    assert_eq!(names(&after).unwrap(), ["ground", "ball"]);
    let after = one_step(&mut harness, "one less", |harness| click(harness, Role::CheckBox, "ground"));
    assert_eq!(names(&after).unwrap(), ["ball"]);
    act(&mut harness, Action::Select(Selection::Obstacle(1)));
    let field = harness.get_by_role_and_label(Role::TextInput, "Name");
    field.focus();
    field.type_text("oon");
    harness.run_steps(3);
    let name = scene(&harness).obstacles[1].name.clone();
    assert_eq!(name.len(), 7, "{name}");
    assert_eq!(names(&scene(&harness)).unwrap(), [name]);
    survives_saving(&mut harness, folder.path());
    act(&mut harness, Action::Delete);
    assert!(names(&scene(&harness)).unwrap().is_empty());
}

#[test]
fn a_region_follows_an_obstacle_that_is_chosen_renamed_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(folder.path());
    act(&mut harness, Action::NewObstacle(ShapeKind::Ground));
    act(&mut harness, Action::NewObstacle(ShapeKind::Ball));
    end_of_beam(&mut harness, RoleKind::Fixed);
    let follows = |scene: &Scene| match role(scene) {
        RegionRole::Dirichlet { follows, slip: None, motion: None } => follows.clone(),
        other => panic!("{other:?}"),
    };
    let after = one_step(&mut harness, "another kind of support", |harness| choose(harness, "Vertices", "follow an obstacle"));
    assert_eq!(follows(&after).as_deref(), Some("ground"));
    let after = one_step(&mut harness, "another obstacle", |harness| choose(harness, "Obstacle", "ball"));
    assert_eq!(follows(&after).as_deref(), Some("ball"));
    survives_saving(&mut harness, folder.path());
    act(&mut harness, Action::Select(Selection::Obstacle(1)));
    let field = harness.get_by_role_and_label(Role::TextInput, "Name");
    field.focus();
    field.type_text("oon");
    harness.run_steps(3);
    let name = scene(&harness).obstacles[1].name.clone();
    assert_eq!(follows(&scene(&harness)), Some(name));
    act(&mut harness, Action::Delete);
    assert_eq!(*role(&scene(&harness)), RegionRole::FIXED, "what went along with it is held");
}

#[test]
fn a_mesh_becomes_an_obstacle_and_a_missing_one_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(folder.path());
    let before = scene(&harness);
    act(&mut harness, Action::File(FileRequest::Obstacle(folder.path().join("none.mesh"))));
    wait(&mut harness, "the missing file is told", |app| app.banner().is_some());
    act(&mut harness, Action::Dismiss);
    assert_eq!(scene(&harness), before);
    let file = folder.path().join("box.mesh");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/jelly_box.mesh"), &file).unwrap();
    let after = one_step(&mut harness, "a mesh", |harness| {
        act(harness, Action::File(FileRequest::Obstacle(file)));
        wait(harness, "it is read", |app| !app.document().scene().obstacles.is_empty());
    });
    let Shape::Mesh { mesh, .. } = &after.obstacles.last().unwrap().shape else { panic!() };
    assert_eq!(mesh, "box.mesh", "relative to the scene");
    wait(&mut harness, "its triangles are read", |app| loaded(app) && app.main().model.as_ref().unwrap().surfaces.len() == 1);
    act(&mut harness, Action::Select(Selection::Obstacle(0)));
    one_step(&mut harness, "its place", |harness| set(harness, "Move y", 3.0));
    wait(&mut harness, "it is read again in its place", |app| {
        let model = app.main().model.as_ref().unwrap();
        loaded(app) && model.positions[model.body_nodes..].iter().all(|point| point.y > 2.0)
    });
    survives_saving(&mut harness, folder.path());
}

#[test]
fn stepper_solver_and_contact_settings_are_authored() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(folder.path());
    act(&mut harness, Action::Select(Selection::Scene));
    let after = one_step(&mut harness, "a stepper", |harness| choose(harness, "Stepper", "BDF2"));
    assert_eq!(after.simulate.stepper, "bdf2");
    one_step(&mut harness, "a solver", |harness| choose(harness, "Solver", "direct"));
    one_step(&mut harness, "halvings", |harness| set(harness, "Halvings", 3.0));
    one_step(&mut harness, "self-contact", |harness| click(harness, Role::CheckBox, "Bodies touch themselves"));
    one_step(&mut harness, "friction rounds", |harness| set(harness, "Friction rounds", 5.0));
    one_step(&mut harness, "a barrier", |harness| choose(harness, "Barrier", "stiff (C1)"));
    let after = one_step(&mut harness, "a stiffness", |harness| set(harness, "Stiffness", 2.0));
    assert_eq!((after.simulate.max_substep_halvings, after.contact.friction_iterations, after.contact.stiffness), (3, 5, 2.0));
    assert!(!after.contact.self_contact);
    assert!(harness.query_by_label("Loads grow for").is_none(), "a ramp belongs to the static stepper");
    choose(&mut harness, "Stepper", "quasi static");
    let after = one_step(&mut harness, "a ramp", |harness| set(harness, "Loads grow for", 0.5));
    assert_eq!((after.simulate.stepper.as_str(), after.simulate.ramp), ("quasi_static", 0.5));
    // What solves nothing offers no solver, and what takes one step of Newton's method no tolerance.
    for (name, rows) in [("Baraff-Witkin", ["Solver", "Halvings"].as_slice()), ("symplectic euler", &[])] {
        choose(&mut harness, "Stepper", name);
        harness.run_steps(3);
        let shown = ["Tolerance", "Solver", "Halvings"].into_iter().filter(|row| harness.query_by_label(row).is_some());
        assert_eq!(shown.collect::<Vec<_>>(), rows, "{name}");
    }
    choose(&mut harness, "Stepper", "quasi static");
    survives_saving(&mut harness, folder.path());
}

#[test]
fn every_kind_of_region_and_obstacle_has_a_command() {
    let labels: Vec<&str> = COMMANDS.iter().map(|command| command.label).collect();
    for kind in RoleKind::ALL {
        assert!(labels.contains(&format!("New {} region", kind.label().to_lowercase()).as_str()), "{kind:?}");
    }
    for kind in ShapeKind::PLAIN {
        assert!(labels.contains(&format!("New {}", kind.label().to_lowercase()).as_str()), "{kind:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut harness = open(folder.path());
    click(&mut harness, Role::Button, "New region of beam");
    let after = one_step(&mut harness, "a region from the menu", |harness| click(harness, Role::Button, "Moved"));
    assert_eq!(RoleKind::of(role(&after)), RoleKind::Moved);
    click(&mut harness, Role::Button, "New obstacle");
    assert!(harness.query_by_label("Funnel").is_some());
    harness.key_press(egui::Key::Escape);
    harness.run_steps(3);
    assert!(harness.query_by_label("Funnel").is_none(), "Escape closes a menu");
    click(&mut harness, Role::Button, "New obstacle");
    let after = one_step(&mut harness, "an obstacle from the menu", |harness| click(harness, Role::Button, "Ring"));
    assert!(matches!(after.obstacles.last().unwrap().shape, Shape::Torus { .. }));
}
