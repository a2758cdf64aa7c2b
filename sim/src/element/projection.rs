//! [`Projection`]: elements as constraints with compliances, as position-based steppers take them (Macklin, Muller, Chentanez 2016, "XPBD",
//! eq. 2: the energy is the sum of C^2 / (2 alpha)).

use super::{Batch, Element, line};
use crate::linear::Couplings;
use crate::math::{Mat3, Vec3};

/// A constraint at some positions.
#[derive(Debug, Clone, Copy)]
pub struct Constraint<const N: usize> {
    /// C, in its own unit: a length [m], an angle [rad].
    pub value: f64,
    /// Gradient by each node.
    pub gradients: [Vec3; N],
}

/// A family each of whose elements is some constraints.
pub trait Projection: Couplings {
    /// Pairs of the nodes of an element whose distance it keeps.
    fn kept_edges(&self) -> &'static [[usize; 2]] {
        &[]
    }
    /// How many constraints an element is at most.
    fn constraints_per_element(&self) -> usize;
    /// C of constraint `k` of element `e` at `x`, and its gradients by the nodes of the element in as many entries of `gradients`.
    fn constraint(&self, e: usize, k: usize, x: &[Vec3], gradients: &mut [Vec3]) -> f64;
    /// alpha of constraint `k` of element `e`: C over minus the multiplier [unit of C squared / J]; infinite where the element has none.
    fn compliance(&self, e: usize, k: usize) -> f64;
    /// Stiffness-proportional damping of element `e` [s].
    fn damping_of(&self, _e: usize) -> f64 {
        0.0
    }
    /// The largest second derivative of C by each node of the element, in as many entries of `curvatures`.
    fn curvatures(&self, e: usize, k: usize, x: &[Vec3], curvatures: &mut [f64]);
    /// The largest |eigenvalue| of W C'' at most, with the inverse masses W that nodes move by [1/kg]: of few nodes the sum of what each turns by.
    /// `room` is for a number a node.
    fn turning(&self, e: usize, k: usize, x: &[Vec3], inverse: &dyn Fn(u32) -> f64, room: &mut [f64]) -> f64 {
        self.curvatures(e, k, x, room);
        self.nodes(e).iter().zip(room).map(|(&n, curvature)| inverse(n) * *curvature).sum()
    }
    /// These elements alone, in this order: what is visited one after the other then lies one after the other in memory. `None` where that gains
    /// nothing.
    fn in_order(&self, _elements: &[u32]) -> Option<Box<dyn Projection>> {
        None
    }
    /// Projects constraints of this family one after the other, and moves `x` [m]. `gradients` is room for those of one.
    fn project(&self, rows: &mut [Row], by: &Projecting, gradients: &mut [Vec3], x: &mut [Vec3]) {
        one_by_one(self, rows, by, gradients, x);
    }
    /// Whether the constraints of an element are visited as one, one after the other. [`Projection::changes`] then is of whole elements, and sees
    /// what each did to its own nodes, but for [`Projecting::at_once`].
    fn visits_wholes(&self) -> bool {
        false
    }
    /// Whether its multipliers are vectors ([`Row::pull`]).
    fn is_of_lines(&self) -> bool {
        false
    }
    /// Of a line: how much longer it is at `x` than at `start` [m].
    fn longer(&self, e: usize, start: &[Vec3], x: &[Vec3]) -> f64 {
        let (Some(&first), Some(&last)) = (self.nodes(e).first(), self.nodes(e).last()) else { return 0.0 };
        let edge = |x: &[Vec3]| x[last as usize] - x[first as usize];
        line::longer(&edge(x), &edge(start))
    }
    /// Whether each strand of its elements can be solved as a whole.
    fn is_of_strands(&self) -> bool {
        false
    }
    /// How far each of `rows`, all of one element, has gone along its gradient from `start` to `x` [m]: grad C . (x - start). `gradients` is room for
    /// those of one.
    fn ways(&self, rows: &[Row], [start, x]: [&[Vec3]; 2], gradients: &mut [Vec3], ways: &mut [f64]) {
        for (row, way) in rows.iter().zip(ways) {
            let e = row.element as usize;
            self.constraint(e, row.which as usize, x, gradients);
            *way = match self.is_of_lines() {
                true => gradients[0].norm() * self.longer(e, start, x),
                false => self.nodes(e).iter().zip(&*gradients).map(|(&n, by)| by.dot(&(x[n as usize] - start[n as usize]))).sum(),
            };
        }
    }
    /// Energy [J] of element `e` with its nodes at `at` [m], which may be followed by others.
    fn energy_of(&self, _e: usize, _at: &[Vec3]) -> f64 {
        0.0
    }
    /// Gradient of the same [N] and second derivatives [N/m], by its nodes and row by row, in as many entries.
    fn linearised(&self, _e: usize, _at: &[Vec3], _projected: bool, _gradient: &mut [Vec3], _blocks: &mut [Mat3]) {}
    /// Takes away what no constraint of element `e` sees of its nodes at `x` [m], or a share of it, after each projection of one.
    fn settle(&self, _e: usize, _by: &Projecting, _x: &mut [Vec3]) {}
    /// Hands over the forces of element `e` in the balance that are of no constraint [N], where it is turned as at `x`. In the given shape they
    /// are those of what [`Projection::settle`] takes away.
    fn add_beside(&self, _e: usize, _x: &[Vec3], _add: &mut dyn FnMut(u32, Vec3)) {}
    /// The changes of the multipliers of constraints that all see the same `x` [m], and their gradients, each in as much room. Of lines the
    /// gradients are the changes of the vectors, of which the whole is taken.
    fn changes(&self, rows: &[Row], by: &Projecting, changes: &mut [f64], gradients: &mut [Vec3], x: &[Vec3]) {
        all_at_once(self, rows, by, changes, gradients, x);
    }
    /// Goes on by what [`Projection::changes`] found, and moves `x` [m].
    fn apply(&self, rows: &mut [Row], by: &Projecting, changes: &[f64], gradients: &[Vec3], x: &mut [Vec3]) {
        apply_all(self, rows, by, changes, gradients, x);
    }
}

/// A constraint that is projected.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    /// Element of its family.
    pub element: u32,
    /// Which of the element's constraints.
    pub which: u32,
    /// alpha.
    pub compliance: f64,
    /// What is added to C.
    pub shift: f64,
    /// Stiffness-proportional damping [s].
    pub damping: f64,
    /// The multiplier of this part of a step; of a line the share of changes that was taken.
    pub multiplier: f64,
    /// Of a line: what pulls its first node, over the mass of which it is its way [kg m].
    pub pull: Vec3,
}

impl Row {
    /// Goes on by this share of a change.
    #[inline(always)]
    pub fn add(&mut self, is_line: bool, change: f64, gradients: &[Vec3]) {
        self.multiplier += change;
        if is_line {
            self.pull += change * gradients[0];
        }
    }
}

/// How far nodes move under an impulse: inverse masses, with what supports hold.
#[derive(Debug, Clone, Default)]
pub struct Mobility {
    /// Of each node [1/kg]; 0 where it is held.
    pub inverse: Vec<f64>,
    /// Projectors onto the directions in which nodes slide; empty where none does.
    pub allowed: Vec<Option<Mat3>>,
}

impl Mobility {
    /// Inverse mass [1/kg].
    #[inline]
    pub fn inverse(&self, node: u32) -> f64 {
        self.inverse[node as usize]
    }

    /// Whether nothing holds it.
    #[inline]
    pub fn is_free(&self, node: u32) -> bool {
        self.inverse[node as usize] > 0.0 && !matches!(self.allowed.get(node as usize), Some(Some(_)))
    }

    /// What is left of a way of a node [m] by what supports hold.
    #[inline]
    pub fn taken(&self, node: u32, way: &Vec3) -> Vec3 {
        match self.allowed.get(node as usize) {
            _ if self.inverse[node as usize] == 0.0 => Vec3::zeros(),
            Some(Some(allowed)) => allowed * way,
            _ => *way,
        }
    }

    /// The change of velocity under an impulse.
    #[inline(always)]
    pub fn moved(&self, node: u32, impulse: &Vec3) -> Vec3 {
        let moved = self.inverse[node as usize] * impulse;
        match self.allowed.get(node as usize) {
            Some(Some(allowed)) => allowed * moved,
            _ => moved,
        }
    }
}

/// What constraints are projected by.
#[derive(Debug, Clone, Copy)]
pub struct Projecting<'s> {
    /// Inverse masses.
    pub mobility: &'s Mobility,
    /// Where the part of the step starts [m].
    pub start: &'s [Vec3],
    /// Size of the part [s].
    pub part: f64,
    /// The share of its error that a constraint takes back, whatever its compliance; `None` where that counts.
    pub share: Option<f64>,
    /// Sweeps in a part of the step.
    pub sweeps: u32,
    /// Whether all constraints see the same positions.
    pub at_once: bool,
}

impl Projecting<'_> {
    /// alpha / h^2 of a constraint, and the share of its error that it takes back.
    #[inline(always)]
    pub(super) fn softness(&self, row: &Row) -> (f64, f64) {
        self.share.map_or((row.compliance / (self.part * self.part), 1.0), |share| (0.0, share))
    }

    /// delta lambda = -(C + a lambda + g grad C . (x - x0)) / ((1 + g) sigma + a) with a = alpha / h^2, the damping g = beta / h and sigma = sum w
    /// |grad C|^2 (Macklin et al. 2016, eq. 18 and 26).
    #[inline(always)]
    fn change(&self, row: &Row, value: f64, nodes: &[u32], gradients: &[Vec3], x: &[Vec3]) -> f64 {
        let mut sigma = 0.0;
        for (&n, by) in nodes.iter().zip(gradients) {
            sigma += by.dot(&self.mobility.moved(n, by));
        }
        let mut along = 0.0;
        if row.damping > 0.0 {
            for (&n, by) in nodes.iter().zip(gradients) {
                along += by.dot(&(x[n as usize] - self.start[n as usize]));
            }
        }
        self.change_of(row, value, sigma, row.damping / self.part * along)
    }

    /// The same where sigma, and what damping adds to C, are known.
    #[inline(always)]
    pub(super) fn change_of(&self, row: &Row, value: f64, sigma: f64, damped: f64) -> f64 {
        let (soft, share) = self.softness(row);
        let resistance = (1.0 + row.damping / self.part) * sigma + soft;
        if !(sigma > 0.0 && resistance.is_finite()) {
            return 0.0;
        }
        -share * (value + row.shift + soft * row.multiplier + damped) / resistance
    }

    /// x += w grad C delta lambda.
    #[inline(always)]
    pub fn apply(&self, nodes: &[u32], gradients: &[Vec3], change: f64, x: &mut [Vec3]) {
        for (&n, by) in nodes.iter().zip(gradients) {
            x[n as usize] += self.mobility.moved(n, &(change * by));
        }
    }
}

/// [`Projection::project`] of multipliers that are numbers.
fn one_by_one<P: Projection + ?Sized>(family: &P, rows: &mut [Row], by: &Projecting, gradients: &mut [Vec3], x: &mut [Vec3]) {
    for row in rows {
        let nodes = family.nodes(row.element as usize);
        let value = family.constraint(row.element as usize, row.which as usize, x, gradients);
        let change = by.change(row, value, nodes, gradients, x);
        row.multiplier += change;
        by.apply(nodes, gradients, change, x);
        family.settle(row.element as usize, by, x);
    }
}

/// [`Projection::changes`] of multipliers that are numbers.
pub(super) fn all_at_once<P: Projection + ?Sized>(
    family: &P,
    rows: &[Row],
    by: &Projecting,
    changes: &mut [f64],
    gradients: &mut [Vec3],
    x: &[Vec3],
) {
    let room = gradients.len() / rows.len().max(1);
    for ((row, change), gradients) in rows.iter().zip(changes).zip(gradients.chunks_exact_mut(room.max(1))) {
        let value = family.constraint(row.element as usize, row.which as usize, x, gradients);
        *change = by.change(row, value, family.nodes(row.element as usize), gradients, x);
    }
}

/// [`Projection::apply`] of constraints that do not know of one another.
pub(super) fn apply_all<P: Projection + ?Sized>(
    family: &P,
    rows: &mut [Row],
    by: &Projecting,
    changes: &[f64],
    gradients: &[Vec3],
    x: &mut [Vec3],
) {
    let (is_line, width) = (family.is_of_lines(), gradients.len() / rows.len().max(1));
    for ((row, change), gradients) in rows.iter_mut().zip(changes).zip(gradients.chunks_exact(width.max(1))) {
        by.apply(family.nodes(row.element as usize), gradients, *change, x);
        row.add(is_line, *change, gradients);
        family.settle(row.element as usize, by, x);
    }
}

impl<E: Element<N, K>, const N: usize, const K: usize> Projection for Batch<E, N, K> {
    fn kept_edges(&self) -> &'static [[usize; 2]] {
        E::kept_edges()
    }
    fn constraints_per_element(&self) -> usize {
        E::constraints()
    }
    #[inline]
    fn constraint(&self, e: usize, k: usize, x: &[Vec3], gradients: &mut [Vec3]) -> f64 {
        let found = self.elements[e].constraint(k, &self.gather(e, x));
        gradients[..N].copy_from_slice(&found.gradients);
        found.value
    }
    fn compliance(&self, e: usize, k: usize) -> f64 {
        self.elements[e].compliance(k).unwrap_or(f64::INFINITY)
    }
    fn curvatures(&self, e: usize, k: usize, x: &[Vec3], curvatures: &mut [f64]) {
        curvatures[..N].copy_from_slice(&self.elements[e].curvatures(k, &self.gather(e, x)));
    }
    fn damping_of(&self, e: usize) -> f64 {
        self.elements[e].damping()
    }
    fn is_of_strands(&self) -> bool {
        E::is_of_strand()
    }
    fn energy_of(&self, e: usize, at: &[Vec3]) -> f64 {
        self.elements[e].energy(&std::array::from_fn(|k| at[k]))
    }
    fn linearised(&self, e: usize, at: &[Vec3], projected: bool, gradient: &mut [Vec3], blocks: &mut [Mat3]) {
        let at = std::array::from_fn(|k| at[k]);
        gradient[..N].copy_from_slice(&self.elements[e].gradient(&at));
        blocks[..N * N].copy_from_slice(self.elements[e].hessian(&at, projected).as_flattened());
    }
    fn is_of_lines(&self) -> bool {
        E::is_line()
    }
    fn in_order(&self, elements: &[u32]) -> Option<Box<dyn Projection>> {
        let nodes = elements.iter().map(|&e| self.connectivity()[e as usize]).collect();
        Some(Box::new(Self::new(elements.iter().map(|&e| self.elements[e as usize].clone()).collect(), nodes)))
    }
    fn project(&self, rows: &mut [Row], by: &Projecting, gradients: &mut [Vec3], x: &mut [Vec3]) {
        if !E::is_line() {
            return one_by_one(self, rows, by, gradients, x);
        }
        for row in rows {
            let ends = self.ends(row.element);
            let change = line::change(&self.elements[row.element as usize], row, ends, by, x);
            row.pull += change;
            by.apply(&ends, &[change, -change], 1.0, x);
        }
    }
    fn changes(&self, rows: &[Row], by: &Projecting, changes: &mut [f64], gradients: &mut [Vec3], x: &[Vec3]) {
        if !E::is_line() {
            return all_at_once(self, rows, by, changes, gradients, x);
        }
        let room = gradients.len() / rows.len().max(1);
        for ((row, change), gradients) in rows.iter().zip(changes).zip(gradients.chunks_exact_mut(room.max(2))) {
            let more = line::change(&self.elements[row.element as usize], row, self.ends(row.element), by, x);
            (*change, gradients[0], gradients[1]) = (1.0, more, -more);
        }
    }
}
