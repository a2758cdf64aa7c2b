//! Readers of mesh files on damaged copies of small files: they give a mesh that keeps its promises or an error, never panic, never
//! hang, and never hold more than 20 times the file and 1 MiB.

pub mod check;
mod memory;
mod mutate;
mod random;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use check::{allowed, check, keep_panics};
use random::Random;

/// Time after which reading a file of at most 256 KiB is taken to hang.
const HANGING: Duration = Duration::from_secs(30);

/// A small file of some format.
pub struct Sample {
    /// Its name in `sim/src/import/samples`.
    pub name: String,
    pub content: Vec<u8>,
}

impl Sample {
    /// All of them, by name.
    pub fn all() -> Vec<Self> {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/import/samples"));
        let mut all: Vec<Self> = std::fs::read_dir(&folder)
            .unwrap_or_else(|why| panic!("{}: {why}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some())
            .map(|path| Self { name: path.file_name().unwrap().to_string_lossy().into_owned(), content: std::fs::read(path).unwrap() })
            .collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// The sample of an execution: extensions take turns, and so do the samples of each.
    pub fn of(samples: &[Self], execution: u64) -> &Self {
        let mut by_extension: BTreeMap<&str, Vec<&Self>> = BTreeMap::new();
        samples.iter().for_each(|sample| by_extension.entry(sample.extension()).or_default().push(sample));
        let turns = by_extension.len() as u64;
        let group = by_extension.into_values().nth((execution % turns) as usize).unwrap_or_default();
        group[((execution / turns) % group.len() as u64) as usize]
    }

    fn extension(&self) -> &str {
        Path::new(&self.name).extension().and_then(|e| e.to_str()).unwrap_or_default()
    }

    /// The damaged copy of an execution.
    pub fn damaged(&self, samples: &[Self], seed: u64, execution: u64) -> Vec<u8> {
        let mut random = Random::new(seed, execution);
        let others: Vec<&[u8]> = samples.iter().map(|s| s.content.as_slice()).collect();
        let mut content = self.content.clone();
        mutate::mutate(&mut content, &others, &mut random);
        content
    }
}

/// What was seen of the files of one extension.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub executions: u64,
    /// How many gave a mesh.
    pub read: u64,
    /// The most bytes held, as a share of those that are allowed.
    pub memory: f64,
}

/// A run's result: by extension, and the faults with their executions.
#[derive(Default)]
pub struct Report {
    pub tallies: BTreeMap<String, Tally>,
    pub faults: Vec<(u64, String)>,
}

/// Reads `executions` damaged copies, spread evenly over the extensions of `samples`, on `threads`; the same seed gives the same copies.
pub fn run(samples: &[Sample], executions: u64, seed: u64, threads: u64) -> Report {
    keep_panics();
    let start = Instant::now();
    let report = Mutex::new(Report::default());
    let is_done = AtomicBool::new(false);
    // What each thread is at: an execution, and since when [ms].
    let at: Vec<[AtomicU64; 2]> = (0..threads).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(20));
                for [execution, since] in &at {
                    let since = since.load(Ordering::Relaxed);
                    if since != u64::MAX && start.elapsed() > Duration::from_millis(since) + HANGING {
                        eprintln!("execution {} of seed {seed} hangs", execution.load(Ordering::Relaxed));
                        std::process::abort();
                    }
                }
            }
        });
        let workers: Vec<_> = (0..threads)
            .zip(&at)
            .map(|(thread, [current, since])| {
                let report = &report;
                scope.spawn(move || {
                    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
                    for execution in (thread..executions).step_by(threads as usize) {
                        current.store(execution, Ordering::Relaxed);
                        since.store(start.elapsed().as_millis() as u64, Ordering::Relaxed);
                        let sample = Sample::of(samples, execution);
                        let content = sample.damaged(samples, seed, execution);
                        let outcome = check(&sample.name, &content);
                        let tally = tallies.entry(sample.extension().to_owned()).or_default();
                        tally.executions += 1;
                        tally.read += u64::from(outcome.is_read);
                        tally.memory = tally.memory.max(outcome.peak as f64 / allowed(content.len()) as f64);
                        if let Some(fault) = outcome.fault {
                            report.lock().unwrap().faults.push((execution, format!("{}: {fault}", sample.name)));
                        }
                    }
                    since.store(u64::MAX, Ordering::Relaxed);
                    let mut report = report.lock().unwrap();
                    for (extension, tally) in tallies {
                        let total = report.tallies.entry(extension).or_default();
                        total.executions += tally.executions;
                        total.read += tally.read;
                        total.memory = total.memory.max(tally.memory);
                    }
                })
            })
            .collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        is_done.store(true, Ordering::Relaxed);
    });
    let mut report = report.into_inner().unwrap();
    report.faults.sort();
    report
}
