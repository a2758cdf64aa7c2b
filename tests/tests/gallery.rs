//! Every scene of the gallery gives the numbers that stand in it, and answers a kick.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{Expectation, Method, Scene, Shape};
use aplomb_sim::scene_file;
use aplomb_sim::scene_file::gallery::{self, GALLERY};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::recorder::Recorder;
use aplomb_sim::stats::report::InfeasibilityCode;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

/// Net torque of internal forces, over the sum of loads times the diagonal: forces between bodies act at one point of space.
const LARGEST_COUPLE: f64 = 1e-9;

fn build(name: &str) -> (Scene, Simulation) {
    let path = gallery::find(name).unwrap().path();
    let scene = scene_file::load(&path).unwrap_or_else(|problems| panic!("{problems:?}"));
    let simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
    (scene, simulation)
}

/// Of one body that stands on level ground and on nothing else, held by nothing else [N].
fn standing_weight(scene: &Scene, simulation: &Simulation) -> Option<f64> {
    let system = &simulation.system;
    let up = -system.gravity.normalize();
    let is_ground =
        |shape: &Shape| matches!(shape, Shape::HalfSpace { normal, .. } if (Vec3::from(*normal).normalize() - up).norm() < 1e-9);
    let stands = scene.bodies.len() == 1 && scene.obstacles.iter().all(|obstacle| is_ground(&obstacle.shape));
    let is_free = !scene.obstacles.is_empty() && scene.wind.is_none() && !system.fixed.contains(&true);
    (stands && is_free).then(|| system.gravity.norm() * system.masses.iter().sum::<f64>())
}

/// Runs each method of the scene's expectations once, as long as the longest of them asks.
fn check(name: &str) {
    let (scene, mut simulation) = build(name);
    let mut failures = Vec::new();
    for method in [Method::SagFree, Method::NoContact, Method::PinnedContacts, Method::Naive, Method::Settle] {
        let mut expected: Vec<&Expectation> = scene.expect.iter().filter(|e| e.method == method).collect();
        if expected.is_empty() {
            continue;
        }
        expected.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let init = simulation.initialise(method, &Unwatched).unwrap();
        let is_held = init.infeasible.iter().all(|reason| reason.code == InfeasibilityCode::TooSoft);
        // Single grains that nothing presses keep the gap of a grid open: their scenes bound what is left.
        if method == Method::SagFree && is_held && init.grid.is_none() && !(init.gap_reached && init.iterations <= 25) {
            failures.push(format!("{name}: gap {:?} after {} iterations", init.gap, init.iterations));
        }
        if let Some(weight) = standing_weight(&scene, &simulation).filter(|_| method == Method::SagFree && init.infeasible.is_empty())
            && (init.contact.total_normal_force - weight).abs() > init.residual.tolerance.max(1e-7) * weight
        {
            failures.push(format!("{name}: {} N press on the ground under {weight} N", init.contact.total_normal_force));
        }
        let mut couple = init.contact.couple;
        let mut recorder = Recorder::new();
        for expectation in expected {
            while simulation.state.time < expectation.seconds - 1e-6 {
                let stats = simulation.step(&Unwatched).unwrap();
                couple = couple.max(stats.couple);
                recorder.record(&stats);
            }
            let report = json!({ "init": init, "simulate": recorder.clone().finish(&simulation.system, &simulation.state, false) });
            let value = expectation.key.split('.').fold(&report, |value, key| &value[key]).as_f64();
            let holds = value.is_some_and(|v| expectation.min.is_none_or(|min| v >= min) && expectation.max.is_none_or(|max| v <= max));
            if !holds {
                failures.push(format!("{name}: {value:?} for {expectation:?}"));
            }
        }
        if couple > LARGEST_COUPLE {
            failures.push(format!("{name}: internal forces turn it, {couple:e}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// One test a scene, and [`CHECKED`], the names of them all.
macro_rules! check_each {
    ($($name:ident,)*) => {
        const CHECKED: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

check_each! {
    creature,
    creature_stvk,
    creature_corotated,
    octopus,
    fig3_beam,
    fig4_stack,
    fig5_bridge,
    fig6_tilted_stack,
    fig7_hay_bales,
    fig9_plant,
    fig9_plant_neo_hookean,
    fig9_plant_stvk,
    fig14_inverse,
    hanging_beam,
    hanging_chain,
    xpbd_chain,
    chain_over_edge,
    xpbd_cloth,
    inflating_ball,
    xpbd_bear,
    pbd_vs_xpbd,
    hanging_net,
    fig15_hair_mesh,
    hair_curls,
    hair_curls_discrete,
    strands_on_head,
    pbsm_bars,
    pbsm_twist,
    pbsm_fish,
    pbsm_layers,
    pbf_column,
    mpm_creature,
    mpm_bunny,
    mpm_dam,
    sand_heap,
    vertical_cut,
    metal_press,
    mpm_blocks,
    mpm_sand_sphere,
    jelly_in_sand,
    jelly_in_sling,
    sampling,
    spring_square_drop,
    spring_square_stretched,
    spring_square_hanging,
    spring_slope,
    spring_ceiling,
    spring_and_jelly,
    fig17_dragon_springs,
    fig10_book,
    fig11_blanket,
    fig12_hats,
    fig13_sail,
    garment,
    cloth_locking,
    drape_sphere,
    tablecloth_pull,
    tent_and_jelly,
    solvers,
    jelly_on_table,
    leaning_beam,
    gourd,
    slope,
    slope_slides,
    box_drop,
    torus_drop,
    press,
    two_boxes,
    two_boxes_frictionless,
    stack_topple,
    twist_bar,
    funnel,
    locally_stiffened,
    floating,
    too_slippery,
    too_soft,
}

#[test]
fn no_scene_goes_unchecked() {
    for scene in GALLERY {
        assert!(CHECKED.contains(&scene.name), "{} is missing above", scene.name);
    }
}

/// Implicit Euler and friction only take energy out of a fall, a bounce and the rest after it.
#[test]
fn a_dropped_box_never_gains_energy() {
    let (_, mut simulation) = build("box_drop");
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    let mut step = || simulation.step(&Unwatched).unwrap();
    let mut last = step();
    let fallen = last.gravity;
    for _ in 1..250 {
        let now = step();
        assert!(now.total <= last.total + 1e-12 * fallen.abs(), "{} J after {} J at {} s", now.total, last.total, now.time);
        last = now;
    }
    assert!(last.kinetic < 1e-6 && last.contacts > 0, "it is not at rest: {last:?}");
}

/// After the landing, the block gathers speed as Coulomb's law has it: g (sin - mu cos).
#[test]
fn the_sliding_block_accelerates_as_friction_lets_it() {
    let (scene, mut simulation) = build("slope_slides");
    let Shape::HalfSpace { normal, .. } = scene.obstacles[0].shape else { panic!("not a slope") };
    let downhill = Vec3::new(normal[1], -normal[0], 0.0);
    let expected = 9.81 * (normal[0] - scene.obstacles[0].friction * normal[1]);
    simulation.initialise(Method::Naive, &Unwatched).unwrap();
    let mass: f64 = simulation.system.masses.iter().sum();
    let mut speed_at = |steps: usize| {
        let last = (0..steps).map(|_| simulation.step(&Unwatched).unwrap()).last().unwrap();
        last.momentum.dot(&downhill) / mass
    };
    let (early, late) = (speed_at(100), speed_at(100));
    let acceleration = late - early;
    assert!((acceleration / expected - 1.0).abs() < 1e-3, "{acceleration} m/s^2 instead of {expected}");
}

#[test]
fn scenes_that_must_fail_name_what_is_wrong() {
    for (name, code) in [("floating", "unsupported"), ("too_slippery", "too_little_friction"), ("too_soft", "too_soft")] {
        let (_, mut simulation) = build(name);
        let report = serde_json::to_value(simulation.initialise(Method::SagFree, &Unwatched).unwrap()).unwrap();
        let found: Vec<&Value> = report["infeasible"].as_array().unwrap().iter().collect();
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert_eq!(found[0]["code"], code);
        assert_eq!(found[0]["body"], "jelly");
        assert!(!found[0]["indices"].as_array().unwrap().is_empty());
    }
}

/// A kick of 1e-3 m/s is seen, is under a tenth of its peak within 5 s, and ends within 1e-7 of the pose.
#[test]
fn kicks_die_away() {
    for name in ["hanging_beam", "jelly_on_table", "creature"] {
        let (_, mut simulation) = build(name);
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        simulation.kick(Vec3::repeat(1e-3 / 3.0_f64.sqrt()));
        let (mut peak, mut last) = (0.0_f64, 0.0);
        for _ in 0..500 {
            last = simulation.step(&Unwatched).unwrap().drift;
            peak = peak.max(last);
        }
        assert!(peak >= 1e-7 && last < 0.1 * peak && last <= 1e-7, "{name}: peak {peak:.1e}, last {last:.1e}");
    }
}

/// A prepared asset starts a scene in balance without solving again, whatever its bodies and its stepper are.
#[test]
fn a_prepared_asset_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let of_kinds = [
        "jelly_on_table",
        "hanging_net",
        "fig10_book",
        "hair_curls",
        "hair_curls_discrete",
        "xpbd_chain",
        "xpbd_bear",
        "pbsm_fish",
        "inflating_ball",
    ];
    for (name, format) in of_kinds.iter().flat_map(|name| ["vtu", "npz"].map(|format| (name, format))) {
        let (_, mut solved) = build(name);
        solved.initialise(Method::SagFree, &Unwatched).unwrap();
        let path = folder.path().join(name).with_extension(format);
        solved.prepared_asset().write(&path).unwrap();
        let (_, mut restored) = build(name);
        restored.restore(&aplomb_sim::export::PreparedAsset::read(&path).unwrap()).unwrap_or_else(|why| panic!("{name}.{format}: {why}"));
        for run in [&mut solved, &mut restored] {
            run.kick(Vec3::new(0.0, 0.01, 0.02));
        }
        for _ in 0..3 {
            let (a, b) = (solved.step(&Unwatched).unwrap(), restored.step(&Unwatched).unwrap());
            assert!(a.drift == b.drift && a.drift > 0.0, "{name}.{format}: {} {}", a.drift, b.drift);
        }
        assert_eq!(solved.state.positions, restored.state.positions, "{name}.{format}");
    }
}
