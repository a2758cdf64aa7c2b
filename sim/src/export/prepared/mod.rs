//! [`PreparedAsset`]: everything that a balanced system needs to start again without solving, here or in another simulator.
//! Field by field in `docs/prepared_asset.md`.

mod arrays;
mod system;
#[cfg(test)]
mod tests;

pub use system::{restore, to_asset};

use std::io;
use std::path::Path;

use super::npz::{self, POSITIONS, TETS};
use super::{DataArray, ExportError, Grid, Place, Values, save};
use crate::files::{self, npy, zip};
use crate::math::{Mat3, Vec3};

/// A system at rest: shape, rest states, materials, constraints and contact forces.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PreparedAsset {
    /// Positions of the nodes [m].
    pub positions: Vec<Vec3>,
    /// Lumped mass of each node [kg].
    pub masses: Vec<f64>,
    /// Pairs of nodes that consistent masses couple.
    pub mass_pairs: Vec<[u32; 2]>,
    /// The entry of the mass matrix between the nodes of each pair [kg].
    pub mass_couplings: Vec<f64>,
    /// Nodes held in place.
    pub fixed: Vec<bool>,
    /// Nodes that may move along a plane or a line only, each with the projector onto its directions.
    pub slides: Vec<(u32, Mat3)>,
    /// Load on each node at time zero [N].
    pub loads: Vec<Vec3>,
    /// Shapes of the obstacles as JSON, as scene files have them.
    pub obstacles: String,
    /// What of the scene it depends on, as JSON; empty where an older version wrote the asset.
    pub scene: String,
    /// Four nodes a tet.
    pub tets: Vec<[u32; 4]>,
    /// Body of each tet, as a place in `body_names`.
    pub bodies: Vec<i32>,
    /// Names of the bodies.
    pub body_names: Vec<String>,
    /// Inverse of the matrix of rest edges of each tet [1/m].
    pub inverse_rest_edges: Vec<Mat3>,
    /// F - I of each tet in the given shape, to the last bit.
    pub displacement_gradients: Vec<Mat3>,
    /// Rest volume of each tet [m^3].
    pub rest_volumes: Vec<f64>,
    /// Factor on the stiffness of each tet.
    pub stiffening: Vec<f64>,
    /// Law of each tet, as a place in `law_names`.
    pub laws: Vec<i32>,
    /// Names of the laws.
    pub law_names: Vec<String>,
    /// Young's modulus of each tet [Pa].
    pub young: Vec<f64>,
    /// Poisson's ratio of each tet.
    pub poisson: Vec<f64>,
    /// Density of each tet [kg/m^3].
    pub density: Vec<f64>,
    /// Stiffness-proportional damping of each tet [s].
    pub damping: Vec<f64>,
    /// Rest states of elements that are no tets, family by family.
    pub families: Vec<PreparedFamily>,
    /// Contacts with obstacles that are signed distances, with the force that each carries.
    pub contacts: Vec<PreparedContact>,
    /// Contacts between surfaces, with the force that each carries.
    pub pairs: Vec<PreparedPair>,
    /// Force on each node of all contacts between surfaces [N]; empty where an older version wrote the asset.
    pub pair_forces: Vec<Vec3>,
    /// The artist's surfaces, carried by the tets.
    pub skin: PreparedSkin,
}

/// The elements of a family that are no tets, and their rest states.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PreparedFamily {
    /// Its name.
    pub name: String,
    /// Nodes an element.
    pub width: usize,
    /// The nodes of its elements, one element after the other.
    pub nodes: Vec<u32>,
    /// The rest states, as many numbers an element.
    pub rest: Vec<f64>,
}

/// A contact and the force that it carries at rest.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PreparedContact {
    /// The node.
    pub node: u32,
    /// The obstacle, as a number of the scene.
    pub obstacle: u32,
    /// Outward normal of the obstacle.
    pub normal: Vec3,
    /// Normal force [N].
    pub normal_force: f64,
    /// Friction force on the node [N].
    pub friction_force: Vec3,
    /// Distance [m].
    pub distance: f64,
    /// Friction coefficient.
    pub friction: f64,
}

/// A contact between two primitives of surfaces and the force that it carries at rest.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PreparedPair {
    /// Whether it is of an edge across an edge, and not of a vertex on a triangle, a line or a point.
    pub crossing: bool,
    /// Nodes of the first primitive, then of the second; where there are fewer than four, the last stands there again, with the weight 0.
    pub nodes: [u32; 4],
    /// Weights of the nodes in the vector between the nearest points: those of the first primitive sum to 1, all to 0.
    pub weights: [f64; 4],
    /// Unit normal towards the first primitive.
    pub normal: Vec3,
    /// Normal force [N].
    pub normal_force: f64,
    /// Friction force on the first primitive [N].
    pub friction_force: Vec3,
    /// Distance [m].
    pub distance: f64,
    /// Friction coefficient.
    pub friction: f64,
}

/// Surfaces embedded in the tets, all in one list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PreparedSkin {
    /// Points in the given shape [m]: for each body, all that its file has, in its order.
    pub positions: Vec<Vec3>,
    /// Triangles, by points.
    pub triangles: Vec<[u32; 3]>,
    /// The tet that carries each point.
    pub tets: Vec<u32>,
    /// Its barycentric coordinates there.
    pub weights: Vec<[f64; 4]>,
}

/// A format that prepared assets are written in.
pub struct PreparedFormat {
    /// Name, for people.
    pub name: &'static str,
    /// Extension, lower case, without the dot.
    pub extension: &'static str,
    encode: fn(&Grid) -> Result<Vec<u8>, ExportError>,
}

/// Every format that prepared assets are written in.
pub const PREPARED_FORMATS: &[PreparedFormat] = &[
    PreparedFormat { name: "VTK unstructured grid", extension: "vtu", encode: |grid| Ok(grid.to_vtu()) },
    PreparedFormat { name: "numpy archive", extension: "npz", encode: npz::packed },
];

impl PreparedAsset {
    /// The format whose extension `path` has, if prepared assets are written in it.
    pub fn format_of(path: &Path) -> Option<&'static PreparedFormat> {
        let extension = path.extension()?.to_string_lossy().to_ascii_lowercase();
        PREPARED_FORMATS.iter().find(|format| format.extension == extension)
    }

    /// The same where there has to be one.
    ///
    /// # Errors
    /// [`ExportError::UnknownFormat`].
    pub fn known_format(path: &Path) -> Result<&'static PreparedFormat, ExportError> {
        Self::format_of(path).ok_or_else(|| ExportError::unknown(path, PREPARED_FORMATS.iter().map(|format| format.extension)))
    }

    /// Writes the file, in the format that its extension says, whole or not at all.
    ///
    /// # Errors
    /// Another extension, those of the file system; the lengths of the lists must fit the numbers of nodes and tets.
    pub fn write(&self, path: &Path) -> Result<(), ExportError> {
        let format = Self::known_format(path)?;
        let (n, t) = (self.positions.len(), self.tets.len());
        let node_lists = [self.masses.len(), self.fixed.len(), self.loads.len()];
        let tet_lists = [
            self.bodies.len(),
            self.inverse_rest_edges.len(),
            self.displacement_gradients.len(),
            self.rest_volumes.len(),
            self.stiffening.len(),
            self.laws.len(),
            self.young.len(),
            self.poisson.len(),
            self.density.len(),
            self.damping.len(),
        ];
        if node_lists.iter().any(|&l| l != n) || tet_lists.iter().any(|&l| l != t) {
            return Err(ExportError::Inconsistent("the lists of the asset do not have one entry a node or tet".into()));
        }
        save(path, &(format.encode)(&self.to_grid())?)
    }

    /// Reads a file that [`PreparedAsset::write`] wrote, equal to the bit; its content says the format.
    ///
    /// # Errors
    /// Those of the file system, and `InvalidData` with the reason in words for a file that is damaged or from elsewhere.
    pub fn read(path: &Path) -> io::Result<Self> {
        let bytes = files::read(path).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        let grid = match bytes.trim_ascii_start() {
            [b'P', b'K', ..] => from_npz(&bytes),
            [b'<', ..] => Grid::from_vtu(&bytes),
            _ => Err("it is neither an archive of arrays (.npz) nor a file of VTK (.vtu)".into()),
        };
        grid.and_then(Self::from_grid).map_err(|why| {
            let message = format!("{}: no prepared asset: {why}", path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })
    }
}

fn from_npz(bytes: &[u8]) -> Result<Grid, String> {
    let mut grid = Grid::default();
    // Where an array belongs is known by its name.
    let known = PreparedAsset::default().to_grid().arrays;
    for (file, content) in zip::unpack(bytes)? {
        let name = file.strip_suffix(".npy").unwrap_or(&file);
        let (values, shape) = npy::from_npy(content).map_err(|why| format!("{name}: {why}"))?;
        if name == POSITIONS || name == TETS {
            let expected: &[usize] = if name == POSITIONS { &[3] } else { &[4] };
            if shape.get(1..) != Some(expected) {
                return Err(format!("{name} has the shape {shape:?}"));
            }
            grid.set(name == POSITIONS, values)?;
        } else {
            // Elements that are no tets have arrays of their own.
            let of_family = || {
                let components = shape.iter().skip(1).fold(1, |all: usize, count| all.saturating_mul(*count)).max(1);
                DataArray { place: Place::Field, name: name.into(), components, values: Values::U8(Vec::new()) }
            };
            let array = known.iter().find(|array| array.name == name).cloned().unwrap_or_else(of_family);
            let array = DataArray { values, ..array };
            if array.shape() != shape {
                return Err(format!("{name} has the shape {shape:?} in place of {:?}", array.shape()));
            }
            grid.arrays.push(array);
        }
    }
    Ok(grid)
}
