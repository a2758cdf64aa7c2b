//! [`InertiaFactor`]: L D L^T of a symmetric matrix that need not be definite, for the signs of its eigenvalues
//! (Sylvester's law of inertia) and for shifted solves.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::{LdltError, LdltRegularization};
use faer::sparse::linalg::cholesky::supernodal::{
    SupernodalLdltRef, factorize_supernodal_numeric_ldlt, factorize_supernodal_numeric_ldlt_scratch,
};
use faer::{Conj, Mat, Par, Spec};

use super::NotPositive;
use super::aligned::Numbers;
use super::envelope::Envelope;
use super::matrix::NodeMatrix;
use super::pattern::NodeMatrixPattern;
use crate::math::Vec3;

/// Right sides solved for at a time.
const TOGETHER: usize = 4;

/// A factorisation with signs.
pub struct InertiaFactor(Kind);

enum Kind {
    /// Of what hangs together.
    Whole(Supernodal),
    /// Of many thin parts, each by itself: the numbers, and how many pivots of each are negative.
    Parts(Vec<f64>, Vec<u32>),
}

/// A factorisation with signs of one of many thin parts. Its nodes are in the order of [`NodeMatrixPattern::nodes_of_part`].
pub struct PartFactor {
    part: usize,
    values: Vec<f64>,
}

impl PartFactor {
    /// Memory for factors of a part.
    pub fn new(pattern: &NodeMatrixPattern, part: usize) -> Self {
        let count = pattern.envelope.as_ref().map_or(0, |envelope| envelope.part_len(part));
        Self { part, values: vec![0.0; count] }
    }

    /// Factorises the part of `matrix` less `shift` times the weight of each of its nodes on the diagonal, and returns its number of negative
    /// eigenvalues.
    ///
    /// # Errors
    /// [`NotPositive`] where a pivot is exactly zero or not finite.
    pub fn factorize_less(
        &mut self,
        pattern: &NodeMatrixPattern,
        matrix: &NodeMatrix,
        shift: f64,
        weights: &[f64],
    ) -> Result<usize, NotPositive> {
        let Some(envelope) = &pattern.envelope else { return Ok(0) };
        let less = |node: u32| shift * weights[node as usize];
        let negative = envelope.factorise_part(self.part, pattern, matrix, &less, &mut self.values);
        negative.map(|count| count as usize).map_err(|row| NotPositive { node: pattern.node_of_row(row) })
    }

    /// Solves A x = b in place for each of `right_sides`, which have the nodes of the part alone.
    pub fn solve(&self, pattern: &NodeMatrixPattern, right_sides: &mut [Vec<Vec3>]) {
        let Some(envelope) = &pattern.envelope else { return };
        let mut column = Vec::new();
        for nodes in right_sides {
            column.clear();
            nodes.iter().for_each(|node| column.extend_from_slice(node.as_slice()));
            envelope.solve_part(self.part, &self.values, &mut column);
            nodes.iter_mut().zip(column.chunks_exact(3)).for_each(|(node, x)| *node = Vec3::from_column_slice(x));
        }
    }
}

struct Supernodal {
    values: Numbers,
    memory: MemBuffer,
    scalars: Vec<f64>,
}

impl InertiaFactor {
    /// Memory for factors of matrices in `pattern`.
    pub fn new(pattern: &NodeMatrixPattern) -> Self {
        Self(match &pattern.envelope {
            Some(envelope) => Kind::Parts(vec![0.0; envelope.len()], Vec::new()),
            None => Kind::Whole(Supernodal::new(pattern)),
        })
    }

    /// Factorises `matrix` and returns its number of negative eigenvalues.
    ///
    /// # Errors
    /// [`NotPositive`] where a pivot is exactly zero or not finite.
    pub fn factorize(&mut self, pattern: &NodeMatrixPattern, matrix: &NodeMatrix) -> Result<usize, NotPositive> {
        if pattern.unknowns() == 0 {
            return Ok(0);
        }
        if let Some(envelope) = &pattern.envelope {
            return self.factorize_parts(pattern, envelope, matrix, |_| 0.0);
        }
        let mut factor = match std::mem::replace(&mut self.0, Kind::Parts(Vec::new(), Vec::new())) {
            Kind::Whole(factor) => factor,
            Kind::Parts(..) => Supernodal::new(pattern),
        };
        let found = factor.factorize(pattern, matrix);
        self.0 = Kind::Whole(factor);
        found
    }

    /// [`InertiaFactor::factorize`] of `matrix` less `shift` times the weight of each node on its diagonal.
    ///
    /// # Errors
    /// As there.
    pub fn factorize_less(
        &mut self,
        pattern: &NodeMatrixPattern,
        matrix: &NodeMatrix,
        shift: f64,
        weights: &[f64],
    ) -> Result<usize, NotPositive> {
        if let (Some(envelope), true) = (&pattern.envelope, pattern.unknowns() > 0) {
            return self.factorize_parts(pattern, envelope, matrix, |node| shift * weights[node as usize]);
        }
        let mut matrix = matrix.clone();
        matrix.shift_weighed(pattern, -shift, weights);
        self.factorize(pattern, &matrix)
    }

    fn factorize_parts(
        &mut self,
        pattern: &NodeMatrixPattern,
        envelope: &Envelope,
        matrix: &NodeMatrix,
        less: impl Fn(u32) -> f64 + Sync,
    ) -> Result<usize, NotPositive> {
        if let Kind::Whole(_) = self.0 {
            *self = Self::new(pattern);
        }
        let Kind::Parts(values, negative) = &mut self.0 else { return Ok(0) };
        values.resize(envelope.len(), 0.0);
        let found = envelope.factorise(pattern, matrix, less, values);
        *negative = found.map_err(|row| NotPositive { node: pattern.node_of_row(row) })?;
        Ok(negative.iter().map(|&count| count as usize).sum())
    }

    /// Of each part that was factorised by itself, how many eigenvalues are negative; empty where none was.
    pub fn negative_of_parts(&self) -> &[u32] {
        match &self.0 {
            Kind::Parts(_, negative) => negative,
            Kind::Whole(_) => &[],
        }
    }

    /// Solves A x = b in place for each of `right_sides`; entries of fixed nodes become zero.
    pub fn solve(&mut self, pattern: &NodeMatrixPattern, right_sides: &mut [Vec<Vec3>]) {
        match (&mut self.0, &pattern.envelope) {
            (Kind::Whole(factor), _) => factor.solve(pattern, right_sides),
            (Kind::Parts(values, _), Some(envelope)) => {
                let mut column = vec![0.0; pattern.unknowns()];
                for nodes in right_sides {
                    pattern.gather_column(nodes, &mut column);
                    envelope.solve(values, &mut column);
                    pattern.scatter_column(&column, nodes);
                }
            }
            (Kind::Parts(..), None) => {}
        }
    }
}

impl Supernodal {
    fn new(pattern: &NodeMatrixPattern) -> Self {
        let symbolic = &pattern.scalars().supernodes;
        let scratch =
            factorize_supernodal_numeric_ldlt_scratch::<u32, f64>(symbolic, pattern.parallelism(), Spec::default())
                .or(symbolic.solve_in_place_scratch::<f64>(TOGETHER, Par::Seq));
        Self { values: Numbers::zeros(symbolic.len_val()), memory: MemBuffer::new(scratch), scalars: Vec::new() }
    }

    fn factorize(&mut self, pattern: &NodeMatrixPattern, matrix: &NodeMatrix) -> Result<usize, NotPositive> {
        let scalars = pattern.scalars();
        factorize_supernodal_numeric_ldlt(
            &mut self.values,
            scalars.columns(pattern, matrix, &mut self.scalars),
            LdltRegularization::default(),
            &scalars.supernodes,
            pattern.parallelism(),
            MemStack::new(&mut self.memory),
            Spec::default(),
        )
        .map_err(|LdltError::ZeroPivot { index }| NotPositive { node: pattern.node_of_row(index) })?;
        let symbolic = &scalars.supernodes;
        let factor = SupernodalLdltRef::new(symbolic, &self.values);
        let mut negative = 0;
        for s in 0..symbolic.n_supernodes() {
            let supernode = factor.supernode(s);
            let block = supernode.val();
            for i in 0..block.ncols() {
                let pivot = block[(i, i)];
                if !pivot.is_finite() {
                    return Err(NotPositive { node: pattern.node_of_row(supernode.start() + i) });
                }
                negative += usize::from(pivot < 0.0);
            }
        }
        Ok(negative)
    }

    fn solve(&mut self, pattern: &NodeMatrixPattern, right_sides: &mut [Vec<Vec3>]) {
        let supernodes = &pattern.scalars().supernodes;
        // Several at a time: the factor is read from memory once for all of them.
        for group in right_sides.chunks_mut(TOGETHER) {
            let mut columns = Mat::zeros(pattern.unknowns(), group.len());
            for (c, nodes) in group.iter().enumerate() {
                pattern.gather_column(nodes, columns.col_as_slice_mut(c));
            }
            SupernodalLdltRef::<u32, f64>::new(supernodes, &self.values).solve_in_place_with_conj(
                Conj::No,
                columns.as_mut(),
                Par::Seq,
                MemStack::new(&mut self.memory),
            );
            for (c, nodes) in group.iter_mut().enumerate() {
                pattern.scatter_column(columns.col_as_slice(c), nodes);
            }
        }
    }
}
