//! Scenes of one body of material points, which tests write and run.
#![allow(clippy::unwrap_used, clippy::panic, dead_code, missing_docs)]

use std::path::PathBuf;

use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::Method;
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InitReport;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};
use tempfile::TempDir;

pub const SPACING: f64 = 0.05;
pub const GRAVITY: f64 = 9.81;
pub const COUNTS: [usize; 3] = [8, 10, 8];

/// A scene file with one body of material points, in a folder of its own.
pub struct Points {
    pub folder: TempDir,
    pub scene: Value,
}

/// The points of a lattice whose lowest corner is the origin, moved by chance by a share of the spacing.
pub fn lattice(counts: [usize; 3], jitter: f64) -> Vec<Vec3> {
    let mut random = Random::new(7);
    let [a, b, c] = counts;
    let at = |k: usize| SPACING * Vec3::new((k % a) as f64 + 0.5, (k / a % b) as f64 + 0.5, (k / (a * b)) as f64 + 0.5);
    (0..a * b * c).map(|k| at(k) + random.vector(-jitter * SPACING, jitter * SPACING)).collect()
}

impl Points {
    /// Material points at `points` of this law, and nothing else.
    pub fn new(points: &[Vec3], law: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text: String = points.iter().map(|x| format!("v {} {} {}\n", x.x, x.y, x.z)).collect();
        std::fs::write(folder.path().join("mesh.obj"), text).unwrap();
        let elastic = json!({ "law": law, "young": 1e5, "poisson": 0.3 });
        let body = json!({ "name": "block", "mesh": "mesh.obj", "as": { "particles": { "spacing": SPACING, "density": 1000.0, "elastic": elastic } } });
        let simulate = json!({ "stepper": "mpm", "step_size": 0.01 });
        Self { folder, scene: json!({ "version": 1, "name": "points", "bodies": [body], "simulate": simulate }) }
    }

    /// A block on a floor of this friction coefficient.
    pub fn on_floor(jitter: f64, law: &str, friction: f64) -> Self {
        let mut points = Self::new(&lattice(COUNTS, jitter), law);
        points.floor(friction);
        points
    }

    pub fn floor(&mut self, friction: f64) {
        let plane = json!({ "half_space": { "point": [0.0, 0.0, 0.0], "normal": [0.0, 1.0, 0.0] } });
        self.scene["obstacles"] = json!([{ "name": "floor", "shape": plane, "friction": friction }]);
    }

    pub fn file(&self) -> PathBuf {
        let file = self.folder.path().join("scene.json");
        std::fs::write(&file, self.scene.to_string()).unwrap();
        file
    }

    pub fn problems(&self) -> Vec<String> {
        let problems = match scene_file::load(&self.file()) {
            Err(problems) => problems,
            Ok(scene) => Simulation::build(&scene, self.folder.path(), &Unwatched).map_or_else(|error| error.0, |_| Vec::new()),
        };
        problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect()
    }

    pub fn build(&self) -> Simulation {
        let scene = scene_file::load(&self.file()).unwrap_or_else(|problems| panic!("{problems:#?}"));
        Simulation::build(&scene, self.folder.path(), &Unwatched).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn initialised(&self, method: Method) -> (Simulation, InitReport) {
        let mut simulation = self.build();
        let report = simulation.initialise(method, &Unwatched).unwrap();
        (simulation, report)
    }
}

/// Steps for so long [s]; the largest distance from the given shape on the way [m], and the last statistics.
pub fn run(simulation: &mut Simulation, seconds: f64) -> (f64, aplomb_sim::step::StepStats) {
    let end = simulation.state.time + seconds;
    let (mut drift, mut last) = (0.0_f64, aplomb_sim::step::StepStats::default());
    while simulation.state.time < end - 1e-6 {
        last = simulation.step(&Unwatched).unwrap();
        drift = drift.max(last.drift * simulation.system.diagonal);
    }
    (drift, last)
}
