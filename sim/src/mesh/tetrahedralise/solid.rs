//! [`Solid`]: what a surface of triangles encloses, as a signed distance.

use super::SignedDistanceField;
use crate::math::Vec3;
use crate::mesh::closest::nearest;
use crate::mesh::triangle_tree::TriangleTree;
use crate::mesh::winding::Winding;

/// The points that a surface wraps around by more than half. Where the surface has a hole, the level set of one half
/// closes it smoothly.
pub struct Solid {
    tree: TriangleTree,
    winding: Winding,
    bounds: (Vec3, Vec3),
    closed: bool,
}

impl Solid {
    /// Prepares the surface; it has a triangle, and its corners are finite. `closed`: it has no rim.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]], closed: bool) -> Self {
        let tree = TriangleTree::new(positions, triangles);
        let winding = Winding::new(&tree);
        let bounds = tree.boxes[0];
        Self { tree, winding, bounds, closed }
    }

    /// The point of the surface nearest to `p` [m]; of a hole, nothing.
    pub fn project(&self, p: &Vec3) -> Vec3 {
        nearest(&self.tree, p, f64::INFINITY).map_or(*p, |hit| hit.point)
    }

    /// Volume enclosed [m^3]: by the divergence theorem over those triangles that part the inside from the outside.
    pub fn volume(&self) -> f64 {
        let off = 1e-7 * (self.bounds.1 - self.bounds.0).norm();
        let middle = 0.5 * (self.bounds.0 + self.bounds.1);
        let of = |corners: &[Vec3; 3]| {
            let [a, b, c] = corners.map(|x| x - middle);
            let normal = (b - a).cross(&(c - a));
            let outside = (corners[0] + corners[1] + corners[2]) / 3.0 + off * normal.normalize();
            let around = self.winding.around(&self.tree, &outside);
            if (-0.5..0.5).contains(&around) { a.dot(&b.cross(&c)) / 6.0 } else { 0.0 }
        };
        self.tree.corners.iter().map(of).sum()
    }
}

impl SignedDistanceField for Solid {
    /// The distance to the triangles, times a factor that goes from 1 through 0 to -1 as the winding number goes from 0
    /// through one half to 1: so it is continuous, its zero set is that of the winding number in holes and the surface
    /// elsewhere, and where the surface is closed it is the exact distance.
    fn distance(&self, p: &Vec3) -> f64 {
        // Beyond the box of the triangles nothing is inside.
        let beyond = (self.bounds.0 - p).sup(&(p - self.bounds.1)).max();
        let distance = nearest(&self.tree, p, f64::INFINITY).map_or(f64::INFINITY, |hit| hit.distance);
        let outside = (1.0 - 2.0 * self.winding.around(&self.tree, p)).clamp(-1.0, 1.0);
        // A point on a wall inside the solid is inside.
        let smallest = 1e-12 * (self.bounds.1 - self.bounds.0).norm();
        (outside * distance.max(smallest)).max(beyond)
    }

    fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    fn lipschitz(&self) -> f64 {
        // At a distance d from the triangles a winding number between 0 and 1 is harmonic, and such functions change by at
        // most 3/4 a distance d (Harnack); twice that, times d, and the slope of the distance itself.
        if self.closed { 1.0 } else { 2.5 }
    }
}
