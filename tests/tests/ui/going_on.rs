//! What may change while a run goes on changes it from the next step on, and drops nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, is_idle, open, scene, wait};
use aplomb::document::Action;
use aplomb::document::command::Seek;

fn step(editor: &mut Editor) {
    let frame = editor.state().main().last_frame();
    act(editor, Action::Step);
    wait(editor, "a step is taken", move |app| app.main().last_frame() == frame + 1 && is_idle(app));
}

/// Edits the scene as a panel would.
fn edit(editor: &mut Editor, change: impl FnOnce(&mut aplomb_sim::scene::Scene)) {
    let mut edited = scene(editor);
    change(&mut edited);
    act(editor, Action::Edit("Change".to_owned(), Box::new(edited)));
    editor.run_steps(5);
}

#[test]
fn gravity_turns_while_the_run_goes_on() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    (0..4).for_each(|_| step(&mut editor));
    let size = editor.state().main().series.iter().last().unwrap().momentum.norm();
    edit(&mut editor, |scene| scene.gravity = [0.0, 0.0, -9.81]);
    assert!(editor.state().banner().is_none(), "nothing is lost, nothing is asked");
    let track = editor.state().main();
    assert!(track.holds(editor.state().document().scene(), editor.state().document().folder()));
    assert_eq!(track.changes, [(4, vec!["gravity"])]);
    assert_eq!(editor.state().desk().note.as_deref(), Some("From 0.040 s on: gravity"));
    (0..4).for_each(|_| step(&mut editor));
    let track = editor.state().main();
    assert_eq!(track.last_frame(), 8, "it went on");
    let momenta: Vec<_> = track.series.iter().map(|step| step.momentum).collect();
    assert!(momenta[3].z.abs() < 1e-6 * size && momenta[7].z < -0.1 * size, "{momenta:?}");
    // The frames from before are those that were.
    act(&mut editor, Action::Seek(Seek::To(2)));
    wait(&mut editor, "the frame is there", |app| app.main().snapshot.as_ref().unwrap().frame == 2);
    // Taken back, it falls down again.
    act(&mut editor, Action::Undo);
    editor.run_steps(3);
    assert_eq!(editor.state().main().changes.len(), 2);
}

#[test]
fn damping_and_the_step_size_are_followed_and_a_stiffness_is_not() {
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    (0..3).for_each(|_| step(&mut editor));
    edit(&mut editor, |scene| {
        scene.simulate.step_size = 0.004;
        scene.bodies[0].material.as_mut().unwrap().damping = 0.2;
    });
    step(&mut editor);
    let times: Vec<f64> = editor.state().main().series.iter().map(|step| step.time).collect();
    assert!((times[3] - times[2] - 0.004).abs() < 1e-12, "{times:?}");
    let damped = |track: &aplomb::session::Track| {
        let steps: Vec<_> = track.series.iter().collect();
        (steps[3].damping - steps[2].damping) / 0.004
    };
    let before = editor.state().main().series.iter().nth(2).unwrap().damping / times[2];
    assert!(damped(editor.state().main()) > 2.0 * before, "damped twenty times as much");
    edit(&mut editor, |scene| scene.bodies[0].material.as_mut().unwrap().young *= 2.0);
    let track = editor.state().main();
    assert!(!track.holds(editor.state().document().scene(), editor.state().document().folder()), "it waits for Play");
    assert_eq!((track.changes.len(), track.last_frame()), (1, 4));
}
