//! MEDIT ascii `.mesh`: vertices and tetrahedra (Frey 2001, *MEDIT: an interactive mesh visualization software*).

use std::io::{self, Write};

use super::{Format, Grid, Part};
use crate::math::Vec3;

/// What is written.
pub const FORMAT: Format = Format {
    name: "MEDIT",
    extension: "mesh",
    doc: "tets with tags, text, coordinates to the bit",
    part: Part::Tets,
    lines: false,
    points: false,
    encode: |meshes| {
        let grid = Grid::of(meshes);
        let mut bytes = Vec::new();
        // Writing to a vector cannot fail.
        let _ = write_exact(&mut bytes, &grid.points, &grid.tets, grid.tags());
        Ok(bytes)
    },
};

/// Writes `positions` [m] and `tets` (indices from 0) as a MEDIT mesh, version 2 (double precision).
///
/// Coordinates carry 9 significant digits; `tags` gives the reference of each tet, 0 where it is shorter than `tets`.
///
/// # Errors
/// Those of the writer.
pub fn write(out: &mut impl Write, positions: &[Vec3], tets: &[[u32; 4]], tags: &[i32]) -> io::Result<()> {
    let rounded: Vec<Vec3> = positions.iter().map(|p| p.map(nine_digits)).collect();
    write_exact(out, &rounded, tets, tags)
}

/// The same with coordinates that are read back to the bit.
///
/// # Errors
/// Those of the writer.
pub fn write_exact(out: &mut impl Write, positions: &[Vec3], tets: &[[u32; 4]], tags: &[i32]) -> io::Result<()> {
    writeln!(out, "MeshVersionFormatted 2\nDimension 3\n\nVertices\n{}", positions.len())?;
    for p in positions {
        writeln!(out, "{} {} {} 0", p.x, p.y, p.z)?;
    }
    writeln!(out, "\nTetrahedra\n{}", tets.len())?;
    for (t, [a, b, c, d]) in tets.iter().enumerate() {
        let tag = tags.get(t).copied().unwrap_or(0);
        writeln!(out, "{} {} {} {} {tag}", a + 1, b + 1, c + 1, d + 1)?;
    }
    writeln!(out, "\nEnd")
}

/// The number nearest to `x` of 9 significant digits.
fn nine_digits(x: f64) -> f64 {
    let rounded = format!("{x:.8e}").parse().unwrap_or(x);
    // Minus zero would be written with its sign.
    if rounded == 0.0 { 0.0 } else { rounded }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn bodies_follow_one_another() {
        let text = String::from_utf8(FORMAT.bytes(&super::super::tests::two_bodies()).unwrap()).unwrap();
        let (_, tets) = text.split_once("Tetrahedra\n").unwrap();
        assert_eq!(tets, "3\n1 2 3 4 7\n5 6 7 8 0\n6 7 8 9 -3\n\nEnd\n");
        assert!(text.contains("\n0.3333333333333333 0 0 0\n"), "{text}");
    }

    #[test]
    fn writes_indices_from_one_and_nine_digits() {
        let positions = [Vec3::new(1.0 / 3.0, -0.0, 2e-7 / 3.0), Vec3::x(), Vec3::y(), Vec3::z()];
        let mut bytes = Vec::new();
        write(&mut bytes, &positions, &[[0, 1, 2, 3]], &[7]).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[5], "0.333333333 0 0.0000000666666667 0");
        assert_eq!(&lines[10..], ["Tetrahedra", "1", "1 2 3 4 7", "", "End"]);
    }
}
