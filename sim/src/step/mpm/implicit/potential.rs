//! [`IncrementalPotential`]: what an implicit part of a step is the least of, over the displacements u of the nodes of the grid.

use rayon::prelude::*;

use crate::element::carried::{Carried, Stiffness};
use crate::linear::{NodeMatrix, NodeMatrixPattern, StencilPlaces};
use crate::math::splines::Around;
use crate::math::{Mat3, Vec3};
use crate::step::mpm::points::{Cloud, Points};
use crate::step::mpm::shared_volume::{mean_gradients, with_trace};
use crate::step::mpm::stencils::Stencils;

/// Blocks of cells that are made at once, before they are added up: each of two nodes, or of one with itself.
const BATCH: usize = 200_000;

/// Phi(u) = sum_i m_i |u_i - h v*_i|^2 / (2 h^2) + sum_p Psi_p(G_p(u)), with G_p(u) = sum_i u_i g_ip^T, the gradient of the explicit step:
/// where u = 0 is the least, that moves nothing either.
pub struct IncrementalPotential<'a> {
    /// The points and their nodes.
    pub grid: &'a Stencils,
    /// The points, in the order of the grid, and the masses of those that share changes of volume, or none where none does [kg].
    carried: Vec<Carried<'a>>,
    sharing: Vec<Option<f64>>,
    /// What the points bring: the velocity of each node [m/s].
    pub before: Vec<Vec3>,
    /// h v*: how far each node would go without inner forces and walls [m].
    pub ahead: Vec<Vec3>,
    /// h [s].
    pub part: f64,
    /// The least mass of a point [kg].
    pub least_mass: f64,
}

impl<'a> IncrementalPotential<'a> {
    /// Of a part of `part` [s] that begins at `cloud`, whose points lie in `grid`. `extra`: forces on the points beside gravity [N], by their numbers,
    /// or none.
    pub fn new(points: &Points<'a>, cloud: &Cloud, grid: &'a Stencils, (part, extra): (f64, &[Vec3])) -> Self {
        let keeps_rates = points.settings.transfer.keeps_rates();
        let mut of_number = vec![0; cloud.len()];
        cloud.iter().enumerate().for_each(|(at, point)| of_number[point.number as usize] = at);
        let numbers = || grid.order.iter().map(|&number| number as usize);
        let carried = numbers()
            .map(|p| Carried { point: &points.elements[p], start: cloud[of_number[p]].gradient, memory: cloud[of_number[p]].memory, part })
            .collect();
        let shared = |p: usize| points.elements[p].shares_volume.then_some(points.masses[p]);
        let sharing = if numbers().any(|p| shared(p).is_some()) { numbers().map(shared).collect() } else { Vec::new() };
        let (mut before, mut pushed) = (vec![Vec3::zeros(); grid.masses.len()], vec![Vec3::zeros(); grid.masses.len()]);
        for (cell, p) in grid.cell_of_points().zip(numbers()) {
            let (point, mass) = (&cloud[of_number[p]], points.masses[p]);
            let push = extra.get(p).copied().unwrap_or_default();
            let mut nodes = grid.cells[cell].iter();
            grid.blocks.by.for_each(&point.position, |_, w, _, away| {
                let velocity = if keeps_rates { point.velocity + point.affine * away } else { point.velocity };
                for &node in nodes.by_ref().take(1) {
                    before[node as usize] += w * mass * velocity;
                    pushed[node as usize] += w * push;
                }
            });
        }
        let over_mass = |sums: &mut [Vec3]| {
            let of_node = |(sum, mass): (&mut Vec3, &f64)| *sum = if *mass > 0.0 { *sum / *mass } else { Vec3::zeros() };
            sums.iter_mut().zip(&grid.masses).for_each(of_node);
        };
        over_mass(&mut before);
        over_mass(&mut pushed);
        let ahead = before.iter().zip(&pushed).map(|(v, push)| part * (v + part * (points.gravity + push))).collect();
        let least_mass = points.masses.iter().copied().fold(f64::INFINITY, f64::min);
        Self { grid, carried, sharing, before, ahead, part, least_mass }
    }

    /// What the points of each cell come to, cell by cell: `of_cell` of its number, and of its points.
    fn of_cells<T: Send>(
        &self,
        cells: std::ops::Range<usize>,
        of_cell: impl Fn(usize, &mut dyn Iterator<Item = Near>) -> T + Sync,
    ) -> Vec<T> {
        let one = |cell: usize| {
            let range = self.grid.starts[cell]..self.grid.starts[cell + 1];
            let sharing = |at: usize| self.sharing.get(at).copied().flatten();
            let means = match range.clone().any(|at| sharing(at).is_some()) {
                true => {
                    let sharing: Vec<(f64, Around)> = range.clone().filter_map(|at| Some((sharing(at)?, self.grid.around(at)))).collect();
                    mean_gradients(sharing.iter().map(|(mass, around)| (*mass, around.gradients())))
                }
                false => Vec::new(),
            };
            let near = |at: usize| Near { at, around: self.grid.around(at), means: if sharing(at).is_some() { &means } else { &[] } };
            of_cell(cell, &mut range.map(near))
        };
        cells.into_par_iter().with_min_len(16).map(one).collect()
    }

    /// G of a point.
    fn change(&self, cell: usize, near: &Near, u: &[Vec3]) -> Mat3 {
        let nodes = || self.grid.cells[cell].iter().map(|&node| &u[node as usize]);
        let own = nodes().zip(near.around.gradients()).map(|(u, g)| u * g.transpose()).sum();
        if near.means.is_empty() { own } else { with_trace(&own, nodes().zip(near.means).map(|(u, mean)| u.dot(mean)).sum()) }
    }

    /// Phi at `u` [J]; infinite where a point would be inside out.
    pub fn energy(&self, u: &[Vec3]) -> f64 {
        let of_cell = |cell: usize, points: &mut dyn Iterator<Item = Near>| {
            points.map(|near| self.carried[near.at].energy(&self.change(cell, &near, u))).sum::<f64>()
        };
        let stored: f64 = self.of_cells(0..self.grid.cells.len(), of_cell).into_iter().sum();
        let of_node = |((mass, u), ahead): ((&f64, &Vec3), &Vec3)| mass * (u - ahead).norm_squared();
        let inertia: f64 = self.grid.masses.iter().zip(u).zip(&self.ahead).map(of_node).sum();
        stored + 0.5 * inertia / (self.part * self.part)
    }

    /// Its derivative [N].
    pub fn gradient(&self, u: &[Vec3]) -> Vec<Vec3> {
        let of_cell = |cell: usize, points: &mut dyn Iterator<Item = Near>| {
            let mut forces = vec![Vec3::zeros(); self.grid.cells[cell].len()];
            for near in points {
                let stress = self.carried[near.at].stress(&self.change(cell, &near, u));
                forces.iter_mut().zip(near.around.gradients()).for_each(|(force, g)| *force += stress * g);
                let third = stress.trace() / 3.0;
                forces.iter_mut().zip(near.beside()).for_each(|(force, beside)| *force += third * beside);
            }
            forces
        };
        let of_node = |((mass, u), ahead): ((&f64, &Vec3), &Vec3)| mass / (self.part * self.part) * (u - ahead);
        let mut gradient: Vec<Vec3> = self.grid.masses.iter().zip(u).zip(&self.ahead).map(of_node).collect();
        for (nodes, forces) in self.grid.cells.iter().zip(self.of_cells(0..self.grid.cells.len(), of_cell)) {
            nodes.iter().zip(forces).for_each(|(&node, force)| gradient[node as usize] += force);
        }
        gradient
    }

    /// The stiffness of a point, with what it makes of its gradients in `turned`.
    fn stiffness(&self, cell: usize, (near, turned): (&Near, &mut Turned), u: &[Vec3]) -> Stiffness {
        let stiffness = self.carried[near.at].stiffness(&self.change(cell, near, u), true);
        turned.gradients.clear();
        turned.gradients.extend(near.around.gradients().iter().map(|g| stiffness.turned(g)));
        turned.beside.clear();
        if !near.means.is_empty() {
            let swelled = stiffness.swelled();
            turned.swelled = swelled.trace() / 9.0;
            turned.beside.extend(near.beside().zip(near.around.gradients()).map(|(beside, g)| (beside, swelled * g / 3.0)));
        }
        stiffness
    }

    /// What a push on each node alone would move, as a mass [kg]: its own, and h^2 times the trace of its block of the second derivative.
    pub fn heft(&self, u: &[Vec3]) -> Vec<f64> {
        let of_cell = |cell: usize, points: &mut dyn Iterator<Item = Near>| {
            let (mut traces, mut turned) = (vec![0.0; self.grid.cells[cell].len()], Turned::default());
            for near in points {
                let (stiffness, gradients) = (self.stiffness(cell, (&near, &mut turned), u), near.around.gradients());
                let trace = |n: usize| turned.block(&stiffness, gradients, n, n).trace();
                traces.iter_mut().enumerate().for_each(|(n, sum)| *sum += trace(n));
            }
            traces
        };
        let mut heft = self.grid.masses.clone();
        for (nodes, traces) in self.grid.cells.iter().zip(self.of_cells(0..self.grid.cells.len(), of_cell)) {
            nodes.iter().zip(traces).for_each(|(&node, trace)| heft[node as usize] += self.part * self.part * trace);
        }
        heft
    }

    /// Its second derivative at `u`, each point's positive semidefinite part of it, in the directions that `free` projects on at each node, into `matrix`; `heft` in
    /// the others. `pressed`: what contacts of the points themselves add to it by their places [N/m], in the order of the grid, or none.
    pub fn hessian(
        &self,
        (u, pressed): (&[Vec3], &[Mat3]),
        free: &[Mat3],
        heft: &[f64],
        (pattern, places): (&NodeMatrixPattern, &StencilPlaces),
        matrix: &mut NodeMatrix,
    ) {
        matrix.scale(0.0);
        let inverse = 1.0 / (self.part * self.part);
        for (node, mass) in self.grid.masses.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            let held = Mat3::identity() - free[node];
            matrix.add_to_node(pattern, node as u32, &(inverse * (*mass * free[node] + heft[node] * held)));
        }
        let blocks_of = |count: usize| count * (count + 1) / 2;
        let blocks = |cell: usize, points: &mut dyn Iterator<Item = Near>| {
            let count = self.grid.cells[cell].len();
            let (mut blocks, mut turned) = (vec![Mat3::zeros(); blocks_of(count)], Turned::default());
            for near in points {
                let (stiffness, gradients) = (self.stiffness(cell, (&near, &mut turned), u), near.around.gradients());
                let mut block = blocks.iter_mut();
                for i in 0..count {
                    for (j, block) in (0..=i).zip(&mut block) {
                        *block += turned.block(&stiffness, gradients, i, j);
                    }
                }
                let Some(pressed) = pressed.get(near.at).filter(|pressed| **pressed != Mat3::zeros()) else { continue };
                let weights = near.around.weights();
                let mut block = blocks.iter_mut();
                for i in 0..count {
                    for (j, block) in (0..=i).zip(&mut block) {
                        *block += weights[i] * weights[j] * pressed;
                    }
                }
            }
            let free = |n: usize| &free[self.grid.cells[cell][n] as usize];
            let mut block = blocks.iter_mut();
            for i in 0..count {
                for (j, block) in (0..=i).zip(&mut block) {
                    *block = free(i) * *block * free(j);
                }
            }
            blocks
        };
        let cells = self.grid.cells.len();
        let batch = (BATCH / blocks_of(self.grid.blocks.by.kernel.nodes())).max(1);
        for first in (0..cells).step_by(batch) {
            let range = first..(first + batch).min(cells);
            let found = self.of_cells(range.clone(), blocks);
            let block = |cell: usize, i: usize, j: usize| {
                let of = |i: usize, j: usize| found[cell - first][i * (i + 1) / 2 + j];
                if i >= j { of(i, j) } else { of(j, i).transpose() }
            };
            places.add_some(pattern, &self.grid.cells, range, block, matrix);
        }
    }

    /// The fastest that a point is moved by displacements `d` of the nodes in the part [m/s].
    pub fn speed(&self, d: &[Vec3]) -> f64 {
        let of_point = |(cell, at): (usize, usize)| {
            let around = self.grid.around(at);
            let moved: Vec3 = self.grid.cells[cell].iter().zip(around.weights()).map(|(&node, w)| *w * d[node as usize]).sum();
            moved.norm()
        };
        self.grid.cell_of_points().zip(0..).map(of_point).fold(0.0, f64::max) / self.part
    }
}

/// A point, by its place in the order, with what is around it.
struct Near<'m> {
    at: usize,
    around: Around,
    /// Means of the gradients of its cell, where it shares changes of volume.
    means: &'m [Vec3],
}

impl Near<'_> {
    /// What the mean gradients are more than its own; none where it shares nothing.
    fn beside(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.means.iter().zip(self.around.gradients()).map(|(mean, own)| mean - own)
    }
}

/// What the stiffness of a point makes of its gradients.
#[derive(Default)]
struct Turned {
    gradients: Vec<Vec3>,
    /// Where it shares changes of volume: what the mean gradients are more, and a third of the force of swelling by its own.
    beside: Vec<(Vec3, Vec3)>,
    /// A ninth of what swelling does to volume.
    swelled: f64,
}

impl Turned {
    /// Second derivative of the energy by the displacements of two nodes, G being u g^T + u.d I / 3 with what the mean is more, d.
    #[inline(always)]
    fn block(&self, stiffness: &Stiffness, gradients: &[Vec3], i: usize, j: usize) -> Mat3 {
        let own = stiffness.block([&gradients[i], &gradients[j]], [&self.gradients[i], &self.gradients[j]]);
        match self.beside.is_empty() {
            true => own,
            false => {
                let ((di, si), (dj, sj)) = (&self.beside[i], &self.beside[j]);
                own + si * dj.transpose() + di * sj.transpose() + self.swelled * di * dj.transpose()
            }
        }
    }
}
