//! What each law promises: its closed form, where it is finite, and what it does not see.

#![allow(clippy::unwrap_used)]

use super::principal::{energy, first_piola, principal_frame};
use std::sync::Arc;

use super::*;
use crate::math::random::Random;
use crate::math::{Svd, svd};

const YOUNG: f64 = 3e4;
const POISSON: f64 = 0.3;

fn material(name: &str) -> Arc<dyn Material> {
    (law(name).unwrap().build)(YOUNG, POISSON)
}

/// Energy density and first Piola stress as the books write them, with the rotation that the law takes off.
fn textbook(name: &str, Lame { mu, lambda }: Lame, f: &Mat3, lagged: &Mat3) -> (f64, Mat3) {
    let identity = Mat3::identity();
    let green = 0.5 * (f.transpose() * f - identity);
    let volume = f.determinant();
    let to_minus_t = f.try_inverse().unwrap().transpose();
    let hooke = |r: &Mat3| {
        let unturned = r.transpose() * f;
        let strain = 0.5 * (unturned + unturned.transpose()) - identity;
        let stress = 2.0 * mu * strain + lambda * strain.trace() * identity;
        (0.5 * strain.dot(&stress), r * stress)
    };
    match name {
        "neo_hookean" => {
            let log = volume.ln();
            let energy = 0.5 * mu * (f.norm_squared() - 3.0) - mu * log + 0.5 * lambda * log * log;
            (energy, mu * (f - to_minus_t) + lambda * log * to_minus_t)
        }
        "stable_neo_hookean" => {
            let (modulus, centre) = (lambda + mu, 1.0 + mu / (lambda + mu));
            let constant = 0.5 * mu * mu / modulus;
            let energy = 0.5 * mu * (f.norm_squared() - 3.0) + 0.5 * modulus * (volume - centre).powi(2) - constant;
            (energy, mu * f + modulus * (volume - centre) * volume * to_minus_t)
        }
        "stvk" => {
            let stress = 2.0 * mu * green + lambda * green.trace() * identity;
            (0.5 * green.dot(&stress), f * stress)
        }
        "quartic" => {
            let energy = 0.25 * mu * (f.transpose() * f - identity).norm_squared() + 0.5 * lambda * (volume - 1.0).powi(2);
            (energy, 2.0 * mu * f * green + lambda * (volume - 1.0) * volume * to_minus_t)
        }
        "corotated" => {
            let r = svd(f).rotation();
            (hooke(&r).0, 2.0 * mu * (f - r) + lambda * (r.transpose() * f - identity).trace() * r)
        }
        "arap" => {
            let r = svd(f).rotation();
            (mu * (f - r).norm_squared(), 2.0 * mu * (f - r))
        }
        "linear" => hooke(&identity),
        "hencky" => {
            let Svd { u, s, v } = svd(f);
            let logarithms = s.map(f64::ln);
            let tau = (2.0 * mu * logarithms).add_scalar(lambda * logarithms.sum());
            (0.5 * logarithms.dot(&tau), u * Mat3::from_diagonal(&tau.component_div(&s)) * v.transpose())
        }
        "lagged_corotated" => hooke(lagged),
        other => unreachable!("write down {other}"),
    }
}

#[test]
fn stress_from_stretches_equals_the_closed_form() {
    let mut random = Random::new(20);
    for law in MATERIALS {
        let material = material(law.name);
        for trial in 0..200 {
            let spread = [1e-6, 0.1, 0.6][trial % 3];
            let f = random.rotation() * (Mat3::identity() + random.matrix(-spread, spread));
            if f.determinant() < 0.05 {
                continue;
            }
            let lagged = random.rotation();
            let (expected, stress) = textbook(law.name, material.lame(), &f, &lagged);
            let (g, turn) = (f - Mat3::identity(), lagged - Mat3::identity());
            let frame = principal_frame(&*material, &g, &turn);
            let tolerance = 1e-11 * YOUNG * (1.0 + stress.amax() / YOUNG);
            for found in [frame.compose(&material.gradient(&frame.strain)), first_piola(&*material, &g, &turn)] {
                assert!((found - stress).amax() < tolerance, "{} {found} {stress}", law.name);
            }
            for found in [material.energy(&frame.strain), energy(&*material, &g, &turn)] {
                assert!((found - expected).abs() < tolerance, "{} {found} {expected}", law.name);
            }
        }
    }
}

/// Without singular values to the accuracy of those, which is round-off of F times the strain: near rest, too.
#[test]
fn energy_without_singular_values_is_as_accurate() {
    let mut random = Random::new(21);
    for law in MATERIALS {
        let material = material(law.name);
        for trial in 0..600 {
            let spread = [0.0, 1e-9, 1e-6, 1e-3, 0.1, 0.7][trial % 6];
            let f = random.rotation() * (Mat3::identity() + random.matrix(-spread, spread)) * random.rotation();
            let s = svd(&f).s;
            let (expected, found) = (material.energy(&s.add_scalar(-1.0)), material.energy_of(&(f - Mat3::identity())));
            if expected == f64::INFINITY {
                assert_eq!(found, f64::INFINITY);
                continue;
            }
            let slope = 1e-15 * (YOUNG + material.gradient(&s.add_scalar(-1.0)).amax() / s.z.abs().min(1.0)) * s.add_scalar(-1.0).norm();
            assert!((found - expected).abs() <= 20.0 * slope + 1e-30 * YOUNG, "{} {spread}: {found} {expected}", law.name);
        }
    }
}

#[test]
fn neo_hookean_energy_grows_without_bound_as_an_element_flattens() {
    let material = material("neo_hookean");
    let at = |l: f64| material.energy(&Vec3::new(0.1, l - 1.0, -0.1));
    let mut before = at(0.5);
    // What is flatter has no height in a strain, as it has none in positions.
    for exponent in 1..=15 {
        let energy = at(10f64.powi(-exponent));
        assert!(energy.is_finite() && energy > before, "1e-{exponent}: {energy}");
        before = energy;
    }
    assert!(before > 300.0 * YOUNG);
    for flat in [0.0, -1e-300, -0.5] {
        assert_eq!(at(flat), f64::INFINITY);
        assert_eq!(material.energy_of(&Mat3::from_diagonal(&Vec3::new(0.1, flat - 1.0, -0.1))), f64::INFINITY);
    }
}

/// tau = P F^T, near rest to the accuracy of the strain itself.
#[test]
fn kirchhoff_stress_is_that_of_piola() {
    let mut random = Random::new(31);
    let liquid: Arc<dyn Material> = Arc::new(liquid::Liquid { stiffness: YOUNG, exponent: 7.0 });
    for material in MATERIALS.iter().map(|law| material(law.name)).chain([liquid]).filter(|material| material.frame() == Frame::Current) {
        for size in [0.3, 1e-2, 1e-9] {
            for _ in 0..20 {
                let g = random.matrix(-size, size);
                let (tau, piola) = (material.kirchhoff_of(&g), material.first_piola_of(&g));
                let expected = piola + piola * g.transpose();
                assert_eq!(tau, tau.transpose());
                assert!((tau - expected).amax() < 1e-13 * expected.amax(), "{material:?} {size}: {tau} {expected}");
            }
        }
    }
}

/// The quartic law is finite at J < 0, and its force turns an inverted element back.
#[test]
fn quartic_is_invertible() {
    let material = material("quartic");
    let mut before = 0.0;
    for l in (0..40).map(|k| 1.0 - 0.05 * f64::from(k)) {
        let g = Mat3::from_diagonal(&Vec3::new(0.0, 0.0, l - 1.0));
        let (energy, stress) = (material.energy_of(&g), material.first_piola_of(&g));
        assert!(energy.is_finite() && stress.iter().all(|p| p.is_finite()));
        if l > -0.5 {
            assert!(energy >= before, "{l}");
        }
        before = energy;
    }
    // At rest mirrored only the volume is wrong: 2 lambda.
    let mirrored = material.energy_of(&Mat3::from_diagonal(&Vec3::new(0.0, 0.0, -2.0)));
    assert!((mirrored / (2.0 * material.lame().lambda) - 1.0).abs() < 1e-14);
}

/// sym R - I = (cos - 1) on the two axes that turn.
#[test]
fn linear_energy_grows_under_rotation_and_no_other_does() {
    let mut random = Random::new(22);
    let Lame { mu, lambda } = material("linear").lame();
    let mut before = 0.0;
    for degrees in [5.0, 20.0, 60.0, 120.0, 180.0f64] {
        let q = random.rotation();
        let g = q * crate::math::rotation([0.0, degrees, 0.0]) * q.transpose() - Mat3::identity();
        for law in MATERIALS {
            let energy = energy(&*material(law.name), &g, &g);
            if law.name == "linear" {
                let shrunk = degrees.to_radians().cos() - 1.0;
                let expected = 2.0 * (mu + lambda) * shrunk * shrunk;
                assert!((energy / expected - 1.0).abs() < 1e-10 && energy > before, "{degrees}: {energy} {expected}");
                before = energy;
            } else {
                assert!(energy.abs() < 1e-28 * YOUNG, "{} {energy}", law.name);
            }
        }
    }
}

#[test]
fn as_rigid_as_possible_has_no_lateral_contraction() {
    let material = (law("arap").unwrap().build)(YOUNG, 0.45);
    assert_eq!(material.lame().lambda, 0.0);
    for pull in [0.2, 0.9, 1.5, 3.0] {
        let stress = material.gradient(&Vec3::new(pull - 1.0, 0.0, 0.0));
        assert_eq!(stress.yz(), nalgebra::Vector2::zeros());
        assert_eq!(stress.x, 2.0 * material.lame().mu * (pull - 1.0));
    }
}

/// What the registry calls corotated sees the rotation of now, the lagged law that of the step's start: they agree where the two
/// rotations do, and differ else.
#[test]
fn corotated_laws_are_told_apart() {
    let mut random = Random::new(23);
    let (now, lagged) = (material("corotated"), material("lagged_corotated"));
    for _ in 0..20 {
        let f = random.rotation() * (Mat3::identity() + random.matrix(-0.2, 0.2));
        let (r, other) = (svd(&f).rotation(), crate::math::rotation([20.0, 0.0, 0.0]) * svd(&f).rotation());
        let g = f - Mat3::identity();
        let turn = |r: &Mat3| r - Mat3::identity();
        let of = |material: &dyn Material, r: &Mat3| (energy(material, &g, &turn(r)), first_piola(material, &g, &turn(r)));
        let ((e, p), (lagged_e, lagged_p)) = (of(&*now, &other), of(&*lagged, &r));
        assert!((e - lagged_e).abs() < 1e-12 * YOUNG && (p - lagged_p).amax() < 1e-12 * YOUNG);
        assert!((e - of(&*lagged, &other).0).abs() > 1e-4 * YOUNG);
    }
}
