//! Animated glTF: the first frame is the mesh, each further one a morph target, and one animation goes from target to target.
//!
//! glTF is one file with its table of contents at the front, so it is written whole: at the end, and before that whenever the
//! number of frames has doubled, so that a killed run leaves at least half of its frames for twice the work.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::document::{Document, Target};
use super::primitive::Primitive;
use crate::export::sequence::{FrameWriter, Moment};
use crate::export::{ExportError, ExportMesh, Surface, save};
use crate::math::Vec3;

struct Morph {
    path: PathBuf,
    /// The bodies that have a surface: name, and the surface in the given shape.
    bodies: Vec<(String, Surface)>,
    /// Which of the run's bodies these are.
    places: Vec<usize>,
    times: Vec<f32>,
    /// Points of each body in each frame.
    frames: Vec<Vec<Vec<[f32; 3]>>>,
    /// The number of frames when it was written last.
    written: usize,
}

/// Begins `frames.glb`.
pub fn begin(folder: &Path, meshes: &[ExportMesh], _: f64) -> Result<Box<dyn FrameWriter>, ExportError> {
    ExportError::refuse_lines("glTF", (false, false), meshes)?;
    ExportError::refuse_changing("glTF", meshes)?;
    let places: Vec<usize> = (0..meshes.len()).filter(|&k| !meshes[k].surface.triangles.is_empty()).collect();
    let bodies = places.iter().map(|&k| (meshes[k].name.clone(), meshes[k].surface.clone())).collect();
    Ok(Box::new(Morph { path: folder.join("frames.glb"), bodies, places, times: Vec::new(), frames: Vec::new(), written: 0 }))
}

/// Bytes from which on a run is worth a word.
const LARGE: f64 = 1e9;

/// How much a run of so many frames may take.
pub fn warning(meshes: &[ExportMesh], frames: u64) -> Option<String> {
    let vertices: usize = meshes.iter().map(|mesh| Primitive::of(&mesh.surface).vertices()).sum();
    // A target has a position and a normal for each vertex; the animation a weight for each frame and target.
    let bytes = frames as f64 * (24.0 * vertices as f64 + 4.0 * frames as f64);
    (bytes > LARGE).then(|| {
        format!(
            "{frames} frames of {vertices} vertices take up to {:.1} GB as glTF, which is kept in memory and ends at 4 GiB; \
             write fewer frames (--every), or another format",
            1e-9 * bytes
        )
    })
}

impl FrameWriter for Morph {
    fn frame(&mut self, moment: Moment, meshes: &[ExportMesh]) -> Result<(), ExportError> {
        let rounded = |p: &Vec3| [p.x as f32, p.y as f32, p.z as f32];
        let points = |&k: &usize| meshes[k].surface.points.iter().map(rounded).collect();
        self.frames.push(self.places.iter().map(points).collect());
        self.times.push(moment.time as f32);
        if self.frames.len() >= 2 * self.written { self.write() } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<(), ExportError> {
        if self.written < self.frames.len() { self.write() } else { Ok(()) }
    }
}

impl Morph {
    fn write(&mut self) -> Result<(), ExportError> {
        let mut document = Document::default();
        for (body, (name, surface)) in self.bodies.iter().enumerate() {
            let primitive = Primitive::of(surface);
            let at = |frame: usize| {
                let points = self.frames[frame][body].iter().map(|p| Vec3::from(p.map(f64::from))).collect();
                let posed = Surface { points, triangles: surface.triangles.clone(), ..Surface::default() };
                [primitive.gather(&posed.points), primitive.gather(&posed.normals())]
            };
            let start = at(0);
            let posed = Surface { points: self.frames[0][body].iter().map(|p| Vec3::from(p.map(f64::from))).collect(), ..surface.clone() };
            let json = primitive.write(&mut document, &posed);
            let targets: Vec<Value> = (1..self.frames.len()).map(|frame| target(&mut document, &start, &at(frame))).collect();
            document.add_body(name, json, &targets);
        }
        let targets = self.frames.len() - 1;
        if targets > 0 {
            // In frame k only target k - 1 counts; in the first none does.
            let weights: Vec<f32> =
                (0..=targets).flat_map(|frame| (1..=targets).map(move |target| f32::from(u8::from(target == frame)))).collect();
            document.animate_weights(&self.times, &weights);
        }
        self.written = self.frames.len();
        save(&self.path, &document.to_glb()?)
    }
}

/// What is added to positions and normals; entries that are zero are left out where that takes less room.
fn target(document: &mut Document, from: &[Vec<[f32; 3]>; 2], to: &[Vec<[f32; 3]>; 2]) -> Value {
    let [position, normal] = [0, 1].map(|k| {
        let change = |(a, b): (&[f32; 3], &[f32; 3])| [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        let changes: Vec<[f32; 3]> = from[k].iter().zip(&to[k]).map(change).collect();
        let moved = changes.iter().filter(|v| **v != [0.0; 3]).count();
        // An entry takes its index and three numbers.
        if 16 * moved < 12 * changes.len() { document.sparse_vectors(&changes) } else { document.vectors(&changes, Target::Vertices) }
    });
    json!({ "POSITION": position, "NORMAL": normal })
}
