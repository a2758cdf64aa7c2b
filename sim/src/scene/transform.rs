//! [`Transform`]: where a mesh is put.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::math::Vec3;

/// Scale first, then rotation, then translation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Transform {
    /// Uniform scale.
    #[schemars(range(max = 1e6), extend("exclusiveMinimum" = 0.0))]
    pub scale: f64,
    /// Rotations about x, then y, then z [degrees].
    #[schemars(inner(range(min = -3600.0, max = 3600.0)))]
    pub rotate_degrees: [f64; 3],
    /// Translation [m].
    #[schemars(inner(range(min = -1e6, max = 1e6)))]
    pub translate: [f64; 3],
}

impl Default for Transform {
    fn default() -> Self {
        Self { scale: 1.0, rotate_degrees: [0.0; 3], translate: [0.0; 3] }
    }
}

impl Transform {
    /// Puts points where the transform says: scale, rotation, translation.
    pub fn apply(&self, points: &mut [Vec3]) {
        let (rotation, translation) = (crate::math::rotation(self.rotate_degrees), Vec3::from(self.translate));
        points.iter_mut().for_each(|x| *x = rotation * (*x * self.scale) + translation);
    }

    /// Puts points back from where the transform put them.
    pub fn undo(&self, points: &mut [Vec3]) {
        let (rotation, translation) = (crate::math::rotation(self.rotate_degrees), Vec3::from(self.translate));
        points.iter_mut().for_each(|x| *x = rotation.tr_mul(&(*x - translation)) / self.scale);
    }
}
