//! [`GridRow`]: the cones of the balance on a grid, and the matrix with them.

use super::walls::WallRow;
use super::yields::{Coordinates, PointRow, ROWS, Tangent};
use super::{Seen, Space};
use crate::linear::{CholeskyFactor, NodeMatrix, NotPositive};
use crate::math::{Mat3, Vec3};
use crate::sag_free::cone::{Cone, Scaling};
use crate::sag_free::interior_point::{ConeRow, Give, Quadratic, spring};

/// A wall at a node, or a point that yields.
pub(super) enum GridRow<'a> {
    Wall(WallRow),
    Point(PointRow<'a>),
}

impl GridRow<'_> {
    /// Its force before anything bears.
    pub fn unloaded(&self) -> Coordinates {
        match self {
            Self::Wall(_) => Coordinates::zeros(),
            Self::Point(row) => row.unloaded(),
        }
    }

    /// Without limit: of walls springs whose stiffness is the square of `root`, of points what is elastic.
    pub fn unlimited(&self, root: f64) -> Scaling<ROWS> {
        match self {
            Self::Wall(_) => spring(root),
            Self::Point(_) => spring(f64::INFINITY),
        }
    }
}

impl ConeRow<ROWS> for GridRow<'_> {
    fn cone(&self) -> Cone {
        match self {
            Self::Wall(row) => row.cone,
            Self::Point(row) => row.cone(),
        }
    }

    fn displacement(&self, u: &[Vec3]) -> Coordinates {
        match self {
            Self::Wall(row) => row.displacement(u),
            Self::Point(row) => row.displacement(u),
        }
    }

    fn give(&self) -> Option<Give<ROWS>> {
        match self {
            Self::Wall(_) => None,
            Self::Point(row) => row.give(),
        }
    }

    fn add_force(&self, z: &Coordinates, nodes: &mut [Vec3]) {
        match self {
            Self::Wall(row) => row.add_force(z, nodes),
            Self::Point(row) => row.add_force(z, nodes),
        }
    }
}

/// K + rho I over the nodes, rho being Tikhonov's, with the cones.
pub(super) struct Regularised<'a> {
    space: &'a Space,
    /// Tikhonov's rho.
    pub rho: f64,
    matrix: NodeMatrix,
    factor: CholeskyFactor,
    /// Moduli of the points that yield, and none of the others.
    tangents: Vec<Option<Tangent>>,
    /// Numerical factorisations so far.
    pub factorisations: usize,
}

impl<'a> Regularised<'a> {
    pub fn new(space: &'a Space, rho: f64) -> Self {
        let (matrix, factor) = (NodeMatrix::new(&space.pattern), CholeskyFactor::new(&space.pattern));
        Self { space, rho, matrix, factor, tangents: vec![None; space.points.len()], factorisations: 0 }
    }
}

impl Quadratic<GridRow<'_>, ROWS> for Regularised<'_> {
    fn multiply(&self, u: &[Vec3], product: &mut [Vec3]) {
        self.space.stiffness.multiply(&self.space.pattern, u, product);
        product.iter_mut().zip(u).for_each(|(product, u)| *product += self.rho * u);
    }

    fn factorize(&mut self, rows: &[GridRow], scalings: &[Scaling<ROWS>]) -> Result<(), NotPositive> {
        let Self { space, rho, matrix, factor, tangents, .. } = self;
        matrix.copy_from(&space.stiffness);
        matrix.shift(&space.pattern, *rho);
        let mut yields = false;
        for (row, scaling) in rows.iter().zip(scalings) {
            match row {
                GridRow::Wall(row) => {
                    let inverse: Mat3 = scaling.inverse.fixed_view::<3, 3>(0, 0).into();
                    let scaled = inverse * row.frame;
                    matrix.add_to_node(&space.pattern, row.node as u32, &scaled.tr_mul(&scaled));
                }
                GridRow::Point(row) => {
                    tangents[row.place] = Some(row.tangent(scaling));
                    yields = true;
                }
            }
        }
        if yields {
            let squared = space.blocks.spacing * space.blocks.spacing;
            space.add_stiffness(|place, _: &Seen| tangents[place].map(|tangent| (squared, tangent)), matrix);
        }
        self.factorisations += 1;
        factor.factorize(&space.pattern, matrix)
    }

    fn solve(&mut self, right_side: &mut [Vec3]) {
        self.factor.solve(&self.space.pattern, right_side);
    }
}
