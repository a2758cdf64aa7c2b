#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod lines;

use super::*;
use crate::contact::surface::{CollisionSurface, PairRules, PartInput};
use crate::contact::surfaces::tests::{Block, FORCE, REACH, contacts, gradient, stack, system};
use crate::contact::surfaces::{SurfaceContacts, Touch};
use crate::math::random::Random;
use crate::math::{Mat3, rotation};

fn block(size: Vec3, cells: [usize; 3], corner: Vec3) -> Block {
    Block { size, cells, turn: Mat3::identity(), corner }
}

/// The sites of blocks, looked for as far as `reach` [m].
fn sites(system: &mut System, reach: f64) -> Vec<ContactSite> {
    system.contact.detection_distance = reach / system.diagonal;
    let sites = find(system).sites;
    for site in &sites {
        // Whatever the feature and the gap, a force there has no net force and no net torque.
        for force in [site.normal, Vec3::new(0.3, -0.8, 0.5)] {
            let mut nodes = vec![Vec3::zeros(); system.positions.len()];
            site.add_force(&force, &mut nodes);
            let torque: Vec3 = nodes.iter().zip(&system.positions).map(|(force, x)| x.cross(force)).sum();
            // What cannot move takes any torque.
            let is_free = !site.is_on_support(&system.surface.movable);
            assert!(nodes.iter().sum::<Vec3>().norm() < 1e-12 && (torque.norm() < 1e-12 || !is_free), "{site:?}");
        }
    }
    sites
}

/// Number of vertices on triangles, and of edges across edges.
fn kinds(sites: &[ContactSite]) -> (usize, usize) {
    let is_vertex = |site: &&ContactSite| matches!(site.between, Between::Surfaces(Touch::VertexTriangle { .. }));
    let vertices = sites.iter().filter(is_vertex).count();
    (vertices, sites.len() - vertices)
}

/// The stepper's gradient at the first instant against random forces in the cones of all sites.
fn check_that_slots_make_the_forces(system: &System, sites: &[ContactSite]) {
    let mut random = Random::new(7);
    let mut force = |site: &ContactSite| {
        let pressed = random.uniform(0.2, 3.0) * FORCE;
        let across = random.vector(-1.0, 1.0).cross(&site.normal).normalize();
        pressed * (site.normal + 0.9 * random.uniform(0.0, 1.0) * site.friction * across)
    };
    let forces: Vec<Vec3> = sites.iter().map(&mut force).collect();
    let mut expected = vec![Vec3::zeros(); system.positions.len()];
    for (site, force) in sites.iter().zip(&forces) {
        site.add_force(force, &mut expected);
    }
    let mut contacts = contacts(system, &balanced(sites, &forces).pairs);
    let x = system.positions.clone();
    let made = gradient(&mut contacts.begin(system, &x), &x);
    for (made, expected) in made.iter().zip(&expected) {
        assert!((made + expected).norm() < 1e-10 * FORCE, "{made} {expected}");
    }
}

/// 9 vertices of the upper box, and those of the lower one's 8 x 8 grid that lie under it: between .33 and .73, .29 and .69.
#[test]
fn both_sides_of_a_stack_are_found() {
    let mut system = stack(0.5 * REACH, 0.5);
    let found = sites(&mut system, 0.53 * REACH);
    assert_eq!(kinds(&found), (9 + 3 * 2, 0));
    // Three more are beside the upper box, and touch its edge from below.
    assert_eq!(kinds(&sites(&mut system, REACH)), (18, 0));
    assert!(found.iter().all(|site| (site.normal.y.abs() - 1.0).abs() < 1e-12 && (site.distance / REACH - 0.5).abs() < 1e-9));
    assert!(found.iter().all(|site| site.friction == 0.5));
    check_that_slots_make_the_forces(&system, &found);
    assert_eq!(sites(&mut system, 0.4 * REACH).len(), 0, "beyond the detection distance");
    system.surface.rules.set(0, 1, None);
    assert_eq!(sites(&mut system, REACH).len(), 0, "parts that may not touch");
}

/// Walls in line with one another are as near as top and bottom, but carry nothing.
#[test]
fn walls_in_line_take_no_part() {
    let low = block(Vec3::repeat(1.0), [2, 2, 2], Vec3::zeros());
    let high = block(Vec3::repeat(1.0), [2, 2, 2], Vec3::new(0.0, 1.0 + 0.5 * REACH, 0.0));
    let mut system = system(&[low, high], 0.5);
    let found = sites(&mut system, REACH);
    assert_eq!(kinds(&found), (18, 0));
    assert!(found.iter().all(|site| (site.normal.y.abs() - 1.0).abs() < 1e-12));
    check_that_slots_make_the_forces(&system, &found);
}

/// Bars across one another touch in a square whose corners are crossings of their edges; no vertex is near.
#[test]
fn crossed_bars_touch_at_four_crossings() {
    let low = block(Vec3::new(1.0, 0.1, 0.1), [3, 1, 1], Vec3::new(-0.5, -0.1, -0.05));
    let mut high = block(Vec3::new(1.0, 0.1, 0.1), [3, 1, 1], Vec3::zeros());
    high.turn = rotation([0.0, 70.0, 0.0]);
    high.corner = -high.turn * Vec3::new(0.5, 0.0, 0.05) + Vec3::new(0.0, 0.5 * REACH, 0.0);
    let mut system = system(&[low, high], 0.5);
    let found = sites(&mut system, REACH);
    assert_eq!(kinds(&found), (0, 4), "{found:?}");
    assert!(found.iter().all(|site| (site.normal.y.abs() - 1.0).abs() < 1e-9));
    check_that_slots_make_the_forces(&system, &found);
}

/// Where enough vertices touch, crossings wait until they are asked for.
#[test]
fn crossings_are_kept_in_reserve_where_vertices_carry() {
    let low = block(Vec3::repeat(1.0), [4, 1, 4], Vec3::zeros());
    let mut high = block(Vec3::repeat(0.9), [4, 1, 4], Vec3::zeros());
    high.turn = rotation([0.0, 30.0, 0.0]);
    high.corner = Vec3::new(-0.1, 1.0 + 0.5 * REACH, 0.6);
    let mut system = system(&[low, high], 0.5);
    let found = sites(&mut system, REACH);
    let reserve = find(&system).in_reserve;
    assert!(kinds(&found).0 > 10 && kinds(&found).1 == 0);
    assert!(kinds(&reserve).0 == 0 && reserve.len() >= 4, "{reserve:?}");
    check_that_slots_make_the_forces(&system, &reserve);
}

/// A vertex in a corner touches floor and wall of one part, and steps do not carry one contact over to the other.
#[test]
fn a_vertex_in_a_corner_touches_floor_and_wall() {
    let (at, x) = (Vec3::new, &mut Vec::new());
    // A trough that is bent once, along the z axis.
    x.extend([at(0.0, 1.0, -1.0), at(0.0, 1.0, 1.0), at(0.0, 0.0, -1.0), at(0.0, 0.0, 1.0), at(1.0, 0.0, -1.0), at(1.0, 0.0, 1.0)]);
    let trough = vec![[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]];
    let (floor_gap, wall_gap) = (0.2 * REACH, 0.6 * REACH);
    x.extend([at(0.0, 0.0, 0.0), at(0.3, 0.0, 0.1), at(0.1, 0.4, 0.0), at(0.1, 0.1, 0.4)].map(|p| p + at(wall_gap, floor_gap, 0.0)));
    let tet = vec![[6, 8, 7], [6, 7, 9], [6, 9, 8], [7, 8, 9]];
    let part = |name: &str, triangles| PartInput::triangles(name, triangles);
    let movable: Vec<bool> = (0..10).map(|node| node >= 6).collect();
    let parts = vec![part("tet", tet), part("trough", trough)];
    let surface = CollisionSurface::new(x, parts, PairRules::all_touch(2, 0.3), movable.clone()).unwrap();
    let mut system =
        System { positions: x.clone(), fixed: movable.iter().map(|m| !m).collect(), diagonal: 1.0, surface, ..System::default() };
    system.contact.barrier_distance = REACH;
    let found = sites(&mut system, REACH);
    let tip: Vec<_> = found.iter().filter(|site| site.nodes().next() == Some(6)).collect();
    assert_eq!(tip.len(), 2, "{found:?}");
    assert!((tip[0].normal - Vec3::y()).norm() < 1e-12 && (tip[0].distance - floor_gap).abs() < 1e-12);
    assert!((tip[1].normal - Vec3::x()).norm() < 1e-12 && (tip[1].distance - wall_gap).abs() < 1e-12);
    check_that_slots_make_the_forces(&system, &found);
}

/// Fixed nodes have no balance: a contact between nothing but them is none.
#[test]
fn fixed_nodes_alone_make_no_site() {
    let mut system = stack(0.5 * REACH, 0.5);
    let count = system.positions.len();
    system.fixed = vec![true; count];
    system.surface.movable = vec![false; count];
    assert_eq!(sites(&mut system, REACH).len(), 0);
    let first = system.surface.parts[1].vertices.start;
    for node in system.surface.vertices[first] as usize..count {
        (system.fixed[node], system.surface.movable[node]) = (false, true);
    }
    let found = sites(&mut system, 0.53 * REACH);
    assert_eq!(kinds(&found), (15, 0), "vertices of what is fixed touch what is free");
}

/// A body that is folded onto itself: every vertex near another of its walls, none across its own thickness.
#[test]
fn self_contact_is_found_across_gaps_and_not_through_walls() {
    let low = block(Vec3::new(1.0, 0.5 * REACH, 1.0), [3, 1, 3], Vec3::zeros());
    let high = block(Vec3::new(1.0, 0.5 * REACH, 1.0), [2, 1, 2], Vec3::new(0.1, 1.2 * REACH, 0.15));
    let mut system = system(&[low, high], 0.5);
    let triangles = system.surface.triangles.clone();
    let movable = system.surface.movable.clone();
    let part = PartInput::triangles("folded", triangles);
    system.surface = CollisionSurface::new(&system.positions, vec![part], PairRules::all_touch(1, 0.5), movable).unwrap();
    let found = sites(&mut system, REACH);
    let (vertices, _) = kinds(&found);
    assert!(vertices > 8 && found.iter().all(|site| (site.distance / REACH - 0.7).abs() < 1e-9), "{found:?}");
    check_that_slots_make_the_forces(&system, &found);
    assert!(SurfaceContacts::new(&system, &[], &contacts(&system, &[]).barrier().to_owned()).memory.slots().is_empty());
}

/// A body on something round: what the sites say, the stepper's slots do, also where a face lies on it between vertices.
#[test]
fn round_parts_touch_faces_edges_and_corners_at_their_own_places() {
    let gap = 0.4 * REACH;
    let turned = |turn: Mat3| {
        let high = block(Vec3::repeat(0.5), [2, 2, 2], Vec3::zeros());
        let mut system = system(&[high], 0.5);
        system.positions.iter_mut().for_each(|x| *x = turn * (*x - Vec3::repeat(0.25)));
        let low = system.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        system.positions.iter_mut().for_each(|x| *x += Vec3::new(0.013, gap - low, 0.017));
        system
    };
    let tip = rotation([45.0, 0.0, 90.0 - f64::sqrt(2.0).atan().to_degrees()]);
    for (turn, radius, chain, expected) in [
        (Mat3::identity(), 0.3, vec![Vec3::zeros()], (1, 0)),
        // Both ends of the chain and the two nodes between them lie under the face, and the axis leaves it on both sides.
        (Mat3::identity(), 0.3, [-0.6, -0.2, 0.0, 0.2, 0.6].map(|x| Vec3::new(x, 0.0, 0.0)).to_vec(), (3, 2)),
        (rotation([0.0, 0.0, 45.0]), 0.3, vec![Vec3::new(0.013, 0.0, 0.0)], (1, 0)),
        (tip, 0.05, vec![Vec3::new(0.013, 0.0, 0.017)], (1, 0)),
        (tip, 0.05, vec![Vec3::new(-0.3, 0.0, 0.017), Vec3::new(0.3, 0.0, 0.017)], (0, 1)),
    ] {
        let mut system = turned(turn);
        let first = system.positions.len() as u32;
        let triangles = system.surface.triangles.clone();
        system.positions.extend(chain.iter().map(|at| at - Vec3::new(0.0, radius, 0.0)));
        system.fixed.resize(system.positions.len(), true);
        system.masses.resize(system.positions.len(), 0.0);
        let parts =
            vec![PartInput::triangles("block", triangles), PartInput::round("rod", (first..first + chain.len() as u32).collect(), radius)];
        let movable = system.fixed.iter().map(|fixed| !fixed).collect();
        system.surface = CollisionSurface::new(&system.positions, parts, PairRules::all_touch(2, 0.5), movable).unwrap();
        let found = sites(&mut system, REACH);
        assert_eq!(kinds(&found), expected, "{radius} {chain:?}: {found:?}");
        for site in &found {
            assert!((site.distance - gap).abs() < 1e-9 && (site.normal.y.abs() - 1.0).abs() < 1e-9, "{site:?}");
            // It acts where the two are nearest, not in the middle of what is round.
            assert!(site.point.y > -1e-9 && site.point.y < gap + 1e-9, "{site:?}");
        }
        check_that_slots_make_the_forces(&system, &found);
        // What slots measure is the gap between the surfaces, too.
        let forces: Vec<Vec3> = found.iter().map(|site| FORCE * site.normal).collect();
        let contacts = contacts(&system, &balanced(&found, &forces).pairs);
        let slots = contacts.memory.slots();
        assert!(slots.len() == found.len() && slots.iter().all(|slot| (slot.distance(&system.positions) - gap).abs() < 1e-9), "{slots:?}");
    }
}

/// Without contact of bodies with themselves, that of different bodies is left.
#[test]
fn contact_of_different_bodies_is_none_of_a_body_with_itself() {
    let mut system = stack(0.4 * REACH, 0.5);
    let between = sites(&mut system, REACH);
    assert!(!between.is_empty() && without_self_contact(&system, &between) == between);
    // The same as two sides of one body.
    let part = PartInput::triangles("folded", system.surface.triangles.clone());
    let movable = system.surface.movable.clone();
    system.surface = CollisionSurface::new(&system.positions, vec![part], PairRules::all_touch(1, 0.5), movable).unwrap();
    let own = sites(&mut system, REACH);
    assert!(!own.is_empty() && without_self_contact(&system, &own).is_empty());
}
