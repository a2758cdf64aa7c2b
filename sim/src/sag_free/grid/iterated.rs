//! [`Iterated`]: the linear algebra of a balance whose matrix is never made: conjugate gradients, with its blocks on the diagonal as preconditioner.

use std::cell::RefCell;

use rayon::prelude::*;

use super::Space;
use super::transfer::Exchange;
use crate::linear::iterative::conjugate_gradients::{CgBuffers, conjugate_gradients_while};
use crate::linear::{IterationOptions, NotPositive};
use crate::math::{Mat3, Vec3};
use crate::watch::Watch;

/// Residual over right side at which a solution is good enough: what it leaves is for the next.
const TOLERANCE: f64 = 1e-2;
/// Iterations of one solution at most.
const ITERATIONS: u32 = 3000;
/// Nodes handled by one task.
const CHUNK: usize = 2048;

/// K + rho I with a block for each wall, over all nodes of a space.
pub(super) struct Iterated<'a> {
    space: &'a Space,
    watch: &'a dyn Watch,
    /// Blocks of K on the diagonal.
    diagonal: Vec<Mat3>,
    /// Those that walls add.
    walls: Vec<(usize, Mat3)>,
    /// Projectors on the directions in which nodes can move.
    held: Vec<(usize, Mat3)>,
    /// What the residual is multiplied with.
    inverse: Vec<Mat3>,
    rho: f64,
    exchange: RefCell<Exchange>,
    buffers: CgBuffers,
    /// Iterations so far.
    pub iterations: usize,
}

impl<'a> Iterated<'a> {
    /// Of a space without walls.
    pub fn new(space: &'a Space, watch: &'a dyn Watch) -> Self {
        Self {
            space,
            watch,
            diagonal: Self::diagonal(space),
            walls: Vec::new(),
            held: Vec::new(),
            inverse: Vec::new(),
            rho: f64::NAN,
            exchange: RefCell::default(),
            buffers: CgBuffers::default(),
            iterations: 0,
        }
    }

    /// Blocks that stand for K: its own, or, of liquids alone, one number for all. Those have many displacements that change no volume, and a
    /// preconditioner that differs from node to node would make some of them of forces that have none.
    fn diagonal(space: &Space) -> Vec<Mat3> {
        let blocks = space.diagonal();
        if space.shears() {
            return blocks;
        }
        let trace: f64 = blocks.iter().map(Mat3::trace).sum();
        vec![Mat3::from_diagonal_element(trace / space.unknowns().max(1) as f64); blocks.len()]
    }

    /// (K + rho I) u, without walls.
    pub fn multiply(&self, rho: f64, u: &[Vec3], product: &mut [Vec3]) {
        self.space.multiply(&mut self.exchange.borrow_mut(), u, product);
        product.par_iter_mut().zip(u).with_min_len(CHUNK).for_each(|(product, u)| *product += rho * u);
    }

    /// Takes another rho and other blocks of walls at nodes.
    ///
    /// # Errors
    /// A block that is not finite.
    pub fn prepare(&mut self, rho: f64, walls: Vec<(usize, Mat3)>) -> Result<(), NotPositive> {
        (self.rho, self.walls, self.held) = (rho, walls, self.space.bound().map(|(node, free)| (node, *free)).collect());
        self.invert()
    }

    /// Takes another rho, and no walls but what nodes with these projectors can do.
    ///
    /// # Errors
    /// A block that is not finite.
    pub fn hold(&mut self, rho: f64, held: Vec<(usize, Mat3)>) -> Result<(), NotPositive> {
        let is_held = |node: usize| held.binary_search_by_key(&node, |(held, _)| *held).is_ok();
        let bound: Vec<(usize, Mat3)> = self.space.bound().filter(|(node, _)| !is_held(*node)).map(|(node, free)| (node, *free)).collect();
        (self.rho, self.walls, self.held) = (rho, Vec::new(), held.into_iter().chain(bound).collect());
        self.invert()
    }

    fn invert(&mut self) -> Result<(), NotPositive> {
        let rho = self.rho;
        let mut blocks = self.diagonal.clone();
        self.walls.iter().for_each(|(node, block)| blocks[*node] += block);
        let inverse = |(node, block): (usize, &Mat3)| {
            let factor = (block + Mat3::from_diagonal_element(rho)).cholesky().ok_or(NotPositive { node })?;
            Ok(factor.inverse())
        };
        for (node, free) in &self.held {
            blocks[*node] = free * blocks[*node] * free + Mat3::identity() - free;
        }
        self.inverse = blocks.par_iter().enumerate().with_min_len(CHUNK).map(inverse).collect::<Result<_, NotPositive>>()?;
        Ok(())
    }

    /// Solves in place, as far as it gets. Cancelled, it stops where it is.
    pub fn solve(&mut self, right_side: &mut [Vec3]) {
        let mut buffers = std::mem::take(&mut self.buffers);
        let given = right_side.to_vec();
        let options = IterationOptions { tolerance: TOLERANCE, max_iterations: ITERATIONS, ..IterationOptions::default() };
        let multiply = |u: &[Vec3], product: &mut [Vec3]| {
            self.multiply(self.rho, u, product);
            self.walls.iter().for_each(|(node, block)| product[*node] += block * u[*node]);
            self.held.iter().for_each(|(node, free)| product[*node] = free * product[*node]);
        };
        let precondition = |r: &[Vec3], z: &mut [Vec3]| {
            let of_node = |(z, (r, inverse)): (&mut Vec3, (&Vec3, &Mat3))| *z = inverse * r;
            z.par_iter_mut().zip(r.par_iter().zip(&self.inverse)).with_min_len(CHUNK).for_each(of_node);
            self.held.iter().for_each(|(node, free)| z[*node] = free * z[*node]);
        };
        let goes_on = |_: u32, left: f64| {
            self.watch.progress("global stage", (left.ln() / TOLERANCE.ln()).clamp(0.0, 1.0));
            self.watch.check().is_ok()
        };
        let report = conjugate_gradients_while(multiply, precondition, &given, right_side, &options, &mut buffers, goes_on);
        self.iterations += report.iterations as usize;
        self.buffers = buffers;
    }
}
