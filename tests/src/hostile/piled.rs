//! Bodies that lie on, hang on or lean against each other.

use aplomb_sim::math::random::Random;
use serde_json::{Value, json};

use super::{GAPS, GRAVITY, LAWS, block, exponential, ground, held_between, material, pick};
use crate::{Block, Form};

/// Two to four equal blocks, exactly over each other, shifted or turned.
pub fn stack(random: &mut Random) -> (Vec<Block>, Value) {
    let (size, count) = (exponential(random, 0.02, 1.0), pick(random, &[2, 3, 4]));
    let (gap, lie) = (pick(random, &GAPS) * size, pick(random, &[0, 1, 2]));
    let stuff = material(pick(random, &LAWS), random.uniform(150.0, 600.0) * 1000.0 * GRAVITY * size * f64::from(count), 1000.0);
    let level = |k: i32| {
        let mut shift = || if lie == 1 && k > 0 { random.uniform(-0.15, 0.15) * size } else { 0.0 };
        let at = [shift(), 0.5 * size + f64::from(k) * (size + gap), shift()];
        let turn = if lie == 2 && k > 0 { random.uniform(2.0, 43.0) } else { 0.0 };
        Block { rotate_degrees: [0.0, turn, 0.0], ..block([size; 3], [2 + (k as usize) % 2, 2, 2], at, &stuff) }
    };
    ((0..count).map(level).collect(), ground(0.5))
}

/// One block on two.
pub fn pyramid(random: &mut Random) -> (Vec<Block>, Value) {
    let size = 0.2;
    let (gap, apart) = (pick(random, &GAPS) * size, random.uniform(0.3, 0.8) * size);
    let stuff = material(pick(random, &LAWS), random.uniform(300.0, 2000.0) * 1000.0 * GRAVITY * size, 1000.0);
    let x = 0.5 * (size + apart);
    let foot = |x: f64| block([size; 3], [2; 3], [x, 0.5 * size, 0.0], &stuff);
    let top = block([1.6 * size, size, size], [3, 2, 2], [0.0, 1.5 * size + gap, 0.0], &stuff);
    (vec![foot(-x), foot(x), top], ground(0.6))
}

/// A plank on four legs, flush with its edges.
pub fn table(random: &mut Random) -> (Vec<Block>, Value) {
    let (leg, width, height) = (0.08, random.uniform(0.35, 0.6), random.uniform(0.1, 0.25));
    let gap = pick(random, &GAPS) * width;
    let stuff = material(pick(random, &LAWS), random.uniform(400.0, 4000.0) * 1000.0 * GRAVITY * width, 1000.0);
    let reach = 0.5 * (width - leg);
    let mut blocks: Vec<Block> = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)]
        .map(|(x, z)| block([leg, height, leg], [1, 2, 1], [x * reach, 0.5 * height, z * reach], &stuff))
        .into();
    blocks.push(block([width, 0.08, width], [4, 1, 4], [0.0, height + gap + 0.04, 0.0], &stuff));
    (blocks, ground(0.5))
}

/// A book that leans against a block.
pub fn book(random: &mut Random) -> (Vec<Block>, Value) {
    let (thick, height, depth, degrees) = (0.05, 0.3, 0.2, random.uniform(11.0, 20.0));
    let gap = pick(random, &[0.0, 1e-6, 1e-4]) * height;
    let stuff = material("neo_hookean", random.uniform(3e5, 3e6), 1000.0);
    let wall = block([0.2, 0.25, 0.3], [2, 3, 3], [0.1, 0.125, 0.0], &stuff);
    let (sine, cosine) = f64::to_radians(degrees).sin_cos();
    // Its lower right edge on the ground, its right side against the wall's upper left edge.
    let foot = -(0.25 * sine / cosine + gap);
    let at = [foot + 0.5 * height * sine - 0.5 * thick * cosine, 0.5 * height * cosine + 0.5 * thick * sine, 0.0];
    let leaning = Block { rotate_degrees: [0.0, 0.0, -degrees], ..block([thick, height, depth], [1, 4, 2], at, &stuff) };
    (vec![wall, leaning], ground(0.6))
}

/// Two planks that lean against each other.
pub fn roof(random: &mut Random) -> (Vec<Block>, Value) {
    let (thick, length, degrees) = (0.05, 0.4, random.uniform(12.0, 25.0));
    let gap = pick(random, &GAPS) * length;
    let stuff = material("neo_hookean", random.uniform(3e5, 3e6), 1000.0);
    let (sine, cosine) = f64::to_radians(degrees).sin_cos();
    // The upper inner corner of the right plank at x = gap / 2.
    let side = |sign: f64| {
        let x = 0.5 * gap + 0.5 * length * sine + 0.5 * thick * cosine;
        let y = 0.5 * length * cosine + 0.5 * thick * sine;
        Block { rotate_degrees: [0.0, 0.0, sign * degrees], ..block([thick, length, 0.2], [1, 6, 2], [sign * x, y, 0.0], &stuff) }
    };
    (vec![side(1.0), side(-1.0)], ground(0.8))
}

/// A beam on a wide or a narrow block, its middle over it or not quite.
pub fn beam_on_block(random: &mut Random) -> (Vec<Block>, Value) {
    let (length, wide) = (0.8, random.uniform(0.1, 0.5));
    let gap = pick(random, &GAPS) * length;
    let stuff = material(pick(random, &LAWS), random.uniform(300.0, 3000.0) * 1000.0 * GRAVITY * 0.1 * 8.0, 1000.0);
    let foot = block([wide, 0.1, 0.2], [3, 1, 2], [0.0, 0.05, 0.0], &stuff);
    let off = random.uniform(-0.2, 0.2) * wide;
    (vec![foot, block([length, 0.1, 0.1], [8, 1, 1], [off, 0.15 + gap, 0.0], &stuff)], ground(0.5))
}

/// A plank across a roller, on which it rocks upright again if the roller's radius is larger than half its thickness.
pub fn on_a_roller(random: &mut Random) -> (Vec<Block>, Value) {
    let thick = random.uniform(0.06, 0.15);
    let radius = 0.5 * thick * pick(random, &[0.4, 0.8, 1.25, 4.0]);
    let stuff = material(pick(random, &LAWS), exponential(random, 1e6, 1e8), 1000.0);
    let plank = block([0.5, thick, 0.2], [9, 2, 3], [0.0, 0.5 * thick, 0.0], &stuff);
    let roller = json!({ "name": "roller", "shape": { "capsule": { "from": [0, -radius, -0.3], "to": [0, -radius, 0.3], "radius": radius } }, "friction": 0.6 });
    (vec![plank], json!({ "obstacles": [roller], "contact": { "friction": 0.6 } }))
}

/// A block on a ball, to which the same applies. Nothing resists its turning about the vertical.
pub fn on_a_ball(random: &mut Random) -> (Vec<Block>, Value) {
    let (wide, high) = (random.uniform(0.1, 0.2), random.uniform(0.06, 0.15));
    let radius = 0.5 * high * pick(random, &[0.4, 0.8, 1.25, 8.0]);
    let gap = pick(random, &GAPS) * high;
    let stuff = material(pick(random, &LAWS), exponential(random, 1e6, 1e8), 1000.0);
    let lying = block([wide, high, wide], [3, 2, 3], [0.0, 0.5 * high + gap, 0.0], &stuff);
    let ball = json!({ "name": "ball", "shape": { "sphere": { "center": [0, -radius, 0], "radius": radius } }, "friction": 0.6 });
    (vec![lying], json!({ "obstacles": [ball], "contact": { "friction": 0.6 } }))
}

/// A block balanced on one edge.
pub fn on_an_edge(random: &mut Random) -> (Vec<Block>, Value) {
    let (a, b) = (random.uniform(0.1, 0.3), random.uniform(0.1, 0.3));
    let stuff = material("neo_hookean", random.uniform(1e5, 1e6), 1000.0);
    let height = 0.5 * f64::hypot(a, b);
    let degrees = f64::atan2(a, b).to_degrees();
    (vec![Block { rotate_degrees: [0.0, 0.0, degrees], ..block([a, b, 0.25], [2, 2, 3], [0.0, height, 0.0], &stuff) }], ground(0.6))
}

/// A cube balanced on one corner.
pub fn on_a_corner(random: &mut Random) -> (Vec<Block>, Value) {
    let size = random.uniform(0.1, 0.3);
    let stuff = material("neo_hookean", random.uniform(1e5, 1e6), 1000.0);
    let tilt = f64::sqrt(2.0).atan().to_degrees();
    // About x by 45 degrees, then about z until the diagonal is upright.
    let turned =
        Block { rotate_degrees: [45.0, 0.0, 90.0 - tilt], ..block([size; 3], [2; 3], [0.0, 0.5 * 3f64.sqrt() * size, 0.0], &stuff) };
    (vec![turned], ground(0.6))
}

/// Stones of an arch, the outermost two of which are held.
pub fn arch(random: &mut Random) -> (Vec<Block>, Value) {
    let (radius, thick, stones) = (0.5, random.uniform(0.12, 0.2), pick(random, &[5, 7]));
    let stuff = material(pick(random, &LAWS), exponential(random, 1e6, 1e8), 1000.0);
    let gap = pick(random, &GAPS) * thick;
    let each = f64::to_radians(random.uniform(90.0, 130.0)) / f64::from(stones);
    let stone = |k: i32| {
        let angle = each * (f64::from(k) - 0.5 * f64::from(stones - 1));
        let at = [radius * angle.sin(), 1.0 + radius * (angle.cos() - 1.0), 0.0];
        let regions = if k == 0 || k == stones - 1 { json!([held_everywhere()]) } else { json!([]) };
        let size = [radius * each - gap, thick, 0.2];
        Block { form: Form::Bent(radius), rotate_degrees: [0.0, 0.0, -angle.to_degrees()], regions, ..block(size, [1, 2, 2], at, &stuff) }
    };
    ((0..stones).map(stone).collect(), json!({ "contact": { "friction": 0.7 } }))
}

/// Frames that hang in each other, the uppermost of which is held above.
pub fn chain(random: &mut Random) -> (Vec<Block>, Value) {
    let (size, count) = (0.2, pick(random, &[2, 3, 4]));
    let bar = size / 4.0;
    let gap = pick(random, &GAPS) * size;
    let stuff = material(pick(random, &LAWS), exponential(random, 300.0, 30000.0) * 1000.0 * GRAVITY * size, 1000.0);
    let frame = |k: i32| {
        // The upper bar of each lies on the lower bar of the one above it.
        let at = [0.0, -f64::from(k) * (size - 2.0 * bar - gap), 0.0];
        let regions = if k == 0 { json!([held_between("y", 1.0, 1.0)]) } else { json!([]) };
        let turn = if k % 2 == 0 { 0.0 } else { 90.0 };
        Block { form: Form::Frame, rotate_degrees: [0.0, turn, 0.0], regions, ..block([size, size, bar], [4, 4, 1], at, &stuff) }
    };
    ((0..count).map(frame).collect(), json!({ "contact": { "friction": 0.4 } }))
}

/// A block on a slab that is held at both ends.
pub fn hammock(random: &mut Random) -> (Vec<Block>, Value) {
    let thick = random.uniform(0.02, 0.05);
    let stuff = material(pick(random, &LAWS), exponential(random, 3e6, 1e9), 1000.0);
    let gap = pick(random, &GAPS) * 0.15;
    let slab = block([1.0, thick, 0.3], [12, 1, 3], [0.0; 3], &stuff);
    let slab = Block { regions: json!([held_between("x", 0.0, 0.0), held_between("x", 1.0, 1.0)]), ..slab };
    let at = [random.uniform(-0.3, 0.3), 0.5 * thick + gap + 0.075, random.uniform(-0.05, 0.05)];
    let turn = random.uniform(0.0, 45.0);
    let load = material("neo_hookean", random.uniform(3e5, 3e6), random.uniform(200.0, 1000.0));
    let load = Block { rotate_degrees: [0.0, turn, 0.0], ..block([0.15; 3], [2; 3], at, &load) };
    (vec![slab, load], json!({ "contact": { "friction": 0.5 } }))
}

fn held_everywhere() -> Value {
    json!({ "name": "held", "role": { "dirichlet": {} }, "select": [{ "all": {} }] })
}
