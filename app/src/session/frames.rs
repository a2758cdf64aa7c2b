//! Every frame of the present run, in a file that has no name: the system removes it when the program ends, however it ends.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use aplomb_sim::math::Vec3;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::cache::{Recording, RecordingError, Subject};
use aplomb_sim::step::{StepStats, measure};

/// Largest recording of a session [bytes]: minutes of a body of ordinary size, and no disk full of one of a million nodes.
const LIMIT: u64 = 8_000_000_000;

/// The frames of a run, from its start to its end or to where recording stopped.
#[derive(Debug)]
pub struct Frames {
    folder: PathBuf,
    recording: Option<Recording<File>>,
    /// Whether further steps are added.
    goes_on: bool,
}

impl Default for Frames {
    /// No frame yet; the file is made by the first one, in the system's folder of caches.
    fn default() -> Self {
        Self { folder: cache_folder(), recording: None, goes_on: true }
    }
}

impl Frames {
    /// Those of a recording that was made elsewhere, of `subject`; nothing is added to them.
    ///
    /// # Errors
    /// In words: it cannot be read, or is of something else.
    pub fn open(path: &Path, subject: &Subject) -> Result<Self, String> {
        let told = |error: RecordingError| format!("{} cannot be opened: {error}", path.display());
        let file = File::open(path).map_err(|error| told(error.into()))?;
        let recording = Recording::open(file).map_err(told)?;
        let of = recording.subject();
        if (of.nodes, of.topology) != (subject.nodes, subject.topology) {
            let differs =
                if of.nodes == subject.nodes { "other elements".to_owned() } else { format!("{} nodes, not {}", of.nodes, subject.nodes) };
            return Err(format!("{} is of another scene: it has {differs}; open that scene first", path.display()));
        }
        if recording.frames() == 0 {
            return Err(format!("{} has no whole frame", path.display()));
        }
        Ok(Self { recording: Some(recording), goes_on: false, ..Self::default() })
    }

    /// Statistics of every frame.
    ///
    /// # Errors
    /// One of them cannot be read.
    pub fn stats(&mut self) -> Result<Vec<StepStats>, RecordingError> {
        let Some(recording) = &mut self.recording else { return Ok(Vec::new()) };
        (0..recording.frames()).map(|frame| recording.stats(frame)).collect()
    }

    /// Frames that can be read.
    pub fn count(&self) -> u64 {
        self.recording.as_ref().map_or(0, Recording::frames)
    }

    /// Makes the present state of `simulation` frame 0, if there is none.
    ///
    /// # Errors
    /// As for [`Frames::append`].
    pub fn begin(&mut self, simulation: &Simulation) -> Result<(), RecordingError> {
        if self.count() > 0 {
            return Ok(());
        }
        let state = &simulation.state;
        self.append(&measure::state(&simulation.system, &state.positions, &state.velocities, 0.0, 0.0), simulation)
    }

    /// Adds the present state of `simulation`, unless recording has stopped.
    ///
    /// # Errors
    /// Those of the file system, a full disk and the limit among them; then recording stops, and what there is stays readable.
    pub fn append(&mut self, stats: &StepStats, simulation: &Simulation) -> Result<(), RecordingError> {
        if !self.goes_on {
            return Ok(());
        }
        let added = self.try_append(stats, simulation);
        self.goes_on = added.is_ok();
        added
    }

    fn try_append(&mut self, stats: &StepStats, simulation: &Simulation) -> Result<(), RecordingError> {
        let recording = match self.recording.take() {
            Some(recording) => recording,
            None => Recording::create(nameless_file(&self.folder)?, Subject::of(&simulation.system), LIMIT)?,
        };
        self.recording.insert(recording).append(stats, &simulation.state.positions)
    }

    /// Statistics and positions [m] of a frame.
    ///
    /// # Errors
    /// There is no such frame, or it cannot be read.
    pub fn read(&mut self, frame: u64) -> Result<(StepStats, Vec<Vec3>), RecordingError> {
        let recording = self.recording.as_mut().ok_or(RecordingError::NoSuchFrame { frame, frames: 0 })?;
        let mut positions = Vec::new();
        let stats = recording.read(frame, &mut positions)?;
        Ok((stats, positions))
    }
}

/// A file in `folder` that vanishes when it is closed.
fn nameless_file(folder: &Path) -> std::io::Result<File> {
    static MADE: AtomicU64 = AtomicU64::new(0);
    std::fs::create_dir_all(folder)?;
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("session-{}-{number}.recording", std::process::id()));
    // A leftover of another program with this number, if there is one, is of no use to anybody.
    let _ = std::fs::remove_file(&path);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(windows)]
    {
        const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
        std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, FILE_FLAG_DELETE_ON_CLOSE);
    }
    let file = options.open(&path)?;
    #[cfg(unix)]
    std::fs::remove_file(&path)?;
    Ok(file)
}

/// By the XDG base directory specification, or where Windows keeps such things, or with the temporary files.
fn cache_folder() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache"))).or_else(|| set("LOCALAPPDATA"));
    base.unwrap_or_else(std::env::temp_dir).join("aplomb")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use aplomb_sim::scene_file::{self, gallery};
    use aplomb_sim::watch::Unwatched;

    fn beam() -> Simulation {
        let path = gallery::find("hanging_beam").unwrap().path();
        Simulation::build(&scene_file::load(&path).unwrap(), path.parent().unwrap(), &Unwatched).unwrap()
    }

    #[test]
    fn frames_come_back_and_leave_no_file_behind() {
        let folder = std::env::temp_dir().join(format!("aplomb_frames_{}", std::process::id()));
        let mut simulation = beam();
        let mut frames = Frames { folder: folder.join("deeper"), ..Frames::default() };
        frames.begin(&simulation).unwrap();
        let start = simulation.state.positions.clone();
        simulation.state.positions[7].x += 0.25;
        let stats = StepStats { time: 0.5, ..StepStats::default() };
        frames.append(&stats, &simulation).unwrap();
        frames.begin(&simulation).unwrap();
        assert_eq!(frames.count(), 2, "a run begins once");
        assert_eq!(frames.read(0).unwrap().1, start);
        assert_eq!(frames.read(1).unwrap(), (stats, simulation.state.positions.clone()));
        assert!(matches!(frames.read(2), Err(RecordingError::NoSuchFrame { .. })));
        #[cfg(unix)]
        assert_eq!(std::fs::read_dir(folder.join("deeper")).unwrap().count(), 0, "nobody else sees the file");
        drop(frames);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_told_once() {
        // A file stands where the folder should be.
        let taken = std::env::current_exe().unwrap();
        let simulation = beam();
        let mut frames = Frames { folder: taken.join("cache"), ..Frames::default() };
        assert!(frames.begin(&simulation).is_err());
        assert!(frames.append(&StepStats::default(), &simulation).is_ok(), "it is known already");
        assert_eq!(frames.count(), 0);
        assert!(frames.read(0).is_err());
    }
}
