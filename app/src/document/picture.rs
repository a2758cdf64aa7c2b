//! Pictures that are asked for: how large, of what, and the names of their files.

use std::path::{Path, PathBuf};

/// Largest side of a picture [pixels].
pub const LARGEST: u32 = 8192;
/// Most pictures of a turntable.
pub const MOST_TURNS: u32 = 3600;

/// What pictures are taken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureKind {
    /// What is on screen.
    Still,
    /// Every frame of the recording.
    Run,
    /// The bodies from all around.
    Turntable,
}

/// How large pictures are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureSize {
    /// So many times as the view is.
    View(u32),
    /// Width and height [pixels].
    Pixels(u32, u32),
}

/// How pictures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureOptions {
    /// How large.
    pub size: PictureSize,
    /// Without backdrop and ground.
    pub transparent: bool,
    /// With the legend of the colours, if there is one.
    pub legend: bool,
    /// Pictures of one turn.
    pub turns: u32,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { size: PictureSize::View(2), transparent: false, legend: true, turns: 72 }
    }
}

/// Pictures, and where they go.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureRequest {
    /// Of what.
    pub kind: PictureKind,
    /// The file of one picture, or the folder of many.
    pub path: PathBuf,
    /// How they are drawn.
    pub options: PictureOptions,
}

impl PictureOptions {
    /// Width and height [pixels] where the view on screen has `view`: at most the largest, whatever is asked for.
    pub fn pixels(&self, view: (u32, u32)) -> (u32, u32) {
        let (width, height) = match self.size {
            PictureSize::View(factor) => (view.0.saturating_mul(factor), view.1.saturating_mul(factor)),
            PictureSize::Pixels(width, height) => (width, height),
        };
        // Both sides shrink alike.
        let too_large = f64::from(width.max(height).max(1)) / f64::from(LARGEST);
        let fit = |side: u32| if too_large > 1.0 { (f64::from(side) / too_large).round() as u32 } else { side };
        (fit(width).max(1), fit(height).max(1))
    }
}

impl PictureRequest {
    /// The files that are written, of a recording whose last frame has the number `last`.
    pub fn files(&self, last: u64) -> Vec<PathBuf> {
        let numbered = |count: u64| (0..count).map(|number| self.path.join(numbered(&self.path, number))).collect();
        match self.kind {
            PictureKind::Still if self.path.extension().is_none() => vec![self.path.with_extension("png")],
            PictureKind::Still => vec![self.path.clone()],
            PictureKind::Run => numbered(last + 1),
            PictureKind::Turntable => numbered(self.options.turns.into()),
        }
    }
}

/// Name of a picture in a folder: that of the folder and a number, in order whichever way they are sorted.
fn numbered(folder: &Path, number: u64) -> String {
    let stem = folder.file_name().map_or_else(|| "picture".to_owned(), |name| name.to_string_lossy().into_owned());
    format!("{stem}_{number:05}.png")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_as_large_as_asked_and_no_larger_than_can_be_drawn() {
        let of = |size| PictureOptions { size, ..PictureOptions::default() }.pixels((760, 500));
        assert_eq!(of(PictureSize::View(4)), (3040, 2000));
        assert_eq!(of(PictureSize::Pixels(1920, 1080)), (1920, 1080));
        assert_eq!(of(PictureSize::Pixels(16384, 8192)), (8192, 4096), "the shape stays");
        assert_eq!(of(PictureSize::Pixels(0, 0)), (1, 1));
    }

    #[test]
    fn files_are_numbered_in_order() {
        let of = |kind, path: &str| PictureRequest {
            kind,
            path: path.into(),
            options: PictureOptions { turns: 3, ..PictureOptions::default() },
        };
        assert_eq!(of(PictureKind::Still, "a/creature").files(9), [PathBuf::from("a/creature.png")]);
        assert_eq!(of(PictureKind::Still, "a/b.PNG").files(9), [PathBuf::from("a/b.PNG")]);
        let run = of(PictureKind::Run, "a/run").files(100);
        assert_eq!((run.len(), run[7].clone()), (101, PathBuf::from("a/run/run_00007.png")));
        assert!(run.is_sorted());
        assert_eq!(of(PictureKind::Turntable, "a/turn").files(0).len(), 3);
    }
}
