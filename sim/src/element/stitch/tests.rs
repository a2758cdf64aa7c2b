#![allow(clippy::unwrap_used, clippy::panic)]
use super::*;
use crate::element::contract::{Scale as Size, check, check_authored_rest, check_rest_fit};
use crate::math::random::Random;

/// A triangle about 0.1 m large somewhere, its corners after a vertex `apart` [m] from a point of it, and the shares of that.
fn sewn(apart: f64, random: &mut Random) -> ([f64; 3], [Vec3; 4]) {
    let corners = [[0.0, 0.0], [0.1, 0.01], [0.03, 0.08]].map(|[x, y]: [f64; 2]| Vec3::new(x, y, 0.0) + random.vector(-0.01, 0.01));
    let (b, c) = (random.uniform(0.0, 1.0), random.uniform(0.0, 1.0));
    let (b, c) = if b + c > 1.0 { (1.0 - b, 1.0 - c) } else { (b, c) };
    let point = (1.0 - b - c) * corners[0] + b * corners[1] + c * corners[2];
    let vertex = point + apart * random.vector(-1.0, 1.0).normalize();
    let (turn, shift) = (random.rotation(), random.vector(-1.0, 1.0));
    ([1.0 - b - c, b, c], [vertex, corners[0], corners[1], corners[2]].map(|x| turn * x + shift))
}

const SCALE: Size = Size { length: 0.1, stiffness: 500.0 };

#[test]
fn every_stitch_keeps_the_contract() {
    let mut random = Random::new(71);
    for apart in [0.0, 1e-6, 1e-3, 0.03, 0.2] {
        for moved in [0.0, 1e-6, 1e-3, 0.03] {
            for closes in [false, true] {
                for round in 0..4 {
                    let (weights, given) = sewn(apart, &mut random);
                    let stitch = Stitch::new(500.0, weights, closes, &given).unwrap();
                    let x = given.map(|x| x + moved * random.vector(-1.0, 1.0));
                    let what = format!("{apart} {moved} {closes} {round}");
                    check(&stitch, &x, &SCALE, &what);
                    if closes {
                        check_authored_rest(&stitch, &x, &SCALE, &what);
                    } else {
                        check_rest_fit(&stitch, &x, &SCALE, &what).unwrap_or_else(|why| panic!("{what}: {why}"));
                    }
                    let mut moved = stitch.clone();
                    moved.given_at(&x);
                    assert!((moved.rest_offset() - stitch.rest_offset()).norm() < 1e-15, "{what}");
                    let mut numbers = [0.0; 7];
                    moved.rest_numbers(&mut numbers);
                    let mut again = moved.at_rest(&x).unwrap();
                    again.set_rest_numbers(&numbers);
                    assert_eq!(again.force_coordinates(&x), moved.force_coordinates(&x), "{what}");
                }
            }
        }
    }
}

/// A motion of all its nodes as of one rigid body stretches nothing, whatever the distance of what is sewn.
#[test]
fn it_turns_with_its_triangle() {
    let mut random = Random::new(72);
    for apart in [0.0, 1e-3, 0.3] {
        let (weights, given) = sewn(apart, &mut random);
        let (turn, shift) = (random.rotation(), random.vector(-1.0, 1.0));
        let x = given.map(|x| turn * x + shift);
        let stitch = Stitch::new(500.0, weights, false, &given).unwrap();
        assert!(stitch.gradient(&x).iter().all(|f| f.norm() < 500.0 * 2e-15), "{apart}: {:?}", stitch.gradient(&x));
        let loaded = stitch.with_rest_for(&given, &[0.3, -0.2, 0.1]).unwrap();
        let turned = loaded.gradient(&given).map(|f| turn * f);
        assert!(loaded.gradient(&x).iter().zip(turned).all(|(f, turned)| (f - turned).norm() < 1e-11), "{apart}");
    }
}

/// Closed, it pulls the vertex straight to the point that it is sewn to, as a spring of no length does, and the point the other way.
#[test]
fn a_seam_that_closes_pulls_together() {
    let mut random = Random::new(73);
    for apart in [1e-9, 1e-3, 0.3] {
        let (weights, x) = sewn(apart, &mut random);
        let stitch = Stitch::new(500.0, weights, true, &x).unwrap();
        let point = weights[0] * x[1] + weights[1] * x[2] + weights[2] * x[3];
        let gradient = stitch.gradient(&x);
        for (by, share) in gradient.iter().zip([1.0, -weights[0], -weights[1], -weights[2]]) {
            assert!((by - 500.0 * share * (x[0] - point)).norm() < 1e-12 * 500.0 * apart.max(1e-3), "{apart}: {by} {share}");
        }
    }
}

/// A force of a millionth of what the seam could hold keeps its digits in the given shape, however far from the origin.
#[test]
fn the_force_of_a_stiff_stitch_is_exact_in_the_given_shape() {
    let mut random = Random::new(74);
    let (weights, x) = sewn(1e-4, &mut random);
    let stitch = Stitch::new(1e9, weights, true, &x).unwrap().with_rest_for(&x, &[0.4, -0.2, 0.1]).unwrap();
    let found = stitch.force_coordinates(&x);
    assert!(found.iter().zip([0.4, -0.2, 0.1]).all(|(found, asked)| (found - asked).abs() < 1e-15), "{found:?}");
}

#[test]
fn a_triangle_without_area_is_refused() {
    let flat = [Vec3::y(), Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x()];
    assert_eq!(Stitch::new(1.0, [0.2, 0.3, 0.5], true, &flat).unwrap_err(), Unattainable::Degenerate);
    let sound = [Vec3::y(), Vec3::zeros(), Vec3::x(), Vec3::z()];
    let stitch = Stitch::new(1.0, [0.2, 0.3, 0.5], true, &sound).unwrap();
    assert!(stitch.with_rest_for(&flat, &[0.0; 3]).is_err());
    assert!(stitch.energy(&flat) == 0.0 && stitch.gradient(&flat) == [Vec3::zeros(); 4]);
}
