//! Runs that end at a moment nobody chose: what they left on disk can be read.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use aplomb_sim::stats::cache::{Recording, RecordingError};
use aplomb_sim::stats::registry::STATISTICS;
use aplomb_tests::program;

/// Files that a run writes while it goes on.
struct Files {
    report: PathBuf,
    recording: PathBuf,
    table: PathBuf,
}

impl Files {
    fn in_folder(folder: &Path) -> Self {
        let file = |name| folder.join(name);
        Self { report: file("report.json"), recording: file("recording"), table: file("steps.csv") }
    }

    fn simulate(&self, more: &[&str]) -> Child {
        program()
            .args(["simulate", "hanging_beam"])
            .args(more)
            .args(["--report".as_ref(), self.report.as_os_str(), "--record".as_ref(), self.recording.as_os_str()])
            .args(["--csv".as_ref(), self.table.as_os_str()])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn report(&self) -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(&self.report).unwrap()).expect("a whole report")
    }

    /// Reads every frame, and gives their number.
    fn frames(&self, nodes: u64) -> u64 {
        let mut recording = Recording::open(File::open(&self.recording).unwrap()).unwrap();
        assert_eq!(recording.subject().nodes, nodes);
        let mut positions = Vec::new();
        for frame in 0..recording.frames() {
            let stats = recording.read(frame, &mut positions).unwrap();
            assert!((stats.time - frame as f64 * recording.subject().step_size).abs() < 1e-9, "frame {frame} at {} s", stats.time);
            assert!(positions.iter().all(|x| x.iter().all(|c| c.is_finite())));
        }
        recording.frames()
    }
}

#[test]
fn a_run_killed_at_any_moment_leaves_a_readable_report_recording_and_table() {
    let mut last_steps = 0;
    // Milliseconds from the first report to the kill: around its next writings, and in between.
    for delay in [0, 3, 17, 64, 333, 1003, 1021, 2048] {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::in_folder(folder.path());
        let mut child = files.simulate(&["--steps", "1000000"]);
        while !files.report.exists() {
            assert!(child.try_wait().unwrap().is_none(), "the run ended by itself");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(delay));
        // On Unix this is SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();

        let report = files.report();
        assert_eq!(report["simulate"]["finished"], false, "after {delay} ms");
        let steps = report["simulate"]["steps"].as_u64().unwrap();
        assert_eq!(report["simulate"]["series"]["time"].as_array().unwrap().len() as u64, steps);
        let frames = files.frames(report["init"]["masses"].as_u64().unwrap());
        assert!(frames > steps, "after {delay} ms: {frames} frames, {steps} steps reported");
        let table = std::fs::read_to_string(&files.table).unwrap();
        let whole = table.lines().filter(|line| line.split(',').count() == STATISTICS.len()).count() as u64;
        assert!(whole > steps, "after {delay} ms: {whole} lines, {steps} steps reported");
        last_steps = steps;
    }
    assert!(last_steps > 0, "the report was never written again");
}

#[test]
fn a_run_that_ends_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::in_folder(folder.path());
    assert!(files.simulate(&["--steps", "3"]).wait().unwrap().success());
    let report = files.report();
    assert_eq!(report["simulate"]["finished"], true);
    assert_eq!(report["simulate"]["recording"]["frames"], 4);
    assert_eq!(files.frames(report["init"]["masses"].as_u64().unwrap()), 4);
    let table = std::fs::read_to_string(&files.table).unwrap();
    assert_eq!(table.lines().map(|line| line.split(',').count()).collect::<Vec<_>>(), [STATISTICS.len(); 4]);
    let series = &report["simulate"]["series"];
    let last = |key: &str| series[key].as_array().unwrap().last().unwrap().as_f64().unwrap();
    assert_eq!(last("total"), last("kinetic") + last("elastic") + last("gravity") + last("contact"));
}

#[test]
fn a_recording_without_room_stops_and_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::in_folder(folder.path());
    let output = files.simulate(&["--steps", "6", "--record-limit", "0.00006"]).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("stopped") && errors.contains("allow more") && errors.contains("goes on"), "{errors}");
    let report = files.report();
    assert_eq!(report["simulate"]["steps"], 6);
    assert_eq!(report["simulate"]["finished"], true);
    let frames = report["simulate"]["recording"]["frames"].as_u64().unwrap();
    assert_eq!(files.frames(report["init"]["masses"].as_u64().unwrap()), frames);
    assert!((1..7).contains(&frames), "{frames} frames in 60 kB");
}

/// A disk without any room at all, where the system has a device that is one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_recording_and_not_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files { recording: "/dev/full".into(), ..Files::in_folder(folder.path()) };
    let output = files.simulate(&["--steps", "2"]).wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("the disk is full"), "{errors}");
    assert_eq!(files.report()["simulate"]["steps"], 2);
}

#[test]
fn a_recording_is_no_other_file() {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/hanging_beam.json");
    assert!(matches!(Recording::open(File::open(scene).unwrap()), Err(RecordingError::Foreign(_))));
}
