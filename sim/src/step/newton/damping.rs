//! Stiffness-proportional damping, lagged: the damping matrix is taken at the step's start, so that the force is the
//! gradient of a quadratic, D u / h with u the displacement within the step; it is zero at rest.

use crate::linear::{NodeMatrix, NodeMatrixPattern};
use crate::math::{Mat3, Vec3};
use crate::system::System;

/// Name of the family that [`crate::system::PlacedBody::damping`] counts in.
const DAMPED_FAMILY: &str = "tetrahedra";

/// D = sum of beta_e K_e over the elements, for one step.
pub struct Damping {
    blocks: Vec<Vec<Mat3>>,
    matrix: NodeMatrix,
}

impl Damping {
    /// Memory for the damping of `system`, or nothing where no element has any.
    pub fn new(system: &System, pattern: &NodeMatrixPattern, blocks: &[Vec<Mat3>]) -> Option<Self> {
        let damped = system.bodies.iter().any(|body| body.damping.iter().any(|&beta| beta > 0.0));
        let zero = blocks.iter().map(|b| vec![Mat3::zeros(); b.len()]).collect();
        damped.then(|| Self { blocks: zero, matrix: NodeMatrix::new(pattern) })
    }

    /// Takes D from the projected Hessian blocks at the step's start.
    pub fn update(&mut self, system: &System, pattern: &NodeMatrixPattern, stiffness: &[Vec<Mat3>]) {
        for (f, family) in system.families.iter().enumerate().filter(|(_, family)| family.name() == DAMPED_FAMILY) {
            let width = family.nodes_per_element().pow(2);
            for body in &system.bodies {
                for (e, &beta) in body.elements.clone().zip(&body.damping) {
                    let range = e * width..(e + 1) * width;
                    for (damping, stiffness) in self.blocks[f][range.clone()].iter_mut().zip(&stiffness[f][range]) {
                        *damping = beta * stiffness;
                    }
                }
            }
        }
        self.matrix.assemble(pattern, &self.blocks, 1.0, &vec![Mat3::zeros(); system.masses.len()]);
    }

    /// u . D u / (2 h) [J].
    pub fn energy(&self, pattern: &NodeMatrixPattern, moved: &[Vec3], step_size: f64) -> f64 {
        let product = self.product(pattern, moved);
        product.iter().zip(moved).map(|(d, u)| d.dot(u)).sum::<f64>() / (2.0 * step_size)
    }

    /// Adds D u / h [N].
    pub fn add_gradient(&self, pattern: &NodeMatrixPattern, moved: &[Vec3], step_size: f64, gradient: &mut [Vec3]) {
        for (g, d) in gradient.iter_mut().zip(self.product(pattern, moved)) {
            *g += d / step_size;
        }
    }

    /// Adds D / h to element blocks [N/m].
    pub fn add_blocks(&self, step_size: f64, blocks: &mut [Vec<Mat3>]) {
        for (block, damping) in blocks.iter_mut().flatten().zip(self.blocks.iter().flatten()) {
            *block += damping / step_size;
        }
    }

    fn product(&self, pattern: &NodeMatrixPattern, moved: &[Vec3]) -> Vec<Vec3> {
        let mut product = vec![Vec3::zeros(); moved.len()];
        self.matrix.multiply(pattern, moved, &mut product);
        product
    }
}
