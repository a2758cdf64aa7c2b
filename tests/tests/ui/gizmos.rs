//! Handles of what is selected, dragged with the mouse in the editor: what they change, in one step, and what the picture shows meanwhile.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use crate::mouse::{CTRL, button, drag, handle, on_screen, one_step, point, take, type_text, view};
use aplomb::document::{Action, RoleKind, Selection, ShapeKind, Tool};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{RegionRole, Scene, Selector, Shape, WindSettings};
use egui::{Key, Modifiers, PointerButton, Role, vec2};
use egui_kittest::kittest::Queryable;

const NONE: Modifiers = Modifiers::NONE;

/// The hanging beam with a ball above, seen from in front, which is selected.
fn with_ball() -> Editor {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    act(&mut editor, Action::NewObstacle(ShapeKind::Ball));
    wait(&mut editor, "it is loaded", is_idle);
    act(&mut editor, Action::LookFrom(aplomb::viewport::AxisView::Front));
    editor.run_steps(30);
    act(&mut editor, Action::Focus);
    editor.run_steps(30);
    editor
}

fn tool(editor: &mut Editor, tool: Tool) {
    act(editor, Action::SetTool(tool));
    editor.run_steps(2);
}

fn ball(scene: &Scene) -> (Vec3, f64) {
    match scene.obstacles.last().unwrap().shape {
        Shape::Sphere { center, radius } => (center.into(), radius),
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn an_arrow_moves_an_obstacle_along_its_axis_under_the_mouse_in_one_step() {
    for orthographic in [false, true] {
        let mut editor = with_ball();
        if orthographic {
            act(&mut editor, Action::ToggleOrthographic);
        }
        tool(&mut editor, Tool::Move);
        let (before, radius) = ball(&scene(&editor));
        let from = handle(&editor, "Move along x");
        let to = from + vec2(60.0, 25.0);
        let after = one_step(&mut editor, "a drag", |editor| drag(editor, from, to, NONE));
        let (after, now) = ball(&after);
        assert_eq!((after.y, after.z, now), (before.y, before.z, radius), "only along x");
        let way = on_screen(&editor, after).x - on_screen(&editor, before).x;
        assert!((way - 60.0).abs() < 2.0, "it stays under the mouse: {way}");
        assert_eq!(editor.state().document().history.undo_label(), Some("Move obstacle"));
        assert_eq!(editor.state().document().selection, Selection::Obstacle(scene(&editor).obstacles.len() - 1), "it stays selected");
    }
}

#[test]
fn planes_and_the_middle_move_in_two_directions() {
    let mut editor = with_ball();
    tool(&mut editor, Tool::Move);
    let (before, _) = ball(&scene(&editor));
    let from = handle(&editor, "Move in the plane across z");
    drag(&mut editor, from, from + vec2(40.0, -30.0), NONE);
    let (after, _) = ball(&scene(&editor));
    assert!(after.x > before.x && after.y > before.y && after.z == before.z, "{before} to {after}");
    let from = handle(&editor, "Move in the plane of the view");
    drag(&mut editor, from, from + vec2(-40.0, 30.0), NONE);
    let (back, _) = ball(&scene(&editor));
    assert!((back - before).norm() < 0.02 * (after - before).norm(), "{back} is not {before}");
}

#[test]
fn ctrl_goes_by_steps_and_shift_is_fine() {
    let mut editor = with_ball();
    tool(&mut editor, Tool::Move);
    let (before, _) = ball(&scene(&editor));
    let from = handle(&editor, "Move along x");
    drag(&mut editor, from, from + vec2(83.0, 0.0), CTRL);
    let moved = ball(&scene(&editor)).0.x - before.x;
    // Lines of the ground under a beam of a metre are 0.1 m apart.
    let steps = moved / 0.1;
    assert!(moved > 0.05 && (steps - steps.round()).abs() < 1e-9, "{moved}");
    act(&mut editor, Action::Undo);
    drag(&mut editor, from, from + vec2(80.0, 0.0), NONE);
    let coarse = ball(&scene(&editor)).0.x - before.x;
    act(&mut editor, Action::Undo);
    drag(&mut editor, from, from + vec2(80.0, 0.0), Modifiers::SHIFT);
    let fine = ball(&scene(&editor)).0.x - before.x;
    assert!((fine / coarse - 0.1).abs() < 0.02, "{fine} of {coarse}");
}

#[test]
fn a_number_that_is_typed_is_what_it_is_moved_by_and_escape_puts_it_back() {
    let mut editor = with_ball();
    tool(&mut editor, Tool::Move);
    let before = scene(&editor);
    let xray = editor.state().desk().xray;
    let from = handle(&editor, "Move in the plane of the view");
    take(&mut editor, from, from + vec2(30.0, 30.0), NONE);
    assert_ne!(scene(&editor), before, "it follows while it is dragged");
    type_text(&mut editor, "x0.2");
    assert!((ball(&scene(&editor)).0 - ball(&before).0 - Vec3::new(0.2, 0.0, 0.0)).norm() < 1e-12);
    editor.key_press(Key::Enter);
    editor.step();
    // The hand lets go later, somewhere else.
    point(&mut editor, from + vec2(90.0, -40.0), NONE);
    button(&mut editor, from + vec2(90.0, -40.0), PointerButton::Primary, false, NONE);
    editor.run_steps(3);
    assert!((ball(&scene(&editor)).0 - ball(&before).0 - Vec3::new(0.2, 0.0, 0.0)).norm() < 1e-12, "Enter is the end of it");
    assert_eq!(editor.state().desk().xray, xray, "letters are no commands meanwhile");
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before);

    let redo = editor.state().document().history.redo_label().map(str::to_owned);
    take(&mut editor, from, from + vec2(30.0, 30.0), NONE);
    assert_ne!(scene(&editor), before);
    editor.key_press(Key::Escape);
    editor.step();
    button(&mut editor, from + vec2(30.0, 30.0), PointerButton::Primary, false, NONE);
    editor.run_steps(3);
    assert_eq!(scene(&editor), before, "it is back");
    assert_eq!(editor.state().document().history.redo_label().map(str::to_owned), redo, "and nothing happened");
    assert_eq!(editor.state().desk().tool, Tool::Move, "Escape ended the drag and nothing else");
}

/// The picture follows at once, the scene is loaded when the drag is over, and there is one load.
#[test]
fn a_body_is_seen_where_it_is_dragged_and_loaded_when_it_is_let_go() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    tool(&mut editor, Tool::Move);
    let run = editor.state().main().model.as_ref().unwrap().run;
    let before = scene(&editor);
    let middle = handle(&editor, "Move in the plane of the view");
    let from = handle(&editor, "Move along y");
    take(&mut editor, from, from + vec2(0.0, -60.0), NONE);
    assert!(scene(&editor).bodies[0].transform.translate[1] > before.bodies[0].transform.translate[1]);
    assert_eq!(editor.state().main().model.as_ref().unwrap().run, run, "nothing is loaded while the hand is on it");
    button(&mut editor, from + vec2(0.0, -60.0), PointerButton::Primary, false, NONE);
    editor.step();
    let seen = handle(&editor, "Move in the plane of the view");
    assert!(seen.y < middle.y - 45.0, "it does not jump back while it is loaded: {seen:?} from {middle:?}");
    let while_loading = seen;
    wait(&mut editor, "it is loaded", is_idle);
    let loaded = editor.state().main().model.as_ref().unwrap();
    assert_eq!(loaded.run.0, run.0 + 1);
    let seen = handle(&editor, "Move in the plane of the view");
    assert!((seen - while_loading).length() < 0.5, "and it is there afterwards: {seen:?}");
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before, "one step");
}

#[test]
fn rings_turn_bodies_by_steps_and_places_of_regions_with_them() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    act(&mut editor, Action::Select(Selection::Body(0)));
    act(&mut editor, Action::LookFrom(aplomb::viewport::AxisView::Front));
    editor.run_steps(30);
    tool(&mut editor, Tool::Rotate);
    let centre = on_screen(&editor, middle_of_body(&editor));
    let from = handle(&editor, "Rotate in the plane of the view");
    let (arm, turn) = (from - centre, egui::emath::Rot2::from_angle(-0.8));
    let held = held(&editor);
    let after = one_step(&mut editor, "a turn", |editor| drag(editor, from, centre + turn * arm, CTRL));
    let degrees = after.bodies[0].transform.rotate_degrees;
    // 0.8 rad are 45.8 degrees, counter-clockwise on the screen, about z.
    assert!((degrees[2] - 45.0).abs() < 1e-6 && degrees[0].abs() + degrees[1].abs() < 1e-6, "{degrees:?}");
    wait(&mut editor, "it is loaded", is_idle);
    assert_eq!(self::held(&editor), held, "the same vertices are held");
}

fn middle_of_body(editor: &Editor) -> Vec3 {
    let model = editor.state().main().model.as_ref().unwrap();
    let (low, high) = aplomb_sim::math::bounding_box(&model.positions[model.bodies[0].nodes.clone()]);
    0.5 * (low + high)
}

/// The vertices that are held.
fn held(editor: &Editor) -> Vec<u32> {
    let scene = scene(editor);
    let region = scene.bodies[0].regions.iter().find(|region| matches!(region.role, RegionRole::Dirichlet { .. })).unwrap();
    let model = editor.state().main().model.as_ref().unwrap();
    let vertices = aplomb_sim::bodies::select::region_vertices(&model.bodies[0].mesh, region);
    assert!(!vertices.is_empty());
    vertices
}

#[test]
fn sizes_are_scaled_along_the_axes_of_a_box_and_alike_for_a_ball() {
    let mut editor = with_ball();
    tool(&mut editor, Tool::Scale);
    assert!(editor.query_by_label("Scale along x").is_none(), "a ball has one size");
    let (_, before) = ball(&scene(&editor));
    let from = handle(&editor, "Scale in all directions");
    let after = one_step(&mut editor, "a factor", |editor| drag(editor, from, from + vec2(42.0, -42.0), NONE));
    assert!(
        (ball(&after).1 / before - 2.0).abs() < 0.05,
        "up and to the right by the reach of the handles doubles it: {}",
        ball(&after).1 / before
    );

    act(&mut editor, Action::NewObstacle(ShapeKind::Box));
    wait(&mut editor, "it is loaded", is_idle);
    act(&mut editor, Action::Focus);
    editor.run_steps(30);
    let size = |scene: &Scene| if let Shape::Box { size, .. } = scene.obstacles.last().unwrap().shape { size } else { panic!("a box") };
    let before = size(&scene(&editor));
    let from = handle(&editor, "Scale along x");
    take(&mut editor, from, from + vec2(10.0, 0.0), NONE);
    type_text(&mut editor, "2");
    editor.key_press(Key::Enter);
    editor.step();
    button(&mut editor, from, PointerButton::Primary, false, NONE);
    editor.run_steps(2);
    assert_eq!(size(&scene(&editor)), [2.0 * before[0], before[1], before[2]]);
}

#[test]
fn wind_and_tractions_are_turned() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    let mut windy = scene(&editor);
    windy.wind = Some(WindSettings { velocity: [3.0, 0.0, 0.0], density: 1.2, drag: 1.0, from: 0.0, gust: None });
    act(&mut editor, Action::Edit("Wind".into(), Box::new(windy)));
    act(&mut editor, Action::Select(Selection::Body(0)));
    act(&mut editor, Action::NewRegion(RoleKind::Traction));
    let mut loaded = scene(&editor);
    loaded.bodies[0].regions.last_mut().unwrap().select = vec![Selector::All {}];
    act(&mut editor, Action::Edit("Select".into(), Box::new(loaded)));
    wait(&mut editor, "it is loaded", is_idle);
    act(&mut editor, Action::Select(Selection::Scene));
    act(&mut editor, Action::FrameAll);
    editor.run_steps(30);
    crate::mouse::step_back(&mut editor);
    tool(&mut editor, Tool::Rotate);
    let turned = |editor: &mut Editor| {
        let from = handle(editor, "Rotate about y");
        take(editor, from, from + vec2(12.0, 0.0), NONE);
        type_text(editor, "90");
        editor.key_press(Key::Enter);
        editor.step();
        button(editor, from, PointerButton::Primary, false, NONE);
        editor.run_steps(2);
    };
    let after = one_step(&mut editor, "wind", turned);
    assert_eq!(after.wind.unwrap().velocity, [0.0, 0.0, -3.0]);
    let region = after.bodies[0].regions.len() - 1;
    act(&mut editor, Action::Select(Selection::Region(0, region)));
    let after = one_step(&mut editor, "a traction", |editor| {
        let from = handle(editor, "Rotate about z");
        take(editor, from, from + vec2(0.0, 12.0), NONE);
        type_text(editor, "90");
        editor.key_press(Key::Enter);
        editor.step();
        button(editor, from, PointerButton::Primary, false, NONE);
        editor.run_steps(2);
    });
    let RegionRole::Traction { force, .. } = after.bodies[0].regions[region].role else { panic!("a traction") };
    assert_eq!(force, [1000.0, 0.0, 0.0]);
}

#[test]
fn pressed_again_the_key_of_a_tool_begins_a_drag_and_a_click_ends_it() {
    let mut editor = with_ball();
    let middle = view(&editor).center();
    point(&mut editor, middle, NONE);
    editor.key_press(Key::G);
    editor.run_steps(2);
    assert_eq!(editor.state().desk().tool, Tool::Move);
    let before = scene(&editor);
    editor.key_press(Key::G);
    editor.run_steps(2);
    for share in [10.0, 20.0, 30.0] {
        point(&mut editor, middle + vec2(share, 0.0), NONE);
    }
    assert_ne!(scene(&editor), before);
    button(&mut editor, middle + vec2(30.0, 0.0), PointerButton::Primary, true, NONE);
    button(&mut editor, middle + vec2(30.0, 0.0), PointerButton::Primary, false, NONE);
    point(&mut editor, middle + vec2(90.0, 0.0), NONE);
    editor.run_steps(2);
    let way = on_screen(&editor, ball(&scene(&editor)).0).x - on_screen(&editor, ball(&before).0).x;
    assert!((way - 30.0).abs() < 2.0, "{way}");
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before, "one step");
}

#[test]
fn what_is_dropped_stands_on_the_ground() {
    let mut editor = with_ball();
    let mut with_ground = scene(&editor);
    let ground = Shape::HalfSpace { point: [0.0, -2.0, 0.0], normal: [0.0, 1.0, 0.0] };
    with_ground
        .obstacles
        .insert(0, aplomb_sim::scene::Obstacle { shape: ground, name: "floor".into(), ..with_ground.obstacles[0].clone() });
    act(&mut editor, Action::Edit("Ground".into(), Box::new(with_ground)));
    let last = scene(&editor).obstacles.len() - 1;
    act(&mut editor, Action::Select(Selection::Obstacle(last)));
    let after = one_step(&mut editor, "a drop", |editor| act(editor, Action::Drop));
    let (centre, radius) = ball(&after);
    let gap = centre.y - radius + 2.0;
    assert!(gap > 0.0 && gap < 0.02, "{gap} m above the ground");
}

/// The picture of a perspective and an orthographic view, through the mouse: a click hits the same body, and the kind is told and changed.
#[test]
fn the_kind_of_picture_is_changed_by_key_and_by_click_and_bodies_are_hit_in_both() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    for orthographic in [true, false] {
        if orthographic {
            editor.get_by_role_and_label(Role::CheckBox, "Orthographic").click();
        } else {
            editor.key_press(Key::Num5);
        }
        editor.run_steps(2);
        assert_eq!(editor.state().camera().orthographic, orthographic);
        act(&mut editor, Action::Select(Selection::Scene));
        let at = on_screen(&editor, middle_of_body(&editor));
        crate::mouse::click(&mut editor, at, PointerButton::Primary, NONE);
        assert_eq!(editor.state().document().selection, Selection::Body(0));
        let corner = view(&editor).left_bottom() + vec2(40.0, -60.0);
        crate::mouse::click(&mut editor, corner, PointerButton::Primary, NONE);
        assert_eq!(editor.state().document().selection, Selection::Scene);
    }
    for (key, modifiers, axis) in
        [(Key::Num1, NONE, Vec3::z()), (Key::Num3, NONE, Vec3::x()), (Key::Num7, NONE, Vec3::y()), (Key::Num1, CTRL, -Vec3::z())]
    {
        editor.key_press_modifiers(modifiers, key);
        editor.run_steps(40);
        assert!((editor.state().camera().axes()[2] - axis).norm() < 1e-9, "{key:?}");
    }
}
