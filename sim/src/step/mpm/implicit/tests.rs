//! The incremental potential against differences, and what walls make of its minimum against a method of their own.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::math::random::Random;
use crate::scene::GridSettings;
use crate::step::mpm::tests::{SPACING, cloud};
use crate::watch::Unwatched;

const PART: f64 = 2e-3;
const LIMITS: Limits = Limits { tolerance: 1e-10, iterations: 100 };

/// What `with` makes of the potential of a cloud.
fn with_potential(random: &mut Random, count: usize, with: impl FnOnce(&IncrementalPotential, &mut Random)) {
    let (elements, masses, cloud) = cloud(random, count);
    let nodes: Vec<[u32; 1]> = (0..count as u32).map(|p| [p]).collect();
    let gravity = -9.81 * Vec3::y();
    let points = Points { elements: &elements, nodes: &nodes, masses: masses.clone(), settings: GridSettings::default(), gravity };
    let positions: Vec<Vec3> = cloud.iter().map(|point| point.position).collect();
    let grid = Stencils::of(&positions, &masses, SPACING).unwrap();
    with(&IncrementalPotential::new(&points, &cloud, &grid, (PART, &[])), random);
}

/// Nodes that move, one apart from the other, and are no light ones.
fn displacements(potential: &IncrementalPotential, random: &mut Random, size: f64) -> Vec<Vec3> {
    potential.grid.masses.iter().map(|mass| if *mass > 0.0 { random.vector(-size, size) } else { Vec3::zeros() }).collect()
}

#[test]
fn forces_and_stiffnesses_are_those_of_the_potential() {
    with_potential(&mut Random::new(4), 60, |potential, random| {
        let u = displacements(potential, random, 2e-4);
        let (gradient, direction) = (potential.gradient(&u), displacements(potential, random, 1.0));
        let moved = |by: f64| u.iter().zip(&direction).map(|(u, d)| u + by * d).collect::<Vec<Vec3>>();
        let h = 1e-7;
        let slope = (potential.energy(&moved(h)) - potential.energy(&moved(-h))) / (2.0 * h);
        let expected: f64 = gradient.iter().zip(&direction).map(|(force, d)| force.dot(d)).sum();
        assert!((slope / expected - 1.0).abs() < 1e-6, "{slope} {expected}");
        // All forces of the points together are none, but for the inertia.
        let at_rest = potential.gradient(&potential.ahead);
        let sum: Vec3 = at_rest.iter().sum();
        assert!(sum.norm() < 1e-12 * at_rest.iter().map(Vec3::norm).sum::<f64>(), "{sum}");

        // Each point's positive part is all of it near rest, where nothing is pressed.
        let mut ordered = Ordered::of(potential.grid).unwrap();
        let heft = potential.heft(&u);
        let free = vec![Mat3::identity(); u.len()];
        let Ordered { pattern, places, matrix, .. } = &mut ordered;
        potential.hessian(&u, &free, &heft, (pattern, places), matrix);
        let mut product = vec![Vec3::zeros(); u.len()];
        matrix.multiply(pattern, &direction, &mut product);
        let [plus, minus] = [potential.gradient(&moved(h)), potential.gradient(&moved(-h))];
        let (mut error, mut size) = (0.0, 0.0);
        for node in 0..u.len() {
            let change = (plus[node] - minus[node]) / (2.0 * h);
            error += (change - product[node]).norm_squared();
            size += change.norm_squared();
        }
        println!("{:e}", (error / size).sqrt());
        assert!(error < 4e-4 * size, "{error:e} {size:e}");
        let curvature: f64 = product.iter().zip(&direction).map(|(p, d)| p.dot(d)).sum();
        assert!(curvature > 0.0);
    });
}

/// At the minimum nodes obey their walls as in the explicit step, with the forces of its end: pushed and not pulled, rubbed up to mu times as much, stuck
/// or slid against, whatever the walls.
#[test]
fn walls_answer_to_the_forces_of_the_end() {
    let mut random = Random::new(8);
    let (mut stuck, mut slid, mut left) = (0, 0, 0);
    for case in 0..12 {
        with_potential(&mut random, 80, |potential, random| {
            let grid = potential.grid;
            let friction = [0.0, 0.3, 0.8][case % 3];
            let normal = random.vector(-1.0, 1.0).normalize();
            let velocity = if case % 2 == 0 { Vec3::zeros() } else { random.vector(-0.3, 0.3) };
            let beside = (0..grid.blocks.nodes()).filter(|node| grid.masses[*node] > 0.0 && grid.blocks.place_of(*node).dot(&normal) < 0.0);
            let touches: Vec<Touch> = beside.map(|node| Touch { node: node as u32, wall: 0, normal, friction, velocity }).collect();
            let found = Minimiser::default().solve(potential, &touches, LIMITS, &Unwatched).unwrap_or_else(|_| panic!("not found"));
            assert!(!found.unsettled, "case {case}");
            let u: Vec<Vec3> = found.nodes.iter().map(|node| PART * node.after).collect();
            let forces = potential.gradient(&u);
            let largest = forces.iter().map(Vec3::norm).fold(0.0, f64::max);
            let is_touched = |node: usize| touches.binary_search_by_key(&(node as u32), |touch| touch.node).is_ok();
            for (node, force) in forces.iter().enumerate().filter(|(node, _)| grid.masses[*node] > 0.0) {
                let (push, slides) = (force.dot(&normal), found.nodes[node].after - velocity);
                let (along, rubbed) = (slides - slides.dot(&normal) * normal, force - push * normal);
                if !is_touched(node) {
                    assert!(force.norm() < 1e-5 * largest, "case {case}: {force}");
                    continue;
                }
                assert!(slides.dot(&normal) > -1e-8 && push > -1e-5 * largest, "case {case}: {slides} {push}");
                assert!(push * slides.dot(&normal) < 1e-5 * largest * 1e-3, "pushed where it leaves");
                assert!(rubbed.norm() <= friction * push + 1e-5 * largest, "case {case}: {rubbed} {push}");
                match along.norm() > 1e-6 {
                    true if push > 1e-3 * largest => {
                        slid += 1;
                        let expected = -friction * push * along.normalize();
                        assert!((rubbed - expected).norm() < 1e-4 * push + 1e-5 * largest, "case {case}: {rubbed} {expected}");
                    }
                    true => left += 1,
                    false => stuck += 1,
                }
            }
        });
    }
    assert!(stuck > 50 && slid > 50 && left > 50, "{stuck} {slid} {left}");
}
