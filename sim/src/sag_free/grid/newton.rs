//! [`GridNewton`]: the linear algebra of the balance, over all nodes of a grid or over those at walls alone.

use faer::Mat;

use super::assembled::Assembled;
use super::iterated::Iterated;
use super::row::GridRow;
use super::yields::{ROWS, Tangent};
use super::{Seen, Space, Wall};
use crate::linear::{CholeskyFactor, DenseFactor, NodeMatrix, NotPositive, SchurFactor};
use crate::math::{Mat3, Vec3};
use crate::sag_free::cone::Scaling;
use crate::sag_free::interior_point::Quadratic;
use crate::sag_free::newton::FACTORISATIONS;
use crate::sag_free::reduced::{Plan, dense_operations, kept_nodes, multiply_dense};
use crate::watch::Watch;

/// K + rho I, rho being Tikhonov's, with the cones.
pub(super) struct GridNewton<'a> {
    space: &'a Space,
    rho: f64,
    factors: Factors<'a>,
    /// Sparse numerical factorisations so far.
    pub factorisations: usize,
}

/// The unknowns that are left, and what solves for them.
enum Factors<'a> {
    /// All nodes: what yields changes the matrix everywhere.
    All(Box<Whole<'a>>),
    /// Those at walls, the others eliminated: what is left changes with rho alone.
    Walls(Box<Complement<'a>>),
    /// All nodes, without a matrix.
    Iterated(Box<Iterated<'a>>),
}

struct Whole<'a> {
    assembled: &'a Assembled,
    matrix: NodeMatrix,
    factor: CholeskyFactor,
    /// Moduli of the points that yield, and none of the others.
    tangents: Vec<Option<Tangent>>,
}

struct Complement<'a> {
    assembled: &'a Assembled,
    schur: SchurFactor,
    values: Mat<f64>,
    factor: DenseFactor,
}

impl<'a> GridNewton<'a> {
    /// Over those nodes that make less work; without a matrix where there is none.
    pub fn new(space: &'a Space, walls: &[Wall], watch: &'a dyn Watch) -> Self {
        let factors = match &space.assembled {
            None => Factors::Iterated(Box::new(Iterated::new(space, watch))),
            Some(assembled) => match eliminated(space, assembled, walls).map(Plan::memory) {
                Some((schur, factor)) => Factors::Walls(Box::new(Complement { assembled, schur, values: Mat::new(), factor })),
                None => Factors::All(Box::new(Whole {
                    assembled,
                    matrix: NodeMatrix::new(&assembled.pattern),
                    factor: CholeskyFactor::new(&assembled.pattern),
                    tangents: vec![None; space.points.len()],
                })),
            },
        };
        Self { space, rho: f64::NAN, factors, factorisations: 0 }
    }

    /// Iterations so far, where there is no matrix, and how exact and long they are.
    pub fn iterated(&mut self) -> Option<&mut Iterated<'a>> {
        match &mut self.factors {
            Factors::Iterated(iterated) => Some(iterated),
            _ => None,
        }
    }

    /// Place of a node among the unknowns.
    pub fn place(&self, node: u32) -> usize {
        match &self.factors {
            Factors::All(_) | Factors::Iterated(_) => node as usize,
            Factors::Walls(walls) => walls.schur.place(node).map_or(0, |place| place as usize),
        }
    }

    /// Takes another rho.
    ///
    /// # Errors
    /// So little that round-off is larger.
    pub fn regularise(&mut self, rho: f64) -> Result<(), NotPositive> {
        if let Factors::Walls(walls) = &mut self.factors
            && self.rho != rho
        {
            self.factorisations += 1;
            walls.values = walls.schur.factorize(&walls.assembled.pattern, &walls.assembled.stiffness, rho)?;
        }
        self.rho = rho;
        Ok(())
    }

    /// Forces on all nodes as those on the unknowns; what [`GridNewton::extend`] needs of them stays in `nodes`.
    pub fn reduce(&mut self, nodes: &mut Vec<Vec3>) -> Vec<Vec3> {
        match &mut self.factors {
            Factors::All(_) | Factors::Iterated(_) => std::mem::take(nodes),
            Factors::Walls(walls) => walls.schur.reduce(nodes),
        }
    }

    /// The unknowns `u` as displacements of all nodes; `nodes` as [`GridNewton::reduce`] left them.
    pub fn extend(&mut self, u: &[Vec3], nodes: &mut Vec<Vec3>) {
        match &mut self.factors {
            Factors::All(_) | Factors::Iterated(_) => u.clone_into(nodes),
            Factors::Walls(walls) => walls.schur.extend(u, nodes),
        }
    }
}

/// The elimination of all nodes that no wall is at, if that makes less work.
fn eliminated(space: &Space, assembled: &Assembled, walls: &[Wall]) -> Option<Plan> {
    if walls.is_empty() || space.points.iter().any(|point| point.yields.is_some()) {
        return None;
    }
    let stencils: Vec<Vec<u32>> = walls.iter().map(|wall| space.stencil(wall.at).0.into_iter().map(|(node, _)| node).collect()).collect();
    let kept = kept_nodes(&assembled.pattern, &stencils);
    let limit = FACTORISATIONS as f64 * assembled.pattern.factor_operations();
    if dense_operations(kept.len(), FACTORISATIONS) >= limit {
        return None;
    }
    let plan = Plan::new(&assembled.pattern, kept);
    (plan.operations(FACTORISATIONS) < limit && plan.fits()).then_some(plan)
}

/// Of a wall with a scaling: W^-1 G as rows over its node.
fn scaled(frame: &Mat3, scaling: &Scaling<ROWS>) -> Mat3 {
    let inverse: Mat3 = scaling.inverse.fixed_view::<3, 3>(0, 0).into();
    inverse * frame
}

/// A^T A.
fn gram(a: &Mat3) -> Mat3 {
    a.tr_mul(a)
}

impl Quadratic<GridRow<'_>, ROWS> for GridNewton<'_> {
    fn multiply(&self, u: &[Vec3], product: &mut [Vec3]) {
        match &self.factors {
            Factors::Iterated(iterated) => iterated.multiply(self.rho, u, product),
            Factors::All(whole) => {
                whole.assembled.stiffness.multiply(&whole.assembled.pattern, u, product);
                product.iter_mut().zip(u).for_each(|(product, u)| *product += self.rho * u);
            }
            Factors::Walls(walls) => multiply_dense(&walls.values, u, product),
        }
    }

    fn factorize(&mut self, rows: &[GridRow], scalings: &[Scaling<ROWS>]) -> Result<(), NotPositive> {
        let Self { space, rho, factors, factorisations } = self;
        let Whole { assembled, matrix, factor, tangents } = match factors {
            Factors::All(whole) => &mut **whole,
            Factors::Iterated(iterated) => {
                let of_wall = |(row, scaling): (&GridRow, &Scaling<ROWS>)| match row {
                    GridRow::Wall(row) => Some((row.node(), gram(&scaled(&row.frame, scaling)))),
                    GridRow::Point(_) => None,
                };
                return iterated.prepare(*rho, rows.iter().zip(scalings).filter_map(of_wall).collect());
            }
            Factors::Walls(walls) => {
                return walls.factor.factorize(&walls.values, |mut matrix| {
                    for (row, scaling) in rows.iter().zip(scalings) {
                        if let GridRow::Wall(row) = row {
                            let block = gram(&scaled(&row.frame, scaling));
                            for (first, second, share) in row.pairs() {
                                let (low, high) = (first.place.min(second.place), first.place.max(second.place));
                                // Of what is symmetric, the lower half.
                                for (r, c) in (0..3).flat_map(|r| (0..3).map(move |c| (r, c))).filter(|(r, c)| high > low || c <= r) {
                                    matrix[(3 * high + r, 3 * low + c)] += share * block[(r, c)];
                                }
                            }
                        }
                    }
                });
            }
        };
        matrix.copy_from(&assembled.stiffness);
        matrix.shift(&assembled.pattern, *rho);
        let mut yields = false;
        for (row, scaling) in rows.iter().zip(scalings) {
            match row {
                GridRow::Wall(row) => {
                    let block = gram(&scaled(&row.frame, scaling));
                    for (first, second, share) in row.pairs() {
                        matrix.add_between(&assembled.pattern, [first.node as u32, second.node as u32], &(share * block));
                    }
                }
                GridRow::Point(row) => {
                    tangents[row.place] = Some(row.tangent(scaling));
                    yields = true;
                }
            }
        }
        if yields {
            let squared = space.blocks.by.spacing.powi(2);
            assembled.add_stiffness(space, |place, _: &Seen| tangents[place].map(|tangent| (squared, tangent)), matrix);
        }
        *factorisations += 1;
        factor.factorize(&assembled.pattern, matrix)
    }

    fn solve(&mut self, right_side: &mut [Vec3]) {
        match &mut self.factors {
            Factors::All(whole) => whole.factor.solve(&whole.assembled.pattern, right_side),
            Factors::Walls(walls) => walls.factor.solve(right_side),
            Factors::Iterated(iterated) => iterated.solve(right_side),
        }
    }
}
