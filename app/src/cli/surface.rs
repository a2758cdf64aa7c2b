//! `--surface`: bodies of points as the surfaces around them.

use aplomb_sim::export::{ExportMesh, surfaces_of_points};
use aplomb_sim::reconstruction::Reconstruction;
use aplomb_sim::watch::Watch;
use clap::Args;

use super::failure::Failure;

/// How bodies of points are shown and written.
#[derive(Debug, Clone, Copy, Args)]
pub struct SurfaceArguments {
    /// The surface around the points of a body, in place of these.
    #[arg(long)]
    surface: bool,
    /// Cubes along the spacing of points, on which that surface is sought: more show finer drops, and take longer.
    #[arg(long, value_name = "CUBES", default_value_t = Reconstruction::USUAL, requires = "surface", value_parser = resolution)]
    surface_resolution: f64,
}

fn resolution(text: &str) -> Result<f64, String> {
    let (least, most) = (Reconstruction::LEAST, Reconstruction::MOST);
    let known = text.parse().ok().filter(|value| (least..=most).contains(value));
    known.ok_or_else(|| format!("give a number from {least} to {most}"))
}

impl SurfaceArguments {
    /// The resolution, where surfaces are wanted.
    pub fn resolution(self) -> Option<f64> {
        self.surface.then_some(self.surface_resolution)
    }

    /// `meshes` as they are to be written; `None` where they are to be as they are.
    pub fn of(self, meshes: &[ExportMesh], watch: &dyn Watch) -> Result<Option<Vec<ExportMesh>>, Failure> {
        Ok(self.resolution().map(|resolution| surfaces_of_points(meshes, resolution, watch)).transpose()?)
    }
}
