//! [`Sheet`]: a grid of triangles bent into any shape, as a scene with one body of cloth.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::SceneProblem;
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};
use tempfile::TempDir;

/// How squares, or rows, are cut into triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Along one diagonal, always the same.
    Right,
    /// Along diagonals in turn.
    Cross,
    /// Rows shifted by half a cell, so that all sides can be equal.
    Equilateral,
}

/// A scene with one body of cloth.
pub struct Sheet {
    folder: TempDir,
    /// Vertices [m].
    pub positions: Vec<Vec3>,
    /// Their places in the unit square.
    pub places: Vec<[f64; 2]>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// The scene, free to be changed.
    pub scene: Value,
}

impl Sheet {
    /// So many cells along u and v, cut so, with the vertex of (u, v) in the unit square at `place` [m].
    ///
    /// # Panics
    /// If no folder can be made.
    #[allow(clippy::expect_used, reason = "a test without its files is to fail")]
    pub fn new([nu, nv]: [usize; 2], cut: Cut, place: impl Fn(f64, f64) -> Vec3) -> Self {
        let mut places = Vec::new();
        for j in 0..=nv {
            let shift = if cut == Cut::Equilateral && j % 2 == 1 { 0.5 } else { 0.0 };
            // A shifted row has its ends on the border all the same.
            let last = if shift > 0.0 { nu + 1 } else { nu };
            for i in 0..=last {
                let along = if i == 0 {
                    0.0
                } else if i == last {
                    nu as f64
                } else {
                    i as f64 - shift
                };
                places.push([along / nu as f64, j as f64 / nv as f64]);
            }
        }
        let start = |j: usize| if cut == Cut::Equilateral { (nu + 1) * j + j / 2 } else { (nu + 1) * j };
        let mut triangles = Vec::new();
        for j in 0..nv {
            let (low, high) = (start(j) as u32, start(j + 1) as u32);
            for i in 0..nu as u32 {
                let [a, b, c, d] = [low + i, low + i + 1, high + i + 1, high + i];
                match cut {
                    Cut::Equilateral if j % 2 == 0 => triangles.extend([[a, b, c], [a, c, d]]),
                    Cut::Equilateral => triangles.extend([[a, b, d], [b, c, d]]),
                    Cut::Cross if (i as usize + j) % 2 == 1 => triangles.extend([[a, b, d], [b, c, d]]),
                    _ => triangles.extend([[a, b, c], [a, c, d]]),
                }
            }
            if cut == Cut::Equilateral {
                let end = nu as u32;
                triangles.push(if j % 2 == 0 { [low + end, high + end + 1, high + end] } else { [low + end, low + end + 1, high + end] });
            }
        }
        let positions = places.iter().map(|[u, v]| place(*u, *v)).collect();
        let body = json!({ "name": "cloth", "mesh": "sheet.obj", "as": { "cloth": { "thickness": 0.0 } } });
        let scene = json!({ "version": 1, "name": "sheet", "bodies": [body] });
        Self { folder: tempfile::tempdir().expect("a folder"), positions, places, triangles, scene }
    }

    /// Changes of what the cloth is made of.
    pub fn cloth(&mut self, settings: &Value) -> &mut Self {
        merge(&mut self.scene["bodies"][0]["as"]["cloth"], settings);
        self
    }

    /// Holds the vertices whose places in the unit square are so.
    pub fn hold(&mut self, is_held: impl Fn(f64, f64) -> bool) -> &mut Self {
        let held: Vec<usize> = (0..self.places.len()).filter(|&v| is_held(self.places[v][0], self.places[v][1])).collect();
        self.scene["bodies"][0]["regions"] = json!([{ "name": "held", "role": { "dirichlet": {} }, "select": [{ "vertices": held }] }]);
        self
    }

    /// The file of the mesh.
    pub fn obj(&self) -> String {
        let mut text = String::new();
        for p in &self.positions {
            let _ = writeln!(text, "v {:?} {:?} {:?}", p.x, p.y, p.z);
        }
        for [a, b, c] in &self.triangles {
            let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
        }
        text
    }

    /// Writes mesh and scene; the scene's path.
    ///
    /// # Panics
    /// If no file can be written.
    #[allow(clippy::expect_used, reason = "a test without its files is to fail")]
    pub fn write(&self) -> PathBuf {
        std::fs::write(self.folder.path().join("sheet.obj"), self.obj()).expect("a mesh");
        let path = self.folder.path().join("scene.json");
        std::fs::write(&path, self.scene.to_string()).expect("a scene");
        path
    }

    /// The simulation in the naive rest state.
    ///
    /// # Errors
    /// What is wrong with the scene, in words.
    pub fn build(&self) -> Result<Simulation, String> {
        built(&self.write())
    }
}

/// The simulation of a scene file, or what is wrong with it in words.
pub(crate) fn built(path: &Path) -> Result<Simulation, String> {
    let problems = |problems: Vec<SceneProblem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let scene = scene_file::load(path).map_err(problems)?;
    Simulation::build(&scene, path.parent().unwrap_or(path), &Unwatched).map_err(|error| problems(error.0))
}

/// Puts what `changes` says into `value`, object by object.
fn merge(value: &mut Value, changes: &Value) {
    match (value, changes) {
        (Value::Object(value), Value::Object(changes)) => {
            changes.iter().for_each(|(key, change)| merge(value.entry(key).or_insert(Value::Null), change));
        }
        (value, change) => *value = change.clone(),
    }
}
