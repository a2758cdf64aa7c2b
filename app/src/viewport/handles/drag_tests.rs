#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aplomb_sim::math::random::Random;

use super::*;

const ASPECT: f64 = 1.6;

/// A camera of either kind, and a frame in its view that is turned in any way.
fn sight(random: &mut Random, orthographic: bool) -> (Camera, Frame) {
    let camera = Camera {
        target: random.vector(-2.0, 2.0),
        yaw: random.uniform(-PI, PI),
        pitch: random.uniform(-1.4, 1.4),
        distance: 10.0_f64.powf(random.uniform(-1.0, 1.0)),
        orthographic,
        ..Camera::default()
    };
    let axes = nalgebra::Rotation3::new(random.vector(-2.0, 2.0)).into_inner();
    let pivot = camera.target + 0.2 * camera.distance * random.vector(-1.0, 1.0);
    (camera, Frame { pivot, axes })
}

fn each(mut test: impl FnMut(&mut Random, &Gaze<'_>, &Frame)) {
    let mut random = Random::new(21);
    for index in 0..300 {
        let (camera, frame) = sight(&mut random, index % 2 == 0);
        test(&mut random, &Gaze { camera: &camera, aspect: ASPECT, size: 0.2 * camera.distance }, &frame);
    }
}

/// What is dragged stays under the mouse: along an axis as far as that goes, in a plane exactly.
#[test]
fn what_is_moved_stays_under_the_mouse() {
    each(|random, gaze, frame| {
        for part in [Part::Axis(0), Part::Axis(1), Part::Axis(2), Part::Plane(0), Part::Plane(1), Part::Plane(2), Part::View] {
            let to_eye = gaze.to_eye(frame.pivot);
            let usable = match part {
                Part::Axis(k) => !is_end_on(&frame.axes.column(k).into(), &to_eye),
                Part::Plane(k) => !is_edge_on(&frame.axes.column(k).into(), &to_eye),
                Part::View => true,
            };
            if !usable {
                continue;
            }
            let wanted: [f64; 3] = if part == Part::View {
                let [right, up, _] = gaze.camera.axes();
                (frame.axes.transpose() * (gaze.size * (0.3 * right - 0.4 * up))).into()
            } else {
                std::array::from_fn(|axis| if part.has(axis) { gaze.size * random.uniform(-0.5, 0.5) } else { 0.0 })
            };
            let to = frame.pivot + frame.axes * Vec3::from(wanted);
            let [from, to] = [frame.pivot, to].map(|at| gaze.camera.project(at, ASPECT).unwrap());
            let Amount::Along(by) = gaze.amount(HandleTool::Move, part, frame, from, to, 0.0) else { panic!("a motion") };
            for axis in 0..3 {
                assert!((by[axis] - wanted[axis]).abs() < 1e-7 * gaze.size, "{part:?}: {by:?} is not {wanted:?}");
            }
        }
    });
}

/// A point of a ring is taken once around it, and back.
#[test]
fn turns_follow_the_mouse_around_and_add_up() {
    each(|_, gaze, frame| {
        for part in [Part::Axis(0), Part::Axis(1), Part::Axis(2), Part::View] {
            let axis = gaze.axis(part, frame);
            if is_edge_on(&axis, &gaze.to_eye(frame.pivot)) {
                continue;
            }
            let u = aplomb_sim::math::across(&axis);
            let at = |angle: f64| frame.pivot + gaze.size * (nalgebra::Rotation3::new(angle * axis) * u);
            let ndc = |angle: f64| gaze.camera.project(at(angle), ASPECT).unwrap();
            let mut turned = 0.0;
            let way = (0..=60).map(|k| f64::from(k) * 0.15).chain((0..=70).map(|k| 9.0 - f64::from(k) * 0.15));
            for angle in way {
                let Amount::About(now) = gaze.amount(HandleTool::Rotate, part, frame, ndc(0.0), ndc(angle), turned) else {
                    panic!("a turn")
                };
                assert!((now - angle).abs() < 1e-6, "{part:?}: {now} is not {angle}");
                turned = now;
            }
        }
    });
}

/// On its edge a ring turns the way that its near side goes.
#[test]
fn a_ring_on_its_edge_turns_with_the_hand() {
    for orthographic in [false, true] {
        let camera = Camera { yaw: 0.0, pitch: 0.0, distance: 4.0, orthographic, ..Camera::default() };
        let gaze = Gaze { camera: &camera, aspect: ASPECT, size: 0.5 };
        let frame = Frame { pivot: Vec3::zeros(), axes: Mat3::identity() };
        let to = camera.project(Vec3::new(0.25, 0.0, 0.0), ASPECT).unwrap();
        let Amount::About(angle) = gaze.amount(HandleTool::Rotate, Part::Axis(1), &frame, [0.0; 2], to, 0.0) else { panic!("a turn") };
        assert!((angle - 0.5).abs() < 1e-9, "{angle}");
        let near = Change { rotate: angle * Vec3::y(), ..Change::still(frame) }.place(&Vec3::new(0.0, 0.0, 0.5));
        assert!(near.x > 0.0, "the near side follows the hand: {near}");
    }
}

#[test]
fn a_box_at_the_end_of_an_axis_scales_by_where_it_is_taken() {
    each(|random, gaze, frame| {
        for k in 0..3 {
            let axis: Vec3 = frame.axes.column(k).into();
            if is_end_on(&axis, &gaze.to_eye(frame.pivot)) {
                continue;
            }
            let factor = random.uniform(0.2, 1.8);
            let ndc = |reach: f64| gaze.camera.project(frame.pivot + reach * gaze.size * axis, ASPECT).unwrap();
            let Amount::Times(by) = gaze.amount(HandleTool::Scale, Part::Axis(k), frame, ndc(1.0), ndc(factor), 0.0) else {
                panic!("a factor")
            };
            assert!((by[k] - factor).abs() < 1e-6 && by[(k + 1) % 3] == 1.0, "{by:?} is not {factor}");
            // It is never turned inside out.
            let Amount::Times(by) = gaze.amount(HandleTool::Scale, Part::Axis(k), frame, ndc(1.0), ndc(-0.5), 0.0) else {
                panic!("a factor")
            };
            assert_eq!(by[k], SMALLEST);
        }
    });
}

#[test]
fn steps_are_whole_and_have_no_digits_of_their_own() {
    assert_eq!(Amount::Along([0.31, -0.26, 0.04]).stepped(0.1, false), Amount::Along([0.3, -0.3, 0.0]));
    assert_eq!(Amount::Along([0.31, -0.26, 0.044]).stepped(0.1, true), Amount::Along([0.31, -0.26, 0.04]));
    assert_eq!(Amount::Along([27.0, 0.0, -24.0]).stepped(10.0, false), Amount::Along([30.0, 0.0, -20.0]));
    let Amount::About(angle) = Amount::About(0.8).stepped(0.1, false) else { panic!("a turn") };
    assert!((angle.to_degrees() - 45.0).abs() < 1e-9);
    let Amount::About(angle) = Amount::About(0.8).stepped(0.1, true) else { panic!("a turn") };
    assert!((angle.to_degrees() - 46.0).abs() < 1e-9);
    assert_eq!(Amount::Times([1.0, 1.26, 0.01]).stepped(0.1, false), Amount::Times([1.0, 1.3, 0.1]));
}

#[test]
fn a_change_moves_turns_and_scales_about_the_middle() {
    let frame = Frame { pivot: Vec3::new(1.0, 0.0, 0.0), axes: Mat3::identity() };
    let change = Change { translate: Vec3::new(0.0, 0.0, 5.0), rotate: 0.5 * PI * Vec3::z(), scale: Vec3::new(2.0, 1.0, 1.0), frame };
    let placed = change.place(&Vec3::new(2.0, 0.0, 0.0));
    assert!((placed - Vec3::new(1.0, 2.0, 5.0)).norm() < 1e-12, "{placed}");
}
