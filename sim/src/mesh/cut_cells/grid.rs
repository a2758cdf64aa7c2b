//! The grid that cuts.

use crate::math::{Vec3, bounding_box};

/// Planes at `origin + k size` along each axis.
#[derive(Debug, Clone)]
pub struct Grid {
    pub origin: Vec3,
    pub size: f64,
    /// Cells that the box of the surface spans along each axis.
    spans: Vec3,
}

impl Grid {
    /// So laid over a surface that its planes pass well between all vertices, and its lines beside the diagonals of squares along the axes.
    pub fn over(positions: &[Vec3], triangles: &[[u32; 3]], size: f64) -> Self {
        let mut used: Vec<u32> = triangles.as_flattened().to_vec();
        used.sort_unstable();
        used.dedup();
        let points: Vec<Vec3> = used.iter().map(|&v| positions[v as usize]).collect();
        let (low, high) = bounding_box(&points);
        let into_gap = |axis: usize| within_gap(points.iter().map(|p| p[axis] - low[axis]), size, INTO_GAP[axis]);
        let origin = Vec3::from_fn(|axis, _| low[axis] + into_gap(axis) - size);
        Self { origin, size, spans: ((high - low) / size).map(f64::ceil).add_scalar(1.0) }
    }

    /// How many cells lie over the box of the surface.
    pub fn count(&self) -> f64 {
        self.spans.product()
    }

    /// Coordinate of a plane [m].
    pub fn plane(&self, axis: usize, number: i32) -> f64 {
        self.origin[axis] + f64::from(number) * self.size
    }

    /// The slab that a coordinate is in: above the plane of the same number, below the next.
    pub fn slab(&self, axis: usize, coordinate: f64) -> i32 {
        let mut slab = ((coordinate - self.origin[axis]) / self.size).floor() as i32;
        // As `plane` rounds.
        if coordinate < self.plane(axis, slab) {
            slab -= 1;
        } else if coordinate >= self.plane(axis, slab + 1) {
            slab += 1;
        }
        slab
    }

    /// The middle of a cell [m].
    pub fn middle(&self, cell: [i32; 3]) -> Vec3 {
        Vec3::from_fn(|axis, _| self.plane(axis, cell[axis]) + 0.5 * self.size)
    }
}

/// How far into the widest gap between vertices the planes across each axis are: sqrt(2)/4, sqrt(3)/3, 4 sqrt(5)/13. Of no small multiples of two is
/// the sum or difference whole: there, lines of the grid would run into the diagonals of squares, where surfaces have their edges.
pub const INTO_GAP: [f64; 3] = [0.353_553_390_593_273_8, 0.577_350_269_189_625_8, 0.688_020_916_153_781_5];

/// The place at a share of the longest interval modulo `size` that holds none of the values.
fn within_gap(values: impl Iterator<Item = f64>, size: f64, share: f64) -> f64 {
    let mut all: Vec<f64> = values.map(|value| value.rem_euclid(size)).filter(|value| value.is_finite()).collect();
    all.sort_by(f64::total_cmp);
    let Some(&first) = all.first() else { return 0.0 };
    let next = all.iter().skip(1).copied().chain([first + size]);
    let gaps = all.iter().zip(next).map(|(a, b)| (b - a, a + share * (b - a)));
    // Of equal ones the first.
    gaps.fold((0.0, 0.0), |best, gap| if gap.0 > best.0 { gap } else { best }).1
}
