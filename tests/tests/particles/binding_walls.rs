//! Walls that bind what touches them: nodes of the grid slip along them or stick to them, and do not leave.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::scene::{GRAVITY, GRIDS, Particles, SPACING, about, lattice, run};
use aplomb_sim::math::random::Random;
use aplomb_sim::math::{Mat3, Vec3};
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use nalgebra::Rotation3;
use serde_json::{Value, json};

/// A plane that holds nodes so.
fn plane(point: Vec3, normal: Vec3, wall: &str) -> Value {
    let shape = json!({ "half_space": { "point": point.as_slice(), "normal": normal.as_slice() } });
    json!({ "name": "wall", "shape": shape, "friction": 0.0, "wall": wall })
}

/// A block whose points are out of their lattice by chance, at a wall through the origin with this normal, that gravity draws that way.
fn block(normal: Vec3, wall: &str, gravity: Vec3) -> Particles {
    let mut points = lattice([10, 10, 10], 0.2);
    // What of it is before the wall, in its middle, with a flat side.
    let middle = Vec3::repeat(5.0 * SPACING);
    points.iter_mut().for_each(|x| *x -= middle);
    points.retain(|x| (0.0..3.0 * SPACING).contains(&normal.dot(x)));
    let mut block = Particles::elastic(&points, "neo_hookean");
    block.scene["bodies"][0]["as"]["particles"]["elastic"]["young"] = json!(1e9);
    block.scene["gravity"] = json!(gravity.as_slice());
    block.scene["obstacles"] = json!([plane(Vec3::zeros(), normal, wall)]);
    // As wide as three points, so that none of them has nodes to itself.
    block.scene["simulate"]["grid"] = json!({ "spacing": 3.0 * SPACING });
    // Single points at its rim are held less exactly.
    block.scene["initialise"] = json!({ "tolerance": 1e-5 });
    block
}

fn stresses(simulation: &Simulation) -> Vec<Mat3> {
    simulation.system.points().unwrap().elements.iter().map(|point| point.cauchy_stress(&point.given_gradient)).collect()
}

/// Walls at any angle that stick hold up what hangs from them, beside them or on them; those that slip hold it where it is drawn straight away from them or
/// into them, and are told not to where it would go along; those that only push do neither.
#[test]
fn walls_hold_what_they_bind() {
    let mut random = Random::new(3);
    for trial in 0..6 {
        let normal = random.vector(-1.0, 1.0).normalize();
        let along = normal.cross(&random.vector(-1.0, 1.0)).normalize();
        for (wall, pull, holds) in [
            ("sticky", normal, true),
            ("sticky", along, true),
            ("sticky", (normal + along).normalize(), true),
            ("slip", normal, true),
            ("slip", -normal, true),
            ("slip", (normal + 0.2 * along).normalize(), false),
            ("separating", normal, false),
        ] {
            let (mut simulation, report) = block(normal, wall, GRAVITY * pull).initialised(Method::SagFree);
            let (drift, _) = run(&mut simulation, 0.2);
            println!("{trial} {wall} {holds}: {:?}, drift {drift:.1e}", report.grid.unwrap());
            assert_eq!(report.outcome.holds, holds, "{wall} {pull}: {:?} {:?}", report.grid, report.infeasible);
            assert!(if holds { drift < 1e-8 } else { drift > 1e-2 }, "{wall} {pull}: {drift:e}");
            let told = report.infeasible.first().map_or("", |why| why.message.as_str());
            assert!(holds || told.starts_with("no balance") && !told.contains("reaches"), "{told}");
        }
    }
}

/// By every kernel and transfer, explicit and implicit; what is undeformed at the start sags.
#[test]
fn what_hangs_rests_by_every_grid_and_step() {
    let hung = |(kernel, transfer): (&str, &str), stepper: &str| {
        let mut block = Particles::elastic(&lattice([4, 6, 4], 0.1), "corotated");
        block.on_grid((kernel, transfer));
        let top = plane(Vec3::new(0.0, 6.0 * SPACING, 0.0), -Vec3::y(), "sticky");
        let side = plane(Vec3::zeros(), Vec3::x(), "slip");
        block.scene["obstacles"] = json!([top, side]);
        block.scene["obstacles"][1]["name"] = json!("side");
        block.scene["simulate"]["stepper"] = json!(stepper);
        block
    };
    for grid in GRIDS {
        for stepper in ["mpm", "mpm_implicit"] {
            let hung = hung(grid, stepper);
            let (mut simulation, report) = hung.initialised(Method::SagFree);
            let (drift, last) = run(&mut simulation, 0.2);
            let (sagged, _) = run(&mut hung.initialised(Method::Naive).0, 0.2);
            println!("{grid:?} {stepper}: {:?}, drift {drift:.1e}, naive {sagged:.1e}", report.grid.unwrap());
            assert!(report.outcome.holds, "{grid:?}: {:?} {:?}", report.grid, report.infeasible);
            assert!(drift < 1e-10 && sagged > 1e-4, "{grid:?} {stepper}: {drift:e} {sagged:e}");
            // The wall carries the weight.
            let weight = simulation.system.masses.iter().sum::<f64>() * GRAVITY;
            assert!((last.wall_force.y / weight - 1.0).abs() < 1e-9, "{grid:?} {stepper}: {}", last.wall_force);
        }
    }
}

/// Iterated balances find the stresses of factorised ones, beside walls that only push as well.
#[test]
fn all_balances_find_the_same_stresses() {
    let [across, askew, leaning] = [[1.0, 0.0, 0.0], [0.8, 0.0, 0.6], [0.8, -0.6, 0.0]].map(Vec3::from);
    for (wall, beside, gravity) in [
        ("sticky", None, Vec3::new(4.0, 6.0, -3.0)),
        ("slip", None, GRAVITY * Vec3::y()),
        ("slip", Some((across, 0.3)), Vec3::new(-6.0, 4.0, 0.0)),
        ("slip", Some((across, 0.0)), Vec3::new(-6.0, 4.0, 0.0)),
        ("slip", Some((askew, 0.0)), Vec3::new(-6.4, 3.0, -4.8)),
        ("slip", Some((leaning, 0.0)), Vec3::new(-6.4, 3.0, 0.0)),
    ] {
        let [factorised, iterated] = [25_000, 0].map(|direct_up_to| {
            let mut points = lattice([6, 4, 6], 0.1);
            let mut walls = vec![plane(Vec3::zeros(), Vec3::y(), wall)];
            if let Some((normal, friction)) = beside {
                points.retain(|x| normal.dot(x) >= 0.0);
                let mut side = plane(Vec3::zeros(), normal, "separating");
                (side["name"], side["friction"]) = (json!("side"), json!(friction));
                walls.push(side);
            }
            let mut block = Particles::elastic(&points, "neo_hookean");
            block.scene["gravity"] = json!(gravity.as_slice());
            block.scene["obstacles"] = json!(walls);
            block.scene["initialise"] = json!({ "direct_up_to": direct_up_to, "tolerance": 1e-3 });
            let (simulation, report) = block.initialised(Method::SagFree);
            println!("{wall} {beside:?}, up to {direct_up_to}: {:?} {:?}", report.grid.unwrap(), report.infeasible);
            assert!(report.residual.balanced && report.grid.unwrap().acceleration_rms < 3e-5, "{:?}", report.grid);
            stresses(&simulation)
        });
        let norm = |of: &mut dyn Iterator<Item = Mat3>| of.map(|stress| stress.norm_squared()).sum::<f64>().sqrt();
        let apart = norm(&mut factorised.iter().zip(&iterated).map(|(a, b)| a - b)) / norm(&mut factorised.iter().copied());
        println!("{wall}: {apart:.1e} apart");
        // What iterations leave in motions that hardly stretch anything, the least stresses do not have.
        assert!(apart < 0.1, "{wall}: {apart:e}");
    }
}

/// A liquid so shallow that a floor and a ceiling bind all of its nodes needs no pressure, though a third wall leans; what is told is so.
#[test]
fn walls_that_carry_all_of_it_leave_a_liquid_at_rest() {
    for (kernel, jitter) in [("cubic", 0.0), ("cubic", 0.1), ("quadratic", 0.1)] {
        let mut shallow = Particles::liquid(&lattice([6, 4, 4], jitter), json!({ "stiffness": 1e5 }));
        let planes = [
            plane(Vec3::zeros(), Vec3::y(), "slip"),
            plane(Vec3::new(0.0, 4.0 * SPACING, 0.0), -Vec3::y(), "slip"),
            plane(Vec3::new(0.0, 0.0, 4.2 * SPACING), Vec3::new(-0.1, -0.02, -1.0), "slip"),
        ];
        shallow.scene["obstacles"] = json!(planes);
        ["floor", "ceiling", "side"].iter().enumerate().for_each(|(o, name)| shallow.scene["obstacles"][o]["name"] = json!(name));
        shallow.on_grid((kernel, "mls"));
        let (mut simulation, report) = shallow.initialised(Method::SagFree);
        let (drift, _) = run(&mut simulation, 0.2);
        let (naive, _) = run(&mut shallow.initialised(Method::Naive).0, 0.2);
        println!(
            "{kernel} {jitter}: {:?} in {} iterations, drift {drift:.1e}, naive {naive:.1e}: {:?}",
            report.grid.unwrap(),
            report.iterations,
            report.infeasible
        );
        assert_eq!(report.outcome.holds, naive < 1e-10, "{kernel} {jitter}: {:?}", report.infeasible);
        assert!(naive > 1e-10 || drift < 1e-10, "{kernel} {jitter}: {drift:e}");
    }
}

/// However it is turned, round-off of what walls carry altogether is nothing to be balanced.
#[test]
fn what_is_left_of_what_walls_carry_is_round_off() {
    let mut random = Random::new(12);
    for _ in 0..4 {
        let turn = Rotation3::new(random.vector(-1.5, 1.5)) * Rotation3::new(random.vector(-1.5, 1.5));
        let up = turn * Vec3::y();
        let points: Vec<Vec3> = lattice([8, 4, 8], 0.0).iter().map(|x| turn * x).collect();
        let mut shallow = Particles::liquid(&points, json!({ "stiffness": 1e5 }));
        shallow.scene["obstacles"] = json!([plane(Vec3::zeros(), up, "slip"), plane(4.0 * SPACING * up, -up, "slip")]);
        shallow.scene["obstacles"][1]["name"] = json!("ceiling");
        shallow.scene["gravity"] = json!((-GRAVITY * up).as_slice());
        shallow.on_grid(("cubic", "mls"));
        let (mut simulation, report) = shallow.initialised(Method::SagFree);
        let (drift, _) = run(&mut simulation, 0.2);
        println!("{:?} in {} iterations, drift {drift:.1e}: {:?}", report.grid.unwrap(), report.iterations, report.infeasible);
        assert!(report.outcome.holds && drift < 1e-10, "{drift:e} {:?}", report.infeasible);
        assert!(report.iterations <= 3, "{}", report.iterations);
    }
}

/// Sand that hangs is told how much cohesion it needs, with some and with none, as no angle of friction bears a pull; with so much it hangs, and with half of
/// that it does not.
#[test]
fn sand_that_hangs_is_told_to_need_cohesion() {
    for (wall, kernel, angle, matched) in
        [("sticky", "quadratic", 36.0, "compression"), ("slip", "cubic", 34.0, "compression"), ("sticky", "quadratic", 25.0, "plane")]
    {
        let hung = |cohesion: f64| {
            let mut sand = Particles::sand(&lattice([3, 3, 3], 0.0), angle);
            let given = &mut sand.scene["bodies"][0]["as"]["particles"]["sand"];
            (given["cohesion"], given["matched"]) = (json!(cohesion), json!(matched));
            sand.scene["obstacles"] = json!([plane(Vec3::new(0.0, 3.0 * SPACING, 0.0), -Vec3::y(), wall)]);
            sand.on_grid((kernel, "apic"));
            sand.initialised(Method::SagFree)
        };
        for little in [0.0, 10.0] {
            let (_, report) = hung(little);
            let why = &report.infeasible[0].message;
            assert!(why.starts_with("no balance") && why.contains("with a cohesion of about"), "{why}");
            let cohesion = about(why);
            let (mut holds, report) = hung(cohesion);
            assert!(cohesion > 20.0 && report.outcome.holds, "{cohesion} {:?}", report.infeasible);
            assert!(run(&mut holds, 0.2).0 < 1e-10);
            let (mut flows, report) = hung(0.5 * cohesion);
            let drift = run(&mut flows, 0.2).0;
            println!("{wall} {angle} {matched}, {little} Pa: {cohesion} Pa; with half of that {drift:.1e}");
            assert!(!report.outcome.holds && drift > 1e-3, "{cohesion} {drift:e} {:?}", report.infeasible);
        }
    }
}

/// What sticks to a wall that moves along itself goes where that goes.
#[test]
fn walls_that_move_take_along_what_sticks() {
    let velocity = Vec3::new(0.2, 0.0, -0.1);
    let mut block = Particles::elastic(&lattice([6, 4, 6], 0.0), "neo_hookean");
    let mut ceiling = plane(Vec3::new(0.0, 4.0 * SPACING, 0.0), -Vec3::y(), "sticky");
    let keyframes = json!([{ "time": 0.0, "translate": [0, 0, 0] }, { "time": 1.0, "translate": velocity.as_slice() }]);
    ceiling["motion"] = json!({ "keyframes": keyframes });
    block.scene["obstacles"] = json!([ceiling]);
    block.scene["bodies"][0]["velocity"] = json!(velocity.as_slice());
    let (mut simulation, report) = block.initialised(Method::SagFree);
    assert!(report.residual.balanced, "{:?}", report.residual);
    let count = simulation.system.points().unwrap().elements.len();
    let given = simulation.state.positions.clone();
    run(&mut simulation, 0.5);
    let moved = (0..count).map(|p| (simulation.state.positions[p] - given[p] - 0.5 * velocity).norm()).fold(0.0, f64::max);
    println!("off its way by {moved:.1e} m");
    assert!(moved < 0.02 * SPACING, "{moved:e}");
}

#[test]
fn walls_that_bind_nothing_are_refused() {
    let mut tets = Particles::elastic(&lattice([4, 4, 4], 0.0), "corotated");
    tets.scene["obstacles"] = json!([plane(Vec3::zeros(), Vec3::y(), "sticky")]);
    let mut fluid = Particles::fluid(&lattice([4, 4, 4], 0.0), json!({}));
    fluid.scene["obstacles"] = tets.scene["obstacles"].clone();
    let told = |problems: Vec<String>, words: &[&str]| {
        let problems = problems.join("\n");
        words.iter().for_each(|word| assert!(problems.contains(word), "{word}: {problems}"));
    };
    told(fluid.problems(), &["obstacles[0].wall", "material points"]);
    assert_eq!(tets.problems(), Vec::<String>::new());
    tets.scene["simulate"]["stepper"] = json!("mpm_implicit");
    tets.scene["simulate"]["grid"] = json!({ "contact": "points" });
    told(tets.problems(), &["`wall`", "barriers only push", "not to leave"]);
    let mut liquid = Particles::liquid(&lattice([4, 4, 4], 0.0), json!({ "stiffness": 1e5 }));
    liquid.scene["bodies"][0]["as"]["particles"]["volume_by"] = json!("cell");
    told(liquid.problems(), &["as.particles.volume_by", "lock"]);
    fluid.scene["bodies"][0]["as"]["particles"]["volume_by"] = json!("cell");
    told(fluid.problems(), &["as.particles.volume_by", "no grid"]);
}
