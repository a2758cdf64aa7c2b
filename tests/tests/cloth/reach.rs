//! Cloth whose hinges would have to make more than a rest angle can: what is limited to what it can make, and whether others carry the rest.
#![allow(clippy::unwrap_used)]

use std::f64::consts::PI;

use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::sag_free::initialise::rest_state;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InitReport;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet};
use nalgebra::{DMatrix, DVector};
use serde_json::json;

/// A curtain in waves, or where it is `flat` a level sheet, held by its first row or all round; so soft that it cannot bear its moments.
fn sheet(flat: bool, side: usize, within_reach: bool) -> Sheet {
    let mut sheet = if flat {
        Sheet::new([side; 2], Cut::Right, |u, v| Vec3::new(u, 0.0, v))
    } else {
        Sheet::new([side; 2], Cut::Right, |u, v| Vec3::new(u, -v, 0.05 * (4.0 * PI * u).sin() * (0.5 + 0.5 * v)))
    };
    sheet.cloth(&json!({ "bending_stiffness": 3e-6, "stiffness": 500.0, "density": 0.2 }));
    sheet.hold(|u, v| v == 0.0 || flat && (v == 1.0 || u == 0.0 || u == 1.0));
    sheet.scene["contact"] = json!({ "self_contact": false });
    sheet.scene["initialise"] = json!({ "within_reach": within_reach });
    sheet
}

fn initialised(sheet: &Sheet) -> (Simulation, InitReport) {
    let mut simulation = sheet.build().unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    (simulation, report)
}

#[test]
fn others_carry_what_a_hinge_cannot_and_the_report_says_so_beforehand() {
    let (_, refused) = initialised(&sheet(false, 23, false));
    assert!(!refused.infeasible.is_empty() && refused.infeasible[0].message.contains("within_reach"), "{:?}", refused.infeasible);
    let (mut simulation, report) = initialised(&sheet(false, 23, true));
    let limited = report.limited.unwrap();
    println!("{limited:?}, residual {:e}, {:?} negative", report.residual.after, report.stability.as_ref().unwrap().negative_eigenvalues);
    assert!(report.infeasible.is_empty() && report.residual.after <= 1e-8, "{:?} {:e}", report.infeasible, report.residual.after);
    assert!(limited.elements > 0 && limited.cost > 1.0, "{limited:?}");
    // What was told is what came.
    assert!(
        refused.infeasible[0].message.contains(&format!("{} elements are at their limits", limited.elements)),
        "{:?}",
        refused.infeasible
    );
    let changes = simulation.fields().into_iter().find(|field| field.kind.name == "angle change").unwrap().values;
    let largest = changes.iter().filter(|v| v.is_finite()).fold(0.0_f64, |most, v| most.max(v.abs()));
    assert!(largest > 0.99 && largest <= 1.0, "{largest}");
    // Nothing moves in the first step.
    assert!(simulation.step(&Unwatched).unwrap().drift < 1e-8);
}

/// A level sheet has nothing but its hinges: it is refused for the same reason with or without.
#[test]
fn what_nothing_else_carries_is_refused() {
    for within_reach in [false, true] {
        let (_, report) = initialised(&sheet(true, 11, within_reach));
        assert!(report.limited.is_none() && !report.infeasible.is_empty());
        let message = &report.infeasible[0].message;
        assert!(message.contains("rest angle") && !message.contains("within_reach"), "{message}");
    }
}

/// The optimality conditions, by dense algebra: with the limited moments as given loads the others are those of least energy, and each limited
/// one would be larger if it were free.
#[test]
fn limited_forces_are_those_of_least_energy() {
    let (simulation, report) = initialised(&sheet(false, 23, true));
    assert!(report.limited.unwrap().elements > 0);
    let system = &simulation.system;
    let x = &system.positions;
    let found = rest_state(system, Method::SagFree, &Unwatched).unwrap().coordinates;
    let hinges = system.families.iter().position(|family| family.kind().name == "hinges").unwrap();
    // How far a hinge turns for its moment tells whether it is at the limit.
    let turned = system.families[hinges].fields(x).into_iter().find(|field| field.kind.name == "angle change").unwrap().values;
    let limited: Vec<usize> = (0..turned.len()).filter(|&e| turned[e].abs() > 0.9989).collect();
    assert_eq!(limited.len(), report.limited.unwrap().elements);

    let free: Vec<usize> = (0..x.len()).filter(|&n| !system.fixed[n]).collect();
    let mut number = vec![usize::MAX; x.len()];
    free.iter().enumerate().for_each(|(k, &n)| number[n] = k);
    let mut matrix = DMatrix::<f64>::zeros(3 * free.len(), 3 * free.len());
    let mut loads = system.loads();
    for (f, family) in system.families.iter().enumerate() {
        let width = family.nodes_per_element();
        for (e, blocks) in family.compliance_blocks(x).chunks_exact(width * width).enumerate() {
            if f == hinges && limited.contains(&e) {
                continue;
            }
            add(&mut matrix, &number, family.nodes(e), blocks);
        }
    }
    let only: Vec<f64> = (0..turned.len()).map(|e| if limited.contains(&e) { found[hinges][e] } else { 0.0 }).collect();
    system.families[hinges].add_forces(x, &only, &mut loads);
    let right = DVector::from_iterator(3 * free.len(), free.iter().flat_map(|&n| loads[n].iter().copied().collect::<Vec<_>>()));
    let solution = matrix.cholesky().unwrap().solve(&right);
    // The forces B s balance the loads: y is the opposite of the displacement under them.
    let mut dual = vec![Vec3::zeros(); x.len()];
    free.iter().enumerate().for_each(|(k, &n)| dual[n] = -Vec3::new(solution[3 * k], solution[3 * k + 1], solution[3 * k + 2]));
    for (f, family) in system.families.iter().enumerate() {
        let mut expected = vec![0.0; found[f].len()];
        family.coordinates_from_dual(x, &dual, &mut expected);
        let largest = expected.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        for (e, (found, expected)) in found[f].iter().zip(&expected).enumerate() {
            if f == hinges && limited.contains(&e) {
                assert!(expected / found > 0.999, "hinge {e}: {expected} wanted, {found} made");
            } else {
                assert!((found - expected).abs() < 2e-3 * largest, "{} {e}: {found} for {expected} of {largest}", family.kind().name);
            }
        }
    }
}

fn add(matrix: &mut DMatrix<f64>, number: &[usize], nodes: &[u32], blocks: &[Mat3]) {
    for (i, &a) in nodes.iter().enumerate() {
        for (j, &b) in nodes.iter().enumerate() {
            let (a, b) = (number[a as usize], number[b as usize]);
            if a != usize::MAX && b != usize::MAX {
                let mut block = matrix.fixed_view_mut::<3, 3>(3 * a, 3 * b);
                block += blocks[i * nodes.len() + j];
            }
        }
    }
}
