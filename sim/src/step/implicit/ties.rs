//! [`Ties`]: Newton steps of small systems whose nodes are tied by general linear equalities (Li et al. 2024, ch. 5 and 6.2).

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use crate::linear::pattern::Couplings;
use crate::linear::{Equalities, EqualityError, IterationOutcome, LinearSystem, NodeMatrix, NodeMatrixPattern, SolveReport};
use crate::math::{Mat3, Vec3};
use crate::system::System;

/// The equalities of a system, with what its supports hold, in dense form.
pub struct Ties {
    equalities: Equalities,
    hessian: DMatrix<f64>,
    /// Solves for the coordinates that the equalities leave free where an iterative method is wanted.
    iterative: Option<Coordinates>,
}

/// A dense symmetric system as blocks of three unknowns, filled up with equations of their own.
struct Coordinates {
    linear: LinearSystem,
    /// Every pair of blocks.
    pairs: Vec<[u32; 2]>,
}

impl Ties {
    /// The ties of `system`; nothing where it has none.
    pub fn of(system: &System) -> Option<Result<Self, EqualityError>> {
        if system.equalities.is_empty() {
            return None;
        }
        let unknowns = 3 * system.positions.len();
        let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
        for equality in &system.equalities {
            let of_term = |(node, a): &(u32, Vec3)| [0, 1, 2].map(|k| (3 * *node as usize + k, a[k]));
            rows.push(equality.terms.iter().flat_map(of_term).collect());
        }
        let mut hold = |node: usize, held: Mat3| rows.extend((0..3).map(|r| (0..3).map(|c| (3 * node + c, held[(r, c)])).collect()));
        (0..system.positions.len()).filter(|&n| system.fixed[n]).for_each(|n| hold(n, Mat3::identity()));
        system.slides.iter().for_each(|(node, allowed)| hold(*node as usize, Mat3::identity() - allowed));
        let mut coefficients = DMatrix::zeros(rows.len(), unknowns);
        for (r, row) in rows.iter().enumerate() {
            row.iter().for_each(|&(column, value)| coefficients[(r, column)] += value);
        }
        Some(Equalities::new(&coefficients).map(|equalities| Self {
            iterative: system.simulate.solver.entry().is_alone.then(|| Coordinates::new(equalities.freedoms(), system)),
            equalities,
            hessian: DMatrix::zeros(unknowns, unknowns),
        }))
    }

    /// The Newton step for the right side in `direction`, put in its place. The report's residual is that of the directions that the ties
    /// leave free.
    ///
    /// # Errors
    /// [`EqualityError`], as where the matrix is not positive definite on what the ties leave free.
    pub fn solve(
        &mut self,
        pattern: &NodeMatrixPattern,
        matrix: &NodeMatrix,
        direction: &mut [Vec3],
    ) -> Result<SolveReport, EqualityError> {
        let (mut unit, mut column) = (vec![Vec3::zeros(); direction.len()], vec![Vec3::zeros(); direction.len()]);
        for node in 0..direction.len() {
            for k in 0..3 {
                unit[node][k] = 1.0;
                matrix.multiply(pattern, &unit, &mut column);
                unit[node][k] = 0.0;
                self.hessian.column_mut(3 * node + k).copy_from_slice(flat(&column).as_slice());
            }
        }
        let gradient = -flat(direction);
        let (reduced, right) = self.equalities.reduced(&self.hessian, &gradient)?;
        if let Some(iterative) = &mut self.iterative {
            let (y, report) = iterative.solve(&reduced, &right)?;
            write(&self.equalities.expanded(&y), direction);
            return Ok(report);
        }
        let step = self.equalities.newton_step(&self.hessian, &gradient)?;
        let (_, left) = self.equalities.reduced(&self.hessian, &(&self.hessian * &step + gradient))?;
        let residual = if left.norm() == 0.0 { 0.0 } else { left.norm() / right.norm() };
        write(&step, direction);
        Ok(SolveReport { iterations: 0, residual, outcome: IterationOutcome::Converged })
    }

    /// Takes out of nodal vectors what the ties hold.
    pub fn project(&self, vectors: &mut [Vec3]) {
        let mut column = flat(vectors);
        self.equalities.project(&mut column);
        write(&column, vectors);
    }
}

impl Coordinates {
    fn new(freedoms: usize, system: &System) -> Self {
        let blocks = freedoms.div_ceil(3) as u32;
        let none: [Box<dyn Couplings>; 0] = [];
        let mut linear = LinearSystem::new(Arc::new(NodeMatrixPattern::new(&vec![true; blocks as usize], &none)), system.simulate.solver);
        linear.set_options(system.simulate.iteration_options());
        Self { linear, pairs: (0..blocks).flat_map(|row| (0..=row).map(move |column| [row, column])).collect() }
    }

    fn solve(&mut self, matrix: &DMatrix<f64>, right: &DVector<f64>) -> Result<(DVector<f64>, SolveReport), EqualityError> {
        let count = right.len();
        let entry = |i: usize, j: usize| if i < count && j < count { matrix[(i, j)] } else { f64::from(u8::from(i == j)) };
        let block = |&[row, column]: &[u32; 2]| Mat3::from_fn(|i, j| entry(3 * row as usize + i, 3 * column as usize + j));
        let blocks: Vec<Mat3> = self.pairs.iter().map(block).collect();
        let nodes = count.div_ceil(3);
        self.linear.prepare_pairs(&self.pairs);
        self.linear.assemble_pairs(&[], &vec![Mat3::zeros(); nodes], &self.pairs, &blocks, &[]);
        self.linear.factorize().map_err(|_| EqualityError::NotPositive)?;
        let at = |i: usize| right.get(i).copied().unwrap_or(0.0);
        let mut solution: Vec<Vec3> = (0..nodes).map(|n| Vec3::from_fn(|k, _| at(3 * n + k))).collect();
        let report = self.linear.solve(&mut solution);
        Ok((flat(&solution).rows(0, count).into_owned(), report))
    }
}

fn flat(nodes: &[Vec3]) -> DVector<f64> {
    DVector::from_iterator(3 * nodes.len(), nodes.iter().flat_map(|v| [v.x, v.y, v.z]))
}

fn write(column: &DVector<f64>, nodes: &mut [Vec3]) {
    for (node, values) in nodes.iter_mut().zip(column.as_slice().chunks_exact(3)) {
        *node = Vec3::new(values[0], values[1], values[2]);
    }
}
