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
        let mut best = [NONE];
        search(&self.points, 0, query, &mut best);
        (!self.points.is_empty()).then_some(best[0].1)
    }

    /// Names of the `count` nearest points, the nearest first, of equally near ones the smaller name first; of all, where there are fewer.
    pub fn nearest_few(&self, query: &Vec3, count: usize) -> Vec<u32> {
        let mut best = vec![NONE; count.min(self.points.len())];
        search(&self.points, 0, query, &mut best);
        best.into_iter().map(|(_, name)| name).collect()
    }
}

/// Farther than every point.
const NONE: (f64, u32) = (f64::INFINITY, u32::MAX);

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

/// Puts what is nearer than the last of `best`, squared distances in order, in its place among them.
fn search(points: &[(Vec3, u32)], axis: usize, query: &Vec3, best: &mut [(f64, u32)]) {
    let Some(last) = best.len().checked_sub(1).filter(|_| !points.is_empty()) else { return };
    let middle = points.len() / 2;
    let (point, name) = &points[middle];
    let found = ((point - query).norm_squared(), *name);
    if found < best[last] {
        let place = best.partition_point(|known| *known < found);
        best[place..].rotate_right(1);
        best[place] = found;
    }
    let beyond = query[axis] - point[axis];
    let (before, after) = (&points[..middle], &points[middle + 1..]);
    let (near, far) = if beyond < 0.0 { (before, after) } else { (after, before) };
    search(near, (axis + 1) % 3, query, best);
    if beyond * beyond <= best[last].0 {
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
            let mut expected: Vec<(Vec3, u32)> = points.clone();
            expected.sort_by(|a, b| by_distance(&a, &b));
            let expected: Vec<u32> = expected.iter().map(|(_, name)| *name).collect();
            let tree = PointTree::new(points);
            prop_assert_eq!(tree.nearest(&query), Some(expected[0]));
            for count in [0, 1, 2, 5, 100] {
                prop_assert_eq!(tree.nearest_few(&query, count), &expected[..count.min(expected.len())]);
            }
        }
    }
}
