//! Newton steps under general linear equalities, which couple any unknowns: dense, and so for small systems.

use nalgebra::{DMatrix, DVector};

/// Unknowns at most: the matrices are dense.
pub const MOST_UNKNOWNS: usize = 900;
/// Singular values below this share of the largest count as zero: their equations repeat others.
const RANK_TOLERANCE: f64 = 1e-12;

/// Why a step under equalities cannot be found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EqualityError {
    /// The system is too large for dense matrices.
    #[error(
        "general linear equalities make the matrix dense: {unknowns} unknowns are more than the {MOST_UNKNOWNS} allowed; fix nodes, or let them slip on planes, instead"
    )]
    TooLarge {
        /// Unknowns of the system.
        unknowns: usize,
    },
    /// Sizes of matrix, gradient and equalities differ.
    #[error("the equalities have {found} coefficients where the system has {expected} unknowns")]
    Mismatch {
        /// Unknowns of the system.
        expected: usize,
        /// Columns of what does not fit.
        found: usize,
    },
    /// A number is not finite.
    #[error("a coefficient of the equalities, or of the system, is not a finite number")]
    NotFinite,
    /// The Hessian is not positive definite on what the equalities leave free.
    #[error("the Hessian is not positive definite on the directions that the equalities leave free")]
    NotPositive,
}

/// Linear equalities A x = b in a form that steps can be taken in: the directions they leave free, and those they hold.
#[derive(Debug, Clone)]
pub struct Equalities {
    /// Orthonormal columns that span the null space of A.
    free: DMatrix<f64>,
    /// Orthonormal columns that span the rows of A.
    held: DMatrix<f64>,
}

impl Equalities {
    /// From the coefficients A, one row an equality, one column an unknown. Rows may repeat or be zero.
    ///
    /// # Errors
    /// [`EqualityError::TooLarge`] and [`EqualityError::NotFinite`].
    pub fn new(coefficients: &DMatrix<f64>) -> Result<Self, EqualityError> {
        let unknowns = coefficients.ncols();
        if unknowns > MOST_UNKNOWNS {
            return Err(EqualityError::TooLarge { unknowns });
        }
        if !coefficients.iter().all(|a| a.is_finite()) {
            return Err(EqualityError::NotFinite);
        }
        if coefficients.is_empty() {
            return Ok(Self { free: DMatrix::identity(unknowns, unknowns), held: DMatrix::zeros(unknowns, 0) });
        }
        // Rows of equal length, so that the units of one equality do not decide about the rank of another.
        let mut rows = coefficients.clone();
        for mut row in rows.row_iter_mut() {
            let length = row.norm();
            if length > 0.0 {
                row /= length;
            }
        }
        // A = U S V^T; reflections that span the held part span the rest as well.
        let svd = rows.svd(false, true);
        let basis = svd.v_t.ok_or(EqualityError::NotFinite)?;
        let largest = svd.singular_values.iter().copied().fold(0.0, f64::max);
        let independent: Vec<usize> = (0..basis.nrows()).filter(|&i| svd.singular_values[i] > RANK_TOLERANCE * largest).collect();
        let held = basis.select_rows(&independent).transpose();
        let mut whole = DMatrix::identity(unknowns, unknowns);
        if !independent.is_empty() {
            held.clone().qr().q_tr_mul(&mut whole);
        }
        let free = whole.rows(independent.len(), unknowns - independent.len()).transpose();
        Ok(Self { free, held })
    }

    /// Number of independent equalities.
    pub fn rank(&self) -> usize {
        self.held.ncols()
    }

    /// The step that minimises g . dx + 1/2 dx . H dx over A dx = 0, in the basis of the null space: dx = V y.
    ///
    /// # Errors
    /// Every [`EqualityError`].
    pub fn newton_step(&self, hessian: &DMatrix<f64>, gradient: &DVector<f64>) -> Result<DVector<f64>, EqualityError> {
        let (reduced, right) = self.reduced(hessian, gradient)?;
        if right.is_empty() {
            return Ok(DVector::zeros(gradient.len()));
        }
        let factor = reduced.cholesky().ok_or(EqualityError::NotPositive)?;
        Ok(self.expanded(&factor.solve(&right)))
    }

    /// The matrix V^T H V and the right side -V^T g for the coordinates y of the same step.
    ///
    /// # Errors
    /// [`EqualityError::Mismatch`] and [`EqualityError::NotFinite`].
    pub fn reduced(&self, hessian: &DMatrix<f64>, gradient: &DVector<f64>) -> Result<(DMatrix<f64>, DVector<f64>), EqualityError> {
        self.check(hessian, gradient)?;
        Ok((self.free.tr_mul(&(hessian * &self.free)), -self.free.tr_mul(gradient)))
    }

    /// The step V y.
    pub fn expanded(&self, y: &DVector<f64>) -> DVector<f64> {
        &self.free * y
    }

    /// Unknowns that the equalities leave free.
    pub fn freedoms(&self) -> usize {
        self.free.ncols()
    }

    /// The same step and the multipliers of the independent equalities, from the whole system
    /// `[H A^T; A 0] [dx; lambda] = [-g; 0]`, which is indefinite.
    ///
    /// # Errors
    /// Every [`EqualityError`]; of a matrix that is not positive definite only if it is singular.
    pub fn lagrange_step(&self, hessian: &DMatrix<f64>, gradient: &DVector<f64>) -> Result<(DVector<f64>, DVector<f64>), EqualityError> {
        self.check(hessian, gradient)?;
        let (n, k) = (gradient.len(), self.rank());
        // The multipliers are scaled to the Hessian.
        let scale = hessian.norm().max(f64::MIN_POSITIVE) / (n.max(1) as f64).sqrt();
        let mut matrix = DMatrix::zeros(n + k, n + k);
        matrix.view_mut((0, 0), (n, n)).copy_from(hessian);
        matrix.view_mut((0, n), (n, k)).copy_from(&(scale * &self.held));
        matrix.view_mut((n, 0), (k, n)).copy_from(&(scale * self.held.transpose()));
        let right = DVector::from_iterator(n + k, gradient.iter().map(|g| -g).chain(std::iter::repeat_n(0.0, k)));
        let solution = matrix.lu().solve(&right).ok_or(EqualityError::NotPositive)?;
        Ok((solution.rows(0, n).into_owned(), scale * solution.rows(n, k)))
    }

    /// Takes out of `x` what would change A x.
    pub fn project(&self, x: &mut DVector<f64>) {
        let held = self.held.tr_mul(x);
        *x -= &self.held * held;
    }

    fn check(&self, hessian: &DMatrix<f64>, gradient: &DVector<f64>) -> Result<(), EqualityError> {
        let expected = gradient.len();
        for found in [self.held.nrows(), hessian.nrows(), hessian.ncols()] {
            if found != expected {
                return Err(EqualityError::Mismatch { expected, found });
            }
        }
        let finite = hessian.iter().chain(gradient.iter()).all(|a| a.is_finite());
        if finite { Ok(()) } else { Err(EqualityError::NotFinite) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    /// An irregular positive definite matrix and a gradient.
    fn model(n: usize) -> (DMatrix<f64>, DVector<f64>) {
        let root = DMatrix::from_fn(n, n, |i, j| (1.3 * i as f64 + 0.7 * j as f64 * j as f64 + 0.2).sin());
        let hessian = root.tr_mul(&root) + DMatrix::identity(n, n);
        (hessian, DVector::from_fn(n, |i, _| (2.1 * i as f64 + 0.4).cos()))
    }

    /// A step from `x` keeps A x = b, agrees with the multipliers' system, and leaves a gradient in the span of A's rows.
    fn keeps(coefficients: &DMatrix<f64>, b: &[f64], x: DVector<f64>) -> DVector<f64> {
        let b = DVector::from_column_slice(b);
        assert!((coefficients * &x - &b).norm() < 1e-14, "the start meets the equalities");
        let (hessian, gradient) = model(x.len());
        let equalities = Equalities::new(coefficients).unwrap();
        let step = equalities.newton_step(&hessian, &gradient).unwrap();
        assert!(step.norm() > 1e-3);
        assert!((coefficients * &step).norm() < 1e-14 * coefficients.norm(), "A dx = 0");
        let (same, multipliers) = equalities.lagrange_step(&hessian, &gradient).unwrap();
        assert!((&same - &step).norm() < 1e-10 * step.norm(), "multipliers and null space agree");
        assert_eq!(multipliers.len(), equalities.rank());
        let mut left = &hessian * &step + &gradient;
        equalities.project(&mut left);
        assert!(left.norm() < 1e-11 * gradient.norm(), "it is the minimum");
        x + step
    }

    /// Two nodes in the plane, the second fixed at (1, 2).
    #[test]
    fn a_fixed_node_stays_where_it_is() {
        let coefficients = DMatrix::from_row_slice(2, 4, &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let x = keeps(&coefficients, &[1.0, 2.0], DVector::from_column_slice(&[0.3, -0.4, 1.0, 2.0]));
        assert!((x[2] - 1.0).abs() < 1e-14 && (x[3] - 2.0).abs() < 1e-14);
        assert!((x[0] - 0.3).abs() > 1e-3);
    }

    /// One node on the line 2x + 3y = 4.
    #[test]
    fn a_node_stays_on_its_line() {
        let coefficients = DMatrix::from_row_slice(1, 2, &[2.0, 3.0]);
        let x = keeps(&coefficients, &[4.0], DVector::from_column_slice(&[0.5, 1.0]));
        assert!((2.0 * x[0] + 3.0 * x[1] - 4.0).abs() < 1e-14);
    }

    /// Slip along an axis (y = 3) and along a slope (3x + 4y = 2).
    #[test]
    fn slipping_nodes_stay_on_their_planes() {
        let mut coefficients = DMatrix::zeros(2, 6);
        (coefficients[(0, 1)], coefficients[(1, 3)], coefficients[(1, 4)]) = (1.0, 3.0, 4.0);
        let x = keeps(&coefficients, &[3.0, 2.0], DVector::from_column_slice(&[0.1, 3.0, 0.7, -2.0, 2.0, 0.9]));
        assert!((x[1] - 3.0).abs() < 1e-14);
        assert!((3.0 * x[3] + 4.0 * x[4] - 2.0).abs() < 1e-13);
    }

    /// An equality over all unknowns (the centre of mass), given twice in different units.
    #[test]
    fn equalities_may_repeat_and_couple_everything() {
        let coefficients = DMatrix::from_fn(2, 9, |i, j| if j % 3 == 0 { [1.0, 1e6][i] } else { 0.0 });
        let equalities = Equalities::new(&coefficients).unwrap();
        assert_eq!(equalities.rank(), 1);
        let (hessian, gradient) = model(9);
        let step = equalities.newton_step(&hessian, &gradient).unwrap();
        assert!((step[0] + step[3] + step[6]).abs() < 1e-14 && step.norm() > 1e-3);
        let all_held = Equalities::new(&DMatrix::identity(9, 9)).unwrap();
        assert_eq!(all_held.newton_step(&hessian, &gradient).unwrap(), DVector::zeros(9));
        let none = Equalities::new(&DMatrix::zeros(0, 9)).unwrap();
        let free = hessian.clone().cholesky().unwrap().solve(&(-&gradient));
        assert!((none.newton_step(&hessian, &gradient).unwrap() - free).norm() < 1e-12);
    }

    #[test]
    fn what_cannot_be_solved_is_refused() {
        let (hessian, gradient) = model(4);
        assert_eq!(Equalities::new(&DMatrix::zeros(1, 901)).unwrap_err(), EqualityError::TooLarge { unknowns: 901 });
        assert_eq!(Equalities::new(&DMatrix::from_element(1, 4, f64::NAN)).unwrap_err(), EqualityError::NotFinite);
        let equalities = Equalities::new(&DMatrix::from_row_slice(1, 3, &[1.0, 0.0, 0.0])).unwrap();
        assert_eq!(equalities.newton_step(&hessian, &gradient).unwrap_err(), EqualityError::Mismatch { expected: 4, found: 3 });
        let equalities = Equalities::new(&DMatrix::from_row_slice(1, 4, &[1.0, 0.0, 0.0, 0.0])).unwrap();
        assert_eq!(equalities.newton_step(&-&hessian, &gradient).unwrap_err(), EqualityError::NotPositive);
    }

    /// Rows that differ by less than the tolerance are one equality.
    #[test]
    fn rows_that_are_nearly_the_same_count_once() {
        for (apart, rank) in [(0.0, 1), (0.7, 1), (1.4, 2), (1e9, 2)] {
            // The singular values of two rows that enclose an angle are in the ratio of the tangent of its half.
            let angle: f64 = 2.0 * apart * RANK_TOLERANCE;
            let rows = DMatrix::from_row_slice(2, 3, &[1.0, 0.0, 0.0, 5.0 * angle.cos(), 5.0 * angle.sin(), 0.0]);
            assert_eq!(Equalities::new(&rows).unwrap().rank(), rank, "{apart}");
        }
    }
}
