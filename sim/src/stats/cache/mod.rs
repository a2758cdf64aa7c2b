//! [`Recording`]: every frame of a run on disk, written as the run goes on and read in any order.
//!
//! Nothing but one frame is ever in memory. A program that is killed at any moment leaves the frames that it had finished; a
//! torn one at the end is left out when the file is read.

pub mod format;
#[cfg(test)]
mod tests;

use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

use crate::math::Vec3;
use crate::step::StepStats;

use self::format::Layout;
pub use format::Subject;

/// Why a recording could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The disk has no room for another frame.
    #[error("the disk is full after {frames} frames; make room and record again")]
    DiskFull {
        /// Frames that are recorded.
        frames: u64,
    },
    /// Another frame would be more than was allowed.
    #[error("the limit of {} is reached after {frames} frames; allow more, or record fewer steps", size(*.limit))]
    Limit {
        /// Frames that are recorded.
        frames: u64,
        /// Largest length [bytes].
        limit: u64,
    },
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("this is no recording that can be read: {0}")]
    Foreign(String),
    /// There is no such frame.
    #[error("there is no frame {frame}: {frames} are recorded")]
    NoSuchFrame {
        /// The frame asked for.
        frame: u64,
        /// Frames that are recorded.
        frames: u64,
    },
    /// A frame was changed after it was written.
    #[error("frame {frame} is damaged; the others can be read")]
    Damaged {
        /// The frame.
        frame: u64,
    },
    /// The frame is not of the system that is recorded.
    #[error("{given} positions do not fit a recording of {nodes} nodes")]
    WrongLength {
        /// Positions given.
        given: usize,
        /// Nodes of a frame.
        nodes: u64,
    },
}

fn size(bytes: u64) -> String {
    if bytes >= 1_000_000_000 { format!("{:.1} GB", bytes as f64 / 1e9) } else { format!("{:.1} MB", bytes as f64 / 1e6) }
}

/// Frames in a file; the first is frame 0.
#[derive(Debug)]
pub struct Recording<F> {
    file: F,
    layout: Layout,
    frames: u64,
    /// Largest length [bytes].
    limit: u64,
    /// One record, kept so that its memory is used again.
    record: Vec<u8>,
}

impl<F> Recording<F> {
    /// What it is of.
    pub fn subject(&self) -> &Subject {
        &self.layout.subject
    }

    /// Frames recorded.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Bytes of a record; a layout without one is refused before there is a recording with it.
    fn record_length(&self) -> u64 {
        self.layout.record_length().unwrap_or(u64::MAX)
    }
}

impl<F: Write + Seek> Recording<F> {
    /// Begins a recording at the start of `file`, which is empty, and never longer than `limit` [bytes].
    ///
    /// # Errors
    /// Those of the file system; [`RecordingError::Limit`] where not even a first frame would fit.
    pub fn create(mut file: F, subject: Subject, limit: u64) -> Result<Self, RecordingError> {
        let layout = Layout::of(subject);
        if layout.record_length().is_none() || layout.start_of(1) > limit {
            return Err(RecordingError::Limit { frames: 0, limit });
        }
        let head = layout.head();
        file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(&head)).map_err(|error| failed(error, 0))?;
        Ok(Self { file, layout, frames: 0, limit, record: Vec::new() })
    }

    /// Adds a frame. On error the frames before it stay readable, and the next frame takes its place.
    ///
    /// # Errors
    /// [`RecordingError::Limit`], [`RecordingError::DiskFull`], [`RecordingError::WrongLength`], and those of the file system.
    pub fn append(&mut self, stats: &StepStats, positions: &[Vec3]) -> Result<(), RecordingError> {
        if positions.len() as u64 != self.layout.subject.nodes {
            return Err(RecordingError::WrongLength { given: positions.len(), nodes: self.layout.subject.nodes });
        }
        if self.layout.start_of(self.frames + 1) > self.limit {
            return Err(RecordingError::Limit { frames: self.frames, limit: self.limit });
        }
        self.layout.encode(self.frames, stats, positions, &mut self.record);
        let start = self.layout.start_of(self.frames);
        let written = self.file.seek(SeekFrom::Start(start)).and_then(|_| self.file.write_all(&self.record));
        written.map_err(|error| failed(error, self.frames))?;
        self.frames += 1;
        Ok(())
    }
}

impl<F: Read + Seek> Recording<F> {
    /// Opens a recording for reading: its frames up to the last whole one.
    ///
    /// # Errors
    /// [`RecordingError::Foreign`], and those of the file system.
    pub fn open(mut file: F) -> Result<Self, RecordingError> {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let layout = Layout::read(&mut file)?;
        let mut recording = Self { file, layout, frames: 0, limit: length, record: Vec::new() };
        recording.frames = length.saturating_sub(recording.layout.start_of(0)) / recording.record_length();
        while let Some(last) = recording.frames.checked_sub(1) {
            match recording.load(last) {
                Err(RecordingError::Damaged { .. }) => recording.frames = last,
                Err(other) => return Err(other),
                Ok(()) => break,
            }
        }
        Ok(recording)
    }

    /// Statistics of a frame; its positions [m] go into `positions`, in place of what was there.
    ///
    /// # Errors
    /// [`RecordingError::NoSuchFrame`], [`RecordingError::Damaged`], and those of the file system.
    pub fn read(&mut self, frame: u64, positions: &mut Vec<Vec3>) -> Result<StepStats, RecordingError> {
        if frame >= self.frames {
            return Err(RecordingError::NoSuchFrame { frame, frames: self.frames });
        }
        self.load(frame)?;
        Ok(self.layout.decode(&self.record, positions))
    }

    /// Statistics of a frame alone, without a look at its positions: neither are they read, nor is the record checked as a whole.
    ///
    /// # Errors
    /// As for [`Recording::read`].
    pub fn stats(&mut self, frame: u64) -> Result<StepStats, RecordingError> {
        if frame >= self.frames {
            return Err(RecordingError::NoSuchFrame { frame, frames: self.frames });
        }
        self.record.clear();
        self.record.resize(self.layout.before_positions(), 0);
        self.file.seek(SeekFrom::Start(self.layout.start_of(frame)))?;
        self.file.read_exact(&mut self.record)?;
        match self.layout.is_begun(frame, &self.record) {
            true => Ok(self.layout.decode(&self.record, &mut Vec::new())),
            false => Err(RecordingError::Damaged { frame }),
        }
    }

    /// Loads the record of a frame that lies within the file, and checks it.
    fn load(&mut self, frame: u64) -> Result<(), RecordingError> {
        let length = usize::try_from(self.record_length()).map_err(|_| ErrorKind::OutOfMemory).map_err(io::Error::from)?;
        self.record.clear();
        self.record.try_reserve_exact(length).map_err(|_| io::Error::from(ErrorKind::OutOfMemory))?;
        self.record.resize(length, 0);
        self.file.seek(SeekFrom::Start(self.layout.start_of(frame)))?;
        self.file.read_exact(&mut self.record)?;
        if self.layout.is_whole(frame, &self.record) { Ok(()) } else { Err(RecordingError::Damaged { frame }) }
    }
}

/// A failed write, in words that say what to do about it.
fn failed(error: io::Error, frames: u64) -> RecordingError {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge | ErrorKind::WriteZero => {
            RecordingError::DiskFull { frames }
        }
        _ => error.into(),
    }
}
