//! `aplomb import`: what is in mesh files, what is wrong with them, and a scene around them.

mod arguments;
mod words;

use std::path::{Path, PathBuf};

use anyhow::Context;
use aplomb_sim::bodies::body_kinds;
use aplomb_sim::import::{self, ImportError, RawMesh};
use aplomb_sim::mesh::health::{Health, examine, stated_unit};
use aplomb_sim::mesh::mend::mend;
use aplomb_sim::mesh::{ProblemCode, TetMesh};
use aplomb_sim::scene::{KindSettings, Scene, SurfaceRepair, TetrahedraliseSettings, Unit, UpAxis};
use aplomb_sim::scene_file;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{ImportReport, Tetrahedralised};
use aplomb_sim::system::PlacedBody;
use aplomb_sim::watch::Watch;
use clap::Args;
use serde::Serialize;

use super::console::Console;
use super::failure::Failure;
use super::output;
use super::targets::Targets;
use crate::document::{ImportOptions, MEASURED, PRESETS, Proposal, absolute, propose, scene_of_meshes, standing};
use crate::sources::Sources;
use arguments::{AxisName, Kind, Repairs, Resolution, UnitName};

/// Examine mesh files, and make a scene of them. The files are left as they are.
#[derive(Debug, Args)]
pub struct Import {
    /// Mesh files; each becomes a body, where its file puts it.
    #[arg(required = true)]
    meshes: Vec<PathBuf>,
    /// Write the scene to this file. Without it, the files are examined only.
    #[arg(long)]
    out: Option<PathBuf>,
    /// What the meshes are.
    #[arg(long, default_value = "solid", value_parser = arguments::kinds())]
    kind: Kind,
    /// Unit of the coordinates; where this is missing, the unit that the format states, or else metres.
    #[arg(long)]
    unit: Option<UnitName>,
    /// Axis of the files that points up; where this is missing, the axis that the format states, or else y.
    #[arg(long)]
    up: Option<AxisName>,
    /// How fine surfaces are filled: about so many tets (`30000`), or a length of edges (`5mm`, `0.5cm`, `0.005m`).
    #[arg(long)]
    resolution: Option<Resolution>,
    /// What the bodies are made of: a material by its name. Where this is missing, the softest with which they hold their shape is
    /// looked for.
    #[arg(long, value_parser = arguments::presets())]
    material: Option<&'static str>,
    /// Put a ground under the bodies.
    #[arg(long)]
    ground: bool,
    /// What is mended before a surface is filled, in this order: `weld[=SHARE]`, `drop-bad`, `drop-loose`, `orient`,
    /// `fill-holes[=EDGES]`, separated by commas; or `safe`, every repair that the report offers.
    #[arg(long)]
    repair: Option<Repairs>,
    /// Write the report (JSON) to this file; `-` is standard output.
    #[arg(long)]
    report: Option<PathBuf>,
}

/// The report file.
#[derive(Serialize)]
struct Report<'a> {
    import: Reports<'a>,
    /// What the bodies were made of; none where no scene was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    material: Option<MaterialReport>,
}

/// The material of the bodies, and how it was found.
#[derive(Serialize)]
struct MaterialReport {
    /// Its name; none where it was chosen by the size of the bodies.
    name: Option<&'static str>,
    /// Whether the bodies hold their shape with it, stably; none where that was not tried.
    holds: Option<bool>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// One report, or a list of several.
#[derive(Serialize)]
#[serde(untagged)]
enum Reports<'a> {
    One(&'a ImportReport),
    Several(&'a [ImportReport]),
}

/// A file that was examined.
struct Examined {
    health: Health,
    report: ImportReport,
    /// How it becomes a body.
    options: ImportOptions,
}

impl Import {
    /// Exit status 1 where a file cannot be read, or no scene can be made of it; what could be examined is reported before.
    pub fn run(&self) -> Result<(), Failure> {
        let targets = Targets::new([self.out.as_deref(), self.report.as_deref()])?;
        let mut sources = Sources::default();
        self.meshes.iter().for_each(|mesh| sources.add_mesh(mesh));
        targets.spare(&sources)?;
        let console = Console::new();
        let (mut examined, mut refused) = (Vec::new(), Vec::new());
        for file in &self.meshes {
            match self.examine(file, &console) {
                Ok(found) => examined.push(found),
                Err(Failure::Interrupted) => return Err(Failure::Interrupted),
                Err(failure) => refused.push(failure.to_string()),
            }
        }
        console.clear();
        for found in &examined {
            eprint!("{}", words::report(&found.report, &found.health, &found.options));
            self.tell_ignored(&found.report);
        }
        if self.out.is_none() && self.resolution.is_some() {
            eprintln!("{}", words::ignored("--resolution", "nothing is filled without --out"));
        }
        let made = match &self.out {
            Some(out) if refused.is_empty() => self.make_scene(out, &mut examined, &console).map(Some),
            _ => Ok(None),
        };
        let (made, material) = match made {
            Ok(material) => (Ok(()), material),
            Err(failure) => (Err(failure), None),
        };
        let reports: Vec<ImportReport> = examined.into_iter().map(|found| found.report).collect();
        let import = if let ([only], [_]) = (&reports[..], &self.meshes[..]) { Reports::One(only) } else { Reports::Several(&reports) };
        output::write_json(self.report.as_deref(), &Report { import, material })?;
        if refused.is_empty() { made } else { Err(Failure::Input(refused.join("\n"))) }
    }

    fn examine(&self, file: &Path, watch: &dyn Watch) -> Result<Examined, Failure> {
        let raw = import::read(file, watch).map_err(|error| match error {
            ImportError::Cancelled(_) => Failure::Interrupted,
            other => Failure::Input(other.to_string()),
        })?;
        let unit = self.unit.map(Unit::from).or_else(|| stated_unit(&raw)).unwrap_or_default();
        let up = self.up.map(UpAxis::from).or(raw.up).unwrap_or_default();
        let health = examine(&raw, unit.metres(), up, watch).map_err(|_| Failure::Interrupted)?;
        let mut report = ImportReport::new(file.to_path_buf(), &health, unit, up);
        let surface = raw.tets.is_empty();
        let repairs = self.repair.as_ref().filter(|_| surface).map_or_else(Vec::new, |repairs| repairs.resolve(&health));
        let fixed = if surface { mended_codes(&raw, &health, &repairs, watch)? } else { checked_codes(&raw) };
        report.problems.iter_mut().for_each(|problem| problem.fixed = fixed.contains(&problem.code));
        let kind = self.kind_settings(&raw, unit)?;
        let fill = (surface && kind.is_none()).then(|| {
            let (tets, edge_length) = self.resolution.map_or((None, None), Resolution::settings);
            TetrahedraliseSettings { tets, edge_length, repair: repairs, ..TetrahedraliseSettings::default() }
        });
        let bounds = health.bounding_box;
        let options = ImportOptions { file: absolute(file), unit, up, ground: self.ground, add: false, kind, fill, bounds };
        Ok(Examined { health, report, options })
    }

    /// What a file is to be made into, if not a solid.
    fn kind_settings(&self, raw: &RawMesh, unit: Unit) -> Result<Option<KindSettings>, Failure> {
        let Some(kind) = self.kind.known().filter(|kind| kind.settings.is_some()) else { return Ok(None) };
        (kind.accepts)(raw).map_err(Failure::Input)?;
        Ok((kind.imported)(raw, unit.metres()).map(|settings| KindSettings { kind: kind.name.into(), settings }))
    }

    /// Options that are about solids, or about surfaces, for a file that becomes none or has none.
    fn tell_ignored(&self, report: &ImportReport) {
        if let Some(kind) = self.kind.known().filter(|_| self.material.is_some() && !self.kind.is_solid()) {
            eprintln!("{}", words::ignored("--material", &format!("{} becomes {}", report.file.display(), kind.doc)));
        }
        let why = match (report.tets, report.triangles, self.kind.known()) {
            (0, 0, _) => "has no surface".to_owned(),
            (_, _, Some(kind)) if !self.kind.is_solid() => format!("becomes {}", kind.doc),
            (0, _, _) => return,
            _ => "has tets, which are used as they are".to_owned(),
        };
        for (option, given) in [("--resolution", self.resolution.is_some()), ("--repair", self.repair.is_some())] {
            if given {
                eprintln!("{}", words::ignored(option, &format!("{} {why}", report.file.display())));
            }
        }
    }

    /// Makes the scene, builds it, and writes it.
    fn make_scene(&self, out: &Path, examined: &mut [Examined], console: &Console) -> Result<MaterialReport, Failure> {
        self.check_kind(examined)?;
        let out = absolute(out);
        let folder = out.parent().unwrap_or(Path::new(""));
        let meshes: Vec<ImportOptions> = examined.iter().map(|found| found.options.clone()).collect();
        let mut scene = scene_of_meshes(folder, &meshes);
        let given =
            self.material.filter(|_| self.kind.is_solid()).and_then(|key| PRESETS.iter().chain(MEASURED).find(|preset| preset.key == key));
        given.iter().for_each(|preset| {
            scene.bodies.iter_mut().filter_map(|body| body.material.as_mut()).for_each(|material| preset.apply(material))
        });
        let built = Simulation::build(&scene, folder, console);
        console.clear();
        if console.check().is_err() {
            return Err(Failure::Interrupted);
        }
        let system = built.map_err(|error| Failure::Input(error.0.iter().map(words::refusal).collect::<Vec<_>>().join("\n")))?.system;
        for (found, body) in examined.iter_mut().zip(&system.bodies) {
            let Some(skin) = &body.mesh.skin else { continue };
            let filled = Tetrahedralised::new(&skin.report);
            eprintln!("{}: {}", found.report.file.display(), words::filled(&filled));
            found.report.tetrahedralised = Some(filled);
            let losses = skin.report.losses();
            losses.iter().for_each(|loss| eprintln!("warning: {}: {} (--resolution)", found.report.file.display(), loss.message));
            found.report.problems.extend(losses);
        }
        // Tets reach a little less or more far down than the surface that they fill.
        let reach = |body: &PlacedBody| if body.matter.particles().is_some() { body.mesh.radius } else { 0.0 };
        let of_body =
            |body: &PlacedBody| system.positions[body.nodes.clone()].iter().map(|p| p.y).fold(f64::INFINITY, f64::min) - reach(body);
        let lowest = system.bodies.iter().map(of_body).fold(f64::INFINITY, f64::min);
        scene = standing(&scene, lowest, system.diagonal).unwrap_or(scene);
        drop(system);
        let (report, told) = match given {
            Some(preset) => (
                MaterialReport { name: Some(preset.key), holds: None, reason: None },
                "`aplomb init` tells whether it keeps its shape".to_owned(),
            ),
            None if !self.kind.is_solid() => (
                MaterialReport { name: None, holds: None, reason: None },
                "with settings by its size; `aplomb init` tells whether it keeps its shape".to_owned(),
            ),
            None => find_material(&mut scene, folder, console)?,
        };
        console.clear();
        scene_file::save(&out, &scene).with_context(|| format!("{} cannot be written", out.display()))?;
        eprintln!("{}: written; {told}", out.display());
        if console.check().is_err() { Err(Failure::Interrupted) } else { Ok(report) }
    }

    /// Whether bodies of this kind can be simulated.
    fn check_kind(&self, examined: &[Examined]) -> Result<(), Failure> {
        let refuse = |what: &str| {
            let known: Vec<&str> = body_kinds().iter().map(|kind| kind.name).collect();
            let known = known.join(", ");
            Err(Failure::Input(format!("{what} cannot be simulated yet; kinds of bodies are: {known}; no scene was written")))
        };
        if let Kind::Unknown(name) = self.kind {
            return refuse(name);
        }
        let empty = examined.iter().find(|found| self.kind.is_solid() && found.report.tets == 0 && found.report.triangles == 0);
        match empty {
            Some(found) if found.report.strands > 0 => {
                refuse(&format!("{} holds strands, and hair, unless as springs (--kind springs),", found.report.file.display()))
            }
            Some(found) => refuse(&format!("{} holds neither tets nor faces, and points", found.report.file.display())),
            None => Ok(()),
        }
    }
}

/// What is found in a surface, and no longer once it is mended.
fn mended_codes(raw: &RawMesh, health: &Health, repairs: &[SurfaceRepair], watch: &dyn Watch) -> Result<Vec<ProblemCode>, Failure> {
    if repairs.is_empty() {
        return Ok(Vec::new());
    }
    let mended = mend(&raw.positions, &raw.triangles, repairs, watch).map_err(|_| Failure::Interrupted)?;
    let mended = RawMesh { positions: mended.positions, triangles: mended.triangles, ..RawMesh::default() };
    let left = examine(&mended, 1.0, UpAxis::Y, watch).map_err(|_| Failure::Interrupted)?;
    let is_left = |code| left.findings.iter().any(|finding| finding.problem.code == code);
    let surface = |code: &ProblemCode| !matches!(code, ProblemCode::UnusedSection | ProblemCode::SecondOrder | ProblemCode::Note);
    Ok(health.findings.iter().map(|finding| finding.problem.code).filter(|code| surface(code) && !is_left(*code)).collect())
}

/// What is mended in tets whenever they are used.
fn checked_codes(raw: &RawMesh) -> Vec<ProblemCode> {
    let checked = TetMesh::from_raw(raw, 1.0, UpAxis::Y);
    checked.map_or_else(|_| Vec::new(), |mesh| mesh.problems.iter().filter(|problem| problem.fixed).map(|problem| problem.code).collect())
}

/// Makes the bodies of the softest material with which they hold their shape; what came of it, also in words. Without one, the
/// material stays that which their size asks for.
fn find_material(scene: &mut Scene, folder: &Path, console: &Console) -> Result<(MaterialReport, String), Failure> {
    let bodies: Vec<usize> = (0..scene.bodies.len()).collect();
    let proposal = propose(scene, &bodies, folder, console).map_err(|problems| Failure::problems(&problems))?;
    let none = |holds, reason: Option<&String>| MaterialReport { name: None, holds, reason: reason.cloned() };
    let stiffest = PRESETS.last().map_or("", |preset| preset.name);
    Ok(match &proposal {
        Proposal::Softest(preset) => {
            scene.bodies.iter_mut().filter_map(|body| body.material.as_mut()).for_each(|material| preset.apply(material));
            let told = format!("{}, the softest with which it holds, tried by name; `aplomb init` makes it keep its shape", preset.name);
            (MaterialReport { name: Some(preset.key), holds: Some(true), reason: None }, told)
        }
        Proposal::NoneHolds(reason) => {
            (none(Some(false), Some(reason)), format!("it holds its shape with none of the materials tried, up to {stiffest}: {reason}"))
        }
        Proposal::NotHeld(reason) => (none(Some(false), Some(reason)), format!("no material makes it keep its shape yet: {reason}")),
        Proposal::Cancelled => (none(None, None), "the trial of materials was given up".to_owned()),
    })
}
