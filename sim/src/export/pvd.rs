//! ParaView collections (`.pvd`): the files of a run and the time of each.

use std::fmt::Write;

/// Text of the collection of `frames`: time [s] and file of each.
pub fn to_pvd(frames: &[(f64, String)]) -> String {
    let mut text = String::from("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n");
    for (time, file) in frames {
        // Writing to a string cannot fail.
        let _ = writeln!(text, r#"<DataSet timestep="{time}" file="{file}"/>"#);
    }
    text + "</Collection>\n</VTKFile>\n"
}
