//! Editors that are killed at any moment leave their unsaved edits behind: two windows at once, each with edits of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod editor;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use aplomb::app::{App, Options};
use aplomb::document::Action;
use aplomb::panels::Banner;
use aplomb_sim::math::random::Random;
use editor::{Editor, act, gallery, is_idle, wait};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

/// Tells this program, started again, to be a window; its value is the folder of its state.
const WINDOW: &str = "APLOMB_TEST_WINDOW";
/// Longest that an edit may go without a copy, on a machine that does other things too.
const PATIENCE: Duration = Duration::from_secs(15);

fn window(state: &Path) -> Editor {
    let options = Options { scene: Some(gallery("hanging_beam")), state: Some(state.to_path_buf()) };
    Harness::builder().with_size([900.0, 600.0]).build_eframe(move |cc| App::new(cc, options).unwrap())
}

/// Not a test of its own: what the test starts. It edits without end, and tells each edit once it is made.
#[test]
fn a_window_that_is_to_be_killed() {
    let Some(state) = std::env::var_os(WINDOW) else { return };
    let name = std::env::var("APLOMB_TEST_NAME").unwrap();
    let mut editor = window(Path::new(&state));
    wait(&mut editor, "the scene is loaded", is_idle);
    let start = Instant::now();
    for k in 0.. {
        let mut scene = editor::scene(&editor);
        scene.name = format!("{name} {k}");
        act(&mut editor, Action::Edit("Rename".to_owned(), Box::new(scene)));
        println!("edit {k} {}", start.elapsed().as_millis());
        std::io::stdout().flush().unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn start(state: &Path, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_window_that_is_to_be_killed", "--nocapture"])
        .env(WINDOW, state)
        .env("APLOMB_TEST_NAME", name)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The edits that were told until the end, each with its time [ms].
fn edits(child: &mut Child) -> Vec<(usize, u128)> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines
        .map_while(Result::ok)
        .filter_map(|line| {
            let mut words = line.split_whitespace().skip_while(|word| *word != "edit").skip(1);
            Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
        })
        .collect()
}

#[test]
fn what_was_not_saved_is_there_after_a_kill() {
    let rounds = std::env::var("APLOMB_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6) / 2;
    let mut random = Random::new(14);
    for round in 0..rounds {
        let folder = tempfile::tempdir().unwrap();
        let names = ["first", "second"];
        let mut children = names.map(|name| start(folder.path(), name));
        // From the first copies on, at any moment.
        let begin = Instant::now();
        let is_copy = |file: &std::fs::DirEntry| {
            let name = file.file_name();
            name.to_string_lossy().starts_with("autosave") && name.to_string_lossy().ends_with(".json")
        };
        let copies = || std::fs::read_dir(folder.path()).map_or(0, |files| files.flatten().filter(is_copy).count());
        while copies() < 2 {
            assert!(begin.elapsed() < Duration::from_secs(60), "no copies are made");
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_secs_f64(random.uniform(0.0, 3.0)));
        children.iter_mut().for_each(|child| child.kill().unwrap());
        let made = children.each_mut().map(|child| {
            child.wait().unwrap();
            edits(child)
        });
        // Both are offered, one after the other; the second is taken.
        let mut found = Vec::new();
        let mut editor = window(folder.path());
        for button in ["Drop them", "Recover"] {
            let Some(Banner::Recovered(name)) = editor.state().banner() else {
                panic!("round {round}: {found:?}, and nothing more is offered")
            };
            found.push(name.clone());
            editor.get_by_label(button).click();
            editor.run_steps(3);
        }
        assert_eq!(Some(&editor::scene(&editor).name), found.last());
        for (name, made) in names.iter().zip(&made) {
            let recovered = found.iter().find_map(|found| found.strip_prefix(name)?.trim().parse::<usize>().ok());
            let Some(recovered) = recovered else { panic!("round {round}: nothing of the {name} window among {found:?}") };
            let last = made.last().unwrap();
            let lost = made.iter().find(|(k, _)| *k == recovered).map(|(_, time)| Duration::from_millis((last.1 - time) as u64));
            assert!(lost.is_none_or(|lost| lost < PATIENCE), "round {round}: {name} lost {lost:?}, {recovered} of {}", last.0);
        }
    }
}
