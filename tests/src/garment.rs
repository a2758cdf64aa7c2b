//! [`Garment`]: panels of cloth with their sewing pattern, as a scene with one body.

use std::fmt::Write;
use std::path::PathBuf;

use aplomb_sim::math::Vec3;
use aplomb_sim::simulation::Simulation;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::sheet::built;

/// Vertices, corners and stitches as in a file, and the scene.
pub struct Garment {
    folder: TempDir,
    /// Vertices [m].
    pub positions: Vec<Vec3>,
    /// Points of the pattern.
    pub points: Vec<[f64; 2]>,
    /// Vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Points of the pattern of each triangle; empty: none.
    pub pattern: Vec<[u32; 3]>,
    /// Stitches of the file: a vertex, the ends of an edge, and where on it.
    pub stitches: Vec<(u32, [u32; 2], f64)>,
    /// The scene, free to be changed.
    pub scene: Value,
}

impl Garment {
    /// Without panels, of a cloth of no thickness that rests in its pattern.
    ///
    /// # Panics
    /// If no folder can be made.
    #[allow(clippy::expect_used, reason = "a test without its files is to fail")]
    pub fn new() -> Self {
        let body = json!({ "name": "garment", "mesh": "garment.obj", "as": { "cloth": { "thickness": 0.0, "rest": "uv" } } });
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            positions: Vec::new(),
            points: Vec::new(),
            triangles: Vec::new(),
            pattern: Vec::new(),
            stitches: Vec::new(),
            scene: json!({ "version": 1, "name": "garment", "bodies": [body] }),
        }
    }

    /// Adds a panel of so many cells, with the vertex at (u, v) of the unit square at `place` [m], cut at `cut` [m]; the number of its first
    /// vertex. Vertices go along u first.
    pub fn panel(&mut self, [nu, nv]: [u32; 2], place: impl Fn(f64, f64) -> Vec3, cut: impl Fn(f64, f64) -> [f64; 2]) -> u32 {
        let (first, first_point) = (self.positions.len() as u32, self.points.len() as u32);
        for (i, j) in (0..=nv).flat_map(|j| (0..=nu).map(move |i| (i, j))) {
            let (u, v) = (f64::from(i) / f64::from(nu), f64::from(j) / f64::from(nv));
            self.positions.push(place(u, v));
            self.points.push(cut(u, v));
        }
        for (i, j) in (0..nv).flat_map(|j| (0..nu).map(move |i| (i, j))) {
            let a = (nu + 1) * j + i;
            let [a, b, c, d] = [a, a + 1, a + nu + 2, a + nu + 1];
            let halves = if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            self.triangles.extend(halves.map(|half| half.map(|v| first + v)));
            self.pattern.extend(halves.map(|half| half.map(|v| first_point + v)));
        }
        first
    }

    /// Settings of the cloth.
    pub fn cloth(&mut self) -> &mut Value {
        &mut self.scene["bodies"][0]["as"]["cloth"]
    }

    /// Holds these vertices.
    pub fn hold(&mut self, vertices: &[u32]) -> &mut Self {
        self.scene["bodies"][0]["regions"] = json!([{ "name": "held", "role": { "dirichlet": {} }, "select": [{ "vertices": vertices }] }]);
        self
    }

    /// The file of the mesh.
    pub fn obj(&self) -> String {
        let mut text = String::new();
        for p in &self.positions {
            let _ = writeln!(text, "v {:?} {:?} {:?}", p.x, p.y, p.z);
        }
        if !self.pattern.is_empty() {
            for [u, v] in &self.points {
                let _ = writeln!(text, "vt {u:?} {v:?}");
            }
        }
        for (t, [a, b, c]) in self.triangles.iter().enumerate() {
            let _ = match self.pattern.get(t) {
                Some([p, q, r]) => writeln!(text, "f {}/{} {}/{} {}/{}", a + 1, p + 1, b + 1, q + 1, c + 1, r + 1),
                None => writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1),
            };
        }
        for (v, [a, b], along) in &self.stitches {
            let _ = writeln!(text, "stitch {v} {a} {b} {along:?}");
        }
        text
    }

    /// Writes mesh and scene; the scene's path.
    ///
    /// # Panics
    /// If no file can be written.
    #[allow(clippy::expect_used, reason = "a test without its files is to fail")]
    pub fn write(&self) -> PathBuf {
        std::fs::write(self.folder.path().join("garment.obj"), self.obj()).expect("a mesh");
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

impl Default for Garment {
    fn default() -> Self {
        Self::new()
    }
}
