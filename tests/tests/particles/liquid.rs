//! Liquids of material points: tanks at rest, opened, without weight, and viscous.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::scene::{self, DENSITY, GRAVITY, Particles, SPACING, lattice, run};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::{Conclusion, InfeasibilityCode};
use serde_json::json;

const COUNTS: [usize; 3] = [12, 10, 12];
const STIFFNESS: f64 = 4e4;
const EXPONENT: f64 = 7.0;

fn settings() -> serde_json::Value {
    json!({ "stiffness": STIFFNESS, "exponent": EXPONENT })
}

/// A tank filled by a lattice, all of it moved so far against the grid [m].
fn tank(jitter: f64, moved: Vec3) -> Particles {
    let mut points = lattice(COUNTS, jitter);
    points.iter_mut().for_each(|x| *x += moved);
    let mut tank = Particles::liquid(&points, settings());
    tank.walls([COUNTS[0], COUNTS[2]].map(|count| count as f64 * SPACING));
    for obstacle in tank.scene["obstacles"].as_array_mut().unwrap() {
        let point = &mut obstacle["shape"]["half_space"]["point"];
        (0..3).for_each(|k| point[k] = json!(point[k].as_f64().unwrap() + moved[k]));
    }
    tank
}

/// A lattice between walls stays to round-off, wherever the grid lies and whatever its kernel, and presses on its walls as it should; undeformed it sinks by
/// centimetres.
#[test]
fn a_tank_rests() {
    let away = 2.0 * SPACING * Vec3::new(0.37, 0.13, 0.61);
    let usual = ("quadratic", "mls");
    let others = [("linear", "apic"), ("quadratic", "apic"), ("quadratic", "flip"), ("cubic", "mls"), ("cubic", "apic")];
    for (moved, grid) in
        [(Vec3::zeros(), usual), (away, usual), (away, ("cubic", "mls"))].into_iter().chain(others.map(|grid| (Vec3::zeros(), grid)))
    {
        let mut tank = tank(0.0, moved);
        tank.on_grid(grid);
        let (mut still, report) = tank.initialised(Method::SagFree);
        assert!(report.residual.balanced, "{:?} {:?}", report.grid, report.infeasible);
        let (drift, last) = run(&mut still, 1.0);
        let (sag, _) = run(&mut tank.initialised(Method::Naive).0, 1.0);
        println!("{grid:?} {:?}: drift {drift:.1e}, {:.1e} J, naive {sag:.1e}", report.grid.unwrap(), last.kinetic);
        assert!(report.grid.unwrap().acceleration_rms < 1e-12);
        assert!(drift < 1e-12 && last.kinetic < 1e-18 && sag > 1e-3, "{drift:e} {sag:e}");
        // The floor carries the weight, and each side what stands before it presses with.
        let [width, height] = [COUNTS[0], COUNTS[1]].map(|count| count as f64 * SPACING);
        let expected = DENSITY * GRAVITY * height * width * (width + 4.0 * 0.5 * height);
        let pressed = report.contact.total_normal_force;
        assert!((pressed / expected - 1.0).abs() < 0.05, "{pressed} N, by statics {expected} N");
    }
}

/// Beyond the size up to which a grid is factorised conjugate gradients find the same balance, and the stepper keeps it.
#[test]
fn a_tank_that_is_iterated_rests() {
    let mut tank = tank(0.0, Vec3::zeros());
    tank.scene["initialise"] = json!({ "direct_up_to": 0 });
    let (mut still, report) = tank.initialised(Method::SagFree);
    let grid = report.grid.unwrap();
    println!("{grid:?} in {} iterations: {:?}", report.iterations, report.infeasible);
    assert!(report.residual.balanced && report.factorisations == 0 && report.nonzeros_in_factor == 0);
    assert!(grid.acceleration_rms < 1e-10 && report.iterations < 60, "{grid:?}");
    let (drift, last) = run(&mut still, 1.0);
    println!("drift {drift:.1e}, {:.1e} J", last.kinetic);
    assert!(drift < 1e-9 && last.kinetic < 1e-15, "{drift:e}");
}

/// A box on the floor, over which pressures are not those of the depth: what is left, and where it goes in a hundred steps.
#[test]
fn water_over_a_step_is_iterated() {
    let corner = Vec3::new(6.0, 4.0, 0.0) * SPACING;
    let mut tank = tank(0.0, Vec3::zeros());
    let points: Vec<Vec3> = lattice(COUNTS, 0.0).into_iter().filter(|x| x.x < corner.x || x.y > corner.y).collect();
    std::fs::write(tank.folder.path().join("mesh.obj"), scene::obj(&points)).unwrap();
    let step = json!({ "box": { "center": [corner.x + 0.5, corner.y - 0.5, 0.3], "size": [1.0, 1.0, 2.0] } });
    tank.scene["obstacles"].as_array_mut().unwrap().push(json!({ "name": "step", "shape": step, "friction": 0 }));
    let mut measured = Vec::new();
    for direct_up_to in [25_000, 0] {
        tank.scene["initialise"] = json!({ "direct_up_to": direct_up_to });
        let (mut still, report) = tank.initialised(Method::SagFree);
        let (drift, last) = run(&mut still, 1.0);
        let grid = report.grid.unwrap();
        println!("{direct_up_to}: {grid:?} in {} iterations, drift {drift:.1e}, {:.1e} J", report.iterations, last.kinetic);
        println!("{:?}", report.infeasible.iter().map(|why| &why.message).collect::<Vec<_>>());
        assert!(report.residual.balanced && report.infeasible.is_empty(), "{:?}", report.infeasible);
        measured.push((grid.acceleration_rms, drift));
    }
    let (sag, _) = run(&mut tank.initialised(Method::Naive).0, 1.0);
    // Held by one normal along the edge, iterations leave 4e-8.
    assert!(measured.iter().all(|(rms, drift)| *rms < 1e-9 && *drift < 1e-6 * sag), "{measured:?} {sag}");
}

/// What has no balance is said not to be known to have one where it is iterated, with what is left.
#[test]
fn iterations_claim_nothing() {
    let mut slanting = tank(0.0, Vec3::zeros());
    slanting.scene["initialise"] = json!({ "direct_up_to": 0 });
    let points: Vec<Vec3> = lattice(COUNTS, 0.0).into_iter().filter(|x| x.y < 0.25 + 0.4 * x.x).collect();
    std::fs::write(slanting.folder.path().join("mesh.obj"), scene::obj(&points)).unwrap();
    let report = slanting.initialised(Method::SagFree).1;
    let [why] = &report.infeasible[..] else { panic!("{:?}", report.infeasible) };
    println!("{}", why.message);
    assert_eq!(why.code, InfeasibilityCode::Undecided);
    assert!(why.message.contains("is not known") && why.message.contains("direct_up_to"));
    assert!(report.grid.unwrap().acceleration_rms > 1e-3);
}

/// What is in disorder has no smooth pressures, and what stands higher on one side none at all: each is told as what it is.
#[test]
fn what_has_no_pressures_is_told() {
    let told = |tank: &Particles| {
        let infeasible = tank.initialised(Method::SagFree).1.infeasible;
        let [why] = &infeasible[..] else { panic!("{infeasible:?}") };
        println!("{}", why.message);
        why.code
    };
    assert_eq!(told(&tank(0.2, Vec3::zeros())), InfeasibilityCode::Undecided);
    let slanting = tank(0.0, Vec3::zeros());
    let points: Vec<Vec3> = lattice(COUNTS, 0.0).into_iter().filter(|x| x.y < 0.25 + 0.4 * x.x).collect();
    std::fs::write(slanting.folder.path().join("mesh.obj"), scene::obj(&points)).unwrap();
    assert_eq!(told(&slanting), InfeasibilityCode::Disordered);
    run(&mut slanting.build(), 0.01);
}

/// A bank of metal holds water back, as it is; water in disorder beside it is told as it is alone, though metal could follow any.
#[test]
fn metal_holds_water_back() {
    for (jitter, verdict) in [(0.0, Conclusion::Holds), (0.03, Conclusion::Undecided)] {
        let (water, metal): (Vec<Vec3>, Vec<Vec3>) = lattice(COUNTS, jitter).into_iter().partition(|x| x.x < 8.0 * SPACING);
        let mut bank = Particles::liquid(&water, settings());
        bank.beside(&metal);
        let of_metal = &mut bank.scene["bodies"][1]["as"]["particles"];
        of_metal.as_object_mut().unwrap().remove("liquid");
        of_metal["metal"] = json!({ "young": 1e7, "poisson": 0.3, "yield_stress": 1e5 });
        bank.walls([COUNTS[0], COUNTS[2]].map(|count| count as f64 * SPACING));
        let (mut still, report) = bank.initialised(Method::SagFree);
        println!("{jitter}: {:?} {:?}", report.grid.unwrap(), report.infeasible.iter().map(|why| &why.message).collect::<Vec<_>>());
        assert_eq!(report.outcome.verdict, verdict, "{:?}", report.infeasible);
        if report.outcome.holds {
            let (drift, _) = run(&mut still, 1.0);
            println!("drift {drift:.1e}");
            assert!(drift < 1e-11, "{drift:e}");
        } else {
            assert_eq!(report.infeasible[0].body, "body");
        }
    }
}

/// A heavier liquid under a lighter one is pressed by both, which the depth in its own body does not tell.
#[test]
fn oil_stands_on_water() {
    let all = lattice(COUNTS, 0.0);
    let half = 0.5 * COUNTS[1] as f64 * SPACING;
    let (water, oil): (Vec<Vec3>, Vec<Vec3>) = all.into_iter().partition(|x| x.y < half);
    let mut tank = Particles::liquid(&water, settings());
    tank.beside(&oil);
    tank.scene["bodies"][1]["as"]["particles"]["density"] = json!(0.8 * DENSITY);
    tank.walls([COUNTS[0], COUNTS[2]].map(|count| count as f64 * SPACING));
    let (mut still, report) = tank.initialised(Method::SagFree);
    let (drift, _) = run(&mut still, 0.3);
    println!("{:?} {:?}: drift {drift:.1e}", report.grid, report.infeasible);
    assert!(report.grid.unwrap().acceleration_rms < 1e-3);
    assert!(report.infeasible.iter().all(|why| why.code != InfeasibilityCode::Disordered));
}

/// Without its weight all of the water rises with g until the wave from the floor comes, and its top by what the weight had pressed it together: what stands is
/// not frozen.
#[test]
fn without_weight_water_rises() {
    let (mut still, _) = tank(0.0, Vec3::zeros()).initialised(Method::SagFree);
    still.system.gravity = Vec3::zeros();
    let top = |simulation: &aplomb_sim::simulation::Simulation| simulation.state.positions.iter().map(|x| x.y).fold(0.0, f64::max);
    let before = top(&still);
    let height = COUNTS[1] as f64 * SPACING;
    let crossing = height / (STIFFNESS * EXPONENT / DENSITY).sqrt();
    still.system.simulate.step_size = 0.1 * crossing;
    run(&mut still, crossing);
    let expected = DENSITY * GRAVITY * height * height / (2.0 * STIFFNESS * EXPONENT);
    let rises = top(&still) - before;
    println!("rises by {rises:.3e} m of {expected:.3e} m");
    assert!((0.9..1.1).contains(&(rises / expected)), "{rises} {expected}");
}

/// Where a wall goes, its front runs as far as that of water that has settled by itself, it keeps its volume, and all that is left of its walls.
#[test]
fn an_opened_tank_runs_out() {
    let mut tank = tank(0.0, Vec3::zeros());
    tank.scene["obstacles"][2]["removed_at"] = json!(0.055);
    let (mut runs, report) = tank.initialised(Method::SagFree);
    assert!(report.residual.balanced);
    let (drift, _) = run(&mut runs, 0.05);
    assert!(drift < 1e-12, "{drift:e}");
    let front = |simulation: &aplomb_sim::simulation::Simulation| simulation.state.positions.iter().map(|x| x.x).fold(0.0, f64::max);
    let wall = COUNTS[0] as f64 * SPACING;
    let (_, last) = run(&mut runs, 0.25);
    let volume = COUNTS.iter().product::<usize>() as f64 * SPACING.powi(3);
    println!("front {:.3} m of a wall at {wall:.3} m, volume {:.4} of {volume:.4} m^3", front(&runs), last.volume);
    // The fastest that a front runs on a dry floor is twice the speed of shallow waves.
    let fastest = 2.0 * (GRAVITY * COUNTS[1] as f64 * SPACING).sqrt() * 0.25;
    assert!(front(&runs) > wall + 0.15 * fastest && front(&runs) < wall + fastest, "{}", front(&runs));
    assert!((last.volume / volume - 1.0).abs() < 0.03);
    assert!(runs.state.positions.iter().all(|x| x.y > -0.05 && x.x > -0.05 && x.z > -0.05 && x.z < wall + 0.05));
    const SETTLING: f64 = 20.0;
    tank.scene["obstacles"][2]["removed_at"] = json!(SETTLING + 0.005);
    let mut settled = tank.initialised(Method::Naive).0;
    let (sunk, still) = run(&mut settled, SETTLING);
    run(&mut settled, 0.25);
    println!("settled by itself: sunk by {sunk:.1e} of the diagonal, {:.1e} J; front {:.4} m", still.kinetic, front(&settled));
    assert!(still.kinetic < 1e-3 && sunk > 1e-3);
    assert!((front(&runs) / front(&settled) - 1.0).abs() < 0.02);
}

/// In space a sheared block comes to a stop the sooner the more viscous it is, and no viscosity changes its momenta.
#[test]
fn viscosity_stops_what_shears() {
    let left = |viscosity: f64| {
        let mut block = Particles::liquid(&lattice([8, 8, 8], 0.0), settings());
        block.scene["gravity"] = json!([0.0, 0.0, 0.0]);
        block.scene["bodies"][0]["as"]["particles"]["liquid"]["viscosity"] = json!(viscosity);
        let mut simulation = block.build();
        let middle = 0.2;
        for (v, x) in simulation.state.velocities.iter_mut().zip(&simulation.system.positions) {
            *v = Vec3::new(x.y - middle, 0.0, 0.0);
        }
        let before = simulation.state.velocities.iter().map(Vec3::norm_squared).sum::<f64>();
        run(&mut simulation, 0.1);
        let momentum: Vec3 = simulation.state.velocities.iter().sum();
        assert!(momentum.norm() < 1e-11, "{momentum}");
        simulation.state.velocities.iter().map(Vec3::norm_squared).sum::<f64>() / before
    };
    // The last is so viscous that not waves but viscosity cuts the steps.
    let [none, some, much, thick] = [0.0, 30.0, 1000.0, 2e4].map(left);
    println!("left of the energy: {none:.3}, {some:.3}, {much:.3}, {thick:.3}");
    // What spins cannot stop: of a shear half is a turn, which keeps at least its share.
    assert!(none > some && some > much && much > 0.3 && none - much > 0.1, "{none} {some} {much}");
    assert!(thick < 1.01 * much && thick > 0.3, "{thick}");
}
