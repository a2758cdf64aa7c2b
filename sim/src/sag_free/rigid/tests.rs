//! Closed forms, at any size and place; what the cones say is what rigid bodies do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;

use super::{Group, Rigid, Verdict};
use crate::math::{Mat3, Vec3};
use crate::sag_free::parts::Parts;
use crate::sag_free::scenes::{Boxes, box_on_ground, bridge, stack};
use crate::watch::Unwatched;

/// Calls `ask` with the only group of a scene.
fn with_group<T>(scene: &Boxes, ask: impl Fn(&Group) -> T) -> T {
    let assembled = scene.assembled();
    let problem = scene.problem(&assembled);
    let parts = Parts::of(&problem);
    let rigid = Rigid::new(&problem, &parts);
    let [group] = rigid.held_groups()[..] else { panic!("one group") };
    ask(&rigid.group(group).unwrap())
}

/// Whether a group is held with these friction coefficients; it must be decided.
fn holds(group: &Group, friction: impl Fn(usize) -> f64) -> bool {
    match group.decide(friction, &Unwatched).unwrap() {
        Verdict::Held => true,
        Verdict::Falls(_) => false,
        Verdict::Open(share) => panic!("undecided: {share:e}"),
    }
}

/// A box leaning with its lower edge on the ground (sites first) and its upper one on a wall.
fn leaning(length: f64, thickness: f64, degrees: f64, place: impl Fn(Vec3) -> Vec3) -> (Boxes, usize) {
    let mut scene = Boxes::default();
    let turn = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), degrees.to_radians());
    scene.add(Vec3::new(length, thickness, 0.3 * length), [6, 1, 2], |x| place(turn * x));
    let lowest = scene.positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let farthest = scene.positions.iter().map(|x| x.x).fold(f64::NEG_INFINITY, f64::max);
    scene.rest_on_plane(Vec3::new(0.0, lowest, 0.0), Vec3::y(), 1.0);
    let on_ground = scene.sites.len();
    scene.rest_on_plane(Vec3::new(farthest, 0.0, 0.0), -Vec3::x(), 1.0);
    (scene, on_ground)
}

fn placed() -> impl Strategy<Value = (f64, f64)> {
    (-3.0..6.0f64, prop_oneof![Just(0.0), Just(1e3)]).prop_map(|(decade, away)| (10f64.powf(decade), away))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(12), ..ProptestConfig::default() })]

    /// N_wall (h + mu_wall d) = W c and mu_ground (W - mu_wall N_wall) = N_wall, with the height h of the wall's edge, and the horizontal
    /// distances d of the edges and c of the middle from the lower one.
    #[test]
    fn a_ladder_stands_on_the_friction_that_it_needs((degrees, thickness, wall) in (30.0..75.0f64, 0.02..0.2f64, prop_oneof![Just(0.0), 0.0..0.5f64]), (size, away) in placed()) {
        let (scene, on_ground) = leaning(1.0, thickness, degrees, |x| x);
        let [low, high] = [0, on_ground].map(|site| scene.sites[site].point);
        let turn = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), degrees.to_radians());
        let middle = turn * Vec3::new(0.5, 0.5 * thickness, 0.0);
        let at_wall = (middle.x - low.x) / ((high.y - low.y) + wall * (high.x - low.x));
        let needed = at_wall / (1.0 - wall * at_wall);
        let mut moved = scene;
        moved.positions.iter_mut().for_each(|x| *x = size * *x + Vec3::repeat(away));
        with_group(&moved, |group| {
            let friction = |ground: f64| move |site: usize| if site < on_ground { ground } else { wall };
            prop_assert!(holds(group, friction(1.002 * needed)) && !holds(group, friction(0.998 * needed)), "{needed}");
            Ok(())
        })?;
    }

    /// A block on a slope slips below tan(angle), and tips over its lower edge beyond width over height, whatever the friction.
    #[test]
    fn a_block_on_a_slope_slips_or_tips((degrees, width, height) in (2.0..50.0f64, 0.1..2.0f64, 0.1..2.0f64), (size, away) in placed()) {
        let turn = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), degrees.to_radians());
        let mut scene = Boxes::default();
        scene.add(Vec3::new(width, height, 0.7), [3, 2, 2], |x| turn * x);
        scene.rest_on_plane(Vec3::zeros(), turn * Vec3::y(), 1.0);
        scene.positions.iter_mut().for_each(|x| *x = size * *x + Vec3::repeat(away));
        let tangent = degrees.to_radians().tan();
        prop_assume!((width / height / tangent - 1.0).abs() > 5e-3);
        with_group(&scene, |group| {
            let stands = width / height > tangent;
            prop_assert_eq!(holds(group, |_| 1.002 * tangent), stands);
            prop_assert_eq!(holds(group, |_| 100.0), stands);
            prop_assert!(!holds(group, |_| 0.998 * tangent));
            Ok(())
        })?;
    }

    /// A box on part of its sole stands while its middle is over it.
    #[test]
    fn a_box_falls_off_an_edge((overhang, cells) in (0.0..0.95f64, 2usize..7), (size, away) in placed()) {
        let mut scene = box_on_ground([cells, 2, 2], 0.7);
        let edge = 0.3 * (1.0 - overhang);
        scene.sites.retain(|site| site.point.x <= edge);
        let reach = scene.sites.iter().map(|site| site.point.x).fold(0.0, f64::max);
        prop_assume!((reach / 0.15 - 1.0).abs() > 5e-3);
        scene.positions.iter_mut().for_each(|x| *x = size * *x + Vec3::repeat(away));
        with_group(&scene, |group| {
            prop_assert_eq!(holds(group, |_| 0.7), reach > 0.15);
            prop_assert_eq!(holds(group, |_| 100.0), reach > 0.15);
            Ok(())
        })?;
    }
}

/// A wall alone holds nothing, however rough: without a push there is no friction. Between two walls a body squeezes itself.
#[test]
fn a_wall_needs_something_that_pushes() {
    let mut scene = bridge([6, 2, 2], 0.4);
    assert!(with_group(&scene, |group| holds(group, |_| 0.4) && holds(group, |_| 1e-3)));
    scene.sites.retain(|site| site.normal.x > 0.0);
    assert!(with_group(&scene, |group| !holds(group, |_| 0.4) && !holds(group, |_| 100.0)));
}

#[test]
fn a_stack_stands_until_a_level_is_pulled_away() {
    let mut scene = stack(&[[3, 2, 3], [4, 2, 2], [2, 1, 3]], 0.5);
    assert!(with_group(&scene, |group| holds(group, |_| 0.5)));
    assert!(with_group(&scene, |group| holds(group, |_| 0.0)));
    let top = scene.positions.iter().map(|x| x.y).fold(0.0, f64::max);
    scene.positions.iter_mut().filter(|x| x.y > top - 0.1501).for_each(|x| x.x += 0.3);
    assert!(with_group(&scene, |group| !holds(group, |_| 100.0)));
}

/// Held at a point a body turns, along a line it swings, in a plane of slides it slides; its weight decides whether that matters.
#[test]
fn supports_leave_the_motions_that_they_do_not_resist() {
    let base = || {
        let mut scene = Boxes::default();
        scene.add(Vec3::new(0.4, 0.2, 0.3), [2, 2, 2], |x| x - Vec3::new(0.2, 0.0, 0.15));
        scene
    };
    let stands = |change: &dyn Fn(&mut Boxes)| {
        let mut scene = base();
        change(&mut scene);
        with_group(&scene, |group| holds(group, |_| 0.0))
    };
    assert!(stands(&|scene| scene.fix(|x| x.y < 1e-9)));
    // Along a line through the middle it balances, unstably; beside it, it swings.
    assert!(stands(&|scene| scene.fix(|x| x.y < 1e-9 && x.x.abs() < 1e-9)));
    assert!(!stands(&|scene| scene.fix(|x| x.y < 1e-9 && x.x < -0.19)));
    let slide = |normal: Vec3| {
        move |scene: &mut Boxes| {
            let projector = Mat3::identity() - normal * normal.transpose();
            let sole = (0..scene.positions.len()).filter(|&n| scene.positions[n].y < 1e-9);
            scene.slides = sole.map(|n| (n as u32, projector)).collect();
        }
    };
    assert!(stands(&slide(Vec3::y())));
    assert!(!stands(&slide(Vec3::x())));
}
