//! What falls apart into many parts is judged by parts: with the same count and the same modes as the whole.

use std::path::Path;

use super::*;
use crate::scene::Method;
use crate::simulation::Simulation;

/// Columns of boxes side by side, of so many boxes each.
fn columns(heights: &[usize]) -> System {
    let placed: Vec<([usize; 3], Vec3)> =
        heights.iter().enumerate().map(|(k, &height)| ([1, height, 1], Vec3::new(0.3 * k as f64, 0.0, 0.01 * k as f64))).collect();
    boxes(&placed, 0.0)
}

/// The pattern of `system` as if it did not fall apart.
fn dissected(system: &System) -> NodeMatrixPattern {
    let free: Vec<bool> = system.fixed.iter().map(|fixed| !fixed).collect();
    NodeMatrixPattern::dissected(&free, &system.families)
}

/// By parts and as a whole: the same verdict, count and eigenvalues.
fn agree(system: &System, hessian: &NodeMatrix, pattern: &NodeMatrixPattern, count: usize) -> [Assessment; 2] {
    let whole = dissected(system);
    assert!(pattern.parts().is_some() && whole.parts().is_none());
    let [apart, together] = [
        assess(system, pattern, hessian, count, &Unwatched).unwrap(),
        assess(system, &whole, &hessian.in_pattern(pattern, &whole), count, &Unwatched).unwrap(),
    ];
    let [a, b] = [&apart.stability, &together.stability];
    assert_eq!((a.verdict, a.negative_eigenvalues, a.neutral_motions), (b.verdict, b.negative_eigenvalues, b.neutral_motions));
    assert_eq!(apart.modes.len(), together.modes.len());
    let typical = hessian.median_diagonal(pattern);
    for (a, b) in apart.modes.iter().zip(&together.modes) {
        let error = (a.eigenvalue - b.eigenvalue).abs();
        assert!(error < 1e-8 * b.eigenvalue.abs() + 1e-13 * typical, "{} and {}", a.eigenvalue, b.eigenvalue);
    }
    [apart, together]
}

/// Columns of many heights, some squeezed until they buckle, some loose, with slides; by the dense eigenvalues and as a whole.
#[test]
fn parts_have_the_modes_of_the_whole() {
    let heights: Vec<usize> = (0..20).map(|k| 1 + k % 4).collect();
    let mut system = columns(&heights);
    let column = |x: &Vec3| (x.x / 0.3 + 1e-6) as usize;
    system.fixed = system.positions.iter().map(|x| x.y < 1e-9 && column(x) % 7 != 3).collect();
    let across = Vec3::new(1.0, 0.0, 1.0).normalize();
    let top = system.positions.iter().position(|x| column(x) == 4 && x.y > 0.05).unwrap();
    system.slides = vec![(top as u32, Mat3::identity() - across * across.transpose())];
    for squeezed in [1.0, 0.75] {
        let motion = |x: &Vec3| Vec3::new(x.x, if column(x) % 5 == 1 { squeezed * x.y } else { x.y }, x.z);
        let (found, _) = compare(&system, motion, 7);
        assert_eq!(found.stability.neutral_motions, 18);
        assert_eq!(found.stability.negative_eigenvalues > 0, squeezed < 1.0);
        let mut curvature = Curvature::default();
        let (matrix, _) = hessian(&system, &mut curvature, motion);
        agree(&system, &matrix, curvature.pattern().unwrap(), 7);
    }
}

/// All columns alike: as many eigenvalues are equal, and the lowest are there as often as asked for. Squeezed far, each has more negative ones
/// than are looked for.
#[test]
fn parts_that_are_alike_have_equal_modes() {
    let mut system = columns(&[3; 50]);
    system.fixed = system.positions.iter().map(|x| x.y < 1e-9).collect();
    let (found, _) = compare(&system, |x| *x, 9);
    let values: Vec<f64> = found.modes.iter().map(|mode| mode.eigenvalue).collect();
    assert!(values.iter().all(|value| (value / values[0] - 1.0).abs() < 1e-8), "{values:?}");
    let (found, _) = compare(&system, |x| Vec3::new(x.x, 0.5 * x.y, x.z), 5);
    assert!(found.stability.negative_eigenvalues >= 100, "{}", found.stability.negative_eigenvalues);
}

/// Curls on a head: stiff ones stand, and soft ones have many directions to fall in.
#[test]
fn curls_are_judged_by_strands_as_by_the_head() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let mut scene = crate::scene_file::load(&folder.join("hair_curls.json")).unwrap();
    scene.contact.self_contact = false;
    for (young, is_stable) in [(None, true), (Some(2e8), false)] {
        if let Some(young) = young {
            scene.bodies[0].kind.as_mut().unwrap().settings["young"] = young.into();
        }
        let mut simulation = Simulation::build(&scene, &folder, &Unwatched).unwrap();
        simulation.balance(Method::NoContact, &Unwatched).unwrap();
        let system = &simulation.system;
        let mut curvature = Curvature::default();
        let mut memory = ContactMemory::new(system, &Balance::default());
        let (pattern, matrix) = curvature.hessian(system, &system.families, &mut memory, &State::at_rest(system), false);
        assert_eq!(pattern.parts(), Some(64));
        let [found, _] = agree(system, matrix, pattern, 6);
        eprintln!("{young:?}: {} negative, lowest {:e}", found.stability.negative_eigenvalues, found.stability.smallest_eigenvalue);
        assert_eq!(found.stability.verdict == Verdict::Stable, is_stable);
    }
}
