//! The most that each law can make: closed forms, published numbers, and a slow walk that knows nothing but the stress.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::tests::{check_limit, material, scanned_maximum, stress_of, stretches_from_cauchy};
use super::*;
use crate::material::{Lame, MATERIALS};

/// Uniaxial compression of StVK, sides free: 0.19 E at nu = 0 falls to 0.146 E at 0.49.
#[test]
fn stvk_gives_way_in_uniaxial_compression() {
    for (poisson, known) in [(0.0, 0.1925), (0.3, 0.16), (0.4, 0.15), (0.49, 0.146)] {
        // Free sides: Green strain of the sides is -nu times that of the axis.
        let limit = scanned_maximum(0.3, 1.0, |l| {
            let axial = 0.5 * (l * l - 1.0);
            let side_squared = 1.0 - 2.0 * poisson * axial;
            -l * axial / side_squared
        });
        assert!((limit - known).abs() < 0.005, "{poisson}: {limit}");
        check_limit(&*material("stvk", poisson), &-Vec3::x(), limit);
    }
}

/// The same stress, -l (1 - l^2) E / 2 for nu = 0, has a second root on the way to no volume; it is never taken for rest's own.
#[test]
fn roots_towards_no_volume_are_refused() {
    let material = material("stvk", 0.0);
    for spurious in [0.57, 0.5, 0.3, 0.1, 1e-2, 1e-4] {
        let stress = stress_of(&*material, &Vec3::new(spurious, 1.0, 1.0));
        let own = 0.5 * ((4.0_f64 - 3.0 * spurious * spurious).sqrt() - spurious);
        let found = stretches_from_cauchy(&*material, &stress).unwrap();
        assert!((found - Vec3::new(own, 1.0, 1.0)).amax() < 1e-10, "{spurious}: {found}");
    }
}

/// Triaxial tension of the neo-Hookean law, in units of E: 0.19, 0.35, 0.65, 6.2.
#[test]
fn neo_hookean_gives_way_in_triaxial_tension() {
    for (poisson, known) in [(0.0, 0.19), (0.3, 0.35), (0.4, 0.65), (0.49, 6.2)] {
        let material = material("neo_hookean", poisson);
        let limit = scanned_maximum(1.0, 3.0, |l| stress_of(&*material, &Vec3::repeat(l)).x);
        assert!((limit / known - 1.0).abs() < 0.05, "{poisson}: {limit}");
        check_limit(&*material, &Vec3::repeat(1.0), limit);
    }
}

/// Hydrostatic tension of every law, from sigma(l) by hand. Hooke's law of the stretch has its most, (2 mu + 3 lambda) / 4, at twice
/// the size.
#[test]
fn every_law_has_its_limit_in_hydrostatic_tension_or_none() {
    for law in MATERIALS {
        for poisson in [0.0, 0.3, 0.45] {
            let material = (law.build)(1.0, poisson);
            let Lame { mu, lambda } = material.lame();
            let bounded = match law.name {
                "neo_hookean" => true,
                "corotated" | "arap" | "linear" | "lagged_corotated" => {
                    check_limit(&*material, &Vec3::repeat(1.0), (2.0 * mu + 3.0 * lambda) / 4.0);
                    true
                }
                // (2 mu + 3 lambda) e / exp(3 e) is the most at e = 1/3.
                "hencky" => {
                    check_limit(&*material, &Vec3::repeat(1.0), (2.0 * mu + 3.0 * lambda) / (3.0 * 1.0_f64.exp()));
                    true
                }
                // mu / l + (lambda + mu) (l^3 - 1) - mu,  (2 mu + 3 lambda) (l^2 - 1) / (2 l),  mu (l^2 - 1) / l + lambda (l^3 - 1).
                "stable_neo_hookean" | "stvk" | "quartic" => false,
                other => panic!("say here whether {other} bears any hydrostatic tension"),
            };
            let found = stretches_from_cauchy(&*material, &Vec3::repeat(20.0));
            assert_eq!(found.is_err(), bounded, "{} {poisson}: {found:?}", law.name);
        }
    }
}

/// Pressure takes the shear stiffness of the laws of stretch and of Green's strain: beyond (2 mu + 3 lambda) / (4 mu + 3 lambda), of
/// the stretch or its square, the larger stretch has the smaller stress. A state beyond has no way from rest, though
/// its determinant is positive again.
#[test]
fn pressure_beyond_the_loss_of_shear_stiffness_is_refused() {
    for (name, power) in [("corotated", 1.0), ("arap", 1.0), ("linear", 1.0), ("lagged_corotated", 1.0), ("stvk", 0.5)] {
        for poisson in [0.0, 0.3, 0.45] {
            let material = material(name, poisson);
            let Lame { mu, lambda } = material.lame();
            let stretch = ((2.0 * mu + 3.0 * lambda) / (4.0 * mu + 3.0 * lambda)).powf(power);
            let limit = -stress_of(&*material, &Vec3::repeat(stretch)).x;
            check_limit(&*material, &Vec3::repeat(-1.0), limit);
            let nearly = Vec3::new(-1.0, -1.0 - 1e-9, -1.0 + 1e-9) * (1.05 * limit);
            assert!(stretches_from_cauchy(&*material, &nearly).is_err(), "{name} {poisson}");
        }
    }
}

/// The corotated law under a punch with free sides bears about E / (1 + nu)^2, the more the flatter it is.
#[test]
fn corotated_in_uniaxial_compression() {
    for poisson in [0.0, 0.2, 0.3, 0.4] {
        let material = material("corotated", poisson);
        let known = 1.0 / (1.0_f64 + poisson).powi(2);
        assert!(stretches_from_cauchy(&*material, &(-Vec3::x() * (0.97 * known))).is_ok(), "{poisson}");
        assert!(stretches_from_cauchy(&*material, &(-Vec3::x() * (1.01 * known))).is_err(), "{poisson}");
    }
}

/// Sides held: StVK bears 0.1925 (lambda + 2 mu), at 0.577; the corotated law less than lambda + 2 mu; the neo-Hookean law anything.
#[test]
fn uniaxial_strain() {
    for poisson in [0.0, 0.3, 0.45] {
        let most = |name: &str| {
            let material = material(name, poisson);
            let Lame { mu, lambda } = material.lame();
            scanned_maximum(1e-4, 1.0, |l| -stress_of(&*material, &Vec3::new(l, 1.0, 1.0)).x) / (lambda + 2.0 * mu)
        };
        assert!((most("stvk") - 0.1925).abs() < 1e-4, "{poisson}");
        assert!((0.999..1.0).contains(&most("corotated")), "{poisson}");
        assert!(most("neo_hookean") > 1e2, "{poisson}");
    }
}

/// d stress / dx by central differences.
fn tangent(material: &dyn Material, x: &Vec3) -> Mat3 {
    let at = |x: Vec3| stress_of(material, &x.map(f64::exp));
    let column = |k: usize| (at(x + Vec3::ith(k, 1e-5)) - at(x - Vec3::ith(k, 1e-5))) / 2e-5;
    Mat3::from_columns(&[column(0), column(1), column(2)])
}

/// The load at which the stress along `direction` first stops to determine the stretch, by a walk of small steps; `None` if
/// that is farther than a tenfold stretch.
fn walked_limit(material: &dyn Material, direction: &Vec3) -> Option<f64> {
    let (mut x, mut load, mut step) = (Vec3::zeros(), 0.0, 3e-3);
    let mut way = tangent(material, &x).try_inverse()? * direction;
    while x.amax() < std::f64::consts::LN_10 {
        let next = x + step * way.normalize();
        let slopes = tangent(material, &next);
        if slopes.complex_eigenvalues().iter().any(|eigenvalue| eigenvalue.re <= 0.0) {
            step *= 0.1;
            if step < 1e-6 {
                return Some(load);
            }
            continue;
        }
        let (inverse, stress) = (slopes.try_inverse()?, stress_of(material, &next.map(f64::exp)));
        load = stress.dot(direction);
        x = next + inverse * (load * direction - stress);
        way = inverse * direction;
    }
    None
}

#[test]
fn a_walk_in_small_steps_finds_the_same_limits() {
    let directions = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, -1.0, 0.0], [1.0, 0.4, -0.3], [0.2, 0.6, 1.0]];
    let mut limited = 0;
    for law in MATERIALS {
        for poisson in [0.0, 0.3, 0.45] {
            let material = (law.build)(1.0, poisson);
            for direction in directions.iter().flat_map(|&d| [Vec3::from(d).normalize(), -Vec3::from(d).normalize()]) {
                let what = format!("{} {poisson} {:?}", law.name, direction.as_slice());
                if let Some(limit) = walked_limit(&*material, &direction) {
                    limited += 1;
                    let inside = stretches_from_cauchy(&*material, &(direction * (0.995 * limit)));
                    assert!(inside.is_ok(), "{what}: {inside:?} of {limit}");
                    let outside = stretches_from_cauchy(&*material, &(direction * (1.005 * limit)));
                    let Err(Unattainable::TooSoft { attainable_share }) = outside else { panic!("{what}: {outside:?} of {limit}") };
                    assert!((attainable_share * 1.005 - 1.0).abs() < 5e-3, "{what}: {attainable_share} of {limit}");
                }
            }
        }
    }
    assert!(limited > 100, "{limited}");
}
