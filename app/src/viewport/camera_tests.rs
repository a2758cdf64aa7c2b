#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;

const ASPECT: f64 = 1.6;

fn askew() -> Camera {
    Camera { target: Vec3::new(0.3, 1.2, -0.4), yaw: 1.1, pitch: 0.4, distance: 3.0, ..Camera::default() }
}

#[test]
fn yaw_zero_looks_along_minus_z() {
    let camera = Camera { yaw: 0.0, pitch: 0.0, distance: 2.0, ..Camera::default() };
    assert!((camera.eye() - Vec3::new(0.0, 0.0, 2.0)).norm() < 1e-15);
    let ray = camera.ray([0.0, 0.0], ASPECT);
    assert!((ray.direction - Vec3::new(0.0, 0.0, -1.0)).norm() < 1e-15);
    assert_eq!(camera.axes()[1], Vec3::new(0.0, 1.0, 0.0));
}

#[test]
fn matrices_rays_and_projection_agree() {
    let camera = askew();
    for ndc in [[0.0, 0.0], [-0.7, 0.4], [0.9, -0.9]] {
        let ray = camera.ray(ndc, ASPECT);
        let point = ray.origin + 2.5 * ray.direction;
        let clip = camera.projection(ASPECT, 0.1, 10.0) * camera.view() * point.push(1.0);
        let [x, y] = camera.project(point, ASPECT).unwrap();
        for (found, wanted) in [(clip.x / clip.w, ndc[0]), (clip.y / clip.w, ndc[1]), (x, ndc[0]), (y, ndc[1])] {
            assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
        }
        assert!((-1.0..=1.0).contains(&(clip.z / clip.w)));
    }
    assert_eq!(camera.project(camera.eye() + camera.axes()[2], ASPECT), None);
}

#[test]
fn zoom_keeps_the_anchor_in_place() {
    let mut camera = askew();
    let ray = camera.ray([0.5, -0.6], ASPECT);
    let anchor = camera.on_target_plane(&ray);
    camera.zoom(0.5, anchor);
    assert!((camera.distance - 1.5).abs() < 1e-15);
    let [x, y] = camera.project(anchor, ASPECT).unwrap();
    assert!((x - 0.5).abs() < 1e-12 && (y + 0.6).abs() < 1e-12);
    (0..500).for_each(|_| camera.zoom(0.5, anchor));
    assert!(camera.distance > 0.0 && camera.eye().iter().all(|x| x.is_finite()));
}

#[test]
fn pan_moves_the_target_with_the_mouse() {
    let mut camera = askew();
    let held = camera.target;
    camera.pan(0.25, 0.1);
    let [x, y] = camera.project(held, ASPECT).unwrap();
    assert!((x * ASPECT - 0.5).abs() < 1e-12 && (y - 0.2).abs() < 1e-12);
}

#[test]
fn orbit_keeps_the_distance_and_stops_overhead() {
    let mut camera = askew();
    camera.orbit(9.0, 9.0);
    assert_eq!(camera.pitch, FRAC_PI_2);
    assert!((-PI..PI).contains(&camera.yaw));
    assert!(((camera.eye() - camera.target).norm() - 3.0).abs() < 1e-12);
    assert!(camera.view().iter().all(|x| x.is_finite()));
}

#[test]
fn a_framed_box_fills_the_picture_and_no_more() {
    for (low, high) in [(Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 1.0, 1.0)), (Vec3::new(5.0, 0.0, 0.0), Vec3::new(5.001, 4.0, 0.1))] {
        let camera = askew().framed((low, high), ASPECT);
        let mut most = 0.0_f64;
        for corner in 0..8 {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
            let [x, y] = camera.project(Vec3::new(pick(0), pick(1), pick(2)), ASPECT).unwrap();
            most = most.max(x.abs()).max(y.abs());
        }
        assert!((most - FILL).abs() < 1e-9, "{most}");
    }
    let point = askew().framed((Vec3::zeros(), Vec3::zeros()), ASPECT);
    assert_eq!((point.target, point.distance), (Vec3::zeros(), 3.0));
}

#[test]
fn depth_range_holds_the_box() {
    let camera = askew();
    let (low, high) = (Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 2.0, 1.0));
    let (near, far) = camera.depth_range(Some((low, high)));
    assert!(near > 0.0 && near < far);
    for corner in [low, high] {
        let depth = -(camera.view() * corner.push(1.0)).z;
        assert!((near..=far).contains(&depth));
    }
    let (near, far) = camera.depth_range(None);
    assert!(near > 0.0 && near < 3.0 && far > 3.0);
}

#[test]
fn axis_views_look_along_the_axes() {
    let sides = [(AxisView::Right, Vec3::x()), (AxisView::Left, -Vec3::x()), (AxisView::Top, Vec3::y())];
    let more = [(AxisView::Bottom, -Vec3::y()), (AxisView::Front, Vec3::z()), (AxisView::Back, -Vec3::z())];
    for (side, from) in sides.into_iter().chain(more) {
        assert!((askew().seen_from(side).axes()[2] - from).norm() < 1e-12, "{side:?}");
    }
}

#[test]
fn between_takes_the_shorter_way_round() {
    let from = Camera { yaw: 3.0, distance: 1.0, ..Camera::default() };
    let to = Camera { yaw: -3.0, distance: 4.0, ..Camera::default() };
    let half = from.between(&to, 0.5);
    assert!((half.yaw.abs() - PI).abs() < 1e-12);
    assert!((half.distance - 2.0).abs() < 1e-12);
    assert!((from.between(&to, 1.0).yaw - to.yaw).abs() < 1e-12);
}

/// Cameras of both kinds, anywhere.
fn cameras(count: usize) -> impl Iterator<Item = Camera> {
    let mut random = aplomb_sim::math::random::Random::new(11);
    (0..count).map(move |index| Camera {
        target: random.vector(-3.0, 3.0),
        yaw: random.uniform(-PI, PI),
        pitch: random.uniform(-1.5, 1.5),
        distance: 10.0_f64.powf(random.uniform(-2.0, 2.0)),
        field_of_view: random.uniform(0.2, 1.2),
        orthographic: index % 2 == 1,
    })
}

#[test]
fn rays_projections_and_matrices_agree_whatever_the_camera() {
    let mut random = aplomb_sim::math::random::Random::new(5);
    for camera in cameras(200) {
        let ndc = [random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)];
        let ray = camera.ray(ndc, ASPECT);
        let (near, far) = camera.depth_range(None);
        let point = ray.origin + (near + random.uniform(0.1, 0.9) * (far - near)) * ray.direction;
        let drawn = camera.in_perspective();
        let clip = drawn.projection(ASPECT, near, far) * drawn.view() * point.push(1.0);
        let [x, y] = camera.project(point, ASPECT).unwrap();
        // What is drawn of an orthographic view is seen from far away.
        let near_enough = if camera.orthographic { 1.0 / LIFT } else { 1e-9 };
        for (found, wanted) in [(clip.x / clip.w, ndc[0]), (clip.y / clip.w, ndc[1])] {
            assert!((found - wanted).abs() < near_enough, "{found} is not {wanted}: {camera:?}");
        }
        assert!((x - ndc[0]).abs().max((y - ndc[1]).abs()) < 1e-9, "{camera:?}");
        let on_plane = camera.on_target_plane(&ray);
        assert!((on_plane - camera.target).dot(&camera.axes()[2]).abs() < 1e-9 * camera.depth());
        let [x, y] = camera.project(on_plane, ASPECT).unwrap();
        assert!((x - ndc[0]).abs().max((y - ndc[1]).abs()) < 1e-9);
    }
}

#[test]
fn both_kinds_show_the_target_at_one_size_and_zoom_frame_and_pan_alike() {
    for camera in cameras(100) {
        let other = Camera { orthographic: !camera.orthographic, ..camera };
        let beside = camera.target + 0.1 * camera.distance * camera.axes()[0];
        let [[a, _], [b, _]] = [camera, other].map(|camera| camera.project(beside, ASPECT).unwrap());
        assert!((a - b).abs() < 1e-9, "the kind is changed without a jump");
        let mut zoomed = camera;
        let anchor = camera.on_target_plane(&camera.ray([0.4, -0.3], ASPECT));
        zoomed.zoom(0.3, anchor);
        let [x, y] = zoomed.project(anchor, ASPECT).unwrap();
        assert!((x - 0.4).abs().max((y + 0.3).abs()) < 1e-9, "{camera:?}");
        let bounds = (camera.target, camera.target + Vec3::new(1.0, 2.0, 0.5));
        let framed = camera.framed(bounds, ASPECT);
        let corner = |k: usize| Vec3::from_fn(|axis, _| if k >> axis & 1 == 0 { bounds.0[axis] } else { bounds.1[axis] });
        let ndc = (0..8).flat_map(|k| framed.project(corner(k), ASPECT).unwrap()).map(f64::abs).fold(0.0, f64::max);
        assert!((ndc - FILL).abs() < 1e-9, "{ndc}: {camera:?}");
    }
}

#[test]
fn in_an_orthographic_view_depth_changes_nothing_and_rays_are_parallel() {
    for camera in cameras(50).filter(|camera| camera.orthographic) {
        let point = camera.target + 0.2 * camera.distance * Vec3::new(0.3, -0.5, 0.4);
        let back = camera.axes()[2];
        let [near, far] = [-3.0, 3.0].map(|way| camera.project(point + way * camera.distance * back, ASPECT).unwrap());
        assert!((near[0] - far[0]).abs().max((near[1] - far[1]).abs()) < 1e-9);
        assert!((camera.ray([0.9, 0.9], ASPECT).direction + back).norm() < 1e-15);
    }
}
