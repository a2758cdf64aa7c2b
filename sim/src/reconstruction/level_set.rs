//! Points to triangles, by the library splashsurf (Löschner et al. 2023). No other file knows its types.

use splashsurf_lib::nalgebra::Vector3;
use splashsurf_lib::{GridDecompositionParameters, Parameters, SpatialDecomposition, reconstruct_surface};

use super::{Reconstruction, ReconstructionError};
use crate::math::Vec3;

/// How far the kernel of a point reaches, over the spacing: so far that points which moved by half of it, or were drawn apart to twice of it, leave
/// no holes between them.
pub const REACH: f64 = 2.5;
/// The field on the surface, where it is 1 inside: so large that sides are where the cubes of their points end.
pub const THRESHOLD: f64 = 0.62;
/// Cubes along a side of the parts that threads work on: more than the kernel reaches at any resolution, either way.
const PART: u32 = 48;

/// Vertices [m], counted from `origin`, and triangles, counter-clockwise from outside; in no order.
pub fn triangles(points: &[Vec3], origin: Vec3, settings: &Reconstruction) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), ReconstructionError> {
    // Undivided clouds would be summed up in the order of their threads. Parts take the points in their own order, in double precision
    // without instructions for several numbers at once: what two parts share is the same in both.
    let decomposition = GridDecompositionParameters { subdomain_num_cubes_per_dim: PART, auto_disable: false };
    let parameters = Parameters {
        iso_surface_threshold: THRESHOLD,
        enable_simd: false,
        spatial_decomposition: SpatialDecomposition::UniformGrid(decomposition),
        ..Parameters::new(0.5 * settings.spacing, REACH * settings.spacing, settings.cube())
    };
    let places: Vec<Vector3<f64>> = points.iter().map(|point| Vector3::from(<[f64; 3]>::from(point - origin))).collect();
    let found = reconstruct_surface::<i64, f64>(&places, &parameters).map_err(|error| ReconstructionError::Failed(error.to_string()))?;
    let positions = found.mesh.vertices.iter().map(|place| Vec3::from(<[f64; 3]>::from(*place))).collect();
    // Fewer than 2^32 vertices: each takes more memory than a machine has for so many.
    let triangles = found.mesh.triangles.iter().map(|triangle| triangle.map(|vertex| vertex as u32)).collect();
    Ok((positions, triangles))
}
