//! Contacts found in the given shape, and the forces solved for them.

mod obstacles;
mod surfaces;
#[cfg(test)]
mod tests;

use super::problem::{Between, ContactSite};
use crate::contact::surfaces::PairPreload;
use crate::contact::{Balance, BalancedContact};
use crate::math::rigid::triangle;
use crate::math::{Mat3, Vec3};
use crate::system::{System, TouchPair};
use surfaces::SurfaceSearch;

/// What touches: a body or an obstacle, by its number in the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touching {
    /// A body.
    Body(usize),
    /// An obstacle.
    Obstacle(usize),
}

impl Touching {
    /// In words, with its name.
    pub fn shown(self, system: &System) -> String {
        match self {
            Self::Body(body) => format!("body '{}'", system.bodies.get(body).map_or("?", |body| &body.name)),
            Self::Obstacle(obstacle) => format!("obstacle '{}'", system.obstacles.get(obstacle).map_or("?", |obstacle| &obstacle.name)),
        }
    }

    fn of_node(system: &System, node: u32) -> Self {
        let node = node as usize;
        let obstacle = || system.mesh_obstacles.iter().find(|obstacle| obstacle.nodes.contains(&node));
        match system.bodies.iter().position(|body| body.nodes.contains(&node)) {
            Some(body) => Self::Body(body),
            None => Self::Obstacle(obstacle().map_or(0, |obstacle| obstacle.obstacle as usize)),
        }
    }
}

/// A contact of the given shape, before any force is solved for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundContact {
    /// Where, on the first of the two [m].
    pub point: Vec3,
    /// Unit normal towards the first of the two.
    pub normal: Vec3,
    /// Distance of the two [m].
    pub distance: f64,
    /// Friction coefficient.
    pub friction: f64,
    /// What touches what.
    pub between: [Touching; 2],
}

/// The contacts of `system` within `reach`, as a share of its diagonal, to be looked at.
pub fn look(system: &System, reach: f64) -> Vec<FoundContact> {
    let found = |site: &ContactSite| FoundContact {
        point: site.point,
        normal: site.normal,
        distance: site.distance,
        friction: site.friction,
        between: between(system, site),
    };
    find_within(system, reach * system.diagonal).sites.iter().map(found).collect()
}

/// What touches what at a site: the thing with the first feature first.
pub fn between(system: &System, site: &ContactSite) -> [Touching; 2] {
    match site.between {
        Between::Obstacle(pair) => {
            let TouchPair { node, obstacle, .. } = system.pairs[pair as usize];
            [Touching::of_node(system, node), Touching::Obstacle(obstacle as usize)]
        }
        Between::Surfaces(touch) => {
            let [first, .., second] = touch.nodes();
            [first, second].map(|node| Touching::of_node(system, node))
        }
    }
}

/// The contacts within the detection distance in the given shape.
#[derive(Debug, Clone, Default)]
pub struct Contacts {
    /// Those to begin with.
    pub sites: Vec<ContactSite>,
    /// Crossings of edges that were left out because vertices touch enough there; for a problem without balance.
    pub in_reserve: Vec<ContactSite>,
}

/// Finds the contacts of the given shape. Edges across edges are taken in between parts that touch with fewer than three
/// vertices well apart, where they carry what those cannot, and everywhere where one is a line.
pub fn find(system: &System) -> Contacts {
    find_within(system, system.contact.detection_distance * system.diagonal)
}

/// What is farther apart than the barrier reaches does not touch, and carries nothing: a force there would hold up a body from afar.
fn find_within(system: &System, reach: f64) -> Contacts {
    let reach = reach.min(system.contact.barrier_distance * system.diagonal);
    let mut sites = obstacles::find(system, reach);
    let search = SurfaceSearch::new(system, reach);
    let vertices = search.vertices();
    let supported = well_supported(system, &vertices);
    sites.extend(vertices);
    let is_spare = |site: &ContactSite| {
        parts(system, site).is_some_and(|pair| supported.binary_search(&pair).is_ok()) && !search.is_across_a_line(site)
    };
    let (in_reserve, edges) = search.edges().into_iter().partition::<Vec<_>, _>(is_spare);
    sites.extend(edges);
    Contacts { sites, in_reserve }
}

/// The sites that are not of one part with itself.
pub fn without_self_contact(system: &System, sites: &[ContactSite]) -> Vec<ContactSite> {
    sites.iter().filter(|site| parts(system, site).is_none_or(|[a, b]| a != b)).cloned().collect()
}

/// The contacts that a rest state counts on to begin with, as sites.
pub fn find_sites(system: &System) -> Vec<ContactSite> {
    find(system).sites
}

/// Height of a triangle over its longest side from which on its corners are well apart.
const LEAST_HEIGHT: f64 = 0.1;

/// The pairs of parts, ascending, between which some three sites span a triangle that is not a sliver.
fn well_supported(system: &System, sites: &[ContactSite]) -> Vec<[u32; 2]> {
    let mut points: Vec<([u32; 2], Vec3)> = sites.iter().filter_map(|site| Some((parts(system, site)?, site.point))).collect();
    points.sort_by_key(|(pair, _)| *pair);
    let groups = points.chunk_by(|a, b| a.0 == b.0);
    let is_spread = |group: &&[([u32; 2], Vec3)]| {
        let [side, height] = triangle(&group.iter().map(|(_, point)| *point).collect::<Vec<_>>());
        height > LEAST_HEIGHT * side
    };
    groups.filter(is_spread).map(|group| group[0].0).collect()
}

/// Both parts of a site between surfaces, the smaller number first.
fn parts(system: &System, site: &ContactSite) -> Option<[u32; 2]> {
    let Between::Surfaces(touch) = site.between else { return None };
    let [a, b] = touch.parts(&system.surface)?;
    Some([a.min(b), a.max(b)])
}

/// Whether supports hold all nodes of a site across it, so that the contact has nothing to do.
fn held_across(system: &System, site: &ContactSite) -> bool {
    let is_held = |(node, share): &(u32, Mat3)| {
        let slide = system.slides.binary_search_by_key(node, |slide| slide.0);
        let push = share.tr_mul(&site.normal);
        let left = slide.map_or(push, |index| system.slides[index].1 * push);
        system.fixed[*node as usize] || left.norm() < 1e-6
    };
    site.shares.iter().all(is_held)
}

/// A solved force on each of `sites`, split into its normal and tangential parts.
pub fn balanced(sites: &[ContactSite], forces: &[Vec3]) -> Balance {
    let mut balance = Balance::default();
    for (site, force) in sites.iter().zip(forces) {
        let ContactSite { normal, distance, .. } = *site;
        let normal_force = force.dot(&normal);
        let friction_force = force - normal_force * normal;
        match site.between {
            Between::Obstacle(pair) => {
                balance.contacts.push(BalancedContact { pair, normal, normal_force, friction_force, distance });
            }
            Between::Surfaces(touch) => balance.pairs.push(PairPreload { touch, normal, normal_force, friction_force, distance }),
        }
    }
    balance
}
