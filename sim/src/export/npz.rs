//! NumPy archives, `.npz`: an array each of the points, the cells, and what is known of them; doubles, to the bit.

use super::{DataArray, ExportError, Format, Grid, Part, Place, Values};
use crate::files::{npy, zip};

/// What is written.
pub const FORMAT: Format = Format {
    name: "NumPy archive",
    extension: "npz",
    doc: "points, tets and lines of all bodies with all point and cell data, an array each, to the bit",
    part: Part::Both,
    lines: true,
    points: true,
    encode: |meshes| {
        let mut grid = Grid::of(meshes);
        for array in &mut grid.arrays {
            array.name = array.key();
        }
        let ends: Vec<i32> = grid.lines.as_flattened().iter().map(|&v| v as i32).collect();
        if !ends.is_empty() {
            grid.arrays.push(DataArray { place: Place::Field, name: "lines".into(), components: 2, values: Values::I32(ends) });
        }
        packed(&grid)
    },
};

/// What points are called in an archive.
pub const POSITIONS: &str = "positions";
/// What tets are called in an archive.
pub const TETS: &str = "tets";

/// The archive of the points, the tets and the arrays of a grid, under their names.
///
/// # Errors
/// More than an archive holds.
pub fn packed(grid: &Grid) -> Result<Vec<u8>, ExportError> {
    let (points, tets) = (grid.point_values(), grid.tet_values());
    let mut files = vec![
        (format!("{POSITIONS}.npy"), npy::to_npy(&points, &[grid.points.len(), 3])),
        (format!("{TETS}.npy"), npy::to_npy(&tets, &[grid.tets.len(), 4])),
    ];
    for array in &grid.arrays {
        files.push((format!("{}.npy", array.name), npy::to_npy(&array.values, &array.shape())));
    }
    zip::pack(&files).ok_or(ExportError::TooLarge { format: "NPZ", limit: "4 GiB", remedy: "write a .vtu" })
}
