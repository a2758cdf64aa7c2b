//! Non-inversion filter: the largest step along which det(D_s + t dD_s) keeps a share of its value (Li et al.
//! 2024, 23.3), as the first root of a real cubic, found by bisection between its turning points.

use crate::material::Material;
use crate::math::Mat3;

/// Share of the volume that a step must leave.
const KEPT: f64 = 0.2;

/// Steps shorter than this would hold up the whole body for one element.
const LEAST_STEP: f64 = 0.05;

/// [`max_step`] of an element of this law, which keeps a fifth of its current volume; 0 where there is none, or a number is not finite. A law
/// that survives inversion may have its minimum behind it: where next to nothing is left of the step, its energy decides.
pub(crate) fn max_step_of(material: &dyn Material, edges: &Mat3, change: &Mat3) -> f64 {
    let step = max_step(edges, change);
    let finite = edges.iter().chain(change).all(|c| c.is_finite());
    if step < LEAST_STEP && finite && material.survives_inversion() { 1.0 } else { step }
}

/// Largest t in [0, 1] with det(edges + t change) >= 0.2 det(edges) all the way; 0 where det(edges) is not positive
/// or a number is not finite.
pub(crate) fn max_step(edges: &Mat3, change: &Mat3) -> f64 {
    let Some(cubic) = relative_volume_left(edges, change) else { return 0.0 };
    let [_, c1, c2, c3] = cubic;
    if c1.abs() + c2.abs() + c3.abs() < 1.0 - KEPT {
        return 1.0;
    }
    let value = |t: f64| ((c3 * t + c2) * t + c1) * t + (1.0 - KEPT);
    let mut low = 0.0;
    for high in turning_points(cubic).into_iter().filter(|t| (0.0..1.0).contains(t)).chain([1.0]) {
        if value(high) < 0.0 {
            return bisect(value, low, high);
        }
        low = high;
    }
    1.0
}

/// Coefficients in t of det(edges + t change) / det(edges) - KEPT.
fn relative_volume_left(edges: &Mat3, change: &Mat3) -> Option<[f64; 4]> {
    let (a, b, c) = (edges.column(0), edges.column(1), edges.column(2));
    let (da, db, dc) = (change.column(0), change.column(1), change.column(2));
    let volume = a.dot(&b.cross(&c));
    let linear = da.dot(&b.cross(&c)) + db.dot(&c.cross(&a)) + dc.dot(&a.cross(&b));
    let quadratic = a.dot(&db.cross(&dc)) + b.dot(&dc.cross(&da)) + c.dot(&da.cross(&db));
    let cubic = [1.0 - KEPT, linear / volume, quadratic / volume, da.dot(&db.cross(&dc)) / volume];
    (volume > 0.0 && cubic.iter().all(|c| c.is_finite())).then_some(cubic)
}

/// Roots of the derivative, ascending; not finite where there is none.
fn turning_points([_, c1, c2, c3]: [f64; 4]) -> [f64; 2] {
    // 3 c3 t^2 + 2 c2 t + c1 = 0 without cancellation.
    let half = -(c2 + (c2 * c2 - 3.0 * c3 * c1).sqrt().copysign(c2));
    let (p, q) = (half / (3.0 * c3), c1 / half);
    if p < q { [p, q] } else { [q, p] }
}

/// The low end of a bracket around the root of a function that falls through zero.
fn bisect(value: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    while high - low > 1e-12 {
        let middle = 0.5 * (low + high);
        if value(middle) >= 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    /// First crossing by brute force: a scan of the determinant, then bisection.
    fn scanned(edges: &Mat3, change: &Mat3) -> f64 {
        let kept = |t: f64| (edges + t * change).determinant() >= KEPT * edges.determinant();
        let steps = 20_000;
        let crossed = (1..=steps).map(|k| f64::from(k) / f64::from(steps)).find(|&t| !kept(t));
        crossed.map_or(1.0, |t| {
            let (mut low, mut high) = (t - 1.0 / f64::from(steps), t);
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                if kept(middle) { low = middle } else { high = middle }
            }
            low
        })
    }

    #[test]
    fn finds_the_first_crossing() {
        let mut random = Random::new(8);
        let mut stopped = 0;
        for trial in 0..400 {
            let mut edges = random.matrix(-1.0, 1.0);
            if edges.determinant() < 0.0 {
                edges.swap_columns(0, 1);
            }
            let mut change = random.matrix(-1.5, 1.5);
            match trial % 4 {
                0 => change.set_column(2, &nalgebra::Vector3::zeros()),
                1 => change = -edges * random.uniform(0.0, 1.2),
                _ => {}
            }
            let (found, expected) = (max_step(&edges, &change), scanned(&edges, &change));
            // A graze between two samples is seen by the filter only.
            let grazes = found < expected && ((edges + found * change).determinant() / edges.determinant() - KEPT).abs() < 1e-9;
            assert!((found - expected).abs() < 1e-6 || grazes, "{found} {expected}\n{edges}{change}");
            assert!((edges + found * change).determinant() >= (KEPT - 1e-9) * edges.determinant());
            stopped += usize::from(found < 1.0);
        }
        assert!(stopped > 100);
    }

    #[test]
    fn uniform_shrinking_stops_at_the_cube_root() {
        let step = max_step(&Mat3::identity(), &-Mat3::identity());
        assert!((step - (1.0 - KEPT.cbrt())).abs() < 1e-9);
    }

    #[test]
    fn bad_numbers_and_inverted_elements_take_no_step() {
        assert_eq!(max_step(&Mat3::repeat(f64::NAN), &Mat3::identity()), 0.0);
        assert_eq!(max_step(&Mat3::identity(), &Mat3::repeat(f64::NAN)), 0.0);
        assert_eq!(max_step(&Mat3::identity(), &Mat3::repeat(f64::INFINITY)), 0.0);
        assert_eq!(max_step(&-Mat3::identity(), &Mat3::identity()), 0.0);
        assert_eq!(max_step(&Mat3::identity(), &Mat3::zeros()), 1.0);
    }
}
