//! Wavefront OBJ: an object a body, with the artist's polygons and texture points (Wavefront, *Object Files*, 1995).

use std::fmt::Write;

use super::mesh::CornerTexture;
use super::{ExportError, ExportMesh, Format, Part};

/// What is written.
pub const FORMAT: Format = Format {
    name: "Wavefront OBJ",
    extension: "obj",
    doc: "surface or lines: an object a body, polygons and texture points as in its file, coordinates to the bit",
    part: Part::Surface,
    lines: true,
    points: true,
    encode,
};

fn encode(meshes: &[ExportMesh]) -> Result<Vec<u8>, ExportError> {
    let mut text = String::from("# metres, y up\n");
    // Indices count through the whole file, from 1.
    let (mut first, mut first_texture) = (1, 1);
    for mesh in meshes {
        let surface = &mesh.surface;
        let texture = CornerTexture::of(surface);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "o {}", line(&mesh.name));
        for p in &surface.points {
            let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
        }
        for [u, v] in &texture.points {
            let _ = writeln!(text, "vt {u} {v}");
        }
        let mut corner = 0;
        for face in surface.faces() {
            let textures = texture.corners.get(corner..corner + face.len()).filter(|corners| !corners.contains(&u32::MAX));
            corner += face.len();
            text.push('f');
            for (k, v) in face.iter().enumerate() {
                let _ = match textures {
                    Some(textures) => write!(text, " {}/{}", first + *v as usize, first_texture + textures[k] as usize),
                    None => write!(text, " {}", first + *v as usize),
                };
            }
            text.push('\n');
        }
        for [a, b] in &surface.lines {
            let [a, b] = [a, b].map(|v| first + *v as usize);
            let _ = if a == b { writeln!(text, "p {a}") } else { writeln!(text, "l {a} {b}") };
        }
        first += surface.points.len();
        first_texture += texture.points.len();
    }
    Ok(text.into_bytes())
}

/// A name that stays on its line.
fn line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '_' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::tests::{cube, two_bodies};
    use super::*;
    use crate::import::Texture;

    fn text(meshes: &[ExportMesh]) -> String {
        String::from_utf8(FORMAT.bytes(meshes).unwrap()).unwrap()
    }

    #[test]
    fn indices_run_on_through_the_bodies() {
        let text = text(&two_bodies());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1..6], ["o one", "v 0 0 0", "v 0.3333333333333333 0 0", "v 0 1 0", "v 0 0 1"]);
        assert_eq!(lines[6], "f 2 3 4");
        assert_eq!(lines[10], "o two_");
        assert_eq!(lines.iter().filter(|l| l.starts_with("v ")).count(), 9);
        let last = lines.last().unwrap();
        assert!(last.split(' ').skip(1).all(|v| (5..=9).contains(&v.parse::<u32>().unwrap())), "{last}");
    }

    #[test]
    fn polygons_stay_whole() {
        let text = text(&[cube()]);
        assert_eq!(text.lines().filter(|l| l.starts_with("f ")).count(), 6);
        assert!(text.contains("\nf 1 4 3 2\n"), "{text}");
    }

    #[test]
    fn a_face_has_texture_points_only_if_all_its_corners_do() {
        let mut mesh = two_bodies().remove(0);
        mesh.surface.texture = Texture { points: vec![[0.0, 0.5], [1.0, 0.25]], triangles: vec![[0, 1, 1], [0, 0, u32::MAX]] };
        mesh.surface.triangles.truncate(2);
        let text = text(&[mesh]);
        assert!(text.contains("vt 0 0.5\nvt 1 0.25\nf 2/1 3/2 4/2\nf 1 4 3\n"), "{text}");
    }
}
