//! Random networks of springs: what balances them, against other solvers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::spring_scene::{Springs, field};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::Method;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, ZeroConeT};
use nalgebra::{DMatrix, DVector};
use serde_json::{Value, json};

const GRAVITY: f64 = 9.81;

/// A network of springs, some of its vertices held.
struct Network {
    x: Vec<Vec3>,
    edges: Vec<[usize; 2]>,
    held: Vec<usize>,
}

impl Network {
    fn random(random: &mut Random) -> Self {
        let n = 4 + below(random, 12);
        let flat = random.uniform(0.0, 1.0) < 0.3;
        let x: Vec<Vec3> = (0..n).map(|_| random.vector(-1.0, 1.0)).map(|p| if flat { Vec3::new(p.x, 0.0, p.z) } else { p }).collect();
        let mut edges: Vec<[usize; 2]> = (1..n).map(|v| [v - 1, v]).collect();
        for _ in 0..below(random, 4 * n) {
            let [a, b] = [below(random, n), below(random, n)];
            if a != b && !edges.contains(&[a.min(b), a.max(b)]) {
                edges.push([a.min(b), a.max(b)]);
            }
        }
        // As bodies of springs have them.
        edges.iter_mut().for_each(|ends| ends.sort_unstable());
        edges.sort_unstable();
        let held = (0..1 + below(random, n - 1)).map(|_| below(random, n)).collect();
        Self { x, edges, held }
    }

    /// A few vertices strung up in a box between its corners, or some of these.
    fn strung(random: &mut Random) -> Self {
        let corner = |k: usize| Vec3::from([1, 2, 4].map(|bit| if k & bit == 0 { -1.5 } else { 1.5 }));
        let free = 1 + below(random, 5);
        let x: Vec<Vec3> = (0..8).map(corner).chain((0..free).map(|_| random.vector(-1.0, 1.0))).collect();
        let likely = random.uniform(0.3, 1.0);
        let pairs = (0..x.len()).flat_map(|a| (a + 1..x.len()).map(move |b| [a, b]));
        // No vertex is left without an edge.
        let edges = pairs.filter(|[a, b]| *b >= 8 && (*b == 8 || *a == b % 8 || random.uniform(0.0, 1.0) < likely)).collect();
        Self { x, edges, held: (0..8).collect() }
    }

    /// The forces of unit tensions on the coordinates of the free vertices, and the weights of these.
    fn equations(&self) -> (DMatrix<f64>, DVector<f64>) {
        let free: Vec<usize> = (0..self.x.len()).filter(|v| !self.held.contains(v)).collect();
        let mut forces = DMatrix::zeros(3 * free.len(), self.edges.len());
        for (e, &[a, b]) in self.edges.iter().enumerate() {
            let along = (self.x[b] - self.x[a]).normalize();
            for (row, v) in free.iter().enumerate().filter(|(_, v)| [a, b].contains(v)) {
                forces.fixed_view_mut::<3, 1>(3 * row, e).copy_from(&(if *v == a { along } else { -along }));
            }
        }
        (forces, DVector::from_fn(3 * free.len(), |row, _| if row % 3 == 1 { -1.0 } else { 0.0 }))
    }

    /// The scene, with a mass of `MASS` at each vertex.
    fn springs(&self, mut settings: Value) -> Springs {
        let vertices = self.x.iter().map(|p| format!("v {} {} {}\n", p.x, p.y, p.z));
        let obj: String = vertices.chain(self.edges.iter().map(|[a, b]| format!("l {} {}\n", a + 1, b + 1))).collect();
        settings["mass"] = json!({ "per_node": MASS });
        let mut springs = Springs::new(&obj, settings, json!({ "vertices": self.held }));
        springs.scene["contact"] = json!({ "self_contact": false });
        springs.scene["initialise"] = json!({ "stiffen_up_to": 1e6 });
        springs
    }
}

/// Mass of a vertex of a [`Network`] [kg].
const MASS: f64 = 0.02;

fn below(random: &mut Random, n: usize) -> usize {
    (random.uniform(0.0, n as f64) as usize).min(n - 1)
}

/// Another solver: the numbers s >= 0 with sum 1/2 `squares` s^2 + `linear` s least among those with `forces` s + `weight` = 0.
fn least(forces: &DMatrix<f64>, weight: &DVector<f64>, squares: &[f64], linear: &[f64]) -> DefaultSolver<f64> {
    let (rows, columns) = forces.shape();
    let entries = (0..columns).flat_map(|e| (0..rows).map(move |r| (r, e))).filter(|&at| forces[at] != 0.0);
    let bounds = (0..columns).map(|e| (rows + e, e));
    let (i, j): (Vec<usize>, Vec<usize>) = entries.clone().chain(bounds).unzip();
    let values = entries.map(|at| forces[at]).chain(std::iter::repeat_n(-1.0, columns)).collect();
    let matrix = CscMatrix::new_from_triplets(rows + columns, columns, i, j, values);
    let diagonal = (0..columns).collect::<Vec<usize>>();
    let objective = CscMatrix::new_from_triplets(columns, columns, diagonal.clone(), diagonal, squares.to_vec());
    let right: Vec<f64> = weight.iter().map(|w| -w).chain(std::iter::repeat_n(0.0, columns)).collect();
    let tight = 1e-10;
    let settings = DefaultSettings { verbose: false, tol_gap_abs: tight, tol_gap_rel: tight, tol_feas: tight, ..Default::default() };
    let cones = [ZeroConeT(rows), NonnegativeConeT(columns)];
    let mut solver = DefaultSolver::new(&objective, linear, &matrix, &right, &cones, settings).unwrap();
    solver.solve();
    solver
}

/// Random networks, held anywhere: in balance where least squares on the directions of the springs leave nothing, and a mechanism where not.
#[test]
fn balance_is_decided_as_by_least_squares() {
    let (mut random, mut decided) = (Random::new(5), [0; 2]);
    for _ in 0..60 {
        let network = Network::random(&mut random);
        let (forces, weight) = network.equations();
        let tensions = forces.clone().svd(true, true).solve(&-&weight, 1e-9).unwrap();
        let left = (&forces * tensions + &weight).amax();
        let (_, report) = network.springs(json!({ "stiffness": 300.0 })).initialised(Method::SagFree);
        let codes: Vec<Value> = report.infeasible.iter().map(|found| serde_json::to_value(found.code).unwrap()).collect();
        assert_eq!(report.residual.balanced, left < 1e-9, "{left:e} {:?}", report.residual);
        assert!(codes.is_empty() == report.residual.balanced && codes.iter().all(|code| code == "mechanism"), "{codes:?}");
        decided[usize::from(report.residual.balanced)] += 1;
    }
    assert!(decided.iter().all(|count| *count > 5), "{decided:?}");
}

/// Springs that only pull: the pulls that another solver of quadratic programs finds, and where there are none, that is said and proven.
#[test]
fn pulls_are_those_of_another_solver() {
    let (mut random, mut decided) = (Random::new(11), [0; 2]);
    for _ in 0..120 {
        let network = if random.uniform(0.0, 1.0) < 0.5 { Network::random(&mut random) } else { Network::strung(&mut random) };
        let (forces, weight) = network.equations();
        let (rows, columns) = forces.shape();
        if rows == 0 {
            continue;
        }
        // In some, beside a tension that is wished for, in weights of a vertex.
        let (stiffness, strain) = (3e4, [0.0, 2e-5][decided.iter().sum::<usize>() % 2]);
        let length = |&[a, b]: &[usize; 2]| (network.x[b] - network.x[a]).norm();
        let wanted = network.edges.iter().map(|edge| -strain * stiffness * length(edge) / (MASS * GRAVITY)).collect::<Vec<f64>>();
        let solver = least(&forces, &weight, &vec![1.0; columns], &wanted);
        let mut springs = network.springs(json!({ "stiffness": stiffness, "only_pull": true }));
        springs.scene["initialise"]["tension"] = json!(strain);
        let (simulation, report) = springs.initialised(Method::SagFree);
        let codes: Vec<Value> = report.infeasible.iter().map(|found| serde_json::to_value(found.code).unwrap()).collect();
        match solver.solution.status {
            SolverStatus::Solved | SolverStatus::AlmostSolved => {
                assert!(report.residual.balanced, "{:?} {codes:?}", report.residual);
                let tension = field(&simulation, "tension");
                let unit = MASS * GRAVITY;
                let largest = solver.solution.x.iter().copied().fold(0.0, f64::max);
                for (own, other) in tension.iter().zip(&solver.solution.x) {
                    assert!(*own > -1e-7 * unit && (own / unit - other).abs() < 1e-3 * largest.max(1.0), "{own} for {}", other * unit);
                }
                decided[1] += 1;
            }
            SolverStatus::PrimalInfeasible => {
                assert!(!report.residual.balanced, "{:?}", report.residual);
                assert!(codes.iter().all(|code| code == "mechanism" || code == "only_pulls"), "{codes:?}");
                decided[0] += usize::from(codes.iter().any(|code| code == "only_pulls"));
            }
            _ => {}
        }
    }
    assert!(decided.iter().all(|count| *count > 8), "{decided:?}");
}

/// Where pushes count more than pulls, also beside a tension that is wished for: the forces that another solver finds, of which pulls and
/// pushes are unknowns of their own.
#[test]
fn pushes_that_count_more_are_those_of_another_solver() {
    let (mut random, mut compared, mut fewer) = (Random::new(23), 0, 0);
    let stiffness = 3e3;
    for round in 0..80 {
        let network = if round % 2 == 0 { Network::random(&mut random) } else { Network::strung(&mut random) };
        let (forces, weight) = network.equations();
        let (push_weight, strain) = ([3.0, 100.0, 1e4][round % 3], [0.0, 1e-3, -1e-3][round % 4 % 3]);
        let initialised = |push_weight: f64| {
            let mut springs = network.springs(json!({ "stiffness": stiffness }));
            springs.scene["initialise"]["push_weight"] = json!(push_weight);
            springs.scene["initialise"]["tension"] = json!(strain);
            springs.initialised(Method::SagFree)
        };
        let (simulation, report) = initialised(push_weight);
        if !report.residual.balanced || forces.nrows() == 0 {
            continue;
        }
        // In weights of a vertex; s is p - q.
        let unit = MASS * GRAVITY;
        let wanted: Vec<f64> =
            network.edges.iter().map(|&[a, b]| strain * stiffness * (network.x[b] - network.x[a]).norm() / unit).collect();
        let count = wanted.len();
        let split = DMatrix::from_fn(forces.nrows(), 2 * count, |r, e| if e < count { forces[(r, e)] } else { -forces[(r, e - count)] });
        let squares: Vec<f64> = (0..2 * count).map(|e| if e < count { 1.0 } else { push_weight }).collect();
        let linear: Vec<f64> = wanted.iter().map(|s| -s).chain(wanted.iter().copied()).collect();
        let solver = least(&split, &weight, &squares, &linear);
        assert!(matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved), "{:?}", solver.solution.status);
        let other: Vec<f64> = (0..count).map(|e| solver.solution.x[e] - solver.solution.x[count + e]).collect();
        let tension = field(&simulation, "tension");
        let largest = other.iter().fold(1.0, |largest: f64, s| largest.max(s.abs()));
        for (own, other) in tension.iter().zip(&other) {
            assert!((own / unit - other).abs() < 1e-4 * largest, "round {round}: {own} for {}", other * unit);
        }
        compared += 1;
        let pushing = |tension: &[f64]| -> f64 { tension.iter().map(|s| s.min(0.0).powi(2)).sum() };
        let (before, after) = (pushing(&field(&initialised(1.0).0, "tension")), pushing(&tension));
        assert!(after <= before * (1.0 + 1e-9), "{before} {after}");
        fewer += usize::from(after < 0.9 * before);
    }
    assert!(compared > 30 && fewer > 10, "{compared} {fewer}");
}
