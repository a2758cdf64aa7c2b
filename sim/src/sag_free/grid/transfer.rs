//! Between the nodes of a grid and its points: the two loops that gradients and forces, and products with the matrix that is never made, consist of. Both are
//! the stepper's own ([`crate::step::mpm::transfer`]), block by block, so that sums are the same to the bit for any number of threads.

use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use super::{Seen, Space};
use crate::math::splines::{Weights, with_width};
use crate::math::{Mat3, Vec3};
use crate::step::mpm::blocks::{Blocks, Lanes, Patch, Room};
use crate::step::mpm::shared_volume::with_trace;
use crate::step::mpm::transfer::{Given, Linear, gather, scatter};

/// Lanes of a vector and a number that fills the line.
const FOUR: usize = 4;
/// Nodes, or points, handled by one task.
const CHUNK: usize = 2048;

/// Room for what nodes get from points, kept from one product to the next.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    fields: Vec<Lanes<FOUR>>,
    room: Room<FOUR>,
    /// A tensor for each point, in their order.
    tensors: Vec<Mat3>,
}

impl Space {
    /// What `of_point` makes of each point and the sums over its nodes of what `of_node` says of each, in their order; a light node is what the one is with
    /// which it goes.
    fn at_points<R: Send>(
        &self,
        fields: &mut Vec<Lanes<FOUR>>,
        of_node: impl Fn(usize) -> Vec3 + Sync,
        found: &mut [R],
        of_point: impl Fn(&Seen, &Linear<FOUR>) -> R + Sync,
    ) {
        fields.resize(self.along.len(), [0.0; FOUR]);
        fields.par_iter_mut().zip(&self.along).with_min_len(CHUNK).for_each(|(field, along)| {
            let value = of_node(*along as usize);
            *field = [value.x, value.y, value.z, 0.0];
        });
        let arch = pulp::Arch::new();
        let (blocks, of_point) = (&self.blocks, &of_point);
        blocks.spread(
            fields,
            |field| *field,
            found,
            |block, patch, found| {
                let points = &self.points[blocks.range(block)];
                with_width!(blocks.by.kernel, W => arch.dispatch(Gathering::<W, R, _> { points, of: (blocks, block), patch, found, of_point }));
            },
        );
    }

    /// Forces on the nodes in scaled units, over the root of each node's share of mass, of what each point gives, by its place in their order.
    fn at_nodes(&self, room: &mut Room<FOUR>, given: impl Fn(usize, &Seen) -> Linear<FOUR> + Sync, forces: &mut [Vec3]) {
        let arch = pulp::Arch::new();
        let (blocks, given) = (&self.blocks, &given);
        blocks.sum(room, |block, patch| {
            let (range, of) = (blocks.range(block), (blocks, block));
            let (points, first) = (&self.points[range.clone()], range.start);
            with_width!(blocks.by.kernel, W => arch.dispatch(Scattering::<W, _> { points, first, of, patch, given }));
        });
        let vector = |sum: &Lanes<FOUR>| Vec3::new(sum[0], sum[1], sum[2]);
        for &node in &self.light {
            let own = room.sums[node as usize];
            let with = &mut room.sums[self.along[node as usize] as usize];
            with.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        let scaled = |(force, (sum, root)): (&mut Vec3, (&Lanes<FOUR>, &f64))| {
            *force = if *root > 0.0 { vector(sum) / *root } else { Vec3::zeros() };
        };
        forces.par_iter_mut().zip(room.sums.par_iter().zip(&self.roots)).with_min_len(CHUNK).for_each(scaled);
    }

    /// What `of` makes of each point and G_p of the scaled displacements `u`, in their order.
    fn gradients(&self, exchange: &mut Exchange, u: &[Vec3], found: &mut [Mat3], of: impl Fn(&Seen, &Mat3) -> Mat3 + Sync) {
        let of_node = |node: usize| if self.roots[node] > 0.0 { u[node] / self.roots[node] } else { Vec3::zeros() };
        let shares = !self.means.is_empty();
        self.at_points(&mut exchange.fields, of_node, found, |point, seen| {
            let columns = seen.slopes.each_ref().map(|slope| Vec3::new(slope[0], slope[1], slope[2]));
            let own = Mat3::from_columns(&columns);
            if shares { own } else { of(point, &own) }
        });
        if shares {
            self.share(found, |share, trace| share * trace, |_, sum| sum);
            found.par_iter_mut().zip(&self.points).with_min_len(CHUNK).for_each(|(found, point)| *found = of(point, found));
        }
    }

    /// Puts in place of the traces of `tensors`, of points that share changes of volume in their order, what is `put` of their share and the sum over their cell of
    /// what they have `given`, of share and trace.
    fn share(&self, tensors: &mut [Mat3], given: impl Fn(f64, f64) -> f64, put: impl Fn(f64, f64) -> f64) {
        for range in self.starts.windows(2).map(|ends| ends[0]..ends[1]) {
            let sharing = || self.points[range.clone()].iter().map(|point| point.share);
            let tensors = &mut tensors[range.clone()];
            let sum: f64 =
                sharing().zip(&*tensors).filter(|(share, _)| *share > 0.0).map(|(share, tensor)| given(share, tensor.trace())).sum();
            for (share, tensor) in sharing().zip(tensors).filter(|(share, _)| *share > 0.0) {
                *tensor = with_trace(tensor, put(share, sum));
            }
        }
    }

    /// What tensors [J] do to the nodes, in scaled units: sum_p T_p g_ip [N], `tensor` being that of a point by its place in their order.
    fn pulls(&self, room: &mut Room<FOUR>, tensor: impl Fn(usize, &Seen) -> Mat3 + Sync, forces: &mut [Vec3]) {
        let mut shared: Vec<Mat3> = Vec::new();
        if !self.means.is_empty() {
            self.points.par_iter().enumerate().map(|(place, point)| tensor(place, point)).collect_into_vec(&mut shared);
            self.share(&mut shared, |_, trace| trace, |share, sum| share * sum);
        }
        let given = |place: usize, point: &Seen| {
            let pull = shared.get(place).copied().unwrap_or_else(|| tensor(place, point));
            let slope = |axis: usize| [pull[(0, axis)], pull[(1, axis)], pull[(2, axis)], 0.0];
            Linear { value: [0.0; FOUR], slopes: [slope(0), slope(1), slope(2)] }
        };
        self.at_nodes(room, given, forces);
    }

    /// Forces on points [N], by their numbers, as those on nodes in scaled units, those in directions among them in which walls bind nodes.
    pub(super) fn gathered(&self, loads: &[Vec3]) -> Vec<Vec3> {
        let mut forces = vec![Vec3::zeros(); self.roots.len()];
        let given = |_, point: &Seen| {
            let load = &loads[point.number as usize];
            Linear { value: [load.x, load.y, load.z, 0.0], slopes: [[0.0; FOUR]; 3] }
        };
        self.at_nodes(&mut Room::default(), given, &mut forces);
        forces
    }

    /// Takes the forces of `stresses` [Pa], in the order of the points, off scaled `forces` [N].
    pub(super) fn take_stresses(&self, exchange: &mut Exchange, stresses: &[Mat3], forces: &mut [Vec3]) {
        let mut pulls = vec![Vec3::zeros(); forces.len()];
        self.pulls(&mut exchange.room, |place, point| point.volume * stresses[place], &mut pulls);
        forces.iter_mut().zip(&pulls).for_each(|(force, pull)| *force -= pull);
    }

    /// Adds the stresses of the scaled dual `u` times `factor` [Pa], of what is elastic.
    pub(super) fn add_stresses(&self, exchange: &mut Exchange, u: &[Vec3], factor: f64, stresses: &mut [Mat3]) {
        let mut tensors = std::mem::take(&mut exchange.tensors);
        tensors.resize(self.points.len(), Mat3::zeros());
        self.gradients(exchange, u, &mut tensors, Seen::stress);
        stresses.iter_mut().zip(&tensors).for_each(|(stress, own)| *stress += factor * own);
        exchange.tensors = tensors;
    }

    /// K u of what is elastic, in scaled unknowns, times `scale`.
    pub(super) fn multiply(&self, exchange: &mut Exchange, u: &[Vec3], product: &mut [Vec3]) {
        let mut tensors = std::mem::take(&mut exchange.tensors);
        tensors.resize(self.points.len(), Mat3::zeros());
        self.gradients(exchange, u, &mut tensors, |point, gradient| self.scale * point.volume * point.stress(gradient));
        self.pulls(&mut exchange.room, |place, _| tensors[place], product);
        exchange.tensors = tensors;
    }

    /// The blocks of K on the diagonal, in the same units; of a light node's part with the one with which it goes its own block alone.
    pub(super) fn diagonal(&self) -> Vec<Mat3> {
        const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1)];
        let mut room: Room<6> = Room::default();
        self.blocks.sum(&mut room, |block, patch: &mut Patch<6>| {
            for point in &self.points[self.blocks.range(block)] {
                let (volume, lame) = (self.scale * point.volume, point.lame);
                self.blocks.by.for_each(&point.x, |cell, _, g, _| {
                    let node = &mut patch[self.blocks.patch_node(block, cell)];
                    for (sum, (i, j)) in node.iter_mut().zip(ENTRIES) {
                        let isotropic = if i == j { lame.mu * g.norm_squared() } else { 0.0 };
                        *sum += volume * (isotropic + (lame.mu + lame.lambda) * g[i] * g[j]);
                    }
                });
            }
        });
        for &node in &self.light {
            let own = room.sums[node as usize];
            let with = &mut room.sums[self.along[node as usize] as usize];
            with.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        let of_node = |(s, root): (&Lanes<6>, &f64)| match *root > 0.0 {
            true => Mat3::new(s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2]) / (root * root),
            false => Mat3::zeros(),
        };
        room.sums.iter().zip(&self.roots).map(of_node).collect()
    }

    /// What scaled `forces` [N] that are out of balance do to points, by their order: accelerations [m/s^2].
    pub(super) fn accelerations(&self, forces: &[Vec3]) -> Vec<Vec3> {
        let of_node = |node: usize| {
            let root = self.roots[node];
            if root > 0.0 { forces[node] * root / self.masses[node] } else { Vec3::zeros() }
        };
        let mut found = vec![Vec3::zeros(); self.points.len()];
        self.at_points(&mut Vec::new(), of_node, &mut found, |_, seen| Vec3::new(seen.value[0], seen.value[1], seen.value[2]));
        found
    }
}

/// What the points of a block find in its patch.
struct Gathering<'g, const W: usize, R, F> {
    points: &'g [Seen],
    of: (&'g Blocks, usize),
    patch: &'g Patch<FOUR>,
    found: &'g mut [R],
    of_point: &'g F,
}

impl<const W: usize, R, F: Fn(&Seen, &Linear<FOUR>) -> R> WithSimd for Gathering<'_, W, R, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { points, of: (blocks, block), patch, found, of_point } = self;
        for (point, found) in points.iter().zip(found) {
            let Some(weights) = Weights::<W>::of(&point.x, &blocks.by) else { continue };
            *found = of_point(point, &gather(&weights, &weights.slopes, blocks.patch_node(block, weights.base), patch));
        }
    }
}

/// What the points of a block give to its patch; the first has this place in their order.
struct Scattering<'g, const W: usize, F> {
    points: &'g [Seen],
    first: usize,
    of: (&'g Blocks, usize),
    patch: &'g mut Patch<FOUR>,
    given: &'g F,
}

impl<const W: usize, F: Fn(usize, &Seen) -> Linear<FOUR>> WithSimd for Scattering<'_, W, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { points, first, of: (blocks, block), patch, given } = self;
        for (place, point) in (first..).zip(points) {
            let Some(weights) = Weights::<W>::of(&point.x, &blocks.by) else { continue };
            scatter(
                &weights,
                blocks.patch_node(block, weights.base),
                &Given::new(&given(place, point), &weights.steepness(&blocks.by)),
                patch,
            );
        }
    }
}
