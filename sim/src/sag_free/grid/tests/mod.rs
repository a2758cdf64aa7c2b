//! The matrix of the grid against the stresses and forces that it stands for.
#![allow(clippy::unwrap_used)]

mod iterated;

use std::collections::BTreeMap;

use super::transfer::Exchange;
use super::*;
use crate::material::MATERIALS;
use crate::math::random::Random;
use crate::math::splines::{Gradient, Kernel};

/// Points of the first body.
const LARGER: usize = 150;

/// Every kernel with both gradients, in cells of this edge [m].
fn each(spacing: f64) -> impl Iterator<Item = Interpolation> {
    let with = move |kernel| [Gradient::LeastSquares, Gradient::OfWeights].map(|gradient| Interpolation { spacing, kernel, gradient });
    Kernel::ALL.into_iter().flat_map(with)
}

/// Points of two laws, jittered, of which every third shares changes of volume, with one far out by which light nodes come about; the last of them are another body, so far away along x [m].
fn space(random: &mut Random, apart: f64, by: Interpolation) -> (Space, Vec<f64>) {
    let laws = [(MATERIALS[0].build)(1e5, 0.3), (MATERIALS[2].build)(3e5, 0.1)];
    let mut x: Vec<Vec3> = (0..200).map(|_| random.vector(0.0, 0.4)).collect();
    // By so little beyond where a cell begins.
    let out = 0.55 + 1e-7 + if by.kernel == Kernel::Quadratic { 0.0 } else { 0.05 };
    x.push(Vec3::new(out, out, 0.2));
    let bodies: Vec<u32> = (0..x.len()).map(|p| u32::from(p >= LARGER)).collect();
    x[LARGER..].iter_mut().for_each(|x| x.x += apart);
    let element = |(p, x): (usize, &Vec3)| {
        let mut point = MaterialPoint::new(laws[p % 2].clone(), 1.25e-4, *x).unwrap();
        point.shares_volume = p % 3 == 0;
        point
    };
    let elements: Vec<MaterialPoint> = x.iter().enumerate().map(element).collect();
    let masses: Vec<f64> = (0..x.len()).map(|_| random.uniform(0.1, 0.2)).collect();
    (Space::new(&elements, (&x, &masses), &bodies, by, |_| Mat3::identity(), usize::MAX).unwrap().unwrap(), masses)
}

/// K u is the force of the stresses C : sym G(u), node by node, and its quadratic form their energy, by every kernel.
#[test]
fn the_matrix_is_that_of_the_stresses() {
    each(0.1).for_each(matrix_and_stresses);
}

fn matrix_and_stresses(by: Interpolation) {
    let mut random = Random::new(5);
    let (space, masses) = space(&mut random, 0.0, by);
    assert!(space.stencils.iter().any(|nodes| (1..nodes.len()).any(|n| nodes[..n].contains(&nodes[n]))), "no light node");
    let mut u: Vec<Vec3> = (0..space.roots.len()).map(|_| random.vector(-1.0, 1.0)).collect();
    space.clear_fixed(&mut u);
    let mut product = vec![Vec3::zeros(); u.len()];
    let Assembled { pattern, stiffness, .. } = space.assembled.as_ref().unwrap();
    stiffness.multiply(pattern, &u, &mut product);
    let mut exchange = Exchange::default();
    let mut stresses = vec![Mat3::zeros(); space.points.len()];
    space.add_stresses(&mut exchange, &u, space.scale, &mut stresses);
    let mut forces = vec![Vec3::zeros(); u.len()];
    space.take_stresses(&mut exchange, &stresses, &mut forces);
    space.clear_fixed(&mut forces);
    let size = product.iter().map(Vec3::amax).fold(0.0, f64::max);
    let error = product.iter().zip(&forces).map(|(k, f)| (k + f).amax()).fold(0.0, f64::max);
    println!("{by:?}: {error:.1e} of {size:.1e}");
    assert!(size > 0.1 && error < 1e-13 * size, "{error:e} {size}");
    // And those are the gradients of the stepper, and the means of those in a cell by which volumes change: force by force.
    let mut means: BTreeMap<[i32; 3], (f64, Vec<Vec3>)> = BTreeMap::new();
    for point in space.points.iter().filter(|point| point.number % 3 == 0) {
        let (all, sums) = means.entry(by.base(&point.x).unwrap()).or_insert((0.0, vec![Vec3::zeros(); by.kernel.nodes()]));
        let mass = masses[point.number as usize];
        *all += mass;
        sums.iter_mut().zip(by.around(&point.x).gradients()).for_each(|(sum, g)| *sum += mass * g);
    }
    let mut expected = vec![Vec3::zeros(); u.len()];
    for (point, stress) in space.points.iter().zip(&stresses) {
        let around = by.around(&point.x);
        let third = stress.trace() / 3.0;
        for (n, (&node, g)) in space.stencils[point.cell as usize].iter().zip(around.gradients()).enumerate() {
            let mean = if point.number % 3 == 0 { means.get(&by.base(&point.x).unwrap()).map(|(all, sums)| sums[n] / *all) } else { None };
            if space.roots[node as usize] > 0.0 {
                let force = stress * g + third * (mean.unwrap_or(*g) - g);
                expected[node as usize] -= point.volume * force / space.roots[node as usize];
            }
        }
    }
    let error = expected.iter().zip(&forces).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
    assert!(error < 1e-13 * size, "{by:?}: {error:e} {size}");
}

/// Where no wall holds anything, what is left of gravity is all of it, everywhere: the least motion of what nothing carries is its fall.
#[test]
fn what_nothing_holds_keeps_its_acceleration() {
    for by in each(0.1) {
        let (space, masses) = space(&mut Random::new(6), 0.0, by);
        let loads: Vec<Vec3> = masses.iter().map(|mass| -9.81 * mass * Vec3::y()).collect();
        let found = space.balance(&loads, &[], Shares::of_all(1.0), Tikhonov::ELASTIC, &[], &crate::watch::Unwatched).unwrap();
        assert!((found.largest - 1.0).abs() < 1e-6 && (found.rms - 1.0).abs() < 1e-6, "{by:?}: {} {}", found.largest, found.rms);
        let stress = found.stresses.iter().map(Mat3::amax).fold(0.0, f64::max);
        assert!(stress < 1.0, "{by:?}: {stress:e} Pa");
    }
}

/// Of a body that falls beside a larger one that does not, it is told by its own points that it falls.
#[test]
fn a_body_that_falls_is_not_lost_beside_others() {
    let (space, masses) = space(&mut Random::new(7), 3.0, Interpolation { spacing: 0.1, ..Interpolation::default() });
    let load = |(p, mass): (usize, &f64)| if p < LARGER { Vec3::zeros() } else { -9.81 * mass * Vec3::y() };
    let loads: Vec<Vec3> = masses.iter().enumerate().map(load).collect();
    let found = space.balance(&loads, &[], Shares::of_all(1.0), Tikhonov::ELASTIC, &[], &crate::watch::Unwatched).unwrap();
    assert!((found.largest - 1.0).abs() < 1e-6 && (found.rms - 1.0).abs() < 1e-6 && found.worst >= LARGER, "{}", found.rms);
}
