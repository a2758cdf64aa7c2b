//! The names that registries give to a scene's keys, and the settings of kinds of bodies: what the model leaves open is filled in here.

use serde_json::{Value, json};

use crate::bodies::{BODY_KINDS, BodyKind};
use crate::scene::{KINDS_KEY, NAMES_KEY, OF_BODY, STEPPER_NAMES, Scene};
use crate::step::STEPPERS;

/// A list of names.
struct List {
    /// How the model calls it.
    mark: &'static str,
    names: fn() -> Vec<&'static str>,
}

/// Every list that the model leaves open.
const LISTS: &[List] = &[List { mark: STEPPER_NAMES, names: || STEPPERS.iter().map(|entry| entry.name).collect() }];

/// JSON Schema of a scene.
pub fn schema() -> Value {
    let mut schema = schemars::schema_for!(Scene).to_value();
    fill(&mut schema);
    schema
}

/// Puts the names of its list in place of each mark.
fn fill(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let list = members.get(NAMES_KEY).and_then(Value::as_str).and_then(|name| LISTS.iter().find(|list| list.mark == name));
            if let Some(list) = list {
                members.remove(NAMES_KEY);
                members.insert("enum".into(), json!((list.names)()));
            }
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
    BODY_KINDS.iter().filter_map(variant).collect()
}
