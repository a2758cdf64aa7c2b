//! `aplomb simulate`: initialise, then step.

use std::path::{Path, PathBuf};

use aplomb_sim::export::PreparedAsset;
use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::recorder::Recorder;
use aplomb_sim::step::StepError;
use aplomb_sim::watch::Watch;
use clap::Args;

use super::console::Console;
use super::failure::Failure;
use super::init::{MethodName, initialise, reached, summary};
use super::output::{self, Report};
use super::targets::Targets;
use super::trace::{Trace, TraceArguments};
use crate::sources::Sources;

/// Initialise a scene and simulate it.
#[derive(Debug, Args)]
pub struct Simulate {
    /// Scene: a file or a name of the gallery.
    scene: PathBuf,
    /// How the rest state is chosen; the scene's own method where this is missing.
    #[arg(long)]
    init: Option<MethodName>,
    /// Start from this prepared asset, written by `init --out`, in place of an initialisation.
    #[arg(long, conflicts_with = "init")]
    prepared: Option<PathBuf>,
    /// Seconds to simulate.
    #[arg(long, default_value_t = 1.0, conflicts_with = "steps", value_parser = non_negative)]
    seconds: f64,
    /// Steps to simulate, in place of seconds.
    #[arg(long)]
    steps: Option<usize>,
    /// Speed [m/s] given to every free mass at the start, in direction (1, 1, 1).
    #[arg(long, default_value_t = 0.0, value_parser = non_negative)]
    kick: f64,
    /// Number of threads; all cores where this is missing.
    #[arg(long)]
    threads: Option<usize>,
    #[command(flatten)]
    trace: TraceArguments,
}

pub(super) fn non_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("give a number that is not negative".into()),
    }
}

/// A finite number above zero.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("give a number above zero".into()),
    }
}

impl Simulate {
    /// Exit status 3, with the report written, where the method finds no balance or a step fails.
    pub fn run(&self) -> Result<(), Failure> {
        output::use_threads(self.threads)?;
        let targets = self.trace.targets()?;
        let console = Console::new();
        let path = output::scene_path(&self.scene);
        let mut report = Report { scene: path.clone(), ..Report::default() };
        let outcome = self.fill(&path, &targets, &mut report, &console);
        console.clear();
        if let Some(init) = &report.init {
            eprintln!("{}", summary(init));
        }
        if report.init.is_some() || report.simulate.is_some() {
            self.trace.write_report(&report)?;
        }
        if let Some(simulate) = &report.simulate {
            let (steps, seconds) = (simulate.steps, simulate.seconds.total);
            eprintln!("{steps} steps in {seconds:.2} s; drift at most {:.1e} of the diagonal", simulate.drift.max);
            let linear = &simulate.linear;
            if linear.unsolved > 0 {
                let (directions, left) = (linear.unsolved, linear.residual);
                eprintln!(
                    "{directions} directions solve their linear system only in part, to {left:.1e} at worst; allow more `linear_iterations`, or take the solver `direct`"
                );
            }
            if simulate.inversions > 0 {
                let times = simulate.inversions;
                eprintln!(
                    "elements were inverted, {times} counted over all steps; take smaller steps, or `neo_hookean`, which never inverts"
                );
            }
        }
        outcome
    }

    /// Does the work; what was done until a failure stands in `report`.
    fn fill(&self, path: &Path, targets: &Targets, report: &mut Report, watch: &dyn Watch) -> Result<(), Failure> {
        let mut prepared = Sources::default();
        self.prepared.iter().for_each(|file| prepared.add(file));
        targets.spare(&prepared)?;
        let (scene, mut simulation) = output::load(path, targets, watch)?;
        if let Some(prepared) = &self.prepared {
            let asset = PreparedAsset::read(prepared).map_err(|error| Failure::Input(error.to_string()))?;
            simulation.restore(&asset).map_err(|why| Failure::Input(format!("{}: {why}", prepared.display())))?;
        } else {
            let method = self.init.map_or(scene.initialise.method, Method::from);
            let init = report.init.insert(initialise(&mut simulation, method, watch)?);
            reached(init)?;
        }
        simulation.kick(nalgebra::Vector3::repeat(self.kick / 3.0_f64.sqrt()));
        self.simulate(&scene, &mut simulation, report, watch)
    }

    fn simulate(&self, scene: &Scene, simulation: &mut Simulation, report: &mut Report, watch: &dyn Watch) -> Result<(), Failure> {
        let mut recorder = Recorder::new();
        // A whole number of steps that round-off made slightly larger is still that number.
        let steps = self.steps.unwrap_or((self.seconds / scene.simulate.step_size - 1e-6).ceil() as usize);
        let mut trace = Trace::begin(&self.trace, simulation, steps as u64)?;
        let so_far = |recorder: &Recorder, trace: &Trace, simulation: &Simulation, report: &Report| {
            let mut simulate = recorder.so_far(&simulation.system, &simulation.state);
            (simulate.recording, simulate.frames) = (trace.recorded(), trace.framed());
            Report { scene: report.scene.clone(), init: report.init.clone(), simulate: Some(simulate), ..Report::default() }
        };
        // Once before the first step, so that there is a report whenever the run ends.
        trace.write_report(&so_far(&recorder, &trace, simulation, report))?;
        let mut outcome = Ok(());
        for step in 1..=steps {
            watch.progress("simulating", step as f64 / steps as f64);
            outcome = match simulation.step(&Quiet(watch)) {
                Ok(stats) => {
                    recorder.record(&stats);
                    trace.step(&stats, simulation, step as u64)
                }
                Err(StepError::Cancelled(_)) => Err(Failure::Interrupted),
                Err(other) => Err(Failure::Unreached(other.to_string())),
            };
            if outcome.is_err() {
                break;
            }
            if trace.is_report_due() {
                trace.write_report(&so_far(&recorder, &trace, simulation, report))?;
            }
        }
        let cancelled = matches!(outcome, Err(Failure::Interrupted));
        trace.finish();
        let over = if outcome.is_ok() || cancelled {
            recorder.finish(&simulation.system, &simulation.state, cancelled)
        } else {
            recorder.so_far(&simulation.system, &simulation.state)
        };
        let simulate = report.simulate.insert(over);
        (simulate.recording, simulate.frames) = (trace.recorded(), trace.framed());
        let recording = simulate.recording.as_ref().and_then(|recording| Some(("its recording is not", recording.stopped.as_ref()?)));
        let frames = simulate.frames.as_ref().and_then(|frames| Some(("its frames are not", frames.stopped.as_ref()?)));
        outcome.and_then(|()| match recording.or(frames) {
            Some((what, why)) => Err(Failure::Input(format!("the run is whole, {what}: {why}"))),
            None => Ok(()),
        })
    }
}

/// Cancels as the watch inside does; the progress of single steps is not worth showing.
pub(super) struct Quiet<'a>(pub(super) &'a dyn Watch);

impl Watch for Quiet<'_> {
    fn progress(&self, _stage: &str, _done: f64) {}
    fn check(&self) -> Result<(), aplomb_sim::watch::Cancelled> {
        self.0.check()
    }
}
