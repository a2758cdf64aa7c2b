//! The violent scenes of the gallery run through without a step given up, an inverted element or a closed gap, whatever the
//! step size and however their meshes are disturbed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;
use std::time::Instant;

use aplomb_sim::contact::intersection::intersections;
use aplomb_sim::export::medit;
use aplomb_sim::import;
use aplomb_sim::math::Vec3;
use aplomb_sim::scene::Scene;
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::step::StepError;
use aplomb_sim::watch::Unwatched;

const SCENES: [&str; 3] = ["funnel", "stack_topple", "twist_bar"];
const STEP_SIZES: [f64; 3] = [0.002, 0.01, 0.033];
/// Seed 0 is the mesh as it is.
const SEEDS: std::ops::RangeInclusive<u64> = 0..=5;
const SECONDS: f64 = 2.0;
/// Largest displacement of a vertex along each axis, as a share of the mesh's shortest edge.
const JITTER: f64 = 0.03;

/// What one run gave.
#[derive(Debug, Default)]
struct Outcome {
    steps: usize,
    inversions: u32,
    crossings: usize,
    min_gap: f64,
    iterations: u32,
    most_iterations: u32,
    most_parts: u32,
    wall: f64,
    abandoned: Option<StepError>,
}

impl Outcome {
    fn is_clean(&self) -> bool {
        self.abandoned.is_none() && (self.inversions, self.crossings) == (0, 0) && self.min_gap > 0.0
    }
}

/// Writes the mesh at `path` with every vertex displaced at random, as `seed` says, into `folder`.
fn jittered(path: &Path, seed: u64, folder: &Path) -> String {
    let mut mesh = import::read(path, &Unwatched).unwrap();
    let edges = mesh.tets.iter().flat_map(|&[a, b, c, d]| [(a, b), (a, c), (a, d), (b, c), (b, d), (c, d)]);
    let length = |(a, b): (u32, u32)| (mesh.positions[a as usize] - mesh.positions[b as usize]).norm();
    let size = JITTER * edges.map(length).fold(f64::INFINITY, f64::min);
    let mut state = seed;
    // SplitMix64 (Steele et al. 2014).
    let mut uniform = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        2.0 * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    };
    mesh.positions.iter_mut().for_each(|p| *p += size * Vec3::from_fn(|_, _| uniform()));
    let target = folder.join(path.file_name().unwrap());
    medit::write(&mut std::fs::File::create(&target).unwrap(), &mesh.positions, &mesh.tets, &[]).unwrap();
    target.to_str().unwrap().to_owned()
}

/// The scene of that name, on meshes disturbed by `seed` that are written into `folder`.
fn disturbed(name: &str, seed: u64, folder: &Path) -> Scene {
    let path = gallery::find(name).unwrap().path();
    let mut scene = scene_file::load(&path).unwrap();
    for mesh in scene.mesh_files_mut() {
        let original = path.parent().unwrap().join(&mesh);
        *mesh = if seed == 0 { original.to_str().unwrap().to_owned() } else { jittered(&original, seed, folder) };
    }
    scene
}

fn run(name: &str, seed: u64, step_size: f64, seconds: f64) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = disturbed(name, seed, folder.path());
    scene.simulate.step_size = step_size;
    let mut simulation = Simulation::build(&scene, folder.path(), &Unwatched).unwrap();
    simulation.initialise(scene.initialise.method, &Unwatched).unwrap();
    let clock = Instant::now();
    let mut outcome = Outcome { min_gap: f64::INFINITY, ..Outcome::default() };
    while simulation.state.time < seconds - 1e-9 {
        match simulation.step(&Unwatched) {
            Ok(step) => {
                outcome.steps += 1;
                // Gaps between surfaces have no sign.
                outcome.crossings += intersections(&simulation.system.surface, &simulation.state.positions).len();
                outcome.inversions += step.inversions;
                outcome.min_gap = outcome.min_gap.min(step.min_gap);
                outcome.iterations += step.iterations;
                outcome.most_iterations = outcome.most_iterations.max(step.iterations);
                outcome.most_parts = outcome.most_parts.max(step.substeps);
            }
            Err(error) => {
                outcome.abandoned = Some(error);
                break;
            }
        }
    }
    outcome.wall = clock.elapsed().as_secs_f64();
    outcome
}

fn check(name: &str, seed: u64, step_size: f64, seconds: f64) {
    let outcome = run(name, seed, step_size, seconds);
    assert!(outcome.is_clean(), "{name}, seed {seed}, h = {step_size} s: {outcome:?}");
    assert!(outcome.min_gap.is_finite(), "{name}: nothing touched");
}

/// At the largest of the step sizes, up to where its legs are in the neck.
#[test]
fn a_creature_is_pulled_through_a_funnel() {
    check("funnel", 1, 0.033, 0.8);
}

#[test]
fn a_stack_topples() {
    check("stack_topple", 2, 0.033, 0.6);
}

/// Up to where the bar has buckled and touches itself.
#[test]
fn a_bar_is_twisted_until_it_touches_itself() {
    check("twist_bar", 3, 0.033, 1.6);
}

/// `cargo test --release -p aplomb-tests --test robustness -- --ignored --nocapture`
#[test]
#[ignore = "hours on one core; run it in release"]
fn whole_matrix_of_scenes_seeds_and_step_sizes() {
    println!("| scene | h [s] | seed | steps | inversions | min gap [m] | Newton mean | most | parts | wall [s] | abandoned |");
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let mut failures = Vec::new();
    for name in SCENES {
        for step_size in STEP_SIZES {
            for seed in SEEDS {
                let o = run(name, seed, step_size, SECONDS);
                let mean = f64::from(o.iterations) / o.steps.max(1) as f64;
                let abandoned = o.abandoned.as_ref().map_or("no".to_owned(), ToString::to_string);
                println!(
                    "| {name} | {step_size} | {seed} | {} | {} | {:.1e} | {mean:.1} | {} | {} | {:.0} | {abandoned} |",
                    o.steps, o.inversions, o.min_gap, o.most_iterations, o.most_parts, o.wall
                );
                if !o.is_clean() {
                    failures.push((name, step_size, seed));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}
