//! What a garment has beside its triangles: the flat pattern that they were cut from, and the stitches that hold them together.

/// The sewing pattern of a body of triangles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pattern {
    /// Points (u, v) [m].
    pub points: Vec<[f64; 2]>,
    /// Points of the corners of each cell.
    pub triangles: Vec<[u32; 3]>,
}

impl Pattern {
    /// The corners of a cell [m].
    pub fn corners(&self, cell: usize) -> [[f64; 2]; 3] {
        self.triangles[cell].map(|point| self.points[point as usize])
    }

    /// Area of a cell [m^2], negative where it lies with its back up.
    pub fn area(&self, cell: usize) -> f64 {
        let [a, b, c] = self.corners(cell);
        0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
    }

    /// Length of the side of a cell that begins at its corner `k` [m].
    pub fn side(&self, cell: usize, k: usize) -> f64 {
        let corners = self.corners(cell);
        let (a, b) = (corners[k % 3], corners[(k + 1) % 3]);
        (b[0] - a[0]).hypot(b[1] - a[1])
    }
}

/// A vertex that is sewn to a point of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seam {
    /// The vertex.
    pub vertex: u32,
    /// The triangle, by its number among the cells.
    pub cell: u32,
    /// Shares of its corners in the point; their sum is 1.
    pub weights: [f64; 3],
}
