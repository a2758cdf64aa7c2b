//! The command line as a user meets it: exit status, messages, reports.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use aplomb_sim::export::vtu::{Grid, Values};
use aplomb_sim::math::Vec3;
use aplomb_sim::scene_file::gallery;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::watch::Unwatched;
use aplomb_tests::{errors, program};

fn aplomb(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("ended by itself")
}

/// A gallery scene copied into a folder, with an edit.
fn edited(folder: &Path, scene: &str, edit: impl Fn(&str) -> String) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("scenes").join(scene).with_extension("json")).unwrap();
    let assets = format!("{}/", root.join("assets").canonicalize().unwrap().display());
    let path = folder.join("scene.json");
    std::fs::write(&path, edit(&text.replace("../assets/", &assets))).unwrap();
    path
}

#[test]
fn gallery_and_schema_are_data_on_standard_output() {
    let gallery = aplomb(&["gallery"]);
    assert_eq!(status(&gallery), 0);
    let listed = String::from_utf8(gallery.stdout).unwrap();
    for scene in gallery::GALLERY {
        assert!(listed.lines().any(|line| line.split_whitespace().next() == Some(scene.name)), "{} is not in\n{listed}", scene.name);
    }
    let schema = aplomb(&["schema"]);
    assert_eq!(status(&schema), 0);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert!(schema["properties"]["bodies"].is_object());
}

#[test]
fn wrong_usage_is_2() {
    assert_eq!(status(&aplomb(&["init"])), 2);
    assert_eq!(status(&aplomb(&["simulate", "hanging_beam", "--seconds", "-1"])), 2);
    assert_eq!(status(&aplomb(&["init", "hanging_beam", "--method", "magic"])), 2);
}

#[test]
fn a_malformed_scene_is_1_with_every_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = edited(folder.path(), "hanging_beam", |text| text.replace("\"poisson\"", "\"poison\"").replace("neo_hookean", "rubber"));
    let output = aplomb(&["check", path.to_str().unwrap()]);
    assert_eq!(status(&output), 1);
    let errors = errors(&output);
    for words in [
        "scene.json:11:",
        "bodies[0].material.poisson: missing",
        "bodies[0].material.poison: unknown key; did you mean `poisson`?",
        "`rubber` is not known",
    ] {
        assert!(errors.contains(words), "{words} is not in\n{errors}");
    }
}

#[test]
fn meshes_at_fault_are_1_and_point_to_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let beam = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/beam.mesh")).unwrap();
    let meshes = [
        ("truncated", beam[..beam.len() / 2].to_string()),
        ("nan", beam.replacen("0.1", "nan", 1)),
        ("other_kind", "solid cube\nfacet normal 0 0 1\n".to_string()),
        ("empty", String::new()),
    ];
    for (name, content) in meshes {
        let mesh = folder.path().join(format!("{name}.mesh"));
        std::fs::write(&mesh, content).unwrap();
        let path = edited(folder.path(), "hanging_beam", |text| {
            let start = text.find("\"mesh\": \"").unwrap() + 9;
            let end = start + text[start..].find('"').unwrap();
            format!("{}{}{}", &text[..start], mesh.display(), &text[end..])
        });
        let output = aplomb(&["init", path.to_str().unwrap()]);
        assert_eq!(status(&output), 1, "{name}: {}", errors(&output));
        assert!(errors(&output).contains("bodies[0].mesh: "), "{name}: {}", errors(&output));
    }
    assert_eq!(status(&aplomb(&["check", "no_such_scene.json"])), 1);
}

#[test]
fn scenes_may_begin_with_a_mark_and_other_encodings_and_devices_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let marked = edited(folder.path(), "hanging_beam", |text| format!("\u{feff}{text}"));
    let check = |path: &Path| aplomb(&["check", path.to_str().unwrap()]);
    assert_eq!(status(&check(&marked)), 0, "{}", errors(&check(&marked)));
    let text = std::fs::read_to_string(&marked).unwrap();
    // Without its mark too.
    for text in [&text[..], text.trim_start_matches('\u{feff}')] {
        std::fs::write(&marked, text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()).unwrap();
        assert!(status(&check(&marked)) == 1 && errors(&check(&marked)).contains("UTF-16"), "{}", errors(&check(&marked)));
    }
    let pipe = folder.path().join("pipe.obj");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (path, what) in
        [(pipe.as_path(), "a pipe or a device"), (Path::new("/dev/zero"), "a pipe or a device"), (folder.path(), "a folder")]
    {
        for command in ["check", "import"] {
            let output = aplomb(&[command, path.to_str().unwrap()]);
            assert!(status(&output) == 1 && errors(&output).contains(what), "{command} {}: {}", path.display(), errors(&output));
        }
    }
}

#[test]
fn selections_past_the_mesh_are_1_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = edited(folder.path(), "hanging_beam", |text| {
        let start = text.find("\"select\": [").unwrap();
        let end = start + text[start..].find('\n').unwrap();
        format!("{}\"select\": [{{ \"vertices\": [0, 999999] }}]{}", &text[..start], &text[end..])
    });
    let output = aplomb(&["check", path.to_str().unwrap()]);
    assert_eq!(status(&output), 1);
    assert!(errors(&output).contains("bodies[0].regions[0].select[0].vertices[1]: "), "{}", errors(&output));
}

#[test]
fn what_cannot_be_reached_is_3_with_a_report() {
    let folder = tempfile::tempdir().unwrap();
    for (scene, code) in [("floating", "unsupported"), ("too_slippery", "too_little_friction"), ("too_soft", "too_soft")] {
        let report = folder.path().join(format!("{scene}.json"));
        let output = aplomb(&["init", scene, "--report", report.to_str().unwrap()]);
        assert_eq!(status(&output), 3, "{scene}: {}", errors(&output));
        let report: serde_json::Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
        assert_eq!(report["init"]["infeasible"][0]["code"], code, "{scene}");
        assert!(!report["init"]["infeasible"][0]["indices"].as_array().unwrap().is_empty(), "{scene}: no place");
    }
}

#[test]
fn a_run_writes_its_report_and_frames() {
    let folder = tempfile::tempdir().unwrap();
    let frames = folder.path().join("frames");
    let output = aplomb(&[
        "simulate",
        "hanging_beam",
        "--steps",
        "4",
        "--every",
        "2",
        "--out",
        frames.to_str().unwrap(),
        "--report",
        "-",
        "--threads",
        "1",
    ]);
    assert_eq!(status(&output), 0, "{}", errors(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["init"]["threads"], 1);
    assert_eq!(report["simulate"]["steps"], 4);
    let series = &report["simulate"]["series"];
    let phases = series["phases"].as_object().unwrap().values();
    for values in series.as_object().unwrap().values().filter(|values| !values.is_object()).chain(phases) {
        assert_eq!(values.as_array().unwrap().len(), 4);
    }
    let mut names: Vec<_> = std::fs::read_dir(&frames).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["frame_000000.vtu", "frame_000002.vtu", "frame_000004.vtu", "frames.pvd"]);
}

/// Every frame of a run, read back from its file, holds the state at that step, to the bit.
#[test]
fn frames_of_a_run_come_back_as_the_states() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        aplomb(&["simulate", "box_drop", "--steps", "27", "--every", "9", "--kick", "0.3", "--out", folder.path().to_str().unwrap()]);
    assert_eq!(status(&output), 0, "{}", errors(&output));

    let path = gallery::find("box_drop").unwrap().path();
    let scene = aplomb_sim::scene_file::load(&path).unwrap();
    let mut simulation = Simulation::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
    simulation.initialise(scene.initialise.method, &Unwatched).unwrap();
    simulation.kick(Vec3::repeat(0.3 / 3.0_f64.sqrt()));
    let bits = |vectors: &[Vec3]| vectors.iter().flat_map(|v| [v.x, v.y, v.z].map(f64::to_bits)).collect::<Vec<_>>();
    for step in 0..=27 {
        if step % 9 == 0 {
            let frame = Grid::from_vtu(&std::fs::read(folder.path().join(format!("frame_{step:06}.vtu"))).unwrap()).unwrap();
            assert_eq!(bits(&frame.points), bits(&simulation.state.positions), "step {step}");
            assert_eq!(frame.tets, simulation.system.tets());
            let velocity = frame.arrays.iter().find(|array| array.name == "velocity [m/s]").unwrap();
            let Values::F64(numbers) = &velocity.values else { panic!("no doubles") };
            assert_eq!(numbers.iter().map(|v| v.to_bits()).collect::<Vec<_>>(), bits(&simulation.state.velocities), "step {step}");
        }
        simulation.step(&Unwatched).unwrap();
    }
}

/// Ctrl-C in the middle of a run: 130, and the report holds the steps taken so far.
#[cfg(unix)]
#[test]
fn an_interrupted_run_is_130_and_its_report_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (report, frames) = (folder.path().join("report.json"), folder.path().join("frames"));
    let mut child = program()
        .args(["simulate", "hanging_beam", "--steps", "1000000", "--every", "1"])
        .args(["--report".as_ref(), report.as_os_str(), "--out".as_ref(), frames.as_os_str()])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !frames.join("frame_000002.vtu").exists() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    assert_eq!(report["simulate"]["cancelled"], true);
    assert!(report["simulate"]["steps"].as_u64().unwrap() >= 2);
}

/// A beam that stands on its clamped end and is too soft for that: the cures are compared in words and in the report, and a nudge
/// finds it leaving.
#[test]
fn cures_are_compared_and_a_nudge_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let upright = |text: &str| text.replace("20000000.0", "1000000.0").replace("\"bodies\"", "\"gravity\": [-9.81, 0, 0],\n\"bodies\"");
    let path = edited(folder.path(), "hanging_beam", upright);
    let json = |output: &Output| -> serde_json::Value { serde_json::from_slice(&output.stdout).unwrap() };

    let plain = aplomb(&["init", path.to_str().unwrap(), "--report", "-"]);
    assert_eq!(status(&plain), 0);
    assert!(errors(&plain).contains("aplomb init --cures"), "{}", errors(&plain));
    let stability = &json(&plain)["init"]["stability"];
    assert_eq!(stability["verdict"], "unstable");
    assert_eq!(stability["softest"].as_array().unwrap().len(), 4);
    assert!(stability["cures"].is_null());

    let compared = aplomb(&["init", path.to_str().unwrap(), "--cures", "--report", "-"]);
    assert_eq!(status(&compared), 0);
    let report = json(&compared);
    let cures = report["init"]["stability"]["cures"].as_array().unwrap();
    let helps: Vec<bool> = cures.iter().map(|cure| cure["helps"].as_bool().unwrap()).collect();
    assert_eq!(helps, [false, true, true], "{cures:?}");
    for cure in cures {
        let name = cure["cure"].as_str().unwrap();
        assert!(errors(&compared).lines().any(|line| line.starts_with(name)), "{}", errors(&compared));
    }
    assert_eq!(report["init"]["residual"], json(&plain)["init"]["residual"]);

    let nudged = aplomb(&["nudge", path.to_str().unwrap(), "--report", "-"]);
    assert_eq!(status(&nudged), 0, "{}", errors(&nudged));
    assert!(errors(&nudged).contains("it leaves"), "{}", errors(&nudged));
    let nudge = &json(&nudged)["nudge"];
    assert_eq!((&nudge["verdict"], &nudge["agrees"]), (&"leaves".into(), &true.into()));
}

fn read(report: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap()
}

/// A rest mesh for other programs, and the scene and the prepared asset that use it here.
#[test]
fn rest_writes_a_mesh_that_holds_the_given_shape() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (mesh, scene, asset, report) = (file("rest.mesh"), file("scene.json"), file("rest.vtu"), file("report.json"));
    let found =
        aplomb(&["rest", "hanging_beam", "--out", &mesh, "--scene", &scene, "--prepared", &asset, "--report", &report, "--threads", "2"]);
    assert_eq!(status(&found), 0, "{}", errors(&found));
    let rest_shape = &read(Path::new(&report))["rest_shape"];
    assert_eq!(rest_shape["method"], "inverse");
    assert_eq!(rest_shape["exists"], true);
    assert_eq!(rest_shape["load_share"], 1.0);
    for (key, range) in [("residual", 0.0..1e-8), ("min_rest_volume_ratio", 0.9..1.0), ("max_displacement", 0.05..0.08)] {
        let value = rest_shape[key].as_f64().unwrap();
        assert!(range.contains(&value), "{key} is {value}");
    }
    assert!(rest_shape["iterations"].as_u64().unwrap() > 0 && rest_shape["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(status(&aplomb(&["check", &scene])), 0);
    for start in [&["--init", "naive"], &["--prepared", asset.as_str()]] {
        let run = aplomb(&[&["simulate", &scene, "--seconds", "0.1", "--report", &report], start.as_slice()].concat());
        assert_eq!(status(&run), 0, "{}", errors(&run));
        let drift = read(Path::new(&report))["simulate"]["drift"]["max"].as_f64().unwrap();
        assert!(drift < 1e-6, "{drift:e}");
    }
    // The estimate is no failure, though no equilibrium.
    let estimate = aplomb(&["rest", "hanging_beam", "--method", "estimate", "--report", &report]);
    assert_eq!(status(&estimate), 0, "{}", errors(&estimate));
    assert_eq!(read(Path::new(&report))["rest_shape"]["exists"], false);
    assert_eq!(status(&aplomb(&["rest", "hanging_beam", "--scene", &scene])), 2, "a scene needs the mesh's file");
}

#[test]
fn a_rest_mesh_that_does_not_exist_is_3_with_the_best_one_and_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let (mesh, report) = (folder.path().join("rest.mesh"), folder.path().join("report.json"));
    let found = aplomb(&["rest", "too_soft", "--out", mesh.to_str().unwrap(), "--report", report.to_str().unwrap()]);
    assert_eq!(status(&found), 3);
    assert!(errors(&found).contains("% of the load") && errors(&found).contains("`jelly`"), "{}", errors(&found));
    let rest_shape = &read(&report)["rest_shape"];
    let share = rest_shape["load_share"].as_f64().unwrap();
    assert!(rest_shape["exists"] == false && (0.05..1.0).contains(&share), "{rest_shape}");
    assert!(mesh.is_file());
}

/// What a scene needs is said before it is taken: by `rest` and by a sag-free start; a naive one needs no factor.
#[test]
fn without_memory_it_is_3_and_says_what_is_needed() {
    for (arguments, expected) in [
        (["rest", "hanging_beam"].as_slice(), 3),
        (&["init", "hanging_beam"], 3),
        (&["simulate", "hanging_beam", "--steps", "1"], 3),
        (&["simulate", "hanging_beam", "--steps", "1", "--init", "naive"], 0),
    ] {
        let output = program().args(arguments).env("APLOMB_MEMORY", "200000").output().unwrap();
        let errors = errors(&output);
        assert_eq!(status(&output), expected, "{arguments:?}: {errors}");
        let says = errors.contains("needs about") && errors.contains("of memory, and 200 kB can be had; use a mesh of fewer tets");
        assert_eq!(says, expected == 3, "{arguments:?}: {errors}");
    }
}

/// A cube as an OBJ file of quads, with an edge of so many units.
fn cube_file(folder: &Path, name: &str, size: f64) -> PathBuf {
    let corner =
        |k: usize| (0..3).map(|axis| if k >> axis & 1 == 1 { size.to_string() } else { "0".to_owned() }).collect::<Vec<_>>().join(" ");
    let mut text: String = (0..8).map(|k| format!("v {}\n", corner(k))).collect();
    text.push_str("f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n");
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn read_json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn import_examines_a_surface_and_makes_a_scene_that_stands() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = cube_file(folder.path(), "block.obj", 0.4);
    let (scene, report) = (folder.path().join("scenes/block.json"), folder.path().join("r.json"));
    std::fs::create_dir(folder.path().join("scenes")).unwrap();
    let [mesh, scene, report] = [&mesh, &scene, &report].map(|path| path.to_str().unwrap());
    let output = aplomb(&["import", mesh, "--out", scene, "--ground", "--resolution", "400", "--report", report]);
    assert_eq!(status(&output), 0, "{}", errors(&output));
    assert!(errors(&output).contains("nothing is wrong with it"), "{}", errors(&output));
    let written = read_json(Path::new(scene));
    assert_eq!(written["bodies"][0]["mesh"], "../block.obj");
    assert_eq!(written["bodies"][0]["tetrahedralise"]["tets"], 400);
    let import = &read_json(Path::new(report))["import"];
    assert_eq!((&import["vertices"], &import["triangles"], &import["components"]), (&8.into(), &12.into(), &1.into()));
    assert!((import["volume"].as_f64().unwrap() - 0.064).abs() < 1e-12);
    assert_eq!(import["problems"], serde_json::json!([]));
    let filled = &import["tetrahedralised"];
    assert!(filled["tets"].as_u64().unwrap() > 100 && filled["min_dihedral_degrees"].as_f64().unwrap() > 8.0, "{filled}");
    assert!(filled["volume_error"].as_f64().unwrap().abs() < 0.05 && filled["peak_memory_bytes"].as_u64().is_some(), "{filled}");
    let output = aplomb(&["init", scene]);
    assert_eq!(status(&output), 0, "{}", errors(&output));
}

#[test]
fn import_tells_guesses_and_mends_only_what_it_is_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let large = cube_file(folder.path(), "large.obj", 300.0);
    let dirty = cube_file(folder.path(), "dirty.obj", 1.0);
    let text = std::fs::read_to_string(&dirty).unwrap().replace("f 1 5 7 3\n", "").replace("f 2 4 8 6\n", "f 6 8 4 2\n");
    std::fs::write(&dirty, text).unwrap();
    let report = folder.path().join("r.json");
    let [large, dirty, to] = [&large, &dirty, &report].map(|path| path.to_str().unwrap());

    let output = aplomb(&["import", large, dirty, "--report", to]);
    assert_eq!(status(&output), 0, "{}", errors(&output));
    assert!(errors(&output).contains("pass --unit mm"), "{}", errors(&output));
    assert!(errors(&output).contains("[--repair orient]"), "{}", errors(&output));
    let import = &read_json(&report)["import"];
    assert_eq!(import[0]["bounding_box"][1], serde_json::json!([300.0, 300.0, 300.0]), "the guess changes nothing");
    // What was used stands beside what was guessed.
    let unit = &import[0]["unit"];
    assert_eq!([&unit["value"], &unit["used"]], ["mm", "m"]);
    let codes = |import: &serde_json::Value| -> Vec<(String, u64, bool)> {
        let row =
            |p: &serde_json::Value| (p["code"].as_str().unwrap().to_owned(), p["count"].as_u64().unwrap(), p["fixed"].as_bool().unwrap());
        import["problems"].as_array().unwrap().iter().map(row).collect()
    };
    assert_eq!(codes(&import[1]), [("open_edge".to_owned(), 4, false), ("flipped".to_owned(), 1, false)]);

    let output = aplomb(&["import", dirty, "--repair", "orient,fill-holes", "--report", to]);
    assert_eq!(status(&output), 0, "{}", errors(&output));
    assert_eq!(codes(&read_json(&report)["import"]), [("open_edge".to_owned(), 4, true), ("flipped".to_owned(), 1, true)]);
    let output = aplomb(&["import", large, "--unit", "mm", "--report", "-"]);
    let import: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(import["import"]["bounding_box"][1], serde_json::json!([0.3, 0.3, 0.3]));
    assert_eq!(import["import"]["unit"]["used"], "mm");
    let output = aplomb(&["import", large, "--up", "z", "--report", "-"]);
    let import: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!([&import["import"]["up"]["value"], &import["import"]["up"]["used"]], ["y", "z"]);
}

/// Two parts of a surface, of which one is far too thin for the tets; a sheet; and a file of tets with nodes on their edges.
#[test]
fn import_tells_what_is_lost_left_out_or_not_possible() {
    let folder = tempfile::tempdir().unwrap();
    let block = cube_file(folder.path(), "block.obj", 1.0);
    let mut text = std::fs::read_to_string(&block).unwrap();
    // A blade of a hundredth of its height, away from the block.
    let corner = |i: u32| [3.0 + 0.01 * f64::from(i >> 2 & 1), f64::from(i >> 1 & 1), f64::from(i & 1)];
    (0..8).map(corner).for_each(|[x, y, z]| text += &format!("v {x} {y} {z}\n"));
    for face in [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]] {
        text += &format!("f {}\n", face.map(|v: u32| (v + 9).to_string()).join(" "));
    }
    std::fs::write(&block, text).unwrap();
    let (scene, report) = (folder.path().join("s.json"), folder.path().join("r.json"));
    let [block, out, to] = [&block, &scene, &report].map(|path| path.to_str().unwrap());
    let output = aplomb(&["import", block, "--out", out, "--resolution", "300", "--report", to]);
    assert_eq!(status(&output), 0, "{}", errors(&output));
    assert!(errors(&output).contains("warning: ") && errors(&output).contains("too thin"), "{}", errors(&output));
    let problems = read_json(&report)["import"]["problems"].clone();
    assert!(problems.as_array().unwrap().iter().any(|p| p["code"] == "thin" && p["fixed"] == false), "{problems}");
    let checked = aplomb(&["check", out]);
    assert!(status(&checked) == 0 && errors(&checked).contains("too thin"), "{}", errors(&checked));

    let sheet = folder.path().join("sheet.obj");
    std::fs::write(&sheet, "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n").unwrap();
    let nothing = folder.path().join("no.json");
    let output = aplomb(&["import", sheet.to_str().unwrap(), "--out", nothing.to_str().unwrap()]);
    assert_eq!(status(&output), 1);
    assert!(
        errors(&output).contains("sheet.obj: the surface encloses no volume") && !errors(&output).contains("bodies["),
        "{}",
        errors(&output)
    );
    assert!(!nothing.exists());

    let curved = folder.path().join("curved.msh");
    let nodes = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 .5 0\n7 0 .5 0\n8 0 0 .5\n9 0 .5 .5\n10 .5 0 .5\n";
    let element = "1\n1 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n";
    let text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n{nodes}$EndNodes\n$Elements\n{element}$EndElements\n");
    std::fs::write(&curved, text).unwrap();
    let output = aplomb(&["import", curved.to_str().unwrap(), "--resolution", "500", "--repair", "safe", "--report", to]);
    assert_eq!(status(&output), 0, "{}", errors(&output));
    for option in ["--resolution", "--repair"] {
        assert!(errors(&output).contains(&format!("warning: {option} changes nothing")), "{}", errors(&output));
    }
    let problems = read_json(&report)["import"]["problems"].clone();
    let second_order = problems.as_array().unwrap().iter().find(|p| p["code"] == "second_order").unwrap();
    assert_eq!((&second_order["count"], &second_order["fixed"]), (&1.into(), &false.into()), "{problems}");
}

#[test]
fn import_refuses_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (cube_file(folder.path(), "good.obj", 1.0), folder.path().join("bad.obj"));
    std::fs::write(&bad, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n").unwrap();
    let (scene, report) = (folder.path().join("s.json"), folder.path().join("r.json"));
    let [good, bad, out, to] = [&good, &bad, &scene, &report].map(|path| path.to_str().unwrap());
    let output = aplomb(&["import", good, bad, "--out", out, "--report", to]);
    assert_eq!(status(&output), 1);
    assert!(errors(&output).contains("bad.obj:4:"), "{}", errors(&output));
    assert!(!scene.exists() && read_json(&report)["import"][0]["triangles"] == 12, "the good file is reported");
    let springs = folder.path().join("springs.json");
    let output = aplomb(&["import", good, "--kind", "springs", "--material", "rubber", "--out", springs.to_str().unwrap(), "--report", to]);
    assert_eq!(status(&output), 0, "{}", errors(&output));
    assert!(errors(&output).contains("warning: --material changes nothing"), "{}", errors(&output));
    assert!(read_json(&report)["material"]["name"].is_null());
    for kind in ["hair", "points"] {
        let output = aplomb(&["import", good, "--kind", kind, "--out", out]);
        assert_eq!(status(&output), 1);
        assert!(errors(&output).contains(kind) && errors(&output).contains("cannot be simulated yet"), "{}", errors(&output));
        assert_eq!(status(&aplomb(&["import", good, "--kind", kind])), 0, "the report is made");
    }
    assert!(!scene.exists());
    for wrong in [["--resolution", "3parsecs"], ["--unit", "inch"], ["--up", "x"], ["--repair", "magic"]] {
        assert_eq!(status(&aplomb(&["import", good, wrong[0], wrong[1]])), 2, "{wrong:?}");
    }
    assert_eq!(status(&aplomb(&["import"])), 2);
}

/// The extension says what is written; both kinds of prepared asset start a run in balance.
#[test]
fn export_writes_what_the_extension_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let exported = aplomb(&["export", "two_boxes", "--out", &file("boxes.obj"), "--report", &file("report.json")]);
    assert_eq!(status(&exported), 0, "{}", errors(&exported));
    let text = std::fs::read_to_string(file("boxes.obj")).unwrap();
    let report = &read(Path::new(&file("report.json")))["export"];
    assert_eq!(text.lines().filter(|line| line.starts_with("o ")).count(), 2);
    assert_eq!(report["surface_vertices"], text.lines().filter(|line| line.starts_with("v ")).count());
    assert_eq!(report["bytes"], text.len());

    for name in ["jelly.npz", "jelly.vtu"] {
        let exported = aplomb(&["export", "jelly_on_table", "--out", &file(name), "--report", "-"]);
        assert_eq!(status(&exported), 0, "{}", errors(&exported));
        let started = aplomb(&["simulate", "jelly_on_table", "--prepared", &file(name), "--steps", "2", "--report", "-"]);
        assert_eq!(status(&started), 0, "{}", errors(&started));
        let report: serde_json::Value = serde_json::from_slice(&started.stdout).unwrap();
        assert!(report["simulate"]["drift"]["max"].as_f64().unwrap() < 1e-9, "{name}");
    }

    for (arguments, code, message) in [
        (vec!["export", "two_boxes", "--out", "boxes.xyz"], 1, "use one of: .vtu, .npz, .vtk, "),
        (vec!["export", "two_boxes", "--out", "/no/such/folder/boxes.ply"], 1, "there is no folder /no/such/folder; make it first"),
        (vec!["init", "two_boxes", "--out", "boxes.obj"], 1, "use one of: .vtu, .npz"),
        (vec!["export", "floating", "--out", &file("floating.npz")], 3, "unsupported"),
        (vec!["simulate", "two_boxes", "--format", "fbx"], 2, "[possible values: vtu, obj, pc2, usda, gltf, ply, stl, npz]"),
    ] {
        let output = aplomb(&arguments);
        assert_eq!(status(&output), code, "{arguments:?}: {}", errors(&output));
        assert!(errors(&output).contains(message) || code == 3, "{}", errors(&output));
    }
    assert!(!Path::new(&file("floating.npz")).exists());
}

/// With `--mesh` a `.vtu` is the bodies in the given shape.
#[test]
fn export_writes_a_mesh_as_vtu() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let exported = aplomb(&["export", "two_boxes", "--mesh", "--out", &file("boxes.vtu"), "--report", "-"]);
    assert_eq!(status(&exported), 0, "{}", errors(&exported));
    let report: serde_json::Value = serde_json::from_slice(&exported.stdout).unwrap();
    let grid = Grid::from_vtu(&std::fs::read(file("boxes.vtu")).unwrap()).unwrap();
    assert_eq!(report["export"]["tets"], grid.tets.len());
    assert_eq!(grid.arrays.iter().map(|array| array.name.as_str()).collect::<Vec<_>>(), ["tag", "body"]);
    let npz = aplomb(&["export", "two_boxes", "--mesh", "--out", &file("boxes.npz")]);
    assert_eq!(status(&npz), 0, "{}", errors(&npz));
    assert_eq!(aplomb_sim::import::read(Path::new(&file("boxes.npz")), &Unwatched).unwrap().positions, grid.points);
    let unknown = aplomb(&["export", "two_boxes", "--mesh", "--out", &file("boxes.pc2")]);
    assert_eq!(status(&unknown), 1);
    assert!(errors(&unknown).contains("use one of: .vtu, .vtk, "), "{}", errors(&unknown));
}

/// Frames of an earlier run are gone; where one cannot be written, the frames end and the run does not.
#[test]
fn frames_are_those_of_one_run_and_may_end_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let names = || {
        let mut names: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let run = |steps: &str, every: &str| {
        let out = folder.path().to_str().unwrap();
        aplomb(&["simulate", "hanging_beam", "--steps", steps, "--every", every, "--format", "ply", "--out", out, "--report", "-"])
    };
    assert_eq!(status(&run("4", "1")), 0);
    assert_eq!(names().len(), 5);
    let second = run("4", "3");
    assert_eq!(status(&second), 0);
    assert!(errors(&second).contains("5 ply frames of an earlier run were removed"), "{}", errors(&second));
    assert_eq!(names(), ["frame_000000.ply", "frame_000003.ply"]);

    // A folder stands where the second frame should be.
    std::fs::create_dir(folder.path().join("frame_000001.ply")).unwrap();
    let third = run("3", "1");
    assert_eq!(status(&third), 1);
    let words = errors(&third);
    assert!(words.contains("writing frames") && words.contains("goes on") && words.contains("its frames are not"), "{words}");
    let report: serde_json::Value = serde_json::from_slice(&third.stdout).unwrap();
    assert_eq!((&report["simulate"]["steps"], &report["simulate"]["finished"]), (&3.into(), &true.into()));
    assert_eq!(report["simulate"]["frames"]["written"], 1);
    assert_eq!(names(), ["frame_000000.ply", "frame_000001.ply"]);
}

/// The files that each format of runs leaves.
#[test]
fn a_run_is_written_in_every_format() {
    for (format, expected) in [
        ("pc2", vec!["beam.obj", "beam.pc2"]),
        ("usda", vec!["frames.usda"]),
        ("gltf", vec!["frames.glb"]),
        ("stl", vec!["frame_000000.stl", "frame_000002.stl"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let output = aplomb(&[
            "simulate",
            "hanging_beam",
            "--steps",
            "3",
            "--every",
            "2",
            "--format",
            format,
            "--out",
            folder.path().to_str().unwrap(),
        ]);
        assert_eq!(status(&output), 0, "{}", errors(&output));
        let mut names: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, expected);
    }
}
