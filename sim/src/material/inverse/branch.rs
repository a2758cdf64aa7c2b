//! The branch that joins rest: followed until the stress asked for is reached, or the load turns.

use super::curve::{Curve, Point};
use super::newton;
use crate::material::Material;
use crate::material::Unattainable;
use crate::math::Vec3;

/// Largest |ln stretch| looked at: a hundredfold stretch or compression.
pub(super) const MAX_LOG_STRETCH: f64 = 4.6;
/// First, longest and shortest step in ln stretch.
const FIRST_STEP: f64 = 0.2;
const LONGEST_STEP: f64 = 0.5;
const SHORTEST_STEP: f64 = 1e-7;
/// Error of the load at the fold, relative.
const FOLD_TOLERANCE: f64 = 1e-12;

/// Principal ln stretches whose stress is `stress` on the branch that joins rest.
pub(super) fn follow(material: &dyn Material, stress: &Vec3) -> Result<Vec3, Unattainable> {
    Branch { curve: Curve::new(material, stress.normalize()), material, stress, target: stress.norm() }.follow()
}

struct Branch<'a> {
    curve: Curve<'a>,
    material: &'a dyn Material,
    stress: &'a Vec3,
    target: f64,
}

impl Branch<'_> {
    fn follow(&self) -> Result<Vec3, Unattainable> {
        let mut here = self.curve.rest().ok_or_else(|| self.too_soft(0.0))?;
        let mut step = FIRST_STEP;
        while step > SHORTEST_STEP {
            // Where two eigenvalues passed zero within the step, the curve that joins rest was left.
            let Some(next) = self.curve.advance(&here, step).filter(|next| next.regular || next.slope <= 0.0) else {
                step *= 0.5;
                continue;
            };
            if next.slope <= 0.0 {
                let (fold, load) = self.fold(here, next);
                let inside = if load > self.target { self.between(here, fold) } else { None };
                return inside.ok_or_else(|| self.too_soft(load));
            }
            if next.load >= self.target {
                return self.between(here, next).ok_or_else(|| self.too_soft(here.load));
            }
            // On to where the slope would vanish, and a little past it, if that is near.
            let bend = (here.slope - next.slope) / step;
            let to_fold = if bend > 0.0 { 1.2 * next.slope / bend } else { f64::INFINITY };
            step = (2.0 * step).min(LONGEST_STEP).min(to_fold).min(MAX_LOG_STRETCH - next.x.amax());
            here = next;
        }
        Err(self.too_soft(here.load))
    }

    fn too_soft(&self, load: f64) -> Unattainable {
        Unattainable::TooSoft { attainable_share: (load / self.target).clamp(0.0, 1.0 - f64::EPSILON) }
    }

    /// The last point found before the fold between a point before and one after it, and the load at the fold: the root of the slope by
    /// the secant method, kept between the two.
    fn fold(&self, mut before: Point, mut after: Point) -> (Point, f64) {
        let (mut slope_before, mut slope_after) = (before.slope, after.slope);
        loop {
            let length = (after.x - before.x).norm();
            let bend = (before.slope - after.slope) / length;
            // The slope is linear next to the fold, so the load is a parabola.
            let gain = 0.5 * before.slope * before.slope / bend;
            if gain <= FOLD_TOLERANCE * before.load || length < SHORTEST_STEP {
                return (before, before.load + gain);
            }
            let mut step = length * slope_before / (slope_before - slope_after);
            let middle = loop {
                match self.curve.advance(&before, step) {
                    Some(middle) => break middle,
                    None if step < SHORTEST_STEP => return (before, before.load),
                    None => step *= 0.5,
                }
            };
            // Illinois: an end that stays counts for half.
            if middle.slope > 0.0 {
                (before, slope_before, slope_after) = (middle, middle.slope, 0.5 * slope_after);
            } else {
                (after, slope_after, slope_before) = (middle, middle.slope, 0.5 * slope_before);
            }
        }
    }

    /// The stretch at the target, between two points of the rising branch.
    fn between(&self, mut before: Point, mut after: Point) -> Option<Vec3> {
        loop {
            let length = (after.x - before.x).norm();
            if let Some(x) = newton(self.material, self.stress, self.guess(&before, &after, length), length) {
                return Some(x);
            }
            if length < SHORTEST_STEP {
                return None;
            }
            match self.curve.advance(&before, 0.5 * length)? {
                middle if middle.load < self.target => before = middle,
                middle => after = middle,
            }
        }
    }

    /// Where a parabola with the slopes of both ends and the load of the later one meets the target.
    fn guess(&self, before: &Point, after: &Point, length: f64) -> Vec3 {
        let (bend, excess) = ((before.slope - after.slope) / length, after.load - self.target);
        let root = (after.slope * after.slope + 2.0 * bend * excess).max(0.0).sqrt();
        let back = (2.0 * excess / (after.slope + root)).clamp(0.0, length);
        after.x - back * after.tangent
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;

    /// Back from the later of two points the guess goes as far as a load that bends evenly between their slopes falls to the target.
    #[test]
    fn the_guess_is_where_a_parabola_meets_the_target() {
        let mut random = Random::new(91);
        let material = (crate::material::law("neo_hookean").unwrap().build)(1.0, 0.3);
        let stress = Vec3::new(0.3, 0.1, -0.2);
        for _ in 0..200 {
            let curve = Curve::new(&*material, stress.normalize());
            let rest = curve.rest().unwrap();
            let (length, slopes) = (random.uniform(0.01, 1.0), [random.uniform(0.2, 3.0), random.uniform(0.2, 3.0)]);
            let load = random.uniform(0.0, 2.0);
            let before = Point { load, slope: slopes[0], ..rest };
            let after = Point { load: load + 0.5 * (slopes[0] + slopes[1]) * length, slope: slopes[1], ..rest };
            let target = load + random.uniform(0.01, 0.99) * (after.load - load);
            let branch = Branch { curve, material: &*material, stress: &stress, target };
            let back = (after.x - branch.guess(&before, &after, length)).dot(&after.tangent);
            let there = after.load - slopes[1] * back - 0.5 * (slopes[0] - slopes[1]) / length * back * back;
            assert!(back > 0.0 && back < length && (there - target).abs() < 1e-12, "{there} {target}");
        }
    }
}
