#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::{IterationOptions, IterationOutcome, LinearSystem, NodeMatrix, NodeMatrixPattern, SchurFactor, SolverChoice};
use crate::element::{Batch, Family, Tet};
use crate::material::registry::MATERIALS;
use crate::math::{Mat3, Vec3};
use crate::mesh::structured::{CubeCut, box_mesh};

/// A box of cubes of 0.1 m that is held at x = 0: element Hessians in its rest shape and inertia, for a time step.
pub struct Clamped {
    pub pattern: Arc<NodeMatrixPattern>,
    pub blocks: Vec<Vec<Mat3>>,
    pub diagonal: Vec<Mat3>,
    pub positions: Vec<Vec3>,
}

impl Clamped {
    pub fn new(cells: [usize; 3], young: f64, step_size: f64) -> Self {
        let size = Vec3::new(cells[0] as f64, cells[1] as f64, cells[2] as f64) / 10.0;
        let (positions, tets) = box_mesh(size, cells, CubeCut::Five);
        let material = (MATERIALS.iter().find(|law| law.name == "neo_hookean").unwrap().build)(young, 0.3);
        let elements = tets.iter().map(|t| Tet::new(material.clone(), &t.map(|n| positions[n as usize])).unwrap()).collect();
        let mut blocks = vec![vec![Mat3::zeros(); 16 * tets.len()]];
        let families = vec![Box::new(Batch::new(elements, tets)) as Box<dyn Family>];
        families[0].hessian_blocks(&positions, true, &mut blocks[0]);
        let free: Vec<bool> = positions.iter().map(|x| x.x > 0.0).collect();
        let inertia = 1000.0 * 1e-3 / (step_size * step_size);
        Self {
            pattern: Arc::new(NodeMatrixPattern::new(&free, &families)),
            blocks,
            diagonal: vec![Mat3::from_diagonal_element(inertia); positions.len()],
            positions,
        }
    }

    /// Irregular numbers, the same in every run.
    pub fn load(&self) -> Vec<Vec3> {
        let number = |i: usize, k: f64| (i as f64 * 0.73 + k).sin() + 0.2 * (i as f64 * 2.17 * k).cos();
        (0..self.positions.len()).map(|i| Vec3::new(number(i, 1.0), number(i, 2.0), number(i, 3.0))).collect()
    }
}

/// Stencils between the far face and nodes in the middle, and their blocks: stiff springs in irregular directions.
pub fn stencils(clamped: &Clamped, count: usize, seed: usize) -> (Vec<[u32; 4]>, Vec<[[Mat3; 4]; 4]>) {
    let nodes = clamped.positions.len();
    let mut all = Vec::new();
    let mut blocks = Vec::new();
    for s in 0..count {
        let pick = |k: usize| ((s + seed) * 37 + k * (nodes / 5 + 3) + k * k) % nodes;
        let used = 2 + s % 3;
        let chosen: Vec<u32> = (0..used).map(|k| pick(k) as u32).collect();
        if (1..used).any(|k| chosen[..k].contains(&chosen[k])) {
            continue;
        }
        let direction = Vec3::new((s as f64).sin(), (s as f64 * 1.7).cos(), 0.3).normalize();
        let weights = [1.0, -0.5, -0.3, -0.2];
        let mut stencil = [u32::MAX; 4];
        stencil[..used].copy_from_slice(&chosen);
        all.push(stencil);
        blocks.push(std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let weight = if i < used && j < used { 1e4 * weights[i] * weights[j] } else { 0.0 };
                weight * direction * direction.transpose()
            })
        }));
    }
    (all, blocks)
}

/// The same sum as a dense matrix over all nodes; rows and columns of held nodes are those of the identity.
fn dense(clamped: &Clamped, families_nodes: &[[u32; 4]], all: &[[u32; 4]], blocks: &[[[Mat3; 4]; 4]]) -> DMatrix<f64> {
    let n = clamped.positions.len();
    let mut matrix = DMatrix::zeros(3 * n, 3 * n);
    let mut add = |i: u32, j: u32, block: &Mat3| {
        let mut view = matrix.fixed_view_mut::<3, 3>(3 * i as usize, 3 * j as usize);
        view += block;
    };
    for (nodes, block) in families_nodes.iter().zip(clamped.blocks[0].chunks_exact(16)) {
        for (i, &row) in nodes.iter().enumerate() {
            for (j, &column) in nodes.iter().enumerate() {
                add(row, column, &block[4 * i + j]);
            }
        }
    }
    for (i, block) in clamped.diagonal.iter().enumerate() {
        add(i as u32, i as u32, block);
    }
    for (nodes, block) in all.iter().zip(blocks) {
        for (i, &row) in nodes.iter().enumerate().filter(|(_, n)| **n != u32::MAX) {
            for (j, &column) in nodes.iter().enumerate().filter(|(_, n)| **n != u32::MAX) {
                add(row, column, &block[i][j]);
            }
        }
    }
    for (i, x) in clamped.positions.iter().enumerate() {
        if x.x == 0.0 {
            for k in 3 * i..3 * i + 3 {
                matrix.row_mut(k).fill(0.0);
                matrix.column_mut(k).fill(0.0);
                matrix[(k, k)] = 1.0;
            }
        }
    }
    matrix
}

fn tets(cells: [usize; 3]) -> Vec<[u32; 4]> {
    box_mesh(Vec3::repeat(1.0), cells, CubeCut::Five).1
}

/// Right side with zeros on held nodes, as the dense matrix wants it.
fn column(clamped: &Clamped, load: &[Vec3]) -> DVector<f64> {
    let entries = load.iter().zip(&clamped.positions).flat_map(|(f, x)| if x.x > 0.0 { [f.x, f.y, f.z] } else { [0.0; 3] });
    DVector::from_iterator(3 * load.len(), entries)
}

fn difference(x: &[Vec3], reference: &DVector<f64>) -> f64 {
    let error: f64 = x.iter().enumerate().map(|(i, x)| (x - reference.fixed_rows::<3>(3 * i)).norm_squared()).sum();
    error.sqrt() / reference.norm()
}

#[test]
fn contacts_that_come_and_go_are_solved_like_the_dense_matrix() {
    let cells = [4, 3, 2];
    let clamped = Clamped::new(cells, 1e5, 0.01);
    let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Direct);
    for (count, seed) in [(0, 0), (12, 0), (20, 5), (12, 0), (60, 11), (0, 0)] {
        let (mut all, blocks) = stencils(&clamped, count, seed);
        // The two sides of a folded sheet may share a corner.
        all.iter_mut().step_by(3).filter(|nodes| nodes[2] != u32::MAX).for_each(|nodes| nodes[2] = nodes[0]);
        system.prepare(&all);
        system.assemble(&clamped.blocks, &clamped.diagonal, &all, &blocks, &[]);
        system.factorize().unwrap();
        let load = clamped.load();
        let mut x = load.clone();
        system.solve(&mut x);
        let reference = dense(&clamped, &tets(cells), &all, &blocks).cholesky().unwrap().solve(&column(&clamped, &load));
        assert!(difference(&x, &reference) < 1e-11, "{}", difference(&x, &reference));
    }
}

#[test]
fn a_contact_that_flickers_makes_no_new_pattern() {
    let clamped = Clamped::new([4, 3, 2], 1e5, 0.01);
    let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Direct);
    let (all, _) = stencils(&clamped, 10, 0);
    system.prepare(&all);
    assert_eq!(system.counters().rebuilds, 1);
    for _ in 0..5 {
        system.prepare(&[]);
        system.prepare(&all[2..5]);
        system.prepare(&all);
    }
    assert_eq!(system.counters().rebuilds, 1);
}

#[test]
fn couplings_that_are_long_gone_leave_the_pattern() {
    let clamped = Clamped::new([4, 3, 2], 1e5, 0.01);
    let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Direct);
    let (old, _) = stencils(&clamped, 30, 0);
    system.prepare(&old);
    for _ in 0..100 {
        system.prepare(&[]);
    }
    let (new, _) = stencils(&clamped, 30, 50);
    system.prepare(&new);
    let mut fresh = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Direct);
    fresh.prepare(&new);
    assert_eq!(system.pattern().blocks(), fresh.pattern().blocks());
    assert!(fresh.pattern().blocks() > clamped.pattern.blocks());
}

pub fn slides(clamped: &Clamped) -> Vec<(u32, Mat3)> {
    // 3 x + 4 y = const. on a few nodes, y = const. on others.
    let oblique = Vec3::new(3.0, 4.0, 0.0).normalize();
    let last = clamped.positions.len() as u32 - 1;
    let hold = |n: Vec3| Mat3::identity() - n * n.transpose();
    vec![(7, hold(oblique)), (8, hold(Vec3::y())), (last - 1, hold(oblique)), (last, hold(Vec3::y()))]
}

/// A node that slips along a plane: 3x + 4y stays constant, y stays constant, the pattern stays as it is.
#[test]
fn slip_keeps_to_its_plane_and_to_the_pattern() {
    let clamped = Clamped::new([4, 3, 2], 1e5, 0.01);
    let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Direct);
    let (all, blocks) = stencils(&clamped, 15, 3);
    system.prepare(&all);
    let before = system.pattern().blocks();
    let slides = slides(&clamped);
    system.assemble(&clamped.blocks, &clamped.diagonal, &all, &blocks, &slides);
    system.factorize().unwrap();
    let mut x = clamped.load();
    system.solve(&mut x);
    assert_eq!(system.pattern().blocks(), before);
    let largest = x.iter().map(|x| x.norm()).fold(0.0, f64::max);
    for (node, projector) in &slides {
        let moved = x[*node as usize];
        assert!(moved.norm() > 1e-3 * largest, "it slides");
        if *projector == Mat3::identity() - Vec3::y() * Vec3::y().transpose() {
            assert_eq!(moved.y, 0.0);
        } else {
            assert!((3.0 * moved.x + 4.0 * moved.y).abs() < 1e-14 * largest);
        }
    }
}

/// The projected system has the solution of V^T H V y = V^T b, x = V y, with V an orthonormal basis of what may move.
#[test]
fn slip_is_the_reduced_system_of_an_orthonormal_basis() {
    let cells = [4, 3, 2];
    let clamped = Clamped::new(cells, 1e5, 0.01);
    let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Direct);
    let (all, blocks) = stencils(&clamped, 15, 3);
    let slides = slides(&clamped);
    system.prepare(&all);
    system.assemble(&clamped.blocks, &clamped.diagonal, &all, &blocks, &slides);
    system.factorize().unwrap();
    let load = clamped.load();
    let mut x = load.clone();
    system.solve(&mut x);

    let matrix = dense(&clamped, &tets(cells), &all, &blocks);
    let n = matrix.nrows();
    let mut columns: Vec<DVector<f64>> = Vec::new();
    for node in 0..clamped.positions.len() {
        let slide = slides.iter().find(|(slide, _)| *slide as usize == node);
        let directions: Vec<Vec3> = match slide {
            None => vec![Vec3::x(), Vec3::y(), Vec3::z()],
            Some((_, projector)) => {
                let along = (projector * Vec3::new(0.3, 0.7, 0.0)).normalize();
                let along = if along.norm() > 0.5 { along } else { Vec3::x() };
                vec![along, Vec3::z()]
            }
        };
        for direction in directions {
            let mut column = DVector::zeros(n);
            column.fixed_rows_mut::<3>(3 * node).copy_from(&direction);
            columns.push(column);
        }
    }
    let basis = DMatrix::from_columns(&columns);
    let reduced = basis.transpose() * &matrix * &basis;
    let y = reduced.cholesky().unwrap().solve(&(basis.transpose() * column(&clamped, &load)));
    assert!(difference(&x, &(basis * y)) < 1e-11);
}

#[test]
fn an_indefinite_matrix_is_refused_with_its_node() {
    let mut clamped = Clamped::new([3, 2, 2], 1e5, 0.01);
    let last = clamped.positions.len() - 1;
    clamped.diagonal[last] = Mat3::from_diagonal_element(-1e9);
    let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Direct);
    system.prepare(&[]);
    system.assemble(&clamped.blocks, &clamped.diagonal, &[], &[], &[]);
    assert!(system.factorize().is_err());
    clamped.diagonal[last] = Mat3::from_diagonal_element(f64::NAN);
    system.assemble(&clamped.blocks, &clamped.diagonal, &[], &[], &[]);
    assert!(system.factorize().is_err());
}

#[test]
fn the_same_numbers_come_out_of_any_number_of_threads() {
    let clamped = Clamped::new([8, 6, 5], 1e5, 0.01);
    let (all, blocks) = stencils(&clamped, 40, 1);
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Direct);
            system.prepare(&all);
            system.assemble(&clamped.blocks, &clamped.diagonal, &all, &blocks, &slides(&clamped));
            system.factorize().unwrap();
            let mut x = clamped.load();
            system.solve(&mut x);
            x
        })
    };
    let one = solve(1);
    assert_eq!(one, solve(2));
    assert_eq!(one, solve(3));
}

#[test]
fn conjugate_gradients_and_factor_agree() {
    let clamped = Clamped::new([9, 5, 5], 1e6, 0.01);
    assert!(clamped.pattern.is_factorisable());
    let (all, blocks) = stencils(&clamped, 40, 2);
    let solve = |choice: SolverChoice| {
        let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), choice);
        system.prepare(&all);
        system.assemble(&clamped.blocks, &clamped.diagonal, &all, &blocks, &slides(&clamped));
        system.factorize().unwrap();
        let mut x = clamped.load();
        // What pushes against the planes counts for nothing.
        slides(&clamped).iter().for_each(|(node, allowed)| x[*node as usize] += (Mat3::identity() - allowed) * Vec3::repeat(1e9));
        let report = system.solve(&mut x);
        assert!(system.counters().solve_seconds > 0.0);
        (x, report)
    };
    let (direct, _) = solve(SolverChoice::Direct);
    let (iterated, report) = solve(SolverChoice::Pcg);
    assert!(report.is_solved() && report.iterations > 1 && report.residual < 2e-8);
    let size: f64 = direct.iter().map(|x| x.norm_squared()).sum::<f64>().sqrt();
    let error: f64 = direct.iter().zip(&iterated).map(|(a, b)| (a - b).norm_squared()).sum::<f64>().sqrt();
    assert!(error < 1e-6 * size, "{}", error / size);
}

#[test]
fn conjugate_gradients_that_stall_give_way_to_a_factor() {
    let cells = [4, 3, 2];
    let clamped = Clamped::new(cells, 1e6, 0.1);
    let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Pcg);
    system.set_options(IterationOptions { tolerance: 1e-13, max_iterations: 3, ..IterationOptions::default() });
    system.prepare(&[]);
    system.assemble(&clamped.blocks, &clamped.diagonal, &[], &[], &[]);
    system.factorize().unwrap();
    let load = clamped.load();
    let mut x = load.clone();
    system.solve(&mut x);
    let reference = dense(&clamped, &tets(cells), &[], &[]).cholesky().unwrap().solve(&column(&clamped, &load));
    assert!(difference(&x, &reference) < 1e-11);
    assert_eq!(system.counters().iterations, 3);
}

/// Where there was no memory for a factor it is told that nothing is solved; where there is some again, the same right side is solved.
#[test]
fn what_is_left_unsolved_is_told_and_solved_when_asked() {
    let cells = [4, 3, 2];
    let clamped = Clamped::new(cells, 1e6, 0.1);
    let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Pcg);
    system.set_options(IterationOptions { tolerance: 1e-13, max_iterations: 3, ..IterationOptions::default() });
    system.set_most_entries(0);
    system.prepare(&[]);
    system.assemble(&clamped.blocks, &clamped.diagonal, &[], &[], &[]);
    system.factorize().unwrap();
    let load = clamped.load();
    let mut x = load.clone();
    let report = system.solve(&mut x);
    assert_eq!(report.outcome, IterationOutcome::OutOfIterations, "{report:?}");
    let left = x.clone();
    assert!(system.solve_completely(&mut x).is_none());
    assert_eq!(x, left);
    system.set_most_entries(usize::MAX);
    assert!(system.solve_completely(&mut x).unwrap().residual < 1e-13);
    let reference = dense(&clamped, &tets(cells), &[], &[]).cholesky().unwrap().solve(&column(&clamped, &load));
    assert!(difference(&x, &reference) < 1e-11 && difference(&left, &reference) > 1e-6);
    // The factor stays in use.
    let (mut again, iterations) = (load, system.counters().iterations);
    let report = system.solve(&mut again);
    assert!(report.is_solved() && difference(&again, &reference) < 1e-11, "{report:?}");
    assert_eq!(system.counters().iterations, iterations);
}

/// Where every node is coupled to every other there is no fill to leave out: one iteration solves.
#[test]
fn an_incomplete_factor_that_leaves_nothing_out_is_complete() {
    let clamped = Clamped::new([1, 1, 1], 1e6, 0.1);
    let (all, blocks) = ([[1, 3, 5, 7]], [[[Mat3::zeros(); 4]; 4]]);
    assert!(all[0].iter().all(|&n| clamped.positions[n as usize].x > 0.0));
    let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Pcg);
    system.prepare(&all);
    system.assemble(&clamped.blocks, &clamped.diagonal, &all, &blocks, &[]);
    system.factorize().unwrap();
    let report = system.solve(&mut clamped.load());
    assert_eq!(report.iterations, 1, "{report:?}");
}

/// S = A_CC - A_CI A_II^-1 A_IC; a solve in halves is a solve.
#[test]
fn nodes_that_are_kept_see_the_schur_complement() {
    let cells = [4, 3, 2];
    let clamped = Clamped::new(cells, 1e5, 0.01);
    let mut matrix = NodeMatrix::new(&clamped.pattern);
    matrix.assemble(&clamped.pattern, &clamped.blocks, 1.0, &clamped.diagonal);
    let whole = dense(&clamped, &tets(cells), &[], &[]);
    for kept in [vec![7], vec![59, 3, 17, 18, 44, 12], (0..60).filter(|n| n % 5 != 0).collect::<Vec<u32>>()] {
        let count = kept.iter().filter(|&&n| clamped.pattern.has_row(n)).count();
        let mut factor = SchurFactor::new(SchurFactor::order(&clamped.pattern, &kept), count);
        assert_eq!(factor.len(), count);
        let complement = factor.factorize(&clamped.pattern, &matrix, 0.0).unwrap();
        let inverse = whole.clone().try_inverse().unwrap();
        let places = (0..60).filter_map(|n| Some((factor.place(n)? as usize, n as usize))).collect::<Vec<_>>();
        assert!(places.len() == count && places.iter().all(|(_, n)| kept.contains(&(*n as u32))));
        let mut block = DMatrix::zeros(3 * count, 3 * count);
        for &(p, n) in &places {
            for &(q, m) in &places {
                block.view_mut((3 * p, 3 * q), (3, 3)).copy_from(&inverse.view((3 * n, 3 * m), (3, 3)));
            }
        }
        let dense_complement = DMatrix::from_fn(3 * count, 3 * count, |i, j| complement[(i, j)]);
        let expected = block.try_inverse().unwrap();
        assert!((&dense_complement - &expected).norm() < 1e-11 * expected.norm());
        let load = clamped.load();
        let mut x = load.clone();
        let right = DVector::from_iterator(3 * count, factor.reduce(&mut x).iter().flat_map(|v| [v.x, v.y, v.z]));
        let solution = dense_complement.cholesky().unwrap().solve(&right);
        let solution: Vec<Vec3> = solution.as_slice().chunks_exact(3).map(Vec3::from_column_slice).collect();
        factor.extend(&solution, &mut x);
        let reference = whole.clone().cholesky().unwrap().solve(&column(&clamped, &load));
        assert!(difference(&x, &reference) < 1e-11, "{}", difference(&x, &reference));
    }
}

/// Without room for a factor conjugate gradients are used, whatever was asked for.
#[test]
fn without_memory_for_a_factor_conjugate_gradients_solve() {
    let cells = [4, 3, 2];
    let clamped = Clamped::new(cells, 1e5, 0.01);
    let reference = dense(&clamped, &tets(cells), &[], &[]).cholesky().unwrap().solve(&column(&clamped, &clamped.load()));
    for choice in [SolverChoice::Direct, SolverChoice::Auto] {
        for (limit, iterates) in [(clamped.pattern.factor_bytes(), false), (clamped.pattern.factor_bytes() - 1, true)] {
            let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), choice);
            system.memory_limit = Some(limit);
            system.prepare(&[]);
            system.assemble(&clamped.blocks, &clamped.diagonal, &[], &[], &[]);
            system.factorize().unwrap();
            let mut x = clamped.load();
            assert_eq!(system.solve(&mut x).iterations > 0, iterates, "{choice:?}");
            assert!(difference(&x, &reference) < 1e-7, "{choice:?}: {}", difference(&x, &reference));
        }
    }
}

/// Whether couplings are gone is looked at now and then: what went a few calls apart leaves the pattern in the same one.
#[test]
fn couplings_leave_the_pattern_together() {
    let clamped = Clamped::new([4, 3, 2], 1e5, 0.01);
    let (old, _) = stencils(&clamped, 30, 0);
    let left = [1, 2, 5, 9].map(|used| {
        let mut system = LinearSystem::new(Arc::clone(&clamped.pattern), SolverChoice::Direct);
        (0..used).for_each(|_| system.prepare(&old));
        let more = (1..1000).find(|_| {
            system.prepare(&[]);
            system.pattern().blocks() == clamped.pattern.blocks()
        });
        used + more.unwrap()
    });
    assert!(left[0] > 20 && left.iter().all(|call| *call == left[0]), "{left:?}");
}

/// Couplings that spoil the elimination order are taken in as they come for a few factorisations; for many a new order is found.
#[test]
fn a_new_order_is_found_where_it_pays() {
    let clamped = Clamped::new([9, 5, 5], 1e6, 0.01);
    let operations = [5, 10, 20, 40, 80].map(|count| {
        let (all, _) = stencils(&clamped, count, 1);
        [1, 1 << 30].map(|factorisations| clamped.pattern.coupled(&all, factorisations).unwrap().factor_operations())
    });
    assert!(operations.iter().all(|[few, many]| many <= few) && operations.iter().any(|[few, many]| *many < 0.95 * few), "{operations:?}");
}
