//! Groups as constraints: the squares of their law, and what is not affine taken away after each of them (Muller et al. 2022, eq. 15-20), as
//! far as it costs energy.

use super::seen::Seen;
use super::{Corners, Group, Groups};
use crate::element::projection::{all_at_once, apply_all};
use crate::element::{Projecting, Projection, Row};
use crate::linear::Couplings;
use crate::material::Squares;
use crate::math::{Mat3, Vec3};

impl Group {
    /// C of square `k` of its law where F - I is `gradient`, and its derivative by F.
    pub(super) fn measure(&self, k: usize, gradient: &Mat3) -> (f64, Mat3) {
        let measure = self.material.squares().and_then(|squares| squares.measures.get(k));
        measure.map_or((0.0, Mat3::zeros()), |measure| measure.of(gradient))
    }

    /// Share of what is not affine that goes after each projection. In a part h of a step all of them together take h^2 kappa / (1 + h^2 kappa):
    /// as its energy does in an implicit step. All of it, as in eq. 15, is resisted the more the smaller the parts are: cells that share a face
    /// with what is held could not become thin at all. Where stiffness is no matter, all.
    fn settled(&self, by: &Projecting) -> f64 {
        if by.share.is_some() {
            return 1.0;
        }
        let squares = self.material.squares().map_or(0, |squares| (0..Squares::MOST).filter(|&k| squares.modulus(k) > 0.0).count());
        let times = f64::from(by.sweeps) * squares.max(1) as f64;
        -(-(by.part * by.part * self.stiffening * self.stabiliser).ln_1p() / times).exp_m1()
    }

    /// Projects constraints of its own one after the other, and settles after each: the changes of their multipliers, and the `moves` of its
    /// particles from `x` [m].
    fn project(&self, rows: &[Row], by: &Projecting, nodes: &[u32], x: &[Vec3], changes: &mut [f64], moves: &mut [Vec3]) {
        let mut seen = Seen::of(self, by, nodes, x);
        let left = 1.0 - self.settled(by);
        if nodes.iter().all(|&n| by.mobility.is_free(n)) {
            seen.move_free(rows, left, changes, moves);
        } else {
            seen.move_held(rows, left, changes, moves);
        }
    }

    /// The forces that are of no constraint, and not what the filter takes up: those of a_i. With d_i = r_i - F p_i that is not affine, they
    /// are the gradient of kappa sum m (d_i . F a_i - |F a_i|^2 / 2). In the given shape they are those of the balance that are not affine; they
    /// turn with the group.
    fn add_beside(&self, x: &Corners, mut add: impl FnMut(usize, Vec3)) {
        let f = self.displacement_gradient(x) + Mat3::identity();
        let kappa = self.stiffening * self.stabiliser;
        let unaffine = |i: usize| self.rest.places[i] - self.rest.affine[i];
        let mean: Vec3 = self.masses.iter().enumerate().map(|(i, m)| *m * x.edge(i)).sum::<Vec3>() / self.total_mass;
        let stress: Mat3 = (0..self.width())
            .map(|i| {
                let offset = x.edge(i) - mean - f * self.rest.affine[i];
                self.masses[i] * (offset - f * unaffine(i)) * unaffine(i).transpose()
            })
            .sum();
        for i in 0..self.width() {
            add(i, kappa * (self.masses[i] * (f * unaffine(i)) + stress * self.rest.shape_gradients[i]));
        }
    }
}

impl Groups {
    /// Goes on by what [`Group::project`] found of one element.
    fn go_on(&self, rows: &mut [Row], changes: &[f64], moves: &[Vec3], x: &mut [Vec3]) {
        let nodes = self.nodes(rows[0].element as usize);
        nodes.iter().zip(moves).for_each(|(&n, way)| x[n as usize] += way);
        rows.iter_mut().zip(changes).for_each(|(row, change)| row.multiplier += change);
    }
}

impl Projection for Groups {
    fn constraints_per_element(&self) -> usize {
        Squares::MOST
    }

    fn visits_wholes(&self) -> bool {
        true
    }

    fn project(&self, rows: &mut [Row], by: &Projecting, moves: &mut [Vec3], x: &mut [Vec3]) {
        let mut changes = [0.0; Squares::MOST];
        for rows in rows.chunk_by_mut(|a, b| a.element == b.element) {
            let e = rows[0].element as usize;
            self.elements[e].project(rows, by, self.nodes(e), x, &mut changes, moves);
            self.go_on(rows, &changes, moves, x);
        }
    }

    fn changes(&self, rows: &[Row], by: &Projecting, changes: &mut [f64], moves: &mut [Vec3], x: &[Vec3]) {
        if by.at_once {
            return all_at_once(self, rows, by, changes, moves, x);
        }
        let width = moves.len() / rows.len().max(1);
        let (mut changes, mut moves) = (changes, moves);
        for rows in rows.chunk_by(|a, b| a.element == b.element) {
            let e = rows[0].element as usize;
            let (own_changes, own_moves);
            (own_changes, changes) = changes.split_at_mut(rows.len());
            (own_moves, moves) = moves.split_at_mut(rows.len() * width);
            self.elements[e].project(rows, by, self.nodes(e), x, own_changes, own_moves);
        }
    }

    fn apply(&self, rows: &mut [Row], by: &Projecting, changes: &[f64], moves: &[Vec3], x: &mut [Vec3]) {
        if by.at_once {
            return apply_all(self, rows, by, changes, moves, x);
        }
        let width = moves.len() / rows.len().max(1);
        let mut first = 0;
        for rows in rows.chunk_by_mut(|a, b| a.element == b.element) {
            self.go_on(rows, &changes[first..], &moves[first * width..], x);
            first += rows.len();
        }
    }

    fn constraint(&self, e: usize, k: usize, x: &[Vec3], gradients: &mut [Vec3]) -> f64 {
        let group = &self.elements[e];
        let (value, by_gradient) = group.measure(k, &group.displacement_gradient(&self.corners(e, x)));
        gradients.iter_mut().zip(&group.rest.shape_gradients).for_each(|(by, g)| *by = by_gradient * g);
        value
    }

    fn ways(&self, rows: &[Row], [start, x]: [&[Vec3]; 2], _: &mut [Vec3], ways: &mut [f64]) {
        let Some(e) = rows.first().map(|row| row.element as usize) else { return };
        let (group, nodes) = (&self.elements[e], self.nodes(e));
        let gradient = group.displacement_gradient(&Corners::new(x, nodes));
        let moved = |n: u32| x[n as usize] - start[n as usize];
        let change: Mat3 = nodes.iter().zip(&group.rest.shape_gradients).map(|(&n, g)| moved(n) * g.transpose()).sum();
        for (row, way) in rows.iter().zip(ways) {
            *way = group.measure(row.which as usize, &gradient).1.dot(&change);
        }
    }

    fn compliance(&self, e: usize, k: usize) -> f64 {
        let group = &self.elements[e];
        let modulus = group.material.squares().map_or(0.0, |squares| squares.modulus(k));
        1.0 / (modulus * group.stiffening * group.rest.volume)
    }

    fn curvatures(&self, e: usize, k: usize, x: &[Vec3], curvatures: &mut [f64]) {
        let group = &self.elements[e];
        let measure = group.material.squares().and_then(|squares| squares.measures.get(k).copied());
        let turn = measure.map_or(0.0, |measure| measure.curvature(&group.displacement_gradient(&self.corners(e, x))));
        curvatures.iter_mut().zip(&group.rest.shape_gradients).for_each(|(curvature, g)| *curvature = turn * g.norm_squared());
    }

    /// Towards x_cm + F p_i (eq. 15), by the masses that particles move with: neither F nor momentum changes. What is held stays where it is.
    fn settle(&self, e: usize, by: &Projecting, x: &mut [Vec3]) {
        let (group, nodes) = (&self.elements[e], self.nodes(e));
        let share = group.settled(by);
        let corners = self.corners(e, x);
        let f = group.displacement_gradient(&corners) + Mat3::identity();
        let first = corners.at(0);
        let mean = first + group.masses.iter().enumerate().map(|(i, m)| *m * corners.edge(i)).sum::<Vec3>() / group.total_mass;
        for (&n, place) in nodes.iter().zip(&group.rest.affine) {
            let target = mean + f * place;
            x[n as usize] += by.mobility.taken(n, &(share * (target - x[n as usize])));
        }
    }

    fn add_beside(&self, e: usize, x: &[Vec3], add: &mut dyn FnMut(u32, Vec3)) {
        let nodes = self.nodes(e);
        self.elements[e].add_beside(&self.corners(e, x), |i, force| add(nodes[i], force));
    }
}
