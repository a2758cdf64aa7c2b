//! What is added to a registry arrives everywhere: a statistic of a step, and a field of elements.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod editor;

use std::io::Cursor;
use std::sync::{Arc, Once};

use aplomb::document::{Action, Document};
use aplomb::panels::{ColorBy, Desk, Look, Picture, toolbar};
use aplomb::session::{Clock, Model, RunId, Track};
use aplomb::viewport::BodyColor;
use aplomb_sim::element::{Batch, Element, FamilyKind, FieldKind, Scale, Unattainable};
use aplomb_sim::export::{FORMATS, follow_recorded, scene_meshes};
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene_file::load;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::cache::{Recording, Subject};
use aplomb_sim::stats::chart::{Axis, Chart, Hue};
use aplomb_sim::stats::recorder::Recorder;
use aplomb_sim::stats::registry::{STATISTICS, add, statistics};
use aplomb_sim::stats::statistic::{Statistic, Value};
use aplomb_sim::stats::table::{csv_head, csv_line};
use aplomb_sim::step::StepStats;
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use editor::{act, gallery, wait};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

static GLOW: Chart = Chart::new("Fireworks", "Glow [cd]", Axis::Linear);

/// A statistic by one line.
fn add_glow() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| assert!(add(Statistic::new("glow", "cd", "how it glows", glow()).plotted(&GLOW, "glow", Hue::Orange))));
}

fn glow() -> Value {
    Value::derived(|step| 2.0 * step.time + 1.0)
}

fn beam() -> System {
    let path = gallery("hanging_beam");
    System::build(&load(&path).unwrap(), path.parent().unwrap(), &Unwatched).unwrap()
}

/// Three steps of the beam, what glows in them, and the nodes at their end.
fn glowing() -> (Simulation, Vec<StepStats>, Vec<f64>) {
    add_glow();
    let mut simulation = Simulation::new(beam());
    let steps: Vec<StepStats> = (0..3).map(|_| simulation.step(&Unwatched).unwrap()).collect();
    let glows = steps.iter().map(|step| 2.0 * step.time + 1.0).collect();
    (simulation, steps, glows)
}

#[test]
fn a_name_is_given_once() {
    add_glow();
    assert!(!add(Statistic::new("glow", "cd", "the same again", glow())));
    assert!(!add(Statistic::new("time", "s", "the same again", glow())));
    assert_eq!(statistics().len(), STATISTICS.len() + 1);
}

#[test]
fn a_statistic_is_a_column_of_tables() {
    let (_, steps, glows) = glowing();
    let column = csv_head().split(',').position(|name| name == "glow [cd]").expect("no column");
    let cells: Vec<f64> = steps.iter().map(|step| csv_line(step).split(',').nth(column).unwrap().parse().unwrap()).collect();
    assert_eq!(cells, glows);
}

#[test]
fn a_statistic_is_in_the_series_of_reports() {
    let (_, steps, glows) = glowing();
    let mut recorder = Recorder::new();
    steps.iter().for_each(|step| recorder.record(step));
    let report = serde_json::to_value(recorder.series()).unwrap();
    assert_eq!(report["glow"], serde_json::json!(glows));
    assert_eq!(report["momentum"][2], serde_json::json!(<[f64; 3]>::from(steps[2].momentum)));
    assert_eq!(report["phases"]["linear"][1], serde_json::json!(steps[1].phases.linear));
    assert_eq!(report["iterations"][0].as_u64(), Some(steps[0].iterations.into()));
}

#[test]
fn a_statistic_is_written_into_recordings_and_read_back() {
    let (simulation, steps, glows) = glowing();
    let (positions, subject) = (&simulation.state.positions, Subject::of(&simulation.system));
    let mut file = Cursor::new(Vec::new());
    let mut recording = Recording::create(&mut file, subject, u64::MAX).unwrap();
    steps.iter().for_each(|step| recording.append(step, positions).unwrap());
    // As docs/recording.md has it.
    let bytes = file.get_ref().clone();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (count, length) = (word(12), word(40));
    let names: Vec<&str> = std::str::from_utf8(&bytes[64..64 + length]).unwrap().lines().filter(|name| !name.is_empty()).collect();
    assert_eq!((count, names.len()), (statistics().len(), statistics().len()));
    let column = names.iter().position(|name| *name == "glow [cd]").expect("no column");
    let record = 16 + 8 * count + 24 * positions.len();
    let number = |frame: usize| {
        let at = 64 + length + frame * record + 16 + 8 * column;
        f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
    };
    assert_eq!((0..3).map(number).collect::<Vec<_>>(), glows);
    let mut again = Recording::open(file).unwrap();
    for (frame, step) in (0..).zip(&steps) {
        assert_eq!(again.read(frame, &mut Vec::new()).unwrap(), *step);
    }
    let of_glow = statistics().into_iter().find(|statistic| statistic.name == "glow").unwrap();
    assert_eq!(of_glow.of(&again.read(2, &mut Vec::new()).unwrap()), glows[2]);
}

#[test]
fn a_statistic_has_its_page_in_the_plots() {
    add_glow();
    let mut editor = editor::open(&gallery("hanging_beam"), 800.0);
    act(&mut editor, Action::TogglePlay);
    wait(&mut editor, "steps are taken", |app| app.main().series.len() >= 3);
    act(&mut editor, Action::TogglePlay);
    editor::turn_to(&mut editor, "Fireworks");
    editor.get_by_label("Glow [cd]").hover();
    wait(&mut editor, "it pauses", editor::is_idle);
    for _ in 0..200 {
        if editor.query_by_label("how it glows [cd]").is_some() {
            return;
        }
        editor.step();
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("nothing is told of it");
}

/// How high elements are; they make no force.
#[derive(Clone)]
struct Lantern;

static LANTERNS: FamilyKind = FamilyKind {
    name: "lanterns",
    rest_numbers: 0,
    fields: &[FieldKind { name: "lantern height", label: "Height", unit: "m", doc: "how high it hangs", scale: Scale::From0 }],
};

impl Element<4, 1> for Lantern {
    fn kind() -> &'static FamilyKind {
        &LANTERNS
    }
    fn fields(&self, x: &[Vec3; 4], values: &mut [f64]) {
        values[0] = x.iter().map(|x| x.y).sum::<f64>() / 4.0;
    }
    fn energy(&self, _: &[Vec3; 4]) -> f64 {
        0.0
    }
    fn gradient(&self, _: &[Vec3; 4]) -> [Vec3; 4] {
        [Vec3::zeros(); 4]
    }
    fn hessian(&self, _: &[Vec3; 4], _: bool) -> [[Mat3; 4]; 4] {
        [[Mat3::zeros(); 4]; 4]
    }
    fn force_basis(&self, _: &[Vec3; 4]) -> [[Vec3; 4]; 1] {
        [[Vec3::zeros(); 4]]
    }
    fn inverse_weight(&self, _: &[Vec3; 4]) -> [[f64; 1]; 1] {
        [[1.0]]
    }
    fn force_coordinates(&self, _: &[Vec3; 4]) -> [f64; 1] {
        [0.0]
    }
    fn with_rest_for(&self, _: &[Vec3; 4], _: &[f64; 1]) -> Result<Self, Unattainable> {
        Ok(self.clone())
    }
    fn at_rest(&self, _: &[Vec3; 4]) -> Result<Self, Unattainable> {
        Ok(self.clone())
    }
    fn damping(&self) -> f64 {
        0.0
    }
    fn set_damping(&mut self, _: f64) {}
    fn bulk(&self, _: &[Vec3; 4]) -> f64 {
        0.0
    }
    fn stiffening(&self) -> f64 {
        1.0
    }
    fn stiffened(&self, _: f64) -> Self {
        self.clone()
    }
    fn rest_numbers(&self, _: &mut [f64]) {}
    fn set_rest_numbers(&mut self, _: &[f64]) {}
    fn max_step(&self, _: &[Vec3; 4], _: &[Vec3; 4]) -> f64 {
        1.0
    }
}

/// The beam, with lanterns in place of its tets.
fn lanterns() -> System {
    let mut system = beam();
    let nodes: Vec<[u32; 4]> = system.bodies[0].mesh.tets().to_vec();
    system.families = vec![Box::new(Batch::new(vec![Lantern; nodes.len()], nodes))];
    system
}

#[test]
fn a_field_of_a_family_is_exported() {
    let system = lanterns();
    let mut meshes = scene_meshes(&system, &system.positions);
    follow_recorded(&system, &system.positions, &mut meshes);
    let data = meshes[0].data.iter().find(|data| data.name == "lantern height [m]").expect("it is not exported");
    assert_eq!(data.components, 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lanterns.vtu");
    let format = FORMATS.iter().find(|format| format.name == "VTK unstructured grid").unwrap();
    format.write(&meshes, &file).unwrap();
    assert!(String::from_utf8_lossy(&std::fs::read(&file).unwrap()).contains("lantern height [m]"));
}

#[test]
fn a_field_of_a_family_is_a_colour_with_a_legend() {
    let path = gallery("hanging_beam");
    let document = Document::open(&path).unwrap();
    let simulation = Simulation::new(lanterns());
    let model = Model::of(&simulation.system, &[], RunId::default());
    let mut track = Track::start("lanterns", &Clock::default(), Arc::new(|| ())).unwrap();
    track.snapshot = Some(Arc::new(model.recorded(&simulation, 0, 0.0, simulation.state.positions.clone(), None)));
    track.model = Some(Arc::new(model));
    let mut desk = Desk { color_by: ColorBy::Field("lantern height"), ..Desk::default() };
    let list = Picture::default().draw_list(&document, &track, &desk, None, true, false);
    let Some(BodyColor::Scalar { name, unit, values, .. }) = list.bodies.first().map(|body| &body.color) else {
        panic!("it has no colour")
    };
    assert_eq!((name.as_str(), unit.as_str()), ("lantern height", "m"));
    assert!(values.iter().any(|value| value.is_finite() && *value != values[0]));

    let mut is_first = true;
    let mut harness = Harness::new_ui(move |ui| {
        // The fonts that are set in a frame are those of the next.
        if std::mem::take(&mut is_first) {
            return aplomb::theme::install(ui.ctx(), None);
        }
        let mut actions = Vec::new();
        let recent = aplomb::document::RecentFiles::default();
        toolbar(ui, &mut Look { document: &document, main: &track, twin: None, recent: &recent, desk: &mut desk, actions: &mut actions });
    });
    harness.set_size(egui::vec2(1280.0, 400.0));
    harness.run_steps(3);
    harness.get_by_label("Colour by: Height").click();
    harness.run_steps(3);
    harness.get_by_role_and_label(egui::Role::Button, "Height").hover();
}
