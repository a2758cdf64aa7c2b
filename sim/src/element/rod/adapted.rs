//! The material frame of an edge: that of an internal node, turned by the least rotation that brings its third axis onto the edge (Bergou et al.
//! 2008, section 4.2: directors that are adapted to the centreline). Of a unit quaternion q with the axis z and an edge of direction t it is
//! Q = q - t q z but for its length, linear in each of both; it turns z into t, since t Q = Q z. Q is that of q where q is adapted already, and to
//! first order it does not change where q tilts from there.

use nalgebra::{Matrix4x3, Quaternion, SMatrix, Vector4};

use super::orientation::Orientation;
use crate::math::{Mat3, Vec3};

/// Derivatives by an edge, and by the internal node of its frame.
pub type BySide = SMatrix<f64, 4, 6>;

/// A material frame, and what it depends on.
pub struct Adapted {
    place: Orientation,
    /// The frame in the given shape.
    given: Quaternion<f64>,
    /// The frame of the node.
    frame: Quaternion<f64>,
    /// Direction of the edge.
    along: Vec3,
    /// Length of the edge [m].
    length: f64,
}

/// The third axis of a frame.
fn third() -> Quaternion<f64> {
    Quaternion::from_imag(Vec3::z())
}

impl Adapted {
    /// That of the internal node at `x` [m] with this arm [m], of a frame in the given shape, and of an edge [m].
    pub fn of(x: &Vec3, arm: f64, given: &Quaternion<f64>, edge: &Vec3) -> Self {
        let (place, length) = (Orientation::of(x, arm), edge.norm().max(f64::MIN_POSITIVE));
        Self { frame: place.quaternion() * given, place, given: *given, along: edge / length, length }
    }

    fn along(&self) -> Quaternion<f64> {
        Quaternion::from_imag(self.along)
    }

    /// Q, whose length is 2 where the frame of the node is adapted.
    pub fn quaternion(&self) -> Quaternion<f64> {
        self.frame - self.along() * self.frame * third()
    }

    /// Of the direction by the edge [1/m].
    fn turning(&self) -> Mat3 {
        (Mat3::identity() - self.along * self.along.transpose()) / self.length
    }

    /// Q by the edge and the node [1/m].
    pub fn by_side(&self) -> BySide {
        let (turned, at_rest) = (self.frame * third(), self.given * third());
        let by_direction = Matrix4x3::from_columns(&[0, 1, 2].map(|k| -(Quaternion::from_imag(Vec3::ith(k, 1.0)) * turned).coords));
        let by_place = self.place.quaternion_by_x();
        let mut by = BySide::zeros();
        by.fixed_columns_mut::<3>(0).copy_from(&(by_direction * self.turning()));
        for k in 0..3 {
            let moved = Quaternion::from(by_place.column(k).into_owned());
            by.set_column(3 + k, &(moved * self.given - self.along() * moved * at_rest).coords);
        }
        by
    }

    /// Second derivatives of `a` . Q [1/m^2]: by the edge twice, by edge and node, by the node twice.
    pub fn curvature(&self, a: &Quaternion<f64>) -> [Mat3; 3] {
        let (along, at_rest) = (&self.along, self.given * third());
        // a . (t y) = t . Im(a conj(y))
        let pulled = (a * (self.frame * third()).conjugate()).imag();
        let square = (Mat3::identity() - 3.0 * along * along.transpose()) * pulled.dot(along);
        let of_edge = (square + along * pulled.transpose() + pulled * along.transpose()) / self.length.powi(2);
        let by_place = self.place.quaternion_by_x();
        let by_node = |k: usize| {
            let moved = Quaternion::from(by_place.column(k).into_owned()) * at_rest;
            -(a * moved.conjugate()).imag()
        };
        let mixed = self.turning() * Mat3::from_columns(&[0, 1, 2].map(by_node));
        let on_node: Vector4<f64> = ((a - self.along() * a * third()) * self.given.conjugate()).coords;
        [of_edge, mixed, self.place.quaternion_curvature(&on_node)]
    }
}
