//! What the commands share: scenes read, reports and files written whole.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use aplomb_sim::files::write_atomically;
use aplomb_sim::scene::Scene;
use aplomb_sim::scene_file::{self, gallery};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{InitReport, NudgeReport, SimulateReport};
use aplomb_sim::system::build;
use aplomb_sim::watch::Watch;
use serde::Serialize;

use super::failure::Failure;
use super::targets::Targets;
use crate::sources::Sources;

/// The report file: a key for each thing that was done.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The scene file.
    pub scene: PathBuf,
    /// Report of the initialisation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub init: Option<InitReport>,
    /// Report of the simulation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulate: Option<SimulateReport>,
    /// Report of the nudge test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudge: Option<NudgeReport>,
}

/// The file meant by `scene`: itself, or the gallery scene of that name where there is no such file.
pub fn scene_path(scene: &Path) -> PathBuf {
    let named = || scene.to_str().and_then(gallery::find).map(|entry| entry.path());
    if scene.exists() { scene.to_path_buf() } else { named().unwrap_or_else(|| scene.to_path_buf()) }
}

/// Loads a scene and builds its system, unless one of `targets` is a file that is read for it; warnings go to standard error.
pub fn load(path: &Path, targets: &Targets, watch: &dyn Watch) -> Result<(Scene, Simulation), Failure> {
    let scene = scene_file::load(path).map_err(|problems| Failure::problems(&problems))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut sources = Sources::of_scene(&scene, folder);
    sources.add(path);
    targets.spare(&sources)?;
    let built = Simulation::build(&scene, folder, watch);
    if watch.check().is_err() {
        return Err(Failure::Interrupted);
    }
    let simulation = built.map_err(|error| Failure::problems(&scene_file::locate(error.0, path)))?;
    for warning in scene_file::locate(build::warnings(&scene, &simulation.system), path) {
        eprintln!("warning: {warning}");
    }
    Ok((scene, simulation))
}

/// Sets the number of threads for everything that follows.
pub fn use_threads(threads: Option<usize>) -> Result<(), Failure> {
    match threads {
        Some(count) => Ok(rayon::ThreadPoolBuilder::new().num_threads(count).build_global().context("threads cannot be started")?),
        None => Ok(()),
    }
}

/// Writes the report to a file, or to standard output where `target` is `-`.
pub fn write_report(target: Option<&Path>, report: &Report) -> Result<(), Failure> {
    write_json(target, report)
}

/// Writes anything as JSON to a file, or to standard output where `target` is `-`.
pub fn write_json(target: Option<&Path>, report: &impl Serialize) -> Result<(), Failure> {
    let Some(target) = target else { return Ok(()) };
    let text = format!("{}\n", serde_json::to_string_pretty(report).context("the report cannot be written")?);
    if target == Path::new("-") {
        return print(&text);
    }
    write_file(target, text.as_bytes())
}

/// Data for standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    Ok(std::io::stdout().write_all(text.as_bytes()).context("standard output cannot be written")?)
}

/// Writes a file whole or not at all.
pub fn write_file(target: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Ok(write_atomically(target, bytes).with_context(|| format!("{} cannot be written", target.display()))?)
}
