//! What a segment of a discrete elastic rod measures of its edge: its length, and how far the edge is tilted against the third axis of the frame
//! of its internal node, as 2 tan(angle / 2) across. A rod without shear has frames whose third axes are along its edges; here the frame that
//! follows the edge ([`super::adapted::Adapted`]) is what bends and twists, whatever the tilt, so that nothing but this pulls at it and in equilibrium
//! it is 0. Where a clamp holds the frame it is the bend of half a segment between the clamp and the middle of the edge.

use nalgebra::{Quaternion, UnitQuaternion};

use super::stretch_shear::StretchShear;
use super::{MOST_CHANGE, Measure, Strain};
use crate::element::spring::TENSION;
use crate::element::{FamilyKind, FieldKind, Scale, Unattainable};
use crate::math::{Mat3, Vec3};

/// The edge from the first node to the second, beside the frame of the third.
#[derive(Debug, Clone)]
pub struct StretchTilt {
    edge: StretchShear,
    /// The frame in the given shape.
    given: Quaternion<f64>,
    /// Its axes, as rows.
    axes: Mat3,
}

static KIND: FamilyKind = FamilyKind { name: "discrete rods", rest_numbers: 11, fields: &[TENSION, CLAMPING] };
const CLAMPING: FieldKind = FieldKind {
    name: "clamping moment",
    label: "Clamping moment",
    unit: "N m",
    doc: "moment with which a clamp bends the segment that begins there; a segment that is not clamped has none",
    scale: Scale::From0,
};

/// How an edge lies in the axes of a frame.
struct Tilt {
    edge: Vec3,
    length: f64,
    /// Direction of the edge.
    along: Vec3,
    /// Length of the edge and its third component [m]: 0 where it points the other way.
    sum: f64,
}

impl Tilt {
    fn value(&self) -> Vec3 {
        Vec3::new(2.0 * self.edge.x / self.sum, 2.0 * self.edge.y / self.sum, self.length)
    }

    fn gradient(&self) -> Mat3 {
        let more = self.along + Vec3::z();
        let row = |axis: usize| (2.0 / self.sum * Vec3::ith(axis, 1.0) - 2.0 * self.edge[axis] / self.sum.powi(2) * more).transpose();
        Mat3::from_rows(&[row(0), row(1), self.along.transpose()])
    }

    /// Second derivatives of `f` . value.
    fn curvature(&self, f: &Vec3) -> Mat3 {
        let across = Vec3::new(f.x, f.y, 0.0);
        let (tilted, more) = (across.dot(&self.edge), self.along + Vec3::z());
        let turning = (Mat3::identity() - self.along * self.along.transpose()) / self.length;
        let pairs = across * more.transpose();
        let square = self.sum.powi(2);
        let outer = 4.0 * tilted / (square * self.sum) * more * more.transpose();
        (f.z - 2.0 * tilted / square) * turning - 2.0 / square * (pairs + pairs.transpose()) + outer
    }
}

impl StretchTilt {
    /// Of an edge with a frame along it in the given shape.
    pub fn new(edge: StretchShear, given: Quaternion<f64>) -> Self {
        let axes = UnitQuaternion::new_unchecked(given).to_rotation_matrix().transpose().into_inner();
        Self { edge, given, axes }
    }

    fn tilt(&self, x: &[Vec3; 3]) -> Tilt {
        let edge = self.axes * self.edge.value(x);
        let length = edge.norm().max(f64::MIN_POSITIVE);
        Tilt { edge, length, along: edge / length, sum: (length + edge.z).max(f64::EPSILON * length) }
    }
}

impl Measure<3> for StretchTilt {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn value(&self, x: &[Vec3; 3]) -> Vec3 {
        self.tilt(x).value()
    }

    fn by_nodes(&self, x: &[Vec3; 3]) -> [Mat3; 3] {
        let by = self.tilt(x).gradient() * self.axes;
        self.edge.by_nodes(x).map(|edge| by * edge)
    }

    fn curvature(&self, x: &[Vec3; 3], f: &Vec3) -> [[Mat3; 3]; 3] {
        let tilt = self.tilt(x);
        let edge = self.edge.by_nodes(x);
        let bent = self.axes.tr_mul(&(tilt.curvature(f) * self.axes));
        let mut blocks = self.edge.curvature(x, &self.axes.tr_mul(&tilt.gradient().tr_mul(f)));
        for (blocks, first) in blocks.iter_mut().zip(&edge) {
            blocks.iter_mut().zip(&edge).for_each(|(block, second)| *block += first.tr_mul(&(bent * second)));
        }
        blocks
    }

    /// A length must be left, and a clamp bends as a joint does.
    fn is_attainable(&self, value: &Vec3, change: &Vec3) -> Result<(), Unattainable> {
        let (angle, left) = (change.xy().norm(), value.z - change.z);
        let of_length = if left > 0.0 { 1.0 } else { value.z / change.z };
        let of_tilt = if angle > MOST_CHANGE { MOST_CHANGE / angle } else { 1.0 };
        match of_length.min(of_tilt) {
            1.0 => Ok(()),
            share if of_length < of_tilt => Err(Unattainable::NoRestLength { attainable_share: share }),
            share => Err(Unattainable::RestBend { attainable_share: share, angle }),
        }
    }

    fn bulk(&self) -> f64 {
        self.edge.length
    }

    /// The frame in the given shape, as x, y, z, w.
    fn further_numbers(&self, numbers: &mut [f64]) {
        numbers.copy_from_slice(self.given.coords.as_slice());
    }

    fn fields(&self, strain: &Strain, values: &mut [f64]) {
        // What is measured of directions is conformal: it changes by 1 / cos^2(angle / 2) of their turn.
        let moment = (1.0 + 0.25 * strain.value.xy().norm_squared()) * strain.force.xy().norm();
        values.copy_from_slice(&[strain.force.z, moment]);
    }
}
