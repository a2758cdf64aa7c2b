//! Surfaces of triangles: of solids of revolution, boxes and squares, and of mesh files.

use std::f64::consts::TAU;

use super::TetMesh;
use super::check::to_scene;
use super::health::has_no_area;
use crate::import::RawMesh;
use crate::import::UpAxis;
use crate::math::Vec3;

/// Twice the area of a triangle over the square of its longest edge up to which it has no normal that could be told.
const LEAST_AREA: f64 = 1e-12;

/// A surface of triangles. Every vertex is used, and every triangle has an area.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TriangleMesh {
    /// Vertex positions [m].
    pub positions: Vec<Vec3>,
    /// Corners; outward oriented where the surface is closed.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// A line of points (radius, height) [m] turned around the `axis` through `center`, in so many straight pieces; `closed`
    /// joins its last point to its first. Points of radius 0 become poles. Triangles face outward where the line rises.
    pub fn revolution(center: &Vec3, axis: &Vec3, profile: &[[f64; 2]], closed: bool, segments: u32) -> Self {
        let (u, v, axis) = frame(axis);
        let mut mesh = Self::default();
        let mut rings: Vec<Vec<u32>> = Vec::new();
        for &[radius, height] in profile {
            let first = mesh.positions.len() as u32;
            let count = if radius == 0.0 { 1 } else { segments };
            let turned = |k: u32| {
                let (sin, cos) = (TAU * f64::from(k) / f64::from(segments)).sin_cos();
                center + radius * (cos * u + sin * v) + height * axis
            };
            mesh.positions.extend((0..count).map(turned));
            rings.push((0..segments).map(|k| first + k % count).collect());
        }
        let next = |i: usize| if closed { Some((i + 1) % rings.len()) } else { Some(i + 1).filter(|&i| i < rings.len()) };
        for (low, high) in (0..rings.len()).filter_map(|i| Some((&rings[i], &rings[next(i)?]))) {
            for k in 0..segments as usize {
                let l = (k + 1) % segments as usize;
                let halves = [[low[k], low[l], high[k]], [low[l], high[l], high[k]]];
                mesh.triangles.extend(halves.into_iter().filter(|[a, b, c]| a != b && b != c && c != a));
            }
        }
        mesh
    }

    /// All points within `radius` of the segment from `from` to `to` [m]; a ball where both are one.
    pub fn capsule(from: &Vec3, to: &Vec3, radius: f64, segments: u32) -> Self {
        let length = (to - from).norm();
        let axis = if length > 0.0 { to - from } else { Vec3::y() };
        let quarter = segments.div_ceil(4).max(2);
        let arc = |first: u32, last: u32, height: f64| {
            (first..=last).map(move |k| {
                let (sin, cos) = (0.25 * TAU * (f64::from(k) / f64::from(quarter) - 1.0)).sin_cos();
                [if k == 0 || k == 2 * quarter { 0.0 } else { radius * cos }, height + radius * sin]
            })
        };
        let upper = if length > 0.0 { quarter } else { quarter + 1 };
        let profile: Vec<_> = arc(0, quarter, 0.0).chain(arc(upper, 2 * quarter, length)).collect();
        Self::revolution(from, &axis, &profile, false, segments)
    }

    /// A ring with a round section [m].
    pub fn torus(center: &Vec3, axis: &Vec3, ring_radius: f64, tube_radius: f64, segments: u32) -> Self {
        let around_tube = (f64::from(segments) * tube_radius / ring_radius).round().max(8.0) as u32;
        let point = |k: u32| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(around_tube)).sin_cos();
            [ring_radius + tube_radius * cos, tube_radius * sin]
        };
        Self::revolution(center, axis, &(0..around_tube).map(point).collect::<Vec<_>>(), true, segments)
    }

    /// A box by its centre, edge lengths [m] and rotations about x, then y, then z [degrees].
    pub fn cuboid(center: &Vec3, size: &Vec3, rotate_degrees: [f64; 3]) -> Self {
        let rotation = crate::math::rotation(rotate_degrees);
        let corner = |k: u32| {
            let side = |axis: u32| if k >> axis & 1 == 1 { 0.5 } else { -0.5 };
            center + rotation * size.component_mul(&Vec3::new(side(0), side(1), side(2)))
        };
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Self { positions: (0..8).map(corner).collect(), triangles: quads.into_iter().flat_map(halves).collect() }
    }

    /// A square across `normal`, with its lines at the same `offsets` from the centre [m, ascending] both ways: they may
    /// lie close where something happens.
    pub fn square(center: &Vec3, normal: &Vec3, offsets: &[f64]) -> Self {
        let (u, v, _) = frame(normal);
        let count = offsets.len() as u32;
        let positions = offsets.iter().flat_map(|a| offsets.iter().map(move |b| center + *a * u + *b * v)).collect();
        let cell = |i: u32, j: u32| [i * count + j, (i + 1) * count + j, (i + 1) * count + j + 1, i * count + j + 1];
        let cells = (0..count - 1).flat_map(|i| (0..count - 1).map(move |j| cell(i, j)));
        Self { positions, triangles: cells.flat_map(halves).collect() }
    }

    /// The surface of a file's tets, or the triangles that it lists where it has no tets. `scale`: metres a unit of the
    /// file; `up`: the file's upward axis.
    ///
    /// # Errors
    /// In words: no triangles, or one without area.
    pub fn from_raw(raw: &RawMesh, scale: f64, up: UpAxis) -> Result<Self, String> {
        if !raw.tets.is_empty() {
            let mesh = TetMesh::from_raw(raw, scale, up).map_err(|error| error.to_string())?;
            return Ok(Self { positions: mesh.positions, triangles: mesh.surface }.without_loose_vertices());
        }
        if raw.triangles.is_empty() {
            return Err("the file holds neither tetrahedra nor triangles; export a surface of triangles".into());
        }
        let positions: Vec<Vec3> = raw.positions.iter().map(|p| to_scene(p, scale, up)).collect();
        for (t, triangle) in raw.triangles.iter().enumerate() {
            if let Some(vertex) = triangle.iter().find(|&&v| v as usize >= positions.len()) {
                return Err(format!("triangle {t} names vertex {vertex}, but there are only {} vertices", positions.len()));
            }
            if has_no_area(&triangle.map(|v| positions[v as usize]), LEAST_AREA) {
                return Err(format!("triangle {t} has no area; mend the mesh"));
            }
        }
        Ok(Self { positions, triangles: raw.triangles.clone() }.without_loose_vertices())
    }

    fn without_loose_vertices(self) -> Self {
        let mut new_index = vec![u32::MAX; self.positions.len()];
        self.triangles.as_flattened().iter().for_each(|&v| new_index[v as usize] = 0);
        let mut positions = Vec::new();
        for (index, position) in new_index.iter_mut().zip(&self.positions).filter(|(index, _)| **index == 0) {
            *index = positions.len() as u32;
            positions.push(*position);
        }
        let triangles = self.triangles.iter().map(|triangle| triangle.map(|v| new_index[v as usize])).collect();
        Self { positions, triangles }
    }
}

fn halves([a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

/// Two unit vectors that make a right-handed frame with the direction of `axis`, and that direction. Where vertices lie follows from it, in
/// files too: it stays as it is, whatever [`crate::math::across`] does.
fn frame(axis: &Vec3) -> (Vec3, Vec3, Vec3) {
    let axis = axis.normalize();
    let other = if axis.x.abs() < 0.6 { Vec3::x() } else { Vec3::z() };
    let u = other.cross(&axis).normalize();
    (u, axis.cross(&u), axis)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use std::f64::consts::PI;

    /// Area and enclosed volume; the volume is positive for outward triangles.
    fn area_and_volume(mesh: &TriangleMesh) -> (f64, f64) {
        let corners = mesh.triangles.iter().map(|t| t.map(|v| mesh.positions[v as usize]));
        corners
            .fold((0.0, 0.0), |(area, volume), [a, b, c]| (area + 0.5 * (b - a).cross(&(c - a)).norm(), volume + a.dot(&b.cross(&c)) / 6.0))
    }

    /// Edges that do not lie between two triangles that run through them in opposite directions.
    fn border(mesh: &TriangleMesh) -> usize {
        let mut edges: Vec<_> = mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
        edges.sort_unstable();
        let count = edges.len();
        edges.dedup();
        assert_eq!(edges.len(), count, "an edge runs the same way twice");
        edges.iter().filter(|(a, b)| edges.binary_search(&(*b, *a)).is_err()).count()
    }

    #[test]
    fn closed_shapes_have_their_area_and_volume_and_no_border() {
        let center = Vec3::new(1.0, -2.0, 0.5);
        let axis = Vec3::new(0.3, 1.0, -2.0);
        let (near, far) = (center, center + 0.7 * axis.normalize());
        let shapes = [
            (TriangleMesh::torus(&center, &axis, 0.5, 0.1, 200), 4.0 * PI * PI * 0.05, 2.0 * PI * PI * 0.5 * 0.01),
            (TriangleMesh::capsule(&center, &center, 0.5, 200), PI, PI / 6.0),
            (TriangleMesh::capsule(&near, &far, 0.5, 200), PI + 0.7 * PI, PI / 6.0 + 0.7 * 0.25 * PI),
            (TriangleMesh::cuboid(&center, &Vec3::new(1.0, 2.0, 3.0), [20.0, -30.0, 70.0]), 22.0, 6.0),
        ];
        for (mesh, area, volume) in shapes {
            let (found_area, found_volume) = area_and_volume(&mesh);
            assert_eq!(border(&mesh), 0);
            assert!((found_area / area - 1.0).abs() < 0.02, "{found_area} {area}");
            assert!((found_volume / volume - 1.0).abs() < 0.03, "{found_volume} {volume}");
        }
    }

    #[test]
    fn a_funnel_is_open_at_both_ends_and_a_cone_at_one() {
        let funnel = |profile: &[[f64; 2]]| TriangleMesh::revolution(&Vec3::zeros(), &Vec3::y(), profile, false, 12);
        assert_eq!(border(&funnel(&[[0.1, 0.0], [0.1, 0.2], [0.5, 1.0]])), 24);
        assert_eq!(border(&funnel(&[[0.0, 0.0], [0.5, 1.0]])), 12);
        let low = funnel(&[[0.1, 0.0], [0.5, 1.0]]);
        assert!(low.positions.iter().all(|p| (p.xz().norm() - 0.1 - 0.4 * p.y).abs() < 1e-12));
    }

    #[test]
    fn a_square_has_the_lines_it_was_given() {
        let square = TriangleMesh::square(&Vec3::new(0.0, 1.0, 0.0), &Vec3::new(0.0, -2.0, 0.0), &[-10.0, -1.0, 0.0, 1.0, 10.0]);
        assert!((area_and_volume(&square).0 - 400.0).abs() < 1e-9);
        assert_eq!(border(&square), 16);
        let [a, b, c] = square.triangles[0].map(|v| square.positions[v as usize]);
        assert!((b - a).cross(&(c - a)).y < 0.0, "it faces along its normal");
    }

    #[test]
    fn a_file_gives_the_surface_of_its_tets_or_its_triangles() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [9.0; 3]].map(Vec3::from).to_vec();
        let tets = RawMesh { positions: corners.clone(), tets: vec![[0, 1, 2, 3]], ..RawMesh::default() };
        let mesh = TriangleMesh::from_raw(&tets, 0.1, UpAxis::Y).unwrap();
        assert_eq!((mesh.positions.len(), mesh.triangles.len(), border(&mesh)), (4, 4, 0));
        assert!((area_and_volume(&mesh).1 - 1e-3 / 6.0).abs() < 1e-15);
        let triangles = RawMesh { positions: corners.clone(), triangles: vec![[4, 1, 2]], ..RawMesh::default() };
        let mesh = TriangleMesh::from_raw(&triangles, 1.0, UpAxis::Z).unwrap();
        assert_eq!(mesh.positions, [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [9.0, 9.0, -9.0]].map(Vec3::from));
        for bad in [vec![], vec![[0, 1, 1]], vec![[0, 1, 7]]] {
            let raw = RawMesh { positions: corners.clone(), triangles: bad, ..RawMesh::default() };
            assert!(TriangleMesh::from_raw(&raw, 1.0, UpAxis::Y).is_err());
        }
    }
}
