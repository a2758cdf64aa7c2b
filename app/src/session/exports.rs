//! Bodies and runs to files, on the worker's thread.

use std::path::{Path, PathBuf};

use aplomb_sim::export::sequence::{Moment, SEQUENCES};
use aplomb_sim::export::{self, scene};
use aplomb_sim::watch::Watch;

use super::worker::Loaded;

impl Loaded {
    /// Writes the bodies as they are on screen.
    ///
    /// # Errors
    /// In words.
    pub(super) fn write_bodies(&mut self, path: &Path) -> Result<(), String> {
        let format = export::format_of(path).map_err(|error| error.to_string())?;
        let mut meshes = scene::scene_meshes(&self.simulation.system, &self.simulation.state.positions);
        if self.shown == self.steps {
            scene::follow_state(&mut self.simulation, &mut meshes);
        } else {
            let (_, positions) = self.frames.read(self.shown).map_err(|error| error.to_string())?;
            scene::follow(&self.simulation.system, &positions, &mut meshes);
        }
        format.write(&meshes, path).map_err(|error| error.to_string())
    }
}

impl Loaded {
    /// Writes every recorded frame into `folder`, which is made if it is not there, in the sequence format of this name; frames of
    /// an earlier run in that format are removed first.
    ///
    /// # Errors
    /// In words; frames that were written stay.
    pub(super) fn write_run(&mut self, folder: &Path, format: &str, watch: &dyn Watch) -> Result<Vec<PathBuf>, String> {
        let known = || SEQUENCES.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
        let format = SEQUENCES.iter().find(|known| known.name == format).ok_or_else(|| format!("choose one of: {}", known()))?;
        std::fs::create_dir_all(folder).map_err(|error| format!("the folder {} cannot be made: {error}", folder.display()))?;
        format.clear(folder).map_err(|error| error.to_string())?;
        let system = &self.simulation.system;
        let mut meshes = scene::scene_meshes(system, &system.positions);
        let mut writer = (format.begin)(folder, &meshes, system.simulate.step_size).map_err(|error| error.to_string())?;
        let count = self.frames.count();
        for step in 0..count {
            watch.check().map_err(|cancelled| cancelled.to_string())?;
            watch.progress("writing frames", step as f64 / count as f64);
            let (stats, positions) = self.frames.read(step).map_err(|error| error.to_string())?;
            scene::follow(system, &positions, &mut meshes);
            writer.frame(Moment { step, time: stats.time }, &meshes).map_err(|error| error.to_string())?;
        }
        writer.finish().map_err(|error| error.to_string())?;
        Ok(vec![folder.to_path_buf()])
    }
}
