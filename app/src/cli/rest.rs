//! `aplomb rest`: a rest mesh for programs that take a mesh as its own rest shape.

use std::path::{Path, PathBuf};

use anyhow::Context;
use aplomb_sim::export::prepared;
use aplomb_sim::rest_shape::{self, RestMethod, RestShape, RestShapeError, RestShapeReport};
use aplomb_sim::scene::{Method, Scene};
use aplomb_sim::scene_file;
use aplomb_sim::watch::Watch;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::console::Console;
use super::failure::Failure;
use super::output;
use super::targets::Targets;
use crate::document::{absolute, rebased, relative};
use crate::sources::Sources;

/// Find the rest mesh whose naive simulation has the given shape as its equilibrium, for other programs.
#[derive(Debug, Args)]
pub struct Rest {
    /// Scene: a file or a name of the gallery.
    scene: PathBuf,
    /// How the mesh is found.
    #[arg(long, default_value = "inverse")]
    method: RestMethodName,
    /// Write the rest mesh to this MEDIT file, with the vertices and tets of the body's mesh, in its order, unit and axes; of several
    /// bodies, to one file each, with the body's name added.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write a scene that starts in the given shape with these rest meshes, naively.
    #[arg(long = "scene", value_name = "NEW_SCENE", requires = "out")]
    new_scene: Option<PathBuf>,
    /// Write the prepared asset of that scene to this .vtu or .npz file: rest matrices of each element, and the contact forces.
    #[arg(long, requires = "new_scene")]
    prepared: Option<PathBuf>,
    /// Write the report (JSON) to this file; `-` is standard output.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Number of threads; all cores where this is missing.
    #[arg(long)]
    threads: Option<usize>,
}

/// A method by its name.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum RestMethodName {
    /// The mesh whose naive simulation has the given shape as its equilibrium.
    Inverse,
    /// The sag-free rest state, relaxed without loads: no equilibrium, but near one.
    Estimate,
}

#[derive(Debug, Serialize)]
struct Report<'a> {
    scene: &'a Path,
    rest_shape: &'a RestShapeReport,
}

impl Rest {
    /// Exit status 3, with everything written, where the inverse does not exist.
    pub fn run(&self) -> Result<(), Failure> {
        output::use_threads(self.threads)?;
        // Of several bodies each has a file of its own, whose name is known once the scene is read.
        let files = [&self.out, &self.new_scene, &self.prepared, &self.report];
        let targets = Targets::new(files.map(|file| file.as_deref()))?;
        let console = Console::new();
        let path = output::scene_path(&self.scene);
        let outcome = self.find_and_write(&path, &targets, &console);
        console.clear();
        let report = outcome?;
        eprintln!("{}", summary(&report));
        output::write_json(self.report.as_deref(), &Report { scene: &path, rest_shape: &report })?;
        match report.message {
            Some(message) => Err(Failure::Unreached(message)),
            None => Ok(()),
        }
    }

    fn find_and_write(&self, path: &Path, targets: &Targets, watch: &dyn Watch) -> Result<RestShapeReport, Failure> {
        let (scene, simulation) = output::load(path, targets, watch)?;
        self.check_meshes(path, &scene)?;
        let method = match self.method {
            RestMethodName::Inverse => RestMethod::Inverse,
            RestMethodName::Estimate => RestMethod::Estimate,
        };
        let found = rest_shape::find(&simulation.system, method, watch).map_err(failure)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        if let Some(out) = &self.out {
            let files = rest_shape::write_meshes((&scene, folder), &simulation.system, &found.positions, out, watch).map_err(failure)?;
            if let Some(new_scene) = &self.new_scene {
                self.write_scene(new_scene, &scene, &files, folder, &found, watch)?;
            }
        }
        Ok(found.report)
    }

    /// The files of several bodies: that none was read, and none is another that is written.
    fn check_meshes(&self, path: &Path, scene: &Scene) -> Result<(), Failure> {
        let Some(out) = &self.out else { return Ok(()) };
        let meshes = rest_shape::mesh_files(scene, out);
        let others = [&self.new_scene, &self.prepared, &self.report];
        let targets = Targets::new(meshes.iter().map(|file| Some(file.as_path())).chain(others.map(|file| file.as_deref())))?;
        let mut sources = Sources::of_scene(scene, path.parent().unwrap_or(Path::new("")));
        sources.add(path);
        targets.spare(&sources)
    }

    fn write_scene(
        &self,
        target: &Path,
        scene: &Scene,
        files: &[PathBuf],
        folder: &Path,
        found: &RestShape,
        watch: &dyn Watch,
    ) -> Result<(), Failure> {
        let target = absolute(target);
        let to = target.parent().unwrap_or(Path::new(""));
        let mut scene = rebased(scene, folder, to);
        for (body, file) in scene.bodies.iter_mut().zip(files) {
            body.rest_mesh = Some(relative(file, to));
        }
        scene.name += " with rest mesh";
        scene.initialise.method = Method::Naive;
        // What runs of the old scene gave says nothing about the new one.
        scene.expect.clear();
        scene_file::save(&target, &scene).with_context(|| format!("{} cannot be written", target.display()))?;
        if let Some(file) = &self.prepared {
            let (_, simulation) = output::load(&target, &Targets::default(), watch)?;
            let asset = prepared::to_asset(&simulation.system, &found.balance);
            asset.write(file)?;
        }
        Ok(())
    }
}

fn failure(error: RestShapeError) -> Failure {
    match error {
        RestShapeError::Cancelled(_) => Failure::Interrupted,
        RestShapeError::OnlyTetrahedra | RestShapeError::Equalities | RestShapeError::File(_) => Failure::Input(error.to_string()),
        other => Failure::Unreached(other.to_string()),
    }
}

/// The report in a few words.
fn summary(report: &RestShapeReport) -> String {
    format!(
        "rest shape by {}: residual {:.1e} of the largest load ({:.1e} where positions are kept in 32 bits), {} iterations in {:.3} s; rest volumes from {:.3} of the given ones, vertices up to {:.3} of the diagonal away",
        match report.method {
            RestMethod::Inverse => "inverse",
            RestMethod::Estimate => "estimate",
        },
        report.residual,
        report.residual_in_32_bits,
        report.iterations,
        report.seconds,
        report.min_rest_volume_ratio,
        report.max_displacement
    )
}
