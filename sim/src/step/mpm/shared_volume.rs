//! Changes of volume that points of a cell share. What hardly changes its volume, or flows without a change of it, leaves four points a cell or eight no motion
//! but the whole grid's: it locks, and stands where it would flow. One change of volume a cell leaves it enough (Mast, Mackenzie-Helnwein, Arduino, Miller, Shin
//! 2012, "Mitigating kinematic locking in the material point method"; Coombs et al. 2018).
//!
//! ```text
//! tr G_p  becomes  sum_q m_q tr G_q / sum_q m_q          over the points q of the cell of p that share: those with the same nodes around them
//! p_p     becomes  m_p sum_q p_q / sum_q m_q,            p = tr(V0 tau) / 3: the transpose, so that forces still are those of an energy
//! ```
//!
//! Weighed by masses, which are the same in a step and in a balance, whatever volumes at rest come of that.

use super::blocks::{Blocks, Patch, Room};
use super::points::{Point, Points};
use crate::math::{Mat3, Vec3};

/// Room for the sums over cells: masses [kg], and what is shared times those.
pub type Means = Room<2>;

/// Puts the mean over its cell, weighed by masses, in place of the value of each point of `cloud` that shares: of those that do.
pub fn average(points: &Points, cloud: &[Point], blocks: &Blocks, means: &mut Means, values: &mut [f64]) {
    let shares = |point: &Point| points.elements[point.number as usize].shares_volume;
    // A cell is told by the first of its nodes.
    let first = |block: usize, point: &Point| blocks.by.base(&point.position).map(|base| blocks.patch_node(block, base));
    let given = &*values;
    blocks.sum(means, |block, patch: &mut Patch<2>| {
        let range = blocks.range(block);
        for (point, value) in cloud[range.clone()].iter().zip(&given[range]).filter(|(point, _)| shares(point)) {
            let Some([mass, sum]) = first(block, point).map(|first| &mut patch[first]) else { continue };
            let own = points.masses[point.number as usize];
            *mass += own;
            *sum += own * value;
        }
    });
    blocks.spread(
        &means.sums,
        |sums| *sums,
        values,
        |block, patch, values| {
            for (point, value) in cloud[blocks.range(block)].iter().zip(values).filter(|(point, _)| shares(point)) {
                let Some([mass, sum]) = first(block, point).map(|first| patch[first]) else { continue };
                *value = sum / mass;
            }
        },
    );
}

/// `tensor` with this trace.
#[inline(always)]
pub fn with_trace(tensor: &Mat3, trace: f64) -> Mat3 {
    tensor + Mat3::from_diagonal_element((trace - tensor.trace()) / 3.0)
}

/// Means of the gradients of a cell's nodes over some of its points, each with its mass [kg]; none without points.
pub fn mean_gradients<'g>(points: impl Iterator<Item = (f64, &'g [Vec3])>) -> Vec<Vec3> {
    let (mut means, mut all) = (Vec::new(), 0.0);
    for (mass, gradients) in points {
        means.resize(gradients.len(), Vec3::zeros());
        means.iter_mut().zip(gradients).for_each(|(mean, gradient)| *mean += mass * gradient);
        all += mass;
    }
    means.iter_mut().for_each(|mean| *mean /= all);
    means
}
