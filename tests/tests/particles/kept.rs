//! Liquids that keep a small deviator on top of their pressure until they shear: in disorder, between walls that cut their lattice, let go, and where it would be a
//! solid's.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::scene::{Particles, SPACING, lattice, run};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::{Mend, Method};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InfeasibilityCode;
use aplomb_sim::watch::Unwatched;
use serde_json::json;

const COUNTS: [usize; 3] = [12, 10, 12];

fn tank(points: &[Vec3]) -> Particles {
    let mut tank = Particles::liquid(points, json!({ "stiffness": 4e4 }));
    tank.walls([COUNTS[0], COUNTS[2]].map(|count| count as f64 * SPACING));
    tank
}

fn keep(tank: &mut Particles, until: f64) {
    tank.scene["bodies"][0]["as"]["particles"]["liquid"]["kept_until"] = json!(until);
}

/// Points that still hold a deviator.
fn holding(simulation: &Simulation) -> usize {
    let points = simulation.system.points().unwrap();
    points.elements.iter().zip(&simulation.state.points.memory).filter(|(point, memory)| point.holds(**memory).amax() > 0.0).count()
}

fn front(simulation: &Simulation) -> f64 {
    simulation.state.positions.iter().map(|x| x.x).fold(0.0, f64::max)
}

/// What lies in disorder is told to have no smooth pressures, and that it could keep a deviator. With that it is in balance, stays where pressures alone do
/// not, comes back when it is kicked, and runs out of an opened tank as a lattice does.
#[test]
fn what_lies_in_disorder_stands_by_a_deviator() {
    let points = lattice(COUNTS, 0.2);
    let mut tank = tank(&points);
    let (mut creeps, report) = tank.initialised(Method::SagFree);
    let [why] = &report.infeasible[..] else { panic!("{:?}", report.infeasible) };
    println!("{}", why.message);
    let Some(Mend::Keep { body: 0, until }) = why.mend else { panic!("{why:?}") };
    let (creep, _) = run(&mut creeps, 2.0);
    keep(&mut tank, until);
    let (mut still, report) = tank.initialised(Method::SagFree);
    let grid = report.grid.unwrap();
    let kept = grid.kept_deviator.unwrap();
    assert!(report.residual.balanced && report.infeasible.is_empty(), "{grid:?} {:?}", report.infeasible);
    assert!(kept > 1e-4 && kept < 0.015, "{kept}");
    assert_eq!(holding(&still), points.len());
    let (drift, last) = run(&mut still, 2.0);
    println!("{grid:?}: drift {drift:.1e}, {:.1e} J; without {creep:.1e}", last.kinetic);
    assert!(drift < 1e-2 * creep && drift < 1e-6, "{drift:e} {creep:e}");
    let (mut kicked, _) = tank.initialised(Method::SagFree);
    let mut random = Random::new(3);
    kicked.state.velocities.iter_mut().for_each(|v| *v = random.vector(-1e-4, 1e-4));
    run(&mut kicked, 0.5);
    let (moved, later) = run(&mut kicked, 1.5);
    println!("kicked: {moved:.1e}, {:.1e} J", later.kinetic);
    assert!(moved < 1e-4 && holding(&kicked) == points.len(), "{moved:e}");
    // The wall goes at once.
    tank.scene["obstacles"][2]["removed_at"] = json!(0.005);
    let (mut runs, _) = tank.initialised(Method::SagFree);
    let mut lattice = self::tank(&lattice(COUNTS, 0.0));
    lattice.scene["obstacles"][2]["removed_at"] = json!(0.005);
    let (mut even, _) = lattice.initialised(Method::SagFree);
    run(&mut runs, 0.25);
    run(&mut even, 0.25);
    println!("fronts {:.4}, {:.4} m; {} of {} still hold", front(&runs), front(&even), holding(&runs), points.len());
    assert!((front(&runs) / front(&even) - 1.0).abs() < 0.03);
    assert!(holding(&runs) < points.len() / 2);
}

/// A wall that leans cuts the lattice: a deviator holds the water before it, and the stepper by displacements of the grid keeps it as well.
#[test]
fn a_wall_that_leans_may_cut_the_lattice() {
    let lean = 65.0_f64.to_radians();
    let normal = Vec3::new(-lean.sin(), lean.cos(), 0.0);
    let foot = Vec3::new(9.0 * SPACING, 0.0, 0.0);
    // Inside, half a spacing from the wall.
    let points: Vec<Vec3> = lattice([18, 8, 8], 0.0).into_iter().filter(|x| normal.dot(&(x - foot)) > 0.5 * SPACING).collect();
    let mut tank = Particles::liquid(&points, json!({ "stiffness": 4e4 }));
    tank.walls([18.0 * SPACING, 8.0 * SPACING]);
    let plane = json!({ "half_space": { "point": foot.as_slice(), "normal": normal.as_slice() } });
    tank.scene["obstacles"].as_array_mut().unwrap().push(json!({ "name": "leaning", "shape": plane, "friction": 0 }));
    let without = tank.initialised(Method::SagFree).1;
    let (creep, _) = run(&mut tank.initialised(Method::SagFree).0, 1.0);
    keep(&mut tank, 0.01);
    for stepper in ["mpm", "mpm_implicit"] {
        tank.scene["simulate"]["stepper"] = json!(stepper);
        let (mut still, report) = tank.initialised(Method::SagFree);
        let grid = report.grid.unwrap();
        println!("{:?} -> {grid:?}", without.grid.unwrap());
        assert!(report.residual.balanced && report.infeasible.is_empty(), "{grid:?} {:?}", report.infeasible);
        let (drift, _) = run(&mut still, 1.0);
        println!("{stepper}: drift {drift:.1e}, without {creep:.1e}");
        assert!(drift < 1e-2 * creep, "{drift:e} {creep:e}");
    }
}

/// A deviator holds a slope of water as jelly is held; that is told, and not said to be a liquid at rest.
#[test]
fn a_slope_of_water_is_not_told_to_rest() {
    let points: Vec<Vec3> = lattice(COUNTS, 0.0).into_iter().filter(|x| x.y < 0.25 + 0.4 * x.x).collect();
    let mut slanting = tank(&points);
    let report = slanting.initialised(Method::SagFree).1;
    let why = &report.infeasible[0];
    assert!(why.code == InfeasibilityCode::Disordered && why.mend.is_none(), "{why:?}");
    keep(&mut slanting, 0.01);
    let report = slanting.initialised(Method::SagFree).1;
    println!("{:?} {}", report.grid.unwrap(), report.infeasible[0].message);
    let [why] = &report.infeasible[..] else { panic!("{:?}", report.infeasible) };
    assert!(why.code == InfeasibilityCode::Undecided && why.message.contains("as a solid") && !report.outcome.holds, "{why:?}");
}

/// What is kept is part of a prepared state, and goes on from it to the bit.
#[test]
fn kept_deviators_are_prepared() {
    let mut tank = tank(&lattice(COUNTS, 0.2));
    keep(&mut tank, 0.01);
    let (mut simulation, _) = tank.initialised(Method::SagFree);
    let asset = simulation.prepared_asset();
    let mut again = tank.build();
    again.restore(&asset).unwrap();
    for _ in 0..5 {
        let [a, b] = [&mut simulation, &mut again].map(|one| one.step(&Unwatched).unwrap().without_times());
        assert_eq!(a, b);
    }
    assert!(holding(&again) > 0 && simulation.state.points == again.state.points);
    // What is naive keeps nothing, what was kept before included.
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    assert_eq!(holding(&simulation), 0);
}
