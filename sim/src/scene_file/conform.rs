//! Compares a scene's syntax tree with the JSON Schema generated from the model, and finds every difference at once:
//! the model is the only list of keys, types and limits.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use serde_json::{Map, Value, json};

use super::source::Source;
use super::suggest::suggest;
use crate::scene::SceneProblem;

/// What the comparison gave.
pub struct Conformed {
    /// The scene with a stand-in for everything that could not be used, so that the rest can be checked as well.
    pub mended: Value,
    /// Every difference, in the order of the file.
    pub problems: Vec<SceneProblem>,
}

/// Compares the whole file with `schema`.
pub fn conform(source: &Source, schema: &Value) -> Conformed {
    let mut walker = Walker { source, schema, problems: Vec::new() };
    let mended = walker.value(&source.root, schema, "");
    Conformed { mended, problems: walker.problems }
}

struct Walker<'a> {
    source: &'a Source<'a>,
    schema: &'a Value,
    problems: Vec<SceneProblem>,
}

impl<'a> Walker<'a> {
    fn report(&mut self, at: &impl Ranged, path: &str, message: String) {
        self.problems.push(self.source.place(SceneProblem::at(path, message), at.start()));
    }

    /// The mended value of `node`, which should be as `schema` says.
    fn value(&mut self, node: &ast::Value, schema: &'a Value, path: &str) -> Value {
        let mut schema = self.resolve(schema);
        // What may be left out as `null` is a choice between itself and nothing.
        if let Some(choice) = schema["anyOf"].as_array() {
            if matches!(node, ast::Value::NullKeyword(_)) {
                return Value::Null;
            }
            schema = choice.first().map_or(&Value::Null, |first| self.resolve(first));
        }
        if let Some(variants) = schema["oneOf"].as_array() {
            return self.variant(node, variants, path);
        }
        let types: Vec<&str> = match &schema["type"] {
            Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
            single => single.as_str().into_iter().collect(),
        };
        let mended = match node {
            ast::Value::NullKeyword(_) if types.contains(&"null") => Some(Value::Null),
            ast::Value::Object(object) if types.contains(&"object") => Some(self.object(object, schema, path)),
            ast::Value::Array(array) if types.contains(&"array") => self.array(array, schema, path),
            ast::Value::NumberLit(number) if types.contains(&"number") || types.contains(&"integer") => self.number(number, schema, path),
            ast::Value::BooleanLit(boolean) if types.contains(&"boolean") => Some(boolean.value.into()),
            ast::Value::StringLit(text) if types.contains(&"string") => self.string(text, schema, path),
            _ => {
                let wanted = types.iter().find(|kind| **kind != "null").map_or("value", |kind| spoken(kind));
                self.report(node, path, format!("found {}; write {wanted}{}", found(node), about(schema)));
                None
            }
        };
        mended.unwrap_or_else(|| self.stand_in(schema))
    }

    fn object(&mut self, object: &ast::Object, schema: &'a Value, path: &str) -> Value {
        let mut mended = Map::new();
        let properties = schema["properties"].as_object();
        for property in &object.properties {
            let key = property.name.as_str();
            let path = join(path, key);
            match properties.and_then(|known| known.get(key)) {
                Some(_) if mended.contains_key(key) => {
                    self.report(&property.name, &path, "this key is given twice; keep one of the two".into());
                }
                Some(schema) => {
                    let value = self.value(&property.value, schema, &path);
                    mended.insert(key.into(), value);
                }
                None => {
                    let known = properties.into_iter().flat_map(Map::keys).map(String::as_str);
                    self.report(&property.name, &path, format!("unknown key{}", suggest(key, known)));
                }
            }
        }
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !mended.contains_key(key) {
                let property = self.resolve(&schema["properties"][key]);
                self.report(object, &join(path, key), format!("missing; add \"{key}\"{}", about(property)));
                mended.insert(key.into(), self.stand_in(property));
            }
        }
        mended.into()
    }

    fn array(&mut self, array: &ast::Array, schema: &'a Value, path: &str) -> Option<Value> {
        let count = array.elements.len() as u64;
        let (least, most) = (schema["minItems"].as_u64().unwrap_or(0), schema["maxItems"].as_u64().unwrap_or(u64::MAX));
        if count < least || count > most {
            let wanted = if least == most { format!("exactly {least}") } else { format!("at least {least}") };
            self.report(array, path, format!("found {count} values; write {wanted}{}", about(schema)));
            if least == most {
                return None;
            }
        }
        let items = &schema["items"];
        Some(array.elements.iter().enumerate().map(|(i, node)| self.value(node, items, &format!("{path}[{i}]"))).collect())
    }

    fn number(&mut self, number: &ast::NumberLit, schema: &'a Value, path: &str) -> Option<Value> {
        let value = number.value.parse::<f64>().ok().filter(|value| value.is_finite());
        let Some(value) = value else {
            self.report(number, path, format!("{} is no number that a computer can hold; write a smaller one", number.value));
            return None;
        };
        if let Some(limits) = broken_limits(value, schema) {
            self.report(number, path, format!("{} is not plausible; it must be {limits}{}", number.value, about(schema)));
            return None;
        }
        let integer = schema["format"].as_str().is_some_and(|format| format.starts_with("uint") || format.starts_with("int"));
        if !integer {
            return Some(value.into());
        }
        let fits = match schema["format"].as_str() {
            Some("int32") => i32::try_from(value as i64).is_ok(),
            _ => u32::try_from(value as i64).is_ok(),
        };
        if value.fract() != 0.0 || !fits {
            self.report(number, path, format!("{} is not a whole number in range; write one{}", number.value, about(schema)));
            return None;
        }
        Some((value as i64).into())
    }

    fn string(&mut self, text: &ast::StringLit, schema: &'a Value, path: &str) -> Option<Value> {
        if let Some(names) = schema["enum"].as_array() {
            let names = || names.iter().filter_map(Value::as_str);
            if !names().any(|name| name == text.value) {
                self.report(text, path, format!("`{}` is not known{}", text.value, suggest(&text.value, names())));
                return None;
            }
        }
        Some(text.value.as_ref().into())
    }

    /// A choice between names, or between objects with one key each.
    fn variant(&mut self, node: &ast::Value, variants: &'a [Value], path: &str) -> Value {
        let names = || variants.iter().filter_map(variant_name);
        let by_name = variants.iter().all(|variant| variant.get("const").is_some());
        match node {
            ast::Value::StringLit(text) if by_name => {
                if names().any(|name| name == text.value) {
                    return text.value.as_ref().into();
                }
                self.report(node, path, format!("`{}` is not known{}", text.value, suggest(&text.value, names())));
            }
            ast::Value::Object(object) if !by_name => match object.properties.as_slice() {
                [property] => {
                    let key = property.name.as_str();
                    if let Some(variant) = variants.iter().find(|variant| variant_name(variant) == Some(key)) {
                        let value = self.value(&property.value, &variant["properties"][key], &join(path, key));
                        return json!({ key: value });
                    }
                    self.report(&property.name, &join(path, key), format!("unknown kind{}", suggest(key, names())));
                }
                properties => {
                    let count = properties.len();
                    let list: Vec<_> = names().collect();
                    self.report(node, path, format!("found {count} keys; write exactly one of {}", list.join(", ")));
                }
            },
            _ => {
                let list: Vec<_> = names().collect();
                let wanted = if by_name { "one of the names" } else { "an object with one of the keys" };
                self.report(node, path, format!("found {}; write {wanted} {}", found(node), list.join(", ")));
            }
        }
        variants.first().map_or(Value::Null, |variant| self.stand_in(variant))
    }

    /// The smallest value that the schema accepts; only its form matters.
    fn stand_in(&self, schema: &Value) -> Value {
        let schema = self.resolve(schema);
        if let Some(default) = schema.get("default").or(schema.get("const")) {
            return default.clone();
        }
        if let Some(first) = schema["oneOf"].get(0).or(schema["enum"].get(0)) {
            return if first.is_object() { self.stand_in(first) } else { first.clone() };
        }
        let kind = schema["type"].as_str().or(schema["type"][0].as_str());
        match kind {
            Some("object") => {
                let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
                required.map(|key| (key.to_string(), self.stand_in(&schema["properties"][key]))).collect::<Map<_, _>>().into()
            }
            Some("array") => {
                let count = schema["minItems"].as_u64().unwrap_or(0);
                (0..count).map(|_| self.stand_in(&schema["items"])).collect()
            }
            Some("string") => "".into(),
            Some("boolean") => false.into(),
            Some("integer") => 1.into(),
            Some("number") => schema.get("minimum").or(schema.get("maximum")).cloned().unwrap_or_else(|| 0.25.into()),
            _ => Value::Null,
        }
    }

    fn resolve<'s>(&self, schema: &'s Value) -> &'s Value
    where
        'a: 's,
    {
        match schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
            Some(pointer) => self.schema.pointer(pointer).unwrap_or(&Value::Null),
            None => schema,
        }
    }
}

fn variant_name(variant: &Value) -> Option<&str> {
    variant["const"].as_str().or(variant["required"][0].as_str())
}

/// The limits of `schema` in words, if `value` breaks them.
fn broken_limits(value: f64, schema: &Value) -> Option<String> {
    type Holds = fn(&f64, &f64) -> bool;
    const LIMITS: [(&str, &str, Holds); 4] = [
        ("minimum", "at least", f64::ge),
        ("exclusiveMinimum", "above", f64::gt),
        ("maximum", "at most", f64::le),
        ("exclusiveMaximum", "below", f64::lt),
    ];
    let limits = LIMITS.iter().filter_map(|(key, words, holds)| Some((words, schema[key].as_f64()?, holds)));
    if limits.clone().all(|(_, limit, holds)| holds(&value, &limit)) {
        return None;
    }
    Some(limits.map(|(words, limit, _)| format!("{words} {limit}")).collect::<Vec<_>>().join(" and "))
}

/// What the schema says the value is, in its first sentence, for the end of a message.
fn about(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or("").replace('\n', " ");
    let sentence = text.split_once(". ").map_or(text.as_str(), |(first, _)| first);
    if sentence.is_empty() { String::new() } else { format!(" ({})", sentence.trim_end_matches('.')) }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.into() } else { format!("{path}.{key}") }
}

fn spoken(kind: &str) -> &'static str {
    match kind {
        "object" => "an object {...}",
        "array" => "a list [...]",
        "number" => "a number",
        "integer" => "a whole number",
        "boolean" => "true or false",
        _ => "a text in quotes",
    }
}

fn found(node: &ast::Value) -> &'static str {
    match node {
        ast::Value::StringLit(_) => "a text",
        ast::Value::NumberLit(_) => "a number",
        ast::Value::BooleanLit(_) => "true or false",
        ast::Value::Object(_) => "an object",
        ast::Value::Array(_) => "a list",
        ast::Value::NullKeyword(_) => "null",
    }
}
