//! [`Wall`]: a node of the grid in a wall, or a point that meets an obstacle by itself, as a cone of the balance.

use super::Space;
use super::yields::Coordinates;
use crate::math::{Mat3, Vec3};
use crate::sag_free::cone::Cone;
use crate::sag_free::row::cone_frame;

/// What an obstacle holds off: u_n >= mu |u_t|, with forces in the cone of friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// What is held off.
    pub at: Held,
    /// Out of the wall.
    pub normal: Vec3,
    /// Friction coefficient.
    pub friction: f64,
}

/// What an obstacle holds off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// A node. It needs neither anchor nor preload: the stepper gives back exactly the impulse that balances, as long as that is in the cone.
    Node(u32),
    /// A point, by its number: u = sum_i w_ip u_i. Its force is what the contact of the stepper is preloaded with.
    Point(u32),
}

impl Space {
    /// The nodes that an obstacle moves, each with its share of what is held off, by scaled displacements; and what the force on these times that share is times
    /// to be one on what is held off.
    pub(super) fn stencil(&self, at: Held) -> (Vec<(u32, f64)>, f64) {
        match at {
            Held::Node(node) => (vec![(node, 1.0)], self.roots[node as usize]),
            Held::Point(number) => {
                let point = &self.points[self.place_of_number[number as usize] as usize];
                let around = self.blocks.by.around(&point.x);
                let around = self.stencils[point.cell as usize].iter().zip(around.weights());
                let mut shares: Vec<(u32, f64)> = Vec::new();
                for (&node, w) in around.filter(|(node, _)| self.roots[**node as usize] > 0.0) {
                    let share = w / self.roots[node as usize];
                    // A light node is the one with which it goes.
                    match shares.iter_mut().find(|(known, _)| *known == node) {
                        Some((_, sum)) => *sum += share,
                        None => shares.push((node, share)),
                    }
                }
                (shares, 1.0)
            }
        }
    }
}

/// A node with its share of what a wall holds off.
pub(super) struct Share {
    pub node: usize,
    /// Its place among the unknowns.
    pub place: usize,
    pub share: f64,
}

/// The cone of a wall over the nodes, in the first three coordinates of a row.
pub(super) struct WallRow {
    pub shares: Vec<Share>,
    /// What makes a force on what is held off of one on scaled displacements.
    pub scale: f64,
    pub cone: Cone,
    /// Normal, then mu times two tangents, as far as the node can move along them.
    pub frame: Mat3,
}

impl WallRow {
    /// With this share of its friction, where `place` has the nodes of `space` among the unknowns.
    pub fn new(space: &Space, wall: &Wall, share: f64, place: impl Fn(u32) -> usize) -> Self {
        let (cone, frame) = cone_frame(&wall.normal, share * wall.friction);
        let (nodes, scale) = space.stencil(wall.at);
        let free = match wall.at {
            Held::Node(node) => space.free_of(node as usize),
            Held::Point(_) => None,
        };
        let frame = free.map_or(frame, |free| frame * free);
        let of_node = |(node, share): (u32, f64)| Share { node: node as usize, place: place(node), share };
        Self { shares: nodes.into_iter().map(of_node).collect(), scale, cone, frame }
    }

    pub fn displacement(&self, u: &[Vec3]) -> Coordinates {
        let moved: Vec3 = self.shares.iter().map(|own| own.share * u[own.place]).sum();
        let mut displacement = Coordinates::zeros();
        displacement.fixed_rows_mut::<3>(0).copy_from(&(self.frame * moved));
        displacement
    }

    /// The force on what is held off, over its scale.
    pub fn force(&self, z: &Coordinates) -> Vec3 {
        self.frame.tr_mul(&Vec3::new(z[0], z[1], z[2]))
    }

    pub fn add_force(&self, z: &Coordinates, places: &mut [Vec3]) {
        let force = self.force(z);
        self.shares.iter().for_each(|own| places[own.place] += own.share * force);
    }

    /// Its node, where it holds one.
    pub fn node(&self) -> usize {
        self.shares.first().map_or(0, |own| own.node)
    }

    /// The same on all nodes.
    pub fn add_force_on_nodes(&self, z: &Coordinates, nodes: &mut [Vec3]) {
        let force = self.force(z);
        self.shares.iter().for_each(|own| nodes[own.node] += own.share * force);
    }

    /// The pairs of its nodes, each once, with the products of their shares.
    pub fn pairs(&self) -> impl Iterator<Item = (&Share, &Share, f64)> {
        let of_first = |(k, first): (usize, _)| self.shares[..=k].iter().map(move |second: &Share| (first, second, product(first, second)));
        self.shares.iter().enumerate().flat_map(of_first)
    }
}

fn product(first: &Share, second: &Share) -> f64 {
    first.share * second.share
}
