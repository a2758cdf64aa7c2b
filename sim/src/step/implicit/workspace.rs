//! [`Workspace`]: the sparse system of Newton's method and its buffers, kept from step to step.

use std::sync::Arc;

use super::ties::Ties;
use crate::contact::SurfaceHessian;
use crate::linear::{EqualityError, LinearSystem, NodeMatrixPattern};
use crate::math::{Mat3, Vec3, larger};
use crate::step::Phases;
use crate::step::damping::Damping;
use crate::system::System;
use crate::system::pressure::Pressing;

/// Everything whose size depends on the mesh and the fixed nodes only.
pub struct Workspace {
    pattern: Arc<NodeMatrixPattern>,
    pub damping: Option<Damping>,
    /// What ties nodes together, or why they cannot be.
    pub ties: Option<Result<Ties, EqualityError>>,
    /// The faces under pressure.
    pub pressing: Pressing,
    pub buffers: Buffers,
}

/// What changes in every iteration.
pub struct Buffers {
    pub linear: LinearSystem,
    /// Element Hessians, one vector a family.
    pub blocks: Vec<Vec<Mat3>>,
    pub diagonal: Vec<Mat3>,
    pub gradient: Vec<Vec3>,
    pub direction: Vec<Vec3>,
    pub trial: Vec<Vec3>,
    /// Step of each node along the direction that its contacts allow.
    pub steps: Vec<f64>,
    /// Elements with a driven node, as (family, element).
    pub driven_elements: Vec<(u32, u32)>,
    /// Wall seconds spent in this step.
    pub phases: Phases,
    /// Halvings of line searches in this step.
    pub halvings: u32,
    /// How the linear systems of this step were solved.
    pub solves: Solves,
}

/// How linear systems were solved.
#[derive(Debug, Clone, Copy, Default)]
pub struct Solves {
    /// Iterations of iterative methods, over all systems.
    pub iterations: u32,
    /// Largest |b - A x| / |b| of the directions that were used.
    pub residual: f64,
    /// Directions that solve their system only in part.
    pub unsolved: u32,
}

impl Workspace {
    pub fn new(system: &System) -> Self {
        let pattern = system.pattern();
        let blocks = system.block_memory();
        let zero = vec![Vec3::zeros(); system.masses.len()];
        Self {
            damping: Damping::new(system, &blocks),
            ties: Ties::of(system),
            pressing: Pressing::of(system),
            buffers: Buffers {
                linear: linear_system(&pattern, system),
                blocks,
                diagonal: vec![Mat3::zeros(); system.masses.len()],
                gradient: zero.clone(),
                direction: zero.clone(),
                trial: zero,
                steps: vec![1.0; system.masses.len()],
                driven_elements: driven_elements(system),
                phases: Phases::default(),
                halvings: 0,
                solves: Solves::default(),
            },
            pattern,
        }
    }

    /// As good as new, in the same memory if that still fits the system.
    pub fn renewed(mut self, system: &System) -> Self {
        if !Arc::ptr_eq(&self.pattern, &system.pattern()) {
            return Self::new(system);
        }
        self.damping = Damping::new(system, &self.buffers.blocks);
        self.ties = Ties::of(system);
        self.pressing = Pressing::of(system);
        // A pattern that remembers earlier contacts would round otherwise than a fresh one.
        self.buffers.linear = linear_system(&self.pattern, system);
        self
    }
}

impl Buffers {
    /// Subtracts H r from `target`, where r are displacements of driven nodes; H has the element blocks and these stencils.
    pub fn subtract_driven(&self, system: &System, moved: &[Vec3], of_surfaces: &SurfaceHessian, target: &mut [Vec3]) {
        let mut subtract = |row: u32, column: u32, block: &Mat3| {
            let (row, column) = (row as usize, column as usize);
            if !system.fixed[row] && moved[column] != Vec3::zeros() && system.fixed[column] {
                target[row] -= block * moved[column];
            }
        };
        for &(f, e) in &self.driven_elements {
            let family = &system.families[f as usize];
            let (width, nodes) = (family.nodes_per_element(), family.nodes(e as usize));
            let blocks = &self.blocks[f as usize][e as usize * width * width..];
            for (i, &row) in nodes.iter().enumerate() {
                nodes.iter().enumerate().for_each(|(j, &column)| subtract(row, column, &blocks[i * width + j]));
            }
        }
        of_surfaces.for_each(subtract);
    }

    /// The largest stiffness of an element against the motion of one of its nodes, by the element blocks at hand [N/m].
    pub fn stiffest(&self, system: &System) -> f64 {
        let mut stiffest = 0.0;
        for (family, blocks) in system.families.iter().zip(&self.blocks) {
            let width = family.nodes_per_element();
            let diagonals = blocks.chunks_exact(width * width).flat_map(|element| element.iter().step_by(width + 1));
            stiffest = diagonals.map(Mat3::trace).fold(stiffest, larger);
        }
        stiffest
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

fn linear_system(pattern: &Arc<NodeMatrixPattern>, system: &System) -> LinearSystem {
    let mut linear = LinearSystem::new(Arc::clone(pattern), system.simulate.solver);
    linear.set_options(system.simulate.iteration_options());
    linear
}

fn driven_elements(system: &System) -> Vec<(u32, u32)> {
    let mut driven = vec![false; system.positions.len()];
    system.driven.iter().for_each(|d| driven[d.node as usize] = true);
    let mut elements = Vec::new();
    for (f, family) in (0..).zip(&system.families) {
        elements.extend((0..family.len()).filter(|&e| family.nodes(e).iter().any(|&n| driven[n as usize])).map(|e| (f, e as u32)));
    }
    elements
}
