#![allow(clippy::unwrap_used)]
use std::fs;

use super::*;
use crate::export::tests::{cube, two_bodies};
use crate::math::Vec3;

fn sequence(name: &str) -> &'static SequenceFormat {
    SEQUENCES.iter().find(|format| format.name == name).unwrap()
}

/// Two bodies, the second of which moves by `frame` along x.
fn moved(frame: u64) -> Vec<ExportMesh> {
    let mut meshes = two_bodies();
    let mesh = &mut meshes[1];
    for p in mesh.positions.iter_mut().chain(&mut mesh.surface.points) {
        p.x += frame as f64;
    }
    meshes
}

fn moment(frame: u64) -> Moment {
    Moment { step: 2 * frame, time: 0.25 * frame as f64 }
}

/// Runs three frames, and gives what `look` sees after each and after the end.
fn run<T>(name: &str, look: impl Fn(&Path) -> T) -> (Vec<T>, T) {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = (sequence(name).begin)(folder.path(), &moved(0), 0.25).unwrap();
    let mut seen = Vec::new();
    for frame in 0..3 {
        writer.frame(moment(frame), &moved(frame)).unwrap();
        seen.push(look(folder.path()));
    }
    writer.finish().unwrap();
    (seen, look(folder.path()))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn only_frames_of_the_same_format_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let kept = [
        "frame_000001.vtu.bak",
        "frame_000002.obj",
        "frame_0000003.vtu",
        "frame_1.vtu",
        "frame_00000x.vtu",
        "frames.pvd",
        "my frame_000001.vtu",
    ];
    for name in ["frame_000000.vtu", "frame_123456789.vtu"].iter().chain(&kept) {
        fs::write(folder.path().join(name), "").unwrap();
    }
    fs::create_dir(folder.path().join("frame_000009.vtu")).unwrap();
    assert_eq!(sequence("gltf").clear(folder.path()).unwrap(), 0);
    assert_eq!(sequence("vtu").clear(folder.path()).unwrap(), 2);
    let mut left = [&kept[..], &["frame_000009.vtu"]].concat();
    left.sort_unstable();
    assert_eq!(names(folder.path()), left);
    assert!(sequence("vtu").clear(&folder.path().join("nowhere")).is_err());
}

#[test]
fn a_run_too_large_for_its_format_is_told_beforehand() {
    let meshes = two_bodies();
    for format in SEQUENCES {
        assert_eq!((format.warning)(&meshes, 1_000), None, "{}", format.name);
        assert_eq!((format.warning)(&meshes, 100_000).is_some(), format.name == "gltf", "{}", format.name);
    }
    let warning = (sequence("gltf").warning)(&meshes, 100_000).unwrap();
    assert!(warning.contains("100000 frames of 9 vertices take up to 40.0 GB") && warning.contains("--every"), "{warning}");
}

/// A body of lines is written, or the format is refused before anything is run; none is lost.
#[test]
fn no_format_loses_a_body_of_lines() {
    let strand = || ExportMesh {
        name: "strand".into(),
        lines: vec![[0, 1], [1, 2]],
        tets: Vec::new(),
        tags: Vec::new(),
        surface: crate::export::Surface::default(),
        ..cube()
    };
    let meshes = [two_bodies(), vec![strand()]].concat();
    let refuses = |format: &&SequenceFormat| {
        let folder = tempfile::tempdir().unwrap();
        let frame = (format.begin)(folder.path(), &meshes, 0.1).and_then(|mut writer| writer.frame(moment(0), &meshes));
        frame.is_err_and(|error| matches!(&error, ExportError::NoLines { body, .. } if body == "strand"))
    };
    let refused: Vec<&str> = SEQUENCES.iter().filter(refuses).map(|format| format.name).collect();
    assert_eq!(refused, ["gltf", "ply", "stl"]);
}

#[test]
fn every_format_has_files_after_each_frame() {
    for format in SEQUENCES {
        let (seen, last) = run(format.name, names);
        assert!(seen.iter().all(|names| !names.is_empty()), "{}", format.name);
        assert!(last.iter().all(|name| !name.starts_with('.')), "{}: {last:?}", format.name);
    }
}

#[test]
fn the_collection_is_whole_after_each_frame() {
    let (seen, last) = run("vtu", |folder| (names(folder), fs::read_to_string(folder.join("frames.pvd")).unwrap()));
    for (k, (names, text)) in seen.iter().enumerate() {
        let entries: Vec<String> =
            (0..=k).map(|f| format!("<DataSet timestep=\"{}\" file=\"frame_{:06}.vtu\"/>\n", 0.25 * f as f64, 2 * f)).collect();
        let head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
        assert_eq!(*text, format!("{head}{}</Collection>\n</VTKFile>\n", entries.concat()));
        assert_eq!(names.len(), k + 2);
    }
    assert_eq!(last, seen[2]);
}

#[test]
fn point_caches_hold_the_points_of_each_frame() {
    let (seen, last) = run("pc2", |folder| fs::read(folder.join("two_.pc2")).unwrap());
    for (k, bytes) in seen.iter().enumerate() {
        let word = |at: usize| i32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
        assert_eq!((&bytes[..12], word(12), word(16), word(28)), (&b"POINTCACHE2\0"[..], 1, 5, k as i32 + 1));
        assert_eq!(bytes.len(), 32 + 60 * (k + 1));
        let x = |sample: usize| f32::from_le_bytes(*bytes[32 + 60 * sample..].first_chunk().unwrap());
        assert!((0..=k).all(|sample| x(sample) == 2.0 + sample as f32));
    }
    assert_eq!(last, seen[2]);
    let (_, obj) = run("pc2", |folder| fs::read_to_string(folder.join("two_.obj")).unwrap());
    assert!(obj.contains("v 2 0 0\n") && obj.contains("f 1 4 3\n"), "{obj}");
}

#[test]
fn a_stage_is_one_file_in_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = (sequence("usda").begin)(folder.path(), &[cube()], 0.01).unwrap();
    for frame in 0..2 {
        let mut mesh = cube();
        mesh.surface.points.iter_mut().for_each(|p| *p += Vec3::y() * f64::from(frame));
        // 0.01 s is not a whole number of anything in binary.
        writer.frame(Moment { step: 0, time: 0.07 + 0.01 * f64::from(frame) }, &[mesh]).unwrap();
    }
    let root = fs::read_to_string(folder.path().join("frames.usda")).unwrap();
    assert!(root.contains("    endTimeCode = 8\n") && root.contains("timeCodesPerSecond = 100\n"), "{root}");
    assert!(
        root.contains("subLayers = [@./frames_layers/cube.extent.usda@, @./frames_layers/cube.points.usda@, @./frames_layers/still.usda@]")
    );
    let layer = fs::read_to_string(folder.path().join("frames_layers/cube.extent.usda")).unwrap();
    assert!(
        layer.ends_with("7: [(0, 0, 0), (1, 1, 1)],\n                8: [(0, 1, 0), (1, 2, 1)],\n            }\n        }\n    }\n}\n"),
        "{layer}"
    );

    writer.finish().unwrap();
    assert_eq!(names(folder.path()), ["frames.usda"]);
    let whole = fs::read_to_string(folder.path().join("frames.usda")).unwrap();
    let rest = whole.find("point3f[] primvars:rest = [(0, 0, 0), (1, 0, 0)").unwrap();
    let extent = whole.find("            float3[] extent.timeSamples = {\n                7: [(0, 0, 0), (1, 1, 1)],\n").unwrap();
    let points = whole.find("            point3f[] points.timeSamples = {\n                7: [(0, 0, 0), (1, 0, 0)").unwrap();
    assert!(rest < extent && extent < points);
    assert!(whole.contains("startTimeCode = 7\n") && whole.contains("uniform token subdivisionScheme = \"none\"\n"));
    assert_eq!(whole.matches('{').count(), whole.matches('}').count());
}

/// The JSON of a `.glb`.
fn json(bytes: &[u8]) -> serde_json::Value {
    let length = u32::from_le_bytes(*bytes[12..].first_chunk().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

#[test]
fn morph_targets_go_from_frame_to_frame() {
    let (seen, last) = run("gltf", |folder| fs::read(folder.join("frames.glb")).unwrap());
    // Written with the first and the second frame, and in the end.
    assert_eq!(seen[1], seen[2]);
    let targets = |bytes: &[u8]| json(bytes)["meshes"][1]["primitives"][0]["targets"].as_array().map_or(0, Vec::len);
    assert_eq!([targets(&seen[0]), targets(&seen[1]), targets(&last)], [0, 1, 2]);
    assert!(json(&seen[0])["animations"].is_null());

    let json = json(&last);
    let accessor = |index: &serde_json::Value| json["accessors"][index.as_u64().unwrap() as usize].clone();
    let sampler = &json["animations"][0]["samplers"][0];
    assert_eq!(accessor(&sampler["input"])["max"][0], 0.5);
    assert_eq!(accessor(&sampler["output"])["count"], 6);
    // The first body stays where it is: nothing is stored of its changes. All of the second moves: all is.
    let of_body = |body: usize| accessor(&json["meshes"][body]["primitives"][0]["targets"][1]["POSITION"]);
    assert!(of_body(0)["bufferView"].is_null() && of_body(0)["sparse"].is_null());
    assert!((of_body(1)["max"][0].as_f64().unwrap() - 2.0).abs() < 1e-6);
    let weights = accessor(&sampler["output"])["bufferView"].as_u64().unwrap() as usize;
    let view = &json["bufferViews"][weights];
    let start = last.len() - json["buffers"][0]["byteLength"].as_u64().unwrap() as usize + view["byteOffset"].as_u64().unwrap() as usize;
    let weights: Vec<f32> = last[start..start + 24].as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    assert_eq!(weights, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn additions_stand_between_head_and_tail() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text");
    let mut growing = Growing::create(&path, "[", "]").unwrap();
    growing.append("a,").unwrap();
    growing.append("b,").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "[a,b,]");
    let mut copy = Vec::new();
    growing.copy_to(&mut copy).unwrap();
    assert_eq!(copy, b"a,b,");
    growing.append("c,").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "[a,b,c,]");
}
