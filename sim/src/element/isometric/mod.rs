//! A hinge whose energy is quadratic in its nodes where it is flat at rest: isometric bending (Bergou, Wardetzky, Harmon, Zorin, Grinspun
//! 2006, *A Quadratic Bending Model for Inextensible Surfaces*), with a rest curvature and one unknown force.
//!
//! With the bend vector u = sum K_i x_i and the normal n of [`bend`], the energy is k/2 |u - r n|^2. A hinge that is flat at rest (r = 0) has
//! k/2 |u|^2, whose Hessian never changes and has no negative directions. With r = 2 sin(Theta/2) and triangles that keep their shapes it is
//! k/2 (2 sin(theta/2) - 2 sin(Theta/2))^2: smooth through flat, where a rest length |u| = r would have no direction, and with a sign, so that
//! folding up is told from folding down. It depends on nothing but distances and sides, so there is no net force and no torque anywhere.
//!
//! The weights are those of the given shape, where u is along n to rounding. There the derivative of n drops out, so that the force is
//! -M K_i n, linear in M = k (u . n - r): one unknown, whatever the rest state. Elsewhere triangles that are stretched make u turn away from
//! n, and the energy resists that too: as much as it bends, it also stiffens the sheet in its plane a little, by about D/h^2 beside Y. The
//! model is one of sheets that hardly stretch.

mod bend;
#[cfg(test)]
mod tests;

use super::hinge::{self, ANGLE_CHANGE, MOMENT, MOST_CHANGE, REST_ANGLE};
use super::{Constraint, Element, Fact, FamilyKind, Unattainable};
use crate::math::{Mat3, Vec3};
use bend::{Bend, Weights};

/// An isometric hinge about the edge of its first two nodes; the others are the tips of its wings.
#[derive(Debug, Clone)]
pub struct IsometricHinge {
    /// k [N m].
    stiffness: f64,
    /// Those of the shapes of its triangles at rest.
    weights: Weights,
    /// u . n in the given shape.
    given_bend: f64,
    /// That less r.
    given_change: f64,
    /// Length of its edge where it is undeformed [m].
    rest_length: f64,
    /// Factor on the authored stiffness.
    stiffening: f64,
    /// Stiffness-proportional damping [s].
    damping: f64,
}

static KIND: FamilyKind = FamilyKind { name: "isometric hinges", rest_numbers: 7, fields: &[MOMENT, ANGLE_CHANGE, REST_ANGLE] };

/// Below it what is across n has no direction: as much is in the round-off of positions.
const NO_DIRECTION: f64 = 1e-11;

/// The angle theta with 2 sin(theta/2) = `bend` [rad].
fn angle_of(bend: f64) -> f64 {
    2.0 * (0.5 * bend).clamp(-1.0, 1.0).asin()
}

impl IsometricHinge {
    /// A hinge of a sheet with bending rigidity `rigidity` [N m] that is undeformed at `x` [m]: k = D l^2 / (A1 + A2).
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where a triangle has no area.
    pub fn new(rigidity: f64, x: &[Vec3; 4]) -> Result<Self, Unattainable> {
        let [edge, areas] = hinge::lever(x).ok_or(Unattainable::Degenerate)?;
        let weights = Weights::of(x).ok_or(Unattainable::Degenerate)?;
        Ok(Self {
            stiffness: rigidity * edge * edge / areas,
            weights,
            given_bend: Bend::of(&weights, x).along,
            given_change: 0.0,
            rest_length: edge,
            stiffening: 1.0,
            damping: 0.0,
        })
    }

    /// Its rest angle [rad].
    pub fn rest_angle(&self) -> f64 {
        angle_of(self.rest_bend())
    }

    /// r.
    fn rest_bend(&self) -> f64 {
        self.given_bend - self.given_change
    }

    fn bend(&self, x: &[Vec3; 4]) -> Bend {
        Bend::of(&self.weights, x)
    }

    /// u . n - r: in the given shape to the last bit.
    fn change(&self, bend: &Bend) -> f64 {
        self.given_change + (bend.along - self.given_bend)
    }

    fn stiffened_stiffness(&self) -> f64 {
        self.stiffening * self.stiffness
    }
}

impl Element<4, 1> for IsometricHinge {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn energy(&self, x: &[Vec3; 4]) -> f64 {
        let bend = self.bend(x);
        0.5 * self.stiffened_stiffness() * (self.change(&bend).powi(2) + bend.across.norm_squared())
    }

    fn gradient(&self, x: &[Vec3; 4]) -> [Vec3; 4] {
        let bend = self.bend(x);
        let (k, rest) = (self.stiffened_stiffness(), self.rest_bend());
        let away = bend.across + self.change(&bend) * bend.normal;
        let turned = bend.normal_by();
        // Of u - r n what is along n does not turn it.
        std::array::from_fn(|i| k * (bend.weights[i] * away - rest * turned[i].tr_mul(&bend.across)))
    }

    /// Projected: of the curvature of the normal, which only hinges that are bent at rest have, what is positive: a hinge that is bent farther
    /// than at rest resists being turned.
    fn hessian(&self, x: &[Vec3; 4], projected: bool) -> [[Mat3; 4]; 4] {
        let bend = self.bend(x);
        let (k, rest) = (self.stiffened_stiffness(), self.rest_bend());
        let turned = bend.normal_by();
        let by: [Mat3; 4] = std::array::from_fn(|i| Mat3::from_diagonal_element(bend.weights[i]) - rest * turned[i]);
        let change = self.change(&bend);
        let curvature = (!projected).then(|| bend.normal_curvature(change));
        let mut blocks = [[Mat3::zeros(); 4]; 4];
        for i in 0..4 {
            for j in i..4 {
                let mut block = k * by[i].tr_mul(&by[j]);
                block += match &curvature {
                    Some(curvature) => -k * rest * curvature[i][j],
                    None => k * (rest * change).max(0.0) * turned[i].tr_mul(&turned[j]),
                };
                let block = if i == j { 0.5 * (block + block.transpose()) } else { block };
                blocks[i][j] = block;
                blocks[j][i] = block.transpose();
            }
        }
        blocks
    }

    /// By the shapes that the triangles have at `x`, which are those of the weights of every rest state that is solved for there.
    fn force_basis(&self, x: &[Vec3; 4]) -> [[Vec3; 4]; 1] {
        let Some(weights) = Weights::of(x) else { return [[Vec3::zeros(); 4]] };
        let normal = Bend::of(&weights, x).normal;
        [weights.by_node().map(|weight| -weight * normal)]
    }

    fn inverse_weight(&self, _: &[Vec3; 4]) -> [[f64; 1]; 1] {
        [[self.stiffness]]
    }

    fn force_coordinates(&self, x: &[Vec3; 4]) -> [f64; 1] {
        [self.stiffened_stiffness() * self.change(&self.bend(x))]
    }

    fn with_rest_for(&self, x: &[Vec3; 4], s: &[f64; 1]) -> Result<Self, Unattainable> {
        let rested = self.at_rest(x)?;
        let change = s[0] / self.stiffened_stiffness();
        // The rest angle that is a radian away, or folded shut.
        let end = (angle_of(rested.given_bend) - MOST_CHANGE.copysign(change)).clamp(-std::f64::consts::PI, std::f64::consts::PI);
        let most = (rested.given_bend - 2.0 * (0.5 * end).sin()).abs();
        if change.abs() > most {
            return Err(Unattainable::RestAngle { attainable_share: most / change.abs(), most: MOST_CHANGE });
        }
        Ok(Self { given_change: change, ..rested })
    }

    fn at_rest(&self, x: &[Vec3; 4]) -> Result<Self, Unattainable> {
        let weights = Weights::of(x).ok_or(Unattainable::Degenerate)?;
        Ok(Self { weights, given_bend: Bend::of(&weights, x).along, given_change: 0.0, ..self.clone() })
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    /// As of [`hinge::Hinge`].
    fn bulk(&self, x: &[Vec3; 4]) -> f64 {
        hinge::lever(x).map_or(0.0, |[_, areas]| areas / 3.0)
    }

    fn stiffening(&self) -> f64 {
        self.stiffening
    }

    fn stiffened(&self, factor: f64) -> Self {
        Self { stiffening: factor, ..self.clone() }
    }

    fn fields(&self, x: &[Vec3; 4], values: &mut [f64]) {
        let bend = self.bend(x);
        let (angle, rest) = (angle_of(bend.along), self.rest_angle());
        // The force k (u . n - r) of a bend, over its slope by the angle.
        let moment = self.stiffened_stiffness() * self.change(&bend) * (0.5 * angle).cos();
        values.copy_from_slice(&[moment / self.rest_length, angle - rest, rest]);
    }

    fn facts(&self, x: &[Vec3; 4]) -> Vec<Fact> {
        vec![
            Fact::one("angle", "rad", "between its two triangles now; 0 where they are flat", hinge::angle(x)),
            Fact::one("length", "m", "of its edge now", (x[1] - x[0]).norm()),
            Fact::one("stiffness", "N m", "moment over the change of its angle where it is flat, as authored", self.stiffness),
        ]
    }

    /// Rest angle, u . n - r in the given shape, factor on the stiffness, u . n there, and the weights of b, c and d.
    fn rest_numbers(&self, numbers: &mut [f64]) {
        let [b, c, d] = self.weights.numbers();
        numbers.copy_from_slice(&[self.rest_angle(), self.given_change, self.stiffening, self.given_bend, b, c, d]);
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        (self.given_change, self.stiffening, self.given_bend) = (numbers[1], numbers[2], numbers[3]);
        self.weights = Weights::from_numbers([numbers[4], numbers[5], numbers[6]]);
    }

    fn constraints() -> usize {
        2
    }

    /// Of u . n - r, and of the length of what is across n.
    fn compliance(&self, _k: usize) -> Option<f64> {
        Some(1.0 / self.stiffened_stiffness())
    }

    fn constraint(&self, k: usize, x: &[Vec3; 4]) -> Constraint<4> {
        let bend = self.bend(x);
        let turned = bend.normal_by();
        if k == 0 {
            let gradients = std::array::from_fn(|i| bend.weights[i] * bend.normal + turned[i].tr_mul(&bend.across));
            return Constraint { value: self.change(&bend), gradients };
        }
        let value = bend.across.norm();
        let unit = if value > NO_DIRECTION { bend.across / value } else { Vec3::zeros() };
        Constraint { value, gradients: std::array::from_fn(|i| bend.weights[i] * unit - bend.along * turned[i].tr_mul(&unit)) }
    }

    /// Of the second no less than it: in a given shape it is none, and carries nothing.
    fn curvatures(&self, k: usize, x: &[Vec3; 4]) -> [f64; 4] {
        let bend = self.bend(x);
        let (turned, curvature) = (bend.normal_by(), bend.normal_curvature(bend.along));
        let across = bend.across.norm();
        let of_first = |i: usize| {
            let both: Mat3 = curvature[i][i] + bend.weights[i] * (turned[i] + turned[i].transpose());
            both.norm()
        };
        let of_second = |i: usize| {
            let (weight, turn, size) = (bend.weights[i].abs(), turned[i].norm(), bend.along.abs() + across);
            (weight + size * turn).powi(2) / across.max(NO_DIRECTION) + 4.0 * turn * (weight + size * turn)
        };
        std::array::from_fn(|i| if k == 0 { of_first(i) } else { of_second(i) })
    }

    fn given_at(&mut self, x: &[Vec3; 4]) {
        let bend = self.bend(x);
        (self.given_bend, self.given_change) = (bend.along, self.change(&bend));
    }

    fn max_step(&self, _: &[Vec3; 4], _: &[Vec3; 4]) -> f64 {
        1.0
    }
}
