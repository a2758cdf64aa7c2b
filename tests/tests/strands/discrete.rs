//! Strands as discrete elastic rods: what Cosserat rods are held to, beside them and by closed forms; clamps, twist that buckles, and steps by position.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::f64::consts::{PI, TAU};

use crate::spring_scene::{Springs, field, line};
use crate::strand_scene::{
    GRAVITY, HANGING, SIDEWAYS, STANDING, elastica, follows_its_root_where_that_is_clamped, found_moments, hair, helix, moments, root,
    strands,
};
use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::sag_free::stability::nudge::Nudge;
use aplomb_sim::scene::{Method, Preload, ProjectionSettings, StrandProjection};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::Verdict;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

/// Hair with this bending stiffness [N m^2] as discrete elastic rods.
fn discrete(bending: f64) -> Value {
    let mut settings = hair(bending);
    settings["model"] = json!("discrete_elastic");
    settings
}

fn discrete_strand(points: &[[f64; 3]], bending: f64) -> Springs {
    strands(&line(points), discrete(bending), root())
}

fn drift(simulation: &mut Simulation, steps: usize) -> f64 {
    (0..steps).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max)
}

/// No frame is tilted against its edge but those that a clamp holds: bends and twists are all there is.
fn largest_clamping(simulation: &Simulation) -> [f64; 2] {
    let clamping = field(simulation, "clamping moment");
    let segments = simulation.system.families[0].len();
    [clamping[0], clamping[1..segments].iter().copied().fold(0.0, f64::max)]
}

/// Each joint carries the moment of what hangs beyond it, the clamp that of all; nothing moves for seconds, and a kick comes back. Without a rest
/// state of its own, the strand sags. Restarted from an asset, it runs on to the bit.
#[test]
fn a_strand_carries_force_and_moment_of_what_is_beyond() {
    for (what, points, bending) in [
        ("straight, sideways", helix(0.0, 0.0, 24, SIDEWAYS), 8e-8),
        ("curl, hanging", helix(5e-3, 4.0, 48, HANGING), 8e-9),
        ("curl, sideways", helix(5e-3, 4.0, 48, SIDEWAYS), 8e-8),
    ] {
        let mut scene = discrete_strand(&points, bending);
        scene.scene["simulate"] = json!({ "step_size": 0.01, "stepper": "backward_euler" });
        let (mut simulation, report) = scene.initialised(Method::SagFree);
        assert!(report.outcome.holds, "{what}: {:?}", report.outcome);
        assert!(report.residual.after < 1e-10, "{what}: {:?}", report.residual);
        assert_eq!(report.factorisations, 0, "{what}: statics alone decides");
        let stability = report.stability.unwrap();
        assert_eq!((stability.negative_eigenvalues, stability.verdict), (0, Verdict::Stable), "{what}");
        let (expected, found) = (moments(&simulation), found_moments(&simulation));
        assert_eq!(expected.len(), found.len());
        let error = expected.iter().zip(&found).map(|(e, f)| (e - f).abs()).fold(0.0, f64::max) / expected[0];
        let (x, masses) = (&simulation.system.positions, &simulation.system.masses);
        let of_all: Vec3 = (1..points.len()).map(|i| (x[i] - x[0]).cross(&(-GRAVITY * masses[i] * Vec3::y()))).sum();
        let edge = (x[1] - x[0]).normalize();
        let [clamped, others] = largest_clamping(&simulation);
        // What of it is along the edge twists the frame that is held.
        let clamp_error = (clamped / edge.cross(&of_all).norm() - 1.0).abs();
        assert!(error < 1e-12 && clamp_error < 1e-12, "{what}: moments off by {error:e}, {clamp_error:e}");
        assert!(others < 1e-13 * clamped, "{what}: tilted by {others:e} N m beside {clamped:e}");
        let drift = drift(&mut simulation, 300);
        assert!(drift < 1e-10, "{what}: {drift:e}");
        eprintln!("{what}: residual {:e}, moments {error:e} {clamp_error:e}, drift in 3 s {drift:e}", report.residual.after);
        let mut again = scene.build();
        again.restore(&simulation.prepared_asset()).unwrap();
        simulation.reset();
        for run in [&mut simulation, &mut again] {
            run.kick(Vec3::new(0.0, 0.01, 0.02));
        }
        let mut largest: f64 = 0.0;
        for step in 0..400 {
            let [one, two] = [&mut simulation, &mut again].map(|run| run.step(&Unwatched).unwrap());
            assert_eq!(one.drift.to_bits(), two.drift.to_bits(), "{what}: step {step}");
            largest = largest.max(one.drift);
        }
        let left = simulation.step(&Unwatched).unwrap().drift;
        assert!(largest > 1e-4 && left < 0.2 * largest, "{what}: {largest:e} to {left:e}");
        let (mut naive, _) = scene.initialised(Method::Naive);
        let sag = (0..300).map(|_| naive.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
        assert!(sag > 5e-3, "{what}: {sag:e}");
    }
}

/// Held at both ends there are forces to choose from: the dual does, and nothing moves either. A ring that hangs from a point does not close its
/// joints with a twist.
#[test]
fn strands_that_statics_does_not_decide_rest_as_well() {
    let ring: Vec<[f64; 3]> =
        (0..24).map(|k| f64::from(k) * TAU / 24.0).map(|a| [0.02 * a.sin(), 0.02 * a.cos(), 0.004 * (2.0 * a).sin()]).collect();
    let closed = line(&ring).trim_end().to_owned() + " 1\n";
    for (what, mesh, held) in [
        ("curl, both ends", line(&helix(5e-3, 4.0, 48, SIDEWAYS)), json!({ "vertices": [0, 48] })),
        ("ring", closed, json!({ "vertices": [0] })),
    ] {
        let mut scene = strands(&mesh, discrete(8e-8), held);
        scene.scene["simulate"] = json!({ "step_size": 0.01, "stepper": "backward_euler" });
        let (mut simulation, report) = scene.initialised(Method::SagFree);
        assert!(report.outcome.holds && report.factorisations > 0, "{what}: {:?}", report.outcome);
        let drift = drift(&mut simulation, 100);
        eprintln!("{what}: residual {:e}, drift {drift:e}", report.residual.after);
        assert!(report.residual.after < 1e-9 && drift < 1e-9, "{what}: {:e} {drift:e}", report.residual.after);
    }
}

/// The largest change of angle is that of statics; beyond half a radian a rest state is refused by number, and the factor that is told cures.
/// Verdicts of all poses are borne out by kicks.
#[test]
fn poses_hold_as_far_as_their_joints_do() {
    for (what, points) in [
        ("straight, sideways", helix(0.0, 0.0, 24, SIDEWAYS)),
        ("curl, hanging", helix(5e-3, 4.0, 48, HANGING)),
        ("curl, standing", helix(5e-3, 4.0, 48, STANDING)),
    ] {
        for bending in [8e-10, 8e-9, 8e-8] {
            let mut scene = discrete_strand(&points, bending);
            let (mut simulation, report) = scene.initialised(Method::SagFree);
            let largest = moments(&simulation).into_iter().fold(0.0, f64::max) * 0.2 / (points.len() - 1) as f64 / bending;
            let told = report.outcome.reason.clone().unwrap_or_default();
            if largest > 0.65 {
                assert!(!report.outcome.holds && told.contains("rad from the given one"), "{what}, {bending:e}: {:?}", report.outcome);
            } else if largest < 0.3 {
                assert_eq!(report.unattainable.elements, 0, "{what}, {bending:e}: {:?}", report.outcome);
            }
            scene.scene["initialise"] = json!({ "stiffen_up_to": 1e6 });
            let stiffened;
            (simulation, stiffened) = scene.initialised(Method::SagFree);
            assert!(
                stiffened.unattainable.elements == 0 && stiffened.residual.after < 1e-10,
                "{what}, {bending:e}: {:?}",
                stiffened.outcome
            );
            let change = field(&simulation, "joint angle change").into_iter().filter(|change| !change.is_nan()).fold(0.0, f64::max);
            assert!(change <= 0.5, "{what}, {bending:e}: {change}");
            let stability = stiffened.stability.unwrap();
            let nudge = simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
            eprintln!(
                "{what}, EI {bending:.0e}: {largest:.3} rad, factor {:.2}, {} negative, kick {:?}",
                stiffened.stiffened.max_factor, stability.negative_eigenvalues, nudge.verdict
            );
            assert!(nudge.agrees == Some(true), "{what}, {bending:e}: {:?} {nudge:?}", stability.verdict);
        }
    }
}

/// The end of a naive strand that came to rest.
fn settled(points: &[[f64; 3]], settings: Value) -> Vec3 {
    let mut scene = strands(&line(points), settings, root());
    scene.scene["simulate"] = json!({ "step_size": 0.1, "stepper": "backward_euler", "tolerance": 1e-9, "max_iterations": 200 });
    let (mut simulation, _) = scene.initialised(Method::Naive);
    drift(&mut simulation, 60);
    simulation.state.positions[points.len() - 1]
}

/// A clamped strand sags as the elastica, from the clamp on, and with twice as many segments the error is about a quarter.
#[test]
fn a_clamped_strand_sags_as_the_elastica_to_second_order() {
    let (bending, length) = (8e-9, 0.1);
    let (along, up) = elastica(bending, 6.5e-6 * GRAVITY, length);
    assert!(up < -0.3 * length, "{up}");
    let errors = [10, 20, 40].map(|segments| {
        let points: Vec<[f64; 3]> = (0..=segments).map(|k| [length * f64::from(k) / f64::from(segments), 0.0, 0.0]).collect();
        let end = settled(&points, discrete(bending));
        assert!(end.z.abs() < 1e-9, "{end}");
        (end.x - along).hypot(end.y - up) / length
    });
    eprintln!("off the elastica by {errors:?} of its length");
    assert!(errors[0] < 1e-2 && errors[2] < 1e-3, "{errors:?}");
    assert!(errors.windows(2).all(|pair| pair[0] > 3.0 * pair[1]), "{errors:?}");
}

/// Both models of a curl that its weight draws out come to the same: they differ by half as much with twice as many segments, as half a segment of a
/// clamp is rigid in one of them, and where each goes on as its order says, they meet.
#[test]
fn both_models_come_to_the_same_curl() {
    let ends = [24, 48, 96].map(|segments| {
        let points = helix(5e-3, 3.0, segments, HANGING);
        let ends = [hair(8e-9), discrete(8e-9)].map(|settings| settled(&points, settings));
        (ends, (ends[0] - Vec3::from(points[segments])).norm())
    });
    let sag = ends[2].1;
    assert!(sag > 5e-3, "{sag}");
    let differences = ends.map(|([one, other], _)| (one - other).norm() / sag);
    // First and second order.
    let [_, coarse, fine] = ends.map(|(ends, _)| ends);
    let limits = [2.0 * fine[0] - coarse[0], (4.0 * fine[1] - coarse[1]) / 3.0];
    let left = (limits[0] - limits[1]).norm() / sag;
    eprintln!("ends of the two models differ by {differences:?} of their sag, {left} as they go on");
    assert!(differences[2] < 0.05 && differences.windows(2).all(|pair| pair[1] < 0.6 * pair[0]), "{differences:?}");
    assert!(left < 0.02, "{left}");
}

/// A bar along z of so many segments, clamped at both ends and turned at one by an angle [rad] within a second, without weight.
fn twisted(segments: usize, length: f64, settings: Value, angle: f64) -> Springs {
    let points: Vec<[f64; 3]> = (0..=segments).map(|k| [0.0, 0.0, length * k as f64 / segments as f64]).collect();
    let mut scene = strands(&line(&points), settings, root());
    scene.scene["gravity"] = json!([0.0, 0.0, 0.0]);
    let rotate = |share: f64| json!({ "axis": [0.0, 0.0, 1.0], "degrees": share * angle.to_degrees() });
    let keys: Vec<Value> = [0.0, 0.5, 1.0].iter().map(|share| json!({ "time": share, "rotate": rotate(*share) })).collect();
    let turn = json!({ "pivot": [0.0, 0.0, length], "keyframes": keys });
    let turned = json!({ "name": "turned", "role": { "dirichlet": { "motion": turn } }, "select": [{ "vertices": [segments] }] });
    scene.scene["bodies"][0]["regions"].as_array_mut().unwrap().push(turned);
    scene
}

/// A bar that is twisted at one end is twisted evenly between the middles of its clamped segments, with the moment G J times the angle over that
/// length, and nothing bends. By more than half a turn altogether, too: of a joint, not of the bar, is the angle.
#[test]
fn a_twisted_bar_has_the_moment_of_its_section() {
    let length = 0.5;
    for (segments, angle) in [(10, TAU / 3.0), (10, 1.4 * PI), (40, 1.4 * PI)] {
        let settings = json!({ "radius": 2e-3, "density": 1000.0, "young": 1e7, "shear": 4e6, "model": "discrete_elastic" });
        let mut scene = twisted(segments, length, settings, angle);
        scene.scene["simulate"] = json!({ "step_size": 0.05, "stepper": "backward_euler", "tolerance": 1e-10 });
        let (mut simulation, _) = scene.initialised(Method::Naive);
        drift(&mut simulation, 80);
        let stiffness = 4e6 * 0.5 * PI * 2e-3f64.powi(4);
        let expected = stiffness * angle / (length * (1.0 - 1.0 / segments as f64));
        let twisting: Vec<f64> = field(&simulation, "twisting moment").into_iter().filter(|moment| !moment.is_nan()).collect();
        assert_eq!(twisting.len(), segments - 1);
        let error = twisting.iter().map(|moment| (moment / expected - 1.0).abs()).fold(0.0, f64::max);
        eprintln!("{segments}, {angle}: {error:e}");
        assert!(error < 1e-6, "{segments}, {angle}: {expected} {twisting:?}");
        assert!((expected / (stiffness * angle / length) - 1.0).abs() < 1.2 / segments as f64);
        assert!(field(&simulation, "rod bending moment").iter().all(|moment| moment.is_nan() || *moment < 1e-6 * expected));
        assert!(largest_clamping(&simulation).iter().all(|moment| *moment < 1e-6 * expected));
    }
}

/// A straight rod between clamps buckles out of line where its twisting moment is 8.9868 E I / L (Greenhill 1883; tan(u/2) = u/2): a little below it
/// comes back from a kick, a little above it does not. So twist and centreline are coupled as they must be.
#[test]
fn a_twisted_rod_buckles_at_the_moment_of_greenhill() {
    let (segments, length, bending) = (40, 0.2, 8e-8);
    let between = length * (1.0 - 1.0 / segments as f64);
    let mut settings = discrete(bending);
    settings["twisting_stiffness"] = json!(2.0 * bending);
    let critical = 8.9868 * bending / length * between / (2.0 * bending);
    let out_of_line = |share: f64| {
        let mut scene = twisted(segments, length, settings.clone(), share * critical);
        scene.scene["simulate"] = json!({ "step_size": 0.02, "stepper": "backward_euler", "tolerance": 1e-8, "max_iterations": 100 });
        let (mut simulation, _) = scene.initialised(Method::Naive);
        drift(&mut simulation, 60);
        simulation.kick(Vec3::new(2e-3, 1e-3, 0.0));
        let off = |simulation: &Simulation| simulation.state.positions[..=segments].iter().map(|x| x.xy().norm()).fold(0.0, f64::max);
        let kicked = (0..10).map(|_| (simulation.step(&Unwatched).unwrap(), off(&simulation)).1).fold(0.0, f64::max);
        drift(&mut simulation, 900);
        (kicked, off(&simulation))
    };
    // As far as clamps that do not come nearer let it.
    for (share, buckles) in [(0.97, false), (1.03, true)] {
        let (kicked, left) = out_of_line(share);
        eprintln!("{share} of the critical moment: {kicked:e} m after the kick, {left:e} m at last");
        assert!(kicked > 1e-5 && if buckles { left > 2e-5 } else { left < 1e-3 * kicked }, "{share}: {kicked:e} {left:e}");
    }
}

/// Turned by its clamped root, a strand follows as a whole, without any strain; jointed there, it is only carried along.
#[test]
fn a_strand_follows_its_clamped_root() {
    follows_its_root_where_that_is_clamped(discrete(8e-8));
}

/// Without supports a strand falls as all things do, and its frames do not turn; thrown with a spin, angular momentum and energy stay.
#[test]
fn a_strand_falls_as_it_is() {
    let mut scene = discrete_strand(&helix(5e-3, 2.0, 24, SIDEWAYS), 8e-8);
    scene.scene["bodies"][0]["regions"] = json!([]);
    scene.scene["simulate"] = json!({ "step_size": 0.01, "stepper": "midpoint" });
    let (mut simulation, _) = scene.initialised(Method::Naive);
    let last = (0..50).map(|_| simulation.step(&Unwatched).unwrap()).last().unwrap();
    let internal = simulation.system.internal_nodes();
    assert!(simulation.state.positions[internal].iter().all(|x| x.norm() < 1e-9));
    assert!(
        (last.momentum.y / (-6.5e-6 * 0.2 * GRAVITY * 0.5) - 1.0).abs() < 2e-3 && last.elastic < 1e-15,
        "{} {}",
        last.momentum,
        last.elastic
    );
    scene.scene["gravity"] = json!([0.0, 0.0, 0.0]);
    scene.scene["bodies"][0]["spin"] = json!([3.0, -2.0, 4.0]);
    scene.scene["simulate"] = json!({ "step_size": 0.001, "stepper": "bdf2", "tolerance": 1e-9 });
    let (mut simulation, _) = scene.initialised(Method::Naive);
    let first = simulation.step(&Unwatched).unwrap();
    let last = (0..200).map(|_| simulation.step(&Unwatched).unwrap()).last().unwrap();
    let error = (last.angular_momentum - first.angular_momentum).norm() / first.angular_momentum.norm();
    let lost = last.kinetic / first.kinetic - 1.0;
    eprintln!("angular momentum changes by {error:e}, kinetic energy by {lost:e}, elastic {:e}", last.elastic / first.kinetic);
    assert!(error < 1e-4 && lost.abs() < 0.02 && last.elastic < 0.02 * last.kinetic, "{error:e} {lost:e}");
}

fn by_position(scene: &mut Springs, strands: StrandProjection, (substeps, sweeps): (u32, u32), method: Method) -> Simulation {
    scene.scene["simulate"] = json!({ "stepper": "xpbd", "step_size": 1.0 / 60.0 });
    scene.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
    let mut simulation = scene.build();
    simulation.system.simulate.projection =
        ProjectionSettings { substeps, sweeps, preload: Preload::Multipliers, strands, ..Default::default() };
    let report = simulation.initialise(method, &Unwatched).unwrap();
    assert!(method == Method::Naive || report.residual.balanced, "{:?}", report.residual);
    simulation
}

/// By position each strand is solved as a whole and rests with one sweep; a kick of 1 cm/s stays small and decays. Naive, the same sags. Element by
/// element, what hangs rests too.
#[test]
fn by_position_a_strand_rests_with_one_sweep() {
    for (what, points, bending, strands, ways) in [
        ("straight, sideways", helix(0.0, 0.0, 24, SIDEWAYS), 8e-8, StrandProjection::Whole, &[(1, 1), (20, 1)][..]),
        ("curl, hanging", helix(5e-3, 4.0, 48, HANGING), 8e-9, StrandProjection::Whole, &[(1, 1), (20, 1)]),
        ("curl, sideways", helix(5e-3, 4.0, 48, SIDEWAYS), 8e-8, StrandProjection::Whole, &[(1, 1), (20, 1)]),
        ("curl, hanging", helix(5e-3, 4.0, 48, HANGING), 8e-9, StrandProjection::Pieces, &[(20, 5)]),
    ] {
        let mut scene = discrete_strand(&points, bending);
        for &way in ways {
            let mut simulation = by_position(&mut scene, strands, way, Method::SagFree);
            let rest = drift(&mut simulation, 300);
            simulation.reset();
            let mut random = Random::new(9);
            let bodies = simulation.system.body_nodes();
            simulation.state.velocities[..bodies].iter_mut().for_each(|v| *v = 1e-2 * random.vector(-1.0, 1.0));
            simulation.system.take_supported(&mut simulation.state.velocities);
            let largest = drift(&mut simulation, 300);
            let last = simulation.step(&Unwatched).unwrap().drift;
            let naive = drift(&mut by_position(&mut scene, strands, way, Method::Naive), 300);
            eprintln!("{what}, {strands:?}, {way:?}: rest {rest:.1e}, kick {largest:.1e} {last:.1e}, naive {naive:.1e}");
            assert!(rest < 1e-10, "{what} {way:?}: {rest:e}");
            assert!(largest > 1e-5 && largest < 1e-2 && last < largest, "{what} {way:?}: {largest:e} {last:e}");
            assert!(naive > 1e-3, "{what} {way:?}: {naive:e}");
        }
    }
}

/// Naive by position, a strand that is held sideways comes to hang as by an implicit stepper.
#[test]
fn by_position_a_strand_bends_as_far_as_by_an_implicit_stepper() {
    let points = helix(0.0, 0.0, 24, SIDEWAYS);
    let mut settings = discrete(8e-8);
    let implicit = settled(&points, settings.clone());
    settings["damping"] = json!(0.05);
    let mut scene = strands(&line(&points), settings, root());
    let mut simulation = by_position(&mut scene, StrandProjection::Whole, (2, 1), Method::Naive);
    drift(&mut simulation, 900);
    let error = (simulation.state.positions[24] - implicit).norm() / 0.2;
    eprintln!("{error:e}");
    assert!(error < 1e-3 && implicit.y < -0.04, "{error:e} {implicit}");
}

/// A segment that goes straight back along the one before it has no curvature, and is refused where it is. Any other fold is not.
#[test]
fn a_strand_that_is_folded_flat_is_refused() {
    let said = |back: f64| {
        let mut scene = strands(&line(&[[0.0; 3], [0.0, -0.1, 0.0], [back, -0.05, 0.0], [0.1, -0.05, 0.0]]), discrete(1e-6), root());
        scene.scene["contact"] = json!({ "self_contact": false });
        scene.problems().join("\n")
    };
    let told = said(0.0);
    assert!(told.contains("bodies[0].mesh") && told.contains("line 1") && told.contains("back along"), "{told}");
    assert_eq!(said(0.002), "");
}
