//! Turntable camera.

use aplomb_sim::math::Vec3;

/// A perspective camera that turns about a target, y up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The point it looks at and turns about [m].
    pub target: Vec3,
    /// Angle about the vertical axis [radians]; 0 looks along -z.
    pub yaw: f64,
    /// Angle above the horizon [radians], within +-pi/2.
    pub pitch: f64,
    /// Distance from the target [m].
    pub distance: f64,
    /// Vertical field of view [radians].
    pub field_of_view: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { target: Vec3::zeros(), yaw: 0.6, pitch: 0.3, distance: 4.0, field_of_view: 0.6 }
    }
}
