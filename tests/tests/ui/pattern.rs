//! Cloth in the editor: imported with its sewing pattern, its panels flat beside the body, chosen and painted there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, initialise, is_idle, open, scene, wait};
use aplomb::app::App;
use aplomb::document::{Action, RoleKind, Selection};
use aplomb::layout::Arrange;
use aplomb::panels::{BottomTab, ColorBy};
use aplomb::sewing_pattern::Flat;
use aplomb::viewport::BodyColor;
use aplomb_sim::bodies::cloth::{RestShape, settings_of};
use aplomb_sim::bodies::select::{region_cells, region_vertices};
use aplomb_sim::scene::{Scene, Selector};
use aplomb_sim::stats::report::Conclusion;
use aplomb_tests::repository;
use egui::{Modifiers, PointerButton, Pos2, Rect, Role};
use egui_kittest::kittest::{NodeT, Queryable};

/// The garment with its pattern in front.
fn garment() -> Editor {
    let mut editor = open(&gallery("garment"), 900.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    act(&mut editor, Action::Arrange(Arrange::Front(BottomTab::Pattern)));
    editor.run_steps(3);
    editor
}

fn flat(editor: &Editor) -> Flat {
    Flat::of(&editor.state().main().model.as_ref().unwrap().bodies[0].mesh).unwrap()
}

fn canvas(editor: &Editor) -> Rect {
    let is_canvas = |label: &str| label.starts_with("Sewing pattern of tunic");
    editor.get_all_by_role(Role::Canvas).find(|node| node.accesskit_node().label().is_some_and(|l| is_canvas(&l))).unwrap().rect()
}

/// Where the middle of a panel is on the screen, with all panels in view: they fill the width or the height, but for the margins.
fn middle_of(editor: &Editor, flat: &Flat, panel: usize) -> Pos2 {
    let room = canvas(editor);
    let [low, high] = flat.bounds();
    let scale = (f64::from(room.width() - 28.0) / (high[0] - low[0])).min(f64::from(room.height() - 40.0) / (high[1] - low[1]));
    let of = |axis: usize| 0.5 * (flat.panels[panel][0][axis] + flat.panels[panel][1][axis]) - 0.5 * (low[axis] + high[axis]);
    room.center() + egui::vec2((scale * of(0)) as f32, 6.0 - (scale * of(1)) as f32)
}

#[test]
fn panels_lie_flat_and_seams_are_told_on_both_sides() {
    let editor = garment();
    let _ = editor.get_by_label("Sewing pattern of tunic: 6 panels, 6 seams");
    let flat = flat(&editor);
    for seam in 0..6 {
        let sides = flat.borders.iter().filter(|border| border.seam == Some(seam));
        let panels: std::collections::BTreeSet<u32> = sides.map(|border| flat.panel_of[border.triangle as usize]).collect();
        assert_eq!(panels.len(), 2, "seam {seam} joins two panels");
    }
}

#[test]
fn what_is_pointed_at_in_the_pattern_is_shown_on_the_body_and_back() {
    let mut editor = garment();
    let flat = flat(&editor);
    let at = middle_of(&editor, &flat, 2);
    editor.hover_at(at);
    editor.run_steps(3);
    let pointed = editor.state().desk().pattern.pointed.expect("a place is pointed at");
    let panel = |corners: [u32; 3]| {
        let of = |corners: &[u32; 3]| corners.map(|corner| flat.vertices[corner as usize]);
        let triangle = flat.triangles.iter().position(|known| of(known) == corners).unwrap();
        flat.panel_of[triangle]
    };
    assert_eq!((pointed.body, panel(pointed.corners)), (0, 2));
    assert!((pointed.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    editor.hover_at(crate::mouse::view(&editor).center());
    editor.run_steps(3);
    let desk = editor.state().desk();
    assert!(desk.pattern.pointed.is_none() && desk.pattern.over.is_some_and(|hit| hit.body == 0 && hit.triangle.is_some()));
}

#[test]
fn panels_that_are_clicked_become_a_region_or_join_one() {
    let mut editor = garment();
    let flat = flat(&editor);
    let first = middle_of(&editor, &flat, 1);
    let second = middle_of(&editor, &flat, 4);
    crate::mouse::click(&mut editor, first, PointerButton::Primary, Modifiers::NONE);
    crate::mouse::click(&mut editor, second, PointerButton::Primary, Modifiers::NONE);
    let choice = editor.state().desk().choice.clone().unwrap();
    assert_eq!(choice.what, "2 panels of tunic");
    let cells = |panels: &[u32]| -> Vec<u32> { (0..).zip(&flat.panel_of).filter(|(_, of)| panels.contains(of)).map(|(t, _)| t).collect() };
    assert_eq!(choice.elements.to_vec(), cells(&[1, 4]));
    // Clicked again, a panel is let go of.
    crate::mouse::click(&mut editor, first, PointerButton::Primary, Modifiers::NONE);
    editor.get_by_role_and_label(Role::Button, "Make a region").click();
    editor.run_steps(4);
    wait(&mut editor, "it is taken in", is_idle);
    let made = scene(&editor).bodies[0].regions[0].clone();
    assert_eq!(RoleKind::of(&made.role), RoleKind::Material);
    let model = editor.state().main().model.clone().unwrap();
    assert_eq!(region_cells(&model.bodies[0].mesh, &made), cells(&[4]));
    assert_eq!(editor.state().document().selection, Selection::Region(0, 0));

    act(&mut editor, Action::NewRegion(RoleKind::Fixed));
    act(&mut editor, Action::ToggleBrush);
    if editor.state().desk().brush.on {
        act(&mut editor, Action::ToggleBrush);
    }
    crate::mouse::click(&mut editor, first, PointerButton::Primary, Modifiers::NONE);
    let name = scene(&editor).bodies[0].regions[1].name.clone();
    let before = scene(&editor);
    editor.get_by_role_and_label(Role::Button, &format!("Add to {name}")).click();
    editor.run_steps(4);
    assert_eq!(region_vertices(&model.bodies[0].mesh, &scene(&editor).bodies[0].regions[1]), flat.vertices_of(1));
    act(&mut editor, Action::Undo);
    assert!(scene(&editor) == before, "one step");
}

#[test]
fn the_brush_paints_in_the_pattern_and_colours_are_those_of_the_body() {
    let mut editor = garment();
    let flat = flat(&editor);
    act(&mut editor, Action::NewRegion(RoleKind::Fixed));
    if !editor.state().desk().brush.on {
        act(&mut editor, Action::ToggleBrush);
    }
    let at = middle_of(&editor, &flat, 3);
    let before = scene(&editor);
    crate::mouse::take(&mut editor, at, at + egui::vec2(0.0, 8.0), Modifiers::NONE);
    editor.run_steps(2);
    let tint = |editor: &Editor| editor.state().desk().pattern.seen.clone().unwrap().face_tint.unwrap();
    let tinted = |editor: &Editor| tint(editor).iter().filter(|tint| tint[3] > 0).count();
    assert!(tinted(&editor) > 4, "the stroke is seen while it goes");
    crate::mouse::button(&mut editor, at, PointerButton::Primary, false, Modifiers::NONE);
    editor.run_steps(3);
    let painted = scene(&editor).bodies[0].regions[0].select.clone();
    let [Selector::Vertices(vertices)] = &painted[..] else { panic!("{painted:?}") };
    let of_panel = flat.vertices_of(3);
    assert!(vertices.len() > 4 && vertices.iter().all(|v| of_panel.contains(v)), "of the panel that was painted alone: {vertices:?}");
    act(&mut editor, Action::Undo);
    assert!(scene(&editor) == before, "one step");
    act(&mut editor, Action::Redo);
    // With Ctrl it takes away.
    crate::mouse::take(&mut editor, at, at + egui::vec2(0.0, 8.0), crate::mouse::CTRL);
    crate::mouse::button(&mut editor, at, PointerButton::Primary, false, crate::mouse::CTRL);
    editor.run_steps(3);
    let left = region_vertices(&editor.state().main().model.as_ref().unwrap().bodies[0].mesh, &scene(&editor).bodies[0].regions[0]);
    assert!(left.len() < vertices.len() / 2, "{} of {}", left.len(), vertices.len());
}

#[test]
fn the_pattern_has_the_colours_of_a_field_also_where_it_has_all_the_room() {
    let mut editor = garment();
    initialise(&mut editor);
    editor
        .get_all_by_role(Role::ComboBox)
        .find(|node| node.accesskit_node().label().is_some_and(|l| l.starts_with("Colour by")))
        .unwrap()
        .click();
    editor.run_steps(4);
    editor.get_by_role_and_label(Role::Button, "Tension of cloth").click();
    editor.run_steps(4);
    assert!(matches!(editor.state().desk().color_by, ColorBy::Field(_)));
    act(&mut editor, Action::Arrange(Arrange::Maximise(Some(BottomTab::Pattern))));
    editor.run_steps(3);
    assert!(canvas(&editor).height() > 400.0);
    let seen = editor.state().desk().pattern.seen.clone().unwrap();
    let BodyColor::Scalar { values, name, .. } = seen.color else { panic!("{:?}", seen.color) };
    assert_eq!(name, "largest resultant");
    assert_eq!(values.len(), editor.state().main().model.as_ref().unwrap().bodies[0].nodes.len());
    assert!(values.iter().any(|value| value.abs() > 0.1), "in N/m");
}

#[test]
fn a_body_without_a_pattern_tells_why_and_cloth_what_to_do() {
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    act(&mut editor, Action::Arrange(Arrange::Front(BottomTab::Pattern)));
    let _ = editor.get_by_label_contains("Only cloth is cut flat and sewn");
    let mut given = aplomb_sim::scene_file::load(&gallery("garment")).unwrap();
    given.bodies[0].mesh = repository().join("assets/tunic.obj").display().to_string();
    given.obstacles.clear();
    given.bodies[0].kind.as_mut().unwrap().settings.as_object_mut().unwrap().remove("rest");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("given.json");
    aplomb_sim::scene_file::save(&path, &given).unwrap();
    let mut editor = open(&path, 900.0);
    act(&mut editor, Action::Arrange(Arrange::Front(BottomTab::Pattern)));
    editor.get_by_role_and_label(Role::Button, "Rest in the sewing pattern of the file").click();
    editor.run_steps(3);
    wait(&mut editor, "it is loaded again", is_idle);
    assert_eq!(settings_of(&scene(&editor).bodies[0]).unwrap().rest, RestShape::Uv);
    editor.run_steps(3);
    let _ = editor.get_by_label("Sewing pattern of tunic: 6 panels, 6 seams");
}

fn choose(editor: &mut Editor, list: &str, entry: &str) {
    editor.get_by_role_and_label(Role::ComboBox, list).click();
    editor.run_steps(4);
    editor.get_all_by_label(entry).last().unwrap().click();
    editor.run_steps(4);
}

fn verdict(app: &App) -> Option<Conclusion> {
    let certificate = app.main().certificate.as_ref()?;
    (is_idle(app) && certificate.is_judged).then_some(certificate.report.outcome.verdict)
}

/// The whole way of a dress: imported as cloth, sewn, held by what is painted in its pattern, initialised, and played.
#[test]
fn a_tailor_imports_a_dress_holds_it_and_plays() {
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    act(&mut editor, Action::Take(vec![repository().join("assets/tunic.obj")]));
    wait(&mut editor, "it is examined", |app| app.desk().preview.as_ref().is_some_and(|preview| preview.report.is_some()));
    editor.run_steps(3);
    // What names stitches is a garment; it can be made something else, and cloth again.
    choose(&mut editor, "Kind", "Solid");
    let _ = editor.get_by_label("Fill with tets");
    choose(&mut editor, "Kind", "Cloth");
    for box_of in ["Rest in its sewing pattern (uv)", "Stand it on a ground"] {
        let _ = editor.get_by_role_and_label(Role::CheckBox, box_of);
    }
    assert!(editor.query_by_label("Fill with tets").is_none(), "cloth is not filled");
    editor.get_by_role_and_label(Role::Button, "Import").click();
    editor.run_steps(3);
    wait(&mut editor, "it is there", |app| is_idle(app) && app.main().is_up_to_date());
    let body = scene(&editor).bodies[0].clone();
    let settings = settings_of(&body).unwrap();
    assert!(settings.rest == RestShape::Uv && settings.seams.is_some_and(|seams| seams.from_file) && body.tetrahedralise.is_none());
    act(&mut editor, Action::Arrange(Arrange::Front(BottomTab::Pattern)));
    let _ = editor.get_by_label("Sewing pattern of tunic: 6 panels, 6 seams");

    // Its upper border is held: a box around it in the pattern, in one stroke.
    act(&mut editor, Action::NewRegion(RoleKind::Fixed));
    if !editor.state().desk().brush.on {
        act(&mut editor, Action::ToggleBrush);
    }
    editor.get_by_label("Box").click();
    editor.run_steps(2);
    let room = canvas(&editor);
    // All panels are as tall as the room, but for its margins.
    let top = room.top() + 26.0;
    crate::mouse::drag(&mut editor, egui::pos2(room.left() + 20.0, top - 6.0), egui::pos2(room.right() - 20.0, top + 6.0), Modifiers::NONE);
    let held = held(&scene(&editor));
    assert!(held > 20, "{held} vertices");
    act(&mut editor, Action::ToggleBrush);
    wait(&mut editor, "the stroke is taken in", is_idle);
    act(&mut editor, Action::Initialise);
    wait(&mut editor, "there is a verdict", |app| verdict(app).is_some());
    println!("{:?}", editor.state().main().certificate.as_ref().unwrap().report.outcome);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it is played", |app| app.main().last_frame() > 3);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it stands", is_idle);
    if verdict(editor.state()) == Some(Conclusion::Holds) {
        let (model, now) = (editor.state().main().model.clone().unwrap(), editor.state().main().snapshot.clone().unwrap());
        let moved = model.positions.iter().zip(now.positions.iter()).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(moved < 1e-6 * model.diagonal, "it moved by {moved} m");
    }
}

fn held(scene: &Scene) -> usize {
    let count = |selector: &Selector| if let Selector::Vertices(vertices) = selector { vertices.len() } else { 0 };
    scene.bodies[0].regions.iter().flat_map(|region| &region.select).map(count).sum()
}
