//! Strands as wholes. One element after the other, what pulls at the root of a strand is seen by its tip after as many sweeps as it has
//! segments, and moments that turn with their frames are explicit: curls and strands that reach out are lost. But the nodes of a strand are a
//! line, so that the minimum of
//!
//! ```text
//! sum m / (2 h^2) |x - y|^2 + energy of its elements, y: where its nodes were if they bore nothing
//! ```
//!
//! is found by Newton's method with a banded matrix, in a time that grows with the number of its nodes (as Deul et al. 2018, "Direct
//! Position-Based Solver for Stiff Rods", who leave out how directions turn). What contacts and other constraints do to its
//! nodes between two sweeps moves y as far. A balance needs no multipliers: where it is, the first iteration has nothing to do.

mod band;
mod order;
mod strand;

use rayon::prelude::*;

use self::strand::{At, Strand};
use super::constraints::Projections;
use super::mobility::Mobility;
use crate::math::Vec3;

/// All strands of a system.
#[derive(Debug, Default)]
pub struct Strands {
    strands: Vec<Strand>,
}

/// What a part of a step goes by.
#[derive(Clone, Copy)]
pub struct Part<'s> {
    /// The families as constraints.
    pub families: &'s Projections<'s>,
    /// Inverse masses.
    pub mobility: &'s Mobility,
    /// Where it starts [m].
    pub start: &'s [Vec3],
    /// How fast [m/s].
    pub velocities: &'s [Vec3],
    /// Its size [s].
    pub size: f64,
}

/// Which families are solved as wholes.
pub fn families(projections: &Projections) -> Vec<bool> {
    projections.iter().map(|family| family.is_some_and(|family| family.is_of_strands())).collect()
}

impl Strands {
    /// Those of `families`, of so many nodes.
    pub fn of(projections: &Projections, count: usize) -> Self {
        let of_strands = projections.iter().enumerate().filter_map(|(f, family)| Some((f, (*family)?)));
        let of_strands: Vec<_> = of_strands.filter(|(_, family)| family.is_of_strands()).collect();
        Self { strands: order::strands(&of_strands, count).into_iter().map(Strand::new).collect() }
    }

    /// A part begins: `x` [m] is where nodes are under all that is no strand.
    pub fn begin(&mut self, part: &Part, x: &mut [Vec3]) {
        self.each(x, |strand, x| strand.begin(part, x));
    }

    /// Each to its least energy.
    pub fn project(&mut self, part: &Part, x: &mut [Vec3]) {
        self.each(x, |strand, x| {
            strand.follow(x);
            strand.solve(part);
        });
    }

    /// What damping took in the part [J].
    pub fn dissipated(&self, part: &Part) -> f64 {
        self.strands.iter().map(|strand| strand.dissipated(part)).sum()
    }

    /// `change` of every strand, and then its places in `x`. No strand sees another, so that it is the same for any number of threads.
    fn each(&mut self, x: &mut [Vec3], change: impl Fn(&mut Strand, &[Vec3]) + Sync) {
        let seen = &*x;
        self.strands.par_iter_mut().for_each(|strand| change(strand, seen));
        self.strands.iter().for_each(|strand| strand.at().for_each(|At { node, place }| x[node as usize] = place));
    }
}
