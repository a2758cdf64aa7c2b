//! [`Carriers`]: which points the vertices of a surface lie at, so that it shows what is known of these.

use rayon::prelude::*;

use crate::math::Vec3;

/// How far a point carries, over the spacing.
const REACH: f64 = 1.5;
/// How often the reach is doubled for a vertex that no point reaches.
const DOUBLINGS: u32 = 4;
/// Vertices that a thread looks for at a time.
const CHUNK: usize = 1024;

/// The points at each vertex, nearest first, with weights that sum up to one (Shepard 1968).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Carriers {
    ends: Vec<u32>,
    shares: Vec<(u32, f32)>,
}

impl Carriers {
    /// Those of `vertices` among `points` [m] that are this far from one another [m].
    pub(super) fn find(points: &[Vec3], vertices: &[Vec3], spacing: f64) -> Self {
        let cells = Cells::of(points, REACH * spacing);
        let chunks: Vec<Self> = vertices.par_chunks(CHUNK).map(|vertices| Self::of_chunk(points, &cells, vertices)).collect();
        let mut all =
            Self { ends: Vec::with_capacity(vertices.len()), shares: Vec::with_capacity(chunks.iter().map(|c| c.shares.len()).sum()) };
        for chunk in chunks {
            let before = all.shares.len() as u32;
            all.ends.extend(chunk.ends.iter().map(|end| before + end));
            all.shares.extend(chunk.shares);
        }
        all
    }

    fn of_chunk(points: &[Vec3], cells: &Cells, vertices: &[Vec3]) -> Self {
        let mut found = Self::default();
        let mut near: Vec<(f64, u32)> = Vec::new();
        for vertex in vertices {
            near.clear();
            for doubling in 0..=DOUBLINGS {
                let reach = cells.size * f64::from(1 << doubling);
                cells.visit(vertex, 1 << doubling, |point| {
                    let squared = (points[point as usize] - vertex).norm_squared() / (reach * reach);
                    if squared < 1.0 {
                        near.push((squared, point));
                    }
                });
                if !near.is_empty() {
                    break;
                }
            }
            near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let weight = |squared: f64| (1.0 - squared).powi(3);
            let sum: f64 = near.iter().map(|(squared, _)| weight(*squared)).sum();
            found.shares.extend(near.iter().map(|&(squared, point)| (point, (weight(squared) / sum) as f32)));
            found.ends.push(found.shares.len() as u32);
        }
        found
    }

    /// The points at `vertex`, nearest first, with their weights.
    pub fn at(&self, vertex: usize) -> &[(u32, f32)] {
        let start = vertex.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(vertex).copied().unwrap_or(start);
        self.shares.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The point that each vertex is nearest to; the first where none is near.
    pub fn nearest(&self) -> impl Iterator<Item = u32> {
        (0..self.ends.len()).map(|vertex| self.at(vertex).first().map_or(0, |(point, _)| *point))
    }

    /// What the points have, at each vertex: numbers that are none do not count, and where there is no other the vertex has none.
    pub fn scalars(&self, values: &[f64]) -> Vec<f64> {
        let mean = |vertex| {
            let known = self.at(vertex).iter().filter_map(|(point, weight)| Some((*values.get(*point as usize)?, f64::from(*weight))));
            let (sum, weights) = known
                .filter(|(value, _)| !value.is_nan())
                .fold((0.0, 0.0), |(sum, all), (value, weight)| (sum + weight * value, all + weight));
            sum / weights
        };
        (0..self.ends.len()).map(mean).collect()
    }

    /// The same of vectors.
    pub fn vectors(&self, values: &[Vec3]) -> Vec<Vec3> {
        let mean =
            |vertex| self.at(vertex).iter().filter_map(|(point, weight)| Some(*values.get(*point as usize)? * f64::from(*weight))).sum();
        (0..self.ends.len()).map(mean).collect()
    }
}

/// Points by the cells of a uniform grid.
struct Cells {
    size: f64,
    /// Cell and point, ascending.
    sorted: Vec<([i64; 3], u32)>,
}

impl Cells {
    fn of(points: &[Vec3], size: f64) -> Self {
        let mut sorted: Vec<_> = points.par_iter().zip(0..points.len() as u32).map(|(point, number)| (cell(point, size), number)).collect();
        sorted.par_sort_unstable();
        Self { size, sorted }
    }

    /// Visits the points of the cells up to so many from that of `place`.
    fn visit(&self, place: &Vec3, far: i64, mut visit: impl FnMut(u32)) {
        let [i, j, k] = cell(place, self.size);
        for column in (i - far..=i + far).flat_map(|i| (j - far..=j + far).map(move |j| [i, j])) {
            let [i, j] = column;
            let from = self.sorted.partition_point(|(cell, _)| *cell < [i, j, k - far]);
            let row = self.sorted[from..].iter().take_while(|(cell, _)| *cell <= [i, j, k + far]);
            row.for_each(|(_, point)| visit(*point));
        }
    }
}

/// The cell of a place; those beyond what can be counted are the last.
fn cell(place: &Vec3, size: f64) -> [i64; 3] {
    // Far below the largest, so that there are cells beside it.
    [place.x, place.y, place.z].map(|x| (x / size).floor().clamp(-1e15, 1e15) as i64)
}
