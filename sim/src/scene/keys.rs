//! What follows from a key of a scene: one mark beside each field of the model, which its schema carries.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Key in the schema of the mark: on a key, on a variant, or on something around them that has keys of its own.
pub const AFFECTS_KEY: &str = "x-affects";

/// What has to be made anew where a key changes. Each comes with all that are after it, but for the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Affects {
    /// What bodies and obstacles there are, and where they stand.
    Geometry,
    /// What touches.
    Contacts,
    /// Forces and rest states.
    Physics,
    /// How a run begins and goes on, and what is asked of it: rest states know nothing of it.
    Run,
    /// What things are called and look like.
    Looks,
}

impl Affects {
    /// The mark of this name in a schema.
    fn named(name: &str) -> Option<Self> {
        let names = [
            ("geometry", Self::Geometry),
            ("contacts", Self::Contacts),
            ("physics", Self::Physics),
            ("run", Self::Run),
            ("looks", Self::Looks),
        ];
        names.into_iter().find(|(known, _)| *known == name).map(|(_, mark)| mark)
    }
}

/// The marks of all keys of a schema, by their paths (`bodies[].material.young`).
#[derive(Debug)]
pub struct Keys {
    marks: BTreeMap<String, Key>,
}

#[derive(Debug)]
struct Key {
    mark: Option<Affects>,
    /// Whether it has keys of its own.
    is_outer: bool,
}

impl Keys {
    /// Those of a schema in which kinds of bodies are filled in.
    pub fn of(schema: &Value) -> Self {
        let mut keys = Self { marks: BTreeMap::new() };
        keys.walk(schema, schema, "", None);
        keys
    }

    /// Takes in the keys of `node` at `path`, marked by `outer` where they say nothing else; whether there are any.
    fn walk(&mut self, node: &Value, root: &Value, path: &str, outer: Option<Affects>) -> bool {
        let mark = node[AFFECTS_KEY].as_str().and_then(Affects::named).or(outer);
        let mut found = false;
        if let Some(name) = node["$ref"].as_str().and_then(|at| at.strip_prefix("#/$defs/")) {
            found |= self.walk(&root["$defs"][name], root, path, mark);
        }
        for (key, of_key) in node["properties"].as_object().into_iter().flatten() {
            let path = below(path, key);
            let own = of_key[AFFECTS_KEY].as_str().and_then(Affects::named).or(mark);
            let is_outer = self.walk(of_key, root, &path, own);
            self.marks.insert(path, Key { mark: own, is_outer });
            found = true;
        }
        if node["items"].is_object() {
            found |= self.walk(&node["items"], root, &format!("{path}[]"), mark);
        }
        for variants in ["oneOf", "anyOf", "allOf"] {
            for variant in node[variants].as_array().into_iter().flatten() {
                found |= self.walk(variant, root, path, mark);
            }
        }
        found
    }

    /// The mark of a key; `None` for one that has none, or is not in the schema.
    pub fn affects(&self, path: &str) -> Option<Affects> {
        self.marks.get(path.trim_end_matches("[]")).and_then(|key| key.mark)
    }

    /// Every key that has no keys of its own, with its mark.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<Affects>)> {
        self.marks.iter().filter(|(_, key)| !key.is_outer).map(|(path, key)| (path.as_str(), key.mark))
    }

    /// The keys of `value` with their values that are `wanted`, by path and mark. Of lists the places stay, but for those at the end in
    /// which nothing is left. `None` where nothing is.
    pub fn kept(&self, value: &Value, wanted: &dyn Fn(&str, Option<Affects>) -> bool) -> Option<Value> {
        self.kept_at("", value, wanted)
    }

    fn kept_at(&self, path: &str, value: &Value, wanted: &dyn Fn(&str, Option<Affects>) -> bool) -> Option<Value> {
        match value {
            Value::Object(map) if !map.is_empty() => {
                let kept = map.iter().filter_map(|(key, value)| Some((key.clone(), self.kept_at(&below(path, key), value, wanted)?)));
                Some(kept.collect::<Map<_, _>>()).filter(|map| !map.is_empty()).map(Value::Object)
            }
            Value::Array(values) if values.iter().any(Value::is_object) => {
                let path = format!("{path}[]");
                let mut kept: Vec<_> = values.iter().map(|value| self.kept_at(&path, value, wanted)).collect();
                kept.truncate(kept.iter().rposition(Option::is_some)? + 1);
                Some(kept.into_iter().map(Option::unwrap_or_default).collect())
            }
            // A list of what has keys, without anything in it.
            Value::Array(values) if values.is_empty() && self.marks.get(path).is_some_and(|key| key.is_outer) => None,
            leaf => wanted(path, self.affects(path)).then(|| leaf.clone()),
        }
    }
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn marks_hold_for_all_that_is_inside_and_says_nothing_else() {
        let keys = Keys::of(&json!({
            "properties": {
                "name": { "x-affects": "looks" },
                "new": {},
                "parts": { "items": { "$ref": "#/$defs/Part" }, "x-affects": "physics" },
            },
            "$defs": {
                "Part": {
                    "properties": { "young": {}, "damping": { "x-affects": "run" } },
                    "oneOf": [{ "x-affects": "geometry", "properties": { "ball": { "properties": { "radius": {} } } } }],
                },
            },
        }));
        let found: Vec<_> = keys.iter().collect();
        let expected = [
            ("name", Some(Affects::Looks)),
            ("new", None),
            ("parts[].ball.radius", Some(Affects::Geometry)),
            ("parts[].damping", Some(Affects::Run)),
            ("parts[].young", Some(Affects::Physics)),
        ];
        assert_eq!(found, expected);

        let value = json!({ "name": "n", "parts": [{ "young": 1 }, { "ball": { "radius": [2, 3] } }, { "damping": 4 }], "unknown": 5 });
        let kept = |wanted: &[Option<Affects>]| keys.kept(&value, &|_, mark| wanted.contains(&mark));
        assert_eq!(kept(&[Some(Affects::Geometry)]), Some(json!({ "parts": [null, { "ball": { "radius": [2, 3] } }] })));
        assert_eq!(kept(&[None]), Some(json!({ "unknown": 5 })));
        assert_eq!(kept(&[Some(Affects::Contacts)]), None);
    }
}
