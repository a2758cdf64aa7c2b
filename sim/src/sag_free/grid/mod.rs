//! The balance of material points on the nodes of their grid (Hsu et al. 2022, 4.3.1): points are the elements, nodes the masses.
//!
//! With the gradient of the stepper, G_p(u) = sum_i u_i g_ip^T ([`Interpolation`]), the stresses make the forces -sum_p V_p sigma_p g_ip on the nodes.
//! Sought are the least stresses, weighed by the compliance of each point, that balance the loads. In the dual they are
//! sigma_p = C_p : sym G_p(y), with
//!
//! ```text
//! (K + rho D) y = f + R,     K_ij = sum_p V_p [mu (g_i.g_j I + g_j g_i^T) + lambda g_i g_j^T],     D = m_i M / (density spacing^2)
//! ```
//!
//! M being the modulus of a pressed layer, and R the forces of the walls in their cones. Nodes at the rim of a body have weights down to 1e-7, and
//! y grows as their inverse: weighed by masses, what Tikhonov's rho leaves is the same acceleration everywhere, and where there is no balance the
//! least kinetic energy (Gauss). So unknowns are y times the square root of each node's share of the largest mass, forces over it: D is then
//! a multiple of the identity, and K has entries of one size. Stresses are added up, not y: K y would lose their digits.
//!
//! Up to so many nodes the matrix is made and factorised ([`Assembled`]); beyond, conjugate gradients take products with it that go from nodes to points
//! and back ([`transfer`]).

mod assembled;
mod held;
mod iterated;
mod newton;
mod row;
mod solve;
#[cfg(test)]
mod tests;
mod transfer;
mod walls;
mod yields;

pub(super) use solve::{Shares, Solved, Tikhonov};
pub(super) use walls::{Held, Wall};

use rayon::prelude::*;

use self::assembled::Assembled;
use self::yields::Bound;
use crate::element::MaterialPoint;
use crate::material::Lame;
use crate::math::splines::Interpolation;
use crate::math::{Mat3, Vec3};
use crate::memory::TooLarge;
use crate::step::mpm::blocks::Blocks;
use crate::step::mpm::shared_volume::mean_gradients;
use crate::step::mpm::stencils::Stencils;

/// A point as the balance sees it.
struct Seen {
    /// Its number, and that of its body.
    number: u32,
    body: u32,
    /// The cell that it is in.
    cell: u32,
    /// Volume in the given shape [m^3].
    volume: f64,
    /// Moduli that its stress is weighed with [Pa].
    lame: Lame,
    /// What bounds its stress, where it yields.
    yields: Option<Bound>,
    /// Of the mass in its cell that shares changes of volume; 0 where it does not share.
    share: f64,
    /// Its place in the given shape [m].
    x: Vec3,
}

impl Seen {
    /// Moduli of what of it is elastic, whatever it bears [Pa]: of what yields its answer to changes of volume, where pressures make it no stronger.
    #[inline(always)]
    fn elastic(&self) -> Option<Lame> {
        let Lame { mu, lambda } = self.lame;
        match self.yields {
            None => Some(self.lame),
            Some(bound) => (bound.surface.slope == 0.0).then(|| Lame { mu: 0.0, lambda: lambda + 2.0 / 3.0 * mu }),
        }
    }

    /// C_p : sym of G_p, as far as it is elastic [Pa].
    #[inline(always)]
    fn stress(&self, gradient: &Mat3) -> Mat3 {
        let Some(Lame { mu, lambda }) = self.elastic() else { return Mat3::zeros() };
        let strain = 0.5 * (gradient + gradient.transpose());
        2.0 * mu * strain + Mat3::from_diagonal_element(lambda * strain.trace())
    }
}

/// The nodes of a grid around material points, with what couples them.
pub(super) struct Space {
    blocks: Blocks,
    /// The points, block by block, and in those cell by cell.
    points: Vec<Seen>,
    /// Where each is among them, by its number.
    place_of_number: Vec<u32>,
    /// The nodes around each cell, and where its points begin in their order.
    stencils: Vec<Box<[u32]>>,
    starts: Vec<usize>,
    /// Of each cell whose points share changes of volume the means of scaled gradients over those [1/m]; empty where none do.
    means: Vec<Vec<Vec3>>,
    /// The node that each goes along with: itself, but of `light` ones.
    along: Vec<u32>,
    light: Vec<u32>,
    /// Mass of each node [kg], and the root of its share of the largest; 0 of those without an equation. A light node is the one with
    /// which it goes, and then a stencil may have that twice.
    masses: Vec<f64>,
    roots: Vec<f64>,
    /// Projectors on the directions that each node can move in, where walls bind some in others; empty where they bind none.
    free: Vec<Mat3>,
    /// Of the matrix [m/N].
    scale: f64,
    /// The matrix, where it is to be factorised.
    assembled: Option<Assembled>,
}

impl Space {
    /// Of points at `x` [m] with these masses [kg], of the bodies with these numbers, in such a grid. `free`: projects on the directions in which the node
    /// of some cell can move, nothing where it cannot. The matrix is made up to so many nodes that can, or where points yield. `None` where a point is nowhere.
    ///
    /// # Errors
    /// No room for the factor.
    pub fn new(
        elements: &[MaterialPoint],
        (x, masses): (&[Vec3], &[f64]),
        bodies: &[u32],
        by: Interpolation,
        free: impl Fn([i32; 3]) -> Mat3,
        direct_up_to: usize,
    ) -> Result<Option<Self>, TooLarge> {
        let Some(grid) = Stencils::of(x, masses, by) else { return Ok(None) };
        let cells: Vec<usize> = grid.cell_of_points().collect();
        let Stencils { blocks, cells: stencils, starts, order, places, along, masses: of_nodes } = grid;
        let of_point = |((cell, number), x): ((usize, u32), Vec3)| {
            let point = &elements[number as usize];
            Seen {
                number,
                body: bodies[number as usize],
                cell: cell as u32,
                volume: point.volume,
                lame: point.weighing_lame(),
                yields: point.yields.map(|surface| Bound { surface, lame: point.stiffened_lame() }),
                share: if point.shares_volume { masses[number as usize] } else { 0.0 },
                x,
            }
        };
        let mut points: Vec<Seen> = cells.into_iter().zip(order).zip(places).map(of_point).collect();
        let shares = points.iter().any(|point| point.share > 0.0);
        for range in starts.windows(2) {
            let own = &mut points[range[0]..range[1]];
            let all: f64 = own.iter().map(|point| point.share).sum();
            own.iter_mut().filter(|point| point.share > 0.0).for_each(|point| point.share /= all);
        }
        let largest_mass = of_nodes.iter().copied().fold(0.0, f64::max);
        let free: Vec<Mat3> = (0..of_nodes.len()).map(|node| free(blocks.cell_of(node))).collect();
        let root = |(mass, free): (&f64, &Mat3)| {
            let is_free = *mass > 0.0 && *free != Mat3::zeros();
            if is_free { (mass / largest_mass).sqrt() } else { 0.0 }
        };
        let roots: Vec<f64> = of_nodes.iter().zip(&free).map(root).collect();
        let is_bound = |(free, root): (&Mat3, &f64)| *root > 0.0 && *free != Mat3::identity();
        let free = if free.iter().zip(&roots).any(is_bound) { free } else { Vec::new() };
        // rho D = rho in the scaled unknowns.
        let modulus = |point: &Seen| (point.lame.lambda + 2.0 * point.lame.mu) * point.volume / masses[point.number as usize];
        let stiffest = points.iter().map(modulus).fold(0.0, f64::max);
        let scale = by.spacing * by.spacing / (largest_mass * stiffest);
        let light = (0u32..).zip(&along).filter(|(node, along)| node != *along).map(|(node, _)| node).collect();
        let mut place_of_number = vec![0; points.len()];
        (0..).zip(&points).for_each(|(place, point)| place_of_number[point.number as usize] = place);
        let mut space = Self {
            blocks,
            points,
            place_of_number,
            stencils,
            starts,
            means: Vec::new(),
            along,
            light,
            free,
            masses: of_nodes,
            roots,
            scale,
            assembled: None,
        };
        if shares {
            space.means = (0..space.stencils.len()).into_par_iter().map(|cell| space.mean_gradients(cell)).collect();
        }
        let moving = space.roots.iter().filter(|root| **root > 0.0).count();
        if moving <= direct_up_to || space.points.iter().any(|point| point.yields.is_some()) {
            space.assembled = Some(Assembled::new(&space)?);
        }
        Ok(Some(space))
    }

    /// g_ip of a point over the root of each node's share of the largest mass; 0 of nodes without an equation [1/m].
    fn scaled_gradients(&self, point: &Seen) -> Vec<Vec3> {
        let around = self.blocks.by.around(&point.x);
        let of_node = |(&node, gradient): (&u32, &Vec3)| match self.roots[node as usize] {
            root if root > 0.0 => gradient / root,
            _ => Vec3::zeros(),
        };
        self.stencils[point.cell as usize].iter().zip(around.gradients()).map(of_node).collect()
    }

    /// Their means over the points of a cell that share changes of volume; none where none does.
    fn mean_gradients(&self, cell: usize) -> Vec<Vec3> {
        let sharing = self.points[self.starts[cell]..self.starts[cell + 1]].iter().filter(|point| point.share > 0.0);
        let gradients: Vec<(f64, Vec<Vec3>)> = sharing.map(|point| (point.share, self.scaled_gradients(point))).collect();
        mean_gradients(gradients.iter().map(|(share, gradients)| (*share, gradients.as_slice())))
    }

    /// Those that a change of volume of `point` is by in place of its own; none where it shares none.
    fn shared_gradients(&self, point: &Seen) -> &[Vec3] {
        if point.share > 0.0 { self.means.get(point.cell as usize).map_or(&[], Vec::as_slice) } else { &[] }
    }

    /// Projects on the directions that a node can move in; nothing where walls bind it in none.
    fn free_of(&self, node: usize) -> Option<&Mat3> {
        self.free.get(node).filter(|free| self.roots[node] > 0.0 && **free != Mat3::identity())
    }

    /// The nodes that walls bind in some directions, with what [`Space::free_of`] says of them.
    fn bound(&self) -> impl Iterator<Item = (usize, &Mat3)> {
        (0..self.free.len()).filter_map(|node| Some((node, self.free_of(node)?)))
    }

    /// Sets what nodes without an equation have to zero, and what others have in directions that they cannot move in.
    fn clear_fixed(&self, nodes: &mut [Vec3]) {
        self.bound().for_each(|(node, free)| nodes[node] = free * nodes[node]);
        nodes.iter_mut().zip(&self.roots).filter(|(_, root)| **root == 0.0).for_each(|(node, _)| *node = Vec3::zeros());
    }

    /// Unknowns of the balance.
    pub fn unknowns(&self) -> usize {
        3 * self.roots.iter().filter(|root| **root > 0.0).count()
    }

    /// Entries of the Cholesky factor, where there is one.
    pub fn factor_entries(&self) -> usize {
        self.assembled.as_ref().map_or(0, |assembled| assembled.pattern.factor_entries())
    }

    /// Whether some point resists a change of shape: liquids do not.
    fn shears(&self) -> bool {
        self.points.iter().any(|point| point.lame.mu > 0.0)
    }

    /// How many nodes have an equation where the balance is iterated, as there is no factor.
    pub fn iterated_nodes(&self) -> Option<usize> {
        self.assembled.is_none().then(|| self.unknowns() / 3)
    }

    /// Every node that has an equation, with its place [m].
    pub fn nodes(&self) -> impl Iterator<Item = (u32, Vec3)> + '_ {
        let free = self.roots.iter().enumerate().filter(|(_, root)| **root > 0.0);
        free.map(|(node, _)| (node as u32, self.blocks.place_of(node)))
    }
}
