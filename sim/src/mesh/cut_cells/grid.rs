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
    /// So laid over a surface that its planes are as far from all vertices as they can be.
    pub fn over(positions: &[Vec3], triangles: &[[u32; 3]], size: f64) -> Self {
        let mut used: Vec<u32> = triangles.as_flattened().to_vec();
        used.sort_unstable();
        used.dedup();
        let points: Vec<Vec3> = used.iter().map(|&v| positions[v as usize]).collect();
        let (low, high) = bounding_box(&points);
        let origin = Vec3::from_fn(|axis, _| low[axis] + middle_of_gap(points.iter().map(|p| p[axis] - low[axis]), size) - size);
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

/// The middle of the longest interval modulo `size` that holds none of the values.
fn middle_of_gap(values: impl Iterator<Item = f64>, size: f64) -> f64 {
    let mut all: Vec<f64> = values.map(|value| value.rem_euclid(size)).filter(|value| value.is_finite()).collect();
    all.sort_by(f64::total_cmp);
    let Some(&first) = all.first() else { return 0.0 };
    let next = all.iter().skip(1).copied().chain([first + size]);
    let gaps = all.iter().zip(next).map(|(a, b)| (b - a, 0.5 * (a + b)));
    // Of equal ones the first.
    gaps.fold((0.0, 0.0), |best, gap| if gap.0 > best.0 { gap } else { best }).1
}
