//! [`Pull`]: an impulse on contact points as one on the nodes that they hang on.

use crate::contact::ContactPoints;
use crate::element::Mobility;
use crate::math::Vec3;

/// Nodes at most: four of each of five contact points.
const MOST: usize = 20;

/// A vector on each of some nodes.
pub struct Pull {
    nodes: [u32; MOST],
    vectors: [Vec3; MOST],
    count: usize,
}

impl Pull {
    /// That of vectors on contact points; what several of them say of one node is added up.
    pub fn of(points: &ContactPoints, vectors: impl Iterator<Item = (u32, Vec3)>) -> Self {
        let mut pull = Self { nodes: [0; MOST], vectors: [Vec3::zeros(); MOST], count: 0 };
        for (point, vector) in vectors {
            points.shares(point).for_each(|(node, share)| pull.add(node, share * vector));
        }
        pull
    }

    fn add(&mut self, node: u32, vector: Vec3) {
        if let Some(place) = self.nodes[..self.count].iter().position(|known| *known == node) {
            self.vectors[place] += vector;
        } else if self.count < MOST {
            (self.nodes[self.count], self.vectors[self.count]) = (node, vector);
            self.count += 1;
        }
    }

    fn of_nodes(&self) -> impl Iterator<Item = (u32, &Vec3)> {
        self.nodes[..self.count].iter().copied().zip(&self.vectors)
    }

    /// How far what it pulls at goes along it, for a unit of impulse [1/kg].
    pub fn inverse_mass(&self, mobility: &Mobility) -> f64 {
        self.of_nodes().map(|(node, vector)| vector.dot(&mobility.moved(node, vector))).sum()
    }

    /// Moves `x` [m] by so many of it.
    pub fn apply(&self, amount: f64, mobility: &Mobility, x: &mut [Vec3]) {
        self.of_nodes().for_each(|(node, vector)| x[node as usize] += mobility.moved(node, &(amount * vector)));
    }

    /// Adds so many of it to vectors of all nodes.
    pub fn add_to(&self, amount: f64, vectors: &mut [Vec3]) {
        self.of_nodes().for_each(|(node, vector)| vectors[node as usize] += amount * vector);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::InsetPoint;

    /// Two points on three nodes, one of them in common: work and inverse mass are those of the points' displacements.
    #[test]
    fn what_points_share_is_added_up() {
        let hang = |node: u32, other: u32| InsetPoint { node, nodes: [node, other, 2, 3], weights: [0.4, 0.3, 0.2, 0.1] };
        let points = ContactPoints::new(vec![hang(0, 1), hang(1, 0)], 0.1);
        let vectors = [(0, Vec3::new(1.0, 2.0, -1.0)), (1, Vec3::new(-0.5, 0.3, 2.0))];
        let pull = Pull::of(&points, vectors.into_iter());
        let mobility = Mobility { inverse: vec![1.0, 2.0, 0.5, 0.0], allowed: Vec::new() };
        let mut x = vec![Vec3::zeros(); 4];
        pull.apply(1.0, &mobility, &mut x);
        let moved = points.of(&x);
        let along: f64 = vectors.iter().map(|(point, vector)| vector.dot(&moved[*point as usize])).sum();
        assert!((along - pull.inverse_mass(&mobility)).abs() < 1e-15 && along > 1.0 && x[3] == Vec3::zeros());
    }
}
