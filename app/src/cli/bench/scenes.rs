//! The scenes that are measured: made in memory, with their meshes in a folder that goes with them.

use std::path::{Path, PathBuf};

use anyhow::Context;
use aplomb_sim::export::medit;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::scene::{Body, Obstacle, Scene, Shape, Transform};
use aplomb_sim::scene_file::gallery;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Watch;
use nalgebra::Vector3;
use serde_json::{Value, json};

use crate::cli::failure::Failure;

/// A folder that is removed in the end.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty one.
    pub fn new() -> Result<Self, Failure> {
        let path = std::env::temp_dir().join(format!("aplomb-bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("the folder {} cannot be made", path.display()))?;
        Ok(Self(path))
    }

    /// Writes a box of 5 tetrahedra a cube, with a corner at the origin [m].
    pub fn write_box(&self, name: &str, size: Vector3<f64>, cells: [usize; 3]) -> Result<(), Failure> {
        let (positions, tets) = box_mesh(size, cells, CubeCut::Five);
        let mut bytes = Vec::new();
        medit::write(&mut bytes, &positions, &tets, &[]).context("the mesh cannot be written")?;
        self.write(name, &bytes)
    }

    /// Writes the surface of a box with a corner at the origin [m], as two triangles a side.
    pub fn write_surface(&self, name: &str, size: Vector3<f64>) -> Result<(), Failure> {
        let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { size[axis] } else { 0.0 });
        let vertices: String = (0..8).map(corner).map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
        self.write(name, format!("{vertices}f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n").as_bytes())
    }

    /// Writes the surface of a box with a corner at the origin [m] without a step of this width and height [m] on its floor, at the far end of its first
    /// axis, along all of its third.
    pub fn write_step(&self, name: &str, size: Vector3<f64>, [width, height]: [f64; 2]) -> Result<(), Failure> {
        if width == 0.0 || height == 0.0 {
            return self.write_surface(name, size);
        }
        let from = size.x - width;
        let outline =
            [[0.0, 0.0], [from, 0.0], [from, height], [size.x, height], [size.x, size.y], [from, size.y], [0.0, size.y], [0.0, height]];
        let count = outline.len();
        let of_end = |z: f64| outline.iter().map(move |[x, y]| format!("v {x} {y} {z}\n"));
        let vertices: String = of_end(0.0).chain(of_end(size.z)).collect();
        let (near, far) = (|k: usize| k % count + 1, |k: usize| k % count + 1 + count);
        let side = |k: usize| format!("f {} {} {}\nf {0} {2} {}\n", near(k), near(k + 1), far(k + 1), far(k));
        let sides: String = (0..count).map(side).collect();
        // Each end as three rectangles.
        let end = |[a, b, c, d]: [usize; 4]| {
            format!(
                "f {} {} {}\nf {0} {2} {}\nf {} {} {}\nf {4} {6} {}\n",
                near(a),
                near(d),
                near(c),
                near(b),
                far(a),
                far(b),
                far(c),
                far(d)
            )
        };
        let ends: String = [[0, 1, 2, 7], [7, 2, 5, 6], [2, 3, 4, 5]].map(end).concat();
        self.write(name, (vertices + &sides + &ends).as_bytes())
    }

    /// Writes a square grid of so many cells a side, each cut along the same diagonal, with its vertices at `place` [m].
    pub fn write_grid(&self, name: &str, cells: usize, place: impl Fn(usize, usize) -> Vector3<f64>) -> Result<(), Failure> {
        let (mut text, row) = (String::new(), cells + 1);
        for (i, j) in (0..row).flat_map(|i| (0..row).map(move |j| (i, j))) {
            let [x, y, z]: [f64; 3] = place(i, j).into();
            text += &format!("v {x} {y} {z}\n");
        }
        for (i, j) in (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j))) {
            let [a, b, c, d] = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)].map(|(i, j)| i * row + j + 1);
            text += &format!("f {a} {b} {c}\nf {a} {c} {d}\n");
        }
        self.write(name, text.as_bytes())
    }

    /// Writes a square in the plane y = 0, from (-1, -1) to (2, 2), as two triangles.
    pub fn write_floor(&self, name: &str) -> Result<(), Failure> {
        let text = "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n-1 0 -1 0\n-1 0 2 0\n2 0 2 0\n2 0 -1 0\nTriangles\n2\n1 2 3 0\n1 3 4 0\nEnd\n";
        self.write(name, text.as_bytes())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let file = self.0.join(name);
        Ok(std::fs::write(&file, bytes).with_context(|| format!("{} cannot be written", file.display()))?)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning of that place.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The scene with its system.
pub fn build(scene: &Scene, folder: &Folder, watch: &dyn Watch) -> Result<Simulation, Failure> {
    in_folder(scene, &folder.0, watch)
}

fn in_folder(scene: &Scene, folder: &Path, watch: &dyn Watch) -> Result<Simulation, Failure> {
    Simulation::build(scene, folder, watch).map_err(|error| Failure::Input(error.to_string()))
}

/// A box of 0.5 m and 5000 tetrahedra (0.5 MPa, 1000 kg/m^3), 2 cm above the ground; the barrier reaches 1 mm, there is no
/// friction, Newton's method ends at 1 cm/s.
pub fn box_drop(folder: &Folder, floor: Value) -> Result<Scene, Failure> {
    let (side, reach) = (0.5, 1e-3);
    folder.write_box("box.mesh", Vector3::repeat(side), [10; 3])?;
    let mut scene = Scene::empty("box_drop");
    scene.bodies.push(body(json!({
        "name": "box", "mesh": "box.mesh", "transform": { "translate": [0, 0.02, 0] },
        "material": { "law": "neo_hookean", "young": 5e5, "poisson": 0.4, "density": 1000 }
    }))?);
    scene.obstacles.push(obstacle(json!({ "name": "ground", "friction": 0, "shape": floor }))?);
    scene.contact.barrier_distance = reach / (side * 3.0_f64.sqrt());
    scene.contact.friction = 0.0;
    scene.simulate.step_size = 0.01;
    scene.simulate.tolerance = 1e-2;
    Ok(scene)
}

/// The creature of the gallery, free, moving at 1 m/s onto a torus just under it.
pub fn creature_on_torus(watch: &dyn Watch) -> Result<Simulation, Failure> {
    let entry = gallery::find("creature").ok_or_else(|| Failure::Input("the scene `creature` is missing".into()))?;
    let mut scene: Scene = serde_json::from_str(entry.text).context("the scene `creature` is not in order")?;
    for body in &mut scene.bodies {
        body.regions.clear();
        body.transform = Transform { translate: [0.0, 0.105, 0.0], ..Transform::default() };
        body.velocity = [0.0, -1.0, 0.0];
    }
    let (center, axis) = ([0.0, 0.05, 0.0], [0.0, 1.0, 0.0]);
    let shape = Shape::Torus { center, axis, ring_radius: 0.12, tube_radius: 0.05, segments: 48 };
    scene.obstacles =
        vec![obstacle(json!({ "name": "torus", "friction": 0.5, "shape": serde_json::to_value(shape).unwrap_or_default() }))?];
    let path = entry.path();
    in_folder(&scene, path.parent().unwrap_or(Path::new("")), watch)
}

/// A block of 100000 tetrahedra (0.2 MPa, 1000 kg/m^3), held at its upper side.
pub fn hanging(folder: &Folder, watch: &dyn Watch) -> Result<Simulation, Failure> {
    folder.write_box("block.mesh", Vector3::new(0.5, 1.0, 0.625), [20, 40, 25])?;
    let mut scene = Scene::empty("hanging");
    scene.bodies.push(body(json!({
        "name": "block", "mesh": "block.mesh",
        "material": { "law": "neo_hookean", "young": 2e5, "poisson": 0.4, "density": 1000 },
        "regions": [{ "name": "top", "role": { "dirichlet": {} }, "select": [{ "height": { "axis": "y", "from": 1, "to": 1 } }] }]
    }))?);
    build(&scene, folder, watch)
}

/// A block of 100640 tetrahedra (0.5 MPa, 1000 kg/m^3) that stands by contact and friction alone, with 306 vertices, on
/// ground which gravity meets at 12 degrees.
pub fn block_on_slope(folder: &Folder, watch: &dyn Watch) -> Result<Simulation, Failure> {
    folder.write_box("block_on_slope.mesh", Vector3::new(0.51, 1.2, 0.48), [17, 74, 16])?;
    let mut scene = Scene::empty("block_on_slope");
    let angle = 12_f64.to_radians();
    scene.gravity = [9.81 * angle.sin(), -9.81 * angle.cos(), 0.0];
    scene.bodies.push(body(json!({
        "name": "block", "mesh": "block_on_slope.mesh",
        "material": { "law": "neo_hookean", "young": 5e5, "poisson": 0.4, "density": 1000, "damping": 0.01 }
    }))?);
    let ground = json!({ "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } });
    scene.obstacles.push(obstacle(json!({ "name": "ground", "friction": 0.5, "shape": ground }))?);
    build(&scene, folder, watch)
}

/// A body as in a scene's file.
pub fn body(value: Value) -> Result<Body, Failure> {
    Ok(serde_json::from_value(value).context("a body of the benchmark is not in order")?)
}

/// An obstacle as in a scene's file.
pub fn obstacle(value: Value) -> Result<Obstacle, Failure> {
    Ok(serde_json::from_value(value).context("an obstacle of the benchmark is not in order")?)
}
