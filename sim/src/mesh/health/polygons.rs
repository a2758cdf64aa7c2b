//! Which face of the file each triangle is cut from.

use crate::import::RawMesh;

/// The faces of a file and the triangles that they are cut into.
pub struct Polygons {
    /// Face of each triangle.
    pub face: Vec<u32>,
    /// For each side of a triangle: 0 if it is a side of its face, and 1 + the face if it is a diagonal of it.
    pub cut: Vec<u32>,
    /// Whether faces are those that the file lists, and not the triangles themselves.
    pub larger: bool,
}

impl Polygons {
    /// Of a file; each of its faces gives two triangles fewer than it has corners.
    pub fn of(raw: &RawMesh) -> Self {
        let count = raw.triangles.len();
        let cut_into = |corners: usize| corners.saturating_sub(2);
        if raw.polygons.iter().map(|polygon| cut_into(polygon.len())).sum::<usize>() != count {
            return Self { face: (0..count as u32).collect(), cut: vec![0; 3 * count], larger: false };
        }
        let (mut face, mut cut) = (Vec::with_capacity(count), vec![0; 3 * count]);
        let mut sides = Vec::new();
        for (f, polygon) in (0..).zip(raw.polygons.iter()) {
            sides.clear();
            let next = polygon.iter().cycle().skip(1);
            sides.extend(polygon.iter().zip(next).map(|(&a, &b)| (a.min(b), a.max(b))));
            sides.sort_unstable();
            for t in face.len()..face.len() + cut_into(polygon.len()) {
                for k in 0..3 {
                    let (a, b) = (raw.triangles[t][k], raw.triangles[t][(k + 1) % 3]);
                    if sides.binary_search(&(a.min(b), a.max(b))).is_err() {
                        cut[3 * t + k] = f + 1;
                    }
                }
            }
            face.resize(face.len() + cut_into(polygon.len()), f);
        }
        Self { face, cut, larger: !raw.polygons.is_empty() }
    }

    /// The faces of these triangles, each once, in their order.
    pub fn faces(&self, triangles: &[u32]) -> Vec<usize> {
        let mut faces: Vec<usize> = triangles.iter().map(|&t| self.face[t as usize] as usize).collect();
        faces.dedup();
        faces
    }
}
