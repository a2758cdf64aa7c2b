//! One outcome, the same wherever it is told: report, exit status, console, and the words of the editor, of random scenes of each kind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use aplomb::document::{Action, FileRequest};
use aplomb::session::Export;
use aplomb_sim::math::random::Random;
use aplomb_tests::{Block, Blocks, program};
use egui_kittest::kittest::{NodeT, Queryable};
use serde_json::{Value, json};

const GRAVITY: f64 = 9.81;
const EACH: u64 = 4;

fn ground(degrees: f64, friction: f64) -> Value {
    let (sin, cos) = degrees.to_radians().sin_cos();
    json!([{ "name": "ground", "shape": { "half_space": { "point": [0, 0, 0], "normal": [-sin, cos, 0] } }, "friction": friction }])
}

fn clamped() -> Value {
    json!([{ "name": "held", "role": { "dirichlet": {} }, "select": [{ "height": { "axis": "y", "from": 0, "to": 0 } }] }])
}

/// A block that lies on a slope, in need of a friction coefficient, with that share of it.
fn on_slope(random: &mut Random, share: f64) -> Blocks {
    let (size, degrees) = (random.uniform(0.05, 0.5), random.uniform(3.0, 15.0));
    let young = 1000.0 * GRAVITY * size * random.uniform(100.0, 1000.0);
    let (sin, cos) = degrees.to_radians().sin_cos();
    let mut block = Block::jelly([2.0 * size, size, 2.0 * size], [3, 2, 3], [-0.5 * size * sin, 0.5 * size * cos, 0.0], young);
    block.rotate_degrees = [0.0, 0.0, degrees];
    Blocks::new(&[block], &json!({ "obstacles": ground(degrees, share * degrees.to_radians().tan()) }))
}

fn slips(random: &mut Random) -> Blocks {
    let share = random.uniform(0.3, 0.9);
    on_slope(random, share)
}

fn holds(random: &mut Random) -> Blocks {
    let share = random.uniform(1.3, 3.0);
    on_slope(random, share)
}

/// Of a law that bears 0.16 E in compression, clamped under a weight of more.
fn too_soft(random: &mut Random) -> Blocks {
    let size = random.uniform(0.05, 0.5);
    let young = 1000.0 * GRAVITY * size / random.uniform(0.3, 0.6);
    let mut block = Block::jelly([size; 3], [3, 4, 3], [0.0; 3], young);
    block.material["law"] = json!("stvk");
    block.regions = clamped();
    Blocks::new(&[block], &json!({}))
}

/// A clamped column at many times its critical load (Greenhill).
fn unstable(random: &mut Random) -> Blocks {
    let side = random.uniform(0.02, 0.2);
    let height = 10.0 * side;
    let young = 12.0 * 1000.0 * GRAVITY * height.powi(3) / (7.837 * side * side) / random.uniform(4.0, 6.0);
    let mut column = Block::jelly([side, height, side], [2, 20, 2], [0.0; 3], young);
    column.regions = clamped();
    Blocks::new(&[column], &json!({}))
}

/// Balance is asked for beyond what the numbers carry.
fn too_exact(random: &mut Random) -> Blocks {
    let mut blocks = holds(random);
    blocks.scene["initialise"] = json!({ "tolerance": 1e-18 });
    blocks
}

/// A push that follows the free end of a column (Beck 1952) has no energy by which stability is judged.
fn follower(random: &mut Random) -> Blocks {
    let side = random.uniform(0.05, 0.2);
    let (height, young) = (8.0 * side, 2e5 * random.uniform(0.5, 2.0));
    let mut column = Block::jelly([side, height, side], [2, 16, 2], [0.0; 3], young);
    // Far beyond the load of Euler's column, however much too stiff the mesh is.
    let push = 25.0 * young * std::f64::consts::PI.powi(2) / 48.0 * (side / height).powi(2);
    let [held] = &clamped().as_array().unwrap().clone()[..] else { panic!() };
    let end = json!([{ "height": { "axis": "y", "from": 1, "to": 1 } }]);
    column.regions = json!([held, { "name": "end", "role": { "pressure": { "pressure": push } }, "select": end }]);
    Blocks::new(&[column], &json!({ "gravity": [0, 0, 0] }))
}

/// Out of balance by less than the scene's own, generous tolerance.
fn generous(random: &mut Random) -> Blocks {
    let mut blocks = slips(random);
    blocks.scene["initialise"] = json!({ "tolerance": 1.0 });
    blocks
}

/// What the command line says: exit status, report, console.
fn told(scene: &Path) -> (i32, Value, String) {
    let output = program().args(["init", scene.to_str().unwrap(), "--report", "-"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    (output.status.code().unwrap(), report["init"].clone(), String::from_utf8(output.stderr).unwrap())
}

/// Asserts that all agree; the verdict.
fn agreed(name: &str, blocks: &Blocks) -> String {
    let scene = blocks.write();
    let (status, report, console) = told(&scene);
    let outcome = &report["outcome"];
    let (holds, verdict) = (outcome["holds"].as_bool().unwrap(), outcome["verdict"].as_str().unwrap());
    println!("{name}: exit {status}, {outcome}");
    assert_eq!(status, if holds { 0 } else { 3 }, "{name}: {console}");
    let words = verdict.replace('_', " ");
    assert!(console.lines().any(|line| line.ends_with(&format!(": {words}"))), "{name}: {console}");
    // Each reason once, wherever it is said.
    if let Some(reason) = outcome["reason"].as_str() {
        assert_eq!(console.matches(reason).count(), 1, "{name}: {console}");
    }
    // What the numbers behind it say is nothing else.
    let stability = report["stability"]["verdict"].as_str().unwrap();
    let expected = match (holds, verdict) {
        (false, _) => "not_in_balance",
        (true, "holds") => "stable",
        (true, other) => other,
    };
    assert_eq!(stability, expected, "{name}: {outcome}");
    assert!(!holds || report["residual"]["balanced"] == true && report["unattainable"]["elements"] == 0, "{name}: {outcome}");
    assert!(!holds || report["infeasible"].as_array().unwrap().is_empty());

    let mut editor = crate::editor::open(&scene, 1400.0);
    crate::editor::initialise(&mut editor);
    let (first, rest) = words.split_at(1);
    editor.get_by_label(&(first.to_uppercase() + rest));
    let certified = serde_json::to_value(&editor.state().main().certificate.as_ref().unwrap().report.outcome).unwrap();
    assert_eq!(certified, *outcome, "{name}");
    // Strip, Play and Problems say it too.
    let first = outcome["reason"].as_str().and_then(|reason| reason.lines().next());
    editor.get_by_label(&first.map_or_else(|| "press Play".to_owned(), |reason| format!("{words}: {reason}")));
    let play = if verdict == "holds" { "sag-free".to_owned() } else { format!("sag-free, {words}") };
    assert!(editor.query_all_by_label(&play).count() >= 1, "{name}: {play}");
    let count = if verdict == "holds" { 0 } else { report["infeasible"].as_array().unwrap().len().max(1) };
    // Where nothing is wrong, and nothing to plot, there is no bar of tabs.
    let tabs: Vec<String> = editor.query_all_by_role(egui::Role::Tab).filter_map(|tab| tab.accesskit_node().label()).collect();
    let told = tabs.iter().filter(|tab| tab.starts_with("Problems")).cloned().collect::<Vec<_>>();
    assert_eq!(told, if count == 0 { Vec::new() } else { vec![format!("Problems ({count})")] }, "{name}: {tabs:?}");
    // What does not hold is prepared for nobody, neither here nor by the command line.
    let file = scene.with_file_name("asset.vtu");
    crate::editor::act(&mut editor, Action::File(FileRequest::Export(Export::PreparedAsset(file.clone()))));
    if holds {
        crate::editor::wait(&mut editor, "the asset is written", |app| crate::editor::is_idle(app) && file.is_file());
    } else {
        assert!(editor.state().banner().is_some() && crate::editor::is_idle(editor.state()) && !file.exists(), "{name}");
    }
    format!("{verdict}, exit {status}")
}

fn check(name: &str, draw: fn(&mut Random) -> Blocks, expected: &[&str]) {
    for seed in 0..EACH {
        let found = agreed(&format!("{name} {seed}"), &draw(&mut Random::new(7000 + seed)));
        assert!(expected.contains(&found.as_str()), "{name} {seed}: {found}");
    }
}

#[test]
fn what_slips_is_told_alike_everywhere() {
    check("slips", slips, &["does_not_hold, exit 3"]);
}

#[test]
fn what_is_too_soft_is_told_alike_everywhere() {
    check("too soft", too_soft, &["does_not_hold, exit 3"]);
}

#[test]
fn what_is_unstable_is_told_alike_everywhere() {
    check("unstable", unstable, &["unstable, exit 0"]);
}

#[test]
fn what_holds_is_told_alike_everywhere() {
    check("holds", holds, &["holds, exit 0"]);
}

#[test]
fn what_is_not_decided_is_told_alike_everywhere() {
    check("too exact", too_exact, &["undecided, exit 3"]);
    check("follower", follower, &["undecided, exit 0"]);
}

/// The scene's tolerance counts, and no other.
#[test]
fn the_tolerance_of_the_scene_is_the_one_that_counts() {
    check("generous", generous, &["holds, exit 0", "unstable, exit 0", "undecided, exit 0"]);
}
