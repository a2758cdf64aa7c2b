//! Plots: read off, scrubbed, zoomed, shown and hidden curve by curve, and written into tables and pictures.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::editor::{Editor, act, gallery, is_idle, open, wait};
use aplomb::document::command::FileAction;
use aplomb::document::{Action, FileRequest};
use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, Role, TouchPhase, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

/// The editor on a scene that was played for so many steps.
fn played(scene: &str, steps: u64) -> Editor {
    let mut editor = open(&gallery(scene), 800.0);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "the steps are taken", move |app| app.main().last_frame() >= steps);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "it pauses", is_idle);
    editor.run_steps(4);
    editor
}

fn plot(editor: &Editor, title: &str) -> Rect {
    editor.get_by_role_and_label(Role::Image, &format!("Plot of {title}")).rect()
}

/// A button of the mouse, pressed and let go.
fn button(editor: &mut Editor, at: Pos2, button: PointerButton, pressed: bool) {
    editor.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
    editor.run_steps(1);
}

fn turn_wheel(editor: &mut Editor, at: Pos2, up: f32) {
    editor.hover_at(at);
    editor.run_steps(2);
    let (unit, source) = (MouseWheelUnit::Point, MouseWheelSource::Wheel);
    editor.event(Event::MouseWheel { unit, source, delta: vec2(0.0, up), phase: TouchPhase::Move, modifiers: Modifiers::NONE });
    editor.run_steps(12);
}

/// The time that is shown [s], of all plots.
fn span(editor: &Editor) -> Option<[f64; 2]> {
    editor.state().desk().plots.span("Energy [J]")
}

#[test]
fn three_plots_of_140_stand_beside_one_another() {
    let editor = played("hanging_beam", 6);
    let [energy, shares, volume] = ["Energy", "Shares", "Volume"].map(|title| plot(&editor, title));
    assert_eq!([energy.height(), shares.height(), volume.height()], [140.0 - 26.0 - 18.0; 3]);
    assert!(energy.right() < shares.left() && shares.right() < volume.left() && volume.right() < 976.0);
    assert!((energy.width() - volume.width()).abs() < 1.0 && energy.bottom() + 18.0 <= 800.0);
    let key = editor.get_by_role_and_label(Role::CheckBox, "Energy kinetic").rect();
    assert!(key.bottom() <= energy.top() && key.right() <= energy.right() + 8.0, "{key}");
}

#[test]
fn a_click_on_a_key_hides_its_curve() {
    let mut editor = played("hanging_beam", 6);
    editor.get_by_role_and_label(Role::CheckBox, "Energy kinetic").click();
    editor.run_steps(3);
    assert!(editor.state().desk().plots.hidden.contains("kinetic"));
    let key = editor.get_by_role_and_label(Role::CheckBox, "Energy kinetic");
    assert_eq!(key.accesskit_node().toggled(), Some(egui::accesskit::Toggled::False));
    key.click();
    editor.run_steps(3);
    assert!(editor.state().desk().plots.hidden.is_empty());
}

#[test]
fn time_is_zoomed_in_all_plots_at_once_until_a_double_click() {
    let mut editor = played("hanging_beam", 12);
    let last = editor.state().main().series.iter().last().unwrap().time;
    let ground = plot(&editor, "Shares");
    assert_eq!(span(&editor), None);
    // A drag with the right button over the second quarter.
    let [from, to] = [0.25, 0.5].map(|share| pos2(ground.left() + share * ground.width(), ground.center().y));
    editor.hover_at(from);
    editor.run_steps(2);
    button(&mut editor, from, PointerButton::Secondary, true);
    for share in [0.3, 0.7, 1.0] {
        editor.hover_at(from + share * (to - from));
        editor.run_steps(2);
    }
    button(&mut editor, to, PointerButton::Secondary, false);
    editor.run_steps(3);
    let [a, b] = span(&editor).expect("it is zoomed");
    assert!((a / last - 0.25).abs() < 0.02 && (b / last - 0.5).abs() < 0.02, "{a} to {b} of {last}");
    assert_eq!(editor.state().main().frame(), editor.state().main().last_frame(), "nothing was scrubbed");
    // The wheel over the axis of time zooms about what is under it.
    let axis = pos2(ground.center().x, ground.bottom() + 9.0);
    turn_wheel(&mut editor, axis, 120.0);
    let [c, d] = span(&editor).unwrap();
    assert!(d - c < 0.8 * (b - a) && (0.5 * (c + d) - 0.5 * (a + b)).abs() < 0.05 * (b - a), "{c} to {d} was {a} to {b}");
    // Over the axis of numbers, the numbers of that plot alone.
    turn_wheel(&mut editor, pos2(ground.left() - 20.0, ground.center().y), 120.0);
    assert!(editor.state().desk().plots.range("Shares").is_some() && editor.state().desk().plots.range("Energy [J]").is_none());
    let middle = ground.center();
    editor.hover_at(middle);
    // So fast that no frame is drawn between the two.
    for pressed in [true, false, true, false] {
        let event = Event::PointerButton { pos: middle, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
        editor.input_mut().events.push(event);
    }
    editor.run_steps(3);
    assert_eq!(span(&editor), None);
    assert!(editor.state().desk().plots.range("Shares").is_none());
}

#[test]
fn an_axis_becomes_logarithmic_and_each_plot_may_have_its_own_time() {
    let mut editor = played("hanging_beam", 6);
    let toggle = |editor: &mut Editor, name: &str| {
        editor.get_by_label(name).click();
        editor.run_steps(3);
    };
    toggle(&mut editor, "Logarithms of Energy");
    assert!(editor.state().desk().plots.turned.contains("Energy [J]"));
    toggle(&mut editor, "Logarithms of Energy");
    assert!(editor.state().desk().plots.turned.is_empty());
    toggle(&mut editor, "One axis of time");
    let ground = plot(&editor, "Shares");
    turn_wheel(&mut editor, pos2(ground.center().x, ground.bottom() + 9.0), 120.0);
    assert!(editor.state().desk().plots.span("Shares").is_some() && span(&editor).is_none());
    toggle(&mut editor, "One axis of time");
    assert!(editor.state().desk().plots.span("Shares").is_none(), "together they begin with all of it");
}

/// What is written is what the run told, to the last digit.
#[test]
fn a_table_has_the_numbers_of_the_series() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = played("hanging_beam", 8);
    editor.get_by_label("Export plot").click();
    editor.run_steps(3);
    let card = editor.state().desk().file_card.as_ref().expect("a path is asked for");
    assert!(card.action == FileAction::Plot && card.text.ends_with("hanging_beam_plots.csv"), "{}", card.text);
    let path = folder.path().join("beam.csv");
    act(&mut editor, Action::File(FileRequest::Plot(path.clone())));
    wait(&mut editor, "it is written", |app| app.desk().note.as_ref().is_some_and(|note| note.starts_with("Exported")));
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert!(heads.contains(&"kinetic [J]") && heads.contains(&"volume [m^3]") && heads[0] == "time [s]", "{heads:?}");
    let statistics = aplomb_sim::stats::registry::statistics();
    let steps: Vec<_> = editor.state().main().series.iter().copied().collect();
    let mut rows = 0;
    for (line, step) in lines.zip(&steps) {
        for (head, cell) in heads.iter().zip(line.split(',')) {
            let expected = statistics.iter().find(|statistic| statistic.head() == *head).unwrap().of(step);
            assert_eq!(cell.parse::<f64>().unwrap().to_bits(), expected.to_bits(), "{head} at {}", step.time);
        }
        rows += 1;
    }
    assert!(rows == steps.len() && rows >= 8, "{rows} rows");
}

#[test]
fn a_picture_shows_the_curves_in_the_colours_of_the_theme() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = played("hanging_beam", 8);
    let path = folder.path().join("beam.png");
    act(&mut editor, Action::File(FileRequest::Plot(path.clone())));
    wait(&mut editor, "it is written", |app| app.desk().note.as_ref().is_some_and(|note| note.starts_with("Exported")));
    let picture = image::open(&path).unwrap().to_rgb8();
    assert!(picture.width() > 2000 && picture.height() > 450, "{:?}", picture.dimensions());
    let count = |color: [u8; 3]| picture.pixels().filter(|pixel| pixel.0 == color).count();
    let panel = count([0x1d, 0x20, 0x25]);
    assert!(panel > 100_000, "{panel} of the ground around");
    assert!(count([0x13, 0x15, 0x19]) > 300_000, "the grounds of plots");
    // Curves and their keys.
    for (name, color) in [("blue", [88, 184, 240]), ("green", [111, 207, 151]), ("orange", [242, 166, 90])] {
        assert!(count(color) > 150, "{} pixels are {name}", count(color));
    }
    // Titles, with soft edges.
    assert!(count([0xf2, 0xf4, 0xf6]) > 60);
}

#[test]
fn what_is_not_there_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    let path = folder.path().join("nothing.csv");
    act(&mut editor, Action::File(FileRequest::Plot(path.clone())));
    editor.get_by_label_contains("nothing is plotted yet");
    assert!(!path.exists());
}

/// A beside B: one curve of each in a chart with one quantity, dashed.
#[test]
fn two_runs_are_plotted_together() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = open(&gallery("hanging_beam"), 800.0);
    crate::editor::initialise(&mut editor);
    act(&mut editor, Action::ToggleCompare);
    wait(&mut editor, "A is loaded", |app| {
        app.twin().is_some_and(|twin| twin.model.is_some() && twin.activity == aplomb::session::Activity::Idle)
    });
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "steps are taken", |app| app.twin().is_some_and(|twin| twin.last_frame() >= 6));
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "both pause", |app| is_idle(app) && app.twin().is_some_and(|twin| twin.activity == aplomb::session::Activity::Idle));
    editor.run_steps(4);
    for key in ["Volume A", "Volume B", "Energy kinetic", "Energy A"] {
        editor.get_by_role_and_label(Role::CheckBox, key);
    }
    let path = folder.path().join("both.csv");
    act(&mut editor, Action::File(FileRequest::Plot(path.clone())));
    wait(&mut editor, "it is written", |app| app.desk().note.as_ref().is_some_and(|note| note.starts_with("Exported")));
    let text = std::fs::read_to_string(&path).unwrap();
    let heads: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let column = |name: &str| heads.iter().position(|head| *head == name).unwrap();
    let cells: Vec<&str> = text.lines().nth(5).unwrap().split(',').collect();
    let twin = editor.state().twin().unwrap().series.iter().nth(4).unwrap().kinetic;
    assert_eq!(cells[column("A kinetic [J]")].parse::<f64>().unwrap().to_bits(), twin.to_bits());
    let main = editor.state().main().series.iter().nth(4).unwrap().kinetic;
    assert_eq!(cells[column("B kinetic [J]")].parse::<f64>().unwrap().to_bits(), main.to_bits());
}
