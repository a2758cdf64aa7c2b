//! The card's own browser of files: keys, typed paths, what fits, folders that cannot be read.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use crate::editor::{Editor, act, gallery, open, wait};
use aplomb::document::{Action, FileAction};
use aplomb::panels::{Banner, FileCard};
use aplomb_sim::scene_file;
use egui::{Event, Key, Role};
use egui_kittest::kittest::Queryable;

/// Scenes and other things in a folder, and the editor on one of them.
fn start(folder: &Path) -> Editor {
    let from = gallery("hanging_beam");
    let mut scene = scene_file::load(&from).unwrap();
    scene.mesh_files_mut().for_each(|mesh| *mesh = from.parent().unwrap().join(&*mesh).canonicalize().unwrap().display().to_string());
    scene.schema = None;
    std::fs::create_dir_all(folder.join("deep/deeper")).unwrap();
    for name in ["beam.json", "beam_two.json", "deep/beam_three.json"] {
        scene_file::save(&folder.join(name), &scene).unwrap();
    }
    std::fs::write(folder.join("notes.txt"), "").unwrap();
    std::fs::write(folder.join(".hidden.json"), "").unwrap();
    open(&folder.join("beam.json"), 800.0)
}

fn card(editor: &Editor) -> &FileCard {
    editor.state().desk().file_card.as_ref().expect("the card is open")
}

fn ask(editor: &mut Editor, action: FileAction) {
    act(editor, Action::Ask(action));
    read(editor);
}

/// Waits until the folder is read.
fn read(editor: &mut Editor) {
    wait(editor, "the folder is read", |app| app.desk().file_card.as_ref().is_none_or(|card| card.browser.reading.is_none()));
    editor.run_steps(2);
}

fn listed(editor: &Editor) -> Vec<String> {
    card(editor).browser.shown().iter().map(|entry| entry.name.clone()).collect()
}

fn key(editor: &mut Editor, key: Key) {
    editor.key_press(key);
    editor.run_steps(3);
}

fn type_in(editor: &mut Editor, text: &str) {
    editor.event(Event::Text(text.to_owned()));
    editor.run_steps(3);
}

fn title(editor: &Editor) -> String {
    editor.state().document().title()
}

#[test]
fn a_scene_is_found_and_opened_with_the_keys_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = start(folder.path());
    ask(&mut editor, FileAction::Open);
    assert_eq!(listed(&editor), ["deep", "beam.json", "beam_two.json"], "folders, and what fits");
    // The field has the focus: down goes into the list, Enter opens a folder, and then a file.
    key(&mut editor, Key::ArrowDown);
    assert_eq!(PathBuf::from(&card(&editor).text), folder.path().join("deep"));
    key(&mut editor, Key::Enter);
    read(&mut editor);
    assert_eq!(listed(&editor), ["deeper", "beam_three.json"]);
    key(&mut editor, Key::ArrowDown);
    key(&mut editor, Key::ArrowDown);
    key(&mut editor, Key::Enter);
    wait(&mut editor, "it is open", |app| app.document().title() == "beam_three.json");
    assert!(editor.state().desk().file_card.is_none());
}

#[test]
fn in_the_list_letters_jump_and_backspace_goes_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = start(folder.path());
    ask(&mut editor, FileAction::Open);
    editor.get_by_role_and_label(Role::ListItem, "deep").click();
    editor.run_steps(3);
    // C and B are commands elsewhere; here they are letters.
    let twin = editor.state().twin().is_some();
    key(&mut editor, Key::C);
    assert_eq!(editor.state().twin().is_some(), twin);
    type_in(&mut editor, "beam_");
    assert_eq!(card(&editor).browser.at_hand().unwrap().name, "beam_two.json");
    key(&mut editor, Key::Home);
    assert_eq!(card(&editor).browser.at_hand().unwrap().name, "deep");
    key(&mut editor, Key::Enter);
    read(&mut editor);
    assert_eq!(card(&editor).browser.folder, folder.path().join("deep"));
    key(&mut editor, Key::Backspace);
    read(&mut editor);
    assert_eq!(card(&editor).browser.folder, folder.path());
    key(&mut editor, Key::End);
    key(&mut editor, Key::Enter);
    wait(&mut editor, "it is open", |app| app.document().title() == "beam_two.json");
}

#[test]
fn a_typed_path_is_followed_completed_and_taken() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = start(folder.path());
    ask(&mut editor, FileAction::Open);
    type_in(&mut editor, &format!("{}/dee", folder.path().display()));
    key(&mut editor, Key::Tab);
    assert_eq!(card(&editor).text, format!("{}/deep/", folder.path().display()));
    read(&mut editor);
    assert_eq!(card(&editor).browser.folder, folder.path().join("deep"));
    type_in(&mut editor, "beam");
    key(&mut editor, Key::Tab);
    key(&mut editor, Key::Enter);
    wait(&mut editor, "it is open", |app| app.document().title() == "beam_three.json");
}

#[test]
fn hidden_and_other_files_are_listed_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = start(folder.path());
    ask(&mut editor, FileAction::Open);
    for (name, then) in [("All files", "notes.txt"), ("Hidden", ".hidden.json")] {
        assert!(!listed(&editor).iter().any(|listed| listed == then));
        editor.get_by_role_and_label(Role::CheckBox, name).click();
        editor.run_steps(3);
        assert!(listed(&editor).iter().any(|listed| listed == then), "{:?}", listed(&editor));
    }
}

#[test]
fn a_folder_that_is_not_there_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = start(folder.path());
    ask(&mut editor, FileAction::Open);
    type_in(&mut editor, &format!("{}/nowhere/", folder.path().display()));
    read(&mut editor);
    editor.get_by_label_contains("nowhere cannot be read: it is not there");
    key(&mut editor, Key::Enter);
    assert_eq!(title(&editor), "beam.json");
    assert!(card(&editor).error.is_some(), "and the card tells what came of it");
}

#[test]
fn saving_makes_folders_keeps_the_name_and_asks_before_a_file_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = start(folder.path());
    ask(&mut editor, FileAction::SaveAs);
    assert_eq!(PathBuf::from(&card(&editor).text), folder.path().join("beam.json"));
    editor.get_by_label("New folder").click();
    editor.run_steps(3);
    type_in(&mut editor, "mine");
    editor.get_by_role_and_label(Role::Button, "Make it").click();
    editor.run_steps(2);
    read(&mut editor);
    assert!(folder.path().join("mine").is_dir() && listed(&editor).iter().any(|name| name == "mine"));
    editor.get_by_role_and_label(Role::ListItem, "mine").click();
    editor.run_steps(3);
    assert_eq!(PathBuf::from(&card(&editor).text), folder.path().join("mine/beam.json"), "the name stays");
    editor.get_by_role_and_label(Role::Button, "Save").click();
    editor.run_steps(4);
    assert!(folder.path().join("mine/beam.json").is_file());

    ask(&mut editor, FileAction::SaveAs);
    editor.get_by_role_and_label(Role::Button, "Parent folder").click();
    editor.run_steps(2);
    read(&mut editor);
    let before = std::fs::read(folder.path().join("beam_two.json")).unwrap();
    std::fs::write(folder.path().join("beam_two.json"), "precious").unwrap();
    editor.get_by_role_and_label(Role::ListItem, "beam_two.json").click();
    editor.run_steps(3);
    editor.get_by_role_and_label(Role::Button, "Save").click();
    editor.run_steps(3);
    assert!(matches!(editor.state().banner(), Some(Banner::Overwrite(_))));
    assert_eq!(std::fs::read(folder.path().join("beam_two.json")).unwrap(), b"precious");
    editor.get_by_role_and_label(Role::Button, "Overwrite it").click();
    editor.run_steps(3);
    assert_ne!(std::fs::read(folder.path().join("beam_two.json")).unwrap(), b"precious");
    assert!(!before.is_empty());
}

#[test]
fn places_lead_to_the_gallery_and_home() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = start(folder.path());
    ask(&mut editor, FileAction::Open);
    editor.get_by_role_and_label(Role::Button, "Place: Gallery").click();
    editor.run_steps(2);
    read(&mut editor);
    assert!(listed(&editor).iter().any(|name| name == "creature.json"));
    editor.get_by_role_and_label(Role::Button, "Place: Scene").click();
    editor.run_steps(2);
    read(&mut editor);
    assert_eq!(card(&editor).browser.folder, folder.path());
}
