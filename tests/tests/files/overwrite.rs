//! No command writes over a file that it reads, under whatever name; missing folders are named before any work.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aplomb_tests::{errors, run_in};

/// A scene with files of every kind that a scene reads: a tet in a pair of files, its rest mesh, an obstacle whose numbers lie in a
/// file beside it. All of them, and a prepared asset.
fn scene(folder: &Path) -> Vec<&'static str> {
    let write = |name: &str, content: &[u8]| std::fs::write(folder.join(name), content).unwrap();
    let points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let rows = |end: &str| points.map(|[x, y, z]| format!("{x} {y} {z}{end}\n"));
    let numbered: String = rows("").iter().enumerate().map(|(i, row)| format!("{i} {row}")).collect();
    write("pair.node", format!("4 3 0 0\n{numbered}").as_bytes());
    write("pair.ele", b"1 4 0\n0 0 1 2 3\n");
    let medit = format!("MeshVersionFormatted 2\nDimension 3\nVertices\n4\n{}Tetrahedra\n1\n1 2 3 4 0\nEnd\n", rows(" 0").concat());
    write("rest.mesh", medit.as_bytes());
    let numbers: Vec<u8> = points.as_flattened().iter().flat_map(|&x| (x as f32 - 3.0).to_le_bytes()).collect();
    write("numbers.bin", &numbers);
    let gltf = serde_json::json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "buffers": [{ "uri": "numbers.bin", "byteLength": 48 }],
    });
    write("wall.gltf", gltf.to_string().as_bytes());
    let scene = serde_json::json!({
        "version": 1, "name": "held",
        "bodies": [{
            "name": "tet", "mesh": "pair.node", "rest_mesh": "rest.mesh",
            "material": { "law": "corotated", "young": 1e6, "poisson": 0.3, "density": 1000.0 },
            "regions": [{ "name": "foot", "select": [{ "vertices": [0, 1, 2] }], "role": { "dirichlet": {} } }],
        }],
        "obstacles": [{ "name": "wall", "shape": { "mesh": { "mesh": "wall.gltf" } } }],
    });
    write("scene.json", scene.to_string().as_bytes());
    vec!["scene.json", "pair.node", "pair.ele", "rest.mesh", "wall.gltf", "numbers.bin"]
}

/// Every way to write a file, with `{}` for the file; other files that it needs go elsewhere.
const WAYS: &[&str] = &[
    "init scene.json --report {}",
    "init scene.json --out {}.vtu",
    "simulate scene.json --steps 1 --report {}",
    "simulate scene.json --steps 1 --record {}",
    "simulate scene.json --steps 1 --csv {}",
    "export scene.json --out {}.obj",
    "export scene.json --out new.obj --report {}",
    "rest scene.json --out {}",
    "rest scene.json --out new.mesh --scene {}",
    "rest scene.json --out new.mesh --scene new.json --prepared {}.vtu",
    "rest scene.json --report {}",
    "render scene.json --size 8x8 --out {}",
    "nudge scene.json --report {}",
];

/// Arguments of `way` with the target in its place. What an extension has to say is said by a link of that extension.
fn filled(way: &str, folder: &Path, target: &str) -> Vec<String> {
    let fill = |word: &str| match word.strip_prefix("{}") {
        Some("") => target.to_owned(),
        Some(extension) => {
            let link = format!("link{extension}");
            let _ = std::fs::remove_file(folder.join(&link));
            std::fs::hard_link(folder.join(target), folder.join(&link)).unwrap();
            link
        }
        None => word.to_owned(),
    };
    way.split(' ').map(fill).collect()
}

fn contents(folder: &Path, files: &[&str]) -> BTreeMap<String, Vec<u8>> {
    files.iter().map(|file| ((*file).to_owned(), std::fs::read(folder.join(file)).unwrap())).collect()
}

fn refused(folder: &Path, arguments: &[String], why: &str) {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = run_in(folder, &words);
    assert!(output.status.code() == Some(1) && errors(&output).contains(why), "{words:?}: {:?} {}", output.status, errors(&output));
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let folder = tempfile::tempdir().unwrap();
    let files = scene(folder.path());
    assert_eq!(run_in(folder.path(), &["init", "scene.json"]).status.code(), Some(0), "the scene itself is sound");
    let before = contents(folder.path(), &files);
    for way in WAYS {
        for file in &files {
            refused(folder.path(), &filled(way, folder.path(), file), "was read");
        }
    }
    assert!(contents(folder.path(), &files) == before, "a file was changed");
}

#[test]
fn what_is_read_is_known_by_all_its_names() {
    let folder = tempfile::tempdir().unwrap();
    let files = scene(folder.path());
    let before = contents(folder.path(), &files);
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    for file in &files {
        let mut names = vec![format!("deep/../{file}"), folder.path().join(file).display().to_string()];
        std::fs::hard_link(folder.path().join(file), folder.path().join("deep").join(file)).unwrap();
        names.push(format!("deep/{file}"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path().join(file), folder.path().join(format!("to_{file}"))).unwrap();
            names.push(format!("to_{file}"));
        }
        for name in names {
            refused(folder.path(), &filled(WAYS[0], folder.path(), &name), "was read");
        }
    }
    assert!(contents(folder.path(), &files) == before, "a file was changed");
}

#[test]
fn whatever_a_run_needs_is_guarded() {
    // A file without which the run fails is one that it reads.
    let folder = tempfile::tempdir().unwrap();
    for file in scene(folder.path()) {
        let away = folder.path().join("away");
        std::fs::rename(folder.path().join(file), &away).unwrap();
        assert_eq!(run_in(folder.path(), &["check", "scene.json"]).status.code(), Some(1), "{file} is not needed");
        std::fs::rename(&away, folder.path().join(file)).unwrap();
    }
    assert_eq!(run_in(folder.path(), &["check", "scene.json"]).status.code(), Some(0));
}

#[test]
fn meshes_references_assets_and_frames_are_guarded_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let files = scene(folder.path());
    let before = contents(folder.path(), &files);
    let refused = |arguments: &str, why: &str| {
        refused(folder.path(), &arguments.split(' ').map(str::to_owned).collect::<Vec<_>>(), why);
    };
    for (mesh, read) in [("pair.node", "pair.ele"), ("pair.ele", "pair.ele"), ("wall.gltf", "numbers.bin")] {
        refused(&format!("import {mesh} --out {read}"), "was read");
        refused(&format!("import {mesh} --report {read}"), "was read");
    }
    assert_eq!(run_in(folder.path(), &["init", "scene.json", "--out", "start.vtu"]).status.code(), Some(0));
    refused("simulate scene.json --prepared start.vtu --steps 1 --record start.vtu", "was read");
    std::fs::write(folder.path().join("others.jsonl"), "").unwrap();
    refused("bench factor --reference others.jsonl --report others.jsonl", "was read");

    std::fs::rename(folder.path().join("rest.mesh"), folder.path().join("frame_000000.obj")).unwrap();
    let text = std::fs::read_to_string(folder.path().join("scene.json")).unwrap();
    std::fs::write(folder.path().join("scene.json"), text.replace("rest.mesh", "frame_000000.obj")).unwrap();
    refused("simulate scene.json --steps 1 --out . --format obj", "was read");
    assert!(std::fs::read(folder.path().join("frame_000000.obj")).unwrap() == before["rest.mesh"]);
}

/// The rest meshes of several bodies have names of their own, which the command line does not say.
#[test]
fn the_files_of_several_bodies_are_guarded() {
    let folder = tempfile::tempdir().unwrap();
    scene(folder.path());
    let at = |name: &str| folder.path().join(name);
    let text = std::fs::read_to_string(at("scene.json")).unwrap();
    let mut two: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut second = two["bodies"][0].clone();
    (second["name"], second["transform"]) = ("other".into(), serde_json::json!({ "translate": [5, 0, 0] }));
    two["bodies"].as_array_mut().unwrap().push(second);
    std::fs::write(at("two.json"), two.to_string()).unwrap();
    let rest = |arguments: &str| arguments.split(' ').map(str::to_owned).collect::<Vec<_>>();
    refused(folder.path(), &rest("rest two.json --out new.mesh --report new_other.mesh"), "two of the files");
    assert!(!at("new_tet.mesh").exists() && !at("new_other.mesh").exists());
    let whole = run_in(folder.path(), &["rest", "two.json", "--out", "new.mesh"]);
    assert_eq!(whole.status.code(), Some(0), "{}", errors(&whole));

    // What a body reads, and the scene itself, have the name that a body is to have.
    std::fs::copy(at("rest.mesh"), at("mine_tet.mesh")).unwrap();
    two["bodies"][1]["rest_mesh"] = "mine_tet.mesh".into();
    std::fs::write(at("mine.json"), two.to_string()).unwrap();
    std::fs::copy(at("two.json"), at("own_other.mesh")).unwrap();
    let before = contents(folder.path(), &["mine_tet.mesh", "own_other.mesh"]);
    refused(folder.path(), &rest("rest mine.json --out mine.mesh"), "was read");
    refused(folder.path(), &rest("rest own_other.mesh --out own.mesh"), "was read");
    assert!(contents(folder.path(), &["mine_tet.mesh", "own_other.mesh"]) == before, "a file was changed");
}

#[test]
fn targets_are_looked_at_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    scene(folder.path());
    // A scene that cannot be read: what is said of the target is said first.
    std::fs::write(folder.path().join("scene.json"), "{").unwrap();
    for way in WAYS {
        let arguments = |target: &str| way.replace("{}", target).split(' ').map(str::to_owned).collect::<Vec<_>>();
        refused(folder.path(), &arguments("no/such/file"), "there is no folder no/such; make it first");
        for extension in ["", ".vtu", ".obj"] {
            std::fs::create_dir_all(folder.path().join(format!("deep{extension}"))).unwrap();
        }
        refused(folder.path(), &arguments("deep"), "it is a folder");
    }
    for wrong in [
        "init scene.json --out a.vtu --report ./a.vtu",
        "simulate scene.json --record A.csv --csv a.csv",
        "simulate scene.json --out run --report run/frames.pvd",
        "simulate scene.json --out rest.mesh",
        "rest scene.json --out a.mesh --report a.mesh",
        "import rest.mesh --out a.json --report a.json",
    ] {
        let output = run_in(folder.path(), &wrong.split(' ').collect::<Vec<_>>());
        assert!(output.status.code() == Some(1) && errors(&output).contains("cannot be written"), "{wrong}: {}", errors(&output));
    }
}

#[test]
fn other_files_are_written_over_as_ever() {
    let folder = tempfile::tempdir().unwrap();
    scene(folder.path());
    for _ in 0..2 {
        let run = ["simulate", "scene.json", "--steps", "1", "--out", "run", "--report", "run/report.json", "--csv", "run/table.csv"];
        let output = run_in(folder.path(), &run);
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    }
    let written: Vec<PathBuf> = std::fs::read_dir(folder.path().join("run")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(written.len(), 5, "{written:?}");
}
