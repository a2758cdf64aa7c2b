//! The box that a camera frames.

use aplomb_sim::math::Vec3;

use super::draw_list::{BodyDraw, DrawList};

/// Lowest and highest corner of what is seen of the bodies [m]; `None` where nothing is.
pub fn of_bodies<'a>(bodies: impl IntoIterator<Item = &'a BodyDraw>) -> Option<(Vec3, Vec3)> {
    let points =
        bodies.into_iter().flat_map(|body| body.triangles.iter().flatten().filter_map(|&vertex| body.positions.get(vertex as usize)));
    points.filter(|point| point.iter().all(|x| x.is_finite())).fold(None, |bounds, point| {
        let (low, high) = bounds.unwrap_or((*point, *point));
        Some((low.inf(point), high.sup(point)))
    })
}

/// What "frame all" shows: the bodies, or a cubic metre on the ground where there are none.
pub fn of_list(list: &DrawList) -> (Vec3, Vec3) {
    of_bodies(&list.bodies).unwrap_or((Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.5, 1.0, 0.5)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewport::BodyColor;

    #[test]
    fn only_finite_points_of_triangles_count() {
        let positions = [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, -3.0], [99.0, 99.0, 99.0], [f64::NAN, 0.0, 50.0]].map(Vec3::from);
        let triangles = [[0, 1, 2], [0, 1, 4], [0, 1, 77]];
        let body =
            BodyDraw { positions: positions.into(), triangles: triangles.into(), color: BodyColor::Clay, region_tint: None, ghost: None };
        assert_eq!(of_bodies([&body]), Some((Vec3::new(0.0, 0.0, -3.0), Vec3::new(2.0, 1.0, 0.0))));
        assert_eq!(of_bodies([]), None);
        let (low, high) = of_list(&DrawList::default());
        assert!(low < high);
    }
}
