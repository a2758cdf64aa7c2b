//! The constraint of each particle, C = density / rest density - 1, which may be below 0 but not above (Macklin, Muller 2013, "Position Based
//! Fluids", eq. 1), with its gradients by all particles near it.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::kernel::Kernel;
use super::neighbours::Neighbours;
use crate::element::Mobility;
use crate::math::Vec3;

/// Cells of a colour from which on many threads project them.
const MANY: usize = 16;

/// A number that threads share which never use it at once: those of cells of one colour touch different particles. Each load and store is
/// as fast as an ordinary one.
#[derive(Debug, Default)]
pub struct Shared(AtomicU64);

impl Shared {
    /// Its value.
    #[inline]
    pub fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Puts a value in its place.
    #[inline]
    pub fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }
}

/// A place that threads share.
pub type Place = [Shared; 3];

#[inline]
fn get(place: &Place) -> Vec3 {
    Vec3::new(place[0].get(), place[1].get(), place[2].get())
}

#[inline]
fn set(place: &Place, x: &Vec3) {
    place.iter().zip(x.iter()).for_each(|(shared, c)| shared.set(*c));
}

/// What a fluid of particles is projected by. Particles are counted as the lists of neighbours count them, but in `of_particles`.
pub struct Density<'f> {
    /// How much of a particle is at a distance.
    pub kernel: &'f Kernel,
    /// What a sum of kernels is multiplied with, and what is added, for the density over that of the lattice at rest [m^3]: 1 in the lattice,
    /// and as much more as it is compressed, to first order.
    pub share: f64,
    /// See `share`.
    pub offset: f64,
    /// Who is near whom.
    pub near: &'f Neighbours,
    /// What each particle is, by the caller's numbers.
    pub of_particles: &'f [Particle],
    /// Inverse masses of nodes.
    pub mobility: &'f Mobility,
}

/// What a particle is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Particle {
    /// Its node.
    pub node: u32,
    /// alpha of its constraint, whose energy is C^2 / (2 alpha) [1/J].
    pub compliance: f64,
    /// Density at which it is at rest, over that of its lattice: 1, or what was frozen.
    pub rest: f64,
    /// What it carries in the balance: p times its volume [J], never negative.
    pub carried: f64,
}

/// Strength of the constraints in a part of a step.
#[derive(Debug, Clone, Copy)]
pub struct Strength {
    /// Length of the part, squared [s^2].
    pub square: f64,
    /// Share of its error that a constraint takes back whatever its compliance; none where that counts.
    pub share: Option<f64>,
}

impl Density<'_> {
    fn particle(&self, at: usize) -> &Particle {
        &self.of_particles[self.near.order[at] as usize]
    }

    /// Density of particle `at` over that of its lattice.
    pub fn density(&self, at: usize, x: &impl Fn(usize) -> Vec3) -> f64 {
        let own = x(at);
        let mut sum = self.kernel.own();
        for (view, others) in self.near.views(at) {
            let from = view.linear * own + view.offset;
            sum += others.iter().map(|&other| self.kernel.weight((from - x(other as usize)).norm_squared())).sum::<f64>();
        }
        self.offset + self.share * sum
    }

    /// Calls `give` with each particle whose place the constraint of `at` depends on, and its gradient there [1/m]; of particle `at` itself the
    /// last. Those that are seen by several views come several times.
    #[inline]
    pub fn gradients(&self, at: usize, x: &impl Fn(usize) -> Vec3, give: &mut impl FnMut(usize, &Vec3)) {
        let own = x(at);
        let factor = self.share / self.particle(at).rest;
        let mut of_own = Vec3::zeros();
        for (view, others) in self.near.views(at) {
            let from = view.linear * own + view.offset;
            let mut sum = Vec3::zeros();
            for &other in others {
                let gradient = factor * self.kernel.gradient(&(from - x(other as usize)));
                sum += gradient;
                if other as usize == at {
                    of_own -= gradient;
                } else {
                    give(other as usize, &-gradient);
                }
            }
            of_own += view.linear.tr_mul(&sum);
        }
        give(at, &of_own);
    }

    /// Projects the constraint of `at`: its multiplier and the places go on from what they are.
    fn project(&self, at: usize, strength: &Strength, x: &[Place], multipliers: &[Shared]) {
        let place = |at: usize| get(&x[at]);
        let Particle { compliance, rest, carried, .. } = *self.particle(at);
        let before = multipliers[at].get();
        let c = self.density(at, &place) / rest - 1.0;
        if c <= 0.0 && before >= 0.0 {
            return;
        }
        let mut stiff = 0.0;
        self.gradients(at, &place, &mut |k, gradient| {
            stiff += gradient.dot(&self.mobility.moved(self.particle(k).node, gradient));
        });
        if stiff <= 0.0 {
            return;
        }
        let change = match strength.share {
            None => {
                let soft = compliance / strength.square;
                -(c + soft * before) / (stiff + soft)
            }
            // What takes back a share of its error is at rest where it has none.
            Some(share) => -share * (c - compliance * carried) / stiff,
        };
        // It may push only.
        let after = (before + change).min(0.0);
        if after == before {
            return;
        }
        multipliers[at].set(after);
        let change = after - before;
        self.gradients(at, &place, &mut |k, gradient| {
            let moved = get(&x[k]) + self.mobility.moved(self.particle(k).node, &(change * gradient));
            set(&x[k], &moved);
        });
    }

    /// Projects every constraint once, one after the other by cells of one colour. The same to the bit for any number of threads.
    pub fn sweep(&self, strength: &Strength, x: &[Place], multipliers: &[Shared]) {
        for cells in self.near.colours() {
            let of_cell = |cell: &u32| self.near.cell(*cell).for_each(|at| self.project(at, strength, x, multipliers));
            if cells.len() >= MANY { cells.par_iter().for_each(of_cell) } else { cells.iter().for_each(of_cell) }
        }
    }

    /// Adds to `sums` for each particle `at` what multipliers make at `x`: the sum of multipliers times gradients, taken by its own place.
    ///
    /// A pair is seen from both sides, so that each particle can sum up by itself what it is moved by; walls that are not flat are taken as
    /// the particle sees them.
    pub fn gather(&self, x: &(impl Fn(usize) -> Vec3 + Sync), multiplier: &(impl Fn(usize) -> f64 + Sync), sums: &mut Vec<Vec3>) {
        let over_rest = |at: usize| multiplier(at) / self.particle(at).rest;
        let of = |at: usize| {
            let (own, mine) = (x(at), over_rest(at));
            let mut sum = Vec3::zeros();
            for (view, others) in self.near.views(at) {
                let from = view.linear * own + view.offset;
                let mut by_view = Vec3::zeros();
                for &other in others {
                    let both = mine + over_rest(other as usize);
                    if both != 0.0 {
                        by_view += both * self.kernel.gradient(&(from - x(other as usize)));
                    }
                }
                sum += view.linear.tr_mul(&by_view);
            }
            self.share * sum
        };
        (0..self.near.order.len()).into_par_iter().map(of).collect_into_vec(sums);
    }

    /// Writes for each particle the work of forces [N], one a particle, along the gradient of minus its constraint: the transposed of what
    /// [`Density::gather`] makes of minus its multipliers.
    pub fn work(&self, x: &(impl Fn(usize) -> Vec3 + Sync), forces: &[Vec3], work: &mut Vec<f64>) {
        let of = |at: usize| {
            let mut sum = 0.0;
            self.gradients(at, x, &mut |k, gradient| sum -= gradient.dot(&forces[k]));
            sum
        };
        (0..self.near.order.len()).into_par_iter().map(of).collect_into_vec(work);
    }
}

/// Puts places into cells that threads share.
pub fn share_places(places: &mut Vec<Place>, order: &[u32], x: impl Fn(usize) -> Vec3) {
    places.resize_with(order.len(), Place::default);
    places.iter().zip(order).for_each(|(place, &i)| set(place, &x(i as usize)));
}

/// The place in a shared cell.
pub fn place_of(place: &Place) -> Vec3 {
    get(place)
}
