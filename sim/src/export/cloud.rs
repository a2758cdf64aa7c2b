//! Bodies of lone points as the surfaces around them, with what is known of the points at their vertices.

use super::{DataArray, ExportError, ExportMesh, Place, Surface, Values};
use crate::reconstruction::{Carriers, Reconstruction};
use crate::watch::Watch;

/// `meshes` with a surface around each body of lone points in place of its points, on a grid of so many cubes along their spacing
/// ([`Reconstruction::resolution`]). Data are means over the points at each vertex; the spacing is twice the radius that points have.
///
/// # Errors
/// [`ExportError::Around`] where there is no surface around a body, and [`ExportError::NoPoints`] where no body is made of points.
pub fn surfaces_of_points(meshes: &[ExportMesh], resolution: f64, watch: &dyn Watch) -> Result<Vec<ExportMesh>, ExportError> {
    if !meshes.iter().any(ExportMesh::is_points) {
        return Err(ExportError::NoPoints);
    }
    meshes.iter().map(|mesh| if mesh.is_points() { around(mesh, resolution, watch) } else { Ok(mesh.clone()) }).collect()
}

fn around(mesh: &ExportMesh, resolution: f64, watch: &dyn Watch) -> Result<ExportMesh, ExportError> {
    let settings = Reconstruction { spacing: 2.0 * mesh.surface.radius, resolution };
    let found = settings.surface(&mesh.positions, watch).map_err(|why| ExportError::Around { body: mesh.name.clone(), why })?;
    Ok(ExportMesh {
        name: mesh.name.clone(),
        data: mesh.data.iter().filter_map(|array| carried(array, &found.carriers)).collect(),
        surface: Surface { points: found.positions.clone(), triangles: found.triangles, changes: true, ..Surface::default() },
        positions: found.positions,
        ..ExportMesh::default()
    })
}

/// An array of the points at the vertices: numbers, of which there is a mean.
fn carried(array: &DataArray, carriers: &Carriers) -> Option<DataArray> {
    let Values::F64(values) = &array.values else { return None };
    let means: Vec<Vec<f64>> = (0..array.components)
        .map(|component| carriers.scalars(&values.iter().skip(component).step_by(array.components).copied().collect::<Vec<f64>>()))
        .collect();
    let vertices = means.first().map_or(0, Vec::len);
    let values = (0..vertices).flat_map(|vertex| means.iter().map(move |mean| mean[vertex])).collect();
    // A point is one cell, so that what cells have is of points too.
    let of_points = array.place != Place::Field;
    of_points.then(|| DataArray {
        place: Place::Point,
        name: array.name.clone(),
        components: array.components,
        values: Values::F64(values),
    })
}
