//! The global stage with contact: what must hold of any balance, and closed forms where there are some.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::contact_forces::{least_motion, solve};
use super::equilibrium::Search;
use super::friction_in_hand::solve_with_friction_in_hand;
use super::global::{GlobalMatrix, GlobalSolver};
use super::initialise::rest_state;
use super::newton::{Newton, SparseNewton};
use super::problem::{BalanceProblem, ContactSite, Forces};
use super::reduced::{Plan, ReducedNewton, kept_nodes};
use super::scenes::{Boxes, OPTIONS, box_on_ground, box_on_slope, bridge, cone_violation, on_nodes, stack};
use super::tension::Tension;
use crate::math::{Vec3, largest_norm};
use crate::scene::Method;
use crate::scene_file::gallery;
use crate::system::System;
use crate::watch::Unwatched;

const WEIGHT: Vec3 = Vec3::new(0.0, -9.81 * 1000.0, 0.0);

/// Force and torque of pairs of boxes cancel in the interior point as they do in nature: each level carries what is above.
#[test]
fn a_stack_carries_the_weight_above() {
    let scene = stack(&[[3, 2, 3], [4, 2, 2], [2, 1, 3]], 0.5);
    let forces = scene.solve();
    assert!(forces.residual < 1e-10, "{}", forces.residual);
    assert!(cone_violation(&scene.sites, &forces.contacts) < 1e-9);
    let volumes = [0.3 * 0.15 * 0.3, 0.28 * 0.15 * 0.27, 0.26 * 0.15 * 0.24];
    // Sites come in the order: second box on the first, third on the second, first on the ground.
    let of = |sites: &[usize]| sites.iter().map(|&s| forces.contacts[s]).sum::<Vec3>();
    let (pairs, ground): (Vec<usize>, Vec<usize>) = (0..scene.sites.len()).partition(|&s| scene.sites[s].shares.len() > 1);
    let (upper, lower): (Vec<usize>, Vec<usize>) = pairs.iter().partition(|&&s| scene.sites[s].point.y > 0.2);
    for (sites, volume) in [(upper, volumes[2]), (lower, volumes[1] + volumes[2]), (ground, volumes.iter().sum())] {
        let expected = -volume * WEIGHT;
        assert!((of(&sites) - expected).norm() < 1e-9 * expected.norm(), "{} for {}", of(&sites), expected);
    }
}

/// Coulomb: a block stays on a slope if and only if mu >= tan(angle).
#[test]
fn a_block_stays_on_a_slope_up_to_its_friction_angle() {
    let tangent = 20f64.to_radians().tan();
    for (friction, stays) in [(1.001 * tangent, true), (1.1 * tangent, true), (0.999 * tangent, false), (0.2, false), (0.0, false)] {
        let scene = box_on_slope([4, 2, 3], 20.0, friction);
        let forces = scene.solve();
        assert_eq!(forces.residual < 1e-9, stays, "{friction}: {}", forces.residual);
        assert!(cone_violation(&scene.sites, &forces.contacts) < 1e-9);
        assert!(forces.contacts.iter().chain(&forces.net).all(|f| f.iter().all(|x| x.is_finite())));
    }
}

/// Each wall carries half of the weight, and pushes at least as hard as its friction needs.
#[test]
fn a_bridge_squeezes_its_walls() {
    let scene = bridge([8, 2, 2], 0.6);
    let forces = scene.solve();
    assert!(forces.residual < 1e-10, "{}", forces.residual);
    let half = 0.5 * 0.6 * 0.1 * 0.1 * 1000.0 * 9.81;
    for side in [1.0, -1.0] {
        let wall = scene.sites.iter().zip(&forces.contacts).filter(|(site, _)| site.normal.x == side);
        let total: Vec3 = wall.map(|(_, force)| force).sum();
        assert!((total.y - half).abs() < 1e-9 * half, "{total}");
        assert!(side * total.x >= half / 0.6);
    }
}

/// Calls `check` with both solvers' answers, the sparse one first.
fn by_both(scene: &Boxes, check: impl Fn(&BalanceProblem, [Forces; 2], [Forces; 2])) {
    let assembled = scene.assembled();
    let problem = scene.problem(&assembled);
    let (pattern, matrix) = (&assembled.pattern, GlobalMatrix::assemble(&problem, &assembled.pattern));
    let stencils: Vec<Vec<u32>> = scene.sites.iter().map(|site| site.nodes().collect()).collect();
    let rho = OPTIONS.regularization;
    let mut sparse = SparseNewton::new(pattern, &matrix, rho, pattern.coupled(&stencils, 1));
    let mut reduced = ReducedNewton::new(pattern, &matrix, rho, Plan::new(pattern, kept_nodes(pattern, &stencils))).unwrap();
    let spaces: [&mut dyn Newton; 2] = [&mut sparse, &mut reduced];
    let (mut solved, mut nearest) = (Vec::new(), Vec::new());
    for newton in spaces {
        solved.push(solve(&problem, newton, matrix.scale, OPTIONS.tolerance, &Unwatched).unwrap());
        nearest.push(least_motion(&problem, newton, matrix.scale, OPTIONS.tolerance, &Unwatched).unwrap());
    }
    check(&problem, solved.try_into().unwrap(), nearest.try_into().unwrap());
}

/// Contact nodes alone or all nodes: the same balance, to the same residual.
#[test]
fn the_reduced_problem_has_the_solution_of_the_whole() {
    let mut half_fixed = stack(&[[3, 2, 3], [2, 2, 2]], 0.3);
    half_fixed.fix(|x| x.y < 1e-9 && x.x < 0.11);
    let mut sliding = box_on_ground([3, 2, 2], 0.4);
    sliding.slides = vec![(30, crate::math::Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0)))];
    let scenes = [
        box_on_ground([4, 3, 3], 0.5),
        box_on_ground([4, 3, 3], 0.0),
        box_on_slope([5, 2, 3], 20.0, 0.38),
        stack(&[[3, 2, 3], [4, 2, 2], [2, 1, 3]], 0.5),
        bridge([8, 2, 2], 0.6),
        half_fixed,
        sliding,
    ];
    for (index, scene) in scenes.iter().enumerate() {
        by_both(scene, |problem, [sparse, reduced], _| {
            assert!(sparse.residual < 1e-10 && reduced.residual < 1e-10, "{index}: {} {}", sparse.residual, reduced.residual);
            assert!(cone_violation(problem.sites, &reduced.contacts) < 1e-9, "{index}");
            let [a, b] = [&sparse, &reduced].map(|forces| on_nodes(problem, forces));
            let difference: Vec<Vec3> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
            assert!(largest_norm(&difference) < 1e-4 * largest_norm(&a), "{index}: {}", largest_norm(&difference) / largest_norm(&a));
        });
    }
}

/// What is left of the weight of a block that slips is its distance from the friction cone; every node has the same share.
#[test]
fn least_motion_of_a_slipping_block_is_that_of_a_rigid_one() {
    let (angle, friction) = (20f64.to_radians(), 0.25f64);
    by_both(&box_on_slope([6, 2, 4], 20.0, friction), |problem, solved, nearest| {
        for (solved, nearest) in solved.iter().zip(&nearest) {
            assert!(solved.residual > 1e-2, "{}", solved.residual);
            let excess = angle - friction.atan();
            let expected = 0.3 * 0.1 * 0.2 * 1000.0 * 9.81 * excess.sin() * Vec3::new(-excess.cos(), -excess.sin(), 0.0);
            let net: Vec3 = nearest.net.iter().sum();
            assert!((net - expected).norm() < 1e-4 * expected.norm(), "{net} for {expected}");
            let mean = net / problem.positions.len() as f64;
            assert!(nearest.net.iter().all(|n| (n - mean).norm() < 1e-3 * mean.norm()));
            assert!(cone_violation(problem.sites, &nearest.contacts) < 1e-9);
        }
    });
}

/// The smallest share of the friction that holds the block, found by halving; the usual one where that does.
#[test]
fn as_much_friction_as_possible_is_left_in_hand() {
    let tangent = 20f64.to_radians().tan();
    for (needed, expected) in [(0.5, 0.95), (0.949, 0.95), (0.975, 0.975), (0.999, 0.999), (1.01, 1.0)] {
        let scene = box_on_slope([4, 2, 3], 20.0, tangent / needed);
        let assembled = scene.assembled();
        let problem = scene.problem(&assembled);
        let matrix = GlobalMatrix::assemble(&problem, &assembled.pattern);
        let mut solver = GlobalSolver::new(&assembled.pattern, &matrix, OPTIONS);
        let (forces, share) = solve_with_friction_in_hand(&mut solver, &problem, 0.95, &Unwatched).unwrap();
        assert!(share >= expected && share < expected + 0.05 / 63.0, "{needed}: {share}");
        assert_eq!(solver.is_balanced(&forces), needed <= 1.0);
        for (site, force) in scene.sites.iter().zip(&forces.contacts) {
            let normal = force.dot(&site.normal);
            assert!((force - normal * site.normal).norm() <= share * site.friction * normal * (1.0 + 1e-9));
        }
    }
}

#[test]
fn the_same_contact_forces_come_out_of_any_number_of_threads() {
    let scene = box_on_ground([9, 5, 8], 0.5);
    let assembled = scene.assembled();
    let problem = scene.problem(&assembled);
    let stencils: Vec<Vec<u32>> = scene.sites.iter().map(|site| site.nodes().collect()).collect();
    let solve_on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let matrix = GlobalMatrix::assemble(&problem, &assembled.pattern);
            let plan = Plan::new(&assembled.pattern, kept_nodes(&assembled.pattern, &stencils));
            let mut reduced = ReducedNewton::new(&assembled.pattern, &matrix, OPTIONS.regularization, plan).unwrap();
            solve(&problem, &mut reduced, matrix.scale, OPTIONS.tolerance, &Unwatched).unwrap().contacts
        })
    };
    let one = solve_on(1);
    assert_eq!(one, solve_on(2));
    assert_eq!(one, solve_on(3));
}

/// A box that only one edge is said to stand on tips over; what else touches is there in reserve, and is taken in then and only then.
#[test]
fn contacts_in_reserve_are_taken_in_where_there_is_no_balance_without() {
    let scene = box_on_ground([3, 2, 3], 0.5);
    let assembled = scene.assembled();
    let whole = scene.problem(&assembled);
    let matrix = GlobalMatrix::assemble(&whole, &assembled.pattern);
    let mut solver = GlobalSolver::new(&assembled.pattern, &matrix, OPTIONS);
    let tension = Tension::new(&assembled.families, &scene.positions, 0.0);
    let search = Search { friction_fraction: 0.8, tolerance: 1e-9, tension: &tension };
    let least = scene.sites.iter().map(|site| site.point.x).fold(f64::INFINITY, f64::min);
    let (edge, others): (Vec<_>, Vec<_>) = scene.sites.iter().cloned().partition(|site| site.point.x < least + 1e-6);
    let mut run = |sites: &[ContactSite], in_reserve: &[ContactSite]| {
        search.run(&BalanceProblem { sites, ..whole }, in_reserve, &mut solver, &Unwatched).unwrap()
    };
    assert!(run(&edge, &[]).forces.residual > 1e-3);
    let found = run(&edge, &others);
    assert!(found.forces.residual < 1e-9 && found.sites.len() == scene.sites.len(), "{}", found.forces.residual);
    assert_eq!(run(&scene.sites, &edge).sites.len(), scene.sites.len());
}

/// The pins of the baseline bear all that the elements hand down to them: the weight.
#[test]
fn pins_of_the_baseline_bear_the_weight() {
    let path = gallery::find("jelly_on_table").unwrap().path();
    let scene = crate::scene_file::load(&path).unwrap();
    let system = System::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
    let balance = rest_state(&system, Method::PinnedContacts, &Unwatched).unwrap().balance;
    let borne: Vec3 = balance.contacts.iter().map(|contact| contact.normal_force * contact.normal + contact.friction_force).sum();
    let weight: Vec3 = system.loads().iter().sum();
    assert!(weight.y < -1.0 && (borne + weight).norm() < 1e-6 * weight.norm(), "{borne} {weight}");
}
