//! The incremental potential against differences, and what walls make of its minimum against a method of their own.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::contact::{Balance, ContactMemory, PlacedObstacle, TouchPair};
use crate::math::random::Random;
use crate::scene::{GridSettings, Shape, WallCondition};
use crate::step::mpm::points::{Grid, sort};
use crate::step::mpm::tests::{cloud, interpolation, settings};
use crate::system::System;
use crate::watch::Unwatched;

const PART: f64 = 2e-3;
const LIMITS: Limits = Limits { tolerance: 1e-10, iterations: 100, friction_rounds: 1 };

/// What `with` makes of the potential of a cloud.
fn with_potential(random: &mut Random, count: usize, with: impl FnOnce(&IncrementalPotential, &mut Random)) {
    with_settings(random, count, GridSettings::default(), with);
}

/// The same by some kernel and transfer.
fn with_settings(random: &mut Random, count: usize, settings: GridSettings, with: impl FnOnce(&IncrementalPotential, &mut Random)) {
    let (elements, masses, cloud) = cloud(random, count);
    let nodes: Vec<[u32; 1]> = (0..count as u32).map(|p| [p]).collect();
    let gravity = -9.81 * Vec3::y();
    let points = Points::new(&elements, &nodes, masses.clone(), settings, gravity);
    let positions: Vec<Vec3> = cloud.iter().map(|point| point.position).collect();
    let grid = Stencils::of(&positions, &masses, interpolation(&settings)).unwrap();
    with(&IncrementalPotential::new(&points, &cloud, &grid, (PART, &[])), random);
}

/// Nodes that move, one apart from the other, and are no light ones.
fn displacements(potential: &IncrementalPotential, random: &mut Random, size: f64) -> Vec<Vec3> {
    potential.grid.masses.iter().map(|mass| if *mass > 0.0 { random.vector(-size, size) } else { Vec3::zeros() }).collect()
}

/// By every kernel with every transfer.
#[test]
fn forces_and_stiffnesses_are_those_of_the_potential() {
    let mut random = Random::new(4);
    settings().for_each(|settings| forces_and_stiffnesses(&mut random, settings));
}

fn forces_and_stiffnesses(random: &mut Random, settings: GridSettings) {
    with_settings(random, 60, settings, |potential, random| {
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
        potential.hessian((&u, &[]), &free, &heft, (pattern, places), matrix);
        let mut product = vec![Vec3::zeros(); u.len()];
        matrix.multiply(pattern, &direction, &mut product);
        let [plus, minus] = [potential.gradient(&moved(h)), potential.gradient(&moved(-h))];
        let (mut error, mut size) = (0.0, 0.0);
        for node in 0..u.len() {
            let change = (plus[node] - minus[node]) / (2.0 * h);
            error += (change - product[node]).norm_squared();
            size += change.norm_squared();
        }
        println!("{:?} {:?}: {:e}", settings.kernel, settings.transfer, (error / size).sqrt());
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
            let touches: Vec<Touch> = beside
                .map(|node| Touch { node: node as u32, wall: 0, normal, friction, condition: WallCondition::default(), velocity })
                .collect();
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

/// Of the points of a potential, those that a slanted plane is near, and a ball, with this friction.
fn with_obstacles(potential: &IncrementalPotential, positions: &[Vec3], friction: f64) -> System {
    let shapes =
        [Shape::HalfSpace { point: [0.0, -0.262, 0.0], normal: [0.05, 1.0, 0.0] }, Shape::Sphere { center: [0.0, 0.45, 0.0], radius: 0.2 }];
    let obstacle = |shape: Shape| PlacedObstacle::new("obstacle", shape);
    let count = positions.len();
    let mut system = System {
        positions: positions.to_vec(),
        masses: vec![potential.least_mass; count],
        fixed: vec![false; count],
        pairs: (0..count as u32).flat_map(|node| [0, 1].map(|obstacle| TouchPair { node, obstacle, friction })).collect(),
        obstacles: shapes.map(obstacle).into(),
        gravity: -9.81 * Vec3::y(),
        diagonal: 1.0,
        ..System::default()
    };
    system.contact.barrier_distance = 0.03;
    system
}

/// What `with` makes of a potential and of the contact of its points, whose friction has rubbed, at displacements of the grid.
fn with_contact(seed: u64, friction: f64, with: impl FnOnce(&IncrementalPotential, PointContact, &[Vec3], &mut Random)) {
    with_potential(&mut Random::new(seed), 200, |potential, random| {
        let mut positions = vec![Vec3::zeros(); 200];
        potential.grid.order.iter().zip(&potential.grid.places).for_each(|(&number, x)| positions[number as usize] = *x);
        let system = with_obstacles(potential, &positions, friction);
        // Of the points none is inside of an obstacle, and some are near.
        let mut memory = ContactMemory::new(&system, &Balance::default());
        // What is near begins at the edge of its barrier: all of it is to push.
        memory.obstacles.slots.iter_mut().for_each(|slot| slot.offset = 0.0);
        let nodes: Vec<[u32; 1]> = (0..200).map(|p| [p]).collect();
        let start = Start { memory: &mut memory, system: &system, origin: &positions, time: 0.0, part: PART, may_split: false };
        let mut contact = PointContact::new(start, &nodes, potential.grid, &potential.ahead).unwrap().unwrap();
        let u = displacements(potential, random, 1e-3);
        contact.relag(&u);
        with(potential, contact, &u, random);
    });
}

/// The force of contacts on the nodes is the slope of their energy, barrier and friction, and what they add to the matrix its curvature: all of it where nothing
/// rubs on a plane, and no less where something does.
#[test]
fn contacts_of_points_are_those_of_their_energy() {
    for friction in [0.0, 0.4] {
        with_contact(4, friction, |potential, mut contact, u, random| {
            let direction = displacements(potential, random, 1.0);
            let moved = |by: f64| u.iter().zip(&direction).map(|(u, d)| u + by * d).collect::<Vec<Vec3>>();
            let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
            let gradient_at = |contact: &mut PointContact, u: &[Vec3]| {
                let mut gradient = vec![Vec3::zeros(); u.len()];
                contact.add_gradient(u, &mut gradient);
                gradient
            };
            let h = 1e-7;
            let slope = (contact.energy(&moved(h)) - contact.energy(&moved(-h))) / (2.0 * h);
            let gradient = gradient_at(&mut contact, u);
            let expected = dot(&gradient, &direction);
            assert!(gradient.iter().filter(|force| **force != Vec3::zeros()).count() > 50);
            assert!((slope / expected - 1.0).abs() < 1e-5, "{friction}: {slope} {expected}");

            let pressed = contact.blocks(u);
            let mut ordered = Ordered::of(potential.grid).unwrap();
            let (heft, free) = (potential.heft(u), vec![Mat3::identity(); u.len()]);
            let Ordered { pattern, places, matrix, .. } = &mut ordered;
            let mut with = |pressed: &[Mat3]| {
                potential.hessian((u, pressed), &free, &heft, (pattern, places), matrix);
                let mut product = vec![Vec3::zeros(); u.len()];
                matrix.multiply(pattern, &direction, &mut product);
                dot(&product, &direction)
            };
            let found = with(&pressed) - with(&[]);
            let [plus, minus] = [h, -h].map(|h| gradient_at(&mut contact, &moved(h)));
            let expected = (dot(&plus, &direction) - dot(&minus, &direction)) / (2.0 * h);
            println!("friction {friction}: {found} {expected}");
            // The ball bends away, which makes less of it.
            assert!(found > 0.0 && found > expected * (1.0 - 1e-5), "{friction}: {found} {expected}");
            assert!(friction > 0.0 || found < 1.2 * expected, "{friction}: {found} {expected}");
        });
    }
}

/// At the minimum all gaps are open, and the forces of all contacts of a plane together are in its cone.
#[test]
fn points_at_the_minimum_obey_coulomb() {
    for (seed, friction) in [(3, 0.0), (4, 0.2), (5, 0.6)] {
        with_contact(seed, friction, |potential, contact, _, _| {
            let limits = Limits { friction_rounds: 30, ..LIMITS };
            let found = Minimiser::default().solve_with(potential, contact, limits, &Unwatched).unwrap_or_else(|_| panic!("not found"));
            let met = found.met.unwrap();
            assert!(met.summary.count > 5 && met.summary.min_effective_gap > 0.0, "{:?}", met.summary);
            // Of the plane alone, as the ball pushes down.
            let normal = Vec3::new(0.05, 1.0, 0.0).normalize();
            let of_plane: Vec<Vec3> = met.forces.iter().zip(&met.positions).filter(|(_, x)| x.y < 0.0).map(|(force, _)| *force).collect();
            assert!(of_plane.iter().any(|force| *force != Vec3::zeros()));
            for force in of_plane.into_iter().filter(|force| *force != Vec3::zeros()) {
                let push = force.dot(&normal);
                let rubbed = (force - push * normal).norm();
                assert!(push > 0.0 && rubbed <= friction * push * (1.0 + 1e-3) + 1e-9, "{rubbed} {push}");
            }
        });
    }
}

/// Where nothing has moved yet, nodes have the velocities and the forces of an explicit part, by every kernel with every transfer.
#[test]
fn implicit_parts_begin_as_explicit_ones_do() {
    let mut random = Random::new(6);
    for settings in settings() {
        let (elements, masses, mut cloud) = cloud(&mut random, 80);
        let nodes: Vec<[u32; 1]> = (0..80).map(|p| [p]).collect();
        let points = Points::new(&elements, &nodes, masses.clone(), settings, -9.81 * Vec3::y());
        let positions: Vec<Vec3> = cloud.iter().map(|point| point.position).collect();
        let stencils = Stencils::of(&positions, &masses, interpolation(&settings)).unwrap();
        let potential = IncrementalPotential::new(&points, &cloud, &stencils, (PART, &[]));
        let still = potential.gradient(&vec![Vec3::zeros(); stencils.masses.len()]);
        let (blocks, mut grid) = (sort(&mut cloud, interpolation(&settings)).unwrap(), Grid::default());
        points.take(&cloud, &blocks, &[], PART, (&[], true), &mut grid);
        for (n, node) in grid.nodes.iter().enumerate().filter(|(_, node)| node.mass > 0.0) {
            assert_eq!(blocks.cell_of(n), stencils.blocks.cell_of(n));
            let after = -PART / stencils.masses[n] * still[n];
            let size = 1.0 + node.after.norm();
            assert!((potential.before[n] - node.before).norm() < 1e-10 * size, "{settings:?}: {} {}", potential.before[n], node.before);
            assert!((after - node.after).norm() < 1e-10 * size, "{settings:?}: {after} {}", node.after);
        }
    }
}
