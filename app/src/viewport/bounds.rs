//! The box that a camera frames.

use aplomb_sim::math::Vec3;

use super::camera::Camera;
use super::draw_list::BodyDraw;

/// Lowest and highest corner of what is seen of the bodies [m]; `None` where nothing is.
pub fn of_bodies<'a>(bodies: impl IntoIterator<Item = &'a BodyDraw>) -> Option<(Vec3, Vec3)> {
    points(bodies).fold(None, |bounds, point| {
        let (low, high) = bounds.unwrap_or((point, point));
        Some((low.inf(&point), high.sup(&point)))
    })
}

/// The camera in front of the bodies; in front of a cubic metre on the ground where there are none.
pub fn frame(camera: &Camera, bodies: &[BodyDraw], aspect: f64) -> Camera {
    match of_bodies(bodies) {
        Some(bounds) => camera.framed_around(bounds, points(bodies), aspect),
        None => camera.framed((Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.5, 1.0, 0.5)), aspect),
    }
}

fn points<'a>(bodies: impl IntoIterator<Item = &'a BodyDraw>) -> impl Iterator<Item = Vec3> {
    let corners = |body: &'a BodyDraw| body.triangles.iter().flatten().filter_map(|&vertex| body.positions.get(vertex as usize));
    bodies.into_iter().flat_map(corners).copied().filter(|point| point.iter().all(|x| x.is_finite()))
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
        let camera = frame(&Camera::default(), std::slice::from_ref(&body), 1.5);
        assert_eq!(camera.target, Vec3::new(1.0, 0.5, -1.5));
        let most = positions[..3].iter().flat_map(|&point| camera.project(point, 1.5)).flatten().map(f64::abs).fold(0.0, f64::max);
        assert!(most > 0.7 && most < 1.0, "{most}");
        assert_eq!(frame(&Camera::default(), &[], 1.5).target, Vec3::new(0.0, 0.5, 0.0));
    }
}
