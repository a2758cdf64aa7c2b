//! A mesh file that is looked at before it becomes part of a scene: read and examined on a thread of its own, drawn as soon as it
//! is read. Neither the file nor the document is changed by looking.

mod choices;
mod cut;
mod picture;
mod reader;
mod surface;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aplomb_sim::bodies::{BodyKind, body_kinds, cloth, kind_named};
use aplomb_sim::import::RawMesh;
use aplomb_sim::math::{Vec3, bounding_box};
use aplomb_sim::mesh::health::Health;
use aplomb_sim::mesh::mend::in_order;
use aplomb_sim::scene::{KindSettings, SurfaceRepair, Unit};

use crate::document::ImportOptions;
use crate::session::WakeUp;
pub use choices::{Choices, Resolution};
pub use cut::Cut;
use picture::Pieces;
pub use reader::Report;
use reader::{News, Reader};
pub use surface::Surface;

/// A file that is being looked at, and those that wait behind it.
#[derive(Debug)]
pub struct Preview {
    /// The file.
    pub file: PathBuf,
    /// What the file says, once it is read.
    pub raw: Option<Arc<RawMesh>>,
    /// What is wrong with it, once it is examined; of the mended surface where repairs are chosen.
    pub report: Option<Arc<Report>>,
    /// Whether the report is of other choices than those of now.
    pub outdated: bool,
    /// What the thread is doing, and the share of it that is done.
    pub stage: Option<(String, f64)>,
    /// Why the file cannot be used.
    pub error: Option<String>,
    /// What the user chose.
    pub choices: Choices,
    /// The finding that is pointed out.
    pub pointed: Option<usize>,
    /// Whether the camera is to be moved to what is pointed out.
    pub look_there: bool,
    /// Whether the view has been framed.
    pub framed: bool,
    waiting: VecDeque<PathBuf>,
    /// How many files were given, and which of them this is.
    place: (usize, usize),
    reader: Reader,
    /// As read, or as mended.
    surface: Option<Surface>,
    /// What its texture coordinates are as a sewing pattern.
    cut: Option<Cut>,
    pieces: Option<Pieces>,
    revision: u64,
}

impl Preview {
    /// Looks at the first of `files`; the others wait until it is taken or left. `None` without any.
    ///
    /// # Errors
    /// The system gave no thread.
    pub fn start(files: impl IntoIterator<Item = PathBuf>, wake_up: &WakeUp) -> std::io::Result<Option<Self>> {
        let waiting: VecDeque<_> = files.into_iter().collect();
        let count = waiting.len();
        Self::next_of(waiting, count, Choices::default(), 0, wake_up)
    }

    /// The next file that waits, if there is one; it is added to the scene unless told otherwise.
    ///
    /// # Errors
    /// The system gave no thread.
    pub fn next(self, wake_up: &WakeUp) -> std::io::Result<Option<Self>> {
        let choices = Choices { add: true, ..Choices::default() };
        Self::next_of(self.waiting, self.place.0, choices, self.revision + 1, wake_up)
    }

    fn next_of(
        mut waiting: VecDeque<PathBuf>,
        count: usize,
        choices: Choices,
        revision: u64,
        wake_up: &WakeUp,
    ) -> std::io::Result<Option<Self>> {
        let Some(file) = waiting.pop_front() else { return Ok(None) };
        let file = crate::document::absolute(&file);
        Ok(Some(Self {
            reader: Reader::start(&file, Arc::clone(wake_up))?,
            place: (count, count - waiting.len()),
            file,
            raw: None,
            report: None,
            outdated: true,
            stage: None,
            error: None,
            choices,
            pointed: None,
            look_there: false,
            framed: false,
            waiting,
            surface: None,
            cut: None,
            pieces: None,
            revision,
        }))
    }

    /// Puts `files` behind those that wait.
    pub fn push(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        let before = self.waiting.len();
        self.waiting.extend(files);
        self.place.0 += self.waiting.len() - before;
    }

    /// Name of the file.
    pub fn name(&self) -> String {
        name(&self.file)
    }

    /// "2 of 3" where several files were given.
    pub fn place(&self) -> Option<String> {
        (self.place.0 > 1).then(|| format!("{} of {}", self.place.1, self.place.0))
    }

    /// The report, if there is one; lengths in it are in the file's unit and axes.
    pub fn health(&self) -> Option<&Health> {
        self.report.as_ref().map(|report| &report.health)
    }

    /// Whether it can be taken as it is now.
    pub fn is_ready(&self) -> bool {
        self.error.is_none() && self.raw.is_some() && self.report.as_ref().is_none_or(|report| report.refusal.is_none())
    }

    /// Whether it is a surface, to be filled with tets.
    pub fn is_surface(&self) -> bool {
        self.raw.as_ref().is_some_and(|raw| raw.tets.is_empty() && !raw.triangles.is_empty())
    }

    /// Kinds of bodies that the file has what it takes for, once it is read.
    pub fn kinds(&self) -> Vec<&'static BodyKind> {
        let accepts = |kind: &&BodyKind| self.raw.as_ref().is_some_and(|raw| (kind.accepts)(raw).is_ok());
        body_kinds().into_iter().filter(accepts).collect()
    }

    /// Makes it into a body of this kind, with what the file says of it to begin with.
    pub fn make(&mut self, kind: &BodyKind) {
        let unit = self.choices.unit.metres();
        let settings = self.raw.as_ref().filter(|_| kind.settings.is_some()).and_then(|raw| (kind.imported)(raw, unit));
        self.choices.kind = settings.map(|settings| KindSettings { kind: kind.name.into(), settings });
        // What is no solid seldom stands.
        self.choices.ground = self.choices.kind.is_none();
        self.point_at(None);
    }

    /// What follows the unit of the file, which was `before`: settings that are as the file began with, too.
    pub fn follow_unit(&mut self, before: Unit) {
        let (Some(settings), Some(raw)) = (&mut self.choices.kind, &self.raw) else { return };
        let Some(kind) = kind_named(&settings.kind) else { return };
        if (kind.imported)(raw, before.metres()).is_some_and(|began| began == settings.settings)
            && let Some(begins) = (kind.imported)(raw, self.choices.unit.metres())
        {
            settings.settings = begins;
        }
    }

    /// Takes in what the thread told; true if anything changed.
    pub fn drain(&mut self) -> bool {
        let mut changed = false;
        while let Some(news) = self.reader.poll() {
            changed = true;
            // The picture is made anew for those only that change it.
            match news {
                News::Progress(stage, done) => self.stage = Some((stage, done)),
                News::Failed(why) => (self.error, self.stage) = (Some(why), None),
                News::Read(raw, surface) => {
                    self.choices.said_by(&raw);
                    self.cut = Cut::of(&raw);
                    let is_sewn = !raw.stitches.is_empty();
                    self.raw = Some(raw);
                    // What is sewn is a garment.
                    if let Some(kind) = kind_named(cloth::NAME).filter(|kind| is_sewn && self.kinds().iter().any(|of| of.name == kind.name))
                    {
                        self.make(kind);
                    }
                    self.surface = Some(*surface);
                    self.stage = None;
                    self.examine();
                }
                News::Examined(report) => {
                    self.pointed = None;
                    if let Some(surface) = &report.surface {
                        self.surface = Some(surface.clone());
                    }
                    self.report = Some(report);
                    (self.outdated, self.stage) = (false, None);
                    self.revision += 1;
                }
            }
        }
        changed
    }

    /// Asks for a report on the repairs of now.
    fn examine(&mut self) {
        self.outdated = true;
        self.reader.ask(self.choices.repair.clone());
        self.place_anew();
    }

    /// Another unit or axis was chosen: what was found stays so, elsewhere.
    pub fn place_anew(&mut self) {
        self.revision += 1;
        self.choices.resolution.follow(self.measure(), self.choices.grading);
    }

    /// Adds a repair to the choices, or takes it away.
    pub fn toggle(&mut self, repair: SurfaceRepair) {
        match self.choices.repair.iter().position(|chosen| *chosen == repair) {
            Some(at) => drop(self.choices.repair.remove(at)),
            None => self.choices.repair.push(repair),
        }
        in_order(&mut self.choices.repair);
        self.examine();
    }

    /// Points a finding out, or none.
    pub fn point_at(&mut self, finding: Option<usize>) {
        (self.pointed, self.look_there) = (finding, finding.is_some());
        self.revision += 1;
    }

    /// What its texture coordinates are as a sewing pattern, in units of the file; none where not all triangles have some.
    pub fn cut(&self) -> Option<&Cut> {
        self.cut.as_ref()
    }

    /// Volume that was found inside [m^3]; none where it is open.
    pub fn volume(&self) -> Option<f64> {
        Some(self.health()?.volume? * self.choices.unit.metres().powi(3))
    }

    /// Volume inside the surface and its area, for an estimate, [m^3] and [m^2].
    pub fn measure(&self) -> (f64, f64) {
        let (volume, area) = self.surface.as_ref().map_or((0.0, 0.0), |surface| surface.measure);
        let unit = self.choices.unit.metres();
        (volume * unit.powi(3), area * unit.powi(2))
    }

    /// Lowest and highest corner [m], as placed.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let surface = self.surface.as_ref().filter(|surface| !surface.corners.is_empty())?;
        let (low, high) = bounding_box(&surface.corners.map(|corner| self.choices.place(&corner)));
        Some([low, high])
    }

    /// What to make of it, once it is read.
    pub fn options(&self) -> Option<ImportOptions> {
        let bounds = self.bounds()?;
        let Choices { unit, up, ground, add, .. } = self.choices;
        let kind = self.choices.kind.clone();
        let fill = (self.is_surface() && kind.is_none()).then(|| self.choices.settings());
        Some(ImportOptions { file: self.file.clone(), unit, up, ground, add, kind, fill, bounds })
    }

    /// Changes when anything in the picture does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The unit that the size speaks for, if it is not the chosen one.
    pub fn better_unit(&self) -> Option<(Unit, &str)> {
        let guess = &self.health()?.unit;
        (guess.value != self.choices.unit).then_some((guess.value, guess.reason.as_str()))
    }
}

/// Name of a file, for people.
pub fn name(file: &Path) -> String {
    file.file_name().map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned())
}
