//! Texture coordinates as what cloth is cut by.

use aplomb_sim::import::RawMesh;

/// The panels that the texture coordinates of a file are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// Width and height of all panels [units of the file].
    pub size: [f64; 2],
    /// Area of the surface over that of the panels; near 1 where they are cut to size.
    pub ratio: f64,
}

impl Cut {
    /// Those of a file; none where a triangle has no texture coordinates, or where all of them have no area.
    pub fn of(raw: &RawMesh) -> Option<Self> {
        if raw.triangles.is_empty() || raw.texture.triangles.len() != raw.triangles.len() {
            return None;
        }
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let (mut flat, mut area) = (0.0, 0.0);
        for (corners, points) in raw.triangles.iter().zip(&raw.texture.triangles) {
            let point = |k: usize| raw.texture.points.get(points[k] as usize);
            let (a, b, c) = (point(0)?, point(1)?, point(2)?);
            for of in [a, b, c] {
                for axis in 0..2 {
                    (low[axis], high[axis]) = (low[axis].min(of[axis]), high[axis].max(of[axis]));
                }
            }
            flat += 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs();
            let place = |k: usize| raw.positions.get(corners[k] as usize);
            area += 0.5 * (place(1)? - place(0)?).cross(&(place(2)? - place(0)?)).norm();
        }
        let ratio = area / flat;
        ratio.is_finite().then_some(Self { size: [high[0] - low[0], high[1] - low[1]], ratio })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use aplomb_sim::import::Texture;
    use aplomb_sim::math::Vec3;

    #[test]
    fn panels_have_a_size_and_an_area_where_all_triangles_have_them() {
        let positions = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 0.0, 2.0], [0.0, 0.0, 2.0]].map(Vec3::from).into();
        let points = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let corners = vec![[0, 1, 2], [0, 2, 3]];
        let mut raw =
            RawMesh { positions, triangles: corners.clone(), texture: Texture { points, triangles: corners }, ..RawMesh::default() };
        assert_eq!(Cut::of(&raw), Some(Cut { size: [1.0, 1.0], ratio: 4.0 }));
        raw.texture.triangles[1][2] = u32::MAX;
        assert_eq!(Cut::of(&raw), None, "a triangle has none");
    }
}
