#![allow(clippy::unwrap_used, clippy::panic)]
//! Elements of discrete elastic rods: the contract, that nothing but the tilt sees the tilt, rigid motions, and the measures against those of Bergou et al.

use nalgebra::{Quaternion, UnitQuaternion};

use super::tests::comes_back_from_numbers;
use super::*;
use crate::element::contract::{
    Scale, check_constraint, check_coordinates, check_derivatives, check_rest_fit, weight_is_the_stiffness_at_rest,
};
use crate::math::random::Random;

const ARM: f64 = 0.02;
const LONGER: f64 = 1.5;
const OF_SEGMENT: Scale = Scale { length: ARM, stiffness: 500.0 };
const OF_JOINT: Scale = Scale { length: ARM, stiffness: 8.0 };

/// Node of an orientation.
fn turned(rotation: &UnitQuaternion<f64>, arm: f64) -> Vec3 {
    rotation.axis_angle().map_or_else(Vec3::zeros, |(axis, angle)| 4.0 * arm * (0.25 * angle).tan() * axis.into_inner())
}

fn rotation(random: &mut Random) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(random.rotation()))
}

/// A frame whose third axis is along an edge.
fn along(edge: &Vec3, random: &mut Random) -> UnitQuaternion<f64> {
    let spun = UnitQuaternion::from_scaled_axis(random.uniform(-3.0, 3.0) * Vec3::z());
    UnitQuaternion::rotation_between(&Vec3::z(), edge).unwrap() * spun
}

fn segment(random: &mut Random) -> ([Vec3; 3], DiscreteSegment) {
    let (from, edge) = (random.vector(-1.0, 1.0), ARM * random.vector(-1.0, 1.0).normalize());
    let given = [from, from + edge, Vec3::zeros()];
    (given, DiscreteSegment::new([10.0, 5e-4], ARM, *along(&edge, random).quaternion(), &given).unwrap())
}

/// A joint that is bent by this angle, in the given shape.
fn joint(bent: f64, random: &mut Random) -> ([Vec3; 5], DiscreteJoint) {
    let first = random.vector(-1.0, 1.0).normalize();
    let axis = first.cross(&random.vector(-1.0, 1.0)).normalize();
    let second = UnitQuaternion::from_scaled_axis(bent * axis) * first;
    let (from, edges) = (random.vector(-1.0, 1.0), [ARM * first, LONGER * ARM * second]);
    let frames = edges.map(|edge| *along(&edge, random).quaternion());
    let x = [from, from + edges[0], from + edges[0] + edges[1], Vec3::zeros(), Vec3::zeros()];
    (x, DiscreteJoint::new(2e-3, 1.4e-3, CurvatureTwist::new(&edges, frames).unwrap(), &x))
}

/// Where a joint is moved by about so much of an arm, and its frames are turned by about so many radians.
fn moved(given: &[Vec3; 5], moved: f64, spun: f64, random: &mut Random) -> [Vec3; 5] {
    let arms = [1.0, 1.0, 1.0, 1.0, LONGER];
    std::array::from_fn(|k| given[k] + if k < 3 { moved } else { spun } * arms[k] * ARM * random.vector(-1.0, 1.0))
}

#[test]
fn segments_keep_the_contract() {
    let mut random = Random::new(181);
    for moved in [0.0, 1e-6, 1e-3, 0.01] {
        for spun in [0.0, 1e-3, 0.3, 1.2] {
            let (given, segment) = segment(&mut random);
            let [a, b, _] = given.map(|x| x + moved * random.vector(-1.0, 1.0));
            let x = [a, b, spun * ARM * random.vector(-1.0, 1.0)];
            let what = format!("{moved} {spun}");
            check_derivatives(&segment, &x, &OF_SEGMENT, &what);
            check_coordinates(&segment, &x, &OF_SEGMENT, &what);
            check_constraint(&segment, &x, &OF_SEGMENT, &what);
            weight_is_the_stiffness_at_rest(&segment, &x, &OF_SEGMENT);
            match check_rest_fit(&segment, &x, &OF_SEGMENT, &what) {
                Err(why) => assert!(spun + moved > 5e-3 && matches!(why, Unattainable::RestBend { .. }), "{what}: {why}"),
                Ok(()) => comes_back_from_numbers(&segment, &x),
            }
        }
    }
}

#[test]
fn joints_keep_the_contract() {
    let mut random = Random::new(182);
    for bent in [0.0, 1e-3, 0.4, 1.5] {
        for (way, spun) in [(0.0, 0.0), (1e-6, 1e-6), (0.05, 0.0), (0.0, 0.1), (0.02, 0.05), (0.3, 0.5), (0.1, 2.0)] {
            let (given, joint) = joint(bent, &mut random);
            let x = moved(&given, way, spun, &mut random);
            let what = format!("{bent} {way} {spun}");
            check_derivatives(&joint, &x, &OF_JOINT, &what);
            check_coordinates(&joint, &x, &OF_JOINT, &what);
            check_constraint(&joint, &x, &OF_JOINT, &what);
            weight_is_the_stiffness_at_rest(&joint, &x, &OF_JOINT);
            match check_rest_fit(&joint, &x, &OF_JOINT, &what) {
                Err(why) => assert!(way + spun > 0.05 && matches!(why, Unattainable::RestBend { .. }), "{what}: {why}"),
                Ok(()) => comes_back_from_numbers(&joint, &x),
            }
        }
    }
}

/// What is measured is what Bergou et al. measure: the curvature binormal in the frame half way between those of the edges, and the angle from the
/// first director, carried along the edges by the least rotation, to that of the second edge. Turns by whole frames cancel.
#[test]
fn joints_measure_curvature_binormal_and_twist() {
    let mut random = Random::new(183);
    for _ in 0..50 {
        let (given, joint) = joint(random.uniform(0.0, 2.0), &mut random);
        assert!(joint.measure.value(&given).z.abs() < 1e-14);
        let frames = joint.measure_frames();
        let (spun, turn) = ([(); 2].map(|()| random.uniform(-1.2, 1.2)), rotation(&mut random));
        let bent = turn * UnitQuaternion::from_scaled_axis(random.vector(-0.5, 0.5));
        let edges = [turn * (given[1] - given[0]), bent * (given[2] - given[1])];
        let directors = [0, 1].map(|k| [turn, bent][k] * frames[k] * UnitQuaternion::from_scaled_axis(spun[k] * Vec3::z()));
        let nodes = [0, 1].map(|k| turned(&(directors[k] * frames[k].inverse()), [ARM, LONGER * ARM][k]));
        let x = [Vec3::zeros(), edges[0], edges[0] + edges[1], nodes[0], nodes[1]];
        let [t1, t2] = edges.map(|edge| edge.normalize());
        let binormal = 2.0 * t1.cross(&t2) / (1.0 + t1.dot(&t2));
        let carried = UnitQuaternion::rotation_between(&t1, &t2).unwrap() * (directors[0] * Vec3::x());
        let (own, across) = (directors[1] * Vec3::x(), directors[1] * Vec3::y());
        // The second frame in the carried first.
        let twist = f64::atan2(-carried.dot(&across), carried.dot(&own));
        let found = joint.measure.value(&x);
        assert!((found.z - twist).abs() < 1e-12, "{} {twist}", found.z);
        let mean = |axis: Vec3| 0.5 * binormal.dot(&(directors[0] * axis + directors[1] * axis)) / (0.5 * twist).cos();
        assert!((found.x - mean(Vec3::x())).abs() < 1e-12 && (found.y - mean(Vec3::y())).abs() < 1e-12, "{found}");
    }
}

/// Frames are taken as they follow their edges: where a frame tilts away from its edge, a joint feels it to second order only, and so do segments
/// feel twist. Then in equilibrium no edge is tilted, and all is as if the twist of each were the one unknown.
#[test]
fn tilt_is_felt_by_segments_and_twist_by_joints() {
    let mut random = Random::new(184);
    for _ in 0..20 {
        let (given, joint) = joint(0.7, &mut random);
        let loaded = joint.with_rest_for(&given, &[1e-2, -2e-2, 1e-2]).unwrap();
        let gradient = loaded.gradient(&given);
        let size = gradient.iter().map(Vec3::norm).fold(0.0, f64::max);
        for (k, edge) in [(3, given[1] - given[0]), (4, given[2] - given[1])] {
            assert!(gradient[k].cross(&edge.normalize()).norm() < 1e-13 * size, "{}", gradient[k]);
            assert!(gradient[k].norm() > 1e-3 * size);
        }
        let (given, segment) = segment(&mut random);
        let loaded = segment.with_rest_for(&given, &[1e-2, -2e-2, 0.1]).unwrap();
        let gradient = loaded.gradient(&given);
        assert!(gradient[2].dot(&(given[1] - given[0])).abs() < 1e-14 && gradient[2].norm() > 1e-3);
    }
}

/// Moved and turned as a whole, neither has any energy, and what force a loaded one makes turns along; no net force and no net torque, the
/// torques on frames counted.
#[test]
fn rigid_motions_cost_nothing_and_turn_the_forces() {
    let mut random = Random::new(185);
    for _ in 0..20 {
        let (turn, shift) = (rotation(&mut random), random.vector(-1.0, 1.0));
        let (given, segment) = segment(&mut random);
        let moved = [turn * given[0] + shift, turn * given[1] + shift, turned(&turn, ARM)];
        assert!(segment.energy(&moved) < 1e-12 * OF_SEGMENT.stiffness * ARM * ARM);
        let loaded = segment.with_rest_for(&given, &[1e-2, -2e-2, 0.1]).unwrap();
        let [before, after] = [loaded.gradient(&given), loaded.gradient(&moved)];
        assert!((turn * before[1] - after[1]).norm() < 1e-11 && (before[0] + before[1]).norm() < 1e-14);
        let torque = (given[1] - given[0]).cross(&before[1]) + ARM * before[2];
        assert!(torque.norm() < 1e-14, "{torque}");

        let (given, joint) = joint(0.4, &mut random);
        let at = |k: usize| turn * given[k] + shift;
        let moved = [at(0), at(1), at(2), turned(&turn, ARM), turned(&turn, LONGER * ARM)];
        assert!(joint.energy(&moved) < 1e-25, "{}", joint.energy(&moved));
        let loaded = joint.with_rest_for(&given, &[1e-2, 2e-2, -1e-2]).unwrap();
        let [before, after] = [loaded.gradient(&given), loaded.gradient(&moved)];
        assert!((0..3).all(|k| (turn * before[k] - after[k]).norm() < 1e-11));
        let forces: Vec3 = before[..3].iter().sum();
        let torque: Vec3 = (0..3).map(|k| (given[k] - given[0]).cross(&before[k])).sum::<Vec3>() + ARM * (before[3] + LONGER * before[4]);
        assert!(forces.norm() < 1e-13 && torque.norm() < 1e-14, "{forces} {torque}");
        assert!((loaded.energy(&moved) - loaded.energy(&given)).abs() < 1e-14);
    }
}

/// Bends and twists cost what they cost by the theory of rods: E I angle^2 / (2 l), of any twist, and G J about the edge; stretching E A / l; and
/// half a segment bends at a clamp.
#[test]
fn stiffnesses_are_those_of_rods() {
    let one = Quaternion::identity();
    let edges = [ARM * Vec3::z(); 2];
    let given = [Vec3::zeros(), edges[0], 2.0 * edges[0], Vec3::zeros(), Vec3::zeros()];
    let joint = DiscreteJoint::new(2e-3, 1.4e-3, CurvatureTwist::new(&edges, [one; 2]).unwrap(), &given);
    let angle: f64 = 1e-3;
    for twist in [0.0, 0.3, 3.0] {
        let frame = UnitQuaternion::from_scaled_axis(twist * Vec3::z());
        let bent = given[1] + ARM * Vec3::new(angle.sin(), 0.0, angle.cos());
        let x = [given[0], given[1], bent, Vec3::zeros(), turned(&frame, ARM)];
        let expected = 0.5 * (2e-3 * angle * angle + 1.4e-3 * twist * twist) / ARM;
        // The node's own tilt changes what follows of it by the second order.
        assert!((joint.energy(&x) - expected).abs() < 1e-5 * expected, "{twist}: {} {expected}", joint.energy(&x));
    }
    let given = [Vec3::zeros(), edges[0], Vec3::zeros()];
    let segment = DiscreteSegment::new([10.0, 2e-3], ARM, one, &given).unwrap();
    let stretched = segment.energy(&[Vec3::zeros(), 1.001 * edges[0], Vec3::zeros()]);
    assert!((stretched - 0.5 * 10.0 * ARM * 1e-6).abs() < 1e-12 * ARM, "{stretched}");
    let tilted = segment.energy(&[Vec3::zeros(), ARM * Vec3::new(0.0, angle.sin(), angle.cos()), Vec3::zeros()]);
    let expected = 0.5 * 2e-3 / (0.5 * ARM) * angle * angle;
    assert!((tilted - expected).abs() < 1e-6 * expected, "{tilted} {expected}");
}

/// A joint is asked for what would take half a radian or more: the share that is told is just made, and the factor of it cures. Edges that point
/// against one another have no binormal.
#[test]
fn moments_beyond_the_bound_are_refused_with_the_share_that_can_be_had() {
    let mut random = Random::new(186);
    for bent in [0.0, 0.5, 2.0] {
        for size in [0.1, 0.6, 3.0, 40.0] {
            let (x, joint) = joint(bent, &mut random);
            let s: [f64; 3] = (size * joint.stiffness.component_mul(&random.vector(-1.0, 1.0).normalize())).into();
            refuses_beyond(&joint, &x, &s, size);
            let (x, segment) = segment(&mut random);
            let across = random.vector(-1.0, 1.0);
            let s = size * segment.stiffness.component_mul(&Vec3::new(across.x, across.y, 0.0).normalize());
            refuses_beyond(&segment, &x, &s.into(), size);
        }
    }
    // Twisted by three radians, it can be no farther from its rest state than half a turn.
    let (x, joint) = joint(0.0, &mut random);
    let spun = UnitQuaternion::from_scaled_axis(3.0 * (x[2] - x[1]).normalize());
    let spun = [x[0], x[1], x[2], x[3], turned(&spun, LONGER * ARM)];
    let s = -0.3 * joint.stiffness.z;
    let share = joint.with_rest_for(&spun, &[0.0, 0.0, s]).unwrap_err().attainable_share().unwrap();
    assert!((share - (std::f64::consts::PI - 3.0) / 0.3).abs() < 1e-9, "{share}");
    assert!(joint.with_rest_for(&spun, &[0.0, 0.0, -s]).is_ok());
    let (given, segment) = segment(&mut random);
    let why = segment.with_rest_for(&given, &[0.0, 0.0, 2.5 * segment.stiffness.z * ARM]).unwrap_err();
    assert!(matches!(why, Unattainable::NoRestLength { attainable_share } if (attainable_share - 0.4).abs() < 1e-12), "{why}");
    let one = Quaternion::identity();
    let empty = DiscreteSegment::new([1.0; 2], ARM, one, &[given[0], given[0], given[2]]);
    assert_eq!(empty.unwrap_err(), Unattainable::Degenerate);
    let back = *UnitQuaternion::from_scaled_axis(std::f64::consts::PI * Vec3::x()).quaternion();
    assert_eq!(CurvatureTwist::new(&[Vec3::z(), -Vec3::z()], [one, back]).unwrap_err(), Unattainable::FoldedBack);
}

fn refuses_beyond<M: Measure<N>, const N: usize>(element: &Rod<M>, x: &[Vec3; N], s: &[f64; 3], size: f64) {
    match element.with_rest_for(x, s) {
        Ok(_) => assert!(size <= MOST_CHANGE, "{size}"),
        Err(why) => {
            let share = why.attainable_share().unwrap();
            assert!((share - MOST_CHANGE / size).abs() < 1e-12, "{share} {size}");
            assert!(element.with_rest_for(x, &s.map(|s| (1.0 - 1e-9) * share * s)).is_ok());
            assert!(element.stiffened(why.cure().unwrap()).with_rest_for(x, s).is_ok());
        }
    }
}

/// What is flipped or folded together in a step that is tried has some energy, and none that is not a number.
#[test]
fn what_is_turned_about_has_finite_energy() {
    let mut random = Random::new(187);
    let (given, joint) = joint(0.4, &mut random);
    let (of_segment, segment) = segment(&mut random);
    let edge = of_segment[1] - of_segment[0];
    for x in [[of_segment[0], of_segment[0] - edge, Vec3::zeros()], [of_segment[0], of_segment[0], Vec3::zeros()]] {
        assert!(segment.energy(&x).is_finite(), "{}", segment.energy(&x));
    }
    for last in [given[0], given[1]] {
        let x = [given[0], given[1], last, given[3], given[4]];
        assert!(!joint.energy(&x).is_nan(), "{}", joint.energy(&x));
    }
}

impl DiscreteJoint {
    fn measure_frames(&self) -> [UnitQuaternion<f64>; 2] {
        let mut numbers = [0.0; 8];
        self.measure.further_numbers(&mut numbers);
        [0, 4].map(|k| UnitQuaternion::new_normalize(Quaternion::new(numbers[k + 3], numbers[k], numbers[k + 1], numbers[k + 2])))
    }
}
