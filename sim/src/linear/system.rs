//! [`LinearSystem`]: what an implicit step solves with. Its pattern grows by the couplings of contacts and keeps those
//! that were there lately, so that a contact that comes and goes costs nothing.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pattern::{FIXED, NodeMatrixPattern};
use super::{CholeskyFactor, NodeMatrix, NotPositive};
use crate::math::{Mat3, Vec3};

/// How linear systems are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SolverChoice {
    /// By the size of the system.
    #[default]
    Auto,
    /// Cholesky factorisation.
    Direct,
    /// Conjugate gradients with a preconditioner.
    Pcg,
}

/// Calls of [`LinearSystem::prepare`] that an unused coupling outlives.
const KEPT: u32 = 60;
/// Growth of the factor beyond that of the last reordering which makes another reordering worth while.
const WORTH_REORDERING: f64 = 1.3;
/// No block of the pattern.
const NOWHERE: u32 = u32::MAX;

/// Pairs (row, column) of a stencil's nodes that make its blocks: the diagonal ones, then those of two nodes.
const PAIRS: [(usize, usize); 10] = [(0, 0), (1, 1), (2, 2), (3, 3), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];

/// What a system did so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LinearCounters {
    /// Patterns made because a coupling was new.
    pub rebuilds: u32,
    /// Of those, with a new elimination order.
    pub reorderings: u32,
    /// Numerical factorisations.
    pub factorizations: u32,
    /// Solves.
    pub solves: u32,
    /// Iterations of conjugate gradients.
    pub iterations: u64,
    /// Wall seconds of finding blocks and making patterns.
    pub prepare_seconds: f64,
    /// Wall seconds of assembly.
    pub assemble_seconds: f64,
    /// Wall seconds of factorisations.
    pub factorize_seconds: f64,
    /// Wall seconds of solves.
    pub solve_seconds: f64,
}

/// A symmetric system of 3x3 blocks: elements, diagonal blocks, and stencils of up to four nodes that change from one
/// solve to the next.
pub struct LinearSystem {
    base: Arc<NodeMatrixPattern>,
    pattern: Arc<NodeMatrixPattern>,
    matrix: NodeMatrix,
    factor: CholeskyFactor,
    choice: SolverChoice,
    /// The last elimination order that was sought, and the factor entries it had then.
    order: Vec<u32>,
    entries: usize,
    /// Number of the last call of `prepare` that used each block; 0: no stencil did.
    used: Vec<u32>,
    call: u32,
    /// Blocks of the stencils that were prepared last.
    places: Vec<[u32; 10]>,
    /// Slide of each row block, or [`FIXED`].
    slide_of: Vec<u32>,
    slides: Vec<(u32, Mat3)>,
    counters: LinearCounters,
}

impl LinearSystem {
    /// A system with the pattern `base`.
    pub fn new(base: Arc<NodeMatrixPattern>, choice: SolverChoice) -> Self {
        Self {
            matrix: NodeMatrix::new(&base),
            factor: CholeskyFactor::new(&base),
            choice,
            order: base.order.clone(),
            entries: base.factor_entries(),
            used: vec![0; base.rows.len()],
            call: 0,
            places: Vec::new(),
            slide_of: vec![FIXED; base.order.len()],
            slides: Vec::new(),
            counters: LinearCounters::default(),
            pattern: Arc::clone(&base),
            base,
        }
    }

    /// Extends the pattern so that it holds the blocks of these stencils: their nodes, `u32::MAX` for none. Nodes without
    /// rows are ignored. A stencil's blocks are found now; [`LinearSystem::assemble`] wants the same stencils.
    pub fn prepare(&mut self, stencils: &[[u32; 4]]) {
        let clock = Instant::now();
        self.call += 1;
        if !self.find_places(stencils) {
            self.rebuild(stencils);
            self.find_places(stencils);
        }
        for &block in self.places.iter().flatten().filter(|&&block| block != NOWHERE) {
            self.used[block as usize] = self.call;
        }
        self.counters.prepare_seconds += clock.elapsed().as_secs_f64();
    }

    /// The matrix: the sum of element blocks (laid out as by `Potential::hessian_blocks`), a block on each node's diagonal,
    /// and the blocks of the stencils prepared last, of which the lower triangle is read. `slides` are nodes that may move
    /// only along the range of a symmetric projector P, which turns A into P A P + s (1 - P): the other directions are
    /// eliminated exactly, without a change of the pattern. Every sum has a fixed order.
    pub fn assemble(
        &mut self,
        blocks: &[Vec<Mat3>],
        diagonal: &[Mat3],
        stencils: &[[u32; 4]],
        stencil_blocks: &[[[Mat3; 4]; 4]],
        slides: &[(u32, Mat3)],
    ) {
        let clock = Instant::now();
        self.matrix.assemble(&self.pattern, blocks, 1.0, diagonal);
        for ((places, nodes), blocks) in self.places.iter().zip(stencils).zip(stencil_blocks) {
            for (&place, &(i, j)) in places.iter().zip(&PAIRS).filter(|(place, _)| **place != NOWHERE) {
                let position = |k: usize| self.pattern.position[nodes[k] as usize];
                let value = &mut self.matrix.values[place as usize];
                *value += if position(i) >= position(j) { blocks[i][j] } else { blocks[j][i] };
            }
        }
        self.hold(slides);
        self.counters.assemble_seconds += clock.elapsed().as_secs_f64();
    }

    /// Prepares [`LinearSystem::solve`].
    ///
    /// # Errors
    /// [`NotPositive`] with the node at which the matrix is not positive definite (or not finite).
    pub fn factorize(&mut self) -> Result<(), NotPositive> {
        let clock = Instant::now();
        let result = self.factor.factorize(&self.pattern, &self.matrix);
        self.counters.factorizations += 1;
        self.counters.factorize_seconds += clock.elapsed().as_secs_f64();
        result
    }

    /// Solves A x = b in place. Held directions of b are ignored, those of x are zero, as are nodes without rows.
    pub fn solve(&mut self, right_side: &mut [Vec3]) {
        let clock = Instant::now();
        self.project(right_side);
        self.factor.solve(&self.pattern, right_side);
        self.project(right_side);
        self.counters.solves += 1;
        self.counters.solve_seconds += clock.elapsed().as_secs_f64();
    }

    /// The pattern that holds the stencils prepared last.
    pub fn pattern(&self) -> &Arc<NodeMatrixPattern> {
        &self.pattern
    }

    /// The matrix assembled last.
    pub fn matrix(&self) -> &NodeMatrix {
        &self.matrix
    }

    /// What was done so far.
    pub fn counters(&self) -> LinearCounters {
        self.counters
    }

    /// How systems are solved.
    pub fn choice(&self) -> SolverChoice {
        self.choice
    }

    /// Finds the blocks of stencils; false if the pattern lacks one.
    fn find_places(&mut self, stencils: &[[u32; 4]]) -> bool {
        let pattern = &self.pattern;
        let of_stencil = |nodes: &[u32; 4]| {
            let positions = nodes.map(|n| pattern.position.get(n as usize).copied().unwrap_or(FIXED));
            PAIRS.map(|(i, j)| match (positions[i], positions[j]) {
                (FIXED, _) | (_, FIXED) => Some(NOWHERE),
                (row, column) => pattern.block(row.max(column), row.min(column)).map(|block| block as u32),
            })
        };
        self.places.resize(stencils.len(), [NOWHERE; 10]);
        let find = |(places, nodes): (&mut [u32; 10], &[u32; 4])| {
            let found = of_stencil(nodes);
            *places = found.map(|place| place.unwrap_or(NOWHERE));
            found.iter().all(Option::is_some)
        };
        self.places.par_iter_mut().zip(stencils).with_min_len(256).map(find).reduce(|| true, |a, b| a && b)
    }

    /// Makes the pattern anew: the base, what was used lately, and these stencils.
    fn rebuild(&mut self, stencils: &[[u32; 4]]) {
        let has_row = |n: u32| self.base.position.get(n as usize).is_some_and(|&position| position != FIXED);
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for nodes in stencils {
            let of_two = PAIRS[4..].iter().map(|&(i, j)| [nodes[i].min(nodes[j]), nodes[i].max(nodes[j])]);
            pairs.extend(of_two.filter(|pair| pair[0] != pair[1] && pair.iter().all(|&n| has_row(n))));
        }
        for column in 0..self.pattern.order.len() {
            for b in self.pattern.starts[column] + 1..self.pattern.starts[column + 1] {
                if self.used[b] > 0 && self.call - self.used[b] <= KEPT {
                    let (a, b) = (self.pattern.order[column], self.pattern.order[self.pattern.rows[b] as usize]);
                    pairs.push([a.min(b), a.max(b)]);
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut pattern = self.base.extended(&pairs, Some(&self.order));
        self.counters.rebuilds += 1;
        if pattern.factor_entries() as f64 > WORTH_REORDERING * self.entries as f64 {
            pattern = self.base.extended(&pairs, None);
            self.entries = pattern.factor_entries();
            self.order.clone_from(&pattern.order);
            self.counters.reorderings += 1;
        }
        self.used = vec![0; pattern.rows.len()];
        for [a, b] in pairs {
            let (a, b) = (pattern.position[a as usize], pattern.position[b as usize]);
            if let Some(block) = pattern.block(a.max(b), a.min(b)) {
                self.used[block] = self.call;
            }
        }
        self.matrix = NodeMatrix::new(&pattern);
        self.factor = CholeskyFactor::new(&pattern);
        self.slide_of = vec![FIXED; pattern.order.len()];
        self.slides.clear();
        self.pattern = Arc::new(pattern);
    }

    /// Projects the held directions out of the matrix.
    fn hold(&mut self, slides: &[(u32, Mat3)]) {
        self.slide_of.fill(FIXED);
        self.slides.clear();
        let with_rows = slides.iter().filter(|(n, _)| self.pattern.position.get(*n as usize).is_some_and(|&p| p != FIXED));
        self.slides.extend(with_rows);
        if self.slides.is_empty() {
            return;
        }
        for (s, (node, _)) in self.slides.iter().enumerate() {
            self.slide_of[self.pattern.position[*node as usize] as usize] = s as u32;
        }
        let (pattern, slide_of, slides) = (&self.pattern, &self.slide_of, &self.slides);
        let projector = |position: usize| slides.get(slide_of[position] as usize).map(|(_, projector)| projector);
        self.matrix.for_each_column(pattern, |column, first, values| {
            let own = projector(column);
            for (value, &row) in values.iter_mut().zip(&pattern.rows[first..]) {
                let scale = value.trace().abs() / 3.0;
                if let Some(projector) = own {
                    *value *= projector;
                }
                if let Some(projector) = projector(row as usize) {
                    *value = projector * *value;
                    if row as usize == column {
                        let scale = if scale > 0.0 { scale } else { 1.0 };
                        *value += scale * (Mat3::identity() - projector);
                    }
                }
            }
        });
    }

    /// Sets the held directions to zero.
    fn project(&self, nodes: &mut [Vec3]) {
        for (node, projector) in &self.slides {
            nodes[*node as usize] = projector * nodes[*node as usize];
        }
    }
}
