//! Bodies of springs, from the file to the run: closed forms, what no tension balances, and what a scene may say of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::spring_scene::{Springs, field, hanging, line, top};
use aplomb_sim::export::{self, scene_meshes};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::mesh::net::Net;
use aplomb_sim::sag_free::contacts::look;
use aplomb_sim::scene::{Cure, Method, Shape};
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::Verdict;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

const GRAVITY: f64 = 9.81;

/// Each link carries the weight below it, whatever the law and however its stiffness is given; nothing moves for ten seconds.
#[test]
fn a_chain_carries_the_weight_below_each_link() {
    let (links, mass) = (12, 0.03);
    for law in ["hooke", "strain", "quadratic"] {
        for stiffness in ["stiffness", "stiffness_per_length"] {
            let settings = json!({ "law": law, stiffness: 90.0, "mass": { "per_node": mass } });
            let springs = Springs::new(&hanging(links, 1.7), settings, top());
            let (mut simulation, report) = springs.initialised(Method::SagFree);
            assert!(report.outcome.holds && report.residual.after < 1e-12, "{law}: {:?}", report.residual);
            let tension = field(&simulation, "tension");
            let below: Vec<f64> = (0..links).map(|link| (links - link) as f64 * mass * GRAVITY).collect();
            let error = tension.iter().zip(&below).map(|(t, w)| (t / w - 1.0).abs()).fold(0.0, f64::max);
            assert!(error < 1e-12, "{law}: {error:e}");
            let drift = (0..1000).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
            assert!(drift < 1e-12, "{law}: {drift:e}");
        }
    }
}

/// Naively each link becomes longer by the weight below it over its stiffness; by the quadratic law by a quarter of that.
#[test]
fn the_naive_chain_sags_as_it_must() {
    let (links, mass, stiffness) = (5, 0.01, 5e4);
    for (law, times) in [("hooke", 1.0), ("quadratic", 4.0)] {
        let settings = json!({ "law": law, "stiffness": stiffness, "mass": { "per_node": mass } });
        let mut springs = Springs::new(&hanging(links, 1.0), settings, top());
        // Implicit Euler with long steps comes to rest; without inertia an unstressed chain resists nothing across itself.
        for (stepper, steps) in [("backward_euler", 60), ("quasi_static", 1)] {
            springs.scene["simulate"] = json!({ "stepper": stepper, "step_size": 0.2, "tolerance": 1e-10 });
            let (mut simulation, _) = springs.initialised(Method::Naive);
            for _ in 0..steps {
                simulation.step(&Unwatched).unwrap();
            }
            let fallen = simulation.system.positions[links].y - simulation.state.positions[links].y;
            let expected = (1..=links).map(|below| below as f64 * mass * GRAVITY / (times * stiffness)).sum::<f64>();
            assert!((fallen / expected - 1.0).abs() < 1e-4, "{law}: {fallen} in place of {expected}");
        }
    }
}

/// Without inertia a net of unstressed springs, which resists nothing across itself, finds where it hangs: the same as by long steps with
/// inertia. What nothing holds is refused.
#[test]
fn a_net_without_tension_finds_where_it_hangs() {
    let mut random = Random::new(7);
    for _ in 0..4 {
        let net = Net::new([5, 6], |u, v| Vec3::new(u, 0.0, 0.8 * v)).to_obj("net");
        let settings = json!({ "stiffness": random.uniform(20.0, 100.0), "mass": { "per_node": 0.01 } });
        let mut springs = Springs::new(&net, settings, json!({ "vertices": [0, 5, 36, 41] }));
        let angles = [0; 3].map(|_| random.uniform(0.0, 360.0));
        springs.scene["bodies"][0]["transform"] = json!({ "rotate_degrees": angles });
        let mut ends: Vec<Vec<Vec3>> = Vec::new();
        for (stepper, step, steps) in [("quasi_static", 0.01, 1), ("backward_euler", 1.0, 80)] {
            springs.scene["simulate"] = json!({ "stepper": stepper, "step_size": step, "max_iterations": 500, "tolerance": 1e-10 });
            let (mut simulation, _) = springs.initialised(Method::Naive);
            let last = (0..steps).map(|_| simulation.step(&Unwatched).unwrap()).last().unwrap();
            assert!(last.residual < 1e-6, "{stepper} {angles:?}: {}", last.residual);
            assert!(last.drift > 0.01, "{stepper} {angles:?}: {}", last.drift);
            ends.push(simulation.state.positions.clone());
        }
        let apart = ends[0].iter().zip(&ends[1]).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-5, "{angles:?}: {apart}");
        springs.scene["simulate"] = json!({ "stepper": "quasi_static" });
        springs.scene["bodies"][0]["regions"] = json!([]);
        let refused = springs.initialised(Method::Naive).0.step(&Unwatched).unwrap_err().to_string();
        assert!(refused.contains("take a stepper with inertia"), "{refused}");
    }
}

/// A mass on a spring: symplectic Euler is stable below 2 / omega and not above, implicit Euler at any step.
#[test]
fn the_critical_step_is_two_over_omega() {
    let (mass, stiffness): (f64, f64) = (0.02, 300.0);
    let critical = 2.0 / (stiffness / mass).sqrt();
    let largest = |stepper: &str, step: f64| {
        let settings = json!({ "stiffness": stiffness, "mass": { "per_node": mass } });
        let mut springs = Springs::new(&hanging(1, 0.5), settings, top());
        springs.scene["simulate"] = json!({ "stepper": stepper, "step_size": step });
        let (mut simulation, _) = springs.initialised(Method::SagFree);
        simulation.kick(Vec3::new(0.0, 1e-4, 0.0));
        (0..600).map(|_| simulation.step(&Unwatched).map_or(f64::INFINITY, |stats| stats.drift)).fold(0.0, f64::max)
    };
    assert!(largest("symplectic_euler", 0.99 * critical) < 0.01);
    assert!(largest("symplectic_euler", 1.01 * critical) > 0.1);
    assert!(largest("backward_euler", 10.0 * critical) < 0.01);
}

/// A flat horizontal net with its rim held: no tension carries weight across it, and the report says where and which way.
#[test]
fn a_flat_net_is_named_as_a_mechanism() {
    let net = Net::square(1.0, 8);
    let rim: Vec<usize> = (0..81).filter(|v| v % 9 % 8 == 0 || v / 9 % 8 == 0).collect();
    for diagonals in [false, true] {
        let settings = json!({ "stiffness": 100.0, "mass": { "per_node": 0.001 }, "diagonals": diagonals });
        let springs = Springs::new(&net.to_obj("net"), settings, json!({ "vertices": rim }));
        let (_, report) = springs.initialised(Method::SagFree);
        assert!(!report.outcome.holds && report.infeasible.len() == 1, "{:?}", report.infeasible);
        let text = serde_json::to_value(&report.infeasible[0]).unwrap();
        assert_eq!(text["code"], "mechanism");
        let message = text["message"].as_str().unwrap();
        assert!(message.contains("at 49 of its vertices") && message.contains("along (0.00, -1.00, 0.00)"), "{message}");
        // What is advised works: with a sag the same net is balanced, by tensions alone.
        let sagged = Net::new([8; 2], |u, v| {
            let bowl = |s: f64| s * (1.0 - s);
            Vec3::new(u - 0.5, -2.0 * bowl(u) * bowl(v), v - 0.5)
        });
        let settings = json!({ "stiffness": 100.0, "mass": { "per_node": 0.001 }, "diagonals": true });
        let springs = Springs::new(&sagged.to_obj("net"), settings, json!({ "vertices": rim }));
        let (_, report) = springs.initialised(Method::SagFree);
        assert!(report.residual.after < 1e-10, "{:?} {:?}", report.residual, report.infeasible);
    }
    // A chain that is straight across gravity is one, too.
    let chain = line(&(0..9).map(|k| [0.1 * f64::from(k), 0.0, 0.0]).collect::<Vec<_>>());
    let springs = Springs::new(&chain, json!({ "stiffness": 100.0, "mass": { "per_node": 0.001 } }), json!({ "vertices": [0, 8] }));
    let (_, report) = springs.initialised(Method::SagFree);
    assert_eq!(serde_json::to_value(&report.infeasible[0]).unwrap()["code"], "mechanism");
}

/// A column of springs under its own weight is in balance, compressed, and falls over: the verdict says so, and a kick agrees.
#[test]
fn compressed_springs_are_unstable() {
    let standing = line(&(0..=6).map(|k| [0.0, 0.1 * f64::from(k), 0.0]).collect::<Vec<_>>());
    let bottom = json!({ "height": { "axis": "y", "from": 0, "to": 0 } });
    let springs = Springs::new(&standing, json!({ "stiffness": 500.0, "mass": { "per_node": 0.01 } }), bottom);
    let (mut simulation, report) = springs.initialised(Method::SagFree);
    assert!(report.residual.after < 1e-10 && field(&simulation, "tension").iter().all(|tension| *tension < 0.0));
    let stability = report.stability.unwrap();
    assert!(stability.verdict == Verdict::Unstable && stability.negative_eigenvalues == 12, "{stability:?}");
    simulation.kick(Vec3::new(1e-3, 0.0, 0.0));
    let drift = (0..300).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
    assert!(drift > 0.3, "{drift}");
}

/// A tension larger than a positive rest length makes is told with the factor that helps, and the factor helps.
#[test]
fn rest_lengths_that_would_be_negative_are_told() {
    let settings = json!({ "stiffness": 1.0, "mass": { "per_node": 0.02 } });
    let mut springs = Springs::new(&hanging(4, 1.0), settings, top());
    let (_, report) = springs.initialised(Method::SagFree);
    let found = serde_json::to_value(&report.infeasible).unwrap();
    assert_eq!(found[0]["code"], "too_soft", "{found}");
    let message = found[0]["message"].as_str().unwrap();
    assert!(
        message.contains("a positive rest length makes only 31 % of the force") && message.contains("a stiffness 3.30 times"),
        "{message}"
    );
    springs.scene["initialise"] = json!({ "stiffen_up_to": 3.3 });
    assert!(springs.initialised(Method::SagFree).1.outcome.holds);
}

/// A rope hangs straight down, but for the round-off of its coordinates: two thirds of its global matrix are nothing but that.
#[test]
fn a_rope_is_straight_to_round_off() {
    let mut random = Random::new(5);
    for noise in [0.0, 1e-16, 1e-14, 1e-12] {
        let places: Vec<[f64; 3]> =
            (0..12).map(|k| [noise * random.uniform(-1.0, 1.0), -0.1 * f64::from(k), noise * random.uniform(-1.0, 1.0)]).collect();
        let springs = Springs::new(&line(&places), json!({ "stiffness": 1e3, "mass": { "per_node": 0.01 } }), top());
        let report = springs.initialised(Method::SagFree).1;
        assert!(report.outcome.holds && report.residual.after < 1e-9, "{noise}: {} {:?}", report.residual.after, report.infeasible);
    }
    for angle in [17.0, 90.0, 203.0] {
        let level = line(&(0..12).map(|k| [0.0, 0.0, 0.1 * f64::from(k)]).collect::<Vec<_>>());
        let mut springs = Springs::new(&level, json!({ "stiffness": 1e3, "mass": { "per_node": 0.01 } }), json!({ "vertices": [0] }));
        springs.scene["bodies"][0]["transform"] = json!({ "rotate_degrees": [90.0, angle, 0.0] });
        let report = springs.initialised(Method::SagFree).1;
        assert!(report.outcome.holds && report.residual.after < 1e-9, "{angle}: {} {:?}", report.residual.after, report.infeasible);
    }
    // Without a load nothing has a tension, and nothing resists a motion across: stable it is all the same, and that is decided.
    for held in [json!({ "vertices": [0] }), json!({ "vertices": [] })] {
        let mut springs = Springs::new(&hanging(2, 1.0), json!({ "stiffness": 1e3, "mass": { "per_node": 0.01 } }), held);
        springs.scene["gravity"] = json!([0.0, 0.0, 0.0]);
        let report = springs.initialised(Method::SagFree).1;
        assert!(report.outcome.holds, "{:?}", report.outcome);
    }
}

/// What touches something is no reason not to see what no forces can hold; nor are two strings that cross as near as they may.
#[test]
fn what_cannot_be_held_touches_the_ground_in_vain() {
    let net = Net::new([6, 6], |u, v| Vec3::new(u, 0.004 * (u - 0.5).abs(), v)).to_obj("net");
    let mut springs = Springs::new(&net, json!({ "stiffness": 100.0, "mass": { "per_node": 0.01 } }), json!({ "vertices": [0] }));
    let ground = json!({ "half_space": { "point": [0.0, -0.001, 0.0], "normal": [0.0, 1.0, 0.0] } });
    springs.scene["obstacles"] = json!([{ "name": "ground", "shape": ground }]);
    springs.scene["contact"] = json!({ "detection_distance": 0.0015, "barrier_distance": 0.0015 });
    let (_, report) = springs.initialised(Method::SagFree);
    let found = serde_json::to_value(&report.infeasible).unwrap();
    assert!(report.contacts > 0 && found[0]["code"] == "mechanism", "{found}");

    let string = |across: bool, lift: f64| {
        let place = move |k: i32| {
            let along = f64::from(k) / 8.0 - 0.5;
            let sag = 0.2 * along * along + lift;
            if across { [0.06, sag, along] } else { [along, sag, 0.06] }
        };
        (0..=8).map(place).collect::<Vec<_>>()
    };
    for gap in [1e-4, 1e-6, 1e-7, 3e-8] {
        let places: Vec<[f64; 3]> = string(false, 0.0).into_iter().chain(string(true, gap)).collect();
        let vertices: String = places.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
        let numbers = |from: usize| (from..from + 9).map(|v| format!(" {v}")).collect::<String>();
        let mesh = format!("{vertices}l{}\nl{}\n", numbers(1), numbers(10));
        let settings = json!({ "stiffness": 1e3, "mass": { "per_node": 0.01 } });
        let springs = Springs::new(&mesh, settings, json!({ "vertices": [0, 8, 9, 17] }));
        let (mut simulation, report) = springs.initialised(Method::SagFree);
        assert!(report.contacts == 1 && report.outcome.holds, "{gap}: {} {:?}", report.residual.after, report.outcome);
        for _ in 0..20 {
            let step = simulation.step(&Unwatched).unwrap();
            assert!(step.drift < 1e-8 && step.min_gap > 0.0, "{gap}: {}", step.drift);
        }
    }
}

/// What only pulls does so too where both its ends are held, whatever tension is wished.
#[test]
fn what_only_pulls_between_held_vertices_does_not_push() {
    let settings = json!({ "stiffness": 1e3, "mass": { "per_node": 0.01 }, "only_pull": true });
    let mut springs = Springs::new(&hanging(3, 1.0), settings, json!({ "vertices": [0, 1] }));
    springs.scene["initialise"] = json!({ "tension": -0.1 });
    let (simulation, report) = springs.initialised(Method::SagFree);
    let tension = field(&simulation, "tension");
    assert!(report.outcome.holds && tension[0] == 0.0 && tension[1] > 0.0, "{tension:?} {:?}", report.outcome);
}

/// A net that hangs by its corners comes back after a kick, and every cord of it pulls.
#[test]
fn the_hanging_net_comes_back() {
    let path = gallery::find("hanging_net").unwrap().path();
    let mut simulation = Simulation::build(&scene_file::load(&path).unwrap(), path.parent().unwrap(), &Unwatched).unwrap();
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.outcome.holds);
    let tension = field(&simulation, "tension");
    let least = tension.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(least > 0.0, "{least}");
    let told = serde_json::to_value(&report).unwrap();
    assert!(told["compression"].is_null() && told["rest_volume"].is_null(), "springs have none");
    assert_eq!(told["families"], json!([{ "name": "springs", "elements": tension.len(), "fields": ["tension", "strain"] }]));
    let of = &told["fields"][0];
    assert_eq!(
        [&of["name"], &of["unit"], &of["elements"], &of["min"]],
        [&json!("tension"), &json!("N"), &json!(tension.len()), &json!(least)]
    );
    simulation.kick(Vec3::new(0.3, 0.2, -0.1));
    let drift: Vec<f64> = (0..600).map(|_| simulation.step(&Unwatched).unwrap().drift).collect();
    let largest = drift.iter().copied().fold(0.0, f64::max);
    assert!(largest > 5e-3 && drift[599] < 0.02 * largest, "{largest} {}", drift[599]);
}

/// A net that stands in a frame pushes on its lower edge where forces are the least: it bulges out of its plane at the least kick. A tension
/// makes every cord of it pull, and a gust is forgotten.
#[test]
fn a_net_in_a_frame_needs_its_tension() {
    const CELLS: usize = 8;
    let net = Net::new([CELLS; 2], |u, v| Vec3::new(u - 0.5, v - 0.5, 0.0));
    let is_rim = |k: usize| k == 0 || k == CELLS;
    let rim = (0..=CELLS).flat_map(|j| (0..=CELLS).map(move |i| (i, j))).filter(|&(i, j)| is_rim(i) || is_rim(j));
    let held: Vec<usize> = rim.map(|(i, j)| net.vertex(i, j)).collect();
    let settings = json!({ "stiffness": 200.0, "mass": { "per_node": 0.002 }, "damping": 0.01 });
    let mut springs = Springs::new(&net.to_obj("net"), settings, json!({ "vertices": held }));
    springs.scene["contact"] = json!({ "self_contact": false });
    let mut swung = |tension: f64| {
        springs.scene["initialise"] = json!({ "tension": tension });
        let (mut simulation, report) = springs.initialised(Method::SagFree);
        assert!(report.residual.after < 1e-10, "{tension}: {:?}", report.residual);
        let least = field(&simulation, "tension").iter().copied().fold(f64::INFINITY, f64::min);
        simulation.kick(Vec3::new(0.0, 0.0, 1e-3));
        let drift: Vec<f64> = (0..1500).map(|_| simulation.step(&Unwatched).unwrap().drift).collect();
        (report.stability.unwrap().verdict, least, drift.iter().copied().fold(0.0, f64::max), drift[1499])
    };
    let (verdict, least, _, last) = swung(0.0);
    assert!(verdict == Verdict::Unstable && least < -0.01 && last > 5e-3, "{verdict:?} {least} {last}");
    let (verdict, least, most, last) = swung(0.02);
    assert!(verdict == Verdict::Stable && least > 0.0 && most < 5e-3 && last < 0.1 * most, "{verdict:?} {least} {most} {last}");
}

/// The square of Li et al. 2024, 10, on a slope of one in ten: it is held from a friction coefficient of 0.1 on, whatever its springs.
#[test]
fn the_square_is_held_by_a_tenth_of_friction() {
    let square = Net::new([4; 2], |u, v| Vec3::new(u - 0.5, v - 0.5, 0.0)).to_obj("square");
    let settings = json!({ "law": "quadratic", "stiffness": 2e4, "mass": { "per_node": 40.0 }, "diagonals": true });
    let mut springs = Springs::new(&square, settings, json!({ "all": {} }));
    let body = &mut springs.scene["bodies"][0];
    body["regions"][0]["role"] = json!({ "dirichlet": { "slip": [0, 0, 1] } });
    let normal = Vec3::new(0.1, 1.0, 0.0).normalize();
    let middle = Vec3::new(0.0, -1.0, 0.0) + 0.5035 * normal;
    body["transform"] = json!({ "rotate_degrees": [0.0, 0.0, -(0.1f64).atan().to_degrees()], "translate": [middle.x, middle.y, 0.0] });
    springs.scene["contact"] = json!({ "detection_distance": 0.007, "barrier_distance": 0.007 });
    springs.scene["initialise"] = json!({ "friction_fraction": 1.0 });
    let mut report = |friction: f64| {
        let shape = json!({ "half_space": { "point": [0.0, -1.0, 0.0], "normal": [0.1, 1.0, 0.0] } });
        springs.scene["obstacles"] = json!([{ "name": "slope", "shape": shape, "friction": friction }]);
        springs.initialised(Method::SagFree).1
    };
    assert!(!report(0.0995).outcome.holds && report(0.1005).outcome.holds);
    // What is advised is a hundredth more, in three digits, from however little.
    for friction in [0.01, 0.05, 0.099] {
        let message = report(friction).infeasible[0].message.clone();
        let advised: f64 = message.rsplit(' ').next().unwrap().parse().unwrap();
        assert!((0.101..0.1025).contains(&advised) && report(advised).outcome.holds, "{message}");
    }
}

/// A flat curtain on its upper edge buckles under its own diagonals however stiff it is; pushing less, it hangs, and comes back after a
/// gust.
#[test]
fn a_curtain_is_cured_by_pushing_less() {
    const CELLS: usize = 8;
    let vertices = (0..=CELLS).flat_map(|row| (0..=CELLS).map(move |k| [k, row].map(|k| k as f64 / CELLS as f64)));
    let corners = [0, 1, CELLS + 2, CELLS + 1].map(|k| k + 1);
    let faces = (0..CELLS).flat_map(|row| (0..CELLS).map(move |k| corners.map(|corner| corner + row * (CELLS + 1) + k)));
    let mesh: String =
        vertices.map(|[x, y]| format!("v {x} {} 0\n", -y)).chain(faces.map(|[a, b, c, d]| format!("f {a} {b} {c} {d}\n"))).collect();
    let settings = json!({ "stiffness": 500.0, "mass": { "per_node": 0.003 }, "diagonals": true, "damping": 0.01 });
    let mut springs = Springs::new(&mesh, settings, json!({ "vertices": (0..=CELLS).collect::<Vec<usize>>() }));
    springs.scene["contact"] = json!({ "self_contact": false });
    springs.scene["initialise"] = json!({ "compare_cures": true });
    let plain = springs.initialised(Method::SagFree).1.stability.unwrap();
    assert!(plain.verdict == Verdict::Unstable && plain.negative_eigenvalues > 3, "{plain:?}");
    let of = |cure: Cure| plain.cures.iter().find(|report| report.cure == cure).unwrap();
    assert!(!of(Cure::UniformStiffening).helps && !of(Cure::TensionShift).helps && of(Cure::LessPush).helps, "{:?}", plain.cures);
    assert!(of(Cure::LessPush).largest_push < 0.01 * of(Cure::UniformStiffening).largest_push, "{:?}", plain.cures);

    springs.scene["initialise"] = json!({ "cure": "less_push" });
    let (mut simulation, report) = springs.initialised(Method::SagFree);
    let stability = report.stability.unwrap();
    assert_eq!((stability.verdict, stability.cured_by), (Verdict::Stable, Some(Cure::LessPush)));
    assert!(report.outcome.holds && report.residual.after < 1e-10, "{:?}", report.residual);
    let cured = field(&simulation, "tension");
    simulation.kick(Vec3::new(0.0, 0.0, 0.05));
    let drift: Vec<f64> = (0..1500).map(|_| simulation.step(&Unwatched).unwrap().drift).collect();
    let largest = drift.iter().copied().fold(0.0, f64::max);
    assert!(largest > 1e-4 && drift[1499] < 0.2 * largest, "{largest} {}", drift[1499]);

    // What the cure has found is a weight that scenes may ask for themselves.
    let weight = of(Cure::LessPush).push_weight.unwrap();
    springs.scene["initialise"] = json!({ "push_weight": weight });
    let (again, report) = springs.initialised(Method::SagFree);
    assert_eq!(report.stability.unwrap().verdict, Verdict::Stable);
    assert_eq!(field(&again, "tension"), cured);
}

/// Where springs lie on something, the forces of contact give way too, within their cones.
#[test]
fn what_lies_on_the_ground_pushes_less() {
    let pushes = |push_weight: f64| {
        let entry = gallery::find("spring_slope").unwrap();
        let mut scene = scene_file::load(&entry.path()).unwrap();
        scene.initialise.push_weight = push_weight;
        let mut simulation = Simulation::build(&scene, entry.path().parent().unwrap(), &Unwatched).unwrap();
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.residual.after < 1e-9 && report.contact.max_cone_violation < 1e-6, "{:?} {:?}", report.residual, report.contact);
        let tension = field(&simulation, "tension");
        (tension.iter().map(|s| s.min(0.0).powi(2)).sum::<f64>(), tension.iter().map(|s| s.powi(2)).sum::<f64>())
    };
    let (plain, less) = (pushes(1.0), pushes(100.0));
    assert!(less.0 < 0.999 * plain.0 && less.1 > plain.1, "{plain:?} {less:?}");
}

/// Regions give springs another stiffness by tag, and only the keys that they name.
#[test]
fn regions_change_springs() {
    let settings = json!({ "stiffness": 100.0, "damping": 0.25, "mass": { "per_node": 0.01 }, "skip_one": true });
    let mut springs = Springs::new(&hanging(5, 1.0), settings, top());
    let role = json!({ "as": { "springs": { "stiffness": 7.0 } } });
    let regions = springs.scene["bodies"][0]["regions"].as_array_mut().unwrap();
    regions.push(json!({ "name": "bending", "role": role, "select": [{ "tag": 3 }] }));
    let simulation = springs.build();
    let family = &simulation.system.families[0];
    let stretched: Vec<Vec3> = simulation.system.positions.iter().map(|x| 1.01 * x).collect();
    let tension = family.fields(&stretched).into_iter().find(|field| field.kind.name == "tension").unwrap().values;
    assert_eq!(tension.len(), 5 + 4);
    for (e, tension) in tension.iter().enumerate() {
        let expected = if e < 5 { 100.0 * 0.01 * 0.2 } else { 7.0 * 0.01 * 0.4 };
        assert!((tension / expected - 1.0).abs() < 1e-9 && family.damping(e) == 0.25, "{e}: {tension}");
    }
}

/// Mass per length, area and volume adds up to what the mesh has of it.
#[test]
fn masses_come_from_what_the_mesh_has() {
    let total = |mesh: &str, mass: Value| {
        let springs = Springs::new(mesh, json!({ "stiffness": 10.0, "mass": mass }), json!({ "vertices": [0] }));
        springs.build().system.masses.iter().sum::<f64>()
    };
    assert!((total(&hanging(7, 1.7), json!({ "per_length": 0.5 })) - 0.85).abs() < 1e-12);
    let net = Net::square(1.5, 6).to_obj("net");
    assert!((total(&net, json!({ "per_area": 0.2 })) - 0.45).abs() < 1e-12);
    assert!((total(&net, json!({ "per_node": 0.1 })) - 4.9).abs() < 1e-12);
}

/// Mistakes are named at their key, with what to do.
#[test]
fn mistakes_are_named() {
    let good = || Springs::new(&hanging(3, 1.0), json!({ "stiffness": 10.0, "mass": { "per_node": 0.01 } }), top());
    assert_eq!(good().problems(), Vec::<String>::new());
    let told = |change: &dyn Fn(&mut Value), expected: &str| {
        let mut springs = good();
        change(&mut springs.scene);
        let problems = springs.problems();
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{expected}: {problems:#?}");
    };
    let key = |scene: &mut Value, key: &str, value: Value| scene["bodies"][0]["as"]["springs"][key] = value;
    told(&|scene| key(scene, "stiffness", json!(-1.0)), "bodies[0].as.springs.stiffness: -1.0 is not plausible");
    told(&|scene| key(scene, "stifness", json!(1.0)), "did you mean `stiffness`?");
    told(&|scene| key(scene, "law", json!("hook")), "did you mean `hooke`?");
    told(&|scene| key(scene, "stiffness_per_length", json!(1.0)), "bodies[0].as.springs.stiffness_per_length: \"stiffness\" says");
    told(&|scene| key(scene, "stiffness", Value::Null), "add \"stiffness\" [N/m] or \"stiffness_per_length\" [N]");
    told(&|scene| key(scene, "mass", json!({ "per_volume": 1000.0 })), "bodies[0].as.springs.mass: 4 of 4 vertices get no mass");
    told(&|scene| key(scene, "mass", json!({})), "bodies[0].as.springs.mass");
    told(&|scene| scene["bodies"][0]["as"] = json!({ "cloths": {} }), "bodies[0].as.cloths: unknown kind");
    told(&|scene| scene["bodies"][0]["tetrahedralise"] = json!({}), "bodies[0].tetrahedralise: only solids");
    told(&|scene| scene["bodies"][0]["as"] = Value::Null, "bodies[0].material: missing");
    let solid = json!({ "law": "stvk", "young": 1e5, "poisson": 0.3, "density": 1000 });
    told(&|scene| scene["bodies"][0]["material"] = solid.clone(), "bodies[0].material: springs have");
    told(&|scene| scene["bodies"][0]["regions"][0]["role"] = json!({ "material": solid }), "give the region the role \"as\"");
    let both = json!({ "as": { "springs": { "stiffness": 1.0, "stiffness_per_length": 2.0 } } });
    told(&|scene| scene["bodies"][0]["regions"][0]["role"] = both.clone(), "leave one of the two out");
    let lone = Springs::new("v 0 0 0\nv 1 0 0\nv 1 0 0\nl 1 2\nl 2 3\n", json!({ "stiffness": 1.0, "mass": { "per_node": 1.0 } }), top());
    assert!(lone.problems()[0].contains("line 1: the element is degenerate"), "{:?}", lone.problems());
}

/// Lines go out as lines, and formats without lines say which have them.
#[test]
fn springs_are_written_as_lines() {
    let springs = Springs::new(&hanging(3, 1.0), json!({ "stiffness": 10.0, "mass": { "per_node": 0.01 } }), top());
    let simulation = springs.build();
    let meshes = scene_meshes(&simulation.system, &simulation.state.positions);
    let text = |extension: &str| {
        let format = export::FORMATS.iter().find(|format| format.extension == extension).unwrap();
        format.bytes(&meshes).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(|error| error.to_string())
    };
    assert!(text("obj").unwrap().contains("\nl 1 2\nl 2 3\nl 3 4\n"));
    assert!(text("usda").unwrap().contains("def BasisCurves") && text("usda").unwrap().contains("int[] curveVertexCounts = [4]\n"));
    assert!(text("vtk").unwrap().contains("CELLS 3 9") && text("vtu").unwrap().contains("NumberOfCells=\"3\""));
    for format in export::FORMATS.iter().filter(|format| !format.lines) {
        let error = text(format.extension).unwrap_err();
        assert!(error.contains("body `net` is made of") && error.contains("use one of: vtu, vtk, obj, usda"), "{error}");
    }
}

/// The square of Li et al. 2024 stands on the ground by compression: held in its plane it is stable, and free it falls out of it.
#[test]
fn a_square_that_stands_is_stable_in_its_plane_only() {
    let entry = gallery::find("spring_square_drop").unwrap();
    for (in_plane, verdict) in [(true, Verdict::Stable), (false, Verdict::Unstable)] {
        let mut scene = scene_file::load(&entry.path()).unwrap();
        scene.initialise.method = Method::SagFree;
        let Shape::HalfSpace { point, .. } = &mut scene.obstacles[0].shape else { panic!("the ground is a half-space") };
        point[1] = -0.505;
        if !in_plane {
            scene.bodies[0].regions.clear();
        }
        let mut simulation = Simulation::build(&scene, entry.path().parent().unwrap(), &Unwatched).unwrap();
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.residual.after < 1e-10);
        assert_eq!(report.stability.unwrap().verdict, verdict);
        simulation.kick(Vec3::new(0.0, 1e-4, 1e-3));
        let drift: Vec<f64> = (0..200).map(|_| simulation.step(&Unwatched).unwrap().drift).collect();
        assert_eq!(drift[199] < 1e-4, in_plane, "{:e}", drift[199]);
    }
}

/// A strand that hangs beside a wall touches it with the vertices that are over it, and where it leads over its rim; pressed against it, it
/// never comes through.
#[test]
fn a_strand_beside_a_wall_stays_on_its_side() {
    let (gap, rim) = (5e-3, 0.1);
    let places: Vec<[f64; 3]> = (0..=10).map(|k| [gap, 0.5 - 0.11 * f64::from(k), 0.01 * f64::from(k)]).collect();
    let settings = json!({ "stiffness": 50.0, "mass": { "per_node": 0.01 }, "damping": 0.01 });
    let mut springs = Springs::new(&line(&places), settings, top());
    let wall = format!("v 0 -0.8 -0.4\nv 0 {rim} -0.4\nv 0 {rim} 0.4\nv 0 -0.8 0.4\nf 1 2 3\nf 1 3 4\n");
    std::fs::write(springs.folder.path().join("wall.obj"), wall).unwrap();
    springs.scene["obstacles"] = json!([{ "name": "wall", "shape": { "mesh": { "mesh": "wall.obj" } } }]);
    springs.scene["contact"] = json!({ "detection_distance": 0.01, "barrier_distance": 0.01 });
    springs.scene["gravity"] = json!([-6.0, -9.81, 0.0]);
    let mut simulation = springs.build();
    let mut touched: Vec<f64> = look(&simulation.system, 0.01).iter().map(|site| site.point.y).collect();
    touched.sort_by(f64::total_cmp);
    let mut expected: Vec<f64> = places.iter().map(|p| p[1]).filter(|y| *y < rim).chain([rim]).collect();
    expected.sort_by(f64::total_cmp);
    let same = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
    assert!(touched.len() == expected.len() && touched.iter().zip(&expected).all(same), "{touched:?} {expected:?}");
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    let mut nearest = f64::INFINITY;
    for _ in 0..150 {
        let step = simulation.step(&Unwatched).unwrap();
        let beside = simulation.state.positions[..places.len()].iter().filter(|p| p.y < rim && p.y > -0.8);
        assert!(step.min_gap > 0.0 && beside.clone().all(|p| p.x > 0.0), "at {} s", simulation.state.time);
        nearest = beside.map(|p| p.x).fold(nearest, f64::min);
    }
    assert!(nearest < gap, "nothing pressed it against the wall: {nearest}");
}

/// What the book's springs do when they are crushed: cells turn inside out, and nothing goes through ground or ceiling.
#[test]
fn springs_turn_over_under_a_ceiling() {
    let entry = gallery::find("spring_ceiling").unwrap();
    let scene = scene_file::load(&entry.path()).unwrap();
    let mut simulation = Simulation::build(&scene, entry.path().parent().unwrap(), &Unwatched).unwrap();
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    let turned_over = |simulation: &Simulation| {
        let corner = |i: usize, j: usize, di: usize, dj: usize| {
            let x = |i: usize, j: usize| simulation.state.positions[i + 5 * j];
            let (along, up) = (x(1 - di + i, j + dj) - x(i + di, j + dj), x(i + di, 1 - dj + j) - x(i + di, j + dj));
            along.cross(&up).z * if di == dj { 1.0 } else { -1.0 }
        };
        let corners = (0..64).map(|k| corner(k % 4, k / 4 % 4, k / 16 % 2, k / 32));
        corners.filter(|area| *area < 0.0).count()
    };
    assert_eq!(turned_over(&simulation), 0);
    for _ in 0..300 {
        simulation.step(&Unwatched).unwrap();
        let time = simulation.state.time;
        let ceiling = 0.6 - 0.5 * time.min(2.4);
        assert!(simulation.state.positions[..25].iter().all(|x| x.y > -1.0 && x.y < ceiling), "at {time} s");
    }
    assert!(turned_over(&simulation) > 4, "{}", turned_over(&simulation));
}
