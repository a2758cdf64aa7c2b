//! `aplomb schema`: what a scene file may hold.

use clap::Args;

use super::failure::Failure;
use super::output;

/// Print the JSON Schema of the scene file.
#[derive(Debug, Args)]
pub struct Schema {}

impl Schema {
    /// Prints it.
    pub fn run(&self) -> Result<(), Failure> {
        output::print(&aplomb_sim::scene_file::schema())
    }
}
