//! The box that a camera frames.

use aplomb_sim::math::{Mat3, Vec3, bounding_box};
use aplomb_sim::scene::Shape;

use super::camera::{Camera, Room};
use super::draw_list::{BodyDraw, DrawList, ObstacleForm};

/// Lowest and highest corner of what is seen of the bodies [m]; `None` where nothing is.
pub fn of_bodies<'a>(bodies: impl IntoIterator<Item = &'a BodyDraw>) -> Option<(Vec3, Vec3)> {
    points(bodies).fold(None, |bounds, point| {
        let (low, high) = bounds.unwrap_or((point, point));
        Some((low.inf(&point), high.sup(&point)))
    })
}

/// Obstacles are framed along with bodies up to this size [diagonals of the bodies]: a table is, a floor is not.
const BESIDE: f64 = 2.5;

/// The camera in front of the bodies; in front of a cubic metre on the ground where there are none.
pub fn frame(camera: &Camera, bodies: &[BodyDraw], room: impl Into<Room>) -> Camera {
    framed(camera, points(bodies).collect(), room)
}

/// The camera in front of places [m], with as much `around` them [m]; where it is if there are none.
pub fn frame_places(camera: &Camera, places: &[Vec3], around: f64, room: impl Into<Room>) -> Camera {
    if places.is_empty() {
        return *camera;
    }
    let (low, high) = bounding_box(places);
    let corners = [low - Vec3::repeat(around), high + Vec3::repeat(around)];
    framed(camera, (0..8).map(|i| Vec3::new(corners[i & 1].x, corners[i >> 1 & 1].y, corners[i >> 2].z)).collect(), room)
}

/// The camera in front of everything: bodies, and obstacles that are not much larger.
pub fn frame_all(camera: &Camera, list: &DrawList, room: impl Into<Room>) -> Camera {
    let mut seen: Vec<Vec3> = points(&list.bodies).collect();
    let Some((low, high)) = of_bodies(&list.bodies) else { return framed(camera, seen, room) };
    for obstacle in list.obstacles.iter().filter(|obstacle| obstacle.present) {
        let corners = corners(&obstacle.form);
        let (lowest, highest) = if corners.is_empty() { continue } else { bounding_box(&corners) };
        if (highest - lowest).norm() <= BESIDE * (high - low).norm() {
            seen.extend(corners);
        }
    }
    framed(camera, seen, room)
}

fn framed(camera: &Camera, points: Vec<Vec3>, room: impl Into<Room>) -> Camera {
    if points.is_empty() {
        return camera.framed((Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.5, 1.0, 0.5)), room);
    }
    camera.framed_around(points, room)
}

/// The camera in front of an obstacle; `None` for one without end, or that is away.
pub fn frame_obstacle(camera: &Camera, list: &DrawList, index: usize, room: impl Into<Room>) -> Option<Camera> {
    let corners = corners_of(list, index)?;
    Some(framed(camera, corners, room))
}

/// The camera in front of the bodies and an obstacle, if the obstacle is not in view whole; `None` where it is, or has no end.
pub fn bring_in(camera: &Camera, list: &DrawList, index: usize, room: impl Into<Room>) -> Option<Camera> {
    let room = room.into();
    let mut corners = corners_of(list, index)?;
    let seen = |point: &Vec3| camera.project(*point, room.aspect).is_some_and(|place| place.iter().all(|x| x.abs() < 1.0));
    if corners.iter().all(seen) {
        return None;
    }
    corners.extend(points(&list.bodies));
    Some(framed(camera, corners, room))
}

fn corners_of(list: &DrawList, index: usize) -> Option<Vec<Vec3>> {
    let obstacle = list.obstacles.get(index).filter(|obstacle| obstacle.present)?;
    Some(corners(&obstacle.form)).filter(|corners| !corners.is_empty())
}

/// Points around an obstacle; none for one without end.
fn corners(form: &ObstacleForm) -> Vec<Vec3> {
    let around = |center: [f64; 3], reach: f64| {
        let sides = [-reach, reach];
        sides.into_iter().flat_map(move |x| sides.into_iter().flat_map(move |y| sides.map(|z| Vec3::from(center) + Vec3::new(x, y, z))))
    };
    match form {
        ObstacleForm::Surface { positions, .. } => positions.to_vec(),
        ObstacleForm::Shape(Shape::Sphere { center, radius }) => around(*center, *radius).collect(),
        ObstacleForm::Shape(Shape::Capsule { from, to, radius }) => around(*from, *radius).chain(around(*to, *radius)).collect(),
        ObstacleForm::Shape(Shape::Box { center, size, rotate_degrees }) => {
            let turn = aplomb_sim::math::rotation(*rotate_degrees) * Mat3::from_diagonal(&(0.5 * Vec3::from(*size)));
            around([0.0; 3], 1.0).map(|corner| Vec3::from(*center) + turn * corner).collect()
        }
        ObstacleForm::Shape(_) => Vec::new(),
    }
}

fn points<'a>(bodies: impl IntoIterator<Item = &'a BodyDraw>) -> impl Iterator<Item = Vec3> {
    bodies.into_iter().flat_map(BodyDraw::used).filter(|point| point.iter().all(|x| x.is_finite()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::viewport::ObstacleDraw;

    #[test]
    fn only_finite_points_of_triangles_count() {
        let positions = [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, -3.0], [99.0, 99.0, 99.0], [f64::NAN, 0.0, 50.0]].map(Vec3::from);
        let triangles = [[0, 1, 2], [0, 1, 4], [0, 1, 77]];
        let body = BodyDraw { positions: positions.into(), triangles: triangles.into(), ..BodyDraw::default() };
        assert_eq!(of_bodies([&body]), Some((Vec3::new(0.0, 0.0, -3.0), Vec3::new(2.0, 1.0, 0.0))));
        assert_eq!(of_bodies([]), None);
        let camera = frame(&Camera::default(), std::slice::from_ref(&body), 1.5);
        let ends = |camera: &Camera, axis: usize| {
            let along = positions[..3].iter().map(|&point| camera.project(point, 1.5).unwrap()[axis]);
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        let [across, up] = [0, 1].map(|axis| ends(&camera, axis));
        assert!((across.0 + across.1).abs() < 1e-3 && (up.0 + up.1).abs() < 1e-3, "{across:?} {up:?}: the silhouette is in the middle");
        assert!((across.1.max(up.1) - 0.8).abs() < 1e-3, "{across:?} {up:?}");
        // Where a legend takes an eighth of the width, the rest of the view is filled.
        let beside = frame(&Camera::default(), std::slice::from_ref(&body), Room { aspect: 1.5, right: 0.125 });
        let [across, up] = [0, 1].map(|axis| ends(&beside, axis));
        assert!((0.5 * (across.0 + across.1) + 0.125).abs() < 1e-3 && (up.0 + up.1).abs() < 1e-3, "{across:?} {up:?}");
        assert!(across.1 < 0.75 - 0.08 && across.0 > -1.0 + 0.08, "{across:?}");
        let middle = frame(&Camera::default(), &[], 1.5).target;
        assert!((middle - Vec3::new(0.0, 0.5, 0.0)).norm() < 0.15, "{middle}");

        let mut list = DrawList { bodies: vec![body], ..DrawList::default() };
        for (size, beside) in [(1.0, true), (100.0, false)] {
            let shape = Shape::Box { center: [1.0, 5.0, -1.5], size: [size; 3], rotate_degrees: [0.0; 3] };
            list.obstacles = vec![ObstacleDraw { form: ObstacleForm::Shape(shape), present: true }];
            assert_eq!(frame_all(&Camera::default(), &list, 1.5).target.y > 2.0, beside, "a box of {size} m");
        }
        // A ball far off is looked at alone, or brought into view with the bodies; the ones in view stay as they are.
        let near = frame(&Camera::default(), &list.bodies, 1.5);
        let ball = |y: f64| ObstacleForm::Shape(Shape::Sphere { center: [1.0, y, -1.5], radius: 0.25 });
        list.obstacles[0].form = ball(20.0);
        let at_ball = frame_obstacle(&near, &list, 0, 1.5).unwrap().target;
        assert!((at_ball - Vec3::new(1.0, 20.0, -1.5)).norm() < 0.1, "{at_ball}");
        let both = bring_in(&near, &list, 0, 1.5).unwrap();
        assert!([20.0, 0.5].iter().all(|&y| both.project(Vec3::new(1.0, y, -1.5), 1.5).is_some_and(|at| at[1].abs() < 1.0)));
        list.obstacles[0].form = ball(0.5);
        assert_eq!(bring_in(&near, &list, 0, 1.5), None);
        list.obstacles[0].form = ObstacleForm::Shape(Shape::HalfSpace { point: [0.0, -9.0, 0.0], normal: [0.0, 1.0, 0.0] });
        assert_eq!(frame_all(&Camera::default(), &list, 1.5).target, camera.target, "a floor has no end");
        assert_eq!((frame_obstacle(&near, &list, 0, 1.5), bring_in(&near, &list, 0, 1.5)), (None, None));
    }
}
