//! Contacts found in the given shape, and the forces solved for them.

use super::problem::{Between, ContactSite};
use crate::contact::distance::placed;
use crate::contact::stencil::NO_NODE;
use crate::contact::surfaces::PairPreload;
use crate::math::Vec3;
use crate::system::System;

/// The forces that hold the given shape, handed to the stepper.
#[derive(Debug, Clone, Default)]
pub struct Balance {
    /// Contacts with the force solved for each.
    pub contacts: Vec<BalancedContact>,
    /// Contacts between surfaces, each with the force prescribed for it.
    pub pairs: Vec<PairPreload>,
}

/// A contact found in the given shape, and the force that it must make there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BalancedContact {
    /// Index into [`crate::system::System::pairs`].
    pub pair: u32,
    /// Outward normal of the obstacle.
    pub normal: Vec3,
    /// Normal force [N]; negative only for the pinned baseline.
    pub normal_force: f64,
    /// Friction force on the node, perpendicular to the normal [N].
    pub friction_force: Vec3,
    /// True distance in the given shape [m].
    pub distance: f64,
}

impl BalancedContact {
    /// Force on the node [N].
    pub fn force(&self) -> Vec3 {
        self.normal_force * self.normal + self.friction_force
    }
}

/// The pairs of free nodes and obstacles that are within the detection distance in the given shape.
pub fn find_sites(system: &System) -> Vec<ContactSite> {
    let reach = system.contact.detection_distance * system.diagonal;
    let shapes: Vec<_> = system.obstacles.iter().map(|obstacle| placed(&obstacle.shape)).collect();
    let mut sites = Vec::new();
    for (index, pair) in system.pairs.iter().enumerate() {
        let obstacle = pair.obstacle as usize;
        if system.fixed[pair.node as usize] || !system.obstacles[obstacle].is_present(0.0) {
            continue;
        }
        let distance = shapes[obstacle].distance(&system.positions[pair.node as usize]);
        let slide = system.slides.binary_search_by_key(&pair.node, |slide| slide.0).ok();
        // Where a plane holds the node across the contact, the contact has nothing to do.
        let held_across = slide.is_some_and(|index| (system.slides[index].1 * distance.normal).norm() < 1e-6);
        if distance.value <= reach && !held_across {
            sites.push(ContactSite {
                between: Between::Obstacle(index as u32),
                nodes: [pair.node, NO_NODE, NO_NODE, NO_NODE],
                weights: [1.0, 0.0, 0.0, 0.0],
                normal: distance.normal,
                friction: pair.friction,
                distance: distance.value,
            });
        }
    }
    sites
}

/// A solved force on each of `sites`, split into its normal and tangential parts.
pub fn balanced(sites: &[ContactSite], forces: &[Vec3]) -> Balance {
    let split = |(site, force): (&ContactSite, &Vec3)| {
        let normal_force = force.dot(&site.normal);
        let Between::Obstacle(pair) = site.between;
        BalancedContact {
            pair,
            normal: site.normal,
            normal_force,
            friction_force: force - normal_force * site.normal,
            distance: site.distance,
        }
    };
    Balance { contacts: sites.iter().zip(forces).map(split).collect(), pairs: Vec::new() }
}
