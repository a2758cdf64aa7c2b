//! The report of measurements, and the same as a table for people.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Map, Value};

use super::machine::Machine;
use super::reference::{Peer, Records};

/// Everything that was measured.
#[derive(Debug, Clone, Serialize)]
pub struct BenchReport {
    /// On what.
    pub machine: Machine,
    /// The rows.
    pub rows: Vec<Row>,
}

/// One measurement.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Row {
    /// Name: that of its entry, and what tells it from the entry's other rows.
    pub name: String,
    /// What was measured, for people.
    pub system: String,
    /// Elements.
    pub elements: usize,
    /// Masses.
    pub masses: usize,
    /// Contacts (at most, over time).
    pub contacts: usize,
    /// Wall seconds by phase.
    pub seconds: Map<String, Value>,
    /// Numbers that are no seconds: steps, iterations, sizes.
    pub counts: Map<String, Value>,
    /// Figure of another program for the first phase that has one.
    pub reference: Option<Reference>,
    /// How many times as long as this program that one took.
    pub ratio: Option<f64>,
    /// Figures of other programs.
    pub references: Vec<Reference>,
    /// Largest final residual of a step, or that of the solve.
    pub residual: Option<f64>,
    /// Largest drift, as a share of the diagonal.
    pub drift: Option<f64>,
    /// Where figures of other programs stand.
    #[serde(skip)]
    pub peers: &'static [Peer],
}

/// A figure of another program.
#[derive(Debug, Clone, Serialize)]
pub struct Reference {
    /// What it is.
    pub what: String,
    /// Phase it is compared with.
    pub phase: String,
    /// Wall seconds.
    pub seconds: f64,
    /// Those over the seconds of the phase.
    pub ratio: f64,
}

impl Row {
    /// Adds the seconds of a phase.
    pub fn time(&mut self, phase: &str, seconds: f64) {
        self.seconds.insert(phase.into(), seconds.into());
    }

    /// Adds a number.
    pub fn count(&mut self, name: &str, value: impl Into<Value>) {
        self.counts.insert(name.into(), value.into());
    }

    /// Fills in what others took.
    pub fn compare(&mut self, records: &Records, threads: usize) {
        for peer in self.peers {
            let ours = self.seconds.get(peer.phase).and_then(Value::as_f64);
            if let (Some(ours), Some(seconds)) = (ours, records.seconds(peer, threads)) {
                let (what, phase) = (peer.what.into(), peer.phase.into());
                self.references.push(Reference { what, phase, seconds, ratio: seconds / ours });
            }
        }
        self.reference = self.references.first().cloned();
        self.ratio = self.reference.as_ref().map(|reference| reference.ratio);
    }
}

/// The report for people.
pub fn table(report: &BenchReport) -> String {
    let Machine { cores, threads, processor } = &report.machine;
    let mut text = format!("{processor}, {cores} cores, {threads} threads\n");
    for row in &report.rows {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\n{}: {}", row.name, row.system);
        let _ = writeln!(text, "  {} elements, {} masses, {} contacts", row.elements, row.masses, row.contacts);
        for (phase, seconds) in &row.seconds {
            let milliseconds = 1e3 * seconds.as_f64().unwrap_or(f64::NAN);
            let of_phase = row.references.iter().filter(|reference| &reference.phase == phase);
            let others: String =
                of_phase.map(|r| format!("   {:.2} x faster than {} ({:.4} ms)", r.ratio, r.what, 1e3 * r.seconds)).collect();
            let _ = writeln!(text, "  {phase:18} {milliseconds:10.3} ms{others}");
        }
        let counts: Vec<String> = row.counts.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let _ = writeln!(text, "  {}", counts.join(", "));
        let number = |name: &str, value: Option<f64>| value.map_or_else(String::new, |value| format!("  {name} {value:.1e}"));
        let _ = writeln!(text, "{}{}", number("residual", row.residual), number("drift", row.drift));
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_figure_of_another_program_stands_beside_its_phase() {
        const PEERS: &[Peer] = &[Peer { phase: "solve", what: "other", record: &[("name", "other")], figure: "s", unit: 1.0 }];
        let file = std::env::temp_dir().join(format!("aplomb-figure-{}.jsonl", std::process::id()));
        std::fs::write(&file, "{\"name\": \"other\", \"s\": 6.0}\n").unwrap();
        let records = Records::read(std::slice::from_ref(&file)).unwrap();
        std::fs::remove_file(file).unwrap();
        let mut row = Row { name: "row".into(), peers: PEERS, ..Row::default() };
        row.time("solve", 2.0);
        row.compare(&records, 1);
        assert_eq!(row.ratio, Some(3.0));
        let report = BenchReport { machine: Machine { cores: 2, threads: 1, processor: "p".into() }, rows: vec![row] };
        assert!(table(&report).contains("3.00 x faster than other"), "{}", table(&report));
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(
            (json["rows"][0]["seconds"]["solve"].as_f64(), json["rows"][0]["reference"]["seconds"].as_f64()),
            (Some(2.0), Some(6.0))
        );
    }
}
