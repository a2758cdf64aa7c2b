//! [`LeftOut`]: what a reader did not take over, told in the mesh.

use super::RawMesh;

/// Different names that are kept; a file with more is damaged, and need not be told in full.
const MOST_NAMES: usize = 200;

/// Elements, sections and details that were left out.
#[derive(Debug, Default)]
pub struct LeftOut {
    elements: Vec<(String, usize)>,
    sections: Vec<String>,
    straightened: Vec<(String, usize)>,
    notes: Vec<String>,
}

impl LeftOut {
    /// Counts `count` elements of one kind.
    pub fn elements(&mut self, name: &str, count: usize) {
        add(&mut self.elements, name, count);
    }

    /// Counts an element of which only the corners were taken over.
    pub fn straightened(&mut self, name: &str) {
        add(&mut self.straightened, name, 1);
    }

    /// Names a section that was skipped.
    pub fn section(&mut self, name: &str) {
        if self.sections.len() < MOST_NAMES && !self.sections.iter().any(|known| known == name) {
            self.sections.push(name.to_owned());
        }
    }

    /// Tells, in a sentence, what else was dropped or changed.
    pub fn note(&mut self, sentence: String) {
        if self.notes.len() < MOST_NAMES && !self.notes.contains(&sentence) {
            self.notes.push(sentence);
        }
    }

    /// Puts all of it into the mesh.
    pub fn tell(self, raw: &mut RawMesh) {
        raw.other_elements = self.elements;
        raw.unused_sections = self.sections;
        raw.straightened = self.straightened;
        raw.notes = self.notes;
    }
}

fn add(counts: &mut Vec<(String, usize)>, name: &str, count: usize) {
    let known = counts.iter_mut().find(|(known, _)| known == name);
    if let Some((_, total)) = known {
        *total = total.saturating_add(count);
    } else if counts.len() < MOST_NAMES {
        counts.push((name.to_owned(), count));
    }
}
