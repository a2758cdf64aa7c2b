//! [`Cloud`]: the material points of a state, and their way to the grid and back.
//!
//! ```text
//! m_i  = sum_p w_ip m_p                        m_i v_i = sum_p w_ip m_p (v_p + C_p d_ip)      (C by `mls` and `apic` alone)
//! f_i  = -sum_p V0_p tau_p g_ip                (tau: Kirchhoff stress)
//! v_i' = v_i + h (f_i / m_i + g)               and what walls leave of that
//! F <- (I + h sum_i v_i' g_ip^T) F, and back to where it yields,   C_p = D_p^-1 sum_i w_ip v_i' d_ip^T,   x_p <- x_p + h sum_i w_ip v_i'
//! ```
//!
//! with d_ip from the point to the node and g_ip the gradient of its weight: D_p^-1 w_ip d_ip by `mls` (Hu et al. 2018, eq. 18), so that C serves F as well, and
//! grad w_ip by the others (Jiang et al. 2016). One gradient serves forces, deformations and the balance, so that what is in balance stays.

use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use super::blocks::{Blocks, Lanes, Patch, Room};
use super::light::{Light, Steepness, light, steepen};
use super::shared_volume::{self, Means};
use super::transfer::{Given, Linear, gather, scatter};
use super::walls::{Touch, resolved};
use crate::element::MaterialPoint;
use crate::math::splines::{self, Interpolation, Weights, with_width};
use crate::math::{Mat3, Vec3};
use crate::scene::{GridSettings, Transfer};
use crate::step::{PointState, State};
use crate::system::System;

/// A material point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Its number among the elements.
    pub number: u32,
    /// Place [m].
    pub position: Vec3,
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// F - I.
    pub gradient: Mat3,
    /// C: how the velocity changes around it [1/s], which nodes are told where the transfer [keeps](Transfer::keeps_rates) it.
    pub affine: Mat3,
    /// What its law remembers beside its deformation: of grains the logarithm of the volume that they have gained past the tip of their yield surface, of a
    /// liquid that keeps a deviator how far it has sheared.
    pub memory: f64,
}

/// Material points, by their own numbers or in the order of [`Blocks`].
pub type Cloud = Vec<Point>;

/// Lanes of a vector and a number.
const FOUR: usize = 4;
/// The same twice.
const EIGHT: usize = 8;

/// A node of the grid in a part of a step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Node {
    /// Mass [kg]; 0 where no point is near, and of a light node, whose mass goes with another.
    pub mass: f64,
    /// Velocity that the points bring [m/s].
    pub before: Vec3,
    /// Velocity at the end of the part [m/s].
    pub after: Vec3,
    /// What walls have changed of that [m/s].
    pub pushed: Vec3,
}

/// The grid in a part of a step, with room for the next.
#[derive(Debug, Default)]
pub struct Grid {
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// What points give: mass [kg] and the momentum at the end of the part [kg m/s].
    ends: Room<FOUR>,
    /// Mass, momentum at the start, force [N], and a number that fills the line.
    starts: Room<EIGHT>,
    masses: Vec<f64>,
    steepness: Steepness,
    /// Of points that share changes of volume.
    shared: Shared,
}

/// What points that share changes of volume do, with all others beside them, in their order.
#[derive(Debug, Default)]
struct Shared {
    means: Means,
    /// V0 tau [J].
    stresses: Vec<Mat3>,
    /// What shared: a third of the trace of that over the mass, or the rate at which volume grows [1/s].
    values: Vec<f64>,
}

/// Where points are at the end of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whereabouts {
    /// All near their blocks.
    Held,
    /// One has gone too far from its block: they are to be sorted.
    Left,
    /// One is nowhere, or its det F is not positive: by its number.
    Lost(usize),
}

/// What is the same in all parts of a step.
pub struct Points<'a> {
    /// The elements.
    pub elements: &'a [MaterialPoint],
    /// The node of the system that each is.
    pub nodes: &'a [[u32; 1]],
    /// Masses [kg].
    pub masses: Vec<f64>,
    /// The settings of the grid.
    pub settings: GridSettings,
    /// Acceleration of gravity [m/s^2].
    pub gravity: Vec3,
    /// Whether some of them share changes of volume.
    shares_volume: bool,
}

/// Sorts `cloud` by the blocks that its points lie in, in such a grid: the same for all clouds of the same points.
///
/// # Errors
/// The number of a point that is nowhere, or too far out for its cell to be numbered.
pub fn sort(cloud: &mut Cloud, by: Interpolation) -> Result<Blocks, usize> {
    let mut of_number = vec![0; cloud.len()];
    (0..).zip(&*cloud).for_each(|(at, point): (u32, _)| of_number[point.number as usize] = at);
    let positions: Vec<Vec3> = of_number.iter().map(|&at| cloud[at as usize].position).collect();
    let blocks = Blocks::of(&positions, by)?;
    permute(cloud, blocks.order().iter().map(|&number| of_number[number as usize]).collect());
    Ok(blocks)
}

/// Puts at each place what was at `from` there, cycle by cycle: a second cloud would take as much room again.
fn permute(cloud: &mut [Point], mut from: Vec<u32>) {
    for start in 0..cloud.len() {
        let (first, mut at) = (cloud[start], start);
        loop {
            let next = std::mem::replace(&mut from[at], at as u32) as usize;
            if next == start {
                break;
            }
            cloud[at] = cloud[next];
            at = next;
        }
        cloud[at] = first;
    }
}

impl<'a> Points<'a> {
    /// The material points of `system`; none where it has none.
    pub fn of(system: &'a System) -> Option<Self> {
        let family = system.points()?;
        let nodes = family.connectivity();
        let masses = nodes.iter().map(|[node]| system.masses[*node as usize]).collect();
        Some(Self::new(&family.elements, nodes, masses, system.simulate.grid, system.gravity))
    }

    /// Points of these elements, each at its node, with these masses [kg], in a grid with these settings and under this gravity [m/s^2].
    pub fn new(elements: &'a [MaterialPoint], nodes: &'a [[u32; 1]], masses: Vec<f64>, settings: GridSettings, gravity: Vec3) -> Self {
        let shares_volume = elements.iter().any(|element| element.shares_volume);
        Self { elements, nodes, masses, settings, gravity, shares_volume }
    }

    /// Their part of `state`, by their numbers.
    pub fn cloud(&self, state: &State) -> Cloud {
        let PointState { deformations, affine, memory, .. } = &state.points;
        let of = |list: &[Mat3], p: usize| list.get(p).copied().unwrap_or_else(Mat3::zeros);
        let point = |(p, [node]): (usize, &[u32; 1])| Point {
            number: p as u32,
            position: state.positions[*node as usize],
            velocity: state.velocities[*node as usize],
            gradient: of(deformations, p),
            affine: of(affine, p),
            memory: memory.get(p).copied().unwrap_or(0.0),
        };
        self.nodes.iter().enumerate().map(point).collect()
    }

    /// Puts places and velocities of `cloud` into those of the system's nodes.
    pub fn put(&self, cloud: &Cloud, positions: &mut [Vec3], velocities: &mut [Vec3]) {
        for point in cloud {
            let [node] = self.nodes[point.number as usize];
            (positions[node as usize], velocities[node as usize]) = (point.position, point.velocity);
        }
    }

    /// Keeps in `state` what it knows of points beside places and velocities.
    pub fn remember(&self, cloud: &Cloud, state: &mut PointState) {
        state.deformations.resize(cloud.len(), Mat3::zeros());
        state.affine.resize(cloud.len(), Mat3::zeros());
        state.memory.resize(cloud.len(), 0.0);
        for point in cloud {
            let p = point.number as usize;
            (state.deformations[p], state.affine[p], state.memory[p]) = (point.gradient, point.affine, point.memory);
        }
    }

    /// V0 tau of a point, with what is viscous and kept [J].
    #[inline(always)]
    fn stress(&self, point: &Point) -> Mat3 {
        let element = &self.elements[point.number as usize];
        let mut tau = element.kirchhoff(&point.gradient);
        if element.viscosity > 0.0 {
            tau += element.viscous(&point.gradient, &point.affine);
        }
        element.rest_volume * tau + element.holds(point.memory)
    }

    /// V0 tau of all points of `cloud`, where some share changes of volume: of those with the mean of their cell; else none.
    fn shared_stresses<'s>(&self, cloud: &Cloud, blocks: &Blocks, shared: &'s mut Shared) -> &'s [Mat3] {
        let Shared { means, stresses, values } = shared;
        stresses.clear();
        if !self.shares_volume {
            return stresses;
        }
        let mass = |point: &Point| self.masses[point.number as usize];
        cloud.par_iter().map(|point| self.stress(point)).collect_into_vec(stresses);
        let over_mass = |(point, stress): (&Point, &Mat3)| stress.trace() / (3.0 * mass(point));
        cloud.par_iter().zip(&*stresses).map(over_mass).collect_into_vec(values);
        shared_volume::average(self, cloud, blocks, means, values);
        for ((point, stress), mean) in cloud.iter().zip(&mut *stresses).zip(values) {
            if self.elements[point.number as usize].shares_volume {
                *stress = shared_volume::with_trace(stress, 3.0 * mass(point) * *mean);
            }
        }
        stresses
    }

    /// What a point of this V0 tau [J] gives to the nodes around it: in eight lanes as in [`Grid::starts`], in four as in [`Grid::ends`]. `push`: force on it
    /// beside gravity [N].
    #[inline(always)]
    fn given<const W: usize, const N: usize>(
        &self,
        (point, stress): (&Point, &Mat3),
        weights: &Weights<W>,
        (by, part): (&Interpolation, f64),
        push: &Vec3,
    ) -> Given<W, N> {
        let mass = self.masses[point.number as usize];
        let (force, momentum) = (-stress, mass * point.velocity);
        let keeps_rates = self.settings.transfer.keeps_rates();
        // C d_ip w_ip, as what is to be multiplied with the gradient, where that can be had.
        let moments = weights.moments(by);
        let affine = match moments {
            Some(moments) if keeps_rates => mass * Mat3::from_fn(|row, axis| point.affine[(row, axis)] * moments[axis]),
            _ => Mat3::zeros(),
        };
        let mut given = Linear { value: [0.0; N], slopes: [[0.0; N]; 3] };
        given.value[0] = mass;
        for row in 0..3 {
            given.value[1 + row] = if N == EIGHT { momentum[row] } else { momentum[row] + part * push[row] };
            for axis in 0..3 {
                let (m, f) = (affine[(row, axis)], force[(row, axis)]);
                given.slopes[axis][1 + row] = if N == EIGHT { m } else { m + part * f };
                if N == EIGHT {
                    given.slopes[axis][FOUR + row] = f;
                }
            }
            if N == EIGHT {
                given.value[FOUR + row] = push[row];
            }
        }
        let given_by_gradients = Given::new(&given, &weights.steepness(by));
        if moments.is_some() || !keeps_rates {
            return given_by_gradients;
        }
        let rates = [0, 1, 2].map(|axis| {
            let mut slope = [0.0; N];
            (0..3).for_each(|row| slope[1 + row] = mass * point.affine[(row, axis)]);
            slope
        });
        given_by_gradients.and(&rates, &weights.away)
    }

    /// Makes `grid` of a part of `part` [s] that begins at `cloud`, which is sorted by `blocks`. `extra`: forces on the points beside gravity [N], by
    /// their numbers, or none. Nodes know what was before where `compares`, or where points keep of their own velocities.
    pub fn take(&self, cloud: &Cloud, blocks: &Blocks, touches: &[Touch], part: f64, (extra, compares): (&[Vec3], bool), grid: &mut Grid) {
        let Grid { nodes, ends, starts, masses, steepness, shared } = grid;
        let stresses = self.shared_stresses(cloud, blocks, shared);
        steepen(blocks, (cloud.len(), &|at| (cloud[at].number as usize, cloud[at].position)), &self.masses, steepness);
        let fall = part * self.gravity;
        if compares || self.settings.transfer == Transfer::Flip {
            let node = |mass: f64, given: &[f64; EIGHT]| {
                let [before, force] = [&given[1..FOUR], &given[FOUR..]].map(|given| vector(given) / mass);
                Node { mass, before, after: before + (part * force + fall), pushed: Vec3::zeros() }
            };
            self.take_into(starts, node, (cloud, blocks, touches), (part, extra, stresses), nodes, (masses, &steepness.sums));
        } else {
            let node = |mass: f64, given: &[f64; FOUR]| {
                let after = vector(&given[1..]) / mass + fall;
                Node { mass, before: Vec3::repeat(f64::NAN), after, pushed: Vec3::zeros() }
            };
            self.take_into(ends, node, (cloud, blocks, touches), (part, extra, stresses), nodes, (masses, &steepness.sums));
        }
    }

    /// The same, of what is given in so many lanes, of which `node` is made with its mass.
    fn take_into<const N: usize>(
        &self,
        room: &mut Room<N>,
        node: impl Fn(f64, &Lanes<N>) -> Node + Sync,
        (cloud, blocks, touches): (&Cloud, &Blocks, &[Touch]),
        (part, extra, stresses): (f64, &[Vec3], &[Mat3]),
        nodes: &mut Vec<Node>,
        (masses, steepness): (&mut Vec<f64>, &[[f64; 2]]),
    ) {
        // With the widest registers of the processor, and the same sums.
        let arch = pulp::Arch::new();
        blocks.sum(room, |block, patch| {
            let (cloud, stresses) = (&cloud[blocks.range(block)], stresses.get(blocks.range(block)).unwrap_or_default());
            let (points, of) = ((self, cloud, stresses), (blocks, block));
            with_width!(blocks.by.kernel, W => arch.dispatch(Giving::<W, N> { points, of, part, extra, patch }));
        });
        let given = &mut room.sums;
        given.par_iter().map(|given| given[0]).collect_into_vec(masses);
        let light = light(blocks, masses, steepness);
        for Light { node, with } in &light {
            let along = given[*node as usize];
            given[*with as usize].iter_mut().zip(along).for_each(|(sum, own)| *sum += own);
        }
        given.par_iter().map(|given| if given[0] == 0.0 { Node::default() } else { node(given[0], given) }).collect_into_vec(nodes);
        for touches in touches.chunk_by(|a, b| a.node == b.node) {
            let Some(node) = touches.first().map(|touch| &mut nodes[touch.node as usize]) else { continue };
            let after = resolved(&node.after, touches);
            (node.pushed, node.after) = (after - node.after, after);
        }
        light.iter().for_each(|Light { node, with }| nodes[*node as usize] = Node { mass: 0.0, ..nodes[*with as usize] });
    }

    /// Moves `cloud` to the end of the part of `part` [s] that made `grid` of it.
    pub fn give_back(&self, cloud: &mut Cloud, blocks: &Blocks, grid: &mut Grid, part: f64) -> Whereabouts {
        let Grid { nodes, shared, .. } = grid;
        let growths = self.shared_growths(cloud, (blocks, nodes), shared);
        let after = |node: &Node| [node.after.x, node.after.y, node.after.z, 0.0];
        let both = |node: &Node| {
            let [a, b] = [node.after, node.before];
            [a.x, a.y, a.z, 0.0, b.x, b.y, b.z, 0.0]
        };
        let arch = pulp::Arch::new();
        let of_block = |block: usize| (self, growths.get(blocks.range(block)).unwrap_or_default());
        let each = match self.settings.transfer {
            Transfer::Mls | Transfer::Apic | Transfer::Pic => blocks.spread(nodes, after, cloud, |block, patch, cloud: &mut [Point]| {
                with_width!(blocks.by.kernel, W => arch.dispatch(Moving::<W, FOUR> { points: of_block(block), cloud, of: (blocks, block), part, patch }))
            }),
            Transfer::Flip => blocks.spread(nodes, both, cloud, |block, patch, cloud: &mut [Point]| {
                with_width!(blocks.by.kernel, W => arch.dispatch(Moving::<W, EIGHT> { points: of_block(block), cloud, of: (blocks, block), part, patch }))
            }),
        };
        let worse = |worst: Whereabouts, own: Whereabouts| match (worst, own) {
            (Whereabouts::Lost(a), Whereabouts::Lost(b)) => Whereabouts::Lost(a.min(b)),
            (lost @ Whereabouts::Lost(_), _) | (_, lost @ Whereabouts::Lost(_)) => lost,
            (Whereabouts::Held, own) => own,
            (Whereabouts::Left, _) => worst,
        };
        each.into_iter().fold(Whereabouts::Held, worse)
    }

    /// Rates at which the volumes of all points of `cloud` grow at the end of the part [1/s], where some share changes of volume: of those the mean of their
    /// cell; else none.
    fn shared_growths<'s>(&self, cloud: &Cloud, (blocks, nodes): (&Blocks, &[Node]), shared: &'s mut Shared) -> &'s [f64] {
        let Shared { means, values, .. } = shared;
        values.clear();
        if self.shares_volume {
            values.resize(cloud.len(), 0.0);
            let growth = |seen: &Linear<FOUR>| seen.slopes[0][0] + seen.slopes[1][1] + seen.slopes[2][2];
            self.see((cloud, blocks), nodes, |node| node.after, values, growth);
            shared_volume::average(self, cloud, blocks, means, values);
        }
        values
    }

    /// What `of_seen` makes of what each point sees of `of_node`, into `seen`, in their order.
    fn see<T: Send>(
        &self,
        (cloud, blocks): (&Cloud, &Blocks),
        nodes: &[Node],
        of_node: impl Fn(&Node) -> Vec3 + Sync,
        seen: &mut [T],
        of_seen: impl Fn(&Linear<FOUR>) -> T + Sync,
    ) {
        let value = |node: &Node| {
            let of_node = of_node(node);
            [of_node.x, of_node.y, of_node.z, 0.0]
        };
        let (arch, of_seen) = (pulp::Arch::new(), &of_seen);
        blocks.spread(nodes, value, seen, |block, patch, seen| {
            let cloud = &cloud[blocks.range(block)];
            with_width!(blocks.by.kernel, W => arch.dispatch(Seeing::<W, _, _> { cloud, of: (blocks, block), patch, seen, of_seen }));
        });
    }

    /// What `of_node` [m/s] of each node comes to at the points, times their masses over `part` [s]: forces on the points [N], by their numbers,
    /// which add up to those on the nodes.
    pub fn forces(&self, cloud: &Cloud, blocks: &Blocks, grid: &Grid, part: f64, of_node: impl Fn(&Node) -> Vec3 + Sync) -> Vec<Vec3> {
        let mut seen = vec![Vec3::zeros(); cloud.len()];
        self.see((cloud, blocks), &grid.nodes, of_node, &mut seen, |seen| vector(&seen.value));
        let mut forces = vec![Vec3::zeros(); self.nodes.len()];
        for (point, seen) in cloud.iter().zip(seen) {
            let p = point.number as usize;
            forces[p] = self.masses[p] / part * seen;
        }
        forces
    }

    /// Angular momentum that points have by what of their velocity is `affine` [kg m^2/s]: beside that of their places, what the
    /// grid keeps of C_p D_p (Jiang et al. 2015, 5.3.1). `place`: where points are [m], by their numbers, as D_p of linear weights depends on it.
    pub fn spin(&self, affine: &[Mat3], place: impl Fn(usize) -> Vec3, by: &Interpolation) -> Vec3 {
        if !self.settings.transfer.keeps_rates() {
            return Vec3::zeros();
        }
        let of_point = |(p, (c, mass)): (usize, (&Mat3, &f64))| {
            let b = c * by.spread(&place(p));
            *mass * Vec3::new(b[(2, 1)] - b[(1, 2)], b[(0, 2)] - b[(2, 0)], b[(1, 0)] - b[(0, 1)])
        };
        affine.iter().zip(&self.masses).enumerate().map(of_point).sum()
    }
}

/// What the points of a block give to its patch.
struct Giving<'g, const W: usize, const N: usize> {
    /// With the points of the block, and V0 tau of each where it is known [J].
    points: (&'g Points<'g>, &'g [Point], &'g [Mat3]),
    of: (&'g Blocks, usize),
    part: f64,
    extra: &'g [Vec3],
    patch: &'g mut Patch<N>,
}

impl<const W: usize, const N: usize> WithSimd for Giving<'_, W, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { points: (points, cloud, stresses), of: (blocks, block), part, extra, patch } = self;
        // A copy, which nothing in the loop can change.
        let by = &{ blocks.by };
        for (at, point) in cloud.iter().enumerate() {
            let Some(weights) = Weights::<W>::of(&point.position, by) else { continue };
            let push = extra.get(point.number as usize).copied().unwrap_or_default();
            let stress = match stresses.get(at) {
                Some(shared) => *shared,
                None => points.stress(point),
            };
            scatter(&weights, blocks.patch_node(block, weights.base), &points.given((point, &stress), &weights, (by, part), &push), patch);
        }
    }
}

/// What the points of a block see of its patch.
struct Seeing<'s, const W: usize, T, F> {
    cloud: &'s [Point],
    of: (&'s Blocks, usize),
    patch: &'s Patch<FOUR>,
    seen: &'s mut [T],
    of_seen: &'s F,
}

impl<const W: usize, T, F: Fn(&Linear<FOUR>) -> T> WithSimd for Seeing<'_, W, T, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { cloud, of: (blocks, block), patch, seen, of_seen } = self;
        for (point, seen) in cloud.iter().zip(seen) {
            let Some(weights) = Weights::<W>::of(&point.position, &blocks.by) else { continue };
            *seen = of_seen(&gather(&weights, &weights.slopes, blocks.patch_node(block, weights.base), patch));
        }
    }
}

/// Moves the points of a block by what its patch has: the velocities of the nodes at the end of the part and, of `flip`, at its start.
struct Moving<'m, const W: usize, const N: usize> {
    /// With the rate at which the volume of each of its points grows, where some share changes of it [1/s].
    points: (&'m Points<'m>, &'m [f64]),
    cloud: &'m mut [Point],
    of: (&'m Blocks, usize),
    part: f64,
    patch: &'m Patch<N>,
}

impl<const W: usize, const N: usize> WithSimd for Moving<'_, W, N> {
    type Output = Whereabouts;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Whereabouts {
        let Self { points: (points, growths), cloud, of: (blocks, block), part, patch } = self;
        // A copy, which nothing in the loop can change.
        let (by, flip) = (&{ blocks.by }, points.settings.flip);
        let is_apart = points.settings.transfer == Transfer::Apic;
        let mut left = false;
        for (at, point) in cloud.iter_mut().enumerate() {
            let lost = Whereabouts::Lost(point.number as usize);
            let Some(weights) = Weights::<W>::of(&point.position, by) else { return lost };
            let first = blocks.patch_node(block, weights.base);
            let seen = gather(&weights, &weights.slopes, first, patch);
            let mean = vector(&seen.value);
            let columns = |seen: &Linear<N>| Mat3::from_columns(&seen.slopes.each_ref().map(|slope| vector(slope)));
            let rate = columns(&seen);
            let element = &points.elements[point.number as usize];
            let change = match growths.get(at) {
                Some(growth) if element.shares_volume => shared_volume::with_trace(&rate, *growth),
                _ => rate,
            };
            (point.gradient, point.memory) = element.moved(&point.gradient, &(part * change), point.memory);
            point.affine = match is_apart && weights.moments(by).is_none() {
                true => {
                    columns(&gather(&weights, &weights.arms(), first, patch))
                        * Mat3::from_diagonal(&weights.spread().map(f64::recip).into())
                }
                false => rate,
            };
            point.velocity = match N > FOUR {
                true => flip * (point.velocity + mean - vector(&seen.value[FOUR..])) + (1.0 - flip) * mean,
                false => mean,
            };
            point.position += part * mean;
            let ratio = (point.gradient + Mat3::identity()).determinant();
            if !(ratio.is_finite() && ratio > 0.0) {
                return lost;
            }
            match splines::base(&point.position, by.spacing, W) {
                Some(base) => left |= !blocks.holds(block, base),
                None => return lost,
            }
        }
        if left { Whereabouts::Left } else { Whereabouts::Held }
    }
}

/// The first three lanes.
#[inline(always)]
fn vector(lanes: &[f64]) -> Vec3 {
    Vec3::new(lanes[0], lanes[1], lanes[2])
}
