//! [`ExportMesh`]: a body as every format takes it.

use super::{DataArray, Place, Values};
use crate::import::{Lists, Texture};
use crate::math::Vec3;

/// A body: its tets, and the surface that stands for it in formats without tets; or its lines. Metres, y up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExportMesh {
    /// Name.
    pub name: String,
    /// Nodes [m].
    pub positions: Vec<Vec3>,
    /// Four nodes a tet.
    pub tets: Vec<[u32; 4]>,
    /// Two nodes a line, of a body that is made of lines. Of lone points, both are the same.
    pub lines: Vec<[u32; 2]>,
    /// Tag (region number) of each cell; 0 for those past its end.
    pub tags: Vec<i32>,
    /// The surface.
    pub surface: Surface,
    /// Data of the nodes ([`super::Place::Point`]) and of the tets or lines ([`super::Place::Cell`]).
    pub data: Vec<DataArray>,
}

/// A surface: the artist's where the body was made of one, otherwise the boundary of its tets.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Points [m]; of an artist's surface all that its file has, in its order.
    pub points: Vec<Vec3>,
    /// Triangles, outward oriented.
    pub triangles: Vec<[u32; 3]>,
    /// The faces that the triangles were cut from, where any has more than three corners; none otherwise.
    pub polygons: Lists,
    /// Texture points of the corners of the triangles; empty where there is none.
    pub texture: Texture,
    /// In place of triangles, of a body that is made of lines: its lines between the points. Of lone points, both ends are the same.
    pub lines: Vec<[u32; 2]>,
    /// Radius of the lines [m]; 0 where they have none.
    pub radius: f64,
    /// Whether points and triangles are others in each frame, as around a cloud. The points are then those that the data are of.
    pub changes: bool,
}

/// Whether lines are lone points, and not lines: both ends are the same.
fn are_points(lines: &[[u32; 2]]) -> bool {
    !lines.is_empty() && lines.iter().all(|[a, b]| a == b)
}

impl ExportMesh {
    /// Whether it is made of lone points.
    pub fn is_points(&self) -> bool {
        are_points(&self.lines)
    }

    /// Whether its data are of the points of its surface.
    pub fn has_data_on_surface(&self) -> bool {
        self.is_points() || self.surface.changes
    }

    /// The velocities of its nodes [m/s], where its data have some.
    pub fn velocities(&self) -> Option<Vec<Vec3>> {
        let array = self.data.iter().find(|array| array.place == Place::Point && array.components == 3 && array.key() == "velocity")?;
        let Values::F64(values) = &array.values else { return None };
        Some(values.as_chunks().0.iter().map(|&v: &[f64; 3]| Vec3::from(v)).collect())
    }
}

impl Surface {
    /// Whether it is of lone points.
    pub fn is_points(&self) -> bool {
        are_points(&self.lines)
    }

    /// Whether nothing is seen of it.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty() && self.lines.is_empty()
    }

    /// The faces as the artist made them: corners of each, as points.
    pub fn faces(&self) -> Box<dyn Iterator<Item = &[u32]> + '_> {
        if self.polygons.is_empty() { Box::new(self.triangles.iter().map(|t| t.as_slice())) } else { Box::new(self.polygons.iter()) }
    }

    /// Unit normal at each point: the mean of the triangles around it, weighed by their area; up where there is none.
    pub fn normals(&self) -> Vec<Vec3> {
        let mut sums = vec![Vec3::zeros(); self.points.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|v| self.points[v as usize]);
            let across = (b - a).cross(&(c - a));
            triangle.iter().for_each(|&v| sums[v as usize] += across);
        }
        sums.iter().map(|sum| sum.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(Vec3::y)).collect()
    }
}

/// Least and largest coordinates of points [m]; zeros where there are none.
pub fn bounds(points: &[Vec3]) -> [Vec3; 2] {
    let Some(first) = points.first() else { return [Vec3::zeros(); 2] };
    points.iter().fold([*first; 2], |[least, largest], p| [least.inf(p), largest.sup(p)])
}

/// The texture points of a surface's faces, corner by corner.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CornerTexture {
    /// Points (u, v).
    pub points: Vec<[f64; 2]>,
    /// For each corner of each face, in order, its point; `u32::MAX` where it has none. Empty where no corner has one.
    pub corners: Vec<u32>,
}

impl CornerTexture {
    /// Those of `surface`, whose triangles carry them: the triangles of a polygon follow one another.
    pub fn of(surface: &Surface) -> Self {
        let texture = &surface.texture;
        if texture.points.is_empty() {
            return Self::default();
        }
        let mut triangles = surface.triangles.iter().zip(&texture.triangles).peekable();
        let mut corners = Vec::new();
        for face in surface.faces() {
            let start = corners.len();
            corners.resize(start + face.len(), u32::MAX);
            let inside = |triangle: &[u32; 3]| triangle.iter().all(|v| face.contains(v));
            for _ in 2..face.len() {
                let Some((triangle, points)) = triangles.next_if(|(triangle, _)| inside(triangle)) else { break };
                for (v, point) in triangle.iter().zip(points) {
                    (0..face.len()).filter(|&k| face[k] == *v).for_each(|k| corners[start + k] = *point);
                }
            }
        }
        Self { points: texture.points.clone(), corners }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::cube;
    use super::*;

    #[test]
    fn polygons_take_texture_points_from_their_triangles() {
        let mut surface = cube().surface;
        assert_eq!(CornerTexture::of(&surface), CornerTexture::default());
        // A point of its own for each corner of each quad: 4 q + place in the quad; quads are cut into (a, c, d) and (a, b, c).
        surface.texture.points = (0..24).map(|k| [f64::from(k), 0.0]).collect();
        surface.texture.triangles = (0..6).flat_map(|q| [[4 * q, 4 * q + 2, 4 * q + 3], [4 * q, 4 * q + 1, 4 * q + 2]]).collect();
        assert_eq!(CornerTexture::of(&surface).corners, (0..24).collect::<Vec<u32>>());
        surface.texture.triangles[3] = [u32::MAX; 3];
        assert_eq!(CornerTexture::of(&surface).corners[4..8], [u32::MAX, u32::MAX, u32::MAX, 7]);
    }

    #[test]
    fn normals_point_outward_and_lone_points_have_one_too() {
        let mut surface = cube().surface;
        surface.points.push(Vec3::repeat(9.0));
        for (p, n) in surface.points.iter().zip(surface.normals()).take(8) {
            assert!((p - Vec3::repeat(0.5)).dot(&n) > 0.5, "{p} {n}");
            assert!((n.norm() - 1.0).abs() < 1e-15);
        }
        assert_eq!(surface.normals()[8], Vec3::y());
        assert_eq!(bounds(&surface.points), [Vec3::zeros(), Vec3::repeat(9.0)]);
    }

    #[test]
    fn faces_are_polygons_where_there_are_some() {
        let mut surface = cube().surface;
        assert!(surface.faces().all(|face| face.len() == 4));
        surface.polygons = Lists::default();
        assert_eq!(surface.faces().count(), 12);
    }
}
