//! Regions on a surface: each face has one tint, so that drawn vertices stand once for each tint around them; and the edges between tints,
//! along which a border runs.

use std::collections::HashMap;

use super::normals::{Fans, NONE};

/// The drawn vertices of a mesh whose faces are tinted.
#[derive(Debug, Default)]
pub(super) struct Tinted {
    /// Of each drawn vertex beyond those of the fans, the one of the fans that it stands beside.
    pub beside: Vec<u32>,
    /// The tint of each drawn vertex: sRGB and strength.
    pub tints: Vec<[u8; 4]>,
    /// The triangles, between drawn vertices.
    pub triangles: Vec<[u32; 3]>,
    /// The borders: both ends and the third corner of the face whose side it is, and its tint.
    pub borders: Vec<([u32; 3], [u8; 4])>,
}

impl Tinted {
    /// `faces`: the tint of each triangle; those without have strength zero.
    pub fn new(fans: &Fans, faces: &[[u8; 4]]) -> Self {
        let of_face = |t: usize| faces.get(t).copied().unwrap_or_default();
        let mut tints: Vec<Option<[u8; 4]>> = vec![None; fans.sources.len()];
        let mut further: HashMap<(u32, [u8; 4]), u32> = HashMap::new();
        let mut drawn = Self { triangles: fans.triangles.clone(), ..Self::default() };
        for (t, corners) in drawn.triangles.iter_mut().enumerate() {
            let tint = of_face(t);
            for corner in corners {
                let place = *corner as usize;
                if *tints[place].get_or_insert(tint) == tint {
                    continue;
                }
                *corner = *further.entry((*corner, tint)).or_insert_with(|| {
                    drawn.beside.push(place as u32);
                    tints.push(Some(tint));
                    tints.len() as u32 - 1
                });
            }
        }
        drawn.tints = tints.into_iter().map(Option::unwrap_or_default).collect();
        for (t, (&[a, b, c], across)) in fans.triangles.iter().zip(&fans.across).enumerate() {
            let tint = of_face(t);
            let sides = [[a, b, c], [b, c, a], [c, a, b]];
            let ends = |other: u32| other == NONE || of_face(other as usize) != tint;
            drawn
                .borders
                .extend(sides.into_iter().zip(across).filter(|(_, other)| tint[3] > 0 && ends(**other)).map(|(side, _)| (side, tint)));
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use aplomb_sim::math::Vec3;

    use super::*;

    #[test]
    fn each_face_has_one_tint_and_a_border_where_another_begins() {
        // A strip of four triangles; the two in the middle are of a region.
        let positions: Vec<Vec3> = (0..6).map(|i| Vec3::new(f64::from(i / 2), f64::from(i % 2), 0.0)).collect();
        let triangles = [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]];
        let fans = Fans::new(&triangles, &positions);
        let (none, blue) = ([0; 4], [0, 0, 255, 153]);
        let tinted = Tinted::new(&fans, &[none, blue, blue, none]);
        for (triangle, tint) in tinted.triangles.iter().zip([none, blue, blue, none]) {
            assert!(triangle.iter().all(|&v| tinted.tints[v as usize] == tint), "{triangle:?}");
        }
        assert_eq!(tinted.tints.len(), fans.sources.len() + tinted.beside.len());
        let mut borders: Vec<_> = tinted.borders.iter().map(|([a, b, _], _)| [*a.min(b), *a.max(b)]).collect();
        borders.sort_unstable();
        // Two where the region ends, two where the strip does; none within.
        assert_eq!(borders, [[1, 2], [1, 3], [2, 4], [3, 4]]);
        assert!(tinted.borders.iter().all(|(_, tint)| *tint == blue));
        let plain = Tinted::new(&fans, &[]);
        assert!(plain.beside.is_empty() && plain.borders.is_empty());
    }
}
