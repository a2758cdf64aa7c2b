//! Fixed regions -> nodes that are held, driven along a motion, or slide along planes.

use std::collections::BTreeMap;

use super::Assembly;
use crate::bodies::select::region_vertices;
use crate::bodies::supports::{Support, supports};
use crate::math::Vec3;
use crate::mesh::BodyMesh;
use crate::scene::{Body, RegionRole};
use crate::system::{DrivenNode, Motion};

impl Assembly<'_> {
    /// Adds what the fixed regions of `body` ask of its nodes, of which the first is `first`.
    pub(super) fn add_constraints(&mut self, body: &Body, mesh: &BodyMesh, first: usize) {
        // The number of the motion of each region that has one.
        let mut motions: BTreeMap<usize, u32> = BTreeMap::new();
        for (index, region) in body.regions.iter().enumerate() {
            let RegionRole::Dirichlet { motion: Some(motion), .. } = &region.role else { continue };
            let points: Vec<Vec3> = region_vertices(mesh, region).iter().map(|&v| mesh.positions[v as usize]).collect();
            motions.insert(index, self.system.motions.len() as u32);
            self.system.motions.push(Motion::new(motion, &points));
        }
        for (vertex, support) in supports(body, mesh) {
            let node = first as u32 + vertex;
            match support {
                Support::Sliding(projector) => {
                    self.system.slides.push((node, projector));
                    continue;
                }
                Support::Moved(region) => self.system.driven.extend(motions.get(&region).map(|&motion| DrivenNode { node, motion })),
                Support::Held => {}
            }
            self.system.fixed[node as usize] = true;
        }
    }
}
