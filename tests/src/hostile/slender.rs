//! Bodies that are held and may buckle.

use aplomb_sim::math::random::Random;
use serde_json::{Value, json};

use super::{GRAVITY, LAWS, block, exponential, held_between, material, pick};
use crate::{Block, Form};

/// Young's modulus with which a weight per length on a clamped column of this height and side is that share of the critical one
/// (Greenhill: E I / (w l^3) = 1 / 7.837 at the limit).
pub fn young_of_column(side: f64, height: f64, density: f64, share: f64) -> f64 {
    let weight = density * GRAVITY * side * side;
    weight * height.powi(3) / (7.837 * side.powi(4) / 12.0) / share
}

/// Clamped below, at shares of its critical height on both sides of it: so coarse a mesh is two to three times too stiff.
pub fn column(random: &mut Random) -> (Vec<Block>, Value) {
    let (side, slender) = (exponential(random, 0.01, 1.0), random.uniform(6.0, 12.0));
    let share = pick(random, &[0.5, 4.0, 6.0]);
    let density = pick(random, &[300.0, 1000.0, 7800.0]);
    let height = slender * side;
    let young = young_of_column(side, height, density, share);
    let law = pick(random, &["neo_hookean", "corotated"]);
    let mut column = block([side, height, side], [2, 2 * slender as usize, 2], [0.0, 0.5 * height, 0.0], &material(law, young, density));
    column.regions = json!([held_between("y", 0.0, 0.0)]);
    (vec![column], json!({}))
}

/// A column with a heavy head, at shares of Euler's load.
pub fn mushroom(random: &mut Random) -> (Vec<Block>, Value) {
    let (side, slender) = (0.05, random.uniform(5.0, 9.0));
    let height = slender * side;
    let share = pick(random, &[0.5, 4.0, 6.0]);
    let (density, heavy) = (200.0, 8000.0);
    // pi^2 E I / (4 l^2) against the weight of the upper eighth.
    let load = heavy * GRAVITY * side * side * height / 8.0;
    let young = load * 4.0 * height * height / (std::f64::consts::PI.powi(2) * side.powi(4) / 12.0) / share;
    let mut column = block(
        [side, height, side],
        [2, 16, 2],
        [0.0, 0.5 * height, 0.0],
        &material(pick(random, &["neo_hookean", "corotated"]), young, density),
    );
    let head = json!({ "name": "head", "role": { "material": material("neo_hookean", young, heavy) }, "select": [{ "height": { "axis": "y", "from": 0.875, "to": 1.0 } }] });
    column.regions = json!([held_between("y", 0.0, 0.0), head]);
    (vec![column], json!({}))
}

/// Clamped above: always stable.
pub fn hung(random: &mut Random) -> (Vec<Block>, Value) {
    let side = exponential(random, 1e-2, 1.0);
    let height = random.uniform(2.0, 8.0) * side;
    let young = exponential(random, 5.0, 500.0) * 1000.0 * GRAVITY * height;
    let mut rope = block([side, height, side], [2, 8, 2], [0.0; 3], &material(pick(random, &LAWS), young, 1000.0));
    rope.regions = json!([held_between("y", 1.0, 1.0)]);
    (vec![rope], json!({}))
}

/// A level bar held at both ends, pressed together by nothing but its weight, or by a tension that is a compression.
pub fn strut(random: &mut Random) -> (Vec<Block>, Value) {
    let (side, length) = (0.05, 1.0);
    let young = exponential(random, 2e4, 2e6);
    let mut bar = block([length, side, side], [16, 1, 1], [0.0; 3], &material(pick(random, &["neo_hookean", "corotated"]), young, 1000.0));
    bar.regions = json!([held_between("x", 0.0, 0.0), held_between("x", 1.0, 1.0)]);
    // Euler's critical strain of a bar clamped at both ends, 4 pi^2 I / (A l^2), is 0.0082.
    let strain = pick(random, &[0.003, -0.08, -0.12]);
    (vec![bar], json!({ "initialise": { "tension": strain } }))
}

/// A shallow arch held at both ends, which is pressed together by its weight.
pub fn shallow_arch(random: &mut Random) -> (Vec<Block>, Value) {
    let (thick, radius) = (random.uniform(0.03, 0.06), random.uniform(1.0, 3.0));
    // Thrust over area is density g radius; against Euler's stress between clamped ends, pi^2 / 3 E (thick / length)^2.
    let share = pick(random, &[0.4, 6.0, 12.0]);
    let young = 1000.0 * GRAVITY * radius / (std::f64::consts::PI.powi(2) / 3.0 * thick * thick) / share;
    let stuff = material(pick(random, &["neo_hookean", "corotated"]), young, 1000.0);
    let bar = block([1.0, thick, 0.1], [16, 2, 2], [0.0; 3], &stuff);
    let ends = [-0.5, 0.5].map(|along: f64| {
        let angle = along / radius;
        let at = [radius * angle.sin(), radius * (angle.cos() - 1.0), 0.0];
        let reach = 0.55 * thick;
        let (min, max) = (at.map(|x| x - reach), at.map(|x| x + reach));
        json!({ "box": { "min": [min[0], min[1], -1.0], "max": [max[0], max[1], 1.0] } })
    });
    let held = json!([{ "name": "held", "role": { "dirichlet": {} }, "select": ends }]);
    (vec![Block { form: Form::Bent(radius), regions: held, ..bar }], json!({}))
}
