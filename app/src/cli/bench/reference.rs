//! Figures of other programs: JSON records, one a line, each of them flat. Which record belongs to which phase of a row
//! stands with the row.

use std::path::PathBuf;

use anyhow::Context;
use serde_json::{Map, Value};

use crate::cli::failure::Failure;

/// Where a figure of another program stands among its records.
#[derive(Debug, Clone, Copy)]
pub struct Peer {
    /// Phase of the row that it is to be compared with.
    pub phase: &'static str,
    /// What it is, for people.
    pub what: &'static str,
    /// Keys of its record, with the text of their values.
    pub record: &'static [(&'static str, &'static str)],
    /// Key of the figure.
    pub figure: &'static str,
    /// Seconds in its unit.
    pub unit: f64,
}

/// Records of other programs.
#[derive(Debug, Default)]
pub struct Records(Vec<Map<String, Value>>);

impl Records {
    /// Reads files of records. Lines may begin with `JSON `; what does not begin with a brace then is skipped.
    pub fn read(files: &[PathBuf]) -> Result<Self, Failure> {
        let mut records = Vec::new();
        for file in files {
            let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
            for (number, line) in (1..).zip(text.lines()) {
                let line = line.strip_prefix("JSON ").unwrap_or(line).trim();
                if line.starts_with('{') {
                    let place = || format!("{}:{number}: this is not a JSON object", file.display());
                    records.push(serde_json::from_str(line).with_context(place)?);
                }
            }
        }
        Ok(Self(records))
    }

    /// The best figure of `peer` [s], if there is one; records made with another number of threads do not count.
    pub fn seconds(&self, peer: &Peer, threads: usize) -> Option<f64> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let has = |record: &Map<String, Value>, key: &str, wanted: &str| record.get(key).is_some_and(|value| text(value) == wanted);
        let fits = |record: &&Map<String, Value>| {
            peer.record.iter().all(|(key, wanted)| has(record, key, wanted))
                && record.get("threads").and_then(Value::as_u64).is_none_or(|count| count == threads as u64)
        };
        self.0.iter().filter(fits).filter_map(|record| Some(peer.unit * record.get(peer.figure)?.as_f64()?)).min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_best_record_with_the_right_threads_counts() {
        let folder = tempfile();
        let text = "machine x\nJSON {\"name\": \"a\", \"size\": 7, \"threads\": 1, \"ms\": 4.0}\n\
            {\"name\": \"a\", \"size\": 7, \"threads\": 1, \"ms\": 3.0}\n{\"name\": \"a\", \"size\": 7, \"threads\": 2, \"ms\": 1.0}\n\
            {\"name\": \"a\", \"size\": 8, \"ms\": 0.5}\n";
        std::fs::write(&folder, text).unwrap();
        let records = Records::read(std::slice::from_ref(&folder)).unwrap();
        let peer = Peer { phase: "p", what: "w", record: &[("name", "a"), ("size", "7")], figure: "ms", unit: 1e-3 };
        assert_eq!((records.seconds(&peer, 1), records.seconds(&peer, 2), records.seconds(&peer, 3)), (Some(0.003), Some(0.001), None));
        std::fs::write(&folder, "{ \"name\"\n").unwrap();
        let error = Records::read(std::slice::from_ref(&folder)).unwrap_err().to_string();
        assert!(error.contains(":1: this is not a JSON object"), "{error}");
        std::fs::remove_file(folder).unwrap();
    }

    fn tempfile() -> PathBuf {
        std::env::temp_dir().join(format!("aplomb-records-{}.jsonl", std::process::id()))
    }
}
