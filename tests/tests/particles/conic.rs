//! Stresses of material points against an independent solver of conic programs (Clarabel: Goulart and Chen 2024), with weights of the grid of its own.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;

use crate::scene::{DENSITY, GRAVITY, Particles, SPACING, lattice};
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus, SupportedConeT, ZeroConeT,
};
use nalgebra::Vector6;
use serde_json::json;

const CELL: f64 = 2.0 * SPACING;
const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
/// Of stresses [Pa] and of forces [N].
const UNIT: f64 = 1e3;

/// Where grains yield: |dev sigma| <= size - slope tr sigma.
struct Cone {
    slope: f64,
    size: f64,
}

/// Nodes around a point, by their numbers along the axes: the weight of each, and the gradient that a stepper with affine velocities has.
fn stencil(x: &Vec3) -> Vec<([i32; 3], f64, Vec3)> {
    let spline = |r: f64| match r.abs() {
        r if r < 0.5 => 0.75 - r * r,
        r if r < 1.5 => 0.5 * (1.5 - r).powi(2),
        _ => 0.0,
    };
    let near = |axis: usize| (-1..=1).map(move |k| (x[axis] / CELL).round() as i32 + k);
    let mut nodes = Vec::new();
    for i in near(0) {
        for j in near(1) {
            for k in near(2) {
                let away = CELL * Vec3::new(f64::from(i), f64::from(j), f64::from(k)) - x;
                let w = (0..3).map(|axis| spline(away[axis] / CELL)).product::<f64>();
                nodes.push(([i, j, k], w, 4.0 / (CELL * CELL) * w * away));
            }
        }
    }
    nodes
}

/// A symmetric tensor in an orthonormal basis, and back.
fn tensor(s: &[f64]) -> Mat3 {
    let half = 0.5_f64.sqrt();
    Mat3::new(s[0], half * s[5], half * s[4], half * s[5], s[1], half * s[3], half * s[4], half * s[3], s[2])
}

fn coordinates(a: &Mat3) -> Vector6<f64> {
    let twice = 2.0_f64.sqrt();
    Vector6::new(a[(0, 0)], a[(1, 1)], a[(2, 2)], twice * a[(1, 2)], twice * a[(2, 0)], twice * a[(0, 1)])
}

/// A node around a point: its weight, its gradient, and that which changes of volume are by.
struct Near {
    node: [i32; 3],
    w: f64,
    gradient: Vec3,
    by_volume: Vec3,
}

/// For each point its stencil, and in place of the gradients those that changes of volume are by: means over the points that are nearest to the same node,
/// where they share them.
fn stencils(points: &[Vec3], shares_volume: bool) -> Vec<Vec<Near>> {
    let mut sums: BTreeMap<[i32; 3], (f64, Vec<Vec3>)> = BTreeMap::new();
    let nearest = |x: &Vec3| [0, 1, 2].map(|axis| (x[axis] / CELL).round() as i32);
    for x in points {
        let stencil = stencil(x);
        let (count, sum) = sums.entry(nearest(x)).or_insert((0.0, vec![Vec3::zeros(); stencil.len()]));
        *count += 1.0;
        sum.iter_mut().zip(&stencil).for_each(|(sum, (.., gradient))| *sum += gradient);
    }
    let of_point = |x: &Vec3| {
        let (count, sum) = &sums[&nearest(x)];
        let with_mean = |((node, w, gradient), sum): (([i32; 3], f64, Vec3), &Vec3)| Near {
            node,
            w,
            gradient,
            by_volume: if shares_volume { sum / *count } else { gradient },
        };
        stencil(x).into_iter().zip(sum).map(with_mean).collect()
    };
    points.iter().map(of_point).collect()
}

/// The least stresses [Pa] that hold points of this volume [m^3] over a floor with this friction, inside of their cone.
fn oracle((points, shares_volume): (&[Vec3], bool), volume: f64, cone: &Cone, friction: f64) -> Vec<Vector6<f64>> {
    let mut nodes: BTreeMap<[i32; 3], usize> = BTreeMap::new();
    points.iter().flat_map(stencil).for_each(|(node, ..)| {
        let next = nodes.len();
        nodes.entry(node).or_insert(next);
    });
    // Those in the floor, and at it.
    let held: Vec<usize> = nodes.iter().filter(|(node, _)| node[1] <= 0).map(|(_, number)| *number).collect();
    let (stresses, unknowns) = (6 * points.len(), 6 * points.len() + 3 * held.len());
    let mut masses = vec![0.0; nodes.len()];
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut put = |row: usize, column: usize, value: f64| {
        if value != 0.0 {
            rows.push(row);
            columns.push(column);
            values.push(value);
        }
    };
    let mut forces: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (p, stencil) in stencils(points, shares_volume).into_iter().enumerate() {
        for Near { node, w, gradient, by_volume } in stencil {
            let node = nodes[&node];
            masses[node] += w * DENSITY * volume;
            for k in 0..6 {
                let mut unit = [0.0; 6];
                unit[k] = volume * UNIT;
                let stress = tensor(&unit);
                let force = stress * gradient + stress.trace() / 3.0 * (by_volume - gradient);
                (0..3).for_each(|axis| *forces.entry((3 * node + axis, 6 * p + k)).or_default() += force[axis]);
            }
        }
    }
    // V sigma g - R = m g at every node.
    forces.into_iter().for_each(|((row, column), value)| put(row, column, value));
    for (k, &node) in held.iter().enumerate() {
        let holds = |axis: &usize| *axis == 1 || friction > 0.0;
        (0..3).filter(holds).for_each(|axis| put(3 * node + axis, stresses + 3 * k + axis, -UNIT * volume / CELL));
    }
    let mut right: Vec<f64> = masses.iter().flat_map(|mass| [0.0, -mass * GRAVITY, 0.0]).collect();
    let mut cones: Vec<SupportedConeT<f64>> = vec![ZeroConeT(right.len())];
    for p in 0..points.len() {
        let first = right.len();
        right.extend([cone.size / UNIT, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        for i in 0..3 {
            put(first, 6 * p + i, cone.slope);
            (0..3).for_each(|j| put(first + 1 + i, 6 * p + j, if i == j { -2.0 / 3.0 } else { 1.0 / 3.0 }));
            put(first + 4 + i, 6 * p + 3 + i, -1.0);
        }
        cones.push(SecondOrderConeT(7));
    }
    for k in 0..held.len() {
        let (first, force) = (right.len(), stresses + 3 * k);
        put(first, force + 1, if friction > 0.0 { -friction } else { -1.0 });
        right.push(0.0);
        if friction > 0.0 {
            put(first + 1, force, -1.0);
            put(first + 2, force + 2, -1.0);
            right.extend([0.0; 2]);
            cones.push(SecondOrderConeT(3));
        } else {
            cones.push(NonnegativeConeT(1));
        }
    }
    let matrix = CscMatrix::new_from_triplets(right.len(), unknowns, rows, columns, values);
    // V sigma : C^-1 : sigma, over the modulus.
    let (mut i, mut j, mut v) = (Vec::new(), Vec::new(), Vec::new());
    for p in 0..points.len() {
        for a in 0..6 {
            for b in 0..=a {
                let value = match (a < 3, a == b) {
                    (true, true) => 1.0,
                    (false, true) => 1.0 + POISSON,
                    (true, false) => -POISSON,
                    (false, false) => 0.0,
                };
                if value != 0.0 {
                    i.push(6 * p + b);
                    j.push(6 * p + a);
                    v.push(value);
                }
            }
        }
    }
    let hessian = CscMatrix::new_from_triplets(unknowns, unknowns, i, j, v);
    let tight = 1e-11;
    let settings = DefaultSettings { verbose: false, tol_gap_abs: tight, tol_gap_rel: tight, tol_feas: tight, ..Default::default() };
    let mut solver = DefaultSolver::new(&hessian, &vec![0.0; unknowns], &matrix, &right, &cones, settings).unwrap();
    solver.solve();
    assert!(matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved), "{:?}", solver.solution.status);
    solver.solution.x[..stresses].chunks(6).map(|s| UNIT * Vector6::from_column_slice(s)).collect()
}

/// Blocks of grains that cling together: stresses are the least that hold them inside of what they bear, whether many of them are at its bounds or none.
#[test]
fn another_solver_finds_the_same_stresses() {
    let cases = [
        (15.0, 950.0, 0.3, true, None),
        (30.0, 650.0, 0.5, true, None),
        (30.0, 1e4, 0.0, false, None),
        (30.0, 800.0, 0.5, true, Some("plane")),
    ];
    for (friction_angle, cohesion, friction, bound, matched) in cases {
        let points = lattice([4, 6, 4], 0.0);
        let mut block = Particles::sand(&points, friction_angle);
        let sand = json!({ "young": YOUNG, "poisson": POISSON, "friction_angle": friction_angle, "cohesion": cohesion });
        block.scene["bodies"][0]["as"]["particles"]["sand"] = sand;
        matched.iter().for_each(|matched| block.scene["bodies"][0]["as"]["particles"]["sand"]["matched"] = json!(matched));
        block.floor(friction);
        let (simulation, report) = block.initialised(Method::SagFree);
        assert!(report.outcome.holds && report.residual.after < 1e-9, "{:?} {:?}", report.outcome, report.residual);
        // Klar et al. 2016, or where the third principal stress is the mean of the others; of both strengths the share is used that the report tells.
        let share = report.contact.friction_used.unwrap();
        let (sine, cosine) = f64::to_radians(friction_angle).sin_cos();
        let of = share * if matched.is_some() { 2.0_f64.sqrt() / 6.0 } else { (2.0_f64 / 3.0).sqrt() / (3.0 - sine) };
        // Kirchhoff's stresses are so many times Cauchy's at the tip of the cone, where the trace of the former is 3 c cot phi.
        let most = (3.0 * cohesion * cosine / sine * (1.0 - 2.0 * POISSON) / YOUNG).exp();
        let cone = Cone { slope: 2.0 * sine * of, size: 6.0 * cohesion * cosine * of / most };
        let elements = &simulation.system.points().unwrap().elements;
        let expected = oracle((&points, false), elements[0].volume, &cone, share * friction);
        let (at_bounds, off) = compared(&simulation, &expected, &cone);
        println!("{friction_angle} degrees, {cohesion} Pa: {at_bounds} at their bounds, stresses {off:.1e} apart, gap {:?}", report.gap);
        assert_eq!(at_bounds > 8, bound, "{at_bounds}");
        assert!(off < 1e-4, "{off:e}");
    }
}

/// How many points are at the bounds of what they bear, and how far stresses are from those of the other solver, over all of these.
fn compared(simulation: &Simulation, expected: &[Vector6<f64>], cone: &Cone) -> (usize, f64) {
    let elements = &simulation.system.points().unwrap().elements;
    let found: Vec<Vector6<f64>> = elements.iter().map(|point| coordinates(&point.cauchy_stress(&point.given_gradient))).collect();
    let is_at_bounds = |s: &&Vector6<f64>| {
        let s = tensor(s.as_slice());
        let trace = s.trace();
        (s - Mat3::from_diagonal_element(trace / 3.0)).norm() > 0.999 * (cone.size - cone.slope * trace)
    };
    let apart: f64 = found.iter().zip(expected).map(|(a, b)| (a - b).norm_squared()).sum();
    let all: f64 = expected.iter().map(Vector6::norm_squared).sum();
    (expected.iter().filter(is_at_bounds).count(), (apart / all).sqrt())
}

/// The same of metal, whose changes of volume are by cells and not by points, and the other way round.
#[test]
fn another_solver_finds_the_same_stresses_of_shared_volumes() {
    for (yield_stress, by, bound) in [(2250.0, None, true), (2250.0, Some("point"), true), (1e5, Some("cell"), false)] {
        let points = lattice([4, 6, 4], 0.0);
        let mut block = Particles::metal(&points, yield_stress);
        block.scene["bodies"][0]["as"]["particles"]["metal"]["young"] = json!(1e3 * YOUNG);
        by.iter().for_each(|by| block.scene["bodies"][0]["as"]["particles"]["volume_by"] = json!(by));
        block.floor(0.5);
        let (simulation, report) = block.initialised(Method::SagFree);
        assert!(report.outcome.holds && report.residual.after < 1e-9, "{:?} {:?}", report.outcome, report.residual);
        let share = report.contact.friction_used.unwrap();
        let cone = Cone { slope: 0.0, size: share * (2.0_f64 / 3.0).sqrt() * yield_stress };
        let volume = simulation.system.points().unwrap().elements[0].volume;
        let [same, other] = [by != Some("point"), by == Some("point")]
            .map(|shares_volume| compared(&simulation, &oracle((&points, shares_volume), volume, &cone, share * 0.5), &cone));
        println!("{yield_stress} Pa, {by:?}: {} at their bounds, stresses {:.1e} apart, and {:.1e} otherwise", same.0, same.1, other.1);
        assert_eq!(same.0 > 8, bound, "{}", same.0);
        assert!(same.1 < 1e-4 && other.1 > 1e-2, "{:e} {:e}", same.1, other.1);
    }
}
