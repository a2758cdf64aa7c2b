//! Lumped masses: each cell gives every one of its vertices the same share of its mass.

use super::quality::signed_volume;
use crate::math::Vec3;

/// Mass of each tet with its vertices at `positions` [m] and a density each [kg/m^3], in kg.
pub fn tet_masses(tets: &[[u32; 4]], positions: &[Vec3], density: &[f64]) -> Vec<f64> {
    masses(tets, positions, density, signed_volume)
}

/// The same of triangles with a mass per area each [kg/m^2].
pub fn triangle_masses(triangles: &[[u32; 3]], positions: &[Vec3], per_area: &[f64]) -> Vec<f64> {
    masses(triangles, positions, per_area, |[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm())
}

/// Lumped mass of each vertex at `positions` [m] of tets with a density each [kg/m^3], in kg.
pub fn of_tets(tets: &[[u32; 4]], positions: &[Vec3], density: &[f64]) -> Vec<f64> {
    of_cells(tets, positions.len(), &tet_masses(tets, positions, density))
}

/// The same of triangles with a mass per area each [kg/m^2].
pub fn of_triangles(triangles: &[[u32; 3]], positions: &[Vec3], per_area: &[f64]) -> Vec<f64> {
    of_cells(triangles, positions.len(), &triangle_masses(triangles, positions, per_area))
}

/// The same of lines of this mass per length [kg/m].
pub fn of_lines(lines: &[[u32; 2]], positions: &[Vec3], per_length: f64) -> Vec<f64> {
    of_cells(lines, positions.len(), &masses(lines, positions, &vec![per_length; lines.len()], |[a, b]| (b - a).norm()))
}

/// The same of cells with this mass each [kg], over so many vertices.
pub fn of_cells<const N: usize>(cells: &[[u32; N]], vertices: usize, masses: &[f64]) -> Vec<f64> {
    let mut lumped = vec![0.0; vertices];
    for (cell, mass) in cells.iter().zip(masses) {
        cell.iter().for_each(|&vertex| lumped[vertex as usize] += mass / N as f64);
    }
    lumped
}

fn masses<const N: usize>(cells: &[[u32; N]], positions: &[Vec3], density: &[f64], size: impl Fn(&[Vec3; N]) -> f64) -> Vec<f64> {
    cells.iter().zip(density).map(|(cell, density)| density * size(&cell.map(|v| positions[v as usize]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_has_its_share_of_each_cell() {
        let x = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 6.0], [0.0, 0.0, 1.0]].map(Vec3::from);
        assert_eq!(of_tets(&[[0, 1, 2, 3], [0, 1, 2, 4]], &x, &[2.0, 4.0]), [4.0, 4.0, 4.0, 3.0, 1.0]);
        assert_eq!(of_triangles(&[[0, 1, 2], [1, 0, 3]], &x, &[2.0; 2]), [6.0, 6.0, 2.0, 4.0, 0.0]);
        assert_eq!(of_cells(&[[0, 1, 2], [1, 0, 3]], 5, &[18.0, 6.0]), [8.0, 8.0, 6.0, 2.0, 0.0]);
        assert_eq!(of_lines(&[[0, 1], [2, 0]], &x, 2.0), [5.0, 2.0, 3.0, 0.0, 0.0]);
    }
}
