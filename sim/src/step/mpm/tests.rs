//! Transfers: what they keep, and that forces are those of the energy.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use super::blocks::Blocks;
use super::points::{Cloud, Grid, Node, Point, Points, sort};
use crate::element::MaterialPoint;
use crate::material::MATERIALS;
use crate::math::random::Random;
use crate::math::splines::{Interpolation, Kernel};
use crate::math::{Mat3, Vec3};
use crate::scene::{GridSettings, Transfer};

pub(super) const SPACING: f64 = 0.1;
const PART: f64 = 1e-4;

/// Every kernel with every transfer that it can have.
pub(super) fn settings() -> impl Iterator<Item = GridSettings> {
    let of = |kernel| {
        [Transfer::Mls, Transfer::Apic, Transfer::Flip, Transfer::Pic].map(|transfer| GridSettings {
            kernel,
            transfer,
            ..GridSettings::default()
        })
    };
    let has_moment = |settings: &GridSettings| settings.kernel != Kernel::Linear || settings.transfer != Transfer::Mls;
    Kernel::ALL.into_iter().flat_map(of).filter(has_moment)
}

pub(super) fn interpolation(settings: &GridSettings) -> Interpolation {
    Interpolation { spacing: SPACING, kernel: settings.kernel, gradient: settings.transfer.gradient() }
}

/// A cloud of points of one law, moved, turned and deformed by chance; three of four share changes of volume.
pub(super) fn cloud(random: &mut Random, count: usize) -> (Vec<MaterialPoint>, Vec<f64>, Cloud) {
    let material = (MATERIALS[0].build)(1e5, 0.3);
    let positions: Vec<Vec3> = (0..count).map(|_| random.vector(-0.25, 0.25)).collect();
    let element = |(p, x): (usize, &Vec3)| {
        let mut point = MaterialPoint::new(material.clone(), 1.25e-4, *x).unwrap();
        point.shares_volume = p % 4 != 0;
        point
    };
    let elements = positions.iter().enumerate().map(element).collect();
    let masses = (0..count).map(|_| random.uniform(0.1, 0.2)).collect();
    let mut point = |(number, position): (u32, &Vec3)| Point {
        number,
        position: *position,
        velocity: random.vector(-1.0, 1.0),
        gradient: random.matrix(-0.05, 0.05),
        affine: random.matrix(-2.0, 2.0),
        memory: 0.0,
    };
    (elements, masses, (0..).zip(&positions).map(&mut point).collect())
}

/// The cloud sorted, and the grid of a part of `part` [s].
fn grid(points: &Points, cloud: &mut Cloud, part: f64) -> (Blocks, Grid) {
    let (blocks, mut grid) = (sort(cloud, interpolation(&points.settings)).unwrap(), Grid::default());
    points.take(cloud, &blocks, &[], part, (&[], true), &mut grid);
    (blocks, grid)
}

/// G of each point where the nodes move so, by their places: the sum over its nodes, with the mean trace of those in its cell that share.
fn changes(points: &Points, cloud: &Cloud, by: &Interpolation, of_node: impl Fn([i32; 3]) -> Vec3) -> Vec<Mat3> {
    let own = |point: &Point| {
        let mut change = Mat3::zeros();
        by.for_each(&point.position, |cell, _, gradient, _| change += of_node(cell) * gradient.transpose());
        change
    };
    let mut changes: Vec<Mat3> = cloud.iter().map(own).collect();
    let mut sums = BTreeMap::new();
    for (point, change) in cloud.iter().zip(&mut changes).filter(|(point, _)| points.elements[point.number as usize].shares_volume) {
        let mass = points.masses[point.number as usize];
        let of_cell: &mut (f64, f64, Vec<&mut Mat3>) = sums.entry(by.base(&point.position).unwrap()).or_default();
        of_cell.0 += mass;
        of_cell.1 += mass * change.trace();
        of_cell.2.push(change);
    }
    assert!(sums.values().any(|(_, _, shared)| shared.len() > 1));
    for (mass, sum, shared) in sums.into_values() {
        for change in shared {
            *change += Mat3::identity() * ((sum / mass - change.trace()) / 3.0);
        }
    }
    changes
}

fn momenta(nodes: &[Node], blocks: &Blocks, of: impl Fn(&Node) -> Vec3) -> (f64, Vec3, Vec3) {
    nodes.iter().enumerate().fold((0.0, Vec3::zeros(), Vec3::zeros()), |(mass, linear, angular), (n, node)| {
        let p = node.mass * of(node);
        (mass + node.mass, linear + p, angular + blocks.place_of(n).cross(&p))
    })
}

/// Mass and linear momentum of points, grid and points again are the same, and what stresses change of them is nothing; of angular momentum
/// with affine velocities: by every kernel with every transfer.
#[test]
fn transfers_keep_mass_and_momenta() {
    let mut random = Random::new(12);
    for settings in settings() {
        let GridSettings { kernel, transfer, .. } = settings;
        let (elements, masses, mut cloud) = cloud(&mut random, 400);
        if !transfer.keeps_rates() {
            cloud.iter_mut().for_each(|point| point.affine = Mat3::zeros());
        }
        let nodes: Vec<[u32; 1]> = (0..400).map(|p| [p]).collect();
        let points = Points::new(&elements, &nodes, masses.clone(), settings, Vec3::zeros());
        let (blocks, mut grid) = grid(&points, &mut cloud, PART);
        let mut next = cloud.clone();
        points.give_back(&mut next, &blocks, &mut grid, PART);
        // Where the points are as they give and take: D of linear weights is another where they go.
        let (by, mut places) = (interpolation(&settings), vec![Vec3::zeros(); cloud.len()]);
        cloud.iter().for_each(|point| places[point.number as usize] = point.position);
        let sum = |cloud: &Cloud| {
            let of = |point: &Point| masses[point.number as usize] * point.velocity;
            let linear: Vec3 = cloud.iter().map(of).sum();
            let mut affine = vec![Mat3::zeros(); cloud.len()];
            cloud.iter().for_each(|point| affine[point.number as usize] = point.affine);
            (linear, cloud.iter().map(|point| point.position.cross(&of(point))).sum::<Vec3>() + points.spin(&affine, |p| places[p], &by))
        };
        let ((linear, angular), (after, turned)) = (sum(&cloud), sum(&next));
        let mass: f64 = masses.iter().sum();
        for of in [|node: &Node| node.before, |node: &Node| node.after] {
            let (on_grid, momentum, spin) = momenta(&grid.nodes, &blocks, of);
            assert!(
                (on_grid - mass).abs() < 1e-13 * mass && (momentum - linear).norm() < 1e-13 * mass,
                "{kernel:?} {transfer:?}: {momentum} {linear}"
            );
            assert!((spin - angular).norm() < 1e-13 * mass, "{kernel:?} {transfer:?}: {spin} {angular}");
        }
        assert!((after - linear).norm() < 1e-13 * mass, "{kernel:?} {transfer:?}: {after} {linear}");
        // Nodes that need not know what was before end alike.
        let (whole, mut alone) = (grid.nodes, Grid::default());
        points.take(&cloud, &blocks, &[], PART, (&[], false), &mut alone);
        let error = whole.iter().zip(&alone.nodes).map(|(a, b)| a.mass * (a.after - b.after).norm()).fold(0.0, f64::max);
        assert!(error < 1e-15 * mass, "{kernel:?} {transfer:?}: {error:e}");
        let lost = (turned - angular).norm();
        let is_as_told = match transfer {
            Transfer::Mls | Transfer::Apic => lost < 1e-13 * mass,
            Transfer::Flip => lost > 1e-6 * mass,
            Transfer::Pic => lost > 1e-4 * mass,
        };
        assert!(is_as_told, "{kernel:?} {transfer:?}: {lost:e} of {mass}");
    }
}

/// The force on a node is minus the slope of the energy where F follows the node, F <- (I + G(u)) F: the gradient of forces and that of
/// deformations are one, by every kernel with every transfer.
#[test]
fn forces_are_those_of_the_energy() {
    let mut random = Random::new(13);
    for settings in settings() {
        let (elements, masses, mut cloud) = cloud(&mut random, 60);
        let nodes: Vec<[u32; 1]> = (0..60).map(|p| [p]).collect();
        let points = Points::new(&elements, &nodes, masses, settings, Vec3::zeros());
        let (blocks, grid) = grid(&points, &mut cloud, PART);
        let by = interpolation(&settings);
        let heaviest = grid.nodes.iter().map(|node| node.mass).fold(0.0, f64::max);
        for (n, node) in grid.nodes.iter().enumerate().filter(|(_, node)| node.mass > 0.3 * heaviest) {
            let force = node.mass / PART * (node.after - node.before);
            let direction = random.vector(-1.0, 1.0);
            let energy = |t: f64| {
                let moves = |cell| if blocks.node_at(cell) == Some(n as u32) { t * direction } else { Vec3::zeros() };
                let of_point = |(point, change): (&Point, Mat3)| {
                    elements[point.number as usize].energy_of(&(point.gradient + change * (Mat3::identity() + point.gradient)))
                };
                cloud.iter().zip(changes(&points, &cloud, &by, moves)).map(of_point).sum::<f64>()
            };
            let slope = (energy(1e-5) - energy(-1e-5)) / 2e-5;
            assert!((slope + force.dot(&direction)).abs() < 1e-6 * force.norm(), "{settings:?} {n}: {slope} {}", force.dot(&direction));
        }
    }
}

/// Points are deformed by what their nodes say: of any velocities of the nodes by the sum over them one by one.
#[test]
fn points_are_deformed_by_their_nodes() {
    let mut random = Random::new(15);
    for settings in settings() {
        let (elements, masses, mut cloud) = cloud(&mut random, 100);
        let nodes: Vec<[u32; 1]> = (0..100).map(|p| [p]).collect();
        let points = Points::new(&elements, &nodes, masses, settings, Vec3::zeros());
        let (blocks, mut grid) = grid(&points, &mut cloud, PART);
        grid.nodes.iter_mut().for_each(|node| (node.before, node.after) = (random.vector(-1.0, 1.0), random.vector(-1.0, 1.0)));
        let mut next = cloud.clone();
        points.give_back(&mut next, &blocks, &mut grid, PART);
        let by = interpolation(&settings);
        let shared = changes(&points, &cloud, &by, |cell| grid.nodes[blocks.node_at(cell).unwrap() as usize].after);
        for ((point, next), change) in cloud.iter().zip(&next).zip(shared) {
            let (mut mean, mut old, mut arms) = (Vec3::zeros(), Vec3::zeros(), Mat3::zeros());
            by.for_each(&point.position, |cell, w, _, away| {
                let node = &grid.nodes[blocks.node_at(cell).unwrap() as usize];
                mean += w * node.after;
                old += w * node.before;
                arms += w * node.after * away.transpose();
            });
            let told = format!("{:?} {:?}", settings.kernel, settings.transfer);
            let f = (Mat3::identity() + PART * change) * (Mat3::identity() + point.gradient);
            assert!((next.gradient + Mat3::identity() - f).amax() < 1e-14, "{told}");
            assert!((next.position - point.position - PART * mean).amax() < 1e-15, "{told}");
            let flip = settings.flip;
            let velocity = match settings.transfer {
                Transfer::Flip => flip * (point.velocity + mean - old) + (1.0 - flip) * mean,
                _ => mean,
            };
            assert!((next.velocity - velocity).amax() < 1e-14, "{told}");
            if settings.transfer.keeps_rates() {
                assert!((next.affine * by.spread(&point.position) - arms).amax() < 1e-14 * SPACING, "{told}");
            }
        }
    }
}

/// A rigid rotation deforms nothing but to second order in the part, and a translation nothing at all, by every kernel with both gradients.
#[test]
fn rigid_motions_deform_nothing() {
    let mut random = Random::new(14);
    let spin = Vec3::new(0.3, -1.0, 0.5);
    let cross = spin.cross_matrix();
    for settings in settings().filter(|settings| settings.transfer.keeps_rates()) {
        let (elements, masses, mut still) = cloud(&mut random, 300);
        still.iter_mut().for_each(|point| point.gradient = Mat3::zeros());
        let nodes: Vec<[u32; 1]> = (0..300).map(|p| [p]).collect();
        let points = Points::new(&elements, &nodes, masses, settings, Vec3::zeros());
        for (turn, part, most) in [(1.0, 1e-2, 1e-3), (1.0, 1e-3, 1e-5), (0.0, 1e-2, 1e-14)] {
            let mut moving = still.clone();
            for point in &mut moving {
                point.velocity = Vec3::new(0.2, 0.1, -0.4) + turn * spin.cross(&point.position);
                point.affine = turn * cross;
            }
            let (blocks, mut grid) = grid(&points, &mut moving, part);
            points.give_back(&mut moving, &blocks, &mut grid, part);
            let strain = |g: &Mat3| (g + g.transpose() + g.transpose() * g).amax();
            let worst = moving.iter().map(|point| strain(&point.gradient)).fold(0.0, f64::max);
            let first = moving.iter().map(|point| (point.gradient - part * turn * cross).amax()).fold(0.0, f64::max);
            let apart = moving.iter().map(|point| (point.affine - turn * cross).amax()).fold(0.0, f64::max);
            assert!(worst < most && first < 1e-12 && apart < 1e-10, "{settings:?} {turn} {part}: {worst:e} {first:e} {apart:e}");
        }
    }
}

/// What moves along deforms nothing, where points lie on nodes too, which then have all their weight to themselves.
#[test]
fn points_on_nodes_are_carried_along() {
    for settings in settings() {
        let (elements, masses, mut moving) = cloud(&mut Random::new(16), 8);
        for (p, point) in moving.iter_mut().enumerate() {
            let corner = Vec3::new((p / 4) as f64, (p / 2 % 2) as f64, (p % 2) as f64);
            (point.position, point.velocity) = (3.0 * SPACING * corner, Vec3::new(0.2, 0.1, -0.4));
            (point.gradient, point.affine) = (Mat3::zeros(), Mat3::zeros());
        }
        let nodes: Vec<[u32; 1]> = (0..8).map(|p| [p]).collect();
        let points = Points::new(&elements, &nodes, masses, settings, Vec3::zeros());
        let (blocks, mut grid) = grid(&points, &mut moving, PART);
        points.give_back(&mut moving, &blocks, &mut grid, PART);
        let worst =
            moving.iter().map(|point| point.gradient.amax().max((point.velocity - Vec3::new(0.2, 0.1, -0.4)).amax())).fold(0.0, f64::max);
        assert!(worst < 1e-14, "{settings:?}: {worst:e}");
    }
}
