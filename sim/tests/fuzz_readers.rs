//! Every reader on damaged files; `cargo run --release --example fuzz_readers` does the same for as long as one likes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "fuzz/compact.rs"]
mod compact;
mod fuzz;

use aplomb_sim::import::FORMATS;
use fuzz::check::{allowed, check};
use fuzz::{Sample, run};

const EXECUTIONS: u64 = 200_000;

#[test]
fn readers_survive_damaged_files() {
    let samples = Sample::all();
    for format in FORMATS {
        let is_sampled = samples.iter().any(|s| format.extensions.iter().any(|e| s.name.ends_with(&format!(".{e}"))));
        assert!(is_sampled || format.name == "TetGen", "{} has no sample", format.name);
    }
    let report = run(&samples, EXECUTIONS, 1, 2);
    assert_eq!(report.tallies.values().map(|t| t.executions).sum::<u64>(), EXECUTIONS);
    // Damage that leaves no file readable would try nothing but the first lines of the readers.
    for (extension, tally) in &report.tallies {
        println!("{extension}: {tally:?}");
        assert!(tally.read > 0, "no damaged .{extension} is read");
    }
    assert!(report.faults.is_empty(), "{:#?}", &report.faults[..report.faults.len().min(10)]);
}

#[test]
fn large_files_are_read_within_their_memory() {
    for (name, content) in compact::files() {
        let outcome = check(name, &content);
        println!(
            "{name}: {} bytes, {:.1} times that, read: {}",
            content.len(),
            outcome.peak as f64 / content.len() as f64,
            outcome.is_read
        );
        assert!(outcome.peak <= allowed(content.len()) && outcome.fault.is_none(), "{name}: {:?}", outcome.fault);
    }
}
