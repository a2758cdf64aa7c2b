//! Eigenpairs near a shift by band Lanczos on the shifted inverse (Ericsson and Ruhe 1980; Ruhe 1979), with full
//! reorthogonalisation. Starting from several vectors at once, it also finds the pairs of equal eigenvalues that
//! symmetric bodies have.

use nalgebra::{DMatrix, DVector};

use super::space::Space;
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// Vectors applied at a time.
const WIDTH: usize = 4;
/// Vectors at most, for each that is wanted, and beside them.
const EACH: usize = 6;
const BESIDE: usize = 40;
/// Residual below which a pair counts as found.
const FOUND: f64 = 1e-6;
/// What is left of a vector after orthogonalisation that is round-off.
const NOTHING: f64 = 1e-10;

/// An eigenvalue and its vector.
pub struct Pair {
    /// lambda [N/m].
    pub eigenvalue: f64,
    /// v, with |v|_M = 1.
    pub vector: Vec<Vec3>,
    /// |(H - shift M)^-1 M v - theta v|_M / |theta|, theta = 1 / (lambda - shift).
    pub residual: f64,
}

impl Pair {
    /// Whether it is an eigenpair, and not only the best of a search that ended.
    pub fn is_found(&self) -> bool {
        self.residual < FOUND
    }
}

/// Where pairs are looked for: about a shift [N/m] that so many eigenvalues are below.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    /// The shift [N/m].
    pub shift: f64,
    /// Eigenvalues below it.
    pub below: usize,
}

/// The pairs of all eigenvalues below the shift, and at least `count` in all, ascending: those that were found, and
/// perhaps some more that are no nearer than they. `invert` makes (H - shift M)^-1 M v of vectors v.
///
/// # Errors
/// Cancelled.
pub fn eigenpairs(
    space: &impl Space,
    near: Near,
    count: usize,
    mut invert: impl FnMut(&mut [Vec<Vec3>]),
    watch: &dyn Watch,
) -> Result<Vec<Pair>, Cancelled> {
    let above = count.saturating_sub(near.below);
    let wanted = near.below + above;
    let mut basis: Vec<Vec<Vec3>> = Vec::new();
    for start in 0..WIDTH {
        extend(space, &mut basis, irregular(space, start));
    }
    // Column j: the components of the image of vector j along the basis, those found later included.
    let mut images: Vec<Vec<f64>> = Vec::new();
    let most = (EACH * wanted + BESIDE).min(space.unknowns());
    loop {
        watch.check()?;
        let range = images.len()..(images.len() + WIDTH).min(basis.len());
        let mut block: Vec<Vec<Vec3>> = basis[range].to_vec();
        invert(&mut block);
        for image in block {
            images.push(extend(space, &mut basis, image));
        }
        let done = images.len();
        let over = done >= most || done == basis.len();
        if over || (done >= wanted + WIDTH && done.is_multiple_of(2 * WIDTH)) {
            let ritz = Ritz::of(&images, basis.len());
            let chosen = ritz.extremes(near.below, above);
            if over || chosen.iter().filter(|&&i| ritz.residual[i] < FOUND).count() == wanted {
                let mut pairs: Vec<Pair> = chosen.into_iter().map(|i| ritz.pair(i, space, &basis, near.shift)).collect();
                pairs.sort_by(|a, b| a.eigenvalue.total_cmp(&b.eigenvalue));
                return Ok(pairs);
            }
        }
    }
}

/// Adds what of `vector` the basis lacks, if there is any; its components along the basis.
fn extend(space: &impl Space, basis: &mut Vec<Vec<Vec3>>, mut vector: Vec<Vec3>) -> Vec<f64> {
    let before = space.dot(&vector, &vector).sqrt();
    space.confine(&mut vector);
    let mut components = space.take_out(basis, &mut vector);
    let rest = space.normalise(&mut vector);
    if rest.is_finite() && rest > NOTHING * before {
        components.push(rest);
        basis.push(vector);
    }
    components
}

/// A fixed, irregular vector: orthogonal to no mode, and the same in every run.
pub fn irregular(space: &impl Space, start: usize) -> Vec<Vec3> {
    let number = |i: usize, k: usize| ((i * 3 + k) as f64 * (0.73 + 0.31 * start as f64) + 1.7 * start as f64).sin();
    let mut vector: Vec<Vec3> = (0..space.nodes()).map(|i| Vec3::new(number(i, 0), number(i, 1) + 0.2, number(i, 2))).collect();
    space.confine(&mut vector);
    vector
}

/// Ritz values and vectors of the inverse in the Krylov space.
struct Ritz {
    values: DVector<f64>,
    vectors: DMatrix<f64>,
    residual: Vec<f64>,
}

impl Ritz {
    fn of(images: &[Vec<f64>], basis: usize) -> Self {
        let done = images.len();
        let entry = |i: usize, j: usize| images[j].get(i).copied().unwrap_or(0.0);
        let projected = DMatrix::from_fn(done, done, |i, j| 0.5 * (entry(i, j) + entry(j, i)));
        let rest = DMatrix::from_fn(basis - done, done, |i, j| entry(done + i, j));
        let eigen = projected.symmetric_eigen();
        let left = rest * &eigen.eigenvectors;
        let residual = (0..done).map(|i| left.column(i).norm() / eigen.eigenvalues[i].abs()).collect();
        Self { values: eigen.eigenvalues, vectors: eigen.eigenvectors, residual }
    }

    /// The `below` negative values of largest size and the `above` largest positive ones.
    fn extremes(&self, below: usize, above: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by(|&a, &b| self.values[a].total_cmp(&self.values[b]));
        let negative = order.iter().take(below).take_while(|&&i| self.values[i] < 0.0);
        let positive = order.iter().rev().take(above).take_while(|&&i| self.values[i] > 0.0);
        negative.chain(positive).copied().collect()
    }

    fn pair(&self, i: usize, space: &impl Space, basis: &[Vec<Vec3>], shift: f64) -> Pair {
        let mut vector = vec![Vec3::zeros(); space.nodes()];
        for (share, basis) in self.vectors.column(i).iter().zip(basis) {
            vector.iter_mut().zip(basis).for_each(|(v, b)| *v += *share * b);
        }
        Pair { eigenvalue: shift + 1.0 / self.values[i], vector, residual: self.residual[i] }
    }
}
