//! `aplomb gallery`: the scenes that come along.

use aplomb_sim::scene_file::gallery::GALLERY;
use clap::Args;

use super::failure::Failure;
use super::output;

/// List the gallery's scenes, one line each; every command takes their names.
#[derive(Debug, Args)]
pub struct Gallery {}

impl Gallery {
    /// Prints the list.
    pub fn run(&self) -> Result<(), Failure> {
        let lines = GALLERY.iter().map(|entry| format!("{:18} {}\n", entry.name, entry.description()));
        output::print(&lines.collect::<String>())
    }
}
