//! Non-inversion filter: the largest step along which det(D_s + t dD_s) keeps a share of its value (Li et al.
//! 2024, 23.3), as the first root of a real cubic, found by bisection between its turning points.

use crate::math::Mat3;

/// Share of the volume that a step must leave.
const KEPT: f64 = 0.2;

/// Largest t in [0, 1] with det(edges + t change) >= 0.2 det(edges) all the way; 0 where det(edges) is not positive
/// or a number is not finite.
pub(super) fn max_step(edges: &Mat3, change: &Mat3) -> f64 {
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
