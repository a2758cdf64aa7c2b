//! A scene as text that people and version control can read: stable order of keys, one line for what fits on a
//! line, and index lists always on one line.

use std::io;
use std::path::Path;

use serde_json::Value;

use crate::files::write_atomically;
use crate::scene::Scene;

/// Columns that a value may take on one line.
const WIDTH: usize = 100;

/// Writes `scene` to `path`, whole or not at all.
pub fn save(path: &Path, scene: &Scene) -> io::Result<()> {
    write_atomically(path, to_text(scene)?.as_bytes())
}

/// The text that [`save`] writes.
pub fn to_text(scene: &Scene) -> io::Result<String> {
    let value = serde_json::to_value(scene)?;
    let mut text = String::new();
    write_value(&value, 0, &mut text);
    text.push('\n');
    Ok(text)
}

fn write_value(value: &Value, depth: usize, out: &mut String) {
    let line = one_line(value);
    let indices = value.as_array().is_some_and(|list| list.iter().all(Value::is_number));
    if depth > 0 && (indices || 2 * depth + line.len() <= WIDTH) {
        out.push_str(&line);
        return;
    }
    match value {
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| (Some(key.as_str()), value));
            write_block(entries, ('{', '}'), depth, out);
        }
        Value::Array(list) => write_block(list.iter().map(|value| (None, value)), ('[', ']'), depth, out),
        _ => out.push_str(&line),
    }
}

/// Entries one below the other, between brackets.
fn write_block<'a>(entries: impl Iterator<Item = (Option<&'a str>, &'a Value)>, brackets: (char, char), depth: usize, out: &mut String) {
    out.push(brackets.0);
    for (i, (key, value)) in entries.enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        if let Some(key) = key {
            out.push_str(&format!("{}: ", Value::from(key)));
        }
        write_value(value, depth + 1, out);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(brackets.1);
}

fn one_line(value: &Value) -> String {
    let list = |entries: Vec<String>| entries.join(", ");
    match value {
        Value::Object(map) if map.is_empty() => "{}".into(),
        Value::Object(map) => {
            format!(
                "{{ {} }}",
                list(map.iter().map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), one_line(value))).collect())
            )
        }
        Value::Array(values) => format!("[{}]", list(values.iter().map(one_line).collect())),
        scalar => scalar.to_string(),
    }
}
