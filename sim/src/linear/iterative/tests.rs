//! Every method against dense matrices and against one another.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::spectrum::Spectrum;
use super::*;
use crate::linear::pattern::Couplings;
use crate::linear::tests::{Clamped, slides, stencils};
use crate::linear::{LinearSystem, SOLVERS, SolveReport, SolverChoice};
use crate::math::Mat3;

/// A dense symmetric matrix in a system in which every node is coupled to every other.
struct Dense {
    matrix: DMatrix<f64>,
    pattern: Arc<NodeMatrixPattern>,
}

impl Dense {
    fn new(matrix: DMatrix<f64>) -> Self {
        let none: [Box<dyn Couplings>; 0] = [];
        let pattern = Arc::new(NodeMatrixPattern::new(&vec![true; matrix.nrows() / 3], &none));
        Self { matrix, pattern }
    }

    /// Of three unknowns.
    fn small(entries: [f64; 9]) -> Self {
        Self::new(DMatrix::from_row_slice(3, 3, &entries))
    }

    fn system(&self, choice: SolverChoice, options: IterationOptions) -> LinearSystem {
        let nodes = self.pattern.node_count() as u32;
        let pairs: Vec<[u32; 2]> = (0..nodes).flat_map(|row| (0..=row).map(move |column| [row, column])).collect();
        let block = |&[row, column]: &[u32; 2]| Mat3::from_fn(|i, j| self.matrix[(3 * row as usize + i, 3 * column as usize + j)]);
        let mut linear = LinearSystem::new(Arc::clone(&self.pattern), choice);
        linear.set_options(options);
        linear.prepare_pairs(&pairs);
        linear.assemble_pairs(&[], &vec![Mat3::zeros(); nodes as usize], &pairs, &pairs.iter().map(block).collect::<Vec<_>>(), &[]);
        linear
    }

    fn solve(&self, choice: SolverChoice, options: IterationOptions) -> (DVector<f64>, SolveReport) {
        let mut linear = self.system(choice, options);
        linear.factorize().unwrap();
        let mut x = right_side(self.pattern.node_count());
        let report = linear.solve(&mut x);
        (flat(&x), report)
    }

    /// |b - A x| / |b| by dense arithmetic.
    fn residual(&self, x: &DVector<f64>) -> f64 {
        let b = flat(&right_side(self.pattern.node_count()));
        (&b - &self.matrix * x).norm() / b.norm()
    }

    /// The matrix in elimination order.
    fn in_order(&self, linear: &LinearSystem) -> DMatrix<f64> {
        let place = |k: usize| 3 * linear.pattern().order[k / 3] as usize + k % 3;
        DMatrix::from_fn(self.matrix.nrows(), self.matrix.ncols(), |i, j| self.matrix[(place(i), place(j))])
    }
}

fn right_side(nodes: usize) -> Vec<Vec3> {
    (0..nodes).map(|i| Vec3::new(1.0, (i as f64).cos(), 0.3 * i as f64 + 0.5)).collect()
}

fn flat(x: &[Vec3]) -> DVector<f64> {
    DVector::from_iterator(3 * x.len(), x.iter().flat_map(|x| [x.x, x.y, x.z]))
}

fn positive_definite(nodes: usize, shift: f64) -> DMatrix<f64> {
    let n = 3 * nodes;
    let root = DMatrix::from_fn(n, n, |i, j| (1.3 * i as f64 + 0.7 * (j * j) as f64 + 0.2).sin());
    root.tr_mul(&root) / 10.0 + shift * DMatrix::identity(n, n)
}

/// Springs between neighbours on a line and weak springs to the ground: nearly 1 for the spectral radius of Jacobi's iteration.
fn chain(nodes: usize) -> DMatrix<f64> {
    DMatrix::from_fn(3 * nodes, 3 * nodes, |i, j| match i.abs_diff(j) {
        0 => 2.05,
        1 => -1.0,
        _ => 0.0,
    })
}

/// The choices of one method alone.
fn methods() -> impl Iterator<Item = SolverChoice> {
    SOLVERS.iter().filter(|entry| entry.is_alone).map(|entry| entry.choice)
}

fn within(max_iterations: u32) -> IterationOptions {
    IterationOptions { max_iterations, ..IterationOptions::default() }
}

#[test]
fn every_choice_has_one_entry_with_the_name_that_scenes_use() {
    for entry in SOLVERS {
        assert!(std::ptr::eq(entry.choice.entry(), entry), "{}", entry.name);
        assert_eq!(serde_json::to_value(entry.choice).unwrap(), entry.name);
        assert!([entry.label, entry.description, entry.remedy].iter().all(|text| !text.is_empty()));
    }
    let schema = serde_json::to_value(schemars::schema_for!(SolverChoice)).unwrap();
    let in_schema: Vec<&str> = schema["oneOf"].as_array().unwrap().iter().filter_map(|variant| variant["const"].as_str()).collect();
    let (last, names) = in_schema.split_last().unwrap();
    assert_eq!(names, SOLVERS.iter().map(|entry| entry.name).collect::<Vec<_>>());
    assert_eq!((*last, serde_json::from_value::<SolverChoice>("cholesky".into()).unwrap()), ("cholesky", SolverChoice::Direct));
    assert_eq!(SOLVERS[0].choice, SolverChoice::default());
}

/// The residual that is reported is |b - A x| / |b| of what is returned, whether it got there or not, and of a factorisation too.
#[test]
fn every_solver_reports_the_residual_of_its_solution() {
    let dense = Dense::new(positive_definite(5, 2.0));
    let exact = dense.matrix.clone().cholesky().unwrap().solve(&flat(&right_side(5)));
    for entry in SOLVERS {
        for most in [1, 7, 2000] {
            let (x, report) = dense.solve(entry.choice, within(most));
            let residual = dense.residual(&x);
            assert!((report.residual - residual).abs() < 1e-14 * (1.0 + residual), "{}: {report:?} and {residual:e}", entry.name);
            if report.is_solved() {
                assert!(residual <= 1.001e-8 && (&x - &exact).norm() < 1e-6 * exact.norm(), "{}", entry.name);
            }
            assert!(report.is_solved() || (entry.is_alone && most < 2000), "{} within {most}: {report:?}", entry.name);
            assert!(report.iterations <= most && (report.iterations > 0 || !entry.is_alone), "{}: {report:?}", entry.name);
        }
    }
}

/// The same elastic body with contacts, held and sliding nodes: every solver finds what the factorisation finds, and leaves what is held.
#[test]
fn every_solver_agrees_on_an_elastic_body_with_contacts_and_slides() {
    let clamped = Clamped::new([4, 3, 2], 1e5, 0.01);
    let (all, blocks) = stencils(&clamped, 12, 2);
    let solve = |choice: SolverChoice| {
        let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), choice);
        system.set_options(within(20_000));
        system.prepare(&all);
        system.assemble(&clamped.blocks, &clamped.diagonal, &all, &blocks, &slides(&clamped));
        system.factorize().unwrap();
        let mut x = clamped.load();
        // What pushes against the planes counts for nothing.
        slides(&clamped).iter().for_each(|(node, allowed)| x[*node as usize] += (Mat3::identity() - allowed) * Vec3::repeat(1e3));
        let report = system.solve(&mut x);
        (flat(&x), x, report)
    };
    let (direct, ..) = solve(SolverChoice::Direct);
    for entry in SOLVERS {
        let (flat, x, report) = solve(entry.choice);
        println!("{}: {} iterations, residual {:.1e}", entry.name, report.iterations, report.residual);
        assert!(report.is_solved() && report.residual < 1.01e-8, "{}: {report:?}", entry.name);
        assert!((&flat - &direct).norm() < 1e-6 * direct.norm(), "{}", entry.name);
        for (node, allowed) in slides(&clamped) {
            let across = (Mat3::identity() - allowed) * x[node as usize];
            assert!(across.norm() <= 1e-15 * x[node as usize].norm(), "{}: {across}", entry.name);
        }
        for (x, position) in x.iter().zip(&clamped.positions) {
            assert!(position.x > 0.0 || *x == Vec3::zeros(), "{}: a held node moves", entry.name);
        }
    }
}

/// [[1, .9, .9], [.9, 1, .9], [.9, .9, 1]] is positive definite, and the spectral radius of I - D^-1 A is 1.8: with alpha = 1 Jacobi's
/// method diverges, and that is told. With a smaller alpha, and by Gauss and Seidel, it is solved.
#[test]
fn jacobi_without_relaxation_diverges_where_no_diagonal_dominates_and_says_so() {
    let dense = Dense::small([1.0, 0.9, 0.9, 0.9, 1.0, 0.9, 0.9, 0.9, 1.0]);
    let relaxed = |relaxation, max_iterations| IterationOptions { relaxation, ..within(max_iterations) };
    for most in [3, 600] {
        let (x, report) = dense.solve(SolverChoice::Jacobi, relaxed(Some(1.0), most));
        assert_eq!(report.outcome, IterationOutcome::Diverged);
        assert!(report.residual > 1.0 && (report.residual / dense.residual(&x) - 1.0).abs() < 1e-9, "{report:?}");
    }
    // Of a single sweep nobody knows where it leads.
    assert_eq!(dense.solve(SolverChoice::Jacobi, relaxed(Some(1.0), 1)).1.outcome, IterationOutcome::OutOfIterations);
    // Larger by 1.8 in each iteration.
    let after = |most| dense.solve(SolverChoice::Jacobi, relaxed(Some(1.0), most)).1.residual;
    assert!((after(21) / after(20) - 1.8).abs() < 1e-3, "{}", after(21) / after(20));
    for (choice, relaxation) in [(SolverChoice::Jacobi, Some(0.7)), (SolverChoice::Jacobi, None), (SolverChoice::GaussSeidel, None)] {
        let report = dense.solve(choice, relaxed(relaxation, 600)).1;
        assert!(report.is_solved(), "{choice:?}: {report:?}");
    }
    let dominant = Dense::small([2.0, 0.9, 0.9, 0.9, 2.0, 0.9, 0.9, 0.9, 2.0]);
    assert!(dominant.solve(SolverChoice::Jacobi, relaxed(Some(1.0), 600)).1.is_solved());
}

/// One sweep of each is its formula: x = alpha D^-1 b, (D + L)^-1 b, (D + U)^-1 b; and the second is x + M^-1 r once more.
#[test]
fn sweeps_are_those_of_the_textbook() {
    let dense = Dense::new(positive_definite(4, 1.0));
    let system = dense.system(SolverChoice::Direct, within(1));
    let ordered = dense.in_order(&system);
    let b = right_side(4);
    let in_order = |x: &DVector<f64>| DVector::from_fn(12, |k, _| x[3 * system.pattern().order[k / 3] as usize + k % 3]);
    let b = in_order(&flat(&b));
    let parts = [
        (SolverChoice::Jacobi, DMatrix::from_diagonal(&(ordered.diagonal() / 0.6))),
        (SolverChoice::GaussSeidel, ordered.lower_triangle()),
        (SolverChoice::GaussSeidelBackward, ordered.upper_triangle()),
    ];
    for (choice, splitting) in parts {
        let inverse = splitting.try_inverse().unwrap();
        let mut expected = DVector::zeros(12);
        for sweeps in 1..4 {
            expected += &inverse * (&b - &ordered * &expected);
            let options = IterationOptions { relaxation: Some(0.6), tolerance: 1e-300, ..within(sweeps) };
            let x = in_order(&dense.solve(choice, options).0);
            assert!((&x - &expected).norm() < 1e-13 * expected.norm(), "{choice:?} after {sweeps}: {:e}", (x - &expected).norm());
        }
    }
}

/// Whatever the positive definite matrix, scaled as badly as one likes.
#[test]
fn gauss_and_seidel_converge_for_any_positive_definite_matrix() {
    for seed in 0..20 {
        let base = positive_definite(3, 0.3);
        let scale = DVector::from_fn(9, |i, _| 10f64.powi((i as i32 * (seed + 3)) % 5 - 2));
        let dense = Dense::new(DMatrix::from_diagonal(&scale) * base * DMatrix::from_diagonal(&scale));
        for choice in [SolverChoice::GaussSeidel, SolverChoice::GaussSeidelBackward] {
            let (x, report) = dense.solve(choice, within(20_000));
            assert!(report.is_solved() && dense.residual(&x) < 1.01e-8, "{choice:?}, {seed}: {report:?}");
        }
    }
}

/// No more iterations than unknowns, and a preconditioner takes fewer where rows and columns are scaled over decades.
#[test]
fn conjugate_gradients_end_within_the_unknowns_and_sooner_with_a_preconditioner() {
    let dense = Dense::new(positive_definite(6, 1.0));
    let report = dense.solve(SolverChoice::Cg, within(100)).1;
    assert!(report.is_solved() && report.iterations <= 18, "{report:?}");
    let clamped = Clamped::new([4, 3, 2], 1e5, 0.1);
    let count = |choice| {
        let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), choice);
        system.set_options(within(5000));
        let scale: Vec<f64> = (0..clamped.positions.len()).map(|n| 10f64.powi(n as i32 % 5 - 2)).collect();
        let diagonal: Vec<Mat3> = clamped.diagonal.iter().zip(&scale).map(|(block, s)| s * s * block).collect();
        system.prepare(&[]);
        system.assemble(&clamped.blocks, &diagonal, &[], &[], &[]);
        system.factorize().unwrap();
        let report = system.solve(&mut clamped.load());
        assert!(report.is_solved(), "{report:?}");
        report.iterations
    };
    let (without, with) = (count(SolverChoice::Cg), count(SolverChoice::Pcg));
    assert!(2 * with < without, "{with} < {without}");
}

/// With the true spectral radius it beats Jacobi's method by far; with less it is slower, with too much slower too, and from 1 on nothing
/// converges, which is told.
#[test]
fn chebyshev_beats_jacobi_and_depends_on_the_spectral_radius() {
    let dense = Dense::new(chain(30));
    let jacobi = DMatrix::identity(90, 90) - &dense.matrix / 2.05;
    let radius = jacobi.symmetric_eigenvalues().amax();
    let solve = |choice, spectral_radius| {
        let options = IterationOptions { relaxation: Some(1.0), spectral_radius, ..within(4000) };
        dense.solve(choice, options).1
    };
    let plain = solve(SolverChoice::Jacobi, None);
    let count = |share: f64| {
        let report = solve(SolverChoice::Chebyshev, Some(share * radius));
        assert!(report.is_solved(), "{share}: {report:?}");
        report.iterations
    };
    let (exact, less, much_less, more) = (count(1.0), count(0.99), count(0.9), count(1.0 + 0.9 * (1.0 / radius - 1.0)));
    let estimated = solve(SolverChoice::Chebyshev, None);
    println!(
        "rho {radius:.4}: Jacobi {}, exact {exact}, 0.99 {less}, 0.9 {much_less}, more {more}, estimated {}",
        plain.iterations, estimated.iterations
    );
    assert!(plain.is_solved() && 4 * exact < plain.iterations);
    assert!(exact < less && less < much_less && much_less < plain.iterations && exact < more);
    assert!(estimated.is_solved() && 3 * estimated.iterations < plain.iterations);
    let too_large = [1.05, 1.5].map(|radius| solve(SolverChoice::Chebyshev, Some(radius)));
    assert_eq!(too_large[0].outcome, IterationOutcome::Diverged, "{too_large:?}");
    // Far beyond 1 the residual swings about, and may be below 1 at any moment.
    assert!(!too_large[1].is_solved() && too_large[1].residual > 1e-3, "{too_large:?}");
}

/// The estimate lies within the spectrum of D^-1 A, and its upper end, with the margin, beyond it.
#[test]
fn the_ends_of_the_spectrum_are_estimated() {
    let check = |system: &LinearSystem, eigenvalues: &[f64], name: &str| {
        let lists = RowLists::new(system.pattern());
        let found = Spectrum::of(Rows { lists: &lists, pattern: system.pattern(), matrix: system.matrix() });
        let least = eigenvalues.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = eigenvalues.iter().copied().fold(0.0, f64::max);
        println!("{name}: {found:?} for {least:.5} to {largest:.5}");
        assert!(found.least > 0.999 * least && found.largest < 1.001 * largest && found.largest > 0.97 * largest, "{name}: {found:?}");
        assert!(found.relaxation() * largest < 2.0);
    };
    for (name, dense) in [("full", Dense::new(positive_definite(5, 0.5))), ("chain", Dense::new(chain(30)))] {
        let scale = dense.matrix.diagonal().map(|d| 1.0 / d.sqrt());
        let symmetric = DMatrix::from_diagonal(&scale) * &dense.matrix * DMatrix::from_diagonal(&scale);
        check(&dense.system(SolverChoice::Jacobi, within(1)), symmetric.symmetric_eigenvalues().as_slice(), name);
    }
    let identity = Dense::new(3.0 * DMatrix::identity(6, 6));
    check(&identity.system(SolverChoice::Jacobi, within(1)), &[1.0], "identity");
}

/// What is no positive definite matrix is refused where its diagonal tells; a zero right side has the zero solution.
#[test]
fn what_cannot_be_swept_is_refused() {
    for choice in methods() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let dense = Dense::small([1.0, 0.1, 0.1, 0.1, bad, 0.1, 0.1, 0.1, 1.0]);
            assert_eq!(dense.system(choice, within(10)).factorize().unwrap_err(), NotPositive { node: 0 }, "{choice:?}");
        }
        let mut linear = Dense::new(positive_definite(2, 1.0)).system(choice, within(10));
        linear.factorize().unwrap();
        let mut x = vec![Vec3::zeros(); 2];
        let report = linear.solve(&mut x);
        assert_eq!((report.residual, report.iterations, report.outcome), (0.0, 0, IterationOutcome::Converged), "{choice:?}");
        assert_eq!(x, [Vec3::zeros(); 2]);
    }
}

/// A chosen method is taken at its word: out of iterations, no factorisation takes its place.
#[test]
fn no_other_method_takes_the_place_of_the_chosen_one() {
    let dense = Dense::new(chain(10));
    for choice in methods() {
        let mut linear = dense.system(choice, within(3));
        linear.factorize().unwrap();
        let mut x = right_side(10);
        let report = linear.solve(&mut x);
        assert_eq!(report.outcome, IterationOutcome::OutOfIterations, "{choice:?}: {report:?}");
        assert!(report.residual < 1.0 && report.residual > 1e-8);
        let left = x.clone();
        assert!(linear.solve_completely(&mut x).is_none());
        assert_eq!((x, linear.counters().iterations, linear.counters().residual), (left, 3, report.residual));
    }
}
