//! Bodies under pressure.

use aplomb_sim::math::random::Random;
use serde_json::{Value, json};

use super::slender::young_of_column;
use super::{block, exponential, held_between, material, pick};
use crate::{Block, Form};

/// A clamped column in suction or pressure all round, which does no work in bending.
pub fn pressed_column(random: &mut Random) -> (Vec<Block>, Value) {
    let (side, slender) = (exponential(random, 0.02, 0.5), random.uniform(6.0, 10.0));
    let (share, height) = (pick(random, &[0.4, 4.0, 6.0]), slender * side);
    let young = young_of_column(side, height, 1000.0, share);
    let mut column =
        block([side, height, side], [2, 2 * slender as usize, 2], [0.0, 0.5 * height, 0.0], &material("neo_hookean", young, 1000.0));
    let pressure = pick(random, &[-0.03, -0.01, 0.01, 0.03]) * young;
    column.regions = json!([held_between("y", 0.0, 0.0), pressed(json!({ "pressure": pressure }))]);
    (vec![column], json!({}))
}

/// A closed box with air of another pressure in it, free in space or hung.
pub fn balloon(random: &mut Random) -> (Vec<Block>, Value) {
    let (size, hung) = (exponential(random, 0.05, 1.0), pick(random, &[true, false]));
    let law = pick(random, &["neo_hookean", "stable_neo_hookean", "corotated"]);
    let young = exponential(random, 300.0, 3000.0) * 1000.0 * 9.81 * size;
    let mut walls = block([size; 3], [6; 3], [0.0; 3], &material(law, young, 1000.0));
    walls.form = Form::Hollow;
    let inside = size * 2.0 / 6.0 * 1.001;
    let pressure = pick(random, &[-0.12, -0.06, -0.005, 0.01]) * young;
    let (min, max) = ([-inside; 3], [inside; 3]);
    let air = json!({ "name": "air", "role": { "pressure": { "pressure": pressure } }, "select": [{ "box": { "min": min, "max": max } }] });
    let gravity = if hung { -9.81 } else { 0.0 };
    walls.regions = if hung { json!([held_between("y", 1.0, 1.0), air]) } else { json!([air]) };
    (vec![walls], json!({ "gravity": [0, gravity, 0] }))
}

/// A cube that floats upright, at shares of the water's density on both sides of those where it capsizes, 0.2113 and 0.7887.
pub fn floating(random: &mut Random) -> (Vec<Block>, Value) {
    let size = exponential(random, 0.05, 1.0);
    let share = pick(random, &[0.15, 0.27, 0.4, 0.6, 0.73, 0.84]);
    let young = exponential(random, 300.0, 3000.0) * 1000.0 * 9.81 * size;
    let mut cube = block([size; 3], [3; 3], [0.0; 3], &material("stable_neo_hookean", young, 1000.0 * share));
    cube.regions = json!([pressed(json!({ "surface": size * (share - 0.5) }))]);
    (vec![cube], json!({}))
}

/// Weightless, under the same pressure all round.
pub fn squeezed(random: &mut Random) -> (Vec<Block>, Value) {
    let size = exponential(random, 0.05, 1.0);
    let sides = [size, random.uniform(0.3, 3.0) * size, random.uniform(0.3, 1.0) * size];
    let young = exponential(random, 1e3, 1e6);
    let mut cuboid = block(sides, [2, 4, 2], [0.0; 3], &material("neo_hookean", young, 1000.0));
    cuboid.regions = json!([pressed(json!({ "pressure": pick(random, &[-0.05, -0.01, 0.02, 0.1]) * young }))]);
    (vec![cuboid], json!({ "gravity": [0, 0, 0] }))
}

fn pressed(by: Value) -> Value {
    json!({ "name": "pressed", "role": { "pressure": by }, "select": [{ "all": {} }] })
}
