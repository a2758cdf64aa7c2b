//! Derivatives, conservation and repeatability of the whole potential.

use super::*;
use crate::contact::reach::Reach;
use crate::contact::stencil::NO_NODE;
use crate::contact::surfaces::SurfacePotential;
use crate::math::random::Random;

/// Two boxes, turned against each other and dented at random, partly nearer than [`REACH`]; with the positions a little later.
fn rough(seed: u64, friction: f64) -> (System, Vec<Vec3>, Vec<Vec3>) {
    let mut random = Random::new(seed);
    let turn = crate::math::rotation([random.uniform(-1.0, 1.0), random.uniform(0.0, 90.0), random.uniform(-1.0, 1.0)]);
    let flat = |size: Vec3, cells, turn, corner| Block { size, cells, turn, corner };
    let low = flat(Vec3::new(0.6, 0.2, 0.6), [3, 1, 3], Mat3::identity(), Vec3::new(-0.3, -0.2, -0.3));
    let high = flat(Vec3::new(0.4, 0.2, 0.4), [2, 1, 2], turn, turn * Vec3::new(-0.2, 0.0, -0.2) + 0.5 * Vec3::y());
    let system = system(&[low, high], friction);
    let mut origin: Vec<Vec3> = system.positions.iter().map(|p| p + random.vector(-0.1, 0.1) * REACH).collect();
    let second = second_box(&system);
    let bottom = origin[second.clone()].iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let top = origin[..second.start].iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
    for p in &mut origin[second] {
        p.y += top - bottom + 0.3 * REACH;
    }
    let x = origin.iter().map(|p| p + random.vector(-0.02, 0.02) * REACH).collect();
    (system, origin, x)
}

fn product(potential: &mut SurfacePotential, x: &[Vec3], projected: bool, vector: &[Vec3]) -> Vec<Vec3> {
    let (nodes, blocks) = potential.hessian(x, projected);
    let mut product = vec![Vec3::zeros(); x.len()];
    for (nodes, blocks) in nodes.iter().zip(blocks) {
        for (i, &row) in nodes.iter().enumerate().filter(|(_, n)| **n != NO_NODE) {
            for (j, &column) in nodes.iter().enumerate().filter(|(_, n)| **n != NO_NODE) {
                product[row as usize] += blocks[i][j] * vector[column as usize];
            }
        }
    }
    product
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

fn norm(a: &[Vec3]) -> f64 {
    dot(a, a).sqrt()
}

fn moved(x: &[Vec3], direction: &[Vec3], step: f64) -> Vec<Vec3> {
    x.iter().zip(direction).map(|(x, d)| x + step * d).collect()
}

/// Barrier, friction and preloads together against central differences, with frozen and with renewed friction.
#[test]
fn gradient_and_hessian_match_differences() {
    for seed in 0..6 {
        let (system, origin, x) = rough(seed, 0.4);
        let mut random = Random::new(seed);
        let mut contacts = contacts(&system, &[]);
        assert!((contacts.barrier().distance / REACH - 1.0).abs() < 1e-12);
        // Some reach less far than others.
        contacts.reach = Reach::of_shares(REACH, x.iter().map(|_| random.uniform(0.7, 1.3).min(1.0)).collect());
        let mut potential = contacts.begin(&system, &origin);
        if seed % 2 == 1 {
            potential.relag(&x);
        }
        assert!(potential.summary(&x).count > 10 && !potential.friction.is_empty());
        check_differences(&mut potential, &x, &mut random, &format!("seed {seed}"));
    }
}

/// Gradient and Hessian at `x` against central differences in random directions.
pub fn check_differences(potential: &mut SurfacePotential, x: &[Vec3], random: &mut Random, place: &str) {
    let slope = gradient(potential, x);
    for _ in 0..8 {
        let direction: Vec<Vec3> = x.iter().map(|_| random.vector(-1.0, 1.0)).collect();
        let h = 1e-7 * REACH;
        let (ahead, behind) = (moved(x, &direction, h), moved(x, &direction, -h));
        let along = (potential.energy(&ahead) - potential.energy(&behind)) / (2.0 * h);
        assert!((along - dot(&slope, &direction)).abs() < 1e-5 * norm(&slope), "{place}: {along} {}", dot(&slope, &direction));
        let difference: Vec<Vec3> = gradient(potential, &ahead)
            .iter()
            .zip(gradient(potential, &behind))
            .map(|(ahead, behind)| (ahead - behind) / (2.0 * h))
            .collect();
        let exact = product(potential, x, false, &direction);
        let error: Vec<Vec3> = difference.iter().zip(&exact).map(|(a, b)| a - b).collect();
        assert!(norm(&error) < 1e-5 * norm(&exact), "{place}: {:e}", norm(&error) / norm(&exact));
        // Projected: nowhere below the exact one, and never negative.
        let projected = dot(&product(potential, x, true, &direction), &direction);
        assert!(projected >= dot(&exact, &direction) - 1e-9 * projected && projected >= 0.0);
    }
}

/// Preloaded contacts against central differences, above planes and above a sharp edge.
#[test]
fn preloaded_contacts_match_differences() {
    let system = stack(1.5 * REACH, 0.5);
    let mut contacts = contacts(&system, &preloads(&system, 0.5));
    let origin = system.positions.clone();
    let mut random = Random::new(5);
    let x: Vec<Vec3> = origin.iter().map(|p| p + random.vector(-0.02, 0.02) * REACH).collect();
    let mut potential = contacts.begin(&system, &origin);
    let slope = gradient(&mut potential, &x);
    assert!(norm(&slope) > FORCE);
    check_differences(&mut potential, &x, &mut random, "preloaded");
}

/// No contact changes the linear momentum, and without friction none changes the angular momentum.
#[test]
fn forces_have_no_sum_and_without_friction_no_torque() {
    let mut largest = 0.0f64;
    for seed in 0..6 {
        for friction in [0.0, 0.6] {
            let (system, origin, x) = rough(seed, friction);
            let mut contacts = contacts(&system, &[]);
            let mut potential = contacts.begin(&system, &origin);
            let gradient = gradient(&mut potential, &x);
            let size: f64 = gradient.iter().map(Vec3::norm).sum();
            assert!(size > 0.1 * FORCE);
            assert!(gradient.iter().sum::<Vec3>().norm() < 1e-14 * size);
            let torque = x.iter().zip(&gradient).map(|(x, g)| x.cross(g)).sum::<Vec3>().norm();
            if friction == 0.0 {
                assert!(torque < 1e-14 * size, "{torque:e} {size:e}");
            }
            // What the boxes do to one another, friction frozen elsewhere included, is all that there is.
            assert!((potential.couple(&x) - torque).abs() < 1e-13 * size, "{:e} {torque:e}", potential.couple(&x));
            largest = largest.max(torque / size);
        }
    }
    assert!(largest > 1e-9, "{largest:e}");
}

/// Friction is never more than mu lambda, acts against the slip, and has no sum.
#[test]
fn friction_stays_in_its_cone() {
    let (system, origin, _) = rough(3, 0.6);
    let mut contacts = contacts(&system, &[]);
    let barrier = *contacts.barrier();
    for drag in [1e-5, 1e-3, 1.0] {
        let mut x = origin.clone();
        for p in &mut x[second_box(&system)] {
            *p += drag * 1e-3 * Vec3::new(1.0, 0.0, 0.5);
        }
        let mut potential = contacts.begin(&system, &origin);
        let pose = super::super::Pose { x: &x, origin: &origin, barrier };
        let mut sum = vec![Vec3::zeros(); x.len()];
        super::super::term::add_gradient(&potential.friction, &pose, &mut Vec::new(), &mut sum);
        assert!(sum.iter().sum::<Vec3>().norm() < 1e-14 * sum.iter().map(Vec3::norm).sum::<f64>());
        for friction in &potential.friction {
            let force = friction.force(&pose);
            assert!(force.norm() <= friction.potential.limit * (1.0 + 1e-14));
            assert!(force.dot(&friction.moved(&pose)) <= 0.0);
        }
        assert!(potential.friction_work(&x) > 0.0);
        assert!(potential.energy(&x).is_finite());
    }
}

/// The same numbers, to the bit, for any number of threads.
#[test]
fn threads_change_nothing() {
    let result = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let (system, origin, x) = rough(1, 0.4);
            let mut contacts = contacts(&system, &[]);
            let mut potential = contacts.begin(&system, &origin);
            let change = potential.relag(&x);
            let energy = potential.energy(&x);
            let gradient = gradient(&mut potential, &x);
            let product = product(&mut potential, &x, true, &gradient);
            let step = potential.max_step(&x, &gradient, 1.0);
            (energy, gradient, product, change, step, potential.finish(&x))
        })
    };
    assert_eq!(result(1), result(5));
}
