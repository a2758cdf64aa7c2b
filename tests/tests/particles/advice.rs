//! What is advised holds as soon as it is followed, body by body where several yield, whatever of it is weak.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use crate::scene::{GRAVITY, Particles, SPACING, about, lattice, run};
use aplomb_sim::material::yields::{Matched, YieldSurface};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::{InfeasibilityCode, InitReport};
use serde_json::{Value, json};

/// Given so much more than is advised.
const MORE: f64 = 1.02;
/// What is told of what is left but for what holds.
const BUT: [&str; 3] = ["but for single points", "move as one", "trickle"];

/// A plane through a point, off which things are held to the side of its normal, with this friction and condition.
fn wall(point: [f64; 3], normal: [f64; 3], (friction, condition): (f64, &str)) -> Value {
    let shape = json!({ "half_space": { "point": point, "normal": normal } });
    json!({ "name": format!("{point:?} {normal:?}"), "shape": shape, "friction": friction, "wall": condition })
}

/// Makes matter so many times as strong; whether that is of some material.
fn strengthen(matter: &mut Value, factor: f64) -> bool {
    if let Some(strength) = matter["metal"]["yield_stress"].as_f64() {
        matter["metal"]["yield_stress"] = json!(factor * strength);
    }
    let Some(angle) = matter["sand"]["friction_angle"].as_f64() else { return true };
    let matched = Matched::Compression;
    let surface = YieldSurface::drucker_prager(angle, matter["sand"]["cohesion"].as_f64().unwrap_or(0.0), matched).shared(factor);
    let (Some(angle), Some(cohesion)) = (surface.friction_angle(matched), surface.cohesion(matched)) else { return false };
    (matter["sand"]["friction_angle"], matter["sand"]["cohesion"]) = (json!(angle), json!(cohesion));
    angle < 80.0
}

/// Gives the scene what the first statement advises; whether there is something.
fn follow(scene: &mut Particles, report: &InitReport) -> bool {
    let Some(why) = report.infeasible.first() else { return false };
    let number = |of: &str| Some(about(&why.message[why.message.find(&format!("{of} of about "))?..]));
    if let Some((_, rest)) = why.message.split_once("where all that yields is ") {
        let factor = MORE * rest.split(' ').next().unwrap().parse::<f64>().unwrap();
        if !scene.scene["bodies"].as_array_mut().unwrap().iter_mut().all(|body| strengthen(&mut body["as"]["particles"], factor)) {
            return false;
        }
    }
    let body = scene.scene["bodies"].as_array_mut().unwrap().iter_mut().find(|body| body["name"] == json!(why.body)).unwrap();
    let mut follows = false;
    for (of, kind, key) in
        [("yield stress", "metal", "yield_stress"), ("angle of friction", "sand", "friction_angle"), ("cohesion", "sand", "cohesion")]
    {
        if let Some(told) = number(of) {
            body["as"]["particles"][kind][key] = json!(MORE * told);
            follows = true;
        }
    }
    if let Some((_, rest)) = why.message.split_once("; a stiffness ") {
        let factor = MORE * rest.split(' ').next().unwrap().parse::<f64>().unwrap();
        for kind in ["metal", "sand", "elastic"] {
            if let Some(young) = body["as"]["particles"][kind]["young"].as_f64() {
                body["as"]["particles"][kind]["young"] = json!(factor * young);
            }
        }
        follows = true;
    }
    if let Some(told) = number("friction coefficient") {
        for obstacle in scene.scene["obstacles"].as_array_mut().unwrap() {
            obstacle["friction"] = json!(f64::max(obstacle["friction"].as_f64().unwrap(), MORE * told));
        }
        follows = true;
    }
    follows
}

/// A step of metal, jammed in a corner below a ceiling, could bear more by pressures without bound if its surface had a slope. It has none, and what is told to be
/// enough is, at once and with more.
#[test]
fn metal_bears_no_more_by_pressure() {
    let counts = [4, 8, 9];
    let is_in = |x: &Vec3| x.x < 2.0 * SPACING || x.y < 4.0 * SPACING;
    let step: Vec<Vec3> = lattice(counts, 0.0).into_iter().filter(is_in).collect();
    let sides = counts.map(|count| count as f64 * SPACING);
    let with = |strength: f64| {
        let mut metal = Particles::metal(&step, strength);
        let matter = &mut metal.scene["bodies"][0]["as"]["particles"];
        (matter["density"], matter["metal"]["young"]) = (json!(1500.0), json!(652_158.0));
        metal.scene["obstacles"] = json!([
            wall([0.0, sides[1], 0.0], [0.0, -1.0, 0.0], (0.0, "slip")),
            wall([0.0; 3], [1.0, 0.0, 0.0], (1.0, "separating")),
            wall([sides[0], 0.0, 0.0], [-1.0, 0.0, 0.0], (0.1, "sticky")),
        ]);
        metal.scene["gravity"] = json!([0.65477, -9.78812, 0.0]);
        metal.on_grid(("quadratic", "flip"));
        metal.initialised(Method::SagFree).1
    };
    let told = about(&with(211.9).infeasible[0].message);
    for more in [1.02, 1.05, 1.1, 1.2] {
        let report = with(more * told);
        println!("{more} of {told:.0} Pa: {:.1e}", report.residual.after);
        assert!(report.outcome.holds && report.residual.after < 1e-10, "{more}: {:?}", report.infeasible);
    }
}

/// Metal that is next to a liquid is told how strong it would have to be, by however much that is more.
#[test]
fn the_weakest_metal_is_told_what_is_enough() {
    for strength in [3.0, 1e-2] {
        let mut metal = Particles::metal(&lattice([5, 6, 5], 0.0), strength);
        metal.floor(0.5);
        let (_, report) = metal.initialised(Method::SagFree);
        println!("{strength} Pa: {}", report.infeasible[0].message);
        assert!(follow(&mut metal, &report), "{:?}", report.infeasible);
        let (mut simulation, report) = metal.initialised(Method::SagFree);
        assert!(report.outcome.holds, "{:?}", report.infeasible);
        assert!(run(&mut simulation, 0.1).0 < 1e-9);
    }
}

/// Clay, given as grains that cling and do not rub, is told of what it has: its cohesion.
#[test]
fn clay_is_told_of_its_cohesion() {
    for matched in ["compression", "plane"] {
        let mut clay = Particles::sand(&lattice([6, 6, 5], 0.0), 0.0);
        let sand = &mut clay.scene["bodies"][0]["as"]["particles"]["sand"];
        (sand["cohesion"], sand["matched"]) = (json!(200.0), json!(matched));
        clay.floor(0.5);
        let (_, report) = clay.initialised(Method::SagFree);
        println!("{matched}: {}", report.infeasible[0].message);
        assert!(report.infeasible[0].message.contains("a cohesion of about"), "{:?}", report.infeasible);
        assert!(follow(&mut clay, &report));
        let (mut simulation, report) = clay.initialised(Method::SagFree);
        assert!(report.outcome.holds, "{matched}: {:?}", report.infeasible);
        assert!(run(&mut simulation, 0.1).0 < 1e-9);
    }
}

/// Sand between two rough walls bears any load by pressures without bound, which crush it. What is told is enough without, and what is left then is what the
/// certificate says.
#[test]
fn sand_between_rough_walls_is_not_told_to_be_crushed() {
    // Where they are steeper they are held by such pressures alone.
    for (tilt, friction_angle) in [(0.2252_f64, 44.0), (0.2252, 46.6), (Random::new(99).uniform(0.1, 0.2), 44.0)] {
        let mut sand = Particles::sand(&lattice([7, 9, 9], 0.0), friction_angle);
        sand.on_grid(("quadratic", "pic"));
        let matter = &mut sand.scene["bodies"][0]["as"]["particles"];
        (matter["density"], matter["sand"]["young"], matter["sand"]["poisson"]) = (json!(1179.0), json!(199_957.0), json!(0.3713));
        sand.scene["gravity"] = json!([GRAVITY * tilt.sin(), -GRAVITY * tilt.cos(), 0.0]);
        sand.scene["obstacles"] =
            json!([wall([0.0; 3], [0.0, 1.0, 0.0], (0.1, "sticky")), wall([0.0; 3], [1.0, 0.0, 0.0], (0.1, "sticky"))]);
        let (_, report) = sand.initialised(Method::SagFree);
        println!("{tilt:.3}: {}; {:.1e} left", report.infeasible[0].message, report.residual.after);
        assert!(report.residual.after <= 1.0, "what does not hold begins as given: {}", report.residual.after);
        assert!(follow(&mut sand, &report));
        let (_, report) = sand.initialised(Method::SagFree);
        let told = report.infeasible.first().map_or("", |why| why.message.as_str());
        assert!(report.outcome.holds || told.contains("trickle"), "{told}");
        assert!(report.residual.after < 5e-3, "{told}: {}", report.residual.after);
        assert!(report.compression.unwrap().min > 0.5);
    }
}

/// What gives by half hangs or stands: Kirchhoff's stresses, by which it flows, are far from Cauchy's, which balance. What it is told, be it strength or
/// stiffness, holds as soon as it is followed.
#[test]
fn what_gives_much_is_told_enough() {
    let mut random = Random::new(18);
    for trial in 0..14 {
        let counts = [4, 4 + trial % 3, 4];
        let height = counts[1] as f64 * SPACING;
        let weight = 1e3 * GRAVITY * height;
        let mut times = |low: f64, high: f64| weight * 10_f64.powf(random.uniform(low, high));
        let mut soft = match trial % 3 {
            0 => Particles::sand(&lattice(counts, 0.0), 30.0),
            _ => Particles::metal(&lattice(counts, 0.0), times(-0.3, 0.2)),
        };
        let matter = &mut soft.scene["bodies"][0]["as"]["particles"];
        match trial % 3 {
            0 => (matter["sand"]["young"], matter["sand"]["cohesion"]) = (json!(times(-0.3, 0.5)), json!(times(-0.5, 0.2))),
            _ => matter["metal"]["young"] = json!(times(-0.3, 0.5)),
        }
        let hangs = ([0.0, height, 0.0], [0.0, -1.0, 0.0]);
        let stands = ([0.0; 3], [0.0, 1.0, 0.0]);
        let (point, normal) = if trial % 4 == 0 { stands } else { hangs };
        soft.scene["obstacles"] = json!([wall(point, normal, (0.5, "sticky"))]);
        let mut report = soft.initialised(Method::SagFree).1;
        for _ in 0..5 {
            println!("{trial}: {:?}", report.infeasible.first().map(|why| &why.message));
            if !follow(&mut soft, &report) {
                break;
            }
            report = soft.initialised(Method::SagFree).1;
        }
        assert!(report.outcome.holds, "{trial}: {:?}", report.infeasible);
    }
}

/// Of two bodies, one on or beside the other, of which one yields or both, it is told which one is too weak, and when that has what it needs the other's turn comes:
/// never the same again, and never walls where matter is what gives way.
#[test]
fn bodies_are_told_of_in_turn() {
    let mut random = Random::new(23);
    let (mut held, mut turns, mut others) = (0, 0, 0);
    for trial in 0..20 {
        let mut counts = [0; 3].map(|_| random.uniform(4.0, 7.0) as usize);
        let axis = trial % 2;
        counts[axis] = 6;
        let sides = counts.map(|count| count as f64 * SPACING);
        let (first, second): (Vec<Vec3>, Vec<Vec3>) = lattice(counts, 0.0).into_iter().partition(|x| x[axis] < 3.0 * SPACING);
        let mut scene = Particles::metal(&first, 10f64.powf(random.uniform(0.0, 3.0)));
        scene.beside(&second);
        let matter = |random: &mut Random| match random.uniform(0.0, 3.0) as usize {
            0 => json!({ "elastic": { "law": "neo_hookean", "young": 3e5, "poisson": 0.3 } }),
            1 => {
                json!({ "sand": { "young": 1e6, "poisson": 0.3, "friction_angle": random.uniform(15.0, 40.0), "cohesion": random.uniform(0.0, 100.0) } })
            }
            _ => json!({ "metal": { "young": 5e5, "poisson": 0.3, "yield_stress": 10f64.powf(random.uniform(0.0, 3.0)) } }),
        };
        let mut other = matter(&mut random);
        (other["spacing"], other["density"]) = (json!(SPACING), json!(random.uniform(800.0, 2000.0)));
        // Which one is below, or to the left.
        scene.scene["bodies"][trial / 2 % 2]["as"]["particles"] = other;
        let mut walls = vec![wall([0.0; 3], [0.0, 1.0, 0.0], (1.0, "separating"))];
        for (axis, end, sign) in [(0, 0.0, 1.0), (0, sides[0], -1.0), (2, 0.0, 1.0)] {
            let (mut point, mut normal) = ([0.0; 3], [0.0; 3]);
            (point[axis], normal[axis]) = (end, sign);
            if random.uniform(0.0, 1.0) < 0.4 {
                walls.push(wall(point, normal, (0.3, ["separating", "slip", "sticky"][random.uniform(0.0, 3.0) as usize])));
            }
        }
        scene.scene["obstacles"] = json!(walls);
        scene.on_grid((["linear", "quadratic"][trial / 4 % 2], "apic"));
        let (mut simulation, mut report) = scene.initialised(Method::SagFree);
        let mut told: Vec<String> = Vec::new();
        while let Some(why) = report.infeasible.first() {
            println!("{trial}: {:?} {}", why.code, why.message);
            if told.iter().any(|told| BUT.iter().any(|but| told.contains(but))) {
                break;
            }
            assert_eq!(why.code, InfeasibilityCode::Yields, "{trial}: {}", why.message);
            // Again only where each of them would hold if the others were firm, and none does.
            let is_of_all = why.message.contains("where all that yields");
            assert!(is_of_all || !told.iter().any(|told| told.contains(&format!("`{}` flows", why.body))), "{trial}: {} twice", why.body);
            assert!(!told.iter().any(|told| told.contains("where all that yields")), "{trial}: {} after all", why.body);
            others += usize::from(why.message.contains("as soon as what else yields"));
            told.push(why.message.clone());
            if !follow(&mut scene, &report) {
                break;
            }
            turns += 1;
            (simulation, report) = scene.initialised(Method::SagFree);
        }
        if report.outcome.holds {
            let drift = run(&mut simulation, 0.05).0;
            assert!(drift < 1e-8, "{trial}: {drift:e}");
            held += usize::from(!told.is_empty());
        }
    }
    println!("{held} of those that are told something hold, {turns} turns, {others} of them told of others");
    assert!(held > 16 && others > 1);
}

/// Metal on a smooth slope that is too weak for it as well is told of the friction first, which alone would not do, and then of its strength.
#[test]
fn what_slides_and_flows_is_told_of_both() {
    for kernel in ["linear", "quadratic"] {
        let mut metal = Particles::metal(&lattice([6, 5, 5], 0.0), 100.0);
        metal.floor(0.05);
        let angle = 0.2_f64;
        metal.scene["gravity"] = json!([GRAVITY * angle.sin(), -GRAVITY * angle.cos(), 0.0]);
        metal.on_grid((kernel, "apic"));
        for code in [InfeasibilityCode::TooLittleFriction, InfeasibilityCode::Yields] {
            let (_, report) = metal.initialised(Method::SagFree);
            println!("{kernel}: {}", report.infeasible[0].message);
            assert_eq!(report.infeasible[0].code, code, "{:?}", report.infeasible);
            assert!(follow(&mut metal, &report));
        }
        let friction = metal.scene["obstacles"][0]["friction"].as_f64().unwrap();
        assert!((0.98 * angle.tan()..1.1 * angle.tan()).contains(&friction), "{friction}");
        let (mut simulation, report) = metal.initialised(Method::SagFree);
        assert!(report.outcome.holds, "{kernel}: {:?}", report.infeasible);
        assert!(run(&mut simulation, 0.1).0 < 1e-9);
    }
}

/// What lies on metal that is too weak could hold that as a clamp does, if it were seven hundred times as strong: it is told what it needs itself, and then what both do.
#[test]
fn nothing_is_told_to_hold_the_other_as_a_clamp() {
    let (below, above): (Vec<Vec3>, Vec<Vec3>) = lattice([6, 8, 6], 0.0).into_iter().partition(|x| x.y < 4.0 * SPACING);
    let mut scene = Particles::metal(&below, 1200.0);
    scene.beside(&above);
    let bodies = &mut scene.scene["bodies"];
    (bodies[0]["as"]["particles"]["metal"]["young"], bodies[1]["as"]["particles"]["metal"]["young"]) = (json!(5e5), json!(5e5));
    bodies[1]["as"]["particles"]["metal"]["yield_stress"] = json!(300.0);
    bodies[1]["as"]["particles"]["density"] = json!(1500.0);
    scene.floor(0.8);
    scene.on_grid(("quadratic", "apic"));
    for words in ["as soon as what else yields is strong enough", "where all that yields is"] {
        let (_, report) = scene.initialised(Method::SagFree);
        let why = &report.infeasible[0];
        println!("{}", why.message);
        assert!(why.code == InfeasibilityCode::Yields && why.message.contains(words), "{}", why.message);
        assert!(follow(&mut scene, &report));
    }
    let (mut simulation, report) = scene.initialised(Method::SagFree);
    assert!(report.outcome.holds, "{:?}", report.infeasible);
    let strength = |body: usize| scene.scene["bodies"][body]["as"]["particles"]["metal"]["yield_stress"].as_f64().unwrap();
    assert!(strength(0) < 1e4 && strength(1) < 1e4, "{} {}", strength(0), strength(1));
    assert!(run(&mut simulation, 0.1).0 < 1e-9);
}

/// What does not yield, on what does, is not told that walls cannot carry it.
#[test]
fn what_gives_way_below_is_told() {
    for (kernel, strength) in [("linear", 1.0), ("quadratic", 20.0)] {
        let (below, above): (Vec<Vec3>, Vec<Vec3>) = lattice([6, 8, 6], 0.0).into_iter().partition(|x| x.y < 4.0 * SPACING);
        let mut scene = Particles::metal(&below, strength);
        scene.beside(&above);
        let elastic = json!({ "elastic": { "law": "neo_hookean", "young": 1e6, "poisson": 0.3 }, "spacing": SPACING, "density": 2500.0 });
        scene.scene["bodies"][1]["as"]["particles"] = elastic;
        scene.floor(0.0);
        scene.scene["gravity"] = json!([0.0, -GRAVITY, 0.0]);
        scene.on_grid((kernel, "apic"));
        let (_, report) = scene.initialised(Method::SagFree);
        let why = &report.infeasible[0];
        println!("{kernel}: {}", why.message);
        assert!(why.code == InfeasibilityCode::Yields && why.body == "body", "{}", why.message);
        follow(&mut scene, &report);
        let (_, report) = scene.initialised(Method::SagFree);
        assert!(report.outcome.holds, "{kernel}: {:?}", report.infeasible);
    }
}
