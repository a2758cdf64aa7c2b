//! Takes back what made the boundary of a mesh pass through itself.

use super::boundary::faces;
use super::quality::dihedral_range;
use crate::math::Vec3;
use crate::mesh::health::self_intersections;
use crate::watch::{Cancelled, Watch};

/// Moves vertices around places where the boundary passes through itself back to where they were `before` [m], when it did not:
/// tets that were improved one by one know nothing of others across a narrow gap. No angle gets smaller than the smallest
/// of both meshes. Returns whether the boundary is free of itself.
///
/// # Errors
/// [`Cancelled`].
pub fn untangle(positions: &mut [Vec3], before: &[Vec3], tets: &[[u32; 4]], watch: &dyn Watch) -> Result<bool, Cancelled> {
    let faces = faces(tets);
    let angle = |positions: &[Vec3], tet: &[u32; 4]| dihedral_range(positions, tet).0;
    let mut least = None;
    let mut undone = vec![false; positions.len()];
    // Ends: each round takes some vertex back.
    loop {
        let crossing = self_intersections(positions, &faces, watch)?.triangles;
        if crossing.is_empty() {
            return Ok(true);
        }
        let least =
            *least.get_or_insert_with(|| tets.iter().map(|t| angle(positions, t).min(angle(before, t))).fold(f64::INFINITY, f64::min));
        let mut near = vec![false; positions.len()];
        crossing.iter().flat_map(|&f| faces[f as usize]).for_each(|v| near[v as usize] = true);
        let around: Vec<u32> = tets.iter().filter(|tet| tet.iter().any(|&v| near[v as usize])).flatten().copied().collect();
        if !undo(&around, positions, before, &mut undone) {
            return Ok(false);
        }
        loop {
            watch.check()?;
            let torn: Vec<u32> = tets.iter().filter(|tet| angle(positions, tet) < least).flatten().copied().collect();
            if !undo(&torn, positions, before, &mut undone) {
                break;
            }
        }
    }
}

/// Returns whether any of the vertices was not yet undone.
fn undo(vertices: &[u32], positions: &mut [Vec3], before: &[Vec3], undone: &mut [bool]) -> bool {
    let mut any = false;
    for v in vertices.iter().map(|&v| v as usize) {
        any |= !std::mem::replace(&mut undone[v], true);
        positions[v] = before[v];
    }
    any
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::mesh::structured::{CubeCut, box_mesh};
    use crate::mesh::tetrahedralise::quality::dihedral_extremes;
    use crate::watch::Unwatched;

    #[test]
    fn only_what_crosses_is_taken_back() {
        let (lower, cubes) = box_mesh(Vec3::repeat(1.0), [4, 4, 4], CubeCut::Five);
        let count = lower.len() as u32;
        let upper = lower.iter().map(|x| x + Vec3::new(0.0, 1.05, 0.0));
        let before: Vec<Vec3> = lower.iter().copied().chain(upper).collect();
        let tets: Vec<[u32; 4]> = cubes.iter().copied().chain(cubes.iter().map(|t| t.map(|v| v + count))).collect();
        // All of it is moved a little, and a corner of the lower one's top into the upper one.
        let top = (0..count as usize).find(|&v| before[v] == Vec3::new(0.5, 1.0, 0.5)).unwrap();
        let mut positions: Vec<Vec3> = before.iter().map(|x| x + Vec3::repeat(1e-3)).collect();
        positions[top].y += 0.08;
        let moved = positions.clone();
        assert!(!self_intersections(&positions, &faces(&tets), &Unwatched).unwrap().triangles.is_empty());
        assert!(untangle(&mut positions, &before, &tets, &Unwatched).unwrap());
        assert!(self_intersections(&positions, &faces(&tets), &Unwatched).unwrap().triangles.is_empty());
        assert_eq!(positions[top], before[top]);
        let kept = positions.iter().zip(&moved).filter(|(a, b)| a == b).count();
        assert!(kept > 150 && positions.iter().zip(&before).zip(&moved).all(|((p, b), m)| p == b || p == m), "{kept}");
        assert!(dihedral_extremes(&positions, &tets).0 > 0.9 * dihedral_extremes(&before, &tets).0);

        // Where it crossed before there is nothing to go back to.
        let mut crossing = moved.clone();
        assert!(!untangle(&mut crossing, &moved, &tets, &Unwatched).unwrap());
    }
}
