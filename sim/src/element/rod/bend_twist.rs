//! What a joint of a rod measures of the frames of its two segments: the imaginary part of the quaternion that turns the first into the
//! second, in the axes of the first (Kugelstadt, Schömer 2016, eq. 14): the sine of half the angle along the axis, whose third component is
//! twist and whose others are bending.

use nalgebra::{Matrix3x4, Quaternion, Vector4};

use super::orientation::Orientation;
use super::{Measure, Strain, write_frames};
use crate::element::{FamilyKind, FieldKind, Scale, Unattainable};
use crate::math::{Mat3, Vec3};

/// How far the rest angle of a joint may be from the given one [rad]: beyond it a strand under its own weight buckles when it is released.
pub const MOST_CHANGE: f64 = 0.5;
/// The length of what is measured is that of a rotation only below 1.
const LARGEST: f64 = 0.999;

/// Two frames against one another.
#[derive(Debug, Clone)]
pub struct BendTwist {
    /// Arms of the nodes [m].
    pub arms: [f64; 2],
    /// The frames in the given shape.
    pub frames: [Quaternion<f64>; 2],
    /// Half of the length of each of the two segments, together [m].
    pub length: f64,
}

static KIND: FamilyKind = FamilyKind { name: "joints", rest_numbers: 15, fields: &[BENDING, TWISTING, CHANGE] };
pub(super) const BENDING: FieldKind = FieldKind {
    name: "rod bending moment",
    label: "Bending moment",
    unit: "N m",
    doc: "moment that bends a joint of a rod",
    scale: Scale::From0,
};
pub(super) const TWISTING: FieldKind = FieldKind {
    name: "twisting moment",
    label: "Twisting moment",
    unit: "N m",
    doc: "moment that twists a joint of a rod, positive in the sense of a right-handed screw",
    scale: Scale::About0,
};
pub(super) const CHANGE: FieldKind = FieldKind {
    name: "joint angle change",
    label: "Change of angle",
    unit: "rad",
    doc: "by how much a joint of a rod is bent and twisted beyond its rest state; beyond 0.5 rad it is not solved for",
    scale: Scale::From0,
};

/// Quaternions by their coordinates (i, j, k, 1).
fn product(a: &Quaternion<f64>, b: &Vector4<f64>) -> Vector4<f64> {
    (a * Quaternion::from(*b)).coords
}

impl BendTwist {
    fn orientations(&self, x: &[Vec3; 2]) -> [Orientation; 2] {
        [0, 1].map(|k| Orientation::of(&x[k], self.arms[k]))
    }

    /// The second frame in the first, with a real part that is not negative, and which sign that took.
    fn relative(&self, [first, second]: &[Orientation; 2]) -> (Quaternion<f64>, f64) {
        let [a, b] = &self.frames;
        let relative = (first.quaternion() * a).conjugate() * (second.quaternion() * b);
        if relative.w < 0.0 { (-relative, -1.0) } else { (relative, 1.0) }
    }

    /// The quaternion G with f . Im = G . (conj(p) q), for p and q of the two nodes.
    fn pulled(&self, f: &Vec3, sign: f64) -> Quaternion<f64> {
        let [a, b] = &self.frames;
        a * Quaternion::from_imag(sign * f) * b.conjugate()
    }
}

impl Measure<2> for BendTwist {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn value(&self, x: &[Vec3; 2]) -> Vec3 {
        self.relative(&self.orientations(x)).0.imag()
    }

    fn by_nodes(&self, x: &[Vec3; 2]) -> [Mat3; 2] {
        let turned = self.orientations(x);
        let (_, sign) = self.relative(&turned);
        let [p, q] = turned.each_ref().map(Orientation::quaternion);
        let (mut first, mut second) = (Matrix3x4::zeros(), Matrix3x4::zeros());
        for axis in 0..3 {
            let g = self.pulled(&Vec3::ith(axis, 1.0), sign);
            // G . (conj(p) q) = (p G) . q = (q conj(G)) . p
            first.set_row(axis, &(q * g.conjugate()).coords.transpose());
            second.set_row(axis, &(p * g).coords.transpose());
        }
        [first * turned[0].quaternion_by_x(), second * turned[1].quaternion_by_x()]
    }

    fn curvature(&self, x: &[Vec3; 2], f: &Vec3) -> [[Mat3; 2]; 2] {
        let turned = self.orientations(x);
        let (_, sign) = self.relative(&turned);
        let [p, q] = turned.each_ref().map(Orientation::quaternion);
        let g = self.pulled(f, sign);
        let by = turned.each_ref().map(Orientation::quaternion_by_x);
        let moved = |axis: usize| product(&Quaternion::from(by[0].column(axis).into_owned()), &g.coords);
        let rows = [0, 1, 2].map(|axis| moved(axis).transpose() * by[1]);
        let mixed = Mat3::from_rows(&rows);
        let own = [turned[0].quaternion_curvature(&(q * g.conjugate()).coords), turned[1].quaternion_curvature(&(p * g).coords)];
        [[own[0], mixed], [mixed.transpose(), own[1]]]
    }

    /// Of the change, twice its length is the angle; the rest state must be a rotation.
    fn is_attainable(&self, value: &Vec3, change: &Vec3) -> Result<(), Unattainable> {
        let angle = 2.0 * change.norm();
        let mut share = if angle > MOST_CHANGE { MOST_CHANGE / angle } else { 1.0 };
        if (value - share * change).norm() > LARGEST {
            // |value - share change| = LARGEST, on the way from a length below it.
            let (along, left) = (value.dot(change), LARGEST * LARGEST - value.norm_squared());
            let squared = change.norm_squared();
            share = if left > 0.0 { left / ((along * along + squared * left).sqrt() - along) } else { 0.0 };
        }
        if share < 1.0 { Err(Unattainable::RestBend { attainable_share: share, angle }) } else { Ok(()) }
    }

    fn bulk(&self) -> f64 {
        self.length
    }

    /// The frames in the given shape, as x, y, z, w.
    fn further_numbers(&self, numbers: &mut [f64]) {
        write_frames(&self.frames, numbers);
    }

    fn fields(&self, strain: &Strain, values: &mut [f64]) {
        // The torque on the second frame, in the axes of the first.
        let (v, dual) = (&strain.value, &strain.force);
        let moment = 0.5 * ((1.0 - v.norm_squared()).max(0.0).sqrt() * dual + v.cross(dual));
        values.copy_from_slice(&[moment.xy().norm(), moment.z, 2.0 * strain.change.norm()]);
    }
}
