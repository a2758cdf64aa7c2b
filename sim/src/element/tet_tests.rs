//! The element contract for every law, on sound, distorted, flat and needle-like tetrahedra.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use super::contract::{Scale, check, check_constraint, check_rest_fit};
use super::tet::STRESS_ENTRIES;
use super::{Batch, Element, Family, ForceSubspace, Potential, RestFit, Tet, Unattainable};
use crate::material::principal::symmetric_from;
use crate::material::{Frame, MATERIALS, Material, law};
use crate::math::random::Random;
use crate::math::{Mat3, Vec3, svd};

const YOUNG: f64 = 1e4;

fn unit_tet() -> [Vec3; 4] {
    [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()]
}

/// A tetrahedron of edge length about `length`, squeezed along one or two axes, somewhere, turned anyhow.
fn random_tet(random: &mut Random, length: f64, squeeze: Vec3) -> [Vec3; 4] {
    let (rotation, centre) = (random.rotation(), random.vector(-1.0, 1.0));
    unit_tet().map(|p| centre + length * (rotation * (p + random.vector(-0.2, 0.2)).component_mul(&squeeze)))
}

fn deformed(x: &[Vec3; 4], f: &Mat3) -> [Vec3; 4] {
    x.map(|p| f * p)
}

/// A deformation turned anyhow; of a law that sees rotations only its stretch, which is all that a rest state is fitted to.
fn turned(material: &dyn Material, random: &mut Random, f: &Mat3) -> Mat3 {
    if material.frame() == Frame::Fixed {
        return symmetric_from(&random.rotation(), &svd(f).s);
    }
    random.rotation() * f * random.rotation()
}

#[test]
fn the_element_contract_holds_for_every_law() {
    let mut random = Random::new(10);
    let shapes = [Vec3::repeat(1.0), Vec3::new(1.0, 0.3, 1.0), Vec3::new(0.1, 1.0, 1.0), Vec3::new(0.1, 0.1, 1.0)];
    for law in MATERIALS {
        for poisson in [law.poisson.start.max(-0.3), 0.3, 0.45] {
            let material = (law.build)(YOUNG, poisson);
            let moduli = material.lame().mu + material.lame().lambda.abs();
            for trial in 0..40 {
                let squeeze = shapes[trial % shapes.len()];
                let length = [1.0, 0.01][trial / 4 % 2];
                let rest = random_tet(&mut random, length, squeeze);
                let mut tet = Tet::new(material.clone(), &rest).unwrap();
                // Rest itself, close to it (stretches nearly coincide), and far from it.
                let spread = [0.0, 1e-8, 1e-4, 0.05, 0.2][trial % 5];
                let f = Mat3::identity() + random.matrix(-spread, spread);
                let f = turned(&*material, &mut random, &f);
                let x = deformed(&rest, &f);
                tet.lag(&x);
                // Shape gradients grow as the inverse of the thinnest extent.
                let scale = Scale { length: length * squeeze.min(), stiffness: moduli * length / squeeze.min().powi(2) };
                let what = format!("{} nu {poisson} trial {trial}", law.name);
                check(&tet, &x, &scale, &what);
                // As constraints, but where a root of next to nothing turns within a difference.
                let is_sum = material.squares().is_some();
                let is_any = poisson >= 0.0 || ["stvk", "arap"].contains(&law.name);
                assert_eq!(is_sum, is_any && !["neo_hookean", "lagged_corotated", "hencky"].contains(&law.name), "{what}");
                if is_sum && spread >= 0.05 {
                    check_constraint(&tet, &x, &scale, &what);
                }
                if spread <= 0.05 {
                    check_rest_fit(&tet, &x, &scale, &what).unwrap();
                }
            }
        }
    }
}

/// The projection must also hold where the exact Hessian is indefinite: strong compression.
#[test]
fn strong_compression_is_projected() {
    let mut random = Random::new(11);
    let rest = unit_tet();
    let mut indefinite = 0;
    for law in MATERIALS {
        let material = (law.build)(YOUNG, 0.3);
        let mut tet = Tet::new(material.clone(), &rest).unwrap();
        for _ in 0..20 {
            let stretch = random.vector(0.35, 0.8);
            let f = turned(&*material, &mut random, &Mat3::from_diagonal(&stretch));
            let x = deformed(&rest, &f);
            tet.lag(&x);
            let moduli = material.lame().mu + material.lame().lambda;
            check(&tet, &x, &Scale { length: 1.0, stiffness: 10.0 * moduli }, law.name);
            let exact = tet.hessian(&x, false);
            indefinite += usize::from(exact != tet.hessian(&x, true));
        }
    }
    assert!(indefinite > 50);
}

#[test]
fn inverted_elements_of_laws_that_survive_it_keep_the_contract() {
    let mut random = Random::new(12);
    let rest = unit_tet();
    for law in MATERIALS {
        let material = (law.build)(YOUNG, 0.3);
        if !material.survives_inversion() {
            continue;
        }
        let mut tet = Tet::new(material.clone(), &rest).unwrap();
        for _ in 0..20 {
            let stretch = Vec3::new(random.uniform(0.9, 1.4), random.uniform(0.7, 0.8), random.uniform(-0.4, -0.2));
            let x = deformed(&rest, &turned(&*material, &mut random, &Mat3::from_diagonal(&stretch)));
            tet.lag(&x);
            let moduli = material.lame().mu + material.lame().lambda;
            check(&tet, &x, &Scale { length: 1.0, stiffness: 20.0 * moduli }, law.name);
        }
    }
}

/// Steel under a stress of 0.1 MPa is strained by 5e-7: force, energy and derivatives are accurate relative to themselves,
/// wherever the body is.
#[test]
fn a_stiff_tetrahedron_is_exact_relative_to_its_small_stress() {
    let mut random = Random::new(16);
    let (young, far) = (2e11, Vec3::new(1000.0, -300.0, 700.0));
    for law in MATERIALS {
        for trial in 0..40 {
            let material = (law.build)(young, [0.0, 0.3, 0.49][trial % 3]);
            // Of multiples of 2^-20 m, so that steps of such are exact.
            let round = |p: Vec3| p.map(|c| (c * 2f64.powi(20)).round() * 2f64.powi(-20));
            let size = [1.0, 1e-2][trial / 3 % 2];
            let centre = if trial % 2 == 0 { Vec3::zeros() } else { far };
            let x = random_tet(&mut random, size, Vec3::new(1.0, 0.2, 1.0)).map(|p| centre + round(p));
            let size_of_stress = [1e5, 1.0][trial % 2];
            let s = [(); 6].map(|()| random.uniform(-size_of_stress, size_of_stress));
            let largest = s.iter().fold(0.0, |largest: f64, s| largest.max(s.abs()));
            let mut tet = Tet::new(material.clone(), &x).unwrap().with_rest_for(&x, &s).unwrap();
            tet.lag(&x);
            let what = format!("{} trial {trial}", law.name);
            let (found, gradient) = (tet.force_coordinates(&x), tet.gradient(&x));
            assert!(found.iter().zip(s).all(|(found, s)| (found - s).abs() <= 1e-13 * largest), "{what}: {found:?} for {s:?}");
            let basis = tet.force_basis(&x);
            let sizes: Vec<f64> = basis.iter().map(|column| column.iter().map(Vec3::norm).fold(0.0, f64::max)).collect();
            let scale = largest * sizes.iter().copied().fold(0.0, f64::max);
            for (i, gradient) in gradient.iter().enumerate() {
                let force: Vec3 = basis.iter().zip(s).map(|(column, s)| s * column[i]).sum();
                assert!((force + gradient).amax() <= 1e-13 * scale, "{what}: {force} {gradient}");
            }
            // As constraints, too.
            if material.squares().is_some() {
                let mut sum = [Vec3::zeros(); 4];
                for (k, alpha) in (0..Tet::constraints()).filter_map(|k| Some((k, tet.compliance(k)?))) {
                    let found = tet.constraint(k, &x);
                    sum.iter_mut().zip(found.gradients).for_each(|(sum, by)| *sum -= found.value / alpha * by);
                }
                for (force, gradient) in sum.iter().zip(&gradient) {
                    assert!((force + gradient).amax() <= 1e-12 * scale, "{what}: {force} {gradient} by constraints");
                }
            }
            // Steps of less than the strain that is there.
            let step = if size < 1.0 { 2f64.powi(-46) } else { 2f64.powi(-40) };
            let direction: [Vec3; 4] = std::array::from_fn(|_| random.vector(-8.0, 8.0).map(f64::round));
            let [ahead, behind] = [step, -step].map(|step| std::array::from_fn(|i| x[i] + step * direction[i]));
            if trial % 2 == 0 {
                let slope: f64 = gradient.iter().zip(&direction).map(|(g, d)| g.dot(d)).sum();
                let size: f64 = gradient.iter().zip(&direction).map(|(g, d)| g.norm() * d.norm()).sum();
                let found = (tet.energy(&ahead) - tet.energy(&behind)) / (2.0 * step);
                assert!((found - slope).abs() <= 1e-9 * size, "{what}: {found} {slope}");
                let (hessian, ahead, behind) = (tet.hessian(&x, false), tet.gradient(&ahead), tet.gradient(&behind));
                for i in 0..4 {
                    let slope: Vec3 = (0..4).map(|j| hessian[i][j] * direction[j]).sum();
                    let found = (ahead[i] - behind[i]) / (2.0 * step);
                    assert!((found - slope).norm() <= 1e-6 * slope.norm().max(hessian[i][i].norm()), "{what}: {found} {slope}");
                }
            }
        }
    }
}

/// s = W^-1 B^T y is, up to sign, Hooke's stress of the displacement y, on a regular tetrahedron (quality 1).
#[test]
fn the_dual_displacement_gives_hookes_stress() {
    let x = [[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0]].map(Vec3::from);
    let material = (law("corotated").unwrap().build)(YOUNG, 0.3);
    let lame = material.lame();
    let batch = Batch::at_rest(&x, &[[0, 1, 2, 3]], &[material]).unwrap();
    let gradient = Random::new(13).matrix(-1.0, 1.0);
    let mut s = [0.0; 6];
    batch.coordinates_from_dual(&x, &x.map(|p| gradient * p), &mut s);
    let strain = 0.5 * (gradient + gradient.transpose());
    let stress = 2.0 * lame.mu * strain + Mat3::from_diagonal_element(lame.lambda * strain.trace());
    for (&(row, column), s) in STRESS_ENTRIES.iter().zip(s) {
        assert!((s + stress[(row, column)]).abs() < 1e-12 * YOUNG, "{s} {}", stress[(row, column)]);
    }
}

#[test]
fn flat_inverted_and_unfinite_shapes_are_degenerate() {
    let material = (law("arap").unwrap().build)(YOUNG, 0.3);
    let tet = Tet::new(material.clone(), &unit_tet()).unwrap();
    let [a, b, c, d] = unit_tet();
    for bad in [[b, a, c, d], [a, b, c, b + c], [a, a, a, a], [a, b, c, Vec3::repeat(f64::NAN)]] {
        assert_eq!(Tet::new(material.clone(), &bad).unwrap_err(), Unattainable::Degenerate);
        assert_eq!(tet.at_rest(&bad).unwrap_err(), Unattainable::Degenerate);
        assert_eq!(tet.with_rest_for(&bad, &[0.0; 6]).unwrap_err(), Unattainable::Degenerate);
    }
    let materials: Vec<Arc<dyn Material>> = vec![material; 2];
    let failed = Batch::at_rest(&[a, b, c, d], &[[0, 1, 2, 3], [1, 0, 2, 3]], &materials).unwrap_err();
    assert_eq!(failed, vec![(1, Unattainable::Degenerate)]);
}

#[test]
fn a_stress_beyond_the_law_is_named_with_its_share() {
    let material = (law("stvk").unwrap().build)(YOUNG, 0.0);
    let tet = Tet::new(material, &unit_tet()).unwrap();
    let mut s = [0.0; 6];
    s[1] = -YOUNG;
    let Err(Unattainable::TooSoft { attainable_share }) = tet.with_rest_for(&unit_tet(), &s) else { unreachable!("attained") };
    // StVK bears 1 / (3 sqrt 3) of E in uniaxial compression at nu = 0.
    assert!((attainable_share * 27f64.sqrt() - 1.0).abs() < 1e-3);
}

/// A uniform stretch has the same fields everywhere, in closed form.
#[test]
fn fields_of_a_uniaxial_stretch() {
    let material = (law("arap").unwrap().build)(YOUNG, 0.0);
    let batch = Batch::at_rest(&unit_tet(), &[[0, 1, 2, 3]], &[material]).unwrap();
    let x = deformed(&unit_tet(), &Mat3::from_diagonal(&Vec3::new(1.0, 1.25, 1.0)));
    let axial = YOUNG * 0.25;
    let expected =
        [("compression ratio", 1.25), ("von Mises stress", axial), ("pressure", -axial / 3.0), ("largest principal stress", axial)];
    for (field, (name, value)) in batch.fields(&x).iter().zip(expected) {
        assert_eq!(field.kind.name, name);
        assert!((field.values[0] - value).abs() < 1e-9 * YOUNG, "{name}: {}", field.values[0]);
    }
}

/// The batch fits every tetrahedron of a block to the stress of another rest state, and its forces agree.
#[test]
fn a_batch_keeps_its_forces_through_a_refit() {
    let mut random = Random::new(14);
    let (mut positions, mut tets) = (Vec::new(), Vec::new());
    for k in 0..600u32 {
        positions.extend(random_tet(&mut random, 0.1, Vec3::repeat(1.0)));
        tets.push([0, 1, 2, 3].map(|n| 4 * k + n));
    }
    let materials: Vec<_> = (0..tets.len()).map(|k| (MATERIALS[k % MATERIALS.len()].build)(YOUNG, 0.3)).collect();
    let mut batch = Batch::at_rest(&positions, &tets, &materials).unwrap();
    let x: Vec<Vec3> = positions.iter().map(|p| Mat3::new(1.02, 0.02, 0.0, 0.02, 0.97, -0.01, 0.0, -0.01, 0.99) * p).collect();
    batch.lag(&x);
    let mut expected = vec![Vec3::zeros(); x.len()];
    batch.add_gradient(&x, &mut expected);
    let s: Vec<f64> = batch.elements.iter().zip(x.as_chunks::<4>().0).flat_map(|(tet, x)| tet.force_coordinates(x)).collect();
    assert!(batch.reset_rest(&x).is_empty());
    assert!(batch.fit_rest(&x, &s, 1.0).is_empty());
    let mut found = vec![Vec3::zeros(); x.len()];
    batch.add_gradient(&x, &mut found);
    let mut forces = vec![Vec3::zeros(); x.len()];
    batch.add_forces(&x, &s, &mut forces);
    for ((expected, found), force) in expected.iter().zip(&found).zip(&forces) {
        assert!((expected - found).amax() < 1e-12 * YOUNG * 0.01 && (expected + force).amax() < 1e-12 * YOUNG * 0.01);
    }
}

/// Nanoseconds a tetrahedron; run with `--ignored --nocapture`.
#[test]
#[ignore = "prints times, checks nothing"]
fn time_a_tetrahedron() {
    let mut random = Random::new(15);
    for law in MATERIALS {
        let material = (law.build)(YOUNG, 0.4);
        let cases: Vec<_> = (0..1000)
            .map(|_| {
                let rest = random_tet(&mut random, 0.1, Vec3::repeat(1.0));
                let f = random.rotation() * (Mat3::identity() + random.matrix(-0.05, 0.05));
                (Tet::new(material.clone(), &rest).unwrap(), deformed(&rest, &f))
            })
            .collect();
        let time = |what: &str, work: &dyn Fn(&Tet, &[Vec3; 4])| {
            // The fastest of several runs: others may use the machine.
            let run = |_| {
                let start = std::time::Instant::now();
                cases.iter().for_each(|(tet, x)| work(tet, x));
                start.elapsed().as_nanos()
            };
            let fastest = (0..40).map(run).min().unwrap();
            println!("{:20} {what:18} {:7.0} ns", law.name, fastest as f64 / cases.len() as f64);
        };
        use std::hint::black_box;
        time("svd", &|tet, x| _ = black_box(svd(&tet.deformation_gradient(x))));
        time("energy", &|tet, x| _ = black_box(tet.energy(x)));
        time("gradient", &|tet, x| _ = black_box(tet.gradient(x)));
        time("hessian", &|tet, x| _ = black_box(tet.hessian(x, false)));
        time("projected hessian", &|tet, x| _ = black_box(tet.hessian(x, true)));
        time("max step", &|tet, x| _ = black_box(tet.max_step(x, &x.map(|p| 0.001 * p))));
        time("force coordinates", &|tet, x| _ = black_box(tet.force_coordinates(x)));
        time("coordinates + rest", &|tet, x| _ = black_box(tet.with_rest_for(x, &tet.force_coordinates(x))));
        time("rest, far away", &|tet, x| _ = black_box(tet.with_rest_for(x, &[-2.0 * YOUNG, 0.3 * YOUNG, 0.0, 0.1 * YOUNG, 0.0, 0.0])));
    }
}
