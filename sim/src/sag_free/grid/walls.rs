//! [`Wall`]: a node of the grid in a wall, or at it, as a cone of the balance; and the matrix with them.

use crate::linear::{CholeskyFactor, NodeMatrix, NodeMatrixPattern, NotPositive};
use crate::math::{Mat3, Vec3};
use crate::sag_free::cone::{Cone, Scaling};
use crate::sag_free::interior_point::{ConeRow, Quadratic};
use crate::sag_free::row::cone_frame;

/// A node that a wall holds off: u_n >= mu |u_t|, with forces in the cone of friction. It needs neither anchor nor preload: the stepper
/// gives back exactly the impulse that balances, as long as that is in the cone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// The node.
    pub node: u32,
    /// Out of the wall.
    pub normal: Vec3,
    /// Friction coefficient.
    pub friction: f64,
}

/// The cone of a wall over the nodes.
pub(super) struct WallRow {
    node: usize,
    cone: Cone,
    /// Normal, then mu times two tangents.
    frame: Mat3,
}

impl WallRow {
    /// With this share of its friction.
    pub fn new(wall: &Wall, share: f64) -> Self {
        let (cone, frame) = cone_frame(&wall.normal, share * wall.friction);
        Self { node: wall.node as usize, cone, frame }
    }

    /// What its slack of `displacement` makes of its force where the scaling is this: W^-2 times it.
    pub fn answer(scaling: &Scaling, displacement: &Vec3) -> Vec3 {
        scaling.inverse * (scaling.inverse * displacement)
    }
}

impl ConeRow for WallRow {
    fn cone(&self) -> Cone {
        self.cone
    }

    fn displacement(&self, u: &[Vec3]) -> Vec3 {
        self.frame * u[self.node]
    }

    fn add_force(&self, z: &Vec3, nodes: &mut [Vec3]) {
        nodes[self.node] += self.frame.tr_mul(z);
    }
}

/// K + rho I over the nodes, rho being Tikhonov's, with the walls.
pub(super) struct Regularised<'a> {
    pattern: &'a NodeMatrixPattern,
    stiffness: &'a NodeMatrix,
    /// Tikhonov's rho.
    pub rho: f64,
    matrix: NodeMatrix,
    factor: CholeskyFactor,
    /// Numerical factorisations so far.
    pub factorisations: usize,
}

impl<'a> Regularised<'a> {
    pub fn new(pattern: &'a NodeMatrixPattern, stiffness: &'a NodeMatrix, rho: f64) -> Self {
        let (matrix, factor) = (NodeMatrix::new(pattern), CholeskyFactor::new(pattern));
        Self { pattern, stiffness, rho, matrix, factor, factorisations: 0 }
    }
}

impl Quadratic<WallRow> for Regularised<'_> {
    fn multiply(&self, u: &[Vec3], product: &mut [Vec3]) {
        self.stiffness.multiply(self.pattern, u, product);
        product.iter_mut().zip(u).for_each(|(product, u)| *product += self.rho * u);
    }

    fn factorize(&mut self, rows: &[WallRow], scalings: &[Scaling]) -> Result<(), NotPositive> {
        self.matrix.copy_from(self.stiffness);
        self.matrix.shift(self.pattern, self.rho);
        for (row, scaling) in rows.iter().zip(scalings) {
            let scaled = scaling.inverse * row.frame;
            self.matrix.add_to_node(self.pattern, row.node as u32, &scaled.tr_mul(&scaled));
        }
        self.factorisations += 1;
        self.factor.factorize(self.pattern, &self.matrix)
    }

    fn solve(&mut self, right_side: &mut [Vec3]) {
        self.factor.solve(self.pattern, right_side);
    }
}
