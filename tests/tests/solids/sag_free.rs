//! Sag-free initialisation against closed forms and conservation laws.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::element::{Element, RestFit};
use aplomb_sim::linear::NodeMatrixPattern;
use aplomb_sim::math::Vec3;
use aplomb_sim::sag_free::BalanceProblem;
use aplomb_sim::sag_free::global::{GlobalMatrix, GlobalOptions, GlobalSolver};
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{InfeasibilityCode, Verdict};
use aplomb_sim::watch::Unwatched;
use aplomb_tests::BoxBody;

const COLUMN: BoxBody =
    BoxBody { size: Vec3::new(0.1, 1.0, 0.1), cells: [2, 10, 2], law: "neo_hookean", young: 2e5, poisson: 0.3, density: 1000.0 };

/// Held at the top, each layer carries the weight below its middle (its nodes carry lumped masses).
#[test]
fn hanging_column_carries_the_weight_below() {
    for law in ["neo_hookean", "stable_neo_hookean", "corotated", "stvk", "arap"] {
        let body = BoxBody { law, ..COLUMN };
        let system = body.system(|x| x.y > 0.999);
        let free: Vec<bool> = system.fixed.iter().map(|f| !f).collect();
        let (loads, pattern) = (system.loads(), NodeMatrixPattern::new(&free, &system.families));
        let problem = BalanceProblem {
            positions: &system.positions,
            internal: [system.positions.len(); 2],
            loads: &loads,
            free: &free,
            slides: &[],
            families: &system.families,
            sites: &[],
            cables: &[],
        };
        let matrix = GlobalMatrix::assemble(&problem, &pattern);
        let options = GlobalOptions { regularization: 1e-13, tolerance: 1e-8 };
        let forces = GlobalSolver::new(&pattern, &matrix, options).solve(&problem, &Unwatched).unwrap();
        assert!(forces.residual < 1e-11, "{law}: {}", forces.residual);

        let mut elements = body.elements();
        assert!(elements.fit_rest(&system.positions, &forces.coordinates[0], 1.0).is_empty(), "{law}");
        let (area, layers) = (0.01, 10);
        for layer in 0..layers {
            let middle = (layer as f64 + 0.5) / layers as f64;
            let (mut volume, mut stress) = (0.0, 0.0);
            for (nodes, element) in elements.connectivity().iter().zip(&elements.elements) {
                let x = nodes.map(|n| system.positions[n as usize]);
                let centre = x.iter().sum::<Vec3>() / 4.0;
                if (centre.y - middle).abs() < 0.5 / layers as f64 {
                    let v = (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) / 6.0;
                    volume += v;
                    stress += v * element.force_coordinates(&x)[1];
                }
            }
            let expected = 1000.0 * 9.81 * area * middle / area;
            assert!((stress / volume - expected).abs() < 1e-3 * expected, "{law}, layer {layer}: {} for {expected}", stress / volume);
        }
    }
}

/// Stress that is asked of an element is the stress that its new rest state makes.
#[test]
fn balance_holds_for_the_stepper() {
    let mut simulation = Simulation::new(COLUMN.system(|x| x.y > 0.999));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.after < 1e-10, "{}", report.residual.after);
    assert!(report.infeasible.is_empty());
    assert_eq!(report.stability.unwrap().verdict, Verdict::Stable);
}

#[test]
fn runs_repeat_bit_for_bit() {
    let run = || {
        let mut simulation = Simulation::new(COLUMN.system(|x| x.y > 0.999));
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        simulation.kick(Vec3::new(1e-3, 0.0, 0.0));
        for _ in 0..5 {
            simulation.step(&Unwatched).unwrap();
        }
        simulation.state.positions
    };
    let (first, second) = (run(), run());
    assert!(first.iter().zip(&second).all(|(a, b)| a == b));
}

/// A column softened until it buckles is unstable and a kick agrees; at ten times the stiffness it is neither.
#[test]
fn a_soft_upright_column_buckles_and_a_stiff_one_does_not() {
    for (young, stable) in [(1e5, false), (1e6, true)] {
        let body = BoxBody { size: Vec3::new(0.05, 1.0, 0.05), cells: [2, 20, 2], young, density: 100.0, ..COLUMN };
        let mut simulation = Simulation::new(body.system(|x| x.y < 1e-9));
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.residual.after < 1e-8, "{}", report.residual.after);
        let stability = report.stability.unwrap();
        assert_eq!(stability.verdict == Verdict::Stable, stable, "{stability:?}");
        assert_eq!(stability.negative_eigenvalues == 0, stable);
        assert_eq!(stability.smallest_eigenvalue > 0.0, stable);
        simulation.kick(Vec3::new(1e-3, 0.0, 0.0));
        let mut drift = 0.0;
        for _ in 0..300 {
            drift = simulation.step(&Unwatched).unwrap().drift;
        }
        assert_eq!(drift < 1e-2, stable, "E = {young}: drift {drift}");
    }
}

#[test]
fn a_floating_body_is_named() {
    let mut simulation = Simulation::new(COLUMN.system(|_| false));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert_eq!(report.infeasible[0].code, InfeasibilityCode::Unsupported);
    assert_eq!(report.infeasible[0].body, "box");
}

#[test]
fn a_body_held_along_a_line_is_hinged() {
    let mut simulation = Simulation::new(COLUMN.system(|x| x.y < 1e-9 && x.z < 1e-9));
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert_eq!(report.infeasible[0].code, InfeasibilityCode::Hinged, "{:?}", report.infeasible);
}
