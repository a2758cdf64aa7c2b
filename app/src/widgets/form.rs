//! A form made from a JSON Schema: a line for each key, with its unit and limits, for settings that no panel knows.

use std::borrow::Cow;

use egui::Ui;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::row::{Quantity, choice_row, count_row, name_row, row, value_row, vector_row};
use super::scene_schema::{keys_of, limits, schema_of};

/// Draws the keys of an object as `schema` has them, which must be without references; true if something changed.
pub fn form(ui: &mut Ui, value: &mut Value, schema: &Value) -> bool {
    form_without(ui, value, schema, &[])
}

/// Draws those keys of `settings`, the object at `path` of a scene, that no row made by hand is for; true if something changed.
pub fn other_rows<T: Serialize + DeserializeOwned>(ui: &mut Ui, settings: &mut T, path: &str, by_hand: &[&str]) -> bool {
    keys_of(path).any(|key| !by_hand.contains(&key)) && rows_without(ui, settings, &schema_of(path), by_hand)
}

/// Draws those keys of `settings` that `schema` has and no row made by hand is for; true if something changed.
pub fn rows_without<T: Serialize + DeserializeOwned>(ui: &mut Ui, settings: &mut T, schema: &Value, by_hand: &[&str]) -> bool {
    let mut value = serde_json::to_value(&*settings).unwrap_or_default();
    let changed = form_without(ui, &mut value, schema, by_hand);
    // What the settings cannot hold is as if it had not been said.
    let taken = changed.then(|| serde_json::from_value(value).ok()).flatten();
    taken.map(|taken| *settings = taken).is_some()
}

/// Draws the keys of an object as `schema` has them, but for those that are `left_out`; true if something changed.
pub fn form_without(ui: &mut Ui, value: &mut Value, schema: &Value, left_out: &[&str]) -> bool {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let mut changed = false;
    let keys = schema["properties"].as_object().into_iter().flatten().filter(|(key, _)| !left_out.contains(&key.as_str()));
    for (key, of_key) in keys {
        let is_optional = !required(schema).any(|name| name == key);
        // An amount that may be left out, and whose default the schema does not tell, is none: the defaults that are left out of files are zero.
        let is_none = is_optional && is_amount(of_key) && value.get(key).is_none();
        if is_none {
            value[key] = 0.0.into();
        }
        let is_said = ui.push_id(key, |ui| member(ui, value, key, of_key)).inner;
        if is_none && !is_said {
            value.as_object_mut().and_then(|members| members.remove(key));
        }
        changed |= is_said;
    }
    changed
}

/// Whether it is a number that may be zero and has no default of its own.
fn is_amount(schema: &Value) -> bool {
    let may_be_zero = schema["minimum"].as_f64().is_some_and(|least| least <= 0.0);
    is_type(schema, "number") && !is_type(schema, "null") && schema.get("default").is_none() && may_be_zero
}

/// Whether an object says something by being there, as a key of it has a default that does, or must be said with it.
fn says_something(schema: &Value) -> bool {
    let has_default = |key: &Value| key["default"].as_f64().is_some_and(|number| number != 0.0);
    let says_by_default = || schema["properties"].as_object().is_some_and(|keys| keys.values().any(has_default));
    is_type(schema, "object") && (required(schema).next().is_some() || says_by_default())
}

/// Keys that an object must have.
fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn is_vector(schema: &Value) -> bool {
    is_type(schema, "array") && is_type(&schema["items"], "number") && schema["minItems"] == 3 && schema["maxItems"] == 3
}

fn is_text(schema: &Value) -> bool {
    is_type(schema, "string") && !is_choice(schema)
}

fn is_choice(schema: &Value) -> bool {
    schema["enum"].is_array() || schema["oneOf"].is_array()
}

fn member(ui: &mut Ui, object: &mut Value, key: &str, schema: &Value) -> bool {
    let Some(members) = object.as_object_mut() else { return false };
    let label = words(schema, key);
    let hint = hint(schema);
    let required = !is_type(schema, "null") && schema.get("default").is_none();
    let mut now = members.get(key).or(schema.get("default")).cloned().unwrap_or_default();
    if now.is_null() && required {
        now = first(schema);
    }
    let changed = match () {
        () if is_type(schema, "boolean") => flag(ui, &label, &mut now, hint),
        () if is_type(schema, "integer") => whole(ui, &label, &mut now, schema),
        () if is_type(schema, "number") && !required && schema.get("default").is_none_or(Value::is_null) => {
            maybe(ui, &label, &mut now, schema)
        }
        () if is_type(schema, "number") => decimal(ui, &label, &mut now, schema),
        () if schema["enum"].is_array() || schema["oneOf"][0].get("const").is_some() => name(ui, &label, &mut now, schema),
        () if schema["oneOf"].is_array() => variant(ui, &label, &mut now, schema),
        () if is_vector(schema) => vector(ui, &label, &mut now, schema),
        () if is_text(schema) => text(ui, &label, &mut now),
        () if is_type(schema, "null") && says_something(schema) => {
            let toggled = toggle(ui, &label, &mut now, schema, first(schema));
            (!now.is_null() && form(ui, &mut now, schema)) || toggled
        }
        () if is_type(schema, "object") => {
            ui.label(&label).on_hover_text(hint);
            form(ui, &mut now, schema)
        }
        () => false,
    };
    if changed {
        match now {
            Value::Null => members.remove(key),
            now => members.insert(key.into(), now),
        };
    }
    changed
}

fn flag(ui: &mut Ui, label: &str, now: &mut Value, hint: &str) -> bool {
    let mut on = now.as_bool().unwrap_or(false);
    let changed = row(ui, label, |ui, named| ui.checkbox(&mut on, "").labelled_by(named.id).on_hover_text(hint).changed());
    *now = on.into();
    changed
}

fn whole(ui: &mut Ui, label: &str, now: &mut Value, schema: &Value) -> bool {
    let limits = limits(schema);
    let mut count = now.as_u64().unwrap_or(0) as u32;
    let changed = count_row(ui, label, &mut count, (*limits.start() as u32)..=(*limits.end() as u32), hint(schema));
    *now = count.into();
    changed
}

fn decimal(ui: &mut Ui, label: &str, now: &mut Value, schema: &Value) -> bool {
    let mut number = now.as_f64().unwrap_or(0.0);
    let unit = unit(schema);
    let changed = value_row(ui, label, &mut number, &Quantity { unit: &unit, range: limits(schema), hint: hint(schema) });
    *now = number.into();
    changed
}

fn vector(ui: &mut Ui, label: &str, now: &mut Value, schema: &Value) -> bool {
    let mut numbers: [f64; 3] = std::array::from_fn(|axis| now[axis].as_f64().unwrap_or(0.0));
    let unit = unit(schema);
    let changed = vector_row(ui, label, &mut numbers, &Quantity { unit: &unit, range: limits(schema), hint: hint(schema) });
    if changed {
        *now = numbers.as_slice().into();
    }
    changed
}

fn text(ui: &mut Ui, label: &str, now: &mut Value) -> bool {
    let mut written = now.as_str().unwrap_or_default().to_owned();
    let changed = name_row(ui, label, &mut written);
    if changed {
        *now = written.into();
    }
    changed
}

/// A number that may be left out.
fn maybe(ui: &mut Ui, label: &str, now: &mut Value, schema: &Value) -> bool {
    let toggled = toggle(ui, label, now, schema, first(schema));
    toggled || (!now.is_null() && decimal(ui, label, now, schema))
}

/// Whether something that may be left out is given, as `begins` to begin with; true if that changed.
fn toggle(ui: &mut Ui, label: &str, now: &mut Value, schema: &Value, begins: Value) -> bool {
    let mut given = !now.is_null();
    let shown = if given { "" } else { label };
    let toggled = row(ui, shown, |ui, named| {
        let text = if given { format!("give {}", label.to_lowercase()) } else { "not given".to_owned() };
        let toggle = ui.checkbox(&mut given, text);
        // Without a label beside it, its own text is its name.
        let toggle = if shown.is_empty() { toggle } else { toggle.labelled_by(named.id) };
        toggle.on_hover_text(hint(schema)).changed()
    });
    if toggled {
        *now = if given { begins } else { Value::Null };
    }
    toggled
}

/// One of some names.
fn name(ui: &mut Ui, label: &str, now: &mut Value, schema: &Value) -> bool {
    let choices: Vec<(String, String, String)> = match schema["enum"].as_array() {
        Some(names) => {
            let told = |k: usize| schema["enumDescriptions"][k].as_str().unwrap_or_default().to_owned();
            let said = |k: usize, name: &str| schema["x-labels"][k].as_str().map_or_else(|| self::label(name), str::to_owned);
            names.iter().filter_map(Value::as_str).enumerate().map(|(k, name)| (name.into(), said(k, name), told(k))).collect()
        }
        None => {
            let of = |variant: &Value| {
                let name = variant["const"].as_str()?;
                Some((name.to_owned(), words(variant, name), hint(variant).to_owned()))
            };
            schema["oneOf"].as_array().into_iter().flatten().filter_map(of).collect()
        }
    };
    let lines: Vec<(String, &str, &str)> = choices.iter().map(|(name, text, hint)| (name.clone(), text.as_str(), hint.as_str())).collect();
    let mut chosen = now.as_str().unwrap_or_default().to_owned();
    let changed = choice_row(ui, label, &mut chosen, &lines);
    *now = chosen.into();
    changed
}

/// One of some objects with one key each.
fn variant(ui: &mut Ui, label: &str, now: &mut Value, schema: &Value) -> bool {
    let keys: Vec<(String, &Value)> = schema["oneOf"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|variant| Some((variant["required"][0].as_str()?.to_owned(), variant)))
        .collect();
    let texts: Vec<String> = keys.iter().map(|(key, variant)| words(variant, key)).collect();
    let lines: Vec<(String, &str, &str)> =
        keys.iter().zip(&texts).map(|((key, variant), text)| (key.clone(), text.as_str(), hint(variant))).collect();
    let mut chosen = now.as_object().and_then(|object| object.keys().next().cloned()).unwrap_or_default();
    let switched = choice_row(ui, label, &mut chosen, &lines);
    let Some((key, of_variant)) = keys.iter().find(|(key, _)| *key == chosen) else { return switched };
    let mut inner = of_variant["properties"][key].clone();
    // What stands inside is told by the variant.
    if inner.get("description").is_none()
        && let Some(inner) = inner.as_object_mut()
    {
        inner.insert("description".into(), of_variant["description"].clone());
    }
    if switched {
        *now = Value::Object(Map::from_iter([(key.clone(), first(&inner))]));
    }
    member(ui, now, key, &inner) || switched
}

/// What people call a key or a value of this schema: as the schema says, or by its name.
fn words(schema: &Value, name: &str) -> String {
    schema["x-label"].as_str().map_or_else(|| label(name), str::to_owned)
}

/// `stiffness_per_length` as `Stiffness per length`.
fn label(key: &str) -> String {
    let mut letters = key.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters.map(|letter| if letter == '_' { ' ' } else { letter })).collect()
}

fn hint(schema: &Value) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

/// The unit that the description has in brackets.
fn unit(schema: &Value) -> Cow<'_, str> {
    let text = hint(schema);
    let bracketed = text.rfind('[').and_then(|from| text[from + 1..].split_once(']')).map_or("", |(unit, _)| unit);
    bracketed.replace("^2", "²").replace("^3", "³").into()
}

fn is_type(schema: &Value, name: &str) -> bool {
    match &schema["type"] {
        Value::Array(types) => types.iter().any(|of| of == name),
        single => single == name,
    }
}

/// A value to begin with: within the limits, and near one.
fn first(schema: &Value) -> Value {
    if is_type(schema, "number") || is_type(schema, "integer") {
        let limits = limits(schema);
        let number = 1.0f64.clamp(*limits.start(), *limits.end());
        return if is_type(schema, "integer") { (number as u64).into() } else { number.into() };
    }
    if is_type(schema, "object") && schema["properties"].is_object() {
        return required(schema).map(|key| (key.to_owned(), first(&schema["properties"][key]))).collect();
    }
    if let Some(variant) = schema["oneOf"].get(0) {
        return match variant["required"][0].as_str() {
            Some(key) => Value::Object(Map::from_iter([(key.to_owned(), first(&variant["properties"][key]))])),
            None => variant["const"].clone(),
        };
    }
    schema["enum"].get(0).cloned().unwrap_or_default()
}

/// Whether a form has a row for a key of this schema.
#[cfg(test)]
fn has_row(schema: &Value) -> bool {
    ["boolean", "integer", "number", "object"].iter().any(|name| is_type(schema, name))
        || is_vector(schema)
        || is_text(schema)
        || is_choice(schema)
}

/// Asserts that every key of the object at `path` of a scene has a row: one made by hand, or one that a form makes.
#[cfg(test)]
pub fn assert_rows(path: &str, by_hand: &[&str]) {
    let keys: Vec<&str> = keys_of(path).collect();
    assert!(!keys.is_empty(), "{path}");
    for key in by_hand {
        assert!(keys.contains(key), "there is no {path}.{key}");
    }
    for key in keys.into_iter().filter(|key| !by_hand.contains(key)) {
        assert!(has_row(&schema_of(&format!("{path}.{key}"))), "a form has no row for {path}.{key}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn labels_units_and_limits_come_from_the_schema() {
        let schema = json!({ "type": ["number", "null"], "description": "Stiffness of a spring [N/m].", "minimum": 2.0, "maximum": 9.0 });
        assert_eq!(label("stiffness_per_length"), "Stiffness per length");
        assert_eq!((unit(&schema).as_ref(), limits(&schema), first(&schema)), ("N/m", 2.0..=9.0, json!(2.0)));
        assert_eq!(unit(&json!({ "description": "By the area [kg/m^2]." })), "kg/m²");
        assert_eq!(unit(&json!({ "description": "none" })), "");
        let mass = json!({ "oneOf": [{ "required": ["per_node"], "properties": { "per_node": { "type": "number", "minimum": 0.1 } } }] });
        assert_eq!(first(&mass), json!({ "per_node": 1.0 }));
        let count = json!({ "type": "integer", "minimum": 1, "maximum": 9 });
        let hairs = json!({ "type": ["object", "null"], "required": ["each"], "properties": { "each": count, "seed": count } });
        assert_eq!(first(&hairs), json!({ "each": 1 }));
    }
}
