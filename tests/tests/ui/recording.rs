//! Recordings are not lost by pressing a key: what would drop one asks first, and does it when it is asked for again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use aplomb::app::App;
use aplomb::document::command::Seek;
use aplomb::document::{Action, FileRequest, Selection};
use aplomb::panels::Banner;
use aplomb::session::{Activity, Track};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Cure;
use aplomb_sim::stats::cache::Recording;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

/// Frames that are recorded.
const FRAMES: u64 = 5;

fn rests(app: &App) -> bool {
    let rests = |track: &Track| track.model.is_some() && track.activity == Activity::Idle;
    rests(app.main()) && app.twin().is_none_or(rests)
}

/// The editor with a recording, not at its end.
fn recorded() -> Editor {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "steps are taken", |app| app.main().last_frame() >= FRAMES);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it pauses", rests);
    editor
}

fn asks(editor: &Editor) -> bool {
    matches!(editor.state().banner(), Some(Banner::Recording(_)))
}

fn edit(editor: &mut Editor, change: impl FnOnce(&mut aplomb_sim::scene::Scene)) {
    let mut edited = scene(editor);
    change(&mut edited);
    act(editor, Action::Edit("edit".to_owned(), Box::new(edited)));
}

/// What is played while the question stands would be lost too, and the question says so.
#[test]
fn the_question_counts_what_is_played_meanwhile() {
    let mut editor = recorded();
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it plays", |app| app.main().activity == Activity::Running);
    act(&mut editor, Action::Reset);
    let asked = editor.state().main().last_frame();
    wait(&mut editor, "it goes on", |app| app.main().last_frame() > asked + 2);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it pauses", rests);
    editor.run_steps(2);
    let Some(Banner::Recording(question)) = editor.state().banner().cloned() else { panic!("it still asks") };
    assert_eq!(question, format!("Reset drops the recording of {} frames.", editor.state().main().last_frame()));
}

#[test]
fn every_action_that_would_drop_a_recording_asks_and_does_it_when_asked_again() {
    type Prepare = fn(&mut Editor);
    let nothing: Prepare = |_| {};
    let stiffen: Prepare = |editor| edit(editor, |scene| scene.bodies[0].material.as_mut().unwrap().young *= 1.5);
    let cases: [(Action, Prepare); 7] = [
        (Action::Reset, nothing),
        (Action::Initialise, nothing),
        (Action::CompareCures, nothing),
        (Action::UseCure(Cure::None), nothing),
        (Action::TogglePlay, stiffen),
        (Action::Step, stiffen),
        (Action::Reload, nothing),
    ];
    for (action, prepare) in cases {
        let mut editor = recorded();
        let last = editor.state().main().last_frame();
        prepare(&mut editor);
        assert!(!asks(&editor), "{action:?}: an edit alone drops nothing");
        act(&mut editor, action.clone());
        assert!(asks(&editor), "{action:?} does not ask");
        wait(&mut editor, "nothing happens", rests);
        assert_eq!(editor.state().main().last_frame(), last, "{action:?}");
        editor.get_by_label("Keep it").click();
        editor.run_steps(3);
        assert!(editor.state().banner().is_none());
        assert_eq!(editor.state().main().last_frame(), last);
        act(&mut editor, action.clone());
        act(&mut editor, action.clone());
        assert!(!asks(&editor), "{action:?}: asked again, it is done");
        wait(&mut editor, "it is done", |app| app.main().last_frame() < last);
    }
}

#[test]
fn no_key_drops_a_recording() {
    let mut editor = recorded();
    let last = editor.state().main().last_frame();
    let plain =
        [Key::C, Key::B, Key::N, Key::T, Key::X, Key::L, Key::F, Key::Home, Key::Delete, Key::Escape, Key::ArrowLeft, Key::ArrowRight];
    let with_ctrl = [Key::Home, Key::Enter, Key::Z, Key::R, Key::ArrowLeft, Key::ArrowRight];
    let keys = plain.map(|key| (Modifiers::NONE, key)).into_iter().chain(with_ctrl.map(|key| (Modifiers::COMMAND, key)));
    let shifted = [Key::Z, Key::N].map(|key| (Modifiers::COMMAND.plus(Modifiers::SHIFT), key));
    for (modifiers, key) in keys.chain(shifted) {
        editor.key_press_modifiers(modifiers, key);
        editor.run_steps(3);
        wait(&mut editor, "it rests", rests);
        assert!(editor.state().main().last_frame() >= last, "{modifiers:?} {key:?} dropped the recording");
        if editor.state().banner().is_some() {
            act(&mut editor, Action::Dismiss);
        }
    }
}

#[test]
fn the_comparison_comes_and_goes_and_both_recordings_stay() {
    let mut editor = recorded();
    let last = editor.state().main().last_frame();
    act(&mut editor, Action::ToggleCompare);
    wait(&mut editor, "A is there", |app| app.twin().is_some() && rests(app));
    assert_eq!((editor.state().main().last_frame(), editor.state().main().frame()), (last, 0), "both start from the start");
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "A has steps", |app| app.twin().is_some_and(|twin| twin.last_frame() >= 3));
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "both rest", rests);
    let steps = editor.state().twin().unwrap().last_frame();
    for _ in 0..2 {
        act(&mut editor, Action::ToggleCompare);
        wait(&mut editor, "it rests", rests);
    }
    assert_eq!(editor.state().twin().unwrap().last_frame(), steps, "A's recording is there again");
    assert!(editor.state().main().last_frame() >= last);
    // They are in step still.
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "both go on", |app| {
        app.twin().is_some_and(|twin| twin.last_frame() > last + 2) && app.main().last_frame() > last + 2
    });
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "both rest", rests);
    // Put away and outdated by an edit, it is asked about too.
    act(&mut editor, Action::ToggleCompare);
    edit(&mut editor, |scene| scene.bodies[0].material.as_mut().unwrap().young *= 1.5);
    act(&mut editor, Action::ToggleCompare);
    assert!(asks(&editor) && editor.state().twin().is_none());
    act(&mut editor, Action::Dismiss);
    act(&mut editor, Action::Undo);
    act(&mut editor, Action::ToggleCompare);
    wait(&mut editor, "A is there again", |app| app.twin().is_some() && rests(app));
    let app = editor.state();
    assert!(app.main().last_frame().abs_diff(app.twin().unwrap().last_frame()) <= 1);
    // Put away while both play, it takes no more than the step in hand.
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "both go on", |app| app.twin().is_some_and(|twin| twin.last_frame() > last + 20));
    let steps = editor.state().twin().unwrap().last_frame();
    act(&mut editor, Action::ToggleCompare);
    wait(&mut editor, "the other goes on", |app| app.main().last_frame() > steps + 20);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it rests", rests);
    act(&mut editor, Action::ToggleCompare);
    wait(&mut editor, "A is there again", |app| app.twin().is_some() && rests(app));
    let parked = editor.state().twin().unwrap().last_frame();
    assert!((steps..=steps + 5).contains(&parked), "{parked} frames, {steps} when it was put away");
    // Outdated and asked for again, it starts anew.
    act(&mut editor, Action::ToggleCompare);
    edit(&mut editor, |scene| scene.bodies[0].material.as_mut().unwrap().young *= 1.5);
    act(&mut editor, Action::ToggleCompare);
    assert!(asks(&editor));
    act(&mut editor, Action::ToggleCompare);
    wait(&mut editor, "A is there anew", |app| app.twin().is_some() && rests(app));
    assert_eq!(editor.state().twin().unwrap().last_frame(), 0);
}

#[test]
fn an_edit_of_the_geometry_waits_for_an_answer_and_is_undone_without_loss() {
    let mut editor = recorded();
    let last = editor.state().main().last_frame();
    edit(&mut editor, |scene| scene.bodies[0].transform.translate[1] += 0.5);
    editor.run_steps(3);
    assert!(asks(&editor));
    assert_eq!(editor.state().main().last_frame(), last);
    act(&mut editor, Action::Undo);
    editor.run_steps(3);
    assert!(!asks(&editor), "the question is answered");
    assert_eq!(editor.state().main().last_frame(), last);
    act(&mut editor, Action::Redo);
    editor.run_steps(3);
    editor.get_by_label("Keep it").click();
    editor.run_steps(5);
    assert!(!asks(&editor), "it is asked once");
    assert_eq!(editor.state().main().last_frame(), last);
    act(&mut editor, Action::TogglePlay);
    assert!(asks(&editor), "Play would start anew");
    editor.get_by_label("Drop it").click();
    editor.run_steps(3);
    let at = |app: &App| app.main().model.as_ref().map(|model| model.positions[0]);
    let before = Vec3::from(scene(&editor).bodies[0].transform.translate);
    wait(&mut editor, "it plays anew, where it is now", |app| app.main().is_up_to_date() && app.main().last_frame() > 0);
    assert!(at(editor.state()).is_some() && before.y >= 0.5);
    act(&mut editor, Action::TogglePlay);
}

#[test]
fn deleting_and_selecting_drops_nothing_and_a_body_at_rest_is_not_asked_about() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    for action in [Action::Reset, Action::Initialise] {
        act(&mut editor, action.clone());
        assert!(editor.state().banner().is_none(), "{action:?}: there is nothing to lose");
        wait(&mut editor, "it is done", is_idle);
    }
    act(&mut editor, Action::Select(Selection::Scene));
    assert!(editor.state().banner().is_none());
}

/// A recording that the command line made is played: its frames, its numbers, and no more than that.
#[test]
fn a_recording_of_the_command_line_is_opened_and_played_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.recording");
    let run = aplomb_tests::program()
        .args(["simulate", gallery("hanging_beam").to_str().unwrap(), "--init", "naive", "--steps", "12", "--record"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", aplomb_tests::errors(&run));
    let mut recording = Recording::open(std::fs::File::open(&file).unwrap()).unwrap();
    let mut at = |frame: u64| {
        let mut positions = Vec::new();
        recording.read(frame, &mut positions).unwrap();
        positions
    };

    let mut editor = open(&gallery("hanging_beam"), 800.0);
    act(&mut editor, Action::File(FileRequest::Recording(file.clone())));
    wait(&mut editor, "it is opened", |app| is_idle(app) && app.main().last_frame() == 12);
    let shown = |editor: &Editor| editor.state().main().snapshot.clone().unwrap();
    assert_eq!((shown(&editor).frame, shown(&editor).positions.to_vec()), (0, at(0)));
    let speaks = |editor: &Editor| editor.state().desk().note.as_ref().is_some_and(|note| note.starts_with("Recording opened"));
    assert!(speaks(&editor));
    for frame in [7, 12, 3] {
        act(&mut editor, Action::Seek(Seek::To(frame)));
        wait(&mut editor, "the frame is shown", |app| app.main().snapshot.as_ref().is_some_and(|shown| shown.frame == frame));
        assert_eq!(shown(&editor).positions.to_vec(), at(frame), "frame {frame}");
    }
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it stops at the end", |app| is_idle(app) && app.main().frame() == 12);
    act(&mut editor, Action::Step);
    wait(&mut editor, "nothing follows", rests);
    assert_eq!((editor.state().main().last_frame(), editor.state().main().frame()), (12, 12));
    // At its end nothing is pushed.
    act(&mut editor, Action::Kick(Vec3::new(1.0, 0.0, 0.0)));
    assert_eq!(shown(&editor).positions.to_vec(), at(12));
    // A run of its own begins at the start, once that was asked.
    act(&mut editor, Action::Reset);
    act(&mut editor, Action::DiscardChanges);
    wait(&mut editor, "it is reset", |app| is_idle(app) && app.main().last_frame() == 0);
    assert!(!editor.state().main().is_replay);
    act(&mut editor, Action::Step);
    wait(&mut editor, "a step is taken", |app| is_idle(app) && app.main().last_frame() == 1);

    // What is of another scene, or no recording, says so.
    let mut other = open(&gallery("jelly_on_table"), 800.0);
    for (path, words) in [(file, "is of another scene"), (gallery("jelly_on_table"), "cannot be opened"), (folder.path().join("no"), "no")]
    {
        act(&mut other, Action::File(FileRequest::Recording(path)));
        wait(&mut other, "it is told", |app| is_idle(app) && (!app.main().problems.is_empty() || app.banner().is_some()));
        let told = other.state().main().problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
        assert!(told.contains(words), "{told}");
        assert!(!speaks(&other));
    }
    assert!(!other.state().main().is_replay && other.state().main().last_frame() == 0);
}
