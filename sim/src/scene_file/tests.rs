#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::bodies::keys::with_effect;
use crate::linear::{IterationOptions, SOLVERS};
use crate::scene::*;
use proptest::prelude::*;

/// A scene that is right, mesh file apart.
const GOOD: &str = r#"{
  // comments are welcome
  "version": 1,
  "name": "test",
  "bodies": [
    {
      "name": "beam",
      "mesh": "Cargo.toml",
      "material": { "law": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000 },
      "regions": [
        { "name": "wall", "role": { "dirichlet": {} }, "select": [{ "height": { "axis": "x", "from": 0, "to": 0.1 } }] },
        { "name": "sole", "role": { "contact": { "friction": 0.3, "obstacles": ["ground"] } }, "select": [{ "vertices": [0, 1, 2] }] },
      ],
    },
  ],
  "obstacles": [{ "name": "ground", "shape": { "half_space": { "point": [0, 0, 0], "normal": [0, 1, 0] } } }],
}
"#;

/// Its folder is the crate's, where a `Cargo.toml` exists.
fn parsed(text: &str) -> Result<Scene, Vec<SceneProblem>> {
    parse(text, &Path::new(env!("CARGO_MANIFEST_DIR")).join("scene.json"))
}

fn problems(text: &str) -> Vec<String> {
    let problems = parsed(text).expect_err("the scene is malformed");
    problems.iter().map(|p| format!("{}:{}: {}: {}", p.line, p.column, p.path, p.message)).collect()
}

/// The default is written where the registry is not known.
#[test]
fn the_first_stepper_is_the_default() {
    assert_eq!(SimulateSettings::default().stepper, crate::step::STEPPERS[0].name);
}

#[test]
fn a_good_scene_has_no_problem() {
    let scene = parsed(GOOD).unwrap();
    assert_eq!(scene.bodies[0].material.as_ref().unwrap().young, 1e5);
    assert_eq!(scene.gravity, [0.0, -9.81, 0.0]);
    assert_eq!(scene.obstacles[0].friction, 0.5);
}

/// What replaces what in the good scene (`^` marks the place that the problem must point to), its path, and words of
/// its message.
const MALFORMED: &[(&str, &str, &str, &str)] = &[
    ("{ \"law\": \"neo_hookean\",", "^{", "bodies[0].material.law", "missing"),
    ("\"young\": 1e5", "\"young\": 1e5, ^\"colour\": 1", "bodies[0].material.colour", "unknown key"),
    ("\"young\"", "^\"yuong\"", "bodies[0].material.yuong", "did you mean `young`?"),
    ("\"young\": 1e5", "\"young\": ^-1", "bodies[0].material.young", "at least 0.001"),
    ("\"young\": 1e5", "\"young\": ^1e999", "bodies[0].material.young", "no number"),
    ("\"young\": 1e5", "\"young\": ^\"1e5\"", "bodies[0].material.young", "a number"),
    ("\"young\": 1e5", "\"young\": 1e5, ^\"young\": 2e5", "bodies[0].material.young", "twice"),
    ("0.4", "^0.5", "bodies[0].material.poisson", "below 0.5"),
    ("0.4", "^-0.3", "bodies[0].material.poisson", "choose"),
    ("1000", "^1e9", "bodies[0].material.density", "at most"),
    ("1000", "^0", "bodies[0].material.density", "at least"),
    ("\"neo_hookean\"", "^\"neohookean\"", "bodies[0].material.law", "did you mean `neo_hookean`?"),
    ("\"version\": 1", "\"version\": ^7", "version", "version 7"),
    ("\"version\": 1", "\"version\": ^0", "version", "at least 1"),
    ("\"version\": 1", "\"version\": ^\"1\"", "version", "a whole number"),
    ("\"name\": \"beam\"", "\"name\": \"beam\", \"unit\": ^\"inch\"", "bodies[0].unit", "m, cm, mm"),
    ("\"name\": \"beam\"", "\"name\": ^\" \"", "bodies[0].name", "empty"),
    ("\"Cargo.toml\"", "^\"lost.mesh\"", "bodies[0].mesh", "there is no file"),
    ("\"name\": \"sole\"", "\"name\": ^\"wall\"", "bodies[0].regions[1].name", "regions[0]"),
    ("\"friction\": 0.3", "\"friction\": ^-0.3", "bodies[0].regions[1].role.contact.friction", "at least 0"),
    ("\"friction\": 0.3", "\"friction\": ^11", "bodies[0].regions[1].role.contact.friction", "at most 10"),
    ("[\"ground\"]", "[^\"grond\"]", "bodies[0].regions[1].role.contact.obstacles[0]", "did you mean `ground`?"),
    ("[0, 1, 2]", "[0, ^-1, 2]", "bodies[0].regions[1].select[0].vertices[1]", "at least 0"),
    ("[0, 1, 2]", "[0, ^1.5, 2]", "bodies[0].regions[1].select[0].vertices[1]", "whole number"),
    (
        "{ \"vertices\": [0, 1, 2] }",
        "{ \"sphere\": { \"center\": [0, 0, 0], \"radius\": ^-1 } }",
        "bodies[0].regions[1].select[0].sphere.radius",
        "above 0",
    ),
    ("\"to\": 0.1", "\"to\": ^1.1", "bodies[0].regions[0].select[0].height.to", "at most 1"),
    ("\"from\": 0,", "\"from\": ^0.2,", "bodies[0].regions[0].select[0].height.from", "swap"),
    ("{ \"dirichlet\": {} }", "^{ \"dirichlet\": {}, \"contact\": {} }", "bodies[0].regions[0].role", "exactly one of"),
    ("{ \"dirichlet\": {} }", "{ ^\"dirichlett\": {} }", "bodies[0].regions[0].role.dirichlett", "did you mean `dirichlet`?"),
    ("{ \"dirichlet\": {} }", "^\"dirichlet\"", "bodies[0].regions[0].role", "an object with one of the keys"),
    ("[0, 1, 0]", "^[0, 0, 0]", "obstacles[0].shape.half_space.normal", "no direction"),
    ("[0, 1, 0]", "^[0, 1]", "obstacles[0].shape.half_space.normal", "exactly 3"),
    ("\"obstacles\": [{", "\"simulate\": { \"step_size\": ^2 }, \"obstacles\": [{", "simulate.step_size", "at most 1"),
    ("\"obstacles\": [{", "\"simulate\": { \"step_size\": ^0 }, \"obstacles\": [{", "simulate.step_size", "at least 0.000001"),
    ("\"obstacles\": [{", "\"initialise\": { \"method\": ^\"sagfree\" }, \"obstacles\": [{", "initialise.method", "`sag-free`?"),
    ("\"obstacles\": [{", "\"expect\": [^{ \"key\": \"a\" }], \"obstacles\": [{", "expect[0]", "expects nothing"),
    (
        "\"obstacles\": [{",
        "\"equalities\": [{ \"name\": \"tie\", \"terms\": ^[] }], \"obstacles\": [{",
        "equalities[0].terms",
        "at least 1",
    ),
];

/// A scene with a load, a motion or a setting of each kind.
const DYNAMIC: &str = r#"{
  "version": 1,
  "name": "dynamic",
  "wind": { "velocity": [0, 0, 5], "gust": { "amplitude": 0.5, "period": 2 } },
  "bodies": [
    {
      "name": "bar",
      "mesh": "Cargo.toml",
      "velocity": [0, 1, 0],
      "spin": [0, 0, 3],
      "material": { "law": "neo_hookean", "young": 1e5, "poisson": 0.4, "density": 1000 },
      "regions": [
        { "name": "rail", "role": { "dirichlet": { "slip": [1, 1, 0] } }, "select": [] },
        {
          "name": "hand",
          "role": {
            "dirichlet": {
              "motion": {
                "pivot": [0, 1, 0],
                "keyframes": [{ "time": 0 }, { "time": 2, "translate": [0, 0, 0.1], "rotate": { "axis": [1, 0, 0], "degrees": 1440 } }],
              },
            },
          },
          "select": [],
        },
        { "name": "pushed", "role": { "traction": { "force": [10, 0, 0], "ramp": 0.5 } }, "select": [] },
        { "name": "blown", "role": { "pressure": { "pressure": -500 } }, "select": [] },
      ],
    },
  ],
  "obstacles": [
    { "name": "ring", "shape": { "torus": { "center": [0, 0, 0], "axis": [0, 0, 1], "ring_radius": 0.5, "tube_radius": 0.1 } } },
    { "name": "funnel", "shape": { "revolution": { "center": [0, 0, 0], "axis": [0, 1, 0], "profile": [[0.5, 1], [0.1, 0.2], [0.1, 0]] } } },
    {
      "name": "press",
      "shape": { "half_space": { "point": [0, 2, 0], "normal": [0, -1, 0] } },
      "motion": { "keyframes": [{ "time": 1, "translate": [0, -1, 0] }] },
    },
    { "name": "rock", "shape": { "mesh": { "mesh": "Cargo.toml", "unit": "cm", "transform": { "scale": 2 } } } },
  ],
  "equalities": [{ "name": "tie", "terms": [{ "body": "bar", "vertex": 3, "coefficients": [1, 0, 0] }] }],
  "contact": { "friction": 0.2, "between_bodies": false, "self_contact": false, "barrier": "book", "stiffness": 2, "friction_iterations": 3 },
  "simulate": { "stepper": "bdf2", "solver": "pcg", "ramp": 1, "max_substep_halvings": 3 },
}
"#;

#[test]
fn loads_motions_and_settings_are_read() {
    let scene = parsed(DYNAMIC).unwrap();
    assert_eq!(scene.wind.unwrap().density, 1.2);
    assert_eq!(scene.bodies[0].spin, [0.0, 0.0, 3.0]);
    assert!(matches!(scene.bodies[0].regions[0].role, RegionRole::Dirichlet { slip: Some([1.0, 1.0, 0.0]), motion: None, follows: None }));
    assert_eq!(scene.obstacles.iter().map(Obstacle::is_surface).collect::<Vec<_>>(), [true; 4]);
    assert_eq!(scene.contact.barrier, BarrierKind::Book);
    assert_eq!(scene.simulate.solver, SolverChoice::Pcg);
    assert_eq!(parsed(&to_text(&scene).unwrap()).unwrap(), scene);
}

/// Every solver by its name, and its parameters; a scene that names none of them is written without them, and none is part of what a
/// prepared state depends on.
#[test]
fn linear_solvers_and_their_parameters_are_read() {
    let plain = parsed(DYNAMIC).unwrap();
    let written = to_text(&plain).unwrap();
    assert!(!written.contains("linear_") && !written.contains("spectral_radius"), "{written}");
    for entry in SOLVERS {
        let scene = parsed(&DYNAMIC.replace("\"solver\": \"pcg\"", &format!("\"solver\": \"{}\"", entry.name))).unwrap();
        assert_eq!(scene.simulate.solver, entry.choice);
        assert_eq!(parsed(&to_text(&scene).unwrap()).unwrap(), scene);
    }
    let given = "\"solver\": \"cholesky\", \"linear_tolerance\": 1e-5, \"linear_iterations\": 40, \"linear_relaxation\": 0.5, \"spectral_radius\": 0.9";
    let scene = parsed(&DYNAMIC.replace("\"solver\": \"pcg\"", given)).unwrap();
    assert_eq!(scene.simulate.solver, SolverChoice::Direct);
    let expected = IterationOptions { tolerance: 1e-5, max_iterations: 40, relaxation: Some(0.5), spectral_radius: Some(0.9) };
    assert_eq!(scene.simulate.iteration_options(), expected);
    assert_eq!(parsed(&to_text(&scene).unwrap()).unwrap(), scene);
    assert_eq!(with_effect(&scene), with_effect(&plain));
}

/// Like [`MALFORMED`], in the dynamic scene.
const MALFORMED_DYNAMICS: &[(&str, &str, &str, &str)] = &[
    ("\"gust\": {", "\"gust\": ^3, \"calm\": {", "wind.gust", "an object"),
    ("\"period\": 2", "\"period\": ^0", "wind.gust.period", "at least 0.001"),
    ("[0, 0, 5]", "[0, 0, ^1e6]", "wind.velocity[2]", "at most 1000"),
    ("\"velocity\": [0, 0, 5],", "^\"speed\": 5,", "wind.speed", "unknown key"),
    ("\"spin\": [0, 0, 3]", "\"spin\": ^3", "bodies[0].spin", "a list"),
    ("\"solver\": \"pcg\"", "\"linear_tolerance\": ^0", "simulate.linear_tolerance", "above 0"),
    ("\"solver\": \"pcg\"", "\"linear_iterations\": ^0", "simulate.linear_iterations", "at least 1"),
    ("\"solver\": \"pcg\"", "\"linear_relaxation\": ^2.5", "simulate.linear_relaxation", "at most 2"),
    ("\"solver\": \"pcg\"", "\"spectral_radius\": ^0", "simulate.spectral_radius", "above 0"),
    ("\"spin\": [0, 0, 3]", "\"enters_at\": ^-1", "bodies[0].enters_at", "at least 0"),
    ("[1, 1, 0]", "^[0, 0, 0]", "bodies[0].regions[0].role.dirichlet.slip", "no direction"),
    (
        "\"dirichlet\": { \"slip\": [1, 1, 0]",
        "\"dirichlet\": { \"motion\": { \"keyframes\": [{ \"time\": 1 }] }, \"slip\": ^[1, 1, 0]",
        "bodies[0].regions[0].role.dirichlet.slip",
        "leave out",
    ),
    ("\"time\": 2,", "\"time\": ^0,", "bodies[0].regions[1].role.dirichlet.motion.keyframes[1].time", "in order"),
    ("\"time\": 2,", "\"time\": ^-1,", "bodies[0].regions[1].role.dirichlet.motion.keyframes[1].time", "at least 0"),
    (
        "{ \"time\": 0 }",
        "{ \"time\": ^0, \"translate\": [0, 0, 1] }",
        "bodies[0].regions[1].role.dirichlet.motion.keyframes[0].time",
        "where the scene puts it",
    ),
    ("\"axis\": [1, 0, 0]", "\"axis\": ^[0, 0, 0]", "bodies[0].regions[1].role.dirichlet.motion.keyframes[1].rotate.axis", "no direction"),
    ("\"force\": [10, 0, 0]", "\"force\": ^10", "bodies[0].regions[2].role.traction.force", "a list"),
    ("\"ramp\": 0.5", "\"ramp\": ^-0.5", "bodies[0].regions[2].role.traction.ramp", "at least 0"),
    ("\"pressure\": -500", "\"pressure\": ^1e13", "bodies[0].regions[3].role.pressure.pressure", "at most"),
    ("\"pressure\": -500", "\"pressure\": -500, \"surface\": ^1", "bodies[0].regions[3].role.pressure.surface", "leave out"),
    ("\"pressure\": -500", "\"pressure\": -500, \"density\": ^900", "bodies[0].regions[3].role.pressure.density", "belongs to water"),
    ("{ \"pressure\": -500 }", "^{ \"ramp\": 1 }", "bodies[0].regions[3].role.pressure", "how hard"),
    ("\"axis\": [0, 0, 1]", "\"axis\": ^[0, 0, 0]", "obstacles[0].shape.torus.axis", "no direction"),
    ("\"tube_radius\": 0.1", "\"tube_radius\": ^0.6", "obstacles[0].shape.torus.tube_radius", "no hole"),
    ("\"tube_radius\": 0.1", "\"tube_radius\": 0.1, \"segments\": ^2", "obstacles[0].shape.torus.segments", "at least 3"),
    ("[0.1, 0.2], [0.1, 0]", "[0.1, 0.2], ^[-0.1, 0]", "obstacles[1].shape.revolution.profile[2]", "positive radius"),
    ("[0.1, 0.2], [0.1, 0]", "^[0, 0.2], [0.1, 0]", "obstacles[1].shape.revolution.profile[1]", "positive radius"),
    ("[0.1, 0.2], [0.1, 0]", "[0.1, 0], ^[0.1, 0]", "obstacles[1].shape.revolution.profile[2]", "again"),
    ("[0.1, 0.2], [0.1, 0]", "[0.1, 0.2], ^[0.1]", "obstacles[1].shape.revolution.profile[2]", "exactly 2"),
    ("[[0.5, 1], [0.1, 0.2], [0.1, 0]]", "^[[0.5, 1]]", "obstacles[1].shape.revolution.profile", "at least 2"),
    (
        "\"motion\": { \"keyframes\": [{ \"time\": 1, \"translate\": [0, -1, 0] }] }",
        "\"motion\": { \"keyframes\": ^[] }",
        "obstacles[2].motion.keyframes",
        "at least 1",
    ),
    ("\"mesh\": { \"mesh\": \"Cargo.toml\"", "\"mesh\": { \"mesh\": ^\"lost.mesh\"", "obstacles[3].shape.mesh.mesh", "there is no file"),
    ("\"body\": \"bar\"", "\"body\": ^\"bart\"", "equalities[0].terms[0].body", "did you mean `bar`?"),
    ("\"coefficients\": [1, 0, 0]", "\"coefficients\": ^[0, 0, 0]", "equalities[0].terms[0].coefficients", "three zeros"),
    (
        "\"terms\": [{ \"body\": \"bar\", \"vertex\": 3,",
        "\"terms\": [{ \"body\": \"bar\", \"vertex\": 3, \"coefficients\": [0, 1, 0] }, { \"body\": \"bar\", \"vertex\": ^3,",
        "equalities[0].terms[1].vertex",
        "already",
    ),
    ("\"friction\": 0.2", "\"friction\": ^-1", "contact.friction", "at least 0"),
    ("\"between_bodies\": false", "\"between_bodies\": ^0", "contact.between_bodies", "true or false"),
    ("\"book\"", "^\"books\"", "contact.barrier", "did you mean `book`?"),
    ("\"stiffness\": 2", "\"stiffness\": ^0", "contact.stiffness", "at least"),
    ("\"friction_iterations\": 3", "\"friction_iterations\": ^0", "contact.friction_iterations", "at least 1"),
    ("\"stepper\": \"bdf2\"", "\"stepper\": ^\"bdf3\"", "simulate.stepper", "did you mean `bdf2`?"),
    ("\"solver\": \"pcg\"", "\"solver\": ^\"gcp\"", "simulate.solver", "known"),
    ("\"max_substep_halvings\": 3", "\"max_substep_halvings\": ^1.5", "simulate.max_substep_halvings", "whole number"),
];

#[test]
fn every_malformation_is_named_with_its_place() {
    let of = |good: &'static str, list: &'static [(&str, &str, &str, &str)]| list.iter().map(move |row| (good, row));
    for (good, (from, to, path, words)) in of(GOOD, MALFORMED).chain(of(DYNAMIC, MALFORMED_DYNAMICS)) {
        assert!(good.contains(from), "{from} is not in the good scene");
        let marked = good.replacen(from, to, 1);
        let before = &marked[..marked.find('^').unwrap()];
        let (line, column) = (before.lines().count(), before.lines().last().unwrap().chars().count() + 1);
        let found = problems(&marked.replacen('^', "", 1));
        let place = format!("{line}:{column}: {path}: ");
        let named = found.iter().any(|problem| problem.starts_with(&place) && problem.contains(words));
        assert!(named, "{to}: expected {place} ... {words}, found {found:#?}");
    }
}

#[test]
fn what_comes_in_later_can_be_neither_moved_nor_tied() {
    let found = problems(&DYNAMIC.replacen("\"spin\": [0, 0, 3]", "\"enters_at\": 1", 1));
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].contains("bodies[0].regions[1].role.dirichlet.motion: a body that comes in later"), "{found:#?}");
    assert!(found[1].contains("equalities[0].terms[0].body: `bar` comes in later"), "{found:#?}");
}

#[test]
fn all_problems_are_found_at_once_and_in_order() {
    let text = GOOD
        .replacen("0.4", "\"0.4\"", 1)
        .replacen("1000", "-1", 1)
        .replacen("\"to\": 0.1", "\"two\": 0.1", 1)
        .replacen("Cargo.toml", "lost.mesh", 1)
        .replacen("[0, 1, 0]", "[0, 0, 0]", 1);
    let found = problems(&text);
    let paths: Vec<_> = found.iter().map(|problem| problem.split(": ").nth(1).unwrap()).collect();
    let expected = [
        "bodies[0].mesh",
        "bodies[0].material.poisson",
        "bodies[0].material.density",
        "bodies[0].regions[0].select[0].height.to",
        "bodies[0].regions[0].select[0].height.two",
        "obstacles[0].shape.half_space.normal",
    ];
    assert_eq!(paths, expected, "{found:#?}");
}

#[test]
fn syntax_errors_have_a_place() {
    for (text, line) in
        [("", 1), ("{", 1), ("{\n  \"version\": 1,\n  \"name\": \"x\n}", 3), ("[1, 2", 1), ("{ \"a\": NaN }", 1), ("nonsense", 1)]
    {
        let found = parsed(text).unwrap_err();
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!(found[0].line, line, "{text}: {found:?}");
    }
    let deep = "[".repeat(100_000);
    assert_eq!(parsed(&deep).unwrap_err().len(), 1);
}

#[test]
fn a_scene_survives_saving_and_loading() {
    let scene = parsed(GOOD).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Cargo.toml"), "").unwrap();
    let path = folder.path().join("scene.json");
    save(&path, &scene).unwrap();
    assert_eq!(load(&path).unwrap(), scene);
    let text = std::fs::read_to_string(&path).unwrap();
    save(&path, &load(&path).unwrap()).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert!(text.contains("[0, 1, 2]"), "{text}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "a temporary file was left");
}

#[test]
fn long_index_lists_stay_on_one_line() {
    let mut scene = parsed(GOOD).unwrap();
    scene.bodies[0].regions[1].select = vec![Selector::Vertices((0..5000).collect())];
    let text = to_text(&scene).unwrap();
    assert!(text.lines().count() < 80, "{} lines", text.lines().count());
    assert_eq!(parsed(&text).unwrap(), scene);
}

proptest! {
    /// Whatever happens to the text, the answer is a scene or a list of placed problems.
    #[test]
    fn mutated_text_never_panics(at in 0..GOOD.len(), length in 0..40usize, insert in "[\\PC\"{}\\[\\]:,0-9e.-]{0,6}") {
        let mut text: Vec<u8> = GOOD.bytes().collect();
        text.splice(at..(at + length).min(GOOD.len()), insert.bytes());
        let text = String::from_utf8_lossy(&text);
        if let Err(problems) = parsed(&text) {
            prop_assert!(!problems.is_empty());
            prop_assert!(problems.iter().all(|p| p.line > 0 && p.column > 0 && !p.message.is_empty()));
        }
    }
}
