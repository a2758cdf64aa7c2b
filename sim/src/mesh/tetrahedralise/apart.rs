//! Draws vertices apart that lie at one point: a stuffing doubles them where its surface met itself, and what touches from the
//! start cannot be kept apart by contact.

use super::boundary::faces;
use super::quality::dihedral_range;
use crate::math::Vec3;
use crate::mesh::health::equal_vertices;

/// Share of the way to its neighbours that each of them goes; halved as long as a tet around it would get an angle smaller than this
/// share of the smallest.
const WAY: f64 = 0.15;
const HALVINGS: i32 = 4;
const WORSE: f64 = 0.8;

/// Moves each boundary vertex that lies exactly where another one does into its own tets.
pub fn draw_apart(positions: &mut [Vec3], tets: &[[u32; 4]]) {
    let mut boundary: Vec<u32> = faces(tets).into_flattened();
    boundary.sort_unstable();
    boundary.dedup();
    let at: Vec<Vec3> = boundary.iter().map(|&v| positions[v as usize]).collect();
    let first = equal_vertices(&at);
    let mut doubled = vec![false; positions.len()];
    for (i, &first) in first.iter().enumerate().filter(|(i, first)| **first as usize != *i) {
        doubled[boundary[i] as usize] = true;
        doubled[boundary[first as usize] as usize] = true;
    }
    if !doubled.contains(&true) {
        return;
    }
    let angle = |positions: &[Vec3], tet: &[u32; 4]| dihedral_range(positions, tet).0;
    let least = tets.iter().map(|tet| angle(positions, tet)).fold(f64::INFINITY, f64::min);
    for v in (0..positions.len() as u32).filter(|&v| doubled[v as usize]) {
        let around: Vec<&[u32; 4]> = tets.iter().filter(|tet| tet.contains(&v)).collect();
        let others: Vec<Vec3> = around.iter().flat_map(|tet| tet.iter()).filter(|&&w| w != v).map(|&w| positions[w as usize]).collect();
        let from = positions[v as usize];
        let way = others.iter().sum::<Vec3>() / others.len() as f64 - from;
        for halving in 0..=HALVINGS {
            positions[v as usize] = from + WAY * 0.5f64.powi(halving) * way;
            if around.iter().all(|tet| angle(positions, tet) >= WORSE * least) {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::structured::{CubeCut, box_mesh};

    #[test]
    fn corners_at_one_point_part_and_nothing_else_moves() {
        let (lower, cubes) = box_mesh(Vec3::repeat(1.0), [2, 2, 2], CubeCut::Five);
        let count = lower.len();
        let upper = lower.iter().map(|x| x + Vec3::repeat(1.0));
        let mut positions: Vec<Vec3> = lower.iter().copied().chain(upper).collect();
        let tets: Vec<[u32; 4]> = cubes.iter().copied().chain(cubes.iter().map(|t| t.map(|v| v + count as u32))).collect();
        let before = positions.clone();
        draw_apart(&mut positions, &tets);
        let moved: Vec<usize> = (0..positions.len()).filter(|&v| positions[v] != before[v]).collect();
        assert_eq!(moved, [count - 1, count]);
        assert!((positions[count] - positions[count - 1]).norm() > 0.02);
        assert!(positions[count - 1].max() < 1.0 && positions[count].min() > 1.0);
    }
}
