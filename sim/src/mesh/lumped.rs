//! Lumped masses: each cell gives every one of its vertices the same share of its mass.

use super::quality::signed_volume;
use crate::math::Vec3;

/// Lumped mass of each vertex at `positions` [m] of tets with a density each [kg/m^3], in kg.
pub fn of_tets(tets: &[[u32; 4]], positions: &[Vec3], density: &[f64]) -> Vec<f64> {
    lumped(tets.iter().zip(density), positions, |x, density| 0.25 * density * signed_volume(x))
}

/// The same of triangles with a mass per area each [kg/m^2].
pub fn of_triangles(triangles: &[[u32; 3]], positions: &[Vec3], per_area: &[f64]) -> Vec<f64> {
    let share = |[a, b, c]: &[Vec3; 3], per_area: &f64| per_area * (b - a).cross(&(c - a)).norm() / 6.0;
    lumped(triangles.iter().zip(per_area), positions, share)
}

/// The same of lines of this mass per length [kg/m].
pub fn of_lines(lines: &[[u32; 2]], positions: &[Vec3], per_length: f64) -> Vec<f64> {
    let share = |[a, b]: &[Vec3; 2], per_length: &f64| 0.5 * per_length * (b - a).norm();
    lumped(lines.iter().zip(std::iter::repeat(&per_length)), positions, share)
}

/// The same of cells with this mass each [kg], over so many vertices.
pub fn of_cells<const N: usize>(cells: &[[u32; N]], vertices: usize, masses: &[f64]) -> Vec<f64> {
    let positions = vec![Vec3::zeros(); vertices];
    lumped(cells.iter().zip(masses), &positions, |_, mass| mass / N as f64)
}

fn lumped<'a, const N: usize>(
    cells: impl Iterator<Item = (&'a [u32; N], &'a f64)>,
    positions: &[Vec3],
    share: impl Fn(&[Vec3; N], &f64) -> f64,
) -> Vec<f64> {
    let mut masses = vec![0.0; positions.len()];
    for (cell, density) in cells {
        let share = share(&cell.map(|v| positions[v as usize]), density);
        cell.iter().for_each(|&vertex| masses[vertex as usize] += share);
    }
    masses
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
