#![allow(clippy::unwrap_used)]
use super::*;
use crate::element::contract::{Scale, check, check_constraint, check_rest_fit};
use crate::math::random::Random;

const CLAMPS: [Clamp; 3] = [Clamp::Eigenvalues, Clamp::Drop, Clamp::ChoiKo];

/// A spring of rest length 0.5 m at rest somewhere, and where its ends are when it is `stretch` times as long and turned.
fn stretched(law: &'static SpringLaw, clamp: Clamp, stretch: f64, random: &mut Random) -> (Spring, [Vec3; 2]) {
    let at = |random: &mut Random, length: f64| {
        let (from, way) = (random.vector(-1.0, 1.0), random.vector(-1.0, 1.0).normalize());
        [from, from + length * way]
    };
    let rest = at(random, 0.5);
    (Spring::new(law, 30.0, clamp, &rest).unwrap(), at(random, 0.5 * stretch))
}

#[test]
fn every_law_keeps_the_contract_with_every_clamp() {
    let mut random = Random::new(3);
    for law in SPRING_LAWS {
        for clamp in CLAMPS {
            for stretch in [0.3, 0.6, 0.95, 0.999, 1.0, 1.001, 1.3, 2.0] {
                let (spring, x) = stretched(law, clamp, stretch, &mut random);
                let scale = Scale { length: 0.5, stiffness: 40.0 * (law.stiffness)(30.0, 0.5) };
                let what = format!("{} {clamp:?} {stretch}", law.name);
                check(&spring, &x, &scale, &what);
                check_constraint(&spring, &x, &scale, &what);
                check_rest_fit(&spring, &x, &scale, &what).unwrap_or_else(|why| unreachable!("{what}: {why}"));
                let mut moved = spring.clone();
                moved.given_at(&x);
                assert!(
                    (moved.rest_length() - 0.5).abs() < 1e-15
                        && (moved.tension(&(x[1] - x[0])) - spring.tension(&(x[1] - x[0]))).abs() < 1e-12
                );
                let mut numbers = [0.0; 3];
                moved.rest_numbers(&mut numbers);
                let mut again = moved.at_rest(&x).unwrap();
                again.set_rest_numbers(&numbers);
                assert_eq!(again.force_coordinates(&x), moved.force_coordinates(&x), "{what}");
            }
        }
    }
}

/// The three clamps agree for laws that are linear in the length; a deeply compressed quadratic spring shows them apart.
#[test]
fn clamps_differ_where_the_slope_falls() {
    let along = |law: &'static SpringLaw, clamp: Clamp| {
        let (spring, x) = stretched(law, clamp, 0.4, &mut Random::new(5));
        let unit = direction(&(x[1] - x[0]));
        unit.dot(&(spring.hessian(&x, true)[0][0] * unit)) / 30.0
    };
    for (law, expected) in [("hooke", [1.0; 3]), ("strain", [2.0; 3]), ("quadratic", [0.0, 0.64, 1.12])] {
        let found = CLAMPS.map(|clamp| along(spring_law(law).unwrap(), clamp));
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-13), "{law}: {found:?}");
    }
}

/// The sag of a weight on a spring: m g / k, and a quarter of it by the book's law at small strain.
#[test]
fn small_strain_shows_the_stiffness() {
    for (law, stiffness) in [("hooke", 30.0), ("strain", 60.0), ("quadratic", 120.0)] {
        let law = spring_law(law).unwrap();
        assert_eq!((law.stiffness)(30.0, 0.5), stiffness);
        let spring = Spring::new(law, 30.0, Clamp::Drop, &[Vec3::zeros(), Vec3::new(0.5, 0.0, 0.0)]).unwrap();
        let strain = 1e-7;
        let tension = spring.force_coordinates(&[Vec3::zeros(), Vec3::new(0.5 * (1.0 + strain), 0.0, 0.0)])[0];
        assert!((tension / (0.5 * strain) / stiffness - 1.0).abs() < 1e-6, "{}: {tension}", law.name);
    }
}

/// A tension that a spring cannot make whatever its rest length: the share told is the bound, and with the cure it makes it.
#[test]
fn rest_lengths_stay_positive() {
    let x = [Vec3::zeros(), Vec3::new(0.0, 0.5, 0.0)];
    for (law, bound) in [("hooke", 15.0), ("strain", -30.0), ("quadratic", -30.0)] {
        let spring = Spring::new(spring_law(law).unwrap(), 30.0, Clamp::Drop, &x).unwrap();
        for share in [1.0, 1.5, 40.0] {
            let wanted = [share * bound];
            let why = spring.with_rest_for(&x, &wanted).unwrap_err();
            assert_eq!(why, Unattainable::NoRestLength { attainable_share: 1.0 / share }, "{law}");
            let cured = spring.stiffened(why.cure().unwrap()).with_rest_for(&x, &wanted).unwrap();
            assert!(cured.rest_length() > 0.0 && (cured.force_coordinates(&x)[0] / wanted[0] - 1.0).abs() < 1e-12, "{law}");
        }
        for tension in [0.99 * bound, -40.0 * bound] {
            let fitted = spring.with_rest_for(&x, &[tension]).unwrap();
            assert!(fitted.rest_length() > 0.0 && (fitted.force_coordinates(&x)[0] / tension - 1.0).abs() < 1e-13, "{law}");
        }
    }
}

/// A strain of 1e-9 keeps its digits in the given shape, however far from the origin.
#[test]
fn the_tension_of_a_stiff_spring_is_exact_in_the_given_shape() {
    let x = [Vec3::new(3.1, -2.2, 7.3), Vec3::new(3.3, -1.9, 7.1)];
    for law in SPRING_LAWS {
        let spring = Spring::new(law, 1e9, Clamp::Drop, &x).unwrap().with_rest_for(&x, &[0.37]).unwrap();
        assert!((spring.force_coordinates(&x)[0] / 0.37 - 1.0).abs() < 1e-15, "{}", law.name);
    }
}

/// Ends that meet: finite, and no force without a direction.
#[test]
fn a_spring_without_length_is_finite() {
    for law in SPRING_LAWS {
        for clamp in CLAMPS {
            let spring = Spring::new(law, 30.0, clamp, &[Vec3::zeros(), Vec3::x()]).unwrap();
            let x = [Vec3::repeat(2.0); 2];
            let hessians = [true, false].map(|projected| spring.hessian(&x, projected)[0][0]);
            assert!(hessians.iter().flat_map(|h| h.iter()).all(|h| h.is_finite()), "{}", law.name);
            assert!(spring.gradient(&x)[0] == Vec3::zeros() && spring.energy(&x) > 0.0);
            assert_eq!(Spring::new(law, 30.0, clamp, &x).unwrap_err(), Unattainable::Degenerate);
        }
    }
}
