//! Painting by the mouse: symmetry, parts by place, rectangles and loops, locks, suggested contacts, the stiffness field.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;

use crate::editor::{Editor, act, gallery, initialise, is_idle, open, scene, wait};
use aplomb::document::{Action, RoleKind, Selection};
use aplomb::session::ModelBody;
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Selector;
use egui::{Event, Modifiers, PointerButton, Pos2, Role, pos2};
use egui_kittest::kittest::Queryable;

/// Where a point of the scene is on the screen.
fn on_screen(editor: &Editor, point: Vec3) -> Pos2 {
    let view = editor.get_by_label("3D view").rect();
    let aspect = f64::from(view.width() / view.height());
    let [x, y] = editor.state().camera().project(point, aspect).unwrap();
    view.center() + 0.5 * egui::vec2(x as f32 * view.width(), -y as f32 * view.height())
}

/// Presses the left button at the first point, and lets it go at the last.
fn drag(editor: &mut Editor, way: &[Pos2], modifiers: Modifiers) {
    let button = |editor: &mut Editor, pos, pressed| {
        editor.event_modifiers(Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers }, modifiers);
        editor.step();
    };
    editor.event_modifiers(Event::PointerMoved(way[0]), modifiers);
    editor.step();
    button(editor, way[0], true);
    for &to in &way[1..] {
        editor.event_modifiers(Event::PointerMoved(to), modifiers);
        editor.step();
    }
    button(editor, *way.last().unwrap(), false);
    editor.run_steps(2);
}

fn click(editor: &mut Editor, name: &str) {
    editor.get_by_label(name).click();
    editor.run_steps(3);
}

/// What the selected region holds.
fn held(editor: &Editor) -> BTreeSet<u32> {
    let Selection::Region(b, r) = editor.state().document().selection else { panic!("a region is selected") };
    match &scene(editor).bodies[b].regions[r].select[..] {
        [Selector::Vertices(vertices)] => vertices.iter().copied().collect(),
        other => panic!("{other:?}"),
    }
}

/// The editor on a beam that is looked at from the side, with an empty region to be painted.
fn with_beam() -> Editor {
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    act(&mut editor, Action::NewRegion(RoleKind::Fixed));
    let view = editor.get_by_label("3D view").rect().center();
    editor.hover_at(view);
    editor.run_steps(2);
    editor.key_press(egui::Key::Num1);
    editor.run_steps(60);
    act(&mut editor, Action::FrameAll);
    editor.run_steps(60);
    editor
}

fn body(editor: &Editor) -> std::sync::Arc<aplomb::session::Model> {
    editor.state().main().model.clone().unwrap()
}

/// Lowest and highest corner.
fn bounds(body: &ModelBody) -> (Vec3, Vec3) {
    aplomb_sim::math::bounding_box(&body.mesh.positions)
}

/// The middle of the front of the beam, at a share of its length.
fn front(editor: &Editor, share: f64) -> Pos2 {
    let (low, high) = bounds(&body(editor).bodies[0]);
    on_screen(editor, Vec3::new(low.x + share * (high.x - low.x), 0.5 * (low.y + high.y), high.z))
}

#[test]
fn strokes_are_mirrored_across_the_axes_that_are_chosen() {
    let mut editor = with_beam();
    let model = body(&editor);
    let positions = &model.bodies[0].mesh.positions;
    let middle = 0.5 * (bounds(&model.bodies[0]).0 + bounds(&model.bodies[0]).1);
    let way = [front(&editor, 0.2), front(&editor, 0.25)];
    drag(&mut editor, &way, Modifiers::NONE);
    let one = held(&editor);
    assert!(!one.is_empty() && one.iter().all(|&v| positions[v as usize].x < middle.x), "{one:?}");
    act(&mut editor, Action::Undo);
    assert!(held(&editor).is_empty(), "the stroke is one step");
    click(&mut editor, "Symmetry: X");
    drag(&mut editor, &way, Modifiers::NONE);
    let both = held(&editor);
    // The vertices of a beam are the same on both sides.
    let mirrored = |axis: usize, v: u32| {
        let image = Vec3::from_fn(|k, _| if k == axis { 2.0 * middle[k] - positions[v as usize][k] } else { positions[v as usize][k] });
        (0..positions.len() as u32)
            .min_by(|&a, &b| (positions[a as usize] - image).norm().total_cmp(&(positions[b as usize] - image).norm()))
    };
    let expected: BTreeSet<u32> = one.iter().copied().chain(one.iter().filter_map(|&v| mirrored(0, v))).collect();
    assert_eq!(both, expected);
    act(&mut editor, Action::Undo);
    assert!(held(&editor).is_empty(), "both sides are one step");
    // And erased on both.
    act(&mut editor, Action::Redo);
    drag(&mut editor, &way, Modifiers::CTRL);
    assert!(held(&editor).is_empty(), "{:?}", held(&editor));
    // The far side of the beam, across z as well.
    click(&mut editor, "Symmetry: Z");
    drag(&mut editor, &way, Modifiers::NONE);
    let four = held(&editor);
    let expected: BTreeSet<u32> = both.iter().copied().chain(both.iter().filter_map(|&v| mirrored(2, v))).collect();
    assert_eq!(four, expected);
    click(&mut editor, "Symmetry: Off");
    assert_eq!(editor.state().desk().brush.symmetry, [false; 3]);
}

#[test]
fn parts_by_place_are_looked_at_before_they_are_taken() {
    let mut editor = with_beam();
    let model = body(&editor);
    let positions = &model.bodies[0].mesh.positions;
    let (low, high) = bounds(&model.bodies[0]);
    let before = scene(&editor);
    click(&mut editor, "By height");
    let looked_at = editor.state().desk().brush.looked_at;
    let surface: BTreeSet<u32> = model.bodies[0].triangles.iter().flatten().copied().collect();
    let upper: BTreeSet<u32> =
        surface.iter().copied().filter(|&v| positions[v as usize].y >= low.y + 0.5 * (high.y - low.y) - 1e-9).collect();
    assert_eq!((looked_at, &scene(&editor)), (upper.len(), &before), "looking changes nothing");
    click(&mut editor, "Add them");
    assert_eq!(held(&editor), upper);
    click(&mut editor, "By normal angle");
    click(&mut editor, "Take out");
    let sides: BTreeSet<u32> = upper.iter().copied().filter(|&v| positions[v as usize].y < high.y - 1e-9).collect();
    // What faces up is the top without its edges, which face aside as much.
    let left = held(&editor);
    assert!(left.is_superset(&sides) && left.len() < upper.len(), "{} of {}", left.len(), upper.len());
    act(&mut editor, Action::Undo);
    assert_eq!(held(&editor), upper, "one step");
    act(&mut editor, Action::Undo);
    assert!(held(&editor).is_empty());
}

#[test]
fn rectangles_and_loops_take_what_is_seen_in_them_or_all() {
    let mut editor = with_beam();
    let model = body(&editor);
    let positions = &model.bodies[0].mesh.positions;
    let (low, high) = bounds(&model.bodies[0]);
    let [from, to] = [front(&editor, 0.0), front(&editor, 0.5)];
    let around = [pos2(from.x - 30.0, from.y - 120.0), pos2(to.x, to.y + 120.0)];
    click(&mut editor, "Box");
    drag(&mut editor, &around, Modifiers::NONE);
    let seen = held(&editor);
    let half = |v: &&u32| positions[**v as usize].x < 0.5 * (low.x + high.x) + 1e-6;
    assert!(seen.len() > 4 && seen.iter().filter(half).count() == seen.len(), "{seen:?}");
    assert!(seen.iter().all(|&v| positions[v as usize].z > high.z - 0.51 * (high.z - low.z)), "nothing of the far side");
    act(&mut editor, Action::Undo);
    assert!(held(&editor).is_empty(), "one step");
    click(&mut editor, "Reach: Through");
    drag(&mut editor, &around, Modifiers::NONE);
    let all = held(&editor);
    let behind = all.iter().filter(|&&v| positions[v as usize].z < low.z + 1e-9).count();
    assert!(all.is_superset(&seen) && behind > 4, "{behind}");
    // A loop that is drawn with Ctrl takes out what it goes around.
    click(&mut editor, "Lasso");
    // Between two layers of vertices.
    let quarter = front(&editor, 0.26);
    let corners = [(from.x - 30.0, -120.0), (quarter.x, -120.0), (quarter.x, 120.0), (from.x - 30.0, 120.0)];
    let way: Vec<Pos2> = corners.iter().map(|(x, y)| pos2(*x, from.y + y)).collect();
    drag(&mut editor, &way, Modifiers::CTRL);
    let rest = held(&editor);
    let expected: BTreeSet<u32> = all.iter().copied().filter(|&v| on_screen(&editor, positions[v as usize]).x > quarter.x).collect();
    let told = |v: &u32| (*v, on_screen(&editor, positions[*v as usize]), quarter);
    assert_eq!(rest, expected, "{:?}", rest.symmetric_difference(&expected).map(told).collect::<Vec<_>>());
}

#[test]
fn what_is_locked_is_left_alone() {
    let mut editor = with_beam();
    let way = [front(&editor, 0.2), front(&editor, 0.25)];
    let Selection::Region(b, r) = editor.state().document().selection else { panic!() };
    click(&mut editor, "lock fixed");
    assert!(scene(&editor).bodies[b].regions[r].locked);
    let before = scene(&editor);
    drag(&mut editor, &way, Modifiers::NONE);
    assert_eq!(scene(&editor), before);
    assert!(editor.state().desk().note.as_ref().is_some_and(|note| note.contains("locked")), "{:?}", editor.state().desk().note);
    for change in [Action::Delete, Action::Reshape(aplomb::document::Reshape::Invert)] {
        act(&mut editor, change);
        assert_eq!(scene(&editor), before);
    }
    click(&mut editor, "lock fixed");
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before, "a lock is a step of the history");
    act(&mut editor, Action::Redo);
    drag(&mut editor, &way, Modifiers::NONE);
    assert!(!held(&editor).is_empty());
}

#[test]
fn regions_change_places_and_keep_their_colours() {
    let mut editor = with_beam();
    let (b, before) = (0, scene(&editor));
    assert_eq!(editor.state().document().selection, Selection::Region(b, 1));
    act(&mut editor, Action::ToggleBrush);
    click(&mut editor, "Under");
    let after = scene(&editor);
    assert_eq!(editor.state().document().selection, Selection::Region(b, 0), "it stays selected");
    let names = |scene: &aplomb_sim::scene::Scene| scene.bodies[b].regions.iter().map(|r| (r.name.clone(), r.color)).collect::<Vec<_>>();
    let mut expected = names(&before);
    expected.reverse();
    assert_eq!(names(&after), expected);
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before);
}

#[test]
fn contacts_are_suggested_by_how_near_something_is() {
    let mut editor = open(&gallery("jelly_on_table"), 900.0);
    act(&mut editor, Action::NewRegion(RoleKind::Contact));
    click(&mut editor, "Suggest contacts");
    wait(&mut editor, "it is looked for", |app| !app.desk().brush.looking && app.desk().brush.looked_at > 0);
    let looked_at = editor.state().desk().brush.looked_at;
    let before = scene(&editor);
    assert!(held(&editor).is_empty());
    click(&mut editor, "Add them");
    let near = held(&editor);
    let model = body(&editor);
    let lowest = bounds(&model.bodies[0]).0.y;
    let highest = near.iter().map(|&v| model.bodies[0].mesh.positions[v as usize].y).fold(f64::NEG_INFINITY, f64::max);
    assert!(near.len() == looked_at && highest - lowest < 0.1 * model.diagonal, "{} at most {highest} over {lowest}", near.len());
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor), before, "one step");
}

#[test]
fn the_stiffness_of_a_body_is_painted_as_a_field_and_reaches_the_report() {
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    let before = scene(&editor);
    assert_eq!(editor.state().document().selection, Selection::Body(0));
    click(&mut editor, "Paint stiffness");
    assert!(editor.state().desk().brush.on && editor.query_by_label("Paints: Field").is_some());
    let way = [front(&editor, 0.3), front(&editor, 0.5), front(&editor, 0.3)];
    drag(&mut editor, &way, Modifiers::NONE);
    let field = scene(&editor).bodies[0].stiffness_field.clone().expect("it is painted");
    let strongest = field.factors.iter().copied().fold(0.0, f64::max);
    // At most as strong as the brush, however often it passes: 60 % of the way to 4, by ratios.
    assert!(field.factors.len() > 4 && field.factors.iter().all(|factor| *factor > 1.0), "{field:?}");
    assert!(strongest <= 4f64.powf(0.6) + 1e-3 && strongest > 1.5, "{strongest}");
    initialise(&mut editor);
    let report = editor.state().main().certificate.as_ref().unwrap().report.clone();
    let told = report.stiffness_field.expect("the report tells");
    assert!(told.min == 1.0 && told.max > 1.2 && told.max <= strongest && told.mean > 1.0 && told.mean < told.max, "{told:?}");
    assert!(report.residual.after < 1e-8);
    // Evened out, its extremes are less; erased, nothing is left.
    click(&mut editor, "Mode: Smooth");
    drag(&mut editor, &way, Modifiers::NONE);
    let smooth = scene(&editor).bodies[0].stiffness_field.clone().unwrap();
    assert!(smooth.factors.iter().copied().fold(0.0, f64::max) < strongest);
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor).bodies[0].stiffness_field.as_ref(), Some(&field), "a stroke is one step");
    act(&mut editor, Action::Select(Selection::Body(0)));
    click(&mut editor, "No stiffness field");
    assert_eq!(scene(&editor).bodies[0].stiffness_field, None);
    act(&mut editor, Action::Undo);
    act(&mut editor, Action::Undo);
    assert_eq!(scene(&editor).bodies[0].stiffness_field, before.bodies[0].stiffness_field);
}

#[test]
fn strength_is_a_number_and_a_motion_of_the_mouse() {
    let mut editor = open(&gallery("hanging_beam"), 900.0);
    wait(&mut editor, "it is loaded", is_idle);
    act(&mut editor, Action::ToggleBrush);
    assert!(editor.query_by_role_and_label(Role::Slider, "Strength").is_some());
    let at = front(&editor, 0.5);
    editor.event(Event::PointerMoved(at));
    editor.step();
    editor.key_down_modifiers(Modifiers::SHIFT, egui::Key::F);
    editor.step();
    editor.event_modifiers(Event::PointerMoved(at + egui::vec2(-40.0, 0.0)), Modifiers::SHIFT);
    editor.step();
    let weaker = editor.state().desk().brush.strength;
    assert!(weaker < 0.5 && weaker > 0.2, "{weaker}");
    editor.key_up_modifiers(Modifiers::SHIFT, egui::Key::F);
    editor.step();
    editor.event(Event::PointerMoved(at));
    editor.step();
    assert_eq!(editor.state().desk().brush.strength, weaker, "F is let go");
}
