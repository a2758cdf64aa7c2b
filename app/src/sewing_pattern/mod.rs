//! The sewing pattern of a body laid out flat: its panels, their borders, and what is sewn to what.

mod seams;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::topology::DisjointSets;
use aplomb_sim::mesh::{BodyMesh, Cells};

pub use seams::Border;

/// A pattern as it is drawn.
#[derive(Debug, Default)]
pub struct Flat {
    /// Its points (u, v) [m].
    pub points: Vec<[f64; 2]>,
    /// The vertex of the body that each point is of; where the pattern is cut a vertex has several.
    pub vertices: Vec<u32>,
    /// The points of each triangle of the body.
    pub triangles: Vec<[u32; 3]>,
    /// The panel that each triangle is of.
    pub panel_of: Vec<u32>,
    /// The panel that each point is of.
    pub panel_at: Vec<u32>,
    /// Sides between two triangles, by their points.
    pub inner: Vec<[u32; 2]>,
    /// Lowest and highest corner of each panel [m].
    pub panels: Vec<[[f64; 2]; 2]>,
    /// The sides of triangles that have no other beside them.
    pub borders: Vec<Border>,
    /// How many seams there are.
    pub seams: usize,
}

impl Flat {
    /// Of a body; `None` where it does not rest in a pattern.
    pub fn of(mesh: &BodyMesh) -> Option<Self> {
        let (pattern, Cells::Triangles(cells)) = (mesh.pattern.as_ref()?, &mesh.cells) else { return None };
        // A point of the file may be that of several vertices.
        let mut corners: Vec<(u32, u32)> =
            cells.iter().zip(&pattern.triangles).flat_map(|(of, at)| std::array::from_fn::<_, 3, _>(|k| (of[k], at[k]))).collect();
        let own = corners.clone();
        corners.sort_unstable();
        corners.dedup();
        let number = |corner: &(u32, u32)| corners.partition_point(|known| known < corner) as u32;
        let mut flat = Self {
            points: corners.iter().filter_map(|(_, at)| pattern.points.get(*at as usize).copied()).collect(),
            vertices: corners.iter().map(|(vertex, _)| *vertex).collect(),
            triangles: own.chunks_exact(3).map(|of| [number(&of[0]), number(&of[1]), number(&of[2])]).collect(),
            ..Self::default()
        };
        if flat.points.len() != flat.vertices.len() || flat.triangles.is_empty() {
            return None;
        }
        flat.find_panels();
        (flat.borders, flat.seams) = seams::find(&flat, mesh, cells);
        Some(flat)
    }

    /// Triangles that have a side in common are of one panel.
    fn find_panels(&mut self) {
        let mut sets = DisjointSets::new(self.triangles.len());
        let sides = self.sides();
        for pair in sides.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            sets.join(pair[0].1, pair[1].1);
            self.inner.push(pair[0].0);
        }
        self.panel_of = sets.numbered();
        self.panel_at = vec![0; self.points.len()];
        let count = self.panel_of.iter().max().map_or(0, |last| *last as usize + 1);
        self.panels = vec![[[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]]; count];
        for (corners, panel) in self.triangles.iter().zip(&self.panel_of) {
            let [low, high] = &mut self.panels[*panel as usize];
            for corner in corners.map(|corner| corner as usize) {
                self.panel_at[corner] = *panel;
                let point = self.points[corner];
                for axis in 0..2 {
                    (low[axis], high[axis]) = (low[axis].min(point[axis]), high[axis].max(point[axis]));
                }
            }
        }
    }

    /// Each side of each triangle: its points in order, the triangle, and which of its sides it is; those of the same points one after the
    /// other.
    fn sides(&self) -> Vec<([u32; 2], u32, u8)> {
        let of = |(t, &[a, b, c]): (u32, &[u32; 3])| {
            [([a, b], 0u8), ([b, c], 1), ([c, a], 2)].map(|([from, to], side)| ([from.min(to), from.max(to)], t, side))
        };
        let mut sides: Vec<_> = (0..).zip(&self.triangles).flat_map(of).collect();
        sides.sort_unstable();
        sides
    }

    /// Lowest and highest corner of all panels [m].
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        let fold = |[low, high]: [[f64; 2]; 2], of: &[[f64; 2]; 2]| {
            [0, 1].map(|end| std::array::from_fn(|axis| if end == 0 { low[axis].min(of[0][axis]) } else { high[axis].max(of[1][axis]) }))
        };
        self.panels.iter().fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], fold)
    }

    /// The triangle at a place (u, v) [m] and the shares of its corners there; of those that overlap, the last, which is drawn over the others.
    pub fn triangle_at(&self, at: [f64; 2]) -> Option<(usize, [f64; 3])> {
        let shares = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
            let twice = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            let whole = twice(a, b, c);
            let shares = [twice(at, b, c) / whole, twice(a, at, c) / whole, twice(a, b, at) / whole];
            shares.iter().all(|share| *share >= 0.0).then_some(shares)
        };
        self.triangles.iter().enumerate().rev().find_map(|(t, corners)| Some((t, shares(corners)?)))
    }

    /// Where a point of a triangle of the body, whose vertices are at `positions` [m], lies in the pattern [m].
    pub fn place_of(&self, triangle: usize, point: &Vec3, positions: &[Vec3]) -> Option<[f64; 2]> {
        let corners = self.triangles.get(triangle)?;
        let vertex = |corner: u32| positions.get(self.vertices[corner as usize] as usize);
        let [a, b, c] = [vertex(corners[0])?, vertex(corners[1])?, vertex(corners[2])?];
        let normal = (b - a).cross(&(c - a));
        let share = |from: &Vec3, to: &Vec3| (from - point).cross(&(to - point)).dot(&normal) / normal.norm_squared();
        let shares = [share(b, c), share(c, a), share(a, b)];
        let at = |axis: usize| corners.iter().zip(shares).map(|(corner, share)| share * self.points[*corner as usize][axis]).sum::<f64>();
        Some([at(0), at(1)]).filter(|at| at.iter().all(|entry| entry.is_finite()))
    }

    /// The vertices of the body in a panel, increasing.
    pub fn vertices_of(&self, panel: u32) -> Vec<u32> {
        let of_panel = self.triangles.iter().zip(&self.panel_of).filter(|(_, of)| **of == panel);
        let mut vertices: Vec<u32> = of_panel.flat_map(|(corners, _)| corners.map(|corner| self.vertices[corner as usize])).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }
}

#[cfg(test)]
mod tests;
