//! Bodies and runs to files, on the worker's thread.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use aplomb_sim::export::sequence::{FrameWriter, Moment, SEQUENCES, SequenceFormat};
use aplomb_sim::export::{self, ExportMesh, follow_recorded, follow_state, scene_meshes, surfaces_of_points};
use aplomb_sim::system::System;
use aplomb_sim::watch::{Span, Watch};

use super::frames::Frames;
use super::worker::Loaded;

impl Loaded {
    /// Writes the bodies as they are on screen; those of points as surfaces of this resolution, where it is given.
    ///
    /// # Errors
    /// In words.
    pub(super) fn write_bodies(&mut self, path: &Path, surface: Option<f64>, watch: &dyn Watch) -> Result<(), String> {
        let format = export::format_of(path).map_err(|error| error.to_string())?;
        let mut meshes = scene_meshes(&self.simulation.system, &self.simulation.state.positions);
        if self.shown >= self.recorded() {
            let residual = self.simulation.residual_field();
            follow_state(&self.simulation.system, &self.simulation.state, &residual, &mut meshes);
        } else {
            let (_, positions) = self.frames.read(self.shown).map_err(|error| error.to_string())?;
            follow_recorded(&self.simulation.system, &positions, &mut meshes);
        }
        format.write(&seen(&meshes, surface, watch)?, path).map_err(|error| error.to_string())
    }

    /// Writes every recorded frame into `folder`, which is made if it is not there, in the sequence format of this name; frames of
    /// an earlier run in that format are removed first. `surface`: as in [`Self::write_bodies`].
    ///
    /// # Errors
    /// In words; frames that were written stay, and can be read.
    pub(super) fn write_run(
        &mut self,
        (folder, format): (&Path, &str),
        surface: Option<f64>,
        watch: &dyn Watch,
    ) -> Result<Vec<PathBuf>, String> {
        let known = || SEQUENCES.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
        let format = SEQUENCES.iter().find(|known| known.name == format).ok_or_else(|| format!("choose one of: {}", known()))?;
        std::fs::create_dir_all(folder).map_err(|error| format!("the folder {} cannot be made: {error}", folder.display()))?;
        format.clear(folder).map_err(|error| error.to_string())?;
        write_run((&self.simulation.system, &mut self.frames), (folder, format), surface, watch)?;
        Ok(vec![folder.to_path_buf()])
    }
}

/// Bodies as they are written: those of points as surfaces of this resolution, where it is given.
fn seen<'a>(meshes: &'a [ExportMesh], surface: Option<f64>, watch: &dyn Watch) -> Result<Cow<'a, [ExportMesh]>, String> {
    let around = |resolution| surfaces_of_points(meshes, resolution, watch).map(Cow::Owned).map_err(|error| error.to_string());
    surface.map_or(Ok(Cow::Borrowed(meshes)), around)
}

/// A run, by its system.
type Run<'a> = (&'a System, &'a mut Frames);

fn write_run(run: Run<'_>, (folder, format): (&Path, &SequenceFormat), surface: Option<f64>, watch: &dyn Watch) -> Result<(), String> {
    let system = run.0;
    let mut meshes = scene_meshes(system, &system.positions);
    let begun = seen(&meshes, surface, watch)?;
    let mut writer = (format.begin)(folder, &begun, system.simulate.step_size).map_err(|error| error.to_string())?;
    drop(begun);
    let written = write_frames(run, &mut *writer, &mut meshes, surface, watch);
    // Given up or not, what was written is to be whole.
    let finished = writer.finish().map_err(|error| error.to_string());
    written.and(finished)
}

fn write_frames(
    (system, frames): Run<'_>,
    writer: &mut dyn FrameWriter,
    meshes: &mut [ExportMesh],
    surface: Option<f64>,
    watch: &dyn Watch,
) -> Result<(), String> {
    let count = frames.count();
    for step in 0..count {
        watch.check().map_err(|cancelled| cancelled.to_string())?;
        watch.progress("writing frames", step as f64 / count as f64);
        let (stats, positions) = frames.read(step).map_err(|error| error.to_string())?;
        follow_recorded(system, &positions, meshes);
        let stretch = Span { watch, from: step as f64 / count as f64, to: (step + 1) as f64 / count as f64 };
        let seen = seen(meshes, surface, &stretch)?;
        writer.frame(Moment { step, time: stats.time }, &seen).map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use aplomb_sim::import;
    use aplomb_sim::scene_file::{self, gallery};
    use aplomb_sim::simulation::Simulation;
    use aplomb_sim::step::StepStats;
    use aplomb_sim::watch::{Cancelled, Unwatched};
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Gives up after so many checks.
    struct Patience(AtomicU32);

    impl Watch for Patience {
        fn progress(&self, _: &str, _: f64) {}
        fn check(&self) -> Result<(), Cancelled> {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).map(|_| ()).map_err(|_| Cancelled)
        }
    }

    #[test]
    fn a_run_that_is_given_up_leaves_whole_files_with_what_its_frames_tell() {
        let path = gallery::find("hanging_beam").unwrap().path();
        let mut simulation = Simulation::build(&scene_file::load(&path).unwrap(), path.parent().unwrap(), &Unwatched).unwrap();
        let mut frames = Frames::default();
        frames.begin(&simulation).unwrap();
        for step in 1..4 {
            simulation.state.positions[7].x += 0.25;
            frames.append(&StepStats { time: f64::from(step), ..StepStats::default() }, &simulation).unwrap();
        }
        let folder = std::env::temp_dir().join(format!("aplomb_run_{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut write = |name: &str, patience: &dyn Watch| {
            let format = SEQUENCES.iter().find(|format| format.name == name).unwrap();
            write_run((&simulation.system, &mut frames), (&folder, format), None, patience)
        };
        for (format, file) in [("gltf", "frames.glb"), ("vtu", "frame_000001.vtu")] {
            assert!(write(format, &Patience(2.into())).is_err(), "{format}");
            let file = import::read(&folder.join(file), &Unwatched).unwrap();
            assert!(!file.positions.is_empty(), "{format}");
        }
        assert!(!folder.join("frame_000002.vtu").exists());
        write("vtu", &Unwatched).unwrap();
        let last = std::fs::read(folder.join("frame_000003.vtu")).unwrap();
        let has = |name: &str| last.windows(name.len()).any(|bytes| bytes == name.as_bytes());
        assert!(has("displacement [m]") && has("<CellData"), "positions tell these");
        assert!(!has("velocity"), "recordings do not hold it");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
