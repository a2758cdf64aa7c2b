//! What two scenes differ in that matters for something, by the marks of their keys ([`Affects`]). A key without a mark matters for all.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::{BodyKind, body_kinds};
use crate::scene::keys::{Affects, Keys};
use crate::scene::{Body, KINDS_KEY, OF_BODY, Region, RegionRole, Scene};

/// The marks of all keys of a scene, those of kinds of bodies among them.
pub static KEYS: LazyLock<Keys> = LazyLock::new(|| Keys::of(&schema()));

/// Of files a prepared state compares the content, and not where they lie.
const COMPARED_BY_CONTENT: [&str; 2] = ["bodies[].mesh", "bodies[].painted_on"];

/// JSON Schema of a scene, with the settings of all kinds of bodies.
pub fn schema() -> Value {
    let mut schema = schemars::schema_for!(Scene).to_value();
    fill(&mut schema);
    schema
}

/// Puts the kinds in place of each mark that leaves them open.
fn fill(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(of) = members.remove(KINDS_KEY) {
                members.insert("oneOf".into(), kinds(of == OF_BODY));
            }
            members.values_mut().for_each(fill);
        }
        Value::Array(items) => items.iter_mut().for_each(fill),
        _ => {}
    }
}

/// The kinds that have settings, each as an object with its name as the one key.
fn kinds(of_body: bool) -> Value {
    let variant = |kind: &BodyKind| {
        let settings = if of_body { kind.settings } else { kind.region_settings }?().to_value();
        let name = kind.name;
        Some(json!({
            "description": kind.doc,
            "type": "object",
            "properties": { name: settings },
            "required": [name],
            "additionalProperties": false,
        }))
    };
    body_kinds().into_iter().filter_map(variant).collect()
}

/// Whether a prepared state depends on a key: neither rest states nor contact forces do on how a run goes, nor whether they hold.
fn has_effect(path: &str, mark: Option<Affects>) -> bool {
    !matches!(mark, Some(Affects::Run | Affects::Looks)) && !COMPARED_BY_CONTENT.contains(&path)
}

/// The keys of `scene` on which a prepared state depends, with their values, as JSON.
pub fn with_effect(scene: &Scene) -> String {
    effective(&serde_json::to_value(scene).unwrap_or_default()).to_string()
}

fn effective(scene: &Value) -> Value {
    KEYS.kept(scene, &has_effect).unwrap_or_default()
}

/// Path of the first key in which two results of [`with_effect`] differ, of this version or of an older one, which may have more keys.
pub fn difference(before: &str, now: &str) -> Option<String> {
    let parsed = |text: &str| effective(&serde_json::from_str(text).unwrap_or_default());
    if before == now { None } else { first_difference(&parsed(before), &parsed(now), String::new()) }
}

fn first_difference(a: &Value, b: &Value, path: String) -> Option<String> {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => a.keys().chain(b.keys()).find_map(|key| {
            let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            first_difference(a.get(key).unwrap_or(&Value::Null), b.get(key).unwrap_or(&Value::Null), below)
        }),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(i, (a, b))| first_difference(a, b, format!("{path}[{i}]")))
        }
        _ => (a != b).then_some(path),
    }
}

/// The keys of `body` on which its mesh depends, and where it is put, with their values. Of files that is their names.
pub fn placing(body: &Body) -> Option<Value> {
    // No region moves a vertex.
    let body = Body { regions: Vec::new(), ..body.clone() };
    let wanted = |path: &str, mark: Option<Affects>| matches!(mark, None | Some(Affects::Geometry)) || path == "bodies[].rest_mesh";
    KEYS.kept(&json!({ "bodies": [body] }), &wanted)
}

/// Whether two scenes are the same in bodies, obstacles and where they stand.
pub fn same_geometry(a: &Scene, b: &Scene) -> bool {
    same(a, b, &|_, mark| matches!(mark, None | Some(Affects::Geometry)))
}

/// Whether the same touches in two scenes at one detection distance.
pub fn same_contacts(a: &Scene, b: &Scene) -> bool {
    let wanted = |path: &str, mark: Option<Affects>| {
        matches!(mark, None | Some(Affects::Geometry | Affects::Contacts)) && path != "contact.detection_distance"
    };
    same(a, b, &wanted)
}

/// Whether two scenes give the same runs.
pub fn same_runs(a: &Scene, b: &Scene) -> bool {
    same(a, b, &|_, mark| mark != Some(Affects::Looks))
}

/// Keys that may change while a run goes on: the state that it has reached stays one of the new scene.
const LIVE: [&str; 9] = [
    "gravity",
    "wind",
    "simulate.step_size",
    "simulate.tolerance",
    "simulate.max_iterations",
    "simulate.max_substep_halvings",
    "bodies[].material.damping",
    "bodies[].regions[].role.material.damping",
    "bodies[].as.springs.damping",
];

/// Whether a path is that of a key, or of one inside of it.
fn is_of(path: &str, key: &str) -> bool {
    path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn is_live(path: &str) -> bool {
    LIVE.iter().any(|live| is_of(path, live))
}

/// Which of the keys that may change while a run goes on differ between two scenes; `None` where others do too, with which a run has to
/// begin anew. Water weighs what gravity says from the start.
pub fn live_changes(a: &Scene, b: &Scene) -> Option<Vec<&'static str>> {
    let others = |path: &str, mark: Option<Affects>| mark != Some(Affects::Looks) && !is_live(path);
    let is_water = |region: &Region| matches!(&region.role, RegionRole::Pressure(pressure) if pressure.surface.is_some());
    let is_wet = a.bodies.iter().flat_map(|body| &body.regions).any(is_water);
    if !same(a, b, &others) || is_wet && a.gravity != b.gravity {
        return None;
    }
    let differs = |live: &&'static str| {
        let of_it = |path: &str, _: Option<Affects>| is_of(path, live);
        !same(a, b, &of_it)
    };
    Some(LIVE.iter().copied().filter(differs).collect())
}

fn same(a: &Scene, b: &Scene, wanted: &dyn Fn(&str, Option<Affects>) -> bool) -> bool {
    if std::ptr::eq(a, b) || a == b {
        return true;
    }
    let (mut a, mut b) = (a.clone(), b.clone());
    // What is painted is long: it is compared as it is, and never becomes text.
    let wants = |path: &str| wanted(path, KEYS.affects(path));
    let (wants_select, wants_field) = (wants("bodies[].regions[].select"), wants("bodies[].stiffness_field"));
    for (a, b) in a.bodies.iter().zip(&b.bodies) {
        let select = |(a, b): (&Region, &Region)| a.select != b.select;
        if wants_select && a.regions.iter().zip(&b.regions).any(select) || wants_field && a.stiffness_field != b.stiffness_field {
            return false;
        }
    }
    for body in a.bodies.iter_mut().chain(&mut b.bodies) {
        body.stiffness_field = None;
        body.regions.iter_mut().for_each(|region| region.select.clear());
    }
    let kept = |scene: &Scene| KEYS.kept(&serde_json::to_value(scene).unwrap_or_default(), wanted);
    kept(&a) == kept(&b)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::scene_file::gallery::GALLERY;
    use crate::scene_file::load;

    /// What is remembered of a placed mesh does not look at regions. Attachments are geometry of their own: springs to be drawn.
    #[test]
    fn no_key_of_a_region_moves_a_mesh() {
        let of_meshes = |path: &str| path.starts_with("bodies[].regions[]") && !path.starts_with("bodies[].regions[].role.attach");
        let of_regions = || KEYS.iter().filter(|(path, _)| of_meshes(path));
        assert!(of_regions().count() > 10 && of_regions().all(|(_, mark)| mark != Some(Affects::Geometry)));
    }

    /// Keys that a prepared state is known not to depend on.
    const WITHOUT_EFFECT: &[&str] = &[
        "$schema",
        "version",
        "name",
        "description",
        "expect",
        "probes",
        "bodies[].as.cloth.bending_damping",
        "bodies[].as.cloth.damping",
        "bodies[].as.groups.material.damping",
        "bodies[].as.particles.fluid.vorticity",
        "bodies[].as.particles.fluid.xsph",
        "bodies[].as.particles.liquid.viscosity",
        "bodies[].as.springs.damping",
        "bodies[].as.strands.damping",
        "bodies[].name",
        "bodies[].mesh",
        "bodies[].painted_on",
        "bodies[].velocity",
        "bodies[].spin",
        "bodies[].material.damping",
        "bodies[].regions[].name",
        "bodies[].regions[].color",
        "bodies[].regions[].locked",
        "bodies[].regions[].role.as.cloth.bending_damping",
        "bodies[].regions[].role.as.cloth.damping",
        "bodies[].regions[].role.as.springs.damping",
        "bodies[].regions[].role.attach.damping",
        "bodies[].regions[].role.material.damping",
        "bodies[].regions[].role.named",
        "obstacles[].name",
        "equalities[].name",
        "initialise.method",
        "initialise.softest_modes",
        "initialise.compare_cures",
        "simulate.stepper",
        "simulate.step_size",
        "simulate.tolerance",
        "simulate.max_iterations",
        "simulate.solver",
        "simulate.linear_tolerance",
        "simulate.linear_iterations",
        "simulate.linear_relaxation",
        "simulate.spectral_radius",
        "simulate.max_substep_halvings",
        "simulate.projection.substeps",
        "simulate.projection.sweeps",
        "simulate.projection.method",
        "simulate.projection.order",
        "simulate.projection.seed",
        "simulate.projection.relaxation",
        "simulate.projection.preload",
        "simulate.projection.strands",
        "simulate.projection.stiffness",
        "simulate.projection.attachments",
        "simulate.projection.levels",
        "simulate.projection.per_part",
        "simulate.grid.flip",
        "simulate.grid.substeps",
    ];

    /// Whoever adds a key says beside it what follows from it.
    #[test]
    fn every_key_has_a_mark() {
        let unmarked: Vec<&str> = KEYS.iter().filter(|(_, mark)| mark.is_none()).map(|(path, _)| path).collect();
        assert!(unmarked.is_empty(), "`x-affects` is missing on {unmarked:?}, or on what is around them");
        assert!(KEYS.iter().count() > 100 && KEYS.affects("bodies[].as.springs.stiffness") == Some(Affects::Physics));
    }

    #[test]
    fn a_prepared_state_depends_on_all_keys_but_these() {
        let mut silent: Vec<&str> = KEYS.iter().filter(|(path, mark)| !has_effect(path, *mark)).map(|(path, _)| path).collect();
        silent.retain(|path| !path.starts_with("expect[]") && !path.starts_with("probes[]"));
        let mut expected: Vec<&str> = WITHOUT_EFFECT.iter().copied().filter(|path| !["expect", "probes"].contains(path)).collect();
        expected.sort_unstable();
        assert_eq!(silent, expected);
    }

    #[test]
    fn a_run_follows_what_leaves_its_state_as_it_is() {
        let entry = |name: &str| load(&GALLERY.iter().find(|entry| entry.name == name).unwrap().path()).unwrap();
        let scene = entry("hanging_beam");
        let after = |change: &dyn Fn(&mut Scene)| {
            let mut changed = scene.clone();
            change(&mut changed);
            live_changes(&scene, &changed)
        };
        assert_eq!(after(&|_| {}), Some(vec![]));
        assert_eq!(after(&|s| s.name = "other".into()), Some(vec![]));
        assert_eq!(after(&|s| s.gravity[0] = 1.0), Some(vec!["gravity"]));
        let air = crate::scene::WindSettings { velocity: [3.0, 0.0, 0.0], density: 1.2, drag: 1.0, from: 0.0, gust: None };
        assert_eq!(after(&|s| s.wind = Some(air)), Some(vec!["wind"]));
        let both = after(&|s| {
            s.simulate.step_size *= 0.5;
            s.bodies[0].material.as_mut().unwrap().damping = 0.1;
        });
        assert_eq!(both, Some(vec!["simulate.step_size", "bodies[].material.damping"]));
        assert_eq!(after(&|s| s.bodies[0].material.as_mut().unwrap().young *= 2.0), None);
        assert_eq!(after(&|s| s.simulate.stepper = "bdf2".into()), None);
        assert_eq!(after(&|s| s.bodies[0].velocity = [1.0, 0.0, 0.0]), None);
    }

    /// Assets of before have keys in them that are left out by now.
    #[test]
    fn what_has_no_effect_has_none_in_older_texts() {
        let text = |damping: f64, stiffness: f64| {
            json!({ "bodies": [{ "as": { "springs": { "stiffness": stiffness, "damping": damping } } }] }).to_string()
        };
        assert_eq!(difference(&text(0.1, 2.0), &text(0.3, 2.0)), None);
        assert_eq!(difference(&text(0.1, 2.0), &text(0.1, 3.0)).as_deref(), Some("bodies[0].as.springs.stiffness"));
    }

    #[test]
    fn scenes_differ_in_what_their_keys_affect() {
        let entry = GALLERY.iter().find(|entry| entry.name == "hanging_beam").unwrap();
        let scene = load(&entry.path()).unwrap();
        // Whether geometry, contacts and runs are the same.
        let after = |change: &dyn Fn(&mut Scene)| {
            let mut changed = scene.clone();
            change(&mut changed);
            assert_ne!(scene, changed);
            [same_geometry, same_contacts, same_runs].map(|same| same(&scene, &changed))
        };
        assert_eq!(after(&|scene| scene.bodies[0].transform.scale *= 2.0), [false; 3]);
        assert_eq!(after(&|scene| scene.contact.separate = true), [false; 3]);
        assert_eq!(after(&|scene| scene.bodies[0].enters_at = 1.0), [true, false, false]);
        assert_eq!(after(&|scene| scene.bodies[0].regions[0].select.clear()), [true, false, false]);
        assert_eq!(after(&|scene| scene.contact.detection_distance *= 2.0), [true, true, false]);
        assert_eq!(after(&|scene| scene.gravity[0] = 1.0), [true, true, false]);
        assert_eq!(after(&|scene| scene.bodies[0].velocity[0] = 1.0), [true, true, false]);
        assert_eq!(after(&|scene| scene.simulate.step_size *= 0.5), [true, true, false]);
        assert_eq!(after(&|scene| scene.bodies[0].regions[0].color = Some([1, 2, 3])), [true; 3]);
        assert_eq!(after(&|scene| scene.initialise.method = crate::scene::Method::Naive), [true; 3]);
        let ball = || crate::scene::Shape::Sphere { center: [0.0, -9.0, 0.0], radius: 1.0 };
        let obstacle = |shape| crate::scene::Obstacle {
            name: "new".into(),
            shape,
            friction: 0.5,
            removed_at: None,
            wall: crate::scene::WallCondition::default(),
            motion: None,
        };
        assert_eq!(after(&|scene| scene.obstacles.push(obstacle(ball()))), [true, false, false]);
    }

    /// Every value in a scene, with its path.
    fn leaves(value: &Value, path: &str, found: &mut Vec<(String, String)>) {
        let pointer = |key: &str| format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| leaves(value, &pointer(key), found)),
            Value::Array(values) => values.iter().enumerate().for_each(|(i, value)| leaves(value, &format!("{path}/{i}"), found)),
            _ => {
                let named = path.split('/').skip(1).fold(String::new(), |named, key| match key.parse::<usize>() {
                    Ok(_) => named + "[]",
                    Err(_) if named.is_empty() => key.to_owned(),
                    Err(_) => format!("{named}.{key}"),
                });
                found.push((path.to_owned(), named));
            }
        }
    }

    /// Some other values for one.
    fn others(value: &Value) -> Vec<Value> {
        match value {
            Value::Bool(yes) => vec![Value::Bool(!yes)],
            Value::Number(number) => match number.as_u64() {
                Some(whole) => vec![Value::from(whole + 1)],
                None => vec![Value::from(1.25 * number.as_f64().unwrap() + 0.01)],
            },
            // Another name, or another of the words that enumerations of the model have.
            _ => ["another", "stvk", "linear", "midpoint", "naive", "cm", "z", "pcg", "quadratic", "local_stiffening"]
                .map(Value::from)
                .into(),
        }
    }

    /// Whatever is changed about a scene of the gallery, it shows, unless it is on the list.
    #[test]
    fn every_change_shows_that_is_not_listed() {
        let (mut seen, mut silent) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
        for entry in GALLERY {
            let scene = load(&entry.path()).unwrap();
            let (whole, text) = (serde_json::to_value(&scene).unwrap(), with_effect(&scene));
            assert_eq!(difference(&text, &text), None);
            let mut found = Vec::new();
            leaves(&whole, "", &mut found);
            for (pointer, named) in found {
                let change = |other: &Value| {
                    let mut changed = whole.clone();
                    *changed.pointer_mut(&pointer).unwrap() = other.clone();
                    serde_json::from_value::<Scene>(changed).ok().filter(|changed| *changed != scene)
                };
                let Some(changed) = others(whole.pointer(&pointer).unwrap()).iter().find_map(change) else { continue };
                let differs = difference(&text, &with_effect(&changed));
                let listed = WITHOUT_EFFECT
                    .iter()
                    .any(|key| named == *key || named.starts_with(&format!("{key}.")) || named.starts_with(&format!("{key}[")));
                assert_eq!(differs.is_none(), listed, "{}: {pointer}", entry.name);
                let Some(path) = differs else {
                    silent.insert(named);
                    continue;
                };
                let unnumbered =
                    path.split('[').map(|piece| piece.split_once(']').map_or(piece, |(_, rest)| rest)).collect::<Vec<_>>().join("[]");
                assert_eq!(unnumbered, named);
                seen.insert(named);
            }
        }
        println!("{} kinds of keys show, {} do not", seen.len(), silent.len());
        for key in ["obstacles[].removed_at", "contact.barrier_distance", "contact.detection_distance", "bodies[].enters_at"] {
            assert!(seen.contains(key), "{key} is in no scene: {seen:?}");
        }
        assert!(seen.iter().any(|key| key.starts_with("obstacles[].motion.keyframes")), "{seen:?}");
    }
}
