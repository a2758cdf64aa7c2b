//! Several things at once, copies, names in place, menus under the mouse.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use crate::mouse::{CTRL, click, drag, handle, on_screen, one_step, type_text, view};
use aplomb::document::{Action, RoleKind, Selection, ShapeKind, Tool};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Shape;
use egui::{Key, Modifiers, PointerButton, Role, vec2};
use egui_kittest::kittest::Queryable;

const NONE: Modifiers = Modifiers::NONE;

/// The hanging beam with three obstacles of no motion: a ball, a box and a ring.
fn with_obstacles() -> Editor {
    let mut editor = open(&gallery("hanging_beam"), 1000.0);
    for kind in [ShapeKind::Ball, ShapeKind::Box, ShapeKind::Ring] {
        act(&mut editor, Action::NewObstacle(kind));
    }
    wait(&mut editor, "it is loaded", is_idle);
    editor
}

fn first(editor: &Editor) -> usize {
    scene(editor).obstacles.len() - 3
}

fn row(editor: &mut Editor, name: &str, which: PointerButton, modifiers: Modifiers) {
    let at = editor.get_by_role_and_label(Role::Button, name).rect().center();
    click(editor, at, which, modifiers);
}

fn selected(editor: &Editor) -> Vec<Selection> {
    let mut selected = editor.state().document().selected();
    selected.sort_unstable();
    selected
}

#[test]
fn rows_are_selected_one_by_one_and_by_ranges_and_deleted_together() {
    let mut editor = with_obstacles();
    let of = first(&editor);
    row(&mut editor, "ball", PointerButton::Primary, NONE);
    assert_eq!(selected(&editor), [Selection::Obstacle(of)]);
    row(&mut editor, "ring", PointerButton::Primary, CTRL);
    assert_eq!(selected(&editor), [Selection::Obstacle(of), Selection::Obstacle(of + 2)]);
    editor.get_by_label("2 selected");
    row(&mut editor, "ring", PointerButton::Primary, CTRL);
    row(&mut editor, "ring", PointerButton::Primary, Modifiers::SHIFT);
    assert_eq!(selected(&editor), [0, 1, 2].map(|k| Selection::Obstacle(of + k)));
    editor.get_by_label("3 selected");
    one_step(&mut editor, "deleting", |editor| {
        editor.key_press(Key::Delete);
        editor.run_steps(3);
    });
    assert_eq!(scene(&editor).obstacles.len(), of);
    assert!(selected(&editor).iter().all(|one| !matches!(one, Selection::Obstacle(o) if *o >= of)), "nothing that is gone is selected");
}

#[test]
fn shared_keys_of_several_are_changed_in_all() {
    let mut editor = with_obstacles();
    let of = first(&editor);
    row(&mut editor, "ball", PointerButton::Primary, NONE);
    row(&mut editor, "ring", PointerButton::Primary, Modifiers::SHIFT);
    let after = one_step(&mut editor, "friction", |editor| {
        editor.get_by_role_and_label(Role::SpinButton, "Friction µ").set_value_accesskit(0.25);
        editor.run_steps(3);
    });
    assert!(after.obstacles[of..].iter().all(|obstacle| obstacle.friction == 0.25));
    // Hidden and shown together, which is no edit.
    editor.key_press(Key::H);
    editor.run_steps(3);
    assert_eq!(editor.state().desk().hidden_obstacles.len(), 3);
    assert_eq!(scene(&editor), after);
    editor.get_by_role_and_label(Role::CheckBox, "Visible").click();
    editor.run_steps(3);
    assert!(editor.state().desk().hidden_obstacles.is_empty());
}

/// Young's modulus of all bodies, and of nothing else.
#[test]
fn a_material_of_several_bodies_changes_only_in_what_was_touched() {
    let mut editor = open(&gallery("hanging_beam"), 1000.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    act(&mut editor, Action::Duplicate);
    wait(&mut editor, "it is loaded", is_idle);
    let mut other = scene(&editor);
    other.bodies[1].material.as_mut().unwrap().density = 3000.0;
    act(&mut editor, Action::Edit("Density".into(), Box::new(other)));
    act(&mut editor, Action::SelectAll);
    let bodies: Vec<Selection> = selected(&editor).into_iter().filter(|one| matches!(one, Selection::Body(_))).collect();
    act(&mut editor, Action::Select(bodies[0]));
    act(&mut editor, Action::SelectAlong(bodies[1]));
    let young = scene(&editor).bodies[0].material.as_ref().unwrap().young;
    let after = one_step(&mut editor, "stiffness", |editor| {
        editor.get_by_role_and_label(Role::SpinButton, "Young's modulus").set_value_accesskit(12345.0);
        editor.run_steps(3);
    });
    let materials: Vec<_> = after.bodies.iter().map(|body| body.material.clone().unwrap()).collect();
    assert_eq!(materials[0].young, materials[1].young);
    assert_ne!(materials[0].young, young);
    assert_eq!(materials[1].density, 3000.0);
    assert_ne!(materials[0].density, 3000.0);
}

#[test]
fn copies_are_selected_stand_beside_and_have_names_of_their_own() {
    let mut editor = with_obstacles();
    let of = first(&editor);
    act(&mut editor, Action::Select(Selection::Obstacle(of)));
    act(&mut editor, Action::SelectAlong(Selection::Body(0)));
    let before = scene(&editor);
    let after = one_step(&mut editor, "copies", |editor| {
        editor.key_press_modifiers(CTRL, Key::D);
        editor.run_steps(3);
    });
    assert_eq!((after.bodies.len(), after.obstacles.len()), (before.bodies.len() + 1, before.obstacles.len() + 1));
    let [Shape::Sphere { center: a, radius }, Shape::Sphere { center: b, .. }] =
        [&after.obstacles[of].shape, &after.obstacles.last().unwrap().shape]
    else {
        panic!("balls")
    };
    assert!(b[0] - a[0] > 2.0 * radius, "beside, not inside");
    wait(&mut editor, "it is loaded", is_idle);
    assert_eq!(editor.state().main().model.as_ref().unwrap().bodies.len(), 2);
    assert!(editor.state().main().problems.is_empty(), "{:?}", editor.state().main().problems);
}

#[test]
fn several_are_moved_together() {
    let mut editor = with_obstacles();
    let of = first(&editor);
    act(&mut editor, Action::Select(Selection::Obstacle(of)));
    act(&mut editor, Action::SelectAlong(Selection::Obstacle(of + 2)));
    act(&mut editor, Action::LookFrom(aplomb::viewport::AxisView::Front));
    editor.run_steps(30);
    act(&mut editor, Action::Focus);
    editor.run_steps(30);
    act(&mut editor, Action::SetTool(Tool::Move));
    let centers = |editor: &Editor| {
        let scene = scene(editor);
        let at = |shape: &Shape| match shape {
            Shape::Sphere { center, .. } | Shape::Box { center, .. } | Shape::Torus { center, .. } => Vec3::from(*center),
            other => panic!("{other:?}"),
        };
        scene.obstacles[of..].iter().map(|obstacle| at(&obstacle.shape)).collect::<Vec<_>>()
    };
    let before = centers(&editor);
    let from = handle(&editor, "Move along x");
    one_step(&mut editor, "a drag", |editor| drag(editor, from, from + vec2(50.0, 0.0), NONE));
    let after = centers(&editor);
    let way = after[0] - before[0];
    assert!(way.x > 0.0 && (after[2] - before[2] - way).norm() < 1e-9 && after[1] == before[1], "{before:?} to {after:?}");
}

#[test]
fn with_ctrl_a_click_in_the_view_selects_along() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    act(&mut editor, Action::Duplicate);
    wait(&mut editor, "it is loaded", is_idle);
    act(&mut editor, Action::FrameAll);
    editor.run_steps(30);
    let middle = |editor: &Editor, b: usize| {
        let model = editor.state().main().model.as_ref().unwrap();
        let (low, high) = aplomb_sim::math::bounding_box(&model.positions[model.bodies[b].nodes.clone()]);
        on_screen(editor, 0.5 * (low + high))
    };
    let [a, b] = [0, 1].map(|b| middle(&editor, b));
    click(&mut editor, a, PointerButton::Primary, NONE);
    click(&mut editor, b, PointerButton::Primary, CTRL);
    assert_eq!(editor.state().document().selected(), [Selection::Body(1), Selection::Body(0)]);
    click(&mut editor, a, PointerButton::Primary, CTRL);
    assert_eq!(editor.state().document().selected(), [Selection::Body(1)]);
    let corner = view(&editor).left_bottom() + vec2(30.0, -60.0);
    click(&mut editor, corner, PointerButton::Primary, CTRL);
    assert_eq!(editor.state().document().selected(), [Selection::Body(1)], "beside everything, nothing changes");
}

#[test]
fn names_are_typed_where_they_stand() {
    let mut editor = with_obstacles();
    let of = first(&editor);
    act(&mut editor, Action::Select(Selection::Obstacle(of)));
    let after = one_step(&mut editor, "a name", |editor| {
        editor.key_press(Key::F2);
        editor.run_steps(3);
        editor.get_by_label("New name");
        type_text(editor, "marble");
        editor.key_press(Key::Enter);
        editor.run_steps(3);
    });
    assert_eq!(after.obstacles[of].name, "marble");
    editor.key_press(Key::F2);
    editor.run_steps(3);
    type_text(&mut editor, "other");
    editor.key_press(Key::Escape);
    editor.run_steps(3);
    assert_eq!(scene(&editor), after, "Escape leaves the name");
    assert!(editor.query_by_label("New name").is_none());
}

#[test]
fn the_right_button_has_a_menu_for_what_is_under_it_in_view_and_outliner() {
    let mut editor = open(&gallery("hanging_beam"), 1000.0);
    let model = editor.state().main().model.clone().unwrap();
    let (low, high) = aplomb_sim::math::bounding_box(&model.positions[model.bodies[0].nodes.clone()]);
    let at = on_screen(&editor, 0.5 * (low + high));
    click(&mut editor, at, PointerButton::Secondary, NONE);
    assert_eq!(editor.state().document().selection, Selection::Body(0), "what is clicked is selected");
    editor.get_by_role_and_label(Role::Button, "Hide").click();
    editor.run_steps(3);
    assert!(editor.state().desk().is_hidden(Selection::Body(0)));
    assert!(editor.query_by_role_and_label(Role::Button, "Hide").is_none(), "the menu is closed");
    click(&mut editor, at, PointerButton::Secondary, NONE);
    assert!(editor.query_by_label("Frame all").is_some(), "what is hidden is not hit");
    editor.get_by_role_and_label(Role::Button, "Show all that is hidden").click();
    editor.run_steps(3);
    assert!(editor.state().desk().hidden_bodies.is_empty());

    let mut editor = with_obstacles();
    let of = first(&editor);
    let before = scene(&editor);
    row(&mut editor, "ring", PointerButton::Secondary, NONE);
    assert_eq!(selected(&editor), [Selection::Obstacle(of + 2)]);
    editor.get_by_role_and_label(Role::Button, "Duplicate").click();
    editor.run_steps(3);
    assert_eq!(scene(&editor).obstacles.len(), before.obstacles.len() + 1);
    assert_eq!(scene(&editor).obstacles.last().unwrap().name, "ring 2");
}

/// What a region is for, over the same vertices.
#[test]
fn a_region_is_used_as_something_else() {
    let mut editor = open(&gallery("hanging_beam"), 1000.0);
    let region = scene(&editor).bodies[0].regions[0].clone();
    let name = region.name.clone();
    row(&mut editor, &name, PointerButton::Secondary, NONE);
    editor.get_by_role_and_label(Role::Button, "Use as").click();
    editor.run_steps(4);
    editor.get_by_role_and_label(Role::Button, RoleKind::Traction.label()).click();
    editor.run_steps(4);
    let now = &scene(&editor).bodies[0].regions[0];
    assert_eq!(RoleKind::of(&now.role), RoleKind::Traction);
    assert_eq!((&now.name, &now.select), (&region.name, &region.select));
}
