//! [`PointTree`]: the nearest of many points, by a k-d tree (Bentley 1975) stored in place.

use crate::math::Vec3;

/// Points in k-d order: the median of a range stands in its middle, smaller coordinates before it.
pub struct PointTree {
    points: Vec<(Vec3, u32)>,
}

impl PointTree {
    /// Sorts finite points; `u32` is the name that a query returns.
    pub fn new(mut points: Vec<(Vec3, u32)>) -> Self {
        arrange(&mut points, 0);
        Self { points }
    }

    /// Name of the nearest point by Euclidean distance, the smallest name of equally near ones; `None` without points.
    pub fn nearest(&self, query: &Vec3) -> Option<u32> {
        let mut best = (f64::INFINITY, u32::MAX);
        search(&self.points, 0, query, &mut best);
        (!self.points.is_empty()).then_some(best.1)
    }
}

fn arrange(points: &mut [(Vec3, u32)], axis: usize) {
    if points.len() < 2 {
        return;
    }
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
    let (before, after) = points.split_at_mut(middle);
    arrange(before, (axis + 1) % 3);
    arrange(&mut after[1..], (axis + 1) % 3);
}

fn search(points: &[(Vec3, u32)], axis: usize, query: &Vec3, best: &mut (f64, u32)) {
    if points.is_empty() {
        return;
    }
    let middle = points.len() / 2;
    let (point, name) = &points[middle];
    let distance = (point - query).norm_squared();
    if (distance, *name) < *best {
        *best = (distance, *name);
    }
    let beyond = query[axis] - point[axis];
    let (before, after) = (&points[..middle], &points[middle + 1..]);
    let (near, far) = if beyond < 0.0 { (before, after) } else { (after, before) };
    search(near, (axis + 1) % 3, query, best);
    if beyond * beyond <= best.0 {
        search(far, (axis + 1) % 3, query, best);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Few distinct coordinates, so that equal distances are common.
        #[test]
        fn agrees_with_trying_all(points in prop::collection::vec(prop::array::uniform3(-4..4_i32), 1..80), q in prop::array::uniform3(-9..9_i32)) {
            let points: Vec<(Vec3, u32)> = points.iter().map(|p| Vec3::from(p.map(f64::from))).zip(0..).collect();
            let query = Vec3::from(q.map(|c| 0.5 * f64::from(c)));
            let by_distance = |a: &&(Vec3, u32), b: &&(Vec3, u32)| (a.0 - query).norm_squared().total_cmp(&(b.0 - query).norm_squared());
            let expected = points.iter().min_by(by_distance).unwrap().1;
            prop_assert_eq!(PointTree::new(points).nearest(&query), Some(expected));
        }
    }
}
