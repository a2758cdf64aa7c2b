//! ParaView collections (`.pvd`): the files of a run and the time of each. [`HEAD`], an [`entry`] a file, [`TAIL`].

/// Before the entries.
pub const HEAD: &str = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
/// After them.
pub const TAIL: &str = "</Collection>\n</VTKFile>\n";

/// The entry of a file at `time` [s].
pub fn entry(time: f64, file: &str) -> String {
    format!("<DataSet timestep=\"{time}\" file=\"{file}\"/>\n")
}
