//! Nets that the editor makes, and what is attached by springs: by its actions and accessible names.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use crate::editor::{Editor, act, is_idle, scene, wait};
use aplomb::document::{Action, FileAction, FileRequest, NetOptions, RoleKind, Selection};
use aplomb::session::Activity;
use aplomb_sim::scene::{RegionRole, Scene};
use egui::Role;
use egui_kittest::kittest::Queryable;

/// A copy of a scene of the gallery in a folder of its own.
fn copy(name: &str, folder: &Path) -> PathBuf {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let mut scene = aplomb_sim::scene_file::load(&scenes.join(name).with_extension("json")).unwrap();
    for mesh in scene.mesh_files_mut() {
        *mesh = scenes.join(&*mesh).canonicalize().unwrap().to_string_lossy().into_owned();
    }
    let path = folder.join("scene.json");
    aplomb_sim::scene_file::save(&path, &scene).unwrap();
    path
}

fn click(editor: &mut Editor, role: Role, name: &str) {
    editor.get_by_role_and_label(role, name).click();
    editor.run_steps(3);
}

fn choose(editor: &mut Editor, list: &str, entry: &str) {
    click(editor, Role::ComboBox, list);
    // The open list comes first; the outliner has names of its own.
    editor.get_all_by_role_and_label(Role::Button, entry).next().unwrap().click();
    editor.run_steps(3);
}

fn attached(scene: &Scene) -> &aplomb_sim::scene::AttachSettings {
    let regions = scene.bodies.iter().flat_map(|body| &body.regions);
    let mut settings = regions.filter_map(|region| match &region.role {
        RegionRole::Attach(settings) => Some(settings),
        _ => None,
    });
    settings.next_back().expect("something is attached")
}

/// A net is a mesh file and a body held by its corners, one step back; where it hangs, it holds its shape.
#[test]
fn a_new_net_hangs_by_its_corners() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = crate::editor::open(&copy("hanging_chain", folder.path()), 1000.0);
    let before = scene(&editor);
    act(&mut editor, Action::Ask(FileAction::Net));
    assert!(editor.query_all_by_label("New net of springs").next().is_some());
    editor.get_by_role_and_label(Role::SpinButton, "Cells").set_value_accesskit(8.0);
    editor.run_steps(3);
    act(&mut editor, Action::Dismiss);

    let options = NetOptions { side: 0.5, cells: 8, hanging: true };
    let file = folder.path().join("hammock.obj");
    act(&mut editor, Action::File(FileRequest::Net(file.clone(), options)));
    wait(&mut editor, "the net", is_idle);
    assert!(file.is_file());
    let after = scene(&editor);
    assert_eq!((after.bodies.len(), after.bodies[1].name.as_str(), after.bodies[1].mesh.as_str()), (2, "hammock", "hammock.obj"));
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before);
    act(&mut editor, Action::Redo);
    wait(&mut editor, "the net again", is_idle);
    act(&mut editor, Action::Initialise);
    wait(&mut editor, "the rest state", |app| app.main().activity == Activity::Idle && app.main().certificate.is_some());
    let residual = editor.state().main().certificate.as_ref().unwrap().report.residual.after;
    assert!(residual < 1e-8, "{residual:e}");

    // A file of others is asked about, and what the scene was read from is never written over.
    act(&mut editor, Action::File(FileRequest::Net(folder.path().join("scene.json"), options)));
    assert!(aplomb_sim::scene_file::load(&folder.path().join("scene.json")).is_ok());
    act(&mut editor, Action::File(FileRequest::Net(folder.path().join("nowhere/net.obj"), options)));
    assert_eq!(scene(&editor).bodies.len(), 2);
}

/// A region is attached to the first other body, to another or to a region of it by choice; names are followed.
#[test]
fn a_region_is_attached_and_follows_names() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = crate::editor::open(&copy("spring_and_jelly", folder.path()), 1400.0);
    act(&mut editor, Action::Select(Selection::Body(2)));
    act(&mut editor, Action::NewRegion(RoleKind::Attached));
    assert_eq!((attached(&scene(&editor)).body.as_str(), attached(&scene(&editor)).each), ("bridge", 1));
    choose(&mut editor, "To region", "underside");
    assert_eq!(attached(&scene(&editor)).region.as_deref(), Some("underside"));
    editor.get_by_role_and_label(Role::SpinButton, "Each").set_value_accesskit(4.0);
    editor.run_steps(3);
    assert_eq!(attached(&scene(&editor)).each, 4);

    act(&mut editor, Action::Select(Selection::Region(0, 1)));
    editor.get_by_role_and_label(Role::TextInput, "Name").focus();
    editor.get_by_role_and_label(Role::TextInput, "Name").type_text("belly");
    editor.run_steps(3);
    let renamed = scene(&editor).bodies[0].regions[1].name.clone();
    assert!(renamed.contains("belly"), "{renamed}");
    assert_eq!(attached(&scene(&editor)).region.as_ref(), Some(&renamed));
    act(&mut editor, Action::Delete);
    assert_eq!(attached(&scene(&editor)).region, None, "the region is gone");

    act(&mut editor, Action::Select(Selection::Body(0)));
    act(&mut editor, Action::Delete);
    let left = scene(&editor);
    assert_eq!(left.bodies.len(), 2);
    let is_attached = |region: &aplomb_sim::scene::Region| matches!(region.role, RegionRole::Attach(_));
    assert!(!left.bodies.iter().flat_map(|body| &body.regions).any(is_attached), "nothing is attached to what is gone");
}
