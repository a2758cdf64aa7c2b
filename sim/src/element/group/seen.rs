//! [`Seen`]: a group while its constraints are projected, as its particles move.

use super::{Corners, Group};
use crate::element::{Projecting, Row};
use crate::math::{Mat3, Vec3};

/// What the constraints of a group go by. All of them see F alone, which is followed from one to the next: from the last to the first, which is
/// of the volume, and to be kept best (Macklin, Muller 2021).
pub struct Seen<'s> {
    group: &'s Group,
    by: &'s Projecting<'s>,
    nodes: &'s [u32],
    x: &'s [Vec3],
    /// F - I.
    gradient: Mat3,
    /// How much of it came about in this part of the step.
    since_start: Mat3,
    /// Centre of mass [m].
    mean: Vec3,
    /// M = sum w g g^T [1/kg/m^2]: lambda P moves x_i by w_i lambda P g_i, and F by lambda P M.
    mobile: Mat3,
    /// What P moves the centre of mass by [1/kg/m].
    lever: Vec3,
}

impl<'s> Seen<'s> {
    /// A group at `x` [m].
    pub fn of(group: &'s Group, by: &'s Projecting, nodes: &'s [u32], x: &'s [Vec3]) -> Self {
        let (rest, corners) = (&group.rest, Corners::new(x, nodes));
        let (mut gradient, mut since_start) = (rest.given_gradient, Mat3::zeros());
        let (mut mobile, mut lever, mut mean) = (Mat3::zeros(), Vec3::zeros(), Vec3::zeros());
        let numbers = rest.shape_gradients.iter().zip(&rest.given_edges).zip(&group.masses);
        for (i, (&n, ((g, given), mass))) in nodes.iter().zip(numbers).enumerate() {
            let (edge, inverse) = (corners.edge(i), by.mobility.inverse(n));
            gradient += (edge - given) * g.transpose();
            since_start += (x[n as usize] - by.start[n as usize]) * g.transpose();
            mobile += inverse * g * g.transpose();
            mean += *mass * edge;
            lever += *mass * inverse * g;
        }
        let mean = corners.at(0) + mean / group.total_mass;
        Self { group, by, nodes, x, gradient, since_start, mean, mobile, lever: lever / group.total_mass }
    }

    fn change(&self, row: &Row, value: f64, direction: &Mat3, sigma: f64) -> f64 {
        self.by.change_of(row, value, sigma, row.damping / self.by.part * direction.dot(&self.since_start))
    }

    /// Where nothing holds the particles: what is not affine is `left` after each, and they are moved once, by all of it.
    pub fn move_free(&mut self, rows: &[Row], left: f64, changes: &mut [f64], moves: &mut [Vec3]) {
        let before = self.gradient + Mat3::identity();
        // All of lambda P; what of it particles have each by itself; what is left of their offsets.
        let (mut all, mut own, mut of_offset) = (Mat3::zeros(), Mat3::zeros(), 1.0);
        for (row, found) in rows.iter().zip(changes).rev() {
            let (value, direction) = self.group.measure(row.which as usize, &self.gradient);
            let turned = direction * self.mobile;
            let change = self.change(row, value, &direction, direction.dot(&turned));
            self.gradient += change * turned;
            self.since_start += change * turned;
            all += change * direction;
            (own, of_offset) = (left * (own + change * direction), left * of_offset);
            *found = change;
        }
        let affine = all - own;
        let (way, stretch) = (affine * self.lever, affine * self.mobile);
        let rest = &self.group.rest;
        for ((&n, way_of), (place, g)) in self.nodes.iter().zip(moves).zip(rest.affine.iter().zip(&rest.shape_gradients)) {
            let offset = self.x[n as usize] - self.mean - before * place;
            *way_of = self.by.mobility.inverse(n) * (own * g) + way + stretch * place - (1.0 - of_offset) * offset;
        }
    }

    /// Where something does: what is taken of their ways, their neighbours feel.
    pub fn move_held(&mut self, rows: &[Row], left: f64, changes: &mut [f64], moves: &mut [Vec3]) {
        let (group, by, nodes) = (self.group, self.by, self.nodes);
        let (rest, moves) = (&group.rest, &mut moves[..nodes.len()]);
        moves.fill(Vec3::zeros());
        for (row, found) in rows.iter().zip(changes).rev() {
            let (value, direction) = self.group.measure(row.which as usize, &self.gradient);
            let pulls = || nodes.iter().zip(&rest.shape_gradients).map(|(&n, g)| (n, direction * g));
            let sigma = pulls().map(|(n, pull)| pull.dot(&by.mobility.moved(n, &pull))).sum();
            let change = self.change(row, value, &direction, sigma);
            for (i, (n, pull)) in pulls().enumerate() {
                self.add(i, by.mobility.moved(n, &(change * pull)), moves);
            }
            let f = self.gradient + Mat3::identity();
            let mean = self.mean;
            for (i, (&n, place)) in nodes.iter().zip(&rest.affine).enumerate() {
                let offset = self.x[n as usize] + moves[i] - mean - f * place;
                self.add(i, by.mobility.taken(n, &((left - 1.0) * offset)), moves);
            }
            *found = change;
        }
    }

    /// Moves particle `i`.
    fn add(&mut self, i: usize, way: Vec3, moves: &mut [Vec3]) {
        let change = way * self.group.rest.shape_gradients[i].transpose();
        self.gradient += change;
        self.since_start += change;
        self.mean += self.group.masses[i] / self.group.total_mass * way;
        moves[i] += way;
    }
}
