//! Transfers: what they keep, and that forces are those of the energy.
#![allow(clippy::unwrap_used)]

use super::blocks::Blocks;
use super::points::{Cloud, Grid, Node, Point, Points, sort};
use crate::element::MaterialPoint;
use crate::material::MATERIALS;
use crate::math::random::Random;
use crate::math::splines::{Weights, inverse_moment};
use crate::math::{Mat3, Vec3};
use crate::scene::{GridSettings, Transfer};

pub(super) const SPACING: f64 = 0.1;
const PART: f64 = 1e-4;

/// A cloud of points of one law, moved, turned and deformed by chance.
pub(super) fn cloud(random: &mut Random, count: usize) -> (Vec<MaterialPoint>, Vec<f64>, Cloud) {
    let material = (MATERIALS[0].build)(1e5, 0.3);
    let positions: Vec<Vec3> = (0..count).map(|_| random.vector(-0.25, 0.25)).collect();
    let elements = positions.iter().map(|x| MaterialPoint::new(material.clone(), 1.25e-4, *x).unwrap()).collect();
    let masses = (0..count).map(|_| random.uniform(0.1, 0.2)).collect();
    let mut point = |(number, position): (u32, &Vec3)| Point {
        number,
        position: *position,
        velocity: random.vector(-1.0, 1.0),
        gradient: random.matrix(-0.05, 0.05),
        affine: random.matrix(-2.0, 2.0),
        gained: 0.0,
    };
    (elements, masses, (0..).zip(&positions).map(&mut point).collect())
}

/// The cloud sorted, and the grid of a part of `part` [s].
fn grid(points: &Points, cloud: &mut Cloud, part: f64) -> (Blocks, Grid) {
    let (blocks, mut grid) = (sort(cloud, SPACING).unwrap(), Grid::default());
    points.take(cloud, &blocks, &[], part, (&[], true), &mut grid);
    (blocks, grid)
}

fn momenta(nodes: &[Node], blocks: &Blocks, of: impl Fn(&Node) -> Vec3) -> (f64, Vec3, Vec3) {
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
            cloud.iter_mut().for_each(|point| point.affine = Mat3::zeros());
        }
        let nodes: Vec<[u32; 1]> = (0..400).map(|p| [p]).collect();
        let settings = GridSettings { transfer, ..GridSettings::default() };
        let points = Points { elements: &elements, nodes: &nodes, masses: masses.clone(), settings, gravity: Vec3::zeros() };
        let (blocks, grid) = grid(&points, &mut cloud, PART);
        let mut next = cloud.clone();
        points.give_back(&mut next, &blocks, &grid, PART);
        let sum = |cloud: &Cloud| {
            let of = |point: &Point| masses[point.number as usize] * point.velocity;
            let linear: Vec3 = cloud.iter().map(of).sum();
            let mut affine = vec![Mat3::zeros(); cloud.len()];
            cloud.iter().for_each(|point| affine[point.number as usize] = point.affine);
            (linear, cloud.iter().map(|point| point.position.cross(&of(point))).sum::<Vec3>() + points.spin(&affine, SPACING))
        };
        let ((linear, angular), (after, turned)) = (sum(&cloud), sum(&next));
        let mass: f64 = masses.iter().sum();
        for of in [|node: &Node| node.before, |node: &Node| node.after] {
            let (on_grid, momentum, spin) = momenta(&grid.nodes, &blocks, of);
            assert!(
                (on_grid - mass).abs() < 1e-13 * mass && (momentum - linear).norm() < 1e-13 * mass,
                "{transfer:?}: {momentum} {linear}"
            );
            assert!((spin - angular).norm() < 1e-13 * mass, "{transfer:?}: {spin} {angular}");
        }
        assert!((after - linear).norm() < 1e-13 * mass, "{transfer:?}: {after} {linear}");
        // Nodes that need not know what was before end alike.
        let (whole, mut alone) = (grid.nodes, Grid::default());
        points.take(&cloud, &blocks, &[], PART, (&[], false), &mut alone);
        let error = whole.iter().zip(&alone.nodes).map(|(a, b)| a.mass * (a.after - b.after).norm()).fold(0.0, f64::max);
        assert!(error < 1e-15 * mass, "{transfer:?}: {error:e}");
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
    let (elements, masses, mut cloud) = cloud(&mut random, 60);
    let nodes: Vec<[u32; 1]> = (0..60).map(|p| [p]).collect();
    let points = Points { elements: &elements, nodes: &nodes, masses, settings: GridSettings::default(), gravity: Vec3::zeros() };
    let (blocks, grid) = grid(&points, &mut cloud, PART);
    let heaviest = grid.nodes.iter().map(|node| node.mass).fold(0.0, f64::max);
    for (n, node) in grid.nodes.iter().enumerate().filter(|(_, node)| node.mass > 0.3 * heaviest) {
        let force = node.mass / PART * (node.after - node.before);
        let direction = random.vector(-1.0, 1.0);
        let energy = |t: f64| {
            let of_point = |point: &Point| {
                let weights = Weights::of(&point.position, SPACING).unwrap();
                let mut g = point.gradient;
                weights.for_each(|at, w, away| {
                    if blocks.node_at([0, 1, 2].map(|axis| weights.base[axis] + at[axis] as i32)) == Some(n as u32) {
                        let moved = inverse_moment(SPACING) * w * t * direction * away.transpose();
                        g += moved * (Mat3::identity() + point.gradient);
                    }
                });
                elements[point.number as usize].energy_of(&g)
            };
            cloud.iter().map(of_point).sum::<f64>()
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
    still.iter_mut().for_each(|point| point.gradient = Mat3::zeros());
    let nodes: Vec<[u32; 1]> = (0..300).map(|p| [p]).collect();
    let points = Points { elements: &elements, nodes: &nodes, masses, settings: GridSettings::default(), gravity: Vec3::zeros() };
    for (turn, part, most) in [(1.0, 1e-2, 1e-3), (1.0, 1e-3, 1e-5), (0.0, 1e-2, 1e-14)] {
        let mut moving = still.clone();
        for point in &mut moving {
            point.velocity = Vec3::new(0.2, 0.1, -0.4) + turn * spin.cross(&point.position);
            point.affine = turn * cross;
        }
        let (blocks, grid) = grid(&points, &mut moving, part);
        points.give_back(&mut moving, &blocks, &grid, part);
        let strain = |g: &Mat3| (g + g.transpose() + g.transpose() * g).amax();
        let worst = moving.iter().map(|point| strain(&point.gradient)).fold(0.0, f64::max);
        let first = moving.iter().map(|point| (point.gradient - part * turn * cross).amax()).fold(0.0, f64::max);
        assert!(worst < most && first < 1e-12, "{turn} {part}: {worst:e} {first:e}");
    }
}
