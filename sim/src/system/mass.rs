//! [`Mass`]: the mass matrix of a system, lumped masses less the Laplacian of its couplings ([`MassCouplings`]).

use std::borrow::Cow;
use std::ops::{AddAssign, Mul, SubAssign};

use rayon::prelude::*;

use super::System;
use crate::linear::{NodeMatrix, NodeMatrixPattern};
use crate::math::{Mat3, Vec3};
use crate::mesh::MassCouplings;

/// Nodes from which on many threads make a sum, and so many of them by one at a time.
const MANY: usize = 1 << 16;
const CHUNK: usize = 4096;

/// M = D_s / 2 + what is positive semidefinite, with the diagonal D_s of what cells give to M.
const LEAST_SHARE: f64 = 0.5;

/// A mass matrix: the same for each of the three directions.
#[derive(Debug, Clone)]
pub struct Mass<'a> {
    lumped: Cow<'a, [f64]>,
    couplings: Cow<'a, MassCouplings>,
}

impl System {
    /// The mass matrix [kg].
    pub fn mass(&self) -> Mass<'_> {
        Mass { lumped: Cow::Borrowed(&self.masses), couplings: Cow::Borrowed(&self.mass_couplings) }
    }
}

impl Mass<'_> {
    /// The same over `unit` [kg], with the lumped mass of each node at least `least`.
    pub fn over(&self, unit: f64, least: f64) -> Mass<'static> {
        let lumped = self.lumped.iter().map(|mass| (mass / unit).max(least)).collect();
        Mass { lumped: Cow::Owned(lumped), couplings: Cow::Owned(self.couplings.scaled(1.0 / unit)) }
    }

    /// That of these nodes alone, which no others are coupled to; only where all are lumped.
    pub fn of_nodes(&self, nodes: &[u32]) -> Mass<'static> {
        Mass { lumped: nodes.iter().map(|&n| self.lumped[n as usize]).collect(), couplings: Cow::default() }
    }

    /// Whether all masses are lumped.
    pub fn is_lumped(&self) -> bool {
        self.couplings.is_empty()
    }

    /// Mass of each node where all are lumped: the sums of rows.
    pub fn lumped(&self) -> &[f64] {
        &self.lumped
    }

    /// What couples nodes.
    pub fn couplings(&self) -> &MassCouplings {
        &self.couplings
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.lumped.len()
    }

    /// Entry on the diagonal.
    pub fn diagonal(&self, node: usize) -> f64 {
        self.lumped[node] - self.couplings.of_node(node)
    }

    /// Of a diagonal matrix that M is nowhere below: the lumped mass, of coupled nodes half of their diagonal.
    pub fn least(&self, node: usize) -> f64 {
        if self.couplings.of_node(node) == 0.0 { self.lumped[node] } else { LEAST_SHARE * self.diagonal(node) }
    }

    /// [`Mass::least`] of each node.
    pub fn least_of_nodes(&self) -> Cow<'_, [f64]> {
        self.by_nodes(|n| self.least(n))
    }

    fn by_nodes(&self, of: impl Fn(usize) -> f64) -> Cow<'_, [f64]> {
        if self.couplings.is_empty() { Cow::Borrowed(&self.lumped) } else { Cow::Owned((0..self.nodes()).map(of).collect()) }
    }

    /// M v.
    pub fn product(&self, v: &[Vec3]) -> Vec<Vec3> {
        let mut product: Vec<Vec3> = v.iter().zip(&*self.lumped).map(|(v, m)| *m * v).collect();
        self.couple(|n| v[n], &mut product);
        product
    }

    /// Adds (M - lumped) v.
    pub fn couple(&self, v: impl Fn(usize) -> Vec3, out: &mut [Vec3]) {
        for (i, j, weight) in self.couplings.iter() {
            let part = weight * (v(i) - v(j));
            out[i] -= part;
            out[j] += part;
        }
    }

    /// The sum of M_ij f(a_i, b_j) for a bilinear f, on top of `zero`.
    pub fn sum<T: AddAssign + SubAssign>(&self, a: &[Vec3], b: &[Vec3], zero: T, f: impl Fn(&Vec3, &Vec3) -> T) -> T
    where
        f64: Mul<T, Output = T>,
    {
        let mut sum = zero;
        for ((a, b), mass) in a.iter().zip(b).zip(&*self.lumped) {
            sum += *mass * f(a, b);
        }
        for (i, j, weight) in self.couplings.iter() {
            sum -= weight * f(&(a[i] - a[j]), &(b[i] - b[j]));
        }
        sum
    }

    /// a . M b.
    pub fn dot(&self, a: &[Vec3], b: &[Vec3]) -> f64 {
        if a.len() < MANY || !self.is_lumped() {
            return self.sum(a, b, 0.0, Vec3::dot);
        }
        // In the same chunks whatever the number of threads.
        let chunks = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).zip(self.lumped.par_chunks(CHUNK));
        let sum = |((a, b), mass): ((&[Vec3], &[Vec3]), &[f64])| a.iter().zip(b).zip(mass).map(|((a, b), mass)| mass * a.dot(b)).sum();
        let sums: Vec<f64> = chunks.map(sum).collect();
        sums.iter().sum()
    }

    /// Adds `factor` times M to a matrix whose held directions are projected out, as by [`crate::linear::LinearSystem::assemble`] with
    /// these `slides`.
    pub fn add_to(&self, matrix: &mut NodeMatrix, pattern: &NodeMatrixPattern, factor: f64, slides: &[(u32, Mat3)]) {
        matrix.shift_weighed(pattern, factor, &self.by_nodes(|n| self.diagonal(n)));
        self.add_beside_diagonal(matrix, pattern, |_| factor, slides);
    }

    /// Adds what is beside the diagonal of M to such a matrix, that of each edge times a factor of its lesser node.
    pub fn add_beside_diagonal(
        &self,
        matrix: &mut NodeMatrix,
        pattern: &NodeMatrixPattern,
        factor: impl Fn(usize) -> f64,
        slides: &[(u32, Mat3)],
    ) {
        let projector = |node: usize| {
            let at = slides.binary_search_by_key(&(node as u32), |slide| slide.0);
            at.map_or_else(|_| Mat3::identity(), |at| slides[at].1)
        };
        for (i, j, weight) in self.couplings.iter() {
            let weight = factor(i) * weight;
            let block = if slides.is_empty() { Mat3::from_diagonal_element(weight) } else { weight * projector(i) * projector(j) };
            matrix.add_between(pattern, [i as u32, j as u32], &block);
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;
    use crate::mesh::lumped;
    use crate::mesh::structured::{CubeCut, box_mesh};

    /// A box and a triangle with consistent masses, and two masses that nothing couples.
    fn system() -> System {
        let (positions, tets) = box_mesh(Vec3::new(1.0, 2.0, 0.5), [2, 2, 1], CubeCut::Kuhn);
        let (count, of_tets) = (positions.len(), lumped::tet_masses(&tets, &positions, &vec![30.0; tets.len()]));
        let mut masses = lumped::of_cells(&tets, count, &of_tets);
        masses.extend([4.0; 3]);
        masses.extend([0.7, 0.3]);
        let mut mass_couplings = MassCouplings::of_cells(&tets, &of_tets);
        mass_couplings.append(&MassCouplings::of_cells(&[[0, 1, 2]], &[12.0]), count as u32);
        System { positions: vec![Vec3::zeros(); count + 5], masses, mass_couplings, ..System::default() }
    }

    fn dense(mass: &Mass) -> DMatrix<f64> {
        let unit = |j: usize| (0..mass.nodes()).map(|n| if n == j { Vec3::x() } else { Vec3::zeros() }).collect::<Vec<Vec3>>();
        let columns: Vec<Vec<Vec3>> = (0..mass.nodes()).map(|j| mass.product(&unit(j))).collect();
        DMatrix::from_fn(mass.nodes(), mass.nodes(), |i, j| columns[j][i].x)
    }

    /// With the bound of Wathen, which one tet reaches.
    #[test]
    fn a_mass_matrix_is_nowhere_below_its_least_diagonal_and_symmetric() {
        let system = system();
        let mass = system.mass();
        let matrix = dense(&mass);
        assert_eq!(matrix, matrix.transpose());
        let least = DMatrix::from_diagonal(&mass.least_of_nodes().to_vec().into());
        let lowest = (&matrix - &least).symmetric_eigenvalues().min();
        let count = mass.nodes();
        assert!(lowest > -1e-12, "{lowest}");
        assert!((0..count).all(|n| matrix[(n, n)] == mass.diagonal(n)));
        assert_eq!((mass.least(count - 1), mass.least(count - 3)), (0.3, 1.0));
        let one = Mass { lumped: Cow::Owned(vec![5.0; 4]), couplings: Cow::Owned(MassCouplings::of_cells(&[[0, 1, 2, 3]], &[20.0])) };
        let tight = (dense(&one) - DMatrix::from_diagonal(&one.least_of_nodes().to_vec().into())).symmetric_eigenvalues().min();
        assert!(tight.abs() < 1e-14, "{tight}");
    }

    #[test]
    fn products_and_sums_agree_with_one_another() {
        let system = system();
        let mass = system.mass().over(2.0, 0.25);
        let a: Vec<Vec3> = (0..mass.nodes()).map(|n| Vec3::new((n as f64).sin(), 0.3 * n as f64, 1.0)).collect();
        let b: Vec<Vec3> = (0..mass.nodes()).map(|n| Vec3::new(1.0, (2.0 * n as f64).cos(), -0.1 * n as f64)).collect();
        let by_product: f64 = a.iter().zip(mass.product(&b)).map(|(a, b)| a.dot(&b)).sum();
        assert!((mass.dot(&a, &b) - by_product).abs() < 1e-12 * by_product.abs());
        let turned = mass.sum(&a, &b, Vec3::zeros(), |a, b| a.cross(b));
        let by_product: Vec3 = a.iter().zip(mass.product(&b)).map(|(a, b)| a.cross(&b)).sum();
        assert!((turned - by_product).norm() < 1e-12 * turned.norm());
        assert_eq!((mass.lumped()[mass.nodes() - 2], mass.lumped()[mass.nodes() - 1]), (0.35, 0.25));
    }
}
