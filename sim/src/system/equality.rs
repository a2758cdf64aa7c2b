//! General linear equalities between nodes, for small systems.

use crate::math::Vec3;

/// Nodes that a system with equalities may have at most: the constraints make its matrices dense.
pub const EQUALITY_NODES: usize = crate::linear::equality::MOST_UNKNOWNS / 3;

/// The sum over its terms of a . x keeps the value that it has in the given shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Equality {
    /// Name in the scene.
    pub name: String,
    /// Node and coefficients a of each term; a node stands in one term at most.
    pub terms: Vec<(u32, Vec3)>,
    /// The value that is kept [m].
    pub value: f64,
}

impl Equality {
    /// Ties the nodes of `terms` to each other as they are at `positions` [m].
    pub fn new(name: String, terms: Vec<(u32, Vec3)>, positions: &[Vec3]) -> Self {
        let mut equality = Self { name, terms, value: 0.0 };
        equality.value = equality.residual(positions);
        equality
    }

    /// How far `x` [m] is from fulfilling it.
    pub fn residual(&self, x: &[Vec3]) -> f64 {
        self.terms.iter().map(|(node, a)| a.dot(&x[*node as usize])).sum::<f64>() - self.value
    }
}
