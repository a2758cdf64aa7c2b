//! Cloth that is thrown and pulled: it passes through nothing, not even through itself.
#![allow(clippy::unwrap_used)]

use aplomb_sim::math::Vec3;
use aplomb_sim::math::random::Random;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Cut, Sheet, crossings};
use serde_json::json;

/// A square of 0.6 m and `cells` cells a side, level at this height and turned a little, with its vertices jittered.
fn sheet(cells: usize, height: f64, step_size: f64, random: &mut Random) -> Sheet {
    let turn = random.uniform(0.0, 1.5);
    let place = |u: f64, v: f64| {
        let (a, b) = (0.6 * (u - 0.5), 0.6 * (v - 0.5));
        Vec3::new(turn.cos() * a - turn.sin() * b, height, turn.sin() * a + turn.cos() * b)
    };
    let mut sheet = Sheet::new([cells, cells], Cut::Cross, place);
    sheet.positions.iter_mut().for_each(|x| *x += random.vector(-1e-3, 1e-3));
    sheet.cloth(&json!({ "stiffness": 500.0, "bending_stiffness": 1e-5, "density": 0.2, "thickness": 1e-3, "damping": 1e-3 }));
    sheet.scene["simulate"] = json!({ "step_size": step_size });
    sheet
}

/// Of the vertices of the sheet, whose nodes are the first.
fn lowest(simulation: &Simulation, sheet: &Sheet, distance: impl Fn(&Vec3) -> f64) -> f64 {
    simulation.state.positions[..sheet.positions.len()].iter().map(distance).fold(f64::INFINITY, f64::min)
}

/// Over a ball smaller than itself it folds, and its folds lie on one another.
#[test]
fn a_sheet_that_falls_over_a_ball_passes_through_nothing() {
    let (centre, radius) = (Vec3::new(0.013, 0.5, 0.007), 0.12);
    for (seed, step_size) in [(1, 0.01), (2, 1.0 / 30.0), (3, 1.0 / 30.0)] {
        let mut sheet = sheet(10, 0.66, step_size, &mut Random::new(seed));
        let ball = json!({ "sphere": { "center": centre.as_slice(), "radius": radius } });
        sheet.scene["obstacles"] = json!([{ "name": "ball", "shape": ball, "friction": 0.3 }]);
        let mut simulation = sheet.build().unwrap();
        let (mut most_contacts, mut iterations) = (0, 0);
        let steps = (0.8 / step_size) as u32;
        for _ in 0..steps {
            let stats = simulation.step(&Unwatched).unwrap();
            (most_contacts, iterations) = (most_contacts.max(stats.contacts), iterations + stats.iterations);
            assert!(stats.min_gap > 0.0, "{seed} {step_size}: gap {} at {}", stats.min_gap, stats.time);
            assert_eq!(crossings(&simulation.state.positions, &sheet.triangles), [], "{seed} {step_size}: at {}", stats.time);
            assert!(lowest(&simulation, &sheet, |x| (x - centre).norm()) > radius, "{seed} {step_size}: at {}", stats.time);
        }
        println!("{seed} {step_size}: {most_contacts} contacts at most, {:.1} iterations a step", f64::from(iterations) / f64::from(steps));
        assert!(most_contacts > 10, "{most_contacts}");
    }
}

/// A cloth on a table, pulled away by one side: at any speed it comes off without passing through the table.
#[test]
fn a_cloth_that_is_pulled_off_a_table_does_not_pass_through_it() {
    for (seed, speed) in [(4, 3.0), (5, 0.5)] {
        let mut sheet = sheet(8, 0.002, 0.01, &mut Random::new(seed));
        sheet.positions.iter_mut().zip(&sheet.places).for_each(|(x, [u, v])| *x = Vec3::new(0.6 * u - 0.5, 0.002 + 0.02 * v * v, 0.6 * v));
        let corners: Vec<usize> = (0..sheet.places.len()).filter(|&v| sheet.places[v][0] == 1.0).collect();
        let way = 0.6 / speed;
        let motion = json!({ "keyframes": [{ "time": 0.1 }, { "time": 0.1 + way, "translate": [0.6, 0.0, 0.0] }] });
        sheet.scene["bodies"][0]["regions"] =
            json!([{ "name": "hand", "role": { "dirichlet": { "motion": motion } }, "select": [{ "vertices": corners }] }]);
        let table = json!({ "box": { "center": [-0.5, -0.025, 0.25], "size": [1.0, 0.05, 1.5] } });
        sheet.scene["obstacles"] = json!([{ "name": "table", "shape": table, "friction": 0.3 }]);
        let mut simulation = sheet.build().unwrap();
        for _ in 0..((0.15 + way) / 0.01) as u32 {
            let stats = simulation.step(&Unwatched).unwrap();
            assert_eq!(crossings(&simulation.state.positions, &sheet.triangles), [], "{speed}: at {}", stats.time);
            // Edges too: the sheet hangs over the rim of the table.
            let inside = lowest(&simulation, &sheet, |x| x.x.max(x.y).max(-0.05 - x.y));
            assert!(inside > 0.0, "{speed}: {inside} at {}", stats.time);
        }
        assert!(lowest(&simulation, &sheet, |x| x.x) > -0.5 + 0.3, "{speed}: it was pulled along");
    }
}
