//! [`MassCouplings`]: what a consistent mass matrix has beside the lumped masses.
//!
//! Over a simplex of N corners and mass m the integrals of rho N_i N_j are m / (N (N + 1)) (1 + delta_ij) (Cook, Malkus, Plesha, Witt 2002,
//! *Concepts and Applications of Finite Element Analysis*, 11.3): m / 12 beside the diagonal for a triangle, m / 20 for a tet. The sum of
//! each row is m / N, the lumped mass, so that lumped and consistent matrix differ by a graph's Laplacian over the edges:
//!
//! ```text
//! M = diag(m_n) - sum over edges w_ij (e_i - e_j) (e_i - e_j)^T,   w_ij = sum over the cells about the edge of m / (N (N + 1))
//! ```
//!
//! It takes nothing from a common motion: weight, total mass, centre of mass and momentum are those of the lumped masses. The eigenvalues
//! of D^-1 M with the diagonal D of M are 1/2 to (N + 1) / 2 (Wathen 1987, *Realistic eigenvalue bounds for the Galerkin mass matrix*).

use super::topology::DisjointSets;

/// No part: nothing couples the node.
const NONE: u32 = u32::MAX;

/// The edges of cells that a consistent mass matrix couples, and how much.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MassCouplings {
    /// Nodes of each edge, the lesser first; ascending.
    pairs: Vec<[u32; 2]>,
    /// w of each edge [kg].
    weights: Vec<f64>,
    /// Sum of w over the edges of each node [kg]; nodes beyond the last have none.
    of_nodes: Vec<f64>,
    /// Number of the part of each node: those that edges join; [`NONE`] without edges.
    parts: Vec<u32>,
}

impl MassCouplings {
    /// Those of cells with this mass each [kg]. Every sum goes in the order of the cells.
    pub fn of_cells<const N: usize>(cells: &[[u32; N]], masses: &[f64]) -> Self {
        let of_cell = |(cell, mass): (&[u32; N], &f64)| {
            let (cell, weight) = (*cell, mass / (N * (N + 1)) as f64);
            let edges = (0..N).flat_map(move |i| (0..i).map(move |j| [cell[i].min(cell[j]), cell[i].max(cell[j])]));
            edges.map(move |pair| (pair, weight))
        };
        let mut edges: Vec<([u32; 2], f64)> = cells.iter().zip(masses).flat_map(of_cell).collect();
        edges.sort_by_key(|(pair, _)| *pair);
        edges.dedup_by(|(pair, weight), (kept, sum)| {
            let is_same = pair == kept;
            *sum += if is_same { *weight } else { 0.0 };
            is_same
        });
        let (pairs, weights) = edges.into_iter().unzip();
        Self::of_edges(pairs, weights)
    }

    fn of_edges(pairs: Vec<[u32; 2]>, weights: Vec<f64>) -> Self {
        let count = pairs.iter().map(|[_, b]| *b as usize + 1).max().unwrap_or(0);
        let (mut of_nodes, mut sets) = (vec![0.0; count], DisjointSets::new(count));
        for (&[a, b], weight) in pairs.iter().zip(&weights) {
            of_nodes[a as usize] += weight;
            of_nodes[b as usize] += weight;
            sets.join(a, b);
        }
        let parts = sets.numbered().into_iter().zip(&of_nodes).map(|(part, sum)| if *sum == 0.0 { NONE } else { part }).collect();
        Self { pairs, weights, of_nodes, parts }
    }

    /// Adds those of another body, whose first node is `first`; bodies come in the order of their nodes.
    pub fn append(&mut self, of_body: &Self, first: u32) {
        self.pairs.extend(of_body.pairs.iter().map(|pair| pair.map(|node| node + first)));
        self.weights.extend_from_slice(&of_body.weights);
        *self = Self::of_edges(std::mem::take(&mut self.pairs), std::mem::take(&mut self.weights));
    }

    /// All of them times `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        let scaled = |weights: &[f64]| weights.iter().map(|w| factor * w).collect();
        Self { weights: scaled(&self.weights), of_nodes: scaled(&self.of_nodes), ..self.clone() }
    }

    /// Whether there is none: all masses are lumped.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Each edge: its nodes, the lesser first, and w [kg].
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.pairs.iter().zip(&self.weights).map(|(&[a, b], &weight)| (a as usize, b as usize, weight))
    }

    /// Nodes of each edge.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// w of each edge [kg].
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Sum of w over the edges of a node [kg].
    pub fn of_node(&self, node: usize) -> f64 {
        self.of_nodes.get(node).copied().unwrap_or(0.0)
    }

    /// The part of a node, as a number below that of nodes; `None` where nothing couples it.
    pub fn part(&self, node: usize) -> Option<usize> {
        self.parts.get(node).filter(|part| **part != NONE).map(|part| *part as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::math::random::Random;
    use crate::mesh::lumped;

    /// The matrix that couplings and lumped masses are, entry by entry.
    fn dense(couplings: &MassCouplings, lumped: &[f64]) -> Vec<Vec<f64>> {
        let entry = |i: usize, j: usize| if i == j { lumped[i] - couplings.of_node(i) } else { 0.0 };
        let mut matrix: Vec<Vec<f64>> = (0..lumped.len()).map(|i| (0..lumped.len()).map(|j| entry(i, j)).collect()).collect();
        for (i, j, weight) in couplings.iter() {
            (matrix[i][j], matrix[j][i]) = (weight, weight);
        }
        matrix
    }

    /// Points and weights of a rule on the reference simplex of N corners that is exact for squares of linear functions: the corners, and
    /// the centre.
    fn rule<const N: usize>() -> Vec<([f64; N], f64)> {
        let (n, all) = (N as f64, (N * (N + 1)) as f64);
        let corner = |k: usize| std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
        // Of x_i^2 the mean is 2 / (N (N + 1)), of 1 it is 1.
        (0..N).map(|k| (corner(k), 1.0 / all)).chain([([1.0 / n; N], n / (n + 1.0))]).collect()
    }

    fn is_quadrature<const N: usize>(cell: [u32; N], mass: f64) {
        let matrix = dense(&MassCouplings::of_cells(&[cell], &[mass]), &lumped::of_cells(&[cell], N, &[mass]));
        for i in 0..N {
            for j in 0..N {
                let integral: f64 = rule::<N>().iter().map(|(x, w)| w * mass * x[i] * x[j]).sum();
                let of_cell = matrix[cell[i] as usize][cell[j] as usize];
                assert!((of_cell / integral - 1.0).abs() < 1e-14, "{i} {j}: {of_cell} and not {integral}");
            }
        }
    }

    #[test]
    fn one_cell_has_the_integrals_of_products_of_its_shape_functions() {
        is_quadrature([2, 0, 1], 3.0);
        is_quadrature([1, 3, 0, 2], 5.0);
        let tet = dense(&MassCouplings::of_cells(&[[0, 1, 2, 3]], &[20.0]), &[5.0; 4]);
        assert_eq!(tet[0], [2.0, 1.0, 1.0, 1.0]);
        let triangle = dense(&MassCouplings::of_cells(&[[0, 1, 2]], &[12.0]), &[4.0; 3]);
        assert_eq!(triangle[1], [1.0, 2.0, 1.0]);
    }

    #[test]
    fn rows_sum_up_to_the_lumped_masses_and_all_entries_to_the_mass() {
        let mut random = Random::new(3);
        let x: Vec<Vec3> = (0..9).map(|_| random.vector(-1.0, 1.0)).collect();
        let tets = [[0, 1, 2, 3], [1, 2, 3, 4], [0, 5, 4, 8]];
        let masses: Vec<f64> = lumped::tet_masses(&tets, &x, &[3.0, 1.0, 7.0]).iter().map(|m| m.abs()).collect();
        let (nodes, couplings) = (lumped::of_cells(&tets, 9, &masses), MassCouplings::of_cells(&tets, &masses));
        let matrix = dense(&couplings, &nodes);
        for (row, mass) in matrix.iter().zip(&nodes) {
            assert!((row.iter().sum::<f64>() - mass).abs() < 1e-14);
        }
        let (all, mass) = (matrix.iter().flatten().sum::<f64>(), masses.iter().sum::<f64>());
        assert!((all / mass - 1.0).abs() < 1e-14);
        assert_eq!(couplings.pairs().len(), 15);
        assert!(couplings.pairs().is_sorted() && couplings.weights().iter().all(|w| *w > 0.0));
        let parts: Vec<Option<usize>> = (0..10).map(|n| couplings.part(n)).collect();
        assert_eq!(parts, [Some(0), Some(0), Some(0), Some(0), Some(0), Some(0), None, None, Some(0), None]);
    }

    #[test]
    fn bodies_follow_one_another() {
        let one = MassCouplings::of_cells(&[[0, 1, 2]], &[12.0]);
        let mut both = MassCouplings::default();
        both.append(&one, 2);
        both.append(&one, 5);
        assert_eq!(both.pairs(), [[2, 3], [2, 4], [3, 4], [5, 6], [5, 7], [6, 7]]);
        let parts: Vec<Option<usize>> = (0..8).map(|n| both.part(n)).collect();
        assert!(parts[0].is_none() && parts[2] == parts[4] && parts[5] == parts[7] && parts[4] != parts[5]);
        assert_eq!((both.of_node(0), both.of_node(2), both.of_node(7)), (0.0, 2.0, 2.0));
        assert_eq!(both.scaled(0.5).weights(), [0.5; 6]);
    }
}
