//! Transfers: what they keep, and that forces are those of the energy.
#![allow(clippy::unwrap_used)]

use super::blocks::Blocks;
use super::points::{Cloud, Node, Points};
use crate::element::MaterialPoint;
use crate::material::MATERIALS;
use crate::math::random::Random;
use crate::math::splines::{Weights, inverse_moment};
use crate::math::{Mat3, Vec3};
use crate::scene::{GridSettings, Transfer};

const SPACING: f64 = 0.1;
const PART: f64 = 1e-4;

/// A cloud of points of one law, moved, turned and deformed by chance.
fn cloud(random: &mut Random, count: usize) -> (Vec<MaterialPoint>, Vec<f64>, Cloud) {
    let material = (MATERIALS[0].build)(1e5, 0.3);
    let positions: Vec<Vec3> = (0..count).map(|_| random.vector(-0.25, 0.25)).collect();
    let elements = positions.iter().map(|x| MaterialPoint::new(material.clone(), 1.25e-4, *x).unwrap()).collect();
    let masses = (0..count).map(|_| random.uniform(0.1, 0.2)).collect();
    let velocities = (0..count).map(|_| random.vector(-1.0, 1.0)).collect();
    let gradients = (0..count).map(|_| random.matrix(-0.05, 0.05)).collect();
    let affine = (0..count).map(|_| random.matrix(-2.0, 2.0)).collect();
    let gained = vec![0.0; positions.len()];
    (elements, masses, Cloud { positions, velocities, gradients, affine, gained })
}

fn momenta(nodes: &[Node], blocks: &Blocks, of: impl Fn(&Node) -> Vec3) -> (f64, Vec3, Vec3) {
    // A light node has the mass of the one with which it goes: there is none here.
    nodes.iter().enumerate().fold((0.0, Vec3::zeros(), Vec3::zeros()), |(mass, linear, angular), (n, node)| {
        let p = node.mass * of(node);
        (mass + node.mass, linear + p, angular + blocks.place_of(n).cross(&p))
    })
}

/// Mass and linear momentum of points, grid and points again are the same, and what stresses change of them is nothing; of angular momentum
/// with affine velocities.
#[test]
fn transfers_keep_mass_and_momenta() {
    let mut random = Random::new(12);
    for transfer in [Transfer::Mls, Transfer::Flip, Transfer::Pic] {
        let (elements, masses, mut cloud) = cloud(&mut random, 400);
        if transfer != Transfer::Mls {
            cloud.affine.iter_mut().for_each(|c| *c = Mat3::zeros());
        }
        let nodes: Vec<[u32; 1]> = (0..400).map(|p| [p]).collect();
        let settings = GridSettings { transfer, ..GridSettings::default() };
        let points = Points { elements: &elements, nodes: &nodes, masses: masses.clone(), settings, gravity: Vec3::zeros() };
        let blocks = Blocks::of(&cloud.positions, SPACING).unwrap();
        let grid = points.grid(&cloud, &blocks, &[], PART, &[]);
        let next = points.moved(&cloud, &blocks, &grid, PART);
        let sum = |cloud: &Cloud| {
            let each = || masses.iter().zip(&cloud.positions).zip(&cloud.velocities);
            let linear: Vec3 = each().map(|((m, _), v)| *m * v).sum();
            (linear, each().map(|((m, x), v)| *m * x.cross(v)).sum::<Vec3>() + points.spin(cloud, SPACING))
        };
        let ((linear, angular), (after, turned)) = (sum(&cloud), sum(&next));
        let mass: f64 = masses.iter().sum();
        for of in [|node: &Node| node.before, |node: &Node| node.after] {
            let (on_grid, momentum, spin) = momenta(&grid, &blocks, of);
            assert!(
                (on_grid - mass).abs() < 1e-13 * mass && (momentum - linear).norm() < 1e-13 * mass,
                "{transfer:?}: {momentum} {linear}"
            );
            assert!((spin - angular).norm() < 1e-13 * mass, "{transfer:?}: {spin} {angular}");
        }
        assert!((after - linear).norm() < 1e-13 * mass, "{transfer:?}: {after} {linear}");
        let lost = (turned - angular).norm();
        let is_as_told = match transfer {
            Transfer::Mls => lost < 1e-13 * mass,
            Transfer::Flip => lost > 1e-6 * mass,
            Transfer::Pic => lost > 1e-4 * mass,
        };
        assert!(is_as_told, "{transfer:?}: {lost:e} of {mass}");
    }
}

/// The force on a node is minus the slope of the energy where F follows the node, F <- (I + G(u)) F: the gradient of forces and that of
/// deformations are one.
#[test]
fn forces_are_those_of_the_energy() {
    let mut random = Random::new(13);
    let (elements, masses, cloud) = cloud(&mut random, 60);
    let nodes: Vec<[u32; 1]> = (0..60).map(|p| [p]).collect();
    let points = Points { elements: &elements, nodes: &nodes, masses, settings: GridSettings::default(), gravity: Vec3::zeros() };
    let blocks = Blocks::of(&cloud.positions, SPACING).unwrap();
    let grid = points.grid(&cloud, &blocks, &[], PART, &[]);
    let heaviest = grid.iter().map(|node| node.mass).fold(0.0, f64::max);
    for (n, node) in grid.iter().enumerate().filter(|(_, node)| node.mass > 0.3 * heaviest) {
        let force = node.mass / PART * (node.after - node.before);
        let direction = random.vector(-1.0, 1.0);
        let energy = |t: f64| {
            let of_point = |p: usize| {
                let weights = Weights::of(&cloud.positions[p], SPACING).unwrap();
                let mut g = cloud.gradients[p];
                weights.for_each(|at, w, away| {
                    if blocks.node_at([0, 1, 2].map(|axis| weights.base[axis] + at[axis] as i32)) == Some(n as u32) {
                        let moved = inverse_moment(SPACING) * w * t * direction * away.transpose();
                        g += moved * (Mat3::identity() + cloud.gradients[p]);
                    }
                });
                elements[p].energy_of(&g)
            };
            (0..60).map(of_point).sum::<f64>()
        };
        let slope = (energy(1e-5) - energy(-1e-5)) / 2e-5;
        assert!((slope + force.dot(&direction)).abs() < 1e-6 * force.norm(), "{n}: {slope} {}", force.dot(&direction));
    }
}

/// A rigid rotation deforms nothing but to second order in the part, and a translation nothing at all.
#[test]
fn rigid_motions_deform_nothing() {
    let mut random = Random::new(14);
    let (elements, masses, mut still) = cloud(&mut random, 300);
    let spin = Vec3::new(0.3, -1.0, 0.5);
    let cross = spin.cross_matrix();
    still.gradients.iter_mut().for_each(|g| *g = Mat3::zeros());
    let nodes: Vec<[u32; 1]> = (0..300).map(|p| [p]).collect();
    let points = Points { elements: &elements, nodes: &nodes, masses, settings: GridSettings::default(), gravity: Vec3::zeros() };
    let blocks = Blocks::of(&still.positions, SPACING).unwrap();
    for (turn, part, most) in [(1.0, 1e-2, 1e-3), (1.0, 1e-3, 1e-5), (0.0, 1e-2, 1e-14)] {
        let mut moving = still.clone();
        moving.velocities = still.positions.iter().map(|x| Vec3::new(0.2, 0.1, -0.4) + turn * spin.cross(x)).collect();
        moving.affine = vec![turn * cross; 300];
        let grid = points.grid(&moving, &blocks, &[], part, &[]);
        let next = points.moved(&moving, &blocks, &grid, part);
        let strain = |g: &Mat3| (g + g.transpose() + g.transpose() * g).amax();
        let worst = next.gradients.iter().map(strain).fold(0.0, f64::max);
        let first = next.gradients.iter().map(|g| (g - part * turn * cross).amax()).fold(0.0, f64::max);
        assert!(worst < most && first < 1e-12, "{turn} {part}: {worst:e} {first:e}");
    }
}
