//! Scenes of one body of springs, which tests write and run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code, missing_docs)]

use std::path::PathBuf;

use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InitReport;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A scene file with one body of springs, in a folder of its own.
pub struct Springs {
    pub folder: TempDir,
    pub scene: Value,
}

impl Springs {
    /// The springs `settings` along the edges of `mesh`, an OBJ, with what `select` chooses held.
    pub fn new(mesh: &str, settings: Value, select: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mesh.obj"), mesh).unwrap();
        let held = json!({ "name": "held", "role": { "dirichlet": {} }, "select": [select] });
        let body = json!({ "name": "net", "mesh": "mesh.obj", "as": { "springs": settings }, "regions": [held] });
        Self { folder, scene: json!({ "version": 1, "name": "springs", "bodies": [body] }) }
    }

    pub fn file(&self) -> PathBuf {
        let file = self.folder.path().join("scene.json");
        std::fs::write(&file, self.scene.to_string()).unwrap();
        file
    }

    pub fn load(&self) -> Scene {
        scene_file::load(&self.file()).unwrap_or_else(|problems| panic!("{problems:#?}"))
    }

    pub fn problems(&self) -> Vec<String> {
        let problems = match scene_file::load(&self.file()) {
            Err(problems) => problems,
            Ok(scene) => Simulation::build(&scene, self.folder.path(), &Unwatched).map_or_else(|error| error.0, |_| Vec::new()),
        };
        problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect()
    }

    pub fn build(&self) -> Simulation {
        Simulation::build(&self.load(), self.folder.path(), &Unwatched).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn initialised(&self, method: Method) -> (Simulation, InitReport) {
        let mut simulation = self.build();
        let report = simulation.initialise(method, &Unwatched).unwrap();
        (simulation, report)
    }
}

/// A line of points as one polyline.
pub fn line(points: &[[f64; 3]]) -> String {
    let vertices: String = points.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    let numbers: String = (1..=points.len()).map(|v| format!(" {v}")).collect();
    vertices + "l" + &numbers + "\n"
}

pub fn hanging(links: usize, length: f64) -> String {
    line(&(0..=links).map(|k| [0.3, -length * k as f64 / links as f64, -0.2]).collect::<Vec<_>>())
}

pub fn top() -> Value {
    json!({ "height": { "axis": "y", "from": 1, "to": 1 } })
}

pub fn field(simulation: &Simulation, name: &str) -> Vec<f64> {
    simulation.fields().into_iter().find(|field| field.kind.name == name).unwrap().values
}
