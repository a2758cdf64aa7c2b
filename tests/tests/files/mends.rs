//! What is advised works when it is followed: random scenes with one fault of each kind, mended by what the program proposes and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aplomb::document::{mend_label, mended};
use aplomb_sim::math::random::Random;
use aplomb_sim::scene::{Mend, Method, Scene, Way};
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InitReport;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{Block, Blocks};
use serde_json::{Value, json};

const EACH: u64 = 6;

/// What became of a scene: a report, or what its faults propose, one after the other.
fn outcome(scene: &Scene, blocks: &Blocks) -> Result<InitReport, Vec<Mend>> {
    let folder = blocks.write().parent().unwrap().to_path_buf();
    match Simulation::build(scene, &folder, &Unwatched) {
        Err(error) => Err(error.0.into_iter().filter_map(|problem| problem.mend().cloned()).collect()),
        Ok(mut simulation) => {
            let report = simulation.initialise(Method::SagFree, &Unwatched).unwrap();
            let mends: Vec<Mend> = report.infeasible.iter().filter_map(|fault| fault.mend.clone()).collect();
            if mends.is_empty() { Ok(report) } else { Err(mends) }
        }
    }
}

/// Follows the first of all proposals until there is none; those that were followed, and the report at the end.
fn followed(name: &str, blocks: &Blocks, most: usize) -> (Vec<Mend>, InitReport, Scene) {
    let mut scene = scene_file::parse(&blocks.scene.to_string(), &blocks.write()).unwrap();
    let mut mends = Vec::new();
    loop {
        match outcome(&scene, blocks) {
            Ok(report) => return (mends, report, scene),
            Err(proposed) => {
                let mend = proposed.first().unwrap_or_else(|| panic!("{name}: nothing is proposed after {mends:?}")).clone();
                println!("{name}: {}", mend_label(&mend));
                scene = mended(&scene, &mend).unwrap_or_else(|| panic!("{name}: {mend:?} changes nothing"));
                mends.push(mend);
            }
        }
        assert!(mends.len() <= most, "{name}: no end to it: {mends:?}");
    }
}

fn ground(point: [f64; 3], normal: [f64; 3]) -> Value {
    json!({ "name": "floor", "shape": { "half_space": { "point": point, "normal": normal } }, "friction": 0.9 })
}

/// A block that is wide enough to stand, `above` the height 0 of its lower side [m].
fn block(random: &mut Random, above: f64) -> Block {
    let size = random.uniform(0.05, 0.3);
    Block::jelly([2.0 * size, size, 2.0 * size], [3, 2, 3], [0.0, above + 0.5 * size, 0.0], 1e5 * (1.0 + size))
}

#[test]
fn what_floats_is_let_down_and_stands() {
    for seed in 0..EACH {
        let random = &mut Random::new(seed);
        let block = block(random, 0.0);
        let above = random.uniform(0.1, 0.5);
        let tilt: f64 = random.uniform(-0.3, 0.3);
        let mut blocks = Blocks::new(&[Block { at: [0.0, block.at[1] + above, 0.0], ..block.clone() }], &json!({}));
        // A wall beside it is not below it, and is no ground.
        let wall = json!({ "name": "wall", "shape": { "half_space": { "point": [-5, 0, 0], "normal": [1, 0, 0] } } });
        blocks.scene["obstacles"] = json!([wall, ground([0.0; 3], [0.0, 1.0, 0.0])]);
        blocks.scene["gravity"] = json!([9.81 * tilt.sin(), -9.81 * tilt.cos(), 0.0]);
        let (mends, report, _) = followed(&format!("floats {seed}"), &blocks, 1);
        let [Mend::Move { way: Way::Onto(name), by, .. }] = &mends[..] else { panic!("{mends:?}") };
        assert_eq!(name, "floor");
        // Along gravity, to the ground.
        assert!((by[0] / by[1] + tilt.tan()).abs() < 1e-6 && (by[1] + above).abs() < 0.01 * above, "{by:?} for {above}");
        assert!(report.outcome.holds, "{:?}", report.outcome);
    }
}

#[test]
fn where_nothing_is_below_ground_is_put_there() {
    for seed in 0..EACH {
        let random = &mut Random::new(100 + seed);
        let above = random.uniform(-1.0, 1.0);
        let block = block(random, above);
        let mut blocks = Blocks::new(&[block], &json!({}));
        if seed % 2 == 0 {
            blocks.scene["obstacles"] =
                json!([{ "name": "above", "shape": { "sphere": { "center": [0, above + 2.0, 0], "radius": 0.5 } } }]);
        }
        let (mends, report, scene) = followed(&format!("falls {seed}"), &blocks, 1);
        assert!(matches!(mends[..], [Mend::Ground { .. }]), "{mends:?}");
        assert!(report.outcome.holds, "{:?}", report.outcome);
        assert_eq!(scene.obstacles.len(), blocks.scene["obstacles"].as_array().map_or(0, Vec::len) + 1);
    }
}

fn below(random: &mut Random, end: usize) -> usize {
    (random.uniform(0.0, end as f64) as usize).min(end - 1)
}

/// Blocks above one another and beside one another, in no order, that nothing holds: the boxes that they fill, and what was asked for.
fn many_that_float(random: &mut Random) -> Vec<Block> {
    let (columns, size) = (1 + below(random, 3), random.uniform(0.05, 0.2));
    let mut blocks = Vec::new();
    for column in 0..columns {
        let mut height = random.uniform(-0.5, 0.5);
        for _ in 0..1 + below(random, 3) {
            height += random.uniform(0.05, 0.4);
            // Lower ones are wider: whatever comes down on them stands.
            let wide = 2.0 * size * (1.0 - 0.1 * (height + 0.5).min(4.0));
            let at = [3.0 * size * column as f64, height + 0.5 * size, random.uniform(-0.1, 0.1) * size];
            blocks.push(Block::jelly([wide, size, wide], [2, 2, 2], at, 2e5));
            height += size;
        }
    }
    for k in (1..blocks.len()).rev() {
        blocks.swap(k, below(random, k + 1));
    }
    blocks
}

#[test]
fn of_several_that_float_each_comes_to_stand_on_what_is_below_it() {
    for seed in 0..3 * EACH {
        let random = &mut Random::new(400 + seed);
        let floating = many_that_float(random);
        let count = floating.len();
        let mut blocks = Blocks::new(&floating, &json!({ "contact": { "friction": 0.5 } }));
        if seed % 3 == 0 {
            blocks.scene["obstacles"] = json!([ground([0.0, -1.5, 0.0], [0.0, 1.0, 0.0])]);
        }
        // Whatever stands already is the ground's, and all that a body can need is ground and a way down to it.
        let (mends, report, scene) = followed(&format!("several {seed}"), &blocks, 2 * count + 1);
        assert!(report.outcome.holds, "{:?}", report.outcome);
        assert_eq!(scene.obstacles.len(), 1, "{mends:?}");
    }
}

#[test]
fn a_body_is_let_down_onto_the_body_that_is_in_between() {
    for seed in 0..EACH {
        let random = &mut Random::new(500 + seed);
        let (size, high, gap) = (random.uniform(0.1, 0.2), random.uniform(0.3, 0.6), random.uniform(0.02, 0.3));
        let mut shelf = Block::jelly([3.0 * size, 0.5 * size, 3.0 * size], [4, 2, 4], [0.0, high, 0.0], 1e6);
        // All of it, or one end.
        let to = if seed % 2 == 0 { 1.0 } else { 0.3 };
        shelf.regions =
            json!([{ "name": "held", "role": { "dirichlet": {} }, "select": [{ "height": { "axis": "x", "from": 0, "to": to } }] }]);
        let above = Block::jelly([size; 3], [2; 3], [0.2 * size, high + 0.75 * size + gap, 0.0], 2e5);
        let mut blocks = Blocks::new(&[shelf, above], &json!({ "contact": { "friction": 0.5 } }));
        blocks.scene["obstacles"] = json!([ground([0.0; 3], [0.0, 1.0, 0.0])]);
        let (mends, report, _) = followed(&format!("shelf {seed}"), &blocks, 1);
        let [Mend::Move { body: 1, way: Way::Onto(_), by }] = &mends[..] else { panic!("{mends:?}") };
        assert!((by[1] + gap).abs() < 0.05 * size, "{by:?} for {gap}");
        assert!(report.outcome.holds, "{:?}", report.outcome);
    }
}

#[test]
fn ground_is_touched_where_regions_say_what_is() {
    let mut random = Random::new(600);
    let mut blocks = Blocks::new(&[block(&mut random, 0.3)], &json!({}));
    let wall = json!({ "name": "wall", "shape": { "half_space": { "point": [-5, 0, 0], "normal": [1, 0, 0] } } });
    blocks.scene["obstacles"] = json!([wall]);
    let sole = json!({ "name": "sole", "role": { "contact": { "obstacles": ["wall"] } }, "select": [{ "height": { "axis": "y", "from": 0, "to": 1 } }] });
    blocks.scene["bodies"][0]["regions"] = json!([sole]);
    let (mends, report, _) = followed("named", &blocks, 1);
    assert!(matches!(mends[..], [Mend::Ground { .. }]), "{mends:?}");
    assert!(report.outcome.holds, "{:?}", report.outcome);
}

#[test]
fn what_is_sunk_comes_out_and_stands() {
    for seed in 0..EACH {
        let random = &mut Random::new(200 + seed);
        let depth = -random.uniform(0.01, 0.04);
        let block = block(random, depth);
        let mut blocks = Blocks::new(&[block], &json!({}));
        let floor = match seed % 2 {
            0 => ground([0.0; 3], [0.0, 1.0, 0.0]),
            _ => json!({ "name": "floor", "shape": { "box": { "center": [0, -0.5, 0], "size": [3, 1, 3] } }, "friction": 0.9 }),
        };
        blocks.scene["obstacles"] = json!([floor]);
        let (mends, report, _) = followed(&format!("sunk {seed}"), &blocks, 1);
        let [Mend::Move { way: Way::OutOf(_), by, .. }] = &mends[..] else { panic!("{mends:?}") };
        assert!(by[1] > 0.0 && by[1] < 2.0 * depth.abs() && by[0].abs() + by[2].abs() < 1e-9, "{by:?} for {depth}");
        assert!(report.outcome.holds, "{:?}", report.outcome);
    }
}

#[test]
fn what_overlaps_is_separated() {
    for seed in 0..EACH {
        let random = &mut Random::new(300 + seed);
        let size = random.uniform(0.1, 0.3);
        let lower = Block::jelly([2.0 * size, size, 2.0 * size], [3, 2, 3], [0.0, 0.5 * size, 0.0], 1e5);
        let deep = random.uniform(0.1, 0.4) * size;
        let at = [random.uniform(-0.3, 0.3) * size, 1.5 * size - deep, random.uniform(-0.3, 0.3) * size];
        let mut upper = Block { at, ..lower.clone() };
        upper.rotate_degrees = [0.0, random.uniform(0.0, 30.0), 0.0];
        let rest = json!({ "obstacles": [ground([0.0, -1e-4, 0.0], [0.0, 1.0, 0.0])], "contact": { "friction": 0.6 } });
        let blocks = Blocks::new(&[lower, upper], &rest);
        let (mends, report, _) = followed(&format!("overlaps {seed}"), &blocks, 2);
        let Mend::Move { body: 1, way: Way::Apart, by } = &mends[0] else { panic!("{mends:?}") };
        assert!((by[1] - deep).abs() < 1e-6 * size && by[0].abs() + by[2].abs() < 1e-6 * size, "{by:?} for {deep}");
        assert!(report.outcome.holds, "{:?}", report.outcome);
    }
}
