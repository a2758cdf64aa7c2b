//! Hair of AMD's TressFX, `.tfx`, version 4.
//!
//! Read: strands, each of the same number of vertices; vertices of no inverse mass are held in place. Skipped by name:
//! texture points, thickness and colours. All numbers are little-endian: a header of 160 bytes (f32 version; u32 strands,
//! vertices a strand, and the offsets of positions, strand and vertex texture points, thickness and colours, 0 for none; 32
//! reserved), then four f32 a vertex: x, y, z and inverse mass.

use std::path::Path;

use super::cursor::Cursor;
use super::left_out::LeftOut;
use super::{Format, ImportError, Lists, RawMesh, none_beside};
use crate::math::Vec3;
use crate::watch::Watch;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "TressFX",
    extensions: &["tfx"],
    doc: "TressFX .tfx, version 4: hair strands, with the vertices that are held; not texture points, thickness, colours",
    matches: |content| {
        let word = |n: usize| content.get(4 * n..4 * n + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
        word(0) == Some(VERSION.to_bits()) && word(3).is_some_and(|offset| (HEADER..content.len()).contains(&(offset as usize)))
    },
    beside: none_beside,
    read,
};

const VERSION: f32 = 4.0;
/// Bytes of the header.
const HEADER: usize = 160;
/// Bytes of a vertex.
const VERTEX: usize = 16;
/// What the offsets behind that of the positions lead to.
const SKIPPED: [&str; 4] = ["strand texture points", "vertex texture points", "strand thickness", "vertex colours"];

fn read(path: &Path, content: &[u8], watch: &dyn Watch) -> Result<RawMesh, ImportError> {
    let mut cursor = Cursor::new(path, content, watch);
    cursor.binary = true;
    let version = f32::from_le_bytes(cursor.array("the version")?);
    if version != VERSION {
        return Err(cursor.error_at(
            0,
            format!("version {version} is expected to be 4: this is no TressFX file, or of an older version; export it as TressFX 4"),
        ));
    }
    let mut word = |what: &str| Ok::<_, ImportError>(u32::from_le_bytes(cursor.array(what)?) as usize);
    let (strands, length) = (word("the number of strands")?, word("the number of vertices a strand")?);
    let offset = word("the place of the positions")?;
    let mut left_out = LeftOut::default();
    for name in SKIPPED {
        if word("the place of a section")? != 0 {
            left_out.section(name);
        }
    }
    if strands == 0 || length < 2 {
        return Err(cursor.error_at(4, format!("{strands} strands of {length} vertices: there is nothing to read")));
    }
    let count = strands.saturating_mul(length);
    if offset < HEADER || count.saturating_mul(VERTEX).saturating_add(offset) > content.len() {
        let message = format!("{strands} strands of {length} vertices from byte {offset} on do not fit; the file is damaged or cut off");
        return Err(cursor.error_at(12, message));
    }
    cursor.at = offset;
    let mut mesh = RawMesh { format: FORMAT.name, ..RawMesh::default() };
    mesh.positions.reserve_exact(count);
    for vertex in 0..count as u32 {
        cursor.tick()?;
        let mut number = || cursor.binary_f32("a coordinate").map(f64::from);
        mesh.positions.push(Vec3::new(number()?, number()?, number()?));
        if f32::from_le_bytes(cursor.array("an inverse mass")?) == 0.0 {
            mesh.fixed.push(vertex);
        }
    }
    mesh.strands = Lists { ends: (1..=strands).map(|n| (n * length) as u32).collect(), vertices: (0..count as u32).collect() };
    left_out.tell(&mut mesh);
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::watch::Unwatched;

    const SAMPLE: &[u8] = include_bytes!("samples/two_strands.tfx");

    #[test]
    fn strands_hang_from_their_roots() {
        let raw = read(Path::new("a.tfx"), SAMPLE, &Unwatched).unwrap();
        assert_eq!(raw.strands.iter().collect::<Vec<_>>(), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(raw.fixed, [0, 3]);
        assert_eq!(raw.positions[4], Vec3::new(1.0, 0.0, -0.25));
        assert_eq!(raw.unused_sections, ["strand texture points"]);
    }

    #[test]
    fn damage_is_named_with_its_place() {
        let message = |at: usize, bytes: &[u8]| {
            let mut content = SAMPLE.to_vec();
            content[at..at + bytes.len()].copy_from_slice(bytes);
            read(Path::new("a.tfx"), &content, &Unwatched).unwrap_err().to_string()
        };
        let table = [
            (message(0, b"numS"), "byte 0: version"),
            (message(4, &[255; 8]), "byte 12: 4294967295 strands of 4294967295 vertices"),
            (message(4, &[0; 4]), "byte 4: 0 strands"),
            (message(8, &[1, 0, 0, 0]), "of 1 vertices"),
            (message(12, &[0; 4]), "from byte 0 on do not fit"),
            (message(HEADER + 20, &f32::NAN.to_le_bytes()), "byte 180: a coordinate is NaN"),
        ];
        for (found, expected) in table {
            assert!(found.contains(expected), "{found}");
        }
        assert!((0..HEADER + 6 * VERTEX).all(|length| read(Path::new("a.tfx"), &SAMPLE[..length], &Unwatched).is_err()));
    }
}
