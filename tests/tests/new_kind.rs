//! A kind of body that only this test knows, added at run time: it is read, checked, placed, certified, stepped, drawn, coloured, picked,
//! painted, inspected, imported, prepared and exported like those that come with the library.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod editor;
mod lone_points;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aplomb::document::{Action, RoleKind, Selection};
use aplomb::panels::{ColorBy, Desk, Picture};
use aplomb::viewport::{BodyColor, Camera};
use aplomb::{cli, offscreen};
use aplomb_sim::export::{FORMATS, Place, PreparedAsset, follow_recorded, scene_meshes};
use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::scene::{Method, Selector};
use aplomb_sim::scene_file::{load, schema};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use editor::{Editor, act, initialise, is_idle, scene, wait};
use egui::{PointerButton, Pos2, Role};
use egui_kittest::kittest::Queryable;
use lone_points::{MASS, STIFFNESS, add_dust};
use serde_json::{Value, json};

const GRAVITY: f64 = 9.81;
/// Grains along each side of a square sheet of dust.
const SIDE: usize = 6;

/// A scene with a sheet of dust that faces the camera's first view from the front, in a folder.
fn dust(folder: &Path, settings: Value) -> PathBuf {
    add_dust();
    let grains: String = (0..SIDE * SIDE).map(|g| format!("v {} {} 0\n", 0.1 * (g % SIDE) as f64, 1.0 + 0.1 * (g / SIDE) as f64)).collect();
    std::fs::write(folder.join("grains.obj"), grains).unwrap();
    let body = json!({ "name": "cloud", "mesh": "grains.obj", "as": { "dust": settings } });
    let file = folder.join("scene.json");
    std::fs::write(&file, json!({ "version": 1, "name": "dust", "bodies": [body] }).to_string()).unwrap();
    file
}

fn plain(folder: &Path) -> PathBuf {
    dust(folder, json!({ "stiffness": STIFFNESS, "grain": 0.02 }))
}

fn build(file: &Path) -> Simulation {
    Simulation::build(&load(file).unwrap_or_else(|problems| panic!("{problems:#?}")), file.parent().unwrap(), &Unwatched).unwrap()
}

#[test]
fn its_settings_are_checked_like_all_keys() {
    let folder = tempfile::tempdir().unwrap();
    let told = |settings: Value| format!("{:?}", load(&dust(folder.path(), settings)).unwrap_err());
    assert!(told(json!({ "stifness": 1.0 })).contains("stifness") && told(json!({ "stifness": 1.0 })).contains("stiffness"));
    assert!(told(json!({ "stiffness": -1.0, "grain": 0.02 })).contains("bodies[0].as.dust.stiffness"));
    assert!(schema().contains("how stiffly a grain stays"));
}

/// Naive grains swing about m g / k below; those with a rest state stay, and the report says so.
#[test]
fn it_is_certified_and_steps() {
    let folder = tempfile::tempdir().unwrap();
    let file = plain(folder.path());
    let mut simulation = build(&file);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.outcome.holds, "{:?}", report.outcome);
    assert!(report.residual.before > 0.9 && report.residual.after < 1e-12, "{:?}", report.residual);
    let drift = (0..20).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
    assert!(drift < 1e-12, "{drift}");

    let mut naive = build(&file);
    naive.initialise(Method::Naive, &Unwatched).unwrap();
    let at = |simulation: &Simulation| simulation.state.positions[0].y;
    let given = at(&naive);
    // Backward Euler damps it to its new place.
    for _ in 0..2000 {
        naive.step(&Unwatched).unwrap();
    }
    let sag = given - at(&naive);
    assert!((sag / (MASS * GRAVITY / STIFFNESS) - 1.0).abs() < 1e-3, "{sag}");
}

#[test]
fn its_rest_state_is_prepared_and_brought_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = plain(folder.path());
    let mut whole = build(&file);
    whole.initialise(Method::SagFree, &Unwatched).unwrap();
    let asset = folder.path().join("asset.npz");
    whole.prepared_asset().write(&asset).unwrap();
    let mut again = build(&file);
    again.restore(&PreparedAsset::read(&asset).unwrap()).unwrap();
    for _ in 0..3 {
        assert_eq!(whole.step(&Unwatched).unwrap().without_times(), again.step(&Unwatched).unwrap().without_times());
    }
    assert_eq!(whole.state.positions, again.state.positions);
    let other = dust(folder.path(), json!({ "stiffness": 2.0 * STIFFNESS, "grain": 0.02 }));
    assert!(build(&other).restore(&PreparedAsset::read(&asset).unwrap()).unwrap_err().contains("stiffness"));
}

/// The field of its cells is one of cells in files; that of its other elements, the threads, is one of points.
#[test]
fn it_is_exported_with_its_fields() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = build(&plain(folder.path()));
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let mut meshes = scene_meshes(&simulation.system, &simulation.state.positions);
    follow_recorded(&simulation.system, &simulation.state.positions, &mut meshes);
    for (format, holds) in [("vtu", "grain pull [N]"), ("vtk", "grain"), ("obj", "\np 1\np 2\n")] {
        let file = folder.path().join("cloud").with_extension(format);
        FORMATS.iter().find(|known| known.extension == format).unwrap().write(&meshes, &file).unwrap();
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        assert!(text.contains(holds), "{format}");
    }
    let of = |name: &str| meshes[0].data.iter().find(|data| data.name.starts_with(name)).unwrap_or_else(|| panic!("{name}"));
    assert_eq!((of("grain pull").place, of("grain pull").shape()), (Place::Cell, vec![SIDE * SIDE]));
    assert_eq!((of("tension").place, of("tension").shape()), (Place::Point, vec![SIDE * SIDE]));
    // Lone points are cells of one point.
    let text = String::from_utf8_lossy(&std::fs::read(folder.path().join("cloud.vtu")).unwrap()).into_owned();
    let (head, _) = text.split_once("<AppendedData").unwrap();
    assert!(head.contains(&format!("NumberOfPoints=\"{0}\" NumberOfCells=\"{0}\"", SIDE * SIDE)), "{head}");
    let back = aplomb_sim::import::read(&folder.path().join("cloud.vtu"), &Unwatched).unwrap();
    assert_eq!((back.positions.len(), back.strands.len()), (SIDE * SIDE, 0));
}

#[test]
fn the_command_line_imports_and_draws_it() {
    let folder = tempfile::tempdir().unwrap();
    let scene = plain(folder.path());
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let run = |arguments: &[&str]| cli::run_with([&["aplomb"], arguments].concat());
    let done = |code: ExitCode| format!("{code:?}") == format!("{:?}", ExitCode::SUCCESS);
    assert!(done(run(&["import", &path("grains.obj"), "--kind", "dust", "--out", &path("imported.json")])));
    assert_eq!(load(Path::new(&path("imported.json"))).unwrap().bodies[0].kind.as_ref().unwrap().kind, "dust");
    assert!(done(run(&["check", &path("imported.json")])));
    assert!(done(run(&["render", scene.to_str().unwrap(), "--field", "grain pull", "--out", &path("picture.png"), "--size", "200x150"])));
    assert!(Path::new(&path("picture.png")).is_file());
}

fn sight(editor: &Editor) -> egui::Rect {
    editor.get_by_role_and_label(Role::Canvas, "3D view").rect()
}

/// Where a point of the scene is on the screen.
fn seen_at(editor: &Editor, point: Vec3) -> Pos2 {
    let (camera, rect) = (editor.state().camera(), sight(editor));
    let [x, y] = camera.project(point, f64::from(rect.width() / rect.height())).expect("it is in sight");
    rect.center() + egui::vec2(0.5 * rect.width() * x as f32, -0.5 * rect.height() * y as f32)
}

#[test]
fn the_editor_draws_colours_picks_paints_and_inspects_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = plain(folder.path());
    let mut editor = editor::open(&file, 900.0);
    initialise(&mut editor);

    // Drawn, in the colours of its field and of that of its further elements.
    for (color_by, colored) in [(ColorBy::Field("grain pull"), "N"), (ColorBy::Field("tension"), "N"), (ColorBy::Plain, "")] {
        let (app, mut desk) = (editor.state(), Desk::default());
        desk.color_by = color_by;
        let list = Picture::default().draw_list(app.document(), app.main(), &desk, None, true, false);
        let body = &list.bodies[0];
        assert_eq!((body.lines.len(), body.radius), (SIDE * SIDE, 0.02));
        match &body.color {
            BodyColor::Scalar { unit, values, .. } => {
                assert_eq!(unit, colored);
                assert!(values.len() == SIDE * SIDE && values.iter().all(|value| value.is_finite()), "{values:?}");
            }
            _ => assert_eq!(colored, ""),
        }
        let camera = Camera::default().framed(bounding_box(&body.positions), 1.5);
        let shown = |list| offscreen::render(list, &camera, (300, 200)).unwrap();
        let (with, without) = (shown(&list), shown(&aplomb::viewport::DrawList { bodies: Vec::new(), ..list.clone() }));
        let differ = with.pixels().zip(without.pixels()).filter(|(a, b)| a != b).count();
        assert!(differ > 400, "nothing is seen of it: {differ} pixels");
    }

    // Picked: a click on a grain selects the body.
    act(&mut editor, Action::Select(Selection::Scene));
    let grains = editor.state().main().model.as_ref().unwrap().positions.clone();
    let at = seen_at(&editor, grains[SIDE + 2]);
    editor.hover_at(at);
    editor.step();
    let press = |editor: &mut Editor, pressed| {
        let modifiers = egui::Modifiers::NONE;
        editor.event(egui::Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers });
        editor.step();
    };
    press(&mut editor, true);
    press(&mut editor, false);
    editor.run_steps(3);
    assert_eq!(editor.state().document().selection, Selection::Body(0));

    // Its settings are rows.
    for label in ["Stiffness", "Grain"] {
        assert!(editor.query_all_by_role_and_label(Role::SpinButton, label).next().is_some(), "no row {label}");
    }

    // Painted: a stroke over some grains, and they are held.
    act(&mut editor, Action::NewRegion(RoleKind::Fixed));
    editor.run_steps(3);
    assert!(editor.state().desk().brush.on);
    press(&mut editor, true);
    press(&mut editor, false);
    editor.run_steps(3);
    let painted = scene(&editor);
    let [Selector::Vertices(held)] = &painted.bodies[0].regions[0].select[..] else { panic!("{:?}", painted.bodies[0].regions) };
    assert!(held.contains(&(SIDE as u32 + 2)) && held.len() < SIDE * SIDE, "{held:?}");
    wait(&mut editor, "it is built anew", |app| is_idle(app) && app.main().is_up_to_date());
    let saved = folder.path().join("painted.json");
    aplomb_sim::scene_file::save(&saved, &painted).unwrap();
    let system = build(&saved).system;
    let fixed: Vec<u32> = (0..).zip(&system.fixed).filter(|(_, fixed)| **fixed).map(|(node, _)| node).collect();
    assert_eq!(fixed, *held);
    initialise(&mut editor);
    assert!(editor.state().main().certificate.as_ref().unwrap().report.outcome.holds);
}
