#![allow(clippy::unwrap_used, clippy::panic)]
use super::*;
use crate::element::contract::{Scale, check, check_constraint, check_potential, check_rest_fit};
use crate::math::random::Random;

/// Two wings about an edge, each by where its tip is along the edge and away from it [m].
struct Wings {
    edge: f64,
    tips: [[f64; 2]; 2],
}

impl Wings {
    fn any(random: &mut Random) -> Self {
        let tip = |random: &mut Random| [random.uniform(-0.02, 0.12), random.uniform(0.03, 0.1)];
        Self { edge: random.uniform(0.08, 0.1), tips: [tip(random), tip(random)] }
    }

    /// Folded by this angle, somewhere.
    fn folded(&self, angle: f64, random: &mut Random) -> [Vec3; 4] {
        let [[along, away], [other, across]] = self.tips;
        let flat = Vec3::new(other, -across * angle.cos(), -across * angle.sin());
        let (turn, shift) = (random.rotation(), random.vector(-1.0, 1.0));
        [Vec3::zeros(), Vec3::new(self.edge, 0.0, 0.0), Vec3::new(along, away, 0.0), flat].map(|x| turn * x + shift)
    }
}

const SCALE: Scale = Scale { length: 0.05, stiffness: 1e-3 / (0.05 * 0.05) };

#[test]
fn it_keeps_the_contract_where_triangles_keep_their_shapes() {
    let mut random = Random::new(41);
    // 2 sin(theta/2) jumps where a hinge is folded shut: rest angles do not go round.
    for given in [0.0, 1e-6, 0.3, -0.8, 1.5, -2.2] {
        for change in [0.0, 1e-4, -0.2, 0.9] {
            let wings = Wings::any(&mut random);
            let hinge = IsometricHinge::new(1e-3, &wings.folded(given - change, &mut random)).unwrap();
            let x = wings.folded(given, &mut random);
            let what = format!("{given} {change}");
            check(&hinge, &x, &SCALE, &what);
            check_rest_fit(&hinge, &x, &SCALE, &what).unwrap_or_else(|why| panic!("{what}: {why}"));
            let expected = 2.0 * (0.5 * given).sin() - 2.0 * (0.5 * (given - change)).sin();
            assert!((hinge.energy(&x) / hinge.stiffness - 0.5 * expected * expected).abs() < 1e-12, "{what}");
            let mut moved = hinge.clone();
            moved.given_at(&x);
            assert!((moved.rest_angle() - hinge.rest_angle()).abs() < 1e-9 && (hinge.rest_angle() - given + change).abs() < 1e-9);
            let mut numbers = [0.0; 7];
            moved.rest_numbers(&mut numbers);
            let mut again = hinge.at_rest(&wings.folded(0.1, &mut random)).unwrap();
            again.set_rest_numbers(&numbers);
            assert_eq!(again.force_coordinates(&x), moved.force_coordinates(&x), "{what}");
            assert_eq!(again.gradient(&x), moved.gradient(&x), "{what}");
        }
    }
}

/// Stretched triangles make forces beside the one of the bend: those too are derivatives of the energy, without net force or torque, and a
/// rest state that is solved for has none of them.
#[test]
fn it_is_a_potential_wherever_its_nodes_are() {
    let mut random = Random::new(42);
    for rest in [0.0, 0.4, -1.3] {
        for round in 0..12 {
            let hinge = IsometricHinge::new(1e-3, &Wings::any(&mut random).folded(rest, &mut random)).unwrap();
            let x = Wings::any(&mut random).folded(random.uniform(-2.0, 2.0), &mut random);
            let what = format!("{rest} {round}");
            check_potential(&hinge, &x, &SCALE, &what);
            check_constraint(&hinge, &x, &SCALE, &what);
            let wanted = [0.3 * hinge.stiffness];
            let fitted = hinge.with_rest_for(&x, &wanted).unwrap();
            check(&fitted, &x, &SCALE, &what);
            assert!((fitted.force_coordinates(&x)[0] / wanted[0] - 1.0).abs() < 1e-14, "{what}");
        }
    }
}

/// What the model is made for: a hinge that is flat at rest has one Hessian, the exact one, wherever its nodes are.
#[test]
fn flat_at_rest_its_hessian_is_constant() {
    let mut random = Random::new(43);
    let flat = Wings::any(&mut random).folded(0.0, &mut random);
    let hinge = IsometricHinge::new(1e-3, &flat).unwrap();
    let expected = hinge.hessian(&flat, false);
    for angle in [0.0, 0.7, -1.9, 3.0] {
        let x = Wings::any(&mut random).folded(angle, &mut random);
        for projected in [false, true] {
            for (found, expected) in hinge.hessian(&x, projected).as_flattened().iter().zip(expected.as_flattened()) {
                assert!((found - expected).amax() < 1e-12 * SCALE.stiffness, "{angle}");
            }
        }
    }
    assert!(hinge.energy(&flat) < 1e-30);
    // A rest curvature changes it.
    let bent = hinge.with_rest_for(&flat, &[0.5 * hinge.stiffness]).unwrap();
    let change = bent.hessian(&flat, false)[0][0] - expected[0][0];
    assert!(change.amax() > 1e-2 * expected[0][0].amax(), "{change}");
}

/// Folding up and folding down are told apart, through flat and back.
#[test]
fn the_bend_has_a_sign() {
    let mut random = Random::new(44);
    let wings = Wings::any(&mut random);
    for rest in [0.0, 0.6, -0.6] {
        let hinge = IsometricHinge::new(1e-3, &wings.folded(rest, &mut random)).unwrap();
        for angle in [-1.0, -0.1, 0.0, 0.1, 1.0] {
            let x = wings.folded(angle, &mut random);
            assert!((hinge.rest_angle() - rest).abs() < 1e-12 && (hinge::angle(&x) - angle).abs() < 1e-12);
            let expected = 2.0 * hinge.stiffness * ((0.5 * angle).sin() - (0.5 * rest).sin());
            assert!((hinge.force_coordinates(&x)[0] - expected).abs() < 1e-14, "{rest} {angle}");
            let mut fields = [0.0; 3];
            hinge.fields(&x, &mut fields);
            let told = [expected * (0.5 * angle).cos() / wings.edge, angle - rest, rest];
            assert!(fields.iter().zip(told).all(|(found, told)| (found - told).abs() < 1e-12), "{fields:?} {told:?}");
            let mirrored = IsometricHinge::new(1e-3, &wings.folded(-rest, &mut random)).unwrap();
            assert!((mirrored.energy(&wings.folded(-angle, &mut random)) - hinge.energy(&x)).abs() < 1e-15);
        }
    }
}

/// What could be made only with a rest angle beyond one radian is refused, and the stiffness that is told is enough.
#[test]
fn a_rest_angle_that_folds_shut_is_refused() {
    let mut random = Random::new(45);
    for given in [0.0, 0.7, -1.2, 2.8] {
        let x = Wings::any(&mut random).folded(given, &mut random);
        let hinge = IsometricHinge::new(1e-3, &x).unwrap();
        for sign in [1.0, -1.0] {
            let wanted = [sign * 14.0 * hinge.stiffness];
            let why = hinge.with_rest_for(&x, &wanted).unwrap_err();
            let cured = hinge.stiffened(why.cure().unwrap()).with_rest_for(&x, &wanted).unwrap();
            assert!((cured.force_coordinates(&x)[0] / wanted[0] - 1.0).abs() < 1e-12);
            let changed = (cured.rest_angle() - given).abs();
            assert!((0.2..=MOST_CHANGE).contains(&changed), "{given} {sign}: {changed}");
            assert!(given.abs() > 2.0 || changed > 0.9, "{given} {sign}: {changed}");
            let bound = cured.stiffening / 1.06;
            assert!(hinge.stiffened(bound).with_rest_for(&x, &wanted).is_err());
        }
    }
}

/// Energy per area of equal triangles of sides `size` on a cylinder of this curvature, whose axis has this direction in their plane, over that
/// of a plate, D kappa^2 / 2.
fn on_a_cylinder(size: f64, curvature: f64, direction: f64) -> f64 {
    let (c, s) = (direction.cos(), direction.sin());
    let bent = |x: Vec3| {
        let (along, around) = (c * x.x + s * x.y, c * x.y - s * x.x);
        Vec3::new(along, (curvature * around).sin() / curvature, (1.0 - (curvature * around).cos()) / curvature)
    };
    let height = 0.75f64.sqrt();
    let at = |i: f64, j: f64| size * Vec3::new(i + 0.5 * j, height * j, 0.0);
    // The three hinges of a rhomb, by edge and tips.
    let hinges = [
        [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, -1.0)],
        [at(0.0, 0.0), at(0.0, 1.0), at(-1.0, 1.0), at(1.0, 0.0)],
        [at(1.0, 0.0), at(0.0, 1.0), at(0.0, 0.0), at(1.0, 1.0)],
    ];
    let rigidity = 1e-3;
    let energy: f64 = hinges.iter().map(|x| IsometricHinge::new(rigidity, x).unwrap().energy(&x.map(bent))).sum();
    energy / (0.5 * rigidity * curvature * curvature * height * size * size)
}

/// A sheet that is bent to a cylinder stores what a plate does, whatever the direction of its axis, and the more exactly the finer it is.
#[test]
fn a_cylinder_stores_the_energy_of_a_plate() {
    for degrees in [0.0f64, 10.0, 15.0, 30.0, 45.0, 77.0] {
        let error = |size: f64| on_a_cylinder(size, 2.0, degrees.to_radians()) - 1.0;
        let errors = [0.04, 0.02, 0.01].map(error);
        assert!(errors[2].abs() < 1e-3, "{degrees}: {errors:?}");
        // Of second order.
        for pair in errors.windows(2) {
            assert!((3.5..4.5).contains(&(pair[0] / pair[1])), "{degrees}: {errors:?}");
        }
    }
}

/// What it takes to be of sheets that hardly stretch: a flat one that is strained in its plane resists that by D/h^2 or so.
#[test]
fn a_stretched_hinge_resists_in_its_plane() {
    let side = 0.1;
    let x = [[0.0, 0.0], [side, 0.0], [0.03, 0.08], [0.07, -0.08]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let hinge = IsometricHinge::new(1e-3, &x).unwrap();
    // Of one strain for both triangles u stays nothing: linear interpolation does not see it.
    let strained = x.map(|x| Vec3::new(1.1 * x.x + 0.05 * x.y, 0.9 * x.y, 0.0));
    assert!(hinge.energy(&strained) < 1e-30);
    // One tip pulled out by a hundredth.
    let mut pulled = x;
    pulled[2].y *= 1.01;
    let strain = 0.01f64;
    let expected = 0.5 * hinge.stiffness * strain * strain;
    assert!((hinge.energy(&pulled) / expected - 1.0).abs() < 1e-9, "{} {expected}", hinge.energy(&pulled));
}
