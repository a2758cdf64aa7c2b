//! [`Blocks`]: scenes of boxes that are built for a test, through files as users have them.

use std::fmt::Write;
use std::path::PathBuf;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::scene;
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What is made of a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// The box itself.
    Full,
    /// Its outermost cubes.
    Hollow,
    /// Its outermost cubes as seen along z, around a hole.
    Frame,
    /// Bent upward about an axis along z, so that its middle line has this radius [m].
    Bent(f64),
}

/// A box of tets about its centre.
#[derive(Debug, Clone)]
pub struct Block {
    /// What is made of it.
    pub form: Form,
    /// Edge lengths [m].
    pub size: [f64; 3],
    /// Cubes along each axis.
    pub cells: [usize; 3],
    /// Rotation about its centre, about x, then y, then z [degrees].
    pub rotate_degrees: [f64; 3],
    /// Where its centre is [m].
    pub at: [f64; 3],
    /// Material, as a scene says it.
    pub material: Value,
    /// Regions, as a scene says them.
    pub regions: Value,
}

/// A scene and the files that it names.
pub struct Blocks {
    folder: TempDir,
    /// The scene, free to be changed.
    pub scene: Value,
}

impl Block {
    /// An upright box of jelly of this size and place.
    pub fn jelly(size: [f64; 3], cells: [usize; 3], at: [f64; 3], young: f64) -> Self {
        let material = json!({ "law": "neo_hookean", "young": young, "poisson": 0.4, "density": 1000 });
        Self { form: Form::Full, size, cells, rotate_degrees: [0.0; 3], at, material, regions: json!([]) }
    }

    fn mesh(&self) -> (Vec<Vec3>, Vec<[u32; 4]>) {
        let (size, [nx, ny, nz]) = (Vec3::from(self.size), self.cells);
        let (mut positions, tets) = box_mesh(size, self.cells, CubeCut::Kuhn);
        positions.iter_mut().for_each(|p| *p -= 0.5 * size);
        let outer = |i: usize, count: usize| i == 0 || i + 1 == count;
        let stays = |cube: usize| {
            let (x, y, z) = (cube % nx, cube / nx % ny, cube / (nx * ny));
            match self.form {
                Form::Full | Form::Bent(_) => true,
                Form::Frame => outer(x, nx) || outer(y, ny),
                Form::Hollow => outer(x, nx) || outer(y, ny) || outer(z, nz),
            }
        };
        if let Form::Bent(radius) = self.form {
            for p in &mut positions {
                let (sine, cosine) = (p.x / radius).sin_cos();
                *p = Vec3::new((radius + p.y) * sine, (radius + p.y) * cosine - radius, p.z);
            }
        }
        // Six tets a cube.
        let kept: Vec<[u32; 4]> = tets.chunks(6).enumerate().filter(|(cube, _)| stays(*cube)).flat_map(|(_, tets)| tets).copied().collect();
        let mut used = vec![false; positions.len()];
        kept.iter().flatten().for_each(|&n| used[n as usize] = true);
        let mut count = 0;
        let number: Vec<u32> = used
            .iter()
            .map(|&used| {
                count += u32::from(used);
                count.saturating_sub(1)
            })
            .collect();
        let positions = positions.into_iter().zip(used).filter_map(|(p, used)| used.then_some(p)).collect();
        (positions, kept.into_iter().map(|tet| tet.map(|n| number[n as usize])).collect())
    }

    fn medit(&self) -> String {
        let (positions, tets) = self.mesh();
        let mut text = format!("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", positions.len());
        for p in positions {
            let _ = writeln!(text, "{:?} {:?} {:?} 0", p.x, p.y, p.z);
        }
        let _ = write!(text, "Tetrahedra\n{}\n", tets.len());
        for [a, b, c, d] in tets {
            let _ = writeln!(text, "{} {} {} {} 0", a + 1, b + 1, c + 1, d + 1);
        }
        text + "End\n"
    }
}

impl Blocks {
    /// A scene of these boxes, named by their numbers, with everything else that `rest` says.
    ///
    /// # Panics
    /// If no file can be written.
    #[allow(clippy::expect_used, clippy::panic, reason = "a test without its files is to fail")]
    pub fn new(blocks: &[Block], rest: &Value) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut scene = json!({ "version": 1, "name": "blocks" });
        let body = |(number, block): (usize, &Block)| {
            let mesh = format!("block_{number}.mesh");
            std::fs::write(folder.path().join(&mesh), block.medit()).expect("a mesh");
            let transform = json!({ "rotate_degrees": block.rotate_degrees, "translate": block.at });
            json!({ "name": format!("block {number}"), "mesh": mesh, "transform": transform, "material": block.material, "regions": block.regions })
        };
        scene["bodies"] = blocks.iter().enumerate().map(body).collect();
        for (key, value) in rest.as_object().into_iter().flatten() {
            scene[key] = value.clone();
        }
        Self { folder, scene }
    }

    /// Writes the scene as it is now, beside its meshes; its file.
    ///
    /// # Panics
    /// If it cannot be written.
    #[allow(clippy::expect_used, reason = "a test without its files is to fail")]
    pub fn write(&self) -> PathBuf {
        let path = self.folder.path().join("scene.json");
        std::fs::write(&path, self.scene.to_string()).expect("a scene");
        path
    }

    /// The simulation in the naive rest state.
    ///
    /// # Errors
    /// What is wrong with the scene, in words.
    pub fn build(&self) -> Result<Simulation, String> {
        let problems = |problems: Vec<scene::SceneProblem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let scene = scene_file::parse(&self.scene.to_string(), &self.folder.path().join("scene.json")).map_err(problems)?;
        Simulation::build(&scene, self.folder.path(), &Unwatched).map_err(|error| error.to_string())
    }
}
