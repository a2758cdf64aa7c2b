//! The names that registries give to a scene's keys: what model and bodies leave open is filled in here.

use serde_json::{Value, json};

use crate::bodies::keys;
use crate::scene::{NAMES_KEY, STEPPER_NAMES};
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
    let mut schema = keys::schema();
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
            members.values_mut().for_each(fill);
        }
        Value::Array(items) => items.iter_mut().for_each(fill),
        _ => {}
    }
}
