//! A form made from a JSON Schema: a line for each key, with its unit and limits, for settings that no panel knows.

use std::borrow::Cow;

use egui::Ui;
use serde_json::{Map, Value};

use super::row::{Quantity, choice_row, count_row, row, value_row};

/// Draws the keys of an object as `schema` has them, which must be without references; true if something changed.
pub fn form(ui: &mut Ui, value: &mut Value, schema: &Value) -> bool {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let mut changed = false;
    for (key, of_key) in schema["properties"].as_object().into_iter().flatten() {
        changed |= ui.push_id(key, |ui| member(ui, value, key, of_key)).inner;
    }
    changed
}

fn member(ui: &mut Ui, object: &mut Value, key: &str, schema: &Value) -> bool {
    let Some(members) = object.as_object_mut() else { return false };
    let label = label(key);
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

/// A number that may be left out.
fn maybe(ui: &mut Ui, label: &str, now: &mut Value, schema: &Value) -> bool {
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
        *now = if given { first(schema) } else { Value::Null };
    }
    toggled || (given && decimal(ui, label, now, schema))
}

/// One of some names.
fn name(ui: &mut Ui, label: &str, now: &mut Value, schema: &Value) -> bool {
    let choices: Vec<(String, String, String)> = match schema["enum"].as_array() {
        Some(names) => {
            let told = |k: usize| schema["enumDescriptions"][k].as_str().unwrap_or_default().to_owned();
            names.iter().filter_map(Value::as_str).enumerate().map(|(k, name)| (name.into(), self::label(name), told(k))).collect()
        }
        None => {
            let of = |variant: &Value| {
                Some((variant["const"].as_str()?.to_owned(), self::label(variant["const"].as_str()?), hint(variant).to_owned()))
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
    let texts: Vec<String> = keys.iter().map(|(key, _)| self::label(key)).collect();
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

fn limits(schema: &Value) -> std::ops::RangeInclusive<f64> {
    let of = |key: &str| schema[key].as_f64();
    let low = of("minimum").or(of("exclusiveMinimum").map(|least| if least == 0.0 { 1e-9 } else { least }));
    low.unwrap_or(-1e300)..=of("maximum").or(of("exclusiveMaximum")).unwrap_or(1e300)
}

/// A value to begin with: within the limits, and near one.
fn first(schema: &Value) -> Value {
    if is_type(schema, "number") || is_type(schema, "integer") {
        let limits = limits(schema);
        return 1.0f64.clamp(*limits.start(), *limits.end()).into();
    }
    if let Some(variant) = schema["oneOf"].get(0) {
        return match variant["required"][0].as_str() {
            Some(key) => Value::Object(Map::from_iter([(key.to_owned(), first(&variant["properties"][key]))])),
            None => variant["const"].clone(),
        };
    }
    schema["enum"].get(0).cloned().unwrap_or_default()
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
    }
}
