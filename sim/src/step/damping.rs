//! Stiffness-proportional damping, lagged: the damping matrix is taken at the step's start, so that the force is the
//! gradient of a quadratic, D (y - c) / s with (y - c) / s the velocity at y; it is zero at rest, and in any rigid translation.

use crate::math::{Mat3, Vec3};
use crate::system::System;

/// D = sum of beta_e K_e over the elements, for one step.
pub struct Damping {
    /// Blocks of beta_e K_e, laid out as the element Hessians.
    blocks: Vec<Vec<Mat3>>,
    product: Vec<Vec3>,
}

impl Damping {
    /// Memory for the damping of `system`, or nothing where no element has any.
    pub fn new(system: &System, blocks: &[Vec<Mat3>]) -> Option<Self> {
        let damped = system.families.iter().any(|family| (0..family.len()).any(|e| family.damping(e) > 0.0));
        let zero = blocks.iter().map(|b| vec![Mat3::zeros(); b.len()]).collect();
        damped.then(|| Self { blocks: zero, product: vec![Vec3::zeros(); system.masses.len()] })
    }

    /// Takes D from the projected Hessian blocks at the step's start.
    pub fn update(&mut self, system: &System, stiffness: &[Vec<Mat3>]) {
        for ((family, damping), stiffness) in system.families.iter().zip(&mut self.blocks).zip(stiffness) {
            let width = family.nodes_per_element().pow(2);
            for (e, (damping, stiffness)) in damping.chunks_exact_mut(width).zip(stiffness.chunks_exact(width)).enumerate() {
                let beta = family.damping(e);
                damping.iter_mut().zip(stiffness).for_each(|(damping, stiffness)| *damping = beta * stiffness);
            }
        }
    }

    /// u . D u / (2 s) [J] with u = y - c.
    pub fn energy(&mut self, system: &System, y: &[Vec3], base: &[Vec3], span: f64) -> f64 {
        self.multiply(system, y, base);
        let work: f64 = self.product.iter().zip(y.iter().zip(base)).map(|(d, (y, base))| d.dot(&(y - base))).sum();
        work / (2.0 * span)
    }

    /// Adds D u / s [N].
    pub fn add_gradient(&mut self, system: &System, y: &[Vec3], base: &[Vec3], span: f64, gradient: &mut [Vec3]) {
        self.multiply(system, y, base);
        for (g, d) in gradient.iter_mut().zip(&self.product) {
            *g += d / span;
        }
    }

    /// Adds D / s to element blocks [N/m].
    pub fn add_blocks(&self, span: f64, blocks: &mut [Vec<Mat3>]) {
        for (block, damping) in blocks.iter_mut().flatten().zip(self.blocks.iter().flatten()) {
            *block += damping / span;
        }
    }

    /// D u, with u = y - c.
    pub fn product(&mut self, system: &System, y: &[Vec3], base: &[Vec3]) -> &[Vec3] {
        self.multiply(system, y, base);
        &self.product
    }

    /// D u by elements, driven nodes included, whose motion damps their neighbours'.
    fn multiply(&mut self, system: &System, y: &[Vec3], base: &[Vec3]) {
        self.product.fill(Vec3::zeros());
        for (family, blocks) in system.families.iter().zip(&self.blocks) {
            let width = family.nodes_per_element();
            for (e, element) in blocks.chunks_exact(width * width).enumerate() {
                let nodes = family.nodes(e);
                for (&row, blocks) in nodes.iter().zip(element.chunks_exact(width)) {
                    let sum = nodes.iter().zip(blocks).fold(Vec3::zeros(), |sum, (&n, block)| {
                        let n = n as usize;
                        sum + block * (y[n] - base[n])
                    });
                    self.product[row as usize] += sum;
                }
            }
        }
    }
}
