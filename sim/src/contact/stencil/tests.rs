//! Tests of [`super::Stencil`].

use super::super::barrier::BarrierKind;
use super::super::primitive::mollifier_width;
use super::super::primitive::sample::{self, CORNERS, ENDS, FACE, INSIDE, SIDES, above_triangle, crossing_edges};
use super::*;
use crate::math::random::Random;
use nalgebra::SMatrix;

type Dense = SMatrix<f64, 12, 12>;

const NODES: [u32; 4] = [0, 1, 2, 3];
const BARRIER: Barrier = Barrier { distance: 0.02, stiffness: 300.0, kind: BarrierKind::C2 };
/// Parallel, within the mollifier's angle of about 0.03, beyond it.
const ANGLES: [f64; 6] = [0.0, 1e-9, 1e-4, 0.01, 0.025, 0.5];

/// Stencils within reach of the barrier. The features that are nearest are the same all around.
fn stencils(random: &mut Random) -> Vec<(Stencil, Vec12)> {
    let mut stencils = Vec::new();
    // Far apart they are round, and as near as the second of the others; the nearest have a barrier of their own reach.
    let round = |stencil: Stencil, x: Vec12| {
        let distance = stencil.distance(&x);
        let radius = if distance > 0.1 { distance - 0.012 } else { 0.0 };
        (Stencil { radius, reach: if distance < 5e-3 { 0.4 } else { 1.0 }, ..stencil }, x)
    };
    for distance in [2e-3, 0.012, 0.2] {
        for (places, tilted) in [(FACE, false), (SIDES, true), (CORNERS, true)] {
            let at = places.map(|place| above_triangle(random, place, distance, tilted));
            stencils.extend(at.map(|x| round(Stencil::point_triangle(NODES, &x, pair(0.7)), x)));
        }
        for angle in ANGLES {
            for (place, beyond) in INSIDE.map(|p| (p, false)).into_iter().chain(ENDS.map(|p| (p, true))) {
                let x = crossing_edges(random, place, angle, distance, beyond);
                stencils.push(round(edges(&x), x));
            }
        }
    }
    stencils
}

fn pair(weight: f64) -> PairTraits {
    PairTraits { weight, radius: 0.0, reach: 1.0 }
}

fn edges(x: &Vec12) -> Stencil {
    let [a, b, c, d] = x;
    Stencil::edge_edge(NODES, x, mollifier_width(a, b, c, d), pair(1.3))
}

/// The nodes of a stencil are not in the order of the points: its slope by the points.
fn by_node(stencil: &Stencil, values: &Vec12) -> Vec12 {
    let mut ordered = [Vec3::zeros(); 4];
    for (node, value) in stencil.nodes.iter().zip(values) {
        if *node != NO_NODE {
            ordered[*node as usize] = *value;
        } else {
            assert_eq!(*value, Vec3::zeros());
        }
    }
    ordered
}

/// Whether the two halves of the points are edges at an angle below 1e-3.
fn nearly_parallel(x: &Vec12) -> bool {
    (x[1] - x[0]).cross(&(x[3] - x[2])).norm() < 1e-3 * (x[1] - x[0]).norm() * (x[3] - x[2]).norm()
}

fn dense(blocks: &Mat12) -> Dense {
    Dense::from_fn(|i, j| blocks[i / 3][j / 3][(i % 3, j % 3)])
}

fn flat(vector: &Vec12) -> SMatrix<f64, 12, 1> {
    SMatrix::from_fn(|i, _| vector[i / 3][i % 3])
}

#[test]
fn the_gradient_matches_differences_of_the_energy() {
    for kind in [BarrierKind::C2, BarrierKind::Book] {
        let barrier = Barrier { kind, ..BARRIER };
        for (stencil, x) in stencils(&mut Random::new(1)) {
            let gradient = by_node(&stencil, &stencil.gradient(&barrier, &x));
            let slope = sample::slope(&x, 1e-7, |x| stencil.energy(&barrier, x));
            let (error, size) = (sample::difference(&gradient, &slope), sample::norm(&gradient));
            // Between nearly parallel edges the nearest points jump within the step of the differences, and with them
            // all of the force that is left there.
            let jump = if nearly_parallel(&x) { stencil.normal_force(&barrier, &x) } else { 0.0 };
            assert!(
                jump <= 1e-4 * barrier.force(stencil.distance(&x)) && error < 1e-5 * size + 1e-7 + jump,
                "{stencil:?}: {error} of {size} {jump}"
            );
        }
    }
}

#[test]
fn the_hessian_matches_differences_of_the_gradient() {
    let h = 1e-8;
    for (stencil, x) in stencils(&mut Random::new(2)) {
        if nearly_parallel(&x) {
            continue;
        }
        let hessian = dense(&stencil.hessian(&BARRIER, &x, false));
        assert!((hessian - hessian.transpose()).norm() < 1e-12 * hessian.norm());
        for (place, &node) in stencil.nodes.iter().enumerate().filter(|(_, node)| **node != NO_NODE) {
            for axis in 0..3 {
                let at = |by| flat(&stencil.gradient(&BARRIER, &sample::shifted(&x, node as usize, axis, by)));
                let change = (at(h) - at(-h)) / (2.0 * h);
                assert!((change - hessian.column(3 * place + axis)).norm() < 3e-5 * hessian.norm(), "{stencil:?}");
            }
        }
    }
}

#[test]
fn the_projected_hessian_is_positive_semidefinite_and_free_of_translations() {
    for (stencil, x) in stencils(&mut Random::new(3)) {
        let (exact, projected) = (dense(&stencil.hessian(&BARRIER, &x, false)), dense(&stencil.hessian(&BARRIER, &x, true)));
        let size = exact.norm();
        assert!((projected - projected.transpose()).norm() < 1e-12 * size);
        assert!(projected.symmetric_eigenvalues().min() > -1e-11 * size, "{stencil:?}");
        assert!((projected - exact).symmetric_eigenvalues().min() > -1e-11 * size, "nowhere below the exact one");
        let shift = Dense::from_fn(|i, j| if i % 3 == j % 3 { 1.0 } else { 0.0 });
        assert!((exact * shift).norm() < 1e-10 * size && (projected * shift).norm() < 1e-10 * size);
        if stencil.mollifier > 0.0 {
            let eigen = exact.symmetric_eigen();
            let values = Dense::from_diagonal(&eigen.eigenvalues.map(|v| v.max(0.0)));
            let clamped = eigen.eigenvectors * values * eigen.eigenvectors.transpose();
            assert!((projected - clamped).norm() < 1e-11 * size, "mollified: exactly the clamped one");
        }
    }
}

#[test]
fn forces_have_no_resultant_and_no_torque() {
    for (stencil, x) in stencils(&mut Random::new(4)) {
        let gradient = by_node(&stencil, &stencil.gradient(&BARRIER, &x));
        let torque: Vec3 = x.iter().zip(&gradient).map(|(x, g)| x.cross(g)).sum();
        let size = sample::norm(&gradient);
        assert!(gradient.iter().sum::<Vec3>().norm() <= 1e-12 * size && torque.norm() <= 1e-12 * size, "{stencil:?}");
    }
}

#[test]
fn the_normal_force_is_what_opens_the_distance() {
    for (stencil, x) in stencils(&mut Random::new(5)) {
        let closest = stencil.closest(&x);
        assert_eq!(closest.distance, stencil.distance(&x));
        let offset: Vec3 = stencil.points(&x).iter().zip(closest.weights).map(|(x, w)| w * x).sum();
        assert!(
            (offset - (closest.distance + stencil.radius) * closest.normal).norm() < 1e-15 && (closest.normal.norm() - 1.0).abs() < 1e-12
        );
        assert!(closest.weights.iter().all(|w| (-1.0..=1.0).contains(w)) && closest.weights.iter().sum::<f64>().abs() < 1e-15);
        let apart = |by: f64| {
            let mut moved = x;
            for (node, weight) in stencil.nodes.iter().zip(closest.weights).filter(|(_, weight)| *weight > 0.0) {
                moved[*node as usize] += by * closest.normal;
                assert!(weight <= 1.0);
            }
            // All of the first primitive moves, also a vertex without a part in the nearest point.
            if stencil.kind == StencilKind::EdgeEdge && closest.weights[..2].contains(&0.0) {
                let other = usize::from(closest.weights[0] != 0.0);
                moved[stencil.nodes[other] as usize] += by * closest.normal;
            }
            stencil.energy(&BARRIER, &moved)
        };
        let h = 1e-8;
        let (force, slope) = (stencil.normal_force(&BARRIER, &x), (apart(-h) - apart(h)) / (2.0 * h));
        assert!((force - slope).abs() < 1e-6 * force + 1e-9, "{stencil:?}: {force} {slope}");
    }
}

#[test]
fn the_same_features_make_the_same_stencil_from_whichever_pair() {
    // The point (0, 0, 1e-3) above the edge from (0, -1, 0) to (0, 1, 0), the border of two triangles; end of an edge.
    let x = [(0.0, 0.0, 1e-3), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, -1.0), (-1.0, 0.0, -1.0), (0.0, 0.0, 2.0)]
        .map(|(a, b, c)| Vec3::new(a, b, c));
    let expected =
        Stencil { kind: StencilKind::PointEdge, nodes: [0, 1, 2, NO_NODE], weight: 2.0, mollifier: 0.0, radius: 0.0, reach: 1.0 };
    for triangle in [[1, 2, 3], [2, 1, 4], [4, 1, 2], [1, 4, 2]] {
        let [a, b, c] = triangle;
        assert_eq!(Stencil::point_triangle([0, a, b, c], &x, pair(2.0)), expected);
    }
    for nodes in [[0, 5, 1, 2], [1, 2, 5, 0], [2, 1, 0, 5]] {
        assert_eq!(Stencil::edge_edge(nodes, &x, 1e-3, pair(2.0)), expected);
    }
    let corner =
        Stencil { kind: StencilKind::PointPoint, nodes: [0, 5, NO_NODE, NO_NODE], weight: 2.0, mollifier: 0.0, radius: 0.0, reach: 1.0 };
    assert_eq!(Stencil::edge_edge([5, 2, 1, 0], &[x[0], x[3], 3.0 * Vec3::z(), x[3], x[4], x[5]], 0.0, pair(2.0)), corner);
    let far = [x[0], x[3], x[4], x[3], x[4], Vec3::new(0.0, 0.0, 2e-3)];
    assert_eq!(Stencil::point_triangle([5, 0, 1, 2], &far, pair(2.0)), corner);
    assert_eq!(Stencil::point_triangle([0, 5, 5, 5], &far, pair(2.0)), corner);
}

/// The energy of the true distance is once continuously differentiable where the nearest feature of a triangle changes,
/// and the stencil made on one side is right on the other.
#[test]
fn point_triangle_contact_is_smooth_across_the_borders_of_features() {
    let mut random = Random::new(6);
    // On the borders between face and edge, and right above the corners.
    for place in SIDES.into_iter().chain(CORNERS) {
        for _ in 0..20 {
            let x = above_triangle(&mut random, place, 5e-3, false);
            let whole = Stencil { kind: StencilKind::PointTriangle, nodes: NODES, weight: 1.0, mollifier: 0.0, radius: 0.0, reach: 1.0 };
            let slope = sample::slope(&x, 1e-8, |x| whole.energy(&BARRIER, x));
            let gradient = whole.gradient(&BARRIER, &x);
            assert!(sample::difference(&slope, &gradient) < 1e-4 * sample::norm(&gradient), "{place:?}");
            for _ in 0..20 {
                let near: Vec12 = x.map(|p| p + random.vector(-1e-9, 1e-9));
                let resolved = Stencil::point_triangle(NODES, &near, pair(1.0));
                let change = sample::difference(&by_node(&resolved, &resolved.gradient(&BARRIER, &near)), &gradient);
                assert!(change < 1e-4 * sample::norm(&gradient), "{place:?}: {change}");
            }
        }
    }
}

/// Without the mollifier, the force on a vertex jumps as edges turn through parallel; with it, it fades.
#[test]
fn contact_of_edges_is_smooth_where_they_are_parallel() {
    let edges_at = |angle: f64| {
        let turned = 0.5 * Vec3::new(angle.cos(), angle.sin(), 0.0);
        let above = 5e-3 * Vec3::z();
        [above - turned, above + turned, Vec3::new(-0.4, 0.0, 0.0), Vec3::new(0.7, 0.0, 0.0)]
    };
    let jump = |width: f64, angle: f64| {
        let stencil = Stencil { kind: StencilKind::EdgeEdge, nodes: NODES, weight: 1.0, mollifier: width, radius: 0.0, reach: 1.0 };
        let [before, after] = [-angle, angle].map(|angle| stencil.gradient(&BARRIER, &edges_at(angle)));
        let side =
            stencil.gradient(&BARRIER, &edges_at(angle).map(|p| p + if p.z > 0.0 { 2.0 * angle * Vec3::y() } else { Vec3::zeros() }));
        sample::difference(&before, &after).max(sample::difference(&side, &after))
    };
    let [a, b, c, d] = edges_at(0.0);
    let (width, force) = (mollifier_width(&a, &b, &c, &d), BARRIER.force(5e-3));
    for angle in [1e-3, 1e-4, 1e-5, 1e-6] {
        assert!(jump(0.0, angle) > 0.1 * force, "without: {}", jump(0.0, angle) / force);
        let share = jump(width, angle) / force;
        assert!(share < 3.0 * angle / 1e-3, "the jump falls with the angle {angle}: {share}");
    }
    assert!(jump(width, 1e-7) < 1e-3 * force);
    for angle in [0.0, 1e-9, 1e-12] {
        let x = edges_at(angle);
        let stencil = edges(&x);
        let values = (
            stencil.energy(&BARRIER, &x),
            sample::norm(&stencil.gradient(&BARRIER, &x)),
            dense(&stencil.hessian(&BARRIER, &x, true)).norm(),
        );
        assert!(stencil.mollifier > 0.0 && values.0 < 1e-12 && values.1 < 1e-6 && values.2.is_finite(), "{angle}: {values:?}");
    }
}

/// The potential turns smoothly from mollified to plain contact at the mollifier's width.
#[test]
fn the_mollifier_ends_smoothly() {
    let width = 1e-3f64.sqrt().asin();
    let at = |angle: f64| [Vec3::new(-0.5, 0.0, 5e-3), Vec3::new(0.5, 0.0, 5e-3), Vec3::zeros() - 0.5 * turned(angle), 0.5 * turned(angle)];
    fn turned(angle: f64) -> Vec3 {
        Vec3::new(angle.cos(), angle.sin(), 0.0)
    }
    let (below, above) = (at(width - 1e-8), at(width + 1e-8));
    let (mollified, plain) = (edges(&below), edges(&above));
    assert!(mollified.mollifier > 0.0 && plain.mollifier == 0.0);
    assert!((mollified.energy(&BARRIER, &below) / plain.energy(&BARRIER, &above) - 1.0).abs() < 1e-9);
    let (before, after) = (mollified.gradient(&BARRIER, &below), plain.gradient(&BARRIER, &above));
    assert!(sample::difference(&before, &after) < 1e-5 * sample::norm(&after));
}

#[test]
fn touching_has_infinite_energy_and_distance_none() {
    let mut x = crossing_edges(&mut Random::new(7), (0.5, 0.5), 0.01, 0.0, false);
    assert_eq!(edges(&x).closest(&x).distance, edges(&x).distance(&x));
    x[1] = x[2];
    assert_eq!(edges(&x).energy(&BARRIER, &x), f64::INFINITY);
    assert_eq!(edges(&x).closest(&x), Closest { weights: edges(&x).closest(&x).weights, normal: Vec3::zeros(), distance: 0.0 });
    let far = crossing_edges(&mut Random::new(7), (0.5, 0.5), 1.0, 0.03, false);
    let stencil = edges(&far);
    assert_eq!((stencil.energy(&BARRIER, &far), stencil.normal_force(&BARRIER, &far)), (0.0, 0.0));
    assert_eq!((stencil.gradient(&BARRIER, &far), dense(&stencil.hessian(&BARRIER, &far, true)).norm()), ([Vec3::zeros(); 4], 0.0));
}
