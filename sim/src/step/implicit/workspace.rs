//! [`Workspace`]: the sparse system of Newton's method and its buffers, kept from step to step.

use std::sync::Arc;

use super::damping::Damping;
use crate::linear::{CholeskyFactor, NodeMatrix, NodeMatrixPattern};
use crate::math::{Mat3, Vec3};
use crate::system::System;

/// Everything whose size depends on the mesh and the fixed nodes only.
pub struct Workspace {
    pub pattern: Arc<NodeMatrixPattern>,
    pub damping: Option<Damping>,
    pub buffers: Buffers,
}

/// What changes in every iteration.
pub struct Buffers {
    pub factor: CholeskyFactor,
    pub matrix: NodeMatrix,
    /// Element Hessians, one vector a family.
    pub blocks: Vec<Vec<Mat3>>,
    pub diagonal: Vec<Mat3>,
    pub gradient: Vec<Vec3>,
    pub direction: Vec<Vec3>,
    pub trial: Vec<Vec3>,
    /// Step of each node along the direction that its contacts allow.
    pub steps: Vec<f64>,
}

impl Workspace {
    pub fn new(system: &System) -> Self {
        let pattern = system.pattern();
        let blocks: Vec<_> = system.families.iter().map(|f| vec![Mat3::zeros(); f.len() * f.nodes_per_element().pow(2)]).collect();
        let zero = vec![Vec3::zeros(); system.masses.len()];
        Self {
            damping: Damping::new(system, &pattern, &blocks),
            buffers: Buffers {
                factor: CholeskyFactor::new(&pattern),
                matrix: NodeMatrix::new(&pattern),
                blocks,
                diagonal: vec![Mat3::zeros(); system.masses.len()],
                gradient: zero.clone(),
                direction: zero.clone(),
                trial: zero,
                steps: vec![1.0; system.masses.len()],
            },
            pattern,
        }
    }

    /// Keeps the memory of `old` if it still fits the system.
    pub fn renewed(old: Option<Self>, system: &System) -> Self {
        match old {
            Some(mut old) if Arc::ptr_eq(&old.pattern, &system.pattern()) => {
                old.damping = Damping::new(system, &old.pattern, &old.buffers.blocks);
                old
            }
            _ => Self::new(system),
        }
    }
}

impl Buffers {
    /// Fills the element Hessians.
    pub fn fill_blocks(&mut self, system: &System, x: &[Vec3], projected: bool) {
        for (family, blocks) in system.families.iter().zip(&mut self.blocks) {
            family.hessian_blocks(x, projected, blocks);
        }
    }

    /// Round-off of the elastic energy [J]. A law such as mu/2 (tr F^T F - 3) is a difference of numbers as large as
    /// its modulus times volume; the diagonal blocks times the element's size squared give that scale for any element.
    pub fn energy_noise(&self, system: &System, x: &[Vec3]) -> f64 {
        let mut scale = 0.0;
        for (family, blocks) in system.families.iter().zip(&self.blocks) {
            let width = family.nodes_per_element();
            for (e, element) in blocks.chunks_exact(width * width).enumerate() {
                let nodes = family.nodes(e);
                let first = x[nodes[0] as usize];
                let size = nodes.iter().map(|&n| (x[n as usize] - first).norm_squared()).sum::<f64>() / width as f64;
                scale += size * (0..width).map(|i| element[i * width + i].trace()).sum::<f64>();
            }
        }
        f64::EPSILON * scale
    }
}
