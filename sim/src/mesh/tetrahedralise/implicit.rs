//! Solids by formula: signed distances of simple shapes, and ways to join them (after Quilez, *Distance functions*).
//!
//! Every shape here changes no faster than one metre a metre, so joins of them do neither.

use super::SignedDistanceField;
use crate::math::Vec3;

/// A ball.
#[derive(Debug, Clone, Copy)]
pub struct Sphere {
    /// Centre [m].
    pub centre: Vec3,
    /// Radius [m].
    pub radius: f64,
}

impl SignedDistanceField for Sphere {
    fn distance(&self, p: &Vec3) -> f64 {
        (p - self.centre).norm() - self.radius
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        (self.centre.add_scalar(-self.radius), self.centre.add_scalar(self.radius))
    }
}

/// An ellipsoid along the axes. Its distance is a lower bound, exact on the surface only.
#[derive(Debug, Clone, Copy)]
pub struct Ellipsoid {
    /// Centre [m].
    pub centre: Vec3,
    /// Half axes [m].
    pub radii: Vec3,
}

impl SignedDistanceField for Ellipsoid {
    fn distance(&self, p: &Vec3) -> f64 {
        // The unit ball's distance, scaled by the shortest half axis: slope at most 1.
        ((p - self.centre).component_div(&self.radii).norm() - 1.0) * self.radii.min()
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        (self.centre - self.radii, self.centre + self.radii)
    }
}

/// A box along the axes with rounded edges.
#[derive(Debug, Clone, Copy)]
pub struct RoundedBox {
    /// Centre [m].
    pub centre: Vec3,
    /// Half the size, rounding included [m].
    pub half: Vec3,
    /// Radius of the edges [m], at most the smallest of `half`.
    pub rounding: f64,
}

impl SignedDistanceField for RoundedBox {
    fn distance(&self, p: &Vec3) -> f64 {
        let q = (p - self.centre).abs() - self.half.add_scalar(-self.rounding);
        q.sup(&Vec3::zeros()).norm() + q.max().min(0.0) - self.rounding
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        (self.centre - self.half, self.centre + self.half)
    }
}

/// A torus around a vertical (y) axis.
#[derive(Debug, Clone, Copy)]
pub struct Torus {
    /// Centre [m].
    pub centre: Vec3,
    /// Radius of the circle that the tube follows [m].
    pub ring: f64,
    /// Radius of the tube [m].
    pub tube: f64,
}

impl SignedDistanceField for Torus {
    fn distance(&self, p: &Vec3) -> f64 {
        let q = p - self.centre;
        (q.x.hypot(q.z) - self.ring).hypot(q.y) - self.tube
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        let reach = Vec3::new(self.ring + self.tube, self.tube, self.ring + self.tube);
        (self.centre - reach, self.centre + reach)
    }
}

/// The hull of two balls: a capsule that tapers.
#[derive(Debug, Clone, Copy)]
pub struct RoundCone {
    /// Centres of the balls [m].
    pub ends: [Vec3; 2],
    /// Their radii [m].
    pub radii: [f64; 2],
}

impl SignedDistanceField for RoundCone {
    fn distance(&self, p: &Vec3) -> f64 {
        let axis = self.ends[1] - self.ends[0];
        let length = axis.norm();
        let [r0, r1] = self.radii;
        let from = p - self.ends[0];
        if length <= (r0 - r1).abs() {
            // One ball holds the other.
            return if r0 >= r1 { from.norm() - r0 } else { (p - self.ends[1]).norm() - r1 };
        }
        // In the half plane through p and the axis, where the cone's straight side has the normal (cosine, sine).
        let sine = (r0 - r1) / length;
        let cosine = (1.0 - sine * sine).sqrt();
        let along = from.dot(&axis) / length;
        let across = (from - axis * (along / length)).norm();
        let on_side = cosine * along - sine * across;
        if on_side < 0.0 {
            from.norm() - r0
        } else if on_side > cosine * length {
            (p - self.ends[1]).norm() - r1
        } else {
            cosine * across + sine * along - r0
        }
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        let [a, b] = [0, 1].map(|i| (self.ends[i].add_scalar(-self.radii[i]), self.ends[i].add_scalar(self.radii[i])));
        (a.0.inf(&b.0), a.1.sup(&b.1))
    }
}

/// A tapering tube along a polyline: round cones end to end.
#[derive(Debug, Clone)]
pub struct Tube {
    cones: Vec<RoundCone>,
}

impl Tube {
    /// Through `points` [m] with `radii` [m]; the shorter of the two decides how many are used, and there must be two.
    pub fn new(points: &[Vec3], radii: &[f64]) -> Self {
        let balls: Vec<(Vec3, f64)> = points.iter().copied().zip(radii.iter().copied()).collect();
        Self { cones: balls.windows(2).map(|w| RoundCone { ends: [w[0].0, w[1].0], radii: [w[0].1, w[1].1] }).collect() }
    }
}

impl SignedDistanceField for Tube {
    fn distance(&self, p: &Vec3) -> f64 {
        self.cones.iter().map(|c| c.distance(p)).fold(f64::INFINITY, f64::min)
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        enclosing(self.cones.iter().map(RoundCone::bounds))
    }
}

/// The union of solids, with the grooves between them filled smoothly (the quadratic smooth minimum).
pub struct SmoothUnion {
    /// What is joined, one after the other.
    pub parts: Vec<Box<dyn SignedDistanceField + Send>>,
    /// Surfaces nearer to each other than this are blended [m]; 0 for a sharp union.
    pub blend: f64,
}

impl SignedDistanceField for SmoothUnion {
    fn distance(&self, p: &Vec3) -> f64 {
        self.parts.iter().map(|s| s.distance(p)).fold(f64::INFINITY, |a, b| {
            let overlap = (self.blend - (a - b).abs()).max(0.0);
            a.min(b) - if overlap > 0.0 { overlap * overlap / (4.0 * self.blend) } else { 0.0 }
        })
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        let (low, high) = enclosing(self.parts.iter().map(|s| s.bounds()));
        // Each blend thickens the solid by a quarter of its width at most.
        let thicker = 0.25 * self.blend * self.parts.len() as f64;
        (low.add_scalar(-thicker), high.add_scalar(thicker))
    }
    fn lipschitz(&self) -> f64 {
        self.parts.iter().map(|s| s.lipschitz()).fold(0.0, f64::max)
    }
}

/// What of a solid lies above a height: a flat base to stand on.
#[derive(Debug, Clone, Copy)]
pub struct Above<S> {
    /// What is cut.
    pub solid: S,
    /// Height y of the cut [m].
    pub height: f64,
}

impl<S: SignedDistanceField> SignedDistanceField for Above<S> {
    fn distance(&self, p: &Vec3) -> f64 {
        self.solid.distance(p).max(self.height - p.y)
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        let (mut low, high) = self.solid.bounds();
        low.y = low.y.max(self.height);
        (low, high)
    }
    fn lipschitz(&self) -> f64 {
        self.solid.lipschitz().max(1.0)
    }
}

/// A solid moved by `by`.
#[derive(Debug, Clone, Copy)]
pub struct Translated<S> {
    /// What is moved.
    pub solid: S,
    /// Where to [m].
    pub by: Vec3,
}

impl<S: SignedDistanceField> SignedDistanceField for Translated<S> {
    fn distance(&self, p: &Vec3) -> f64 {
        self.solid.distance(&(p - self.by))
    }
    fn bounds(&self) -> (Vec3, Vec3) {
        let (low, high) = self.solid.bounds();
        (low + self.by, high + self.by)
    }
    fn lipschitz(&self) -> f64 {
        self.solid.lipschitz()
    }
}

/// The box that encloses boxes.
fn enclosing(boxes: impl Iterator<Item = (Vec3, Vec3)>) -> (Vec3, Vec3) {
    boxes.fold((Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)), |(low, high), b| (low.inf(&b.0), high.sup(&b.1)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn round_cone_is_the_hull_of_its_balls() {
        let cone = RoundCone { ends: [Vec3::zeros(), Vec3::new(0.0, 2.0, 0.0)], radii: [1.0, 0.4] };
        // The distance to the hull of balls is the least over the balls in between, with linear radii.
        for i in 0..200 {
            let p = Vec3::new((i * 37 % 61) as f64 / 20.0, (i * 53 % 97) as f64 / 20.0 - 1.5, (i * 29 % 41) as f64 / 20.0);
            let least = (0..=4000)
                .map(|s| s as f64 / 4000.0)
                .map(|s| (p - Vec3::new(0.0, 2.0 * s, 0.0)).norm() - (1.0 - 0.6 * s))
                .fold(f64::INFINITY, f64::min);
            assert!((cone.distance(&p) - least).abs() < 1e-6, "{p:?}: {} against {least}", cone.distance(&p));
        }
    }

    #[test]
    fn smooth_union_is_no_smaller_than_the_union() {
        let ball = |x: f64| Sphere { centre: Vec3::new(x, 0.0, 0.0), radius: 0.5 };
        let union = SmoothUnion { parts: vec![Box::new(ball(-0.45)), Box::new(ball(0.45))], blend: 0.2 };
        for i in -40..=40 {
            let p = Vec3::new(0.05 * f64::from(i), 0.1, 0.2);
            let sharp = ball(-0.45).distance(&p).min(ball(0.45).distance(&p));
            let smooth = union.distance(&p);
            assert!(smooth <= sharp && smooth >= sharp - 0.05 - 1e-12, "{smooth} against {sharp}");
        }
    }

    #[test]
    fn what_is_cut_off_is_outside() {
        let half = Above { solid: Sphere { centre: Vec3::zeros(), radius: 1.0 }, height: 0.0 };
        for (y, distance) in [(0.25, -0.25), (0.8, -0.2), (2.0, 1.0), (0.0, 0.0), (-0.2, 0.2), (-3.0, 3.0)] {
            assert!((half.distance(&Vec3::new(0.0, y, 0.0)) - distance).abs() < 1e-15, "{y}");
        }
        let (low, high) = half.bounds();
        assert!(low.y == 0.0 && low.x <= -1.0 && high.iter().all(|end| *end >= 1.0));
    }
}
