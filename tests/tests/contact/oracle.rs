//! Contact in the global stage against an independent solver of conic programs (Clarabel: Goulart and Chen 2024).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

// The small scenes of the library's own tests.
#[allow(dead_code, reason = "used in part")]
#[path = "../../../sim/src/sag_free/scenes.rs"]
mod scenes;

use aplomb_sim::math::{Vec3, largest_norm};
use aplomb_sim::sag_free::BalanceProblem;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus, SupportedConeT};
use nalgebra::{DMatrix, DVector};
use scenes::{box_on_ground, box_on_slope, bridge, on_nodes, stack};

/// K and f over the coordinates of all nodes, in units of the largest load and of the median of K's diagonal.
fn dense(problem: &BalanceProblem) -> (DMatrix<f64>, DVector<f64>) {
    let size = 3 * problem.positions.len();
    let mut matrix = DMatrix::zeros(size, size);
    for (family, blocks) in problem.families.iter().zip(problem.compliance_blocks()) {
        let width = family.nodes_per_element();
        for (index, block) in blocks.iter().enumerate() {
            let (e, i, j) = (index / (width * width), index / width % width, index % width);
            let (row, column) = (family.nodes(e)[i] as usize, family.nodes(e)[j] as usize);
            let mut view = matrix.fixed_view_mut::<3, 3>(3 * row, 3 * column);
            view += block;
        }
    }
    let mut diagonal: Vec<f64> = matrix.diagonal().iter().copied().collect();
    diagonal.sort_by(f64::total_cmp);
    let unit = problem.largest_load();
    let load = DVector::from_iterator(size, problem.loads.iter().flat_map(|f| [f.x / unit, f.y / unit, f.z / unit]));
    (matrix / diagonal[size / 2], load)
}

/// A sparse copy of a dense matrix without the rows and columns that are left out.
fn sparse(matrix: &DMatrix<f64>, rows: &[usize], columns: &[usize], keep: impl Fn(usize, usize) -> bool) -> CscMatrix<f64> {
    let (mut i, mut j, mut v) = (Vec::new(), Vec::new(), Vec::new());
    for (c, &column) in columns.iter().enumerate() {
        for (r, &row) in rows.iter().enumerate().filter(|&(r, &row)| keep(r, c) && matrix[(row, column)] != 0.0) {
            i.push(r);
            j.push(c);
            v.push(matrix[(row, column)]);
        }
    }
    CscMatrix::new_from_triplets(rows.len(), columns.len(), i, j, v)
}

/// The least of 1/2 u . K u - f . u and the contact forces on the nodes [N], by the other solver.
fn oracle(problem: &BalanceProblem) -> (f64, Vec<Vec3>) {
    let (stiffness, load) = dense(problem);
    let mut rows: Vec<DVector<f64>> = Vec::new();
    let mut cones: Vec<SupportedConeT<f64>> = Vec::new();
    for site in problem.sites {
        // u_n >= mu |u_t| with any two tangents.
        let first = site.normal.cross(&Vec3::new(0.3, -0.5, 0.8)).normalize();
        let tangents = [first, site.normal.cross(&first)].map(|t| site.friction * t);
        let slippery = site.friction == 0.0;
        for direction in [site.normal, tangents[0], tangents[1]].iter().take(if slippery { 1 } else { 3 }) {
            let mut row = DVector::zeros(load.len());
            site.shares.iter().for_each(|(node, share)| row.fixed_rows_mut::<3>(3 * *node as usize).copy_from(&share.tr_mul(direction)));
            rows.push(row);
        }
        cones.push(if slippery { NonnegativeConeT(1) } else { SecondOrderConeT(3) });
    }
    let constraints = -DMatrix::from_columns(&rows).transpose();
    let free: Vec<usize> = (0..load.len()).filter(|i| problem.free[i / 3]).collect();
    let linear: Vec<f64> = free.iter().map(|&i| -load[i]).collect();
    let hessian = sparse(&stiffness, &free, &free, |r, c| r <= c);
    let every: Vec<usize> = (0..constraints.nrows()).collect();
    let matrix = sparse(&constraints, &every, &free, |_, _| true);
    let tight = 1e-10;
    let settings = DefaultSettings { verbose: false, tol_gap_abs: tight, tol_gap_rel: tight, tol_feas: tight, ..Default::default() };
    let zeros = vec![0.0; constraints.nrows()];
    let mut solver = DefaultSolver::new(&hessian, &linear, &matrix, &zeros, &cones, settings).unwrap();
    solver.solve();
    assert!(matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved), "{:?}", solver.solution.status);
    let multipliers = DVector::from_column_slice(&solver.solution.z);
    let on_coordinates = -constraints.transpose() * multipliers * problem.largest_load();
    let forces = (0..problem.positions.len())
        .map(|n| if problem.free[n] { on_coordinates.fixed_rows::<3>(3 * n).into_owned() } else { Vec3::zeros() })
        .collect();
    (solver.solution.obj_val, forces)
}

/// The same objective for given contact forces: -1/2 r . K^-1 r with all forces r that the elements must balance.
fn objective(problem: &BalanceProblem, contacts: &[Vec3]) -> f64 {
    let (mut stiffness, load) = dense(problem);
    let unit = problem.largest_load();
    let mut right = load + DVector::from_iterator(3 * contacts.len(), contacts.iter().flat_map(|f| [f.x / unit, f.y / unit, f.z / unit]));
    for i in (0..right.len()).filter(|i| !problem.free[i / 3]) {
        stiffness.row_mut(i).fill(0.0);
        stiffness.column_mut(i).fill(0.0);
        (stiffness[(i, i)], right[i]) = (1.0, 0.0);
    }
    // Rigid motions do no work on balanced forces: a little stiffness against them changes nothing.
    (0..right.len()).for_each(|i| stiffness[(i, i)] += 1e-9);
    let u = stiffness.cholesky().unwrap().solve(&right);
    -0.5 * right.dot(&u)
}

#[test]
fn another_solver_finds_the_same_forces() {
    let mut held = stack(&[[3, 2, 3], [2, 2, 2]], 0.3);
    held.fix(|x| x.y < 1e-9 && x.x < 0.11);
    let scenes = [
        ("box on the ground", box_on_ground([3, 2, 3], 0.5)),
        ("without friction", box_on_ground([3, 2, 2], 0.0)),
        ("slope", box_on_slope([4, 1, 3], 20.0, 0.38)),
        ("bridge", bridge([6, 2, 1], 0.7)),
        ("stack", stack(&[[2, 1, 2], [3, 1, 2], [2, 1, 1]], 0.5)),
        ("stack that is held", held),
    ];
    for (name, scene) in scenes {
        let assembled = scene.assembled();
        let problem = scene.problem(&assembled);
        let found = on_nodes(&problem, &scene.solve());
        let (least, expected) = oracle(&problem);
        let own = objective(&problem, &found);
        assert!((own - least).abs() < 1e-5 * least.abs(), "{name}: {own} for {least}");
        let difference: Vec<Vec3> = found.iter().zip(&expected).map(|(a, b)| a - b).collect();
        let error = largest_norm(&difference) / largest_norm(&expected);
        assert!(error < 1e-4, "{name}: {error}");
    }
}
