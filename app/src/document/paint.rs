//! Painting: strokes of the brush become vertex lists of a region.

use aplomb_sim::bodies::select::fingerprint;
use aplomb_sim::scene::{Region, Scene, Selector};

use super::Reshape;
use crate::drawing::painted;
use crate::session::ModelBody;

/// Colours of regions that were given none, sRGB, in the order in which regions are made.
pub const PALETTE: [[u8; 3]; 8] =
    [[79, 148, 255], [255, 159, 67], [72, 199, 142], [196, 113, 237], [255, 107, 129], [46, 204, 224], [241, 206, 82], [160, 170, 190]];

/// Colour of the region with this number.
pub fn region_color(region: &Region, index: usize) -> [u8; 3] {
    region.color.unwrap_or(PALETTE[index % PALETTE.len()])
}

/// A stroke over a region: which vertices it holds so far.
#[derive(Debug, Clone)]
pub struct Stroke {
    body: usize,
    region: usize,
    /// Mark of the mesh that it is painted on.
    mesh: String,
    held: Vec<bool>,
}

impl Stroke {
    /// Begins at what the region holds now; places and tags become vertices of the body's surface file, or of its tets where it
    /// has none.
    pub fn begin(scene: &Scene, body: usize, region: usize, model: &ModelBody) -> Option<Self> {
        let now = scene.bodies.get(body)?.regions.get(region)?;
        let mut held = vec![false; model.surface_vertices(false)];
        for vertex in painted(model, now, false) {
            held[vertex as usize] = true;
        }
        Some(Self { body, region, mesh: fingerprint(&model.mesh), held })
    }

    /// The body that is painted.
    pub fn body(&self) -> usize {
        self.body
    }

    /// Adds or takes away vertices; the scene with the stroke so far.
    pub fn over(&mut self, scene: &Scene, vertices: &[u32], erase: bool) -> Scene {
        for &vertex in vertices {
            if let Some(held) = self.held.get_mut(vertex as usize) {
                *held = !erase;
            }
        }
        self.written(scene)
    }

    /// Changes the whole region; the scene with it.
    pub fn reshape(&mut self, scene: &Scene, reshape: Reshape, model: &ModelBody) -> Scene {
        reshape.apply(model, &mut self.held);
        self.written(scene)
    }

    fn written(&self, scene: &Scene) -> Scene {
        let mut scene = scene.clone();
        let held: Vec<u32> = (0..).zip(&self.held).filter(|(_, held)| **held).map(|(vertex, _)| vertex).collect();
        if let Some(body) = scene.bodies.get_mut(self.body) {
            body.painted_on = Some(self.mesh.clone());
            if let Some(region) = body.regions.get_mut(self.region) {
                region.select = vec![Selector::Vertices(held)];
            }
        }
        scene
    }
}
