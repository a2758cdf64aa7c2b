//! Panels are moved, maximised, closed and opened again, and stand there in the next window; nothing overlaps in a small one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use crate::editor::{Editor, act, gallery, initialise, is_idle, open, wait};
use aplomb::app::{App, Options};
use aplomb::document::{Action, Selection};
use aplomb::layout::{Arrange, Side, Zoom};
use aplomb::panels::BottomTab;
use egui::{Key, Modifiers, Pos2, Rect, Role, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// The editor with a state folder.
fn open_with(state: &Path) -> Editor {
    let options = Options { scene: Some(gallery("hanging_beam")), state: Some(state.to_path_buf()) };
    let mut editor = Harness::builder().with_size([1280.0, 800.0]).build_eframe(move |cc| App::new(cc, options).unwrap());
    wait(&mut editor, "the scene is loaded", is_idle);
    editor
}

fn tab(editor: &Editor, name: &str) -> Option<Rect> {
    editor.query_by_role_and_label(Role::Tab, name).map(|node| node.rect())
}

fn view(editor: &Editor) -> Rect {
    editor.get_by_label("3D view").rect()
}

/// Drags from one place to another.
fn drag(editor: &mut Editor, from: Pos2, to: Pos2) {
    editor.hover_at(from);
    editor.run_steps(2);
    editor.drag_at(from);
    editor.run_steps(2);
    for share in [0.1, 0.3, 0.6, 0.9, 1.0] {
        editor.hover_at(from + share * (to - from));
        editor.run_steps(2);
    }
    editor.drop_at(to);
    editor.run_steps(4);
}

/// Takes a step, so that there is something to plot.
fn step(editor: &mut Editor) {
    let before = editor.state().main().last_frame();
    act(editor, Action::Step);
    wait(editor, "a step is taken", move |app| is_idle(app) && app.main().last_frame() > before);
    editor.run_steps(4);
}

#[test]
fn the_bottom_is_one_strip_until_there_is_something_to_show() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    editor.run_steps(4);
    let before = view(&editor);
    assert_eq!(before.bottom(), 800.0 - 40.0 - 1.0, "the strip is 40 high");
    assert!(tab(&editor, "Plots").is_none());
    initialise(&mut editor);
    editor.run_steps(4);
    assert_eq!(view(&editor), before, "it holds, and nothing is plotted");
    step(&mut editor);
    let after = view(&editor);
    assert!(after.bottom() < before.bottom() - 150.0 && after.top() == before.top(), "{after}");
    let bar = tab(&editor, "Plots").unwrap();
    assert_eq!(bar.height(), 32.0);
    // Hidden and shown by a key.
    editor.key_press_modifiers(Modifiers::ALT, Key::Num2);
    editor.run_steps(4);
    assert_eq!(view(&editor), before);
    editor.key_press_modifiers(Modifiers::ALT, Key::Num2);
    editor.run_steps(4);
    assert_eq!(view(&editor), after);
}

#[test]
fn a_failure_takes_no_more_room_than_its_words() {
    let mut editor = open(&gallery("too_slippery"), 800.0);
    initialise(&mut editor);
    editor.run_steps(4);
    let (bar, view) = (tab(&editor, "Problems (1)").expect("it is opened"), view(&editor));
    assert!(800.0 - bar.bottom() < 90.0, "three lines: {bar}");
    assert!(view.bottom() > 630.0, "{view}");
    // A histogram takes more.
    editor.get_by_role_and_label(Role::Tab, "Histogram").click();
    editor.run_steps(4);
    assert!(tab(&editor, "Histogram").unwrap().top() < bar.top() - 40.0);
}

#[test]
fn columns_and_bars_have_their_sizes_and_are_wider_in_a_wide_window() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    editor.run_steps(4);
    assert_eq!(view(&editor).left(), 217.0, "216, and a line");
    assert_eq!(view(&editor).top(), 68.0, "28 and 40");
    assert!((view(&editor).right() - (1280.0 - 304.0)).abs() <= 1.0, "{}", view(&editor));
    editor.set_size(vec2(2100.0, 1200.0));
    editor.run_steps(6);
    assert_eq!(view(&editor).left(), 265.0);
    assert!((view(&editor).right() - (2100.0 - 344.0)).abs() <= 1.0, "{}", view(&editor));
}

#[test]
fn a_panel_is_dragged_beside_others_and_stands_there_in_the_next_window() {
    let state = tempfile::tempdir().unwrap();
    let mut editor = open_with(state.path());
    step(&mut editor);
    let bar = tab(&editor, "Plots").unwrap();
    let histogram = tab(&editor, "Histogram").unwrap();
    assert_eq!(histogram.top(), bar.top());
    let whole = view(&editor);
    // To the middle of the right half of the dock: near its upper corner it would become the last tab.
    drag(&mut editor, histogram.center(), pos2(whole.right() - 230.0, bar.bottom() + 100.0));
    let moved = tab(&editor, "Histogram").unwrap();
    assert!(moved.left() > bar.right() + 200.0 && moved.top() == bar.top(), "{moved}");
    assert!(editor.query_by_label_contains("Initialise to see how hard").is_some(), "both are seen at once");
    assert!(editor.query_by_label("Energy [J]").is_some());
    // A line between parts is dragged: the docks are higher.
    let line = pos2(whole.center().x, whole.bottom() + 0.5);
    drag(&mut editor, line, line - vec2(0.0, 70.0));
    let lower = view(&editor);
    assert!((lower.bottom() - (whole.bottom() - 70.0)).abs() < 3.0, "{lower} was {whole}");
    // What is plotted is closed, and the theme and the scale are others.
    act(&mut editor, Action::Arrange(Arrange::Toggle(BottomTab::Problems)));
    assert!(tab(&editor, "Problems").is_none());
    act(&mut editor, Action::Zoom(Zoom::In));
    act(&mut editor, Action::Zoom(Zoom::Out));
    let places = |editor: &Editor| ["Plots", "Histogram", "Problems"].map(|name| tab(editor, name));
    let before = places(&editor);
    drop(editor);
    let mut next = open_with(state.path());
    step(&mut next);
    assert_eq!(places(&next), before);
    assert_eq!(view(&next), lower);
    act(&mut next, Action::Arrange(Arrange::Reset));
    next.run_steps(4);
    assert_eq!(tab(&next, "Histogram").unwrap(), histogram, "all as at first");
    assert!(tab(&next, "Problems").is_some());
    assert_eq!(view(&next), whole);
}

#[test]
fn a_panel_is_dragged_below_all_the_tabs_it_was_with() {
    let state = tempfile::tempdir().unwrap();
    let mut editor = open_with(state.path());
    step(&mut editor);
    let (bar, whole) = (tab(&editor, "Plots").unwrap(), view(&editor));
    // Onto the lower end of the panel in front, in the middle.
    let below = pos2(whole.center().x, bar.bottom() + 145.0);
    let histogram = tab(&editor, "Histogram").unwrap().center();
    drag(&mut editor, histogram, below);
    let plots = tab(&editor, "Plots").unwrap();
    assert!(tab(&editor, "Histogram").unwrap().top() > plots.bottom() + 20.0, "below what is plotted");
    assert_eq!(tab(&editor, "Problems").unwrap().top(), plots.top(), "the others stay together");
    assert!(tab(&editor, "Several").is_none(), "nothing is hidden behind a tab of no name");
    // And back among them.
    let histogram = tab(&editor, "Histogram").unwrap().center();
    drag(&mut editor, histogram, plots.center());
    assert_eq!(tab(&editor, "Histogram").unwrap().top(), tab(&editor, "Plots").unwrap().top());
}

#[test]
fn a_panel_has_all_the_room_until_escape() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    step(&mut editor);
    let before = view(&editor);
    editor.get_by_label("All the room").click();
    editor.run_steps(4);
    assert!(editor.query_by_label("3D view").is_none());
    assert!(tab(&editor, "Plots").unwrap().top() <= 68.0);
    editor.get_by_role_and_label(Role::Button, "Play");
    editor.key_press(Key::Escape);
    editor.run_steps(4);
    assert_eq!(view(&editor), before);
    // The icon does the same, and so does the key.
    for back in [true, false] {
        editor.key_press_modifiers(Modifiers::COMMAND, Key::Space);
        editor.run_steps(4);
        assert!(editor.query_by_label("3D view").is_none());
        match back {
            true => editor.get_by_label("Back to its place").click(),
            false => editor.key_press_modifiers(Modifiers::COMMAND, Key::Space),
        }
        editor.run_steps(4);
        assert_eq!(view(&editor), before);
    }
}

#[test]
fn a_panel_is_closed_and_opened_again_where_it_was() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    step(&mut editor);
    let before = tab(&editor, "Histogram").unwrap();
    let tick = |editor: &mut Editor| {
        editor.get_by_role_and_label(Role::Button, "Window").click();
        editor.run_steps(3);
        editor.get_by_label_contains("Panels").click();
        editor.run_steps(3);
        editor.get_by_role_and_label(Role::CheckBox, "Histogram").click();
        editor.run_steps(3);
        editor.key_press(Key::Escape);
        editor.run_steps(3);
        editor.key_press(Key::Escape);
        editor.run_steps(3);
    };
    tick(&mut editor);
    assert!(tab(&editor, "Histogram").is_none());
    assert!(tab(&editor, "Probes").unwrap().left() <= before.left());
    tick(&mut editor);
    assert_eq!(tab(&editor, "Histogram").unwrap(), before);
    assert_eq!(editor.state().desk().tab, BottomTab::Histogram, "in front");
    // What is closed is opened where there is something to tell.
    act(&mut editor, Action::Arrange(Arrange::Toggle(BottomTab::Problems)));
    let away = std::env::temp_dir().join("no such folder");
    act(&mut editor, Action::File(aplomb::document::FileRequest::Export(aplomb::session::Export::Run(away.join("x\0"), "vtu"))));
    wait(&mut editor, "it fails", |app| is_idle(app) && !app.main().problems.is_empty());
    editor.run_steps(4);
    assert!(tab(&editor, "Problems (1)").is_some());
}

#[test]
fn columns_are_collapsed_and_shown_again() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    editor.run_steps(4);
    let before = view(&editor);
    for (side, name) in [(Side::Left, "Show the outliner"), (Side::Right, "Show the right column")] {
        act(&mut editor, Action::Arrange(Arrange::Column(side)));
        assert!(!editor.state().layout().shows(side));
        assert!(view(&editor).width() > before.width() + 150.0, "{side:?}");
        editor.get_by_label(name).click();
        editor.run_steps(4);
        assert_eq!(view(&editor), before, "{side:?}");
    }
}

#[test]
fn a_damaged_file_gives_the_default_layout() {
    for text in
        ["", "{", "[]", "{\"panels\": {\"tabs\": {\"panels\": []}}}", "{\"scale\": 900.0}", "{\"panels\": {\"row\": {\"parts\": [7]}}}"]
    {
        let state = tempfile::tempdir().unwrap();
        std::fs::write(state.path().join("layout.json"), text).unwrap();
        let mut editor = open_with(state.path());
        editor.run_steps(4);
        assert_eq!((view(&editor).left(), view(&editor).top()), (217.0, 68.0), "{text}");
        assert_eq!(editor.ctx.zoom_factor(), 1.0, "{text}");
        assert!(editor.query_by_role_and_label(Role::Button, "Play").is_some(), "{text}");
    }
}

#[test]
fn the_scale_is_that_of_the_next_window() {
    let state = tempfile::tempdir().unwrap();
    let mut editor = open_with(state.path());
    for _ in 0..3 {
        editor.key_press_modifiers(Modifiers::COMMAND, Key::Plus);
        editor.run_steps(3);
    }
    assert_eq!(editor.ctx.zoom_factor(), 1.3);
    editor.key_press_modifiers(Modifiers::COMMAND, Key::Minus);
    editor.run_steps(3);
    drop(editor);
    let mut next = open_with(state.path());
    assert_eq!(next.ctx.zoom_factor(), 1.2);
    next.key_press_modifiers(Modifiers::COMMAND, Key::Num0);
    next.run_steps(3);
    drop(next);
    assert_eq!(open_with(state.path()).ctx.zoom_factor(), 1.0);
}

/// Everything that has a name and can be pressed or moved.
fn controls(editor: &Editor) -> Vec<(String, Rect)> {
    let pressed = [Role::Button, Role::ComboBox, Role::Slider, Role::Tab, Role::CheckBox, Role::SpinButton, Role::TextInput];
    let mut found = Vec::new();
    for role in pressed {
        for node in editor.query_all_by_role(role) {
            let name = node.accesskit_node().label().unwrap_or_default();
            // The balls of the axes lie before one another, as they are seen.
            if name.starts_with("Look from") {
                continue;
            }
            found.push((format!("{role:?} {name}"), node.rect()));
        }
    }
    found
}

#[test]
fn in_a_small_window_nothing_is_cut_and_nothing_overlaps() {
    for scene in ["hanging_beam", "too_slippery", "creature"] {
        let mut editor = open(&gallery(scene), 600.0);
        editor.set_size(vec2(900.0, 600.0));
        editor.run_steps(6);
        initialise(&mut editor);
        step(&mut editor);
        assert!(!editor.state().layout().shows(Side::Left), "one column gives way");
        let window = Rect::from_min_max(Pos2::ZERO, pos2(900.0, 600.0));
        // The right column scrolls: what is below is not cut.
        let all = controls(&editor);
        let fixed: Vec<_> = all.iter().filter(|(_, rect)| rect.top() < 68.0 || rect.right() < 590.0).collect();
        assert!(fixed.len() > 20, "{fixed:?}");
        for (name, rect) in &fixed {
            assert!(window.contains_rect(*rect), "{name} of {scene} is at {rect}");
        }
        for (i, (name, rect)) in fixed.iter().enumerate() {
            for (other, against) in &fixed[i + 1..] {
                assert!(!rect.shrink(1.0).intersects(against.shrink(1.0)), "{name} {rect} and {other} {against} of {scene}");
            }
        }
        // The one that gave way is shown when it is asked for, and then the other gives way.
        editor.get_by_label("Show the outliner").click();
        editor.run_steps(4);
        assert!(editor.state().layout().shows(Side::Left) && !editor.state().layout().shows(Side::Right));
        assert!(view(&editor).width() > 500.0);
    }
}

#[test]
fn stages_tell_what_they_need_and_lead_there() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    editor.run_steps(2);
    let told = |editor: &Editor, name: &str| {
        let name = format!("Stage {name}");
        let node = editor.get_by_role_and_label(Role::Button, &name);
        (node.accesskit_node().description().unwrap_or_default(), node.rect())
    };
    let (needs, rect) = told(&editor, "Initialise");
    assert_eq!(needs, "to do: press Initialise, and the pose will hold");
    let middle = 0.5 * (told(&editor, "Import").1.left() + told(&editor, "Export").1.right());
    // As far in the middle as the tools at its left leave it.
    assert!((middle - 640.0).abs() < 32.0 && rect.height() == 24.0, "the strip stands in the middle: {middle}");
    editor.get_by_label("Stage Initialise").click();
    editor.run_steps(2);
    wait(&mut editor, "it is initialised", |app| is_idle(app) && app.main().certificate.is_some());
    assert_eq!(told(&editor, "Initialise").0, "done: shows the certificate");
    editor.get_by_label("Stage Export").click();
    editor.run_steps(2);
    assert!(editor.state().desk().file_card.is_some());
}

/// What is hidden by its eye is neither seen nor hit.
#[test]
fn bodies_and_obstacles_have_eyes() {
    let mut editor = open(&gallery("jelly_on_table"), 800.0);
    editor.run_steps(10);
    let click_view = |editor: &mut Editor| {
        let at = view(editor).center();
        editor.hover_at(at);
        editor.run_steps(2);
        editor.drag_at(at);
        editor.run_steps(1);
        editor.drop_at(at);
        editor.run_steps(3);
        editor.state().document().selection
    };
    act(&mut editor, Action::Select(Selection::Scene));
    assert_eq!(click_view(&mut editor), Selection::Body(0));
    act(&mut editor, Action::Select(Selection::Scene));
    let scene = crate::editor::scene(&editor);
    editor.get_by_label(&format!("show {}", scene.bodies[0].name)).click();
    editor.run_steps(3);
    assert_ne!(click_view(&mut editor), Selection::Body(0), "it is not there to be hit");
    editor.get_by_label(&format!("show {}", scene.bodies[0].name)).click();
    editor.run_steps(3);
    assert_eq!(click_view(&mut editor), Selection::Body(0));
    let eye = format!("show {}", scene.obstacles[0].name);
    editor.get_by_label(&eye).click();
    editor.run_steps(3);
    assert!(editor.state().desk().hidden_obstacles.contains(&0));
    editor.get_by_label(&eye).click();
    editor.run_steps(3);
    assert!(editor.state().desk().hidden_obstacles.is_empty());
}

#[test]
fn the_outliner_shows_loads_and_finds_names() {
    let mut editor = open(&gallery("fig9_plant"), 800.0);
    editor.run_steps(4);
    act(&mut editor, Action::Select(Selection::Body(0)));
    editor.get_by_role_and_label(Role::Button, "wind");
    editor.get_by_role_and_label(Role::Button, "gravity").click();
    editor.run_steps(3);
    assert_eq!(editor.state().document().selection, Selection::Scene, "that is where it is edited");
    editor.get_by_label("ground, friction 0.5");
    editor.get_by_label("Search the scene").click();
    editor.run_steps(3);
    editor.get_by_role_and_label(Role::TextInput, "Name to search for").focus();
    editor.run_steps(1);
    editor.get_by_role_and_label(Role::TextInput, "Name to search for").type_text("ve");
    editor.run_steps(3);
    editor.get_by_role_and_label(Role::Button, "veins");
    assert!(editor.query_by_role_and_label(Role::Button, "wood").is_none());
    assert!(editor.query_by_role_and_label(Role::Button, "pot").is_none());
    editor.get_by_label("Search the scene").click();
    editor.run_steps(3);
    editor.get_by_role_and_label(Role::Button, "wood");
    editor.get_by_label("Fold regions of plant").click();
    editor.run_steps(3);
    assert!(editor.query_by_role_and_label(Role::Button, "wood").is_none());
}
