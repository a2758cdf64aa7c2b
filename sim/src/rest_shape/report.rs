//! The report of a search for a rest shape (key `rest_shape`).

use serde::{Deserialize, Serialize};

/// How a rest shape is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestMethod {
    /// The mesh whose naive simulation has the given shape as its equilibrium.
    #[default]
    Inverse,
    /// The sag-free rest state, relaxed without loads and contacts (Hsu et al. 2022, 5.4): no equilibrium, but near one.
    Estimate,
}

/// What was found, and how.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RestShapeReport {
    /// How it was sought.
    pub method: RestMethod,
    /// Whether the naive simulation of the mesh has the given shape as its equilibrium, within the scene's tolerance.
    pub exists: bool,
    /// max |net force| on the free masses over max |load|, naive, in the given shape, with the masses of the rest mesh.
    pub residual: f64,
    /// The same if the other program keeps positions, and those of the mesh, in 32 bits: no solver of its own gets below it.
    pub residual_in_32_bits: f64,
    /// Share of the load for which a mesh was found; 1 for all of it, 0 for the estimate.
    pub load_share: f64,
    /// Iterations of Newton's method.
    pub iterations: usize,
    /// Residuals of the last solve, iteration by iteration.
    pub residuals: Vec<f64>,
    /// Wall seconds.
    pub seconds: f64,
    /// Smallest volume of a tetrahedron at rest over its volume in the given shape.
    pub min_rest_volume_ratio: f64,
    /// Largest distance of a vertex from the given shape, over the diagonal.
    pub max_displacement: f64,
    /// Contacts whose forces the mesh counts on: the other program's contact must make them.
    pub contacts: usize,
    /// Largest of these forces outside its cone of friction, over the largest force; 0 where all are within.
    pub cone_violation: f64,
    /// Where it is most out of balance, if no mesh was found.
    pub place: Option<[f64; 3]>,
    /// Name of the body there.
    pub body: Option<String>,
    /// What stands in the way, and what to do.
    pub message: Option<String>,
}
