//! A hinge: two triangles that meet at an edge, and the moment about it as one unknown force (Hsu et al. 2022, 5.2).
//!
//! The angle theta between their normals is signed and zero where they are flat: theta = atan2((n1 x n2) . e / |e|, n1 . n2). A rest state is
//! known by the angle of the given shape and by how much more that is than the rest angle: there the moment is exact to the last bit.

mod angle;
mod law;
#[cfg(test)]
mod tests;

pub use angle::{angle, angle_gradient, lever};
pub use law::{HINGE_LAWS, HingeLaw, hinge_law};

use super::{Constraint, Element, Fact, FamilyKind, FieldKind, Scale, Unattainable};
use crate::math::{Mat3, Vec3};
use angle::{angle_and_gradient, angle_hessian, folded};

/// How far a rest angle may be from the given one [rad]: a hinge beyond it folds shut when it is released.
pub const MOST_CHANGE: f64 = 1.0;

/// A hinge about the edge of its first two nodes; the others are the tips of its wings.
#[derive(Debug, Clone)]
pub struct Hinge {
    /// Its law.
    pub law: &'static HingeLaw,
    /// Stiffness of its angle [N m].
    stiffness: f64,
    /// Angle in the given shape [rad].
    given_angle: f64,
    /// That less the rest angle [rad].
    given_change: f64,
    /// Length of its edge where it is undeformed [m].
    rest_length: f64,
    /// Whether it is flat where it is undeformed, and not as in the shape that it is given: cloth of a sewing pattern.
    is_flat: bool,
    /// Factor on the authored stiffness.
    stiffening: f64,
    /// Stiffness-proportional damping [s].
    damping: f64,
}

static KIND: FamilyKind = FamilyKind { name: "hinges", rest_numbers: 3, fields: &[MOMENT, ANGLE_CHANGE, REST_ANGLE] };
pub(super) const MOMENT: FieldKind = FieldKind {
    name: "bending moment",
    label: "Bending moment",
    unit: "N",
    doc: "moment about an edge, per metre of it: positive where it would fold towards the side of the normals",
    scale: Scale::About0,
};
pub(super) const ANGLE_CHANGE: FieldKind = FieldKind {
    name: "angle change",
    label: "Change of angle",
    unit: "rad",
    doc: "angle at an edge less its rest angle; beyond 1 rad it would fold shut when it is released",
    scale: Scale::About0,
};
pub(super) const REST_ANGLE: FieldKind = FieldKind {
    name: "rest angle",
    label: "Rest angle",
    unit: "rad",
    doc: "angle at an edge where it is undeformed; 0 where it is flat",
    scale: Scale::About0,
};

impl Hinge {
    /// A hinge of a sheet with bending rigidity `rigidity` [N m] that is undeformed at `x` [m]: k = D l^2 / (A1 + A2).
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where a triangle has no area.
    pub fn new(law: &'static HingeLaw, rigidity: f64, x: &[Vec3; 4]) -> Result<Self, Unattainable> {
        let [edge, areas] = lever(x).ok_or(Unattainable::Degenerate)?;
        Ok(Self {
            law,
            stiffness: rigidity * edge * edge / areas,
            given_angle: angle(x),
            given_change: 0.0,
            rest_length: edge,
            is_flat: false,
            stiffening: 1.0,
            damping: 0.0,
        })
    }

    /// A hinge of a sheet that is cut flat: its edge is `edge` long there [m], its triangles have these `areas` together [m^2], and in the given
    /// shape its nodes are at `x` [m].
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where a triangle has no area.
    pub fn flat(law: &'static HingeLaw, rigidity: f64, edge: f64, areas: f64, x: &[Vec3; 4]) -> Result<Self, Unattainable> {
        if !(edge > 0.0 && areas > 0.0) {
            return Err(Unattainable::Degenerate);
        }
        let hinge = Self { stiffness: rigidity * edge * edge / areas, rest_length: edge, is_flat: true, ..Self::new(law, rigidity, x)? };
        hinge.at_rest(x)
    }

    /// Its rest angle [rad].
    pub fn rest_angle(&self) -> f64 {
        folded(self.given_angle - self.given_change)
    }

    /// Its angle at `x` and how much more that is than its rest angle [rad].
    fn turned(&self, x: &[Vec3; 4]) -> (f64, f64) {
        let angle = angle(x);
        (angle, self.changed(angle))
    }

    fn changed(&self, angle: f64) -> f64 {
        self.given_change + folded(angle - self.given_angle)
    }

    fn stiffened_stiffness(&self) -> f64 {
        self.stiffening * self.stiffness
    }

    /// How far its rest angle may be from the given one where it makes a moment of this sign [rad]: of what is cut flat a radian beyond flat, as
    /// it is released to that.
    fn most_change(&self, given_angle: f64, moment: f64) -> f64 {
        let to_flat = if self.is_flat { (given_angle * moment.signum()).max(0.0) } else { 0.0 };
        MOST_CHANGE + to_flat
    }

    fn moment(&self, x: &[Vec3; 4]) -> f64 {
        let (angle, change) = self.turned(x);
        (self.law.moment)(self.stiffened_stiffness(), angle, change)
    }
}

impl Element<4, 1> for Hinge {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn energy(&self, x: &[Vec3; 4]) -> f64 {
        let (angle, change) = self.turned(x);
        (self.law.energy)(self.stiffened_stiffness(), angle, change)
    }

    fn gradient(&self, x: &[Vec3; 4]) -> [Vec3; 4] {
        let moment = self.moment(x);
        angle_gradient(x).map(|by| moment * by)
    }

    /// Projected: without the curvature of the angle, which has negative directions wherever there is a moment.
    fn hessian(&self, x: &[Vec3; 4], projected: bool) -> [[Mat3; 4]; 4] {
        let (angle, change) = self.turned(x);
        let slope = (self.law.slope)(self.stiffened_stiffness(), angle, change);
        let slope = if projected { slope.max(0.0) } else { slope };
        let by = angle_gradient(x);
        let mut blocks = [[Mat3::zeros(); 4]; 4];
        for i in 0..4 {
            for j in i..4 {
                let block = slope * (by[i] * by[j].transpose());
                blocks[i][j] = block;
                blocks[j][i] = block.transpose();
            }
        }
        if !projected {
            let moment = (self.law.moment)(self.stiffened_stiffness(), angle, change);
            let curvature = angle_hessian(x);
            for (row, curved) in blocks.iter_mut().zip(&curvature) {
                row.iter_mut().zip(curved).for_each(|(block, curved)| *block += moment * curved);
            }
        }
        blocks
    }

    fn force_basis(&self, x: &[Vec3; 4]) -> [[Vec3; 4]; 1] {
        [angle_gradient(x).map(|by| -by)]
    }

    fn inverse_weight(&self, _: &[Vec3; 4]) -> [[f64; 1]; 1] {
        [[self.stiffness]]
    }

    fn force_coordinates(&self, x: &[Vec3; 4]) -> [f64; 1] {
        [self.moment(x)]
    }

    fn authored_coordinates(&self, x: &[Vec3; 4]) -> Option<[f64; 1]> {
        let angle = angle(x);
        self.is_flat.then(|| [(self.law.moment)(self.stiffened_stiffness(), angle, angle)])
    }

    fn with_rest_for(&self, x: &[Vec3; 4], s: &[f64; 1]) -> Result<Self, Unattainable> {
        lever(x).ok_or(Unattainable::Degenerate)?;
        let given_angle = angle(x);
        let most = self.most_change(given_angle, s[0]);
        let found = (self.law.change)(self.stiffened_stiffness(), given_angle, s[0], most);
        let given_change = found.map_err(|attainable_share| Unattainable::RestAngle { attainable_share, most })?;
        Ok(Self { given_angle, given_change, ..self.clone() })
    }

    fn at_rest(&self, x: &[Vec3; 4]) -> Result<Self, Unattainable> {
        lever(x).ok_or(Unattainable::Degenerate)?;
        let given_angle = angle(x);
        Ok(Self { given_angle, given_change: if self.is_flat { given_angle } else { 0.0 }, ..self.clone() })
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    /// A third of its triangles: those of all edges are as much again as the membranes.
    fn bulk(&self, x: &[Vec3; 4]) -> f64 {
        lever(x).map_or(0.0, |[_, areas]| areas / 3.0)
    }

    fn stiffening(&self) -> f64 {
        self.stiffening
    }

    fn stiffened(&self, factor: f64) -> Self {
        Self { stiffening: factor, ..self.clone() }
    }

    fn fields(&self, x: &[Vec3; 4], values: &mut [f64]) {
        values.copy_from_slice(&[self.moment(x) / self.rest_length, self.turned(x).1, self.rest_angle()]);
    }

    fn facts(&self, x: &[Vec3; 4]) -> Vec<Fact> {
        vec![
            Fact::one("angle", "rad", "between its two triangles now; 0 where they are flat", angle(x)),
            Fact::one("length", "m", "of its edge now", (x[1] - x[0]).norm()),
            Fact::one("stiffness", "N m", "moment over the change of its angle, as authored", self.stiffness),
        ]
    }

    /// Rest angle, angle of the given shape less that, factor on the stiffness.
    fn rest_numbers(&self, numbers: &mut [f64]) {
        numbers.copy_from_slice(&[self.rest_angle(), self.given_change, self.stiffening]);
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        (self.given_change, self.stiffening) = (numbers[1], numbers[2]);
    }

    fn given_at(&mut self, x: &[Vec3; 4]) {
        (self.given_angle, self.given_change) = self.turned(x);
    }

    fn compliance(&self, _k: usize) -> Option<f64> {
        self.law.is_quadratic.then(|| 1.0 / self.stiffened_stiffness())
    }

    fn without_compliance() -> &'static str {
        "its moment is not proportional to the angle; choose `angle` or `isometric`, or an implicit stepper"
    }

    fn constraint(&self, _k: usize, x: &[Vec3; 4]) -> Constraint<4> {
        let (angle, gradients) = angle_and_gradient(x);
        Constraint { value: self.changed(angle), gradients }
    }

    fn curvatures(&self, _k: usize, x: &[Vec3; 4]) -> [f64; 4] {
        let hessian = angle_hessian(x);
        std::array::from_fn(|node| hessian[node][node].norm())
    }

    fn max_step(&self, _: &[Vec3; 4], _: &[Vec3; 4]) -> f64 {
        1.0
    }
}
