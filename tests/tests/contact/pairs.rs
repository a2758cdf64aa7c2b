//! Bodies that carry one another: sag-free with contact between surfaces, from finding it to stepping with it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::contact::surfaces::Touch;
use aplomb_sim::math::{Vec3, rotation};
use aplomb_sim::mesh::TriangleMesh;
use aplomb_sim::sag_free::Touching;
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{InfeasibilityCode, InitReport};
use aplomb_sim::step::StepStats;
use aplomb_sim::system::System;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{BoxBody, World, add_half_space};

const G: f64 = 9.81;
const JELLY: BoxBody =
    BoxBody { size: Vec3::new(0.1, 0.1, 0.1), cells: [3, 3, 3], law: "neo_hookean", young: 3e4, poisson: 0.4, density: 1000.0 };
/// Gap between bodies [m]: those that touch are refused.
const GAP: f64 = 2e-5;

fn run(simulation: &mut Simulation, steps: usize) -> Vec<StepStats> {
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap()).collect()
}

fn drift(stats: &[StepStats]) -> f64 {
    stats.iter().map(|s| s.drift).fold(0.0, f64::max)
}

/// Boxes on one another, with grids that do not match, none of them fixed, on a half-space.
fn stack(count: usize, friction: f64) -> System {
    stack_of(count, JELLY.young, friction)
}

fn stack_of(count: usize, young: f64, friction: f64) -> System {
    let boxes = [
        BoxBody { young, ..JELLY },
        BoxBody { size: Vec3::new(0.09, 0.08, 0.085), cells: [4, 3, 2], young, ..JELLY },
        BoxBody { size: Vec3::new(0.07, 0.06, 0.07), cells: [2, 2, 3], young, ..JELLY },
    ];
    let mut world = World::on_earth();
    let mut height = 0.0;
    for (k, body) in boxes[..count].iter().enumerate() {
        let corner = Vec3::new(0.006 * k as f64, height, 0.007 * k as f64);
        world = world.body(body, |x| x + corner);
        height += body.size.y + GAP;
    }
    let mut system = world.finish(friction);
    add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], friction);
    system
}

fn initialised(system: System) -> (Simulation, InitReport) {
    let mut simulation = Simulation::new(system);
    let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    (simulation, report)
}

/// Balanced, and at the first instant the stepper's contacts make the solved forces, one by one.
fn assert_balanced(simulation: &mut Simulation, report: &InitReport) {
    assert!(report.infeasible.is_empty() && report.unattainable.elements == 0, "{:?} {:?}", report.infeasible, report.unattainable);
    assert!(report.residual.after <= 1e-8, "{}", report.residual.after);
    assert!(report.contact.min_normal_force.unwrap() >= 0.0 && report.contact.max_cone_violation <= 1e-9, "{:?}", report.contact);
    let made = simulation.contact_forces();
    let balance = &simulation.balance;
    let at_obstacles = balance.contacts.iter().map(|c| {
        let node = simulation.system.pairs[c.pair as usize].node;
        (vec![node], c.normal_force * c.normal + c.friction_force)
    });
    // Told is what a contact does to the side that can move.
    let between = balance.pairs.iter().map(|p| {
        let (first, second) = match p.touch {
            Touch::VertexTriangle { vertex, triangle } => (vec![vertex], triangle.to_vec()),
            Touch::VertexEdge { vertex, edge } => (vec![vertex], edge.to_vec()),
            Touch::VertexVertex { first, second } => (vec![first], vec![second]),
            Touch::EdgeEdge { first, second } => (first.to_vec(), second.to_vec()),
        };
        let force = p.normal_force * p.normal + p.friction_force;
        let moves = first.iter().any(|&node| simulation.system.surface.movable[node as usize]);
        if moves { (first, force) } else { (second, -force) }
    });
    let solved: Vec<(Vec<u32>, Vec3)> = at_obstacles.chain(between).collect();
    let largest = solved.iter().map(|(_, force)| force.norm()).fold(0.0, f64::max);
    for (nodes, force) in &solved {
        let is_made = made.iter().any(|contact| nodes.contains(&contact.node) && (contact.force - force).norm() <= 1e-8 * largest);
        assert!(is_made || force.norm() <= 1e-8 * largest, "nothing makes {force:?} at nodes {nodes:?}");
    }
    let acting = |forces: &mut dyn Iterator<Item = Vec3>| forces.filter(|force| force.norm() > 1e-6 * largest).count();
    assert_eq!(acting(&mut made.iter().map(|contact| contact.force)), acting(&mut solved.iter().map(|(_, force)| *force)));
}

#[test]
fn stacks_of_soft_boxes_stay_as_they_are() {
    for count in [2, 3] {
        let (mut simulation, report) = initialised(stack(count, 0.5));
        assert_balanced(&mut simulation, &report);
        assert!(report.contact.pairs >= 9 * (count - 1) && report.contacts > report.contact.pairs);
        assert!((report.contact.friction_used, report.contact.friction_in_hand.unwrap() < 0.051) == (Some(0.95), true));
        // Each interface carries what stands on it.
        let of_part = |part: usize| simulation.system.bodies[part].nodes.clone();
        for upper in 1..count {
            let weight: f64 = (upper..count).flat_map(of_part).map(|n| G * simulation.system.masses[n]).sum();
            let pairs = simulation.balance.pairs.iter();
            let carried: f64 = pairs
                .filter_map(|pair| {
                    let [first, .., second] = pair.touch.nodes().map(|node| node as usize);
                    let force = (pair.normal_force * pair.normal + pair.friction_force).y;
                    match (of_part(upper).contains(&first), of_part(upper).contains(&second)) {
                        (true, false) if of_part(upper - 1).contains(&second) => Some(force),
                        (false, true) if of_part(upper - 1).contains(&first) => Some(-force),
                        _ => None,
                    }
                })
                .sum();
            assert!((carried / weight - 1.0).abs() < 1e-6, "{carried} of {weight}");
        }
        let stats = run(&mut simulation, 200);
        println!(
            "{count} boxes: residual {:.1e}, {} pairs, drift {:.1e}, Newton {}",
            report.residual.after,
            report.contact.pairs,
            drift(&stats),
            stats.iter().map(|s| s.iterations).max().unwrap()
        );
        assert!(stats.iter().all(|s| s.iterations >= 1) && drift(&stats) < 1e-6, "{:.1e}", drift(&stats));

        simulation.initialise(Method::Naive, &Unwatched).unwrap();
        let naive = drift(&run(&mut simulation, 30));
        assert!(naive > 5e-3, "{naive}");
    }
}

#[test]
fn a_kicked_stack_comes_back() {
    let (mut simulation, report) = initialised(stack(2, 0.5));
    assert_balanced(&mut simulation, &report);
    simulation.system.set_damping(0.02);
    let top = simulation.system.bodies[1].nodes.clone();
    top.for_each(|n| simulation.state.velocities[n] = Vec3::new(1e-3, 0.0, 5e-4));
    let stats = run(&mut simulation, 400);
    println!(
        "kicked: drift up to {:.1e}, then {:.1e}, {:.1e}, {:.1e}",
        drift(&stats),
        stats[199].drift,
        stats[299].drift,
        stats[399].drift
    );
    assert!(drift(&stats) > 1e-6 && stats[399].drift < 1e-6, "{} {}", drift(&stats), stats[399].drift);
}

/// Gravity that turns after the start: within the friction cone the upper box holds, beyond it slides with g (sin - mu cos).
#[test]
fn pushed_within_friction_it_holds_and_beyond_it_slides() {
    // Stiff, so that what it does is sliding.
    let start = || {
        let mut system = stack_of(2, 3e6, 0.5);
        system.fixed = system.positions.iter().map(|x| x.y == 0.0).collect();
        system.pairs.retain(|pair| !system.fixed[pair.node as usize]);
        system.surface.movable = system.fixed.iter().map(|fixed| !fixed).collect();
        let (mut simulation, report) = initialised(system);
        assert_balanced(&mut simulation, &report);
        simulation
    };
    let pushed = |tangent: f64, steps: usize| {
        let mut simulation = start();
        simulation.system.set_damping(2e-3);
        simulation.system.gravity = G * Vec3::new(tangent, -1.0, 0.0);
        let top = simulation.system.bodies[1].nodes.clone();
        let at = |simulation: &Simulation| top.clone().map(|n| simulation.state.positions[n].x).sum::<f64>() / top.len() as f64;
        let mut places = vec![at(&simulation)];
        for _ in 0..steps {
            run(&mut simulation, 1);
            places.push(at(&simulation));
        }
        places
    };
    let held = pushed(0.35, 100);
    let creep = (held[100] - held[80]).abs();
    assert!(creep < 1e-5, "{creep}");
    let slid = pushed(0.7, 15);
    // Before it rocks: that changes what the law gives from then on by 6 %, however many rounds friction is given.
    let acceleration = (slid[15] - 2.0 * slid[10] + slid[5]) / 0.05f64.powi(2);
    println!("creep {creep:.1e} m within friction; beyond it {acceleration} m/s2 of {}", 0.2 * G);
    assert!((acceleration / (0.2 * G) - 1.0).abs() < 0.03, "{acceleration}");
}

#[test]
fn a_box_on_a_floor_of_triangles_stays() {
    let lines: Vec<f64> = (-4..=4).map(|k| 0.05 * f64::from(k) + 0.011).collect();
    let floor = TriangleMesh::square(&Vec3::zeros(), &Vec3::y(), &lines);
    let place = |x: Vec3| rotation([0.0, 20.0, 0.0]) * x + GAP * Vec3::y();
    let system = World::on_earth().body(&JELLY, place).surface(&floor.positions, &floor.triangles, None).finish(0.5);
    let (mut simulation, report) = initialised(system);
    assert_balanced(&mut simulation, &report);
    assert!(report.contact.pairs == report.contacts && report.contact.pairs >= 16);
    let weight: f64 = simulation.system.masses.iter().sum::<f64>() * G;
    assert!((report.contact.total_normal_force / weight - 1.0).abs() < 1e-6);
    let stats = run(&mut simulation, 200);
    println!("on triangles: residual {:.1e}, drift {:.1e}", report.residual.after, drift(&stats));
    assert!(drift(&stats) < 1e-6, "{}", drift(&stats));
}

/// No vertex is over the other bar: four crossings of edges carry it.
#[test]
fn crossed_bars_are_carried_by_their_edges() {
    let bar = BoxBody { size: Vec3::new(0.3, 0.05, 0.05), cells: [3, 1, 1], young: 2e5, ..JELLY };
    let middle = Vec3::new(0.15, 0.0, 0.025);
    let across = |x: Vec3| rotation([0.0, 70.0, 0.0]) * (x - middle) + (0.05 + GAP) * Vec3::y();
    let mut system = World::on_earth().body(&bar, |x| x - middle).body(&bar, across).finish(0.5);
    add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.5);
    let (mut simulation, report) = initialised(system);
    assert_balanced(&mut simulation, &report);
    assert!(simulation.balance.pairs.iter().any(|pair| matches!(pair.touch, Touch::EdgeEdge { .. }) && pair.normal_force > 1e-3));
    let stats = run(&mut simulation, 200);
    println!("crossed bars: residual {:.1e}, {} pairs, drift {:.1e}", report.residual.after, report.contact.pairs, drift(&stats));
    assert!(drift(&stats) < 1e-6, "{}", drift(&stats));
}

/// A bar bent to a ring that hangs upside down, whose ends face each other across a gap.
fn ring() -> System {
    let bar = BoxBody { size: Vec3::new(0.6, 0.04, 0.05), cells: [24, 2, 2], young: 1e5, ..JELLY };
    let radius = 0.6 / std::f64::consts::TAU;
    let opening = GAP / radius;
    let bend = |x: Vec3| {
        let angle = (x.x / 0.3 - 1.0) * (std::f64::consts::PI - 0.5 * opening);
        let r = radius + 0.02 - x.y;
        Vec3::new(r * angle.sin(), -r * angle.cos(), x.z)
    };
    let mut system = World::on_earth().body(&bar, bend).finish(0.5);
    system.gravity *= -1.0;
    system.surface.rules.set(0, 0, Some(0.5));
    let lowest = system.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    system.fixed = system.positions.iter().map(|x| x.y < lowest + 0.004).collect();
    system.surface.movable = system.fixed.iter().map(|fixed| !fixed).collect();
    system
}

/// A bar bent to a ring that hangs on its middle; its ends meet at the bottom and press on one another.
#[test]
fn a_ring_whose_ends_meet_stays_closed() {
    let system = ring();
    let (mut simulation, report) = initialised(system);
    assert_balanced(&mut simulation, &report);
    assert!(report.contact.pairs >= 9 && report.contact.total_normal_force > 1e-2, "{:?}", report.contact);
    let found = simulation.find_contacts(simulation.system.contact.detection_distance);
    assert!(found.len() == report.contacts && found.iter().all(|contact| contact.between == [Touching::Body(0); 2]));
    let stats = run(&mut simulation, 200);
    println!("ring: residual {:.1e}, {:?}, drift {:.1e}", report.residual.after, report.contact, drift(&stats));
    assert!(drift(&stats) < 1e-6, "{}", drift(&stats));
}

/// Contact of a body with itself holds up nothing that its elements could not: where balance is asked for with more digits than there are with
/// it, it is left out, and what is left is in balance.
#[test]
fn contact_of_a_ring_with_itself_is_left_out_where_it_costs_the_balance() {
    let mut dropped = Vec::new();
    for digits in 8..17 {
        let mut system = ring();
        system.initialise.tolerance = 10f64.powi(-digits);
        let (_, report) = initialised(system);
        println!("1e-{digits}: {} left out, {:?}", report.self_contact_dropped, report.infeasible);
        if report.self_contact_dropped > 0 {
            assert!(report.infeasible.is_empty() && report.contact.pairs == 0, "1e-{digits}: {:?}", report.infeasible);
            dropped.push(digits);
        }
    }
    assert!(!dropped.is_empty() && dropped[0] > 9, "{dropped:?}");
}

#[test]
fn bodies_that_hold_only_each_other_are_unsupported() {
    let mut system = stack(2, 0.5);
    system.pairs.clear();
    let (_, report) = initialised(system);
    assert!(report.infeasible.len() == 2, "{:?}", report.infeasible);
    assert!(report.infeasible.iter().all(|found| found.code == InfeasibilityCode::Unsupported));
    assert!(report.infeasible[0].message.contains("touches body 'body 1', which nothing holds either"), "{}", report.infeasible[0].message);
}

/// On a slope of 20 degrees the ground holds, and the upper box slips on the lower: tan 20 = 0.364 is needed.
#[test]
fn too_little_friction_between_two_bodies_is_named() {
    let mut system = stack(2, 0.1);
    system.pairs.iter_mut().for_each(|pair| pair.friction = 1.0);
    system.gravity = rotation([0.0, 0.0, 20.0]) * Vec3::new(0.0, -G, 0.0);
    let (_, report) = initialised(system);
    let [found] = &report.infeasible[..] else { panic!("{:?}", report.infeasible) };
    assert_eq!((found.code, found.body.as_str()), (InfeasibilityCode::TooLittleFriction, "body 0"));
    let needed: f64 = found.message.split("about ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(found.message.contains("body 'body 0' slips on body 'body 1'") && (needed / 0.364 - 1.0).abs() < 0.03, "{}", found.message);
    assert!((found.place[1] - 0.1).abs() < 1e-3, "{:?}", found.place);
}

#[test]
fn one_stack_that_slips_leaves_the_other_its_balance() {
    let single = |corner: Vec3| move |x: Vec3| x + corner;
    let mut system = World::on_earth().body(&JELLY, single(Vec3::zeros())).body(&JELLY, single(Vec3::new(0.5, 0.0, 0.0))).finish(0.5);
    add_half_space(&mut system, [0.0; 3], [0.0, 1.0, 0.0], 0.6);
    system.gravity = rotation([0.0, 0.0, 20.0]) * Vec3::new(0.0, -G, 0.0);
    let slippery = system.bodies[0].nodes.clone();
    system.pairs.iter_mut().filter(|pair| slippery.contains(&(pair.node as usize))).for_each(|pair| pair.friction = 0.1);
    let (mut simulation, report) = initialised(system);
    assert_eq!(report.infeasible.len(), 1, "{:?}", report.infeasible);
    let residual = simulation.residual_field();
    let of = |body: usize| simulation.system.bodies[body].nodes.clone().map(|n| residual[n]).fold(0.0, f64::max);
    assert!(of(0) > 1e-3 && of(1) < 1e-8, "{} {}", of(0), of(1));
}

#[test]
fn baselines_take_pairs_as_pins_or_not_at_all() {
    for method in [Method::PinnedContacts, Method::NoContact] {
        let mut simulation = Simulation::new(stack(2, 0.5));
        let report = simulation.initialise(method, &Unwatched).unwrap();
        match method {
            Method::PinnedContacts => assert!(report.contact.pairs >= 9),
            _ => assert_eq!(report.contacts, 0),
        }
        assert!(drift(&run(&mut simulation, 10)) > 1e-4, "{method:?}");
    }
}

#[test]
fn a_prepared_stack_takes_the_same_steps() {
    let (mut simulation, report) = initialised(stack(2, 0.5));
    assert_balanced(&mut simulation, &report);
    let read = simulation.prepared_asset();
    assert_eq!(read.pairs.len(), report.contact.pairs);
    simulation.kick(Vec3::new(1e-3, 0.0, 0.0));
    run(&mut simulation, 5);
    let mut again = Simulation::new(stack(2, 0.5));
    again.restore(&read).unwrap();
    again.kick(Vec3::new(1e-3, 0.0, 0.0));
    run(&mut again, 5);
    assert_eq!(again.state.positions, simulation.state.positions);

    let refused = |change: fn(&mut System)| {
        let mut system = stack(2, 0.5);
        change(&mut system);
        Simulation::new(system).restore(&read).unwrap_err()
    };
    assert!(refused(|system| system.gravity *= 0.5).contains("gravity"));
    assert!(refused(|system| system.surface.rules.set(0, 1, Some(0.4))).contains("friction"));
    assert!(refused(|system| system.surface.rules.set(0, 1, None)).contains("surface"));
    assert!(refused(|system| system.pairs.iter_mut().for_each(|pair| pair.friction = 0.1)).contains("friction"));
    assert!(refused(|system| add_half_space(system, [0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 0.5)).contains("obstacles"));
}
