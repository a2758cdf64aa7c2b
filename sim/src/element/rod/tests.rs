#![allow(clippy::unwrap_used, clippy::panic)]
use nalgebra::{Quaternion, UnitQuaternion};

use super::*;
use crate::element::contract::{
    Scale, check_constraint, check_coordinates, check_derivatives, check_rest_fit, weight_is_the_stiffness_at_rest,
};
use crate::math::random::Random;

const ARM: f64 = 0.02;

/// Node of an orientation.
fn turned(rotation: &Mat3, arm: f64) -> Vec3 {
    let axis = nalgebra::Rotation3::from_matrix_unchecked(*rotation).scaled_axis();
    let angle = axis.norm();
    axis.try_normalize(0.0).map_or_else(Vec3::zeros, |axis| 4.0 * arm * (0.25 * angle).tan() * axis)
}

fn rotation_of(x: &Vec3, arm: f64) -> Mat3 {
    Orientation::of(x, arm).inverse().transpose()
}

fn segment(random: &mut Random) -> ([Vec3; 3], Segment) {
    let from = random.vector(-1.0, 1.0);
    let given = [from, from + ARM * random.vector(-1.0, 1.0).normalize(), Vec3::zeros()];
    (given, Segment::new(10.0, ARM, &given).unwrap())
}

fn joint(bent: f64, random: &mut Random) -> Joint {
    let quaternion =
        |rotation: Mat3| *UnitQuaternion::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(rotation)).quaternion();
    let first = quaternion(random.rotation());
    let relative = *UnitQuaternion::from_scaled_axis(bent * random.vector(-1.0, 1.0).normalize()).quaternion();
    Joint::new(2e-3, 1.4e-3, BendTwist { arms: [ARM, 1.5 * ARM], frames: [first, first * relative], length: 1.25 * ARM })
}

const OF_SEGMENT: Scale = Scale { length: ARM, stiffness: 500.0 };
const OF_JOINT: Scale = Scale { length: ARM, stiffness: 250.0 };

#[test]
fn orientations_are_rotations_with_exact_derivatives() {
    let mut random = Random::new(80);
    for size in [0.0, 1e-6, 0.3, 1.0, 2.5] {
        let x = 4.0 * ARM * size * random.vector(-1.0, 1.0);
        let place = Orientation::of(&x, ARM);
        let rotation = rotation_of(&x, ARM);
        assert!((rotation * rotation.transpose() - Mat3::identity()).amax() < 1e-14 && rotation.determinant() > 0.0);
        let unit = UnitQuaternion::from_quaternion(place.quaternion());
        assert!((unit.to_rotation_matrix().matrix() - rotation).amax() < 1e-14, "{size}");
        assert!((place.quaternion().norm() - 1.0).abs() < 1e-15);
        // To first order, a length is an angle times the arm.
        let small = 1e-7 * Vec3::new(0.3, -0.5, 0.2);
        let spin = rotation_of(&small, ARM) - Mat3::identity();
        assert!((spin - (small / ARM).cross_matrix()).amax() < 1e-10);
    }
}

#[test]
fn segments_keep_the_contract() {
    let mut random = Random::new(81);
    for moved in [0.0, 1e-6, 1e-3, 0.01] {
        for spun in [0.0, 1e-3, 1.0, 4.0] {
            let (given, segment) = segment(&mut random);
            let [a, b, _] = given.map(|x| x + moved * random.vector(-1.0, 1.0));
            let x = [a, b, spun * ARM * random.vector(-1.0, 1.0)];
            let what = format!("{moved} {spun}");
            check_derivatives(&segment, &x, &OF_SEGMENT, &what);
            check_coordinates(&segment, &x, &OF_SEGMENT, &what);
            check_constraint(&segment, &x, &OF_SEGMENT, &what);
            weight_is_the_stiffness_at_rest(&segment, &x, &OF_SEGMENT);
            match check_rest_fit(&segment, &x, &OF_SEGMENT, &what) {
                // Turned about, its own rest state points the other way.
                Err(why) => assert!(spun >= 1.0 && matches!(why, Unattainable::NoRestLength { .. }), "{what}: {why}"),
                Ok(()) => comes_back_from_numbers(&segment, &x),
            }
        }
    }
}

#[test]
fn joints_keep_the_contract() {
    let mut random = Random::new(82);
    for bent in [0.0, 1e-3, 0.4, 2.0] {
        for spun in [0.0, 1e-6, 0.05, 0.2, 3.0] {
            let joint = joint(bent, &mut random);
            let x = [(); 2].map(|()| spun * ARM * random.vector(-1.0, 1.0));
            let what = format!("{bent} {spun}");
            check_derivatives(&joint, &x, &OF_JOINT, &what);
            check_coordinates(&joint, &x, &OF_JOINT, &what);
            check_constraint(&joint, &x, &OF_JOINT, &what);
            weight_is_the_stiffness_at_rest(&joint, &x, &OF_JOINT);
            match check_rest_fit(&joint, &x, &OF_JOINT, &what) {
                Err(why) => assert!(spun > 0.1 && matches!(why, Unattainable::RestBend { .. }), "{what}: {why}"),
                Ok(()) => comes_back_from_numbers(&joint, &x),
            }
        }
    }
}

pub(super) fn comes_back_from_numbers<M: Measure<N>, const N: usize>(element: &Rod<M>, x: &[Vec3; N]) {
    let fitted = element.with_rest_for(x, &element.force_coordinates(x)).unwrap();
    let mut numbers = vec![0.0; M::kind().rest_numbers];
    fitted.rest_numbers(&mut numbers);
    let mut again = fitted.at_rest(x).unwrap();
    again.set_rest_numbers(&numbers);
    assert_eq!(again.force_coordinates(x), fitted.force_coordinates(x));
}

/// Moved and turned as a whole, neither has any energy, and what force a loaded one makes turns along; no net force and no net torque, the
/// torques on frames counted.
#[test]
fn rigid_motions_cost_nothing_and_turn_the_forces() {
    let mut random = Random::new(83);
    for _ in 0..20 {
        let (given, segment) = segment(&mut random);
        let (turn, shift) = (random.rotation(), random.vector(-1.0, 1.0));
        let moved = [turn * given[0] + shift, turn * given[1] + shift, turned(&turn, ARM)];
        assert!(segment.energy(&moved) < 1e-12 * OF_SEGMENT.stiffness * ARM * ARM);
        let loaded = segment.with_rest_for(&given, &[0.3, -0.2, 0.1]).unwrap();
        let [before, after] = [loaded.gradient(&given), loaded.gradient(&moved)];
        assert!((turn * before[1] - after[1]).norm() < 1e-12 && (before[0] + before[1]).norm() < 1e-14);
        // At no turn the force of a frame is its torque over the arm.
        let edge = given[1] - given[0];
        assert!((edge.cross(&before[1]) + ARM * before[2]).norm() < 1e-14 * ARM, "{}", edge.cross(&before[1]) + ARM * before[2]);

        let joint = joint(0.4, &mut random);
        let frames = [turned(&turn, ARM), turned(&turn, 1.5 * ARM)];
        assert!(joint.energy(&frames) < 1e-25, "{}", joint.energy(&frames));
        let loaded = joint.with_rest_for(&[Vec3::zeros(); 2], &[1e-3, 2e-3, -1e-3]).unwrap();
        let [first, second] = loaded.gradient(&[Vec3::zeros(); 2]);
        assert!((first + 1.5 * second).norm() < 1e-15, "{first} {second}");
        assert!((loaded.energy(&frames) - loaded.energy(&[Vec3::zeros(); 2])).abs() < 1e-15);
    }
}

/// Small bends and twists cost what they cost by the theory of rods: E I angle^2 / (2 l), and G J about the third axis.
#[test]
fn stiffnesses_are_those_of_rods() {
    let one = Quaternion::identity();
    let joint = Joint::new(2e-3, 1.4e-3, BendTwist { arms: [ARM; 2], frames: [one; 2], length: ARM });
    for (axis, stiffness) in [(0, 2e-3), (1, 2e-3), (2, 1.4e-3)] {
        let angle = 1e-3;
        let x = [Vec3::zeros(), ARM * Vec3::ith(axis, angle)];
        let expected = 0.5 * stiffness * angle * angle / ARM;
        assert!((joint.energy(&x) - expected).abs() < 1e-6 * expected, "{axis}: {} {expected}", joint.energy(&x));
    }
    let segment = Segment::new(10.0, ARM, &[Vec3::zeros(), ARM * Vec3::z(), Vec3::zeros()]).unwrap();
    let stretched = segment.energy(&[Vec3::zeros(), 1.001 * ARM * Vec3::z(), Vec3::zeros()]);
    assert!((stretched - 0.5 * 10.0 * ARM * 1e-6).abs() < 1e-12 * ARM, "{stretched}");
}

/// A joint is asked for what would take half a radian or more, or a rest state that is no rotation: the share that is told is just made, and
/// the factor of it cures.
#[test]
fn moments_beyond_the_bound_are_refused_with_the_share_that_can_be_had() {
    let mut random = Random::new(84);
    for bent in [0.0, 0.5, 2.9, 3.1] {
        for size in [0.1, 0.6, 3.0, 40.0] {
            let joint = joint(bent, &mut random);
            let x = [Vec3::zeros(); 2];
            let way = random.vector(-1.0, 1.0).normalize();
            // Twice the measure is the angle.
            let s: [f64; 3] = (0.5 * size * joint.stiffness.component_mul(&way)).into();
            match joint.with_rest_for(&x, &s) {
                Ok(_) => assert!(size <= MOST_CHANGE, "{bent} {size}"),
                Err(why) => {
                    let share = why.attainable_share().unwrap();
                    assert!(size > MOST_CHANGE || bent > 2.8, "{bent} {size}: {why}");
                    assert!(joint.with_rest_for(&x, &s.map(|s| (1.0 - 1e-9) * share * s)).is_ok() || share == 0.0, "{bent} {size}");
                    assert!(joint.with_rest_for(&x, &s.map(|s| (1.0 + 1e-6) * share * s)).is_err() || share == 0.0, "{bent} {size}");
                    if share > 0.0 {
                        assert!(joint.stiffened(why.cure().unwrap()).with_rest_for(&x, &s).is_ok(), "{bent} {size}");
                    }
                    if bent < 1.0 {
                        assert!((share - MOST_CHANGE / size).abs() < 1e-12, "{share}");
                    }
                }
            }
        }
    }
    let (given, segment) = segment(&mut random);
    let edge = given[1] - given[0];
    let push: [f64; 3] = (2.5 * segment.stiffness.x * edge).into();
    let why = segment.with_rest_for(&given, &push).unwrap_err();
    assert!((why.attainable_share().unwrap() - 0.4).abs() < 1e-12);
    assert_eq!(Segment::new(1.0, ARM, &[edge, edge, edge]).unwrap_err(), Unattainable::Degenerate);
}
