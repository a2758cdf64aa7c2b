//! [`LinearSystem`]: what an implicit step solves with. Its pattern grows by the couplings of contacts and keeps those
//! that were there lately, so that a contact that comes and goes costs nothing.

use std::sync::Arc;
use std::time::Instant;

use super::extension::REORDERING_OPERATIONS;
use super::iterative::{IterationOptions, IterationOutcome, Iterative};
use super::pattern::{FIXED, NodeMatrixPattern};
use super::places::StencilPlaces;
use super::solvers::SolverChoice;
use super::{CholeskyFactor, NodeMatrix, NotPositive};
use crate::math::{Mat3, Vec3, larger};

/// Calls of [`LinearSystem::prepare`] that an unused coupling outlives.
const KEPT: u32 = 60;
/// Growth of the work beyond that right after the last reordering which makes another reordering worth while, if it
/// also costs more than [`REORDERING_OPERATIONS`].
const WORTH_REORDERING: f64 = 1.3;
/// Operations of a factorisation above which conjugate gradients are tried first: about 15 000 tets. Measured on two cores
/// for a time step of 0.01 s, 1000 kg/m^3 and 0.1 MPa: 0.022 s against 0.28 s at 44 000 tets (8 G operations), 0.11 s
/// against 0.89 s at 110 000 (53 G), in 17 and 23 iterations;
/// with 1 MPa 46 and 65.
const PCG_OPERATIONS: f64 = 2e9;
/// Operations of a factorisation that take the time of one iteration, per block of the matrix: iterations stop where
/// they have taken as long as the factorisation would.
const ITERATION_OPERATIONS: f64 = 400.0;
/// Entries of a factor that is not tried any more (16 bytes each while it is made).
const MOST_ENTRIES: usize = 1_000_000_000;
/// A factor with fewer entries is made without asking whether there is memory.
const ALWAYS_FITS: usize = 1_000_000;
/// Factorisations for which conjugate gradients are left alone after they did not converge.
const DISTRUST: u32 = 20;
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
    /// Iterations of iterative methods.
    pub iterations: u64,
    /// Largest |b - A x| / |b| of what was solved.
    pub residual: f64,
    /// Wall seconds of finding blocks and making patterns.
    pub prepare_seconds: f64,
    /// Wall seconds of assembly.
    pub assemble_seconds: f64,
    /// Wall seconds of factorisations.
    pub factorize_seconds: f64,
    /// Wall seconds of solves.
    pub solve_seconds: f64,
}

/// How a solve went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveReport {
    /// Iterations of an iterative method, also of one that a factorisation took the place of; 0 for a factorisation alone.
    pub iterations: u32,
    /// |b - A x| / |b|, recomputed from the solution, whatever made it; 0 where b is zero.
    pub residual: f64,
    /// How it ended: a factorisation converges. Where conjugate gradients met a direction without curvature, what they return goes
    /// downhill, but solves nothing.
    pub outcome: IterationOutcome,
}

impl SolveReport {
    /// Whether the system is solved, and not only as far as an iterative method got.
    pub fn is_solved(&self) -> bool {
        self.outcome == IterationOutcome::Converged
    }
}

/// A symmetric system of 3x3 blocks: elements, diagonal blocks, and stencils of up to four nodes that change from one
/// solve to the next.
pub struct LinearSystem {
    base: Arc<NodeMatrixPattern>,
    pattern: Arc<NodeMatrixPattern>,
    matrix: NodeMatrix,
    /// Entries of a factor that is not tried any more.
    most_entries: usize,
    /// The right side of the last solve.
    given: Vec<Vec3>,
    /// Made when first needed; `None` also where it belongs to an older pattern.
    factor: Option<CholeskyFactor>,
    spare_factor: Option<CholeskyFactor>,
    iterative: Iterative,
    /// Whether `iterative` belongs to the pattern.
    iterative_fits: bool,
    /// Whether an iterative method solves for the current matrix.
    iterates: bool,
    distrust: u32,
    choice: SolverChoice,
    options: IterationOptions,
    /// A x of the last solution.
    product: Vec<Vec3>,
    /// The last elimination order that was sought, and the operations of a factorisation then.
    order: Vec<u32>,
    operations: f64,
    /// Number of the last call of `prepare` that used each block; 0: no stencil did.
    used: Vec<u32>,
    call: u32,
    /// Blocks of the stencils that were prepared last.
    places: StencilPlaces,
    /// Slide of each row block, or [`FIXED`].
    slide_of: Vec<u32>,
    slides: Vec<(u32, Mat3)>,
    counters: LinearCounters,
    /// What a factor may take [bytes]; where none is given, what the machine has.
    pub(super) memory_limit: Option<u64>,
}

impl LinearSystem {
    /// A system with the pattern `base`.
    pub fn new(base: Arc<NodeMatrixPattern>, choice: SolverChoice) -> Self {
        Self {
            matrix: NodeMatrix::new(&base),
            most_entries: MOST_ENTRIES,
            given: vec![Vec3::zeros(); base.position.len()],
            factor: None,
            spare_factor: None,
            iterative: Iterative::new(choice.entry().make()),
            iterative_fits: false,
            iterates: false,
            distrust: 0,
            choice,
            options: IterationOptions::default(),
            product: vec![Vec3::zeros(); base.position.len()],
            order: base.order.clone(),
            operations: base.factor_operations(),
            used: vec![0; base.rows.len()],
            call: 0,
            places: StencilPlaces::default(),
            slide_of: vec![FIXED; base.order.len()],
            slides: Vec::new(),
            counters: LinearCounters::default(),
            memory_limit: None,
            pattern: Arc::clone(&base),
            base,
        }
    }

    /// Extends the pattern so that it holds the blocks of these stencils: their nodes, `u32::MAX` for none. Nodes without
    /// rows are ignored. A stencil's blocks are found now; [`LinearSystem::assemble`] wants the same stencils.
    pub fn prepare(&mut self, stencils: &[[u32; 4]]) {
        self.prepare_for(stencils);
    }

    /// [`LinearSystem::prepare`] for the blocks of pairs of nodes, or of a node with itself.
    pub fn prepare_pairs(&mut self, pairs: &[[u32; 2]]) {
        self.prepare_for(pairs);
    }

    fn prepare_for<S: AsRef<[u32]> + Sync>(&mut self, stencils: &[S]) {
        let clock = Instant::now();
        self.call += 1;
        if !self.places.find(&self.pattern, stencils) || self.is_stale() {
            self.rebuild(stencils);
            self.places.find(&self.pattern, stencils);
        }
        for block in self.places.used() {
            self.used[block] = self.call;
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
        self.assemble_for(blocks, diagonal, stencils, |s, i, j| stencil_blocks[s][i][j], slides);
    }

    /// [`LinearSystem::assemble`] with a block for each of the pairs (row, column) that were prepared last.
    pub fn assemble_pairs(
        &mut self,
        blocks: &[Vec<Mat3>],
        diagonal: &[Mat3],
        pairs: &[[u32; 2]],
        of_pairs: &[Mat3],
        slides: &[(u32, Mat3)],
    ) {
        // Of a pair as a stencil of two nodes only the block between them counts; twice the same node has it on the diagonal.
        let block = |s: usize, i: usize, j: usize| match (i, j) {
            (0, 1) if pairs[s][0] != pairs[s][1] => of_pairs[s],
            (1, 0) if pairs[s][0] != pairs[s][1] => of_pairs[s].transpose(),
            (0, 0) if pairs[s][0] == pairs[s][1] => of_pairs[s],
            _ => Mat3::zeros(),
        };
        self.assemble_for(blocks, diagonal, pairs, block, slides);
    }

    fn assemble_for<S: AsRef<[u32]>>(
        &mut self,
        blocks: &[Vec<Mat3>],
        diagonal: &[Mat3],
        stencils: &[S],
        stencil_block: impl Fn(usize, usize, usize) -> Mat3,
        slides: &[(u32, Mat3)],
    ) {
        let clock = Instant::now();
        self.matrix.assemble(&self.pattern, blocks, 1.0, diagonal);
        self.places.add(&self.pattern, stencils, stencil_block, &mut self.matrix);
        self.hold(slides);
        self.counters.assemble_seconds += clock.elapsed().as_secs_f64();
    }

    /// Prepares [`LinearSystem::solve`].
    ///
    /// # Errors
    /// [`NotPositive`] with the node at which the matrix is not positive definite (or not finite). Iterative methods may
    /// notice only later: [`SolveReport::outcome`].
    pub fn factorize(&mut self) -> Result<(), NotPositive> {
        let clock = Instant::now();
        self.counters.factorizations += 1;
        self.iterates = self.prefers_iterations();
        let result = if self.iterates {
            if !std::mem::replace(&mut self.iterative_fits, true) {
                self.iterative.fit(&self.pattern);
            }
            self.iterative.prepare(&self.pattern, &self.matrix, &self.options)
        } else {
            self.distrust = self.distrust.saturating_sub(1);
            self.factorize_completely()
        };
        self.counters.factorize_seconds += clock.elapsed().as_secs_f64();
        result
    }

    /// Solves A x = b in place. Held directions of b are ignored, those of x are zero, as are nodes without rows. Where
    /// conjugate gradients of `auto` or `pcg` do not converge, a factorisation does it.
    pub fn solve(&mut self, right_side: &mut [Vec3]) -> SolveReport {
        let clock = Instant::now();
        self.project(right_side);
        self.given.clone_from_slice(right_side);
        let (iterations, outcome) = if self.iterates { self.iterate(right_side) } else { self.solve_by_factor(0, right_side) };
        self.project(right_side);
        let report = self.judged(iterations, outcome, right_side);
        self.counters.solves += 1;
        self.counters.iterations += u64::from(iterations);
        self.counters.residual = larger(self.counters.residual, report.residual);
        self.counters.solve_seconds += clock.elapsed().as_secs_f64();
        report
    }

    /// When iterative methods stop, and their parameters.
    pub fn set_options(&mut self, options: IterationOptions) {
        self.options = options;
    }

    /// Tries no factor with more entries, for want of memory.
    pub fn set_most_entries(&mut self, most: usize) {
        self.most_entries = most;
    }

    /// The pattern that holds the stencils prepared last.
    pub fn pattern(&self) -> &Arc<NodeMatrixPattern> {
        &self.pattern
    }

    /// The matrix assembled last with its pattern, for what is added before it is factorised: nothing in directions that are held.
    pub fn matrix_mut(&mut self) -> (&NodeMatrixPattern, &mut NodeMatrix) {
        (&self.pattern, &mut self.matrix)
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

    fn prefers_iterations(&self) -> bool {
        match self.choice {
            // A factor beyond that is not made, whoever asks.
            SolverChoice::Direct => !self.may_factorize(),
            SolverChoice::Pcg => self.distrust == 0,
            SolverChoice::Auto => (self.distrust == 0 && self.pattern.factor_operations() > PCG_OPERATIONS) || !self.may_factorize(),
            _ => true,
        }
    }

    /// Whether there is a factor, or room for one.
    fn may_factorize(&self) -> bool {
        let entries = self.pattern.factor_entries();
        let fits = || self.pattern.ensure_room("a factorisation", self.pattern.factor_bytes(), self.memory_limit).is_ok();
        let surely = self.factor.is_some() || (entries <= ALWAYS_FITS && self.memory_limit.is_none());
        entries <= self.most_entries && (surely || fits())
    }

    fn factorize_completely(&mut self) -> Result<(), NotPositive> {
        let pattern = &self.pattern;
        let spare = &mut self.spare_factor;
        let factor = self.factor.get_or_insert_with(|| match spare.take() {
            Some(mut spare) => {
                spare.fit(pattern);
                spare
            }
            None => CholeskyFactor::new(pattern),
        });
        factor.factorize(pattern, &self.matrix)
    }

    /// Iterations and how they ended. Conjugate gradients that failed give way to a complete factor, where the choice leaves it to them.
    fn iterate(&mut self, right_side: &mut [Vec3]) -> (u32, IterationOutcome) {
        let affordable = self.pattern.factor_operations() / (ITERATION_OPERATIONS * self.pattern.rows.len() as f64);
        let may_factorize = !self.choice.entry().is_alone && self.may_factorize();
        let mut options = self.options;
        if may_factorize && self.choice == SolverChoice::Auto {
            options.max_iterations = options.max_iterations.min(affordable as u32);
        }
        let done = self.iterative.solve(&self.pattern, &self.matrix, right_side, &options);
        if done.outcome != IterationOutcome::OutOfIterations || !may_factorize {
            return (done.iterations, done.outcome);
        }
        if self.factorize_completely().is_err() {
            return (done.iterations, IterationOutcome::NotPositive);
        }
        self.distrust = DISTRUST;
        self.iterates = false;
        right_side.copy_from_slice(&self.given);
        self.solve_by_factor(done.iterations, right_side)
    }

    /// Solves by the factor, after so many iterations.
    fn solve_by_factor(&mut self, iterations: u32, right_side: &mut [Vec3]) -> (u32, IterationOutcome) {
        if let Some(factor) = &mut self.factor {
            factor.solve(&self.pattern, right_side);
        }
        (iterations, IterationOutcome::Converged)
    }

    /// The report of a solve that left `solution`, with its own residual.
    fn judged(&mut self, iterations: u32, outcome: IterationOutcome, solution: &[Vec3]) -> SolveReport {
        self.matrix.multiply(&self.pattern, solution, &mut self.product);
        let has_row = self.pattern.position.iter().map(|&position| position != FIXED);
        let (mut left, mut size) = (0.0, 0.0);
        for ((given, product), _) in self.given.iter().zip(&self.product).zip(has_row).filter(|(_, has_row)| *has_row) {
            left += (given - product).norm_squared();
            size += given.norm_squared();
        }
        let residual = if size == 0.0 && left == 0.0 { 0.0 } else { (left / size).sqrt() };
        // What is no number is no direction either.
        let is_lost = self.choice.entry().is_alone && !residual.is_finite();
        SolveReport { iterations, residual, outcome: if is_lost { IterationOutcome::Diverged } else { outcome } }
    }

    /// Solves anew by a factorisation what an iterative method left unsolved in `solution`, which stays as it is where that fails:
    /// the factor is too large, the matrix not positive definite, or no other method wanted. The report of the new solution.
    pub fn solve_completely(&mut self, solution: &mut [Vec3]) -> Option<SolveReport> {
        let clock = Instant::now();
        let solved = !self.choice.entry().is_alone && self.may_factorize() && self.factorize_completely().is_ok();
        let mut report = None;
        if let Some(factor) = self.factor.as_mut().filter(|_| solved) {
            self.distrust = DISTRUST;
            self.iterates = false;
            solution.copy_from_slice(&self.given);
            factor.solve(&self.pattern, solution);
            self.project(solution);
            report = Some(self.judged(0, IterationOutcome::Converged, solution));
        }
        self.counters.solve_seconds += clock.elapsed().as_secs_f64();
        report
    }

    /// Whether a stencil used the block lately.
    fn is_recent(&self, block: usize) -> bool {
        self.used[block] > 0 && self.call - self.used[block] <= KEPT
    }

    /// Whether most of what stencils added to the pattern is no longer used; looked at now and then.
    fn is_stale(&self) -> bool {
        let added = self.pattern.rows.len() - self.base.rows.len();
        if added == 0 || !self.call.is_multiple_of(KEPT) {
            return false;
        }
        let recent = (0..self.used.len()).filter(|&block| self.is_recent(block)).count();
        2 * recent < added
    }

    /// Makes the pattern anew: the base, what was used lately, and these stencils.
    fn rebuild<S: AsRef<[u32]>>(&mut self, stencils: &[S]) {
        // Pairs of nodes, and when they were used last.
        let mut couplings: Vec<([u32; 2], u32)> = Vec::new();
        for nodes in stencils {
            couplings.extend(self.base.couplings(nodes.as_ref()).map(|pair| (pair, self.call)));
        }
        for column in 0..self.pattern.order.len() {
            for b in self.pattern.starts[column] + 1..self.pattern.starts[column + 1] {
                if self.is_recent(b) {
                    let (a, row) = (self.pattern.order[column], self.pattern.order[self.pattern.rows[b] as usize]);
                    couplings.push(([a.min(row), a.max(row)], self.used[b]));
                }
            }
        }
        couplings.sort_unstable_by_key(|&(pair, used)| (pair, std::cmp::Reverse(used)));
        couplings.dedup_by_key(|(pair, _)| *pair);
        let pairs: Vec<[u32; 2]> = couplings.iter().map(|(pair, _)| *pair).collect();

        let mut pattern = self.base.with_pairs(&pairs, Some(&self.order));
        self.counters.rebuilds += 1;
        let operations = pattern.factor_operations();
        let worth = (WORTH_REORDERING * self.operations).max(self.operations + REORDERING_OPERATIONS * pattern.order.len() as f64);
        if operations > worth {
            pattern = self.base.with_pairs(&pairs, None);
            self.operations = pattern.factor_operations();
            self.order.clone_from(&pattern.order);
            self.counters.reorderings += 1;
        }
        pattern.know_sources(&self.base);
        self.used = vec![0; pattern.rows.len()];
        for ([a, b], used) in couplings {
            let (a, b) = (pattern.position[a as usize], pattern.position[b as usize]);
            if let Some(block) = pattern.block(a.max(b), a.min(b)) {
                self.used[block] = used;
            }
        }
        self.matrix = NodeMatrix::new(&pattern);
        self.spare_factor = self.factor.take().or(self.spare_factor.take());
        self.iterative_fits = false;
        self.slide_of = vec![FIXED; pattern.order.len()];
        self.slides.clear();
        self.pattern = Arc::new(pattern);
    }

    /// Projects the held directions out of the matrix.
    fn hold(&mut self, slides: &[(u32, Mat3)]) {
        self.slide_of.fill(FIXED);
        self.slides.clear();
        let with_rows = slides.iter().filter(|(n, _)| self.pattern.has_row(*n));
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
