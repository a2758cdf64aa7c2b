//! Strands by position: exact at rest from a sag-free start with one sweep, not frozen there, and where their roots go.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::spring_scene::{Springs, line};
use crate::strand_scene::{GRAVITY, HANGING, SIDEWAYS, hair, helix, root, strands};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::{Method, Preload, ProjectionSettings, StrandProjection};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::StepError;
use aplomb_sim::watch::Unwatched;
use serde_json::json;

const FRAME: f64 = 1.0 / 60.0;

/// A hair of 6.5 mg a metre with this bending stiffness [N m^2] through these points, held by its first.
fn strand(points: &[[f64; 3]], bending: f64, stepper: &str) -> Springs {
    let mut scene = strands(&line(points), hair(bending), root());
    scene.scene["simulate"] = json!({ "stepper": stepper, "step_size": FRAME });
    scene.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    scene
}

fn started(scene: &Springs, way: (u32, u32), preload: Preload, method: Method) -> Simulation {
    started_by(scene, StrandProjection::Whole, way, preload, method)
}

fn started_by(scene: &Springs, strands: StrandProjection, (substeps, sweeps): (u32, u32), preload: Preload, method: Method) -> Simulation {
    let mut simulation = scene.build();
    simulation.system.simulate.projection = ProjectionSettings { substeps, sweeps, preload, strands, ..Default::default() };
    let report = simulation.initialise(method, &Unwatched).unwrap();
    assert!(method == Method::Naive || report.residual.balanced, "{:?}", report.residual);
    simulation
}

/// The largest drift within so many seconds, the last one, and the largest S.
fn drift(simulation: &mut Simulation, seconds: f64) -> [f64; 3] {
    let mut found = [0.0_f64; 3];
    for _ in 0..(seconds / FRAME).round() as usize {
        let stats = simulation.step(&Unwatched).unwrap();
        found = [found[0].max(stats.drift), stats.drift, found[2].max(stats.turn)];
    }
    found
}

fn kick(simulation: &mut Simulation, speed: f64) {
    simulation.reset();
    let mut random = Random::new(9);
    let bodies = simulation.system.body_nodes();
    simulation.state.velocities[..bodies].iter_mut().for_each(|v| *v = speed * random.vector(-1.0, 1.0));
    simulation.system.take_supported(&mut simulation.state.velocities);
}

/// Strands whose joints are bent by no more than 0.4 rad: what each is, its points, its bending stiffness, and how far a kick of 1 cm/s may go.
fn stable() -> [(&'static str, Vec<[f64; 3]>, f64, f64); 5] {
    [
        ("straight, hanging", helix(0.0, 0.0, 24, HANGING), 8e-9, 5e-3),
        ("curl, hanging", helix(5e-3, 4.0, 48, HANGING), 8e-10, 5e-3),
        ("curl, hanging", helix(5e-3, 4.0, 48, HANGING), 8e-9, 5e-3),
        ("straight, sideways", helix(0.0, 0.0, 24, SIDEWAYS), 8e-8, 1e-2),
        ("curl, sideways", helix(5e-3, 4.0, 48, SIDEWAYS), 8e-8, 1e-2),
    ]
}

/// It rests for so many seconds, and a kick of 1 cm/s stays below `most` and decays.
fn rests(what: &str, scene: &Springs, way: (u32, u32), seconds: f64, most: f64) {
    let mut simulation = started(scene, way, Preload::Multipliers, Method::SagFree);
    let [rest, _, turn] = drift(&mut simulation, seconds);
    kick(&mut simulation, 1e-2);
    let [largest, last, _] = drift(&mut simulation, seconds);
    eprintln!("{what}, {way:?}: rest {rest:.1e}, kick {largest:.1e} {last:.1e}");
    assert!(turn == 0.0 && rest < 1e-10, "{what} {way:?}: {rest:e}");
    assert!(largest > 1e-5 && largest < most && last < largest, "{what} {way:?}: {largest:e} {last:e}");
}

/// Whatever is stable rests in any part with one sweep, hanging or held sideways, straight or curled. Naive, the same sags.
#[test]
fn a_strand_as_a_whole_rests_with_one_sweep() {
    for (what, points, bending, most) in stable() {
        let scene = strand(&points, bending, "xpbd");
        [(1, 1), (5, 1), (20, 1)].into_iter().for_each(|way| rests(&format!("{what}, EI {bending:.0e}"), &scene, way, 5.0, most));
        let naive = drift(&mut started(&scene, (5, 1), Preload::Multipliers, Method::Naive), 5.0)[0];
        // Straight down it only stretches.
        let least = if bending == 8e-9 && what.starts_with("straight") { 1e-7 } else { 1e-3 };
        assert!(naive > least, "{what} {bending:e}: {naive:e}");
    }
}

/// The same with any number of parts and sweeps, softer and stiffer along themselves, for ten seconds.
#[test]
#[ignore = "minutes"]
fn the_whole_matrix() {
    for (what, points, bending, most) in stable() {
        for young in [4e7, 4e9, 4e11] {
            let mut scene = strand(&points, bending, "xpbd");
            scene.scene["bodies"][0]["as"]["strands"]["young"] = json!(young);
            for way in [1, 2, 5, 20].into_iter().flat_map(|substeps| [1, 5, 50].map(|sweeps| (substeps, sweeps))) {
                rests(&format!("{what}, EI {bending:.0e}, E {young:.0e}"), &scene, way, 10.0, most);
            }
        }
    }
}

/// A naive strand that is held sideways comes to hang as by an implicit stepper, with one sweep.
#[test]
fn a_strand_as_a_whole_bends_as_far_as_by_an_implicit_stepper() {
    let points = helix(0.0, 0.0, 24, SIDEWAYS);
    let hung = |stepper: &str, way| {
        let mut scene = strand(&points, 8e-8, stepper);
        scene.scene["bodies"][0]["as"]["strands"]["damping"] = json!(0.05);
        let mut simulation = started(&scene, way, Preload::Multipliers, Method::Naive);
        (0..600).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
        (simulation.state.positions[24], simulation.system.positions[24], simulation.step(&Unwatched).unwrap())
    };
    let (implicit, given, _) = hung("backward_euler", (1, 1));
    for way in [(2, 1), (10, 1)] {
        let (place, _, told) = hung("xpbd", way);
        let error = (place - implicit).norm() / 0.2;
        eprintln!("{way:?}: tip {place:?}, {error:.1e} off, {:.2} down, {:e} J taken", (given.y - place.y) / 0.2, told.damping);
        assert!(error < 1e-3 && given.y - place.y > 0.04, "{way:?}: {place} {implicit}");
        assert!(told.damping > 0.0 && told.residual < 1e-3, "{} {}", told.damping, told.residual);
    }
}

/// With the multipliers of the balance nothing moves, with one sweep or five; a kick of 1 cm/s stays small and decays. Without them the same
/// rest states sag. Curls need more than five substeps, with which one sweep does not hold what turns with their frames: that is told.
#[test]
fn a_strand_in_pieces_rests_with_one_sweep() {
    const ALL: [(u32, u32); 3] = [(5, 1), (20, 1), (20, 5)];
    for (what, points, bending, ways, least_naive) in [
        ("straight, hanging", helix(0.0, 0.0, 24, HANGING), 8e-9, &ALL[..], 1e-3),
        ("curl, hanging", helix(5e-3, 4.0, 48, HANGING), 8e-10, &ALL[1..], 1e-2),
        ("curl, hanging", helix(5e-3, 4.0, 48, HANGING), 8e-9, &ALL[1..], 1e-2),
    ] {
        let scene = strand(&points, bending, "xpbd");
        if ways.len() < ALL.len() {
            let told =
                started_by(&scene, StrandProjection::Pieces, ALL[0], Preload::Multipliers, Method::SagFree).step(&Unwatched).unwrap_err();
            assert!(matches!(told, StepError::GivesWay { substeps: Some(6..=40), .. }), "{what} {bending:e}: {told:?}");
        }
        for &way in ways {
            let mut simulation = started_by(&scene, StrandProjection::Pieces, way, Preload::Multipliers, Method::SagFree);
            let [rest, _, turn] = drift(&mut simulation, 5.0);
            kick(&mut simulation, 1e-2);
            let [largest, last, _] = drift(&mut simulation, 5.0);
            let [none, paper, naive] =
                [(Preload::None, Method::SagFree), (Preload::Paper, Method::SagFree), (Preload::None, Method::Naive)]
                    .map(|(preload, method)| drift(&mut started_by(&scene, StrandProjection::Pieces, way, preload, method), 5.0)[0]);
            eprintln!(
                "{what}, EI {bending:.0e}, {way:?}: S {turn:.2}, rest {rest:.1e}, kick {largest:.1e} {last:.1e}, none {none:.1e}, paper {paper:.1e}, naive {naive:.1e}"
            );
            assert!(turn > 0.0 && turn < 2.0, "{what} {way:?}: {turn}");
            assert!(rest < 1e-10, "{what} {bending:e} {way:?}: {rest:e}");
            assert!(largest > 1e-5 && largest < 5e-3 && last < largest, "{what} {bending:e} {way:?}: {largest:e} {last:e}");
            assert!(naive > least_naive && none > least_naive, "{what} {bending:e} {way:?}: {naive:e}");
        }
    }
}

/// Let go, it falls as all things do: it is not frozen where it rests.
#[test]
fn a_strand_that_is_let_go_falls() {
    let scene = strand(&helix(5e-3, 4.0, 48, HANGING), 8e-9, "xpbd");
    let mut simulation = started(&scene, (20, 1), Preload::Multipliers, Method::SagFree);
    for _ in 0..10 {
        simulation.step(&Unwatched).unwrap();
    }
    simulation.system.fixed.fill(false);
    let height = |simulation: &Simulation| {
        let bodies = simulation.system.body_nodes();
        let weighed = simulation.state.positions[..bodies].iter().zip(&simulation.system.masses).map(|(x, m)| m * x.y).sum::<f64>();
        weighed / simulation.system.masses[..bodies].iter().sum::<f64>()
    };
    let start = height(&simulation);
    let steps = 30;
    for _ in 0..steps {
        simulation.step(&Unwatched).unwrap();
    }
    // Symplectic: n parts of h fall by g h^2 n (n + 1) / 2.
    let (parts, part) = (f64::from(steps * 20), FRAME / 20.0);
    let fallen = start - height(&simulation);
    let expected = 0.5 * GRAVITY * part * part * parts * (parts + 1.0);
    assert!((fallen / expected - 1.0).abs() < 1e-10, "{fallen} for {expected}");
}

/// Roots that go along with an obstacle: at rest until it begins to move, then where it says, with what hangs from them behind.
#[test]
fn roots_follow_a_head_that_turns() {
    for stepper in ["xpbd", "backward_euler"] {
        let mut scene = strand(&helix(5e-3, 4.0, 48, HANGING), 8e-9, stepper);
        let middle = [0.0, 0.06, 0.0];
        let moved = json!({ "time": 0.5, "translate": [0.02, 0, 0.01], "rotate": { "axis": [0, 1, 0], "degrees": 60 } });
        let motion = json!({ "pivot": middle, "keyframes": [{ "time": 0.2 }, moved] });
        let shape = json!({ "sphere": { "center": middle, "radius": 0.05 } });
        scene.scene["obstacles"] = json!([{ "name": "head", "shape": shape, "motion": motion }]);
        let role = json!({ "follows": "head" });
        scene.scene["bodies"][0]["regions"][0]["role"] = json!({ "dirichlet": role });
        let mut simulation = started(&scene, (20, 1), Preload::Multipliers, Method::SagFree);
        for _ in 0..11 {
            let drift = simulation.step(&Unwatched).unwrap().drift;
            assert!(drift < 1e-10, "{stepper}: {drift:e}");
        }
        let (given, middle) = (simulation.system.positions[0], Vec3::from(middle));
        let farthest = (0..25).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
        let turn = 60_f64.to_radians();
        let from = given - middle;
        let turned = Vec3::new(turn.cos() * from.x + turn.sin() * from.z, from.y, turn.cos() * from.z - turn.sin() * from.x);
        let (now, wanted) = (simulation.state.positions[0], middle + turned + Vec3::new(0.02, 0.0, 0.01));
        assert!((now - wanted).norm() < 1e-12, "{stepper}: {now} for {wanted}");
        eprintln!("{stepper}: drift {farthest}");
        assert!(farthest > 0.05 && farthest < 0.5, "{stepper}: {farthest}");
    }
}

/// On a table, held by its root, a strand that would buckle by itself rests where it was put; what is let go from above comes to lie there, and is
/// carried by as much as it weighs, however many sweeps there are.
#[test]
fn a_strand_lies_on_a_table() {
    let mut scene = strand(&helix(0.0, 0.0, 24, SIDEWAYS), 8e-9, "xpbd");
    let regions = scene.scene["bodies"][0]["regions"].as_array_mut().unwrap();
    regions.push(json!({ "name": "lying", "role": { "contact": {} }, "select": [{ "vertices": (1..25).collect::<Vec<_>>() }] }));
    let table = |gap: f64| {
        let shape = json!({ "box": { "center": [0.1, -0.05 - gap, 0.0], "size": [1.0, 0.1, 1.0] } });
        json!([{ "name": "table", "shape": shape, "friction": 0.5 }])
    };
    for way in [(5, 1), (5, 4)] {
        scene.scene["obstacles"] = table(1e-4);
        let mut simulation = started(&scene, way, Preload::Multipliers, Method::SagFree);
        assert!(!simulation.balance.contacts.is_empty());
        let [rest, ..] = drift(&mut simulation, 2.0);
        // Slower, friction and weight would stop it within a part.
        kick(&mut simulation, 0.3);
        let [largest, last, _] = drift(&mut simulation, 2.0);
        println!("{way:?}: rest {rest:.1e}, kick {largest:.1e} {last:.1e}");
        assert!(rest < 1e-10 && largest > 1e-6 && largest < 0.5 && last <= largest, "{way:?}: {rest:e} {largest:e} {last:e}");
        scene.scene["obstacles"] = table(2e-3);
        let mut simulation = started(&scene, way, Preload::Multipliers, Method::Naive);
        simulation.system.fixed.fill(false);
        (0..60).for_each(|_| assert!(simulation.step(&Unwatched).is_ok()));
        let bodies = simulation.system.body_nodes();
        let weight = GRAVITY * simulation.system.masses[..bodies].iter().sum::<f64>();
        let mut carried = Vec3::zeros();
        for _ in 0..30 {
            simulation.step(&Unwatched).unwrap();
            carried += simulation.contact_forces().iter().map(|contact| contact.force).sum::<Vec3>() / 30.0;
        }
        // Its root touches nothing.
        let lowest = simulation.state.positions[1..bodies].iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        println!(
            "{way:?}: rest {rest:.1e}, kick {largest:.1e} {last:.1e}, carried {:.4} of the weight, lowest {lowest:e}",
            carried.y / weight
        );
        assert!(
            (carried.y / weight - 1.0).abs() < 0.02 && lowest > -2.001e-3 && lowest < -1.9e-3,
            "{way:?}: {carried} for {weight}, {lowest}"
        );
    }
}

/// Many strands step to the same places with any number of threads, and from the same balance.
#[test]
fn strands_repeat_with_any_number_of_threads() {
    let mut points = String::new();
    let mut lines = String::new();
    for strand in 0..60 {
        for (k, [x, y, z]) in helix(4e-3 + 2e-5 * f64::from(strand), 3.0, 20, HANGING).into_iter().enumerate() {
            points += &format!("v {} {y} {z}\n", x + 0.01 * f64::from(strand));
            lines += &if k == 0 { format!("l {}", 21 * strand + 1) } else { format!(" {}", 21 * strand + 1 + k as i32) };
        }
        lines += "\n";
    }
    let select: Vec<usize> = (0..60).map(|strand| 21 * strand).collect();
    let mut scene = strand(&helix(4e-3, 3.0, 20, HANGING), 8e-9, "xpbd");
    std::fs::write(scene.folder.path().join("mesh.obj"), points + &lines).unwrap();
    scene.scene["bodies"][0]["regions"][0]["select"] = json!([{ "vertices": select }]);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = started(&scene, (5, 1), Preload::Multipliers, Method::SagFree);
            kick(&mut simulation, 0.1);
            let [largest, ..] = drift(&mut simulation, 0.2);
            (largest, simulation.state.positions)
        })
    };
    let alone = run(1);
    assert!(alone.0 > 1e-4, "{}", alone.0);
    assert!([2, 4].into_iter().all(|threads| run(threads) == alone));
}
