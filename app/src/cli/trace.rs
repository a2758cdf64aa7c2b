//! What a run leaves on disk while it goes on, whole at any moment: frames, recording, table, report.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use aplomb_sim::export::sequence::{FrameWriter, Moment, SEQUENCES, SequenceFormat};
use aplomb_sim::export::{ExportError, ExportMesh, follow_state, scene_meshes, surfaces_of_points};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::cache::{Recording, RecordingError, Subject};
use aplomb_sim::stats::report::{FramesReport, RecordingReport};
use aplomb_sim::stats::table;
use aplomb_sim::step::{StepStats, measure};
use aplomb_sim::watch::Unwatched;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::failure::Failure;
use super::output::{self, Report};
use super::surface::SurfaceArguments;
use super::targets::Targets;

/// What to write, and where.
#[derive(Debug, Args)]
pub struct TraceArguments {
    /// Write the report (JSON) to this file, again every second or so while the run goes on; `-` is standard output, at the end.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Write frames into this folder; those of an earlier run in the same format are removed from it.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Format of the frames.
    #[arg(long, default_value = "vtu", value_parser = sequences())]
    format: &'static str,
    #[command(flatten)]
    surface: SurfaceArguments,
    /// A frame every so many steps.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Record the start and every step into this file; it is readable whenever the run ends.
    #[arg(long)]
    record: Option<PathBuf>,
    /// Largest size of the recording [GB]; the run goes on without it.
    #[arg(long, default_value_t = 64.0, value_parser = super::simulate::non_negative)]
    record_limit: f64,
    /// Write each step's statistics as a line of comma-separated values into this file.
    #[arg(long)]
    csv: Option<PathBuf>,
}

/// The formats by their names.
fn sequences() -> impl TypedValueParser<Value = &'static str> {
    let values = SEQUENCES.iter().map(|format| PossibleValue::new(format.name).help(format.doc));
    PossibleValuesParser::new(values).try_map(|name| sequence(&name).map(|format| format.name).ok_or("no such format"))
}

fn sequence(name: &str) -> Option<&'static SequenceFormat> {
    SEQUENCES.iter().find(|format| format.name == name)
}

impl TraceArguments {
    /// All files that are to be written.
    pub fn targets(&self) -> Result<Targets, Failure> {
        let files = [&self.report, &self.record, &self.csv].map(|file| file.as_deref());
        if let Some(format) = sequence(self.format).filter(|format| self.surface.resolution().is_some() && !format.changing) {
            let others: Vec<&str> = SEQUENCES.iter().filter(|format| format.changing).map(|format| format.name).collect();
            let (name, others) = (format.name, others.join(", "));
            return Err(Failure::Input(format!(
                "--surface is for frames whose triangles may change, and those of `{name}` may not: choose --format {others}"
            )));
        }
        Targets::with_run(files, self.out.as_deref().zip(sequence(self.format)))
    }

    /// Makes the folder, and begins the frames of a run of so many steps in it.
    fn begin_frames(&self, simulation: &Simulation, steps: u64) -> Result<Option<Frames>, Failure> {
        let (Some(folder), Some(format)) = (&self.out, sequence(self.format)) else { return Ok(None) };
        std::fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
        let earlier = format.clear(folder)?;
        if earlier > 0 {
            eprintln!("{}: {earlier} {} frames of an earlier run were removed", folder.display(), format.name);
        }
        let system = &simulation.system;
        let meshes = scene_meshes(system, &system.positions);
        let seen = self.surface.of(&meshes, &Unwatched)?;
        let begun = seen.as_deref().unwrap_or(&meshes);
        let interval = system.simulate.step_size * self.every as f64;
        if let Some(warning) = (format.warning)(begun, steps / self.every + 1) {
            eprintln!("warning: {warning}");
        }
        Ok(Some(Frames { writer: (format.begin)(folder, begun, interval)?, meshes, resolution: self.surface.resolution() }))
    }

    /// Writes the report of a run that is over.
    pub fn write_report(&self, report: &Report) -> Result<(), Failure> {
        output::write_report(self.report.as_deref(), report)
    }
}

/// The files of a run that goes on.
pub struct Trace<'a> {
    arguments: &'a TraceArguments,
    frames: Option<Frames>,
    framed: Option<FramesReport>,
    recording: Option<Recording<File>>,
    recorded: Option<RecordingReport>,
    table: Option<File>,
    /// When the report was last written, and how long it may stay.
    written: Option<(Instant, Duration)>,
}

/// Where the frames go, and the bodies as they are there.
struct Frames {
    writer: Box<dyn FrameWriter>,
    meshes: Vec<ExportMesh>,
    /// Where points are written as the surfaces around them, how fine these are.
    resolution: Option<f64>,
}

/// Least time between two writings of the report.
const PAUSE: Duration = Duration::from_secs(1);
/// The report grows with the run; this is the time between two writings over the time that one takes.
const PATIENCE: u32 = 50;

impl<'a> Trace<'a> {
    /// Makes the files of a run of so many steps, with the start of `simulation` in them.
    pub fn begin(arguments: &'a TraceArguments, simulation: &mut Simulation, steps: u64) -> Result<Self, Failure> {
        let create = |path: &PathBuf| File::create(path).with_context(|| format!("{} cannot be written", path.display()));
        let frames = arguments.begin_frames(simulation, steps)?;
        let mut table = arguments.csv.as_ref().map(create).transpose()?;
        if let Some(table) = &mut table {
            write_line(table, &table::csv_head()).context("the table cannot be written")?;
        }
        let mut trace = Self {
            arguments,
            frames,
            framed: arguments.out.as_ref().map(|folder| FramesReport {
                folder: folder.clone(),
                format: arguments.format.to_owned(),
                written: 0,
                stopped: None,
            }),
            recording: None,
            recorded: arguments.record.as_ref().map(|file| RecordingReport { file: file.clone(), frames: 0, stopped: None }),
            table,
            written: None,
        };
        if let Some(path) = &arguments.record {
            let limit = (1e9 * arguments.record_limit) as u64;
            match Recording::create(create(path)?, Subject::of(&simulation.system), limit) {
                Ok(recording) => trace.recording = Some(recording),
                Err(error) => trace.stop_recording(&error),
            }
        }
        let start = StepStats {
            min_gap: f64::INFINITY,
            min_effective_gap: f64::INFINITY,
            ..measure::state(&simulation.system, &simulation.state.positions, &simulation.state.velocities, 0.0, 0.0)
        };
        trace.record(&start, simulation);
        trace.write_frame(simulation, 0)?;
        Ok(trace)
    }

    /// Takes in a step.
    pub fn step(&mut self, stats: &StepStats, simulation: &mut Simulation, step: u64) -> Result<(), Failure> {
        self.record(stats, simulation);
        if let Some(table) = &mut self.table {
            write_line(table, &table::csv_line(stats)).context("the table cannot be written")?;
        }
        if step.is_multiple_of(self.arguments.every)
            && let Err(error) = self.write_frame(simulation, step)
        {
            self.stop_frames(&error);
        }
        Ok(())
    }

    /// Whether the report on disk is old. Standard output is for the end of the run.
    pub fn is_report_due(&self) -> bool {
        self.report_file().is_some() && self.written.is_none_or(|(at, pause)| at.elapsed() >= pause)
    }

    /// Writes the report of the run so far.
    pub fn write_report(&mut self, report: &Report) -> Result<(), Failure> {
        let started = Instant::now();
        output::write_report(self.report_file(), report)?;
        self.written = Some((Instant::now(), PAUSE.max(PATIENCE * started.elapsed())));
        Ok(())
    }

    fn report_file(&self) -> Option<&Path> {
        self.arguments.report.as_deref().filter(|target| *target != Path::new("-"))
    }

    /// What became of the recording, if there was to be one.
    pub fn recorded(&self) -> Option<RecordingReport> {
        self.recorded.clone()
    }

    /// What became of the frames, if there were to be some.
    pub fn framed(&self) -> Option<FramesReport> {
        self.framed.clone()
    }

    fn record(&mut self, stats: &StepStats, simulation: &mut Simulation) {
        let Some(recording) = &mut self.recording else { return };
        match recording.append(stats, &simulation.state.positions) {
            Ok(()) => {
                let frames = recording.frames();
                self.recorded.iter_mut().for_each(|recorded| recorded.frames = frames);
            }
            Err(error) => self.stop_recording(&error),
        }
    }

    /// A run is worth more than its recording: it goes on without.
    fn stop_recording(&mut self, error: &RecordingError) {
        self.recording = None;
        if let Some(recorded) = &mut self.recorded {
            eprintln!("warning: recording into {} stopped: {error}. The run goes on.", recorded.file.display());
            recorded.stopped = Some(error.to_string());
        }
    }

    fn write_frame(&mut self, simulation: &mut Simulation, step: u64) -> Result<(), ExportError> {
        let Some(Frames { writer, meshes, resolution }) = &mut self.frames else { return Ok(()) };
        let residual = simulation.residual_field();
        follow_state(&simulation.system, &simulation.state, &residual, meshes);
        let moment = Moment { step, time: simulation.state.time };
        match resolution {
            Some(resolution) => writer.frame(moment, &surfaces_of_points(meshes, *resolution, &Unwatched)?)?,
            None => writer.frame(moment, meshes)?,
        }
        self.framed.iter_mut().for_each(|framed| framed.written += 1);
        Ok(())
    }

    /// A run is worth more than its frames too.
    fn stop_frames(&mut self, error: &ExportError) {
        self.frames = None;
        if let Some(framed) = &mut self.framed {
            eprintln!("warning: writing frames into {} stopped: {error}. The run goes on.", framed.folder.display());
            framed.stopped = Some(error.to_string());
        }
    }

    /// Writes what can only be written in the end, however the run ended.
    pub fn finish(&mut self) {
        if let Some(Err(error)) = self.frames.as_mut().map(|frames| frames.writer.finish()) {
            self.stop_frames(&error);
        }
    }
}

/// One write a line, so that a run that is killed leaves whole ones.
fn write_line(table: &mut File, line: &str) -> std::io::Result<()> {
    table.write_all(format!("{line}\n").as_bytes())
}
