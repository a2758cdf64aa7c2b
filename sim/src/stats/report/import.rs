//! Report of `import`: one mesh file.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::mesh::MeshProblem;
use crate::mesh::health::{Certainty, Guess, Health};
use crate::mesh::tetrahedralise::fill::FillReport;
use crate::mesh::tetrahedralise::thin::Thin;
use crate::scene::{Unit, UpAxis};

/// What is in a mesh file, what is wrong with it, and what it was made into.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImportReport {
    /// The file.
    pub file: PathBuf,
    /// Its format.
    pub format: &'static str,
    /// Vertices in the file.
    pub vertices: usize,
    /// Triangles, those that larger faces are cut into included.
    pub triangles: usize,
    /// Tets.
    pub tets: usize,
    /// Polylines.
    pub strands: usize,
    /// Elements of other kinds: name and count.
    pub other_elements: Map<String, Value>,
    /// Parts without a common vertex.
    pub components: usize,
    /// Smallest and largest coordinates [m], in the scene's axes.
    pub bounding_box: [[f64; 3]; 2],
    /// Volume [m^3]; none where a part is open.
    pub volume: Option<f64>,
    /// Unit of the coordinates, as far as it can be known.
    pub unit: GuessReport,
    /// Axis that points up, as far as it can be known.
    pub up: GuessReport,
    /// What was found.
    pub problems: Vec<MeshProblem>,
    /// The tets that fill the surface; none where it was not filled.
    pub tetrahedralised: Option<Tetrahedralised>,
}

/// A conclusion, how sure it is, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GuessReport {
    /// As the command line and the scene write it.
    pub value: Value,
    /// How sure.
    pub certainty: Certainty,
    /// Why, in words.
    pub reason: String,
    /// What the file was read with, which the user may have chosen.
    pub used: Value,
}

/// The tets that a surface was filled with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tetrahedralised {
    /// How many.
    pub tets: usize,
    /// Their vertices.
    pub vertices: usize,
    /// The smallest angle between two faces of a tet [degrees].
    pub min_dihedral_degrees: f64,
    /// Volume of the tets by that inside of the surface, minus 1; none where the surface is open.
    pub volume_error: Option<f64>,
    /// Parts joined through faces.
    pub components: usize,
    /// Where the body is thinner than the tets.
    pub thin: Thin,
    /// Time that it took.
    pub seconds: f64,
    /// Most memory that the process had.
    pub peak_memory_bytes: u64,
}

impl ImportReport {
    /// Of a file that was examined in a unit, with an axis up.
    pub fn new(file: PathBuf, health: &Health, unit: Unit, up: UpAxis) -> Self {
        Self {
            file,
            format: health.format,
            vertices: health.vertices,
            triangles: health.triangles,
            tets: health.tets,
            strands: health.strands,
            other_elements: health.other_elements.iter().map(|(name, count)| (name.clone(), (*count).into())).collect(),
            components: health.components,
            bounding_box: health.bounding_box.map(Into::into),
            volume: health.volume,
            unit: GuessReport::new(&health.unit, unit),
            up: GuessReport::new(&health.up, up),
            problems: health.findings.iter().map(|finding| finding.problem.clone()).collect(),
            tetrahedralised: None,
        }
    }
}

impl GuessReport {
    fn new<T: Serialize>(guess: &Guess<T>, used: T) -> Self {
        // Names of units and axes always make JSON.
        let json = |value: &T| serde_json::to_value(value).unwrap_or_default();
        Self { value: json(&guess.value), certainty: guess.certainty, reason: guess.reason.clone(), used: json(&used) }
    }
}

impl Tetrahedralised {
    /// Of what filling a surface told.
    pub fn new(filled: &FillReport) -> Self {
        Self {
            tets: filled.tets,
            vertices: filled.vertices,
            min_dihedral_degrees: filled.min_dihedral_degrees,
            volume_error: filled.volume_error,
            components: filled.components,
            thin: filled.thin,
            seconds: filled.seconds,
            peak_memory_bytes: crate::stats::memory::peak_bytes(),
        }
    }
}
