//! Triangles in any state made fit for winding numbers: each counted once, neighbours that agree, parts that face outward.
//!
//! Nothing is moved or closed. To tell what is wrong with a surface is the task of [`crate::mesh::health`]; here it must do no harm.

use rayon::slice::ParallelSliceMut;

use crate::math::Vec3;
use crate::mesh::health::{Mates, equal_vertices, inside_out, is_bulky, sides};
use crate::watch::{Cancelled, Watch};

/// What was done to the triangles before filling; the file is left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct SoupRepairs {
    /// Triangles with two corners at one place, left out.
    pub degenerate: usize,
    /// Triangles given more than once, or back to back, left out.
    pub duplicate: usize,
    /// Triangles turned around.
    pub turned: usize,
    /// Edges with one triangle.
    pub open_edges: usize,
}

/// Triangles that count.
#[derive(Debug, Clone, Default)]
pub struct Soup {
    /// As vertices of the caller: of those at one place, the first.
    pub triangles: Vec<[u32; 3]>,
    /// What was changed.
    pub repairs: SoupRepairs,
}

impl Soup {
    /// Cleans triangles with valid corners and finite positions.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]], watch: &dyn Watch) -> Result<Self, Cancelled> {
        watch.check()?;
        let first = equal_vertices(positions);
        watch.check()?;
        let mut soup = Self::default();
        let welded = triangles.iter().map(|t| t.map(|v| first[v as usize]));
        soup.triangles = welded.filter(|[a, b, c]| a != b && b != c && c != a).collect();
        soup.repairs.degenerate = triangles.len() - soup.triangles.len();
        soup.drop_duplicates();
        watch.check()?;
        let mates = Mates::of(&soup.triangles);
        soup.repairs.open_edges = mates.open().count();
        watch.check()?;
        let sides = sides(positions, &soup.triangles, &mates);
        watch.check()?;
        let mut turn = sides.against.clone();
        for shell in inside_out(positions, &soup.triangles, &sides) {
            sides.shells[shell].triangles.iter().for_each(|&t| turn[t as usize] ^= true);
        }
        soup.repairs.turned = turn.iter().filter(|turn| **turn).count();
        soup.triangles.iter_mut().zip(&turn).filter(|(_, turn)| **turn).for_each(|(t, _)| t.swap(1, 2));
        watch.check()?;
        Ok(soup)
    }

    /// Of triangles with the same corners keeps one, facing as most do; none where as many face either way.
    fn drop_duplicates(&mut self) {
        let mut named: Vec<([u32; 3], u32)> = self.triangles.iter().map(|t| sorted(*t).0).zip(0..).collect();
        named.par_sort_unstable();
        let mut kept = vec![true; self.triangles.len()];
        for same in named.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            let way = |t: u32| sorted(self.triangles[t as usize]).1;
            let sum: i32 = same.iter().map(|(_, t)| way(*t)).sum();
            same.iter().for_each(|(_, t)| kept[*t as usize] = false);
            if let Some((_, t)) = same.iter().find(|(_, t)| way(*t) * sum > 0) {
                kept[*t as usize] = true;
            }
        }
        let before = self.triangles.len();
        let mut fate = kept.iter();
        self.triangles.retain(|_| fate.next() == Some(&true));
        self.repairs.duplicate = before - self.triangles.len();
    }
}

/// The corners in ascending order, and 1 if that is the same way around, else -1.
fn sorted([a, b, c]: [u32; 3]) -> ([u32; 3], i32) {
    let mut corners = [a, b, c];
    corners.sort_unstable();
    let [low, middle, _] = corners;
    (corners, if [[a, b], [b, c], [c, a]].contains(&[low, middle]) { 1 } else { -1 })
}

/// Whether as many triangles run through each edge one way as the other: then the surface has no rim, and winding numbers are
/// whole.
pub fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| ([a.min(b), a.max(b)], if a < b { 1 } else { -1 }));
    let mut all: Vec<([u32; 2], i32)> = triangles.iter().flat_map(sides).collect();
    all.par_sort_unstable();
    all.chunk_by(|a, b| a.0 == b.0).all(|edge| edge.iter().map(|(_, way)| way).sum::<i32>() == 0)
}

/// Whether triangles enclose a volume worth mentioning beside their area, seen from their middle.
pub fn has_inside(positions: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    let corners = || triangles.iter().map(|t| t.map(|v| positions[v as usize]));
    let middle = corners().flatten().sum::<Vec3>() / (3 * triangles.len().max(1)) as f64;
    let volume = corners().map(|t| t.map(|p| p - middle)).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum::<f64>();
    is_bulky(volume, corners().map(|corners| area(&corners)).sum())
}

fn area([a, b, c]: &[Vec3; 3]) -> f64 {
    0.5 * (b - a).cross(&(c - a)).norm()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::mesh::TriangleMesh;
    use crate::watch::Unwatched;

    fn volume(positions: &[Vec3], soup: &Soup) -> f64 {
        soup.triangles.iter().map(|t| t.map(|v| positions[v as usize])).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
    }

    fn cube(center: f64, size: f64) -> TriangleMesh {
        TriangleMesh::cuboid(&Vec3::repeat(center), &Vec3::repeat(size), [0.0; 3])
    }

    #[test]
    fn a_cube_survives_what_files_do_to_it() {
        let TriangleMesh { positions, triangles } = cube(0.5, 1.0);
        // Every triangle with its own corners, one flipped, one twice, one of another place back to back, one flat.
        let mut corners: Vec<Vec3> = triangles.iter().flatten().map(|&v| positions[v as usize]).collect();
        corners.extend([Vec3::new(0.2, 0.2, 0.2), Vec3::new(0.8, 0.2, 0.3), Vec3::new(0.3, 0.8, 0.2)]);
        let mut soup: Vec<[u32; 3]> = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        soup[4].swap(0, 1);
        soup.extend([[0, 1, 2], [36, 37, 38], [38, 37, 36], [0, 1, 1]]);
        let clean = Soup::new(&corners, &soup, &Unwatched).unwrap();
        assert_eq!(clean.repairs, SoupRepairs { degenerate: 1, duplicate: 3, turned: 1, open_edges: 0 });
        assert!(is_closed(&clean.triangles) && (volume(&corners, &clean) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn inside_out_is_turned_and_a_hollow_stays() {
        let (outer, inner) = (cube(0.0, 1.0), cube(0.1, 0.5));
        let positions = [outer.positions, inner.positions].concat();
        let flipped = |t: &[u32; 3]| [t[0], t[2], t[1]];
        let shifted = |t: &[u32; 3]| t.map(|v| v + 8);
        let hollow: Vec<[u32; 3]> =
            outer.triangles.iter().copied().chain(inner.triangles.iter().map(shifted).map(|t| flipped(&t))).collect();
        let clean = Soup::new(&positions, &hollow, &Unwatched).unwrap();
        assert_eq!((clean.repairs.turned, is_closed(&clean.triangles)), (0, true));
        assert!((volume(&positions, &clean) - 0.875).abs() < 1e-12);

        let inside_out: Vec<[u32; 3]> = outer.triangles.iter().map(flipped).collect();
        let clean = Soup::new(&positions, &inside_out[1..], &Unwatched).unwrap();
        assert_eq!((clean.repairs.turned, is_closed(&clean.triangles), clean.repairs.open_edges), (11, false, 3));
        assert!(volume(&positions, &clean) > 0.8);
    }
}
