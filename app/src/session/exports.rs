//! Bodies and runs to files, on the worker's thread.

use std::path::{Path, PathBuf};

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
    /// Writes every recorded frame: numbered files beside `path`, and for VTU the collection that names them.
    ///
    /// # Errors
    /// In words; files that were written stay.
    pub(super) fn write_run(&mut self, path: &Path, watch: &dyn Watch) -> Result<Vec<PathBuf>, String> {
        let format = export::format_of(path).map_err(|error| error.to_string())?;
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let system = &self.simulation.system;
        let mut meshes = scene::scene_meshes(system, &system.positions);
        let (mut written, mut times) = (Vec::new(), Vec::new());
        let count = self.frames.count();
        for frame in 0..count {
            watch.check().map_err(|cancelled| cancelled.to_string())?;
            watch.progress("writing frames", frame as f64 / count as f64);
            let (stats, positions) = self.frames.read(frame).map_err(|error| error.to_string())?;
            scene::follow(system, &positions, &mut meshes);
            let name = format!("{stem}_{frame:05}.{}", format.extension);
            let file = path.with_file_name(&name);
            format.write(&meshes, &file).map_err(|error| error.to_string())?;
            times.push((stats.time, name));
            written.push(file);
        }
        if format.extension == "vtu" {
            let collection = path.with_extension("pvd");
            let text = export::pvd::to_pvd(&times);
            export::write_atomically(&collection, text.as_bytes())
                .map_err(|error| format!("{} cannot be written: {error}", collection.display()))?;
            written.insert(0, collection);
        }
        Ok(written)
    }
}
