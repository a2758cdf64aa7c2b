//! Turntable camera.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use aplomb_sim::math::{Vec3, bounding_box};
use nalgebra::Matrix4;

/// Share of the room in a view that what is framed fills.
const FILL: f64 = 0.80;
/// How often the middle of a silhouette is sought.
const ROUNDS: usize = 10;
/// Nearest and farthest distance from the target [m].
const DISTANCE: std::ops::RangeInclusive<f64> = 1e-5..=1e6;

/// How far behind the eye of a perspective the eye of an orthographic view stands, so that it is outside of whatever is looked at from
/// near [distances].
const LIFT: f64 = 200.0;

/// A camera that turns about a target, y up.
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
    /// Whether lines that are parallel stay so in the picture, which is as tall as it would be at the target.
    pub orthographic: bool,
}

impl Default for Camera {
    fn default() -> Self {
        Self { target: Vec3::zeros(), yaw: 0.6, pitch: 0.3, distance: 4.0, field_of_view: 0.6, orthographic: false }
    }
}

/// The part of a view in which something is framed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    /// Width over height of the view.
    pub aspect: f64,
    /// Share of the width that is taken at the right side.
    pub right: f64,
}

impl From<f64> for Room {
    /// All of a view of this width over height.
    fn from(aspect: f64) -> Self {
        Self { aspect, right: 0.0 }
    }
}

/// A half-line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it starts [m].
    pub origin: Vec3,
    /// Unit direction.
    pub direction: Vec3,
}

/// A side to look from, along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisView {
    /// From +x.
    Right,
    /// From -x.
    Left,
    /// From +y.
    Top,
    /// From -y.
    Bottom,
    /// From +z.
    Front,
    /// From -z.
    Back,
}

impl AxisView {
    /// Yaw and pitch [radians].
    pub fn angles(self) -> (f64, f64) {
        match self {
            Self::Right => (FRAC_PI_2, 0.0),
            Self::Left => (-FRAC_PI_2, 0.0),
            Self::Top => (0.0, FRAC_PI_2),
            Self::Bottom => (0.0, -FRAC_PI_2),
            Self::Front => (0.0, 0.0),
            Self::Back => (PI, 0.0),
        }
    }
}

impl Camera {
    /// The camera whose perspective is drawn: of an orthographic one from its far eye, where what is parallel converges by less than a pixel
    /// over what is looked at.
    pub fn in_perspective(&self) -> Self {
        if !self.orthographic {
            return *self;
        }
        let field_of_view = 2.0 * ((0.5 * self.field_of_view).tan() * self.distance / self.depth()).atan();
        Self { field_of_view, distance: self.depth(), orthographic: false, ..*self }
    }

    /// Unit vectors to the right, up and towards the viewer. The right one depends on the yaw alone, so that looking
    /// straight down has an upright picture too.
    pub fn axes(&self) -> [Vec3; 3] {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        let right = Vec3::new(cos_yaw, 0.0, -sin_yaw);
        let back = Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
        [right, back.cross(&right), back]
    }

    /// Where it is seen from [m]: in an orthographic view, from far behind.
    pub fn eye(&self) -> Vec3 {
        self.target + self.depth() * self.axes()[2]
    }

    /// Distance between the eye and the target [m].
    pub fn depth(&self) -> f64 {
        if self.orthographic { (1.0 + LIFT) * self.distance } else { self.distance }
    }

    /// From the scene to the camera's axes: x right, y up, looking along -z.
    pub fn view(&self) -> Matrix4<f64> {
        let eye = self.eye();
        let [right, up, back] = self.axes();
        let row = |axis: Vec3| [axis.x, axis.y, axis.z, -axis.dot(&eye)];
        let [r, u, b] = [row(right), row(up), row(back)];
        Matrix4::from_row_slice(&[r, u, b, [0.0, 0.0, 0.0, 1.0]].concat())
    }

    /// From the camera's axes to clip space, depth in [-1, 1] as OpenGL has it. `aspect`: width over height;
    /// `near` and `far` [m] as from [`Camera::depth_range`].
    pub fn projection(&self, aspect: f64, near: f64, far: f64) -> Matrix4<f64> {
        Matrix4::new_perspective(aspect, self.field_of_view, near, far)
    }

    /// Distances between which everything in the box (lowest, highest corner [m]) lies, for a depth buffer of 24 bits.
    pub fn depth_range(&self, bounds: Option<(Vec3, Vec3)>) -> (f64, f64) {
        let (low, high) = bounds.unwrap_or((self.target, self.target));
        let radius = 0.5 * (high - low).norm() + 0.5 * self.distance;
        let middle = (0.5 * (low + high) - self.eye()).norm();
        let far = middle + radius;
        ((middle - radius).max(1e-3 * self.distance.min(far)), far)
    }

    /// The ray through a point of the picture: x and y in [-1, 1], y up. `aspect`: width over height.
    pub fn ray(&self, ndc: [f64; 2], aspect: f64) -> Ray {
        let [right, up, back] = self.axes();
        let reach = (0.5 * self.field_of_view).tan();
        let beside = ndc[0] * reach * aspect * right + ndc[1] * reach * up;
        if self.orthographic {
            return Ray { origin: self.eye() + self.distance * beside, direction: -back };
        }
        Ray { origin: self.eye(), direction: (beside - back).normalize() }
    }

    /// Where a point of the scene [m] lies in the picture, as in [`Camera::ray`]; `None` behind the eye.
    pub fn project(&self, point: Vec3, aspect: f64) -> Option<[f64; 2]> {
        self.projector(aspect)(point)
    }

    /// [`Camera::project`] for many points.
    pub fn projector(&self, aspect: f64) -> impl Fn(Vec3) -> Option<[f64; 2]> + Sync {
        let ([right, up, back], eye) = (self.axes(), self.eye());
        let across = self.orthographic.then_some(0.5 * self.height_at(0.0));
        let (slope, least) = ((0.5 * self.field_of_view).tan(), 1e-9 * self.distance);
        move |point| {
            let from_eye = point - eye;
            let depth = -from_eye.dot(&back);
            let reach = across.unwrap_or(depth * slope);
            (depth > least).then(|| [from_eye.dot(&right) / (reach * aspect), from_eye.dot(&up) / reach])
        }
    }

    /// Height of the picture at a depth of `distance` from the eye [m]; in an orthographic view, at any.
    pub fn height_at(&self, distance: f64) -> f64 {
        let distance = if self.orthographic { self.distance } else { distance };
        2.0 * distance * (0.5 * self.field_of_view).tan()
    }

    /// Turns about the target by angles [radians].
    pub fn orbit(&mut self, yaw: f64, pitch: f64) {
        self.yaw = wrap(self.yaw + yaw);
        self.pitch = (self.pitch + pitch).clamp(-FRAC_PI_2, FRAC_PI_2);
    }

    /// Shifts the picture to the right and up, in picture heights, as if the target were held by the mouse.
    pub fn pan(&mut self, right: f64, up: f64) {
        let height = self.height_at(self.distance);
        let [x, y, _] = self.axes();
        self.target -= height * (right * x + up * y);
    }

    /// Brings the eye to `factor` of its distance from `anchor` [m]; the anchor stays where it is in the picture.
    pub fn zoom(&mut self, factor: f64, anchor: Vec3) {
        let distance = (self.distance * factor).clamp(*DISTANCE.start(), *DISTANCE.end());
        let factor = distance / self.distance;
        self.target = anchor + factor * (self.target - anchor);
        self.distance = distance;
    }

    /// Where a ray of this camera meets the plane through the target that faces the eye [m].
    pub fn on_target_plane(&self, ray: &Ray) -> Vec3 {
        let back = self.axes()[2];
        ray.origin - ray.direction * (self.depth() / ray.direction.dot(&back))
    }

    /// The camera from the same side with the box (lowest, highest corner [m]) filling the picture.
    pub fn framed(&self, bounds: (Vec3, Vec3), room: impl Into<Room>) -> Self {
        let corner = |k: usize| Vec3::from_fn(|axis, _| if k >> axis & 1 == 0 { bounds.0[axis] } else { bounds.1[axis] });
        self.framed_around((0..8).map(corner), room)
    }

    /// The camera from the same side, with the silhouette of `points` [m] in the middle of the room and filling it. It turns about a
    /// point in their midst.
    pub fn framed_around(&self, points: impl IntoIterator<Item = Vec3>, room: impl Into<Room>) -> Self {
        let room = room.into();
        let axes = self.axes();
        let seen: Vec<Vec3> = points.into_iter().map(|point| Vec3::from_fn(|k, _| point.dot(&axes[k]))).collect();
        if seen.is_empty() {
            return *self;
        }
        let (low, high) = bounding_box(&seen);
        let place = |x: f64, y: f64, z: f64| x * axes[0] + y * axes[1] + z * axes[2];
        let depth = 0.5 * (low.z + high.z);
        if (high - low).norm() == 0.0 {
            // A single point is looked at from where it is.
            return Self { target: place(low.x, low.y, depth), ..*self };
        }
        let reach = (0.5 * self.field_of_view).tan();
        // Along each axis of the picture: how much of it there is at a distance of one, and from where to where it is to be filled.
        let along = [(reach * room.aspect, -room.right, FILL * (1.0 - room.right)), (reach, 0.0, FILL)];
        if self.orthographic {
            // As large at any depth: the larger of two spans decides.
            let needed = [0, 1].map(|k| (high[k] - low[k]) / (2.0 * along[k].2 * along[k].0));
            let distance = needed[0].max(needed[1]).clamp(*DISTANCE.start(), *DISTANCE.end());
            let middle = [0, 1].map(|k| 0.5 * (low[k] + high[k]) - along[k].1 * along[k].0 * distance);
            return Self { target: place(middle[0], middle[1], depth), distance, ..*self };
        }
        // No point may be seen beyond either edge: what that asks of the eye's distance does not depend on where the middle is.
        let edges = [0, 1].map(|k| {
            let (reach, middle, half) = along[k];
            let edge =
                |sign: f64| seen.iter().map(|p| sign * p[k] + reach * (half + sign * middle) * p.z).fold(f64::NEG_INFINITY, f64::max);
            (edge(1.0), edge(-1.0))
        });
        let needed = edges.iter().zip(along).map(|((right, left), (reach, _, half))| (right + left) / (2.0 * half * reach));
        let eye = needed.fold(f64::NEG_INFINITY, f64::max);
        let distance = (eye - depth).clamp(*DISTANCE.start(), *DISTANCE.end());
        let eye = depth + distance;
        // Where both edges are reached, this is the middle; along the other axis it is where to look for it from.
        let mut middle = [0, 1].map(|k| 0.5 * (edges[k].0 - edges[k].1) - along[k].1 * along[k].0 * eye);
        for (k, &(reach, wanted, _)) in along.iter().enumerate() {
            for _ in 0..ROUNDS {
                let ends = seen.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), p| {
                    let at = (p[k] - middle[k]) / (reach * (eye - p.z).max(1e-9 * distance));
                    (least.min(at), most.max(at))
                });
                middle[k] += (0.5 * (ends.0 + ends.1) - wanted) * reach * distance;
            }
        }
        Self { target: place(middle[0], middle[1], depth), distance, ..*self }
    }

    /// The camera from an axis, target and distance kept.
    pub fn seen_from(&self, side: AxisView) -> Self {
        let (yaw, pitch) = side.angles();
        Self { yaw, pitch, ..*self }
    }

    /// A camera between this one (0) and another (1): the shorter way round, the distance by equal ratios.
    pub fn between(&self, other: &Self, t: f64) -> Self {
        Self {
            target: self.target.lerp(&other.target, t),
            yaw: wrap(self.yaw + t * wrap(other.yaw - self.yaw)),
            pitch: self.pitch + t * (other.pitch - self.pitch),
            distance: self.distance * (other.distance / self.distance).powf(t),
            field_of_view: self.field_of_view + t * (other.field_of_view - self.field_of_view),
            orthographic: other.orthographic,
        }
    }
}

/// The angle within [-pi, pi).
fn wrap(angle: f64) -> f64 {
    (angle + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
#[path = "camera_tests.rs"]
mod tests;
