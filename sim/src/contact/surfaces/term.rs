//! [`Term`]: a summand of the contact energy on a few nodes, and the sums over many of them.

use rayon::prelude::*;

use crate::contact::barrier::Barrier;
use crate::contact::stencil::NO_NODE;
use crate::math::{Mat3, Vec3};

/// Terms handled by one task; fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 128;

/// Where everything is while a step is solved.
#[derive(Clone, Copy)]
pub struct Pose<'a> {
    /// Positions [m].
    pub x: &'a [Vec3],
    /// Positions at the step's start [m].
    pub origin: &'a [Vec3],
    /// Normal barrier, the same for all terms.
    pub barrier: Barrier,
}

/// A summand of the contact energy on at most `N` nodes.
pub trait Term<const N: usize>: Sync {
    /// Its nodes; [`NO_NODE`] where it has fewer.
    fn nodes(&self) -> [u32; N];
    /// Energy [J]; infinite for a closed gap.
    fn energy(&self, pose: &Pose) -> f64;
    /// Gradient by the positions of its nodes [N].
    fn gradient(&self, pose: &Pose) -> [Vec3; N];
    /// Second derivatives [N/m]; `projected`: clamped to positive semidefinite.
    fn hessian(&self, pose: &Pose, projected: bool) -> [[Mat3; N]; N];
}

/// Energy of all terms [J].
pub fn energy<T: Term<N>, const N: usize>(terms: &[T], pose: &Pose) -> f64 {
    let sums: Vec<f64> = terms.par_chunks(CHUNK).map(|chunk| chunk.iter().map(|term| term.energy(pose)).sum()).collect();
    sums.iter().sum()
}

/// Adds the gradient of all terms [N], in their order; `local` is memory.
pub fn add_gradient<T: Term<N>, const N: usize>(terms: &[T], pose: &Pose, local: &mut Vec<[Vec3; N]>, gradient: &mut [Vec3]) {
    terms.par_iter().with_min_len(CHUNK).map(|term| term.gradient(pose)).collect_into_vec(local);
    for (term, vectors) in terms.iter().zip(local) {
        for (node, vector) in term.nodes().into_iter().zip(vectors) {
            if node != NO_NODE {
                gradient[node as usize] += *vector;
            }
        }
    }
}

/// Fills `blocks` with the second derivatives of each term [N/m].
pub fn fill_hessians<T: Term<N>, const N: usize>(terms: &[T], pose: &Pose, projected: bool, blocks: &mut [[[Mat3; N]; N]]) {
    blocks.par_iter_mut().with_min_len(CHUNK / 4).zip(terms).for_each(|(block, term)| *block = term.hessian(pose, projected));
}
