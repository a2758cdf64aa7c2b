//! Position-based steppers: exact at rest from a sag-free start for any number of parts and sweeps in any order, and not frozen there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::spring_scene::{Springs, hanging, line, top};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::{Method, Preload, ProjectionOrder, ProjectionSettings};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::StepError;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet};
use serde_json::json;

const FRAME: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 9.81;
const LINKS: usize = 100;
/// Mass of each node of a chain [kg].
const MASS: f64 = 1e-3;
const ORDERS: [ProjectionOrder; 4] =
    [ProjectionOrder::Forward, ProjectionOrder::Reverse, ProjectionOrder::Shuffled, ProjectionOrder::Colours];

/// A way to step, and a compliance [m/N]; of `pbd` none at all.
#[derive(Debug, Clone, Copy)]
struct Way {
    compliance: f64,
    substeps: u32,
    sweeps: u32,
    order: ProjectionOrder,
    preload: Preload,
}

impl Way {
    fn settings(&self) -> ProjectionSettings {
        ProjectionSettings { substeps: self.substeps, sweeps: self.sweeps, order: self.order, preload: self.preload, ..Default::default() }
    }

    /// Steps as it says, with as much weight as leaves S at a half, and all of it where that is less.
    fn take(&self, simulation: &mut Simulation, turn_of_weight: f64) {
        let part = FRAME / f64::from(self.substeps);
        let share = (0.5 / (part * part * turn_of_weight)).min(1.0);
        let simulate = &mut simulation.system.simulate;
        simulate.stepper = if self.compliance == 0.0 { "pbd" } else { "xpbd" }.into();
        (simulate.step_size, simulate.projection) = (FRAME, self.settings());
        simulation.system.gravity = -share * GRAVITY * Vec3::y();
    }
}

/// A metre of chain that hangs from its first node, or from both ends with a sag.
fn chain(compliance: f64, sags: bool, stepper: &str) -> Springs {
    let stiffness = if compliance > 0.0 { 1.0 / compliance } else { 1e4 };
    let settings = json!({ "stiffness": stiffness, "mass": { "per_node": MASS } });
    let mut springs = if sags {
        let points: Vec<[f64; 3]> = (0..=LINKS)
            .map(|k| {
                let u = 2.0 * k as f64 / LINKS as f64 - 1.0;
                [0.4 * u, 0.5 * u.cosh(), 0.0]
            })
            .collect();
        Springs::new(&line(&points), settings, json!({ "vertices": [0, LINKS] }))
    } else {
        Springs::new(&hanging(LINKS, 1.0), settings, top())
    };
    springs.scene["simulate"] = json!({ "stepper": stepper, "step_size": FRAME });
    springs.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    springs
}

/// S over h^2 [1/s^2] of a chain's second link under its whole weight: of the first only one end may move.
fn turn_of_chain() -> f64 {
    (LINKS - 1) as f64 * GRAVITY * 2.0 / (1.0 / LINKS as f64)
}

fn chain_by(way: &Way, method: Method) -> Simulation {
    let stepper = if way.compliance == 0.0 { "pbd" } else { "xpbd" };
    let mut simulation = chain(way.compliance, false, stepper).build();
    way.take(&mut simulation, turn_of_chain());
    let report = simulation.initialise(method, &Unwatched).unwrap();
    assert!(method == Method::Naive || report.residual.balanced, "{:?}", report.residual);
    simulation
}

/// A wavy curtain of n x n cells that hangs from its upper edge: springs along edges and hinges.
fn curtain(cells: usize, compliance: f64, stepper: &str) -> Sheet {
    let pi = std::f64::consts::PI;
    let mut sheet = Sheet::new([cells; 2], Cut::Right, |u, v| Vec3::new(u, -v, 0.05 * (4.0 * pi * u).sin() * (0.5 + 0.5 * v)));
    let stiffness = if compliance > 0.0 { 1.0 / compliance } else { 500.0 };
    sheet.cloth(&json!({ "law": "springs", "stiffness": stiffness, "bending_stiffness": 1e-3, "bending_law": "angle", "density": 0.2 }));
    sheet.hold(|_, v| v == 0.0);
    sheet.scene["simulate"] = json!({ "stepper": stepper, "step_size": FRAME });
    sheet.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    sheet
}

/// The largest drift within so many seconds.
fn drift(simulation: &mut Simulation, seconds: f64) -> f64 {
    let steps = (seconds / FRAME).round() as usize;
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

/// Drift from rest in so many seconds, then the largest after every node was kicked at random by 1 cm/s under full weight, which swings as far
/// as less of a kick under less weight; and that at the end.
fn rest_and_kick(simulation: &mut Simulation, seconds: f64) -> [f64; 3] {
    let rest = drift(simulation, seconds);
    simulation.reset();
    let weight = simulation.system.gravity.norm() / GRAVITY;
    let mut random = Random::new(9);
    for v in &mut simulation.state.velocities {
        *v = 1e-2 * weight.sqrt() * random.vector(-1.0, 1.0);
    }
    simulation.system.take_supported(&mut simulation.state.velocities);
    let largest = drift(simulation, seconds);
    [rest, largest, simulation.step(&Unwatched).unwrap().drift]
}

/// What the compared starts drift by in so many seconds: rest data alone, those of the closed forms, and undeformed.
fn compared(start: impl Fn(Preload, Method) -> Simulation, seconds: f64) -> [f64; 3] {
    let cases = [(Preload::None, Method::SagFree), (Preload::Paper, Method::SagFree), (Preload::None, Method::Naive)];
    cases.map(|(preload, method)| drift(&mut start(preload, method), seconds))
}

fn curtain_by(way: &Way, method: Method, cells: usize) -> Simulation {
    let stepper = if way.compliance == 0.0 { "pbd" } else { "xpbd" };
    let mut simulation = curtain(cells, way.compliance, stepper).build().unwrap();
    way.take(&mut simulation, 1e-12);
    simulation.initialise(method, &Unwatched).unwrap();
    if let Err(StepError::TurnsTooFar { turn, .. } | StepError::GivesWay { turn, .. }) = simulation.step(&Unwatched) {
        let part = FRAME / f64::from(way.substeps);
        way.take(&mut simulation, turn / (part * part));
        simulation.initialise(method, &Unwatched).unwrap();
    }
    simulation.reset();
    simulation
}

/// A few of the ways of [`the_whole_matrix`]: nothing leaves the pose, and what is kicked comes back.
#[test]
fn a_chain_rests_whatever_the_parts_sweeps_and_order() {
    for (number, (compliance, substeps, sweeps)) in
        [(0.0, 5, 1), (1e-8, 20, 1), (1e-4, 1, 5), (1e-4, 5, 1), (1e-2, 5, 5), (1e-2, 20, 1)].into_iter().enumerate()
    {
        let way = Way { compliance, substeps, sweeps, order: ORDERS[number % 4], preload: Preload::Multipliers };
        let mut simulation = chain_by(&way, Method::SagFree);
        let [rest, kicked, _] = rest_and_kick(&mut simulation, 2.0);
        let turn = simulation.step(&Unwatched).unwrap().turn;
        assert!(turn > 0.05 && turn < 1.0, "{way:?}: {turn}");
        assert!(rest <= 1e-10, "{way:?}: {rest:e}");
        assert!(kicked > 1e-6 && kicked < 5e-3, "{way:?}: {kicked:e}");
        if sweeps == 1 {
            let others = compared(|preload, method| chain_by(&Way { preload, ..way }, method), 2.0);
            assert!(others.iter().all(|drift| *drift > 1e-6), "{way:?}: {others:?}");
        }
    }
}

#[test]
fn a_curtain_of_springs_and_hinges_rests() {
    for (number, (compliance, substeps, sweeps)) in [(0.0, 5, 1), (1e-4, 5, 1), (1e-2, 2, 1)].into_iter().enumerate() {
        let way = Way { compliance, substeps, sweeps, order: ORDERS[number % 4], preload: Preload::Multipliers };
        let rest = drift(&mut curtain_by(&way, Method::SagFree, 10), 1.0);
        let naive = drift(&mut curtain_by(&way, Method::Naive, 10), 1.0);
        assert!(rest <= 1e-10 && naive > 1e-4, "{way:?}: {rest:e}, naive {naive:e}");
    }
}

/// What cloth pushes with is no pull: under loads that turn far in a part, of which folds push with a tenth, it rests as far as it is told to.
#[test]
fn a_curtain_whose_folds_push_rests() {
    let mut bad = Vec::new();
    for (number, (compliance, sweeps, turn)) in [(0.0, 5, 8.0), (1e-4, 5, 12.0), (1e-4, 20, 5.0)].into_iter().enumerate() {
        let way = Way { compliance, substeps: 1, sweeps, order: ORDERS[number % 4], preload: Preload::Multipliers };
        bad.extend(broken("cloth", &way, turn, curtain(10, compliance, "xpbd").build().unwrap(), 3.0));
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// How much further than at first a kick of 0.1 um/s goes within two seconds.
fn growth(simulation: &mut Simulation) -> f64 {
    let mut random = Random::new(9);
    simulation.state.velocities.iter_mut().for_each(|v| *v = 1e-7 * random.vector(-1.0, 1.0));
    simulation.system.take_supported(&mut simulation.state.velocities);
    let drifts: Vec<f64> = (0..120).map(|_| simulation.step(&Unwatched).unwrap().drift).collect();
    drifts[60..].iter().copied().fold(0.0, f64::max) / drifts[..10].iter().copied().fold(0.0, f64::max)
}

/// What pushes in stiff cloth is held from turning away by no more than its sweeps: told as S, and refused with a number that does.
#[test]
fn stiff_cloth_that_pushes_holds_up_to_where_it_is_told() {
    for (number, (cells, sweeps, turn)) in
        [(12, 1, 0.9), (12, 5, 1.9), (15, 20, 1.9), (16, 1, 1.9), (14, 1, 2.1), (12, 5, 4.0)].into_iter().enumerate()
    {
        let way = Way { compliance: 1e-8, substeps: 5, sweeps, order: ORDERS[number % 4], preload: Preload::Multipliers };
        let mut simulation = curtain(cells, way.compliance, "xpbd").build().unwrap();
        under(&way, turn, &mut simulation);
        if turn >= 2.0 {
            let Err(StepError::GivesWay { turn: told, substeps: Some(substeps), .. }) = simulation.step(&Unwatched) else {
                panic!("{way:?}: not refused at {turn}")
            };
            assert!((told - turn).abs() < 0.05 * turn && substeps > way.substeps, "{way:?}: {told} of {turn}, {substeps}");
            simulation.system.simulate.projection.substeps = substeps;
            assert!(simulation.step(&Unwatched).unwrap().turn < 2.0);
            simulation.reset();
        }
        let growth = growth(&mut simulation);
        assert!(growth < 5.0, "{way:?}, S {turn}: {growth:e} times as far");
    }
}

/// By share constraints are as stiff as their sweeps, whatever they are made of; by compliance softer ones hold less.
#[test]
fn only_compliances_make_sweeps_hold_less() {
    let turn = |factor: f64, stepper: &str| {
        let mut sheet = curtain(12, 1e-8, stepper);
        sheet.cloth(&json!({ "stiffness": factor * 1e8, "bending_stiffness": factor * 1e-3 }));
        sheet.scene["simulate"]["projection"] = json!({ "substeps": 5, "sweeps": 1 });
        let mut simulation = sheet.build().unwrap();
        simulation.system.gravity *= 1e-2;
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        simulation.step(&Unwatched).unwrap().turn
    };
    let [by_share, softer] = [1.0, 1e-2].map(|factor| turn(factor, "pbd"));
    assert!((by_share - softer).abs() < 1e-2 * by_share, "{by_share} {softer}");
    let [compliant, softer] = [1.0, 1e-2].map(|factor| turn(factor, "xpbd"));
    assert!(softer > 1.2 * compliant, "{compliant} {softer}");
}

/// Curtains by chance, by both steppers: below 2 a kick stays as small as it is, and a number of substeps that is advised holds what was refused.
#[test]
fn what_is_told_of_any_curtain_holds() {
    let mut random = Random::new(31);
    let (mut taken, mut refused) = (0, 0);
    // What all of them would be found for is a matter of the last digits: as many as it takes.
    for _ in 0..80 {
        if taken >= 12 && refused >= 4 {
            break;
        }
        let mut number = |low: f64, high: f64| random.uniform(low, high);
        let (cells, is_share) = (number(8.0, 14.0) as usize, number(0.0, 1.0) < 0.3);
        let compliance = 10_f64.powf(number(-9.0, -3.0));
        let (substeps, sweeps) = (number(2.0, 9.0) as u32, [1, 2, 5, 10][number(0.0, 4.0) as usize]);
        let (order, turn) = (ORDERS[number(0.0, 4.0) as usize], [0.9, 1.9, 2.5, 6.0][number(0.0, 4.0) as usize]);
        let mut simulation = curtain(cells, compliance, if is_share { "pbd" } else { "xpbd" }).build().unwrap();
        simulation.system.simulate.step_size = FRAME;
        simulation.system.simulate.projection = ProjectionSettings { substeps, sweeps, order, ..Default::default() };
        // S is proportional to the weight.
        simulation.system.gravity = -1e-3 * GRAVITY * Vec3::y();
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        let found = simulation.step(&Unwatched).unwrap().turn;
        simulation.system.gravity *= turn / found;
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        if !report.residual.balanced || report.stability.is_none_or(|found| found.negative_eigenvalues > 0) {
            continue;
        }
        let what = format!("{cells} cells, {compliance:.1e}, share {is_share}, {substeps} x {sweeps}, {order:?}, S {turn}");
        match simulation.step(&Unwatched) {
            Ok(_) => taken += 1,
            Err(StepError::TurnsTooFar { substeps: advised, .. } | StepError::GivesWay { substeps: Some(advised), .. }) => {
                assert!(turn > 1.95 && advised > substeps, "{what}: {advised}");
                refused += 1;
                simulation.system.simulate.projection.substeps = advised;
            }
            Err(other) => panic!("{what}: {other}"),
        }
        simulation.reset();
        let growth = growth(&mut simulation);
        println!("{what}: {growth:.2}");
        assert!(growth < 5.0, "{what}: {growth:e} times as far");
    }
    assert!(taken >= 12 && refused >= 4, "{taken} taken, {refused} refused");
}

/// Single sweeps over stiff cloth take energy out of what was kicked, in whatever colours.
#[test]
fn a_stiff_curtain_calms_down() {
    for seed in [1, 2] {
        let mut sheet = curtain(16, 0.0, "xpbd");
        sheet.cloth(&json!({ "stiffness": 1e5 }));
        sheet.scene["simulate"]["projection"] = json!({ "substeps": 20, "sweeps": 1, "seed": seed });
        let mut simulation = sheet.build().unwrap();
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        let mut random = Random::new(3);
        simulation.state.velocities.iter_mut().for_each(|v| *v = random.vector(-0.01, 0.01));
        simulation.system.take_supported(&mut simulation.state.velocities);
        let energies: Vec<f64> = (0..480).map(|_| simulation.step(&Unwatched).unwrap().kinetic).collect();
        let [first, last] = [&energies[..60], &energies[420..]].map(|second| second.iter().sum::<f64>());
        assert!(last < 0.5 * first, "order {seed}: {first:e}, then {last:e}");
    }
}

/// Sweeps in a given order go there and back, so that what a kick of one node does to another is what a kick of that would do to it: in one direction
/// they are not symmetric, and many of them feed the slow motions of stiff cloth.
#[test]
fn sweeps_in_a_given_order_are_symmetric() {
    const SPEED: f64 = 1e-3;
    for (order, sweeps) in [ProjectionOrder::Forward, ProjectionOrder::Reverse].into_iter().flat_map(|order| [(order, 2), (order, 4)]) {
        let moved = |kicked: usize| {
            let mut simulation = chain(1e-3, false, "xpbd").build();
            let way = Way { compliance: 1e-3, substeps: 1, sweeps, order, preload: Preload::Multipliers };
            (simulation.system.simulate.step_size, simulation.system.simulate.projection) = (FRAME, way.settings());
            simulation.system.gravity = Vec3::zeros();
            simulation.initialise(Method::Naive, &Unwatched).unwrap();
            let before = simulation.state.positions.clone();
            simulation.state.velocities[kicked].y = SPEED;
            simulation.step(&Unwatched).unwrap();
            simulation.state.positions.iter().zip(&before).map(|(x, before)| (x - before).y).collect::<Vec<f64>>()
        };
        let (upper, lower) = (moved(3), moved(7));
        let far = upper[7];
        assert!(far > 1e-4 * SPEED * FRAME, "{order:?}: {far:e} m");
        assert!((far - lower[3]).abs() < 1e-6 * far, "{order:?}, {sweeps} sweeps: {far:e} m, and {:e} m back", lower[3]);
    }
}

/// What S is made by loads that are chosen for it, by parts of a step.
const TURNS: [(u32, f64); 4] = [(1, 8.0), (2, 1.9), (5, 0.9), (20, 0.05)];

/// With as much weight as makes S `turn`.
fn under(way: &Way, turn: f64, start: &mut Simulation) {
    let simulate = &mut start.system.simulate;
    simulate.stepper = if way.compliance == 0.0 { "pbd" } else { "xpbd" }.into();
    (simulate.step_size, simulate.projection) = (FRAME, way.settings());
    // S is proportional to the weight.
    start.system.gravity = -1e-3 * GRAVITY * Vec3::y();
    start.initialise(Method::SagFree, &Unwatched).unwrap();
    let found = start.step(&Unwatched).unwrap().turn;
    start.system.gravity *= turn / found;
    let report = start.initialise(Method::SagFree, &Unwatched).unwrap();
    assert!(report.residual.balanced && report.stability.is_some_and(|found| found.negative_eigenvalues == 0));
    start.reset();
}

/// An odd number of sweeps there and back, which begin each part the other way: a kick calms down whichever end of the cloth they begin at. Where its
/// folds and threads turn so far that together they would be lost, that is told.
#[test]
fn odd_sweeps_of_cloth_calm_down_from_either_end() {
    for (order, (sweeps, turn)) in [ProjectionOrder::Forward, ProjectionOrder::Reverse]
        .into_iter()
        .flat_map(|order| [(1, 1.9), (3, 7.0), (5, 8.0), (7, 12.0)].map(|case| (order, case)))
    {
        let way = Way { compliance: 0.0, substeps: 1, sweeps, order, preload: Preload::Multipliers };
        let mut simulation = curtain(20, 0.0, "pbd").build().unwrap();
        under(&way, turn, &mut simulation);
        let mut random = Random::new(9);
        simulation.state.velocities.iter_mut().for_each(|v| *v = 1e-2 * random.vector(-1.0, 1.0));
        simulation.system.take_supported(&mut simulation.state.velocities);
        let energies: Vec<f64> = (0..240).map(|_| simulation.step(&Unwatched).unwrap().kinetic).collect();
        let [first, last] = [&energies[..60], &energies[180..]].map(|second| second.iter().sum::<f64>());
        assert!(last < 0.3 * first, "{sweeps} sweeps, {order:?}, S {turn}: {first:e}, then {last:e}");
    }
    let way = Way { compliance: 0.0, substeps: 1, sweeps: 3, order: ProjectionOrder::Forward, preload: Preload::Multipliers };
    let mut simulation = curtain(20, 0.0, "pbd").build().unwrap();
    under(&way, 7.0, &mut simulation);
    simulation.system.gravity *= 10.0 / 7.0;
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let Err(StepError::TurnsTooFar { turn, most, substeps: 2 }) = simulation.step(&Unwatched) else { panic!("not told") };
    assert!((turn - 10.0).abs() < 1e-6 && most > 7.0 && most < 9.0, "{turn} {most}");
}

/// What does not keep to the bounds of its S, in words: told before anything moves from there on; below, what drifts from rest in so many seconds, how
/// far a kick of 1 cm/s goes, and whether it calms down.
fn broken(what: &str, way: &Way, turn: f64, mut simulation: Simulation, seconds: f64) -> Option<String> {
    under(way, turn, &mut simulation);
    // What springs carry turns with them, and bears more the more sweeps there are.
    let sweeps = f64::from(way.sweeps);
    let bound = (0.8 + 1.2 * sweeps * sweeps).min(5.8 * sweeps);
    if turn >= 2.0 {
        match simulation.step(&Unwatched) {
            Err(StepError::TurnsTooFar { substeps, .. } | StepError::GivesWay { substeps: Some(substeps), .. }) => {
                let is_needed = substeps > way.substeps && (what != "chain" || turn >= bound);
                return (!is_needed).then(|| format!("{what} {way:?}: told without need"));
            }
            Ok(_) if turn < bound => simulation.reset(),
            _ => return Some(format!("{what} {way:?}: not told")),
        }
    }
    let most = if turn < 1.0 { 1e-10 } else { 1e-8 };
    let rest = drift(&mut simulation, seconds);
    simulation.reset();
    let weight = simulation.system.gravity.norm() / GRAVITY;
    let mut random = Random::new(9);
    simulation.state.velocities.iter_mut().for_each(|v| *v = 1e-2 * weight.sqrt() * random.vector(-1.0, 1.0));
    simulation.system.take_supported(&mut simulation.state.velocities);
    let steps = (seconds / FRAME).round() as usize;
    let swung: Vec<(f64, f64)> = (0..steps).map(|_| simulation.step(&Unwatched).map(|step| (step.drift, step.kinetic)).unwrap()).collect();
    let kicked = swung.iter().map(|step| step.0).fold(0.0, f64::max);
    let [first, last] = [&swung[30..90], &swung[steps - 60..]].map(|second| second.iter().map(|step| step.1).sum::<f64>());
    let told = format!("{what} {way:?}, S {turn}: rest {rest:.1e}, kicked {kicked:.1e}, energy {:.2}", last / first);
    println!("{told}");
    // Under little weight it takes more than a few swings to see that they become less.
    let calms = if seconds < 10.0 { last < 1.01 * first } else { last < first };
    let holds = rest <= most && kicked > 1e-7 && kicked < 5e-3 && calms;
    (!holds).then_some(told)
}

/// Every way with loads that make S 8, 1.9, 0.9 and 0.05.
fn all_ways() -> impl Iterator<Item = (Way, f64)> {
    let ways = [0.0, 1e-8, 1e-4, 1e-2].into_iter().flat_map(|compliance| TURNS.map(|turn| (compliance, turn)));
    let ways = ways.flat_map(|(compliance, turn)| [1, 5, 50].map(|sweeps| (compliance, turn, sweeps)));
    ways.flat_map(|(compliance, (substeps, turn), sweeps)| {
        [ProjectionOrder::Forward, ProjectionOrder::Reverse, ProjectionOrder::Shuffled]
            .map(|order| (Way { compliance, substeps, sweeps, order, preload: Preload::Multipliers }, turn))
    })
}

/// Some of the ways by chance; all of them in [`the_whole_matrix`].
#[test]
fn below_the_bound_all_rest_and_above_it_is_told() {
    let mut random = Random::new(12);
    let ways: Vec<(Way, f64)> = all_ways().collect();
    let mut bad = Vec::new();
    for (substeps, _) in TURNS {
        let of_turn: Vec<&(Way, f64)> = ways.iter().filter(|(way, _)| way.substeps == substeps && way.sweeps < 50).collect();
        for _ in 0..3 {
            let (way, turn) = of_turn[random.uniform(0.0, of_turn.len() as f64) as usize];
            bad.extend(broken("chain", way, *turn, chain(way.compliance, false, "xpbd").build(), 3.0));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// All of them, for ten seconds. A quarter of an hour, built for speed.
#[test]
#[ignore = "minutes"]
fn the_whole_matrix() {
    let bad: Vec<String> =
        all_ways().filter_map(|(way, turn)| broken("chain", &way, turn, chain(way.compliance, false, "xpbd").build(), 10.0)).collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

/// The same of cloth, by compliances. Each takes the better part of an hour.
fn the_matrix_of_cloth(compliance: f64) {
    let bad: Vec<String> = all_ways()
        .filter(|(way, _)| way.compliance == compliance)
        .filter_map(|(way, turn)| broken("cloth", &way, turn, curtain(20, way.compliance, "xpbd").build().unwrap(), 10.0))
        .collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
#[ignore = "the better part of an hour"]
fn the_matrix_of_cloth_without_compliance() {
    the_matrix_of_cloth(0.0);
}

#[test]
#[ignore = "the better part of an hour"]
fn the_matrix_of_stiff_cloth() {
    the_matrix_of_cloth(1e-8);
}

#[test]
#[ignore = "the better part of an hour"]
fn the_matrix_of_cloth_that_gives() {
    the_matrix_of_cloth(1e-4);
}

#[test]
#[ignore = "the better part of an hour"]
fn the_matrix_of_soft_cloth() {
    the_matrix_of_cloth(1e-2);
}

/// Where the weight turns, nothing of what was solved for the old one is left.
#[test]
fn under_another_weight_it_swings_as_if_nothing_had_been_solved() {
    let way = Way { compliance: 1e-6, substeps: 20, sweeps: 5, order: ProjectionOrder::Colours, preload: Preload::Multipliers };
    let swung = |preload| {
        let mut simulation = chain_by(&Way { preload, ..way }, Method::SagFree);
        simulation.system.gravity = GRAVITY * Vec3::new(0.6, -0.8, 0.0);
        (0..60).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
        simulation
    };
    let (with, without) = (swung(Preload::Multipliers), swung(Preload::None));
    assert_eq!(with.state.positions, without.state.positions);
    assert!(with.state.positions.last().unwrap().x > 0.1);
}

/// What is pushed swings as far as what is solved well: nothing pulls it to its pose.
#[test]
fn what_is_pushed_swings_freely() {
    for push in [0.1, 0.3] {
        let peak = |sweeps| {
            let way = Way { compliance: 1e-6, substeps: 20, sweeps, order: ProjectionOrder::Colours, preload: Preload::Multipliers };
            let mut simulation = chain_by(&way, Method::SagFree);
            let depths: Vec<f64> = simulation.system.positions.iter().map(|x| -x.y).collect();
            let top = depths.iter().fold(f64::INFINITY, |top, depth| top.min(*depth));
            simulation.state.velocities.iter_mut().zip(&depths).for_each(|(v, depth)| v.x = push * (depth - top));
            drift(&mut simulation, 3.0)
        };
        let [plain, few, well] = [1, 5, 400].map(peak);
        println!("pushed by {push} m/s: {plain} with one sweep, {few} with five, {well} with 400");
        assert!(well > 0.05 * push && (plain / well - 1.0).abs() < 0.1 && (few / well - 1.0).abs() < 0.1);
    }
}

/// What is let go falls, as if nothing had been solved: to the bit as without multipliers, and its centre with g.
#[test]
fn what_is_let_go_falls() {
    let way = Way { compliance: 1e-4, substeps: 20, sweeps: 1, order: ProjectionOrder::Forward, preload: Preload::Multipliers };
    let fallen = |preload| {
        let mut simulation = chain_by(&Way { preload, ..way }, Method::SagFree);
        simulation.system.fixed.fill(false);
        let before: f64 = simulation.state.positions.iter().map(|x| x.y).sum();
        for _ in 0..60 {
            simulation.step(&Unwatched).unwrap();
        }
        let after: f64 = simulation.state.positions.iter().map(|x| x.y).sum();
        ((before - after) / simulation.state.positions.len() as f64, simulation)
    };
    let ((fallen_by, with), (_, without)) = (fallen(Preload::Multipliers), fallen(Preload::None));
    let (time, part) = (with.state.time, FRAME / 20.0);
    let expected = 0.5 * -with.system.gravity.y * time * (time + part);
    assert!((fallen_by - expected).abs() < 1e-10, "{fallen_by} in place of {expected}");
    assert_eq!(with.state.positions, without.state.positions);
    // Held, it does not fall.
    assert!(drift(&mut chain_by(&way, Method::SagFree), 1.0) < 1e-10);
}

/// Links of a chain that lies on a table, and of its end that hangs over the edge.
const ON_TABLE: usize = 30;
const OVER_EDGE: usize = 12;

/// The chain over the edge, as it is to be stepped.
fn over_edge(over: usize, friction: f64, substeps: u32, sweeps: u32) -> Simulation {
    // Five links bend around the edge, which is round.
    let (link, radius, bent) = (0.01, 0.03, 5);
    let points: Vec<[f64; 3]> = (0..=ON_TABLE + bent + over)
        .map(|k| match k.checked_sub(ON_TABLE) {
            None => [link * (k as f64 - ON_TABLE as f64), 0.0, 0.0],
            Some(around) if around <= bent => {
                let angle = std::f64::consts::FRAC_PI_2 * around as f64 / bent as f64;
                [radius * angle.sin(), radius * (angle.cos() - 1.0), 0.0]
            }
            Some(below) => [radius, -radius - link * (below - bent) as f64, 0.0],
        })
        .collect();
    let settings = json!({ "stiffness": 1e4, "mass": { "per_node": MASS } });
    let mut springs = Springs::new(&line(&points), settings, json!({ "all": {} }));
    springs.scene["bodies"][0]["regions"][0]["role"] = json!({ "contact": {} });
    let table = json!({ "box": { "center": [-0.5, -0.5, 0.0], "size": [1.0, 1.0, 1.0] } });
    let edge = json!({ "capsule": { "from": [0.0, -radius, -0.2], "to": [0.0, -radius, 0.2], "radius": radius } });
    springs.scene["obstacles"] = json!([
        { "name": "table", "shape": table, "friction": friction },
        { "name": "edge", "shape": edge, "friction": friction }
    ]);
    springs.scene["simulate"] = json!({ "stepper": "xpbd", "step_size": FRAME, "projection": { "substeps": substeps, "sweeps": sweeps } });
    springs.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    springs.build()
}

/// What hangs over the edge of a table is held by friction on it, as long as friction is what was solved.
#[test]
fn a_chain_over_an_edge_is_held_by_friction() {
    for (substeps, sweeps) in [(10, 1), (10, 5), (20, 1)] {
        let mut simulation = over_edge(OVER_EDGE, 0.5, substeps, sweeps);
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.residual.after < 1e-9 && report.infeasible.is_empty(), "{:?} {:?}", report.residual, report.infeasible);
        let rest = drift(&mut simulation, 2.0);
        let touching = simulation.step(&Unwatched).unwrap();
        simulation.reset();
        let mut random = Random::new(4);
        simulation.state.velocities.iter_mut().for_each(|v| *v = 1e-3 * random.vector(-1.0, 1.0));
        let kicked = drift(&mut simulation, 2.0);
        // The forces of all contacts carry all that is not held by the links beyond.
        let weight = GRAVITY * simulation.system.masses.iter().sum::<f64>();
        simulation.reset();
        simulation.step(&Unwatched).unwrap();
        let carried: Vec3 = simulation.contact_forces().iter().map(|contact| contact.force).sum();
        assert!((carried - weight * Vec3::y()).norm() < 1e-7 * weight, "{carried:?} for {weight} N");
        // Without friction in the balance there is no balance, and without friction no rest.
        simulation.balance.contacts.iter_mut().for_each(|contact| contact.friction_force = Vec3::zeros());
        simulation.reset();
        let plain = drift(&mut simulation, 2.0);
        simulation.system.pairs.iter_mut().for_each(|pair| pair.friction = 0.05);
        simulation.reset();
        let smooth = drift(&mut simulation, 1.0);
        println!(
            "{substeps} x {sweeps}: rest {rest:.1e}, kicked {kicked:.1e}, plain {plain:.1e}, smooth {smooth:.1e}, {}",
            touching.contacts
        );
        assert!(rest < 1e-10 && kicked < 2e-3, "{rest:e} {kicked:e}");
        assert!(plain > 1e-4 && smooth > 0.1, "{plain:e} {smooth:e}");
    }
}

/// A mass on a naive spring comes to rest where alpha times its weight says, for any size and number of sweeps.
#[test]
fn a_spring_is_as_long_as_its_compliance_says() {
    for (substeps, sweeps) in [(1, 1), (7, 1), (2, 20)] {
        let settings = json!({ "stiffness": 50.0, "damping": 0.1, "mass": { "per_node": 0.1 } });
        let mut springs = Springs::new(&hanging(1, 0.5), settings, top());
        springs.scene["simulate"] =
            json!({ "stepper": "xpbd", "step_size": FRAME, "projection": { "substeps": substeps, "sweeps": sweeps } });
        springs.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
        let (mut simulation, _) = springs.initialised(Method::Naive);
        (0..600).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
        let longer = simulation.system.positions[1].y - simulation.state.positions[1].y;
        let expected = 0.1 * GRAVITY / 50.0;
        assert!((longer / expected - 1.0).abs() < 1e-6, "{substeps}x{sweeps}: {longer} in place of {expected}");
    }
}

/// Told before anything moves, with the number of parts that does.
#[test]
fn forces_that_turn_too_far_are_refused() {
    let mut simulation = chain(1e-4, false, "xpbd").build();
    simulation.system.simulate.projection.substeps = 1;
    simulation.initialise(Method::SagFree, &Unwatched).unwrap();
    let before = simulation.state.positions.clone();
    let StepError::TurnsTooFar { turn, substeps, .. } = simulation.step(&Unwatched).unwrap_err() else { panic!("another refusal") };
    let expected = FRAME * FRAME * turn_of_chain();
    assert!((turn / expected - 1.0).abs() < 1e-9, "{turn} in place of {expected}");
    assert_eq!(simulation.state.positions, before);
    simulation.system.simulate.projection.substeps = substeps;
    let told = simulation.step(&Unwatched).unwrap();
    assert!(told.turn <= 1.0 && told.turn > 0.5 && told.drift < 1e-12, "{} {:e}", told.turn, told.drift);
    simulation.system.simulate.projection = ProjectionSettings { substeps: 1, preload: Preload::None, ..Default::default() };
    assert!(simulation.step(&Unwatched).is_ok());
}

#[test]
fn what_is_no_constraint_is_refused() {
    let told = |scene: serde_json::Value| {
        let mut sheet = curtain(4, 1e-3, "xpbd");
        sheet.cloth(&scene["cloth"]);
        sheet.build().err().unwrap_or_default()
    };
    assert_eq!(told(json!({ "cloth": {} })), "");
    assert!(told(json!({ "cloth": { "bending_law": "sine" } })).contains("`hinges`"));
    let neo_hookean = told(json!({ "cloth": { "law": "neo_hookean" } }));
    assert!(neo_hookean.contains("`membranes`") && neo_hookean.contains("`stvk`"), "{neo_hookean}");
}
