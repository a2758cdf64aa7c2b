//! What of a scene a prepared state depends on: every key, but for the few that are known not to matter. A key that is new to the model
//! matters until it is listed here.

use serde_json::Value;

use super::Scene;

/// Keys on which neither rest states nor contact forces depend, nor whether they hold: what things are called and look like, what is
/// asked of a report, how a body starts to move, how time is stepped. Of a mesh the content is compared, and not where it lies; and an
/// asset says itself by what method it was made.
const WITHOUT_EFFECT: &[&str] = &[
    "$schema",
    "version",
    "name",
    "description",
    "expect",
    "bodies[].name",
    "bodies[].mesh",
    "bodies[].painted_on",
    "bodies[].velocity",
    "bodies[].spin",
    "bodies[].material.damping",
    "bodies[].regions[].name",
    "bodies[].regions[].color",
    "bodies[].regions[].role.material.damping",
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
];

/// The keys of `scene` on which a prepared state depends, with their values, as JSON.
pub fn with_effect(scene: &Scene) -> String {
    let mut value = serde_json::to_value(scene).unwrap_or_default();
    strip(&mut value, "");
    value.to_string()
}

/// Path of the first key in which two results of [`with_effect`] differ.
pub fn difference(before: &str, now: &str) -> Option<String> {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    if before == now { None } else { Some(first_difference(&parsed(before), &parsed(now), String::new()).unwrap_or_default()) }
}

fn strip(value: &mut Value, path: &str) {
    match value {
        Value::Object(map) => {
            let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            map.retain(|key, _| !WITHOUT_EFFECT.contains(&below(key).as_str()));
            map.iter_mut().for_each(|(key, value)| strip(value, &below(key)));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| strip(value, &format!("{path}[]"))),
        _ => {}
    }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::scene_file::gallery::GALLERY;
    use crate::scene_file::load;

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
