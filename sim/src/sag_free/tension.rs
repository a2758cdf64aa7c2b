//! Tension shift (Hsu et al. 2022, eq. 31-33): the global stage looks for the forces nearest to a tension in place of the
//! least ones, so that a body that is held all round comes to rest stretched, which keeps it from buckling.
//!
//! The tension s0 is that of elements which all want to be shorter by a strain beta. With s = s0 + ds the problem is the
//! old one, for loads f + B s0. What of s0 the body can give way to is then taken back: with a free end, nearly all of it.
//! Positive beta pulls: the sign that eq. 33 has in print would push. In a bar between two walls the stress becomes E beta, times the
//! square of the elements' quality, which is in W: that keeps the tension of a free body exactly zero.
//!
//! Where elements have a rest shape that their author gave them, a sewing pattern, s0 has the forces that it makes in the given shape too: of
//! all rest states in balance the one that leaves the pattern the least is looked for, min 1/2 (s - s0)^T W (s - s0).

use super::problem::{BalanceProblem, Cable, Forces};
use crate::element::{Family, OneSided};
use crate::math::Vec3;
use crate::scene::InitialiseSettings;

/// Which of the forces in balance are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// Those nearest to a tension of this strain.
    pub strain: f64,
    /// How many times as much a spring that pushes counts as one that pulls ([`super::less_push`]); 1: as much.
    pub push_weight: f64,
}

impl From<&InitialiseSettings> for Wish {
    fn from(settings: &InitialiseSettings) -> Self {
        Self { strain: settings.tension, push_weight: settings.push_weight }
    }
}

/// Force coordinates s0 that those in balance are to be nearest to: of a uniform tension, and of the rest shapes that authors gave.
pub struct Tension(Vec<Vec<f64>>);

impl Tension {
    /// That of a contraction by the strain `strain` in all directions, s0 = W^-1 B^T (-beta x), beside the forces of rest shapes of their
    /// authors'.
    pub fn new(families: &[Box<dyn Family>], positions: &[Vec3], strain: f64) -> Self {
        let contraction: Vec<Vec3> = positions.iter().map(|x| -strain * x).collect();
        let of_family = |family: &dyn Family| {
            let mut s = vec![0.0; family.len() * family.coordinates_per_element()];
            if strain != 0.0 {
                family.coordinates_from_dual(positions, &contraction, &mut s);
            }
            if let Some(own) = family.authored_coordinates(positions) {
                s.iter_mut().zip(&own).for_each(|(s, own)| *s += own);
            }
            s
        };
        Self(families.iter().map(|family| of_family(family.as_ref())).collect())
    }

    /// These force coordinates of each family.
    pub fn of(coordinates: Vec<Vec<f64>>) -> Self {
        Self(coordinates)
    }

    /// Force coordinates of each family.
    pub fn coordinates(&self) -> &[Vec<f64>] {
        &self.0
    }

    /// The elements that only pull, each with its part of the tension as what it is to be nearest to.
    pub fn cables(&self, families: &[Box<dyn Family>], positions: &[Vec3]) -> Vec<Cable> {
        let of_family = |(family, own): (usize, &dyn Family)| {
            let cable = move |element: OneSided| Cable { family, wanted: self.0[family][element.element], element };
            own.one_sided(positions).into_iter().map(cable).collect::<Vec<_>>()
        };
        families.iter().map(|family| family.as_ref()).enumerate().flat_map(of_family).collect()
    }

    /// `loads` with the tension's forces on the nodes [N].
    pub fn added_to(&self, loads: &[Vec3], families: &[Box<dyn Family>], positions: &[Vec3]) -> Vec<Vec3> {
        let mut sum = loads.to_vec();
        for (family, s) in families.iter().zip(&self.0) {
            family.add_forces(positions, s, &mut sum);
        }
        sum
    }

    /// Turns the forces that balance the shifted loads into those that balance the loads of `problem`.
    pub fn shift(&self, problem: &BalanceProblem, forces: &mut Forces) {
        for (sum, s0) in forces.coordinates.iter_mut().zip(&self.0) {
            sum.iter_mut().zip(s0).for_each(|(sum, s0)| *sum += s0);
        }
        // Those between nodes that are held were asked for nothing, and only pull all the same.
        for Cable { family, element, .. } in problem.cables {
            let pull = &mut forces.coordinates[*family][element.element];
            *pull = if *pull < 0.0 { 0.0 } else { *pull };
        }
        problem.measure(forces);
    }
}
