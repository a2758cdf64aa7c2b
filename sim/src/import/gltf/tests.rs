#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use super::*;
use crate::math::Vec3;
use crate::watch::Unwatched;

const BINARY: &[u8] = include_bytes!("../samples/scene.glb");
const TEXT: &str = include_str!("../samples/scene.gltf");

fn parse(content: &[u8]) -> Result<RawMesh, ImportError> {
    read(Path::new("a.gltf"), content, &Unwatched)
}

/// The text with one thing changed.
fn changed(from: &str, to: &str) -> String {
    let text: String = TEXT.split_whitespace().collect();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn both_kinds_hold_the_same_scene() {
    let raw = parse(TEXT.as_bytes()).unwrap();
    assert_eq!(parse(BINARY).unwrap(), raw);
    assert_eq!(raw.groups, ["left", "quad", "parts/red", "parts/part 1"]);
    assert_eq!(raw.triangle_groups, [0, 0, 1, 1, 2, 2, 3, 3]);
    // The quad twice, the second mirrored and so turned round again; a strip; a fan.
    let expected = [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6], [8, 9, 10], [9, 11, 10], [13, 14, 12], [14, 15, 12]];
    assert_eq!(raw.triangles, expected);
    let normal = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| raw.positions[v as usize]);
        (b - a).cross(&(c - a)).z
    };
    for (t, area) in raw.triangles.iter().zip([4.0, 4.0, 4.0, 4.0, 1.0, 1.0, 4.0, 4.0]) {
        assert!((normal(t) - area).abs() < 1e-12, "{t:?}");
    }
    // Scaled by 2, turned by 90 degrees about z, lifted by 5; the second mirrored at x = 1.5 before.
    for (v, place) in [(1, [0.0, 2.0, 5.0]), (2, [-2.0, 2.0, 5.0]), (4, [0.0, 6.0, 5.0]), (6, [-2.0, 4.0, 5.0]), (11, [1.0, 1.0, 0.0])] {
        assert!((raw.positions[v] - Vec3::from(place)).amax() < 1e-12, "{v}: {}", raw.positions[v]);
    }
    assert_eq!(raw.texture.points[..4], [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    assert_eq!(raw.texture.triangles[..4], expected[..4]);
    assert_eq!(raw.texture.triangles[4..], [[u32::MAX; 3]; 4]);
    assert_eq!((raw.unit, raw.up), (Some(1.0), Some(UpAxis::Y)));
    assert_eq!(raw.other_elements, [("point sets".to_owned(), 1)]);
    assert_eq!(raw.unused_sections, ["EXT_unheard_of"]);
}

#[test]
fn buffers_may_lie_beside() {
    let folder = tempfile::tempdir().unwrap();
    let start = TEXT.find("data:").unwrap();
    let end = start + TEXT[start..].find('"').unwrap();
    let text = [&TEXT[..start], "sub/my%20data.bin", &TEXT[end..]].concat();
    let path = folder.path().join("a.gltf");
    let load = || read(&path, text.as_bytes(), &Unwatched);
    let missing = load().unwrap_err().to_string();
    assert!(missing.contains("my data.bin beside it, which cannot be read"), "{missing}");
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let bytes = &BINARY[BINARY.windows(4).position(|w| w == b"BIN\0").unwrap() + 4..];
    std::fs::write(folder.path().join("sub/my data.bin"), bytes).unwrap();
    assert_eq!(load().unwrap(), parse(BINARY).unwrap());
    std::fs::write(folder.path().join("sub/my data.bin"), &bytes[..40]).unwrap();
    let short = load().unwrap_err().to_string();
    assert!(short.contains("buffer 0 should have") && short.contains("cut off"), "{short}");
}

#[test]
fn scenes_may_be_left_out() {
    let all = parse(changed("\"scene\":0,\"scenes\":[{\"nodes\":[0,3]}],", "").as_bytes()).unwrap();
    assert_eq!(all.triangles.len(), 8);
    let one = parse(changed("\"scenes\":[{\"nodes\":[0,3]}]", "\"scenes\":[{\"nodes\":[3]},{}]").as_bytes()).unwrap();
    assert_eq!((one.triangles.len(), one.notes.len()), (4, 1));
    let library = TEXT.replace("\"nodes\"", "\"knots\"");
    assert_eq!(parse(library.as_bytes()).unwrap().groups, ["quad", "mesh 1/red", "mesh 1/part 1"]);
}

#[test]
fn triangles_without_three_corners_are_noted() {
    let raw = parse(changed("\"componentType\":5123,\"count\":6", "\"componentType\":5123,\"count\":5").as_bytes()).unwrap();
    assert_eq!((raw.triangles.len(), raw.notes[0].contains("2 primitives end within a triangle")), (6, true), "{:?}", raw.notes);
    // The third index of the quad, behind four vertices of 16 bytes.
    let mut content = BINARY.to_vec();
    let index = content.windows(4).position(|w| w == b"BIN\0").unwrap() + 4 + 64 + 4;
    assert_eq!(content[index], 2);
    content[index] = 1;
    let raw = parse(&content).unwrap();
    assert_eq!((raw.triangles.len(), &raw.notes[0][..]), (6, "2 triangles that name a vertex twice were left out"));
}

#[test]
fn what_is_not_read_is_refused_by_name() {
    let attributes = "\"attributes\":{\"POSITION\":0,";
    let table = [
        (changed(attributes, &format!("\"extensions\":{{\"KHR_draco_mesh_compression\":{{}}}},{attributes}")), "Draco"),
        (changed("\"bufferViews\":[{", "\"bufferViews\":[{\"extensions\":{\"EXT_meshopt_compression\":{}},"), "meshopt"),
        (changed("\"version\":\"2.0\"", "\"version\":\"1.0\""), "glTF 1.0"),
        (changed("\"asset\"", "\"assets\""), "`asset` is missing"),
        (changed("\"mode\":6", "\"mode\":7"), "mode 7"),
        (changed("\"children\":[1,2]", "\"children\":[1,0]"), "node 0 hangs in the scene twice"),
        (changed("\"children\":[1,2]", "\"children\":[1,9]"), "node 9 is referred to, but the file has only 4"),
        (changed("\"mesh\":0", "\"mesh\":5"), "mesh 5"),
        (changed("\"POSITION\":0", "\"POSITION\":1"), "accessor 1 holds SCALAR where VEC3"),
        (changed("\"indices\":1}", "\"indices\":0}"), "accessor 0 has numbers of type 5126"),
        (changed("\"componentType\":5126,\"count\":4", "\"componentType\":5126,\"count\":400"), "accessor 0 reaches beyond"),
        (changed("\"componentType\":5126,\"count\":4", "\"componentType\":5126,\"count\":3"), "refers to vertex 3, but has only 3"),
        (
            changed("\"componentType\":5126,\"count\":4", "\"componentType\":5126,\"count\":18446744073709551615"),
            "accessor 0 reaches beyond",
        ),
        (changed("\"byteStride\":16", "\"byteStride\":8"), "accessor 0 reaches beyond"),
        (changed("\"scale\":[2,2,2]", "\"scale\":[1e308,1,1]").replace("[-1,0", "[-1e308,0"), "`quad` (mesh 0, primitive 0): vertex"),
        (changed("base64,", "base32,"), "no base64"),
        (changed("\"scene\":0", "\"scene\":1"), "scene 1"),
        (TEXT.replace("\"nodes\": [", "\"nodes\": [1,"), "an object is expected"),
        ("{\"asset\":".into(), "damaged"),
    ];
    for (content, words) in table {
        let found = parse(content.as_bytes()).unwrap_err().to_string();
        assert!(found.contains(words), "{words}: {found}");
    }
}

#[test]
fn damaged_containers_are_refused() {
    let message = |content: &[u8]| parse(content).unwrap_err().to_string();
    assert!(message(&BINARY[..BINARY.len() - 1]).contains("cut off"));
    assert!(message(&[b"glTF\x01\0\0\0", &BINARY[8..]].concat()).contains("glTF 1"));
    assert!(message(&[&BINARY[..8], &[12, 0, 0, 0]].concat()).contains("is missing"));
    let mut huge = BINARY.to_vec();
    huge[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(message(&huge).contains("the file ends where a chunk"));
}

#[test]
fn a_mesh_used_too_often_is_refused_before_it_is_read() {
    // A mesh without a buffer: ten thousand points at zero, which the file need not hold.
    let accessor = "{\"componentType\":5126,\"type\":\"VEC3\",\"count\":10000}";
    let nodes = vec!["{\"mesh\":0}"; 1_000].join(",");
    let content = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{nodes}],\"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\"accessors\":[{accessor}]}}"
    );
    let found = parse(content.as_bytes()).unwrap_err().to_string();
    assert!(found.contains("uses meshes many times"), "{found}");
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let mut content = BINARY.to_vec();
    let start = content.windows(4).position(|w| w == b"BIN\0").unwrap() + 4;
    content[start + 16..start + 20].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let found = parse(&content).unwrap_err().to_string();
    assert!(found.contains("`left` (mesh 0, primitive 0): vertex 1 lies at (inf, 0, 0)"), "{found}");
}
