//! Commands by name and by key: the palette, keys that the user changes, help, and the history of steps.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use aplomb::app::{App, Options};
use aplomb::document::{Action, Selection, ShapeKind};
use aplomb::layout::Arrange;
use aplomb::panels::{Banner, BottomTab, ColorBy};
use egui::{Event, Key, Modifiers, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

fn beam() -> Editor {
    open(&gallery("hanging_beam"), 800.0)
}

/// A window whose state is kept in `state`.
fn window(state: &Path) -> Editor {
    let options = Options { scene: Some(gallery("hanging_beam")), state: Some(state.to_path_buf()) };
    let mut editor = Harness::builder().with_size([1280.0, 800.0]).build_eframe(move |cc| App::new(cc, options).unwrap());
    wait(&mut editor, "the scene is loaded", is_idle);
    editor
}

fn type_in(editor: &mut Editor, text: &str) {
    editor.event(Event::Text(text.to_owned()));
    editor.run_steps(2);
}

fn key(editor: &mut Editor, key: Key) {
    editor.key_press(key);
    editor.run_steps(2);
}

fn ask(editor: &mut Editor, text: &str) {
    editor.key_press_modifiers(Modifiers::COMMAND, Key::P);
    editor.run_steps(3);
    type_in(editor, text);
}

/// The lines of the palette from the top.
fn lines(editor: &Editor) -> Vec<String> {
    let mut lines: Vec<(f32, String)> = editor
        .query_all_by_role(Role::Button)
        .filter_map(|node| Some((node.rect().top(), node.accesskit_node().label()?)))
        .filter(|(_, label)| label.contains(": "))
        .collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    lines.into_iter().map(|(_, label)| label).collect()
}

#[test]
fn a_few_letters_and_enter_run_the_best_command() {
    let mut editor = beam();
    ask(&mut editor, "palette");
    assert_eq!(lines(&editor)[0], "Window: Command palette");
    key(&mut editor, Key::Escape);
    assert!(editor.state().desk().palette.is_none());
    ask(&mut editor, "stobst");
    assert_eq!(lines(&editor)[0], "View: See through obstacles", "letters of several words");
    key(&mut editor, Key::Enter);
    assert!(editor.state().desk().xray && editor.state().desk().palette.is_none());
    ask(&mut editor, "new");
    let found = lines(&editor);
    assert!(found.iter().take(3).all(|line| line.split(": ").nth(1).unwrap().starts_with("New")), "{found:?}");
    // Down to the second, and on its way round.
    key(&mut editor, Key::ArrowDown);
    key(&mut editor, Key::ArrowUp);
    key(&mut editor, Key::ArrowUp);
    key(&mut editor, Key::ArrowDown);
    key(&mut editor, Key::ArrowDown);
    assert_eq!(editor.state().desk().palette.as_ref().map(|state| state.line), Some(1));
    let second = found[1].split(": ").nth(1).unwrap().to_owned();
    key(&mut editor, Key::Enter);
    // What was used comes first when nothing is typed.
    editor.key_press_modifiers(Modifiers::COMMAND, Key::P);
    editor.run_steps(3);
    assert!(lines(&editor)[0].ends_with(&second), "{} and {second}", lines(&editor)[0]);
    assert!(lines(&editor)[1].ends_with("See through obstacles"));
}

#[test]
fn what_cannot_be_done_is_listed_with_its_reason_and_not_done() {
    let mut editor = beam();
    ask(&mut editor, "redo");
    assert_eq!(lines(&editor)[0], "Edit: Redo");
    assert!(editor.get_by_role_and_label(Role::Button, "Edit: Redo").accesskit_node().is_disabled());
    key(&mut editor, Key::Enter);
    assert!(editor.state().desk().palette.is_some(), "nothing was chosen");
    key(&mut editor, Key::Escape);
    act(&mut editor, Action::NewObstacle(ShapeKind::Ball));
    act(&mut editor, Action::Undo);
    ask(&mut editor, "redo");
    key(&mut editor, Key::Enter);
    assert_eq!(scene(&editor).obstacles.len(), 1);
}

#[test]
fn scenes_of_the_gallery_are_opened_by_name() {
    let mut editor = beam();
    ask(&mut editor, "hanging ch");
    assert_eq!(lines(&editor)[0], "Gallery: Hanging chain");
    key(&mut editor, Key::Enter);
    wait(&mut editor, "the chain is loaded", |app| is_idle(app) && app.document().title() == "hanging_chain.json");
}

fn press(editor: &mut Editor, button: &str) {
    editor.get_by_role_and_label(Role::Button, button).click();
    editor.run_steps(3);
}

#[test]
fn a_key_that_was_changed_works_at_once_and_in_the_next_window() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = window(folder.path());
    act(&mut editor, Action::ToggleShortcuts);
    type_in_search(&mut editor, "see through");
    press(&mut editor, "Key of See through obstacles");
    key(&mut editor, Key::J);
    press(&mut editor, "Close");
    assert!(!editor.state().desk().xray, "the key was taken by the card alone");
    key(&mut editor, Key::X);
    assert!(!editor.state().desk().xray, "the usual key is free");
    key(&mut editor, Key::J);
    assert!(editor.state().desk().xray);
    let mut next = window(folder.path());
    key(&mut next, Key::J);
    assert!(next.state().desk().xray);
    // Help tells the keys as they are.
    key(&mut next, Key::F1);
    assert!(next.query_all_by_label("J").next().is_some());
    key(&mut next, Key::F1);
    act(&mut next, Action::ToggleShortcuts);
    type_in_search(&mut next, "see through");
    press(&mut next, "Reset the key of See through obstacles");
    press(&mut next, "Close");
    key(&mut next, Key::X);
    assert!(!next.state().desk().xray);
}

fn type_in_search(editor: &mut Editor, text: &str) {
    editor.get_by_role_and_label(Role::TextInput, "Search by name or key").focus();
    editor.run_steps(2);
    type_in(editor, text);
}

#[test]
fn every_colour_and_panel_is_found_by_its_name() {
    let mut editor = beam();
    crate::editor::initialise(&mut editor);
    for (typed, color_by) in [("colour von mises", ColorBy::Field("von Mises stress")), ("colour by plain", ColorBy::Plain)] {
        ask(&mut editor, typed);
        key(&mut editor, Key::Enter);
        assert_eq!(editor.state().desk().color_by, color_by, "{typed}");
    }
    // Panels too.
    ask(&mut editor, "region map");
    key(&mut editor, Key::Enter);
    assert_eq!(editor.state().desk().tab, BottomTab::RegionMap);
}

#[test]
fn a_key_that_another_command_has_is_asked_about() {
    let mut editor = beam();
    act(&mut editor, Action::ToggleShortcuts);
    type_in_search(&mut editor, "through");
    press(&mut editor, "Key of See through obstacles");
    key(&mut editor, Key::T);
    editor.get_by_label("T belongs to Tets in place of the surface.");
    press(&mut editor, "Leave it");
    let keys = |editor: &Editor, label: &str| editor.state().desk().keymap.words_of(label);
    assert_eq!(keys(&editor, "See through obstacles"), "X");
    press(&mut editor, "Key of See through obstacles");
    key(&mut editor, Key::T);
    press(&mut editor, "Take it");
    assert_eq!((keys(&editor, "See through obstacles").as_str(), keys(&editor, "Tets in place of the surface").as_str()), ("T", ""));
    // The view's own keys are not given away, and Esc leaves things as they are.
    press(&mut editor, "Key of See through obstacles");
    key(&mut editor, Key::F);
    editor.get_by_label_contains("that is the view's own key");
    press(&mut editor, "Key of See through obstacles");
    key(&mut editor, Key::Escape);
    assert_eq!(keys(&editor, "See through obstacles"), "T");
    assert!(editor.state().desk().shortcuts.is_some(), "the card stays");
    press(&mut editor, "Reset all");
    assert!(!editor.state().desk().keymap.has_changes());
}

#[test]
fn damaged_keys_are_told_when_the_window_opens() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("keys.json"), "{ \"Loop\": ").unwrap();
    let mut editor = window(folder.path());
    assert!(matches!(editor.state().banner(), Some(Banner::Failed(why)) if why.contains("keys.json")));
    key(&mut editor, Key::X);
    assert!(editor.state().desk().xray, "the usual keys are in force");
}

#[test]
fn help_has_every_key_and_scrolls_in_a_low_window() {
    let mut editor = open(&gallery("hanging_beam"), 600.0);
    editor.set_size(egui::vec2(900.0, 600.0));
    key(&mut editor, Key::F1);
    for command in aplomb::document::COMMANDS.iter().filter(|command| command.shortcut.is_some()) {
        assert!(editor.query_all_by_label(command.label).next().is_some(), "{}", command.label);
    }
    let button = editor.get_by_role_and_label(Role::Button, "Change keys…").rect();
    assert!(button.bottom() < 600.0, "the end is in sight: {button}");
}

#[test]
fn a_click_into_the_history_goes_there_and_back() {
    let mut editor = beam();
    for kind in [ShapeKind::Ball, ShapeKind::Box, ShapeKind::Capsule] {
        act(&mut editor, Action::NewObstacle(kind));
    }
    act(&mut editor, Action::Select(Selection::Scene));
    act(&mut editor, Action::Arrange(Arrange::Front(BottomTab::History)));
    assert_eq!(editor.state().desk().tab, BottomTab::History);
    press(&mut editor, "Step 1: New obstacle");
    assert_eq!(scene(&editor).obstacles.len(), 1);
    press(&mut editor, "Step 3: New obstacle");
    assert_eq!(scene(&editor).obstacles.len(), 3, "what was taken back is done again");
    press(&mut editor, "Step 0: Opened");
    assert!(scene(&editor).obstacles.is_empty() && !editor.state().document().is_dirty());
    assert_eq!(editor.state().document().history.steps().1, 0);
}
