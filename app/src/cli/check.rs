//! `aplomb check`: is the scene in order?

use std::path::PathBuf;

use clap::Args;

use super::console::Console;
use super::failure::Failure;
use super::output;
use super::targets::Targets;

/// Check a scene and its meshes; problems as `file:line:col: path: what, and what to do`.
#[derive(Debug, Args)]
pub struct Check {
    /// Scene: a file or a name of the gallery.
    scene: PathBuf,
}

impl Check {
    /// Exit status 0 where nothing is wrong, 1 with every problem otherwise.
    pub fn run(&self) -> Result<(), Failure> {
        let console = Console::new();
        let path = output::scene_path(&self.scene);
        let loaded = output::load(&path, &Targets::default(), &console);
        console.clear();
        let (scene, simulation) = loaded?;
        let elements: usize = simulation.system.families.iter().map(|family| family.len()).sum();
        let (bodies, obstacles) = (scene.bodies.len(), scene.obstacles.len());
        eprintln!("{}: in order ({bodies} bodies, {elements} elements, {obstacles} obstacles)", path.display());
        Ok(())
    }
}
