//! Fitted rest states against first Piola stresses written from the textbook formulas of F, without principal stretches and without
//! a line of what they check: polar decompositions by nalgebra, and the rest volume from the rest edges.

#![allow(clippy::unwrap_used, clippy::panic)]

use nalgebra::Matrix3;

use super::tet::STRESS_ENTRIES;
use super::{Element, Tet, Unattainable};
use crate::material::{Lame, MATERIALS};
use crate::math::random::Random;
use crate::math::{Mat3, Vec3};

const YOUNG: f64 = 2e4;

/// P(F) [Pa] of the law of that name.
fn first_piola(law: &str, Lame { mu, lambda }: Lame, f: &Matrix3<f64>) -> Matrix3<f64> {
    let identity = Matrix3::identity();
    let inverse_transpose = f.try_inverse().unwrap().transpose();
    let volume = f.determinant();
    let cofactor = volume * inverse_transpose;
    let green = 0.5 * (f.transpose() * f - identity);
    // Li et al. 2024, 13.3: the small strain of what is left when the rotation is taken off.
    let hooke = |r: Matrix3<f64>| {
        let strain = 0.5 * (r.transpose() * f + f.transpose() * r) - identity;
        r * (2.0 * mu * strain + lambda * strain.trace() * identity)
    };
    let polar = || {
        let svd = f.svd(true, true);
        svd.u.unwrap() * svd.v_t.unwrap()
    };
    match law {
        "neo_hookean" => mu * (f - inverse_transpose) + lambda * volume.ln() * inverse_transpose,
        "stable_neo_hookean" => mu * f + ((lambda + mu) * (volume - 1.0) - mu) * cofactor,
        "stvk" => f * (2.0 * mu * green + lambda * green.trace() * identity),
        "quartic" => mu * f * (f.transpose() * f - identity) + lambda * (volume - 1.0) * cofactor,
        "corotated" | "arap" | "lagged_corotated" => hooke(polar()),
        "linear" => hooke(identity),
        // tau = F P^T is linear in ln S.
        "hencky" => {
            let svd = f.svd(true, true);
            let (u, v) = (svd.u.unwrap(), svd.v_t.unwrap().transpose());
            let logarithms = svd.singular_values.map(f64::ln);
            let tau = (2.0 * mu * logarithms).add_scalar(lambda * logarithms.sum());
            u * Matrix3::from_diagonal(&tau.component_div(&svd.singular_values)) * v.transpose()
        }
        other => panic!("write the stress of {other} here"),
    }
}

/// Forces on the nodes 1 to 3 [N] of a stress that the rest state makes: -V_rest P D_m^-T, V_rest = det D_m / 6.
fn forces_at_rest(law: &str, lame: Lame, tet: &Tet, x: &[Vec3; 4]) -> Matrix3<f64> {
    let f = Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]) * tet.inverse_rest_edges;
    let volume = 1.0 / (6.0 * tet.inverse_rest_edges.determinant());
    -volume * tet.stiffening * first_piola(law, lame, &f) * tet.inverse_rest_edges.transpose()
}

#[test]
fn the_fitted_rest_state_makes_the_stress_asked_for() {
    let mut random = Random::new(31);
    for law in MATERIALS {
        let (mut attained, mut worst) = (0, 0.0_f64);
        for poisson in [0.0, 0.3, 0.45] {
            let material = (law.build)(YOUNG, poisson);
            for trial in 0..200 {
                let turn = random.rotation();
                let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
                let x = corners.map(|p| turn * (p + random.vector(-0.2, 0.2)) * 0.1 + Vec3::new(3.0, -1.0, 2.0));
                // Far smaller stresses would be compared with the round-off of F, which is one of the modulus.
                let size = [0.03, 0.06, 0.15][trial % 3] * YOUNG;
                let mut s = [(); 6].map(|()| random.uniform(-size, size));
                s[trial % 6] = size;
                let asked = Tet::new(material.clone(), &x).unwrap().stiffened([1.0, 1.7][trial % 2]);
                let tet = match asked.with_rest_for(&x, &s) {
                    Ok(tet) => tet,
                    Err(Unattainable::TooSoft { .. }) => continue,
                    Err(other) => panic!("{other}"),
                };
                attained += 1;
                let edges = Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]);
                let mut stress = Mat3::zeros();
                for (&(row, column), s) in STRESS_ENTRIES.iter().zip(s) {
                    (stress[(row, column)], stress[(column, row)]) = (s, s);
                }
                let volume = edges.determinant() / 6.0;
                let expected = -volume * stress * edges.try_inverse().unwrap().transpose();
                let found = forces_at_rest(law.name, material.lame(), &tet, &x);
                worst = worst.max((found - expected).amax() / expected.amax());

                let compression = tet.deformation_gradient(&x).determinant();
                assert!((tet.rest_volume * compression / volume - 1.0).abs() < 1e-13, "{}: V_rest is not V / det F", law.name);
                let rest_edges = tet.inverse_rest_edges.try_inverse().unwrap();
                assert!((rest_edges.determinant() / 6.0 / tet.rest_volume - 1.0).abs() < 1e-13, "{}", law.name);
            }
        }
        assert!(attained > 300, "{}: only {attained}", law.name);
        assert!(worst < 1e-12, "{}: {worst:e}", law.name);
    }
}
