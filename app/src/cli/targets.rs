//! Where a command writes: looked at before any work is done.

use std::path::{Path, PathBuf};

use aplomb_sim::export::sequence::SequenceFormat;

use super::failure::Failure;
use crate::document::absolute;
use crate::sources::{Sources, is_same};

/// Files that a command will write, and the folder of its frames.
#[derive(Default)]
pub struct Targets {
    files: Vec<PathBuf>,
    frames: Option<(PathBuf, &'static SequenceFormat)>,
}

impl Targets {
    /// These files, where they are given; `-` is standard output.
    ///
    /// # Errors
    /// The folder of one is not there, one is a folder, or two are one file.
    pub fn new<'a>(files: impl IntoIterator<Item = Option<&'a Path>>) -> Result<Self, Failure> {
        Self::with_run(files, None)
    }

    /// The same, and a run into a folder, which is made if it is not there, in a format.
    ///
    /// # Errors
    /// As [`Self::new`]; the folder is a file, or the run may write one of the files.
    pub fn with_run<'a>(
        files: impl IntoIterator<Item = Option<&'a Path>>,
        run: Option<(&Path, &'static SequenceFormat)>,
    ) -> Result<Self, Failure> {
        let files: Vec<PathBuf> = files.into_iter().flatten().filter(|file| *file != Path::new("-")).map(Path::to_path_buf).collect();
        let refuse = |file: &Path, why: String| Err(Failure::Input(format!("{} cannot be written: {why}", file.display())));
        let is_run = |folder: &Path| run.is_some_and(|(run, _)| absolute(run) == absolute(folder));
        for (i, file) in files.iter().enumerate() {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir() && !is_run(folder)) {
                return refuse(file, format!("there is no folder {}; make it first", folder.display()));
            }
            if file.is_dir() {
                return refuse(file, "it is a folder; add the name of a file".to_owned());
            }
            if files[..i].iter().any(|other| is_one(file, other)) {
                return refuse(file, "two of the files to be written are this one; give each a name of its own".to_owned());
            }
        }
        if let Some((folder, format)) = run {
            if folder.exists() && !folder.is_dir() {
                return refuse(folder, "it is a file, and frames need a folder".to_owned());
            }
            let mut written = Sources::default();
            files.iter().for_each(|file| written.add(file));
            if let Some(file) = written.in_run(folder, format) {
                return refuse(file, format!("the frames in {} may have this name; give it another", folder.display()));
            }
        }
        Ok(Self { files, frames: run.map(|(folder, format)| (folder.to_path_buf(), format)) })
    }

    /// Whether all that was read stays as it is.
    ///
    /// # Errors
    /// A target is one of the sources.
    pub fn spare(&self, sources: &Sources) -> Result<(), Failure> {
        self.files.iter().try_for_each(|file| sources.keep_from(file)).map_err(Failure::Input)?;
        let frames = self.frames.as_ref().map_or(Ok(()), |(folder, format)| sources.keep_from_run(folder, format));
        frames.map_err(Failure::Input)
    }
}

/// Whether both would be one file. Some file systems take upper and lower case as the same.
fn is_one(a: &Path, b: &Path) -> bool {
    let name = |path: &Path| {
        let folder = absolute(path).parent().map(Path::to_path_buf).unwrap_or_default();
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
        (folder.canonicalize().unwrap_or(folder), name)
    };
    is_same(a, b) || name(a) == name(b)
}
