//! Results to disk: one file a format.

pub mod atomic;
pub mod medit;
pub mod prepared;
pub mod pvd;
pub mod vtu;

use std::io;
use std::path::Path;

pub use atomic::write_atomically;
pub use prepared::PreparedAsset;

/// A format that prepared assets are written in.
pub struct Format {
    /// Name, for people.
    pub name: &'static str,
    /// Extension, lower case, without the dot.
    pub extension: &'static str,
    /// Writes an asset to a path.
    pub write: fn(asset: &PreparedAsset, path: &Path) -> io::Result<()>,
}

/// Every format that prepared assets are written in.
pub const FORMATS: &[Format] = &[Format { name: "VTK unstructured grid", extension: "vtu", write: PreparedAsset::write }];
