//! What elements make one node or two be pulled with a given force, in one way.

use nalgebra::{Matrix6, Vector6};

use super::Turn;
use crate::element::Family;
use crate::math::{Mat3, Vec3};
use crate::sag_free::problem::BalanceProblem;

/// Volume spanned by directions of unit length below which one of them counts as lying between the others.
const FLAT: f64 = 1e-6;

/// The forces on the nodes of an element that a unit of each of its three coordinates makes.
pub struct Units {
    forces: Vec<Vec3>,
    width: usize,
}

impl Units {
    /// Room for those of any element of `families`.
    pub fn within(families: &[Box<dyn Family>]) -> Self {
        let widest = families.iter().map(|family| family.nodes_per_element()).max().unwrap_or(0);
        Self { forces: vec![Vec3::zeros(); 3 * widest], width: 0 }
    }

    /// Becomes those of the element of a turn; whether it has three coordinates.
    pub fn see(&mut self, problem: &BalanceProblem, turn: &Turn) -> bool {
        let family = &problem.families[turn.family as usize];
        self.width = family.nodes_per_element();
        family.three_forces(turn.element as usize, problem.positions, &mut self.forces)
    }

    /// That of coordinate `k` on node number `at`.
    fn unit(&self, k: usize, at: u32) -> Vec3 {
        self.forces[k * self.width + at as usize]
    }

    /// What the coordinates `s` make on node number `i` [N].
    pub fn pull(&self, s: &[f64; 3], i: usize) -> Vec3 {
        s.iter().enumerate().map(|(k, s)| *s * self.unit(k, i as u32)).sum()
    }
}

/// The coordinates `s` of one element that pull one node as wanted [N], or of two that so pull two; whether there is one way to do so.
pub fn carry(turns: &[Turn], units: &[Units; 2], wanted: &[Vec3; 2], s: &mut [[f64; 3]]) -> bool {
    match (turns, s) {
        ([turn], [s]) => {
            let by = Mat3::from_columns(&[0, 1, 2].map(|k| units[0].unit(k, turn.at)));
            let lengths: f64 = by.column_iter().map(|column| column.norm()).product();
            let found = if by.determinant().abs() > FLAT * lengths { by.lu().solve(&wanted[0]) } else { None };
            found.inspect(|found| s.copy_from_slice(found.as_slice())).is_some()
        }
        ([first, second], [of_first, of_second]) => {
            let column = |(which, turn): (usize, &Turn), k: usize| {
                let [at, other] = [turn.at, turn.other.unwrap_or(turn.at)].map(|at| units[which].unit(k, at));
                Vector6::new(at.x, at.y, at.z, other.x, other.y, other.z)
            };
            let mut by = Matrix6::zeros();
            (0..3).for_each(|k| by.set_column(k, &column((0, first), k)));
            (0..3).for_each(|k| by.set_column(3 + k, &column((1, second), k)));
            // Coordinates of several units.
            let lengths = Vector6::from_iterator(by.column_iter().map(|column| column.norm()));
            if lengths.min() <= 0.0 {
                return false;
            }
            by.column_iter_mut().zip(&lengths).for_each(|(mut column, length)| column /= *length);
            let [a, b] = wanted;
            let wanted = Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z);
            let found = if by.determinant().abs() > FLAT { by.lu().solve(&wanted) } else { None };
            let Some(found) = found.map(|found| found.component_div(&lengths)) else { return false };
            of_first.copy_from_slice(&found.as_slice()[..3]);
            of_second.copy_from_slice(&found.as_slice()[3..]);
            true
        }
        _ => false,
    }
}
