//! Contacts of nodes with obstacles that are signed distances.

use crate::contact::distance::placed;
use crate::math::Mat3;
use crate::sag_free::problem::{Between, ContactSite};
use crate::system::System;

/// The pairs of free nodes and obstacles that are nearer than `reach` [m] in the given shape.
pub fn find(system: &System, reach: f64) -> Vec<ContactSite> {
    let shapes: Vec<_> = system.obstacles.iter().map(|obstacle| placed(&obstacle.shape)).collect();
    let mut sites = Vec::new();
    for (index, pair) in system.pairs.iter().enumerate() {
        let obstacle = pair.obstacle as usize;
        if system.fixed[pair.node as usize] || !system.obstacles[obstacle].is_present(0.0) {
            continue;
        }
        let (point, radius) = (system.positions[pair.node as usize], system.surface.radius_at(pair.node));
        let distance = shapes[obstacle].distance(&point);
        let gap = distance.value - radius;
        let site = ContactSite {
            between: Between::Obstacle(index as u32),
            shares: vec![(pair.node, Mat3::identity())],
            point: point - radius * distance.normal,
            normal: distance.normal,
            friction: pair.friction,
            distance: gap,
        };
        if gap <= reach && !super::held_across(system, &site) {
            sites.push(site);
        }
    }
    sites
}
