//! What the schema of scenes says of a key: its limits, for rows made by hand, and all of it, for forms.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde_json::Value;

/// The least number above zero that can be given where zero itself cannot.
const ABOVE_ZERO: f64 = 1e-15;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(&aplomb_sim::scene_file::schema()).unwrap_or_default());

/// The schema of the key at `path` (`bodies[].material`) without references; null if there is none.
pub fn schema_of(path: &str) -> Value {
    find(&SCHEMA, path).map(|found| inlined(found, &SCHEMA)).unwrap_or_default()
}

/// The keys of the object at `path`.
pub fn keys_of(path: &str) -> impl Iterator<Item = &'static str> {
    let node = find(&SCHEMA, path).map(|found| &resolved(something(found), &SCHEMA)["properties"]);
    node.and_then(Value::as_object).into_iter().flatten().map(|(key, _)| key.as_str())
}

/// Smallest and largest number that may stand at the key at `path`, or in the list there.
pub fn limits_of(path: &str) -> RangeInclusive<f64> {
    let found = find(&SCHEMA, path);
    debug_assert!(found.is_some(), "scenes have no key {path}");
    found.map_or(-1e300..=1e300, limits)
}

/// The same of a key that counts.
pub fn count_limits_of(path: &str) -> RangeInclusive<u32> {
    let limits = limits_of(path);
    limits.start().max(0.0) as u32..=*limits.end() as u32
}

/// Smallest and largest number that `schema` allows, or allows in its list.
pub(super) fn limits(schema: &Value) -> RangeInclusive<f64> {
    if schema["items"].is_object() {
        return limits(&schema["items"]);
    }
    let of = |key: &str| schema[key].as_f64();
    let low = of("minimum").or(of("exclusiveMinimum").map(|least| if least == 0.0 { ABOVE_ZERO } else { least }));
    low.unwrap_or(-1e300)..=of("maximum").or(of("exclusiveMaximum")).unwrap_or(1e300)
}

/// The node of the key at `path`.
fn find<'a>(root: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(root, |node, segment| {
        let key = segment.trim_end_matches("[]");
        let found = key_of(node, key, root)?;
        (0..(segment.len() - key.len()) / 2).try_fold(found, |node, _| resolved(node, root).get("items"))
    })
}

/// The node of a key of an object, or of one of its variants.
fn key_of<'a>(node: &'a Value, key: &str, root: &'a Value) -> Option<&'a Value> {
    let node = resolved(node, root);
    let variants = ["oneOf", "anyOf"].into_iter().filter_map(|of| node[of].as_array()).flatten();
    node["properties"].get(key).or_else(|| { variants }.find_map(|variant| key_of(variant, key, root)))
}

fn resolved<'a>(node: &'a Value, root: &'a Value) -> &'a Value {
    let name = node["$ref"].as_str().and_then(|at| at.strip_prefix("#/$defs/"));
    name.map_or(node, |name| &root["$defs"][name])
}

/// Of something or nothing the something.
fn something(node: &Value) -> &Value {
    match node["anyOf"].as_array().map(Vec::as_slice) {
        Some([something, nothing]) if nothing["type"] == "null" => something,
        _ => node,
    }
}

/// `node` with what it refers to in its place; something or nothing becomes something that may be null.
fn inlined(node: &Value, root: &Value) -> Value {
    match node {
        Value::Object(members) => {
            let something = Some(something(node)).filter(|something| !std::ptr::eq(*something, node));
            let inner = something.or(members.get("$ref").map(|_| node)).map(|inner| resolved(inner, root));
            let own = members.iter().filter(|(key, _)| *key != "$ref" && (something.is_none() || *key != "anyOf"));
            let mut all = match inner.filter(|inner| !std::ptr::eq(*inner, node)).map(|inner| inlined(inner, root)) {
                Some(Value::Object(inner)) => inner,
                _ => serde_json::Map::new(),
            };
            // What is said of the key goes before what is said of its type.
            own.for_each(|(key, value)| drop(all.insert(key.clone(), inlined(value, root))));
            if something.is_some()
                && let Some(of_type) = all.get_mut("type").filter(|of_type| of_type.is_string())
            {
                *of_type = Value::Array(vec![of_type.clone(), "null".into()]);
            }
            Value::Object(all)
        }
        Value::Array(items) => items.iter().map(|item| inlined(item, root)).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_found_by_path() {
        assert_eq!(limits_of("contact.friction"), 0.0..=10.0);
        assert_eq!(limits_of("gravity"), -1e4..=1e4);
        assert_eq!(limits_of("bodies[].material.young"), 1e-3..=1e13);
        assert_eq!(limits_of("bodies[].transform.scale"), ABOVE_ZERO..=1e6);
        assert_eq!(limits_of("bodies[].regions[].role.traction.ramp"), 0.0..=1e6);
        assert_eq!(limits_of("bodies[].tetrahedralise.grading"), 1.0..=16.0);
        assert_eq!(limits_of("bodies[].as.springs.damping"), 0.0..=10.0);
        assert_eq!(limits_of("obstacles[].shape.revolution.profile"), -1e6..=1e6);
        assert_eq!(limits_of("obstacles[].shape.mesh.transform.rotate_degrees"), -3600.0..=3600.0);
        assert_eq!(limits_of("obstacles[].motion.keyframes[].rotate.degrees"), -1e6..=1e6);
    }

    #[test]
    fn schemas_come_without_references() {
        let body = schema_of("bodies[]");
        assert!(!body.to_string().contains("$ref"), "{body:#}");
        assert_eq!(body["properties"]["transform"]["description"], "Where the mesh is put, after unit and up axis.");
        assert_eq!(body["properties"]["tetrahedralise"]["type"], serde_json::json!(["object", "null"]));
        assert_eq!(schema_of("contact.nothing"), Value::Null);
    }
}
