//! Cosserat rods: segments between vertices, each with a frame that is an internal node, and joints between the frames of neighbours.
//!
//! Both elements measure a vector g of their nodes, in axes of a frame, and have the energy 1/2 (g - G)^T K (g - G) with the rest vector G: of
//! a [`StretchShear`] it is the edge [m] and K = E A / l, of a [`BendTwist`] the imaginary part of the relative quaternion and
//! K = diag(4 E I, 4 E I, 4 G J) / l (Kugelstadt, Schömer 2016; Deul et al. 2018). What forces g can pull with depends on the nodes
//! alone, and so the rest state for wanted forces s = -K (g - G) is one subtraction.
//!
//! Discrete elastic rods (Bergou et al. 2008, 2010) are other measures of the same nodes: a [`StretchTilt`] of an edge and a [`CurvatureTwist`] of two
//! edges that follow one another. There is no shear; what bends and twists are frames that follow the edges, of which the internal nodes have the
//! twist alone.
//!
//! Like a stitch, an element knows g in the given shape, and how much more that is than G: there its force is exact to the last bit.

mod adapted;
mod bend_twist;
mod curvature_twist;
#[cfg(test)]
mod discrete_tests;
mod orientation;
mod projected;
mod stretch_shear;
mod stretch_tilt;
#[cfg(test)]
mod tests;

use nalgebra::Quaternion;

pub use bend_twist::{BendTwist, MOST_CHANGE};
pub use curvature_twist::CurvatureTwist;
pub use orientation::Orientation;
pub use stretch_shear::StretchShear;
pub use stretch_tilt::StretchTilt;

use self::projected::projected_blocks;

use super::{Constraint, Element, Fact, FamilyKind, Unattainable};
use crate::math::{Mat3, Vec3};

/// A vector that an element measures of its nodes.
pub trait Measure<const N: usize>: Clone + Send + Sync + 'static {
    /// What the family of its elements is.
    fn kind() -> &'static FamilyKind;
    /// The vector.
    fn value(&self, x: &[Vec3; N]) -> Vec3;
    /// By each node.
    fn by_nodes(&self, x: &[Vec3; N]) -> [Mat3; N];
    /// Second derivatives of `f` . value.
    fn curvature(&self, x: &[Vec3; N], f: &Vec3) -> [[Mat3; N]; N];
    /// Whether a rest state may be so much less than the value.
    ///
    /// # Errors
    /// The share of the change that may.
    fn is_attainable(&self, value: &Vec3, change: &Vec3) -> Result<(), Unattainable>;
    /// Length of rod that it stands for [m].
    fn bulk(&self) -> f64;
    /// Writes what else a rest state needs to be understood elsewhere.
    fn further_numbers(&self, _numbers: &mut [f64]) {}
    /// The fields of its kind.
    fn fields(&self, strain: &Strain, values: &mut [f64]);
}

/// How an element is strained.
pub struct Strain {
    /// What it measures.
    pub value: Vec3,
    /// That less its rest value.
    pub change: Vec3,
    /// K times the change: what pulls its value back.
    pub force: Vec3,
}

/// Writes the frames of a joint in the given shape, as x, y, z, w of each.
fn write_frames(frames: &[Quaternion<f64>; 2], numbers: &mut [f64]) {
    numbers.chunks_exact_mut(4).zip(frames).for_each(|(numbers, frame)| numbers.copy_from_slice(frame.coords.as_slice()));
}

/// An element that resists the change of what it measures.
#[derive(Debug, Clone)]
pub struct Rod<M> {
    measure: M,
    /// Diagonal of K as authored.
    stiffness: Vec3,
    /// g in the given shape, as it is rounded.
    given: Vec3,
    /// That less G.
    given_change: Vec3,
    /// Factor on the authored stiffness.
    stiffening: f64,
    /// Stiffness-proportional damping [s].
    damping: f64,
}

/// A segment: its ends, and its frame.
pub type Segment = Rod<StretchShear>;
/// A joint: the frames of two segments that follow one another.
pub type Joint = Rod<BendTwist>;
/// A segment of a discrete elastic rod: its ends, and the internal node of its frame.
pub type DiscreteSegment = Rod<StretchTilt>;
/// A joint of one: the three nodes of two segments that follow one another, and the internal nodes of both.
pub type DiscreteJoint = Rod<CurvatureTwist>;

impl Segment {
    /// One of stretching stiffness `stretching` = E A [N] that is undeformed at `x`, with this arm of its frame [m].
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where it has no length.
    pub fn new(stretching: f64, arm: f64, x: &[Vec3; 3]) -> Result<Self, Unattainable> {
        let length = (x[1] - x[0]).norm();
        if !(length > 0.0 && length.is_finite()) {
            return Err(Unattainable::Degenerate);
        }
        Ok(Self::undeformed(StretchShear { arm, length }, Vec3::repeat(stretching / length), x))
    }
}

impl Joint {
    /// One of bending stiffness E I and twisting stiffness G J [N m^2] that is undeformed where nothing is turned.
    pub fn new(bending: f64, twisting: f64, measure: BendTwist) -> Self {
        let stiffness = 4.0 / measure.length * Vec3::new(bending, bending, twisting);
        Self::undeformed(measure, stiffness, &[Vec3::zeros(); 2])
    }
}

impl DiscreteSegment {
    /// One of stretching stiffness E A [N] and bending stiffness E I [N m^2] that is undeformed at `x`, with this frame along it and this arm of the
    /// frame [m]. It resists tilt as half of it resists bending.
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where it has no length.
    pub fn new([stretching, bending]: [f64; 2], arm: f64, frame: Quaternion<f64>, x: &[Vec3; 3]) -> Result<Self, Unattainable> {
        let length = (x[1] - x[0]).norm();
        if !(length > 0.0 && length.is_finite()) {
            return Err(Unattainable::Degenerate);
        }
        let stiffness = Vec3::new(2.0 * bending, 2.0 * bending, stretching) / length;
        Ok(Self::undeformed(StretchTilt::new(StretchShear { arm, length }, frame), stiffness, x))
    }
}

impl DiscreteJoint {
    /// One of bending stiffness E I and twisting stiffness G J [N m^2] that is undeformed at `x`.
    pub fn new(bending: f64, twisting: f64, measure: CurvatureTwist, x: &[Vec3; 5]) -> Self {
        let stiffness = Vec3::new(bending, bending, twisting) / measure.length;
        Self::undeformed(measure, stiffness, x)
    }
}

impl<M> Rod<M> {
    fn undeformed<const N: usize>(measure: M, stiffness: Vec3, x: &[Vec3; N]) -> Self
    where
        M: Measure<N>,
    {
        let given = measure.value(x);
        Self { measure, stiffness, given, given_change: Vec3::zeros(), stiffening: 1.0, damping: 0.0 }
    }

    fn stiffened_stiffness(&self) -> Vec3 {
        self.stiffening * self.stiffness
    }

    /// What it measures where it is undeformed.
    pub fn rest(&self) -> Vec3 {
        self.given - self.given_change
    }

    fn change<const N: usize>(&self, x: &[Vec3; N]) -> Vec3
    where
        M: Measure<N>,
    {
        // The difference first: it vanishes in the given shape.
        self.given_change + (self.measure.value(x) - self.given)
    }
}

impl<M: Measure<N>, const N: usize> Element<N, 3> for Rod<M> {
    fn kind() -> &'static FamilyKind {
        M::kind()
    }

    /// Its nodes are no points alone: a torque on a frame balances what forces on points leave.
    fn energy(&self, x: &[Vec3; N]) -> f64 {
        let change = self.change(x);
        0.5 * change.dot(&self.stiffened_stiffness().component_mul(&change))
    }

    fn gradient(&self, x: &[Vec3; N]) -> [Vec3; N] {
        let force = self.stiffened_stiffness().component_mul(&self.change(x));
        self.measure.by_nodes(x).map(|by| by.tr_mul(&force))
    }

    /// Projected: without the directions in which it has negative curvature, where it has any.
    fn hessian(&self, x: &[Vec3; N], projected: bool) -> [[Mat3; N]; N] {
        let stiffness = self.stiffened_stiffness();
        let (by, change) = (self.measure.by_nodes(x), self.change(x));
        let force = stiffness.component_mul(&change);
        let bent = self.measure.curvature(x, &force);
        let mut blocks = [[Mat3::zeros(); N]; N];
        for i in 0..N {
            for j in i..N {
                let block = by[i].tr_mul(&(Mat3::from_diagonal(&stiffness) * by[j])) + bent[i][j];
                let block = if i == j { 0.5 * (block + block.transpose()) } else { block };
                blocks[i][j] = block;
                blocks[j][i] = block.transpose();
            }
        }
        if projected && change != Vec3::zeros() { projected_blocks(blocks) } else { blocks }
    }

    /// What a unit along each axis of what it measures pulls with.
    fn force_basis(&self, x: &[Vec3; N]) -> [[Vec3; N]; 3] {
        let by = self.measure.by_nodes(x);
        [0, 1, 2].map(|axis| by.map(|by| -by.row(axis).transpose()))
    }

    fn inverse_weight(&self, _: &[Vec3; N]) -> [[f64; 3]; 3] {
        Mat3::from_diagonal(&self.stiffness).into()
    }

    fn force_coordinates(&self, x: &[Vec3; N]) -> [f64; 3] {
        self.stiffened_stiffness().component_mul(&self.change(x)).into()
    }

    fn with_rest_for(&self, x: &[Vec3; N], s: &[f64; 3]) -> Result<Self, Unattainable> {
        let given = self.measure.value(x);
        let given_change = Vec3::from(*s).component_div(&self.stiffened_stiffness());
        self.measure.is_attainable(&given, &given_change)?;
        Ok(Self { given, given_change, ..self.clone() })
    }

    fn at_rest(&self, x: &[Vec3; N]) -> Result<Self, Unattainable> {
        Ok(Self { given: self.measure.value(x), given_change: Vec3::zeros(), ..self.clone() })
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    fn bulk(&self, _: &[Vec3; N]) -> f64 {
        self.measure.bulk()
    }

    fn stiffening(&self) -> f64 {
        self.stiffening
    }

    fn stiffened(&self, factor: f64) -> Self {
        Self { stiffening: factor, ..self.clone() }
    }

    fn fields(&self, x: &[Vec3; N], values: &mut [f64]) {
        let change = self.change(x);
        let force = self.stiffened_stiffness().component_mul(&change);
        self.measure.fields(&Strain { value: self.measure.value(x), change, force }, values);
    }

    fn facts(&self, x: &[Vec3; N]) -> Vec<Fact> {
        vec![
            Fact::several("measured", "", "what it resists the change of, in axes of a frame", self.measure.value(x).iter().copied()),
            Fact::several("measured at rest", "", "the same where it is undeformed", self.rest().iter().copied()),
        ]
    }

    /// Rest value, value in the given shape less that, factor on the stiffness, and what the measure adds.
    fn rest_numbers(&self, numbers: &mut [f64]) {
        numbers[..3].copy_from_slice(self.rest().as_slice());
        numbers[3..6].copy_from_slice(self.given_change.as_slice());
        numbers[6] = self.stiffening;
        self.measure.further_numbers(&mut numbers[7..]);
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        self.given_change = Vec3::from_column_slice(&numbers[3..6]);
        self.stiffening = numbers[6];
    }

    fn given_at(&mut self, x: &[Vec3; N]) {
        self.given_change = self.change(x);
        self.given = self.measure.value(x);
    }

    fn is_of_strand() -> bool {
        true
    }

    /// One for each axis.
    fn constraints() -> usize {
        3
    }

    fn compliance(&self, k: usize) -> Option<f64> {
        Some(1.0 / self.stiffened_stiffness()[k])
    }

    fn constraint(&self, k: usize, x: &[Vec3; N]) -> Constraint<N> {
        Constraint { value: self.change(x)[k], gradients: self.measure.by_nodes(x).map(|by| by.row(k).transpose()) }
    }

    fn curvatures(&self, k: usize, x: &[Vec3; N]) -> [f64; N] {
        let curvature = self.measure.curvature(x, &Vec3::ith(k, 1.0));
        std::array::from_fn(|node| curvature[node][node].norm())
    }

    /// Nothing of it can turn inside out.
    fn max_step(&self, _: &[Vec3; N], _: &[Vec3; N]) -> f64 {
        1.0
    }
}
