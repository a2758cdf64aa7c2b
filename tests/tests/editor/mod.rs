//! The editor without a window, for tests: opened, waited for, told what to do.
#![allow(dead_code, reason = "each test uses some of it")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aplomb::app::{App, Options};
use aplomb::document::Action;
use aplomb::session::Activity;
use aplomb_sim::scene::Scene;
use egui::{Event, Key, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

/// Longest that anything here may take; a hang is a failure, slowness is not.
const PATIENCE: Duration = Duration::from_secs(120);

/// The editor, drawn into nothing.
pub type Editor = Harness<'static, App>;

/// A scene of the gallery.
pub fn gallery(name: &str) -> PathBuf {
    // Where the editor takes it to be: what lies there is not saved over.
    aplomb_sim::scene_file::gallery::find(name).unwrap().path()
}

/// The editor on `scene`, once it is loaded; `height` [points] of a window that is 1280 wide.
pub fn open(scene: &Path, height: f32) -> Editor {
    let options = Options { scene: Some(scene.to_path_buf()), state: None };
    let mut editor = Harness::builder().with_size([1280.0, height]).build_eframe(move |cc| App::new(cc, options).unwrap());
    wait(&mut editor, "the scene is loaded", is_idle);
    // Edits wait to be asked for, but in the tests of live balance.
    act(&mut editor, Action::SetLive(false));
    editor
}

/// Steps until `done`.
pub fn wait(editor: &mut Harness<'_, App>, what: &str, done: impl Fn(&App) -> bool) {
    let start = Instant::now();
    while !done(editor.state()) {
        assert!(start.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10));
        editor.step();
    }
    editor.step();
}

/// Does `action` as if a button for it had been pressed.
pub fn act(editor: &mut Harness<'_, App>, action: Action) {
    let ctx = editor.ctx.clone();
    editor.state_mut().request(&ctx, action);
    editor.run_steps(3);
}

/// Types `text` into the field `name`, and leaves it by Enter.
pub fn type_into(editor: &mut Editor, name: &str, text: &str) {
    editor.get_by_role_and_label(Role::SpinButton, name).click();
    editor.run_steps(3);
    editor.event(Event::Text(text.to_owned()));
    editor.run_steps(2);
    editor.key_press(Key::Enter);
    editor.run_steps(4);
}

/// Initialises, and waits for the certificate.
pub fn initialise(editor: &mut Harness<'_, App>) {
    act(editor, Action::Initialise);
    wait(editor, "the certificate is there", |app| is_idle(app) && app.main().certificate.is_some());
}

/// Turns to a page of the plots by the list at the end of their bar.
pub fn turn_to(editor: &mut Harness<'_, App>, page: &str) {
    let list =
        editor.get_all_by_role(Role::ComboBox).find(|node| node.accesskit_node().label().is_some_and(|label| label.starts_with("Page: ")));
    list.unwrap().click();
    editor.run_steps(4);
    editor.get_all_by_label(page).last().unwrap().click();
    editor.run_steps(3);
}

/// Whether a scene is there, and nothing is in hand.
pub fn is_idle(app: &App) -> bool {
    app.main().model.is_some() && app.main().activity == Activity::Idle
}

/// The scene as it is now.
pub fn scene(editor: &Harness<'_, App>) -> Scene {
    (**editor.state().document().scene()).clone()
}
