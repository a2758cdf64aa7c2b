//! Bodies of points as the surfaces around them.

mod dressed;
mod maker;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use aplomb_sim::bodies::particles;
use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::Cells;
use aplomb_sim::reconstruction::{Carriers, Reconstruction, ReconstructionError};
use aplomb_sim::scene::Body;
use aplomb_sim::watch::Watch;

use crate::session::ModelBody;
use crate::viewport::{BodyColor, BodyDraw, Origins};

use super::dissect::NO_CELL;
pub use dressed::Dressed;
pub use maker::{Made, Maker};

/// The surface around the points of a body.
#[derive(Debug, Clone)]
pub struct Cloud {
    positions: Arc<[Vec3]>,
    triangles: Arc<[[u32; 3]]>,
    origins: Origins,
    carriers: Arc<Carriers>,
}

/// Whether a body is made of points, which may have a surface around them.
pub fn is_cloud(body: &ModelBody) -> bool {
    matches!(body.mesh.cells, Cells::Points(_)) && body.mesh.radius > 0.0
}

/// The colour of a body of points with this number that has no other: that of water where it is a liquid.
pub fn plain(body: &Body, number: usize) -> BodyColor {
    let is_liquid = particles::settings_of(body).is_ok_and(|settings| settings.is_liquid());
    if is_liquid { BodyColor::Water } else { BodyColor::Clay(number) }
}

impl Cloud {
    /// That around `body` where the nodes of its model are at `positions` [m], on a grid of so many cubes along the spacing of points.
    ///
    /// # Errors
    /// Those of a reconstruction.
    pub fn around(body: &ModelBody, positions: &[Vec3], resolution: f64, watch: &dyn Watch) -> Result<Self, ReconstructionError> {
        let points = positions.get(body.nodes.clone()).unwrap_or_default();
        let found = Reconstruction { spacing: 2.0 * body.mesh.radius, resolution }.surface(points, watch)?;
        let cells = vec![NO_CELL; found.triangles.len()].into();
        Ok(Self {
            origins: Origins { nodes: found.carriers.nearest().collect(), cells },
            positions: found.positions.into(),
            triangles: found.triangles.into(),
            carriers: Arc::new(found.carriers),
        })
    }

    /// What is drawn of it, with tints of its triangles.
    pub fn draw(&self, color: BodyColor, tints: Option<Arc<[[u8; 4]]>>) -> BodyDraw {
        BodyDraw {
            positions: Arc::clone(&self.positions),
            triangles: Arc::clone(&self.triangles),
            origins: Some(self.origins.clone()),
            face_tint: tints,
            color,
            smooth: true,
            ..BodyDraw::default()
        }
    }

    /// The tints of its triangles where the points of the body have these; none where nothing is tinted.
    pub fn tints(&self, tints: &[[u8; 4]]) -> Option<Arc<[[u8; 4]]>> {
        let of_vertex = |vertex: u32| {
            let node = self.origins.nodes.get(vertex as usize).copied().unwrap_or(0);
            tints.get(node as usize).copied().unwrap_or_default()
        };
        let is_tinted = tints.iter().any(|tint| tint[3] > 0);
        is_tinted.then(|| self.triangles.iter().map(|corners| of_vertex(corners[0])).collect())
    }

    /// What the points of the body have, at the vertices of the surface; `values` are of all nodes of the model.
    pub fn scalars(&self, body: &ModelBody, values: &[f64]) -> Arc<[f64]> {
        self.carriers.scalars(values.get(body.nodes.clone()).unwrap_or_default()).into()
    }
}
