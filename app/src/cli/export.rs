//! `aplomb export`: the bodies of a scene, or a prepared asset, for other programs.

use std::path::{Path, PathBuf};

use aplomb_sim::export::{ExportError, ExportMesh, FORMATS, Format, PREPARED_FORMATS, PreparedAsset, save, scene_meshes};
use clap::Args;
use serde::Serialize;

use super::console::Console;
use super::failure::Failure;
use super::init::{Init, MethodName};
use super::output;
use super::surface::SurfaceArguments;
use super::targets::Targets;

/// Write a scene for another program: as a prepared asset (.vtu, .npz), or its bodies in the given shape.
#[derive(Debug, Args)]
pub struct Export {
    /// Scene: a file or a name of the gallery.
    scene: PathBuf,
    /// File to write; its extension says the format.
    #[arg(long, long_help = formats())]
    out: PathBuf,
    /// Write the bodies in the given shape where the extension would say a prepared asset (.vtu).
    #[arg(long)]
    mesh: bool,
    #[command(flatten)]
    surface: SurfaceArguments,
    /// How the rest state of a prepared asset is chosen; the scene's own method where this is missing.
    #[arg(long)]
    method: Option<MethodName>,
    /// Write the report (JSON) to this file; `-` is standard output.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Number of threads; all cores where this is missing.
    #[arg(long)]
    threads: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    scene: &'a Path,
    export: ExportReport<'a>,
}

#[derive(Debug, Serialize)]
struct ExportReport<'a> {
    file: &'a Path,
    format: &'a str,
    bodies: usize,
    /// Nodes of the tets, and points of the surfaces.
    vertices: usize,
    surface_vertices: usize,
    tets: usize,
    triangles: usize,
    bytes: usize,
}

impl Export {
    /// Exit status 3, with the report and without the file, where a prepared asset has no balance.
    pub fn run(&self) -> Result<(), Failure> {
        let targets = Targets::new([Some(self.out.as_path()), self.report.as_deref()])?;
        let is_surface = self.surface.resolution().is_some();
        if !self.mesh && !is_surface && PreparedAsset::format_of(&self.out).is_some() {
            let (scene, method, report) = (self.scene.clone(), self.method, self.report.clone());
            return Init { scene, method, report, out: Some(self.out.clone()), cures: false, threads: self.threads }.run();
        }
        let format = if self.mesh || is_surface { aplomb_sim::export::format_of(&self.out)? } else { format_of(&self.out)? };
        if self.method.is_some() {
            return Err(Failure::Input(format!("--method is for prepared assets ({}); {} holds the given shape", prepared(), format.name)));
        }
        output::use_threads(self.threads)?;
        let console = Console::new();
        let path = output::scene_path(&self.scene);
        let loaded = output::load(&path, &targets, &console);
        console.clear();
        let (_, simulation) = loaded?;
        let meshes = scene_meshes(&simulation.system, &simulation.system.positions);
        let meshes = self.surface.of(&meshes, &console)?.unwrap_or(meshes);
        let bytes = format.bytes(&meshes)?;
        save(&self.out, &bytes)?;
        let count = |of: fn(&ExportMesh) -> usize| meshes.iter().map(of).sum();
        let export = ExportReport {
            file: &self.out,
            format: format.name,
            bodies: meshes.len(),
            vertices: count(|mesh| mesh.positions.len()),
            surface_vertices: count(|mesh| mesh.surface.points.len()),
            tets: count(|mesh| mesh.tets.len()),
            triangles: count(|mesh| mesh.surface.triangles.len()),
            bytes: bytes.len(),
        };
        eprintln!("{}: {}, {} bodies, {} bytes", self.out.display(), format.name, export.bodies, export.bytes);
        output::write_json(self.report.as_deref(), &Report { scene: &path, export })
    }
}

/// The format of a mesh, or an error that lists what prepared assets are written in as well.
fn format_of(path: &Path) -> Result<&'static Format, Failure> {
    let extensions = PREPARED_FORMATS.iter().map(|format| format.extension).chain(meshes().map(|format| format.extension));
    aplomb_sim::export::format_of(path).map_err(|_| ExportError::unknown(path, extensions).into())
}

/// The formats whose extension does not say a prepared asset.
fn meshes() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(|format| PREPARED_FORMATS.iter().all(|prepared| prepared.extension != format.extension))
}

fn prepared() -> String {
    PREPARED_FORMATS.iter().map(|format| format!(".{}", format.extension)).collect::<Vec<_>>().join(", ")
}

fn formats() -> String {
    let mut text = format!("File to write; its extension says the format.\n\n{}: prepared asset, see docs/prepared_asset.md", prepared());
    for format in FORMATS {
        let how = if meshes().any(|other| other.extension == format.extension) { "" } else { " with --mesh" };
        text += &format!("\n.{}{how}: {}: {}", format.extension, format.name, format.doc);
    }
    text
}
