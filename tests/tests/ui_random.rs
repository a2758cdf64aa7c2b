//! The editor under random hands: mouse, keys, words and changes of its files from a fixed seed. Nothing panics, nothing hangs, every edit
//! can be taken back and done again, and what was not saved is recovered. `APLOMB_RANDOM_MINUTES` lets it go on for longer,
//! `APLOMB_RANDOM_SEED` begins elsewhere.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod editor;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aplomb::app::{App, Options};
use aplomb::document::Action;
use aplomb::document::command::COMMANDS;
use aplomb::profile::Part;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::Scene;
use editor::{act, gallery, is_idle, wait};
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, pos2, vec2};
use egui_kittest::Harness;

/// Hands without a plan.
struct Hands {
    random: Random,
    at: Pos2,
    size: egui::Vec2,
}

/// Things that hands do.
const KEYS: [Key; 22] = [
    Key::Space,
    Key::Period,
    Key::Escape,
    Key::Enter,
    Key::Tab,
    Key::Delete,
    Key::Backspace,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::ArrowUp,
    Key::ArrowDown,
    Key::F,
    Key::B,
    Key::C,
    Key::N,
    Key::L,
    Key::X,
    Key::T,
    Key::F1,
    Key::Home,
    Key::OpenBracket,
    Key::Num5,
];
const WORDS: [&str; 8] = ["0", "1e9", "-3", "2 MPa", "nan", "\u{1f980}", "a b", "35 mm"];

impl Hands {
    fn below(&mut self, n: usize) -> usize {
        self.random.uniform(0.0, n as f64) as usize
    }

    fn somewhere(&mut self) -> Pos2 {
        pos2(self.random.uniform(0.0, f64::from(self.size.x)) as f32, self.random.uniform(0.0, f64::from(self.size.y)) as f32)
    }

    fn modifiers(&mut self) -> Modifiers {
        match self.below(8) {
            0 => Modifiers::CTRL | Modifiers::COMMAND,
            1 => Modifiers::SHIFT,
            2 => Modifiers::ALT,
            _ => Modifiers::NONE,
        }
    }

    fn button(&self, pressed: bool, button: PointerButton, modifiers: Modifiers) -> Event {
        Event::PointerButton { pos: self.at, button, pressed, modifiers }
    }

    fn press(editor: &Harness<'_, App>, key: Key, modifiers: Modifiers) {
        for pressed in [true, false] {
            editor.event(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
        }
    }

    /// One thing more; which, in words.
    fn go_on(&mut self, editor: &mut Harness<'_, App>, scene: &Path, good: &[u8]) -> String {
        let kind = self.below(20);
        let mut done = format!("{kind} at {}", self.at);
        match kind {
            0..=6 => {
                // A click, or a drag over some frames.
                self.at = self.somewhere();
                let modifiers = self.modifiers();
                let button =
                    [PointerButton::Primary, PointerButton::Primary, PointerButton::Secondary, PointerButton::Middle][self.below(4)];
                editor.event(Event::PointerMoved(self.at));
                editor.event(self.button(true, button, modifiers));
                for _ in 0..self.below(4) {
                    editor.step();
                    self.at += vec2(self.random.uniform(-90.0, 90.0) as f32, self.random.uniform(-90.0, 90.0) as f32);
                    editor.event(Event::PointerMoved(self.at));
                }
                editor.event(self.button(false, button, modifiers));
            }
            7 => {
                let delta = vec2(0.0, self.random.uniform(-4.0, 4.0) as f32);
                let (unit, phase, source) = (MouseWheelUnit::Line, egui::TouchPhase::Move, egui::MouseWheelSource::Wheel);
                let modifiers = self.modifiers();
                editor.event(Event::MouseWheel { unit, delta, phase, source, modifiers });
            }
            8..=10 => Self::press(editor, KEYS[self.below(KEYS.len())], self.modifiers()),
            11..=14 => {
                // A command of the menus, but those that end the program.
                let command = &COMMANDS[self.below(COMMANDS.len())];
                let action = (command.action)();
                done = format!("command {}", command.label);
                if !matches!(action, Action::Quit) {
                    act(editor, action);
                }
            }
            15 => editor.event(Event::Text(WORDS[self.below(WORDS.len())].to_owned())),
            16 => {
                self.size = [vec2(900.0, 600.0), vec2(1280.0, 800.0), vec2(2560.0, 1440.0)][self.below(3)];
                editor.set_size(self.size);
            }
            17 => {
                // The file changes under the editor: cut off, changed, gone, or back as it was.
                match self.below(4) {
                    0 => std::fs::write(scene, &good[..good.len() / 2]).unwrap(),
                    1 => drop(std::fs::remove_file(scene)),
                    _ => std::fs::write(scene, good).unwrap(),
                }
            }
            18 => {
                let name = ["hanging_net", "hanging_beam", "jelly_on_table"][self.below(3)];
                let path = if self.below(4) == 0 { scene.to_path_buf() } else { gallery(name) };
                act(editor, Action::Take(vec![path]));
            }
            _ => act(editor, [Action::DiscardChanges, Action::Dismiss, Action::Undo, Action::Redo, Action::Cancel][self.below(5)].clone()),
        }
        editor.step();
        done
    }
}

fn as_text(scene: &Scene) -> String {
    serde_json::to_string(scene).unwrap()
}

/// How often the scene was read again because its file had changed.
fn reloads(editor: &Harness<'_, App>) -> usize {
    editor.state().document().history.steps().0.iter().filter(|step| **step == "Reload from disk").count()
}

/// Takes back all there is and does it again: the scene is what it was.
fn history_is_whole(editor: &mut Harness<'_, App>) {
    editor.event(Event::PointerGone);
    editor.step();
    let (before, read) = (as_text(&editor::scene(editor)), reloads(editor));
    let mut steps = 0;
    while editor.state().document().history.undo_label().is_some() {
        act(editor, Action::Undo);
        steps += 1;
        assert!(steps < 100_000, "undo does not end");
    }
    for _ in 0..steps {
        act(editor, Action::Redo);
    }
    // Where nothing was unsaved, a file that changed just then is read, as a step of its own.
    if reloads(editor) <= read {
        assert_eq!(as_text(&editor::scene(editor)), before, "{steps} steps taken back and done again");
    }
}

fn copy_of(name: &str, folder: &Path) -> PathBuf {
    let mut scene = aplomb_sim::scene_file::load(&gallery(name)).unwrap();
    for body in &mut scene.bodies {
        let mesh = gallery(name).parent().unwrap().join(&body.mesh).canonicalize().unwrap();
        body.mesh = mesh.to_string_lossy().into_owned();
    }
    let path = folder.join(format!("{name}.json"));
    aplomb_sim::scene_file::save(&path, &scene).unwrap();
    path
}

#[test]
fn random_hands_break_nothing() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<f64>().ok());
    let (minutes, seed) = (number("APLOMB_RANDOM_MINUTES"), number("APLOMB_RANDOM_SEED").unwrap_or(0.0) as u64);
    let start = Instant::now();
    // What is saved without a folder lands where the editor was started.
    let started_in = tempfile::tempdir().unwrap();
    std::env::set_current_dir(started_in.path()).unwrap();
    for round in 0.. {
        if round >= 2 && minutes.is_none_or(|minutes| start.elapsed() > Duration::from_secs_f64(60.0 * minutes)) {
            break;
        }
        let folder = tempfile::tempdir().unwrap();
        let scene = copy_of(["hanging_beam", "hanging_net"][round % 2], folder.path());
        let good = std::fs::read(&scene).unwrap();
        let options = Options { scene: Some(scene.clone()), state: Some(folder.path().join("state")) };
        let again = options.clone();
        let mut editor =
            Harness::builder().allow_missing_glyphs().with_size([1280.0, 800.0]).build_eframe(move |cc| App::new(cc, options).unwrap());
        wait(&mut editor, "the scene is loaded", is_idle);
        let mut hands = Hands { random: Random::new(seed + round as u64), at: Pos2::ZERO, size: vec2(1280.0, 800.0) };
        let mut most = 0.0;
        for step in 0..300 {
            let done = hands.go_on(&mut editor, &scene, &good);
            let now = editor.state().profile().total().1;
            if now > 0.25 && now > most {
                println!(
                    "step {step}, {done}: {:.1} ms of own work: {:?}",
                    1e3 * now,
                    Part::ALL.map(|(part, name)| (name, editor.state().profile().part(part).1))
                );
            }
            most = most.max(now);
            if step % 100 == 99 {
                act(&mut editor, Action::Cancel);
                history_is_whole(&mut editor);
            }
        }
        println!(
            "round {round}, seed {}: own work of a frame at most {:.1} ms",
            seed + round as u64,
            1e3 * editor.state().profile().total().1
        );
        // What is not saved is there after a crash.
        if editor.state().document().is_dirty() {
            editor.state_mut().keep_unsaved();
            let unsaved = as_text(&editor::scene(&editor));
            // As a kill does: nothing is tidied up.
            drop(editor);
            let mut next =
                Harness::builder().allow_missing_glyphs().with_size([1280.0, 800.0]).build_eframe(move |cc| App::new(cc, again).unwrap());
            act(&mut next, Action::Recover);
            assert_eq!(as_text(&editor::scene(&next)), unsaved, "what was not saved is lost");
        }
    }
}
