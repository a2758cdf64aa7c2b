//! Contact forces on obstacles that are boxes, which touch as surfaces: however edges and corners lie on one another, the interior point ends
//! where it should.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use aplomb_sim::math::random::Random;
use aplomb_sim::scene::Method;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Block, Blocks};
use serde_json::json;

/// Gaps over the diagonal, negative for overlaps.
const GAPS: [f64; 7] = [0.0, -1e-5, 1e-9, 1e-7, 1e-6, -1e-4, 1e-4];
const SIZE: f64 = 0.2;

/// A cube on a box that is smaller or larger, edge beside edge, corner under corner or anywhere, with friction or without.
fn on_a_box(random: &mut Random) -> Blocks {
    let mut pick = |values: &[f64]| values[random.uniform(0.0, values.len() as f64) as usize];
    let cells = pick(&[4.0, 6.0, 8.0, 8.0]) as usize;
    let (gap, friction) = (pick(&GAPS) * 3f64.sqrt() * SIZE, pick(&[0.0, 0.3, 0.5, 0.8]));
    let turned = pick(&[0.0, 0.0, 1.0]) * random.uniform(3.0, 45.0);
    // Width and middle in units of the cube's side, in line with its cells or not: the middle of the cube is over the box.
    let mut along = || loop {
        let width = if random.uniform(0.0, 1.0) < 0.5 { random.uniform(0.2, 1.5) } else { random.uniform(2.0, 13.0).floor() / 8.0 };
        let middle = if random.uniform(0.0, 1.0) < 0.5 { random.uniform(-0.3, 0.3) } else { random.uniform(-3.0, 4.0).floor() / 16.0 };
        if middle.abs() + 0.04 < 0.5 * width {
            return (width * SIZE, middle * SIZE);
        }
    };
    let ((width, x), (depth, z)) = (along(), along());
    let cube = Block::jelly([SIZE; 3], [cells; 3], [0.0, 0.5 * SIZE + gap, 0.0], 1e8);
    let cube = Block { rotate_degrees: [0.0, turned, 0.0], ..cube };
    let shape = json!({ "box": { "center": [x, -0.5 * SIZE, z], "size": [width, SIZE, depth] } });
    Blocks::new(&[cube], &json!({ "obstacles": [{ "name": "box", "shape": shape, "friction": friction }] }))
}

/// Where some contacts are about to slip or to open, the last digits of their forces hang on those of displacements, and must not be lost.
#[test]
fn contact_forces_on_boxes_are_exact() {
    let mut random = Random::new(11);
    let mut iterations = 0;
    let mut missed = Vec::new();
    for k in 0..100 {
        let blocks = on_a_box(&mut random);
        let mut simulation = blocks.build().unwrap();
        let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        assert!(report.infeasible.is_empty() && report.residual.after <= 1e-9, "{k}: {} {:?}", report.residual.after, report.infeasible);
        iterations = iterations.max(report.iterations);
        if !report.gap_reached {
            missed.push((k, report.gap));
        }
    }
    println!("{iterations} iterations at most, gap missed by {missed:?}");
    assert!(missed.is_empty() && iterations <= 25, "{iterations} {missed:?}");
}
