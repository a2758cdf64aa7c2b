//! Small dense linear algebra in f64: the types that every other module speaks.

pub mod eigen;
pub mod random;
pub mod rigid;
pub mod splines;
pub mod svd;

pub use eigen::{SymmetricEigen, symmetric_eigen};
pub use svd::{Svd, svd};

/// A point, a displacement or a force; the unit stands where it is used.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3x3 matrix: a deformation gradient, a stress, a block of a Hessian.
pub type Mat3 = nalgebra::Matrix3<f64>;

/// Largest norm of `vectors`; 0 for none, NaN if one is not a number.
pub fn largest_norm(vectors: &[Vec3]) -> f64 {
    let larger = |largest: f64, square: f64| if square > largest || square.is_nan() { square } else { largest };
    vectors.iter().map(Vec3::norm_squared).fold(0.0, larger).sqrt()
}

/// The larger of two numbers; NaN if one is none, which `f64::max` would pass over.
pub fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// A unit vector across a unit vector: that one times the axis of space that it has least of.
pub fn across(unit: &Vec3) -> Vec3 {
    unit.cross(&Vec3::ith(unit.iamin(), 1.0)).normalize()
}

/// Rotations about x, then y, then z, as one matrix.
pub fn rotation(degrees: [f64; 3]) -> Mat3 {
    let [x, y, z] = degrees.map(f64::to_radians);
    nalgebra::Rotation3::from_euler_angles(x, y, z).into_inner()
}

/// Diagonal of the axis-aligned bounding box of `points` [m]; 0 for no points.
pub fn bounding_diagonal(points: &[Vec3]) -> f64 {
    let (low, high) = bounding_box(points);
    if points.is_empty() { 0.0 } else { (high - low).norm() }
}

/// Corners (smallest, largest) of the axis-aligned bounding box of `points` [m].
pub fn bounding_box(points: &[Vec3]) -> (Vec3, Vec3) {
    points.iter().fold((Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)), |(low, high), p| (low.inf(p), high.sup(p)))
}

#[cfg(test)]
mod tests {
    use super::random::Random;
    use super::*;

    #[test]
    fn across_is_across_and_of_length_one() {
        let mut random = Random::new(8);
        let some = (0..200).map(|_| random.vector(-1.0, 1.0).normalize());
        for unit in some.chain([Vec3::x(), Vec3::y(), -Vec3::z(), Vec3::new(1.0, 1e-300, 0.0)]) {
            let across = across(&unit);
            assert!(across.dot(&unit).abs() < 1e-15 && (across.norm() - 1.0).abs() < 1e-15, "{unit:?}");
        }
        assert_eq!(across(&Vec3::y()), -Vec3::z());
    }

    /// Wherever among the others it is.
    #[test]
    fn the_largest_is_no_number_where_one_is_none() {
        let mut random = Random::new(3);
        for count in 1..20 {
            let mut vectors: Vec<Vec3> = (0..count).map(|_| random.vector(-1.0, 1.0)).collect();
            let norms: Vec<f64> = vectors.iter().map(Vec3::norm).collect();
            let largest = norms.iter().copied().fold(0.0, f64::max);
            assert!((largest_norm(&vectors) - largest).abs() < 1e-15 && norms.iter().copied().fold(0.0, larger) == largest);
            let place = random.uniform(0.0, f64::from(count)) as usize;
            vectors[place].y = f64::NAN;
            assert!(largest_norm(&vectors).is_nan() && vectors.iter().map(Vec3::norm).fold(0.0, larger).is_nan(), "{place} of {count}");
        }
        assert_eq!(largest_norm(&[]), 0.0);
    }
}
