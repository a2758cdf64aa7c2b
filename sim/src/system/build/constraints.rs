//! Fixed regions -> nodes that are held, driven along a motion, or slide along planes.

use std::collections::BTreeMap;

use super::Assembly;
use crate::bodies::select::region_vertices;
use crate::bodies::supports::{Support, supports};
use crate::math::Vec3;
use crate::mesh::BodyMesh;
use crate::scene::{Body, RegionRole};
use crate::system::{DrivenNode, Motion, System};

impl Assembly<'_> {
    /// Adds what the fixed regions of `body` ask of its nodes, of which the first is `first`.
    pub(super) fn add_constraints(&mut self, body: &Body, mesh: &BodyMesh, first: usize) {
        // The number of the motion of each region that has one, and of the obstacle that it follows.
        let mut motions: BTreeMap<usize, u32> = BTreeMap::new();
        let mut followed: BTreeMap<usize, u32> = BTreeMap::new();
        for (index, region) in body.regions.iter().enumerate() {
            let RegionRole::Dirichlet { motion, follows, .. } = &region.role else { continue };
            let obstacle = follows.as_ref().and_then(|name| self.scene.obstacles.iter().position(|obstacle| obstacle.name == *name));
            followed.extend(obstacle.map(|obstacle| (index, obstacle as u32)));
            let Some(motion) = motion else { continue };
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
                Support::Moved(region) => {
                    self.system.driven.extend(motions.get(&region).map(|&motion| DrivenNode { node, motion }));
                    self.followers.extend(followed.get(&region).map(|&obstacle| (node, obstacle)));
                }
                Support::Held => {}
            }
            self.system.fixed[node as usize] = true;
        }
    }

    /// Gives what follows obstacles their motions; those of obstacles that stay, stay. The obstacles are there.
    pub(super) fn bind_followers(&mut self) {
        let System { driven, mesh_obstacles, .. } = &mut self.system;
        let motion_of = |obstacle: u32| mesh_obstacles.iter().find(|placed| placed.obstacle == obstacle)?.motion;
        let bound = |(node, obstacle): (u32, u32)| Some(DrivenNode { node, motion: motion_of(obstacle)? });
        driven.extend(std::mem::take(&mut self.followers).into_iter().filter_map(bound));
        driven.sort_unstable_by_key(|driven| driven.node);
    }
}
