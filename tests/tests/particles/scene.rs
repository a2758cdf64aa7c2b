//! Scenes of one body of particles, of a fluid, an elastic solid, sand, metal or a liquid, which tests write and run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code, missing_docs)]

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
pub const DENSITY: f64 = 1000.0;

/// Every kernel of the grid with every transfer that it can have.
pub const GRIDS: [(&str, &str); 11] = [
    ("linear", "apic"),
    ("linear", "flip"),
    ("linear", "pic"),
    ("quadratic", "mls"),
    ("quadratic", "apic"),
    ("quadratic", "flip"),
    ("quadratic", "pic"),
    ("cubic", "mls"),
    ("cubic", "apic"),
    ("cubic", "flip"),
    ("cubic", "pic"),
];

/// A scene file with one body of particles, in a folder of its own.
pub struct Particles {
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

fn plane(name: &str, point: [f64; 3], normal: [f64; 3], friction: f64) -> Value {
    json!({ "name": name, "shape": { "half_space": { "point": point, "normal": normal } }, "friction": friction })
}

pub fn obj(points: &[Vec3]) -> String {
    points.iter().map(|x| format!("v {} {} {}\n", x.x, x.y, x.z)).collect()
}

impl Particles {
    /// Particles at `points` as this kind of matter with these settings, stepped so, and nothing else.
    fn of(points: &[Vec3], (kind, settings): (&str, Value), simulate: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mesh.obj"), obj(points)).unwrap();
        let matter = json!({ "spacing": SPACING, "density": DENSITY, kind: settings });
        let body = json!({ "name": "body", "mesh": "mesh.obj", "as": { "particles": matter } });
        Self { folder, scene: json!({ "version": 1, "name": kind, "bodies": [body], "simulate": simulate }) }
    }

    /// A fluid with these settings.
    pub fn fluid(points: &[Vec3], settings: Value) -> Self {
        let simulate = json!({ "stepper": "xpbd", "step_size": 1.0 / 60.0, "projection": { "substeps": 10, "sweeps": 4 } });
        Self::of(points, ("fluid", settings), simulate)
    }

    /// Material points of this law.
    pub fn elastic(points: &[Vec3], law: &str) -> Self {
        let settings = json!({ "law": law, "young": 1e5, "poisson": 0.3 });
        Self::of(points, ("elastic", settings), json!({ "stepper": "mpm", "step_size": 0.01 }))
    }

    /// Grains with this angle of friction [degrees].
    pub fn sand(points: &[Vec3], friction_angle: f64) -> Self {
        let settings = json!({ "young": 1e6, "poisson": 0.3, "friction_angle": friction_angle });
        Self::of(points, ("sand", settings), json!({ "stepper": "mpm", "step_size": 0.01 }))
    }

    /// A liquid with these settings.
    pub fn liquid(points: &[Vec3], settings: Value) -> Self {
        Self::of(points, ("liquid", settings), json!({ "stepper": "mpm", "step_size": 0.01 }))
    }

    /// Metal that yields at this stress [Pa].
    pub fn metal(points: &[Vec3], yield_stress: f64) -> Self {
        let settings = json!({ "young": 2e5, "poisson": 0.3, "yield_stress": yield_stress });
        Self::of(points, ("metal", settings), json!({ "stepper": "mpm", "step_size": 0.01 }))
    }

    /// On such a grid.
    pub fn on_grid(&mut self, (kernel, transfer): (&str, &str)) {
        self.scene["simulate"]["grid"] = json!({ "kernel": kernel, "transfer": transfer });
    }

    /// Adds a body of the same matter at other points.
    pub fn beside(&mut self, points: &[Vec3]) {
        std::fs::write(self.folder.path().join("other.obj"), obj(points)).unwrap();
        let mut other = self.scene["bodies"][0].clone();
        (other["name"], other["mesh"]) = (json!("other"), json!("other.obj"));
        self.scene["bodies"].as_array_mut().unwrap().push(other);
    }

    /// Adds a floor of this friction coefficient.
    pub fn floor(&mut self, friction: f64) {
        self.scene["obstacles"] = json!([plane("floor", [0.0; 3], [0.0, 1.0, 0.0], friction)]);
    }

    /// Adds planes: a floor, and walls around a box that begins at the origin and has these sides [m].
    pub fn walls(&mut self, sides: [f64; 2]) {
        let plane = |name, point, normal| plane(name, point, normal, 0.0);
        let [x, z] = sides;
        self.scene["obstacles"] = json!([
            plane("floor", [0.0; 3], [0.0, 1.0, 0.0]),
            plane("left", [0.0; 3], [1.0, 0.0, 0.0]),
            plane("right", [x, 0.0, 0.0], [-1.0, 0.0, 0.0]),
            plane("back", [0.0; 3], [0.0, 0.0, 1.0]),
            plane("front", [0.0, 0.0, z], [0.0, 0.0, -1.0]),
        ]);
    }

    /// A column of a fluid that fills its walls.
    pub fn column(counts: [usize; 3], jitter: f64, fluid: Value) -> Self {
        let mut fluids = Self::fluid(&lattice(counts, jitter), fluid);
        fluids.walls([counts[0], counts[2]].map(|count| count as f64 * SPACING));
        fluids
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

/// The number that a message gives behind `about`.
pub fn about(message: &str) -> f64 {
    message.split("about ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
}

/// Steps for so long [s]; the largest drift on the way, and the last statistics.
pub fn run(simulation: &mut Simulation, seconds: f64) -> (f64, aplomb_sim::step::StepStats) {
    let end = simulation.state.time + seconds;
    let (mut drift, mut last) = (0.0_f64, aplomb_sim::step::StepStats::default());
    while simulation.state.time < end - 1e-6 {
        last = simulation.step(&Unwatched).unwrap();
        drift = drift.max(last.drift);
    }
    (drift, last)
}

/// Height of the surface [m].
pub fn height(simulation: &Simulation) -> f64 {
    simulation.state.positions.iter().map(|x| x.y).fold(0.0, f64::max) + 0.5 * SPACING
}
