#![allow(clippy::unwrap_used, clippy::panic)]
use super::*;
use crate::element::contract::{
    Scale as Size, check, check_authored_rest, check_constraint, check_rest_fit, weight_is_the_stiffness_at_rest,
};
use crate::math::random::Random;

/// A hinge of random wings, about 0.1 m large, with its wings at this angle, somewhere.
fn folded_by(angle: f64, random: &mut Random) -> [Vec3; 4] {
    let wing = |random: &mut Random| [random.uniform(-0.02, 0.12), random.uniform(0.03, 0.1)];
    let ([along, away], [other, across]) = (wing(random), wing(random));
    let flat = Vec3::new(other, -across * angle.cos(), -across * angle.sin());
    let (turn, shift) = (random.rotation(), random.vector(-1.0, 1.0));
    [Vec3::zeros(), Vec3::new(random.uniform(0.08, 0.1), 0.0, 0.0), Vec3::new(along, away, 0.0), flat].map(|x| turn * x + shift)
}

#[test]
fn every_law_keeps_the_contract() {
    let mut random = Random::new(31);
    for law in HINGE_LAWS {
        for given in [0.0, 1e-6, 0.3, -0.8, 1.5, -2.5] {
            for change in [0.0, 1e-4, -0.2, 0.9] {
                let rest = folded_by(given - change, &mut random);
                let hinge = Hinge::new(law, 1e-3, &rest).unwrap();
                let x = folded_by(given, &mut random);
                let scale = Size { length: 0.05, stiffness: 1e-3 / (0.05 * 0.05) };
                let what = format!("{} {given} {change}", law.name);
                check(&hinge, &x, &scale, &what);
                assert_eq!(hinge.compliance(0).is_some(), law.name == "angle", "{what}");
                if hinge.compliance(0).is_some() {
                    check_constraint(&hinge, &x, &scale, &what);
                }
                check_rest_fit(&hinge, &x, &scale, &what).unwrap_or_else(|why| panic!("{what}: {why}"));
                let mut moved = hinge.clone();
                moved.given_at(&x);
                assert!(folded(moved.rest_angle() - hinge.rest_angle()).abs() < 1e-12);
                let mut numbers = [0.0; 3];
                moved.rest_numbers(&mut numbers);
                let mut again = moved.at_rest(&x).unwrap();
                again.set_rest_numbers(&numbers);
                assert_eq!(again.force_coordinates(&x), moved.force_coordinates(&x), "{what}");
            }
        }
    }
}

/// Folding up and folding down are mirror images, and the angle is the one that was folded by.
#[test]
fn the_angle_has_a_sign() {
    let mut random = Random::new(32);
    for expected in [0.0, 0.5, -0.5, 3.0, -3.0] {
        let x = folded_by(expected, &mut random);
        assert!((angle(&x) - expected).abs() < 1e-12, "{expected}: {}", angle(&x));
        let mirrored = x.map(|x| Vec3::new(x.x, x.y, -x.z));
        assert!((angle(&mirrored) + expected).abs() < 1e-12);
        // Seen from the other end of the edge it is the same.
        assert!((angle(&[x[1], x[0], x[3], x[2]]) - expected).abs() < 1e-12);
    }
}

/// What could be made only with a rest angle beyond one radian is refused, and the stiffness that is told is enough.
#[test]
fn a_rest_angle_that_folds_shut_is_refused() {
    let mut random = Random::new(33);
    for law in HINGE_LAWS {
        for given in [0.0, 0.7, -1.2] {
            let x = folded_by(given, &mut random);
            let hinge = Hinge::new(law, 1e-3, &x).unwrap();
            for sign in [1.0, -1.0] {
                let wanted = [sign * 14.0 * hinge.stiffness];
                let why = hinge.with_rest_for(&x, &wanted).unwrap_err();
                let Unattainable::RestAngle { attainable_share, .. } = why else { panic!("{why}") };
                assert!((0.04..0.08).contains(&attainable_share), "{attainable_share}");
                let cured = hinge.stiffened(why.cure().unwrap()).with_rest_for(&x, &wanted).unwrap();
                assert!((cured.force_coordinates(&x)[0] / wanted[0] - 1.0).abs() < 1e-12, "{}", law.name);
                assert!(cured.given_change.abs() <= MOST_CHANGE && cured.given_change.abs() > 0.9);
            }
        }
    }
}

/// A sheet that is bent to a cylinder stores what a plate does, D kappa^2 / 2 per area: rows of squares cut in halves, bent along a side.
#[test]
fn a_cylinder_stores_the_energy_of_a_plate() {
    let (rigidity, curvature, side) = (1e-3, 0.5, 0.01);
    let bent = |x: f64, y: f64| Vec3::new((curvature * x).sin() / curvature, y, (1.0 - (curvature * x).cos()) / curvature);
    let law = hinge_law("angle").unwrap();
    let flat = |x: f64, y: f64| Vec3::new(x, y, 0.0);
    // Of each square one hinge across the curvature, and the diagonal.
    let hinge = |corners: [[f64; 2]; 4]| {
        let hinge = Hinge::new(law, rigidity, &corners.map(|[x, y]| flat(side * x, side * y))).unwrap();
        hinge.energy(&corners.map(|[x, y]| bent(side * x, side * y)))
    };
    let across = hinge([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [2.0, 1.0]]);
    let diagonal = hinge([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]);
    let plate = 0.5 * rigidity * curvature * curvature * side * side;
    assert!(((across + diagonal) / plate - 1.0).abs() < 1e-4, "{}", (across + diagonal) / plate);
}

/// Cut flat, it makes the moment of the whole angle, however far it is folded, and a rest state may be anywhere between flat and given.
#[test]
fn what_is_cut_flat_is_flat_at_rest() {
    let mut random = Random::new(34);
    for law in HINGE_LAWS {
        for folded_to in [0.0, 1e-6, 0.3, -0.8, 1.5, -2.5] {
            let x = folded_by(folded_to, &mut random);
            let hinge = Hinge::flat(law, 1e-3, 0.09, 0.007, &x).unwrap();
            let stiffness = 1e-3 * 0.09 * 0.09 / 0.007;
            let what = format!("{} {folded_to}", law.name);
            let scale = Size { length: 0.05, stiffness: 1e-3 / (0.05 * 0.05) };
            check(&hinge, &x, &scale, &what);
            check_authored_rest(&hinge, &x, &scale, &what);
            assert!(hinge.rest_angle().abs() < 1e-15, "{what}");
            let expected = if law.name == "angle" { stiffness * folded_to } else { 2.0 * stiffness * (0.5 * folded_to).sin() };
            assert!((hinge.force_coordinates(&x)[0] - expected).abs() < 1e-12 * stiffness, "{what}");
            // Folded as it is, it would be refused a rest angle a radian and a half beyond flat, and not the one half a radian beyond.
            for (beyond, is_had) in [(0.5, true), (1.5, false)] {
                let towards = if folded_to < 0.0 { -1.0 } else { 1.0 };
                let change = folded_to + beyond * towards;
                if change.abs() < 3.0 && law.name == "angle" {
                    assert_eq!(hinge.with_rest_for(&x, &[stiffness * change]).is_ok(), is_had, "{what} {beyond}");
                }
            }
        }
    }
}

/// k = D l^2 / (A1 + A2) of wings that differ, and what it tells of itself.
#[test]
fn a_hinge_of_known_wings_has_its_numbers() {
    let [e, near, far] = [0.2, 0.05, 0.1];
    let flat = [[0.0, 0.0, 0.0], [e, 0.0, 0.0], [0.03, near, 0.0], [0.1, -far, 0.0]].map(Vec3::from);
    for law in HINGE_LAWS {
        let hinge = Hinge::new(law, 1e-3, &flat).unwrap();
        let (areas, angle) = (0.5 * e * (near + far), 0.4f64);
        assert!((hinge.stiffness / (1e-3 * e * e / areas) - 1.0).abs() < 1e-14 && (hinge.bulk(&flat) / (areas / 3.0) - 1.0).abs() < 1e-14);
        weight_is_the_stiffness_at_rest(&hinge, &flat, &Size { length: 0.05, stiffness: hinge.stiffness / (near * near) });
        let mut bent = flat;
        bent[3] = Vec3::new(0.1, -far * angle.cos(), -far * angle.sin());
        let mut fields = [0.0; 3];
        hinge.fields(&bent, &mut fields);
        let expected = [hinge.force_coordinates(&bent)[0] / e, angle, 0.0];
        assert!(fields.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-13), "{fields:?}");
        assert!(fields[0] > 0.0, "folded towards the side of the normals");
        // Either wing may have no area.
        for wing in [2, 3] {
            let mut thin = flat;
            thin[wing] = Vec3::new(0.07, 0.0, 0.0);
            assert_eq!(Hinge::new(law, 1e-3, &thin).unwrap_err(), Unattainable::Degenerate);
            assert_eq!(hinge.at_rest(&thin).unwrap_err(), Unattainable::Degenerate);
        }
    }
}

/// Changes of 1e-9 rad at a large angle are found to the last digits, and large ones have the energy of the formula.
#[test]
fn laws_are_exact_for_small_changes_and_large_ones() {
    let sine = hinge_law("sine").unwrap();
    for angle in [0.3, 1.7, -2.4] {
        for moment in [1e-3, 1e-9, -1e-12] {
            let change = (sine.change)(1.0, angle, moment, 1.0).unwrap();
            assert!(((sine.moment)(1.0, angle, change) / moment - 1.0).abs() < 1e-14, "{angle} {moment}");
        }
        for change in [1e-2f64, 0.9, 1.19, 1.21, -2.0, 4.0] {
            let rest = angle - change;
            let expected = 4.0 * ((0.5 * rest).cos() - (0.5 * angle).cos()) - 2.0 * change * (0.5 * rest).sin();
            let found = (sine.energy)(1.0, angle, change);
            assert!((found - expected).abs() < 1e-14 + 1e-12 * expected.abs(), "{angle} {change}: {found} {expected}");
        }
    }
}
