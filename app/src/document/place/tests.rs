#![allow(clippy::unwrap_used, clippy::panic)]

use aplomb_sim::math::random::Random;
use aplomb_sim::scene::{
    AxisAngle, Body, Keyframe, MotionSettings, Obstacle, Region, Selector, Shape, Transform, WallCondition, WindSettings,
};

use super::*;
use crate::viewport::handles::Frame;

fn change(random: &mut Random, factor: f64) -> Change {
    let frame = Frame { pivot: random.vector(-1.0, 1.0), axes: Mat3::identity() };
    Change { translate: random.vector(-1.0, 1.0), rotate: random.vector(-2.0, 2.0), scale: Vec3::repeat(factor), frame }
}

fn body(transform: Transform, select: Vec<Selector>) -> Body {
    let json = serde_json::json!({ "name": "b", "mesh": "b.mesh" });
    let mut body: Body = serde_json::from_value(json).unwrap();
    body.transform = transform;
    body.regions = vec![Region { name: "r".into(), color: None, locked: false, role: RegionRole::FIXED, select }];
    body
}

fn obstacle(shape: Shape) -> Obstacle {
    Obstacle { name: "o".into(), shape, friction: 0.5, removed_at: None, wall: WallCondition::default(), motion: None }
}

#[test]
fn a_body_goes_where_its_points_are_taken() {
    let mut random = Random::new(3);
    for _ in 0..100 {
        let before =
            Transform { scale: 0.7, rotate_degrees: random.vector(-170.0, 170.0).into(), translate: random.vector(-1.0, 1.0).into() };
        let change = change(&mut random, 1.3);
        let mut scene = Scene::empty("s");
        scene.bodies.push(body(before, Vec::new()));
        let after = placed(&scene, &[Target::Body(0)], &change, None).bodies[0].transform;
        let mut points: Vec<Vec3> = (0..5).map(|_| random.vector(-1.0, 1.0)).collect();
        let mut expected = points.clone();
        before.apply(&mut expected);
        after.apply(&mut points);
        for (now, before) in points.iter().zip(&expected) {
            assert!((now - change.place(before)).norm() < 1e-8, "{now} is not {}", change.place(before));
        }
    }
}

#[test]
fn what_is_only_moved_keeps_its_digits() {
    let before = Transform { scale: 0.1, rotate_degrees: [200.0, -35.0, 0.0], translate: [0.1, 0.0, 0.0] };
    let mut scene = Scene::empty("s");
    scene.bodies.push(body(before, Vec::new()));
    let frame = Frame { pivot: Vec3::new(0.3, 0.7, 0.0), axes: Mat3::identity() };
    let moved = Change { translate: Vec3::new(0.2, 0.0, 0.0), ..Change::still(frame) };
    let after = placed(&scene, &[Target::Body(0)], &moved, None).bodies[0].transform;
    assert_eq!(after, Transform { translate: [0.3, 0.0, 0.0], ..before });
}

/// A region that is a place holds the same points of the body as before.
#[test]
fn regions_that_are_places_go_along() {
    let mut scene = Scene::empty("s");
    let select = vec![
        Selector::Box { min: [0.0, 0.0, 0.0], max: [1.0, 2.0, 3.0] },
        Selector::Sphere { center: [1.0, 0.0, 0.0], radius: 0.5 },
        Selector::PlaneSide { point: [0.0, 1.0, 0.0], normal: [0.0, 1.0, 0.0] },
        Selector::Height { axis: aplomb_sim::scene::Axis::X, from: 0.0, to: 0.25 },
    ];
    scene.bodies.push(body(Transform::default(), select.clone()));
    let frame = Frame { pivot: Vec3::zeros(), axes: Mat3::identity() };
    let quarter = Change { rotate: std::f64::consts::FRAC_PI_2 * Vec3::z(), translate: Vec3::new(0.0, 0.0, 1.0), ..Change::still(frame) };
    let after = placed(&scene, &[Target::Body(0)], &quarter, None);
    let expected = vec![
        Selector::Box { min: [-2.0, 0.0, 1.0], max: [0.0, 1.0, 4.0] },
        Selector::Sphere { center: [0.0, 1.0, 1.0], radius: 0.5 },
        Selector::PlaneSide { point: [-1.0, 0.0, 1.0], normal: [-1.0, 0.0, 0.0] },
        Selector::Height { axis: aplomb_sim::scene::Axis::Y, from: 0.0, to: 0.25 },
    ];
    assert_eq!(after.bodies[0].regions[0].select, expected);
    let half = Change { rotate: std::f64::consts::PI * Vec3::z(), ..Change::still(frame) };
    let after = placed(&scene, &[Target::Body(0)], &half, None);
    assert_eq!(after.bodies[0].regions[0].select[3], Selector::Height { axis: aplomb_sim::scene::Axis::X, from: 0.75, to: 1.0 });
    // Without a model that says which vertices these are, a box that cannot be turned stays as it was written.
    let askew = Change { rotate: 0.3 * Vec3::z(), ..Change::still(frame) };
    assert_eq!(placed(&scene, &[Target::Body(0)], &askew, None).bodies[0].regions[0].select, select);
}

/// Every shape contains, at the new place, what it contained before.
#[test]
fn obstacles_of_every_shape_go_where_their_points_are_taken() {
    use aplomb_sim::contact::distance::placed as distance;
    let mut random = Random::new(9);
    let shapes = [
        Shape::HalfSpace { point: [0.1, 0.2, 0.3], normal: [0.0, 2.0, 1.0] },
        Shape::Sphere { center: [0.1, 0.2, 0.3], radius: 0.4 },
        Shape::Box { center: [0.1, 0.2, 0.3], size: [0.4, 0.5, 0.6], rotate_degrees: [10.0, 20.0, 30.0] },
        Shape::Capsule { from: [0.1, 0.2, 0.3], to: [0.5, 0.2, 0.1], radius: 0.2 },
    ];
    for shape in shapes {
        for _ in 0..40 {
            let change = change(&mut random, 1.7);
            let mut scene = Scene::empty("s");
            scene.obstacles.push(obstacle(shape.clone()));
            let after = placed(&scene, &[Target::Obstacle(0)], &change, None);
            let (before, after) = (distance(&shape), distance(&after.obstacles[0].shape));
            let at = random.vector(-1.0, 1.0);
            let (a, b) = (before.distance(&at).value, after.distance(&change.place(&at)).value);
            assert!((1.7 * a - b).abs() < 1e-8, "{shape:?}: {a} and {b}");
        }
    }
    let mut scene = Scene::empty("s");
    scene.obstacles.push(obstacle(Shape::Torus {
        center: [1.0, 0.0, 0.0],
        axis: [0.0, 3.0, 0.0],
        ring_radius: 0.3,
        tube_radius: 0.1,
        segments: 8,
    }));
    let profile = vec![[0.0, -0.1], [0.2, 0.0], [0.4, 0.3]];
    scene.obstacles.push(obstacle(Shape::Revolution { center: [1.0, 0.0, 0.0], axis: [0.0, 1.0, 0.0], profile, segments: 8 }));
    let frame = Frame { pivot: Vec3::zeros(), axes: Mat3::identity() };
    let double = Change { rotate: -std::f64::consts::FRAC_PI_2 * Vec3::x(), scale: Vec3::repeat(2.0), ..Change::still(frame) };
    let after = placed(&scene, &[Target::Obstacle(0), Target::Obstacle(1)], &double, None);
    let expected = Shape::Torus { center: [2.0, 0.0, 0.0], axis: [0.0, 0.0, -3.0], ring_radius: 0.6, tube_radius: 0.2, segments: 8 };
    assert_eq!(after.obstacles[0].shape, expected);
    let Shape::Revolution { center, axis, profile, .. } = &after.obstacles[1].shape else { panic!("a funnel") };
    assert_eq!((*center, *axis, &profile[..]), ([2.0, 0.0, 0.0], [0.0, 0.0, -1.0], &[[0.0, -0.2], [0.4, 0.0], [0.8, 0.6]][..]));
}

#[test]
fn sizes_change_along_the_axes_that_a_shape_has() {
    let mut scene = Scene::empty("s");
    let shape = Shape::Box { center: [0.0; 3], size: [1.0, 2.0, 3.0], rotate_degrees: [0.0, 0.0, 90.0] };
    let (axes, uniform) = axes_of(&shape).unwrap();
    assert!(!uniform);
    scene.obstacles.push(obstacle(shape));
    let frame = Frame { pivot: Vec3::zeros(), axes };
    let change = Change { scale: Vec3::new(1.0, 1.5, 1.0), ..Change::still(frame) };
    let after = placed(&scene, &[Target::Obstacle(0)], &change, None);
    assert!(matches!(after.obstacles[0].shape, Shape::Box { size: [1.0, 3.0, 3.0], .. }), "{:?}", after.obstacles[0].shape);
    let rod = Shape::Capsule { from: [0.0; 3], to: [2.0, 0.0, 0.0], radius: 0.1 };
    let (axes, _) = axes_of(&rod).unwrap();
    scene.obstacles[0].shape = rod;
    let frame = Frame { pivot: Vec3::new(1.0, 0.0, 0.0), axes };
    let longer = Change { scale: Vec3::new(1.0, 2.0, 1.0), ..Change::still(frame) };
    let after = placed(&scene, &[Target::Obstacle(0)], &longer, None);
    assert_eq!(after.obstacles[0].shape, Shape::Capsule { from: [-1.0, 0.0, 0.0], to: [3.0, 0.0, 0.0], radius: 0.1 });
    let thicker = Change { scale: Vec3::new(3.0, 1.0, 1.0), ..Change::still(frame) };
    let after = placed(&scene, &[Target::Obstacle(0)], &thicker, None);
    assert_eq!(after.obstacles[0].shape, Shape::Capsule { from: [0.0; 3], to: [2.0, 0.0, 0.0], radius: 0.3 });
}

fn motion() -> MotionSettings {
    let key = |time, x, degrees| Keyframe { time, translate: [x, 0.0, 0.0], rotate: Some(AxisAngle { axis: [0.0, 1.0, 0.0], degrees }) };
    MotionSettings { pivot: None, keyframes: vec![key(1.0, 1.0, 360.0), key(2.0, 3.0, 1080.0)] }
}

#[test]
fn a_keyframe_that_is_added_changes_nothing_of_the_motion() {
    use aplomb_sim::system::Motion;
    let before = motion();
    let points = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 2.0)];
    for time in [0.25, 1.4, 2.5] {
        let mut after = before.clone();
        let index = add_key(&mut after, time);
        assert_eq!(after.keyframes.len(), 3);
        assert_eq!(after.keyframes[index].time, time);
        for k in 0..30 {
            let at = f64::from(k) * 0.1;
            let [a, b] = [&before, &after].map(|motion| Motion::new(motion, &points).displaced(&points[0], at));
            assert!((a - b).norm() < 1e-8, "with a key at {time}, at {at}: {a} and {b}");
        }
        assert_eq!(add_key(&mut after, time + 1e-4), index, "it is there already");
    }
}

#[test]
fn a_keyframe_is_moved_and_turned_through_as_many_turns_as_it_has() {
    let mut scene = Scene::empty("s");
    scene.obstacles.push(Obstacle { motion: Some(motion()), ..obstacle(Shape::Sphere { center: [0.0; 3], radius: 1.0 }) });
    let frame = Frame { pivot: Vec3::zeros(), axes: Mat3::identity() };
    let change = Change { translate: Vec3::new(0.0, 0.5, 0.0), rotate: 0.5 * std::f64::consts::PI * Vec3::y(), ..Change::still(frame) };
    let target = [Target::Key(Mover::Obstacle(0), 2.0)];
    let after = placed(&scene, &target, &change, None);
    let key = after.obstacles[0].motion.as_ref().unwrap().keyframes[1];
    assert_eq!((key.translate, key.rotate), ([3.0, 0.5, 0.0], Some(AxisAngle { axis: [0.0, 1.0, 0.0], degrees: 1170.0 })));
    // Where there is none yet, one is made.
    let after = placed(&scene, &[Target::Key(Mover::Obstacle(0), 3.0)], &change, None);
    let motion = after.obstacles[0].motion.as_ref().unwrap();
    assert_eq!((motion.keyframes.len(), motion.keyframes[2].time, motion.keyframes[2].translate), (3, 3.0, [3.0, 0.5, 0.0]));
    // Nothing has moved at time zero.
    assert_eq!(placed(&scene, &[Target::Key(Mover::Obstacle(0), 0.0)], &change, None), scene);
}

#[test]
fn directions_turn_and_keep_their_length() {
    let mut scene = Scene::empty("s");
    scene.wind = Some(WindSettings { velocity: [3.0, 0.0, 0.0], density: 1.2, drag: 1.0, from: 0.0, gust: None });
    scene.bodies.push(body(Transform::default(), Vec::new()));
    scene.bodies[0].regions[0].role = RegionRole::Traction { force: [0.0, -1000.0, 0.0], ramp: 0.0 };
    let frame = Frame { pivot: Vec3::zeros(), axes: Mat3::identity() };
    let quarter = Change { rotate: std::f64::consts::FRAC_PI_2 * Vec3::z(), ..Change::still(frame) };
    let after = placed(&scene, &[Target::Wind, Target::Force(0, 0)], &quarter, None);
    assert_eq!(after.wind.unwrap().velocity, [0.0, 3.0, 0.0]);
    assert_eq!(after.bodies[0].regions[0].role, RegionRole::Traction { force: [1000.0, 0.0, 0.0], ramp: 0.0 });
}

#[test]
fn what_is_dropped_comes_to_rest_above_what_is_below() {
    let mut scene = Scene::empty("s");
    scene.obstacles.push(obstacle(Shape::HalfSpace { point: [0.0, -1.0, 0.0], normal: [0.0, 1.0, 0.0] }));
    scene.obstacles.push(obstacle(Shape::Box { center: [5.0, 0.0, 0.0], size: [1.0, 1.0, 1.0], rotate_degrees: [0.0; 3] }));
    scene.bodies.push(body(Transform::default(), Vec::new()));
    let height = |scene: &Scene, points: &[Vec3]| {
        dropped(scene, &[Target::Body(0)], points, 0.01).map(|scene| scene.bodies[0].transform.translate[1])
    };
    let cube = |x: f64| [Vec3::new(x, 2.0, 0.0), Vec3::new(x + 0.2, 3.0, 0.0)];
    assert!((height(&scene, &cube(0.0)).unwrap() + 2.99).abs() < 1e-8, "onto the ground");
    assert!((height(&scene, &cube(5.0)).unwrap() + 1.49).abs() < 1e-8, "onto the box");
    let sunk = [Vec3::new(0.0, -1.5, 0.0)];
    assert!((height(&scene, &sunk).unwrap() - 0.51).abs() < 1e-8, "out of the ground");
    scene.obstacles.clear();
    assert!((height(&scene, &cube(0.0)).unwrap() + 1.99).abs() < 1e-8, "to the height 0 where there is no ground");
    scene.gravity = [0.0; 3];
    assert_eq!(height(&scene, &cube(0.0)), None, "there is no down");
}
