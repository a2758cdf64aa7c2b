//! [`LeftOut`]: what a reader did not take over, told in the mesh.

use super::RawMesh;

/// Different names that are kept; a file with more is damaged, and need not be told in full.
const MOST_NAMES: usize = 200;

/// Elements, sections and details that were left out.
#[derive(Debug, Default)]
pub struct LeftOut {
    elements: Vec<(String, usize)>,
    sections: Vec<String>,
    notes: Vec<String>,
}

impl LeftOut {
    /// Counts `count` elements of one kind.
    pub fn elements(&mut self, name: &str, count: usize) {
        let known = self.elements.iter_mut().find(|(known, _)| known == name);
        if let Some((_, total)) = known {
            *total = total.saturating_add(count);
        } else if self.elements.len() < MOST_NAMES {
            self.elements.push((name.to_owned(), count));
        }
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
        raw.notes = self.notes;
    }
}
