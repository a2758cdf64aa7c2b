//! What happens to the velocities of a fluid after its places are found: the viscosity of XSPH (Schechter, Bridson 2012, "Ghost SPH for
//! Animating Water", as Macklin, Muller 2013, eq. 17) and vorticity confinement (eq. 15, 16).

use rayon::prelude::*;

use super::density::Density;
use crate::math::Vec3;

/// Shares and strengths by the caller's numbers of particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stirring {
    /// c of XSPH.
    pub xsph: f64,
    /// epsilon of vorticity confinement [m/s].
    pub vorticity: f64,
}

/// What the pass keeps between steps.
#[derive(Debug, Default)]
pub struct Pass {
    before: Vec<Vec3>,
    changes: Vec<Vec3>,
    spins: Vec<Vec3>,
}

impl Pass {
    /// Changes the velocities `v` [m/s] of nodes that are at `x` [m] after a part of `part` [s], and returns what kinetic energy XSPH took [J].
    ///
    /// What two particles give one another by XSPH weighs the harmonic mean of their masses, so that momentum stays; confinement of vorticity
    /// drives the fluid, and leaves no momentum.
    pub fn run(&mut self, fluid: &Density, stirring: &[Stirring], x: &[Vec3], v: &mut [Vec3], part: f64) -> f64 {
        let count = fluid.near.order.len();
        let particle = |at: usize| &fluid.of_particles[fluid.near.order[at] as usize];
        let stirs = |at: usize| stirring[fluid.near.order[at] as usize];
        let node = |at: usize| particle(at).node as usize;
        let inverse = |at: usize| fluid.mobility.inverse(node(at) as u32);
        let Self { before, changes, spins } = self;
        let mut taken = 0.0;
        if stirring.iter().any(|stirs| stirs.xsph > 0.0) {
            before.clear();
            before.extend((0..count).map(|at| v[node(at)]));
            let of = |at: usize| {
                let (own, c) = (x[node(at)], stirs(at).xsph);
                let mut sum = Vec3::zeros();
                for &other in fluid.near.of(at) {
                    let other = other as usize;
                    let weight = fluid.kernel.plain((own - x[node(other)]).norm_squared());
                    let (mine, its) = (inverse(at), inverse(other));
                    if weight > 0.0 && mine + its > 0.0 {
                        let share = (c + stirs(other).xsph) * mine / (mine + its);
                        sum += share * fluid.share * weight * (before[other] - before[at]);
                    }
                }
                sum
            };
            (0..count).into_par_iter().map(of).collect_into_vec(changes);
            for (at, change) in changes.iter().enumerate().filter(|(at, _)| inverse(*at) > 0.0) {
                let after = before[at] + change;
                taken += 0.5 / inverse(at) * (before[at].norm_squared() - after.norm_squared());
                v[node(at)] = after;
            }
        }
        if stirring.iter().any(|stirs| stirs.vorticity > 0.0) {
            let spin = |at: usize| {
                let own = node(at);
                let near = fluid.near.of(at).iter().map(|&other| node(other as usize));
                let turn = |other: usize| (v[other] - v[own]).cross(&-fluid.kernel.gradient(&(x[own] - x[other])));
                fluid.share * near.map(turn).sum::<Vec3>()
            };
            (0..count).into_par_iter().map(spin).collect_into_vec(spins);
            let push = |at: usize| {
                let own = node(at);
                let rise = |&other: &u32| {
                    (spins[other as usize].norm() - spins[at].norm()) * fluid.kernel.gradient(&(x[own] - x[node(other as usize)]))
                };
                let towards = fluid.share * fluid.near.of(at).iter().map(rise).sum::<Vec3>();
                let along = towards.try_normalize(SMALLEST * spins[at].norm() / fluid.kernel.radius).unwrap_or_default();
                part * stirs(at).vorticity * along.cross(&spins[at])
            };
            (0..count).into_par_iter().map(push).collect_into_vec(changes);
            for (at, change) in changes.iter().enumerate().filter(|(at, _)| inverse(*at) > 0.0) {
                v[node(at)] += change;
            }
        }
        taken
    }
}

/// Change of the vorticity over the radius of the kernel, as a share of it, from which on it has a direction: below is round-off.
const SMALLEST: f64 = 1e-9;
