//! Reads damaged mesh files for as long as one likes, and says what went wrong.
//!
//! `cargo run --release -p aplomb-sim --example fuzz_readers -- [--executions N] [--seed S] [--threads T] [--only EXTENSION]`
//! or, to have the damaged file of one execution, `-- --seed S [--only EXTENSION] --write EXECUTION FILE`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/fuzz/mod.rs"]
mod fuzz;

use std::process::ExitCode;
use std::time::Instant;

use fuzz::{Sample, run};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let after = |option: &str, n: usize| words.iter().position(|w| w == option).and_then(|i| words.get(i + n));
    let number = |option: &str, otherwise: u64| after(option, 1).map_or(otherwise, |w| w.parse().expect("a number"));
    let (executions, seed, threads) = (number("--executions", 1_000_000), number("--seed", 1), number("--threads", 2));
    let mut samples = Sample::all();
    if let Some(only) = after("--only", 1) {
        samples.retain(|s| s.name.ends_with(only));
    }
    if let (Some(execution), Some(file)) = (after("--write", 1), after("--write", 2)) {
        let execution: u64 = execution.parse().expect("a number");
        let sample = Sample::of(&samples, execution);
        std::fs::write(file, sample.damaged(&samples, seed, execution)).expect("the file can be written");
        println!("{file}: {} damaged", sample.name);
        return ExitCode::SUCCESS;
    }
    let start = Instant::now();
    let report = run(&samples, executions, seed, threads);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{executions} executions of {} samples, seed {seed}: {seconds:.1} s, {:.0} a second",
        samples.len(),
        executions as f64 / seconds
    );
    for (extension, tally) in &report.tallies {
        let share = 100.0 * tally.read as f64 / tally.executions as f64;
        let memory = 100.0 * tally.memory;
        println!(
            "{extension:8} {:9} executions, {share:4.1} % gave a mesh, most memory {memory:5.1} % of what is allowed",
            tally.executions
        );
    }
    for (execution, fault) in report.faults.iter().take(50) {
        println!("execution {execution}: {fault}");
    }
    println!("{} faults", report.faults.len());
    if report.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
