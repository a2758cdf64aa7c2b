//! Painting: strokes of the brush become vertex lists of a region.

use std::sync::Arc;

use aplomb_sim::bodies::select::fingerprint;
use aplomb_sim::scene::{Region, RegionRole, Scene, Selector};

use super::symmetry::{OtherSide, Reached};
use super::{Reshape, RoleKind};
use crate::drawing::painted;
use crate::session::ModelBody;

/// Colours of regions, sRGB: of what is held, of what may touch, and of all others in the order in which regions are made.
pub const PALETTE: [[u8; 3]; 8] =
    [[79, 141, 245], [240, 154, 62], [155, 123, 234], [127, 166, 92], [168, 127, 88], [208, 139, 181], [79, 167, 155], [201, 162, 75]];

/// Colour of a region with this role and number, as long as it has none of its own: what is held and what touches have one each, of which
/// nothing else is, and all others share the rest.
pub fn role_color(role: &RegionRole, index: usize) -> [u8; 3] {
    match RoleKind::of(role) {
        RoleKind::Fixed | RoleKind::Sliding | RoleKind::Moved => PALETTE[0],
        RoleKind::Contact => PALETTE[1],
        _ => PALETTE[2 + index % (PALETTE.len() - 2)],
    }
}

/// Colour of the region with this number.
pub fn region_color(region: &Region, index: usize) -> [u8; 3] {
    region.color.unwrap_or_else(|| role_color(&region.role, index))
}

/// A stroke over a region: which vertices it holds so far.
#[derive(Debug, Clone)]
pub struct Stroke {
    body: usize,
    region: usize,
    /// Mark of the mesh that it is painted on.
    mesh: String,
    held: Vec<bool>,
    reached: Reached,
}

impl Stroke {
    /// Begins at what the region holds now; places and tags become vertices of the body's surface file, or of its tets where it
    /// has none. What is painted is mirrored to the other `sides`.
    pub fn begin(scene: &Scene, body: usize, region: usize, model: &ModelBody, sides: Vec<Arc<OtherSide>>) -> Option<Self> {
        let now = scene.bodies.get(body)?.regions.get(region)?;
        let count = model.surface_vertices(false);
        let mut held = vec![false; count];
        for vertex in painted(model, now, false) {
            held[vertex as usize] = true;
        }
        Some(Self { body, region, mesh: fingerprint(&model.mesh), held, reached: Reached::new(count, sides) })
    }

    /// The body that is painted.
    pub fn body(&self) -> usize {
        self.body
    }

    /// The region that is painted.
    pub fn region(&self) -> usize {
        self.region
    }

    /// Which vertices the region holds so far.
    pub fn held(&self) -> &[bool] {
        &self.held
    }

    /// Whether some of what was painted has nothing on another side.
    pub fn missed(&self) -> bool {
        self.reached.missed()
    }

    /// Adds or takes away vertices.
    pub fn over(&mut self, vertices: &[u32], erase: bool) {
        for vertex in self.reached.over(vertices, &[]) {
            self.held[vertex as usize] = !erase;
        }
    }

    /// Changes the whole region.
    pub fn reshape(&mut self, reshape: Reshape, model: &ModelBody) {
        reshape.apply(model, &mut self.held);
    }

    /// The scene with the stroke so far.
    pub fn written(&self, scene: &Scene) -> Scene {
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
