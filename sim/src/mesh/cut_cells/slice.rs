//! Triangles sliced by the planes of a grid, one axis after the other.

use std::collections::HashMap;

use super::Uncut;
use super::grid::Grid;
use crate::math::Vec3;
use crate::watch::Watch;

/// Where a vertex is along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Between a plane and the next.
    In(i32),
    /// On a plane, where cutting has put it.
    On(i32),
}

impl Side {
    /// Below (-1), on (0) or above (1) a plane.
    fn of_plane(self, plane: i32) -> i32 {
        match self {
            Self::In(slab) => 2 * i32::from(slab >= plane) - 1,
            Self::On(own) => (own - plane).signum(),
        }
    }
}

/// A convex polygon of the surface within one cell, oriented as the surface.
#[derive(Debug, Clone)]
pub struct Polygon {
    pub vertices: Vec<u32>,
    pub cell: [i32; 3],
}

/// A surface in polygons.
#[derive(Debug)]
pub struct Sliced {
    pub positions: Vec<Vec3>,
    pub sides: Vec<[Side; 3]>,
    pub polygons: Vec<Polygon>,
}

/// Slices the triangles.
pub fn slice(positions: &[Vec3], triangles: &[[u32; 3]], grid: &Grid, watch: &dyn Watch) -> Result<Sliced, Uncut> {
    let side = |p: &Vec3| [0, 1, 2].map(|axis| Side::In(grid.slab(axis, p[axis])));
    let polygons = triangles.iter().map(|triangle| Polygon { vertices: triangle.to_vec(), cell: [0; 3] }).collect();
    let mut all = Sliced { positions: positions.to_vec(), sides: positions.iter().map(side).collect(), polygons };
    for axis in 0..3 {
        watch.check()?;
        all.along(axis, grid)?;
    }
    Ok(all)
}

impl Sliced {
    fn along(&mut self, axis: usize, grid: &Grid) -> Result<(), Uncut> {
        let mut cuts = HashMap::new();
        let mut done = Vec::with_capacity(self.polygons.len());
        for mut polygon in std::mem::take(&mut self.polygons) {
            // New vertices of this axis have slabs of no triangle yet: those of its own vertices bound the planes.
            let slabs = polygon.vertices.iter().filter_map(|&v| match self.sides[v as usize][axis] {
                Side::In(slab) => Some(slab),
                Side::On(_) => None,
            });
            let (low, high) = slabs.fold((i32::MAX, i32::MIN), |(low, high), slab| (low.min(slab), high.max(slab)));
            for plane in low + 1..=high {
                let (below, above) = self.split(&polygon, axis, plane, grid, &mut cuts)?;
                polygon.vertices = above;
                done.push(Polygon { vertices: below, cell: with(polygon.cell, axis, plane - 1) });
            }
            polygon.cell[axis] = high;
            done.push(polygon);
        }
        self.polygons = done;
        Ok(())
    }

    /// What is below a plane, and what is above.
    fn split(
        &mut self,
        polygon: &Polygon,
        axis: usize,
        plane: i32,
        grid: &Grid,
        cuts: &mut HashMap<(u32, u32, i32), u32>,
    ) -> Result<(Vec<u32>, Vec<u32>), Uncut> {
        let (mut below, mut above, mut crossings) = (Vec::new(), Vec::new(), 0);
        let corners = &polygon.vertices;
        for (k, &v) in corners.iter().enumerate() {
            let next = corners[(k + 1) % corners.len()];
            let [side, next_side] = [v, next].map(|v| self.sides[v as usize][axis].of_plane(plane));
            if side <= 0 {
                below.push(v);
            }
            if side >= 0 {
                above.push(v);
            }
            if side * next_side < 0 {
                let cut = self.cut([v.min(next), v.max(next)], axis, plane, grid, cuts);
                below.push(cut);
                above.push(cut);
                crossings += 1;
            }
        }
        if crossings != 2 {
            let at = self.positions[corners[0] as usize];
            let message =
                format!("a triangle near ({:.4}, {:.4}, {:.4}) has too little area to be cut; take another size", at.x, at.y, at.z);
            return Err(Uncut::Fault(message));
        }
        Ok((below, above))
    }

    /// The vertex where a plane cuts an edge: for both of its polygons the same.
    fn cut(&mut self, [a, b]: [u32; 2], axis: usize, plane: i32, grid: &Grid, cuts: &mut HashMap<(u32, u32, i32), u32>) -> u32 {
        *cuts.entry((a, b, plane)).or_insert_with(|| {
            let [p, q] = [a, b].map(|v| self.positions[v as usize]);
            let level = grid.plane(axis, plane);
            let share = ((level - p[axis]) / (q[axis] - p[axis])).clamp(0.0, 1.0);
            // Within the box of the edge, so that what is between two vertices stays there.
            let mut point = (p + share * (q - p)).sup(&p.inf(&q)).inf(&p.sup(&q));
            point[axis] = level;
            let [before, after] = [a, b].map(|v| self.sides[v as usize]);
            let side = |other: usize| match (before[other], after[other]) {
                (Side::On(own), Side::On(its)) if own == its => Side::On(own),
                _ => Side::In(grid.slab(other, point[other])),
            };
            let mut sides = [0, 1, 2].map(side);
            sides[axis] = Side::On(plane);
            self.positions.push(point);
            self.sides.push(sides);
            self.positions.len() as u32 - 1
        })
    }
}

fn with(mut cell: [i32; 3], axis: usize, slab: i32) -> [i32; 3] {
    cell[axis] = slab;
    cell
}

/// A convex polygon as triangles: the best-shaped corner is taken off until three are left.
pub fn triangulated(polygon: &[u32], positions: &[Vec3]) -> Vec<[u32; 3]> {
    let (mut left, mut triangles) = (polygon.to_vec(), Vec::with_capacity(polygon.len().saturating_sub(2)));
    let quality = |[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|v| positions[v as usize]);
        let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
        (b - a).cross(&(c - a)).norm() / longest.max(f64::MIN_POSITIVE)
    };
    while left.len() > 3 {
        let count = left.len();
        let corner = |k: usize| [left[(k + count - 1) % count], left[k], left[(k + 1) % count]];
        let (mut best, mut found) = (0, -1.0);
        for k in 0..count {
            let own = quality(corner(k));
            if own > found {
                (best, found) = (k, own);
            }
        }
        triangles.push(corner(best));
        left.remove(best);
    }
    if let [a, b, c] = left[..] {
        triangles.push([a, b, c]);
    }
    triangles
}
