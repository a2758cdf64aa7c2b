#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use nalgebra::{DMatrix, DVector};

mod apart;

use super::cures::Unstable;
use super::*;
use crate::bodies::solid::Solid;
use crate::contact::Balance;
use crate::contact::ContactMemory;
use crate::contact::obstacle::PlacedObstacle;
use crate::contact::surface::{CollisionSurface, PairRules, PartInput};
use crate::element::{Batch, Family, Tet};
use crate::material::registry::MATERIALS;
use crate::math::{Mat3, bounding_diagonal};
use crate::mesh::TetMesh;
use crate::mesh::structured::{CubeCut, box_mesh};
use crate::mesh::topology::Faces;
use crate::scene::{Cure, Shape};
use crate::step::Residual;
use crate::step::instant::Curvature;
use crate::step::{STEPPERS, State};
use crate::system::loads::Pressure;
use crate::system::pressure::Push;
use crate::system::{PlacedBody, Span, TouchPair};
use crate::watch::Unwatched;
use std::sync::Arc;

/// Boxes of neo-Hookean cubes of 0.1 m, of so many cubes each, with their lowest corners there.
fn boxes(boxes: &[([usize; 3], Vec3)], friction: f64) -> System {
    let mut system = System::default();
    let (mut tets, mut parts) = (Vec::new(), Vec::new());
    for (cells, corner) in boxes {
        let (positions, own) = box_mesh(0.1 * Vec3::from(cells.map(|n| n as f64)), *cells, CubeCut::Five);
        let (first, first_tet) = (system.positions.len(), tets.len());
        let shift = |face: &[u32; 3]| face.map(|n| n + first as u32);
        parts.push(PartInput::triangles("box", Faces::of(&own).boundary(&own).0.iter().map(shift).collect()));
        let mesh = TetMesh { positions: positions.clone(), tets: own, ..TetMesh::default() };
        system.masses.extend(mesh.lumped_masses(&vec![1000.0; mesh.tets.len()]));
        system.positions.extend(positions.iter().map(|x| x + corner));
        tets.extend(mesh.tets.iter().map(|tet| tet.map(|n| n + first as u32)));
        system.bodies.push(PlacedBody {
            name: "box".into(),
            nodes: first..system.positions.len(),
            internal: 0..0,
            spans: vec![Span { family: 0, elements: first_tet..tets.len() }],
            mesh: mesh.into(),
            matter: Arc::new(Solid::default()),
        });
    }
    let law = MATERIALS.iter().find(|law| law.name == "neo_hookean").unwrap();
    let materials = vec![(law.build)(1e5, 0.3); tets.len()];
    system.families = vec![Box::new(Batch::<Tet, 4, 6>::at_rest(&system.positions, &tets, &materials).unwrap()) as Box<dyn Family>];
    system.fixed = vec![false; system.positions.len()];
    system.diagonal = bounding_diagonal(&system.positions);
    system.gravity = Vec3::new(0.0, -9.81, 0.0);
    let rules = PairRules::all_touch(parts.len(), friction);
    system.surface = CollisionSurface::new(&system.positions, parts, rules, vec![true; system.positions.len()]).unwrap();
    system
}

/// A half-space that every node of the first box may touch.
fn put_on_ground(system: &mut System, height: f64, friction: f64) {
    let shape = Shape::HalfSpace { point: [0.0, height, 0.0], normal: [0.0, 1.0, 0.0] };
    system.obstacles.push(PlacedObstacle::new("ground", shape));
    system.pairs = system.bodies[0].nodes.clone().map(|node| TouchPair { node: node as u32, obstacle: 0, friction }).collect();
}

/// The Hessian where the given shape has been moved by `motion`, contacts pushing.
fn hessian(system: &System, curvature: &mut Curvature, motion: impl Fn(&Vec3) -> Vec3) -> (NodeMatrix, DMatrix<f64>) {
    let mut stepper = (STEPPERS[0].make)();
    stepper.warm_start(system, &Balance::default());
    let mut state = State::at_rest(system);
    state.positions.iter_mut().for_each(|x| *x = motion(x));
    let (pattern, matrix) = curvature.hessian(system, &system.families, stepper.contacts(system), &state, false);
    let size = 3 * system.positions.len();
    let mut dense = DMatrix::zeros(size, size);
    for j in 0..size {
        let mut unit = vec![Vec3::zeros(); system.positions.len()];
        unit[j / 3][j % 3] = 1.0;
        let mut column = unit.clone();
        matrix.multiply(pattern, &unit, &mut column);
        dense.column_mut(j).copy_from_slice(column.concat().as_slice());
    }
    (matrix.clone(), dense)
}

trait Concat {
    fn concat(&self) -> Vec<f64>;
}

impl Concat for Vec<Vec3> {
    fn concat(&self) -> Vec<f64> {
        self.iter().flat_map(|v| [v.x, v.y, v.z]).collect()
    }
}

/// Eigenvalues of the dense pencil on the directions that supports leave, ascending, and a basis of those directions.
fn dense_eigenvalues(system: &System, dense: &DMatrix<f64>) -> Vec<f64> {
    let free: Vec<usize> = (0..system.positions.len()).filter(|&n| !system.fixed[n]).collect();
    let mean = free.iter().map(|&n| system.masses[n]).sum::<f64>() / free.len() as f64;
    let mut directions: Vec<DVector<f64>> = Vec::new();
    for &node in &free {
        let projector = system.slides.iter().find(|slide| slide.0 as usize == node).map_or(Mat3::identity(), |slide| slide.1);
        let eigen = projector.symmetric_eigen();
        for k in (0..3).filter(|&k| eigen.eigenvalues[k] > 0.5) {
            let mut direction = DVector::zeros(dense.nrows());
            let scaled = eigen.eigenvectors.column(k) / (system.masses[node] / mean).sqrt();
            direction.rows_mut(3 * node, 3).copy_from(&scaled);
            directions.push(direction);
        }
    }
    let basis = DMatrix::from_columns(&directions);
    let mut values: Vec<f64> = (basis.transpose() * dense * &basis).symmetric_eigenvalues().iter().copied().collect();
    values.sort_by(f64::total_cmp);
    values
}

fn compare(system: &System, motion: impl Fn(&Vec3) -> Vec3, count: usize) -> (Assessment, Vec<f64>) {
    let mut curvature = Curvature::default();
    let (matrix, dense) = hessian(system, &mut curvature, motion);
    let expected = dense_eigenvalues(system, &dense);
    let pattern = curvature.pattern().unwrap();
    let found = assess(system, pattern, &matrix, count, &Unwatched).unwrap();
    let neutral = found.stability.neutral_motions;
    let largest = expected[expected.len() - 1];
    let negative = expected.iter().filter(|&&value| value < -1e-9 * largest).count();
    assert_eq!(found.stability.negative_eigenvalues, negative, "{:?}", &expected[..8]);
    let zeros = expected.iter().filter(|value| value.abs() < 1e-9 * largest).count();
    assert_eq!(neutral, zeros, "{:?}", &expected[..8]);
    let resisted: Vec<f64> = expected.into_iter().filter(|value| value.abs() >= 1e-9 * largest).collect();
    assert_eq!(found.modes.len(), count);
    let mean = system.masses.iter().zip(&system.fixed).filter(|(_, fixed)| !**fixed).map(|(m, _)| m).sum::<f64>()
        / system.fixed.iter().filter(|fixed| !**fixed).count() as f64;
    for (mode, expected) in found.modes.iter().zip(&resisted) {
        assert!(mode.residual < 1e-3, "{}", mode.residual);
        // Shifts are within a factor of eight of the eigenvalues.
        let bound = (1e-6 + 8.0 * mode.residual) * expected.abs();
        assert!((mode.eigenvalue - expected).abs() < bound, "{} for {expected}, residual {}", mode.eigenvalue, mode.residual);
        assert!((mode.rate - (mode.eigenvalue.abs() / mean).sqrt()).abs() < 1e-12 * mode.rate);
        assert!((largest_norm(&mode.shape) - 1.0).abs() < 1e-12);
        // H v = lambda M v, but for what supports take.
        let mut force = vec![Vec3::zeros(); mode.shape.len()];
        matrix.multiply(pattern, &mode.shape, &mut force);
        for ((force, shape), mass) in force.iter_mut().zip(&mode.shape).zip(&system.masses) {
            *force -= mode.eigenvalue * mass / mean * shape;
        }
        system.take_supported(&mut force);
        assert!(largest_norm(&force) < (1e-6 + mode.residual) * largest, "{} of {largest}", largest_norm(&force));
    }
    (found, resisted)
}

/// A column squeezed until it buckles in several ways: all of them are found, also the equal ones of a square section.
#[test]
fn modes_of_a_squeezed_column_are_the_dense_ones() {
    let mut system = boxes(&[([2, 6, 2], Vec3::zeros())], 0.0);
    system.fixed = system.positions.iter().map(|x| x.y < 1e-9).collect();
    let (stable, _) = compare(&system, |x| *x, 4);
    assert_eq!(stable.stability.verdict, Verdict::Stable);
    let (unstable, values) = compare(&system, |x| Vec3::new(x.x, 0.75 * x.y, x.z), 6);
    assert_eq!(unstable.stability.verdict, Verdict::Unstable);
    assert!(unstable.stability.negative_eigenvalues > 1 && unstable.stability.negative_eigenvalues < 12, "{values:?}");
    assert!((values[1] / values[0] - 1.0).abs() < 1e-9, "{values:?}");
}

/// Where a pressure has no energy the softest modes decide, and vectors that are none of them decide nothing.
#[test]
fn a_pressure_without_energy_is_not_judged_by_modes_that_were_not_found() {
    let mut system = boxes(&[([1, 4, 1], Vec3::zeros())], 0.0);
    system.fixed = system.positions.iter().map(|x| x.y < 1e-9).collect();
    let faces = Faces::of(&system.tets()).boundary(&system.tets()).0;
    let top = faces.into_iter().filter(|face| face.iter().all(|&n| system.positions[n as usize].y > 0.4 - 1e-9));
    system.loads.pressures = top.map(|face| Pressure { face, push: Push::Uniform(1.0), ramp: 0.0 }).collect();
    let mut curvature = Curvature::default();
    let mut memory = ContactMemory::new(&system, &Balance::default());
    let (pattern, hessian) = curvature.hessian(&system, &system.families, &mut memory, &State::at_rest(&system), false);
    let pencil = Pencil::new(&system, pattern, hessian).without_neutral_motions(&Unwatched).unwrap();
    let mut shifted = pencil.shifted(InertiaFactor::new(pattern), -ROUND_OFF * pencil.typical).unwrap();
    let near = Near { shift: shifted.shift, below: shifted.below };
    let mut pairs = lanczos::eigenpairs(&pencil, near, 4, |block| pencil.invert(&mut shifted, block), &Unwatched).unwrap();
    let mut judged = |pairs: &[lanczos::Pair]| follower::judge(&pencil, Some(&mut shifted), pairs, Verdict::Stable).unwrap().0;
    assert_eq!(judged(&pairs), Verdict::Stable);
    pairs[3].residual = 1e-3;
    assert_eq!(judged(&pairs), Verdict::Undecided);
    pairs[3].residual = f64::NAN;
    assert_eq!(judged(&pairs), Verdict::Undecided);
}

/// Squeezed far more, so that more directions are negative than are looked for: the lowest are found.
#[test]
fn the_lowest_of_many_negative_eigenvalues_are_found() {
    let mut system = boxes(&[([1, 16, 1], Vec3::zeros())], 0.0);
    system.fixed = system.positions.iter().map(|x| x.y < 1e-9).collect();
    let (found, _) = compare(&system, |x| Vec3::new(x.x, 0.5 * x.y, x.z), 3);
    assert!(found.stability.negative_eigenvalues > FEW);
}

/// Two boxes on one another and on the ground, pressed together, some nodes held to a plane and some along a line.
#[test]
fn modes_with_contacts_and_sliding_nodes_are_the_dense_ones() {
    let reach = 1e-3 * 0.1 * 22.0_f64.sqrt();
    let mut system = boxes(&[([2, 1, 2], Vec3::zeros()), ([1, 1, 2], Vec3::new(0.03, 0.1 + 0.9 * reach, 0.01))], 0.4);
    put_on_ground(&mut system, -0.9 * reach, 0.3);
    let across = Vec3::new(1.0, 0.0, 1.0).normalize();
    system.slides = vec![
        (0, Mat3::identity() - across * across.transpose()),
        (3, Vec3::z() * Vec3::z().transpose()),
        (system.positions.len() as u32 - 1, Mat3::identity() - Vec3::x() * Vec3::x().transpose()),
    ];
    // Both go down by half of the barrier's distance, the upper one by that twice.
    let (found, _) = compare(&system, |x| x - 0.5 * reach * if x.y > 0.1 + 0.5 * reach { 2.0 } else { 1.0 } * Vec3::y(), 5);
    assert_eq!(found.stability.neutral_motions, 0);
}

/// On ice, and in space, motions without resistance are none of the modes.
#[test]
fn neutral_motions_are_left_out() {
    let free = boxes(&[([2, 1, 1], Vec3::zeros()), ([1, 1, 1], Vec3::new(1.0, 0.0, 0.0))], 0.0);
    let (found, _) = compare(&free, |x| *x, 3);
    assert_eq!((found.stability.neutral_motions, found.stability.verdict), (12, Verdict::Stable));
    let mut held = free;
    let (x, y) = (held.bodies[1].nodes.start as u32, held.bodies[1].nodes.start as u32 + 1);
    held.slides = vec![(x, Mat3::from_diagonal(&Vec3::new(1.0, 0.0, 1.0))), (y, Mat3::from_diagonal(&Vec3::new(1.0, 0.0, 1.0)))];
    let (found, _) = compare(&held, |x| *x, 3);
    assert_eq!(found.stability.neutral_motions, 10);
}

/// Of cubes of 0.1 m in a row with gaps of nine tenths of `reach`, each moved so that the gaps are less than half of it.
fn pressed_together(x: &Vec3, reach: f64) -> Vec3 {
    x - 0.5 * reach * ((x.x + 1e-9) / (0.1 + 0.9 * reach)).floor() * Vec3::x()
}

/// Of any number of free parts, apart, on ground without friction, or in a row that touches: the motions that nothing resists are
/// told from the modes, and none of them counts as a way out.
#[test]
fn neutral_motions_of_many_parts_are_left_out() {
    let reach = 1e-3;
    let row = |gap: f64| {
        let cubes: Vec<([usize; 3], Vec3)> = (0..40).map(|i| ([1; 3], Vec3::new((0.1 + gap) * f64::from(i), 0.0, 0.0))).collect();
        let mut system = boxes(&cubes, 0.0);
        system.contact.barrier_distance = reach / system.diagonal;
        system
    };
    let (apart, _) = compare(&row(0.05), |x| *x, 3);
    assert_eq!((apart.stability.neutral_motions, apart.stability.verdict), (240, Verdict::Stable));
    assert!(apart.stability.smallest_eigenvalue > 1.0, "{:?}", apart.stability);
    // Pressed to the ground: sliding and turning about the vertical.
    let mut on_ground = row(0.05);
    put_on_ground(&mut on_ground, -0.9 * reach, 0.0);
    on_ground.pairs = (0..on_ground.positions.len() as u32).map(|node| TouchPair { node, obstacle: 0, friction: 0.0 }).collect();
    let (on_ground, _) = compare(&on_ground, |x| x - 0.5 * reach * Vec3::y(), 3);
    assert_eq!((on_ground.stability.neutral_motions, on_ground.stability.verdict), (120, Verdict::Stable));
    // Pressed together, they move as one, and give way sideways.
    let system = row(0.9 * reach);
    let mut curvature = Curvature::default();
    let (matrix, _) = hessian(&system, &mut curvature, |x| pressed_together(x, reach));
    let in_a_row = assess(&system, curvature.pattern().unwrap(), &matrix, 3, &Unwatched).unwrap().stability;
    assert!((3..=6).contains(&in_a_row.neutral_motions) && in_a_row.verdict == Verdict::Unstable, "{in_a_row:?}");
}

/// Where so many parts touch that the motions which nothing resists are not looked for, directions that may be these decide nothing.
#[test]
fn too_many_parts_that_touch_leave_the_verdict_open() {
    let reach = 1e-3;
    let count = neutral::MOST_PARTS + 1;
    let cubes: Vec<([usize; 3], Vec3)> = (0..count).map(|i| ([1; 3], Vec3::new((0.1 + 0.9 * reach) * i as f64, 0.0, 0.0))).collect();
    // Friction leaves them few ways out.
    let mut system = boxes(&cubes, 0.5);
    system.contact.barrier_distance = reach / system.diagonal;
    let mut curvature = Curvature::default();
    let (matrix, _) = hessian(&system, &mut curvature, |x| pressed_together(x, reach));
    let stability = assess(&system, curvature.pattern().unwrap(), &matrix, 3, &Unwatched).unwrap().stability;
    assert_eq!((stability.verdict, stability.neutral_motions), (Verdict::Undecided, 0), "{stability:?}");
    assert!(stability.reason.unwrap().starts_with(&format!("{count} parts")));
}

/// Round-off may make the eigenvalues of neutral motions negative: such motions are left out of the count as they are of the modes,
/// and nothing else is.
#[test]
fn neutral_motions_with_round_off_are_not_counted_as_ways_out() {
    let free = boxes(&[([3, 1, 3], Vec3::zeros())], 0.0);
    let mut curvature = Curvature::default();
    let (matrix, _) = hessian(&free, &mut curvature, |x| *x);
    let pattern = curvature.pattern().unwrap();
    let pencil = Pencil::new(&free, pattern, &matrix);
    let assessed = |share: f64| {
        let mut shifted = matrix.clone();
        pencil.mass.add_to(&mut shifted, pattern, share * pencil.typical, &[]);
        assess(&free, pattern, &shifted, 3, &Unwatched).unwrap().stability
    };
    for share in [-1e-10, -1e-11, 0.0, 1e-10] {
        let stability = assessed(share);
        assert_eq!((stability.verdict, stability.negative_eigenvalues, stability.neutral_motions), (Verdict::Stable, 0, 6), "{share}");
        assert!(stability.smallest_eigenvalue > 1e-4 * pencil.typical, "{share}: {stability:?}");
    }
    // Moved by more, they are motions like others.
    let stability = assessed(-1e-7);
    assert_eq!((stability.verdict, stability.negative_eigenvalues, stability.neutral_motions), (Verdict::Unstable, 6, 0));
}

/// Where more eigenvalues are negative than are looked for, the smallest has a bound at least.
#[test]
fn a_body_that_is_unstable_in_many_ways_has_a_finite_smallest_eigenvalue() {
    let free = boxes(&[([2, 1, 2], Vec3::zeros())], 0.0);
    let mut curvature = Curvature::default();
    let (mut matrix, _) = hessian(&free, &mut curvature, |x| *x);
    let pattern = curvature.pattern().unwrap();
    let pencil = Pencil::new(&free, pattern, &matrix);
    let typical = pencil.typical;
    // A third of the nodes, so that the median knows nothing of it.
    let weights: Vec<f64> = (0..free.positions.len()).map(|n| if n % 3 == 0 { 1e8 } else { 0.0 }).collect();
    matrix.shift_weighed(pattern, -typical, &weights);
    let stability = assess(&free, pattern, &matrix, 3, &Unwatched).unwrap().stability;
    assert_eq!((stability.verdict, stability.negative_eigenvalues >= 18), (Verdict::Unstable, true), "{stability:?}");
    assert!(stability.smallest_eigenvalue.is_finite() && stability.smallest_eigenvalue < -typical, "{stability:?}");
}

/// What nothing resists is neither stable nor unstable, and no number fails for it.
#[test]
fn what_nothing_resists_at_all_has_eigenvalues_of_nothing() {
    let free = boxes(&[([2, 1, 2], Vec3::zeros())], 0.0);
    let mut curvature = Curvature::default();
    hessian(&free, &mut curvature, |x| *x);
    let pattern = curvature.pattern().unwrap();
    let stability = assess(&free, pattern, &NodeMatrix::new(pattern), 3, &Unwatched).unwrap().stability;
    assert!(stability.smallest_eigenvalue.abs() < 1e-9, "{stability:?}");
    assert!(!stability.reason.as_ref().is_some_and(|reason| reason.contains("not finite")), "{stability:?}");
}

/// Whatever was out of balance before: a cure helps where the body is in balance with it, and nowhere else.
#[test]
fn a_cure_that_leaves_the_body_out_of_balance_does_not_help() {
    let mut system = boxes(&[([2, 2, 2], Vec3::zeros())], 0.0);
    system.fixed = system.positions.iter().map(|x| x.y < 1e-9).collect();
    let helps = |system: &System| {
        let (balance, residual) = (Balance::default(), Residual::of(1.0, 1.0, 0.0, system.initialise.tolerance));
        let assessment = Assessment { stability: Stability::not_in_balance(), modes: Vec::new() };
        let unstable = Unstable {
            system,
            families: &system.families,
            balance: &balance,
            coordinates: &[],
            assessment: &assessment,
            residual: &residual,
        };
        let report = unstable.try_cure(Cure::None, &Unwatched).unwrap().report;
        assert_eq!(report.negative_eigenvalues, 0);
        (report.helps, report.residual)
    };
    // Undeformed under its weight.
    assert_eq!(helps(&system), (false, 1.0));
    system.gravity = Vec3::zeros();
    assert_eq!(helps(&system), (true, 0.0));
}
