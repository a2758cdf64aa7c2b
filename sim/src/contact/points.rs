//! [`ContactPoints`]: where surfaces touch. For most vertices that is the vertex itself. Bodies that the artist laid on one another,
//! with no gap or slightly into one another, touch with points a little inside of their surfaces: a barrier can only keep apart what is
//! apart. Such a point hangs on a tet at its vertex by constant weights, so that it moves linearly with the nodes, turns with the body
//! and takes part in no net torque.

use std::borrow::Cow;

use super::stencil::NO_NODE;
use crate::math::Vec3;

/// A point that stands for a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InsetPoint {
    /// The vertex, as a node.
    pub node: u32,
    /// The nodes on which it hangs, that of the vertex among them; [`NO_NODE`] where there are fewer than four.
    pub nodes: [u32; 4],
    /// Their weights, which sum to 1.
    pub weights: [f64; 4],
}

/// The contact points of all nodes: node numbers stand for them wherever surfaces touch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactPoints {
    /// Those that are not their nodes themselves, ascending by node.
    inset: Vec<InsetPoint>,
    /// How deep they lie inside of their surfaces, at most [m].
    pub depth: f64,
}

impl ContactPoints {
    /// The points `inset`, ascending by node, which lie up to `depth` [m] inside of their surfaces.
    pub fn new(inset: Vec<InsetPoint>, depth: f64) -> Self {
        Self { inset, depth }
    }

    /// Whether every vertex touches by itself.
    pub fn are_vertices(&self) -> bool {
        self.inset.is_empty()
    }

    /// Whether the point of a node lies inside of its surface.
    pub fn is_inset(&self, node: u32) -> bool {
        self.find(node).is_some()
    }

    /// Positions (or displacements) of the points, by node, those of the nodes being `x` [m].
    pub fn of<'x>(&self, x: &'x [Vec3]) -> Cow<'x, [Vec3]> {
        if self.are_vertices() {
            return Cow::Borrowed(x);
        }
        let mut points = x.to_vec();
        self.write(x, &mut points);
        Cow::Owned(points)
    }

    /// [`ContactPoints::of`] into memory that is used again; `x` itself where every vertex touches by itself.
    pub fn put<'x>(&self, x: &'x [Vec3], memory: &'x mut Vec<Vec3>) -> &'x [Vec3] {
        if self.are_vertices() {
            return x;
        }
        memory.clear();
        memory.extend_from_slice(x);
        self.write(x, memory);
        memory
    }

    fn write(&self, x: &[Vec3], points: &mut [Vec3]) {
        for point in &self.inset {
            points[point.node as usize] = point.shares().map(|(node, weight)| weight * x[node as usize]).sum();
        }
    }

    /// Turns forces on the points into forces on the nodes [N], in place. `memory` is used again.
    pub fn pull_back(&self, forces: &mut [Vec3], memory: &mut Vec<Vec3>) {
        memory.clear();
        memory.extend(self.inset.iter().map(|point| std::mem::take(&mut forces[point.node as usize])));
        for (point, force) in self.inset.iter().zip(memory) {
            point.shares().for_each(|(node, weight)| forces[node as usize] += weight * *force);
        }
    }

    /// The nodes on which the point of `node` hangs, with their weights.
    pub fn shares(&self, node: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let point = self.find(node).copied().unwrap_or(InsetPoint {
            node,
            nodes: [node, NO_NODE, NO_NODE, NO_NODE],
            weights: [1.0, 0.0, 0.0, 0.0],
        });
        (0..4).map(move |k| (point.nodes[k], point.weights[k])).filter(|(node, _)| *node != NO_NODE)
    }

    fn find(&self, node: u32) -> Option<&InsetPoint> {
        self.inset.binary_search_by_key(&node, |point| point.node).ok().map(|index| &self.inset[index])
    }
}

impl InsetPoint {
    /// The nodes on which it hangs, with their weights.
    pub fn shares(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.nodes.iter().copied().zip(self.weights).filter(|(node, _)| *node != NO_NODE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    /// Two of six nodes touch with points that hang on others, one of which has a point of its own.
    fn points(random: &mut Random) -> ContactPoints {
        let mut hang = |node: u32, nodes: [u32; 4]| {
            let w = random.vector(0.1, 0.3);
            InsetPoint { node, nodes, weights: [1.0 - w.sum(), w.x, w.y, w.z] }
        };
        ContactPoints::new(vec![hang(1, [1, 2, 4, 5]), hang(2, [2, 0, 3, 1])], 0.1)
    }

    #[test]
    fn forces_on_points_do_the_work_of_those_on_nodes_and_keep_force_and_torque() {
        let mut random = Random::new(5);
        let points = points(&mut random);
        let mut some = || (0..6).map(|_| random.vector(-1.0, 1.0)).collect::<Vec<Vec3>>();
        let (x, moved, forces) = (some(), some(), some());
        let (at, points_moved) = (points.of(&x), points.of(&moved));
        let mut nodes = forces.clone();
        points.pull_back(&mut nodes, &mut Vec::new());
        let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        assert!((dot(&nodes, &moved) - dot(&forces, &points_moved)).abs() < 1e-14);
        let torque = |x: &[Vec3], f: &[Vec3]| x.iter().zip(f).map(|(x, f)| x.cross(f)).sum::<Vec3>();
        assert!((nodes.iter().sum::<Vec3>() - forces.iter().sum::<Vec3>()).norm() < 1e-14);
        assert!((torque(&x, &nodes) - torque(&at, &forces)).norm() < 1e-14);
        assert!(nodes != forces && points.is_inset(1) && !points.is_inset(3));
    }
}
