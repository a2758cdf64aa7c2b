//! `aplomb simulate`: initialise, then step.

use std::path::{Path, PathBuf};

use anyhow::Context;
use aplomb_sim::export::{PreparedAsset, pvd};
use aplomb_sim::scene::Method;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::recorder::Recorder;
use aplomb_sim::step::StepError;
use aplomb_sim::watch::Watch;
use clap::{Args, ValueEnum};

use super::console::Console;
use super::failure::Failure;
use super::init::{MethodName, frame, initialise, reached, summary};
use super::output::{self, Report};

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
    /// Write the report (JSON) to this file; `-` is standard output.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Write frames into this folder.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Format of the frames.
    #[arg(long, default_value = "vtu")]
    format: FrameFormat,
    /// A frame every so many steps.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
}

/// Format of the frames.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum FrameFormat {
    /// VTK unstructured grid.
    Vtu,
}

pub(super) fn non_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("give a number that is not negative".into()),
    }
}

impl Simulate {
    /// Exit status 3, with the report written, where the method finds no balance or a step fails.
    pub fn run(&self) -> Result<(), Failure> {
        output::use_threads(self.threads)?;
        let console = Console::new();
        let path = output::scene_path(&self.scene);
        let mut report = Report { scene: path.clone(), init: None, simulate: None };
        let outcome = self.fill(&path, &mut report, &console);
        console.clear();
        if let Some(init) = &report.init {
            eprintln!("{}", summary(init));
        }
        if report.init.is_some() || report.simulate.is_some() {
            output::write_report(self.report.as_deref(), &report)?;
        }
        if let Some(simulate) = &report.simulate {
            let (steps, seconds) = (simulate.steps, simulate.seconds.total);
            eprintln!("{steps} steps in {seconds:.2} s; drift at most {:.1e} of the diagonal", simulate.drift.max);
        }
        outcome
    }

    /// Does the work; what was done until a failure stands in `report`.
    fn fill(&self, path: &Path, report: &mut Report, watch: &dyn Watch) -> Result<(), Failure> {
        let (scene, mut simulation) = output::load(path, watch)?;
        if let Some(prepared) = &self.prepared {
            let asset = PreparedAsset::read(prepared).map_err(|error| Failure::Input(error.to_string()))?;
            simulation.restore(&asset).map_err(|why| Failure::Input(format!("{}: {why}", prepared.display())))?;
        } else {
            let method = self.init.map_or(scene.initialise.method, Method::from);
            let init = report.init.insert(initialise(&mut simulation, method, watch)?);
            reached(init, scene.initialise.tolerance)?;
        }
        simulation.kick(nalgebra::Vector3::repeat(self.kick / 3.0_f64.sqrt()));
        let mut frames = Frames::new(self.out.as_deref(), self.format)?;
        frames.write(&simulation, 0)?;
        // A whole number of steps that round-off made slightly larger is still that number.
        let steps = self.steps.unwrap_or((self.seconds / scene.simulate.step_size - 1e-6).ceil() as usize);
        let mut recorder = Recorder::new();
        let mut outcome = Ok(());
        for step in 1..=steps {
            watch.progress("simulating", step as f64 / steps as f64);
            match simulation.step(&Quiet(watch)) {
                Ok(stats) => recorder.record(&stats),
                Err(StepError::Cancelled(_)) => outcome = Err(Failure::Interrupted),
                Err(other) => outcome = Err(Failure::Unreached(other.to_string())),
            }
            if outcome.is_ok() && (step as u64).is_multiple_of(self.every) {
                outcome = frames.write(&simulation, step);
            }
            if outcome.is_err() {
                break;
            }
        }
        let cancelled = matches!(outcome, Err(Failure::Interrupted));
        report.simulate = Some(recorder.finish(&simulation, cancelled));
        outcome
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

/// The frames of a run in a folder, and the collection that names them; nowhere without a folder.
struct Frames<'a> {
    folder: Option<&'a Path>,
    extension: &'static str,
    written: Vec<(f64, String)>,
}

impl<'a> Frames<'a> {
    fn new(folder: Option<&'a Path>, format: FrameFormat) -> Result<Self, Failure> {
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
        }
        let extension = match format {
            FrameFormat::Vtu => "vtu",
        };
        Ok(Self { folder, extension, written: Vec::new() })
    }

    fn write(&mut self, simulation: &Simulation, step: usize) -> Result<(), Failure> {
        let Some(folder) = self.folder else { return Ok(()) };
        let file = format!("frame_{step:06}.{}", self.extension);
        output::write_file(&folder.join(&file), &frame(simulation))?;
        self.written.push((simulation.state.time, file));
        output::write_file(&folder.join("frames.pvd"), pvd::to_pvd(&self.written).as_bytes())
    }
}
