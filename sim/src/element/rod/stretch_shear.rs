//! What a segment of a rod measures of its edge: how its own frame sees it. Its length is the stretch, its tilt the shear.

use super::orientation::Orientation;
use super::{Measure, Strain};
use crate::element::spring::TENSION;
use crate::element::{FamilyKind, FieldKind, Scale, Unattainable};
use crate::math::{Mat3, Vec3};

/// The edge from the first node to the second in the frame of the third [m].
#[derive(Debug, Clone)]
pub struct StretchShear {
    /// Arm of the frame's node [m].
    pub arm: f64,
    /// Length in the given shape [m].
    pub length: f64,
}

static KIND: FamilyKind = FamilyKind { name: "rods", rest_numbers: 7, fields: &[TENSION, SHEAR] };
const SHEAR: FieldKind =
    FieldKind { name: "shear force", label: "Shear force", unit: "N", doc: "force across a segment of a rod", scale: Scale::From0 };

impl Measure<3> for StretchShear {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn value(&self, x: &[Vec3; 3]) -> Vec3 {
        Orientation::of(&x[2], self.arm).turned_back(&(x[1] - x[0]))
    }

    fn by_nodes(&self, x: &[Vec3; 3]) -> [Mat3; 3] {
        let (frame, edge) = (Orientation::of(&x[2], self.arm), x[1] - x[0]);
        let along = frame.inverse();
        let rows = [0, 1, 2].map(|axis| frame.gradient(&edge, &Vec3::ith(axis, 1.0)).transpose());
        [-along, along, Mat3::from_rows(&rows)]
    }

    fn curvature(&self, x: &[Vec3; 3], f: &Vec3) -> [[Mat3; 3]; 3] {
        let (frame, edge) = (Orientation::of(&x[2], self.arm), x[1] - x[0]);
        let rows = [0, 1, 2].map(|axis| frame.gradient(&Vec3::ith(axis, 1.0), f).transpose());
        let mixed = Mat3::from_rows(&rows);
        let none = Mat3::zeros();
        let own = frame.curvature(&edge, f);
        [[none, none, -mixed], [none, none, mixed], [-mixed.transpose(), mixed.transpose(), own]]
    }

    /// The edge where it is undeformed must not point the other way.
    fn is_attainable(&self, value: &Vec3, change: &Vec3) -> Result<(), Unattainable> {
        let (whole, left) = (value.norm_squared(), value.dot(&(value - change)));
        if left > 0.0 { Ok(()) } else { Err(Unattainable::NoRestLength { attainable_share: whole / (whole - left) }) }
    }

    fn bulk(&self) -> f64 {
        self.length
    }

    fn fields(&self, strain: &Strain, values: &mut [f64]) {
        let axis = strain.value.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let tension = strain.force.dot(&axis);
        values.copy_from_slice(&[tension, (strain.force - tension * axis).norm()]);
    }
}
