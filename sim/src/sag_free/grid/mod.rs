//! The balance of material points on the nodes of their grid (Hsu et al. 2022, 4.3.1): points are the elements, nodes the masses.
//!
//! With the gradient of the stepper, G_p(u) = c sum_i w_ip u_i d_ip^T, the stresses make the forces -c sum_p V_p sigma_p d_ip w_ip on the nodes.
//! Sought are the least stresses, weighed by the compliance of each point, that balance the loads. In the dual they are
//! sigma_p = C_p : sym G_p(y), with
//!
//! ```text
//! (K + rho D) y = f + R,     K_ij = sum_p V_p [mu (g_i.g_j I + g_j g_i^T) + lambda g_i g_j^T],     g_i = c w_ip d_ip,     D = m_i M / (density spacing^2)
//! ```
//!
//! M being the modulus of a pressed layer, and R the forces of the walls in their cones. Nodes at the rim of a body have weights down to 1e-7, and
//! y grows as their inverse: weighed by masses, what Tikhonov's rho leaves is the same acceleration everywhere, and where there is no balance the
//! least kinetic energy (Gauss). So unknowns are y times the square root of each node's share of the largest mass, forces over it: D is then
//! a multiple of the identity, and K has entries of one size. Stresses are added up, not y: K y would lose their digits.

mod newton;
mod row;
mod solve;
#[cfg(test)]
mod tests;
mod walls;
mod yields;

pub(super) use solve::{Shares, Solved, Tikhonov};
pub(super) use walls::{Held, Wall};

use self::yields::Tangent;
use crate::element::MaterialPoint;
use crate::linear::{NodeMatrix, NodeMatrixPattern, StencilPlaces};
use crate::material::Lame;
use crate::material::yields::YieldSurface;
use crate::math::splines::{NODES, Weights, inverse_moment};
use crate::math::{Mat3, Vec3};
use crate::memory::TooLarge;
use crate::step::mpm::blocks::Blocks;
use crate::step::mpm::stencils::Stencils;

/// A point as the balance sees it.
struct Seen {
    /// Its number, and that of its body.
    number: u32,
    body: usize,
    /// The cell that it is in.
    cell: u32,
    /// Volume in the given shape [m^3].
    volume: f64,
    /// Moduli that its stress is weighed with [Pa].
    lame: Lame,
    /// Where it yields.
    yields: Option<YieldSurface>,
    weights: [f64; NODES],
    /// c w_ip d_ip over the root of the node's share of the largest mass; 0 of nodes without an equation [1/m].
    gradients: [Vec3; NODES],
}

impl Seen {
    /// C_p : sym G_p(u) [Pa].
    fn stress(&self, nodes: &[u32; NODES], u: &[Vec3]) -> Mat3 {
        let mut gradient = Mat3::zeros();
        for (&node, g) in nodes.iter().zip(&self.gradients) {
            gradient += u[node as usize] * g.transpose();
        }
        let strain = 0.5 * (gradient + gradient.transpose());
        2.0 * self.lame.mu * strain + Mat3::from_diagonal_element(self.lame.lambda * strain.trace())
    }
}

/// The nodes of a grid around material points, with what couples them.
pub(super) struct Space {
    blocks: Blocks,
    /// The points, cell by cell.
    points: Vec<Seen>,
    /// Where each is among them, by its number.
    place_of_number: Vec<u32>,
    stencils: Vec<[u32; NODES]>,
    /// Mass of each node [kg], and the root of its share of the largest; 0 of those without an equation. A light node is the one with
    /// which it goes, and then a stencil may have that twice.
    masses: Vec<f64>,
    roots: Vec<f64>,
    pattern: NodeMatrixPattern,
    /// Where in the matrix the blocks of each cell are, and where its points begin in their order.
    places: StencilPlaces,
    starts: Vec<usize>,
    /// K of the points that do not yield, in scaled unknowns, times `scale`.
    stiffness: NodeMatrix,
    /// [m/N].
    scale: f64,
}

impl Space {
    /// Of points at `x` [m] with these masses [kg], of the bodies with these numbers, in a grid with cells of `spacing` [m]. `held`: whether a node at some place [m] cannot move.
    /// `None` where a point is nowhere.
    ///
    /// # Errors
    /// No room for the factor.
    pub fn new(
        elements: &[MaterialPoint],
        (x, masses): (&[Vec3], &[f64]),
        bodies: &[usize],
        spacing: f64,
        held: impl Fn(&Vec3) -> bool,
    ) -> Result<Option<Self>, TooLarge> {
        let Some(grid) = Stencils::of(x, masses, spacing) else { return Ok(None) };
        let of_point = |(cell, (&number, own)): (usize, (&u32, &Weights))| {
            let (mut weights, mut gradients) = ([0.0; NODES], [Vec3::zeros(); NODES]);
            let mut n = 0;
            own.for_each(|_, w, away| {
                (weights[n], gradients[n]) = (w, inverse_moment(spacing) * w * away);
                n += 1;
            });
            let point = &elements[number as usize];
            Seen {
                number,
                body: bodies[number as usize],
                cell: cell as u32,
                volume: point.volume,
                lame: point.weighing_lame(),
                yields: point.yields,
                weights,
                gradients,
            }
        };
        let mut points: Vec<Seen> = grid.cell_of_points().zip(grid.order.iter().zip(&grid.weights)).map(of_point).collect();
        let largest_mass = grid.masses.iter().copied().fold(0.0, f64::max);
        let root = |(node, mass): (usize, &f64)| {
            let is_free = *mass > 0.0 && !held(&grid.blocks.place_of(node));
            if is_free { (mass / largest_mass).sqrt() } else { 0.0 }
        };
        let roots: Vec<f64> = grid.masses.iter().enumerate().map(root).collect();
        for point in &mut points {
            for (&node, gradient) in grid.cells[point.cell as usize].iter().zip(&mut point.gradients) {
                let root = roots[node as usize];
                *gradient = if root > 0.0 { *gradient / root } else { Vec3::zeros() };
            }
        }
        // rho D = rho in the scaled unknowns.
        let modulus = |point: &Seen| (point.lame.lambda + 2.0 * point.lame.mu) * point.volume / masses[point.number as usize];
        let stiffest = points.iter().map(modulus).fold(0.0, f64::max);
        let scale = spacing * spacing / (largest_mass * stiffest);
        let free: Vec<bool> = roots.iter().map(|root| *root > 0.0).collect();
        let pattern = grid.pattern(&free);
        pattern.ensure_room("the factorisation of the grid", pattern.factor_bytes(), None)?;
        let stiffness = NodeMatrix::new(&pattern);
        let Stencils { blocks, cells: stencils, starts, masses, .. } = grid;
        let mut places = StencilPlaces::default();
        places.find(&pattern, &stencils);
        let mut place_of_number = vec![0; points.len()];
        (0..).zip(&points).for_each(|(place, point)| place_of_number[point.number as usize] = place);
        let mut space = Self { blocks, points, place_of_number, stencils, masses, roots, pattern, places, starts, stiffness, scale };
        let mut stiffness = NodeMatrix::new(&space.pattern);
        let elastic = |_, point: &Seen| {
            let volume = scale * point.volume;
            point.yields.is_none().then(|| (volume, Tangent::elastic(point.lame)))
        };
        space.add_stiffness(elastic, &mut stiffness);
        space.stiffness = stiffness;
        Ok(Some(space))
    }

    /// Adds K of the points that have a tangent to `matrix`, cell by cell: for each by its place in their order, a volume and moduli.
    fn add_stiffness(&self, of: impl Fn(usize, &Seen) -> Option<(f64, Tangent)>, matrix: &mut NodeMatrix) {
        let block = |cell: usize, i: usize, j: usize| {
            let range = self.starts[cell]..self.starts[cell + 1];
            let points = range.clone().zip(&self.points[range]);
            let of_point = |(place, point): (usize, &Seen)| {
                of(place, point).map(|(volume, tangent)| volume * tangent.block(&point.gradients[i], &point.gradients[j]))
            };
            points.filter_map(of_point).sum()
        };
        self.places.add(&self.pattern, &self.stencils, block, matrix);
    }

    /// Unknowns of the balance.
    pub fn unknowns(&self) -> usize {
        self.pattern.unknowns()
    }

    /// Entries of the Cholesky factor.
    pub fn factor_entries(&self) -> usize {
        self.pattern.factor_entries()
    }

    /// Every node that has an equation, with its place [m].
    pub fn nodes(&self) -> impl Iterator<Item = (u32, Vec3)> + '_ {
        let free = self.roots.iter().enumerate().filter(|(_, root)| **root > 0.0);
        free.map(|(node, _)| (node as u32, self.blocks.place_of(node)))
    }

    /// Forces on points [N], by their numbers, as those on nodes in scaled units: over the root of each node's share of mass.
    fn gathered(&self, loads: &[Vec3]) -> Vec<Vec3> {
        let mut forces = vec![Vec3::zeros(); self.roots.len()];
        for point in &self.points {
            let load = &loads[point.number as usize];
            for (&node, w) in self.stencils[point.cell as usize].iter().zip(&point.weights) {
                forces[node as usize] += *w * load;
            }
        }
        let scaled = |(force, root): (&mut Vec3, &f64)| *force = if *root > 0.0 { *force / *root } else { Vec3::zeros() };
        forces.iter_mut().zip(&self.roots).for_each(scaled);
        forces
    }

    /// Takes the forces of `stresses` [Pa], in the order of the points, off scaled `forces` [N].
    fn take_stresses(&self, stresses: &[Mat3], forces: &mut [Vec3]) {
        for (point, stress) in self.points.iter().zip(stresses) {
            let pull = point.volume * stress;
            for (&node, g) in self.stencils[point.cell as usize].iter().zip(&point.gradients) {
                forces[node as usize] -= pull * g;
            }
        }
    }

    /// Adds the stresses of the scaled dual `u` times `factor` [Pa], but to points that yield.
    fn add_stresses(&self, u: &[Vec3], factor: f64, stresses: &mut [Mat3]) {
        for (point, stress) in self.points.iter().zip(stresses).filter(|(point, _)| point.yields.is_none()) {
            *stress += factor * point.stress(&self.stencils[point.cell as usize], u);
        }
    }

    /// What scaled `forces` [N] that are out of balance do to points, by their order: accelerations [m/s^2].
    fn accelerations(&self, forces: &[Vec3]) -> Vec<Vec3> {
        let of_node = |node: u32| {
            let root = self.roots[node as usize];
            if root > 0.0 { forces[node as usize] * root / self.masses[node as usize] } else { Vec3::zeros() }
        };
        let of_point = |point: &Seen| {
            let nodes = self.stencils[point.cell as usize].iter();
            nodes.zip(&point.weights).map(|(&node, w)| *w * of_node(node)).sum()
        };
        self.points.iter().map(of_point).collect()
    }
}
