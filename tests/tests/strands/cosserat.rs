//! Bodies of strands, from the file to the run: statics in closed form, what a moment is too large for, the elastica, clamped and driven ends,
//! and what a scene may say of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::f64::consts::{PI, TAU};

use crate::spring_scene::{Springs, field, line};
use crate::strand_scene::{
    GRAVITY, HANGING, SIDEWAYS, STANDING, elastica, follows_its_root_where_that_is_clamped, found_moments, hair, helix, moments, root,
    strands,
};
use aplomb_sim::math::Vec3;
use aplomb_sim::sag_free::stability::nudge::Nudge;
use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::Verdict;
use aplomb_sim::watch::Unwatched;
use serde_json::{Value, json};

/// Each joint carries the moment of what hangs beyond it, each segment its weight; nothing moves for seconds, and a kick comes back. Without
/// a rest state of its own, the strand sags.
#[test]
fn a_strand_carries_force_and_moment_of_what_is_beyond() {
    for (what, points, bending) in [
        ("straight, sideways", helix(0.0, 0.0, 24, SIDEWAYS), 8e-8),
        ("curl, hanging", helix(5e-3, 4.0, 48, HANGING), 8e-9),
        ("curl, sideways", helix(5e-3, 4.0, 48, SIDEWAYS), 8e-8),
    ] {
        let mut scene = strands(&line(&points), hair(bending), root());
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
        assert!(error < 1e-12, "{what}: moments off by {error:e}");
        let drift = (0..300).map(|_| simulation.step(&Unwatched).unwrap().drift).fold(0.0, f64::max);
        assert!(drift < 1e-9, "{what}: {drift:e}");
        eprintln!("{what}: residual {:e}, moments {error:e}, drift in 3 s {drift:e}", report.residual.after);
        // Restarted from an asset, the same run to the bit.
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

/// The largest change of angle that a rest state takes is that of statics; beyond half a radian it is refused by number, and the factor that is
/// told, of the joints that need it, cures. Verdicts of all poses are borne out by kicks.
#[test]
fn poses_of_hair_hold_as_far_as_their_joints_do() {
    let curl = |axis| helix(5e-3, 4.0, 48, axis);
    for (what, points, stable_from) in [
        ("straight, sideways", helix(0.0, 0.0, 24, SIDEWAYS), 8e-8),
        ("curl, hanging", curl(HANGING), 8e-9),
        ("curl, sideways", curl(SIDEWAYS), 8e-8),
        ("curl, standing", curl(STANDING), 8e-8),
        ("wide curl, hanging", helix(9e-3, 3.0, 48, HANGING), 8e-9),
    ] {
        for bending in [8e-10, 8e-9, 8e-8] {
            let mut scene = strands(&line(&points), hair(bending), root());
            let (mut simulation, report) = scene.initialised(Method::SagFree);
            let segment = 0.2 / (points.len() - 1) as f64;
            let upper = moments(&simulation).into_iter().fold(0.0, f64::max) * segment / (bending / 1.3);
            let lower = upper / 1.3;
            let holds = report.outcome.holds;
            let told = report.outcome.reason.clone().unwrap_or_default();
            if lower > 0.55 {
                assert!(!holds && told.contains("rad from the given one"), "{what}, {bending:e}: {:?}", report.outcome);
            } else if upper < 0.45 {
                assert!(report.unattainable.elements == 0, "{what}, {bending:e}: {:?}", report.outcome);
            }
            // Stiffened where they need it.
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
            let factor = stiffened.stiffened.max_factor;
            let nudge = simulation.nudge(&Nudge::default(), &Unwatched).unwrap();
            eprintln!(
                "{what}, EI {bending:.0e}: change {lower:.3} to {upper:.3} rad, holds {holds}, factor {factor:.2}, {} negative then, kick {:?}",
                stability.negative_eigenvalues, nudge.verdict
            );
            assert!(nudge.agrees == Some(true), "{what}, {bending:e}: {:?} {nudge:?}", stability.verdict);
            if bending >= stable_from {
                assert!(holds && stability.negative_eigenvalues == 0, "{what}, {bending:e}");
            }
            if !holds {
                assert!(factor > 1.05 * lower / 0.5 * 0.99 && factor < 1.05 * upper / 0.5 * 1.1, "{what}, {bending:e}: {factor}");
            }
        }
    }
}

/// A strand that sags far comes to rest where the elastica ends. The frame of the first segment is clamped, so that it bends from its middle on.
#[test]
fn a_clamped_strand_sags_as_the_elastica() {
    let (segments, bending, length) = (40, 8e-9, 0.1);
    let points: Vec<[f64; 3]> = (0..=segments).map(|k| [length * k as f64 / segments as f64, 0.0, 0.0]).collect();
    let mut scene = strands(&line(&points), hair(bending), root());
    scene.scene["simulate"] = json!({ "step_size": 0.1, "stepper": "backward_euler", "tolerance": 1e-9, "max_iterations": 200 });
    let (mut simulation, _) = scene.initialised(Method::Naive);
    for _ in 0..60 {
        simulation.step(&Unwatched).unwrap();
    }
    let end = simulation.state.positions[segments];
    let half = 0.5 * length / segments as f64;
    let (along, up) = elastica(bending, 6.5e-6 * GRAVITY, length - half);
    eprintln!("elastica ({:.5}, {up:.5}), strand ({:.5}, {:.5})", along + half, end.x, end.y);
    assert!(up < -0.3 * length, "{up}");
    let error = (end.x - along - half).hypot(end.y - up) / length;
    assert!(error < 0.01 && end.z.abs() < 1e-9, "{error}: {end} in place of {} {up}", along + half);
}

/// A bar that is twisted at one end is twisted evenly: G J times the angle of a joint over the length of a segment, and nothing bends.
#[test]
fn a_twisted_bar_has_the_moment_of_its_section() {
    let (segments, length) = (10, 0.5);
    let points: Vec<[f64; 3]> = (0..=segments).map(|k| [0.0, 0.0, length * k as f64 / segments as f64]).collect();
    let settings = json!({ "radius": 2e-3, "density": 1000.0, "young": 1e7, "shear": 4e6 });
    let mut scene = strands(&line(&points), settings, root());
    scene.scene["gravity"] = json!([0.0, 0.0, 0.0]);
    let turn = json!({ "pivot": [0.0, 0.0, length], "keyframes": [{ "time": 0.0 }, { "time": 1.0, "rotate": { "axis": [0.0, 0.0, 1.0], "degrees": 120.0 } }] });
    let turned = json!({ "name": "turned", "role": { "dirichlet": { "motion": turn } }, "select": [{ "vertices": [segments] }] });
    scene.scene["bodies"][0]["regions"].as_array_mut().unwrap().push(turned);
    scene.scene["simulate"] = json!({ "step_size": 0.05, "stepper": "backward_euler", "tolerance": 1e-10 });
    let (mut simulation, _) = scene.initialised(Method::Naive);
    for _ in 0..80 {
        simulation.step(&Unwatched).unwrap();
    }
    let joints = segments - 1;
    let angle = TAU / 3.0 / joints as f64;
    let expected = 4e6 * 0.5 * PI * 2e-3f64.powi(4) / (length / segments as f64) * angle.sin();
    let twisting: Vec<f64> = field(&simulation, "twisting moment").into_iter().filter(|moment| !moment.is_nan()).collect();
    assert_eq!(twisting.len(), joints);
    assert!(twisting.iter().all(|moment| (moment / expected - 1.0).abs() < 1e-6), "{expected}: {twisting:?}");
    assert!(field(&simulation, "rod bending moment").iter().all(|moment| moment.is_nan() || *moment < 1e-6 * expected));
}

/// Turned by its clamped root, a strand follows as a whole, without any strain; jointed there, it is only carried along.
#[test]
fn a_strand_follows_its_clamped_root() {
    follows_its_root_where_that_is_clamped(hair(8e-8));
}

/// Without supports a strand falls as all things do, unbent, and its frames do not turn; thrown with a spin, linear momentum and, but for
/// round-off and the steps, its shape stay.
#[test]
fn a_strand_falls_as_it_is() {
    let points = helix(5e-3, 2.0, 24, SIDEWAYS);
    let mut scene = strands(&line(&points), hair(8e-8), root());
    scene.scene["bodies"][0]["regions"] = json!([]);
    scene.scene["simulate"] = json!({ "step_size": 0.01, "stepper": "midpoint" });
    let (mut simulation, _) = scene.initialised(Method::Naive);
    let last = (0..50).map(|_| simulation.step(&Unwatched).unwrap()).last().unwrap();
    let mass: f64 = 6.5e-6 * 0.2;
    let internal = simulation.system.internal_nodes();
    assert_eq!(internal.len(), 24);
    assert!(simulation.state.positions[internal].iter().all(|x| x.norm() < 1e-9));
    assert!((last.momentum.y / (-mass * GRAVITY * 0.5) - 1.0).abs() < 2e-3 && last.elastic < 1e-15, "{} {}", last.momentum, last.elastic);
    scene.scene["gravity"] = json!([0.0, 0.0, 0.0]);
    scene.scene["bodies"][0]["spin"] = json!([3.0, -2.0, 4.0]);
    scene.scene["simulate"] = json!({ "step_size": 0.001, "stepper": "bdf2", "tolerance": 1e-9 });
    let (mut simulation, _) = scene.initialised(Method::Naive);
    let first = simulation.step(&Unwatched).unwrap();
    let last = (0..200).map(|_| simulation.step(&Unwatched).unwrap()).last().unwrap();
    let error = (last.angular_momentum - first.angular_momentum).norm() / first.angular_momentum.norm();
    let lost = last.kinetic / first.kinetic - 1.0;
    eprintln!("angular momentum changes by {error:e}, kinetic energy by {lost:e}, elastic {:e}", last.elastic / first.kinetic);
    assert!(error < 1e-4 && lost.abs() < 0.02, "{error:e} {lost:e}");
    assert!(last.elastic < 0.02 * last.kinetic, "{} {}", last.elastic, last.kinetic);
    let turned = &simulation.state.positions[simulation.system.internal_nodes()];
    assert!(turned.iter().all(|x| x.norm() > 1e-3), "a turn of about a radian shows in every frame");
}

/// What is no strand is refused where it is.
#[test]
fn what_is_no_strand_is_refused() {
    let said = |scene: &Springs| scene.problems().join("\n");
    let fork = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 1 1 0\nl 1 2 3\nl 2 4\n";
    let branched = said(&strands(fork, hair(1e-3), root()));
    assert!(branched.contains("bodies[0].mesh") && branched.contains("meet at vertex 1"), "{branched}");
    let faces = said(&strands("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", hair(1e-3), root()));
    assert!(faces.contains("run along lines"), "{faces}");
    let good = line(&helix(0.0, 0.0, 4, SIDEWAYS));
    let mut consistent = strands(&good, hair(1e-3), root());
    consistent.scene["bodies"][0]["mass_matrix"] = json!("consistent");
    assert!(said(&consistent).contains("bodies[0].mass_matrix"));
    let mut rest = strands(&good, hair(1e-3), root());
    rest.scene["bodies"][0]["rest_mesh"] = json!("mesh.obj");
    assert!(said(&rest).contains("bodies[0].rest_mesh"), "{}", said(&rest));
    let mut solid = strands(&good, hair(1e-3), root());
    solid.scene["bodies"][0]["material"] = json!({ "law": "stvk", "young": 1e5, "poisson": 0.3, "density": 1000.0 });
    assert!(said(&solid).contains("bodies[0].material"), "{}", said(&solid));
    let mut wrong = strands(&good, hair(1e-3), root());
    wrong.scene["bodies"][0]["as"]["strands"]["radius"] = json!(-1.0);
    assert!(said(&wrong).contains("bodies[0].as.strands.radius"), "{}", said(&wrong));
    let mut doubled = strands("v 0 0 0\nv 1 0 0\nv 1 0 0\nl 1 2 3\n", hair(1e-3), root());
    doubled.scene["contact"] = json!({ "self_contact": false });
    assert!(said(&doubled).contains("line 1: the element is degenerate"), "{}", said(&doubled));
}

/// A straight strand as a ladder: its foot on the ground, its head at a wall. At a smooth wall it stands on a friction of cot(angle) / 2, and with
/// less it is refused with the least friction that would do, of the ground or of the wall.
#[test]
fn a_strand_leans_on_the_friction_that_a_ladder_needs() {
    for (degrees, segments) in [(50.0f64, 3), (60.0, 8), (72.0, 31)] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let said = |ground: f64| {
            let at = |k: usize| 0.2 * k as f64 / segments as f64;
            let points: Vec<[f64; 3]> = (0..=segments).map(|k| [at(k) * cos, at(k) * sin, 0.0]).collect();
            let settings = json!({ "radius": 1e-3, "density": 1000.0, "young": 1e10 });
            let mut scene = strands(&line(&points), settings, json!({ "all": {} }));
            scene.scene["bodies"][0]["regions"][0]["role"] = json!({ "contact": {} });
            scene.scene["obstacles"] = json!([
                { "name": "ground", "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } }, "friction": ground },
                { "name": "wall", "shape": { "half_space": { "point": [0.2 * cos, 0, 0], "normal": [-1, 0, 0] } }, "friction": 0.0 }
            ]);
            scene.scene["contact"] = json!({ "self_contact": false, "between_bodies": false });
            scene.scene["initialise"] = json!({ "friction_fraction": 1.0 });
            let (_, report) = scene.initialised(Method::SagFree);
            let messages: Vec<String> = report.infeasible.iter().map(|found| found.message.clone()).collect();
            (report.residual.after, messages.join("\n"))
        };
        let smooth = 0.5 * cos / sin;
        let (held, silent) = said(1.01 * smooth);
        assert!(held < 1e-8 && silent.is_empty(), "{degrees}: {held:e} {silent}");
        // The push of the wall over the weight by moments about the foot, and what the ground has left for it.
        let ground = 0.97 * smooth;
        let slips = |wall: f64| {
            let push = 0.5 * cos / (sin + wall * cos);
            push > ground * (1.0 - wall * push)
        };
        let needed = (1..).map(|k| 1e-4 * f64::from(k)).find(|wall| !slips(*wall)).unwrap();
        let (_, refused) = said(ground);
        let told = refused.split("coefficient of about ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let told: f64 = told.and_then(|number| number.trim_end_matches(['.', ';']).parse().ok()).unwrap_or(f64::NAN);
        let needed = if refused.contains("slips on obstacle 'wall'") { needed } else { smooth };
        assert!(refused.contains("slips on obstacle") && (0.99..1.1).contains(&(told / needed)), "{degrees}: {needed} {refused}");
    }
}

/// A strand goes out as one curve through its points, as wide as it is, whatever stands in the file before it.
#[test]
fn strands_are_written_as_curves() {
    let file = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 2 1 1\nl 1 2 3\nl 7 6 5 4\n";
    let simulation = strands(file, hair(1e-3), root()).build();
    let meshes = aplomb_sim::export::scene_meshes(&simulation.system, &simulation.state.positions);
    let format = aplomb_sim::export::FORMATS.iter().find(|format| format.extension == "usda").unwrap();
    let text = String::from_utf8(format.bytes(&meshes).unwrap()).unwrap();
    assert!(text.contains("int[] curveVertexCounts = [3, 4]") && text.contains("float[] widths = [0.00008]"), "{text}");
    assert!(text.contains("point3f[] points = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (2, 1, 1)]"), "{text}");
}

/// Between guides, hairs are written as curves, too, and go with them; they have no mass and no elements, and the same seed makes the same.
#[test]
fn hairs_between_guides_go_with_them() {
    let file = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 0 1\nv 1 0 1\nv 2 0 1\nv 0 1 0\nv 1 1 0\nv 2 1 0\nl 1 2 3\nl 4 5 6\nl 7 8 9\n";
    let scene = |hairs: Value| {
        let mut settings = hair(1e-3);
        settings["hairs"] = hairs;
        strands(file, settings, json!({ "vertices": [0, 3, 6] }))
    };
    let simulation = scene(json!({ "per_guide": 50 })).build();
    let plain = scene(Value::Null).build();
    assert_eq!((&simulation.system.masses, simulation.system.families[0].len()), (&plain.system.masses, 6));
    let mut meshes = aplomb_sim::export::scene_meshes(&simulation.system, &simulation.state.positions);
    let format = aplomb_sim::export::FORMATS.iter().find(|format| format.extension == "usda").unwrap();
    let text = String::from_utf8(format.bytes(&meshes).unwrap()).unwrap();
    let counts = text.split("curveVertexCounts = [").nth(1).unwrap().split(']').next().unwrap().split(", ").count();
    assert_eq!(counts, 3 + 150);
    let given = meshes[0].surface.points.clone();
    assert_eq!(given.len(), 9 + 450);
    // Hairs begin in the triangle of the roots.
    assert!(
        given[9..]
            .chunks(3)
            .all(|hair| hair[0].x.abs() < 1e-14 && hair[0].y >= 0.0 && hair[0].z >= 0.0 && hair[0].y + hair[0].z <= 1.0 + 1e-14)
    );
    let moved: Vec<Vec3> = simulation.state.positions.iter().map(|x| Vec3::new(x.y, 3.0 * x.x, x.z + 1.0)).collect();
    aplomb_sim::export::follow_recorded(&simulation.system, &moved, &mut meshes);
    let error =
        given.iter().zip(&meshes[0].surface.points).map(|(x, y)| (Vec3::new(x.y, 3.0 * x.x, x.z + 1.0) - y).norm()).fold(0.0, f64::max);
    assert!(error < 1e-14, "{error:e}");
    let points =
        |hairs| aplomb_sim::export::scene_meshes(&scene(hairs).build().system, &simulation.state.positions)[0].surface.points.clone();
    assert!(points(json!({ "per_guide": 50, "seed": 1 })) == given && points(json!({ "per_guide": 50, "seed": 2 })) != given);
    let told = scene(json!({ "per_guide": 0 })).problems();
    assert!(told.iter().any(|told| told.contains("per_guide")), "{told:?}");
}
