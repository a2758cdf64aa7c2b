//! [`ContactPoints`]: where surfaces touch. For most vertices that is the vertex itself. Bodies that the artist laid on one another,
//! with no gap or slightly into one another, touch with points a little inside of their surfaces: a barrier can only keep apart what is
//! apart. Such a point hangs on a tet at its vertex by constant weights, so that it moves linearly with the nodes, turns with the body
//! and takes part in no net torque.

use std::borrow::Cow;

use super::stencil::NO_NODE;
use crate::math::{Mat3, Vec3};

/// A point that stands for a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InsetPoint {
    /// The vertex, as a node.
    pub node: u32,
    /// The nodes on which it hangs, that of the vertex among them.
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

    /// Blocks [N/m] between points, four a stencil ([`NO_NODE`] for none), as blocks between nodes: stencils of one or two nodes.
    pub fn between_nodes(&self, stencils: &[[u32; 4]], blocks: &[[[Mat3; 4]; 4]], out: &mut Expanded) {
        out.entries.clear();
        for (nodes, block) in stencils.iter().zip(blocks) {
            let used = nodes.iter().filter(|&&node| node != NO_NODE).count();
            for (i, j) in (0..used).flat_map(|i| (0..=i).map(move |j| (i, j))) {
                if block[i][j] == Mat3::zeros() {
                    continue;
                }
                for (row, (a, by_row)) in self.shares(nodes[i]).enumerate() {
                    // Of a symmetric block half the pairs stand for all.
                    let columns = if i == j { row + 1 } else { 4 };
                    for (b, by_column) in self.shares(nodes[j]).take(columns) {
                        let value = by_row * by_column * block[i][j];
                        out.add(a, b, value);
                        // The block above the diagonal, for which else the lower one stands.
                        if i != j && a == b {
                            out.add(a, b, value.transpose());
                        }
                    }
                }
            }
        }
        out.merge();
    }

    fn find(&self, node: u32) -> Option<&InsetPoint> {
        self.inset.binary_search_by_key(&node, |point| point.node).ok().map(|index| &self.inset[index])
    }
}

impl InsetPoint {
    fn shares(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.nodes.iter().copied().zip(self.weights).filter(|(node, _)| *node != NO_NODE)
    }
}

/// Blocks between pairs of nodes, each pair once: stencils as [`crate::linear::LinearSystem::prepare`] takes them.
#[derive(Debug, Default)]
pub struct Expanded {
    entries: Vec<([u32; 2], Mat3)>,
    /// One node, or two.
    pub stencils: Vec<[u32; 4]>,
    /// Their blocks.
    pub blocks: Vec<[[Mat3; 4]; 4]>,
}

impl Expanded {
    /// Adds to the block of this row and column, turned over where the row is the lesser.
    fn add(&mut self, row: u32, column: u32, block: Mat3) {
        self.entries.push(if row >= column { ([row, column], block) } else { ([column, row], block.transpose()) });
    }

    fn merge(&mut self) {
        // Stable: sums are made in the order of the stencils.
        self.entries.sort_by_key(|(pair, _)| *pair);
        self.stencils.clear();
        self.blocks.clear();
        for group in self.entries.chunk_by(|a, b| a.0 == b.0) {
            let ([row, column], sum) = (group[0].0, group.iter().map(|(_, block)| block).sum::<Mat3>());
            let mut blocks = [[Mat3::zeros(); 4]; 4];
            if row == column {
                blocks[0][0] = sum;
                self.stencils.push([row, NO_NODE, NO_NODE, NO_NODE]);
            } else {
                (blocks[1][0], blocks[0][1]) = (sum, sum.transpose());
                self.stencils.push([column, row, NO_NODE, NO_NODE]);
            }
            self.blocks.push(blocks);
        }
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

    #[test]
    fn blocks_between_nodes_are_those_of_the_energy() {
        let mut random = Random::new(6);
        let points = points(&mut random);
        let stencils = [[0, 1, 2, 5], [2, 3, NO_NODE, NO_NODE], [1, 2, 3, NO_NODE]];
        let symmetric = |random: &mut Random| {
            let m: Vec<Mat3> = (0..16).map(|_| random.matrix(-1.0, 1.0)).collect();
            std::array::from_fn(|i| std::array::from_fn(|j| m[4 * i + j] + m[4 * j + i].transpose()))
        };
        let blocks: Vec<[[Mat3; 4]; 4]> = stencils.iter().map(|_| symmetric(&mut random)).collect();
        let energy = |stencils: &[[u32; 4]], blocks: &[[[Mat3; 4]; 4]], u: &[Vec3]| -> f64 {
            let of = |nodes: &[u32; 4], block: &[[Mat3; 4]; 4]| {
                let used = nodes.iter().filter(|&&n| n != NO_NODE).count();
                let pairs = (0..used).flat_map(|i| (0..used).map(move |j| (i, j)));
                pairs.map(|(i, j)| u[nodes[i] as usize].dot(&(block[i][j] * u[nodes[j] as usize]))).sum::<f64>()
            };
            stencils.iter().zip(blocks).map(|(nodes, block)| of(nodes, block)).sum()
        };
        let mut expanded = Expanded::default();
        points.between_nodes(&stencils, &blocks, &mut expanded);
        for _ in 0..20 {
            let u: Vec<Vec3> = (0..6).map(|_| random.vector(-1.0, 1.0)).collect();
            let (expected, found) = (energy(&stencils, &blocks, &points.of(&u)), energy(&expanded.stencils, &expanded.blocks, &u));
            assert!((expected - found).abs() < 1e-12, "{expected} {found}");
        }
    }
}
