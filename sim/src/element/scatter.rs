//! [`Scatter`]: vectors of element corners summed at the nodes, in parallel and yet in element order.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::math::Vec3;

/// Which corners of which elements meet at each node. Every node sums its own corners, always in element order, so that the sum
/// is the same for any number of threads.
#[derive(Debug, Clone, Default)]
pub(super) struct Meeting {
    /// Where the corners of each node begin in `corners`; one more entry than nodes.
    starts: Vec<u32>,
    /// Places in the list of all corners, ordered by node, then element.
    corners: Vec<u32>,
}

/// The same for elements of N nodes, with the memory of its last sum.
#[derive(Debug, Default)]
pub(super) struct Scatter<const N: usize> {
    meeting: Meeting,
    /// The corners' vectors of the last call, kept for its memory.
    scratch: Mutex<Vec<[Vec3; N]>>,
}

/// Elements, or nodes, handled by one task.
const CHUNK: usize = 256;

impl Meeting {
    /// Of the nodes of all corners, element by element.
    pub(super) fn new(flat: &[u32]) -> Self {
        let count = flat.iter().max().map_or(0, |&largest| largest as usize + 1);
        let mut starts = vec![0; count + 1];
        for &node in flat {
            starts[node as usize + 1] += 1;
        }
        for node in 0..count {
            starts[node + 1] += starts[node];
        }
        let (mut corners, mut next) = (vec![0; flat.len()], starts.clone());
        for (corner, &node) in (0..).zip(flat) {
            corners[next[node as usize] as usize] = corner;
            next[node as usize] += 1;
        }
        Self { starts, corners }
    }

    /// Number of corners that it knows.
    pub(super) fn corners(&self) -> usize {
        self.corners.len()
    }

    /// Adds the vector of each corner to its node in `target`.
    pub(super) fn add(&self, target: &mut [Vec3], of_corner: &[Vec3]) {
        target.par_iter_mut().zip(self.starts.par_windows(2)).with_min_len(CHUNK).for_each(|(sum, range)| {
            for &corner in &self.corners[range[0] as usize..range[1] as usize] {
                *sum += of_corner[corner as usize];
            }
        });
    }
}

impl<const N: usize> Scatter<N> {
    pub(super) fn new(nodes: &[[u32; N]]) -> Self {
        Self { meeting: Meeting::new(nodes.as_flattened()), scratch: Mutex::default() }
    }

    /// Number of elements that it knows.
    pub(super) fn elements(&self) -> usize {
        self.meeting.corners() / N
    }

    /// Adds the vectors of each element's corners to their nodes in `target`.
    pub(super) fn add(&self, target: &mut [Vec3], vectors: impl Fn(usize) -> [Vec3; N] + Sync + Send) {
        // Taken, not held: whoever comes meanwhile has memory of its own.
        let mut local = std::mem::take(&mut *self.scratch.lock().unwrap_or_else(PoisonError::into_inner));
        (0..self.elements()).into_par_iter().with_min_len(CHUNK).map(vectors).collect_into_vec(&mut local);
        self.meeting.add(target, local.as_flattened());
        *self.scratch.lock().unwrap_or_else(PoisonError::into_inner) = local;
    }
}

impl<const N: usize> Clone for Scatter<N> {
    fn clone(&self) -> Self {
        Self { meeting: self.meeting.clone(), scratch: Mutex::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    /// The sum in element order, to the last bit, whatever the number of threads, and again with used memory.
    #[test]
    fn any_number_of_threads_gives_the_sum_in_element_order() {
        let mut random = Random::new(19);
        let nodes: Vec<[u32; 4]> = (0..5000).map(|_| [(); 4].map(|()| random.uniform(3.0, 900.0) as u32)).collect();
        let vectors: Vec<[Vec3; 4]> = nodes.iter().map(|_| [(); 4].map(|()| random.vector(-1.0, 1.0))).collect();
        let start: Vec<Vec3> = (0..1000).map(|_| random.vector(-1.0, 1.0)).collect();
        let mut expected = start.clone();
        for (&node, vector) in nodes.as_flattened().iter().zip(vectors.as_flattened()) {
            expected[node as usize] += vector;
        }
        let scatter = Scatter::new(&nodes);
        for threads in [1, 2, 3, 8, 8] {
            #[allow(clippy::unwrap_used)]
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut found = start.clone();
            pool.install(|| scatter.add(&mut found, |e| vectors[e]));
            assert_eq!(found, expected, "{threads} threads");
        }
    }
}
