//! Nearest point of a set: a balanced k-d tree held in one array.

use crate::math::Vec3;

/// Points arranged so that each range's middle splits it along one axis.
pub struct NearestPoint {
    points: Vec<(Vec3, u32)>,
}

impl NearestPoint {
    /// The points, each with the index that it is known by. Of equally near points the one met first in the tree's
    /// fixed order wins, so answers repeat.
    pub fn new(mut points: Vec<(Vec3, u32)>) -> Self {
        arrange(&mut points, 0);
        Self { points }
    }

    /// Index of the point nearest to `query`; `None` without points.
    pub fn find(&self, query: &Vec3) -> Option<u32> {
        let mut best = (f64::INFINITY, None);
        search(&self.points, 0, query, &mut best);
        best.1
    }
}

fn arrange(points: &mut [(Vec3, u32)], axis: usize) {
    if points.len() > 1 {
        let middle = points.len() / 2;
        points.select_nth_unstable_by(middle, |a, b| a.0[axis].total_cmp(&b.0[axis]).then(a.1.cmp(&b.1)));
        let (low, high) = points.split_at_mut(middle);
        arrange(low, (axis + 1) % 3);
        arrange(&mut high[1..], (axis + 1) % 3);
    }
}

fn search(points: &[(Vec3, u32)], axis: usize, query: &Vec3, best: &mut (f64, Option<u32>)) {
    let middle = points.len() / 2;
    let Some((point, index)) = points.get(middle) else { return };
    let distance = (point - query).norm_squared();
    if distance < best.0 {
        *best = (distance, Some(*index));
    }
    let beyond = query[axis] - point[axis];
    let (low, high) = (&points[..middle], &points[middle + 1..]);
    let (near, far) = if beyond < 0.0 { (low, high) } else { (high, low) };
    search(near, (axis + 1) % 3, query, best);
    if beyond * beyond < best.0 {
        search(far, (axis + 1) % 3, query, best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_tree_agrees_with_brute_force(points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 0..200), query in prop::array::uniform3(-2.0..2.0f64)) {
            let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
            let query = Vec3::from(query);
            let tree = NearestPoint::new(points.iter().copied().zip(0..).collect());
            let found = tree.find(&query).map(|i| (points[i as usize] - query).norm());
            let least = points.iter().map(|p| (p - query).norm()).min_by(f64::total_cmp);
            prop_assert_eq!(found, least);
        }
    }
}
