//! [`Cloud`]: the material points of a state, and their way to the grid and back.
//!
//! ```text
//! m_i  = sum_p w_ip m_p                        m_i v_i = sum_p w_ip m_p (v_p + C_p d_ip)      (C by `mls` alone)
//! f_i  = -c sum_p V0_p tau_p d_ip w_ip         (tau: Kirchhoff stress; Hu et al. 2018, eq. 18)
//! v_i' = v_i + h (f_i / m_i + g)               and what walls leave of that
//! C_p  = c sum_i w_ip v_i' d_ip^T              F <- (I + h C_p) F, and back to where it yields,   x_p <- x_p + h sum_i w_ip v_i'
//! ```
//!
//! with c = 4 / spacing^2 and d_ip from the point to the node. One gradient serves forces, deformations and the balance, so that what is in
//! balance stays.

use super::blocks::{Blocks, PATCH};
use super::light::{Light, light};
use super::walls::{Touch, resolved};
use crate::element::MaterialPoint;
use crate::math::splines::{Weights, inverse_moment};
use crate::math::{Mat3, Vec3};
use crate::scene::{GridSettings, Transfer};
use crate::step::{PointState, State};
use crate::system::System;

/// Material points, by their own numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cloud {
    /// Places [m].
    pub positions: Vec<Vec3>,
    /// Velocities [m/s].
    pub velocities: Vec<Vec3>,
    /// F - I.
    pub gradients: Vec<Mat3>,
    /// C: how the velocity changes around a point [1/s], which nodes are told by [`Transfer::Mls`] alone.
    pub affine: Vec<Mat3>,
    /// Logarithm of the volume that grains have gained past the tip of their yield surface.
    pub gained: Vec<f64>,
}

/// A point at the end of a part, as in [`Cloud`].
#[derive(Clone, Copy)]
struct Moved {
    position: Vec3,
    velocity: Vec3,
    gradient: Mat3,
    affine: Mat3,
    gained: f64,
}

/// What points give to a node.
#[derive(Debug, Clone, Copy, Default)]
struct Given {
    mass: f64,
    momentum: Vec3,
    force: Vec3,
}

impl std::ops::AddAssign for Given {
    fn add_assign(&mut self, other: Self) {
        self.mass += other.mass;
        self.momentum += other.momentum;
        self.force += other.force;
    }
}

/// A node of the grid in a part of a step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Node {
    /// Mass [kg], of a light node that of the one with which it goes; 0 where no point is near.
    pub mass: f64,
    /// Velocity that the points bring [m/s].
    pub before: Vec3,
    /// Velocity at the end of the part [m/s].
    pub after: Vec3,
    /// What walls have changed of that [m/s].
    pub pushed: Vec3,
}

/// What is the same in all parts of a step.
pub struct Points<'a> {
    /// The elements.
    pub elements: &'a [MaterialPoint],
    /// The node of the system that each is.
    pub nodes: &'a [[u32; 1]],
    /// Masses [kg].
    pub masses: Vec<f64>,
    /// The settings of the grid.
    pub settings: GridSettings,
    /// Acceleration of gravity [m/s^2].
    pub gravity: Vec3,
}

impl Cloud {
    /// A point that is nowhere, or whose det F is not positive.
    pub fn lost(&self) -> Option<usize> {
        let is_lost = |(x, g): (&Vec3, &Mat3)| {
            let ratio = (g + Mat3::identity()).determinant();
            !(x.iter().all(|c| c.is_finite()) && ratio.is_finite() && ratio > 0.0)
        };
        self.positions.iter().zip(&self.gradients).position(is_lost)
    }
}

impl<'a> Points<'a> {
    /// The material points of `system`; none where it has none.
    pub fn of(system: &'a System) -> Option<Self> {
        let family = system.points()?;
        let nodes = family.connectivity();
        let masses = nodes.iter().map(|[node]| system.masses[*node as usize]).collect();
        Some(Self { elements: &family.elements, nodes, masses, settings: system.simulate.grid, gravity: system.gravity })
    }

    /// Their part of `state`.
    pub fn cloud(&self, state: &State) -> Cloud {
        let of = |vectors: &[Vec3]| self.nodes.iter().map(|[node]| vectors[*node as usize]).collect();
        let mut cloud = Cloud {
            positions: of(&state.positions),
            velocities: of(&state.velocities),
            gradients: state.points.deformations.clone(),
            affine: state.points.affine.clone(),
            gained: state.points.gained.clone(),
        };
        cloud.gradients.resize(self.nodes.len(), Mat3::zeros());
        cloud.affine.resize(self.nodes.len(), Mat3::zeros());
        cloud.gained.resize(self.nodes.len(), 0.0);
        cloud
    }

    /// Puts places and velocities of `cloud` into those of the system's nodes.
    pub fn put(&self, cloud: &Cloud, positions: &mut [Vec3], velocities: &mut [Vec3]) {
        for (p, [node]) in self.nodes.iter().enumerate() {
            (positions[*node as usize], velocities[*node as usize]) = (cloud.positions[p], cloud.velocities[p]);
        }
    }

    /// Keeps in `state` what it knows of points beside places and velocities.
    pub fn remember(&self, cloud: &Cloud, state: &mut PointState) {
        let Cloud { gradients, affine, gained, .. } = cloud;
        *state = PointState { deformations: gradients.clone(), affine: affine.clone(), gained: gained.clone() };
    }

    /// Adds to `sum` what the point gives to a node of this weight, so far away [m]; `tau`: c V0 times its Kirchhoff stress.
    fn give(&self, cloud: &Cloud, p: usize, tau: &Mat3, w: f64, away: &Vec3, sum: &mut Given) {
        let mass = w * self.masses[p];
        let velocity = match self.settings.transfer {
            Transfer::Mls => cloud.velocities[p] + cloud.affine[p] * away,
            Transfer::Flip | Transfer::Pic => cloud.velocities[p],
        };
        *sum += Given { mass, momentum: mass * velocity, force: -(w * (tau * away)) };
    }

    /// The grid after a part of `part` [s] that begins at `cloud`. `extra`: forces on the points beside gravity [N], or none.
    pub fn grid(&self, cloud: &Cloud, blocks: &Blocks, touches: &[Touch], part: f64, extra: &[Vec3]) -> Vec<Node> {
        let c = inverse_moment(blocks.spacing);
        let mut given: Vec<Given> = blocks.sum(|block, patch: &mut [Given; PATCH]| {
            for &p in blocks.points(block) {
                let p = p as usize;
                let Some(weights) = Weights::of(&cloud.positions[p], blocks.spacing) else { continue };
                let (point, g) = (&self.elements[p], &cloud.gradients[p]);
                let mut tau = point.kirchhoff(g);
                if point.viscosity > 0.0 {
                    tau += point.viscous(g, &cloud.affine[p]);
                }
                tau *= c * point.rest_volume;
                let push = extra.get(p).copied().unwrap_or_default();
                weights.for_each(|at, w, away| {
                    let sum = &mut patch[blocks.patch_node(block, weights.base, at)];
                    self.give(cloud, p, &tau, w, away, sum);
                    sum.force += w * push;
                });
            }
        });
        let masses: Vec<f64> = given.iter().map(|node| node.mass).collect();
        let light = light(blocks, &masses);
        for Light { node, with } in &light {
            let along = given[*node as usize];
            given[*with as usize] += along;
        }
        let moved = |given: &Given| {
            let Given { mass, momentum, force } = *given;
            if mass == 0.0 {
                return Node::default();
            }
            let before = momentum / mass;
            Node { mass, before, after: before + part * (force / mass + self.gravity), pushed: Vec3::zeros() }
        };
        let mut nodes: Vec<Node> = given.iter().map(moved).collect();
        for touches in touches.chunk_by(|a, b| a.node == b.node) {
            let Some(node) = touches.first().map(|touch| &mut nodes[touch.node as usize]) else { continue };
            let after = resolved(&node.after, touches);
            (node.pushed, node.after) = (after - node.after, after);
        }
        light.iter().for_each(|Light { node, with }| nodes[*node as usize] = nodes[*with as usize]);
        nodes
    }

    /// The cloud at the end of the part of `part` [s] that made `nodes` of it.
    pub fn moved(&self, cloud: &Cloud, blocks: &Blocks, nodes: &[Node], part: f64) -> Cloud {
        let c = inverse_moment(blocks.spacing);
        let moved = blocks.spread(nodes, |block, patch| {
            let of_point = |&p: &u32| {
                let p = p as usize;
                let (mut mean, mut change, mut moment) = (Vec3::zeros(), Vec3::zeros(), Mat3::zeros());
                if let Some(weights) = Weights::of(&cloud.positions[p], blocks.spacing) {
                    weights.for_each(|at, w, away| {
                        let node = &patch[blocks.patch_node(block, weights.base, at)];
                        mean += w * node.after;
                        change += w * (node.after - node.before);
                        moment += (w * node.after) * away.transpose();
                    });
                }
                let rate = c * moment;
                let g = &cloud.gradients[p];
                let velocity = match self.settings.transfer {
                    Transfer::Mls | Transfer::Pic => mean,
                    Transfer::Flip => self.settings.flip * (cloud.velocities[p] + change) + (1.0 - self.settings.flip) * mean,
                };
                let (gradient, gained) = self.elements[p].moved(g, &(part * rate), cloud.gained[p]);
                Moved { position: cloud.positions[p] + part * mean, velocity, gradient, affine: rate, gained }
            };
            blocks.points(block).iter().map(of_point).collect()
        });
        let mut next = cloud.clone();
        for (&p, moved) in blocks.order().iter().zip(moved) {
            let p = p as usize;
            (next.positions[p], next.velocities[p]) = (moved.position, moved.velocity);
            (next.gradients[p], next.affine[p], next.gained[p]) = (moved.gradient, moved.affine, moved.gained);
        }
        next
    }

    /// What `of_node` [m/s] of each node comes to at the points, times their masses over `part` [s]: forces on the points [N], by their numbers,
    /// which add up to those on the nodes.
    pub fn forces(&self, cloud: &Cloud, blocks: &Blocks, nodes: &[Node], part: f64, of_node: impl Fn(&Node) -> Vec3 + Sync) -> Vec<Vec3> {
        let seen = blocks.spread(nodes, |block, patch| {
            let of_point = |&p: &u32| {
                let mut sum = Vec3::zeros();
                if let Some(weights) = Weights::of(&cloud.positions[p as usize], blocks.spacing) {
                    weights.for_each(|at, w, _| sum += w * of_node(&patch[blocks.patch_node(block, weights.base, at)]));
                }
                sum
            };
            blocks.points(block).iter().map(of_point).collect()
        });
        let mut forces = vec![Vec3::zeros(); self.nodes.len()];
        for (&p, seen) in blocks.order().iter().zip(seen) {
            forces[p as usize] = self.masses[p as usize] / part * seen;
        }
        forces
    }

    /// Angular momentum that the points of a cloud have by what of their velocity is affine [kg m^2/s]: beside that of their places, what the
    /// grid keeps (Jiang et al. 2015, 5.3.1).
    pub fn spin(&self, cloud: &Cloud, spacing: f64) -> Vec3 {
        let of_point = |(b, mass): (&Mat3, &f64)| {
            mass / inverse_moment(spacing) * Vec3::new(b[(2, 1)] - b[(1, 2)], b[(0, 2)] - b[(2, 0)], b[(1, 0)] - b[(0, 1)])
        };
        match self.settings.transfer {
            Transfer::Mls => cloud.affine.iter().zip(&self.masses).map(of_point).sum(),
            Transfer::Flip | Transfer::Pic => Vec3::zeros(),
        }
    }
}
