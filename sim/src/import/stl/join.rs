//! Vertices from corners.

use rayon::prelude::*;

use crate::math::Vec3;

/// The different ones among `corners`, in the order in which they are met first, and for each corner its vertex. Only
/// equal numbers make a vertex; 0 and -0 are equal.
pub fn join(mut corners: Vec<Vec3>) -> (Vec<Vec3>, Vec<u32>) {
    corners.iter_mut().for_each(|corner| *corner = corner.add_scalar(0.0));
    let key = |&corner: &u32| corners[corner as usize];
    let mut order: Vec<u32> = (0..corners.len() as u32).collect();
    order.par_sort_unstable_by(|a, b| {
        let (p, q) = (key(a), key(b));
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)).then(a.cmp(b))
    });
    // For each corner the first at its place.
    let mut first = vec![0; corners.len()];
    let mut leader = order.first().copied().unwrap_or(0);
    for corner in order {
        if key(&corner) != key(&leader) {
            leader = corner;
        }
        first[corner as usize] = leader;
    }
    let mut count = 0;
    for corner in 0..corners.len() {
        let leader = first[corner] as usize;
        if leader == corner {
            corners[count] = corners[corner];
            first[corner] = count as u32;
            count += 1;
        } else {
            first[corner] = first[leader];
        }
    }
    corners.truncate(count);
    corners.shrink_to_fit();
    (corners, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_corners_become_one_vertex_in_the_order_of_the_file() {
        let point = |x: f64| Vec3::new(1.0, x, -x);
        let (positions, vertices) = join([3.0, 0.0, 3.0, -0.0, 2.0, 3.0, 2.0 + 1e-15].map(point).to_vec());
        assert_eq!(positions, [3.0, 0.0, 2.0, 2.0 + 1e-15].map(point));
        assert_eq!(vertices, [0, 1, 0, 1, 2, 0, 3]);
        assert_eq!(join(Vec::new()), (Vec::new(), Vec::new()));
    }
}
