//! What is told of material points that stand, slide and topple is so, whatever the kernel, the strength and the way down; and what is advised can be given.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::beside::{beside, held, medit};
use crate::scene::{GRAVITY, Particles, SPACING, about, lattice, run};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::mesh::structured::{CubeCut, box_mesh};
use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::{InfeasibilityCode, InitReport};
use nalgebra::Rotation3;
use serde_json::json;

const KERNELS: [&str; 3] = ["linear", "quadratic", "cubic"];

fn is_told(report: &InitReport, code: InfeasibilityCode) -> bool {
    report.infeasible.iter().any(|why| why.code == code)
}

/// Cubes on level floors, turned with them and with gravity, some with friction, never slide off or lie on nothing: what single points keep is not known
/// to be more than that.
#[test]
fn level_floors_carry() {
    let mut random = Random::new(41);
    let (mut held, mut open) = (0, 0);
    for trial in 0..18 {
        let turn = Rotation3::new(random.vector(-1.5, 1.5)) * Rotation3::new(random.vector(-1.5, 1.5));
        let (up, shift) = (turn * Vec3::y(), random.vector(0.0, 2.0 * SPACING));
        let points: Vec<Vec3> = lattice([6, 6, 6], 0.0).iter().map(|x| turn * x + shift).collect();
        let mut cube = Particles::elastic(&points, "neo_hookean");
        let friction = [0.0, 0.3, 0.6][trial / 3 % 3];
        let floor = json!({ "half_space": { "point": shift.as_slice(), "normal": up.as_slice() } });
        cube.scene["obstacles"] = json!([{ "name": "floor", "shape": floor, "friction": friction }]);
        cube.scene["gravity"] = json!((-GRAVITY * up).as_slice());
        cube.on_grid((KERNELS[trial % 3], "apic"));
        let (_, report) = cube.initialised(Method::SagFree);
        let grid = report.grid.unwrap();
        println!("{} {friction}: {:.1e} {:.1e} {:?}", KERNELS[trial % 3], grid.acceleration_max, grid.acceleration_rms, report.outcome);
        // A single point may be asked for more than it can make.
        let may_be = [InfeasibilityCode::Undecided, InfeasibilityCode::TooSoft];
        assert!(report.infeasible.iter().all(|why| may_be.contains(&why.code)), "{:?}", report.infeasible);
        *if report.outcome.holds { &mut held } else { &mut open } += 1;
    }
    println!("{held} hold, of {open} it is not known");
    assert!(held > 1 && open > 1);
}

/// Metal and clay on slopes hold as soon as friction is enough, also where the share of it that is taken at first is not.
#[test]
fn no_friction_that_is_enough_is_too_little() {
    for degrees in [3.0_f64, 12.0] {
        let angle = degrees.to_radians();
        for (more, holds) in [(0.97, false), (1.01, true), (1.035, true), (1.05, true), (1.2, true)] {
            let clay = json!({ "young": 1e6, "poisson": 0.3, "friction_angle": 20.0, "cohesion": 1e5 });
            let points = lattice([6, 3, 4], 0.0);
            let mut scenes = [Particles::metal(&points, 1e5), Particles::sand(&points, 20.0), Particles::elastic(&points, "hencky")];
            scenes[1].scene["bodies"][0]["as"]["particles"]["sand"] = clay;
            for mut scene in scenes {
                scene.floor(more * angle.tan());
                scene.scene["gravity"] = json!([GRAVITY * angle.sin(), -GRAVITY * angle.cos(), 0.0]);
                let (mut simulation, report) = scene.initialised(Method::SagFree);
                assert_eq!(report.residual.balanced, holds, "{degrees} {more}: {:?}", report.infeasible);
                assert_eq!(is_told(&report, InfeasibilityCode::TooLittleFriction), !holds, "{degrees} {more}: {:?}", report.infeasible);
                if holds {
                    let drift = run(&mut simulation, 0.2).0;
                    assert!(drift < 1e-9, "{degrees} {more}: {drift:e}");
                }
            }
        }
    }
}

/// The strength of a metal or of clay does not matter where it is not asked for, however large it is.
#[test]
fn strong_matter_holds_as_exactly_as_what_never_yields() {
    let points = lattice([6, 6, 6], 0.0);
    for strength in [1e5, 1e9, 1e12] {
        let mut clay = Particles::sand(&points, 30.0);
        clay.scene["bodies"][0]["as"]["particles"]["sand"]["cohesion"] = json!(strength);
        for mut scene in [Particles::metal(&points, strength), clay] {
            scene.floor(0.5);
            let (mut simulation, report) = scene.initialised(Method::SagFree);
            let grid = report.grid.unwrap();
            println!("{strength:e} Pa: {:.1e} {:.1e}", grid.acceleration_max, grid.acceleration_rms);
            assert!(report.outcome.holds && grid.acceleration_max < 1e-11, "{strength:e}: {:?}", report.infeasible);
            let drift = run(&mut simulation, 0.1).0;
            assert!(drift < 1e-11, "{drift:e}");
        }
    }
    // Steel of 15 mm.
    let small: Vec<Vec3> = points.iter().map(|x| 0.05 * x).collect();
    let mut steel = Particles::metal(&small, 2.5e8);
    let matter = &mut steel.scene["bodies"][0]["as"]["particles"];
    (matter["spacing"], matter["density"]) = (json!(0.05 * SPACING), json!(7850.0));
    matter["metal"] = json!({ "young": 2.1e11, "poisson": 0.3, "yield_stress": 2.5e8 });
    steel.floor(0.5);
    let (_, report) = steel.initialised(Method::SagFree);
    assert!(report.outcome.holds, "{:?}", report.infeasible);
}

/// What topples is held by no friction, and none is advised.
#[test]
fn no_friction_holds_what_topples() {
    // On a table whose edge is at 0; nearer to that than a cell friction at two layers of nodes would turn it back.
    for (over, friction) in [(0.72, 0.6), (0.8, 0.0), (0.8, 2.0)] {
        let points: Vec<Vec3> = lattice([12, 3, 6], 0.0).iter().map(|x| x - Vec3::new(12.0 * SPACING * (1.0 - over), 0.0, 0.0)).collect();
        let mut slab = Particles::elastic(&points, "neo_hookean");
        let shape = json!({ "box": { "center": [-1.0, -0.5, 0.15], "size": [2.0, 1.0, 2.0] } });
        slab.scene["obstacles"] = json!([{ "name": "table", "shape": shape, "friction": friction }]);
        let (_, report) = slab.initialised(Method::SagFree);
        let message = &report.infeasible[0].message;
        println!("{over} {friction}: {message}");
        assert!(is_told(&report, InfeasibilityCode::Unsupported), "{message}");
    }
}

/// Grains are told an angle and a cohesion that hold them, and no angle that a scene may not have.
#[test]
fn the_strength_that_is_told_can_be_given() {
    let column = |layers: usize, angle: f64, cohesion: f64| {
        let mut sand = Particles::sand(&lattice([6, layers, 6], 0.0), angle);
        sand.scene["bodies"][0]["as"]["particles"]["sand"]["cohesion"] = json!(cohesion);
        sand.floor(2.0);
        sand
    };
    let told = |sand: &Particles| {
        let (_, report) = sand.initialised(Method::SagFree);
        assert!(is_told(&report, InfeasibilityCode::Yields), "{:?}", report.infeasible);
        report.infeasible[0].message.clone()
    };
    let dry = [6, 30].map(|layers| told(&column(layers, 30.0, 0.0)));
    println!("{dry:?}");
    assert!((30.0..80.0).contains(&about(&dry[0])) && dry[1].contains("with a cohesion of about"));
    let holds = column(30, 30.0, about(&dry[1])).initialised(Method::SagFree).1;
    assert!(!is_told(&holds, InfeasibilityCode::Yields), "{:?}", holds.infeasible);
    let clinging = told(&column(12, 30.0, 300.0));
    println!("{clinging}");
    let [angle, cohesion] = [1, 2].map(|k| clinging.split("about ").nth(k).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap());
    assert!(angle > 30.0 && angle < 80.0 && cohesion > 300.0);
    let (mut stands, report) = column(12, angle + 1.0, 1.05 * cohesion).initialised(Method::SagFree);
    assert!(!is_told(&report, InfeasibilityCode::Yields), "{:?}", report.infeasible);
    let drift = run(&mut stands, 0.1).0;
    assert!(drift < 1e-3, "{drift:e}");
}

/// What is told to be strong enough is, with a little more than that: metals and grains that cling, in blocks and wedges, between walls at random that push, rub
/// and bind. Where these barely bear their loads, or are jammed by them, their balance is a long way off in the dual.
#[test]
fn the_strength_that_is_told_is_enough() {
    let mut random = Random::new(17);
    let mut followed = 0;
    for trial in 0..24 {
        let counts = [0; 3].map(|_| random.uniform(3.0, 7.0) as usize);
        let sides = counts.map(|count| count as f64 * SPACING);
        let is_in = |x: &Vec3| trial % 2 == 0 || x.x / sides[0] + x.y / sides[1] < 1.0;
        let points: Vec<Vec3> = lattice(counts, 0.0).into_iter().filter(is_in).collect();
        let mut scene = match trial % 4 {
            0 => Particles::metal(&points, random.uniform(100.0, 1000.0)),
            _ => Particles::sand(&points, random.uniform(15.0, 40.0)),
        };
        let kind = ["metal", "sand"][usize::from(trial % 4 > 0)];
        let matter = &mut scene.scene["bodies"][0]["as"]["particles"][kind];
        matter["young"] = json!(3e6);
        if kind == "sand" {
            matter["cohesion"] = json!(random.uniform(10.0, 100.0));
        }
        scene.on_grid((KERNELS[random.uniform(0.0, 3.0) as usize], "apic"));
        let angle = random.uniform(0.0, 0.7);
        scene.scene["gravity"] = json!([GRAVITY * angle.sin(), -GRAVITY * angle.cos(), 0.0]);
        let mut obstacles = Vec::new();
        for axis in [1, 0, 2] {
            for (end, sign) in [(0.0, 1.0), (sides[axis], -1.0)] {
                let is_floor = (axis, sign) == (1, 1.0);
                let is_there = if axis == 1 { is_floor == (trial % 6 < 4) } else { random.uniform(0.0, 1.0) < 0.4 };
                let (mut point, mut normal) = (Vec3::zeros(), Vec3::zeros());
                (point[axis], normal[axis]) = (end, sign);
                let shape = json!({ "half_space": { "point": point.as_slice(), "normal": normal.as_slice() } });
                let wall = ["separating", "separating", "slip", "sticky"][random.uniform(0.0, 4.0) as usize];
                let friction = [0.0, 0.3, 0.6, 1.0][random.uniform(0.0, 4.0) as usize];
                if is_there {
                    obstacles.push(json!({ "name": format!("{axis} {sign}"), "shape": shape, "friction": friction, "wall": wall }));
                }
            }
        }
        scene.scene["obstacles"] = json!(obstacles);
        let (_, report) = scene.initialised(Method::SagFree);
        let Some(why) = report.infeasible.iter().find(|why| why.code == InfeasibilityCode::Yields) else { continue };
        let told = |of: &str| Some(about(&why.message[why.message.find(&format!("{of} of about "))?..]));
        for (of, key) in [("yield stress", "yield_stress"), ("angle of friction", "friction_angle"), ("cohesion", "cohesion")] {
            if let Some(told) = told(of) {
                scene.scene["bodies"][0]["as"]["particles"][kind][key] = json!(1.02 * told);
            }
        }
        let (mut simulation, report) = scene.initialised(Method::SagFree);
        println!("{trial} {kind}: {}; {:.1e}", why.message, report.residual.after);
        if why.message.contains(", but for ") {
            continue;
        }
        assert!(report.outcome.holds, "{trial}: {:?}", report.infeasible);
        let drift = run(&mut simulation, 0.05).0;
        assert!(drift < 1e-8, "{trial}: {drift:e}");
        followed += 1;
    }
    println!("{followed} followed");
    assert!(followed > 12);
}

/// Grains that are barely strong enough are balanced to round-off: their dual is far from where the first rounds have come to.
#[test]
fn what_is_barely_strong_enough_is_balanced_to_round_off() {
    let plane = |point: [f64; 3], normal: [f64; 3]| json!({ "half_space": { "point": point, "normal": normal } });
    for (counts, angle, grains, walls) in [
        (
            [6, 7, 7],
            0.56,
            (27.0, 42.2, "compression"),
            [(0.3, "separating"), (0.3, "sticky"), (0.6, "separating"), (0.6, "separating"), (0.0, "slip")].as_slice(),
        ),
        ([5, 4, 7], 0.24, (41.2, 145.0, "plane"), &[(0.3, "slip"), (0.3, "sticky"), (0.3, "separating"), (0.6, "sticky")]),
    ] {
        let sides = counts.map(|count| count as f64 * SPACING);
        let is_wedge = grains.2 == "compression";
        // Layers are shorter the higher they are.
        let is_in = |x: &Vec3| !is_wedge || (x.x - 0.5 * SPACING) / sides[0] + (x.y - 0.5 * SPACING) / sides[1] < 1.0 - 1e-9;
        let points: Vec<Vec3> = lattice(counts, 0.0).into_iter().filter(is_in).collect();
        let mut sand = Particles::sand(&points, grains.0);
        let given = &mut sand.scene["bodies"][0]["as"]["particles"]["sand"];
        (given["cohesion"], given["matched"]) = (json!(grains.1), json!(grains.2));
        sand.on_grid(("quadratic", "apic"));
        sand.scene["gravity"] = json!([9.81 * f64::sin(angle), -9.81 * f64::cos(angle), 0.0]);
        let planes = [
            plane([0.0; 3], [0.0, 1.0, 0.0]),
            plane([0.0; 3], [1.0, 0.0, 0.0]),
            plane([sides[0], 0.0, 0.0], [-1.0, 0.0, 0.0]),
            plane([0.0; 3], [0.0, 0.0, 1.0]),
            plane([0.0, 0.0, sides[2]], [0.0, 0.0, -1.0]),
        ];
        let obstacle = |(n, ((friction, wall), shape)): (usize, (&(f64, &str), &serde_json::Value))| json!({ "name": n.to_string(), "shape": shape, "friction": friction, "wall": wall });
        sand.scene["obstacles"] = walls.iter().zip(&planes).enumerate().map(obstacle).collect();
        let (mut simulation, report) = sand.initialised(Method::SagFree);
        println!("{}: {:.1e}", grains.2, report.residual.after);
        assert!(report.outcome.holds && report.residual.after < 1e-12, "{:.1e} {:?}", report.residual.after, report.infeasible);
        assert!(run(&mut simulation, 0.1).0 < 1e-12);
    }
}

/// Metal that walls jam in a corner could bear more by pressures without bound, if its surface had the slope that it is given to be solved for: it has none, and
/// no stiffness is told to hold what flows.
#[test]
fn no_stiffness_is_told_to_hold_what_flows() {
    let is_in = |x: &Vec3| x.x < 2.0 * SPACING || x.y < 4.0 * SPACING;
    let step: Vec<Vec3> = lattice([5, 8, 9], 0.0).into_iter().filter(is_in).collect();
    let with = |strength: f64, stiffen_up_to: f64| {
        let mut metal = Particles::metal(&step, strength);
        metal.scene["bodies"][0]["as"]["particles"]["metal"]["young"] = json!(8e5);
        let plane = |point: [f64; 3], normal: [f64; 3]| json!({ "half_space": { "point": point, "normal": normal } });
        metal.scene["obstacles"] = json!([
            { "name": "floor", "shape": plane([0.0; 3], [0.0, 1.0, 0.0]), "friction": 1.0 },
            { "name": "right", "shape": plane([5.0 * SPACING, 0.0, 0.0], [-1.0, 0.0, 0.0]), "friction": 1.0 },
        ]);
        metal.scene["initialise"] = json!({ "stiffen_up_to": stiffen_up_to });
        metal.on_grid(("linear", "apic"));
        metal.initialised(Method::SagFree).1
    };
    for stiffer in [1.0, 2.0, 10.0] {
        let report = with(1900.0, stiffer);
        println!("{:?} {:?}", report.outcome, report.unattainable.stiffness_factor);
        assert!(!report.outcome.holds && report.unattainable.stiffness_factor.is_none(), "{:?}", report.infeasible);
        assert!(!is_told(&report, InfeasibilityCode::TooSoft), "{:?}", report.infeasible);
    }
    let weak = with(70.0, 1.0);
    assert!(is_told(&weak, InfeasibilityCode::Yields));
    let report = with(1.02 * about(&weak.infeasible[0].message), 1.0);
    assert!(report.outcome.holds, "{:?}", report.infeasible);
}

/// What hangs over the edge of tets that are held stays there: right above the edge it is met from above, whatever round-off makes of where that is.
#[test]
fn what_hangs_over_an_edge_stays() {
    for (over, friction) in [(0.05, 0.3), (0.1, 0.6), (0.1, 0.1), (0.075, 1.0)] {
        let points: Vec<Vec3> = lattice([8, 3, 8], 0.0).iter().map(|x| x - Vec3::new(over, 0.0, over)).collect();
        let mut slab = Particles::elastic(&points, "neo_hookean");
        slab.scene["bodies"][0]["as"]["particles"]["elastic"]["young"] = json!(1e6);
        let (mut positions, tets) = box_mesh(Vec3::repeat(8.0 * SPACING), [4, 4, 4], CubeCut::Kuhn);
        positions.iter_mut().for_each(|x| x.y -= 8.0 * SPACING);
        std::fs::write(slab.folder.path().join("table.mesh"), medit(&(positions, tets))).unwrap();
        let material = json!({ "law": "neo_hookean", "young": 1e5, "poisson": 0.3, "density": 1000 });
        let regions = held(json!({ "height": { "axis": "y", "from": 0.0, "to": 0.01 } }), json!({}));
        beside(&mut slab, json!({ "name": "table", "mesh": "table.mesh", "material": material, "regions": regions }), friction);
        let (mut simulation, report) = slab.initialised(Method::SagFree);
        assert!(report.residual.balanced, "{:?}", report.infeasible);
        let drift = run(&mut simulation, 0.2).0;
        println!("{over} over, friction {friction}: {drift:.1e}");
        assert!(drift < 1e-9, "{drift:e}");
    }
}

/// By linear weights, in as many parts as are chosen, what falls, bounces and collides ends with no more energy than it began with.
#[test]
fn linear_weights_make_no_energy() {
    let mut random = Random::new(3);
    let points: Vec<Vec3> = lattice([5, 5, 5], 0.3).iter().map(|x| x + random.vector(0.0, 0.1)).collect();
    let energetic = Vec3::new(1.0, -2.0, 0.5);
    for transfer in ["apic", "flip", "pic"] {
        let liquid = json!({ "stiffness": 4e4 });
        let scenes = [
            Particles::elastic(&points, "neo_hookean"),
            Particles::sand(&points, 30.0),
            Particles::metal(&points, 1e3),
            Particles::liquid(&points, liquid),
        ];
        for mut scene in scenes {
            scene.floor(0.3);
            scene.on_grid(("linear", transfer));
            scene.scene["bodies"][0]["velocity"] = json!(energetic.as_slice());
            let mut simulation = scene.initialised(Method::Naive).0;
            let mass: f64 = simulation.system.masses.iter().sum();
            let first = 0.5 * mass * energetic.norm_squared();
            let fall = mass * GRAVITY * 0.3;
            let (mut most, mut parts) = (f64::NEG_INFINITY, (u32::MAX, 0));
            let start: f64 = simulation.state.positions.iter().zip(&simulation.system.masses).map(|(x, m)| m * GRAVITY * x.y).sum();
            for _ in 0..40 {
                let step = simulation.step(&aplomb_sim::watch::Unwatched).unwrap();
                let height: f64 = simulation.state.positions.iter().zip(&simulation.system.masses).map(|(x, m)| m * GRAVITY * x.y).sum();
                most = most.max(step.kinetic + step.elastic + height - start - first);
                parts = (parts.0.min(step.substeps), parts.1.max(step.substeps));
            }
            println!("{transfer} {}: {most:.2e} J more of {first:.1} J, {parts:?} parts", scene.scene["name"]);
            assert!(most < 0.02 * (first + fall), "{transfer} {}: {most}", scene.scene["name"]);
        }
    }
}

/// A grid that is finer than the points are apart is refused, with what would do.
#[test]
fn a_grid_between_the_points_is_refused() {
    let mut fine = Particles::elastic(&lattice([4, 4, 4], 0.0), "neo_hookean");
    fine.floor(0.3);
    fine.scene["simulate"]["grid"] = json!({ "spacing": 0.9 * SPACING });
    let problems = fine.problems().join("\n");
    assert!(problems.contains("on a grid with cells of 4.500e-2 m") && problems.contains("simulate.grid.spacing"), "{problems}");
    fine.scene["simulate"]["grid"] = json!({ "spacing": SPACING });
    assert!(fine.problems().is_empty());
}

/// Contact distances that are advised where nothing touches make it touch, and hold.
#[test]
fn the_distance_that_is_told_is_enough() {
    let points: Vec<Vec3> = lattice([5, 5, 5], 0.0).iter().map(|x| x + 0.01 * Vec3::y()).collect();
    let mut hovering = Particles::elastic(&points, "neo_hookean");
    hovering.floor(0.3);
    hovering.scene["simulate"] = json!({ "stepper": "mpm_implicit", "step_size": 0.01, "grid": { "contact": "points" } });
    let (_, report) = hovering.initialised(Method::SagFree);
    let message = &report.infeasible[0].message;
    println!("{message}");
    let share: f64 = message.split("bodies, to ").nth(1).unwrap().parse().unwrap();
    // A hundredth of a metre off, as balls as wide as the spacing.
    let distance = share * hovering.build().system.diagonal;
    assert!((1.0..1.2).contains(&(distance / 0.01)), "{distance}");
    hovering.scene["contact"] = json!({ "detection_distance": share, "barrier_distance": share });
    let (_, report) = hovering.initialised(Method::SagFree);
    assert!(report.residual.balanced, "{:?}", report.infeasible);
}
