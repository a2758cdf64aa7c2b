//! Sets of points as rigid bodies: their six motions, and how far they reach apart.

use nalgebra::Matrix3x6;

use super::{Mat3, Vec3};

/// Where points are and how large: what their rigid motions turn about and are measured by.
#[derive(Debug, Clone, Copy, Default)]
pub struct RigidFrame {
    /// Mean of the points [m].
    pub centre: Vec3,
    /// Largest distance of a point from there [m], above 0.
    pub size: f64,
}

impl RigidFrame {
    /// Of `points` [m].
    pub fn of(points: impl ExactSizeIterator<Item = Vec3> + Clone) -> Self {
        let centre = points.clone().sum::<Vec3>() / points.len().max(1) as f64;
        Self { centre, size: points.map(|x| (x - centre).norm()).fold(f64::MIN_POSITIVE, f64::max) }
    }

    /// How a point at `x` [m] moves under three translations and, to first order, three rotations about the centre that move the
    /// farthest point as far; one a column.
    pub fn motions(&self, x: &Vec3) -> Matrix3x6<f64> {
        let arm = (x - self.centre) / self.size;
        let mut motions = Matrix3x6::zeros();
        motions.fixed_columns_mut::<3>(0).copy_from(&Mat3::identity());
        motions.fixed_columns_mut::<3>(3).copy_from(&-arm.cross_matrix());
        motions
    }

    /// How far its farthest point is moved by the turn in each of them [m].
    pub fn turns() -> Matrix3x6<f64> {
        let mut turns = Matrix3x6::zeros();
        turns.fixed_columns_mut::<3>(3).copy_from(&Mat3::identity());
        turns
    }
}

/// Longest side and height [m] of a large triangle of the points: 0 for points in one place and height 0 for those on one line.
pub fn triangle(points: &[Vec3]) -> [f64; 2] {
    let farthest = |from: &Vec3| points.iter().copied().max_by(|a, b| (a - from).norm().total_cmp(&(b - from).norm()));
    let Some(first) = points.first().and_then(farthest) else { return [0.0; 2] };
    let side = farthest(&first).map_or_else(Vec3::zeros, |second| second - first);
    let length = side.norm();
    let height = points.iter().map(|point| side.cross(&(point - first)).norm()).fold(0.0, f64::max);
    if length > 0.0 { [length, height / length] } else { [0.0; 2] }
}

/// How masses move together: the rigid motion that is the nearest to theirs.
#[derive(Debug, Clone, Copy)]
pub struct RigidMotion {
    /// The spin: angular momentum about the centre of mass by the moments of inertia [rad/s].
    pub spin: Vec3,
    /// The sum of masses times squares of velocities that it has [kg m^2/s^2].
    pub square: f64,
}

impl RigidMotion {
    /// Of masses [kg] at places [m] with velocities [m/s].
    pub fn of<I: Iterator<Item = (f64, Vec3, Vec3)>>(each: impl Fn() -> I) -> Self {
        let mass: f64 = each().map(|(m, ..)| m).sum();
        let middle = each().map(|(m, x, _)| m * x).sum::<Vec3>() / mass;
        let along = each().map(|(m, _, v)| m * v).sum::<Vec3>() / mass;
        let momentum: Vec3 = each().map(|(m, x, v)| m * (x - middle).cross(&v)).sum();
        let inertia: Mat3 = each().map(|(m, x, _)| -m * (x - middle).cross_matrix().pow(2)).sum();
        let spin = inertia.try_inverse().map_or_else(Vec3::zeros, |inverse| inverse * momentum);
        Self { spin, square: mass * along.norm_squared() + spin.dot(&momentum) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{random::Random, rotation};

    /// Turning by a small angle moves points as the columns say, to second order.
    #[test]
    fn motions_are_those_of_small_turns() {
        let mut random = Random::new(5);
        let points: Vec<Vec3> = (0..9).map(|_| random.vector(-1.0, 1.0)).collect();
        let place = RigidFrame::of(points.iter().copied());
        let reach = points.iter().map(|x| place.motions(x).fixed_columns::<3>(3).norm()).fold(0.0, f64::max);
        assert!((reach - 2f64.sqrt()).abs() < 1e-12, "the farthest point turns as far as it goes: {reach}");
        for x in &points {
            for axis in 0..3 {
                let angle = 1e-5;
                let mut degrees = [0.0; 3];
                degrees[axis] = f64::to_degrees(angle);
                let turned = place.centre + rotation(degrees) * (x - place.centre);
                let told = place.motions(x).column(3 + axis) * place.size * angle;
                assert!((turned - x - told).norm() < 1e-9 * place.size);
                assert_eq!(place.motions(x).column(axis), Vec3::ith(axis, 1.0));
            }
        }
    }

    #[test]
    fn points_on_a_line_span_no_triangle() {
        let on_a_line: Vec<Vec3> = (0..5).map(|n| Vec3::new(1.0, 2.0, 0.5) * f64::from(n)).collect();
        let [length, height] = triangle(&on_a_line);
        assert!((length - 4.0 * 5.25f64.sqrt()).abs() < 1e-12 && height < 1e-12, "{length} {height}");
        let [length, height] = triangle(&[Vec3::zeros(), Vec3::x() * 2.0, Vec3::new(0.3, 0.2, 0.0), Vec3::x()]);
        assert!((length - 2.0).abs() < 1e-15 && (height - 0.2).abs() < 1e-15);
        assert_eq!(triangle(&[]), [0.0; 2]);
        assert_eq!(triangle(&[Vec3::x(); 4]), [0.0; 2]);
    }
}
