//! The surface, or the lines, that regions of a body are painted on, in the given shape.

use aplomb_sim::math::Vec3;

use crate::session::ModelBody;

/// What is painted on of a body.
pub(super) struct Painted<'a> {
    /// Places of its vertices [m]; those inside of the body are among them.
    pub positions: &'a [Vec3],
    /// Its triangles.
    pub triangles: &'a [[u32; 3]],
    /// Its lines and points; of a surface of its own there are none.
    pub lines: &'a [[u32; 2]],
}

impl<'a> Painted<'a> {
    /// Of a body: the artist's surface where it has one.
    pub fn of(body: &'a ModelBody) -> Self {
        let triangles = body.surface_triangles(false);
        match &body.skin {
            Some(skin) => Self { positions: &skin.positions, triangles, lines: &[] },
            None => Self { positions: &body.mesh.positions, triangles, lines: &body.lines },
        }
    }

    /// Which vertices are seen, and not inside.
    pub fn seen(&self) -> Vec<bool> {
        let mut seen = vec![false; self.positions.len()];
        self.edges().flatten().for_each(|end| seen[end as usize] = true);
        seen
    }

    /// Neighbouring vertices; the two of an edge come up for each of its triangles.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> {
        self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).chain(self.lines.iter().copied())
    }

    /// Unit normal of a triangle; zero where it has no area.
    pub fn normal(&self, triangle: [u32; 3]) -> Vec3 {
        let [a, b, c] = triangle.map(|vertex| self.positions[vertex as usize]);
        (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::zeros)
    }

    /// Unit normal of each vertex: the mean of those of its triangles, weighed by their angles there, so that it does not depend on how a
    /// flat part is cut into triangles. Zero where nothing has a normal, as on lines.
    pub fn normals(&self) -> Vec<Vec3> {
        let mut normals = vec![Vec3::zeros(); self.positions.len()];
        for &triangle in self.triangles {
            let normal = self.normal(triangle);
            let at = triangle.map(|vertex| self.positions[vertex as usize]);
            for corner in 0..3 {
                let [to, from] = [at[(corner + 1) % 3] - at[corner], at[(corner + 2) % 3] - at[corner]];
                let angle = to.cross(&from).norm().atan2(to.dot(&from));
                normals[triangle[corner] as usize] += angle * normal;
            }
        }
        normals.iter_mut().for_each(|normal| *normal = normal.try_normalize(1e-9).unwrap_or_else(Vec3::zeros));
        normals
    }
}
